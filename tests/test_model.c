/* Models: what is refused and with which words, and that what goes in comes out, to the bit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes.h"

/* Two triangles and an unused point. */
typedef struct sample {
    double points[5][3];
    float points_float[5][3];
    uint32_t indices[6];
    tumble_mesh mesh;
} sample;

static sample make_sample(void)
{
    sample s = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0.5}, {7, 7, 7}}, {{0}}, {0, 1, 2, 1, 3, 2}, {0}};
    for (int i = 0; i < 15; i++) {
        s.points_float[i / 3][i % 3] = (float)s.points[i / 3][i % 3];
    }
    return s;
}

/* The view is made where the sample has come to rest. */
static tumble_mesh *view(sample *s)
{
    s->mesh = tumble_default_mesh();
    s->mesh.points = &s->points[0][0];
    s->mesh.point_count = 5;
    s->mesh.indices = s->indices;
    s->mesh.index_count = 6;
    return &s->mesh;
}

static void refuse(test_world *w, const tumble_mesh *mesh, const tumble_model_options *options, tumble_status status,
                   const char *words)
{
    tumble_model *model = (tumble_model *)w; /* must be overwritten */
    const size_t live = test_allocator_live(&w->memory);
    test_assert_status(w->context, tumble_model_create(w->context, mesh, options, &model), status, words);
    assert_null(model);
    assert_int_equal(test_allocator_live(&w->memory), live);
}

/* ---- Refused ---- */

