/* What the answers about two models have in common. */
#include "pair_report.h"

#include "report.h"

static void json_input(cli_json *json, const char *key, const cli_two_models *two, int which)
{
    cli_json_open_object(json, key);
    cli_json_text(json, "file", two->files[which]);
    cli_json_whole(json, "polygons", two->polygon_counts[which]);
    cli_json_close_object(json);
}

void cli_json_inputs(cli_json *json, const cli_two_models *two)
{
    json_input(json, "a", two, 0);
    json_input(json, "b", two, 1);
}

void cli_json_begin_answer(cli_json *json, const cli_pair_report *report, size_t step)
{
    *json = (cli_json){.file = report->file};
    cli_json_open_object(json, NULL);
    if (report->along_path) {
        cli_json_whole(json, "step", step);
    }
    cli_json_inputs(json, report->two);
}

void cli_json_end_answer(cli_json *json, const cli_pair_report *report, const tumble_counters *counters)
{
    cli_json_text(json, "hierarchy", report->two->hierarchy);
    if (!report->uncounted) {
        cli_json_counters(json, "stats", counters);
    }
    cli_json_close_object(json);
}

int cli_print_stats(const cli_pair_report *report, const tumble_counters *counters)
{
    if (!report->stats || report->uncounted) {
        return 0;
    }
    fputc('\n', report->file);
    return cli_print_counters(report->file, counters);
}
