/* The walk for one K, which is defined by the file that includes this one, once for each. No include guard. */
#define NAMED_(base, k) base##_##k
#define NAMED(base, k) NAMED_(base, k)
#define ROW_WORDS (K + 2)
#define VECTORS ((K + 7) / 8)

/* ---- Tumbling ---- */

/* Each lane from three of the node's bounds. */
static inline void NAMED(tumble_three, K)(const tmb_kdop_state *s, const float *bounds, float *apart)
{
    for (int v = 0; v < VECTORS; v++) {
        tmb_f8 sum = tmb_f8_loadu(s->offsets + 8 * v);
        for (int i = 0; i < 3; i++) {
            const tmb_f8 bound = tmb_f8_gather(bounds, tmb_i8_loadu(s->three.lanes[i] + 8 * v));
            sum = tmb_f8_add(sum, tmb_f8_mul(tmb_f8_loadu(s->three.weights[i] + 8 * v), bound));
        }
        tmb_f8_storeu(apart + 8 * v, tmb_f8_neg(sum));
    }
}

/* Each lane from what the node keeps of its points' places around the nearest direction. */
static inline void NAMED(tumble_lookup, K)(const tmb_kdop_state *s, const float *bounds, const float *record,
                                           float *apart)
{
    const tmb_kdop_cones *c = &s->cones;
    const tmb_f8 centre[3] = {tmb_f8_set(record[0]), tmb_f8_set(record[1]), tmb_f8_set(record[2])};
    for (int v = 0; v < VECTORS; v++) {
        const tmb_i8 lanes = tmb_i8_loadu(c->lanes + 8 * v);
        tmb_f8 height = tmb_f8_zero(), moved = tmb_f8_loadu(s->offsets + 8 * v); /* of the centre */
        for (int i = 0; i < 3; i++) {
            height = tmb_f8_add(height, tmb_f8_mul(tmb_f8_loadu(c->directions[i] + 8 * v), centre[i]));
            moved = tmb_f8_add(moved, tmb_f8_mul(tmb_f8_loadu(s->along_axis[i] + 8 * v), centre[i]));
        }
        const tmb_f8 extent = tmb_f8_max(tmb_f8_sub(tmb_f8_gather(bounds, lanes), height), tmb_f8_zero());
        const tmb_f8 length = tmb_f8_gather(record + TMB_KDOP_LOOKUP_LANES, lanes);
        const tmb_f8 tangent =
            tmb_f8_gather(c->tangents, tmb_i8_and(tmb_i8_bits_of(length), tmb_i8_set(TMB_KDOP_RING_MASK)));
        const tmb_f8 ring =
            tmb_f8_add(tmb_f8_loadu(c->straight + 8 * v), tmb_f8_mul(tmb_f8_loadu(c->aside + 8 * v), tangent));
        const tmb_f8 inside = tmb_f8_mul(tmb_f8_max(ring, tmb_f8_loadu(c->brief + 8 * v)), extent);
        const tmb_f8 reach = tmb_f8_max(inside, tmb_f8_mul(tmb_f8_loadu(c->outside + 8 * v), length));
        tmb_f8_storeu(apart + 8 * v, tmb_f8_neg(tmb_f8_add(moved, reach)));
    }
}

/* Along each lane the farthest of some points, which are local. */
static inline void NAMED(farthest, K)(const float axis[3][TMB_KDOP_LANES], const float (*points)[3], uint32_t count,
                                      tmb_f8 out[VECTORS])
{
    for (int v = 0; v < VECTORS; v++) {
        out[v] = tmb_f8_set(-INFINITY);
    }
    for (uint32_t i = 0; i < count; i++) {
        const tmb_f8 x = tmb_f8_set(points[i][0]), y = tmb_f8_set(points[i][1]), z = tmb_f8_set(points[i][2]);
        for (int v = 0; v < VECTORS; v++) {
            const tmb_f8 xy =
                tmb_f8_add(tmb_f8_mul(tmb_f8_loadu(axis[0] + 8 * v), x), tmb_f8_mul(tmb_f8_loadu(axis[1] + 8 * v), y));
            out[v] = tmb_f8_max(out[v], tmb_f8_add(xy, tmb_f8_mul(tmb_f8_loadu(axis[2] + 8 * v), z)));
        }
    }
}

