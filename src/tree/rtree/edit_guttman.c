/* Splitting a full node as Guttman did (1984, section 3.5), with surfaces of boxes instead of volumes: that of flat
 * things is not 0. */
#include <math.h>

#include "tree/rtree/edit.h"

/* Two groups that grow. */
typedef struct sharing {
    const tmb_rtree_box *boxes;
    uint32_t count, least;
    int8_t group[TMB_EDIT_SPLIT_MOST]; /* of each box; -1: none yet */
    tmb_rtree_box all[2];
    uint32_t sizes[2];
} sharing;

static void put(sharing *s, uint32_t i, int group)
{
    s->group[i] = (int8_t)group;
    s->sizes[group]++;
    tmb_rtree_widen(&s->all[group], &s->boxes[i]);
}

static double joined_area(const tmb_rtree_box *a, const tmb_rtree_box *b)
{
    tmb_rtree_box both = *a;
    tmb_rtree_widen(&both, b);
    return tmb_edit_area(&both);
}

static double growth_of(const sharing *s, int group, uint32_t i)
{
    return joined_area(&s->all[group], &s->boxes[i]) - tmb_edit_area(&s->all[group]);
}

/* ---- Seeds ---- */

/* The two that would waste the most area together. */
static void pick_quadratic(const sharing *s, uint32_t seeds[2])
{
    double most = -INFINITY;
    for (uint32_t i = 0; i < s->count; i++) {
        for (uint32_t j = i + 1; j < s->count; j++) {
            const double waste =
                joined_area(&s->boxes[i], &s->boxes[j]) - tmb_edit_area(&s->boxes[i]) - tmb_edit_area(&s->boxes[j]);
            if (waste > most) {
                most = waste;
                seeds[0] = i;
                seeds[1] = j;
            }
        }
    }
}

/* Along an axis, the box whose lower side is highest and another whose upper side is lowest: how far apart these sides
 * are, as a share of the whole width. */
static double separate(const sharing *s, int axis, uint32_t seeds[2])
{
    float low = INFINITY, high = -INFINITY;
    seeds[0] = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        low = s->boxes[i].lower[axis] < low ? s->boxes[i].lower[axis] : low;
        high = s->boxes[i].upper[axis] > high ? s->boxes[i].upper[axis] : high;
        seeds[0] = s->boxes[i].lower[axis] > s->boxes[seeds[0]].lower[axis] ? i : seeds[0];
    }
    seeds[1] = seeds[0] == 0;
    for (uint32_t i = 0; i < s->count; i++) {
        if (i != seeds[0] && s->boxes[i].upper[axis] < s->boxes[seeds[1]].upper[axis]) {
            seeds[1] = i;
        }
    }
    const double apart = (double)s->boxes[seeds[0]].lower[axis] - (double)s->boxes[seeds[1]].upper[axis];
    return high > low ? apart / ((double)high - (double)low) : -INFINITY;
}

static void pick_linear(const sharing *s, uint32_t seeds[2])
{
    double most = separate(s, 0, seeds);
    for (int axis = 1; axis < 3; axis++) {
        uint32_t own[2];
        const double apart = separate(s, axis, own);
        if (apart > most) {
            most = apart;
            seeds[0] = own[0];
            seeds[1] = own[1];
        }
    }
}

/* ---- The rest ---- */

/* The one that prefers one group most. */
static uint32_t next_quadratic(const sharing *s)
{
    uint32_t best = 0;
    double most = -1;
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->group[i] < 0) {
            const double preference = fabs(growth_of(s, 0, i) - growth_of(s, 1, i));
            if (preference > most) {
                most = preference;
                best = i;
            }
        }
    }
    return best;
}

static uint32_t next_linear(const sharing *s)
{
    uint32_t i = 0;
    while (s->group[i] >= 0) {
        i++;
    }
    return i;
}

/* Where it makes less; of equals where less is. A group that needs all that are left gets them. */
static int choose_group(const sharing *s, uint32_t i)
{
    const uint32_t left = s->count - s->sizes[0] - s->sizes[1];
    for (int group = 0; group < 2; group++) {
        if (s->sizes[group] + left <= s->least) {
            return group;
        }
    }
    const double growth[2] = {growth_of(s, 0, i), growth_of(s, 1, i)};
    if (growth[0] != growth[1]) {
        return growth[1] < growth[0];
    }
    const double areas[2] = {tmb_edit_area(&s->all[0]), tmb_edit_area(&s->all[1])};
    return areas[0] != areas[1] ? areas[1] < areas[0] : s->sizes[1] < s->sizes[0];
}

uint32_t tmb_edit_split_guttman(const tmb_rtree_box *boxes, uint32_t count, uint32_t least, int is_linear,
                                uint8_t order[TMB_EDIT_SPLIT_MOST])
{
    TMB_ASSERT(count >= 2 && count <= TMB_EDIT_SPLIT_MOST && 2 * least <= count);
    sharing s = {.boxes = boxes, .count = count, .least = least, .all = {tmb_edit_empty_box, tmb_edit_empty_box}};
    uint32_t seeds[2] = {0, 1}, at[2];
    for (uint32_t i = 0; i < count; i++) {
        s.group[i] = -1;
    }
    (is_linear ? pick_linear : pick_quadratic)(&s, seeds);
    put(&s, seeds[0], 0);
    put(&s, seeds[1], 1);
    while (s.sizes[0] + s.sizes[1] < count) {
        const uint32_t i = (is_linear ? next_linear : next_quadratic)(&s);
        put(&s, i, choose_group(&s, i));
    }
    at[0] = 0;
    at[1] = s.sizes[0];
    for (uint32_t i = 0; i < count; i++) {
        order[at[s.group[i]]++] = (uint8_t)i;
    }
    return s.sizes[0];
}
