/* Models with a radius through their life: blocks, edits, deformations, batches, scenes, and memory that runs out. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mixed_cases.h"
#include "tree/block.h"
#include "tree/radius.h"

static const tumble_hierarchy hierarchies[] = {TUMBLE_HIERARCHY_WIDE, TUMBLE_HIERARCHY_BOXTREE, TUMBLE_HIERARCHY_KDOP,
                                               TUMBLE_HIERARCHY_RTREE, TUMBLE_HIERARCHY_BRUTE};

enum {
    COUNT = 60 /* balls */
};

typedef struct balls {
    double centres[3 * COUNT], radii[COUNT];
    uint32_t corners[3 * COUNT];
} balls;

static void make_balls(balls *b, uint64_t seed)
{
    test_random random = {seed};
    for (uint32_t i = 0; i < COUNT; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            b->centres[3 * i + k] = test_random_range(&random, -3, 3);
            b->corners[3 * i + k] = i;
        }
        b->radii[i] = test_random_range(&random, 0, 0.8);
    }
}

static tumble_mesh mesh_of(const balls *b, size_t first, size_t count)
{
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = b->centres, mesh.point_count = COUNT;
    mesh.indices = b->corners + 3 * first, mesh.index_count = 3 * count;
    mesh.radii = b->radii + first;
    return mesh;
}

static tumble_model *make_model(test_world *w, tumble_mesh mesh, tumble_hierarchy hierarchy, double radius)
{
    tumble_model_options options = tumble_default_model_options();
    tumble_model *model;
    options.hierarchy = hierarchy;
    options.radius = radius;
    assert_int_equal(tumble_model_create(w->context, &mesh, &options, &model), TUMBLE_OK);
    return model;
}

/* Both intersect a third one in the same pairs, each polygon by its number. */
static void assert_same(test_world *w, const tumble_model *a, const tumble_model *b, const tumble_model *probe)
{
    test_pairs found = {0}, expected = {0};
    test_collide(w->query, a, NULL, probe, NULL, NULL, &found);
    test_collide(w->query, b, NULL, probe, NULL, NULL, &expected);
    test_assert_same_pairs(&found, &expected, "radii");
    test_free_pairs(&found);
    test_free_pairs(&expected);
}

/* ---- Blocks ---- */

static void check_block(test_world *w, tumble_model *model, tumble_model *probe)
{
    size_t size;
    const void *block = tumble_model_block(model, &size);
    assert_non_null(block);
    tumble_model *copy;
    assert_int_equal(tumble_model_from_block(w->context, block, size, true, &copy), TUMBLE_OK);
    assert_true(copy->radius == model->radius && (copy->radii != NULL) == (model->radii != NULL));
    for (uint32_t i = 0; i < model->block->polygon_limit; i++) {
        assert_true(tmb_model_radius(copy, i) == tmb_model_radius(model, i));
    }
    assert_same(w, copy, model, probe);
    assert_true(test_same_blocks(copy, model));
    tumble_model_destroy(copy);
}

static void test_blocks(void **state)
{
    test_world *w = *state;
    balls b, other;
    make_balls(&b, 1);
    make_balls(&other, 2);
    tumble_model *probe = make_model(w, mesh_of(&other, 0, COUNT), TUMBLE_HIERARCHY_WIDE, 0);
    for (size_t h = 0; h < 5; h++) {
        tumble_mesh mesh = mesh_of(&b, 0, COUNT);
        tumble_model *radii = make_model(w, mesh, hierarchies[h], 0.1);
        mesh.radii = NULL;
        tumble_model *uniform = make_model(w, mesh, hierarchies[h], 0.3);
        tumble_model *thin = make_model(w, mesh, hierarchies[h], 0);
        assert_true(test_info(radii).has_radii && test_info(radii).radius > 0.1 && !test_info(uniform).has_radii);
        check_block(w, radii, probe);
        check_block(w, uniform, probe);
        /* without a radius the block is what it always was */
        assert_int_equal(((const tmb_block *)tumble_model_block(thin, NULL))->version, 4);
        assert_int_equal(((const tmb_block *)tumble_model_block(uniform, NULL))->version, 5);
        assert_int_equal(tumble_model_set_radius(uniform, 0), TUMBLE_OK);
        assert_true(test_same_blocks(uniform, thin));
        assert_int_equal(tumble_model_set_radius(thin, 0.3), TUMBLE_OK);
        check_block(w, thin, probe);
        tumble_model_destroy(radii);
        tumble_model_destroy(uniform);
        tumble_model_destroy(thin);
    }
    tumble_model_destroy(probe);
}

