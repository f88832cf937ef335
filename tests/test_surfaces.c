/* Pairs of surfaces: what every hierarchy finds is what follows from brute force's pairs of polygons, however it is
 * asked for, and once two surfaces are known to intersect their triangles are skipped. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes.h"

/* ---- Hierarchies ---- */

enum {
    KINDS = 12
};

/* What the models are made with: several of each kind, with leaves of one triangle and of many. */
static tumble_model_options kind_options(size_t kind)
{
    tumble_model_options options = tumble_default_model_options();
    static const tumble_hierarchy hierarchies[KINDS] = {
        TUMBLE_HIERARCHY_BRUTE,   TUMBLE_HIERARCHY_WIDE,  TUMBLE_HIERARCHY_WIDE,  TUMBLE_HIERARCHY_BOXTREE,
        TUMBLE_HIERARCHY_BOXTREE, TUMBLE_HIERARCHY_KDOP,  TUMBLE_HIERARCHY_KDOP,  TUMBLE_HIERARCHY_KDOP,
        TUMBLE_HIERARCHY_KDOP,    TUMBLE_HIERARCHY_RTREE, TUMBLE_HIERARCHY_RTREE, TUMBLE_HIERARCHY_RTREE};
    options.hierarchy = hierarchies[kind];
    test_tune(options, wide.axes, kind == 2 ? TUMBLE_WIDE_LONGEST_AXIS : TUMBLE_WIDE_ALL_AXES);
    test_tune(options, boxtree.layout, kind == 4 ? TUMBLE_BOXTREE_TWO_PLANES : TUMBLE_BOXTREE_ONE_PLANE);
    static const uint32_t leaves[] = {1, 8, 40, 200}, ks[] = {6, 14, 18, 26};
    if (kind >= 9) {
        test_tune(options, rtree.load, (tumble_rtree_load)(kind - 9));
    } else if (kind >= 5) {
        test_tune(options, kdop.leaf, leaves[kind - 5]);
        test_tune(options, kdop.k, ks[kind - 5]);
    }
    return options;
}

/* ---- Scenes ---- */

/* How polygons get their surfaces. */
typedef enum assignment {
    AS_PARTS,    /* connected parts, with a crease */
    AS_STRIPES,  /* a few, each in one place */
    AS_CHANCE,   /* a few, all over the model */
    AS_LARGE,    /* large numbers, among them the largest */
    AS_POLYGONS, /* each polygon */
    AS_ONE,      /* number 0 */
    AS_SEVEN,    /* one with another number */
    ASSIGNMENTS
} assignment;

static void assign(tumble_context *context, models_mesh *mesh, assignment how, test_random *random)
{
    const tumble_mesh view = models_view(mesh);
    if (how == AS_PARTS) {
        assert_int_equal(tumble_mesh_components(context, &view, 25, mesh->surface_ids, NULL), TUMBLE_OK);
        return;
    }
    for (size_t i = 0, at = 0; i < mesh->polygon_count; at += mesh->polygon_sizes[i++]) {
        const double x = mesh->points[3 * (size_t)mesh->indices[at]];
        const uint32_t few = (uint32_t)test_random_whole(random, 0, 4);
        const uint32_t ids[ASSIGNMENTS] = {0, (uint32_t)(4 * (x + 1)), few, UINT32_MAX - few % 3, (uint32_t)i, 0, 7};
        mesh->surface_ids[i] = ids[how];
    }
}

typedef struct scene {
    models_mesh meshes[2];
    tumble_model *models[KINDS][2];
    tumble_pose pose;
    test_pairs polygons; /* all that intersect */
    tumble_surface_pair *surfaces;
    size_t surface_count; /* and theirs, sorted */
} scene;

enum {
    DENSE = 2, /* a soup in which each triangle meets several */
    SHAPES = 6
};

static int surface_order(const void *one, const void *other)
{
    const tumble_surface_pair *a = one, *b = other;
    if (a->surface_a != b->surface_a) {
        return a->surface_a < b->surface_a ? -1 : 1;
    }
    return a->surface_b < b->surface_b ? -1 : a->surface_b > b->surface_b;
}

