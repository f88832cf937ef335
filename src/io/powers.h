/* Powers of ten in 128 bits, for reading and for writing decimal numbers. */
#ifndef TUMBLE_SRC_IO_POWERS_H
#define TUMBLE_SRC_IO_POWERS_H

#include <stdint.h>

#include "base/assert.h"

#define TMB_POWER_LEAST (-342)
#define TMB_POWER_MOST 324

/* Entry [e - TMB_POWER_LEAST] has the 128 leading bits of 10^e, the high half first: 10^e is about (high * 2^64 + low)
 * * 2^(floor(log2(10^e)) - 127). The bits are cut off, so the entry is too small by less than one unit, except for e
 * from -27 to -1, where it is rounded up (Lemire, "Number parsing at a gigabyte per second", 2021, needs it so). For e
 * from 0 to 55 it is exact. */
extern const uint64_t tmb_powers_of_ten[TMB_POWER_MOST - TMB_POWER_LEAST + 1][2];

/* floor(log2(10^exponent)); right for |exponent| < 1650. */
static inline int tmb_floor_log2_of_power(int exponent)
{
    TMB_ASSERT(exponent > -1650 && exponent < 1650);
    return (exponent * 1741647) >> 19;
}

/* The high half of the product; the low half goes to *low. */
static inline uint64_t tmb_multiply(uint64_t a, uint64_t b, uint64_t *low)
{
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 wide;
    const wide product = (wide)a * b;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
#else
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
    const uint64_t other = a0 * b1 + (uint32_t)middle;
    *low = a * b;
    return a1 * b1 + (middle >> 32) + (other >> 32);
#endif
}

#endif
