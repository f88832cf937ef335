/* Connected parts of meshes, against shapes whose parts are known and against a plain search of all pairs of polygons.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes.h"

#define FULL_TURN 6.28318530717958647692

/* ---- Helpers ---- */

static uint32_t components(tumble_context *context, const tumble_mesh *mesh, double crease, uint32_t *ids)
{
    uint32_t count = UINT32_MAX;
    const tumble_status status = tumble_mesh_components(context, mesh, crease, ids, &count);
    if (status != TUMBLE_OK) {
        fail_msg("%s", test_message(context));
    }
    return count;
}

/* How many there are; the mesh's surface ids become what they are. */
static uint32_t parts_of(tumble_context *context, models_mesh *mesh, double crease)
{
    const tumble_mesh view = models_view(mesh);
    return components(context, &view, crease, mesh->surface_ids);
}

/* The numbers start at 0, and each new one is the next. */
static void check_numbers(const uint32_t *ids, size_t polygons, uint32_t count)
{
    uint32_t next = 0;
    for (size_t i = 0; i < polygons; i++) {
        assert_true(ids[i] <= next);
        next += ids[i] == next;
    }
    assert_int_equal(next, count);
}

static uint32_t corner(models_mesh *mesh, int n, const double shift[3])
{
    return models_point(mesh, shift[0] + (n & 1), shift[1] + (n >> 1 & 1), shift[2] + (n >> 2 & 1));
}

/* A cube of side 1: its faces as squares or as two triangles, with points of their own or common ones. */
static void add_cube(models_mesh *mesh, double x, double y, double z, int triangles, int own_points)
{
    static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    const double shift[3] = {x, y, z};
    uint32_t common[8];
    for (int i = 0; i < 8; i++) {
        common[i] = own_points ? 0 : corner(mesh, i, shift);
    }
    for (int f = 0; f < 6; f++) {
        uint32_t c[4];
        for (int k = 0; k < 4; k++) {
            c[k] = own_points ? corner(mesh, faces[f][k], shift) : common[faces[f][k]];
        }
        if (triangles) {
            models_triangle(mesh, c[0], c[1], c[2]);
            models_triangle(mesh, c[0], c[2], c[3]);
        } else {
            models_quad(mesh, c[0], c[1], c[2], c[3]);
        }
    }
}

/* Turns some of the polygons around. */
static void turn_polygons(models_mesh *mesh, test_random *random)
{
    for (size_t i = 0, at = 0; i < mesh->polygon_count; at += mesh->polygon_sizes[i++]) {
        for (uint32_t k = 0; test_random_chance(random, 0.5) && k < mesh->polygon_sizes[i] / 2; k++) {
            uint32_t *one = &mesh->indices[at + k], *other = &mesh->indices[at + mesh->polygon_sizes[i] - 1 - k];
            const uint32_t index = *one;
            *one = *other;
            *other = index;
        }
    }
}

/* ---- Shapes ---- */

static void test_cube(void **state)
{
    test_world *w = *state;
    test_random random = {1};
    for (unsigned choice = 0; choice < 8; choice++) {
        for (int turned = 0; turned < 3; turned++) {
            models_mesh mesh = {0};
            add_cube(&mesh, 3, -2, 0.5, choice & 1, choice >> 1 & 1);
            const tumble_pose pose = test_rational_turn(&random);
            for (size_t i = 0; turned == 2 && i < mesh.point_count; i++) {
                double p[3];
                tumble_pose_apply(&pose, mesh.points + 3 * i, p);
                memcpy(mesh.points + 3 * i, p, sizeof p);
            }
            if (choice & 4) {
                turn_polygons(&mesh, &random);
            }
            static const struct {
                double crease;
                uint32_t parts;
            } cases[] = {{0, 6}, {30, 6}, {89.9, 6}, {90, 1}, {91, 1}, {180, 1}};
            for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
                assert_int_equal(parts_of(w->context, &mesh, cases[i].crease), cases[i].parts);
                check_numbers(mesh.surface_ids, mesh.polygon_count, cases[i].parts);
            }
            parts_of(w->context, &mesh, 30);
            for (size_t i = 0; i < mesh.polygon_count; i++) {
                assert_int_equal(mesh.surface_ids[i], choice & 1 ? i / 2 : i);
            }
            models_free(&mesh);
        }
    }
}

