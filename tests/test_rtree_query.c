/* Queries of R-trees: the answers of brute force for all ways of loading and traversal, and the work it takes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collide/rtree/walk.h"
#include "sets.h"

enum {
    LOADS = 6,
    WALKS = 12
};

static tumble_model_options rtree_options(size_t load)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = TUMBLE_HIERARCHY_RTREE;
    static const uint32_t widths[] = {8, 32, 2, 5, 16, 3};
    test_tune(options, rtree.load, (tumble_rtree_load)(load % LOADS));
    test_tune(options, rtree.width, widths[load / LOADS % 6]);
    return options;
}

/* All ways of walking. The overlapping box is switched by the lowest bit. */
static tumble_rtree_walk walk_of(size_t number)
{
    return (tumble_rtree_walk){
        .probe = (tumble_rtree_probe)(number / 4 % 3), .whole = (int)(number % 2), .single = (int)(number / 2 % 2)};
}

/* ---- Scenes ---- */

typedef struct scene {
    models_mesh meshes[2];
    tumble_model *models[2], *brute[2];
    tumble_pose pose;
    test_pairs expected;
    tumble_surface_pair *surfaces; /* those that intersect, sorted */
    size_t surface_count;
} scene;

static int surface_order(const void *one, const void *other)
{
    const tumble_surface_pair *a = one, *b = other;
    if (a->surface_a != b->surface_a) {
        return a->surface_a < b->surface_a ? -1 : 1;
    }
    return a->surface_b < b->surface_b ? -1 : a->surface_b > b->surface_b;
}

/* What brute force says of the pose. */
static void expect(test_world *w, scene *s)
{
    test_collide(w->query, s->brute[0], NULL, s->brute[1], &s->pose, NULL, &s->expected);
    free(s->surfaces);
    s->surfaces = malloc((s->expected.count + 1) * sizeof *s->surfaces);
    assert_non_null(s->surfaces);
    s->surface_count = 0;
    for (size_t i = 0; i < s->expected.count; i++) {
        const tumble_pair p = s->expected.items[i];
        s->surfaces[i] = (tumble_surface_pair){s->meshes[0].surface_ids[p.polygon_a],
                                               s->meshes[1].surface_ids[p.polygon_b], p.polygon_a, p.polygon_b};
    }
    qsort(s->surfaces, s->expected.count, sizeof *s->surfaces, surface_order);
    for (size_t i = 0; i < s->expected.count; i++) {
        if (i == 0 || surface_order(&s->surfaces[s->surface_count - 1], &s->surfaces[i]) != 0) {
            s->surfaces[s->surface_count++] = s->surfaces[i];
        }
    }
}

/* Takes over the meshes. */
static scene scene_of(test_world *w, const models_mesh meshes[2], const tumble_model_options *a,
                      const tumble_model_options *b, tumble_pose pose)
{
    scene s = {.pose = pose};
    for (int i = 0; i < 2; i++) {
        s.meshes[i] = meshes[i];
        s.models[i] = test_model(w->context, &meshes[i], i ? b : a);
        s.brute[i] = test_brute_model(w->context, &meshes[i]);
    }
    expect(w, &s);
    return s;
}

/* How triangles are shared out among surfaces. */
typedef enum sharing {
    ONE,
    ONE_EACH,
    FEW,     /* seven, neighbours in the mesh together */
    MIXED,   /* seven, at random */
    HIGHEST, /* likewise, with the largest ids there are */
    SHARINGS
} sharing;

static void share_out(models_mesh *mesh, sharing how, test_random *random)
{
    for (size_t i = 0; i < mesh->polygon_count; i++) {
        const uint32_t any = (uint32_t)test_random_whole(random, 0, 6);
        switch (how) {
        case ONE: mesh->surface_ids[i] = 5; break;
        case ONE_EACH: mesh->surface_ids[i] = (uint32_t)(mesh->polygon_count - i); break;
        case FEW: mesh->surface_ids[i] = (uint32_t)(7 * i / mesh->polygon_count); break;
        case MIXED: mesh->surface_ids[i] = any * any; break;
        default: mesh->surface_ids[i] = UINT32_MAX - 2 * any + (any > 3); break;
        }
    }
}

