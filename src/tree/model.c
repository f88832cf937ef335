/* Models: handles around a block. */
#include "tree/model.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/assert.h"
#include "tree/block.h"
#include "tree/edit/live.h"
#include "tree/radius.h"
#include "tree/rtree/edit.h"
#include "tree/topology.h"
#include "tree/tuning.h"

tumble_mesh tumble_default_mesh(void)
{
    return (tumble_mesh){.points = NULL};
}

tumble_model_options tumble_default_model_options(void)
{
    return (tumble_model_options){.hierarchy = TUMBLE_HIERARCHY_AUTO};
}

static const void *section(const tmb_block *block, tmb_section which)
{
    return block->offsets[which] ? (const char *)block + block->offsets[which] : NULL;
}

tumble_model *tmb_model_allocate(tumble_context *context)
{
    tumble_model *model = tmb_allocate(context, 1, sizeof *model);
    if (!model) {
        tmb_fail_memory(context, "a model");
        return NULL;
    }
    memset(model, 0, sizeof *model);
    model->context = context;
    return model;
}

tmb_local_frame tmb_local_frame_of(const double lower[3], const double upper[3])
{
    TMB_ASSERT(lower[0] <= upper[0] && lower[1] <= upper[1] && lower[2] <= upper[2]);
    tmb_local_frame frame = {.scale = 1};
    double reach = 0;
    for (int k = 0; k < 3; k++) {
        frame.centre[k] = 0.5 * lower[k] + 0.5 * upper[k];
        reach = fmax(reach, fmax(upper[k] - frame.centre[k], frame.centre[k] - lower[k]));
    }
    int exponent;
    if (reach > 0) {
        (void)frexp(reach, &exponent); /* reach <= 2^exponent */
        frame.scale = ldexp(1.0, exponent < -1000 ? 1000 : -exponent);
    }
    return frame;
}

void tmb_model_view(tumble_model *model, const tmb_block *block)
{
    model->block = block;
    model->is_float = (int)block->points_are_float;
    model->clusters = section(block, TMB_SECTION_CLUSTERS);
    model->places = section(block, TMB_SECTION_PLACES);
    model->polygons = section(block, TMB_SECTION_POLYGONS);
    model->polygon_bytes = tmb_packed_bytes(block->polygon_limit);
    model->surfaces = section(block, TMB_SECTION_SURFACES);
    model->nodes = section(block, TMB_SECTION_NODES);
    model->points = section(block, TMB_SECTION_POINTS);
    model->frame = tmb_local_frame_of(block->lower, block->upper);
    memcpy(model->corner, block->lower, sizeof model->corner);
    tmb_model_view_radii(model);
}

/* NULL if memory runs out; the message is then recorded. */
static tumble_model *make_model(tumble_context *context, const tmb_block *block)
{
    tumble_model *model = tmb_model_allocate(context);
    if (model) {
        tmb_model_view(model, block);
        tmb_tuning_of(block, &model->tuning);
    }
    return model;
}

uint64_t tmb_model_bytes(const tumble_model *model)
{
    const tmb_topology *topology = atomic_load(&model->topology);
    const tumble_model *thickened = atomic_load(&model->thickened);
    const uint64_t others = model->scratch.capacity + (topology ? topology->bytes : 0) + sizeof *model +
                            model->own_radii.capacity + (thickened ? tmb_model_bytes(thickened) : 0);
    if (model->live) {
        return tmb_live_bytes(model->live) + others;
    }
    if (model->edit) {
        return tmb_edit_bytes(model->edit) + others;
    }
    return (model->capacity ? model->capacity : model->block->total_bytes) + others;
}

tumble_status tmb_model_adopt(tumble_context *context, tmb_block *block, tumble_model **out)
{
    TMB_ASSERT(block->total_bytes % TMB_CACHE_LINE == 0);
    TMB_ASSERT(memcmp(block->magic, TMB_BLOCK_MAGIC, sizeof block->magic) == 0);
    block->checksum = tmb_block_checksum(block);
    tumble_model *model = make_model(context, block);
    if (!model) {
        return TUMBLE_ERROR_MEMORY;
    }
    model->owned = block;
    *out = model;
    return TUMBLE_OK;
}

void tmb_model_release_block(tumble_model *model)
{
    if (model->unmap) {
        model->unmap((void *)model->block, model->mapped_bytes);
    }
    tmb_release(model->context, model->owned);
    tmb_buffer_release(model->context, &model->scratch);
    model->unmap = NULL;
    model->owned = NULL;
    model->capacity = model->mapped_bytes = 0;
    tmb_live_destroy(model->live);
    model->live = NULL;
}

const tumble_model *tmb_model_flat_polygons(const tumble_model *model)
{
    return model->live ? tmb_live_flat(model) : model->edit ? tmb_edit_flat(model) : model;
}

const tumble_model *tmb_model_flat(const tumble_model *model)
{
    return tmb_model_thickened(model, tmb_model_flat_polygons(model));
}

uint64_t tmb_edit_mark(tumble_context *context)
{
    const uint64_t count = atomic_fetch_add(&context->edit_count, 1) + 1;
    return ((uint64_t)(uintptr_t)context ^ count << 48 ^ count) * 0x9e3779b97f4a7c15u | 1;
}

void tmb_model_begin_use(const tumble_model *model)
{
    atomic_fetch_add(&((tumble_model *)model)->use_count, 1);
}

void tmb_model_end_use(const tumble_model *model)
{
    TMB_ASSERT(model->use_count > 0);
    atomic_fetch_sub(&((tumble_model *)model)->use_count, 1);
}

