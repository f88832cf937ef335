/* Exact parameters: all numbers are integers in units that are powers of two, one for coordinates of points, one for
 * those of the direction. Of each quotient the numerator has one more of the former and one less of the latter. */
#include "prim/ray_fraction.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/bounds.h"
#include "math/expansion.h"
#include "math/vec3.h"

/* ---- From coordinates ---- */

static void set_word(tmb_bigint *out, uint32_t word)
{
    out->sign = out->count = 1;
    out->words[0] = word;
}

typedef struct units {
    int of_points, of_direction;
} units;

static int least_exponent(const double *numbers, int count, int least)
{
    for (int i = 0; i < count; i++) {
        const int own = numbers[i] == 0.0 ? least : tmb_double_exponent(numbers[i]);
        least = own < least ? own : least;
    }
    return least;
}

static units units_of(const tmb_ray *ray, const double corners[3][3])
{
    return (units){least_exponent(ray->origin, 3, least_exponent(corners[0], 9, 1024)),
                   least_exponent(ray->direction, 3, 1024)};
}

static void difference(double a, double b, int exponent, tmb_bigint *out)
{
    tmb_bigint other;
    tmb_bigint_from_double(out, a, exponent);
    tmb_bigint_from_double(&other, b, exponent);
    tmb_bigint_subtract(out, out, &other);
}

/* sum += a b. */
static void add_product(tmb_bigint *sum, const tmb_bigint *a, const tmb_bigint *b)
{
    tmb_bigint product;
    tmb_bigint_multiply(&product, a, b);
    tmb_bigint_add(sum, sum, &product);
}

/* a b - c d. */
static void cross(const tmb_bigint *a, const tmb_bigint *b, const tmb_bigint *c, const tmb_bigint *d, tmb_bigint *out)
{
    tmb_bigint right;
    tmb_bigint_multiply(out, a, b);
    tmb_bigint_multiply(&right, c, d);
    tmb_bigint_subtract(out, out, &right);
}

/* (a - o) . m / d . m with m = (b - a) x (c - a). */
static void crossing(const tmb_ray *ray, const double corners[3][3], units unit, tmb_fraction *out)
{
    tmb_bigint u[3], v[3], minor, number;
    for (int k = 0; k < 3; k++) {
        difference(corners[1][k], corners[0][k], unit.of_points, &u[k]);
        difference(corners[2][k], corners[0][k], unit.of_points, &v[k]);
    }
    out->above.sign = out->above.count = out->below.sign = out->below.count = 0;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        cross(&u[i], &v[j], &u[j], &v[i], &minor);
        difference(corners[0][k], ray->origin[k], unit.of_points, &number);
        add_product(&out->above, &number, &minor);
        tmb_bigint_from_double(&number, ray->direction[k], unit.of_direction);
        add_product(&out->below, &number, &minor);
    }
}

/* The axis along which a direction is longest. */
static int longest_axis(const double direction[3])
{
    int longest = 0;
    for (int k = 1; k < 3; k++) {
        longest = fabs(direction[k]) > fabs(direction[longest]) ? k : longest;
    }
    return longest;
}

static void corner(const tmb_ray *ray, const double point[3], units unit, tmb_fraction *out)
{
    const int j = longest_axis(ray->direction);
    difference(point[j], ray->origin[j], unit.of_points, &out->above);
    tmb_bigint_from_double(&out->below, ray->direction[j], unit.of_direction);
}

/* Along an axis, direction x (point - origin). */
static void turn(const tmb_ray *ray, const double point[3], int axis, units unit, tmb_bigint *out)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    tmb_bigint d[2], p[2];
    tmb_bigint_from_double(&d[0], ray->direction[u], unit.of_direction);
    tmb_bigint_from_double(&d[1], ray->direction[v], unit.of_direction);
    difference(point[u], ray->origin[u], unit.of_points, &p[0]);
    difference(point[v], ray->origin[v], unit.of_points, &p[1]);
    cross(&d[0], &p[1], &d[1], &p[0], out);
}

/* With the turns g of p and q, which are on both sides of the line: (g(p) q - g(q) p) / (d (g(p) - g(q))), where p and
 * q stand for their coordinates from the origin along the longest axis, and d for the direction's. */
static void edge(const tmb_ray *ray, const double p[3], const double q[3], int axis, units unit, tmb_fraction *out)
{
    const int j = longest_axis(ray->direction);
    tmb_bigint g_p, g_q, x_p, x_q, d;
    turn(ray, p, axis, unit, &g_p);
    turn(ray, q, axis, unit, &g_q);
    difference(p[j], ray->origin[j], unit.of_points, &x_p);
    difference(q[j], ray->origin[j], unit.of_points, &x_q);
    cross(&g_p, &x_q, &g_q, &x_p, &out->above);
    tmb_bigint_from_double(&d, ray->direction[j], unit.of_direction);
    tmb_bigint_subtract(&g_p, &g_p, &g_q);
    tmb_bigint_multiply(&out->below, &d, &g_p);
}

