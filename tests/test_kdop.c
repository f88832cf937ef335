/* k-DOP trees: whatever the directions, the leaves, the way of tumbling and of traversal, the pairs are those of brute
 * force. Where the numbers are hardest a lost pair would show that a slack in docs/kdop.md is too small. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kdop_cases.h"

/* Two meshes as trees of each k, as wide hierarchies and as brute force, a query for each instruction set, and what was
 * tried. */
typedef struct contest {
    test_world *world;
    test_random random;
    tumble_context *contexts[TEST_LEVELS];
    tumble_query *queries[TEST_LEVELS];
    tumble_model *trees[TEST_KDOPS][2], *brute[2], *wide[2];
    double size; /* of A */
    test_pairs expected, found;
    size_t hits, misses, tumbles[TUMBLE_KDOP_TUMBLE_AXES + 1], hulls, epsilons;
} contest;

static void begin_contest(contest *c, test_world *w, uint64_t seed)
{
    memset(c, 0, sizeof *c);
    c->world = w;
    c->random.state = seed;
    test_open_levels(&w->memory, c->contexts, c->queries);
}

static void end_contest(contest *c)
{
    test_close_levels(c->contexts, c->queries);
    test_free_pairs(&c->expected);
    test_free_pairs(&c->found);
}

static void set_models(contest *c, const models_mesh *a, const models_mesh *b)
{
    const models_mesh *meshes[2] = {a, b};
    for (int m = 0; m < 2; m++) {
        for (int i = 0; i < TEST_KDOPS; i++) {
            const tumble_model_options options = test_any_kdop(&c->random, test_kdops[i]);
            c->trees[i][m] = test_model(c->contexts[0], meshes[m], &options);
        }
        c->brute[m] = test_brute_model(c->contexts[0], meshes[m]);
        c->wide[m] = test_model(c->contexts[0], meshes[m], NULL);
    }
    const tumble_model_info info = test_info(c->brute[0]);
    c->size = 0;
    for (int k = 0; k < 3; k++) {
        c->size = fmax(c->size, info.upper[k] / 2 - info.lower[k] / 2);
    }
}

static void drop_models(contest *c)
{
    for (int m = 0; m < 2; m++) {
        for (int i = 0; i < TEST_KDOPS; i++) {
            tumble_model_destroy(c->trees[i][m]);
        }
        tumble_model_destroy(c->brute[m]);
        tumble_model_destroy(c->wide[m]);
    }
}

static void ask(contest *c, int i, int swapped, const tumble_pose *pose_a, const tumble_pose *pose_b, const char *name)
{
    const tumble_model *a = c->trees[i][swapped], *b = c->trees[i][!swapped];
    const int level = test_random_whole(&c->random, 0, TEST_LEVELS - 1);
    tumble_collide_options options = tumble_default_collide_options();
    test_tune(options, kdop_walk, test_any_walk(&c->random, b, c->size));
    const tumble_collide_result result = test_collide(c->queries[level], a, pose_a, b, pose_b, &options, &c->found);
    test_assert_same_pairs(&c->found, &c->expected, "%s, k %u, leaves %u and %u, %s, %s, level %d", name, test_kdops[i],
                           a->block->kdop.leaf, b->block->kdop.leaf, swapped ? "swapped" : "as it is",
                           test_walk_name(&options.tuning->kdop_walk), level);
    if (test_kdops_suit_floats(a, pose_a, b, pose_b, options.tuning->kdop_walk.epsilon)) {
        assert_true(result.counters.box_updates <= b->block->node_count);
    }
    c->tumbles[options.tuning->kdop_walk.tumble]++;
    c->hulls += options.tuning->kdop_walk.root != TUMBLE_KDOP_ROOT_SAME && b->block->kdop.hull_count;
    c->epsilons += options.tuning->kdop_walk.epsilon > 0;
}

