/* Walks two wide hierarchies: 8 children against 8 at a time, along the axes of both frames and the slabs of A's
 * children. Compiled once for each instruction set. */
#include <float.h>
#include <string.h>

#include "query/wide_leaf.h"

#if defined(TMB_KERNEL_AVX512)
#define WALK tmb_wide_walk_avx512
#elif defined(TMB_KERNEL_AVX2)
#define WALK tmb_wide_walk_avx2
#else
#define WALK tmb_wide_walk_scalar
#endif

/* A node's children, decoded: boxes in its own frame and in the other's. */
typedef struct boxes {
    _Alignas(TMB_CACHE_LINE) float lower[3][TMB_LANES];
    float upper[3][TMB_LANES], other_lower[3][TMB_LANES], other_upper[3][TMB_LANES];
} boxes;

/* Their slabs, in A's frame: of the points x of the child, n . (x - centre) is within half of middle. */
typedef struct slabs {
    _Alignas(TMB_CACHE_LINE) float n[3][TMB_LANES];
    float inverse[TMB_LANES];                         /* 1 / n . n */
    float centre[3][TMB_LANES], extent[3][TMB_LANES]; /* the box in A's frame, by its middle and half its sides */
    float middle[TMB_LANES], half[TMB_LANES];
} slabs;

typedef struct decoded {
    boxes boxes;
    slabs slabs;
} decoded;

typedef struct frames {
    tmb_f8 centre[3], half[3];
} frames;

static inline frames decode_boxes(const tmb_wide_node *node, boxes *out)
{
    frames f;
    for (int k = 0; k < 3; k++) {
        const tmb_f8 scale = tmb_f8_set(node->scale[k]), origin = tmb_f8_set(node->origin[k]);
        const tmb_f8 low = tmb_f8_add(tmb_f8_mul(tmb_f8_from_u8(node->lower[k]), scale), origin);
        const tmb_f8 high = tmb_f8_add(tmb_f8_mul(tmb_f8_from_u8(node->upper[k]), scale), origin);
        tmb_f8_store(out->lower[k], low);
        tmb_f8_store(out->upper[k], high);
        f.centre[k] = tmb_f8_mul(tmb_f8_add(low, high), tmb_f8_set(0.5F));
        f.half[k] = tmb_f8_mul(tmb_f8_sub(high, low), tmb_f8_set(0.5F));
    }
    return f;
}

static inline tmb_f8 combine(const float row[3], const tmb_f8 v[3])
{
    return tmb_f8_add(tmb_f8_add(tmb_f8_mul(tmb_f8_set(row[0]), v[0]), tmb_f8_mul(tmb_f8_set(row[1]), v[1])),
                      tmb_f8_mul(tmb_f8_set(row[2]), v[2]));
}

static inline frames move_boxes(const tmb_wide_map *map, const frames *f, boxes *out)
{
    frames moved;
    for (int k = 0; k < 3; k++) {
        moved.centre[k] = tmb_f8_add(combine(map->m[k], f->centre), tmb_f8_set(map->shift[k]));
        moved.half[k] = tmb_f8_add(combine(map->size[k], f->half), tmb_f8_set(map->slack));
        tmb_f8_store(out->other_lower[k], tmb_f8_sub(moved.centre[k], moved.half[k]));
        tmb_f8_store(out->other_upper[k], tmb_f8_add(moved.centre[k], moved.half[k]));
    }
    return moved;
}

