/* A model against itself: polygons with many corners, contacts, clearance and rings, threads, callbacks, memory. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mixed_cases.h"
#include "oracle.h"
#include "self/rule.h"
#include "self_cases.h"

#define GOLDEN 0x420c187c826e21dfu

/* ---- Polygons with several triangles ---- */

static void test_polygons(void **state)
{
    test_world *w = *state;
    size_t found[TUMBLE_SELF_NEAR + 1] = {0};
    for (size_t round = 0; round < test_count(18); round++) {
        test_random random = {round + 1000};
        models_mesh mesh = {0};
        self_make_mesh(&random, self_pools[round % SELF_POOLS].make, 6, 6, &mesh);
        mixed_family family = mixed_make(w->context, &mesh);
        self_list expected = self_true_pairs(family.models[MIXED_BRUTE], round % 4 == 3);
        for (size_t kind = 0; kind < MIXED_KINDS; kind++) {
            tumble_self_options options = tumble_default_self_options();
            tumble_self_result result;
            options.soup = round % 4 == 3;
            assert_int_equal(tumble_self_collide(w->query, family.models[kind], &options, &result), TUMBLE_OK);
            self_assert_same(&result, &expected, mixed_name(kind), round);
            options.mode = TUMBLE_COUNT;
            assert_int_equal(tumble_self_collide(w->query, family.models[kind], &options, &result), TUMBLE_OK);
            assert_int_equal(result.pair_count, expected.count);
        }
        for (size_t i = 0; i < expected.count; i++) {
            found[expected.pairs[i].kind]++;
        }
        free(expected.pairs);
        mixed_free(&family);
        models_free(&mesh);
    }
    for (unsigned kind = TUMBLE_SELF_CROSSING; kind <= TUMBLE_SELF_DEGENERATE && test_effort() >= 1; kind++) {
        assert_true(found[kind] > 0);
    }
}

static uint64_t count_pairs(test_world *w, const models_mesh *mesh, tumble_self_kind *kind)
{
    tumble_model *model = test_model(w->context, mesh, NULL);
    tumble_self_result result;
    assert_int_equal(tumble_self_collide(w->query, model, NULL, &result), TUMBLE_OK);
    *kind = result.first.kind;
    tumble_model_destroy(model);
    return result.pair_count;
}

/* A polygon with a corner in the middle of a side has neighbours on both halves; a diagonal is no edge. */
static void test_edges_of_polygons(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    tumble_self_kind kind;
    const double points[][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 1}, {2, 0, 1}};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        (void)models_point(&mesh, points[i][0], points[i][1], points[i][2]);
    }
    models_polygon(&mesh, (const uint32_t[]){0, 1, 2, 3, 4}, 5);
    models_triangle(&mesh, 0, 1, 5);
    models_triangle(&mesh, 1, 2, 6);
    models_triangle(&mesh, 1, 5, 6);
    assert_int_equal(count_pairs(w, &mesh, &kind), 0);
    models_triangle(&mesh, 0, 2, 6); /* covers the side and the middle */
    assert_int_equal(count_pairs(w, &mesh, &kind), 4);
    models_free(&mesh);
    models_mesh quad = {0};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        (void)models_point(&quad, points[i][0], points[i][1], points[i][2]);
    }
    models_quad(&quad, 0, 2, 3, 4);
    models_triangle(&quad, 0, 3, 6); /* stands on one diagonal, and on the other */
    models_triangle(&quad, 2, 4, 5);
    assert_int_equal(count_pairs(w, &quad, &kind), 3);
    models_free(&quad);
}

