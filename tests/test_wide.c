/* The wide hierarchy from inside: every box and slab holds what lies below it, as closely as docs/wide.md says, the
 * walk decodes what the build encoded, and no pair is lost where the numbers are hardest. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sets.h"
#include "tree/wide/fit.h"

/* The walk's own functions, compiled here once more. */
#define TMB_KERNEL scalar
#define tmb_wide_walk_scalar test_walk
#include "collide/wide/kernel.c"
#undef tmb_wide_walk_scalar

/* Cut across all axes or the longest, depending on the mesh. */
static tumble_model *make_wide(tumble_context *context, const models_mesh *mesh)
{
    const size_t variant = mesh->polygon_count % 3 ? TEST_TREE_WIDE : TEST_TREE_WIDE_LONGEST;
    const tumble_model_options options = test_tree_variant(variant);
    return test_model(context, mesh, &options);
}

/* ---- What a child encloses ---- */

/* The true local coordinates of a corner, and as the build rounds them. */
typedef struct local_point {
    double exact[3];
    float rounded[3];
} local_point;

/* All corners of clusters `first` to `last` - 1. The caller frees them. */
static local_point *local_points(const tumble_model *model, uint32_t first, uint32_t last, size_t *count)
{
    local_point *points = malloc((last - first) * (size_t)(3 * TMB_CLUSTER_TRIANGLES) * sizeof *points);
    assert_non_null(points);
    *count = 0;
    for (uint32_t cluster = first; cluster < last; cluster++) {
        for (uint32_t slot = 0; slot < tmb_cluster_triangle_count(model->places + cluster); slot++) {
            double corners[3][3];
            tmb_model_corners(model, tmb_triangle_address(cluster, slot), corners);
            for (int i = 0; i < 9; i++) {
                const int k = i % 3;
                local_point *p = &points[*count + (size_t)i / 3];
                p->exact[k] = (corners[i / 3][k] - model->frame.centre[k]) * model->frame.scale;
                p->rounded[k] = (float)p->exact[k];
            }
            *count += 3;
        }
    }
    return points;
}

/* What was looked at, and the most that a slab needed beyond its range, in units of 2^-24. */
typedef struct usage {
    size_t children, deep_children;
    double most_slack;
} usage;

/* Boxes hold the rounded points exactly, the true ones to half an ulp, and are at most two steps too large. */
static void check_box(const tmb_wide_node *node, uint32_t child, const local_point *points, size_t count,
                      const char *name)
{
    for (int k = 0; k < 3; k++) {
        const float scale = node->scale[k], origin = node->origin[k];
        const float lower = (float)node->lower[k][child] * scale + origin;
        const float upper = (float)node->upper[k][child] * scale + origin;
        float least = points[0].rounded[k], greatest = least;
        for (size_t i = 0; i < count; i++) {
            least = points[i].rounded[k] < least ? points[i].rounded[k] : least;
            greatest = points[i].rounded[k] > greatest ? points[i].rounded[k] : greatest;
            if (fabs(points[i].exact[k]) > 1 || fabs(points[i].exact[k] - (double)points[i].rounded[k]) > 0x1p-25) {
                fail_msg("%s: %a is no local coordinate", name, points[i].exact[k]);
            }
        }
        if (lower > least || upper < greatest) {
            fail_msg("%s, axis %d: from %a to %a does not hold %a to %a", name, k, (double)lower, (double)upper,
                     (double)least, (double)greatest);
        }
        if (least - lower > 2 * scale + 0x1p-23F || upper - greatest > 2 * scale + 0x1p-23F) {
            fail_msg("%s, axis %d: from %a to %a is too much for %a to %a", name, k, (double)lower, (double)upper,
                     (double)least, (double)greatest);
        }
    }
}

/* The bound that docs/wide.md gives for a slab as the walk decodes it, before anything is moved. */
#define SLAB_ERROR (18 * 0x1p-24)

