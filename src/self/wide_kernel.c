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

/* The corners of a cluster by number: that of the first with the same coordinates. */
typedef struct own_corners {
    uint8_t numbers[TMB_CLUSTER_CORNERS];
    uint8_t triangles[2 * TMB_CLUSTER_CORNERS]; /* bit t: triangle t has the corner; none has those from 16 on */
} own_corners;

/* Clusters of one node, as far as they were needed, relative to an origin. */
typedef struct cluster_set {
    uint32_t node;
    unsigned ready, numbered;
    double origin[3];
    cluster_lanes lanes[TMB_WIDE];
    own_corners corners[TMB_WIDE];
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
    set->ready = set->numbered = 0;
}

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

/* The corners of triangles of B that are in one of the pairs 8 j + i, as bits. */
static inline unsigned corners_in(const tumble_model *model, uint32_t cluster_b, uint64_t slots)
{
    const uint32_t *words = model->clusters + model->places[cluster_b].offset;
    unsigned corners = 0;
    for (uint32_t t = 0; t < TMB_LANES; t++) {
        const unsigned own =
            1u << (words[0] >> 4 * t & 15) | 1u << (words[1] >> 4 * t & 15) | 1u << (words[2] >> 4 * t & 15);
        corners |= slots >> 8 * t & 255 ? own : 0;
    }
    return corners;
}

/* The numbers of the wanted corners of B: of the first equal one of A, or 16 plus that of the corner. */
static void number_corners(const tumble_model *model, uint32_t cluster_a, uint32_t cluster_b, unsigned wanted,
                           uint8_t numbers[TMB_CLUSTER_CORNERS])
{
    memset(numbers, 16, TMB_CLUSTER_CORNERS);
    const tmb_cluster_place *place_a = &model->places[cluster_a], *place_b = &model->places[cluster_b];
    const uint32_t *data_a = model->clusters + place_a->offset, *data_b = model->clusters + place_b->offset;
    const uint32_t count_a = tmb_cluster_corner_count(place_a, model->is_float);
    const uint32_t count_b = tmb_cluster_corner_count(place_b, model->is_float);
    for (; wanted; wanted &= wanted - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(wanted);
        double p[3];
        corner_at(model, data_b, count_b, i, p);
        const unsigned equal = corners_at(model, data_a, count_a, p);
        numbers[i] = (uint8_t)(equal ? (unsigned)__builtin_ctz(equal) : 16 + i);
    }
}

static void number_own(const tumble_model *model, uint32_t cluster, own_corners *out)
{
    const uint32_t *words = model->clusters + model->places[cluster].offset;
    const uint32_t count = tmb_cluster_triangle_count(&model->places[cluster]);
    memset(out->triangles, 0, sizeof out->triangles);
    const uint32_t corners = tmb_cluster_corner_count(&model->places[cluster], model->is_float);
    number_corners(model, cluster, cluster, (1u << corners) - 1, out->numbers);
    for (uint32_t i = 0; i < 3 * count; i++) {
        out->triangles[out->numbers[words[i % 3] >> 4 * (i / 3) & 15]] |= (uint8_t)(1u << i / 3);
    }
}

static const own_corners *corners_of(const walker *w, cluster_set *set, uint32_t i)
{
    if (!(set->numbered >> i & 1)) {
        number_own(w->self->model, w->nodes[set->node].children + i, &set->corners[i]);
        set->numbered |= 1u << i;
    }
    return &set->corners[i];
}

/* Pairs of triangles 8 j + i by how many corners they share. */
typedef struct sharing {
    uint64_t none, one, more;
} sharing;

/* A triangle of B that has a corner twice counts it twice. */
static sharing sharing_of(const tumble_model *model, const own_corners *of_a, const uint8_t *numbers,
                          uint32_t cluster_b, uint64_t slots)
{
    const uint32_t *words = model->clusters + model->places[cluster_b].offset;
    const uint32_t count = tmb_cluster_triangle_count(&model->places[cluster_b]);
    uint64_t some = 0, more = 0;
    for (uint32_t t = 0; t < count; t++) {
        const unsigned x = of_a->triangles[numbers[words[0] >> 4 * t & 15]];
        const unsigned y = of_a->triangles[numbers[words[1] >> 4 * t & 15]];
        const unsigned z = of_a->triangles[numbers[words[2] >> 4 * t & 15]];
        some |= (uint64_t)(x | y | z) << 8 * t;
        more |= (uint64_t)((x & y) | (y & z) | (z & x)) << 8 * t;
    }
    return (sharing){slots & ~some, slots & some & ~more, slots & more};
}

/* Eight of the pairs of triangles. */
typedef struct pair8 {
    tmb_triangle8 a, b;
    unsigned lanes;
} pair8;

