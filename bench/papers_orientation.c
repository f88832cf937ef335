/* Klosowski et al. 1998, section 4.1: is there an orientation of the flyer in which its tree is best? The flyer is
 * turned before its tree is built, and the path is turned back. */
#include <math.h>
#include <stdlib.h>

#include "failure.h"
#include "papers.h"
#include "tree/kdop/kdop.h"
#include "tree/kdop/volume.h"

enum {
    TURNS = 25, /* the first is none */
    MOST_STEPS = 1000
};

typedef struct turned {
    double volume;       /* of all nodes of the flyer's tree */
    double volume_tests; /* per check */
} turned;

static double volume_of(const tumble_model *model)
{
    const double scale = model->frame.scale;
    double volume = 0;
    for (uint32_t node = TMB_KDOP_ROOT; node <= model->block->node_count; node++) {
        volume += tmb_kdop_volume(18, (const float *)tmb_kdop_row(model->nodes, 18, node), 0x1p-14);
    }
    return volume / (scale * scale * scale);
}

/* The pose of the flyer whose mesh was turned. */
static tumble_pose turned_back(const tumble_pose *pose, const tumble_pose *turn)
{
    tumble_pose out = *pose;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out.m[i][j] = 0;
            for (int k = 0; k < 3; k++) {
                out.m[i][j] += pose->m[i][k] * turn->m[j][k];
            }
        }
    }
    return out;
}

static tumble_pose *turn_path(const models_scene *scene, size_t steps, const tumble_pose *turn)
{
    tumble_pose *path = bench_allocate(steps, sizeof *path);
    for (size_t i = 0; i < steps; i++) {
        path[i] = turned_back(&scene->path[i * scene->path_length / steps], turn);
    }
    return path;
}

/* One orientation, in the paper's setting; its line is written too. */
static turned measure_turn(papers *p, const models_scene *scene, const tumble_pose *turn, int number)
{
    static const paper_row row = {"", "k=18" PAPER_SETTING};
    const size_t steps = scene->path_length < MOST_STEPS ? scene->path_length : MOST_STEPS;
    const paper_note note = {"turn", number, NAN, NAN, ""};
    const bench_variants variants = papers_variants(&row, 1);
    models_mesh flyer = {0};
    models_append(&flyer, &scene->flyer, turn);
    tumble_pose *path = turn_path(scene, steps, turn);
    const bench_scene how = {.mode = TUMBLE_ALL, .steps = steps, .repetitions = 1, .path = path};
    const bench_subject subject = bench_subject_of(scene->name, &scene->environment, &flyer, &variants);
    paper_measured measured = papers_measure_subject(p, variants, subject, &how, models_triangle_count(&scene->flyer));
    const turned out = {volume_of(measured.subject.contestants[0].flyer), measured.results[0].box_tests};
    papers_write(p, &measured, 0, "18-dop", &note);
    papers_free(&measured);
    models_free(&flyer);
    free(path);
    return out;
}

static double correlation(const turned *turns, int count)
{
    double sums[5] = {0};
    for (int i = 0; i < count; i++) {
        const double x = turns[i].volume, y = turns[i].volume_tests;
        sums[0] += x, sums[1] += y, sums[2] += x * x, sums[3] += y * y, sums[4] += x * y;
    }
    const double spread_x = count * sums[2] - sums[0] * sums[0], spread_y = count * sums[3] - sums[1] * sums[1];
    const int differ = spread_x > 1e-9 * sums[0] * sums[0] && spread_y > 1e-9 * sums[1] * sums[1];
    return differ ? (count * sums[4] - sums[0] * sums[1]) / sqrt(spread_x * spread_y) : (double)NAN;
}

enum {
    GIVEN,
    MEAN,
    SMALLEST,
    FEWEST,
    MOST,
    CORRELATION,
    LINES
};

static void summarise(const turned *turns, int count, double out[LINES])
{
    int smallest = 0, fewest = 0, most = 0;
    out[GIVEN] = turns[0].volume_tests;
    out[MEAN] = 0;
    for (int i = 0; i < count; i++) {
        out[MEAN] += turns[i].volume_tests / count;
        smallest = turns[i].volume < turns[smallest].volume ? i : smallest;
        fewest = turns[i].volume_tests < turns[fewest].volume_tests ? i : fewest;
        most = turns[i].volume_tests > turns[most].volume_tests ? i : most;
    }
    out[SMALLEST] = turns[smallest].volume_tests;
    out[FEWEST] = turns[fewest].volume_tests;
    out[MOST] = turns[most].volume_tests;
    out[CORRELATION] = correlation(turns, count);
}

void papers_design_orientation(papers *p)
{
    static const char *const labels[LINES] = {"as given",     "mean of 25", "the least volume of the tree",
                                              "fewest of 25", "most of 25", "correlation of tests and volume"};
    static const tumble_pose none = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    const int count = p->series.settings->quick ? 3 : TURNS;
    const char *titles[PAPER_SCENES];
    double columns[PAPER_SCENES][LINES], values[PAPER_SCENES];
    for (int i = 0; i < PAPER_SCENES; i++) {
        models_random random = {7};
        turned turns[TURNS];
        titles[i] = papers_scene_title(i);
        for (int t = 0; t < count; t++) {
            const tumble_pose turn = t ? models_random_rotation(&random) : none;
            turns[t] = measure_turn(p, papers_scene(p, i), &turn, t);
        }
        summarise(turns, count, columns[i]);
    }
    papers_print_titles("N_v: volume tests per check", titles, PAPER_SCENES);
    for (int line = 0; line < LINES; line++) {
        for (int i = 0; i < PAPER_SCENES; i++) {
            values[i] = columns[i][line];
        }
        papers_print_numbers(labels[line], values, PAPER_SCENES, line == CORRELATION ? 2 : 1);
    }
}
