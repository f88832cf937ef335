/* Other results of queries with a clearance: surfaces, contacts, lists of near pairs; their cost, and what they
 * reject. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clearance_cases.h"
#include "near/list.h"

/* ---- Surfaces ---- */

static uint64_t surface_key(const clearance_scene *s, tumble_pair pair)
{
    return (uint64_t)s->meshes[0].surface_ids[pair.polygon_a] << 32 | s->meshes[1].surface_ids[pair.polygon_b];
}

static void check_surfaces(clearance_bench *b, const clearance_scene *s, size_t kind, double clearance)
{
    enum {
        SURFACES = 5
    };
    int expected[SURFACES][SURFACES] = {{0}};
    size_t count = 0;
    for (size_t i = 0; i < b->expected.count; i++) {
        const uint64_t key = surface_key(s, b->expected.items[i]);
        count += !expected[key >> 32][key & 0xff];
        expected[key >> 32][key & 0xff] = 1;
    }
    tumble_surface_pair found[SURFACES * SURFACES];
    tumble_collide_options options = test_overlap_variant(b->number++ % TEST_OVERLAP_VARIANTS);
    options.mode = TUMBLE_SURFACES;
    options.clearance = clearance;
    options.surface_pairs = found;
    options.surface_pair_capacity = SURFACES * SURFACES;
    tumble_collide_result result;
    assert_int_equal(tumble_collide(b->queries[b->number % TEST_LEVELS], s->models[kind][0], &s->poses[0],
                                    s->models[kind][1], &s->poses[1], &options, &result),
                     TUMBLE_OK);
    if (result.surface_pair_count != count) {
        fail_msg("%s, clearance %a: %u pairs of surfaces instead of %zu", clearance_kind_name(s, kind), clearance,
                 (unsigned)result.surface_pair_count, count);
    }
    for (size_t i = 0; i < count; i++) {
        const tumble_pair pair = {found[i].polygon_a, found[i].polygon_b};
        assert_true(expected[found[i].surface_a][found[i].surface_b]);
        assert_true(test_has_pair(&b->expected, pair));
    }
}

static void test_surfaces(void **state)
{
    clearance_bench *b = *state;
    test_random random = {25};
    clearance_scene s = {.poses = {tumble_pose_identity(), clearance_pose(&random, 1, 1.8, 0.5, 0.25)}};
    for (int i = 0; i < 2; i++) {
        test_make_soup(&s.meshes[i], &random, 50, 0.4);
        for (size_t k = 0; k < s.meshes[i].polygon_count; k++) {
            s.meshes[i].surface_ids[k] = (uint32_t)(k / 7 % 5);
        }
    }
    clearance_start(b, &s, "surfaces", 2);
    for (size_t at = 0; at < 2500; at = 2 * at + 1) {
        clearance_find_expected(b, &s, s.sorted[at]);
        for (size_t kind = 0; kind < CLEARANCE_KINDS; kind++) {
            check_surfaces(b, &s, kind, s.sorted[at]);
        }
    }
    clearance_end(&s);
}

/* ---- Contacts ---- */

static double point_distance(const double point[3], const double triangle[3][3], const tumble_pose *pose)
{
    double placed[3][3], same[3][3];
    for (int i = 0; i < 3; i++) {
        tumble_pose_apply(pose, triangle[i], placed[i]);
        memcpy(same[i], point, sizeof same[i]);
    }
    tmb_triangle_distance distance;
    tmb_triangles_distance((const double(*)[3])placed, (const double(*)[3])same, &distance, NULL);
    return distance.value;
}

/* Polygons are triangles here, so their numbers are those of the corners. */
static void check_contact(const clearance_scene *s, const tumble_contact *contact, const tumble_contact *plain,
                          size_t plain_count)
{
    const double scale = tumble_pose_scale(&s->poses[0]), tolerance = 1e-13 * scale;
    const size_t i = contact->polygon_a, j = contact->polygon_b;
    const double value = s->distances[i * s->corners[1].count + j].value;
    if (value == 0) {
        size_t k = 0;
        while (k < plain_count && (plain[k].polygon_a != i || plain[k].polygon_b != j)) {
            k++;
        }
        assert_true(k < plain_count);
        assert_memory_equal(contact, &plain[k], sizeof *contact);
        return;
    }
    const double *p = contact->points[0], *q = contact->points[1];
    const double length =
        sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]));
    assert_int_equal(contact->coplanar, 0);
    assert_int_equal(contact->apart, 1);
    assert_true(fabs(length - value * scale) < tolerance);
    assert_true(point_distance(p, (const double(*)[3])s->corners[0].triangles[i], &s->poses[0]) < tolerance);
    assert_true(point_distance(q, (const double(*)[3])s->corners[1].triangles[j], &s->poses[0]) < tolerance);
}

