/* The progress function of a query: it is asked in every hierarchy and question, it can end them, and it changes no
 * answer. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "tumble/tumble.h"

typedef struct asking {
    uint64_t count;
    uint64_t most; /* then it stops the call */
} asking;

static bool count_asks(void *user)
{
    asking *a = user;
    return ++a->count >= a->most;
}

/* A bumpy sheet of 2 n² triangles. */
static tumble_model *make_sheet(tumble_context *context, tumble_hierarchy hierarchy, uint32_t n)
{
    double *points = malloc((size_t)(n + 1) * (n + 1) * 3 * sizeof *points);
    uint32_t *indices = malloc((size_t)n * n * 6 * sizeof *indices);
    assert_true(points && indices);
    for (uint32_t i = 0; i < (n + 1) * (n + 1); i++) {
        const double x = i / (n + 1), y = i % (n + 1);
        points[3 * i] = x, points[3 * i + 1] = y, points[3 * i + 2] = sin(x) + cos(1.3 * y);
    }
    for (uint32_t i = 0; i < n * n; i++) {
        const uint32_t at = i / n * (n + 1) + i % n;
        const uint32_t corners[6] = {at, at + 1, at + n + 1, at + 1, at + n + 2, at + n + 1};
        memcpy(indices + 6 * (size_t)i, corners, sizeof corners);
    }
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = points, mesh.point_count = (size_t)(n + 1) * (n + 1);
    mesh.indices = indices, mesh.index_count = (size_t)n * n * 6;
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = hierarchy;
    tumble_model *model;
    assert_int_equal(tumble_model_create(context, &mesh, &options, &model), TUMBLE_OK);
    free(points);
    free(indices);
    return model;
}

static tumble_status collide(tumble_query *query, const tumble_model *model, tumble_mode mode, double z,
                             uint64_t *count)
{
    tumble_pose pose = tumble_pose_identity();
    pose.m[0][3] = 0.3, pose.m[2][3] = z;
    tumble_collide_options options = tumble_default_collide_options();
    options.mode = mode;
    tumble_collide_result result;
    const tumble_status status = tumble_collide(query, model, NULL, model, &pose, &options, &result);
    *count = result.pair_count;
    return status;
}

static tumble_status distance(tumble_query *query, const tumble_model *model, double *found)
{
    tumble_pose pose = tumble_pose_identity();
    pose.m[2][3] = 5;
    tumble_distance_result result;
    const tumble_status status = tumble_distance(query, model, NULL, model, &pose, NULL, &result);
    *found = result.nearest.distance;
    return status;
}

static void check_message(const tumble_query *query)
{
    char text[200];
    assert_int_equal(tumble_query_error(query, text, sizeof text), TUMBLE_ERROR_CANCELLED);
    assert_non_null(strstr(text, "progress"));
}

static void check_collisions(tumble_query *query, const tumble_model *model, tumble_mode mode)
{
    uint64_t truth, found;
    assert_int_equal(tumble_query_set_progress(query, NULL, NULL), TUMBLE_OK);
    assert_int_equal(collide(query, model, mode, 0.1, &truth), TUMBLE_OK);
    asking all = {.most = UINT64_MAX};
    assert_int_equal(tumble_query_set_progress(query, count_asks, &all), TUMBLE_OK);
    assert_int_equal(collide(query, model, mode, 0.1, &found), TUMBLE_OK);
    assert_true(found == truth && truth > 100);
    assert_true(all.count > 3);
    asking some = {.most = 2};
    assert_int_equal(tumble_query_set_progress(query, count_asks, &some), TUMBLE_OK);
    assert_int_equal(collide(query, model, mode, 0.1, &found), TUMBLE_ERROR_CANCELLED);
    assert_true(some.count <= 3); /* nothing goes on for long */
    check_message(query);
    some.most = UINT64_MAX;
    assert_int_equal(collide(query, model, mode, 0.1, &found), TUMBLE_OK);
    assert_true(found == truth);
}

static void check_distances(tumble_query *query, const tumble_model *model)
{
    double truth, found;
    assert_int_equal(tumble_query_set_progress(query, NULL, NULL), TUMBLE_OK);
    assert_int_equal(distance(query, model, &truth), TUMBLE_OK);
    asking some = {.most = 2};
    assert_int_equal(tumble_query_set_progress(query, count_asks, &some), TUMBLE_OK);
    assert_int_equal(distance(query, model, &found), TUMBLE_ERROR_CANCELLED);
    check_message(query);
    some = (asking){.most = UINT64_MAX};
    assert_int_equal(distance(query, model, &found), TUMBLE_OK);
    assert_true(found == truth && some.count > 2);
}

static void test_every_hierarchy(void **state)
{
    (void)state;
    static const tumble_hierarchy hierarchies[] = {TUMBLE_HIERARCHY_WIDE, TUMBLE_HIERARCHY_BOXTREE,
                                                   TUMBLE_HIERARCHY_KDOP, TUMBLE_HIERARCHY_RTREE,
                                                   TUMBLE_HIERARCHY_BRUTE};
    tumble_context *context;
    tumble_query *query;
    assert_int_equal(tumble_context_create(NULL, &context), TUMBLE_OK);
    assert_int_equal(tumble_query_create(context, &query), TUMBLE_OK);
    for (size_t i = 0; i < sizeof hierarchies / sizeof *hierarchies; i++) {
        const bool is_brute = hierarchies[i] == TUMBLE_HIERARCHY_BRUTE;
        tumble_model *model = make_sheet(context, hierarchies[i], is_brute ? 16 : 60);
        check_collisions(query, model, TUMBLE_COUNT);
        check_collisions(query, model, TUMBLE_ALL);
        if (!is_brute) {
            check_distances(query, model);
        }
        assert_int_equal(tumble_model_destroy(model), TUMBLE_OK);
    }
    tumble_query_destroy(query);
    tumble_context_destroy(context);
}

/* Models that come close everywhere and never touch: nothing is found, and the traversal asks all the same. */
static void test_nothing_found(void **state)
{
    (void)state;
    tumble_context *context;
    tumble_query *query;
    uint64_t found;
    assert_int_equal(tumble_context_create(NULL, &context), TUMBLE_OK);
    assert_int_equal(tumble_query_create(context, &query), TUMBLE_OK);
    tumble_model *model = make_sheet(context, TUMBLE_HIERARCHY_WIDE, 120);
    asking some = {.most = 1};
    assert_int_equal(tumble_query_set_progress(query, count_asks, &some), TUMBLE_OK);
    assert_int_equal(collide(query, model, TUMBLE_TEST, 0.6, &found), TUMBLE_ERROR_CANCELLED);
    assert_int_equal(tumble_model_destroy(model), TUMBLE_OK);
    tumble_query_destroy(query);
    tumble_context_destroy(context);
}

static void test_arguments(void **state)
{
    (void)state;
    assert_int_equal(tumble_query_set_progress(NULL, count_asks, NULL), TUMBLE_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_hierarchy),
        cmocka_unit_test(test_nothing_found),
        cmocka_unit_test(test_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
