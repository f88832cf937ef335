#include "cylinder_oracle.h"

#include <gmp.h>
#include <math.h>

enum {
    MOST = 8 /* corners of what is left */
};

typedef mpq_t point[3];

typedef struct truth {
    point from, along, corners[MOST], cut[MOST];
    int count;
    mpq_t square, limit; /* of the axis; and the largest form() of points in the cylinder */
    mpq_t s[12];         /* for what is computed at the moment */
} truth;

static void begin(truth *t)
{
    mpq_inits(t->square, t->limit, NULL);
    for (int k = 0; k < 3; k++) {
        mpq_inits(t->from[k], t->along[k], NULL);
        for (int i = 0; i < MOST; i++) {
            mpq_inits(t->corners[i][k], t->cut[i][k], NULL);
        }
    }
    for (int i = 0; i < 12; i++) {
        mpq_init(t->s[i]);
    }
}

static void end(truth *t)
{
    mpq_clears(t->square, t->limit, NULL);
    for (int k = 0; k < 3; k++) {
        mpq_clears(t->from[k], t->along[k], NULL);
        for (int i = 0; i < MOST; i++) {
            mpq_clears(t->corners[i][k], t->cut[i][k], NULL);
        }
    }
    for (int i = 0; i < 12; i++) {
        mpq_clear(t->s[i]);
    }
}

/* out = a . b; `out` is neither's. */
static void dot(mpq_t out, point a, point b)
{
    mpq_t product;
    mpq_init(product);
    mpq_set_ui(out, 0, 1);
    for (int k = 0; k < 3; k++) {
        mpq_mul(product, a[k], b[k]);
        mpq_add(out, out, product);
    }
    mpq_clear(product);
}

/* The bilinear form of the squared distance from the axis, times the square of its length: a . b d . d - a . d b . d */
static void form(truth *t, mpq_t out, point a, point b)
{
    mpq_t x, y;
    mpq_inits(x, y, NULL);
    dot(out, a, b);
    mpq_mul(out, out, t->square);
    dot(x, a, t->along);
    dot(y, b, t->along);
    mpq_mul(x, x, y);
    mpq_sub(out, out, x);
    mpq_clears(x, y, NULL);
}

/* Keeps of the polygon what has least <= x . d, or x . d <= least. */
static void cut(truth *t, const mpq_t least, int sign)
{
    int count = 0;
    for (int i = 0; i < t->count; i++) {
        const int next = (i + 1) % t->count;
        dot(t->s[0], t->corners[i], t->along);
        dot(t->s[1], t->corners[next], t->along);
        mpq_sub(t->s[0], t->s[0], least);
        mpq_sub(t->s[1], t->s[1], least);
        const int here = sign * mpq_sgn(t->s[0]), there = sign * mpq_sgn(t->s[1]);
        if (here >= 0) {
            for (int k = 0; k < 3; k++) {
                mpq_set(t->cut[count][k], t->corners[i][k]);
            }
            count++;
        }
        if (here * there < 0) {
            mpq_sub(t->s[1], t->s[0], t->s[1]);
            mpq_div(t->s[2], t->s[0], t->s[1]);
            for (int k = 0; k < 3; k++) {
                mpq_sub(t->s[3], t->corners[next][k], t->corners[i][k]);
                mpq_mul(t->s[3], t->s[3], t->s[2]);
                mpq_add(t->cut[count][k], t->corners[i][k], t->s[3]);
            }
            count++;
        }
    }
    t->count = count;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            mpq_set(t->corners[i][k], t->cut[i][k]);
        }
    }
}

/* Whether the form is small enough at corner i + s (corner j - corner i) for the best s. */
static int edge_is_close(truth *t, int i, int j)
{
    point e;
    int close;
    for (int k = 0; k < 3; k++) {
        mpq_init(e[k]);
        mpq_sub(e[k], t->corners[j][k], t->corners[i][k]);
    }
    form(t, t->s[0], t->corners[i], t->corners[i]);
    form(t, t->s[1], t->corners[i], e);
    form(t, t->s[2], e, e);
    close = mpq_cmp(t->s[0], t->limit) <= 0;
    if (mpq_sgn(t->s[2]) > 0 && mpq_sgn(t->s[1]) < 0) {
        mpq_neg(t->s[3], t->s[1]);
        if (mpq_cmp(t->s[3], t->s[2]) <= 0) { /* s in [0, 1] */
            mpq_mul(t->s[4], t->s[1], t->s[1]);
            mpq_div(t->s[4], t->s[4], t->s[2]);
            mpq_sub(t->s[0], t->s[0], t->s[4]);
            close |= mpq_cmp(t->s[0], t->limit) <= 0;
        }
    }
    for (int k = 0; k < 3; k++) {
        mpq_clear(e[k]);
    }
    return close;
}

