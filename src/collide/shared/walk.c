/* Donates parts of a traversal, and ends them. */
#include "collide/shared/walk.h"

#include <string.h>

#include "base/assert.h"

/* Steps of a walk, each of up to 64 pairs of boxes or clusters, between two donations: far more work than a donation
 * costs. */
#define STEPS_BETWEEN 32
#define TESTS_A_STEP 64 /* pairs of triangles that count as a step */

struct tmb_shared_walk {
    pthread_mutex_t lock; /* guards what is below, except constants */
    size_t running;       /* parts that have not ended */
    tmb_part_results *ended;
    tmb_part_results first_results; /* of the part that the query started with */
    tmb_outcome outcome;
    atomic_int stop;
    /* From here on nothing changes. */
    const atomic_int *cancel;
    tumble_context *context;
    tumble_collide_options options;
    tmb_collider collider; /* as before the walk */
    tmb_wide_walk walk;
};

static const atomic_int never = 0;

/* ---- Spare buffers ---- */

int tmb_spares_begin(tmb_spares *spares)
{
    memset(spares, 0, sizeof *spares);
    return pthread_mutex_init(&spares->lock, NULL) == 0;
}

void tmb_spares_end(tmb_spares *spares, tumble_context *context)
{
    for (size_t i = 0; i < TMB_SPARES; i++) {
        tmb_buffer_release(context, &spares->pairs[i]);
        tmb_buffer_release(context, &spares->contacts[i]);
        tmb_buffer_release(context, &spares->seen[i]);
        tmb_buffer_release(context, &spares->sort[i]);
    }
    pthread_mutex_destroy(&spares->lock);
}

static void swap_buffers(tmb_buffer *a, tmb_buffer *b)
{
    const tmb_buffer c = *a;
    *a = *b;
    *b = c;
}

/* The largest one, for a buffer that has none. */
static void take_spare(tmb_buffer *from, tmb_buffer *to)
{
    if (to->data) {
        return;
    }
    tmb_buffer *largest = from;
    for (size_t i = 1; i < TMB_SPARES; i++) {
        largest = from[i].capacity > largest->capacity ? &from[i] : largest;
    }
    swap_buffers(largest, to);
}

/* Instead of the smallest one, which is released unless this is smaller. */
static void keep_spare(tumble_context *context, tmb_buffer *from, tmb_buffer *to)
{
    tmb_buffer *smallest = to;
    for (size_t i = 1; i < TMB_SPARES; i++) {
        smallest = to[i].capacity < smallest->capacity ? &to[i] : smallest;
    }
    if (from->capacity > smallest->capacity) {
        swap_buffers(from, smallest);
    }
    tmb_buffer_release(context, from);
}

/* When a part has gone with the query's own. */
static void take_spares(tmb_sharing *s, tmb_collide_scratch *scratch)
{
    if (s->lacks_buffers) {
        s->lacks_buffers = 0;
        pthread_mutex_lock(&s->spares->lock);
        take_spare(s->spares->pairs, &scratch->pairs);
        take_spare(s->spares->contacts, &scratch->contacts);
        take_spare(s->spares->seen, &scratch->seen);
        pthread_mutex_unlock(&s->spares->lock);
    }
}

static void keep_spares(tmb_spares *spares, tumble_context *context, tmb_part_results *results)
{
    pthread_mutex_lock(&spares->lock);
    keep_spare(context, &results->pairs, spares->pairs);
    keep_spare(context, &results->contacts, spares->contacts);
    keep_spare(context, &results->seen, spares->seen);
    pthread_mutex_unlock(&spares->lock);
}

tmb_buffer tmb_take_sort_room(tmb_spares *spares)
{
    tmb_buffer room = {0};
    pthread_mutex_lock(&spares->lock);
    take_spare(spares->sort, &room);
    pthread_mutex_unlock(&spares->lock);
    return room;
}

