/* How far must B be moved along a way? */
#include <float.h>
#include <math.h>

#include "math/vec3.h"
#include "separate/sweep.h"

#define TRIES 64 /* poses after a frontier, each twice as far from it */

tumble_pose tmb_moved_pose(const tumble_pose *pose, const double translation[3], double made[3], double *length)
{
    tumble_pose out = *pose;
    for (int k = 0; k < 3; k++) {
        out.m[k][3] += translation[k];
        made[k] = out.m[k][3] - pose->m[k][3];
    }
    const double most = tmb_largest_size(made);
    *length = 0;
    if (most > 0) {
        const double parts[3] = {made[0] / most, made[1] / most, made[2] / most};
        *length = nextafter(most * (tmb_length(parts) * (1 + 0x1p-49)), INFINITY);
    }
    return out;
}

static int is_failure(tmb_parting *p, tumble_status status)
{
    p->status = p->status == TUMBLE_OK ? status : p->status;
    return status != TUMBLE_OK;
}

static int surfaces_meet(tmb_parting *p, const tumble_pose *pose)
{
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result r;
    options.mode = TUMBLE_TEST;
    if (is_failure(p, tumble_collide(p->query, p->models[0], p->poses[0], p->models[1], pose, &options, &r))) {
        return 1;
    }
    tmb_counters_add(&p->counters, &r.counters);
    return r.collide;
}

tmb_parted tmb_parted_at(tmb_parting *p, const tumble_pose *pose)
{
    tumble_relation_result r;
    const int meet = surfaces_meet(p, pose);
    if (p->status != TUMBLE_OK || (meet && !p->options->touching)) {
        return TMB_SURFACES_MEET;
    }
    if (is_failure(p, tumble_relate(p->query, p->models[0], p->poses[0], p->models[1], pose, &r))) {
        return TMB_SURFACES_MEET;
    }
    tmb_counters_add(&p->counters, &r.counters);
    if (meet) {
        return r.relation == TUMBLE_RELATION_TOUCHING ? TMB_PARTED : TMB_SURFACES_MEET;
    }
    return r.relation == TUMBLE_RELATION_APART || r.relation == TUMBLE_RELATION_UNDEFINED ? TMB_PARTED : TMB_CONTAINED;
}

/* ---- After a frontier ---- */

/* The gap after a frontier, in multiples of the way as given. */
typedef struct gap {
    double below, above; /* around its begin */
    double end;          /* rounded down */
} gap;

static gap gap_of(tmb_parting *p, const tmb_way_sweep *s)
{
    gap g = {0, 0, INFINITY};
    const double end = tmb_way_sweep_free_until(s);
    if (s->has_frontier) {
        tmb_bigfloat_pool_rewind(&p->scratch->numbers);
        tmb_big_fraction_round(&p->scratch->numbers, &s->frontier, DBL_MAX, &g.below, &g.above);
        if (p->scratch->numbers.failed) {
            p->status = tmb_fail_memory(p->query->context, "the search for a move that parts");
        }
    }
    g.end = end < INFINITY ? ldexp(end, -s->shift) * (1 - 0x1p-46) : INFINITY;
    return g;
}

static void set_move(tmb_parting *p, const double way[3], double multiple, tmb_way_out *out)
{
    const double translation[3] = {multiple * way[0], multiple * way[1], multiple * way[2]};
    out->pose = tmb_moved_pose(p->poses[1], translation, out->translation, &out->length);
}

#define UNSEEN \
    0x1p-60 /* steps that are such a part of the error of positions may change nothing; TRIES reach the error */

/* A multiple that changes the pose and, with those that follow, what the pose makes of points. */
static double least_step(const tmb_parting *p, const double way[3], double at)
{
    double most = 0;
    for (int k = 0; k < 3; k++) {
        most = tmb_greater(most, fabs(p->poses[1]->m[k][3]));
    }
    const double of_points = ldexp(p->error, p->exponent) * UNSEEN;
    const double of_pose = tmb_greater(most * 0x1p-52, of_points) / tmb_largest_size(way);
    return tmb_greater(nextafter(at, INFINITY) - at, of_pose < INFINITY ? of_pose : 0);
}

