/* Which options of 'tumble check' contradict each other. */
#include <math.h>

#include "check.h"
#include "message.h"

/* The option that was given; NULL: none. */
static const char *mode_name(const check_settings *settings)
{
    switch (settings->mode) {
    case TUMBLE_ALL: return "all";
    case TUMBLE_FIRST: return "first";
    case TUMBLE_TEST: return "test";
    case TUMBLE_COUNT: return "count";
    default: return NULL;
    }
}

static int refuse_mixed_questions(const check_settings *settings)
{
    const int all_polygons = settings->mode == TUMBLE_ALL;
    if (settings->mode != CHECK_NO_MODE && !all_polygons) {
        return cli_error("--%s and --surfaces ask different questions: leave one of them out", mode_name(settings));
    }
    if (all_polygons && settings->surfaces == CHECK_FIRST_SURFACES) {
        return cli_error("--surfaces first stops at the first pair, --all does not: use --surfaces all");
    }
    if (settings->segments && !all_polygons) {
        return cli_error("--segments lists where pairs of polygons meet, --surfaces lists none: add --all, as in --all "
                         "--surfaces all");
    }
    return 0;
}

/* An option that asks for something which the relation, or an answer within a budget, does not tell; NULL: none. */
static const char *other_question(const check_settings *settings)
{
    const int counts = settings->mode == TUMBLE_ALL || settings->mode == TUMBLE_COUNT;
    return counts ? mode_name(settings) : settings->surfaces ? "surfaces" : settings->segments ? "segments" : NULL;
}

static int refuse_with_relation(const check_run *check)
{
    const check_settings *settings = &check->settings;
    const char *name = settings->mode != CHECK_NO_MODE ? mode_name(settings)
                       : settings->clearance > 0       ? "clearance"
                                                       : other_question(settings);
    if (cli_has_budget(&check->common.options.budget)) {
        return cli_error("--relation has no budget: leave the budget out, or ask without --relation");
    }
    return name ? cli_error("--relation and --%s ask different questions: leave one of them out", name) : 0;
}

static int refuse_with_budget(const check_settings *settings)
{
    const char *name = other_question(settings);
    return name ? cli_error(
                      "a budget limits the question whether they intersect, and no other: leave --%s or the budget out",
                      name)
                : 0;
}

/* Devices know whether polygons intersect, and nothing else. */
static int refuse_with_device(const check_run *check)
{
    const check_settings *settings = &check->settings;
    const char *name = settings->relation                              ? "--relation"
                       : cli_has_budget(&check->common.options.budget) ? "a budget"
                       : settings->clearance > 0                       ? "--clearance"
                       : settings->surfaces                            ? "--surfaces"
                                                                       : NULL;
    if (name) {
        return cli_error("--device cannot answer %s: leave one of them out", name);
    }
    if (settings->segments && settings->mode == TUMBLE_FIRST) {
        return cli_error("--device finds the segments of all pairs, not of the first: leave --first or --device out");
    }
    return 0;
}

/* They walk the hierarchies in ways of their own. */
static int refuse_collision_options(const check_run *check)
{
    const check_settings *settings = &check->settings;
    const char *name = cli_collision_option(check->common.load_sections);
    return name ? cli_error("--%s does nothing together with %s: leave --%s out", name,
                            settings->relation ? "--relation" : "a budget", name)
                : 0;
}

static int refuse_segments(const check_settings *settings)
{
    if (settings->mode == TUMBLE_TEST) {
        return cli_error("--test finds no segments: use --first or --all with --segments");
    }
    return settings->mode == TUMBLE_COUNT ? cli_error("--count lists no segments: use --all with --segments") : 0;
}

/* As text a path is a table of steps, in which lists of each step have no place. */
static int refuse_lists_along_path(const check_run *check)
{
    const check_settings *settings = &check->settings;
    const char *name = settings->segments                                   ? "--segments"
                       : settings->surfaces && settings->mode == TUMBLE_ALL ? "--surfaces with --all"
                                                                            : NULL;
    if (!name || !check->common.options.two.poses || check->common.options.output.json) {
        return 0;
    }
    return cli_error("%s and --poses would be a list for each pose: give --json as well, or one pose with --pose-b",
                     name);
}

