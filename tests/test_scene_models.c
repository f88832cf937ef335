/* Models that scenes use: they are not destroyed meanwhile, and edits of them are noticed. Pairs that are ignored by
 * their groups. */
#include <string.h>

#include "crowd.h"

/* ---- Models in use ---- */

static tumble_model *make_box(tumble_context *context)
{
    models_mesh mesh = {0};
    test_make_grid_box(&mesh, 1);
    tumble_model *model = test_model(context, &mesh, NULL);
    models_free(&mesh);
    return model;
}

/* A box and the same one at a distance along x. */
static tumble_scene *make_two(tumble_context *context, const tumble_model *model, double x, tumble_object ids[2])
{
    tumble_part parts[2] = {tumble_default_part(), tumble_default_part()};
    tumble_scene *scene = NULL;
    parts[0].model = parts[1].model = model;
    parts[1].pose.m[0][3] = x;
    assert_int_equal(tumble_scene_create(context, NULL, &scene), TUMBLE_OK);
    assert_int_equal(tumble_scene_add(scene, parts, 2, ids), TUMBLE_OK);
    return scene;
}

static uint64_t count_meetings(test_world *w, tumble_scene *scene)
{
    tumble_scene_answer answer;
    assert_int_equal(tumble_scene_collide(w->query, scene, NULL, &answer), TUMBLE_OK);
    return answer.meeting_count;
}

static void test_models_in_use_stay(void **state)
{
    test_world *w = *state;
    tumble_object ids[2], others[2];
    tumble_model *model = make_box(w->context);
    tumble_scene *scene = make_two(w->context, model, 0.5, ids), *other = make_two(w->context, model, 0.5, others);
    test_assert_status(w->context, tumble_model_destroy(model), TUMBLE_ERROR_BUSY, "2 scenes have");
    assert_int_equal(count_meetings(w, scene), 1); /* as if nothing had happened */
    tumble_scene_destroy(other);
    assert_int_equal(tumble_scene_remove(scene, ids, 1), TUMBLE_OK);
    test_assert_status(w->context, tumble_model_destroy(model), TUMBLE_ERROR_BUSY, "1 scene has");
    assert_int_equal(tumble_scene_remove(scene, ids + 1, 1), TUMBLE_OK);
    assert_int_equal(tumble_model_destroy(model), TUMBLE_OK);
    tumble_scene_destroy(scene);
    assert_int_equal(tumble_model_destroy(NULL), TUMBLE_OK);
}

/* A part that fails to be added does not use its model. */
static void test_models_of_refused_parts(void **state)
{
    test_world *w = *state;
    tumble_model *model = make_box(w->context);
    tumble_part parts[2] = {tumble_default_part(), tumble_default_part()};
    tumble_object ids[2];
    tumble_scene *scene;
    parts[0].model = parts[1].model = model;
    parts[1].clearance = -1;
    assert_int_equal(tumble_scene_create(w->context, NULL, &scene), TUMBLE_OK);
    assert_int_equal(tumble_scene_add(scene, parts, 2, ids), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_model_destroy(model), TUMBLE_OK);
    tumble_scene_destroy(scene);
}

/* A triangle far out along x makes a model reach its copy; without it the two are apart again. */
static void check_edits(test_world *w, tumble_context *context, tumble_hierarchy hierarchy)
{
    const double points[] = {0, 0, 0, 9, 0, 0.1, 9, 0.1, 0};
    const uint32_t corners[] = {0, 1, 2};
    tumble_mesh more = tumble_default_mesh();
    more.points = points, more.point_count = 3, more.indices = corners, more.index_count = 3;
    tumble_model_options options = tumble_default_model_options();
    models_mesh mesh = {0};
    tumble_object ids[2];
    uint32_t polygon = 0;
    options.hierarchy = hierarchy;
    test_make_grid_box(&mesh, 1);
    tumble_model *model = test_model(context, &mesh, &options);
    models_free(&mesh);
    tumble_scene *scene = make_two(w->context, model, 8, ids);
    assert_int_equal(count_meetings(w, scene), 0);
    for (int round = 0; round < 3; round++) {
        assert_int_equal(tumble_model_insert(model, &more, &polygon), TUMBLE_OK);
        assert_int_equal(count_meetings(w, scene), 1);
        assert_int_equal(tumble_model_remove(model, &polygon, 1), TUMBLE_OK);
        assert_int_equal(count_meetings(w, scene), 0);
    }
    tumble_scene_destroy(scene);
    assert_int_equal(tumble_model_insert(model, &more, &polygon), TUMBLE_OK); /* edited first, then added */
    scene = make_two(w->context, model, 8, ids);
    assert_int_equal(count_meetings(w, scene), 1);
    tumble_scene_destroy(scene);
    assert_int_equal(tumble_model_destroy(model), TUMBLE_OK);
}

static void test_edits_are_noticed(void **state)
{
    test_world *w = *state;
    static const tumble_hierarchy hierarchies[] = {TUMBLE_HIERARCHY_WIDE, TUMBLE_HIERARCHY_RTREE,
                                                   TUMBLE_HIERARCHY_KDOP};
    tumble_context *other;
    assert_int_equal(tumble_context_create(NULL, &other), TUMBLE_OK);
    for (size_t i = 0; i < sizeof hierarchies / sizeof *hierarchies; i++) {
        check_edits(w, w->context, hierarchies[i]);
        check_edits(w, other, hierarchies[i]); /* the model of another context */
    }
    tumble_context_destroy(other);
}