static inline void decode_slabs(const tmb_wide_node *node, tmb_f8 n[3], slabs *out)
{
    const tmb_f8 unit = tmb_f8_set(1.0F / 127), zero = tmb_f8_zero();
    const tmb_f8 x = tmb_f8_mul(tmb_f8_from_s8(node->direction[0]), unit);
    const tmb_f8 y = tmb_f8_mul(tmb_f8_from_s8(node->direction[1]), unit);
    const tmb_f8 z = tmb_f8_sub(tmb_f8_sub(tmb_f8_set(1), tmb_f8_abs(x)), tmb_f8_abs(y));
    const tmb_f8 over = tmb_f8_max(tmb_f8_neg(z), zero);
    n[0] = tmb_f8_sub(x, tmb_f8_with_sign_of(over, x));
    n[1] = tmb_f8_sub(y, tmb_f8_with_sign_of(over, y));
    n[2] = z;
    float greatest = node->scale[0] > node->scale[1] ? node->scale[0] : node->scale[1];
    greatest = node->scale[2] > greatest ? node->scale[2] : greatest;
    const tmb_f8 half = tmb_f8_set(greatest * (0.5F / 256));
    const tmb_f8 low = tmb_f8_from_s16(node->slab_lower), high = tmb_f8_from_s16(node->slab_upper);
    tmb_f8_store(out->middle, tmb_f8_mul(tmb_f8_add(high, low), half));
    tmb_f8_store(out->half, tmb_f8_mul(tmb_f8_sub(high, low), half));
}

static inline void store_slabs(const tmb_f8 n[3], const frames *f, slabs *out)
{
    tmb_f8 square = tmb_f8_zero();
    for (int k = 0; k < 3; k++) {
        square = tmb_f8_add(square, tmb_f8_mul(n[k], n[k]));
        tmb_f8_store(out->n[k], n[k]);
        tmb_f8_store(out->centre[k], f->centre[k]);
        tmb_f8_store(out->extent[k], f->half[k]);
    }
    tmb_f8_store(out->inverse, tmb_f8_div(tmb_f8_set(1), square));
}

static void decode_a(const tmb_wide_walk *w, const tmb_wide_node *node, decoded *out)
{
    tmb_f8 n[3];
    const frames f = decode_boxes(node, &out->boxes);
    move_boxes(&w->into_b, &f, &out->boxes);
    decode_slabs(node, n, &out->slabs);
    store_slabs(n, &f, &out->slabs);
}

/* Directions are moved by the transposed inverse, so that n . (x - centre) keeps its value. */
static void decode_b(const tmb_wide_walk *w, const tmb_wide_node *node, decoded *out)
{
    tmb_f8 n[3], moved_n[3];
    const frames f = decode_boxes(node, &out->boxes), moved = move_boxes(&w->into_a, &f, &out->boxes);
    decode_slabs(node, n, &out->slabs);
    for (int k = 0; k < 3; k++) {
        const float column[3] = {w->into_b.m[0][k], w->into_b.m[1][k], w->into_b.m[2][k]};
        moved_n[k] = combine(column, n);
    }
    store_slabs(moved_n, &moved, &out->slabs);
}

/* ---- 8 children against one ---- */

static inline tmb_b8 boxes_meet(const boxes *a, const boxes *b, int j)
{
    tmb_b8 meet = tmb_f8_less_equal(tmb_f8_load(a->lower[0]), tmb_f8_set(b->other_upper[0][j]));
    meet = tmb_b8_and(meet, tmb_f8_less_equal(tmb_f8_set(b->other_lower[0][j]), tmb_f8_load(a->upper[0])));
    for (int k = 1; k < 3; k++) {
        meet = tmb_b8_and(meet, tmb_f8_less_equal(tmb_f8_load(a->lower[k]), tmb_f8_set(b->other_upper[k][j])));
        meet = tmb_b8_and(meet, tmb_f8_less_equal(tmb_f8_set(b->other_lower[k][j]), tmb_f8_load(a->upper[k])));
    }
    for (int k = 0; k < 3; k++) {
        meet = tmb_b8_and(meet, tmb_f8_less_equal(tmb_f8_load(a->other_lower[k]), tmb_f8_set(b->upper[k][j])));
        meet = tmb_b8_and(meet, tmb_f8_less_equal(tmb_f8_set(b->lower[k][j]), tmb_f8_load(a->other_upper[k])));
    }
    return meet;
}

/* Along A's direction n, B reaches as far as its slab does along share times its own direction, plus its box along the
 * rest of n. The same with A and B exchanged. */