void tmb_keep_sort_room(tmb_spares *spares, tumble_context *context, tmb_buffer *room)
{
    pthread_mutex_lock(&spares->lock);
    keep_spare(context, room, spares->sort);
    pthread_mutex_unlock(&spares->lock);
}

/* ---- Giving away ---- */

/* A collider that has found nothing yet. */
static void forget_results(tmb_collider *c)
{
    c->encounter.query = NULL;
    c->encounter.status = TUMBLE_OK;
    c->moved_triangle = UINT32_MAX;
    c->collide = 0;
    c->pair_count = c->contact_count = 0;
    c->pairs.stored = c->contacts.stored = 0;
    c->waiting = 0;
    c->seen = (tmb_pair_set){0};
    c->encounter.box_tests = c->encounter.box_updates = c->encounter.primitive_tests = c->encounter.node_bytes = 0;
    c->encounter.exact_tests = 0;
}

static int start_sharing(tmb_sharing *s, const tmb_wide_walk *walk)
{
    tumble_context *context = walk->collider->encounter.query->context;
    tmb_shared_walk *shared = tmb_allocate(context, 1, sizeof *shared);
    if (!shared) {
        return 0;
    }
    memset(shared, 0, sizeof *shared);
    if (pthread_mutex_init(&shared->lock, NULL) != 0) {
        tmb_release(context, shared);
        return 0;
    }
    shared->running = 1;
    shared->outcome.owner = s->owner;
    shared->outcome.number = s->number;
    shared->cancel = s->watch.cancel;
    shared->context = context;
    shared->collider = *walk->collider;
    forget_results(&shared->collider);
    shared->options = *walk->collider->options;
    shared->collider.options = &shared->options;
    shared->walk = *walk;
    s->shared = shared;
    s->watch.stop = &shared->stop;
    return 1;
}

static void change_running(tmb_shared_walk *shared, int more)
{
    pthread_mutex_lock(&shared->lock);
    shared->running += (size_t)more;
    pthread_mutex_unlock(&shared->lock);
}

/* Every other pair, but not the last, which comes next here. */
static tmb_part *copy_half(tmb_shared_walk *shared, const tmb_wide_pair *stack, size_t waiting)
{
    TMB_ASSERT(waiting >= 2);
    const size_t count = waiting / 2;
    tmb_part *part = tmb_allocate(shared->context, 1, sizeof *part + count * sizeof *part->pairs);
    if (!part) {
        return NULL;
    }
    memset(part, 0, sizeof *part);
    part->shared = shared;
    part->count = count;
    for (size_t i = 0; i < count; i++) {
        part->pairs[i] = stack[waiting % 2 + 2 * i];
    }
    return part;
}

static size_t keep_half(tmb_wide_pair *stack, size_t waiting)
{
    TMB_ASSERT(waiting >= 2);
    size_t kept = 0;
    for (size_t i = waiting % 2 ? 0 : 1; i < waiting; i += 2) {
        stack[kept++] = stack[i];
    }
    return kept;
}

/* Parts can share pairs of polygons and contacts, but not callbacks and surfaces. */
static int is_sharable(const tmb_collider *c)
{
    const int lists = c->pairs.keep || c->contacts.keep;
    return !(c->one && lists) && c->batch == SIZE_MAX && !c->want_surfaces && !c->sink.on_contact && !c->sink.on_hit;
}

/* If memory runs out, or no thread wants it, the traversal continues with its whole stack. */
static size_t give_half(tmb_sharing *s, const tmb_wide_walk *walk, size_t waiting)
{
    if (!s->shared && !start_sharing(s, walk)) {
        return waiting;
    }
    tmb_part *part = copy_half(s->shared, walk->stack, waiting);
    if (!part) {
        return waiting;
    }
    change_running(s->shared, 1);
    if (!s->offer(s->user, part)) {
        change_running(s->shared, -1);
        tmb_release(s->shared->context, part);
        return waiting;
    }
    return keep_half(walk->stack, waiting);
}

