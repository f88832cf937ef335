/* Inserting and removing polygons: whether a model's hierarchy can, and on to it. */
#include "tree/hierarchy.h"

/* NULL, and an error is recorded, where it cannot. */
static const tmb_hierarchy_edit *editor_of(const tumble_model *model)
{
    const tmb_hierarchy_edit *edit = tmb_hierarchy_of(model->block)->edit;
    if (!edit) {
        (void)tmb_fail(model->context, TUMBLE_ERROR_UNSUPPORTED,
                       "models with the hierarchy `%s` cannot be edited: make them with `%s`",
                       tumble_hierarchy_name((tumble_hierarchy)model->block->hierarchy),
                       tumble_hierarchy_name(TUMBLE_HIERARCHY_RTREE));
    }
    return edit;
}

tumble_status tumble_model_insert(tumble_model *model, const tumble_mesh *mesh, uint32_t *first_polygon)
{
    if (!model) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    const tmb_hierarchy_edit *edit = editor_of(model);
    if (!edit) {
        return TUMBLE_ERROR_UNSUPPORTED;
    }
    return mesh ? edit->insert(model, mesh, first_polygon)
                : tmb_fail(model->context, TUMBLE_ERROR_ARGUMENT, "the mesh is null");
}

tumble_status tumble_model_remove(tumble_model *model, const uint32_t *polygons, size_t count)
{
    if (!model) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    const tmb_hierarchy_edit *edit = editor_of(model);
    return edit ? edit->remove(model, polygons, count) : TUMBLE_ERROR_UNSUPPORTED;
}

tumble_status tumble_model_remove_surface(tumble_model *model, uint32_t surface)
{
    if (!model) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    const tmb_hierarchy_edit *edit = editor_of(model);
    return edit ? edit->remove_surface(model, surface) : TUMBLE_ERROR_UNSUPPORTED;
}
