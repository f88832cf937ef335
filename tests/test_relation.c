/* The spatial relation of models: tetrahedra against separating planes, curved shapes against rays in rational
 * arithmetic, and special cases. */
#include <float.h>
#include <gmp.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "moving.h"
#include "relate/point.h"
#include "relating.h"

/* ---- Tetrahedra on a small grid: all that can happen to oblique planes, told by separating planes ---- */

typedef struct tetrahedron {
    long p[4][3];
} tetrahedron;

static long dot(const long a[3], const long b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const long a[3], const long b[3], long out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    }
}

static void minus(const long a[3], const long b[3], long out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = a[k] - b[k];
    }
}

static long volume(const tetrahedron *t)
{
    long u[3], v[3], w[3], n[3];
    minus(t->p[1], t->p[0], u);
    minus(t->p[2], t->p[0], v);
    minus(t->p[3], t->p[0], w);
    cross(u, v, n);
    return dot(n, w);
}

static tetrahedron random_tetrahedron(test_random *random, int least, int most)
{
    tetrahedron t;
    do {
        for (int i = 0; i < 12; i++) {
            t.p[i / 3][i % 3] = test_random_whole(random, least, most);
        }
    } while (volume(&t) == 0);
    return t;
}

/* The gap along a direction: positive when they are apart, 0 when a plane across it has one on each side. */
static long gap_along(const tetrahedron *a, const tetrahedron *b, const long n[3])
{
    long least_a = LONG_MAX, most_a = LONG_MIN, least_b = LONG_MAX, most_b = LONG_MIN;
    for (int i = 0; i < 4; i++) {
        const long x = dot(a->p[i], n), y = dot(b->p[i], n);
        least_a = x < least_a ? x : least_a, most_a = x > most_a ? x : most_a;
        least_b = y < least_b ? y : least_b, most_b = y > most_b ? y : most_b;
    }
    return least_b - most_a > least_a - most_b ? least_b - most_a : least_a - most_b;
}

static void widest_gap(const tetrahedron *a, const tetrahedron *b, const long u[3], const long v[3], long *widest)
{
    long n[3];
    cross(u, v, n);
    if (n[0] || n[1] || n[2]) {
        const long gap = gap_along(a, b, n);
        *widest = gap > *widest ? gap : *widest;
    }
}

static void edge_of(const tetrahedron *t, int i, long out[3])
{
    static const int ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    minus(t->p[ends[i][1]], t->p[ends[i][0]], out);
}

static int is_strictly_inside(const tetrahedron *t, const long p[3])
{
    for (int i = 0; i < 4; i++) {
        tetrahedron other = *t;
        memcpy(other.p[i], p, sizeof other.p[i]);
        const long x = volume(t), y = volume(&other);
        if (!((x > 0 && y > 0) || (x < 0 && y < 0))) {
            return 0;
        }
    }
    return 1;
}

static int all_strictly_inside(const tetrahedron *t, const tetrahedron *other)
{
    return is_strictly_inside(t, other->p[0]) && is_strictly_inside(t, other->p[1]) &&
           is_strictly_inside(t, other->p[2]) && is_strictly_inside(t, other->p[3]);
}

static tumble_relation relation_of_tetrahedra(const tetrahedron *a, const tetrahedron *b)
{
    long widest = LONG_MIN, edges[2][6][3];
    for (int i = 0; i < 6; i++) {
        edge_of(a, i, edges[0][i]);
        edge_of(b, i, edges[1][i]);
    }
    for (int i = 0; i < 36; i++) { /* two edges of one span each of its faces */
        widest_gap(a, b, edges[0][i / 6], edges[0][i % 6], &widest);
        widest_gap(a, b, edges[1][i / 6], edges[1][i % 6], &widest);
        widest_gap(a, b, edges[0][i / 6], edges[1][i % 6], &widest);
    }
    if (widest >= 0) {
        return widest > 0 ? TUMBLE_RELATION_APART : TUMBLE_RELATION_TOUCHING;
    }
    return all_strictly_inside(b, a)   ? TUMBLE_RELATION_A_IN_B
           : all_strictly_inside(a, b) ? TUMBLE_RELATION_B_IN_A
                                       : TUMBLE_RELATION_CROSSING;
}