/* Polygons on one line, which have two sides in common, one after the other or the other way round. */
static void test_chains(void **state)
{
    test_world *w = *state;
    for (int reversed = 0; reversed < 2; reversed++) {
        models_mesh mesh = {0};
        tumble_self_kind kind;
        for (int i = 0; i < 5; i++) {
            const double place = i < 4 ? i : 1.5, at = reversed ? 3 - place : place;
            (void)models_point(&mesh, at, 2 * at, -at);
        }
        models_polygon(&mesh, (const uint32_t[]){0, 1, 2}, 3);
        models_polygon(&mesh, (const uint32_t[]){0, 1, 2, 3}, 4);
        assert_int_equal(count_pairs(w, &mesh, &kind), 0);
        models_polygon(&mesh, (const uint32_t[]){0, 4, 3}, 3); /* has no side in common with the first */
        assert_int_equal(count_pairs(w, &mesh, &kind), 1);
        models_free(&mesh);
    }
}

/* A polygon whose corner touches one of its own sides, which another polygon shares. */
static void check_corner_on_own_side(test_world *w, double height)
{
    models_mesh mesh = {0};
    const double points[][3] = {{0, 0, 0}, {4, 0, 0}, {3, 2, 0}, {2, 0, 0}, {1, 2, 0}, {2, -1, 3}, {1, -1, 3}};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        (void)models_point(&mesh, 1 + points[i][0], 2 + points[i][1], height + points[i][2]);
    }
    models_polygon(&mesh, (const uint32_t[]){0, 1, 2, 3, 4}, 5);
    models_polygon(&mesh, (const uint32_t[]){0, 1, 5}, 3);
    for (size_t extra = 0; extra < 2; extra++) {
        tumble_model *model = test_brute_model(w->context, &mesh);
        tumble_self_kind kind;
        self_list expected = self_true_pairs(model, 0);
        assert_int_equal(expected.count, extra);
        assert_int_equal(count_pairs(w, &mesh, &kind), extra);
        free(expected.pairs);
        tumble_model_destroy(model);
        models_polygon(&mesh, (const uint32_t[]){3, 5, 6}, 3); /* shares that corner, but not the side */
    }
    models_free(&mesh);
}

static void test_corner_on_own_side(void **state)
{
    check_corner_on_own_side(*state, 10);
    check_corner_on_own_side(*state, -10);
}

/* ---- Contacts ---- */

static double largest(const double t[3][3])
{
    double most = 0;
    for (int i = 0; i < 9; i++) {
        most = fmax(most, fabs(t[i / 3][i % 3]));
    }
    return most;
}

/* One contact per pair of triangles, in order, as the oracle wants it: outside of what is shared if they lie in one
 * plane and share less than all corners. */
static void test_contacts(void **state)
{
    test_world *w = *state;
    oracle *truth = oracle_create();
    for (size_t round = 0; round < test_count(20); round++) {
        test_random random = {round + 2000};
        models_mesh mesh = {0};
        self_make_mesh(&random, self_pools[round % (SELF_POOLS - 1)].make, 12, 3, &mesh);
        tumble_model *model = test_model(w->context, &mesh, NULL);
        self_polygons cut = self_cut(model);
        tumble_self_options options = tumble_default_self_options();
        tumble_self_result result;
        options.want_contacts = true;
        assert_int_equal(tumble_self_collide(w->query, model, &options, &result), TUMBLE_OK);
        assert_int_equal(result.contact_count, result.pair_count);
        for (size_t i = 0; i < result.contact_count; i++) {
            const tumble_contact *c = &result.contacts[i];
            const double(*a)[3] = *cut.polygons[c->polygon_a].triangles,
                  (*b)[3] = *cut.polygons[c->polygon_b].triangles;
            const double tolerance = fmax(largest(a), largest(b)) * 0x1p-48,
                         each[3] = {tolerance, tolerance, tolerance};
            const tmb_shared shared = tmb_shared_corners(a, b);
            assert_int_equal(c->polygon_a, result.pairs[i].polygon_a);
            assert_int_equal(c->polygon_b, result.pairs[i].polygon_b);
            assert_int_equal(c->apart, 0);
            if (!c->coplanar) {
                double points[2][3];
                memcpy(points, c->points, sizeof points);
                assert_null(oracle_check_contact(truth, a, b, 0, (const double(*)[3])points, each));
                continue;
            }
            double point[3][3];
            for (int k = 0; k < 3; k++) {
                memcpy(point[k], c->points[0], sizeof point[k]);
            }
            assert_memory_equal(c->points[0], c->points[1], sizeof c->points[0]);
            mpq_t squared;
            mpq_init(squared);
            oracle_squared_distance(truth, a, (const double(*)[3])point, squared);
            assert_true(mpq_get_d(squared) <= tolerance * tolerance * 3);
            oracle_squared_distance(truth, b, (const double(*)[3])point, squared);
            assert_true(mpq_get_d(squared) <= tolerance * tolerance * 3);
            mpq_clear(squared);
            for (unsigned k = 0; k < shared.count && shared.count < 3; k++) {
                assert_false(tmb_same_point(a[shared.a[k]], c->points[0]));
            }
        }
        self_free_cut(&cut);
        tumble_model_destroy(model);
        models_free(&mesh);
    }
    oracle_destroy(truth);
}

