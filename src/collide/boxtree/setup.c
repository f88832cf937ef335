/* Sets up a traversal: directions, the factors of cuts, and the gaps of the root boxes.
 *
 * Why no pair is lost: along any vector s, whatever it is, two sets that share a point have overlapping projections. So
 * directions need not be exact axes; only the projections must not be too short. All arithmetic here and in the kernels
 * is rounded, and `slack` in start_gaps is larger than all these errors together (the bound is derived in
 * docs/boxtree.md); it is added to every gap once, at the root. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "collide/boxtree/walk.h"
#include "math/bounds.h"
#include "tree/boxtree/boxtree.h"

#define DIRECTIONS_MOST 15

/* The problem scaled by a power of two to numbers of about 1, so that nothing over- or underflows. */
typedef struct scaled_pair {
    double linear[3][3]; /* B's axes in A's frame, times 2^something */
    double translation[3];
    double lower[2][3], upper[2][3]; /* root boxes, each in its own frame */
    double unit[2];                  /* one unit of each grid */
    uint32_t depth;                  /* of both trees together */
    double underflow;                /* how far a moved coordinate can be off near the smallest doubles */
    int exponent;                    /* A's lengths are times 2^this */
} scaled_pair;

/* |x| < 2^exponent; for 0 an exponent below all others. */
static int exponent_of(double x)
{
    int exponent = 0;
    (void)frexp(x, &exponent);
    return x == 0 ? -1100 : exponent;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* The exponent of the farthest coordinate. An edited model's root box can be far larger than its triangles. */
static int exponent_of_corners(const tumble_model *model)
{
    const tmb_block *block = model->block;
    double farthest = 0, longest = 0;
    for (int k = 0; k < 3; k++) {
        farthest = fmax(farthest, fmax(fabs(model->corner[k]), fabs(block->upper[k])));
        longest = fmax(longest, block->boxtree.extent[k]);
    }
    return larger(exponent_of(farthest), exponent_of(longest) + block->boxtree.exponent - 1);
}

/* The exponent of the largest entry of the left 3x3 part. */
static int exponent_of_linear(const tumble_pose *pose)
{
    double largest = 0;
    for (int k = 0; k < 3; k++) {
        largest = fmax(largest, fmax(fabs(pose->m[k][0]), fmax(fabs(pose->m[k][1]), fabs(pose->m[k][2]))));
    }
    return exponent_of(largest);
}

/* The root box reaches from the lower corner `extent` units up; the sum is rounded up. */
static void scale_box(const tumble_model *model, int exponent, int tree, scaled_pair *out)
{
    TMB_ASSERT(tree == 0 || tree == 1);
    const tmb_boxtree_root *root = &model->block->boxtree;
    out->unit[tree] = ldexp(1, root->exponent + exponent);
    for (int k = 0; k < 3; k++) {
        const double lower = ldexp(model->corner[k], exponent);
        out->lower[tree][k] = lower;
        out->upper[tree][k] = nextafter(lower + root->extent[k] * out->unit[tree], INFINITY);
    }
}

static void scale_pair(const tmb_collider *c, scaled_pair *out)
{
    const tumble_pose *m = &c->encounter.relative;
    const int turn = exponent_of_linear(m);
    /* lengths of A are divided by 2^(turn + size), those of B by 2^size, the matrix by 2^turn */
    int size = larger(exponent_of_corners(c->encounter.a) - turn, exponent_of_corners(c->encounter.b));
    for (int k = 0; k < 3; k++) {
        size = larger(size, exponent_of(m->m[k][3]) - turn);
    }
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 3; j++) {
            out->linear[k][j] = ldexp(m->m[k][j], -turn);
        }
        out->translation[k] = ldexp(m->m[k][3], -turn - size);
    }
    out->exponent = -turn - size;
    scale_box(c->encounter.a, out->exponent, 0, out);
    scale_box(c->encounter.b, -size, 1, out);
    out->depth = (uint32_t)(c->encounter.a->block->depth + c->encounter.b->block->depth) + 2 * TMB_WALK_LEAF_LEVELS;
    out->underflow = ldexp(4, -1074 - turn - size); /* five operations, each off by half the least double */
}

/* ---- Directions ---- */

static void add_axes_of_a(double (*directions)[3], int *count)
{
    for (int k = 0; k < 3; k++, ++*count) {
        for (int j = 0; j < 3; j++) {
            directions[*count][j] = j == k;
        }
    }
}

static void add_axes_of_b(const scaled_pair *pair, double (*directions)[3], int *count)
{
    for (int k = 0; k < 3; k++, ++*count) {
        for (int j = 0; j < 3; j++) {
            directions[*count][j] = pair->linear[j][k];
        }
    }
}