/* Both ways round, as which of them is moved matters; for each k `walks` ways of walking. */
static void compare(contest *c, const tumble_pose *pose, int walks, const char *name)
{
    for (int swapped = 0; swapped < 2; swapped++) {
        const tumble_pose *pose_a = swapped ? pose : NULL, *pose_b = swapped ? NULL : pose;
        test_collide(c->queries[0], c->brute[swapped], pose_a, c->brute[!swapped], pose_b, NULL, &c->expected);
        *(c->expected.count ? &c->hits : &c->misses) += 1;
        test_collide(c->queries[0], c->wide[swapped], pose_a, c->wide[!swapped], pose_b, NULL, &c->found);
        test_assert_same_pairs(&c->found, &c->expected, "%s, wide", name);
        for (int i = 0; i < TEST_KDOPS; i++) {
            for (int n = 0; n < walks; n++) {
                ask(c, i, swapped, pose_a, pose_b, name);
            }
        }
    }
}

/* What B keeps no data for is no way of walking. */
static void expect_all_ways(const contest *c)
{
    for (int i = 0; i <= TUMBLE_KDOP_TUMBLE_AXES; i++) {
        assert_true(c->tumbles[i] > 0);
    }
    assert_true(c->hulls > 0 && c->epsilons > 0);
}

/* ---- Sets of triangles ---- */

/* Every number of triangles from one on. */
static void test_every_count(void **state)
{
    contest c;
    begin_contest(&c, *state, 1);
    for (size_t count = 1; count <= 90; count += count < 20 || test_effort() >= 1 ? 1 : 5) {
        models_mesh meshes[2] = {{0}, {0}};
        if (count % 2) {
            test_make_soup(&meshes[0], &c.random, count, 0.4);
        } else {
            const double zero[3] = {0, 0, 0};
            test_make_lattice(&meshes[0], &c.random, count, 5, 2, 0.2);
            test_transform(&meshes[0], 0.2, zero);
        }
        test_make_soup(&meshes[1], &c.random, count % 3 ? 20 : 1, 0.9);
        set_models(&c, &meshes[0], &meshes[1]);
        for (int p = 0; p < 3; p++) {
            const tumble_pose pose = test_special_turn(&c.random, test_kdops[p]);
            compare(&c, &pose, 2, "some triangles");
        }
        drop_models(&c);
        models_free(&meshes[0]);
        models_free(&meshes[1]);
    }
    assert_true(4 * c.hits > c.misses && c.misses > 0);
    expect_all_ways(&c);
    end_contest(&c);
}

static void test_difficult_sets(void **state)
{
    contest c;
    begin_contest(&c, *state, 2);
    for (size_t i = 0; i < TEST_SETS; i++) {
        models_mesh mesh = {0};
        test_sets[i].make(&mesh, &c.random, 60);
        set_models(&c, &mesh, &mesh);
        const tumble_model_info info = test_info(c.brute[0]);
        for (size_t p = 0; p < test_count(8); p++) {
            const tumble_pose pose = test_pose_over(&c.random, &info, test_sets[i].turns, p);
            compare(&c, &pose, c.expected.count > 2000 ? 1 : 2, test_sets[i].name);
        }
        drop_models(&c);
        models_free(&mesh);
    }
    assert_true(c.hits > 10 * test_count(8));
    expect_all_ways(&c);
    end_contest(&c);
}

/* One triangle, segment or point of each against the other, in all relations of whole coordinates. */
static void test_single_triangles(void **state)
{
    contest c;
    const size_t count = 100 + test_count(500); /* few meet */
    begin_contest(&c, *state, 3);
    for (size_t i = 0; i < count; i++) {
        models_mesh meshes[2] = {{0}, {0}};
        test_make_lattice(&meshes[0], &c.random, 1, 1, 2, 0.5);
        test_make_lattice(&meshes[1], &c.random, 1, 1, 2, 0.5);
        set_models(&c, &meshes[0], &meshes[1]);
        tumble_pose pose = test_quarter_turn(i % 24);
        for (int k = 0; k < 3; k++) {
            pose.m[k][3] = test_random_whole(&c.random, -1, 1);
        }
        compare(&c, &pose, 1, "single triangles");
        drop_models(&c);
        models_free(&meshes[0]);
        models_free(&meshes[1]);
    }
    assert_true(c.hits > count / 30 && c.misses > count / 30); /* both come up */
    end_contest(&c);
}

