/* Batches of rays, which go together where they are alike, against rational arithmetic and against the same rays alone:
 * through corners and edges, in parallel, from one point, from inside; for every instruction set and number of threads.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ray_oracle.h"
#include "scenes.h"

enum {
    RAYS = 37, /* two packets, and a rest */
    MANY = 1600
};

typedef struct rays {
    double origins[RAYS][3], directions[RAYS][3], ranges[RAYS][2];
} rays;

/* ---- Rays that are alike ---- */

typedef enum kind {
    FROM_A_POINT,
    TO_CORNERS,
    TO_EDGES,
    PARALLEL,
    ALONG_AN_AXIS,
    ALIKE,
    EQUAL,
    ANYHOW,
    KINDS
} kind;

static void corner_of(const models_mesh *mesh, size_t i, double out[3])
{
    memcpy(out, mesh->points + 3 * (size_t)mesh->indices[i % mesh->index_count], 3 * sizeof *out);
}

/* The numbers of a kind of rays, from an eye towards a place on the mesh; what differs between them is the step. */
static void draw_ray(test_random *random, const models_mesh *mesh, kind of, size_t corner, const double eye[3],
                     const double step, size_t i, double origin[3], double target[3])
{
    double a[3], b[3];
    const int is_at_corner = of == TO_CORNERS || of == TO_EDGES;
    corner_of(mesh, is_at_corner ? corner + i : corner, a);
    corner_of(mesh, corner + i + 1, b);
    for (int k = 0; k < 3; k++) {
        const double aside = step * (k == 0 ? (double)(i % 4) : k == 1 ? (double)(i / 4) : 0);
        const double shake = step * test_random_range(random, -1, 1);
        origin[k] = eye[k] + (of == PARALLEL || of == ALONG_AN_AXIS ? aside : of == ALIKE ? shake : 0);
        target[k] = is_at_corner                           ? a[k]
                    : of == FROM_A_POINT || of == PARALLEL ? a[k] + aside
                    : of == ALONG_AN_AXIS                  ? origin[k] + (k == 1 ? -3 : 0)
                    : of == ALIKE                          ? a[k] + step * test_random_range(random, -1, 1)
                                                           : a[k];
        if (of == TO_EDGES)
            target[k] = 0.5 * (a[k] + b[k]);
        if (of == ANYHOW)
            target[k] = test_random_range(random, -1, 1) * (fabs(eye[k]) + 1);
    }
}

static void draw_rays(test_random *random, const models_mesh *mesh, kind of, double size, rays *out)
{
    const size_t corner = (size_t)test_random_whole(random, 0, (int)mesh->index_count - 1);
    const double step = size * ldexp(1, -test_random_whole(random, 0, 30));
    const int is_lattice = test_random_chance(random, 0.5), is_inside = test_random_chance(random, 0.3);
    double eye[3];
    for (int k = 0; k < 3; k++) {
        const double at = test_random_range(random, -1, 1) * (is_inside ? 0.5 : 3);
        eye[k] = size * (is_lattice ? round(at * 4) / 4 : at);
    }
    for (size_t i = 0; i < RAYS; i++) {
        double target[3];
        draw_ray(random, mesh, of, corner, eye, step, i, out->origins[i], target);
        for (int k = 0; k < 3; k++)
            out->directions[i][k] = target[k] - out->origins[i][k];
        if (out->directions[i][0] == 0 && out->directions[i][1] == 0 && out->directions[i][2] == 0)
            out->directions[i][i % 3] = size;
        out->ranges[i][0] = test_random_chance(random, 0.1) ? -INFINITY : test_random_chance(random, 0.1) ? 1 : 0;
        out->ranges[i][1] = test_random_chance(random, 0.2) ? 1 : INFINITY;
    }
}

/* ---- What is asked ---- */

typedef struct answers {
    tumble_ray_hit hits[RAYS];
    uint64_t counts[RAYS];
    tumble_ray_result result;
} answers;

