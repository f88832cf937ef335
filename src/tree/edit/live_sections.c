/* Sections of an edited model: triangles into parts, parts into place, and the tree above them. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/sort.h"
#include "tree/edit/live.h"
#include "tree/edit/remake.h"

#define SIZE_LEAST 32

uint32_t tmb_live_section_size(uint64_t triangle_count)
{
    const double size = 2 * sqrt((double)triangle_count);
    return size > SIZE_LEAST ? (uint32_t)size : SIZE_LEAST;
}

tmb_split_box tmb_live_box(const tmb_live *live, const double lower[3], const double upper[3])
{
    tmb_split_box box;
    for (int k = 0; k < 3; k++) {
        box.lower[k] = (float)((lower[k] - live->local.centre[k]) * live->local.scale);
        box.upper[k] = (float)((upper[k] - live->local.centre[k]) * live->local.scale);
    }
    return box;
}

/* ---- Parts ---- */

typedef struct building {
    const tmb_live *live;
    tmb_arena *arena;
    tmb_soup_triangle *sorted, *gathered; /* by polygons, and those of a part */
    tmb_split_item *items;                /* polygons: their first triangle in `sorted`, and how many they have */
    uint32_t size;
    tmb_live_parts *out;
} building;

/* A new one, that has no block yet; NULL if memory runs out. */
static tmb_live_part *add_part(tumble_context *context, tmb_live_parts *parts)
{
    const size_t count = parts->count;
    if (!tmb_buffer_reserve(context, &parts->items, count + 1, sizeof(tmb_live_part), count * sizeof(tmb_live_part))) {
        return NULL;
    }
    parts->count++;
    tmb_live_part *part = tmb_live_part_at(parts, count);
    *part = (tmb_live_part){.number = TMB_LIVE_NONE};
    return part;
}

static tumble_status build_part(building *b, const tmb_split_item *items, size_t count)
{
    tmb_live_part *part = add_part(b->live->context, b->out);
    if (!part) {
        return tmb_fail_memory(b->live->context, "the parts of an edited model");
    }
    tmb_remake r = {.context = b->live->context,
                    .thread_count = 1,
                    .hierarchy = (tumble_hierarchy)b->live->header.hierarchy,
                    .tuning = &b->live->tuning,
                    .soup = {b->gathered, 0},
                    .polygon_count = (uint32_t)count,
                    .polygon_limit = UINT32_MAX - 1,
                    .frame = (const double(*)[3])b->live->frame,
                    .is_float = (int)b->live->header.points_are_float};
    for (size_t i = 0; i < count; i++) {
        memcpy(b->gathered + r.soup.count, b->sorted + items[i].number, items[i].weight * sizeof *b->gathered);
        r.soup.count += items[i].weight;
    }
    part->section.triangle_count = (uint32_t)r.soup.count;
    tmb_soup_bounds(b->gathered, r.soup.count, part->section.lower, part->section.upper);
    const tumble_status status = tmb_remake_block(&r, &part->block);
    if (status != TUMBLE_OK) {
        return status;
    }
    part->section.depth = part->block->depth;
    part->section.cluster_count = (uint32_t)part->block->cluster_count;
    return b->live->kind->prepare(b->live->context, part->block, &part->section)
               ? TUMBLE_OK
               : tmb_fail_memory(b->live->context, "a part of an edited model");
}

static tumble_status build_range(building *b, tmb_split_item *items, size_t count)
{
    uint64_t weight = 0;
    for (size_t i = 0; i < count; i++) {
        weight += items[i].weight;
    }
    if (weight <= b->size || count == 1) {
        return build_part(b, items, count);
    }
    const size_t first = tmb_split(items, count, 0);
    const tumble_status status = build_range(b, items, first);
    return status == TUMBLE_OK ? build_range(b, items + first, count - first) : status;
}

static int sort_by_polygon(building *b, const tmb_soup *soup)
{
    tmb_sort_item *keys = tmb_arena_allocate(b->arena, 2 * soup->count, sizeof *keys);
    b->sorted = tmb_arena_allocate(b->arena, soup->count, sizeof *b->sorted);
    b->gathered = tmb_arena_allocate(b->arena, soup->count, sizeof *b->gathered);
    b->items = tmb_arena_allocate(b->arena, soup->count, sizeof *b->items);
    if (!keys || !b->sorted || !b->gathered || !b->items) {
        return 0;
    }
    for (size_t i = 0; i < soup->count; i++) {
        keys[i] = (tmb_sort_item){soup->triangles[i].polygon, i};
    }
    keys = tmb_sort(keys, keys + soup->count, soup->count);
    for (size_t i = 0; i < soup->count; i++) {
        b->sorted[i] = soup->triangles[keys[i].value];
    }
    return 1;
}

