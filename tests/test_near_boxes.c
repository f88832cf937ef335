/* The search for the nearest triangles of any two hierarchies, by boxes in double: against brute force, over the whole
 * range of doubles, and its bounds against rational arithmetic. */
#include <float.h>
#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collide/collider.h"
#include "moving.h"
#include "near/boxes/boxes.h"
#include "scenes.h"

/* ---- Searches ---- */

static tumble_distance_result measure(tumble_query *query, const tumble_context *context, const tumble_model *a,
                                      const tumble_model *b, const tumble_pose *pose,
                                      const tumble_distance_options *options)
{
    tumble_distance_result result;
    test_assert_status(context, tumble_distance(query, a, NULL, b, pose, options, &result), TUMBLE_OK, "");
    return result;
}

/* The nearest polygons really are that near, as far as their points tell. */
static void check_points(const tumble_distance_result *r, const char *name)
{
    const double *p = r->nearest.point_a, *q = r->nearest.point_b, d = r->nearest.distance;
    double size = 0;
    for (int k = 0; k < 3; k++) {
        size = fmax(size, fmax(fabs(p[k]), fabs(q[k])));
    }
    const double apart = hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]);
    if (!(fabs(apart - d) <= 1e-14 * d + 1e-15 * size)) {
        fail_msg("%s: points are %.17g apart, the distance is %.17g", name, apart, d);
    }
}

static void check_same(const tumble_distance_result *found, const tumble_distance_result *expected, const char *name)
{
    const double d = expected->nearest.distance, error = fabs(found->nearest.distance - d);
    assert_true(found->is_complete);
    if (found->answer != expected->answer || !(error <= 1e-14 * d)) {
        fail_msg("%s: answer %d, distance %.17g instead of %d, %.17g", name, (int)found->answer,
                 found->nearest.distance, (int)expected->answer, d);
    }
    if (found->answer == TUMBLE_YES) {
        assert_true(found->lower <= d * (1 + 1e-14) && found->upper >= d * (1 - 1e-14));
        check_points(found, name);
    }
}

/* Models of one mesh, with every kind of hierarchy. */
enum {
    KINDS = 10
};

static const size_t kinds[KINDS] = {
    0,
    37,
    TEST_TREE_WIDE,
    TEST_TREE_WIDE_LONGEST,
    TEST_TREE_KDOP,
    TEST_TREE_KDOP + 1 * TEST_KDOP_EACH,
    TEST_TREE_KDOP + 3 * TEST_KDOP_EACH + 1,
    TEST_TREE_RTREE,
    TEST_TREE_RTREE + 2,
    TEST_TREE_RTREE + 3,
};

typedef struct family {
    tumble_model *brute, *trees[KINDS];
} family;

static family make_family(const test_world *w, const models_mesh *mesh)
{
    family f = {.brute = test_brute_model(w->context, mesh)};
    for (size_t i = 0; i < KINDS; i++) {
        tumble_model_options options = test_tree_variant(kinds[i]);
        if (kinds[i] == TEST_TREE_KDOP) {
            test_tune(options, kdop.leaf, 100); /* which the search cuts up */
        }
        f.trees[i] = test_model(w->context, mesh, &options);
    }
    return f;
}

static void free_family(family *f)
{
    tumble_model_destroy(f->brute);
    for (size_t i = 0; i < KINDS; i++) {
        tumble_model_destroy(f->trees[i]);
    }
}

/* What brute force says with limits around the distance, and whether the first pair within them is enough. */
enum {
    QUESTIONS = 5
};

typedef struct questions {
    tumble_distance_options options[QUESTIONS];
    tumble_distance_result answers[QUESTIONS];
} questions;

static void ask_brute(const test_world *w, const family *a, const family *b, const tumble_pose *pose, questions *q)
{
    tumble_distance_options plain = tumble_default_distance_options();
    q->options[0] = plain;
    q->answers[0] = measure(w->query, w->context, a->brute, b->brute, pose, &plain);
    const double d = q->answers[0].nearest.distance;
    for (int i = 1; i < QUESTIONS; i++) {
        const double limit = i > 2 ? d : nextafter(d, i == 1 ? 0 : INFINITY);
        q->options[i] = plain;
        q->options[i].within = limit;
        q->options[i].enough = i == 4 ? limit : 0;
        q->answers[i] = measure(w->query, w->context, a->brute, b->brute, pose, &q->options[i]);
    }
}