/* Whether the form's only stationary point, at corner 0 + s e + t f, is in the triangle: it is 0 there. */
static int inside_is_close(truth *t, int i, int j)
{
    point e, f;
    int inside = 0;
    for (int k = 0; k < 3; k++) {
        mpq_inits(e[k], f[k], NULL);
        mpq_sub(e[k], t->corners[i][k], t->corners[0][k]);
        mpq_sub(f[k], t->corners[j][k], t->corners[0][k]);
    }
    mpq_t *ee = &t->s[0], *ef = &t->s[1], *ff = &t->s[2], *ce = &t->s[3], *cf = &t->s[4], *x = &t->s[5], *y = &t->s[6];
    form(t, *ee, e, e);
    form(t, *ef, e, f);
    form(t, *ff, f, f);
    form(t, *ce, t->corners[0], e);
    form(t, *cf, t->corners[0], f);
    mpq_mul(t->s[7], *ee, *ff);
    mpq_mul(t->s[8], *ef, *ef);
    mpq_sub(t->s[7], t->s[7], t->s[8]);
    if (mpq_sgn(t->s[7]) > 0) {
        mpq_mul(*x, *cf, *ef);
        mpq_mul(t->s[8], *ce, *ff);
        mpq_sub(*x, *x, t->s[8]);
        mpq_mul(*y, *ce, *ef);
        mpq_mul(t->s[8], *cf, *ee);
        mpq_sub(*y, *y, t->s[8]);
        mpq_add(t->s[9], *x, *y);
        inside = mpq_sgn(*x) >= 0 && mpq_sgn(*y) >= 0 && mpq_cmp(t->s[9], t->s[7]) <= 0;
    }
    for (int k = 0; k < 3; k++) {
        mpq_clears(e[k], f[k], NULL);
    }
    return inside;
}

static int is_close(truth *t)
{
    int close = 0;
    for (int i = 0; i < t->count; i++) {
        close |= edge_is_close(t, i, (i + 1) % t->count);
    }
    for (int i = 1; i + 1 < t->count; i++) {
        close |= inside_is_close(t, i, i + 1);
    }
    return close;
}

int cylinder_truth(const double triangle[3][3], const double from[3], const double to[3], double digits, int exponent)
{
    truth t;
    begin(&t);
    t.count = 3;
    for (int k = 0; k < 3; k++) {
        mpq_set_d(t.from[k], from[k]);
        mpq_set_d(t.along[k], to[k]);
        mpq_sub(t.along[k], t.along[k], t.from[k]);
        for (int i = 0; i < 3; i++) {
            mpq_set_d(t.corners[i][k], triangle[i][k]);
            mpq_sub(t.corners[i][k], t.corners[i][k], t.from[k]);
        }
    }
    dot(t.square, t.along, t.along);
    mpq_set_d(t.limit, digits);
    if (exponent < 0) {
        mpq_div_2exp(t.limit, t.limit, (mp_bitcnt_t)-exponent);
    } else {
        mpq_mul_2exp(t.limit, t.limit, (mp_bitcnt_t)exponent);
    }
    mpq_mul(t.limit, t.limit, t.limit);
    mpq_mul(t.limit, t.limit, t.square);
    cut(&t, t.s[11], 1); /* 0 */
    mpq_set(t.s[11], t.square);
    cut(&t, t.s[11], -1);
    const int close = is_close(&t);
    end(&t);
    return close;
}

enum {
    DIGITS = 4096,
    EQUAL = 1500 /* half as many bits of a distance, as roots are taken */
};

/* out = the distance of `along` beyond an axis of this length, or 0 */
static void beyond(mpf_t out, const mpf_t along, const mpf_t length)
{
    mpf_set_ui(out, 0);
    if (mpf_sgn(along) < 0) {
        mpf_neg(out, along);
    } else if (mpf_cmp(along, length) > 0) {
        mpf_sub(out, along, length);
    }
}

int cylinder_ball_truth(const double centre[3], double ball, const double from[3], const double to[3], double radius)
{
    mpf_t square, along, aside, x, y, length, distance, sizes;
    mpf_init2(square, DIGITS), mpf_init2(along, DIGITS), mpf_init2(aside, DIGITS), mpf_init2(x, DIGITS);
    mpf_init2(y, DIGITS), mpf_init2(length, DIGITS), mpf_init2(distance, DIGITS), mpf_init2(sizes, DIGITS);
    for (int k = 0; k < 3; k++) {
        mpf_set_d(x, to[k]), mpf_set_d(y, from[k]);
        mpf_sub(x, x, y);
        mpf_mul(y, x, x);
        mpf_add(square, square, y); /* d . d */
        mpf_set_d(y, centre[k]), mpf_set_d(length, from[k]);
        mpf_sub(y, y, length);
        mpf_mul(x, x, y);
        mpf_add(along, along, x);
        mpf_mul(y, y, y);
        mpf_add(sizes, sizes, y); /* u . u */
    }
    mpf_sqrt(length, square);
    mpf_div(along, along, length);
    mpf_mul(x, along, along);
    mpf_sub(aside, sizes, x);
    mpf_abs(aside, aside); /* it may be a little below 0 */
    mpf_sqrt(aside, aside);
    beyond(y, along, length);
    mpf_set_d(x, radius);
    mpf_add(sizes, sizes, square);
    mpf_sub(x, aside, x);
    if (mpf_sgn(x) < 0) {
        mpf_set_ui(x, 0);
    }
    mpf_mul(x, x, x);
    mpf_mul(y, y, y);
    mpf_add(distance, x, y);
    mpf_set_d(x, ball);
    mpf_mul(x, x, x);
    mpf_sub(distance, distance, x);
    mpf_set_d(y, radius);
    mpf_mul(y, y, y);
    mpf_add(sizes, sizes, x);
    mpf_add(sizes, sizes, y);
    mpf_div_2exp(sizes, sizes, EQUAL / 2);
    const int meets = mpf_cmp(distance, sizes) <= 0;
    mpf_clears(square, along, aside, x, y, length, distance, sizes, NULL);
    return meets;
}
