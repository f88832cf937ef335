/* Results of queries: modes, arrays, callbacks, contacts, counters, and what a query must not do. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"
#include "scenes.h"

/* Two models that touch in many places, as trees and as brute force. */
typedef struct scene {
    models_mesh meshes[2];
    tumble_model *trees[2], *brutes[2];
    tumble_pose pose;
    int has_polygons;
    tumble_hierarchy hierarchy;
} scene;

/* The same shapes as boxtrees, as wide hierarchies and as k-DOP trees, one for each k, of which B keeps tables. */
enum {
    SHAPES = TEST_KDOP_SETS,
    SCENES = 4 * SHAPES
};

static scene make_scene(test_world *w, int number)
{
    static const char *const shapes[SHAPES][2] = {
        {"torus", "knot"}, {"prism", "plate"}, {"soup", "soup"}, {"shards", "terrain"}, {"box", "box"}};
    const int shape = number % SHAPES;
    scene s = {.has_polygons = shape == 1 || shape == 3};
    test_random random = {(uint64_t)shape};
    for (int k = 0; k < 2; k++) {
        assert_true(models_make_sized(&s.meshes[k], shapes[shape][k], 900));
        models_fit(&s.meshes[k], 2, k);
        const size_t variants[] = {(size_t)(number + 35 * k) % TEST_TREE_VARIANTS, TEST_TREE_WIDE,
                                   (size_t)(TEST_TREE_KDOP + TEST_KDOP_EACH * shape + k),
                                   (size_t)(TEST_TREE_RTREE + (shape + k) % TEST_RTREE_VARIANTS)};
        const tumble_model_options options = test_tree_variant(variants[number / SHAPES]);
        s.hierarchy = options.hierarchy;
        s.trees[k] = test_model(w->context, &s.meshes[k], &options);
        s.brutes[k] = test_brute_model(w->context, &s.meshes[k]);
    }
    s.pose = shape == 4 ? test_quarter_turn(9) : test_rational_turn(&random);
    s.pose.m[0][3] = shape == 4 ? 0 : 0.125;
    return s;
}

static void free_scene(scene *s)
{
    for (int k = 0; k < 2; k++) {
        models_free(&s->meshes[k]);
        tumble_model_destroy(s->trees[k]);
        tumble_model_destroy(s->brutes[k]);
    }
}

static tumble_status ask(test_world *w, const scene *s, const tumble_collide_options *options,
                         tumble_collide_result *result)
{
    memset(result, 0xee, sizeof *result);
    return tumble_collide(w->query, s->trees[0], NULL, s->trees[1], &s->pose, options, result);
}

static int pair_order(tumble_pair a, tumble_pair b)
{
    if (a.polygon_a != b.polygon_a) {
        return a.polygon_a < b.polygon_a ? -1 : 1;
    }
    return a.polygon_b < b.polygon_b ? -1 : a.polygon_b > b.polygon_b;
}

/* ---- Modes and arrays ---- */

static void test_modes(void **state)
{
    test_world *w = *state;
    for (int number = 0; number < SCENES; number++) {
        scene s = make_scene(w, number);
        test_pairs all = {0};
        test_collide(w->query, s.brutes[0], NULL, s.brutes[1], &s.pose, NULL, &all);
        assert_true(all.count > 20);
        for (size_t variant = 0; variant < TEST_OVERLAP_VARIANTS; variant++) {
            tumble_collide_options options = test_overlap_variant(variant);
            tumble_collide_result result;
            tumble_pair pairs[2] = {{UINT32_MAX, UINT32_MAX}, {UINT32_MAX, UINT32_MAX}};
            assert_int_equal(ask(w, &s, &options, &result), TUMBLE_OK);
            assert_true(result.collide == 1 && result.pair_count == all.count && test_has_pair(&all, result.first));
            assert_int_equal(result.contact_count, 0);

            options.mode = TUMBLE_FIRST;
            options.pairs = pairs, options.pair_capacity = 2;
            assert_int_equal(ask(w, &s, &options, &result), TUMBLE_OK);
            assert_true(result.collide == 1 && result.pair_count == 1 && test_has_pair(&all, result.first));
            assert_int_equal(pair_order(pairs[0], result.first), 0);
            assert_int_equal(pairs[1].polygon_a, UINT32_MAX);

            options.mode = TUMBLE_TEST;
            pairs[0].polygon_a = UINT32_MAX;
            assert_int_equal(ask(w, &s, &options, &result), TUMBLE_OK);
            assert_true(result.collide == 1 && result.pair_count == 1 && test_has_pair(&all, result.first));
            assert_int_equal(pairs[0].polygon_a, UINT32_MAX); /* lists nothing */
            assert_int_equal(result.contact_count, 0);

            const tumble_pose apart = test_translation(2.5, 0, 0); /* no farther than that, so that boxes overlap */
            for (int mode = TUMBLE_TEST; mode <= TUMBLE_SURFACES; mode++) {
                options.mode = (tumble_mode)mode;
                assert_int_equal(tumble_collide(w->query, s.trees[0], NULL, s.trees[1], &apart, &options, &result),
                                 TUMBLE_OK);
                assert_true(!result.collide && result.pair_count == 0 && result.contact_count == 0);
            }
        }
        test_free_pairs(&all);
        free_scene(&s);
    }
}

