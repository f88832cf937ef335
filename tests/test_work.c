/* The work of fixed questions, in counters, compared with what is kept in data/work.inc: a traversal or a tree that
 * gets worse gives the same answers and is noticed here. The counters are the same for every compiler and instruction
 * set. A change on purpose is kept with TUMBLE_TEST_WORK=print build/ci/tests/test_work | grep '^    {'
 * >tests/data/work.inc */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mixed_cases.h"

/* ---- Scenes ---- */

enum {
    CROSSINGS = 3,
    PATH = 5
};

/* Two surfaces with a few thousand pairs of triangles between them, far fewer that meet, and a pile of one triangle. */
typedef struct scene {
    mixed_family families[2], pile;
    tumble_pose crossing[CROSSINGS], apart[PATH];
} scene;

/* A sheet of n x n squares whose height is a polynomial; rows of squares are surfaces. */
static void make_sheet(models_mesh *mesh, uint32_t n, double height)
{
    for (uint32_t i = 0; i <= n; i++) {
        for (uint32_t j = 0; j <= n; j++) {
            const double x = 2.0 * i / n - 1, y = 2.0 * j / n - 1;
            (void)models_point(mesh, x, y, height * (x * x * x - 0.5 * x + y * (y * y - 0.75) * x));
        }
    }
    for (uint32_t i = 0; i < n * n; i++) {
        const uint32_t corner = i / n * (n + 1) + i % n;
        const uint32_t lower[3] = {corner, corner + 1, corner + n + 2},
                       upper[3] = {corner, corner + n + 2, corner + n + 1};
        mesh->surface = i / n;
        models_polygon(mesh, lower, 3);
        models_polygon(mesh, upper, 3);
    }
}

static void make_pile(models_mesh *mesh, uint32_t count)
{
    const uint32_t corners[3] = {models_point(mesh, 0, 0, 0), models_point(mesh, 1, 0.5, 0.25),
                                 models_point(mesh, 0.25, 1, 0.5)};
    for (uint32_t i = 0; i < count; i++) {
        models_polygon(mesh, corners, 3);
    }
}

static mixed_family family_of(tumble_context *context, models_mesh *mesh)
{
    const mixed_family family = mixed_make(context, mesh);
    models_free(mesh);
    return family;
}

static void begin(scene *s, tumble_context *context)
{
    test_random random = {5};
    models_mesh meshes[3] = {{0}, {0}, {0}};
    make_sheet(&meshes[0], 40, 0.5);
    make_sheet(&meshes[1], 30, 1);
    make_pile(&meshes[2], 500);
    s->families[0] = family_of(context, &meshes[0]);
    s->families[1] = family_of(context, &meshes[1]);
    s->pile = family_of(context, &meshes[2]);
    s->crossing[0] = mixed_pose(&random, 1, 0.125, 0.25, 0.0625);
    s->crossing[1] = mixed_pose(&random, 1, 0.75, -0.875, 0.25);
    s->crossing[2] = mixed_pose(&random, 1, -0.75, 0.875, -0.25);
    const tumble_pose turn = mixed_pose(&random, 0.75, 0, 0, 0);
    for (int i = 0; i < PATH; i++) {
        s->apart[i] = turn;
        s->apart[i].m[0][3] = 0.25 + i / 64.0;
        s->apart[i].m[2][3] = 1.75 - i / 128.0;
    }
}

static void end(scene *s)
{
    mixed_free(&s->families[0]);
    mixed_free(&s->families[1]);
    mixed_free(&s->pile);
}

/* ---- Questions ---- */

#define QUESTIONS(X) X(all) X(count) X(test) X(surfaces) X(clearance) X(distance) X(rough) X(path) X(within) X(relation)
enum {
#define QUESTION_NUMBER(name) QUESTION_##name,
    QUESTIONS(QUESTION_NUMBER)
#undef QUESTION_NUMBER
    QUESTION_COUNT,
    QUESTION_BYTES,
    COUNTERS = 4
};

typedef struct asked {
    tumble_query *query;
    const tumble_model *a, *b;
    uint64_t work[COUNTERS];
} asked;

static void add(asked *q, const tumble_counters *c)
{
    const uint64_t work[COUNTERS] = {c->box_tests, c->box_updates, c->primitive_tests, c->bytes_touched};
    for (int i = 0; i < COUNTERS; i++) {
        q->work[i] += work[i];
    }
}

static void ask_collide(asked *q, const scene *s, tumble_mode mode, double clearance)
{
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.mode = mode;
    options.clearance = clearance;
    for (int i = 0; i < CROSSINGS; i++) {
        assert_int_equal(tumble_collide(q->query, q->a, NULL, q->b, &s->crossing[i], &options, &result), TUMBLE_OK);
        assert_true(result.collide);
        add(q, &result.counters);
    }
}

static void ask_distance(asked *q, const tumble_pose *pose, const tumble_distance_options *options)
{
    tumble_distance_result result;
    assert_int_equal(tumble_distance(q->query, q->a, NULL, q->b, pose, options, &result), TUMBLE_OK);
    add(q, &result.counters);
}

