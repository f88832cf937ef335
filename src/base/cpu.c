/* Detects the processors and their instruction sets. */
#include "base/cpu.h"

#include <unistd.h>

static tumble_simd best(void)
{
#if defined(TUMBLE_X86_KERNELS)
    __builtin_cpu_init();
    const int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                     __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    /* as of Ice Lake and Zen 4; older processors slow down for wide vectors */
    if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vbmi2")) {
        return TUMBLE_SIMD_AVX512;
    }
    if (avx2) {
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

uint32_t tmb_cpu_count(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (uint32_t)count;
}

uint32_t tmb_default_threads(void)
{
    const uint32_t count = tmb_cpu_count();
    return count > TMB_THREAD_LIMIT ? TMB_THREAD_LIMIT : count;
}
