/* An edited model made anew as a whole. */
#include <string.h>

#include "tree/edit/edition.h"
#include "tree/edit/remake.h"

/* All that stays, and all that comes. */
static int gather(tmb_edition *e, tmb_soup *soup)
{
    const tumble_model *model = e->model;
    const size_t most = (size_t)model->block->triangle_count + e->more.count;
    *soup = (tmb_soup){.triangles = tmb_arena_allocate(&e->arena, most, sizeof *soup->triangles)};
    if (!soup->triangles) {
        return 0;
    }
    for (uint32_t i = 0; i < model->block->polygon_limit; i++) { /* from states to whether they go */
        e->states[i] = e->states[i] == TMB_POLYGON_GOES;
    }
    tmb_soup_add_clusters(soup, model, 0, (uint32_t)model->block->cluster_count, e->states);
    if (e->more.count) {
        memcpy(soup->triangles + soup->count, e->more.triangles, e->more.count * sizeof *soup->triangles);
        soup->count += e->more.count;
    }
    return 1;
}

/* Of all polygons, also of those that are gone. */
static int gather_surfaces(tmb_edition *e, const uint32_t **out)
{
    const tumble_model *model = e->model;
    const size_t before = (size_t)model->block->polygon_limit;
    uint32_t *surfaces = tmb_arena_allocate(&e->arena, before + e->more_count, sizeof *surfaces);
    if (!surfaces) {
        return 0;
    }
    for (size_t i = 0; i < before; i++) {
        surfaces[i] = tmb_model_surface(model, (uint32_t)i);
    }
    for (size_t i = 0; i < e->more_count; i++) {
        surfaces[before + i] = e->more_surfaces ? e->more_surfaces[i] : 0;
    }
    *out = surfaces;
    return 1;
}

tumble_status tmb_edition_rebuild(tmb_edition *e)
{
    tumble_model *model = e->model;
    tmb_block *block = NULL;
    tmb_remake r = {.context = model->context,
                    .thread_count = model->context->thread_count,
                    .hierarchy = (tumble_hierarchy)model->block->hierarchy,
                    .tuning = &model->tuning};
    if (!gather(e, &r.soup) || !gather_surfaces(e, &r.surfaces)) {
        return tmb_fail_memory(model->context, "editing a model");
    }
    r.polygon_count = (uint32_t)model->block->polygon_count - e->gone_count + e->more_count;
    r.polygon_limit = (uint32_t)model->block->polygon_limit + e->more_count;
    const tumble_status status = tmb_remake_block(&r, &block);
    if (status == TUMBLE_OK) {
        tmb_model_replace(model, block);
    }
    return status;
}