/* Tries poses in the gap, from its begin on. */
static tmb_parted try_gap(tmb_parting *p, const tmb_way_sweep *s, const gap *g, double limit, tmb_way_out *out)
{
    const int may_stay = !s->has_frontier || p->options->touching;
    const double step = least_step(p, s->exact_way, g->above);
    double multiple = may_stay || g->above > g->below ? g->above : g->above + step;
    for (int i = 0; i < TRIES && (multiple < g->end || i == 0); i++) {
        set_move(p, s->exact_way, multiple, out);
        if (out->length > limit || !(out->length < INFINITY)) {
            return TMB_SURFACES_MEET;
        }
        const tmb_parted parted = tmb_parted_at(p, &out->pose);
        if (parted != TMB_SURFACES_MEET || p->status != TUMBLE_OK) {
            return parted;
        }
        multiple = g->above + ldexp(step, i);
    }
    return TMB_SURFACES_MEET;
}

/* Whether one model is inside the other in the gap, for certain: not only at a pose that was rounded. */
static int is_contained(tmb_parting *p, const double way[3], const gap *g)
{
    tmb_way_out middle;
    tumble_distance_options options = tumble_default_distance_options();
    tumble_distance_result r;
    set_move(p, way, 0.5 * g->above + 0.5 * g->end, &middle);
    if (!(g->end < INFINITY) || tmb_parted_at(p, &middle.pose) != TMB_CONTAINED) {
        return 0;
    }
    options.within = options.enough = 16 * ldexp(p->error, p->exponent);
    if (is_failure(p, tumble_distance(p->query, p->models[0], p->poses[0], p->models[1], &middle.pose, &options, &r))) {
        return 0;
    }
    tmb_counters_add(&p->counters, &r.counters);
    return r.answer == TUMBLE_NO;
}

/* ---- Along a way ---- */

static void note_last(const tmb_way_sweep *s, tmb_way_out *out)
{
    out->has_last = s->has_frontier;
    for (int side = 0; side < 2; side++) {
        out->last[side] = s->last[side];
    }
    const double size = s->has_frontier ? tmb_length(s->stop) : 1;
    for (int k = 0; k < 3; k++) {
        out->normal[k] = s->stop[k] / size;
    }
}

static void part_along(tmb_parting *p, const double way[3], double limit, int only_passing, tmb_way_out *out)
{
    tmb_way_sweep s;
    *out = (tmb_way_out){.is_tight = 1};
    tmb_way_sweep_begin(&s, p, way, limit, only_passing);
    for (int goes_on = tmb_way_sweep_run(&s); goes_on; goes_on = tmb_way_sweep_resume(&s)) {
        const gap g = gap_of(p, &s);
        const tmb_parted parted = p->status == TUMBLE_OK ? try_gap(p, &s, &g, limit, out) : TMB_SURFACES_MEET;
        out->below = out->is_tight ? g.below : out->below;
        out->above = g.above;
        if (p->status != TUMBLE_OK || (parted == TMB_SURFACES_MEET && out->length > limit)) {
            return;
        }
        if (parted == TMB_PARTED) {
            out->found = 1;
            note_last(&s, out);
            return;
        }
        out->is_tight = out->is_tight && !only_passing && parted == TMB_CONTAINED && is_contained(p, way, &g);
        if (only_passing) {
            return;
        }
    }
    out->below =
        out->is_tight && s.has_frontier ? tmb_greater(out->below, nextafter(ldexp(s.below, -s.shift), 0)) : out->below;
}

/* If touching is enough, the models may slide on each other long after they no longer cross: so the end of what passes
 * through each other is tried first. Where they still cross there, as with faces in one plane, or are inside each
 * other, that end is all that is proven, and they are moved until nothing is in contact. */
void tmb_part_along(tmb_parting *p, const double way[3], double limit, tmb_way_out *out)
{
    tmb_way_out passed = {.is_tight = 1};
    if (p->options->touching) {
        part_along(p, way, limit, 1, &passed);
        if (passed.is_tight || tmb_parting_ends(p)) {
            *out = passed;
            return;
        }
    }
    part_along(p, way, limit, 0, out);
    if (!passed.is_tight) {
        out->is_tight = 0;
        out->below = passed.below;
    }
}