static void check_trees(const test_world *w, const family *a, const family *b, size_t i, size_t j,
                        const tumble_pose *pose, const questions *q, int step, const char *name)
{
    char what[200];
    for (int n = 0; n < QUESTIONS; n += step) {
        const tumble_distance_result r = measure(w->query, w->context, a->trees[i], b->trees[j], pose, &q->options[n]);
        (void)snprintf(what, sizeof what, "%s, kinds %zu and %zu, question %d", name, i, j, n);
        if (n == 0) {
            check_same(&r, &q->answers[0], what);
        } else if (r.answer != q->answers[n].answer || !r.is_complete ||
                   (r.answer == TUMBLE_YES && !(r.nearest.distance <= q->options[n].within))) {
            fail_msg("%s: answer %d and %.17g for the limit %.17g, the distance is %.17g", what, (int)r.answer,
                     r.nearest.distance, q->options[n].within, q->answers[0].nearest.distance);
        }
    }
}

/* Some or all pairs of kinds. */
static void check_families(const test_world *w, const family *a, const family *b, const tumble_pose *pose,
                           test_random *random, const char *name)
{
    questions q;
    ask_brute(w, a, b, pose, &q);
    for (size_t i = 0; i < KINDS; i++) {
        if (random) {
            const size_t j = (size_t)test_random_whole(random, 0, KINDS - 1);
            check_trees(w, a, b, i, j, pose, &q, test_random_whole(random, 1, QUESTIONS), name);
            continue;
        }
        for (size_t j = 0; j < KINDS; j++) {
            check_trees(w, a, b, i, j, pose, &q, 1, name);
        }
    }
}

/* A turn, a scale, and then a shift. */
static tumble_pose placed(test_random *random, double scale, double x, double y, double z)
{
    tumble_pose pose = test_rational_turn(random);
    for (int i = 0; i < 9; i++) {
        pose.m[i / 3][i % 3] *= scale;
    }
    pose.m[0][3] = x;
    pose.m[1][3] = y;
    pose.m[2][3] = z;
    return pose;
}

/* ---- Against brute force ---- */

static void test_all_pairs(void **state)
{
    const test_world *w = *state;
    test_random random = {11};
    models_mesh soup = {0}, sphere = {0};
    test_make_soup(&soup, &random, 60, 0.4);
    test_make_kind(&sphere, TEST_KIND_SPHERE, 80);
    family a = make_family(w, &soup), b = make_family(w, &sphere);
    const tumble_pose poses[] = {placed(&random, 1, 2.5, 1.5, 1), placed(&random, 0.01, 1.5, 0.5, 1.2),
                                 placed(&random, 1, 0.3, 0.2, 0.1), placed(&random, 300, 400, -250, 30),
                                 placed(&random, 1, -40, 30, 90)};
    for (size_t i = 0; i < test_count(sizeof poses / sizeof *poses); i++) {
        const tumble_pose *pose = &poses[i % (sizeof poses / sizeof *poses)];
        check_families(w, &a, &b, pose, NULL, "soup and sphere");
        check_families(w, &b, &a, pose, &random, "sphere and soup");
    }
    free_family(&a);
    free_family(&b);
    models_free(&soup);
    models_free(&sphere);
}

/* Far apart, in all directions. */
static void test_far(void **state)
{
    const test_world *w = *state;
    test_random random = {21};
    models_mesh mesh_a = {0}, mesh_b = {0};
    test_make_soup(&mesh_a, &random, 150, 0.1);
    test_make_soup(&mesh_b, &random, 70, 0.3);
    family a = make_family(w, &mesh_a), b = make_family(w, &mesh_b);
    for (size_t n = 0; n < test_count(100); n++) {
        const double far = pow(10, test_random_range(&random, 0.8, 9)), scale = n % 4 ? 1 : 5;
        const tumble_pose pose = placed(&random, scale, far * test_random_range(&random, -1, 1),
                                        far * test_random_range(&random, -1, 1), far);
        const tumble_distance_result expected = measure(w->query, w->context, a.brute, b.brute, &pose, NULL);
        for (size_t i = 0; i < 3; i++) {
            const tumble_model *tree_a = a.trees[test_random_whole(&random, 0, KINDS - 1)];
            const tumble_model *tree_b = b.trees[test_random_whole(&random, 0, KINDS - 1)];
            const tumble_distance_result found = measure(w->query, w->context, tree_a, tree_b, &pose, NULL);
            check_same(&found, &expected, "far apart");
        }
    }
    free_family(&a);
    free_family(&b);
    models_free(&mesh_a);
    models_free(&mesh_b);
}

