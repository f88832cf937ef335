/* Models of cylinders: the pairs of every hierarchy and instruction set are those of rational arithmetic; their life as
 * blocks; what is not supported; memory that runs out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cylinder_oracle.h"
#include "math/scaled.h"
#include "math/thick_sum.h"
#include "math/vec3.h"
#include "mixed_cases.h"
#include "query/query.h"
#include "tree/block.h"
#include "tree/radius.h"

enum {
    COUNT = 40, /* cylinders */
    KINDS = 11
};

typedef struct cylinders {
    double ends[6 * COUNT], radii[COUNT];
} cylinders;

/* Whole numbers if the unit is 1. */
static void make_cylinders(cylinders *c, test_random *random, double unit)
{
    for (size_t i = 0; i < COUNT; i++) {
        double *ends = c->ends + 6 * i;
        do {
            for (int k = 0; k < 6; k++) {
                ends[k] = unit * test_random_whole(random, -4, 4);
            }
            if (i % 2) { /* parallel to an axis */
                memcpy(ends + 3, ends, 3 * sizeof *ends);
                ends[3 + i / 2 % 3] += unit * test_random_whole(random, 1, 4);
            }
        } while (tmb_compare_numbers(ends, ends + 3, 3) == 0);
        c->radii[i] = unit * test_random_whole(random, 0, 3);
    }
}

static tumble_model_options options_of(size_t kind)
{
    static const size_t variants[] = {TEST_TREE_WIDE, TEST_TREE_WIDE_LONGEST, TEST_TREE_RTREE,    0, 21, 42, 63,
                                      TEST_TREE_KDOP, TEST_TREE_KDOP + 4,     TEST_TREE_KDOP + 14};
    tumble_model_options options = kind == 0 ? tumble_default_model_options() : test_tree_variant(variants[kind - 1]);
    options.hierarchy = kind == 0 ? TUMBLE_HIERARCHY_BRUTE : options.hierarchy;
    return options;
}

static tumble_model *model_of(tumble_context *context, const cylinders *c, size_t kind)
{
    const tumble_model_options options = options_of(kind);
    tumble_model *model;
    assert_int_equal(tumble_model_create_cylinders(context, c->ends, c->radii, COUNT, &options, &model), TUMBLE_OK);
    return model;
}

/* ---- Pairs ---- */

typedef struct cylinder_case {
    cylinders cylinders;
    models_mesh mesh;
    tumble_pose poses[2]; /* of A and B */
    int side;             /* of the cylinders */
} cylinder_case;

static void moved(const cylinder_case *c, int side, const double *point, double out[3])
{
    const tumble_pose relative = tumble_pose_relative(&c->poses[0], &c->poses[1]);
    if (side) {
        tumble_pose_apply(&relative, point, out);
    } else {
        memcpy(out, point, 3 * sizeof *out);
    }
}

static int truth_of(const cylinder_case *c, size_t cylinder, size_t triangle)
{
    double corners[3][3], from[3], to[3];
    for (int i = 0; i < 3; i++) {
        moved(c, !c->side, c->mesh.points + 3 * (size_t)c->mesh.indices[3 * triangle + (size_t)i], corners[i]);
    }
    moved(c, c->side, c->cylinders.ends + 6 * cylinder, from);
    moved(c, c->side, c->cylinders.ends + 6 * cylinder + 3, to);
    const double factors[1][2] = {{tumble_pose_scale(&c->poses[c->side]), c->cylinders.radii[cylinder]}};
    const tmb_limit radius = tmb_limit_of(tmb_thick_sum(0, factors, 1), tumble_pose_scale(&c->poses[0]));
    return cylinder_truth((const double(*)[3])corners, from, to, radius.exact.digits, radius.exact.exponent);
}

