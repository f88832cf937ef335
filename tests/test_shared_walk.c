/* Shared queries: parts are donated as often as possible and processed in any order, by one thread, so that every run
 * is the same. The answers must be those of tumble_collide, to the bit. */
#include <stdlib.h>
#include <string.h>

#include "collide/shared/walk.h"
#include "scenes.h"

enum {
    MOST_PARTS = 4096
};

/* Somebody who takes parts and does not work on them at once. */
typedef struct crew {
    tmb_sharing sharing;
    tmb_spares spares;
    tmb_part *parts[MOST_PARTS];
    size_t count, given, rounds;
    test_random random;
    double refusals;  /* how often a part is not wanted */
    size_t cancel_at; /* the part that is the last one; 0: none */
    atomic_int cancel, hungry;
} crew;

static int take_part(void *user, tmb_part *part)
{
    crew *c = user;
    if (c->count == MOST_PARTS || test_random_chance(&c->random, c->refusals)) {
        return 0;
    }
    c->parts[c->count++] = part;
    if (++c->given == c->cancel_at) {
        atomic_store(&c->cancel, 1);
    }
    return 1;
}

static void for_each(void *user, size_t count, void (*body)(void *shared, size_t i), void *shared)
{
    crew *c = user;
    for (size_t i = count; i-- > 0; c->rounds++) {
        body(shared, i);
    }
}

static void begin_crew(crew *c, tumble_query *query, uint64_t seed)
{
    memset(c, 0, sizeof *c);
    c->random.state = seed;
    c->hungry = 1;
    c->sharing.user = c;
    c->sharing.offer = take_part;
    c->sharing.for_each = for_each;
    c->sharing.thread_count = 1 + seed % 20;
    c->sharing.watch.cancel = &c->cancel;
    c->sharing.watch.hungry = &c->hungry;
    c->sharing.spares = &c->spares;
    assert_true(tmb_spares_begin(&c->spares));
    tmb_sharing_begin(&c->sharing, query);
}

/* The query, and then its parts one after the other, whichever comes. */
static void ask(crew *c, tumble_query *query, tumble_model *const models[2], const tumble_pose *pose,
                const tumble_collide_options *options, tmb_outcome *outcome)
{
    tmb_collider collider;
    c->sharing.owner = c;
    c->sharing.number = 77;
    tmb_collider_begin(&collider, query, models[0], models[1], options);
    int done = tmb_shared_collide(&c->sharing, &collider, NULL, pose, outcome);
    c->sharing.owner = NULL;
    while (!done) {
        assert_true(c->count > 0);
        const size_t i = (size_t)test_random_whole(&c->random, 0, (int)c->count - 1);
        tmb_part *part = c->parts[i];
        c->parts[i] = c->parts[--c->count];
        done = tmb_part_collide(&c->sharing, query, part, outcome);
    }
    assert_int_equal(c->count, 0);
    assert_ptr_equal(outcome->owner, c);
    assert_int_equal(outcome->number, 77);
    tmb_spares_end(&c->spares, query->context);
}

/* ---- Scenes ---- */

typedef struct scene {
    tumble_model *models[2];
    tumble_pose pose;
} scene;

enum {
    SCENES = 8
};

static void make_mesh(models_mesh *mesh, int number, int k)
{
    static const char *const shapes[SCENES][2] = {{"torus", "knot"}, {"prism", "plate"},  {"shards", "terrain"},
                                                  {"box", "box"},    {"shards", "prism"}, {"", ""},
                                                  {"", ""},          {"", "torus"}};
    test_random random = {(uint64_t)(number + 100 * k)};
    *mesh = (models_mesh){0};
    if (number == 5) {
        test_make_soup(mesh, &random, 1500, 0.4);
    } else if (number == 6) {
        test_make_lattice(mesh, &random, 1500, 8, 2, 0.3);
    } else if (number == 7 && k == 0) {
        test_make_soup(mesh, &random, 3, 2);
    } else {
        assert_true(models_make_sized(mesh, shapes[number][k], 6000));
        models_fit(mesh, 2, k);
    }
}

/* Too small to be shared. */
static int is_small(int number)
{
    return number == 7;
}

static scene make_scene(tumble_context *context, int number)
{
    scene s;
    test_random random = {(uint64_t)number};
    for (int k = 0; k < 2; k++) {
        models_mesh mesh;
        make_mesh(&mesh, number, k);
        s.models[k] = test_model(context, &mesh, NULL);
        models_free(&mesh);
    }
    s.pose = number == 3 || number == 6 ? test_quarter_turn(9) : test_rational_turn(&random);
    s.pose.m[0][3] = number == 3 || number == 6 ? 0 : 0.0625;
    return s;
}

