/* Times of the minimum distance: two copies of a mesh that do not touch, at random rotations and in random directions,
 * over the gap between them; spheres within each other, whose surfaces are nearly everywhere equally close; and a part
 * on its way out of its housing. */
#include <math.h>
#include <stdlib.h>

#include "failure.h"
#include "models.h"
#include "modes.h"
#include "separate.h"

enum {
    NESTED_SHARE = 6 /* of the poses: others than Tumble need tenths of a second there */
};
static const double size = 2; /* of the cube around a mesh */

/* Answers of one library over all scenes. */
typedef struct distance_answers {
    uint64_t questions, too_far, too_near;
    double worst_error;
} distance_answers;

typedef struct distances {
    experiment *e;
    peers_contest contest; /* those who tell distances */
    bench_csv csv;
    speed_table *table;
    distance_answers answers[PEERS_MOST];
} distances;

static void write_rows(distances *d, const char *mesh, double gap, const contest_scene *scene,
                       const contest_result *results)
{
    for (size_t i = 0; i < d->contest.count; i++) {
        const contest_result *r = &results[i];
        bench_csv_text(&d->csv, "mesh", mesh);
        bench_csv_count(&d->csv, "triangles", scene->a->mesh->triangle_count);
        bench_csv_number(&d->csv, "gap", gap);
        bench_csv_text(&d->csv, "peer", d->contest.items[i].name);
        bench_csv_text(&d->csv, "peer_version", d->contest.items[i].peer->version);
        bench_csv_count(&d->csv, "poses", scene->pose_count);
        bench_csv_count(&d->csv, "repetitions", r->repetitions);
        bench_csv_number(&d->csv, "mean_us", r->microseconds);
        bench_csv_number(&d->csv, "relative", r->microseconds / results[0].microseconds);
        bench_csv_number(&d->csv, "mean_distance", r->distance);
        bench_csv_count(&d->csv, "right", scene->pose_count - r->missed - r->invented);
        bench_csv_count(&d->csv, "too_far", r->missed);
        bench_csv_count(&d->csv, "too_near", r->invented);
        bench_csv_number(&d->csv, "worst_error", r->worst_error);
        bench_csv_end_row(&d->csv);
    }
}

static void run_scene(distances *d, const char *mesh, double gap, contest_scene *scene)
{
    contest_result results[PEERS_MOST];
    char row[TABLE_CELL];
    if (gap > 0) {
        snprintf(row, sizeof row, "%s/%g", mesh, gap);
    } else {
        snprintf(row, sizeof row, "%s", mesh);
    }
    scene->question = CONTEST_DISTANCE;
    scene->repetitions = (size_t)d->e->options->repetitions;
    scene->patience = 1e6 * d->e->options->patience;
    scene->limit = INFINITY;
    show_progress("distance: %s", row);
    contest_measure(&d->contest, scene, results);
    show_progress("%s", "");
    speed_table_add(d->table, row, results);
    write_rows(d, mesh, gap, scene, results);
    for (size_t i = 0; i < d->contest.count; i++) {
        d->answers[i].questions += scene->pose_count;
        d->answers[i].too_far += results[i].missed;
        d->answers[i].too_near += results[i].invented;
        d->answers[i].worst_error = fmax(d->answers[i].worst_error, results[i].worst_error);
    }
}

static void run_copies(distances *d, const peers_mesh *mesh)
{
    const peers_options *options = d->e->options;
    const size_t count = (size_t)options->distance_poses;
    contest_models models = contest_build(&d->contest, &mesh->view);
    tumble_pose *poses = bench_allocate(count, sizeof *poses);
    contest_scene scene = {.a = &models, .b = &models, .poses = poses, .pose_count = count};
    separation *places = separate_copies(&d->contest, &models, 0, count, options->seed);
    for (size_t i = 0; i < options->separations.count; i++) {
        const double gap = options->separations.items[i];
        for (size_t k = 0; k < count; k++) {
            poses[k] = separated_pose(&places[k], size * gap);
        }
        run_scene(d, mesh->name, gap, &scene);
    }
    free(places);
    free(poses);
    contest_destroy(&d->contest, &models);
}

