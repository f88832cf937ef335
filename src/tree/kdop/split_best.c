/* Cutting at the best of all places along an axis: what Klosowski et al. leave to future work (section 3.3.4), with the
 * cost that builders for ray tracing use, volumes of widened k-DOPs in the place of surfaces.
 *
 * The triangles come in groups along the axis: those with equal coordinates, when there are few triangles; else those
 * of equal slices between the first and the last centroid. All cuts between groups are compared. */
#include <math.h>

#include "base/assert.h"
#include "tree/kdop/split.h"
#include "tree/kdop/volume.h"

#define GROUPS 32

typedef struct group {
    uint64_t key; /* the least */
    uint32_t count;
    float bounds[TMB_KDOP_ROW_MOST];
} group;

typedef struct search {
    const tmb_kdop_rules *rules;
    uint32_t axis;
    double margin;
    uint32_t group_count;
    group firsts[GROUPS];  /* number i: groups 0 to i together */
    group seconds[GROUPS]; /* number i: groups i to the last together, with the key of i */
    tmb_kdop_cut *best;
} search;

/* ---- Groups, in `seconds` at first ---- */

static void insert_key(uint64_t *keys, uint32_t count, uint64_t key)
{
    for (; count > 0 && keys[count - 1] > key; count--) {
        keys[count] = keys[count - 1];
    }
    keys[count] = key;
}

static inline void group_by_coordinates(search *s, const tmb_kdop_item *items, uint32_t count, uint32_t lanes)
{
    uint64_t keys[GROUPS];
    for (uint32_t i = 0; i < count; i++) {
        const float coordinate = tmb_kdop_coordinate(&items[i], s->rules->axes[s->axis]);
        insert_key(keys, i, tmb_kdop_key(coordinate, items[i].triangle));
    }
    for (uint32_t i = 0; i < count; i++) {
        const float *row = s->rules->rows + (size_t)(uint32_t)keys[i] * lanes;
        group *g = &s->seconds[s->group_count];
        if (s->group_count > 0 && g[-1].key >> 32 == keys[i] >> 32) {
            tmb_kdop_join(g[-1].bounds, row, lanes);
            g[-1].count++;
            continue;
        }
        g->key = keys[i];
        g->count = 1;
        memcpy(g->bounds, row, lanes * sizeof *row);
        s->group_count++;
    }
}

static inline void group_by_slices(search *s, const tmb_kdop_item *items, uint32_t count, uint32_t lanes)
{
    const float *axis = s->rules->axes[s->axis];
    float least = INFINITY, most = -INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        const float x = tmb_kdop_coordinate(&items[i], axis);
        least = x < least ? x : least;
        most = x > most ? x : most;
    }
    for (uint32_t i = 0; i < GROUPS; i++) {
        s->seconds[i].key = UINT64_MAX;
        s->seconds[i].count = 0;
        tmb_kdop_join_none(s->seconds[i].bounds, lanes);
    }
    const float scale = most > least ? GROUPS / (most - least) : 0;
    for (uint32_t i = 0; i < count; i++) {
        const float x = tmb_kdop_coordinate(&items[i], axis), slice = (x - least) * scale;
        const uint64_t key = tmb_kdop_key(x, 0);
        group *g = &s->seconds[slice < GROUPS ? (uint32_t)slice : GROUPS - 1];
        g->key = key < g->key ? key : g->key;
        g->count++;
        tmb_kdop_join(g->bounds, s->rules->rows + (size_t)items[i].triangle * lanes, lanes);
    }
    for (uint32_t i = 0; i < GROUPS; i++) { /* those that are not empty */
        s->seconds[s->group_count] = s->seconds[i];
        s->group_count += s->seconds[i].count > 0;
    }
}

/* Sums from both ends. */
static inline void join_groups(search *s, uint32_t lanes)
{
    for (uint32_t i = 0; i < s->group_count; i++) {
        s->firsts[i] = s->seconds[i];
        if (i > 0) {
            tmb_kdop_join(s->firsts[i].bounds, s->firsts[i - 1].bounds, lanes);
            s->firsts[i].count += s->firsts[i - 1].count;
        }
    }
    for (uint32_t i = s->group_count; i > 1; i--) {
        tmb_kdop_join(s->seconds[i - 2].bounds, s->seconds[i - 1].bounds, lanes);
        s->seconds[i - 2].count += s->seconds[i - 1].count;
    }
}

static inline void group_items(search *s, const tmb_kdop_item *items, uint32_t count, uint32_t lanes)
{
    if (count <= GROUPS) {
        group_by_coordinates(s, items, count, lanes);
    } else {
        group_by_slices(s, items, count, lanes);
    }
    join_groups(s, lanes);
}

/* ---- Cuts ---- */

/* With margins as large as here, the estimate for k = 26 is as good as the volume. */
static double cost_of(const search *s, const group *g)
{
    const uint32_t k = s->rules->options.k;
    const double volume =
        k == 26 ? tmb_kdop_volume_estimate(k, g->bounds, s->margin) : tmb_kdop_measure(s->rules, g->bounds, s->margin);
    return volume * g->count;
}

static double together(const search *s, double first, double second)
{
    return s->rules->options.split == TUMBLE_KDOP_SPLIT_MIN_MAX ? fmax(first, second) : first + second;
}

/* Cuts in front of groups begin to end - 1. The first child only grows from cut to cut, the second one only shrinks, so
 * all of these cost at least what the first child does at the cut before and the second one at the cut after. */
static void search_cuts(search *s, uint32_t begin, uint32_t end, double first_least, double second_least)
{
    TMB_ASSERT(begin <= end);
    while (begin < end && together(s, first_least, second_least) < s->best->cost) {
        const uint32_t cut = begin + (end - begin) / 2;
        const double first = cost_of(s, &s->firsts[cut - 1]), second = cost_of(s, &s->seconds[cut]);
        const double cost = together(s, first, second);
        if (cost < s->best->cost) {
            *s->best = (tmb_kdop_cut){s->axis, s->seconds[cut].key, cost};
        }
        search_cuts(s, begin, cut, first_least, second);
        begin = cut + 1;
        first_least = first;
    }
}

void tmb_kdop_split_best(const tmb_kdop_rules *rules, const tmb_kdop_item *items, uint32_t count, uint32_t axis,
                         double margin, tmb_kdop_cut *best)
{
    TMB_ASSERT(axis < rules->axis_count);
    TMB_ASSERT(count >= 2);
    TMB_ASSERT(margin >= 0);
    search s; /* not all of it is needed */
    s.rules = rules, s.axis = axis, s.margin = margin, s.best = best, s.group_count = 0;
    TMB_KDOP_WITH_LANES(rules->row_lanes, group_items(&s, items, count, lanes))
    if (count == 2 && s.group_count == 2 && best->cost > 0) { /* the only cut there is */
        *best = (tmb_kdop_cut){axis, s.seconds[1].key, 0};
    }
    search_cuts(&s, 1, s.group_count, 0, 0);
}
