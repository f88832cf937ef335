/* Edits of a model in sections: which of them change, what they become, and when all are made anew. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "tree/edit/live.h"
#include "tree/hierarchy.h"
#include "tree/topology.h"

/* Sections are for models of this many triangles at most; larger ones are built as a whole. */
#define TRIANGLES_MOST ((size_t)1 << 24)

/* A section may grow to so many times the size that it is made with. */
#define GROWTH 2

/* All sections are made anew when this share of the triangles has changed, as a divisor, ... */
#define CHANGED_SHARE 2
/* ... or when a frame of the model's size would be so many times finer. */
#define CRAMPED 0x1p8

/* ---- Frames ---- */

/* Coordinates beyond these have no room around them. */
#define LARGEST 0x1p1000
#define SMALLEST 0x1p-1000

/* The frame has room on each side for half of the model's size; 0 where there is none. */
static int set_frame(tmb_live *live, const double lower[3], const double upper[3])
{
    double reach = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        reach = fmax(reach, 0.5 * upper[k] - 0.5 * lower[k]);
        size = fmax(size, fmax(fabs(lower[k]), fabs(upper[k])));
    }
    const double room = fmax(reach, size * 0x1p-20);
    if (!(size < LARGEST) || !(room > SMALLEST)) {
        return 0;
    }
    for (int k = 0; k < 3; k++) {
        live->frame[0][k] = lower[k] - room, live->frame[1][k] = upper[k] + room;
        live->inner[0][k] = lower[k] - 0.9 * room, live->inner[1][k] = upper[k] + 0.9 * room;
    }
    live->local = tmb_local_frame_of(live->frame[0], live->frame[1]);
    return 1;
}

static int is_in_frame(const tmb_live *live, const double lower[3], const double upper[3])
{
    int inside = 1;
    for (int k = 0; k < 3; k++) {
        inside &= lower[k] >= live->inner[0][k] && upper[k] <= live->inner[1][k];
    }
    return inside;
}

/* ---- All anew ---- */

static void set_header(tmb_live *live, const tmb_block *from, int is_float)
{
    tmb_block *h = &live->header;
    memcpy(h->magic, TMB_BLOCK_MAGIC, sizeof h->magic);
    h->endian = TMB_BLOCK_ENDIAN;
    h->version = TMB_BLOCK_VERSION;
    h->total_bytes = sizeof *h;
    h->hierarchy = from->hierarchy;
    h->points_are_float = (uint32_t)is_float;
    h->edited = 1;
}

/* Room for the parts, with as many sections again. */
static int reserve_all(tmb_live *live, const tmb_live_parts *parts, uint32_t polygon_limit)
{
    uint64_t clusters = 0, nodes = 0;
    for (size_t i = 0; i < parts->count; i++) {
        clusters += tmb_live_cluster_room(tmb_live_part_at(parts, i));
        nodes += tmb_live_node_room(live, tmb_live_part_at(parts, i));
    }
    if (!tmb_live_reserve_sections(live, 2 * (uint32_t)parts->count + 16)) {
        return 0;
    }
    return tmb_live_reserve(live, clusters, live->top_room + nodes) && tmb_live_reserve_polygons(live, polygon_limit);
}

static void put_all(tmb_live *live, const tmb_live_parts *parts)
{
    live->node_used = live->top_room;
    for (size_t i = 0; i < parts->count; i++) {
        tmb_live_put(live, (uint32_t)i, tmb_live_part_at(parts, i));
    }
    live->section_count = (uint32_t)parts->count;
    live->made_of = live->triangle_count;
}

