/* Models whose points have moved: what is rejected, that nothing is lost by it, and damaged blocks. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "moving.h"
#include "tree/block.h"

/* ---- What is refused ---- */

typedef struct refusal {
    test_world *w;
    tumble_model *model, *out;
    tmb_block *before; /* a copy of the result's block */
    size_t size;
} refusal;

static void begin_refusal(refusal *r, test_world *w, const models_mesh *mesh)
{
    const tumble_model_options options = test_mover_options(&test_movers[0]);
    *r = (refusal){.w = w, .model = test_model(w->context, mesh, &options)};
    test_deform(w->context, r->model, mesh, &r->out);
    const void *block = tumble_model_block(r->out, &r->size);
    r->before = malloc(r->size);
    assert_non_null(r->before);
    memcpy(r->before, block, r->size);
}

static void end_refusal(refusal *r)
{
    free(r->before);
    tumble_model_destroy(r->model);
    tumble_model_destroy(r->out);
}

/* With no model to reuse, and with one, which stays as it was. */
static void refuse(refusal *r, const tumble_mesh *mesh, tumble_status status, const char *words)
{
    tumble_model *none = NULL;
    test_assert_status(r->w->context, tumble_model_deform(r->model, mesh, &none), status, words);
    assert_null(none);
    const tumble_model *before = r->out;
    test_assert_status(r->w->context, tumble_model_deform(r->model, mesh, &r->out), status, words);
    assert_ptr_equal(r->out, before);
    size_t size;
    const void *block = tumble_model_block(r->out, &size);
    assert_int_equal(size, r->size);
    assert_memory_equal(block, r->before, size);
}

static void test_bad_numbers(void **state)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int kind = 0; kind < 2; kind++) {
        models_mesh mesh;
        refusal r;
        test_make_kind(&mesh, kind ? TEST_KIND_UNUSED : TEST_KIND_SPHERE, 300);
        begin_refusal(&r, *state, &mesh);
        const tumble_mesh view = models_view(&mesh);
        for (size_t i = 0; i < 3 * mesh.point_count; i += 7) {
            const double good = mesh.points[i];
            char name[64];
            snprintf(name, sizeof name, "point %zu: its %c", i / 3, "xyz"[i % 3]);
            mesh.points[i] = bad[i % 3];
            refuse(&r, &view, TUMBLE_ERROR_NOT_FINITE, name);
            mesh.points[i] = good;
        }
        mesh.points[3 * mesh.point_count - 1] = NAN; /* for TEST_KIND_UNUSED a point that no polygon uses */
        refuse(&r, &view, TUMBLE_ERROR_NOT_FINITE, "its z");
        end_refusal(&r);
        models_free(&mesh);
    }
}

static void exchange(uint32_t *indices, size_t a, size_t b)
{
    const uint32_t held = indices[a];
    indices[a] = indices[b];
    indices[b] = held;
}

/* Every index that is exchanged with a neighbour, turned triangles, turned order, other numbers of everything. */
static void test_other_indices(void **state)
{
    models_mesh mesh;
    refusal r;
    test_make_kind(&mesh, TEST_KIND_SPHERE, 300);
    begin_refusal(&r, *state, &mesh);
    tumble_mesh view = models_view(&mesh);
    for (size_t i = 0; i + 1 < mesh.index_count; i++) {
        exchange(mesh.indices, i, i + 1);
        refuse(&r, &view, TUMBLE_ERROR_ARGUMENT, "polygons differ");
        exchange(mesh.indices, i, i + 1);
    }
    for (int twice = 0; twice < 2; twice++) {
        for (size_t i = 0; i < mesh.index_count; i += 3) {
            exchange(mesh.indices, i + 1, i + 2); /* all of them inside out */
        }
        if (!twice) {
            refuse(&r, &view, TUMBLE_ERROR_ARGUMENT, "polygons differ");
        }
    }
    mesh.indices[5] = (uint32_t)mesh.point_count;
    refuse(&r, &view, TUMBLE_ERROR_INDEX, "polygon 1, corner 2");
    end_refusal(&r);
    models_free(&mesh);
}

/* Long stretches, which threads look at one by one. */
static void test_other_order(void **state)
{
    models_mesh mesh;
    refusal r;
    test_make_kind(&mesh, TEST_KIND_SPHERE, 40000);
    begin_refusal(&r, *state, &mesh);
    const tumble_mesh view = models_view(&mesh);
    for (size_t length = 1024; 2 * length <= mesh.index_count; length *= 2) {
        for (int twice = 0; twice < 2; twice++) {
            for (size_t i = 0; i < length; i++) {
                exchange(mesh.indices, i, length + i);
            }
            if (!twice) {
                refuse(&r, &view, TUMBLE_ERROR_ARGUMENT, "polygons differ");
            }
        }
    }
    test_deform(((test_world *)*state)->context, r.model, &mesh, &r.out); /* everything was put back */
    end_refusal(&r);
    models_free(&mesh);
}

