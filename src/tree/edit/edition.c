/* What an edit asks for: checked, and as triangles. */
#include "tree/edit/edition.h"

#include <string.h>

/* ---- Which polygons there are ---- */

static int find_polygons(tmb_edition *e)
{
    const tumble_model *model = e->model;
    const size_t limit = (size_t)model->block->polygon_limit;
    e->states = tmb_arena_allocate(&e->arena, limit, 1);
    if (!e->states) {
        return 0;
    }
    memset(e->states, TMB_POLYGON_ABSENT, limit);
    for (uint32_t cluster = 0; cluster < model->block->cluster_count; cluster++) {
        for (uint32_t t = 0; t < tmb_cluster_triangle_count(model->places + cluster); t++) {
            e->states[tmb_model_polygon(model, tmb_triangle_address(cluster, t))] = TMB_POLYGON_STAYS;
        }
    }
    return 1;
}

static tumble_status begin(tmb_edition *e, tumble_model *model)
{
    *e = (tmb_edition){.model = model, .arena = {.context = model->context}};
    return find_polygons(e) ? TUMBLE_OK : tmb_fail_memory(model->context, "editing a model");
}

/* ---- Removing ---- */

static tumble_status mark(tmb_edition *e, const uint32_t *polygons, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t polygon = polygons[i];
        const int exists = polygon < e->model->block->polygon_limit && e->states[polygon] != TMB_POLYGON_ABSENT;
        if (!exists || e->states[polygon] == TMB_POLYGON_GOES) {
            return tmb_fail(e->model->context, TUMBLE_ERROR_INDEX,
                            exists ? "polygon %u is to be removed twice" : "there is no polygon %u to remove", polygon);
        }
        e->states[polygon] = TMB_POLYGON_GOES;
        e->gone_count++;
    }
    return TUMBLE_OK;
}

tumble_status tmb_edition_remove(tumble_model *model, const uint32_t *polygons, size_t count)
{
    tmb_edition e;
    tumble_status status = begin(&e, model);
    if (status == TUMBLE_OK) {
        status = mark(&e, polygons, count);
    }
    if (status == TUMBLE_OK) {
        status = tmb_edition_rebuild(&e);
    }
    tmb_arena_release(&e.arena);
    return status;
}

static tumble_status mark_surface(tmb_edition *e, uint32_t surface)
{
    for (uint32_t i = 0; i < e->model->block->polygon_limit; i++) {
        if (e->states[i] == TMB_POLYGON_STAYS && tmb_model_surface(e->model, i) == surface) {
            e->states[i] = TMB_POLYGON_GOES;
            e->gone_count++;
        }
    }
    return e->gone_count ? TUMBLE_OK
                         : tmb_fail(e->model->context, TUMBLE_ERROR_INDEX, "there is no surface %u to remove", surface);
}

tumble_status tmb_edition_remove_surface(tumble_model *model, uint32_t surface)
{
    tmb_edition e;
    tumble_status status = begin(&e, model);
    if (status == TUMBLE_OK) {
        status = mark_surface(&e, surface);
    }
    if (status == TUMBLE_OK) {
        status = tmb_edition_rebuild(&e);
    }
    tmb_arena_release(&e.arena);
    return status;
}

/* ---- Inserting ---- */

static tumble_status check_sizes(const tumble_model *model, const tmb_mesh_facts *facts)
{
    if (model->block->polygon_limit + facts->polygon_count >= UINT32_MAX ||
        model->block->triangle_count + facts->triangle_count > TMB_MOST_TRIANGLES) {
        return tmb_fail(model->context, TUMBLE_ERROR_TOO_LARGE,
                        "with %zu more polygons the model has more than can be numbered", facts->polygon_count);
    }
    return TUMBLE_OK;
}

static tumble_status insert(tumble_model *model, const tumble_mesh *mesh, const tmb_mesh_facts *facts)
{
    tmb_edition e;
    tumble_status status = begin(&e, model);
    if (status == TUMBLE_OK) {
        e.more_count = (uint32_t)facts->polygon_count;
        e.more_surfaces = mesh->surface_ids;
        status = tmb_soup_of_mesh(&e.arena, mesh, facts, (uint32_t)model->block->polygon_limit, &e.more)
                     ? tmb_edition_rebuild(&e)
                     : tmb_fail_memory(model->context, "inserting polygons");
    }
    tmb_arena_release(&e.arena);
    return status;
}

tumble_status tmb_edition_insert(tumble_model *model, const tumble_mesh *mesh, uint32_t *first_polygon)
{
    tmb_mesh_facts facts;
    const uint32_t first = (uint32_t)model->block->polygon_limit;
    tumble_status status = tmb_mesh_survey(model->context, 1, mesh, &facts);
    if (status == TUMBLE_OK) {
        status = check_sizes(model, &facts);
    }
    if (status == TUMBLE_OK && facts.polygon_count > 0) {
        status = insert(model, mesh, &facts);
    }
    if (status == TUMBLE_OK && first_polygon) {
        *first_polygon = first;
    }
    return status;
}