static inline tmb_b8 slabs_meet(const slabs *a, const slabs *b, int j, float slack)
{
    tmb_f8 dot = tmb_f8_zero(), between_a = tmb_f8_zero(), between_b = tmb_f8_zero();
    tmb_f8 na[3], nb[3];
    for (int k = 0; k < 3; k++) {
        na[k] = tmb_f8_load(a->n[k]);
        nb[k] = tmb_f8_set(b->n[k][j]);
        const tmb_f8 apart = tmb_f8_sub(tmb_f8_set(b->centre[k][j]), tmb_f8_load(a->centre[k]));
        dot = tmb_f8_add(dot, tmb_f8_mul(na[k], nb[k]));
        between_a = tmb_f8_add(between_a, tmb_f8_mul(na[k], apart));
        between_b = tmb_f8_add(between_b, tmb_f8_mul(nb[k], apart));
    }
    const tmb_f8 share_a = tmb_f8_mul(dot, tmb_f8_load(a->inverse)),
                 share_b = tmb_f8_mul(dot, tmb_f8_set(b->inverse[j]));
    const tmb_f8 half_a = tmb_f8_load(a->half), half_b = tmb_f8_set(b->half[j]);
    tmb_f8 reach_a = tmb_f8_add(tmb_f8_add(half_a, tmb_f8_mul(tmb_f8_abs(share_b), half_b)), tmb_f8_set(slack));
    tmb_f8 reach_b = tmb_f8_add(tmb_f8_add(half_b, tmb_f8_mul(tmb_f8_abs(share_a), half_a)), tmb_f8_set(slack));
    for (int k = 0; k < 3; k++) {
        const tmb_f8 rest_a = tmb_f8_abs(tmb_f8_sub(na[k], tmb_f8_mul(share_b, nb[k])));
        const tmb_f8 rest_b = tmb_f8_abs(tmb_f8_sub(nb[k], tmb_f8_mul(share_a, na[k])));
        reach_a = tmb_f8_add(reach_a, tmb_f8_mul(rest_a, tmb_f8_set(b->extent[k][j])));
        reach_b = tmb_f8_add(reach_b, tmb_f8_mul(rest_b, tmb_f8_load(a->extent[k])));
    }
    const tmb_f8 middle_a = tmb_f8_load(a->middle), middle_b = tmb_f8_set(b->middle[j]);
    const tmb_f8 gap_a = tmb_f8_sub(tmb_f8_add(between_a, tmb_f8_mul(share_b, middle_b)), middle_a);
    const tmb_f8 gap_b = tmb_f8_sub(tmb_f8_add(between_b, middle_b), tmb_f8_mul(share_a, middle_a));
    return tmb_b8_and(tmb_f8_less_equal(tmb_f8_abs(gap_a), reach_a), tmb_f8_less_equal(tmb_f8_abs(gap_b), reach_b));
}

/* How deep the boxes of A's children and of child j of B are in each other: 1/2 when they have the same middle, 0 when
 * they just touch. */
static inline tmb_f8 depth_of(const boxes *a, const boxes *b, int j)
{
    tmb_f8 depth = tmb_f8_set(FLT_MAX);
    for (int k = 0; k < 3; k++) {
        const tmb_f8 from_below = tmb_f8_sub(tmb_f8_load(a->upper[k]), tmb_f8_set(b->other_lower[k][j]));
        const tmb_f8 from_above = tmb_f8_sub(tmb_f8_set(b->other_upper[k][j]), tmb_f8_load(a->lower[k]));
        const tmb_f8 both = tmb_f8_add(from_below, from_above);
        depth = tmb_f8_min(depth, tmb_f8_div(tmb_f8_min(from_below, from_above), both));
    }
    return depth;
}

/* Bit 8 j + i: child i of A and j of B may meet. `depths` may be null. */
static inline uint64_t children_that_meet(const tmb_wide_walk *w, const decoded *a, const decoded *b,
                                          const tmb_wide_pair *pair, float depths[TMB_WIDE][TMB_LANES])
{
    uint64_t meet = 0;
    for (unsigned rest = pair->children_b; rest; rest &= rest - 1) {
        const int j = __builtin_ctz(rest);
        unsigned bits = tmb_b8_bits(boxes_meet(&a->boxes, &b->boxes, j)) & pair->children_a;
        if (bits) {
            bits &= tmb_b8_bits(slabs_meet(&a->slabs, &b->slabs, j, w->slab_slack));
            if (depths) {
                tmb_f8_storeu(depths[j], depth_of(&a->boxes, &b->boxes, j));
            }
        }
        meet |= (uint64_t)bits << 8 * j;
    }
    return meet;
}

