#include "self_cases.h"

#include <stdlib.h>
#include <string.h>

/* ---- Pools ---- */

static void make_lattice_pool(test_random *random, double pool[SELF_POOL][3])
{
    for (int i = 0; i < 3 * SELF_POOL; i++) {
        pool[i / 3][i % 3] = test_random_whole(random, 0, 2);
    }
}

static void make_flat_pool(test_random *random, double pool[SELF_POOL][3])
{
    const int axis = test_random_whole(random, 0, 2);
    make_lattice_pool(random, pool);
    for (int i = 0; i < SELF_POOL; i++) {
        pool[i][axis] = pool[i][(axis + 1) % 3] + pool[i][(axis + 2) % 3];
    }
}

static void make_line_pool(test_random *random, double pool[SELF_POOL][3])
{
    for (int i = 0; i < SELF_POOL; i++) {
        const double at = test_random_whole(random, -2, 2);
        pool[i][0] = at, pool[i][1] = 2 * at, pool[i][2] = test_random_chance(random, 0.8) ? -at : 1;
    }
}

/* Neighbouring doubles. */
static void make_ulp_pool(test_random *random, double pool[SELF_POOL][3])
{
    make_flat_pool(random, pool);
    for (int i = 0; i < 3 * SELF_POOL; i++) {
        pool[i / 3][i % 3] = test_step_ulps(pool[i / 3][i % 3] + 0.1, test_random_whole(random, -1, 1));
    }
}

static void make_random_pool(test_random *random, double pool[SELF_POOL][3])
{
    for (int i = 0; i < 3 * SELF_POOL; i++) {
        pool[i / 3][i % 3] = test_random_range(random, -1, 1);
    }
}

static void make_huge_pool(test_random *random, double pool[SELF_POOL][3])
{
    const double scale = test_random_chance(random, 0.5) ? 0x1p1022 : 0x1p-1070;
    make_flat_pool(random, pool);
    for (int i = 0; i < 3 * SELF_POOL; i++) {
        pool[i / 3][i % 3] = (pool[i / 3][i % 3] - 2) * scale * 0.5;
    }
}

const self_pool self_pools[SELF_POOLS] = {{"lattice", make_lattice_pool}, {"flat", make_flat_pool},
                                          {"line", make_line_pool},       {"ulp", make_ulp_pool},
                                          {"random", make_random_pool},   {"huge", make_huge_pool}};

/* ---- Models ---- */

void self_make_mesh(test_random *random, self_make_pool *make, size_t polygons, int most, models_mesh *mesh)
{
    double pool[SELF_POOL][3];
    uint32_t numbers[2 * SELF_POOL];
    make(random, pool);
    for (uint32_t i = 0; i < 2 * SELF_POOL; i++) { /* each twice: sharing goes by coordinates */
        numbers[i] = models_point(mesh, pool[i % SELF_POOL][0], pool[i % SELF_POOL][1], pool[i % SELF_POOL][2]);
    }
    for (size_t i = 0; i < polygons; i++) {
        uint32_t corners[16];
        const int count = test_random_whole(random, 3, most);
        for (int k = 0; k < count; k++) {
            corners[k] = numbers[test_random_whole(random, 0, 2 * SELF_POOL - 1)];
        }
        models_polygon(mesh, corners, (uint32_t)count);
    }
}

void self_append(self_list *list, tumble_self_pair pair)
{
    if (list->count == list->capacity) {
        list->capacity = 2 * list->capacity + 16;
        list->pairs = realloc(list->pairs, list->capacity * sizeof *list->pairs);
    }
    list->pairs[list->count++] = pair;
}

self_polygons self_cut(const tumble_model *model)
{
    const tumble_model_info info = test_info(model);
    self_polygons out = {malloc((info.triangle_count + 1) * sizeof *out.triangles), NULL, (uint32_t)info.polygon_count};
    out.polygons = calloc(out.count + 1, sizeof *out.polygons);
    size_t at = 0;
    for (uint32_t polygon = 0; polygon < out.count; polygon++) {
        out.polygons[polygon].triangles = (const double(*)[3][3])(out.triangles + at);
        for (uint32_t i = 0; i < info.triangle_count; i++) {
            uint32_t own;
            assert_int_equal(tumble_model_triangle(model, i, out.triangles[at], &own), TUMBLE_OK);
            out.polygons[polygon].count += own == polygon;
            at += own == polygon;
        }
    }
    return out;
}

void self_free_cut(self_polygons *cut)
{
    free(cut->triangles);
    free(cut->polygons);
}

self_list self_true_pairs(const tumble_model *model, int soup)
{
    self_polygons polygons = self_cut(model);
    self_list list = {0};
    for (uint32_t i = 0; i < polygons.count; i++) {
        for (uint32_t j = i + 1; j < polygons.count; j++) {
            const tumble_self_kind kind = self_truth(&polygons.polygons[i], &polygons.polygons[j], soup);
            if (kind) {
                self_append(&list, (tumble_self_pair){i, j, kind});
            }
        }
    }
    self_free_cut(&polygons);
    return list;
}

void self_assert_same(const tumble_self_result *result, const self_list *expected, const char *name, size_t round)
{
    for (size_t i = 0; i < result->pair_count && i < expected->count; i++) {
        const tumble_self_pair *x = &result->pairs[i], *y = &expected->pairs[i];
        if (x->polygon_a != y->polygon_a || x->polygon_b != y->polygon_b || x->kind != y->kind) {
            fail_msg("%s, round %zu: pair %zu is %u %u %s, but should be %u %u %s", name, round, i, x->polygon_a,
                     x->polygon_b, tumble_self_kind_name(x->kind), y->polygon_a, y->polygon_b,
                     tumble_self_kind_name(y->kind));
        }
    }
    if (result->pair_count != expected->count) {
        fail_msg("%s, round %zu: %zu pairs, but there are %zu", name, round, (size_t)result->pair_count,
                 expected->count);
    }
}
