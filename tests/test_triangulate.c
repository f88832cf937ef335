/* Polygons into triangles: for simple polygons the triangles must cover the area once and turn the right way; for all
 * others there must be the right number of them, using every corner. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "math/predicates.h"
#include "models.h"
#include "prim/triangulate.h"

typedef struct polygon {
    double (*corners)[3];
    size_t count, capacity;
} polygon;

typedef struct fixture {
    tumble_context *context;
    tmb_buffer scratch;
    polygon polygon;
    uint32_t *triangles;
    size_t triangle_capacity;
} fixture;

static size_t effort(double count)
{
    const char *text = getenv("TUMBLE_TEST_EFFORT");
    const double scaled = count * (text ? strtod(text, NULL) : 1.0);
    return scaled < 1 ? 1 : (size_t)scaled;
}

static void add(polygon *p, double x, double y, double z)
{
    if (p->count == p->capacity) {
        p->capacity = p->capacity ? 2 * p->capacity : 64;
        p->corners = realloc(p->corners, p->capacity * sizeof *p->corners);
        assert_non_null(p->corners);
    }
    p->corners[p->count][0] = x;
    p->corners[p->count][1] = y;
    p->corners[p->count++][2] = z;
}

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    if (!f || tumble_context_create(NULL, &f->context) != TUMBLE_OK) {
        return -1;
    }
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    tmb_buffer_release(f->context, &f->scratch);
    tumble_context_destroy(f->context);
    free(f->polygon.corners);
    free(f->triangles);
    free(f);
    return 0;
}

static void triangulate(fixture *f)
{
    const size_t needed = 3 * (f->polygon.count - 2);
    if (needed > f->triangle_capacity) {
        free(f->triangles);
        f->triangles = malloc(needed * sizeof *f->triangles);
        assert_non_null(f->triangles);
        f->triangle_capacity = needed;
    }
    memset(f->triangles, 0xff, needed * sizeof *f->triangles);
    assert_int_equal(tmb_triangulate(f->context, &f->scratch, (const double(*)[3])f->polygon.corners, f->polygon.count,
                                     f->triangles),
                     1);
}

/* ---- Checks ---- */

static int compare_edges(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return x[0] != y[0] ? (x[0] < y[0] ? -1 : 1) : x[1] != y[1] ? (x[1] < y[1] ? -1 : 1) : 0;
}

/* Whether the triangles are a disk whose rim is the polygon: the directed edges that have no opposite one are exactly
 * the polygon's. Holds for every input, however bad. */
static void check_topology(const fixture *f)
{
    const size_t count = f->polygon.count, edge_count = 3 * (count - 2) + count;
    uint32_t(*edges)[2] = malloc(edge_count * sizeof *edges);
    assert_non_null(edges);
    for (size_t i = 0; i < 3 * (count - 2); i++) {
        assert_true(f->triangles[i] < count);
        edges[i][0] = f->triangles[i];
        edges[i][1] = f->triangles[i % 3 == 2 ? i - 2 : i + 1];
        assert_int_not_equal(edges[i][0], edges[i][1]);
    }
    for (size_t i = 0; i < count; i++) {
        edges[3 * (count - 2) + i][0] = (uint32_t)((i + 1) % count);
        edges[3 * (count - 2) + i][1] = (uint32_t)i;
    }
    qsort(edges, edge_count, sizeof *edges, compare_edges);
    for (size_t i = 0; i < edge_count; i++) {
        const uint32_t opposite[2] = {edges[i][1], edges[i][0]};
        assert_true(i == 0 || compare_edges(edges[i - 1], edges[i]) != 0);
        assert_non_null(bsearch(opposite, edges, edge_count, sizeof *edges, compare_edges));
    }
    free(edges);
}

/* The way triangle i turns, seen along `axis`. */
static int triangle_turn(const fixture *f, size_t i, int axis)
{
    double points[3][2];
    for (int k = 0; k < 3; k++) {
        const double *corner = f->polygon.corners[f->triangles[3 * i + (size_t)k]];
        points[k][0] = corner[(axis + 1) % 3];
        points[k][1] = corner[(axis + 2) % 3];
    }
    return tmb_orient2d(points[0], points[1], points[2]);
}

