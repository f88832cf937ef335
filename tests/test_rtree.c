/* R-trees: their structure, as blocks, damaged, and with moved points. */
#include "tree/rtree/rtree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collide/rtree/walk.h"
#include "sets.h"
#include "tree/block.h"

enum {
    LOADS = 3, /* in bulk */
    ALL_LOADS = 6
};

static tumble_model_options rtree_options(size_t load)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = TUMBLE_HIERARCHY_RTREE;
    static const uint32_t widths[] = {8, 2, 32, 5, 3, 16, 8, 12, 31};
    test_tune(options, rtree.load, (tumble_rtree_load)(load % ALL_LOADS));
    test_tune(options, rtree.width, widths[(load + load / ALL_LOADS) % 9]);
    return options;
}

/* ---- A model as a tree ---- */

typedef struct box {
    double lower[3], upper[3]; /* local coordinates, exact */
} box;

static const box nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void widen(box *all, const box *other)
{
    for (int k = 0; k < 3; k++) {
        all->lower[k] = fmin(all->lower[k], other->lower[k]);
        all->upper[k] = fmax(all->upper[k], other->upper[k]);
    }
}

typedef struct visit {
    const tumble_model *model;
    const tmb_rtree_node *nodes;
    const tmb_rtree_surface *surfaces;
    uint64_t nodes_seen, clusters_seen, triangles_seen, surfaces_seen;
    uint32_t id;     /* of the surface that is visited */
    size_t children; /* of all nodes */
} visit;

static box visit_cluster(visit *v, uint32_t cluster)
{
    const tumble_model *m = v->model;
    box all = nothing;
    assert_true(cluster < m->block->cluster_count);
    v->clusters_seen++;
    for (uint32_t i = 0; i < tmb_cluster_triangle_count(m->places + cluster); i++) {
        const uint32_t address = tmb_triangle_address(cluster, i);
        double corners[3][3];
        tmb_model_corners(m, address, corners);
        for (int j = 0; j < 3; j++) {
            box point;
            for (int k = 0; k < 3; k++) {
                point.lower[k] = point.upper[k] = (corners[j][k] - m->frame.centre[k]) * m->frame.scale;
            }
            widen(&all, &point);
        }
        assert_int_equal(tmb_model_surface(m, tmb_model_polygon(m, address)), v->id);
        v->triangles_seen++;
    }
    return all;
}

static box visit_tree(visit *v, uint32_t root, uint32_t height, int of_surfaces);

static box visit_leaf(visit *v, uint32_t number, int of_surfaces)
{
    if (!of_surfaces) {
        return visit_cluster(v, number);
    }
    assert_true(number < v->model->block->rtree.surface_count);
    const tmb_rtree_surface *s = &v->surfaces[number];
    const uint64_t before = v->triangles_seen;
    v->id = s->id;
    v->surfaces_seen++;
    const box all = visit_tree(v, s->root, s->height, 0);
    assert_int_equal(v->triangles_seen - before, s->triangle_count);
    assert_true(number == 0 || s->id > v->surfaces[number - 1].id);
    return all;
}

/* The children's boxes are theirs, rounded outward and no more, and all leaves are on one level. */
static box visit_tree(visit *v, uint32_t root, uint32_t height, int of_surfaces)
{
    if (height == 0) {
        return visit_leaf(v, root, of_surfaces);
    }
    assert_true(root < v->model->block->node_count);
    const uint32_t width = tmb_rtree_width(v->model->block), pages = tmb_rtree_pages(width);
    const uint32_t least = width < 4 ? 1 : 2;
    const tmb_rtree_node *node = v->nodes + (size_t)root * pages;
    box all = nothing;
    assert_true(node->count >= least && node->count <= width);
    assert_int_equal(node->level, height - 1);
    v->nodes_seen++;
    v->children += node->count;
    for (uint32_t i = 0; i < node->count; i++) {
        const box own = visit_tree(v, tmb_rtree_child(node, i), height - 1, of_surfaces);
        for (int k = 0; k < 3; k++) {
            const float low = node[i / 8].lower[k][i % 8], high = node[i / 8].upper[k][i % 8];
            assert_true((double)low <= own.lower[k] && (double)high >= own.upper[k]);
            assert_true(low == tmb_float_below(own.lower[k]) && high == tmb_float_above(own.upper[k]));
        }
        widen(&all, &own);
    }
    for (uint32_t i = node->count; i < 8 * pages; i++) {
        for (int k = 0; k < 3; k++) {
            assert_true(node[i / 8].lower[k][i % 8] > node[i / 8].upper[k][i % 8]);
        }
    }
    return all;
}