/* ---- Damage, with the right checksum ---- */

static tumble_status load(test_world *w, const unsigned char *bytes, size_t size)
{
    tumble_model *model;
    unsigned char *aligned = aligned_alloc(64, size);
    assert_non_null(aligned);
    memcpy(aligned, bytes, size);
    tmb_block *block = (tmb_block *)(void *)aligned;
    block->checksum = tmb_block_checksum(block);
    const tumble_status status = tumble_model_from_block(w->context, aligned, size, true, &model);
    if (status == TUMBLE_OK) {
        tumble_model_destroy(model);
    }
    free(aligned);
    return status;
}

static void test_damage(void **state)
{
    test_world *w = *state;
    balls b;
    make_balls(&b, 3);
    tumble_model *model = make_model(w, mesh_of(&b, 0, COUNT), TUMBLE_HIERARCHY_WIDE, 0);
    size_t size;
    const void *block = tumble_model_block(model, &size);
    unsigned char *bytes = malloc(size);
    assert_non_null(bytes);
    const double wrong[] = {-1, NAN, INFINITY, 100};
    for (size_t i = 0; i < 4; i++) {
        memcpy(bytes, block, size); /* the largest radius */
        memcpy(bytes + size - 64, &wrong[i], sizeof wrong[i]);
        assert_int_equal(load(w, bytes, size), TUMBLE_ERROR_FORMAT);
        memcpy(bytes, block, size); /* the first of them */
        memcpy(bytes + size - 64 - 8 * 64, &wrong[i], sizeof wrong[i]);
        assert_int_equal(load(w, bytes, size), TUMBLE_ERROR_FORMAT);
    }
    const uint64_t counts[] = {1, COUNT - 1, COUNT + 8, UINT64_MAX, UINT64_MAX / 8};
    for (size_t i = 0; i < 5; i++) {
        memcpy(bytes, block, size);
        memcpy(bytes + size - 56, &counts[i], sizeof counts[i]);
        assert_int_equal(load(w, bytes, size), TUMBLE_ERROR_FORMAT);
    }
    memcpy(bytes, block, size);
    bytes[size - 1] = 1;
    assert_int_equal(load(w, bytes, size), TUMBLE_ERROR_FORMAT);
    memcpy(bytes, block, size);
    bytes[size - 64 - 8] = 1; /* after the last radius */
    assert_int_equal(load(w, bytes, size), TUMBLE_ERROR_FORMAT);
    memcpy(bytes, block, size);
    assert_int_equal(load(w, bytes, size), TUMBLE_OK);
    ((tmb_block *)(void *)bytes)->version = 4; /* the radii are then data that do not belong there */
    assert_int_equal(load(w, bytes, size), TUMBLE_ERROR_FORMAT);
    free(bytes);
    tumble_model_destroy(model);
}

/* ---- Edits and deformations ---- */