/* For a polygon without self-crossings: that the triangles are a disk whose rim is the polygon and all turn one way
 * means that they cover the inside once (a point is covered as often as the rim winds around it). */
static void check_simple(const fixture *f, int axis, int turn, int flat_allowed)
{
    check_topology(f);
    for (size_t i = 0; i < f->polygon.count - 2; i++) {
        const int side = triangle_turn(f, i, axis);
        assert_true(side == turn || (flat_allowed && side == 0));
    }
}

static double cross(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* Areas in the x, y plane: the sum of the magnitudes must be the polygon's. */
static void check_area(const fixture *f)
{
    double whole = 0, parts = 0;
    double(*corners)[3] = f->polygon.corners;
    for (size_t i = 1; i + 1 < f->polygon.count; i++) {
        whole += cross(corners[0], corners[i], corners[i + 1]);
        const uint32_t *t = &f->triangles[3 * (i - 1)];
        parts += fabs(cross(corners[t[0]], corners[t[1]], corners[t[2]]));
    }
    assert_true(fabs(fabs(whole) - parts) <= 1e-9 * parts);
}

/* Whether some edge of triangle a has the triangle b wholly on its outer side. */
static int edge_separates(const fixture *f, const uint32_t *a, const uint32_t *b)
{
    double(*corners)[3] = f->polygon.corners;
    for (int k = 0; k < 3; k++) {
        const double *p = corners[a[k]], *q = corners[a[(k + 1) % 3]];
        const int inside = tmb_orient2d(p, q, corners[a[(k + 2) % 3]]);
        int beyond = 0;
        for (int j = 0; j < 3; j++) {
            beyond += inside * tmb_orient2d(p, q, corners[b[j]]) <= 0;
        }
        if (beyond == 3) {
            return 1;
        }
    }
    return 0;
}

/* No two triangles share inner points, pair by pair, exactly. */
static void check_no_overlap(const fixture *f)
{
    for (size_t i = 0; i < f->polygon.count - 2; i++) {
        for (size_t j = 0; j < i; j++) {
            const uint32_t *a = &f->triangles[3 * i], *b = &f->triangles[3 * j];
            assert_true(edge_separates(f, a, b) || edge_separates(f, b, a));
        }
    }
}

/* ---- Polygons ---- */

static const double full_turn = 6.283185307179586;

static void make_star_shaped(polygon *p, size_t count, double least, models_random *random)
{
    p->count = 0;
    for (size_t i = 0; i < count; i++) {
        const double angle = full_turn * (double)i / (double)count, radius = models_random_range(random, least, 1);
        add(p, radius * cos(angle), radius * sin(angle), 0);
    }
}

static void make_star(polygon *p, size_t count)
{
    p->count = 0;
    for (size_t i = 0; i < count; i++) {
        const double angle = full_turn * (double)i / (double)count, radius = i % 2 ? 0.3 : 1;
        add(p, radius * cos(angle), radius * sin(angle), 0);
    }
}

static void make_comb(polygon *p, size_t teeth)
{
    p->count = 0;
    add(p, (double)teeth, -1, 0);
    for (size_t i = teeth; i-- > 0;) {
        add(p, (double)i + 0.9, 0, 0);
        add(p, (double)i + 0.5, (double)teeth, 0);
        add(p, (double)i + 0.1, 0, 0);
    }
    add(p, 0, -1, 0);
}

static void make_spiral(polygon *p, size_t count, double turns)
{
    p->count = 0;
    for (size_t side = 0; side < 2; side++) {
        for (size_t k = 0; k < count / 2; k++) {
            const size_t i = side ? count / 2 - 1 - k : k;
            const double along = (double)i / (double)(count / 2);
            const double radius = 0.1 + along + (side ? 0 : 0.5 / turns);
            add(p, radius * cos(full_turn * turns * along), radius * sin(full_turn * turns * along), 0);
        }
    }
}

/* The outline of a random simply connected set of unit squares, with all its lattice points as corners: concave, full
 * of corners on a line, and exact in double. */
enum {
    BOARD = 24
};

typedef struct board {
    unsigned char cell[BOARD + 2][BOARD + 2];
} board;

static int changes_around(const board *b, int x, int y)
{
    static const int ring[8][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    int changes = 0;
    for (int k = 0; k < 8; k++) {
        const int *here = ring[k], *next = ring[(k + 1) % 8];
        changes += b->cell[y + here[1]][x + here[0]] != b->cell[y + next[1]][x + next[0]];
    }
    return changes;
}

/* Adding a cell whose eight neighbours are one run of full and one run of empty ones, and which has a full neighbour
 * across an edge, keeps the set and its complement connected without touching corners. */
static void grow_board(board *b, size_t tries, models_random *random)
{
    memset(b, 0, sizeof *b);
    b->cell[BOARD / 2][BOARD / 2] = 1;
    for (size_t i = 0; i < tries; i++) {
        const int x = 1 + (int)(models_random_unit(random) * BOARD), y = 1 + (int)(models_random_unit(random) * BOARD);
        const int touches = b->cell[y][x - 1] + b->cell[y][x + 1] + b->cell[y - 1][x] + b->cell[y + 1][x];
        if (!b->cell[y][x] && touches && changes_around(b, x, y) == 2) {
            b->cell[y][x] = 1;
        }
    }
}

static void trace_board(const board *b, polygon *p)
{
    int x = 0, y = 0, dx = 1, dy = 0;
    while (!b->cell[y][x]) {
        x = x + 1 < BOARD + 2 ? x + 1 : 0;
        y += x == 0;
    }
    const int start_x = x, start_y = y;
    p->count = 0;
    do { /* the full cell is on the left of the way we go */
        add(p, x, y, 0);
        x += dx;
        y += dy;
        const int ahead_x = x + (dx > 0 ? 0 : dx < 0 ? -1 : 0), ahead_y = y + (dy > 0 ? 0 : dy < 0 ? -1 : 0);
        const int left_x = dx ? ahead_x : (dy > 0 ? x - 1 : x), left_y = dy ? ahead_y : (dx > 0 ? y : y - 1);
        const int right_x = dx ? ahead_x : (dy > 0 ? x : x - 1), right_y = dy ? ahead_y : (dx > 0 ? y - 1 : y);
        const int turn = !b->cell[left_y][left_x] ? 1 : b->cell[right_y][right_x] ? -1 : 0;
        if (turn) {
            const int old = dx;
            dx = turn > 0 ? -dy : dy;
            dy = turn > 0 ? old : -old;
        }
    } while (x != start_x || y != start_y);
}

/* A random simple polygon: edges that cross are turned around until none do. */
static int edges_cross(const polygon *p, size_t i, size_t j)
{
    const double *a = p->corners[i], *b = p->corners[(i + 1) % p->count];
    const double *c = p->corners[j], *d = p->corners[(j + 1) % p->count];
    return tmb_orient2d(a, b, c) != tmb_orient2d(a, b, d) && tmb_orient2d(c, d, a) != tmb_orient2d(c, d, b);
}

static void reverse(polygon *p, size_t first, size_t last)
{
    for (; first < last; first++, last--) {
        double corner[3];
        memcpy(corner, p->corners[first], sizeof corner);
        memcpy(p->corners[first], p->corners[last], sizeof corner);
        memcpy(p->corners[last], corner, sizeof corner);
    }
}

static void make_random_simple(polygon *p, size_t count, models_random *random)
{
    p->count = 0;
    for (size_t i = 0; i < count; i++) {
        add(p, models_random_unit(random), models_random_unit(random), 0);
    }
    for (int again = 1; again;) {
        again = 0;
        for (size_t i = 0; i < count; i++) {
            for (size_t j = i + 2; j < count; j++) {
                if ((i != 0 || j != count - 1) && edges_cross(p, i, j)) {
                    reverse(p, i + 1, j);
                    again = 1;
                }
            }
        }
    }
}

static int turns_left(const polygon *p)
{
    double whole = 0;
    for (size_t i = 1; i + 1 < p->count; i++) {
        whole += cross(p->corners[0], p->corners[i], p->corners[i + 1]);
    }
    return whole > 0 ? 1 : -1;
}

static void check_plane_polygon(fixture *f, int small)
{
    triangulate(f);
    check_simple(f, 2, turns_left(&f->polygon), 0);
    check_area(f);
    if (small) {
        check_no_overlap(f);
    }
}

/* ---- Tests ---- */

static void random_simple_polygons(void **state)
{
    fixture *f = *state;
    models_random random = {1};
    for (size_t i = 0; i < effort(400); i++) {
        make_random_simple(&f->polygon, 4 + i % 57, &random);
        check_plane_polygon(f, 1);
        reverse(&f->polygon, 0, f->polygon.count - 1);
        check_plane_polygon(f, 1);
    }
}

static void every_start_corner(void **state)
{
    fixture *f = *state;
    models_random random = {2};
    make_random_simple(&f->polygon, 25, &random);
    for (size_t start = 0; start < 25; start++) {
        reverse(&f->polygon, 0, 24);
        reverse(&f->polygon, 0, 23);
        check_plane_polygon(f, 1);
    }
}

static void stars_combs_and_spirals(void **state)
{
    fixture *f = *state;
    models_random random = {3};
    for (size_t count = 4; count < 300; count += 1 + count / 8) {
        make_star_shaped(&f->polygon, count + 8, 0.05, &random);
        check_plane_polygon(f, 1);
        make_star(&f->polygon, 2 * count);
        check_plane_polygon(f, 1);
        make_comb(&f->polygon, count);
        check_plane_polygon(f, count < 100);
        make_spiral(&f->polygon, 8 * count, 1 + (double)count / 50);
        check_plane_polygon(f, count < 60);
    }
}

/* Lattice outlines: no triangle may be flat although most corners lie on lines with others, and the areas add up
 * exactly. */
static void corners_on_lines(void **state)
{
    fixture *f = *state;
    models_random random = {4};
    const size_t boards = effort(200);
    size_t flat_corners = 0;
    for (size_t i = 0; i < boards; i++) {
        board b;
        grow_board(&b, 400 + 300 * (i % 10), &random);
        trace_board(&b, &f->polygon);
        for (size_t k = 0; k < f->polygon.count; k++) {
            double(*c)[3] = f->polygon.corners;
            const size_t n = f->polygon.count;
            flat_corners += tmb_orient2d(c[k], c[(k + 1) % n], c[(k + 2) % n]) == 0;
        }
        check_plane_polygon(f, f->polygon.count < 200);
    }
    print_message("%zu corners on lines\n", flat_corners);
    assert_true(flat_corners > 5 * boards);
}

/* The same polygons standing anywhere in space: triangles must turn as the polygon does along every axis that sees it.
 */
static void polygons_in_space(void **state)
{
    fixture *f = *state;
    models_random random = {5};
    for (size_t i = 0; i < effort(300); i++) {
        board b;
        grow_board(&b, 300, &random);
        trace_board(&b, &f->polygon);
        const double slope_x = floor(models_random_range(&random, -4, 4));
        const double slope_y = floor(models_random_range(&random, -4, 4));
        const int axis = (int)(i % 3);
        for (size_t k = 0; k < f->polygon.count; k++) {
            double *corner = f->polygon.corners[k];
            const double u = corner[0], v = corner[1], w = u * slope_x + v * slope_y;
            corner[(axis + 1) % 3] = u;
            corner[(axis + 2) % 3] = v;
            corner[axis] = w;
        }
        if (i % 2) {
            reverse(&f->polygon, 0, f->polygon.count - 1);
        }
        triangulate(f);
        check_simple(f, axis, i % 2 ? -1 : 1, 0);
    }
}

/* Sizes at which products over- and underflow. */
static void huge_and_tiny(void **state)
{
    fixture *f = *state;
    static const int exponents[] = {-1060, -1040, -1000, -600, -500, -300, 300, 500, 600, 1000, 1018, 1020};
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
        for (int axis = 0; axis < 3; axis++) {
            models_random random = {6};
            board b;
            grow_board(&b, 5000, &random);
            trace_board(&b, &f->polygon);
            for (size_t k = 0; k < f->polygon.count; k++) {
                double *corner = f->polygon.corners[k];
                const double u = ldexp(corner[0] - BOARD / 2, exponents[i]);
                const double v = ldexp(corner[1] - BOARD / 2, exponents[i]);
                corner[(axis + 1) % 3] = u;
                corner[(axis + 2) % 3] = v;
                corner[axis] = u;
            }
            triangulate(f);
            check_simple(f, axis, 1, 0);
        }
    }
}

/* A number of at most 46 bits, so that small multiples are exact. */
static double short_number(models_random *random)
{
    return ldexp((double)(models_random_bits(random) >> 19), -45) + 0.25;
}

/* Needles so thin that the area is lost in rounding. One side has eight corners exactly on a line through 0, whose
 * differences are not exact; the other has one corner, a last bit away from the line. Only exact decisions find out
 * which way the polygon turns. */
static double along_needle(int corner)
{
    return corner == 0 ? 0x1p-30 : corner == 8 ? 0x1p-10 : corner;
}

static void needles_in_the_plane(void **state)
{
    fixture *f = *state;
    polygon *p = &f->polygon;
    models_random random = {12};
    for (size_t i = 0; i < effort(2000); i++) {
        const double a = short_number(&random), b = short_number(&random);
        p->count = 0;
        for (int k = 0; k < 9; k++) {
            const double y = along_needle(k) * b;
            add(p, along_needle(k) * a, k < 8 ? y : nextafter(y, 1e9), 0);
        }
        if (i % 2) {
            reverse(p, 0, p->count - 1);
        }
        triangulate(f);
        check_simple(f, 2, i % 2 ? -1 : 1, 0);
    }
}

/* The same standing upright: seen from above it is a line, but rounding makes the normal's upright part the largest. */
static void needles_in_space(void **state)
{
    fixture *f = *state;
    polygon *p = &f->polygon;
    models_random random = {13};
    for (size_t i = 0; i < effort(2000); i++) {
        const double a = short_number(&random), b = short_number(&random);
        const int axis = (int)(i % 3);
        p->count = 0;
        for (int k = 0; k < 9; k++) {
            add(p, 0, 0, 0);
            double *corner = p->corners[p->count - 1];
            corner[axis] = k < 8 ? 0 : 0x1p-70;
            corner[(axis + 1) % 3] = along_needle(k) * a;
            corner[(axis + 2) % 3] = along_needle(k) * b;
        }
        const size_t start = i % 8; /* the queue must not happen to begin with good cuts */
        reverse(p, 0, start);
        reverse(p, start + 1, 8);
        triangulate(f);
        check_simple(f, (axis + 1) % 3, triangle_turn(f, 0, (axis + 1) % 3), 0);
        check_simple(f, (axis + 2) % 3, triangle_turn(f, 0, (axis + 2) % 3), 0);
    }
}

static void quads(void **state)
{
    fixture *f = *state;
    polygon *p = &f->polygon;
    models_random random = {7};
    p->count = 0;
    add(p, 0, 0, 0);
    add(p, 2, 0, 0);
    add(p, 2, 1, 0);
    add(p, 0, 1, 0);
    triangulate(f);
    const uint32_t usual[6] = {0, 1, 2, 0, 2, 3};
    assert_memory_equal(f->triangles, usual, sizeof usual);
    for (size_t i = 0; i < effort(20000); i++) {
        make_random_simple(p, 4, &random);
        check_plane_polygon(f, 1);
    }
    for (int flat = 0; flat < 4; flat++) { /* a corner on the line between its neighbours */
        p->count = 0;
        static const double corners[4][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 2}};
        for (int k = 0; k < 4; k++) {
            add(p, corners[(k + flat) % 4][0], corners[(k + flat) % 4][1], 0);
        }
        check_plane_polygon(f, 1);
    }
}

