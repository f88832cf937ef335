/* Experiments on distances, clearances, coherence and budgets: the command, measuring and writing. */
#include "proximity.h"

#include <math.h>
#include <stddef.h>
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
    tumble_collide_result result;
    options.mode = TUMBLE_TEST;
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
    tumble_distance_result result;
    options.tuning = &c->variant->tuning;
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
    if (!models_make_demo(&demo, p->series.settings->quick ? (size_t)p->series.settings->steps : DEMO_STEPS)) {
        bench_fail("no memory for the demonstration");
    }
    if (p->series.settings->quick) {
        cut_mesh(&demo.housing, QUICK_POLYGONS);
        cut_mesh(&demo.part, QUICK_POLYGONS);
    }
    return demo;
}

/* ---- Writing ---- */

static const bench_column result_columns[] = {
    {"queries", BENCH_COLUMN_SIZE, offsetof(proximity_result, queries)},
    {"mean_us", BENCH_COLUMN_NUMBER, offsetof(proximity_result, mean_microseconds)},
    {"box_tests", BENCH_COLUMN_NUMBER, offsetof(proximity_result, box_tests)},
    {"primitive_tests", BENCH_COLUMN_NUMBER, offsetof(proximity_result, primitive_tests)},
    {"exact_tests", BENCH_COLUMN_NUMBER, offsetof(proximity_result, exact_tests)},
    {"distance", BENCH_COLUMN_NUMBER, offsetof(proximity_result, distance)},
    {"yes", BENCH_COLUMN_COUNT, offsetof(proximity_result, yes)},
    {"no", BENCH_COLUMN_COUNT, offsetof(proximity_result, no)},
    {"maybe", BENCH_COLUMN_COUNT, offsetof(proximity_result, maybe)},
    {.name = NULL},
};

static const bench_column note_columns[] = {
    {"x_name", BENCH_COLUMN_TEXT, offsetof(proximity_note, x_name)},
    {"x", BENCH_COLUMN_NUMBER, offsetof(proximity_note, x)},
    {"lower_share", BENCH_COLUMN_NUMBER, offsetof(proximity_note, lower_share)},
    {"upper_share", BENCH_COLUMN_NUMBER, offsetof(proximity_note, upper_share)},
    {"overrun_median_us", BENCH_COLUMN_NUMBER, offsetof(proximity_note, overrun_median)},
    {"overrun_99_us", BENCH_COLUMN_NUMBER, offsetof(proximity_note, overrun_99)},
    {"overrun_most_us", BENCH_COLUMN_NUMBER, offsetof(proximity_note, overrun_most)},
    {.name = NULL},
};

proximity_note proximity_at(const char *x_name, double x)
{
    proximity_note note;
    bench_columns_clear(note_columns, &note);
    note.x_name = x_name;
    note.x = x;
    return note;
}

void proximity_write(proximity *p, const proximity_scene *scene, const proximity_way *way,
                     const proximity_result *result, const proximity_note *note)
{
    bench_csv *csv = &p->series.csv;
    bench_csv_text(csv, "experiment", p->series.experiment);
    bench_csv_text(csv, "scene", scene->name);
    bench_csv_text(csv, "variant", way->contestant->variant->name);
    bench_csv_text(csv, "question", way->question.name);
    bench_csv_count(csv, "repetitions", scene->repetitions);
    bench_csv_columns(csv, result_columns, result);
    bench_csv_columns(csv, note_columns, note);
    bench_csv_end_row(csv);
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
    proximity p = {.series = {.differ = 0}};
    bench_series_open(&p.series, settings, experiments, sizeof *experiments);
    bench_series_set_origin(&p.series);
    for (const struct experiment *experiment = experiments; experiment->name; experiment++) {
        if (bench_series_wants(&p.series, experiment->name, experiment->title)) {
            experiment->run(&p);
        }
    }
    return bench_series_close(&p.series);
}