static void check_slab(const decoded *d, const tmb_wide_node *node, uint32_t child, const local_point *points,
                       size_t count, int is_exact, usage *u, const char *name)
{
    const slabs *s = &d->slabs;
    double least = INFINITY, greatest = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        double height = 0;
        for (int k = 0; k < 3; k++) {
            height += (double)s->n[k][child] * (points[i].exact[k] - (double)s->centre[k][child]);
        }
        least = fmin(least, height);
        greatest = fmax(greatest, height);
    }
    const double middle = (double)s->middle[child], half = (double)s->half[child];
    const double beyond = fmax(middle - half - least, greatest - middle - half);
    if (beyond > SLAB_ERROR) {
        fail_msg("%s: a slab ends %g ulps too early", name, beyond * 0x1p24);
    }
    u->most_slack = fmax(u->most_slack, beyond * 0x1p24);
    if (is_exact) { /* fitted to the points, not to slabs below */
        const double unit = fmax(fmax((double)node->scale[0], (double)node->scale[1]), (double)node->scale[2]) / 256;
        const double excess = 2 * half - (greatest - least);
        if (excess > 2 * unit + 2 * SLAB_ERROR) {
            fail_msg("%s: a slab is %g units and %g ulps too thick", name, excess / unit, excess * 0x1p24);
        }
    }
}

/* No pose: what the walk decodes is the node itself. */
static decoded decode_node(const tmb_wide_node *node)
{
    tmb_wide_walk walk = {.slab_unit = 1};
    for (int k = 0; k < 3; k++) {
        walk.into_b.m[k][k] = walk.into_b.size[k][k] = 1;
    }
    decoded d;
    decode_a(&walk, node, &d);
    return d;
}

/* What a depth-first walk has met so far. */
typedef struct met {
    uint32_t nodes, clusters, depth;
} met;

/* Whether a node's slab is fitted to points: those of lowest nodes and of the ones right above these are. */
static int has_exact_slab(const tumble_model *model, uint32_t number)
{
    const tmb_wide_node *nodes = model->nodes;
    return nodes[number].is_lowest || tmb_wide_children_are_lowest(nodes, &nodes[number]);
}

static void check_node(const tumble_model *model, uint32_t number, uint32_t depth, met *m, usage *u, const char *name)
{
    const tmb_wide_node *node = (const tmb_wide_node *)model->nodes + number;
    char place[200];
    snprintf(place, sizeof place, "%.100s, node %u", name, number);
    assert_true(node->is_lowest <= 1 && node->child_count >= 1 && node->child_count <= TMB_WIDE);
    assert_int_equal(node->children, node->is_lowest ? m->clusters : m->nodes);
    *(node->is_lowest ? &m->clusters : &m->nodes) += node->child_count;
    m->depth = depth > m->depth ? depth : m->depth;
    const decoded d = decode_node(node);
    uint32_t first = node->is_lowest ? node->children : m->clusters;
    for (uint32_t child = 0; child < node->child_count; child++) {
        if (!node->is_lowest) {
            check_node(model, node->children + child, depth + 1, m, u, name);
        }
        const uint32_t last = node->is_lowest ? first + 1 : m->clusters;
        const int exact = node->is_lowest || has_exact_slab(model, node->children + child);
        size_t count;
        local_point *points = local_points(model, first, last, &count);
        check_box(node, child, points, count, place);
        check_slab(&d, node, child, points, count, exact, u, place);
        u->children++;
        u->deep_children += !exact;
        free(points);
        first = last;
    }
}

static void check_nodes(const tumble_model *model, usage *u, const char *name)
{
    const tumble_model_info info = test_info(model);
    met m = {.nodes = 1};
    check_node(model, 0, 1, &m, u, name);
    assert_int_equal(info.hierarchy, TUMBLE_HIERARCHY_WIDE);
    assert_int_equal(info.node_count, m.nodes);
    assert_int_equal(m.clusters, model->block->cluster_count);
    assert_int_equal(info.depth, m.depth);
    assert_true(m.depth <= TMB_WIDE_LEVELS);
    assert_int_equal(info.hierarchy_bytes, m.nodes * sizeof(tmb_wide_node));
}