/* Corners repeated on the spot, and needles that go out and come back: flat triangles are allowed, overlaps are not. */
static void repeated_corners(void **state)
{
    fixture *f = *state;
    models_random random = {8};
    for (size_t i = 0; i < effort(300); i++) {
        polygon simple = {0};
        make_random_simple(&simple, 5 + i % 30, &random);
        f->polygon.count = 0;
        for (size_t k = 0; k < simple.count; k++) {
            const double *c = simple.corners[k];
            for (int times = 1 + (models_random_unit(&random) < 0.3) + (models_random_unit(&random) < 0.1); times--;) {
                add(&f->polygon, c[0], c[1], 0);
            }
        }
        triangulate(f);
        check_simple(f, 2, turns_left(&simple), 1);
        check_area(f);
        check_no_overlap(f);
        free(simple.corners);
    }
}

/* Squares with square holes, each joined to the outline by an edge that is walked both ways. */
static void bridged_holes(void **state)
{
    fixture *f = *state;
    for (int holes = 1; holes < 40; holes++) {
        polygon *p = &f->polygon;
        p->count = 0;
        const double width = 3.0 * holes + 1;
        add(p, width, 0, 0);
        add(p, width, 4, 0);
        add(p, 0, 4, 0);
        add(p, 0, 0, 0);
        for (int k = 0; k < holes; k++) {
            const double x = 3.0 * k + 1;
            add(p, x, 0, 0);
            add(p, x, 1, 0);
            add(p, x, 3, 0);
            add(p, x + 2, 3, 0);
            add(p, x + 2, 1, 0);
            add(p, x, 1, 0);
            add(p, x, 0, 0);
        }
        triangulate(f);
        check_simple(f, 2, 1, 1);
        check_area(f);
        check_no_overlap(f);
    }
}