static tumble_model *tetrahedron_model(test_world *w, const tetrahedron *t, size_t hierarchy)
{
    static const int faces[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
    models_mesh mesh = {0};
    for (int i = 0; i < 4; i++) {
        models_point(&mesh, (double)t->p[i][0], (double)t->p[i][1], (double)t->p[i][2]);
    }
    for (int i = 0; i < 4; i++) {
        models_triangle(&mesh, (uint32_t)faces[i][0], (uint32_t)faces[i][1], (uint32_t)faces[i][2]);
    }
    tumble_model *model = model_of(w, &mesh, hierarchy);
    models_free(&mesh);
    return model;
}

static void test_tetrahedra(void **state)
{
    test_world *w = *state;
    test_random random = {3};
    tally t = {0};
    for (size_t round = 0; round < test_count(2500); round++) {
        const int size = 2 + (int)(round % 3), large = round % 8 == 0 ? 12 : 0;
        const tetrahedron a = random_tetrahedron(&random, -large, size + large);
        const tetrahedron b = random_tetrahedron(&random, 0, size);
        tumble_model *model_a = tetrahedron_model(w, &a, round), *model_b = tetrahedron_model(w, &b, round);
        const tumble_relation expected = relation_of_tetrahedra(&a, &b);
        const tumble_relation_result found = relate(w, model_a, NULL, model_b, NULL);
        expect(&found, expected, round, "tetrahedra");
        const tumble_relation_result back = relate(w, model_b, NULL, model_a, NULL);
        expect(&back, exchanged(expected), round, "tetrahedra exchanged");
        t.relations[expected]++;
        tumble_model_destroy(model_a);
        tumble_model_destroy(model_b);
    }
    print_message("apart %zu, touching %zu, crossing %zu, in %zu\n", t.relations[0], t.relations[1], t.relations[2],
                  t.relations[4]);
    if (test_effort() >= 1) {
        assert_true(t.relations[0] > 9 && t.relations[1] > 99 && t.relations[2] > 99 && t.relations[4] > 4);
    }
}

/* ---- Exact points, against rational arithmetic ---- */

/* Near a plane, or in it: a mean of the corners with whole weights, off by a power of two or not at all. */
static void test_exact_points(void **state)
{
    test_world *w = *state;
    test_random random = {6};
    tmb_bigfloat_pool pool = {.arena = {.context = w->context}};
    size_t flat = 0, small = 0;
    for (size_t round = 0; round < test_count(2000); round++) {
        const int exponent = test_random_chance(&random, 0.2) ? test_random_whole(&random, -1000, 1000) : 0;
        double t[3][3];
        long weights[3];
        tmb_exact_point p = {.w = {0}};
        mpq_t sum, value, weight, truth[3], corners[9];
        mpq_inits(sum, value, weight, truth[0], truth[1], truth[2], NULL);
        for (int i = 0; i < 9; i++) {
            t[i / 3][i % 3] = ldexp(test_random_range(&random, -1, 1), exponent);
            mpq_init(corners[i]);
            mpq_set_d(corners[i], t[i / 3][i % 3]);
        }
        for (int i = 0; i < 3; i++) {
            weights[i] = i == 2 && round % 4 == 0 ? 0 : test_random_whole(&random, 1, 9); /* on an edge */
            p.w = tmb_bigfloat_add(&pool, p.w, tmb_bigfloat_of(&pool, (double)weights[i]));
        }
        const double off = test_random_chance(&random, 0.3)
                               ? 0
                               : ldexp(test_random_range(&random, -1, 1), exponent - test_random_whole(&random, 0, 80));
        for (int k = 0; k < 3; k++) {
            mpq_set_d(truth[k], k == 2 ? off : 0);
            p.x[k] = tmb_bigfloat_of(&pool, k == 2 ? off : 0);
            for (int i = 0; i < 3; i++) {
                mpq_set_si(weight, weights[i], 1);
                mpq_mul(value, corners[3 * i + k], weight);
                mpq_add(truth[k], truth[k], value);
                p.x[k] = tmb_bigfloat_add(&pool, p.x[k],
                                          tmb_bigfloat_multiply(&pool, tmb_bigfloat_of(&pool, (double)weights[i]),
                                                                tmb_bigfloat_of(&pool, t[i][k])));
            }
            mpq_set_si(weight, weights[0] + weights[1] + weights[2], 1);
            mpq_div(truth[k], truth[k], weight);
        }
        tmb_exact_point_finish(&p);
        /* the height above the plane has the sign of what it is off by, times that of the normal's z */
        uint64_t exact = 0;
        mpq_set_ui(sum, 0, 1);
        for (int i = 0; i < 3; i++) { /* z of the normal: the sum of x_i y_j - y_i x_j */
            mpq_mul(value, corners[3 * i], corners[3 * ((i + 1) % 3) + 1]);
            mpq_add(sum, sum, value);
            mpq_mul(value, corners[3 * i + 1], corners[3 * ((i + 1) % 3)]);
            mpq_sub(sum, sum, value);
        }
        const int expected = -((off > 0) - (off < 0)) * mpq_sgn(sum);
        assert_int_equal(tmb_exact_orient3d(&pool, t[0], t[1], t[2], &p, &exact), expected);
        flat += expected == 0;
        small += exact > 0 && expected != 0;
        for (int axis = 0; axis < 3; axis++) { /* |b - a, p - a| along an axis */
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            mpq_sub(sum, corners[3 + u], corners[u]);
            mpq_sub(value, truth[v], corners[v]);
            mpq_mul(sum, sum, value);
            mpq_sub(value, corners[3 + v], corners[v]);
            mpq_sub(weight, truth[u], corners[u]);
            mpq_mul(value, value, weight);
            assert_int_equal(tmb_exact_orient2d(&pool, t[0], t[1], &p, axis, &exact), mpq_cmp(sum, value) > 0   ? 1
                                                                                      : mpq_cmp(sum, value) < 0 ? -1
                                                                                                                : 0);
            mpq_set_d(value, p.near[axis]);
            mpq_sub(value, value, truth[axis]);
            mpq_abs(value, value);
            mpq_set_d(weight, p.error);
            assert_true(mpq_cmp(value, weight) <= 0);
        }
        for (int i = 0; i < 9; i++) {
            mpq_clear(corners[i]);
        }
        mpq_clears(sum, value, weight, truth[0], truth[1], truth[2], NULL);
        tmb_bigfloat_pool_rewind(&pool);
    }
    tmb_bigfloat_pool_release(&pool);
    assert_true(flat > 0 && (test_effort() < 1 || small > 50));
}

/* ---- Round shapes at any pose, against rays in rational arithmetic ---- */

typedef struct rational_ray {
    mpq_t p[3], d[3], e1[3], e2[3], s[3], n[3], m[3], x, y, z;
} rational_ray;

static void ray_begin(rational_ray *r)
{
    mpq_t *all = r->p;
    for (size_t i = 0; i < sizeof *r / sizeof(mpq_t); i++) {
        mpq_init(all[i]);
    }
}

static void ray_end(rational_ray *r)
{
    mpq_t *all = r->p;
    for (size_t i = 0; i < sizeof *r / sizeof(mpq_t); i++) {
        mpq_clear(all[i]);
    }
}

static void rational_cross(rational_ray *r, mpq_t *a, mpq_t *b, mpq_t *out)
{
    for (int k = 0; k < 3; k++) {
        mpq_mul(r->x, a[(k + 1) % 3], b[(k + 2) % 3]);
        mpq_mul(r->y, a[(k + 2) % 3], b[(k + 1) % 3]);
        mpq_sub(out[k], r->x, r->y);
    }
}

static void rational_dot(rational_ray *r, mpq_t *a, mpq_t *b, mpq_t out)
{
    mpq_set_ui(r->y, 0, 1);
    for (int k = 0; k < 3; k++) {
        mpq_mul(r->x, a[k], b[k]);
        mpq_add(r->y, r->y, r->x);
    }
    mpq_set(out, r->y);
}

/* 1: the ray passes the triangle, 0: it does not, -1: it meets its border or lies in its plane. The solution (t, u, v)
 * of p + t d = a + u e1 + v e2 by Cramer's rule. */
static int ray_passes(rational_ray *r, double t[3][3])
{
    for (int k = 0; k < 3; k++) {
        mpq_set_d(r->s[k], t[0][k]);
        mpq_set_d(r->e1[k], t[1][k]);
        mpq_set_d(r->e2[k], t[2][k]);
        mpq_sub(r->e1[k], r->e1[k], r->s[k]);
        mpq_sub(r->e2[k], r->e2[k], r->s[k]);
        mpq_sub(r->s[k], r->p[k], r->s[k]);
    }
    rational_cross(r, r->d, r->e2, r->n);
    rational_dot(r, r->e1, r->n, r->z); /* the determinant */
    const int turn = mpq_sgn(r->z);
    if (turn == 0) {
        return -1;
    }
    mpq_t u, v;
    mpq_inits(u, v, NULL);
    rational_dot(r, r->s, r->n, u);
    rational_cross(r, r->s, r->e1, r->m);
    rational_dot(r, r->d, r->m, v);
    const int su = turn * mpq_sgn(u), sv = turn * mpq_sgn(v);
    mpq_add(u, u, v);
    mpq_sub(u, r->z, u);
    const int sw = turn * mpq_sgn(u);
    rational_dot(r, r->e2, r->m, v);
    const int st = turn * mpq_sgn(v);
    mpq_clears(u, v, NULL);
    if (su < 0 || sv < 0 || sw < 0 || st < 0) {
        return 0;
    }
    return su > 0 && sv > 0 && sw > 0 && st > 0 ? 1 : -1;
}

static void moved_corners(const tumble_model *model, const tumble_pose *pose, uint32_t triangle, double corners[3][3])
{
    assert_int_equal(tumble_model_triangle(model, triangle, corners, NULL), TUMBLE_OK);
    for (int i = 0; i < 3 && pose; i++) {
        tumble_pose_apply(pose, corners[i], corners[i]);
    }
}

static int rational_is_inside(test_random *random, const tumble_model *model, const tumble_pose *pose,
                              const double p[3])
{
    const uint32_t count = (uint32_t)test_info(model).triangle_count;
    rational_ray r;
    int parity = -1;
    ray_begin(&r);
    while (parity < 0) {
        parity = 0;
        for (int k = 0; k < 3; k++) {
            mpq_set_d(r.p[k], p[k]);
            mpq_set_si(r.d[k], test_random_whole(random, -1000, 1000), 1);
        }
        for (uint32_t i = 0; i < count && parity >= 0; i++) {
            double corners[3][3];
            moved_corners(model, pose, i, corners);
            const int passes = ray_passes(&r, corners);
            parity = passes < 0 ? -1 : parity ^ passes;
        }
    }
    ray_end(&r);
    return parity;
}

/* Any corners will do when the model is in one part. */
static tumble_relation relation_by_rays(test_random *random, const tumble_model *a, const tumble_model *b,
                                        const tumble_pose *pose)
{
    int inside[2];
    for (int which = 0; which < 2; which++) {
        const tumble_model *own = which ? b : a;
        double corners[3][3];
        const int last = (int)test_info(own).triangle_count - 1;
        moved_corners(own, which ? pose : NULL, (uint32_t)test_random_whole(random, 0, last), corners);
        inside[which] = rational_is_inside(random, which ? a : b, which ? NULL : pose, corners[1]);
    }
    return inside[0] && inside[1] ? TUMBLE_RELATION_CROSSING
           : inside[0]            ? TUMBLE_RELATION_A_IN_B
           : inside[1]            ? TUMBLE_RELATION_B_IN_A
                                  : TUMBLE_RELATION_APART;
}

static void test_shapes(void **state)
{
    static const char *const shapes[] = {"sphere", "torus", "gear", "lattice", "knot", "cylinder"};
    test_world *w = *state;
    test_random random = {4};
    tally t = {0};
    for (size_t round = 0; round < test_count(60); round++) {
        models_mesh mesh_a, mesh_b;
        assert_true(models_make_sized(&mesh_a, shapes[test_random_whole(&random, 0, 5)], 150));
        assert_true(models_make_sized(&mesh_b, shapes[test_random_whole(&random, 0, 5)], 150));
        models_fit(&mesh_a, 2, 0);
        models_fit(&mesh_b, ldexp(1, test_random_whole(&random, -3, 1)), 0);
        tumble_model *a = model_of(w, &mesh_a, round), *b = model_of(w, &mesh_b, round + round / 7);
        for (int i = 0; i < 4; i++) {
            tumble_pose pose = test_rational_turn(&random);
            for (int k = 0; k < 3; k++) {
                pose.m[k][3] = test_random_range(&random, -1, 1);
            }
            const tumble_relation_result found = relate(w, a, NULL, b, &pose);
            assert_true(found.closed_a && found.closed_b);
            if (found.surfaces_meet) { /* never just so */
                expect(&found, TUMBLE_RELATION_CROSSING, round, "shapes that meet");
            } else {
                expect(&found, relation_by_rays(&random, a, b, &pose), round, "shapes");
            }
            t.relations[found.relation]++;
        }
        tumble_model_destroy(a);
        tumble_model_destroy(b);
        models_free(&mesh_a);
        models_free(&mesh_b);
    }
    print_message("apart %zu, crossing %zu, in %zu\n", t.relations[0], t.relations[2], t.relations[4]);
    assert_true(t.relations[0] > 0 && t.relations[2] > 0);
    assert_true(test_effort() < 1 || t.relations[4] > 2);
}

/* ---- Cases that are made for it ---- */

static void add_box(models_mesh *mesh, double x, double y, double z, double size)
{
    models_mesh box = {0};
    const double shift[3] = {x, y, z};
    test_make_grid_box(&box, 1);
    test_transform(&box, size, shift);
    models_append(mesh, &box, NULL);
    models_free(&box);
}

static void relate_meshes(test_world *w, const models_mesh *a, const models_mesh *b, tumble_relation expected,
                          const char *what)
{
    for (size_t hierarchy = 0; hierarchy < 5; hierarchy++) {
        tumble_model *model_a = model_of(w, a, hierarchy), *model_b = model_of(w, b, hierarchy);
        const tumble_relation_result found = relate(w, model_a, NULL, model_b, NULL);
        expect(&found, expected, hierarchy, what);
        const tumble_relation_result back = relate(w, model_b, NULL, model_a, NULL);
        expect(&back, exchanged(expected), hierarchy, what);
        tumble_model_destroy(model_a);
        tumble_model_destroy(model_b);
    }
}

/* A tetrahedron whose edges are all on the surface of another solid, and nothing else: on each of its faces the other
 * has a roof. Only a look at the faces tells that it is inside. Below the floor of a roof it is outside. */
static void test_roofs(void **state)
{
    static const double corners[4][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}};
    static const double roofs[4][3] = {{-3, 1, 1}, {1, -3, 1}, {1, 1, -3}, {3, 3, 3}};
    static const uint32_t faces[4][3] = {{0, 2, 3}, {0, 1, 3}, {0, 1, 2}, {1, 2, 3}};
    models_mesh inner = {0}, outer = {0}, shells = {0};
    for (int i = 0; i < 4; i++) {
        models_point(&inner, corners[i][0], corners[i][1], corners[i][2]);
        models_point(&outer, corners[i][0], corners[i][1], corners[i][2]);
        models_point(&shells, corners[i][0], corners[i][1], corners[i][2]);
    }
    for (uint32_t i = 0; i < 4; i++) {
        models_point(&outer, roofs[i][0], roofs[i][1], roofs[i][2]);
        models_point(&shells, roofs[i][0], roofs[i][1], roofs[i][2]);
        models_triangle(&inner, faces[i][0], faces[i][1], faces[i][2]);
        models_triangle(&shells, faces[i][0], faces[i][1], faces[i][2]);
        for (int k = 0; k < 3; k++) {
            models_triangle(&outer, faces[i][k], faces[i][(k + 1) % 3], 4 + i);
            models_triangle(&shells, faces[i][k], faces[i][(k + 1) % 3], 4 + i);
        }
    }
    relate_meshes(*state, &inner, &outer, TUMBLE_RELATION_CROSSING, "roofs");
    relate_meshes(*state, &inner, &shells, TUMBLE_RELATION_TOUCHING, "roofs with floors");
    relate_meshes(*state, &inner, &inner, TUMBLE_RELATION_CROSSING, "the same");
    models_free(&inner);
    models_free(&outer);
    models_free(&shells);
}

