/* Models that are edited: queries cost about as much as those of new models, and edits logarithmic time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "editing.h"

static void assert_cost(test_world *w, const tumble_model *edited, const models_mesh *mesh, const char *name)
{
    const tumble_model_options options = test_rtree_options(TUMBLE_RTREE_LOAD_HALVES);
    tumble_model *fresh = test_model(w->context, mesh, &options);
    const test_cost own = test_query_cost(w, edited, edited), best = test_query_cost(w, fresh, fresh);
    print_message("%s: %.3f box tests, %.3f primitive tests of a fresh model's\n", name, own.boxes / best.boxes,
                  own.primitives / best.primitives);
    assert_true(best.boxes > 1000 && best.primitives > 1000);
    assert_true(own.boxes <= 1.3 * best.boxes && own.primitives <= 1.3 * best.primitives);
    tumble_model_destroy(fresh);
}

/* Polygon i of the mesh alone. */
static void insert_one(test_world *w, tumble_model *model, const models_mesh *mesh, uint32_t i, uint32_t *number)
{
    double points[3][3];
    const uint32_t indices[3] = {0, 1, 2};
    for (int k = 0; k < 3; k++) {
        memcpy(points[k], mesh->points + 3 * (size_t)mesh->indices[3 * i + (uint32_t)k], sizeof points[k]);
    }
    tumble_mesh view = tumble_default_mesh();
    view.points = points[0], view.point_count = 3;
    view.indices = indices, view.index_count = 3;
    view.surface_ids = mesh->surface_ids ? &mesh->surface_ids[i] : NULL;
    test_assert_status(w->context, tumble_model_insert(model, &view, number), TUMBLE_OK, "");
}

static uint32_t *random_order(test_random *random, uint32_t count)
{
    uint32_t *order = malloc(count * sizeof *order);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t j = (uint32_t)test_random_whole(random, 0, (int)i);
        order[i] = order[j];
        order[j] = i;
    }
    return order;
}

/* Every triangle goes and comes back, in random order or in that of the mesh; the cost is looked at on the way, where
 * the model is the same as before. */
static void replace_all(test_world *w, const char *shape, size_t triangles, int shuffle, uint32_t surfaces)
{
    models_mesh mesh = {0};
    test_random random = {triangles};
    assert_true(models_make_sized(&mesh, shape, triangles));
    models_fit(&mesh, 1, 1);
    for (size_t i = 0; i < mesh.polygon_count; i++) {
        mesh.surface_ids[i] = (uint32_t)(i * surfaces / mesh.polygon_count);
    }
    assert_int_equal(models_triangle_count(&mesh), mesh.polygon_count);
    const uint32_t count = (uint32_t)mesh.polygon_count;
    const tumble_model_options options = test_rtree_options(TUMBLE_RTREE_LOAD_HALVES);
    tumble_model *model = test_model(w->context, &mesh, &options);
    uint32_t *order = random_order(&random, count), batch[16], got;
    for (uint32_t i = 0; i < count;) {
        uint32_t some = (uint32_t)test_random_whole(&random, 1, 16);
        some = some < count - i ? some : count - i;
        for (uint32_t k = 0; k < some; k++) {
            batch[k] = shuffle ? order[i + k] : i + k;
        }
        test_assert_status(w->context, tumble_model_remove(model, batch, some), TUMBLE_OK, "");
        for (uint32_t k = 0; k < some; k++) {
            insert_one(w, model, &mesh, batch[k], &got);
        }
        if (i / (count / 5) != (i + some) / (count / 5)) {
            char name[100];
            snprintf(name, sizeof name, "%s, %u triangles, %u surfaces, %s, %.2f replaced", shape, count, surfaces,
                     shuffle ? "shuffled" : "in order", (double)(i + some) / count);
            assert_cost(w, model, &mesh, name);
        }
        i += some;
    }
    test_check_edit(model);
    assert_int_equal(test_info(model).triangle_count, count);
    free(order);
    tumble_model_destroy(model);
    models_free(&mesh);
}

