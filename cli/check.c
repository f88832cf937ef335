/* tumble check: do two models intersect, and where? How close are they, and is one inside the other? */
#include "check.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "commands.h"
#include "message.h"

static const cli_choice surface_questions[] = {{"first", CHECK_FIRST_SURFACES, "one pair, whichever is found first"},
                                               {"all", CHECK_ALL_SURFACES, "all pairs, each with one pair of polygons"},
                                               {NULL, 0, NULL}};

static const cli_option question_options[] = {
    {.kind = CLI_FLAG,
     .name = "all",
     .help = "all intersecting pairs of polygons (this is the default)",
     .offset = offsetof(check_settings, mode),
     .value = TUMBLE_ALL},
    {.kind = CLI_FLAG,
     .name = "count",
     .help = "how many pairs intersect, without a list",
     .offset = offsetof(check_settings, mode),
     .value = TUMBLE_COUNT},
    {.kind = CLI_FLAG,
     .name = "first",
     .help = "one intersecting pair, whichever is found first; faster",
     .offset = offsetof(check_settings, mode),
     .value = TUMBLE_FIRST},
    {.kind = CLI_FLAG,
     .name = "test",
     .help = "only whether they intersect; fastest",
     .offset = offsetof(check_settings, mode),
     .value = TUMBLE_TEST},
    {.kind = CLI_CHOICE,
     .name = "surfaces",
     .argument = "W",
     .help = "pairs of surfaces instead, each with one pair of polygons. With --all the polygons as well",
     .offset = offsetof(check_settings, surfaces),
     .choices = surface_questions},
    {.kind = CLI_NUMBER,
     .name = "clearance",
     .argument = "D",
     .help = "polygons within D of each other count as intersecting, in all of these questions. Much faster than "
             "'tumble distance'",
     .offset = offsetof(check_settings, clearance),
     .least = 0,
     .most = INFINITY,
     .show_default = 1},
    {.kind = CLI_FLAG,
     .name = "relation",
     .help = "the spatial relation of the solids: apart, touching, crossing, a-in-b, b-in-a; undefined if their "
             "surfaces do not meet and an open one might contain the other",
     .offset = offsetof(check_settings, relation),
     .value = 1},
    {.kind = CLI_FLAG,
     .name = "segments",
     .help = "also where the triangles of each listed pair meet: the two ends of a segment, or a point of a common "
             "plane; with --clearance the closest points of those that do not",
     .offset = offsetof(check_settings, segments),
     .value = 1},
    {.kind = CLI_FLAG,
     .name = "regions",
     .help = "the curves along which the surfaces meet, closed or open, and which of them are connected: their points, "
             "lengths, boxes and mean normals",
     .offset = offsetof(check_settings, regions),
     .value = 1},
    {.kind = CLI_FLAG,
     .name = "self",
     .help = "one model, A, with itself: which of its polygons have a common point outside of the corners and edges "
             "that they share. 'tumble check --self --help' shows what else it takes",
     .offset = offsetof(check_settings, self),
     .value = 1},
    {.kind = CLI_FLAG,
     .name = "soup",
     .help = "with --self: what polygons share does not matter, and neighbours are reported too",
     .offset = offsetof(check_settings, soup),
     .value = 1},
    {.kind = CLI_NUMBER,
     .name = "rings",
     .argument = "K",
     .help = "with --self and --clearance: neighbours are not too close, up to K steps from corner to corner",
     .offset = offsetof(check_settings, rings),
     .least = 0,
     .most = 1000000,
     .whole = 1,
     .show_default = 1},
    {.kind = CLI_FLAG,
     .name = "continuous",
     .help = "with --poses: contacts at every time of the path, not only at its poses. Time counts poses: 3.25 is a "
             "quarter of the way from pose 3 to pose 4. There B's origin moves on a line, and B turns the short way "
             "about one axis, both at constant speed",
     .offset = offsetof(check_settings, continuous),
     .value = 1},
    {.kind = CLI_NUMBER,
     .name = "tolerance",
     .argument = "T",
     .help = "with --continuous: how exactly begin and end of contacts are told, in that time; free stretches that are "
             "shorter may be left out",
     .offset = offsetof(check_settings, tolerance),
     .least = 1e-9,
     .most = 1,
     .show_default = 1},
    {.name = NULL}};

static const char description[] =
    CLI_MODEL_DESCRIPTION "The surfaces are compared exactly: touching in one point is an intersection. Polygons are "
                          "numbered from 0 in the order of the file.";

