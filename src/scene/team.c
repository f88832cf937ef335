/* The team of a scene: who answers what, and parts of long traversals. */
#include "scene/team.h"

#include <string.h>

#include "base/clock.h"

#define STARTS_AFTER 40e-6 /* seconds of work alone, about what starting a thread costs */
#define MOST_TAKEN 32      /* questions at a time */
#define SHARES 8           /* at most this part of a member's share of what is left */

/* ---- Members ---- */

static void *make_room(void *member, int is_contacts, size_t count)
{
    tmb_member *m = member;
    tmb_buffer *buffer = is_contacts ? &m->contacts : &m->pairs;
    const size_t size = is_contacts ? sizeof(tumble_contact) : sizeof(tumble_pair);
    const size_t used = is_contacts ? m->contact_count : m->pair_count;
    m->has_room = 1;
    return tmb_buffer_reserve(m->team->context, buffer, used + count, size, used * size)
               ? (char *)buffer->data + used * size
               : NULL;
}

static int offer(void *member, tmb_part *part);

/* What follows a shared traversal is done by one thread. */
static void for_each(void *member, size_t count, void (*body)(void *shared, size_t i), void *shared)
{
    (void)member;
    for (size_t i = 0; i < count; i++) {
        body(shared, i);
    }
}

static void release_members(tumble_context *context, tmb_team *team)
{
    for (uint32_t i = 0; i < team->member_count; i++) {
        tumble_query_destroy(team->members[i].query);
        tmb_buffer_release(context, &team->members[i].pairs);
        tmb_buffer_release(context, &team->members[i].contacts);
    }
    tmb_release(context, team->members);
    team->members = NULL;
    team->member_count = 0;
}

static tumble_status make_member(tmb_team *team, uint32_t number)
{
    tmb_member *m = &team->members[number];
    memset(m, 0, sizeof *m);
    m->team = team;
    m->number = number;
    m->sharing.user = m;
    m->sharing.offer = offer;
    m->sharing.for_each = for_each;
    m->sharing.make_room = make_room;
    m->sharing.thread_count = 1;
    m->sharing.spares = &team->spares;
    m->sharing.watch.hungry = &team->hungry;
    const tumble_status status = tumble_query_create(team->context, &m->query);
    if (status == TUMBLE_OK) {
        tmb_sharing_begin(&m->sharing, m->query);
    }
    return status;
}

static tumble_status begin_team(tumble_context *context, tmb_team *team)
{
    if (team->context) {
        return TUMBLE_OK;
    }
    if (pthread_mutex_init(&team->lock, NULL) == 0) {
        if (pthread_cond_init(&team->changed, NULL) == 0) {
            if (tmb_spares_begin(&team->spares)) {
                team->context = context;
                return TUMBLE_OK;
            }
            pthread_cond_destroy(&team->changed); /* coverage: needs a system without memory for a lock */
        }
        pthread_mutex_destroy(&team->lock); /* coverage: likewise */
    }
    return tmb_fail_memory(context, "the threads of a scene"); /* coverage: likewise */
}

tumble_status tmb_team_reserve(tumble_context *context, tmb_team *team, uint32_t count)
{
    tumble_status status = begin_team(context, team);
    count = count < TMB_THREAD_LIMIT ? count : TMB_THREAD_LIMIT;
    if (status != TUMBLE_OK || team->member_count >= count) {
        return status;
    }
    release_members(context, team);
    team->members = tmb_allocate(context, count, sizeof *team->members);
    if (!team->members) {
        return tmb_fail_memory(context, "the threads of a scene");
    }
    for (; team->member_count < count && status == TUMBLE_OK; team->member_count += status == TUMBLE_OK) {
        status = make_member(team, team->member_count);
    }
    return status;
}

void tmb_team_release(tumble_context *context, tmb_team *team)
{
    if (team->context) {
        release_members(context, team);
        tmb_spares_end(&team->spares, context);
        pthread_cond_destroy(&team->changed);
        pthread_mutex_destroy(&team->lock);
    }
}

/* ---- Work; the team is locked in all of these ---- */

static void set_hungry(tmb_team *t)
{
    const uint32_t used = t->busy + t->part_count;
    const int hungry = t->next < t->count || used >= t->thread_count ? 0 : (int)(t->thread_count - used);
    atomic_store_explicit(&t->hungry, hungry, memory_order_relaxed);
}

