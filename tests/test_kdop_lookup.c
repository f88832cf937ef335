/* Tumbling k-DOPs by lookup, from inside: the rings are where they should be, a node's record bounds its points,
 * tightly, and along no vector do points reach farther than the traversal assumes (and the literature's wrong bounds
 * are caught). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collide/kdop/walk.h"
#include "kdop_cases.h"
#include "math/vec3.h"
#include "tree/block.h"

/* The walk's own functions, compiled here once more. */
#define TMB_KERNEL scalar
#define tmb_kdop_kernels_scalar test_kernels
#include "collide/kdop/kernel.c"
#undef tmb_kdop_kernels_scalar

/* ---- Rings ---- */

static void test_rings(void **state)
{
    (void)state;
    for (int i = 0; i < TEST_KDOPS; i++) {
        const tmb_kdop_set *set = tmb_kdop_set_of(test_kdops[i]);
        const long double angle = acosl((long double)set->cover);
        tmb_kdop_rings rings;
        tmb_kdop_make_rings(set, &rings);
        assert_true(fabsl((long double)rings.cosine - cosl(angle)) < 0x1p-52L);
        assert_true(fabsl((long double)rings.sine - sinl(angle)) < 0x1p-52L);
        for (int j = 1; j <= TMB_KDOP_RINGS; j++) {
            const long double right = tanl(angle * j / TMB_KDOP_RINGS);
            if (fabsl((long double)rings.tangents[j] - right) > 0x1p-22L * right) {
                fail_msg("k %u ring %d: %a instead of %La", test_kdops[i], j, (double)rings.tangents[j], right);
            }
        }
        assert_true((long double)rings.tangents[TMB_KDOP_RINGS] >= tanl(angle)); /* no gap to what is outside */
        assert_true(rings.tangents[0] < -1e18F);
    }
}