/* Whatever room there is holds the first ones of the sorted list, and nothing behind it is touched. */
static void test_capacities(void **state)
{
    test_world *w = *state;
    for (int number = 0; number < SCENES; number++) {
        scene s = make_scene(w, number);
        test_pairs all = {0};
        test_collide(w->query, s.brutes[0], NULL, s.brutes[1], &s.pose, NULL, &all);
        for (size_t i = 1; i < all.count; i++) {
            assert_true(pair_order(all.items[i - 1], all.items[i]) < 0);
        }
        const size_t capacities[] = {0, 1, 2, all.count / 2, all.count - 1, all.count, all.count + 1, 2 * all.count};
        tumble_pair *pairs = malloc((2 * all.count + 1) * sizeof *pairs);
        for (size_t i = 0; i < sizeof capacities / sizeof *capacities; i++) {
            tumble_collide_options options = tumble_default_collide_options();
            tumble_collide_result result;
            memset(pairs, 0x77, (2 * all.count + 1) * sizeof *pairs);
            options.pairs = pairs;
            options.pair_capacity = capacities[i];
            assert_int_equal(ask(w, &s, &options, &result), TUMBLE_OK);
            assert_int_equal(result.pair_count, all.count);
            const size_t filled = capacities[i] < all.count ? capacities[i] : all.count;
            assert_memory_equal(pairs, all.items, filled * sizeof *pairs);
            assert_int_equal(pairs[filled].polygon_a, 0x77777777);
            assert_int_equal(pairs[filled].polygon_b, 0x77777777);
        }
        free(pairs);
        test_free_pairs(&all);
        free_scene(&s);
    }
}

/* ---- Callbacks ---- */

typedef struct receiver {
    tumble_pair *pairs;
    tumble_contact *contacts;
    size_t pair_count, contact_count, calls, stop_at, empty_calls;
    int wants_contacts, wrong;
} receiver;

static bool receive(void *user, const tumble_pair *pairs, size_t pair_count, const tumble_contact *contacts,
                    size_t contact_count)
{
    receiver *r = user;
    r->wrong |= (pair_count > 0 && !pairs) || (contact_count > 0) != (contacts != NULL) ||
                (contacts && !r->wants_contacts) || pair_count + contact_count == 0;
    for (size_t i = 0; i < pair_count; i++) {
        r->pairs[r->pair_count++] = pairs[i];
    }
    for (size_t i = 0; i < contact_count; i++) {
        r->contacts[r->contact_count++] = contacts[i];
    }
    return ++r->calls == r->stop_at;
}

static int compare_pairs(const void *a, const void *b)
{
    return pair_order(*(const tumble_pair *)a, *(const tumble_pair *)b);
}

static int compare_contacts(const void *a, const void *b)
{
    const tumble_contact *x = a, *y = b;
    const int order = pair_order((tumble_pair){x->polygon_a, x->polygon_b}, (tumble_pair){y->polygon_a, y->polygon_b});
    if (order != 0) {
        return order;
    }
    for (int i = 0; i < 6; i++) {
        const double p = x->points[i / 3][i % 3], q = y->points[i / 3][i % 3];
        if (p != q) {
            return p < q ? -1 : 1;
        }
    }
    return x->coplanar < y->coplanar ? -1 : x->coplanar > y->coplanar;
}

static receiver make_receiver(size_t pairs, size_t contacts, int wants_contacts)
{
    receiver r = {.pairs = malloc((pairs + 1) * sizeof *r.pairs),
                  .contacts = malloc((contacts + 1) * sizeof *r.contacts),
                  .wants_contacts = wants_contacts};
    assert_true(r.pairs && r.contacts);
    return r;
}

static void free_receiver(receiver *r)
{
    free(r->pairs);
    free(r->contacts);
}