/* Shapes as they are used, at the poses that are special for k-DOPs. */
static void test_special_turns(void **state)
{
    static const char *const shapes[][2] = {{"torus", "knot"}, {"gear", "sphere"}, {"terrain", "shards"}};
    contest c;
    begin_contest(&c, *state, 4);
    for (int i = 0; i < 3; i++) {
        models_mesh meshes[2];
        for (int k = 0; k < 2; k++) {
            assert_true(models_make_sized(&meshes[k], shapes[i][k], 300));
            models_fit(&meshes[k], 2, i == 1);
        }
        set_models(&c, &meshes[0], &meshes[1]);
        for (size_t p = 0; p < test_count(40); p++) {
            tumble_pose pose = test_special_turn(&c.random, test_kdops[p % TEST_KDOPS]);
            for (int k = 0; k < 3; k++) {
                pose.m[k][3] = p % 4 ? test_random_range(&c.random, -1.4, 1.4) : 0;
            }
            if (p % 3 == 0) {
                test_scale_pose(&pose, test_random_range(&c.random, 0.3, 2));
            }
            compare(&c, &pose, 1, shapes[i][0]);
        }
        drop_models(&c);
        models_free(&meshes[0]);
        models_free(&meshes[1]);
    }
    assert_true(c.hits > test_count(40) && c.misses > 0);
    expect_all_ways(&c);
    end_contest(&c);
}

/* ---- Contact without depth ---- */

/* Boxes of whole coordinates that share a face, an edge, a corner, or just do not. */
static void test_touching_boxes(void **state)
{
    contest c;
    begin_contest(&c, *state, 5);
    models_mesh box = {0}, small = {0};
    test_make_grid_box(&box, 4);
    test_make_grid_box(&small, 2);
    set_models(&c, &box, &small);
    const double middle[3] = {1, 1, 1};
    size_t touching = 0;
    for (size_t i = 0; i < test_count(150); i++) {
        tumble_pose pose = test_quarter_turn(i % 24);
        double onto[3];
        int outside = 0;
        for (int k = 0; k < 3; k++) {
            static const double places[] = {-1, 5, 2, 1, 3};
            const int place = test_random_whole(&c.random, 0, 4);
            onto[k] = places[place];
            outside += place < 2;
        }
        test_move_onto(&pose, middle, onto);
        compare(&c, &pose, 1, "boxes that touch");
        assert_true(outside == 0 || c.expected.count > 0);
        touching += outside > 0;
        pose.m[i % 3][3] += test_random_chance(&c.random, 0.5) ? 0x1p-50 : 0x1p-20;
        compare(&c, &pose, 1, "boxes that just touch or do not");
    }
    assert_true(touching >= test_count(150) / 3 && c.misses >= test_count(150) / 10);
    drop_models(&c);
    models_free(&box);
    models_free(&small);
    end_contest(&c);
}

/* A little B, and an A of which one corner is exactly where the pose takes one of B's, the one that lies farthest
 * against a direction, while all else of A is beyond: the two touch in one point, and along that direction there is
 * nothing to spare. */
static void make_kissing(test_random *random, const double e[3], const models_mesh *b, const tumble_pose *pose,
                         double size, models_mesh *a)
{
    double most = -INFINITY, corner[3] = {0, 0, 0};
    for (size_t i = 0; i < b->point_count; i++) {
        double moved[3];
        tumble_pose_apply(pose, b->points + 3 * i, moved);
        const double height = -((e[0] * moved[0] + e[1] * moved[1]) + e[2] * moved[2]);
        if (height > most) {
            most = height;
            memcpy(corner, moved, sizeof corner);
        }
    }
    const uint32_t first = models_point(a, corner[0], corner[1], corner[2]);
    for (int i = 0; i < 6; i++) {
        uint32_t others[2];
        for (int n = 0; n < 2; n++) {
            double p[3], along = 0;
            for (int k = 0; k < 3; k++) {
                p[k] = size * test_random_range(random, -1, 1);
                along += e[k] * p[k];
            }
            const double sign = along > 0 ? -1 : 1; /* all on one side */
            others[n] = models_point(a, corner[0] + sign * p[0], corner[1] + sign * p[1], corner[2] + sign * p[2]);
        }
        models_triangle(a, first, others[0], others[1]);
    }
}