/* What follows from the polygons. */
static void expect_surfaces(scene *s)
{
    s->surfaces = malloc((s->polygons.count + 1) * sizeof *s->surfaces);
    assert_non_null(s->surfaces);
    for (size_t i = 0; i < s->polygons.count; i++) {
        const tumble_pair pair = s->polygons.items[i];
        s->surfaces[i] =
            (tumble_surface_pair){s->meshes[0].surface_ids[pair.polygon_a], s->meshes[1].surface_ids[pair.polygon_b],
                                  pair.polygon_a, pair.polygon_b};
    }
    qsort(s->surfaces, s->polygons.count, sizeof *s->surfaces, surface_order);
    for (size_t i = 0; i < s->polygons.count; i++) {
        if (i == 0 || surface_order(&s->surfaces[s->surface_count - 1], &s->surfaces[i]) != 0) {
            s->surfaces[s->surface_count++] = s->surfaces[i];
        }
    }
}

static scene make_scene(test_world *w, size_t shape, assignment how_a, assignment how_b, size_t triangles)
{
    static const char *const shapes[SHAPES][2] = {{"torus", "knot"},     {"prism", "plate"}, {NULL, NULL},
                                                  {"shards", "terrain"}, {"box", "box"},     {"pipes", "gear"}};
    scene s = {.surface_count = 0};
    test_random random = {shape}, ids = {shape + 1};
    for (int i = 0; i < 2; i++) {
        if (shape == DENSE) {
            test_make_soup(&s.meshes[i], &random, triangles, 0.8);
        } else {
            assert_true(models_make_sized(&s.meshes[i], shapes[shape][i], triangles));
            models_fit(&s.meshes[i], 2, i);
        }
        assign(w->context, &s.meshes[i], i ? how_b : how_a, &ids);
    }
    for (size_t kind = 0; kind < KINDS; kind++) {
        const tumble_model_options options = kind_options(kind);
        s.models[kind][0] = test_model(w->context, &s.meshes[0], &options);
        s.models[kind][1] = test_model(w->context, &s.meshes[1], &options);
    }
    s.pose = shape == 4 ? test_quarter_turn(9) : test_rational_turn(&random);
    s.pose.m[0][3] = shape == 4 ? 0 : 0.125;
    test_collide(w->query, s.models[0][0], NULL, s.models[0][1], &s.pose, NULL, &s.polygons);
    expect_surfaces(&s);
    assert_true(s.polygons.count > 10);
    return s;
}

static void free_scene(scene *s)
{
    for (int i = 0; i < 2; i++) {
        models_free(&s->meshes[i]);
        for (size_t kind = 0; kind < KINDS; kind++) {
            tumble_model_destroy(s->models[kind][i]);
        }
    }
    test_free_pairs(&s->polygons);
    free(s->surfaces);
}

static tumble_status ask(tumble_query *query, const scene *s, size_t kind, const tumble_collide_options *options,
                         tumble_collide_result *result)
{
    memset(result, 0xee, sizeof *result);
    return tumble_collide(query, s->models[kind][0], NULL, s->models[kind][1], &s->pose, options, result);
}

/* A pair of surfaces with polygons of theirs that intersect. */
static void check_witness(const scene *s, const tumble_surface_pair *pair)
{
    assert_true(test_has_pair(&s->polygons, (tumble_pair){pair->polygon_a, pair->polygon_b}));
    assert_int_equal(s->meshes[0].surface_ids[pair->polygon_a], pair->surface_a);
    assert_int_equal(s->meshes[1].surface_ids[pair->polygon_b], pair->surface_b);
}

static void check_list(const scene *s, const tumble_surface_pair *found, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(surface_order(&found[i], &s->surfaces[i]), 0);
        check_witness(s, &found[i]);
    }
}

/* ---- All scenes and hierarchies ---- */