/* Cubes that have a corner, an edge or a face in common, or nothing. */
static void test_two_cubes(void **state)
{
    test_world *w = *state;
    static const struct {
        double x, y, z;
        uint32_t plain, creased;
    } cases[] = {{5, 0, 0, 2, 12},   {1, 1, 1, 2, 12}, {1, 1, 0, 1, 10}, /* two faces go on behind the edge */
                 {1, 0, 0, 1, 8},    /* four do; the two that lie on each other stay apart */
                 {0.5, 0, 0, 2, 12}, /* no edge is the same */
                 {0, 0, 0, 1, 12}};  /* each lies on its twin */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int triangles = 0; triangles < 2; triangles++) {
            models_mesh mesh = {0};
            add_cube(&mesh, 0, 0, 0, 0, triangles);
            add_cube(&mesh, cases[i].x, cases[i].y, cases[i].z, 0, 1);
            assert_int_equal(parts_of(w->context, &mesh, 180), cases[i].plain);
            assert_int_equal(parts_of(w->context, &mesh, 30), cases[i].creased);
            models_free(&mesh);
        }
    }
}

static void test_round_shapes(void **state)
{
    test_world *w = *state;
    static const struct {
        const char *shape;
        double crease;
        uint32_t parts;
    } cases[] = {{"sphere", 30, 1},   {"sphere", 180, 1}, {"torus", 30, 1},     {"cylinder", 180, 1},
                 {"cylinder", 60, 3}, {"cone", 60, 2},    {"tetrahedra", 20, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        models_mesh mesh;
        assert_true(models_make_sized(&mesh, cases[i].shape, 4000));
        const uint32_t expected = cases[i].parts ? cases[i].parts : (uint32_t)mesh.polygon_count;
        assert_int_equal(parts_of(w->context, &mesh, cases[i].crease), expected);
        models_free(&mesh);
    }
    models_mesh pipes;
    assert_true(models_make_sized(&pipes, "tetrahedra", 4000));
    assert_int_equal(parts_of(w->context, &pipes, 180), pipes.polygon_count / 4);
    models_free(&pipes);
}

/* Triangles without a common edge: each is a part. */
static void test_soup(void **state)
{
    test_world *w = *state;
    test_random random = {3};
    models_mesh mesh = {0};
    test_make_soup(&mesh, &random, 500, 1);
    assert_int_equal(parts_of(w->context, &mesh, 180), 500);
    for (size_t i = 0; i < 500; i++) {
        assert_int_equal(mesh.surface_ids[i], i);
    }
    models_free(&mesh);
}

/* Pages of a book: half-planes around one edge, in any order and turned either way. */
static void make_book(models_mesh *mesh, test_random *random, size_t pages)
{
    size_t *order = malloc(pages * sizeof *order);
    assert_non_null(order);
    for (size_t i = 0; i < pages; i++) {
        const size_t j = test_random_bits(random) % (i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    const uint32_t low = models_point(mesh, 0, 0, -1), high = models_point(mesh, 0, 0, 1);
    for (size_t i = 0; i < pages; i++) {
        const double angle = FULL_TURN * (double)order[i] / (double)pages;
        const uint32_t tip = models_point(mesh, cos(angle), sin(angle), 0);
        const int turned = test_random_chance(random, 0.5);
        models_triangle(mesh, turned ? high : low, turned ? low : high, tip);
        mesh->surface_ids[i] = (uint32_t)order[i];
    }
    free(order);
}

static void test_books(void **state)
{
    test_world *w = *state;
    test_random random = {4};
    static const struct {
        size_t pages;
        double crease;
        uint32_t parts;
    } cases[] = {{3, 59, 3}, {3, 61, 1},      {4, 1, 2},   {4, 89, 2},        {4, 91, 1},    {5, 35, 5},
                 {5, 37, 1}, {8, 44, 4},      {8, 46, 1},  {9, 19, 9},        {9, 21, 1},    {1, 0, 1},
                 {2, 0, 1},  {200, 1.7, 100}, {200, 2, 1}, {1001, 0.1, 1001}, {1001, 0.2, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        models_mesh mesh = {0};
        make_book(&mesh, &random, cases[i].pages);
        assert_int_equal(parts_of(w->context, &mesh, 180), 1);
        if (parts_of(w->context, &mesh, cases[i].crease) != cases[i].parts) {
            fail_msg("%zu pages, crease %g: not %u parts", cases[i].pages, cases[i].crease, cases[i].parts);
        }
        models_free(&mesh);
    }
}

/* So many polygons at one edge that to compare each two would take minutes. */
static void test_many_pages(void **state)
{
    test_world *w = *state;
    test_random random = {5};
    const size_t pages = 2 * test_count(100000);
    models_mesh mesh = {0};
    make_book(&mesh, &random, pages);
    uint32_t *order = malloc(pages * sizeof *order);
    memcpy(order, mesh.surface_ids, pages * sizeof *order);
    assert_int_equal(parts_of(w->context, &mesh, 0), pages / 2); /* each with the opposite one */
    uint32_t *opposite = calloc(pages / 2, sizeof *opposite);
    for (size_t i = 0; i < pages; i++) {
        uint32_t *id = &opposite[order[i] % (pages / 2)];
        assert_true(*id == 0 || *id == mesh.surface_ids[i] + 1);
        *id = mesh.surface_ids[i] + 1;
    }
    assert_int_equal(parts_of(w->context, &mesh, 1), 1);
    free(order), free(opposite);
    models_free(&mesh);
}

/* ---- Polygons without area ---- */

/* A triangle against two smaller ones, with a third point on its edge, and between them a triangle without area. The
 * smaller ones are folded up by an angle about that edge. */
static void make_crack(models_mesh *mesh, double angle, int filled)
{
    const double up = sin(angle), out = cos(angle);
    const uint32_t a = models_point(mesh, 0, 0, 0), b = models_point(mesh, 2, 0, 0), c = models_point(mesh, 1, 0, 0);
    const uint32_t below = models_point(mesh, 1, -1, 0), above = models_point(mesh, 1, out, up);
    if (filled) {
        models_triangle(mesh, a, c, b);
    }
    models_triangle(mesh, a, below, b);
    models_triangle(mesh, a, c, above);
    models_triangle(mesh, c, b, above);
}

static void test_cracks(void **state)
{
    test_world *w = *state;
    static const struct {
        double angle, crease;
        uint32_t with, without;
    } cases[] = {{0, 180, 1, 2}, {0, 10, 1, 2}, {20, 10, 2, 2}, {20, 30, 1, 2}, {90, 10, 2, 2}, {170, 180, 1, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int filled = 0; filled < 2; filled++) {
            models_mesh mesh = {0};
            make_crack(&mesh, cases[i].angle / 360 * FULL_TURN, filled);
            assert_int_equal(parts_of(w->context, &mesh, cases[i].crease), filled ? cases[i].with : cases[i].without);
            check_numbers(mesh.surface_ids, mesh.polygon_count, filled ? cases[i].with : cases[i].without);
            if (filled) {
                assert_int_equal(mesh.surface_ids[0], mesh.surface_ids[1]); /* with the first that it touches */
            }
            models_free(&mesh);
        }
    }
}

/* Segments and points as polygons, by themselves and between others. */
static void test_degenerate(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    const uint32_t a = models_point(&mesh, 0, 0, 0), b = models_point(&mesh, 1, 0, 0), c = models_point(&mesh, 3, 0, 0);
    const uint32_t d = models_point(&mesh, 0, 1, 0), e = models_point(&mesh, 0, 0, 1),
                   also_a = models_point(&mesh, -0.0, 0, 0);
    models_triangle(&mesh, a, a, a);
    models_triangle(&mesh, a, also_a, a);
    models_triangle(&mesh, a, a, b);
    models_triangle(&mesh, b, a, b);
    models_triangle(&mesh, a, b, c);
    models_quad(&mesh, c, c, a, a);
    for (int i = 0; i < 2; i++) {
        static const uint32_t expected[] = {0, 1, 2, 2, 2, 2};
        assert_int_equal(parts_of(w->context, &mesh, i ? 180 : 10), 3);
        assert_memory_equal(mesh.surface_ids, expected, sizeof expected);
    }
    /* two faces at the segment's edges, at a right angle to each other */
    models_triangle(&mesh, a, d, b);
    models_triangle(&mesh, c, e, a);
    assert_int_equal(parts_of(w->context, &mesh, 180), 3);
    assert_int_equal(parts_of(w->context, &mesh, 10), 4);
    assert_int_equal(mesh.surface_ids[6], 2);
    assert_int_equal(mesh.surface_ids[7], 3);
    assert_int_equal(parts_of(w->context, &mesh, 91), 3);
    models_free(&mesh);
}

/* A bow tie has no area on the whole, and a direction all the same. */
static void test_crossing_polygon(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    const uint32_t a = models_point(&mesh, 0, 0, 0), b = models_point(&mesh, 1, 0, 0), c = models_point(&mesh, 1, 1, 0),
                   d = models_point(&mesh, 0, 1, 0), up = models_point(&mesh, 0.5, 0, 1),
                   out = models_point(&mesh, 0.5, -1, 0);
    models_quad(&mesh, a, b, d, c);
    models_triangle(&mesh, a, b, up);
    models_triangle(&mesh, b, a, out);
    assert_int_equal(parts_of(w->context, &mesh, 180), 1);
    assert_int_equal(parts_of(w->context, &mesh, 10), 2);
    models_free(&mesh);
}

/* Coordinates of every size: all differences and products stay finite, and nothing becomes 0. */
static void test_magnitudes(void **state)
{
    test_world *w = *state;
    static const double scales[] = {1e308, 1e200, 1e-200, 1e-300, 0x1p-1060, 0x1p1022};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        models_mesh mesh = {0};
        add_cube(&mesh, -0.5, -0.5, -0.5, 1, 1);
        const double shift[3] = {0, 0, 0};
        test_transform(&mesh, scales[i], shift);
        for (size_t k = 0; i == 0 && k < 3 * mesh.point_count; k++) {
            mesh.points[k] *= 3; /* differences of 3e308 */
        }
        assert_int_equal(parts_of(w->context, &mesh, 180), 1);
        assert_int_equal(parts_of(w->context, &mesh, 30), 6);
        models_free(&mesh);
    }
    models_mesh mesh = {0}; /* a small cube beside large points */
    add_cube(&mesh, 0, 0, 0, 1, 1);
    for (size_t i = 0; i < 3 * mesh.point_count; i++) {
        mesh.points[i] *= 1e-300;
    }
    models_triangle(&mesh, models_point(&mesh, DBL_MAX, 0, 0), models_point(&mesh, -DBL_MAX, 0, 1),
                    models_point(&mesh, 0, DBL_MAX, 0));
    assert_int_equal(parts_of(w->context, &mesh, 30), 7);
    models_free(&mesh);
}

/* ---- A plain search ---- */

/* Union-find without any care for speed. */
static uint32_t root_of(const uint32_t *parents, uint32_t i)
{
    while (parents[i] != i) {
        i = parents[i];
    }
    return i;
}

static void unite(uint32_t *parents, uint32_t a, uint32_t b)
{
    a = root_of(parents, a), b = root_of(parents, b);
    parents[a > b ? a : b] = a > b ? b : a;
}

/* An edge of a triangle: its ends, the smaller point first, and the third corner. */
typedef struct plain_edge {
    const double *from, *to, *third;
    uint32_t polygon;
    uint32_t line; /* edges that triangles without area make one have the same root */
} plain_edge;

static int point_order(const double *a, const double *b)
{
    for (int k = 0; k < 3; k++) {
        if (a[k] != b[k]) {
            return a[k] < b[k] ? -1 : 1;
        }
    }
    return 0;
}

/* The direction in which the triangle leaves the edge, at a right angle to it; 0 when it has no area. */
static double leave(const plain_edge *e, double out[3])
{
    double d[3], h[3], dd = 0, dh = 0, length = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = e->to[k] - e->from[k];
        h[k] = e->third[k] - e->from[k];
        dd += d[k] * d[k];
        dh += d[k] * h[k];
    }
    for (int k = 0; k < 3; k++) {
        out[k] = h[k] - dh / dd * d[k];
        length += out[k] * out[k];
    }
    return sqrt(length) < 1e-9 ? 0 : sqrt(length);
}

static double bend(const plain_edge *a, const plain_edge *b)
{
    double u[3], v[3];
    const double lengths = leave(a, u) * leave(b, v);
    const double cosine = (u[0] * v[0] + u[1] * v[1] + u[2] * v[2]) / lengths;
    return 180 - acos(fmax(-1, fmin(1, cosine))) * 360 / FULL_TURN;
}

static size_t list_edges(const models_mesh *mesh, plain_edge *edges)
{
    size_t count = 0;
    for (uint32_t i = 0; i < mesh->polygon_count; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            const double *p[3];
            for (uint32_t n = 0; n < 3; n++) {
                p[n] = mesh->points + 3 * (size_t)mesh->indices[3 * (size_t)i + (k + n) % 3];
            }
            const int order = point_order(p[0], p[1]);
            if (order != 0) {
                edges[count] = (plain_edge){order < 0 ? p[0] : p[1], order < 0 ? p[1] : p[0], p[2], i, (uint32_t)count};
                count++;
            }
        }
    }
    return count;
}

static int is_same_edge(const plain_edge *a, const plain_edge *b)
{
    return point_order(a->from, b->from) == 0 && point_order(a->to, b->to) == 0;
}

/* The parts of a mesh of triangles, from the definition. */
static void search_parts(const models_mesh *mesh, double crease, uint32_t *parents)
{
    plain_edge *edges = malloc(3 * mesh->polygon_count * sizeof *edges);
    uint32_t *lines = malloc(3 * mesh->polygon_count * sizeof *lines);
    assert_true(edges && lines);
    const size_t count = list_edges(mesh, edges);
    for (uint32_t i = 0; i < mesh->polygon_count; i++) {
        parents[i] = i;
    }
    for (uint32_t i = 0; i < count; i++) {
        lines[i] = i;
    }
    double unused[3];
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            const int same = is_same_edge(&edges[i], &edges[k]), thin = leave(&edges[i], unused) == 0;
            if (same || (thin && edges[i].polygon == edges[k].polygon)) {
                unite(lines, i, k);
            }
            if (same && thin && leave(&edges[k], unused) == 0) {
                unite(parents, edges[i].polygon, edges[k].polygon);
            }
        }
    }
    uint32_t *firsts = malloc((count + 1) * sizeof *firsts), *thins = malloc((count + 1) * sizeof *thins);
    memset(firsts, 0xff, count * sizeof *firsts);
    memset(thins, 0xff, count * sizeof *thins);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t line = root_of(lines, i);
        if (leave(&edges[i], unused) == 0) {
            thins[line] = edges[i].polygon;
            continue;
        }
        firsts[line] = edges[i].polygon < firsts[line] ? edges[i].polygon : firsts[line];
        for (uint32_t k = 0; k < i; k++) {
            if (root_of(lines, k) == line && leave(&edges[k], unused) > 0 && bend(&edges[i], &edges[k]) <= crease) {
                unite(parents, edges[i].polygon, edges[k].polygon);
            }
        }
    }
    for (uint32_t i = 0; i < count; i++) { /* last, so that it joins nothing else */
        if (thins[i] != UINT32_MAX && firsts[i] != UINT32_MAX) {
            unite(parents, thins[i], firsts[i]);
        }
    }
    free(edges), free(lines), free(firsts), free(thins);
}

