/* Models, poses and queries for the tests of models and queries. Everything here asserts that it works. */
#ifndef TUMBLE_TESTS_SCENES_H
#define TUMBLE_TESTS_SCENES_H

#include "failing_allocator.h"
#include "models.h"
#include "support.h"
#include "tumble/tumble.h"
#include "tuning.h"

/* What nearly every test needs. One thread builds; end asserts that all memory was given back. */
typedef struct test_world {
    test_allocator memory;
    tumble_context *context;
    tumble_query *query;
} test_world;

int test_world_begin(void **state);
int test_world_end(void **state);

/* A context on one thread and a query for each instruction set, from SCALAR to AVX512; where the processor lacks one,
 * that is the best it has. */
enum {
    TEST_LEVELS = 3
};
void test_open_levels(test_allocator *memory, tumble_context *contexts[TEST_LEVELS],
                      tumble_query *queries[TEST_LEVELS]);
void test_close_levels(tumble_context *contexts[TEST_LEVELS], tumble_query *queries[TEST_LEVELS]);

/* A test with a world of its own. */
#define TEST_IN_WORLD(test) cmocka_unit_test_setup_teardown(test, test_world_begin, test_world_end)

/* Something that takes memory, and what comes after it, when there is memory again. Together they must give back all
 * that they took. */
typedef tumble_status test_action(test_world *w, void *user);
typedef void test_sequel(test_world *w, void *user, tumble_status status);

typedef enum test_failing {
    TEST_FAIL_ALONE,       /* one allocation fails */
    TEST_FAIL_WITH_ALL,    /* ... and all that follow */
    TEST_FAIL_TAKING_TURNS /* now the one, now the other */
} test_failing;

/* Lets the first allocation of an action fail, then the second, and so on until it asks for no more. Each time it must
 * return TUMBLE_ERROR_MEMORY, the last time TUMBLE_OK. `after` may be null. Returns how many allocations there are. */
size_t test_fail_each(test_world *w, test_failing how, test_action *act, test_sequel *after, void *user);

/* The message of the last error; valid until the next call. */
const char *test_message(const tumble_context *context);

/* Fails unless `status` is `expected` and, for an error, the context has recorded it with a message that holds `words`.
 */
void test_assert_status(const tumble_context *context, tumble_status status, tumble_status expected, const char *words);

/* ---- Models ---- */

tumble_model *test_model(tumble_context *context, const models_mesh *mesh, const tumble_model_options *options);
tumble_model *test_brute_model(tumble_context *context, const models_mesh *mesh);

/* The triangles of a model, in their order, as one without a hierarchy. */
tumble_model *test_brute_copy(tumble_context *context, const tumble_model *model);

/* For test_fail_each: makes a model of a mesh, and destroys it. */
typedef struct test_model_job {
    tumble_mesh mesh;
    tumble_model_options options;
} test_model_job;
tumble_status test_create_model(test_world *w, void *job);

/* Whether two models are the same to the byte. */
int test_same_blocks(const tumble_model *a, const tumble_model *b);
void test_assert_same_blocks(const tumble_model *a, const tumble_model *b);
tumble_model_info test_info(const tumble_model *model);
void test_assert_same_info(const tumble_model_info *a, const tumble_model_info *b);

/* What does not depend on the hierarchy and on points that no polygon uses. */
void test_assert_same_facts(const tumble_model_info *a, const tumble_model_info *b);

/* All combinations of the boxtree's options (trim is 0, 0.5, 0.9 or 1), two more numbers that stand for the wide
 * hierarchy, as it is and cut across the longest axis, and some for k-DOP trees: for each of five k one that keeps
 * nothing for tumbling, one that keeps tables and one that keeps vertices. Other options of theirs take turns. Then
 * R-trees with each of the loads. */
enum {
    TEST_TREE_VARIANTS = 64,
    TEST_TREE_WIDE = 64,
    TEST_TREE_WIDE_LONGEST = 65,
    TEST_TREE_KDOP = 66,
    TEST_KDOP_SETS = 5,
    TEST_KDOP_EACH = 3,
    TEST_KDOP_VARIANTS = TEST_KDOP_SETS * TEST_KDOP_EACH, /* three with the same k follow each other */
    TEST_TREE_RTREE = TEST_TREE_KDOP + TEST_KDOP_VARIANTS,
    TEST_RTREE_VARIANTS = 12 /* the first ones are the loads, by their numbers */
};
tumble_model_options test_tree_variant(size_t variant);
const char *test_tree_name(size_t variant); /* valid until the next call */

/* ---- Queries ---- */

/* All overlap tests and directions of the boxtree, and at the same time ways to walk k-DOP trees that need nothing
 * which B may not keep, and ways to walk R-trees: each probe, also without the overlapping box, also one by one. */
enum {
    TEST_OVERLAP_VARIANTS = 10
};
tumble_collide_options test_overlap_variant(size_t variant);
const char *test_overlap_name(size_t variant);

typedef struct test_pairs {
    tumble_pair *items;
    size_t count, capacity;
} test_pairs;

/* All pairs, as they come into an array. The array grows as needed; `options` gives all but the mode and the array and
 * may be null. */
tumble_collide_result test_collide(tumble_query *query, const tumble_model *a, const tumble_pose *pose_a,
                                   const tumble_model *b, const tumble_pose *pose_b,
                                   const tumble_collide_options *options, test_pairs *pairs);
void test_free_pairs(test_pairs *pairs);

/* Whether a sorted list holds a pair. */
int test_has_pair(const test_pairs *pairs, tumble_pair wanted);

/* Whether two queries did the same work: all counters but the time. */
int test_same_work(const tumble_counters *a, const tumble_counters *b);

/* Fails with a message that holds the format's text and names the first difference. */
void test_assert_same_pairs(const test_pairs *found, const test_pairs *expected, const char *format, ...);

/* ---- Meshes, made by sums, products and quotients alone: the same on every machine ---- */

/* Triangles whose corners are at most `size` apart along each axis, anywhere in a cube of side 2 around the origin. */
void test_make_soup(models_mesh *mesh, test_random *random, size_t triangles, double size);

/* Corners are whole numbers from -range to range; neighbouring corners are at most `size` apart. A share of the
 * triangles is degenerate: segments and points. */
void test_make_lattice(models_mesh *mesh, test_random *random, size_t triangles, int range, int size,
                       double degenerate);

/* A closed box of whole coordinates, each face n x n squares of two triangles. */
void test_make_grid_box(models_mesh *mesh, uint32_t n);

/* A patch of n x n squares in the plane that u and v span. */
void test_make_patch(models_mesh *mesh, uint32_t n, const double u[3], const double v[3], const double centre[3],
                     double size);

/* A shape with about so many triangles; 0, and no mesh, when the simplest one has far more. */
int test_make_shape(models_mesh *mesh, const models_shape *shape, size_t triangles);

/* Multiplies and shifts all points. */
void test_transform(models_mesh *mesh, double scale, const double shift[3]);

/* ---- Poses ---- */

/* One of the 24 turns that map the axes to axes, exactly. */
tumble_pose test_quarter_turn(size_t number);

/* A rotation by a quaternion of small whole numbers: each entry is one quotient. */
tumble_pose test_rational_turn(test_random *random);

tumble_pose test_translation(double x, double y, double z);

#endif