static void test_nodes_of_shapes(void **state)
{
    test_world *w = *state;
    usage u = {0};
    for (const models_shape *shape = models_shapes(); shape->name; shape++) {
        models_mesh mesh;
        if (!test_make_shape(&mesh, shape, test_count(3000))) {
            continue;
        }
        models_fit(&mesh, 2, u.children % 2);
        tumble_model *model = make_wide(w->context, &mesh);
        check_nodes(model, &u, shape->name);
        tumble_model_destroy(model);
        models_free(&mesh);
    }
    assert_true(u.children > test_count(3000));
}

/* Enough levels for slabs that are made of slabs that are made of slabs. */
static void test_nodes_of_large_models(void **state)
{
    test_world *w = *state;
    static const char *const shapes[] = {"torus", "soup", "terrain"};
    usage u = {0};
    for (int i = 0; i < 3; i++) {
        models_mesh mesh;
        assert_true(models_make_sized(&mesh, shapes[i], 40000));
        tumble_model *model = make_wide(w->context, &mesh);
        check_nodes(model, &u, shapes[i]);
        tumble_model_destroy(model);
        models_free(&mesh);
    }
    assert_true(u.deep_children > 20);
    assert_true(u.most_slack > 0); /* or the bound would not be about anything */
}

static void test_nodes_of_difficult_sets(void **state)
{
    test_world *w = *state;
    static const size_t counts[] = {1, 2, 5, 9, 64, 65, 330, 2500};
    usage u = {0};
    for (size_t i = 0; i < TEST_SETS; i++) {
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            test_random random = {i + 100 * c};
            models_mesh mesh = {0};
            test_sets[i].make(&mesh, &random, counts[c]);
            tumble_model *model = make_wide(w->context, &mesh);
            char name[100];
            snprintf(name, sizeof name, "%s, %zu triangles", test_sets[i].name, mesh.polygon_count);
            check_nodes(model, &u, name);
            tumble_model_destroy(model);
            models_free(&mesh);
        }
    }
}

/* Nodes that follow moved points hold them as well. */
static void test_nodes_of_deformed_models(void **state)
{
    test_world *w = *state;
    usage u = {0};
    test_random random = {6};
    models_mesh mesh;
    assert_true(models_make_sized(&mesh, "torus", 6000));
    tumble_model *model = make_wide(w->context, &mesh), *moved = NULL;
    for (int i = 0; i < 4; i++) {
        for (size_t k = 0; k < 3 * mesh.point_count; k++) {
            mesh.points[k] = mesh.points[k] * (k % 3 == 1 ? 1.7 : 0.6) + 0.01 * test_random_unit(&random);
        }
        const tumble_mesh view = models_view(&mesh);
        test_assert_status(w->context, tumble_model_deform(model, &view, &moved), TUMBLE_OK, "");
        check_nodes(moved, &u, "a deformed model");
    }
    tumble_model_destroy(moved);
    tumble_model_destroy(model);
    models_free(&mesh);
}

/* Runs of eight triangles that do not fit into a cluster are cut in two, also where only some do not. */
static void test_crowded_runs(void **state)
{
    test_world *w = *state;
    test_random random = {1};
    models_mesh mesh = {0};
    test_find_set("crowd")->make(&mesh, &random, 2000);
    assert_true(2 * mesh.point_count <= 3 * mesh.polygon_count); /* so the build takes runs of eight */
    tumble_model *model = make_wide(w->context, &mesh);
    assert_true(model->block->cluster_count > (mesh.polygon_count + 7) / 8);
    assert_true(model->block->cluster_count <= 2 * ((mesh.polygon_count + 7) / 8));
    tumble_model_destroy(model);
    models_free(&mesh);
}

/* ---- Decoding ---- */

