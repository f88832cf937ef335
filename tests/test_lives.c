/* Every question to models with every past (lives.h): the answers, statuses and messages are those of fresh models. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lives.h"
#include "mixed_cases.h"
#include "near_cases.h"

/* ---- Sets of triangles ---- */

static void add_triangle(models_mesh *mesh, const double corners[9])
{
    const uint32_t first = (uint32_t)mesh->point_count;
    for (int i = 0; i < 3; i++) {
        (void)models_point(mesh, corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]);
    }
    models_triangle(mesh, first, first + 1, first + 2);
}

/* A triangle at z = 0, and sheets above it, the lowest of them by very little. */
static void make_sheets(models_mesh *a, models_mesh *b, test_random *random)
{
    static const double heights[] = {1e-9, 0.7, 1.37};
    (void)random;
    add_triangle(a, (const double[9]){0, 0, 0, 1, 0, 0, 0, 1, 0});
    for (int i = 0; i < 3; i++) {
        const double z = heights[i];
        add_triangle(b, (const double[9]){0, 0, z, 1, 0, z, 0, 1, z});
    }
}

static void number_surfaces(models_mesh *mesh)
{
    for (size_t i = 0; i < mesh->polygon_count; i++) {
        mesh->surface_ids[i] = (uint32_t)(i * i % 5);
    }
}

static void make_soups(models_mesh *a, models_mesh *b, test_random *random)
{
    test_make_soup(a, random, 17, 0.8);
    test_make_soup(b, random, 11, 0.8);
    number_surfaces(a);
    number_surfaces(b);
}

/* With zeros of both signs. */
static void make_lattices(models_mesh *a, models_mesh *b, test_random *random)
{
    test_make_lattice(a, random, 14, 2, 2, 0.3);
    test_make_lattice(b, random, 10, 2, 2, 0.3);
    number_surfaces(a);
    for (size_t i = 0; i < 3 * a->point_count; i++) {
        a->points[i] = a->points[i] == 0 && test_random_whole(random, 0, 1) ? -0.0 : a->points[i];
    }
}

/* One inside the other, closed. */
static void make_boxes(models_mesh *a, models_mesh *b, test_random *random)
{
    const double size = 0.3, shift[3] = {test_random_range(random, 0.1, 2), 0.5, 0.5};
    test_make_grid_box(a, 1);
    test_make_grid_box(b, 1);
    test_transform(b, size, shift);
}

static void make_times(models_mesh *a, models_mesh *b, test_random *random, double unit)
{
    const double nothing[3] = {0, 0, 0};
    make_lattices(a, b, random);
    test_transform(a, unit, nothing);
    test_transform(b, unit, nothing);
}

static void make_largest(models_mesh *a, models_mesh *b, test_random *random)
{
    make_times(a, b, random, DBL_MAX / 4);
}

static void make_huge(models_mesh *a, models_mesh *b, test_random *random)
{
    make_times(a, b, random, 1e300);
}

static void make_smallest(models_mesh *a, models_mesh *b, test_random *random)
{
    make_times(a, b, random, 0x1p-1074);
}

static void make_subnormal(models_mesh *a, models_mesh *b, test_random *random)
{
    make_times(a, b, random, 1.1e-310);
}

/* Each triangle has a size of its own. */
static void make_sizes(models_mesh *a, models_mesh *b, test_random *random)
{
    test_make_soup(a, random, 7, 1);
    test_make_soup(b, random, 4, 1);
    for (int of_b = 0; of_b < 2; of_b++) {
        models_mesh *mesh = of_b ? b : a;
        for (size_t i = 0; i < mesh->index_count; i += 3) {
            const int exponent = test_random_whole(random, -1070, 1020);
            for (size_t k = 0; k < 9; k++) {
                double *x = mesh->points + 3 * (size_t)mesh->indices[i + k / 3] + k % 3;
                *x = ldexp(*x, exponent);
            }
        }
    }
}

/* Trees of several levels. */
static void make_spheres(models_mesh *a, models_mesh *b, test_random *random)
{
    const double shift[3] = {test_random_range(random, 0.5, 2.5), 0.1, 0.2};
    assert_true(models_make_sized(a, "sphere", 100) && models_make_sized(b, "torus", 40));
    models_fit(a, 2, 1);
    models_fit(b, 2, 0);
    test_transform(b, 1, shift);
    number_surfaces(b);
}

