/* Eight 32-bit lanes at a time: tmb_f8 holds floats, tmb_i8 integers, tmb_b8 yes or no. A kernel's source is compiled
 * once for each instruction set, which the build names by TMB_KERNEL_AVX512, TMB_KERNEL_AVX2 or neither; the last is
 * SSE2, NEON, simd128 of WebAssembly, or plain C on other processors and when TUMBLE_SCALAR_ONLY is defined.
 *
 * Every lane does the same IEEE operations in all of them, each rounded on its own, so all give the same bits; only
 * which NaN comes out of an invalid operation may differ. For all input, also NaN and zeros of both signs:
 *     tmb_f8_min            a < b ? a : b
 *     tmb_f8_max            a > b ? a : b
 *     tmb_f8_less           a < b, not set when one is NaN; tmb_f8_less_equal likewise
 *     tmb_f8_max_abs        |a| > |b| ? |a| : |b|, where none is NaN
 *     tmb_f8_with_sign_of   the size of a with the sign bit of s
 *     tmb_f8_from_...       numbers in memory, at any address, converted; doubles are rounded to nearest
 *     tmb_f8_lookup         lane i is float number index[i] (0 to 15) of the table
 *     tmb_f8_gather         lane i is float number index[i] of a table in memory
 *     tmb_f8_permute        lane i is lane index[i] (0 to 7) of a
 *     tmb_f8_sqrt           rounded to nearest, as the others
 *     tmb_f8_max_of         the largest lane: the max of the halves, of the quarters, and so on
 *     tmb_i8_nibbles        lane i is word >> 4 i & 15
 *     tmb_i8_bits_of        the bits of floats
 *     tmb_b8_andnot         a and not b
 * tmb_f8_load, tmb_f8_store and tmb_i8_load want multiples of 32 as addresses; the ones with a u take any. */
#ifndef TUMBLE_SRC_MATH_LANES_H
#define TUMBLE_SRC_MATH_LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define TMB_LANES 8

/* A function that is one expression. */
#define TMB_INLINE(type, name, parameters, ...) \
    static inline type name parameters          \
    {                                           \
        return __VA_ARGS__;                     \
    }

#if defined(TMB_KERNEL_AVX512) || defined(TMB_KERNEL_AVX2)
#include <immintrin.h>
typedef __m256 tmb_f8;
typedef __m256i tmb_i8;
#define tmb_f8_load _mm256_load_ps
#define tmb_f8_loadu _mm256_loadu_ps
#define tmb_f8_store _mm256_store_ps
#define tmb_f8_storeu _mm256_storeu_ps
#define tmb_f8_set _mm256_set1_ps
#define tmb_f8_zero _mm256_setzero_ps
#define tmb_f8_add _mm256_add_ps
#define tmb_f8_sub _mm256_sub_ps
#define tmb_f8_mul _mm256_mul_ps
#define tmb_f8_div _mm256_div_ps
#define tmb_f8_sqrt _mm256_sqrt_ps
#define tmb_f8_min _mm256_min_ps
#define tmb_f8_max _mm256_max_ps
#define tmb_f8_from_i8 _mm256_cvtepi32_ps
#define tmb_f8_permute _mm256_permutevar8x32_ps
#define tmb_f8_gather(table, index) _mm256_i32gather_ps(table, index, 4)
#define tmb_i8_set _mm256_set1_epi32
#define tmb_i8_bits_of _mm256_castps_si256
#define tmb_i8_and _mm256_and_si256
#define tmb_i8_shift_right _mm256_srli_epi32

