/* Clusters: that they hold each triangle once with its corners in order, what they cost, and the survey of a mesh that
 * precedes them. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes.h"
#include "tree/clusters.h"
#include "tree/mesh_validate.h"
#include "tree/model.h"

/* ---- Meshes ---- */

enum {
    KINDS = 6
};

/* Triangles only. */
static void make_kind(models_mesh *mesh, int kind, size_t count)
{
    test_random random = {(uint64_t)kind};
    switch (kind) {
    case 0: test_make_soup(mesh, &random, count, 0.3); break;
    case 1: test_make_lattice(mesh, &random, count, 4, 2, 0.4); break;
    case 2: assert_true(models_make_sized(mesh, "sphere", count)); break;
    case 3: assert_true(models_make_sized(mesh, "gear", count)); break;
    case 4: /* one point that all triangles share */
        for (uint32_t i = 0; i < count + 2; i++) {
            models_point(mesh, (double)i, (double)i * i, 0);
        }
        for (uint32_t i = 1; i <= count; i++) {
            models_triangle(mesh, i, 0, i + 1);
        }
        break;
    default: /* few points, at random, often twice or three times */
        for (int i = 0; i < 40; i++) {
            models_point(mesh, test_random_unit(&random), i, 0);
        }
        for (size_t i = 0; i < count; i++) {
            models_triangle(mesh, (uint32_t)test_random_whole(&random, 0, 39),
                            (uint32_t)test_random_whole(&random, 0, 39), (uint32_t)test_random_whole(&random, 0, 39));
        }
        break;
    }
}

static uint32_t *make_order(size_t count, int shuffled)
{
    uint32_t *order = malloc(count * sizeof *order);
    test_random random = {count};
    for (size_t i = 0; i < count; i++) {
        const size_t j = shuffled ? (size_t)(test_random_bits(&random) % (i + 1)) : i;
        order[i] = order[j];
        order[j] = (uint32_t)i;
    }
    return order;
}

/* ---- Drafts ---- */

/* Distinct points, all of them used, and nothing behind the last triangle. */
static void check_draft(const tmb_cluster_draft *draft)
{
    uint32_t used = 0;
    assert_in_range(draft->triangle_count, 1, TMB_CLUSTER_TRIANGLES);
    assert_in_range(draft->corner_count, 1, TMB_CLUSTER_CORNERS);
    for (uint32_t i = 0; i < draft->corner_count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            assert_int_not_equal(draft->points[i], draft->points[j]);
        }
    }
    for (int k = 0; k < 3; k++) {
        for (uint32_t t = 0; t < draft->triangle_count; t++) {
            used |= 1u << ((draft->words[k] >> 4 * t) & 15);
        }
        assert_true(draft->triangle_count == TMB_CLUSTER_TRIANGLES ||
                    draft->words[k] >> 4 * draft->triangle_count == 0);
    }
    assert_int_equal(used, (1u << draft->corner_count) - 1);
}

/* Everything that the header promises, for triangles that came in the order `sequence` (null: as they are). */
static void check_clusters(const tmb_clusters *clusters, const uint32_t *corners, const uint32_t *sequence,
                           size_t count, size_t run)
{
    uint32_t *addresses = malloc(count * sizeof *addresses); /* of each triangle of the mesh */
    size_t next = 0;
    memset(addresses, 0xff, count * sizeof *addresses);
    for (size_t i = 0; i < clusters->count; i++) {
        const tmb_cluster_draft *draft = &clusters->drafts[i];
        check_draft(draft);
        for (uint32_t t = 0; t < draft->triangle_count; t++, next++) {
            const uint32_t triangle = clusters->order ? clusters->order[next] : (uint32_t)next;
            assert_true(next < count && triangle < count);
            assert_int_equal(addresses[triangle], UINT32_MAX);
            addresses[triangle] = tmb_triangle_address((uint32_t)i, t);
            for (int k = 0; k < 3; k++) {
                assert_int_equal(draft->points[(draft->words[k] >> 4 * t) & 15],
                                 corners[3 * (size_t)triangle + (size_t)k]);
            }
        }
        assert_true(draft->triangle_count >= TMB_CLUSTERS_LEAST || next == count || next % run == 0);
    }
    assert_int_equal(next, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(clusters->addresses[i], addresses[sequence ? sequence[i] : i]);
        assert_true(clusters->addresses[i] < 2 * count + TMB_CLUSTER_TRIANGLES);
    }
    free(addresses);
}

