/* Edited models that are no R-trees: queries cost about as much as those of new models, and edits build few triangles
 * anew. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "editing.h"
#include "tree/edit/live.h"

static uint32_t replace(test_world *w, tumble_model *model, const models_mesh *mesh, uint32_t polygon, uint32_t number)
{
    double points[3][3];
    const uint32_t indices[3] = {0, 1, 2};
    uint32_t got;
    for (uint32_t k = 0; k < 3; k++) {
        memcpy(points[k], mesh->points + 3 * (size_t)mesh->indices[3 * polygon + k], sizeof points[k]);
    }
    tumble_mesh view = tumble_default_mesh();
    view.points = points[0], view.point_count = 3, view.indices = indices, view.index_count = 3;
    test_assert_status(w->context, tumble_model_remove(model, &number, 1), TUMBLE_OK, "");
    test_assert_status(w->context, tumble_model_insert(model, &view, &got), TUMBLE_OK, "");
    return got;
}

/* Every other triangle goes and comes back, one by one: all sections are made anew on the way. */
static void replace_half(test_world *w, const char *shape, const tumble_model_options *options, double bound)
{
    models_mesh mesh = {0};
    assert_true(models_make_sized(&mesh, shape, 4000));
    models_fit(&mesh, 1, 1);
    const uint32_t count = (uint32_t)mesh.polygon_count;
    tumble_model *model = test_model(w->context, &mesh, options), *fresh = test_model(w->context, &mesh, options);
    const test_cost best = test_query_cost(w, fresh, fresh);
    uint64_t edits = 0;
    for (uint32_t i = 0; i < count; i += 4, edits += 2) {
        const uint32_t polygon = (uint32_t)((uint64_t)i * 7919 % count);
        (void)replace(w, model, &mesh, polygon, polygon);
        if (i / (count / 4) != (i + 4) / (count / 4)) {
            const test_cost own = test_query_cost(w, model, model);
            print_message("%s, %s: %.3f box tests, %.3f primitive tests of a fresh model's; %.0f triangles an edit\n",
                          shape, tumble_hierarchy_name(options->hierarchy), own.boxes / best.boxes,
                          own.primitives / best.primitives, (double)model->live->work / (double)(edits + 1));
            assert_true(own.boxes <= bound * best.boxes && own.primitives <= bound * best.primitives);
        }
    }
    /* a section has at most twice 2 √n triangles; all of them anew, once for every half that changes */
    assert_true(model->live->work <= edits * (4 * 64 + 16) + 3 * (uint64_t)count);
    tumble_model_destroy(model);
    tumble_model_destroy(fresh);
    models_free(&mesh);
}

static void test_costs(void **state)
{
    tumble_tuning two = tumble_default_tuning();
    two.boxtree.layout = TUMBLE_BOXTREE_TWO_PLANES;
    for (int i = 0; i < 4; i++) {
        static const tumble_hierarchy hierarchies[] = {TUMBLE_HIERARCHY_WIDE, TUMBLE_HIERARCHY_KDOP,
                                                       TUMBLE_HIERARCHY_BOXTREE, TUMBLE_HIERARCHY_BOXTREE};
        tumble_model_options options = tumble_default_model_options();
        options.hierarchy = hierarchies[i];
        options.tuning = i == 3 ? &two : NULL;
        replace_half(*state, i % 2 ? "gear" : "torus", &options, 1.2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_costs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