static uint64_t nodes_above(uint64_t leaves, uint32_t width)
{
    uint64_t nodes = 0;
    while (leaves > 1) {
        leaves = (leaves + width - 1) / width;
        nodes += leaves;
    }
    return nodes;
}

/* Everything is in its trees, once. */
static visit check_tree(const tumble_model *model)
{
    const tmb_block *block = model->block;
    visit v = {.model = model, .nodes = model->nodes, .surfaces = tmb_rtree_surfaces(block, model->nodes)};
    if (block->triangle_count) {
        const box all = visit_tree(&v, block->rtree.root, block->rtree.height, 1);
        for (int k = 0; k < 3; k++) {
            assert_true(all.lower[k] >= -1 && all.upper[k] <= 1);
        }
    }
    assert_int_equal(v.nodes_seen, block->node_count);
    assert_int_equal(v.clusters_seen, block->cluster_count);
    assert_int_equal(v.triangles_seen, block->triangle_count);
    assert_int_equal(v.surfaces_seen, block->rtree.surface_count);
    return v;
}

/* As many nodes as full ones need, when they are loaded in bulk. */
static void check_fresh_tree(const tumble_model *model)
{
    const visit v = check_tree(model);
    const tmb_block *block = model->block;
    const uint32_t width = tmb_rtree_width(block);
    uint64_t expected = nodes_above(block->rtree.surface_count, width);
    uint32_t highest = 0;
    for (uint32_t i = 0; i < block->rtree.surface_count; i++) {
        highest = v.surfaces[i].height > highest ? v.surfaces[i].height : highest;
    }
    if (block->rtree.load >= TUMBLE_RTREE_LOAD_INSERT) {
        assert_true(block->node_count <= (width < 4 ? 40 : 2) * block->cluster_count);
    } else if (block->rtree.surface_count == 1) {
        expected += nodes_above(block->cluster_count, width);
        assert_int_equal(block->node_count, expected);
    } else {
        assert_true(block->node_count >= expected &&
                    block->node_count < (width < 4 ? 4 : 2) * block->cluster_count + 1);
    }
    assert_int_equal(block->depth, block->triangle_count ? block->rtree.height + highest + 1 : 0);
}

/* ---- Building ---- */

static void set_surfaces(models_mesh *mesh, uint32_t count)
{
    for (size_t i = 0; i < mesh->polygon_count; i++) {
        mesh->surface_ids[i] = count == UINT32_MAX ? UINT32_MAX - (uint32_t)(i / 3) : (uint32_t)(i * 7 % count);
    }
}

static void test_shapes(void **state)
{
    test_world *w = *state;
    static const char *const names[] = {"torus", "prism", "shards", "terrain", "gear"};
    static const uint32_t counts[] = {1, 2, 9, 1000, UINT32_MAX};
    for (size_t i = 0; i < 5 * ALL_LOADS; i++) {
        models_mesh mesh;
        const tumble_model_options options = rtree_options(i);
        assert_true(models_make_sized(&mesh, names[i / ALL_LOADS], 3000));
        for (size_t n = 0; n < 5; n++) {
            set_surfaces(&mesh, counts[n]);
            tumble_model *model = test_model(w->context, &mesh, &options);
            check_fresh_tree(model);
            tumble_model_destroy(model);
        }
        models_free(&mesh);
    }
}

