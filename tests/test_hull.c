/* Hulls. Of a few points: vertices and edges against those that brute force finds in integers of any length. Of many:
 * no point lies beyond the hull in any of many directions. For sets of every kind, in any order of the points, and when
 * memory runs out. */
#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hull_sets.h"
#include "math/along.h"
#include "math/bigint.h"
#include "scenes.h"

/* ---- The truth, by brute force ---- */

enum {
    FEW = 60
};

/* The points as whole numbers of a common unit, and the faces of their hull as sets of points. */
typedef struct truth {
    mpz_t points[FEW][3];
    mpz_t rows[3][3], left, right, sum;
    size_t count;
    int dimensions;
    uint64_t *faces; /* of one dimension less */
    size_t face_count;
    uint64_t same[FEW]; /* the points that are equal to a point */
    uint64_t vertices;
} truth;

static void truth_begin(truth *t)
{
    memset(t, 0, sizeof *t);
    for (int i = 0; i < 3 * FEW; i++) {
        mpz_init(t->points[i / 3][i % 3]);
    }
    for (int i = 0; i < 9; i++) {
        mpz_init(t->rows[i / 3][i % 3]);
    }
    mpz_inits(t->left, t->right, t->sum, NULL);
    t->faces = malloc(sizeof *t->faces * FEW * FEW * FEW);
}

static void truth_end(truth *t)
{
    for (int i = 0; i < 3 * FEW; i++) {
        mpz_clear(t->points[i / 3][i % 3]);
    }
    for (int i = 0; i < 9; i++) {
        mpz_clear(t->rows[i / 3][i % 3]);
    }
    mpz_clears(t->left, t->right, t->sum, NULL);
    free(t->faces);
}

static void set_points(truth *t, const double (*points)[3], size_t count)
{
    int unit = 1024;
    for (size_t i = 0; i < 3 * count; i++) {
        const double value = points[i / 3][i % 3];
        unit = value != 0 && tmb_double_exponent(value) < unit ? tmb_double_exponent(value) : unit;
    }
    for (size_t i = 0; i < 3 * count; i++) {
        int exponent;
        const double mantissa = frexp(points[i / 3][i % 3], &exponent);
        mpz_set_d(t->points[i / 3][i % 3], ldexp(mantissa, 53));
        if (mantissa != 0) {
            const int shift = exponent - 53 - unit;
            (shift < 0 ? mpz_tdiv_q_2exp : mpz_mul_2exp)(t->points[i / 3][i % 3], t->points[i / 3][i % 3],
                                                         (mp_bitcnt_t)abs(shift));
        }
    }
    t->count = count;
}

static void set_row(truth *t, int row, size_t from, size_t to)
{
    for (int k = 0; k < 3; k++) {
        mpz_sub(t->rows[row][k], t->points[to][k], t->points[from][k]);
    }
}

/* left = component k of the cross product of the first two rows */
static void cross_component(truth *t, int k)
{
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    mpz_mul(t->left, t->rows[0][i], t->rows[1][j]);
    mpz_mul(t->right, t->rows[0][j], t->rows[1][i]);
    mpz_sub(t->left, t->left, t->right);
}

static int side_of_plane(truth *t, size_t a, size_t b, size_t c, size_t d)
{
    set_row(t, 0, a, b);
    set_row(t, 1, a, c);
    set_row(t, 2, a, d);
    mpz_set_ui(t->sum, 0);
    for (int k = 0; k < 3; k++) {
        cross_component(t, k);
        mpz_addmul(t->sum, t->left, t->rows[2][k]);
    }
    return mpz_sgn(t->sum);
}

static int is_line(truth *t, size_t a, size_t b, size_t c, int *axis)
{
    set_row(t, 0, a, b);
    set_row(t, 1, a, c);
    for (*axis = 0; *axis < 3; ++*axis) {
        cross_component(t, *axis);
        if (mpz_sgn(t->left) != 0) {
            return 0;
        }
    }
    return 1;
}

