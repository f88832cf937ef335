/* Building k-DOP trees: each rule splits where it should, for every option and set of triangles; and building can run
 * out of memory. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "moving.h"
#include "sets.h"
#include "tree/block.h"
#include "tree/kdop/kdop.h"
#include "tree/kdop/volume.h"

/* Centroids are told in float by the builder and in double here. */
#define CLOSE 0x1p-20

static const uint32_t all_k[] = {6, 12, 14, 18, 26};

/* ---- A tree and what it was made of ---- */

typedef struct built {
    tumble_kdop_options options;
    tmb_arena arena;
    tmb_kdop_tree tree;
    size_t count;
    double (*corners)[3][3]; /* local, by the triangle's number */
    double (*centroids)[3];
    uint32_t nodes, depth; /* as found */
    size_t checked, unclear;
} built;

static void make_local(built *b, const models_mesh *mesh, const tmb_triangle_set *set)
{
    const tmb_local_frame frame = tmb_local_frame_of(set->lower, set->upper);
    b->count = set->count;
    b->corners = malloc(b->count * sizeof *b->corners);
    b->centroids = malloc(b->count * sizeof *b->centroids);
    assert_true(b->corners && b->centroids);
    for (size_t i = 0; i < b->count; i++) {
        for (int k = 0; k < 3; k++) {
            double sum = 0;
            for (int c = 0; c < 3; c++) {
                const double x = mesh->points[3 * (size_t)mesh->indices[3 * i + (size_t)c] + (size_t)k];
                b->corners[i][c][k] = (x - frame.centre[k]) * frame.scale;
                sum += b->corners[i][c][k];
            }
            b->centroids[i][k] = sum / 3;
        }
    }
}

static built build(tumble_context *context, const models_mesh *mesh, const tumble_kdop_options *options)
{
    built b = {.options = *options, .arena = {.context = context}};
    const tumble_mesh view = models_view(mesh);
    tumble_model_options all = tumble_default_model_options();
    test_tune(all, kdop, *options);
    all.thread_count = 1;
    tmb_triangle_set set = {.mesh = &view, .corners = mesh->indices, .count = mesh->index_count / 3};
    for (int k = 0; k < 3; k++) {
        set.lower[k] = INFINITY, set.upper[k] = -INFINITY;
        for (size_t i = 0; i < mesh->index_count; i++) {
            const double x = mesh->points[3 * (size_t)mesh->indices[i] + (size_t)k];
            set.lower[k] = fmin(set.lower[k], x), set.upper[k] = fmax(set.upper[k], x);
        }
    }
    assert_int_equal(tmb_kdop_build(&b.arena, &set, &all, &b.tree), TUMBLE_OK);
    make_local(&b, mesh, &set);
    return b;
}

static void release(built *b)
{
    tmb_arena_release(&b->arena);
    free(b->corners), free(b->centroids);
}

/* ---- The rules, anew ---- */

typedef struct bounds {
    float lanes[TMB_KDOP_MOST];
    size_t count;
} bounds;

static const bounds no_bounds = {{0}, 0};

static void add_triangle(const built *b, const tmb_kdop_set *set, uint32_t triangle, bounds *out)
{
    for (uint32_t l = 0; l < set->k; l++) {
        double d[3], most = -INFINITY;
        tmb_kdop_lane(set, l, d);
        for (int c = 0; c < 3; c++) {
            const double *p = b->corners[triangle][c];
            most = fmax(most, (d[0] * p[0] + d[1] * p[1]) + d[2] * p[2]);
        }
        out->lanes[l] = out->count && out->lanes[l] > (float)most ? out->lanes[l] : (float)most;
    }
    out->count++;
}

static bounds bounds_of(const built *b, const tmb_kdop_set *set, const uint32_t *triangles, size_t count)
{
    bounds out = no_bounds;
    for (size_t i = 0; i < count; i++) {
        add_triangle(b, set, triangles[i], &out);
    }
    return out;
}

static const tmb_kdop_set *axes_of(const built *b)
{
    return tmb_kdop_set_of(b->options.all_directions ? b->options.k : 6);
}

