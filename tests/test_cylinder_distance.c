/* Distances of cylinders with flat ends, of each other and of everything else: bounds against separating planes and
 * points of the solids, all hierarchies against all pairs; what else rests on them; memory that runs out. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/bounds.h"
#include "math/vec3.h"
#include "mixed_cases.h"
#include "prim/convex_distance.h"
#include "prim/cylinder.h"
#include "prim/triangle_distance.h"
#include "query/query.h"

/* ---- Two solids ---- */

static tmb_convex make_convex(test_random *random, int is_cylinder, double unit, int is_lattice)
{
    tmb_convex out = {.is_cylinder = is_cylinder};
    do {
        for (int i = 0; i < 9; i++) {
            out.corners[i / 3][i % 3] =
                unit * (is_lattice ? test_random_whole(random, -4, 4) : 4 * test_random_range(random, -1, 1));
        }
    } while (tmb_compare_numbers(out.corners[0], out.corners[1], 3) == 0);
    if (is_cylinder) {
        memcpy(out.corners[2], out.corners[1], sizeof out.corners[2]);
        out.radius = tmb_scaled_of(
            unit * (is_lattice ? test_random_whole(random, 0, 3) : 3 * test_random_range(random, 0, 1)), 0);
    }
    return out;
}

static void shift(tmb_convex *c, const double by[3])
{
    for (int i = 0; i < 9; i++) {
        c->corners[i / 3][i % 3] += by[i % 3];
    }
}

static double radius_of(const tmb_convex *c)
{
    return tmb_scaled_nearest(c->radius);
}

/* The largest product of a point of the solid with a direction. */
static long double farthest(const tmb_convex *c, const long double direction[3])
{
    long double most = -INFINITY, d[3], square = 0, along = 0, all = 0;
    for (int i = 0; i < 3; i++) {
        long double own = 0;
        for (int k = 0; k < 3; k++) {
            own += direction[k] * c->corners[i][k];
        }
        most = own > most ? own : most;
    }
    if (!c->is_cylinder) {
        return most;
    }
    for (int k = 0; k < 3; k++) {
        d[k] = (long double)c->corners[1][k] - c->corners[0][k];
        square += d[k] * d[k];
        along += d[k] * direction[k];
        all += direction[k] * direction[k];
    }
    const long double side = all - along * along / square;
    return most + radius_of(c) * sqrtl(side > 0 ? side : 0);
}

/* Whether a point is on the solid, nearly. */
static int is_on(const tmb_convex *c, const double point[3], double error)
{
    if (!c->is_cylinder) {
        const double same[3][3] = {
            {point[0], point[1], point[2]}, {point[0], point[1], point[2]}, {point[0], point[1], point[2]}};
        return tmb_triangles_within(c->corners, same, error, NULL);
    }
    double u[3], d[3], w[3];
    tmb_subtract(point, c->corners[0], u);
    tmb_subtract(c->corners[1], c->corners[0], d);
    tmb_cross(u, d, w);
    const double length = tmb_length(d), along = tmb_dot(u, d) / length;
    return along >= -error && along <= length + error && tmb_length(w) / length <= radius_of(c) + error;
}

/* So that products neither over- nor underflow. */
static void scale(tmb_convex *c, double by)
{
    for (int i = 0; i < 9; i++) {
        c->corners[i / 3][i % 3] *= by;
    }
    c->radius = tmb_scaled_of(radius_of(c) * by, 0);
}

static void check_bounds(tmb_convex a, tmb_convex b, tmb_convex_distance d, double unit)
{
    const double by = ldexp(1, -ilogb(unit)), size = 32;
    scale(&a, by), scale(&b, by);
    for (int i = 0; i < 6; i++) {
        d.points[i / 3][i % 3] *= by;
    }
    d.lower *= by, d.value *= by, d.upper *= by;
    long double way[3], against[3], square = 0;
    assert_true(d.lower >= 0 && d.lower <= d.value && d.value <= d.upper);
    assert_true(is_on(&a, d.points[0], 0x1p-40 * size) && is_on(&b, d.points[1], 0x1p-40 * size));
    assert_true(d.upper - d.lower <= 0x1p-40 * size);
    for (int k = 0; k < 3; k++) {
        way[k] = (long double)d.points[1][k] - d.points[0][k];
        against[k] = -way[k];
        square += way[k] * way[k];
    }
    const long double length = sqrtl(square);
    assert_true(fabsl(length - d.value) <= 0x1p-40 * size);
    if (d.lower > 0x1p-20 * size) { /* the plane across the way separates them as far */
        assert_true(-(farthest(&a, way) + farthest(&b, against)) / length >= d.lower - 0x1p-24 * size);
    }
}