static void test_deformations_are_noticed(void **state)
{
    test_world *w = *state;
    models_mesh box = {0};
    tumble_object ids[2];
    tumble_model *bent = NULL;
    test_make_grid_box(&box, 1);
    tumble_model *model = test_model(w->context, &box, NULL);
    tumble_mesh mesh = models_view(&box);
    assert_int_equal(tumble_model_deform(model, &mesh, &bent), TUMBLE_OK);
    tumble_scene *scene = make_two(w->context, bent, 8, ids);
    assert_int_equal(count_meetings(w, scene), 0);
    for (size_t i = 0; i < box.point_count; i++) {
        box.points[3 * i] *= 10;
    }
    mesh = models_view(&box);
    assert_int_equal(tumble_model_deform(model, &mesh, &bent), TUMBLE_OK);
    assert_int_equal(count_meetings(w, scene), 1);
    tumble_scene_destroy(scene);
    tumble_model_destroy(bent);
    tumble_model_destroy(model);
    models_free(&box);
}

/* ---- Groups ---- */

static int is_ignored(uint32_t rows[8], uint32_t a, uint32_t b)
{
    for (int i = 0; i < 8; i++) {
        if (a >> i & 1 && rows[i] & b) {
            return 1;
        }
    }
    return 0;
}

/* Objects in random groups, all at one place: what is compared follows from the groups alone. */
static void check_pairs(tumble_scene *scene, const tumble_part *parts, const tumble_object *ids, size_t count,
                        uint32_t rows[8])
{
    const tumble_object_pair *pairs;
    size_t found, next = 0;
    assert_int_equal(tumble_scene_candidates(scene, &pairs, &found), TUMBLE_OK);
    for (size_t a = 0; a < count; a++) {
        for (size_t b = a + 1; b < count; b++) {
            if (!is_ignored(rows, parts[a].group, parts[b].group)) {
                assert_true(next < found);
                assert_int_equal(pairs[next].a.index, ids[a].index);
                assert_int_equal(pairs[next++].b.index, ids[b].index);
            }
        }
    }
    assert_int_equal(next, found);
}

static uint32_t random_groups(test_random *random)
{
    const int one = test_random_whole(random, 0, 7), other = test_random_whole(random, 0, 7);
    return 1U << one | 1U << other;
}

static void change_rows(uint32_t rows[8], uint32_t a, uint32_t b, bool yes)
{
    for (int i = 0; i < 8; i++) {
        rows[i] = !(a >> i & 1) ? rows[i] : yes ? rows[i] | b : rows[i] & ~b;
        rows[i] = !(b >> i & 1) ? rows[i] : yes ? rows[i] | a : rows[i] & ~a;
    }
}

static void check_groups(test_world *w, const tumble_model *model, const tumble_scene_options *options,
                         test_random *random)
{
    enum {
        COUNT = 24
    };
    tumble_part parts[COUNT];
    tumble_object ids[COUNT];
    tumble_scene *scene;
    uint32_t rows[8] = {0};
    for (int i = 0; i < COUNT; i++) {
        parts[i] = tumble_default_part();
        parts[i].model = model;
        parts[i].group = random_groups(random);
    }
    assert_int_equal(tumble_scene_create(w->context, options, &scene), TUMBLE_OK);
    assert_int_equal(tumble_scene_add(scene, parts, COUNT / 2, ids), TUMBLE_OK);
    for (int step = 0; step < 20; step++) {
        const uint32_t a = random_groups(random), b = random_groups(random);
        const bool yes = test_random_chance(random, 0.6);
        assert_int_equal(tumble_scene_ignore_groups(scene, a, b, yes), TUMBLE_OK);
        change_rows(rows, a, b, yes);
        if (step == 5) { /* later ones are ignored, too */
            assert_int_equal(tumble_scene_add(scene, parts + COUNT / 2, COUNT / 2, ids + COUNT / 2), TUMBLE_OK);
        }
        if (step > 8) { /* and an object may change its group */
            const int i = test_random_whole(random, 0, COUNT - 1);
            parts[i].group = random_groups(random);
            assert_int_equal(tumble_scene_set(scene, &ids[i], &parts[i], 1), TUMBLE_OK);
        }
        check_pairs(scene, parts, ids, step < 5 ? COUNT / 2 : COUNT, rows);
    }
    tumble_scene_destroy(scene);
}

static void test_ignored_groups(void **state)
{
    test_world *w = *state;
    test_random random = {7};
    tumble_model *model = make_box(w->context);
    for (size_t round = 0; round < test_count(20); round++) {
        for (int m = 0; m < CROWD_METHODS; m++) {
            check_groups(w, model, &crowd_methods[m], &random);
        }
    }
    tumble_model_destroy(model);
    assert_int_equal(tumble_scene_ignore_groups(NULL, 1, 1, true), TUMBLE_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_models_in_use_stay), TEST_IN_WORLD(test_models_of_refused_parts),
        TEST_IN_WORLD(test_edits_are_noticed), TEST_IN_WORLD(test_deformations_are_noticed),
        TEST_IN_WORLD(test_ignored_groups)};
    return cmocka_run_group_tests_name("scene_models", tests, NULL, NULL);
}