static double coordinate(const built *b, uint32_t axis, uint32_t triangle)
{
    const double *d = axes_of(b)->directions[axis], *p = b->centroids[triangle];
    return (d[0] * p[0] + d[1] * p[1]) + d[2] * p[2];
}

/* A cut of a set: the first child's triangles, and then the second one's. */
typedef struct parted {
    const built *b;
    const uint32_t *triangles;
    size_t first, count;
    double margin;
} parted;

static double measure(const parted *c, const bounds *set)
{
    return c->b->options.estimate ? tmb_kdop_volume_estimate(c->b->options.k, set->lanes, c->margin)
                                  : tmb_kdop_size_of(c->b->options.k, set->lanes, c->margin).volume;
}

static double cost_of(const parted *c, const bounds *first, const bounds *second)
{
    const int best = c->b->options.at == TUMBLE_KDOP_AT_BEST;
    const double one = measure(c, first) * (best ? (double)first->count : 1),
                 other = measure(c, second) * (best ? (double)second->count : 1);
    return c->b->options.split == TUMBLE_KDOP_SPLIT_MIN_MAX ? fmax(one, other) : one + other;
}

/* ---- Mean and median ---- */

static double mean_of(const parted *c, uint32_t axis)
{
    const double origin = coordinate(c->b, axis, c->triangles[0]);
    double sum = 0; /* equal numbers have that number as their mean */
    for (size_t i = 0; i < c->count; i++) {
        sum += coordinate(c->b, axis, c->triangles[i]) - origin;
    }
    return origin + sum / (double)c->count;
}

static int is_at_mean(const parted *c, uint32_t axis)
{
    const double mean = mean_of(c, axis);
    for (size_t i = 0; i < c->count; i++) {
        const double x = coordinate(c->b, axis, c->triangles[i]);
        if (i < c->first ? x > mean + CLOSE : x < mean - CLOSE) {
            return 0;
        }
    }
    return 1;
}

/* No triangle of the first child lies behind one of the second. */
static int is_in_order(const parted *c, uint32_t axis)
{
    double most = -INFINITY, least = INFINITY;
    for (size_t i = 0; i < c->count; i++) {
        const double x = coordinate(c->b, axis, c->triangles[i]);
        most = i < c->first ? fmax(most, x) : most;
        least = i < c->first ? least : fmin(least, x);
    }
    return most <= least + CLOSE;
}

static int is_at_place(const parted *c, uint32_t axis, int balanced)
{
    if (balanced || c->b->options.at == TUMBLE_KDOP_AT_MEDIAN) {
        return c->first == c->count / 2 && is_in_order(c, axis);
    }
    return c->b->options.at == TUMBLE_KDOP_AT_MEAN ? is_at_mean(c, axis) : is_in_order(c, axis);
}

typedef struct sorted {
    double x;
    uint32_t triangle;
} sorted;

static int compare_sorted(const void *a, const void *b)
{
    const sorted *p = a, *q = b;
    return p->x < q->x ? -1 : p->x > q->x ? 1 : (p->triangle > q->triangle) - (p->triangle < q->triangle);
}

static sorted *sort_set(const parted *c, uint32_t axis)
{
    sorted *all = malloc(c->count * sizeof *all);
    assert_non_null(all);
    for (size_t i = 0; i < c->count; i++) {
        all[i] = (sorted){coordinate(c->b, axis, c->triangles[i]), c->triangles[i]};
    }
    qsort(all, c->count, sizeof *all, compare_sorted);
    return all;
}

/* Volumes of the children when the set is cut across this axis; negative when that cannot be told surely, since a
 * centroid lies at the cut. */
