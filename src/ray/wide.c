/* Sets up the walk of a ray through a wide hierarchy. */
#include "ray/wide.h"

#include <math.h>

#include "math/bounds.h"
#include "math/vec3.h"

#define MOST_REACH 0x1p20 /* of the origin, and of the model from the origin of coordinates, in local units */
#define NEAR_REACH 4      /* ... for which clusters are moved in floats */
#define LEAST_SCALE 0x1p-100
#define MOST_SCALE 0x1p100
#define BOX 1.0625 /* local coordinates are in [-1, 1]; this has room for all roundings */
#define LEAST_DIRECTION 0x1p-40

/* The power of two that brings the longest component of the direction into [1, 2); 0 if there is no such double. */
static double size_of_direction(const double direction[3])
{
    const double longest = tmb_largest_size(direction);
    int exponent;
    (void)frexp(longest, &exponent);
    return exponent > -900 && exponent < 900 ? ldexp(1, 1 - exponent) : 0;
}

typedef struct local_line {
    double origin[3], direction[3];
    double enter, leave; /* the box of the model */
} local_line;

/* 0: floats do not serve. */
static int make_line(const tmb_ray_search *s, double size, local_line *line)
{
    const tmb_local_frame *frame = &s->model->frame;
    if (size == 0 || !(frame->scale > LEAST_SCALE && frame->scale < MOST_SCALE)) {
        return 0;
    }
    int usable = 1;
    for (int k = 0; k < 3; k++) {
        line->origin[k] = (s->ray.origin[k] - frame->centre[k]) * frame->scale;
        line->direction[k] = s->ray.direction[k] * size;
        usable &= fabs(line->origin[k]) < MOST_REACH && fabs(frame->centre[k]) * frame->scale < MOST_REACH;
    }
    return usable;
}

/* Where the line is in the model's box, within the range. The box has so much room that roundings do not matter. */
static int clip_line(local_line *line, double first, double last)
{
    line->enter = first;
    line->leave = last;
    for (int k = 0; k < 3; k++) {
        const double o = line->origin[k], d = line->direction[k];
        if (fabs(d) < LEAST_DIRECTION) { /* no farther than 2^-17 within the reach */
            if (fabs(o) > BOX) {
                return 0;
            }
            continue;
        }
        const double inverse = 1 / d, a = (-BOX - o) * inverse, b = (BOX - o) * inverse;
        line->enter = fmax(line->enter, d > 0 ? a : b);
        line->leave = fmin(line->leave, d > 0 ? b : a);
    }
    return line->enter <= line->leave;
}

static int longest_axis(const double d[3])
{
    const int first = fabs(d[1]) > fabs(d[0]);
    return fabs(d[2]) > fabs(d[first]) ? 2 : first;
}

static void set_direction(const local_line *line, tmb_ray_local *local)
{
    const int longest = longest_axis(line->direction);
    local->axis[0] = (longest + 1) % 3, local->axis[1] = (longest + 2) % 3, local->axis[2] = longest;
    const double inverse = 1 / line->direction[longest];
    local->inverse_longest = (float)inverse;
    for (int i = 0; i < 2; i++) {
        local->shear[i] = (float)(line->direction[local->axis[i]] * inverse);
    }
    for (int k = 0; k < 3; k++) {
        const double d = line->direction[k];
        local->negative[k] = signbit(d) != 0;
        local->inverse[k] = fabs(d) < LEAST_DIRECTION ? (float)copysign(1 / LEAST_DIRECTION, d) : (float)(1 / d);
    }
}

static void set_start(const tmb_ray_search *s, const local_line *line, tmb_ray_local *local)
{
    const tmb_local_frame *frame = &s->model->frame;
    const double t = local->shift / local->unit;
    int is_near = s->model->is_float;
    local->scale = frame->scale;
    local->scale_float = (float)frame->scale;
    for (int k = 0; k < 3; k++) {
        const float start = (float)(line->origin[k] + local->shift * line->direction[k]);
        const float slack = local->negative[k] ? -TMB_RAY_BOX_SLACK : TMB_RAY_BOX_SLACK;
        local->near_origin[k] = start + slack;
        local->far_origin[k] = start - slack;
        local->start[k] = s->ray.origin[k] + t * s->ray.direction[k];
        local->start_float[k] = (float)local->start[k];
        is_near &= fabs(frame->centre[k]) * frame->scale < NEAR_REACH;
    }
    local->in_floats = is_near;
}

int tmb_ray_walk_wide(tmb_ray_search *s)
{
    const double size = size_of_direction(s->ray.direction);
    local_line line;
    tmb_ray_local local;
    if (!make_line(s, size, &line)) {
        return 0;
    }
    local.unit = s->model->frame.scale / size;
    s->counters.box_tests++;
    if (!clip_line(&line, s->ray.first * local.unit, s->ray.last * local.unit)) {
        return 1;
    }
    local.shift = line.enter;
    set_direction(&line, &local);
    set_start(s, &line, &local);
    TMB_PICK_KERNEL(s->model->context, tmb_ray_wide)(s, &local);
    return 1;
}
