/* Files of a report's folder. Each appears complete or not at all. */
#ifndef TUMBLE_CLI_REPORT_FILE_H
#define TUMBLE_CLI_REPORT_FILE_H

#include <stdio.h>

#include "clash_report.h"

typedef struct report_file {
    FILE *file;
    char *path, *temporary;
} report_file;

/* `name` is relative to the folder. On failure report->error says why, and there is nothing to close. */
tumble_status report_file_open(clash_report *report, const char *name, report_file *out);

/* Ends the file, which then has its name, unless `status`, the state of what was written, is an error: it is returned,
 * and there is no file. */
tumble_status report_file_close(clash_report *report, report_file *file, tumble_status status);

/* A folder in the report's folder, unless it exists. */
tumble_status report_make_folder(clash_report *report, const char *name);

/* The whole file, to be freed. */
tumble_status report_read_file(clash_report *report, const char *name, unsigned char **bytes, size_t *size);

/* "out/data/report.js: <what>: No space left on device"; returns TUMBLE_ERROR_FILE. */
tumble_status report_file_error(clash_report *report, const char *path, const char *what);

#endif
