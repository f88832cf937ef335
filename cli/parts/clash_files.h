/* tumble clash: reading one file of any format that holds parts. */
#ifndef TUMBLE_CLI_CLASH_FILES_H
#define TUMBLE_CLI_CLASH_FILES_H

#include "clash.h"

/* Adds the parts of a file, which is no list. The text `path` must live as long as the assembly. Returns 0, or an exit
 * status after reporting the error. */
int cli_clash_read_file(clash_run *run, const char *path);

/* What the unit and the axes of a file are turned into, as a transform of three rows; files that disagree are an
 * error. */
int cli_clash_place(clash_run *run, const char *path, const cli_frame *stated, double transform[12]);

#endif