static void run_nested(distances *d)
{
    const peers_options *options = d->e->options;
    const size_t count = 1 + ((size_t)options->distance_poses - 1) / NESTED_SHARE;
    models_random random = {(uint64_t)options->seed};
    peers_mesh outer = peers_mesh_shape("sphere", (size_t)options->nested_triangles, options->seed);
    contest_models models = contest_build(&d->contest, &outer.view);
    tumble_pose *poses = bench_allocate(count, sizeof *poses);
    for (size_t k = 0; k < count; k++) {
        poses[k] = models_random_rotation(&random);
    }
    for (size_t i = 0; i < options->gaps.count; i++) {
        peers_mesh inner = peers_mesh_scaled(&outer, 1 - options->gaps.items[i]);
        contest_models inner_models = contest_build(&d->contest, &inner.view);
        contest_scene scene = {.a = &models, .b = &inner_models, .poses = poses, .pose_count = count};
        run_scene(d, "nested", options->gaps.items[i], &scene);
        contest_destroy(&d->contest, &inner_models);
        peers_mesh_free(&inner);
    }
    free(poses);
    contest_destroy(&d->contest, &models);
    peers_mesh_free(&outer);
}

/* The part on its way out of its housing, where it does not touch it. */
static void run_path(distances *d)
{
    models_demo demo;
    if (!models_make_demo(&demo, (size_t)d->e->options->distance_poses)) {
        bench_fail("no memory for the demonstration");
    }
    peers_mesh housing = peers_mesh_take(&demo.housing, "housing"), part = peers_mesh_take(&demo.part, "part");
    contest_models of_housing = contest_build(&d->contest, &housing.view),
                   of_part = contest_build(&d->contest, &part.view);
    contest_scene scene = {.a = &of_housing, .b = &of_part, .poses = demo.path};
    for (size_t i = 0; i < demo.path_length; i++) {
        if (!contest_ask(&d->contest.items[0], of_housing.items[0], of_part.items[0], &demo.path[i], NULL)) {
            demo.path[scene.pose_count++] = demo.path[i];
        }
    }
    run_scene(d, "housing-part", 0, &scene);
    contest_destroy(&d->contest, &of_housing);
    contest_destroy(&d->contest, &of_part);
    peers_mesh_free(&housing);
    peers_mesh_free(&part);
    models_free_demo(&demo);
}

static void print_answers(const distances *d)
{
    static const char *const head[] = {"library", "questions", "too far", "too near", "largest error"};
    text_table *out = bench_allocate(1, sizeof *out);
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) {
        table_cell(out, "%s", head[i]);
    }
    table_end_row(out);
    for (size_t i = 0; i < d->contest.count; i++) {
        const distance_answers *sum = &d->answers[i];
        table_cell(out, "%s", d->contest.items[i].name);
        table_cell(out, "%llu", (unsigned long long)sum->questions);
        table_cell(out, "%llu", (unsigned long long)sum->too_far);
        table_cell(out, "%llu", (unsigned long long)sum->too_near);
        table_cell(out, "%.1e", sum->worst_error);
        table_end_row(out);
    }
    table_print(out, "Distances while timed: wrong by more than a millionth, and the largest error, as a share of it");
    free(out);
}

void mode_distance(experiment *e)
{
    distances *d = bench_allocate(1, sizeof *d);
    d->e = e;
    d->contest = contest_for(&e->contest, CONTEST_DISTANCE);
    d->table = speed_table_new(&d->contest, "distance",
                               "Minimum distance: how many times longer than Tumble the others take", "mesh/gap");
    experiment_open_csv(e, &d->csv, "distance");
    for (size_t i = 0; i < peers_mesh_count(e->options); i++) {
        peers_mesh mesh = peers_mesh_make(e->options, i);
        run_copies(d, &mesh);
        peers_mesh_free(&mesh);
    }
    run_nested(d);
    run_path(d);
    bench_csv_close(&d->csv);
    speed_table_finish(d->table, &e->summary, &e->board);
    print_answers(d);
    free(d);
}
