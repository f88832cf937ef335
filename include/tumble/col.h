/* Tumble: the interface that US patent 6,862,026 lists for its device, in the manner of OpenGL: send objects as points
 * and indices, start a check with two ids and a matrix, fetch its results later. A thin layer above device.h;
 * docs/device.md has a first program and maps the patent's functions.
 *
 * As in OpenGL, you need not look at statuses: the first error is kept until colError. Wrong ids, numbers or orders of
 * calls do no harm. All functions may be called from several threads at once, except that nothing else may be under way
 * during colShutdown. */
#ifndef TUMBLE_COL_H
#define TUMBLE_COL_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct colContext colContext;
typedef uint64_t colObject;  /* the id of an object; 0 is none; ids are never reused */
typedef uint64_t colPending; /* the id of a check; likewise */

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
    uint32_t device;         /* one of the above, or a number as in tumble_device_describe */
    uint32_t thread_count;   /* of the pool and of builds, at most 256; 0: one per processor */
    uint32_t queue_capacity; /* checks that may wait or run, at most 65536; 0: 256. colCheck waits while it is full. */
    uint64_t memory_limit;   /* as in tumble_device_options; objects without room are swapped */
    bool retry_on_cpu;       /* likewise; default: true */
    /* Provides memory and receives the message if colInit fails; must outlive the colContext. NULL: its own. */
    tumble_context *context;
} colOptions;

TUMBLE_API colOptions colDefaultOptions(void);

/* A new context, as from glXCreateContext; NULL if there is no memory, no such device, or it cannot be opened. NULL
 * options are the defaults: the pool. */
TUMBLE_API colContext *colInit(const colOptions *options);

/* Cancels what runs and destroys the context with all objects and results. NULL is allowed. */
TUMBLE_API void colShutdown(colContext *context);

/* The first error since the last call of this function, and its message, which names the offending item; TUMBLE_OK and
 * an empty text if there was none. Copies at most `capacity` bytes, always terminated; `text` may be NULL. */
TUMBLE_API tumble_status colError(colContext *context, char *text, size_t capacity);

/* ---- Objects ---- */

/* Begins an object and returns its id; 0 on failure. What this thread sends next belongs to it, until colEndObject: a
 * thread makes one object at a time; several threads can make several. */
TUMBLE_API colObject colNewObject(colContext *context);

/* Adds a point. Points are numbered from 0. */
TUMBLE_API tumble_status colVertex(colContext *context, double x, double y, double z);

/* Adds a corner: the number of a point, which may be sent later. Every three corners are a triangle, except between
 * colBeginPolygon and colEndPolygon, where all are one polygon of three or more corners, which may be concave. Polygons
 * and triangles are numbered together, from 0, in the order they are sent. */
TUMBLE_API tumble_status colIndex(colContext *context, uint32_t index);
TUMBLE_API tumble_status colBeginPolygon(colContext *context);
TUMBLE_API tumble_status colEndPolygon(colContext *context);

/* Adds many triangles at once (the patent's DMA transfer): three points each, which get numbers of their own. */
TUMBLE_API tumble_status colTriangles(colContext *context, const colVec *points, size_t triangle_count);
TUMBLE_API tumble_status colTrianglesf(colContext *context, const colVecf *points, size_t triangle_count);

/* Ends the object: validates it, builds its hierarchy, uploads it, and returns when that is done. If any part of the
 * object was rejected, no object is created. */
TUMBLE_API tumble_status colEndObject(colContext *context);

/* Waits until the checks of an object are done and removes it; an object that was not ended is discarded. */
TUMBLE_API tumble_status colDeleteObject(colContext *context, colObject object);

/* ---- Checks ---- */

typedef struct colResult {
    bool collide;
    uint32_t first[2];   /* polygons of a and b that intersect, if any; which ones may vary */
    uint64_t pair_count; /* pairs of polygons that intersect; 0 or 1 if colCheck got no memory for them */
    uint64_t count;      /* the capacity that colCheck needed, */
    uint64_t stored;     /* and the number of items stored */
} colResult;

/* Starts to test object a against object b and returns. `matrix` takes b's coordinates into a's: OpenGL's 4 x 4
 * numbers, column by column (the translation is 12, 13 and 14), of a rotation, a translation and a uniform positive
 * scale; NULL is the identity. The matrix is copied. Returns the id of the check; 0 on failure.
 *
 * The memory remains the caller's and must exist until the check is done:
 *   indices  items 2i and 2i + 1 are polygons of a and b that intersect; room for 2 * capacity; or NULL
 *   points   items 2i and 2i + 1 are the ends of their intersection, in a's coordinates; room for 2 * capacity; or NULL
 * Without points, each pair of polygons is stored once. With points, each pair of triangles is, so that polygons with
 * more than three corners may come several times; if one plane holds both triangles, a common point is stored twice.
 * Pairs are in the order of (polygon of a, polygon of b); if not all fit, the first ones are stored. With neither
 * indices nor points the check ends at the first intersection. */
TUMBLE_API colPending colCheck(colContext *context, colObject a, colObject b, const double matrix[16],
                               uint32_t *indices, colVec *points, size_t capacity);
TUMBLE_API colPending colCheckf(colContext *context, colObject a, colObject b, const float matrix[16],
                                uint32_t *indices, colVec *points, size_t capacity);

/* Whether colWait would return at once: the check is done, or there is none of this id. Checks complete in the order in
 * which they were started. */
TUMBLE_API bool colPoll(colContext *context, colPending check);

/* Waits at most `seconds` (INFINITY: forever; NaN or negative: not at all) until a check is done, fills in `result`,
 * which may be NULL, and forgets the check. Returns the check's status, or TUMBLE_ERROR_TIMEOUT, which colError does
 * not keep, if it is not done by then; it can be waited for again. Results that nobody fetches are kept until
 * colShutdown. */
TUMBLE_API tumble_status colWait(colContext *context, colPending check, double seconds, colResult *result);

/* Asks a check to end soon; colWait then returns TUMBLE_ERROR_CANCELLED, unless it was done already. */
TUMBLE_API tumble_status colCancel(colContext *context, colPending check);

#ifdef __cplusplus
}
#endif

#endif