static tumble_ray_batch batch_of(const rays *r, answers *a)
{
    tumble_ray_batch batch = tumble_default_ray_batch();
    batch.count = RAYS, batch.origins = r->origins[0], batch.directions = r->directions[0];
    batch.ranges = r->ranges[0], batch.hits = a->hits, batch.hit_counts = a->counts;
    return batch;
}

static void ask(tumble_query *query, const tumble_model *model, const rays *r, tumble_mode mode, answers *out)
{
    const tumble_ray_batch batch = batch_of(r, out);
    tumble_ray_options options = tumble_default_ray_options();
    options.mode = mode;
    assert_int_equal(tumble_rays(query, model, NULL, &batch, &options, &out->result), TUMBLE_OK);
}

static void check_alone(tumble_query *query, const tumble_model *model, const rays *r, const answers *first,
                        uint64_t *box_tests)
{
    for (size_t i = 0; i < RAYS; i++) {
        tumble_ray_options options = tumble_default_ray_options();
        tumble_ray_result alone;
        options.t0 = r->ranges[i][0], options.t1 = r->ranges[i][1];
        assert_int_equal(tumble_ray(query, model, NULL, r->origins[i], r->directions[i], &options, &alone), TUMBLE_OK);
        assert_int_equal(alone.hit_count, first->counts[i]);
        assert_memory_equal(&alone.first, &first->hits[i], sizeof alone.first);
        *box_tests += alone.counters.box_tests;
    }
}

static void check_truth(ray_oracle *truth, const models_mesh *mesh, const rays *r, const answers *first,
                        const answers *test)
{
    for (size_t i = 0; i < RAYS; i++) {
        oracle_ray ray = {.t0 = r->ranges[i][0], .t1 = r->ranges[i][1]};
        const tumble_ray_hit *hits;
        memcpy(ray.origin, r->origins[i], sizeof ray.origin);
        memcpy(ray.direction, r->directions[i], sizeof ray.direction);
        const size_t count = ray_oracle_all(truth, mesh, &ray, &hits);
        assert_int_equal(first->counts[i], count > 0);
        assert_int_equal(test->counts[i], count > 0);
        assert_int_equal(test->hits[i].polygon != TUMBLE_NO_POLYGON, count > 0);
        assert_int_equal(first->hits[i].polygon, count > 0 ? hits[0].polygon : TUMBLE_NO_POLYGON);
        if (count > 0) {
            assert_int_equal(first->hits[i].side, hits[0].side);
            assert_true(first->hits[i].t == hits[0].t);
        }
    }
}

static void assert_same(const answers *a, const answers *b)
{
    assert_memory_equal(a->hits, b->hits, sizeof a->hits);
    assert_memory_equal(a->counts, b->counts, sizeof a->counts);
    assert_int_equal(a->result.counters.box_tests, b->result.counters.box_tests);
    assert_int_equal(a->result.counters.primitive_tests, b->result.counters.primitive_tests);
    assert_int_equal(a->result.counters.exact_tests, b->result.counters.exact_tests);
}

/* ---- Meshes ---- */

typedef struct bench {
    tumble_context *contexts[TEST_LEVELS];
    tumble_query *queries[TEST_LEVELS];
    tumble_model *models[TEST_LEVELS];
    ray_oracle *truth;
    test_random random;
    size_t together; /* batches that looked at fewer than half of the boxes of the same rays alone, */
    size_t batches;  /* of all */
} bench;

static void check_batch(bench *b, const models_mesh *mesh, kind of, double size)
{
    rays r;
    answers first[TEST_LEVELS] = {0}, test[TEST_LEVELS] = {0};
    uint64_t alone = 0;
    draw_rays(&b->random, mesh, of, size, &r);
    for (int level = 0; level < TEST_LEVELS; level++) {
        ask(b->queries[level], b->models[level], &r, TUMBLE_FIRST, &first[level]);
        ask(b->queries[level], b->models[level], &r, TUMBLE_TEST, &test[level]);
        assert_same(&first[level], &first[0]);
        assert_same(&test[level], &test[0]);
    }
    check_alone(b->queries[0], b->models[0], &r, &first[0], &alone);
    check_truth(b->truth, mesh, &r, &first[0], &test[0]);
    b->together += 2 * first[0].result.counters.box_tests < alone;
    b->batches++;
}

