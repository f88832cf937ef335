/* A model against itself: the question in progress, the parts of its traversal and what they have found.
 *
 * A traversal starts with a list of pairs of nodes, which depends on the model alone. Each of these pairs is a part
 * that a thread traverses on its own. The hits of the parts are taken in the order of the list, so the results do not
 * depend on threads. */
#ifndef TUMBLE_SRC_SELF_SELF_H
#define TUMBLE_SRC_SELF_SELF_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/arena.h"
#include "collide/pair_set.h"
#include "math/scaled.h"
#include "query/encounter.h"
#include "self/rule.h"
#include "tree/box_view.h"
#include "tumble/self.h"

/* Two triangles that count, by their addresses; that of the smaller polygon first. */
typedef struct tmb_self_hit {
    uint32_t a, b;
    tumble_self_kind kind; /* 0 where nobody asks */
} tmb_self_hit;

/* What a part has found. */
typedef struct tmb_self_part {
    tmb_buffer hits; /* tmb_self_hit */
    size_t hit_count;
    uint64_t found;         /* hits, stored or only counted, */
    tumble_self_pair first; /* and the first of them, without its kind */
    tmb_buffer stack;
    tmb_buffer ring_seen, ring_list; /* the polygons around one, if there is more than one ring */
    tmb_pair_set ring;
    uint32_t ring_of;
    int has_ring;
    uint64_t box_tests, box_updates, primitive_tests, node_bytes;
    unsigned long long exact_tests;
    int failed; /* memory ran out */
} tmb_self_part;

/* Parts that are traversed together, each by one thread; then their hits are taken. */
#define TMB_SELF_WAVE 64

typedef struct tmb_self_scratch {
    tmb_self_part parts[TMB_SELF_WAVE];
    tmb_buffer starts[2];       /* pairs of nodes that the parts start with: levels take turns */
    tmb_buffer pairs, contacts; /* results */
    tmb_buffer seen;            /* the set of polygon pairs */
    tmb_buffer sort, sorted_pairs, sorted_contacts;
    tmb_buffer polygon_starts, polygon_triangles; /* the triangles of each polygon, if they are wanted */
} tmb_self_scratch;

/* Which triangles have a point, and which points a polygon has: from any polygon to those around it. */
typedef struct tmb_self_rings {
    tmb_arena arena;
    uint32_t *polygon_first, *polygon_points; /* three for each triangle */
    uint32_t *point_first, *point_polygons;
} tmb_self_rings;

typedef struct tmb_self tmb_self;

/* A traversal: splits the model into starts, and visits one of them. */
typedef struct tmb_self_walk {
    size_t (*split)(tmb_self *self, tmb_self_part *part); /* how many starts; 0 with a status: no memory */
    void (*visit)(tmb_self *self, tmb_self_part *part, size_t start);
} tmb_self_walk;
extern const tmb_self_walk tmb_self_wide, tmb_self_boxes;

struct tmb_self {
    tumble_query *query;
    const tumble_model *model;
    const tumble_self_options *options;
    tmb_self_scratch *scratch;
    const tmb_self_walk *walk;
    tumble_status status;
    const void *starts; /* of the parts */

    tmb_limit limit;         /* of distances, when is_near */
    int is_near;             /* there is a clearance, or a radius */
    tmb_encounter cylinders; /* of the model with itself, if it consists of them; each thread copies it */
    int soup, one;           /* sharing does not matter; the first hit ends the query */
    int want_hits;           /* hits are stored; else counted */
    int want_kinds, want_contacts;
    int has_large;               /* some polygon has several triangles */
    const tmb_self_rings *rings; /* if there is more than one ring: */
    tmb_self_rings room_for_rings;
    atomic_size_t first_part; /* when one hit is wanted: no part after this one matters */
    pthread_t caller;         /* who asked the question, */
    int has_one_thread;
    atomic_int is_cancelled; /* and may have cancelled it */
    size_t wave;             /* the first start of the parts in work */

    int collide;
    tumble_self_pair first;
    uint64_t pair_count, contact_count;
    size_t pairs_stored, contacts_stored, pairs_delivered, contacts_delivered;
    int keep_pairs, keep_contacts; /* also what a callback has seen, to be sorted in the end */
    tmb_pair_set seen;
};

/* Tests two triangles, by their addresses, and notes a hit. `are_strangers`: they are known to share no corner. Returns
 * 1 when the part is to stop. */
int tmb_self_test(tmb_self *self, tmb_self_part *part, uint32_t ta, uint32_t tb, int are_strangers);

/* The same for triangles that intersect and share no corner. */
int tmb_self_add(tmb_self *self, tmb_self_part *part, uint32_t ta, uint32_t tb);

/* Whether the query is to end: its progress function is asked on the thread that asked the question. */
static inline int tmb_self_is_cancelled(tmb_self *self)
{
    int is_cancelled = atomic_load_explicit(&self->is_cancelled, memory_order_relaxed);
    if (!is_cancelled && (self->has_one_thread || pthread_equal(self->caller, pthread_self()))) {
        is_cancelled = tmb_watch_ends(self->query->watch);
        if (is_cancelled) {
            atomic_store_explicit(&self->is_cancelled, 1, memory_order_relaxed);
        }
    }
    return is_cancelled;
}

/* Whether a part of the traversal need not go on: an earlier one has the answer, or nobody wants it any more. */
static inline int tmb_self_is_over(tmb_self *self, size_t start)
{
    return (self->one && atomic_load_explicit(&self->first_part, memory_order_relaxed) < start) ||
           tmb_self_is_cancelled(self);
}

/* ---- Results ---- */

tumble_status tmb_self_results_begin(tmb_self *self);
/* Takes the hits of a part; the status tells whether to go on. */
void tmb_self_results_take(tmb_self *self, tmb_self_part *part);
void tmb_self_results_end(tmb_self *self);

/* Where two triangles meet that are a hit: outside of what they share, if they lie in one plane. */
void tmb_self_contact(const tmb_self *self, const double a[3][3], const double b[3][3], tumble_contact *contact);

#endif