TMB_INLINE(tmb_f8, tmb_f8_abs, (tmb_f8 a), _mm256_andnot_ps(_mm256_set1_ps(-0.0F), a))
TMB_INLINE(tmb_f8, tmb_f8_neg, (tmb_f8 a), _mm256_xor_ps(_mm256_set1_ps(-0.0F), a))
static inline tmb_f8 tmb_f8_with_sign_of(tmb_f8 a, tmb_f8 s)
{
    const __m256 sign = _mm256_set1_ps(-0.0F);
    return _mm256_or_ps(_mm256_andnot_ps(sign, a), _mm256_and_ps(sign, s));
}
TMB_INLINE(tmb_i8, tmb_i8_load, (const int32_t *p), _mm256_load_si256((const __m256i *)p))
TMB_INLINE(tmb_i8, tmb_i8_loadu, (const int32_t *p), _mm256_loadu_si256((const __m256i *)p))
static inline void tmb_i8_storeu(int32_t *p, tmb_i8 a)
{
    _mm256_storeu_si256((__m256i *)p, a);
}
TMB_INLINE(tmb_i8, tmb_i8_from_u8, (const uint8_t *p), _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)p)))
TMB_INLINE(tmb_i8, tmb_i8_from_s8, (const int8_t *p), _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)p)))
TMB_INLINE(tmb_i8, tmb_i8_from_u16, (const uint16_t *p), _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p)))
TMB_INLINE(tmb_i8, tmb_i8_from_s16, (const int16_t *p), _mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)p)))
static inline tmb_i8 tmb_i8_nibbles(uint32_t word)
{
    const __m256i shifted =
        _mm256_srlv_epi32(_mm256_set1_epi32((int)word), _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28));
    return _mm256_and_si256(shifted, _mm256_set1_epi32(15));
}
static inline float tmb_f8_max_of(tmb_f8 a)
{
    const __m128 half = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    const __m128 quarter = _mm_max_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_max_ss(quarter, _mm_movehdup_ps(quarter)));
}

#if defined(TMB_KERNEL_AVX512)
#define TMB_LANES_BITS /* tmb_b8 is a byte, defined below */
#define TMB_LANES_RANGE
TMB_INLINE(tmb_f8, tmb_f8_max_abs, (tmb_f8 a, tmb_f8 b), _mm256_range_ps(a, b, 0xb))
TMB_INLINE(tmb_f8, tmb_f8_from_f64, (const double *p), _mm512_cvtpd_ps(_mm512_loadu_pd(p)))
TMB_INLINE(tmb_f8, tmb_f8_lookup, (const tmb_f8 table[2], tmb_i8 index),
           _mm256_permutex2var_ps(table[0], index, table[1]))
TMB_INLINE(__mmask8, tmb_f8_less, (tmb_f8 a, tmb_f8 b), _mm256_cmp_ps_mask(a, b, _CMP_LT_OQ))
TMB_INLINE(__mmask8, tmb_f8_less_equal, (tmb_f8 a, tmb_f8 b), _mm256_cmp_ps_mask(a, b, _CMP_LE_OQ))
TMB_INLINE(tmb_f8, tmb_f8_select, (__mmask8 set, tmb_f8 if_set, tmb_f8 if_not),
           _mm256_mask_blend_ps(set, if_not, if_set))

#else
typedef __m256 tmb_b8;
#define tmb_b8_and _mm256_and_ps
#define tmb_b8_or _mm256_or_ps
#define tmb_b8_xor _mm256_xor_ps
TMB_INLINE(tmb_f8, tmb_f8_from_f64, (const double *p),
           _mm256_set_m128(_mm256_cvtpd_ps(_mm256_loadu_pd(p + 4)), _mm256_cvtpd_ps(_mm256_loadu_pd(p))))
static inline tmb_f8 tmb_f8_lookup(const tmb_f8 table[2], tmb_i8 index)
{
    const __m256 low = _mm256_permutevar8x32_ps(table[0], index), high = _mm256_permutevar8x32_ps(table[1], index);
    return _mm256_blendv_ps(low, high, _mm256_castsi256_ps(_mm256_slli_epi32(index, 28)));
}
TMB_INLINE(tmb_b8, tmb_f8_less, (tmb_f8 a, tmb_f8 b), _mm256_cmp_ps(a, b, _CMP_LT_OQ))
TMB_INLINE(tmb_b8, tmb_f8_less_equal, (tmb_f8 a, tmb_f8 b), _mm256_cmp_ps(a, b, _CMP_LE_OQ))
TMB_INLINE(tmb_f8, tmb_f8_select, (tmb_b8 set, tmb_f8 if_set, tmb_f8 if_not), _mm256_blendv_ps(if_not, if_set, set))
TMB_INLINE(tmb_b8, tmb_b8_andnot, (tmb_b8 a, tmb_b8 b), _mm256_andnot_ps(b, a))
TMB_INLINE(unsigned, tmb_b8_bits, (tmb_b8 a), (unsigned)_mm256_movemask_ps(a))
static inline tmb_b8 tmb_b8_from_bits(unsigned bits)
{
    const __m256i own = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)bits), own), own));
}
#endif

