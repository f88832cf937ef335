/* Two k-DOP trees against each other: what the setup hands to the walking kernels.
 *
 * B's k-DOPs are enclosed by k-DOPs in A's local frame, which is called tumbling: lazily, and once per node and query.
 * A tumbled k-DOP is kept as what a node of A must not stay below: lane l of A's bounds less than lane l of `apart`
 * means that a plane normal to that lane's direction separates the two. See docs/kdop.md. */
#ifndef TUMBLE_SRC_COLLIDE_KDOP_WALK_H
#define TUMBLE_SRC_COLLIDE_KDOP_WALK_H

#include "base/assert.h"
#include "base/kernel.h"
#include "collide/collider.h"
#include "query/local_map.h"
#include "tree/kdop/lookup.h"

#define TMB_KDOP_SINGLES 8 /* triangles of a leaf of A that are given apart */
#define TMB_KDOP_LANES 32  /* k, filled up to whole vectors at most */

static inline uint32_t tmb_kdop_lanes(uint32_t k)
{
    return (k + 7) / 8 * 8;
}

/* A node of B in the query's memory, with tmb_kdop_lanes(k) floats after it. */
typedef struct tmb_kdop_slot {
    uint32_t node, link, count;
    float size; /* of the node, in A's unit */
    uint32_t reserved[4];
} tmb_kdop_slot;

/* Which slot a node of B has, if it is of this walk. */
typedef struct tmb_kdop_mark {
    uint32_t walk, slot;
} tmb_kdop_mark;

/* A pair of nodes that may overlap and was not looked into: a node of A and a slot of B. */
typedef struct tmb_kdop_pair {
    uint32_t node, slot;
} tmb_kdop_pair;

/* How bounds of B become bounds along a lane of A, for ways that take three of them: weights times these, plus an
 * offset. Lanes after the last have weight 0 and an offset that makes them always overlap. */
typedef struct tmb_kdop_three {
    _Alignas(TMB_CACHE_LINE) float weights[3][TMB_KDOP_LANES];
    int32_t lanes[3][TMB_KDOP_LANES];
} tmb_kdop_three;

/* The same for tumbling by lookup: the nearest direction of B to a lane of A, and factors of the node's extent along it
 * (of its short points; straight ahead and, times the tangent of the outermost ring, aside) and of its length. Lanes
 * after the last have factors 0. See collide/kdop/cones.c. */
typedef struct tmb_kdop_cones {
    _Alignas(TMB_CACHE_LINE) int32_t lanes[TMB_KDOP_LANES];
    float directions[3][TMB_KDOP_LANES]; /* by coordinates */
    float brief[TMB_KDOP_LANES], straight[TMB_KDOP_LANES], aside[TMB_KDOP_LANES], outside[TMB_KDOP_LANES];
    const float *tangents; /* of the rings */
} tmb_kdop_cones;

/* What walks keep in a query's handle. */
typedef struct tmb_kdop_scratch {
    tmb_buffer stack;         /* tmb_kdop_pair */
    tmb_buffer tumbled;       /* tmb_kdop_slot */
    tmb_buffer marks;         /* tmb_kdop_mark */
    uint32_t mark_walk;       /* the number of the last walk that has marked */
    uint64_t hull_of;         /* checksum of the model whose hulls were climbed last, */
    tmb_buffer hull_vertices; /* and for each hull where each lane's climb ended */
    tmb_buffer tables;        /* what follows from k alone, */
    uint32_t tables_k;        /* and for which k it was made */
} tmb_kdop_scratch;

/* NULL if memory runs out. */
tmb_kdop_scratch *tmb_kdop_scratch_of(tumble_query *query);

typedef struct tmb_kdop_state tmb_kdop_state;
struct tmb_kdop_state {
    tmb_encounter *encounter;
    tmb_collider *collider; /* NULL in a search for the nearest triangles */
    tmb_kdop_scratch *scratch;
    const tmb_kdop_set *set;
    uint32_t k, slot_bytes;
    const uint32_t *rows_a, *rows_b;
    tmb_kdop_view tree_a, tree_b;
    tmb_kdop_parts parts_b;
    tmb_local_map map;

    tmb_kdop_mark *marks; /* one for each row of B */
    tmb_kdop_pair *stack;
    uint32_t walk; /* number of this walk among those that the marks tell of */
    uint32_t slot_count;