static void check_contacts(clearance_bench *b, const clearance_scene *s, size_t kind, double clearance)
{
    const size_t room = s->corners[0].count * s->corners[1].count;
    tumble_contact *lists[2] = {calloc(room + 1, sizeof **lists), calloc(room + 1, sizeof **lists)};
    tumble_collide_result results[2] = {{0}, {0}};
    assert_non_null(lists[0]);
    assert_non_null(lists[1]);
    for (int i = 0; i < 2; i++) {
        tumble_collide_options options = test_overlap_variant(b->number++ % TEST_OVERLAP_VARIANTS);
        options.clearance = i ? clearance : 0;
        options.contacts = lists[i];
        options.contact_capacity = room;
        assert_int_equal(tumble_collide(b->queries[kind % TEST_LEVELS], s->models[kind][0], &s->poses[0],
                                        s->models[kind][1], &s->poses[1], &options, &results[i]),
                         TUMBLE_OK);
    }
    assert_int_equal(results[1].contact_count, clearance_find_expected(b, s, clearance_limit(s, clearance)));
    for (size_t i = 0; i < results[1].contact_count; i++) {
        check_contact(s, &lists[1][i], lists[0], (size_t)results[0].contact_count);
    }
    free(lists[0]);
    free(lists[1]);
}

static void test_contacts(void **state)
{
    clearance_bench *b = *state;
    test_random random = {26};
    for (size_t turn = 0; turn < 2; turn++) {
        const double scale = turn ? 20 : 1;
        clearance_scene s = {.poses = {turn ? clearance_pose(&random, scale, 1, 2, 3) : test_translation(1, 2, 3),
                                       clearance_pose(&random, scale, 1.5, 2, 3)}};
        test_make_soup(&s.meshes[0], &random, 40, 0.5);
        test_make_soup(&s.meshes[1], &random, 40, 0.5);
        clearance_start(b, &s, "contacts", turn);
        assert_true(s.sorted[0] == 0 && s.sorted[200] > 0);
        for (size_t kind = 0; kind < CLEARANCE_KINDS; kind++) {
            check_contacts(b, &s, kind, s.sorted[300] * scale);
        }
        clearance_end(&s);
    }
}

/* ---- Lists of near pairs ---- */

static void check_list(clearance_bench *b, const clearance_scene *s, size_t kind, double limit)
{
    const size_t count_a = s->corners[0].count, count_b = s->corners[1].count;
    const double scale = tumble_pose_scale(&s->poses[0]);
    double *least = malloc((s->meshes[0].polygon_count * s->meshes[1].polygon_count + 1) * sizeof *least);
    assert_non_null(least);
    for (size_t i = 0; i < s->meshes[0].polygon_count * s->meshes[1].polygon_count; i++) {
        least[i] = INFINITY;
    }
    for (size_t i = 0; i < count_a * count_b; i++) {
        const size_t at =
            s->corners[0].polygons[i / count_b] * s->meshes[1].polygon_count + s->corners[1].polygons[i % count_b];
        const double distance = scale == 1 ? s->distances[i].value : s->distances[i].value * scale;
        least[at] = distance < least[at] ? distance : least[at];
    }
    size_t count = 0, at = 0;
    const tumble_near *pairs;
    tumble_counters counters = {0};
    const tumble_pose identity = tumble_pose_identity();
    const tumble_pose *pose_a = memcmp(&s->poses[0], &identity, sizeof identity) == 0 ? NULL : &s->poses[0];
    assert_int_equal(tmb_list_near(b->queries[kind % TEST_LEVELS], s->models[kind][0], pose_a, s->models[kind][1],
                                   &s->poses[1], limit, NULL, &pairs, &count, &counters),
                     TUMBLE_OK);
    for (uint32_t i = 0; i < s->meshes[0].polygon_count; i++) {
        for (uint32_t j = 0; j < s->meshes[1].polygon_count; j++) {
            const double distance = least[i * s->meshes[1].polygon_count + j];
            if (!(distance <= limit)) {
                continue;
            }
            assert_true(at < count && pairs[at].polygon_a == i && pairs[at].polygon_b == j);
            assert_true(pairs[at].distance == distance);
            const double *p = pairs[at].point_a, *q = pairs[at].point_b;
            assert_true(fabs(hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]) - distance) < 1e-13 * scale);
            at++;
        }
    }
    assert_true(at == count);
    free(least);
}