/* Models with few triangles, without any, with degenerate ones, and in planes, lines and points. */
static void test_odd_models(void **state)
{
    const test_world *w = *state;
    test_random random = {12};
    for (size_t n = 0; n < test_count(90); n++) {
        models_mesh a = {0}, b = {0};
        test_make_kind(&a, (enum test_kind)(n % TEST_KINDS), 30);
        test_make_kind(&b, (enum test_kind)(n / TEST_KINDS % TEST_KINDS), 30);
        const enum test_motion motions[] = {TEST_MOVE_REST,       TEST_MOVE_TO_A_POINT,   TEST_MOVE_TO_A_LINE,
                                            TEST_MOVE_TO_A_PLANE, TEST_MOVE_ON_A_LATTICE, TEST_MOVE_TENTHS};
        models_mesh moved = test_share(&a);
        test_move(&moved, &a, motions[test_random_whole(&random, 0, 5)], &random);
        family fa = make_family(w, &moved), fb = make_family(w, &b);
        const double far = test_random_chance(&random, 0.3) ? 1e7 : 3;
        const tumble_pose pose = placed(&random, 1, far * test_random_unit(&random), 1, far);
        check_families(w, &fa, &fb, n % 4 ? &pose : NULL, &random, "odd models");
        free_family(&fa);
        free_family(&fb);
        free(moved.points);
        models_free(&a);
        models_free(&b);
    }
}

/* Coordinates, sizes and distances over the range of doubles. */
typedef struct range {
    double size_a, size_b, scale, distance;
} range;

static const range ranges[] = {{1e-300, 1e-300, 1, 3e-300},
                               {1e-305, 1e-305, 1, 1e-306},
                               {1e-160, 1e-160, 1, 2e-160},
                               {1e-160, 1e-160, 1, 1e5},
                               {1e160, 1e160, 1, 2.5e160},
                               {1e300, 1e300, 1, 3e300},
                               {1e300, 1e300, 1, 5e300},
                               {1, 1e-30, 1, 2},
                               {1, 1e30, 1, 2e30},
                               {1, 1e30, 1e-30, 2.5},
                               {1, 1, 1e-30, 2},
                               {1, 1, 1e30, 2e30},
                               {1e-300, 1e300, 1, 2e300},
                               {1e300, 1e-300, 1, 2e300},
                               {1e-300, 1e300, 1e-300, 4},
                               {1, 1, 1, 1e3},
                               {1, 1, 1, 1e6},
                               {1, 1, 1, 1e9},
                               {1, 1, 1, 1e12},
                               {1, 1, 1, 1e15},
                               {1, 1, 1, 1e18},
                               {1, 1e-5, 1, 1e10},
                               {1e-30, 1, 1, 1e15},
                               {1e-22, 1e-22, 1, 2.5e-22},
                               {1e-320, 1e-320, 1, 1e-320},
                               {1e-300, 1e-300, 1e250, 1e-20},
                               {1, 1e-12, 1, 0.7},
                               {3e-23, 3e-23, 1, 1e-22},
                               {1e150, 1e150, 1e-280, 2e150},
                               {1e-6, 1e-6, 1e300, 3e294},
                               {1, 1, 1, 0.9},
                               {1e-200, 1e-200, 1, 0}};

static models_mesh scaled_copy(const models_mesh *mesh, double size)
{
    models_mesh copy = test_share(mesh);
    for (size_t i = 0; i < 3 * mesh->point_count; i++) {
        copy.points[i] = mesh->points[i] * size;
    }
    return copy;
}

/* Exact tests of numbers that are so far from each other take long. */
static size_t triangles_for(const range *r)
{
    const double size_b = r->size_b * r->scale, least = fmin(r->size_a, size_b);
    return fmax(fmax(r->size_a, size_b), r->distance) > 1e31 * least ? 9 : 40;
}

static void test_ranges(void **state)
{
    const test_world *w = *state;
    test_random random = {13};
    char name[100];
    for (size_t n = 0; n < test_count(sizeof ranges / sizeof *ranges); n++) {
        const range *r = &ranges[n % (sizeof ranges / sizeof *ranges)];
        models_mesh soup = {0}, other = {0};
        test_make_soup(&soup, &random, triangles_for(r), 0.4);
        test_make_soup(&other, &random, triangles_for(r) / 2, 0.8);
        models_mesh a = scaled_copy(&soup, r->size_a), b = scaled_copy(&other, r->size_b);
        family fa = make_family(w, &a), fb = make_family(w, &b);
        const double d = r->distance;
        const tumble_pose pose = placed(&random, r->scale, d * 0.7, -d * 0.4, d * test_random_unit(&random));
        (void)snprintf(name, sizeof name, "sizes %g and %g, scale %g, distance %g", r->size_a, r->size_b, r->scale, d);
        check_families(w, &fa, &fb, &pose, &random, name);
        free_family(&fa);
        free_family(&fb);
        free(a.points);
        free(b.points);
        models_free(&soup);
        models_free(&other);
    }
}

