/* What `tumble check` says when it was given a budget. */
#include <inttypes.h>

#include "check_report.h"

static int has_pair(const cli_near *near)
{
    return near->result.answer == TUMBLE_YES;
}

static void json_answer(cli_json *json, tumble_answer answer)
{
    if (answer == TUMBLE_MAYBE) {
        cli_json_null(json, "collide");
    } else {
        cli_json_bool(json, "collide", answer == TUMBLE_YES);
    }
}

void cli_budget_json(const cli_pair_report *report, const cli_near *near, size_t step)
{
    const tumble_near *nearest = &near->result.nearest;
    cli_json json;
    cli_json_begin_answer(&json, report, step);
    json_answer(&json, near->result.answer);
    if (near->result.answer != TUMBLE_MAYBE && near->limit > 0) { /* else a list would say more than is known */
        cli_json_whole(&json, "pair_count", (uint64_t)has_pair(near));
        cli_json_open_array(&json, "pairs");
        if (has_pair(near)) {
            cli_json_pair(&json, NULL, nearest->polygon_a, nearest->polygon_b);
        }
        cli_json_close_array(&json);
    }
    cli_json_bounds(&json, &near->result);
    cli_json_end_answer(&json, report, &near->result.counters);
}

int cli_budget_text(const cli_pair_report *report, const cli_near *near)
{
    FILE *file = report->file;
    const tumble_answer answer = near->result.answer;
    const tumble_near *nearest = &near->result.nearest;
    const cli_word verb = cli_check_verb(answer != TUMBLE_NO, near->options.within);
    if (answer == TUMBLE_MAYBE) {
        fprintf(file, "Maybe %s and %s %s.\n", report->two->names[0], report->two->names[1], verb.text);
        cli_print_proven(file, &near->result, 1);
    } else {
        fprintf(file, "%s and %s %s", report->two->names[0], report->two->names[1], verb.text);
        if (has_pair(near)) {
            fprintf(file, ", for example polygon %" PRIu32 " of the first and polygon %" PRIu32 " of the second",
                    nearest->polygon_a, nearest->polygon_b);
        }
        fputs(".\n", file);
    }
    return cli_print_stats(report, &near->result.counters);
}

cli_step cli_budget_step(const cli_near *near)
{
    const char *yes = near->options.within > 0 ? "near" : "intersect";
    const tumble_distance_result *result = &near->result;
    return (cli_step){.answer = result->answer,
                      .word = result->answer == TUMBLE_YES  ? yes
                              : result->answer == TUMBLE_NO ? "free"
                                                            : "maybe",
                      .has_pair = has_pair(near),
                      .first = {result->nearest.polygon_a, result->nearest.polygon_b},
                      .counters = result->counters};
}

int cli_budget_text_path(const cli_pair_report *report, const cli_near *near, const cli_step *steps, size_t count)
{
    size_t hits = 0, maybes = 0;
    for (size_t i = 0; i < count; i++) {
        hits += steps[i].answer == TUMBLE_YES;
        maybes += steps[i].answer == TUMBLE_MAYBE;
    }
    fprintf(report->file, "%s and %s %s at %zu of %s", report->two->names[0], report->two->names[1],
            cli_check_verb(1, near->options.within).text, hits, cli_format_number_of(count, "pose", "poses").text);
    if (maybes) {
        fprintf(report->file, ", and maybe at %zu more, where the budget was spent", maybes);
    }
    fputs(".\n", report->file);
    return cli_check_stretches(report, 0, "polygon", steps, count);
}