static double cost_of_axis(const parted *c, uint32_t axis)
{
    const tmb_kdop_set *set = tmb_kdop_set_of(c->b->options.k);
    const double mean = mean_of(c, axis);
    sorted *all = sort_set(c, axis);
    bounds sides[2] = {no_bounds, no_bounds};
    const int at_median = c->b->options.at == TUMBLE_KDOP_AT_MEDIAN;
    const double place = at_median ? all[c->count / 2].x : mean;
    int clear = 1;
    for (size_t i = 0; i < c->count; i++) {
        const double apart = fabs(all[i].x - place);
        clear &= apart == 0 || apart > CLOSE;
        add_triangle(c->b, set, all[i].triangle, &sides[at_median ? i >= c->count / 2 : all[i].x >= mean]);
    }
    free(all);
    return !clear ? -1 : sides[0].count && sides[1].count ? cost_of(c, &sides[0], &sides[1]) : INFINITY;
}

/* ---- The best place ---- */

#define SLICES 32

/* All cuts between different coordinates, or between those of 32 slices. */
static double least_cost(const parted *c, uint32_t axis)
{
    const tmb_kdop_set *set = tmb_kdop_set_of(c->b->options.k);
    sorted *all = sort_set(c, axis);
    const double start = all[0].x, width = (all[c->count - 1].x - start) / SLICES;
    double least = INFINITY;
    for (size_t i = 1; i < c->count; i++) {
        if (all[i].x == all[i - 1].x) {
            continue;
        }
        if (c->count > SLICES && floor((all[i].x - start) / width) <= floor((all[i - 1].x - start) / width)) {
            continue;
        }
        bounds sides[2] = {no_bounds, no_bounds};
        for (size_t j = 0; j < c->count; j++) {
            add_triangle(c->b, set, all[j].triangle, &sides[j >= i]);
        }
        least = fmin(least, cost_of(c, &sides[0], &sides[1]));
    }
    free(all);
    return least;
}

/* ---- Which axis ---- */

/* How good an axis is by the set's own rule: the larger the better. */
static double merit_of_axis(const parted *c, uint32_t axis)
{
    const double *d = axes_of(c->b)->directions[axis], mean = mean_of(c, axis);
    if (c->b->options.split == TUMBLE_KDOP_SPLIT_LONGEST) {
        const bounds all = bounds_of(c->b, axes_of(c->b), c->triangles, c->count);
        return ((double)all.lanes[2 * axis] + (double)all.lanes[2 * axis + 1]) / tmb_length(d);
    }
    double squares = 0;
    for (size_t i = 0; i < c->count; i++) {
        const double x = (coordinate(c->b, axis, c->triangles[i]) - mean) / tmb_length(d);
        squares += x * x;
    }
    return sqrt(squares / (double)c->count);
}

/* Splatter and longest: among the axes across which the set may have been cut there is one of the best. */
static void check_plain_axis(built *b, const parted *c, int balanced)
{
    const tmb_kdop_set *set = tmb_kdop_set_of(b->options.k);
    double most = 0, found = -1;
    uint32_t best = 0;
    for (uint32_t a = 0; a < axes_of(b)->k / 2; a++) {
        const double merit = merit_of_axis(c, a);
        most = fmax(most, merit);
        if (is_at_place(c, a, balanced) && merit > found) {
            found = merit;
            best = a;
        }
    }
    assert_true(found >= most - 2 * CLOSE);
    b->checked++;
    if (b->options.at == TUMBLE_KDOP_AT_BEST && !balanced) {
        const bounds first = bounds_of(b, set, c->triangles, c->first),
                     second = bounds_of(b, set, c->triangles + c->first, c->count - c->first);
        const double least = least_cost(c, best);
        /* where several axes are as good, another one may have been taken, and where slices end is rounded */
        b->unclear += cost_of(c, &first, &second) > least * (1 + 1e-3);
    }
}

/* Min sum and min max: no axis would have been better. */
static void check_volume_axis(built *b, const parted *c)
{
    const tmb_kdop_set *set = tmb_kdop_set_of(b->options.k);
    const bounds first = bounds_of(b, set, c->triangles, c->first),
                 second = bounds_of(b, set, c->triangles + c->first, c->count - c->first);
    const double cost = cost_of(c, &first, &second);
    int at_place = 0, clear = 1;
    double least = INFINITY;
    for (uint32_t a = 0; a < axes_of(b)->k / 2; a++) {
        at_place |= is_at_place(c, a, 0);
        const double other = b->options.at == TUMBLE_KDOP_AT_BEST ? least_cost(c, a) : cost_of_axis(c, a);
        clear &= other >= 0;
        least = fmin(least, other);
    }
    assert_true(at_place);
    b->checked++;
    b->unclear += !clear || cost > least * (1 + 1e-3);
}

