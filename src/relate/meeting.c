/* Surfaces that meet without passing through each other: do the models only touch?
 *
 * If a point of one surface is inside the other model, then so is everything connected to it without meeting the other
 * surface: a whole part, or something that ends on a triangle that meets it. So one point suffices for each part that
 * meets nothing, and one for each piece into which the other surface cuts a triangle that meets it (cells.c). */
#include "base/assert.h"
#include "math/vec3.h"
#include "relate/cells.h"

#include <string.h>

#include "prim/triangle.h"

/* ---- A triangle and what it meets ---- */

static int is_on_triangles(const tmb_relating *r, const tmb_meeting_group *group, const double point[3])
{
    TMB_ASSERT(tmb_all_finite(point, 3));
    const double single[3][3] = {
        {point[0], point[1], point[2]}, {point[0], point[1], point[2]}, {point[0], point[1], point[2]}};
    for (size_t i = 0; i < group->count; i++) {
        double corners[3][3];
        tmb_solid_corners(&r->solid[1 - group->which], (uint32_t)group->items[i].key, corners);
        if (tmb_triangles_intersect((const double(*)[3])corners, single, NULL)) {
            return 1;
        }
    }
    return 0;
}

/* Corners first: they are doubles. One that is on the other surface is on a triangle that its own one meets. */
static int group_is_inside(tmb_relating *r, const tmb_meeting_group *group)
{
    double corners[3][3];
    int has_free_corner = 0;
    tmb_solid_corners(&r->solid[group->which], group->own, corners);
    for (int i = 0; i < 3; i++) {
        if (!is_on_triangles(r, group, corners[i])) {
            if (tmb_is_inside(&r->solid[1 - group->which], corners[i], &r->counters)) {
                return 1;
            }
            has_free_corner = 1;
        }
    }
    const int inside = tmb_cell_is_inside(r, group, has_free_corner);
    if (inside < 0) {
        r->status = tmb_fail_memory(r->query->context, "the pieces of a triangle");
    }
    return inside > 0;
}

/* ---- Groups ---- */

/* The keys have the model's own triangle first. */
static int some_group_is_inside(tmb_relating *r, int which, const tmb_sort_item *items)
{
    int inside = 0;
    for (size_t begin = 0, end; begin < r->meeting_count && !inside && r->status == TUMBLE_OK; begin = end) {
        const uint32_t own = (uint32_t)(items[begin].key >> 32);
        for (end = begin; end < r->meeting_count && (uint32_t)(items[end].key >> 32) == own; end++) {
        }
        const tmb_meeting_group group = {which, own, items + begin, end - begin};
        inside = group_is_inside(r, &group);
    }
    return inside;
}

/* Sorted by the triangles of one model, then of the other. */
static const tmb_sort_item *sort_meetings(tmb_relating *r, int which)
{
    tmb_sort_item *items = r->scratch->meetings.data, *scratch = items + r->meeting_count;
    for (size_t i = 0; i < r->meeting_count; i++) {
        const uint64_t key = items[i].key;
        items[i].key = which ? key << 32 | key >> 32 : key;
    }
    const tmb_sort_item *sorted = tmb_sort(items, scratch, r->meeting_count);
    if (sorted != items) {
        memcpy(items, sorted, r->meeting_count * sizeof *items);
    }
    return items;
}

/* ---- Parts that meet nothing ---- */

static int has_other_part_inside(tmb_relating *r, int which, const tmb_sort_item *items)
{
    const tmb_topology *topology = r->topology[which];
    if (topology->part_count == 1) {
        return 0;
    }
    tmb_arena arena = {.context = r->query->context};
    uint8_t *meets = tmb_arena_allocate(&arena, topology->part_count, 1);
    int inside = 0;
    if (!meets) {
        r->status = tmb_fail_memory(r->query->context, "the parts of a model");
        return 0;
    }
    memset(meets, 0, topology->part_count);
    for (size_t i = 0; i < r->meeting_count; i++) {
        meets[topology->part_of[items[i].key >> 32]] = 1;
    }
    for (uint32_t part = 0; part < topology->part_count && !inside; part++) {
        inside = !meets[part] && tmb_part_is_inside(r, which, part);
    }
    tmb_arena_release(&arena);
    return inside;
}

tumble_status tmb_relate_meeting(tmb_relating *r, int *crosses)
{
    TMB_ASSERT(r->meeting_count > 0);
    TMB_ASSERT(!r->passes_through);
    TMB_ASSERT(r->topology[0]->closed || r->topology[1]->closed);
    for (int which = 0; which < 2 && !*crosses; which++) {
        const tmb_sort_item *items = sort_meetings(r, which);
        if (r->topology[1 - which]->closed) {
            *crosses = some_group_is_inside(r, which, items) || has_other_part_inside(r, which, items);
        }
    }
    return r->status;
}