static void compare_with_search(test_world *w, models_mesh *mesh, double crease, const char *what, size_t number)
{
    uint32_t *parents = malloc((mesh->polygon_count + 1) * sizeof *parents), next = 0;
    uint32_t *expected = malloc((mesh->polygon_count + 1) * sizeof *expected);
    assert_true(parents && expected);
    search_parts(mesh, crease, parents);
    const uint32_t found = parts_of(w->context, mesh, crease);
    for (uint32_t i = 0; i < mesh->polygon_count; i++) {
        const uint32_t root = root_of(parents, i);
        expected[i] = root == i ? next++ : expected[root];
        if (mesh->surface_ids[i] != expected[i]) {
            fail_msg("%s %zu, crease %g: polygon %u is of part %u, not %u", what, number, crease, i,
                     mesh->surface_ids[i], expected[i]);
        }
    }
    assert_int_equal(found, next);
    free(parents), free(expected);
}

/* Triangles between a few points of a small grid: many common edges, each of any number of triangles, and many without
 * area, some of which lie on one line. */
static void make_tangle(models_mesh *mesh, test_random *random)
{
    const int points = test_random_whole(random, 3, 16), range = test_random_whole(random, 1, 3);
    const int triangles = test_random_whole(random, 1, 60);
    for (int i = 0; i < points; i++) {
        const int x = test_random_whole(random, 0, range), y = test_random_whole(random, 0, range);
        models_point(mesh, x, y, test_random_whole(random, 0, range));
    }
    for (int i = 0; i < triangles; i++) {
        uint32_t corners[3];
        for (int k = 0; k < 3; k++) {
            corners[k] = (uint32_t)test_random_whole(random, 0, points - 1);
        }
        models_triangle(mesh, corners[0], corners[1], corners[2]);
    }
}