static void make_few(models_mesh *a, models_mesh *b, test_random *random)
{
    test_make_soup(a, random, 1, 1);
    test_make_soup(b, random, (size_t)test_random_whole(random, 0, 2), 1);
}

typedef struct life_set {
    const char *name;
    void (*make)(models_mesh *a, models_mesh *b, test_random *random);
} life_set;

static const life_set sets[] = {{"sheets", make_sheets},
                                {"soups", make_soups},
                                {"lattices", make_lattices},
                                {"boxes", make_boxes},
                                {"largest", make_largest},
                                {"huge", make_huge},
                                {"smallest", make_smallest},
                                {"subnormal", make_subnormal},
                                {"sizes", make_sizes},
                                {"spheres", make_spheres},
                                {"few", make_few}};

/* ---- Poses ---- */

/* From B's size, at which its scale takes it to the largest doubles. */
static double largest_scale(const tumble_model *model)
{
    const tumble_model_info info = test_info(model);
    double reach = 0;
    for (int k = 0; k < 3; k++) {
        reach = fmax(reach, fmax(fabs(info.lower[k]), fabs(info.upper[k])));
    }
    return reach > 1 ? DBL_MAX / reach : DBL_MAX / 2;
}

static tumble_pose scaled(const tumble_pose *pose, double scale)
{
    tumble_pose out = *pose;
    for (int i = 0; i < 9; i++) {
        out.m[i / 3][i % 3] *= scale;
    }
    return out;
}

enum {
    POSE_KINDS = 14
};

/* Some of them are refused, and some are just not. */
static tumble_pose pose_of(size_t kind, const tumble_model *model, double size, test_random *random)
{
    tumble_pose turn = test_rational_turn(random), same = tumble_pose_identity();
    switch (kind) {
    case 0: return same;
    case 1: return turn;
    case 2: return test_quarter_turn((size_t)test_random_whole(random, 0, 23));
    case 3: return scaled(&same, 1e100);
    case 4: return scaled(&turn, 0x1p-900);
    case 5: return scaled(&same, largest_scale(model));
    case 6: return scaled(&same, nextafter(largest_scale(model), INFINITY));
    case 7: return scaled(&turn, largest_scale(model));
    case 8: return scaled(&same, 1.001 * largest_scale(model));
    case 9: return test_translation(size, 0, 0);
    case 10: return test_translation(0, 1e308, -size);
    case 11: return test_translation(0, DBL_MAX, 0);
    case 12: /* no rotation */ same.m[0][1] = 0.5; return same;
    default: turn.m[1][3] = NAN; return turn;
    }
}

/* ---- Questions ---- */

typedef struct meeting {
    test_world *w;
    const test_life *a, *b;
    const tumble_pose *pose_a, *pose_b;
    const char *name;
    size_t turn; /* of things that take turns */
} meeting;

/* What was asked of the models, and of the fresh ones. */
typedef struct reply {
    tumble_status status;
    char message[300];
} reply;

static reply heard(const meeting *m, tumble_status status)
{
    reply r = {.status = status};
    if (status != TUMBLE_OK) {
        assert_int_equal(tumble_query_error(m->w->query, r.message, sizeof r.message), status);
    }
    return r;
}

/* Whether there is an answer; if not, there is none for the same reason. */
static int same_reply(const meeting *m, const reply *found, const reply *expected, const char *question)
{
    if (found->status != expected->status || strcmp(found->message, expected->message) != 0) {
        fail_msg("%s, %s: status %d (%s) instead of %d (%s)", m->name, question, (int)found->status, found->message,
                 (int)expected->status, expected->message);
    }
    return found->status == TUMBLE_OK;
}

static tumble_pair renumbered(const meeting *m, tumble_pair pair)
{
    return (tumble_pair){test_life_rank(m->a, pair.polygon_a), test_life_rank(m->b, pair.polygon_b)};
}

