/* The spatial relation of models, against solids made of cubes, whose relation follows from counting cubes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "prim/triangle.h"
#include "relate/cells.h"
#include "relating.h"

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
    double factor; /* a whole number with which quotients do not come out even; 0: 1 */
} oblique;

static oblique random_oblique(test_random *random)
{
    static const int exponents[] = {0, 0, 0, 0, 0, -30, 600, 1010, -600, -1072};
    oblique o = {.m = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .exponent = exponents[test_random_whole(random, 0, 9)]};
    o.factor = abs(o.exponent) <= 600 && test_random_chance(random, 0.5) ? 122949823 : 1;
    for (int i = test_random_whole(random, 0, 3); i > 0; i--) {
        const int row = test_random_whole(random, 0, 2), other = (row + test_random_whole(random, 1, 2)) % 3;
        const int factor = test_random_whole(random, -3, 3);
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
        x[k] = o->m[k][0] * p[0] + o->m[k][1] * p[1] + o->m[k][2] * p[2] - o->shift[k];
        x[k] = ldexp(x[k] * (o->factor > 0 ? o->factor : 1), o->exponent);
    }
    return models_point(mesh, x[0], x[1], x[2]);
}

static int no_quads;

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
    if (kind < 0.1 && !no_quads) {
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
        shift[k] = ldexp(o.shift[k] * (o.factor > 0 ? o.factor : 1), o.exponent);
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
    for (size_t round = 0; round < test_count(1000); round++) {
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
    for (size_t round = 0; round < test_count(500); round++) {
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

/* ---- The pieces of single triangles ---- */

/* Everything as a query has it, for models without quads: polygons are triangles. */
typedef struct pieces {
    cube_case *c;
    models_mesh whole_a, whole_b; /* in whole coordinates, with the same triangles */
    tmb_relating relating;
    tmb_sort_item *items;
} pieces;

/* The same random numbers make the same triangles. */
static void make_whole(test_random random, const cubes *c, models_mesh *mesh)
{
    const oblique straight = {.m = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    *mesh = (models_mesh){0};
    make_solid(mesh, &random, &straight, c, NULL);
}

static int is_above(const double p[2], const double q[2], const double r[2])
{
    const double turn = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
    return (turn > 0) - (turn < 0);
}

/* Points that are in the middles of eighths of unit squares: whether they are in a triangle across an axis. */
static int has_point(double t[3][3], int axis, double x, double y)
{
    double flat[3][2];
    for (int i = 0; i < 3; i++) {
        flat[i][0] = t[i][(axis + 1) % 3], flat[i][1] = t[i][(axis + 2) % 3];
    }
    const double p[2] = {x, y};
    const int turn = is_above(flat[0], flat[1], flat[2]);
    return is_above(flat[0], flat[1], p) == turn && is_above(flat[1], flat[2], p) == turn &&
           is_above(flat[2], flat[0], p) == turn;
}

/* Whether a piece of a triangle is inside of a solid; or also on its surface, with a cell of both solids next to it. */
static int expect_inside(const models_mesh *whole, size_t triangle, const cells *own, const cells *other, int also_both)
{
    double t[3][3];
    int axis = 0, least[3];
    for (int i = 0; i < 9; i++) {
        t[i / 3][i % 3] = whole->points[3 * whole->indices[3 * triangle + (size_t)i / 3] + (size_t)i % 3];
    }
    for (int k = 0; k < 3; k++) {
        least[k] = (int)fmin(fmin(t[0][k], t[1][k]), t[2][k]);
        axis = t[0][k] == t[1][k] && t[0][k] == t[2][k] ? k : axis;
    }
    for (int i = 0; i < 16; i++) {
        int p[3] = {least[0], least[1], least[2]};
        const double shift[4][2] = {{0.5, 0.1}, {0.5, 0.9}, {0.1, 0.5}, {0.9, 0.5}};
        p[(axis + 1) % 3] += i / 8;
        p[(axis + 2) % 3] += i / 4 % 2;
        if (!has_point(t, axis, p[(axis + 1) % 3] + shift[i % 4][0], p[(axis + 2) % 3] + shift[i % 4][1])) {
            continue;
        }
        const int below[3] = {p[0] - (axis == 0), p[1] - (axis == 1), p[2] - (axis == 2)};
        const int other_above = is_full(other, p[0], p[1], p[2]),
                  other_below = is_full(other, below[0], below[1], below[2]);
        if ((other_above && other_below) ||
            (also_both && ((other_above && is_full(own, p[0], p[1], p[2])) ||
                           (other_below && is_full(own, below[0], below[1], below[2]))))) {
            return 1;
        }
    }
    return 0;
}

/* Fills a group with what a triangle meets; 0 when it passes through something. */
static int find_group(pieces *x, int which, uint32_t own, tmb_meeting_group *group)
{
    const tmb_solid *solid = &x->relating.solid[which], *other = &x->relating.solid[1 - which];
    double a[3][3], b[3][3];
    *group = (tmb_meeting_group){.which = which, .own = own, .items = x->items};
    tmb_solid_corners(solid, own, a);
    for (uint32_t i = 0; i < other->model->block->cluster_count * TMB_CLUSTER_TRIANGLES; i++) {
        if (i % 8 >= tmb_cluster_triangle_count(other->model->places + i / 8)) {
            continue;
        }
        tmb_solid_corners(other, i, b);
        if (tmb_triangles_pass_through((const double(*)[3])a, (const double(*)[3])b)) {
            return 0;
        }
        if (tmb_triangles_intersect((const double(*)[3])a, (const double(*)[3])b, NULL)) {
            x->items[group->count++].key = i;
        }
    }
    return group->count > 0;
}

/* Corners that are not on the other surface; half of the time nothing is told of them. */
static int has_corner_inside(const pieces *x, const tmb_meeting_group *group, int *has_free_corner)
{
    const tmb_solid *other = &x->relating.solid[1 - group->which];
    double a[3][3], b[3][3];
    tumble_counters counters = {0};
    tmb_solid_corners(&x->relating.solid[group->which], group->own, a);
    for (int i = 0; i < 3 && group->own % 2; i++) {
        const double point[3][3] = {
            {a[i][0], a[i][1], a[i][2]}, {a[i][0], a[i][1], a[i][2]}, {a[i][0], a[i][1], a[i][2]}};
        int is_free = 1;
        for (size_t j = 0; j < group->count; j++) {
            tmb_solid_corners(other, (uint32_t)group->items[j].key, b);
            is_free &= !tmb_triangles_intersect(point, (const double(*)[3])b, NULL);
        }
        if (is_free && tmb_is_inside(other, a[i], &counters)) {
            return 1;
        }
        *has_free_corner |= is_free;
    }
    return 0;
}

/* Returns how many triangles were looked at that have a piece inside; *without: and how many that have none. */
static size_t check_pieces(pieces *x, int which, size_t round, size_t *without)
{
    const tumble_model *model = x->relating.solid[which].model;
    const cells *own = which ? &x->c->cells_b : &x->c->cells_a, *other = which ? &x->c->cells_a : &x->c->cells_b;
    size_t with = 0;
    for (uint32_t i = 0; i < model->block->cluster_count * TMB_CLUSTER_TRIANGLES; i++) {
        tmb_meeting_group group;
        int has_free_corner = 0;
        if (i % 8 >= tmb_cluster_triangle_count(model->places + i / 8) || !find_group(x, which, i, &group)) {
            continue;
        }
        const int expected =
            expect_inside(which ? &x->whole_b : &x->whole_a, tmb_model_polygon(model, i), own, other, which == 0);
        const int found =
            has_corner_inside(x, &group, &has_free_corner) || tmb_cell_is_inside(&x->relating, &group, has_free_corner);
        if (found != expected) {
            fail_msg("round %zu: triangle %u of %s has %s piece inside", round, tmb_model_polygon(model, i),
                     which ? "B" : "A", expected ? "a" : "no");
        }
        with += (size_t)expected;
        *without += !expected;
    }
    return with;
}

static void test_pieces(void **state)
{
    test_world *w = *state;
    test_random random = {5};
    size_t with = 0, without = 0;
    no_quads = 1;
    for (size_t round = 0; round < test_count(150); round++) {
        pieces x = {.c = new_case(&random, round)};
        oblique o = random_oblique(&random);
        o.exponent = 0;
        const test_random random_a = random;
        make_solid(&x.c->mesh_a, &random, &o, &x.c->a, NULL);
        const test_random random_b = random;
        make_solid(&x.c->mesh_b, &random, &o, &x.c->b, NULL);
        make_whole(random_a, &x.c->a, &x.whole_a);
        make_whole(random_b, &x.c->b, &x.whole_b);
        mark_cells(&x.c->a, NULL, &x.c->cells_a);
        mark_cells(&x.c->b, NULL, &x.c->cells_b);
        x.c->a_model = model_of(w, &x.c->mesh_a, round);
        x.c->b_model = model_of(w, &x.c->mesh_b, round);
        x.relating = (tmb_relating){.query = w->query, .relative = tumble_pose_identity()};
        assert_int_equal(tmb_topology_of(x.c->a_model, &x.relating.topology[0]), TUMBLE_OK);
        assert_int_equal(tmb_topology_of(x.c->b_model, &x.relating.topology[1]), TUMBLE_OK);
        x.relating.solid[0] = tmb_solid_of(x.c->a_model, NULL);
        x.relating.solid[1] = tmb_solid_of(x.c->b_model, &x.relating.relative);
        x.items = calloc(x.c->mesh_a.polygon_count + x.c->mesh_b.polygon_count, sizeof *x.items);
        with += check_pieces(&x, 0, round, &without);
        with += check_pieces(&x, 1, round, &without);
        free(x.items);
        free_case(x.c);
        free(x.c);
        models_free(&x.whole_a);
        models_free(&x.whole_b);
    }
    no_quads = 0;
    print_message("%zu triangles with a piece inside, %zu without\n", with, without);
    assert_true(test_effort() < 1 || (with > 100 && without > 100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_cubes), TEST_IN_WORLD(test_open), TEST_IN_WORLD(test_pieces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