static void test_edits(void **state)
{
    test_world *w = *state;
    balls b, other;
    make_balls(&b, 4);
    make_balls(&other, 5);
    tumble_model *probe = make_model(w, mesh_of(&other, 0, COUNT), TUMBLE_HIERARCHY_WIDE, 0);
    for (size_t h = 0; h < 5; h++) {
        tumble_model *whole = make_model(w, mesh_of(&b, 0, COUNT), hierarchies[h], 0);
        tumble_model *model = make_model(w, mesh_of(&b, 0, 20), hierarchies[h], 0), *loaded;
        size_t size;
        const void *block = tumble_model_block(model, &size);
        assert_int_equal(tumble_model_from_block(w->context, block, size, true, &loaded), TUMBLE_OK);
        const tumble_mesh rest = mesh_of(&b, 20, COUNT - 20);
        uint32_t first;
        assert_int_equal(tumble_model_insert(model, &rest, &first), TUMBLE_OK);
        assert_int_equal(first, 20);
        assert_int_equal(tumble_model_insert(loaded, &rest, &first), TUMBLE_OK);
        assert_same(w, model, whole, probe);
        assert_same(w, loaded, whole, probe);
        const uint32_t gone[3] = {3, 30, 59};
        assert_int_equal(tumble_model_remove(model, gone, 3), TUMBLE_OK);
        assert_int_equal(tumble_model_remove(whole, gone, 3), TUMBLE_OK);
        assert_same(w, model, whole, probe);
        check_block(w, model, probe);
        /* one radius for all stays that, until radii come */
        tumble_mesh thin = mesh_of(&b, 0, 10);
        thin.radii = NULL;
        assert_int_equal(tumble_model_set_radius(loaded, 0.25), TUMBLE_OK);
        assert_int_equal(tumble_model_insert(loaded, &thin, NULL), TUMBLE_OK);
        assert_true(!loaded->radii && loaded->radius == 0.25);
        assert_int_equal(tumble_model_insert(loaded, &rest, NULL), TUMBLE_OK);
        assert_true(tmb_model_radius(loaded, 0) == 0.25 && tmb_model_radius(loaded, 70) == b.radii[20]);
        assert_int_equal(tumble_model_insert(loaded, &thin, NULL), TUMBLE_OK);
        assert_true(tmb_model_radius(loaded, 115) == 0);
        tumble_mesh bad = mesh_of(&b, 0, 10);
        const double negative[10] = {0, 0, -1};
        bad.radii = negative;
        test_assert_status(w->context, tumble_model_insert(loaded, &bad, NULL), TUMBLE_ERROR_ARGUMENT,
                           "polygon 2: its radius is -1");
        tumble_model_destroy(whole);
        tumble_model_destroy(model);
        tumble_model_destroy(loaded);
    }
    tumble_model_destroy(probe);
}

static void test_deformations(void **state)
{
    test_world *w = *state;
    balls b, moved;
    make_balls(&b, 6);
    make_balls(&moved, 7);
    tumble_model *probe = make_model(w, mesh_of(&b, 0, COUNT), TUMBLE_HIERARCHY_WIDE, 0);
    for (size_t h = 0; h < 5; h++) {
        tumble_mesh mesh = mesh_of(&moved, 0, COUNT);
        mesh.radii = b.radii;
        tumble_model *model = make_model(w, mesh_of(&b, 0, COUNT), hierarchies[h], 0), *out = NULL;
        tumble_model *fresh = make_model(w, mesh, hierarchies[h], 0);
        mesh.radii = NULL;
        for (int turn = 0; turn < 2; turn++) { /* the second time in the same memory */
            assert_int_equal(tumble_model_deform(model, &mesh, &out), TUMBLE_OK);
            assert_same(w, out, fresh, probe);
        }
        assert_int_equal(tumble_model_set_radius(model, 0.5), TUMBLE_OK);
        assert_int_equal(tumble_model_deform(model, &mesh, &out), TUMBLE_OK);
        assert_true(!out->radii && out->radius == 0.5);
        assert_int_equal(tumble_model_set_radius(model, 0), TUMBLE_OK);
        assert_int_equal(tumble_model_deform(model, &mesh, &out), TUMBLE_OK);
        assert_true(!out->radii && out->radius == 0);
        tumble_model_destroy(model);
        tumble_model_destroy(fresh);
        tumble_model_destroy(out);
    }
    tumble_model_destroy(probe);
}

/* ---- Batches ---- */

enum {
    CHECKS = 40
};

