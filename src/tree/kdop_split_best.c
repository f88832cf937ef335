/* Cutting at the best of all places along an axis: what Klosowski et al. leave to future work (section 3.3.4), with the
 * cost that builders for ray tracing use, volumes in the place of surfaces.
 *
 * The triangles come in groups along the axis: one each, when there are few; else those of equal slices between the
 * first and the last centroid. All cuts between groups are compared. */
#include <math.h>

#include "tree/kdop_split.h"

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

static void group_singly(search *s, const tmb_kdop_item *items, uint32_t count)
{
    const uint32_t lanes = s->rules->row_lanes;
    uint64_t keys[GROUPS];
    for (uint32_t i = 0; i < count; i++) {
        const float coordinate = tmb_kdop_coordinate(&items[i], s->rules->axes[s->axis]);
        insert_key(keys, i, tmb_kdop_key(coordinate, items[i].triangle));
    }
    for (uint32_t i = 0; i < count; i++) {
        const float *row = s->rules->rows + (size_t)(uint32_t)keys[i] * lanes;
        s->seconds[i].key = keys[i];
        s->seconds[i].count = 1;
        memcpy(s->seconds[i].bounds, row, lanes * sizeof *row);
    }
    s->group_count = count;
}

static void group_by_slices(search *s, const tmb_kdop_item *items, uint32_t count)
{
    const float *axis = s->rules->axes[s->axis];
    const uint32_t lanes = s->rules->row_lanes;
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
static void join_groups(search *s)
{
    const uint32_t lanes = s->rules->row_lanes;
    for (uint32_t i = 0; i < s->group_count; i++) {
        s->firsts[i] = s->seconds[i];
        if (i > 0) {
            tmb_kdop_join(s->firsts[i].bounds, s->firsts[i - 1].bounds, lanes);
            s->firsts[i].count += s->firsts[i - 1].count;
        }
    }
    for (uint32_t i = s->group_count - 1; i > 0; i--) {
        tmb_kdop_join(s->seconds[i - 1].bounds, s->seconds[i].bounds, lanes);
        s->seconds[i - 1].count += s->seconds[i].count;
    }
}

/* ---- Cuts ---- */

static double cost_of(const search *s, const group *g)
{
    return tmb_kdop_measure(s->rules, g->bounds, s->margin) * g->count;
}

static double together(const search *s, double first, double second)
{
    return s->rules->options.split == TUMBLE_KDOP_SPLIT_MIN_MAX ? fmax(first, second) : first + second;
}

/* Cuts in front of groups begin to end - 1. The first child only grows from cut to cut, the second one only shrinks, so
 * all of these cost at least what the first child does at the cut before and the second one at the cut behind. */
static void search_cuts(search *s, uint32_t begin, uint32_t end, double first_least, double second_least)
{
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
    search s = {.rules = rules, .axis = axis, .margin = margin, .best = best};
    if (count <= GROUPS) {
        group_singly(&s, items, count);
    } else {
        group_by_slices(&s, items, count);
    }
    join_groups(&s);
    search_cuts(&s, 1, s.group_count, 0, 0);
}