/* Sizes of B relative to A from 2^-40 to 2^40, so that the map's reach goes from 1 to 2^40. */
static void test_kissing(void **state)
{
    contest c;
    begin_contest(&c, *state, 6);
    size_t few = 0;
    for (size_t i = 0; i < test_count(3000); i++) {
        const uint32_t k = test_kdops[i % TEST_KDOPS];
        models_mesh meshes[2] = {{0}, {0}};
        double e[3];
        tmb_kdop_lane(tmb_kdop_set_of(k), (uint32_t)test_random_whole(&c.random, 0, (int)k - 1), e);
        test_make_soup(&meshes[1], &c.random, (size_t)test_random_whole(&c.random, 1, 12), 0.8);
        tumble_pose pose = test_special_turn(&c.random, k);
        const double scale = ldexp(test_random_range(&c.random, 1, 2), test_random_whole(&c.random, -8, 8));
        const double size =
            ldexp(scale, i % 2 ? test_random_whole(&c.random, -4, 4) : test_random_whole(&c.random, -40, 40));
        test_scale_pose(&pose, scale);
        const int far = test_random_whole(&c.random, -20, 3);
        for (int j = 0; j < 3; j++) {
            pose.m[j][3] = ldexp(scale, far) * test_random_range(&c.random, -1, 1);
        }
        make_kissing(&c.random, e, &meshes[1], &pose, size, &meshes[0]);
        set_models(&c, &meshes[0], &meshes[1]);
        const size_t hits = c.hits;
        compare(&c, &pose, 2, "models that touch in a point");
        assert_true(c.hits > hits); /* as it is; swapped the corners are rounded differently */
        few += c.expected.count <= 12;
        drop_models(&c);
        models_free(&meshes[0]);
        models_free(&meshes[1]);
    }
    assert_true(few > test_count(3000) / 2);
    expect_all_ways(&c);
    end_contest(&c);
}

/* A random point with a positive height over a plane through 0, at most so far from it along each axis. */
static void choose_above(test_random *random, const double e[3], double size, double out[3])
{
    double height;
    do {
        height = 0;
        for (int k = 0; k < 3; k++) {
            out[k] = size * test_random_range(random, -1, 1);
            height += e[k] * out[k];
        }
    } while (!(height > 0.05 * size));
}

/* Whole numbers of 2^-40, of which the last follows from e . x = 0 exactly; e has the components 0, 1 and -1. */
static void choose_on_plane(test_random *random, const double e[3], double size, double out[3])
{
    const int last = e[2] != 0 ? 2 : e[1] != 0 ? 1 : 0;
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        out[k] = k == last ? 0 : floor(size * test_random_range(random, -1, 1) * 0x1p40) * 0x1p-40;
        sum += e[k] * out[k];
    }
    out[last] = -sum / e[last];
}

/* Large triangles of A, across one of the directions and near the middle of its frame, of which B, which is tiny,
 * touches one in a point of its inside: all coordinates of the triangle are large, and all that B has is small, so that
 * the reach leaves next to nothing for rounding. */