static tumble_status fill(tmb_live *live, const tmb_remake *r)
{
    const uint32_t polygon_limit = r->polygon_limit;
    tmb_arena arena = {.context = live->context};
    tmb_live_parts parts = {.count = 0};
    tumble_status status = tmb_live_build(live, &arena, &r->soup, tmb_live_section_size(r->soup.count), &parts);
    tmb_arena_release(&arena);
    if (status == TUMBLE_OK && !reserve_all(live, &parts, polygon_limit)) {
        status = tmb_fail_memory(live->context, "an edited model");
    }
    if (status == TUMBLE_OK) {
        memset(live->polygon_sections, 0xff, polygon_limit * sizeof *live->polygon_sections);
        memcpy(live->polygon_surfaces, r->surfaces, polygon_limit * sizeof *live->polygon_surfaces);
        live->polygon_count = r->polygon_count;
        live->polygon_limit = polygon_limit;
        put_all(live, &parts);
        tmb_live_finish(live);
    }
    tmb_live_release_parts(live->context, &parts);
    return status;
}

const tmb_live_kind *tmb_live_kind_of(const tumble_model *model)
{
    const tmb_live_kind *kind = tmb_hierarchy_of(model->block)->live;
    return kind && (!kind->suits || kind->suits(&model->tuning)) ? kind : NULL;
}

tumble_status tmb_live_create(const tumble_model *model, const tmb_remake *r, tmb_live **out)
{
    double lower[3], upper[3];
    const tmb_live_kind *kind = tmb_live_kind_of(model);
    *out = NULL;
    if (!kind || r->soup.count == 0 || r->soup.count > TRIANGLES_MOST) {
        return TUMBLE_OK;
    }
    tmb_live *live = tmb_live_allocate(model->context);
    if (!live) {
        return tmb_fail_memory(model->context, "an edited model");
    }
    live->kind = kind;
    live->tuning = model->tuning;
    live->work = model->live ? model->live->work : 0;
    live->node_bytes = kind->node_bytes(&live->tuning);
    tmb_soup_bounds(r->soup.triangles, r->soup.count, lower, upper);
    set_header(live, model->block, tmb_soup_is_float(r->soup.triangles, r->soup.count));
    const int possible = set_frame(live, lower, upper);
    const tumble_status status = possible ? fill(live, r) : TUMBLE_OK;
    if (!possible || status != TUMBLE_OK) {
        tmb_live_destroy(live);
        return status;
    }
    *out = live;
    return TUMBLE_OK;
}

/* ---- Some of them ---- */

typedef struct update {
    tmb_edition *edition;
    tmb_live *live;
    tmb_arena *arena;
    uint32_t *targets;   /* the section of each polygon that comes */
    uint32_t *incoming;  /* triangles that come to each section */
    uint8_t *is_touched; /* sections */
    uint64_t gathered;   /* triangles of all sections that are touched, and those that come */
    uint32_t gone;       /* triangles */
    tmb_live_parts parts;
} update;

static float growth(const tmb_split_box *box, const tmb_split_box *more)
{
    const tmb_split_box both = tmb_split_union(box, more);
    return tmb_split_area(&both) - tmb_split_area(box);
}

/* Down to the section whose box grows least. */
static uint32_t choose_section(const tmb_live *live, const tmb_split_box *box)
{
    const tmb_top_node *node = &live->top[0];
    while (node->children) {
        const tmb_top_node *left = &live->top[node->children], *right = left + 1;
        const float by_left = growth(&left->box, box), by_right = growth(&right->box, box);
        const int is_left =
            by_left < by_right || (by_left == by_right && tmb_split_area(&left->box) <= tmb_split_area(&right->box));
        node = is_left ? left : right;
    }
    return node->section;
}

static void touch(update *u, uint32_t section)
{
    if (!u->is_touched[section]) {
        u->is_touched[section] = 1;
        u->gathered += u->live->sections[section].triangle_count;
    }
}

