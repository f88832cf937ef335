/* Points, boxes and balls in scenes: the same as asking every object by itself. */
#include <math.h>
#include <string.h>

#include "scenes.h"

enum {
    OBJECTS = 40,
    MOST = 64
};

typedef struct crowd {
    tumble_scene *scene;
    tumble_model *models[2];
    tumble_object objects[OBJECTS];
    tumble_part parts[OBJECTS];
} crowd;

static void make_crowd(test_world *w, crowd *c, test_random *random, tumble_broad broad)
{
    tumble_scene_options options = tumble_default_scene_options();
    models_mesh box = {0}, soup = {0};
    options.broad = broad;
    test_make_grid_box(&box, 2);
    test_make_soup(&soup, random, 20, 1);
    c->models[0] = test_model(w->context, &box, NULL);
    c->models[1] = test_model(w->context, &soup, NULL);
    models_free(&box);
    models_free(&soup);
    assert_int_equal(tumble_scene_create(w->context, &options, &c->scene), TUMBLE_OK);
    for (int i = 0; i < OBJECTS; i++) {
        c->parts[i] = tumble_default_part();
        c->parts[i].model = c->models[i % 2];
        c->parts[i].group = i % 3 ? 1 : 2;
        c->parts[i].is_inactive = i == 7;
        c->parts[i].pose = test_rational_turn(random);
        for (int k = 0; k < 3; k++) {
            c->parts[i].pose.m[k][3] = test_random_range(random, -12, 12);
        }
    }
    assert_int_equal(tumble_scene_add(c->scene, c->parts, OBJECTS, c->objects), TUMBLE_OK);
}

static void free_crowd(crowd *c)
{
    tumble_scene_destroy(c->scene);
    tumble_model_destroy(c->models[0]);
    tumble_model_destroy(c->models[1]);
}

static int is_asked(const crowd *c, int i, uint32_t groups)
{
    return !c->parts[i].is_inactive && c->parts[i].group & groups;
}

/* The nearest polygons of all objects, one by one. */
static size_t list_closest(test_world *w, const crowd *c, const double point[3], uint32_t groups,
                           const tumble_closest_options *options, tumble_scene_closest out[MOST])
{
    size_t count = 0;
    for (int i = 0; i < OBJECTS; i++) {
        tumble_closest_result result;
        if (!is_asked(c, i, groups)) {
            continue;
        }
        assert_int_equal(tumble_closest_point(w->query, c->parts[i].model, &c->parts[i].pose, point, options, &result),
                         TUMBLE_OK);
        for (size_t n = 0; n < result.count; n++) {
            size_t at = count < options->count ? count : options->count;
            for (; at > 0 && fabs(out[at - 1].closest.distance) > fabs(result.closest[n].distance); at--) {
                out[at] = out[at - 1];
            }
            out[at] = (tumble_scene_closest){c->objects[i], result.closest[n]};
            count += count < options->count;
        }
    }
    return count;
}

static void closest_points_are_those_of_objects(void **state)
{
    test_world *w = *state;
    test_random random = {77};
    for (int broad = TUMBLE_BROAD_TREE; broad <= TUMBLE_BROAD_ALL; broad++) {
        crowd c;
        make_crowd(w, &c, &random, (tumble_broad)broad);
        for (size_t n = 0; n < test_count(20); n++) {
            const double size = n % 4 == 3 ? 200 : 12, x = test_random_range(&random, -size, size),
                         y = test_random_range(&random, -size, size), z = test_random_range(&random, -size, size);
            const double point[3] = {x, y, z};
            const uint32_t groups = n % 3 == 0 ? 2 : UINT32_MAX;
            tumble_closest_options options = tumble_default_closest_options();
            tumble_scene_closest expected[MOST + 1];
            tumble_scene_closest_result found;
            options.count = n % 2 ? 1 : 5;
            options.within = n % 5 == 4 ? 3 : INFINITY;
            options.want_sign = n % 2;
            const size_t count = list_closest(w, &c, point, groups, &options, expected);
            assert_int_equal(tumble_scene_closest_point(w->query, c.scene, groups, point, &options, &found), TUMBLE_OK);
            assert_int_equal(found.count, count);
            for (size_t i = 0; i < count; i++) {
                assert_int_equal(found.closest[i].object.index, expected[i].object.index);
                const tumble_closest *a = &found.closest[i].closest, *b = &expected[i].closest;
                assert_int_equal(a->polygon, b->polygon);
                assert_memory_equal(&a->distance, &b->distance, sizeof *a - offsetof(tumble_closest, distance));
            }
        }
        free_crowd(&c);
    }
}

