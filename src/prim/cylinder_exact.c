/* A triangle and a cylinder with flat ends, in integers: in units of which all coordinates are multiples. */
#include "math/bigint.h"
#include "prim/cylinder_parts.h"

typedef tmb_bigint number;

typedef struct vector {
    number at[3];
} vector;

typedef struct problem {
    const double (*t)[3];
    const double *from, *to;
    int unit; /* coordinates are integers times 2^unit */
    number radius;
    int radius_unit;
    int is_strict; /* the surface does not count */
} problem;

static void between(vector *out, const problem *p, const double from[3], const double to[3])
{
    number start;
    for (int k = 0; k < 3; k++) {
        tmb_bigint_from_double(&out->at[k], to[k], p->unit);
        tmb_bigint_from_double(&start, from[k], p->unit);
        tmb_bigint_subtract(&out->at[k], &out->at[k], &start);
    }
}

static void multiply(number *out, const number *x, const number *y)
{
    tmb_bigint_multiply(out, x, y);
}

static void subtract(number *out, const number *x, const number *y)
{
    tmb_bigint_subtract(out, x, y);
}

static void dot(number *out, const vector *a, const vector *b)
{
    number product;
    tmb_bigint_multiply(out, &a->at[0], &b->at[0]);
    for (int k = 1; k < 3; k++) {
        tmb_bigint_multiply(&product, &a->at[k], &b->at[k]);
        tmb_bigint_add(out, out, &product);
    }
}

static void cross(vector *out, const vector *a, const vector *b)
{
    number product;
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        tmb_bigint_multiply(&out->at[k], &a->at[l], &b->at[m]);
        tmb_bigint_multiply(&product, &a->at[m], &b->at[l]);
        tmb_bigint_subtract(&out->at[k], &out->at[k], &product);
    }
}

static void negate(number *x)
{
    x->sign = -x->sign;
}

static tmb_verdict is_positive(const number *x)
{
    return x->sign > 0 ? TMB_YES : TMB_NO;
}

static tmb_verdict is_not_negative(const number *x)
{
    return x->sign >= 0 ? TMB_YES : TMB_NO;
}

/* x has two units more than y. */
static tmb_verdict is_inside(const problem *p, const number *x, const number *y)
{
    number once, twice;
    tmb_bigint_multiply(&once, y, &p->radius);
    tmb_bigint_multiply(&twice, &once, &p->radius);
    return tmb_bigint_at_most(&twice, 2 * p->radius_unit, x, 2 * p->unit) ? TMB_NO : TMB_YES;
}

static tmb_verdict is_within(const problem *p, const number *x, const number *y)
{
    if (p->is_strict) {
        return is_inside(p, x, y);
    }
    number once, twice;
    tmb_bigint_multiply(&once, y, &p->radius);
    tmb_bigint_multiply(&twice, &once, &p->radius);
    return tmb_bigint_at_most(x, 2 * p->unit, &twice, 2 * p->radius_unit) ? TMB_YES : TMB_NO;
}

#include "prim/cylinder_body.h" /* NOLINT(readability-duplicate-include): for these numbers */

static void lower_unit(problem *p, const double point[3])
{
    for (int k = 0; k < 3; k++) {
        const int own = point[k] == 0.0 ? p->unit : tmb_double_exponent(point[k]);
        p->unit = own < p->unit ? own : p->unit;
    }
}

static void set_problem(problem *p, const double t[3][3], const tmb_cylinder *c)
{
    p->is_strict = 0;
    p->t = t;
    p->from = c->from;
    p->to = c->to;
    p->unit = 1024;
    lower_unit(p, c->from);
    lower_unit(p, c->to);
    for (int i = 0; i < 3; i++) {
        lower_unit(p, t[i]);
    }
    const double digits = c->radius.exact.digits;
    const int own = digits == 0.0 ? 0 : tmb_double_exponent(digits);
    tmb_bigint_from_double(&p->radius, digits, own);
    p->radius_unit = own + c->radius.exact.exponent;
}

tmb_verdict tmb_cylinder_exact(const double t[3][3], const tmb_cylinder *c)
{
    problem p;
    set_problem(&p, t, c);
    return border_meets(&p);
}

tmb_verdict tmb_cylinder_inside_exact(const double t[3][3], const tmb_cylinder *c)
{
    problem p;
    set_problem(&p, t, c);
    return inside_holds(&p);
}

tmb_verdict tmb_cylinder_between_exact(const double t[3][3], const tmb_cylinder *c)
{
    problem p;
    set_problem(&p, t, c);
    return is_between(&p);
}

tmb_verdict tmb_cylinder_enters_exact(const double t[3][3], const tmb_cylinder *c)
{
    problem p;
    set_problem(&p, t, c);
    p.is_strict = 1;
    return border_meets(&p);
}
