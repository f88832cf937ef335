/* How models lie to each other, against two truths: solids made of cubes, whose relation follows from counting cubes,
 * and rays in rational arithmetic. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "moving.h"
#include "oracle.h"
#include "tree/topology.h"

static tumble_relation_result relate(test_world *w, const tumble_model *a, const tumble_pose *pose_a,
                                     const tumble_model *b, const tumble_pose *pose_b)
{
    tumble_relation_result result = {.size = sizeof result};
    test_assert_status(w->context, tumble_relate(w->query, a, pose_a, b, pose_b, &result), TUMBLE_OK, "");
    assert_true(result.relation != TUMBLE_RELATION_TOUCHING || result.surfaces_meet);
    assert_true(!result.surfaces_meet || result.relation == TUMBLE_RELATION_TOUCHING ||
                result.relation == TUMBLE_RELATION_CROSSING);
    return result;
}

static tumble_relation exchanged(tumble_relation relation)
{
    return relation == TUMBLE_RELATION_A_IN_B   ? TUMBLE_RELATION_B_IN_A
           : relation == TUMBLE_RELATION_B_IN_A ? TUMBLE_RELATION_A_IN_B
                                                : relation;
}

/* ---- Solids of cubes ----
 *
 * Cubes of side 2 stand on whole coordinates, so that those of two solids can be half a cube apart. The truth is told
 * by cells of side 1. An affine map of whole numbers changes no relation, and makes all planes oblique. */

enum {
    CUBES = 4,             /* along an axis */
    CELLS = 2 * CUBES + 8, /* with room to shift */
    POINTS = CELLS + 1
};

typedef struct cubes {
    uint8_t full[CUBES][CUBES][CUBES];
    int shift[3];
} cubes;

typedef struct cells {
    uint8_t full[CELLS][CELLS][CELLS];
    uint8_t surface[POINTS][POINTS][POINTS];  /* at points */
    uint8_t walls[3][POINTS][POINTS][POINTS]; /* unit squares of the surface across each axis, by their lowest point */
} cells;

static int cube_at(const cubes *c, int x, int y, int z)
{
    const int inside = x >= 0 && y >= 0 && z >= 0 && x < CUBES && y < CUBES && z < CUBES;
    return inside && c->full[x][y][z];
}

/* A square of side 2 below a cube's place, across an axis. */
typedef struct square {
    int axis, at[3]; /* the cube */
    int from_below;  /* the solid is below */
} square;

static int next_square(const cubes *c, square *s, int *state)
{
    for (; *state < 3 * (CUBES + 1) * (CUBES + 1) * (CUBES + 1); ++*state) {
        const int n = CUBES + 1, rest = *state / 3;
        *s = (square){.axis = *state % 3, .at = {rest % n, rest / n % n, rest / n / n}};
        const int *p = s->at;
        const int above = cube_at(c, p[0], p[1], p[2]);
        const int below = cube_at(c, p[0] - (s->axis == 0), p[1] - (s->axis == 1), p[2] - (s->axis == 2));
        if (above != below) {
            s->from_below = below;
            ++*state;
            return 1;
        }
    }
    return 0;
}

static void square_corner(const cubes *c, const square *s, int i, int j, int out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = 2 * s->at[k] + c->shift[k];
    }
    out[(s->axis + 1) % 3] += i;
    out[(s->axis + 2) % 3] += j;
}

/* `keep` tells which squares there are; null: all. */
static void mark_cells(const cubes *c, const uint8_t *keep, cells *out)
{
    square s;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < 8 * CUBES * CUBES * CUBES; i++) {
        const int x = i % (2 * CUBES), y = i / (2 * CUBES) % (2 * CUBES), z = i / (4 * CUBES * CUBES);
        if (c->full[x / 2][y / 2][z / 2]) {
            out->full[x + c->shift[0]][y + c->shift[1]][z + c->shift[2]] = 1;
        }
    }
    size_t number = 0;
    for (int state = 0; next_square(c, &s, &state); number++) {
        for (int i = 0; i < 9 && (!keep || keep[number]); i++) {
            int p[3];
            square_corner(c, &s, i % 3, i / 3, p);
            out->surface[p[0]][p[1]][p[2]] = 1;
            if (i % 3 < 2 && i / 3 < 2) {
                out->walls[s.axis][p[0]][p[1]][p[2]] = 1;
            }
        }
    }
}

