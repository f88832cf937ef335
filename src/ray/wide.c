/* Sets up the walk of a ray through a wide hierarchy. */
#include "ray/packet.h"

#include <math.h>
#include <string.h>

#include "math/bounds.h"
#include "math/vec3.h"

#define MOST_REACH 0x1p20 /* of the origin, and of the model from the origin of coordinates, in local units */
#define LEAST_SCALE 0x1p-100
#define MOST_SCALE 0x1p100
#define BOX 1.0625 /* local coordinates are in [-1, 1]; this has room for all roundings */
#define LEAST_DIRECTION 0x1p-40

static double power_of_two(int exponent)
{
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* The power of two that brings the longest component of the direction into [1, 2); 0 if it is too long or too short. */
static double size_of_direction(const double direction[3])
{
    const double x = fabs(direction[0]), y = fabs(direction[1]), z = fabs(direction[2]);
    const double longest = tmb_greater(tmb_greater(x, y), z);
    uint64_t bits;
    memcpy(&bits, &longest, sizeof bits);
    const int exponent = (int)(bits >> 52) - 1023;
    return exponent > -900 && exponent < 900 ? power_of_two(-exponent) : 0;
}

typedef struct local_line {
    double origin[3], direction[3];
    double inverse[3];   /* of the direction, or of the least that it is taken as */
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
        line->inverse[k] = copysign(1 / tmb_greater(fabs(d), LEAST_DIRECTION), d);
        if (fabs(d) < LEAST_DIRECTION) { /* no farther than 2^-17 within the reach */
            if (fabs(o) > BOX) {
                return 0;
            }
            continue;
        }
        const double a = (-BOX - o) * line->inverse[k], b = (BOX - o) * line->inverse[k];
        line->enter = tmb_greater(line->enter, tmb_lesser(a, b));
        line->leave = tmb_lesser(line->leave, tmb_greater(a, b));
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
    local->frame.axis[0] = longest == 2 ? 0 : longest + 1, local->frame.axis[1] = longest == 0 ? 2 : longest - 1;
    local->frame.axis[2] = longest;
    local->inverse_longest = (float)line->inverse[longest];
    local->left_side = line->direction[longest] > 0 ? -1 : 1;
    for (int i = 0; i < 2; i++) {
        local->shear[i] = (float)(line->direction[local->frame.axis[i]] * line->inverse[longest]);
    }
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t is_negative = signbit(line->direction[k]) != 0;
        local->negative[k] = (int)is_negative;
        local->near_steps[k] = TMB_WIDE * (k + 3 * is_negative);
        local->far_steps[k] = TMB_WIDE * (k + 3 * (1 - is_negative));
        local->inverse[k] = (float)line->inverse[k];
    }
}

static void set_start(const tmb_ray_search *s, const local_line *line, tmb_ray_local *local)
{
    const tmb_local_frame *frame = &s->model->frame;
    const double t = local->shift / local->unit;
    int is_near = s->model->is_float;
    local->frame.scale = frame->scale;
    local->frame.scale_float = (float)frame->scale;
    for (int k = 0; k < 3; k++) {
        const float start = (float)(line->origin[k] + local->shift * line->direction[k]);
        const float slack = local->negative[k] ? -TMB_RAY_BOX_SLACK : TMB_RAY_BOX_SLACK;
        local->near_origin[k] = start + slack;
        local->far_origin[k] = start - slack;
        local->frame.start[k] = s->ray.origin[k] + t * s->ray.direction[k];
        local->frame.start_float[k] = (float)local->frame.start[k];
        is_near &= fabs(frame->centre[k]) * frame->scale < TMB_RAY_NEAR_REACH;
    }
    local->frame.in_floats = is_near;
}

/* What is to be done with a ray. */
typedef enum way {
    BY_BOXES, /* floats do not serve */
    PAST,     /* it is: nothing can be hit */
    IN_FLOATS
} way;

static way set_up(tmb_ray_search *s, tmb_ray_local *local)
{
    const double size = size_of_direction(s->ray.direction);
    local_line line;
    if (!make_line(s, size, &line)) {
        return BY_BOXES;
    }
    local->unit = s->model->frame.scale / size;
    s->counters.box_tests++;
    if (!clip_line(&line, s->ray.first * local->unit, s->ray.last * local->unit)) {
        return PAST;
    }
    local->shift = line.enter;
    set_direction(&line, local);
    set_start(s, &line, local);
    return IN_FLOATS;
}

void tmb_ray_walk_wide(tmb_ray_search *searches, size_t count)
{
    tmb_ray_search *walking[TMB_RAYS_IN_TURN];
    tmb_ray_local locals[TMB_RAYS_IN_TURN];
    unsigned walking_count = 0;
    for (unsigned left = tmb_ray_walk_packet(searches, count); left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        const way how = set_up(&searches[i], &locals[walking_count]);
        if (how == BY_BOXES) {
            tmb_ray_walk_boxes(&searches[i]);
        } else if (how == IN_FLOATS) {
            walking[walking_count++] = &searches[i];
        }
    }
    if (walking_count > 0) {
        TMB_PICK_KERNEL(searches->model->context, tmb_ray_wide)(walking, locals, walking_count);
    }
}
