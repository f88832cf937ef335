/* The scenes of Klosowski et al. 1998, table 2: FCL's trees of oriented boxes stand for RAPID, which is not packaged.
 * The paper compared it with 18-dops, and so does this, in the paper's setting, beside our other hierarchies. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "modes.h"
#include "paper_scenes.h"
#include "papers_numbers.h"

enum {
    QUICK_POSES = 8,
    DOP_18 = 2 /* its row in the paper's table */
};

typedef struct touching {
    const peers_contest *contest;
    const contest_models *environment, *flyer;
} touching;

static int touches(void *user, const tumble_pose *pose)
{
    const touching *t = user;
    return t->contest->items[0].peer->first(t->environment->items[0], t->flyer->items[0], pose);
}

static void measure_scene(const experiment *e, const peers_contest *contest, const char *name, contest_result *results)
{
    models_scene scene;
    if (!models_make_scene(&scene, name)) {
        bench_fail("no memory for the scene '%s'", name);
    }
    show_progress("%s", name);
    peers_mesh environment = peers_mesh_take(&scene.environment, name), flyer = peers_mesh_take(&scene.flyer, name);
    contest_models of_environment = contest_build(contest, &environment.view),
                   of_flyer = contest_build_moving(contest, &flyer.view);
    touching steering = {contest, &of_environment, &of_flyer};
    if (!models_fly(&scene, touches, &steering)) {
        bench_fail("the flyer of '%s' finds no place to start from", name);
    }
    const contest_scene plan = {.a = &of_environment,
                                .b = &of_flyer,
                                .poses = scene.path,
                                .pose_count = e->options->quick ? QUICK_POSES : scene.path_length,
                                .question = CONTEST_ALL,
                                .repetitions = (size_t)e->options->repetitions,
                                .patience = 1e6 * e->options->patience,
                                .limit = INFINITY};
    contest_measure(contest, &plan, results);
    show_progress("%s", "");
    contest_destroy(contest, &of_environment);
    contest_destroy(contest, &of_flyer);
    peers_mesh_free(&environment);
    peers_mesh_free(&flyer);
    models_free_scene(&scene);
}

static size_t find_contestant(const peers_contest *contest, const char *name)
{
    size_t i = 0;
    while (i < contest->count && strcmp(contest->items[i].name, name) != 0) {
        i++;
    }
    return i;
}

static void write_rows(const peers_contest *contest, bench_csv *csv, const char *scene, const contest_result *results)
{
    for (size_t i = 0; i < contest->count; i++) {
        bench_csv_text(csv, "scene", scene);
        bench_csv_text(csv, "peer", contest->items[i].name);
        bench_csv_text(csv, "peer_version", contest->items[i].peer->version);
        bench_csv_number(csv, "mean_us", results[i].microseconds);
        bench_csv_count(csv, "hits", results[i].hits);
        bench_csv_count(csv, "pairs", results[i].pairs);
        bench_csv_count(csv, "missed", results[i].missed);
        bench_csv_count(csv, "invented", results[i].invented);
        bench_csv_end_row(csv);
    }
}

static void add_head(text_table *out, const peers_contest *contest)
{
    table_cell(out, "scene");
    for (size_t i = 0; i < contest->count; i++) {
        table_cell(out, "%s", contest->items[i].name);
    }
    table_cell(out, "fcl-obb / 18-dop");
    table_cell(out, "RAPID / 18-dop (paper)");
    table_cell(out, "missed, invented");
    table_end_row(out);
}

static void add_scene(text_table *out, const peers_contest *contest, int scene, const contest_result *results)
{
    const size_t dop = find_contestant(contest, "18-dop"), boxes = find_contestant(contest, "fcl-obb");
    unsigned long long missed = 0, invented = 0;
    table_cell(out, "%s", models_scene_names()[scene]);
    for (size_t i = 0; i < contest->count; i++) {
        table_cell(out, "%.2f", results[i].microseconds);
        missed += results[i].missed;
        invented += results[i].invented;
    }
    if (dop < contest->count && boxes < contest->count) {
        table_cell(out, "%.2f", results[boxes].microseconds / results[dop].microseconds);
    } else {
        table_cell(out, "-");
    }
    table_cell(out, "%.2f", paper_table_2_rapid[scene] / paper_table_2[DOP_18][scene]);
    table_cell(out, "%llu, %llu", missed, invented);
    table_end_row(out);
}

/* Without --peers: FCL and our own hierarchies. */
void mode_papers(experiment *e)
{
    bench_words names = e->options->peers;
    bench_csv csv;
    text_table *out = bench_allocate(1, sizeof *out);
    if (strcmp(names.items[0], "all") == 0) {
        bench_words_set(&names, "fcl-obb,fcl-obbrss,18-dop,kdop,boxtree");
    }
    const peers_contest contest = contest_open(&names);
    experiment_open_csv(e, &csv, "papers");
    add_head(out, &contest);
    for (int scene = 0; scene < PAPER_SCENES; scene++) {
        contest_result results[PEERS_MOST];
        measure_scene(e, &contest, models_scene_names()[scene], results);
        write_rows(&contest, &csv, models_scene_names()[scene], results);
        add_scene(out, &contest, scene, results);
    }
    table_print(out, "The scenes of Klosowski et al., all pairs: microseconds per check");
    bench_csv_close(&csv);
    free(out);
}
