/* Records for tumbling by lookup: one pass over the points of each node.
 *
 * Points are rounded to float once, which the slack of a query covers. From there on everything errs on the safe side,
 * by more than all roundings together. In units of 2^-24, for a point at the distance r: its height over the centre is
 * known to 5 r, its squared distance from the axis to 17 r^2, and the squared tangent of its angle, inside the widest
 * cone, to 80; a length that is not negative to 20 r. See docs/kdop.md and proofs/lookup_*.g. */
#include "tree/kdop/lookup.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/tasks.h"
#include "math/bounds.h"
#include "math/vec3.h"

/* ---- Rings ---- */

/* The tangent of the covering angle's 31st part. */
static double first_tangent(uint32_t k)
{
    TMB_ASSERT(k == 6 || k == 12 || k == 14 || k == 18 || k == 26);
    switch (k) {
    case 6: return 0.03082642399629057;
    case 12: return 0.02104691787210468;
    case 14: return 0.02038715649949247;
    case 18: return 0.019856793326600133;
    default: return 0.01552300925627466;
    }
}

void tmb_kdop_make_rings(const tmb_kdop_set *set, tmb_kdop_rings *rings)
{
    TMB_ASSERT(set->cover > 0 && set->cover < 1);
    const double first = first_tangent(set->k);
    double tangent = 0;
    rings->cosine = set->cover;
    rings->sine = sqrt(1 - set->cover * set->cover);
    rings->tangents[0] = -0x1p64F;
    for (int i = 1; i < TMB_KDOP_RINGS; i++) {
        tangent = (tangent + first) / (1 - tangent * first);
        rings->tangents[i] = (float)tangent;
    }
    rings->tangents[TMB_KDOP_RINGS] = nextafterf((float)(rings->sine / rings->cosine), INFINITY);
}

/* The first ring that reaches a tangent; the last if none does. `edges` are the rings' squared tangents, of which there
 * is one less than a power of two. */
static uint32_t ring_of(const double edges[TMB_KDOP_RINGS + 1], double squared_tangent)
{
    TMB_ASSERT(!isnan(squared_tangent));
    uint32_t passed = 0;
    for (uint32_t step = (TMB_KDOP_RINGS + 1) / 2; step > 0; step /= 2) {
        passed += squared_tangent > edges[passed + step] ? step : 0;
    }
    return passed < TMB_KDOP_RINGS ? passed + 1 : TMB_KDOP_RINGS;
}

/* ---- Nodes ---- */

/* A node's triangles in the order of the leaves; each has three points. Until a record is filled in, this stands where
 * its lanes will be. */
typedef struct span {
    uint32_t first, count;
} span;

/* Nodes with more triangles are large: threads work on slabs of them, not on whole ones. */
#define LARGE 4096
typedef struct large_node {
    uint32_t node;
    span triangles;
} large_node;

typedef struct filling {
    tmb_kdop_look_function *look;
    const tmb_kdop_set *set;
    tmb_kdop_rings rings;
    double edges[TMB_KDOP_RINGS + 1];      /* the rings' squared tangents */
    tmb_kdop_axis axes[TMB_KDOP_MOST / 2]; /* all but what depends on the node */
    double inverses[TMB_KDOP_MOST / 2];    /* of the directions' lengths */
    uint32_t k, node_count;
    const tmb_cluster_place *places;
    const uint32_t *clusters;
    int is_float;
    tmb_local_frame frame;
    tmb_kdop_view tree;
    uint32_t *records; /* of all nodes, also of bare leaves */
    float *points[3];  /* of all triangles, in the order of the leaves, by coordinates */
    large_node *large;
} filling;

static uint32_t link_of(const filling *f, size_t node)
{
    return tmb_kdop_links(&f->tree, (uint32_t)node)[0];
}

/* The triangles of a leaf; 0: an inner node. */
static uint32_t count_of(const filling *f, size_t node)
{
    return tmb_kdop_links(&f->tree, (uint32_t)node)[1];
}