/* Every vector has a direction within the covering angle, up to rounding, and some have none that is nearer. */
static void test_cover(void **state)
{
    (void)state;
    test_random random = {4101};
    for (int i = 0; i < TEST_KDOPS; i++) {
        const tmb_kdop_set *set = tmb_kdop_set_of(test_kdops[i]);
        double least = 1;
        for (size_t n = test_count(200000); n > 0; n--) {
            double u[3], d[3], most = 0;
            for (int j = 0; j < 3; j++) {
                u[j] = test_random_range(&random, -1, 1);
            }
            for (uint32_t l = 0; l < set->k; l++) {
                tmb_kdop_lane(set, l, d);
                const double cosine =
                    (u[0] * d[0] + u[1] * d[1] + u[2] * d[2]) / sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
                most = fmax(most, cosine);
            }
            least = fmin(least, most / sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
        }
        assert_true(least > set->cover - 0x1p-50);
        assert_true(least < set->cover + 0.02);
    }
}

/* ---- Nodes ---- */

/* A node and its points, in local coordinates. */
typedef struct node_view {
    const tumble_model *model;
    const tmb_kdop_set *set;
    uint32_t k, node;
    const float *bounds, *record;
    double (*points)[3];
    size_t count;
} node_view;

static void collect(node_view *v, uint32_t node)
{
    const uint32_t *row = tmb_kdop_row(v->model->nodes, v->k, node), link = tmb_kdop_link(v->k, row);
    if (!tmb_kdop_count(v->k, row)) {
        collect(v, link);
        collect(v, link + 1);
        return;
    }
    uint32_t address = link;
    for (uint32_t i = tmb_kdop_count(v->k, row); i > 0; i--) {
        double corners[3][3];
        tmb_model_corners(v->model, address, corners);
        for (int j = 0; j < 9; j++) {
            v->points[v->count + (size_t)j / 3][j % 3] =
                (corners[j / 3][j % 3] - v->model->frame.centre[j % 3]) * v->model->frame.scale;
        }
        v->count += 3;
        address = tmb_next_triangle(v->model->places, address);
    }
}

static void look_at(node_view *v, uint32_t node)
{
    const tmb_kdop_parts parts = tmb_kdop_parts_of(v->model->block);
    v->node = node;
    v->bounds = (const float *)tmb_kdop_row(v->model->nodes, v->k, node);
    v->record = tmb_kdop_lookup(v->model->nodes, &parts, v->k, node);
    v->count = 0;
    collect(v, node);
}

/* Calls `visit` for some nodes of a model: the first ones, and every few of the rest. */
typedef void node_visitor(const node_view *view, void *user);
static void visit_nodes(const tumble_model *model, uint32_t step, node_visitor *visit, void *user)
{
    node_view v = {.model = model, .k = model->block->kdop.k};
    v.set = tmb_kdop_set_of(v.k);
    v.points = malloc(3 * (size_t)model->block->triangle_count * sizeof *v.points);
    assert_non_null(v.points);
    for (uint32_t node = 1; node <= model->block->node_count; node += node < 8 ? 1 : step) {
        look_at(&v, node);
        visit(&v, user);
    }
    free(v.points);
}

/* All sets, and some shapes: flat, round, with corners; test_kdops that differ by much, single triangles, single
 * points. */
typedef void model_visitor(const tumble_model *model, const char *name, void *user);
static void visit_models(test_world *w, uint32_t k, size_t triangles, model_visitor *visit, void *user)
{
    static const char *const shapes[] = {"sphere", "torus", "gear", "box"};
    test_random random = {4102};
    for (size_t i = 0; i < TEST_SETS + sizeof shapes / sizeof *shapes; i++) {
        const char *name = i < TEST_SETS ? test_sets[i].name : shapes[i - TEST_SETS];
        models_mesh mesh = {0};
        if (i < TEST_SETS) {
            test_sets[i].make(&mesh, &random, triangles);
        } else {
            const models_shape *shape = models_find_shape(name);
            assert_non_null(shape);
            assert_true(test_make_shape(&mesh, shape, triangles));
        }
        const tumble_model_options options = test_kdop_options(k, i % 3 ? 1 : 5, TUMBLE_KDOP_TUMBLE_LOOKUP, 0);
        tumble_model *model = test_model(w->context, &mesh, &options);
        assert_int_equal(model->block->kdop.tumble, TUMBLE_KDOP_TUMBLE_LOOKUP);
        visit(model, name, user);
        tumble_model_destroy(model);
        models_free(&mesh);
    }
}

/* ---- What a record tells ---- */

/* A lane's direction with length 1, and the extent of the bounds along it. */
static double lane_extent(const node_view *v, uint32_t lane, double unit[3])
{
    double d[3];
    tmb_kdop_lane(v->set, lane, d);
    const double length = tmb_length(d);
    double height = 0;
    for (int j = 0; j < 3; j++) {
        unit[j] = d[j] / length;
        height += d[j] * (double)v->record[j];
    }
    return fmax(0, ((double)v->bounds[lane] - height) / length);
}

static uint32_t ring_of_tangent(const tmb_kdop_rings *rings, double squared)
{
    uint32_t ring = 1;
    while (ring < TMB_KDOP_RINGS && squared > (double)rings->tangents[ring] * (double)rings->tangents[ring]) {
        ring++;
    }
    return ring;
}

/* What a record may tell at least and at most, as the points are near a limit or not. */
typedef struct lane_facts {
    uint32_t least_ring, most_ring;
    double least_length, most_length;
} lane_facts;

static lane_facts facts_of(const node_view *v, const tmb_kdop_rings *rings, uint32_t lane)
{
    const double edge = (double)rings->tangents[TMB_KDOP_RINGS], edge2 = edge * edge, near = 0x1p-15;
    double unit[3], farthest = 0;
    const double extent = lane_extent(v, lane, unit), shortest = rings->cosine * extent;
    lane_facts f = {0, 0, 0, 0};
    for (size_t i = 0; i < v->count; i++) {
        double q[3];
        for (int j = 0; j < 3; j++) {
            q[j] = (double)(float)v->points[i][j] - (double)v->record[j];
        }
        const double r2 = tmb_dot(q, q), z = tmb_dot(q, unit),
                     across[3] = {q[1] * unit[2] - q[2] * unit[1], q[2] * unit[0] - q[0] * unit[2],
                                  q[0] * unit[1] - q[1] * unit[0]};
        const double rho = tmb_length(across), tangent2 = z > 0 ? rho * rho / (z * z) : INFINITY;
        const double reach = z * rings->cosine + rho * rings->sine;
        const int surely_long = r2 > shortest * shortest && r2 > 0x1p-100;
        const int maybe_long = r2 > shortest * shortest * (1 - 0x1p-19);
        if (surely_long && tangent2 <= edge2) {
            const uint32_t ring = ring_of_tangent(rings, tangent2);
            f.least_ring = ring > f.least_ring ? ring : f.least_ring;
        } else if (surely_long) {
            f.least_length = fmax(f.least_length, reach);
        }
        if (maybe_long && tangent2 <= edge2 + near) {
            const uint32_t ring = ring_of_tangent(rings, tangent2 + near);
            f.most_ring = ring > f.most_ring ? ring : f.most_ring;
        }
        if (maybe_long && tangent2 >= edge2 - near) {
            f.most_length = fmax(f.most_length, reach);
        }
        if (r2 <= 0x1p-100) { /* squares vanish: anything goes, at this length */
            f.most_ring = r2 > 0 ? TMB_KDOP_RINGS : f.most_ring;
        }
        farthest = fmax(farthest, sqrt(r2));
    }
    f.most_length =
        fmax(f.most_length * (1 + 0x1p-16) + 0x1p-16 * (farthest + 0x1p-22), 0x1p-59); /* bounds are floats */
    return f;
}

typedef struct record_tally {
    const char *name;
    tmb_kdop_rings rings;
    size_t lanes, ringed, with_length;
} record_tally;

static void check_record(const node_view *v, void *user)
{
    record_tally *t = user;
    for (uint32_t l = 0; l < v->k; l++) {
        const lane_facts f = facts_of(v, &t->rings, l);
        const float length = v->record[TMB_KDOP_LOOKUP_LANES + l];
        uint32_t bits;
        memcpy(&bits, &length, sizeof bits);
        const uint32_t ring = bits & TMB_KDOP_RING_MASK;
        if (ring < f.least_ring || ring > f.most_ring) {
            fail_msg("%s k %u node %u lane %u: ring %u is not %u to %u", t->name, v->k, v->node, l, ring, f.least_ring,
                     f.most_ring);
        }
        if ((double)length < f.least_length || (double)length > f.most_length) {
            fail_msg("%s k %u node %u lane %u: length %g is not %g to %g", t->name, v->k, v->node, l, (double)length,
                     f.least_length, f.most_length);
        }
        t->lanes++;
        t->ringed += ring > 0;
        t->with_length += f.least_length > 0;
    }
}

static void check_records(const tumble_model *model, const char *name, void *user)
{
    record_tally *t = user;
    t->name = name;
    tmb_kdop_make_rings(tmb_kdop_set_of(model->block->kdop.k), &t->rings);
    visit_nodes(model, 3, check_record, t);
}

static void test_records(void **state)
{
    for (int i = 0; i < TEST_KDOPS; i++) {
        record_tally t = {.lanes = 0};
        visit_models(*state, test_kdops[i], test_count(200), check_records, &t);
        print_message("  k %2u: %zu lanes, %zu with rings, %zu with lengths\n", test_kdops[i], t.lanes, t.ringed,
                      t.with_length);
        assert_true(t.ringed > t.lanes / 10 && t.with_length > t.lanes / 10);
    }
}

/* The centre is the mean of the points, each as often as it is a corner. */
static void check_centre(const node_view *v, void *user)
{
    (void)user;
    for (int j = 0; j < 3; j++) {
        double sum = 0;
        for (size_t i = 0; i < v->count; i++) {
            sum += v->points[i][j];
        }
        assert_true(fabs(sum / (double)v->count - (double)v->record[j]) < 0x1p-18);
    }
}

static void check_centres(const tumble_model *model, const char *name, void *user)
{
    (void)name;
    visit_nodes(model, 3, check_centre, user);
}

static void test_centres(void **state)
{
    visit_models(*state, 14, test_count(300), check_centres, NULL);
}

/* ---- Along no vector do points reach farther ---- */

/* The vector that has the same angle to three lanes' directions: a corner of the unit DOP. */
static void corner_vector(const tmb_kdop_set *set, uint32_t corner, double u[3])
{
    double d[3][3];
    for (int i = 0; i < 3; i++) {
        tmb_kdop_lane(set, set->corners[corner][i], d[i]);
        const double length = tmb_length(d[i]);
        for (int j = 0; j < 3; j++) {
            d[i][j] /= length;
        }
    }
    for (int j = 0; j < 3; j++) { /* normal to the differences */
        const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        u[j] = (d[1][j1] - d[0][j1]) * (d[2][j2] - d[0][j2]) - (d[1][j2] - d[0][j2]) * (d[2][j1] - d[0][j1]);
    }
    const double sign = tmb_dot(u, d[0]) < 0 ? -1 : 1;
    for (int j = 0; j < 3; j++) {
        u[j] *= sign;
    }
}

/* Directions in which a bound may be wrong, if it can be anywhere. */
static void special_vector(test_random *random, const node_view *v, const tmb_kdop_rings *rings, double u[3])
{
    double d[3], e[3], across[3];
    tmb_kdop_lane(v->set, (uint32_t)test_random_whole(random, 0, (int)v->k - 1), d);
    tmb_kdop_lane(v->set, (uint32_t)test_random_whole(random, 0, (int)v->k - 1), e);
    const double *p = v->points[test_random_bits(random) % v->count];
    const double length = tmb_length(d), other = tmb_length(e);
    test_random_across(random, d, across);
    const int kind = test_random_whole(random, 0, 7), ring = test_random_whole(random, 1, TMB_KDOP_RINGS);
    if (kind == 5) {
        corner_vector(v->set, (uint32_t)test_random_whole(random, 0, (int)v->set->corner_count - 1), u);
    }
    if (kind == 6) {
        test_random_vector(random, u);
    }
    for (int j = 0; j < 3; j++) {
        switch (kind) {
        case 0: u[j] = d[j]; break;                                                          /* a stored direction */
        case 1: u[j] = d[j] / length + (double)rings->tangents[ring] * across[j]; break;     /* the edge of a ring */
        case 2: u[j] = d[j] / length + 1e-7 * across[j]; break;                              /* hardly off the axis */
        case 3: u[j] = d[j] / length + e[j] / other; break;                                  /* between two */
        case 4: u[j] = p[j] - (double)v->record[j]; break;                                   /* towards a point */
        case 7: u[j] = p[j] - (double)v->record[j] + 0.1 * tmb_length(p) * across[j]; break; /* past a point */
        default: break;
        }
        if (test_random_chance(random, 0.3)) {
            u[j] = test_step_ulps(u[j], test_random_whole(random, -3, 3));
        }
    }
    const double scale = ldexp(1, test_random_chance(random, 0.2) ? test_random_whole(random, -20, 20) : 0);
    for (int j = 0; j < 3; j++) {
        u[j] *= scale;
    }
}

/* The farthest that a node's points reach along a vector. */
static double true_reach(const node_view *v, const double u[3])
{
    double most = -INFINITY;
    for (size_t i = 0; i < v->count; i++) {
        most = fmax(most, tmb_dot(u, v->points[i]));
    }
    return most;
}

static void walk_bounds(const tmb_kdop_state *s, const node_view *v, float *apart)
{
    switch (v->k) {
    case 6: tumble_lookup_6(s, v->bounds, v->record, apart); break;
    case 12: tumble_lookup_12(s, v->bounds, v->record, apart); break;
    case 14: tumble_lookup_14(s, v->bounds, v->record, apart); break;
    case 18: tumble_lookup_18(s, v->bounds, v->record, apart); break;
    default: tumble_lookup_26(s, v->bounds, v->record, apart); break;
    }
}

/* Lanes 2 i and 2 i + 1 are opposite. */
static void set_vectors(tmb_kdop_state *s, test_random *random, const node_view *v, const tmb_kdop_rings *rings)
{
    for (uint32_t l = 0; l < v->k; l += 2) {
        double *u = s->along[l], *opposite = s->along[l + 1];
        special_vector(random, v, rings, u);
        for (int j = 0; j < 3; j++) {
            opposite[j] = -u[j];
            s->along_axis[j][l] = (float)u[j];
            s->along_axis[j][l + 1] = -(float)u[j];
        }
    }
    tmb_kdop_set_cones(s, rings);
}

/* Vectors towards a point can be tiny where it is the centre. */
#define LEAST_VECTOR 0x1p-60

/* What rounding may take off, in units of 2^-24 times the sum of a vector's absolute coordinates: docs/kdop.md has 11.5
 * for a query, of which 1 is for an offset that is not 0 here. */
#define MOST_ROUNDING 10.5

typedef struct reach_tally {
    test_random random;
    const char *name;
    tmb_kdop_rings rings;
    double most_rounding;
    size_t bounds, tight; /* tight: not more than a hundredth of the node's size too far */
    int rounds;
} reach_tally;

static void check_reach(const node_view *v, void *user)
{
    reach_tally *t = user;
    tmb_kdop_state s = {.set = v->set, .k = v->k};
    for (int n = 0; n < t->rounds; n++) {
        float apart[TMB_KDOP_LANES];
        set_vectors(&s, &t->random, v, &t->rings);
        walk_bounds(&s, v, apart);
        for (uint32_t l = 0; l < v->k; l++) {
            const double *u = s.along[l], size = fabs(u[0]) + fabs(u[1]) + fabs(u[2]);
            if (size < LEAST_VECTOR) {
                continue;
            }
            const double lost = (true_reach(v, u) + (double)apart[l]) / (0x1p-24 * size);
            t->most_rounding = fmax(t->most_rounding, lost);
            if (lost > MOST_ROUNDING) {
                fail_msg("%s k %u node %u: points reach %g along (%a, %a, %a), not %g: %g units", t->name, v->k,
                         v->node, true_reach(v, u), u[0], u[1], u[2], -(double)apart[l], lost);
            }
            t->bounds++;
            t->tight += lost > -0x1p24 * 0.01;
        }
    }
}

static void check_reaches(const tumble_model *model, const char *name, void *user)
{
    reach_tally *t = user;
    t->name = name;
    tmb_kdop_make_rings(tmb_kdop_set_of(model->block->kdop.k), &t->rings);
    visit_nodes(model, 2, check_reach, t);
}

static void test_reach(void **state)
{
    for (int i = 0; i < TEST_KDOPS; i++) {
        reach_tally t = {.random = {4103}, .rounds = 12};
        visit_models(*state, test_kdops[i], test_count(150), check_reaches, &t);
        print_message("  k %2u: %zu bounds, %zu hardly too large; rounding takes off %.2f units at most\n",
                      test_kdops[i], t.bounds, t.tight, t.most_rounding);
        assert_true(t.most_rounding > 0); /* or the test does not come near */
    }
}

/* ---- Bounds that are known, right and wrong ---- */

/* The table of the paper, in double and with all bits. RIGHT: rings equal in angle, and all set bits count. NEAREST: of
 * the rings outside that of the vector, only the nearest that is set. PRINTED: rings equal in cosine, as the paper has
 * them, with its quotients. */
typedef enum table_kind {
    TABLE_RIGHT,
    TABLE_NEAREST,
    TABLE_PRINTED,
    TABLE_KINDS
} table_kind;

typedef struct table {
    double edges[TMB_KDOP_RINGS + 1]; /* angles */
    double quotients[TMB_KDOP_RINGS + 1][TMB_KDOP_RINGS + 1];
} table;

static void make_table(const tmb_kdop_set *set, table_kind kind, table *out)
{
    const int n = TMB_KDOP_RINGS;
    for (int j = 0; j <= n; j++) {
        out->edges[j] = kind == TABLE_PRINTED ? acos(1 - j * (1 - set->cover) / n) : j * acos(set->cover) / n;
    }
    for (int m = 1; m <= n; m++) {
        for (int j = 1; j <= n; j++) {
            const int lower = m < j ? m : j, upper = m < j ? j : m, apart = upper - lower;
            const double gap = apart ? out->edges[upper - 1] - out->edges[lower] : 0;
            const double printed = apart ? cos(out->edges[apart - 1]) : 1;
            out->quotients[m][j] = (kind == TABLE_PRINTED ? printed : cos(gap)) / cos(out->edges[j]);
        }
    }
}

static int ring_of_angle(const table *t, double angle)
{
    int ring = 1;
    while (ring < TMB_KDOP_RINGS && angle > t->edges[ring]) {
        ring++;
    }
    return ring;
}

/* What the paper keeps of a node, for one direction. */
typedef struct occupancy {
    double extent, length;
    uint32_t rings;
} occupancy;

static occupancy occupancy_of(const node_view *v, const table *t, const double unit[3])
{
    const double cover = t->edges[TMB_KDOP_RINGS];
    occupancy o = {0, 0, 0};
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < v->count; i++) {
            double q[3];
            for (int j = 0; j < 3; j++) {
                q[j] = v->points[i][j] - (double)v->record[j];
            }
            const double angle = test_angle(q, unit), r = tmb_length(q);
            if (pass == 0) {
                o.extent = fmax(o.extent, tmb_dot(q, unit));
            } else if (r > cos(cover) * o.extent && angle <= cover) {
                o.rings |= 1u << ring_of_angle(t, angle);
            } else if (r > cos(cover) * o.extent) {
                o.length = fmax(o.length, r * cos(angle - cover));
            }
        }
    }
    return o;
}