static void add_tetrahedron(models_mesh *mesh, const double p[4][3])
{
    uint32_t q[4];
    for (int i = 0; i < 4; i++) {
        q[i] = models_point(mesh, p[i][0], p[i][1], p[i][2]);
    }
    for (int i = 0; i < 4; i++) {
        models_triangle(mesh, q[i], q[(i + 1) % 4], q[(i + 2) % 4]);
    }
}

/* A tip that touches a face just where one would look first: halfway between its sides. */
static void test_tip(void **state)
{
    static const double below[4][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, -4}};
    static const double tip[4][3] = {{2, 1, 0}, {1, 0, 2}, {4, 1, 2}, {2, 3, 2}};
    static const double edge[4][3] = {{0, 0, 0}, {4, 0, 0}, {2, -1, 1}, {2, -2, 1}};
    models_mesh a = {0}, b = {0};
    add_tetrahedron(&a, tip);
    add_tetrahedron(&a, edge);
    add_box(&a, -50, -50, -50, 1);
    add_box(&a, 50, 50, -50, 1);
    add_tetrahedron(&b, below);
    relate_meshes(*state, &a, &b, TUMBLE_RELATION_TOUCHING, "a tip on a face");
    models_free(&a);
    models_free(&b);
}

/* Both faces of a sheet, triangles that come twice, and triangles without area. */
static void test_odd_surfaces(void **state)
{
    test_world *w = *state;
    models_mesh box = {0}, doubled = {0}, small = {0}, point = {0}, hair = {0}, wall = {0}, sewn = {0};
    add_box(&box, 0, 0, 0, 4);
    add_box(&doubled, 0, 0, 0, 4);
    add_box(&doubled, 0, 0, 0, 4);
    add_box(&small, 1, 1, 1, 1);
    relate_meshes(w, &small, &box, TUMBLE_RELATION_A_IN_B, "a box in a box");
    relate_meshes(w, &small, &doubled, TUMBLE_RELATION_APART, "a box in one that is there twice");
    const uint32_t p = models_point(&point, 1, 1, 1);
    models_triangle(&point, p, p, p);
    relate_meshes(w, &point, &box, TUMBLE_RELATION_A_IN_B, "a point in a box");
    relate_meshes(w, &point, &small, TUMBLE_RELATION_TOUCHING, "a point on a box");
    const uint32_t q = models_point(&hair, 1.5, 1.5, 1.5), r = models_point(&hair, 3, 3, 3);
    models_triangle(&hair, q, r, r);
    relate_meshes(w, &hair, &small, TUMBLE_RELATION_CROSSING, "a hair out of a box");
    const uint32_t s = models_point(&wall, 4, 1, 1), u = models_point(&wall, 4, 2, 1), v = models_point(&wall, 5, 1, 2);
    models_triangle(&wall, s, u, v);
    relate_meshes(w, &wall, &box, TUMBLE_RELATION_TOUCHING, "an edge on a wall");
    /* a tetrahedron whose longest edge has a point between on one side: closed by a triangle without area */
    static const double points[5][3] = {{1, 1, 1}, {3, 1, 1}, {1, 3, 1}, {1, 1, 3}, {2, 1, 1}};
    static const uint32_t triangles[6][3] = {{0, 1, 2}, {0, 2, 3}, {1, 2, 3}, {0, 4, 3}, {4, 1, 3}, {0, 4, 1}};
    for (int i = 0; i < 5; i++) {
        models_point(&sewn, points[i][0], points[i][1], points[i][2]);
    }
    for (int i = 0; i < 6; i++) {
        models_triangle(&sewn, triangles[i][0], triangles[i][1], triangles[i][2]);
    }
    relate_meshes(w, &sewn, &box, TUMBLE_RELATION_A_IN_B, "sewn up");
    models_free(&box);
    models_free(&doubled);
    models_free(&small);
    models_free(&point);
    models_free(&hair);
    models_free(&wall);
    models_free(&sewn);
}

