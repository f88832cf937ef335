/* tumble demo scene: a robot cell in motion. */
#ifndef TUMBLE_CLI_DEMO_SCENE_H
#define TUMBLE_CLI_DEMO_SCENE_H

#include "collide.h"
#include "demo_files.h"
#include "drawing_options.h"
#include "load_options.h"
#include "output_options.h"
#include "world.h"

typedef struct scene_demo_settings {
    cli_load_options load;
    double steps;
    cli_output_options output;
    cli_view_options view;
} scene_demo_settings;

typedef struct scene_demo_step {
    uint64_t candidates, touching; /* pairs of objects */
    double seconds;                /* moving the objects, finding the candidates and asking about them */
} scene_demo_step;

/* Two objects that touch, from step to step. */
typedef struct scene_demo_touch {
    size_t a, b, first, last;
} scene_demo_touch;

typedef struct scene_demo {
    const char *program;
    scene_demo_settings settings;
    cli_picture_view view;
    tumble_context *context;
    tumble_scene *scene;
    tumble_query *query;
    models_world world;
    models_stage stage;
    size_t moving_count;

    scene_demo_step *steps;
    scene_demo_touch *touches; /* in the order in which they began */
    size_t touch_count, touch_capacity;
    uint64_t most_candidates;
    double median_time, worst_time;
    tumble_contact first_contact; /* of touches[0] */
    tumble_pose first_pose;       /* of the object that moves */

    tumble_model *still, *moving; /* everything, for the picture */
    cli_collide collide;
    cli_demo_files files;
} scene_demo;

/* With the arguments after 'scene'; returns the exit status. */
int cli_demo_scene(const char *program, int argc, char **argv);

/* What was found, in words or as JSON. */
int cli_demo_scene_report(const scene_demo *demo);

#endif
