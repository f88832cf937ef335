/* tumble clash: the parts that a list names, in their places. */
#ifndef TUMBLE_CLI_LIST_LOAD_H
#define TUMBLE_CLI_LIST_LOAD_H

#include "clash.h"

/* By the ending of its name: .csv or .json. */
int cli_is_part_list(const char *path);

/* Adds the parts of all files of a list. Each file is read once, however often it is named. Returns 0, or an exit
 * status after reporting the error. */
int cli_load_part_list(clash_run *run, const char *path);

#endif
