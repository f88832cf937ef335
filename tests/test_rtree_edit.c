/* Models that are edited: after any sequence of edits everything is as if the model had been made of its polygons.
 * What edits and queries cost is in test_rtree_edit_cost.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edit_cases.h"
#include "tree/block.h"

static void test_random_edits(void **state)
{
    for (uint64_t seed = 0; seed < test_count(6); seed++) {
        edit_case e;
        edit_begin(&e, *state, seed, (edit_kind)(seed % EDIT_KINDS), NULL);
        edit_compare(&e);
        for (size_t i = 0; i < 60; i++) {
            edit_randomly(&e);
            if (test_random_chance(&e.random, 0.25)) {
                edit_compare(&e);
            } else {
                test_check_edit(e.model);
            }
        }
        edit_compare(&e);
        edit_end(&e);
    }
}

/* Surfaces of one or two triangles come and go, so that the tree over them is the one that changes. */
static void test_many_surfaces(void **state)
{
    edit_case e;
    edit_begin(&e, *state, 8, EDIT_LATTICE, NULL);
    for (size_t i = 0; i < 40; i++) {
        edit_insert(&e, (size_t)test_random_whole(&e.random, 1, 200), 1000000);
        test_check_edit(e.model);
        const size_t gone = e.shadow.count > 1000 ? 150 : 60;
        for (size_t k = 0; k < gone && e.shadow.count; k++) {
            if (k % 2) {
                edit_remove_surface(&e);
            } else {
                edit_remove(&e, 1);
            }
        }
        test_check_edit(e.model);
    }
    assert_true(e.model->edit->surface_count > 300);
    edit_compare(&e);
    edit_remove(&e, e.shadow.count);
    edit_compare(&e);
    edit_insert(&e, 3, 3);
    edit_compare(&e);
    edit_end(&e);
}

/* ---- Loading one by one ---- */

/* The default first and often. */
static uint32_t width_of(uint64_t seed)
{
    static const uint32_t widths[] = {8, 8, 2, 8, 8, 32, 5, 3, 16, 4, 8, 12};
    return widths[seed % 12];
}

static void test_load(void **state)
{
    test_world *w = *state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        edit_case e;
        edit_begin(&e, w, seed, (edit_kind)(seed % EDIT_KINDS), NULL);
        tumble_model_destroy(e.model);
        models_mesh mesh = {0};
        edit_mesh(&e.shadow, &mesh);
        tumble_model_options options = test_rtree_options((tumble_rtree_load)(TUMBLE_RTREE_LOAD_INSERT + seed % 3));
        test_tune(options, rtree.width, width_of(seed));
        e.model = test_model(w->context, &mesh, &options);
        edit_compare(&e);
        edit_insert(&e, 20, 5);
        edit_remove(&e, 10);
        edit_compare(&e);
        models_free(&mesh);
        edit_end(&e);
    }
    static const char *const shapes[] = {"sphere", "gear"};
    for (size_t i = 0; i < 2; i++) {
        models_mesh mesh = {0};
        assert_true(models_make_sized(&mesh, shapes[i], 4000));
        models_fit(&mesh, 1, 1);
        test_cost costs[6];
        for (int load = 0; load < 6; load++) {
            const tumble_model_options options = test_rtree_options((tumble_rtree_load)load);
            tumble_model *model = test_model(w->context, &mesh, &options);
            costs[load] = test_query_cost(w, model, model);
            print_message("%s, load %d: %.3f box tests of those with load 0\n", shapes[i], load,
                          costs[load].boxes / costs[0].boxes);
            tumble_model_destroy(model);
        }
        assert_true(costs[TUMBLE_RTREE_LOAD_INSERT].boxes < 2 * costs[0].boxes);
        assert_true(costs[TUMBLE_RTREE_LOAD_INSERT].boxes < costs[TUMBLE_RTREE_LOAD_GUTTMAN].boxes);
        assert_true(costs[TUMBLE_RTREE_LOAD_GUTTMAN].boxes < 4 * costs[0].boxes);
        models_free(&mesh);
    }
}

/* That of the R*-tree with 8 children and with 2, and Guttman's. */
static tumble_status load_model(edit_case *e, const models_mesh *mesh, size_t how, tumble_model **out)
{
    tumble_model_options options = test_rtree_options((tumble_rtree_load)(TUMBLE_RTREE_LOAD_INSERT + how / 2));
    test_tune(options, rtree.width, how == 1 ? 2 : 8);
    const tumble_mesh view = models_view(mesh);
    return tumble_model_create(e->w->context, &view, &options, out);
}