/* Polygons [begin, end) of a mesh as one of their own. */
static void part_of(const models_mesh *mesh, const uint32_t *order, uint32_t begin, uint32_t end, models_mesh *out)
{
    for (uint32_t i = begin; i < end; i++) {
        uint32_t corners[3];
        for (uint32_t k = 0; k < 3; k++) {
            const double *p = mesh->points + 3 * (size_t)mesh->indices[3 * order[i] + k];
            corners[k] = models_point(out, p[0], p[1], p[2]);
        }
        models_triangle(out, corners[0], corners[1], corners[2]);
    }
}

/* A sphere becomes a torus, triangle by triangle, and then most of it goes away. */
static void morph(test_world *w)
{
    models_mesh from = {0}, to = {0}, rest = {0};
    test_random random = {5};
    const tumble_model_options options = test_rtree_options(TUMBLE_RTREE_LOAD_HALVES);
    assert_true(models_make_sized(&from, "sphere", 3000) && models_make_sized(&to, "torus", 3000));
    models_fit(&from, 1, 1);
    models_fit(&to, 1, 1);
    const uint32_t out = (uint32_t)from.polygon_count, in = (uint32_t)to.polygon_count;
    uint32_t *out_order = random_order(&random, out), *in_order = random_order(&random, in);
    uint32_t *numbers = malloc(in * sizeof *numbers);
    tumble_model *model = test_model(w->context, &from, &options);
    for (uint32_t i = 0; i < in || i < out; i++) {
        if (i < in) {
            insert_one(w, model, &to, in_order[i], &numbers[i]);
        }
        if (i < out) {
            test_assert_status(w->context, tumble_model_remove(model, &out_order[i], 1), TUMBLE_OK, "");
        }
    }
    assert_cost(w, model, &to, "a sphere that became a torus");
    test_assert_status(w->context, tumble_model_remove(model, numbers + in / 5, in - in / 5), TUMBLE_OK, "");
    part_of(&to, in_order, 0, in / 5, &rest);
    assert_cost(w, model, &rest, "a fifth of a torus");
    test_check_edit(model);
    tumble_model_destroy(model);
    free(out_order);
    free(in_order);
    free(numbers);
    models_free(&from);
    models_free(&to);
    models_free(&rest);
}

/* A tenth of a model, which lies together, is replaced again and again: far fewer triangles than would let all of it be
 * packed anew. */
static void churn(test_world *w)
{
    models_mesh mesh = {0};
    test_random random = {6};
    const tumble_model_options options = test_rtree_options(TUMBLE_RTREE_LOAD_HALVES);
    assert_true(models_make_sized(&mesh, "torus", 10000));
    models_fit(&mesh, 1, 1);
    const uint32_t count = (uint32_t)mesh.polygon_count, part = count / 10;
    uint32_t *numbers = malloc(count * sizeof *numbers);
    tumble_model *model = test_model(w->context, &mesh, &options);
    for (uint32_t i = 0; i < count; i++) {
        numbers[i] = i;
    }
    for (uint32_t i = 0; i < 2 * part; i++) {
        const uint32_t some = (uint32_t)test_random_whole(&random, 0, (int)part - 1);
        test_assert_status(w->context, tumble_model_remove(model, &numbers[some], 1), TUMBLE_OK, "");
        insert_one(w, model, &mesh, some, &numbers[some]);
    }
    assert_cost(w, model, &mesh, "a torus with a tenth that changes");
    tumble_model_destroy(model);
    free(numbers);
    models_free(&mesh);
}

static uint32_t insert_far(test_world *w, tumble_model *model, double size)
{
    const double points[9] = {size, 0, 0, 0, size, 0, 0, 0, size};
    const uint32_t indices[3] = {0, 1, 2};
    uint32_t number;
    tumble_mesh view = tumble_default_mesh();
    view.points = points, view.point_count = 3;
    view.indices = indices, view.index_count = 3;
    test_assert_status(w->context, tumble_model_insert(model, &view, &number), TUMBLE_OK, "");
    return number;
}

