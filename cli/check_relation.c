/* What `tumble check --relation` says. */
#include <inttypes.h>

#include "check_report.h"

static tumble_answer answer_of(tumble_relation relation)
{
    return relation == TUMBLE_RELATION_APART       ? TUMBLE_NO
           : relation == TUMBLE_RELATION_UNDEFINED ? TUMBLE_MAYBE
                                                   : TUMBLE_YES;
}

void cli_relation_json(const cli_pair_report *report, const tumble_relation_result *result, size_t step)
{
    cli_json json;
    cli_json_begin_answer(&json, report, step);
    cli_json_text(&json, "relation", tumble_relation_name(result->relation));
    cli_json_bool(&json, "collide", result->surfaces_meet);
    cli_json_open_array(&json, "pairs");
    if (result->surfaces_meet) {
        cli_json_pair(&json, NULL, result->pair.polygon_a, result->pair.polygon_b);
    }
    cli_json_close_array(&json);
    cli_json_bool(&json, "closed_a", result->closed_a);
    cli_json_bool(&json, "closed_b", result->closed_b);
    cli_json_end_answer(&json, report, &result->counters);
}

/* Why there is no answer. */
static void print_reason(const cli_pair_report *report, const tumble_relation_result *result)
{
    fputs("their surfaces do not meet, and ", report->file);
    if (!result->closed_a && !result->closed_b) {
        fputs("neither of them is closed: they have no inside", report->file);
    } else {
        fprintf(report->file, "%s is not closed: it has no inside",
                result->closed_a ? report->two->names[1] : report->two->names[0]);
    }
}

static void print_explanation(const cli_pair_report *report, const tumble_relation_result *result)
{
    FILE *file = report->file;
    const tumble_pair pair = result->pair;
    switch (result->relation) {
    case TUMBLE_RELATION_APART: fputs("they have no point in common", file); break;
    case TUMBLE_RELATION_TOUCHING:
        fprintf(file,
                "polygon %" PRIu32 " of the first meets polygon %" PRIu32
                " of the second, but neither model reaches into the other",
                pair.polygon_a, pair.polygon_b);
        break;
    case TUMBLE_RELATION_CROSSING:
        if (!result->surfaces_meet) {
            fputs("parts of one lie inside the other, and parts do not", file);
            break;
        }
        fprintf(file, "polygon %" PRIu32 " of the first meets polygon %" PRIu32 " of the second", pair.polygon_a,
                pair.polygon_b);
        break;
    case TUMBLE_RELATION_A_IN_B:
        fprintf(file, "%s lies inside %s", report->two->names[0], report->two->names[1]);
        break;
    case TUMBLE_RELATION_B_IN_A:
        fprintf(file, "%s lies inside %s", report->two->names[1], report->two->names[0]);
        break;
    case TUMBLE_RELATION_UNDEFINED: print_reason(report, result); break;
    }
}

int cli_relation_text(const cli_pair_report *report, const tumble_relation_result *result)
{
    fprintf(report->file, "%s and %s: %s. That is, ", report->two->names[0], report->two->names[1],
            tumble_relation_name(result->relation));
    print_explanation(report, result);
    fputs(".\n", report->file);
    return cli_print_stats(report, &result->counters);
}

cli_step cli_relation_step(const tumble_relation_result *result)
{
    return (cli_step){.answer = answer_of(result->relation),
                      .word = tumble_relation_name(result->relation),
                      .has_pair = result->surfaces_meet,
                      .first = {result->pair.polygon_a, result->pair.polygon_b},
                      .counters = result->counters};
}

int cli_relation_text_path(const cli_pair_report *report, const cli_step *steps, size_t count)
{
    size_t free_count = 0, maybe_count = 0;
    for (size_t i = 0; i < count; i++) {
        free_count += steps[i].answer == TUMBLE_NO;
        maybe_count += steps[i].answer == TUMBLE_MAYBE;
    }
    fprintf(report->file, "%s and %s are apart at %zu of %s", report->two->names[0], report->two->names[1], free_count,
            cli_format_number_of(count, "pose", "poses").text);
    if (maybe_count) {
        fprintf(report->file, ", and at %zu that is undefined, as %s", maybe_count,
                maybe_count == 1 ? "a model is not closed" : "models are not closed");
    }
    fputs(".\n", report->file);
    return cli_check_stretches(report, 0, "polygon", steps, count);
}