static void test_no_memory_to_load(void **state)
{
    test_world *w = *state;
    edit_case e;
    models_mesh mesh = {0};
    edit_begin(&e, w, 1, EDIT_SOUP, NULL);
    edit_insert(&e, 100, 3);
    edit_mesh(&e.shadow, &mesh);
    for (size_t n = 1, how = 0; how < 3; n++) {
        tumble_model *model;
        test_allocator_fail(&w->memory, n, 0);
        const tumble_status status = load_model(&e, &mesh, how, &model);
        const size_t failures = test_allocator_failures(&w->memory);
        test_allocator_fail(&w->memory, 0, 0);
        assert_int_equal(status, failures ? TUMBLE_ERROR_MEMORY : TUMBLE_OK);
        assert_true((model != NULL) == (status == TUMBLE_OK) && (failures || n > 10));
        tumble_model_destroy(model);
        if (!failures) {
            how++;
            n = 0;
        }
    }
    models_free(&mesh);
    edit_end(&e);
}

/* ---- No memory ---- */

/* The n-th allocation fails, for every n: the first edit of a model, and one of a model that was edited before. An edit
 * may do without what it only wants for the sake of speed. With little effort, allocations that fail alone and those
 * that fail with all that follow take turns. */
static void test_no_memory(void **state)
{
    size_t refused = 0;
    const int is_short = test_effort() < 1;
    for (int run = 0; run < EDIT_JOBS * (is_short ? 2 : 4); run++) {
        const edit_job j = (edit_job)(run % EDIT_JOBS);
        const int edited = run / EDIT_JOBS % 2;
        size_t failures = 1;
        for (size_t n = 1; failures; n++) {
            edit_case e;
            edit_begin(&e, *state, 1, EDIT_SOUP, NULL);
            edit_insert(&e, 200, 3);
            if (!edited) {
                tumble_model *copy = edit_copy(&e, e.model);
                tumble_model_destroy(e.model);
                e.model = copy;
            }
            const int forever = is_short ? (int)(n % 2) : run / EDIT_JOBS / 2;
            const tumble_status status = edit_try(&e, j, n, forever, &failures);
            refused += status != TUMBLE_OK;
            if (n % 3 == 0 || !failures) {
                edit_compare(&e);
            }
            test_check_edit(e.model);
            edit_insert(&e, 5, 3);
            test_check_edit(e.model);
            edit_end(&e);
            assert_true(n < 1000);
        }
    }
    assert_true(refused > 60);
}

/* The block, and what needs it, can fail without any loss. */
static void test_no_memory_for_block(void **state)
{
    test_world *w = *state;
    edit_case e;
    edit_begin(&e, w, 3, EDIT_SOUP, NULL);
    edit_insert(&e, 100, 30);
    for (size_t n = 1;; n++) {
        size_t size = 1;
        test_allocator_fail(&w->memory, n, 0);
        const void *block = tumble_model_block(e.model, &size);
        const size_t failures = test_allocator_failures(&w->memory);
        test_allocator_fail(&w->memory, 0, 0);
        assert_int_equal(block == NULL, failures > 0);
        assert_int_equal(size == 0, failures > 0);
        if (!failures) {
            assert_true(n > 3);
            break;
        }
        test_assert_status(w->context, TUMBLE_ERROR_MEMORY, TUMBLE_ERROR_MEMORY, "out of memory for ");
    }
    edit_insert(&e, 1, 1);
    uint32_t polygon;
    double corners[3][3];
    tumble_model_info info;
    test_allocator_fail(&w->memory, 1, 1);
    assert_int_equal(tumble_model_triangle(e.model, 0, corners, &polygon), TUMBLE_ERROR_MEMORY);
    assert_int_equal(tumble_model_get_info(e.model, &info), TUMBLE_ERROR_MEMORY);
    assert_int_equal(tumble_model_save(e.model, "no-such-folder/model"), TUMBLE_ERROR_MEMORY);
    test_allocator_fail(&w->memory, 0, 0);
    edit_compare(&e);
    edit_end(&e);
}

/* ---- What is refused ---- */