/* What is said of the two is true, and that of triangles agrees with what is decided exactly. */
static void test_bounds(void **state)
{
    (void)state;
    test_random random = {1};
    static const double units[] = {1, 0.1, 1, 1e-280, 0x1p1000, 3};
    size_t meetings = 0, apart = 0;
    for (size_t i = 0; i < test_count(6000); i++) {
        const double unit = units[i % 6], by[3] = {unit * test_random_whole(&random, -4, 4), 0, 0};
        const tmb_convex a = make_convex(&random, 1, unit, i % 2 == 0);
        tmb_convex b = make_convex(&random, i / 6 % 2 == 0, unit, i % 2 == 0);
        tmb_convex_distance fast, sharp, swapped;
        shift(&b, by);
        tmb_convex_distance_fast(&a, &b, &fast);
        tmb_convex_distance_sharp(&a, &b, &sharp);
        tmb_convex_distance_sharp(&b, &a, &swapped);
        check_bounds(a, b, fast, unit);
        check_bounds(a, b, sharp, unit);
        assert_true(fast.lower <= sharp.upper && sharp.lower <= fast.upper);
        assert_true(swapped.lower <= sharp.upper && sharp.lower <= swapped.upper);
        meetings += !(sharp.lower > 0);
        apart += sharp.lower > 0;
        if (!b.is_cylinder) {
            const tmb_cylinder cylinder = {a.corners[0], a.corners[1], tmb_limit_at(a.radius)};
            assert_int_equal(tmb_triangle_meets_cylinder((const double(*)[3])b.corners, &cylinder, NULL),
                             !(sharp.lower > 0));
        }
    }
    assert_true(meetings > test_count(6000) / 12 && apart > test_count(6000) / 12);
}

/* Solids are brought so near to each other that 2^-39 of their size is left, or the limit and that. */
static void test_gaps(void **state)
{
    (void)state;
    test_random random = {2};
    size_t tried = 0;
    unsigned long long exact = 0;
    for (size_t i = 0; i < test_count(2000); i++) {
        const double by[3] = {test_random_whole(&random, -9, 9), 0, 0};
        const tmb_convex a = make_convex(&random, 1, 1, i % 2 == 0);
        tmb_convex b = make_convex(&random, i / 2 % 2 == 0, 1, i % 2 == 0);
        tmb_convex_distance d;
        shift(&b, by);
        tmb_convex_distance_sharp(&a, &b, &d);
        if (d.lower < 0.5) {
            continue;
        }
        for (int near = 0; near < 2; near++) {
            const double limit = near ? 0.25 : 0, gap = limit + 0x1p-35;
            const tmb_limit limits[2] = {tmb_limit_of(limit, 1), tmb_limit_of(limit + 0x1p-34, 1)};
            tmb_convex moved = b;
            double way[3];
            for (int k = 0; k < 3; k++) {
                way[k] = (d.points[0][k] - d.points[1][k]) / d.value * (d.value - gap);
            }
            shift(&moved, way);
            assert_false(tmb_convex_within(&a, &moved, &limits[0], &exact));
            assert_true(tmb_convex_within(&a, &moved, &limits[1], &exact));
            tried++;
        }
    }
    assert_true(tried > test_count(2000) / 4);
}

static double distance_of(const double a[2][3], double radius_a, const double b[2][3], double radius_b)
{
    tmb_convex solids[2] = {{.is_cylinder = 1}, {.is_cylinder = 1}};
    for (int i = 0; i < 3; i++) {
        memcpy(solids[0].corners[i], a[i > 0], sizeof solids[0].corners[i]);
        memcpy(solids[1].corners[i], b[i > 0], sizeof solids[1].corners[i]);
    }
    solids[0].radius = tmb_scaled_of(radius_a, 0);
    solids[1].radius = tmb_scaled_of(radius_b, 0);
    tmb_convex_distance d;
    tmb_convex_distance_sharp(&solids[0], &solids[1], &d);
    return d.value;
}

static void test_known(void **state)
{
    (void)state;
    const double up[2][3] = {{0, 0, 0}, {0, 0, 2}}, above[2][3] = {{0, 0, 5}, {0, 0, 6}},
                 beside[2][3] = {{6, 8, 1}, {6, 8, 9}};
    const double across[2][3] = {{-9, 4, 1}, {9, 4, 1}}, corner[2][3] = {{8, 0, 6}, {8, 0, 9}};
    assert_true(fabs(distance_of(up, 1, above, 2) - 3) <= 1e-15);  /* end over end */
    assert_true(fabs(distance_of(up, 3, beside, 2) - 5) <= 1e-15); /* side by side */
    assert_true(fabs(distance_of(up, 1, across, 2) - 1) <= 1e-15); /* crosswise */
    assert_true(fabs(distance_of(up, 3, corner, 2) - 5) <= 1e-15); /* rim to rim: 3 aside, 4 up */
    assert_true(fabs(distance_of(up, 3, across, 2) - 0) <= 0);     /* in each other */
    assert_true(fabs(distance_of(up, 1e-200, above, 1) - 3) <= 1e-15);
}