static uint32_t *record_at(const filling *f, size_t node)
{
    return f->records + node * tmb_kdop_lookup_words(f->k);
}

static span *span_at(const filling *f, size_t node)
{
    return (span *)(record_at(f, node) + TMB_KDOP_LOOKUP_LANES);
}

/* Children lie after their parents. Returns how many nodes are large. */
static size_t count_triangles(const filling *f)
{
    size_t large = 0;
    for (size_t i = f->node_count; i >= TMB_KDOP_ROOT; i--) {
        const uint32_t children = link_of(f, i), leaf = count_of(f, i);
        const uint32_t count = leaf ? leaf : span_at(f, children)->count + span_at(f, children + 1)->count;
        span_at(f, i)->count = count;
        large += count > LARGE;
    }
    return large;
}

static void place_triangles(const filling *f)
{
    large_node *large = f->large;
    span_at(f, TMB_KDOP_ROOT)->first = 0;
    for (size_t i = TMB_KDOP_ROOT; i <= f->node_count; i++) {
        const uint32_t children = link_of(f, i);
        const span own = *span_at(f, i);
        if (!count_of(f, i)) {
            span_at(f, children)->first = own.first;
            span_at(f, children + 1)->first = own.first + span_at(f, children)->count;
        }
        if (own.count > LARGE) {
            *large++ = (large_node){(uint32_t)i, own};
        }
    }
}

/* ---- Points and centres ---- */

/* Writes a leaf's points, and its centre, their mean. */
static void write_leaf(const filling *f, size_t node)
{
    const uint32_t count = count_of(f, node);
    uint32_t address = link_of(f, node);
    size_t to = 3 * (size_t)span_at(f, node)->first;
    double corners[3][3], sum[3] = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        tmb_cluster_triangle(f->places, f->clusters, f->is_float, address, corners);
        for (int c = 0; c < 3; c++, to++) {
            for (int j = 0; j < 3; j++) {
                f->points[j][to] = (float)((corners[c][j] - f->frame.centre[j]) * f->frame.scale);
                sum[j] += (double)f->points[j][to];
            }
        }
        address = tmb_next_triangle(f->places, address);
    }
    float *centre = (float *)record_at(f, node);
    for (int j = 0; j < 3; j++) {
        centre[j] = (float)(sum[j] / (3 * (double)count));
    }
}

/* Rows begin + 1 to end. */
static void write_leaves(void *shared, size_t begin, size_t end)
{
    const filling *f = shared;
    for (size_t i = begin + 1; i <= end; i++) {
        if (count_of(f, i)) {
            write_leaf(f, i);
        }
    }
}

static void set_inner_centres(const filling *f)
{
    for (size_t i = f->node_count; i >= TMB_KDOP_ROOT; i--) {
        const uint32_t children = link_of(f, i);
        if (count_of(f, i)) {
            continue;
        }
        const float *left = (const float *)record_at(f, children), *right = (const float *)record_at(f, children + 1);
        const double share = (double)span_at(f, children)->count / (double)span_at(f, i)->count;
        float *centre = (float *)record_at(f, i);
        for (int j = 0; j < 3; j++) {
            centre[j] = (float)(share * (double)left[j] + (1 - share) * (double)right[j]);
        }
    }
}

/* ---- Lanes ---- */