/* All numbers of triangles up to a few levels; clusters with more corners than they have room for among them. */
static void test_counts(void **state)
{
    test_world *w = *state;
    test_random random = {1};
    for (size_t count = 0; count < 700; count += count < 140 ? 1 : 37) {
        models_mesh mesh = {0};
        const tumble_model_options options = rtree_options(count);
        test_make_soup(&mesh, &random, count, 0.4);
        set_surfaces(&mesh, count % 4 == 3 ? UINT32_MAX : (uint32_t)(1 + count % 5));
        tumble_model *model = test_model(w->context, &mesh, &options);
        check_fresh_tree(model);
        const tumble_model_info info = test_info(model);
        assert_int_equal(info.triangle_count, count);
        assert_int_equal(info.node_count, model->block->node_count);
        tumble_model_destroy(model);
        models_free(&mesh);
    }
}

static void test_difficult_sets(void **state)
{
    test_world *w = *state;
    test_random random = {2};
    for (size_t i = 0; i < TEST_SETS * ALL_LOADS; i++) {
        models_mesh mesh = {0};
        const tumble_model_options options = rtree_options(i);
        test_sets[i / ALL_LOADS].make(&mesh, &random, 300);
        set_surfaces(&mesh, 1 + (uint32_t)(i % 4));
        tumble_model *model = test_model(w->context, &mesh, &options);
        check_fresh_tree(model);
        tumble_model_destroy(model);
        models_free(&mesh);
    }
}

/* The same block for any number of threads and any instruction set. */
static void test_same_everywhere(void **state)
{
    test_world *w = *state;
    for (size_t load = 0; load < ALL_LOADS; load++) {
        models_mesh mesh;
        const tumble_model_options options = rtree_options(load);
        assert_true(models_make_sized(&mesh, "torus", 5000));
        set_surfaces(&mesh, 11);
        tumble_model *model = test_model(w->context, &mesh, &options);
        size_t size, other_size;
        const void *block = tumble_model_block(model, &size);
        for (uint32_t threads = 1; threads <= 3; threads++) {
            tumble_context *context =
                test_context(&w->memory, threads, (tumble_simd)(TUMBLE_SIMD_SCALAR + threads - 1));
            tumble_model *other = test_model(context, &mesh, &options);
            const void *other_block = tumble_model_block(other, &other_size);
            assert_int_equal(size, other_size);
            assert_memory_equal(block, other_block, size);
            tumble_model_destroy(other);
            tumble_context_destroy(context);
        }
        tumble_model_destroy(model);
        models_free(&mesh);
    }
}

/* What the loads are for: neighbours lie together. Boxes of the lowest nodes are small against those of random order.
 */
static void test_packing(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    test_random random = {3};
    test_make_soup(&mesh, &random, 4000, 0.01);
    for (size_t load = 0; load < LOADS; load++) {
        tumble_model_options options = rtree_options(load);
        test_tune(options, rtree.width, 8);
        tumble_model *model = test_model(w->context, &mesh, &options);
        const tmb_rtree_node *nodes = model->nodes;
        double sum = 0;
        size_t count = 0;
        for (uint64_t i = 0; i < model->block->node_count; i++) {
            for (uint32_t j = 0; nodes[i].level == 0 && j < nodes[i].count; j++) {
                double volume = 1;
                for (int k = 0; k < 3; k++) {
                    volume *= (double)(nodes[i].upper[k][j] - nodes[i].lower[k][j]);
                }
                sum += volume;
                count++;
            }
        }
        /* 8 of 4000 in a cube of volume 8: 0.016 when they share it out perfectly */
        assert_true(sum / (double)count < 0.03);
        tumble_model_destroy(model);
    }
    models_free(&mesh);
}

/* ---- Blocks ---- */

typedef struct block_copy {
    tmb_block *block;
    size_t size;
} block_copy;

static block_copy copy_of(const tumble_model *model)
{
    block_copy copy = {NULL, 0};
    void *memory = NULL;
    const void *block = tumble_model_block(model, &copy.size);
    assert_int_equal(posix_memalign(&memory, 64, copy.size), 0);
    memcpy(memory, block, copy.size);
    copy.block = memory;
    return copy;
}

enum {
    KINDS = 9
};