static const size_t counts[] = {1, 2, 3, 5, 8, 9, 16, 17, 33, 100, 1023, 1024, 1025, 1029, 2048, 5000};

static void test_cutting_keeps_the_order(void **state)
{
    test_world *w = *state;
    for (int kind = 0; kind < KINDS; kind++) {
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            models_mesh mesh = {0};
            make_kind(&mesh, kind, counts[c] < 200 && (kind == 2 || kind == 3) ? 200 : counts[c]);
            const size_t count = mesh.polygon_count;
            uint32_t *order = make_order(count, 1);
            for (int own = 0; own < 2; own++) {
                tmb_arena arena = {.context = w->context};
                tmb_clusters clusters;
                assert_true(tmb_clusters_cut(&arena, mesh.indices, own ? order : NULL, NULL, count, &clusters));
                check_clusters(&clusters, mesh.indices, own ? order : NULL, count, SIZE_MAX);
                assert_ptr_equal(clusters.order, own ? order : NULL);
                tmb_arena_release(&arena);
            }
            free(order);
            models_free(&mesh);
        }
    }
}

static void test_grouping(void **state)
{
    test_world *w = *state;
    for (int kind = 0; kind < KINDS; kind++) {
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            models_mesh mesh = {0};
            make_kind(&mesh, kind, counts[c] < 200 && (kind == 2 || kind == 3) ? 200 : counts[c]);
            const size_t count = mesh.polygon_count;
            for (int shuffled = 0; shuffled < 2; shuffled++) {
                uint32_t *order = make_order(count, shuffled);
                tmb_arena arena = {.context = w->context};
                tmb_clusters clusters, cut;
                assert_true(tmb_clusters_group(&arena, 1, mesh.indices, order, count, &clusters));
                check_clusters(&clusters, mesh.indices, order, count, TMB_CLUSTERS_RUN);
                assert_true(tmb_clusters_cut(&arena, mesh.indices, order, NULL, count, &cut));
                if (count >= 1000 && (kind == 2 || kind == 3 || kind == 5)) { /* there are neighbours to be found */
                    assert_true(tmb_clusters_units(&clusters, 1) < tmb_clusters_units(&cut, 1));
                }
                tmb_arena_release(&arena);
                free(order);
            }
            models_free(&mesh);
        }
    }
}

/* A hexagonal fan has 7 points for 6 triangles; no 8 triangles of a closed mesh have less than 9 for long. */
static void test_corners_a_triangle(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    assert_true(models_make_sized(&mesh, "sphere", 20000));
    const size_t count = mesh.polygon_count;
    uint32_t *order = make_order(count, 0);
    tmb_arena arena = {.context = w->context};
    tmb_clusters clusters;
    assert_true(tmb_clusters_group(&arena, 1, mesh.indices, order, count, &clusters));
    size_t corners = 0;
    for (size_t i = 0; i < clusters.count; i++) {
        corners += clusters.drafts[i].corner_count;
    }
    assert_true((double)corners < 1.22 * (double)count);
    assert_true((double)count > 7.8 * (double)clusters.count);
    tmb_arena_release(&arena);
    free(order);
    models_free(&mesh);
}

static void test_threads_group_alike(void **state)
{
    test_world *w = *state;
    tumble_context *context = test_context(&w->memory, 8, TUMBLE_SIMD_AUTO);
    for (int kind = 0; kind < KINDS; kind++) {
        models_mesh mesh = {0};
        make_kind(&mesh, kind, 20000);
        const size_t count = mesh.polygon_count;
        uint32_t *order = make_order(count, kind % 2);
        tmb_arena arena = {.context = context};
        tmb_clusters single, several;
        assert_true(tmb_clusters_group(&arena, 1, mesh.indices, order, count, &single));
        for (uint32_t threads = 2; threads <= 8; threads += 3) {
            assert_true(tmb_clusters_group(&arena, threads, mesh.indices, order, count, &several));
            assert_int_equal(several.count, single.count);
            assert_memory_equal(several.order, single.order, count * sizeof *single.order);
            assert_memory_equal(several.addresses, single.addresses, count * sizeof *single.addresses);
            for (size_t i = 0; i < single.count; i++) {
                const tmb_cluster_draft *a = &single.drafts[i], *b = &several.drafts[i];
                assert_memory_equal(a, b, offsetof(tmb_cluster_draft, points));
                assert_memory_equal(a->points, b->points, a->corner_count * sizeof *a->points);
            }
        }
        tmb_arena_release(&arena);
        free(order);
        models_free(&mesh);
    }
    tumble_context_destroy(context);
}

