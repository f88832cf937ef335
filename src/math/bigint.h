/* Signed integers of a fixed largest size, without heap: the exact evaluation where doubles over- or underflow.
 *
 * A finite double is m * 2^e with |m| < 2^53 and e >= -1074, and below 2^1024. In units of 2^-1074 it is an
 * integer of at most 2098 bits, a difference of two has 2099, a 3 by 3 determinant of differences (six products of
 * three) at most 6300, and the square of one, which squared distances need, 12600: 394 words of 32 bits. Sections of
 * cylinders need such a square times a squared length, 16810 bits: 526 words. */
#ifndef TUMBLE_SRC_MATH_BIGINT_H
#define TUMBLE_SRC_MATH_BIGINT_H

#include <stdint.h>

#define TMB_BIGINT_WORDS 530

typedef struct tmb_bigint {
    int sign;  /* -1, 0, 1 */
    int count; /* words in use, the last one not 0 */
    uint32_t words[TMB_BIGINT_WORDS];
} tmb_bigint;

/* The largest e for which `value`, finite and not 0, is surely an integer times 2^e. */
int tmb_double_exponent(double value);

/* The integer `value` / 2^exponent; `exponent` is at most tmb_double_exponent(value). */
void tmb_bigint_from_double(tmb_bigint *out, double value, int exponent);

/* `out` may be `a` or `b` here, but not in the product. */
void tmb_bigint_add(tmb_bigint *out, const tmb_bigint *a, const tmb_bigint *b);
void tmb_bigint_subtract(tmb_bigint *out, const tmb_bigint *a, const tmb_bigint *b);
void tmb_bigint_multiply(tmb_bigint *out, const tmb_bigint *a, const tmb_bigint *b);

/* Whether a * 2^exponent_a is at most b * 2^exponent_b; neither is negative. */
int tmb_bigint_at_most(const tmb_bigint *a, int exponent_a, const tmb_bigint *b, int exponent_b);

/* The number is the result, rounded, times 2^*exponent. */
double tmb_bigint_to_double(const tmb_bigint *number, int *exponent);

#endif