/* Parts that meet nothing, and parts that do. */
static void test_parts(void **state)
{
    test_world *w = *state;
    models_mesh box = {0}, two = {0}, three = {0}, shell = {0}, empty = {0};
    add_box(&box, 0, 0, 0, 4);
    add_box(&two, 4, 0, 0, 2); /* beside it */
    add_box(&two, 9, 0, 0, 2);
    relate_meshes(w, &box, &two, TUMBLE_RELATION_TOUCHING, "one beside, one away");
    models_append(&three, &two, NULL);
    add_box(&three, 1, 1, 1, 1);
    relate_meshes(w, &box, &three, TUMBLE_RELATION_CROSSING, "one beside, one inside");
    add_box(&shell, -8, -8, -8, 16);
    add_box(&shell, -1, -1, -1, 6);
    relate_meshes(w, &box, &shell, TUMBLE_RELATION_APART, "in a hollow");
    relate_meshes(w, &three, &shell, TUMBLE_RELATION_CROSSING, "a part in a hollow, one in a wall");
    relate_meshes(w, &box, &empty, TUMBLE_RELATION_APART, "an empty model");
    relate_meshes(w, &empty, &empty, TUMBLE_RELATION_APART, "empty models");
    models_free(&box);
    models_free(&two);
    models_free(&three);
    models_free(&shell);
}