/* ---- Written clusters ---- */

/* All triangles of a model against those of its mesh, by number and by address. */
static void check_model(const tumble_model *model, const models_mesh *mesh)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < model->block->cluster_count; i++) {
        for (uint32_t t = 0; t < tmb_cluster_triangle_count(model->places + i); t++, number++) {
            const uint32_t address = tmb_triangle_address(i, t);
            double stored[3][3], told[3][3];
            uint32_t polygon;
            tmb_model_corners(model, address, stored);
            assert_int_equal(tumble_model_triangle(model, number, told, &polygon), TUMBLE_OK);
            assert_memory_equal(stored, told, sizeof told);
            assert_int_equal(polygon, tmb_model_polygon(model, address));
            for (int k = 0; k < 9; k++) {
                const uint32_t point = mesh->indices[3 * (size_t)polygon + (size_t)(k / 3)];
                const double x = mesh->points[3 * (size_t)point + (size_t)(k % 3)];
                assert_true(stored[k / 3][k % 3] == x && !signbit(stored[k / 3][k % 3]) == !signbit(x));
            }
        }
    }
    assert_int_equal(number, model->block->triangle_count);
}

static void test_written(void **state)
{
    test_world *w = *state;
    static const tumble_hierarchy hierarchies[] = {TUMBLE_HIERARCHY_BRUTE, TUMBLE_HIERARCHY_BOXTREE,
                                                   TUMBLE_HIERARCHY_WIDE};
    for (int kind = 0; kind < KINDS; kind++) {
        for (size_t h = 0; h < 3; h++) {
            for (int as_float = 0; as_float < 2; as_float++) {
                models_mesh mesh = {0};
                make_kind(&mesh, kind, 6000);
                models_fit(&mesh, 3, as_float);
                tumble_model_options options = tumble_default_model_options();
                options.hierarchy = hierarchies[h];
                tumble_model *model = test_model(w->context, &mesh, &options);
                assert_true(model->is_float == as_float || kind == 1); /* whole numbers stay so */
                check_model(model, &mesh);
                tumble_model_destroy(model);
                models_free(&mesh);
            }
        }
    }
}

/* Geometry, that is everything but the nodes, of closed meshes with float coordinates. With points and indices in
 * arrays of their own it would be 22. */
static void test_bytes(void **state)
{
    test_world *w = *state;
    static const char *const shapes[] = {"sphere", "torus", "gear"};
    static const size_t sizes[] = {20000, 200000};
    for (size_t i = 0; i < 6; i++) {
        models_mesh mesh = {0};
        assert_true(models_make_sized(&mesh, shapes[i % 3], sizes[i / 3]));
        models_fit(&mesh, 1, 1);
        memset(mesh.surface_ids, 0, mesh.polygon_count * sizeof *mesh.surface_ids); /* 4 bytes, where there are any */
        tumble_model_options options = tumble_default_model_options();
        options.hierarchy = TUMBLE_HIERARCHY_BOXTREE;
        tumble_model *model = test_model(w->context, &mesh, &options);
        size_t total;
        (void)tumble_model_block(model, &total);
        const uint64_t nodes = total - model->block->offsets[TMB_SECTION_NODES];
        const double bytes = (double)(total - nodes) / (double)model->block->triangle_count;
        if (bytes > 21.9) {
            fail_msg("%s of %zu triangles: %.2f bytes per triangle", shapes[i % 3], sizes[i / 3], bytes);
        }
        tumble_model_destroy(model);
        models_free(&mesh);
    }
}

/* ---- The survey ---- */

