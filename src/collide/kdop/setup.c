/* Sets up the walk through two k-DOP trees: B's directions, how its bounds become bounds in A's frame, and memory.
 *
 * Why no pair is lost: along any vector, two sets that share a point have overlapping projections, so it is enough that
 * no tumbled k-DOP is smaller than what it stands for. Each way of tumbling gives an upper bound of u . p over a node's
 * points p in exact arithmetic; what rounding takes off is made good by the slack. See docs/kdop.md. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "collide/kdop/walk.h"
#include "math/bounds.h"
#include "math/vec3.h"

/* As a double: what is computed with it here is. */
#define ROUNDING ((double)TMB_KDOP_ROUNDING)

/* ---- Directions ---- */

/* A is separated from B along a lane's direction e when A's maximum of e . p is less than B's minimum, which is minus
 * the maximum of -e . p. */
static void set_lanes(tmb_kdop_state *s, double slack, double epsilon)
{
    TMB_ASSERT(slack >= 0);
    TMB_ASSERT(epsilon >= 0);
    for (uint32_t l = 0; l < TMB_KDOP_LANES; l++) {
        double e[3], *u = s->along[l], offset = 0;
        if (l >= s->k) {
            u[0] = u[1] = u[2] = 0;
            s->offsets[l] = INFINITY;
            s->along_axis[0][l] = s->along_axis[1][l] = s->along_axis[2][l] = 0;
            s->lane_axis[0][l] = s->lane_axis[1][l] = s->lane_axis[2][l] = 0;
            continue;
        }
        tmb_kdop_lane(s->set, l, e);
        for (int j = 0; j < 3; j++) {
            u[j] = -((e[0] * s->map.m[0][j] + e[1] * s->map.m[1][j]) + e[2] * s->map.m[2][j]);
            s->along_axis[j][l] = (float)u[j];
            s->lane_axis[j][l] = (float)e[j];
            offset -= e[j] * s->map.shift[j];
        }
        s->offsets[l] = (float)(offset + slack + epsilon * tmb_length(e));
    }
}

/* Offsets have the limit as a part of epsilon; this adds what distances need. */
static void set_limit(tmb_kdop_state *s, double limit, double reach)
{
    TMB_ASSERT(limit >= 0 && reach >= 0);
    s->limit = (float)(limit * (1 + ROUNDING));
    s->limit_slack = (float)(ROUNDING * (1 + reach) - limit * (1 - ROUNDING));
    for (uint32_t l = 0; l < s->k; l++) {
        double e[3];
        tmb_kdop_lane(s->set, l, e);
        s->inverse_lengths[l] = (float)(1 / tmb_length(e));
    }
}

/* ---- Bounds from three bounds ---- */

typedef double matrix[3][3];

static double cofactor(const matrix m, int i, int j)
{
    TMB_ASSERT(i >= 0 && i < 3 && j >= 0 && j < 3);
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    return m[i1][j1] * m[i2][j2] - m[i1][j2] * m[i2][j1];
}

/* Coefficients c with c_0 m_0 + c_1 m_1 + c_2 m_2 = u, for rows that are linearly independent. */
static void coefficients_of(const matrix m, const double u[3], double c[3])
{
    const double determinant =
        (m[0][0] * cofactor(m, 0, 0) + m[0][1] * cofactor(m, 0, 1)) + m[0][2] * cofactor(m, 0, 2);
    for (int i = 0; i < 3; i++) {
        c[i] = ((cofactor(m, i, 0) * u[0] + cofactor(m, i, 1) * u[1]) + cofactor(m, i, 2) * u[2]) / determinant;
    }
}

/* The corner of the unit DOP that lies farthest along each lane's vector (Zachmann): the three planes that meet there
 * have positive coefficients. On the unit DOP all planes have the distance 1 from the origin. */
typedef struct unit_corners {
    double points[2 * TMB_KDOP_MOST][3];
} unit_corners;

static void make_corners(const tmb_kdop_set *set, unit_corners *corners)
{
    for (uint32_t t = 0; t < set->corner_count; t++) {
        matrix columns;
        const double ones[3] = {1, 1, 1};
        for (int i = 0; i < 3; i++) {
            double d[3];
            tmb_kdop_lane(set, set->corners[t][i], d);
            const double length = tmb_length(d);
            for (int j = 0; j < 3; j++) {
                columns[j][i] = d[j] / length;
            }
        }
        coefficients_of((const double(*)[3])columns, ones, corners->points[t]);
    }
}

static uint32_t farthest_corner(const tmb_kdop_set *set, const unit_corners *corners, const double u[3])
{
    uint32_t best = 0;
    double most = -INFINITY;
    for (uint32_t t = 0; t < set->corner_count; t++) {
        const double *p = corners->points[t], x = tmb_dot(u, p);
        if (x > most) {
            most = x;
            best = t;
        }
    }
    return best;
}

