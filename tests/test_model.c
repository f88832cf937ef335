/* Models: round-trips to the bit, and the information about a model. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes.h"

/* ---- What goes in comes out ---- */

/* Every triangle of a triangle mesh is there once, with its own corners in their order. */
static void check_triangles(const tumble_model *model, const models_mesh *mesh)
{
    const size_t count = mesh->polygon_count;
    unsigned char *seen = calloc(count + 1, 1);
    assert_int_equal(test_info(model).triangle_count, count);
    for (uint32_t i = 0; i < count; i++) {
        double corners[3][3];
        uint32_t polygon;
        assert_int_equal(tumble_model_triangle(model, i, corners, &polygon), TUMBLE_OK);
        assert_true(polygon < count && !seen[polygon]);
        seen[polygon] = 1;
        for (size_t k = 0; k < 3; k++) {
            assert_memory_equal(corners[k], mesh->points + 3 * (size_t)mesh->indices[3 * (size_t)polygon + k],
                                sizeof corners[k]);
        }
    }
    free(seen);
}

static void newell(const models_mesh *mesh, const uint32_t *corners, uint32_t count, double out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double *p = mesh->points + 3 * (size_t)corners[i],
                     *q = mesh->points + 3 * (size_t)corners[(i + 1) % count];
        for (int k = 0; k < 3; k++) {
            out[k] += (p[(k + 1) % 3] * q[(k + 2) % 3] - p[(k + 2) % 3] * q[(k + 1) % 3]) / 2;
        }
    }
}

static void triangle_area(double c[3][3], double out[3])
{
    for (int k = 0; k < 3; k++) {
        const int y = (k + 1) % 3, z = (k + 2) % 3;
        out[k] = ((c[1][y] - c[0][y]) * (c[2][z] - c[0][z]) - (c[1][z] - c[0][z]) * (c[2][y] - c[0][y])) / 2;
    }
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static int is_corner_of(const models_mesh *mesh, const uint32_t *corners, uint32_t count, const double p[3])
{
    for (uint32_t i = 0; i < count; i++) {
        if (memcmp(mesh->points + 3 * (size_t)corners[i], p, 3 * sizeof *p) == 0) {
            return 1;
        }
    }
    return 0;
}

/* A flat polygon of n corners has n - 2 triangles with its corners, whose areas add up to its own, none turned over. */
static void check_polygons(const tumble_model *model, const models_mesh *mesh)
{
    const size_t count = mesh->polygon_count;
    uint32_t *triangles = calloc(count + 1, sizeof *triangles);
    size_t *starts = calloc(count + 1, sizeof *starts);
    double(*sums)[3] = calloc(count + 1, sizeof *sums), *areas = calloc(count + 1, sizeof *areas);
    for (size_t i = 0; i < count; i++) {
        starts[i + 1] = starts[i] + mesh->polygon_sizes[i];
    }
    const tumble_model_info info = test_info(model);
    assert_int_equal(info.polygon_count, count);
    assert_int_equal(info.triangle_count, models_triangle_count(mesh));
    for (uint32_t i = 0; i < info.triangle_count; i++) {
        double corners[3][3], area[3];
        uint32_t polygon;
        assert_int_equal(tumble_model_triangle(model, i, corners, &polygon), TUMBLE_OK);
        assert_true(polygon < count);
        triangles[polygon]++;
        triangle_area(corners, area);
        areas[polygon] += length(area);
        for (int k = 0; k < 3; k++) {
            sums[polygon][k] += area[k];
            const uint32_t size = mesh->polygon_sizes[polygon];
            assert_true((size > 100 && i % 32) ||
                        is_corner_of(mesh, mesh->indices + starts[polygon], size, corners[k]));
        }
    }
    for (size_t i = 0; i < count; i++) {
        double whole[3];
        newell(mesh, mesh->indices + starts[i], mesh->polygon_sizes[i], whole);
        assert_int_equal(triangles[i], mesh->polygon_sizes[i] - 2);
        assert_true(fabs(areas[i] - length(whole)) <= 1e-9 * (1 + areas[i]));
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(sums[i][k] - whole[k]) <= 1e-9 * (1 + areas[i]));
        }
    }
    free(triangles), free(starts), free(sums), free(areas);
}

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static size_t distinct_surfaces(const models_mesh *mesh)
{
    size_t count = 0;
    uint32_t *sorted = malloc((mesh->polygon_count + 1) * sizeof *sorted);
    assert_non_null(sorted);
    memcpy(sorted, mesh->surface_ids, mesh->polygon_count * sizeof *sorted);
    qsort(sorted, mesh->polygon_count, sizeof *sorted, compare_numbers);
    for (size_t i = 0; i < mesh->polygon_count; i++) {
        count += i == 0 || sorted[i] != sorted[i - 1];
    }
    free(sorted);
    return count;
}

