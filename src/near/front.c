/* Coherence: what a search learns helps the next one if little has moved.
 *
 * The nearest triangles of last time are a first bound. The front are the pairs at which the last search ended: those
 * that were left out, those that still waited, and those whose triangles were compared. They cover all pairs of
 * triangles, each with a lower bound of its distance. When no point of B has moved farther than d in A's frame, these
 * bounds less d still hold: only pairs that are then within the new bound are visited again. (The generalised front of
 * Ehmann and Lin, with the bounds of the motion of conservative advancement.) */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/bounds.h"
#include "math/vec3.h"
#include "near/near.h"
#include "query/local_map.h"

#define PAYS 1.5          /* times the work of a fresh search, which knows the last pair, may be done with a front */
#define PAYS_TO_DECIDE 1  /* the same where that pair does not help: when the question is only yes or no */
#define REVIVED_WORK 2    /* of a pair of the front that waits again, compared with keeping one */
#define PASSED_WORK 0.5   /* of one that does not */
#define FIRST_LIFE 8      /* searches after which a front is begun anew, to see whether it still pays: at first, */
#define LONGEST_LIFE 64   /* and when it has paid again and again */
#define MOST_STEP 0.25    /* of the distance: if it is longer, a front is useless */
#define MOST_TIMED 4096   /* pairs of a front are looked through when time is limited */
#define STEPS_AHEAD 8     /* as far as this a front looks, */
#define FIRST_STEP 0x1p-8 /* of B's size, as long as none is known */
#define MOST_GROWTH 4     /* of a front that was used again and again */
#define LONGEST_PAUSE 32

/* How much a matrix stretches a vector at most: the eighth root of the largest eigenvalue of (m m^T)^4, for which the
 * root of the sum of squares of its elements is taken. For the change of a rotation that is 1.05 times too much. */
static double norm_of(double m[3][3])
{
    double from[3][3], to[3][3], scale = 0, sum = 0;
    for (int i = 0; i < 9; i++) {
        scale = tmb_greater(scale, fabs(m[i / 3][i % 3]));
    }
    if (!(scale > 0x1p-500 && scale < 0x1p500)) {
        return 3 * scale;
    }
    for (int i = 0; i < 9; i++) {
        from[i / 3][i % 3] = m[i / 3][i % 3] / scale;
    }
    for (int times = 0; times < 3; times++) { /* m m^T, its square, and the square of that */
        for (int i = 0; i < 9; i++) {
            const double *x = from[i / 3], *y = from[i % 3];
            to[i / 3][i % 3] = tmb_dot(x, y);
        }
        memcpy(from, to, sizeof from);
    }
    for (int i = 0; i < 9; i++) {
        sum += from[i / 3][i % 3] * from[i / 3][i % 3];
    }
    return scale * sqrt(sqrt(sqrt(sqrt(sum))));
}

static int is_same_pose(const tumble_pose *a, const tumble_pose *b)
{
    int same = 1;
    for (int i = 0; i < 12; i++) {
        same &= a->m[i / 4][i % 4] == b->m[i / 4][i % 4];
    }
    return same;
}

/* A vector's length, or more where squares over- or underflow. */
static double length_above(const double v[3])
{
    const double square = tmb_dot(v, v);
    return square > 0x1p-900 && square < INFINITY ? sqrt(square) : fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
}

/* How far a point of B has moved at most, in A's unit. Centres and sides are doubled: half of the least double is 0. */
static double motion_of(const tmb_near_search *s, const tumble_pose *before)
{
    const tmb_encounter *e = &s->encounter;
    const tumble_pose *now = &e->relative;
    if (is_same_pose(before, now)) {
        return 0;
    }
    const tmb_block *b = e->b->block;
    double change[3][3], moved[3], sides[3], size = 0;
    for (int k = 0; k < 3; k++) {
        double reach = fabs(now->m[k][3]) + fabs(before->m[k][3]);
        sides[k] = b->upper[k] - b->lower[k];
        moved[k] = 2 * (now->m[k][3] - before->m[k][3]);
        for (int j = 0; j < 3; j++) {
            change[k][j] = now->m[k][j] - before->m[k][j];
            const double most = tmb_greater(fabs(b->lower[j]), fabs(b->upper[j]));
            moved[k] += change[k][j] * (b->upper[j] + b->lower[j]);
            reach += (fabs(now->m[k][j]) + fabs(before->m[k][j])) * most;
        }
        size = tmb_greater(size, reach);
    }
    const double twice = length_above(moved) + norm_of(change) * length_above(sides);
    return 0.5 * twice * (1 + TMB_MOTION_ROUNDING) + (2 * TMB_POINT_ROUNDING * size + TMB_MOTION_LEAST_MARGIN);
}

