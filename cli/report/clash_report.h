/* The report of a clash run: a folder with a page that opens from a file manager, without a server or a network. */
#ifndef TUMBLE_CLI_CLASH_REPORT_H
#define TUMBLE_CLI_CLASH_REPORT_H

#include "tumble/clash.h"

typedef struct clash_report {
    const tumble_clash_result *result;
    const char *folder; /* it exists, and has the run's clashes.json; other files of the report are replaced */
    const char *title;  /* of the page */
    char error[600];    /* what went wrong, with the file's name */
} clash_report;

/* Writes index.html and data/ into the folder. The bytes depend on the result and the title only.
 *
 * Errors: TUMBLE_ERROR_FILE    a file cannot be read or written
 *         TUMBLE_ERROR_MEMORY */
tumble_status clash_report_write_page(clash_report *report);

/* Other formats of the same, each a file in the folder: clashes.csv, summary.txt and summary.svg;
 * clashes.ifcclash.json, as IfcClash writes it; clashes-2.1.bcf and clashes-3.0.bcf with a topic and a snapshot for
 * each group, the first 10,000 of them. Errors as above, and TUMBLE_ERROR_TOO_LARGE for an archive of more than 4 GiB.
 */
tumble_status clash_report_write_csv(clash_report *report);
tumble_status clash_report_write_summary(clash_report *report);
tumble_status clash_report_write_chart(clash_report *report);
tumble_status clash_report_write_ifcclash(clash_report *report);
tumble_status clash_report_write_bcf(clash_report *report);

/* Whether the command was built with three.js: without it the page has all lists, but no view in three dimensions. */
int clash_report_has_view(void);

#endif