static int is_float_mesh(const models_mesh *mesh)
{
    for (size_t i = 0; i < mesh->index_count; i++) {
        for (size_t k = 0; k < 3; k++) {
            volatile float rounded = (float)mesh->points[3 * (size_t)mesh->indices[i] + k];
            if ((double)rounded != mesh->points[3 * (size_t)mesh->indices[i] + k]) {
                return 0;
            }
        }
    }
    return 1;
}

static void assert_nine_bytes(const tumble_model_info *info, const char *shape, const char *variant)
{
    if (info->hierarchy_bytes > 9 * info->node_count) {
        fail_msg("%s, %llu triangles, %s: %.2f bytes per node", shape, (unsigned long long)info->triangle_count,
                 variant, (double)info->hierarchy_bytes / (double)info->node_count);
    }
}

static void check_kdop_info(const tumble_model *model, const tumble_model_info *info,
                            const tumble_kdop_options *options)
{
    const uint64_t triangles = info->triangle_count, leaves = (info->node_count + 1) / 2;
    const int keeps = options->tumble == TUMBLE_KDOP_TUMBLE_LOOKUP || options->tumble == TUMBLE_KDOP_TUMBLE_VERTICES;
    tumble_tuning told;
    tumble_kdop_info sizes;
    assert_int_equal(tumble_model_get_tuning(model, &told), TUMBLE_OK);
    assert_int_equal(tumble_model_get_kdop_info(model, &sizes), TUMBLE_OK);
    assert_int_equal(told.kdop.k, options->k);
    assert_int_equal(told.kdop.leaf, options->leaf);
    assert_int_equal(told.kdop.tumble, keeps ? options->tumble : TUMBLE_KDOP_TUMBLE_AUTO);
    assert_int_equal(sizes.vertex_count > 0, options->tumble == TUMBLE_KDOP_TUMBLE_VERTICES);
    assert_int_equal(sizes.hull_count > 0, options->hull > 0);
    assert_int_equal(told.kdop.hull, options->hull);
    assert_true(info->node_count % 2 == 1 && leaves <= triangles && leaves * options->leaf >= triangles);
    assert_true(options->leaf > 1 || leaves == triangles);
    assert_int_equal(told.kdop.bare_leaves, options->bare_leaves);
    assert_true(info->hierarchy_bytes >= 4 * options->k * (options->bare_leaves ? leaves - 1 : info->node_count));
}

/* What tumble_model_get_tuning tells is how it was made. */
static void check_options(const tumble_model *model, const tumble_model_options *made)
{
    const tumble_tuning defaults = tumble_default_tuning(), *tuning = made->tuning ? made->tuning : &defaults;
    tumble_tuning told;
    assert_int_equal(tumble_model_get_tuning(model, &told), TUMBLE_OK);
    assert_int_equal(tumble_model_hierarchy(model), made->hierarchy);
    if (made->hierarchy == TUMBLE_HIERARCHY_BOXTREE) {
        assert_int_equal(told.boxtree.layout, tuning->boxtree.layout);
    }
    if (made->hierarchy == TUMBLE_HIERARCHY_KDOP) {
        assert_true(told.kdop.k == tuning->kdop.k && told.kdop.leaf == tuning->kdop.leaf);
        assert_true(told.kdop.tumble == tuning->kdop.tumble && told.kdop.hull == tuning->kdop.hull);
    } else {
        tumble_kdop_info sizes;
        assert_int_equal(tumble_model_get_kdop_info(model, &sizes), TUMBLE_OK);
        assert_true(sizes.hull_count == 0 && sizes.vertex_count == 0 && told.kdop.k == defaults.kdop.k);
    }
    if (made->hierarchy == TUMBLE_HIERARCHY_RTREE) {
        assert_int_equal(told.rtree.load, tuning->rtree.load);
        assert_int_equal(told.rtree.width, tuning->rtree.width);
    }
}