/* Rows become columns. */
static inline uint64_t transpose(uint64_t m)
{
    uint64_t t = (m ^ m >> 7) & 0x00aa00aa00aa00aau;
    m ^= t ^ t << 7;
    t = (m ^ m >> 14) & 0x0000cccc0000ccccu;
    m ^= t ^ t << 14;
    t = (m ^ m >> 28) & 0x00000000f0f0f0f0u;
    return m ^ t ^ t << 28;
}

/* ---- The walk ---- */

/* The clusters of one node of A, as far as they were needed. */
typedef struct cluster_cache {
    uint32_t node;
    unsigned ready;
    double origin[3]; /* of the floats, for both models */
    cluster_lanes lanes[TMB_WIDE];
} cluster_cache;

typedef struct walker {
    tmb_wide_walk *walk;
    size_t waiting;
    uint32_t node_a, node_b; /* decoded now */
    decoded a, b;
    cluster_cache clusters_a;
} walker;

static void start_cache(const tumble_model *model, const tmb_wide_node *node, uint32_t number, cluster_cache *cache)
{
    double corners[3][3];
    tmb_model_corners(model, tmb_triangle_address(node->children, 0), corners);
    memcpy(cache->origin, corners[0], sizeof cache->origin);
    cache->node = number;
    cache->ready = 0;
}

/* Bit 8 i + j of `columns`: clusters i of A's node and j of B's may meet. */
static int visit_clusters(walker *k, uint64_t columns, const tmb_wide_pair *pair)
{
    tmb_collider *c = k->walk->collider;
    const tmb_wide_node *a = &k->walk->nodes_a[pair->a], *b = &k->walk->nodes_b[pair->b];
    cluster_cache *cache = &k->clusters_a;
    cluster_lanes clusters_b[TMB_WIDE];
    unsigned ready_b = 0;
    if (cache->node != pair->a) {
        start_cache(c->a, a, pair->a, cache);
    }
    for (unsigned i = 0; columns; i++, columns >>= 8) {
        unsigned bits = (unsigned)columns & 255;
        if (bits && !(cache->ready >> i & 1)) {
            expand_cluster(c->a, a->children + i, NULL, cache->origin, &cache->lanes[i]);
            cache->ready |= 1u << i;
        }
        for (; bits; bits &= bits - 1) {
            const unsigned j = (unsigned)__builtin_ctz(bits);
            if (!(ready_b >> j & 1)) {
                expand_cluster(c->b, b->children + j, &c->relative, cache->origin, &clusters_b[j]);
                ready_b |= 1u << j;
            }
            if (test_clusters(c, &cache->lanes[i], &clusters_b[j])) {
                return 1;
            }
        }
    }
    return 0;
}

static inline uint8_t all_children(const tmb_wide_node *node)
{
    return (uint8_t)((1u << node->child_count) - 1);
}

static inline void push(walker *k, uint32_t a, uint32_t b, uint8_t children_a, uint8_t children_b)
{
    k->walk->stack[k->waiting++] = (tmb_wide_pair){a, b, children_a, children_b};
}

static void push_nodes(walker *k, const tmb_wide_pair *pair, uint64_t meet, const tmb_wide_node *a,
                       const tmb_wide_node *b)
{
    const tmb_wide_node *nodes_a = k->walk->nodes_a, *nodes_b = k->walk->nodes_b;
    if (a->is_lowest) {
        for (uint32_t j = 0; j < TMB_WIDE; j++) {
            const uint8_t row = (uint8_t)(meet >> 8 * j);
            if (row) {
                push(k, pair->a, b->children + j, row, all_children(&nodes_b[b->children + j]));
            }
        }
        return;
    }
    const uint64_t columns = transpose(meet);
    for (uint32_t i = 0; i < TMB_WIDE; i++) {
        uint8_t column = (uint8_t)(columns >> 8 * i);
        if (!column) {
            continue;
        }
        const uint8_t all = all_children(&nodes_a[a->children + i]);
        if (b->is_lowest) {
            push(k, a->children + i, pair->b, all, column);
            continue;
        }
        for (; column; column &= (uint8_t)(column - 1)) {
            const uint32_t child = b->children + (uint32_t)__builtin_ctz(column);
            push(k, a->children + i, child, all, all_children(&nodes_b[child]));
        }
    }
}

