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
#define LEAST 0x1p-140         /* more than what underflows */
#define MOST (FLT_MAX / 8)
#define LARGEST 0x1p1000

typedef double lanes4 __attribute__((vector_size(32)));
typedef long long bits4 __attribute__((vector_size(32)));
typedef double loose4 __attribute__((vector_size(32), aligned(8), may_alias));

#define LOADED(from) (*(const loose4 *)(from))
#define ABSOLUTE(x) ((lanes4)((bits4)(x)&0x7fffffffffffffff))
#define NEXT(x) __builtin_shufflevector(x, x, 1, 2, 0, 3)
#define SUM(v) (((v)[0] + (v)[1]) + ((v)[2] + (v)[3]))

/* Like tmb_pose_is_plainly_good, with a vector for the three columns. */
static inline int is_good(const tumble_pose *pose)
{
    const lanes4 x = LOADED(pose->m[0]), y = LOADED(pose->m[1]), z = LOADED(pose->m[2]);
    const lanes4 x1 = NEXT(x), y1 = NEXT(y), z1 = NEXT(z), squares = (x * x + y * y) + z * z;
    const lanes4 products = (x * x1 + y * y1) + z * z1, cross = y1 * NEXT(z1) - NEXT(y1) * z1;
    const double square = squares[0], least = TMB_POSE_TOLERANCE / 4 * square;
    const double det = (x[0] * cross[0] + x[1] * cross[1]) + x[2] * cross[2];
    return square > TMB_POSE_LEAST_SQUARE && square < TMB_POSE_MOST_SQUARE && fabs(squares[1] - square) <= least &&
           fabs(squares[2] - square) <= least && fabs(products[0]) <= least && fabs(products[1]) <= least &&
           fabs(products[2]) <= least && det > 0 && det * det > 0.5 * square * square * square &&
           fabs(x[3]) <= DBL_MAX && fabs(y[3]) <= DBL_MAX && fabs(z[3]) <= DBL_MAX;
}

/* The bounds along one axis. */
static inline void make_axis(const tmb_state_item *item, const double row[4], double origin, double scale, float *lower,
                             float *upper)
{
    const lanes4 r = LOADED(row), middles = r * LOADED(item->centre), halves = ABSOLUTE(r) * LOADED(item->half);
    const double middle = (SUM(middles) - origin) * scale, half = (SUM(halves) + item->grown) * scale;
    const double error = ROUNDING * ((fabs(row[3]) + fabs(origin)) * scale + half) + LEAST;
    const double low = middle - half, high = middle + half;
    const double below = low - FLOAT_ROUNDING * fabs(low) - error, above = high + FLOAT_ROUNDING * fabs(high) + error;
    const int is_finite = fabs(middle) + half < LARGEST;
    *lower =
        (float)(is_finite && below > -(double)MOST ? (below < (double)MOST ? below : (double)MOST) : -(double)MOST);
    *upper =
        (float)(is_finite && above < (double)MOST ? (above > -(double)MOST ? above : -(double)MOST) : (double)MOST);
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
            for (uint32_t k = 0; k < 3; k++) {
                make_axis(&items[i], pose->m[k], frame->origin[k], frame->scale, &boxes[k * lanes + i],
                          &boxes[(3 + k) * lanes + i]);
            }
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
