/* The report's page and its data. */
#include "clash_report.h"

#include <stdlib.h>

#include "report_data.h"
#include "report_page.h"

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

tumble_status clash_report_write_page(clash_report *report)
{
    report_files files = {0};
    report->error[0] = 0;
    tumble_status status = report_make_folder(report, "data");
    if (status == TUMBLE_OK) {
        status = report_write_models(report, &files);
    }
    if (status == TUMBLE_OK) {
        status = report_write_curves(report, &files);
    }
    if (status == TUMBLE_OK) {
        status = report_write_saved(report);
    }
    if (status == TUMBLE_OK) {
        status = report_write_tables(report, &files);
    }
    if (status == TUMBLE_OK) {
        status = write_bytes(report, "data/three.js", report_page_three, report_page_three_size);
    }
    if (status == TUMBLE_OK && report_page_licence_size > 0) {
        status = write_bytes(report, "data/three-copyright.txt", report_page_licence, report_page_licence_size);
    }
    if (status == TUMBLE_OK) {
        status = write_bytes(report, "index.html", report_page_html, report_page_html_size);
    }
    free(files.curve_firsts);
    return status;
}