/* ---- Clearance and rings ---- */

static int are_within(oracle *truth, const self_polygon *p, const self_polygon *q, double limit)
{
    mpq_t squared, most;
    int within = 0;
    mpq_inits(squared, most, (mpq_ptr)0);
    mpq_set_d(most, limit);
    mpq_mul(most, most, most);
    for (size_t i = 0; i < p->count * q->count && !within; i++) {
        oracle_squared_distance(truth, p->triangles[i / q->count], q->triangles[i % q->count], squared);
        within = mpq_cmp(squared, most) <= 0;
    }
    mpq_clears(squared, most, (mpq_ptr)0);
    return within;
}

/* Steps from polygon to polygon by common corners; more than the count if there is no way. */
static uint32_t steps_between(const self_polygons *cut, uint32_t from, uint32_t to)
{
    uint32_t *steps = malloc(cut->count * sizeof *steps);
    for (uint32_t i = 0; i < cut->count; i++) {
        steps[i] = i == from ? 0 : cut->count + 1;
    }
    for (int changes = 1; changes;) {
        changes = 0;
        for (uint32_t i = 0; i < cut->count; i++) {
            for (uint32_t j = 0; j < cut->count; j++) {
                if (steps[i] + 1 < steps[j] && self_share_corner(&cut->polygons[i], &cut->polygons[j])) {
                    steps[j] = steps[i] + 1;
                    changes = 1;
                }
            }
        }
    }
    const uint32_t found = steps[to];
    free(steps);
    return found;
}

static self_list true_near(oracle *truth, const tumble_model *model, const tumble_self_options *options)
{
    self_polygons cut = self_cut(model);
    self_list list = {0};
    for (uint32_t i = 0; i < cut.count; i++) {
        for (uint32_t j = i + 1; j < cut.count; j++) {
            tumble_self_kind kind = self_truth(&cut.polygons[i], &cut.polygons[j], options->soup);
            double radii[2];
            assert_int_equal(tumble_model_radius(model, i, &radii[0]), TUMBLE_OK);
            assert_int_equal(tumble_model_radius(model, j, &radii[1]), TUMBLE_OK);
            const double limit = options->clearance + radii[0] + radii[1]; /* few digits: exact */
            if (kind == 0 && limit > 0 && are_within(truth, &cut.polygons[i], &cut.polygons[j], limit) &&
                (options->soup || steps_between(&cut, i, j) > options->rings)) {
                kind = TUMBLE_SELF_NEAR;
            }
            if (kind != 0) {
                self_append(&list, (tumble_self_pair){i, j, kind});
            }
        }
    }
    self_free_cut(&cut);
    return list;
}

