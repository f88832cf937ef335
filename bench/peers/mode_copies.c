/* Times of questions: two tumbling copies (first, all), spheres within each other (nested), copies that just miss or
 * just touch (gap), and a part that is pulled out of its housing (path). */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "failure.h"
#include "machine.h"
#include "models.h"
#include "modes.h"
#include "touch.h"

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

/* Two copies, for bench_first_touch. */
typedef struct approach {
    const experiment *e;
    const contest_models *models;
    size_t step, steps; /* which rotation of how many */
} approach;

static int touches_once(void *user, double distance)
{
    const approach *from = user;
    const tumble_pose pose = general_pose(from->step, from->steps, distance);
    return (int)contest_ask(&from->e->contest.items[0], from->models->items[0], from->models->items[0], &pose, NULL);
}

static int touches_anywhere(void *user, double distance)
{
    approach from = *(const approach *)user;
    int touching = 0;
    for (from.step = 0; from.step < from.steps && !touching; from.step++) {
        touching = touches_once(&from, distance);
    }
    return touching;
}

double touching_distance(const experiment *e, const contest_models *models)
{
    approach from = {e, models, 0, 64};
    return bench_first_touch(touches_anywhere, &from, 0.02, 0.001);
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
        bench_csv_count(csv, "triangles", scene->a->mesh->triangle_count);
        bench_csv_number(csv, label->parameter, label->value);
        bench_csv_number(csv, "distance", label->distance);
        bench_csv_text(csv, "question", scene->question == CONTEST_ALL ? "all" : "first");
        bench_csv_text(csv, "peer", e->contest.items[i].name);
        bench_csv_text(csv, "peer_version", e->contest.items[i].peer->version);
        bench_csv_count(csv, "poses", scene->pose_count);
        bench_csv_count(csv, "repetitions", r->repetitions);
        bench_csv_number(csv, "mean_us", r->microseconds);
        bench_csv_number(csv, "relative", r->microseconds / results[0].microseconds);
        bench_csv_count(csv, "hits", r->hits);
        bench_csv_count(csv, "exact_hits", r->true_hits);
        bench_csv_count(csv, "pairs", r->pairs);
        bench_csv_count(csv, "exact_pairs", r->true_pairs);
        bench_csv_count(csv, "missed", r->missed);
        bench_csv_count(csv, "invented", r->invented);
        bench_csv_end_row(csv);
    }
}

static void count_answers(experiment *e, const contest_scene *scene, const contest_result *results)
{
    for (size_t i = 0; i < e->contest.count; i++) {
        answer_count *sum = &e->answers[i];
        if (results[i].offered && scene->question == CONTEST_ALL) {
            sum->pairs += results[i].true_pairs;
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
    scene.limit = 1e6 * e->options->limit;
    show_progress("%s: %s %g", label->mesh, label->parameter, label->value);
    contest_measure(&e->contest, &scene, results);
    write_rows(e, csv, label, &scene, results);
    count_answers(e, &scene, results);
    show_progress("%s", "");
}

static speed_table *new_table(const experiment *e, const char *name, const char *title, const char *row_title)
{
    return speed_table_new(&e->contest, name, title, row_title);
}

static void finish_table(experiment *e, speed_table *table)
{
    speed_table_finish(table, &e->summary, &e->board);
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
        const contest_scene scene = {.a = &models,
                                     .b = &models,
                                     .poses = poses,
                                     .pose_count = count,
                                     .question = want_all ? CONTEST_ALL : CONTEST_FIRST};
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
    for (size_t i = 0; i < peers_mesh_count(e->options); i++) {
        peers_mesh mesh = peers_mesh_make(e->options, i);
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
        new_table(e, "first-apart", "Yes or no, apart: how many times longer than Tumble the others take", "mesh"));
}

void mode_all(experiment *e)
{
    run_tumbling(
        e, "all", 1, new_table(e, "all", "All pairs: how many times longer than Tumble the others take", "mesh"),
        new_table(e, "all-apart", "All pairs, apart: how many times longer than Tumble the others take", "mesh"));
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
    peers_mesh outer = peers_mesh_shape("sphere", (size_t)e->options->nested_triangles, e->options->seed);
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

static void run_gap(experiment *e, bench_csv *csv, const peers_mesh *mesh, speed_table *missing, speed_table *touching)
{
    const size_t count = (size_t)e->options->poses;
    contest_models models = contest_build(&e->contest, &mesh->view);
    double *places = bench_allocate(count, sizeof *places);
    tumble_pose *poses = bench_allocate(count, sizeof *poses);
    const contest_scene scene = {.a = &models, .b = &models, .poses = poses, .pose_count = count};
    for (size_t k = 0; k < count; k++) {
        approach from = {e, &models, k, count};
        places[k] = bench_first_touch(touches_once, &from, 0.01, 1e-6 * e->options->gap);
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
    speed_table *missing = new_table(e, "just-missing", titles[0], "mesh"),
                *touching = new_table(e, "just-touching", titles[1], "mesh");
    experiment_open_csv(e, &csv, "gap");
    for (size_t i = 0; i < peers_mesh_count(e->options); i++) {
        peers_mesh mesh = peers_mesh_make(e->options, i);
        run_gap(e, &csv, &mesh, missing, touching);
        peers_mesh_free(&mesh);
    }
    bench_csv_close(&csv);
    finish_table(e, missing);
    finish_table(e, touching);
}

/* ---- A path ---- */

/* The demonstration's part and housing, all the way. */
static void run_path(experiment *e, bench_csv *csv, const models_demo *demo, const contest_models *housing,
                     const contest_models *part, int want_all)
{
    speed_table *table =
        want_all ? new_table(e, "path-all", "A part is pulled out of its housing, all pairs: how many times longer",
                             "models")
                 : new_table(e, "path-first", "A part is pulled out of its housing, yes or no: how many times longer",
                             "models");
    const scene_label label = {"housing-part", "share", 1, 0};
    const contest_scene scene = {.a = housing,
                                 .b = part,
                                 .poses = demo->path,
                                 .pose_count = demo->path_length,
                                 .question = want_all ? CONTEST_ALL : CONTEST_FIRST};
    contest_result results[PEERS_MOST];
    run_scene(e, csv, &label, &scene, results);
    speed_table_add(table, label.mesh, results);
    finish_table(e, table);
}

void mode_path(experiment *e)
{
    bench_csv csv;
    models_demo demo;
    if (!models_make_demo(&demo, (size_t)e->options->poses)) {
        bench_fail("no memory for the demonstration");
    }
    peers_mesh housing = peers_mesh_take(&demo.housing, "housing"), part = peers_mesh_take(&demo.part, "part");
    contest_models of_housing = contest_build(&e->contest, &housing.view),
                   of_part = contest_build(&e->contest, &part.view);
    experiment_open_csv(e, &csv, "path");
    run_path(e, &csv, &demo, &of_housing, &of_part, 0);
    run_path(e, &csv, &demo, &of_housing, &of_part, 1);
    bench_csv_close(&csv);
    contest_destroy(&e->contest, &of_housing);
    contest_destroy(&e->contest, &of_part);
    peers_mesh_free(&housing);
    peers_mesh_free(&part);
    models_free_demo(&demo);
}
