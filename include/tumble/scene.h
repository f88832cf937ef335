/* Tumble: scenes, that is many objects that move: which of them touch, where, and how close are they? See
 * docs/scenes.md.
 *
 *     tumble_scene *scene;
 *     tumble_scene_create(context, NULL, &scene);
 *     tumble_part part = tumble_default_part();
 *     part.model = model;
 *     tumble_object object;
 *     tumble_scene_add(scene, &part, 1, &object);
 *     ...
 *     tumble_scene_move(scene, &object, &pose, 1);
 *     tumble_scene_answer answer;
 *     tumble_scene_collide(query, scene, NULL, &answer);
 *     for (size_t i = 0; i < answer.meeting_count; i++) {
 *         ... answer.meetings[i].a, answer.meetings[i].b touch ...
 *     }
 *
 * Every pair's answer is exactly that of tumble_collide, tumble_relate or tumble_distance for the same two models and
 * poses; A is the object with the smaller index. */
#ifndef TUMBLE_SCENE_H
#define TUMBLE_SCENE_H

#include "base.h"
#include "device.h"
#include "math.h"
#include "model.h"
#include "point.h"
#include "proximity.h"
#include "query.h"
#include "ray.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tumble_scene tumble_scene;

/* How candidates, pairs of objects whose boxes overlap, are found. All find the same ones. */
#define TUMBLE_BROAD_LIST(X)                                                         \
    X(TREE, 0, "tree", "trees over the objects, joined; the fastest")                \
    X(SWEEP, 1, "sweep", "incremental sweep and prune along three axes (I-COLLIDE)") \
    X(ALL, 2, "all", "every box with every other one; for comparison")

typedef enum tumble_broad {
#define TUMBLE_BROAD_ENUM(name, number, word, text) TUMBLE_BROAD_##name = number,
    TUMBLE_BROAD_LIST(TUMBLE_BROAD_ENUM)
#undef TUMBLE_BROAD_ENUM
} tumble_broad;

typedef struct tumble_scene_options {
    tumble_broad broad;    /* default: TREE */
    uint32_t thread_count; /* 0: the context's */
} tumble_scene_options;

TUMBLE_API tumble_scene_options tumble_default_scene_options(void);

/* All objects are removed with the scene; their models stay. */
TUMBLE_API tumble_status tumble_scene_create(tumble_context *context, const tumble_scene_options *options,
                                             tumble_scene **out);
TUMBLE_API void tumble_scene_destroy(tumble_scene *scene);

/* ---- Objects ---- */

/* An object of a scene. Indices are reused, generations are not: a removed object's id stays invalid. {0, 0} is never
 * an object. */
typedef struct tumble_object {
    uint32_t index, generation;
} tumble_object;

typedef struct tumble_part {
    /* Shared by any number of objects, which it must outlive: until then tumble_model_destroy fails. It may be edited
     * or deformed in place like a change of the scene: the next question is about the model as it is then. */
    const tumble_model *model;
    tumble_pose pose; /* default: the identity */
    /* Two objects are compared if a bit of each one's group is in the other one's mask. Default: 1, and all bits. */
    uint32_t group, mask;
    /* Grows the object: two objects count as touching if they are within the sum of both. Default: 0. */
    double clearance;
    /* Thickens the object: added to the model's radius, in the model's unit (model.h). Unlike the clearance it is part
     * of the object: distances are less the radius, and relations count it. Default: 0. */
    double radius;
    uint64_t user;    /* the caller's */
    bool is_inactive; /* has no pairs until it is activated */
} tumble_part;

TUMBLE_API tumble_part tumble_default_part(void);

/* Each function below changes all of the given objects or, if it fails, none.
 *
 * Errors: TUMBLE_ERROR_ARGUMENT
 *         TUMBLE_ERROR_INDEX       an id is not that of an object, or occurs twice; the message names it
 *         TUMBLE_ERROR_POSE, TUMBLE_ERROR_NOT_FINITE
 *         TUMBLE_ERROR_TOO_LARGE   add: a scene holds less than 2^32 - 1 objects, with SWEEP less than 2^31
 *         TUMBLE_ERROR_MEMORY */
TUMBLE_API tumble_status tumble_scene_add(tumble_scene *scene, const tumble_part *parts, size_t count,
                                          tumble_object *out);
