/* Prepares the pairs found for the caller: addresses become polygons, then the list is sorted by check, A and B.
 *
 * The sort is by digits of four bits, the least first, each pass keeping the order of equal digits: every work-group
 * counts the digits of its tile, one work-group adds these up, every work-group puts its items where they belong. */

#define DIGITS 16
#define TILE (TMB_CL_SORT_LANES * TMB_CL_SORT_ITEMS)

/* One work-item for each pair. */
kernel void tumble_name_polygons(tmb_cl_settings s, global const uchar *memory, global const tmb_cl_model *models,
                                 global const tmb_u32 *pairs, global tmb_cl_hit *hits, tmb_u32 count)
{
    const tmb_u32 i = (tmb_u32)get_global_id(0);
    if (i < count) {
        const tmb_u32 check = hits[i].check;
        const tmb_cl_model a = models[s.one_pair ? s.model_a : pairs[2 * check]];
        const tmb_cl_model b = models[s.one_pair ? s.model_b : pairs[2 * check + 1]];
        hits[i].a = polygon_of(memory, &a, hits[i].a);
        hits[i].b = polygon_of(memory, &b, hits[i].b);
    }
}

/* `word` is 0 for B, 1 for A, 2 for the check. */
static tmb_u32 digit_of(tmb_cl_hit hit, tmb_u32 word, tmb_u32 shift)
{
    return (word == 0 ? hit.b : word == 1 ? hit.a : hit.check) >> shift & (DIGITS - 1);
}

/* counts[group_count * digit + group]. */
kernel __attribute__((reqd_work_group_size(TMB_CL_SORT_LANES, 1, 1))) void
tumble_count_digits(global const tmb_cl_hit *items, tmb_u32 count, tmb_u32 word, tmb_u32 shift,
                    global tmb_u32 *counts, local tmb_u32 *sums)
{
    const tmb_u32 lane = (tmb_u32)get_local_id(0), group = (tmb_u32)get_group_id(0);
    const tmb_u32 groups = (tmb_u32)get_num_groups(0), first = group * TILE;
    if (lane < DIGITS) {
        sums[lane] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (tmb_u32 i = lane; i < TILE; i += TMB_CL_SORT_LANES) {
        if (first + i < count) {
            atomic_inc(&sums[digit_of(items[first + i], word, shift)]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < DIGITS) {
        counts[groups * lane + group] = sums[lane];
    }
}

/* By one lane: each of the lanes' numbers becomes the sum of those before it. */
static void add_up(local tmb_u32 *sums)
{
    tmb_u32 sum = 0;
    for (tmb_u32 i = 0; i < TMB_CL_SORT_LANES; i++) {
        const tmb_u32 next = sums[i];
        sums[i] = sum;
        sum += next;
    }
}

/* The sum of what the lanes before this one have. */
static tmb_u32 sum_before(tmb_u32 own, tmb_u32 lane, local tmb_u32 *sums)
{
    sums[lane] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0) {
        add_up(sums);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return sums[lane];
}

/* Each number becomes the sum of those before it; by one work-group, each lane of which adds up a run of them. */
kernel __attribute__((reqd_work_group_size(TMB_CL_SORT_LANES, 1, 1))) void
tumble_add_digits(global tmb_u32 *counts, tmb_u32 count, local tmb_u32 *sums)
{
    const tmb_u32 lane = (tmb_u32)get_local_id(0), run = (count + TMB_CL_SORT_LANES - 1) / TMB_CL_SORT_LANES;
    const tmb_u32 first = min(lane * run, count), last = min(first + run, count);
    tmb_u32 own = 0;
    for (tmb_u32 i = first; i < last; i++) {
        own += counts[i];
    }
    tmb_u32 sum = sum_before(own, lane, sums);
    for (tmb_u32 i = first; i < last; i++) {
        const tmb_u32 next = counts[i];
        counts[i] = sum;
        sum += next;
    }
}

/* Each lane has a run of its work-group's tile. places[lanes * digit + lane]: how many of that digit it has, then where
 * in the tile, sorted by digits, the first of them comes. */
kernel __attribute__((reqd_work_group_size(TMB_CL_SORT_LANES, 1, 1))) void
tumble_place_items(global const tmb_cl_hit *items, tmb_u32 count, tmb_u32 word, tmb_u32 shift,
                   global const tmb_u32 *counts, global tmb_cl_hit *sorted, local tmb_u32 *places,
                   local tmb_u32 *sums)
{
    const tmb_u32 lane = (tmb_u32)get_local_id(0), group = (tmb_u32)get_group_id(0);
    const tmb_u32 groups = (tmb_u32)get_num_groups(0);
    const tmb_u32 first = min(group * TILE + lane * TMB_CL_SORT_ITEMS, count);
    const tmb_u32 last = min(first + TMB_CL_SORT_ITEMS, count);
    for (tmb_u32 digit = 0; digit < DIGITS; digit++) {
        places[TMB_CL_SORT_LANES * digit + lane] = 0;
    }
    for (tmb_u32 i = first; i < last; i++) {
        places[TMB_CL_SORT_LANES * digit_of(items[i], word, shift) + lane]++;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    tmb_u32 own = 0;
    for (tmb_u32 i = DIGITS * lane; i < DIGITS * lane + DIGITS; i++) {
        own += places[i];
    }
    tmb_u32 sum = sum_before(own, lane, sums);
    for (tmb_u32 i = DIGITS * lane; i < DIGITS * lane + DIGITS; i++) {
        const tmb_u32 next = places[i];
        places[i] = sum;
        sum += next;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < DIGITS) {
        sums[lane] = places[TMB_CL_SORT_LANES * lane]; /* where the digit begins in the tile */
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (tmb_u32 i = first; i < last; i++) {
        const tmb_cl_hit item = items[i];
        const tmb_u32 digit = digit_of(item, word, shift);
        const tmb_u32 place = places[TMB_CL_SORT_LANES * digit + lane]++;
        sorted[counts[groups * digit + group] + place - sums[digit]] = item;
    }
}

/* Without the checks: as tumble_pair. */
kernel void tumble_pack_pairs(global const tmb_cl_hit *hits, global tmb_u32 *pairs, tmb_u32 count)
{
    const tmb_u32 i = (tmb_u32)get_global_id(0);
    if (i < count) {
        pairs[2 * (size_t)i] = hits[i].a;
        pairs[2 * (size_t)i + 1] = hits[i].b;
    }
}