/* A strip of lattice triangles, so that there are many rings. */
static void make_strip(test_random *random, models_mesh *mesh, int most)
{
    uint32_t corners[16], next = 0;
    for (int i = 0; i < 14; i++) {
        const int count = test_random_whole(random, 3, most), kept = test_random_whole(random, 0, 2);
        for (int k = 0; k < count; k++) {
            if (i == 0 || k >= kept) {
                const uint32_t column = next / 3;
                const int y = test_random_whole(random, 0, 2), z = test_random_whole(random, 0, 1);
                corners[k] = models_point(mesh, column, y, z);
                next++;
            }
        }
        models_polygon(mesh, corners, (uint32_t)count);
    }
}

/* None, one radius for all polygons, or one for each, some of which are 0. */
static void thicken(tumble_context *context, mixed_family *family, const models_mesh *mesh, test_random *random,
                    int how)
{
    double radii[64], all = how ? test_random_whole(random, 1, 3) / 4.0 : 0;
    assert_true(mesh->polygon_count <= 64);
    for (size_t i = 0; i < mesh->polygon_count; i++) {
        radii[i] = test_random_whole(random, 0, 3) / 4.0;
    }
    for (size_t kind = 0; kind < MIXED_KINDS && how; kind++) {
        tumble_model_options options = tumble_default_model_options();
        tumble_mesh view = models_view(mesh);
        options.hierarchy = test_info(family->models[kind]).hierarchy;
        options.radius = how == 1 ? all : 0;
        view.radii = how == 2 ? radii : NULL;
        tumble_model_destroy(family->models[kind]);
        assert_int_equal(tumble_model_create(context, &view, &options, &family->models[kind]), TUMBLE_OK);
    }
}

static void test_near(void **state)
{
    test_world *w = *state;
    oracle *truth = oracle_create();
    size_t near_count = 0;
    for (size_t round = 0; round < test_count(9); round++) {
        test_random random = {round + 3000};
        models_mesh mesh = {0};
        make_strip(&random, &mesh, round % 3 == 2 ? 5 : 3);
        mixed_family family = mixed_make(w->context, &mesh);
        const int how = (int)(round / 2 % 3);
        thicken(w->context, &family, &mesh, &random, how);
        for (uint32_t rings = 0; rings < 4; rings++) {
            tumble_self_options options = tumble_default_self_options();
            options.clearance = (double)test_random_whole(&random, how == 0, 3) / 2;
            options.rings = rings;
            options.soup = rings == 1 && round % 4 == 0;
            self_list expected = true_near(truth, family.models[MIXED_BRUTE], &options);
            for (size_t kind = 0; kind < MIXED_KINDS; kind++) {
                tumble_self_result result;
                assert_int_equal(tumble_self_collide(w->query, family.models[kind], &options, &result), TUMBLE_OK);
                self_assert_same(&result, &expected, mixed_name(kind), round);
                tumble_self_options test = options;
                test.mode = TUMBLE_TEST;
                assert_int_equal(tumble_self_collide(w->query, family.models[kind], &test, &result), TUMBLE_OK);
                assert_int_equal(result.collide, expected.count > 0);
            }
            for (size_t i = 0; i < expected.count; i++) {
                near_count += expected.pairs[i].kind == TUMBLE_SELF_NEAR;
            }
            free(expected.pairs);
        }
        mixed_free(&family);
        models_free(&mesh);
    }
    assert_true(near_count > 0);
    oracle_destroy(truth);
}

/* The square of the distance of a point from a triangle. */
static double squared_from(oracle *truth, const double t[3][3], const double point[3])
{
    double same[3][3];
    mpq_t squared;
    mpq_init(squared);
    for (int i = 0; i < 3; i++) {
        memcpy(same[i], point, sizeof same[i]);
    }
    oracle_squared_distance(truth, t, (const double(*)[3])same, squared);
    const double result = mpq_get_d(squared);
    mpq_clear(squared);
    return result;
}