/* ---- Models that change ---- */

static void test_changes(void **state)
{
    test_world *w = *state;
    models_mesh box = {0}, small = {0};
    add_box(&box, 0, 0, 0, 4);
    add_box(&small, 1, 1, 1, 1);
    tumble_model *a = model_of(w, &box, 3), *b = model_of(w, &small, 3), *moved = NULL;
    assert_int_equal(relate(w, a, NULL, b, NULL).relation, TUMBLE_RELATION_B_IN_A);
    const uint64_t bytes = test_info(b).total_bytes;
    models_mesh other = test_share(&small);
    for (int i = 0; i < 3; i++) {
        const double shift[3] = {i == 1 ? 20 : 0, 0, 0};
        memcpy(other.points, small.points, 3 * small.point_count * sizeof *other.points);
        other.points[0] += i == 2 ? 0.125 : 0; /* tears the corners apart that were one point */
        test_transform(&other, 1, shift);
        test_deform(w->context, b, &other, &moved);
        const tumble_relation_result found = relate(w, a, NULL, moved, NULL);
        assert_int_equal(found.relation, i == 1 ? TUMBLE_RELATION_APART : TUMBLE_RELATION_B_IN_A);
        assert_int_equal(found.closed_b, i != 2);
    }
    assert_true(test_info(b).total_bytes == bytes);
    const tumble_mesh view = models_view(&small);
    uint32_t first;
    test_assert_status(w->context, tumble_model_insert(a, &view, &first), TUMBLE_OK, "");
    assert_int_equal(relate(w, a, NULL, b, NULL).relation, TUMBLE_RELATION_TOUCHING);
    test_assert_status(w->context, tumble_model_remove(a, &first, 1), TUMBLE_OK, "");
    const tumble_relation_result open = relate(w, a, NULL, b, NULL);
    assert_true(!open.closed_a && open.relation == TUMBLE_RELATION_TOUCHING);
    tumble_model_destroy(a);
    tumble_model_destroy(b);
    tumble_model_destroy(moved);
    free(other.points);
    models_free(&box);
    models_free(&small);
}

