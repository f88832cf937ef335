/* Eight doubles at a time, where floats are not enough: tmb_d8, with the operations of tmb_f8 (math/lanes.h) that
 * moving points and comparing boxes needs; tmb_d8_less gives a bit for each lane. Every lane does the same IEEE
 * operations on every processor. tmb_d8_product_rest is a b less their rounded product, exactly, where nothing over- or
 * underflows: then all ways to find it give the same bits. */
#ifndef TUMBLE_SRC_MATH_LANES_DOUBLE_H
#define TUMBLE_SRC_MATH_LANES_DOUBLE_H

#include "math/lanes.h"

#if defined(TMB_KERNEL_AVX512)
typedef __m512d tmb_d8;
#define tmb_d8_loadu _mm512_loadu_pd
#define tmb_d8_set _mm512_set1_pd
#define tmb_d8_add _mm512_add_pd
#define tmb_d8_sub _mm512_sub_pd
#define tmb_d8_mul _mm512_mul_pd
#define tmb_d8_div _mm512_div_pd
#define tmb_d8_product_rest _mm512_fmsub_pd
#define tmb_d8_min _mm512_min_pd
#define tmb_d8_max _mm512_max_pd
#define tmb_d8_storeu _mm512_storeu_pd
#define tmb_f8_from_d8 _mm512_cvtpd_ps
static inline tmb_d8 tmb_d8_from_f32(const float *p)
{
    return _mm512_cvtps_pd(_mm256_loadu_ps(p));
}
static inline unsigned tmb_d8_less(tmb_d8 a, tmb_d8 b)
{
    return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ);
}

#elif defined(TMB_KERNEL_AVX2)
typedef struct tmb_d8 {
    __m256d low, high;
} tmb_d8;
#define TMB_HALVES(name, operation)                                          \
    static inline tmb_d8 name(tmb_d8 a, tmb_d8 b)                            \
    {                                                                        \
        return (tmb_d8){operation(a.low, b.low), operation(a.high, b.high)}; \
    }
TMB_HALVES(tmb_d8_add, _mm256_add_pd)
TMB_HALVES(tmb_d8_sub, _mm256_sub_pd)
TMB_HALVES(tmb_d8_mul, _mm256_mul_pd)
TMB_HALVES(tmb_d8_div, _mm256_div_pd)
TMB_HALVES(tmb_d8_min, _mm256_min_pd)
TMB_HALVES(tmb_d8_max, _mm256_max_pd)
#undef TMB_HALVES
static inline tmb_d8 tmb_d8_loadu(const double *p)
{
    return (tmb_d8){_mm256_loadu_pd(p), _mm256_loadu_pd(p + 4)};
}
static inline tmb_d8 tmb_d8_set(double x)
{
    return (tmb_d8){_mm256_set1_pd(x), _mm256_set1_pd(x)};
}
static inline void tmb_d8_storeu(double *p, tmb_d8 a)
{
    _mm256_storeu_pd(p, a.low);
    _mm256_storeu_pd(p + 4, a.high);
}
static inline unsigned tmb_d8_less(tmb_d8 a, tmb_d8 b)
{
    const __m256d low = _mm256_cmp_pd(a.low, b.low, _CMP_LT_OQ), high = _mm256_cmp_pd(a.high, b.high, _CMP_LT_OQ);
    return (unsigned)_mm256_movemask_pd(low) | (unsigned)_mm256_movemask_pd(high) << 4;
}
static inline tmb_f8 tmb_f8_from_d8(tmb_d8 a)
{
    return _mm256_set_m128(_mm256_cvtpd_ps(a.high), _mm256_cvtpd_ps(a.low));
}
static inline tmb_d8 tmb_d8_from_f32(const float *p)
{
    return (tmb_d8){_mm256_cvtps_pd(_mm_loadu_ps(p)), _mm256_cvtps_pd(_mm_loadu_ps(p + 4))};
}