static void free_scene(scene *s)
{
    tumble_model_destroy(s->models[0]);
    tumble_model_destroy(s->models[1]);
}

/* ---- Lists ---- */

typedef struct lists {
    tumble_pair *pairs;
    tumble_contact *contacts;
    size_t pair_room, contact_room;
} lists;

static lists make_lists(size_t pairs, size_t contacts)
{
    lists l = {.pair_room = pairs, .contact_room = contacts};
    l.pairs = malloc((pairs + 1) * sizeof *l.pairs);
    l.contacts = malloc((contacts + 1) * sizeof *l.contacts);
    memset(l.pairs, 0x77, (pairs + 1) * sizeof *l.pairs);
    memset(l.contacts, 0x77, (contacts + 1) * sizeof *l.contacts);
    return l;
}

static void free_lists(lists *l)
{
    free(l->pairs);
    free(l->contacts);
}

static tumble_collide_options list_options(const lists *l)
{
    tumble_collide_options options = tumble_default_collide_options();
    options.pairs = l->pairs, options.pair_capacity = l->pair_room;
    options.contacts = l->contacts, options.contact_capacity = l->contact_room;
    return options;
}

/* What tumble_collide says, with room for all; *all are its lists. */
static tumble_collide_result expect(tumble_query *query, const scene *s, lists *all)
{
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    query->watch = NULL;
    options.want_contacts = 1;
    assert_int_equal(tumble_collide(query, s->models[0], NULL, s->models[1], &s->pose, &options, &result), TUMBLE_OK);
    *all = make_lists((size_t)result.pair_count, (size_t)result.contact_count);
    options = list_options(all);
    assert_int_equal(tumble_collide(query, s->models[0], NULL, s->models[1], &s->pose, &options, &result), TUMBLE_OK);
    return result;
}

/* ---- Tests ---- */

/* All pairs and contacts, into lists of any room; what is behind the last is not touched. */
static void test_lists(void **state)
{
    test_world *w = *state;
    size_t slices = 0;
    for (int number = 0; number < SCENES; number++) {
        scene s = make_scene(w->context, number);
        lists all;
        const tumble_collide_result expected = expect(w->query, &s, &all);
        assert_true(expected.pair_count > 1);
        for (uint64_t seed = 0; seed < 2 + test_count(6); seed++) {
            lists found = make_lists(all.pair_room / (1 + seed % 3), all.contact_room / (1 + seed % 2));
            const tumble_collide_options options = list_options(&found);
            tmb_outcome outcome;
            crew c;
            begin_crew(&c, w->query, seed);
            c.refusals = 0.3 * (double)(seed % 2);
            ask(&c, w->query, s.models, &s.pose, &options, &outcome);
            assert_int_equal(outcome.status, TUMBLE_OK);
            assert_true(outcome.collide && outcome.pair_count == expected.pair_count);
            assert_int_equal(outcome.contact_count, expected.contact_count);
            assert_int_equal(outcome.exact_tests, expected.counters.exact_tests);
            assert_true(is_small(number) || c.given > 4);
            assert_memory_equal(found.pairs, all.pairs, found.pair_room * sizeof *found.pairs);
            assert_memory_equal(found.contacts, all.contacts, found.contact_room * sizeof *found.contacts);
            assert_int_equal(found.pairs[found.pair_room].polygon_a, 0x77777777);
            assert_int_equal(found.contacts[found.contact_room].polygon_a, 0x77777777);
            slices = c.rounds > slices ? c.rounds : slices;
            free_lists(&found);
        }
        free_lists(&all);
        free_scene(&s);
    }
    assert_true(slices > 60); /* several slices, and more chunks, of pairs and of contacts */
}

/* Teeth across an axis: each of one comb meets each of another across the other axis. */
static tumble_model *make_comb(tumble_context *context, int axis, uint32_t count, int are_quads)
{
    models_mesh mesh = {0};
    for (uint32_t i = 0; i < count; i++) {
        const double at = (double)i / count, ends[4][2] = {{-1, 0}, {2, 0}, {2, 3}, {-1, 3}};
        uint32_t corners[4];
        for (int k = 0; k < 4; k++) {
            corners[k] = axis ? models_point(&mesh, ends[k][0], at, ends[k][1])
                              : models_point(&mesh, at, ends[k][0], ends[k][1]);
        }
        models_polygon(&mesh, corners, are_quads ? 4 : 3);
    }
    tumble_model *model = test_model(context, &mesh, NULL);
    models_free(&mesh);
    return model;
}

