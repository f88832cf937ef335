/* Sets up packets of rays, and takes what they find. See docs/single.md, Why no hit is missed. */
#include "ray/packet.h"

#include <math.h>
#include <string.h>

#include "math/vec3.h"

#define LEAST_RAYS 4
#define BEFORE 1.0625     /* the model is behind depth 0: local coordinates are in [-1, 1] */
#define DEEPEST 2.125     /* and before this */
#define MOST_REACH 0x1p20 /* of origins, and of the model from the origin of coordinates */
#define FARTHEST 3.25     /* from the centre, at depth 0, of a ray that gets to the model */
#define MOST_ASIDE 0.5    /* from the start, of any ray at depth 0 */
#define SPREAD 4          /* of rays that go together, in units of 1 / sqrt(clusters): a cluster is half as wide */

/* A ray in doubles: at + slope * depth. */
typedef struct line {
    double at[2], slope[2], first, last;
} line;

/* The common frame, as the first ray has it. */
typedef struct common {
    const tumble_model *model;
    int axis[3];
    double sign;      /* of the direction along the last axis */
    double origin[3]; /* of depths, and of x and y, from the centre, by these axes */
} common;

static int is_reachable(const tumble_model *model)
{
    const tmb_local_frame *frame = &model->frame;
    int good = frame->scale > 0x1p-100 && frame->scale < 0x1p100;
    for (int k = 0; k < 3; k++) {
        good &= fabs(frame->centre[k]) * frame->scale < MOST_REACH;
    }
    return good;
}

static int is_near(const tumble_model *model)
{
    const tmb_local_frame *frame = &model->frame;
    int near = model->is_float;
    for (int k = 0; k < 3; k++) {
        near &= fabs(frame->centre[k]) * frame->scale < TMB_RAY_NEAR_REACH;
    }
    return near;
}

/* Where the ray is, from the start of the frame; 0 if it goes another way. */
static int find_line(const common *c, const tmb_ray *ray, line *out)
{
    const tmb_local_frame *frame = &c->model->frame;
    const int z = c->axis[2];
    const double length = ray->direction[z] * c->sign, o = (ray->origin[z] - frame->centre[z]) * frame->scale;
    int good = length > 0x1p-900 && length < 0x1p900 && fabs(o) < MOST_REACH;
    const double inverse = 1 / length, depth = (o - c->origin[2]) * c->sign;
    for (int i = 0; i < 2; i++) {
        const int k = c->axis[i];
        const double p = (ray->origin[k] - frame->centre[k]) * frame->scale;
        out->slope[i] = ray->direction[k] * inverse;
        out->at[i] = p - c->origin[i] - out->slope[i] * depth;
        good &= fabs(p) < MOST_REACH && fabs(out->slope[i]) <= 1;
    }
    const double unit = length * frame->scale;
    out->first = tmb_greater(depth + ray->first * unit, 0);
    out->last = tmb_lesser(depth + ray->last * unit, 8);
    return good;
}

static common common_of(const tumble_model *model, const tmb_ray *ray)
{
    const double *d = ray->direction;
    const int first = fabs(d[1]) > fabs(d[0]), longest = fabs(d[2]) > fabs(d[first]) ? 2 : first;
    common c = {.model = model, .axis = {(longest + 1) % 3, (longest + 2) % 3, longest}};
    c.sign = d[longest] < 0 ? -1 : 1;
    c.origin[2] = -BEFORE * c.sign;
    return c;
}

/* A start that is a float where corners are, so that it is exact. */
static void set_frame(common *c, tmb_packet *packet)
{
    const tmb_local_frame *frame = &c->model->frame;
    tmb_ray_frame *to = &packet->frame;
    to->in_floats = is_near(c->model);
    to->scale = frame->scale;
    to->scale_float = (float)frame->scale;
    for (int i = 0; i < 3; i++) {
        const int k = to->axis[i] = c->axis[i];
        const double start = frame->centre[k] + c->origin[i] / frame->scale;
        to->start_float[k] = (float)start;
        to->start[k] = to->in_floats ? (double)to->start_float[k] : start;
        c->origin[i] = (to->start[k] - frame->centre[k]) * frame->scale;
        packet->origin[i] = (float)c->origin[i];
    }
    packet->is_backward = c->sign < 0;
    packet->left_side = c->sign > 0 ? -1 : 1;
}

