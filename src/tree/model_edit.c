/* Inserting and removing polygons: on to the R-trees' own way, or to that of all others. */
#include "tree/edit/edition.h"
#include "tree/hierarchy.h"

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

tumble_status tumble_model_insert(tumble_model *model, const tumble_mesh *mesh, uint32_t *first_polygon)
{
    if (!model) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    return mesh ? edited(model, editor_of(model)->insert(model, mesh, first_polygon))
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
    return polygons ? edited(model, editor_of(model)->remove(model, polygons, count))
                    : tmb_fail(model->context, TUMBLE_ERROR_ARGUMENT,
                               "%zu polygons are to be removed but none are given", count);
}

tumble_status tumble_model_remove_surface(tumble_model *model, uint32_t surface)
{
    return model ? edited(model, editor_of(model)->remove_surface(model, surface)) : TUMBLE_ERROR_ARGUMENT;
}