/* ---- Models ---- */

enum {
    COUNT = 16,
    KINDS = 11
};

typedef enum partner_kind {
    THIN,
    THICK,
    RADII,
    CAPSULES,
    CYLINDERS,
    PARTNERS
} partner_kind;

typedef struct distance_case {
    double ends[6 * COUNT], radii[COUNT];
    models_mesh mesh;
    double mesh_radii[64];
    partner_kind partner;
    tumble_pose poses[2];
    int side; /* of the first cylinders */
} distance_case;

static tumble_model_options options_of(size_t kind)
{
    static const size_t variants[] = {TEST_TREE_WIDE, TEST_TREE_WIDE_LONGEST, TEST_TREE_RTREE,    0, 21, 42, 63,
                                      TEST_TREE_KDOP, TEST_TREE_KDOP + 4,     TEST_TREE_KDOP + 14};
    tumble_model_options options = kind == 0 ? tumble_default_model_options() : test_tree_variant(variants[kind - 1]);
    options.hierarchy = kind == 0 ? TUMBLE_HIERARCHY_BRUTE : options.hierarchy;
    return options;
}

static tumble_model *cylinders_of(tumble_context *context, const distance_case *c, size_t kind, int first, int are_flat)
{
    tumble_model_options options = options_of(kind);
    tumble_model *model;
    uint32_t corners[3 * COUNT];
    options.flat_ends = are_flat;
    for (uint32_t i = 0; i < COUNT; i++) {
        corners[3 * i] = 2 * i, corners[3 * i + 1] = corners[3 * i + 2] = 2 * i + 1;
    }
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = c->ends + 6 * (first ? 0 : COUNT / 2), mesh.point_count = COUNT;
    mesh.indices = corners, mesh.index_count = 3 * COUNT / 2;
    mesh.radii = c->radii + (first ? 0 : COUNT / 2);
    assert_int_equal(tumble_model_create(context, &mesh, &options, &model), TUMBLE_OK);
    return model;
}

static tumble_model *partner_of(tumble_context *context, const distance_case *c, size_t kind)
{
    tumble_model_options options = options_of(kind);
    tumble_mesh mesh = models_view(&c->mesh);
    tumble_model *model;
    if (c->partner == CYLINDERS || c->partner == CAPSULES) {
        return cylinders_of(context, c, kind, 0, c->partner == CYLINDERS);
    }
    options.radius = c->partner == THICK ? 0.25 : 0;
    mesh.radii = c->partner == RADII ? c->mesh_radii : NULL;
    assert_int_equal(tumble_model_create(context, &mesh, &options, &model), TUMBLE_OK);
    return model;
}

static void make_case(distance_case *c, test_random *random, size_t turn)
{
    memset(c, 0, sizeof *c);
    c->partner = (partner_kind)(turn % PARTNERS);
    c->side = turn / PARTNERS % 2;
    for (size_t i = 0; i < 6 * COUNT; i++) {
        c->ends[i] = turn % 2 ? test_random_whole(random, -6, 6) : test_random_range(random, -6, 6);
    }
    for (size_t i = 0; i < COUNT; i++) {
        c->ends[6 * i] += c->ends[6 * i] == c->ends[6 * i + 3];
        c->radii[i] = 0.25 * test_random_whole(random, 0, 6);
    }
    test_make_soup(&c->mesh, random, 30, 0.3);
    for (size_t i = 0; i < 3 * c->mesh.point_count; i++) {
        c->mesh.points[i] *= 8;
    }
    for (size_t i = 0; i < c->mesh.polygon_count; i++) {
        c->mesh_radii[i] = 0.125 * test_random_whole(random, 0, 4);
    }
    c->poses[0] = turn % 3 == 1 ? mixed_pose(random, 0.6, 0.2, 0.1, 0) : tumble_pose_identity();
    c->poses[1] = turn % 3 == 1 ? mixed_pose(random, 0.1, 0.7, -0.1, 0) : tumble_pose_identity();
    c->poses[1].m[0][3] += turn % 4 == 0 ? 0 : turn % 4 == 1 ? 9 : 17;
    for (int k = 0; k < 12 && turn % 3 == 1; k++) { /* scaled and shifted */
        c->poses[1].m[k / 4][k % 4] *= 1.5;
    }
}

typedef struct all_answers {
    tumble_distance_result distance;
    tumble_relation_result relation;
    test_pairs near, meeting, listed;
} all_answers;

