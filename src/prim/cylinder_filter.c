/* A triangle and a cylinder with flat ends, in doubles with running error bounds. Lengths are scaled by a power of two,
 * so that only what cannot matter under- or overflows. */
#include <math.h>

#include "math/bounded.h"
#include "math/bounds.h"
#include "math/vec3.h"
#include "prim/cylinder_parts.h"

typedef tmb_bounded number;

typedef struct vector {
    number at[3];
} vector;

typedef struct problem {
    const double (*t)[3];
    const double *from, *to;
    double scale;
    number radius_square; /* scaled */
    int is_strict;        /* the surface does not count */
} problem;

/* Scaled lengths that underflow are off by less than the least double; those that are 0 are exact. */
static inline void between(vector *out, const problem *p, const double from[3], const double to[3])
{
    for (int k = 0; k < 3; k++) {
        const double difference = to[k] - from[k], scaled = difference * p->scale;
        const double error = TMB_DOUBLE_ROUNDING * (1 + TMB_DOUBLE_ROUNDING) * fabs(scaled) + 2 * TMB_DOUBLE_LEAST;
        out->at[k] = (number){scaled, difference == 0 ? 0 : error};
    }
}

static inline void multiply(number *out, const number *x, const number *y)
{
    *out = tmb_bounded_multiply(*x, *y);
}

static inline void subtract(number *out, const number *x, const number *y)
{
    *out = tmb_bounded_subtract(*x, *y);
}

static inline void dot(number *out, const vector *a, const vector *b)
{
    const number x = tmb_bounded_multiply(a->at[0], b->at[0]), y = tmb_bounded_multiply(a->at[1], b->at[1]);
    *out = tmb_bounded_add(tmb_bounded_add(x, y), tmb_bounded_multiply(a->at[2], b->at[2]));
}

static inline void cross(vector *out, const vector *a, const vector *b)
{
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        out->at[k] =
            tmb_bounded_subtract(tmb_bounded_multiply(a->at[l], b->at[m]), tmb_bounded_multiply(a->at[m], b->at[l]));
    }
}

static inline void negate(number *x)
{
    x->value = -x->value;
}

/* What is NaN is neither. */
static inline tmb_verdict is_positive(const number *x)
{
    return x->value > x->error ? TMB_YES : x->value <= -x->error ? TMB_NO : TMB_MAYBE;
}

static inline tmb_verdict is_not_negative(const number *x)
{
    return x->value >= x->error ? TMB_YES : x->value < -x->error ? TMB_NO : TMB_MAYBE;
}

static inline tmb_verdict is_within(const problem *p, const number *x, const number *y)
{
    const number rest = tmb_bounded_subtract(tmb_bounded_multiply(p->radius_square, *y), *x);
    return p->is_strict ? is_positive(&rest) : is_not_negative(&rest);
}

static inline tmb_verdict is_inside(const problem *p, const number *x, const number *y)
{
    const number rest = tmb_bounded_subtract(tmb_bounded_multiply(p->radius_square, *y), *x);
    return is_positive(&rest);
}

#include "prim/cylinder_body.h" /* NOLINT(readability-duplicate-include): for these numbers */

/* A power of two that makes the largest length about 1; 0 or infinite ones make everything uncertain. */
static double scale_of(const double t[3][3], const tmb_cylinder *c)
{
    double most = c->radius.above;
    for (int k = 0; k < 3; k++) {
        most = fmax(most, fabs(c->to[k] - c->from[k]));
        for (int i = 0; i < 3; i++) {
            most = fmax(most, fabs(t[i][k] - c->from[k]));
        }
    }
    int exponent;
    if (!isfinite(most) || frexp(most, &exponent) == 0) {
        return 0;
    }
    return exponent > -1000 && exponent < 1000 ? ldexp(1, -exponent) : 0;
}

/* 0: doubles cannot tell. */
static int set_problem(problem *p, const double t[3][3], const tmb_cylinder *c)
{
    *p = (problem){.t = t, .from = c->from, .to = c->to, .scale = scale_of(t, c)};
    const double below = c->radius.below * p->scale, above = c->radius.above * p->scale;
    const number radius = {below, (above - below) * (1 + 4 * TMB_DOUBLE_ROUNDING) + 2 * TMB_DOUBLE_LEAST};
    p->radius_square = tmb_bounded_multiply(radius, radius);
    return p->scale != 0;
}

tmb_verdict tmb_cylinder_filter(const double t[3][3], const tmb_cylinder *c)
{
    problem p;
    return set_problem(&p, t, c) ? border_meets(&p) : TMB_MAYBE;
}

tmb_verdict tmb_cylinder_inside_filter(const double t[3][3], const tmb_cylinder *c)
{
    problem p;
    return set_problem(&p, t, c) ? inside_holds(&p) : TMB_MAYBE;
}

tmb_verdict tmb_cylinder_between_filter(const double t[3][3], const tmb_cylinder *c)
{
    problem p;
    return set_problem(&p, t, c) ? is_between(&p) : TMB_MAYBE;
}

tmb_verdict tmb_cylinder_enters_filter(const double t[3][3], const tmb_cylinder *c)
{
    problem p;
    const int is_certain = set_problem(&p, t, c);
    p.is_strict = 1;
    return is_certain ? border_meets(&p) : TMB_MAYBE;
}
