/* Decimal text to numbers. The digits go into 64 bits; from there on most numbers need one multiplication or division
 * (Clinger, "How to read floating point numbers accurately", 1990), nearly all others one 64 by 128 bit product
 * (Lemire, "Number parsing at a gigabyte per second", 2021), and the rest is left to big integers. */
#include "io/number.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "io/powers.h"

#define MANTISSA_BITS 52
#define INFINITY_BITS ((uint64_t)0x7ff << MANTISSA_BITS)
#define MOST_DIGITS 19 /* as many always fit 64 bits */

/* A number as it stands in the text. */
typedef struct decimal {
    const char *first, *last; /* its digits, with or without a point */
    uint64_t digits;          /* the first MOST_DIGITS of them */
    int64_t exponent;         /* of the last of these */
    int64_t full_exponent;    /* of the last digit of all */
    int negative;
    int truncated; /* there are more digits */
} decimal;

static int is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* Eight digits at once, where the machine's byte order allows it: neighbours are joined to numbers of two, then four,
 * then eight digits. */
static int parse_eight_digits(const char *at, uint64_t *number)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
    const uint64_t above_nine = bytes + 0x4646464646464646u, offset = bytes - 0x3030303030303030u;
    if ((above_nine | offset) & 0x8080808080808080u) {
        return 0;
    }
    const uint64_t pairs = offset * 10 + (offset >> 8);
    const uint64_t mask = 0x000000ff000000ffu;
    const uint64_t upper = (pairs & mask) * (100 + (1000000ull << 32));
    const uint64_t lower = ((pairs >> 16) & mask) * (1 + (10000ull << 32));
    *number = *number * 100000000 + (uint32_t)((upper + lower) >> 32);
    return 1;
#else
    (void)at, (void)number;
    return 0;
#endif
}

/* Appends digits to *number, which may wrap around. */
static const char *scan_digits(const char *at, const char *end, uint64_t *number)
{
    while (end - at >= 8 && parse_eight_digits(at, number)) {
        at += 8;
    }
    for (; at < end && is_digit(*at); at++) {
        *number = *number * 10 + (uint64_t)(*at - '0');
    }
    return at;
}

/* The exponent after the digits, if it is complete, clamped so that sums with it cannot overflow. */
static const char *scan_exponent(const char *at, const char *end, int64_t *exponent)
{
    const int64_t most = INT64_MAX / 64;
    const char *p = at;
    if (p == end || (*p != 'e' && *p != 'E')) {
        return at;
    }
    p++;
    const int negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) {
        p++;
    }
    if (p == end || !is_digit(*p)) {
        return at;
    }
    int64_t value = 0;
    for (; p < end && is_digit(*p); p++) {
        value = value < most ? value * 10 + (*p - '0') : most;
    }
    *exponent += negative ? -value : value;
    return p;
}

/* Keeps the first digits of a number that has too many. `count` is how many there are, zeros in front included. */
static void truncate_digits(decimal *number, int64_t count)
{
    const char *p = number->first;
    for (; p < number->last && (*p == '0' || *p == '.'); p++) {
        count -= *p == '0';
    }
    number->first = p;
    if (count <= MOST_DIGITS) {
        return;
    }
    number->digits = 0;
    for (int kept = 0; kept < MOST_DIGITS; p++) {
        if (*p != '.') {
            number->digits = number->digits * 10 + (uint64_t)(*p - '0');
            kept++;
        }
    }
    number->truncated = 1;
    number->exponent = number->full_exponent + count - MOST_DIGITS;
}

static const char *scan_decimal(const char *at, const char *end, decimal *number)
{
    const char *p = scan_digits(at, end, &number->digits);
    int64_t count = p - at;
    if (p < end && *p == '.') {
        const char *fraction = p + 1;
        p = scan_digits(fraction, end, &number->digits);
        number->full_exponent = fraction - p;
        count += p - fraction;
    }
    if (!count) {
        return NULL;
    }
    number->first = at;
    number->last = p;
    p = scan_exponent(p, end, &number->full_exponent);
    number->exponent = number->full_exponent;
    if (count > MOST_DIGITS) {
        truncate_digits(number, count);
    }
    return p;
}

/* Length of `word` (in lower case) when the text starts with it, else 0. */
static size_t starts_with(const char *at, const char *end, const char *word)
{
    size_t i = 0;
    for (; word[i]; i++) {
        if (at + i >= end || (at[i] | 0x20) != word[i]) {
            return 0;
        }
    }
    return i;
}