static void test_null_arguments(void **state)
{
    test_world *w = *state;
    sample s = make_sample();
    tumble_model *model = NULL;
    tumble_model_info info = {.size = sizeof info};
    size_t size = 7;
    uint32_t surface;
    assert_int_equal(tumble_model_create(NULL, view(&s), NULL, &model), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(w->context, tumble_model_create(w->context, NULL, NULL, &model), TUMBLE_ERROR_ARGUMENT, "null");
    test_assert_status(w->context, tumble_model_create(w->context, view(&s), NULL, NULL), TUMBLE_ERROR_ARGUMENT,
                       "null");
    assert_int_equal(tumble_model_get_info(NULL, &info), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_model_surface(NULL, 0, &surface), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_model_triangle(NULL, 0, NULL, NULL), TUMBLE_ERROR_ARGUMENT);
    assert_null(tumble_model_block(NULL, &size));
    assert_int_equal(size, 0);
    tumble_model_destroy(NULL);
    tumble_query_destroy(NULL);
    tumble_context_destroy(NULL);
}

/* The only one of the structs below that has holes. */
static int in_hole(size_t offset)
{
    const size_t first = offsetof(tumble_collide_options, direction) + sizeof(tumble_direction);
    const size_t second = offsetof(tumble_collide_options, want_contacts) + sizeof(int);
    return (offset >= first && offset < offsetof(tumble_collide_options, pairs)) ||
           (offset >= second && offset < offsetof(tumble_collide_options, contacts));
}

/* For a program with a struct of another size, older or newer: no byte behind it is written, and what this library does
 * not know is 0. */
#define CHECK_INIT(init, type, has_holes)                                                        \
    do {                                                                                         \
        const size_t sizes[] = {sizeof(size_t), sizeof(type) - 8, sizeof(type), 300};            \
        unsigned char known[sizeof(type)];                                                       \
        for (int i = 3; i >= 0; i--) {                                                           \
            _Alignas(16) unsigned char room[400];                                                \
            memset(room, 0x77, sizeof room);                                                     \
            init((type *)(void *)room, sizes[i]);                                                \
            assert_memory_equal(room, &sizes[i], sizeof(size_t));                                \
            if (i == 3) {                                                                        \
                memcpy(known, room, sizeof known);                                               \
            }                                                                                    \
            for (size_t k = sizeof(size_t); k < sizeof room; k++) {                              \
                const int expected = k >= sizes[i] ? 0x77 : k < sizeof known ? known[k] : 0;     \
                assert_true(room[k] == expected || ((has_holes) && k < sizes[i] && in_hole(k))); \
            }                                                                                    \
        }                                                                                        \
    } while (0)

static void test_sizes_of_structs(void **state)
{
    (void)state;
    CHECK_INIT(tumble_init_context_options, tumble_context_options, 0);
    CHECK_INIT(tumble_init_mesh, tumble_mesh, 0);
    CHECK_INIT(tumble_init_model_options, tumble_model_options, 0);
    CHECK_INIT(tumble_init_collide_options, tumble_collide_options, 1);
    assert_int_equal(tumble_default_mesh().size, sizeof(tumble_mesh));
    assert_true(tumble_default_model_options().boxtree.trim > 0);
}

static void test_bad_arrays(void **state)
{
    test_world *w = *state;
    sample s = make_sample();
    tumble_mesh *m = view(&s);
    m->size = sizeof *m - 1;
    refuse(w, m, NULL, TUMBLE_ERROR_ARGUMENT, "size");
    m = view(&s), m->size = 0;
    refuse(w, m, NULL, TUMBLE_ERROR_ARGUMENT, "size");
    m = view(&s), m->points_float = &s.points_float[0][0];
    refuse(w, m, NULL, TUMBLE_ERROR_ARGUMENT, "points_float");
    m = view(&s), m->points = NULL;
    refuse(w, m, NULL, TUMBLE_ERROR_ARGUMENT, "5 points");
    m = view(&s), m->indices = NULL;
    refuse(w, m, NULL, TUMBLE_ERROR_ARGUMENT, "6 indices");
    m = view(&s), m->point_count = (size_t)UINT32_MAX + 1;
    refuse(w, m, NULL, TUMBLE_ERROR_TOO_LARGE, "4294967296 points");
    m = view(&s), m->point_count = SIZE_MAX;
    refuse(w, m, NULL, TUMBLE_ERROR_TOO_LARGE, "points");
    m = view(&s), m->index_count = 3 * (((size_t)1 << 28) + 1); /* found before any of them is read */
    refuse(w, m, NULL, TUMBLE_ERROR_TOO_LARGE, "268435457 triangles");
    m = view(&s), m->index_count = SIZE_MAX - SIZE_MAX % 3;
    refuse(w, m, NULL, TUMBLE_ERROR_TOO_LARGE, "triangles");
    m = view(&s), m->index_count = 5;
    refuse(w, m, NULL, TUMBLE_ERROR_ARGUMENT, "5 indices");
    m = view(&s), m->polygon_count = 3;
    refuse(w, m, NULL, TUMBLE_ERROR_ARGUMENT, "3 triangles");
    m = view(&s), m->polygon_count = 2;
    tumble_model *model = NULL;
    assert_int_equal(tumble_model_create(w->context, m, NULL, &model), TUMBLE_OK);
    tumble_model_destroy(model);
}

static void test_bad_strides(void **state)
{
    test_world *w = *state;
    sample s = make_sample();
    static const size_t strides[] = {1, 8, 16, 23, 25, 28, 100};
    tumble_mesh *m;
    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
        m = view(&s), m->point_stride = strides[i];
        refuse(w, m, NULL, TUMBLE_ERROR_ARGUMENT, "stride");
    }
    static const size_t float_strides[] = {1, 4, 8, 11, 13, 14, 98};
    for (size_t i = 0; i < sizeof float_strides / sizeof *float_strides; i++) {
        m = view(&s), m->points = NULL, m->points_float = &s.points_float[0][0];
        m->point_stride = float_strides[i];
        refuse(w, m, NULL, TUMBLE_ERROR_ARGUMENT, "stride");
    }
    m = view(&s), m->points = (const double *)(const void *)((const char *)s.points + 4), m->point_count = 3;
    refuse(w, m, NULL, TUMBLE_ERROR_ARGUMENT, "address");
    m = view(&s), m->point_stride = SIZE_MAX - SIZE_MAX % 8;
    refuse(w, m, NULL, TUMBLE_ERROR_TOO_LARGE, "points");
}

static void test_bad_polygons(void **state)
{
    test_world *w = *state;
    sample s = make_sample();
    for (uint32_t corners = 0; corners < 3; corners++) {
        const uint32_t sizes[] = {3, corners, 3};
        tumble_mesh *m = view(&s);
        m->polygon_sizes = sizes, m->polygon_count = 3;
        char words[40];
        snprintf(words, sizeof words, "polygon 1 has %u corners", corners);
        refuse(w, m, NULL, TUMBLE_ERROR_POLYGON, words);
    }
    const uint32_t beyond[] = {3, 4}, less[] = {5}, huge[] = {3, UINT32_MAX};
    tumble_mesh *m = view(&s);
    m->polygon_sizes = beyond, m->polygon_count = 2;
    refuse(w, m, NULL, TUMBLE_ERROR_INDEX, "polygon 1");
    m = view(&s), m->polygon_sizes = less, m->polygon_count = 1;
    refuse(w, m, NULL, TUMBLE_ERROR_ARGUMENT, "5 corners");
    m = view(&s), m->polygon_sizes = huge, m->polygon_count = 2;
    refuse(w, m, NULL, TUMBLE_ERROR_INDEX, "polygon 1");
}

