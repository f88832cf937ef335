/* The work of fixed questions about thin things at odd angles (trusses, cables, needles), beside each other and beside
 * an ordinary part, in counters, as test_work has them for all hierarchies. A change on purpose is kept with
 * TUMBLE_TEST_WORK=print build/ci/tests/test_work_thin | grep '^    {' >tests/data/work_thin.inc */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes.h"

enum {
    TRIANGLES = 4000,
    SHAPES = 4,
    POSES = 6,
    COUNTERS = 3
};

static const char *const shapes[SHAPES] = {"truss", "cables", "needles", "gear"};

typedef enum question {
    QUESTION_test,
    QUESTION_count,
    QUESTION_distance,
    QUESTIONS
} question;

typedef struct row {
    int a, b;
    question question;
    uint64_t work[COUNTERS];
} row;

static const row kept[] = {
#include "data/work_thin.inc"
};

static tumble_model *model_of(tumble_context *context, const char *shape)
{
    models_mesh mesh;
    tumble_model *model = NULL;
    assert_int_equal(models_make_sized(&mesh, shape, TRIANGLES), 1);
    models_fit(&mesh, 2, 1);
    const tumble_mesh view = models_view(&mesh);
    assert_int_equal(tumble_model_create(context, &view, NULL, &model), TUMBLE_OK);
    models_free(&mesh);
    return model;
}

static void add(row *r, const tumble_counters *c)
{
    const uint64_t work[COUNTERS] = {c->box_tests, c->box_updates, c->primitive_tests};
    for (int i = 0; i < COUNTERS; i++) {
        r->work[i] += work[i];
    }
}

/* Somewhere in each other to plainly apart. */
static void ask(tumble_query *query, const tumble_model *a, const tumble_model *b, row *r)
{
    test_random random = {17};
    for (int i = 0; i < POSES; i++) {
        tumble_pose pose = models_random_rotation(&(models_random){(uint64_t)i + 1});
        for (int k = 0; k < 3; k++) {
            pose.m[k][3] = test_random_range(&random, 0.25, 0.5) * (i + (r->question == QUESTION_distance ? 3 : 0));
        }
        if (r->question == QUESTION_distance) {
            tumble_distance_result result;
            assert_int_equal(tumble_distance(query, a, NULL, b, &pose, NULL, &result), TUMBLE_OK);
            add(r, &result.counters);
        } else {
            tumble_collide_options options = tumble_default_collide_options();
            tumble_collide_result result;
            options.mode = r->question == QUESTION_test ? TUMBLE_TEST : TUMBLE_COUNT;
            assert_int_equal(tumble_collide(query, a, NULL, b, &pose, &options, &result), TUMBLE_OK);
            add(r, &result.counters);
        }
    }
}

static void print_row(const row *r)
{
    printf("    {%d, %d, QUESTION_%s, {%llu, %llu, %llu}},\n", r->a, r->b,
           r->question == QUESTION_test    ? "test"
           : r->question == QUESTION_count ? "count"
                                           : "distance",
           (unsigned long long)r->work[0], (unsigned long long)r->work[1], (unsigned long long)r->work[2]);
}

/* Returns 1 if it is other than what is kept. */
static int compare(const row *r, size_t number)
{
    if (getenv("TUMBLE_TEST_WORK")) {
        print_row(r);
        return 0;
    }
    assert_true(number < sizeof kept / sizeof *kept);
    const row *k = &kept[number];
    assert_true(k->a == r->a && k->b == r->b && k->question == r->question);
    if (memcmp(k->work, r->work, sizeof r->work) == 0) {
        return 0;
    }
    print_message("%s and %s: the work was\n", shapes[r->a], shapes[r->b]);
    print_row(k);
    print_message("and is now\n");
    print_row(r);
    return 1;
}

static void test_thin(void **state)
{
    test_world *w = *state;
    tumble_model *models[SHAPES];
    size_t number = 0;
    int differing = 0;
    for (int i = 0; i < SHAPES; i++) {
        models[i] = model_of(w->context, shapes[i]);
    }
    for (int a = 0; a < SHAPES - 1; a++) {
        for (int n = 0; n < 2 * QUESTIONS; n++) { /* with itself, and with the ordinary part */
            row r = {a, n < QUESTIONS ? a : SHAPES - 1, (question)(n % QUESTIONS), {0}};
            ask(w->query, models[r.a], models[r.b], &r);
            differing += compare(&r, number++);
        }
    }
    for (int i = 0; i < SHAPES; i++) {
        tumble_model_destroy(models[i]);
    }
    assert_int_equal(differing, 0);
    assert_true(getenv("TUMBLE_TEST_WORK") || number == sizeof kept / sizeof *kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_thin)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