static void check_mesh(bench *b, const models_mesh *mesh, double size, size_t count)
{
    for (int level = 0; level < TEST_LEVELS; level++)
        b->models[level] = test_model(b->contexts[level], mesh, NULL);
    for (size_t i = 0; i < count; i++)
        check_batch(b, mesh, (kind)(i % KINDS), size);
    for (int level = 0; level < TEST_LEVELS; level++)
        tumble_model_destroy(b->models[level]);
}

static void test_truth(void **state)
{
    test_world *w = *state;
    bench b = {.truth = ray_oracle_create(), .random = {41}};
    test_open_levels(&w->memory, b.contexts, b.queries);
    for (int shape = 0; shape < 7; shape++) {
        models_mesh mesh = {0};
        static const double shifts[7][3] = {[3] = {100, -3, 0}, [4] = {3e6, 0, 1}, [6] = {2.5, 1, -1}};
        const double scale = shape == 5 ? 0x1p90 : shape == 6 ? 0x1p-1060 : 1;
        if (shape == 0)
            test_make_soup(&mesh, &b.random, 200, 0.3);
        else if (shape == 1)
            test_make_grid_box(&mesh, 6);
        else if (shape == 2)
            test_make_soup(&mesh, &b.random, 5, 0.7);
        else
            test_make_lattice(&mesh, &b.random, 150, 4, 3, 0.1);
        test_transform(&mesh, scale, shifts[shape]);
        check_mesh(&b, &mesh, (shape == 0 || shape == 2 ? 1 : 4) * scale, test_count(KINDS));
        models_free(&mesh);
    }
    if (test_effort() >= 1)
        assert_true(8 * b.together > b.batches && b.together < b.batches);
    ray_oracle_destroy(b.truth);
    test_close_levels(b.contexts, b.queries);
}

/* ---- Threads ---- */

/* Packets are the same for any number of threads, so work and answers are, also with TEST. */
static void test_threads(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    assert_true(models_make_sized(&mesh, "torus", 5000));
    tumble_model *model = test_model(w->context, &mesh, NULL);
    double(*numbers)[MANY][3] = calloc(2, sizeof *numbers);
    tumble_ray_hit(*hits)[MANY] = calloc(2, sizeof *hits);
    assert_true(numbers && hits);
    for (size_t i = 0; i < MANY; i++) {
        const double to[3] = {((double)(i % 40) - 20) / 15, ((double)(i / 40) - 20) / 15, -4};
        numbers[0][i][2] = 4;
        memcpy(numbers[1][i], to, sizeof to);
    }
    tumble_ray_batch batch = tumble_default_ray_batch();
    batch.count = MANY, batch.origins = numbers[0][0], batch.directions = numbers[1][0];
    for (int mode = TUMBLE_TEST; mode <= TUMBLE_FIRST; mode++) {
        tumble_ray_result results[2];
        for (uint32_t i = 0; i < 2; i++) {
            tumble_ray_options options = tumble_default_ray_options();
            options.mode = (tumble_mode)mode, options.thread_count = 1 + 2 * i;
            batch.hits = hits[i];
            assert_int_equal(tumble_rays(w->query, model, NULL, &batch, &options, &results[i]), TUMBLE_OK);
        }
        assert_true(results[0].hit_count > MANY / 10);
        assert_int_equal(results[0].hit_count, results[1].hit_count);
        assert_int_equal(results[0].counters.box_tests, results[1].counters.box_tests);
        assert_int_equal(results[0].counters.primitive_tests, results[1].counters.primitive_tests);
        assert_memory_equal(hits[0], hits[1], sizeof *hits);
    }
    free(numbers);
    free(hits);
    tumble_model_destroy(model);
    models_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_truth), TEST_IN_WORLD(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