/* Every device answers as tumble_collide does. */
static void check_device(test_world *w, uint32_t number, tumble_model *a, tumble_model *b)
{
    tumble_device *device;
    tumble_device_model *on_a, *on_b;
    tumble_pose poses[CHECKS];
    tumble_check_answer answers[CHECKS];
    tumble_ticket ticket;
    test_random random = {12};
    assert_int_equal(tumble_device_open(w->context, number, NULL, &device), TUMBLE_OK);
    assert_int_equal(tumble_device_add_model(device, a, &on_a), TUMBLE_OK);
    assert_int_equal(tumble_device_add_model(device, b, &on_b), TUMBLE_OK);
    const tumble_model_pair pair = {on_a, on_b};
    tumble_batch batch = tumble_default_batch();
    batch.mode = TUMBLE_COUNT, batch.check_count = batch.pose_b_count = CHECKS;
    batch.pairs = &pair, batch.pair_count = 1, batch.poses_b = poses, batch.answers = answers;
    for (int i = 0; i < CHECKS; i++) {
        const double x = test_random_range(&random, -6, 6);
        poses[i] = mixed_pose(&random, 1, x, 0, 0);
    }
    assert_int_equal(tumble_device_submit(device, &batch, INFINITY, &ticket), TUMBLE_OK);
    assert_int_equal(tumble_device_wait(device, ticket, INFINITY, NULL), TUMBLE_OK);
    size_t hits = 0;
    for (int i = 0; i < CHECKS; i++) {
        tumble_collide_result result;
        assert_int_equal(tumble_collide(w->query, a, NULL, b, &poses[i], NULL, &result), TUMBLE_OK);
        assert_int_equal(answers[i].status, TUMBLE_OK);
        assert_int_equal(answers[i].pair_count, result.pair_count);
        hits += result.collide;
    }
    assert_true(hits > 0);
    tumble_device_remove_model(on_a);
    tumble_device_remove_model(on_b);
    tumble_device_close(device);
}

static void test_batches(void **state)
{
    test_world *w = *state;
    balls b, other;
    make_balls(&b, 8);
    make_balls(&other, 9);
    tumble_model *a = make_model(w, mesh_of(&b, 0, COUNT), TUMBLE_HIERARCHY_WIDE, 0);
    tumble_model *thin = make_model(w, mesh_of(&other, 0, COUNT), TUMBLE_HIERARCHY_WIDE, 0);
    assert_int_equal(tumble_model_set_radius(thin, 0), TUMBLE_OK);
    uint32_t count = 1;
    const char *opencl = getenv("TUMBLE_TEST_OPENCL");
    if (!opencl || strcmp(opencl, "none") != 0) {
        assert_int_equal(tumble_device_count(w->context, &count), TUMBLE_OK);
    }
    for (uint32_t i = 0; i < count && i < 2; i++) {
        check_device(w, i, a, thin);
        check_device(w, i, thin, a);
    }
    tumble_model_destroy(a);
    tumble_model_destroy(thin);
}

/* ---- Scenes ---- */

static void test_scene(void **state)
{
    test_world *w = *state;
    const double centre[3] = {0, 0, 0};
    tumble_model *model;
    tumble_scene *scene;
    tumble_scene_answer answer;
    tumble_object ids[2];
    assert_int_equal(tumble_model_create_ball(w->context, centre, 1, NULL, &model), TUMBLE_OK);
    assert_int_equal(tumble_scene_create(w->context, NULL, &scene), TUMBLE_OK);
    tumble_part parts[2] = {tumble_default_part(), tumble_default_part()};
    parts[0].model = parts[1].model = model;
    parts[1].pose.m[0][3] = 5;
    parts[1].radius = 3;
    assert_int_equal(tumble_scene_add(scene, parts, 2, ids), TUMBLE_OK);
    assert_int_equal(tumble_scene_collide(w->query, scene, NULL, &answer), TUMBLE_OK);
    assert_true(answer.touch); /* 1 + 1 + 3 */
    parts[1].radius = 3 - 0x1p-50;
    assert_int_equal(tumble_scene_set(scene, ids + 1, parts + 1, 1), TUMBLE_OK);
    assert_int_equal(tumble_scene_get(scene, ids[1], &parts[0]), TUMBLE_OK);
    assert_true(parts[0].radius == parts[1].radius);
    assert_int_equal(tumble_scene_collide(w->query, scene, NULL, &answer), TUMBLE_OK);
    assert_false(answer.touch);
    tumble_scene_question question = tumble_default_scene_question();
    question.mode = TUMBLE_SCENE_DISTANCE;
    parts[1].radius = 1;
    assert_int_equal(tumble_scene_set(scene, ids + 1, parts + 1, 1), TUMBLE_OK);
    assert_int_equal(tumble_scene_collide(w->query, scene, &question, &answer), TUMBLE_OK);
    assert_true(answer.meeting_count == 1 && answer.meetings[0].nearest.distance == 2);
    assert_int_equal(tumble_model_set_radius(model, 1.5), TUMBLE_OK); /* of both */
    assert_int_equal(tumble_scene_collide(w->query, scene, &question, &answer), TUMBLE_OK);
    assert_true(answer.meetings[0].nearest.distance == 1);
    parts[1].radius = -1;
    test_assert_status(w->context, tumble_scene_set(scene, ids + 1, parts + 1, 1), TUMBLE_ERROR_ARGUMENT,
                       "object 0: the radius is -1");
    parts[1].radius = NAN;
    test_assert_status(w->context, tumble_scene_add(scene, parts + 1, 1, ids), TUMBLE_ERROR_ARGUMENT,
                       "object 0: the radius is");
    tumble_scene_destroy(scene);
    tumble_model_destroy(model);
}