typedef struct counts {
    size_t a, b, both, meet, walls_a_in_b, walls_b_in_a;
} counts;

static int is_full(const cells *c, int x, int y, int z)
{
    const int in = x >= 0 && y >= 0 && z >= 0 && x < CELLS && y < CELLS && z < CELLS;
    return in && c->full[x][y][z];
}

static int wall_is_inside(const cells *walls, const cells *solid, int axis, int x, int y, int z)
{
    return walls->walls[axis][x][y][z] && is_full(solid, x, y, z) &&
           is_full(solid, x - (axis == 0), y - (axis == 1), z - (axis == 2));
}

static counts count_cells(const cells *a, const cells *b)
{
    counts n = {0};
    for (int i = 0; i < POINTS * POINTS * POINTS; i++) {
        const int x = i % POINTS, y = i / POINTS % POINTS, z = i / POINTS / POINTS;
        n.meet += a->surface[x][y][z] & b->surface[x][y][z];
        n.a += (size_t)is_full(a, x, y, z);
        n.b += (size_t)is_full(b, x, y, z);
        n.both += (size_t)(is_full(a, x, y, z) && is_full(b, x, y, z));
        for (int axis = 0; axis < 3; axis++) {
            n.walls_a_in_b += (size_t)wall_is_inside(a, b, axis, x, y, z);
            n.walls_b_in_a += (size_t)wall_is_inside(b, a, axis, x, y, z);
        }
    }
    return n;
}

static tumble_relation relation_of_solids(const counts *n)
{
    if (n->meet) {
        return n->both ? TUMBLE_RELATION_CROSSING : TUMBLE_RELATION_TOUCHING;
    }
    if (!n->both) {
        return TUMBLE_RELATION_APART;
    }
    return n->both == n->a   ? TUMBLE_RELATION_A_IN_B
           : n->both == n->b ? TUMBLE_RELATION_B_IN_A
                             : TUMBLE_RELATION_CROSSING;
}

/* ---- Their meshes ---- */

/* Also multiplied by a power of two, up to where determinants over- or underflow, and moved as by a pose. */
typedef struct oblique {
    int m[3][3], shift[3];
    int exponent;
} oblique;

static oblique random_oblique(test_random *random)
{
    static const int exponents[] = {0, 0, 0, 0, 0, -30, 600, 1010, -600, -1072};
    oblique o = {.m = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .exponent = exponents[test_random_whole(random, 0, 9)]};
    for (int i = test_random_whole(random, 0, 3); i > 0; i--) {
        const int row = test_random_whole(random, 0, 2), other = (row + test_random_whole(random, 1, 2)) % 3;
        const int factor = test_random_whole(random, -2, 2);
        for (int k = 0; k < 3; k++) {
            o.m[row][k] += factor * o.m[other][k];
        }
    }
    return o;
}

static uint32_t oblique_point(models_mesh *mesh, const oblique *o, const int p[3])
{
    double x[3];
    for (int k = 0; k < 3; k++) {
        x[k] = ldexp(o->m[k][0] * p[0] + o->m[k][1] * p[1] + o->m[k][2] * p[2] - o->shift[k], o->exponent);
    }
    return models_point(mesh, x[0], x[1], x[2]);
}

/* Any diagonal, sometimes four triangles around a point anywhere within, sometimes a polygon; any orientation. */
static void add_square(models_mesh *mesh, test_random *random, const oblique *o, const cubes *c, const square *s)
{
    static const int corners[4][2] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
    const int first = test_random_whole(random, 0, 3), turned = test_random_chance(random, 0.5);
    uint32_t q[4];
    for (int i = 0; i < 4; i++) {
        const int *at = corners[(first + (turned ? 4 - i : i)) % 4];
        int p[3];
        square_corner(c, s, at[0], at[1], p);
        q[i] = oblique_point(mesh, o, p);
    }
    const double kind = test_random_unit(random);
    if (kind < 0.1) {
        models_quad(mesh, q[0], q[1], q[2], q[3]);
    } else if (kind < 0.8) {
        models_triangle(mesh, q[0], q[1], q[2]);
        models_triangle(mesh, q[0], q[2], q[3]);
    } else {
        int p[3];
        square_corner(c, s, 1, 1, p);
        const uint32_t middle = oblique_point(mesh, o, p);
        for (int i = 0; i < 4; i++) {
            models_triangle(mesh, q[i], q[(i + 1) % 4], middle);
        }
    }
}

