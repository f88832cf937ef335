/* Rays that go together through a wide hierarchy: what the setup hands to the kernel.
 *
 * Floats are local, from a common start: x and y across the axis along which the rays are longest, and the depth along
 * it, which is 0 in a plane before the model. A ray is at x + slope * depth; so is each side of the packet that holds
 * all of them. */
#ifndef TUMBLE_SRC_RAY_PACKET_H
#define TUMBLE_SRC_RAY_PACKET_H

#include "base/kernel.h"
#include "ray/wide.h"

/* At depth 0 and per depth, along x and y. */
typedef struct tmb_packet_side {
    float at[2], slope[2];
} tmb_packet_side;

typedef struct tmb_packet {
    tmb_ray_frame frame;
    float origin[3];                  /* the start, from the centre of the model, by the frame's axes */
    int is_backward;                  /* the rays go to smaller coordinates along the axis */
    int left_side;                    /* the side of a triangle whose corners are seen to turn left: 1 or -1 */
    unsigned count;                   /* rays; the other lanes have an empty range */
    tmb_packet_side least, most;      /* of all rays */
    float first_of_all;               /* the least depth where one starts */
    float at[2][TMB_RAYS_IN_TURN];    /* of each ray, */
    float slope[2][TMB_RAYS_IN_TURN]; /* likewise, */
    float first[TMB_RAYS_IN_TURN];    /* and between which depths it goes */
    float last[TMB_RAYS_IN_TURN];     /* */
    float limit[TMB_RAYS_IN_TURN];    /* deeper hits do not matter */
    float other[TMB_RAYS_IN_TURN];    /* where the first begins of triangles that may be met as well as this: */
    float address[TMB_RAYS_IN_TURN];  /* one that it surely crosses, as the bits of a float, */
    float side[TMB_RAYS_IN_TURN];     /* 1 if it is seen to turn left, -1 if right, 0: none */
    float begin[TMB_RAYS_IN_TURN];    /* and where that begins */
    float end[TMB_RAYS_IN_TURN];      /* and ends */
    tumble_counters counters;
} tmb_packet;

/* Kernel: finds the triangles. */
typedef void tmb_ray_packet_function(tmb_packet *packet, const tumble_model *model, int any);
TMB_DECLARE_KERNELS(tmb_ray_packet_function, tmb_ray_packet);

/* Casts rays at one model together if they are so alike that this is faster. Returns the bits of those that are not
 * answered. */
unsigned tmb_ray_walk_packet(tmb_ray_search *searches, size_t count);

#endif