typedef struct heard {
    size_t count, most;
    uint32_t last;
} heard;

static bool hear(void *user, const tumble_scene_overlap *overlap)
{
    heard *h = user;
    assert_true(h->count == 0 || overlap->object.index > h->last);
    h->last = overlap->object.index;
    return ++h->count >= h->most;
}

static tumble_status ask_object(test_world *w, const crowd *c, int i, const tumble_pose *box, const double numbers[3],
                                double radius, tumble_overlap_result *out)
{
    return box ? tumble_overlap_box(w->query, c->parts[i].model, &c->parts[i].pose, box, numbers, NULL, out)
               : tumble_overlap_sphere(w->query, c->parts[i].model, &c->parts[i].pose, numbers, radius, NULL, out);
}

static tumble_status ask_scene(test_world *w, const crowd *c, const tumble_pose *box, const double numbers[3],
                               double radius, const tumble_scene_overlap_options *options,
                               tumble_scene_overlap_result *out)
{
    return box ? tumble_scene_overlap_box(w->query, c->scene, box, numbers, options, out)
               : tumble_scene_overlap_sphere(w->query, c->scene, numbers, radius, options, out);
}

static void check_overlaps(test_world *w, const crowd *c, const tumble_pose *box, const double numbers[3],
                           double radius, uint32_t groups)
{
    tumble_scene_overlap_options options = tumble_default_scene_overlap_options();
    tumble_scene_overlap_result found;
    uint32_t indices[OBJECTS];
    uint64_t counts[OBJECTS];
    size_t count = 0;
    options.groups = groups;
    for (int i = 0; i < OBJECTS; i++) {
        tumble_overlap_result own;
        if (is_asked(c, i, groups)) {
            assert_int_equal(ask_object(w, c, i, box, numbers, radius, &own), TUMBLE_OK);
            indices[count] = c->objects[i].index;
            counts[count] = own.polygon_count;
            count += own.overlap;
        }
    }
    for (int mode = TUMBLE_TEST; mode <= TUMBLE_ALL; mode++) {
        options.mode = (tumble_mode)mode;
        assert_int_equal(ask_scene(w, c, box, numbers, radius, &options, &found), TUMBLE_OK);
        assert_int_equal(found.overlap, count > 0);
        assert_int_equal(found.object_count, mode >= TUMBLE_COUNT ? count : count > 0);
        for (size_t i = 0; mode >= TUMBLE_COUNT && i < count; i++) {
            assert_int_equal(found.objects[i].object.index, indices[i]);
            assert_int_equal(found.objects[i].polygon_count, counts[i]);
            assert_int_equal(found.objects[i].polygons != NULL, mode == TUMBLE_ALL);
        }
    }
    heard all = {.most = SIZE_MAX}, one = {.most = 1};
    options.callback = hear;
    options.callback_user = &all;
    assert_int_equal(ask_scene(w, c, box, numbers, radius, &options, &found), TUMBLE_OK);
    assert_int_equal(all.count, count);
    options.callback_user = &one;
    assert_int_equal(ask_scene(w, c, box, numbers, radius, &options, &found),
                     count > 0 ? TUMBLE_ERROR_CANCELLED : TUMBLE_OK);
}

static void overlaps_are_those_of_objects(void **state)
{
    test_world *w = *state;
    test_random random = {78};
    crowd c;
    make_crowd(w, &c, &random, TUMBLE_BROAD_TREE);
    for (size_t n = 0; n < test_count(20); n++) {
        tumble_pose box = test_rational_turn(&random);
        double numbers[3];
        const double radius = test_random_range(&random, 0, 6);
        for (int k = 0; k < 3; k++) {
            box.m[k][3] = test_random_range(&random, -12, 12);
            numbers[k] = n % 2 ? test_random_range(&random, -12, 12) : test_random_range(&random, 0, 6);
        }
        check_overlaps(w, &c, n % 2 ? NULL : &box, numbers, radius, n % 3 ? UINT32_MAX : 2);
    }
    free_crowd(&c);
}