static const char examples[] =
    "tumble check housing.obj part.stl\n"
    "tumble check housing.obj part.stl --turn-b \"z 90\" --move-b \"12.5 0 0\" --segments\n"
    "tumble check housing.obj part.stl --pose-b \"1 0 0 12.5  0 1 0 0  0 0 1 0\"\n"
    "tumble check housing.obj part.stl --surfaces all\n"
    "tumble check housing.tumble part.tumble --poses path.txt --first --json -o result.jsonl\n"
    "tumble check housing.obj part.stl --clearance 0.5 --segments\n"
    "tumble check housing.obj part.stl --picture contact.png --section \"x 0\"\n"
    "tumble check housing.obj part.stl --poses path.txt --plot pairs.svg\n"
    "tumble check housing.obj part.stl --poses path.txt --continuous --clearance 0.5\n"
    "tumble check scan.stl --self --picture places.png\n"
    "tumble check housing.obj part.stl --regions --json\n"
    "tumble check box.obj ball.obj --relation\n"
    "tumble check housing.obj part.stl --poses path.txt --budget-us 100\n"
    "tumble make poses housing.obj part.stl --count 100000 -o poses.txt\n"
    "tumble check housing.obj part.stl --poses poses.txt --count --device opencl";

static const char exit_status_text[] = "0  no intersection at any pose (with --clearance: nothing that close)\n"
                                       "1  an intersection at some pose; with --relation anything in common\n"
                                       "2  an error; stderr says what to do\n"
                                       "3  neither is known: the budget was spent, or the relation is undefined";

/* ---- running ---- */

static int refuse(void *run)
{
    check_run *check = run;
    check->common.options.two.load.surfaces.wanted = check->settings.surfaces != CHECK_NO_SURFACES;
    const int error = cli_check_rules(check);
    return error || !check->settings.device.device ? error
                                                   : cli_find_device(&check->settings.device, &check->device.number);
}

static int prepare(void *run)
{
    check_run *check = run;
    cli_comparison *common = &check->common;
    check->question = cli_check_question(check);
    common->report.uncounted = check->settings.device.device != NULL;
    common->own_progress = check->settings.device.device != NULL;
    const int error = check->question->prepare(check);
    const cli_drawing_options *drawings = &common->options.drawings;
    if (!error && common->options.two.poses && (!common->options.output.json || drawings->plot || drawings->picture)) {
        check->steps = calloc(common->two.path.count, sizeof *check->steps);
        return check->steps ? 0 : cli_memory_error("the steps");
    }
    return error;
}

static int ask(void *run, size_t step)
{
    check_run *check = run;
    check->device.progress = check->common.progress;
    const int error = check->question->ask(check, &check->common.two.path.poses[step]);
    if (error) {
        return error;
    }
    const cli_step answer = check->question->step(check);
    check->common.seen[answer.answer] = 1;
    if (check->common.options.output.json && check->question->json) {
        check->question->json(check, step);
    }
    if (check->steps) {
        check->steps[step] = answer;
    }
    return 0;
}

static int finish(void *run)
{
    const check_run *check = run;
    cli_device_note_retries(&check->device);
    if (!check->common.options.output.json) {
        return check->steps ? check->question->text_path(check) : check->question->text(check);
    }
    if (check->question->json_end) {
        check->question->json_end(check);
    }
    return 0;
}

static int draw(void *run)
{
    return cli_check_draw(run);
}

static void clean_up(void *run)
{
    check_run *check = run;
    cli_device_close(&check->device);
    cli_batches_end(&check->batches);
    cli_collide_end(&check->collide);
    cli_near_end(&check->near);
    cli_continuous_end(&check->continuous);
    tumble_query_destroy(check->query);
    cli_surface_path_free(&check->surface_path);
    free(check->steps);
}

static const cli_compare_command command = {.name = "check",
                                            .purpose = "finds whether and where two models intersect",
                                            .description = description,
                                            .examples = examples,
                                            .exit_status = exit_status_text,
                                            .label = "checking",
                                            .refuse = refuse,
                                            .prepare = prepare,
                                            .ask = ask,
                                            .finish = finish,
                                            .draw = draw,
                                            .clean_up = clean_up};

int cli_check(const char *program, int argc, char **argv)
{
    (void)program;
    check_run check = {.settings.mode = CHECK_NO_MODE, .settings.rings = 1, .settings.tolerance = CHECK_TOLERANCE};
    const cli_section question = {.title = "Question", .options = question_options, .target = &check.settings};
    if (cli_check_is_self(argc, argv)) {
        return cli_check_self(&check.settings, &question, argc, argv);
    }
    cli_section device = cli_device_section(&check.settings.device);
    device.help = "Many checks at once, by threads or on a graphics processor. --stats then adds the device's times, "
                  "in JSON as a last line.";
    const cli_section own[] = {question,
                               device,
                               cli_drawing_section(&check.common.options.drawings),
                               cli_view_section(&check.common.options.drawings.view),
                               cli_surface_section(&check.common.options.two.load.surfaces),
                               {.title = NULL}};
    cli_compare_begin(&check.common, own, CLI_ASKS_COLLISIONS);
    return cli_compare(&check.common, &command, &check, argc, argv);
}
