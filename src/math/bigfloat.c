/* Exact sums and products of any length. */
#include "math/bigfloat.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"

#define PIECE_WORDS 4096

void tmb_bigfloat_pool_release(tmb_bigfloat_pool *pool)
{
    tmb_arena_release(&pool->arena);
    pool->words = NULL;
    pool->used = pool->capacity = 0;
    pool->pieces = 0;
}

void tmb_bigfloat_pool_rewind(tmb_bigfloat_pool *pool)
{
    if (pool->pieces > 1) {
        tmb_bigfloat_pool_release(pool);
    }
    pool->used = 0;
}

static uint32_t *take_words(tmb_bigfloat_pool *pool, size_t count)
{
    TMB_ASSERT(count > 0);
    TMB_ASSERT(pool->used <= pool->capacity);
    if (pool->capacity - pool->used < count) {
        const size_t capacity = count > PIECE_WORDS ? count : PIECE_WORDS;
        uint32_t *words = tmb_arena_allocate(&pool->arena, capacity, sizeof *words);
        if (!words) {
            pool->failed = 1;
            return NULL;
        }
        pool->words = words;
        pool->used = 0;
        pool->capacity = capacity;
        pool->pieces++;
    }
    uint32_t *words = pool->words + pool->used;
    pool->used += count;
    return words;
}

/* Drops zero words at both ends. */
static tmb_bigfloat trimmed(int sign, int low, int count, const uint32_t *words)
{
    TMB_ASSERT(sign == 1 || sign == -1);
    TMB_ASSERT(count >= 0);
    while (count > 0 && words[count - 1] == 0) {
        count--;
    }
    while (count > 0 && words[0] == 0) {
        words++;
        low++;
        count--;
    }
    return count > 0 ? (tmb_bigfloat){sign, low, count, words} : (tmb_bigfloat){0};
}

tmb_bigfloat tmb_bigfloat_of(tmb_bigfloat_pool *pool, double value)
{
    TMB_ASSERT(isfinite(value));
    uint32_t *words = value != 0 ? take_words(pool, 3) : NULL;
    if (!words) {
        return (tmb_bigfloat){0};
    }
    int exponent;
    const uint64_t digits = (uint64_t)ldexp(frexp(fabs(value), &exponent), 53);
    exponent -= 53;
    const int low = exponent >= 0 ? exponent / 32 : -((31 - exponent) / 32), shift = exponent - 32 * low;
    const uint64_t bottom = digits << shift, top = shift ? digits >> (64 - shift) : 0;
    words[0] = (uint32_t)bottom;
    words[1] = (uint32_t)(bottom >> 32);
    words[2] = (uint32_t)top;
    return trimmed(value < 0 ? -1 : 1, low, 3, words);
}

/* The word at a place; absent words are 0. */
static uint32_t word_at(const tmb_bigfloat *a, int place)
{
    const int i = place - a->low;
    return i >= 0 && i < a->count ? a->words[i] : 0;
}

static int top_of(const tmb_bigfloat *a)
{
    return a->low + a->count;
}

/* For assertions. */
static inline __attribute__((unused)) int is_trimmed(const tmb_bigfloat *a)
{
    return a->sign != 0 && a->count > 0 && a->words[0] != 0 && a->words[a->count - 1] != 0;
}

static int compare_sizes(const tmb_bigfloat *a, const tmb_bigfloat *b)
{
    TMB_ASSERT(is_trimmed(a) && is_trimmed(b));
    if (top_of(a) != top_of(b)) {
        return top_of(a) < top_of(b) ? -1 : 1;
    }
    const int low = a->low < b->low ? a->low : b->low;
    for (int place = top_of(a) - 1; place >= low; place--) {
        const uint32_t x = word_at(a, place), y = word_at(b, place);
        if (x != y) {
            return x < y ? -1 : 1;
        }
    }
    return 0;
}

int tmb_bigfloat_compare(tmb_bigfloat a, tmb_bigfloat b)
{
    if (a.sign != b.sign) {
        return a.sign < b.sign ? -1 : 1;
    }
    return a.sign == 0 ? 0 : a.sign * compare_sizes(&a, &b);
}

