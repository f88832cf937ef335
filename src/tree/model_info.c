/* Information about a model: counts, closedness, memory. */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "math/predicates.h"
#include "tree/block.h"
#include "tree/hierarchy.h"
#include "tree/key_set.h"
#include "tree/topology.h"

/* ---- Closedness ---- */

/* If the mesh is no longer known, its distinct points count. */
static tumble_status find_closed(const tumble_model *model, tumble_model_info *info)
{
    tmb_arena arena = {.context = model->context};
    tmb_edge_facts facts;
    uint32_t *points;
    const int ok = tmb_survey_edges(model, &arena, &facts, &points);
    if (ok) {
        info->closed = facts.all_paired;
        info->point_count = model->block->edited ? facts.point_count : info->point_count;
    }
    tmb_arena_release(&arena);
    return ok ? TUMBLE_OK : tmb_fail_memory(model->context, "telling whether the model is closed");
}

/* ---- Degenerate triangles and surfaces ---- */

static int is_degenerate(double corners[3][3])
{
    for (int drop = 0; drop < 3; drop++) {
        double flat[3][2];
        for (int i = 0; i < 3; i++) {
            flat[i][0] = corners[i][(drop + 1) % 3];
            flat[i][1] = corners[i][(drop + 2) % 3];
        }
        if (tmb_orient2d(flat[0], flat[1], flat[2]) != 0) {
            return 0;
        }
    }
    return 1;
}

static uint64_t count_degenerate(const tumble_model *model)
{
    uint64_t count = 0;
    for (uint32_t cluster = 0; cluster < model->block->cluster_count; cluster++) {
        for (uint32_t t = 0; t < tmb_cluster_triangle_count(model->places + cluster); t++) {
            double corners[3][3];
            tmb_model_corners(model, tmb_triangle_address(cluster, t), corners);
            count += (uint64_t)is_degenerate(corners);
        }
    }
    return count;
}

/* The set holds a polygon of each surface. */
static void add_surface(const tumble_model *model, tmb_key_set *set, uint32_t polygon, uint64_t *count)
{
    const uint32_t id = model->surfaces[polygon];
    size_t at = tmb_key_mix(id, 0, 0) & set->mask;
    while (set->slots[at] && model->surfaces[set->slots[at] - 1] != id) {
        at = (at + 1) & set->mask;
    }
    if (!set->slots[at]) {
        set->slots[at] = polygon + 1;
        ++*count;
    }
}

/* Polygons that were removed have surfaces too, so it is the triangles that count. */
static tumble_status count_surfaces(const tumble_model *model, uint64_t *count)
{
    *count = model->block->polygon_count > 0;
    if (!model->surfaces) {
        return TUMBLE_OK;
    }
    tmb_key_set set;
    tmb_arena arena = {.context = model->context};
    if (!tmb_key_set_create(&arena, &set, (size_t)model->block->polygon_count)) {
        return tmb_fail_memory(model->context, "counting the surfaces");
    }
    *count = 0;
    for (uint32_t cluster = 0; cluster < model->block->cluster_count; cluster++) {
        for (uint32_t t = 0; t < tmb_cluster_triangle_count(model->places + cluster); t++) {
            add_surface(model, &set, tmb_model_polygon(model, tmb_triangle_address(cluster, t)), count);
        }
    }
    tmb_arena_release(&arena);
    return TUMBLE_OK;
}

/* ---- All together ---- */

tumble_status tumble_model_get_info(const tumble_model *model, tumble_model_info *info)
{
    if (!model) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!info) {
        return tmb_fail(model->context, TUMBLE_ERROR_ARGUMENT, "model info: the result is null");
    }
    const tumble_model *flat = tmb_model_flat(model);
    if (!flat) {
        return TUMBLE_ERROR_MEMORY;
    }
    const tmb_block *block = flat->block;
    tumble_model_info made = {.polygon_count = block->polygon_count,
                              .triangle_count = block->triangle_count,
                              .point_count = block->point_count,
                              .points_are_float = block->points_are_float != 0,
                              .deformable = flat->points != NULL,
                              .radius = model->radius,
                              .has_radii = model->radii != NULL,
                              .has_flat_ends = model->has_flat_ends != 0,
                              .hierarchy = (tumble_hierarchy)block->hierarchy,
                              .node_count = block->node_count,
                              .depth = (uint32_t)block->depth,
                              .hierarchy_bytes = tmb_block_node_bytes(block),
                              .total_bytes = tmb_model_bytes(model),
                              .build_seconds = model->build_seconds};
    memcpy(made.lower, block->lower, sizeof made.lower);
    memcpy(made.upper, block->upper, sizeof made.upper);
    tumble_status status = count_surfaces(flat, &made.surface_count);
    if (status == TUMBLE_OK) {
        status = find_closed(flat, &made);
    }
    if (status == TUMBLE_OK) {
        made.degenerate_count = count_degenerate(flat);
        *info = made;
    }
    return status;
}