/* Distances may be told of different pairs that have the same, to within their bounds. */
static void compare(const all_answers *a, const all_answers *b, const char *name)
{
    const tumble_distance_result *x = &a->distance, *y = &b->distance;
    assert_int_equal(x->answer, y->answer);
    assert_true(x->lower <= y->upper && y->lower <= x->upper);
    assert_true(fabs(x->nearest.distance - y->nearest.distance) <= 1e-11);
    assert_true((x->nearest.distance > 0) == (y->nearest.distance > 0));
    assert_int_equal(a->relation.relation, b->relation.relation);
    assert_int_equal(a->relation.surfaces_meet, b->relation.surfaces_meet);
    test_assert_same_pairs(&a->near, &b->near, "%s, near", name);
    test_assert_same_pairs(&a->meeting, &b->meeting, "%s, meeting", name);
}

static void check_distance(const tumble_distance_result *r, double clearance)
{
    assert_int_equal(r->answer, TUMBLE_YES);
    assert_true(r->lower <= r->nearest.distance && r->nearest.distance <= r->upper);
    assert_true(r->upper - r->lower <= 1e-11);
    double way[3];
    tmb_subtract(r->nearest.point_b, r->nearest.point_a, way);
    assert_true(fabs(tmb_length(way) - r->nearest.distance) <= 1e-11);
    assert_true(r->pair_count > 0 || clearance > 0);
}

static void ask(tumble_query *query, const tumble_model *a, const tumble_model *b, const distance_case *c,
                double clearance, size_t way, all_answers *out)
{
    tumble_distance_options options = tumble_default_distance_options();
    options.want_pairs = true;
    options.coherence = way % 2 ? TUMBLE_COHERENCE_ALL : TUMBLE_COHERENCE_NONE;
    assert_int_equal(tumble_distance(query, a, &c->poses[0], b, &c->poses[1], &options, &out->distance), TUMBLE_OK);
    check_distance(&out->distance, clearance);
    out->distance.pairs = NULL;
    tumble_collide_options near = test_overlap_variant(way % TEST_OVERLAP_VARIANTS);
    near.clearance = clearance;
    test_collide(query, a, &c->poses[0], b, &c->poses[1], &near, &out->near);
    near.clearance = 0;
    test_collide(query, a, &c->poses[0], b, &c->poses[1], &near, &out->meeting);
    assert_int_equal(out->meeting.count > 0, !(out->distance.nearest.distance > 0));
    assert_int_equal(out->near.count > 0, out->distance.nearest.distance <= clearance);
    assert_int_equal(tumble_relate(query, a, &c->poses[0], b, &c->poses[1], &out->relation), TUMBLE_OK);
    assert_int_equal(out->relation.surfaces_meet, out->meeting.count > 0);
    options.within = options.enough = clearance;
    options.want_pairs = false;
    tumble_distance_result test;
    assert_int_equal(tumble_distance(query, a, &c->poses[0], b, &c->poses[1], &options, &test), TUMBLE_OK);
    assert_int_equal(test.answer, out->near.count > 0 ? TUMBLE_YES : TUMBLE_NO);
}

static void free_answers(all_answers *answers)
{
    test_free_pairs(&answers->near);
    test_free_pairs(&answers->meeting);
}

static void test_all_hierarchies(void **state)
{
    test_world *w = *state;
    tumble_context *contexts[TEST_LEVELS];
    tumble_query *queries[TEST_LEVELS];
    test_random random = {3};
    size_t meetings = 0, near = 0, apart = 0;
    test_open_levels(&w->memory, contexts, queries);
    const size_t turns = test_count(40) > 12 ? test_count(40) : 12;
    for (size_t turn = 0; turn < turns; turn++) {
        distance_case c;
        all_answers expected = {0};
        make_case(&c, &random, turn);
        for (size_t kind = 0; kind < 2 * KINDS; kind++) {
            all_answers found = {0};
            tumble_model *own = cylinders_of(contexts[0], &c, kind % KINDS, 1, 1);
            tumble_model *other = partner_of(contexts[0], &c, kind < KINDS ? kind : 3 * kind % KINDS);
            ask(queries[kind % TEST_LEVELS], c.side ? other : own, c.side ? own : other, &c, 1.5, kind,
                kind ? &found : &expected);
            if (kind) {
                compare(&found, &expected, "models");
                free_answers(&found);
            }
            tumble_model_destroy(own);
            tumble_model_destroy(other);
        }
        meetings += expected.meeting.count > 0;
        near += expected.meeting.count == 0 && expected.near.count > 0;
        apart += expected.near.count == 0;
        free_answers(&expected);
        models_free(&c.mesh);
    }
    assert_true(meetings > turns / 8 && near > turns / 40 && apart > turns / 8);
    test_close_levels(contexts, queries);
}

/* ---- Closest points ---- */

/* How far a point is from a cylinder, or how deep inside: plainly. */
static double plain_distance(const double *ends, double radius, const double point[3])
{
    double u[3], d[3], w[3];
    tmb_subtract(point, ends, u);
    tmb_subtract(ends + 3, ends, d);
    tmb_cross(u, d, w);
    const double length = tmb_length(d), along = tmb_dot(u, d) / length, beside = tmb_length(w) / length - radius;
    const double beyond = fmax(-along, along - length);
    return beside <= 0 && beyond <= 0 ? fmax(beside, beyond) : hypot(fmax(beside, 0), fmax(beyond, 0));
}