static inline pair8 take_eight(const cluster_lanes *a, const cluster_lanes *b, const uint8_t *numbers, uint32_t count)
{
    const tmb_i8 number = tmb_i8_from_u8(numbers);
    return (pair8){pick_triangles(&a->triangles, tmb_i8_and(number, tmb_i8_set(7))),
                   pick_triangles(&b->triangles, tmb_i8_and(tmb_i8_shift_right(number, 3), tmb_i8_set(7))),
                   count >= TMB_LANES ? 255 : (1u << count) - 1};
}

/* Of the heights of the three corners of triangles, the least, the middle and the greatest. */
typedef struct heights8 {
    tmb_f8 least, middle, most;
} heights8;

static inline heights8 heights_of(const tmb_triangle8 *t, tmb_vector8 n)
{
    tmb_f8 h[3];
    for (int i = 0; i < 3; i++) {
        h[i] = tmb_vector8_dot(n, (tmb_vector8){t->x[i], t->y[i], t->z[i]});
    }
    const tmb_f8 low = tmb_f8_min(h[0], h[1]), high = tmb_f8_max(h[0], h[1]);
    return (heights8){tmb_f8_min(low, h[2]), tmb_f8_max(low, tmb_f8_min(high, h[2])), tmb_f8_max(high, h[2])};
}

static inline tmb_vector8 middle_way(const pair8 *p)
{
    tmb_vector8 n = tmb_vector8_between(&p->b, 0, &p->a, 0);
    for (int i = 1; i < 3; i++) {
        const tmb_vector8 way = tmb_vector8_between(&p->b, i, &p->a, i);
        n = (tmb_vector8){tmb_f8_add(n.x, way.x), tmb_f8_add(n.y, way.y), tmb_f8_add(n.z, way.z)};
    }
    return n;
}

static inline tmb_vector8 corner_of(const tmb_triangle8 *t, int i)
{
    return (tmb_vector8){t->x[i], t->y[i], t->z[i]};
}

static inline tmb_b8 are_equal(tmb_f8 a, tmb_f8 b)
{
    return tmb_b8_and(tmb_f8_less_equal(a, b), tmb_f8_less_equal(b, a));
}

static inline tmb_vector8 choose(tmb_b8 which, tmb_vector8 a, tmb_vector8 b)
{
    return (tmb_vector8){tmb_f8_select(which, a.x, b.x), tmb_f8_select(which, a.y, b.y),
                         tmb_f8_select(which, a.z, b.z)};
}

/* From point p to q, of length 1 or, where they are one, 0. */
static inline tmb_vector8 unit_way(tmb_vector8 p, tmb_vector8 q)
{
    const tmb_vector8 way = {tmb_f8_sub(q.x, p.x), tmb_f8_sub(q.y, p.y), tmb_f8_sub(q.z, p.z)};
    const tmb_f8 length = tmb_f8_max(tmb_f8_sqrt(tmb_vector8_dot(way, way)), tmb_f8_set(TMB_TRIANGLES_UNDERFLOW));
    return (tmb_vector8){tmb_f8_div(way.x, length), tmb_f8_div(way.y, length), tmb_f8_div(way.z, length)};
}

/* From the corner that triangles share to the others of `t`; `is_shared` tells of its corners. */
static inline void find_spokes(const tmb_triangle8 *t, const tmb_b8 is_shared[3], tmb_vector8 spokes[2])
{
    const tmb_vector8 c[3] = {corner_of(t, 0), corner_of(t, 1), corner_of(t, 2)};
    const tmb_vector8 p = choose(is_shared[0], c[0], choose(is_shared[1], c[1], c[2]));
    spokes[0] = unit_way(p, choose(is_shared[0], c[1], c[0]));
    spokes[1] = unit_way(p, choose(is_shared[0], c[2], choose(is_shared[1], c[2], c[1])));
}

/* Across the narrowest gap between triangles around the corner that they share. */
static inline tmb_vector8 way_across(const pair8 *p)
{
    tmb_b8 in_a[3], in_b[3];
    tmb_vector8 of_a[2], of_b[2];
    for (int i = 0; i < 3; i++) {
        in_a[i] = in_b[i] = tmb_f8_less(tmb_f8_zero(), tmb_f8_zero());
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const tmb_b8 same =
                tmb_b8_and(are_equal(p->a.x[i], p->b.x[j]),
                           tmb_b8_and(are_equal(p->a.y[i], p->b.y[j]), are_equal(p->a.z[i], p->b.z[j])));
            in_a[i] = tmb_b8_or(in_a[i], same);
            in_b[j] = tmb_b8_or(in_b[j], same);
        }
    }
    find_spokes(&p->a, in_a, of_a);
    find_spokes(&p->b, in_b, of_b);
    tmb_vector8 a = of_a[0], b = of_b[0];
    tmb_f8 most = tmb_vector8_dot(a, b);
    for (int i = 1; i < 4; i++) {
        const tmb_f8 cosine = tmb_vector8_dot(of_a[i & 1], of_b[i >> 1]);
        const tmb_b8 nearer = tmb_f8_less(most, cosine);
        most = tmb_f8_max(most, cosine);
        a = choose(nearer, of_a[i & 1], a);
        b = choose(nearer, of_b[i >> 1], b);
    }
    return (tmb_vector8){tmb_f8_sub(a.x, b.x), tmb_f8_sub(a.y, b.y), tmb_f8_sub(a.z, b.z)};
}