static void check_modes(test_world *w, const scene *s, size_t kind)
{
    const size_t room = s->surface_count + 2;
    tumble_surface_pair *found = malloc(room * sizeof *found);
    tumble_pair *pairs = malloc(room * sizeof *pairs);
    assert_true(found && pairs);
    for (int mode = TUMBLE_TEST; mode <= TUMBLE_SURFACES; mode++) {
        tumble_collide_options options = tumble_default_collide_options();
        tumble_collide_result result;
        memset(found, 0x77, room * sizeof *found);
        memset(pairs, 0x77, room * sizeof *pairs);
        options.mode = (tumble_mode)mode;
        options.surface_pairs = found, options.surface_pair_capacity = room;
        options.pairs = pairs, options.pair_capacity = mode == TUMBLE_SURFACES ? room : 0;
        assert_int_equal(ask(w->query, s, kind, &options, &result), TUMBLE_OK);
        const int lists_all = mode == TUMBLE_ALL || mode == TUMBLE_SURFACES;
        const size_t expected = lists_all ? s->surface_count : mode == TUMBLE_FIRST;
        assert_true(result.collide && test_has_pair(&s->polygons, result.first));
        assert_int_equal(result.surface_pair_count, expected);
        assert_int_equal(result.contact_count, 0);
        assert_int_equal(found[expected].surface_a, 0x77777777);
        if (lists_all) {
            check_list(s, found, expected);
        } else if (expected) {
            check_witness(s, &found[0]);
            assert_int_equal(found[0].polygon_a, result.first.polygon_a);
            assert_int_equal(found[0].polygon_b, result.first.polygon_b);
        }
        assert_int_equal(result.pair_count, mode == TUMBLE_ALL || mode == TUMBLE_COUNT ? s->polygons.count
                                            : lists_all                                ? expected
                                                                                       : 1);
        for (size_t i = 0; mode == TUMBLE_SURFACES && i < expected; i++) { /* the same, in another order */
            int listed = 0;
            for (size_t k = 0; k < expected && !listed; k++) {
                listed = pairs[i].polygon_a == found[k].polygon_a && pairs[i].polygon_b == found[k].polygon_b;
            }
            assert_true(listed && (i == 0 || pairs[i - 1].polygon_a < pairs[i].polygon_a ||
                                   (pairs[i - 1].polygon_a == pairs[i].polygon_a &&
                                    pairs[i - 1].polygon_b < pairs[i].polygon_b)));
        }
    }
    free(found), free(pairs);
}

static void test_hierarchies(void **state)
{
    test_world *w = *state;
    size_t most = 0, shared = 0;
    for (size_t shape = 0; shape < SHAPES; shape++) {
        for (size_t how = 0; how < ASSIGNMENTS; how++) {
            scene s = make_scene(w, shape, (assignment)how, (assignment)((how + shape % 2) % ASSIGNMENTS), 600);
            for (size_t kind = 0; kind < KINDS; kind++) {
                check_modes(w, &s, kind);
            }
            most = s.surface_count > most ? s.surface_count : most;
            shared += s.surface_count > 1 && s.surface_count < s.polygons.count / 4;
            free_scene(&s);
        }
    }
    assert_true(most > 300 && shared > 10);
}

/* Models of different hierarchies. */
static void test_mixed_hierarchies(void **state)
{
    test_world *w = *state;
    scene s = make_scene(w, 5, AS_PARTS, AS_STRIPES, 600);
    tumble_surface_pair *found = malloc((s.surface_count + 1) * sizeof *found);
    for (size_t kind = 1; kind < KINDS; kind++) {
        tumble_collide_options options = tumble_default_collide_options();
        tumble_collide_result result;
        options.mode = TUMBLE_SURFACES;
        options.surface_pairs = found, options.surface_pair_capacity = s.surface_count;
        assert_int_equal(
            tumble_collide(w->query, s.models[kind][0], NULL, s.models[kind / 3][1], &s.pose, &options, &result),
            TUMBLE_OK);
        assert_int_equal(result.surface_pair_count, s.surface_count);
        check_list(&s, found, s.surface_count);
    }
    free(found);
    free_scene(&s);
}

/* Models that do not touch, and one without polygons. */
static void test_nothing(void **state)
{
    test_world *w = *state;
    scene s = make_scene(w, 0, AS_CHANCE, AS_CHANCE, 600);
    const models_mesh empty = {0};
    const tumble_pose apart = test_translation(2.5, 0, 0);
    for (size_t kind = 0; kind < KINDS; kind++) {
        const tumble_model_options model = kind_options(kind);
        tumble_model *none = test_model(w->context, &empty, &model);
        tumble_collide_options options = tumble_default_collide_options();
        tumble_collide_result result;
        options.mode = TUMBLE_SURFACES;
        assert_int_equal(
            tumble_collide(w->query, s.models[kind][0], NULL, s.models[kind][1], &apart, &options, &result), TUMBLE_OK);
        assert_true(!result.collide && result.surface_pair_count == 0 && result.pair_count == 0);
        assert_int_equal(tumble_collide(w->query, s.models[kind][0], NULL, none, NULL, &options, &result), TUMBLE_OK);
        assert_true(!result.collide && result.surface_pair_count == 0);
        tumble_model_destroy(none);
    }
    free_scene(&s);
}

