/* Worlds: many objects that move, for scenes in tests, benchmarks, `tumble make` and `tumble demo scene`. */
#ifndef TUMBLE_MODELS_WORLD_H
#define TUMBLE_MODELS_WORLD_H

#include "models.h"
#include "tumble/scene.h"

enum {
    MODELS_WORLD_NAME = 32
};

/* Groups of objects. Everything is compared with everything, still objects only with those that move. */
enum {
    MODELS_GROUP_STILL = 1,
    MODELS_GROUP_MOVING = 2,
    MODELS_GROUP_ROBOT = 4 /* moving, and part of the arm or held by it */
};

/* A mesh in its own frame, shared by objects. */
typedef struct models_world_shape {
    char name[MODELS_WORLD_NAME];
    models_mesh mesh;
} models_world_shape;

typedef struct models_world_object {
    char name[MODELS_WORLD_NAME]; /* of its own; without blanks */
    uint32_t shape;
    uint32_t group, mask; /* as tumble_part has them */
    tumble_pose home;
    /* How it moves, for the generator. */
    int carrier;
    double motion[4];
} models_world_object;

typedef struct models_world {
    const char *name;
    models_world_shape *shapes;
    size_t shape_count, shape_capacity;
    models_world_object *objects;
    size_t object_count, object_capacity;
    /* Pairs of objects that a joint connects: usually ignored, though they do not touch here. */
    uint32_t (*joined)[2];
    size_t joined_count, joined_capacity;
    size_t step_count; /* the motion starts at step 0 and ends at the last */
    void (*place)(const struct models_world *world, size_t step, tumble_pose *poses);
    int failed; /* memory ran out */
} models_world;

/* Worlds by name, for `tumble make` and for tests that run over all of them. */
typedef struct models_world_kind {
    const char *name, *help;
    models_parameter parameters[MODELS_PARAMETERS]; /* as those of models_shape; the first is `steps` */
    void (*make)(models_world *world, const double *values);
} models_world_kind;

const models_world_kind *models_worlds(void); /* the last entry has a NULL name */
const models_world_kind *models_find_world(const char *name);

/* Fills `values` (MODELS_PARAMETERS numbers) with the defaults. */
void models_world_defaults(const models_world_kind *kind, double *values);

/* `values` are the parameters in order; NULL: the defaults. 0 when memory ran out: then the world is empty. */
int models_make_world(models_world *world, const models_world_kind *kind, const double *values);
void models_free_world(models_world *world);

size_t models_world_triangles(const models_world *world); /* of all objects */

/* The poses of all objects at a step; any step may be asked for, in any order. Those after the last are equal to it. */
void models_world_poses(const models_world *world, size_t step, tumble_pose *poses);

/* Whether all numbers are equal. */
int models_same_pose(const tumble_pose *a, const tumble_pose *b);

/* A world in a scene: its models, and its objects' ids in the order of the world. */
typedef struct models_stage {
    tumble_model **models; /* one per shape */
    tumble_object *objects;
    tumble_pose *poses;   /* as the objects are now */
    tumble_object *moved; /* what the last step has moved, and where to */
    tumble_pose *moved_poses;
    size_t moved_count;
    size_t shape_count, object_count;
} models_stage;

/* Builds the models and adds all objects to the scene, at step 0. Close the stage in any case, after the scene. */
tumble_status models_open_stage(tumble_context *context, const models_world *world, const tumble_model_options *options,
                                tumble_scene *scene, models_stage *stage);

/* Finds the objects whose poses differ at a step, and moves them; the first alone is for those who take the time of the
 * second. */
void models_plan_stage(models_stage *stage, const models_world *world, size_t step);
tumble_status models_move_stage(models_stage *stage, const models_world *world, size_t step, tumble_scene *scene);
void models_close_stage(models_stage *stage);

#endif
