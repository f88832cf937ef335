/* Triangles that a ray meets: the closest, or all of them, in the exact order of their parameters. */
#include "ray/search.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"

void tmb_ray_search_begin(tmb_ray_search *s, const tumble_model *model, double padding, tumble_mode mode,
                          tmb_ray_memory *memory)
{
    memset(s, 0, sizeof *s);
    s->model = model;
    s->padding = padding;
    s->reach = model->radius + padding;
    memory->exact.arena.context = model->context;
    memory->exact.failed = 0;
    s->mode = mode;
    s->memory = memory;
    s->lists = mode == TUMBLE_ALL || (mode == TUMBLE_COUNT && tmb_model_has_large_polygons(model));
}

void tmb_ray_search_aim(tmb_ray_search *s)
{
    s->limit = s->ray.last;
    s->found_count = 0;
    s->is_over = s->has_failed = 0;
}

void tmb_ray_search_run(tmb_ray_search *searches, size_t count)
{
    TMB_ASSERT(count >= 1 && count <= (searches->lists ? 1 : TMB_RAYS_IN_TURN));
    const tmb_block *block = searches->model->block;
    if (block->triangle_count == 0) {
        return;
    }
    if (block->hierarchy == TUMBLE_HIERARCHY_WIDE && searches->reach == 0) {
        tmb_ray_walk_wide(searches, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        tmb_ray_walk_boxes(&searches[i]);
    }
}

/* ---- Which comes first ---- */

/* Front before back before edge-on: sides of triangles of one polygon that the ray meets at the same point. */
static int rank_of_side(int side)
{
    return side > 0 ? 0 : side < 0 ? 1 : 2;
}

static int compare_parameters(tmb_ray_search *s, tmb_ray_found *a, tmb_ray_found *b)
{
    double corners_a[3][3], corners_b[3][3];
    if (s->reach > 0) {
        return tmb_ray_thick_compare(s, a, b);
    }
    tmb_model_corners(s->model, a->address, corners_a);
    tmb_model_corners(s->model, b->address, corners_b);
    return tmb_ray_compare(&s->ray, (const double(*)[3])corners_a, &a->at, (const double(*)[3])corners_b, &b->at);
}

static int compare_found(tmb_ray_search *s, tmb_ray_found *a, tmb_ray_found *b)
{
    const int order = compare_parameters(s, a, b);
    if (order != 0) {
        return order;
    }
    if (a->polygon != b->polygon) {
        return a->polygon < b->polygon ? -1 : 1;
    }
    return rank_of_side(a->at.side) - rank_of_side(b->at.side);
}

static int compare_polygons(tmb_ray_search *s, tmb_ray_found *a, tmb_ray_found *b)
{
    return a->polygon != b->polygon ? (a->polygon < b->polygon ? -1 : 1)
           : s->mode == TUMBLE_ALL  ? compare_found(s, a, b)
                                    : 0;
}

/* No hit at a parameter that is certainly larger matters. */
static double later_than(const tmb_ray_point *at)
{
    return at->error >= 0 ? nextafter(at->t + at->error, INFINITY) : nextafter(at->t, INFINITY);
}

static void note_best(tmb_ray_search *s, const tmb_ray_found *found)
{
    tmb_ray_found other = *found;
    if (s->found_count > 0 && compare_found(s, &other, &s->best) >= 0) {
        return;
    }
    s->found_count = 1;
    s->best = other;
    s->limit = fmin(s->limit, later_than(&other.at));
}

static void note_listed(tmb_ray_search *s, const tmb_ray_found *found)
{
    tmb_ray_memory *memory = s->memory;
    if (!tmb_buffer_reserve(s->model->context, &memory->found, 2 * (s->found_count + 1), sizeof *found,
                            s->found_count * sizeof *found)) {
        s->has_failed = s->is_over = 1;
        return;
    }
    ((tmb_ray_found *)memory->found.data)[s->found_count++] = *found;
}

void tmb_ray_search_try(tmb_ray_search *s, uint32_t address)
{
    tmb_ray_found found = {.address = address};
    double corners[3][3];
    tmb_model_corners(s->model, address, corners);
    s->counters.primitive_tests++;
    const int meets = s->reach > 0
                          ? tmb_ray_thick_meets(s, address, &found.at)
                          : tmb_ray_meets(&s->ray, (const double(*)[3])corners, &found.at, &s->counters.exact_tests);
    if (!meets) {
        return;
    }
    found.polygon = tmb_model_polygon(s->model, address);
    if (s->mode == TUMBLE_FIRST) {
        note_best(s, &found);
    } else if (s->lists) {
        note_listed(s, &found);
    } else {
        s->best = found;
        s->found_count++;
        s->is_over = s->mode == TUMBLE_TEST;
    }
}

void tmb_ray_search_cross(tmb_ray_search *s, uint32_t address, int side)
{
    if (s->lists) {
        tmb_ray_search_try(s, address);
        return;
    }
    s->best = (tmb_ray_found){.address = address,
                              .polygon = tmb_model_polygon(s->model, address),
                              .at = {.kind = TMB_RAY_CROSSING, .error = INFINITY, .side = (int8_t)side}};
    s->found_count++;
    s->is_over = s->mode == TUMBLE_TEST;
}

/* ---- All of them ---- */

typedef int found_order(tmb_ray_search *s, tmb_ray_found *a, tmb_ray_found *b);

static void merge(tmb_ray_search *s, found_order *order, tmb_ray_found *from, size_t middle, size_t end,
                  tmb_ray_found *to)
{
    for (size_t i = 0, j = middle, n = 0; n < end; n++) {
        const int left = j == end || (i < middle && order(s, &from[i], &from[j]) <= 0);
        to[n] = from[left ? i++ : j++];
    }
}

/* Returns the one of both arrays that has the result. */
static tmb_ray_found *sort_found(tmb_ray_search *s, found_order *order, tmb_ray_found *from, tmb_ray_found *to)
{
    const size_t count = s->found_count;
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t begin = 0; begin < count; begin += 2 * run) {
            const size_t rest = count - begin, end = rest < 2 * run ? rest : 2 * run;
            merge(s, order, from + begin, run < end ? run : end, end, to + begin);
        }
        tmb_ray_found *const sorted = to;
        to = from;
        from = sorted;
    }
    return from;
}

