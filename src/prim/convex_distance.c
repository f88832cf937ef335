/* The distance of two convex solids: see convex_body.h. */
#include "prim/convex_distance.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/bounds.h"
#include "math/expansion.h"
#include "math/vec3.h"

#define MOST_STEPS 100
#define BEYOND 0x1p100 /* larger than all squares */

/* ---- In doubles ---- */

static inline double fast_of(double x)
{
    return x;
}

static inline double fast_value(double x)
{
    return x;
}

static inline double fast_add(double a, double b)
{
    return a + b;
}

static inline double fast_subtract(double a, double b)
{
    return a - b;
}

static inline double fast_multiply(double a, double b)
{
    return a * b;
}

static inline double fast_divide(double a, double b)
{
    return a / b;
}

static inline double fast_root(double a)
{
    return sqrt(a);
}

#define NUMBER double
#define NAME(name) fast_##name
#define SLACK TMB_CONVEX_SLACK
#include "prim/convex_body.h"
#undef NUMBER
#undef NAME
#undef SLACK

/* ---- In pairs of doubles ---- */

static inline tmb_double2 sharp_of(double x)
{
    return (tmb_double2){x, 0};
}

static inline double sharp_value(tmb_double2 x)
{
    return x.high;
}

static inline tmb_double2 sharp_add(tmb_double2 a, tmb_double2 b)
{
    const tmb_double2 sum = tmb_two_sum(a.high, b.high), rest = tmb_two_sum(a.low, b.low);
    const tmb_double2 more = tmb_two_sum(sum.high, sum.low + rest.high);
    return tmb_two_sum(more.high, more.low + rest.low);
}

static inline tmb_double2 sharp_subtract(tmb_double2 a, tmb_double2 b)
{
    return sharp_add(a, (tmb_double2){-b.high, -b.low});
}

static inline tmb_double2 sharp_multiply(tmb_double2 a, tmb_double2 b)
{
    const tmb_double2 product = tmb_multiply_doubled(a, b);
    return tmb_two_sum(product.high, product.low);
}

static inline tmb_double2 sharp_divide(tmb_double2 a, tmb_double2 b)
{
    const tmb_double2 first = sharp_of(a.high / b.high);
    const tmb_double2 rest = sharp_subtract(a, sharp_multiply(first, b));
    const tmb_double2 second = sharp_of(rest.high / b.high);
    const tmb_double2 last = sharp_subtract(rest, sharp_multiply(second, b));
    return sharp_add(sharp_add(first, second), sharp_of(last.high / b.high));
}

static inline tmb_double2 sharp_root(tmb_double2 a)
{
    if (!(a.high > 0)) {
        return sharp_of(0);
    }
    const tmb_double2 first = sharp_of(sqrt(a.high));
    const tmb_double2 rest = sharp_subtract(a, sharp_multiply(first, first));
    return sharp_add(first, sharp_of(rest.high / (2 * first.high)));
}

#define NUMBER tmb_double2
#define NAME(name) sharp_##name
#define SLACK TMB_CONVEX_SHARP_SLACK
#include "prim/convex_body.h" /* NOLINT(readability-duplicate-include): for other numbers */
#undef NUMBER
#undef NAME
#undef SLACK

/* ---- Scaled, and seen from a corner of A ---- */

typedef struct frame {
    const double *origin;
    int exponent; /* of what is 1 */
} frame;

/* Lengths and radii are at most 1, and one of them is not below 1/8: differences of doubles may overflow, half of them
 * does not. */
static frame frame_of(const tmb_convex *a, const tmb_convex *b)
{
    const tmb_convex *solids[2] = {a, b};
    frame f = {a->corners[0], INT_MIN};
    for (int i = 0; i < 2; i++) {
        double most = 0;
        for (int j = 0; j < 9; j++) {
            most = fmax(most, fabs(solids[i]->corners[j / 3][j % 3] / 2 - f.origin[j % 3] / 2));
        }
        const int of_radius =
            solids[i]->radius.digits > 0 ? ilogb(solids[i]->radius.digits) + solids[i]->radius.exponent + 1 : INT_MIN;
        const int own = most > 0 ? ilogb(most) + 2 : INT_MIN;
        f.exponent = own > f.exponent ? own : f.exponent;
        f.exponent = of_radius > f.exponent ? of_radius : f.exponent;
    }
    f.exponent = f.exponent == INT_MIN ? 0 : f.exponent;
    return f;
}