static void test_refusals(void **state)
{
    test_world *w = *state;
    edit_case e;
    edit_begin(&e, w, 1, EDIT_LATTICE, NULL);
    edit_insert(&e, 50, 3);
    const uint32_t limit = e.shadow.limit, twice[2] = {limit - 1, limit - 1}, gone[2] = {limit - 1, limit - 2};
    edit_remove(&e, 0);
    edit_forget(&e.shadow, e.shadow.count - 2);
    assert_int_equal(tumble_model_remove(e.model, &gone[1], 1), TUMBLE_OK);
    char text[100];
    snprintf(text, sizeof text, "polygon %u is to be removed twice", limit - 1);
    test_assert_status(w->context, tumble_model_remove(e.model, twice, 2), TUMBLE_ERROR_INDEX, text);
    snprintf(text, sizeof text, "no polygon %u to remove", limit - 2);
    test_assert_status(w->context, tumble_model_remove(e.model, gone, 2), TUMBLE_ERROR_INDEX, text);
    snprintf(text, sizeof text, "no polygon %u to remove", limit);
    test_assert_status(w->context, tumble_model_remove(e.model, &limit, 1), TUMBLE_ERROR_INDEX, text);
    test_assert_status(w->context, tumble_model_remove_surface(e.model, 77), TUMBLE_ERROR_INDEX, "no surface 77");
    test_assert_status(w->context, tumble_model_remove(e.model, NULL, 1), TUMBLE_ERROR_ARGUMENT, "none are given");
    test_assert_status(w->context, tumble_model_insert(e.model, NULL, NULL), TUMBLE_ERROR_ARGUMENT, "mesh is null");
    assert_int_equal(tumble_model_insert(NULL, NULL, NULL), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_model_remove(NULL, NULL, 0), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_model_remove_surface(NULL, 0), TUMBLE_ERROR_ARGUMENT);
    const double points[9] = {0, 0, 0, 1, 0, 0, 0, NAN, 0};
    const uint32_t indices[3] = {0, 1, 2}, beyond[3] = {0, 1, 3};
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = points, mesh.point_count = 3, mesh.indices = indices, mesh.index_count = 3;
    test_assert_status(w->context, tumble_model_insert(e.model, &mesh, NULL), TUMBLE_ERROR_NOT_FINITE, "point 2");
    mesh.indices = beyond;
    test_assert_status(w->context, tumble_model_insert(e.model, &mesh, NULL), TUMBLE_ERROR_INDEX, "corner 2");
    tumble_model *out = NULL;
    test_assert_status(w->context, tumble_model_deform(e.model, &mesh, &out), TUMBLE_ERROR_UNSUPPORTED, "edited");
    edit_compare(&e);
    mesh = tumble_default_mesh();
    uint32_t first = 0;
    assert_int_equal(tumble_model_insert(e.model, &mesh, &first), TUMBLE_OK);
    assert_int_equal(first, limit);
    edit_end(&e);
}

/* ---- Models from elsewhere ---- */

/* A mapped one, a deformed one, and one whose memory belongs to the caller. */
static void test_origins(void **state)
{
    test_world *w = *state;
    const char *path = "test_rtree_edit.model";
    for (int origin = 0; origin < 3; origin++) {
        edit_case e;
        edit_begin(&e, w, 2, EDIT_SOUP, NULL);
        models_mesh mesh = {0};
        e.shadow.count = 0;
        for (uint32_t i = 0; i < 100; i++) {
            shadow_polygon polygon = {.number = i};
            edit_random_polygon(&e.random, EDIT_SOUP, 3, &polygon);
            polygon.size = 3;
            edit_append_polygon(&mesh, &polygon);
            edit_remember(&e.shadow, &polygon);
        }
        e.shadow.limit = 100;
        const tumble_model_options options = test_rtree_options(TUMBLE_RTREE_LOAD_STR);
        const tumble_mesh view = models_view(&mesh);
        tumble_model *made = test_model(w->context, &mesh, &options);
        tumble_model_destroy(e.model);
        e.model = NULL;
        size_t size;
        const void *block = tumble_model_block(made, &size);
        if (origin == 0) {
            test_assert_status(w->context, tumble_model_save(made, path), TUMBLE_OK, "");
            test_assert_status(w->context, tumble_model_load(w->context, path, &e.model), TUMBLE_OK, "");
        } else if (origin == 1) {
            test_assert_status(w->context, tumble_model_deform(made, &view, &e.model), TUMBLE_OK, "");
        } else {
            test_assert_status(w->context, tumble_model_from_block(w->context, block, size, 0, &e.model), TUMBLE_OK,
                               "");
        }
        edit_remove(&e, 3);
        edit_compare(&e);
        edit_insert(&e, 10, 3);
        edit_compare(&e);
        test_assert_status(w->context, tumble_model_save(e.model, path), TUMBLE_OK, "");
        tumble_model_destroy(e.model);
        test_assert_status(w->context, tumble_model_load(w->context, path, &e.model), TUMBLE_OK, "");
        edit_compare(&e);
        edit_insert(&e, 10, 30);
        edit_compare(&e);
        remove(path);
        tumble_model_destroy(made);
        models_free(&mesh);
        edit_end(&e);
    }
}

