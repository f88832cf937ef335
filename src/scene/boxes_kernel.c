/* Boxes of objects, eight at a time: tmb_extents_box without branches. Loops over lanes become vector instructions.
 * Compiled once for each instruction set; all give the boxes of tmb_extents_box. */
#include <float.h>
#include <string.h>

#include "math/lanes.h"
#include "scene/scene.h"

#define LANES 8

typedef double lanes[LANES];

#define EACH_LANE for (int i = 0; i < LANES; i++)

typedef struct batch {
    uint32_t objects[LANES];
    const tmb_extents *extents[LANES];
    lanes clearance, reach;
    lanes pose[3][4];
    lanes forward[3], backward[3]; /* reaches along the rows of the poses */
} batch;

/* The numbers of the three directions of each row, and their factors. */
typedef struct directions {
    lanes factors[3];
    int32_t numbers[3][LANES];
} directions;

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

static inline void find_directions(const lanes row[4], directions *out)
{
    EACH_LANE
    {
        const double x = fabs(row[0][i]), y = fabs(row[1][i]), z = fabs(row[2][i]);
        const double most = larger(larger(x, y), z), least = smaller(smaller(x, y), z);
        const double middle = larger(smaller(x, y), smaller(larger(x, y), z));
        const double own_x = row[0][i] < 0 ? -9 : 9, own_y = row[1][i] < 0 ? -3 : 3, own_z = row[2][i] < 0 ? -1 : 1;
        const double largest = x == most ? own_x : y == most ? own_y : own_z;
        const double smallest = z == least ? own_z : y == least ? own_y : own_x;
        const double centre = TMB_EXTENTS / 2; /* NOLINT(bugprone-integer-division) */
        out->factors[0][i] = most - middle;
        out->factors[1][i] = middle - least;
        out->factors[2][i] = least;
        out->numbers[0][i] = (int32_t)(centre + largest);
        out->numbers[1][i] = (int32_t)(centre + own_x + own_y + own_z - smallest);
        out->numbers[2][i] = (int32_t)(centre + own_x + own_y + own_z);
    }
}

static inline void find_reaches(batch *b)
{
    for (int k = 0; k < 3; k++) {
        directions d;
        find_directions((const lanes *)b->pose[k], &d);
        EACH_LANE
        {
            const double *along = b->extents[i]->along, *back = along + TMB_EXTENTS - 1;
            const int n0 = d.numbers[0][i], n1 = d.numbers[1][i], n2 = d.numbers[2][i];
            const double f0 = d.factors[0][i], f1 = d.factors[1][i], f2 = d.factors[2][i];
            b->forward[k][i] = f0 * along[n0] + f1 * along[n1] + f2 * along[n2];
            b->backward[k][i] = f0 * back[-n0] + f1 * back[-n1] + f2 * back[-n2];
        }
    }
}

/* Floats below (-1) or above (1): the nearest ones, or the next ones outward by their bits. Numbers are finite. */
#if defined(TMB_KERNEL_AVX512)
static inline void round_outward(const lanes from, int32_t upward, float to[LANES])
{
    const __m512d x = _mm512_loadu_pd(from);
    _mm256_storeu_ps(to, upward > 0 ? _mm512_cvt_roundpd_ps(x, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC)
                                    : _mm512_cvt_roundpd_ps(x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC));
}
#else
static inline void round_outward(const lanes from, int32_t upward, float to[LANES])
{
    int32_t bits[LANES], is_inward[LANES];
    const double sign = upward;
    EACH_LANE
    {
        to[i] = (float)from[i];
    }
    EACH_LANE
    {
        is_inward[i] = sign * (from[i] - (double)to[i]) > 0;
    }
    memcpy(bits, to, sizeof bits);
    EACH_LANE
    {
        bits[i] += is_inward[i] * (bits[i] < 0 ? -upward : upward);
    }
    memcpy(to, bits, sizeof bits);
}
#endif

