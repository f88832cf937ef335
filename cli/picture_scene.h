/* The inside of the picture: faces and edges as a viewer sees them, and which of them are visible. */
#ifndef TUMBLE_CLI_PICTURE_SCENE_H
#define TUMBLE_CLI_PICTURE_SCENE_H

#include <stdint.h>

#include "picture.h"

/* Directions of the viewer's right, up and, from the scene to the viewer, near: of length one, perpendicular. */
typedef struct picture_camera {
    double right[3], up[3], near[3];
    double cut[4]; /* of A only what has cut[0]*x + cut[1]*y + cut[2]*z <= cut[3] is shown, when `has_cut` */
    int has_cut;
} picture_camera;

/* A piece of a triangle: what the cut has left of it. Coordinates are (right, up, near). */
typedef struct picture_face {
    double corners[4][3];
    uint8_t corner_count;
    uint8_t body;     /* 0: A, 1: B */
    uint8_t inside;   /* the back of a closed surface, seen through the cut: looks like the cut material */
    uint8_t touching; /* its polygon has a contact */
    uint8_t light;    /* 0 to 255 */
} picture_face;

typedef struct picture_edge {
    double ends[2][3];
    int on_cut;
} picture_edge;

typedef struct picture_scene {
    picture_camera camera;
    picture_face *faces;
    size_t face_count, face_capacity;
    picture_edge *edges; /* creases, rims and outlines */
    size_t edge_count, edge_capacity;
} picture_scene;

void picture_look(const picture_camera *camera, const double point[3], double seen[3]);

/* Chooses the cut and the direction of view by the bounds and the contacts. */
tumble_status picture_choose_camera(const cli_picture *picture, picture_camera *camera);

/* Faces and edges of both models. Release the scene in any case. */
tumble_status picture_collect(const cli_picture *picture, picture_scene *scene);
void picture_release(picture_scene *scene);

/* A window of the drawing: x = left + (right - centre[0]) * scale + width / 2, and y likewise but downwards. */
typedef struct picture_window {
    double left, top;
    uint32_t width, height;
    double centre[2], scale;
} picture_window;

#define PICTURE_NOTHING UINT32_MAX

/* What is visible in a window. */
typedef struct picture_visible {
    uint32_t *front; /* the face in each unit square of the window, row by row, or PICTURE_NOTHING */
    double *depth;   /* its `near`, or -infinity */
    uint32_t *order; /* the visible faces, in an order in which nearer ones come after the ones they hide */
    size_t count;
} picture_visible;

/* 0 when there is no memory. Release in any case. */
int picture_find_visible(const picture_scene *scene, const picture_window *window, picture_visible *visible);
void picture_release_visible(picture_visible *visible);

/* Calls `draw` for the parts of an edge that can be seen, from fraction `from` to `to` of it. */
typedef void picture_draw_part(void *user, const picture_edge *edge, double from, double to);
void picture_visible_parts(const picture_window *window, const picture_visible *visible, const picture_edge *edge,
                           picture_draw_part *draw, void *user);

void picture_to_window(const picture_window *window, const double seen[3], double at[2]);

#endif
