/* Eight 32-bit lanes at a time: tmb_f8 holds floats, tmb_i8 integers, tmb_b8 yes or no. A kernel's source is compiled
 * once for each instruction set, which the build names by TMB_KERNEL_AVX512, TMB_KERNEL_AVX2 or neither; the last is
 * SSE2, NEON, or plain C on other processors and when TUMBLE_SCALAR_ONLY is defined.
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

#elif !defined(TUMBLE_SCALAR_ONLY) && (defined(__SSE2__) || (defined(__AARCH64EL__) && defined(__ARM_NEON)))
#if defined(__SSE2__)
#include <emmintrin.h>
typedef __m128 tmb_f4;
typedef __m128i tmb_i4;
typedef __m128 tmb_b4;
#define tmb_f4_loadu _mm_loadu_ps
#define tmb_f4_storeu _mm_storeu_ps
#define tmb_f4_set _mm_set1_ps
#define tmb_f4_add _mm_add_ps
#define tmb_f4_sub _mm_sub_ps
#define tmb_f4_mul _mm_mul_ps
#define tmb_f4_div _mm_div_ps
#define tmb_f4_sqrt _mm_sqrt_ps
#define tmb_f4_min _mm_min_ps
#define tmb_f4_max _mm_max_ps
#define tmb_f4_less _mm_cmplt_ps
#define tmb_f4_less_equal _mm_cmple_ps
#define tmb_f4_from_i4 _mm_cvtepi32_ps
#define tmb_f4_abs(a) _mm_andnot_ps(_mm_set1_ps(-0.0F), a)
#define tmb_f4_neg(a) _mm_xor_ps(_mm_set1_ps(-0.0F), a)
#define tmb_f4_with_sign_of(a, s) _mm_or_ps(tmb_f4_abs(a), _mm_and_ps(_mm_set1_ps(-0.0F), s))
#define tmb_f4_select(set, a, b) _mm_or_ps(_mm_and_ps(set, a), _mm_andnot_ps(set, b))
#define tmb_f4_upper(a) _mm_movehl_ps(a, a)
#define tmb_i4_loadu(p) _mm_loadu_si128((const __m128i *)(p))
#define tmb_i4_storeu(p, a) _mm_storeu_si128((__m128i *)(p), a)
#define tmb_i4_set _mm_set1_epi32
#define tmb_i4_bits_of _mm_castps_si128
#define tmb_i4_and _mm_and_si128
#define tmb_i4_shift_right _mm_srli_epi32
#define tmb_b4_and _mm_and_ps
#define tmb_b4_or _mm_or_ps
#define tmb_b4_xor _mm_xor_ps
#define tmb_b4_andnot(a, b) _mm_andnot_ps(b, a)
TMB_INLINE(unsigned, tmb_b4_bits, (tmb_b4 a), (unsigned)_mm_movemask_ps(a))
static inline tmb_b4 tmb_b4_from_bits(unsigned bits)
{
    const __m128i own = _mm_setr_epi32(1, 2, 4, 8);
    return _mm_castsi128_ps(_mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32((int)bits), own), own));
}
TMB_INLINE(tmb_f4, tmb_f4_from_f64, (const double *p),
           _mm_movelh_ps(_mm_cvtpd_ps(_mm_loadu_pd(p)), _mm_cvtpd_ps(_mm_loadu_pd(p + 2))))

#else
#include <arm_neon.h>
typedef float32x4_t tmb_f4;
typedef int32x4_t tmb_i4;
typedef uint32x4_t tmb_b4;
#define tmb_f4_loadu vld1q_f32
#define tmb_f4_storeu vst1q_f32
#define tmb_f4_set vdupq_n_f32
#define tmb_f4_add vaddq_f32
#define tmb_f4_sub vsubq_f32
#define tmb_f4_mul vmulq_f32
#define tmb_f4_div vdivq_f32
#define tmb_f4_sqrt vsqrtq_f32
#define tmb_f4_min(a, b) vbslq_f32(vcltq_f32(a, b), a, b)
#define tmb_f4_max(a, b) vbslq_f32(vcgtq_f32(a, b), a, b)
#define tmb_f4_less vcltq_f32
#define tmb_f4_less_equal vcleq_f32
#define tmb_f4_from_i4 vcvtq_f32_s32
#define tmb_f4_abs vabsq_f32
#define tmb_f4_neg vnegq_f32
#define tmb_f4_with_sign_of(a, s) vbslq_f32(vdupq_n_u32(0x80000000U), s, a)
#define tmb_f4_select vbslq_f32
#define tmb_f4_upper(a) vextq_f32(a, a, 2)
#define tmb_i4_loadu vld1q_s32
#define tmb_i4_storeu vst1q_s32
#define tmb_i4_set vdupq_n_s32
#define tmb_i4_bits_of vreinterpretq_s32_f32
#define tmb_i4_and vandq_s32
#define tmb_i4_shift_right(a, n) vreinterpretq_s32_u32(vshlq_u32(vreinterpretq_u32_s32(a), vdupq_n_s32(-(n))))
#define tmb_b4_and vandq_u32
#define tmb_b4_or vorrq_u32
#define tmb_b4_xor veorq_u32
#define tmb_b4_andnot vbicq_u32
static const uint32_t tmb_b4_own[4] = {1, 2, 4, 8};
TMB_INLINE(unsigned, tmb_b4_bits, (tmb_b4 a), vaddvq_u32(vandq_u32(a, vld1q_u32(tmb_b4_own))))
TMB_INLINE(tmb_b4, tmb_b4_from_bits, (unsigned bits), vtstq_u32(vdupq_n_u32(bits), vld1q_u32(tmb_b4_own)))
TMB_INLINE(tmb_f4, tmb_f4_from_f64, (const double *p), vcvt_high_f32_f64(vcvt_f32_f64(vld1q_f64(p)), vld1q_f64(p + 2)))
#endif

/* Two vectors of four lanes. */
typedef struct tmb_f8 {
    tmb_f4 low, high;
} tmb_f8;
typedef struct tmb_i8 {
    tmb_i4 low, high;
} tmb_i8;
typedef struct tmb_b8 {
    tmb_b4 low, high;
} tmb_b8;
#define tmb_f8_load tmb_f8_loadu
#define tmb_f8_store tmb_f8_storeu
#define tmb_i8_load tmb_i8_loadu