/* The lanes in which triangles are surely apart, along the direction between their middles: mostly, if they lie in one
 * plane. */
static inline unsigned are_apart8(const pair8 *p, float reach)
{
    const tmb_vector8 n = middle_way(p);
    const heights8 a = heights_of(&p->a, n), b = heights_of(&p->b, n);
    const tmb_b8 apart = tmb_f8_less(tmb_vector8_least_gap(n, reach), tmb_f8_sub(a.least, b.most));
    return reach <= TMB_TRIANGLES_MOST_REACH ? p->lanes & tmb_b8_bits(apart) : 0;
}

/* The lanes in which triangles that share a corner, the same float in both, surely have no other point in common: along
 * a direction, any one, that corner is the last of `b` and the first of `a`, and the others are beyond it
 * (proofs/self_corner.g). No other corner can take its place: it is between the least of `a` and
 * the greatest of `b`, so it is the one that both are. What underflows is less than TMB_TRIANGLES_UNDERFLOW. */
static inline unsigned are_opposite8(const pair8 *p, tmb_vector8 n, float reach)
{
    const heights8 a = heights_of(&p->a, n), b = heights_of(&p->b, n);
    const tmb_f8 bound = tmb_vector8_least_gap(n, reach);
    const tmb_b8 beyond =
        tmb_b8_and(tmb_f8_less(bound, tmb_f8_sub(a.middle, a.least)), tmb_f8_less(bound, tmb_f8_sub(b.most, b.middle)));
    return reach <= TMB_TRIANGLES_MOST_REACH
               ? p->lanes & tmb_b8_bits(tmb_b8_and(beyond, tmb_f8_less_equal(b.most, a.least)))
               : 0;
}

static int test_slot(walker *w, uint32_t cluster_a, uint32_t cluster_b, uint32_t slot, int are_strangers)
{
    const uint32_t first = tmb_triangle_address(cluster_a, slot & 7);
    const uint32_t second = tmb_triangle_address(cluster_b, slot >> 3);
    return tmb_self_test(w->self, w->part, first, second, are_strangers);
}

/* Pairs that share no corner, eight at a time. */
static int test_strangers(walker *w, const cluster_lanes *a, const cluster_lanes *b, uint64_t slots)
{
    uint8_t numbers[TMB_BITS_ROOM] = {0};
    const uint32_t count = tmb_list_bits(slots, numbers);
    for (uint32_t i = 0; i < count; i += TMB_LANES) {
        const pair8 p = take_eight(a, b, numbers + i, count - i);
        tmb_verdict8 verdict = tmb_triangles_intersect8(&p.a, &p.b, common_reach(a, b), p.lanes);
        if (p.lanes & ~(verdict.hit | verdict.miss)) {
            verdict.miss |= are_apart8(&p, common_reach(a, b)) & ~verdict.hit;
        }
        w->part->primitive_tests += (uint64_t)__builtin_popcount(p.lanes & (verdict.hit | verdict.miss));
        for (unsigned rest = p.lanes & ~verdict.miss; rest; rest &= rest - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(rest);
            const uint32_t slot = numbers[i + lane], first = tmb_triangle_address(a->cluster, slot & 7),
                           second = tmb_triangle_address(b->cluster, slot >> 3);
            if (verdict.hit >> lane & 1 ? tmb_self_add(w->self, w->part, first, second)
                                        : test_slot(w, a->cluster, b->cluster, slot, 1)) {
                return 1;
            }
        }
    }
    return 0;
}

/* Pairs that share one corner, or a corner that one of them has twice. */
static int test_around_corners(walker *w, const cluster_lanes *a, const cluster_lanes *b, uint64_t slots)
{
    uint8_t numbers[TMB_BITS_ROOM] = {0};
    const uint32_t count = tmb_list_bits(slots, numbers);
    for (uint32_t i = 0; i < count; i += TMB_LANES) {
        const pair8 p = take_eight(a, b, numbers + i, count - i);
        unsigned miss = are_opposite8(&p, middle_way(&p), common_reach(a, b));
        miss |= p.lanes & ~miss ? are_opposite8(&p, way_across(&p), common_reach(a, b)) : 0;
        w->part->primitive_tests += (uint64_t)__builtin_popcount(miss);
        for (unsigned rest = p.lanes & ~miss; rest; rest &= rest - 1) {
            if (test_slot(w, a->cluster, b->cluster, numbers[i + (uint32_t)__builtin_ctz(rest)], 0)) {
                return 1;
            }
        }
    }
    return 0;
}