/* x 2^exponent, for any exponent. */
static double times_power(double x, int exponent)
{
    for (; exponent > 1000; exponent -= 1000) {
        x *= 0x1p1000;
    }
    for (; exponent < -1000; exponent += 1000) {
        x *= 0x1p-1000;
    }
    return ldexp(x, exponent);
}

/* to - from, in units of 2^exponent. */
static tmb_double2 scaled_difference(double from, double to, int exponent)
{
    if (exponent > 0) {
        return tmb_two_difference(times_power(to, -exponent), times_power(from, -exponent));
    }
    const tmb_double2 whole = tmb_two_difference(to, from);
    return (tmb_double2){times_power(whole.high, -exponent), times_power(whole.low, -exponent)};
}

/* The axis of a cylinder, in a unit of its own. */
static void get_axis(const tmb_convex *c, tmb_double2 out[3])
{
    double half[3];
    for (int k = 0; k < 3; k++) {
        half[k] = c->corners[1][k] / 2 - c->corners[0][k] / 2;
    }
    const double most = tmb_largest_size(half);
    const int exponent = most > 0 ? ilogb(most) + 2 : -1074;
    for (int k = 0; k < 3; k++) {
        out[k] = scaled_difference(c->corners[0][k], c->corners[1][k], exponent);
    }
}

static sharp_solid sharp_solid_of(const tmb_convex *c, const frame *f)
{
    sharp_solid out = {.is_cylinder = c->is_cylinder};
    for (int i = 0; i < 9; i++) {
        out.corners[i / 3].at[i % 3] = scaled_difference(f->origin[i % 3], c->corners[i / 3][i % 3], f->exponent);
    }
    if (c->is_cylinder) {
        get_axis(c, out.along.at);
        out.length = sharp_length(&out.along);
        out.radius = sharp_of(times_power(c->radius.digits, c->radius.exponent - f->exponent));
        TMB_ASSERT(out.length.high > 0);
    }
    return out;
}

static fast_solid fast_solid_of(const sharp_solid *s)
{
    fast_solid out = {.is_cylinder = s->is_cylinder, .length = s->length.high, .radius = s->radius.high};
    for (int k = 0; k < 3; k++) {
        out.along.at[k] = s->along.at[k].high;
        for (int i = 0; i < 3; i++) {
            out.corners[i].at[k] = s->corners[i].at[k].high;
        }
    }
    return out;
}

/* ---- Back again ---- */

static void tell(const frame *f, const double bounds[2], tmb_convex_distance *out)
{
    const double lower = times_power(bounds[0], f->exponent), upper = times_power(bounds[1], f->exponent);
    out->lower = bounds[0] > 0 ? nextafter(lower, 0) : 0;
    out->upper = nextafter(upper, INFINITY);
    out->value = bounds[0] > 0 ? out->lower / 2 + out->upper / 2 : 0;
    out->value = fmin(fmax(out->value, out->lower), out->upper);
}

static void tell_fast(const frame *f, const double bounds[2], const fast_vector points[2], tmb_convex_distance *out)
{
    tell(f, bounds, out);
    for (int i = 0; i < 6; i++) {
        out->points[i / 3][i % 3] = f->origin[i % 3] + times_power(points[i / 3].at[i % 3], f->exponent);
    }
}

static void tell_sharp(const frame *f, const double bounds[2], const sharp_vector points[2], tmb_convex_distance *out)
{
    tell(f, bounds, out);
    for (int i = 0; i < 6; i++) {
        out->points[i / 3][i % 3] = f->origin[i % 3] + times_power(points[i / 3].at[i % 3].high, f->exponent);
    }
}

/* A limit in the frame: below or above it, whatever is rounded. */
static double limit_in(const frame *f, double limit, int above)
{
    const double scaled = isfinite(limit) ? times_power(limit, -f->exponent) : limit;
    return isfinite(scaled) ? nextafter(scaled, above ? INFINITY : -INFINITY) : scaled;
}