static void test_deformed(void **state)
{
    const test_world *w = *state;
    test_random random = {14};
    models_mesh mesh = {0}, still = {0};
    test_make_kind(&mesh, TEST_KIND_LATTICE, 80);
    test_make_kind(&still, TEST_KIND_SPHERE, 80);
    family other = make_family(w, &still);
    for (size_t i = 0; i < TEST_MOVERS; i++) {
        const tumble_model_options options = test_mover_options(&test_movers[i]);
        tumble_model *model = test_model(w->context, &mesh, &options), *deformed = NULL;
        for (size_t n = 0; n < test_count(TEST_MOTIONS); n++) {
            models_mesh moved = test_share(&mesh);
            const enum test_motion motion = (enum test_motion)(n % TEST_MOTIONS);
            test_move(&moved, &mesh, motion, &random);
            test_deform(w->context, model, &moved, &deformed);
            tumble_model *brute = test_brute_model(w->context, &moved);
            const double far = 2 * test_size_of(brute);
            const tumble_pose pose = test_translation(far, 1, 2);
            tumble_distance_options options_here = tumble_default_distance_options();
            options_here.coherence = TUMBLE_COHERENCE_ALL; /* the same memory, other coordinates */
            const tumble_distance_result expected = measure(w->query, w->context, other.brute, brute, &pose, NULL);
            const tumble_distance_result found =
                measure(w->query, w->context, other.trees[n % KINDS], deformed, &pose, &options_here);
            check_same(&found, &expected, test_motion_name(motion));
            tumble_model_destroy(brute);
            free(moved.points);
        }
        tumble_model_destroy(deformed);
        tumble_model_destroy(model);
    }
    free_family(&other);
    models_free(&mesh);
    models_free(&still);
}

/* An R-tree loses the polygons that are nearest, again and again, and gets some back. */
static void test_edited(void **state)
{
    const test_world *w = *state;
    test_random random = {15};
    models_mesh mesh = {0}, more = {0};
    test_make_kind(&mesh, TEST_KIND_SPHERE, 150);
    test_make_soup(&more, &random, 5, 0.2);
    tumble_model_options options = test_tree_variant(TEST_TREE_RTREE);
    tumble_model *edited = test_model(w->context, &mesh, &options);
    family other = make_family(w, &mesh);
    tumble_distance_options coherent = tumble_default_distance_options();
    coherent.coherence = TUMBLE_COHERENCE_ALL;
    const tumble_mesh view = models_view(&more);
    for (size_t n = 0; n < test_count(60); n++) {
        const tumble_pose pose = placed(&random, 1, n % 8 == 7 ? 1e6 : 2.6, 0.5, 1);
        const tumble_model *tree = other.trees[n / 6 % KINDS];
        tumble_model *brute = test_brute_copy(w->context, edited);
        const tumble_distance_result expected = measure(w->query, w->context, other.brute, brute, &pose, NULL);
        tumble_model_destroy(brute);
        const tumble_distance_result found =
            measure(w->query, w->context, tree, edited, &pose, n % 3 ? &coherent : NULL);
        check_same(&found, &expected, "edited");
        const uint32_t gone = found.nearest.polygon_b;
        test_assert_status(w->context, tumble_model_remove(edited, &gone, 1), TUMBLE_OK, "");
        if (n % 7 == 3) {
            test_assert_status(w->context, tumble_model_insert(edited, &view, NULL), TUMBLE_OK, "");
        }
    }
    tumble_model_destroy(edited);
    free_family(&other);
    models_free(&mesh);
    models_free(&more);
}

/* ---- Coherence, budgets, memory ---- */

/* One query walks on with coherence, while others are asked in between; scales change, too. */
static void test_coherence(void **state)
{
    const test_world *w = *state;
    test_random random = {16};
    models_mesh sphere = {0}, soup = {0};
    test_make_kind(&sphere, TEST_KIND_SPHERE, 800);
    test_make_soup(&soup, &random, 200, 0.1);
    family a = make_family(w, &sphere), b = make_family(w, &soup);
    tumble_distance_options coherent = tumble_default_distance_options();
    coherent.coherence = TUMBLE_COHERENCE_ALL;
    tumble_query *fresh = NULL;
    assert_int_equal(tumble_query_create(w->context, &fresh), TUMBLE_OK);
    for (size_t i = 0; i < KINDS; i++) {
        const size_t j = (i + 3) % KINDS;
        const tumble_pose turn = placed(&random, 1, 0, 0, 0);
        uint64_t tests = 0, tests_fresh = 0;
        for (size_t n = 0; n < test_count(60); n++) {
            const double t = (double)n * 1e-3, scale = n % 20 == 19 ? 3 : 1, far = n / 10 % 3 == 2 ? 60 : 2;
            tumble_pose pose = turn;
            for (int k = 0; k < 9; k++) {
                pose.m[k / 3][k % 3] *= scale;
            }
            pose.m[0][3] = far * scale + t;
            pose.m[1][3] = 1.1 - t;
            pose.m[2][3] = 0.7;
            const tumble_distance_result expected = measure(fresh, w->context, a.trees[i], b.trees[j], &pose, NULL);
            const tumble_distance_result found =
                measure(w->query, w->context, a.trees[i], b.trees[j], &pose, &coherent);
            check_same(&found, &expected, "coherence");
            tests += found.counters.box_tests;
            tests_fresh += expected.counters.box_tests;
            if (n % 5 == 4) { /* the tables and the front are left alone, or begun anew */
                (void)measure(w->query, w->context, a.trees[i], b.trees[n % 10 == 4 ? j : (j + 1) % KINDS], &pose,
                              NULL);
            }
        }
        assert_true(test_effort() < 1 || 2 * tests < tests_fresh);
    }
    tumble_query_destroy(fresh);
    free_family(&a);
    free_family(&b);
    models_free(&sphere);
    models_free(&soup);
}

