/* tumble separate: how far must two models be moved to part them, and where to? */
#include "separate.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "commands.h"
#include "message.h"

enum {
    MOST_DIRECTIONS = 1000 /* what the library tries at most */
};

static const cli_option question_options[] = {
    {.kind = CLI_TEXT,
     .name = "along",
     .argument = "\"X Y Z\"",
     .help = "moves B along this direction only, which may be of any length: the least such move, exactly. By default "
             "in any direction, for which both models must be closed",
     .offset = offsetof(cli_separate_settings, along)},
    {.kind = CLI_FLAG,
     .name = "touching",
     .help = "the models may touch each other after the move",
     .offset = offsetof(cli_separate_settings, touching),
     .value = 1},
    {.kind = CLI_NUMBER,
     .name = "within",
     .argument = "D",
     .help = "longer moves do not count: faster",
     .offset = offsetof(cli_separate_settings, within),
     .least = 0,
     .most = INFINITY},
    {.kind = CLI_NUMBER,
     .name = "enough",
     .argument = "D",
     .help = "a move that is not longer is as good as the shortest one: faster",
     .offset = offsetof(cli_separate_settings, enough),
     .least = 0,
     .most = INFINITY,
     .show_default = 1},
    {.kind = CLI_NUMBER,
     .name = "directions",
     .argument = "N",
     .help = "how many directions are tried without --along: more may find a shorter move",
     .offset = offsetof(cli_separate_settings, directions),
     .least = 1,
     .most = MOST_DIRECTIONS,
     .whole = 1,
     .show_default = 1},
    {.name = NULL}};

static const char description[] = CLI_MODEL_DESCRIPTION
    "Finds a translation of B that parts two models which cross or contain each other; after it "
    "they are apart, which is proven. The depth, the length of the shortest such move, is between "
    "two proven bounds; along a given direction it is exact. B may jump over A: the least move "
    "is asked for, not the way there.";

static const char examples[] = "tumble separate housing.obj part.stl\n"
                               "tumble separate housing.obj part.stl --along \"0 0 1\" --json\n"
                               "tumble separate housing.obj part.stl --touching --picture move.png\n"
                               "tumble separate housing.obj part.stl --poses path.txt --plot depth.svg\n"
                               "tumble separate housing.obj part.stl --within 0.1 --enough 0.1";

static const char exit_status_text[] = "0  no move is needed at any pose: apart; with --touching: they touch at most\n"
                                       "1  at some pose they must be moved\n"
                                       "2  an error; stderr says what to do\n"
                                       "3  unknown: the budget was spent";

/* ---- the question ---- */

static int parse_direction(cli_separate_run *run)
{
    double *direction = run->options.direction;
    if (!run->settings.along) {
        return 0;
    }
    if (cli_scan_numbers(run->settings.along, direction, 3) != 3) {
        return cli_error("--along '%s' is not a direction: give three numbers", run->settings.along);
    }
    if (direction[0] == 0 && direction[1] == 0 && direction[2] == 0) {
        return cli_error("--along '%s' has no direction: give a number that is not 0", run->settings.along);
    }
    return 0;
}

static int refuse(void *data)
{
    cli_separate_run *run = data;
    const cli_compare_options *options = &run->common.options;
    run->options = tumble_default_separate_options();
    if (options->two.coherence) {
        return cli_error("--coherence is for 'tumble check' and 'tumble distance': leave it out");
    }
    if (isfinite(options->output.limit) && (!options->two.poses || options->output.json)) {
        return cli_error("--limit is for the table of a path: give --poses without --json, or leave --limit out");
    }
    const int error = parse_direction(run);
    return error ? error : cli_check_drawings(&options->drawings, options->two.poses != NULL);
}

static int prepare(void *data)
{
    cli_separate_run *run = data;
    const cli_compare_options *options = &run->common.options;
    const tumble_status status = tumble_query_create(run->common.two.context, &run->query);
    if (status != TUMBLE_OK) {
        return cli_library_error(run->common.two.context, status, NULL);
    }
    tumble_distance_options budget;
    cli_set_budget(&options->budget, &budget);
    run->options.budget_microseconds = budget.budget_microseconds;
    run->options.budget_box_tests = budget.budget_box_tests;
    run->options.budget_directions = (uint32_t)run->settings.directions;
    run->options.touching = run->settings.touching != 0;
    run->options.within = run->settings.within;
    run->options.enough = run->settings.enough;
    if (!options->output.json || options->drawings.plot || options->drawings.picture) {
        run->steps = calloc(run->common.two.path.count, sizeof *run->steps);
        return run->steps ? 0 : cli_memory_error("the steps");
    }
    return 0;
}

static int ask(void *data, size_t step)
{
    cli_separate_run *run = data;
    const cli_two_models *two = &run->common.two;
    const tumble_status status = tumble_separate(run->query, two->models[0], &two->pose_a, two->models[1],
                                                 &two->path.poses[step], &run->options, &run->result);
    if (status != TUMBLE_OK) {
        return cli_query_error(run->query, status);
    }
    run->common.seen[cli_separate_answer(run, &run->result)] = 1;
    if (run->steps) {
        run->steps[step] = run->result;
    }
    if (run->common.options.output.json) {
        cli_separate_json(run, step);
    }
    return 0;
}

static int finish(void *data)
{
    const cli_separate_run *run = data;
    return run->common.options.output.json ? 0 : cli_separate_text(run);
}

static int draw(void *data)
{
    return cli_separate_draw(data);
}

static void clean_up(void *data)
{
    cli_separate_run *run = data;
    tumble_query_destroy(run->query);
    free(run->steps);
}

static const cli_compare_command command = {.name = "separate",
                                            .purpose = "finds how far two models must be moved to part them",
                                            .description = description,
                                            .examples = examples,
                                            .exit_status = exit_status_text,
                                            .label = "parting",
                                            .refuse = refuse,
                                            .prepare = prepare,
                                            .ask = ask,
                                            .finish = finish,
                                            .draw = draw,
                                            .clean_up = clean_up};

int cli_separate(const char *program, int argc, char **argv)
{
    (void)program;
    const tumble_separate_options defaults = tumble_default_separate_options();
    cli_separate_run run = {.settings.within = INFINITY, .settings.directions = defaults.budget_directions};
    const cli_section own[] = {{.title = "Question", .options = question_options, .target = &run.settings},
                               cli_drawing_section(&run.common.options.drawings),
                               cli_view_section(&run.common.options.drawings.view),
                               {.title = NULL}};
    cli_compare_begin(&run.common, own, CLI_ASKS_NOTHING);
    return cli_compare(&run.common, &command, &run, argc, argv);
}