static void find_expected(const cylinder_case *c, test_pairs *out)
{
    const size_t counts[2] = {c->side ? c->mesh.polygon_count : COUNT, c->side ? COUNT : c->mesh.polygon_count};
    *out = (test_pairs){.items = malloc((counts[0] * counts[1] + 1) * sizeof *out->items)};
    assert_non_null(out->items);
    out->capacity = counts[0] * counts[1];
    for (size_t i = 0; i < counts[0]; i++) {
        for (size_t j = 0; j < counts[1]; j++) {
            if (truth_of(c, c->side ? j : i, c->side ? i : j)) {
                out->items[out->count++] = (tumble_pair){(uint32_t)i, (uint32_t)j};
            }
        }
    }
}

static void ask_modes(tumble_query *query, const tumble_model *a, const tumble_model *b, const cylinder_case *c,
                      const test_pairs *expected, size_t kind)
{
    tumble_collide_options options = test_overlap_variant(kind % TEST_OVERLAP_VARIANTS);
    tumble_collide_result result;
    for (int mode = TUMBLE_TEST; mode <= TUMBLE_SURFACES; mode++) {
        options.mode = (tumble_mode)mode;
        options.coherence = kind % 2 ? TUMBLE_COHERENCE_ALL : TUMBLE_COHERENCE_NONE;
        options.want_contacts = mode == TUMBLE_ALL;
        assert_int_equal(tumble_collide(query, a, &c->poses[0], b, &c->poses[1], &options, &result), TUMBLE_OK);
        assert_int_equal(result.collide, expected->count > 0);
        assert_true(mode != TUMBLE_COUNT || result.pair_count == expected->count);
        assert_true(mode != TUMBLE_ALL || result.contact_count == expected->count);
        assert_true(mode != TUMBLE_FIRST || !result.collide || test_has_pair(expected, result.first));
        assert_true(mode != TUMBLE_SURFACES || result.surface_pair_count == (expected->count > 0));
    }
}

static size_t check_case(test_allocator *memory, const cylinder_case *c, const char *name)
{
    tumble_context *contexts[TEST_LEVELS];
    tumble_query *queries[TEST_LEVELS];
    test_pairs expected, found = {0};
    test_open_levels(memory, contexts, queries);
    find_expected(c, &expected);
    for (size_t kind = 0; kind < 2 * KINDS; kind++) { /* alike, and mixed */
        const tumble_model_options options = options_of(kind < KINDS ? kind : 3 * kind % KINDS);
        const tumble_mesh view = models_view(&c->mesh);
        tumble_model *own = model_of(contexts[0], &c->cylinders, kind % KINDS), *other;
        assert_int_equal(tumble_model_create(contexts[0], &view, &options, &other), TUMBLE_OK);
        const tumble_model *a = c->side ? other : own, *b = c->side ? own : other;
        for (size_t level = 0; level < TEST_LEVELS; level++) {
            const tumble_collide_options overlap = test_overlap_variant(kind % TEST_OVERLAP_VARIANTS);
            test_collide(queries[level], a, &c->poses[0], b, &c->poses[1], &overlap, &found);
            test_assert_same_pairs(&found, &expected, "%s, kind %zu, level %zu", name, kind, level);
        }
        ask_modes(queries[kind % TEST_LEVELS], a, b, c, &expected, kind);
        tumble_model_destroy(own);
        tumble_model_destroy(other);
    }
    const size_t count = expected.count;
    test_free_pairs(&expected);
    test_free_pairs(&found);
    test_close_levels(contexts, queries);
    return count;
}

