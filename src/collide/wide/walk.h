/* Two wide hierarchies against each other: what the setup hands to the kernels. See docs/wide.md for the bounds. */
#ifndef TUMBLE_SRC_COLLIDE_WIDE_WALK_H
#define TUMBLE_SRC_COLLIDE_WIDE_WALK_H

#include "base/kernel.h"
#include "collide/collider.h"
#include "query/local_map.h"
#include "tree/wide/wide.h"

/* From one model's local coordinates into the other's. */
typedef struct tmb_wide_map {
    float m[3][3], size[3][3]; /* the matrix and its absolute values */
    float shift[3];
    float slack; /* bound on the error of a moved point */
} tmb_wide_map;

/* Two nodes, and which of their children are to be examined. */
typedef struct tmb_wide_pair {
    uint32_t a, b;
    uint8_t children_a, children_b;
} tmb_wide_pair;

#define TMB_WIDE_ALL 255 /* all existing children */

typedef struct tmb_wide_walk {
    tmb_collider *collider;
    tmb_watch *watch; /* NULL, or asked at each step */
    const tmb_wide_node *nodes_a, *nodes_b;
    tmb_wide_map into_a, into_b;
    float turn[3][3]; /* from B's directions to A's: the transposed inverse, times slab_unit */
    float slab_unit;  /* a power of two that makes these directions about as long as A's own */
    float slab_slack;
    float size_of_b;  /* B's local unit in A's */
    float leaf_slack; /* of boxes that are compared with triangles, in A's unit: what the map's is, and the limit */
    float limit;      /* how far apart triangles may be, in A's unit; 0: they must intersect */
    float unit_of_b;  /* with a limit: points that are 1 apart in B's local frame are at least this far apart in A's */
    tmb_wide_pair *stack; /* with room for all that can wait at one time */
    size_t waiting;       /* pairs on it when the walk starts */
} tmb_wide_walk;

/* Everything except the collider and the stack, for a limit in A's frame, the map from B's local coordinates to A's and
 * the error of doubles; 0 if floats cannot decide anything. */
int tmb_wide_set_up(const tmb_encounter *encounter, double limit, const tmb_local_map *into_a, double error,
                    tmb_wide_walk *walk);

/* Traverses from these pairs on: the roots, or a part of another traversal's stack. The status is the collider's. */
void tmb_wide_walk_from(tmb_wide_walk *walk, const tmb_wide_pair *pairs, size_t count);

/* What the bounding boxes and poses determine: whether a traversal can find anything, and how. The limit is in A's
 * frame. */
typedef enum tmb_wide_outlook {
    TMB_WIDE_APART,
    TMB_WIDE_WALK,
    TMB_WIDE_NO_FLOATS
} tmb_wide_outlook;
tmb_wide_outlook tmb_wide_look(const tmb_encounter *encounter, double limit, tmb_wide_walk *walk);

/* How far a model reaches from its centre along an axis, in its local unit: subnormal centres are not in the middle. */
double tmb_wide_local_half(const tumble_model *model, int axis);

/* With a limit: those of the wanted pairs of children, bit 8 j + i for child i of A and j of B, that may be as close;
 * `nearest` is the one with the least lower bound, if there is one. */
struct decoded;
typedef uint64_t tmb_wide_close_function(const tmb_wide_walk *walk, const struct decoded *a, const struct decoded *b,
                                         uint64_t wanted, unsigned *nearest);
TMB_DECLARE_KERNELS(tmb_wide_close_function, tmb_wide_close_children);

typedef void tmb_wide_function(tmb_wide_walk *walk);
TMB_DECLARE_KERNELS(tmb_wide_function, tmb_wide_walk);

#endif