static double ring_factor(const table *t, const occupancy *o, table_kind kind, int m)
{
    double factor = cos(t->edges[TMB_KDOP_RINGS]);
    for (int j = 1; j <= TMB_KDOP_RINGS; j++) {
        if (o->rings >> j & 1) {
            factor = fmax(factor, t->quotients[m][j]);
            if (j > m && kind == TABLE_NEAREST) {
                break;
            }
        }
    }
    return factor;
}

static double table_reach(const node_view *v, const table *t, table_kind kind, const double u[3])
{
    double nearest[3] = {0, 0, 0}, least = 4, centre[3];
    for (uint32_t l = 0; l < v->k; l++) {
        double d[3];
        tmb_kdop_lane(v->set, l, d);
        const double angle = test_angle(u, d);
        if (angle < least) {
            least = angle;
            memcpy(nearest, d, sizeof nearest);
        }
    }
    const double length = tmb_length(nearest), cover = t->edges[TMB_KDOP_RINGS];
    for (int j = 0; j < 3; j++) {
        nearest[j] /= length;
        centre[j] = (double)v->record[j];
    }
    const int m = ring_of_angle(t, least);
    const occupancy o = occupancy_of(v, t, nearest);
    const double inside = ring_factor(t, &o, kind, m) * o.extent, outside = cos(cover - t->edges[m]) * o.length;
    return tmb_length(u) * fmax(inside, outside) + tmb_dot(u, centre);
}

