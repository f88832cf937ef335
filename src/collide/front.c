/* Hot starts: when a front is begun, used and dropped. */
#include "collide/front.h"

#include <string.h>

#include "query/motion.h"

#define FIRST_LIFE 16    /* queries after which a front is begun anew, to raise it and to see whether it still pays, */
#define LONGEST_LIFE 64  /* and when it has paid again and again */
#define STEPS_AHEAD 3    /* as far as this a front looks */
#define MOST_STEP 0.125  /* of the size of the smaller model: if it is longer, it is a jump */
#define MOST_GROWTH 2    /* of a front that was used again and again */
#define LEAST_WORK 1500  /* of a walk: if it takes less, a front cannot pay */
#define KEPT_WORK 12     /* of a pair of the front that is skipped */
#define PAYS 1.05        /* times the work without a front: the estimate is not exact */
#define BEGIN_WORK 1500  /* of using a front at all */
#define MERGED_WITHIN 64 /* pairs */
#define LONGEST_PAUSE 64 /* queries */

void tmb_hot_release(tumble_context *context, tmb_hot *hot)
{
    tmb_buffer_release(context, &hot->kept);
    tmb_buffer_release(context, &hot->stack);
    tmb_buffer_release(context, &hot->walk);
}

int tmb_front_keep_more(tmb_front *f)
{
    const size_t used = f->kept_count * f->size;
    if (!f->keep || used + f->size > TMB_FRONT_BYTES ||
        !tmb_buffer_reserve(f->collider->encounter.query->context, &f->hot->kept, f->kept_count + 1, f->size, used)) {
        f->keep = 0; /* without a front the next query starts at the roots: nothing is wrong */
        return 0;
    }
    f->kept = f->hot->kept.data;
    f->kept_room = f->hot->kept.capacity / f->size;
    return 1;
}

int tmb_front_push_more(tmb_front *f)
{
    tmb_encounter *e = &f->collider->encounter;
    if (!tmb_buffer_reserve(e->query->context, &f->hot->stack, f->stack_count + 1, f->size, f->stack_count * f->size)) {
        e->status = tmb_fail_memory(e->query->context, "the walk of a query");
        return 0;
    }
    f->stack = f->hot->stack.data;
    f->stack_room = f->hot->stack.capacity / f->size;
    return 1;
}

static tmb_front make_front(tmb_collider *c, const tmb_front_walk *walk)
{
    tmb_hot *h = &c->scratch->hot;
    return (tmb_front){.collider = c,
                       .hot = h,
                       .size = walk->size,
                       .merges = walk->merges,
                       .raises = walk->raises,
                       .stack = h->stack.data,
                       .kept = h->kept.data,
                       .stack_room = h->stack.capacity / walk->size,
                       .kept_room = h->kept.capacity / walk->size,
                       .keep = 1};
}

/* ---- Whether a front pays ---- */

static void forget(tmb_hot *h, const tmb_encounter *e)
{
    h->model_a = e->a->block->checksum;
    h->model_b = e->b->block->checksum;
    h->has_pair = 0;
    h->walk_of = NULL;
    h->failures = h->pause = 0;
    h->cold_work = 0;
}

static void fail(tmb_hot *h)
{
    h->failures += h->failures < 31;
    h->pause = h->failures > 6 ? LONGEST_PAUSE : 1u << h->failures;
    h->walk_of = NULL;
    h->life = FIRST_LIFE;
}

static double size_of(const tumble_model *model)
{
    double size = 0;
    for (int k = 0; k < 3; k++) {
        size = fmax(size, model->block->upper[k] - model->block->lower[k]);
    }
    return size;
}

static int is_jump(const tmb_encounter *e, double step)
{
    const double scale = fabs(e->relative.m[0][0]) + fabs(e->relative.m[1][0]) + fabs(e->relative.m[2][0]);
    return !(step <= MOST_STEP * fmin(size_of(e->a), size_of(e->b) * scale));
}

/* The same for walks without: by what they count. */
static double cold_work(const tmb_encounter *e)
{
    const uint32_t hierarchy = e->a->block->hierarchy;
    if (hierarchy != e->b->block->hierarchy) {
        return 12 * (double)e->box_tests + 60 * (double)e->box_updates;
    }
    switch (hierarchy) {
    case TUMBLE_HIERARCHY_WIDE: return 1500 * (double)e->box_updates;
    case TUMBLE_HIERARCHY_KDOP: return 40 * (double)e->box_tests + 90 * (double)e->box_updates;
    case TUMBLE_HIERARCHY_BOXTREE: return 110 * (double)e->box_tests;
    default: return 5 * (double)e->box_tests;
    }
}

