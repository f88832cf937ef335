/* The files that a command line names: which are read, which are written, and that these do not get in each other's
 * way. */
#ifndef TUMBLE_CLI_FILES_H
#define TUMBLE_CLI_FILES_H

#include <stddef.h>
#include <stdio.h>

typedef struct cli_file_use {
    const char *what; /* "model A", "--poses" */
    const char *path; /* NULL: not given */
} cli_file_use;

typedef struct cli_file_uses {
    cli_file_use inputs[3];
    cli_file_use outputs[3];
} cli_file_uses;

/* Refuses an output that is also an input, under whatever name, two outputs that are one file, and standard input that
 * is to be read twice. To be asked before any work. Returns 0 or an exit status after reporting the error. */
int cli_check_files(const cli_file_uses *uses);

/* For commands that write their result to a file only: refuses "-". */
int cli_check_result_file(const char *path, const char *what);

/* "-" is standard input. */
int cli_is_standard_input(const char *path);

/* What a file is called in texts: its path, or "standard input". */
const char *cli_file_name(const char *path);

/* A path under which the library can read the file, also more than once: for standard input, a copy of what it holds
 * that vanishes with the program. Messages still say "standard input". Returns 0 or an exit status. */
int cli_readable_path(const char *path, const char **out);

/* Opens a text file or standard input for reading, without a copy; `what` is what it should hold. NULL: the error was
 * reported. */
FILE *cli_open_text(const char *path, const char *what);
void cli_close_text(FILE *file);

#endif
