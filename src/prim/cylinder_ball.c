/* A ball and a cylinder with flat ends: do they meet? */
#include <math.h>

#include "math/bigfloat.h"
#include "math/bounded.h"
#include "math/bounds.h"
#include "prim/cylinder.h"
#include "prim/cylinder_parts.h"

/* ---- In doubles with error bounds ---- */

typedef struct fast_problem {
    const double *centre, *from, *to;
    double scale;
    tmb_bounded radii[2];
} fast_problem;

static tmb_bounded fast_difference(const fast_problem *p, double a, double b)
{
    const double difference = a - b, scaled = difference * p->scale;
    const double error = TMB_DOUBLE_ROUNDING * (1 + TMB_DOUBLE_ROUNDING) * fabs(scaled) + 2 * TMB_DOUBLE_LEAST;
    return (tmb_bounded){scaled, difference == 0 ? 0 : error};
}

static tmb_bounded fast_add(const fast_problem *p, tmb_bounded a, tmb_bounded b)
{
    (void)p;
    return tmb_bounded_add(a, b);
}

static tmb_bounded fast_subtract(const fast_problem *p, tmb_bounded a, tmb_bounded b)
{
    (void)p;
    return tmb_bounded_subtract(a, b);
}

static tmb_bounded fast_multiply(const fast_problem *p, tmb_bounded a, tmb_bounded b)
{
    (void)p;
    return tmb_bounded_multiply(a, b);
}

static tmb_verdict fast_is_positive(tmb_bounded a)
{
    return a.value > a.error ? TMB_YES : a.value <= -a.error ? TMB_NO : TMB_MAYBE;
}

static tmb_verdict fast_is_not_negative(tmb_bounded a)
{
    return a.value >= a.error ? TMB_YES : a.value < -a.error ? TMB_NO : TMB_MAYBE;
}

static tmb_bounded fast_radius_of(const fast_problem *p, int which)
{
    return p->radii[which];
}

#define NUMBER tmb_bounded
#define PROBLEM fast_problem
#define NAME(name) fast_##name
#include "prim/cylinder_ball_body.h"
#undef NUMBER
#undef PROBLEM
#undef NAME

static tmb_bounded scaled_limit(const tmb_limit *limit, double scale)
{
    const double below = limit->below * scale, above = limit->above * scale;
    return (tmb_bounded){below, (above - below) * (1 + 4 * TMB_DOUBLE_ROUNDING) + 2 * TMB_DOUBLE_LEAST};
}

/* Scaled by a power of two that makes the largest length about 1, where that is possible. */
tmb_verdict tmb_cylinder_ball_filter(const double centre[3], const tmb_limit *reach, const tmb_cylinder *c)
{
    double most = fmax(c->radius.above, reach->above);
    for (int k = 0; k < 3; k++) {
        most = fmax(most, fmax(fabs(c->to[k] - c->from[k]), fabs(centre[k] - c->from[k])));
    }
    if (!(most > 0x1p-1000 && most < 0x1p1000)) {
        return TMB_MAYBE;
    }
    fast_problem p = {.centre = centre, .from = c->from, .to = c->to, .scale = ldexp(1, -ilogb(most))};
    p.radii[0] = scaled_limit(&c->radius, p.scale);
    p.radii[1] = scaled_limit(reach, p.scale);
    return fast_meets(&p);
}

/* ---- Exactly ---- */

typedef struct exact_problem {
    const double *centre, *from, *to;
    const tmb_limit *radii[2];
    tmb_bigfloat_pool pool;
} exact_problem;

static tmb_bigfloat exact_difference(exact_problem *p, double a, double b)
{
    return tmb_bigfloat_subtract(&p->pool, tmb_bigfloat_of(&p->pool, a), tmb_bigfloat_of(&p->pool, b));
}

static tmb_bigfloat exact_add(exact_problem *p, tmb_bigfloat a, tmb_bigfloat b)
{
    return tmb_bigfloat_add(&p->pool, a, b);
}

static tmb_bigfloat exact_subtract(exact_problem *p, tmb_bigfloat a, tmb_bigfloat b)
{
    return tmb_bigfloat_subtract(&p->pool, a, b);
}

static tmb_bigfloat exact_multiply(exact_problem *p, tmb_bigfloat a, tmb_bigfloat b)
{
    return tmb_bigfloat_multiply(&p->pool, a, b);
}

static tmb_verdict exact_is_positive(tmb_bigfloat a)
{
    return a.sign > 0 ? TMB_YES : TMB_NO;
}

static tmb_verdict exact_is_not_negative(tmb_bigfloat a)
{
    return a.sign >= 0 ? TMB_YES : TMB_NO;
}

/* digits * 2^exponent, in steps that doubles have. */
static tmb_bigfloat exact_radius_of(exact_problem *p, int which)
{
    tmb_bigfloat out = tmb_bigfloat_of(&p->pool, p->radii[which]->exact.digits);
    for (int left = p->radii[which]->exact.exponent; left != 0;) {
        const int step = left > 1000 ? 1000 : left < -1000 ? -1000 : left;
        out = tmb_bigfloat_multiply(&p->pool, out, tmb_bigfloat_of(&p->pool, ldexp(1, step)));
        left -= step;
    }
    return out;
}

#define NUMBER tmb_bigfloat
#define PROBLEM exact_problem
#define NAME(name) exact_##name
#include "prim/cylinder_ball_body.h" /* NOLINT(readability-duplicate-include): for other numbers */
#undef NUMBER
#undef PROBLEM
#undef NAME

tmb_verdict tmb_cylinder_ball_exact(tumble_context *context, const double centre[3], const tmb_limit *reach,
                                    const tmb_cylinder *c)
{
    exact_problem p = {.centre = centre, .from = c->from, .to = c->to, .radii = {&c->radius, reach}};
    p.pool.arena.context = context;
    const tmb_verdict met = exact_meets(&p);
    const int failed = p.pool.failed;
    tmb_bigfloat_pool_release(&p.pool);
    return failed ? TMB_MAYBE : met;
}