static void renumber(const meeting *m, mixed_answers *answers)
{
    for (size_t i = 0; i < answers->pair_count; i++) {
        answers->pairs[i] = renumbered(m, answers->pairs[i]);
    }
    for (size_t i = 0; i < answers->contact_count; i++) {
        tumble_contact *c = &answers->contacts[i];
        const tumble_pair pair = renumbered(m, (tumble_pair){c->polygon_a, c->polygon_b});
        c->polygon_a = pair.polygon_a;
        c->polygon_b = pair.polygon_b;
    }
    answers->first = answers->collide ? renumbered(m, answers->first) : answers->first;
}

/* Every mode; returns all pairs, which are to be freed, and whether there is an answer. */
static int ask_collisions(const meeting *m, double clearance, mixed_answers *out)
{
    tumble_query *query = m->w->query;
    *out = mixed_ask(query, m->a->fresh, m->pose_a, m->b->fresh, m->pose_b, clearance);
    const reply expected = heard(m, out->status);
    mixed_answers found = mixed_ask(query, m->a->model, m->pose_a, m->b->model, m->pose_b, clearance);
    const reply own = heard(m, found.status);
    const int ok = same_reply(m, &own, &expected, "collide");
    renumber(m, &found);
    mixed_assert_same(&found, out, "%s, clearance %g", m->name, clearance);
    mixed_free_answers(&found);
    return ok;
}

/* Where contacts are refused, which mixed_ask wants: those without them may not be. */
static void ask_modes(const meeting *m)
{
    for (int mode = TUMBLE_TEST; mode <= TUMBLE_SURFACES; mode++) {
        tumble_collide_options options = tumble_default_collide_options();
        tumble_collide_result right, own;
        options.mode = (tumble_mode)mode;
        const reply expected =
            heard(m, tumble_collide(m->w->query, m->a->fresh, m->pose_a, m->b->fresh, m->pose_b, &options, &right));
        const reply found =
            heard(m, tumble_collide(m->w->query, m->a->model, m->pose_a, m->b->model, m->pose_b, &options, &own));
        if (same_reply(m, &found, &expected, "collide") &&
            (own.collide != right.collide || own.surface_pair_count != right.surface_pair_count ||
             (mode != TUMBLE_SURFACES && own.pair_count != right.pair_count))) {
            fail_msg("%s, mode %d: %llu pairs instead of %llu", m->name, mode, (unsigned long long)own.pair_count,
                     (unsigned long long)right.pair_count);
        }
    }
}

/* 1: there is an answer from both. */
static int ask_distances(const meeting *m, const tumble_distance_options *options, tumble_distance_result *expected,
                         tumble_distance_result *found)
{
    tumble_query *query = m->w->query;
    *expected = *found = (tumble_distance_result){0};
    const reply right =
        heard(m, tumble_distance(query, m->a->fresh, m->pose_a, m->b->fresh, m->pose_b, options, expected));
    const reply own = heard(m, tumble_distance(query, m->a->model, m->pose_a, m->b->model, m->pose_b, options, found));
    return same_reply(m, &own, &right, "distance");
}

static void compare_answers(const meeting *m, const tumble_distance_result *found,
                            const tumble_distance_result *expected, const char *question)
{
    if (found->answer != expected->answer || found->is_complete != expected->is_complete) {
        fail_msg("%s, %s: answer %d instead of %d", m->name, question, (int)found->answer, (int)expected->answer);
    }
}

/* Just within, at the very distance, just not, and plainly not: one of them. */
static void ask_within(const meeting *m, double distance)
{
    const double limits[] = {nextafter(distance, INFINITY), nextafter(distance, 0), distance, 0.7 * distance};
    const size_t few = 500, which = m->a->count * m->b->count > few ? 3 : m->turn % 4;
    tumble_distance_options options = tumble_default_distance_options();
    tumble_distance_result found, expected;
    options.within = fmin(limits[which], DBL_MAX);
    options.enough = m->turn / 4 % 2 ? options.within : 0;
    if (ask_distances(m, &options, &expected, &found)) {
        compare_answers(m, &found, &expected, "within");
    }
}

typedef struct near_list {
    double nearest;
    tumble_near *items;
    size_t count;
} near_list;