static void test_bad_indices(void **state)
{
    test_world *w = *state;
    static const uint32_t bad[] = {5, 6, 1u << 31, UINT32_MAX};
    static const uint32_t quad[] = {6};
    for (uint32_t i = 0; i < 6; i++) {
        for (size_t k = 0; k < 4; k++) {
            sample s = make_sample();
            tumble_mesh *m = view(&s);
            s.indices[i] = bad[k];
            char words[80];
            snprintf(words, sizeof words, "polygon %u, corner %u: there is no point %u", i / 3, i % 3, bad[k]);
            refuse(w, m, NULL, TUMBLE_ERROR_INDEX, words);
            m->polygon_sizes = quad, m->polygon_count = 1;
            snprintf(words, sizeof words, "polygon 0, corner %u: there is no point %u", i, bad[k]);
            refuse(w, m, NULL, TUMBLE_ERROR_INDEX, words);
        }
    }
    sample s = make_sample();
    view(&s)->point_count = 0;
    refuse(w, &s.mesh, NULL, TUMBLE_ERROR_INDEX, "polygon 0, corner 0");
}

/* Every number counts, also those of points that no polygon uses. */
static void test_bad_points(void **state)
{
    test_world *w = *state;
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 15; i++) {
        for (int k = 0; k < 3; k++) {
            sample s = make_sample();
            char words[40];
            snprintf(words, sizeof words, "point %d: its %c", i / 3, "xyz"[i % 3]);
            s.points[i / 3][i % 3] = bad[k];
            refuse(w, view(&s), NULL, TUMBLE_ERROR_NOT_FINITE, words);
            s.points_float[i / 3][i % 3] = (float)bad[k];
            view(&s)->points = NULL;
            s.mesh.points_float = &s.points_float[0][0];
            refuse(w, &s.mesh, NULL, TUMBLE_ERROR_NOT_FINITE, words);
        }
    }
    const size_t count = 10000;
    double *points = calloc(3 * count, sizeof *points);
    static const size_t places[] = {0, 4095, 4096, 8191, 8192, 9999};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        tumble_mesh mesh = tumble_default_mesh();
        mesh.points = points, mesh.point_count = count;
        points[3 * places[i] + 1] = -INFINITY;
        char words[40];
        snprintf(words, sizeof words, "point %zu: its y", places[i]);
        refuse(w, &mesh, NULL, TUMBLE_ERROR_NOT_FINITE, words);
        points[3 * places[i] + 1] = 0;
    }
    free(points);
}

static void test_bad_options(void **state)
{
    test_world *w = *state;
    sample s = make_sample();
    const tumble_mesh *m = view(&s);
    tumble_model_options o = tumble_default_model_options();
    o.size++;
    refuse(w, m, &o, TUMBLE_ERROR_ARGUMENT, "size");
#define REFUSE_VALUE(field, value)                         \
    o = tumble_default_model_options(), o.field = (value); \
    refuse(w, m, &o, TUMBLE_ERROR_ARGUMENT, "model options")
    REFUSE_VALUE(hierarchy, (tumble_hierarchy)(TUMBLE_HIERARCHY_KDOP + 1));
    REFUSE_VALUE(hierarchy, (tumble_hierarchy)-1);
    REFUSE_VALUE(boxtree.layout, (tumble_boxtree_layout)2);
    REFUSE_VALUE(boxtree.layout, (tumble_boxtree_layout)-1);
    REFUSE_VALUE(boxtree.axes, (tumble_boxtree_axes)2);
    REFUSE_VALUE(boxtree.criterion, (tumble_boxtree_criterion)2);
    REFUSE_VALUE(boxtree.growth, (tumble_boxtree_growth)2);
    REFUSE_VALUE(boxtree.trim, -0.01);
    REFUSE_VALUE(boxtree.trim, 1.01);
    REFUSE_VALUE(boxtree.trim, NAN);
    REFUSE_VALUE(boxtree.trim, INFINITY);
    REFUSE_VALUE(wide.axes, (tumble_wide_axes)(TUMBLE_WIDE_LONGEST_AXIS + 1));
    REFUSE_VALUE(wide.axes, (tumble_wide_axes)-1);
#undef REFUSE_VALUE
}