static void ask_path(asked *q, const scene *s)
{
    tumble_distance_options options = tumble_default_distance_options();
    options.coherence = true;
    for (int i = 0; i < PATH; i++) {
        ask_distance(q, &s->apart[i], &options);
    }
}

static void ask(asked *q, const scene *s, int question)
{
    tumble_distance_options options = tumble_default_distance_options();
    tumble_relation_result relation;
    switch (question) {
    case QUESTION_all: ask_collide(q, s, TUMBLE_ALL, 0); break;
    case QUESTION_count: ask_collide(q, s, TUMBLE_COUNT, 0); break;
    case QUESTION_test: ask_collide(q, s, TUMBLE_TEST, 0); break;
    case QUESTION_surfaces: ask_collide(q, s, TUMBLE_SURFACES, 0); break;
    case QUESTION_clearance: ask_collide(q, s, TUMBLE_ALL, 0.0625); break;
    case QUESTION_path: ask_path(q, s); break;
    case QUESTION_relation:
        assert_int_equal(tumble_relate(q->query, q->a, NULL, q->b, &s->crossing[0], &relation), TUMBLE_OK);
        add(q, &relation.counters);
        break;
    default:
        options.relative_error = question == QUESTION_rough ? 0.25 : 0;
        options.within = question == QUESTION_within ? 0.75 : options.within;
        ask_distance(q, &s->apart[0], &options);
    }
}

/* ---- Comparison ---- */

/* A pair of kinds, a question, and its work; or a kind, and the depth and the nodes of a sheet's and of the pile's
 * tree, for which the question is QUESTION_COUNT, or hashes of both sheets' and of the pile's bytes, QUESTION_BYTES. */
typedef struct row {
    uint8_t kind_a, kind_b, question;
    uint64_t work[COUNTERS];
} row;

static const row kept[] = {
#include "data/work.inc"
};

static void print_row(const row *r)
{
    printf("    {%d, %d, %d, {%llu, %llu, %llu, %llu}},\n", r->kind_a, r->kind_b, r->question,
           (unsigned long long)r->work[0], (unsigned long long)r->work[1], (unsigned long long)r->work[2],
           (unsigned long long)r->work[3]);
}

/* Compares a row with the kept one; returns 1 if it is other. */
static int compare(const row *r, size_t number)
{
    static const char *const names[] = {
#define QUESTION_NAME(name) #name,
        QUESTIONS(QUESTION_NAME)
#undef QUESTION_NAME
            "trees",
        "bytes"};
    const row *k = &kept[number];
    if (getenv("TUMBLE_TEST_WORK")) {
        print_row(r);
        return 0;
    }
    assert_true(number < sizeof kept / sizeof *kept);
    assert_true(k->kind_a == r->kind_a && k->kind_b == r->kind_b && k->question == r->question);
    const int differs = memcmp(r->work, k->work, sizeof r->work) != 0;
    if (differs) {
        print_message("%s and %s, %s: the work was\n", mixed_name(r->kind_a), mixed_name(r->kind_b),
                      names[r->question]);
        print_row(k);
        print_message("and is now\n");
        print_row(r);
    }
    return differs;
}

static int compare_trees(const scene *s, uint8_t kind, size_t number)
{
    const tumble_model_info sheet = test_info(s->families[0].models[kind]), pile = test_info(s->pile.models[kind]);
    const row r = {kind, kind, QUESTION_COUNT, {sheet.depth, sheet.node_count, pile.depth, pile.node_count}};
    return compare(&r, number);
}

static uint64_t hash_of(const tumble_model *model)
{
    size_t size;
    const unsigned char *block = tumble_model_block(model, &size);
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ block[i]) * UINT64_C(1099511628211);
    }
    return hash >> 16;
}

static int compare_bytes(const scene *s, uint8_t kind, size_t number)
{
    const row r = {
        kind,
        kind,
        QUESTION_BYTES,
        {hash_of(s->families[0].models[kind]), hash_of(s->families[1].models[kind]), hash_of(s->pile.models[kind]), 0}};
    return compare(&r, number);
}

static void test_work(void **state)
{
    test_world *w = *state;
    scene s;
    size_t number = 0;
    int differing = 0;
    begin(&s, w->context);
    for (uint8_t kind = 1; kind < MIXED_KINDS; kind++) {
        differing += compare_trees(&s, kind, number++);
        differing += compare_bytes(&s, kind, number++);
        for (uint8_t mixed = 0; mixed < 2; mixed++) {
            for (uint8_t question = 0; question < QUESTION_COUNT; question++) {
                row r = {kind, (uint8_t)(mixed ? (kind + 2) % MIXED_KINDS : kind), question, {0}};
                asked q = {w->query, s.families[0].models[r.kind_a], s.families[1].models[r.kind_b], {0}};
                ask(&q, &s, question);
                memcpy(r.work, q.work, sizeof r.work);
                differing += compare(&r, number++);
            }
        }
    }
    assert_int_equal(differing, 0);
    assert_true(getenv("TUMBLE_TEST_WORK") || number == sizeof kept / sizeof *kept);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_work)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