/* All pairs that are as near as the nearest one, by the fresh models' numbers. */
static reply list_near(const meeting *m, int is_fresh, near_list *out)
{
    tumble_distance_options options = tumble_default_distance_options();
    tumble_distance_result result = {0};
    options.want_pairs = 1;
    const tumble_model *a = is_fresh ? m->a->fresh : m->a->model, *b = is_fresh ? m->b->fresh : m->b->model;
    const reply r = heard(m, tumble_distance(m->w->query, a, m->pose_a, b, m->pose_b, &options, &result));
    *out = (near_list){.nearest = result.nearest.distance};
    out->count = r.status == TUMBLE_OK ? (size_t)result.pair_count : 0;
    out->items = malloc((out->count + 1) * sizeof *out->items);
    assert_non_null(out->items);
    for (size_t i = 0; i < out->count; i++) {
        tumble_near *item = &out->items[i];
        *item = result.pairs[i];
        const tumble_pair pair = {item->polygon_a, item->polygon_b}, own = is_fresh ? pair : renumbered(m, pair);
        item->polygon_a = own.polygon_a;
        item->polygon_b = own.polygon_b;
    }
    return r;
}

/* Distances are rounded, so that of two pairs that are nearest but for that, either may be found; the list then has the
 * other one, or has not. */
static void ask_near_pairs(const meeting *m)
{
    near_list found, expected;
    const reply right = list_near(m, 1, &expected), own = list_near(m, 0, &found);
    if (same_reply(m, &own, &right, "near pairs")) {
        const int is_longer = found.nearest >= expected.nearest;
        const near_list *few = is_longer ? &expected : &found, *many = is_longer ? &found : &expected;
        near_assert_same(found.nearest, expected.nearest, m->name);
        size_t at = 0;
        for (size_t i = 0; i < many->count; i++) {
            at += at < few->count && memcmp(&few->items[at], &many->items[i], sizeof *few->items) == 0;
            near_assert_same(many->items[i].distance, few->nearest, m->name);
        }
        if (at != few->count || (few->nearest == many->nearest && few->count != many->count)) {
            fail_msg("%s: %zu near pairs instead of %zu, at %.17g and %.17g", m->name, found.count, expected.count,
                     found.nearest, expected.nearest);
        }
    }
    free(found.items);
    free(expected.items);
}

/* What a budget leaves open may differ, but nothing that is said is wrong. */
static void ask_with_budget(const meeting *m, double distance)
{
    tumble_distance_options options = tumble_default_distance_options();
    tumble_distance_result result;
    options.budget_box_tests = 3;
    test_assert_status(m->w->context,
                       tumble_distance(m->w->query, m->a->model, m->pose_a, m->b->model, m->pose_b, &options, &result),
                       TUMBLE_OK, "");
    if (!(result.lower <= distance || near_same(result.lower, distance)) ||
        !(result.upper >= distance || near_same(result.upper, distance)) ||
        (result.is_complete && !near_same(result.upper, distance))) {
        fail_msg("%s: %.17g is not in [%.17g, %.17g]", m->name, distance, result.lower, result.upper);
    }
}

static void ask_relation(const meeting *m, const mixed_answers *pairs)
{
    tumble_relation_result found = {0}, expected = {0};
    tumble_query *query = m->w->query;
    const reply right = heard(m, tumble_relate(query, m->a->fresh, m->pose_a, m->b->fresh, m->pose_b, &expected));
    const reply own = heard(m, tumble_relate(query, m->a->model, m->pose_a, m->b->model, m->pose_b, &found));
    if (!same_reply(m, &own, &right, "relate")) {
        return;
    }
    if (found.relation != expected.relation || found.closed_a != expected.closed_a ||
        found.closed_b != expected.closed_b || found.surfaces_meet != expected.surfaces_meet) {
        fail_msg("%s: %s instead of %s", m->name, tumble_relation_name(found.relation),
                 tumble_relation_name(expected.relation));
    }
    const test_pairs all = {pairs->pairs, pairs->pair_count, 0};
    assert_true(!found.surfaces_meet || pairs->status != TUMBLE_OK || test_has_pair(&all, renumbered(m, found.pair)));
}

