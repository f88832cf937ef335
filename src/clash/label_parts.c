/* Groups by part: a small set of parts that explains all clashes. Those that only touch are explained by the same parts
 * as far as possible, and by others else. */
#include <stdlib.h>
#include <string.h>

#include "clash/clashes.h"
#include "clash/cover.h"

typedef struct labelling {
    const tumble_clashes *clashes;
    const tumble_clash *items;
    const tumble_assembly_part *parts;
    size_t count;
    uint32_t *order, *rank; /* parts by key, so that their numbers do not matter, and the other way around */
    uint32_t *degrees;      /* clashes of a part */
    uint8_t *is_chosen, *covers;
    tmb_edge *edges;
    uint32_t *labels;
} labelling;

/* A part and what it is sorted by. */
typedef struct keyed {
    const char *key;
    uint32_t part;
} keyed;

static int compare_keys(const void *a, const void *b)
{
    return strcmp(((const keyed *)a)->key, ((const keyed *)b)->key);
}

static int rank_parts(labelling *l, tumble_context *context, size_t part_count)
{
    keyed *sorted = tmb_allocate(context, part_count, sizeof *sorted);
    if (!sorted) {
        return 0;
    }
    for (uint32_t i = 0; i < part_count; i++) {
        sorted[i] = (keyed){l->parts[i].key, i};
    }
    qsort(sorted, part_count, sizeof *sorted, compare_keys);
    for (uint32_t i = 0; i < part_count; i++) {
        l->order[i] = sorted[i].part;
        l->rank[sorted[i].part] = i;
    }
    tmb_release(context, sorted);
    return 1;
}

/* Whether a clash is looked at in this round and not explained yet. */
static int is_open(const labelling *l, const tumble_clash *clash, int touching)
{
    return !tmb_clash_is_gone(clash) && (clash->kind == TUMBLE_CLASH_TOUCHING) == touching && !l->is_chosen[clash->a] &&
           !l->is_chosen[clash->b];
}

/* Chooses parts that explain all clashes of a round. */
static int choose(labelling *l, tumble_context *context, size_t part_count, int touching)
{
    size_t edges = 0;
    for (size_t i = 0; i < l->count; i++) {
        if (is_open(l, &l->items[i], touching)) {
            l->edges[edges++] = (tmb_edge){l->rank[l->items[i].a], l->rank[l->items[i].b]};
        }
    }
    if (!tmb_cover(context, l->edges, edges, part_count, l->covers)) {
        return 0;
    }
    for (size_t i = 0; i < part_count; i++) {
        l->is_chosen[l->order[i]] |= l->covers[i];
    }
    return 1;
}

/* Of two chosen parts the one with more clashes. */
static void label_all(labelling *l)
{
    for (size_t i = 0; i < l->count; i++) {
        const tumble_clash *clash = &l->items[i];
        if (tmb_clash_is_gone(clash)) {
            continue;
        }
        const uint32_t a = clash->a, b = clash->b;
        const int both = l->is_chosen[a] && l->is_chosen[b];
        const int more = l->degrees[a] != l->degrees[b] ? l->degrees[a] > l->degrees[b] : l->rank[a] < l->rank[b];
        l->labels[i] = (both ? more : l->is_chosen[a]) ? a : b;
    }
}

static int label(labelling *l, tumble_context *context, size_t part_count)
{
    memset(l->degrees, 0, part_count * sizeof *l->degrees);
    memset(l->is_chosen, 0, part_count);
    for (size_t i = 0; i < l->count; i++) {
        if (!tmb_clash_is_gone(&l->items[i])) {
            l->degrees[l->items[i].a]++;
            l->degrees[l->items[i].b]++;
        }
    }
    const int is_done =
        rank_parts(l, context, part_count) && choose(l, context, part_count, 0) && choose(l, context, part_count, 1);
    if (is_done) {
        label_all(l);
    }
    return is_done;
}

tumble_status tmb_clash_label_parts(const tumble_clashes *clashes, uint32_t *labels)
{
    tumble_context *context = clashes->context;
    size_t parts;
    labelling l = {.clashes = clashes, .items = clashes->clashes.data, .count = clashes->result.clash_count};
    l.parts = tumble_assembly_parts(clashes->assembly, &parts);
    l.labels = labels;
    l.order = tmb_allocate(context, parts, sizeof *l.order);
    l.rank = tmb_allocate(context, parts, sizeof *l.rank);
    l.degrees = tmb_allocate(context, parts, sizeof *l.degrees);
    l.is_chosen = tmb_allocate(context, parts, 1);
    l.covers = tmb_allocate(context, parts, 1);
    l.edges = tmb_allocate(context, l.count, sizeof *l.edges);
    const int is_done =
        l.order && l.rank && l.degrees && l.is_chosen && l.covers && l.edges && label(&l, context, parts);
    void *memory[] = {l.order, l.rank, l.degrees, l.is_chosen, l.covers, l.edges};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
        tmb_release(context, memory[i]);
    }
    return is_done ? TUMBLE_OK : tmb_fail_memory(context, "the groups of clashes");
}