/* No angle between planes of such triangles is one of the creases. */
static void test_tangles(void **state)
{
    test_world *w = *state;
    test_random random = {7};
    static const double creases[] = {1, 20.001, 44.9, 46, 61.2, 89.9, 91, 133.3, 179.9, 180};
    size_t parts = 0, polygons = 0;
    for (size_t i = 0; i < test_count(3000); i++) {
        models_mesh mesh = {0};
        make_tangle(&mesh, &random);
        const double crease = creases[test_random_bits(&random) % (sizeof creases / sizeof *creases)];
        compare_with_search(w, &mesh, crease, "tangle", i);
        check_numbers(mesh.surface_ids, mesh.polygon_count, parts_of(w->context, &mesh, crease));
        parts += parts_of(w->context, &mesh, crease);
        polygons += mesh.polygon_count;
        models_free(&mesh);
    }
    assert_true(parts > polygons / 10 && parts < polygons / 2);
}

static void test_shapes_with_search(void **state)
{
    test_world *w = *state;
    static const double creases[] = {0.5, 12.3, 31.7, 77.7, 123.4, 180};
    for (const models_shape *shape = models_shapes(); shape->name; shape++) {
        models_mesh mesh;
        if (!test_make_shape(&mesh, shape, 300) || models_triangle_count(&mesh) != mesh.polygon_count ||
            mesh.polygon_count > 800) {
            models_free(&mesh);
            continue;
        }
        for (size_t i = 0; i < sizeof creases / sizeof *creases; i++) {
            compare_with_search(w, &mesh, creases[i], shape->name, i);
        }
        models_free(&mesh);
    }
}

