/* The report's page and its data. */
#include "clash_report.h"

#include <stdlib.h>

#include "report_data.h"
#include "report_page.h"
#include "report_reduce.h"

int clash_report_has_view(void)
{
    return report_page_three_size > 0;
}

static tumble_status write_bytes(clash_report *report, const char *name, const unsigned char *bytes, size_t size)
{
    report_file out;
    const tumble_status status = report_file_open(report, name, &out);
    if (status != TUMBLE_OK) {
        return status;
    }
    fwrite(bytes, 1, size, out.file);
    return report_file_close(report, &out, status);
}

/* Of what is shown. */
static tumble_status write_data(clash_report *report, size_t all_parts, size_t all_clashes)
{
    report_files files = {.all_parts = all_parts, .all_clashes = all_clashes};
    tumble_status status = report_write_models(report, &files);
    if (status == TUMBLE_OK) {
        status = report_write_curves(report, &files);
    }
    if (status == TUMBLE_OK) {
        status = report_write_tables(report, &files);
    }
    free(files.curve_firsts);
    return status;
}

tumble_status clash_report_write_page(clash_report *report)
{
    const tumble_clash_result *full = report->result;
    report->error[0] = 0;
    tumble_status status = report_make_folder(report, "data");
    if (status == TUMBLE_OK) {
        report_reduced reduced;
        status = report_reduce(full, REPORT_MOST_PARTS, REPORT_MOST_CLASHES, &reduced);
        if (status == TUMBLE_OK) {
            report->result = &reduced.result;
            status = write_data(report, full->part_count, full->clash_count);
            report->result = full;
        }
        report_reduced_release(&reduced);
    }
    if (status == TUMBLE_OK) {
        status = report_write_saved(report);
    }
    if (status == TUMBLE_OK) {
        status = write_bytes(report, "data/three.js", report_page_three, report_page_three_size);
    }
    if (status == TUMBLE_OK && report_page_licence_size > 0) {
        status = write_bytes(report, "data/three-copyright.txt", report_page_licence, report_page_licence_size);
    }
    return status == TUMBLE_OK ? write_bytes(report, "index.html", report_page_html, report_page_html_size) : status;
}