/* Extents of the bounds from the centre, along all lanes: never negative. Returns the largest. */
static double extents_of(const filling *f, size_t node, double extents[TMB_KDOP_MOST])
{
    TMB_ASSERT(node >= TMB_KDOP_ROOT);
    const float *bounds = tmb_kdop_bounds(&f->tree, tmb_kdop_volume_of(&f->tree, (uint32_t)node));
    const float *centre = (const float *)record_at(f, node);
    double most = 0;
    for (uint32_t i = 0; i < f->k / 2; i++) {
        const double *d = f->set->directions[i];
        const double height = (d[0] * (double)centre[0] + d[1] * (double)centre[1]) + d[2] * (double)centre[2];
        extents[2 * i] = tmb_greater(((double)bounds[2 * i] - height) * f->inverses[i], 0);
        extents[2 * i + 1] = tmb_greater(((double)bounds[2 * i + 1] + height) * f->inverses[i], 0);
        most = tmb_greater(most, tmb_greater(extents[2 * i], extents[2 * i + 1]));
    }
    return most;
}

static uint32_t lane_word(const filling *f, float squared_tangent, float length, double margin)
{
    const float safe = (float)tmb_greater(TMB_LOOKUP_LENGTH_LEAST, (double)length + margin);
    uint32_t bits;
    memcpy(&bits, &safe, sizeof bits);
    return ((bits | TMB_KDOP_RING_MASK) + 1) |
           (squared_tangent < 0 ? 0 : ring_of(f->edges, (double)squared_tangent + TMB_LOOKUP_TANGENT_MARGIN));
}

/* The lanes of slabs `first` to `last` - 1. A point's distance from the centre is at most some extent divided by the
 * cosine of the covering angle. */
static void fill_lanes(const filling *f, uint32_t node, span triangles, uint32_t first, uint32_t last)
{
    TMB_ASSERT(first < last && last <= f->k / 2);
    uint32_t *record = record_at(f, node);
    const float *centre = (const float *)record;
    double extents[TMB_KDOP_MOST];
    const double margin = TMB_LOOKUP_LENGTH_MARGIN * extents_of(f, node, extents) / f->rings.cosine;
    for (uint32_t i = first; i < last; i++) {
        tmb_kdop_axis axis = f->axes[i];
        memcpy(axis.centre, centre, sizeof axis.centre);
        for (int j = 0; j < 2; j++) {
            const double shortest = f->rings.cosine * extents[2 * i + (uint32_t)j];
            axis.shortest[j] = (float)(shortest * shortest * (1 - TMB_LOOKUP_SQUARE_MARGIN));
        }
        const tmb_kdop_sight seen = f->look((const float *const *)f->points, 3 * (size_t)triangles.first,
                                            3 * ((size_t)triangles.first + triangles.count), &axis);
        for (uint32_t j = 0; j < 2; j++) {
            record[TMB_KDOP_LOOKUP_LANES + 2 * i + j] = lane_word(f, seen.tangents[j], seen.lengths[j], margin);
        }
    }
}

static void fill_small(void *shared, size_t begin, size_t end)
{
    const filling *f = shared;
    for (size_t i = begin + 1; i <= end; i++) {
        const span triangles = *span_at(f, i);
        if (triangles.count <= LARGE && !(f->tree.has_bare_leaves && count_of(f, i))) {
            fill_lanes(f, (uint32_t)i, triangles, 0, f->k / 2);
        }
    }
}

static void fill_large(void *shared, size_t begin, size_t end)
{
    const filling *f = shared;
    for (size_t i = begin; i < end; i++) {
        const large_node *large = &f->large[i / (f->k / 2)];
        const uint32_t slab = (uint32_t)(i % (f->k / 2));
        fill_lanes(f, large->node, large->triangles, slab, slab + 1);
    }
}

/* ---- All together ---- */

