#include "editing.h"

#include <math.h>
#include <string.h>

#include "tree/block.h"

tumble_model_options test_rtree_options(tumble_rtree_load load)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = TUMBLE_HIERARCHY_RTREE;
    test_tune(options, rtree.load, load);
    return options;
}

typedef struct census {
    const tmb_edit *edit;
    uint32_t surface;
    size_t nodes, clusters, triangles;
} census;

static tmb_edit_bounds bound_cluster(const tmb_edit *e, uint32_t cluster)
{
    tmb_edit_triangle triangles[TMB_CLUSTER_TRIANGLES];
    const uint32_t count = tmb_edit_read_cluster(e, cluster, triangles);
    tmb_edit_bounds bounds = tmb_edit_empty_bounds;
    for (uint32_t i = 0; i < 3 * count; i++) {
        tmb_edit_bounds corner;
        memcpy(corner.lower, triangles[i / 3].corners[i % 3], sizeof corner.lower);
        memcpy(corner.upper, corner.lower, sizeof corner.upper);
        tmb_edit_widen_bounds(&bounds, &corner);
    }
    return bounds;
}

static void assert_bounds(const tmb_edit_bounds *known, const tmb_edit_bounds *expected)
{
    for (int k = 0; k < 3; k++) {
        assert_true(known->lower[k] == expected->lower[k] && known->upper[k] == expected->upper[k]);
    }
}

/* Those of the clusters below, from their corners. */
static tmb_edit_bounds check_bounds(const tmb_edit *e, int of_surfaces, uint32_t root, uint32_t height)
{
    if (height == 0) {
        if (of_surfaces) {
            return check_bounds(e, 0, e->surfaces[root].root, e->surfaces[root].height);
        }
        const tmb_edit_bounds bounds = bound_cluster(e, root);
        assert_bounds(&e->cluster_bounds[root], &bounds);
        return bounds;
    }
    tmb_edit_bounds bounds = tmb_edit_empty_bounds;
    for (uint32_t i = 0; i < tmb_edit_at(e, root)->count; i++) {
        const tmb_edit_bounds own = check_bounds(e, of_surfaces, tmb_rtree_child(tmb_edit_at(e, root), i), height - 1);
        tmb_edit_widen_bounds(&bounds, &own);
    }
    assert_bounds(&e->node_facts[root].bounds, &bounds);
    return bounds;
}

static void check_model_bounds(const tmb_edit *e)
{
    tmb_edit_bounds bounds = {{0}, {0}}, known;
    if (e->surface_count) {
        bounds = check_bounds(e, 1, e->header.rtree.root, e->header.rtree.height);
    }
    memcpy(known.lower, e->header.lower, sizeof known.lower);
    memcpy(known.upper, e->header.upper, sizeof known.upper);
    assert_bounds(&known, &bounds);
}

static tmb_rtree_box check_tree(census *c, uint32_t root, uint32_t height, uint32_t parent)
{
    tmb_edit *e = (tmb_edit *)c->edit;
    const int of_surfaces = c->surface == TMB_EDIT_NONE;
    if (height == 0) {
        assert_int_equal(of_surfaces ? e->surface_parents[root] : e->cluster_parents[root], parent);
        if (of_surfaces) {
            return tmb_edit_tree_box(e, root);
        }
        const uint32_t count = tmb_cluster_triangle_count(e->places + root);
        assert_true(count >= 1 && count <= e->cluster_most);
        c->clusters++;
        c->triangles += count;
        return tmb_edit_cluster_box(e, root);
    }
    const tmb_rtree_node *node = tmb_edit_at(e, root);
    const size_t before = c->triangles;
    tmb_rtree_box box = tmb_edit_empty_box;
    assert_int_equal(e->node_facts[root].parent, parent);
    assert_int_equal(node->level, height - 1);
    assert_true(node->count <= e->width && node->count >= (parent & TMB_EDIT_ROOT ? 2 : e->least));
    c->nodes++;
    for (uint32_t i = 0; i < node->count; i++) {
        const tmb_rtree_box own = check_tree(c, tmb_rtree_child(node, i), height - 1, root);
        for (int k = 0; k < 3; k++) {
            assert_true(node[i / 8].lower[k][i % 8] == own.lower[k] && node[i / 8].upper[k][i % 8] == own.upper[k]);
            assert_true(own.lower[k] <= own.upper[k] && fabsf(own.lower[k]) <= 1 && fabsf(own.upper[k]) <= 1);
        }
        tmb_rtree_widen(&box, &own);
    }
    assert_true(of_surfaces || e->node_facts[root].triangles == c->triangles - before);
    return box;
}

static void check_polygons(const tmb_edit *e)
{
    size_t triangles = 0, polygons = 0;
    for (uint32_t i = 0; i < e->polygon_limit; i++) {
        const uint32_t first = e->polygon_addresses[i];
        uint32_t at = first;
        polygons += first != TMB_EDIT_NONE;
        while (at != TMB_EDIT_NONE) {
            uint32_t polygon;
            memcpy(&polygon, e->polygons + 4 * (size_t)at, sizeof polygon);
            assert_int_equal(polygon, i);
            assert_true(at % 8 < tmb_cluster_triangle_count(e->places + at / 8));
            assert_int_equal(e->rings[e->rings[at].next].previous, at);
            const uint32_t surface = tmb_edit_surface_of(e, at / 8);
            assert_int_equal(e->surfaces[surface].id, e->polygon_surfaces[i]);
            triangles++;
            at = e->rings[at].next == first ? TMB_EDIT_NONE : e->rings[at].next;
        }
    }
    assert_int_equal(triangles, e->triangle_count);
    assert_int_equal(polygons, e->polygon_count);
}

void test_check_edit(const tumble_model *model)
{
    tmb_edit *e = model->edit;
    if (!e) {
        return;
    }
    census all = {.edit = e};
    for (uint32_t i = 0; i < e->surface_count; i++) {
        const size_t before = all.triangles;
        all.surface = i;
        check_tree(&all, e->surfaces[i].root, e->surfaces[i].height, TMB_EDIT_ROOT | i);
        assert_int_equal(all.triangles - before, e->surfaces[i].triangle_count);
        assert_int_equal(tmb_edit_find_surface(e, e->surfaces[i].id), i);
    }
    all.surface = TMB_EDIT_NONE;
    if (e->surface_count) {
        check_tree(&all, e->header.rtree.root, e->header.rtree.height, TMB_EDIT_NONE);
    }
    assert_int_equal(all.triangles, e->triangle_count);
    assert_int_equal(all.clusters + e->free_clusters, e->cluster_used);
    assert_int_equal(all.nodes + e->free_nodes, e->node_used);
    check_polygons(e);
    check_model_bounds(e);
}

test_cost test_query_cost(test_world *w, const tumble_model *model, const tumble_model *other)
{
    test_cost sum = {0};
    for (size_t i = 0; i < 24; i++) {
        tumble_pose pose = models_tumbling_pose(i, 24, 0.4 + 0.05 * (double)(i % 5));
        tumble_collide_result result;
        test_assert_status(w->context, tumble_collide(w->query, model, NULL, other, &pose, NULL, &result), TUMBLE_OK,
                           "");
        sum.boxes += (double)result.counters.box_tests;
        sum.primitives += (double)result.counters.primitive_tests;
    }
    return sum;
}