static double first_step(const tmb_near_search *s)
{
    double size = 0;
    for (int k = 0; k < 3; k++) {
        size = tmb_greater(size, s->encounter.b->block->upper[k] - s->encounter.b->block->lower[k]);
    }
    return FIRST_STEP * size * tumble_pose_scale(&s->encounter.relative);
}

static int is_same(const tmb_near_search *s)
{
    const tmb_near_scratch *scratch = s->scratch;
    const tumble_model *a = s->encounter.a, *b = s->encounter.b;
    return !a->edit && !b->edit && scratch->model_a == a->block->checksum && scratch->model_b == b->block->checksum;
}

/* The most work that is worth doing with a front. */
static double worth_of(const tmb_near_search *s)
{
    return (s->within.above > s->enough.above ? PAYS : PAYS_TO_DECIDE) * (double)s->scratch->fresh_work;
}

/* Whether few pairs of the front are within the bound; `age` is what the bounds have lost. */
static int is_useful(const tmb_near_search *s, double age)
{
    TMB_ASSERT(age >= 0);
    const tmb_near_scratch *scratch = s->scratch;
    const tmb_near_pair *kept = scratch->kept.data;
    size_t revived = 0;
    if (scratch->waiting) { /* a search that continues where it ended */
        return scratch->step == 0;
    }
    if (scratch->step > MOST_STEP * s->bound && s->bound > 0) { /* a jump */
        return 0;
    }
    if (scratch->uses >= scratch->life || scratch->kept_count > MOST_GROWTH * (scratch->fresh_count + 64) ||
        (s->deadline < INFINITY && scratch->kept_count > MOST_TIMED)) {
        return 0;
    }
    for (size_t i = 0; i < scratch->kept_count; i++) {
        revived += kept[i].lower - age <= s->bound;
    }
    return (double)revived * scratch->leave_work <= worth_of(s);
}

/* Pairs of the front that are within the bound wait again. */
static void revive(tmb_near_search *s, double age)
{
    TMB_ASSERT(age >= 0);
    size_t left = 0;
    for (size_t i = 0; i < s->kept_count; i++) {
        const tmb_near_pair pair = s->kept[i];
        if (pair.lower - age <= s->bound) {
            tmb_near_push(s, pair.lower - age, pair.a, pair.b, pair.children);
        } else {
            s->kept[left++] = pair;
        }
    }
    s->revived = s->kept_count - left;
    s->kept_count = s->kept_before = left;
}

/* The search keeps pairs where the front before it did. */
static void take_room(tmb_near_search *s, size_t count)
{
    const tmb_near_scratch *scratch = s->scratch;
    const size_t room = scratch->kept.capacity / sizeof *s->kept;
    s->kept = scratch->kept.data;
    s->kept_count = count;
    s->kept_room = room < TMB_NEAR_KEPT ? room : TMB_NEAR_KEPT;
}

void tmb_near_begin_front(tmb_near_search *s)
{
    tmb_near_scratch *scratch = s->scratch;
    if (!s->options->coherence) {
        return;
    }
    s->margin = STEPS_AHEAD * scratch->step;
    s->keep = s->walk.keeps_front && scratch->pause == 0;
    scratch->pause -= scratch->pause > 0;
    scratch->has_front = 0;
    scratch->front_of = s->walk.keeps_front;
    scratch->leave_work = s->walk.work;
    scratch->fresh_count = scratch->fresh_work = scratch->waiting = 0;
    scratch->life = scratch->life ? scratch->life : FIRST_LIFE;
    scratch->moved = s->moved = 0;
    take_room(s, 0);
}

/* The front did not pay: the next one is begun after a pause. */
static void fail(tmb_near_scratch *scratch)
{
    scratch->failures += scratch->failures < 31;
    scratch->pause = scratch->failures > 5 ? LONGEST_PAUSE : (1u << scratch->failures) - 1;
    scratch->has_front = 0;
    scratch->life = FIRST_LIFE;
}

