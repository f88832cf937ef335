/* Times of questions: two tumbling copies (first, all), spheres within each other (nested), and copies that just miss
 * or just touch (gap). */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "failure.h"
#include "machine.h"
#include "models.h"
#include "modes.h"

void show_progress(const char *format, ...)
{
    va_list arguments;
    if (isatty(STDERR_FILENO)) {
        fputs("\r\033[K", stderr);
        va_start(arguments, format);
        vfprintf(stderr, format, arguments);
        va_end(arguments);
    }
}

/* Between the steps at which faces are parallel: those are for the mode `check`. */
static tumble_pose general_pose(size_t step, size_t steps, double distance)
{
    return models_tumbling_pose(2 * step + 1, 2 * steps, distance);
}

static int touches(const experiment *e, const contest_models *models, const tumble_pose *pose)
{
    return (int)contest_ask(&e->contest.items[0], models->items[0], models->items[0], pose, NULL);
}

static int touches_anywhere(const experiment *e, const contest_models *models, double distance)
{
    const size_t steps = 64;
    int touching = 0;
    for (size_t i = 0; i < steps && !touching; i++) {
        const tumble_pose pose = general_pose(i, steps, distance);
        touching = touches(e, models, &pose);
    }
    return touching;
}

static const double furthest = 3.5; /* a cube of side 2 has a diagonal of 3.46 */

double touching_distance(const experiment *e, const contest_models *models)
{
    const double step = 0.02;
    double distance = furthest;
    while (distance > step && !touches_anywhere(e, models, distance - step)) {
        distance -= step;
    }
    double touching = distance - step, apart = distance;
    while (apart - touching > 0.001) {
        const double middle = 0.5 * (apart + touching);
        *(touches_anywhere(e, models, middle) ? &touching : &apart) = middle;
    }
    return apart;
}

/* ---- One scene ---- */

typedef struct scene_label {
    const char *mesh;
    const char *parameter; /* what the number is */
    double value;
    double distance; /* of the centres; the mean over the poses */
} scene_label;

static void write_rows(const experiment *e, bench_csv *csv, const scene_label *label, const contest_scene *scene,
                       const contest_result *results)
{
    for (size_t i = 0; i < e->contest.count; i++) {
        const contest_result *r = &results[i];
        if (!r->offered) {
            continue;
        }
        bench_csv_text(csv, "mesh", label->mesh);
        bench_csv_count(csv, "triangles", scene->a->triangle_count);
        bench_csv_number(csv, label->parameter, label->value);
        bench_csv_number(csv, "distance", label->distance);
        bench_csv_text(csv, "question", scene->want_all ? "all" : "first");
        bench_csv_text(csv, "peer", e->contest.items[i].name);
        bench_csv_text(csv, "peer_version", e->contest.items[i].peer->version);
        bench_csv_count(csv, "poses", scene->pose_count);
        bench_csv_count(csv, "repetitions", r->repetitions);
        bench_csv_number(csv, "mean_us", r->microseconds);
        bench_csv_number(csv, "relative", r->microseconds / results[0].microseconds);
        bench_csv_count(csv, "hits", r->hits);
        bench_csv_count(csv, "exact_hits", results[0].hits);
        bench_csv_count(csv, "pairs", r->pairs);
        bench_csv_count(csv, "exact_pairs", results[0].pairs);
        bench_csv_count(csv, "missed", r->missed);
        bench_csv_count(csv, "invented", r->invented);
        bench_csv_end_row(csv);
    }
}

static void count_answers(experiment *e, const contest_scene *scene, const contest_result *results)
{
    for (size_t i = 0; i < e->contest.count; i++) {
        answer_count *sum = &e->answers[i];
        if (results[i].offered && scene->want_all) {
            sum->pairs += results[0].pairs;
            sum->missed_pairs += results[i].missed;
            sum->invented_pairs += results[i].invented;
        } else if (results[i].offered) {
            sum->questions += scene->pose_count;
            sum->missed_hits += results[i].missed;
            sum->invented_hits += results[i].invented;
        }
    }
}