static size_t attend(tmb_watch *watch, tmb_wide_walk *walk, size_t waiting)
{
    tmb_sharing *s = (tmb_sharing *)watch;
    tmb_collider *c = walk->collider;
    if (tmb_watch_has(watch->cancel)) {
        tmb_collider_cancel(c);
        return 0;
    }
    if (tmb_watch_has(watch->stop)) {
        return 0;
    }
    const uint64_t work = c->encounter.box_updates + c->encounter.primitive_tests / TESTS_A_STEP;
    if (waiting < 2 || work - s->given_at < STEPS_BETWEEN || !is_sharable(c)) {
        return waiting;
    }
    s->given_at = work;
    return give_half(s, walk, waiting);
}

/* ---- Parts ---- */

void tmb_sharing_begin(tmb_sharing *s, tumble_query *query)
{
    s->watch.stop = &never;
    s->watch.attend = attend;
    s->watch.ask = NULL;
    s->shared = NULL;
    s->lacks_buffers = 0;
    query->watch = &s->watch;
}

/* Moves the results from the query to the part. There are none without scratch memory. */
static void take_results(tmb_collider *c, tmb_part_results *results)
{
    if (!c->scratch) {
        return;
    }
    if (c->pairs.stored) {
        swap_buffers(&c->scratch->pairs, &results->pairs);
        results->pair_count = c->pairs.stored;
    }
    if (c->contacts.stored) {
        swap_buffers(&c->scratch->contacts, &results->contacts);
        results->contact_count = c->contacts.stored;
    }
    if (c->has_duplicates && !c->pairs.keep && c->pair_count) {
        swap_buffers(&c->scratch->seen, &results->seen);
        results->set = c->seen;
        results->set.buffer = &results->seen;
    }
}

static void set_failure(tmb_outcome *outcome, tumble_context *context, tumble_status status)
{
    TMB_ASSERT(status != TUMBLE_OK);
    outcome->status = status;
    (void)tumble_last_error(context, outcome->message, sizeof outcome->message);
}

static void add_counts(const tmb_collider *c, tmb_outcome *outcome)
{
    if (c->collide && !outcome->collide) {
        outcome->collide = 1;
        outcome->first = c->first;
    }
    outcome->pair_count += c->pair_count;
    outcome->contact_count += c->contact_count;
    outcome->exact_tests += c->encounter.exact_tests;
    const tumble_counters more = tmb_encounter_counters(&c->encounter, 0);
    tmb_counters_add(&outcome->counters, &more);
}

/* Whether it was the last one. */
static int end_part(tmb_shared_walk *shared, tmb_collider *c, tmb_part_results *results)
{
    take_results(c, results);
    if (c->encounter.status != TUMBLE_OK || (c->one && c->collide)) {
        atomic_store(&shared->stop, 1);
    }
    pthread_mutex_lock(&shared->lock);
    add_counts(c, &shared->outcome);
    if (c->encounter.status != TUMBLE_OK && shared->outcome.status == TUMBLE_OK) {
        set_failure(&shared->outcome, c->encounter.query->context, c->encounter.status);
    }
    results->next = shared->ended;
    shared->ended = results;
    const int last = --shared->running == 0;
    pthread_mutex_unlock(&shared->lock);
    return last;
}

static void release_shared(tmb_shared_walk *shared, tmb_spares *spares)
{
    for (tmb_part_results *results = shared->ended, *next; results; results = next) {
        next = results->next;
        keep_spares(spares, shared->context, results);
        if (results != &shared->first_results) {
            tmb_release(shared->context, (char *)results - offsetof(tmb_part, results));
        }
    }
    pthread_mutex_destroy(&shared->lock);
    tmb_release(shared->context, shared);
}

/* Before what takes long, too. */
static void check_cancel(const atomic_int *cancel, tmb_collider *c)
{
    if (tmb_watch_has(cancel)) {
        tmb_collider_cancel(c);
    }
}

