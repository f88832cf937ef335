/* A scene: what its parts share. */
#ifndef TUMBLE_SRC_SCENE_SCENE_H
#define TUMBLE_SRC_SCENE_SCENE_H

#include <pthread.h>

#include "query/query.h"
#include "scene/candidates.h"
#include "scene/extents.h"
#include "scene/sweep.h"
#include "tumble/scene.h"

/* A model that objects have, all with the same radius of their own. */
typedef struct tmb_scene_model {
    const tumble_model *model; /* NULL: not in use */
    uint64_t checksum;         /* of its block when it was measured: edits change it */
    uint32_t radius_changes;   /* the model's, likewise */
    double padding;            /* what its objects add to the radius */
    uint32_t object_count;
    uint32_t next_free; /* if it is not in use */
    tmb_extents extents;
    struct tumble_device_model *on_device; /* of the scene's device, if it is there */
    int is_refused;                        /* the device does not take it */
} tmb_scene_model;

/* What is rarely looked at. */
typedef struct tmb_scene_object {
    uint32_t model; /* number among the models */
    uint32_t next_free;
    uint8_t is_alive, is_active;
    double clearance;
    uint64_t user;
} tmb_scene_object;

#define TMB_NONE UINT32_MAX

/* All objects, by index: `count` of them have been alive at some time. */
typedef struct tmb_scene_objects {
    uint32_t count, capacity, alive_count, first_free;
    uint32_t lost_count; /* indices whose generations are used up */
    tmb_scene_object *objects;
    tumble_pose *poses;
    tmb_box *boxes;
    uint32_t *generations; /* of the ids, also of the next ones of free indices */
    uint32_t *groups, *masks;
    int has_masks;     /* some object has, or had, other groups or masks than the default */
    uint64_t *updates; /* the scene's update that each object changed at */
    uint8_t *is_present, *has_ignored, *is_changed; /* present: alive, active, and not empty */
} tmb_scene_objects;

struct tumble_scene {
    tumble_context *context;
    tumble_broad method;
    uint32_t thread_count;
    struct tumble_device *device; /* that answers about pairs, or NULL */
    tmb_scene_objects all;
    tmb_buffer models; /* of tmb_scene_model */
    uint32_t model_count, first_free_model;
    tmb_buffer model_index; /* a hash of model pointers: numbers among the models, TMB_NONE where there is none */
    uint32_t index_mask;
    tmb_pair_hash ignored;
    uint32_t ignored_groups[32]; /* of each group, those that it is not compared with */
    tmb_scene_frame frame;
    int has_frame;
    uint64_t frame_age; /* how many objects have changed since it was last looked at */
    double reach;       /* that the boxes allow for */
    tmb_buffer changed; /* indices of objects that have changed since the last update */
    uint32_t changed_count;
    tmb_broad broad; /* one of these three finds the candidates */
    tmb_sweep sweep;
    tmb_join_output compared;  /* by comparing all */
    int is_current;            /* nothing has changed since the last update, which succeeded */
    tmb_buffer views;          /* the candidates as tumble_object_pair */
    int is_viewed;             /* `views` are those of the last update */
    pthread_mutex_t view_lock; /* guards both: several threads may ask for candidates */
    uint64_t serial;           /* of all scenes */
    uint64_t update;           /* how often it was updated */
    /* The context's, when models were last looked at for changes. Threads that ask at once may all write it. */
    _Atomic uint64_t change_count;
    int has_alien_models; /* of other contexts, which have counts of their own */
    /* By which all boxes are grown, for questions with a clearance or a distance; NAN: nobody else wants it. */
    double margin;
};

/* ---- Objects (objects.c) ---- */

/* Whether any two objects may be paired. */
static inline int tmb_scene_is_open(const tumble_scene *scene)
{
    uint32_t rows = 0;
    for (int i = 0; i < 32; i++) {
        rows |= scene->ignored_groups[i];
    }
    return !scene->all.has_masks && rows == 0 && scene->ignored.count == 0;
}

static inline tmb_broad_objects tmb_scene_broad_objects(const tumble_scene *scene)
{
    const tmb_scene_objects *all = &scene->all;
    const tmb_join_filter filter = {
        all->groups, all->masks, all->has_ignored, &scene->ignored, scene->ignored_groups, tmb_scene_is_open(scene)};
    return (tmb_broad_objects){all->boxes, all->is_present, filter, all->count};
}

/* Fails if there is no such object. `what` and `number` name it: "object 3". */
tumble_status tmb_scene_find(const tumble_scene *scene, tumble_object object, const char *what, size_t number);

static inline tumble_object tmb_scene_id(const tumble_scene *scene, uint32_t index)
{
    return (tumble_object){index, scene->all.generations[index]};
}

/* Notes that an object's box is to be made anew; there is room for it. And that the object has changed. */
void tmb_scene_mark(tumble_scene *scene, uint32_t index);
void tmb_scene_note_change(tumble_scene *scene, uint32_t index);

/* Makes the boxes of objects, or of items `begin` to before `end` of a list of them (boxes_kernel.c). */
typedef void tmb_boxes_kernel(tumble_scene *scene, const uint32_t *indices, size_t begin, size_t end);
TMB_DECLARE_KERNELS(tmb_boxes_kernel, tmb_scene_make_boxes);
/* Notes whether an object's groups are ignored together with some (ignore.c). */
void tmb_scene_mark_groups(tumble_scene *scene, uint32_t index);

/* ---- Models (models.c) ---- */

/* The number of a model, which gets one more object. */
tumble_status tmb_scene_use_model(tumble_scene *scene, const tumble_model *model, double padding, uint32_t *number);
uint32_t tmb_scene_find_model(const tumble_scene *scene, const tumble_model *model, double padding); /* in use */
void tmb_scene_drop_model(tumble_scene *scene, uint32_t number);
void tmb_scene_drop_all_models(tumble_scene *scene);
void tmb_scene_drop_from_device(tmb_scene_model *model);

/* Measures models that were edited or deformed since the last time; their objects have changed. */
void tmb_scene_notice_edits(tumble_scene *scene);

/* Boxes have to allow for models with coordinates of this size. */
void tmb_scene_note_reach(tumble_scene *scene, double reach);

static inline const tmb_scene_model *tmb_scene_model_at(const tumble_scene *scene, uint32_t number)
{
    TMB_ASSERT(number < scene->model_count);
    return (const tmb_scene_model *)scene->models.data + number;
}

/* Fails unless both are of one context: a query's memory is that of its context, and scenes are told apart within one.
 */
tumble_status tmb_scene_check_query(const tumble_query *query, const tumble_scene *scene);
/* A callback has asked to stop (answer.c). */
tumble_status tmb_scene_fail_stopped(tumble_context *context);

/* Boxes of what has changed; 0 if memory runs out. */
int tmb_scene_update_boxes(tumble_scene *scene);

/* Boxes are to be grown by so much at the next update. Takes note of edited models, too. */
void tmb_scene_want_margin(tumble_scene *scene, double margin);

/* Brings the scene up to date, with boxes that are grown by so much; INFINITY: all overlap. */
tumble_status tmb_scene_set_margin(tumble_scene *scene, double margin);

/* The candidates after an update: sorted keys. */
const uint64_t *tmb_scene_pairs(const tumble_scene *scene, size_t *count);

#endif