/* Boxes along one axis. What is not finite, NaN among it, becomes the farthest number. */
static inline void make_axis(const batch *b, int k, const lanes linear, const tmb_scene_frame *frame,
                             float lower[LANES], float upper[LANES])
{
    const double o = frame->origin[k], scale = frame->scale, most = (double)TMB_SCENE_BOX_MOST;
    lanes belows, aboves;
    EACH_LANE
    {
        const double padding = linear[i] * (TMB_SCENE_BOX_PADDING * b->reach[i] + frame->lost) +
                               b->clearance[i] * (1 + TMB_POSE_STRETCH) + TMB_SCENE_BOX_UNDERFLOW;
        const double t = b->pose[k][3][i], size = fabs(t) + linear[i] * b->reach[i] + 2 * b->clearance[i];
        const double high = t + (b->forward[k][i] + padding) + TMB_SCENE_BOX_ROUNDING * size;
        const double low = t - (b->backward[k][i] + padding) - TMB_SCENE_BOX_ROUNDING * size;
        const double world = larger(fabs(low), fabs(high)) + fabs(o);
        const double slack = TMB_SCENE_BOX_ROUNDING * world * scale + TMB_SCENE_BOX_LEAST;
        const double below = (low - o) * scale - slack, above = (high - o) * scale + slack;
        const double none = (low - low) + (high - high); /* NaN unless both are finite */
        belows[i] = none == 0 && below > -most ? smaller(below, most) : -most;
        aboves[i] = none == 0 && above < most ? larger(above, -most) : most;
    }
    round_outward((const double *)belows, -1, lower);
    round_outward((const double *)aboves, 1, upper);
}

static inline void run_batch(batch *b, const tmb_scene_frame *frame, tmb_box *boxes, size_t count)
{
    lanes linear;
    float lower[3][LANES], upper[3][LANES];
    find_reaches(b);
    EACH_LANE
    {
        double rows[3];
        for (int k = 0; k < 3; k++) {
            rows[k] = fabs(b->pose[k][0][i]) + fabs(b->pose[k][1][i]) + fabs(b->pose[k][2][i]);
        }
        linear[i] = larger(larger(rows[0], rows[1]), rows[2]);
    }
    for (int k = 0; k < 3; k++) {
        make_axis(b, k, linear, frame, lower[k], upper[k]);
    }
    for (size_t i = 0; i < count; i++) {
        boxes[b->objects[i]] =
            (tmb_box){{lower[0][i], lower[1][i], lower[2][i]}, {upper[0][i], upper[1][i], upper[2][i]}};
    }
}

static inline void add(batch *b, size_t lane, const tumble_scene *scene, size_t index, const tmb_extents *extents)
{
    const tumble_pose *pose = &scene->all.poses[index];
    b->objects[lane] = (uint32_t)index;
    b->extents[lane] = extents;
    b->reach[lane] = extents->box.reach;
    b->clearance[lane] = scene->all.objects[index].clearance + scene->margin;
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < 4; c++) {
            b->pose[k][c][lane] = pose->m[k][c];
        }
    }
}

tmb_boxes_kernel TMB_KERNEL_NAME(tmb_scene_make_boxes);
void TMB_KERNEL_NAME(tmb_scene_make_boxes)(tumble_scene *scene, const uint32_t *indices, size_t begin, size_t end)
{
    tmb_scene_objects *all = &scene->all;
    batch b;
    size_t count = 0;
    memset(&b, 0, sizeof b);
    for (size_t i = begin; i < end; i++) {
        const size_t index = indices ? indices[i] : i;
        const tmb_scene_object *object = &all->objects[index];
        const tmb_extents *extents =
            object->is_alive && object->is_active ? &tmb_scene_model_at(scene, object->model)->extents : NULL;
        all->is_present[index] = extents && !extents->is_empty;
        if (all->is_present[index]) {
            add(&b, count++, scene, index, extents);
            if (count == LANES) {
                run_batch(&b, &scene->frame, all->boxes, count);
                count = 0;
            }
        }
    }
    if (count > 0) {
        for (size_t lane = count; lane < LANES; lane++) {
            b.extents[lane] = b.extents[0];
        }
        run_batch(&b, &scene->frame, all->boxes, count);
    }
}