static const char *scan_word(const char *at, const char *end, int negative, double *out)
{
    size_t length = starts_with(at, end, "infinity");
    if (!length) {
        length = starts_with(at, end, "inf");
    }
    if (length) {
        *out = negative ? -HUGE_VAL : HUGE_VAL;
        return at + length;
    }
    length = starts_with(at, end, "nan");
    if (!length) {
        return NULL;
    }
    *out = (double)NAN;
    at += length;
    if (at < end && *at == '(') { /* nan(ind) */
        const char *p = at + 1;
        while (p < end && (is_digit(*p) || *p == '_' || (unsigned char)((*p | 0x20) - 'a') < 26)) {
            p++;
        }
        at = p < end && *p == ')' ? p + 1 : at;
    }
    return at;
}

/* Both factors are exact in double, so the one operation rounds correctly. */
static int convert_quickly(const decimal *number, double *out)
{
#if FLT_EVAL_METHOD == 0
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (number->truncated || number->digits >> 53 || number->exponent < -22 || number->exponent > 22) {
        return 0;
    }
    const double digits = (double)number->digits;
    *out = number->exponent < 0 ? digits / powers[-number->exponent] : digits * powers[number->exponent];
    return 1;
#else
    (void)number, (void)out;
    return 0;
#endif
}

/* The part of Lemire's algorithm after the product `high`, `low` of normalised digits and power; `binary` is the biased
 * exponent. */
static uint64_t round_product(uint64_t high, uint64_t low, int exponent, int binary)
{
    const unsigned top = (unsigned)(high >> 63), shift = top + 64 - MANTISSA_BITS - 3;
    uint64_t mantissa = high >> shift;
    binary += (int)top;
    if (binary <= 0) { /* subnormal, or zero */
        if (binary <= -63) {
            return 0;
        }
        mantissa >>= 1 - binary;
        return (mantissa + (mantissa & 1)) >> 1; /* a carry makes it the least normal number, as it should */
    }
    if (low == 0 && exponent >= -4 && exponent <= 23 && (mantissa & 3) == 1 && mantissa << shift == high) {
        mantissa &= ~(uint64_t)1; /* exactly between two doubles: to the even one */
    }
    mantissa = (mantissa + (mantissa & 1)) >> 1;
    const uint64_t bits = mantissa + ((uint64_t)(binary - 1) << MANTISSA_BITS); /* a carry goes into the exponent */
    return bits < INFINITY_BITS ? bits : INFINITY_BITS;
}

uint64_t tmb_round_decimal(uint64_t digits, int64_t exponent, int *certain)
{
    TMB_ASSERT(digits != 0);
    *certain = 1;
    if (exponent < TMB_POWER_LEAST) {
        return 0;
    }
    if (exponent > 308) {
        return INFINITY_BITS;
    }
    const int power = (int)exponent, zeros = __builtin_clzll(digits);
    const uint64_t *factor = tmb_powers_of_ten[power - TMB_POWER_LEAST];
    digits <<= zeros;
    uint64_t low, high = tmb_multiply(digits, factor[0], &low);
    if ((high & 0x1ff) == 0x1ff) { /* the deciding bits may still change */
        uint64_t unused;
        const uint64_t carry = tmb_multiply(digits, factor[1], &unused);
        low += carry;
        high += low < carry;
    }
    *certain = low != UINT64_MAX || (power >= -27 && power <= 55);
    return round_product(high, low, power, tmb_floor_log2_of_power(power) + 63 - zeros + 1023);
}

static double convert_carefully(const decimal *number)
{
    uint64_t bits = 0;
    if (number->digits) {
        int certain, certain_above = 1;
        bits = tmb_round_decimal(number->digits, number->exponent, &certain);
        uint64_t above = bits;
        if (number->truncated) {
            above = tmb_round_decimal(number->digits + 1, number->exponent, &certain_above);
        }
        if (!certain || !certain_above || bits != above) {
            bits = tmb_round_exactly(number->first, number->last, number->full_exponent, bits);
        }
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

const char *tmb_parse_double(const char *at, const char *end, double *out)
{
    TMB_ASSERT(at <= end);
    decimal number = {0};
    if (at < end && (*at == '-' || *at == '+')) {
        number.negative = *at == '-';
        at++;
    }
    const char *after = scan_decimal(at, end, &number);
    if (!after) {
        return scan_word(at, end, number.negative, out);
    }
    double value;
    if (!convert_quickly(&number, &value)) {
        value = convert_carefully(&number);
    }
    *out = number.negative ? -value : value;
    return after;
}

const char *tmb_parse_integer(const char *at, const char *end, int64_t *out)
{
    TMB_ASSERT(at <= end);
    const int negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) {
        at++;
    }
    if (at == end || !is_digit(*at)) {
        return NULL;
    }
    int64_t value = 0;
    for (; at < end && is_digit(*at); at++) {
        const int digit = *at - '0';
        value = value > (INT64_MAX - digit) / 10 ? INT64_MAX : value * 10 + digit;
    }
    *out = negative ? -value : value;
    return at;
}