/* ---- Arrays and callbacks ---- */

static void test_capacities(void **state)
{
    test_world *w = *state;
    scene s = make_scene(w, 5, AS_PARTS, AS_PARTS, 1200);
    const size_t n = s.surface_count, capacities[] = {0, 1, 2, n / 2, n - 1, n, n + 1, 2 * n};
    assert_true(n > 10);
    tumble_surface_pair *found = malloc((2 * n + 1) * sizeof *found);
    for (size_t kind = 0; kind < KINDS; kind++) {
        for (size_t i = 0; i < sizeof capacities / sizeof *capacities; i++) {
            tumble_collide_options options = tumble_default_collide_options();
            tumble_collide_result result;
            memset(found, 0x77, (2 * n + 1) * sizeof *found);
            options.mode = i % 2 ? TUMBLE_SURFACES : TUMBLE_ALL;
            options.want_surfaces = capacities[i] == 0; /* a capacity implies it */
            options.surface_pairs = found, options.surface_pair_capacity = capacities[i];
            assert_int_equal(ask(w->query, &s, kind, &options, &result), TUMBLE_OK);
            assert_int_equal(result.surface_pair_count, n);
            const size_t filled = capacities[i] < n ? capacities[i] : n;
            check_list(&s, found, filled);
            assert_int_equal(found[filled].surface_a, 0x77777777);
            assert_int_equal(found[filled].polygon_b, 0x77777777);
        }
    }
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    assert_int_equal(ask(w->query, &s, 1, &options, &result), TUMBLE_OK);
    assert_int_equal(result.surface_pair_count, 0); /* not asked for */
    options.surface_pair_capacity = 1;
    test_assert_status(w->context, ask(w->query, &s, 1, &options, &result), TUMBLE_ERROR_ARGUMENT, "capacity");
    options = tumble_default_collide_options();
    options.mode = (tumble_mode)5;
    test_assert_status(w->context, ask(w->query, &s, 1, &options, &result), TUMBLE_ERROR_ARGUMENT, "collide");
    free(found);
    free_scene(&s);
}

typedef struct receiver {
    tumble_surface_pair *surfaces;
    tumble_pair *pairs;
    size_t surface_count, pair_count, contact_count, calls, surface_calls, stop_at, stop_at_surfaces;
    int wrong;
} receiver;

static bool receive_surfaces(void *user, const tumble_surface_pair *pairs, size_t count)
{
    receiver *r = user;
    r->wrong |= count == 0 || !pairs;
    for (size_t i = 0; i < count; i++) {
        r->surfaces[r->surface_count++] = pairs[i];
    }
    return ++r->surface_calls == r->stop_at_surfaces;
}

static bool receive_pairs(void *user, const tumble_pair *pairs, size_t count, const tumble_contact *contacts,
                          size_t contact_count)
{
    receiver *r = user;
    r->wrong |= (count > 0 && !pairs) || (contact_count > 0) != (contacts != NULL);
    for (size_t i = 0; i < count; i++) {
        r->pairs[r->pair_count++] = pairs[i];
    }
    r->contact_count += contact_count;
    return ++r->calls == r->stop_at;
}

static receiver make_receiver(const scene *s)
{
    receiver r = {.surfaces = malloc((s->surface_count + 1) * sizeof *r.surfaces),
                  .pairs = malloc((s->polygons.count + 1) * sizeof *r.pairs)};
    assert_true(r.surfaces && r.pairs);
    return r;
}

static void free_receiver(receiver *r)
{
    free(r->surfaces), free(r->pairs);
}

