/* Coherence: whether two questions are about the same models, and how far these have moved in between. */
#ifndef TUMBLE_SRC_QUERY_MOTION_H
#define TUMBLE_SRC_QUERY_MOTION_H

#include "query/encounter.h"

/* Whether the models are those with these checksums. Every edit gives a model a new one. */
int tmb_encounter_is_about(const tmb_encounter *encounter, uint64_t model_a, uint64_t model_b);

/* How far a point of B has moved at most since the relative pose was `before`, in A's unit. */
double tmb_encounter_motion(const tmb_encounter *encounter, const tumble_pose *before);

#endif