/* ---- How it is asked ---- */

/* Floats, strides, indices that are no points of the mesh's beginning: the same answer. Polygons in another order: the
 * same parts. */
static void test_forms(void **state)
{
    test_world *w = *state;
    models_mesh mesh;
    assert_true(models_make_sized(&mesh, "gear", 2000));
    for (size_t i = 0; i < 3 * mesh.point_count; i++) {
        mesh.points[i] = (double)(float)mesh.points[i];
    }
    const uint32_t count = parts_of(w->context, &mesh, 25);
    assert_true(count > 10);
    float *floats = malloc(5 * mesh.point_count * sizeof *floats);
    for (size_t i = 0; i < mesh.point_count; i++) {
        for (size_t k = 0; k < 3; k++) {
            floats[5 * i + k] = (float)mesh.points[3 * i + k];
        }
        floats[5 * i + 3] = floats[5 * i + 4] = NAN;
    }
    tumble_mesh view = models_view(&mesh);
    view.points = NULL;
    view.points_float = floats;
    view.point_stride = 5 * sizeof *floats;
    uint32_t *ids = malloc(mesh.polygon_count * sizeof *ids);
    assert_int_equal(components(w->context, &view, 25, ids), count);
    assert_memory_equal(ids, mesh.surface_ids, mesh.polygon_count * sizeof *ids);

    models_mesh reversed = {0};
    for (size_t i = 0; i < mesh.point_count; i++) {
        models_point(&reversed, mesh.points[3 * i], mesh.points[3 * i + 1], mesh.points[3 * i + 2]);
    }
    for (size_t i = mesh.index_count, k = mesh.polygon_count; k-- > 0;) {
        i -= mesh.polygon_sizes[k];
        models_polygon(&reversed, mesh.indices + i, mesh.polygon_sizes[k]);
    }
    assert_int_equal(parts_of(w->context, &reversed, 25), count);
    uint32_t *other = malloc(count * sizeof *other);
    memset(other, 0xff, count * sizeof *other);
    for (size_t i = 0; i < mesh.polygon_count; i++) {
        uint32_t *same = &other[ids[i]];
        const uint32_t id = reversed.surface_ids[mesh.polygon_count - 1 - i];
        assert_true(*same == UINT32_MAX || *same == id);
        *same = id;
    }
    free(floats), free(ids), free(other);
    models_free(&mesh);
    models_free(&reversed);
}

