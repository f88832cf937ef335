/* A few doubles at a time: loads and stores are aligned, tmb_or joins bits, tmb_any_sign tests for a set sign bit. A
 * kernel's source is compiled once for each instruction set, which the build names by TMB_KERNEL_AVX512,
 * TMB_KERNEL_AVX2 or neither. Every lane does the same IEEE operations whatever the width, so all builds give the same
 * bits. */
#ifndef TUMBLE_SRC_MATH_SIMD_H
#define TUMBLE_SRC_MATH_SIMD_H

#include <stdint.h>
#include <string.h>

#if defined(TMB_KERNEL_AVX512)
#include <immintrin.h>
#define TMB_SIMD_LANES 8
typedef __m512d tmb_vec;
#define tmb_load _mm512_load_pd
#define tmb_store _mm512_store_pd
#define tmb_broadcast _mm512_set1_pd
#define tmb_add _mm512_add_pd
#define tmb_sub _mm512_sub_pd
#define tmb_mul _mm512_mul_pd
#define tmb_max _mm512_max_pd
#define tmb_or _mm512_or_pd
static inline int tmb_any_sign(tmb_vec v)
{
    return _mm512_movepi64_mask(_mm512_castpd_si512(v)) != 0;
}

#elif defined(TMB_KERNEL_AVX2)
#include <immintrin.h>
#define TMB_SIMD_LANES 4
typedef __m256d tmb_vec;
#define tmb_load _mm256_load_pd
#define tmb_store _mm256_store_pd
#define tmb_broadcast _mm256_set1_pd
#define tmb_add _mm256_add_pd
#define tmb_sub _mm256_sub_pd
#define tmb_mul _mm256_mul_pd
#define tmb_max _mm256_max_pd
#define tmb_or _mm256_or_pd
static inline int tmb_any_sign(tmb_vec v)
{
    return _mm256_movemask_pd(v) != 0;
}

#else
#define TMB_SIMD_LANES 1
typedef double tmb_vec;
#define tmb_load(p) (*(p))
#define tmb_store(p, v) ((void)(*(p) = (v)))
#define tmb_broadcast(x) (x)
#define tmb_add(a, b) ((a) + (b))
#define tmb_sub(a, b) ((a) - (b))
#define tmb_mul(a, b) ((a) * (b))
#define tmb_max(a, b) ((a) > (b) ? (a) : (b))
static inline int64_t tmb_bits(tmb_vec v)
{
    int64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}
static inline tmb_vec tmb_or(tmb_vec a, tmb_vec b)
{
    const int64_t bits = tmb_bits(a) | tmb_bits(b);
    memcpy(&a, &bits, sizeof a);
    return a;
}
static inline int tmb_any_sign(tmb_vec v)
{
    return tmb_bits(v) < 0;
}
#endif

#endif