static void check_cut(built *b, const uint32_t *triangles, size_t first, size_t count, uint32_t depth)
{
    parted c = {b, triangles, first, count, 0};
    const tmb_kdop_set *set = tmb_kdop_set_of(b->options.k);
    const bounds whole = bounds_of(b, set, triangles, count);
    double extent = 0;
    for (uint32_t i = 0; i < set->k / 2; i++) {
        const double width = (double)whole.lanes[2 * i] + (double)whole.lanes[2 * i + 1];
        extent = fmax(extent, width / tmb_length(set->directions[i]));
    }
    c.margin = (b->options.at == TUMBLE_KDOP_AT_BEST ? 0.5 : 0x1p-14) * extent;
    double spread = 0;
    for (uint32_t a = 0; a < 3; a++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t i = 0; i < count; i++) {
            least = fmin(least, b->centroids[triangles[i]][a]), most = fmax(most, b->centroids[triangles[i]][a]);
        }
        spread = fmax(spread, most - least);
    }
    if (spread <= 16 * CLOSE) { /* one point, as far as can be told */
        return;
    }
    if (b->options.split < TUMBLE_KDOP_SPLIT_MIN_SUM) {
        check_plain_axis(b, &c, depth >= 64);
    } else if (depth < 64) {
        check_volume_axis(b, &c);
    }
}

static void check_set(built *b, uint32_t begin, uint32_t end, uint32_t cut, uint32_t depth, int closely)
{
    b->nodes++;
    b->depth = depth > b->depth ? depth : b->depth;
    assert_int_equal(cut == 0, end - begin <= b->options.leaf);
    if (cut == 0) {
        return;
    }
    assert_true(begin < cut && cut < end);
    if (closely) {
        check_cut(b, b->tree.order + begin, cut - begin, end - begin, depth);
    }
    check_set(b, begin, cut, b->tree.cuts[cut][0], depth + 1, closely);
    check_set(b, cut, end, b->tree.cuts[cut][1], depth + 1, closely);
}

/* Each triangle once, leaves of the right size, counts and depth as told; and the rules, when asked for. */
static void check_tree(built *b, int closely)
{
    uint8_t *seen = calloc(b->count, 1);
    assert_non_null(seen);
    for (size_t i = 0; i < b->count; i++) {
        assert_true(b->tree.order[i] < b->count && !seen[b->tree.order[i]]);
        seen[b->tree.order[i]] = 1;
    }
    free(seen);
    check_set(b, 0, (uint32_t)b->count, b->tree.root_cut, 0, closely);
    assert_int_equal(b->nodes, b->tree.node_count);
    assert_int_equal(b->depth, b->tree.depth);
    assert_true(b->depth <= TMB_KDOP_DEPTH);
}

/* ---- Options ---- */

enum {
    VARIANTS = 4 * 3 * 2 * 2
};

static tumble_kdop_options variant_of(size_t variant, uint32_t k, uint32_t leaf)
{
    tumble_kdop_options options = tumble_default_tuning().kdop;
    options.k = k;
    options.leaf = leaf;
    options.split = (tumble_kdop_split)(variant % 4);
    options.at = (tumble_kdop_at)(variant / 4 % 3);
    options.all_directions = variant / 12 % 2 != 0;
    options.estimate = variant / 24 != 0;
    return options;
}

/* Shapes, a little out of shape, so that no centroids have equal coordinates. */
static void make_crooked(models_mesh *mesh, size_t number)
{
    static const char *const shapes[] = {"torus", "bolt", "knot"};
    test_random random = {number};
    if (number == 3) {
        test_make_soup(mesh, &random, 100, 0.3);
        return;
    }
    assert_true(models_make_sized(mesh, shapes[number], 130));
    for (size_t i = 0; i < 3 * mesh->point_count; i++) {
        mesh->points[i] += test_random_range(&random, -0.02, 0.02);
    }
    assert_int_equal(mesh->index_count, 3 * mesh->polygon_count);
}