/* With and without arrays, with and without contacts: each pair once, and the arrays hold the same. */
static void test_callbacks(void **state)
{
    test_world *w = *state;
    for (int number = 0; number < SCENES; number++) {
        scene s = make_scene(w, number);
        test_pairs all = {0};
        tumble_collide_options options = tumble_default_collide_options();
        options.want_contacts = 1;
        const size_t contact_count =
            (size_t)test_collide(w->query, s.trees[0], NULL, s.trees[1], &s.pose, &options, &all).contact_count;
        tumble_pair *pairs = malloc(all.count * sizeof *pairs);
        tumble_contact *contacts = malloc(contact_count * sizeof *contacts);
        for (unsigned choice = 0; choice < 8; choice++) {
            receiver r = make_receiver(all.count, contact_count, choice & 1);
            options = tumble_default_collide_options();
            options.callback = receive, options.callback_user = &r;
            options.want_contacts = choice & 1;
            options.pairs = choice & 2 ? pairs : NULL, options.pair_capacity = choice & 2 ? all.count : 0;
            if (choice & 4 && choice & 1) {
                options.contacts = contacts, options.contact_capacity = contact_count;
            }
            tumble_collide_result result;
            assert_int_equal(ask(w, &s, &options, &result), TUMBLE_OK);
            assert_false(r.wrong);
            assert_int_equal(result.pair_count, all.count);
            assert_int_equal(r.pair_count, all.count);
            assert_true(all.count < 600 || r.calls > 1); /* some at a time */
            qsort(r.pairs, r.pair_count, sizeof *r.pairs, compare_pairs);
            assert_memory_equal(r.pairs, all.items, all.count * sizeof *r.pairs);
            assert_int_equal(r.contact_count, choice & 1 ? contact_count : 0);
            if (choice & 2) {
                assert_memory_equal(pairs, all.items, all.count * sizeof *pairs);
            }
            if (options.contacts) {
                qsort(r.contacts, r.contact_count, sizeof *r.contacts, compare_contacts);
                assert_memory_equal(contacts, r.contacts, contact_count * sizeof *contacts);
            }
            free_receiver(&r);
        }
        free(pairs), free(contacts);
        test_free_pairs(&all);
        free_scene(&s);
    }
}

/* The order is the same each time, on each instruction set. */
static void test_order_of_callbacks(void **state)
{
    test_world *w = *state;
    for (int number = 0; number < SCENES; number++) {
        scene s = make_scene(w, number);
        receiver first = {0};
        for (int level = TUMBLE_SIMD_SCALAR; level <= TUMBLE_SIMD_AVX512; level++) {
            tumble_context *context = test_context(&w->memory, 1, (tumble_simd)level);
            tumble_query *query;
            assert_int_equal(tumble_query_create(context, &query), TUMBLE_OK);
            for (int again = 0; again < 2; again++) {
                receiver r = make_receiver(100000, 100000, 1);
                tumble_collide_options options = tumble_default_collide_options();
                options.callback = receive, options.callback_user = &r, options.want_contacts = 1;
                tumble_collide_result result;
                assert_int_equal(tumble_collide(query, s.trees[0], NULL, s.trees[1], &s.pose, &options, &result),
                                 TUMBLE_OK);
                if (!first.pairs) {
                    first = r;
                    continue;
                }
                assert_int_equal(r.pair_count, first.pair_count);
                assert_int_equal(r.contact_count, first.contact_count);
                assert_int_equal(r.calls, first.calls);
                assert_memory_equal(r.pairs, first.pairs, r.pair_count * sizeof *r.pairs);
                assert_memory_equal(r.contacts, first.contacts, r.contact_count * sizeof *r.contacts);
                free_receiver(&r);
            }
            tumble_query_destroy(query);
            tumble_context_destroy(context);
        }
        free_receiver(&first);
        free_scene(&s);
    }
}

static void test_stopping(void **state)
{
    test_world *w = *state;
    for (int number = 0; number < SCENES; number++) {
        scene s = make_scene(w, number);
        test_pairs all = {0};
        test_collide(w->query, s.trees[0], NULL, s.trees[1], &s.pose, NULL, &all);
        for (int contacts = 0; contacts < 2; contacts++) {
            size_t calls = SIZE_MAX;
            for (size_t stop = 0; stop <= calls; stop++) {
                receiver r = make_receiver(100000, 100000, contacts);
                tumble_pair pairs[10];
                tumble_collide_options options = tumble_default_collide_options();
                options.callback = receive, options.callback_user = &r, options.want_contacts = contacts;
                options.pairs = stop % 2 ? pairs : NULL, options.pair_capacity = stop % 2 ? 10 : 0;
                r.stop_at = stop;
                tumble_collide_result result;
                const tumble_status status = ask(w, &s, &options, &result);
                if (stop == 0) {
                    assert_int_equal(status, TUMBLE_OK);
                    calls = r.calls < 12 ? r.calls : 12;
                } else {
                    test_assert_status(w->context, status, TUMBLE_ERROR_CANCELLED, "callback");
                    assert_int_equal(r.calls, stop); /* not called again */
                }
                assert_false(r.wrong);
                assert_int_equal(result.pair_count, r.pair_count); /* the counts so far */
                assert_int_equal(result.contact_count, r.contact_count);
                assert_true(result.collide && test_has_pair(&all, result.first));
                for (size_t i = 0; i < r.pair_count; i++) {
                    assert_true(test_has_pair(&all, r.pairs[i]));
                }
                free_receiver(&r);
            }
        }
        test_pairs again = {0};
        test_collide(w->query, s.trees[0], NULL, s.trees[1], &s.pose, NULL, &again);
        test_assert_same_pairs(&again, &all, "after a stop");
        test_free_pairs(&again);
        test_free_pairs(&all);
        free_scene(&s);
    }
}