/* In both modes, with and without arrays, contacts and the other callback. */
static void test_callbacks(void **state)
{
    test_world *w = *state;
    scene s = make_scene(w, DENSE, AS_POLYGONS, AS_LARGE, 900);
    assert_true(s.surface_count > 600);
    tumble_surface_pair *array = malloc((s.surface_count + 1) * sizeof *array);
    for (size_t kind = 1; kind < KINDS; kind += 2) {
        for (unsigned choice = 0; choice < 16; choice++) {
            receiver r = make_receiver(&s);
            tumble_collide_options options = tumble_default_collide_options();
            tumble_collide_result result;
            options.mode = choice & 1 ? TUMBLE_SURFACES : TUMBLE_ALL;
            options.surface_callback = receive_surfaces, options.callback_user = &r;
            options.surface_pairs = choice & 2 ? array : NULL;
            options.surface_pair_capacity = choice & 2 ? s.surface_count : 0;
            options.callback = choice & 4 ? receive_pairs : NULL;
            options.want_contacts = choice >> 3 & 1;
            assert_int_equal(ask(w->query, &s, kind, &options, &result), TUMBLE_OK);
            assert_false(r.wrong);
            assert_int_equal(r.surface_count, s.surface_count);
            assert_int_equal(result.surface_pair_count, s.surface_count);
            const uint64_t results = result.pair_count + result.contact_count + result.surface_pair_count;
            assert_true(r.surface_calls > 1 && r.surface_calls < 2 + results / 100); /* some at a time */
            const size_t pairs = choice & 1 ? s.surface_count : s.polygons.count;
            assert_int_equal(result.pair_count, pairs);
            assert_int_equal(r.pair_count, choice & 4 ? pairs : 0);
            assert_true(choice & 8 ? result.contact_count >= pairs : result.contact_count == 0);
            assert_true(!(choice & 1) || !(choice & 8) || result.contact_count == pairs); /* one for each */
            assert_int_equal(r.contact_count, choice & 4 ? result.contact_count : 0);
            qsort(r.surfaces, r.surface_count, sizeof *r.surfaces, surface_order);
            check_list(&s, r.surfaces, r.surface_count);
            if (choice & 2) {
                assert_memory_equal(array, r.surfaces, r.surface_count * sizeof *array);
            }
            free_receiver(&r);
        }
    }
    free(array);
    free_scene(&s);
}

/* Either callback can stop the query; the counts are then those so far, and neither is called again. */
static void test_stopping(void **state)
{
    test_world *w = *state;
    scene s = make_scene(w, DENSE, AS_POLYGONS, AS_LARGE, 900);
    for (size_t kind = 0; kind < KINDS; kind += 2) {
        for (unsigned choice = 0; choice < 8; choice++) {
            for (size_t stop = 1; stop < 4; stop++) {
                receiver r = make_receiver(&s);
                tumble_surface_pair array[5];
                tumble_collide_options options = tumble_default_collide_options();
                tumble_collide_result result;
                options.mode = choice & 1 ? TUMBLE_SURFACES : TUMBLE_ALL;
                options.callback = receive_pairs, options.surface_callback = receive_surfaces;
                options.callback_user = &r;
                options.surface_pairs = array, options.surface_pair_capacity = choice & 4 ? 5 : 0;
                *(choice & 2 ? &r.stop_at : &r.stop_at_surfaces) = stop;
                const tumble_status status = ask(w->query, &s, kind, &options, &result);
                test_assert_status(w->context, status, TUMBLE_ERROR_CANCELLED, "callback");
                assert_int_equal(choice & 2 ? r.calls : r.surface_calls, stop);
                assert_false(r.wrong);
                assert_true(result.collide && test_has_pair(&s.polygons, result.first));
                assert_int_equal(result.pair_count, r.pair_count);
                assert_true(r.surface_count <= result.surface_pair_count && r.surface_count <= s.surface_count);
                for (size_t i = 0; i < r.surface_count; i++) {
                    check_witness(&s, &r.surfaces[i]);
                }
                free_receiver(&r);
            }
        }
        check_modes(w, &s, kind);
    }
    free_scene(&s);
}

/* ---- What is left out ---- */

