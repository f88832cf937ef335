#include "life.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_edited(const torture_recipe *recipe)
{
    return recipe->life == TORTURE_EDITED || recipe->life == TORTURE_EDITED_SAVED;
}

uint32_t torture_shape_polygon(const torture_recipe *recipe, uint32_t number)
{
    if (!is_edited(recipe) || number < recipe->split) {
        return number;
    }
    return number - recipe->split < recipe->guest_count ? UINT32_MAX : number - recipe->guest_count;
}

uint32_t torture_model_polygon(const torture_recipe *recipe, uint32_t polygon)
{
    return is_edited(recipe) && polygon >= recipe->split ? polygon + recipe->guest_count : polygon;
}

static torture_arrays *new_arrays(void)
{
    torture_arrays *arrays = malloc(sizeof *arrays);
    if (!arrays) {
        abort();
    }
    return arrays;
}

/* In place, where float holds all points. */
static void use_floats(tumble_mesh *mesh, torture_arrays *arrays)
{
    float *floats = (float *)(void *)arrays->points;
    for (size_t i = 0; i < 3 * mesh->point_count; i++) {
        const double x = mesh->points[i];
        if (!(x >= -3e38 && x <= 3e38) || (double)(float)x != x) {
            return;
        }
    }
    for (size_t i = 0; i < 3 * mesh->point_count; i++) { /* the float is never behind the double that is read */
        double x;
        memcpy(&x, (const char *)arrays->points + i * sizeof x, sizeof x);
        const float rounded = (float)x;
        memcpy(floats + i, &rounded, sizeof rounded);
    }
    mesh->points = NULL;
    mesh->points_float = floats;
}

static tumble_model_options options_of(const torture_recipe *recipe)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = recipe->hierarchy;
    options.tuning = recipe->tuned ? &recipe->tuning : NULL;
    return options;
}

static tumble_status create(tumble_context *context, const torture_shape *shape, size_t to,
                            const torture_recipe *recipe, tumble_model **out)
{
    torture_arrays *arrays = new_arrays();
    tumble_mesh mesh = torture_view(shape, 0, to, recipe->merged, arrays);
    if (recipe->as_float) {
        use_floats(&mesh, arrays);
    }
    const tumble_model_options options = options_of(recipe);
    const tumble_status status = tumble_model_create(context, &mesh, &options, out);
    free(arrays);
    return status;
}

/* ---- Blocks and files ---- */

static tumble_status pass_through_block(tumble_context *context, torture_model *m, int copy)
{
    size_t size;
    const void *block = tumble_model_block(m->model, &size);
    if (!block) {
        return TUMBLE_ERROR_MEMORY;
    }
    m->block = aligned_alloc(64, (size + 63) / 64 * 64);
    if (!m->block) {
        abort();
    }
    memcpy(m->block, block, size);
    tumble_model *other = NULL;
    const tumble_status status = tumble_model_from_block(context, m->block, size, copy, &other);
    if (status == TUMBLE_OK) {
        tumble_model_destroy(m->model);
        m->model = other;
    }
    if (copy) {
        memset(m->block, 0xa5, size);
        free(m->block);
        m->block = NULL;
    }
    return status;
}

static tumble_status pass_through_file(torture_world *world, tumble_context *context, torture_model *m)
{
    static unsigned counter;
    snprintf(m->file, sizeof m->file, "%s/%u.tumble", torture_folder(world), counter++);
    tumble_status status = tumble_model_save(m->model, m->file);
    tumble_model *other = NULL;
    if (status == TUMBLE_OK) {
        status = tumble_model_load(context, m->file, &other);
    }
    if (status == TUMBLE_OK) {
        tumble_model_destroy(m->model);
        m->model = other;
    }
    return status;
}

/* ---- Points that move ---- */

