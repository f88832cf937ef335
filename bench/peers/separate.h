/* Two copies of a mesh, placed so that they are just so far apart. */
#ifndef TUMBLE_BENCH_PEERS_SEPARATE_H
#define TUMBLE_BENCH_PEERS_SEPARATE_H

#include "contest.h"

/* A random rotation of B and a direction in which it stands from A. */
typedef struct separation {
    tumble_pose rotation;
    double direction[3];
    double place; /* how far away, at least, for the copies not to be within a clearance of each other */
} separation;

/* `count` of them; a clearance of 0 is where they first touch. Free what is returned. */
separation *separate_copies(const peers_contest *contest, const contest_models *models, double clearance, size_t count,
                            double seed);

/* B's pose, so much further away. */
tumble_pose separated_pose(const separation *s, double further);

#endif