/* The number of tests of brute force, from the order in which it makes them. */
static uint64_t count_tests(const scene *s)
{
    const tumble_model *a = s->models[0][0], *b = s->models[0][1];
    const uint32_t count_a = (uint32_t)test_info(a).triangle_count, count_b = (uint32_t)test_info(b).triangle_count;
    char *known = calloc(s->surface_count, 1);
    uint64_t tests = 0;
    assert_non_null(known);
    for (uint32_t j = 0; j < count_b; j++) {
        for (uint32_t i = 0; i < count_a; i++) {
            tumble_pair pair;
            assert_int_equal(tumble_model_triangle(a, i, NULL, &pair.polygon_a), TUMBLE_OK);
            assert_int_equal(tumble_model_triangle(b, j, NULL, &pair.polygon_b), TUMBLE_OK);
            const tumble_surface_pair key = {s->meshes[0].surface_ids[pair.polygon_a],
                                             s->meshes[1].surface_ids[pair.polygon_b], 0, 0};
            const tumble_surface_pair *place = bsearch(&key, s->surfaces, s->surface_count, sizeof key, surface_order);
            if (place && known[place - s->surfaces]) {
                continue;
            }
            tests++;
            if (test_has_pair(&s->polygons, pair)) {
                known[place - s->surfaces] = 1;
            }
        }
    }
    free(known);
    return tests;
}

/* Exactly the tests that are needed by brute force, never more than for all pairs by the others, and far fewer where
 * there is much contact between few surfaces. */
static void test_fewer_tests(void **state)
{
    test_world *w = *state;
    for (size_t shape = 0; shape < SHAPES; shape++) {
        if (shape == 1 || shape == 3) {
            continue; /* polygons of several triangles: which of them intersect is not known here */
        }
        scene s = make_scene(w, shape, AS_STRIPES, AS_CHANCE, 900);
        for (size_t kind = 0; kind < KINDS; kind++) {
            tumble_collide_options options = tumble_default_collide_options();
            tumble_collide_result all, surfaces;
            options.want_surfaces = 1;
            assert_int_equal(ask(w->query, &s, kind, &options, &all), TUMBLE_OK);
            options.mode = TUMBLE_SURFACES;
            assert_int_equal(ask(w->query, &s, kind, &options, &surfaces), TUMBLE_OK);
            const uint64_t most = all.counters.primitive_tests / (shape == DENSE ? 3 : 1);
            assert_true(surfaces.counters.primitive_tests < most);
            assert_true(surfaces.counters.box_tests <= all.counters.box_tests);
            if (kind == 0) {
                assert_int_equal(surfaces.counters.primitive_tests, count_tests(&s));
            }
        }
        free_scene(&s);
    }
}

/* Few triangles that all cross each other: those that are tested together are tested, and no more. */
static void test_few_triangles(void **state)
{
    test_world *w = *state;
    models_mesh meshes[2] = {{0}, {0}};
    for (int m = 0; m < 2; m++) {
        for (int i = 0; i < 8; i++) {
            const double x = 0.01 * i + 0.003 * m;
            const uint32_t a = models_point(&meshes[m], x - 1, m ? -1 : x, m ? x : -1);
            const uint32_t b = models_point(&meshes[m], x + 1, m ? -1 : x, m ? x : -1);
            meshes[m].surface = 3;
            models_triangle(&meshes[m], a, b, models_point(&meshes[m], 0, m ? 1 : x, m ? x : 1));
        }
    }
    for (size_t kind = 0; kind < KINDS; kind++) {
        const tumble_model_options options = kind_options(kind);
        tumble_model *models[2] = {test_model(w->context, &meshes[0], &options),
                                   test_model(w->context, &meshes[1], &options)};
        tumble_collide_options question = tumble_default_collide_options();
        tumble_collide_result result;
        assert_int_equal(tumble_collide(w->query, models[0], NULL, models[1], NULL, &question, &result), TUMBLE_OK);
        assert_int_equal(result.pair_count, 64);
        question.mode = TUMBLE_SURFACES;
        assert_int_equal(tumble_collide(w->query, models[0], NULL, models[1], NULL, &question, &result), TUMBLE_OK);
        assert_int_equal(result.surface_pair_count, 1);
        const int one_by_one =
            options.hierarchy == TUMBLE_HIERARCHY_BRUTE || options.hierarchy == TUMBLE_HIERARCHY_BOXTREE || kind == 5;
        assert_true(result.counters.primitive_tests <= (one_by_one ? 1 : 8));
        tumble_model_destroy(models[0]);
        tumble_model_destroy(models[1]);
    }
    models_free(&meshes[0]);
    models_free(&meshes[1]);
}

