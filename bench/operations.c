/* Floating-point operations of a box test and bytes of a node, beside table 1 of Zachmann 2002.
 *
 * The kernels keep a pair of boxes as gaps, two for each direction (docs/boxtree.md). A cut of a box perpendicular to
 * one of its axes moves one of the two gaps of each direction that is not perpendicular to that axis; the other
 * products are zeros. What moves is the useful work. What is executed is more: whole SIMD registers, zeros and padding
 * included. Both follow from the kernels' structure and are counted here by the same loops; how many pairs share the
 * work of a node is also measured. */
#include <stdlib.h>

#include "commands.h"
#include "failure.h"
#include "machine.h"
#include "measure.h"
#include "statistics.h"

/* ---- Counting ---- */

/* The directions of an overlap test, by kind. */
typedef struct direction_set {
    int axes_of_a, axes_of_b, cross_products;
} direction_set;

typedef struct operations {
    double multiplications, additions, comparisons;
} operations;

static direction_set directions_of(const bench_variant *variant)
{
    const int full = variant->tuning.boxtree_walk.overlap == TUMBLE_OVERLAP_SAT;
    const int lite = variant->tuning.boxtree_walk.overlap == TUMBLE_OVERLAP_SAT_LITE ||
                     variant->tuning.boxtree_walk.overlap == TUMBLE_OVERLAP_AUTO;
    const int both = full || lite || variant->tuning.boxtree_walk.direction == TUMBLE_DIRECTION_BOTH;
    return (direction_set){both || variant->tuning.boxtree_walk.direction == TUMBLE_DIRECTION_B_INTO_A ? 3 : 0,
                           both || variant->tuning.boxtree_walk.direction == TUMBLE_DIRECTION_A_INTO_B ? 3 : 0,
                           full ? 9 : 0};
}

static int direction_count(direction_set set)
{
    return set.axes_of_a + set.axes_of_b + set.cross_products;
}

/* Directions that a cut perpendicular to one axis of a box moves: of its own three axes that one; of the other box's,
 * in general, all; of the nine cross products those that are not made of this axis, which are perpendicular to it. */
static int moved_gaps(int own_axes, int other_axes, int cross_products)
{
    return own_axes / 3 + other_axes + cross_products * 2 / 3;
}

/* Lanes that a pair takes in registers of `width` doubles. */
static int lanes_of(direction_set set, int width)
{
    const int gaps = 2 * direction_count(set);
    return (gaps + width - 1) / width * width;
}

/* A pair on its own: both cuts multiplied and subtracted, every moved gap compared. */
static operations count_alone(double moved_a, double moved_b)
{
    return (operations){moved_a + moved_b, moved_a + moved_b, moved_a + moved_b};
}

/* Section 3.3: the four pairs of two children each share the gaps with A's cut taken off, and B's products; a quarter
 * of all that is a pair's part. */
static operations count_shared(double moved_a, double moved_b, double compared)
{
    const double pairs = 4, children = 2;
    return (operations){children * (moved_a + moved_b) / pairs, children * moved_a / pairs + moved_b, compared};
}

static double sum_of(operations work)
{
    return work.multiplications + work.additions + work.comparisons;
}

/* What lookup tables replace: the products of the cuts of the box that is moved into the other's frame. */
static double looked_up(const bench_variant *variant, direction_set set)
{
    return variant->tuning.boxtree_walk.overlap == TUMBLE_OVERLAP_TABLES ? set.axes_of_a + set.axes_of_b : 0;
}

static int paper_operations(tumble_overlap overlap)
{
    switch (overlap) {
    case TUMBLE_OVERLAP_AXES: return 12;
    case TUMBLE_OVERLAP_SAT: return 82;
    case TUMBLE_OVERLAP_SAT_LITE:
    case TUMBLE_OVERLAP_AUTO: return 24;
    case TUMBLE_OVERLAP_TABLES: break;
    }
    return 0; /* the paper gives no number */
}