/* A triangle that is so large that floats of the model around it do not tell the others apart comes and goes: alone, or
 * while a fifth of the others is replaced. */
static void scar(test_world *w, double size, uint32_t share)
{
    models_mesh mesh = {0};
    test_random random = {7};
    char name[100];
    const tumble_model_options options = test_rtree_options(TUMBLE_RTREE_LOAD_HALVES);
    assert_true(models_make_sized(&mesh, "torus", 4000));
    models_fit(&mesh, 1, 1);
    const uint32_t count = (uint32_t)mesh.polygon_count;
    tumble_model *model = test_model(w->context, &mesh, &options);
    uint32_t *order = random_order(&random, count), got;
    const uint32_t far = insert_far(w, model, size);
    for (uint32_t i = 0; i < count / 100 * share; i++) {
        test_assert_status(w->context, tumble_model_remove(model, &order[i], 1), TUMBLE_OK, "");
        insert_one(w, model, &mesh, order[i], &got);
    }
    test_assert_status(w->context, tumble_model_remove(model, &far, 1), TUMBLE_OK, "");
    (void)snprintf(name, sizeof name, "a torus with the scar of %g, %u%% replaced", size, share);
    assert_cost(w, model, &mesh, name);
    test_check_edit(model);
    free(order);
    tumble_model_destroy(model);
    models_free(&mesh);
}

static void test_scars(void **state)
{
    static const double sizes[] = {1e3, 1e6, 1e12, 1e300};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        scar(*state, sizes[i], 0);
        scar(*state, sizes[i], 3);
        scar(*state, sizes[i], 20);
    }
}

static void test_quality(void **state)
{
    test_world *w = *state;
    morph(w);
    churn(w);
    replace_all(w, "torus", 4000, 1, 1);
    replace_all(w, "gear", 4000, 1, 1);
    replace_all(w, "sphere", 4000, 0, 1);
    replace_all(w, "torus", 4000, 1, 20);
    replace_all(w, "sphere", 4000, 1, 400);
}

/* ---- Cost ---- */

/* Nodes, clusters and sorted items that a single edit takes, in the mean over as many edits as there are triangles. */
static double edit_work(test_world *w, size_t triangles)
{
    models_mesh mesh = {0};
    test_random random = {triangles};
    assert_true(models_make_sized(&mesh, "torus", triangles));
    const tumble_model_options options = test_rtree_options(TUMBLE_RTREE_LOAD_HALVES);
    const uint32_t count = (uint32_t)mesh.polygon_count;
    tumble_model *model = test_model(w->context, &mesh, &options);
    uint32_t *order = random_order(&random, count), *numbers = malloc(count * sizeof *numbers);
    uint64_t start = 0;
    for (uint32_t i = 0; i < count; i++) {
        test_assert_status(w->context, tumble_model_remove(model, &order[i], 1), TUMBLE_OK, "");
        start = i == 0 ? model->edit->work : start;
        insert_one(w, model, &mesh, order[i], &numbers[i]);
    }
    const double work = (double)(model->edit->work - start) / (2.0 * count);
    free(order);
    free(numbers);
    tumble_model_destroy(model);
    models_free(&mesh);
    return work;
}

static void test_logarithmic_cost(void **state)
{
    const size_t most = test_effort() < 1 ? 20000 : 60000;
    const double small = edit_work(*state, 1000), middle = edit_work(*state, 10000), large = edit_work(*state, most);
    print_message("work of an edit: %.1f at 1,000 triangles, %.1f at 10,000, %.1f at %zu\n", small, middle, large,
                  most);
    assert_true(middle <= small * (log2(1e4) / log2(1e3)) * 1.3);
    assert_true(large <= small * (log2((double)most) / log2(1e3)) * 1.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_quality),
        TEST_IN_WORLD(test_scars),
        TEST_IN_WORLD(test_logarithmic_cost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