static void test_pairs_of_all_kinds(void **state)
{
    test_world *w = *state;
    test_random random = {7};
    static const double units[] = {1, 0.1, 1, 1e-300, 0x1p1000, 0.3};
    for (size_t turn = 0; turn < test_count(6); turn++) {
        cylinder_case c = {.side = turn % 2};
        const double unit = units[turn % 6];
        make_cylinders(&c.cylinders, &random, unit);
        if (turn % 3 == 1) {
            test_make_soup(&c.mesh, &random, 40, 0.3);
        } else {
            test_make_lattice(&c.mesh, &random, 40, 5, 3, 0.3);
        }
        for (size_t k = 0; k < 3 * c.mesh.point_count; k++) {
            c.mesh.points[k] *= turn % 3 == 1 ? 5 * unit : unit;
        }
        c.poses[0] = turn % 3 == 1 ? mixed_pose(&random, 0.6, 0.2, 0.1, 0) : tumble_pose_identity();
        c.poses[1] = c.poses[0];
        for (int k = 0; k < 12 && turn % 3 == 1; k++) { /* scaled and shifted */
            c.poses[1].m[k / 4][k % 4] *= 1.3;
        }
        const size_t hits = check_case(&w->memory, &c, turn % 3 == 1 ? "soup" : "lattice");
        assert_in_range(hits, 10, COUNT * c.mesh.polygon_count * 3 / 4);
        models_free(&c.mesh);
    }
}

/* ---- One cylinder and a mesh ---- */

static tumble_model *one(test_world *w, double radius)
{
    const double from[3] = {0, 0, 0}, to[3] = {0, 0, 10};
    tumble_model *model;
    assert_int_equal(tumble_model_create_cylinder(w->context, from, to, radius, NULL, &model), TUMBLE_OK);
    return model;
}

static tumble_model *box(test_world *w, double x, double y, double z, double radius)
{
    const double lower[3] = {x, y, z}, upper[3] = {x + 1, y + 1, z + 1};
    tumble_model *model;
    assert_int_equal(tumble_model_create_box(w->context, lower, upper, radius, NULL, &model), TUMBLE_OK);
    return model;
}

static int meets_box(test_world *w, const tumble_model *model, const tumble_pose *pose, double x, double y, double z)
{
    tumble_model *other = box(w, x, y, z, 0);
    tumble_collide_result result;
    assert_int_equal(tumble_collide(w->query, model, pose, other, NULL, NULL, &result), TUMBLE_OK);
    tumble_model_destroy(other);
    return result.collide;
}

static void test_flat_ends(void **state)
{
    test_world *w = *state;
    tumble_model *model = one(w, 5);
    assert_true(test_info(model).has_flat_ends && test_info(model).radius == 5 && !test_info(model).closed);
    assert_true(meets_box(w, model, NULL, 0, 0, 10) && !meets_box(w, model, NULL, 0, 0, nextafter(10, 11)));
    assert_true(meets_box(w, model, NULL, 3, 4, 2) && !meets_box(w, model, NULL, nextafter(3, 4), 4, 2));
    assert_true(meets_box(w, model, NULL, 3, 4, 10) && meets_box(w, model, NULL, -4, -5, -1));
    assert_false(meets_box(w, model, NULL, 3, 4, -1.5));
    assert_true(meets_box(w, model, NULL, -0.5, -0.5, 4)); /* inside: a cylinder is solid */
    tumble_pose pose = tumble_pose_identity();
    pose.m[0][0] = pose.m[1][1] = pose.m[2][2] = 2;
    assert_true(meets_box(w, model, &pose, 6, 8, 20) && !meets_box(w, model, &pose, nextafter(6, 7), 8, 20));
    assert_int_equal(tumble_model_set_radius(model, 1), TUMBLE_OK); /* it keeps its ends */
    assert_true(meets_box(w, model, NULL, 1, -0.5, 2) && !meets_box(w, model, NULL, 0, 0, 10.5));
    tumble_model_destroy(model);
}

/* ---- Blocks and edits ---- */

static void check_copy(test_world *w, const tumble_model *model)
{
    size_t size;
    const void *block = tumble_model_block(model, &size);
    assert_non_null(block);
    tumble_model *copy;
    assert_int_equal(tumble_model_from_block(w->context, block, size, true, &copy), TUMBLE_OK);
    assert_true(copy->has_flat_ends && copy->radius == model->radius);
    assert_true(test_same_blocks(copy, model));
    tumble_model_destroy(copy);
}

static tumble_status load(test_world *w, unsigned char *bytes, size_t size)
{
    tumble_model *model;
    ((tmb_block *)(void *)bytes)->checksum = tmb_block_checksum((tmb_block *)(void *)bytes);
    const tumble_status status = tumble_model_from_block(w->context, bytes, size, true, &model);
    if (status == TUMBLE_OK) {
        tumble_model_destroy(model);
    }
    return status;
}