/* Modes that look for one pair hand over one; TEST hands over none. */
static void test_callback_of_one(void **state)
{
    test_world *w = *state;
    scene s = make_scene(w, 1);
    for (int contacts = 0; contacts < 2; contacts++) {
        for (int mode = TUMBLE_TEST; mode <= TUMBLE_FIRST; mode++) {
            receiver r = make_receiver(10, 10, contacts);
            tumble_collide_options options = tumble_default_collide_options();
            options.mode = (tumble_mode)mode;
            options.callback = receive, options.callback_user = &r, options.want_contacts = contacts;
            tumble_collide_result result;
            assert_int_equal(ask(w, &s, &options, &result), TUMBLE_OK);
            const size_t expected = mode == TUMBLE_FIRST;
            assert_true(!r.wrong && r.calls == expected && r.pair_count == expected);
            assert_int_equal(r.contact_count, expected && contacts);
            assert_int_equal(result.contact_count, expected && contacts);
            free_receiver(&r);
        }
    }
    free_scene(&s);
}

/* ---- Contacts ---- */

/* The model's own triangles as a mesh of triangles: what a contact speaks of. */
static void explode(const tumble_model *model, models_mesh *mesh, uint32_t *polygons)
{
    memset(mesh, 0, sizeof *mesh);
    const tumble_model_info info = test_info(model);
    for (uint32_t i = 0; i < info.triangle_count; i++) {
        double c[3][3];
        uint32_t corners[3];
        assert_int_equal(tumble_model_triangle(model, i, c, &polygons[i]), TUMBLE_OK);
        for (int k = 0; k < 3; k++) {
            corners[k] = models_point(mesh, c[k][0], c[k][1], c[k][2]);
        }
        models_triangle(mesh, corners[0], corners[1], corners[2]);
    }
}

/* One contact for each pair of triangles, also of polygons; sorted; the same from trees and brute force. */
static void test_contact_counts(void **state)
{
    test_world *w = *state;
    for (int number = 0; number < SCENES; number++) {
        scene s = make_scene(w, number);
        models_mesh triangles[2];
        tumble_model *models[2];
        uint32_t polygons[2][4000];
        for (int k = 0; k < 2; k++) {
            assert_true(test_info(s.trees[k]).triangle_count <= 4000);
            explode(s.trees[k], &triangles[k], polygons[k]);
            models[k] = test_brute_model(w->context, &triangles[k]);
        }
        test_pairs pairs = {0};
        test_collide(w->query, models[0], NULL, models[1], &s.pose, NULL, &pairs);
        const size_t count = pairs.count;
        tumble_contact *contacts[2];
        for (int k = 0; k < 2; k++) {
            contacts[k] = malloc((count + 1) * sizeof *contacts[k]);
            tumble_collide_options options = tumble_default_collide_options();
            tumble_collide_result result;
            options.want_contacts = 1, options.contacts = contacts[k], options.contact_capacity = count + 1;
            const tumble_model *a = k ? s.brutes[0] : s.trees[0], *b = k ? s.brutes[1] : s.trees[1];
            assert_int_equal(tumble_collide(w->query, a, NULL, b, &s.pose, &options, &result), TUMBLE_OK);
            assert_int_equal(result.contact_count, count);
            assert_true(s.has_polygons ? result.pair_count < count : result.pair_count == count);
            for (size_t i = 0; i < count; i++) {
                assert_true(i == 0 || compare_contacts(&contacts[k][i - 1], &contacts[k][i]) <= 0);
                assert_int_equal(contacts[k][i].apart, 0);
                assert_true(contacts[k][i].coplanar <= 1);
            }
        }
        assert_memory_equal(contacts[0], contacts[1], count * sizeof *contacts[0]);
        for (int k = 0; k < 2; k++) {
            free(contacts[k]);
            tumble_model_destroy(models[k]);
            models_free(&triangles[k]);
        }
        test_free_pairs(&pairs);
        free_scene(&s);
    }
}