/* Whatever comes: the right number of triangles, a disk with the polygon as its rim. */
static void garbage(void **state)
{
    fixture *f = *state;
    models_random random = {9};
    for (size_t i = 0; i < effort(3000); i++) {
        const size_t count = 3 + (size_t)models_random_range(&random, 0, i % 10 ? 30 : 300);
        const double steps = floor(models_random_range(&random, 0, 6)); /* 0: all corners are equal */
        const double scale = ldexp(1, (int)models_random_range(&random, -1070, 1018));
        f->polygon.count = 0;
        for (size_t k = 0; k < count; k++) {
            const double x = floor(models_random_range(&random, 0, steps + 1)) * scale;
            const double y = floor(models_random_range(&random, 0, steps + 1)) * scale;
            add(&f->polygon, x, i % 3 ? y : x, i % 4 ? 0 : x - y);
        }
        triangulate(f);
        check_topology(f);
    }
}

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Time must not grow with the square of the corners: that would be minutes here. */
static void timed(fixture *f, const char *name, int simple)
{
    const double start = seconds();
    triangulate(f);
    const double taken = seconds() - start;
    print_message("%-14s %8zu corners %8.3f s\n", name, f->polygon.count, taken);
    assert_true(taken < 1e-4 * (double)f->polygon.count + 1);
    if (simple) {
        check_plane_polygon(f, 0);
    } else {
        check_topology(f);
    }
}

