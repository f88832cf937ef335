/* Inserting and removing polygons: on to the R-trees' own way, or to that of all others. */
#include "tree/edit/edition.h"
#include "tree/hierarchy.h"
#include "tree/mesh_validate.h"
#include "tree/radius.h"

static const tmb_hierarchy_edit others = {tmb_edition_insert, tmb_edition_remove, tmb_edition_remove_surface};

static const tmb_hierarchy_edit *editor_of(const tumble_model *model)
{
    const tmb_hierarchy_edit *own = tmb_hierarchy_of(model->block)->edit;
    return own ? own : &others;
}

/* What an edit has come to; scenes that use the model will notice. */
static tumble_status edited(const tumble_model *model, tumble_status status)
{
    if (status == TUMBLE_OK) {
        tmb_model_note_change(model);
    }
    return status;
}

/* ---- Models with a radius ----
 *
 * An edit makes another block, which has no radii: they move to the handle before, and are given back after. */

typedef struct kept_radius {
    double radius;
    int has_radii, is_thick, has_flat_ends;
    size_t limit; /* numbers of polygons before the edit */
} kept_radius;

/* Radii of its own if it has some, or gets some. */
static tumble_status keep_radius(tumble_model *model, const double *radii, size_t more, kept_radius *kept)
{
    *kept = (kept_radius){.radius = model->radius,
                          .has_radii = model->radii || radii,
                          .is_thick = model->radius > 0 || model->has_flat_ends || model->has_own_radius || radii,
                          .has_flat_ends = model->has_flat_ends,
                          .limit = (size_t)model->block->polygon_limit};
    return !kept->has_radii || tmb_model_own_radii(model, more)
               ? TUMBLE_OK
               : tmb_fail_memory(model->context, "the radii of a model");
}

/* `radii` are those of what was inserted; NULL: 0, if all have their own. */
static void give_back(tumble_model *model, const kept_radius *kept, const double *radii)
{
    if (!kept->is_thick) {
        return;
    }
    model->has_flat_ends = kept->has_flat_ends;
    if (!kept->has_radii) {
        tmb_model_take_radius(model, kept->radius);
        return;
    }
    const size_t limit = (size_t)model->block->polygon_limit;
    double *own = model->own_radii.data;
    for (size_t i = kept->limit; i < limit; i++) {
        own[i] = radii ? radii[i - kept->limit] : 0;
    }
    tmb_model_take_radii(model, own, limit);
}

/* How many polygons come, if some radii do; else it does not matter. */
static tumble_status count_polygons(const tumble_model *model, const tumble_mesh *mesh, size_t *count)
{
    *count = 0;
    return mesh->radii || model->radii ? tmb_mesh_validate(model->context, mesh, count) : TUMBLE_OK;
}

static tumble_status insert(tumble_model *model, const tumble_mesh *mesh, uint32_t *first_polygon)
{
    size_t count;
    kept_radius kept;
    if (model->has_flat_ends) {
        return tmb_fail(model->context, TUMBLE_ERROR_UNSUPPORTED,
                        "polygons cannot be inserted into a model of cylinders: make it anew");
    }
    tumble_status status = count_polygons(model, mesh, &count);
    if (status == TUMBLE_OK && mesh->radii) {
        status = tmb_check_radii(model->context, mesh->radii, count);
    }
    if (status == TUMBLE_OK) {
        status = keep_radius(model, count ? mesh->radii : NULL, count, &kept);
    }
    if (status == TUMBLE_OK) {
        status = editor_of(model)->insert(model, mesh, first_polygon);
        give_back(model, &kept, mesh->radii);
    }
    return status;
}

static tumble_status remove_polygons(tumble_model *model, const uint32_t *polygons, size_t count)
{
    kept_radius kept;
    tumble_status status = keep_radius(model, NULL, 0, &kept);
    if (status == TUMBLE_OK) {
        status = editor_of(model)->remove(model, polygons, count);
        give_back(model, &kept, NULL);
    }
    return status;
}

static tumble_status remove_surface(tumble_model *model, uint32_t surface)
{
    kept_radius kept;
    tumble_status status = keep_radius(model, NULL, 0, &kept);
    if (status == TUMBLE_OK) {
        status = editor_of(model)->remove_surface(model, surface);
        give_back(model, &kept, NULL);
    }
    return status;
}

/* ---- The entrance ---- */

tumble_status tumble_model_insert(tumble_model *model, const tumble_mesh *mesh, uint32_t *first_polygon)
{
    if (!model) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    return mesh ? edited(model, insert(model, mesh, first_polygon))
                : tmb_fail(model->context, TUMBLE_ERROR_ARGUMENT, "the mesh is null");
}

tumble_status tumble_model_remove(tumble_model *model, const uint32_t *polygons, size_t count)
{
    if (!model) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (count == 0) {
        return TUMBLE_OK;
    }
    return polygons ? edited(model, remove_polygons(model, polygons, count))
                    : tmb_fail(model->context, TUMBLE_ERROR_ARGUMENT,
                               "%zu polygons are to be removed but none are given", count);
}

tumble_status tumble_model_remove_surface(tumble_model *model, uint32_t surface)
{
    return model ? edited(model, remove_surface(model, surface)) : TUMBLE_ERROR_ARGUMENT;
}