static void make_solid(models_mesh *mesh, test_random *random, const oblique *o, const cubes *c, const uint8_t *keep)
{
    square s;
    size_t number = 0;
    for (int state = 0; next_square(c, &s, &state); number++) {
        if (!keep || keep[number]) {
            add_square(mesh, random, o, c, &s);
        }
    }
    assert_false(mesh->failed);
}

/* ---- Random solids ---- */

static void fill_random(test_random *random, cubes *c)
{
    const double density = test_random_range(random, 0.02, 0.9);
    int lower[3], upper[3];
    memset(c->full, 0, sizeof c->full);
    for (int k = 0; k < 3; k++) {
        lower[k] = test_random_whole(random, 0, CUBES - 1);
        upper[k] = test_random_whole(random, lower[k], CUBES - 1);
    }
    for (int i = 0; i < CUBES * CUBES * CUBES; i++) {
        const int p[3] = {i % CUBES, i / CUBES % CUBES, i / CUBES / CUBES};
        const int in = p[0] >= lower[0] && p[0] <= upper[0] && p[1] >= lower[1] && p[1] <= upper[1] &&
                       p[2] >= lower[2] && p[2] <= upper[2];
        c->full[p[0]][p[1]][p[2]] = (uint8_t)(in && test_random_chance(random, density));
    }
    c->full[lower[0]][lower[1]][lower[2]] = 1;
}

/* A block, with a hollow or not. */
static void fill_block(test_random *random, cubes *c)
{
    const int size = test_random_whole(random, 1, CUBES), hollow = test_random_chance(random, 0.5);
    memset(c->full, 0, sizeof c->full);
    for (int i = 0; i < CUBES * CUBES * CUBES; i++) {
        const int p[3] = {i % CUBES, i / CUBES % CUBES, i / CUBES / CUBES};
        int in = 1, core = hollow;
        for (int k = 0; k < 3; k++) {
            in &= p[k] < size;
            core &= p[k] > 0 && p[k] < size - 1;
        }
        c->full[p[0]][p[1]][p[2]] = (uint8_t)(in && !core);
    }
}

static void random_cubes(test_random *random, cubes *c)
{
    if (test_random_chance(random, 0.5)) {
        fill_random(random, c);
    } else {
        fill_block(random, c);
    }
    for (int k = 0; k < 3; k++) {
        c->shift[k] = 4 + test_random_whole(random, -4, 4);
        if (test_random_chance(random, 0.7)) {
            c->shift[k] = 4 + 2 * test_random_whole(random, -1, 1);
        }
    }
}

/* Small and large cubes of CUBES, about each other: the one inside, or in a hollow, or on a wall. */
static void nested_cubes(test_random *random, cubes *inner, cubes *outer)
{
    memset(inner->full, 0, sizeof inner->full);
    memset(outer->full, 1, sizeof outer->full);
    inner->full[0][0][0] = 1;
    if (test_random_chance(random, 0.3)) {
        inner->full[CUBES - 1][CUBES - 1][CUBES - 1] = 1;
    }
    for (int i = 0; i < 8 && test_random_chance(random, 0.5); i++) {
        outer->full[1 + i % 2][1 + i / 2 % 2][1 + i / 4] = 0;
    }
    for (int k = 0; k < 3; k++) {
        outer->shift[k] = 2;
        inner->shift[k] = test_random_whole(random, 2, 7);
    }
}

static const tumble_hierarchy hierarchies[] = {TUMBLE_HIERARCHY_WIDE, TUMBLE_HIERARCHY_BOXTREE, TUMBLE_HIERARCHY_KDOP,
                                               TUMBLE_HIERARCHY_RTREE, TUMBLE_HIERARCHY_BRUTE};

static tumble_model *model_of(test_world *w, const models_mesh *mesh, size_t hierarchy)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = hierarchies[hierarchy % 5];
    return test_model(w->context, mesh, &options);
}

typedef struct tally {
    size_t relations[6], without_meeting;
} tally;

static void expect(const tumble_relation_result *found, tumble_relation expected, size_t round, const char *what)
{
    if (found->relation != expected) {
        fail_msg("round %zu, %s: %s instead of %s", round, what, tumble_relation_name(found->relation),
                 tumble_relation_name(expected));
    }
}

