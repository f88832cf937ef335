/* Signed integers of a fixed largest size: schoolbook arithmetic on words of 32 bits. */
#include "math/bigint.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"

#define FRACTION_BITS 52
#define EXPONENT_OF_SMALLEST (-1074)

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

int tmb_double_exponent(double value)
{
    TMB_ASSERT(isfinite(value));
    TMB_ASSERT(value != 0.0);
    const int biased = (int)(bits_of(value) >> FRACTION_BITS & 0x7ff);
    return EXPONENT_OF_SMALLEST + (biased == 0 ? 0 : biased - 1);
}

static void trim(tmb_bigint *number)
{
    while (number->count > 0 && number->words[number->count - 1] == 0) {
        number->count--;
    }
    if (number->count == 0) {
        number->sign = 0;
    }
}

void tmb_bigint_from_double(tmb_bigint *out, double value, int exponent)
{
    TMB_ASSERT(isfinite(value));
    TMB_ASSERT(value == 0.0 || exponent <= tmb_double_exponent(value));
    out->sign = (value > 0.0) - (value < 0.0);
    out->count = 0;
    if (out->sign == 0) {
        return;
    }
    const uint64_t bits = bits_of(value);
    const uint64_t fraction = bits & ((UINT64_C(1) << FRACTION_BITS) - 1);
    const uint64_t mantissa = (bits >> FRACTION_BITS & 0x7ff) == 0 ? fraction : fraction | UINT64_C(1) << FRACTION_BITS;
    const int shift = tmb_double_exponent(value) - exponent;
    const int skip = shift / 32, rest = shift % 32;
    memset(out->words, 0, (size_t)skip * sizeof out->words[0]);
    const uint64_t low = (mantissa & 0xffffffff) << rest;
    const uint64_t high = ((mantissa >> 32) << rest) + (low >> 32);
    out->words[skip] = (uint32_t)low;
    out->words[skip + 1] = (uint32_t)high;
    out->words[skip + 2] = (uint32_t)(high >> 32);
    out->count = skip + 3;
    trim(out);
}

static int compare_magnitudes(const tmb_bigint *a, const tmb_bigint *b)
{
    TMB_ASSERT(a->count == 0 || a->words[a->count - 1] != 0);
    TMB_ASSERT(b->count == 0 || b->words[b->count - 1] != 0);
    if (a->count != b->count) {
        return a->count < b->count ? -1 : 1;
    }
    for (int i = a->count - 1; i >= 0; i--) {
        if (a->words[i] != b->words[i]) {
            return a->words[i] < b->words[i] ? -1 : 1;
        }
    }
    return 0;
}