static void run_scene(experiment *e, bench_csv *csv, const scene_label *label, const contest_scene *plan,
                      contest_result *results)
{
    contest_scene scene = *plan;
    scene.repetitions = (size_t)e->options->repetitions;
    scene.patience = 1e6 * e->options->patience;
    show_progress("%s: %s %g", label->mesh, label->parameter, label->value);
    contest_measure(&e->contest, &scene, results);
    write_rows(e, csv, label, &scene, results);
    count_answers(e, &scene, results);
    show_progress("%s", "");
}

static speed_table *new_table(const experiment *e, const char *name, const char *title, const char *row_title)
{
    speed_table *table = bench_allocate(1, sizeof *table);
    table->contest = &e->contest;
    table->name = name;
    table->title = title;
    table->row_title = row_title;
    return table;
}

static void finish_table(experiment *e, speed_table *table)
{
    speed_table_finish(table, &e->summary);
    free(table);
}

/* ---- Tumbling ---- */

static void run_distances(experiment *e, bench_csv *csv, const peers_mesh *mesh, int want_all, speed_table *touching,
                          speed_table *apart)
{
    const size_t count = (size_t)e->options->poses;
    contest_models models = contest_build(&e->contest, &mesh->view);
    tumble_pose *poses = bench_allocate(count, sizeof *poses);
    const double touch = touching_distance(e, &models);
    for (size_t i = 0; i < e->options->shares.count; i++) {
        const double share = e->options->shares.items[i];
        const scene_label label = {mesh->name, "share", share, share * touch};
        const contest_scene scene = {
            .a = &models, .b = &models, .poses = poses, .pose_count = count, .want_all = want_all};
        contest_result results[PEERS_MOST];
        for (size_t k = 0; k < count; k++) {
            poses[k] = general_pose(k, count, share * touch);
        }
        run_scene(e, csv, &label, &scene, results);
        speed_table_add(results[0].hits ? touching : apart, mesh->name, results);
    }
    free(poses);
    contest_destroy(&e->contest, &models);
}

static void run_tumbling(experiment *e, const char *name, int want_all, speed_table *touching, speed_table *apart)
{
    bench_csv csv;
    experiment_open_csv(e, &csv, name);
    for (size_t i = 0; i < e->options->meshes.count; i++) {
        peers_mesh mesh = peers_mesh_make(e->options->meshes.items[i], (size_t)e->options->triangles, e->options->seed);
        run_distances(e, &csv, &mesh, want_all, touching, apart);
        peers_mesh_free(&mesh);
    }
    bench_csv_close(&csv);
    finish_table(e, touching);
    finish_table(e, apart);
}

void mode_first(experiment *e)
{
    run_tumbling(
        e, "first", 0,
        new_table(e, "first", "Yes or no, touching: how many times longer than Tumble the others take", "mesh"),
        new_table(e, "first apart", "Yes or no, apart: how many times longer than Tumble the others take", "mesh"));
}

void mode_all(experiment *e)
{
    run_tumbling(
        e, "all", 1, new_table(e, "all", "All pairs: how many times longer than Tumble the others take", "mesh"),
        new_table(e, "all apart", "All pairs, apart: how many times longer than Tumble the others take", "mesh"));
}

/* ---- Nested spheres ---- */

static void run_gap_between(experiment *e, bench_csv *csv, const peers_mesh *outer, const contest_models *models,
                            double gap, speed_table *table)
{
    const size_t count = (size_t)e->options->poses;
    models_random random = {(uint64_t)e->options->seed};
    peers_mesh inner = peers_mesh_scaled(outer, 1 - gap);
    contest_models inner_models = contest_build(&e->contest, &inner.view);
    tumble_pose *poses = bench_allocate(count, sizeof *poses);
    const scene_label label = {outer->name, "gap", gap, 0};
    const contest_scene scene = {.a = models, .b = &inner_models, .poses = poses, .pose_count = count};
    contest_result results[PEERS_MOST];
    char row[TABLE_CELL];
    for (size_t k = 0; k < count; k++) {
        poses[k] = models_random_rotation(&random);
    }
    run_scene(e, csv, &label, &scene, results);
    snprintf(row, sizeof row, "%g", gap);
    speed_table_add(table, row, results);
    free(poses);
    contest_destroy(&e->contest, &inner_models);
    peers_mesh_free(&inner);
}

