/* Starts the ordering kernel that the processor can run. */
#include "tree/wide_order.h"

static tmb_task *kernel_for(tumble_simd simd)
{
#ifdef TUMBLE_X86_KERNELS
    if (simd == TUMBLE_SIMD_AVX512) {
        return tmb_wide_order_avx512;
    }
    if (simd == TUMBLE_SIMD_AVX2) {
        return tmb_wide_order_avx2;
    }
#endif
    (void)simd;
    return tmb_wide_order_scalar;
}

int tmb_wide_order(tumble_context *context, uint32_t thread_count, tmb_wide_item *items, tmb_wide_item *scratch,
                   size_t count, uint32_t leaf)
{
    tmb_wide_ordering ordering = {{items, scratch}, leaf};
    const tmb_wide_range all = {0, count, 0};
    return tmb_tasks_run(context, thread_count, kernel_for(context->simd), &ordering, &all, sizeof all);
}
