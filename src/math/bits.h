/* Sets of 64 as bits: listing their members and picking some of these. */
#ifndef TUMBLE_SRC_MATH_BITS_H
#define TUMBLE_SRC_MATH_BITS_H

#include <stdint.h>

#if defined(TMB_KERNEL_AVX512) || defined(TMB_KERNEL_AVX2)
#include <immintrin.h>
#endif

#define TMB_BITS_ROOM 72 /* for the numbers of 64 bits, with room to read eight from any place */

/* Lists the set bits in order. Returns how many. */
static inline unsigned tmb_list_bits(uint64_t bits, uint8_t numbers[TMB_BITS_ROOM])
{
#if defined(TMB_KERNEL_AVX512)
    _Alignas(64) static const uint8_t all[64] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                                 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                                 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
                                                 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    _mm512_storeu_si512(numbers, _mm512_maskz_compress_epi8(bits, _mm512_load_si512(all)));
    return (unsigned)__builtin_popcountll(bits);
#else
    unsigned count = 0;
    for (; bits; bits &= bits - 1) {
        numbers[count++] = (uint8_t)__builtin_ctzll(bits);
    }
    return count;
#endif
}

/* Bit n of `chosen` stands for the n-th set bit of `bits`; surplus bits are ignored. */
static inline uint64_t tmb_spread_bits(uint64_t chosen, uint64_t bits)
{
#if defined(TMB_KERNEL_AVX512) || defined(TMB_KERNEL_AVX2)
    return _pdep_u64(chosen, bits);
#else
    uint64_t out = 0;
    for (; chosen; chosen >>= 1, bits &= bits - 1) {
        out |= chosen & 1 ? bits & (0 - bits) : 0;
    }
    return out;
#endif
}

#endif