static void many_corners(void **state)
{
    fixture *f = *state;
    models_random random = {10};
    const size_t count = effort(100000) + 100;
    make_star(&f->polygon, count);
    timed(f, "star", 1);
    make_star_shaped(&f->polygon, count, 0.5, &random);
    timed(f, "star-shaped", 1);
    make_star_shaped(&f->polygon, count, 0.999, &random);
    timed(f, "rough circle", 1);
    make_star_shaped(&f->polygon, count, 1, &random);
    timed(f, "circle", 1);
    make_comb(&f->polygon, count / 3);
    timed(f, "comb", 1);
    make_spiral(&f->polygon, count, 3);
    timed(f, "wide spiral", 1);
    make_spiral(&f->polygon, count, 100);
    timed(f, "tight spiral", 1);
    for (size_t i = 0; i < f->polygon.count; i++) { /* corners crowd together at one point */
        double *c = f->polygon.corners[i], shrink = exp(-20 + 20 * hypot(c[0], c[1]));
        c[0] *= shrink;
        c[1] *= shrink;
    }
    timed(f, "crowded spiral", 0);
}

static void much_garbage(void **state)
{
    fixture *f = *state;
    models_random random = {11};
    const size_t count = effort(100000) + 100;
    f->polygon.count = 0;
    for (size_t i = 0; i < count; i++) {
        add(&f->polygon, models_random_unit(&random), models_random_unit(&random), models_random_unit(&random));
    }
    timed(f, "random points", 0);
    f->polygon.count = 0;
    for (size_t i = 0; i < count; i++) {
        add(&f->polygon, 1, 2, 3);
    }
    timed(f, "one point", 0);
    f->polygon.count = 0;
    for (size_t i = 0; i < count; i++) {
        add(&f->polygon, models_random_unit(&random), 0, 0);
    }
    timed(f, "on a line", 0);
    f->polygon.count = 0;
    for (size_t i = 0; i < count; i++) {
        const double angle = (double)i;
        add(&f->polygon, i % 2 ? 0 : cos(angle), i % 2 ? 0 : sin(angle), 0);
    }
    timed(f, "needles", 0);
    make_star_shaped(&f->polygon, count, 0.5, &random);
    for (size_t i = 0; i + 2 < count; i += 100) { /* small crossings everywhere */
        reverse(&f->polygon, i, i + 2);
    }
    timed(f, "tangles", 0);
}

