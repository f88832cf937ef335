/* Assemblies: parts with names and places. */
#include "assembly/assembly.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "math/pose.h"
#include "math/vec3.h"
#include "tree/model.h"

tumble_status tumble_assembly_create(tumble_context *context, tumble_assembly **out)
{
    if (out) {
        *out = NULL;
    }
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!out) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "out is null");
    }
    tumble_assembly *assembly = tmb_allocate(context, 1, sizeof *assembly);
    if (!assembly) {
        return tmb_fail_memory(context, "an assembly");
    }
    *assembly = (tumble_assembly){.context = context};
    *out = assembly;
    return TUMBLE_OK;
}

tumble_status tumble_assembly_destroy(tumble_assembly *assembly)
{
    if (!assembly) {
        return TUMBLE_OK;
    }
    tumble_model **models = assembly->models.data;
    for (size_t i = 0; i < assembly->model_count; i++) {
        if (atomic_load(&models[i]->use_count) > 0) {
            return tumble_model_destroy(models[i]); /* which says who uses it */
        }
    }
    for (size_t i = 0; i < assembly->model_count; i++) {
        (void)tumble_model_destroy(models[i]);
    }
    tumble_context *context = assembly->context;
    tmb_texts_release(context, &assembly->texts);
    tmb_buffer *buffers[] = {&assembly->parts,   &assembly->ordinals,     &assembly->keys.slots,
                             &assembly->models,  &assembly->geometries,   &assembly->by_geometry.slots,
                             &assembly->ignored, &assembly->by_pair.slots};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        tmb_buffer_release(context, buffers[i]);
    }
    tmb_release(context, assembly);
    return TUMBLE_OK;
}

const tumble_assembly_part *tumble_assembly_parts(const tumble_assembly *assembly, size_t *count)
{
    if (count) {
        *count = assembly ? assembly->part_count : 0;
    }
    return assembly && assembly->part_count ? assembly->parts.data : NULL;
}

const tumble_model *const *tumble_assembly_models(const tumble_assembly *assembly, size_t *count)
{
    if (count) {
        *count = assembly ? assembly->model_count : 0;
    }
    return assembly && assembly->model_count ? assembly->models.data : NULL;
}

tumble_status tumble_assembly_set_frame(tumble_assembly *assembly, double metres, int up)
{
    if (!assembly) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!(metres >= 0) || !isfinite(metres) || up < -3 || up > 3) {
        return tmb_fail(assembly->context, TUMBLE_ERROR_ARGUMENT,
                        "metres is %g and up is %d: they must be a length, or 0, and a number from -3 to 3", metres,
                        up);
    }
    assembly->metres = metres;
    assembly->up = up;
    return TUMBLE_OK;
}

void tumble_assembly_frame(const tumble_assembly *assembly, double *metres, int *up)
{
    if (metres) {
        *metres = assembly ? assembly->metres : 0;
    }
    if (up) {
        *up = assembly ? assembly->up : 0;
    }
}

/* ---- adding a part ---- */

/* The parts of a file follow each other. */
static const char *keep_file(tumble_assembly *assembly, const char *file)
{
    if (!assembly->file || strcmp(assembly->file, file ? file : "") != 0) {
        assembly->file = tmb_texts_keep(assembly->context, &assembly->texts, file);
    }
    return assembly->file;
}

static tumble_status keep_texts(tumble_assembly *assembly, const tumble_assembly_item *item, const char *broken,
                                tumble_assembly_part *part)
{
    const struct {
        const char **to, *from;
    } texts[] = {{&part->name, item->name},         {&part->path, item->path ? item->path : item->name},
                 {&part->guid, item->guid},         {&part->class_name, item->class_name},
                 {&part->material, item->material}, {&part->broken, broken}};
    part->file = keep_file(assembly, item->file);
    int is_kept = part->file != NULL;
    for (size_t i = 0; i < sizeof texts / sizeof *texts && is_kept; i++) {
        *texts[i].to = tmb_texts_keep(assembly->context, &assembly->texts, texts[i].from);
        is_kept = *texts[i].to != NULL;
    }
    return is_kept ? TUMBLE_OK : tmb_fail_memory(assembly->context, "the names of parts");
}

static tumble_status place(tumble_assembly *assembly, const tumble_assembly_item *item, tumble_assembly_part *part)
{
    if (item->model >= assembly->model_count) {
        return tmb_fail(assembly->context, TUMBLE_ERROR_INDEX, "the part '%.200s' has model %u of %zu",
                        item->name ? item->name : "", (unsigned)item->model, assembly->model_count);
    }
    part->model = item->model;
    if (!item->transform) {
        return TUMBLE_OK;
    }
    memcpy(part->pose.m, item->transform, sizeof part->pose.m);
    if (tmb_pose_is_plainly_good(&part->pose)) {
        return TUMBLE_OK;
    }
    part->pose = tumble_pose_identity();
    for (int i = 0; i < 3; i++) {
        part->pose.m[i][3] = item->transform[4 * i + 3];
    }
    part->is_baked = true;
    return tmb_assembly_bake(assembly, item->model, item->transform, &part->model);
}

tumble_status tumble_assembly_add(tumble_assembly *assembly, const tumble_assembly_item *item)
{
    if (!assembly) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    tumble_context *context = assembly->context;
    const size_t count = assembly->part_count;
    if (!item) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "item is null");
    }
    if (count >= UINT32_MAX - 1) {
        return tmb_fail(context, TUMBLE_ERROR_TOO_LARGE, "an assembly holds less than 2^32 - 1 parts");
    }
    if (!tmb_buffer_reserve(context, &assembly->parts, count + 1, sizeof(tumble_assembly_part),
                            count * sizeof(tumble_assembly_part))) {
        return tmb_fail_memory(context, "the parts of an assembly");
    }
    tumble_assembly_part part = {.model = UINT32_MAX, .host = UINT32_MAX, .pose = tumble_pose_identity()};
    const char *broken = item->broken;
    if (!(broken && *broken) && item->transform && !tmb_all_finite(item->transform, 12)) {
        broken = "its place is not finite";
    }
    tumble_status status = keep_texts(assembly, item, broken, &part);
    if (status == TUMBLE_OK && !*part.broken) {
        status = place(assembly, item, &part);
    }
    if (status == TUMBLE_OK) {
        status = tmb_assembly_give_key(assembly, &part);
    }
    if (status == TUMBLE_OK) {
        ((tumble_assembly_part *)assembly->parts.data)[assembly->part_count++] = part;
    }
    return status;
}