void mode_nested(experiment *e)
{
    bench_csv csv;
    peers_mesh outer = peers_mesh_make("sphere", (size_t)e->options->triangles, e->options->seed);
    contest_models models = contest_build(&e->contest, &outer.view);
    speed_table *table = new_table(
        e, "nested", "Nested spheres, yes or no, never touching: how many times longer than Tumble the others take",
        "gap");
    experiment_open_csv(e, &csv, "nested");
    for (size_t i = 0; i < e->options->gaps.count; i++) {
        run_gap_between(e, &csv, &outer, &models, e->options->gaps.items[i], table);
    }
    bench_csv_close(&csv);
    finish_table(e, table);
    contest_destroy(&e->contest, &models);
    peers_mesh_free(&outer);
}

/* ---- Just missing, just touching ---- */

/* Where B, coming from outside along x with the rotation of a step, first touches A: searched downward in steps, then
 * halved to far less than the gap. */
static double first_touch(const experiment *e, const contest_models *models, size_t step, size_t steps)
{
    const double stride = 0.01;
    double touching = furthest, apart = furthest;
    tumble_pose pose = general_pose(step, steps, touching);
    while (touching > 0 && !touches(e, models, &pose)) {
        apart = touching;
        touching -= stride;
        pose = general_pose(step, steps, touching);
    }
    for (int i = 0; i < 24; i++) {
        const double middle = 0.5 * (apart + touching);
        pose = general_pose(step, steps, middle);
        *(touches(e, models, &pose) ? &touching : &apart) = middle;
    }
    return apart;
}

static void run_gap(experiment *e, bench_csv *csv, const peers_mesh *mesh, speed_table *missing, speed_table *touching)
{
    const size_t count = (size_t)e->options->poses;
    contest_models models = contest_build(&e->contest, &mesh->view);
    double *places = bench_allocate(count, sizeof *places);
    tumble_pose *poses = bench_allocate(count, sizeof *poses);
    const contest_scene scene = {.a = &models, .b = &models, .poses = poses, .pose_count = count};
    for (size_t k = 0; k < count; k++) {
        places[k] = first_touch(e, &models, k, count);
    }
    for (int side = 1; side >= -1; side -= 2) {
        const double gap = side * e->options->gap;
        const scene_label label = {mesh->name, "gap", gap, bench_mean(places, count) + gap};
        contest_result results[PEERS_MOST];
        for (size_t k = 0; k < count; k++) {
            poses[k] = general_pose(k, count, places[k] + gap);
        }
        run_scene(e, csv, &label, &scene, results);
        speed_table_add(side > 0 ? missing : touching, mesh->name, results);
    }
    free(places);
    free(poses);
    contest_destroy(&e->contest, &models);
}

void mode_gap(experiment *e)
{
    bench_csv csv;
    char titles[2][128];
    snprintf(titles[0], sizeof titles[0], "Just missing by %g, yes or no: how many times longer the others take",
             e->options->gap);
    snprintf(titles[1], sizeof titles[1], "Just touching by %g, yes or no: how many times longer the others take",
             e->options->gap);
    speed_table *missing = new_table(e, "just missing", titles[0], "mesh"),
                *touching = new_table(e, "just touching", titles[1], "mesh");
    experiment_open_csv(e, &csv, "gap");
    for (size_t i = 0; i < e->options->meshes.count; i++) {
        peers_mesh mesh = peers_mesh_make(e->options->meshes.items[i], (size_t)e->options->triangles, e->options->seed);
        run_gap(e, &csv, &mesh, missing, touching);
        peers_mesh_free(&mesh);
    }
    bench_csv_close(&csv);
    finish_table(e, missing);
    finish_table(e, touching);
}