/* Open models are apart if their boxes are: those of an edited model are as small as any. */
static void test_edited_boxes(void **state)
{
    test_world *w = *state;
    const double x = nextafter(1.1, 2), points[9] = {0.1, 0.2, 0.3, 1.1, 0.7, 0.4, 0.3, 1.7, 0.6};
    const double beside[18] = {x, 0.2, 0.3, 1.9, 0.7, 0.4, 1.3, 1.7, 0.6, 2.3, 0.1, 0.1, 2.9, 0.7, 0.4, 3.1, 1.3, 0.6};
    const uint32_t indices[6] = {0, 1, 2, 3, 4, 5};
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = points, mesh.point_count = 3, mesh.indices = indices, mesh.index_count = 3;
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = TUMBLE_HIERARCHY_RTREE;
    tumble_model *a = NULL, *b = NULL;
    assert_int_equal(tumble_model_create(w->context, &mesh, &options, &a), TUMBLE_OK);
    mesh.points = beside, mesh.point_count = 6;
    assert_int_equal(tumble_model_create(w->context, &mesh, &options, &b), TUMBLE_OK);
    mesh.indices = indices + 3;
    assert_int_equal(tumble_model_insert(b, &mesh, NULL), TUMBLE_OK);
    assert_int_equal(relate(w, a, NULL, b, NULL).relation, TUMBLE_RELATION_APART);
    assert_int_equal(relate(w, b, NULL, a, NULL).relation, TUMBLE_RELATION_APART);
    tumble_model_destroy(a);
    tumble_model_destroy(b);
}

