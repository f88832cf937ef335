/* Inserts polygons into a model and removes them.
 *
 * An edit is all or nothing. Arguments are checked before anything changes. Removing needs no memory; inserting
 * reserves it piece by piece, and if it runs out, removes what it has inserted. */
#include <string.h>

#include "base/arena.h"
#include "base/sort.h"
#include "tree/mesh_cut.h"
#include "tree/rtree/edit.h"
#include "tree/topology.h"

/* ---- The model around it ---- */

/* The model's editor, created if needed; NULL if memory runs out. */
static tmb_edit *begin_edit(tumble_model *model)
{
    tmb_edit *e = model->edit ? model->edit : tmb_edit_create(model);
    if (!e) {
        (void)tmb_fail_memory(model->context, "editing a model");
    }
    return e;
}

static void view_edit(tumble_model *model)
{
    const tmb_edit *e = model->edit;
    model->block = &e->header;
    model->is_float = e->is_float;
    model->clusters = e->clusters;
    model->places = e->places;
    model->polygons = e->polygons;
    model->polygon_bytes = 4;
    model->surfaces = e->polygon_surfaces;
    model->nodes = e->nodes;
    model->points = NULL;
    model->frame = e->frame;
}

static void finish_edit(tumble_model *model)
{
    tmb_edit_finish(model->edit);
    tumble_model_destroy(model->edit->flat);
    model->edit->flat = NULL;
    tmb_topology_forget(model);
    view_edit(model);
}

/* The first edit is done: the previous block is released. */
static void adopt_edit(tumble_model *model, tmb_edit *e)
{
    if (model->edit != e) {
        tmb_model_release_block(model);
        model->edit = e;
    }
    finish_edit(model);
}

static void abandon_edit(tumble_model *model, tmb_edit *e)
{
    if (model->edit == e) {
        finish_edit(model);
    } else {
        tmb_edit_destroy(e);
    }
}

/* ---- Removing ---- */

static void remove_polygon(tmb_edit *e, uint32_t polygon, int note)
{
    while (e->polygon_addresses[polygon] != TMB_EDIT_NONE) {
        if (note) {
            tmb_edit_note_update(e, e->polygon_addresses[polygon] / TMB_CLUSTER_TRIANGLES);
        }
        tmb_edit_remove_triangle(e, e->polygon_addresses[polygon]);
    }
}

/* Each must exist, and be listed only once. Those already checked are marked meanwhile by the complement of their
 * addresses. */
static tumble_status check_polygons(tmb_edit *e, const uint32_t *polygons, size_t count)
{
    size_t good = 0;
    for (; good < count; good++) {
        const uint32_t polygon = polygons[good];
        if (polygon >= e->polygon_limit || e->polygon_addresses[polygon] == TMB_EDIT_NONE ||
            e->polygon_addresses[polygon] > UINT32_MAX / 2) {
            break;
        }
        e->polygon_addresses[polygon] = ~e->polygon_addresses[polygon];
    }
    for (size_t i = 0; i < good; i++) {
        e->polygon_addresses[polygons[i]] = ~e->polygon_addresses[polygons[i]];
    }
    if (good == count) {
        return TUMBLE_OK;
    }
    const uint32_t bad = polygons[good];
    const int is_there = bad < e->polygon_limit && e->polygon_addresses[bad] != TMB_EDIT_NONE;
    return tmb_fail(e->context, TUMBLE_ERROR_INDEX,
                    is_there ? "polygon %u is to be removed twice" : "there is no polygon %u to remove", bad);
}

tumble_status tmb_edit_remove(tumble_model *model, const uint32_t *polygons, size_t count)
{
    tmb_edit *e = begin_edit(model);
    if (!e) {
        return TUMBLE_ERROR_MEMORY;
    }
    const tumble_status status = check_polygons(e, polygons, count);
    if (status != TUMBLE_OK) {
        abandon_edit(model, e);
        return status;
    }
    for (size_t i = 0; i < count; i++) {
        remove_polygon(e, polygons[i], 1);
    }
    adopt_edit(model, e);
    return TUMBLE_OK;
}

