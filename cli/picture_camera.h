/* How a picture's view is chosen: directions over the ground, boxes, and what one sees from there. */
#ifndef TUMBLE_CLI_PICTURE_CAMERA_H
#define TUMBLE_CLI_PICTURE_CAMERA_H

#include "picture_scene.h"

/* A frame whose third axis is up. */
typedef struct picture_ground {
    double x[3], y[3], up[3];
} picture_ground;

/* The direction `aside` of a front that is at `azimuth` from x, and so much above the ground. In radians. */
void picture_oblique(const picture_ground *g, double azimuth, double aside, double above, double toward[3]);

#define PICTURE_ASIDE 0.5  /* the usual view: from the right of the front, */
#define PICTURE_ABOVE 0.42 /* and from above */
#define PICTURE_QUARTER 1.57079632679489662

/* Looks from `toward`, of length one. */
void picture_set_directions(picture_camera *camera, const double toward[3], const picture_ground *g);

typedef struct picture_box {
    double lower[3], upper[3];
} picture_box;

picture_box picture_contact_box(const picture_scene *scene);
picture_box picture_body_box(const picture_body *body);
double picture_box_middle(const picture_box *b, int axis); /* 0 of an empty box */

/* From the scene's camera: changes it, or cuts a model open, if that shows more of the contacts. `fixed`: only cuts.
 * `azimuth`: of the front. 0 when there is no memory, as below. */
int picture_show_contacts(picture_scene *scene, const picture_ground *g, int fixed, int may_cut, double azimuth);

/* Without contacts: a model that the other one hides altogether is shown by a cut through that. */
int picture_show_both(picture_scene *scene, const picture_ground *g, int fixed, double azimuth);

#endif
