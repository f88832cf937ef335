/* Choosing the view of a picture: directions, boxes, and what is visible. */
#ifndef TUMBLE_CLI_PICTURE_CAMERA_H
#define TUMBLE_CLI_PICTURE_CAMERA_H

#include "picture_scene.h"

/* A frame whose third axis is up. */
typedef struct picture_ground {
    double x[3], y[3], up[3];
} picture_ground;

/* A direction `aside` of the front, whose azimuth is measured from x, and `above` the horizon. All in radians. */
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

/* Moves the camera, or cuts a model open, until enough of the contacts is visible. `fixed`: only cuts. `azimuth` is
 * that of the front. Both functions return 0 if memory runs out. */
int picture_show_contacts(picture_scene *scene, const picture_ground *g, int fixed, int may_cut, double azimuth);

/* Without contacts: if one model hides the other completely, cuts it open. */
int picture_show_both(picture_scene *scene, const picture_ground *g, int fixed, double azimuth);

#endif