void tmb_fraction_of_double(double value, tmb_fraction *out)
{
    TMB_ASSERT(isfinite(value));
    out->exponent = value == 0.0 ? 0 : tmb_double_exponent(value);
    tmb_bigint_from_double(&out->above, value, out->exponent);
    set_word(&out->below, 1);
}

void tmb_fraction_of_point(const tmb_ray *ray, const double corners[3][3], const tmb_ray_point *point,
                           tmb_fraction *out)
{
    TMB_ASSERT(point->kind != TMB_RAY_ROUND);
    const units unit = units_of(ray, corners);
    out->exponent = unit.of_points - unit.of_direction;
    switch (point->kind) {
    case TMB_RAY_CROSSING: crossing(ray, corners, unit, out); break;
    case TMB_RAY_CORNER: corner(ray, corners[point->from], unit, out); break;
    case TMB_RAY_EDGE: edge(ray, corners[point->from], corners[point->to], point->axis, unit, out); break;
    case TMB_RAY_ROUND: /* which is no fraction */
    case TMB_RAY_START: tmb_fraction_of_double(ray->first, out); break;
    }
    TMB_ASSERT(out->below.sign != 0);
    if (out->below.sign < 0) {
        out->below.sign = 1;
        out->above.sign = -out->above.sign;
    }
}

/* ---- Compared and rounded ---- */

/* Sign of |a| - |b|. */
static int compare_sizes(const tmb_fraction *a, const tmb_fraction *b)
{
    tmb_bigint left, right;
    tmb_bigint_multiply(&left, &a->above, &b->below);
    tmb_bigint_multiply(&right, &b->above, &a->below);
    left.sign = left.sign != 0;
    right.sign = right.sign != 0;
    const int at_most = tmb_bigint_at_most(&left, a->exponent, &right, b->exponent);
    const int at_least = tmb_bigint_at_most(&right, b->exponent, &left, a->exponent);
    return at_least - at_most;
}

int tmb_fraction_compare(const tmb_fraction *a, const tmb_fraction *b)
{
    if (a->above.sign != b->above.sign) {
        return a->above.sign < b->above.sign ? -1 : 1;
    }
    return a->above.sign < 0 ? -compare_sizes(a, b) : compare_sizes(a, b);
}

/* digits * 2^exponent, for the middle between two doubles: up to 55 bits. */
static void fraction_of_middle(uint64_t digits, int exponent, tmb_fraction *out)
{
    out->above =
        (tmb_bigint){.sign = 1, .count = digits >> 32 ? 2 : 1, .words = {(uint32_t)digits, (uint32_t)(digits >> 32)}};
    set_word(&out->below, 1);
    out->exponent = exponent;
}

#define LEAST_EXPONENT (-1074)
#define ALL_DIGITS (UINT64_C(1) << 53)

/* A size as digits * 2^exponent with 53 digits, or fewer and the least exponent. */
typedef struct digits53 {
    uint64_t digits;
    int exponent;
} digits53;

static digits53 digits_of(const tmb_fraction *size)
{
    int above, below, exponent;
    const double estimate = tmb_bigint_to_double(&size->above, &above) / tmb_bigint_to_double(&size->below, &below);
    const double digits = frexp(fabs(estimate), &exponent);
    digits53 d = {(uint64_t)ldexp(digits, 53), exponent - 53 + above - below + size->exponent};
    if (d.exponent < LEAST_EXPONENT) {
        const int lost = LEAST_EXPONENT - d.exponent;
        d = (digits53){lost > 60 ? 0 : d.digits >> lost, LEAST_EXPONENT};
    }
    return d;
}

static digits53 above_of(digits53 d)
{
    return ++d.digits == ALL_DIGITS ? (digits53){ALL_DIGITS / 2, d.exponent + 1} : d;
}

static int is_least_of_its_size(digits53 d)
{
    return d.digits == ALL_DIGITS / 2 && d.exponent > LEAST_EXPONENT;
}

static digits53 below_of(digits53 d)
{
    return is_least_of_its_size(d) ? (digits53){ALL_DIGITS - 1, d.exponent - 1} : (digits53){d.digits - 1, d.exponent};
}

/* Whether the size is nearer to the next larger number, or to the next smaller one. */
static int is_above(const tmb_fraction *size, digits53 d)
{
    tmb_fraction middle;
    fraction_of_middle(2 * d.digits + 1, d.exponent - 1, &middle);
    const int order = compare_sizes(size, &middle);
    return order > 0 || (order == 0 && d.digits % 2);
}

static int is_below(const tmb_fraction *size, digits53 d)
{
    tmb_fraction middle;
    if (d.digits == 0) {
        return 0;
    }
    const int least = is_least_of_its_size(d);
    fraction_of_middle((least ? 4 : 2) * d.digits - 1, d.exponent - (least ? 2 : 1), &middle);
    const int order = compare_sizes(size, &middle);
    return order < 0 || (order == 0 && d.digits % 2);
}