static int side_of_line(truth *t, int axis, size_t a, size_t b, size_t c)
{
    set_row(t, 0, a, b);
    set_row(t, 1, a, c);
    cross_component(t, axis);
    return mpz_sgn(t->left);
}

static int is_same(const truth *t, size_t a, size_t b)
{
    return mpz_cmp(t->points[a][0], t->points[b][0]) == 0 && mpz_cmp(t->points[a][1], t->points[b][1]) == 0 &&
           mpz_cmp(t->points[a][2], t->points[b][2]) == 0;
}

/* The points on one side (bit 0: -1 was seen, bit 1: 1 was seen) and in the plane or line itself. */
typedef struct sides {
    int seen;
    uint64_t within;
} sides;

static void note_side(sides *s, size_t point, int side)
{
    s->seen |= side < 0 ? 1 : side > 0 ? 2 : 0;
    s->within |= side == 0 ? UINT64_C(1) << point : 0;
}

static void note_face(truth *t, const sides *s)
{
    if (s->seen == 1 || s->seen == 2) {
        for (size_t i = 0; i < t->face_count; i++) {
            if (t->faces[i] == s->within) {
                return;
            }
        }
        t->faces[t->face_count++] = s->within;
    }
}

static void find_planes(truth *t)
{
    int axis;
    for (size_t a = 0; a < t->count; a++) {
        for (size_t b = 0; b < a; b++) {
            for (size_t c = 0; c < b; c++) {
                if (is_line(t, a, b, c, &axis)) {
                    continue;
                }
                sides s = {0, 0};
                for (size_t d = 0; d < t->count && s.seen != 3; d++) {
                    note_side(&s, d, side_of_plane(t, a, b, c, d));
                }
                note_face(t, &s);
            }
        }
    }
}

static void find_lines(truth *t, int axis)
{
    for (size_t a = 0; a < t->count; a++) {
        for (size_t b = 0; b < a; b++) {
            if (!is_same(t, a, b)) {
                sides s = {0, 0};
                for (size_t c = 0; c < t->count; c++) {
                    note_side(&s, c, side_of_line(t, axis, a, b, c));
                }
                note_face(t, &s);
            }
        }
    }
}

/* The face of an end of a segment is the end itself. */
static void find_ends(truth *t)
{
    for (size_t a = 0; a < t->count; a++) {
        sides s = {0, t->same[a]};
        for (size_t b = 0; b < t->count; b++) {
            for (int k = 0; k < 3; k++) {
                const int order = mpz_cmp(t->points[b][k], t->points[a][k]);
                if (order != 0) {
                    note_side(&s, b, order);
                    break;
                }
            }
        }
        note_face(t, &s);
    }
}

static int count_dimensions(truth *t, int *axis)
{
    int dimensions = 0;
    size_t b = 0, c;
    while (b < t->count && is_same(t, 0, b)) {
        b++;
    }
    dimensions += b < t->count;
    for (c = 0; dimensions == 1 && c < t->count; c++) {
        if (!is_line(t, 0, b, c, axis)) {
            dimensions = 2;
            break;
        }
    }
    for (size_t d = 0; dimensions == 2 && d < t->count; d++) {
        dimensions += side_of_plane(t, 0, b, c, d) != 0;
    }
    return dimensions;
}

/* The smallest face that holds these points. */
static uint64_t smallest_face(const truth *t, uint64_t points)
{
    uint64_t face = t->count < 64 ? (UINT64_C(1) << t->count) - 1 : UINT64_MAX;
    for (size_t i = 0; i < t->face_count; i++) {
        face &= (t->faces[i] & points) == points ? t->faces[i] : UINT64_MAX;
    }
    return face;
}

