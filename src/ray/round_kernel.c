/* The quotient of two determinants in pairs of doubles, eight at a time: every lane does what round_doubled in
 * prim/ray_fraction.c does, in the same order. */
#include "math/bounds.h"
#include "math/lanes_double.h"
#include "ray/round.h"

/* Sums of two doubles, see math/expansion.h. */
typedef struct pair8 {
    tmb_d8 high, low;
} pair8;

static inline pair8 two_sum(tmb_d8 a, tmb_d8 b)
{
    const tmb_d8 sum = tmb_d8_add(a, b), b_part = tmb_d8_sub(sum, a), a_part = tmb_d8_sub(sum, b_part);
    return (pair8){sum, tmb_d8_add(tmb_d8_sub(a, a_part), tmb_d8_sub(b, b_part))};
}

static inline pair8 two_difference(tmb_d8 a, tmb_d8 b)
{
    const tmb_d8 difference = tmb_d8_sub(a, b), b_part = tmb_d8_sub(a, difference);
    const tmb_d8 a_part = tmb_d8_add(difference, b_part);
    return (pair8){difference, tmb_d8_add(tmb_d8_sub(a, a_part), tmb_d8_sub(b_part, b))};
}

static inline pair8 multiply(pair8 x, pair8 y)
{
    const tmb_d8 high = tmb_d8_mul(x.high, y.high), rest = tmb_d8_product_rest(x.high, y.high, high);
    const tmb_d8 mixed = tmb_d8_add(tmb_d8_mul(x.high, y.low), tmb_d8_mul(x.low, y.high));
    return (pair8){high, tmb_d8_add(rest, mixed)};
}

static inline tmb_d8 size_of(tmb_d8 a)
{
    return tmb_d8_max(a, tmb_d8_sub(tmb_d8_set(0), a));
}

/* Bits of lanes in which a number may make something over- or underflow. */
static inline unsigned out_of_range(tmb_d8 a)
{
    const tmb_d8 size = size_of(a);
    return tmb_d8_less(tmb_d8_set(TMB_ORIENT3D_MOST), size) |
           (tmb_d8_less(size, tmb_d8_set(TMB_ORIENT3D_LEAST)) & tmb_d8_less(tmb_d8_set(0), size));
}

typedef struct sum8 {
    pair8 terms[3];
    tmb_d8 size;
} sum8;

static inline pair8 total(const sum8 *s, tmb_d8 *bound)
{
    const pair8 *m = s->terms;
    const pair8 first = two_sum(m[0].high, m[1].high), second = two_sum(first.high, m[2].high);
    const tmb_d8 low =
        tmb_d8_add(tmb_d8_add(tmb_d8_add(m[0].low, m[1].low), m[2].low), tmb_d8_add(first.low, second.low));
    *bound = tmb_d8_mul(tmb_d8_set(TMB_ERROR_DOUBLED_3D), s->size);
    return two_sum(second.high, low);
}

static inline unsigned find_sums(const tmb_ray_crossings *c, sum8 *above, sum8 *below)
{
    pair8 u[3], v[3], w[3];
    tmb_d8 d[3];
    unsigned bad = 0;
    for (int k = 0; k < 3; k++) {
        const tmb_d8 p = tmb_d8_strided(c->corners[0][0] + k, 9), q = tmb_d8_strided(c->corners[0][1] + k, 9);
        const tmb_d8 r = tmb_d8_strided(c->corners[0][2] + k, 9), o = tmb_d8_loadu(c->origin[k]);
        d[k] = tmb_d8_loadu(c->direction[k]);
        u[k] = two_difference(q, p), v[k] = two_difference(r, p), w[k] = two_difference(p, o);
        bad |= out_of_range(p) | out_of_range(q) | out_of_range(r) | out_of_range(o) | out_of_range(d[k]);
    }
    above->size = below->size = tmb_d8_set(0);
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const pair8 left = multiply(u[i], v[j]), right = multiply(u[j], v[i]);
        const pair8 high = two_difference(left.high, right.high);
        const pair8 minor = {high.high, tmb_d8_add(high.low, tmb_d8_sub(left.low, right.low))};
        const tmb_d8 size = tmb_d8_add(size_of(left.high), size_of(right.high));
        above->terms[k] = multiply(minor, w[k]);
        below->terms[k] = multiply(minor, (pair8){d[k], tmb_d8_set(0)});
        above->size = tmb_d8_add(above->size, tmb_d8_mul(size, size_of(w[k].high)));
        below->size = tmb_d8_add(below->size, tmb_d8_mul(size, size_of(d[k])));
    }
    return bad;
}

/* What the quotient and its correction may be off by. */
static inline tmb_d8 error_of(pair8 n, pair8 d, tmb_d8 q, tmb_d8 more, tmb_d8 above_error, tmb_d8 below_error)
{
    const tmb_d8 size = size_of(d.high);
    const tmb_d8 sums = tmb_d8_add(above_error, tmb_d8_mul(size_of(q), below_error));
    const tmb_d8 lows = tmb_d8_add(size_of(n.low), size_of(tmb_d8_mul(q, d.low)));
    const tmb_d8 first = tmb_d8_div(tmb_d8_mul(tmb_d8_set(2), sums), size);
    const tmb_d8 second =
        tmb_d8_mul(tmb_d8_set(32 * TMB_DOUBLE_ROUNDING), tmb_d8_add(tmb_d8_div(lows, size), size_of(more)));
    return tmb_d8_add(tmb_d8_add(first, second), tmb_d8_set(0x1p-900));
}

unsigned TMB_KERNEL_NAME(tmb_ray_round8)(tmb_ray_crossings *crossings)
{
    sum8 above, below;
    tmb_d8 above_error, below_error;
    const unsigned bad = find_sums(crossings, &above, &below);
    const pair8 n = total(&above, &above_error), d = total(&below, &below_error);
    const tmb_d8 q = tmb_d8_div(n.high, d.high), q_size = size_of(q);
    const unsigned in_range = tmb_d8_less(tmb_d8_set(0x1p-600), q_size) & tmb_d8_less(q_size, tmb_d8_set(0x1p600)) &
                              tmb_d8_less(tmb_d8_mul(tmb_d8_set(0x1p20), below_error), size_of(d.high));
    const tmb_d8 product = tmb_d8_mul(q, d.high), product_rest = tmb_d8_product_rest(q, d.high, product);
    const tmb_d8 low = tmb_d8_sub(n.low, tmb_d8_mul(q, d.low));
    const tmb_d8 rest = tmb_d8_add(tmb_d8_sub(tmb_d8_sub(n.high, product), product_rest), low);
    const tmb_d8 more = tmb_d8_div(rest, d.high);
    const tmb_d8 error = error_of(n, d, q, more, above_error, below_error);
    const tmb_d8 t = tmb_d8_add(q, more), t_rest = tmb_d8_sub(more, tmb_d8_sub(t, q));
    tmb_d8_storeu(crossings->t, t);
    const tmb_d8 later = tmb_d8_add(t, tmb_d8_add(t_rest, error)), sooner = tmb_d8_add(t, tmb_d8_sub(t_rest, error));
    return 255 & in_range & ~bad & ~(tmb_d8_less(t, later) | tmb_d8_less(sooner, t));
}