static void triangle_of(const models_mesh *mesh, uint32_t number, const tumble_pose *pose, double out[3][3])
{
    for (size_t k = 0; k < 3; k++) {
        const double *p = mesh->points + 3 * (size_t)mesh->indices[3 * (size_t)number + k];
        tumble_pose_apply(pose, p, out[k]);
    }
}

static void check_contact(oracle *truth, double a[3][3], double b[3][3], const tumble_contact *contact)
{
    double tolerance[3];
    for (int k = 0; k < 3; k++) {
        double largest = 0;
        for (int i = 0; i < 3; i++) {
            largest = fmax(largest, fmax(fabs(a[i][k]), fabs(b[i][k])));
        }
        tolerance[k] = 16 * 0x1p-53 * largest;
    }
    const char *wrong = oracle_check_contact(truth, (const double(*)[3])a, (const double(*)[3])b,
                                             (int)contact->coplanar, contact->points, tolerance);
    if (wrong) {
        fail_msg("polygons %u and %u: %s", contact->polygon_a, contact->polygon_b, wrong);
    }
}

/* Every contact of some scenes, against exact arithmetic; and moved by A's pose to the bit. */
static void test_contact_points(void **state)
{
    test_world *w = *state;
    oracle *truth = oracle_create();
    test_random random = {31};
    size_t coplanar = 0, crossing = 0;
    for (size_t i = 0; i < test_count(60); i++) {
        models_mesh meshes[2] = {{0}, {0}};
        tumble_model *models[2];
        const size_t variants[] = {i % TEST_TREE_VARIANTS, TEST_TREE_WIDE, TEST_TREE_KDOP + i % TEST_KDOP_VARIANTS,
                                   TEST_TREE_RTREE + i % TEST_RTREE_VARIANTS};
        const tumble_model_options tree = test_tree_variant(variants[i / 4 % 4]);
        for (int k = 0; k < 2; k++) {
            if (i % 2) {
                test_make_lattice(&meshes[k], &random, 40, 4, 3, 0.2);
            } else {
                test_make_soup(&meshes[k], &random, 40, 0.8);
            }
            models[k] = test_model(w->context, &meshes[k], &tree);
        }
        const tumble_pose identity = tumble_pose_identity();
        tumble_pose pose_a = test_rational_turn(&random), pose_b = i % 4 < 2 ? test_rational_turn(&random) : pose_a;
        for (int k = 0; k < 3; k++) {
            pose_a.m[k][3] = test_random_whole(&random, -100, 100);
            pose_b.m[k][3] = pose_a.m[k][3];
        }
        const tumble_pose relative = tumble_pose_relative(&pose_a, &pose_b);
        tumble_contact own[1600], world[1600];
        tumble_collide_options options = tumble_default_collide_options();
        tumble_collide_result result;
        options.want_contacts = 1, options.contacts = own, options.contact_capacity = 1600;
        assert_int_equal(tumble_collide(w->query, models[0], NULL, models[1], &relative, &options, &result), TUMBLE_OK);
        const size_t count = (size_t)result.contact_count;
        options.contacts = world;
        assert_int_equal(tumble_collide(w->query, models[0], &pose_a, models[1], &pose_b, &options, &result),
                         TUMBLE_OK);
        assert_int_equal(result.contact_count, count);
        for (size_t c = 0; c < count; c++) {
            double a[3][3], b[3][3], moved[3];
            triangle_of(&meshes[0], own[c].polygon_a, &identity, a);
            triangle_of(&meshes[1], own[c].polygon_b, &relative, b);
            check_contact(truth, a, b, &own[c]);
            *(own[c].coplanar ? &coplanar : &crossing) += 1;
            /* one triangle a polygon, so the order is the same */
            assert_true(own[c].polygon_a == world[c].polygon_a && own[c].polygon_b == world[c].polygon_b);
            assert_int_equal(own[c].coplanar, world[c].coplanar);
            for (int k = 0; k < 2; k++) {
                tumble_pose_apply(&pose_a, own[c].points[k], moved);
                assert_memory_equal(moved, world[c].points[k], sizeof moved);
            }
        }
        for (int k = 0; k < 2; k++) {
            tumble_model_destroy(models[k]);
            models_free(&meshes[k]);
        }
    }
    assert_true(coplanar > 0 && crossing > 0);
    oracle_destroy(truth);
}