static void check_shape(test_world *w, const models_mesh *mesh, int closed, const tumble_model_options *options)
{
    tumble_model *model = test_model(w->context, mesh, options);
    const tumble_model_info info = test_info(model);
    if (models_triangle_count(mesh) == mesh->polygon_count) {
        check_triangles(model, mesh);
    } else {
        check_polygons(model, mesh);
    }
    assert_int_equal(info.polygon_count, mesh->polygon_count);
    assert_int_equal(info.surface_count, distinct_surfaces(mesh));
    assert_int_equal(info.points_are_float, is_float_mesh(mesh));
    if (closed) {
        assert_true(info.closed);
    }
    for (int k = 0; k < 3; k++) {
        double lower = INFINITY, upper = -INFINITY;
        for (size_t i = 0; i < mesh->index_count; i++) {
            lower = fmin(lower, mesh->points[3 * (size_t)mesh->indices[i] + (size_t)k]);
            upper = fmax(upper, mesh->points[3 * (size_t)mesh->indices[i] + (size_t)k]);
        }
        assert_true(info.lower[k] == lower && info.upper[k] == upper);
    }
    for (uint32_t i = 0; i < mesh->polygon_count; i++) {
        uint32_t surface;
        assert_int_equal(tumble_model_surface(model, i, &surface), TUMBLE_OK);
        assert_int_equal(surface, mesh->surface_ids[i]);
    }
    if (options->hierarchy == TUMBLE_HIERARCHY_BRUTE) {
        assert_int_equal(info.node_count, 0);
        assert_int_equal(info.hierarchy_bytes, 0);
    } else if (options->hierarchy == TUMBLE_HIERARCHY_WIDE) {
        assert_true(64 * info.node_count >= info.triangle_count && info.node_count < 1 + info.triangle_count / 5);
        assert_true(info.hierarchy_bytes == 128 * info.node_count);
    } else if (options->hierarchy == TUMBLE_HIERARCHY_KDOP) {
        check_kdop_info(model, &info, &options->tuning->kdop);
    } else if (options->hierarchy == TUMBLE_HIERARCHY_RTREE) {
        const uint64_t pages = (options->tuning->rtree.width + 7) / 8;
        assert_int_equal(info.hierarchy_bytes, 256 * pages * info.node_count + 16 * info.surface_count);
    } else {
        assert_true(info.node_count >= 2 * info.triangle_count - 1);
    }
    assert_true(info.total_bytes > info.hierarchy_bytes);
    assert_false(info.deformable);
    assert_int_equal(info.hierarchy, options->hierarchy);
    check_options(model, options);
    tumble_model_destroy(model);
}

/* All shapes, all options, some sizes. */
static void test_shapes(void **state)
{
    size_t variant = 0;
    for (const models_shape *shape = models_shapes(); shape->name; shape++) {
        static const size_t sizes[] = {60, 500, 3000};
        for (size_t i = 0; i < (test_effort() < 1 ? 2 : 3); i++) {
            models_mesh mesh;
            if (!test_make_shape(&mesh, shape, sizes[i])) {
                continue;
            }
            tumble_model_options brute = tumble_default_model_options();
            brute.hierarchy = TUMBLE_HIERARCHY_BRUTE;
            check_shape(*state, &mesh, shape->closed, &brute);
            const tumble_model_options wide = test_tree_variant(TEST_TREE_WIDE);
            check_shape(*state, &mesh, shape->closed, &wide);
            const size_t variants =
                i == 0 && test_effort() >= 1 ? TEST_TREE_VARIANTS : 9; /* 9 has no common divisor with their number */
            for (size_t k = 0; k < variants; k++) {
                const tumble_model_options tree = test_tree_variant(variant++ % TEST_TREE_VARIANTS);
                check_shape(*state, &mesh, shape->closed, &tree);
            }
            for (size_t k = i ? variant % 7 : 0; k < TEST_KDOP_VARIANTS; k += i ? 7 : 1) {
                const tumble_model_options tree = test_tree_variant(TEST_TREE_KDOP + k);
                check_shape(*state, &mesh, shape->closed, &tree);
            }
            for (size_t k = 0; k < TEST_RTREE_VARIANTS; k++) {
                const tumble_model_options tree = test_tree_variant(TEST_TREE_RTREE + k);
                check_shape(*state, &mesh, shape->closed, &tree);
            }
            models_free(&mesh);
        }
    }
}

/* Nine bytes per node for every shape, size and variant. */
static void test_bytes_a_node(void **state)
{
    test_world *w = *state;
    static const size_t sizes[] = {10, 60, 500, 3000, 20000, 50000};
    const size_t most = test_effort() < 1 ? 2 : 6;
    for (const models_shape *shape = models_shapes(); shape->name; shape++) {
        for (size_t i = 0; i < most; i++) {
            models_mesh mesh;
            if (!test_make_shape(&mesh, shape, sizes[i])) {
                continue;
            }
            const size_t step = i < 2 ? 1 : i == 2 ? 3 : i == 3 ? 7 : i == 4 ? 31 : 63; /* odd: both layouts */
            for (size_t variant = 0; variant < TEST_TREE_VARIANTS; variant += step) {
                const tumble_model_options options = test_tree_variant(variant);
                tumble_model *model = test_model(w->context, &mesh, &options);
                const tumble_model_info info = test_info(model);
                tumble_model_destroy(model);
                assert_nine_bytes(&info, shape->name, test_tree_name(variant));
            }
            models_free(&mesh);
        }
    }
}

