/* Kernels: functions in files that are compiled once for each instruction set. Such a file names its function
 * TMB_KERNEL_NAME(base), which becomes base_scalar, base_avx2 and base_avx512; TMB_DECLARE_KERNELS declares them all,
 * and TMB_PICK_KERNEL picks the one for a context's processor. */
#ifndef TUMBLE_SRC_BASE_KERNEL_H
#define TUMBLE_SRC_BASE_KERNEL_H

#include "base/context.h"

#define TMB_KERNEL_JOIN(base, level) base##_##level
#define TMB_KERNEL_EXPAND(base, level) TMB_KERNEL_JOIN(base, level)
#define TMB_KERNEL_NAME(base) TMB_KERNEL_EXPAND(base, TMB_KERNEL)

#define TMB_DECLARE_KERNELS(type, base) extern type base##_scalar, base##_avx2, base##_avx512

#ifdef TUMBLE_X86_KERNELS
#define TMB_PICK_KERNEL(context, base)                     \
    ((context)->simd == TUMBLE_SIMD_AVX512 ? base##_avx512 \
     : (context)->simd == TUMBLE_SIMD_AVX2 ? base##_avx2   \
                                           : base##_scalar)
#else
#define TMB_PICK_KERNEL(context, base) ((void)(context), base##_scalar)
#endif

#endif