/* Coefficients of three lanes' directions; a negative one is that of the opposite lane. */
static void set_three(tmb_kdop_three *three, uint32_t lane, const tmb_kdop_set *set, const uint8_t lanes[3],
                      const double u[3])
{
    TMB_ASSERT(lane < set->k);
    TMB_ASSERT(lanes[0] < set->k && lanes[1] < set->k && lanes[2] < set->k);
    matrix rows;
    double c[3];
    for (int i = 0; i < 3; i++) {
        tmb_kdop_lane(set, lanes[i], rows[i]);
    }
    coefficients_of((const double(*)[3])rows, u, c);
    for (int i = 0; i < 3; i++) {
        three->weights[i][lane] = (float)fabs(c[i]);
        three->lanes[i][lane] = lanes[i] ^ (c[i] < 0);
    }
}

/* Lanes 2 i and 2 i + 1 have opposite vectors, and so the same weights of opposite lanes. */
static void set_opposite(tmb_kdop_three *three, uint32_t lane)
{
    TMB_ASSERT(lane % 2 == 0 && lane + 1 < TMB_KDOP_LANES);
    for (int i = 0; i < 3; i++) {
        three->weights[i][lane + 1] = three->weights[i][lane];
        three->lanes[i][lane + 1] = three->lanes[i][lane] ^ 1;
    }
}

static void set_all_threes(tmb_kdop_state *s, const unit_corners *corners)
{
    /* three directions that are perpendicular, or in a dodecahedron as nearly so as can be */
    static const uint8_t axes_of_most[3] = {0, 2, 4}, axes_of_12[3] = {0, 4, 8};
    const uint8_t *axes = s->k == 12 ? axes_of_12 : axes_of_most;
    for (uint32_t l = 0; l < s->k; l += 2) {
        const double *u = s->along[l];
        set_three(&s->three, l, s->set,
                  s->tumble == TUMBLE_KDOP_TUMBLE_AXES ? axes : s->set->corners[farthest_corner(s->set, corners, u)],
                  u);
        set_opposite(&s->three, l);
    }
}

/* What follows from k alone, and stays in the query's memory. */
typedef struct fixed_tables {
    unit_corners corners;
    tmb_kdop_rings rings;
} fixed_tables;

static int set_weights(tmb_kdop_state *s)
{
    tumble_query *query = s->encounter->query;
    if (!tmb_buffer_reserve(query->context, &s->scratch->tables, 1, sizeof(fixed_tables), 0)) {
        return 0;
    }
    fixed_tables *tables = s->scratch->tables.data;
    if (s->scratch->tables_k != s->k) {
        make_corners(s->set, &tables->corners);
        tmb_kdop_make_rings(s->set, &tables->rings);
        s->scratch->tables_k = s->k;
    }
    if (s->tumble == TUMBLE_KDOP_TUMBLE_LOOKUP) {
        tmb_kdop_set_cones(s, &tables->rings);
    } else {
        set_all_threes(s, &tables->corners);
    }
    return 1;
}

/* ---- Slots ---- */

int tmb_kdop_reserve_slot(tmb_kdop_state *s)
{
    tumble_query *query = s->encounter->query;
    if (!tmb_buffer_reserve(query->context, &s->scratch->tumbled, s->slot_count + 1, s->slot_bytes,
                            (size_t)s->slot_count * s->slot_bytes)) {
        s->encounter->status = tmb_fail_memory(query->context, "the tumbled k-DOPs of a query");
        return 0;
    }
    return 1;
}

/* Marks of earlier walks have smaller numbers, so that they need not be cleared. */
static int begin_marks(tmb_kdop_state *s)
{
    tumble_query *query = s->encounter->query;
    const size_t rows = (size_t)s->encounter->b->block->node_count + 1, had = s->scratch->marks.capacity;
    if (!tmb_buffer_reserve(query->context, &s->scratch->marks, rows, sizeof *s->marks, 0)) {
        return 0;
    }
    if (s->scratch->marks.capacity != had || s->scratch->mark_walk == UINT32_MAX) {
        memset(s->scratch->marks.data, 0, s->scratch->marks.capacity);
        s->scratch->mark_walk = 0;
    }
    s->walk = ++s->scratch->mark_walk;
    s->marks = s->scratch->marks.data;
    return 1;
}

static void release_scratch(tumble_context *context, void *data)
{
    tmb_kdop_scratch *scratch = data;
    tmb_buffer *buffers[] = {&scratch->stack, &scratch->tumbled, &scratch->marks, &scratch->hull_vertices,
                             &scratch->tables};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        tmb_buffer_release(context, buffers[i]);
    }
}

tmb_kdop_scratch *tmb_kdop_scratch_of(tumble_query *query)
{
    return tmb_query_scratch(query, TMB_SCRATCH_KDOP, sizeof(tmb_kdop_scratch), release_scratch);
}

static int begin_memory(tmb_kdop_state *s)
{
    tmb_encounter *e = s->encounter;
    const size_t room = 4 * (size_t)(e->a->block->depth + e->b->block->depth + 2);
    s->scratch = tmb_kdop_scratch_of(e->query);
    if (!s->scratch || !begin_marks(s) || !set_weights(s) || !tmb_kdop_begin_hulls(s) ||
        !tmb_buffer_reserve(e->query->context, &s->scratch->stack, room, sizeof *s->stack, 0)) {
        e->status = tmb_fail_memory(e->query->context, "the walk of a query");
        return 0;
    }
    s->stack = s->scratch->stack.data;
    return 1;
}

