/* The experiments of the mode `scene`: many objects. */
#ifndef TUMBLE_BENCH_PEERS_SCENES_H
#define TUMBLE_BENCH_PEERS_SCENES_H

#include "modes.h"

void scene_broad(experiment *e);
void scene_drift(experiment *e);
void scene_movers(experiment *e);
void scene_heap(experiment *e);
void scene_robot(experiment *e);
void scene_apart(experiment *e);

#endif
