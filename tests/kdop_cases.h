/* k-DOP trees in all their variants, and poses that are difficult for them. */
#ifndef TUMBLE_TESTS_KDOP_CASES_H
#define TUMBLE_TESTS_KDOP_CASES_H

#include "sets.h"
#include "tree/kdop/kdop.h"

enum {
    TEST_KDOPS = 5,
    TEST_KDOP_LEAVES = 5
};
extern const uint32_t test_kdops[TEST_KDOPS];             /* 6, 12, 14, 18, 26 */
extern const uint32_t test_kdop_leaves[TEST_KDOP_LEAVES]; /* 1, 2, 7, 40, 255 */

/* A tree of this k that keeps what a way of tumbling needs, and its hull or not. */
tumble_model_options test_kdop_options(uint32_t k, uint32_t leaf, tumble_kdop_tumble kept, int hull);

/* The same with everything but k drawn by lot. */
tumble_model_options test_any_kdop(test_random *random, uint32_t k);

/* A way of walking that B has the data for, drawn by lot; epsilon is 0 or about 1/1000 to 10 times `size`. */
tumble_kdop_walk test_any_walk(test_random *random, const tumble_model *b, double size);

/* "lookup, same root, restart, primitives, epsilon 0"; valid for a few more calls. */
const char *test_walk_name(const tumble_kdop_walk *walk);

/* ---- Poses ---- */

/* A vector of any direction, at most 1 long and none too short; one of length 1 across another. */
void test_random_vector(test_random *random, double u[3]);
void test_random_across(test_random *random, const double axis[3], double out[3]);

double test_angle(const double a[3], const double b[3]);

/* A turn about any axis. */
tumble_pose test_turn(const double axis[3], double angle);

/* A turn after which `from` points along `to`, as nearly as doubles can tell, followed by a turn about `to`. */
tumble_pose test_turn_onto(const double from[3], const double to[3], double about);

/* Turns that are special for k-DOPs: none, quarter turns, eighths, nearly none, those that take one of the set's
 * directions onto another, or onto the boundary between two rings around it, or to just beside it. */
tumble_pose test_special_turn(test_random *random, uint32_t k);

/* Scales the linear part. */
void test_scale_pose(tumble_pose *pose, double scale);

/* Lets the pose take the point `from` to `onto`, as nearly as its translation can. */
void test_move_onto(tumble_pose *pose, const double from[3], const double onto[3]);

/* Whether trees of k-DOPs are walked as such: floats can tell something. */
int test_kdops_suit_floats(const tumble_model *a, const tumble_pose *pose_a, const tumble_model *b,
                           const tumble_pose *pose_b, double epsilon);

/* ---- Two models ---- */

/* Two models as trees of one k, and without any tree. */
typedef struct kdop_scene {
    tumble_model *models[2], *brute[2];
} kdop_scene;

kdop_scene kdop_make_scene(test_world *w, const models_mesh meshes[2], const tumble_model_options options[2]);

/* Of two shapes, the second `size` times as large; one of them in floats. */
kdop_scene kdop_make_shapes(test_world *w, const tumble_model_options options[2], const char *first, const char *second,
                            size_t triangles, double size);
void kdop_drop_scene(const kdop_scene *s);

/* All ways of tumbling that B has the data for; TUMBLE_KDOP_TUMBLE_AUTO comes last. */
tumble_kdop_tumble kdop_next_tumble(const tumble_model *b, tumble_kdop_tumble last);

/* A turn by lot, special ones among them, and a shift of up to `reach` along each axis. */
tumble_pose kdop_any_pose(test_random *random, uint32_t k, double reach);

#endif
