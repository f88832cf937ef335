/* Walks a wide hierarchy against itself: nodes with themselves, and eight boxes against eight. Compiled once for each
 * instruction set.
 *
 * Boxes need no slack: they hold the local coordinates of their triangles' corners as floats, which are a monotonous
 * function of the coordinates. What two triangles have in common is between corners of both along each axis. */
#include <string.h>

#include "collide/leaf_lanes.h"
#include "collide/wide/decode.h"
#include "math/bits.h"
#include "self/wide.h"

typedef struct node_boxes {
    _Alignas(TMB_CACHE_LINE) float lower[3][TMB_LANES];
    float upper[3][TMB_LANES];
} node_boxes;

static void decode(const tmb_wide_node *node, node_boxes *out)
{
    for (int k = 0; k < 3; k++) {
        const tmb_f8 scale = tmb_f8_set(node->scale[k]), origin = tmb_f8_set(node->origin[k]);
        tmb_f8_store(out->lower[k], tmb_f8_add(tmb_f8_mul(tmb_f8_from_u8(node->lower[k]), scale), origin));
        tmb_f8_store(out->upper[k], tmb_f8_add(tmb_f8_mul(tmb_f8_from_u8(node->upper[k]), scale), origin));
    }
}

static inline unsigned all_children(const tmb_wide_node *node)
{
    return (1u << node->child_count) - 1;
}

/* Bit i: the box of child i meets that of child j of another node. */
static inline unsigned meets(const node_boxes *a, const node_boxes *b, uint32_t j)
{
    tmb_b8 row = tmb_b8_and(tmb_f8_less_equal(tmb_f8_load(a->lower[0]), tmb_f8_set(b->upper[0][j])),
                            tmb_f8_less_equal(tmb_f8_set(b->lower[0][j]), tmb_f8_load(a->upper[0])));
    for (int k = 1; k < 3; k++) {
        row = tmb_b8_and(row, tmb_f8_less_equal(tmb_f8_load(a->lower[k]), tmb_f8_set(b->upper[k][j])));
        row = tmb_b8_and(row, tmb_f8_less_equal(tmb_f8_set(b->lower[k][j]), tmb_f8_load(a->upper[k])));
    }
    return tmb_b8_bits(row);
}

/* Bit 8 j + i: child i of node a and child j of node b may meet; of one node with itself, i < j. */
static uint64_t meeting_children(tmb_self_part *part, const tmb_wide_node *nodes, tmb_self_nodes pair)
{
    const tmb_wide_node *a = &nodes[pair.a], *b = &nodes[pair.b];
    node_boxes boxes_a, boxes_b;
    uint64_t meet = 0;
    decode(a, &boxes_a);
    if (pair.a != pair.b) {
        decode(b, &boxes_b);
    }
    for (uint32_t j = 0; j < b->child_count; j++) {
        const unsigned wanted = pair.a == pair.b ? (1u << j) - 1 : all_children(a);
        meet |= (uint64_t)(meets(&boxes_a, pair.a == pair.b ? &boxes_a : &boxes_b, j) & wanted) << 8 * j;
        part->box_tests += (uint64_t)__builtin_popcount(wanted);
    }
    part->box_updates++;
    part->node_bytes += (pair.a == pair.b ? 1 : 2) * sizeof(tmb_wide_node);
    return meet;
}

/* ---- Pairs of nodes ---- */

static size_t open_self(tmb_self_part *part, const tmb_wide_node *nodes, uint32_t node, tmb_self_nodes *out)
{
    const uint32_t first = nodes[node].children;
    size_t count = 0;
    for (uint64_t meet = meeting_children(part, nodes, (tmb_self_nodes){node, node}); meet; meet &= meet - 1) {
        const uint32_t bit = (uint32_t)__builtin_ctzll(meet);
        out[count++] = (tmb_self_nodes){first + bit % 8, first + bit / 8};
    }
    for (uint32_t i = 0; i < nodes[node].child_count; i++) {
        out[count++] = (tmb_self_nodes){first + i, first + i};
    }
    return count;
}