static void ask_distance(const meeting *m)
{
    tumble_distance_result found, expected;
    if (!ask_distances(m, NULL, &expected, &found)) {
        return;
    }
    compare_answers(m, &found, &expected, "distance");
    if (expected.answer == TUMBLE_YES) {
        near_assert_same(found.nearest.distance, expected.nearest.distance, m->name);
        near_assert_same(found.lower, expected.lower, m->name);
        near_assert_same(found.upper, expected.upper, m->name);
        ask_within(m, expected.nearest.distance);
        ask_near_pairs(m);
        ask_with_budget(m, expected.nearest.distance);
    }
}

static void ask_everything(const meeting *m, double size)
{
    mixed_answers answers = {0}, others = {0};
    if (ask_collisions(m, 0, &answers)) {
        (void)ask_collisions(m, 0.1 * size, &others);
    } else {
        ask_modes(m);
    }
    ask_relation(m, &answers);
    ask_distance(m);
    mixed_free_answers(&answers);
    mixed_free_answers(&others);
}

/* ---- Batches ---- */

enum {
    CHECKS = POSE_KINDS,
    ROOM = 40
};

typedef struct batch_answers {
    tumble_check_answer answers[CHECKS];
    tumble_pair found[CHECKS][ROOM];
} batch_answers;

static tumble_status ask_batch(test_world *w, tumble_device *device, tumble_mode mode, const tumble_model *a,
                               const tumble_model *b, const tumble_pose *poses, tumble_ticket_report *report,
                               batch_answers *out)
{
    tumble_model_pair pair;
    tumble_ticket ticket;
    memset(out, 0, sizeof *out);
    test_assert_status(w->context, tumble_device_add_model(device, a, &pair.a), TUMBLE_OK, "");
    test_assert_status(w->context, tumble_device_add_model(device, b, &pair.b), TUMBLE_OK, "");
    tumble_batch batch = tumble_default_batch();
    batch.mode = mode, batch.check_count = CHECKS, batch.pairs = &pair, batch.pair_count = 1;
    batch.poses_b = poses, batch.pose_b_count = CHECKS, batch.answers = out->answers;
    if (mode == TUMBLE_ALL) {
        batch.found = out->found[0], batch.found_capacity = ROOM;
    }
    test_assert_status(w->context, tumble_device_submit(device, &batch, INFINITY, &ticket), TUMBLE_OK, "");
    const tumble_status status = tumble_device_wait(device, ticket, INFINITY, report);
    tumble_device_remove_model(pair.a);
    tumble_device_remove_model(pair.b);
    return status;
}

static void compare_check(const meeting *m, tumble_mode mode, const batch_answers *found, const batch_answers *expected,
                          size_t i)
{
    const tumble_check_answer *own = &found->answers[i], *right = &expected->answers[i];
    if (own->status != right->status || own->collide != right->collide || own->pair_count != right->pair_count) {
        fail_msg("%s, check %zu of a batch: status %d, %llu pairs, instead of status %d, %llu pairs", m->name, i,
                 (int)own->status, (unsigned long long)own->pair_count, (int)right->status,
                 (unsigned long long)right->pair_count);
    }
    for (size_t k = 0; mode == TUMBLE_ALL && k < ROOM && k < own->pair_count; k++) {
        const tumble_pair pair = renumbered(m, found->found[i][k]);
        assert_memory_equal(&pair, &expected->found[i][k], sizeof pair);
    }
}

static void ask_batches(const meeting *m, tumble_device *device, const tumble_pose *poses)
{
    static batch_answers found, expected;
    for (int mode = TUMBLE_TEST; mode <= TUMBLE_ALL; mode++) {
        tumble_ticket_report own, right;
        const tumble_status status_right =
            ask_batch(m->w, device, (tumble_mode)mode, m->a->fresh, m->b->fresh, poses, &right, &expected);
        const tumble_status status =
            ask_batch(m->w, device, (tumble_mode)mode, m->a->model, m->b->model, poses, &own, &found);
        if (status != status_right || strcmp(own.message, right.message) != 0) {
            fail_msg("%s, a batch: %s instead of %s", m->name, own.message, right.message);
        }
        for (size_t i = 0; i < CHECKS; i++) {
            compare_check(m, (tumble_mode)mode, &found, &expected, i);
        }
    }
}

