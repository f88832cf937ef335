/* Drawings as files: SVG, or PNG made from it. */
#ifndef TUMBLE_CLI_DRAWING_H
#define TUMBLE_CLI_DRAWING_H

#include <stdio.h>

/* Rejects a name that ends in neither .svg nor .png, or whose folder cannot be written to. `option` is where it comes
 * from; a NULL path is fine. Returns 0 or an exit status after reporting the error, as the next one does. */
int cli_drawing_check(const char *path, const char *option);

/* Writes SVG to `file`; returns 0 or an exit status. */
typedef int cli_draw(void *user, FILE *file);

/* The file is there, complete, or not at all. */
int cli_drawing_write(const char *path, cli_draw *draw, void *user);

#endif