/* The triangles that come, polygon by polygon. */
static void assign(update *u)
{
    const tmb_soup *more = &u->edition->more;
    const uint32_t first = u->live->polygon_limit;
    for (size_t begin = 0, end; begin < more->count; begin = end) {
        const uint32_t polygon = more->triangles[begin].polygon;
        double lower[3], upper[3];
        for (end = begin + 1; end < more->count && more->triangles[end].polygon == polygon; end++) {
        }
        tmb_soup_bounds(more->triangles + begin, end - begin, lower, upper);
        const tmb_split_box box = tmb_live_box(u->live, lower, upper);
        const uint32_t section = u->targets[polygon - first] = choose_section(u->live, &box);
        u->incoming[section] += (uint32_t)(end - begin);
        touch(u, section);
    }
}

static int begin_update(update *u)
{
    const tmb_live *live = u->live;
    u->targets = tmb_arena_allocate(u->arena, u->edition->more_count, sizeof *u->targets);
    u->incoming = tmb_arena_allocate(u->arena, live->section_count, sizeof *u->incoming);
    u->is_touched = tmb_arena_allocate(u->arena, live->section_count, sizeof *u->is_touched);
    if (!u->targets || !u->incoming || !u->is_touched) {
        return 0;
    }
    memset(u->incoming, 0, live->section_count * sizeof *u->incoming);
    memset(u->is_touched, 0, live->section_count);
    u->gathered = u->edition->more.count;
    assign(u);
    for (size_t i = 0; i < u->edition->gone_count; i++) {
        touch(u, live->polygon_sections[u->edition->gone[i]] & ~TMB_LIVE_GOES);
    }
    return 1;
}

/* ---- What a section becomes ---- */

static int gather(update *u, uint32_t section, tmb_soup *soup)
{
    const tmb_live *live = u->live;
    const tmb_live_section *s = &live->sections[section];
    const size_t most = (size_t)s->triangle_count + u->incoming[section];
    *soup = (tmb_soup){tmb_arena_allocate(u->arena, most, sizeof *soup->triangles), 0};
    if (!soup->triangles) {
        return 0;
    }
    tmb_soup_add_clusters(soup, u->edition->model, s->cluster, s->cluster_count);
    tmb_edition_drop(u->edition, soup);
    u->gone += s->triangle_count - (uint32_t)soup->count;
    return 1;
}

/* Those that come, to where they go: a list for each section. */
static int deal(update *u, tmb_soup *soups)
{
    const tmb_soup *more = &u->edition->more;
    for (uint32_t i = 0; i < u->live->section_count; i++) {
        if (u->is_touched[i] && !gather(u, i, &soups[i])) {
            return 0;
        }
    }
    for (size_t i = 0; i < more->count; i++) {
        tmb_soup *soup = &soups[u->targets[more->triangles[i].polygon - u->live->polygon_limit]];
        soup->triangles[soup->count++] = more->triangles[i];
    }
    return 1;
}

static tumble_status build_section(update *u, uint32_t section, const tmb_soup *soup)
{
    const uint32_t size = tmb_live_section_size(u->live->made_of), most = GROWTH * size;
    const size_t first = u->parts.count;
    if (soup->count == 0) {
        return TUMBLE_OK;
    }
    const tumble_status status = tmb_live_build(u->live, u->arena, soup, soup->count > most ? size : most, &u->parts);
    if (status == TUMBLE_OK) {
        tmb_live_part_at(&u->parts, first)->number = section;
    }
    return status;
}

static tumble_status build_sections(update *u)
{
    tmb_soup *soups = tmb_arena_allocate(u->arena, u->live->section_count, sizeof *soups);
    if (!soups || !deal(u, soups)) {
        return tmb_fail_memory(u->live->context, "editing a model");
    }
    tumble_status status = TUMBLE_OK;
    for (uint32_t i = 0; i < u->live->section_count && status == TUMBLE_OK; i++) {
        status = u->is_touched[i] ? build_section(u, i, &soups[i]) : TUMBLE_OK;
    }
    return status;
}

/* ---- Into place ---- */

