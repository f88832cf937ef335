/* Who is right: the judge in the comparison.
 *
 * Two triangles are decided by Tumble's exact test through its interface, on models of a few triangles without a
 * hierarchy. For whole meshes the judge examines every pair of triangles whose boxes overlap, found by sweeping over
 * the boxes of A and of B's moved points: no hierarchy takes part, so Tumble's own can be judged like the others. */
#ifndef TUMBLE_BENCH_PEERS_JUDGE_H
#define TUMBLE_BENCH_PEERS_JUDGE_H

#include "pairs.h"
#include "peer.h"

/* Keeps those pairs that touch when B's points are moved by `pose`. */
void judge_pairs(const peer_mesh *a, const peer_mesh *b, const tumble_pose *pose, pair_list *list);

/* Whether the meshes touch. */
int judge_meshes(const peer_mesh *a, const peer_mesh *b, const tumble_pose *pose);

/* All touching pairs, in order. */
void judge_all(const peer_mesh *a, const peer_mesh *b, const tumble_pose *pose, pair_list *list);

#endif