/* Contacts of triangles that are near, but apart, are their closest points. */
static void test_near_contacts(void **state)
{
    test_world *w = *state;
    test_random random = {3100};
    oracle *truth = oracle_create();
    models_mesh mesh = {0};
    size_t apart = 0;
    make_strip(&random, &mesh, 3);
    tumble_model *model = test_model(w->context, &mesh, NULL);
    self_polygons cut = self_cut(model);
    tumble_self_options options = tumble_default_self_options();
    tumble_self_result result;
    options.want_contacts = true;
    options.clearance = 1.5;
    assert_int_equal(tumble_self_collide(w->query, model, &options, &result), TUMBLE_OK);
    assert_int_equal(result.contact_count, result.pair_count);
    for (size_t i = 0; i < result.contact_count; i++) {
        const tumble_contact *c = &result.contacts[i];
        const double(*a)[3] = *cut.polygons[c->polygon_a].triangles, (*b)[3] = *cut.polygons[c->polygon_b].triangles;
        mpq_t squared;
        mpq_init(squared);
        oracle_squared_distance(truth, a, b, squared);
        assert_int_equal(c->apart, mpq_sgn(squared) > 0);
        if (c->apart) {
            double step[3];
            for (int k = 0; k < 3; k++) {
                step[k] = c->points[1][k] - c->points[0][k];
            }
            const double length = step[0] * step[0] + step[1] * step[1] + step[2] * step[2];
            assert_true(fabs(length - mpq_get_d(squared)) < 1e-12);
            assert_true(squared_from(truth, a, c->points[0]) < 1e-24 && squared_from(truth, b, c->points[1]) < 1e-24);
            apart++;
        }
        mpq_clear(squared);
    }
    assert_true(apart > 5);
    self_free_cut(&cut);
    tumble_model_destroy(model);
    models_free(&mesh);
    oracle_destroy(truth);
}

/* ---- Threads, callbacks, arrays ---- */

typedef struct collected {
    self_list pairs;
    tumble_contact *contacts;
    size_t contact_count, calls, stop_at;
} collected;

static bool collect(void *user, const tumble_self_pair *pairs, size_t pair_count, const tumble_contact *contacts,
                    size_t contact_count)
{
    collected *c = user;
    for (size_t i = 0; i < pair_count; i++) {
        self_append(&c->pairs, pairs[i]);
    }
    c->contacts = realloc(c->contacts, (c->contact_count + contact_count + 1) * sizeof *contacts);
    if (contact_count) {
        memcpy(c->contacts + c->contact_count, contacts, contact_count * sizeof *contacts);
    }
    c->contact_count += contact_count;
    return ++c->calls == c->stop_at;
}

static void free_collected(collected *c)
{
    free(c->pairs.pairs);
    free(c->contacts);
}

/* A soup of some thousand triangles with many hits. */
static tumble_model *make_soup(tumble_context *context, tumble_hierarchy hierarchy)
{
    models_mesh mesh = {0};
    test_random random = {7};
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = hierarchy;
    test_make_soup(&mesh, &random, 9000, 0.1);
    tumble_model *model = test_model(context, &mesh, &options);
    models_free(&mesh);
    return model;
}

