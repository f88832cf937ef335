/* How models lie to each other, against two truths: solids made of cubes, whose relation follows from counting cubes,
 * and rays in rational arithmetic. */
#include <float.h>
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

typedef struct oblique {
    int m[3][3];
} oblique;

static oblique random_oblique(test_random *random)
{
    oblique o = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
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
        x[k] = o->m[k][0] * p[0] + o->m[k][1] * p[1] + o->m[k][2] * p[2];
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

static void check_cubes(test_world *w, test_random *random, size_t round, tally *t)
{
    static cubes a, b;
    static cells cells_a, cells_b;
    const oblique o = random_oblique(random);
    models_mesh mesh_a = {0}, mesh_b = {0};
    if (round % 4 == 0) {
        nested_cubes(random, round % 8 ? &a : &b, round % 8 ? &b : &a);
    } else {
        random_cubes(random, &a);
        random_cubes(random, &b);
    }
    mark_cells(&a, NULL, &cells_a);
    mark_cells(&b, NULL, &cells_b);
    make_solid(&mesh_a, random, &o, &a, NULL);
    make_solid(&mesh_b, random, &o, &b, NULL);
    tumble_model *model_a = model_of(w, &mesh_a, round), *model_b = model_of(w, &mesh_b, round + round / 5 % 2);
    const counts n = count_cells(&cells_a, &cells_b);
    const tumble_relation expected = relation_of_solids(&n);
    const tumble_relation_result found = relate(w, model_a, NULL, model_b, NULL);
    assert_true(found.closed_a && found.closed_b);
    assert_int_equal(found.surfaces_meet, n.meet > 0);
    expect(&found, expected, round, "solids");
    const tumble_relation_result back = relate(w, model_b, NULL, model_a, NULL);
    expect(&back, exchanged(expected), round, "solids exchanged");
    t->relations[expected]++;
    t->without_meeting += expected == TUMBLE_RELATION_CROSSING && !n.meet;
    tumble_model_destroy(model_a);
    tumble_model_destroy(model_b);
    models_free(&mesh_a);
    models_free(&mesh_b);
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

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_cubes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