static void test_large_triangles(void **state)
{
    contest c;
    begin_contest(&c, *state, 11);
    for (size_t i = 0; i < test_count(1500); i++) {
        static const uint32_t ks[] = {6, 14, 18, 26};
        const uint32_t k = ks[i % 4];
        models_mesh meshes[2] = {{0}, {0}};
        double e[3], at[3], corners[3][3];
        tmb_kdop_lane(tmb_kdop_set_of(k), (uint32_t)test_random_whole(&c.random, 0, (int)k - 1), e);
        choose_on_plane(&c.random, e, 0x1p-10, at); /* where they touch */
        for (int n = 0; n < 3; n++) {
            choose_on_plane(&c.random, e, 0.9, corners[n]);
        }
        uint32_t numbers[3];
        for (int n = 0; n < 3; n++) { /* the third corner opposite to the others, so that the point is inside */
            for (int j = 0; j < 3; j++) {
                corners[2][j] = n == 2 ? -(corners[0][j] + corners[1][j]) / 2 : corners[2][j];
            }
            numbers[n] = models_point(&meshes[0], corners[n][0], corners[n][1], corners[n][2]);
        }
        models_triangle(&meshes[0], numbers[0], numbers[1], numbers[2]);
        for (int n = test_random_whole(&c.random, 1, 6); n > 0; n--) { /* others below, that share two corners */
            double below[3];
            choose_above(&c.random, e, 0.9, below);
            models_triangle(&meshes[0], numbers[0], numbers[1],
                            models_point(&meshes[0], -below[0], -below[1], -below[2]));
        }
        for (int sign = -1; sign <= 1; sign += 2) { /* the frame's middle is near, and no power of two */
            const double x = sign * 0.97 + 1e-4 * test_random_unit(&c.random), y = sign * 0.96, z = sign * 0.95 + 3e-5;
            const uint32_t corner = models_point(&meshes[0], x, y, z);
            models_triangle(&meshes[0], corner, corner, corner);
        }
        tumble_pose pose = test_special_turn(&c.random, k);
        const uint32_t tip = models_point(&meshes[1], 0, 0, 0);
        for (int n = 0; n < 12; n++) {
            uint32_t others[2];
            for (int m = 0; m < 2; m++) {
                double above[3], back[3];
                choose_above(&c.random, e, 1, above);
                for (int j = 0; j < 3; j++) {
                    back[j] = (pose.m[0][j] * above[0] + pose.m[1][j] * above[1]) + pose.m[2][j] * above[2];
                }
                others[m] = models_point(&meshes[1], back[0], back[1], back[2]);
            }
            models_triangle(&meshes[1], tip, others[0], others[1]);
        }
        test_scale_pose(&pose, ldexp(1, -test_random_whole(&c.random, 10, 24)));
        for (int j = 0; j < 3; j++) {
            pose.m[j][3] = at[j];
        }
        set_models(&c, &meshes[0], &meshes[1]);
        compare(&c, &pose, 2, "a tiny model on a large triangle");
        drop_models(&c);
        models_free(&meshes[0]);
        models_free(&meshes[1]);
    }
    assert_true(c.hits > test_count(1500) / 2);
    expect_all_ways(&c);
    end_contest(&c);
}

/* Two whole vectors across a direction of the set (of 12: nearly). */
static void span_plane(const double e[3], double u[3], double v[3])
{
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double *axis = axes[e[0] == 0 ? 0 : e[1] == 0 ? 1 : 2];
    for (int pass = 0; pass < 2; pass++) {
        const double *p = pass ? u : axis;
        double *out = pass ? v : u;
        for (int k = 0; k < 3; k++) {
            const int l = (k + 1) % 3, m = (k + 2) % 3;
            out[k] = e[l] * p[m] - e[m] * p[l];
        }
    }
}

/* Patches of one plane, across one of the directions: k-DOPs without thickness, of which rounding alone is left. The
 * first lies in a model that is much larger. */
static void test_layers(void **state)
{
    contest c;
    begin_contest(&c, *state, 7);
    for (size_t i = 0; i < test_count(120); i++) {
        models_mesh meshes[2] = {{0}, {0}};
        const uint32_t k = test_kdops[i % TEST_KDOPS];
        double e[3], u[3], v[3], centre[3], zero[3] = {0, 0, 0};
        tmb_kdop_lane(tmb_kdop_set_of(k), (uint32_t)test_random_whole(&c.random, 0, (int)k - 1), e);
        span_plane(e, u, v);
        for (int j = 0; j < 3; j++) {
            centre[j] = test_random_range(&c.random, -0.9, 0.9);
        }
        const double size = ldexp(1, -test_random_whole(&c.random, 2, 18));
        test_make_patch(&meshes[0], (uint32_t)test_random_whole(&c.random, 2, 8), u, v, centre, size);
        for (int n = -1; n <= 1; n += 2) {
            const uint32_t corner = models_point(&meshes[0], n, n, n);
            models_triangle(&meshes[0], corner, corner, corner);
        }
        test_make_patch(&meshes[1], (uint32_t)test_random_whole(&c.random, 2, 8), u, v, zero, 1);
        set_models(&c, &meshes[0], &meshes[1]);
        for (int p = 0; p < 3; p++) {
            const double tilt = p ? pow(2, -test_random_whole(&c.random, 20, 30)) : 0;
            tumble_pose pose = test_turn(u, tilt);
            test_scale_pose(&pose, size * ldexp(1, -test_random_whole(&c.random, 0, 22)));
            const double s = size * test_random_range(&c.random, -0.9, 0.9),
                         t = size * test_random_range(&c.random, -0.9, 0.9);
            for (int j = 0; j < 3; j++) {
                pose.m[j][3] = centre[j] + s * u[j] + t * v[j];
            }
            compare(&c, &pose, 1, "patches of one plane");
            const double above = ldexp(size, -test_random_whole(&c.random, 4, 30));
            for (int j = 0; j < 3; j++) {
                pose.m[j][3] += above * e[j];
            }
            compare(&c, &pose, 1, "patches above each other");
        }
        drop_models(&c);
        models_free(&meshes[0]);
        models_free(&meshes[1]);
    }
    assert_true(c.hits > test_count(120) && c.misses > test_count(120) / 2);
    end_contest(&c);
}