static void test_lists(void **state)
{
    clearance_bench *b = *state;
    test_random random = {27};
    for (size_t turn = 0; turn < 3; turn++) {
        clearance_scene s = {.poses = {tumble_pose_identity(), tumble_pose_identity()}};
        if (turn < 2) {
            s.poses[turn] = clearance_pose(&random, 3, 1.5, 0.5, 0.25);
            test_make_soup(&s.meshes[0], &random, 30, 0.5);
            test_make_soup(&s.meshes[1], &random, 30, 0.5);
        } else {
            clearance_add_squares(&s.meshes[0], 3, 0);
            clearance_add_squares(&s.meshes[1], 3, 3.75);
        }
        clearance_start(b, &s, "lists", turn);
        const double scale = tumble_pose_scale(&s.poses[0]);
        for (size_t kind = 0; kind < CLEARANCE_KINDS; kind++) {
            check_list(b, &s, kind, s.sorted[0] * scale);
            check_list(b, &s, kind, s.sorted[90] * scale);
            check_list(b, &s, kind, 0);
        }
        clearance_end(&s);
    }
}

/* ---- Costs ---- */

static tumble_collide_result test_once(clearance_bench *b, const tumble_model *model, const tumble_pose *pose,
                                       double clearance)
{
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.mode = TUMBLE_TEST;
    options.clearance = clearance;
    assert_int_equal(tumble_collide(b->queries[TEST_LEVELS - 1], model, NULL, model, pose, &options, &result),
                     TUMBLE_OK);
    return result;
}

/* Models that are just not as close as the limit take about as many box tests as models that just do not touch: those
 * moved together by the limit. */
static void check_costs(clearance_bench *b, const tumble_model *model, tumble_pose pose, uint64_t factor,
                        const char *name)
{
    const double less = 1 - 0x1p-8, more = 1 + 0x1p-8;
    tumble_distance_result nearest;
    assert_int_equal(tumble_distance(b->queries[0], model, NULL, model, &pose, NULL, &nearest), TUMBLE_OK);
    const double distance = nearest.nearest.distance;
    const tumble_collide_result apart = test_once(b, model, &pose, less * distance);
    assert_int_equal(apart.collide, 0);
    assert_int_equal(test_once(b, model, &pose, more * distance).collide, 1);
    for (int k = 0; k < 3; k++) {
        pose.m[k][3] -= less * (nearest.nearest.point_b[k] - nearest.nearest.point_a[k]);
    }
    const tumble_collide_result plain = test_once(b, model, &pose, 0);
    assert_int_equal(plain.collide, 0);
    if (apart.counters.box_tests > factor * plain.counters.box_tests + 200) {
        fail_msg("%s, %g apart: %lu box tests with clearance, %lu without", name, distance,
                 (unsigned long)apart.counters.box_tests, (unsigned long)plain.counters.box_tests);
    }
}

static void test_costs(void **state)
{
    clearance_bench *b = *state;
    test_random random = {29};
    static const struct {
        tumble_hierarchy hierarchy;
        uint64_t factor;
    } kinds[] = {{TUMBLE_HIERARCHY_WIDE, 3},
                 {TUMBLE_HIERARCHY_KDOP, 4},
                 {TUMBLE_HIERARCHY_RTREE, 2},
                 {TUMBLE_HIERARCHY_BOXTREE, 5}};
    const char *shapes[] = {"sphere", "torus", "gear"};
    for (size_t i = 0; i < 3; i++) {
        models_mesh mesh = {0};
        assert_true(models_make_sized(&mesh, shapes[i], 4000));
        models_fit(&mesh, 2, 0);
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            tumble_model_options options = tumble_default_model_options();
            options.hierarchy = kinds[k].hierarchy;
            tumble_model *model = test_model(b->contexts[0], &mesh, &options);
            check_costs(b, model, clearance_pose(&random, 1, 2.05, 0.2, 0.1), kinds[k].factor, shapes[i]);
            check_costs(b, model, clearance_pose(&random, 1, 2.2, 0.2, 0.1), kinds[k].factor, shapes[i]);
            tumble_model_destroy(model);
        }
        models_free(&mesh);
    }
}

