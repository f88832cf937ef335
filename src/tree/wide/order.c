/* Starts the ordering kernel for the processor. */
#include "tree/wide/order.h"

#include <string.h>

#include "base/assert.h"

/* The share of the build's time that ordering takes. */
#define SHARE 0.7

void tmb_wide_order_report(tmb_wide_ordering *o, const tmb_tasks *tasks, size_t items)
{
    const size_t done = atomic_fetch_add(&o->done, items) + items;
    if (o->options->progress && tmb_tasks_on_caller(tasks) &&
        o->options->progress(o->options->progress_user, SHARE * (double)done / (double)o->count)) {
        atomic_store(&o->cancelled, 1);
    }
}

tumble_status tmb_wide_order(tumble_context *context, const tumble_model_options *options, const tmb_wide_mesh *mesh,
                             tmb_wide_item *items, tmb_wide_item *scratch, size_t count, uint32_t leaf, uint8_t *marks)
{
    TMB_ASSERT(count > 0);
    TMB_ASSERT(leaf >= 1 && leaf <= TMB_CLUSTER_TRIANGLES);
    TMB_ASSERT(items != scratch);
    TMB_ASSERT(((uintptr_t)mesh->points & 15) == 0);
    tmb_wide_ordering ordering = {
        .mesh = mesh, .items = {items, scratch}, .leaf = leaf, .marks = marks, .options = options, .count = count};
    const tmb_wide_range all = {.end = count};
    memset(marks, 0, count);
    if (!tmb_tasks_run(context, options->thread_count, TMB_PICK_KERNEL(context, tmb_wide_order), &ordering, &all,
                       sizeof all)) {
        return tmb_fail_memory(context, "the threads that build a model");
    }
    return atomic_load(&ordering.cancelled)
               ? tmb_fail(context, TUMBLE_ERROR_CANCELLED, "building the model was stopped by the progress callback")
               : TUMBLE_OK;
}
