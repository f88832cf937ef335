/* The boxes of a state, and which of them overlap, eight against one at a time. Compiled once for each instruction
 * set.
 *
 * A box comes by the middle of the model's box and half its sides, which is looser than that by the extents, but costs
 * a tenth: what it lets pass is looked at along the axes of both models before any triangle is. Half sides hold what
 * the roundings of the middle need, in proportion to the model; those in proportion to the translation are added. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "math/bounds.h"
#include "math/lanes.h"
#include "math/pose.h"
#include "scene/states.h"

#define ROUNDING 0x1p-48       /* of the lengths that take part, in double */
#define FLOAT_ROUNDING 0x1p-22 /* of a coordinate: more than rounding to float takes */
#define LEAST TMB_SCENE_BOX_LEAST
#define MOST ((double)TMB_SCENE_BOX_MOST)
#define LARGEST 0x1p1000

typedef double lanes4 __attribute__((vector_size(32)));
typedef float floats4 __attribute__((vector_size(16)));
typedef long long bits4 __attribute__((vector_size(32)));
typedef double loose4 __attribute__((vector_size(32), aligned(8), may_alias));

#define LOADED(from) (*(const loose4 *)(from))
#define ABSOLUTE(x) ((lanes4)((bits4)(x)&0x7fffffffffffffff))
#define SHUFFLED __builtin_shufflevector
#define NEXT(x) SHUFFLED(x, x, 1, 2, 0, 3)
#define CHOSEN(mask, yes, no) ((lanes4)(((mask) & (bits4)(yes)) | (~(mask) & (bits4)(no))))
#define LESS(a, b) CHOSEN((a) < (b), a, b)    /* the second if one is NaN */
#define GREATER(a, b) CHOSEN((a) > (b), a, b) /* likewise */

/* Like tmb_pose_is_plainly_good, with a lane for each of the three columns. */
static inline int is_good(const tumble_pose *pose)
{
    const lanes4 x = LOADED(pose->m[0]), y = LOADED(pose->m[1]), z = LOADED(pose->m[2]);
    const lanes4 x1 = NEXT(x), y1 = NEXT(y), z1 = NEXT(z), squares = (x * x + y * y) + z * z;
    const lanes4 products = (x * x1 + y * y1) + z * z1, cross = x * (y1 * NEXT(z1) - NEXT(y1) * z1);
    const double square = squares[0], least = TMB_POSE_TOLERANCE / 4 * square, det = (cross[0] + cross[1]) + cross[2];
    const lanes4 largest = GREATER(ABSOLUTE(squares - square), ABSOLUTE(products));
    const int is_finite = fabs(x[3]) <= DBL_MAX && fabs(y[3]) <= DBL_MAX && fabs(z[3]) <= DBL_MAX;
    return square > TMB_POSE_LEAST_SQUARE && square < TMB_POSE_MOST_SQUARE && largest[0] <= least &&
           largest[1] <= least && largest[2] <= least && det > 0 && det * det > 0.5 * square * square * square &&
           is_finite;
}

/* The box of one item, with a lane for each axis. */
static inline void make_box(const tmb_state_item *item, const tumble_pose *pose, const tmb_scene_frame *frame,
                            float *lower, float *upper, size_t lanes)
{
    const lanes4 x = LOADED(pose->m[0]), y = LOADED(pose->m[1]), z = LOADED(pose->m[2]);
    const lanes4 even = SHUFFLED(x, y, 0, 4, 2, 6), odd = SHUFFLED(x, y, 1, 5, 3, 7);
    const lanes4 columns[4] = {SHUFFLED(even, z, 0, 1, 4, 4), SHUFFLED(odd, z, 0, 1, 5, 5),
                               SHUFFLED(even, z, 2, 3, 6, 6), SHUFFLED(odd, z, 2, 3, 7, 7)};
    const lanes4 origin = {frame->origin[0], frame->origin[1], frame->origin[2], frame->origin[2]};
    const double *c = item->centre, *h = item->half, scale = frame->scale;
    const lanes4 centre = (columns[0] * c[0] + columns[1] * c[1]) + (columns[2] * c[2] + columns[3]);
    const lanes4 sides =
        (ABSOLUTE(columns[0]) * h[0] + ABSOLUTE(columns[1]) * h[1]) + (ABSOLUTE(columns[2]) * h[2] + item->grown);
    const lanes4 middle = (centre - origin) * scale, half = sides * scale;
    const lanes4 error = ROUNDING * ((ABSOLUTE(columns[3]) + ABSOLUTE(origin)) * scale + half) + LEAST;
    const lanes4 low = middle - half, high = middle + half, most = {MOST, MOST, MOST, MOST};
    const bits4 is_finite = ABSOLUTE(middle) + half < LARGEST;
    const lanes4 below = CHOSEN(is_finite, low - FLOAT_ROUNDING * ABSOLUTE(low) - error, -most);
    const lanes4 above = CHOSEN(is_finite, high + FLOAT_ROUNDING * ABSOLUTE(high) + error, most);
    const floats4 lowers = __builtin_convertvector(GREATER(LESS(below, most), -most), floats4);
    const floats4 uppers = __builtin_convertvector(LESS(GREATER(above, -most), most), floats4);
    for (size_t k = 0; k < 3; k++) {
        lower[k * lanes] = lowers[k];
        upper[k * lanes] = uppers[k];
    }
}