/* Numbers for parts that take no section's place: of sections that are empty, then new ones. */
static int number_parts(update *u, uint32_t *section_count)
{
    const tmb_live *live = u->live;
    uint32_t next = 0;
    for (size_t i = 0; i < u->parts.count; i++) {
        tmb_live_part *part = tmb_live_part_at(&u->parts, i);
        if (part->number == TMB_LIVE_NONE) {
            while (next < live->section_count && live->sections[next].triangle_count) {
                next++;
            }
            part->number = next++;
        }
    }
    *section_count = next > live->section_count ? next : live->section_count;
    return *section_count <= live->section_room;
}

static int reserve(update *u)
{
    uint64_t clusters = 0, nodes = 0;
    for (size_t i = 0; i < u->parts.count; i++) {
        const tmb_live_part *part = tmb_live_part_at(&u->parts, i);
        if (!tmb_live_fits(u->live, part->number, part)) {
            clusters += tmb_live_cluster_room(part);
            nodes += tmb_live_node_room(u->live, part);
        }
    }
    return tmb_live_reserve(u->live, clusters, nodes) && tmb_live_reserve_polygons(u->live, u->edition->more_count);
}

/* From here on nothing can fail. */
static void commit(update *u, uint32_t section_count)
{
    tmb_live *live = u->live;
    const tmb_edition *e = u->edition;
    for (uint32_t i = 0; i < e->more_count; i++) {
        live->polygon_surfaces[live->polygon_limit + i] = e->more_surfaces ? e->more_surfaces[i] : 0;
    }
    for (size_t i = 0; i < e->gone_count; i++) {
        live->polygon_sections[e->gone[i]] = TMB_LIVE_NONE;
    }
    for (uint32_t i = 0; i < live->section_count; i++) {
        if (u->is_touched[i]) {
            tmb_live_drop(live, i);
        }
    }
    for (size_t i = 0; i < u->parts.count; i++) {
        tmb_live_put(live, tmb_live_part_at(&u->parts, i)->number, tmb_live_part_at(&u->parts, i));
    }
    live->section_count = section_count;
    live->polygon_limit += e->more_count;
    live->polygon_count += e->more_count - (uint32_t)e->gone_count;
    live->changed += e->more.count + u->gone;
    tmb_live_finish(live);
}

/* Whether it is better to make all sections anew. */
static int is_worn(const tmb_live *live)
{
    const double fine = tmb_local_frame_of(live->header.lower, live->header.upper).scale;
    return live->changed * CHANGED_SHARE > live->made_of || fine > CRAMPED * live->local.scale ||
           live->idle_clusters > live->cluster_used / 2;
}

static int is_possible(const tmb_edition *e)
{
    const tmb_live *live = e->model->live;
    return (e->more.count == 0 || (is_in_frame(live, e->more_facts.lower, e->more_facts.upper) &&
                                   (e->more_facts.is_float || !live->header.points_are_float))) &&
           e->more.count < live->triangle_count && live->polygon_count + e->more_count > e->gone_count;
}

tumble_status tmb_live_update(tmb_edition *e, int *done)
{
    tmb_live *live = e->model->live;
    update u = {.edition = e, .live = live, .arena = &e->arena};
    uint32_t section_count = 0;
    *done = 0;
    if (!is_possible(e) || is_worn(live)) {
        return TUMBLE_OK;
    }
    if (!begin_update(&u)) {
        return tmb_fail_memory(live->context, "editing a model");
    }
    if (2 * u.gathered > live->triangle_count && u.gathered > GROWTH * tmb_live_section_size(live->made_of)) {
        return TUMBLE_OK;
    }
    tumble_status status = build_sections(&u);
    if (status == TUMBLE_OK && number_parts(&u, &section_count)) {
        if (reserve(&u)) {
            commit(&u, section_count);
            tumble_model_destroy(live->flat);
            live->flat = NULL;
            tmb_topology_forget(e->model);
            *done = 1;
        } else {
            status = tmb_fail_memory(live->context, "editing a model");
        }
        tmb_live_view(e->model);
    }
    tmb_live_release_parts(live->context, &u.parts);
    return status;
}