static void test_blocks(void **state)
{
    test_world *w = *state;
    tumble_model *model = one(w, 5), *thick = box(w, 0, 0, 0, 1);
    size_t size;
    check_copy(w, model);
    assert_int_equal(tumble_model_set_radius(model, 0), TUMBLE_OK); /* it stays what it is */
    check_copy(w, model);
    const void *block = tumble_model_block(thick, &size);
    unsigned char *bytes = aligned_alloc(64, size);
    assert_non_null(bytes);
    const uint64_t flags[] = {0, 1, 2};
    for (int i = 0; i < 3; i++) { /* a box has no axes; and 2 means nothing */
        memcpy(bytes, block, size);
        memcpy(bytes + size - 48, &flags[i], sizeof flags[i]);
        assert_int_equal(load(w, bytes, size), i ? TUMBLE_ERROR_FORMAT : TUMBLE_OK);
    }
    free(bytes);
    tumble_model_destroy(model);
    tumble_model_destroy(thick);
}

static void test_edits(void **state)
{
    test_world *w = *state;
    test_random random = {9};
    cylinders c;
    make_cylinders(&c, &random, 1);
    for (size_t kind = 0; kind < KINDS; kind++) {
        tumble_model *model = model_of(w->context, &c, kind), *block = box(w, 0, 0, 0, 0);
        tumble_collide_result whole, less;
        assert_int_equal(tumble_collide(w->query, model, NULL, block, NULL, NULL, &whole), TUMBLE_OK);
        assert_true(whole.pair_count > 1);
        const uint32_t gone = whole.pairs[0].polygon_a;
        uint64_t rest = 0;
        for (uint64_t i = 0; i < whole.pair_count; i++) {
            rest += whole.pairs[i].polygon_a != gone;
        }
        assert_int_equal(tumble_model_remove(model, &gone, 1), TUMBLE_OK);
        assert_int_equal(tumble_collide(w->query, model, NULL, block, NULL, NULL, &less), TUMBLE_OK);
        assert_int_equal(less.pair_count, rest);
        check_copy(w, model);
        const tumble_mesh mesh = tumble_default_mesh();
        test_assert_status(w->context, tumble_model_insert(model, &mesh, NULL), TUMBLE_ERROR_UNSUPPORTED, "cylinders");
        tumble_model_destroy(model);
        tumble_model_destroy(block);
    }
}

/* ---- Errors ---- */

static void test_errors(void **state)
{
    test_world *w = *state;
    const double ends[12] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 2}, radii[2] = {1, 1}, bad[2] = {1, -1};
    tumble_model *none, *model = one(w, 1);
    tumble_context *x = w->context;
    test_assert_status(x, tumble_model_create_cylinder(x, ends, ends, 1, NULL, &none), TUMBLE_ERROR_ARGUMENT,
                       "no axis");
    test_assert_status(x, tumble_model_create_cylinder(x, NULL, ends, 1, NULL, &none), TUMBLE_ERROR_ARGUMENT, "null");
    test_assert_status(x, tumble_model_create_cylinder(x, ends, ends + 3, -1, NULL, &none), TUMBLE_ERROR_ARGUMENT,
                       "the radius is -1");
    test_assert_status(x, tumble_model_create_cylinders(x, ends, radii, 2, NULL, &none), TUMBLE_ERROR_ARGUMENT,
                       "cylinder 1: both ends are equal");
    test_assert_status(x, tumble_model_create_cylinders(x, ends, bad, 1, NULL, NULL), TUMBLE_ERROR_ARGUMENT, "null");
    test_assert_status(x, tumble_model_create_cylinders(x, ends, radii, SIZE_MAX, NULL, &none), TUMBLE_ERROR_TOO_LARGE,
                       "more than");
    assert_int_equal(tumble_model_create_cylinders(x, NULL, NULL, 0, NULL, &none), TUMBLE_OK);
    tumble_model_destroy(none);
    tumble_model_options options = tumble_default_model_options();
    options.flat_ends = true;
    test_assert_status(x, tumble_model_create_box(x, ends, ends + 3, 1, &options, &none), TUMBLE_ERROR_POLYGON,
                       "only segments");
    assert_null(none);
    tumble_model *out = NULL;
    const tumble_mesh mesh = tumble_default_mesh();
    test_assert_status(x, tumble_model_deform(model, &mesh, &out), TUMBLE_ERROR_UNSUPPORTED, "cylinders");
    tumble_model_destroy(model);
}

