/* What an edit asks for: checked, and as triangles. */
#include "tree/edit/edition.h"

#include <string.h>

#include "tree/edit/live.h"
#include "tree/topology.h"

/* ---- Which polygons there are ---- */

/* A live model knows. */
static int find_polygons(tmb_edition *e)
{
    const tumble_model *model = e->model;
    const size_t limit = (size_t)model->block->polygon_limit;
    if (model->live) {
        return 1;
    }
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

static int state_of(const tmb_edition *e, uint32_t polygon)
{
    if (polygon >= e->model->block->polygon_limit) {
        return TMB_POLYGON_ABSENT;
    }
    if (!e->model->live) {
        return e->states[polygon];
    }
    const uint32_t section = e->model->live->polygon_sections[polygon];
    return section == TMB_LIVE_NONE  ? TMB_POLYGON_ABSENT
           : section & TMB_LIVE_GOES ? TMB_POLYGON_GOES
                                     : TMB_POLYGON_STAYS;
}

static void set_state(tmb_edition *e, uint32_t polygon, int goes)
{
    if (e->model->live) {
        e->model->live->polygon_sections[polygon] ^= TMB_LIVE_GOES;
    } else {
        e->states[polygon] = goes ? TMB_POLYGON_GOES : TMB_POLYGON_STAYS;
    }
}

void tmb_edition_drop(const tmb_edition *e, tmb_soup *soup)
{
    size_t kept = 0;
    for (size_t i = 0; i < soup->count; i++) {
        if (state_of(e, soup->triangles[i].polygon) != TMB_POLYGON_GOES) {
            soup->triangles[kept++] = soup->triangles[i];
        }
    }
    soup->count = kept;
}

/* ---- All together ---- */

/* A model that is live notes what goes in itself: that is undone if it stays. */
static tumble_status apply(tmb_edition *e)
{
    int done = 0;
    tumble_status status = e->model->live ? tmb_live_update(e, &done) : TUMBLE_OK;
    if (status == TUMBLE_OK && !done) {
        status = tmb_edition_rebuild(e);
    }
    for (size_t i = 0; i < e->gone_count && status != TUMBLE_OK; i++) {
        set_state(e, e->gone[i], 0);
    }
    return status;
}

/* ---- Removing ---- */

static tumble_status mark(tmb_edition *e, const uint32_t *polygons, size_t count)
{
    e->gone = polygons;
    for (; e->gone_count < count; e->gone_count++) {
        const uint32_t polygon = polygons[e->gone_count];
        const int state = state_of(e, polygon);
        if (state != TMB_POLYGON_STAYS) {
            for (size_t i = 0; i < e->gone_count; i++) {
                set_state(e, polygons[i], 0);
            }
            return tmb_fail(e->model->context, TUMBLE_ERROR_INDEX,
                            state == TMB_POLYGON_GOES ? "polygon %u is to be removed twice"
                                                      : "there is no polygon %u to remove",
                            polygon);
        }
        set_state(e, polygon, 1);
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
        status = apply(&e);
    }
    tmb_arena_release(&e.arena);
    return status;
}

/* The polygons of a surface, counted, and listed where there is room. */
static size_t list_surface(const tmb_edition *e, uint32_t surface, uint32_t *out)
{
    size_t count = 0;
    for (uint32_t i = 0; i < e->model->block->polygon_limit; i++) {
        if (tmb_model_surface(e->model, i) == surface && state_of(e, i) == TMB_POLYGON_STAYS) {
            if (out) {
                out[count] = i;
            }
            count++;
        }
    }
    return count;
}

static tumble_status remove_surface(tmb_edition *e, uint32_t surface)
{
    tumble_context *context = e->model->context;
    const size_t count = list_surface(e, surface, NULL);
    if (count == 0) {
        return tmb_fail(context, TUMBLE_ERROR_INDEX, "there is no surface %u to remove", surface);
    }
    uint32_t *polygons = tmb_arena_allocate(&e->arena, count, sizeof *polygons);
    if (!polygons) {
        return tmb_fail_memory(context, "removing a surface");
    }
    (void)list_surface(e, surface, polygons);
    const tumble_status status = mark(e, polygons, count);
    return status == TUMBLE_OK ? apply(e) : status;
}

tumble_status tmb_edition_remove_surface(tumble_model *model, uint32_t surface)
{
    tmb_edition e;
    tumble_status status = begin(&e, model);
    if (status == TUMBLE_OK) {
        status = remove_surface(&e, surface);
    }
    tmb_arena_release(&e.arena);
    return status;
}

/* ---- Inserting ---- */

tumble_status tmb_edition_check_sizes(const tumble_model *model, const tmb_mesh_facts *facts)
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
        e.more_facts = *facts;
        e.more_count = (uint32_t)facts->polygon_count;
        e.more_surfaces = mesh->surface_ids;
        status = tmb_soup_of_mesh(&e.arena, mesh, facts, (uint32_t)model->block->polygon_limit, &e.more)
                     ? apply(&e)
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
        status = tmb_edition_check_sizes(model, &facts);
    }
    if (status == TUMBLE_OK && facts.polygon_count > 0) {
        status = insert(model, mesh, &facts);
    }
    if (status == TUMBLE_OK && first_polygon) {
        *first_polygon = first;
    }
    return status;
}