/* So many results in each part that it takes several full chunks to sort them. */
static void test_combs(void **state)
{
    test_world *w = *state;
    for (int are_quads = 0; are_quads < 2; are_quads++) {
        const uint32_t count = are_quads ? 300 : 600;
        scene s = {.pose = tumble_pose_identity()};
        s.models[0] = make_comb(w->context, 0, count, are_quads);
        s.models[1] = make_comb(w->context, 1, count, are_quads);
        lists all, found;
        const tumble_collide_result expected = expect(w->query, &s, &all);
        assert_int_equal(expected.pair_count, count * count);
        found = make_lists(all.pair_room, all.contact_room);
        const tumble_collide_options options = list_options(&found);
        tmb_outcome outcome;
        crew c;
        begin_crew(&c, w->query, 3);
        c.refusals = 0.9;
        ask(&c, w->query, s.models, &s.pose, &options, &outcome);
        assert_int_equal(outcome.pair_count, expected.pair_count);
        assert_int_equal(outcome.contact_count, expected.contact_count);
        assert_memory_equal(found.pairs, all.pairs, found.pair_room * sizeof *found.pairs);
        assert_memory_equal(found.contacts, all.contacts, found.contact_room * sizeof *found.contacts);
        free_lists(&found);
        free_lists(&all);
        free_scene(&s);
    }
}

static int has_pair(const lists *all, tumble_pair wanted)
{
    const test_pairs pairs = {.items = all->pairs, .count = all->pair_room};
    return test_has_pair(&pairs, wanted);
}

/* Without lists: how many there are, and whether there is one. */
static void test_counts(void **state)
{
    test_world *w = *state;
    for (int number = 0; number < SCENES; number++) {
        scene s = make_scene(w->context, number);
        lists all;
        const tumble_collide_result expected = expect(w->query, &s, &all);
        for (uint64_t seed = 0; seed < 1 + test_count(5); seed++) {
            for (int mode = TUMBLE_TEST; mode <= TUMBLE_ALL; mode++) {
                tumble_collide_options options = tumble_default_collide_options();
                tmb_outcome outcome;
                crew c;
                begin_crew(&c, w->query, seed);
                options.mode = (tumble_mode)mode;
                ask(&c, w->query, s.models, &s.pose, &options, &outcome);
                assert_int_equal(outcome.status, TUMBLE_OK);
                assert_true(outcome.collide && has_pair(&all, outcome.first));
                assert_int_equal(outcome.pair_count, mode >= TUMBLE_COUNT ? expected.pair_count : 1);
                assert_int_equal(outcome.contact_count, 0);
                assert_true(mode != TUMBLE_ALL || is_small(number) || c.given > 4);
            }
        }
        free_lists(&all);
        free_scene(&s);
    }
}

/* One pair of many, which one part has and most have not: two surfaces that interlock without touching but for a single
 * triangle. Where none is found, all parts are walked. */
static void test_one(void **state)
{
    test_world *w = *state;
    size_t given = 0;
    for (int hit = 0; hit < 2; hit++) {
        const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, low[3] = {0, 0, 0}, high[3] = {0, 0, 1e-6};
        models_mesh meshes[2] = {{0}, {0}};
        scene s = {.pose = tumble_pose_identity()};
        test_make_patch(&meshes[0], 60, x, y, low, 1);
        test_make_patch(&meshes[1], 60, x, y, high, 1);
        if (hit) {
            const uint32_t a = models_point(&meshes[1], 0.21, 0.3, 1), b = models_point(&meshes[1], 0.211, 0.3, 1);
            models_triangle(&meshes[1], a, b, models_point(&meshes[1], 0.21, 0.3, -1));
        }
        for (int k = 0; k < 2; k++) {
            s.models[k] = test_model(w->context, &meshes[k], NULL);
            models_free(&meshes[k]);
        }
        for (uint64_t seed = 0; seed < 20; seed++) {
            tumble_collide_options options = tumble_default_collide_options();
            tmb_outcome outcome;
            crew c;
            begin_crew(&c, w->query, seed);
            options.mode = seed % 2 ? TUMBLE_TEST : TUMBLE_FIRST;
            ask(&c, w->query, s.models, &s.pose, &options, &outcome);
            assert_int_equal(outcome.status, TUMBLE_OK);
            assert_int_equal(outcome.collide, hit);
            assert_int_equal(outcome.pair_count, hit);
            given += c.given;
        }
        free_scene(&s);
    }
    assert_true(given > 100);
}

