/* Who is right: all libraries against the judge (judge.h), who examines every pair of triangles whose boxes overlap and
 * takes no library's word. Quarter turns are asked apart, because there faces lie in common planes. */
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "judge.h"
#include "models.h"
#include "modes.h"

/* ---- Counting ---- */

/* One row of the tables: a mesh at general angles or at quarter turns. */
typedef struct check_row {
    const char *mesh, *angles;
    uint64_t poses, hits, pairs;
    answer_count counts[PEERS_MOST];
} check_row;

static void check_pose(const experiment *e, const contest_models *models, const tumble_pose *pose, check_row *row)
{
    pair_list truth = {0}, list = {0};
    judge_all(models->mesh, models->mesh, pose, &truth);
    row->poses++;
    row->hits += truth.count > 0;
    row->pairs += truth.count;
    for (size_t i = 0; i < e->contest.count; i++) {
        const peers_contestant *contestant = &e->contest.items[i];
        answer_count *count = &row->counts[i];
        void *model = models->items[i];
        if (contestant->bare) {
            continue;
        }
        const int hit = contest_ask(contestant, model, model, pose, NULL) > 0;
        count->missed_hits += truth.count && !hit;
        count->invented_hits += hit && !truth.count;
        if (contestant->peer->all) {
            contest_ask(contestant, model, model, pose, &list);
            pair_list_compare(&truth, &list, &count->missed_pairs, &count->invented_pairs, NULL);
        }
    }
    pair_list_free(&truth);
    pair_list_free(&list);
}

static void write_rows(const experiment *e, bench_csv *csv, const check_row *row, size_t triangles)
{
    for (size_t i = 0; i < e->contest.count; i++) {
        const peers_contestant *contestant = &e->contest.items[i];
        const answer_count *count = &row->counts[i];
        if (contestant->bare) {
            continue;
        }
        bench_csv_text(csv, "mesh", row->mesh);
        bench_csv_count(csv, "triangles", triangles);
        bench_csv_text(csv, "angles", row->angles);
        bench_csv_text(csv, "peer", contestant->name);
        bench_csv_text(csv, "peer_version", contestant->peer->version);
        bench_csv_count(csv, "poses", row->poses);
        bench_csv_count(csv, "exact_hits", row->hits);
        bench_csv_count(csv, "missed_hits", count->missed_hits);
        bench_csv_count(csv, "invented_hits", count->invented_hits);
        bench_csv_count(csv, "exact_pairs", row->pairs);
        bench_csv_text(csv, "offers_pairs", contestant->peer->all ? "yes" : "no");
        bench_csv_count(csv, "missed_pairs", count->missed_pairs);
        bench_csv_count(csv, "invented_pairs", count->invented_pairs);
        bench_csv_end_row(csv);
    }
}

/* ---- Tables ---- */

static void add_head(const experiment *e, text_table *out, const char *what)
{
    table_cell(out, "mesh");
    table_cell(out, "angles");
    table_cell(out, "%s", what);
    for (size_t i = 0; i < e->contest.count; i++) {
        if (!e->contest.items[i].bare) {
            table_cell(out, "%s", e->contest.items[i].name);
        }
    }
    table_end_row(out);
}

static void add_row(const experiment *e, text_table *out, const check_row *row, int of_pairs)
{
    table_cell(out, "%s", row->mesh);
    table_cell(out, "%s", row->angles);
    table_cell(out, "%llu", (unsigned long long)(of_pairs ? row->pairs : row->poses));
    for (size_t i = 0; i < e->contest.count; i++) {
        const answer_count *count = &row->counts[i];
        if (e->contest.items[i].bare) {
            continue;
        }
        if (of_pairs && !e->contest.items[i].peer->all) {
            table_cell(out, "-");
            continue;
        }
        table_cell(out, "%llu/%llu", (unsigned long long)(of_pairs ? count->missed_pairs : count->missed_hits),
                   (unsigned long long)(of_pairs ? count->invented_pairs : count->invented_hits));
    }
    table_end_row(out);
}

static void run_angles(const experiment *e, const contest_models *models, int quarters, check_row *row)
{
    const double touch = touching_distance(e, models);
    const size_t steps = quarters ? 4 : (size_t)e->options->poses;
    for (size_t i = 0; i < e->options->shares.count; i++) {
        for (size_t k = 0; k < steps; k++) {
            const double distance = touch * e->options->shares.items[i];
            const tumble_pose pose = quarters ? models_tumbling_pose(k, steps, distance)
                                              : models_tumbling_pose(2 * k + 1, 2 * steps, distance);
            show_progress("check: %s, %s, distance %g, pose %zu", row->mesh, row->angles, distance, k);
            check_pose(e, models, &pose, row);
        }
    }
    show_progress("%s", "");
}

static void run_mesh(const experiment *e, const peers_mesh *mesh, bench_csv *csv, text_table *pairs, text_table *hits)
{
    contest_models models = contest_build(&e->contest, &mesh->view);
    for (int quarters = 0; quarters < 2; quarters++) {
        check_row *row = bench_allocate(1, sizeof *row);
        row->mesh = mesh->name;
        row->angles = quarters ? "quarter turns" : "general";
        run_angles(e, &models, quarters, row);
        add_row(e, pairs, row, 1);
        add_row(e, hits, row, 0);
        write_rows(e, csv, row, mesh->view.triangle_count);
        free(row);
    }
    contest_destroy(&e->contest, &models);
}

/* The shapes in one small size, and the files as they are. */
static peers_options smaller(const peers_options *options)
{
    peers_options copy = *options;
    copy.triangles.count = 1;
    copy.triangles.items[0] = options->check_triangles;
    return copy;
}

void mode_check(experiment *e)
{
    bench_csv csv;
    text_table *pairs = bench_allocate(1, sizeof *pairs), *hits = bench_allocate(1, sizeof *hits);
    const peers_options options = smaller(e->options);
    experiment_open_csv(e, &csv, "check");
    add_head(e, pairs, "true pairs");
    add_head(e, hits, "questions");
    for (size_t i = 0; i < peers_mesh_count(&options); i++) {
        peers_mesh mesh = peers_mesh_make(&options, i);
        run_mesh(e, &mesh, &csv, pairs, hits);
        peers_mesh_free(&mesh);
    }
    table_print(pairs, "Check, all pairs: missed/invented");
    table_print(hits, "Check, yes or no: wrong no/wrong yes");
    bench_csv_close(&csv);
    free(pairs);
    free(hits);
}