/* With one surface each there is nothing to look for after the first hit. */
static void test_one_surface(void **state)
{
    test_world *w = *state;
    scene s = make_scene(w, 0, AS_ONE, AS_ONE, 900);
    for (size_t kind = 0; kind < KINDS; kind++) {
        tumble_collide_options options = tumble_default_collide_options();
        tumble_collide_result first, surfaces;
        options.mode = TUMBLE_FIRST;
        assert_int_equal(ask(w->query, &s, kind, &options, &first), TUMBLE_OK);
        options.mode = TUMBLE_SURFACES;
        assert_int_equal(ask(w->query, &s, kind, &options, &surfaces), TUMBLE_OK);
        assert_true(test_same_work(&first.counters, &surfaces.counters));
        assert_int_equal(surfaces.surface_pair_count, 1);
        assert_memory_equal(&first.first, &surfaces.first, sizeof first.first);
    }
    free_scene(&s);
}

/* The same work, in the same order, on each instruction set, and each time. */
static void test_same_on_all_sets(void **state)
{
    test_world *w = *state;
    scene s = make_scene(w, 5, AS_PARTS, AS_STRIPES, 2500);
    for (size_t kind = 0; kind < KINDS; kind++) {
        receiver first = {0};
        tumble_counters counters = {0};
        for (int level = TUMBLE_SIMD_SCALAR; level <= TUMBLE_SIMD_AVX512; level++) {
            tumble_context *context = test_context(&w->memory, 1, (tumble_simd)level);
            tumble_query *query;
            assert_int_equal(tumble_query_create(context, &query), TUMBLE_OK);
            for (int again = 0; again < 2; again++) {
                receiver r = make_receiver(&s);
                tumble_collide_options options = tumble_default_collide_options();
                tumble_collide_result result;
                options.mode = TUMBLE_SURFACES;
                options.surface_callback = receive_surfaces, options.callback_user = &r;
                assert_int_equal(ask(query, &s, kind, &options, &result), TUMBLE_OK);
                if (!first.surfaces) {
                    first = r;
                    counters = result.counters;
                    continue;
                }
                assert_int_equal(r.surface_count, first.surface_count);
                assert_memory_equal(r.surfaces, first.surfaces, r.surface_count * sizeof *r.surfaces);
                assert_true(test_same_work(&result.counters, &counters));
                free_receiver(&r);
            }
            tumble_query_destroy(query);
            tumble_context_destroy(context);
        }
        free_receiver(&first);
    }
    free_scene(&s);
}

/* ---- Memory ---- */

static size_t ask_everything(test_world *w, const scene *scenes, size_t count, tumble_surface_pair *room, size_t size)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t kind = 0; kind < KINDS; kind++) {
            for (unsigned choice = 0; choice < 8; choice += test_effort() < 1 ? 3 : 1) {
                tumble_collide_options options = tumble_default_collide_options();
                tumble_collide_result result;
                options.mode = choice & 1 ? TUMBLE_SURFACES : TUMBLE_ALL;
                options.want_surfaces = 1, options.want_contacts = choice >> 1 & 1;
                options.surface_pairs = room, options.surface_pair_capacity = choice & 4 ? size : 0;
                assert_int_equal(ask(w->query, &scenes[i], kind, &options, &result), TUMBLE_OK);
                found += result.surface_pair_count;
            }
        }
    }
    return found;
}

/* Sets of many thousand surface pairs, and none allocates again. */
static void test_no_allocation_when_warm(void **state)
{
    test_world *w = *state;
    scene scenes[] = {make_scene(w, DENSE, AS_POLYGONS, AS_POLYGONS, 900), make_scene(w, 5, AS_PARTS, AS_PARTS, 600),
                      make_scene(w, 3, AS_CHANCE, AS_STRIPES, 600)};
    const size_t room = scenes[0].surface_count;
    assert_true(room > 3000);
    tumble_surface_pair *array = malloc(room * sizeof *array);
    test_allocator_fail(&w->memory, 0, 0);
    const size_t found = ask_everything(w, scenes, 3, array, room);
    assert_true(test_allocator_calls(&w->memory) > 0);
    test_allocator_fail(&w->memory, 1, 1);
    assert_int_equal(ask_everything(w, scenes, 3, array, room), found);
    assert_int_equal(test_allocator_calls(&w->memory), 0);
    test_allocator_fail(&w->memory, 0, 0);
    free(array);
    for (int i = 0; i < 3; i++) {
        free_scene(&scenes[i]);
    }
}