/* Leaves a pair of a front, or the roots, in a search that is set up by hand; `kept` is what is left out. Returns how
 * many pairs wait. */
static size_t leave_once(const test_world *w, const tumble_model *a, const tumble_model *b, double scale, double bound,
                         const tmb_near_pair *pair, tmb_near_pair *kept)
{
    const tumble_distance_options options = tumble_default_distance_options();
    tmb_near_pair heap[TMB_BOX_LANES * TMB_BOX_LANES];
    tmb_near_search s = {.encounter = {.query = w->query, .a = a, .b = b},
                         .scratch = tmb_near_scratch_of(w->query),
                         .options = &options,
                         .bound = bound,
                         .keep = kept != NULL,
                         .heap = heap};
    const tumble_pose pose_a = tumble_pose_identity();
    tumble_pose pose_b = test_translation(20, 30, 40);
    pose_b.m[0][0] = pose_b.m[1][1] = pose_b.m[2][2] = scale;
    assert_int_equal(tmb_encounter_place(&s.encounter, &pose_a, &pose_b), TUMBLE_OK);
    assert_true(tmb_near_boxes(&s));
    s.walk.leave(&s, pair ? pair : &s.walk.root);
    if (kept) {
        assert_int_equal(s.kept_count, 1);
        *kept = s.kept[0];
    }
    return s.heap_count;
}

/* A pair of a front means the same children, also when another one of the nodes is the larger one by then. */
static void test_fronts(void **state)
{
    const test_world *w = *state;
    models_mesh sphere = {0};
    test_make_kind(&sphere, TEST_KIND_SPHERE, 1500);
    family f = make_family(w, &sphere);
    for (size_t i = 0; i < KINDS; i++) {
        tmb_near_pair pair;
        assert_int_equal(leave_once(w, f.trees[i], f.trees[i], 1, 1, NULL, &pair), 0);
        const size_t count = (size_t)__builtin_popcountll(pair.children);
        assert_true(count >= 4 && pair.lower > 1);
        assert_int_equal(leave_once(w, f.trees[i], f.trees[i], 1, INFINITY, NULL, NULL), count);
        assert_int_equal(leave_once(w, f.trees[i], f.trees[i], 5, INFINITY, NULL, NULL), sqrt((double)count));
        assert_int_equal(leave_once(w, f.trees[i], f.trees[i], 5, INFINITY, &pair, NULL), count);
    }
    free_family(&f);
    models_free(&sphere);
}

/* Which of two nodes is the larger one changes from step to step. */
static void test_changing_sizes(void **state)
{
    const test_world *w = *state;
    models_mesh sphere = {0};
    test_make_kind(&sphere, TEST_KIND_SPHERE, 700);
    family f = make_family(w, &sphere);
    tumble_distance_options coherent = tumble_default_distance_options();
    coherent.coherence = TUMBLE_COHERENCE_ALL;
    tumble_query *fresh = NULL;
    assert_int_equal(tumble_query_create(w->context, &fresh), TUMBLE_OK);
    for (size_t i = 0; i < KINDS; i++) {
        const tumble_model *a = f.trees[i], *b = f.trees[i < 2 || i > 6 ? i : (i + 1) % KINDS];
        for (size_t n = 0; n < test_count(80); n++) {
            const double axis[3] = {1, 2, 3}, shift[3] = {1.9, 1.2, 1.1 + 1e-3 * (double)n};
            tumble_pose pose;
            const double scale = n % 2 ? 1.501 : 1.499;
            test_assert_status(w->context,
                               tumble_pose_from_axis_angle(w->context, axis, 2e-3 * (double)n, scale, shift, &pose),
                               TUMBLE_OK, "");
            const tumble_distance_result expected = measure(fresh, w->context, a, b, &pose, NULL);
            const tumble_distance_result found = measure(w->query, w->context, a, b, &pose, &coherent);
            check_same(&found, &expected, "changing sizes");
        }
    }
    tumble_query_destroy(fresh);
    free_family(&f);
    models_free(&sphere);
}

