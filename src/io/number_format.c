/* Doubles to the shortest decimal text that reads back the same: Giulietti, "The Schubfach way to render doubles",
 * 2020. The names c, q, k, s, u and w are the paper's. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "io/number.h"
#include "io/powers.h"

#define MANTISSA_BITS 52

typedef struct short_decimal {
    uint64_t digits;
    int exponent;
} short_decimal;

/* g * cp / 2^128, its last bit set when anything was cut off. */
static uint64_t multiply_to_odd(const uint64_t g[2], uint64_t cp)
{
    uint64_t unused, low;
    const uint64_t carry = tmb_multiply(g[1], cp, &unused);
    uint64_t high = tmb_multiply(g[0], cp, &low);
    low += carry;
    high += low < carry;
    return high | (low > 1);
}

/* The power of ten rounded up, as the paper needs it. */
static void power_above(int exponent, uint64_t g[2])
{
    const uint64_t *power = tmb_powers_of_ten[exponent - TMB_POWER_LEAST];
    const uint64_t cut = exponent < -27 || exponent > 55;
    g[1] = power[1] + cut;
    g[0] = power[0] + (g[1] < cut);
}

/* The candidates are u = s and w = s + 1 times 10^k, and before them the multiples of 10^(k+1) around the value;
 * `lower` and `upper` bound what rounds to the value. All but s are four times too large, so that halves are
 * integers. */
static short_decimal choose(uint64_t lower, uint64_t value, uint64_t upper, int k)
{
    const uint64_t s = value / 4;
    if (s >= 10) {
        const uint64_t tens = s / 10;
        const int u_inside = lower <= 40 * tens, w_inside = 40 * tens + 40 <= upper;
        if (u_inside != w_inside) {
            return (short_decimal){tens + (uint64_t)w_inside, k + 1};
        }
    }
    const int u_inside = lower <= 4 * s, w_inside = 4 * s + 4 <= upper;
    if (u_inside != w_inside) {
        return (short_decimal){s + (uint64_t)w_inside, k};
    }
    const uint64_t middle = 4 * s + 2;
    const int up = value > middle || (value == middle && s % 2 == 1);
    return (short_decimal){s + (uint64_t)up, k};
}

/* The value is c * 2^q, where `closer` says that the double below is only half as far as the one above. */
static short_decimal shorten(uint64_t c, int q, int closer)
{
    TMB_ASSERT(c != 0);
    const int k = (q * 1262611 - (closer ? 524031 : 0)) >> 22; /* floor(log10(2^q)), or of 3/4 of it */
    const int h = q + tmb_floor_log2_of_power(-k) + 1;
    const uint64_t odd = c % 2; /* ties round to even: the bounds belong to even numbers */
    uint64_t g[2];
    power_above(-k, g);
    const uint64_t lower = multiply_to_odd(g, (4 * c - 2 + (uint64_t)closer) << h) + odd;
    const uint64_t upper = multiply_to_odd(g, (4 * c + 2) << h) - odd;
    return choose(lower, multiply_to_odd(g, (4 * c) << h), upper, k);
}

static short_decimal to_decimal(uint64_t bits)
{
    const uint64_t fraction = bits & (((uint64_t)1 << MANTISSA_BITS) - 1);
    const int biased = (int)(bits >> MANTISSA_BITS) & 0x7ff;
    const uint64_t c = biased ? fraction | (uint64_t)1 << MANTISSA_BITS : fraction;
    const int q = (biased ? biased : 1) - 1023 - MANTISSA_BITS;
    short_decimal decimal = {0, 0};
    if (c == 0) {
        return decimal;
    }
    if (q <= 0 && q > -MANTISSA_BITS - 1 && (c & (((uint64_t)1 << -q) - 1)) == 0) {
        decimal = (short_decimal){c >> -q, 0}; /* integers are themselves */
    } else {
        decimal = shorten(c, q, fraction == 0 && biased > 1);
    }
    while (decimal.digits % 10 == 0) {
        decimal.digits /= 10;
        decimal.exponent++;
    }
    return decimal;
}

size_t tmb_format_unsigned(uint64_t value, char text[TMB_NUMBER_TEXT])
{
    char reversed[TMB_NUMBER_TEXT];
    size_t length = 0;
    do {
        reversed[length++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    for (size_t i = 0; i < length; i++) {
        text[i] = reversed[length - 1 - i];
    }
    return length;
}

/* d.ddde-17 */
static size_t write_scientific(const char *digits, size_t count, int exponent, char *text)
{
    size_t length = 0;
    text[length++] = digits[0];
    if (count > 1) {
        text[length++] = '.';
        memcpy(text + length, digits + 1, count - 1);
        length += count - 1;
    }
    text[length++] = 'e';
    if (exponent < 0) {
        text[length++] = '-';
    }
    return length + tmb_format_unsigned((uint64_t)(exponent < 0 ? -exponent : exponent), text + length);
}

/* 0.00ddd, dd.ddd or ddd00; `point` is how many digits stand before the point. */
static size_t write_plain(const char *digits, size_t count, int point, char *text)
{
    size_t length = 0;
    const size_t before = point > 0 ? (size_t)point : 0, whole = before < count ? before : count;
    memcpy(text, digits, whole);
    length += whole;
    for (; length < before; length++) {
        text[length] = '0';
    }
    if (before == 0) {
        text[length++] = '0';
    }
    if (whole < count) {
        text[length++] = '.';
        for (int zeros = point; zeros < 0; zeros++) {
            text[length++] = '0';
        }
        memcpy(text + length, digits + whole, count - whole);
        length += count - whole;
    }
    return length;
}

size_t tmb_format_double(double value, char text[TMB_NUMBER_TEXT])
{
    TMB_ASSERT(isfinite(value));
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    size_t sign = 0;
    if (bits >> 63) {
        text[sign++] = '-';
    }
    const short_decimal decimal = to_decimal(bits);
    char digits[TMB_NUMBER_TEXT];
    const size_t count = tmb_format_unsigned(decimal.digits, digits);
    const int point = decimal.exponent + (int)count;
    if (decimal.digits && (point < -4 || point > 17)) {
        return sign + write_scientific(digits, count, point - 1, text + sign);
    }
    return sign + write_plain(digits, count, decimal.digits ? point : 1, text + sign);
}
