#include "clearance_cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int clearance_begin_bench(void **state)
{
    clearance_bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    test_allocator_begin(&b->memory);
    test_open_levels(&b->memory, b->contexts, b->queries);
    b->truth = oracle_create();
    mpq_init(b->squared);
    mpq_init(b->limit);
    *state = b;
    return 0;
}

int clearance_end_bench(void **state)
{
    clearance_bench *b = *state;
    test_close_levels(b->contexts, b->queries);
    oracle_destroy(b->truth);
    mpq_clear(b->squared);
    mpq_clear(b->limit);
    test_free_pairs(&b->expected);
    test_free_pairs(&b->found);
    test_allocator_end(&b->memory);
    free(b);
    return 0;
}

/* ---- Two meshes at two poses, and how far apart their triangles are ---- */

/* Polygons as fans of triangles: those of the scenes are flat and convex. */
static clearance_corners list_corners(const models_mesh *mesh, const tumble_pose *pose)
{
    clearance_corners list = {0};
    const size_t room = models_triangle_count(mesh) + 1;
    list.triangles = malloc(room * sizeof *list.triangles);
    list.polygons = malloc(room * sizeof *list.polygons);
    assert_non_null(list.triangles);
    assert_non_null(list.polygons);
    for (size_t i = 0, at = 0; i < mesh->polygon_count; at += mesh->polygon_sizes[i++]) {
        for (uint32_t k = 2; k < mesh->polygon_sizes[i]; k++) {
            const size_t numbers[3] = {at, at + k - 1, at + k};
            for (int j = 0; j < 3; j++) {
                const double *point = mesh->points + 3 * (size_t)mesh->indices[numbers[j]];
                if (pose) {
                    tumble_pose_apply(pose, point, list.triangles[list.count][j]);
                } else {
                    memcpy(list.triangles[list.count][j], point, 3 * sizeof *point);
                }
            }
            list.polygons[list.count++] = (uint32_t)i;
        }
    }
    return list;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void clearance_measure(clearance_scene *s)
{
    const tumble_pose relative = tumble_pose_relative(&s->poses[0], &s->poses[1]);
    s->corners[0] = list_corners(&s->meshes[0], NULL);
    s->corners[1] = list_corners(&s->meshes[1], &relative);
    const size_t count_a = s->corners[0].count, count_b = s->corners[1].count;
    s->distances = malloc((count_a * count_b + 1) * sizeof *s->distances);
    s->sorted = malloc((count_a * count_b + 1) * sizeof *s->sorted);
    assert_non_null(s->distances);
    assert_non_null(s->sorted);
    for (size_t i = 0; i < count_a; i++) {
        for (size_t j = 0; j < count_b; j++) {
            tmb_triangle_distance *distance = &s->distances[i * count_b + j];
            tmb_triangles_distance((const double(*)[3])s->corners[0].triangles[i],
                                   (const double(*)[3])s->corners[1].triangles[j], distance, NULL);
            s->sorted[i * count_b + j] = distance->value;
        }
    }
    qsort(s->sorted, count_a * count_b, sizeof *s->sorted, ascending);
}

static tumble_model_options kind_options(size_t variant)
{
    tumble_model_options options = tumble_default_model_options();
    if (variant == SIZE_MAX) {
        options.hierarchy = TUMBLE_HIERARCHY_BRUTE;
        return options;
    }
    return test_tree_variant(variant);
}

static size_t variant_of(size_t kind, size_t turn)
{
    if (kind < 4) {
        const size_t first[4] = {SIZE_MAX, TEST_TREE_WIDE, TEST_TREE_WIDE_LONGEST,
                                 TEST_TREE_RTREE + turn % TEST_RTREE_VARIANTS};
        return first[kind];
    }
    if (kind < 4 + TEST_KDOP_SETS) {
        const size_t set = kind - 4;
        return TEST_TREE_KDOP + TEST_KDOP_EACH * set + (turn + set) % TEST_KDOP_EACH;
    }
    return (turn + 21 * kind) % TEST_TREE_VARIANTS;
}

const char *clearance_kind_name(const clearance_scene *s, size_t kind)
{
    return s->variants[kind] == SIZE_MAX ? "brute" : test_tree_name(s->variants[kind]);
}

void clearance_start(clearance_bench *b, clearance_scene *s, const char *name, size_t turn)
{
    s->name = name;
    clearance_measure(s);
    for (size_t kind = 0; kind < CLEARANCE_KINDS; kind++) {
        s->variants[kind] = variant_of(kind, turn);
        const tumble_model_options options = kind_options(s->variants[kind]);
        for (int i = 0; i < 2; i++) {
            s->models[kind][i] = test_model(b->contexts[0], &s->meshes[i], &options);
        }
    }
}

void clearance_end(clearance_scene *s)
{
    for (int i = 0; i < 2; i++) {
        for (size_t kind = 0; kind < CLEARANCE_KINDS; kind++) {
            tumble_model_destroy(s->models[kind][i]);
        }
        models_free(&s->meshes[i]);
        free(s->corners[i].triangles);
        free(s->corners[i].polygons);
    }
    free(s->distances);
    free(s->sorted);
}

/* ---- The truth ---- */

static int is_within(clearance_bench *b, const clearance_scene *s, size_t i, size_t j, double limit)
{
    const tmb_triangle_distance *distance = &s->distances[i * s->corners[1].count + j];
    if (limit > distance->upper || limit == INFINITY) {
        return 1;
    }
    if (limit < distance->lower) {
        return 0;
    }
    b->hard++;
    if (s->has_many_ties) {
        return tmb_triangles_within((const double(*)[3])s->corners[0].triangles[i],
                                    (const double(*)[3])s->corners[1].triangles[j], limit, NULL);
    }
    oracle_squared_distance(b->truth, (const double(*)[3])s->corners[0].triangles[i],
                            (const double(*)[3])s->corners[1].triangles[j], b->squared);
    mpq_set_d(b->limit, limit);
    mpq_mul(b->limit, b->limit, b->limit);
    const int order = mpq_cmp(b->squared, b->limit);
    b->ties += order == 0;
    return order <= 0;
}

static int pair_order(const void *a, const void *b)
{
    const tumble_pair *x = a, *y = b;
    return x->polygon_a != y->polygon_a ? (x->polygon_a > y->polygon_a) - (x->polygon_a < y->polygon_a)
                                        : (x->polygon_b > y->polygon_b) - (x->polygon_b < y->polygon_b);
}

size_t clearance_find_expected(clearance_bench *b, const clearance_scene *s, double limit)
{
    const size_t count_a = s->corners[0].count, count_b = s->corners[1].count;
    size_t count = 0, distinct = 0;
    if (b->expected.capacity < count_a * count_b) {
        test_free_pairs(&b->expected);
        b->expected.capacity = count_a * count_b;
        b->expected.items = malloc(b->expected.capacity * sizeof *b->expected.items);
        assert_non_null(b->expected.items);
    }
    for (size_t i = 0; i < count_a; i++) {
        for (size_t j = 0; j < count_b; j++) {
            if (is_within(b, s, i, j, limit)) {
                b->expected.items[count++] = (tumble_pair){s->corners[0].polygons[i], s->corners[1].polygons[j]};
            }
        }
    }
    if (count > 0) {
        qsort(b->expected.items, count, sizeof *b->expected.items, pair_order);
    }
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || pair_order(&b->expected.items[i], &b->expected.items[i - 1]) != 0) {
            b->expected.items[distinct++] = b->expected.items[i];
        }
    }
    b->expected.count = distinct;
    b->hits += distinct;
    b->misses += s->meshes[0].polygon_count * s->meshes[1].polygon_count - distinct;
    return count;
}

double clearance_limit(const clearance_scene *s, double clearance)
{
    const double scale = tumble_pose_scale(&s->poses[0]);
    return scale == 1 ? clearance : clearance / scale;
}

tumble_pose clearance_pose(test_random *random, double scale, double x, double y, double z)
{
    tumble_pose pose = test_rational_turn(random);
    const double shift[3] = {x, y, z};
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 3; j++) {
            pose.m[k][j] *= scale;
        }
        pose.m[k][3] = shift[k];
    }
    return pose;
}

void clearance_add_squares(models_mesh *mesh, uint32_t n, double shift)
{
    for (uint32_t face = 0; face < 6; face++) {
        for (uint32_t at = 0; at < n * n; at++) {
            const uint32_t row = at / n, column = at % n;
            uint32_t corners[4];
            for (uint32_t k = 0; k < 4; k++) {
                double p[3];
                p[face / 2] = face % 2 ? n : 0;
                p[(face / 2 + 1) % 3] = row + (k == 1 || k == 2);
                p[(face / 2 + 2) % 3] = column + (k >= 2);
                corners[k] = models_point(mesh, p[0] + shift, p[1], p[2]);
            }
            models_polygon(mesh, corners, 4);
        }
    }
}
