/* A few doubles at a time: loads and stores are aligned, tmb_or joins bits, tmb_any_sign tells of a set sign bit. A kernel's source is compiled once for each instruction set; TMB_SIMD_LANES follows from
 * the compiler's flags. Every lane does the same IEEE operations whatever the width, so all builds give the same bits. */
#ifndef TUMBLE_SRC_MATH_SIMD_H
#define TUMBLE_SRC_MATH_SIMD_H

#include <stdint.h>
#include <string.h>

#if defined(TMB_KERNEL_AVX512)
#include <immintrin.h>
#define TMB_SIMD_LANES 8
typedef __m512d tmb_vec;
static inline tmb_vec tmb_load(const double *p) { return _mm512_load_pd(p); }
static inline void tmb_store(double *p, tmb_vec v) { _mm512_store_pd(p, v); }
static inline tmb_vec tmb_broadcast(double x) { return _mm512_set1_pd(x); }
static inline tmb_vec tmb_add(tmb_vec a, tmb_vec b) { return _mm512_add_pd(a, b); }
static inline tmb_vec tmb_sub(tmb_vec a, tmb_vec b) { return _mm512_sub_pd(a, b); }
static inline tmb_vec tmb_mul(tmb_vec a, tmb_vec b) { return _mm512_mul_pd(a, b); }
static inline tmb_vec tmb_or(tmb_vec a, tmb_vec b) { return _mm512_or_pd(a, b); }
static inline int tmb_any_sign(tmb_vec v) { return _mm512_movepi64_mask(_mm512_castpd_si512(v)) != 0; }

#elif defined(TMB_KERNEL_AVX2)
#include <immintrin.h>
#define TMB_SIMD_LANES 4
typedef __m256d tmb_vec;
static inline tmb_vec tmb_load(const double *p) { return _mm256_load_pd(p); }
static inline void tmb_store(double *p, tmb_vec v) { _mm256_store_pd(p, v); }
static inline tmb_vec tmb_broadcast(double x) { return _mm256_set1_pd(x); }
static inline tmb_vec tmb_add(tmb_vec a, tmb_vec b) { return _mm256_add_pd(a, b); }
static inline tmb_vec tmb_sub(tmb_vec a, tmb_vec b) { return _mm256_sub_pd(a, b); }
static inline tmb_vec tmb_mul(tmb_vec a, tmb_vec b) { return _mm256_mul_pd(a, b); }
static inline tmb_vec tmb_or(tmb_vec a, tmb_vec b) { return _mm256_or_pd(a, b); }
static inline int tmb_any_sign(tmb_vec v) { return _mm256_movemask_pd(v) != 0; }

#else
#define TMB_SIMD_LANES 1
typedef double tmb_vec;
static inline tmb_vec tmb_load(const double *p) { return *p; }
static inline void tmb_store(double *p, tmb_vec v) { *p = v; }
static inline tmb_vec tmb_broadcast(double x) { return x; }
static inline tmb_vec tmb_add(tmb_vec a, tmb_vec b) { return a + b; }
static inline tmb_vec tmb_sub(tmb_vec a, tmb_vec b) { return a - b; }
static inline tmb_vec tmb_mul(tmb_vec a, tmb_vec b) { return a * b; }
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
static inline int tmb_any_sign(tmb_vec v) { return tmb_bits(v) < 0; }
#endif

#endif
