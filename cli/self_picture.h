/* The picture of where a model intersects itself. */
#ifndef TUMBLE_CLI_SELF_PICTURE_H
#define TUMBLE_CLI_SELF_PICTURE_H

#include "one_model.h"
#include "picture.h"

typedef struct cli_self_picture {
    const cli_one_model *one;
    tumble_self_options options; /* the question: its mode and contacts are set by the drawing */
    cli_picture_view view;
} cli_self_picture;

/* Asks for all contacts and draws them, into a file whose name ends in .svg or .png. Returns 0 or an exit status after
 * reporting the error. */
int cli_self_picture_write(const char *path, cli_self_picture *picture);

#endif