/* ---- Looking for one pair: the deepest first ---- */

typedef struct candidate {
    float depth;
    uint8_t i, j;
} candidate;

/* The deepest last. */
static int list_candidates(uint64_t meet, float depths[TMB_WIDE][TMB_LANES], candidate out[64])
{
    int count = 0, deepest = 0;
    float depth = -1;
    for (; meet; meet &= meet - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(meet);
        const candidate c = {depths[bit / 8][bit % 8], (uint8_t)(bit % 8), (uint8_t)(bit / 8)};
        deepest = c.depth > depth ? count : deepest;
        depth = c.depth > depth ? c.depth : depth;
        out[count++] = c;
    }
    const candidate c = out[deepest];
    out[deepest] = out[count - 1];
    out[count - 1] = c;
    return count;
}

static void push_candidates(walker *k, const tmb_wide_pair *pair, const candidate *candidates, int count,
                            const tmb_wide_node *a, const tmb_wide_node *b)
{
    const tmb_wide_node *nodes_a = k->walk->nodes_a, *nodes_b = k->walk->nodes_b;
    for (int n = 0; n < count; n++) {
        const uint32_t i = candidates[n].i, j = candidates[n].j;
        if (a->is_lowest) {
            push(k, pair->a, b->children + j, (uint8_t)(1u << i), all_children(&nodes_b[b->children + j]));
        } else if (b->is_lowest) {
            push(k, a->children + i, pair->b, all_children(&nodes_a[a->children + i]), (uint8_t)(1u << j));
        } else {
            push(k, a->children + i, b->children + j, all_children(&nodes_a[a->children + i]),
                 all_children(&nodes_b[b->children + j]));
        }
    }
}

void WALK(tmb_wide_walk *walk)
{
    walker k;
    k.walk = walk;
    k.waiting = 0;
    k.node_a = k.node_b = 0;
    k.clusters_a.node = UINT32_MAX;
    decode_a(walk, walk->nodes_a, &k.a);
    decode_b(walk, walk->nodes_b, &k.b);
    tmb_collider *c = walk->collider;
    const int one = c->options->mode != TUMBLE_COLLIDE_ALL;
    float depths[TMB_WIDE][TMB_LANES];
    push(&k, 0, 0, all_children(&walk->nodes_a[0]), all_children(&walk->nodes_b[0]));
    while (k.waiting > 0) {
        const tmb_wide_pair pair = walk->stack[--k.waiting];
        const tmb_wide_node *a = &walk->nodes_a[pair.a], *b = &walk->nodes_b[pair.b];
        if (pair.a != k.node_a) {
            decode_a(walk, a, &k.a);
            k.node_a = pair.a;
        }
        if (pair.b != k.node_b) {
            decode_b(walk, b, &k.b);
            k.node_b = pair.b;
        }
        const uint64_t meet = children_that_meet(walk, &k.a, &k.b, &pair, one ? depths : NULL);
        c->box_tests += (uint64_t)(__builtin_popcount(pair.children_a) * __builtin_popcount(pair.children_b));
        c->box_updates++;
        c->node_bytes += 2 * sizeof(tmb_wide_node);
        if (!meet) {
            continue;
        }
        if (one && !(a->is_lowest && b->is_lowest)) {
            candidate candidates[64];
            const int count = list_candidates(meet, depths, candidates);
            push_candidates(&k, &pair, candidates, count, a, b);
        } else if (!(a->is_lowest && b->is_lowest)) {
            push_nodes(&k, &pair, meet, a, b);
        } else if (visit_clusters(&k, transpose(meet), &pair)) {
            return;
        }
    }
}