static scene shapes_scene(test_world *w, const char *first, const char *second, size_t triangles, sharing a, sharing b,
                          size_t loads)
{
    models_mesh meshes[2];
    test_random random = {triangles + (uint64_t)a};
    const char *const names[2] = {first, second};
    for (int i = 0; i < 2; i++) {
        assert_true(models_make_sized(&meshes[i], names[i], triangles));
        models_fit(&meshes[i], 2, i);
        share_out(&meshes[i], i ? b : a, &random);
    }
    const tumble_model_options options[2] = {rtree_options(loads), rtree_options(loads / LOADS)};
    tumble_pose pose = test_rational_turn(&random);
    pose.m[0][3] = 0.3;
    scene s = scene_of(w, meshes, &options[0], &options[1], pose);
    assert_true(s.expected.count > 0);
    return s;
}

static void drop_scene(scene *s)
{
    for (int i = 0; i < 2; i++) {
        models_free(&s->meshes[i]);
        tumble_model_destroy(s->models[i]);
        tumble_model_destroy(s->brute[i]);
    }
    test_free_pairs(&s->expected);
    free(s->surfaces);
}

static tumble_collide_result collide(tumble_query *query, const scene *s, const tumble_collide_options *options)
{
    tumble_collide_result result;
    assert_int_equal(tumble_collide(query, s->models[0], NULL, s->models[1], &s->pose, options, &result), TUMBLE_OK);
    return result;
}

static void check_all(test_world *w, const scene *s, const char *name)
{
    for (size_t n = 0; n < WALKS; n++) {
        tumble_collide_options options = tumble_default_collide_options();
        test_pairs found = {0};
        test_tune(options, rtree_walk, walk_of(n));
        test_collide(w->query, s->models[0], NULL, s->models[1], &s->pose, &options, &found);
        test_assert_same_pairs(&found, &s->expected, "%s, walk %zu", name, n);
        test_free_pairs(&found);
    }
}

/* ---- Modes ---- */

static void check_surfaces(test_world *w, const scene *s, const tumble_rtree_walk *walk)
{
    tumble_surface_pair *found = malloc((s->surface_count + 1) * sizeof *found);
    assert_non_null(found);
    tumble_collide_options options = tumble_default_collide_options();
    options.mode = TUMBLE_SURFACES;
    options.surface_pairs = found, options.surface_pair_capacity = s->surface_count + 1;
    test_tune(options, rtree_walk, *walk);
    const tumble_collide_result result = collide(w->query, s, &options);
    assert_int_equal(result.surface_pair_count, s->surface_count);
    for (size_t i = 0; i < s->surface_count; i++) {
        const tumble_surface_pair f = found[i];
        assert_int_equal(surface_order(&f, &s->surfaces[i]), 0);
        assert_int_equal(s->meshes[0].surface_ids[f.polygon_a], f.surface_a);
        assert_int_equal(s->meshes[1].surface_ids[f.polygon_b], f.surface_b);
        assert_true(test_has_pair(&s->expected, (tumble_pair){f.polygon_a, f.polygon_b}));
    }
    free(found);
}

static void check_contacts(test_world *w, const scene *s, const tumble_rtree_walk *walk)
{
    enum {
        ROOM = 8000
    };
    tumble_contact *contacts = malloc(2 * ROOM * sizeof *contacts);
    assert_non_null(contacts);
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result brute;
    options.contacts = contacts, options.contact_capacity = ROOM;
    test_tune(options, rtree_walk, *walk);
    const tumble_collide_result result = collide(w->query, s, &options);
    options.contacts = contacts + ROOM;
    assert_int_equal(tumble_collide(w->query, s->brute[0], NULL, s->brute[1], &s->pose, &options, &brute), TUMBLE_OK);
    assert_true(result.contact_count == brute.contact_count && brute.contact_count <= ROOM);
    assert_memory_equal(contacts, contacts + ROOM, (size_t)brute.contact_count * sizeof *contacts);
    free(contacts);
}

static void check_modes(test_world *w, const scene *s)
{
    for (size_t n = 0; n < WALKS; n++) {
        tumble_collide_options options = tumble_default_collide_options();
        test_tune(options, rtree_walk, walk_of(n));
        for (int mode = TUMBLE_TEST; mode <= TUMBLE_FIRST; mode++) {
            options.mode = (tumble_mode)mode;
            const tumble_collide_result result = collide(w->query, s, &options);
            assert_int_equal(result.collide, s->expected.count > 0);
            assert_true(!result.collide || (result.pair_count == 1 && test_has_pair(&s->expected, result.first)));
        }
        check_surfaces(w, s, &options.tuning->rtree_walk);
        check_contacts(w, s, &options.tuning->rtree_walk);
    }
}