/* All directions there are, also those that no build makes: the walk sees what the build saw, to the bit. */
static void test_directions(void **state)
{
    (void)state;
    for (int x = INT8_MIN; x <= INT8_MAX; x++) {
        for (int y = INT8_MIN; y <= INT8_MAX; y += TMB_WIDE) {
            tmb_wide_node node = {.scale = {1, 1, 1}};
            for (int i = 0; i < TMB_WIDE; i++) {
                node.direction[0][i] = (int8_t)x;
                node.direction[1][i] = (int8_t)(y + i);
            }
            const decoded d = decode_node(&node);
            for (int i = 0; i < TMB_WIDE; i++) {
                const int8_t direction[2] = {(int8_t)x, (int8_t)(y + i)};
                float n[3];
                tmb_wide_decode_direction(direction, n);
                for (int k = 0; k < 3; k++) {
                    assert_memory_equal(&n[k], &d.slabs.n[k][i], sizeof n[k]);
                }
                if (x >= -127 && y + i >= -127) {
                    assert_true(fabs(fabs((double)n[0]) + fabs((double)n[1]) + fabs((double)n[2]) - 1) < 0x1p-21);
                }
            }
        }
    }
}

/* What is encoded is the nearest direction, or one as near but for the distortion of the octahedron. */
static void test_encoding(void **state)
{
    (void)state;
    test_random random = {7};
    for (size_t i = 0; i < test_count(100000); i++) {
        float normal[3], n[3];
        double dot = 0, squares[2] = {0, 0};
        const double scale = ldexp(1, test_random_whole(&random, -60, 60));
        for (int k = 0; k < 3; k++) {
            const double x = test_random_chance(&random, 0.2) ? 0 : test_random_range(&random, -1, 1);
            normal[k] = (float)(x * scale);
        }
        int8_t direction[2];
        tmb_wide_encode_direction(normal, direction);
        tmb_wide_decode_direction(direction, n);
        for (int k = 0; k < 3; k++) {
            dot += (double)normal[k] * (double)n[k];
            squares[0] += (double)normal[k] * (double)normal[k];
            squares[1] += (double)n[k] * (double)n[k];
        }
        if (squares[0] == 0) {
            assert_true(direction[0] == 0 && direction[1] == 0);
        } else if (dot / sqrt(squares[0] * squares[1]) < cos(0.0168)) {
            fail_msg("(%g, %g, %g) became (%g, %g, %g)", (double)normal[0], (double)normal[1], (double)normal[2],
                     (double)n[0], (double)n[1], (double)n[2]);
        }
    }
}

static void test_sets_of_pairs(void **state)
{
    (void)state;
    test_random random = {8};
    for (unsigned a = 0; a < 256; a++) {
        for (unsigned b = 0; b < 256; b++) {
            uint64_t expected = 0;
            for (unsigned i = 0; i < 64; i++) {
                expected |= (uint64_t)(a >> i % 8 & b >> i / 8 & 1) << i;
            }
            assert_true(wanted_pairs(&(tmb_wide_pair){0, 0, (uint8_t)a, (uint8_t)b}) == expected);
        }
    }
    for (int n = 0; n < 10000; n++) {
        const uint64_t m = test_random_bits(&random) & (n % 2 ? test_random_bits(&random) : UINT64_MAX),
                       t = transpose(m);
        for (unsigned i = 0; i < 64; i++) {
            assert_int_equal(m >> i & 1, t >> (i % 8 * 8 + i / 8) & 1);
        }
    }
}

/* ---- Pairs ---- */

/* Two meshes as wide hierarchies and as brute force, and a query for each instruction set. */
typedef struct contest {
    test_world *world;
    tumble_context *contexts[TEST_LEVELS];
    tumble_query *queries[TEST_LEVELS];
    tumble_model *wide[2], *brute[2];
    test_pairs expected, found;
    size_t hits, misses;
} contest;

static void begin_contest(contest *c, test_world *w)
{
    memset(c, 0, sizeof *c);
    c->world = w;
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
    for (int k = 0; k < 2; k++) {
        c->wide[k] = make_wide(c->contexts[0], meshes[k]);
        c->brute[k] = test_brute_model(c->contexts[0], meshes[k]);
    }
}

