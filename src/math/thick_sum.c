/* A sum of products, rounded once: by pairs of doubles where their error cannot matter, else in integers. */
#include "math/thick_sum.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "math/expansion.h"

/* Products of two doubles, of 53 digits each even if they are subnormal, have bits from 2^-2252 up to 2^2048; a few
 * more on top for the sum. */
#define LOWEST (-2272)
#define WORDS 138 /* of 32 bits */

/* ---- In doubles ---- */

#define LEAST 0x1p-900
#define MOST 0x1p900

static int is_plain(double x)
{
    return x == 0 || (x >= LEAST && x <= MOST);
}

/* 1, and the sum, where doubles are enough. The rounded sum is exact but for `low`, whose own errors are below 2^-50 of
 * it; so it is right if it stays right when `low` changes by that. */
static int sum_doubles(double length, const double factors[][2], int count, double *out)
{
    double high = length, low = 0;
    int plain = is_plain(length);
    for (int i = 0; i < count; i++) {
        const double x = factors[i][0], y = factors[i][1];
        plain &= is_plain(x * y) && x <= MOST && y <= MOST;
        const tmb_double2 product = tmb_two_product(x, y), sum = tmb_two_sum(high, product.high);
        high = sum.high;
        low += sum.low + product.low;
    }
    const double spread = fabs(low) * 0x1p-46;
    *out = high + low;
    return plain && high + (low - spread) == *out && high + (low + spread) == *out;
}

/* ---- In integers ---- */

typedef struct fixed {
    uint32_t words[WORDS]; /* the lowest first; bit 0 is 2^LOWEST */
} fixed;

static void add_word(fixed *sum, int at, uint32_t word)
{
    uint64_t carry = word;
    for (int i = at; carry; i++) {
        TMB_ASSERT(i < WORDS);
        carry += sum->words[i];
        sum->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

/* value * 2^exponent, whose lowest bit is not below 2^LOWEST. */
static void add_bits(fixed *sum, uint64_t value, int exponent)
{
    TMB_ASSERT(exponent >= LOWEST);
    const int at = (exponent - LOWEST) / 32, shift = (exponent - LOWEST) % 32;
    const uint64_t low = value << shift, high = shift ? value >> (64 - shift) : 0;
    add_word(sum, at, (uint32_t)low);
    add_word(sum, at + 1, (uint32_t)(low >> 32));
    add_word(sum, at + 2, (uint32_t)high);
}

/* The 53 bits of a double, and their exponent. */
static uint64_t digits_of(double x, int *exponent)
{
    const double fraction = frexp(x, exponent);
    *exponent -= DBL_MANT_DIG;
    return (uint64_t)ldexp(fraction, DBL_MANT_DIG);
}

static void add_product(fixed *sum, double x, double y)
{
    int first, second;
    if (x == 0 || y == 0) {
        return;
    }
    const uint64_t a = digits_of(x, &first), b = digits_of(y, &second);
    const uint64_t parts[4] = {(a & UINT32_MAX) * (b & UINT32_MAX), (a >> 32) * (b & UINT32_MAX),
                               (a & UINT32_MAX) * (b >> 32), (a >> 32) * (b >> 32)};
    add_bits(sum, parts[0], first + second);
    add_bits(sum, parts[1], first + second + 32);
    add_bits(sum, parts[2], first + second + 32);
    add_bits(sum, parts[3], first + second + 64);
}

static int bit_at(const fixed *sum, int bit)
{
    return bit >= 0 && sum->words[bit / 32] >> bit % 32 & 1;
}

static int has_bits_below(const fixed *sum, int bit)
{
    int any = 0;
    for (int i = 0; i < bit; i++) {
        any |= bit_at(sum, i);
    }
    return any;
}

static double round_fixed(const fixed *sum)
{
    int top = 32 * WORDS - 1;
    while (top >= 0 && !bit_at(sum, top)) {
        top--;
    }
    const int least = DBL_MIN_EXP - DBL_MANT_DIG - LOWEST; /* the bit of the least double */
    const int unit = top - (DBL_MANT_DIG - 1) > least ? top - (DBL_MANT_DIG - 1) : least;
    uint64_t digits = 0;
    for (int bit = top; bit >= unit; bit--) {
        digits = 2 * digits + (uint64_t)bit_at(sum, bit);
    }
    if (bit_at(sum, unit - 1) && (digits % 2 == 1 || has_bits_below(sum, unit - 1))) {
        digits++;
    }
    return ldexp((double)digits, unit + LOWEST);
}

double tmb_thick_sum(double length, const double factors[][2], int count)
{
    TMB_ASSERT(count <= TMB_THICK_FACTORS);
    double sum;
    if (sum_doubles(length, factors, count, &sum)) {
        return sum;
    }
    fixed exact;
    memset(&exact, 0, sizeof exact);
    add_product(&exact, length, 1);
    for (int i = 0; i < count; i++) {
        TMB_ASSERT(factors[i][0] >= 0 && factors[i][1] >= 0);
        add_product(&exact, factors[i][0], factors[i][1]);
    }
    return round_fixed(&exact);
}