/* ---- Walks ---- */

/* The walks of single hierarchies. The others are compared by their boxes; without any, there is no front. */
static const tmb_front_walk *const walks[] = {
    [TUMBLE_HIERARCHY_WIDE] = &tmb_front_wide,
#if !defined(TUMBLE_WIDE_ONLY)
    [TUMBLE_HIERARCHY_KDOP] = &tmb_front_kdop,
#endif
};

static const tmb_front_walk *walk_for(const tmb_encounter *e)
{
    const uint32_t a = e->a->block->hierarchy, b = e->b->block->hierarchy;
    if (a == TUMBLE_HIERARCHY_BRUTE && b == TUMBLE_HIERARCHY_BRUTE) {
        return NULL;
    }
    const int are_alike = a == b && (a != TUMBLE_HIERARCHY_KDOP || e->a->block->kdop.k == e->b->block->kdop.k);
    return are_alike && a < sizeof walks / sizeof *walks && walks[a] ? walks[a] : &tmb_front_boxes;
}

/* Keeps the front for the next query. Pairs that still wait come last, so that the one at which the walk was stopped is
 * the first to be examined next time. */
static void keep_front(tmb_front *f, const tmb_front_walk *walk)
{
    tmb_hot *h = f->hot;
    for (size_t i = 0; i < f->stack_count && f->keep; i++) {
        tmb_front_pair *pair = tmb_front_keep(f, -INFINITY);
        if (pair) {
            memcpy((char *)pair + sizeof pair->lower, f->stack + i * f->size + sizeof pair->lower,
                   f->size - sizeof pair->lower);
        }
    }
    h->kept_count = f->kept_count;
    h->moved = f->moved;
    h->walk_of = f->keep && f->collider->encounter.status == TUMBLE_OK ? walk : NULL;
}

/* A pair waits again, maybe together with one of the same nodes. 0 if memory runs out. */
static int wait_again(tmb_front *f, const tmb_front_pair *pair)
{
    const size_t from = f->stack_count > MERGED_WITHIN ? f->stack_count - MERGED_WITHIN : 0;
    for (size_t i = f->stack_count; i-- > from && f->merges;) {
        tmb_front_pair *other = (tmb_front_pair *)(void *)(f->stack + i * f->size);
        if (other->a == pair->a && other->b == pair->b) {
            other->children |= pair->children;
            return 1;
        }
    }
    void *waits = tmb_front_push(f);
    if (waits) {
        memcpy(waits, pair, f->size);
    }
    return waits != NULL;
}

/* All children of a pair stand at this place of the front, and may be too close by now: then how many they are, and
 * `parents` takes their place. Else 0. */
static size_t raise(const tmb_front *f, size_t at, double most, tmb_front_pair *parents)
{
    const tmb_front_pair *first = (const tmb_front_pair *)(const void *)f->kept + at;
    const size_t count = first->children & TMB_FRONT_FOUR ? 4 : 2;
    if (!(first->children & TMB_FRONT_SIBLINGS) || at + count > f->kept_count) {
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (first[i].children != first->children || !(first[i].lower <= most)) {
            return 0;
        }
    }
    *parents = tmb_front_parents(first);
    return count;
}

/* Pairs of the front that may be too close by now wait again. 0 if memory runs out. */
static inline __attribute__((always_inline)) int revive_sized(tmb_front *f, double most, size_t size)
{
    char *left = f->kept;
    for (size_t i = 0; i < f->kept_count; i++) {
        const char *pair = f->kept + i * size;
        if (!(((const tmb_front_pair *)(const void *)pair)->lower <= most)) {
            memmove(left, pair, size);
            left += size;
            continue;
        }
        tmb_front_pair parents;
        const size_t raised = f->raises ? raise(f, i, most, &parents) : 0;
        if (!wait_again(f, raised ? &parents : (const tmb_front_pair *)(const void *)pair)) {
            return 0;
        }
        i += raised ? raised - 1 : 0;
    }
    f->kept_count = (size_t)(left - f->kept) / size;
    return 1;
}

static int revive(tmb_front *f, double most)
{
    return f->size == sizeof(tmb_front_pair) ? revive_sized(f, most, sizeof(tmb_front_pair))
                                             : revive_sized(f, most, f->size);
}