/* The corner of a triangle that another lacks; 3: none, or more than one. */
static inline uint32_t lone_corner(const uint8_t own[3], const uint8_t other[3])
{
    uint32_t lone = 3, count = 0;
    for (uint32_t k = 0; k < 3; k++) {
        const int is_alone = own[k] != other[0] && own[k] != other[1] && own[k] != other[2];
        lone = is_alone ? k : lone;
        count += (uint32_t)is_alone;
    }
    return count == 1 ? lone : 3;
}

/* Whether two triangles that share an edge surely have nothing else in common. */
static int are_joined(const walker *w, const own_corners *of_a, const uint8_t *of_b, const cluster_lanes *a,
                      const cluster_lanes *b, uint32_t slot)
{
    const tumble_model *model = w->self->model;
    const tmb_cluster_place *place_a = &model->places[a->cluster], *place_b = &model->places[b->cluster];
    const uint32_t *words_a = model->clusters + place_a->offset, *words_b = model->clusters + place_b->offset;
    uint32_t at_a[3], at_b[3];
    uint8_t own[3], other[3];
    for (int k = 0; k < 3; k++) {
        at_a[k] = words_a[k] >> 4 * (slot & 7) & 15;
        at_b[k] = words_b[k] >> 4 * (slot >> 3) & 15;
        own[k] = of_a->numbers[at_a[k]];
        other[k] = of_b[at_b[k]];
    }
    const uint32_t r = lone_corner(own, other), s = lone_corner(other, own);
    if (r == 3 || s == 3) {
        return 0;
    }
    const uint32_t count_a = tmb_cluster_corner_count(place_a, model->is_float);
    const uint32_t count_b = tmb_cluster_corner_count(place_b, model->is_float);
    double points[4][3];
    corner_at(model, words_a, count_a, at_a[(r + 1) % 3], points[0]);
    corner_at(model, words_a, count_a, at_a[(r + 2) % 3], points[1]);
    corner_at(model, words_a, count_a, at_a[r], points[2]);
    corner_at(model, words_b, count_b, at_b[s], points[3]);
    return tmb_are_beside(points[0], points[1], points[2], points[3]);
}

/* Pairs that share more. An edge of triangles may be no edge of their polygons. */
static int test_others(walker *w, const own_corners *of_a, const uint8_t *of_b, const cluster_lanes *a,
                       const cluster_lanes *b, uint64_t slots)
{
    for (; slots; slots &= slots - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(slots);
        if (!w->self->has_large && are_joined(w, of_a, of_b, a, b, slot)) {
            w->part->primitive_tests++;
        } else if (test_slot(w, a->cluster, b->cluster, slot, 0)) {
            return 1;
        }
    }
    return 0;
}

/* Bits 8 j + i with i < j. */
#define ABOVE_DIAGONAL 0x7f3f1f0f07030100u

/* Clusters i of set A and j of set B. */
static int test_two_clusters(walker *w, uint32_t i, cluster_set *set_b, uint32_t j)
{
    const cluster_lanes *a = cluster_of(w, &w->a, i), *b = cluster_of(w, set_b, j);
    uint64_t slots = overlapping_slots(a, b);
    slots &= a->cluster == b->cluster ? ABOVE_DIAGONAL : UINT64_MAX;
    if (!slots) {
        return 0;
    }
    if (w->self->soup) {
        return test_strangers(w, a, b, slots);
    }
    const own_corners *of_a = corners_of(w, &w->a, i);
    uint8_t of_b[TMB_CLUSTER_CORNERS];
    if (a->cluster == b->cluster) {
        memcpy(of_b, of_a->numbers, sizeof of_b);
    } else {
        number_corners(w->self->model, a->cluster, b->cluster, corners_in(w->self->model, b->cluster, slots), of_b);
    }
    const sharing s = sharing_of(w->self->model, of_a, of_b, b->cluster, slots);
    return test_strangers(w, a, b, s.none) || test_around_corners(w, a, b, s.one) ||
           test_others(w, of_a, of_b, a, b, s.more);
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
        if (test_two_clusters(w, i, &w->a, i)) {
            return 1;
        }
    }
    for (; meet; meet &= meet - 1) {
        const uint32_t bit = (uint32_t)__builtin_ctzll(meet);
        if (test_two_clusters(w, bit % 8, b, bit / 8)) {
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
    w.a.ready = w.a.numbered = w.b.ready = w.b.numbered = 0;
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