static void test_budgets(void **state)
{
    const test_world *w = *state;
    test_random random = {17};
    models_mesh sphere = {0};
    test_make_kind(&sphere, TEST_KIND_SPHERE, 600);
    family f = make_family(w, &sphere);
    for (size_t n = 0; n < test_count(12); n++) {
        const tumble_pose pose = placed(&random, 1, n % 3 ? 1.4 : 30, 1.2, 0.8);
        const tumble_model *a = f.trees[n % KINDS], *b = f.trees[(n + 5) % KINDS];
        const double d = measure(w->query, w->context, a, b, &pose, NULL).nearest.distance;
        double lower = 0, upper = INFINITY;
        tumble_undecided undecided[20];
        tumble_distance_options options = tumble_default_distance_options();
        options.undecided = undecided;
        options.undecided_capacity = 20;
        int complete = 0;
        for (uint64_t budget = 1; !complete; budget += 1 + budget / 4) {
            options.budget_box_tests = budget;
            const tumble_distance_result r = measure(w->query, w->context, a, b, &pose, &options);
            complete = r.is_complete;
            assert_true(r.lower <= d * (1 + 1e-14) && d <= r.upper * (1 + 1e-14));
            assert_true(r.lower >= lower && r.upper <= upper);
            assert_true(complete == (r.undecided_count == 0));
            for (size_t i = 0; i < r.undecided_count && i < 20; i++) {
                assert_true(undecided[i].lower <= r.upper && undecided[i].lower_a[0] <= undecided[i].upper_a[0]);
            }
            lower = r.lower;
            upper = r.upper;
        }
        assert_true(fabs(upper - d) <= 1e-14 * d && fabs(lower - d) <= 1e-14 * d);
    }
    free_family(&f);
    models_free(&sphere);
}

static void test_memory(void **state)
{
    test_world *w = *state;
    models_mesh sphere = {0};
    test_make_kind(&sphere, TEST_KIND_SPHERE, 400);
    family f = make_family(w, &sphere);
    const tumble_pose pose = test_translation(2.5, 1, 0.5);
    const tumble_model *a = f.trees[0], *b = f.trees[KINDS - 2];
    const double d = measure(w->query, w->context, f.brute, f.brute, &pose, NULL).nearest.distance;
    size_t failures = 0;
    for (size_t n = 1;; n++) {
        tumble_query *query = NULL;
        tumble_distance_result result;
        assert_int_equal(tumble_query_create(w->context, &query), TUMBLE_OK);
        test_allocator_fail(&w->memory, n, 0);
        const tumble_status status = tumble_distance(query, a, NULL, b, &pose, NULL, &result);
        const size_t failed = test_allocator_failures(&w->memory);
        test_allocator_fail(&w->memory, 0, 0);
        test_assert_status(w->context, status, failed ? TUMBLE_ERROR_MEMORY : TUMBLE_OK, "of a query");
        result = measure(query, w->context, a, b, &pose, NULL);
        assert_true(fabs(result.nearest.distance - d) <= 1e-14 * d);
        tumble_query_destroy(query);
        if (!failed) {
            break;
        }
        failures += failed;
    }
    assert_true(failures > 8);
    free_family(&f);
    models_free(&sphere);
}

/* ---- Work ---- */

static tumble_distance_result count(const test_world *w, const models_mesh *mesh, tumble_hierarchy a,
                                    tumble_hierarchy b, const tumble_pose *pose)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = a;
    tumble_model *model_a = test_model(w->context, mesh, &options);
    options.hierarchy = b;
    test_tune(options, kdop.k, 14); /* not the default: no k-DOPs of the same kind */
    tumble_model *model_b = test_model(w->context, mesh, &options);
    const tumble_distance_result result = measure(w->query, w->context, model_a, model_b, pose, NULL);
    tumble_model_destroy(model_a);
    tumble_model_destroy(model_b);
    return result;
}

