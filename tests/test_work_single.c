/* The work of questions about one model, in counters, compared with what is kept in data/work_single.inc: itself, rays,
 * points inside it, closest points, boxes and balls. Like test_work.c: a filter or a traversal that gets worse gives
 * the same answers and is noticed here. A change on purpose is kept with TUMBLE_TEST_WORK=print
 * build/ci/tests/test_work_single | grep '^    {' >tests/data/work_single.inc */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "mixed_cases.h"
#include "work_book.h"

enum {
    ASKED = 60 /* rays, points, boxes */
};

static const work_row kept[] = {
#include "data/work_single.inc"
};

static work_book book = {kept, sizeof kept / sizeof *kept, 0, 0};

/* One model and what is asked about it. */
typedef struct asked {
    tumble_query *query;
    const tumble_model *model;
    double points[ASKED][3], directions[ASKED][3];
    uint64_t work[WORK_NUMBERS];
    double seconds;
} asked;

/* Adds the work of a question that was asked at `start`, and tells how long it took. */
static void add(asked *q, const tumble_counters *c, double start)
{
    assert_true(c->seconds >= 0 && c->seconds <= tmb_seconds() - start);
    q->seconds += c->seconds;
    work_add(q->work, c);
}

/* ---- Questions ---- */

static void ask_self(asked *q, tumble_mode mode, int soup, double clearance, uint32_t rings)
{
    tumble_self_options options = tumble_default_self_options();
    tumble_self_result result;
    options.mode = mode;
    options.soup = soup;
    options.clearance = clearance;
    options.rings = rings;
    const double start = tmb_seconds();
    assert_int_equal(tumble_self_collide(q->query, q->model, &options, &result), TUMBLE_OK);
    add(q, &result.counters, start);
}

static void ask_rays(asked *q, tumble_mode mode, double t1)
{
    tumble_ray_batch batch = tumble_default_ray_batch();
    tumble_ray_options options = tumble_default_ray_options();
    tumble_ray_result result;
    batch.count = ASKED;
    batch.origins = q->points[0];
    batch.directions = q->directions[0];
    options.mode = mode;
    options.t0 = mode == TUMBLE_COUNT ? -(double)INFINITY : 0;
    options.t1 = t1;
    double start = tmb_seconds();
    assert_int_equal(tumble_rays(q->query, q->model, NULL, &batch, &options, &result), TUMBLE_OK);
    add(q, &result.counters, start);
    for (int i = 0; i < ASKED; i++) {
        start = tmb_seconds();
        assert_int_equal(tumble_ray(q->query, q->model, NULL, q->points[i], q->directions[i], &options, &result),
                         TUMBLE_OK);
        add(q, &result.counters, start);
    }
}

static void ask_inside(asked *q, tumble_inside_rule rule)
{
    tumble_inside_options options = tumble_default_inside_options();
    tumble_inside_answer answers[ASKED];
    tumble_counters counters;
    options.rule = rule;
    const double start = tmb_seconds();
    assert_int_equal(tumble_inside(q->query, q->model, NULL, q->points[0], ASKED, &options, answers, &counters),
                     TUMBLE_OK);
    add(q, &counters, start);
}

static void ask_closest(asked *q, size_t count, double within)
{
    tumble_closest_options options = tumble_default_closest_options();
    tumble_closest_result result;
    options.count = count;
    options.within = within;
    options.want_sign = count == 1;
    double start = tmb_seconds();
    assert_int_equal(tumble_closest_points(q->query, q->model, NULL, q->points[0], ASKED, &options, &result),
                     TUMBLE_OK);
    add(q, &result.counters, start);
    for (int i = 0; i < ASKED; i++) {
        start = tmb_seconds();
        assert_int_equal(tumble_closest_point(q->query, q->model, NULL, q->points[i], &options, &result), TUMBLE_OK);
        add(q, &result.counters, start);
    }
}

static void ask_overlap(asked *q, tumble_mode mode, int is_ball)
{
    tumble_overlap_options options = tumble_default_overlap_options();
    tumble_overlap_result result;
    options.mode = mode;
    for (int i = 0; i < ASKED; i++) {
        const double *d = q->directions[i], half[3] = {fabs(d[0]) / 4, fabs(d[1]) / 4, fabs(d[2]) / 4};
        const tumble_pose pose = test_translation(q->points[i][0], q->points[i][1], q->points[i][2]);
        const double start = tmb_seconds();
        const tumble_status status =
            is_ball ? tumble_overlap_sphere(q->query, q->model, NULL, q->points[i], half[0], &options, &result)
                    : tumble_overlap_box(q->query, q->model, NULL, &pose, half, &options, &result);
        assert_int_equal(status, TUMBLE_OK);
        add(q, &result.counters, start);
    }
}