/* A block that was changed at random, but not so that it is refused: whatever it has, it can be edited. */
static void test_strange_blocks(void **state)
{
    test_world *w = *state;
    edit_case e;
    edit_begin(&e, w, 4, EDIT_LATTICE, NULL);
    edit_insert(&e, 100, 10);
    size_t size, accepted = 0;
    const void *block = tumble_model_block(e.model, &size);
    tmb_block *copy = aligned_alloc(TMB_CACHE_LINE, size);
    for (size_t i = 0; i < test_count(1500); i++) {
        memcpy(copy, block, size);
        const size_t nodes = (size_t)copy->offsets[TMB_SECTION_NODES];
        const size_t from = i % 3 ? nodes : (size_t)copy->offsets[TMB_SECTION_POLYGONS];
        uint32_t *word = (uint32_t *)(void *)((char *)copy + from);
        word += test_random_whole(&e.random, 0, (int)((size - from) / sizeof *word) - 1);
        *word = (uint32_t)test_random_whole(&e.random, 0, 40);
        copy->checksum = tmb_block_checksum(copy);
        tumble_model *model;
        if (tumble_model_from_block(w->context, copy, size, 1, &model) == TUMBLE_OK) {
            const uint32_t some = e.shadow.items[test_random_whole(&e.random, 0, (int)e.shadow.count - 1)].number;
            const tumble_status status = tumble_model_remove(model, &some, 1);
            assert_true(status == TUMBLE_OK || status == TUMBLE_ERROR_INDEX);
            test_pairs pairs = {0};
            test_collide(w->query, model, NULL, e.probe, NULL, NULL, &pairs);
            test_free_pairs(&pairs);
            tumble_model_destroy(model);
            accepted++;
        }
    }
    assert_true(accepted > 0);
    free(copy);
    edit_end(&e);
}

/* Nodes with one child each, as high as a block may have: packed before anything else. */
static void test_high_tree(void **state)
{
    test_world *w = *state;
    edit_case e;
    edit_begin(&e, w, 4, EDIT_LATTICE, NULL);
    edit_remove(&e, e.shadow.count);
    edit_insert(&e, 40, 1);
    const uint32_t extra = 15;
    size_t size;
    const tmb_block *block = tumble_model_block(e.model, &size);
    tmb_block header = *block;
    header.node_count += extra;
    header.depth += extra;
    assert_true(tmb_block_layout(&header, 1, header.offsets[TMB_SECTION_SURFACES] != 0, 0));
    tmb_block *high = aligned_alloc(TMB_CACHE_LINE, (size_t)header.total_bytes);
    memset(high, 0, (size_t)header.total_bytes);
    memcpy(high, block, (size_t)block->offsets[TMB_SECTION_NODES]);
    *high = header;
    tmb_rtree_node *nodes = (tmb_rtree_node *)(void *)((char *)high + header.offsets[TMB_SECTION_NODES]);
    const char *old = (const char *)block + block->offsets[TMB_SECTION_NODES];
    memcpy(nodes, old, (size_t)block->node_count * sizeof *nodes);
    tmb_rtree_surface *surface = (tmb_rtree_surface *)(void *)(nodes + header.node_count);
    memcpy(surface, old + block->node_count * sizeof *nodes, sizeof *surface);
    for (uint32_t i = 0; i < extra; i++) {
        tmb_rtree_node *node = &nodes[block->node_count + i];
        node->count = 1;
        node->level = surface->height++;
        node->child[0] = surface->root;
        surface->root = (uint32_t)block->node_count + i;
    }
    tmb_rtree_fit(high);
    high->checksum = tmb_block_checksum(high);
    tumble_model *model;
    const tumble_status status = tumble_model_from_block(w->context, high, (size_t)header.total_bytes, 1, &model);
    test_assert_status(w->context, status, TUMBLE_OK, "");
    tumble_model_destroy(e.model);
    e.model = model;
    edit_insert(&e, 1, 1);
    assert_true(e.model->edit->surfaces[0].height < 4);
    edit_compare(&e);
    free(high);
    edit_end(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_random_edits),   TEST_IN_WORLD(test_many_surfaces),
        TEST_IN_WORLD(test_load),           TEST_IN_WORLD(test_no_memory_to_load),
        TEST_IN_WORLD(test_no_memory),      TEST_IN_WORLD(test_no_memory_for_block),
        TEST_IN_WORLD(test_refusals),       TEST_IN_WORLD(test_origins),
        TEST_IN_WORLD(test_strange_blocks), TEST_IN_WORLD(test_high_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