static int compare_doubles(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static void check_nearest(const distance_case *c, const tumble_closest_result *r, const double point[3], int is_signed)
{
    double all[COUNT / 2], distances[COUNT / 2], apart[3];
    for (size_t i = 0; i < COUNT / 2; i++) {
        all[i] = distances[i] = plain_distance(c->ends + 6 * i, c->radii[i], point);
    }
    qsort(distances, COUNT / 2, sizeof *distances, compare_doubles);
    for (size_t i = 0; i < r->count; i++) {
        const tumble_closest *found = &r->closest[i];
        const double expected = is_signed ? distances[i] : fmax(distances[i], 0);
        assert_true(found->lower <= found->distance && found->distance <= found->upper);
        assert_true(found->upper - found->lower < 1e-11);
        assert_true(fabs(found->distance - expected) < 1e-12);
        assert_true(fabs(all[found->polygon] - distances[i]) < 1e-12);
        tmb_subtract(found->point, point, apart);
        assert_true(fabs(tmb_length(apart) - fabs(found->distance)) < 1e-11);
        assert_true(fabs(plain_distance(c->ends + 6 * found->polygon, c->radii[found->polygon], found->point)) <
                        1e-12 ||
                    (found->distance == 0 && !is_signed));
    }
}

static void test_closest(void **state)
{
    test_world *w = *state;
    test_random random = {6};
    size_t inside = 0;
    const size_t turns = test_count(20) > 4 ? test_count(20) : 4;
    for (size_t turn = 0; turn < turns; turn++) {
        distance_case c;
        double points[16][3];
        make_case(&c, &random, turn);
        for (int i = 0; i < 48; i++) {
            points[i / 3][i % 3] = turn % 2 ? test_random_whole(&random, -8, 8) : test_random_range(&random, -8, 8);
        }
        tumble_closest expected[16][4];
        for (size_t kind = 0; kind < KINDS; kind++) {
            tumble_model *model = cylinders_of(w->context, &c, kind, 1, 1);
            tumble_closest_options options = tumble_default_closest_options();
            tumble_closest_result r;
            options.want_sign = turn % 4 < 2;
            options.count = 4;
            for (int i = 0; i < 16; i++) {
                assert_int_equal(tumble_closest_point(w->query, model, NULL, points[i], &options, &r), TUMBLE_OK);
                assert_int_equal(r.count, 4);
                check_nearest(&c, &r, points[i], options.want_sign);
                inside += r.closest[0].distance < 0;
                assert_true(kind == 0 || memcmp(expected[i], r.closest, sizeof expected[i]) == 0);
                memcpy(expected[i], r.closest, sizeof expected[i]);
                options.count = COUNT, options.within = expected[i][1].upper;
                assert_int_equal(tumble_closest_point(w->query, model, NULL, points[i], &options, &r), TUMBLE_OK);
                assert_in_range(r.count, 2, COUNT / 2);
                options.count = 4, options.within = INFINITY;
            }
            options.thread_count = 3;
            assert_int_equal(tumble_closest_points(w->query, model, NULL, points[0], 16, &options, &r), TUMBLE_OK);
            assert_memory_equal(r.closest, expected, sizeof expected);
            tumble_model_destroy(model);
        }
        models_free(&c.mesh);
    }
    assert_true(inside > 5 * turns);
}

/* Poses with a scale, objects with a radius, numbers of all sizes, and what is exactly on the surface. */
static void test_closest_places(void **state)
{
    test_world *w = *state;
    const double from[3] = {0, 0, 0}, to[3] = {0, 0, 10};
    tumble_model *model;
    tumble_closest_result r;
    tumble_closest_options options = tumble_default_closest_options();
    assert_int_equal(tumble_model_create_cylinder(w->context, from, to, 5, NULL, &model), TUMBLE_OK);
    tumble_pose pose = tumble_pose_identity();
    pose.m[0][0] = pose.m[1][1] = pose.m[2][2] = 2;
    const double aside[3] = {16, 0, 6}, on[3] = {3, 4, 5}, beyond[3] = {3, 4, nextafter(10, 11)}, axis[3] = {0, 0, 5};
    assert_int_equal(tumble_closest_point(w->query, model, &pose, aside, NULL, &r), TUMBLE_OK);
    assert_true(r.closest->distance == 6 && r.closest->point[0] == 10 && r.closest->point[2] == 6);
    assert_int_equal(tumble_closest_point(w->query, model, NULL, on, NULL, &r), TUMBLE_OK);
    assert_true(r.closest->distance == 0 && r.closest->upper == 0);
    assert_int_equal(tumble_closest_point(w->query, model, NULL, beyond, NULL, &r), TUMBLE_OK);
    assert_true(r.closest->distance > 0 && r.closest->upper < 1e-11);
    options.want_sign = true;
    assert_int_equal(tumble_closest_point(w->query, model, NULL, axis, &options, &r), TUMBLE_OK);
    assert_true(r.closest->distance == -5 && fabs(hypot(r.closest->point[0], r.closest->point[1]) - 5) < 1e-14);
    tmb_query_pad(w->query, 0.5, 0);
    assert_int_equal(tumble_closest_point(w->query, model, &pose, aside, NULL, &r), TUMBLE_OK);
    assert_true(r.closest->distance == 5 && r.closest->point[0] == 11);
    options.within = 4.999;
    assert_int_equal(tumble_closest_point(w->query, model, &pose, aside, &options, &r), TUMBLE_OK);
    assert_int_equal(r.count, 0);
    options.within = 5;
    assert_int_equal(tumble_closest_point(w->query, model, &pose, aside, &options, &r), TUMBLE_OK);
    assert_int_equal(r.count, 1);
    tmb_query_pad(w->query, 0, 0);
    tumble_model_destroy(model);
    static const double units[] = {0x1p1000, 0x1p-1070, 1e-200};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const double top[3] = {0, 0, 8 * units[i]}, point[3] = {8 * units[i], 0, 12 * units[i]};
        assert_int_equal(tumble_model_create_cylinder(w->context, from, top, 5 * units[i], NULL, &model), TUMBLE_OK);
        assert_int_equal(tumble_closest_point(w->query, model, NULL, point, NULL, &r), TUMBLE_OK);
        assert_true(r.closest->distance == 5 * units[i] && r.closest->point[0] == 5 * units[i]);
        assert_true(r.closest->lower <= 5 * units[i] && r.closest->upper >= 5 * units[i]);
        tumble_model_destroy(model);
    }
}