static void test_rules(void **state)
{
    test_world *w = *state;
    size_t checked = 0, unclear = 0;
    for (size_t shape = 0; shape < 4; shape++) {
        models_mesh mesh = {0};
        make_crooked(&mesh, shape);
        for (size_t variant = 0; variant < VARIANTS; variant++) {
            const uint32_t k = all_k[(variant + shape) % 5];
            const tumble_kdop_options options = variant_of(variant, k, variant % 3 ? 1 : 5);
            built b = build(w->context, &mesh, &options);
            check_tree(&b, 1);
            checked += b.checked;
            unclear += b.unclear;
            if (b.unclear * 20 > b.checked) {
                fail_msg("k %u, variant %zu, shape %zu: %zu cuts of %zu are not the best", k, variant, shape, b.unclear,
                         b.checked);
            }
            release(&b);
        }
        models_free(&mesh);
    }
    assert_true(checked > 5000 && unclear * 200 < checked);
}

/* Sets that are made to be difficult: flat, equal, needles, points, all magnitudes. */
static void test_difficult_sets(void **state)
{
    test_world *w = *state;
    for (size_t i = 0; i < TEST_SETS; i++) {
        models_mesh mesh = {0};
        test_random random = {i};
        test_sets[i].make(&mesh, &random, 120);
        if (mesh.index_count == 3 * mesh.polygon_count) {
            for (size_t variant = i % 5; variant < VARIANTS; variant += 5) {
                const tumble_kdop_options options = variant_of(variant, all_k[(variant + i) % 5], 1 + (uint32_t)i % 2);
                built b = build(w->context, &mesh, &options);
                check_tree(&b, 0);
                release(&b);
            }
        }
        models_free(&mesh);
    }
}

/* A plane, on the axes and tilted: volumes are all but 0, and still tell cuts apart. The tree is then no worse than
 * what the plain rules give. */
static void test_flat_sets(void **state)
{
    test_world *w = *state;
    for (int tilted = 0; tilted < 2; tilted++) {
        models_mesh mesh = {0};
        test_random random = {77};
        for (int i = 0; i < 150; i++) {
            const double x = test_random_range(&random, -1, 1), y = test_random_range(&random, -0.2, 0.2);
            for (int c = 0; c < 3; c++) {
                const double u = x + (c == 1) * 0.05, v = y + (c == 2) * 0.05;
                (void)models_point(&mesh, u, v, tilted ? 0.3 * u - 0.7 * v : 0);
            }
            models_triangle(&mesh, 3 * (uint32_t)i, 3 * (uint32_t)i + 1, 3 * (uint32_t)i + 2);
        }
        for (size_t variant = 0; variant < VARIANTS; variant++) {
            const tumble_kdop_options options = variant_of(variant, all_k[variant % 5], 1);
            built b = build(w->context, &mesh, &options);
            check_tree(&b, 1);
            assert_true(b.checked == b.count - 1 && b.unclear * 20 <= b.checked);
            assert_in_range(b.depth, 8, 20);
            release(&b);
        }
        models_free(&mesh);
    }
}

/* Triangles at distances 2^-i along all axes, to both sides: each cut takes the outermost ones of one axis away, until
 * cuts are at the median. */
static void test_depth(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    for (int i = 0; i < 6 * 145; i++) {
        const double x = ldexp(i & 1 ? -1 : 1, -(i / 6));
        for (int c = 0; c < 3; c++) {
            const double y = x * (1 + c * 0x1p-10);
            (void)models_point(&mesh, i % 3 == 0 ? y : 0, i % 3 == 1 ? y : 0, i % 3 == 2 ? y : 0);
        }
        models_triangle(&mesh, 3 * (uint32_t)i, 3 * (uint32_t)i + 1, 3 * (uint32_t)i + 2);
    }
    uint32_t deepest = 0;
    for (size_t variant = 0; variant < VARIANTS; variant++) {
        const tumble_kdop_options options = variant_of(variant, all_k[variant % 5], 1);
        built b = build(w->context, &mesh, &options);
        check_tree(&b, 0);
        assert_true(b.depth <= 64 + 10); /* 870 triangles */
        deepest = b.depth > deepest ? b.depth : deepest;
        release(&b);
    }
    assert_true(deepest > 64);
    models_free(&mesh);
}

