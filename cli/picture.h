/* A picture of two models and of where they touch, as SVG. */
#ifndef TUMBLE_CLI_PICTURE_H
#define TUMBLE_CLI_PICTURE_H

#include <stdio.h>

#include "tumble/tumble.h"

/* What the contacts of a picture are. */
typedef enum cli_picture_subject {
    CLI_PICTURE_CONTACTS,  /* where the models intersect */
    CLI_PICTURE_CLEARANCE, /* where they are closer than a clearance, or intersect */
    CLI_PICTURE_GAP        /* one: the shortest way between models that do not intersect */
} cli_picture_subject;

typedef enum cli_picture_cut {
    CLI_PICTURE_CUT_AS_NEEDED, /* a model that hides the contacts is cut open */
    CLI_PICTURE_CUT_NEVER,
    CLI_PICTURE_CUT_SECTION /* both models are cut by `section` */
} cli_picture_cut;

/* The viewpoint. All zeros: chosen so that the contacts are visible. */
typedef struct cli_picture_view {
    double toward[3]; /* from the models to the viewer */
    int upright;      /* `toward` is relative to a frame whose z is `up` and whose x is close to x */
    double up[3];     /* zeros: z */
    cli_picture_cut cut;
    double section[4]; /* a plane: section[0]*x + section[1]*y + section[2]*z = section[3]. The side of the viewer is
                          cut away; of a plane that is seen edge on the side to which (section[0], [1], [2]) points */
} cli_picture_view;

/* What is shown. Members that are null or 0 have a sensible meaning, so `cli_picture p = {.a = ..., .b = ...}` is
 * enough. */
typedef struct cli_picture {
    const tumble_model *a, *b;
    int alone; /* A with itself: B is empty, and the contacts' polygons are all of A */
    const tumble_pose *pose_a, *pose_b;
    const tumble_contact *contacts; /* drawn on top, in the frame of the poses */
    size_t contact_count;
    cli_picture_subject subject;
    const char *distance; /* in words: the clearance, or the length of the gap or of the move */
    const double *move;   /* an arrow from the middle of the contacts, or of B if there are none: a translation of B */
    cli_picture_view view;
    const char *title, *caption;
    const char *name_a, *name_b; /* for the legend */
} cli_picture;

/* Writes 1600 x 1200 units: both models, and an enlargement of the place of contact where that shows more. At most
 * about 3 MB, however large the models are; the same bytes for the same models. TUMBLE_ERROR_MEMORY, TUMBLE_ERROR_FILE
 * (the stream's error flag is set), or what the models say. */
tumble_status cli_picture_write(FILE *out, const cli_picture *picture);

#endif