/* Pairs of children; a node that is lowest, or much smaller, stays. */
static size_t open_pair(tmb_self_part *part, const tmb_wide_node *nodes, tmb_self_nodes pair, tmb_self_nodes *out)
{
    const tmb_wide_node *a = &nodes[pair.a], *b = &nodes[pair.b];
    const float size_a = longest_side(a), size_b = longest_side(b);
    const int into_a = !a->is_lowest && (b->is_lowest || !(size_b > UNLIKE * size_a));
    const int into_b = !b->is_lowest && (a->is_lowest || !(size_a > UNLIKE * size_b));
    const uint64_t meet = meeting_children(part, nodes, pair);
    size_t count = 0;
    unsigned columns = 0;
    for (uint32_t j = 0; j < b->child_count; j++) {
        unsigned row = (unsigned)(meet >> 8 * j) & 255;
        columns |= row;
        if (!into_a && row) {
            out[count++] = (tmb_self_nodes){pair.a, b->children + j};
        }
        for (; into_a && into_b && row; row &= row - 1) {
            out[count++] = (tmb_self_nodes){a->children + (uint32_t)__builtin_ctz(row), b->children + j};
        }
    }
    for (; into_a && !into_b && columns; columns &= columns - 1) {
        out[count++] = (tmb_self_nodes){a->children + (uint32_t)__builtin_ctz(columns), pair.b};
    }
    return count;
}

size_t TMB_KERNEL_NAME(tmb_self_open_wide)(tmb_self *self, tmb_self_part *part, tmb_self_nodes pair,
                                           tmb_self_nodes out[TMB_SELF_OPENED])
{
    const tmb_wide_node *nodes = self->model->nodes;
    return pair.a == pair.b ? open_self(part, nodes, pair.a, out) : open_pair(part, nodes, pair, out);
}

/* ---- Clusters ---- */

/* Clusters of one node, as far as they were needed, relative to an origin. */
typedef struct cluster_set {
    uint32_t node;
    unsigned ready;
    double origin[3];
    cluster_lanes lanes[TMB_WIDE];
} cluster_set;

typedef struct walker {
    tmb_self *self;
    tmb_self_part *part;
    const tmb_wide_node *nodes;
    cluster_set a, b;
    tmb_self_nodes stack[TMB_SELF_WAITING];
} walker;

static const cluster_lanes *cluster_of(const walker *w, cluster_set *set, uint32_t i)
{
    if (!(set->ready >> i & 1)) {
        expand_cluster(w->self->model, w->nodes[set->node].children + i, NULL, set->origin, &set->lanes[i]);
        set->ready |= 1u << i;
    }
    return &set->lanes[i];
}

/* The clusters of a node, relative to this origin; NULL: to one of its own. */
static void start_set(const walker *w, cluster_set *set, uint32_t node, const double *origin)
{
    double corners[3][3];
    if (!origin) {
        tmb_model_corners(w->self->model, tmb_triangle_address(w->nodes[node].children, 0), corners);
        origin = corners[0];
    }
    memcpy(set->origin, origin, sizeof set->origin);
    set->node = node;
    set->ready = 0;
}

/* Which triangles of a cluster have a corner: bit t of the entry of each number. Corners are known by the number of the
 * first with the same coordinates in cluster A; those of B that A lacks have numbers from 16 on. */
typedef struct corner_table {
    uint8_t has[2 * TMB_CLUSTER_CORNERS];
} corner_table;

static inline void corner_at(const tumble_model *model, const uint32_t *data, uint32_t count, uint32_t i, double out[3])
{
    for (uint32_t k = 0; k < 3; k++) {
        out[k] = model->is_float ? (double)((const float *)(const void *)(data + TMB_CLUSTER_HEAD_FLOAT))[k * count + i]
                                 : ((const double *)(const void *)(data + TMB_CLUSTER_HEAD_DOUBLE))[k * count + i];
    }
}