static void test_bad_questions(void **state)
{
    test_world *w = *state;
    sample s = make_sample();
    tumble_model *model = NULL;
    assert_int_equal(tumble_model_create(w->context, view(&s), NULL, &model), TUMBLE_OK);
    double corners[3][3];
    uint32_t number;
    tumble_model_info info = {.size = sizeof info - 1};
    test_assert_status(w->context, tumble_model_get_info(model, &info), TUMBLE_ERROR_ARGUMENT, "size");
    test_assert_status(w->context, tumble_model_get_info(model, NULL), TUMBLE_ERROR_ARGUMENT, "");
    test_assert_status(w->context, tumble_model_triangle(model, 2, corners, NULL), TUMBLE_ERROR_INDEX, "triangle 2");
    test_assert_status(w->context, tumble_model_triangle(model, UINT32_MAX, corners, &number), TUMBLE_ERROR_INDEX,
                       "4294967295");
    test_assert_status(w->context, tumble_model_surface(model, 2, &number), TUMBLE_ERROR_INDEX, "polygon 2");
    test_assert_status(w->context, tumble_model_surface(model, 0, NULL), TUMBLE_ERROR_ARGUMENT, "null");
    assert_int_equal(tumble_model_triangle(model, 1, NULL, NULL), TUMBLE_OK);
    tumble_model_destroy(model);
}

/* ---- What goes in comes out ---- */

static void assert_same_blocks(const tumble_model *a, const tumble_model *b)
{
    size_t size_a, size_b;
    const void *block_a = tumble_model_block(a, &size_a), *block_b = tumble_model_block(b, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(block_a, block_b, size_a);
}

/* Double or float, packed or not, triangles or polygons with three corners: one and the same model. */
static void test_forms_of_arrays(void **state)
{
    test_world *w = *state;
    sample s = make_sample();
    double wide[5][4];
    float wide_float[5][7];
    const uint32_t sizes[] = {3, 3}, surfaces[] = {0, 0};
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < 3; k++) {
            wide[i][k] = s.points[i][k];
            wide_float[i][k] = s.points_float[i][k];
        }
        wide[i][3] = NAN; /* not looked at */
        wide_float[i][3] = INFINITY;
    }
    for (int h = TUMBLE_HIERARCHY_BRUTE; h <= TUMBLE_HIERARCHY_BOXTREE; h++) {
        tumble_model_options options = tumble_default_model_options();
        options.hierarchy = (tumble_hierarchy)h;
        tumble_mesh forms[6];
        for (int i = 0; i < 6; i++) {
            forms[i] = *view(&s);
        }
        forms[1].points = &wide[0][0], forms[1].point_stride = sizeof wide[0];
        forms[2].points = NULL, forms[2].points_float = &s.points_float[0][0];
        forms[3].points = NULL, forms[3].points_float = &wide_float[0][0], forms[3].point_stride = sizeof wide_float[0];
        forms[4].polygon_sizes = sizes, forms[4].polygon_count = 2;
        forms[5].surface_ids = surfaces;
        tumble_model *models[6];
        for (int i = 0; i < 6; i++) {
            assert_int_equal(tumble_model_create(w->context, &forms[i], &options, &models[i]), TUMBLE_OK);
            assert_same_blocks(models[i], models[0]);
        }
        const tumble_model_info info = test_info(models[0]);
        assert_int_equal(info.point_count, 4); /* one is not used */
        assert_true(info.upper[0] == 1);
        for (int i = 0; i < 6; i++) {
            tumble_model_destroy(models[i]);
        }
    }
}

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
        fail_msg("%s, %llu triangles, %s: %.2f bytes a node", shape, (unsigned long long)info->triangle_count, variant,
                 (double)info->hierarchy_bytes / (double)info->node_count);
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
        assert_true(info.hierarchy_bytes == 128 * info.node_count && info.total_bytes > info.hierarchy_bytes);
    } else {
        assert_true(info.node_count >= 2 * info.triangle_count - 1);
        assert_true(info.total_bytes > info.hierarchy_bytes);
    }
    assert_int_equal(info.hierarchy, options->hierarchy);
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
            models_free(&mesh);
        }
    }
}

/* Nine bytes a node for every shape, size and variant. */
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