typedef struct cube_case {
    cubes a, b;
    cells cells_a, cells_b;
    models_mesh mesh_a, mesh_b;
    tumble_model *a_model, *b_model;
    tumble_pose pose; /* of B */
} cube_case;

/* Squares that are kept of each; null: all. B's points are shifted, and the pose brings them back. */
static void make_case(test_world *w, test_random *random, size_t round, const uint8_t *keep_a, const uint8_t *keep_b,
                      cube_case *c)
{
    oblique o = random_oblique(random);
    c->mesh_a = c->mesh_b = (models_mesh){0};
    mark_cells(&c->a, keep_a, &c->cells_a);
    mark_cells(&c->b, keep_b, &c->cells_b);
    make_solid(&c->mesh_a, random, &o, &c->a, keep_a);
    double shift[3];
    for (int k = 0; k < 3; k++) {
        o.shift[k] = test_random_whole(random, -9, 9) * (o.exponent < 1000);
        shift[k] = ldexp(o.shift[k], o.exponent);
    }
    c->pose = test_translation(shift[0], shift[1], shift[2]);
    make_solid(&c->mesh_b, random, &o, &c->b, keep_b);
    c->a_model = model_of(w, &c->mesh_a, round);
    c->b_model = model_of(w, &c->mesh_b, round + round / 5 % 2);
}

static void free_case(cube_case *c)
{
    tumble_model_destroy(c->a_model);
    tumble_model_destroy(c->b_model);
    models_free(&c->mesh_a);
    models_free(&c->mesh_b);
}

static cube_case *new_case(test_random *random, size_t round)
{
    cube_case *c = calloc(1, sizeof *c);
    assert_non_null(c);
    if (round % 4 == 0) {
        nested_cubes(random, round % 8 ? &c->a : &c->b, round % 8 ? &c->b : &c->a);
    } else {
        random_cubes(random, &c->a);
        random_cubes(random, &c->b);
    }
    return c;
}

static void check_cubes(test_world *w, test_random *random, size_t round, tally *t)
{
    cube_case *c = new_case(random, round);
    make_case(w, random, round, NULL, NULL, c);
    const counts n = count_cells(&c->cells_a, &c->cells_b);
    const tumble_relation expected = relation_of_solids(&n);
    const tumble_relation_result found = relate(w, c->a_model, NULL, c->b_model, &c->pose);
    assert_true(found.closed_a && found.closed_b);
    assert_int_equal(found.surfaces_meet, n.meet > 0);
    expect(&found, expected, round, "solids");
    const tumble_relation_result back = relate(w, c->b_model, &c->pose, c->a_model, NULL);
    expect(&back, exchanged(expected), round, "solids exchanged");
    t->relations[expected]++;
    t->without_meeting += expected == TUMBLE_RELATION_CROSSING && !n.meet;
    free_case(c);
    free(c);
}

static void test_cubes(void **state)
{
    test_random random = {1};
    tally t = {0};
    for (size_t round = 0; round < test_count(1500); round++) {
        check_cubes(*state, &random, round, &t);
    }
    print_message("apart %zu, touching %zu, crossing %zu (%zu without meeting), in %zu and %zu\n", t.relations[0],
                  t.relations[1], t.relations[2], t.without_meeting, t.relations[3], t.relations[4]);
    if (test_effort() >= 1) {
        for (size_t i = 0; i < TUMBLE_RELATION_UNDEFINED; i++) {
            assert_true(t.relations[i] >= 10);
        }
        assert_true(t.without_meeting >= 5);
    }
}

/* ---- Solids with squares missing: A, or both ---- */

enum {
    SQUARES_MOST = 3 * (CUBES + 1) * (CUBES + 1) * (CUBES + 1)
};

static size_t drop_squares(const cubes *c, test_random *random, uint8_t *keep)
{
    const double share = test_random_range(random, 0.5, 1);
    size_t count = 0, kept = 0;
    square s;
    for (int state = 0; next_square(c, &s, &state); count++) {
        keep[count] = (uint8_t)test_random_chance(random, share);
        kept += keep[count];
    }
    keep[0] = 0;
    keep[1] = 1;
    return kept;
}