#elif !defined(TUMBLE_SCALAR_ONLY) && \
    (defined(__SSE2__) || defined(__wasm_simd128__) || (defined(__AARCH64EL__) && defined(__ARM_NEON)))
#include "math/lanes_quad.h"

#else
#define TMB_LANES_BITS
typedef struct tmb_f8 {
    float lane[8];
} tmb_f8;
typedef struct tmb_i8 {
    int32_t lane[8];
} tmb_i8;
#define tmb_f8_load tmb_f8_loadu
#define tmb_f8_store tmb_f8_storeu
#define tmb_i8_load tmb_i8_loadu

/* A function whose lane i is an expression of i and the arguments. Written out rather than looped over, as gcc then
 * keeps the lanes in registers. */
#define TMB_ONE_LANE(number, statement) \
    {                                   \
        enum {                          \
            i = number                  \
        };                              \
        statement;                      \
    }
#define TMB_EACH_LANE(statement) \
    TMB_ONE_LANE(0, statement)   \
    TMB_ONE_LANE(1, statement)   \
    TMB_ONE_LANE(2, statement)   \
    TMB_ONE_LANE(3, statement)   \
    TMB_ONE_LANE(4, statement)   \
    TMB_ONE_LANE(5, statement)   \
    TMB_ONE_LANE(6, statement)   \
    TMB_ONE_LANE(7, statement)
#define TMB_LANEWISE(type, name, arguments, expression) \
    static inline type name arguments                   \
    {                                                   \
        type result;                                    \
        TMB_EACH_LANE(result.lane[i] = expression)      \
        return result;                                  \
    }
#define TMB_COMPARISON(name, operation)                                       \
    static inline uint8_t name(tmb_f8 a, tmb_f8 b)                            \
    {                                                                         \
        unsigned bits = 0;                                                    \
        TMB_EACH_LANE(bits |= (unsigned)(a.lane[i] operation b.lane[i]) << i) \
        return (uint8_t)bits;                                                 \
    }
TMB_LANEWISE(tmb_f8, tmb_f8_loadu, (const float *p), p[i])
TMB_LANEWISE(tmb_f8, tmb_f8_from_f64, (const double *p), (float)p[i])
TMB_LANEWISE(tmb_f8, tmb_f8_from_i8, (tmb_i8 a), (float)a.lane[i])
TMB_LANEWISE(tmb_f8, tmb_f8_set, (float x), x)
TMB_LANEWISE(tmb_f8, tmb_f8_zero, (void), 0.0F)
TMB_LANEWISE(tmb_f8, tmb_f8_add, (tmb_f8 a, tmb_f8 b), a.lane[i] + b.lane[i])
TMB_LANEWISE(tmb_f8, tmb_f8_sub, (tmb_f8 a, tmb_f8 b), a.lane[i] - b.lane[i])
TMB_LANEWISE(tmb_f8, tmb_f8_mul, (tmb_f8 a, tmb_f8 b), a.lane[i] * b.lane[i])
TMB_LANEWISE(tmb_f8, tmb_f8_div, (tmb_f8 a, tmb_f8 b), a.lane[i] / b.lane[i])
TMB_LANEWISE(tmb_f8, tmb_f8_min, (tmb_f8 a, tmb_f8 b), a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i])
TMB_LANEWISE(tmb_f8, tmb_f8_max, (tmb_f8 a, tmb_f8 b), a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i])
TMB_LANEWISE(tmb_f8, tmb_f8_abs, (tmb_f8 a), fabsf(a.lane[i]))
TMB_LANEWISE(tmb_f8, tmb_f8_sqrt, (tmb_f8 a), sqrtf(a.lane[i]))
TMB_LANEWISE(tmb_f8, tmb_f8_neg, (tmb_f8 a), -a.lane[i])
TMB_LANEWISE(tmb_f8, tmb_f8_with_sign_of, (tmb_f8 a, tmb_f8 s), copysignf(a.lane[i], s.lane[i]))
TMB_LANEWISE(tmb_f8, tmb_f8_select, (uint8_t set, tmb_f8 a, tmb_f8 b), set >> i & 1 ? a.lane[i] : b.lane[i])
TMB_LANEWISE(tmb_f8, tmb_f8_lookup, (const tmb_f8 table[2], tmb_i8 k), table[k.lane[i] >> 3].lane[k.lane[i] & 7])
TMB_LANEWISE(tmb_f8, tmb_f8_gather, (const float *table, tmb_i8 k), table[k.lane[i]])
TMB_LANEWISE(tmb_f8, tmb_f8_permute, (tmb_f8 a, tmb_i8 k), a.lane[k.lane[i]])
TMB_LANEWISE(tmb_i8, tmb_i8_loadu, (const int32_t *p), p[i])
TMB_LANEWISE(tmb_i8, tmb_i8_from_u8, (const uint8_t *p), p[i])
TMB_LANEWISE(tmb_i8, tmb_i8_from_s8, (const int8_t *p), p[i])
TMB_LANEWISE(tmb_i8, tmb_i8_from_u16, (const uint16_t *p), p[i])
TMB_LANEWISE(tmb_i8, tmb_i8_from_s16, (const int16_t *p), p[i])
TMB_LANEWISE(tmb_i8, tmb_i8_set, (int32_t x), x)
TMB_LANEWISE(tmb_i8, tmb_i8_and, (tmb_i8 a, tmb_i8 b), a.lane[i] & b.lane[i])
TMB_LANEWISE(tmb_i8, tmb_i8_shift_right, (tmb_i8 a, int count), (int32_t)((uint32_t)a.lane[i] >> count))
TMB_LANEWISE(tmb_i8, tmb_i8_nibbles, (uint32_t word), (int32_t)(word >> 4 * i & 15))
TMB_COMPARISON(tmb_f8_less, <)
TMB_COMPARISON(tmb_f8_less_equal, <=)
#undef TMB_LANEWISE
#undef TMB_COMPARISON

