/* The work of questions that build on earlier ones, in counters, compared with what is kept in data/work_lives.inc:
 * coherent walks along a path, models that are edited, scenes whose objects move, states. Like test_work.c: a heuristic
 * that gets worse gives the same answers and is noticed here. A change on purpose is kept with
 * TUMBLE_TEST_WORK=print build/ci/tests/test_work_lives | grep '^    {' >tests/data/work_lives.inc */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mixed_cases.h"
#include "work_book.h"

enum {
    NAME_SIZE = 48
};

static const work_row kept[] = {
#include "data/work_lives.inc"
};

static work_book book = {kept, sizeof kept / sizeof *kept, 0, 0};

static void compare(const char *name, const uint64_t work[WORK_NUMBERS])
{
    work_compare(&book, name, work);
}

/* ---- Coherent walks ---- */

static models_mesh soup_of(uint64_t seed, size_t triangles, double size)
{
    test_random random = {seed};
    models_mesh mesh = {0};
    test_make_soup(&mesh, &random, triangles, size);
    return mesh;
}

/* Small steps, larger ones, a rest, a jump, and back. */
static double place_at(int step)
{
    return step < 12   ? 1.5 - step / 128.0
           : step < 20 ? 1.4 - (step - 12) / 16.0
           : step < 24 ? 0.9
           : step < 25 ? -1.75
           : step < 34 ? 1.4 + (step - 25) / 512.0
                       : 1.45;
}

typedef struct walk {
    tumble_query *warm, *cold;
    const tumble_model *a, *b, *other;
} walk;

static void step_along(const walk *w, tumble_mode mode, int step, tumble_pose pose, uint64_t work[WORK_NUMBERS])
{
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result, expected;
    options.mode = mode;
    pose.m[0][3] = place_at(step);
    pose.m[1][3] = 0.125;
    assert_int_equal(tumble_collide(w->cold, w->a, NULL, w->b, &pose, &options, &expected), TUMBLE_OK);
    options.coherence = TUMBLE_COHERENCE_ALL;
    assert_int_equal(tumble_collide(w->warm, w->a, NULL, w->b, &pose, &options, &result), TUMBLE_OK);
    assert_true(result.collide == expected.collide && result.pair_count == expected.pair_count);
    work_add(work, &result.counters);
    if (step == 30) { /* it forgets the front */
        assert_int_equal(tumble_collide(w->warm, w->a, NULL, w->other, &pose, &options, &result), TUMBLE_OK);
        work_add(work, &result.counters);
    }
}

static void test_coherent_walks(void **state)
{
    test_world *w = *state;
    static const tumble_mode modes[] = {TUMBLE_TEST, TUMBLE_COUNT};
    test_random random = {11};
    models_mesh meshes[3] = {soup_of(1, 700, 0.1), soup_of(2, 500, 0.15), soup_of(3, 40, 0.3)};
    mixed_family families[3];
    walk along = {.cold = w->query};
    for (int i = 0; i < 3; i++) {
        families[i] = mixed_make(w->context, &meshes[i]);
        models_free(&meshes[i]);
    }
    const tumble_pose turn = mixed_pose(&random, 0.875, 0, 0, 0);
    for (size_t kind = 1; kind < MIXED_KINDS; kind++) {
        for (int mode = 0; mode < 4; mode++) {
            uint64_t work[WORK_NUMBERS] = {0};
            char name[NAME_SIZE];
            const size_t kind_b = mode < 2 ? kind : (kind + 3) % MIXED_KINDS;
            along.a = families[0].models[kind];
            along.b = families[1].models[kind_b];
            along.other = families[2].models[kind_b];
            assert_int_equal(tumble_query_create(w->context, &along.warm), TUMBLE_OK);
            for (int step = 0; step < 40; step++) {
                step_along(&along, modes[mode % 2], step, turn, work);
            }
            tumble_query_destroy(along.warm);
            snprintf(name, sizeof name, "walk %d %d %d", (int)kind, (int)kind_b, mode % 2);
            compare(name, work);
        }
    }
    for (int i = 0; i < 3; i++) {
        mixed_free(&families[i]);
    }
}

/* ---- Edits ---- */