/* ---- Measuring ---- */

typedef struct sharing {
    double tests, updates, primitive_tests, microseconds; /* of a query, summed over the shapes */
} sharing;

static void add_shape(const bench_settings *settings, const bench_variants *variants, const char *shape, sharing *sums,
                      int *differ)
{
    bench_subject subject = bench_subject_create(shape, (size_t)settings->sizes.items[0], settings->seed, variants);
    bench_result *results = bench_allocate(variants->count, sizeof *results);
    bench_scene scene = {.subject = &subject,
                         .share = settings->shares.items[0],
                         .distance = settings->shares.items[0] * bench_touching_distance(&subject),
                         .mode = TUMBLE_ALL,
                         .repetitions = (size_t)settings->repetitions};
    scene.steps = bench_choose_steps(&scene, (size_t)settings->steps, settings->work);
    if (bench_measure(&scene, results)) {
        for (size_t i = 0; i < variants->count; i++) {
            sums[i].tests += results[i].box_tests;
            sums[i].updates += results[i].box_updates;
            sums[i].primitive_tests += results[i].primitive_tests;
            sums[i].microseconds += results[i].mean_microseconds;
        }
    } else {
        *differ = 1;
    }
    free(results);
    bench_subject_destroy(&subject);
}

/* ---- Reporting ---- */

static void print_count(int width, int decimals, double count)
{
    if (count > 0) {
        printf("  %*.*f", width, decimals, count);
    } else {
        printf("  %*s", width, "-");
    }
}

static void report_variant(const bench_variant *variant, const sharing *measured, const sharing *first, bench_csv *csv)
{
    const direction_set set = directions_of(variant);
    const double a = moved_gaps(set.axes_of_a, set.axes_of_b, set.cross_products);
    const double b = moved_gaps(set.axes_of_b, set.axes_of_a, set.cross_products), tables = looked_up(variant, set);
    const double alone = sum_of(count_alone(a, b)) - tables, shared = sum_of(count_shared(a, b, a + b)) - tables / 2;
    const int widths[3] = {1, 4, 8};
    double executed[3] = {0, 0, 0};
    printf("%-24s %5d", variant->name, direction_count(set));
    print_count(9, 0, paper_operations(variant->tuning.boxtree_walk.overlap));
    print_count(6, 0, alone);
    print_count(6, 1, shared);
    for (int i = 0; i < 3; i++) {
        const double lanes = lanes_of(set, widths[i]);
        executed[i] = tables > 0 ? 0 : sum_of(count_shared(lanes, lanes, lanes)); /* tables are read one by one */
        print_count(6, 0, executed[i]);
    }
    printf("  %7.3f  %7.3f  %7.3f  %6.1f\n", measured->updates / measured->tests, measured->tests / first->tests,
           measured->primitive_tests / first->primitive_tests, 1e3 * measured->microseconds / measured->tests);
    bench_csv_text(csv, "variant", variant->name);
    bench_csv_count(csv, "directions", (uint64_t)direction_count(set));
    bench_csv_count(csv, "paper", (uint64_t)paper_operations(variant->tuning.boxtree_walk.overlap));
    bench_csv_number(csv, "useful_alone", alone);
    bench_csv_number(csv, "useful_shared", shared);
    bench_csv_number(csv, "executed_scalar", executed[0]);
    bench_csv_number(csv, "executed_avx2", executed[1]);
    bench_csv_number(csv, "executed_avx512", executed[2]);
    bench_csv_number(csv, "updates_per_test", measured->updates / measured->tests);
    bench_csv_number(csv, "relative_box_tests", measured->tests / first->tests);
    bench_csv_number(csv, "relative_primitive_tests", measured->primitive_tests / first->primitive_tests);
    bench_csv_number(csv, "ns_per_box_test", 1e3 * measured->microseconds / measured->tests);
    bench_csv_end_row(csv);
}