/* A front from the roots. 1: the question is answered. */
static int walk_from_roots(tmb_collider *c, const tmb_front_walk *walk, double step)
{
    tmb_hot *h = &c->scratch->hot;
    tmb_front f = make_front(c, walk);
    f.soon = c->limit + STEPS_AHEAD * step;
    h->walk_of = NULL;
    switch (walk->begin(&f)) {
    case TMB_FRONT_NO: fail(h); return c->encounter.status != TUMBLE_OK;
    case TMB_FRONT_APART: h->cold_work = 0; return 1;
    default: break;
    }
    void *root = tmb_front_push(&f);
    if (!root) {
        return 1;
    }
    walk->root(&f, root);
    walk->walk(&f);
    keep_front(&f, walk);
    h->fresh_count = h->kept_count;
    h->cold_share = walk->cold_share > 0 ? walk->cold_share : h->cold_share > 0 ? h->cold_share : h->cold_work / f.work;
    h->cold_work = h->cold_share * f.work;
    h->fresh_work = h->used_work = f.work;
    h->uses = 1;
    h->life = h->life ? h->life : FIRST_LIFE;
    return 1;
}

/* A front that has come to its end: did it take less work than walks from the roots? */
static void judge(tmb_hot *h)
{
    if (h->used_work > PAYS * h->cold_work * h->uses) {
        fail(h);
    } else {
        h->failures = 0;
        h->life = h->life < LONGEST_LIFE ? 2 * h->life : LONGEST_LIFE;
    }
}

/* With the front of the last query. 1: the question is answered; -1: a new front is to be begun. */
static int walk_from_front(tmb_collider *c, double step)
{
    tmb_hot *h = &c->scratch->hot;
    const tmb_front_walk *walk = h->walk_of;
    tmb_front f = make_front(c, walk);
    f.kept_count = h->kept_count;
    f.moved = (h->moved + step) * (1 + TMB_AGEING_ROUNDING);
    f.soon = c->limit + STEPS_AHEAD * step;
    f.work = BEGIN_WORK + KEPT_WORK * (double)f.kept_count;
    h->walk_of = NULL;
    const double age = f.moved * (1 + TMB_MOTION_ROUNDING), most = (c->limit + age) * (1 + TMB_AGEING_ROUNDING);
    if (!(most < INFINITY) || h->uses >= h->life || h->kept_count > MOST_GROWTH * (h->fresh_count + 32)) {
        judge(h);
        return h->pause ? 0 : -1;
    }
    if (!revive(&f, most)) {
        return 1;
    }
    if ((double)f.stack_count * walk->pair_work > h->fresh_work) {
        h->used_work += f.work;
        judge(h);
        return h->pause ? 0 : -1;
    }
    const tmb_front_outlook outlook = walk->begin(&f);
    if (outlook == TMB_FRONT_NO) {
        return c->encounter.status != TUMBLE_OK;
    }
    if (outlook == TMB_FRONT_GO) {
        walk->walk(&f);
    }
    keep_front(&f, walk);
    h->used_work += f.work;
    h->uses++;
    return 1;
}

/* 1: the question is answered. */
static int walk_hot(tmb_collider *c)
{
    tmb_hot *h = &c->scratch->hot;
    const tmb_front_walk *walk = walk_for(&c->encounter);
    if (!walk || h->cold_work < LEAST_WORK || h->pause) {
        h->pause -= h->pause > 0;
        return 0;
    }
    const double step = tmb_encounter_motion(&c->encounter, &h->relative);
    h->relative = c->encounter.relative;
    if (is_jump(&c->encounter, step)) {
        fail(h);
        return 0;
    }
    const int answered = h->walk_of ? walk_from_front(c, step) : -1;
    return answered < 0 ? walk_from_roots(c, walk, step) : answered;
}

void tmb_hot_walk(tmb_collider *c, void (*cold)(tmb_collider *collider))
{
    tmb_hot *h = &c->scratch->hot;
    const tumble_coherence coherence = c->options->coherence;
    const int is_same = tmb_encounter_is_about(&c->encounter, h->model_a, h->model_b);
    if (!is_same) {
        forget(h, &c->encounter);
    }
    if ((coherence & TUMBLE_COHERENCE_PAIR) && c->one && h->has_pair && tmb_collider_leaf(c, h->pair[0], h->pair[1])) {
        return; /* the front stays as it is: it knows where B was */
    }
    if (!(coherence & TUMBLE_COHERENCE_FRONT) || !is_same || !walk_hot(c)) {
        cold(c);
        if (coherence & TUMBLE_COHERENCE_FRONT) {
            h->cold_work = cold_work(&c->encounter);
            h->cold_share = 0;
            h->relative = c->encounter.relative;
            h->walk_of = NULL;
        }
    }
    if (c->collide) {
        h->has_pair = 1;
        memcpy(h->pair, c->first_triangles, sizeof h->pair);
    }
}