/* A wide hierarchy costs at most 8 bytes per triangle, and with the geometry of closed meshes of floats 25 in the
 * middle. Many small parts have more than half a point per triangle: each of these has 12 bytes. */
static void test_bytes_a_triangle(void **state)
{
    test_world *w = *state;
    const tumble_model_options wide = test_tree_variant(TEST_TREE_WIDE);
    double sum = 0, closed = 0;
    for (const models_shape *shape = models_shapes(); shape->name; shape++) {
        models_mesh mesh;
        if (!test_make_shape(&mesh, shape, 20000)) {
            continue;
        }
        models_fit(&mesh, 2, 1);
        tumble_model *model = test_model(w->context, &mesh, &wide);
        const tumble_model_info info = test_info(model);
        const double count = (double)info.triangle_count;
        if ((double)info.hierarchy_bytes > 8 * count) {
            fail_msg("%s: %.2f bytes per triangle for nodes", shape->name, (double)info.hierarchy_bytes / count);
        }
        if (shape->closed && info.polygon_count == info.triangle_count) {
            if ((double)info.total_bytes > 32 * count) {
                fail_msg("%s: %.2f bytes per triangle", shape->name, (double)info.total_bytes / count);
            }
            sum += (double)info.total_bytes / count - 12 * fmax((double)info.point_count / count - 0.5, 0);
            closed++;
        }
        tumble_model_destroy(model);
        models_free(&mesh);
    }
    assert_true(closed > 3 && sum <= 25 * closed);
}

/* ---- Closed, degenerate ---- */

static tumble_model_info info_of(test_world *w, const models_mesh *mesh)
{
    tumble_model *model = test_model(w->context, mesh, NULL);
    const tumble_model_info info = test_info(model);
    tumble_model_destroy(model);
    return info;
}

static void test_closed(void **state)
{
    models_mesh box = {0}, two = {0};
    test_make_grid_box(&box, 3); /* its corners are welded by their coordinates */
    const size_t triangles = box.polygon_count;
    assert_true(info_of(*state, &box).closed);
    for (size_t i = 0; i < 3 * box.point_count; i++) {
        box.points[i] = box.points[i] == 0 && i % 2 ? -0.0 : box.points[i];
    }
    assert_true(info_of(*state, &box).closed);
    box.index_count -= 3, box.polygon_count--; /* a hole */
    assert_false(info_of(*state, &box).closed);
    uint32_t last[3];
    memcpy(last, box.indices + box.index_count, sizeof last);
    models_triangle(&box, last[0], last[2], last[1]); /* the wrong way round */
    assert_int_equal(box.polygon_count, triangles);
    assert_false(info_of(*state, &box).closed);
    box.index_count -= 3, box.polygon_count--;
    models_triangle(&box, last[1], last[2], last[0]); /* the right way round */
    assert_true(info_of(*state, &box).closed);
    models_triangle(&box, last[0], last[0], last[1]); /* no area, no edges */
    assert_true(info_of(*state, &box).closed);
    assert_int_equal(info_of(*state, &box).degenerate_count, 1);
    models_triangle(&box, last[0], last[1], last[2]); /* one edge has three triangles */
    assert_false(info_of(*state, &box).closed);
    models_free(&box);

    /* boxes that share an edge: four triangles there */
    test_make_grid_box(&box, 1);
    const tumble_pose diagonal = test_translation(1, 1, 0), apart = test_translation(2, 0, 0);
    models_append(&two, &box, NULL);
    models_append(&two, &box, &apart);
    assert_true(info_of(*state, &two).closed);
    models_append(&two, &box, &diagonal);
    assert_false(info_of(*state, &two).closed);
    models_free(&box);
    models_free(&two);
}

