/* What waits in a search over motions: pairs, the least key first. */
#include "motion/first.h"

static int comes_before(const tmb_first_entry *a, const tmb_first_entry *b)
{
    return a->key < b->key || (a->key == b->key && a->number > b->number);
}

static void sift_up(tmb_first_entry *heap, size_t i)
{
    const tmb_first_entry entry = heap[i];
    for (; i > 0 && comes_before(&entry, &heap[(i - 1) / 2]); i = (i - 1) / 2) {
        heap[i] = heap[(i - 1) / 2];
    }
    heap[i] = entry;
}

static void sift_down(tmb_first_entry *heap, size_t count)
{
    const tmb_first_entry entry = heap[0];
    size_t i = 0;
    for (size_t child = 1; child < count; i = child, child = 2 * i + 1) {
        child += child + 1 < count && comes_before(&heap[child + 1], &heap[child]);
        if (!comes_before(&heap[child], &entry)) {
            break;
        }
        heap[i] = heap[child];
    }
    heap[i] = entry;
}

/* A slot for a pair; the vacant ones have room for all. */
static int take_slot(tmb_first *f, uint32_t *slot)
{
    tmb_first_scratch *s = f->scratch;
    if (f->vacant_count > 0) {
        *slot = ((uint32_t *)s->vacant.data)[--f->vacant_count];
        return 1;
    }
    tumble_context *context = f->query->context;
    *slot = (uint32_t)f->pair_count;
    if (f->pair_count >= UINT32_MAX ||
        !tmb_buffer_reserve(context, &s->pairs, f->pair_count + 1, sizeof(tmb_first_pair),
                            f->pair_count * sizeof(tmb_first_pair)) ||
        !tmb_buffer_reserve(context, &s->vacant, f->pair_count + 1, sizeof(uint32_t), 0)) {
        return 0;
    }
    f->pair_count++;
    return 1;
}

void tmb_first_wait(tmb_first *f, double key, const tmb_first_pair *pair)
{
    tmb_first_scratch *s = f->scratch;
    uint32_t slot;
    if (f->status != TUMBLE_OK) {
        return;
    }
    if (!tmb_buffer_reserve(f->query->context, &s->heap, f->heap_count + 1, sizeof(tmb_first_entry),
                            f->heap_count * sizeof(tmb_first_entry)) ||
        !take_slot(f, &slot)) {
        f->status = tmb_fail_memory(f->query->context, "the search along a motion");
        return;
    }
    ((tmb_first_pair *)s->pairs.data)[slot] = *pair;
    tmb_first_entry *heap = s->heap.data;
    heap[f->heap_count] = (tmb_first_entry){key, f->numbers++, slot};
    sift_up(heap, f->heap_count++);
}

tmb_first_pair tmb_first_take(tmb_first *f)
{
    tmb_first_entry *heap = f->scratch->heap.data;
    const uint32_t slot = heap[0].slot;
    heap[0] = heap[--f->heap_count];
    sift_down(heap, f->heap_count);
    ((uint32_t *)f->scratch->vacant.data)[f->vacant_count++] = slot;
    return ((tmb_first_pair *)f->scratch->pairs.data)[slot];
}