/* A function on eight lanes from the one on four, by the letters of its result and its arguments. */
#define TMB_FROM_QUADS_1(r, t, name)                          \
    TMB_INLINE(tmb_##r##8, tmb_##t##8_##name, (tmb_##t##8 a), \
               (tmb_##r##8){tmb_##t##4_##name(a.low), tmb_##t##4_##name(a.high)})
#define TMB_FROM_QUADS_2(r, t, name)                                        \
    TMB_INLINE(tmb_##r##8, tmb_##t##8_##name, (tmb_##t##8 a, tmb_##t##8 b), \
               (tmb_##r##8){tmb_##t##4_##name(a.low, b.low), tmb_##t##4_##name(a.high, b.high)})
#define TMB_FROM_QUADS_MEMORY(t, name, element)                   \
    TMB_INLINE(tmb_##t##8, tmb_##t##8_##name, (const element *p), \
               (tmb_##t##8){tmb_##t##4_##name(p), tmb_##t##4_##name(p + 4)})
TMB_FROM_QUADS_1(f, f, abs)
TMB_FROM_QUADS_1(f, f, neg)
TMB_FROM_QUADS_1(f, f, sqrt)
TMB_FROM_QUADS_2(f, f, add)
TMB_FROM_QUADS_2(f, f, sub)
TMB_FROM_QUADS_2(f, f, mul)
TMB_FROM_QUADS_2(f, f, div)
TMB_FROM_QUADS_2(f, f, min)
TMB_FROM_QUADS_2(f, f, max)
TMB_FROM_QUADS_2(f, f, with_sign_of)
TMB_FROM_QUADS_2(b, f, less)
TMB_FROM_QUADS_2(b, f, less_equal)
TMB_FROM_QUADS_2(i, i, and)
TMB_FROM_QUADS_2(b, b, and)
TMB_FROM_QUADS_2(b, b, or)
TMB_FROM_QUADS_2(b, b, xor)
TMB_FROM_QUADS_2(b, b, andnot)
TMB_FROM_QUADS_MEMORY(f, loadu, float)
TMB_FROM_QUADS_MEMORY(f, from_f64, double)
TMB_FROM_QUADS_MEMORY(i, loadu, int32_t)
#undef TMB_FROM_QUADS_1
#undef TMB_FROM_QUADS_2
#undef TMB_FROM_QUADS_MEMORY

TMB_INLINE(tmb_f8, tmb_f8_set, (float x), (tmb_f8){tmb_f4_set(x), tmb_f4_set(x)})
TMB_INLINE(tmb_f8, tmb_f8_zero, (void), tmb_f8_set(0.0F))
static inline void tmb_f8_storeu(float *p, tmb_f8 a)
{
    tmb_f4_storeu(p, a.low);
    tmb_f4_storeu(p + 4, a.high);
}
TMB_INLINE(tmb_f8, tmb_f8_from_i8, (tmb_i8 a), (tmb_f8){tmb_f4_from_i4(a.low), tmb_f4_from_i4(a.high)})
TMB_INLINE(tmb_f8, tmb_f8_select, (tmb_b8 set, tmb_f8 if_set, tmb_f8 if_not),
           (tmb_f8){tmb_f4_select(set.low, if_set.low, if_not.low), tmb_f4_select(set.high, if_set.high, if_not.high)})
TMB_INLINE(tmb_i8, tmb_i8_set, (int32_t x), (tmb_i8){tmb_i4_set(x), tmb_i4_set(x)})
TMB_INLINE(tmb_i8, tmb_i8_bits_of, (tmb_f8 a), (tmb_i8){tmb_i4_bits_of(a.low), tmb_i4_bits_of(a.high)})
TMB_INLINE(tmb_i8, tmb_i8_shift_right, (tmb_i8 a, int count),
           (tmb_i8){tmb_i4_shift_right(a.low, count), tmb_i4_shift_right(a.high, count)})
static inline void tmb_i8_storeu(int32_t *p, tmb_i8 a)
{
    tmb_i4_storeu(p, a.low);
    tmb_i4_storeu(p + 4, a.high);
}
TMB_INLINE(unsigned, tmb_b8_bits, (tmb_b8 a), tmb_b4_bits(a.low) | tmb_b4_bits(a.high) << 4)
TMB_INLINE(tmb_b8, tmb_b8_from_bits, (unsigned bits), (tmb_b8){tmb_b4_from_bits(bits), tmb_b4_from_bits(bits >> 4)})
static inline float tmb_f8_max_of(tmb_f8 a)
{
    float quarter[4];
    const tmb_f4 half = tmb_f4_max(a.low, a.high);
    tmb_f4_storeu(quarter, tmb_f4_max(half, tmb_f4_upper(half)));
    return quarter[0] > quarter[1] ? quarter[0] : quarter[1];
}

#if defined(__SSE2__)
TMB_INLINE(tmb_i8, tmb_i8_widen, (__m128i halves, __m128i upper),
           (tmb_i8){_mm_unpacklo_epi16(halves, upper), _mm_unpackhi_epi16(halves, upper)})
static inline tmb_i8 tmb_i8_from_u8(const uint8_t *p)
{
    const __m128i zero = _mm_setzero_si128();
    return tmb_i8_widen(_mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)p), zero), zero);
}
static inline tmb_i8 tmb_i8_from_s8(const int8_t *p)
{
    const __m128i bytes = _mm_loadl_epi64((const __m128i *)p),
                  halves = _mm_srai_epi16(_mm_unpacklo_epi8(bytes, bytes), 8);
    return tmb_i8_widen(halves, _mm_srai_epi16(halves, 15));
}
TMB_INLINE(tmb_i8, tmb_i8_from_u16, (const uint16_t *p),
           tmb_i8_widen(_mm_loadu_si128((const __m128i *)p), _mm_setzero_si128()))
static inline tmb_i8 tmb_i8_from_s16(const int16_t *p)
{
    const __m128i halves = _mm_loadu_si128((const __m128i *)p);
    return tmb_i8_widen(halves, _mm_srai_epi16(halves, 15));
}
static inline tmb_i8 tmb_i8_nibbles(uint32_t word)
{
    const __m128i zero = _mm_setzero_si128(), low = _mm_cvtsi32_si128((int)(word & 0x0f0f0f0fU)),
                  high = _mm_cvtsi32_si128((int)(word >> 4 & 0x0f0f0f0fU));
    return tmb_i8_widen(_mm_unpacklo_epi8(_mm_unpacklo_epi8(low, high), zero), zero);
}
static inline tmb_f8 tmb_f8_gather(const float *all, tmb_i8 index)
{
    int32_t n[8];
    tmb_i8_storeu(n, index);
    return (tmb_f8){_mm_setr_ps(all[n[0]], all[n[1]], all[n[2]], all[n[3]]),
                    _mm_setr_ps(all[n[4]], all[n[5]], all[n[6]], all[n[7]])};
}
static inline tmb_f8 tmb_f8_lookup(const tmb_f8 table[2], tmb_i8 index)
{
    float all[16];
    tmb_f8_storeu(all, table[0]);
    tmb_f8_storeu(all + 8, table[1]);
    return tmb_f8_gather(all, index);
}
static inline tmb_f8 tmb_f8_permute(tmb_f8 a, tmb_i8 index)
{
    float all[8];
    tmb_f8_storeu(all, a);
    return tmb_f8_gather(all, index);
}

#else
TMB_INLINE(tmb_i8, tmb_i8_from_s16, (const int16_t *p), (tmb_i8){vmovl_s16(vld1_s16(p)), vmovl_s16(vld1_s16(p + 4))})
TMB_INLINE(tmb_i8, tmb_i8_from_u16, (const uint16_t *p),
           (tmb_i8){vreinterpretq_s32_u32(vmovl_u16(vld1_u16(p))), vreinterpretq_s32_u32(vmovl_u16(vld1_u16(p + 4)))})
static inline tmb_i8 tmb_i8_from_s8(const int8_t *p)
{
    const int16x8_t halves = vmovl_s8(vld1_s8(p));
    return (tmb_i8){vmovl_s16(vget_low_s16(halves)), vmovl_high_s16(halves)};
}
static inline tmb_i8 tmb_i8_from_u8(const uint8_t *p)
{
    const int16x8_t halves = vreinterpretq_s16_u16(vmovl_u8(vld1_u8(p)));
    return (tmb_i8){vmovl_s16(vget_low_s16(halves)), vmovl_high_s16(halves)};
}
static inline tmb_i8 tmb_i8_nibbles(uint32_t word)
{
    static const int32_t shifts[8] = {0, -4, -8, -12, -16, -20, -24, -28};
    const uint32x4_t words = vdupq_n_u32(word), mask = vdupq_n_u32(15);
    return (tmb_i8){vreinterpretq_s32_u32(vandq_u32(vshlq_u32(words, vld1q_s32(shifts)), mask)),
                    vreinterpretq_s32_u32(vandq_u32(vshlq_u32(words, vld1q_s32(shifts + 4)), mask))};
}
static inline tmb_f8 tmb_f8_gather(const float *table, tmb_i8 index)
{
    int32_t n[8];
    float all[8];
    tmb_i8_storeu(n, index);
    for (int i = 0; i < 8; i++) {
        all[i] = table[n[i]];
    }
    return tmb_f8_loadu(all);
}
/* The table's 64 bytes are just what one table instruction reaches. */
static inline float32x4_t tmb_f4_lookup(uint8x16x4_t table, int32x4_t index)
{
    const uint32x4_t bytes = vmlaq_n_u32(vdupq_n_u32(0x03020100U), vreinterpretq_u32_s32(index), 0x04040404U);
    return vreinterpretq_f32_u8(vqtbl4q_u8(table, vreinterpretq_u8_u32(bytes)));
}
static inline tmb_f8 tmb_f8_lookup(const tmb_f8 table[2], tmb_i8 index)
{
    const uint8x16x4_t bytes = {{vreinterpretq_u8_f32(table[0].low), vreinterpretq_u8_f32(table[0].high),
                                 vreinterpretq_u8_f32(table[1].low), vreinterpretq_u8_f32(table[1].high)}};
    return (tmb_f8){tmb_f4_lookup(bytes, index.low), tmb_f4_lookup(bytes, index.high)};
}
static inline tmb_f8 tmb_f8_permute(tmb_f8 a, tmb_i8 index)
{
    const tmb_f8 table[2] = {a, a};
    return tmb_f8_lookup(table, index);
}
#endif

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
