/* k-DOP trees from inside: the direction sets are the papers', the corners of the unit DOPs divide all directions among
 * them, and every row holds what lies below it, as closely as docs/kdop.md says. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kdop_cases.h"
#include "math/vec3.h"

/* ---- Direction sets ---- */

static void unit_lane(const tmb_kdop_set *set, uint32_t lane, double out[3])
{
    double d[3];
    tmb_kdop_lane(set, lane, d);
    const double length = sqrt(tmb_dot(d, d));
    for (int k = 0; k < 3; k++) {
        out[k] = d[k] / length;
    }
}

/* The solution x of rows . x = values. */
static void solve(double rows[3][3], const double values[3], double x[3])
{
    double c[3][3], determinant = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            c[i][j] = rows[i1][j1] * rows[i2][j2] - rows[i1][j2] * rows[i2][j1];
        }
        determinant += i ? 0 : rows[0][0] * c[0][0] + rows[0][1] * c[0][1] + rows[0][2] * c[0][2];
    }
    assert_true(fabs(determinant) > 0.05);
    for (int j = 0; j < 3; j++) {
        x[j] = (c[0][j] * values[0] + c[1][j] * values[1] + c[2][j] * values[2]) / determinant;
    }
}

/* Section 3.3.3 of Klosowski et al., word for word; the twelve faces of a dodecahedron for Fuenfzig and Fellner. */
static void test_directions(void **state)
{
    (void)state;
    static const double sides[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const double corners[4][3] = {{1, 1, 1}, {1, -1, 1}, {1, 1, -1}, {1, -1, -1}};
    static const double edges[6][3] = {{1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, -1, 0}, {1, 0, -1}, {0, 1, -1}};
    for (int i = 0; i < TEST_KDOPS; i++) {
        const uint32_t k = test_kdops[i];
        const tmb_kdop_set *set = tmb_kdop_set_of(k);
        assert_non_null(set);
        assert_int_equal(set->k, k);
        if (k == 12) {
            continue;
        }
        assert_memory_equal(set->directions, sides, sizeof sides);
        if (k == 14 || k == 26) {
            assert_memory_equal(set->directions + 3, corners, sizeof corners);
        }
        if (k == 18 || k == 26) {
            assert_memory_equal(set->directions + (k == 18 ? 3 : 7), edges, sizeof edges);
        }
    }
    for (uint32_t k = 0; k < 100; k++) {
        const int known = k == 6 || k == 12 || k == 14 || k == 18 || k == 26;
        assert_int_equal(tmb_kdop_set_of(k) != NULL, known);
    }
    /* any two faces of a dodecahedron are at an angle of cosine 1/sqrt(5), but for opposite ones */
    const tmb_kdop_set *twelve = tmb_kdop_set_of(12);
    for (uint32_t i = 0; i < 12; i++) {
        for (uint32_t j = 0; j < i; j++) {
            double a[3], b[3];
            unit_lane(twelve, i, a);
            unit_lane(twelve, j, b);
            const double expected = i / 2 == j / 2 ? -1 : sqrt(0.2);
            assert_true(fabs((i / 2 == j / 2 ? tmb_dot(a, b) : fabs(tmb_dot(a, b))) - expected) < 1e-15);
        }
    }
}

/* Lanes 2 i and 2 i + 1 are opposite, and no two others are the same line. */
static void test_lanes(void **state)
{
    (void)state;
    for (int i = 0; i < TEST_KDOPS; i++) {
        const tmb_kdop_set *set = tmb_kdop_set_of(test_kdops[i]);
        for (uint32_t l = 0; l < set->k; l++) {
            double a[3], b[3];
            tmb_kdop_lane(set, l, a);
            tmb_kdop_lane(set, l ^ 1, b);
            for (int j = 0; j < 3; j++) {
                assert_true(a[j] == -b[j] && a[j] == (l % 2 ? -1 : 1) * set->directions[l / 2][j]);
            }
            assert_true(fabs(a[0]) + fabs(a[1]) + fabs(a[2]) <= 3);
            for (uint32_t other = 0; other < l; other++) {
                double u[3], v[3];
                unit_lane(set, l, u);
                unit_lane(set, other, v);
                assert_true(tmb_dot(u, v) < 0.9);
            }
        }
    }
}

/* ---- Corners of the unit DOPs ---- */

/* Where three planes at distance 1 meet. */
static void corner_of(const tmb_kdop_set *set, uint32_t number, double out[3])
{
    double rows[3][3];
    const double ones[3] = {1, 1, 1};
    for (int i = 0; i < 3; i++) {
        unit_lane(set, set->corners[number][i], rows[i]);
    }
    solve(rows, ones, out);
}

/* A simple polytope with k faces has 2 k - 4 corners. Those in the table are corners, and no two are the same. */
static void test_corners(void **state)
{
    (void)state;
    static const double covers[TEST_KDOPS] = {0.577350, 0.794654, 0.806898, 0.816497, 0.886452};
    for (int i = 0; i < TEST_KDOPS; i++) {
        const tmb_kdop_set *set = tmb_kdop_set_of(test_kdops[i]);
        double farthest = 0, points[2 * TMB_KDOP_MOST][3];
        assert_int_equal(set->corner_count, 2 * set->k - 4);
        for (uint32_t t = 0; t < set->corner_count; t++) {
            corner_of(set, t, points[t]);
            for (uint32_t l = 0; l < set->k; l++) {
                double n[3];
                unit_lane(set, l, n);
                const int of_corner = set->corners[t][0] == l || set->corners[t][1] == l || set->corners[t][2] == l;
                const double height = tmb_dot(n, points[t]);
                assert_true(of_corner ? fabs(height - 1) < 1e-14 : height < 1 - 1e-3);
            }
            for (uint32_t other = 0; other < t; other++) {
                const double d[3] = {points[t][0] - points[other][0], points[t][1] - points[other][1],
                                     points[t][2] - points[other][2]};
                assert_true(tmb_dot(d, d) > 1e-3);
            }
            farthest = fmax(farthest, sqrt(tmb_dot(points[t], points[t])));
        }
        /* the direction that is worst covered is that of the farthest corner (table 1, that of 12 corrected) */
        assert_true(fabs(1 / farthest - covers[i]) < 5e-7);
        assert_true(fabs(1 / farthest - set->cover) < 2e-16);
    }
}

/* Every direction lies in the cone of one corner, on the boundary of two or more. There the coefficients of the three
 * normals are not negative, and among all corners this one lies farthest. */
static void test_cones(void **state)
{
    (void)state;
    test_random random = {1};
    size_t boundaries = 0;
    for (int i = 0; i < TEST_KDOPS; i++) {
        const tmb_kdop_set *set = tmb_kdop_set_of(test_kdops[i]);
        for (size_t n = 0; n < test_count(3000); n++) {
            double u[3];
            for (int k = 0; k < 3; k++) { /* also on planes of symmetry, where many boundaries are */
                u[k] = n % 3 ? test_random_range(&random, -1, 1) : test_random_whole(&random, -3, 3);
            }
            const double length = sqrt(tmb_dot(u, u));
            if (length == 0) {
                continue;
            }
            int inside = 0, nearly = 0;
            double most = -INFINITY, of_cone = -INFINITY;
            for (uint32_t t = 0; t < set->corner_count; t++) {
                double rows[3][3], columns[3][3], c[3], point[3];
                for (int j = 0; j < 3; j++) {
                    tmb_kdop_lane(set, set->corners[t][j], rows[j]);
                    columns[0][j] = rows[j][0], columns[1][j] = rows[j][1], columns[2][j] = rows[j][2];
                }
                solve(columns, u, c);
                corner_of(set, t, point);
                const double least = fmin(c[0], fmin(c[1], c[2])) / length;
                inside += least > 1e-9;
                nearly += least > -1e-9;
                most = fmax(most, tmb_dot(u, point));
                of_cone = least > -1e-9 ? fmax(of_cone, tmb_dot(u, point)) : of_cone;
            }
            assert_true(inside <= 1 && nearly >= 1 && (inside == 0 || nearly == 1));
            assert_true(of_cone >= most - 1e-8 * length);
            assert_true(length / most >= set->cover - 1e-15); /* what `cover` promises */
            boundaries += nearly > 1;
        }
    }
    assert_true(boundaries > test_count(500));
}

/* ---- Rows ---- */

typedef struct survey {
    const tumble_model *model;
    const uint32_t *rows;
    uint32_t k;
    size_t leaves, triangles;
    uint32_t depth, next;
} survey;

/* The least float that docs/kdop.md allows for a maximum, and the greatest. */
static void check_bound(float bound, long double most, const char *name)
{
    const double above = (double)most + 0x1p-50 + 0x1p-51; /* the guard, and what doubles may add to it */
    float limit = (float)above;
    limit = (double)limit < above ? nextafterf(limit, INFINITY) : limit;
    if (!((long double)bound >= most && bound <= limit)) {
        fail_msg("%s: %a is no bound of %La", name, (double)bound, most);
    }
}

static void check_leaf(survey *s, const uint32_t *row, const char *name)
{
    const tmb_kdop_set *set = tmb_kdop_set_of(s->k);
    const tmb_local_frame *frame = &s->model->frame;
    long double most[TMB_KDOP_MOST];
    for (uint32_t l = 0; l < s->k; l++) {
        most[l] = -INFINITY;
    }
    uint32_t address = tmb_kdop_link(s->k, row);
    for (uint32_t i = 0; i < tmb_kdop_count(s->k, row); i++) {
        double corners[3][3];
        tmb_model_corners(s->model, address, corners);
        for (int c = 0; c < 3; c++) {
            for (uint32_t l = 0; l < s->k; l++) {
                double d[3];
                long double height = 0;
                tmb_kdop_lane(set, l, d);
                for (int j = 0; j < 3; j++) {
                    const long double x = ((long double)corners[c][j] - frame->centre[j]) * frame->scale;
                    assert_true(fabsl(x) <= 1);
                    height += d[j] * x;
                }
                most[l] = fmaxl(most[l], height);
            }
        }
        address = tmb_next_triangle(s->model->places, address);
        s->triangles++;
    }
    for (uint32_t l = 0; l < s->k; l++) {
        check_bound(((const float *)row)[l], most[l], name);
    }
}

/* Depth first, in the order in which the rows stand. */
static void check_row(survey *s, uint32_t number, uint32_t depth, const char *name)
{
    const uint32_t *row = tmb_kdop_row(s->rows, s->k, number), count = tmb_kdop_count(s->k, row);
    s->depth = depth > s->depth ? depth : s->depth;
    if (count) {
        assert_true(count <= s->model->block->kdop.leaf);
        s->leaves++;
        check_leaf(s, row, name);
        return;
    }
    const uint32_t children = tmb_kdop_link(s->k, row);
    assert_int_equal(children, s->next);
    s->next += 2;
    check_row(s, children, depth + 1, name);
    check_row(s, children + 1, depth + 1, name);
    const float *bounds = (const float *)row, *left = (const float *)tmb_kdop_row(s->rows, s->k, children);
    const float *right = left + tmb_kdop_words(s->k);
    for (uint32_t l = 0; l < s->k; l++) {
        assert_true(bounds[l] == (left[l] > right[l] ? left[l] : right[l]));
    }
}

static void check_tree(const tumble_model *model, const char *name)
{
    const tmb_block *block = model->block;
    const tumble_model_info info = test_info(model);
    survey s = {.model = model, .rows = model->nodes, .k = block->kdop.k, .next = TMB_KDOP_ROOT + 1};
    assert_int_equal(info.hierarchy, TUMBLE_HIERARCHY_KDOP);
    check_row(&s, TMB_KDOP_ROOT, 0, name);
    assert_int_equal(s.next, block->node_count + 1);
    assert_int_equal(s.triangles, block->triangle_count);
    assert_int_equal(2 * s.leaves - 1, info.node_count);
    assert_int_equal(s.depth, info.depth);
    assert_true(info.depth <= TMB_KDOP_DEPTH);
    assert_true(block->kdop.leaf > 1 || s.leaves == s.triangles);
    for (uint32_t i = 0; i < tmb_kdop_words(s.k); i++) {
        assert_int_equal(s.rows[i], 0);
    }
    for (uint32_t i = 0; i < TMB_KDOP_SLACK; i++) {
        assert_int_equal(tmb_kdop_row(s.rows, s.k, (uint32_t)block->node_count + 1)[i], 0);
    }
}

static void test_rows_of_difficult_sets(void **state)
{
    test_world *w = *state;
    static const size_t counts[] = {1, 2, 3, 41, 300};
    test_random random = {2};
    for (size_t i = 0; i < TEST_SETS; i++) {
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            models_mesh mesh = {0};
            test_sets[i].make(&mesh, &random, counts[c]);
            for (int n = 0; n < TEST_KDOPS; n++) {
                tumble_model_options options = test_any_kdop(&random, test_kdops[n]);
                test_tune(options, kdop.bare_leaves, false); /* test_kdop_bare.c */
                tumble_model *model = test_model(w->context, &mesh, &options);
                char name[100];
                snprintf(name, sizeof name, "%s, %zu triangles, k %u, leaf %u", test_sets[i].name, mesh.polygon_count,
                         options.tuning->kdop.k, options.tuning->kdop.leaf);
                check_tree(model, name);
                tumble_model_destroy(model);
            }
            models_free(&mesh);
        }
    }
}