static void find_truth(truth *t, const double (*points)[3], size_t count)
{
    int axis = 0;
    set_points(t, points, count);
    for (size_t a = 0; a < count; a++) {
        t->same[a] = 0;
        for (size_t b = 0; b < count; b++) {
            t->same[a] |= is_same(t, a, b) ? UINT64_C(1) << b : 0;
        }
    }
    t->face_count = 0;
    t->dimensions = count_dimensions(t, &axis);
    switch (t->dimensions) {
    case 0: break;
    case 1: find_ends(t); break;
    case 2: find_lines(t, axis); break;
    default: find_planes(t); break;
    }
    t->vertices = 0;
    for (size_t a = 0; a < count; a++) {
        t->vertices |= smallest_face(t, UINT64_C(1) << a) == t->same[a] ? UINT64_C(1) << a : 0;
    }
}

/* Two vertices are joined when the smallest face that holds both has no other vertex. */
static int is_edge(const truth *t, size_t a, size_t b)
{
    const uint64_t both = t->same[a] | t->same[b];
    return a != b && (smallest_face(t, UINT64_C(1) << a | UINT64_C(1) << b) & t->vertices) == both;
}

/* ---- Against the truth ---- */

static int has_edge(const tmb_hull *hull, uint32_t a, uint32_t b)
{
    for (uint32_t i = hull->first[a]; i < hull->first[a + 1]; i++) {
        if (hull->neighbours[i] == b) {
            return 1;
        }
    }
    return 0;
}

static void check_few(truth *t, const hull_case *c, const char *name)
{
    const tmb_hull *hull = &c->hull;
    uint64_t found = 0;
    find_truth(t, c->points, c->count);
    for (uint32_t i = 0; i < hull->count; i++) {
        const uint64_t same = t->same[hull->vertices[i]];
        if (found & same || (t->vertices & same) != same) {
            fail_msg("%s, %zu points: %u is no vertex or comes twice", name, c->count, hull->vertices[i]);
        }
        found |= same;
        for (uint32_t j = 0; j < hull->count; j++) {
            if (has_edge(hull, i, j) != is_edge(t, hull->vertices[i], hull->vertices[j])) {
                fail_msg("%s, %zu points: edge %u %u", name, c->count, hull->vertices[i], hull->vertices[j]);
            }
        }
    }
    if (found != t->vertices) {
        fail_msg("%s, %zu points: a vertex is missing", name, c->count);
    }
}

static const hull_set *find_set(const char *name)
{
    size_t i = 0;
    while (strcmp(hull_sets[i].name, name) != 0) {
        i++;
        assert_true(i < HULL_SETS);
    }
    return &hull_sets[i];
}

static void make_few(const hull_set *set, uint64_t seed, double (*points)[3], size_t count)
{
    test_random random = {seed};
    set->make(&random, points, count);
}

/* The sets need room for their special points. */
static const size_t few_counts[] = {8, 9, 12, 14, 10, 16, 11, 13};

static void test_few_points(void **state)
{
    test_world *w = *state;
    truth t;
    truth_begin(&t);
    size_t seen[HULL_SETS] = {0};
    for (size_t round = 0; round < test_count(64); round++) {
        for (size_t i = 0; i < HULL_SETS; i++) {
            double points[FEW][3];
            const size_t count = few_counts[round % (sizeof few_counts / sizeof *few_counts)];
            tmb_arena arena = {.context = w->context};
            hull_case c;
            make_few(&hull_sets[i], 100 * round + i, points, count);
            hull_case_make(&c, &arena, (const double(*)[3])points, count);
            check_few(&t, &c, hull_sets[i].name);
            seen[i] += t.dimensions == hull_sets[i].dimensions;
            free(c.corners);
            tmb_arena_release(&arena);
        }
    }
    for (size_t i = 0; i < HULL_SETS; i++) {
        if (seen[i] == 0) {
            fail_msg("%s: never of %d dimensions", hull_sets[i].name, hull_sets[i].dimensions);
        }
    }
    truth_end(&t);
}