tumble_status tmb_edit_remove_surface(tumble_model *model, uint32_t surface)
{
    tmb_edit *e = begin_edit(model);
    if (!e) {
        return TUMBLE_ERROR_MEMORY;
    }
    const uint32_t number = tmb_edit_find_surface(e, surface);
    if (number == TMB_EDIT_NONE) {
        abandon_edit(model, e);
        return tmb_fail(model->context, TUMBLE_ERROR_INDEX, "there is no surface %u to remove", surface);
    }
    tmb_edit_clear_surface(e, number);
    adopt_edit(model, e);
    return TUMBLE_OK;
}

/* ---- Inserting ---- */

typedef struct insertion {
    tmb_edit *edit;
    tmb_arena arena;
    const tumble_mesh *mesh;
    tmb_mesh_facts facts;
    const uint32_t *corners, *polygons; /* of the triangles; no polygons: triangle i is polygon i */
    tmb_sort_item *order;               /* triangles by surfaces */
    tmb_edit_triangle *triangles;       /* of one surface */
} insertion;

static uint32_t polygon_of(const insertion *n, size_t triangle)
{
    return n->polygons ? n->polygons[triangle] : (uint32_t)triangle;
}

static int sort_by_surface(insertion *n)
{
    const size_t count = n->facts.triangle_count;
    n->order = tmb_arena_allocate(&n->arena, 2 * count, sizeof *n->order);
    n->triangles = tmb_arena_allocate(&n->arena, count, sizeof *n->triangles);
    if (!n->order || !n->triangles) {
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        n->order[i] = (tmb_sort_item){n->mesh->surface_ids ? n->mesh->surface_ids[polygon_of(n, i)] : 0, i};
    }
    n->order = tmb_sort(n->order, n->order + count, count);
    return 1;
}

static int prepare(insertion *n)
{
    uint32_t *corners, *polygons;
    n->corners = n->mesh->indices;
    if (!tmb_mesh_all_triangles(n->mesh)) {
        if (!tmb_mesh_cut(&n->arena, n->mesh, &n->facts, &corners, &polygons)) {
            return 0;
        }
        n->corners = corners;
        n->polygons = polygons;
    }
    return sort_by_surface(n);
}

static tmb_edit_triangle triangle_of(const insertion *n, size_t number)
{
    tmb_edit_triangle triangle = {.polygon = n->edit->polygon_limit + polygon_of(n, number)};
    for (int i = 0; i < 3; i++) {
        tmb_mesh_point(n->mesh, n->corners[3 * number + (size_t)i], triangle.corners[i]);
    }
    return triangle;
}

/* A surface that is new, or grows by a large fraction, is packed. */
static int insert_packed(tmb_edit *e, uint32_t id, const tmb_edit_triangle *triangles, size_t count)
{
    const uint32_t known = tmb_edit_find_surface(e, id);
    if (!tmb_edit_reserve_one(e, known)) {
        return 0;
    }
    const uint32_t surface = known == TMB_EDIT_NONE ? tmb_edit_add_surface(e, id) : known;
    const int ok = tmb_edit_build_surface(e, surface, triangles, count);
    if (known == TMB_EDIT_NONE && ok) {
        tmb_edit_hang_surface(e, surface);
    } else if (known == TMB_EDIT_NONE) {
        tmb_edit_drop_surface(e, surface);
    }
    e->top_updates++;
    return ok;
}

static int insert_each(tmb_edit *e, uint32_t id, const tmb_edit_triangle *triangles, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t surface = tmb_edit_find_surface(e, id);
        if (surface == TMB_EDIT_NONE) {
            if (!insert_packed(e, id, triangles + i, 1)) {
                return 0;
            }
            continue;
        }
        if (!tmb_edit_reserve_one(e, surface)) {
            return 0;
        }
        tmb_edit_note_update(e, tmb_edit_insert_triangle(e, surface, &triangles[i]));
    }
    return 1;
}

static int insert_surface(insertion *n, const tmb_sort_item *order, size_t count)
{
    tmb_edit *e = n->edit;
    const uint32_t id = (uint32_t)order[0].key, surface = tmb_edit_find_surface(e, id);
    for (size_t i = 0; i < count; i++) {
        n->triangles[i] = triangle_of(n, (size_t)order[i].value);
    }
    const size_t before = surface == TMB_EDIT_NONE ? 0 : e->surfaces[surface].triangle_count;
    return !e->one_by_one && 2 * count > before ? insert_packed(e, id, n->triangles, count)
                                                : insert_each(e, id, n->triangles, count);
}