static void test_other_counts(void **state)
{
    models_mesh mesh;
    refusal r;
    test_make_kind(&mesh, TEST_KIND_SPHERE, 300);
    begin_refusal(&r, *state, &mesh);
    tumble_mesh view = models_view(&mesh);
    view.index_count -= 3, view.polygon_count = 0;
    refuse(&r, &view, TUMBLE_ERROR_ARGUMENT, "polygons");
    view.index_count -= 1;
    refuse(&r, &view, TUMBLE_ERROR_ARGUMENT, "indices");
    view.index_count = 0;
    refuse(&r, &view, TUMBLE_ERROR_ARGUMENT, "polygons");
    view = models_view(&mesh);
    view.point_count--;
    refuse(&r, &view, TUMBLE_ERROR_INDEX, "there is no point");
    view.point_count = 3;
    refuse(&r, &view, TUMBLE_ERROR_INDEX, "");
    refuse(&r, NULL, TUMBLE_ERROR_ARGUMENT, "null");
    end_refusal(&r);
    models_free(&mesh);
}

/* The same indices, cut into polygons otherwise. */
static void test_other_sizes(void **state)
{
    const double points[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1};
    const uint32_t indices[] = {0, 1, 2, 3, 4, 5, 6};
    uint32_t sizes[] = {3, 4};
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = points, mesh.point_count = 7, mesh.indices = indices, mesh.index_count = 7;
    mesh.polygon_sizes = sizes, mesh.polygon_count = 2;
    test_world *w = *state;
    const tumble_model_options options = test_mover_options(&test_movers[0]);
    tumble_model *model = NULL, *out = NULL;
    assert_int_equal(tumble_model_create(w->context, &mesh, &options, &model), TUMBLE_OK);
    assert_int_equal(tumble_model_deform(model, &mesh, &out), TUMBLE_OK);
    sizes[0] = 4, sizes[1] = 3;
    test_assert_status(w->context, tumble_model_deform(model, &mesh, &out), TUMBLE_ERROR_ARGUMENT, "polygons differ");
    sizes[0] = 2, sizes[1] = 5;
    test_assert_status(w->context, tumble_model_deform(model, &mesh, &out), TUMBLE_ERROR_POLYGON, "polygon 0");
    test_assert_same_blocks(model, out);
    tumble_model_destroy(model);
    tumble_model_destroy(out);
}

/* Polygons whose points the model has not kept. */
static void test_unsupported(void **state)
{
    test_world *w = *state;
    models_mesh mesh;
    tumble_model *out = NULL;
    assert_true(models_make_sized(&mesh, "shards", 100));
    const tumble_mesh view = models_view(&mesh);
    for (size_t i = 0; i < TEST_MOVERS; i++) {
        tumble_model_options options = test_mover_options(&test_movers[i]);
        options.deformable = 0;
        tumble_model *model = test_model(w->context, &mesh, &options);
        test_assert_status(w->context, tumble_model_deform(model, &view, &out), TUMBLE_ERROR_UNSUPPORTED,
                           "`deformable`");
        assert_null(out);
        tumble_model_destroy(model);
    }
    models_free(&mesh);
}