static void compare_model(test_world *w, const char *what, int kind, const tumble_model *model)
{
    const tumble_pose pose = {{{1, 0, 0, 0.25}, {0, 0, -1, 0.125}, {0, 1, 0, 0.0625}}};
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    char name[NAME_SIZE];
    options.mode = TUMBLE_COUNT;
    assert_int_equal(tumble_collide(w->query, model, NULL, model, &pose, &options, &result), TUMBLE_OK);
    const uint64_t work[WORK_NUMBERS] = {result.counters.box_tests, result.counters.primitive_tests,
                                         result.counters.bytes_touched, result.pair_count};
    snprintf(name, sizeof name, "edit %d %s", kind, what);
    compare(name, work);
    const tumble_model_info info = test_info(model);
    const uint64_t tree[WORK_NUMBERS] = {info.depth, info.node_count, info.hierarchy_bytes, info.triangle_count};
    snprintf(name, sizeof name, "edit %d %s, tree", kind, what);
    compare(name, tree);
}

/* Grows piece by piece, loses every third polygon, and grows again. */
static void edit_model(test_world *w, int kind, tumble_model *model)
{
    uint32_t gone[200];
    for (uint32_t i = 0; i < 5; i++) {
        models_mesh mesh = soup_of(20 + i, i < 4 ? 60 : 200, i % 2 ? 0.05 : 0.4);
        const tumble_mesh view = models_view(&mesh);
        if (i == 4) {
            for (uint32_t k = 0; k < 200; k++) {
                gone[k] = 3 * k;
            }
            assert_int_equal(tumble_model_remove(model, gone, 200), TUMBLE_OK);
            compare_model(w, "removed", kind, model);
        }
        assert_int_equal(tumble_model_insert(model, &view, NULL), TUMBLE_OK);
        models_free(&mesh);
    }
    compare_model(w, "inserted", kind, model);
}

static void test_edits(void **state)
{
    test_world *w = *state;
    static const tumble_hierarchy hierarchies[] = {TUMBLE_HIERARCHY_WIDE, TUMBLE_HIERARCHY_BOXTREE,
                                                   TUMBLE_HIERARCHY_KDOP, TUMBLE_HIERARCHY_RTREE};
    for (int kind = 0; kind < 9; kind++) {
        tumble_model_options options = tumble_default_model_options();
        models_mesh mesh = soup_of(9, 400, 0.2);
        options.hierarchy = hierarchies[kind < 3 ? kind : 3];
        if (kind >= 3) {
            test_tune(options, rtree.load, (tumble_rtree_load)(kind - 3));
        }
        tumble_model *model = test_model(w->context, &mesh, &options);
        models_free(&mesh);
        compare_model(w, "fresh", kind, model);
        edit_model(w, kind, model);
        tumble_model_destroy(model);
    }
}

/* ---- Scenes ---- */

enum {
    OBJECTS = 60,
    LINKS = 4,
    STATES = 24
};

typedef struct world_of_objects {
    tumble_model *models[3];
    tumble_scene *scene;
    tumble_object ids[OBJECTS];
    tumble_pose poses[OBJECTS];
} world_of_objects;

static tumble_pose random_pose(test_random *random)
{
    double at[3];
    for (int k = 0; k < 3; k++) {
        at[k] = test_random_range(random, -4, 4);
    }
    return mixed_pose(random, 0.75, at[0], at[1], at[2]);
}

static void begin_objects(world_of_objects *o, tumble_context *context, test_random *random, tumble_broad broad)
{
    const tumble_scene_options options = {broad, 1};
    assert_int_equal(tumble_scene_create(context, &options, &o->scene), TUMBLE_OK);
    for (int i = 0; i < 3; i++) {
        models_mesh mesh = soup_of(40 + (uint64_t)i, (size_t)60 << 2 * i, 0.15);
        o->models[i] = test_model(context, &mesh, NULL);
        models_free(&mesh);
    }
    for (int i = 0; i < OBJECTS; i++) {
        tumble_part part = tumble_default_part();
        part.model = o->models[i % 3];
        part.pose = o->poses[i] = random_pose(random);
        part.clearance = i % 7 ? 0 : 0.125;
        assert_int_equal(tumble_scene_add(o->scene, &part, 1, &o->ids[i]), TUMBLE_OK);
    }
}

static void end_objects(world_of_objects *o)
{
    tumble_scene_destroy(o->scene);
    for (int i = 0; i < 3; i++) {
        tumble_model_destroy(o->models[i]);
    }
}