/* Few points of a coarse grid: every kind of degeneracy, from one point on. */
static void test_few_of_a_grid(void **state)
{
    test_world *w = *state;
    truth t;
    truth_begin(&t);
    size_t dimensions[4] = {0};
    for (size_t round = 0; round < test_count(3000); round++) {
        double points[10][3];
        test_random random = {round};
        const size_t count = 1 + round % 10;
        tmb_arena arena = {.context = w->context};
        hull_case c;
        for (size_t i = 0; i < 3 * count; i++) {
            points[i / 3][i % 3] = (double)test_random_whole(&random, 0, 1 + (int)(round / 10 % 3));
        }
        hull_case_make(&c, &arena, (const double(*)[3])points, count);
        check_few(&t, &c, "grid");
        dimensions[t.dimensions]++;
        free(c.corners);
        tmb_arena_release(&arena);
    }
    for (int i = 0; i < 4; i++) {
        assert_true(dimensions[i] > 0);
    }
    truth_end(&t);
}

/* Enough points for fans that are searched rather than scanned. */
static void test_fans(void **state)
{
    test_world *w = *state;
    truth t;
    truth_begin(&t);
    for (size_t round = 0; round < test_count(20); round++) {
        for (size_t i = 0; i < HULL_SETS; i++) {
            if (strstr(hull_sets[i].name, "hat")) {
                double points[FEW][3];
                tmb_arena arena = {.context = w->context};
                hull_case c;
                make_few(&hull_sets[i], round, points, FEW);
                hull_case_make(&c, &arena, (const double(*)[3])points, FEW);
                check_few(&t, &c, hull_sets[i].name);
                free(c.corners);
                tmb_arena_release(&arena);
            }
        }
    }
    truth_end(&t);
}

/* ---- Many points ---- */

/* Whether no point is higher than all vertices. */
static void check_support(const hull_case *c, const double direction[3], const char *name)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < c->view.count; i++) {
        best = tmb_compare_along(direction, c->corners[i], c->corners[best]) > 0 ? i : best;
    }
    for (size_t i = 0; i < c->count; i++) {
        if (tmb_compare_along(direction, c->points[i], c->corners[best]) > 0) {
            fail_msg("%s: point %zu is outside, seen along %a %a %a", name, i, direction[0], direction[1],
                     direction[2]);
        }
    }
}

static void test_many_points(void **state)
{
    test_world *w = *state;
    enum {
        COUNT = 3000
    };
    double(*points)[3] = malloc(COUNT * sizeof *points);
    for (size_t i = 0; i < HULL_SETS; i++) {
        test_random random = {i};
        tmb_arena arena = {.context = w->context};
        hull_case c;
        hull_sets[i].make(&random, points, COUNT);
        hull_case_make(&c, &arena, (const double(*)[3])points, COUNT);
        print_message("%-16s %5u vertices, %5u neighbours\n", hull_sets[i].name, c.view.count,
                      c.hull.first[c.view.count]);
        for (size_t k = 0; k < test_count(160); k++) {
            double direction[3];
            hull_direction(&random, &c, k, direction);
            check_support(&c, direction, hull_sets[i].name);
        }
        free(c.corners);
        tmb_arena_release(&arena);
    }
    free(points);
}

/* Sets on which insertion in the order of the input, or a scan of each fan, is quadratic. */
static void test_large_sets(void **state)
{
    test_world *w = *state;
    static const char *const names[] = {"sphere", "hat", "cylinder", "groups", "rounded plane", "stepped plane"};
    const size_t count = 1000 + test_count(100000);
    double(*points)[3] = malloc(count * sizeof *points);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        test_random random = {i};
        tmb_arena arena = {.context = w->context};
        hull_case c;
        find_set(names[i])->make(&random, points, count);
        hull_case_make(&c, &arena, (const double(*)[3])points, count);
        print_message("%-16s %6u vertices of %zu points\n", names[i], c.view.count, count);
        for (size_t k = 0; k < 8; k++) {
            double direction[3];
            hull_direction(&random, &c, k, direction);
            check_support(&c, direction, names[i]);
        }
        free(c.corners);
        tmb_arena_release(&arena);
    }
    free(points);
}