static int insert_all(insertion *n)
{
    tmb_edit *e = n->edit;
    const size_t count = n->facts.triangle_count;
    if (e->triangle_count == 0 || !tmb_edit_in_frame(&e->frame, n->facts.lower) ||
        !tmb_edit_in_frame(&e->frame, n->facts.upper)) {
        tmb_edit_bounds bounds;
        memcpy(bounds.lower, n->facts.lower, sizeof bounds.lower);
        memcpy(bounds.upper, n->facts.upper, sizeof bounds.upper);
        tmb_edit_refit(e, &bounds);
    }
    for (uint32_t i = 0; i < n->facts.polygon_count; i++) {
        e->polygon_addresses[e->polygon_limit + i] = TMB_EDIT_NONE;
        e->polygon_surfaces[e->polygon_limit + i] = n->mesh->surface_ids ? n->mesh->surface_ids[i] : 0;
    }
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && n->order[end].key == n->order[begin].key; end++) {
        }
        if (!insert_surface(n, n->order + begin, end - begin)) {
            for (uint32_t i = 0; i < n->facts.polygon_count; i++) {
                remove_polygon(e, e->polygon_limit + i, 0);
            }
            return 0;
        }
    }
    e->polygon_limit += (uint32_t)n->facts.polygon_count;
    return 1;
}

static tumble_status insert_mesh(insertion *n)
{
    tmb_edit *e = n->edit;
    const int ok = prepare(n) && tmb_edit_reserve_polygons(e, n->facts.polygon_count) &&
                   (n->facts.is_float || tmb_edit_become_double(e)) && insert_all(n);
    return ok ? TUMBLE_OK : tmb_fail_memory(e->context, "inserting polygons");
}

tumble_status tmb_edit_load(tumble_context *context, const tumble_mesh *mesh, const tmb_mesh_facts *facts,
                            tmb_block **out)
{
    const tmb_block empty = {.hierarchy = TUMBLE_HIERARCHY_RTREE, .rtree = {.load = TUMBLE_RTREE_LOAD_INSERT}};
    const tumble_model model = {.context = context, .block = &empty};
    insertion n = {.arena = {.context = context}, .mesh = mesh, .facts = *facts, .edit = tmb_edit_create(&model)};
    if (!n.edit) {
        return tmb_fail_memory(context, "building R-trees");
    }
    n.edit->one_by_one = 1;
    tumble_status status = insert_mesh(&n);
    tmb_arena_release(&n.arena);
    if (status == TUMBLE_OK) {
        *out = tmb_edit_write_block(n.edit);
        status = *out ? TUMBLE_OK : tmb_fail_memory(context, "the model's block");
    }
    tmb_edit_destroy(n.edit);
    return status;
}

static tumble_status check_sizes(const tumble_model *model, const tmb_mesh_facts *facts)
{
    if (model->block->polygon_limit + facts->polygon_count >= UINT32_MAX ||
        model->block->triangle_count + facts->triangle_count > TMB_MOST_TRIANGLES) {
        return tmb_fail(model->context, TUMBLE_ERROR_TOO_LARGE,
                        "with %zu more polygons the model has more than can be numbered", facts->polygon_count);
    }
    return TUMBLE_OK;
}

tumble_status tmb_edit_insert(tumble_model *model, const tumble_mesh *mesh, uint32_t *first_polygon)
{
    insertion n = {.arena = {.context = model->context}, .mesh = mesh};
    tumble_status status = tmb_mesh_survey(model->context, 1, mesh, &n.facts);
    if (status == TUMBLE_OK) {
        status = check_sizes(model, &n.facts);
    }
    const uint32_t first = (uint32_t)model->block->polygon_limit;
    if (status == TUMBLE_OK && n.facts.polygon_count > 0) {
        n.edit = begin_edit(model);
        status = n.edit ? insert_mesh(&n) : TUMBLE_ERROR_MEMORY;
        tmb_arena_release(&n.arena);
        if (status == TUMBLE_OK) {
            adopt_edit(model, n.edit);
        } else if (n.edit) {
            abandon_edit(model, n.edit);
        }
    }
    if (status == TUMBLE_OK && first_polygon) {
        *first_polygon = first;
    }
    return status;
}