/* Equal triangles can only be halved, and the number of levels is the least there is. */
static void test_equal_triangles(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    for (uint32_t i = 0; i < 3; i++) {
        (void)models_point(&mesh, 0.1 * i, 0.2 * (i == 1), -0.3 * (i == 2));
    }
    for (int i = 0; i < 1024; i++) {
        models_triangle(&mesh, 0, 1, 2);
    }
    for (size_t variant = 0; variant < VARIANTS; variant++) {
        const tumble_kdop_options options = variant_of(variant, all_k[variant % 5], variant % 2 ? 1 : 8);
        built b = build(w->context, &mesh, &options);
        check_tree(&b, 0);
        assert_int_equal(b.depth, variant % 2 ? 10 : 7);
        release(&b);
    }
    models_free(&mesh);
}

/* ---- Models ---- */

/* The n-th allocation fails, for each n. */
static void test_memory(void **state)
{
    test_world *w = *state;
    static const size_t variants[] = {0, 6, 10, 15};
    for (size_t i = 0; i < 4; i++) {
        models_mesh mesh = {0};
        test_random random = {7};
        test_make_soup(&mesh, &random, 300, 0.05);
        const tumble_mesh view = models_view(&mesh);
        tumble_model_options options = tumble_default_model_options();
        options.hierarchy = TUMBLE_HIERARCHY_KDOP;
        test_tune(options, kdop, variant_of(variants[i], all_k[i], 1 + 4 * (uint32_t)(i % 2)));
        test_tune(options, kdop.tumble, i % 2 ? TUMBLE_KDOP_TUMBLE_VERTICES : TUMBLE_KDOP_TUMBLE_AUTO);
        options.thread_count = 1;
        test_model_job job = {view, options};
        const size_t places = test_fail_each(w, TEST_FAIL_ALONE, test_create_model, NULL, &job);
        assert_true(places >= (i % 2 ? 8 : 6));
        models_free(&mesh);
    }
}

/* ---- Vertices in the block ---- */

static const char *nodes_of(const tumble_model *model, const tmb_block **block)
{
    size_t size;
    *block = tumble_model_block(model, &size);
    return (const char *)*block + (*block)->offsets[TMB_SECTION_NODES];
}

/* They are those of the rows, and everything else is as without them. */
static void check_stored_vertices(const tumble_model *model, const tumble_model *plain)
{
    const tmb_block *block, *plain_block;
    const char *nodes = nodes_of(model, &block), *plain_nodes = nodes_of(plain, &plain_block);
    const uint32_t k = block->kdop.k;
    const tmb_kdop_parts parts = tmb_kdop_parts_of(block);
    const uint32_t *first = (const uint32_t *)(nodes + parts.vertex_first);
    const float(*vertices)[3] = (const float(*)[3])(nodes + parts.vertices);
    assert_int_equal(block->kdop.tumble, TUMBLE_KDOP_TUMBLE_VERTICES);
    assert_int_equal(plain_block->kdop.tumble, 0);
    assert_memory_equal(nodes, plain_nodes, parts.lookups);
    assert_memory_equal(block + 1, plain_block + 1, block->offsets[TMB_SECTION_NODES] - sizeof *block);
    assert_int_equal(first[block->node_count + 1], block->kdop.vertex_count);
    for (uint32_t i = TMB_KDOP_ROOT; i <= block->node_count; i++) {
        float expected[2 * TMB_KDOP_MOST - 4][3];
        const uint32_t count = tmb_kdop_vertices(k, (const float *)tmb_kdop_row(nodes, k, i), expected);
        assert_int_equal(first[i + 1] - first[i], count);
        assert_memory_equal(vertices[first[i]], expected, count * sizeof *expected);
    }
}