/* Bit i: corner i of a cluster is at this point. */
static inline unsigned corners_at(const tumble_model *model, const uint32_t *data, uint32_t count, const double p[3])
{
    unsigned equal = count == TMB_CLUSTER_CORNERS ? 65535 : (1u << count) - 1;
    for (uint32_t k = 0; k < 3 && equal; k++) {
        const tmb_d8 x = tmb_d8_set(p[k]);
        const tmb_d8 low = load_eight(data, model->is_float, k * count);
        const unsigned below = tmb_d8_less(low, x) | tmb_d8_less(x, low);
        equal &= ~below;
        if (count > 8) {
            const tmb_d8 high = load_eight(data, model->is_float, k * count + 8);
            equal &= ~((tmb_d8_less(high, x) | tmb_d8_less(x, high)) << 8);
        }
    }
    return equal;
}

/* The numbers of the corners of B: of the first equal one of A, or 16 plus that of the first equal one of B. */
static void number_corners(const tumble_model *model, uint32_t cluster_a, uint32_t cluster_b,
                           uint8_t numbers[TMB_CLUSTER_CORNERS])
{
    const tmb_cluster_place *place_a = &model->places[cluster_a], *place_b = &model->places[cluster_b];
    const uint32_t *data_a = model->clusters + place_a->offset, *data_b = model->clusters + place_b->offset;
    const uint32_t count_a = tmb_cluster_corner_count(place_a, model->is_float);
    const uint32_t count_b = tmb_cluster_corner_count(place_b, model->is_float);
    for (uint32_t i = 0; i < count_b; i++) {
        double p[3];
        corner_at(model, data_b, count_b, i, p);
        const unsigned equal = corners_at(model, data_a, count_a, p);
        numbers[i] = (uint8_t)(equal ? (unsigned)__builtin_ctz(equal) : 16 + i);
    }
}

/* Pairs of triangles 8 j + i by what they share. */
typedef struct sharing {
    uint64_t none; /* no corner */
    uint64_t some; /* corners, or it is not known */
} sharing;

static sharing sharing_of(const tumble_model *model, uint32_t cluster_a, uint32_t cluster_b, uint64_t slots)
{
    uint8_t of_a[TMB_CLUSTER_CORNERS], of_b[TMB_CLUSTER_CORNERS], has[2 * TMB_CLUSTER_CORNERS] = {0};
    const uint32_t *words_a = model->clusters + model->places[cluster_a].offset;
    const uint32_t *words_b = model->clusters + model->places[cluster_b].offset;
    const uint32_t count_a = tmb_cluster_triangle_count(&model->places[cluster_a]);
    const uint32_t count_b = tmb_cluster_triangle_count(&model->places[cluster_b]);
    number_corners(model, cluster_a, cluster_a, of_a);
    number_corners(model, cluster_a, cluster_b, of_b);
    for (uint32_t t = 0; t < count_a; t++) {
        for (int k = 0; k < 3; k++) {
            has[of_a[words_a[k] >> 4 * t & 15]] |= (uint8_t)(1u << t);
        }
    }
    uint64_t shared = 0;
    for (uint32_t t = 0; t < count_b; t++) {
        unsigned row = 0;
        for (int k = 0; k < 3; k++) {
            row |= has[of_b[words_b[k] >> 4 * t & 15]];
        }
        shared |= (uint64_t)row << 8 * t;
    }
    return (sharing){slots & ~shared, slots & shared};
}