static void drop_models(contest *c)
{
    for (int k = 0; k < 2; k++) {
        tumble_model_destroy(c->wide[k]);
        tumble_model_destroy(c->brute[k]);
    }
}

/* Both ways round: which of them is moved matters. */
static void compare(contest *c, const tumble_pose *pose, const char *name)
{
    for (int swapped = 0; swapped < 2; swapped++) {
        const tumble_pose *pose_a = swapped ? pose : NULL, *pose_b = swapped ? NULL : pose;
        const int a = swapped, b = !swapped;
        test_collide(c->queries[0], c->brute[a], pose_a, c->brute[b], pose_b, NULL, &c->expected);
        *(c->expected.count ? &c->hits : &c->misses) += 1;
        tumble_counters first = {0};
        for (int level = 0; level < TEST_LEVELS; level++) {
            const tumble_collide_result result =
                test_collide(c->queries[level], c->wide[a], pose_a, c->wide[b], pose_b, NULL, &c->found);
            test_assert_same_pairs(&c->found, &c->expected, "%s, %s, level %d", name, swapped ? "swapped" : "as it is",
                                   level);
            first = level ? first : result.counters;
            assert_true(test_same_work(&first, &result.counters));
        }
    }
}

/* Every number of triangles: full and incomplete clusters and nodes of one to four levels. */
static void test_every_count(void **state)
{
    contest c;
    begin_contest(&c, *state);
    usage u = {0};
    for (size_t count = 1; count <= 600; count += count < 150 || test_effort() >= 1 ? 1 : 7) {
        test_random random = {count};
        models_mesh meshes[2] = {{0}, {0}};
        if (count % 2) {
            test_make_soup(&meshes[0], &random, count, 0.4);
        } else {
            test_make_lattice(&meshes[0], &random, count, 5, 2, 0.1);
            const double zero[3] = {0, 0, 0};
            test_transform(&meshes[0], 0.2, zero);
        }
        test_make_soup(&meshes[1], &random, 20, 0.8);
        set_models(&c, &meshes[0], &meshes[1]);
        check_nodes(c.wide[0], &u, "some triangles");
        for (int p = 0; p < 2; p++) {
            const tumble_pose pose = p ? test_rational_turn(&random) : tumble_pose_identity();
            compare(&c, &pose, "some triangles");
        }
        drop_models(&c);
        models_free(&meshes[0]);
        models_free(&meshes[1]);
    }
    assert_true(c.hits > 10 * c.misses);
    end_contest(&c);
}

/* Larger difficult sets than brute force likes, a few poses each. */
static void test_difficult_sets(void **state)
{
    contest c;
    begin_contest(&c, *state);
    for (size_t i = 0; i < TEST_SETS; i++) {
        test_random random = {i};
        models_mesh mesh = {0};
        test_sets[i].make(&mesh, &random, 170);
        set_models(&c, &mesh, &mesh);
        const tumble_model_info info = test_info(c.brute[0]);
        for (size_t p = 0; p < test_count(5); p++) {
            const tumble_pose pose = test_pose_over(&random, &info, test_sets[i].turns, p);
            compare(&c, &pose, test_sets[i].name);
        }
        drop_models(&c);
        models_free(&mesh);
    }
    end_contest(&c);
}

/* ---- Sizes ---- */

/* A pose that scales B and brings one of its points onto one of A's. */
static tumble_pose touching_pose(test_random *random, const models_mesh *a, const models_mesh *b, double scale)
{
    const double *onto = a->points + 3 * (test_random_bits(random) % a->point_count);
    const double *from = b->points + 3 * (test_random_bits(random) % b->point_count);
    tumble_pose pose = test_random_chance(random, 0.3) ? tumble_pose_identity() : test_rational_turn(random);
    double moved[3];
    for (int i = 0; i < 9; i++) {
        pose.m[i / 3][i % 3] *= scale;
    }
    tumble_pose_apply(&pose, from, moved);
    for (int k = 0; k < 3; k++) {
        pose.m[k][3] = onto[k] - moved[k];
    }
    return pose;
}

