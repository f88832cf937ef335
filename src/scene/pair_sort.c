/* Sorting pairs by the digits of both numbers. */
#include "scene/pair_sort.h"

#include <string.h>

#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)

static size_t total_of(const tmb_join_output outputs[TMB_JOIN_PARTS])
{
    size_t total = 0;
    for (int i = 0; i < TMB_JOIN_PARTS; i++) {
        total += outputs[i].count;
    }
    return total;
}

static void sort_by_digit(const uint64_t *from, uint64_t *to, size_t count, unsigned shift)
{
    size_t places[DIGITS] = {0};
    for (size_t i = 0; i < count; i++) {
        places[from[i] >> shift & (DIGITS - 1)]++;
    }
    size_t sum = 0;
    for (size_t d = 0; d < DIGITS; d++) {
        const size_t here = places[d];
        places[d] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; i++) {
        to[places[from[i] >> shift & (DIGITS - 1)]++] = from[i];
    }
}

static void insertion_sort(uint64_t *pairs, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const uint64_t pair = pairs[i];
        size_t at = i;
        for (; at > 0 && pairs[at - 1] > pair; at--) {
            pairs[at] = pairs[at - 1];
        }
        pairs[at] = pair;
    }
}

/* Returns whichever array holds the result. */
static uint64_t *sort_pairs(uint64_t *pairs, uint64_t *scratch, size_t count, uint32_t object_count)
{
    if (count < DIGIT_BITS * 4) {
        insertion_sort(pairs, count);
        return pairs;
    }
    for (unsigned half = 0; half < 64; half += 32) {
        for (unsigned shift = 0; shift < 32 && (object_count - 1) >> shift; shift += DIGIT_BITS) {
            sort_by_digit(pairs, scratch, count, half + shift);
            uint64_t *sorted = scratch;
            scratch = pairs;
            pairs = sorted;
        }
    }
    return pairs;
}

int tmb_pairs_collect(tumble_context *context, const tmb_join_output outputs[TMB_JOIN_PARTS], uint32_t object_count,
                      tmb_buffer *out, tmb_buffer *scratch, size_t *count)
{
    const size_t total = total_of(outputs);
    if (!tmb_buffer_reserve(context, out, total, sizeof(uint64_t), 0) ||
        !tmb_buffer_reserve(context, scratch, total, sizeof(uint64_t), 0)) {
        return 0;
    }
    uint64_t *pairs = out->data;
    for (int i = 0; i < TMB_JOIN_PARTS; i++) {
        if (outputs[i].count > 0) {
            memcpy(pairs, outputs[i].pairs.data, outputs[i].count * sizeof *pairs);
            pairs += outputs[i].count;
        }
    }
    if (sort_pairs(out->data, scratch->data, total, object_count) != out->data) {
        const tmb_buffer sorted = *scratch;
        *scratch = *out;
        *out = sorted;
    }
    *count = total;
    return 1;
}

size_t tmb_pairs_merge(const uint64_t *old, size_t old_count, const uint8_t *has_changed, const uint64_t *fresh,
                       size_t fresh_count, uint64_t *out)
{
    size_t count = 0, next = 0;
    for (size_t i = 0; i < old_count; i++) {
        if (has_changed[old[i] >> 32] || has_changed[(uint32_t)old[i]]) {
            continue;
        }
        while (next < fresh_count && fresh[next] < old[i]) {
            out[count++] = fresh[next++];
        }
        out[count++] = old[i];
    }
    while (next < fresh_count) {
        out[count++] = fresh[next++];
    }
    return count;
}