tmb_states_boxes_kernel TMB_KERNEL_NAME(tmb_states_boxes);
uint32_t TMB_KERNEL_NAME(tmb_states_boxes)(const tmb_states_plan *plan, const tmb_scene_frame *frame,
                                           const tumble_pose *poses, float *boxes)
{
    const tmb_state_item *items = plan->items.data;
    const size_t lanes = plan->lane_count;
    uint32_t bad = TMB_NONE;
    for (uint32_t i = 0; i < plan->item_count; i++) {
        if (items[i].slot != TMB_NONE) {
            const tumble_pose *pose = &poses[items[i].slot];
            bad = is_good(pose) ? bad : items[i].slot;
            make_box(&items[i], pose, frame, boxes + i, boxes + 3 * lanes + i, lanes);
        }
    }
    return bad;
}

static inline tmb_state_pair pair_of(const tmb_state_item *items, uint32_t i, uint32_t j, float gap)
{
    return (tmb_state_pair){items[i].object, items[j].object, i, j, gap};
}

tmb_states_pairs_kernel TMB_KERNEL_NAME(tmb_states_overlaps);
size_t TMB_KERNEL_NAME(tmb_states_overlaps)(const tmb_states_plan *plan, const float *boxes, float limit,
                                            tmb_state_pair *out)
{
    const tmb_state_item *items = plan->items.data;
    const tmb_state_link *links = plan->links.data;
    const size_t lanes = plan->lane_count;
    size_t count = 0;
    (void)limit;
    for (uint32_t i = 0; i < plan->item_count; i++) {
        tmb_f8 lower[3], upper[3];
        for (uint32_t k = 0; k < 3; k++) {
            lower[k] = tmb_f8_set(boxes[k * lanes + i]);
            upper[k] = tmb_f8_set(boxes[(3 + k) * lanes + i]);
        }
        for (uint32_t l = items[i].first_link; l < items[i].link_end; l++) {
            const float *at = boxes + (size_t)links[l].group * TMB_STATES_LANES;
            tmb_b8 meet = tmb_f8_less_equal(tmb_f8_loadu(at), upper[0]);
            meet = tmb_b8_and(meet, tmb_f8_less_equal(lower[0], tmb_f8_loadu(at + 3 * lanes)));
            for (uint32_t k = 1; k < 3; k++) {
                meet = tmb_b8_and(meet, tmb_f8_less_equal(tmb_f8_loadu(at + k * lanes), upper[k]));
                meet = tmb_b8_and(meet, tmb_f8_less_equal(lower[k], tmb_f8_loadu(at + (3 + k) * lanes)));
            }
            for (unsigned left = tmb_b8_bits(meet) & links[l].bits; left; left &= left - 1) {
                const uint32_t j = links[l].group * TMB_STATES_LANES + (uint32_t)__builtin_ctz(left);
                out[count++] = pair_of(items, i, j, 0);
            }
        }
    }
    return count;
}

/* How far apart two intervals are, or 0; no more than what squares and sums of them can hold. */
static inline tmb_f8 gap_along(tmb_f8 lower, tmb_f8 upper, const float *lowers, const float *uppers)
{
    const tmb_f8 gap = tmb_f8_max(tmb_f8_sub(lower, tmb_f8_loadu(uppers)), tmb_f8_sub(tmb_f8_loadu(lowers), upper));
    return tmb_f8_min(tmb_f8_max(gap, tmb_f8_zero()), tmb_f8_set(0x1p62F));
}

tmb_states_pairs_kernel TMB_KERNEL_NAME(tmb_states_gaps);
size_t TMB_KERNEL_NAME(tmb_states_gaps)(const tmb_states_plan *plan, const float *boxes, float limit,
                                        tmb_state_pair *out)
{
    const tmb_state_item *items = plan->items.data;
    const tmb_state_link *links = plan->links.data;
    const size_t lanes = plan->lane_count;
    size_t count = 0;
    for (uint32_t i = 0; i < plan->item_count; i++) {
        const tmb_box box = tmb_states_box(plan, boxes, i);
        for (uint32_t l = items[i].first_link; l < items[i].link_end; l++) {
            const float *at = boxes + (size_t)links[l].group * TMB_STATES_LANES;
            float gaps[TMB_STATES_LANES];
            tmb_f8 square = tmb_f8_zero();
            for (uint32_t k = 0; k < 3; k++) {
                const tmb_f8 gap =
                    gap_along(tmb_f8_set(box.lower[k]), tmb_f8_set(box.upper[k]), at + k * lanes, at + (3 + k) * lanes);
                square = tmb_f8_add(square, tmb_f8_mul(gap, gap));
            }
            /* sums of three squares are off by less than 2^-22 of them, and by what underflows */
            tmb_f8_storeu(gaps, tmb_f8_mul(tmb_f8_sqrt(square), tmb_f8_set(1 - 0x1p-20F)));
            for (unsigned left = links[l].bits; left; left &= left - 1) {
                const uint32_t lane = (uint32_t)__builtin_ctz(left);
                if (gaps[lane] <= limit) {
                    out[count++] = pair_of(items, i, links[l].group * TMB_STATES_LANES + lane, gaps[lane]);
                }
            }
        }
    }
    return count;
}