static tmb_mesh_facts expected_facts(const models_mesh *mesh)
{
    tmb_mesh_facts facts = {.polygon_count = mesh->polygon_count, .triangle_count = models_triangle_count(mesh)};
    char *used = calloc(mesh->point_count + 1, 1);
    for (size_t i = 0; i < mesh->index_count; i++) {
        used[mesh->indices[i]] = 1;
    }
    facts.is_float = 1;
    for (size_t i = 0; i < mesh->point_count; i++) {
        for (int k = 0; used[i] && k < 3; k++) {
            const double x = mesh->points[3 * i + (size_t)k];
            facts.lower[k] = !facts.used_count || x < facts.lower[k] ? x : facts.lower[k];
            facts.upper[k] = !facts.used_count || x > facts.upper[k] ? x : facts.upper[k];
            facts.is_float &= (double)(float)x == x;
        }
        facts.used_count += (size_t)used[i];
    }
    free(used);
    return facts;
}

static void check_facts(const tmb_mesh_facts *found, const tmb_mesh_facts *expected)
{
    assert_int_equal(found->polygon_count, expected->polygon_count);
    assert_int_equal(found->triangle_count, expected->triangle_count);
    assert_int_equal(found->used_count, expected->used_count);
    assert_int_equal(found->is_float, expected->is_float);
    for (int k = 0; k < 3; k++) {
        assert_true(found->lower[k] == expected->lower[k] && found->upper[k] == expected->upper[k]);
        assert_false((found->lower[k] == 0 && signbit(found->lower[k])) ||
                     (found->upper[k] == 0 && signbit(found->upper[k])));
    }
}

/* Points that nobody uses lie anywhere, and are no floats. */
static void add_unused(models_mesh *mesh, test_random *random, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double x = test_random_range(random, -1e300, 1e300);
        models_point(mesh, x, -x, 0.1);
    }
}

static void test_survey(void **state)
{
    test_world *w = *state;
    tumble_context *context = test_context(&w->memory, 4, TUMBLE_SIMD_AUTO);
    test_random random = {5};
    for (size_t i = 0; i < test_count(60); i++) {
        models_mesh mesh = {0};
        const size_t count = i % 10 == 0 ? 60000 : i % 10;
        add_unused(&mesh, &random, (size_t)test_random_whole(&random, 0, 3));
        if (i % 3) {
            const uint32_t base = (uint32_t)mesh.point_count;
            models_mesh soup = {0};
            test_make_soup(&soup, &random, count, 0.4);
            models_fit(&soup, 1, i % 3 == 1);
            models_append(&mesh, &soup, NULL);
            models_free(&soup);
            if (i % 2 && mesh.index_count) { /* zeros of either sign are the bounds, or among them */
                mesh.points[3 * (size_t)base] = 0;
                mesh.points[3 * (size_t)base + 3] = -0.0;
            }
        } else {
            test_make_lattice(&mesh, &random, count, 50, 4, 0.1);
        }
        add_unused(&mesh, &random, i % 10 == 0 ? 50000 : (size_t)test_random_whole(&random, 0, 3));
        const tumble_mesh view = models_view(&mesh);
        const tmb_mesh_facts expected = expected_facts(&mesh);
        for (uint32_t threads = 1; threads <= 4; threads += 3) {
            tmb_mesh_facts found;
            assert_int_equal(tmb_mesh_survey(context, threads, &view, &found), TUMBLE_OK);
            check_facts(&found, &expected);
        }
        models_free(&mesh);
    }
    tumble_context_destroy(context);
}

/* Bounds of both signs of zero: the first seen must not matter. */
static void test_zeros(void **state)
{
    test_world *w = *state;
    for (int sign = 0; sign < 2; sign++) {
        double points[9] = {0};
        static const uint32_t indices[] = {0, 1, 2};
        for (int i = 0; i < 9; i++) {
            points[i] = (i / 3) % 2 == sign ? -0.0 : 0.0;
        }
        tumble_mesh mesh = tumble_default_mesh();
        mesh.points = points, mesh.point_count = 3, mesh.indices = indices, mesh.index_count = 3;
        const tmb_mesh_facts expected = {.polygon_count = 1, .triangle_count = 1, .used_count = 3, .is_float = 1};
        tmb_mesh_facts found;
        assert_int_equal(tmb_mesh_survey(w->context, 1, &mesh, &found), TUMBLE_OK);
        check_facts(&found, &expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_cutting_keeps_the_order),
        TEST_IN_WORLD(test_grouping),
        TEST_IN_WORLD(test_corners_a_triangle),
        TEST_IN_WORLD(test_threads_group_alike),
        TEST_IN_WORLD(test_written),
        TEST_IN_WORLD(test_bytes),
        TEST_IN_WORLD(test_survey),
        TEST_IN_WORLD(test_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