static void report_tests(const bench_variants *variants, const sharing *sums, bench_csv *csv)
{
    puts("Floating-point operations of a box test (multiplications, additions, comparisons)");
    puts("                                          |    useful     |  executed, shared     |          measured");
    puts("test                      axes  the paper   alone  shared  scalar    avx2  avx512  updates    tests"
         "  leaves      ns");
    for (size_t i = 0; i < variants->count; i++) {
        report_variant(&variants->items[i], &sums[i], &sums[0], csv);
    }
    puts("\n"
         "alone: each pair for itself; shared: a node's work once for the four pairs of its children (section 3.3);\n"
         "executed: whole registers; updates: boxes updated for each box test; tests and leaves: box tests and "
         "triangle\n"
         "tests of a query, relative to the first row; ns: time of a query, triangle tests included, a box test.\n");
}

/* Bytes from models as they are, of all shapes together. */
static void report_bytes(const bench_settings *settings)
{
    static const char words[] = "layout=one-plane,layout=one-plane+trim=0,layout=one-plane+trim=1,layout=two-planes,"
                                "layout=two-planes+trim=0,layout=two-planes+trim=1";
    bench_variants variants = bench_variants_parse(words);
    double *bytes = bench_allocate(variants.count, sizeof *bytes),
           *nodes = bench_allocate(variants.count, sizeof *nodes);
    double triangles = 0;
    for (size_t shape = 0; shape < settings->shapes.count; shape++) {
        bench_subject subject = bench_subject_create(settings->shapes.items[shape], (size_t)settings->sizes.items[0],
                                                     settings->seed, &variants);
        triangles += (double)subject.triangle_count;
        for (size_t i = 0; i < variants.count; i++) {
            bytes[i] += (double)subject.contestants[i].info.hierarchy_bytes;
            nodes[i] += (double)subject.contestants[i].info.node_count;
        }
        bench_subject_destroy(&subject);
    }
    printf("Bytes of a tree%29sper node    nodes/triangle   /triangle\n", "");
    for (size_t i = 0; i < variants.count; i++) {
        printf("    %-40s  %6.2f  %16.3f  %10.2f\n", variants.items[i].name, bytes[i] / nodes[i], nodes[i] / triangles,
               bytes[i] / triangles);
    }
    free(bytes);
    free(nodes);
    bench_variants_free(&variants);
}

/* Table 1 of the paper, for the eye. A binary tree with one triangle per leaf has two nodes per triangle. */
static void report_paper(void)
{
    static const struct row {
        const char *name;
        int bytes, operations;
    } rows[] = {{"restricted boxtree, axis alignment", 9, 12},
                {"restricted boxtree, SAT lite", 9, 24},
                {"restricted boxtree, SAT", 9, 82},
                {"sphere tree", 16, 29},
                {"AABB tree", 28, 90},
                {"OBB tree", 64, 243},
                {"24-DOP tree", 100, 168}};
    puts("\nTable 1 of the paper                          bytes/node      operations/test    bytes/triangle");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        printf("    %-40s  %12d  %17d  %16d\n", rows[i].name, rows[i].bytes, rows[i].operations, 2 * rows[i].bytes);
    }
}

int bench_run_operations(const bench_settings *settings)
{
    bench_variants variants = bench_variants_parse(settings->variants);
    sharing *sums = bench_allocate(variants.count, sizeof *sums);
    bench_csv csv;
    int differ = 0;
    bench_csv_open(&csv, settings->csv);
    bench_set_origin(&csv, settings->commit, settings->seed);
    bench_print_origin(stdout, settings->commit);
    for (size_t shape = 0; shape < settings->shapes.count; shape++) {
        add_shape(settings, &variants, settings->shapes.items[shape], sums, &differ);
    }
    report_tests(&variants, sums, &csv);
    report_bytes(settings);
    report_paper();
    bench_csv_close(&csv);
    free(sums);
    bench_variants_free(&variants);
    return differ;
}