static void test_arguments(void **state)
{
    test_world *w = *state;
    tumble_context *c = w->context;
    models_mesh cube = {0};
    add_cube(&cube, 0, 0, 0, 1, 0);
    tumble_mesh mesh = models_view(&cube);
    uint32_t ids[12], before[12], count = 77;
    memset(ids, 0x33, sizeof ids);
    memcpy(before, ids, sizeof ids);
    assert_int_equal(tumble_mesh_components(NULL, &mesh, 180, ids, &count), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(c, tumble_mesh_components(c, NULL, 180, ids, &count), TUMBLE_ERROR_ARGUMENT, "mesh");
    test_assert_status(c, tumble_mesh_components(c, &mesh, 180, NULL, &count), TUMBLE_ERROR_ARGUMENT, "ids");
    static const double bad[] = {-1e-9, 180.0000001, NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        test_assert_status(c, tumble_mesh_components(c, &mesh, bad[i], ids, &count), TUMBLE_ERROR_ARGUMENT, "crease");
    }
    const double x = cube.points[4];
    cube.points[4] = NAN;
    test_assert_status(c, tumble_mesh_components(c, &mesh, 180, ids, &count), TUMBLE_ERROR_NOT_FINITE, "point 1");
    cube.points[4] = x;
    cube.indices[5] = 8;
    test_assert_status(c, tumble_mesh_components(c, &mesh, 180, ids, &count), TUMBLE_ERROR_INDEX, "polygon 1");
    assert_memory_equal(ids, before, sizeof ids);
    assert_int_equal(count, 77);
    models_free(&cube);

    mesh = tumble_default_mesh();
    assert_int_equal(tumble_mesh_components(c, &mesh, 180, NULL, &count), TUMBLE_OK);
    assert_int_equal(count, 0);
    models_mesh one = {0};
    add_cube(&one, 0, 0, 0, 0, 0);
    mesh = models_view(&one);
    assert_int_equal(tumble_mesh_components(c, &mesh, 180, ids, NULL), TUMBLE_OK);
    assert_int_equal(ids[5], 0);
    models_free(&one);
}

/* Every allocation fails once, and once with all that follow it. */
static void test_memory(void **state)
{
    test_world *w = *state;
    test_random random = {9};
    models_mesh mesh = {0};
    make_tangle(&mesh, &random);
    const tumble_mesh view = models_view(&mesh);
    for (int crease = 20; crease <= 180; crease += 160) {
        const uint32_t expected = parts_of(w->context, &mesh, crease);
        uint32_t *ids = malloc(mesh.polygon_count * sizeof *ids), count;
        for (int forever = 0; forever < 2; forever++) {
            size_t failures = 1;
            for (size_t n = 1; failures; n++) {
                memset(ids, 0x44, mesh.polygon_count * sizeof *ids);
                count = 5;
                const size_t live = test_allocator_live(&w->memory);
                test_allocator_fail(&w->memory, n, forever);
                const tumble_status status = tumble_mesh_components(w->context, &view, crease, ids, &count);
                failures = test_allocator_failures(&w->memory);
                test_allocator_fail(&w->memory, 0, 0);
                assert_int_equal(test_allocator_live(&w->memory), live);
                assert_int_equal(status, failures ? TUMBLE_ERROR_MEMORY : TUMBLE_OK);
                assert_int_equal(count, failures ? 5 : expected);
                assert_true(!failures || ids[0] == 0x44444444);
                assert_true(failures || n > 2);
            }
            assert_memory_equal(ids, mesh.surface_ids, mesh.polygon_count * sizeof *ids);
        }
        free(ids);
    }
    models_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_cube),       TEST_IN_WORLD(test_two_cubes),  TEST_IN_WORLD(test_round_shapes),
        TEST_IN_WORLD(test_soup),       TEST_IN_WORLD(test_books),      TEST_IN_WORLD(test_many_pages),
        TEST_IN_WORLD(test_cracks),     TEST_IN_WORLD(test_degenerate), TEST_IN_WORLD(test_crossing_polygon),
        TEST_IN_WORLD(test_magnitudes), TEST_IN_WORLD(test_tangles),    TEST_IN_WORLD(test_shapes_with_search),
        TEST_IN_WORLD(test_forms),      TEST_IN_WORLD(test_arguments),  TEST_IN_WORLD(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
