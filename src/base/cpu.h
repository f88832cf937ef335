/* Detects the processors and their instruction sets. */
#ifndef TUMBLE_SRC_BASE_CPU_H
#define TUMBLE_SRC_BASE_CPU_H

#include <stdint.h>

#include "tumble/base.h"

/* The best instruction set that the processor, the build and `wanted` allow. */
tumble_simd tmb_cpu_simd(tumble_simd wanted);

/* Processors that are online, at least 1. */
uint32_t tmb_cpu_count(void);

/* The most threads that work together. */
#define TMB_THREAD_LIMIT 256u

/* One per processor, as far as that is allowed. */
uint32_t tmb_default_threads(void);

#endif
