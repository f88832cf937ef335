/* k-DOP trees in a block: where the parts lie, and the rows' links. */
#include <string.h>

#include "base/assert.h"
#include "tree/kdop/kdop.h"

static uint64_t aligned(uint64_t bytes)
{
    return (bytes + TMB_CACHE_LINE - 1) / TMB_CACHE_LINE * TMB_CACHE_LINE;
}

/* No sum overflows: counts are below 2^32, and what they are multiplied with below 2^9. */
tmb_kdop_parts tmb_kdop_parts_of(const tmb_block *block)
{
    const tmb_kdop_root *root = &block->kdop;
    const uint64_t nodes = block->node_count + 1, rows = (uint64_t)tmb_kdop_volumes(block) + 1;
    const uint64_t words = sizeof(uint32_t);
    const int lookup = root->tumble == TUMBLE_KDOP_TUMBLE_LOOKUP,
              vertices = root->tumble == TUMBLE_KDOP_TUMBLE_VERTICES;
    tmb_kdop_parts parts = {.links = root->bare_leaves ? 0 : root->k * words};
    parts.rows = root->bare_leaves ? aligned(2 * nodes * words) : 0;
    const uint64_t row = root->bare_leaves ? root->k : tmb_kdop_words(root->k);
    parts.lookups = parts.rows + aligned((rows * row + TMB_KDOP_SLACK) * words);
    parts.vertex_first = parts.lookups + (lookup ? aligned(rows * tmb_kdop_lookup_words(root->k) * words) : 0);
    parts.vertices = parts.vertex_first + (vertices ? aligned((rows + 1) * words) : 0);
    parts.hull_places = parts.vertices + aligned(root->vertex_count * sizeof(float[3]));
    parts.hull_points = parts.hull_places;
    if (root->hull_nodes) {
        parts.hull_points += aligned((root->hull_nodes + (uint64_t)1) * sizeof(tmb_kdop_hull_place));
    }
    parts.hull_first = parts.hull_points + aligned(root->hull_count * sizeof(double[3]));
    parts.hull_links = parts.hull_first + aligned(((uint64_t)root->hull_count + root->hull_nodes) * words);
    parts.end = parts.hull_links + aligned(root->hull_links * words);
    return parts;
}

tmb_kdop_view tmb_kdop_view_of(const tmb_block *block, const void *nodes)
{
    const tmb_kdop_parts parts = tmb_kdop_parts_of(block);
    const int bare = block->kdop.bare_leaves != 0;
    const uint32_t k = block->kdop.k;
    return (tmb_kdop_view){.links = (const uint32_t *)((const char *)nodes + parts.links),
                           .bounds = (const float *)((const char *)nodes + parts.rows),
                           .link_step = bare ? 2 : tmb_kdop_words(k),
                           .bound_step = bare ? k : tmb_kdop_words(k),
                           .has_bare_leaves = bare};
}

typedef struct writing {
    const tmb_kdop_tree *tree;
    const uint32_t *addresses;
    uint32_t *links, step;
    uint32_t next; /* the next free row, an even number */
} writing;

static void mark_cuts(const tmb_kdop_tree *tree, uint32_t cut, uint8_t *starts)
{
    for (; cut; cut = tree->cuts[cut][1]) {
        starts[cut] = 1;
        mark_cuts(tree, tree->cuts[cut][0], starts);
    }
}

void tmb_kdop_mark_leaves(const tmb_kdop_tree *tree, size_t triangle_count, uint8_t *starts)
{
    memset(starts, 0, triangle_count);
    starts[0] = 1;
    mark_cuts(tree, tree->root_cut, starts);
}

/* The row of the set begin .. end that is cut in front of `cut`, and all below it, depth first. */
static void write_row(writing *w, uint32_t row, uint32_t begin, uint32_t end, uint32_t cut)
{
    TMB_ASSERT(begin < end);
    TMB_ASSERT(cut == 0 || (cut > begin && cut < end));
    uint32_t *words = w->links + (size_t)row * w->step;
    while (cut) { /* the second child is done in the same call */
        const uint32_t children = w->next;
        w->next += 2;
        words[0] = children;
        words[1] = 0;
        write_row(w, children, begin, cut, w->tree->cuts[cut][0]);
        words = w->links + (size_t)(children + 1) * w->step;
        begin = cut;
        cut = w->tree->cuts[cut][1];
    }
    words[0] = w->addresses[begin];
    words[1] = end - begin;
}

void tmb_kdop_write(const tmb_kdop_tree *tree, size_t triangle_count, const uint32_t *addresses, uint32_t *links,
                    uint32_t step)
{
    TMB_ASSERT(triangle_count > 0);
    TMB_ASSERT(tree->root_cut < triangle_count);
    writing w = {.tree = tree, .addresses = addresses, .links = links, .step = step, .next = TMB_KDOP_ROOT + 1};
    write_row(&w, TMB_KDOP_ROOT, 0, (uint32_t)triangle_count, tree->root_cut);
}