typedef struct table_tally {
    test_random random;
    tmb_kdop_rings rings;
    table tables[TABLE_KINDS];
    size_t bounds, wrong[TABLE_KINDS];
    double excess_table, excess_walk; /* of the right table, and of the walk, in test_kdops of the node */
} table_tally;

static void compare_tables(const node_view *v, void *user)
{
    table_tally *t = user;
    float apart[TMB_KDOP_LANES];
    tmb_kdop_state s = {.set = v->set, .k = v->k};
    double size = 0;
    for (size_t i = 0; i < v->count; i++) {
        for (int j = 0; j < 3; j++) {
            size = fmax(size, fabs(v->points[i][j] - (double)v->record[j]));
        }
    }
    if (size < 0x1p-10) { /* where floats have no say */
        return;
    }
    set_vectors(&s, &t->random, v, &t->rings);
    walk_bounds(&s, v, apart);
    for (uint32_t l = 0; l < v->k; l++) {
        const double *u = s.along[l], right = true_reach(v, u), unit = tmb_length(u) * size;
        if (tmb_length(u) < LEAST_VECTOR) {
            continue;
        }
        for (int kind = 0; kind < TABLE_KINDS; kind++) {
            const double found = table_reach(v, &t->tables[kind], (table_kind)kind, u);
            t->wrong[kind] += found < right - 1e-6 * unit;
            if (kind == TABLE_RIGHT) {
                t->excess_table += (found - right) / unit;
            }
        }
        t->excess_walk += (-(double)apart[l] - right) / unit;
        t->bounds++;
    }
}

