/* Files that no reader can help with, told by their names or first bytes, and what to do about them. */
#ifndef TUMBLE_CLI_FOREIGN_H
#define TUMBLE_CLI_FOREIGN_H

#include "tumble/base.h"

/* Reports such a file and returns an exit status; 0: it may be a mesh. */
int cli_refuse_foreign(tumble_context *context, const char *path);

/* The ending of a name after the last dot, in lower case and cut to fit; empty when there is none. */
typedef struct cli_ending {
    char text[16];
} cli_ending;
cli_ending cli_ending_of(const char *path);

#endif
