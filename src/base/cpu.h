/* Detects the processor's instruction sets. */
#ifndef TUMBLE_SRC_BASE_CPU_H
#define TUMBLE_SRC_BASE_CPU_H

#include "tumble/base.h"

/* The best instruction set that the processor, the build and `wanted` allow. */
tumble_simd tmb_cpu_simd(tumble_simd wanted);

#endif