static void compare_model(const tumble_model *model, const char *name, void *user)
{
    (void)name;
    visit_nodes(model, 3, compare_tables, user);
}

/* On these inputs the right table never fails and the wrong ones do; and the walk, which takes the angle itself instead
 * of its ring, is not less tight than the right one. */
static void test_tables(void **state)
{
    size_t wrong[TABLE_KINDS] = {0};
    for (int i = 0; i < TEST_KDOPS; i++) {
        const tmb_kdop_set *set = tmb_kdop_set_of(test_kdops[i]);
        table_tally t = {.random = {4104}};
        tmb_kdop_make_rings(set, &t.rings);
        for (int kind = 0; kind < TABLE_KINDS; kind++) {
            make_table(set, (table_kind)kind, &t.tables[kind]);
        }
        visit_models(*state, test_kdops[i], test_count(100), compare_model, &t);
        print_message("  k %2u: %zu bounds; too small: %zu by all bits, %zu by the nearest, %zu as printed; "
                      "mean excess %.4f of the table, %.4f of the walk\n",
                      test_kdops[i], t.bounds, t.wrong[TABLE_RIGHT], t.wrong[TABLE_NEAREST], t.wrong[TABLE_PRINTED],
                      t.excess_table / (double)t.bounds, t.excess_walk / (double)t.bounds);
        for (int kind = 0; kind < TABLE_KINDS; kind++) {
            wrong[kind] += t.wrong[kind];
        }
        assert_true(t.excess_walk <= t.excess_table * 1.001);
    }
    assert_int_equal(wrong[TABLE_RIGHT], 0);
    assert_true(wrong[TABLE_NEAREST] > 0);
    assert_true(wrong[TABLE_PRINTED] > 0);
}