/* Which triangles, in which order, from which corner on: models and contacts have them so. The coordinates are small
 * whole numbers, for which nothing is rounded. */
static void same_triangles(void **state)
{
    fixture *f = *state;
    models_random random = {12};
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int i = 0; i < 300; i++) {
        const int size = 4 + i % 29, is_flat = i % 3 != 0;
        f->polygon.count = 0;
        for (int k = 0; k < size; k++) {
            const double x = floor(16 * models_random_unit(&random)), y = floor(16 * models_random_unit(&random));
            add(&f->polygon, x, y, is_flat ? x - y : floor(16 * models_random_unit(&random)));
        }
        triangulate(f);
        for (int k = 0; k < 3 * (size - 2); k++) {
            hash = (hash ^ f->triangles[k]) * UINT64_C(1099511628211);
        }
    }
    assert_int_equal(hash, UINT64_C(0x58dd07d32edd2031));
}

/* No memory: refused, and nothing is lost. */
static void *no_memory(void *user, size_t size, size_t alignment)
{
    (void)user;
    (void)size;
    (void)alignment;
    return NULL;
}

static void out_of_memory(void **state)
{
    fixture *f = *state;
    make_star(&f->polygon, 100);
    uint32_t triangles[3 * 98];
    tmb_buffer scratch = {0};
    const tumble_allocator allocator = f->context->allocator;
    f->context->allocator.allocate = no_memory;
    const int result = tmb_triangulate(f->context, &scratch, (const double(*)[3])f->polygon.corners, 100, triangles);
    f->context->allocator = allocator;
    assert_int_equal(result, 0);
    assert_null(scratch.data);
    check_plane_polygon(f, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(quads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(random_simple_polygons, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_start_corner, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stars_combs_and_spirals, set_up, tear_down),
        cmocka_unit_test_setup_teardown(corners_on_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(polygons_in_space, set_up, tear_down),
        cmocka_unit_test_setup_teardown(huge_and_tiny, set_up, tear_down),
        cmocka_unit_test_setup_teardown(needles_in_the_plane, set_up, tear_down),
        cmocka_unit_test_setup_teardown(needles_in_space, set_up, tear_down),
        cmocka_unit_test_setup_teardown(repeated_corners, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bridged_holes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(garbage, set_up, tear_down),
        cmocka_unit_test_setup_teardown(many_corners, set_up, tear_down),
        cmocka_unit_test_setup_teardown(much_garbage, set_up, tear_down),
        cmocka_unit_test_setup_teardown(same_triangles, set_up, tear_down),
        cmocka_unit_test_setup_teardown(out_of_memory, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("triangulate", tests, NULL, NULL);
}