/* ---- Relations ---- */

static tumble_model *cylinder(test_world *w, double x, double z, double height, double radius)
{
    const double from[3] = {x, 0, z}, to[3] = {x, 0, z + height};
    tumble_model *model;
    assert_int_equal(tumble_model_create_cylinder(w->context, from, to, radius, NULL, &model), TUMBLE_OK);
    return model;
}

/* A cube of side 8 around the origin, closed or without one of its triangles. */
static tumble_model *cube(test_world *w, double side, int is_open)
{
    tumble_model *model;
    const double lower[3] = {-side / 2, -side / 2, -side / 2}, upper[3] = {side / 2, side / 2, side / 2};
    assert_int_equal(tumble_model_create_box(w->context, lower, upper, 0, NULL, &model), TUMBLE_OK);
    if (is_open) {
        const uint32_t gone = 0;
        assert_int_equal(tumble_model_remove(model, &gone, 1), TUMBLE_OK);
    }
    return model;
}

static tumble_relation relation_of(test_world *w, tumble_model *a, tumble_model *b)
{
    static const tumble_relation swapped[] = {TUMBLE_RELATION_APART,    TUMBLE_RELATION_TOUCHING,
                                              TUMBLE_RELATION_CROSSING, TUMBLE_RELATION_B_IN_A,
                                              TUMBLE_RELATION_A_IN_B,   TUMBLE_RELATION_UNDEFINED};
    tumble_relation_result there, back;
    assert_int_equal(tumble_relate(w->query, a, NULL, b, NULL, &there), TUMBLE_OK);
    assert_int_equal(tumble_relate(w->query, b, NULL, a, NULL, &back), TUMBLE_OK);
    assert_int_equal(back.relation, swapped[there.relation]);
    tumble_model_destroy(a);
    tumble_model_destroy(b);
    return there.relation;
}

