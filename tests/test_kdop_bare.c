/* k-DOP trees with bare leaves: the same tree without the volumes of its leaves, about half as large, and the same
 * answers, whichever of two models is bare. */
#include <stdlib.h>
#include <string.h>

#include "kdop_cases.h"
#include "moving.h"
#include "tree/kdop/lookup.h"

static tumble_model *make(test_world *w, const models_mesh *mesh, tumble_model_options options, int bare)
{
    test_tune(options, kdop.bare_leaves, bare);
    return test_model(w->context, mesh, &options);
}

/* ---- The same tree ---- */

typedef struct both {
    const tumble_model *full, *bare;
    tmb_kdop_view full_view, bare_view;
    tmb_kdop_parts full_parts, bare_parts;
    uint32_t k;
} both;

static const void *at(const tumble_model *model, uint64_t part)
{
    return (const char *)model->nodes + part;
}

static void compare_volume(const both *b, uint32_t node)
{
    const uint32_t volume = tmb_kdop_volume_of(&b->bare_view, node), tumble = b->full->block->kdop.tumble;
    assert_memory_equal(tmb_kdop_bounds(&b->full_view, node), tmb_kdop_bounds(&b->bare_view, volume), 4 * b->k);
    if (tumble == TUMBLE_KDOP_TUMBLE_LOOKUP) {
        assert_memory_equal(tmb_kdop_lookup(b->full->nodes, &b->full_parts, b->k, node),
                            tmb_kdop_lookup(b->bare->nodes, &b->bare_parts, b->k, volume),
                            4 * tmb_kdop_lookup_words(b->k));
    } else if (tumble == TUMBLE_KDOP_TUMBLE_VERTICES) {
        const uint32_t *full = (const uint32_t *)at(b->full, b->full_parts.vertex_first) + node;
        const uint32_t *bare = (const uint32_t *)at(b->bare, b->bare_parts.vertex_first) + volume;
        const float(*vertices)[3] = (const float(*)[3])at(b->full, b->full_parts.vertices),
              (*kept)[3] = (const float(*)[3])at(b->bare, b->bare_parts.vertices);
        assert_int_equal(full[1] - full[0], bare[1] - bare[0]);
        assert_memory_equal(vertices[full[0]], kept[bare[0]], (full[1] - full[0]) * sizeof *vertices);
    }
}

static void compare_trees(const tumble_model *full, const tumble_model *bare)
{
    const both b = {.full = full,
                    .bare = bare,
                    .full_view = tmb_kdop_view_of(full->block, full->nodes),
                    .bare_view = tmb_kdop_view_of(bare->block, bare->nodes),
                    .full_parts = tmb_kdop_parts_of(full->block),
                    .bare_parts = tmb_kdop_parts_of(bare->block),
                    .k = full->block->kdop.k};
    uint32_t volumes = 0;
    assert_int_equal(full->block->node_count, bare->block->node_count);
    assert_int_equal(full->block->depth, bare->block->depth);
    for (uint32_t node = TMB_KDOP_ROOT; node <= full->block->node_count; node++) {
        const uint32_t *links = tmb_kdop_links(&b.full_view, node), *others = tmb_kdop_links(&b.bare_view, node);
        assert_true(links[0] == others[0] && links[1] == others[1]);
        if (!links[1]) {
            compare_volume(&b, node);
            volumes++;
        }
    }
    assert_int_equal(volumes, tmb_kdop_volumes(bare->block));
}

static void test_same_tree(void **state)
{
    test_world *w = *state;
    test_random random = {1};
    for (size_t i = 0; i < test_count(40); i++) {
        models_mesh mesh = {0};
        const tumble_model_options options = test_any_kdop(&random, test_kdops[i % TEST_KDOPS]);
        test_sets[i % TEST_SETS].make(&mesh, &random, i % 7 ? 60 : 1 + i % 3);
        tumble_model *full = make(w, &mesh, options, 0), *bare = make(w, &mesh, options, 1);
        tumble_tuning told;
        assert_int_equal(tumble_model_get_tuning(bare, &told), TUMBLE_OK);
        assert_true(told.kdop.bare_leaves && told.kdop.hull == full->block->kdop.hull_levels);
        assert_int_equal(tumble_model_get_tuning(full, &told), TUMBLE_OK);
        assert_false(told.kdop.bare_leaves);
        compare_trees(full, bare);
        tumble_model_destroy(full);
        tumble_model_destroy(bare);
        models_free(&mesh);
    }
}

/* Half of the nodes are leaves, and 8 bytes are left of each. Their vertices, where they are kept, are fewer than those
 * of other nodes. */
static void test_half_the_memory(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    assert_true(models_make_sized(&mesh, "torus", 5000));
    for (int i = 0; i < TEST_KDOPS; i++) {
        for (int kept = 0; kept <= TUMBLE_KDOP_TUMBLE_VERTICES; kept++) {
            const uint32_t k = test_kdops[i];
            const tumble_model_options options = test_kdop_options(k, 1, (tumble_kdop_tumble)kept, 0);
            tumble_model *full = make(w, &mesh, options, 0), *bare = make(w, &mesh, options, 1);
            const double share = (double)test_info(bare).hierarchy_bytes / (double)test_info(full).hierarchy_bytes;
            const double most = kept == TUMBLE_KDOP_TUMBLE_VERTICES ? 0.7 : (k + 4.0) / (2 * k + 4);
            assert_true(share < most + 0.01);
            tumble_model_destroy(full);
            tumble_model_destroy(bare);
        }
    }
    models_free(&mesh);
}

/* ---- The same answers ---- */

/* Two meshes, each with and without volumes of leaves. */
typedef struct pairing {
    tumble_model *models[2][2], *brute[2];
} pairing;

