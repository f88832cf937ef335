/* R-trees of all widths, however they are loaded: the answers of brute force, as built, saved, loaded and edited. */
#include <math.h>
#include <string.h>

#include "editing.h"
#include "tree/rtree/rtree.h"

enum {
    LOADS = 6
};

static tumble_model *make(test_world *w, const models_mesh *mesh, int load, uint32_t width)
{
    tumble_model_options options = test_rtree_options((tumble_rtree_load)load);
    test_tune(options, rtree.width, width);
    return test_model(w->context, mesh, &options);
}

/* With itself, as a block, and with two triangles less. */
static void check_width(test_world *w, const models_mesh *mesh, const tumble_model *brute, int load, uint32_t width)
{
    const tumble_pose pose = models_tumbling_pose(width, 40, 0.3);
    test_pairs expected = {0}, found = {0};
    tumble_model *model = make(w, mesh, load, width), *again = NULL;
    size_t size;
    const void *block = tumble_model_block(model, &size);
    test_assert_status(w->context, tumble_model_from_block(w->context, block, size, 1, &again), TUMBLE_OK, "");
    test_collide(w->query, brute, NULL, brute, &pose, NULL, &expected);
    test_collide(w->query, model, NULL, again, &pose, NULL, &found);
    test_assert_same_pairs(&found, &expected, "load %d, width %u", load, width);
    const uint32_t gone[2] = {width, 100};
    test_assert_status(w->context, tumble_model_remove(again, gone, 2), TUMBLE_OK, "");
    test_check_edit(again);
    test_collide(w->query, again, NULL, brute, &pose, NULL, &found);
    size_t kept = 0;
    for (size_t i = 0; i < expected.count; i++) {
        const uint32_t polygon = expected.items[i].polygon_a;
        expected.items[kept] = expected.items[i];
        kept += polygon != gone[0] && polygon != gone[1];
    }
    expected.count = kept;
    test_assert_same_pairs(&found, &expected, "load %d, width %u, edited", load, width);
    test_free_pairs(&expected);
    test_free_pairs(&found);
    tumble_model_destroy(again);
    tumble_model_destroy(model);
}

static void test_all_widths(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    assert_true(models_make_sized(&mesh, "knot", 500));
    for (size_t i = 0; i < mesh.polygon_count; i++) {
        mesh.surface_ids[i] = (uint32_t)(i % 17 ? 3 : i % 5);
    }
    tumble_model *brute = test_brute_model(w->context, &mesh);
    for (uint32_t width = TUMBLE_RTREE_WIDTH_LEAST; width <= TUMBLE_RTREE_WIDTH_MOST; width++) {
        check_width(w, &mesh, brute, (int)width % LOADS, width);
        check_width(w, &mesh, brute, (int)(width / 2 + 1) % LOADS, width);
    }
    tumble_model_destroy(brute);
    models_free(&mesh);
}

/* Triangles that become larger from one to the next always go where all nodes are full: with two children each, a tree
 * grows with every few, and is packed before it is too high. */
static void test_tall_trees(void **state)
{
    test_world *w = *state;
    for (uint32_t width = 2; width <= 4; width++) {
        for (int load = 0; load < 4; load++) {
            models_mesh mesh = {0};
            for (int i = 0; i < 400; i++) {
                const double x = exp2(i / 8.0), size = 0.01 * x;
                const uint32_t corner = models_point(&mesh, x, 0, 0);
                models_triangle(&mesh, corner, models_point(&mesh, x + size, size, 0),
                                models_point(&mesh, x, size, size));
            }
            tumble_model_options options = test_rtree_options(
                load ? (tumble_rtree_load)(TUMBLE_RTREE_LOAD_INSERT + load - 1) : TUMBLE_RTREE_LOAD_STR);
            test_tune(options, rtree.width, width);
            tumble_model *model = test_model(w->context, &mesh, &options);
            const tumble_mesh view = models_view(&mesh);
            const uint32_t height = tmb_rtree_surfaces(model->block, model->nodes)[0].height;
            assert_true(height < tmb_rtree_height_most(width) && (width > 2 || load < 2 || height > 16));
            for (int i = 0; i < 40; i++) {
                tumble_mesh one = view;
                one.indices += 3 * (size_t)i;
                one.index_count = 3;
                one.polygon_count = 1;
                one.surface_ids = NULL;
                test_assert_status(w->context, tumble_model_insert(model, &one, NULL), TUMBLE_OK, "");
                test_check_edit(model);
            }
            assert_true(model->edit->surfaces[0].height < tmb_rtree_height_most(width));
            tumble_model_destroy(model);
            models_free(&mesh);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_all_widths), TEST_IN_WORLD(test_tall_trees)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
