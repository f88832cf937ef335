/* tumble clash: the report's page and other formats. */
#include "clash.h"
#include "clash_report.h"
#include "message.h"

typedef tumble_status report_writer(clash_report *report);

static tumble_status write_all(const clash_settings *settings, clash_report *report)
{
    report_writer *const writers[] = {clash_report_write_page,
                                      clash_report_write_csv,
                                      clash_report_write_summary,
                                      clash_report_write_chart,
                                      settings->ifcclash ? clash_report_write_ifcclash : NULL,
                                      settings->bcf ? clash_report_write_bcf : NULL};
    tumble_status status = TUMBLE_OK;
    for (size_t i = 0; i < sizeof writers / sizeof *writers && status == TUMBLE_OK; i++) {
        status = writers[i] ? writers[i](report) : TUMBLE_OK;
    }
    return status;
}

int cli_clash_write_formats(const clash_run *run)
{
    clash_report report = {
        .result = tumble_clashes_result(run->clashes), .folder = run->settings->folder, .title = run->title};
    const tumble_status status = write_all(run->settings, &report);
    if (status == TUMBLE_ERROR_FILE) {
        return cli_error("%s: choose another folder", report.error);
    }
    if (status != TUMBLE_OK) {
        return status == TUMBLE_ERROR_MEMORY ? cli_memory_error("the report")
                                             : cli_library_error(run->context, status, "the report");
    }
    if (!clash_report_has_view()) {
        cli_note("the report has no view in three dimensions: this program was built without three.js (libjs-three)");
    }
    return 0;
}