double tmb_fraction_round(const tmb_fraction *fraction)
{
    if (fraction->above.sign == 0) {
        return 0;
    }
    digits53 d = digits_of(fraction);
    while (is_above(fraction, d)) {
        d = above_of(d);
    }
    while (is_below(fraction, d)) {
        d = below_of(d);
    }
    return fraction->above.sign * ldexp((double)d.digits, d.exponent) + 0.0;
}

/* ---- The same in pairs of doubles, where they suffice ---- */

/* Numbers for which nothing under- or overflows, see math/predicates_3d.c. */
static int is_in_range(const tmb_ray *ray, const double corners[3][3])
{
    return tmb_are_in_range(corners[0], 9, TMB_ORIENT3D_LEAST, TMB_ORIENT3D_MOST) &&
           tmb_are_in_range(ray->origin, 3, TMB_ORIENT3D_LEAST, TMB_ORIENT3D_MOST) &&
           tmb_are_in_range(ray->direction, 3, TMB_ORIENT3D_LEAST, TMB_ORIENT3D_MOST);
}

/* A sum of three products of a minor and a number, with the error of math/predicates_3d.c, doubled_determinant. The low
 * part of the total is at most u times the high one. */
typedef struct doubled_sum {
    tmb_double2 terms[3];
    double size;
} doubled_sum;

static tmb_double2 total(const doubled_sum *s, double *bound)
{
    const tmb_double2 *m = s->terms;
    const tmb_double2 first = tmb_two_sum(m[0].high, m[1].high), second = tmb_two_sum(first.high, m[2].high);
    *bound = TMB_ERROR_DOUBLED_3D * s->size;
    return tmb_two_sum(second.high, ((m[0].low + m[1].low) + m[2].low) + (first.low + second.low));
}

static void doubled_sums(const tmb_ray *ray, const double corners[3][3], doubled_sum *above, doubled_sum *below)
{
    tmb_double2 u[3], v[3];
    above->size = below->size = 0;
    for (int k = 0; k < 3; k++) {
        u[k] = tmb_two_difference(corners[1][k], corners[0][k]);
        v[k] = tmb_two_difference(corners[2][k], corners[0][k]);
    }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const tmb_double2 left = tmb_multiply_doubled(u[i], v[j]), right = tmb_multiply_doubled(u[j], v[i]);
        const tmb_double2 high = tmb_two_difference(left.high, right.high);
        const tmb_double2 minor = {high.high, high.low + (left.low - right.low)};
        const tmb_double2 w = tmb_two_difference(corners[0][k], ray->origin[k]);
        const double size = fabs(left.high) + fabs(right.high);
        above->terms[k] = tmb_multiply_doubled(minor, w);
        below->terms[k] = tmb_multiply_doubled(minor, (tmb_double2){ray->direction[k], 0});
        above->size += size * fabs(w.high);
        below->size += size * fabs(ray->direction[k]);
    }
}

/* N / D = q + r / D with q = N / D rounded and r = N - q D, which is exact but for the low parts. The result is certain
 * if all of its error does not change how it is rounded (Ziv's test). */
static int round_doubled(const tmb_ray *ray, const double corners[3][3], double *t)
{
    doubled_sum sums[2];
    double above_error, below_error;
    doubled_sums(ray, corners, &sums[0], &sums[1]);
    const tmb_double2 n = total(&sums[0], &above_error), d = total(&sums[1], &below_error);
    const double q = n.high / d.high;
    if (!(fabs(q) > 0x1p-600 && fabs(q) < 0x1p600) || !(fabs(d.high) > 0x1p20 * below_error)) {
        return 0;
    }
    const tmb_double2 product = tmb_two_product(q, d.high);
    const double low = n.low - q * d.low, rest = ((n.high - product.high) - product.low) + low;
    const double more = rest / d.high;
    const double error = 2 * (above_error + fabs(q) * below_error) / fabs(d.high) +
                         32 * TMB_DOUBLE_ROUNDING * ((fabs(n.low) + fabs(q * d.low)) / fabs(d.high) + fabs(more)) +
                         0x1p-900;
    const tmb_double2 sum = tmb_fast_two_sum(q, more);
    *t = sum.high;
    return sum.high == sum.high + (sum.low + error) && sum.high == sum.high + (sum.low - error);
}

void tmb_ray_round(const tmb_ray *ray, const double corners[3][3], tmb_ray_point *point)
{
    if (point->error < 0) {
        return;
    }
    point->error = -1;
    if (point->kind == TMB_RAY_CROSSING && is_in_range(ray, corners) && round_doubled(ray, corners, &point->t)) {
        return;
    }
    tmb_fraction exact;
    tmb_fraction_of_point(ray, corners, point, &exact);
    point->t = tmb_fraction_round(&exact);
}