static size_t list_polygons(building *b, size_t triangle_count)
{
    size_t count = 0;
    for (size_t begin = 0, end; begin < triangle_count; begin = end) {
        for (end = begin + 1; end < triangle_count && b->sorted[end].polygon == b->sorted[begin].polygon; end++) {
        }
        double lower[3], upper[3];
        tmb_soup_bounds(b->sorted + begin, end - begin, lower, upper);
        b->items[count++] =
            (tmb_split_item){tmb_live_box(b->live, lower, upper), (uint32_t)begin, (uint32_t)(end - begin)};
    }
    return count;
}

tumble_status tmb_live_build(const tmb_live *live, tmb_arena *arena, const tmb_soup *soup, uint32_t size,
                             tmb_live_parts *out)
{
    TMB_ASSERT(soup->count > 0);
    building b = {.live = live, .arena = arena, .size = size, .out = out};
    if (!sort_by_polygon(&b, soup)) {
        return tmb_fail_memory(live->context, "the parts of an edited model");
    }
    return build_range(&b, b.items, list_polygons(&b, soup->count));
}

void tmb_live_release_parts(tumble_context *context, tmb_live_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++) {
        tmb_release(context, tmb_live_part_at(parts, i)->block);
    }
    tmb_buffer_release(context, &parts->items);
    parts->count = 0;
}

/* ---- Into place ---- */

uint32_t tmb_live_cluster_room(const tmb_live_part *part)
{
    return part->section.cluster_count + part->section.cluster_count / 4 + 2;
}

uint32_t tmb_live_node_room(const tmb_live *live, const tmb_live_part *part)
{
    const uint32_t count = live->kind->node_count(part->block);
    return (count + count / 4 + 5) / 2 * 2;
}

int tmb_live_fits(const tmb_live *live, uint32_t number, const tmb_live_part *part)
{
    const tmb_live_section *section = &live->sections[number];
    return part->section.cluster_count <= section->cluster_room &&
           live->kind->node_count(part->block) <= section->node_room;
}

/* Corners after the last one repeat the first. */
static void copy_corners(const void *from, void *to, uint32_t count, size_t size)
{
    for (uint32_t k = 0; k < 3; k++) {
        const char *row = (const char *)from + k * count * size;
        char *out = (char *)to + k * TMB_CLUSTER_CORNERS * size;
        memcpy(out, row, count * size);
        for (uint32_t i = count; i < TMB_CLUSTER_CORNERS; i++) {
            memcpy(out + i * size, row, size);
        }
    }
}

static void copy_cluster(tmb_live *live, const tumble_model *part, uint32_t from, uint32_t to, uint32_t number)
{
    const tmb_cluster_place *place = part->places + from;
    const uint32_t *words = part->clusters + place->offset, count = tmb_cluster_triangle_count(place);
    uint32_t *out = live->clusters + live->places[to].offset;
    const uint32_t head = part->is_float ? TMB_CLUSTER_HEAD_FLOAT : TMB_CLUSTER_HEAD_DOUBLE;
    memcpy(out, words, head * sizeof *out);
    copy_corners(words + head, out + head, tmb_cluster_corner_count(place, part->is_float),
                 part->is_float ? sizeof(float) : sizeof(double));
    live->places[to].triangles = tmb_cluster_triangles(to * TMB_CLUSTER_TRIANGLES, count);
    for (uint32_t t = 0; t < count; t++) {
        const uint32_t polygon = tmb_model_polygon(part, tmb_triangle_address(from, t));
        const size_t at = (size_t)4 * tmb_triangle_address(to, t);
        const uint8_t packed[4] = {(uint8_t)polygon, (uint8_t)(polygon >> 8), (uint8_t)(polygon >> 16),
                                   (uint8_t)(polygon >> 24)};
        memcpy(live->polygons + at, packed, sizeof packed);
        live->polygon_sections[polygon] = number;
    }
}