/* Small models: none and one triangle, one surface and many, floats and doubles. */
static tumble_model *make_kind(test_world *w, int kind)
{
    static const size_t counts[KINDS] = {0, 1, 1, 8, 30, 90, 90, 200, 600};
    static const uint32_t surfaces[KINDS] = {1, 1, UINT32_MAX, 1, 5, 1, UINT32_MAX, 20, 3};
    models_mesh mesh = {0};
    test_random random = {(uint64_t)kind};
    const tumble_model_options options = rtree_options((size_t)kind);
    if (kind % 2) {
        test_make_lattice(&mesh, &random, counts[kind], 5, 4, 0.1);
    } else {
        test_make_soup(&mesh, &random, counts[kind], 0.7);
    }
    set_surfaces(&mesh, surfaces[kind]);
    tumble_model *model = test_model(w->context, &mesh, &options);
    models_free(&mesh);
    return model;
}

static void expect_same(test_world *w, const tumble_model *again, const tumble_model *model)
{
    size_t size[2];
    const void *bytes[2] = {tumble_model_block(again, &size[0]), tumble_model_block(model, &size[1])};
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    check_fresh_tree(again);
    test_pairs expected = {0}, found = {0};
    test_collide(w->query, model, NULL, model, NULL, NULL, &expected);
    test_collide(w->query, again, NULL, model, NULL, NULL, &found);
    assert_true(expected.count > 0 || model->block->triangle_count == 0);
    test_assert_same_pairs(&found, &expected, "a model that was there and back");
    test_free_pairs(&expected);
    test_free_pairs(&found);
}

static void test_round_trip(void **state)
{
    test_world *w = *state;
    const char *temporary = getenv("TMPDIR");
    char path[300];
    snprintf(path, sizeof path, "%s/tumble-rtree-XXXXXX", temporary ? temporary : "/tmp");
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (int kind = 0; kind < KINDS; kind++) {
        tumble_model *model = make_kind(w, kind), *again = NULL;
        const block_copy copy = copy_of(model);
        for (int own = 0; own < 2; own++) {
            test_assert_status(w->context, tumble_model_from_block(w->context, copy.block, copy.size, own, &again),
                               TUMBLE_OK, "");
            expect_same(w, again, model);
            tumble_model_destroy(again);
        }
        test_assert_status(w->context, tumble_model_save(model, path), TUMBLE_OK, "");
        test_assert_status(w->context, tumble_model_load(w->context, path, &again), TUMBLE_OK, "");
        expect_same(w, again, model);
        tumble_model_destroy(again);
        free(copy.block);
        tumble_model_destroy(model);
    }
    assert_int_equal(unlink(path), 0);
}

static void refuse(test_world *w, const block_copy *copy, uint32_t *word, uint32_t value)
{
    const uint32_t before = *word;
    tumble_model *model = NULL;
    if (before == value) {
        return;
    }
    *word = value;
    copy->block->checksum = tmb_block_checksum(copy->block);
    test_assert_status(w->context, tumble_model_from_block(w->context, copy->block, copy->size, 0, &model),
                       TUMBLE_ERROR_FORMAT, "");
    assert_null(model);
    *word = before;
}

static void refuse_nodes(test_world *w, const block_copy *copy)
{
    tmb_block *block = copy->block;
    tmb_rtree_node *nodes = (tmb_rtree_node *)(void *)((char *)block + block->offsets[TMB_SECTION_NODES]);
    const uint32_t width = tmb_rtree_width(block);
    for (uint64_t i = 0; i < block->node_count; i++) {
        tmb_rtree_node *node = nodes + i * tmb_rtree_pages(width);
        refuse(w, copy, &node->count, 0);
        refuse(w, copy, &node->count, width + 1);
        refuse(w, copy, &node->count, node->count - 1);
        refuse(w, copy, &node->count, UINT32_MAX);
        refuse(w, copy, &node->level, node->level + 1);
        refuse(w, copy, &node->level, UINT32_MAX);
        for (uint32_t j = 0; j < node->count; j++) {
            uint32_t *child = &node[j / 8].child[j % 8];
            refuse(w, copy, child, tmb_rtree_child(node, (j + 1) % node->count));
            refuse(w, copy, child, UINT32_MAX);
            refuse(w, copy, child, (uint32_t)(block->node_count + block->cluster_count));
        }
    }
}