static filling begin_filling(tumble_context *context, tmb_block *block)
{
    char *base = (char *)block;
    uint32_t *nodes = (uint32_t *)(base + block->offsets[TMB_SECTION_NODES]);
    const uint64_t lookups = tmb_kdop_parts_of(block).lookups;
    filling f = {.look = TMB_PICK_KERNEL(context, tmb_kdop_look),
                 .set = tmb_kdop_set_of(block->kdop.k),
                 .k = block->kdop.k,
                 .node_count = (uint32_t)block->node_count,
                 .places = (const tmb_cluster_place *)(base + block->offsets[TMB_SECTION_PLACES]),
                 .clusters = (const uint32_t *)(base + block->offsets[TMB_SECTION_CLUSTERS]),
                 .is_float = (int)block->points_are_float,
                 .frame = tmb_local_frame_of(block->lower, block->upper),
                 .tree = tmb_kdop_view_of(block, nodes),
                 .records = (uint32_t *)((char *)nodes + lookups)};
    tmb_kdop_make_rings(f.set, &f.rings);
    for (int i = 0; i <= TMB_KDOP_RINGS; i++) {
        f.edges[i] = (double)f.rings.tangents[i] * (double)f.rings.tangents[i];
    }
    const double edge = f.edges[TMB_KDOP_RINGS];
    for (uint32_t i = 0; i < f.k / 2; i++) {
        const double *d = f.set->directions[i];
        const double length = tmb_length(d);
        f.inverses[i] = 1 / length;
        f.axes[i] = (tmb_kdop_axis){.normal = {(float)(d[0] / length), (float)(d[1] / length), (float)(d[2] / length)},
                                    .cosine = (float)f.rings.cosine,
                                    .sine = (float)f.rings.sine,
                                    .inside = (float)(edge + TMB_LOOKUP_TANGENT_MARGIN),
                                    .outside = (float)(edge - TMB_LOOKUP_TANGENT_MARGIN)};
    }
    return f;
}

#define GRAIN 64
#define POINTS_BEHIND 7 /* that the kernel reads */

static int fill(tumble_context *context, uint32_t thread_count, filling *f, size_t large_count)
{
    const uint32_t threads = tmb_threads_for(thread_count, f->node_count, GRAIN);
    if (!tmb_parallel_for(context, threads, f->node_count, GRAIN, write_leaves, f)) {
        return 0;
    }
    set_inner_centres(f);
    return tmb_parallel_for(context, threads, f->node_count, GRAIN, fill_small, f) &&
           tmb_parallel_for(context, threads, large_count * (f->k / 2), 1, fill_large, f);
}

/* Of trees with bare leaves: the records of inner nodes alone. */
static void keep_records(const filling *f, uint32_t *to)
{
    const size_t words = tmb_kdop_lookup_words(f->k);
    for (uint32_t i = TMB_KDOP_ROOT; i <= f->node_count; i++) {
        if (!count_of(f, i)) {
            memcpy(to + tmb_kdop_volume_of(&f->tree, i) * words, record_at(f, i), words * sizeof *to);
        }
    }
}

int tmb_kdop_fill_lookups(tumble_context *context, uint32_t thread_count, tmb_block *block)
{
    tmb_arena arena = {.context = context};
    filling f = begin_filling(context, block);
    uint32_t *kept = f.records;
    if (f.tree.has_bare_leaves) {
        f.records = tmb_arena_allocate(&arena, (size_t)f.node_count + 1, tmb_kdop_lookup_words(f.k) * sizeof *kept);
        if (!f.records) {
            return 0;
        }
    }
    const size_t point_count = 3 * (size_t)block->triangle_count, large_count = count_triangles(&f);
    int ok = 1;
    for (int j = 0; ok && j < 3; j++) {
        f.points[j] = tmb_arena_allocate(&arena, point_count + POINTS_BEHIND, sizeof(float));
        ok = f.points[j] != NULL;
        if (ok) {
            memset(f.points[j] + point_count, 0, POINTS_BEHIND * sizeof(float));
        }
    }
    f.large = ok ? tmb_arena_allocate(&arena, large_count, sizeof *f.large) : NULL;
    ok = ok && f.large;
    if (ok) {
        place_triangles(&f);
        ok = fill(context, thread_count, &f, large_count);
    }
    if (ok && f.tree.has_bare_leaves) {
        keep_records(&f, kept);
    }
    tmb_arena_release(&arena);
    return ok;
}
