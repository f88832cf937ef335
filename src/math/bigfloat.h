/* Exact sums, differences and products of finite doubles, of any length: for constructed points. Numbers are immutable;
 * their words are in a pool that frees all of them at once. */
#ifndef TUMBLE_SRC_MATH_BIGFLOAT_H
#define TUMBLE_SRC_MATH_BIGFLOAT_H

#include "base/arena.h"

/* sign * sum of words[i] * 2^(32 (low + i)); the first and the last word are not 0. */
typedef struct tmb_bigfloat {
    int sign; /* -1, 0, 1 */
    int low, count;
    const uint32_t *words;
} tmb_bigfloat;

/* Set the context and leave the rest 0. If memory runs out, `failed` is set and results are 0. */
typedef struct tmb_bigfloat_pool {
    tmb_arena arena;
    uint32_t *words; /* the piece that numbers are taken from */
    size_t used, capacity;
    int pieces;
    int failed;
} tmb_bigfloat_pool;

void tmb_bigfloat_pool_release(tmb_bigfloat_pool *pool);

/* Drops all numbers, but keeps some memory. */
void tmb_bigfloat_pool_rewind(tmb_bigfloat_pool *pool);

tmb_bigfloat tmb_bigfloat_of(tmb_bigfloat_pool *pool, double value);
tmb_bigfloat tmb_bigfloat_add(tmb_bigfloat_pool *pool, tmb_bigfloat a, tmb_bigfloat b);
tmb_bigfloat tmb_bigfloat_subtract(tmb_bigfloat_pool *pool, tmb_bigfloat a, tmb_bigfloat b);
tmb_bigfloat tmb_bigfloat_multiply(tmb_bigfloat_pool *pool, tmb_bigfloat a, tmb_bigfloat b);

static inline tmb_bigfloat tmb_bigfloat_negate(tmb_bigfloat a)
{
    a.sign = -a.sign;
    return a;
}

/* Sign of a - b. */
int tmb_bigfloat_compare(tmb_bigfloat a, tmb_bigfloat b);

/* a / b to 2^-50 of it, or 2^-1060 where that is more; b is not 0. Infinite when it is too large. */
double tmb_bigfloat_quotient(tmb_bigfloat a, tmb_bigfloat b);

#endif
