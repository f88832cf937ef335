/* What the processor can do. */
#include "base/cpu.h"

static tumble_simd best(void)
{
#if defined(TUMBLE_X86_KERNELS)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw")) {
        return TUMBLE_SIMD_AVX512;
    }
    if (__builtin_cpu_supports("avx2")) {
        return TUMBLE_SIMD_AVX2;
    }
#endif
    return TUMBLE_SIMD_SCALAR;
}

tumble_simd tmb_cpu_simd(tumble_simd wanted)
{
    const tumble_simd found = best();
    return wanted == TUMBLE_SIMD_AUTO || wanted > found ? found : wanted;
}
