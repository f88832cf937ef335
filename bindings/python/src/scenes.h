/* Scenes: what their files share. The class tumble.Scene is derived from the type here and says what methods mean. */
#ifndef TUMBLE_BINDING_SCENES_H
#define TUMBLE_BINDING_SCENES_H

#include "binding.h"

/* An object of the scene; by its index. */
typedef struct scene_slot {
    PyObject *model; /* a reference; NULL: no object */
} scene_slot;

typedef struct binding_scene {
    tumble_scene *scene; /* NULL: closed */
    tumble_query *query;
    PyThread_type_lock lock; /* held during every call */
    bool is_held;
    unsigned long owner; /* the thread that holds it */
    uint64_t fork_count; /* when it was made, or used first after a fork */
    scene_slot *slots;
    size_t slot_count, object_count, most_objects; /* most: that it ever had */
    PyObject *editable;                            /* {address of a model that can be edited: number of its objects} */
    PyObject *held;          /* a list of models that cannot be edited during this call, or NULL */
    PyObject *device;        /* the device that answers, or NULL; */
    uint64_t device_opening; /* which opening of it */
} binding_scene;

/* Takes the scene for a call: no other thread can use it, or edit its models, until binding_scene_end. NULL with an
 * exception if it is closed, or if this thread has it already, in a callback. */
binding_scene *binding_scene_begin(binding_state *state, PyObject *self);
void binding_scene_end(binding_state *state, binding_scene *scene);
bool binding_scene_is_editable(binding_state *state, PyObject *model);
/* Until binding_scene_end nobody can edit the model; -1 if somebody does. */
int binding_scene_hold(binding_state *state, binding_scene *scene, PyObject *model);
/* binding_scene_end, after raising what a call failed with; NULL. An exception that is set stays. */
PyObject *binding_scene_fail(binding_state *state, binding_scene *scene, tumble_status status);

/* A packed buffer of `count` items of so many bytes; `count` of -1: any number. */
int binding_scene_items(PyObject *object, const char *name, size_t size, Py_ssize_t count, Py_buffer *out);
/* Handles as objects: their bytes are the same. */
int binding_scene_objects(PyObject *object, Py_buffer *out, size_t *count);

/* A tuple in the order of tumble.Counters. */
PyObject *binding_scene_counters(const tumble_counters *counters);

/* Methods of the type; arguments as tumble/scene.py gives them. */
typedef PyObject *binding_method(PyObject *self, PyObject *arguments);
binding_method binding_scene_add, binding_scene_remove, binding_scene_move, binding_scene_activate, binding_scene_set,
    binding_scene_get, binding_scene_ignore, binding_scene_ignore_groups;
binding_method binding_scene_update, binding_scene_candidates, binding_scene_stream, binding_scene_ask;
binding_method binding_scene_states, binding_scene_use_device;
binding_method binding_scene_cast, binding_scene_locate, binding_scene_approach, binding_scene_overlap_sphere,
    binding_scene_overlap_box;

#endif