static inline void tmb_f8_storeu(float *p, tmb_f8 a)
{
    memcpy(p, a.lane, sizeof a.lane);
}
static inline void tmb_i8_storeu(int32_t *p, tmb_i8 a)
{
    memcpy(p, a.lane, sizeof a.lane);
}
static inline tmb_i8 tmb_i8_bits_of(tmb_f8 a)
{
    tmb_i8 result;
    memcpy(result.lane, a.lane, sizeof result.lane);
    return result;
}
static inline float tmb_f8_max_of(tmb_f8 a)
{
    for (int width = 4; width > 0; width /= 2) {
        for (int i = 0; i < width; i++) {
            a.lane[i] = a.lane[i] > a.lane[i + width] ? a.lane[i] : a.lane[i + width];
        }
    }
    return a.lane[0];
}
#endif

#if defined(TMB_LANES_BITS)
typedef uint8_t tmb_b8;
static inline tmb_b8 tmb_b8_and(tmb_b8 a, tmb_b8 b)
{
    return (tmb_b8)(a & b);
}
TMB_INLINE(tmb_b8, tmb_b8_or, (tmb_b8 a, tmb_b8 b), (tmb_b8)(a | b))
TMB_INLINE(tmb_b8, tmb_b8_xor, (tmb_b8 a, tmb_b8 b), (tmb_b8)(a ^ b))
TMB_INLINE(tmb_b8, tmb_b8_andnot, (tmb_b8 a, tmb_b8 b), (tmb_b8)(a & ~b))
TMB_INLINE(unsigned, tmb_b8_bits, (tmb_b8 a), a)
TMB_INLINE(tmb_b8, tmb_b8_from_bits, (unsigned bits), (tmb_b8)bits)
#endif

/* Derived operations. */
#if !defined(TMB_LANES_RANGE)
TMB_INLINE(tmb_f8, tmb_f8_max_abs, (tmb_f8 a, tmb_f8 b), tmb_f8_max(tmb_f8_abs(a), tmb_f8_abs(b)))
#endif
TMB_INLINE(int, tmb_b8_none_set, (tmb_b8 a), tmb_b8_bits(a) == 0)
TMB_INLINE(tmb_f8, tmb_f8_from_u8, (const uint8_t *p), tmb_f8_from_i8(tmb_i8_from_u8(p)))
TMB_INLINE(tmb_f8, tmb_f8_from_s8, (const int8_t *p), tmb_f8_from_i8(tmb_i8_from_s8(p)))
TMB_INLINE(tmb_f8, tmb_f8_from_u16, (const uint16_t *p), tmb_f8_from_i8(tmb_i8_from_u16(p)))
TMB_INLINE(tmb_f8, tmb_f8_from_s16, (const int16_t *p), tmb_f8_from_i8(tmb_i8_from_s16(p)))

#endif
