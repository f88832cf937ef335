/* k-DOP trees of edited models: sections in their place, and the tree over them. */
#include <string.h>

#include "base/assert.h"
#include "tree/edit/live.h"
#include "tree/kdop/kdop.h"

_Static_assert(TMB_KDOP_MOST + 2 <= TMB_LIVE_ROOT_WORDS, "a section keeps its root");

/* Lookups, vertices, hulls and the order of bare leaves are of whole trees. */
static int suits(const tumble_tuning *tuning)
{
    return tuning->kdop.tumble != TUMBLE_KDOP_TUMBLE_LOOKUP && tuning->kdop.tumble != TUMBLE_KDOP_TUMBLE_VERTICES &&
           !tuning->kdop.hull && !tuning->kdop.bare_leaves;
}

static uint32_t node_bytes(const tumble_tuning *tuning)
{
    return tmb_kdop_words(tuning->kdop.k) * (uint32_t)sizeof(uint32_t);
}

static uint32_t node_count(const tmb_block *part)
{
    return (uint32_t)part->node_count - 1;
}

static size_t top_count(size_t section_count)
{
    return 2 * section_count + 2;
}

static const uint32_t *rows_of(const tmb_block *part)
{
    return (const uint32_t *)((const char *)part + part->offsets[TMB_SECTION_NODES]);
}

static int prepare(tumble_context *context, tmb_block *part, tmb_live_section *section)
{
    (void)context;
    const uint32_t k = part->kdop.k;
    memcpy(section->root, tmb_kdop_row(rows_of(part), k, TMB_KDOP_ROOT), tmb_kdop_words(k) * sizeof(uint32_t));
    return 1;
}

/* Row i > 1 of the part becomes i - 2 of the section. */
static void shift(const tmb_live_section *section, uint32_t k, uint32_t *row)
{
    row[k] += tmb_kdop_count(k, row) ? section->cluster * TMB_CLUSTER_TRIANGLES : section->node - 2;
}

static void place(tmb_live *live, const tmb_block *part, tmb_live_section *section)
{
    TMB_ASSERT(section->node % 2 == 0);
    const uint32_t k = part->kdop.k, words = tmb_kdop_words(k), count = node_count(part);
    uint32_t *out = (uint32_t *)(void *)live->nodes + (size_t)section->node * words;
    memcpy(out, rows_of(part) + (size_t)2 * words, (size_t)count * words * sizeof *out);
    for (size_t i = 0; i < count; i++) {
        shift(section, k, out + i * words);
    }
    shift(section, k, section->root);
}

/* ---- The tree over sections ---- */

typedef struct writing {
    tmb_live *live;
    uint32_t k, *rows;
    uint32_t used;
} writing;

static uint32_t write_row(writing *w, uint32_t number, uint32_t from)
{
    const uint32_t words = tmb_kdop_words(w->k), children = w->live->top[from].children;
    uint32_t *row = w->rows + (size_t)number * words, depth = 0;
    if (!children) {
        const tmb_live_section *section = &w->live->sections[w->live->top[from].section];
        memcpy(row, section->root, words * sizeof *row);
        return section->depth;
    }
    const uint32_t first = w->used;
    w->used += 2;
    TMB_ASSERT(w->used <= w->live->top_room);
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t below = write_row(w, first + i, children + i);
        depth = below > depth ? below : depth;
    }
    const float *left = (const float *)(w->rows + (size_t)first * words), *right = left + words;
    for (uint32_t i = 0; i < w->k; i++) {
        ((float *)row)[i] = left[i] > right[i] ? left[i] : right[i];
    }
    row[w->k] = first;
    row[w->k + 1] = 0;
    return depth + 1;
}

static void write_top(tmb_live *live)
{
    const uint32_t k = live->tuning.kdop.k;
    writing w = {live, k, (uint32_t *)(void *)live->nodes, TMB_KDOP_ROOT + 1};
    live->header.kdop = (tmb_kdop_root){.k = k, .leaf = live->tuning.kdop.leaf};
    live->header.depth = write_row(&w, TMB_KDOP_ROOT, 0);
    live->header.node_count = live->node_used - 1;
    TMB_ASSERT(live->header.depth <= TMB_KDOP_DEPTH);
}

const tmb_live_kind tmb_kdop_live = {.suits = suits,
                                     .node_bytes = node_bytes,
                                     .node_count = node_count,
                                     .top_count = top_count,
                                     .prepare = prepare,
                                     .place = place,
                                     .write_top = write_top};