static void test_relations(void **state)
{
    test_world *w = *state;
    assert_int_equal(relation_of(w, cylinder(w, 0, -1, 2, 1), cube(w, 8, 0)), TUMBLE_RELATION_A_IN_B);
    assert_int_equal(relation_of(w, cylinder(w, 0, -1, 2, 4), cube(w, 8, 0)),
                     TUMBLE_RELATION_CROSSING); /* at the wall */
    assert_int_equal(relation_of(w, cylinder(w, 0, -1, 6, 1), cube(w, 8, 0)), TUMBLE_RELATION_CROSSING);
    assert_int_equal(relation_of(w, cylinder(w, 0, 4, 6, 1), cube(w, 8, 0)), TUMBLE_RELATION_TOUCHING);
    assert_int_equal(relation_of(w, cylinder(w, 5, -1, 2, 1), cube(w, 8, 0)), TUMBLE_RELATION_TOUCHING);
    assert_int_equal(relation_of(w, cylinder(w, 5, -1, 2, 0.5), cube(w, 8, 0)), TUMBLE_RELATION_APART);
    assert_int_equal(relation_of(w, cylinder(w, 0, -9, 18, 6), cube(w, 8, 0)), TUMBLE_RELATION_B_IN_A);
    assert_int_equal(relation_of(w, cylinder(w, 0, -9, 18, 6), cube(w, 8, 1)), TUMBLE_RELATION_B_IN_A);
    assert_int_equal(relation_of(w, cylinder(w, 0, -9, 13, 6), cube(w, 8, 0)), TUMBLE_RELATION_CROSSING);
    assert_int_equal(relation_of(w, cylinder(w, 0, -1, 2, 1), cube(w, 8, 1)), TUMBLE_RELATION_UNDEFINED);
    assert_int_equal(relation_of(w, cylinder(w, 9, -1, 2, 1), cube(w, 8, 1)), TUMBLE_RELATION_APART);
    assert_int_equal(relation_of(w, cylinder(w, 5, -1, 2, 1), cube(w, 8, 1)), TUMBLE_RELATION_TOUCHING);
    assert_int_equal(relation_of(w, cylinder(w, 0, 0, 2, 1), cylinder(w, 9, 0, 2, 1)), TUMBLE_RELATION_APART);
    assert_int_equal(relation_of(w, cylinder(w, 0, 0, 2, 1), cylinder(w, 0.5, 1, 2, 1)), TUMBLE_RELATION_CROSSING);
    assert_int_equal(relation_of(w, cylinder(w, 0, 0, 2, 1), cylinder(w, 0, -1, 9, 5)), TUMBLE_RELATION_UNDEFINED);
    assert_int_equal(relation_of(w, cylinder(w, 0, 0, 2, 1), cylinder(w, 2, 0, 2, 1)), TUMBLE_RELATION_UNDEFINED);
    tumble_model *thick = cube(w, 8, 0);
    assert_int_equal(tumble_model_set_radius(thick, 1), TUMBLE_OK);
    assert_int_equal(relation_of(w, cylinder(w, 0, -1, 2, 1), thick), TUMBLE_RELATION_A_IN_B);
    thick = cube(w, 8, 1);
    assert_int_equal(tumble_model_set_radius(thick, 1), TUMBLE_OK);
    assert_int_equal(relation_of(w, cylinder(w, 0, -1, 2, 1), thick), TUMBLE_RELATION_APART);
    tumble_model *segment = cylinder(w, 0, -1, 2, 0); /* no cylinder */
    assert_int_equal(relation_of(w, segment, cube(w, 8, 0)), TUMBLE_RELATION_A_IN_B);
}