int tmb_near_recall(tmb_near_search *s)
{
    tmb_near_scratch *scratch = s->scratch;
    if (!s->options->coherence) {
        return 0;
    }
    if (!is_same(s)) {
        scratch->has_nearest = scratch->has_front = 0;
        scratch->failures = scratch->pause = 0;
    }
    if (scratch->has_front || scratch->pause == 0 || s->within.above > s->enough.above) { /* else nobody asks */
        scratch->step = scratch->has_nearest || scratch->has_front ? motion_of(s, &scratch->relative) : first_step(s);
    }
    scratch->moved = (scratch->moved + scratch->step) * (1 + TMB_AGEING_ROUNDING);
    s->margin = STEPS_AHEAD * scratch->step;
    if (scratch->has_nearest) {
        tmb_near_compare(s, scratch->nearest[0], scratch->nearest[1]);
        s->is_spent = 0; /* which is for the search to find out */
    }
    if (!scratch->has_front) {
        return 0;
    }
    s->moved = scratch->moved;
    if (s->is_enough) { /* the front stays as it is, unused */
        take_room(s, scratch->kept_count);
        s->keep = 1;
        return 1;
    }
    const double age = scratch->moved * (1 + TMB_MOTION_ROUNDING);
    if (!(age < INFINITY) || !is_useful(s, age)) { /* where squares overflow nothing is known */
        if (scratch->uses == 0 && !scratch->waiting) {
            fail(scratch);
        }
        return 0;
    }
    take_room(s, scratch->kept_count);
    s->keep = 1;
    revive(s, age);
    return 1;
}

static void keep_all(tmb_near_search *s, const tmb_near_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count && s->keep; i++) {
        tmb_near_keep(s, pairs[i].lower, pairs[i].a, pairs[i].b, pairs[i].children);
    }
}

static double work_with_front(const tmb_near_search *s)
{
    const size_t kept = s->kept_count - s->kept_before;
    return (double)(s->work + kept) + REVIVED_WORK * (double)s->revived + PASSED_WORK * (double)s->kept_before;
}

/* Whether the searches with the last front have taken less work than one without, which this one was. */
static void judge_last(tmb_near_scratch *scratch, double worth)
{
    TMB_ASSERT(worth >= 0);
    if (scratch->uses == 0) {
        return;
    }
    if (scratch->used_work > worth * scratch->uses) {
        fail(scratch);
    } else {
        scratch->failures = 0;
        scratch->life = scratch->life < LONGEST_LIFE ? 2 * scratch->life : LONGEST_LIFE;
    }
    scratch->uses = 0;
    scratch->used_work = 0;
}

/* The same after each use. */
static void judge_this(tmb_near_scratch *scratch, double work, double worth)
{
    scratch->uses++;
    scratch->used_work += work;
    if (scratch->used_work > worth * scratch->uses + 1) {
        fail(scratch);
        scratch->uses = 0;
        scratch->used_work = 0;
    }
}

void tmb_near_remember(tmb_near_search *s)
{
    tmb_near_scratch *scratch = s->scratch;
    if (!s->options->coherence) {
        return;
    }
    keep_all(s, s->heap, s->heap_count);
    keep_all(s, s->stack, s->stack_count);
    const int is_fresh = !scratch->fresh_count || scratch->waiting; /* the front is begun, or still was */
    scratch->has_front = s->keep && s->encounter.status == TUMBLE_OK;
    scratch->kept_count = s->kept_count;
    scratch->waiting = s->is_spent ? s->heap_count + s->stack_count : 0;
    if (is_fresh) {
        scratch->fresh_count = s->kept_count;
        scratch->fresh_work += s->work;
        judge_last(scratch, worth_of(s));
    } else if (scratch->has_front && !scratch->waiting) {
        judge_this(scratch, work_with_front(s), worth_of(s));
    }
    scratch->has_nearest = s->found;
    memcpy(scratch->nearest, s->nearest, sizeof scratch->nearest);
    scratch->relative = s->encounter.relative;
    scratch->model_a = s->encounter.a->block->checksum;
    scratch->model_b = s->encounter.b->block->checksum;
}