/* Twelve edges and eight vertices, whatever lies on the faces. */
static void test_box_of_points(void **state)
{
    test_world *w = *state;
    enum {
        SIDE = 20
    };
    static double points[SIDE * SIDE * SIDE][3];
    for (size_t i = 0; i < SIDE * SIDE * SIDE; i++) {
        points[i][0] = (double)(i % SIDE) * 0.1;
        points[i][1] = (double)(i / SIDE % SIDE) * 0.3;
        points[i][2] = (double)(i / SIDE / SIDE) * 0.7;
    }
    tmb_arena arena = {.context = w->context};
    hull_case c;
    hull_case_make(&c, &arena, (const double(*)[3])points, SIDE * SIDE * SIDE);
    assert_int_equal(c.view.count, 8);
    assert_int_equal(c.hull.first[8], 24);
    free(c.corners);
    tmb_arena_release(&arena);
}

static void test_no_points(void **state)
{
    test_world *w = *state;
    tmb_arena arena = {.context = w->context};
    tmb_hull hull;
    assert_true(tmb_hull_build(&arena, NULL, 0, &hull));
    assert_int_equal(hull.count, 0);
    assert_int_equal(hull.first[0], 0);
    tmb_arena_release(&arena);
}

/* ---- Order ---- */

static int compare_points(const void *a, const void *b)
{
    const double *p = a, *q = b;
    for (int k = 0; k < 3; k++) {
        if (p[k] != q[k]) {
            return p[k] < q[k] ? -1 : 1;
        }
    }
    return 0;
}

/* Edges as pairs of points, the same whatever the numbers of the vertices. */
static double (*sorted_edges(const hull_case *c))[6]
{
    double(*edges)[6] = malloc((c->hull.first[c->view.count] + 1) * sizeof *edges);
    size_t count = 0;
    for (uint32_t v = 0; v < c->view.count; v++) {
        for (uint32_t i = c->hull.first[v]; i < c->hull.first[v + 1]; i++, count++) {
            for (int k = 0; k < 3; k++) { /* one zero of two */
                edges[count][k] = c->corners[v][k] + 0.0;
                edges[count][k + 3] = c->corners[c->hull.neighbours[i]][k] + 0.0;
            }
        }
    }
    return edges;
}

static int compare_edges(const void *a, const void *b)
{
    const double *p = a, *q = b;
    const int order = compare_points(p, q);
    return order ? order : compare_points(p + 3, q + 3);
}

static void shuffle(test_random *random, const double (*points)[3], double (*out)[3], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const size_t j = (size_t)(test_random_bits(random) % (i + 1));
        memmove(out[i], out[j], sizeof *out);
        memcpy(out[j], points[i], sizeof *out);
    }
}

static void test_order_of_points(void **state)
{
    test_world *w = *state;
    enum {
        COUNT = 700
    };
    double points[COUNT][3], shuffled[COUNT][3];
    for (size_t i = 0; i < HULL_SETS; i++) {
        test_random random = {i + 1000};
        tmb_arena arena = {.context = w->context};
        hull_case c, d;
        hull_sets[i].make(&random, points, COUNT);
        shuffle(&random, (const double(*)[3])points, shuffled, COUNT);
        hull_case_make(&c, &arena, (const double(*)[3])points, COUNT);
        hull_case_make(&d, &arena, (const double(*)[3])shuffled, COUNT);
        const size_t edges = c.hull.first[c.view.count];
        assert_int_equal(c.view.count, d.view.count);
        assert_int_equal(edges, d.hull.first[d.view.count]);
        double(*p)[6] = sorted_edges(&c), (*q)[6] = sorted_edges(&d);
        qsort(p, edges, sizeof *p, compare_edges);
        qsort(q, edges, sizeof *q, compare_edges);
        assert_memory_equal(p, q, edges * sizeof *p);
        free(p);
        free(q);
        free(c.corners);
        free(d.corners);
        tmb_arena_release(&arena);
    }
}

/* ---- Memory ---- */

