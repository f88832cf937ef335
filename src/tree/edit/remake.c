/* From triangles to a block, by the ordinary builders. */
#include "tree/edit/remake.h"

#include <string.h>

#include "tree/creation.h"

static void take_facts(tmb_creation *c, const tmb_remake *r)
{
    c->facts.polygon_count = r->polygon_count;
    c->polygon_limit = r->polygon_limit;
    c->is_edited = 1;
    if (r->frame) {
        memcpy(c->facts.lower, r->frame[0], sizeof c->facts.lower);
        memcpy(c->facts.upper, r->frame[1], sizeof c->facts.upper);
        c->facts.is_float = r->is_float;
        c->is_part = 1;
    }
    c->set = (tmb_triangle_set){.mesh = c->mesh, .corners = c->mesh->indices, .count = c->facts.triangle_count};
    memcpy(c->set.lower, c->facts.lower, sizeof c->set.lower);
    memcpy(c->set.upper, c->facts.upper, sizeof c->set.upper);
}

static tumble_status make(tmb_creation *c, const tmb_remake *r)
{
    tumble_mesh mesh;
    c->triangle_polygons = tmb_arena_allocate(&c->arena, r->soup.count, sizeof *c->triangle_polygons);
    if (!c->triangle_polygons || !tmb_soup_weld(&r->soup, &c->arena, &mesh, &c->facts)) {
        return tmb_fail_memory(c->context, "the triangles of an edited model");
    }
    for (size_t i = 0; i < r->soup.count; i++) {
        c->triangle_polygons[i] = r->soup.triangles[i].polygon;
    }
    mesh.surface_ids = r->surfaces;
    c->mesh = &mesh;
    take_facts(c, r);
    return tmb_creation_make_block(c);
}

tumble_status tmb_remake_block(const tmb_remake *r, tmb_block **out)
{
    tmb_creation c = {
        .context = r->context, .arena = {.context = r->context}, .options = tumble_default_model_options()};
    c.hierarchy = tmb_hierarchy_numbered((uint32_t)r->hierarchy);
    c.options.hierarchy = r->hierarchy;
    c.options.thread_count = r->thread_count;
    c.options.tuning = r->tuning;
    const tumble_status status = make(&c, r);
    tmb_arena_release(&c.arena);
    if (status != TUMBLE_OK) {
        tmb_release(r->context, c.block);
        return status;
    }
    *out = c.block;
    return TUMBLE_OK;
}
