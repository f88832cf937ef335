#include <stdlib.h>

#include "editing.h"
#include "tree/box_view.h"
#include "tree/edit/live.h"

typedef struct census {
    const tumble_model *model;
    tmb_box_view view;
    uint8_t *is_seen; /* triangles by their addresses */
    uint64_t triangles;
    uint32_t depth;
} census;

static void check_triangle(census *c, uint32_t address, const tmb_box_node *box)
{
    double corners[3][3];
    assert_true(address / TMB_CLUSTER_TRIANGLES < c->model->block->cluster_count && !c->is_seen[address]);
    c->is_seen[address] = 1;
    c->triangles++;
    tmb_model_corners(c->model, address, corners);
    for (int i = 0; i < 9; i++) {
        assert_true(corners[i / 3][i % 3] >= box->lower[i % 3] && corners[i / 3][i % 3] <= box->upper[i % 3]);
    }
}

/* Below a node whose box is in its parent's: the smallest box around a triangle is its leaf's. */
static void check_node(census *c, const tmb_box_node *node, const tmb_box_node *common, uint32_t depth)
{
    tmb_box_node children[TMB_BOX_CHILDREN], both = *node;
    for (int k = 0; k < 3; k++) { /* a child may be larger than its parent, by a rounding */
        both.lower[k] = node->lower[k] > common->lower[k] ? node->lower[k] : common->lower[k];
        both.upper[k] = node->upper[k] < common->upper[k] ? node->upper[k] : common->upper[k];
    }
    c->depth = depth > c->depth ? depth : c->depth;
    if (node->triangle_count) {
        uint32_t address = node->reference;
        for (uint32_t i = 0; i < node->triangle_count; i++, address = tmb_box_next_triangle(c->model, address)) {
            check_triangle(c, address, &both);
        }
        return;
    }
    const uint32_t count = tmb_box_view_children(&c->view, node, children);
    for (uint32_t i = 0; i < count; i++) {
        check_node(c, &children[i], &both, depth + 1);
    }
}

static void check_polygons(const tmb_live *live, const tumble_model *model)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < live->polygon_limit; i++) {
        const uint32_t section = live->polygon_sections[i];
        count += section != TMB_LIVE_NONE;
        assert_true(section == TMB_LIVE_NONE ||
                    (section < live->section_count && live->sections[section].triangle_count > 0));
    }
    assert_int_equal(count, live->polygon_count);
    for (uint32_t s = 0; s < live->section_count; s++) {
        const tmb_live_section *section = &live->sections[s];
        uint32_t triangles = 0;
        for (uint32_t i = section->cluster; i < section->cluster + section->cluster_room; i++) {
            const uint32_t in_cluster = tmb_cluster_triangle_count(live->places + i);
            assert_true(in_cluster == 0 || i < section->cluster + section->cluster_count);
            for (uint32_t t = 0; t < in_cluster; t++, triangles++) {
                assert_int_equal(live->polygon_sections[tmb_model_polygon(model, tmb_triangle_address(i, t))], s);
            }
        }
        assert_int_equal(triangles, section->triangle_count);
    }
}

void test_check_live(const tumble_model *model)
{
    census c = {.model = model, .view = tmb_box_view_of(model)};
    tmb_box_node root;
    c.is_seen = calloc((size_t)model->block->cluster_count + 1, TMB_CLUSTER_TRIANGLES);
    assert_non_null(c.is_seen);
    if (tmb_box_view_root(&c.view, &root)) {
        check_node(&c, &root, &root, 0);
    }
    assert_int_equal(c.triangles, model->block->triangle_count);
    if (model->live) {
        assert_true(c.depth <= model->block->depth);
        check_polygons(model->live, model);
    }
    free(c.is_seen);
}