static void refuse_surfaces(test_world *w, const block_copy *copy)
{
    tmb_block *block = copy->block;
    const void *nodes = (char *)block + block->offsets[TMB_SECTION_NODES];
    tmb_rtree_surface *surfaces = (tmb_rtree_surface *)(void *)tmb_rtree_surfaces(block, nodes);
    for (uint32_t i = 0; i < block->rtree.surface_count; i++) {
        refuse(w, copy, &surfaces[i].root, UINT32_MAX);
        refuse(w, copy, &surfaces[i].height, surfaces[i].height + 1);
        refuse(w, copy, &surfaces[i].height, tmb_rtree_height_most(tmb_rtree_width(block)));
        refuse(w, copy, &surfaces[i].height, UINT32_MAX);
        refuse(w, copy, &surfaces[i].triangle_count, surfaces[i].triangle_count + 1);
        refuse(w, copy, &surfaces[i].triangle_count, 0);
        if (i) {
            refuse(w, copy, &surfaces[i].id, surfaces[i - 1].id);
            refuse(w, copy, &surfaces[i].root, surfaces[i - 1].root);
        }
    }
    refuse(w, copy, &block->rtree.surface_count, block->rtree.surface_count + 64);
    refuse(w, copy, &block->rtree.surface_count, 0);
    refuse(w, copy, &block->rtree.surface_count, UINT32_MAX);
    refuse(w, copy, &block->rtree.root, UINT32_MAX);
    refuse(w, copy, &block->rtree.width, 1);
    refuse(w, copy, &block->rtree.width, TUMBLE_RTREE_WIDTH_MOST + 1);
    refuse(w, copy, &block->rtree.width, UINT32_MAX);
    refuse(w, copy, &block->rtree.height, block->rtree.height + 1);
    refuse(w, copy, &block->rtree.height, UINT32_MAX);
    refuse(w, copy, (uint32_t *)(void *)&block->node_count, (uint32_t)block->node_count + 1);
    refuse(w, copy, (uint32_t *)(void *)&block->node_count, UINT32_MAX);
    refuse(w, copy, (uint32_t *)(void *)&block->depth, UINT32_MAX);
}

static void test_named_damage(void **state)
{
    test_world *w = *state;
    for (int kind = 1; kind < KINDS; kind++) {
        tumble_model *model = make_kind(w, kind);
        const block_copy copy = copy_of(model);
        refuse_nodes(w, &copy);
        refuse_surfaces(w, &copy);
        free(copy.block);
        tumble_model_destroy(model);
    }
}

/* Anything anywhere, boxes among them: what is accepted is safe to use. */
static void test_any_damage(void **state)
{
    test_world *w = *state;
    test_random random = {5};
    size_t accepted = 0, refused = 0;
    for (size_t n = 0; n < test_count(3000); n++) {
        tumble_model *model = make_kind(w, 1 + (int)(n % (KINDS - 2))), *damaged = NULL;
        const block_copy copy = copy_of(model);
        const uint64_t begin = n % 3 ? copy.block->offsets[TMB_SECTION_NODES] : 32;
        const uint64_t end = n % 3 ? begin + tmb_block_node_bytes(copy.block) : copy.size;
        for (int i = test_random_whole(&random, 1, 3); begin < end && i > 0; i--) {
            const uint64_t at = begin + test_random_bits(&random) % (end - begin);
            ((uint8_t *)copy.block)[at] = (uint8_t)test_random_bits(&random);
        }
        copy.block->checksum = tmb_block_checksum(copy.block);
        if (tumble_model_from_block(w->context, copy.block, copy.size, 0, &damaged) == TUMBLE_OK) {
            for (int i = 0; i < 8; i++) {
                tumble_collide_options options = tumble_default_collide_options();
                tumble_collide_result result;
                options.mode = i & 1 ? TUMBLE_SURFACES : TUMBLE_ALL;
                test_tune(options, rtree_walk.probe, i & 2 ? TUMBLE_RTREE_PROBE_A : TUMBLE_RTREE_PROBE_B);
                test_tune(options, rtree_walk.single, i & 4);
                assert_int_equal(tumble_collide(w->query, damaged, NULL, model, NULL, &options, &result), TUMBLE_OK);
            }
            tumble_model_destroy(damaged);
            accepted++;
        } else {
            refused++;
        }
        free(copy.block);
        tumble_model_destroy(model);
    }
    assert_true(accepted > 0 && refused > 0);
}