/* |a| + |b|, `a` the one with more words. */
static void add_magnitudes(tmb_bigint *out, const tmb_bigint *a, const tmb_bigint *b)
{
    TMB_ASSERT(a->count >= b->count);
    TMB_ASSERT(a->count < TMB_BIGINT_WORDS);
    const int count = a->count;
    uint64_t carry = 0;
    for (int i = 0; i < count; i++) {
        carry += (uint64_t)a->words[i] + (i < b->count ? b->words[i] : 0);
        out->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    out->count = count;
    if (carry != 0) {
        out->words[out->count++] = (uint32_t)carry;
    }
}

/* |a| - |b|, `a` the larger one. */
static void subtract_magnitudes(tmb_bigint *out, const tmb_bigint *a, const tmb_bigint *b)
{
    TMB_ASSERT(compare_magnitudes(a, b) >= 0);
    const int count = a->count;
    uint64_t borrow = 0;
    for (int i = 0; i < count; i++) {
        const uint64_t difference = (uint64_t)a->words[i] - (i < b->count ? b->words[i] : 0) - borrow;
        out->words[i] = (uint32_t)difference;
        borrow = difference >> 63;
    }
    out->count = count;
}

static void add_signed(tmb_bigint *out, const tmb_bigint *a, const tmb_bigint *b, int b_sign)
{
    TMB_ASSERT((a->sign == 0) == (a->count == 0));
    TMB_ASSERT((b->sign == 0) == (b->count == 0));
    const int order = compare_magnitudes(a, b);
    const tmb_bigint *larger = order >= 0 ? a : b, *smaller = order >= 0 ? b : a;
    const int sign = order >= 0 ? a->sign : b_sign;
    if (a->sign * b_sign >= 0) {
        const int common = a->sign != 0 ? a->sign : b_sign;
        add_magnitudes(out, larger, smaller);
        out->sign = common;
    } else {
        subtract_magnitudes(out, larger, smaller);
        out->sign = sign;
    }
    trim(out);
}

void tmb_bigint_add(tmb_bigint *out, const tmb_bigint *a, const tmb_bigint *b)
{
    add_signed(out, a, b, b->sign);
}

void tmb_bigint_subtract(tmb_bigint *out, const tmb_bigint *a, const tmb_bigint *b)
{
    add_signed(out, a, b, -b->sign);
}

void tmb_bigint_multiply(tmb_bigint *out, const tmb_bigint *a, const tmb_bigint *b)
{
    TMB_ASSERT(out != a && out != b);
    TMB_ASSERT(a->count + b->count <= TMB_BIGINT_WORDS);
    out->sign = a->sign * b->sign;
    out->count = out->sign == 0 ? 0 : a->count + b->count;
    memset(out->words, 0, (size_t)out->count * sizeof out->words[0]);
    if (out->sign == 0) {
        return;
    }
    int first = 0; /* doubles of other exponents have few words that are not 0 */
    while (b->words[first] == 0) {
        first++;
    }
    for (int i = 0; i < a->count; i++) {
        uint64_t carry = 0;
        for (int j = first; j < b->count && a->words[i] != 0; j++) {
            carry += (uint64_t)a->words[i] * b->words[j] + out->words[i + j];
            out->words[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        out->words[i + b->count] = (uint32_t)carry;
    }
    trim(out);
}

/* The bits of a number that is not 0. */
static int length_of(const tmb_bigint *number)
{
    TMB_ASSERT(number->count > 0);
    int bits = 32 * (number->count - 1);
    for (uint32_t top = number->words[number->count - 1]; top != 0; top >>= 1) {
        bits++;
    }
    return bits;
}

static void shift_up(tmb_bigint *out, const tmb_bigint *a, int shift)
{
    TMB_ASSERT(shift >= 0 && a->count + shift / 32 + 1 <= TMB_BIGINT_WORDS);
    const int skip = shift / 32, rest = shift % 32;
    uint64_t carry = 0;
    memset(out->words, 0, (size_t)skip * sizeof out->words[0]);
    for (int i = 0; i < a->count; i++) {
        carry |= (uint64_t)a->words[i] << rest;
        out->words[skip + i] = (uint32_t)carry;
        carry >>= 32;
    }
    out->words[skip + a->count] = (uint32_t)carry;
    out->count = skip + a->count + 1;
    out->sign = a->sign;
    trim(out);
}

/* Of numbers of equal size, the one with the larger exponent has as many bits less: it has room for them. */
int tmb_bigint_at_most(const tmb_bigint *a, int exponent_a, const tmb_bigint *b, int exponent_b)
{
    TMB_ASSERT(a->sign >= 0 && b->sign >= 0);
    if (a->sign == 0 || b->sign == 0) {
        return a->sign == 0;
    }
    const int order = length_of(a) + exponent_a - (length_of(b) + exponent_b);
    if (order != 0) {
        return order < 0;
    }
    tmb_bigint shifted;
    if (exponent_a >= exponent_b) {
        shift_up(&shifted, a, exponent_a - exponent_b);
        return compare_magnitudes(&shifted, b) <= 0;
    }
    shift_up(&shifted, b, exponent_b - exponent_a);
    return compare_magnitudes(a, &shifted) <= 0;
}

double tmb_bigint_to_double(const tmb_bigint *number, int *exponent)
{
    TMB_ASSERT((number->sign == 0) == (number->count == 0));
    const int skip = number->count > 3 ? number->count - 3 : 0;
    double sum = 0.0;
    for (int i = number->count - 1; i >= skip; i--) {
        sum = sum * 0x1p32 + number->words[i];
    }
    *exponent = 32 * skip;
    return number->sign < 0 ? -sum : sum;
}