/* Of each polygon only the first. */
static void drop_repeated(tmb_ray_search *s, tmb_ray_found *found)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->found_count; i++) {
        if (i == 0 || found[i].polygon != found[i - 1].polygon) {
            found[kept++] = found[i];
        }
    }
    s->found_count = kept;
}

void tmb_ray_search_round(tmb_ray_search *s, const tmb_ray *ray, tmb_ray_found *found)
{
    double corners[3][3];
    if (s->reach > 0) {
        tmb_ray_thick_round(s, ray, found);
        return;
    }
    tmb_model_corners(s->model, found->address, corners);
    tmb_ray_round(ray, (const double(*)[3])corners, &found->at);
}

size_t tmb_ray_search_settle(tmb_ray_search *s)
{
    if (!s->lists || s->found_count == 0 || s->has_failed) {
        return s->found_count;
    }
    tmb_ray_found *found = s->memory->found.data, *spare = found + s->memory->found.capacity / sizeof *found / 2;
    if (tmb_model_has_large_polygons(s->model)) {
        tmb_ray_found *sorted = sort_found(s, compare_polygons, found, spare);
        drop_repeated(s, sorted);
        spare = sorted == found ? spare : found;
        found = sorted;
    }
    if (s->mode == TUMBLE_ALL) {
        found = sort_found(s, compare_found, found, spare);
    }
    if (found != s->memory->found.data) {
        memcpy(s->memory->found.data, found, s->found_count * sizeof *found);
    }
    return s->found_count;
}
