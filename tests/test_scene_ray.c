/* Rays at scenes, and points in their objects: what the single questions say of every object. */
#include <math.h>
#include <string.h>

#include "scenes.h"

enum {
    OBJECTS = 40
};

typedef struct ray_scene {
    tumble_scene *scene;
    tumble_model *models[2];
    tumble_object objects[OBJECTS];
    tumble_part parts[OBJECTS];
} ray_scene;

static void fill(test_world *w, ray_scene *s, test_random *random, tumble_broad broad)
{
    models_mesh meshes[2] = {{0}, {0}};
    test_make_grid_box(&meshes[0], 2);
    assert_true(models_make_sized(&meshes[1], "torus", 300));
    tumble_scene_options options = tumble_default_scene_options();
    options.broad = broad;
    options.thread_count = 1;
    assert_int_equal(tumble_scene_create(w->context, &options, &s->scene), TUMBLE_OK);
    for (int i = 0; i < 2; i++) {
        models_fit(&meshes[i], 2, 0);
        s->models[i] = test_model(w->context, &meshes[i], NULL);
        models_free(&meshes[i]);
    }
    for (int i = 0; i < OBJECTS; i++) {
        s->parts[i] = tumble_default_part();
        s->parts[i].model = s->models[i % 2];
        s->parts[i].pose = i % 3 ? test_rational_turn(random) : test_translation(0, 0, 0);
        for (int k = 0; k < 3; k++)
            s->parts[i].pose.m[k][3] = test_random_whole(random, -3, 3);
        s->parts[i].group = i % 4 ? 1 : 2;
        s->parts[i].is_inactive = i % 7 == 6;
    }
    assert_int_equal(tumble_scene_add(s->scene, s->parts, OBJECTS, s->objects), TUMBLE_OK);
}

static void empty(ray_scene *s)
{
    tumble_scene_destroy(s->scene);
    tumble_model_destroy(s->models[0]);
    tumble_model_destroy(s->models[1]);
}

static int is_asked(const ray_scene *s, int i, uint32_t groups)
{
    return !s->parts[i].is_inactive && (s->parts[i].group & groups);
}

static void check_ray(test_world *w, tumble_query *other, ray_scene *s, const double o[3], const double d[3],
                      uint32_t groups, double t0)
{
    tumble_ray_options options = tumble_default_ray_options();
    tumble_scene_ray_result all, result;
    uint64_t total = 0;
    double closest = INFINITY;
    uint32_t object = 0;
    options.mode = TUMBLE_ALL;
    options.t0 = t0;
    assert_int_equal(tumble_scene_ray(w->query, s->scene, groups, o, d, &options, &all), TUMBLE_OK);
    for (uint64_t i = 1; i < all.hit_count; i++) {
        const tumble_scene_hit *a = &all.hits[i - 1], *b = &all.hits[i];
        assert_true(a->hit.t < b->hit.t || (a->hit.t == b->hit.t && a->object.index <= b->object.index));
    }
    for (int i = 0; i < OBJECTS; i++) {
        tumble_ray_result single;
        if (!is_asked(s, i, groups))
            continue;
        assert_int_equal(tumble_ray(other, s->parts[i].model, &s->parts[i].pose, o, d, &options, &single), TUMBLE_OK);
        uint64_t found = 0;
        for (uint64_t h = 0; h < all.hit_count; h++) {
            if (all.hits[h].object.index == s->objects[i].index) {
                assert_true(found < single.hit_count);
                assert_memory_equal(&all.hits[h].hit, &single.hits[found], sizeof single.hits[0]);
                found++;
            }
        }
        assert_int_equal(found, single.hit_count);
        if (single.hit && single.first.t < closest) {
            closest = single.first.t;
            object = s->objects[i].index;
        }
        total += single.hit_count;
    }
    assert_int_equal(all.hit_count, total);
    options.mode = TUMBLE_COUNT;
    assert_int_equal(tumble_scene_ray(w->query, s->scene, groups, o, d, &options, &result), TUMBLE_OK);
    assert_int_equal(result.hit_count, total);
    options.mode = TUMBLE_TEST;
    assert_int_equal(tumble_scene_ray(w->query, s->scene, groups, o, d, &options, &result), TUMBLE_OK);
    assert_int_equal(result.hit, total > 0);
    options.mode = TUMBLE_FIRST;
    assert_int_equal(tumble_scene_ray(w->query, s->scene, groups, o, d, &options, &result), TUMBLE_OK);
    assert_int_equal(result.hit, total > 0);
    if (total > 0) {
        assert_true(result.first.hit.t == closest);
        assert_int_equal(result.first.object.index, object);
    }
}

static void test_rays(void **state)
{
    test_world *w = *state;
    test_random random = {21};
    size_t hits = 0;
    tumble_query *other;
    assert_int_equal(tumble_query_create(w->context, &other), TUMBLE_OK);
    for (int broad = 0; broad < 2; broad++) {
        ray_scene s;
        fill(w, &s, &random, broad ? TUMBLE_BROAD_ALL : TUMBLE_BROAD_TREE);
        for (size_t n = 0; n < test_count(60); n++) {
            double o[3], d[3];
            for (int k = 0; k < 3; k++) {
                o[k] = test_random_whole(&random, -5, 5);
                d[k] = test_random_whole(&random, -2, 2);
            }
            if (d[0] == 0 && d[1] == 0 && d[2] == 0)
                d[n % 3] = 1;
            check_ray(w, other, &s, o, d, n % 3 ? UINT32_MAX : 2, n % 5 ? 0 : -INFINITY);
            tumble_scene_ray_result result;
            assert_int_equal(tumble_scene_ray(w->query, s.scene, UINT32_MAX, o, d, NULL, &result), TUMBLE_OK);
            hits += result.hit;
        }
        empty(&s);
    }
    tumble_query_destroy(other);
    assert_true(hits > test_count(60) / 4);
}

