/* Hot starts: what a collision query with coherence leaves to the next one about the same models.
 *
 * The front are the pairs of nodes at which the last traversal ended: those that were apart, each with a lower bound of
 * its distance, and those whose triangles were compared. They cover all pairs of triangles. When no point of B has
 * moved farther than d in A's frame, these bounds less d still hold: only pairs that may be too close again are
 * examined, and take the place of what they were. (The front of Ehmann and Lin, with bounds instead of tests.) */
#ifndef TUMBLE_SRC_COLLIDE_FRONT_H
#define TUMBLE_SRC_COLLIDE_FRONT_H

#include <math.h>

#include "base/assert.h"
#include "collide/collider.h"
#include "math/bounds.h"

#define TMB_FRONT_BYTES ((size_t)4 << 20) /* no front is larger */

/* A pair of nodes; walks may add data of their own at its end. */
typedef struct tmb_front_pair {
    double lower; /* no two triangles below are closer; of kept ones, plus how far B had moved when they were kept */
    uint32_t a, b;
    uint64_t children; /* which pairs of children are meant, or other data */
} tmb_front_pair;

/* Where all children of a pair are apart, they are kept next to each other, each with this as its children: when all
 * have to be examined again, their parents are examined instead. That way a front gets coarser where it can. */
#define TMB_FRONT_SIBLINGS (1ull << 63)
#define TMB_FRONT_FOUR (1ull << 62) /* else two */

static inline uint64_t tmb_front_siblings(uint32_t parent_a, uint32_t parent_b, int are_four)
{
    TMB_ASSERT(parent_a < 1u << 30 && parent_b < 1u << 30);
    return TMB_FRONT_SIBLINGS | (are_four ? TMB_FRONT_FOUR : 0) | (uint64_t)parent_b << 31 | parent_a;
}

static inline tmb_front_pair tmb_front_parents(const tmb_front_pair *sibling)
{
    TMB_ASSERT(sibling->children & TMB_FRONT_SIBLINGS);
    const uint32_t mask = (1u << 30) - 1;
    return (tmb_front_pair){-INFINITY, (uint32_t)sibling->children & mask, (uint32_t)(sibling->children >> 31) & mask,
                            0};
}

/* A walk that starts with a front and leaves one. */
typedef struct tmb_front {
    tmb_collider *collider;
    tmb_hot *hot;
    size_t size; /* of a pair in bytes */
    int merges;  /* children of equal nodes may be put together */
    int raises;  /* pairs that came together may be replaced by their parents: see tmb_front_siblings */
    char *stack, *kept;
    size_t stack_count, stack_room, kept_count, kept_room;
    int keep;     /* 0: what is kept is not all */
    double moved; /* how far B has moved since the front was begun */
    double soon;  /* pairs with a larger bound, in A's unit, will hardly be examined soon: they may be kept together */
    double work;  /* about as many instructions */
} tmb_front;

int tmb_front_keep_more(tmb_front *front);
int tmb_front_push_more(tmb_front *front);

/* Room for a pair that is kept with a bound (-INFINITY: nothing is known), or NULL. The caller sets the rest. */
static inline void *tmb_front_keep(tmb_front *f, double lower)
{
    TMB_ASSERT(!isnan(lower));
    if (f->kept_count == f->kept_room && !tmb_front_keep_more(f)) {
        return NULL;
    }
    tmb_front_pair *pair = (tmb_front_pair *)(void *)(f->kept + f->size * f->kept_count++);
    pair->lower = lower > -INFINITY ? lower + f->moved - fabs(lower) * TMB_AGEING_ROUNDING : lower;
    return pair;
}

/* Room for a pair that waits, or NULL, and the encounter has the status, if memory runs out. */
static inline void *tmb_front_push(tmb_front *f)
{
    if (f->stack_count == f->stack_room && !tmb_front_push_more(f)) {
        return NULL;
    }
    return f->stack + f->size * f->stack_count++;
}

static inline tmb_front_pair *tmb_front_top(const tmb_front *f)
{
    TMB_ASSERT(f->stack_count > 0);
    return (tmb_front_pair *)(void *)(f->stack + f->size * (f->stack_count - 1));
}

/* Takes the next pair. There is one. It stays where it is until the next one is pushed. */
static inline void *tmb_front_pop(tmb_front *f)
{
    TMB_ASSERT(f->stack_count > 0);
    return f->stack + f->size * --f->stack_count;
}

/* What the walks of the hierarchies do. `begin` notes what the walk needs for these poses in the collider's scratch:
 * TMB_FRONT_NO if it does not do for them (or there is a status), TMB_FRONT_APART if there is nothing to find. `root`
 * sets the pair that stands for everything. `walk` examines what waits until nothing does, or the query is to stop:
 * then the pair that it was at is on the stack again. It is also told whether it starts with the root. */
typedef enum tmb_front_outlook {
    TMB_FRONT_NO,
    TMB_FRONT_APART,
    TMB_FRONT_GO
} tmb_front_outlook;

typedef struct tmb_front_walk {
    size_t size;
    int merges, raises; /* see tmb_front */
    double pair_work;   /* about how many instructions a pair takes */
    double cold_share;  /* of a walk without a front, compared with beginning one; 0: to be found out */
    tmb_front_outlook (*begin)(tmb_front *front);
    void (*root)(const tmb_front *front, void *pair);
    void (*walk)(tmb_front *front);
} tmb_front_walk;

extern const tmb_front_walk tmb_front_wide, tmb_front_kdop, tmb_front_boxes;

/* Answers a question with coherence; `cold` is the walk without. */
void tmb_hot_walk(tmb_collider *collider, void (*cold)(tmb_collider *collider));

void tmb_hot_release(tumble_context *context, tmb_hot *hot);

#endif