/* A wide hierarchy costs at most 8 bytes a triangle, and with the geometry of closed meshes of floats 25 in the middle.
 */
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
            fail_msg("%s: %.2f bytes a triangle for nodes", shape->name, (double)info.hierarchy_bytes / count);
        }
        if (shape->closed && info.polygon_count == info.triangle_count) {
            if ((double)info.total_bytes > 32 * count) {
                fail_msg("%s: %.2f bytes a triangle", shape->name, (double)info.total_bytes / count);
            }
            sum += (double)info.total_bytes / count;
            closed++;
        }
        tumble_model_destroy(model);
        models_free(&mesh);
    }
    assert_true(closed > 3 && sum <= 25 * closed);
}

static void test_empty_and_single(void **state)
{
    test_world *w = *state;
    sample s = make_sample();
    for (int h = 0; h <= TUMBLE_HIERARCHY_WIDE; h++) {
        tumble_model_options options = tumble_default_model_options();
        options.hierarchy = (tumble_hierarchy)h;
        for (int layout = 0; layout < 2; layout++) {
            options.boxtree.layout = (tumble_boxtree_layout)layout;
            tumble_model *empty, *nothing, *single;
            const tumble_mesh none = tumble_default_mesh();
            assert_int_equal(tumble_model_create(w->context, &none, &options, &nothing), TUMBLE_OK);
            view(&s)->index_count = 0; /* points alone */
            assert_int_equal(tumble_model_create(w->context, &s.mesh, &options, &empty), TUMBLE_OK);
            assert_same_blocks(empty, nothing);
            view(&s)->index_count = 3;
            assert_int_equal(tumble_model_create(w->context, &s.mesh, &options, &single), TUMBLE_OK);

            tumble_model_info info = test_info(empty);
            assert_true(info.polygon_count == 0 && info.triangle_count == 0 && info.point_count == 0);
            assert_true(info.surface_count == 0 && info.node_count == 0 && info.depth == 0 && !info.closed);
            for (int k = 0; k < 3; k++) {
                assert_true(info.lower[k] == 0 && info.upper[k] == 0);
            }
            info = test_info(single);
            const int hierarchy = h == TUMBLE_HIERARCHY_AUTO ? TUMBLE_HIERARCHY_WIDE : h;
            assert_true(info.triangle_count == 1 && info.point_count == 3 && info.surface_count == 1);
            assert_int_equal(info.depth, hierarchy == TUMBLE_HIERARCHY_WIDE ? 1 : 0); /* its leaves are no nodes */
            assert_int_equal(info.node_count, h == TUMBLE_HIERARCHY_BRUTE ? 0 : 1);
            assert_int_equal(info.hierarchy, hierarchy);

            const tumble_model *models[] = {empty, single};
            for (int i = 0; i < 4; i++) {
                tumble_collide_result result = {.size = sizeof result};
                assert_int_equal(tumble_collide(w->query, models[i / 2], NULL, models[i % 2], NULL, NULL, &result),
                                 TUMBLE_OK);
                assert_int_equal(result.collide, i == 3);
                assert_int_equal(result.pair_count, i == 3);
            }
            tumble_model_destroy(nothing);
            tumble_model_destroy(empty);
            tumble_model_destroy(single);
        }
    }
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
                const tumble_model_options tree = test_tree_variant(number % TEST_TREE_VARIANTS);
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
        const tumble_model_options tree = test_tree_variant(i % TEST_TREE_VARIANTS);
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
        TEST_IN_WORLD(test_null_arguments),
        TEST_IN_WORLD(test_sizes_of_structs),
        TEST_IN_WORLD(test_bad_arrays),
        TEST_IN_WORLD(test_bad_strides),
        TEST_IN_WORLD(test_bad_polygons),
        TEST_IN_WORLD(test_bad_indices),
        TEST_IN_WORLD(test_bad_points),
        TEST_IN_WORLD(test_bad_options),
        TEST_IN_WORLD(test_bad_questions),
        TEST_IN_WORLD(test_forms_of_arrays),
        TEST_IN_WORLD(test_shapes),
        TEST_IN_WORLD(test_bytes_a_node),
        TEST_IN_WORLD(test_bytes_a_triangle),
        TEST_IN_WORLD(test_empty_and_single),
        TEST_IN_WORLD(test_closed),
        TEST_IN_WORLD(test_degenerate),
        TEST_IN_WORLD(test_one_inexact_coordinate),
        TEST_IN_WORLD(test_random_bits_survive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