/* ---- All of it ---- */

static void compare_facts(const test_life *life)
{
    const tumble_model_info found = test_info(life->model), expected = test_info(life->fresh);
    test_assert_same_facts(&found, &expected);
    for (size_t i = 0; i < life->count; i++) {
        uint32_t own, right;
        assert_int_equal(tumble_model_surface(life->model, life->numbers[i], &own), TUMBLE_OK);
        assert_int_equal(tumble_model_surface(life->fresh, (uint32_t)i, &right), TUMBLE_OK);
        assert_int_equal(own, right);
    }
}

static void compare_lives(test_world *w, tumble_device *device, const test_life *a, const test_life *b, size_t turn,
                          test_random *random)
{
    const tumble_model_info info = test_info(b->fresh);
    const double size = fmax(fmax(info.upper[0] - info.lower[0], info.upper[1] - info.lower[1]), 0x1p-1074);
    tumble_pose poses[CHECKS];
    char name[500];
    compare_facts(a);
    compare_facts(b);
    meeting m = {.w = w, .a = a, .b = b, .name = name, .turn = turn};
    for (size_t i = 0; i < POSE_KINDS; i++) {
        poses[i] = pose_of(i, b->fresh, fmin(size, DBL_MAX), random);
    }
    const size_t count = test_count(2);
    for (size_t i = 0; i < count && i < POSE_KINDS; i++) {
        const size_t at = (turn * 5 + i) % POSE_KINDS, other = (size_t)test_random_whole(random, 0, POSE_KINDS - 1);
        const tumble_pose pose_a = pose_of(other, a->fresh, fmin(size, DBL_MAX), random);
        m.pose_a = turn % 3 ? NULL : &pose_a;
        m.pose_b = &poses[at];
        m.turn = turn + i;
        (void)snprintf(name, sizeof name, "%s against %s, poses %zu and %zu", a->name, b->name,
                       m.pose_a ? other : (size_t)0, at);
        ask_everything(&m, fmin(size, 1e300));
    }
    if (turn % 4 == 0) {
        ask_batches(&m, device, poses);
    }
}

/* Of the kinds every ninth, others for each set, unless there is more effort than usual. */
static void test_set(test_world *w, tumble_device *device, const life_set *set, test_random *random)
{
    const size_t kinds = test_life_kinds();
    const size_t step = test_effort() > 1 ? 1 : 9;
    for (size_t kind = (size_t)(set - sets) % step; kind < kinds; kind += step) {
        models_mesh mesh_a = {0}, mesh_b = {0};
        set->make(&mesh_a, &mesh_b, random);
        test_life a = test_life_make(w->context, &mesh_a, kind, random);
        test_life b = test_life_make(w->context, &mesh_b, (size_t)test_random_whole(random, 0, (int)kinds - 1), random);
        compare_lives(w, device, &a, &b, kind, random);
        test_life_free(&a);
        test_life_free(&b);
        models_free(&mesh_a);
        models_free(&mesh_b);
    }
}

static void test_every_question(void **state)
{
    test_world *w = *state;
    tumble_device *device;
    tumble_device_options options = tumble_default_device_options();
    options.thread_count = 2;
    test_assert_status(w->context, tumble_device_open(w->context, 0, &options, &device), TUMBLE_OK, "");
    assert_true(test_life_kinds() > 100);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        test_random random = {i};
        test_set(w, device, &sets[i], &random);
    }
    tumble_device_close(device);
}

/* ---- Two that went wrong ---- */

static uint32_t insert_triangle(test_world *w, tumble_model *model, const double corners[9])
{
    models_mesh mesh = {0};
    uint32_t number;
    add_triangle(&mesh, corners);
    const tumble_mesh view = models_view(&mesh);
    test_assert_status(w->context, tumble_model_insert(model, &view, &number), TUMBLE_OK, "");
    models_free(&mesh);
    return number;
}