static pairing make_pairing(test_world *w, test_random *random, size_t i)
{
    static const char *const shapes[][2] = {
        {"gear", "torus"}, {"soup", "knot"}, {"box", "needles"}, {"sphere", "sphere"}};
    pairing p;
    for (int side = 0; side < 2; side++) {
        models_mesh mesh = {0};
        const tumble_model_options options = test_any_kdop(random, test_kdops[i % TEST_KDOPS]);
        assert_true(models_make_sized(&mesh, shapes[i % 4][side], 150));
        for (int bare = 0; bare < 2; bare++) {
            p.models[side][bare] = make(w, &mesh, options, bare);
        }
        p.brute[side] = test_brute_model(w->context, &mesh);
        models_free(&mesh);
    }
    return p;
}

static void drop_pairing(const pairing *p)
{
    for (int side = 0; side < 2; side++) {
        tumble_model_destroy(p->models[side][0]);
        tumble_model_destroy(p->models[side][1]);
        tumble_model_destroy(p->brute[side]);
    }
}

static void compare_collisions(test_world *w, test_random *random, const pairing *p, const tumble_pose *pose,
                               double clearance)
{
    test_pairs expected = {0}, found = {0};
    tumble_collide_options options = tumble_default_collide_options();
    options.clearance = clearance;
    test_collide(w->query, p->brute[0], NULL, p->brute[1], pose, &options, &expected);
    for (int n = 0; n < 4; n++) {
        const tumble_model *a = p->models[0][n & 1], *b = p->models[1][n >> 1];
        test_tune(options, kdop_walk, test_any_walk(random, b, 1));
        test_collide(w->query, a, NULL, b, pose, &options, &found);
        test_assert_same_pairs(&found, &expected, "bare %d and %d, %s", n & 1, n >> 1,
                               test_walk_name(&options.tuning->kdop_walk));
    }
    test_free_pairs(&expected);
    test_free_pairs(&found);
}

static void compare_distances(test_world *w, const pairing *p, const tumble_pose *pose)
{
    tumble_distance_result expected, found;
    assert_int_equal(tumble_distance(w->query, p->brute[0], NULL, p->brute[1], pose, NULL, &expected), TUMBLE_OK);
    for (int n = 0; n < 4; n++) {
        assert_int_equal(tumble_distance(w->query, p->models[0][n & 1], NULL, p->models[1][n >> 1], pose, NULL, &found),
                         TUMBLE_OK);
        assert_int_equal(found.answer, expected.answer);
        const double right = expected.nearest.distance;
        assert_true(found.nearest.distance >= right * (1 - 1e-14) && found.nearest.distance <= right * (1 + 1e-14));
    }
}

static void test_same_answers(void **state)
{
    test_world *w = *state;
    test_random random = {2};
    for (size_t i = 0; i < test_count(12); i++) {
        const pairing p = make_pairing(w, &random, i);
        for (size_t n = 0; n < 5; n++) {
            const tumble_pose pose = kdop_any_pose(&random, test_kdops[i % TEST_KDOPS], n % 2 ? 0.7 : 2);
            compare_collisions(w, &random, &p, &pose, n == 3 ? 0.05 : 0);
            compare_distances(w, &p, &pose);
        }
        drop_pairing(&p);
    }
}

/* With the default walk, the work is that of the full tree, except where a bound of a leaf is a little larger. */
static void test_as_much_work(void **state)
{
    test_world *w = *state;
    test_random random = {3};
    uint64_t tests[2] = {0, 0};
    models_mesh mesh = {0};
    assert_true(models_make_sized(&mesh, "torus", 2000));
    const tumble_model_options options = test_kdop_options(18, 1, 0, 0);
    tumble_model *models[2] = {make(w, &mesh, options, 0), make(w, &mesh, options, 1)};
    for (int n = 0; n < 20; n++) {
        const tumble_pose pose = kdop_any_pose(&random, 18, 0.7);
        for (int bare = 0; bare < 2; bare++) {
            tumble_collide_result result;
            assert_int_equal(tumble_collide(w->query, models[bare], NULL, models[bare], &pose, NULL, &result),
                             TUMBLE_OK);
            tests[bare] += result.counters.box_tests;
        }
    }
    assert_true(tests[1] >= tests[0] && (double)tests[1] < 1.001 * (double)tests[0]);
    tumble_model_destroy(models[0]);
    tumble_model_destroy(models[1]);
    models_free(&mesh);
}

/* ---- Deformed ---- */

static void test_deformed(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0}, moved = {0};
    assert_true(models_make_sized(&mesh, "torus", 400) && models_make_sized(&moved, "torus", 400));
    for (size_t i = 0; i < 3 * moved.point_count; i++) {
        moved.points[i] = moved.points[i] * (1 + 0.1 * (double)(i % 3)) + 0.01 * (double)(i % 7);
    }
    for (int i = 0; i < TEST_KDOPS; i++) {
        const tumble_model_options options = test_kdop_options(test_kdops[i], i % 2 ? 1 : 8, 0, 0);
        tumble_model *pair[2];
        for (int bare = 0; bare < 2; bare++) {
            tumble_model *from = make(w, &mesh, options, bare);
            const tumble_mesh now = models_view(&moved);
            pair[bare] = NULL;
            assert_int_equal(tumble_model_deform(from, &now, &pair[bare]), TUMBLE_OK);
            tumble_model_destroy(from);
        }
        compare_trees(pair[0], pair[1]);
        tumble_model_destroy(pair[0]);
        tumble_model_destroy(pair[1]);
    }
    models_free(&mesh);
    models_free(&moved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_same_tree),    TEST_IN_WORLD(test_half_the_memory), TEST_IN_WORLD(test_same_answers),
        TEST_IN_WORLD(test_as_much_work), TEST_IN_WORLD(test_deformed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