/* A query with lists where one pair is wanted, with surfaces or with a callback is not shared, and right. */
static bool count_pairs(void *user, const tumble_pair *pairs, size_t pair_count, const tumble_contact *contacts,
                        size_t contact_count)
{
    (void)pairs, (void)contacts, (void)contact_count;
    *(size_t *)user += pair_count;
    return 0;
}

static void test_unshared(void **state)
{
    test_world *w = *state;
    scene s = make_scene(w->context, 0);
    lists all;
    const tumble_collide_result expected = expect(w->query, &s, &all);
    for (int kind = 0; kind < 3; kind++) {
        tumble_collide_options options = tumble_default_collide_options();
        tumble_pair pair;
        size_t called = 0;
        tmb_outcome outcome;
        crew c;
        begin_crew(&c, w->query, 1);
        options.mode = kind == 0 ? TUMBLE_FIRST : TUMBLE_ALL;
        options.pairs = kind == 0 ? &pair : NULL;
        options.pair_capacity = kind == 0;
        options.want_surfaces = kind == 1;
        options.callback = kind == 2 ? count_pairs : NULL;
        options.callback_user = &called;
        ask(&c, w->query, s.models, &s.pose, &options, &outcome);
        assert_int_equal(c.given, 0);
        assert_int_equal(outcome.pair_count, kind == 0 ? 1 : expected.pair_count);
        assert_int_equal(called, kind == 2 ? expected.pair_count : 0);
        assert_true(has_pair(&all, outcome.first));
    }
    free_lists(&all);
    free_scene(&s);
}

/* Wherever the cancelling comes, the parts end, also those that have not begun. */
static void test_cancel(void **state)
{
    test_world *w = *state;
    for (int number = 0; number < 3; number++) {
        scene s = make_scene(w->context, number);
        lists all;
        (void)expect(w->query, &s, &all);
        for (size_t at = 1; at < 20; at += 3) {
            const tumble_collide_options options = list_options(&all);
            tmb_outcome outcome;
            crew c;
            begin_crew(&c, w->query, at);
            c.cancel_at = at;
            ask(&c, w->query, s.models, &s.pose, &options, &outcome);
            assert_int_equal(outcome.status, c.given >= at ? TUMBLE_ERROR_CANCELLED : TUMBLE_OK);
            assert_true(outcome.status == TUMBLE_OK || strstr(outcome.message, "cancelled"));
            assert_true(c.given >= at || at > 4);
            assert_true(c.given <= at);
        }
        free_lists(&all);
        free_scene(&s);
    }
}

/* Whichever allocation fails: the outcome says so, or is right, because a part was kept. Nothing leaks, which the
 * world's end tells. */
static void test_memory(void **state)
{
    test_world *w = *state;
    for (int number = 1; number < 6; number += 2) {
        scene s = make_scene(w->context, number);
        lists all;
        const tumble_collide_result expected = expect(w->query, &s, &all);
        size_t failed = 0, survived = 0, calls = SIZE_MAX;
        for (size_t call = 1; call <= calls; call += 1 + call / (test_effort() < 1 ? 6 : 12)) {
            lists found = make_lists(all.pair_room, all.contact_room);
            const tumble_collide_options options = list_options(&found);
            tumble_query *query = NULL;
            tmb_outcome outcome;
            crew c;
            assert_int_equal(tumble_query_create(w->context, &query), TUMBLE_OK);
            begin_crew(&c, query, 3);
            test_allocator_fail(&w->memory, call, call % 3 == 0);
            ask(&c, query, s.models, &s.pose, &options, &outcome);
            calls = test_allocator_failures(&w->memory) ? calls : 0;
            test_allocator_fail(&w->memory, 0, 0);
            assert_true(outcome.status == TUMBLE_OK || outcome.status == TUMBLE_ERROR_MEMORY);
            if (outcome.status == TUMBLE_OK) {
                assert_int_equal(outcome.pair_count, expected.pair_count);
                assert_memory_equal(found.pairs, all.pairs, all.pair_room * sizeof *found.pairs);
                assert_memory_equal(found.contacts, all.contacts, all.contact_room * sizeof *found.contacts);
                survived += calls != 0;
            } else {
                assert_non_null(strstr(outcome.message, "out of memory for"));
                failed++;
            }
            tumble_query_destroy(query);
            free_lists(&found);
        }
        assert_true(failed > 3 && survived > 0);
        free_lists(&all);
        free_scene(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_lists),    TEST_IN_WORLD(test_combs),  TEST_IN_WORLD(test_counts), TEST_IN_WORLD(test_one),
        TEST_IN_WORLD(test_unshared), TEST_IN_WORLD(test_cancel), TEST_IN_WORLD(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