/* ---- Sizes ---- */

/* Whether doubles can hold what becomes of both models, either way round. */
static int is_possible(const contest *c, const tumble_pose *pose, double size_a, double size_b)
{
    const tumble_pose identity = tumble_pose_identity(), back = tumble_pose_relative(pose, &identity);
    int possible =
        tumble_pose_check(c->contexts[0], pose) == TUMBLE_OK && tumble_pose_check(c->contexts[0], &back) == TUMBLE_OK;
    for (int n = 0; n < 12; n++) {
        possible = possible && fabs(pose->m[n / 4][n % 4]) * (size_b + 1) < 1e300 &&
                   fabs(back.m[n / 4][n % 4]) * (size_a + 1) < 1e300;
    }
    return possible;
}

/* Models of all sizes, as they are and scaled by the pose, on each other's surface; ratios beyond 2^60, which floats
 * cannot tell, too. */
static void test_all_sizes(void **state)
{
    static const double sizes[] = {1,      1e-3,   1e3,   1e-6,   1e6,     1e-12,  1e12,   1e17,
                                   0x1p50, 1e-17,  1e20,  1e30,   0x1p100, 1e-30,  1e39,   1e-44,
                                   1e100,  1e-110, 1e150, 1e-150, 1e300,   1e-300, 1e-310, 0x1p-1070};
    enum {
        SIZES = sizeof sizes / sizeof *sizes
    };
    static const char *const shapes[] = {"sphere", "torus", "soup", "terrain"};
    contest c;
    begin_contest(&c, *state, 8);
    const double zero[3] = {0, 0, 0};
    for (size_t i = 0; i < test_count(100); i++) {
        models_mesh meshes[2];
        double of[2];
        for (int k = 0; k < 2; k++) {
            assert_true(models_make_sized(&meshes[k], shapes[test_random_bits(&c.random) % 4], 60));
            models_fit(&meshes[k], 2, 0);
            of[k] = sizes[test_random_bits(&c.random) % SIZES];
            test_transform(&meshes[k], of[k], zero);
        }
        set_models(&c, &meshes[0], &meshes[1]);
        for (int p = 0; p < 4; p++) {
            const double scale = p == 0 ? 1 : of[0] / of[1] * ldexp(1, p == 1 ? 0 : p == 2 ? -10 : 25);
            const double *onto = meshes[0].points + 3 * (test_random_bits(&c.random) % meshes[0].point_count);
            const double *from = meshes[1].points + 3 * (test_random_bits(&c.random) % meshes[1].point_count);
            tumble_pose pose = test_special_turn(&c.random, test_kdops[i % TEST_KDOPS]);
            test_scale_pose(&pose, scale);
            test_move_onto(&pose, from, onto);
            char name[100];
            snprintf(name, sizeof name, "sizes %g and %g, scaled by %g", of[0], of[1], scale);
            if (scale > 1e-290 && scale < 1e290 && is_possible(&c, &pose, of[0], of[1])) {
                compare(&c, &pose, 1, name);
            }
        }
        drop_models(&c);
        models_free(&meshes[0]);
        models_free(&meshes[1]);
    }
    assert_true(c.hits > test_count(100));
    end_contest(&c);
}