/* A's pose takes part in contacts alone: where it makes them infinite, these are refused, and only these. */
static void test_infinite_contacts(void **state)
{
    test_world *w = *state;
    scene s = make_scene(w, 0);
    tumble_pose large = tumble_pose_identity();
    for (int k = 0; k < 3; k++) {
        large.m[k][k] = large.m[k][3] = DBL_MAX;
    }
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    assert_int_equal(tumble_collide(w->query, s.trees[0], &large, s.trees[0], &large, &options, &result), TUMBLE_OK);
    assert_true(result.collide);
    options.want_contacts = 1;
    tumble_contact contacts[10];
    tumble_status status = tumble_collide(w->query, s.trees[0], &large, s.trees[0], &large, &options, &result);
    test_assert_status(w->context, status, TUMBLE_ERROR_NOT_FINITE, "contact");
    options.contacts = contacts, options.contact_capacity = 10;
    status = tumble_collide(w->query, s.trees[0], &large, s.trees[0], &large, &options, &result);
    test_assert_status(w->context, status, TUMBLE_ERROR_NOT_FINITE, "contact");
    options.mode = TUMBLE_TEST; /* has no contacts */
    assert_int_equal(tumble_collide(w->query, s.trees[0], &large, s.trees[0], &large, &options, &result), TUMBLE_OK);
    free_scene(&s);
}

static void test_contact_capacities(void **state)
{
    test_world *w = *state;
    for (int number = 0; number < SCENES; number++) {
        scene s = make_scene(w, number);
        tumble_collide_options options = tumble_default_collide_options();
        tumble_collide_result result;
        options.want_contacts = 1;
        assert_int_equal(ask(w, &s, &options, &result), TUMBLE_OK);
        const size_t count = (size_t)result.contact_count;
        assert_true(count > 0);
        tumble_contact *all = malloc((count + 2) * sizeof *all), *some = malloc((count + 2) * sizeof *some);
        options.contacts = all, options.contact_capacity = count;
        assert_int_equal(ask(w, &s, &options, &result), TUMBLE_OK);
        const size_t capacities[] = {1, 2, count / 2, count - 1, count, count + 1};
        for (size_t i = 0; i < 6; i++) {
            memset(some, 0x77, (count + 2) * sizeof *some);
            options.contacts = some, options.contact_capacity = capacities[i];
            options.want_contacts = i % 2; /* a capacity implies it */
            assert_int_equal(ask(w, &s, &options, &result), TUMBLE_OK);
            assert_int_equal(result.contact_count, count);
            const size_t filled = capacities[i] < count ? capacities[i] : count;
            assert_memory_equal(some, all, filled * sizeof *some);
            assert_int_equal(some[filled].polygon_a, 0x77777777);
        }
        free(all), free(some);
        free_scene(&s);
    }
}

/* ---- Counters ---- */

static void test_counters(void **state)
{
    test_world *w = *state;
    tumble_query *queries[3];
    tumble_context *contexts[3];
    for (int k = 0; k < 3; k++) {
        contexts[k] = test_context(&w->memory, 1, (tumble_simd)(TUMBLE_SIMD_SCALAR + k));
        assert_int_equal(tumble_query_create(contexts[k], &queries[k]), TUMBLE_OK);
    }
    for (int number = 0; number < SCENES; number++) {
        scene s = make_scene(w, number);
        const uint64_t pairs = test_info(s.trees[0]).triangle_count * test_info(s.trees[1]).triangle_count;
        tumble_counters counters[TEST_OVERLAP_VARIANTS];
        const int descents = s.hierarchy == TUMBLE_HIERARCHY_BOXTREE ? 2 : 1, ways = (TUMBLE_ALL + 1) * descents;
        for (int way = 0; way < ways; way++) {
            const int mode = way / descents;
            for (size_t variant = 0; variant < TEST_OVERLAP_VARIANTS; variant++) {
                tumble_collide_options options = test_overlap_variant(variant);
                options.mode = (tumble_mode)mode;
                test_tune(options, boxtree_walk.descent, (tumble_descent)(way % descents));
                for (int k = 2; k >= 0; k--) {
                    tumble_collide_result result;
                    assert_int_equal(
                        tumble_collide(queries[k], s.trees[0], NULL, s.trees[1], &s.pose, &options, &result),
                        TUMBLE_OK);
                    if (k < 2) {
                        assert_true(test_same_work(&result.counters, &counters[variant]));
                    }
                    counters[variant] = result.counters;
                }
                const tumble_counters *c = &counters[variant];
                assert_true(c->box_tests > 0 && c->box_updates > 0 && c->primitive_tests > 0 && c->bytes_touched > 0);
                assert_true(c->primitive_tests <= pairs && c->exact_tests <= c->primitive_tests && c->seconds >= 0);
                if (mode != TUMBLE_ALL) {
                    assert_true(c->primitive_tests < pairs / 10);
                }
            }
            if (mode == TUMBLE_ALL && s.hierarchy == TUMBLE_HIERARCHY_BOXTREE) {
                /* more directions separate more; tables are never tighter than products */
                assert_true(counters[7].box_tests <= counters[8].box_tests);
                assert_true(counters[8].box_tests <= counters[1].box_tests &&
                            counters[8].box_tests <= counters[2].box_tests);
                assert_int_equal(counters[3].box_tests, counters[8].box_tests);
                for (size_t k = 1; k <= 3; k++) {
                    assert_true(counters[k].box_tests <= counters[k + 3].box_tests);
                }
            }
        }
        tumble_collide_result result;
        assert_int_equal(tumble_collide(w->query, s.brutes[0], NULL, s.brutes[1], &s.pose, NULL, &result), TUMBLE_OK);
        assert_true(result.counters.primitive_tests == pairs && result.counters.box_tests == 0);
        free_scene(&s);
    }
    for (int k = 0; k < 3; k++) {
        tumble_query_destroy(queries[k]);
        tumble_context_destroy(contexts[k]);
    }
}