static void test_modes(void **state)
{
    static const char *const names[][2] = {{"torus", "knot"}, {"prism", "gear"}, {"shards", "terrain"}};
    for (size_t loads = 0; loads < LOADS * LOADS; loads++) {
        const sharing a = (sharing)(loads % SHARINGS), b = (sharing)((loads + loads / SHARINGS) % SHARINGS);
        scene s = shapes_scene(*state, names[loads % 3][0], names[loads % 3][1], 300, a, b, loads);
        check_all(*state, &s, names[loads % 3][0]);
        check_modes(*state, &s);
        s.pose.m[0][3] = 50;
        expect(*state, &s);
        assert_int_equal(s.expected.count, 0);
        check_modes(*state, &s);
        drop_scene(&s);
    }
}

/* ---- Difficult sets ---- */

static void check_set(test_world *w, const test_set *set, size_t count, test_random *random)
{
    models_mesh meshes[2] = {{0}, {0}};
    for (int i = 0; i < 2; i++) {
        set->make(&meshes[i], random, count);
        share_out(&meshes[i], (sharing)test_random_whole(random, 0, SHARINGS - 1), random);
    }
    const tumble_model_options a = rtree_options((size_t)test_random_whole(random, 0, 6 * LOADS - 1)),
                               b = rtree_options((size_t)test_random_whole(random, 0, 6 * LOADS - 1));
    scene s = scene_of(w, meshes, &a, &b, tumble_pose_identity());
    const tumble_model_info info = test_info(s.models[0]);
    for (size_t n = 0; n < 4; n++) {
        s.pose = test_pose_over(random, &info, set->turns, n);
        expect(w, &s);
        check_all(w, &s, set->name);
        const tumble_rtree_walk walk = walk_of((size_t)test_random_whole(random, 0, WALKS - 1));
        check_surfaces(w, &s, &walk);
    }
    drop_scene(&s);
}

static void test_sets_of_all_kinds(void **state)
{
    test_random random = {3};
    for (size_t i = 0; i < TEST_SETS; i++) {
        for (size_t n = 0; n < test_count(3); n++) {
            check_set(*state, &test_sets[i], (size_t)test_random_whole(&random, 1, 120), &random);
        }
    }
}

/* ---- Sizes and places ---- */

/* B is larger or smaller by any factor, and both are anywhere; touching triangles of whole coordinates among them. */
static void check_places(test_world *w, test_random *random, int exponent, double far)
{
    models_mesh meshes[2] = {{0}, {0}};
    for (int i = 0; i < 2; i++) {
        test_make_lattice(&meshes[i], random, 60, 6, 4, 0.1);
        share_out(&meshes[i], MIXED, random);
    }
    const double shift[3] = {far, -far, 2 * far};
    test_transform(&meshes[0], ldexp(1, exponent), shift);
    test_transform(&meshes[1], 1, shift);
    const tumble_model_options a = rtree_options((size_t)(exponent & 3)), b = rtree_options((size_t)(exponent & 1));
    scene s = scene_of(w, meshes, &a, &b, tumble_pose_identity());
    check_all(w, &s, "sizes");
    for (int n = 0; n < 3; n++) {
        /* about the place where they are */
        double moved[3];
        s.pose = n ? test_rational_turn(random) : test_quarter_turn((size_t)test_random_whole(random, 0, 23));
        tumble_pose_apply(&s.pose, shift, moved);
        for (int k = 0; k < 3; k++) {
            s.pose.m[k][3] = shift[k] - moved[k] + (n == 2 ? test_random_range(random, -6, 6) : 0);
        }
        expect(w, &s);
        check_all(w, &s, "sizes, turned");
    }
    drop_scene(&s);
}

static void test_sizes(void **state)
{
    static const int exponents[] = {0, 1, -1, 10, -10, 30, -30, 58, -58, 62, -62, 200, -200};
    static const double places[] = {0, 1000, 1e9, 1e15, 1e17};
    test_random random = {4};
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
        for (size_t j = 0; j < sizeof places / sizeof *places; j++) {
            check_places(*state, &random, exponents[i], places[j]);
        }
    }
}