static void set_lane(tmb_packet *packet, unsigned lane, const line *of)
{
    for (int i = 0; i < 2; i++) {
        packet->at[i][lane] = (float)of->at[i];
        packet->slope[i][lane] = (float)of->slope[i];
    }
    packet->first[lane] = of->first < 8 ? (float)of->first : 8;
    packet->last[lane] = of->last > -8 ? (float)of->last : -8;
    packet->limit[lane] = packet->last[lane] + TMB_RAY_PACKET_SLACK;
    packet->side[lane] = 0;
    packet->begin[lane] = packet->end[lane] = packet->other[lane] = 16;
}

static float least_of(const float *numbers, unsigned count)
{
    float least = numbers[0];
    for (unsigned i = 1; i < count; i++) {
        least = numbers[i] < least ? numbers[i] : least;
    }
    return least;
}

static float most_of(const float *numbers, unsigned count)
{
    float most = numbers[0];
    for (unsigned i = 1; i < count; i++) {
        most = numbers[i] > most ? numbers[i] : most;
    }
    return most;
}

/* The packet that holds the lanes, and how wide it is where it is widest. */
static double enclose(tmb_packet *packet, unsigned count)
{
    double spread = 0;
    packet->first_of_all = least_of(packet->first, count);
    for (int i = 0; i < 2; i++) {
        tmb_packet_side *least = &packet->least, *most = &packet->most;
        least->at[i] = least_of(packet->at[i], count), most->at[i] = most_of(packet->at[i], count);
        least->slope[i] = least_of(packet->slope[i], count), most->slope[i] = most_of(packet->slope[i], count);
        const double at = (double)most->at[i] - (double)least->at[i];
        const double slope = (double)most->slope[i] - (double)least->slope[i];
        spread = tmb_greater(spread, at + slope * DEEPEST);
    }
    return spread;
}

/* 0: the rays are not alike. */
static int set_up(const tmb_ray_search *searches, size_t count, tmb_packet *packet)
{
    const tumble_model *model = searches->model;
    common c = common_of(model, &searches->ray);
    line ray;
    if (!find_line(&c, &searches->ray, &ray)) {
        return 0;
    }
    c.origin[0] = ray.at[0], c.origin[1] = ray.at[1];
    if (!(fabs(ray.at[0]) < FARTHEST && fabs(ray.at[1]) < FARTHEST)) {
        return 0;
    }
    set_frame(&c, packet);
    packet->count = (unsigned)count;
    for (unsigned i = 0; i < count; i++) {
        if (!find_line(&c, &searches[i].ray, &ray) || !(fabs(ray.at[0]) < MOST_ASIDE && fabs(ray.at[1]) < MOST_ASIDE)) {
            return 0;
        }
        set_lane(packet, i, &ray);
    }
    return enclose(packet, (unsigned)count) < SPREAD / sqrt((double)model->block->cluster_count);
}

/* Copies of the first ray that meet nothing. */
static void fill_lanes(tmb_packet *packet)
{
    for (unsigned lane = packet->count; lane < TMB_RAYS_IN_TURN; lane++) {
        const line empty = {{(double)packet->at[0][0], (double)packet->at[1][0]},
                            {(double)packet->slope[0][0], (double)packet->slope[1][0]},
                            8,
                            -8};
        set_lane(packet, lane, &empty);
    }
}

/* Bits of rays for which it is not known what comes first. */
static unsigned take_hits(tmb_ray_search *searches, const tmb_packet *packet)
{
    unsigned open = 0;
    for (unsigned i = 0; i < packet->count; i++) {
        if (packet->other[i] <= packet->limit[i]) {
            open |= 1u << i;
        } else if (packet->side[i] != 0) {
            uint32_t address;
            memcpy(&address, &packet->address[i], sizeof address);
            tmb_ray_search_cross(&searches[i], address, packet->left_side * (int)packet->side[i]);
        }
    }
    return open;
}

unsigned tmb_ray_walk_packet(tmb_ray_search *searches, size_t count)
{
    const unsigned all = (1u << count) - 1;
    const tumble_mode mode = searches->mode;
    tmb_packet packet;
    if (count < LEAST_RAYS || (mode != TUMBLE_FIRST && mode != TUMBLE_TEST) || !is_reachable(searches->model) ||
        !set_up(searches, count, &packet)) {
        return all;
    }
    fill_lanes(&packet);
    packet.counters = (tumble_counters){0};
    TMB_PICK_KERNEL(searches->model->context, tmb_ray_packet)(&packet, searches->model, mode == TUMBLE_TEST);
    tmb_counters_add(&searches->counters, &packet.counters);
    return take_hits(searches, &packet);
}