typedef struct problem {
    frame frame;
    sharp_solid solids[2];
    fast_solid rounded[2];
} problem;

static void set_problem(problem *p, const tmb_convex *a, const tmb_convex *b)
{
    p->frame = frame_of(a, b);
    p->solids[0] = sharp_solid_of(a, &p->frame);
    p->solids[1] = sharp_solid_of(b, &p->frame);
    p->rounded[0] = fast_solid_of(&p->solids[0]);
    p->rounded[1] = fast_solid_of(&p->solids[1]);
}

static fast_vector first_way(const problem *p)
{
    return fast_difference(&p->rounded[0].corners[0], &p->rounded[1].corners[0]);
}

/* From where doubles have ended. */
static sharp_vector sharp_way(const fast_vector *way)
{
    return (sharp_vector){{sharp_of(way->at[0]), sharp_of(way->at[1]), sharp_of(way->at[2])}};
}

static void find_sharp(const problem *p, const fast_vector *way, tmb_convex_distance *out)
{
    double bounds[2];
    sharp_vector points[2], start = sharp_way(way);
    sharp_approach(p->solids, &start, -INFINITY, INFINITY, bounds, points);
    tell_sharp(&p->frame, bounds, points, out);
}

#define CLOSE_ENOUGH (8 * TMB_CONVEX_SLACK) /* bounds of doubles are seldom closer */

void tmb_convex_distance_fast(const tmb_convex *a, const tmb_convex *b, tmb_convex_distance *out)
{
    problem p;
    double bounds[2];
    fast_vector points[2];
    set_problem(&p, a, b);
    fast_vector way = first_way(&p);
    fast_approach(p.rounded, &way, -INFINITY, INFINITY, bounds, points);
    if (bounds[1] - bounds[0] <= CLOSE_ENOUGH) {
        tell_fast(&p.frame, bounds, points, out);
    } else {
        find_sharp(&p, &way, out);
    }
}

void tmb_convex_distance_sharp(const tmb_convex *a, const tmb_convex *b, tmb_convex_distance *out)
{
    problem p;
    double bounds[2];
    fast_vector points[2];
    set_problem(&p, a, b);
    fast_vector way = first_way(&p);
    fast_approach(p.rounded, &way, -INFINITY, INFINITY, bounds, points);
    find_sharp(&p, &way, out);
}

int tmb_convex_within(const tmb_convex *a, const tmb_convex *b, const tmb_limit *limit, unsigned long long *exact)
{
    problem p;
    double bounds[2];
    fast_vector points[2];
    set_problem(&p, a, b);
    const double below = limit_in(&p.frame, limit->below, 0), above = limit_in(&p.frame, limit->above, 1);
    fast_vector way = first_way(&p);
    fast_approach(p.rounded, &way, below, above, bounds, points);
    if (bounds[0] > above || bounds[1] <= below + CLOSE_ENOUGH) {
        return !(bounds[0] > above);
    }
    ++*exact;
    sharp_vector precise[2], start = sharp_way(&way);
    sharp_approach(p.solids, &start, below, above, bounds, precise);
    return !(bounds[0] > above);
}

double tmb_convex_apart_along(const tmb_convex *a, const tmb_convex *b, const double way[3])
{
    problem p;
    fast_vector v, points[2];
    const double most = tmb_largest_size(way);
    if (!(most > 0x1p-1000 && most < 0x1p1000)) {
        return 0;
    }
    set_problem(&p, a, b);
    for (int k = 0; k < 3; k++) {
        v.at[k] = -(way[k] / most);
    }
    const double length = fast_length(&v);
    fast_vector against = {{-v.at[0], -v.at[1], -v.at[2]}};
    const double reach =
        -(fast_support(&p.rounded[0], &against, &points[0]) + fast_support(&p.rounded[1], &v, &points[1]));
    const double bounds[2] = {nextafter(reach / length, 0) - TMB_CONVEX_SLACK, 1};
    tmb_convex_distance out;
    tell_fast(&p.frame, bounds, points, &out);
    return out.lower;
}