/* ---- Large nodes, threads ---- */

static tumble_model *large_model(tumble_context *context, uint32_t k)
{
    models_mesh mesh = {0};
    assert_true(models_make_sized(&mesh, "torus", 20000));
    const tumble_model_options options = test_kdop_options(k, 1, TUMBLE_KDOP_TUMBLE_LOOKUP, 0);
    tumble_model *model = test_model(context, &mesh, &options);
    models_free(&mesh);
    return model;
}

static void test_threads(void **state)
{
    test_world *w = *state;
    tumble_model *one = large_model(w->context, 18);
    record_tally t = {.name = "torus"};
    tmb_kdop_make_rings(tmb_kdop_set_of(18), &t.rings);
    visit_nodes(one, 1009, check_record, &t);
    for (uint32_t threads = 2; threads <= 4; threads++) {
        tumble_context *context = test_context(&w->memory, threads, TUMBLE_SIMD_AUTO);
        tumble_model *other = large_model(context, 18);
        test_assert_same_blocks(one, other);
        tumble_model_destroy(other);
        tumble_context_destroy(context);
    }
    tumble_model_destroy(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rings), cmocka_unit_test(test_cover), TEST_IN_WORLD(test_records),
        TEST_IN_WORLD(test_centres),  TEST_IN_WORLD(test_reach),    TEST_IN_WORLD(test_tables),
        TEST_IN_WORLD(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
