/* A tower in which clashes of every kind were planted: all are found, and no others. */
#include <stdlib.h>

#include "clash_tower.h"
#include "scenes.h"
#include "tumble/clash.h"

static tumble_assembly *assemble(test_world *w, const models_tower *tower)
{
    tumble_assembly *assembly;
    uint32_t *models = malloc(tower->shape_count * sizeof *models);
    assert_non_null(models);
    assert_int_equal(tumble_assembly_create(w->context, &assembly), TUMBLE_OK);
    for (size_t i = 0; i < tower->shape_count; i++) {
        const tumble_mesh mesh = models_view(&tower->shapes[i]);
        assert_int_equal(tumble_assembly_add_mesh(assembly, &mesh, &models[i]), TUMBLE_OK);
        assert_int_equal(models[i], i); /* no two are the same */
    }
    for (size_t i = 0; i < tower->part_count; i++) {
        const models_tower_part *part = &tower->parts[i];
        const tumble_assembly_item item = {.name = part->name,
                                           .class_name = part->class_name,
                                           .file = "tower",
                                           .model = part->shape,
                                           .transform = part->transform};
        assert_int_equal(tumble_assembly_add(assembly, &item), TUMBLE_OK);
    }
    free(models);
    return assembly;
}

static void check(test_world *w, const models_tower_options *options)
{
    models_tower tower;
    tumble_clash_options asked = tumble_default_clash_options();
    tumble_clashes *clashes;
    assert_int_equal(models_make_tower(&tower, options), 1);
    tumble_assembly *assembly = assemble(w, &tower);
    asked.clearance = MODELS_TOWER_CLEARANCE;
    asked.thread_count = 2;
    assert_int_equal(tumble_clash_run(assembly, &asked, &clashes), TUMBLE_OK);
    const tumble_clash_result *result = tumble_clashes_result(clashes);
    assert_int_equal(result->clash_count, tower.clash_count);
    assert_true(result->pair_count > 5 * tower.clash_count); /* most pairs are told apart by their triangles */
    for (size_t i = 0; i < tower.clash_count; i++) {
        const models_tower_clash *planted = &tower.clashes[i];
        const tumble_clash *found = &result->clashes[i];
        assert_true(found->a == planted->a && found->b == planted->b && found->kind == planted->kind);
    }
    for (int kind = 0; kind < 6; kind++) {
        assert_true(result->kind_counts[kind] > 0);
    }
    tumble_clashes_destroy(clashes);
    assert_int_equal(tumble_assembly_destroy(assembly), TUMBLE_OK);
    models_free_tower(&tower);
}

static void test_small(void **state)
{
    const models_tower_options options = {.parts = 1000, .shapes = 40, .triangles = 200, .seed = 1};
    check(*state, &options);
}

static void test_tall(void **state)
{
    const models_tower_options options = {.parts = 8 * test_count(1000), .shapes = 100, .triangles = 100, .seed = 2};
    check(*state, &options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_small), TEST_IN_WORLD(test_tall)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