static tumble_status deform(tumble_context *context, const torture_shape *shape, const torture_recipe *recipe,
                            tumble_model **out)
{
    torture_shape *rest = malloc(sizeof *rest);
    torture_arrays *arrays[2] = {new_arrays(), new_arrays()};
    if (!rest) {
        abort();
    }
    *rest = *shape;
    for (size_t i = 0; i < rest->corner_count; i++) {
        torture_rest_point(recipe, i, rest->corners[i]);
    }
    const tumble_model_options options = options_of(recipe);
    const tumble_mesh there = torture_view(rest, 0, rest->polygon_count, 0, arrays[0]);
    const tumble_mesh here = torture_view(shape, 0, shape->polygon_count, 0, arrays[1]);
    tumble_model *first = NULL;
    tumble_status status = tumble_model_create(context, &there, &options, &first);
    if (status == TUMBLE_OK && recipe->life == TORTURE_REDEFORMED) {
        status = tumble_model_deform(first, &there, out);
    }
    if (status == TUMBLE_OK) {
        status = tumble_model_deform(first, &here, out);
    }
    tumble_model_destroy(first);
    free(arrays[0]);
    free(arrays[1]);
    free(rest);
    return status;
}

/* ---- Editing ---- */

static tumble_status add_guests(tumble_model *model, const torture_recipe *recipe)
{
    uint32_t first = 0, numbers[8];
    for (uint32_t i = 0; i < recipe->guest_count; i++) {
        double corners[3][3];
        const uint32_t indices[3] = {0, 1, 2}, surface = 100 + i;
        torture_guest(recipe, i, corners);
        tumble_mesh mesh = tumble_default_mesh();
        mesh.points = corners[0], mesh.point_count = 3, mesh.indices = indices, mesh.index_count = 3;
        mesh.surface_ids = &surface;
        const tumble_status status = tumble_model_insert(model, &mesh, &first);
        if (status != TUMBLE_OK) {
            return status;
        }
        numbers[i] = first;
    }
    return recipe->guest_count ? tumble_model_remove(model, numbers, recipe->guest_count) : TUMBLE_OK;
}

static tumble_status edit(tumble_context *context, const torture_shape *shape, const torture_recipe *recipe,
                          tumble_model **out)
{
    torture_arrays *arrays = new_arrays();
    const size_t split = recipe->split < shape->polygon_count ? recipe->split : shape->polygon_count;
    tumble_status status = create(context, shape, split, recipe, out);
    if (status == TUMBLE_OK) {
        status = add_guests(*out, recipe);
    }
    if (status == TUMBLE_OK && split < shape->polygon_count) {
        const tumble_mesh rest = torture_view(shape, split, shape->polygon_count, recipe->merged, arrays);
        status = tumble_model_insert(*out, &rest, NULL);
    }
    free(arrays);
    return status;
}

/* ---- All ---- */

static tumble_status live(torture_world *world, tumble_context *context, const torture_shape *shape,
                          const torture_recipe *recipe, torture_model *m)
{
    const int moves = recipe->life == TORTURE_DEFORMED || recipe->life == TORTURE_REDEFORMED;
    tumble_status status = is_edited(recipe) ? edit(context, shape, recipe, &m->model)
                           : moves           ? deform(context, shape, recipe, &m->model)
                                             : create(context, shape, shape->polygon_count, recipe, &m->model);
    if (status != TUMBLE_OK) {
        return status;
    }
    switch (recipe->life) {
    case TORTURE_COPIED: return pass_through_block(context, m, 1);
    case TORTURE_IN_PLACE: return pass_through_block(context, m, 0);
    case TORTURE_SAVED:
    case TORTURE_EDITED_SAVED: return pass_through_file(world, context, m);
    default: return TUMBLE_OK;
    }
}

tumble_status torture_make_model(torture_world *world, const torture_shape *shape, const torture_recipe *recipe,
                                 uint32_t level, torture_model *out, const char **what)
{
    memset(out, 0, sizeof *out);
    *what = torture_life_name(recipe->life);
    return live(world, world->contexts[level], shape, recipe, out);
}

void torture_free_model(torture_model *m)
{
    tumble_model_destroy(m->model);
    free(m->block);
    if (m->file[0]) {
        (void)unlink(m->file);
    }
    memset(m, 0, sizeof *m);
}