void tmb_model_note_change(const tumble_model *model)
{
    if (atomic_load(&model->use_count) > 0) {
        atomic_fetch_add(&model->context->change_count, 1);
    }
}

void tmb_model_replace(tumble_model *model, tmb_block *block)
{
    tmb_model_release_block(model);
    tmb_topology_forget(model);
    block->checksum = tmb_block_checksum(block);
    model->owned = block;
    tmb_model_view(model, block);
}

tumble_status tmb_model_from_mapping(tumble_context *context, void *mapping, size_t size,
                                     void (*unmap)(void *mapping, size_t size), tumble_model **out)
{
    const tumble_status status = tmb_block_check(context, mapping, size);
    if (status != TUMBLE_OK) {
        return status;
    }
    tumble_model *model = make_model(context, mapping);
    if (!model) {
        return TUMBLE_ERROR_MEMORY;
    }
    model->unmap = unmap;
    model->mapped_bytes = size;
    *out = model;
    return TUMBLE_OK;
}

static tumble_status copy_block(tumble_context *context, const void *block, size_t size, tumble_model **out)
{
    void *copy = tmb_allocate(context, size, 1);
    if (!copy) {
        return tmb_fail_memory(context, "the copy of a model");
    }
    memcpy(copy, block, size);
    tumble_status status = tmb_block_check(context, copy, size);
    tumble_model *model = status == TUMBLE_OK ? make_model(context, copy) : NULL;
    if (!model) {
        tmb_release(context, copy);
        return status == TUMBLE_OK ? TUMBLE_ERROR_MEMORY : status;
    }
    model->owned = copy;
    *out = model;
    return TUMBLE_OK;
}

tumble_status tumble_model_from_block(tumble_context *context, const void *block, size_t size, bool copy,
                                      tumble_model **out)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!block || !out) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "the block or the result is null");
    }
    *out = NULL;
    if (copy) {
        return copy_block(context, block, size, out);
    }
    if ((uintptr_t)block % TMB_CACHE_LINE != 0) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "a block that is used in place must be aligned to 64 bytes");
    }
    return tmb_model_from_mapping(context, (void *)block, size, NULL, out);
}

tumble_status tumble_model_destroy(tumble_model *model)
{
    if (!model) {
        return TUMBLE_OK;
    }
    const uint32_t uses = atomic_load(&model->use_count);
    if (uses > 0) {
        return tmb_fail(model->context, TUMBLE_ERROR_BUSY,
                        "the model is not destroyed: %u scene%s of it; remove these first", uses,
                        uses == 1 ? " has objects" : "s have objects");
    }
    tmb_model_release_block(model);
    tmb_edit_destroy(model->edit);
    tmb_topology_forget(model);
    tmb_model_forget_thickened(model);
    tmb_buffer_release(model->context, &model->own_radii);
    tmb_release(model->context, model);
    return TUMBLE_OK;
}

tumble_hierarchy tumble_model_hierarchy(const tumble_model *model)
{
    return model ? (tumble_hierarchy)model->block->hierarchy : TUMBLE_HIERARCHY_AUTO;
}

const void *tumble_model_block(const tumble_model *model, size_t *size)
{
    const tumble_model *flat = model ? tmb_model_flat(model) : NULL;
    if (size) {
        *size = flat ? (size_t)flat->block->total_bytes : 0;
    }
    return flat ? flat->block : NULL;
}

tumble_status tumble_model_surface(const tumble_model *model, uint32_t polygon, uint32_t *out)
{
    if (!model) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!out) {
        return tmb_fail(model->context, TUMBLE_ERROR_ARGUMENT, "surface of a polygon: the result is null");
    }
    if (polygon >= model->block->polygon_limit) {
        return tmb_fail(model->context, TUMBLE_ERROR_INDEX, "surface of polygon %u: the model has %llu polygons",
                        polygon, (unsigned long long)model->block->polygon_limit);
    }
    *out = tmb_model_surface(model, polygon);
    return TUMBLE_OK;
}

/* No cluster before number `triangle / 8` can hold it, and likewise from each cluster reached: never overshoots, and
 * advances in proportion to how full clusters are. */
static uint32_t find_address(const tumble_model *model, uint32_t triangle)
{
    TMB_ASSERT(triangle < model->block->triangle_count);
    const tmb_cluster_place *places = model->places;
    uint32_t cluster = 0, left = triangle;
    while (left >= TMB_CLUSTER_TRIANGLES) {
        cluster += left / TMB_CLUSTER_TRIANGLES;
        left = triangle - tmb_cluster_first_triangle(places + cluster);
    }
    while (left >= tmb_cluster_triangle_count(places + cluster)) {
        left -= tmb_cluster_triangle_count(places + cluster++);
    }
    return tmb_triangle_address(cluster, left);
}

tumble_status tumble_model_triangle(const tumble_model *model, uint32_t triangle, double corners[3][3],
                                    uint32_t *polygon)
{
    if (!model) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (triangle >= model->block->triangle_count) {
        return tmb_fail(model->context, TUMBLE_ERROR_INDEX, "triangle %u: the model has %llu triangles", triangle,
                        (unsigned long long)model->block->triangle_count);
    }
    const tumble_model *flat = tmb_model_flat(model);
    if (!flat) {
        return TUMBLE_ERROR_MEMORY;
    }
    const uint32_t address = find_address(flat, triangle);
    if (corners) {
        tmb_model_corners(flat, address, corners);
    }
    if (polygon) {
        *polygon = tmb_model_polygon(flat, address);
    }
    return TUMBLE_OK;
}