/* ---- Memory that runs out ---- */

static tumble_status live(test_world *w, void *user)
{
    const balls *b = user;
    tumble_model *model = NULL, *line = NULL, *out = NULL;
    size_t size;
    const tumble_mesh mesh = mesh_of(b, 20, 20);
    tumble_status status = tumble_model_create_balls(w->context, b->centres, b->radii, 20, NULL, &model);
    status = status != TUMBLE_OK ? status : tumble_model_create_polyline(w->context, b->centres, 5, 0.5, NULL, &line);
    status = status != TUMBLE_OK ? status : tumble_model_block(line, &size) ? TUMBLE_OK : TUMBLE_ERROR_MEMORY;
    status = status != TUMBLE_OK
                 ? status
                 : tumble_model_deform(line,
                                       &(tumble_mesh){.points = b->centres + 3,
                                                      .point_count = 5,
                                                      .indices = (const uint32_t[]){0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4},
                                                      .index_count = 12},
                                       &out);
    if (status == TUMBLE_OK) {
        status = tumble_model_insert(model, &mesh, NULL);
        assert_int_equal(model->block->polygon_limit, status == TUMBLE_OK ? 40 : 20);
        assert_true(model->radii && tmb_model_radius(model, 3) == b->radii[3]);
    }
    status = status != TUMBLE_OK ? status : tumble_model_block(model, &size) ? TUMBLE_OK : TUMBLE_ERROR_MEMORY;
    tumble_model_destroy(out);
    tumble_model_destroy(line);
    tumble_model_destroy(model);
    return status;
}

typedef struct scene_job {
    tumble_scene *scene;
    tumble_object id;
    tumble_part part;
} scene_job;

static tumble_status change(test_world *w, void *user)
{
    scene_job *job = user;
    tumble_part now;
    job->part.radius = job->part.radius + 1;
    const tumble_status status = tumble_scene_set(job->scene, &job->id, &job->part, 1);
    assert_int_equal(tumble_scene_get(job->scene, job->id, &now), TUMBLE_OK);
    job->part.radius = now.radius;
    (void)w;
    return status;
}

static void test_memory(void **state)
{
    test_world *w = *state;
    balls b;
    make_balls(&b, 10);
    assert_true(test_fail_each(w, TEST_FAIL_ALONE, live, NULL, &b) > 8);
    assert_true(test_fail_each(w, TEST_FAIL_WITH_ALL, live, NULL, &b) > 8);
    scene_job job = {.part = tumble_default_part()};
    tumble_model *model = make_model(w, mesh_of(&b, 0, COUNT), TUMBLE_HIERARCHY_WIDE, 0);
    assert_int_equal(tumble_scene_create(w->context, NULL, &job.scene), TUMBLE_OK);
    job.part.model = model;
    assert_int_equal(tumble_scene_add(job.scene, &job.part, 1, &job.id), TUMBLE_OK);
    (void)test_fail_each(w, TEST_FAIL_ALONE, change, NULL, &job);
    tumble_scene_destroy(job.scene);
    tumble_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_blocks),       TEST_IN_WORLD(test_damage),  TEST_IN_WORLD(test_edits),
        TEST_IN_WORLD(test_deformations), TEST_IN_WORLD(test_batches), TEST_IN_WORLD(test_scene),
        TEST_IN_WORLD(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
