/* Motions and paths as arguments: tumble.Motion, tumble.Path or None. */
#ifndef TUMBLE_BINDING_WAYS_H
#define TUMBLE_BINDING_WAYS_H

#include "binding.h"

typedef struct binding_way {
    tumble_motion motion; /* of a Motion or None */
    bool is_path;
    tumble_motion *pieces; /* of a Path */
    double *times;         /* or NULL */
    size_t count;
} binding_way;

/* -1 with an exception, and nothing to release. */
int binding_way_get(binding_state *state, PyObject *object, const char *name, binding_way *out);
void binding_way_release(binding_way *way);

/* As a path; a motion is a path of one piece. Valid as long as the way. */
tumble_path binding_way_path(const binding_way *way);

#endif
