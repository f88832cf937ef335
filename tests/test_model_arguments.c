/* Making models: what is rejected and with which message, the accepted forms of arrays, empty models. */
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
    tumble_model_info info;
    size_t size = 7;
    uint32_t surface;
    assert_int_equal(tumble_model_create(NULL, view(&s), NULL, &model), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(w->context, tumble_model_create(w->context, NULL, NULL, &model), TUMBLE_ERROR_ARGUMENT, "null");
    test_assert_status(w->context, tumble_model_create(w->context, view(&s), NULL, NULL), TUMBLE_ERROR_ARGUMENT,
                       "null");
    assert_int_equal(tumble_model_get_info(NULL, &info), TUMBLE_ERROR_ARGUMENT);
    tumble_tuning tuning;
    tumble_kdop_info sizes;
    assert_int_equal(tumble_model_get_tuning(NULL, &tuning), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_model_get_kdop_info(NULL, &sizes), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_model_surface(NULL, 0, &surface), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_model_triangle(NULL, 0, NULL, NULL), TUMBLE_ERROR_ARGUMENT);
    assert_null(tumble_model_block(NULL, &size));
    assert_int_equal(size, 0);
    tumble_model_destroy(NULL);
    tumble_query_destroy(NULL);
    tumble_context_destroy(NULL);
}

static void test_bad_arrays(void **state)
{
    test_world *w = *state;
    sample s = make_sample();
    tumble_mesh *m = view(&s);
    m->points_float = &s.points_float[0][0];
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
#define REFUSE_VALUE(field, value)                         \
    o = tumble_default_model_options(), o.field = (value); \
    refuse(w, m, &o, TUMBLE_ERROR_ARGUMENT, "model options")
    REFUSE_VALUE(hierarchy, (tumble_hierarchy)(TUMBLE_HIERARCHY_RTREE + 1));
    REFUSE_VALUE(hierarchy, (tumble_hierarchy)-1);
#undef REFUSE_VALUE
#define REFUSE_VALUE(field, value)      \
    o = tumble_default_model_options(); \
    test_tune(o, field, value);         \
    refuse(w, m, &o, TUMBLE_ERROR_ARGUMENT, "tuning")
    REFUSE_VALUE(rtree.load, (tumble_rtree_load)99);
    REFUSE_VALUE(rtree.load, (tumble_rtree_load)-1);
    REFUSE_VALUE(rtree.load, (tumble_rtree_load)(TUMBLE_RTREE_LOAD_GUTTMAN_LINEAR + 1));
    REFUSE_VALUE(rtree.width, 0);
    REFUSE_VALUE(rtree.width, TUMBLE_RTREE_WIDTH_LEAST - 1);
    REFUSE_VALUE(rtree.width, TUMBLE_RTREE_WIDTH_MOST + 1);
    REFUSE_VALUE(boxtree.layout, (tumble_boxtree_layout)2);
    REFUSE_VALUE(boxtree.layout, (tumble_boxtree_layout)-1);
    REFUSE_VALUE(boxtree.axes, (tumble_boxtree_axes)2);
    REFUSE_VALUE(boxtree.criterion, (tumble_boxtree_criterion)2);
    REFUSE_VALUE(boxtree.growth, (tumble_boxtree_growth)2);
    REFUSE_VALUE(boxtree.planes, (tumble_boxtree_planes)2);
    REFUSE_VALUE(boxtree.trim, -0.01);
    REFUSE_VALUE(boxtree.trim, 1.01);
    REFUSE_VALUE(boxtree.trim, NAN);
    REFUSE_VALUE(boxtree.trim, INFINITY);
    REFUSE_VALUE(wide.axes, (tumble_wide_axes)(TUMBLE_WIDE_LONGEST_AXIS + 1));
    REFUSE_VALUE(wide.axes, (tumble_wide_axes)-1);
    static const uint32_t wrong_k[] = {0, 3, 8, 16, 24, 27, 28, UINT32_MAX};
    for (size_t i = 0; i < sizeof wrong_k / sizeof *wrong_k; i++) {
        REFUSE_VALUE(kdop.k, wrong_k[i]);
    }
    REFUSE_VALUE(kdop.split, (tumble_kdop_split)(TUMBLE_KDOP_SPLIT_MIN_MAX + 1));
    REFUSE_VALUE(kdop.split, (tumble_kdop_split)-1);
    REFUSE_VALUE(kdop.at, (tumble_kdop_at)(TUMBLE_KDOP_AT_BEST + 1));
    REFUSE_VALUE(kdop.tumble, (tumble_kdop_tumble)(TUMBLE_KDOP_TUMBLE_AXES + 1));
    REFUSE_VALUE(kdop.leaf, 0);
    REFUSE_VALUE(kdop.leaf, TUMBLE_KDOP_LEAF_MOST + 1);
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
    test_assert_status(w->context, tumble_model_get_info(model, NULL), TUMBLE_ERROR_ARGUMENT, "");
    test_assert_status(w->context, tumble_model_get_tuning(model, NULL), TUMBLE_ERROR_ARGUMENT, "null");
    test_assert_status(w->context, tumble_model_get_kdop_info(model, NULL), TUMBLE_ERROR_ARGUMENT, "null");
    test_assert_status(w->context, tumble_model_triangle(model, 2, corners, NULL), TUMBLE_ERROR_INDEX, "triangle 2");
    test_assert_status(w->context, tumble_model_triangle(model, UINT32_MAX, corners, &number), TUMBLE_ERROR_INDEX,
                       "4294967295");
    test_assert_status(w->context, tumble_model_surface(model, 2, &number), TUMBLE_ERROR_INDEX, "polygon 2");
    test_assert_status(w->context, tumble_model_surface(model, 0, NULL), TUMBLE_ERROR_ARGUMENT, "null");
    assert_int_equal(tumble_model_triangle(model, 1, NULL, NULL), TUMBLE_OK);
    tumble_model_destroy(model);
}

