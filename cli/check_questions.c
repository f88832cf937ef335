/* The questions of 'tumble check': collisions, by a query or on a device, the relation, and what a budget allows. */
#include "check.h"
#include "message.h"

/* Lists that nobody will see are not requested: along a path, text only has the number of pairs of polygons, and which
 * surfaces intersect somewhere. */
static uint64_t limit_of(const check_run *check)
{
    const check_settings *settings = &check->settings;
    const int is_text_path = check->common.options.two.poses && !check->common.options.output.json;
    if (settings->mode == TUMBLE_COUNT || settings->mode == TUMBLE_TEST) {
        return 0;
    }
    return !is_text_path ? cli_limit_of(&check->common.options.output) : settings->surfaces ? UINT64_MAX : 0;
}

static tumble_mode mode_of(const check_settings *settings, uint64_t limit)
{
    if (settings->surfaces == CHECK_FIRST_SURFACES) {
        return TUMBLE_FIRST;
    }
    if (settings->surfaces == CHECK_ALL_SURFACES) {
        return settings->mode == TUMBLE_ALL ? TUMBLE_ALL : TUMBLE_SURFACES;
    }
    const tumble_mode mode = settings->mode == CHECK_NO_MODE ? TUMBLE_ALL : (tumble_mode)settings->mode;
    return mode == TUMBLE_ALL && limit == 0 ? TUMBLE_COUNT : mode;
}

static int prepare_collide(check_run *check)
{
    const check_settings *settings = &check->settings;
    const cli_two_models *two = &check->common.two;
    cli_collide *collide = &check->collide;
    const int error = cli_collide_begin(collide, two->context, two->models[0], two->models[1]);
    if (error) {
        return error;
    }
    collide->pose_a = two->pose_a;
    collide->limit = limit_of(check);
    collide->options.mode = mode_of(settings, collide->limit);
    collide->options.want_surfaces = settings->surfaces != CHECK_NO_SURFACES;
    collide->lists_pairs = settings->surfaces == CHECK_NO_SURFACES || settings->mode == TUMBLE_ALL;
    collide->options.want_contacts = settings->segments != 0;
    collide->options.clearance = settings->clearance;
    collide->options.coherence = cli_coherence(&check->common.options.two, TUMBLE_COHERENCE_NONE);
    check->tuning = cli_tuning(&check->common.options.two.load, CLI_ROLE_NONE);
    collide->options.tuning = &check->tuning;
    collide->names_none = settings->mode == TUMBLE_TEST;
    collide->counts_only = settings->mode == TUMBLE_COUNT;
    return 0;
}

static int ask_collide(check_run *check, const tumble_pose *pose_b)
{
    const int error = cli_collide_run(&check->collide, pose_b);
    const int keeps = check->settings.surfaces && check->steps;
    return error || !keeps ? error : cli_surface_path_add(&check->surface_path, &check->collide);
}

static cli_step collide_step(const check_run *check)
{
    return cli_check_step(&check->collide);
}

static void collide_json(const check_run *check, size_t step)
{
    cli_check_json(&check->common.report, &check->collide, step);
}

static int collide_text(const check_run *check)
{
    return cli_check_text(&check->common.report, &check->collide);
}

static int collide_text_path(const check_run *check)
{
    const cli_pair_report *report = &check->common.report;
    const int error = cli_check_text_path(report, &check->collide, check->steps, check->common.two.path.count);
    return error || !check->settings.surfaces ? error : cli_surface_path_print(report, &check->surface_path);
}

static int prepare_device(check_run *check)
{
    const check_settings *settings = &check->settings;
    cli_collide *collide = &check->collide;
    int error = prepare_collide(check);
    error = error ? error
                  : cli_device_open(&check->device, check->common.two.context, &settings->device,
                                    (uint32_t)check->common.options.two.load.threads, check->common.two.models);
    return error ? error : cli_batches_begin(&check->batches, &check->device, &check->common.two.path, collide);
}

/* The batches know the poses. */
static int ask_device(check_run *check, const tumble_pose *pose_b)
{
    (void)pose_b;
    return cli_batches_next(&check->batches, &check->collide);
}

static void device_json_end(const check_run *check)
{
    if (check->common.report.stats) {
        cli_device_json(check->common.report.file, &check->device);
    }
}

static int device_work(const check_run *check)
{
    return cli_device_text(check->common.report.file, &check->device, check->common.report.stats);
}

static int device_text(const check_run *check)
{
    const int error = collide_text(check);
    return error ? error : device_work(check);
}

static int device_text_path(const check_run *check)
{
    const int error = collide_text_path(check);
    return error ? error : device_work(check);
}