/* A surface that meets a cylinder in its surface only has no points inside. */
static void test_entering(void **state)
{
    (void)state;
    const double from[3] = {0, 0, 0}, to[3] = {0, 0, 8};
    const tmb_cylinder c = {from, to, tmb_limit_of(5, 1)}, line = {from, to, tmb_limit_of(0, 1)},
                       ball = {from, from, tmb_limit_of(5, 1)};
    static const struct {
        double corners[3][3];
        int meets, enters;
    } cases[] = {{{{-9, -9, 8}, {9, -9, 8}, {0, 9, 8}}, 1, 0}, /* in an end plane */
                 {{{-9, -9, 7}, {9, -9, 7}, {0, 9, 7}}, 1, 1}, /* across */
                 {{{5, -1, 1}, {5, 1, 1}, {5, 0, 6}}, 1, 0},   /* along the side */
                 {{{3, 4, 2}, {8, 8, 2}, {8, 8, 3}}, 1, 0},    /* a corner on the side */
                 {{{3, 4, 8}, {8, 8, 8}, {8, 8, 9}}, 1, 0},    /* on the rim */
                 {{{0, 0, 8}, {9, 0, 9}, {-9, 0, 9}}, 1, 0},   /* on an end */
                 {{{0, 0, 8}, {9, 0, 7}, {-9, 0, 7}}, 1, 1},   /* and through it */
                 {{{0, 0, 3}, {0, 0, 3}, {0, 0, 3}}, 1, 1},    /* a point on the axis */
                 {{{0, 0, 8}, {0, 0, 8}, {0, 0, 8}}, 1, 0},    /* its end */
                 {{{0, 0, 8}, {0, 0, 0}, {0, 0, 0}}, 1, 1},    /* the axis */
                 {{{6, 0, 1}, {6, 0, 3}, {9, 0, 2}}, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned long long exact = 0;
        assert_int_equal(tmb_triangle_meets_cylinder(cases[i].corners, &c, &exact), cases[i].meets);
        assert_int_equal(tmb_triangle_enters_cylinder(cases[i].corners, &c, &exact), cases[i].enters);
        assert_false(tmb_triangle_enters_cylinder(cases[i].corners, &line, &exact));
        const int in_ball = i == 7 || i == 9;
        assert_true(!in_ball || tmb_triangle_enters_cylinder(cases[i].corners, &ball, &exact));
    }
}

/* ---- Scenes ---- */

/* Cylinders, boxes and a capsule in a scene answer as they do in pairs. */
static void test_scene(void **state)
{
    test_world *w = *state;
    enum {
        OBJECTS = 12
    };
    test_random random = {5};
    tumble_model *models[3] = {cylinder(w, 0, -1, 2, 1), cube(w, 2, 0), NULL};
    tumble_part parts[OBJECTS];
    tumble_object ids[OBJECTS];
    tumble_scene *scene;
    tumble_scene_answer answer;
    const double from[3] = {-1, 0, 0}, to[3] = {1, 0, 0};
    size_t expected = 0;
    assert_int_equal(tumble_model_create_capsule(w->context, from, to, 0.5, NULL, &models[2]), TUMBLE_OK);
    assert_int_equal(tumble_scene_create(w->context, NULL, &scene), TUMBLE_OK);
    for (int i = 0; i < OBJECTS; i++) {
        parts[i] = tumble_default_part();
        parts[i].model = models[i % 3];
        parts[i].pose = mixed_pose(&random, 1, test_random_range(&random, -3, 3), test_random_range(&random, -3, 3), 0);
        parts[i].clearance = i % 4 == 0 ? 0.25 : 0;
        parts[i].radius = i % 6 == 0 ? 0.125 : 0;
    }
    assert_int_equal(tumble_scene_add(scene, parts, OBJECTS, ids), TUMBLE_OK);
    assert_int_equal(tumble_scene_collide(w->query, scene, NULL, &answer), TUMBLE_OK);
    for (int i = 0; i < OBJECTS; i++) {
        for (int j = i + 1; j < OBJECTS; j++) {
            tumble_collide_options options = tumble_default_collide_options();
            tumble_collide_result result;
            options.clearance = parts[i].clearance + parts[j].clearance;
            tmb_query_pad(w->query, parts[i].radius, parts[j].radius);
            assert_int_equal(tumble_collide(w->query, parts[i].model, &parts[i].pose, parts[j].model, &parts[j].pose,
                                            &options, &result),
                             TUMBLE_OK);
            expected += result.collide;
        }
    }
    tmb_query_pad(w->query, 0, 0);
    assert_in_range(expected, 3, 60);
    assert_int_equal(tumble_scene_collide(w->query, scene, NULL, &answer), TUMBLE_OK);
    assert_int_equal(answer.meeting_count, expected);
    tumble_scene_destroy(scene);
    for (int i = 0; i < 3; i++) {
        tumble_model_destroy(models[i]);
    }
}

/* ---- Memory ---- */

typedef struct memory_case {
    distance_case c;
    tumble_model *models[2];
} memory_case;

static tumble_status ask_all(test_world *w, void *user)
{
    const memory_case *m = user;
    tumble_query *query;
    tumble_distance_options options = tumble_default_distance_options();
    tumble_distance_result distance;
    tumble_relation_result relation;
    options.want_pairs = true;
    tumble_status status = tumble_query_create(w->context, &query);
    if (status != TUMBLE_OK) {
        return status;
    }
    tumble_closest_result closest;
    const double point[3] = {1, 2, 3};
    status = tumble_closest_point(query, m->models[0], NULL, point, NULL, &closest);
    if (status != TUMBLE_OK) {
        tumble_query_destroy(query);
        return status;
    }
    status = tumble_distance(query, m->models[0], NULL, m->models[1], &m->c.poses[1], &options, &distance);
    if (status == TUMBLE_OK) {
        status = tumble_relate(query, m->models[0], NULL, m->models[1], &m->c.poses[1], &relation);
    }
    tumble_query_destroy(query);
    return status;
}

static void test_memory(void **state)
{
    test_world *w = *state;
    test_random random = {4};
    for (size_t turn = 0; turn < 2 * PARTNERS; turn += 3) {
        memory_case m;
        make_case(&m.c, &random, turn);
        m.models[0] = cylinders_of(w->context, &m.c, 1, 1, 1);
        m.models[1] = partner_of(w->context, &m.c, 1);
        tumble_relation_result relation; /* models keep their topology */
        assert_int_equal(tumble_relate(w->query, m.models[0], NULL, m.models[1], NULL, &relation), TUMBLE_OK);
        assert_true(test_fail_each(w, TEST_FAIL_ALONE, ask_all, NULL, &m) > 0);
        tumble_model_destroy(m.models[0]);
        tumble_model_destroy(m.models[1]);
        models_free(&m.c.mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bounds),       cmocka_unit_test(test_gaps),
                                       cmocka_unit_test(test_known),        cmocka_unit_test(test_entering),
                                       TEST_IN_WORLD(test_all_hierarchies), TEST_IN_WORLD(test_relations),
                                       TEST_IN_WORLD(test_closest),         TEST_IN_WORLD(test_closest_places),
                                       TEST_IN_WORLD(test_scene),           TEST_IN_WORLD(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
