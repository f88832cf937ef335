/* Writes a sample's report, for the browser's tests: clash_sample FOLDER [PARTS CLASHES] */
#include <stdio.h>
#include <stdlib.h>

#include "clash_report.h"
#include "clash_sample.h"

static int write_report(clash_sample *sample, const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/clashes.json", folder);
    clash_report report = {.result = clash_sample_result(sample), .folder = folder, .title = "Plant"};
    if (!clash_sample_write_json(sample, path) || clash_report_write_page(&report) != TUMBLE_OK ||
        clash_report_write_csv(&report) != TUMBLE_OK || clash_report_write_summary(&report) != TUMBLE_OK ||
        clash_report_write_chart(&report) != TUMBLE_OK || clash_report_write_ifcclash(&report) != TUMBLE_OK ||
        (clash_sample_result(sample)->group_count < 100 && clash_report_write_bcf(&report) != TUMBLE_OK)) {
        fprintf(stderr, "clash_sample: %s\n", report.error);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 2 && argc != 4) {
        fputs("usage: clash_sample FOLDER [PARTS CLASHES]\n", stderr);
        return 2;
    }
    tumble_context *context;
    if (tumble_context_create(NULL, &context) != TUMBLE_OK) {
        return 1;
    }
    clash_sample *sample = argc == 2 ? clash_sample_plant(context)
                                     : clash_sample_many(context, (uint32_t)atoi(argv[2]), (uint32_t)atoi(argv[3]));
    const int status = sample ? write_report(sample, argv[1]) : 1;
    if (sample) {
        clash_sample_destroy(sample);
    }
    tumble_context_destroy(context);
    return status;
}