/* A corner whose projection is a float and a little more, which doubles round off: the bound must be the next one. */
static void test_guard(void **state)
{
    test_world *w = *state;
    for (int n = 0; n < 4 * TEST_KDOPS; n++) {
        const tumble_model_options options = test_kdop_options(test_kdops[n / 4], 1, 0, 0);
        models_mesh mesh = {0};
        for (int sign = -1; sign <= 1; sign += 2) {
            const double x = sign * (n & 1 ? -0.75 : 0.75), y = sign * (n & 2 ? -0.75 : 0.75),
                         z = sign * (0.75 + 0x1p-53);
            const uint32_t corner = models_point(&mesh, x, y, z);
            models_triangle(&mesh, corner, corner, corner);
        }
        tumble_model *model = test_model(w->context, &mesh, &options);
        assert_true(model->frame.scale == 1 && model->frame.centre[2] == 0);
        check_tree(model, "corners that round off");
        tumble_model_destroy(model);
        models_free(&mesh);
    }
}

/* Any number of threads builds the same, and a model whose points stay where they are stays the same. */
static void test_threads_and_deformation(void **state)
{
    test_world *w = *state;
    test_random random = {3};
    models_mesh mesh;
    assert_true(models_make_sized(&mesh, "knot", 6000));
    for (int i = 0; i < TEST_KDOPS; i++) {
        tumble_model_options options = test_kdop_options(test_kdops[i], test_kdop_leaves[i], 0, 0);
        tumble_model *models[2];
        for (int t = 0; t < 2; t++) {
            options.thread_count = t ? 3 : 1;
            models[t] = test_model(w->context, &mesh, &options);
        }
        check_tree(models[0], "a knot");
        test_assert_same_blocks(models[0], models[1]);
        tumble_model *moved = NULL;
        tumble_mesh view = models_view(&mesh);
        test_assert_status(w->context, tumble_model_deform(models[0], &view, &moved), TUMBLE_OK, "");
        test_assert_same_blocks(models[0], moved);
        double *points = malloc(3 * mesh.point_count * sizeof *points);
        assert_non_null(points);
        for (size_t k = 0; k < 3 * mesh.point_count; k++) {
            points[k] = mesh.points[k] * (k % 3 ? 3 : 0.5) + test_random_unit(&random);
        }
        view.points = points;
        test_assert_status(w->context, tumble_model_deform(models[0], &view, &moved), TUMBLE_OK, "");
        check_tree(moved, "a moved knot");
        free(points);
        tumble_model_destroy(moved);
        tumble_model_destroy(models[0]);
        tumble_model_destroy(models[1]);
    }
    models_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_directions),
        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_corners),
        cmocka_unit_test(test_cones),
        TEST_IN_WORLD(test_rows_of_difficult_sets),
        TEST_IN_WORLD(test_guard),
        TEST_IN_WORLD(test_threads_and_deformation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