static void test_threads(void **state)
{
    test_world *w = *state;
    static const tumble_hierarchy hierarchies[] = {TUMBLE_HIERARCHY_WIDE, TUMBLE_HIERARCHY_KDOP};
    for (size_t h = 0; h < 2; h++) {
        tumble_model *model = make_soup(w->context, hierarchies[h]);
        for (int mode = TUMBLE_TEST; mode <= TUMBLE_ALL; mode++) {
            tumble_self_options options = tumble_default_self_options();
            tumble_self_result one, many;
            tumble_query *query;
            assert_int_equal(tumble_query_create(w->context, &query), TUMBLE_OK);
            options.mode = (tumble_mode)mode;
            options.want_contacts = true;
            options.thread_count = 1;
            assert_int_equal(tumble_self_collide(w->query, model, &options, &one), TUMBLE_OK);
            options.thread_count = 4;
            assert_int_equal(tumble_self_collide(query, model, &options, &many), TUMBLE_OK);
            assert_true(one.collide && many.collide);
            assert_memory_equal(&one.first, &many.first, sizeof one.first);
            assert_int_equal(one.pair_count, many.pair_count);
            assert_int_equal(one.contact_count, many.contact_count);
            assert_true(test_same_work(&one.counters, &many.counters));
            if (mode == TUMBLE_ALL || mode == TUMBLE_FIRST) {
                assert_memory_equal(one.pairs, many.pairs, one.pair_count * sizeof *one.pairs);
                assert_memory_equal(one.contacts, many.contacts, one.contact_count * sizeof *one.contacts);
            }
            tumble_query_destroy(query);
        }
        tumble_model_destroy(model);
    }
}

static void test_callback(void **state)
{
    test_world *w = *state;
    tumble_model *model = make_soup(w->context, TUMBLE_HIERARCHY_WIDE);
    collected got[2] = {{.stop_at = 0}, {.stop_at = 0}}, stopped = {.stop_at = 2};
    tumble_self_options options = tumble_default_self_options();
    tumble_self_result result;
    options.want_contacts = true;
    options.callback = collect;
    for (uint32_t i = 0; i < 2; i++) { /* the same order with any number of threads */
        options.callback_user = &got[i];
        options.thread_count = 1 + 2 * i;
        assert_int_equal(tumble_self_collide(w->query, model, &options, &result), TUMBLE_OK);
        assert_null(result.pairs);
        assert_null(result.contacts);
        assert_int_equal(got[i].pairs.count, result.pair_count);
        assert_int_equal(got[i].contact_count, result.contact_count);
        assert_true(got[i].calls > 2);
    }
    assert_memory_equal(got[0].pairs.pairs, got[1].pairs.pairs, got[0].pairs.count * sizeof *got[0].pairs.pairs);
    options.callback_user = &stopped;
    test_assert_status(w->context, tumble_self_collide(w->query, model, &options, &result), TUMBLE_ERROR_CANCELLED,
                       "stopped by its callback");
    assert_int_equal(stopped.calls, 2);
    assert_true(result.pair_count >= stopped.pairs.count && result.pair_count < got[0].pairs.count);
    options.callback = NULL;
    tumble_self_pair few[3];
    tumble_contact first;
    options.pairs = few, options.pair_capacity = 3, options.contacts = &first, options.contact_capacity = 1;
    assert_int_equal(tumble_self_collide(w->query, model, &options, &result), TUMBLE_OK);
    assert_int_equal(result.pair_count, got[0].pairs.count);
    assert_memory_equal(few, result.pairs, sizeof few);
    assert_memory_equal(&first, result.contacts, sizeof first);
    collected both = {.stop_at = 0}; /* arrays and a callback */
    options.callback = collect, options.callback_user = &both;
    assert_int_equal(tumble_self_collide(w->query, model, &options, &result), TUMBLE_OK);
    assert_int_equal(both.pairs.count, got[0].pairs.count);
    assert_memory_equal(both.pairs.pairs, got[0].pairs.pairs, both.pairs.count * sizeof *both.pairs.pairs);
    assert_int_equal(both.contact_count, got[0].contact_count);
    assert_memory_equal(both.contacts, got[0].contacts, both.contact_count * sizeof *both.contacts);
    assert_memory_equal(few, result.pairs, sizeof few);
    free_collected(&got[0]), free_collected(&got[1]), free_collected(&stopped), free_collected(&both);
    tumble_model_destroy(model);
}

static bool stop_at_once(void *user)
{
    ++*(size_t *)user;
    return true;
}