static inline void NAMED(tumble_points, K)(const tmb_kdop_state *s, const float (*points)[3], uint32_t count,
                                           float *apart)
{
    tmb_f8 farthest[VECTORS];
    NAMED(farthest, K)(s->along_axis, points, count, farthest);
    for (int v = 0; v < VECTORS; v++) {
        tmb_f8_storeu(apart + 8 * v, tmb_f8_neg(tmb_f8_add(farthest[v], tmb_f8_loadu(s->offsets + 8 * v))));
    }
}

/* A leaf as its triangles. */
static void NAMED(tumble_leaf, K)(const tmb_kdop_state *s, uint32_t address, uint32_t count, float *apart)
{
    float points[3 * TUMBLE_KDOP_LEAF_MOST][3];
    const uint32_t found = local_corners(s->encounter->b, address, count, points);
    NAMED(tumble_points, K)(s, (const float(*)[3])points, found, apart);
}

/* `bounds` are those of the node's volume; a bare leaf has none. */
static void NAMED(tumble, K)(tmb_kdop_state *s, const tmb_kdop_slot *slot, const float *bounds, float *apart)
{
    s->encounter->box_updates++;
    s->encounter->node_bytes += ROW_WORDS * sizeof(uint32_t);
    if (slot->node <= s->last_hull_node && tmb_kdop_tumble_hull(s, slot->node, apart)) {
        return;
    }
    if (slot->count && s->tumbles_triangles) {
        NAMED(tumble_leaf, K)(s, slot->link, slot->count, apart);
    } else if (s->tumble == TUMBLE_KDOP_TUMBLE_VERTICES) {
        const char *nodes = (const char *)s->rows_b;
        const uint32_t *first =
            (const uint32_t *)(nodes + s->parts_b.vertex_first) + tmb_kdop_volume_of(&s->tree_b, slot->node);
        const float(*vertices)[3] = (const float(*)[3])(nodes + s->parts_b.vertices);
        NAMED(tumble_points, K)(s, vertices + first[0], first[1] - first[0], apart);
    } else if (s->tumble == TUMBLE_KDOP_TUMBLE_LOOKUP) {
        s->encounter->node_bytes += tmb_kdop_lookup_words(K) * sizeof(uint32_t);
        const uint32_t volume = tmb_kdop_volume_of(&s->tree_b, slot->node);
        NAMED(tumble_lookup, K)(s, bounds, tmb_kdop_lookup(s->rows_b, &s->parts_b, K, volume), apart);
    } else {
        NAMED(tumble_three, K)(s, bounds, apart);
    }
}

/* The longest of three widths, which are along x, y and z except for the 12-DOP. */
static inline float NAMED(size_of, K)(const float *bounds)
{
    const float x = bounds[0] + bounds[1], y = bounds[2] + bounds[3], z = bounds[4] + bounds[5];
    const float xy = x > y ? x : y;
    return xy > z ? xy : z;
}

/* See tmb_kdop_slot_function. */
static uint32_t NAMED(slot_of, K)(tmb_kdop_state *s, uint32_t node)
{
    tmb_kdop_mark *mark = s->marks + node;
    if (mark->walk == s->walk) {
        return mark->slot;
    }
    if (!tmb_kdop_reserve_slot(s)) {
        return TMB_KDOP_NO_SLOT;
    }
    const uint32_t number = s->slot_count++, *links = tmb_kdop_links(&s->tree_b, node);
    const int is_bare = links[1] && s->tree_b.has_bare_leaves;
    const float *bounds = is_bare ? NULL : tmb_kdop_bounds(&s->tree_b, tmb_kdop_volume_of(&s->tree_b, node));
    tmb_kdop_slot *slot = tmb_kdop_slot_at(s, number);
    *slot = (tmb_kdop_slot){.node = node,
                            .link = links[0],
                            .count = links[1],
                            .size = is_bare ? 0 : NAMED(size_of, K)(bounds) * s->size_of_b};
    *mark = (tmb_kdop_mark){s->walk, number};
    NAMED(tumble, K)(s, slot, bounds, tmb_kdop_slot_apart(slot));
    return number;
}