/* ---- Points that move ---- */

static void test_deform(void **state)
{
    test_world *w = *state;
    test_random random = {6};
    for (size_t load = 0; load < LOADS; load++) {
        models_mesh mesh;
        const tumble_model_options options = rtree_options(load);
        assert_true(models_make_sized(&mesh, "torus", 800));
        set_surfaces(&mesh, 6);
        tumble_model *model = test_model(w->context, &mesh, &options), *moved = NULL;
        for (int step = 0; step < 6; step++) {
            for (size_t i = 0; i < 3 * mesh.point_count; i++) {
                mesh.points[i] = step == 5 ? 100 * test_random_unit(&random)
                                           : mesh.points[i] + 0.02 * (test_random_unit(&random) - 0.5);
            }
            const tumble_mesh view = models_view(&mesh);
            test_assert_status(w->context, tumble_model_deform(model, &view, &moved), TUMBLE_OK, "");
            check_fresh_tree(moved);
            tumble_model *brute = test_brute_model(w->context, &mesh);
            const tumble_pose pose = test_rational_turn(&random);
            test_pairs expected = {0}, found = {0};
            test_collide(w->query, brute, NULL, brute, &pose, NULL, &expected);
            test_collide(w->query, moved, NULL, moved, &pose, NULL, &found);
            test_assert_same_pairs(&found, &expected, "step %d", step);
            test_free_pairs(&expected);
            test_free_pairs(&found);
            tumble_model_destroy(brute);
        }
        tumble_model_destroy(moved);
        tumble_model_destroy(model);
        models_free(&mesh);
    }
}

/* ---- Memory ---- */

/* Whichever allocation fails, the call says so and leaves nothing behind. */
static void test_failing_memory(void **state)
{
    test_world *w = *state;
    models_mesh mesh;
    assert_true(models_make_sized(&mesh, "prism", 200));
    set_surfaces(&mesh, 9);
    const tumble_mesh view = models_view(&mesh);
    for (size_t load = 0; load < ALL_LOADS; load++) {
        const tumble_model_options options = rtree_options(load);
        const size_t live = test_allocator_live(&w->memory);
        tumble_model *model = NULL;
        size_t call = 1;
        for (;; call++) {
            test_allocator_fail(&w->memory, call, load == 1);
            const tumble_status status = tumble_model_create(w->context, &view, &options, &model);
            if (status == TUMBLE_OK) {
                break;
            }
            assert_int_equal(status, TUMBLE_ERROR_MEMORY);
            assert_null(model);
            assert_int_equal(test_allocator_live(&w->memory), live);
        }
        assert_true(call > 3);
        const block_copy copy = copy_of(model);
        tumble_model *again = NULL;
        for (call = 1;; call++) {
            test_allocator_fail(&w->memory, call, load == 1);
            const tumble_status status = tumble_model_from_block(w->context, copy.block, copy.size, 1, &again);
            if (status == TUMBLE_OK) {
                break;
            }
            assert_int_equal(status, TUMBLE_ERROR_MEMORY);
        }
        assert_true(call > 2);
        test_allocator_fail(&w->memory, 0, 0);
        free(copy.block);
        tumble_model_destroy(again);
        tumble_model_destroy(model);
    }
    models_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_shapes),          TEST_IN_WORLD(test_counts),     TEST_IN_WORLD(test_difficult_sets),
        TEST_IN_WORLD(test_same_everywhere), TEST_IN_WORLD(test_packing),    TEST_IN_WORLD(test_round_trip),
        TEST_IN_WORLD(test_named_damage),    TEST_IN_WORLD(test_any_damage), TEST_IN_WORLD(test_deform),
        TEST_IN_WORLD(test_failing_memory),
    };
    return cmocka_run_group_tests_name("R-trees", tests, NULL, NULL);
}
