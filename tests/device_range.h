/* Random scenes over the whole range of doubles: sizes, places and scales from the least denormal number to the largest
 * one, often near a limit of floats or doubles, and of two models that may have nothing in common. */
#ifndef TUMBLE_TESTS_DEVICE_RANGE_H
#define TUMBLE_TESTS_DEVICE_RANGE_H

#include "device_cases.h"

/* Two models; `exact` has the same ones without a hierarchy. */
typedef struct range_scene {
    const tumble_model *models[1][2], *exact[1][2];
    tumble_model_info info[2];
} range_scene;

/* Models are made with these options; NULL: the default. */
void range_make_scene(range_scene *scene, tumble_context *context, test_random *random,
                      const tumble_model_options *options);

/* Makes model k of a scene, and frees the mesh. */
void range_set_model(range_scene *scene, int k, tumble_context *context, models_mesh *mesh,
                     const tumble_model_options *options);
void range_free_scene(range_scene *scene);

/* A pose of B: turned and scaled somehow, with its middle near that of A, or where that takes it. */
tumble_pose range_pose(test_random *random, const range_scene *scene);

#endif