static void test_stored_vertices(void **state)
{
    test_world *w = *state;
    for (size_t i = 0; i < 6; i++) {
        models_mesh mesh = {0};
        assert_true(models_make_sized(&mesh, i % 2 ? "prism" : "torus", 600));
        tumble_model_options options = tumble_default_model_options();
        options.hierarchy = TUMBLE_HIERARCHY_KDOP;
        test_tune(options, kdop.k, all_k[i % 5]);
        options.deformable = 1; /* with a section behind the nodes, for large polygons */
        tumble_model *plain = test_model(w->context, &mesh, &options);
        test_tune(options, kdop.tumble, TUMBLE_KDOP_TUMBLE_VERTICES);
        tumble_model *model = test_model(w->context, &mesh, &options), *copy;
        check_stored_vertices(model, plain);
        size_t size;
        const void *block = tumble_model_block(model, &size);
        assert_int_equal(tumble_model_from_block(w->context, block, size, 1, &copy), TUMBLE_OK);
        test_assert_same_blocks(model, copy);
        tumble_model_destroy(copy);
        tumble_model_destroy(model);
        tumble_model_destroy(plain);
        models_free(&mesh);
    }
    const models_mesh empty = {0};
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = TUMBLE_HIERARCHY_KDOP;
    test_tune(options, kdop.tumble, TUMBLE_KDOP_TUMBLE_VERTICES);
    tumble_model_destroy(test_model(w->context, &empty, &options));
}

/* A block that says something else of its vertices is refused. */
static void test_damaged_vertices(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    assert_true(models_make_sized(&mesh, "torus", 300));
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = TUMBLE_HIERARCHY_KDOP;
    test_tune(options, kdop.tumble, TUMBLE_KDOP_TUMBLE_VERTICES);
    tumble_model *model = test_model(w->context, &mesh, &options), *copy;
    size_t size;
    const tmb_block *good = tumble_model_block(model, &size);
    tmb_block *block = aligned_alloc(TMB_CACHE_LINE, size);
    assert_non_null(block);
    const tmb_kdop_parts parts = tmb_kdop_parts_of(good);
    const uint32_t rows = (uint32_t)good->node_count + 1;
    for (int damage = 0; damage < 10; damage++) {
        memcpy(block, good, size);
        char *nodes = (char *)block + block->offsets[TMB_SECTION_NODES];
        uint32_t *first = (uint32_t *)(nodes + parts.vertex_first);
        float *vertices = (float *)(nodes + parts.vertices);
        switch (damage) {
        case 0: break;
        case 1: first[0] = 1; break;
        case 2: first[1] = 1; break;
        case 3: first[rows]++; break;
        case 4: first[rows / 2] = first[rows / 2 + 1] + 1; break;
        case 5: first[3] = UINT32_MAX; break;
        case 6: memset(first + rows / 2, 0xff, 40); break;
        case 7: vertices[7] = NAN; break;
        case 8: vertices[3 * (size_t)block->kdop.vertex_count - 1] = -4.5F; break;
        default: block->kdop.tumble = TUMBLE_KDOP_TUMBLE_AUTO; break;
        }
        block->checksum = tmb_block_checksum(block);
        const tumble_status status = tumble_model_from_block(w->context, block, size, 1, &copy);
        assert_int_equal(status, damage ? TUMBLE_ERROR_FORMAT : TUMBLE_OK);
        tumble_model_destroy(copy);
    }
    free(block);
    tumble_model_destroy(model);
    models_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_rules),           TEST_IN_WORLD(test_difficult_sets),   TEST_IN_WORLD(test_flat_sets),
        TEST_IN_WORLD(test_depth),           TEST_IN_WORLD(test_equal_triangles),  TEST_IN_WORLD(test_memory),
        TEST_IN_WORLD(test_stored_vertices), TEST_IN_WORLD(test_damaged_vertices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