    float size_of_b;           /* B's local unit in A's */
    tumble_kdop_tumble tumble; /* never AUTO */
    uint32_t hull_count;       /* nodes of B that are tumbled by their hulls, */
    uint32_t last_hull_node;   /* and the last of them; 0: there is none */
    int leaves_by_triangles;
    int tumbles_triangles;   /* of B's leaves: that, or they are bare */
    int leaves_are_clusters; /* of both trees */
    tumble_kdop_traversal traversal;
    uint32_t leaf_node;     /* the leaf of A whose triangles were examined last */
    uint32_t bare_nodes[2]; /* leaves of A, an even number and an odd one, whose bounds were computed last */
    float limit;            /* how far apart triangles may be, in A's unit */
    float limit_slack;      /* by which gaps may be too large, less the limit itself */

    /* Lane l of A, seen from B: `along` is the vector u for which the bound is the maximum of u . p over B's points,
     * plus the offset. */
    double along[TMB_KDOP_LANES][3];
    _Alignas(TMB_CACHE_LINE) float along_axis[3][TMB_KDOP_LANES]; /* the same in float, by coordinates */
    float offsets[TMB_KDOP_LANES];
    float lane_axis[3][TMB_KDOP_LANES];                  /* directions of A's lanes, by coordinates */
    float inverse_lengths[TMB_KDOP_LANES];               /* with a limit: of the directions */
    float leaf_bounds[TMB_KDOP_SINGLES][TMB_KDOP_LANES]; /* of each triangle of that leaf, if there are no more */
    float bare_bounds[2][TMB_KDOP_LANES];
    union {
        tmb_kdop_three three;
        tmb_kdop_cones cones;
    };
};

#define TMB_KDOP_NO_SLOT UINT32_MAX

typedef void tmb_kdop_walk_function(tmb_kdop_state *state);
/* The slot of a node of B, tumbled if it was not yet; TMB_KDOP_NO_SLOT if memory runs out (the encounter's status is
 * then set). */
typedef uint32_t tmb_kdop_slot_function(tmb_kdop_state *state, uint32_t node);
/* The bounds of a bare leaf of A, valid until those of another one are wanted whose number is even, or odd, as well. */
typedef const float *tmb_kdop_leaf_function(tmb_kdop_state *state, uint32_t node);
typedef struct tmb_kdop_kernels {
    tmb_kdop_walk_function *walk_6, *walk_12, *walk_14, *walk_18, *walk_26;
    tmb_kdop_walk_function *bare_6, *bare_12, *bare_14, *bare_18, *bare_26; /* A's leaves are bare */
    tmb_kdop_slot_function *slot_6, *slot_12, *slot_14, *slot_18, *slot_26;
    tmb_kdop_leaf_function *leaf_6, *leaf_12, *leaf_14, *leaf_18, *leaf_26;
} tmb_kdop_kernels;
TMB_DECLARE_KERNELS(const tmb_kdop_kernels, tmb_kdop_kernels);

static inline tmb_kdop_slot *tmb_kdop_slot_at(const tmb_kdop_state *state, uint32_t slot)
{
    TMB_ASSERT(slot < state->slot_count);
    return (tmb_kdop_slot *)((char *)state->scratch->tumbled.data + (size_t)slot * state->slot_bytes);
}
static inline float *tmb_kdop_slot_apart(tmb_kdop_slot *slot)
{
    return (float *)(slot + 1);
}

/* Everything but the kernels' part; epsilon is in A's local unit. 0 when B has no data for what is wanted or there is
 * no memory (the encounter's status is then set), the trees have different k, or floats cannot decide anything. */
int tmb_kdop_set_up(tmb_kdop_state *state, tmb_encounter *encounter, const tumble_kdop_walk *wanted, double epsilon);

/* Room for one more slot; 0 if memory runs out (the encounter's status is then set). */
int tmb_kdop_reserve_slot(tmb_kdop_state *state);

/* Readies B's hulls for climbing; 0 if memory runs out. */
int tmb_kdop_begin_hulls(tmb_kdop_state *state);

/* Fills `apart` of a node's slot by climbing on its hull; 0, having done nothing, if it keeps none. */
int tmb_kdop_tumble_hull(tmb_kdop_state *state, uint32_t node, float *apart);

/* Sets up tumbling by lookup; the rings must stay where they are. */
void tmb_kdop_set_cones(tmb_kdop_state *state, const tmb_kdop_rings *rings);

#endif
