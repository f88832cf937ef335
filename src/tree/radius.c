/* Models with a radius: where radii are kept, and the block that has them. */
#include "tree/radius.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/assert.h"
#include "math/vec3.h"
#include "tree/block.h"

/* ---- The block ---- */

static const tmb_radius_tail *tail_of(const tmb_block *block)
{
    TMB_ASSERT(block->version == TMB_BLOCK_VERSION_THICK);
    return (const tmb_radius_tail *)(const void *)((const char *)block + block->total_bytes - sizeof(tmb_radius_tail));
}

static uint64_t bytes_of(uint64_t count)
{
    return (count * sizeof(double) + TMB_CACHE_LINE - 1) / TMB_CACHE_LINE * TMB_CACHE_LINE + sizeof(tmb_radius_tail);
}

uint64_t tmb_block_radius_bytes(const tmb_block *block)
{
    if (block->version != TMB_BLOCK_VERSION_THICK || block->total_bytes < sizeof *block + sizeof(tmb_radius_tail)) {
        return 0;
    }
    const uint64_t count = tail_of(block)->count;
    const int is_good = (count == 0 || count == block->polygon_limit) && count <= UINT32_MAX &&
                        bytes_of(count) <= block->total_bytes - sizeof *block;
    return is_good ? bytes_of(count) : 0;
}

static const double *radii_of(const tmb_block *block)
{
    return (const double *)(const void *)((const char *)block + block->total_bytes - bytes_of(tail_of(block)->count));
}

int tmb_block_has_good_radii(const tmb_block *block)
{
    const tmb_radius_tail *tail = tail_of(block);
    const double *radii = radii_of(block);
    const uint64_t words = (bytes_of(tail->count) - sizeof *tail) / sizeof *radii;
    double most = tail->count ? 0 : tail->radius;
    int good = isfinite(tail->radius) && (tail->radius > 0 || (tail->radius == 0 && tail->has_flat_ends)) &&
               tail->has_flat_ends <= 1;
    for (uint64_t i = 0; i < words; i++) {
        const double radius = radii[i];
        good &= i < tail->count ? radius >= 0 && radius <= tail->radius : radius == 0;
        most = radius > most ? radius : most;
    }
    for (size_t i = 0; i < sizeof tail->unused / sizeof *tail->unused; i++) {
        good &= tail->unused[i] == 0;
    }
    return good && most == tail->radius;
}

void tmb_model_view_radii(tumble_model *model)
{
    const tmb_block *block = model->block;
    model->has_own_radius = model->has_flat_ends = 0;
    model->radius = 0;
    model->radii = NULL;
    if (block->version == TMB_BLOCK_VERSION_THICK) {
        model->radius = tail_of(block)->radius;
        model->radii = tail_of(block)->count ? radii_of(block) : NULL;
        model->has_flat_ends = tail_of(block)->has_flat_ends != 0;
    }
}

/* Whether at least so many of the three pairs of corners of each triangle are equal. */
static int have_equal_corners(const tumble_model *model, int least)
{
    for (uint32_t cluster = 0; cluster < model->block->cluster_count; cluster++) {
        for (uint32_t t = 0; t < tmb_cluster_triangle_count(model->places + cluster); t++) {
            double corners[3][3];
            int equal = 0;
            tmb_model_corners(model, tmb_triangle_address(cluster, t), corners);
            for (int i = 0; i < 3; i++) {
                equal += tmb_compare_numbers(corners[i], corners[(i + 1) % 3], 3) == 0;
            }
            if (equal < least) {
                return 0;
            }
        }
    }
    return 1;
}

int tmb_model_has_segments_only(const tumble_model *model)
{
    return have_equal_corners(model, 1);
}

int tmb_model_has_points_only(const tumble_model *model)
{
    return have_equal_corners(model, 3);
}

int tmb_block_has_good_ends(const tmb_block *block)
{
    tumble_model model = {0};
    tmb_model_view(&model, block);
    return !model.has_flat_ends || tmb_model_has_segments_only(&model);
}

/* ---- The handle ---- */

tumble_status tmb_check_radius(tumble_context *context, double radius, size_t number)
{
    if (isfinite(radius) && radius >= 0) {
        return TUMBLE_OK;
    }
    const tumble_status status = isfinite(radius) ? TUMBLE_ERROR_ARGUMENT : TUMBLE_ERROR_NOT_FINITE;
    return number == SIZE_MAX
               ? tmb_fail(context, status, "the radius is %g; give 0 or more", radius)
               : tmb_fail(context, status, "polygon %zu: its radius is %g; give 0 or more", number, radius);
}

tumble_status tmb_check_radii(tumble_context *context, const double *radii, size_t count)
{
    tumble_status status = TUMBLE_OK;
    for (size_t i = 0; i < count && status == TUMBLE_OK; i++) {
        status = tmb_check_radius(context, radii[i], i);
    }
    return status;
}

/* Whether the radii are in the model's own memory. */
static int are_own(const tumble_model *model)
{
    return model->radii && model->radii == model->own_radii.data;
}

int tmb_model_reserve_radii(tumble_model *model, size_t count)
{
    const int own = are_own(model);
    const size_t used = own ? (size_t)model->block->polygon_limit : 0;
    const int has_room =
        tmb_buffer_reserve(model->context, &model->own_radii, count, sizeof(double), used * sizeof(double));
    model->radii = own ? model->own_radii.data : model->radii;
    return has_room;
}

int tmb_model_own_radii(tumble_model *model, size_t more)
{
    const size_t count = (size_t)model->block->polygon_limit;
    if (!tmb_model_reserve_radii(model, count + more)) {
        return 0;
    }
    double *own = model->own_radii.data;
    for (uint32_t i = 0; i < count && own != model->radii; i++) {
        own[i] = tmb_model_radius(model, i);
    }
    return 1;
}