/* Far from the origin both as models and by poses, so that doubles have few digits left. */
static void test_far_away(void **state)
{
    contest c;
    begin_contest(&c, *state, 9);
    for (size_t i = 0; i < test_count(40); i++) {
        const double far = pow(10, test_random_whole(&c.random, 3, 15)), zero[3] = {0, 0, 0};
        models_mesh meshes[2] = {{0}, {0}};
        for (int k = 0; k < 2; k++) {
            test_make_soup(&meshes[k], &c.random, 80, 0.3);
            const double shift[3] = {far * test_random_range(&c.random, -1, 1), far, -far};
            test_transform(&meshes[k], 1, test_random_chance(&c.random, 0.5) ? shift : zero);
        }
        set_models(&c, &meshes[0], &meshes[1]);
        for (int p = 0; p < 4; p++) {
            const double *onto = meshes[0].points + 3 * (test_random_bits(&c.random) % meshes[0].point_count);
            const double *from = meshes[1].points + 3 * (test_random_bits(&c.random) % meshes[1].point_count);
            tumble_pose pose = test_special_turn(&c.random, test_kdops[i % TEST_KDOPS]);
            test_scale_pose(&pose, p == 3 ? 1.1 : 1);
            test_move_onto(&pose, from, onto);
            compare(&c, &pose, 1, "models far away");
        }
        drop_models(&c);
        models_free(&meshes[0]);
        models_free(&meshes[1]);
    }
    assert_true(c.hits > test_count(40));
    end_contest(&c);
}

/* ---- Points that move ---- */

static void test_deformed_models(void **state)
{
    contest c;
    begin_contest(&c, *state, 10);
    models_mesh mesh;
    assert_true(models_make_sized(&mesh, "torus", 200));
    set_models(&c, &mesh, &mesh);
    for (size_t n = 0; n < test_count(12); n++) {
        const int kind = (int)(n % 6);
        const double scale = kind == 4 ? 1e-200 : kind == 5 ? 0 : 1;
        for (size_t k = 0; k < 3 * mesh.point_count; k++) {
            const double x = kind == 2 && k % 3 == 1 ? 0 : mesh.points[k] * (k % 3 == n % 3 ? 1.5 : 0.7);
            mesh.points[k] = scale * (x + (kind == 1 ? 1 : 0.05) * test_random_range(&c.random, -1, 1));
        }
        const tumble_mesh view = models_view(&mesh);
        tumble_model *before[TEST_KDOPS], *others[2] = {c.brute[1], c.wide[1]};
        for (int i = 0; i < TEST_KDOPS; i++) {
            before[i] = c.trees[i][1];
            c.trees[i][1] = NULL;
            test_assert_status(c.contexts[0], tumble_model_deform(before[i], &view, &c.trees[i][1]), TUMBLE_OK, "");
        }
        c.brute[1] = test_brute_model(c.contexts[0], &mesh);
        c.wide[1] = test_model(c.contexts[0], &mesh, NULL);
        for (int p = 0; p < 3; p++) {
            const tumble_pose pose = test_special_turn(&c.random, test_kdops[n % TEST_KDOPS]);
            compare(&c, &pose, 1, "a deformed model");
        }
        tumble_model_destroy(others[0]);
        tumble_model_destroy(others[1]);
        for (int i = 0; i < TEST_KDOPS; i++) {
            tumble_model_destroy(before[i]);
        }
        for (size_t k = 0; scale != 1 && k < 3 * mesh.point_count; k++) {
            mesh.points[k] = test_random_range(&c.random, -1, 1);
        }
    }
    assert_true(c.hits > test_count(12));
    drop_models(&c);
    models_free(&mesh);
    end_contest(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_every_count),     TEST_IN_WORLD(test_difficult_sets),  TEST_IN_WORLD(test_single_triangles),
        TEST_IN_WORLD(test_special_turns),   TEST_IN_WORLD(test_touching_boxes),  TEST_IN_WORLD(test_kissing),
        TEST_IN_WORLD(test_large_triangles), TEST_IN_WORLD(test_layers),          TEST_IN_WORLD(test_all_sizes),
        TEST_IN_WORLD(test_far_away),        TEST_IN_WORLD(test_deformed_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