TUMBLE_API tumble_status tumble_scene_remove(tumble_scene *scene, const tumble_object *objects, size_t count);
/* An object that is given twice gets the last pose. */
TUMBLE_API tumble_status tumble_scene_move(tumble_scene *scene, const tumble_object *objects, const tumble_pose *poses,
                                           size_t count);
TUMBLE_API tumble_status tumble_scene_activate(tumble_scene *scene, const tumble_object *objects, size_t count,
                                               bool is_active);

/* Everything about an object but its model, which cannot change. */
TUMBLE_API tumble_status tumble_scene_set(tumble_scene *scene, const tumble_object *objects, const tumble_part *parts,
                                          size_t count);
TUMBLE_API tumble_status tumble_scene_get(const tumble_scene *scene, tumble_object object, tumble_part *out);

TUMBLE_API size_t tumble_scene_count(const tumble_scene *scene);

/* Two objects. */
typedef struct tumble_object_pair {
    tumble_object a, b;
} tumble_object_pair;

/* Pairs that are not compared, or are again: an allowed-collision matrix. They are left out while candidates are found;
 * thousands of them cost questions nothing. A removed object takes its pairs along. */
TUMBLE_API tumble_status tumble_scene_ignore(tumble_scene *scene, const tumble_object_pair *pairs, size_t count,
                                             bool is_ignored);

/* All pairs of an object in a group of the first set of bits with an object in one of the second, also of objects that
 * are added later, are not compared, or are again as far as nothing else forbids it. A set with itself: objects of
 * these groups are not compared with each other. */
TUMBLE_API tumble_status tumble_scene_ignore_groups(tumble_scene *scene, uint32_t groups_a, uint32_t groups_b,
                                                    bool is_ignored);

/* ---- Candidates ---- */

/* Brings boxes and candidates up to date; questions do it by themselves if something has changed. Between updates any
 * number of threads may ask at once, each with a query of its own. A question with another clearance or `within` than
 * the last one needs other boxes and is an update, too; so is every NEAREST. */
TUMBLE_API tumble_status tumble_scene_update(tumble_scene *scene);

/* All pairs of active objects whose boxes, grown by their clearances, overlap, in the order of (a.index, b.index), with
 * a.index < b.index. A view that is valid until the scene changes. Boxes are rounded outward; touching is enough. */
TUMBLE_API tumble_status tumble_scene_candidates(tumble_scene *scene, const tumble_object_pair **pairs, size_t *count);

/* Receives some candidates. Return true to stop with TUMBLE_ERROR_CANCELLED. */
typedef bool tumble_candidates_callback(void *user, const tumble_object_pair *pairs, size_t count);

/* The same pairs in the same order, handed over in blocks: for scenes with too many to keep. With the method TREE they
 * are not stored, so that memory does not grow with their number; 100,000 objects in one place have 5 * 10^9. If the
 * scene is up to date, the pairs that it has are handed over; otherwise it takes about twice the time of an update,
 * and the scene stays to be updated. `callback` may be NULL to count only; `count`, which may be NULL, is the number of
 * pairs so far. The callback must not change the scene. */
TUMBLE_API tumble_status tumble_scene_stream(tumble_scene *scene, tumble_candidates_callback *callback, void *user,
                                             uint64_t *count);

/* ---- Which objects touch ---- */

/* How much to find. */
typedef enum tumble_scene_mode {
    TUMBLE_SCENE_TEST = 0,     /* does any pair touch? */
    TUMBLE_SCENE_PAIRS = 1,    /* which pairs of objects touch */
    TUMBLE_SCENE_COUNT = 2,    /* ... and in how many pairs of polygons */
    TUMBLE_SCENE_ALL = 3,      /* ... and in which ones */
    TUMBLE_SCENE_RELATE = 4,   /* the spatial relation of every pair that is not apart; clearances do not count */
    TUMBLE_SCENE_DISTANCE = 5, /* the distance of every pair that is within `within` */
    TUMBLE_SCENE_NEAREST = 6   /* the nearest pair of all, if it is within `within`; of equal ones the first */
} tumble_scene_mode;

/* What happened to a pair since the query's answer before about this scene. TEST and NEAREST have no events and do not
 * count as answers here. */
typedef enum tumble_event {
    TUMBLE_BEGAN = 0,
    TUMBLE_CONTINUES = 1,
    TUMBLE_ENDED = 2
} tumble_event;