static int prepare_relation(check_run *check)
{
    const tumble_status status = tumble_query_create(check->common.two.context, &check->query);
    return status == TUMBLE_OK ? 0 : cli_library_error(check->common.two.context, status, NULL);
}

static int ask_relation(check_run *check, const tumble_pose *pose_b)
{
    const cli_two_models *two = &check->common.two;
    const tumble_status status =
        tumble_relate(check->query, two->models[0], &two->pose_a, two->models[1], pose_b, &check->relation);
    return status == TUMBLE_OK ? 0 : cli_query_error(check->query, status);
}

static cli_step relation_step(const check_run *check)
{
    return cli_relation_step(&check->relation);
}

static void relation_json(const check_run *check, size_t step)
{
    cli_relation_json(&check->common.report, &check->relation, step);
}

static int relation_text(const check_run *check)
{
    return cli_relation_text(&check->common.report, &check->relation);
}

static int relation_text_path(const check_run *check)
{
    return cli_relation_text_path(&check->common.report, check->steps, check->common.two.path.count);
}

/* Are they closer than the clearance: a distance that is found out no further than that takes. */
static int prepare_budget(check_run *check)
{
    const check_settings *settings = &check->settings;
    const cli_two_models *two = &check->common.two;
    cli_near *near = &check->near;
    const int error = cli_near_begin(near, two->context, two->models[0], two->models[1]);
    if (error) {
        return error;
    }
    near->pose_a = two->pose_a;
    near->options.within = near->options.enough = settings->clearance;
    near->options.coherence = cli_coherence(&check->common.options.two, TUMBLE_COHERENCE_ALL);
    near->limit = settings->mode != TUMBLE_TEST; /* a pair, or only whether there is one */
    cli_set_budget(&check->common.options.budget, &near->options);
    check->tuning = cli_tuning(&check->common.options.two.load, CLI_ROLE_NONE);
    near->options.tuning = &check->tuning;
    return 0;
}

static int ask_budget(check_run *check, const tumble_pose *pose_b)
{
    return cli_near_run(&check->near, pose_b);
}

static cli_step budget_step(const check_run *check)
{
    return cli_budget_step(&check->near);
}

static void budget_json(const check_run *check, size_t step)
{
    cli_budget_json(&check->common.report, &check->near, step);
}

static int budget_text(const check_run *check)
{
    return cli_budget_text(&check->common.report, &check->near);
}

static int budget_text_path(const check_run *check)
{
    return cli_budget_text_path(&check->common.report, &check->near, check->steps, check->common.two.path.count);
}

static int prepare_continuous(check_run *check)
{
    if (check->common.two.path.count < 2) {
        return cli_error("%s: --continuous goes from pose to pose, and there is only one: give two or more",
                         check->common.options.two.poses);
    }
    return cli_continuous_begin(&check->continuous, check->common.two.context, check->settings.clearance,
                                check->settings.tolerance);
}

static int ask_continuous(check_run *check, const tumble_pose *pose_b)
{
    const cli_two_models *two = &check->common.two;
    return cli_continuous_run(&check->continuous, two, pose_b, (size_t)(pose_b - two->path.poses));
}

static cli_step continuous_step(const check_run *check)
{
    return (cli_step){.answer = check->continuous.latest, .word = ""};
}

static void continuous_json_end(const check_run *check)
{
    cli_continuous_json(&check->common.report, &check->continuous);
}

static int continuous_text(const check_run *check)
{
    return cli_continuous_text(&check->common.report, &check->continuous);
}

static const check_question collide_question = {prepare_collide, ask_collide,      collide_step, collide_json, NULL,
                                                collide_text,    collide_text_path};
static const check_question device_question = {prepare_device,  ask_device,  collide_step,    collide_json,
                                               device_json_end, device_text, device_text_path};
static const check_question relation_question = {
    prepare_relation, ask_relation, relation_step, relation_json, NULL, relation_text, relation_text_path};
static const check_question budget_question = {prepare_budget, ask_budget,  budget_step,     budget_json,
                                               NULL,           budget_text, budget_text_path};

static const check_question continuous_question = {prepare_continuous,  ask_continuous,  continuous_step, NULL,
                                                   continuous_json_end, continuous_text, continuous_text};

const check_question *cli_check_question(const check_run *check)
{
    return check->settings.device.device                   ? &device_question
           : check->settings.continuous                    ? &continuous_question
           : check->settings.relation                      ? &relation_question
           : check->settings.regions                       ? &cli_regions_question
           : cli_has_budget(&check->common.options.budget) ? &budget_question
                                                           : &collide_question;
}
