/* The inside of the picture: faces and edges as a viewer sees them, and which of them are visible. */
#ifndef TUMBLE_CLI_PICTURE_SCENE_H
#define TUMBLE_CLI_PICTURE_SCENE_H

#include <stdint.h>

#include "picture.h"

/* Directions of the viewer's right, up and, from the scene to the viewer, near: of length one, perpendicular. */
typedef struct picture_camera {
    double right[3], up[3], near[3];
    double cut[4];      /* what has cut[0]*x + cut[1]*y + cut[2]*z > cut[3] is left out ... */
    uint8_t cut_bodies; /* ... of A (1), B (2), both (3) or none */
} picture_camera;

/* A model at its pose. */
typedef struct picture_body {
    double (*corners)[3][3];
    uint8_t *touching; /* the triangle's polygon has a contact */
    uint32_t count;
    int closed;
} picture_body;

/* A piece of a triangle: what the cut has left of it. Coordinates are (right, up, near). */
typedef struct picture_face {
    double corners[4][3];
    uint8_t corner_count;
    uint8_t body;     /* 0: A, 1: B */
    uint8_t back;     /* the viewer sees its back */
    uint8_t inside;   /* the back of a closed surface, seen through the cut: looks like the cut material */
    uint8_t touching; /* its polygon has a contact */
    uint8_t light;    /* 0 to 255 */
} picture_face;

typedef struct picture_edge {
    double ends[2][3];
    int on_cut;
} picture_edge;

/* Coordinates are normalised so that both models together have size one around the origin: a point of the user becomes
 * (point - centre) / (2 size). */
typedef struct picture_scene {
    double centre[3], size;
    picture_body bodies[2];
    double (*contacts)[2][3];
    size_t contact_count;
    double move[2][3], move_way[3]; /* the ends of an arrow, and its direction, of length 1 */
    int has_move;
    picture_camera camera;
    picture_face *faces;
    size_t face_count, face_capacity;
    picture_edge *edges; /* creases, rims and outlines */
    size_t edge_count, edge_capacity;
} picture_scene;

/* The models and the contacts. Release the scene in any case. */
tumble_status picture_read(const cli_picture *picture, picture_scene *scene);
void picture_release(picture_scene *scene);

/* Chooses the view and the cut: as requested, or so that the contacts are visible. Like the functions below, returns 0
 * if memory runs out. */
int picture_choose_camera(const cli_picture_view *view, picture_scene *scene);

void picture_look(const picture_camera *camera, const double point[3], double seen[3]);

/* Collects faces or edges in view coordinates, replacing the old ones. */
int picture_collect_faces(picture_scene *scene);
int picture_collect_edges(picture_scene *scene);

/* A window of the drawing: x = left + (right - centre[0]) * scale + width / 2, and y likewise but downwards. */
typedef struct picture_window {
    double left, top;
    uint32_t width, height;
    double centre[2], scale;
} picture_window;

void picture_to_window(const picture_window *window, const double seen[3], double at[2]);

/* Bounds of what is seen, to fit windows to. Empty when lower > upper. */
typedef struct picture_bounds {
    double lower[2], upper[2];
} picture_bounds;

picture_bounds picture_scene_bounds(const picture_scene *scene);
picture_bounds picture_body_bounds(const picture_scene *scene, int body);
picture_bounds picture_contact_bounds(const picture_scene *scene);

/* Scales so that the bounds fill a share of the window, but not more than `most` times. */
picture_window picture_fit_window(const picture_window *window, const picture_bounds *bounds, double share,
                                  double most);

/* Fits `window` to the contacts; `whole` is the overview, which limits the magnification. */
picture_window picture_fit_detail(const picture_scene *scene, const picture_window *window,
                                  const picture_window *whole);

#define PICTURE_NOTHING UINT32_MAX

/* The frontmost face at the centre of each unit square, for some rows of a window. */
typedef struct picture_samples {
    uint32_t width, first_row, row_count;
    uint32_t *front;  /* the face, or PICTURE_NOTHING */
    double *depth;    /* its `near`, or -infinity */
    uint8_t *caps;    /* the bodies (1, 2, 3) whose cut material is in front; 0: a surface is */
    uint32_t *behind; /* scratch, for the other body */
    double *behind_depth;
} picture_samples;

/* Allocate once, then sample any rows of the window as often as needed. Release in any case. */
int picture_allocate_samples(picture_samples *samples, const picture_window *window, uint32_t row_count);
void picture_take_samples(const picture_scene *scene, const picture_window *window, uint32_t first_row,
                          picture_samples *samples);
void picture_release_samples(picture_samples *samples);

/* Calls `draw` for the parts of an edge that can be seen (or that cannot), from fraction `from` to `to` of it. The
 * samples are of the whole window. */
typedef void picture_draw_part(void *user, const double ends[2][3], double from, double to);
void picture_visible_parts(const picture_window *window, const picture_samples *samples, const double ends[2][3],
                           int hidden, picture_draw_part *draw, void *user);

/* The body of the face that hides a point, or -1 when it can be seen. */
int picture_hiding_body(const picture_scene *scene, const picture_window *window, const picture_samples *samples,
                        const double seen[3]);

/* Writes the faces as an image. `outlines`: marks depth steps, for windows without lines. */
int picture_write_image(FILE *out, const picture_scene *scene, const picture_window *whole, int outlines,
                        uint32_t background);

/* Colours, as 0xRRGGBB. */
enum {
    PICTURE_INK = 0x26303c,
    PICTURE_TEXT = 0x1d2733,
    PICTURE_PAPER = 0xfbfbfa,
    PICTURE_CONTACT = 0xb40032,
    PICTURE_MOVE = 0x0a6b35
};

uint32_t picture_body_colour(int body, int touching);             /* in full light */
uint32_t picture_cap_colour(unsigned bodies, double x, double y); /* of cut material at a place of the drawing */

#endif