/* Rounded bounds of the sheets reach down to the triangle. */
static void test_sheet_inserted(void **state)
{
    test_world *w = *state;
    models_mesh triangle = {0}, sheets = {0};
    const tumble_model_options options = test_tree_variant(TEST_TREE_RTREE);
    tumble_relation_result result;
    add_triangle(&triangle, (const double[9]){0, 0, 0, 1, 0, 0, 0, 1, 0});
    add_triangle(&sheets, (const double[9]){0, 0, 1e-9, 1, 0, 1e-9, 0, 1, 1e-9});
    add_triangle(&sheets, (const double[9]){0, 0, 1.37, 1, 0, 1.37, 0, 1, 1.37});
    tumble_model *a = test_model(w->context, &triangle, &options), *b = test_model(w->context, &sheets, &options);
    (void)insert_triangle(w, b, (const double[9]){0, 0, 0.7, 1, 0, 0.7, 0, 1, 0.7});
    test_assert_status(w->context, tumble_relate(w->query, a, NULL, b, NULL, &result), TUMBLE_OK, "");
    assert_int_equal(result.relation, TUMBLE_RELATION_APART);
    tumble_model_destroy(a);
    tumble_model_destroy(b);
    models_free(&triangle);
    models_free(&sheets);
}

/* Bounds that do not shrink to the last bit do not let a large scale pass. */
static void test_scale_after_removal(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    const tumble_model_options options = test_tree_variant(TEST_TREE_RTREE);
    const tumble_pose same = tumble_pose_identity(), large = scaled(&same, 1e100);
    tumble_collide_result result;
    test_make_grid_box(&mesh, 3);
    tumble_model *model = test_model(w->context, &mesh, &options);
    const uint32_t number = insert_triangle(w, model, (const double[9]){1e300, 0, 0, 0, 1e300, 0, 0, 0, -1e300});
    test_assert_status(w->context, tumble_collide(w->query, model, NULL, model, &large, NULL, &result),
                       TUMBLE_ERROR_NOT_FINITE, "B's points become infinite");
    test_assert_status(w->context, tumble_model_remove(model, &number, 1), TUMBLE_OK, "");
    test_assert_status(w->context, tumble_collide(w->query, model, NULL, model, &large, NULL, &result), TUMBLE_OK, "");
    const tumble_pose largest = scaled(&same, nextafter(largest_scale(model), 0));
    test_assert_status(w->context, tumble_collide(w->query, model, NULL, model, &largest, NULL, &result), TUMBLE_OK,
                       "");
    tumble_model_destroy(model);
    models_free(&mesh);
}

/* A query that has seen an edited model keeps nothing of it for the model it was made from. */
static void test_edited_and_original(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    test_random random = {4};
    const tumble_model_options options = test_tree_variant(TEST_TREE_RTREE);
    const tumble_pose far = test_translation(5, 1, 2);
    test_make_soup(&mesh, &random, 200, 0.3);
    tumble_model *model = test_model(w->context, &mesh, &options), *copy;
    tumble_distance_result result, expected;
    size_t size;
    const void *block = tumble_model_block(model, &size);
    test_assert_status(w->context, tumble_model_from_block(w->context, block, size, 1, &copy), TUMBLE_OK, "");
    assert_int_equal(tumble_distance(w->query, model, NULL, model, &far, NULL, &expected), TUMBLE_OK);
    for (uint32_t i = 0; i < 190; i++) {
        test_assert_status(w->context, tumble_model_remove(copy, &i, 1), TUMBLE_OK, "");
    }
    (void)insert_triangle(w, copy, (const double[9]){2.5, 0, 0, 3, 0, 0, 2, 1, 0});
    for (int coherence = 0; coherence < 2; coherence++) {
        tumble_distance_options asked = tumble_default_distance_options();
        asked.coherence = coherence;
        assert_int_equal(tumble_distance(w->query, copy, NULL, copy, &far, &asked, &result), TUMBLE_OK);
        assert_true(result.nearest.distance < expected.nearest.distance);
        assert_int_equal(tumble_distance(w->query, model, NULL, model, &far, &asked, &result), TUMBLE_OK);
        near_assert_same(result.nearest.distance, expected.nearest.distance, "the original");
    }
    tumble_model_destroy(copy);
    tumble_model_destroy(model);
    models_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_sheet_inserted),
        TEST_IN_WORLD(test_scale_after_removal),
        TEST_IN_WORLD(test_edited_and_original),
        TEST_IN_WORLD(test_every_question),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
