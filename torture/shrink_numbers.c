/* Coordinates: smaller whole numbers and fewer digits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shrink.h"

/* How many digits it takes to write a number down, roughly: of its odd part and of its exponent. */
static int complexity(double x)
{
    if (x == 0) {
        return signbit(x) ? 1 : 0;
    }
    int exponent;
    double mantissa = fabs(frexp(x, &exponent));
    int bits = 0;
    while (mantissa != 0) {
        mantissa = mantissa * 2 - (mantissa >= 0.5);
        bits++;
    }
    const int weight = abs(exponent - 1);
    return 2 + (x < 0) + 2 * bits + (weight ? 1 + ilogb((double)weight) : 0);
}

static int try_number(torture_shrinker *s, double *next, double value)
{
    if (complexity(value) >= complexity(*next)) {
        return 0;
    }
    *next = value;
    return torture_accept(s);
}

static double with_bits(double x, int bits)
{
    int exponent;
    const double mantissa = frexp(x, &exponent);
    return ldexp(rint(ldexp(mantissa, bits)), exponent - bits);
}

static void shrink_number(torture_shrinker *s, double *next)
{
    static const double plain[] = {0, 1, -1, 2, 0.5};
    if (!isfinite(*next)) {
        return;
    }
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        if (try_number(s, next, plain[i])) {
            return;
        }
    }
    for (int bits = 1; bits <= 32; bits *= 2) {
        const double value = with_bits(*next, bits);
        if (isfinite(value) && try_number(s, next, value)) {
            break;
        }
    }
    int exponent;
    const double mantissa = frexp(*next, &exponent);
    if (exponent > 1 || exponent < 0) {
        (void)(try_number(s, next, mantissa) || try_number(s, next, ldexp(mantissa, exponent / 2)));
    }
}

/* All numbers that are lengths times a power of two. */
static void scale_all(torture_case *c, int exponent)
{
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < 3 * c->shapes[side].corner_count; i++) {
            double *x = &c->shapes[side].corners[i / 3][i % 3];
            *x = ldexp(*x, exponent);
        }
        for (size_t i = 0; i < 3 * c->pose_count; i++) {
            double *x = &c->poses[i / 3][side].m[i % 3][3];
            *x = ldexp(*x, exponent);
        }
    }
    for (size_t i = 0; i < c->question_count; i++) {
        torture_question *q = &c->questions[i];
        q->clearance.value = ldexp(q->clearance.value, exponent);
        q->within.value = ldexp(q->within.value, exponent);
        q->enough.value = ldexp(q->enough.value, exponent);
        q->absolute_error = ldexp(q->absolute_error, exponent);
        for (int k = 0; k < 3 * TORTURE_PLACES; k++) {
            q->places[k / 3][k % 3] = ldexp(q->places[k / 3][k % 3], exponent);
            q->ways[k / 3][k % 3] = ldexp(q->ways[k / 3][k % 3], exponent);
        }
        for (int k = 0; k < 3; k++) {
            q->extents[k] = ldexp(q->extents[k], exponent);
        }
    }
}

static void shrink_scale(torture_shrinker *s)
{
    double largest = 0;
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < 3 * s->c->shapes[side].corner_count; i++) {
            largest = fmax(largest, fabs(s->c->shapes[side].corners[i / 3][i % 3]));
        }
    }
    if (largest > 0 && (largest >= 0x1p20 || largest < 0x1p-20)) {
        scale_all(s->next, -ilogb(largest));
        torture_accept(s);
    }
}

void torture_shrink_numbers(torture_shrinker *s)
{
    shrink_scale(s);
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < 3 * s->c->shapes[side].corner_count; i++) {
            shrink_number(s, &s->next->shapes[side].corners[i / 3][i % 3]);
        }
        for (size_t i = 0; i < 3 * s->c->pose_count; i++) {
            if (s->c->has_pose[i / 3][side]) {
                shrink_number(s, &s->next->poses[i / 3][side].m[i % 3][3]);
            }
        }
    }
    for (size_t i = 0; i < s->c->question_count; i++) {
        torture_question *q = &s->next->questions[i];
        shrink_number(s, &q->clearance.value);
        shrink_number(s, &q->within.value);
        shrink_number(s, &q->enough.value);
        for (uint32_t k = 0; k < 3 * q->place_count; k++) {
            shrink_number(s, &q->places[k / 3][k % 3]);
            shrink_number(s, &q->ways[k / 3][k % 3]);
        }
        for (int k = 0; k < 3; k++) {
            shrink_number(s, &q->extents[k]);
        }
    }
}