static void add_cross_products(const scaled_pair *pair, double (*directions)[3], int *count)
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++, ++*count) {
            directions[*count][i] = 0;
            directions[*count][(i + 1) % 3] = -pair->linear[(i + 2) % 3][k];
            directions[*count][(i + 2) % 3] = pair->linear[(i + 1) % 3][k];
        }
    }
}

static int choose_directions(const tumble_boxtree_walk *options, const scaled_pair *pair, double (*directions)[3])
{
    int count = 0;
    const int both = options->overlap == TUMBLE_OVERLAP_AUTO || options->overlap == TUMBLE_OVERLAP_SAT_LITE ||
                     options->overlap == TUMBLE_OVERLAP_SAT || options->direction == TUMBLE_DIRECTION_BOTH;
    if (both || options->direction == TUMBLE_DIRECTION_B_INTO_A) {
        add_axes_of_a(directions, &count);
    }
    if (both || options->direction == TUMBLE_DIRECTION_A_INTO_B) {
        add_axes_of_b(pair, directions, &count);
    }
    if (options->overlap == TUMBLE_OVERLAP_SAT) {
        add_cross_products(pair, directions, &count);
    }
    return count;
}

/* ---- Gaps and rows ---- */

static double positive(double x)
{
    return x > 0 ? x : 0;
}

/* Lane 2i holds hA - lB along direction i, lane 2i + 1 holds hB - lA. `s` are the direction's components in the frame
 * of the tree. */
static void set_rows(tmb_walk *walk, int tree, double unit, int direction, const double s[3])
{
    TMB_ASSERT(direction >= 0 && 2 * direction + 1 < TMB_LANES_MOST);
    TMB_ASSERT(tree == 0 || tree == 1);
    const int upper = 2 * direction + tree, lower = 2 * direction + !tree; /* lanes with this tree's ends */
    for (int k = 0; k < 3; k++) {
        walk->tree[tree].rows[2 * k + 1][upper] = unit * positive(s[k]);
        walk->tree[tree].rows[2 * k + 1][lower] = unit * positive(-s[k]);
        walk->tree[tree].rows[2 * k][upper] = unit * positive(-s[k]);
        walk->tree[tree].rows[2 * k][lower] = unit * positive(s[k]);
    }
}

static double reach(const double s[3], const double lower[3], const double upper[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        sum += s[k] > 0 ? s[k] * upper[k] : s[k] * lower[k];
    }
    return sum;
}

/* The largest amount that any term of the gaps along s, or of a moved point, can have. */
static double magnitude(const scaled_pair *pair, const double s[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double term = fmax(fabs(pair->lower[0][k]), fabs(pair->upper[0][k])) + fabs(pair->translation[k]);
        for (int j = 0; j < 3; j++) {
            term += fabs(pair->linear[k][j]) * fmax(fabs(pair->lower[1][j]), fabs(pair->upper[1][j]));
        }
        sum += fabs(s[k]) * term;
    }
    return sum;
}

/* What a gap loses on the way down, see docs/boxtree.md. */
static double roundings_of(const scaled_pair *pair)
{
    return TMB_GAP_ROUNDINGS + TMB_GAP_LEVEL_ROUNDINGS * (double)pair->depth;
}

static void start_gaps(tmb_walk *walk, const scaled_pair *pair, int direction, const double s[3])
{
    TMB_ASSERT(direction >= 0 && 2 * direction + 1 < TMB_LANES_MOST);
    double r[3], reversed[3], reversed_r[3]; /* the direction in B's frame, and both turned round */
    for (int k = 0; k < 3; k++) {
        r[k] = pair->linear[0][k] * s[0] + pair->linear[1][k] * s[1] + pair->linear[2][k] * s[2];
        reversed[k] = -s[k];
        reversed_r[k] = -r[k];
    }
    const double shift = s[0] * pair->translation[0] + s[1] * pair->translation[1] + s[2] * pair->translation[2];
    const double upper_a = reach(s, pair->lower[0], pair->upper[0]);
    const double lower_a = -reach(reversed, pair->lower[0], pair->upper[0]);
    const double upper_b = reach(r, pair->lower[1], pair->upper[1]) + shift;
    const double lower_b = -reach(reversed_r, pair->lower[1], pair->upper[1]) + shift;
    const double slack = magnitude(pair, s) * roundings_of(pair) * TMB_DOUBLE_ROUNDING + TMB_GAP_UNDERFLOW +
                         pair->underflow * (fabs(s[0]) + fabs(s[1]) + fabs(s[2]));
    walk->start[2 * direction] = upper_a - lower_b + slack;
    walk->start[2 * direction + 1] = upper_b - lower_a + slack;
    set_rows(walk, 0, pair->unit[0], direction, s);
    set_rows(walk, 1, pair->unit[1], direction, r);
}

