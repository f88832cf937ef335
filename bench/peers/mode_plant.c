/* The scenes of Figueiredo, S-CD: the process plant (table 3) and two grids that almost touch (figure 7). Of the
 * paper's toolkits, OPCODE is what ODE has inside. FCL's oriented boxes stand for RAPID and V-COLLIDE, and with swept
 * spheres for PQP; our own k-DOPs and boxtree for Dop-Tree and BoxTree. SOLID is in no package. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "modes.h"
#include "plant.h"

enum {
    QUICK_POSES = 2,
    GRID_POSES = 24
};

/* All steps of all operations: means, and sums of answers. */
static void add_share(contest_result *sum, const contest_result *own, double share)
{
    sum->offered |= own->offered;
    sum->microseconds += share * own->microseconds;
    sum->pairs += own->pairs;
    sum->missed += own->missed;
    sum->invented += own->invented;
}

static void measure_operation(const experiment *e, const peers_contest *contest, const models_plant *plant, int number,
                              contest_question question, contest_result *sums)
{
    const models_plant_operation *operation = &plant->operations[number];
    models_mesh parts[2] = {{0}, {0}};
    const tumble_pose still = tumble_pose_identity();
    models_append(&parts[0], &plant->parts[operation->target].mesh, &still);
    models_append(&parts[1], &plant->parts[operation->moving].mesh, &still);
    peers_mesh target = peers_mesh_take(&parts[0], operation->name),
               moving = peers_mesh_take(&parts[1], operation->name);
    contest_models of_target = contest_build(contest, &target.view), of_moving = contest_build(contest, &moving.view);
    contest_result results[PEERS_MOST];
    const contest_scene plan = {.a = &of_target,
                                .b = &of_moving,
                                .poses = operation->path,
                                .pose_count = e->options->quick ? QUICK_POSES : operation->path_length,
                                .question = question,
                                .repetitions = (size_t)e->options->repetitions,
                                .patience = 1e6 * e->options->patience,
                                .limit = INFINITY};
    contest_measure(contest, &plan, results);
    for (size_t i = 0; i < contest->count; i++) {
        add_share(&sums[i], &results[i], (double)operation->path_length / MODELS_PLANT_STEPS);
    }
    contest_destroy(contest, &of_target);
    contest_destroy(contest, &of_moving);
    peers_mesh_free(&target);
    peers_mesh_free(&moving);
}

/* Two grids of which one is turned and moved along a diagonal until they almost touch: nothing intersects. */
static void measure_grids(const experiment *e, const peers_contest *contest, contest_result *results)
{
    models_mesh grid;
    tumble_pose poses[GRID_POSES];
    if (!models_make_grid(&grid, e->options->quick ? 1 : MODELS_GRID_CUTS)) {
        bench_fail("no memory for the grid");
    }
    peers_mesh mesh = peers_mesh_take(&grid, "grid");
    contest_models models = contest_build(contest, &mesh.view);
    const double touching = touching_distance(e, &models);
    for (size_t i = 0; i < GRID_POSES; i++) {
        poses[i] = models_tumbling_pose(i, GRID_POSES, 1.01 * touching);
    }
    const contest_scene plan = {.a = &models,
                                .b = &models,
                                .poses = poses,
                                .pose_count = e->options->quick ? QUICK_POSES : GRID_POSES,
                                .question = CONTEST_FIRST,
                                .repetitions = (size_t)e->options->repetitions,
                                .patience = 1e6 * e->options->patience,
                                .limit = INFINITY};
    contest_measure(contest, &plan, results);
    contest_destroy(contest, &models);
    peers_mesh_free(&mesh);
}

static void print_row(text_table *out, bench_csv *csv, const peers_contest *contest, const char *scene,
                      const contest_result *results)
{
    table_cell(out, "%s", scene);
    for (size_t i = 0; i < contest->count; i++) {
        table_cell(out, results[i].offered ? "%.2f" : "-", results[i].microseconds);
        bench_csv_text(csv, "scene", scene);
        bench_csv_text(csv, "peer", contest->items[i].name);
        bench_csv_number(csv, "mean_us", results[i].microseconds);
        bench_csv_count(csv, "missed", results[i].missed);
        bench_csv_count(csv, "invented", results[i].invented);
        bench_csv_end_row(csv);
    }
    table_end_row(out);
}

/* Without --peers: those that stand for the paper's. */
void mode_plant(experiment *e)
{
    static const contest_question questions[2] = {CONTEST_FIRST, CONTEST_ALL};
    bench_words names = e->options->peers;
    bench_csv csv;
    models_plant plant;
    text_table *out = bench_allocate(1, sizeof *out);
    if (strcmp(names.items[0], "all") == 0) {
        bench_words_set(&names, "fcl-obb,fcl-obbrss,ode,kdop,boxtree");
    }
    const peers_contest contest = contest_open(&names);
    if (!models_make_plant(&plant)) {
        bench_fail("no memory for the plant");
    }
    experiment_open_csv(e, &csv, "plant");
    table_cell(out, "scene");
    for (size_t i = 0; i < contest.count; i++) {
        table_cell(out, "%s", contest.items[i].name);
    }
    table_end_row(out);
    for (int all = 0; all < 2; all++) {
        contest_result sums[PEERS_MOST] = {{0}};
        for (int i = 0; i < MODELS_PLANT_OPERATIONS; i++) {
            measure_operation(e, &contest, &plant, i, questions[all], sums);
        }
        print_row(out, &csv, &contest, all ? "plant, all triangles" : "plant, first triangle", sums);
    }
    contest_result grids[PEERS_MOST] = {{0}};
    measure_grids(e, &contest, grids);
    print_row(out, &csv, &contest, "grids that almost touch", grids);
    table_print(out, "The scenes of Figueiredo: microseconds per step");
    bench_csv_close(&csv);
    models_free_plant(&plant);
    free(out);
}