/* The progress function ends the query, with one thread and with several. */
static void test_progress(void **state)
{
    test_world *w = *state;
    for (size_t kind = 0; kind < 2; kind++) {
        tumble_model *model = make_soup(w->context, kind ? TUMBLE_HIERARCHY_BOXTREE : TUMBLE_HIERARCHY_WIDE);
        tumble_self_options options = tumble_default_self_options();
        tumble_self_result result;
        size_t calls = 0;
        options.thread_count = 1;
        assert_int_equal(tumble_query_set_progress(w->query, stop_at_once, &calls), TUMBLE_OK);
        test_assert_status(w->context, tumble_self_collide(w->query, model, &options, &result), TUMBLE_ERROR_CANCELLED,
                           "cancelled");
        assert_int_equal(calls, 1);
        assert_int_equal(tumble_query_set_progress(w->query, NULL, NULL), TUMBLE_OK);
        assert_int_equal(tumble_self_collide(w->query, model, &options, &result), TUMBLE_OK);
        tumble_model_destroy(model);
    }
}

/* ---- Golden ---- */

/* All results of a soup, as one number that is the same on every machine and for every build. */
static void test_golden(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    test_random random = {11};
    uint64_t hash = 0xcbf29ce484222325u;
    test_make_soup(&mesh, &random, 600, 0.3);
    tumble_model *model = test_model(w->context, &mesh, NULL);
    tumble_self_options options = tumble_default_self_options();
    tumble_self_result result;
    options.want_contacts = true;
    assert_int_equal(tumble_self_collide(w->query, model, &options, &result), TUMBLE_OK);
    for (size_t i = 0; i < result.pair_count * sizeof *result.pairs; i++) {
        hash = (hash ^ ((const uint8_t *)result.pairs)[i]) * 0x100000001b3u;
    }
    for (size_t i = 0; i < result.contact_count * sizeof *result.contacts; i++) {
        hash = (hash ^ ((const uint8_t *)result.contacts)[i]) * 0x100000001b3u;
    }
    if (hash != GOLDEN) {
        fail_msg("the hash of %zu pairs and %zu contacts is 0x%016llx", (size_t)result.pair_count,
                 (size_t)result.contact_count, (unsigned long long)hash);
    }
    tumble_model_destroy(model);
    models_free(&mesh);
}

/* ---- Arguments and memory ---- */