/* Models of all sizes, as they are and scaled by the pose, on each other's surface. */
static void test_all_sizes(void **state)
{
    static const double sizes[] = {1,     1e-3,   1e3,   1e-6,   1e6,   1e-12,  1e12,   1e17,
                                   1e-17, 1e20,   1e30,  1e-30,  1e39,  1e-39,  1e-44,  1e-50,
                                   1e100, 1e-110, 1e150, 1e-150, 1e300, 1e-300, 1e-310, 0x1p-1070};
    enum {
        SIZES = sizeof sizes / sizeof *sizes
    };
    static const char *const shapes[] = {"sphere", "torus", "soup", "terrain"};
    contest c;
    begin_contest(&c, *state);
    test_random random = {9};
    const double zero[3] = {0, 0, 0};
    for (size_t i = 0; i < test_count(250); i++) {
        models_mesh meshes[2];
        double of[2];
        for (int k = 0; k < 2; k++) {
            assert_true(models_make_sized(&meshes[k], shapes[test_random_bits(&random) % 4], 120));
            models_fit(&meshes[k], 2, 0);
            of[k] = sizes[test_random_bits(&random) % SIZES];
            test_transform(&meshes[k], of[k], zero);
        }
        set_models(&c, &meshes[0], &meshes[1]);
        for (int p = 0; p < 3; p++) {
            const double scale = p == 0 ? 1 : p == 1 ? of[0] / of[1] : of[0] / of[1] * 1e-3;
            const tumble_pose pose = touching_pose(&random, &meshes[0], &meshes[1], scale);
            const tumble_pose identity = tumble_pose_identity(), back = tumble_pose_relative(&pose, &identity);
            char name[100];
            snprintf(name, sizeof name, "sizes %g and %g, scaled by %g", of[0], of[1], scale);
            /* denormal matrices are no rotations, and what leaves the doubles is refused */
            int possible = scale > 1e-290 && scale < 1e290 && tumble_pose_check(c.contexts[0], &pose) == TUMBLE_OK;
            for (int n = 0; n < 12; n++) {
                possible = possible && fabs(pose.m[n / 4][n % 4]) * (of[1] + 1) < 1e300 &&
                           fabs(back.m[n / 4][n % 4]) * (of[0] + 1) < 1e300;
            }
            if (possible) {
                compare(&c, &pose, name);
            }
        }
        drop_models(&c);
        models_free(&meshes[0]);
        models_free(&meshes[1]);
    }
    assert_true(c.hits > test_count(250));
    end_contest(&c);
}

/* ---- Thin layers ---- */

/* Two directions of length 1 in a plane whose normal a slab's bytes hold exactly. */
static void choose_plane(test_random *random, double u[3], double v[3])
{
    const int x = test_random_chance(random, 0.3) ? 127 : test_random_whole(random, 1, 100);
    const int y = x == 127 ? 0 : test_random_whole(random, 1, 126 - x), z = 127 - x - y;
    const double p[3] = {-y, x, 0}, q[3] = {-(double)x * z, -(double)y * z, (double)x * x + (double)y * y};
    const double length_p = sqrt(p[0] * p[0] + p[1] * p[1]);
    const double length_q = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    for (int k = 0; k < 3; k++) {
        u[k] = p[k] / length_p, v[k] = q[k] / length_q;
    }
}

/* A scale and a turn about u by a small angle. */
static tumble_pose tilted(const double u[3], double angle, double scale)
{
    tumble_pose pose = tumble_pose_identity();
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        pose.m[l][m] -= angle * u[k];
        pose.m[m][l] += angle * u[k];
    }
    for (int i = 0; i < 9; i++) {
        pose.m[i / 3][i % 3] *= scale;
    }
    return pose;
}

/* Patches of one plane, of all sizes: there slabs have no thickness, and what is left is rounding. The first lies
 * anywhere in a model that is much larger. */