/* ---- What it costs ---- */

static void test_costs(void **state)
{
    test_world *w = *state;
    for (size_t hierarchy = 0; hierarchy < 4; hierarchy++) {
        models_mesh mesh;
        assert_true(models_make_sized(&mesh, "sphere", 20000));
        tumble_model *a = model_of(w, &mesh, hierarchy);
        const tumble_pose inside = {{{0.3, 0, 0, 0.1}, {0, 0.3, 0, 0.2}, {0, 0, 0.3, 0.1}}};
        const tumble_pose beside = test_translation(1.3, 1.3, 1.3), away = test_translation(9, 0, 0);
        tumble_collide_options options = tumble_default_collide_options();
        const tumble_pose *poses[3] = {&inside, &beside, &away};
        options.mode = TUMBLE_FIRST;
        for (int i = 0; i < 3; i++) {
            tumble_collide_result collide;
            assert_int_equal(tumble_collide(w->query, a, NULL, a, poses[i], &options, &collide), TUMBLE_OK);
            (void)relate(w, a, NULL, a, poses[i]);
            test_allocator_fail(&w->memory, 0, 0);
            const tumble_relation_result found = relate(w, a, NULL, a, poses[i]);
            assert_int_equal(test_allocator_calls(&w->memory), 0);
            assert_int_equal(found.relation, i ? TUMBLE_RELATION_APART : TUMBLE_RELATION_B_IN_A);
            assert_true(found.counters.box_tests <= collide.counters.box_tests + (i < 2 ? 400 : 2));
            assert_true(found.counters.primitive_tests <= collide.counters.primitive_tests + (i < 2 ? 100 : 0));
        }
        tumble_model_destroy(a);
        models_free(&mesh);
    }
}

/* ---- Arguments, memory, threads ---- */

