/* The process plant and the grid: exactly of the sizes of the literature, the same every time, and every step of the
 * assembly intersects. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plant.h"
#include "tumble/tumble.h"

static void test_counts(void **state)
{
    static const struct {
        const char *name;
        uint32_t surfaces;
        size_t triangles;
    } expected[MODELS_PLANT_PARTS] = {{"frame", 272, 1500}, {"vessel", 158, 3600}, {"exchanger", 147, 4200},
                                      {"pump", 132, 2700},  {"valve", 98, 3000},   {"header", 108, 3815},
                                      {"spool", 75, 3300},  {"bridge", 83, 2300}};
    models_plant plant;
    size_t surfaces = 0, triangles = 0;
    (void)state;
    assert_true(models_make_plant(&plant));
    for (int i = 0; i < MODELS_PLANT_PARTS; i++) {
        const models_plant_part *part = &plant.parts[i];
        assert_string_equal(part->name, expected[i].name);
        assert_int_equal(part->surface_count, expected[i].surfaces);
        assert_int_equal(models_triangle_count(&part->mesh), expected[i].triangles);
        surfaces += part->surface_count;
        triangles += models_triangle_count(&part->mesh);
    }
    assert_int_equal(surfaces, MODELS_PLANT_SURFACES);
    assert_int_equal(triangles, MODELS_PLANT_TRIANGLES);
    models_free_plant(&plant);
}

/* Every number from 0 on is a surface, and the library counts as many; no triangle is without area. */
static void test_surfaces(void **state)
{
    models_plant plant;
    tumble_context *context = NULL;
    (void)state;
    assert_true(models_make_plant(&plant));
    assert_int_equal(tumble_context_create(NULL, &context), TUMBLE_OK);
    for (int i = 0; i < MODELS_PLANT_PARTS; i++) {
        const models_plant_part *part = &plant.parts[i];
        const tumble_mesh view = models_view(&part->mesh);
        tumble_model *model = NULL;
        tumble_model_info info;
        for (size_t k = 0; k < part->mesh.polygon_count; k++) {
            assert_true(part->mesh.surface_ids[k] < part->surface_count);
        }
        assert_int_equal(tumble_model_create(context, &view, NULL, &model), TUMBLE_OK);
        assert_int_equal(tumble_model_get_info(model, &info), TUMBLE_OK);
        assert_int_equal(info.surface_count, part->surface_count);
        assert_int_equal(info.degenerate_count, 0);
        assert_true(info.points_are_float);
        tumble_model_destroy(model);
    }
    tumble_context_destroy(context);
    models_free_plant(&plant);
}

static size_t count_hits(tumble_context *context, tumble_query *query, tumble_model *const *models,
                         const models_plant_operation *operation)
{
    size_t hits = 0;
    for (size_t i = 0; i < operation->path_length; i++) {
        tumble_collide_options options = tumble_default_collide_options();
        tumble_collide_result result;
        options.mode = TUMBLE_SURFACES;
        assert_int_equal(tumble_pose_check(context, &operation->path[i]), TUMBLE_OK);
        assert_int_equal(tumble_collide(query, models[operation->target], NULL, models[operation->moving],
                                        &operation->path[i], &options, &result),
                         TUMBLE_OK);
        hits += result.surface_pair_count >= 2;
    }
    return hits;
}

static void test_steps_intersect(void **state)
{
    models_plant plant;
    tumble_context *context = NULL;
    tumble_query *query = NULL;
    tumble_model *models[MODELS_PLANT_PARTS];
    size_t steps = 0, hits = 0;
    (void)state;
    assert_true(models_make_plant(&plant));
    assert_int_equal(tumble_context_create(NULL, &context), TUMBLE_OK);
    assert_int_equal(tumble_query_create(context, &query), TUMBLE_OK);
    for (int i = 0; i < MODELS_PLANT_PARTS; i++) {
        const tumble_mesh view = models_view(&plant.parts[i].mesh);
        assert_int_equal(tumble_model_create(context, &view, NULL, &models[i]), TUMBLE_OK);
    }
    for (int i = 0; i < MODELS_PLANT_OPERATIONS; i++) {
        assert_int_not_equal(plant.operations[i].moving, plant.operations[i].target);
        steps += plant.operations[i].path_length;
        hits += count_hits(context, query, models, &plant.operations[i]);
    }
    assert_int_equal(steps, MODELS_PLANT_STEPS);
    assert_int_equal(hits, MODELS_PLANT_STEPS);
    for (int i = 0; i < MODELS_PLANT_PARTS; i++) {
        tumble_model_destroy(models[i]);
    }
    tumble_query_destroy(query);
    tumble_context_destroy(context);
    models_free_plant(&plant);
}

static void test_same_every_time(void **state)
{
    models_plant one, other;
    (void)state;
    assert_true(models_make_plant(&one));
    assert_true(models_make_plant(&other));
    for (int i = 0; i < MODELS_PLANT_PARTS; i++) {
        const models_mesh *a = &one.parts[i].mesh, *b = &other.parts[i].mesh;
        assert_int_equal(a->point_count, b->point_count);
        assert_memory_equal(a->points, b->points, 3 * a->point_count * sizeof *a->points);
        assert_memory_equal(a->surface_ids, b->surface_ids, a->polygon_count * sizeof *a->surface_ids);
    }
    models_free_plant(&one);
    models_free_plant(&other);
}

static void test_grid(void **state)
{
    models_mesh grid;
    (void)state;
    assert_true(models_make_grid(&grid, 1));
    assert_int_equal(models_triangle_count(&grid), MODELS_GRID_TRIANGLES / (MODELS_GRID_CUTS * MODELS_GRID_CUTS));
    assert_true(models_is_closed(&grid));
    assert_true(models_volume(&grid) > 0);
    models_free(&grid);
    assert_true(models_make_grid(&grid, MODELS_GRID_CUTS));
    assert_int_equal(models_triangle_count(&grid), MODELS_GRID_TRIANGLES);
    models_free(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts), cmocka_unit_test(test_surfaces),
                                       cmocka_unit_test(test_steps_intersect), cmocka_unit_test(test_same_every_time),
                                       cmocka_unit_test(test_grid)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