static void note(tumble_model *model)
{
    model->has_own_radius = 1;
    model->radius_changes++;
    tmb_model_forget_thickened(model);
}

void tmb_model_take_radius(tumble_model *model, double radius)
{
    model->radius = radius;
    model->radii = NULL;
    note(model);
}

/* All zero, they are none. */
void tmb_model_take_radii(tumble_model *model, const double *radii, size_t count)
{
    double *own = model->own_radii.data, most = 0;
    TMB_ASSERT(model->own_radii.capacity >= count * sizeof *own);
    for (size_t i = 0; i < count; i++) {
        own[i] = radii[i];
        most = radii[i] > most ? radii[i] : most;
    }
    model->radius = most;
    model->radii = most > 0 ? own : NULL;
    note(model);
}

tumble_status tmb_model_begin_radii(tumble_model *model, const tumble_mesh *mesh, double radius)
{
    const size_t count = (size_t)model->block->polygon_limit;
    if (!mesh->radii || count == 0) {
        if (radius > 0 || model->has_flat_ends) {
            tmb_model_take_radius(model, radius);
        }
        return TUMBLE_OK;
    }
    if (!tmb_model_reserve_radii(model, count)) {
        return tmb_fail_memory(model->context, "the radii of a model");
    }
    double *own = model->own_radii.data;
    for (size_t i = 0; i < count; i++) {
        own[i] = mesh->radii[i] + radius;
        if (!isfinite(own[i])) {
            return tmb_check_radius(model->context, own[i], i);
        }
    }
    tmb_model_take_radii(model, own, count);
    return TUMBLE_OK;
}

void tmb_model_copy_radii(tumble_model *model, const tumble_model *from)
{
    model->has_flat_ends = from->has_flat_ends;
    if (from->radii) {
        tmb_model_take_radii(model, from->radii, (size_t)from->block->polygon_limit);
    } else if (from->radius > 0 || from->has_flat_ends || model->has_own_radius) {
        tmb_model_take_radius(model, from->radius);
    }
}

tumble_status tumble_model_set_radius(tumble_model *model, double radius)
{
    if (!model) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    const tumble_status status = tmb_check_radius(model->context, radius, SIZE_MAX);
    if (status == TUMBLE_OK) {
        tmb_model_take_radius(model, radius + 0.0);
        tmb_model_note_change(model);
    }
    return status;
}

tumble_status tumble_model_radius(const tumble_model *model, uint32_t polygon, double *out)
{
    if (!model) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!out) {
        return tmb_fail(model->context, TUMBLE_ERROR_ARGUMENT, "radius of a polygon: the result is null");
    }
    if (polygon >= model->block->polygon_limit) {
        return tmb_fail(model->context, TUMBLE_ERROR_INDEX, "radius of polygon %u: the model has %llu polygons",
                        polygon, (unsigned long long)model->block->polygon_limit);
    }
    *out = tmb_model_radius(model, polygon);
    return TUMBLE_OK;
}

/* ---- From the handle to the block ---- */

static void write_tail(tmb_block *block, uint64_t plain_bytes, const tumble_model *model)
{
    const size_t count = model->radii ? (size_t)block->polygon_limit : 0;
    char *end = (char *)block + plain_bytes;
    const tmb_radius_tail tail = {
        .radius = model->radius, .count = count, .has_flat_ends = (uint64_t)model->has_flat_ends};
    block->version = TMB_BLOCK_VERSION_THICK;
    block->total_bytes = plain_bytes + bytes_of(count);
    memset(end, 0, (size_t)bytes_of(count));
    if (count) {
        memcpy(end, model->radii, count * sizeof *model->radii);
    }
    memcpy((char *)block + block->total_bytes - sizeof tail, &tail, sizeof tail);
}

/* NULL if memory runs out. */
static tmb_block *thicken(const tumble_model *model, const tmb_block *block)
{
    const uint64_t plain_bytes = block->total_bytes - tmb_block_radius_bytes(block);
    const int is_thick = model->radius > 0 || model->has_flat_ends;
    const uint64_t more = is_thick ? bytes_of(model->radii ? block->polygon_limit : 0) : 0;
    tmb_block *out = tmb_allocate(model->context, (size_t)(plain_bytes + more), 1);
    if (!out) {
        return NULL;
    }
    memcpy(out, block, (size_t)plain_bytes);
    out->version = TMB_BLOCK_VERSION;
    out->total_bytes = plain_bytes;
    if (more) {
        write_tail(out, plain_bytes, model);
    }
    return out;
}

static const tumble_model *make_thickened(tumble_model *model, const tumble_model *flat)
{
    tumble_model *made = NULL, *other = NULL;
    tmb_block *block = thicken(model, flat->block);
    if (!block || tmb_model_adopt(model->context, block, &made) != TUMBLE_OK) {
        tmb_release(model->context, block);
        (void)tmb_fail_memory(model->context, "the block of a model with a radius");
        return NULL;
    }
    made->tuning = flat->tuning;
    if (!atomic_compare_exchange_strong(&model->thickened, &other, made)) { /* another thread was faster */
        tumble_model_destroy(made);
        return other;
    }
    return made;
}

const tumble_model *tmb_model_thickened(const tumble_model *model, const tumble_model *flat)
{
    if (!model->has_own_radius || !flat) {
        return flat;
    }
    const tumble_model *made = atomic_load(&model->thickened);
    return made ? made : make_thickened((tumble_model *)model, flat);
}

void tmb_model_forget_thickened(tumble_model *model)
{
    tumble_model_destroy(atomic_exchange(&model->thickened, NULL));
}
