/* Zachmann 2002: figure 8, the empty space of section 3.1, lookup tables as in section 3.2.2, and what section 6.1
 * leaves open: looking ahead, and planes perpendicular to the split's axis. */
#include <math.h>
#include <stdlib.h>

#include "failure.h"
#include "papers.h"
#include "papers_boxes.h"
#include "statistics.h"

static const char *const shapes[] = {"sphere", "torus", "gear", "pipes", "terrain"};
enum {
    SHAPES = sizeof shapes / sizeof *shapes
};

/* ---- Figure 8 ---- */

/* The paper's 24-DOPs are not named. Ours have 18 and 26 faces: the box and its edges cut off, and its corners too. */
static const paper_row tree_rows[] = {
    {"boxtree", "boxtree"},
    {"boxtree (down both)", "descent=both"},
    {"boxtree (the paper's build)", "criterion=volume+growth=running+planes=parallel+trim=0+descent=both"},
    {"18-dop (a triangle per leaf)", "k=18+leaf=1+tumble=unit+traversal=both+mixed=volumes"},
    {"26-dop (a triangle per leaf)", "k=26+leaf=1+tumble=unit+traversal=both+mixed=volumes"},
    {"18-dop (our defaults)", "k=18"},
    {"26-dop (our defaults)", "k=26"}};
enum {
    TREE_ROWS = sizeof tree_rows / sizeof *tree_rows,
    NEAR = 3
};

/* Mean over three distances, of each row. */
static void measure_size(papers *p, const char *shape, size_t triangles, double means[TREE_ROWS])
{
    static const double shares[NEAR] = {1, 0.95, 0.85};
    const bench_variants first = papers_variants(tree_rows, TREE_ROWS);
    bench_subject subject = bench_subject_create(shape, triangles, 1, &first);
    const double touching = bench_touching_distance(&subject);
    bench_subject_destroy(&subject);
    bench_variants used = first;
    bench_variants_free(&used);
    for (int i = 0; i < NEAR; i++) {
        const bench_variants variants = papers_variants(tree_rows, TREE_ROWS);
        const bench_scene how = {.share = shares[i],
                                 .distance = shares[i] * touching,
                                 .mode = TUMBLE_ALL,
                                 .steps = p->series.settings->quick ? 4 : 60,
                                 .repetitions = (size_t)p->series.settings->repetitions};
        subject = bench_subject_create(shape, triangles, 1, &variants);
        paper_measured measured = papers_measure_subject(p, variants, subject, &how, subject.triangle_count);
        for (int row = 0; row < TREE_ROWS; row++) {
            const paper_note note = {"distance", shares[i], NAN, NAN, ""};
            means[row] += measured.results[row].mean_microseconds / NEAR;
            papers_write(p, &measured, (size_t)row, tree_rows[row].label, &note);
        }
        papers_free(&measured);
    }
}

void papers_z_figure_8(papers *p)
{
    static const size_t sizes[] = {1000, 4000, 16000, 64000};
    const size_t size_count = p->series.settings->quick ? 1 : sizeof sizes / sizeof *sizes;
    const char *const titles[] = {"1000", "4000", "16000", "64000"};
    for (int shape = 0; shape < SHAPES; shape++) {
        double means[sizeof sizes / sizeof *sizes][TREE_ROWS] = {{0}};
        for (size_t i = 0; i < size_count; i++) {
            measure_size(p, shapes[shape], p->series.settings->quick ? 300 : sizes[i], means[i]);
        }
        printf("%s: microseconds a check, mean over distances 1, 0.95 and 0.85 of first touch\n", shapes[shape]);
        papers_print_titles("Triangles", titles, size_count);
        for (int row = 0; row < TREE_ROWS; row++) {
            double values[sizeof sizes / sizeof *sizes];
            for (size_t i = 0; i < size_count; i++) {
                values[i] = means[i][row];
            }
            papers_print_numbers(tree_rows[row].label, values, size_count, 2);
        }
    }
}

/* ---- Trees with stored boxes ---- */

static models_mesh shape_mesh(const papers *p, int shape)
{
    return bench_make_mesh(shapes[shape], p->series.settings->quick ? 300 : 10000, 1);
}

/* Steps of a full turn about z and x at a distance. */
static plain_counts turn_trees(const papers *p, const plain_tree *tree, double distance, int coarse)
{
    const int steps = p->series.settings->quick ? 4 : 40;
    plain_counts counts = {0, 0};
    for (int i = 0; i < steps; i++) {
        const double angle = 2 * 3.14159265358979323846 * i / steps, c = cos(angle), s = sin(angle);
        const tumble_pose pose = {{{c, -s, 0, distance}, {s * c, c * c, -s, 0}, {s * s, s * c, c, 0}}};
        plain_walk(tree, tree, &pose, coarse, &counts);
    }
    return (plain_counts){counts.box_tests / steps, counts.leaf_pairs / steps};
}

static double near_distance(const models_mesh *mesh)
{
    bench_variants variants = bench_variants_parse("default");
    bench_subject subject = bench_subject_of("distance", mesh, mesh, &variants);
    const double distance = 0.9 * bench_touching_distance(&subject);
    bench_subject_destroy(&subject);
    bench_variants_free(&variants);
    return distance;
}

void papers_write_plain(papers *p, const char *scene, const char *row, const bench_result *result)
{
    const bench_variant none = bench_variant_parse("boxtree");
    bench_contestant contestant = {.variant = &none};
    bench_result written = *result;
    const paper_measured measured = {
        .scene = scene, .subject = {.contestants = &contestant, .count = 1}, .results = &written};
    papers_write(p, &measured, 0, row, &papers_no_note);
}

