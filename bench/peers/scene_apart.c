/* What a pair costs that is plainly apart although its boxes overlap: in a scene, where the broad phase is subtracted,
 * and as a question about two models. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bodies_contest.h"
#include "failure.h"
#include "machine.h"
#include "scenes.h"

typedef struct apart_scene {
    peers_mesh mesh;
    uint32_t *mesh_of;
    tumble_pose *poses;
    size_t count; /* of bodies: twice the pairs */
} apart_scene;

/* Pairs in a row far from each other. In each, the second body stands diagonally from the first, so far that balls
 * around both are apart, but not their boxes. */
static void draw_poses(apart_scene *scene, models_random *random)
{
    for (size_t i = 0; i < scene->count; i++) {
        const double aside = i % 2 ? models_random_range(random, 1.3, 1.35) : 0;
        scene->poses[i] = models_random_rotation(random);
        for (int k = 0; k < 3; k++) {
            scene->poses[i].m[k][3] = aside;
        }
        scene->poses[i].m[0][3] += 10 * (double)(i / 2);
    }
}

static apart_scene make_scene(const char *shape, size_t triangles, size_t pairs, double seed)
{
    apart_scene scene = {.mesh = peers_mesh_shape(shape, triangles, seed),
                         .mesh_of = bench_allocate(2 * pairs, sizeof *scene.mesh_of),
                         .poses = bench_allocate(2 * pairs, sizeof *scene.poses),
                         .count = 2 * pairs};
    return scene;
}

static void free_scene(apart_scene *scene)
{
    peers_mesh_free(&scene->mesh);
    free(scene->mesh_of);
    free(scene->poses);
}

/* Nanoseconds per candidate; NaN if a pair touches or there is none. */
static double time_pairs(const experiment *e, const bodies_peer *peer, apart_scene *scene, uint64_t *candidates)
{
    const size_t repetitions = (size_t)fmin(4 * e->options->repetitions, BENCH_MOST_ITEMS);
    const bodies_plan plan = {.meshes = &scene->mesh.view,
                              .mesh_count = 1,
                              .mesh_of = scene->mesh_of,
                              .body_count = scene->count,
                              .thread_count = 1};
    models_random random = {(uint64_t)e->options->seed};
    double samples[BENCH_MOST_ITEMS];
    int is_apart = 1;
    draw_poses(scene, &random);
    void *world = peer->create(&plan, scene->poses);
    for (size_t i = 0; i < repetitions; i++) {
        draw_poses(scene, &random); /* all pairs are new */
        peer->place(world, scene->poses);
        const double start = bench_process_microseconds();
        const bodies_answer whole = peer->touching(world);
        const double middle = bench_process_microseconds();
        draw_poses(scene, &random);
        peer->place(world, scene->poses);
        const double next = bench_process_microseconds();
        peer->candidates(world);
        const double broad = bench_process_microseconds() - next;
        is_apart = is_apart && whole.body_pairs == 0 && whole.candidates > 0;
        samples[i] = 1e3 * (middle - start - broad) / (double)whole.candidates;
        *candidates = whole.candidates;
    }
    peer->destroy(world);
    return is_apart ? bench_median(samples, repetitions) : (double)NAN;
}

/* The same as questions about two models: nanoseconds for each library. */
static void time_questions(const experiment *e, apart_scene *scene, contest_result *results)
{
    const size_t count = scene->count / 2 < 200 ? scene->count / 2 : 200;
    models_random random = {(uint64_t)e->options->seed};
    tumble_pose *relative = bench_allocate(count, sizeof *relative);
    contest_models models = contest_build(&e->contest, &scene->mesh.view);
    draw_poses(scene, &random);
    for (size_t i = 0; i < count; i++) {
        relative[i] = tumble_pose_relative(&scene->poses[2 * i], &scene->poses[2 * i + 1]);
    }
    const contest_scene plan = {.a = &models,
                                .b = &models,
                                .poses = relative,
                                .pose_count = count,
                                .question = CONTEST_FIRST,
                                .repetitions = (size_t)e->options->repetitions,
                                .patience = 1e6 * e->options->patience,
                                .limit = 1e6 * e->options->limit};
    contest_measure(&e->contest, &plan, results);
    contest_destroy(&e->contest, &models);
    free(relative);
}

static void add_head(text_table *out, const bodies_contest *contest, const experiment *e)
{
    table_cell(out, "body");
    for (size_t i = 0; i < contest->count; i++) {
        table_cell(out, "%s, scene", contest->items[i]->name);
    }
    for (size_t i = 0; i < e->contest.count; i++) {
        if (!e->contest.items[i].bare) {
            table_cell(out, "%s", e->contest.items[i].name);
        }
    }
    table_end_row(out);
}

static void add_row(const experiment *e, const bodies_contest *contest, const char *shape, size_t triangles,
                    text_table *out, bench_csv *csv)
{
    contest_result questions[PEERS_MOST];
    apart_scene scene = make_scene(shape, triangles, e->options->quick ? 20 : 2000, e->options->seed);
    show_progress("apart: %s", scene.mesh.name);
    table_cell(out, "%s", scene.mesh.name);
    for (size_t i = 0; i < contest->count; i++) {
        uint64_t candidates = 0;
        const double time = time_pairs(e, contest->items[i], &scene, &candidates);
        table_cell(out, "%.0f", time);
        bench_csv_text(csv, "mesh", scene.mesh.name);
        bench_csv_text(csv, "peer", contest->items[i]->name);
        bench_csv_count(csv, "candidates", candidates);
        bench_csv_number(csv, "nanoseconds", time);
        bench_csv_end_row(csv);
    }
    memset(questions, 0, sizeof questions);
    time_questions(e, &scene, questions);
    for (size_t i = 0; i < e->contest.count; i++) {
        if (!e->contest.items[i].bare) {
            table_cell(out, questions[i].offered ? "%.0f" : "-", 1e3 * questions[i].microseconds);
        }
    }
    table_end_row(out);
    show_progress("%s", "");
    free_scene(&scene);
}

void scene_apart(experiment *e)
{
    static const char *const shapes[] = {"sphere", "torus", "bolt"};
    const bodies_contest contest = bodies_contest_open(&e->options->peers, 0);
    text_table *out = bench_allocate(1, sizeof *out);
    bench_csv csv;
    experiment_open_csv(e, &csv, "scene-apart");
    add_head(out, &contest, e);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        add_row(e, &contest, shapes[i], 100, out, &csv);
        add_row(e, &contest, shapes[i], (size_t)e->options->body_triangles, out, &csv);
    }
    table_print(out, "A pair that is plainly apart though its boxes overlap: nanoseconds, in a scene and by itself");
    bench_csv_close(&csv);
    free(out);
}
