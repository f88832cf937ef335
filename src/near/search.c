/* The queue of a distance search: which pairs wait, and in which order they are visited. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "near/near.h"

/* Pairs that are surely apart wait in a heap, the nearest on top. Those that are not go to the stack: all of them have
 * to be examined, so depth first is best, and soon finds triangles that meet. What does not fit into the heap goes to
 * the stack as well, so that searches in which nearly all is equally near, as between a ball and the shell around it,
 * need little memory. */
#define HEAP_ROOM 256

#define SEED_TURNS 3
#define NEARBY 0.1 /* the last search's nearest triangles are good enough when they moved by this part at most */

static void sift_up(tmb_near_pair *heap, size_t at, tmb_near_pair pair)
{
    while (at > 0 && heap[(at - 1) / 2].lower > pair.lower) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = pair;
}

static void sift_down(tmb_near_pair *heap, size_t count, tmb_near_pair pair)
{
    TMB_ASSERT(count > 0);
    size_t at = 0;
    for (size_t child = 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && heap[child + 1].lower < heap[child].lower;
        if (heap[child].lower >= pair.lower) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = pair;
}

static void fail_memory(tmb_near_search *s)
{
    s->encounter.status = tmb_fail_memory(s->encounter.query->context, "the search of a query");
    s->is_enough = 1;
}

static void push_on_stack(tmb_near_search *s, tmb_near_pair pair)
{
    tumble_query *query = s->encounter.query;
    if (!tmb_buffer_reserve(query->context, &s->scratch->stack, s->stack_count + 1, sizeof pair,
                            s->stack_count * sizeof pair)) {
        fail_memory(s);
        return;
    }
    s->stack = s->scratch->stack.data;
    s->stack[s->stack_count++] = pair;
}

void tmb_near_push(tmb_near_search *s, double lower, uint32_t a, uint32_t b, uint64_t children)
{
    TMB_ASSERT(!isnan(lower));
    const tmb_near_pair pair = {lower, a, b, children};
    if (s->is_seeding) {
        s->seed = lower < s->seed.lower ? pair : s->seed;
    } else if (lower > 0 && s->heap_count < HEAP_ROOM) {
        sift_up(s->heap, s->heap_count++, pair);
    } else {
        push_on_stack(s, pair);
    }
}

int tmb_near_keep_more(tmb_near_search *s)
{
    TMB_ASSERT(s->kept_count == s->kept_room);
    tumble_query *query = s->encounter.query;
    const size_t used = s->kept_count * sizeof *s->kept;
    if (!s->keep || s->kept_count == TMB_NEAR_KEPT ||
        !tmb_buffer_reserve(query->context, &s->scratch->kept, s->kept_count + 1, sizeof *s->kept, used)) {
        s->keep = 0; /* without a front the next search starts anew: nothing is wrong */
        return 0;
    }
    const size_t room = s->scratch->kept.capacity / sizeof *s->kept;
    s->kept = s->scratch->kept.data;
    s->kept_room = room < TMB_NEAR_KEPT ? room : TMB_NEAR_KEPT;
    return 1;
}

/* The next pair is at the end of the stack, or on top of the heap. */
static const tmb_near_pair *next_pair(const tmb_near_search *s)
{
    return s->stack_count ? &s->stack[s->stack_count - 1] : s->heap_count ? s->heap : NULL;
}

static void drop_next(tmb_near_search *s)
{
    TMB_ASSERT(s->stack_count > 0 || s->heap_count > 0);
    if (s->stack_count) {
        s->stack_count--;
    } else {
        const tmb_near_pair last = s->heap[--s->heap_count];
        if (s->heap_count) {
            sift_down(s->heap, s->heap_count, last);
        }
    }
}

/* Of what came last, the nearest is to be examined first. */
static void sort_stack(tmb_near_search *s, size_t from)
{
    TMB_ASSERT(from <= s->stack_count);
    for (size_t i = from + 1; i < s->stack_count; i++) {
        const tmb_near_pair pair = s->stack[i];
        size_t at = i;
        for (; at > from && s->stack[at - 1].lower < pair.lower; at--) {
            s->stack[at] = s->stack[at - 1];
        }
        s->stack[at] = pair;
    }
}

static int is_late(const tmb_near_search *s)
{
    return s->deadline < INFINITY && tmb_seconds() >= s->deadline;
}

static int is_spent(const tmb_near_search *s)
{
    return s->encounter.box_tests >= s->most_tests || is_late(s);
}

/* Straight down to the nearest triangles; `last` is the pair before these. */
static int follow_nearest(tmb_near_search *s, tmb_near_pair pair, tmb_near_pair *last)
{
    s->has_compared = 0;
    while (!tmb_near_is_over(s) && !is_spent(s)) {
        s->seed.lower = INFINITY;
        s->walk.leave(s, &pair);
        if (s->has_compared) {
            return 1;
        }
        if (!(s->seed.lower < INFINITY)) {
            break;
        }
        *last = pair;
        pair = s->seed;
    }
    return 0;
}

/* A first bound: the triangles that are found straight down from the root, then those nearest to one of them, and so on
 * in turn. Pairs queued before the bound is good are wasted, so this pays. */
static void find_seed(tmb_near_search *s)
{
    const int keep = s->keep;
    tmb_near_pair start = s->walk.root, last = start;
    s->is_seeding = 1;
    s->keep = 0;
    for (int turn = 0; turn < SEED_TURNS && follow_nearest(s, start, &last); turn++) {
        if (!s->walk.restart || !s->walk.restart(s, turn % 2, &last, &start)) {
            break;
        }
    }
    s->is_seeding = 0;
    s->keep = keep;
}

static void leave(tmb_near_search *s, tmb_near_pair pair)
{
    const size_t waiting = s->stack_count;
    s->least = INFINITY;
    s->has_compared = 0;
    s->leaving = pair.lower;
    s->work += s->walk.work;
    s->walk.leave(s, &pair);
    if (s->is_enough || s->is_spent) {
        tmb_near_push(s, pair.lower, pair.a, pair.b, pair.children); /* it was not finished */
        return;
    }
    if (s->stack_count > waiting + 1) {
        sort_stack(s, waiting);
    }
    if (s->keep && s->has_compared) { /* triangles were compared: they have to be again when something has moved */
        tmb_near_keep(s, s->least > pair.lower ? s->least : pair.lower, pair.a, pair.b, pair.children);
    }
    s->leaving = INFINITY;
}

static int has_room(tmb_near_search *s)
{
    tumble_query *query = s->encounter.query;
    if (!tmb_buffer_reserve(query->context, &s->scratch->heap, HEAP_ROOM, sizeof *s->heap, 0) ||
        !tmb_buffer_reserve(query->context, &s->scratch->lanes, TMB_NEAR_LANES_BYTES, 1, 0)) {
        fail_memory(s);
        return 0;
    }
    s->heap = s->scratch->heap.data;
    s->lanes = s->scratch->lanes.data;
    memset(s->lanes, 0, sizeof(double)); /* which says that nothing is there */
    return 1;
}

/* From the root. */
static void start(tmb_near_search *s)
{
    s->heap_count = s->stack_count = 0;
    tmb_near_begin_front(s);
    tmb_near_push(s, s->walk.root.lower, s->walk.root.a, s->walk.root.b, s->walk.root.children);
    if (s->within.above > s->enough.above && !(s->found && s->scratch->step < NEARBY * s->distance.upper)) {
        find_seed(s);
    }
}

/* 1 when there is something to examine. */
static int prepare(tmb_near_search *s, void (*choose_walk)(tmb_near_search *search))
{
    const int recalled = tmb_near_recall(s);
    if (s->is_enough || (recalled && !next_pair(s))) {
        s->leaving = s->is_enough ? -INFINITY : INFINITY;
        return 0;
    }
    choose_walk(s);
    if (s->encounter.status != TUMBLE_OK) {
        return 0;
    }
    s->leaving = INFINITY;
    if (!recalled || s->walk.keeps_front != s->scratch->front_of) {
        start(s);
    }
    return 1;
}

/* What is known so far stays known, as when the budget is spent. */
static void end_early(tmb_near_search *s)
{
    s->encounter.status = tmb_fail(s->encounter.query->context, TUMBLE_ERROR_CANCELLED,
                                   "the progress function stopped "
                                   "the query");
    s->is_spent = 1;
}

static void look_at_all(tmb_near_search *s)
{
    const tmb_near_pair *next;
    tmb_watch *watch = s->encounter.query->watch;
    while (!tmb_near_is_over(s) && (next = next_pair(s)) != NULL) {
        if (watch && tmb_watch_ends(watch)) {
            end_early(s);
            break;
        }
        const tmb_near_pair pair = *next;
        if (pair.lower > s->bound && !s->stack_count) {
            break;
        }
        if (pair.lower <= s->bound && is_spent(s)) {
            s->is_spent = 1;
            break;
        }
        drop_next(s);
        if (pair.lower <= s->bound) {
            leave(s, pair);
        } else if (s->keep) {
            tmb_near_keep(s, pair.lower, pair.a, pair.b, pair.children);
        }
    }
}

void tmb_near_run(tmb_near_search *s, void (*choose_walk)(tmb_near_search *search))
{
    if (!has_room(s)) {
        return;
    }
    if (prepare(s, choose_walk)) {
        look_at_all(s);
    }
    tmb_near_remember(s);
}

double tmb_near_least(const tmb_near_search *s)
{
    double least = s->heap_count ? s->heap[0].lower : INFINITY;
    for (size_t i = 0; i < s->stack_count; i++) {
        least = s->stack[i].lower < least ? s->stack[i].lower : least;
    }
    return least;
}
