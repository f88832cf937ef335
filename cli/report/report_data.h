/* The files of a report's data folder, which its page loads as scripts: web/report/README.md describes them. */
#ifndef TUMBLE_CLI_REPORT_DATA_H
#define TUMBLE_CLI_REPORT_DATA_H

#include "report_file.h"

/* How many bytes of geometry or of contact curves one file holds, about; one item may be longer. */
#define REPORT_FILE_BYTES ((size_t)4 << 20)

/* What the tables say about the other files. */
typedef struct report_files {
    uint32_t model_count, curve_count;
    uint32_t *curve_firsts;        /* of each file of curves the first clash in it; to be freed */
    size_t all_parts, all_clashes; /* of the run; the tables have fewer if these are very many */
} report_files;

tumble_status report_write_models(clash_report *report, report_files *files);
tumble_status report_write_curves(clash_report *report, report_files *files);

/* What clashes.json holds, compressed, for the page to put statuses into. */
tumble_status report_write_saved(clash_report *report);

/* Parts, rules, groups and clashes. */
tumble_status report_write_tables(clash_report *report, const report_files *files);

#endif
