/* Joins: all pairs of boxes of a tree that overlap, or of some objects with a tree. */
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

/* A pair of nodes of one level that may have overlapping boxes below them; equal nodes stand for all pairs in the
 * node. */
typedef struct tmb_join_task {
    uint32_t level, node_a, node_b;
} tmb_join_task;

/* Pairs as smaller object << 32 | larger object. */
typedef struct tmb_join_output {
    tumble_context *context;
    tmb_buffer pairs; /* of uint64_t */
    size_t count;
    int failed; /* memory ran out: the rest is missing */
} tmb_join_output;

/* Threads append to so many outputs. */
#define TMB_JOIN_PARTS 64

/* ---- A tree with itself ---- */

typedef struct tmb_join {
    const tmb_box_tree *tree;
    const tmb_join_filter *filter;
} tmb_join;

/* Finds all pairs of a task. */
typedef void tmb_join_kernel(const tmb_join *join, tmb_join_task task, tmb_join_output *output);
TMB_DECLARE_KERNELS(tmb_join_kernel, tmb_join_run);

/* All pairs, in no particular order. 0 if memory runs out. */
int tmb_join_all(tumble_context *context, uint32_t thread_count, const tmb_join *join,
                 tmb_join_output outputs[TMB_JOIN_PARTS]);

/* ---- Some objects with a tree ---- */

typedef struct tmb_probe {
    const tmb_box_tree *tree;
    const tmb_join_filter *filter;
    const tmb_box *boxes;    /* by object */
    const uint32_t *objects; /* that are looked for */
    size_t count;
    /* Objects that are looked for, too: of a pair of two, only the smaller one finds it. A bit for each object; NULL:
     * all are. */
    const uint64_t *moved;
} tmb_probe;

/* Finds all pairs of some of the objects. */
typedef void tmb_probe_kernel(const tmb_probe *search, size_t begin, size_t end, tmb_join_output *output);
TMB_DECLARE_KERNELS(tmb_probe_kernel, tmb_probe_run);

/* All pairs; those of an output are of objects that come before those of the next one. 0 if memory runs out. */
int tmb_probe_all(tumble_context *context, uint32_t thread_count, const tmb_probe *search,
                  tmb_join_output outputs[TMB_JOIN_PARTS]);

static inline int tmb_has_bit(const uint64_t *bits, uint32_t number)
{
    return (int)(bits[number / 64] >> (number % 64) & 1);
}

static inline void tmb_flip_bit(uint64_t *bits, uint32_t number)
{
    bits[number / 64] ^= (uint64_t)1 << (number % 64);
}

#endif
