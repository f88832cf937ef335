/* Wide hierarchies of edited models: sections in their place, and the tree over them. */
#include <string.h>

#include "base/assert.h"
#include "tree/edit/live.h"
#include "tree/wide/fit.h"

typedef struct section_root {
    tmb_wide_node node;
    tmb_wide_patch patch;
} section_root;

_Static_assert(sizeof(section_root) <= TMB_LIVE_ROOT_WORDS * sizeof(uint32_t), "a section keeps its root");

static uint32_t node_bytes(const tumble_tuning *tuning)
{
    (void)tuning;
    return sizeof(tmb_wide_node);
}

static uint32_t node_count(const tmb_block *part)
{
    return (uint32_t)part->node_count - 1;
}

/* No more nodes than a binary tree has. */
static size_t top_count(size_t section_count)
{
    return 2 * section_count;
}

static const tmb_wide_node *nodes_of(const tmb_block *part)
{
    return (const tmb_wide_node *)((const char *)part + part->offsets[TMB_SECTION_NODES]);
}

/* Fits the part once more, for what is known of its root. */
static int prepare(tumble_context *context, tmb_block *part, tmb_live_section *section)
{
    section_root root = {.node = {.child_count = 0}};
    tmb_wide_patch *patches = tmb_allocate(context, (size_t)part->node_count, sizeof *patches);
    if (!patches) {
        return 0;
    }
    (void)tmb_wide_fit(context, 1, part, patches); /* one thread needs no memory */
    root.node = nodes_of(part)[0];
    root.patch = patches[0];
    memcpy(section->root, &root, sizeof root);
    tmb_release(context, patches);
    return 1;
}

/* Node i > 0 of the part becomes i - 1 of the section. */
static void shift(const tmb_live_section *section, tmb_wide_node *node)
{
    node->children += node->is_lowest ? section->cluster : section->node - 1;
}

static void place(tmb_live *live, const tmb_block *part, tmb_live_section *section)
{
    tmb_wide_node *out = (tmb_wide_node *)(void *)live->nodes + section->node;
    const uint32_t count = node_count(part);
    section_root root;
    memcpy(out, nodes_of(part) + 1, count * sizeof *out);
    for (uint32_t i = 0; i < count; i++) {
        shift(section, &out[i]);
    }
    memcpy(&root, section->root, sizeof root);
    shift(section, &root.node);
    memcpy(section->root, &root, sizeof root);
}

/* ---- The tree over sections ---- */

typedef struct writing {
    tmb_live *live;
    tmb_wide_node *nodes;
    tmb_wide_patch *patches;
    uint32_t used;
} writing;

/* Up to eight nodes of the plan below one: those with the largest boxes are opened. */
static uint32_t open_children(const tmb_live *live, uint32_t from, uint32_t out[TMB_WIDE])
{
    uint32_t count = 2;
    out[0] = live->top[from].children;
    out[1] = out[0] + 1;
    while (count < TMB_WIDE) {
        uint32_t best = count;
        float most = -1;
        for (uint32_t i = 0; i < count; i++) {
            const tmb_top_node *node = &live->top[out[i]];
            if (node->children && tmb_split_area(&node->box) > most) {
                most = tmb_split_area(&node->box);
                best = i;
            }
        }
        if (best == count) {
            break;
        }
        const uint32_t children = live->top[out[best]].children;
        out[best] = children;
        out[count++] = children + 1;
    }
    return count;
}

/* Returns the depth. */
static uint32_t write_node(writing *w, uint32_t number, uint32_t from)
{
    uint32_t children[TMB_WIDE], depth = 0;
    if (!w->live->top[from].children) {
        const tmb_live_section *section = &w->live->sections[w->live->top[from].section];
        section_root root;
        memcpy(&root, section->root, sizeof root);
        w->nodes[number] = root.node;
        w->patches[number] = root.patch;
        return section->depth;
    }
    const uint32_t count = open_children(w->live, from, children), first = w->used;
    tmb_wide_node *node = &w->nodes[number];
    node->children = first;
    node->child_count = (uint16_t)count;
    node->is_lowest = 0;
    w->used += count;
    TMB_ASSERT(w->used <= w->live->top_room);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t below = write_node(w, first + i, children[i]);
        depth = below > depth ? below : depth;
    }
    tmb_wide_write_node(node, w->patches + first, &w->patches[number]);
    tmb_wide_enclose_slab(&w->patches[number], w->patches + first, count);
    return depth + 1;
}

static void write_top(tmb_live *live)
{
    writing w = {live, (tmb_wide_node *)(void *)live->nodes, live->scratch, 1};
    live->header.depth = write_node(&w, 0, 0);
    live->header.node_count = live->node_used;
    TMB_ASSERT(live->header.depth <= TMB_WIDE_LEVELS);
}

const tmb_live_kind tmb_wide_live = {.node_bytes = node_bytes,
                                     .node_count = node_count,
                                     .top_count = top_count,
                                     .scratch_bytes = sizeof(tmb_wide_patch),
                                     .prepare = prepare,
                                     .place = place,
                                     .write_top = write_top};
