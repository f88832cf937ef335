/* Eight lanes as two registers of four, for math/lanes.h, which alone includes this: SSE2, NEON, or simd128 of
 * WebAssembly. First four lanes, then eight of them. */
#ifndef TUMBLE_SRC_MATH_LANES_QUAD_H
#define TUMBLE_SRC_MATH_LANES_QUAD_H

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
typedef v128_t tmb_f4;
typedef v128_t tmb_i4;
typedef v128_t tmb_b4;
#define tmb_f4_loadu wasm_v128_load
#define tmb_f4_storeu wasm_v128_store
#define tmb_f4_set wasm_f32x4_splat
#define tmb_f4_add wasm_f32x4_add
#define tmb_f4_sub wasm_f32x4_sub
#define tmb_f4_mul wasm_f32x4_mul
#define tmb_f4_div wasm_f32x4_div
#define tmb_f4_sqrt wasm_f32x4_sqrt
#define tmb_f4_min(a, b) wasm_f32x4_pmin(b, a) /* a < b ? a : b */
#define tmb_f4_max(a, b) wasm_f32x4_pmax(b, a) /* b < a ? a : b */
#define tmb_f4_less wasm_f32x4_lt
#define tmb_f4_less_equal wasm_f32x4_le
#define tmb_f4_from_i4 wasm_f32x4_convert_i32x4
#define tmb_f4_abs wasm_f32x4_abs
#define tmb_f4_neg wasm_f32x4_neg
#define tmb_f4_with_sign_of(a, s) wasm_v128_bitselect(s, a, wasm_i32x4_splat((int32_t)0x80000000U))
#define tmb_f4_select(set, a, b) wasm_v128_bitselect(a, b, set)
#define tmb_f4_upper(a) wasm_i32x4_shuffle(a, a, 2, 3, 2, 3)
#define tmb_i4_loadu wasm_v128_load
#define tmb_i4_storeu wasm_v128_store
#define tmb_i4_set wasm_i32x4_splat
#define tmb_i4_bits_of(a) (a)
#define tmb_i4_and wasm_v128_and
#define tmb_i4_shift_right(a, n) wasm_u32x4_shr(a, (uint32_t)(n))
#define tmb_b4_and wasm_v128_and
#define tmb_b4_or wasm_v128_or
#define tmb_b4_xor wasm_v128_xor
#define tmb_b4_andnot wasm_v128_andnot
TMB_INLINE(unsigned, tmb_b4_bits, (tmb_b4 a), wasm_i32x4_bitmask(a))
static inline tmb_b4 tmb_b4_from_bits(unsigned bits)
{
    const v128_t own = wasm_i32x4_make(1, 2, 4, 8);
    return wasm_i32x4_eq(wasm_v128_and(wasm_i32x4_splat((int32_t)bits), own), own);
}
TMB_INLINE(tmb_f4, tmb_f4_from_f64, (const double *p),
           wasm_i32x4_shuffle(wasm_f32x4_demote_f64x2_zero(wasm_v128_load(p)),
                              wasm_f32x4_demote_f64x2_zero(wasm_v128_load(p + 2)), 0, 1, 4, 5))

#elif defined(__SSE2__)
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

#if defined(__wasm_simd128__)
TMB_INLINE(tmb_i8, tmb_i8_from_u16, (const uint16_t *p), (tmb_i8){wasm_u32x4_load16x4(p), wasm_u32x4_load16x4(p + 4)})
TMB_INLINE(tmb_i8, tmb_i8_from_s16, (const int16_t *p), (tmb_i8){wasm_i32x4_load16x4(p), wasm_i32x4_load16x4(p + 4)})
static inline tmb_i8 tmb_i8_from_u8(const uint8_t *p)
{
    const v128_t halves = wasm_u16x8_load8x8(p);
    return (tmb_i8){wasm_u32x4_extend_low_u16x8(halves), wasm_u32x4_extend_high_u16x8(halves)};
}
static inline tmb_i8 tmb_i8_from_s8(const int8_t *p)
{
    const v128_t halves = wasm_i16x8_load8x8(p);
    return (tmb_i8){wasm_i32x4_extend_low_i16x8(halves), wasm_i32x4_extend_high_i16x8(halves)};
}
static inline tmb_i8 tmb_i8_nibbles(uint32_t word)
{
    const v128_t low = wasm_i32x4_splat((int32_t)(word & 0x0f0f0f0fU)),
                 high = wasm_i32x4_splat((int32_t)(word >> 4 & 0x0f0f0f0fU)),
                 halves = wasm_u16x8_extend_low_u8x16(
                     wasm_i8x16_shuffle(low, high, 0, 16, 1, 17, 2, 18, 3, 19, 0, 16, 1, 17, 2, 18, 3, 19));
    return (tmb_i8){wasm_u32x4_extend_low_u16x8(halves), wasm_u32x4_extend_high_u16x8(halves)};
}
static inline tmb_f8 tmb_f8_gather(const float *all, tmb_i8 index)
{
    int32_t n[8];
    tmb_i8_storeu(n, index);
    return (tmb_f8){wasm_f32x4_make(all[n[0]], all[n[1]], all[n[2]], all[n[3]]),
                    wasm_f32x4_make(all[n[4]], all[n[5]], all[n[6]], all[n[7]])};
}
/* Where the bytes of four floats are in a table of floats: 4 index, and 0 to 3 more. Tables are kept in registers:
 * clang 14 gets the way through memory wrong. */
static inline v128_t tmb_i4_bytes(v128_t index)
{
    return wasm_i32x4_add(wasm_i32x4_mul(index, wasm_i32x4_splat(0x04040404)), wasm_i32x4_splat(0x03020100));
}
/* A swizzle gives 0 for what is outside of its 16 bytes. */
static inline v128_t tmb_f4_of_eight(tmb_f8 a, v128_t bytes)
{
    return wasm_v128_or(wasm_i8x16_swizzle(a.low, bytes),
                        wasm_i8x16_swizzle(a.high, wasm_i8x16_sub(bytes, wasm_i8x16_splat(16))));
}
static inline tmb_f8 tmb_f8_permute(tmb_f8 a, tmb_i8 index)
{
    return (tmb_f8){tmb_f4_of_eight(a, tmb_i4_bytes(index.low)), tmb_f4_of_eight(a, tmb_i4_bytes(index.high))};
}
static inline v128_t tmb_f4_of_sixteen(const tmb_f8 table[2], v128_t bytes)
{
    return wasm_v128_or(tmb_f4_of_eight(table[0], bytes),
                        tmb_f4_of_eight(table[1], wasm_i8x16_sub(bytes, wasm_i8x16_splat(32))));
}
static inline tmb_f8 tmb_f8_lookup(const tmb_f8 table[2], tmb_i8 index)
{
    return (tmb_f8){tmb_f4_of_sixteen(table, tmb_i4_bytes(index.low)),
                    tmb_f4_of_sixteen(table, tmb_i4_bytes(index.high))};
}

#elif defined(__SSE2__)
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

#endif