static void test_thin_layers(void **state)
{
    contest c;
    begin_contest(&c, *state);
    test_random random = {10};
    size_t separated = 0;
    for (size_t i = 0; i < test_count(400); i++) {
        models_mesh meshes[2] = {{0}, {0}};
        double u[3], v[3], centre[3], zero[3] = {0, 0, 0};
        choose_plane(&random, u, v);
        for (int k = 0; k < 3; k++) {
            centre[k] = test_random_range(&random, -0.9, 0.9);
        }
        const double size = ldexp(1, -test_random_whole(&random, 2, 18));
        test_make_patch(&meshes[0], (uint32_t)test_random_whole(&random, 3, 12), u, v, centre, size);
        for (int k = -1; k <= 1; k += 2) {
            const uint32_t corner = models_point(&meshes[0], k, k, k);
            models_triangle(&meshes[0], corner, corner, corner);
        }
        test_make_patch(&meshes[1], (uint32_t)test_random_whole(&random, 3, 12), u, v, zero, 1);
        set_models(&c, &meshes[0], &meshes[1]);
        for (int p = 0; p < 3; p++) {
            const double angle = p ? ldexp(1, -test_random_whole(&random, 20, 30)) : 0;
            tumble_pose pose = tilted(u, angle, size * ldexp(1, -test_random_whole(&random, 0, 22)));
            const double s = size * test_random_range(&random, -0.9, 0.9),
                         t = size * test_random_range(&random, -0.9, 0.9);
            for (int k = 0; k < 3; k++) {
                pose.m[k][3] = centre[k] + s * u[k] + t * v[k];
            }
            compare(&c, &pose, "patches of one plane");
            /* a little above each other: slabs may say so, and must not say it too early */
            const double above = ldexp(size, -test_random_whole(&random, 4, 30));
            for (int k = 0; k < 3; k++) {
                const int l = (k + 1) % 3, m = (k + 2) % 3;
                pose.m[k][3] += above * (u[l] * v[m] - u[m] * v[l]);
            }
            compare(&c, &pose, "patches above each other");
            separated += c.expected.count == 0;
        }
        drop_models(&c);
        models_free(&meshes[0]);
        models_free(&meshes[1]);
    }
    assert_true(c.hits > test_count(400) && separated > test_count(400) / 4);
    end_contest(&c);
}

/* Far from the origin both as models and by poses, so that doubles have few digits left. */
static void test_far_away(void **state)
{
    contest c;
    begin_contest(&c, *state);
    test_random random = {11};
    for (size_t i = 0; i < test_count(60); i++) {
        const double far = pow(10, test_random_whole(&random, 3, 15)), zero[3] = {0, 0, 0};
        models_mesh meshes[2] = {{0}, {0}};
        for (int k = 0; k < 2; k++) {
            test_make_soup(&meshes[k], &random, 100, 0.3);
            const double shift[3] = {far * test_random_range(&random, -1, 1), far, -far};
            test_transform(&meshes[k], 1, test_random_chance(&random, 0.5) ? shift : zero);
        }
        set_models(&c, &meshes[0], &meshes[1]);
        for (int p = 0; p < 4; p++) {
            const tumble_pose pose = touching_pose(&random, &meshes[0], &meshes[1], p == 3 ? 1.1 : 1);
            compare(&c, &pose, "models far away");
        }
        drop_models(&c);
        models_free(&meshes[0]);
        models_free(&meshes[1]);
    }
    assert_true(c.hits > test_count(60));
    end_contest(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_nodes_of_shapes),
        TEST_IN_WORLD(test_nodes_of_large_models),
        TEST_IN_WORLD(test_nodes_of_difficult_sets),
        TEST_IN_WORLD(test_nodes_of_deformed_models),
        TEST_IN_WORLD(test_crowded_runs),
        cmocka_unit_test(test_directions),
        cmocka_unit_test(test_encoding),
        cmocka_unit_test(test_sets_of_pairs),
        TEST_IN_WORLD(test_every_count),
        TEST_IN_WORLD(test_difficult_sets),
        TEST_IN_WORLD(test_all_sizes),
        TEST_IN_WORLD(test_thin_layers),
        TEST_IN_WORLD(test_far_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