#define QUESTIONS(X)                                          \
    X("self", ask_self(&q, TUMBLE_ALL, 0, 0, 1))              \
    X("self, test", ask_self(&q, TUMBLE_TEST, 0, 0, 1))       \
    X("self, soup", ask_self(&q, TUMBLE_COUNT, 1, 0, 1))      \
    X("self, near", ask_self(&q, TUMBLE_COUNT, 0, 0.0625, 1)) \
    X("self, rings", ask_self(&q, TUMBLE_ALL, 0, 0.0625, 3))  \
    X("rays, first", ask_rays(&q, TUMBLE_FIRST, INFINITY))    \
    X("rays, short", ask_rays(&q, TUMBLE_FIRST, 0.25))        \
    X("rays, test", ask_rays(&q, TUMBLE_TEST, INFINITY))      \
    X("rays, count", ask_rays(&q, TUMBLE_COUNT, INFINITY))    \
    X("rays, all", ask_rays(&q, TUMBLE_ALL, INFINITY))        \
    X("inside", ask_inside(&q, TUMBLE_INSIDE_PARITY))         \
    X("winding", ask_inside(&q, TUMBLE_INSIDE_WINDING))       \
    X("closest", ask_closest(&q, 1, INFINITY))                \
    X("closest, several", ask_closest(&q, 5, INFINITY))       \
    X("closest, within", ask_closest(&q, 1, 0.125))           \
    X("box, test", ask_overlap(&q, TUMBLE_TEST, 0))           \
    X("box, all", ask_overlap(&q, TUMBLE_ALL, 0))             \
    X("ball, test", ask_overlap(&q, TUMBLE_TEST, 1))          \
    X("ball, count", ask_overlap(&q, TUMBLE_COUNT, 1))

static void ask_all(const asked *asker, const char *mesh, size_t kind)
{
#define ASK(name, question)                                                    \
    {                                                                          \
        asked q = *asker;                                                      \
        char text[64];                                                         \
        question;                                                              \
        (void)snprintf(text, sizeof text, "%s %d, %s", mesh, (int)kind, name); \
        assert_true(q.seconds > 0);                                            \
        work_compare(&book, text, q.work);                                     \
    }
    QUESTIONS(ASK)
#undef ASK
}

/* ---- Models ---- */

/* A closed box whose faces are crumpled, so that they run through each other; parts of some are flat, or folded. */
static void make_crumpled(models_mesh *mesh, test_random *random, uint32_t n)
{
    test_make_grid_box(mesh, n);
    for (size_t i = 0; i < 3 * mesh->point_count; i++) {
        const int step = i % 7 == 0 ? test_random_whole(random, -12, 12) : 0;
        mesh->points[i] = (mesh->points[i] + step / 4.0) / n;
    }
}

static void make_quads(models_mesh *mesh, test_random *random)
{
    for (uint32_t i = 0; i < 13 * 13; i++) {
        const uint32_t x = i % 13, y = i / 13;
        (void)models_point(mesh, x / 8.0 - 0.75, y / 8.0 - 0.75, test_random_whole(random, -3, 3) / 8.0);
    }
    for (uint32_t i = 0; i < 12 * 12; i++) {
        const uint32_t corner = i / 12 * 13 + i % 12;
        models_quad(mesh, corner, corner + 1, corner + 14, corner + 13);
    }
}

static void choose(asked *q, const models_mesh *mesh)
{
    test_random random = {21};
    for (int i = 0; i < ASKED; i++) {
        const size_t point = (size_t)test_random_whole(&random, 0, (int)mesh->point_count - 1);
        for (int k = 0; k < 3; k++) {
            const double corner = mesh->points[3 * point + (size_t)k], whole = test_random_whole(&random, -6, 6) / 4.0;
            q->points[i][k] = i % 3 == 0 ? whole : test_random_range(&random, -1.25, 1.25);
            q->directions[i][k] = i % 2 ? corner - q->points[i][k] : (whole + (k == i % 3)) / 4;
        }
        q->directions[i][0] += q->directions[i][0] == 0 && q->directions[i][1] == 0 && q->directions[i][2] == 0;
    }
}

static void test_single(void **state)
{
    static const char *const names[] = {"crumpled", "quads", "soup"};
    test_world *w = *state;
    test_random random = {3};
    models_mesh meshes[3] = {{0}, {0}, {0}};
    make_crumpled(&meshes[0], &random, 9);
    make_quads(&meshes[1], &random);
    test_make_soup(&meshes[2], &random, 500, 0.25);
    for (int i = 0; i < 3; i++) {
        mixed_family family = mixed_make(w->context, &meshes[i]);
        for (size_t kind = MIXED_WIDE; kind < MIXED_KINDS; kind += i ? 5 : 1) {
            asked q = {.query = w->query, .model = family.models[kind]};
            choose(&q, &meshes[i]);
            ask_all(&q, names[i], kind);
        }
        mixed_free(&family);
        models_free(&meshes[i]);
    }
    work_end(&book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_single)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