static void test_work(void **state)
{
    const test_world *w = *state;
    models_mesh sphere = {0};
    test_random random = {18};
    assert_true(models_make_sized(&sphere, "sphere", test_effort() < 1 ? 2000 : 20000));
    static const tumble_hierarchy all[] = {TUMBLE_HIERARCHY_WIDE, TUMBLE_HIERARCHY_BOXTREE, TUMBLE_HIERARCHY_KDOP,
                                           TUMBLE_HIERARCHY_RTREE};
    const tumble_pose close = placed(&random, 1, 1.3, 1.1, 1.5), far = placed(&random, 1, 1.2e6, 1e6, 1.4e6);
    const tumble_pose small = placed(&random, 1e-9, 1.2, 1.3, 1.4), large = placed(&random, 1e9, 1.2e9, 1.3e9, 1.4e9);
    const tumble_counters wide = count(w, &sphere, all[0], all[0], &close).counters;
    for (int i = 0; i < 4; i++) { /* of 4e8 pairs of triangles */
        const tumble_hierarchy other = all[(i + 1) % 4];
        const tumble_counters near_by = count(w, &sphere, all[i], other, &close).counters;
        assert_true(near_by.box_tests < 8 * wide.box_tests && near_by.primitive_tests < 1000);
        const tumble_counters apart = count(w, &sphere, all[i], other, &far).counters;
        assert_true(apart.box_tests < 5000 && apart.primitive_tests < 100);
        const tumble_counters beside_small = count(w, &sphere, all[i], other, &small).counters;
        assert_true(beside_small.box_tests < 10000 && beside_small.primitive_tests < 8000);
        const tumble_counters beside_large = count(w, &sphere, all[i], other, &large).counters;
        assert_true(beside_large.box_tests < 10000 && beside_large.primitive_tests < 8000);
    }
    models_free(&sphere);
}

/* ---- The bounds themselves ---- */

/* A number of any size, often near others. */
static double any_number(test_random *random, int exponents)
{
    const double x = test_random_range(random, -1, 1);
    return test_random_chance(random, 0.2) ? rint(4 * x) : ldexp(x, test_random_whole(random, -exponents, exponents));
}

/* Squares of distances, exactly. */
static void add_square(mpq_t sum, double x, double y)
{
    mpq_t p, q;
    mpq_inits(p, q, NULL);
    mpq_set_d(p, x);
    mpq_set_d(q, y);
    mpq_sub(p, p, q);
    mpq_mul(p, p, p);
    mpq_add(sum, sum, p);
    mpq_clears(p, q, NULL);
}

static void compare_bound(const double a[3], const double b[3], double lower, double least, const char *what)
{
    mpq_t sum, bound;
    mpq_inits(sum, bound, NULL);
    for (int k = 0; k < 3; k++) {
        add_square(sum, a[k], b[k]);
    }
    mpq_set_d(bound, lower > 0 ? lower : 0);
    mpq_mul(bound, bound, bound);
    if (mpq_cmp(bound, sum) > 0) {
        fail_msg("%s: the bound %.17g of points (%.17g %.17g %.17g) and (%.17g %.17g %.17g) is too large", what, lower,
                 a[0], a[1], a[2], b[0], b[1], b[2]);
    }
    mpq_set_d(bound, least);
    mpq_mul(bound, bound, bound);
    mpq_mul(bound, bound, sum); /* at least so much of it, but for what is nearly nothing */
    const double sure = lower + 0x1p-1070;
    mpq_set_d(sum, sure > 0 && sure < DBL_MAX ? sure : DBL_MAX);
    mpq_mul(sum, sum, sum);
    if (mpq_cmp(bound, sum) > 0) {
        fail_msg("%s: the bound %.17g of points (%.17g %.17g %.17g) and (%.17g %.17g %.17g) is too small", what, lower,
                 a[0], a[1], a[2], b[0], b[1], b[2]);
    }
    mpq_clears(sum, bound, NULL);
}

/* Points as boxes: the bound is the distance, nearly. */
static void test_point_bounds(void **state)
{
    (void)state;
    test_random random = {19};
    for (size_t n = 0; n < test_count(4000); n++) {
        tmb_box_lanes eight, one;
        double points[9][3], lower[TMB_BOX_LANES];
        const int exponents = n % 3 == 0 ? 1020 : n % 3 == 1 ? 530 : 30;
        for (int i = 0; i < 9; i++) {
            for (int k = 0; k < 3; k++) {
                tmb_box_lanes *box = i < 8 ? &eight : &one;
                points[i][k] = any_number(&random, exponents);
                box->lower[k][i % 8] = box->upper[k][i % 8] = points[i][k];
            }
        }
        tmb_box_distances(&eight, &one, 0, lower);
        for (int i = 0; i < 8; i++) {
            compare_bound(points[i], points[8], lower[i], 1 - 1e-14, "one frame");
        }
    }
}