static void test_arguments(void **state)
{
    test_world *w = *state;
    models_mesh box = {0};
    add_box(&box, 0, 0, 0, 1);
    tumble_model *model = model_of(w, &box, 0);
    tumble_relation_result result;
    tumble_pose bad = tumble_pose_identity(), far = test_translation(DBL_MAX, 0, 0);
    bad.m[0][1] = 1;
    far.m[0][0] = far.m[1][1] = far.m[2][2] = 0x1p1023;
    assert_int_equal(tumble_relate(NULL, model, NULL, model, NULL, &result), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(w->context, tumble_relate(w->query, NULL, NULL, model, NULL, &result), TUMBLE_ERROR_ARGUMENT,
                       "model is null");
    test_assert_status(w->context, tumble_relate(w->query, model, NULL, NULL, NULL, &result), TUMBLE_ERROR_ARGUMENT,
                       "model is null");
    test_assert_status(w->context, tumble_relate(w->query, model, NULL, model, NULL, NULL), TUMBLE_ERROR_ARGUMENT,
                       "null");
    test_assert_status(w->context, tumble_relate(w->query, model, NULL, model, &bad, &result), TUMBLE_ERROR_POSE, "");
    test_assert_status(w->context, tumble_relate(w->query, model, NULL, model, &far, &result), TUMBLE_ERROR_NOT_FINITE,
                       "");
    assert_string_equal(tumble_relation_name(TUMBLE_RELATION_A_IN_B), "a-in-b");
    assert_string_equal(tumble_relation_name((tumble_relation)99), "unknown");
    tumble_model_destroy(model);
    models_free(&box);
}

/* The n-th allocation fails, for each n, with models that nobody has asked about. */
static void fail_each(test_world *w, const models_mesh *a, const models_mesh *b, tumble_relation expected, size_t least)
{
    for (int forever = 0; forever < 2; forever++) {
        size_t failures = 1, n = 0;
        while (failures) {
            tumble_model *model_a = model_of(w, a, 0), *model_b = model_of(w, b, 0);
            tumble_query *query;
            tumble_relation_result result;
            assert_int_equal(tumble_query_create(w->context, &query), TUMBLE_OK);
            test_allocator_fail(&w->memory, ++n, forever);
            tumble_status status = tumble_relate(query, model_a, NULL, model_b, NULL, &result);
            failures = test_allocator_failures(&w->memory);
            test_allocator_fail(&w->memory, 0, 0);
            test_assert_status(w->context, status, failures ? TUMBLE_ERROR_MEMORY : TUMBLE_OK, "out of memory for ");
            status = tumble_relate(query, model_a, NULL, model_b, NULL, &result);
            test_assert_status(w->context, status, TUMBLE_OK, "");
            assert_int_equal(result.relation, expected);
            tumble_query_destroy(query);
            tumble_model_destroy(model_a);
            tumble_model_destroy(model_b);
        }
        assert_true(n > least);
    }
}

static void test_memory(void **state)
{
    models_mesh box = {0}, two = {0}, small = {0};
    add_box(&box, 0, 0, 0, 4);
    add_box(&small, 1, 1, 1, 1);
    add_box(&two, 4, 1, 1, 2);
    add_box(&two, 7, 1, 1, 2);
    fail_each(*state, &box, &small, TUMBLE_RELATION_B_IN_A, 4);
    fail_each(*state, &box, &two, TUMBLE_RELATION_TOUCHING, 20);
    models_free(&box);
    models_free(&two);
    models_free(&small);
}

typedef struct asking {
    test_world *w;
    const tumble_model *a, *b;
    tumble_relation relation;
} asking;

static void *ask(void *user)
{
    asking *asks = user;
    tumble_query *query = NULL;
    tumble_relation_result result = {.relation = TUMBLE_RELATION_UNDEFINED};
    if (tumble_query_create(asks->w->context, &query) == TUMBLE_OK &&
        tumble_relate(query, asks->a, NULL, asks->b, NULL, &result) == TUMBLE_OK) {
        asks->relation = result.relation;
    }
    tumble_query_destroy(query);
    return NULL;
}

/* All ask for the first time. */
static void test_threads(void **state)
{
    enum {
        THREADS = 4
    };
    test_world *w = *state;
    models_mesh mesh, small = {0};
    assert_true(models_make_sized(&mesh, "sphere", 500));
    add_box(&small, 0, 0, 0, 0.125);
    for (size_t round = 0; round < test_count(10); round++) {
        tumble_model *a = model_of(w, &mesh, round), *b = model_of(w, &small, round);
        pthread_t threads[THREADS];
        asking asks[THREADS];
        for (int i = 0; i < THREADS; i++) {
            asks[i] = (asking){w, a, b, TUMBLE_RELATION_UNDEFINED};
            assert_int_equal(pthread_create(&threads[i], NULL, ask, &asks[i]), 0);
        }
        for (int i = 0; i < THREADS; i++) {
            assert_int_equal(pthread_join(threads[i], NULL), 0);
            assert_int_equal(asks[i].relation, TUMBLE_RELATION_B_IN_A);
        }
        tumble_model_destroy(a);
        tumble_model_destroy(b);
    }
    models_free(&mesh);
    models_free(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_tetrahedra), TEST_IN_WORLD(test_exact_points), TEST_IN_WORLD(test_shapes),
        TEST_IN_WORLD(test_roofs),      TEST_IN_WORLD(test_tip),          TEST_IN_WORLD(test_odd_surfaces),
        TEST_IN_WORLD(test_parts),      TEST_IN_WORLD(test_changes),      TEST_IN_WORLD(test_edited_boxes),
        TEST_IN_WORLD(test_costs),      TEST_IN_WORLD(test_arguments),    TEST_IN_WORLD(test_memory),
        TEST_IN_WORLD(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