/* ---- The choices ---- */

/* What B has data for. */
static int choose_tumbling(tmb_kdop_state *s, const tumble_kdop_walk *wanted)
{
    const tmb_kdop_root *root = &s->encounter->b->block->kdop;
    const tumble_kdop_tumble kept = (tumble_kdop_tumble)root->tumble;
    s->tumble = wanted->tumble != TUMBLE_KDOP_TUMBLE_AUTO ? wanted->tumble
                : kept != TUMBLE_KDOP_TUMBLE_AUTO         ? kept
                                                          : TUMBLE_KDOP_TUMBLE_UNIT;
    const int needs_data = s->tumble == TUMBLE_KDOP_TUMBLE_LOOKUP || s->tumble == TUMBLE_KDOP_TUMBLE_VERTICES;
    if (needs_data && kept != s->tumble) {
        s->encounter->status =
            tmb_fail(s->encounter->query->context, TUMBLE_ERROR_UNSUPPORTED,
                     "B lacks the data for this way of tumbling: ask for it in the options of its model");
        return 0;
    }
    if (wanted->root == TUMBLE_KDOP_ROOT_HULL && root->hull_count == 0) {
        s->encounter->status = tmb_fail(s->encounter->query->context, TUMBLE_ERROR_UNSUPPORTED,
                                        "B lacks a convex hull: ask for it in the options of its model");
        return 0;
    }
    s->hull_count = wanted->root != TUMBLE_KDOP_ROOT_SAME ? root->hull_nodes : 0;
    s->leaves_by_triangles = wanted->mixed == TUMBLE_KDOP_MIXED_PRIMITIVES;
    s->tumbles_triangles = s->leaves_by_triangles || root->bare_leaves;
    s->leaves_are_clusters =
        s->encounter->a->block->kdop.leaf >= TMB_KDOP_CLUSTERED && root->leaf >= TMB_KDOP_CLUSTERED;
    s->traversal = wanted->traversal;
    return 1;
}

static tmb_kdop_walk_function *kernel_for(const tmb_kdop_state *s)
{
    const tmb_kdop_kernels kernels = TMB_PICK_KERNEL(s->encounter->query->context, tmb_kdop_kernels);
    const int bare = s->tree_a.has_bare_leaves;
    switch (s->k) {
    case 6: return bare ? kernels.bare_6 : kernels.walk_6;
    case 12: return bare ? kernels.bare_12 : kernels.walk_12;
    case 14: return bare ? kernels.bare_14 : kernels.walk_14;
    case 18: return bare ? kernels.bare_18 : kernels.walk_18;
    default: return bare ? kernels.bare_26 : kernels.walk_26;
    }
}

int tmb_kdop_set_up(tmb_kdop_state *s, tmb_encounter *e, const tumble_kdop_walk *wanted, double epsilon)
{
    TMB_ASSERT(!(epsilon < 0));
    const uint32_t k = e->a->block->kdop.k;
    if (k != e->b->block->kdop.k) {
        return 0;
    }
    *s = (tmb_kdop_state){.encounter = e,
                          .set = tmb_kdop_set_of(k),
                          .k = k,
                          .slot_bytes = (uint32_t)(sizeof(tmb_kdop_slot) + tmb_kdop_lanes(k) * sizeof(float)),
                          .rows_a = e->a->nodes,
                          .rows_b = e->b->nodes,
                          .tree_a = tmb_kdop_view_of(e->a->block, e->a->nodes),
                          .tree_b = tmb_kdop_view_of(e->b->block, e->b->nodes),
                          .parts_b = tmb_kdop_parts_of(e->b->block),
                          .map = tmb_map_into_a(e)};
    if (!choose_tumbling(s, wanted)) {
        return 0;
    }
    const double reach = tmb_map_reach(&s->map), error = tmb_point_error(e);
    if (!(reach < TMB_MOST_REACH && error < TMB_MOST_REACH &&
          epsilon < TMB_MOST_REACH)) { /* floats cannot decide anything */
        return 0;
    }
    s->size_of_b = (float)tmb_map_scale(&s->map);
    set_lanes(s, ROUNDING * (1 + reach) + 3 * error, epsilon);
    return begin_memory(s);
}

int tmb_collide_kdop(tmb_collider *c)
{
    const tumble_model *a = c->encounter.a;
    tmb_kdop_state s;
    const double limit = c->limit * a->frame.scale * (1 + ROUNDING); /* see docs/proximity-proofs.md */
    const double epsilon = c->tuning->kdop_walk.epsilon * a->frame.scale + limit;
    if (!tmb_kdop_set_up(&s, &c->encounter, &c->tuning->kdop_walk, epsilon)) {
        return 0;
    }
    if (c->limit > 0) {
        set_limit(&s, limit, tmb_map_reach(&s.map));
    }
    s.collider = c;
    kernel_for (&s)(&s);
    return 1;
}