static int boxes_apart(const tumble_model *a, const tumble_model *b, const tumble_pose *pose)
{
    const tumble_model_info info_a = test_info(a), info_b = test_info(b);
    int apart = 0;
    for (int k = 0; k < 3; k++) {
        apart |= info_a.lower[k] > info_b.upper[k] + pose->m[k][3] || info_a.upper[k] < info_b.lower[k] + pose->m[k][3];
    }
    return apart;
}

/* All squares of A are inside of B, some, or none. */
static tumble_relation relation_of_open(const cube_case *c, const counts *n, size_t unit_squares)
{
    if (n->meet) {
        return n->walls_a_in_b ? TUMBLE_RELATION_CROSSING : TUMBLE_RELATION_TOUCHING;
    }
    if (n->walls_a_in_b) {
        return n->walls_a_in_b == unit_squares ? TUMBLE_RELATION_A_IN_B : TUMBLE_RELATION_CROSSING;
    }
    return boxes_apart(c->a_model, c->b_model, &c->pose) ? TUMBLE_RELATION_APART : TUMBLE_RELATION_UNDEFINED;
}

static size_t count_walls(const cells *c)
{
    size_t count = 0;
    for (size_t i = 0; i < sizeof c->walls; i++) {
        count += ((const uint8_t *)c->walls)[i];
    }
    return count;
}

static void check_open(test_world *w, test_random *random, size_t round, tally *t)
{
    uint8_t keep[SQUARES_MOST];
    cube_case *c = new_case(random, round);
    drop_squares(&c->a, random, keep);
    make_case(w, random, round, keep, NULL, c);
    const counts n = count_cells(&c->cells_a, &c->cells_b);
    const tumble_relation expected = relation_of_open(c, &n, count_walls(&c->cells_a));
    const tumble_relation_result found = relate(w, c->a_model, NULL, c->b_model, &c->pose);
    assert_true(!found.closed_a && found.closed_b);
    assert_int_equal(found.surfaces_meet, n.meet > 0);
    expect(&found, expected, round, "one open");
    const tumble_relation_result back = relate(w, c->b_model, &c->pose, c->a_model, NULL);
    expect(&back, exchanged(expected), round, "one open, exchanged");
    t->relations[expected]++;
    free_case(c);
    free(c);
}

/* Squares whose sides lie on whole cubes pass through each other nowhere. */
static void check_both_open(test_world *w, test_random *random, size_t round)
{
    uint8_t keep_a[SQUARES_MOST], keep_b[SQUARES_MOST];
    cube_case *c = new_case(random, round);
    for (int k = 0; k < 3; k++) {
        c->a.shift[k] &= ~1;
        c->b.shift[k] &= ~1;
    }
    drop_squares(&c->a, random, keep_a);
    drop_squares(&c->b, random, keep_b);
    make_case(w, random, round, keep_a, keep_b, c);
    const counts n = count_cells(&c->cells_a, &c->cells_b);
    const tumble_relation_result found = relate(w, c->a_model, NULL, c->b_model, &c->pose);
    assert_true(!found.closed_a && !found.closed_b);
    expect(&found,
           n.meet                                          ? TUMBLE_RELATION_TOUCHING
           : boxes_apart(c->a_model, c->b_model, &c->pose) ? TUMBLE_RELATION_APART
                                                           : TUMBLE_RELATION_UNDEFINED,
           round, "both open");
    free_case(c);
    free(c);
}

static void test_open(void **state)
{
    test_random random = {2};
    tally t = {0};
    for (size_t round = 0; round < test_count(700); round++) {
        check_open(*state, &random, round, &t);
        if (round % 4 == 0) {
            check_both_open(*state, &random, round / 4);
        }
    }
    print_message("apart %zu, touching %zu, crossing %zu, in %zu, undefined %zu\n", t.relations[0], t.relations[1],
                  t.relations[2], t.relations[3], t.relations[5]);
    if (test_effort() >= 1) {
        assert_true(t.relations[0] > 9 && t.relations[1] > 9 && t.relations[2] > 9 && t.relations[3] > 9 &&
                    t.relations[5] > 9);
    }
}

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
    for (size_t round = 0; round < test_count(6000); round++) {
        const int size = 2 + (int)(round % 3), large = round % 16 == 0 ? 12 : 0;
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
        assert_true(t.relations[0] > 9 && t.relations[1] > 99 && t.relations[2] > 99 && t.relations[4] > 9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_cubes), TEST_IN_WORLD(test_open),
                                       TEST_IN_WORLD(test_tetrahedra)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