/* ---- What is taken ---- */

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
    for (int h = TUMBLE_HIERARCHY_BRUTE; h <= TUMBLE_HIERARCHY_RTREE; h++) {
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
            test_assert_same_blocks(models[i], models[0]);
        }
        const tumble_model_info info = test_info(models[0]);
        assert_int_equal(info.point_count, 4); /* one is not used */
        assert_true(info.upper[0] == 1);
        for (int i = 0; i < 6; i++) {
            tumble_model_destroy(models[i]);
        }
    }
}

static void test_empty_and_single(void **state)
{
    test_world *w = *state;
    sample s = make_sample();
    for (int h = 0; h <= TUMBLE_HIERARCHY_RTREE; h++) {
        tumble_model_options options = tumble_default_model_options();
        options.hierarchy = (tumble_hierarchy)h;
        for (int layout = 0; layout < 2; layout++) {
            test_tune(options, boxtree.layout, (tumble_boxtree_layout)layout);
            tumble_model *empty, *nothing, *single;
            const tumble_mesh none = tumble_default_mesh();
            assert_int_equal(tumble_model_create(w->context, &none, &options, &nothing), TUMBLE_OK);
            view(&s)->index_count = 0; /* points alone */
            assert_int_equal(tumble_model_create(w->context, &s.mesh, &options, &empty), TUMBLE_OK);
            test_assert_same_blocks(empty, nothing);
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
            const int rtree = h == TUMBLE_HIERARCHY_RTREE; /* whose root is then a cluster, no node */
            assert_int_equal(info.depth, hierarchy == TUMBLE_HIERARCHY_WIDE || rtree); /* its leaves are no nodes */
            assert_int_equal(info.node_count, h != TUMBLE_HIERARCHY_BRUTE && !rtree);
            assert_int_equal(info.hierarchy, hierarchy);

            const tumble_model *models[] = {empty, single};
            for (int i = 0; i < 4; i++) {
                tumble_collide_result result;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_null_arguments),   TEST_IN_WORLD(test_bad_arrays),    TEST_IN_WORLD(test_bad_strides),
        TEST_IN_WORLD(test_bad_polygons),     TEST_IN_WORLD(test_bad_indices),   TEST_IN_WORLD(test_bad_points),
        TEST_IN_WORLD(test_bad_options),      TEST_IN_WORLD(test_bad_questions), TEST_IN_WORLD(test_forms_of_arrays),
        TEST_IN_WORLD(test_empty_and_single),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
