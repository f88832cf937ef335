/* The inside of 'tumble scene'. */
#ifndef TUMBLE_CLI_SCENE_H
#define TUMBLE_CLI_SCENE_H

#include "device_options.h"
#include "load_options.h"
#include "options.h"
#include "output.h"
#include "output_options.h"
#include "scene_file.h"
#include "tumble/scene.h"

typedef struct scene_settings {
    double clearance, distance; /* the second is negative when it was not given */
    int relation, nearest;
    const char *steps, *ignore;
    int ignore_initial;
    int orthonormalise;
    int broad;
    cli_device_options device;
    cli_output_options output;
    cli_load_options load;
} scene_settings;

typedef struct scene_run {
    const scene_settings *settings;
    const cli_section *load_sections;
    const char *path;
    tumble_context *context;
    cli_scene_file file;
    tumble_model **models; /* of the objects; those with the same mesh have the same one */
    tumble_model **owned;  /* each once */
    size_t owned_count;
    tumble_device *device; /* NULL without --device */
    tumble_scene *scene;
    tumble_object *objects;
    tumble_query *query, *relate, *near; /* one for each question: each has events of its own */
    cli_output out;
    uint64_t step;                    /* as the file counts */
    uint64_t step_count, touch_count; /* how many there were, and how many at which something touches */
    uint64_t first_touch;             /* the first of these */
} scene_run;

/* All return 0, or an exit status after reporting the error. */

/* The files, the models and the scene. Unload it in any case. */
int cli_scene_load(scene_run *run);
void cli_scene_unload(scene_run *run);

/* Asks about the scene as it is. */
int cli_scene_ask(scene_run *run, tumble_query *query, tumble_scene_mode mode, tumble_scene_answer *answer);

/* Asks about a step and writes what was found; and, after all of them, the sum of it. */
int cli_scene_tell(scene_run *run);
void cli_scene_tell_end(const scene_run *run);

#endif
