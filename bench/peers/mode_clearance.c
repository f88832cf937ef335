/* Times of the question whether two models are closer than some distance. Copies of a mesh at random rotations are
 * placed so that they just miss it, and so that they are just within it; a distance of 0 is the question whether they
 * touch, and the others should not cost much more. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "modes.h"
#include "separate.h"

typedef struct clearances {
    experiment *e;
    peers_contest contest; /* those who can be asked */
    bench_csv csv;
    speed_table *others;
    text_table *own[2]; /* Tumble's times: just missing, just within */
} clearances;

static void write_rows(clearances *c, const char *mesh, double gap, const contest_scene *scene,
                       const contest_result *results)
{
    for (size_t i = 0; i < c->contest.count; i++) {
        const contest_result *r = &results[i];
        bench_csv_text(&c->csv, "mesh", mesh);
        bench_csv_count(&c->csv, "triangles", scene->a->mesh->triangle_count);
        bench_csv_number(&c->csv, "clearance", scene->clearance);
        bench_csv_number(&c->csv, "gap", gap);
        bench_csv_text(&c->csv, "peer", c->contest.items[i].name);
        bench_csv_text(&c->csv, "peer_version", c->contest.items[i].peer->version);
        bench_csv_count(&c->csv, "poses", scene->pose_count);
        bench_csv_count(&c->csv, "repetitions", r->repetitions);
        bench_csv_number(&c->csv, "mean_us", r->microseconds);
        bench_csv_number(&c->csv, "relative", r->microseconds / results[0].microseconds);
        bench_csv_count(&c->csv, "hits", r->hits);
        bench_csv_count(&c->csv, "exact_hits", r->true_hits);
        bench_csv_count(&c->csv, "missed", r->missed);
        bench_csv_count(&c->csv, "invented", r->invented);
        bench_csv_end_row(&c->csv);
    }
}

/* The contest is a part of the experiment's. */
static void count_answers(clearances *c, size_t questions, const contest_result *results)
{
    size_t all = 0;
    for (size_t i = 0; i < c->contest.count; i++, all++) {
        while (strcmp(c->e->contest.items[all].name, c->contest.items[i].name) != 0) {
            all++;
        }
        c->e->answers[all].questions += questions;
        c->e->answers[all].missed_hits += results[i].missed;
        c->e->answers[all].invented_hits += results[i].invented;
    }
}

/* Tumble's time of a question; the others' go into the table. */
static double run_scene(clearances *c, const peers_mesh *mesh, double gap, contest_scene *scene)
{
    const peers_options *options = c->e->options;
    contest_result results[PEERS_MOST];
    char row[TABLE_CELL];
    scene->question = scene->clearance > 0 ? CONTEST_WITHIN : CONTEST_FIRST;
    scene->repetitions = (size_t)options->repetitions;
    scene->patience = 1e6 * options->patience;
    scene->limit = INFINITY;
    show_progress("clearance: %s, %g, %+g", mesh->name, scene->clearance, gap);
    contest_measure(&c->contest, scene, results);
    show_progress("%s", "");
    write_rows(c, mesh->name, gap, scene, results);
    count_answers(c, scene->pose_count, results);
    if (scene->clearance > 0) {
        snprintf(row, sizeof row, "%s/%g", mesh->name, scene->clearance);
        speed_table_add(c->others, row, results);
    }
    return results[0].microseconds;
}

/* The time, and how many times that of yes or no it is. */
static void add_own(text_table *out, double time, double *yes_or_no)
{
    if (*yes_or_no > 0) {
        table_cell(out, "%.2f (%.2f)", time, time / *yes_or_no);
    } else {
        *yes_or_no = time;
        table_cell(out, "%.2f", time);
    }
}

static void run_mesh(clearances *c, const peers_mesh *mesh)
{
    const peers_options *options = c->e->options;
    const size_t count = (size_t)options->poses;
    contest_models models = contest_build(&c->contest, &mesh->view);
    tumble_pose *poses = bench_allocate(count, sizeof *poses);
    double yes_or_no[2] = {0, 0};
    for (int side = 0; side < 2; side++) {
        table_cell(c->own[side], "%s", mesh->name);
    }
    for (size_t i = 0; i <= options->clearances.count; i++) {
        contest_scene scene = {.a = &models, .b = &models, .poses = poses, .pose_count = count};
        scene.clearance = i ? options->clearances.items[i - 1] : 0;
        separation *places = separate_copies(&c->contest, &models, scene.clearance, count, options->seed);
        for (int side = 0; side < 2; side++) {
            const double gap = side ? -options->gap : options->gap;
            for (size_t k = 0; k < count; k++) {
                poses[k] = separated_pose(&places[k], gap);
            }
            add_own(c->own[side], run_scene(c, mesh, gap, &scene), &yes_or_no[side]);
        }
        free(places);
    }
    for (int side = 0; side < 2; side++) {
        table_end_row(c->own[side]);
    }
    free(poses);
    contest_destroy(&c->contest, &models);
}

static text_table *own_table(const peers_options *options)
{
    text_table *out = bench_allocate(1, sizeof *out);
    table_cell(out, "mesh");
    table_cell(out, "touching?");
    for (size_t i = 0; i < options->clearances.count; i++) {
        table_cell(out, "within %g?", options->clearances.items[i]);
    }
    table_end_row(out);
    return out;
}

void mode_clearance(experiment *e)
{
    clearances *c = bench_allocate(1, sizeof *c);
    c->e = e;
    c->contest = contest_for(&e->contest, CONTEST_WITHIN);
    c->others = speed_table_new(&c->contest, "clearance",
                                "Closer than a distance, yes or no: how many times longer than Tumble the others take",
                                "mesh/distance");
    c->own[0] = own_table(e->options);
    c->own[1] = own_table(e->options);
    experiment_open_csv(e, &c->csv, "clearance");
    for (size_t i = 0; i < peers_mesh_count(e->options); i++) {
        peers_mesh mesh = peers_mesh_make(e->options, i);
        run_mesh(c, &mesh);
        peers_mesh_free(&mesh);
    }
    bench_csv_close(&c->csv);
    speed_table_finish(c->others, &e->summary, &e->board);
    table_print(c->own[0], "Clearance, just missing, Tumble alone: microseconds (times that of yes or no)");
    table_print(c->own[1], "Clearance, just within, Tumble alone: microseconds (times that of yes or no)");
    free(c->own[0]);
    free(c->own[1]);
    free(c);
}