/* Trees that are no models: counts alone. */
static void write_counts(papers *p, const char *shape, const char *row, const plain_counts *counts)
{
    const bench_result result = {.box_tests = counts->box_tests, .primitive_tests = counts->leaf_pairs};
    papers_write_plain(p, shape, row, &result);
}

typedef struct plain_row {
    const char *label;
    plain_rules rules;
    int coarse;
} plain_row;

/* Box tests and pairs of leaves of all rows, relative to the first. */
static void run_rows(papers *p, const plain_row *rows, int count)
{
    double tests[16][SHAPES + 1], leaves[16][SHAPES + 1];
    const char *titles[SHAPES + 1];
    titles[SHAPES] = "mean";
    for (int shape = 0; shape < SHAPES; shape++) {
        models_mesh mesh = shape_mesh(p, shape);
        const double distance = near_distance(&mesh);
        titles[shape] = shapes[shape];
        for (int row = 0; row < count; row++) {
            plain_tree tree = plain_build(&mesh, rows[row].rules);
            const plain_counts counts = turn_trees(p, &tree, distance, rows[row].coarse);
            write_counts(p, shapes[shape], rows[row].label, &counts);
            tests[row][shape] = counts.box_tests / (row ? tests[0][shape] : 1);
            leaves[row][shape] = counts.leaf_pairs / (row ? leaves[0][shape] : 1);
            plain_free(&tree);
        }
        models_free(&mesh);
    }
    papers_print_titles("Relative to the first row", titles, SHAPES + 1);
    for (int what = 0; what < 2; what++) {
        puts(what ? "Pairs of leaves" : "Box tests");
        for (int row = 0; row < count; row++) {
            double *values = what ? leaves[row] : tests[row], sum = 0;
            for (int shape = 0; shape < SHAPES; shape++) {
                values[shape] = row ? values[shape] : 1;
                sum += log(values[shape]);
            }
            values[SHAPES] = exp(sum / SHAPES);
            papers_print_numbers(rows[row].label, values, SHAPES + 1, 2);
        }
    }
}

void papers_z_look_ahead(papers *p)
{
    static const plain_row paper[] = {
        {"volume (the paper)", {.restricted = 1}, -1},
        {"... looking ahead", {.restricted = 1, .ahead = 1}, -1},
        {"... perpendicular planes", {.restricted = 1, .any_side = 1}, -1},
        {"... both", {.restricted = 1, .ahead = 1, .any_side = 1}, -1},
    };
    static const plain_row ours[] = {
        {"volume-count, trim (our default)", {.restricted = 1, .count = 1, .trim = 0.9}, -1},
        {"... looking ahead", {.restricted = 1, .count = 1, .trim = 0.9, .ahead = 1}, -1},
        {"... perpendicular planes", {.restricted = 1, .count = 1, .trim = 0.9, .any_side = 1}, -1},
        {"... both", {.restricted = 1, .count = 1, .trim = 0.9, .ahead = 1, .any_side = 1}, -1},
    };
    run_rows(p, paper, sizeof paper / sizeof *paper);
    run_rows(p, ours, sizeof ours / sizeof *ours);
}

void papers_z_tables(papers *p)
{
    static const plain_row rows[] = {
        {"products", {.restricted = 1, .count = 1, .trim = 0.9}, -1},
        {"1,000 integers (the paper)", {.restricted = 1, .count = 1, .trim = 0.9}, 0},
        {"961 floats of 6 bits (ours)", {.restricted = 1, .count = 1, .trim = 0.9}, 1},
    };
    run_rows(p, rows, sizeof rows / sizeof *rows);
    papers_z_table_times(p);
}

/* ---- Empty space ---- */

static double extent_of(const plain_box *box, int axis)
{
    return box->upper[axis] - box->lower[axis];
}

/* Of the parent's volume, cut at the side of the split, what the child does not have. */
static double empty_share(const plain_tree *tree, const plain_node *node)
{
    const plain_box *parent = &tree->nodes[node->parent].box;
    double full = 1;
    for (int k = 0; k < 3; k++) {
        double length = extent_of(parent, k);
        if (node->split / 2 == k) {
            length = node->split & 1 ? node->box.upper[k] - parent->lower[k] : parent->upper[k] - node->box.lower[k];
        }
        full *= length > 0 ? extent_of(&node->box, k) / length : 1;
    }
    return 1 - full;
}

void papers_z_empty(papers *p)
{
    static const char *const titles[] = {"median, %", "to 10 %, %", "mean, %"};
    papers_print_titles("AABB trees: empty space of a node", titles, 3);
    for (int shape = 0; shape < SHAPES; shape++) {
        models_mesh mesh = shape_mesh(p, shape);
        plain_tree tree = plain_build(&mesh, (plain_rules){.restricted = 0});
        double *shares = bench_allocate((size_t)tree.count, sizeof *shares), sum = 0, few = 0;
        size_t count = 0;
        for (int i = 1; i < tree.count; i++) {
            shares[count] = empty_share(&tree, &tree.nodes[i]);
            sum += shares[count];
            few += shares[count++] <= 0.1;
        }
        const double values[] = {100 * bench_median(shares, count), 100 * few / (double)count,
                                 100 * sum / (double)count};
        const plain_counts written = {values[0], values[1]};
        papers_print_numbers(shapes[shape], values, 3, 1);
        write_counts(p, shapes[shape], "empty: median, nodes to 10 %", &written);
        free(shares);
        plain_free(&tree);
        models_free(&mesh);
    }
    puts("The paper: about 10 % for about half of all nodes");
}
