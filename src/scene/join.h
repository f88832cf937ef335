/* Joins: all pairs of boxes that overlap, of one tree or of two. */
#ifndef TUMBLE_SRC_SCENE_JOIN_H
#define TUMBLE_SRC_SCENE_JOIN_H

#include "base/kernel.h"
#include "scene/box_tree.h"
#include "scene/pair_hash.h"

/* Who may be paired with whom; arrays are by object. */
typedef struct tmb_join_filter {
    const uint32_t *groups, *masks;
    const uint8_t *has_ignored; /* objects with ignored pairs: TMB_IGNORES_... */
    const tmb_pair_hash *ignored;
    const uint32_t *group_rows; /* of each group, those that it is not compared with */
    int is_open;                /* all pairs are allowed, whatever the rest says */
} tmb_join_filter;

#define TMB_IGNORES_PAIRS 1
#define TMB_IGNORES_GROUPS 4

/* Whether a pair of two marked objects is ignored (ignore.c). */
int tmb_join_ignores(const tmb_join_filter *filter, uint32_t a, uint32_t b);

static inline int tmb_join_allows(const tmb_join_filter *f, uint32_t a, uint32_t b)
{
    return (f->groups[a] & f->masks[b]) && (f->groups[b] & f->masks[a]) &&
           !(f->has_ignored[a] && f->has_ignored[b] && tmb_join_ignores(f, a, b));
}

/* A pair of nodes that may have overlapping boxes below them; equal nodes of one tree stand for all pairs in the
 * node. */
typedef struct tmb_join_task {
    uint32_t level_a, node_a, level_b, node_b;
} tmb_join_task;

/* Pairs as smaller object << 32 | larger object. */
typedef struct tmb_join_output {
    tumble_context *context;
    tmb_buffer pairs; /* of uint64_t */
    size_t count;
    int failed; /* memory ran out: the rest is missing */
} tmb_join_output;

/* A join of `a` with `b`, or of `a` with itself if they are the same. `moved`, by object, may be NULL: pairs with an
 * object of B that has moved are found twice, from both sides, and only the one whose object of A is smaller counts. */
typedef struct tmb_join {
    const tmb_box_tree *a, *b;
    const tmb_join_filter *filter;
    const uint8_t *moved;
} tmb_join;

/* Finds all pairs of a task. */
typedef void tmb_join_kernel(const tmb_join *join, tmb_join_task task, tmb_join_output *output);
TMB_DECLARE_KERNELS(tmb_join_kernel, tmb_join_run);

/* The whole join, on several threads, which append to the outputs: pairs are in no particular order. 0 if memory runs
 * out. */
#define TMB_JOIN_PARTS 64
int tmb_join_all(tumble_context *context, uint32_t thread_count, const tmb_join *join,
                 tmb_join_output outputs[TMB_JOIN_PARTS]);

#endif
