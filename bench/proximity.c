/* Experiments on distances, clearances, coherence and budgets: the command, measuring and writing. */
#include "proximity.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "failure.h"
#include "machine.h"
#include "statistics.h"
#include "touch.h"

/* ---- Asking ---- */

static void ask_collide(const proximity_way *way, tumble_query *query, const tumble_pose *pose, proximity_answer *out)
{
    const bench_contestant *c = way->contestant;
    tumble_collide_options options = bench_variant_options(c->variant);
    tumble_collide_result result = {.size = sizeof result};
    options.mode = TUMBLE_COLLIDE_TEST;
    options.clearance = way->question.clearance;
    bench_require(tumble_collide(query, c->model, NULL, c->flyer, pose, &options, &result), c->context, "a query");
    out->answer = result.collide ? TUMBLE_YES : TUMBLE_NO;
    out->distance = out->lower = out->upper = (double)NAN;
    out->counters = result.counters;
}

static void ask_distance(const proximity_way *way, tumble_query *query, const tumble_pose *pose, proximity_answer *out)
{
    const bench_contestant *c = way->contestant;
    tumble_distance_options options = way->question.distance;
    tumble_distance_result result = {.size = sizeof result};
    options.kdop_tumble = c->variant->kdop.tumble;
    bench_require(tumble_distance(query, c->model, NULL, c->flyer, pose, &options, &result), c->context, "a distance");
    out->answer = result.answer;
    out->distance = result.answer == TUMBLE_YES ? result.nearest.distance : (double)NAN;
    out->lower = result.lower;
    out->upper = result.upper;
    out->counters = result.counters;
}

static void ask(const proximity_way *way, tumble_query *query, const tumble_pose *pose, proximity_answer *out)
{
    if (way->question.collide) {
        ask_collide(way, query, pose, out);
    } else {
        ask_distance(way, query, pose, out);
    }
}

/* ---- Measuring ---- */

/* Of one way. */
typedef struct way_times {
    tumble_query *query;
    double *turns;   /* each repetition's, divided by the poses, in processor time */
    double *queries; /* [pose][repetition], by the clock on the wall */
} way_times;

static void gather(const proximity_scene *scene, const proximity_way *way, tumble_query *query,
                   proximity_result *result, proximity_answer *answers)
{
    const double share = 1 / (double)scene->pose_count;
    *result = (proximity_result){.queries = scene->pose_count};
    for (size_t i = 0; i < scene->pose_count; i++) {
        proximity_answer answer = {.answer = TUMBLE_NO};
        ask(way, query, &scene->poses[i], &answer);
        result->yes += answer.answer == TUMBLE_YES;
        result->no += answer.answer == TUMBLE_NO;
        result->maybe += answer.answer == TUMBLE_MAYBE;
        result->distance += share * answer.distance;
        result->box_tests += share * (double)answer.counters.box_tests;
        result->primitive_tests += share * (double)answer.counters.primitive_tests;
        result->exact_tests += share * (double)answer.counters.exact_tests;
        if (answers) {
            answers[i] = answer;
        }
    }
}

static void time_turn(const proximity_scene *scene, const proximity_way *way, size_t repetition, way_times *times)
{
    const double start = bench_thread_microseconds();
    double last = bench_microseconds();
    for (size_t i = 0; i < scene->pose_count; i++) {
        proximity_answer answer;
        ask(way, times->query, &scene->poses[i], &answer);
        const double now = bench_microseconds();
        times->queries[i * scene->repetitions + repetition] = now - last;
        last = now;
    }
    times->turns[repetition] = (bench_thread_microseconds() - start) / (double)scene->pose_count;
}

static void summarise(const proximity_scene *scene, const proximity_way *way, way_times *times,
                      proximity_result *result, proximity_answer *answers)
{
    const double budget = way->question.distance.budget_microseconds;
    result->mean_microseconds = bench_median(times->turns, scene->repetitions);
    for (size_t i = 0; answers && i < scene->pose_count; i++) {
        double *samples = times->queries + i * scene->repetitions;
        bench_median(samples, scene->repetitions); /* sorts them */
        answers[i].microseconds = samples[0];
        answers[i].overrun = budget > 0 ? fmax(0, samples[0] - budget) : (double)NAN;
    }
}