/* ---- Testing ---- */

/* Whether bounds of A are farther from what was tumbled than the limit, though no single lane shows it. Let g be the
 * gap along the unit vector u of a lane, where there is one. Points that are apart by z have u . z >= g for all lanes,
 * so |z| |sum of g u| >= sum of g^2. The vectors are evenly spread, so this is nearly tight for small k-DOPs. */
static int NAMED(is_far, K)(const tmb_kdop_state *s, const float *bounds, const float *apart)
{
    tmb_f8 square = tmb_f8_zero(), sum = tmb_f8_zero(), vector[3] = {square, square, square};
    for (int v = 0; v < VECTORS; v++) {
        const tmb_f8 inverse = tmb_f8_loadu(s->inverse_lengths + 8 * v);
        const tmb_f8 apart_by = tmb_f8_sub(tmb_f8_loadu(apart + 8 * v), tmb_f8_loadu(bounds + 8 * v));
        const tmb_f8 gap = tmb_f8_max(tmb_f8_sub(tmb_f8_mul(apart_by, inverse), tmb_f8_set(s->limit_slack)),
                                      tmb_f8_zero()); /* NaN becomes 0 */
        const tmb_f8 part = tmb_f8_mul(gap, inverse);
        square = tmb_f8_add(square, tmb_f8_mul(gap, gap));
        sum = tmb_f8_add(sum, gap);
        for (int k = 0; k < 3; k++) {
            vector[k] = tmb_f8_add(vector[k], tmb_f8_mul(part, tmb_f8_loadu(s->lane_axis[k] + 8 * v)));
        }
    }
    const float x = sum_of(vector[0]), y = sum_of(vector[1]), z = sum_of(vector[2]);
    const float length = sqrtf((x * x + y * y) + z * z);
    return sum_of(square) > s->limit * (length + TMB_KDOP_ROUNDING * sum_of(sum));
}

/* ---- Leaves of A as triangles ---- */

static void NAMED(bound_triangles, K)(const tmb_kdop_state *s, uint32_t address, uint32_t count,
                                      float (*out)[TMB_KDOP_LANES])
{
    const tumble_model *a = s->encounter->a;
    for (uint32_t i = 0; i < count; i++) {
        float points[3][3];
        tmb_f8 bounds[VECTORS];
        triangle_corners(a, address, points);
        NAMED(farthest, K)(s->lane_axis, (const float(*)[3])points, 3, bounds);
        for (int v = 0; v < VECTORS; v++) {
            tmb_f8_storeu(out[i] + 8 * v, bounds[v]);
        }
        address = tmb_next_triangle(a->places, address);
    }
}

/* See tmb_kdop_leaf_function: what a row would hold, and not less. */
static const float *NAMED(leaf_bounds, K)(tmb_kdop_state *s, uint32_t node)
{
    float *out = s->bare_bounds[node % 2];
    if (s->bare_nodes[node % 2] != node) {
        const uint32_t *links = tmb_kdop_links(&s->tree_a, node);
        float points[3 * TUMBLE_KDOP_LEAF_MOST][3];
        tmb_f8 bounds[VECTORS];
        const uint32_t found = local_corners(s->encounter->a, links[0], links[1], points);
        NAMED(farthest, K)((const float(*)[TMB_KDOP_LANES])s->lane_axis, (const float(*)[3])points, found, bounds);
        for (int v = 0; v < VECTORS; v++) {
            tmb_f8_storeu(out + 8 * v, tmb_f8_add(bounds[v], tmb_f8_set(TMB_KDOP_LEAF_ROUNDING)));
        }
        s->bare_nodes[node % 2] = node;
    }
    return out;
}

#define BARE 0
#include "collide/kdop/walk_body.h"
#define BARE 1
#include "collide/kdop/walk_body.h"

#undef VECTORS
#undef ROW_WORDS
#undef NAMED
#undef NAMED_
#undef K