/* ---- A limit ---- */

/* More than all that a scaled pair has between its points. */
#define FARTHEST 0x1p100

/* Of a direction, also of one so short that its square is 0. */
static double length_of(const double s[3])
{
    const double most = fmax(fmax(fabs(s[0]), fabs(s[1])), fabs(s[2]));
    const double x = s[0] / most, y = s[1] / most, z = s[2] / most;
    return most > 0 ? most * sqrt((x * x + y * y) + z * z) : 0;
}

/* Boxes that are at most the limit apart have gaps of at least minus the limit, times the length of the direction. The
 * roundings of larger gaps are larger in proportion: see docs/proximity-proofs.md. */
static void add_limit(tmb_walk *walk, const scaled_pair *pair, double limit, int count, double (*directions)[3])
{
    TMB_ASSERT(limit > 0);
    TMB_ASSERT(count <= TMB_LANES_MOST / 2);
    const double scaled = fmin(ldexp(limit, pair->exponent), FARTHEST);
    walk->limit = scaled * (1 + TMB_GAP_LIMIT_ROUNDING);
    for (int i = 0; i < count; i++) {
        const double length = length_of(directions[i]);
        const double gap = scaled * length * (1 + roundings_of(pair) * (2 * TMB_DOUBLE_ROUNDING));
        walk->start[2 * i] += gap;
        walk->start[2 * i + 1] += gap;
        if (i < 6) { /* an axis */
            walk->limit_along[i] = scaled * length * (1 - TMB_GAP_LIMIT_ROUNDING);
            walk->inverse_lengths[i] = 1 / length;
            for (int k = 0; k < 3; k++) {
                walk->units[i][k] = directions[i][k] / length;
            }
        }
    }
}

/* ---- Lookup tables (Zachmann 2002, section 3.2.2) ----
 * Directions come in groups of three, the axes of one tree. Its own boxes are cut exactly; what the other tree's cuts
 * take off the gaps is looked up. */

/* The least cut that has this index: never more than the cut itself. */
static double cut_of_index(uint32_t index)
{
    TMB_ASSERT(index < TMB_TABLE_SIZE);
    if (index == 0) {
        return 0;
    }
    const uint32_t bits = (index - 1 + TMB_TABLE_BASE) << TMB_TABLE_SHIFT;
    float cut;
    memcpy(&cut, &bits, sizeof cut);
    return (double)cut;
}

static void fill_table(const tmb_walk_tree *tree, int direction, tmb_walk_table *table)
{
    TMB_ASSERT(direction >= 0 && 2 * direction + 1 < TMB_LANES_MOST);
    for (int side = 0; side < 6; side++) {
        const double *row = tree->rows[side] + 2 * direction;
        table->lane[side] = (uint8_t)(2 * direction + (row[1] > 0));
    }
    for (uint32_t i = 0; i < TMB_TABLE_SIZE; i++) {
        const double cut = cut_of_index(i);
        for (int axis = 0; axis < 3; axis++) {
            const double *row = tree->rows[2 * axis] + 2 * direction;
            table->product[axis][i] = cut * (row[0] + row[1]); /* one of the two is 0 */
        }
    }
}

/* ---- All together ---- */

/* The most pairs on the stack: a pair is replaced by at most four, one level deeper in both trees or in one that is not
 * at a leaf, or by two, one level deeper in one tree. The kernels write each before they know whether it stays. */
static size_t stack_length(const tmb_collider *c)
{
    const uint64_t a = c->encounter.a->block->depth, b = c->encounter.b->block->depth;
    return 3 * (size_t)(a > b ? a : b) + 1;
}

/* The most steps that lead to a pair, from number 1 on. */
static size_t step_count(const tmb_collider *c)
{
    return (size_t)c->encounter.a->block->depth + c->encounter.b->block->depth + 1;
}

static const tmb_walk_kernels *kernels_for(tumble_simd simd, int lanes)
{
#if defined(TUMBLE_X86_KERNELS)
    /* 12 gaps fill three AVX2 registers, but would leave a quarter of two AVX-512 ones empty */
    if (simd == TUMBLE_SIMD_AVX2 || (simd == TUMBLE_SIMD_AVX512 && lanes == 16)) {
        return &tmb_walk_kernels_avx2;
    }
    if (simd == TUMBLE_SIMD_AVX512) {
        return &tmb_walk_kernels_avx512;
    }
#endif
    (void)simd, (void)lanes;
    return &tmb_walk_kernels_scalar;
}

