/* A robot's arm: links with joints, pairs of links that need no check, and random states. */
#ifndef TUMBLE_BENCH_PEERS_ARM_H
#define TUMBLE_BENCH_PEERS_ARM_H

#include "bodies.h"
#include "mesh.h"

enum {
    ARM_MOST_LINKS = 64
};

typedef struct robot_arm {
    size_t link_count;
    peers_mesh link; /* all links have one shape */
    uint32_t mesh_of[ARM_MOST_LINKS];
    tumble_pair *disabled; /* links at most two apart, and pairs that never touch in many random states */
    size_t disabled_count;
} robot_arm;

robot_arm arm_make(size_t links, size_t triangles, uint64_t seed);
void arm_free(robot_arm *arm);

bodies_plan arm_plan(const robot_arm *arm);

/* So many random states that are all free, or all colliding; each with a pose for every link. Fewer if they are hard to
 * find. */
tumble_pose *arm_states(const robot_arm *arm, int colliding, size_t *count, uint64_t seed);

#endif
