/* Sixteen floats at a time, where there are so many: tmb_f16, with the operations of tmb_f8 (math/lanes.h) that rays
 * need. Comparisons give a bit for each lane. Every lane does the same IEEE operations on every processor. */
#ifndef TUMBLE_SRC_MATH_LANES_SIXTEEN_H
#define TUMBLE_SRC_MATH_LANES_SIXTEEN_H

#include "math/lanes.h"

#if defined(TMB_KERNEL_AVX512)
typedef __m512 tmb_f16;
#define tmb_f16_set _mm512_set1_ps
#define tmb_f16_loadu _mm512_loadu_ps
#define tmb_f16_storeu _mm512_storeu_ps
#define tmb_f16_add _mm512_add_ps
#define tmb_f16_sub _mm512_sub_ps
#define tmb_f16_mul _mm512_mul_ps
#define tmb_f16_div _mm512_div_ps
#define tmb_f16_min _mm512_min_ps
#define tmb_f16_max _mm512_max_ps
#define tmb_f16_abs _mm512_abs_ps
TMB_INLINE(unsigned, tmb_f16_less, (tmb_f16 a, tmb_f16 b), _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ))
TMB_INLINE(unsigned, tmb_f16_less_equal, (tmb_f16 a, tmb_f16 b), _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ))
TMB_INLINE(tmb_f16, tmb_f16_select, (unsigned set, tmb_f16 if_set, tmb_f16 if_not),
           _mm512_mask_blend_ps((__mmask16)set, if_not, if_set))
TMB_INLINE(float, tmb_f16_max_of, (tmb_f16 a),
           tmb_f8_max_of(_mm256_max_ps(_mm512_castps512_ps256(a), _mm512_extractf32x8_ps(a, 1))))

#else
typedef struct tmb_f16 {
    tmb_f8 low, high;
} tmb_f16;
#define TMB_FROM_HALVES(name)                                   \
    TMB_INLINE(tmb_f16, tmb_f16_##name, (tmb_f16 a, tmb_f16 b), \
               (tmb_f16){tmb_f8_##name(a.low, b.low), tmb_f8_##name(a.high, b.high)})
TMB_FROM_HALVES(add)
TMB_FROM_HALVES(sub)
TMB_FROM_HALVES(mul)
TMB_FROM_HALVES(div)
TMB_FROM_HALVES(min)
TMB_FROM_HALVES(max)
#undef TMB_FROM_HALVES
TMB_INLINE(tmb_f16, tmb_f16_abs, (tmb_f16 a), (tmb_f16){tmb_f8_abs(a.low), tmb_f8_abs(a.high)})
TMB_INLINE(tmb_f16, tmb_f16_set, (float x), (tmb_f16){tmb_f8_set(x), tmb_f8_set(x)})
TMB_INLINE(tmb_f16, tmb_f16_loadu, (const float *p), (tmb_f16){tmb_f8_loadu(p), tmb_f8_loadu(p + 8)})
static inline void tmb_f16_storeu(float *p, tmb_f16 a)
{
    tmb_f8_storeu(p, a.low);
    tmb_f8_storeu(p + 8, a.high);
}
TMB_INLINE(unsigned, tmb_f16_less, (tmb_f16 a, tmb_f16 b),
           tmb_b8_bits(tmb_f8_less(a.low, b.low)) | tmb_b8_bits(tmb_f8_less(a.high, b.high)) << 8)
TMB_INLINE(unsigned, tmb_f16_less_equal, (tmb_f16 a, tmb_f16 b),
           tmb_b8_bits(tmb_f8_less_equal(a.low, b.low)) | tmb_b8_bits(tmb_f8_less_equal(a.high, b.high)) << 8)
TMB_INLINE(tmb_f16, tmb_f16_select, (unsigned set, tmb_f16 if_set, tmb_f16 if_not),
           (tmb_f16){tmb_f8_select(tmb_b8_from_bits(set & 255), if_set.low, if_not.low),
                     tmb_f8_select(tmb_b8_from_bits(set >> 8), if_set.high, if_not.high)})
TMB_INLINE(float, tmb_f16_max_of, (tmb_f16 a), tmb_f8_max_of(tmb_f8_max(a.low, a.high)))
#endif

#endif