/* `size` is the length of a unit in A's frame. */
static void set_tree(const tumble_model *model, double size, tmb_walk_tree *tree)
{
    tree->grid = tmb_grid_at(model->corner, model->block->boxtree.exponent, model->block->upper);
    tree->unit = (float)size;
    for (int k = 0; k < 3; k++) {
        tree->box.upper[k] = (int32_t)model->block->boxtree.extent[k];
        tree->size += (float)tree->box.upper[k] * tree->unit;
    }
    tree->nodes = model->nodes;
    tree->layout = model->block->boxtree.layout;
    tree->root = tree->layout == TUMBLE_BOXTREE_TWO_PLANES ? model->block->boxtree.root
                                                           : ((const tmb_node_one *)model->nodes)[0].word;
}

/* How much the sizes of boxes may differ that are split together. Going down both trees is the cheaper step, and its
 * branches are easier to predict; but where one model is larger, it reaches the leaves of the smaller too soon. */
static float alike_factor(const tmb_walk_tree trees[2])
{
    const float less = fminf(trees[0].size, trees[1].size), more = fmaxf(trees[0].size, trees[1].size);
    return more > 1.5F * less ? 3 : 5;
}

static tumble_status set_memory(tmb_collider *c, tmb_walk *walk, int lanes, size_t table_count)
{
    TMB_ASSERT(lanes == 8 || lanes == 16 || lanes == 32);
    tumble_query *query = c->encounter.query;
    tmb_collide_scratch *scratch = c->scratch;
    const size_t length = stack_length(c), steps = step_count(c) * sizeof *walk->steps;
    const size_t pair_bytes = (size_t)lanes * sizeof *walk->gaps + sizeof *walk->ways + sizeof *walk->nodes;
    if (!tmb_buffer_reserve(query->context, &scratch->stack, length * pair_bytes + steps, 1, 0) ||
        !tmb_buffer_reserve(query->context, &scratch->walk, table_count, sizeof(tmb_walk_table), 0)) {
        return tmb_fail_memory(query->context, "the stack of a query");
    }
    walk->gaps = scratch->stack.data;
    walk->ways = (tmb_walk_way *)(void *)(walk->gaps + length * (size_t)lanes);
    walk->nodes = (uint32_t(*)[2])(void *)(walk->ways + length);
    walk->steps = (tmb_walk_step *)(void *)(walk->nodes + length);
    walk->tables = table_count ? scratch->walk.data : NULL;
    return TUMBLE_OK;
}

int tmb_collide_boxtree(tmb_collider *c)
{
    scaled_pair pair;
    double directions[DIRECTIONS_MOST][3];
    scale_pair(c, &pair);
    const int count = choose_directions(&c->tuning->boxtree_walk, &pair, directions);
    const int tables = c->tuning->boxtree_walk.overlap == TUMBLE_OVERLAP_TABLES; /* their kernel has 16 lanes always */
    const int lanes = count > 6 ? 32 : count > 3 || tables ? 16 : 8;
    tmb_walk walk;
    memset(&walk, 0, sizeof walk);
    c->encounter.status = set_memory(c, &walk, lanes, tables ? (size_t)count : 0);
    if (c->encounter.status != TUMBLE_OK) {
        return 0;
    }
    for (int i = 0; i < TMB_LANES_MOST; i++) {
        walk.start[i] = 1;
    }
    walk.collider = c;
    walk.direction_count = count;
    walk.larger_first = c->tuning->boxtree_walk.descent == TUMBLE_DESCENT_LARGER;
    set_tree(c->encounter.a, pair.unit[0], &walk.tree[0]);
    set_tree(c->encounter.b, pair.unit[1] * length_of(pair.linear[0]), &walk.tree[1]);
    walk.alike = alike_factor(walk.tree);
    for (int i = 0; i < count; i++) {
        start_gaps(&walk, &pair, i, directions[i]);
    }
    if (c->limit > 0) {
        add_limit(&walk, &pair, c->limit, count, directions);
    }
    const tmb_walk_kernels *kernels = kernels_for(c->encounter.query->context->simd, lanes);
    if (tables) {
        walk.first_owner = c->tuning->boxtree_walk.direction == TUMBLE_DIRECTION_A_INTO_B;
        for (int i = 0; i < count; i++) {
            const int owner = walk.first_owner ^ (i >= 3);
            fill_table(&walk.tree[!owner], i, &walk.tables[i]);
        }
        tmb_walk_kernels_scalar.tables(&walk);
    } else if (lanes == 8) {
        kernels->lanes8(&walk);
    } else if (lanes == 16) {
        kernels->lanes16(&walk);
    } else {
        kernels->lanes32(&walk);
    }
    return 1;
}