static void clear_clusters(tmb_live *live, const tmb_live_section *section)
{
    for (uint32_t i = 0; i < section->cluster_count; i++) {
        live->places[section->cluster + i].triangles =
            tmb_cluster_triangles((section->cluster + i) * TMB_CLUSTER_TRIANGLES, 0);
    }
}

void tmb_live_drop(tmb_live *live, uint32_t number)
{
    tmb_live_section *section = &live->sections[number];
    clear_clusters(live, section);
    live->triangle_count -= section->triangle_count;
    section->triangle_count = section->cluster_count = 0;
}

void tmb_live_put(tmb_live *live, uint32_t number, const tmb_live_part *part)
{
    TMB_ASSERT(number < live->section_room);
    tmb_live_section *section = &live->sections[number], before = *section;
    tumble_model view = {.context = live->context};
    const int fits = tmb_live_fits(live, number, part);
    tmb_live_drop(live, number);
    *section = part->section;
    if (fits) {
        section->cluster = before.cluster, section->cluster_room = before.cluster_room;
        section->node = before.node, section->node_room = before.node_room;
    } else {
        live->idle_clusters += before.cluster_room;
        section->cluster = live->cluster_used, section->cluster_room = tmb_live_cluster_room(part);
        section->node = live->node_used, section->node_room = tmb_live_node_room(live, part);
        live->cluster_used += section->cluster_room;
        live->node_used += section->node_room;
        TMB_ASSERT(live->cluster_used <= live->cluster_room && live->node_used <= live->node_room);
    }
    tmb_model_view(&view, part->block);
    for (uint32_t i = 0; i < section->cluster_count; i++) {
        copy_cluster(live, &view, i, section->cluster + i, number);
    }
    live->kind->place(live, part->block, section);
    live->triangle_count += section->triangle_count;
    live->work += section->triangle_count;
}

/* ---- The tree over sections ---- */

/* Sets below this level are cut in the middle, so that no tree is too deep. */
#define FREE_LEVELS 12

typedef struct planning {
    tmb_live *live;
    uint32_t used;
} planning;

static void plan(planning *p, uint32_t node, size_t begin, size_t count, uint32_t level)
{
    tmb_live *live = p->live;
    tmb_split_item *items = live->items + begin;
    tmb_split_box box = items[0].box;
    for (size_t i = 1; i < count; i++) {
        box = tmb_split_union(&box, &items[i].box);
    }
    if (count == 1) {
        live->top[node] = (tmb_top_node){box, 0, items[0].number};
        return;
    }
    const size_t first = tmb_split(items, count, level >= FREE_LEVELS);
    const uint32_t children = p->used;
    live->top[node] = (tmb_top_node){box, children, 0};
    p->used += 2;
    plan(p, children, begin, first, level + 1);
    plan(p, children + 1, begin + first, count - first, level + 1);
}

static size_t list_sections(tmb_live *live)
{
    size_t count = 0;
    for (uint32_t i = 0; i < live->section_count; i++) {
        const tmb_live_section *s = &live->sections[i];
        if (s->triangle_count) {
            live->items[count++] = (tmb_split_item){tmb_live_box(live, s->lower, s->upper), i, s->triangle_count};
        }
    }
    return count;
}

static void tell_bounds(tmb_live *live)
{
    tmb_block *h = &live->header;
    int first = 1;
    for (uint32_t i = 0; i < live->section_count; i++) {
        const tmb_live_section *s = &live->sections[i];
        for (int k = 0; k < 3 && s->triangle_count; k++) {
            h->lower[k] = first || s->lower[k] < h->lower[k] ? s->lower[k] : h->lower[k];
            h->upper[k] = first || s->upper[k] > h->upper[k] ? s->upper[k] : h->upper[k];
        }
        first &= s->triangle_count == 0;
    }
}

void tmb_live_finish(tmb_live *live)
{
    TMB_ASSERT(live->triangle_count > 0);
    const size_t count = list_sections(live);
    planning p = {live, 1};
    plan(&p, 0, 0, count, 0);
    tell_bounds(live);
    live->header.triangle_count = live->triangle_count;
    live->header.polygon_count = live->polygon_count;
    live->header.polygon_limit = live->polygon_limit;
    live->header.cluster_count = live->cluster_used;
    live->kind->write_top(live);
    live->header.checksum = tmb_edit_mark(live->context);
}