static void test_arguments(void **state)
{
    test_world *w = *state;
    models_mesh none = {0};
    tumble_model *model = test_model(w->context, &none, NULL);
    tumble_self_options options = tumble_default_self_options();
    tumble_self_result result;
    assert_int_equal(tumble_self_collide(w->query, model, NULL, &result), TUMBLE_OK);
    assert_false(result.collide);
    assert_int_equal(tumble_self_collide(NULL, model, NULL, &result), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(w->context, tumble_self_collide(w->query, NULL, NULL, &result), TUMBLE_ERROR_ARGUMENT,
                       "the model is null");
    test_assert_status(w->context, tumble_self_collide(w->query, model, NULL, NULL), TUMBLE_ERROR_ARGUMENT,
                       "the result is null");
    options.mode = TUMBLE_SURFACES;
    test_assert_status(w->context, tumble_self_collide(w->query, model, &options, &result), TUMBLE_ERROR_ARGUMENT,
                       "no mode 4");
    options = tumble_default_self_options();
    options.clearance = -1;
    test_assert_status(w->context, tumble_self_collide(w->query, model, &options, &result), TUMBLE_ERROR_ARGUMENT,
                       "clearance");
    options = tumble_default_self_options();
    options.pair_capacity = 1;
    test_assert_status(w->context, tumble_self_collide(w->query, model, &options, &result), TUMBLE_ERROR_ARGUMENT,
                       "without an array");
    assert_string_equal(tumble_self_kind_name(TUMBLE_SELF_OVERLAPPING), "overlapping");
    assert_string_equal(tumble_self_kind_name((tumble_self_kind)99), "unknown");
    tumble_model_destroy(model);
}

typedef struct memory_job {
    tumble_model *model;
    tumble_self_options options;
} memory_job;

static tumble_status ask_with_memory(test_world *w, void *user)
{
    const memory_job *job = user;
    tumble_query *query;
    tumble_self_result result;
    tumble_status status = tumble_query_create(w->context, &query);
    if (status == TUMBLE_OK) {
        status = tumble_self_collide(query, job->model, &job->options, &result);
        tumble_query_destroy(query);
    }
    return status;
}

static void test_memory(void **state)
{
    test_world *w = *state;
    for (size_t kind = 0; kind < 6; kind++) {
        test_random random = {kind};
        models_mesh mesh = {0};
        memory_job job = {NULL, tumble_default_self_options()};
        tumble_model_options options = tumble_default_model_options();
        options.hierarchy = kind % 2 ? TUMBLE_HIERARCHY_BOXTREE : TUMBLE_HIERARCHY_WIDE;
        options.radius = kind == 3 ? 0.5 : 0;
        self_make_mesh(&random, self_pools[1].make, kind < 4 ? 40 : 4, kind < 4 ? 3 : 5, &mesh);
        job.model = test_model(w->context, &mesh, &options);
        job.options.want_contacts = true;
        job.options.clearance = kind < 2 || kind == 3 ? 0 : 1;
        job.options.rings = 2;
        assert_true(test_fail_each(w, TEST_FAIL_TAKING_TURNS, ask_with_memory, NULL, &job) > 4);
        tumble_model_destroy(job.model);
        models_free(&mesh);
    }
}

/* More pairs of polygons than the set of those that are known starts with. */
static void test_memory_for_known_pairs(void **state)
{
    test_world *w = *state;
    test_random random = {1};
    models_mesh mesh = {0};
    memory_job job = {NULL, tumble_default_self_options()};
    tumble_self_result result;
    self_make_mesh(&random, self_pools[0].make, 48, 5, &mesh);
    job.model = test_model(w->context, &mesh, NULL);
    job.options.soup = true;
    job.options.mode = TUMBLE_COUNT;
    assert_int_equal(tumble_self_collide(w->query, job.model, &job.options, &result), TUMBLE_OK);
    assert_true(result.pair_count > 600);
    assert_true(test_fail_each(w, TEST_FAIL_TAKING_TURNS, ask_with_memory, NULL, &job) > 4);
    tumble_model_destroy(job.model);
    models_free(&mesh);
}

/* A warm query allocates nothing. */
static void test_warm(void **state)
{
    test_world *w = *state;
    tumble_model *model = make_soup(w->context, TUMBLE_HIERARCHY_WIDE);
    tumble_self_options options = tumble_default_self_options();
    tumble_self_result result;
    options.want_contacts = true;
    options.thread_count = 1;
    assert_int_equal(tumble_self_collide(w->query, model, &options, &result), TUMBLE_OK);
    test_allocator_fail(&w->memory, 0, 0);
    assert_int_equal(tumble_self_collide(w->query, model, &options, &result), TUMBLE_OK);
    assert_int_equal(test_allocator_calls(&w->memory), 0);
    tumble_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_polygons),
        TEST_IN_WORLD(test_edges_of_polygons),
        TEST_IN_WORLD(test_chains),
        TEST_IN_WORLD(test_corner_on_own_side),
        TEST_IN_WORLD(test_memory_for_known_pairs),
        TEST_IN_WORLD(test_contacts),
        TEST_IN_WORLD(test_near),
        TEST_IN_WORLD(test_near_contacts),
        TEST_IN_WORLD(test_threads),
        TEST_IN_WORLD(test_callback),
        TEST_IN_WORLD(test_arguments),
        TEST_IN_WORLD(test_memory),
        TEST_IN_WORLD(test_warm),
        TEST_IN_WORLD(test_progress),
        TEST_IN_WORLD(test_golden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
