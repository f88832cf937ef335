/* The last resort in reading a number: big integers decide on which side of the middle between two doubles it lies
 * (Clinger's algorithm R, without its loop over guesses that are far off). */
#include <string.h>

#include "base/assert.h"
#include "io/number.h"

/* The middle between two doubles has at most 767 significant digits. Whether later ones are all zero is all that
 * matters of them. */
#define SIGNIFICANT_DIGITS 768

/* Long enough for SIGNIFICANT_DIGITS + 1 digits times 2^1075, and for a middle times 10^(324 + 769). */
#define LIMBS 128

#define MANTISSA_BITS 52
#define INFINITY_BITS ((uint64_t)0x7ff << MANTISSA_BITS)

typedef struct big {
    int length; /* limbs in use; the last is not 0 */
    uint32_t limbs[LIMBS];
} big;

static void big_push(big *number, uint32_t limb)
{
    TMB_ASSERT(limb == 0 || number->length < LIMBS);
    if (limb && number->length < LIMBS) {
        number->limbs[number->length++] = limb;
    }
}

/* number = number * factor + addend */
static void big_multiply(big *number, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (int i = 0; i < number->length; i++) {
        carry += (uint64_t)number->limbs[i] * factor;
        number->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    big_push(number, (uint32_t)carry);
}

static void big_multiply_power(big *number, uint32_t factor, uint32_t large_factor, int step, int64_t exponent)
{
    for (; exponent >= step; exponent -= step) {
        big_multiply(number, large_factor, 0);
    }
    for (; exponent > 0; exponent--) {
        big_multiply(number, factor, 0);
    }
}

static void big_multiply_power_of_five(big *number, int64_t exponent)
{
    big_multiply_power(number, 5, 1220703125, 13, exponent);
}

static void big_multiply_power_of_two(big *number, int64_t exponent)
{
    big_multiply_power(number, 2, 1u << 31, 31, exponent);
}

static int big_compare(const big *a, const big *b)
{
    if (a->length != b->length) {
        return a->length < b->length ? -1 : 1;
    }
    for (int i = a->length - 1; i >= 0; i--) {
        if (a->limbs[i] != b->limbs[i]) {
            return a->limbs[i] < b->limbs[i] ? -1 : 1;
        }
    }
    return 0;
}

/* The digits as an integer; *exponent is made that of its last digit. Many digits are cut and 1 is appended for them.
 */
static void big_from_digits(big *number, const char *first, const char *last, int64_t *exponent)
{
    int taken = 0, rest = 0;
    number->length = 0;
    for (const char *p = first; p < last; p++) {
        if (*p == '.') {
            continue;
        }
        if (taken < SIGNIFICANT_DIGITS) {
            big_multiply(number, 10, (uint32_t)(*p - '0'));
            taken += number->length > 0;
        } else {
            rest |= *p != '0';
            *exponent += 1;
        }
    }
    if (rest) {
        big_multiply(number, 10, 1);
        *exponent -= 1;
    }
}

/* Sign of digits * 10^exponent less the middle between the double with these bits and the next one. */
static int compare_with_middle(const big *digits, int64_t exponent, uint64_t bits)
{
    const int64_t biased = (int64_t)(bits >> MANTISSA_BITS);
    const uint64_t fraction = bits & (((uint64_t)1 << MANTISSA_BITS) - 1);
    const uint64_t mantissa = 2 * (biased ? fraction | (uint64_t)1 << MANTISSA_BITS : fraction) + 1;
    const int64_t binary = (biased ? biased : 1) - 1023 - MANTISSA_BITS - 1;
    big left = *digits, right = {0};
    big_push(&right, (uint32_t)mantissa); /* odd, so never 0 */
    big_push(&right, (uint32_t)(mantissa >> 32));
    if (exponent > 0) {
        big_multiply_power_of_five(&left, exponent);
    } else {
        big_multiply_power_of_five(&right, -exponent);
    }
    if (exponent > binary) {
        big_multiply_power_of_two(&left, exponent - binary);
    } else {
        big_multiply_power_of_two(&right, binary - exponent);
    }
    return big_compare(&left, &right);
}

uint64_t tmb_round_exactly(const char *first, const char *last, int64_t exponent, uint64_t guess)
{
    TMB_ASSERT(first < last);
    TMB_ASSERT(guess <= INFINITY_BITS);
    big digits;
    big_from_digits(&digits, first, last, &exponent);
    uint64_t bits = guess;
    for (; bits > 0; bits--) {
        const int side = compare_with_middle(&digits, exponent, bits - 1);
        if (side > 0 || (side == 0 && bits % 2 == 0)) {
            break;
        }
    }
    for (; bits < INFINITY_BITS; bits++) {
        const int side = compare_with_middle(&digits, exponent, bits);
        if (side < 0 || (side == 0 && bits % 2 == 0)) {
            break;
        }
    }
    return bits;
}