/* Points of two models, the one moved: the bounds of both frames together, and those along an axis. */
static void test_moved_bounds(void **state)
{
    const test_world *w = *state;
    test_random random = {20};
    size_t in_b = 0, along = 0;
    for (size_t n = 0; n < test_count(600); n++) {
        models_mesh mesh_a = {0}, mesh_b = {0};
        const int size = n % 2 ? test_random_whole(&random, -300, 300) : 0;
        test_make_soup(&mesh_a, &random, 1, 1);
        test_make_soup(&mesh_b, &random, 1, 1);
        test_transform(&mesh_b, ldexp(1, size), (const double[3]){0, 0, 0});
        const double away = n % 3 == 0 ? 1e9 : 0; /* from the origin, but near each other */
        test_transform(&mesh_a, 1, (const double[3]){away, -away, away});
        tumble_model *a = test_brute_model(w->context, &mesh_a), *b = test_brute_model(w->context, &mesh_b);
        const double far = n % 5 == 0 ? 1e14 : n % 5 == 1 ? 1e5 : 3;
        tmb_boxes_near near = {0};
        tmb_near_search s = {.encounter = {.query = w->query, .a = a, .b = b},
                             .scratch = tmb_near_scratch_of(w->query),
                             .walk = {.data = &near}};
        s.encounter.relative = placed(&random, ldexp(1, -size), far * test_random_unit(&random), far, 1);
        s.encounter.relative.m[0][0] *= 1 + 1e-6 * test_random_unit(&random); /* nor are poses rotations, quite */
        if (away > 0) {
            double at[3];
            tumble_pose_apply(&s.encounter.relative, mesh_b.points, at);
            for (int k = 0; k < 3; k++) {
                s.encounter.relative.m[k][3] += mesh_a.points[k] - at[k] + ldexp(1, -test_random_whole(&random, 0, 30));
            }
        }
        near.frames = tmb_box_frames_of(&s.encounter);
        in_b += (size_t)near.frames.has_b;
        assert_true(tmb_boxes_begin(&s, &near));
        const tmb_box_group *root_a = tmb_boxes_group(&s, 0, 0), *root_b = tmb_boxes_group(&s, 1, 0);
        tmb_box_group point_a = *root_a, point_b = *root_b;
        double lower[TMB_BOX_LANES], moved[3];
        const double *p = mesh_a.points, *q = mesh_b.points;
        tumble_pose_apply(&s.encounter.relative, q, moved);
        tmb_box_bounds(&near.frames, root_a->in, root_b->in, 0, lower);
        compare_bound(p, moved, lower[0], 0, "boxes of models");
        for (int k = 0; k < 3; k++) { /* as boxes that are points: only errors are left */
            const double at = near.frames.into_b.m[k][0] * p[0] + near.frames.into_b.m[k][1] * p[1] +
                              near.frames.into_b.m[k][2] * p[2] + near.frames.into_b.m[k][3];
            point_a.in[0].lower[k][0] = point_a.in[0].upper[k][0] = p[k];
            point_a.in[1].lower[k][0] = point_a.in[1].upper[k][0] = at;
            point_b.in[0].lower[k][0] = point_b.in[0].upper[k][0] = -INFINITY; /* nothing is known in A's frame */
            point_b.in[0].upper[k][0] = INFINITY;
            point_b.in[1].lower[k][0] = point_b.in[1].upper[k][0] = q[k];
        }
        tmb_box_bounds(&near.frames, point_a.in, point_b.in, 0, lower);
        compare_bound(p, moved, lower[0], far < 10 && away == 0 && size == 0 ? 0.99 : 0, "B's frame");
        double origin[3], axis[3], range_a[2] = {DBL_MAX, -DBL_MAX}, range_b[2] = {DBL_MAX, -DBL_MAX};
        if (tmb_box_axis(&root_a->in[0], 0, &root_b->in[0], 0, origin, axis)) {
            tmb_widen_along(axis, origin, p[0], p[1], p[2], &range_a[0], &range_a[1]);
            tmb_widen_along(axis, origin, moved[0], moved[1], moved[2], &range_b[0], &range_b[1]);
            compare_bound(p, moved, tmb_gap_along(range_a[1], range_b[0]), 0, "along an axis");
            along++;
        }
        tumble_model_destroy(a);
        tumble_model_destroy(b);
        models_free(&mesh_a);
        models_free(&mesh_b);
    }
    assert_true(in_b > 0 && along > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_all_pairs),       TEST_IN_WORLD(test_far),          TEST_IN_WORLD(test_odd_models),
        TEST_IN_WORLD(test_ranges),          TEST_IN_WORLD(test_deformed),     TEST_IN_WORLD(test_edited),
        TEST_IN_WORLD(test_coherence),       TEST_IN_WORLD(test_fronts),       TEST_IN_WORLD(test_changing_sizes),
        TEST_IN_WORLD(test_budgets),         TEST_IN_WORLD(test_memory),       TEST_IN_WORLD(test_work),
        cmocka_unit_test(test_point_bounds), TEST_IN_WORLD(test_moved_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