/* ---- Memory ---- */

/* Every call for memory fails once, in a query that is new; the answer is a status, and the next one is right. */
static void test_memory(void **state)
{
    clearance_bench *b = *state;
    test_random random = {30};
    clearance_scene s = {.poses = {tumble_pose_identity(), clearance_pose(&random, 1, 1.5, 0.5, 0.25)}};
    test_make_soup(&s.meshes[0], &random, 30, 0.5);
    test_make_soup(&s.meshes[1], &random, 30, 0.5);
    clearance_start(b, &s, "memory", 0);
    const double clearance = s.sorted[400];
    for (size_t kind = 0; kind < CLEARANCE_KINDS; kind += 2) {
        size_t failing = 0;
        for (int is_complete = 0; !is_complete; failing++) {
            tumble_query *query = NULL;
            tumble_counters counters = {0};
            size_t count = 77;
            const tumble_near *pairs;
            assert_int_equal(tumble_query_create(b->contexts[0], &query), TUMBLE_OK);
            test_allocator_fail(&b->memory, failing + 1, 0);
            const tumble_status status = tmb_list_near(query, s.models[kind][0], NULL, s.models[kind][1], &s.poses[1],
                                                       clearance, NULL, &pairs, &count, &counters);
            is_complete = test_allocator_failures(&b->memory) == 0;
            test_allocator_fail(&b->memory, 0, 0);
            assert_int_equal(status, is_complete ? TUMBLE_OK : TUMBLE_ERROR_MEMORY);
            assert_true(is_complete ? count >= 401 : count == 0);
            tumble_query_destroy(query);
        }
        assert_true(failing > 2);
    }
    clearance_end(&s);
}

/* ---- Arguments ---- */

static void test_arguments(void **state)
{
    clearance_bench *b = *state;
    clearance_scene s = {.poses = {tumble_pose_identity(), tumble_pose_identity()}};
    models_mesh empty = {0};
    test_make_grid_box(&s.meshes[0], 2);
    test_make_grid_box(&s.meshes[1], 2);
    clearance_start(b, &s, "arguments", 0);
    tumble_collide_result result;
    tumble_collide_options options = tumble_default_collide_options();
    assert_true(options.clearance == 0);
    const double refused[] = {-1, -DBL_MIN, -INFINITY, NAN};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        options.clearance = refused[i];
        test_assert_status(b->contexts[0],
                           tumble_collide(b->queries[0], s.models[1][0], NULL, s.models[1][1], NULL, &options, &result),
                           TUMBLE_ERROR_ARGUMENT, "clearance");
    }
    /* nothing is near to what is not there */
    tumble_model *nothing = test_model(b->contexts[0], &empty, NULL);
    options.clearance = INFINITY;
    assert_int_equal(tumble_collide(b->queries[0], s.models[1][0], NULL, nothing, NULL, &options, &result), TUMBLE_OK);
    assert_int_equal(result.collide, 0);
    /* points of B that A's pose moves beyond the doubles */
    const tumble_pose large = {{{1e160, 0, 0, 0}, {0, 1e160, 0, 0}, {0, 0, 1e160, 0}}};
    const tumble_pose far = {{{1e160, 0, 0, 1e308}, {0, 1e160, 0, 1e308}, {0, 0, 1e160, 1e308}}};
    options.want_contacts = 1;
    assert_int_equal(tumble_collide(b->queries[0], s.models[1][0], &large, s.models[1][1], &far, &options, &result),
                     TUMBLE_OK);
    const tumble_pose nearly = {{{1e160, 0, 0, -1e308}, {0, 1e160, 0, 0}, {0, 0, 1e160, 0}}};
    test_assert_status(b->contexts[0],
                       tumble_collide(b->queries[0], s.models[1][0], &nearly, s.models[1][1], &far, &options, &result),
                       TUMBLE_ERROR_NOT_FINITE, "infinite");
    tumble_model_destroy(nothing);
    clearance_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_ON_BENCH(test_surfaces), TEST_ON_BENCH(test_contacts), TEST_ON_BENCH(test_lists),
        TEST_ON_BENCH(test_costs),    TEST_ON_BENCH(test_memory),   TEST_ON_BENCH(test_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