/* Pairs that share no corner, eight at a time. */
static int test_strangers(walker *w, const cluster_lanes *a, const cluster_lanes *b, uint64_t slots)
{
    uint8_t numbers[TMB_BITS_ROOM] = {0};
    const uint32_t count = tmb_list_bits(slots, numbers);
    for (uint32_t i = 0; i < count; i += TMB_LANES) {
        const unsigned lanes = count - i >= TMB_LANES ? 255 : (1u << (count - i)) - 1;
        const tmb_i8 number = tmb_i8_from_u8(numbers + i);
        const tmb_triangle8 ta = pick_triangles(&a->triangles, tmb_i8_and(number, tmb_i8_set(7)));
        const tmb_triangle8 tb =
            pick_triangles(&b->triangles, tmb_i8_and(tmb_i8_shift_right(number, 3), tmb_i8_set(7)));
        const tmb_verdict8 verdict = tmb_triangles_intersect8(&ta, &tb, common_reach(a, b), lanes);
        w->part->primitive_tests += (uint64_t)__builtin_popcount(lanes & (verdict.hit | verdict.miss));
        for (unsigned rest = lanes & ~verdict.miss; rest; rest &= rest - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(rest), slot = numbers[i + lane];
            const uint32_t first = tmb_triangle_address(a->cluster, slot & 7);
            const uint32_t second = tmb_triangle_address(b->cluster, slot >> 3);
            if (verdict.hit >> lane & 1 ? tmb_self_add(w->self, w->part, first, second)
                                        : tmb_self_test(w->self, w->part, first, second)) {
                return 1;
            }
        }
    }
    return 0;
}

static int test_neighbours(walker *w, uint32_t cluster_a, uint32_t cluster_b, uint64_t slots)
{
    for (; slots; slots &= slots - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(slots);
        if (tmb_self_test(w->self, w->part, tmb_triangle_address(cluster_a, slot & 7),
                          tmb_triangle_address(cluster_b, slot >> 3))) {
            return 1;
        }
    }
    return 0;
}

/* Bits 8 j + i with i < j. */
#define ABOVE_DIAGONAL 0x7f3f1f0f07030100u

static int test_two_clusters(walker *w, const cluster_lanes *a, const cluster_lanes *b)
{
    uint64_t slots = overlapping_slots(a, b);
    slots &= a->cluster == b->cluster ? ABOVE_DIAGONAL : UINT64_MAX;
    if (!slots) {
        return 0;
    }
    const sharing s = w->self->soup ? (sharing){slots, 0} : sharing_of(w->self->model, a->cluster, b->cluster, slots);
    return test_strangers(w, a, b, s.none) || test_neighbours(w, a->cluster, b->cluster, s.some);
}

/* Two lowest nodes; 1: stop. */
static int visit_clusters(walker *w, tmb_self_nodes pair)
{
    uint64_t meet = meeting_children(w->part, w->nodes, pair);
    if (w->a.node != pair.a) {
        start_set(w, &w->a, pair.a, NULL);
    }
    cluster_set *b = &w->a;
    if (pair.a != pair.b) {
        start_set(w, &w->b, pair.b, w->a.origin);
        b = &w->b;
    }
    for (uint32_t i = 0; pair.a == pair.b && i < w->nodes[pair.a].child_count; i++) {
        const cluster_lanes *cluster = cluster_of(w, &w->a, i);
        if (test_two_clusters(w, cluster, cluster)) {
            return 1;
        }
    }
    for (; meet; meet &= meet - 1) {
        const uint32_t bit = (uint32_t)__builtin_ctzll(meet);
        if (test_two_clusters(w, cluster_of(w, &w->a, bit % 8), cluster_of(w, b, bit / 8))) {
            return 1;
        }
    }
    return 0;
}

void TMB_KERNEL_NAME(tmb_self_visit_wide)(tmb_self *self, tmb_self_part *part, size_t start, tmb_self_nodes pair)
{
    walker w;
    w.self = self;
    w.part = part;
    w.nodes = self->model->nodes;
    w.a.node = w.b.node = UINT32_MAX;
    size_t waiting = 1;
    w.stack[0] = pair;
    while (waiting > 0 && !tmb_self_is_over(self, start)) {
        const tmb_self_nodes next = w.stack[--waiting];
        if (!tmb_self_is_lowest(w.nodes, next)) {
            waiting += TMB_KERNEL_NAME(tmb_self_open_wide)(self, part, next, w.stack + waiting);
        } else if (visit_clusters(&w, next)) {
            return;
        }
    }
}