static void bad_arguments_are_rejected(void **state)
{
    test_world *w = *state;
    const double good[3] = {1, 1, 1}, nan[3] = {1, NAN, 1}, negative[3] = {1, -1, 1};
    tumble_scene *scene;
    tumble_scene_closest_result closest;
    tumble_scene_overlap_result overlap;
    tumble_closest_options options = tumble_default_closest_options();
    assert_int_equal(tumble_scene_create(w->context, NULL, &scene), TUMBLE_OK);
    assert_int_equal(tumble_scene_closest_point(NULL, scene, 1, good, NULL, &closest), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_scene_overlap_box(NULL, scene, NULL, good, NULL, &overlap), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(w->context, tumble_scene_closest_point(w->query, NULL, 1, good, NULL, &closest),
                       TUMBLE_ERROR_ARGUMENT, "null");
    test_assert_status(w->context, tumble_scene_closest_point(w->query, scene, 1, nan, NULL, &closest),
                       TUMBLE_ERROR_NOT_FINITE, "point");
    test_assert_status(w->context, tumble_scene_overlap_box(w->query, scene, NULL, negative, NULL, &overlap),
                       TUMBLE_ERROR_ARGUMENT, "negative");
    test_assert_status(w->context, tumble_scene_overlap_sphere(w->query, scene, nan, 1, NULL, &overlap),
                       TUMBLE_ERROR_NOT_FINITE, "finite");
    test_assert_status(w->context, tumble_scene_overlap_sphere(w->query, scene, good, -1, NULL, &overlap),
                       TUMBLE_ERROR_ARGUMENT, "negative");
    options.count = 0;
    test_assert_status(w->context, tumble_scene_closest_point(w->query, scene, 1, good, &options, &closest),
                       TUMBLE_ERROR_ARGUMENT, "count");
    assert_int_equal(tumble_scene_closest_point(w->query, scene, 1, good, NULL, &closest), TUMBLE_OK);
    assert_int_equal(closest.count, 0);
    assert_int_equal(tumble_scene_overlap_box(w->query, scene, NULL, good, NULL, &overlap), TUMBLE_OK);
    assert_false(overlap.overlap);
    tumble_scene_destroy(scene);
}

/* The point is in an object's box, but not within reach of its polygons; nothing was found with this query before. */
static void nothing_in_reach(void **state)
{
    test_world *w = *state;
    const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1}, middle[3] = {0.5, 0.5, 0.5};
    tumble_query *query;
    tumble_scene *scene;
    tumble_model *box;
    tumble_object object;
    tumble_scene_closest_result closest;
    tumble_closest_options options = tumble_default_closest_options();
    tumble_part part = tumble_default_part();
    assert_int_equal(tumble_query_create(w->context, &query), TUMBLE_OK);
    assert_int_equal(tumble_scene_create(w->context, NULL, &scene), TUMBLE_OK);
    assert_int_equal(tumble_model_create_box(w->context, lower, upper, 0, NULL, &box), TUMBLE_OK);
    part.model = box;
    assert_int_equal(tumble_scene_add(scene, &part, 1, &object), TUMBLE_OK);
    options.within = 0.25;
    assert_int_equal(tumble_scene_closest_point(query, scene, UINT32_MAX, middle, &options, &closest), TUMBLE_OK);
    assert_int_equal(closest.count, 0);
    options.within = 0.5;
    assert_int_equal(tumble_scene_closest_point(query, scene, UINT32_MAX, middle, &options, &closest), TUMBLE_OK);
    assert_int_equal(closest.count, 1);
    tumble_scene_destroy(scene);
    tumble_model_destroy(box);
    tumble_query_destroy(query);
}

static tumble_status ask_in_new_query(test_world *w, void *user)
{
    const crowd *c = user;
    const double numbers[3] = {3, 3, 3};
    tumble_query *query;
    tumble_scene_closest_result closest;
    tumble_scene_overlap_result overlap;
    tumble_status status = tumble_query_create(w->context, &query);
    if (status != TUMBLE_OK) {
        return status;
    }
    status = tumble_scene_closest_point(query, c->scene, UINT32_MAX, numbers, NULL, &closest);
    status = status == TUMBLE_OK ? tumble_scene_overlap_sphere(query, c->scene, numbers, 20, NULL, &overlap) : status;
    tumble_query_destroy(query);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    test_world *w = *state;
    test_random random = {79};
    crowd c;
    make_crowd(w, &c, &random, TUMBLE_BROAD_TREE);
    assert_int_equal(tumble_scene_update(c.scene), TUMBLE_OK);
    assert_true(test_fail_each(w, TEST_FAIL_TAKING_TURNS, ask_in_new_query, NULL, &c) > 5);
    free_crowd(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(closest_points_are_those_of_objects), TEST_IN_WORLD(overlaps_are_those_of_objects),
        TEST_IN_WORLD(bad_arguments_are_rejected),          TEST_IN_WORLD(nothing_in_reach),
        TEST_IN_WORLD(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