static void test_memory_runs_out(void **state)
{
    test_world *w = *state;
    static const char *const names[] = {"sphere", "parabola", "axis line", "equal", "tiny"};
    double points[600][3];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        make_few(find_set(names[i]), i, points, 600);
        size_t places = 0;
        for (int done = 0; !done; places++) {
            tmb_arena arena = {.context = w->context};
            tmb_hull hull;
            const size_t live = test_allocator_live(&w->memory);
            test_allocator_fail(&w->memory, places + 1, 0);
            const int good = tmb_hull_build(&arena, (const double(*)[3])points, 600, &hull);
            done = test_allocator_failures(&w->memory) == 0;
            test_allocator_fail(&w->memory, 0, 0);
            assert_int_equal(good, done);
            tmb_arena_release(&arena);
            assert_int_equal(test_allocator_live(&w->memory), live);
        }
        assert_true(places > 2);
    }
}

/* ---- Loaded hulls ---- */

static void test_damage_is_found(void **state)
{
    (void)state;
    double points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const uint32_t good_first[5] = {0, 3, 6, 9, 12};
    const uint32_t good_neighbours[12] = {1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2};
    uint32_t first[5], neighbours[12];
    const tmb_hull_view hull = {(const double(*)[3])points, first, neighbours, 4};
    memcpy(first, good_first, sizeof first);
    memcpy(neighbours, good_neighbours, sizeof neighbours);
    assert_true(tmb_hull_validate(&hull, 12));
    assert_false(tmb_hull_validate(&hull, 11));
    assert_false(tmb_hull_validate(&hull, 13));
    for (size_t i = 0; i < 5; i++) {
        for (uint32_t value = 0; value < 14; value++) {
            first[i] = value;
            assert_int_equal(tmb_hull_validate(&hull, 12), value == good_first[i]);
        }
        first[i] = good_first[i];
    }
    for (size_t i = 0; i < 12; i++) {
        for (uint32_t value = 0; value < 6; value++) {
            neighbours[i] = value < 5 ? value : UINT32_MAX;
            assert_int_equal(tmb_hull_validate(&hull, 12), value == good_neighbours[i]);
        }
        neighbours[i] = good_neighbours[i];
    }
    points[3][1] = NAN;
    assert_false(tmb_hull_validate(&hull, 12));
    points[3][1] = -INFINITY;
    assert_false(tmb_hull_validate(&hull, 12));
    const tmb_hull_view none = {(const double(*)[3])points, first, neighbours, 0};
    assert_false(tmb_hull_validate(&none, 0));
    const uint32_t nothing[3] = {0, 0, 0};
    const tmb_hull_view one = {(const double(*)[3])points, nothing, neighbours, 1};
    const tmb_hull_view apart = {(const double(*)[3])points, nothing, neighbours, 2};
    assert_true(tmb_hull_validate(&one, 0));
    assert_false(tmb_hull_validate(&apart, 0));
    points[3][1] = 0;
    const uint32_t two_each[5] = {0, 2, 4, 6, 8}, ring[8] = {1, 3, 0, 2, 1, 3, 0, 2},
                   one_way[8] = {1, 3, 0, 3, 1, 3, 0, 2};
    const tmb_hull_view both_ways = {(const double(*)[3])points, two_each, ring, 4};
    const tmb_hull_view there_alone = {(const double(*)[3])points, two_each, one_way, 4};
    assert_true(tmb_hull_validate(&both_ways, 8));
    assert_false(tmb_hull_validate(&there_alone, 8)); /* 1 has 3, which has 0 and 2 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_few_points),
        TEST_IN_WORLD(test_few_of_a_grid),
        TEST_IN_WORLD(test_fans),
        TEST_IN_WORLD(test_many_points),
        TEST_IN_WORLD(test_large_sets),
        TEST_IN_WORLD(test_box_of_points),
        TEST_IN_WORLD(test_no_points),
        TEST_IN_WORLD(test_order_of_points),
        TEST_IN_WORLD(test_memory_runs_out),
        cmocka_unit_test(test_damage_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