static void test_points(void **state)
{
    test_world *w = *state;
    test_random random = {22};
    ray_scene s;
    size_t held = 0;
    tumble_query *other;
    assert_int_equal(tumble_query_create(w->context, &other), TUMBLE_OK);
    fill(w, &s, &random, TUMBLE_BROAD_TREE);
    for (size_t n = 0; n < test_count(100); n++) {
        double point[3];
        const tumble_scene_place *places;
        size_t count, expected = 0;
        for (int k = 0; k < 3; k++)
            point[k] = test_random_whole(&random, -8, 8) / 2.0;
        assert_int_equal(tumble_scene_inside(w->query, s.scene, UINT32_MAX, point, NULL, &places, &count), TUMBLE_OK);
        for (int i = 0; i < OBJECTS; i++) {
            tumble_inside_answer answer;
            if (!is_asked(&s, i, UINT32_MAX))
                continue;
            assert_int_equal(tumble_inside(other, s.parts[i].model, &s.parts[i].pose, point, 1, NULL, &answer, NULL),
                             TUMBLE_OK);
            if (answer.place == TUMBLE_PLACE_INSIDE || answer.place == TUMBLE_PLACE_ON_SURFACE) {
                assert_true(expected < count);
                assert_int_equal(places[expected].object.index, s.objects[i].index);
                assert_memory_equal(&places[expected].answer, &answer, sizeof answer);
                expected++;
            }
        }
        assert_int_equal(count, expected);
        held += count;
    }
    assert_true(held > 0);
    empty(&s);
    tumble_query_destroy(other);
}

static void test_errors(void **state)
{
    test_world *w = *state;
    test_random random = {23};
    ray_scene s;
    const double o[3] = {0, 0, 0}, d[3] = {0, 0, 1}, zero[3] = {0, 0, 0}, bad[3] = {NAN, 0, 0};
    tumble_scene_ray_result result;
    const tumble_scene_place *places;
    size_t count;
    fill(w, &s, &random, TUMBLE_BROAD_TREE);
    test_assert_status(w->context, tumble_scene_ray(w->query, NULL, 1, o, d, NULL, &result), TUMBLE_ERROR_ARGUMENT,
                       "null");
    test_assert_status(w->context, tumble_scene_ray(w->query, s.scene, 1, o, zero, NULL, &result),
                       TUMBLE_ERROR_ARGUMENT, "direction");
    test_assert_status(w->context, tumble_scene_ray(w->query, s.scene, 1, bad, d, NULL, &result),
                       TUMBLE_ERROR_NOT_FINITE, "origin");
    test_assert_status(w->context, tumble_scene_inside(w->query, s.scene, 1, bad, NULL, &places, &count),
                       TUMBLE_ERROR_NOT_FINITE, "point");
    test_assert_status(w->context, tumble_scene_inside(w->query, s.scene, 1, NULL, NULL, &places, &count),
                       TUMBLE_ERROR_ARGUMENT, "null");
    assert_int_equal(tumble_scene_ray(NULL, s.scene, 1, o, d, NULL, &result), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_scene_inside(NULL, s.scene, 1, o, NULL, &places, &count), TUMBLE_ERROR_ARGUMENT);
    empty(&s);
    tumble_scene *nothing;
    assert_int_equal(tumble_scene_create(w->context, NULL, &nothing), TUMBLE_OK);
    assert_int_equal(tumble_scene_ray(w->query, nothing, 1, o, d, NULL, &result), TUMBLE_OK);
    assert_false(result.hit);
    assert_int_equal(tumble_scene_inside(w->query, nothing, 1, o, NULL, &places, &count), TUMBLE_OK);
    assert_int_equal(count, 0);
    tumble_scene_destroy(nothing);
}

/* ---- Memory ---- */

static tumble_status ask_all(test_world *w, void *user)
{
    ray_scene *s = user;
    const double o[3] = {-5, 0.25, 0.5}, d[3] = {1, 0, 0};
    tumble_ray_options options = tumble_default_ray_options();
    tumble_scene_ray_result result;
    tumble_query *query;
    options.mode = TUMBLE_ALL;
    tumble_status status = tumble_query_create(w->context, &query);
    if (status == TUMBLE_OK) {
        const tumble_scene_place *places;
        size_t count;
        status = tumble_scene_ray(query, s->scene, UINT32_MAX, o, d, &options, &result);
        if (status == TUMBLE_OK)
            status = tumble_scene_inside(query, s->scene, UINT32_MAX, s->parts[0].pose.m[0], NULL, &places, &count);
        tumble_query_destroy(query);
    }
    return status;
}

static void test_memory(void **state)
{
    test_world *w = *state;
    test_random random = {24};
    ray_scene s;
    fill(w, &s, &random, TUMBLE_BROAD_TREE);
    assert_int_equal(ask_all(w, &s), TUMBLE_OK); /* the scene and its models keep what they learn */
    assert_true(test_fail_each(w, TEST_FAIL_TAKING_TURNS, ask_all, NULL, &s) > 3);
    empty(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_rays),
        TEST_IN_WORLD(test_points),
        TEST_IN_WORLD(test_errors),
        TEST_IN_WORLD(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