/* More than one pair was found where one was asked for. */
static void keep_one(tmb_outcome *outcome)
{
    outcome->pair_count = outcome->pair_count ? 1 : 0;
    outcome->contact_count = outcome->contact_count ? 1 : 0;
}

static void end_shared(tmb_sharing *s, tumble_query *query, tmb_shared_walk *shared, tmb_outcome *outcome)
{
    *outcome = shared->outcome;
    tmb_collider *c = &shared->collider;
    c->encounter.query = query;
    if (c->one) {
        keep_one(outcome);
    }
    if (outcome->status == TUMBLE_OK) {
        check_cancel(shared->cancel, c);
        const tumble_status status =
            c->encounter.status == TUMBLE_OK ? tmb_gather_results(s, c, shared->ended, outcome) : c->encounter.status;
        if (status != TUMBLE_OK) {
            set_failure(outcome, query->context, status);
        }
    }
    release_shared(shared, s->spares);
}

static int end_walk(tmb_sharing *s, tmb_collider *c, tmb_part_results *results, tmb_outcome *outcome)
{
    tmb_shared_walk *shared = s->shared;
    s->shared = NULL;
    s->lacks_buffers = 1;
    s->watch.stop = &never;
    if (!end_part(shared, c, results)) {
        return 0;
    }
    end_shared(s, c->encounter.query, shared, outcome);
    return 1;
}

int tmb_shared_collide(tmb_sharing *s, tmb_collider *c, const tumble_pose *pose_a, const tumble_pose *pose_b,
                       tmb_outcome *outcome)
{
    s->given_at = 0;
    tmb_collide_scratch *scratch = tmb_collide_scratch_of(c->encounter.query);
    tumble_status status = TUMBLE_ERROR_MEMORY;
    if (scratch) {
        take_spares(s, scratch);
        status = tmb_collider_prepare(c, pose_a, pose_b);
    }
    if (status == TUMBLE_OK) {
        tmb_collider_walk(c);
        if (s->shared) {
            return end_walk(s, c, &s->shared->first_results, outcome);
        }
        check_cancel(s->watch.cancel, c);
        status = c->encounter.status == TUMBLE_OK ? tmb_results_end(c) : c->encounter.status;
    }
    outcome->owner = s->owner;
    outcome->number = s->number;
    outcome->status = status;
    outcome->collide = 0;
    outcome->pair_count = outcome->contact_count = outcome->exact_tests = 0;
    outcome->counters = (tumble_counters){0};
    add_counts(c, outcome);
    if (status != TUMBLE_OK) {
        set_failure(outcome, c->encounter.query->context, status);
    }
    return 1;
}

int tmb_part_collide(tmb_sharing *s, tumble_query *query, tmb_part *part, tmb_outcome *outcome)
{
    TMB_ASSERT(part->count > 0 && part->shared);
    tmb_shared_walk *shared = part->shared;
    tmb_collider c = shared->collider;
    tmb_wide_walk walk = shared->walk;
    const atomic_int *cancel = s->watch.cancel;
    c.encounter.query = query;
    c.scratch = tmb_collide_scratch_of(query);
    if (c.scratch) {
        take_spares(s, c.scratch);
    }
    walk.collider = &c;
    walk.watch = &s->watch;
    s->shared = shared;
    s->given_at = 0;
    s->watch.cancel = shared->cancel;
    s->watch.stop = &shared->stop;
    if (!c.scratch) {
        c.encounter.status = TUMBLE_ERROR_MEMORY;
    } else if (c.has_duplicates && !tmb_pair_set_begin(query->context, &c.seen, &c.scratch->seen)) {
        c.encounter.status = tmb_fail_memory(query->context, "the set of polygon pairs");
    } else {
        tmb_wide_walk_from(&walk, part->pairs, part->count);
    }
    s->watch.cancel = cancel;
    return end_walk(s, &c, &part->results, outcome);
}