/* ---- Reuse ---- */

static bool count_only(void *user, const tumble_pair *pairs, size_t pair_count, const tumble_contact *contacts,
                       size_t contact_count)
{
    (void)pairs, (void)contacts;
    *(size_t *)user += pair_count + contact_count;
    return 0;
}

/* All kinds of questions one after the other, with one query. Returns how many results there were. */
static size_t ask_everything(test_world *w, const scene *scenes, tumble_pair *pairs, tumble_contact *contacts,
                             size_t room)
{
    size_t received = 0;
    for (int number = 0; number < SCENES; number++) {
        for (size_t variant = 0; variant < TEST_OVERLAP_VARIANTS; variant++) {
            for (unsigned choice = 0; choice < 24; choice += test_effort() < 1 ? 5 : 1) {
                if (test_effort() < 1 && (variant + choice) % 3 != (unsigned)number % 3) {
                    continue; /* each question with some of the variants, in turn */
                }
                tumble_collide_options options = test_overlap_variant(variant);
                options.mode = (const tumble_mode[]){TUMBLE_ALL, TUMBLE_FIRST, TUMBLE_TEST}[choice % 3];
                options.want_contacts = choice / 3 & 1;
                options.callback = choice / 3 & 2 ? count_only : NULL, options.callback_user = &received;
                options.pairs = pairs, options.pair_capacity = choice / 3 & 4 ? room : 0;
                options.contacts = contacts,
                options.contact_capacity = options.want_contacts ? options.pair_capacity : 0;
                tumble_collide_result result;
                assert_int_equal(ask(w, &scenes[number], &options, &result), TUMBLE_OK);
                received += result.pair_count + result.contact_count;
            }
        }
    }
    return received;
}

static void test_no_allocation_when_warm(void **state)
{
    test_world *w = *state;
    const size_t room = 20000;
    tumble_pair *pairs = malloc(room * sizeof *pairs);
    tumble_contact *contacts = malloc(room * sizeof *contacts);
    scene scenes[SCENES];
    for (int i = 0; i < SCENES; i++) {
        scenes[i] = make_scene(w, i);
    }
    test_allocator_fail(&w->memory, 0, 0);
    const size_t first = ask_everything(w, scenes, pairs, contacts, room);
    assert_true(test_allocator_calls(&w->memory) > 0);
    test_allocator_fail(&w->memory, 1, 1); /* from now on there is no memory at all */
    assert_int_equal(ask_everything(w, scenes, pairs, contacts, room), first);
    assert_int_equal(test_allocator_calls(&w->memory), 0);
    test_allocator_fail(&w->memory, 0, 0);
    for (int i = 0; i < SCENES; i++) {
        free_scene(&scenes[i]);
    }
    free(pairs), free(contacts);
}

/* What was asked before does not matter. */
static void test_reuse(void **state)
{
    test_world *w = *state;
    scene scenes[SCENES];
    for (int i = 0; i < SCENES; i++) {
        scenes[i] = make_scene(w, i);
    }
    test_random random = {41};
    for (size_t i = 0; i < test_count(200); i++) {
        const scene *s = &scenes[test_random_bits(&random) % SCENES];
        tumble_collide_options options = test_overlap_variant(test_random_bits(&random) % TEST_OVERLAP_VARIANTS);
        options.want_contacts = test_random_chance(&random, 0.5);
        tumble_query *fresh;
        test_pairs used = {0}, clean = {0};
        assert_int_equal(tumble_query_create(w->context, &fresh), TUMBLE_OK);
        const tumble_collide_result a =
            test_collide(w->query, s->trees[0], NULL, s->trees[1], &s->pose, &options, &used);
        const tumble_collide_result b = test_collide(fresh, s->trees[0], NULL, s->trees[1], &s->pose, &options, &clean);
        test_assert_same_pairs(&used, &clean, "query %zu", i);
        assert_true(test_same_work(&a.counters, &b.counters));
        assert_true(pair_order(a.first, b.first) == 0 && a.contact_count == b.contact_count);
        tumble_query_destroy(fresh);
        test_free_pairs(&used);
        test_free_pairs(&clean);
    }
    for (int i = 0; i < SCENES; i++) {
        free_scene(&scenes[i]);
    }
}