/* The least models: none, one triangle, a point; against each other and larger ones. */
static void test_least(void **state)
{
    test_world *w = *state;
    test_random random = {5};
    for (int i = 0; i < 16; i++) {
        models_mesh meshes[2] = {{0}, {0}};
        const int kinds[2] = {i % 4, i / 4};
        for (int k = 0; k < 2; k++) {
            if (kinds[k] == 1) {
                const uint32_t p = models_point(&meshes[k], 0, 0, 0);
                models_triangle(&meshes[k], p, p, p);
            } else if (kinds[k]) {
                test_make_lattice(&meshes[k], &random, kinds[k] == 2 ? 1 : 40, 2, 3, 0);
            }
        }
        const tumble_model_options options = rtree_options((size_t)i);
        scene s = scene_of(w, meshes, &options, &options, tumble_pose_identity());
        check_all(w, &s, "the least");
        check_modes(w, &s);
        drop_scene(&s);
    }
}

/* ---- The overlapping box ---- */

/* Half way into each other: with the overlapping box fewer boxes are moved and compared, for the same pairs. Without it
 * all triangles, or clusters, of the probe are looked for. */
static void test_overlapping_box(void **state)
{
    test_world *w = *state;
    test_random random = {6};
    scene s = shapes_scene(w, "torus", "knot", 700, FEW, ONE, 0);
    uint64_t with = 0, without = 0;
    for (size_t i = 0; i < test_count(40); i++) {
        s.pose = test_rational_turn(&random);
        s.pose.m[i % 3][3] = test_random_range(&random, -1.8, 1.8);
        expect(w, &s);
        check_all(w, &s, "overlapping boxes");
        for (size_t n = 0; n < WALKS; n += 2) {
            tumble_collide_options options = tumble_default_collide_options();
            test_tune(options, rtree_walk, walk_of(n));
            const tumble_counters on = collide(w->query, &s, &options).counters;
            test_tune(options, rtree_walk, walk_of(n + 1));
            const tumble_counters off = collide(w->query, &s, &options).counters;
            assert_true(on.box_updates <= off.box_updates && on.box_tests <= off.box_tests);
            assert_true(on.primitive_tests <= off.primitive_tests);
            const int is_b = options.tuning->rtree_walk.probe == TUMBLE_RTREE_PROBE_B ||
                             (options.tuning->rtree_walk.probe == TUMBLE_RTREE_PROBE_AUTO &&
                              s.models[1]->block->triangle_count <= s.models[0]->block->triangle_count);
            const tmb_block *probe = s.models[is_b]->block;
            const uint64_t all = options.tuning->rtree_walk.single ? probe->triangle_count : probe->cluster_count;
            assert_true(off.box_updates == 1 + all || off.box_updates == 1);
            with += on.box_updates, without += off.box_updates;
        }
    }
    assert_true(with < without);
    drop_scene(&s);
}

/* Far apart: one box is moved and compared with one. */
static void test_apart(void **state)
{
    test_world *w = *state;
    scene s = shapes_scene(w, "torus", "torus", 300, FEW, FEW, 0);
    s.pose.m[1][3] = 7;
    for (size_t n = 0; n < WALKS; n++) {
        tumble_collide_options options = tumble_default_collide_options();
        test_tune(options, rtree_walk, walk_of(n));
        const tumble_counters c = collide(w->query, &s, &options).counters;
        assert_true(c.box_updates == 1 && c.box_tests == 1 && c.primitive_tests == 0);
    }
    drop_scene(&s);
}

/* ---- Surfaces ---- */

/* Once two surfaces are known to intersect their trees are left alone: fewer boxes and triangles are compared than for
 * all pairs, and with one surface each it is over after the first hit but for the probe's own tree. */
static void test_known_surfaces(void **state)
{
    test_world *w = *state;
    for (int how = 0; how < SHARINGS; how++) {
        scene s = shapes_scene(w, "torus", "knot", 900, (sharing)how, (sharing)how, 0);
        for (size_t n = 0; n < WALKS; n++) {
            tumble_collide_options options = tumble_default_collide_options();
            test_tune(options, rtree_walk, walk_of(n));
            const tumble_counters all = collide(w->query, &s, &options).counters;
            options.mode = TUMBLE_SURFACES;
            const tumble_collide_result result = collide(w->query, &s, &options);
            const tumble_counters c = result.counters;
            assert_int_equal(result.surface_pair_count, s.surface_count);
            if (how == ONE_EACH) { /* nothing to be left out */
                assert_true(c.box_tests == all.box_tests && c.primitive_tests == all.primitive_tests);
            } else {
                assert_true(c.box_tests < all.box_tests && c.primitive_tests < all.primitive_tests);
            }
            assert_int_equal(c.box_updates, all.box_updates);
            assert_true(how != ONE || 3 * c.box_tests < 2 * all.box_tests || options.tuning->rtree_walk.whole);
        }
        drop_scene(&s);
    }
}

