/* Tumble: the interface that US patent 6,862,026 lists for its device, in the manner of OpenGL: objects are sent as
 * points and indices, a check is started with two ids and a matrix, and its results are fetched later. A thin layer
 * above device.h; docs/device.md has a first program and a table of the patent's functions.
 *
 * As in OpenGL, statuses need not be looked at: the first failure is kept until colError is asked. No wrong id, order
 * of calls or number does harm. All functions may be called from several threads at once, except that nothing else may
 * be under way during colShutdown. */
#ifndef TUMBLE_COL_H
#define TUMBLE_COL_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct colContext colContext;
typedef uint64_t colObject;  /* the id of an object; 0 is none; an id never comes again */
typedef uint64_t colPending; /* the id of a check that was started; likewise */

typedef struct colVec {
    double x, y, z;
} colVec;

typedef struct colVecf {
    float x, y, z;
} colVecf;

/* ---- Context ---- */

#define COL_DEVICE_POOL 0u         /* the threads of this machine */
#define COL_DEVICE_GPU 0xffffffffu /* the first graphics processor or accelerator that can be opened, else the pool */

typedef struct colOptions {
    size_t size;             /* set by colDefaultOptions */
    uint32_t device;         /* one of the above, or a number as in tumble_device_describe */
    uint32_t thread_count;   /* of the pool, and to build hierarchies; 0: one for each processor */
    uint32_t queue_capacity; /* checks that may wait or run, at most 65536; 0: 256. colCheck waits while they do. */
    int retry_on_cpu;        /* as in tumble_device_options, but 1 unless it is changed */
    /* Where memory comes from, and what gets the message when colInit fails; must outlive the colContext. Null: one of
     * its own. */
    tumble_context *context;
} colOptions;

TUMBLE_API void colInitOptions(colOptions *options, size_t size);
static inline colOptions colDefaultOptions(void)
{
    colOptions options;
    colInitOptions(&options, sizeof options);
    return options;
}

/* A new context, as from glXCreateContext; null when there is no memory, no such device, or it cannot be opened. Null
 * options are the defaults: the pool. */
TUMBLE_API colContext *colInit(const colOptions *options);

/* Ends a context: what still runs is cancelled, and all objects and results are gone. Accepts null. */
TUMBLE_API void colShutdown(colContext *context);

/* The first failure since the last call of this function, and its message, which names the offending item; TUMBLE_OK
 * and an empty text when there was none. Copies at most `capacity` bytes, always terminated; `text` may be null. */
TUMBLE_API tumble_status colError(colContext *context, char *text, size_t capacity);

/* ---- Objects ---- */

/* Begins an object, and gives its id; 0 when it fails. What the same thread sends next belongs to it, until
 * colEndObject: a thread makes one object at a time, several threads make several. */
TUMBLE_API colObject colNewObject(colContext *context);

/* Adds a point. Points are numbered from 0. */
TUMBLE_API tumble_status colVertex(colContext *context, double x, double y, double z);

/* Adds a corner of a polygon: the number of a point, which may also come later. Three corners are a triangle, except
 * between colBeginPolygon and colEndPolygon: there all are one polygon, of three or more corners, which may be concave.
 * Polygons are numbered from 0 as they come, triangles among them. */
TUMBLE_API tumble_status colIndex(colContext *context, uint32_t index);
TUMBLE_API tumble_status colBeginPolygon(colContext *context);
TUMBLE_API tumble_status colEndPolygon(colContext *context);

/* Adds many triangles at once (the patent's transmission by DMA): three points each, with their own numbers. */
TUMBLE_API tumble_status colTriangles(colContext *context, const colVec *points, size_t triangle_count);
TUMBLE_API tumble_status colTrianglesf(colContext *context, const colVecf *points, size_t triangle_count);

/* Ends the object: checks it, computes its hierarchy, brings it to the device, and returns when that is done. After a
 * failure, also of an earlier call for it, the object is gone. */
TUMBLE_API tumble_status colEndObject(colContext *context);

/* Waits until the checks that were started with an object are done, and removes it; one that is not ended is given up.
 */
TUMBLE_API tumble_status colDeleteObject(colContext *context, colObject object);

/* ---- Checks ---- */

typedef struct colResult {
    size_t size; /* to be set by the caller: sizeof(colResult) */
    int collide;
    uint32_t first[2];   /* when they collide: polygons of a and b that do; which ones may vary */
    uint64_t pair_count; /* pairs of polygons that intersect; without memory for them 0 or 1 */
    uint64_t count;      /* what the memory of colCheck should have room for, */
    uint64_t stored;     /* and what is there now */
} colResult;

/* Starts to look for intersections of object a with object b, and returns. `matrix` takes b's coordinates into a's:
 * OpenGL's 4 x 4 numbers, column after column (the shift is 12, 13 and 14), of a rotation, a shift and a uniform
 * positive scale; null is the identity. colCheckf is the same for floats. The matrix is copied. It gives the id with
 * which to ask for the result; 0 when it fails.
 *
 * The memory stays the caller's, and must be there until the check is done:
 *   indices  numbers 2i and 2i + 1 are polygons of a and of b that intersect; room for 2 * capacity; or null
 *   points   2i and 2i + 1 are the ends of where they do, in a's coordinates; room for 2 * capacity; or null
 * Without points, each pair of polygons is stored once. With points, it is once for each pair of their triangles, so
 * that those with more than three corners may come several times; where one plane holds both triangles, a common point
 * is stored twice. Pairs are in the order of (polygon of a, polygon of b). When there is not room for all, the first
 * ones are stored. With neither indices nor points the check ends at the first intersection. */
TUMBLE_API colPending colCheck(colContext *context, colObject a, colObject b, const double matrix[16],
                               uint32_t *indices, colVec *points, size_t capacity);
TUMBLE_API colPending colCheckf(colContext *context, colObject a, colObject b, const float matrix[16],
                                uint32_t *indices, colVec *points, size_t capacity);

/* Whether colWait would return at once: 1 when the check is done, or there is none of this id; 0 while it is not.
 * Checks are done in the order in which they were started. */
TUMBLE_API int colPoll(colContext *context, colPending check);

/* Waits up to `seconds` (INFINITY: as long as it takes; NaN or less than 0: not at all) until a check is done, fills in
 * `result`, which may be null, and forgets the check. Returns the check's status; or TUMBLE_ERROR_TIMEOUT, which
 * colError does not keep, when it is not done by then: it goes on, and can be waited for again. Results that nobody
 * waits for stay until colShutdown. */
TUMBLE_API tumble_status colWait(colContext *context, colPending check, double seconds, colResult *result);

/* Asks for a check to end soon; colWait then returns TUMBLE_ERROR_CANCELLED, unless it was done before. */
TUMBLE_API tumble_status colCancel(colContext *context, colPending check);

#ifdef __cplusplus
}
#endif

#endif