void proximity_measure(const proximity_scene *scene, const proximity_way *ways, size_t count, proximity_result *results,
                       proximity_answer *answers)
{
    way_times *times = bench_allocate(count, sizeof *times);
    for (size_t i = 0; i < count; i++) {
        tumble_context *context = ways[i].contestant->context;
        times[i].turns = bench_allocate(scene->repetitions, sizeof *times[i].turns);
        times[i].queries = bench_allocate(scene->pose_count * scene->repetitions, sizeof *times[i].queries);
        bench_require(tumble_query_create(context, &times[i].query), context, "a query");
        gather(scene, &ways[i], times[i].query, &results[i], answers ? answers + i * scene->pose_count : NULL);
    }
    for (size_t repetition = 0; repetition < scene->repetitions; repetition++) {
        for (size_t i = 0; i < count; i++) {
            const size_t next = (i + repetition) % count;            /* nobody is always the first */
            time_turn(scene, &ways[next], repetition, &times[next]); /* back into the caches */
            time_turn(scene, &ways[next], repetition, &times[next]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        summarise(scene, &ways[i], &times[i], &results[i], answers ? answers + i * scene->pose_count : NULL);
        tumble_query_destroy(times[i].query);
        free(times[i].turns);
        free(times[i].queries);
    }
    free(times);
}

/* ---- Places ---- */

tumble_pose proximity_pose(const proximity_place *place, double further)
{
    tumble_pose pose = place->rotation;
    for (int i = 0; i < 3; i++) {
        pose.m[i][3] = (place->place + further) * place->direction[i];
    }
    return pose;
}

/* For bench_first_touch. */
typedef struct approach {
    proximity_way way;
    const proximity_place *from;
} approach;

static int is_close(void *user, double distance)
{
    const approach *a = user;
    const tumble_pose pose = proximity_pose(a->from, distance + a->way.question.clearance);
    proximity_answer answer;
    ask_collide(&a->way, a->way.contestant->query, &pose, &answer);
    return answer.answer == TUMBLE_YES;
}

proximity_place *proximity_places(const bench_contestant *contestant, double clearance, size_t count, double seed)
{
    const double stride = 0.01, precision = 1e-9;
    models_random random = {(uint64_t)seed};
    proximity_place *places = bench_allocate(count, sizeof *places);
    for (size_t i = 0; i < count; i++) {
        approach a = {{contestant, {.name = "", .collide = 1, .clearance = clearance}}, &places[i]};
        places[i].rotation = models_random_rotation(&random);
        const tumble_pose turn = models_random_rotation(&random);
        for (int axis = 0; axis < 3; axis++) {
            places[i].direction[axis] = turn.m[axis][2];
        }
        places[i].place = bench_first_touch(is_close, &a, stride, precision) + clearance;
    }
    return places;
}

enum {
    DEMO_STEPS = 240,
    QUICK_POLYGONS = 300
};

static void cut_mesh(models_mesh *mesh, size_t polygons)
{
    mesh->polygon_count = mesh->polygon_count < polygons ? mesh->polygon_count : polygons;
    mesh->index_count = 0;
    for (size_t i = 0; i < mesh->polygon_count; i++) {
        mesh->index_count += mesh->polygon_sizes[i];
    }
}

models_demo proximity_demo(const proximity *p)
{
    models_demo demo;
    if (!models_make_demo(&demo, p->settings->quick ? (size_t)p->settings->steps : DEMO_STEPS)) {
        bench_fail("no memory for the demonstration");
    }
    if (p->settings->quick) {
        cut_mesh(&demo.housing, QUICK_POLYGONS);
        cut_mesh(&demo.part, QUICK_POLYGONS);
    }
    return demo;
}

/* ---- Writing ---- */

proximity_note proximity_at(const char *x_name, double x)
{
    const double nothing = (double)NAN;
    return (proximity_note){x_name, x, nothing, nothing, nothing, nothing, nothing};
}

void proximity_write(proximity *p, const proximity_scene *scene, const proximity_way *way,
                     const proximity_result *result, const proximity_note *note)
{
    bench_csv *csv = &p->csv;
    bench_csv_text(csv, "experiment", p->experiment);
    bench_csv_text(csv, "scene", scene->name);
    bench_csv_text(csv, "variant", way->contestant->variant->name);
    bench_csv_text(csv, "question", way->question.name);
    bench_csv_text(csv, "x_name", note->x_name);
    bench_csv_number(csv, "x", note->x);
    bench_csv_count(csv, "queries", result->queries);
    bench_csv_count(csv, "repetitions", scene->repetitions);
    bench_csv_number(csv, "mean_us", result->mean_microseconds);
    bench_csv_number(csv, "box_tests", result->box_tests);
    bench_csv_number(csv, "primitive_tests", result->primitive_tests);
    bench_csv_number(csv, "exact_tests", result->exact_tests);
    bench_csv_number(csv, "distance", result->distance);
    bench_csv_count(csv, "yes", result->yes);
    bench_csv_count(csv, "no", result->no);
    bench_csv_count(csv, "maybe", result->maybe);
    bench_csv_number(csv, "lower_share", note->lower_share);
    bench_csv_number(csv, "upper_share", note->upper_share);
    bench_csv_number(csv, "overrun_median_us", note->overrun_median);
    bench_csv_number(csv, "overrun_99_us", note->overrun_99);
    bench_csv_number(csv, "overrun_most_us", note->overrun_most);
    bench_csv_end_row(csv);
}

void proximity_complain(proximity *p, const char *format, ...)
{
    va_list arguments;
    fprintf(stderr, "tumble_bench: %s: ", p->experiment);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    p->differ = 1;
}

/* ---- The command ---- */

static const struct experiment {
    const char *name, *title;
    void (*run)(proximity *p);
} experiments[] = {
    {"separation", "The minimum distance of two copies at random poses, over the gap between them",
     proximity_separation},
    {"clearance", "Closer than d? Two copies that just miss d or are just within it, beside yes or no and the distance",
     proximity_clearance},
    {"coherence", "Steps of a path: from scratch, and with what the step before has learned", proximity_coherence},
    {"budget", "What is known when a budget is spent, and how exactly it is kept", proximity_budget},
    {NULL, NULL, NULL}};

int bench_run_proximity(const bench_settings *settings)
{
    proximity p = {.settings = settings};
    bench_words_check(&settings->experiments, experiments, sizeof *experiments);
    bench_csv_open(&p.csv, settings->csv);
    bench_set_origin(&p.csv, settings->commit, settings->seed);
    bench_print_origin(stdout, settings->commit);
    for (const struct experiment *experiment = experiments; experiment->name; experiment++) {
        if (bench_words_have(&settings->experiments, experiment->name)) {
            printf("\n== %s: %s\n\n", experiment->name, experiment->title);
            p.experiment = experiment->name;
            experiment->run(&p);
        }
    }
    bench_csv_close(&p.csv);
    return p.differ;
}
