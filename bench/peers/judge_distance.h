/* Who is right about a distance: the judge in the comparison.
 *
 * The distance of two meshes that do not touch, from every pair of triangles whose balls are not too far apart: B's
 * points are moved in double as docs/semantics.md says, everything else is in long double. No hierarchy and nothing of
 * Tumble's own arithmetic takes part. */
#ifndef TUMBLE_BENCH_PEERS_JUDGE_DISTANCE_H
#define TUMBLE_BENCH_PEERS_JUDGE_DISTANCE_H

#include "peer.h"

double judge_distance(const peer_mesh *a, const peer_mesh *b, const tumble_pose *pose);

#endif