/* ---- Bad arguments ---- */

static void test_bad_arguments(void **state)
{
    test_world *w = *state;
    tumble_context *c = w->context;
    scene s = make_scene(w, 4);
    const tumble_model *m = s.trees[0];
    tumble_collide_result result;
    tumble_collide_options o = tumble_default_collide_options();
    assert_int_equal(tumble_query_create(NULL, &w->query), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(c, tumble_query_create(c, NULL), TUMBLE_ERROR_ARGUMENT, "null");
    assert_int_equal(tumble_collide(NULL, m, NULL, m, NULL, NULL, &result), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(c, tumble_collide(w->query, NULL, NULL, m, NULL, NULL, &result), TUMBLE_ERROR_ARGUMENT, "null");
    test_assert_status(c, tumble_collide(w->query, m, NULL, NULL, NULL, NULL, &result), TUMBLE_ERROR_ARGUMENT, "null");
    test_assert_status(c, tumble_collide(w->query, m, NULL, m, NULL, NULL, NULL), TUMBLE_ERROR_ARGUMENT, "");
#define REFUSE(field, value)                                 \
    o = tumble_default_collide_options(), o.field = (value); \
    test_assert_status(c, tumble_collide(w->query, m, NULL, m, NULL, &o, &result), TUMBLE_ERROR_ARGUMENT, "collide")
    REFUSE(mode, (tumble_mode)5);
    REFUSE(mode, (tumble_mode)-1);
    REFUSE(pair_capacity, 1);
    REFUSE(contact_capacity, 1);
#undef REFUSE
#define REFUSE(field, value)              \
    o = tumble_default_collide_options(); \
    test_tune(o, field, value);           \
    test_assert_status(c, tumble_collide(w->query, m, NULL, m, NULL, &o, &result), TUMBLE_ERROR_ARGUMENT, "tuning")
    REFUSE(boxtree_walk.overlap, (tumble_overlap)5);
    REFUSE(boxtree_walk.overlap, (tumble_overlap)-1);
    REFUSE(boxtree_walk.direction, (tumble_direction)3);
    REFUSE(boxtree_walk.direction, (tumble_direction)-1);
    REFUSE(boxtree_walk.descent, (tumble_descent)2);
    REFUSE(boxtree_walk.descent, (tumble_descent)-1);
#undef REFUSE
    tumble_pose nan = tumble_pose_identity(), mirror = nan, zero = nan;
    nan.m[1][3] = NAN, mirror.m[2][2] = -1, zero.m[0][0] = zero.m[1][1] = zero.m[2][2] = 0;
    const struct {
        const tumble_pose *pose;
        tumble_status status;
        const char *words;
    } bad[] = {{&nan, TUMBLE_ERROR_NOT_FINITE, "row 2, column 4"},
               {&mirror, TUMBLE_ERROR_POSE, "mirror"},
               {&zero, TUMBLE_ERROR_POSE, "scale is 0"}};
    for (int i = 0; i < 3; i++) {
        test_assert_status(c, tumble_collide(w->query, m, bad[i].pose, m, NULL, NULL, &result), bad[i].status,
                           bad[i].words);
        test_assert_status(c, tumble_collide(w->query, m, NULL, m, bad[i].pose, NULL, &result), bad[i].status,
                           bad[i].words);
    }
    assert_int_equal(ask(w, &s, NULL, &result), TUMBLE_OK);
    assert_true(result.collide);
    free_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_modes),
        TEST_IN_WORLD(test_capacities),
        TEST_IN_WORLD(test_callbacks),
        TEST_IN_WORLD(test_order_of_callbacks),
        TEST_IN_WORLD(test_stopping),
        TEST_IN_WORLD(test_callback_of_one),
        TEST_IN_WORLD(test_contact_counts),
        TEST_IN_WORLD(test_contact_points),
        TEST_IN_WORLD(test_infinite_contacts),
        TEST_IN_WORLD(test_contact_capacities),
        TEST_IN_WORLD(test_counters),
        TEST_IN_WORLD(test_no_allocation_when_warm),
        TEST_IN_WORLD(test_reuse),
        TEST_IN_WORLD(test_bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
