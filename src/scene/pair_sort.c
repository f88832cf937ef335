/* Sorting pairs by the bits of both numbers, from the top: first all pairs into buckets, then each bucket where it is
 * in the cache. */
#include "scene/pair_sort.h"

#include <string.h>

#include "base/tasks.h"

#define BUCKET_BITS 11
#define BUCKETS (1u << BUCKET_BITS)
#define DIGIT_BITS 9 /* below the buckets */
#define FEW 24       /* pairs that are inserted one by one */
#define GRAIN 32     /* buckets that a thread sorts at a time */
#define PAIR_NANOSECONDS 10

/* ---- One bucket ---- */

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

/* How many bits to look at: so that a digit has a few pairs. */
static unsigned digit_for(size_t count, unsigned left)
{
    unsigned bits = 3;
    while (bits < DIGIT_BITS && count >> (bits + 2)) {
        bits++;
    }
    return bits < left ? bits : left;
}

/* Pairs differ below bit `top` of the first object's number, or anywhere in the second one's if that is 32. Both have
 * `bits` bits. The result is in `to`, or else in `pairs`. */
static void sort_range(uint64_t *pairs, uint64_t *to, size_t count, unsigned top, unsigned bits, int is_wanted_in_to)
{
    top = top == 32 ? bits : top;
    if (count <= FEW || top == 0) {
        insertion_sort(pairs, count);
        if (is_wanted_in_to && count > 0) {
            memcpy(to, pairs, count * sizeof *to);
        }
        return;
    }
    size_t places[1 << DIGIT_BITS] = {0};
    const unsigned digit = digit_for(count, top > 32 ? top - 32 : top), shift = top - digit;
    const uint64_t mask = ((uint64_t)1 << digit) - 1;
    for (size_t i = 0; i < count; i++) {
        places[pairs[i] >> shift & mask]++;
    }
    size_t sum = 0;
    for (uint64_t d = 0; d <= mask; d++) {
        const size_t here = places[d];
        places[d] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; i++) {
        to[places[pairs[i] >> shift & mask]++] = pairs[i];
    }
    size_t begin = 0;
    for (uint64_t d = 0; d <= mask; d++) { /* now each place is where the next digit begins */
        sort_range(to + begin, pairs + begin, places[d] - begin, shift, bits, !is_wanted_in_to);
        begin = places[d];
    }
}

/* ---- All ---- */

typedef struct sorting {
    const tmb_join_output *outputs;
    size_t (*places)[BUCKETS]; /* of each output: how many pairs of a bucket it has, then where the next one goes */
    size_t ends[BUCKETS];
    unsigned shift, bits;
    uint64_t *pairs, *sorted;
} sorting;

static void count_buckets(void *shared, size_t begin, size_t end)
{
    const sorting *s = shared;
    for (size_t part = begin; part < end; part++) {
        const uint64_t *pairs = s->outputs[part].pairs.data;
        memset(s->places[part], 0, sizeof s->places[part]);
        for (size_t i = 0; i < s->outputs[part].count; i++) {
            s->places[part][pairs[i] >> s->shift]++;
        }
    }
}

static void fill_buckets(void *shared, size_t begin, size_t end)
{
    const sorting *s = shared;
    for (size_t part = begin; part < end; part++) {
        const uint64_t *pairs = s->outputs[part].pairs.data;
        size_t *places = s->places[part];
        for (size_t i = 0; i < s->outputs[part].count; i++) {
            s->pairs[places[pairs[i] >> s->shift]++] = pairs[i];
        }
    }
}

static void sort_buckets(void *shared, size_t begin, size_t end)
{
    const sorting *s = shared;
    for (size_t bucket = begin; bucket < end; bucket++) {
        const size_t first = bucket > 0 ? s->ends[bucket - 1] : 0;
        sort_range(s->pairs + first, s->sorted + first, s->ends[bucket] - first, s->shift, s->bits, 1);
    }
}

/* Where each output's pairs of each bucket go: one output after the other. */
static void place_buckets(sorting *s, size_t part_count)
{
    size_t sum = 0;
    for (size_t bucket = 0; bucket < BUCKETS; bucket++) {
        for (size_t part = 0; part < part_count; part++) {
            const size_t here = s->places[part][bucket];
            s->places[part][bucket] = sum;
            sum += here;
        }
        s->ends[bucket] = sum;
    }
}

static int sort_many(tumble_context *context, uint32_t threads, sorting *s, size_t part_count)
{
    const uint32_t parts = threads < part_count ? threads : (uint32_t)part_count;
    if (!tmb_parallel_for(context, parts, part_count, 1, count_buckets, s)) {
        return 0;
    }
    place_buckets(s, part_count);
    return tmb_parallel_for(context, parts, part_count, 1, fill_buckets, s) &&
           tmb_parallel_for(context, threads, BUCKETS, GRAIN, sort_buckets, s);
}

static void sort_few(sorting *s, size_t part_count)
{
    size_t count = 0;
    for (size_t part = 0; part < part_count; part++) {
        if (s->outputs[part].count > 0) {
            memcpy(s->sorted + count, s->outputs[part].pairs.data, s->outputs[part].count * sizeof *s->sorted);
            count += s->outputs[part].count;
        }
    }
    sort_range(s->sorted, s->pairs, count, 32 + s->bits, s->bits, 0);
}

int tmb_pairs_collect(tumble_context *context, uint32_t thread_count, const tmb_join_output outputs[TMB_JOIN_PARTS],
                      uint32_t object_count, tmb_pair_room *room, tmb_buffer *out, size_t *count)
{
    size_t total = 0, part_count = 1; /* parts after these have none */
    for (size_t part = 0; part < TMB_JOIN_PARTS; part++) {
        total += outputs[part].count;
        part_count = outputs[part].count > 0 ? part + 1 : part_count;
    }
    const int is_few = total < BUCKETS;
    if (!tmb_buffer_reserve(context, out, total, sizeof(uint64_t), 0) ||
        !tmb_buffer_reserve(context, &room->pairs, total, sizeof(uint64_t), 0) ||
        !tmb_buffer_reserve(context, &room->places, is_few ? 0 : part_count * BUCKETS, sizeof(size_t), 0)) {
        return 0;
    }
    sorting s = {.outputs = outputs, .places = room->places.data, .pairs = room->pairs.data, .sorted = out->data};
    while (s.bits < 32 && object_count >> s.bits) {
        s.bits++;
    }
    s.shift = 32 + (s.bits > BUCKET_BITS ? s.bits - BUCKET_BITS : 0);
    *count = total;
    if (is_few) {
        sort_few(&s, part_count);
        return 1;
    }
    return sort_many(context, tmb_threads_for_time(thread_count, total, PAIR_NANOSECONDS), &s, part_count);
}

void tmb_pair_room_release(tumble_context *context, tmb_pair_room *room)
{
    tmb_buffer_release(context, &room->pairs);
    tmb_buffer_release(context, &room->places);
}

size_t tmb_pairs_merge(const uint64_t *old, size_t old_count, const uint64_t *has_changed, const uint64_t *fresh,
                       size_t fresh_count, uint64_t *out)
{
    size_t count = 0, next = 0;
    for (size_t i = 0; i < old_count; i++) {
        while (next < fresh_count && fresh[next] < old[i]) {
            out[count++] = fresh[next++];
        }
        out[count] = old[i];
        count += !(tmb_has_bit(has_changed, (uint32_t)(old[i] >> 32)) | tmb_has_bit(has_changed, (uint32_t)old[i]));
    }
    while (next < fresh_count) {
        out[count++] = fresh[next++];
    }
    return count;
}