/* Memory that cannot be reused. */
static void test_bad_targets(void **state)
{
    test_world *w = *state;
    models_mesh mesh;
    test_make_kind(&mesh, TEST_KIND_SPHERE, 100);
    const tumble_mesh view = models_view(&mesh);
    const tumble_model_options options = test_mover_options(&test_movers[0]);
    tumble_model *model = test_model(w->context, &mesh, &options), *made = test_model(w->context, &mesh, &options);
    tumble_model *out = model, *deformed = NULL, *view_of = NULL, *foreign = NULL;
    tumble_context *c = w->context, *other = test_context(&w->memory, 1, TUMBLE_SIMD_AUTO);
    assert_int_equal(tumble_model_deform(NULL, &view, &out), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(c, tumble_model_deform(model, &view, NULL), TUMBLE_ERROR_ARGUMENT, "null");
    test_assert_status(c, tumble_model_deform(model, &view, &out), TUMBLE_ERROR_ARGUMENT, "own memory");
    assert_ptr_equal(out, model);
    out = made;
    test_assert_status(c, tumble_model_deform(model, &view, &out), TUMBLE_ERROR_ARGUMENT, "neither null nor");
    assert_ptr_equal(out, made);
    test_assert_same_blocks(model, made);
    test_deform(w->context, model, &mesh, &deformed);
    size_t size;
    const void *block = tumble_model_block(deformed, &size);
    assert_int_equal(tumble_model_from_block(c, block, size, 0, &view_of), TUMBLE_OK);
    test_assert_status(c, tumble_model_deform(view_of, &view, &deformed), TUMBLE_ERROR_ARGUMENT, "own memory");
    assert_int_equal(tumble_model_from_block(other, block, size, 1, &foreign), TUMBLE_OK);
    test_assert_status(other, tumble_model_deform(foreign, &view, &deformed), TUMBLE_ERROR_ARGUMENT, "context");
    tumble_model_destroy(view_of);
    tumble_model_destroy(foreign);
    tumble_model_destroy(deformed);
    tumble_model_destroy(made);
    tumble_model_destroy(model);
    tumble_context_destroy(other);
    models_free(&mesh);
}

/* ---- Blocks that lie ---- */

/* A block of one's own with a good checksum. */
static tmb_block *copy_block(const tumble_model *model)
{
    size_t size;
    const void *block = tumble_model_block(model, &size);
    void *copy = NULL;
    assert_int_equal(posix_memalign(&copy, 64, size), 0);
    memcpy(copy, block, size);
    return copy;
}

static tumble_status load(test_world *w, tmb_block *block, tumble_model **out)
{
    block->checksum = tmb_block_checksum(block);
    return tumble_model_from_block(w->context, block, (size_t)block->total_bytes, 0, out);
}

static void test_damaged_points(void **state)
{
    test_world *w = *state;
    models_mesh mesh;
    assert_true(models_make_sized(&mesh, "shards", 60));
    const tumble_model_options options = test_mover_options(&test_movers[0]);
    tumble_model *model = test_model(w->context, &mesh, &options), *out = NULL;
    tmb_block *block = copy_block(model);
    const tmb_block good = *block;
    uint32_t *points = (uint32_t *)(void *)((char *)block + good.offsets[TMB_SECTION_POINTS]);
    assert_true(good.offsets[TMB_SECTION_POINTS] != 0);
    for (size_t i = 0; i < tmb_block_corner_count(&good); i++) {
        const uint32_t bad[] = {(uint32_t)mesh.point_count, UINT32_MAX, points[i]};
        for (int k = 0; k < 2; k++) {
            points[i] = bad[k];
            test_assert_status(w->context, load(w, block, &out), TUMBLE_ERROR_FORMAT, "point that does not exist");
        }
        points[i] = bad[2];
    }
#define REFUSE_FIELD(field, value)                                                    \
    block->field = (value);                                                           \
    test_assert_status(w->context, load(w, block, &out), TUMBLE_ERROR_FORMAT, "not"); \
    *block = good
    REFUSE_FIELD(point_limit, good.point_count - 1);
    REFUSE_FIELD(point_limit, UINT64_MAX);
    REFUSE_FIELD(offsets[TMB_SECTION_POINTS], 0);
    REFUSE_FIELD(offsets[TMB_SECTION_POINTS], good.offsets[TMB_SECTION_POINTS] + 64);
    REFUSE_FIELD(offsets[TMB_SECTION_POINTS], good.offsets[TMB_SECTION_NODES]);
#undef REFUSE_FIELD
    assert_int_equal(load(w, block, &out), TUMBLE_OK);
    tumble_model_destroy(out);
    free(block);
    tumble_model_destroy(model);
    models_free(&mesh);
}

/* What passes the check is safe to deform with a mesh that it claims to have come from. Made for address sanitizers. */
static void check_mutations(test_world *w, const test_mover *mover, const char *shape, size_t count)
{
    test_random random = {21};
    models_mesh mesh;
    assert_true(models_make_sized(&mesh, shape, 60));
    const tumble_mesh view = models_view(&mesh);
    const tumble_model_options options = test_mover_options(mover);
    tumble_model *model = test_model(w->context, &mesh, &options), *out = NULL;
    tmb_block *good = copy_block(model), *block = copy_block(model);
    const size_t words = (size_t)good->total_bytes / sizeof(uint32_t);
    size_t deformed = 0;
    for (size_t i = 0; i < count; i++) {
        tumble_model *loaded = NULL;
        memcpy(block, good, (size_t)good->total_bytes);
        uint32_t *word = (uint32_t *)(void *)block + 8 + (size_t)test_random_bits(&random) % (words - 8);
        *word = test_random_chance(&random, 0.5) ? (uint32_t)test_random_whole(&random, 0, 200)
                                                 : *word ^ 1u << test_random_whole(&random, 0, 31);
        block->topology = good->topology;
        if (load(w, block, &loaded) == TUMBLE_OK) {
            deformed += tumble_model_deform(loaded, &view, &out) == TUMBLE_OK;
        }
        tumble_model_destroy(loaded);
    }
    assert_true(deformed > count / 20);
    free(good);
    free(block);
    tumble_model_destroy(out);
    tumble_model_destroy(model);
    models_free(&mesh);
}

static void test_mutations(void **state)
{
    for (size_t i = 0; i < TEST_MOVERS; i++) {
        check_mutations(*state, &test_movers[i], "sphere", test_count(8000));
        check_mutations(*state, &test_movers[i], "shards", test_count(8000));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_bad_numbers),  TEST_IN_WORLD(test_other_indices),  TEST_IN_WORLD(test_other_order),
        TEST_IN_WORLD(test_other_counts), TEST_IN_WORLD(test_other_sizes),    TEST_IN_WORLD(test_unsupported),
        TEST_IN_WORLD(test_bad_targets),  TEST_IN_WORLD(test_damaged_points), TEST_IN_WORLD(test_mutations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