/* Every allocation fails once, and once with all that follow it; then the same query is asked again. */
static void test_failing_memory(void **state)
{
    test_world *w = *state;
    scene s = make_scene(w, DENSE, AS_POLYGONS, AS_POLYGONS, 600);
    tumble_surface_pair *array = malloc(s.surface_count * sizeof *array);
    assert_true(s.surface_count > 1100); /* the set grows more than once */
    for (size_t kind = 0; kind < KINDS; kind += 2) {
        const unsigned first = (unsigned)kind / 2 % 3, step = test_effort() < 1 ? 5 : 3;
        for (unsigned choice = first; choice < 8; choice += step) {
            receiver r = make_receiver(&s);
            tumble_collide_options options = tumble_default_collide_options();
            options.mode = choice & 1 ? TUMBLE_SURFACES : TUMBLE_ALL;
            options.want_surfaces = 1, options.callback_user = &r;
            options.surface_callback = choice & 4 ? receive_surfaces : NULL;
            options.surface_pairs = array, options.surface_pair_capacity = choice & 2 ? s.surface_count : 0;
            size_t failures = 1;
            for (size_t n = 1; failures; n++) {
                tumble_query *query;
                tumble_collide_result result;
                assert_int_equal(tumble_query_create(w->context, &query), TUMBLE_OK);
                r.surface_count = 0;
                test_allocator_fail(&w->memory, n, n % 2);
                const tumble_status status = ask(query, &s, kind, &options, &result);
                failures = test_allocator_failures(&w->memory);
                test_allocator_fail(&w->memory, 0, 0);
                assert_int_equal(status, failures ? TUMBLE_ERROR_MEMORY : TUMBLE_OK);
                r.surface_count = 0;
                assert_int_equal(ask(query, &s, kind, &options, &result), TUMBLE_OK);
                assert_int_equal(result.surface_pair_count, s.surface_count);
                if (choice & 2) {
                    check_list(&s, array, s.surface_count);
                }
                assert_true(!(choice & 4) || r.surface_count == s.surface_count);
                tumble_query_destroy(query);
                assert_true(failures || n > 3);
            }
            free_receiver(&r);
        }
    }
    free(array);
    free_scene(&s);
}

/* ---- Models that were saved or moved ---- */

static void test_other_ways_to_a_model(void **state)
{
    test_world *w = *state;
    scene s = make_scene(w, 5, AS_PARTS, AS_LARGE, 900);
    for (size_t kind = 0; kind < KINDS; kind++) {
        for (int i = 0; i < 2; i++) {
            size_t size;
            const void *block = tumble_model_block(s.models[kind][i], &size);
            tumble_model *copy = NULL;
            assert_int_equal(tumble_model_from_block(w->context, block, size, 1, &copy), TUMBLE_OK);
            tumble_model_destroy(s.models[kind][i]);
            s.models[kind][i] = copy;
        }
        check_modes(w, &s, kind);
    }
    for (size_t kind = 0; kind < KINDS; kind++) {
        if (kind_options(kind).hierarchy == TUMBLE_HIERARCHY_BOXTREE) {
            continue;
        }
        for (int i = 0; i < 2; i++) {
            const tumble_mesh view = models_view(&s.meshes[i]);
            tumble_model *moved = NULL;
            assert_int_equal(tumble_model_deform(s.models[kind][i], &view, &moved), TUMBLE_OK);
            tumble_model_destroy(s.models[kind][i]);
            s.models[kind][i] = moved;
        }
        check_modes(w, &s, kind);
    }
    free_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_hierarchies),
        TEST_IN_WORLD(test_mixed_hierarchies),
        TEST_IN_WORLD(test_nothing),
        TEST_IN_WORLD(test_capacities),
        TEST_IN_WORLD(test_callbacks),
        TEST_IN_WORLD(test_stopping),
        TEST_IN_WORLD(test_fewer_tests),
        TEST_IN_WORLD(test_few_triangles),
        TEST_IN_WORLD(test_one_surface),
        TEST_IN_WORLD(test_same_on_all_sets),
        TEST_IN_WORLD(test_no_allocation_when_warm),
        TEST_IN_WORLD(test_failing_memory),
        TEST_IN_WORLD(test_other_ways_to_a_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