/* A pair of objects that touch, or are close, and what was asked about it. A is the object with the smaller index. */
typedef struct tumble_meeting {
    tumble_object a, b;
    tumble_event event;
    tumble_relation relation;       /* RELATE */
    uint64_t pair_count;            /* COUNT, ALL: of polygons */
    const tumble_pair *pairs;       /* ALL */
    const tumble_contact *contacts; /* ALL, if contacts were asked for */
    uint64_t contact_count;
    tumble_near nearest; /* DISTANCE, NEAREST; RELATE: only the polygons, of a pair that meets */
} tumble_meeting;

/* Receives meetings in order while the scene is searched. Return true to stop with TUMBLE_ERROR_CANCELLED. */
typedef bool tumble_meeting_callback(void *user, const tumble_meeting *meeting);

/* Called now and then, on the calling thread, before a pair is asked about. Return true to stop with
 * TUMBLE_ERROR_CANCELLED. */
typedef bool tumble_scene_progress(void *user);

typedef struct tumble_scene_question {
    tumble_scene_mode mode; /* default: PAIRS */
    double clearance;       /* on top of the objects' own; default: 0 */
    double within;          /* DISTANCE, NEAREST; default: INFINITY */
    /* Only pairs of which one object is in a group of the first set of bits and the other in one of the second.
     * Default: all bits. */
    uint32_t groups_a, groups_b;
    bool only_moved;    /* only pairs of which an object has changed since the answer before */
    bool want_contacts; /* ALL */
    /* What the query keeps for its next answer about this scene: PAIR, of each pair which triangles touched or how far
     * apart it was; the answers are the same. ALL: DISTANCE and NEAREST also start with the nearest triangles, and may
     * report others that are as near to within 1e-14. Default: PAIR. */
    tumble_coherence coherence;
    size_t cache_bytes;                /* the most memory for that; what helps least is dropped. Default: 64 MiB */
    tumble_meeting_callback *callback; /* optional; what goes there is not stored */
    void *callback_user;
    tumble_scene_progress *progress; /* optional */
    void *progress_user;
} tumble_scene_question;

TUMBLE_API tumble_scene_question tumble_default_scene_question(void);

typedef struct tumble_scene_answer {
    bool touch; /* some pair does; DISTANCE, NEAREST: some pair is within `within` */
    uint64_t candidate_count;
    uint64_t meeting_count;
    const tumble_meeting *meetings;  /* a view of the query's memory, valid until its next call */
    const tumble_object_pair *ended; /* pairs of the answer before that are not in this one */
    uint64_t ended_count;
    tumble_counters counters;
} tumble_scene_answer;

/* From now on a device answers about pairs, all of a block of candidates as one batch; NULL: threads do again. The
 * device must stay open until then, or until the scene is destroyed; it gets the models when they are needed first.
 *
 * The device answers TEST, PAIRS and COUNT, and says for ALL which pairs touch, whose polygons threads then list.
 * Threads also answer other modes, pairs with a clearance, and models of hierarchies that the device does not take
 * (device.h). The answers are the same. If the device fails, so does the question, with TUMBLE_ERROR_DEVICE. */
TUMBLE_API tumble_status tumble_scene_use_device(tumble_scene *scene, tumble_device *device);

/* Asks about all pairs of a scene, with the scratch memory of `query`, which has the same context, on the scene's
 * threads. The answer is the same for every number of threads.
 *
 * Errors: TUMBLE_ERROR_ARGUMENT   also if query and scene are of different contexts
 *         TUMBLE_ERROR_CANCELLED  a callback returned true; events stay as after the answer before
 *         TUMBLE_ERROR_MEMORY     likewise
 *         those of tumble_collide, for the pair that the message names */
TUMBLE_API tumble_status tumble_scene_collide(tumble_query *query, tumble_scene *scene,
                                              const tumble_scene_question *question, tumble_scene_answer *answer);

/* Asks about a part that is not in the scene against all objects of it, in the same modes. The part is A of every
 * meeting, whose `a` is {0, 0}; meetings are in the order of b.index. The part's groups, mask and clearance count as if
 * it were an object; `is_inactive` and `only_moved` do not. There are no events: every meeting began. Runs on the
 * calling thread.
 *
 * Errors: those of tumble_scene_collide, and for the part those of tumble_scene_add. */