/* Every other object moves a little, two jump, some rest. */
static void move_objects(world_of_objects *o, test_random *random)
{
    for (int i = 0; i < OBJECTS; i++) {
        if (i % 30 == 7) {
            o->poses[i] = random_pose(random);
        } else if (i % 2) {
            o->poses[i].m[0][3] += test_random_range(random, -0.05, 0.05);
            o->poses[i].m[2][3] += test_random_range(random, -0.05, 0.05);
        }
    }
    assert_int_equal(tumble_scene_move(o->scene, o->ids, o->poses, OBJECTS), TUMBLE_OK);
}

static void ask_scene(test_world *w, tumble_broad broad, tumble_scene_mode mode)
{
    world_of_objects o;
    test_random random = {77};
    uint64_t work[WORK_NUMBERS] = {0}, found[WORK_NUMBERS] = {0};
    char name[NAME_SIZE];
    tumble_scene_question question = tumble_default_scene_question();
    tumble_query *query;
    question.mode = mode;
    question.within = mode == TUMBLE_SCENE_DISTANCE ? 0.5 : question.within;
    question.coherence = TUMBLE_COHERENCE_ALL;
    assert_int_equal(tumble_query_create(w->context, &query), TUMBLE_OK);
    begin_objects(&o, w->context, &random, broad);
    for (int step = 0; step < 8; step++) {
        tumble_scene_answer answer;
        assert_int_equal(tumble_scene_collide(query, o.scene, &question, &answer), TUMBLE_OK);
        work_add(work, &answer.counters);
        found[0] += answer.candidate_count;
        found[1] += answer.meeting_count;
        found[2] += answer.ended_count;
        move_objects(&o, &random);
    }
    snprintf(name, sizeof name, "scene %d %d", (int)broad, (int)mode);
    compare(name, work);
    snprintf(name, sizeof name, "scene %d %d, answers", (int)broad, (int)mode);
    compare(name, found);
    end_objects(&o);
    tumble_query_destroy(query);
}

static void ask_part(test_world *w, tumble_scene_mode mode)
{
    world_of_objects o;
    test_random random = {78};
    uint64_t work[WORK_NUMBERS] = {0};
    char name[NAME_SIZE];
    tumble_scene_question question = tumble_default_scene_question();
    tumble_part part = tumble_default_part();
    question.mode = mode;
    begin_objects(&o, w->context, &random, TUMBLE_BROAD_TREE);
    part.model = o.models[1];
    for (int i = 0; i < 12; i++) {
        tumble_scene_answer answer;
        part.pose = random_pose(&random);
        assert_int_equal(tumble_scene_collide_part(w->query, o.scene, &part, &question, &answer), TUMBLE_OK);
        work_add(work, &answer.counters);
    }
    snprintf(name, sizeof name, "part %d", (int)mode);
    compare(name, work);
    end_objects(&o);
}

static void ask_states(test_world *w, tumble_states_mode mode)
{
    world_of_objects o;
    test_random random = {79};
    tumble_pose poses[STATES * LINKS];
    char name[NAME_SIZE];
    tumble_states_question question = tumble_default_states_question();
    tumble_states_answer answer;
    question.mode = mode;
    begin_objects(&o, w->context, &random, TUMBLE_BROAD_TREE);
    for (int i = 0; i < STATES * LINKS; i++) {
        poses[i] = random_pose(&random);
    }
    const tumble_states states = {o.ids, LINKS, poses, 0, STATES};
    assert_int_equal(tumble_scene_states(w->query, o.scene, &states, &question, &answer), TUMBLE_OK);
    uint64_t work[WORK_NUMBERS] = {0};
    work_add(work, &answer.counters);
    snprintf(name, sizeof name, "states %d", (int)mode);
    compare(name, work);
    end_objects(&o);
}

static void test_scenes(void **state)
{
    for (int mode = TUMBLE_SCENE_TEST; mode <= TUMBLE_SCENE_NEAREST; mode++) {
        ask_scene(*state, TUMBLE_BROAD_TREE, (tumble_scene_mode)mode);
        ask_scene(*state, TUMBLE_BROAD_SWEEP, (tumble_scene_mode)mode);
        ask_part(*state, (tumble_scene_mode)mode);
    }
    for (int mode = TUMBLE_STATES_TEST; mode <= TUMBLE_STATES_NEAREST; mode++) {
        ask_states(*state, (tumble_states_mode)mode);
    }
}

static void test_all_is_kept(void **state)
{
    (void)state;
    work_end(&book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_coherent_walks), TEST_IN_WORLD(test_edits),
                                       TEST_IN_WORLD(test_scenes), cmocka_unit_test(test_all_is_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
