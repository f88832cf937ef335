/* A question about distances. */
#include "near.h"

#include <math.h>

#include "message.h"
#include "report.h"

int cli_near_begin(cli_near *near, tumble_context *context, const tumble_model *a, const tumble_model *b)
{
    *near = (cli_near){.context = context, .a = a, .b = b, .pose_a = tumble_pose_identity(), .limit = UINT64_MAX};
    near->options = tumble_default_distance_options();
    const tumble_status status = tumble_query_create(context, &near->query);
    return status == TUMBLE_OK ? 0 : cli_library_error(context, status, NULL);
}

void cli_near_end(cli_near *near)
{
    tumble_query_destroy(near->query);
    *near = (cli_near){.context = NULL};
}

int cli_near_run(cli_near *near, const tumble_pose *pose_b)
{
    const tumble_status status =
        tumble_distance(near->query, near->a, &near->pose_a, near->b, pose_b, &near->options, &near->result);
    if (status != TUMBLE_OK) {
        return cli_query_error(near->query, status);
    }
    const uint64_t count = near->result.pair_count < near->limit ? near->result.pair_count : near->limit;
    near->pair_count = near->result.pairs ? (size_t)count : 0;
    return 0;
}

/* ---- budgets ---- */

static const cli_option budget_options[] = {
    {.kind = CLI_NUMBER,
     .name = "budget-us",
     .argument = "N",
     .help = "the most microseconds per pose",
     .offset = offsetof(cli_budget, microseconds),
     .least = 0.001,
     .most = 1e15},
    {.kind = CLI_NUMBER,
     .name = "budget-boxes",
     .argument = "N",
     .help = "the most pairs of boxes per pose: the same answer on every machine and in every run",
     .offset = offsetof(cli_budget, boxes),
     .least = 1,
     .most = 1e15,
     .whole = 1},
    {.name = NULL}};

cli_budget cli_no_budget(void)
{
    return (cli_budget){INFINITY, INFINITY};
}

int cli_has_budget(const cli_budget *budget)
{
    return isfinite(budget->microseconds) || isfinite(budget->boxes);
}

cli_section cli_budget_section(cli_budget *budget)
{
    return (cli_section){.title = "Budget",
                         .options = budget_options,
                         .target = budget,
                         .help = "If the budget is spent before the answer is known, the answer is \"maybe\", with "
                                 "what is proven by then: bounds of the distance and of the penetration depth."};
}

void cli_set_budget(const cli_budget *budget, tumble_distance_options *out)
{
    out->budget_microseconds = isfinite(budget->microseconds) ? budget->microseconds : 0;
    out->budget_box_tests = isfinite(budget->boxes) ? (uint64_t)budget->boxes : 0;
}

/* ---- what both commands say ---- */

void cli_print_proven(FILE *file, const tumble_distance_result *result, int with_bounds)
{
    fprintf(file, "The budget was spent before %s compared.",
            cli_format_number_of(result->undecided_count, "pair of parts was", "pairs of parts were").text);
    if (with_bounds && isfinite(result->upper)) {
        fprintf(file, "\nThey are at least %.6g and at most %.6g apart.", result->lower, result->upper);
    } else if (with_bounds && result->lower > 0) {
        fprintf(file, "\nThey are at least %.6g apart.", result->lower);
    } else if (with_bounds) {
        fputs("\nNothing is proven of their distance.", file);
    }
    if (result->penetration > 0 && isfinite(result->penetration)) {
        fprintf(file,
                "\n"
                "No triangles in these parts penetrate each other by more than %.6g.",
                result->penetration);
    }
    fputc('\n', file);
}

void cli_json_bounds(cli_json *json, const tumble_distance_result *result)
{
    cli_json_real(json, "lower", result->lower);
    cli_json_real(json, "upper", result->upper);
    cli_json_real(json, "penetration", result->penetration);
    cli_json_whole(json, "undecided", result->undecided_count);
}