/* Nothing is listed where there is at most one pair; but a path as text is a table of steps. */
static int refuse_limit(const check_run *check)
{
    const check_settings *settings = &check->settings;
    const cli_compare_options *options = &check->common.options;
    const int is_text_path = options->two.poses && !options->output.json;
    const char *name = settings->relation                           ? "--relation"
                       : cli_has_budget(&options->budget)           ? "a budget"
                       : settings->surfaces == CHECK_FIRST_SURFACES ? "--surfaces first"
                       : settings->mode == TUMBLE_FIRST             ? "--first"
                       : settings->mode == TUMBLE_TEST              ? "--test"
                       : settings->mode == TUMBLE_COUNT             ? "--count"
                                                                    : NULL;
    if (!isfinite(options->output.limit) || is_text_path || !name) {
        return 0;
    }
    return cli_error("--limit shortens lists, and with %s there is none: leave --limit out", name);
}

static int refuse_coherence(const check_run *check)
{
    const check_settings *settings = &check->settings;
    if (!check->common.options.two.coherence) {
        return 0;
    }
    if (!check->common.options.two.poses) {
        return cli_error("--coherence is for a path: give --poses as well, or leave it out");
    }
    const char *name = settings->relation ? "--relation" : settings->device.device ? "--device" : NULL;
    return name ? cli_error("--coherence does nothing together with %s: leave --coherence out", name) : 0;
}

/* Contacts along a path, and when: nothing else is told of them. */
static int refuse_with_continuous(const check_run *check)
{
    const check_settings *settings = &check->settings;
    const cli_compare_options *options = &check->common.options;
    const char *name = settings->mode != CHECK_NO_MODE ? mode_name(settings)
                       : settings->relation            ? "relation"
                       : settings->surfaces            ? "surfaces"
                       : settings->segments            ? "segments"
                       : settings->device.device       ? "device"
                       : options->two.coherence        ? "coherence"
                       : options->drawings.plot        ? "plot"
                       : options->drawings.picture     ? "picture"
                                                       : cli_collision_option(check->common.load_sections);
    if (!options->two.poses) {
        return cli_error("--continuous is for a path: give --poses as well");
    }
    if (cli_has_budget(&options->budget)) {
        return cli_error("--continuous has no budget: leave the budget out");
    }
    return name ? cli_error(
                      "--continuous tells when there is contact, and not what --%s asks for: leave one of them out",
                      name)
                : 0;
}

/* Curves are told of, and nothing else. */
static int refuse_with_regions(const check_run *check)
{
    const check_settings *settings = &check->settings;
    const cli_compare_options *options = &check->common.options;
    const char *name = settings->mode != CHECK_NO_MODE ? mode_name(settings)
                       : settings->relation            ? "relation"
                       : settings->surfaces            ? "surfaces"
                       : settings->segments            ? "segments"
                       : settings->continuous          ? "continuous"
                       : settings->clearance > 0       ? "clearance"
                       : settings->device.device       ? "device"
                       : options->two.coherence        ? "coherence"
                       : options->drawings.plot        ? "plot"
                                                       : cli_collision_option(check->common.load_sections);
    if (cli_has_budget(&options->budget)) {
        return cli_error("--regions has no budget: leave the budget out");
    }
    if (options->two.poses && !options->output.json) {
        return cli_error("--regions and --poses would be a list for each pose: give --json as well, or one pose with "
                         "--pose-b");
    }
    return name ? cli_error("--regions and --%s ask different questions: leave one of them out", name)
                : cli_check_drawings(&options->drawings, options->two.poses != NULL);
}

int cli_check_rules(const check_run *check)
{
    if (check->settings.soup || check->settings.rings != 1) {
        return cli_error("--%s is for a model with itself: give one model and --self",
                         check->settings.soup ? "soup" : "rings");
    }
    const check_settings *settings = &check->settings;
    const int budget = cli_has_budget(&check->common.options.budget), device = settings->device.device != NULL;
    if (settings->tolerance != CHECK_TOLERANCE && !settings->continuous) {
        return cli_error("--tolerance is about times between poses: give --continuous as well");
    }
    if (settings->regions) {
        return refuse_with_regions(check);
    }
    if (settings->continuous) {
        return refuse_with_continuous(check);
    }
    int error = device               ? refuse_with_device(check)
                : settings->relation ? refuse_with_relation(check)
                : budget             ? refuse_with_budget(settings)
                                     : 0;
    error = error ? error : cli_check_device_options(&settings->device);
    error = error ? error : refuse_coherence(check);
    error = error || !(settings->relation || budget) ? error : refuse_collision_options(check);
    error = error || !settings->segments ? error : refuse_segments(settings);
    error = error || !settings->surfaces ? error : refuse_mixed_questions(settings);
    error = error ? error : refuse_lists_along_path(check);
    error = error ? error : refuse_limit(check);
    error =
        error ? error : cli_check_drawings(&check->common.options.drawings, check->common.options.two.poses != NULL);
    return error ? error : cli_check_surface_options(&check->common.options.two.load.surfaces, "--surfaces");
}