static tmb_bigfloat add_sizes(tmb_bigfloat_pool *pool, int sign, const tmb_bigfloat *a, const tmb_bigfloat *b)
{
    TMB_ASSERT(is_trimmed(a) && is_trimmed(b));
    const int low = a->low < b->low ? a->low : b->low, top = top_of(a) > top_of(b) ? top_of(a) : top_of(b);
    uint32_t *words = take_words(pool, (size_t)(top - low) + 1);
    uint64_t carry = 0;
    if (!words) {
        return (tmb_bigfloat){0};
    }
    for (int place = low; place <= top; place++) {
        carry += (uint64_t)word_at(a, place) + word_at(b, place);
        words[place - low] = (uint32_t)carry;
        carry >>= 32;
    }
    return trimmed(sign, low, top - low + 1, words);
}

/* a - b, where a is the larger one. */
static tmb_bigfloat subtract_sizes(tmb_bigfloat_pool *pool, int sign, const tmb_bigfloat *a, const tmb_bigfloat *b)
{
    TMB_ASSERT(compare_sizes(a, b) > 0);
    const int low = a->low < b->low ? a->low : b->low, top = top_of(a);
    uint32_t *words = take_words(pool, (size_t)(top - low));
    uint64_t borrow = 0;
    if (!words) {
        return (tmb_bigfloat){0};
    }
    for (int place = low; place < top; place++) {
        const uint64_t difference = (uint64_t)word_at(a, place) - word_at(b, place) - borrow;
        words[place - low] = (uint32_t)difference;
        borrow = difference >> 63;
    }
    return trimmed(sign, low, top - low, words);
}

tmb_bigfloat tmb_bigfloat_add(tmb_bigfloat_pool *pool, tmb_bigfloat a, tmb_bigfloat b)
{
    if (a.sign == 0 || b.sign == 0) {
        return a.sign == 0 ? b : a;
    }
    if (a.sign == b.sign) {
        return add_sizes(pool, a.sign, &a, &b);
    }
    const int order = compare_sizes(&a, &b);
    if (order == 0) {
        return (tmb_bigfloat){0};
    }
    return order > 0 ? subtract_sizes(pool, a.sign, &a, &b) : subtract_sizes(pool, b.sign, &b, &a);
}

tmb_bigfloat tmb_bigfloat_subtract(tmb_bigfloat_pool *pool, tmb_bigfloat a, tmb_bigfloat b)
{
    return tmb_bigfloat_add(pool, a, tmb_bigfloat_negate(b));
}

tmb_bigfloat tmb_bigfloat_multiply(tmb_bigfloat_pool *pool, tmb_bigfloat a, tmb_bigfloat b)
{
    TMB_ASSERT(a.sign == 0 || is_trimmed(&a));
    TMB_ASSERT(b.sign == 0 || is_trimmed(&b));
    const size_t count = (size_t)a.count + (size_t)b.count;
    uint32_t *words = a.sign && b.sign ? take_words(pool, count) : NULL;
    if (!words) {
        return (tmb_bigfloat){0};
    }
    memset(words, 0, count * sizeof *words);
    for (int i = 0; i < a.count; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < b.count; j++) {
            carry += (uint64_t)a.words[i] * b.words[j] + words[i + j];
            words[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        words[i + b.count] = (uint32_t)carry;
    }
    return trimmed(a.sign * b.sign, a.low + b.low, (int)count, words);
}

/* The number is the result times 2^(32 * *place), within 2^-52 of it. */
static double leading_part(const tmb_bigfloat *a, int *place)
{
    TMB_ASSERT(is_trimmed(a));
    double value = 0;
    *place = top_of(a) - 3;
    for (int i = top_of(a) - 1; i >= *place; i--) {
        value = value * 0x1p32 + word_at(a, i);
    }
    return a->sign * value;
}

double tmb_bigfloat_quotient(tmb_bigfloat a, tmb_bigfloat b)
{
    int place_a, place_b;
    if (a.sign == 0) {
        return 0;
    }
    const double x = leading_part(&a, &place_a), y = leading_part(&b, &place_b);
    const long exponent = 32L * (place_a - place_b);
    return ldexp(x / y, exponent > 4000 ? 4000 : exponent < -4000 ? -4000 : (int)exponent);
}