static size_t take_some(tmb_team *t, size_t *count)
{
    const size_t first = t->next, rest = t->count - first, share = rest / (SHARES * (size_t)t->thread_count);
    *count = share < 1 ? 1 : share < MOST_TAKEN ? share : MOST_TAKEN;
    t->next += *count;
    return first;
}

static tmb_part *take_part(tmb_team *t)
{
    tmb_part *part = t->first_part;
    if (part) {
        t->first_part = part->next;
        t->last_part = t->first_part ? t->last_part : NULL;
        t->part_count--;
    }
    return part;
}

/* Does something, with the lock released meanwhile; 0 if there is nothing to do. */
static int do_something(tmb_team *t, tmb_member *m)
{
    tmb_part *part = take_part(t);
    size_t count = 0;
    const size_t first = !part && t->next < t->count ? take_some(t, &count) : 0;
    if (!part && count == 0) {
        return 0;
    }
    t->busy++;
    set_hungry(t);
    pthread_mutex_unlock(&t->lock);
    for (size_t i = first; i < first + count; i++) {
        t->body(t->shared, m, i);
    }
    tmb_outcome outcome;
    if (part && tmb_part_collide(&m->sharing, m->query, part, &outcome)) {
        t->end(t->shared, m, &outcome);
    }
    pthread_mutex_lock(&t->lock);
    t->busy--;
    set_hungry(t);
    return 1;
}

/* Until nothing is left that could become work. */
static void work(tmb_team *t, tmb_member *m)
{
    while (do_something(t, m) || t->busy > 0) {
        if (t->busy > 0 && !t->first_part && t->next >= t->count) {
            t->idle++;
            pthread_cond_wait(&t->changed, &t->lock);
            t->idle--;
        }
    }
    pthread_cond_broadcast(&t->changed);
}

static void *thread_main(void *member)
{
    tmb_member *m = member;
    pthread_mutex_lock(&m->team->lock);
    work(m->team, m);
    pthread_mutex_unlock(&m->team->lock);
    return NULL;
}

/* The team does without threads that cannot be started. */
static void start_threads(tmb_team *t, size_t wanted)
{
    while (wanted-- > 0 && t->started < t->thread_count &&
           pthread_create(&t->members[t->started].thread, NULL, thread_main, &t->members[t->started]) == 0) {
        t->started++;
    }
}

static int offer(void *member, tmb_part *part)
{
    tmb_team *t = ((tmb_member *)member)->team;
    pthread_mutex_lock(&t->lock);
    const int is_wanted = atomic_load_explicit(&t->hungry, memory_order_relaxed) > 0;
    if (is_wanted) {
        part->next = NULL;
        if (t->last_part) {
            t->last_part->next = part;
        } else {
            t->first_part = part;
        }
        t->last_part = part;
        t->part_count++;
        t->given_count++;
        set_hungry(t);
        pthread_cond_signal(&t->changed);
        start_threads(t, t->part_count > t->idle);
    }
    pthread_mutex_unlock(&t->lock);
    return is_wanted;
}

/* The caller alone, until it has taken so long that others should help. */
static void work_alone(tmb_team *t)
{
    const double start = tmb_seconds();
    while (t->next < t->count && t->started == 1) {
        (void)do_something(t, &t->members[0]);
        if (t->thread_count > 1 && t->next < t->count && tmb_seconds() - start > STARTS_AFTER) {
            start_threads(t, t->count - t->next);
        }
    }
}

void tmb_team_run(tmb_team *t, uint32_t thread_count, size_t count, tmb_team_body *body, tmb_team_end *end,
                  void *shared, const atomic_int *cancel)
{
    for (uint32_t i = 0; i < t->member_count; i++) {
        t->members[i].sharing.watch.cancel = cancel;
    }
    pthread_mutex_lock(&t->lock);
    t->body = body;
    t->end = end;
    t->shared = shared;
    t->next = 0;
    t->count = count;
    t->busy = t->idle = 0;
    t->started = 1;
    t->thread_count = thread_count < t->member_count ? thread_count : t->member_count;
    set_hungry(t);
    work_alone(t);
    work(t, &t->members[0]);
    const uint32_t started = t->started;
    pthread_mutex_unlock(&t->lock);
    for (uint32_t i = 1; i < started; i++) {
        pthread_join(t->members[i].thread, NULL);
    }
}