/* ---- Balls ---- */

/* A ball, which is a model, an object's padding or a clearance. */
static void test_balls(void **state)
{
    test_world *w = *state;
    test_random random = {13};
    cylinders c;
    make_cylinders(&c, &random, 1);
    const double origin[3] = {0, 0, 0};
    tumble_model *thick, *thin;
    assert_int_equal(tumble_model_create_ball(w->context, origin, 2, NULL, &thick), TUMBLE_OK);
    assert_int_equal(tumble_model_create_ball(w->context, origin, 0, NULL, &thin), TUMBLE_OK);
    for (size_t kind = 0; kind < KINDS; kind++) {
        tumble_model *model = model_of(w->context, &c, kind);
        tumble_collide_options near = tumble_default_collide_options();
        tumble_collide_result result;
        test_pairs expected = {.items = malloc(COUNT * sizeof *expected.items), .capacity = COUNT};
        assert_non_null(expected.items);
        near.clearance = 2;
        for (uint32_t i = 0; i < COUNT; i++) {
            if (cylinder_ball_truth(origin, 2, c.ends + 6 * i, c.ends + 6 * i + 3, c.radii[i])) {
                expected.items[expected.count++] = (tumble_pair){i, 0};
            }
        }
        assert_in_range(expected.count, 2, COUNT - 2);
        for (int way = 0; way < 3; way++) { /* the ball's own radius; a clearance; of the object */
            tmb_query_pad(w->query, 0, way == 2 ? 2 : 0);
            assert_int_equal(
                tumble_collide(w->query, model, NULL, way ? thin : thick, NULL, way == 1 ? &near : NULL, &result),
                TUMBLE_OK);
            const test_pairs found = {.items = (tumble_pair *)result.pairs, .count = (size_t)result.pair_count};
            test_assert_same_pairs(&found, &expected, "kind %zu, way %d", kind, way);
        }
        tmb_query_pad(w->query, 0, 0);
        assert_int_equal(tumble_collide(w->query, thick, NULL, model, NULL, NULL, &result), TUMBLE_OK);
        assert_int_equal(result.pair_count, expected.count);
        test_free_pairs(&expected);
        tumble_model_destroy(model);
    }
    tumble_model_destroy(thick);
    tumble_model_destroy(thin);
}

/* A ball that touches a rim needs exact arithmetic, and memory for it. */
static tumble_status touch(test_world *w, void *user)
{
    tumble_model **models = user;
    tumble_collide_result result;
    const tumble_status status = tumble_collide(w->query, models[0], NULL, models[1], NULL, NULL, &result);
    assert_true(status != TUMBLE_OK || result.collide);
    return status;
}

static void test_ball_memory(void **state)
{
    test_world *w = *state;
    const double centre[3] = {8, 0, 14};
    tumble_model *models[2] = {one(w, 5), NULL};
    assert_int_equal(tumble_model_create_ball(w->context, centre, 5, NULL, &models[1]), TUMBLE_OK);
    assert_int_equal(touch(w, models), TUMBLE_OK); /* now the query has all that it keeps */
    assert_true(test_fail_each(w, TEST_FAIL_ALONE, touch, NULL, models) > 0);
    for (int i = 0; i < 2; i++) {
        tumble_model_destroy(models[i]);
    }
}

/* ---- Batches ---- */

enum {
    CHECKS = 40
};