#else
typedef struct tmb_d8 {
    double lane[8];
} tmb_d8;
#define TMB_LANEWISE(name, parameters, expression) \
    static inline tmb_d8 name parameters           \
    {                                              \
        tmb_d8 out;                                \
        for (int i = 0; i < 8; i++) {              \
            out.lane[i] = expression;              \
        }                                          \
        return out;                                \
    }
TMB_LANEWISE(tmb_d8_loadu, (const double *p), p[i])
TMB_LANEWISE(tmb_d8_from_f32, (const float *p), (double)p[i])
TMB_LANEWISE(tmb_d8_set, (double x), x)
TMB_LANEWISE(tmb_d8_add, (tmb_d8 a, tmb_d8 b), a.lane[i] + b.lane[i])
TMB_LANEWISE(tmb_d8_sub, (tmb_d8 a, tmb_d8 b), a.lane[i] - b.lane[i])
TMB_LANEWISE(tmb_d8_mul, (tmb_d8 a, tmb_d8 b), a.lane[i] * b.lane[i])
TMB_LANEWISE(tmb_d8_div, (tmb_d8 a, tmb_d8 b), a.lane[i] / b.lane[i])
TMB_LANEWISE(tmb_d8_min, (tmb_d8 a, tmb_d8 b), a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i])
TMB_LANEWISE(tmb_d8_max, (tmb_d8 a, tmb_d8 b), a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i])
#undef TMB_LANEWISE
static inline void tmb_d8_storeu(double *p, tmb_d8 a)
{
    for (int i = 0; i < 8; i++) {
        p[i] = a.lane[i];
    }
}
static inline unsigned tmb_d8_less(tmb_d8 a, tmb_d8 b)
{
    unsigned less = 0;
    for (int i = 0; i < 8; i++) {
        less |= (unsigned)(a.lane[i] < b.lane[i]) << i;
    }
    return less;
}
static inline tmb_f8 tmb_f8_from_d8(tmb_d8 a)
{
    return tmb_f8_from_f64(a.lane);
}
#endif

/* Every so many numbers in memory. */
static inline tmb_d8 tmb_d8_strided(const double *p, size_t n)
{
#if defined(TMB_KERNEL_AVX512)
    return _mm512_setr_pd(p[0], p[n], p[2 * n], p[3 * n], p[4 * n], p[5 * n], p[6 * n], p[7 * n]);
#elif defined(TMB_KERNEL_AVX2)
    return (tmb_d8){_mm256_setr_pd(p[0], p[n], p[2 * n], p[3 * n]),
                    _mm256_setr_pd(p[4 * n], p[5 * n], p[6 * n], p[7 * n])};
#else
    return (tmb_d8){{p[0], p[n], p[2 * n], p[3 * n], p[4 * n], p[5 * n], p[6 * n], p[7 * n]}};
#endif
}

#if !defined(TMB_KERNEL_AVX512)
/* Two halves, see tmb_split in math/expansion.h. */
static inline tmb_d8 tmb_d8_upper_half(tmb_d8 a)
{
    const tmb_d8 scaled = tmb_d8_mul(tmb_d8_set(0x8000001p0), a);
    return tmb_d8_sub(scaled, tmb_d8_sub(scaled, a));
}

static inline tmb_d8 tmb_d8_product_rest(tmb_d8 a, tmb_d8 b, tmb_d8 product)
{
    const tmb_d8 a_high = tmb_d8_upper_half(a), a_low = tmb_d8_sub(a, a_high);
    const tmb_d8 b_high = tmb_d8_upper_half(b), b_low = tmb_d8_sub(b, b_high);
    const tmb_d8 error1 = tmb_d8_sub(product, tmb_d8_mul(a_high, b_high));
    const tmb_d8 error2 = tmb_d8_sub(error1, tmb_d8_mul(a_low, b_high));
    const tmb_d8 error3 = tmb_d8_sub(error2, tmb_d8_mul(a_high, b_low));
    return tmb_d8_sub(tmb_d8_mul(a_low, b_low), error3);
}
#endif

#endif