static void test_degenerate(void **state)
{
    models_mesh mesh = {0};
    const double tiny = 0x1p-1074, big = 1e300;
    const uint32_t a = models_point(&mesh, 0, 0, 0), b = models_point(&mesh, tiny, 0, 0);
    const uint32_t c = models_point(&mesh, 0, tiny, 0), d = models_point(&mesh, big, 0, 0);
    const uint32_t e = models_point(&mesh, 0.1, 0.1, 0.1), f = models_point(&mesh, 0.2, 0.2, 0.2);
    const uint32_t g = models_point(&mesh, 0.3, 0.3, 0.3), h = models_point(&mesh, 0.3, 0.3, nextafter(0.3, 1));
    const uint32_t i = models_point(&mesh, -0.0, 0, 0);
    models_triangle(&mesh, a, b, c); /* the smallest triangle there is */
    models_triangle(&mesh, d, b, c);
    assert_int_equal(info_of(*state, &mesh).degenerate_count, 0);
    models_triangle(&mesh, a, b, d); /* on a line */
    models_triangle(&mesh, a, a, d);
    models_triangle(&mesh, a, a, a);
    models_triangle(&mesh, a, i, d);
    models_triangle(&mesh, e, f, a); /* on the diagonal */
    assert_int_equal(info_of(*state, &mesh).degenerate_count, 5);
    models_triangle(&mesh, e, f, g); /* on the diagonal, whatever 0.3 is as a double */
    models_triangle(&mesh, e, f, h); /* off it by one bit */
    assert_int_equal(info_of(*state, &mesh).degenerate_count, 6);
    models_free(&mesh);
}

/* ---- To the bit ---- */

/* Boxtrees, k-DOP trees and R-trees. */
static tumble_model_options any_tree(size_t number)
{
    return test_tree_variant(number % 4 ? number % TEST_TREE_VARIANTS
                                        : TEST_TREE_KDOP + number / 4 % (TEST_KDOP_VARIANTS + TEST_RTREE_VARIANTS));
}

/* One coordinate of one point that float does not hold, at every place, for several numbers of points. */
static void test_one_inexact_coordinate(void **state)
{
    test_world *w = *state;
    static const double inexact[] = {0.1, 1 + 0x1p-24, 1e39, 1e300, 1e-300, 0x1p-150, 0x1.8p-149, -16777217, 0x1p-1074};
    static const size_t counts[] = {1, 2, 3, 5, 8, 11};
    const size_t most = test_effort() < 1 ? 3 : 6;
    size_t number = 0;
    for (size_t c = 0; c < most; c++) {
        const size_t coordinates = 9 * counts[c];
        models_mesh mesh = {0};
        test_random random = {c};
        test_make_lattice(&mesh, &random, counts[c], 100, 100, 0);
        tumble_model *model = test_model(w->context, &mesh, NULL);
        assert_int_equal(test_info(model).points_are_float, 1);
        check_triangles(model, &mesh);
        tumble_model_destroy(model);
        for (size_t i = 0; i < coordinates; i++) {
            for (size_t k = 0; k < sizeof inexact / sizeof *inexact; k++, number++) {
                const double before = mesh.points[i];
                mesh.points[i] = inexact[k];
                const tumble_model_options tree = any_tree(number);
                model = number % 3 ? test_model(w->context, &mesh, &tree) : test_brute_model(w->context, &mesh);
                assert_int_equal(test_info(model).points_are_float, 0);
                check_triangles(model, &mesh);
                tumble_model_destroy(model);
                mesh.points[i] = before;
            }
        }
        models_free(&mesh);
    }
}

/* Any finite bits, and any bits that float can hold. */
static void test_random_bits_survive(void **state)
{
    test_world *w = *state;
    test_random random = {11};
    for (size_t i = 0; i < test_count(300); i++) {
        models_mesh mesh = {0};
        test_make_lattice(&mesh, &random, (size_t)test_random_whole(&random, 1, 40), 5, 5, 0.2);
        for (size_t k = 0; k < 3 * mesh.point_count; k++) {
            const uint64_t bits = test_random_bits(&random);
            const uint32_t few = (uint32_t)bits;
            double value;
            float value_float;
            memcpy(&value, &bits, sizeof value);
            memcpy(&value_float, &few, sizeof value_float);
            value = i % 2 ? value : (double)value_float;
            mesh.points[k] = isfinite(value) ? value : -0.0;
        }
        const tumble_model_options tree = any_tree(i);
        tumble_model *model = i % 3 ? test_model(w->context, &mesh, &tree) : test_brute_model(w->context, &mesh);
        check_triangles(model, &mesh);
        assert_int_equal(test_info(model).points_are_float, is_float_mesh(&mesh));
        tumble_model_destroy(model);
        models_free(&mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_shapes),
        TEST_IN_WORLD(test_bytes_a_node),
        TEST_IN_WORLD(test_bytes_a_triangle),
        TEST_IN_WORLD(test_closed),
        TEST_IN_WORLD(test_degenerate),
        TEST_IN_WORLD(test_one_inexact_coordinate),
        TEST_IN_WORLD(test_random_bits_survive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