/* Every device answers as tumble_collide does; OpenCL devices leave cylinders to threads. */
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
    test_random random = {15};
    cylinders c;
    models_mesh mesh = {0};
    tumble_model *other;
    make_cylinders(&c, &random, 1);
    test_make_soup(&mesh, &random, 60, 2);
    const tumble_mesh view = models_view(&mesh);
    assert_int_equal(tumble_model_create(w->context, &view, NULL, &other), TUMBLE_OK);
    tumble_model *model = model_of(w->context, &c, 1);
    uint32_t count = 1;
    const char *opencl = getenv("TUMBLE_TEST_OPENCL");
    if (!opencl || strcmp(opencl, "none") != 0) {
        assert_int_equal(tumble_device_count(w->context, &count), TUMBLE_OK);
    }
    for (uint32_t i = 0; i < count && i < 2; i++) {
        check_device(w, i, model, other);
        check_device(w, i, other, model);
    }
    tumble_model_destroy(model);
    tumble_model_destroy(other);
    models_free(&mesh);
}

/* ---- Scenes ---- */

static void test_scene(void **state)
{
    test_world *w = *state;
    tumble_model *tool = one(w, 2), *part = box(w, 0, 0, 0, 0);
    tumble_scene *scene;
    tumble_scene_answer answer;
    tumble_object ids[2];
    assert_int_equal(tumble_scene_create(w->context, NULL, &scene), TUMBLE_OK);
    tumble_part parts[2] = {tumble_default_part(), tumble_default_part()};
    parts[0].model = tool, parts[1].model = part;
    assert_int_equal(tumble_scene_add(scene, parts, 2, ids), TUMBLE_OK);
    for (int i = 0; i < 8; i++) { /* below, in contact, and above */
        parts[0].pose.m[2][3] = 2.5 * i - 12;
        const int meet = parts[0].pose.m[2][3] >= -10 && parts[0].pose.m[2][3] <= 1;
        assert_int_equal(tumble_scene_move(scene, ids, &parts[0].pose, 1), TUMBLE_OK);
        assert_int_equal(tumble_scene_collide(w->query, scene, NULL, &answer), TUMBLE_OK);
        assert_int_equal(answer.touch, meet);
    }
    tumble_scene_destroy(scene);
    tumble_model_destroy(tool);
    tumble_model_destroy(part);
}

/* ---- Memory that runs out ---- */

static tumble_status live(test_world *w, void *user)
{
    const cylinders *c = user;
    tumble_model *model = NULL, *single = NULL;
    const uint32_t first = 0;
    tumble_status status = tumble_model_create_cylinder(w->context, c->ends, c->ends + 3, 1, NULL, &single);
    status = status != TUMBLE_OK ? status
                                 : tumble_model_create_cylinders(w->context, c->ends, c->radii, COUNT, NULL, &model);
    status = status != TUMBLE_OK ? status : tumble_model_remove(model, &first, 1);
    status = status != TUMBLE_OK ? status : tumble_model_block(model, NULL) ? TUMBLE_OK : TUMBLE_ERROR_MEMORY;
    tumble_model_destroy(model);
    tumble_model_destroy(single);
    return status;
}

static void test_memory(void **state)
{
    test_world *w = *state;
    test_random random = {11};
    cylinders c;
    make_cylinders(&c, &random, 1);
    assert_true(test_fail_each(w, TEST_FAIL_ALONE, live, NULL, &c) > 8);
    assert_true(test_fail_each(w, TEST_FAIL_WITH_ALL, live, NULL, &c) > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_pairs_of_all_kinds),
        TEST_IN_WORLD(test_flat_ends),
        TEST_IN_WORLD(test_blocks),
        TEST_IN_WORLD(test_edits),
        TEST_IN_WORLD(test_errors),
        TEST_IN_WORLD(test_scene),
        TEST_IN_WORLD(test_memory),
        TEST_IN_WORLD(test_balls),
        TEST_IN_WORLD(test_ball_memory),
        TEST_IN_WORLD(test_batches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
