/* The internals of a colContext: col.c (contexts, errors, ids), object.c and check.c. */
#ifndef TUMBLE_SRC_DEVICE_COL_INTERNAL_H
#define TUMBLE_SRC_DEVICE_COL_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/context.h"
#include "tumble/col.h"
#include "tumble/device.h"
#include "tumble/hierarchies.h"

/* Things by their ids, in ascending order. */
typedef struct tmb_col_entry {
    uint64_t id;
    void *item;
} tmb_col_entry;

typedef struct tmb_col_table {
    tmb_buffer entries;
    size_t count;
} tmb_col_table;

struct colContext {
    tumble_context *tumble;
    int is_own; /* the above */
    uint32_t thread_count;
    tumble_hierarchy hierarchy; /* of objects, and how it is built and traversed */
    tumble_tuning tuning;
    tumble_device *device;

    /* Guards what follows, and what the objects and checks say is guarded. Not held in calls of device.h, whose
     * callbacks take it, nor when something fails, which may call the program's log. */
    pthread_mutex_t lock;
    pthread_cond_t changed;      /* a check is done or an object is no longer used */
    uint64_t last_id;            /* of objects and checks alike */
    tmb_col_table making;        /* objects between colNewObject and colEndObject: few, one for each thread */
    tmb_col_table objects;       /* those that are ended */
    tmb_col_table checks;        /* those whose result was not taken */
    _Atomic uint64_t done_count; /* checks that ever ended; changed under the lock, examined without */

    pthread_mutex_t error_lock; /* guards the two below */
    tumble_status error_status;
    char error_text[256];
};

typedef struct tmb_col_object {
    colObject id;
    /* During construction; guarded. */
    pthread_t maker;
    tmb_buffer points, indices, sizes; /* three doubles per point; corners; corners of each polygon */
    size_t point_count, index_count, polygon_count;
    size_t corner_count; /* of the polygon that is begun */
    int in_polygon;      /* between colBeginPolygon and colEndPolygon */
    int has_polygons;    /* not all have three corners */
    tumble_status failure;
    /* When it is ended. */
    tumble_model *model;
    tumble_device_model *uploaded;
    size_t use_count; /* of checks that are not done; guarded */
} tmb_col_object;

typedef struct tmb_col_check {
    colPending id;
    colContext *context;
    tmb_col_object *a, *b;
    tumble_model_pair pair;
    tumble_pose pose;
    uint32_t *indices;
    colVec *points;
    size_t capacity;
    tumble_check_answer answer;
    tumble_contact *contacts; /* when there are points: `capacity` of them, until it is done */
    uint64_t contact_count;
    tumble_ticket ticket;
    int is_started, is_done; /* guarded; others find it when it is started */
    tumble_status status;    /* when it is done */
    char message[256];
} tmb_col_check;

/* Records a failure, printf style, and returns its status. */
tumble_status tmb_col_fail(colContext *context, tumble_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for a call of another part of the library, which has left its message in the tumble_context. */
tumble_status tmb_col_failed(colContext *context, tumble_status status);

/* Find returns NULL if there is none, insert 0 if memory runs out, remove ignores absent ids. Under the lock. */
void *tmb_col_find(const tmb_col_table *table, uint64_t id);
int tmb_col_add(colContext *context, tmb_col_table *table, uint64_t id, void *item);
void tmb_col_remove(tmb_col_table *table, uint64_t id);

/* Frees all that belongs to them; neither is in a table, or all is being shut down. */
void tmb_col_free_object(colContext *context, tmb_col_object *object);
void tmb_col_free_check(colContext *context, tmb_col_check *check);

#endif