/* ---- Instruction sets and memory ---- */

typedef struct received {
    tumble_pair *pairs;
    size_t count, capacity;
} received;

static bool receive(void *user, const tumble_pair *pairs, size_t pair_count, const tumble_contact *contacts,
                    size_t contact_count)
{
    received *r = user;
    (void)contacts, (void)contact_count;
    if (r->count + pair_count > r->capacity) {
        r->capacity = 2 * (r->count + pair_count);
        r->pairs = realloc(r->pairs, r->capacity * sizeof *r->pairs);
        assert_non_null(r->pairs);
    }
    memcpy(r->pairs + r->count, pairs, pair_count * sizeof *pairs);
    r->count += pair_count;
    return 0;
}

/* The same pairs in the same order with the same counters. */
static void compare_levels(const scene *s, tumble_query *const queries[3], const tumble_collide_options *wanted)
{
    received r[3] = {{0}, {0}, {0}};
    tumble_collide_result results[3];
    for (int level = 0; level < 3; level++) {
        tumble_collide_options options = *wanted;
        options.callback = receive;
        options.callback_user = &r[level];
        results[level] = collide(queries[level], s, &options);
        assert_true(test_same_work(&results[0].counters, &results[level].counters));
        assert_int_equal(r[0].count, r[level].count);
        assert_true(r[0].count == 0 || memcmp(r[0].pairs, r[level].pairs, r[0].count * sizeof *r[0].pairs) == 0);
    }
    for (int level = 0; level < 3; level++) {
        free(r[level].pairs);
    }
}

static void test_instruction_sets(void **state)
{
    test_world *w = *state;
    tumble_context *contexts[TEST_LEVELS];
    tumble_query *queries[TEST_LEVELS];
    test_open_levels(&w->memory, contexts, queries);
    test_random random = {7};
    for (size_t i = 0; i < LOADS; i++) {
        scene s = shapes_scene(w, "knot", "gear", 600, MIXED, FEW, i);
        for (size_t n = 0; n < test_count(60); n++) {
            tumble_collide_options options = tumble_default_collide_options();
            test_tune(options, rtree_walk, walk_of(n));
            options.mode = n % 5 == 4 ? TUMBLE_FIRST : n % 5 == 3 ? TUMBLE_SURFACES : TUMBLE_ALL;
            s.pose = test_rational_turn(&random);
            s.pose.m[n % 3][3] = test_random_range(&random, -1.5, 1.5);
            compare_levels(&s, queries, &options);
        }
        drop_scene(&s);
    }
    test_close_levels(contexts, queries);
}

/* A query that has been asked before takes no memory. */
static void test_warm(void **state)
{
    test_world *w = *state;
    scene s = shapes_scene(w, "torus", "knot", 500, MIXED, FEW, 0);
    tumble_pair pairs[64];
    tumble_surface_pair surfaces[64];
    for (size_t n = 0; n < 2 * WALKS; n++) {
        tumble_collide_options options = tumble_default_collide_options();
        test_tune(options, rtree_walk, walk_of(n));
        options.mode = n < WALKS ? TUMBLE_ALL : TUMBLE_SURFACES;
        options.pairs = pairs, options.pair_capacity = 64;
        options.surface_pairs = surfaces, options.surface_pair_capacity = 64;
        if (n % WALKS == 0) {
            collide(w->query, &s, &options);
        }
        test_allocator_fail(&w->memory, 1, 1);
        collide(w->query, &s, &options);
        assert_int_equal(test_allocator_calls(&w->memory), 0);
        test_allocator_fail(&w->memory, 0, 0);
    }
    drop_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_modes),          TEST_IN_WORLD(test_sets_of_all_kinds), TEST_IN_WORLD(test_sizes),
        TEST_IN_WORLD(test_least),          TEST_IN_WORLD(test_overlapping_box),   TEST_IN_WORLD(test_apart),
        TEST_IN_WORLD(test_known_surfaces), TEST_IN_WORLD(test_instruction_sets),  TEST_IN_WORLD(test_warm),
    };
    return cmocka_run_group_tests_name("queries of R-trees", tests, NULL, NULL);
}