TUMBLE_API tumble_status tumble_scene_collide_part(tumble_query *query, tumble_scene *scene, const tumble_part *part,
                                                   const tumble_scene_question *question, tumble_scene_answer *answer);

/* ---- Rays and points ---- */

/* A polygon of an object that a ray hits. */
typedef struct tumble_scene_hit {
    tumble_object object;
    tumble_ray_hit hit;
} tumble_scene_hit;

typedef struct tumble_scene_ray_result {
    bool hit;
    tumble_scene_hit first;       /* FIRST, ALL: the closest; else, and if nothing is hit, no polygon */
    uint64_t hit_count;           /* TEST, FIRST: 0 or 1 */
    const tumble_scene_hit *hits; /* ALL: a view of the query's memory, valid until its next call; or NULL */
    tumble_counters counters;
} tumble_scene_ray_result;

/* Casts a ray at all active objects in one of the groups. The answer about each object is that of tumble_ray for its
 * model and pose; hits of different objects are ordered by t as it is given, then by object. `hits` and `thread_count`
 * of the options do not count. Looks at the boxes of all objects. Clearances do not count.
 *
 * Errors: those of tumble_ray; for an object, the message names it */
TUMBLE_API tumble_status tumble_scene_ray(tumble_query *query, tumble_scene *scene, uint32_t groups,
                                          const double origin[3], const double direction[3],
                                          const tumble_ray_options *options, tumble_scene_ray_result *result);

/* Where a point is in an object. */
typedef struct tumble_scene_place {
    tumble_object object;
    tumble_inside_answer answer;
} tumble_scene_place;

/* All active objects in one of the groups that have the point inside or on their surface, by index: a view of the
 * query's memory, valid until its next call. The answer about each object is that of tumble_inside. */
TUMBLE_API tumble_status tumble_scene_inside(tumble_query *query, tumble_scene *scene, uint32_t groups,
                                             const double point[3], const tumble_inside_options *options,
                                             const tumble_scene_place **places, size_t *count);

/* ---- Points, boxes and balls ---- */

/* A polygon of an object, as tumble_closest_point tells of it. */
typedef struct tumble_scene_closest {
    tumble_object object;
    tumble_closest closest;
} tumble_scene_closest;

typedef struct tumble_scene_closest_result {
    size_t count;                        /* polygons found */
    const tumble_scene_closest *closest; /* a view of the query's memory, valid until its next call; or NULL */
    tumble_counters counters;
} tumble_scene_closest_result;

/* The polygons of all active objects that are nearest to a point, the nearest first; of equal ones the object with the
 * smaller index comes first, then the smaller polygon. Only objects in one of the groups; UINT32_MAX: all. Clearances
 * do not count. Each answer is that of tumble_closest_point for the object's model and pose; `want_sign` holds for each
 * object by itself, and the order is that of the sizes or, with radii, of distances from polygons less their radii.
 * NULL options are the defaults. Runs on the calling thread.
 *
 * Errors: those of tumble_closest_point, for the object that the message names */
TUMBLE_API tumble_status tumble_scene_closest_point(tumble_query *query, tumble_scene *scene, uint32_t groups,
                                                    const double point[3], const tumble_closest_options *options,
                                                    tumble_scene_closest_result *result);

/* An object that meets a box or a ball, and which of its polygons do. */
typedef struct tumble_scene_overlap {
    tumble_object object;
    uint32_t first;           /* a polygon that does */
    uint64_t polygon_count;   /* COUNT, ALL */
    const uint32_t *polygons; /* ALL: in order */
} tumble_scene_overlap;

/* Receives objects in the order of their indices. Return true to stop with TUMBLE_ERROR_CANCELLED. */
typedef bool tumble_scene_overlap_callback(void *user, const tumble_scene_overlap *overlap);

typedef struct tumble_scene_overlap_options {
    /* TEST: does any object meet the shape? FIRST: the first one that does. COUNT: all of them, with the number of
     * their polygons. ALL: with the polygons. Default: ALL. */
    tumble_mode mode;
    uint32_t groups;                         /* only objects in one of these groups; default: all */
    tumble_scene_overlap_callback *callback; /* optional; what goes there is not stored */
    void *callback_user;
} tumble_scene_overlap_options;

TUMBLE_API tumble_scene_overlap_options tumble_default_scene_overlap_options(void);

