/* A picture of two models and of where they touch, as SVG. */
#ifndef TUMBLE_CLI_PICTURE_H
#define TUMBLE_CLI_PICTURE_H

#include <stdio.h>

#include "tumble/tumble.h"

/* What is shown. Members that are null or 0 have a sensible meaning, so `cli_picture p = {.a = ..., .b = ...}` is
 * enough. */
typedef struct cli_picture {
    const tumble_model *a, *b;
    const tumble_pose *pose_a, *pose_b;
    const tumble_contact *contacts; /* drawn on top, in the frame of the poses */
    size_t contact_count;
    /* Not null: the contacts are not where the models meet but the shortest way between them, and this is its length.
     */
    const char *gap;
    int whole; /* never cut A open. Else, when B stands in A, the half of A that hides the contacts is left out */
    const char *title, *caption;
    const char *name_a, *name_b; /* for the legend */
} cli_picture;

/* Writes 1600 x 1200 units: an oblique view with z up, and an enlargement of the place of contact. At most about 3 MB,
 * however large the models are. TUMBLE_ERROR_MEMORY, TUMBLE_ERROR_FILE (the stream's error flag is set), or what the
 * models say. */
tumble_status cli_picture_write(tumble_context *context, FILE *out, const cli_picture *picture);

#endif