typedef struct tumble_scene_overlap_result {
    bool overlap;
    size_t object_count;
    const tumble_scene_overlap *objects; /* a view of the query's memory, valid until its next call; NULL for TEST */
    tumble_counters counters;
} tumble_scene_overlap_result;

/* Which active objects meet a solid box or a solid ball: those of which tumble_overlap_box or tumble_overlap_sphere
 * finds polygons. NULL options are the defaults.
 *
 * Errors: those of these functions, for the object that the message names */
TUMBLE_API tumble_status tumble_scene_overlap_box(tumble_query *query, tumble_scene *scene, const tumble_pose *box_pose,
                                                  const double half_extents[3],
                                                  const tumble_scene_overlap_options *options,
                                                  tumble_scene_overlap_result *result);
TUMBLE_API tumble_status tumble_scene_overlap_sphere(tumble_query *query, tumble_scene *scene, const double centre[3],
                                                     double radius, const tumble_scene_overlap_options *options,
                                                     tumble_scene_overlap_result *result);

/* ---- Many states of some objects ---- */

/* A batch of states, such as the samples of a robot's planner: each gives poses for the same objects, such as the
 * robot's links; all others stay where the scene has them. The scene does not change. */
typedef struct tumble_states {
    const tumble_object *objects;
    size_t object_count;
    const tumble_pose *poses; /* of object i in state s: poses[s * pose_stride + i] */
    size_t pose_stride;       /* poses from one state to the next; 0: object_count */
    size_t state_count;
} tumble_states;

/* How much to find in each state. */
typedef enum tumble_states_mode {
    TUMBLE_STATES_TEST = 0,   /* does any pair touch? */
    TUMBLE_STATES_FIRST = 1,  /* ... and which is the first one that does, in the order of (a.index, b.index)? */
    TUMBLE_STATES_NEAREST = 2 /* the nearest pair, if it is within `within`; of equal ones the first */
} tumble_states_mode;

/* Called now and then, on the calling thread, with the number of states that were looked at. Return true to stop with
 * TUMBLE_ERROR_CANCELLED. */
typedef bool tumble_states_progress(void *user, size_t done);

typedef struct tumble_states_question {
    tumble_states_mode mode;          /* default: TEST */
    double clearance;                 /* TEST, FIRST: on top of the objects' own; default: 0 */
    double within;                    /* NEAREST; default: INFINITY */
    bool stop_at_first;               /* end the batch with the first state that touches, or is within `within` */
    tumble_states_progress *progress; /* optional */
    void *progress_user;
} tumble_states_question;

TUMBLE_API tumble_states_question tumble_default_states_question(void);

typedef struct tumble_states_answer {
    size_t state_count; /* that were looked at: all, unless the batch was stopped */
    size_t touch_count;
    size_t first_touch; /* the first state that touches; state_count if none does */
    /* Views of the query's memory, an item for each state, valid until its next call; or NULL. */
    const bool *touch;               /* NEAREST: whether a pair is within `within` */
    const tumble_object_pair *pairs; /* FIRST, NEAREST; all 0 for states that do not touch */
    const tumble_near *nearest;      /* NEAREST; likewise */
    tumble_counters counters;
} tumble_states_answer;

/* Asks about all pairs of the given objects, and of each with the objects that stay; pairs of which both stay are not
 * looked at. Groups, masks, ignored pairs, clearances and inactive objects count as in tumble_scene_collide, and so
 * does which object is A. States are shared by the scene's threads; the answer is the same for every number of them.
 * What can be known before the states, such as which pairs to look at, is found once and kept by the query while scene
 * and objects stay the same. Does not allocate once the query is warm, apart from starting threads.
 *
 * Errors: TUMBLE_ERROR_ARGUMENT   also if query and scene are of different contexts
 *         TUMBLE_ERROR_INDEX      an object does not exist, or is given twice
 *         TUMBLE_ERROR_POSE, TUMBLE_ERROR_NOT_FINITE  the message names state and object
 *         TUMBLE_ERROR_CANCELLED  `progress` returned true; the answer holds the states that were looked at
 *         those of tumble_collide, for the first state in order that fails */
TUMBLE_API tumble_status tumble_scene_states(tumble_query *query, tumble_scene *scene, const tumble_states *states,
                                             const tumble_states_question *question, tumble_states_answer *answer);

#ifdef __cplusplus
}
#endif

#endif
