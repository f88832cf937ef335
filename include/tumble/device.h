/* Tumble: asynchronous batches of checks, on a pool of threads or on OpenCL devices. See docs/device.md.
 *
 *     tumble_device_open(context, 0, NULL, &device);
 *     tumble_device_add_model(device, model_a, &a);
 *     tumble_device_add_model(device, model_b, &b);
 *     const tumble_model_pair pair = {a, b};
 *     tumble_batch batch = tumble_default_batch();
 *     batch.check_count = 1000, batch.pairs = &pair, batch.pair_count = 1;
 *     batch.poses_b = poses, batch.pose_b_count = 1000, batch.answers = answers;
 *     tumble_device_submit(device, &batch, INFINITY, &ticket);
 *     ... other work ...
 *     tumble_device_wait(device, ticket, INFINITY, NULL);
 *
 * Batches complete in the order of submission. Every device gives exactly the pairs of tumble_collide.
 *
 * All functions may be called from several threads at once and, unless stated otherwise, from callbacks. */
#ifndef TUMBLE_DEVICE_H
#define TUMBLE_DEVICE_H

#include "base.h"
#include "math.h"
#include "model.h"
#include "query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Enumeration ---- */

typedef enum tumble_device_kind {
    TUMBLE_DEVICE_CPU = 0,   /* the pool of threads */
    TUMBLE_DEVICE_OPENCL = 1 /* any device with OpenCL 1.2 or later */
} tumble_device_kind;

typedef struct tumble_device_info {
    tumble_device_kind kind;
    char name[128], platform[128], version[128];
    uint32_t unit_count;   /* processors, or compute units */
    bool is_gpu;           /* a graphics processor or an accelerator */
    bool has_doubles;      /* it claims IEEE doubles; opening it verifies that */
    uint64_t memory_bytes; /* its own; 0 for the pool */
} tumble_device_info;

/* Device 0 is always the pool of threads. The others are the OpenCL devices of all platforms, in the order of the ICD
 * loader. If there is no loader, only the pool is listed. */
TUMBLE_API tumble_status tumble_device_count(tumble_context *context, uint32_t *count);
TUMBLE_API tumble_status tumble_device_describe(tumble_context *context, uint32_t number, tumble_device_info *info);

/* ---- Devices ---- */

typedef struct tumble_device tumble_device;

typedef struct tumble_device_options {
    uint32_t thread_count; /* of the pool, or of the fallback for an OpenCL device, at most 256; 0: one per processor */
    uint32_t queue_capacity; /* tickets that may be open at a time, at most 65536; 0: 64 */
    uint64_t memory_limit;   /* bytes that an OpenCL device may use; 0: all it has */
    bool without_doubles;    /* treat an OpenCL device as if it had no doubles; the answers are the same */
    bool retry_on_cpu;       /* checks that the device fails to answer are answered by threads */
} tumble_device_options;

TUMBLE_API tumble_device_options tumble_default_device_options(void);

/* Opens a device. The context must outlive it. Compiles the OpenCL kernels, which can take seconds the first time.
 * TUMBLE_ERROR_TOO_LARGE if it is to have more threads or tickets than are possible. */
TUMBLE_API tumble_status tumble_device_open(tumble_context *context, uint32_t number,
                                            const tumble_device_options *options, tumble_device **out);

/* Cancels open tickets, waits until nothing runs, and removes all models. NULL is allowed. No other call may be under
 * way or follow. Must not be called from a callback. */
TUMBLE_API void tumble_device_close(tumble_device *device);

TUMBLE_API tumble_status tumble_device_get_info(const tumble_device *device, tumble_device_info *info);

/* ---- Models on a device ---- */

typedef struct tumble_device_model tumble_device_model;

/* Uploads a model's block as it is (corners as floats if the device has no doubles); the pool copies nothing. The model
 * must exist, unchanged, until it is removed: if the device has no room for all models, those that were used least
 * recently leave its memory and are uploaded again when a check names them. OpenCL devices take models of the
 * hierarchies wide, which is the default, and boxtree; the pool takes all. */
TUMBLE_API tumble_status tumble_device_add_model(tumble_device *device, const tumble_model *model,
                                                 tumble_device_model **out);

/* Waits until the batches that use the model are done and their callbacks have returned, then removes it. NULL is
 * allowed. Must not be called from a callback. */
TUMBLE_API void tumble_device_remove_model(tumble_device_model *model);

/* The memory of a device. The pool has none of its own: there, all but the counts of models is 0. */
typedef struct tumble_device_memory {
    uint64_t limit_bytes;       /* that may be used: the device's, or the option memory_limit */
    uint64_t used_bytes;        /* of all buffers */
    uint64_t buffer_bytes;      /* of the one that holds models, which may have room for more */
    uint64_t model_count;       /* models that were added, */
    uint64_t model_bytes;       /* */
    uint64_t resident_count;    /* and those of them in the device's memory now */
    uint64_t resident_bytes;    /* */
    uint64_t swapped_out_count; /* models that left it for want of room, ever, */
    uint64_t swapped_out_bytes; /* */
    uint64_t swapped_in_count;  /* and models that a check had to bring in */
    uint64_t swapped_in_bytes;  /* */
} tumble_device_memory;

TUMBLE_API tumble_status tumble_device_get_memory(tumble_device *device, tumble_device_memory *memory);

/* ---- Batches ----
 *
 * Functions that wait take a time-out in seconds: negative means 0, INFINITY waits forever. They reject NaN and, in a
 * callback, everything above 0. */

typedef struct tumble_model_pair {
    tumble_device_model *a, *b;
} tumble_model_pair;

/* The answer to one check. */
typedef struct tumble_check_answer {
    uint64_t pair_count;  /* COUNT, ALL: intersecting pairs of polygons, even those that did not fit; else 0 or 1 */
    tumble_pair first;    /* FIRST, ALL: a pair if there is one; which one may vary */
    tumble_status status; /* TUMBLE_OK, or why there is no answer */
    bool collide;
} tumble_check_answer;

typedef uint64_t tumble_ticket; /* 0 is none */

/* The state of a ticket. */
typedef struct tumble_ticket_report {
    bool is_done;
    tumble_status status;   /* of the batch, if done; see tumble_device_submit */
    uint64_t done_count;    /* checks that are answered, */
    uint64_t check_count;   /* of this many */
    uint64_t retried_count; /* checks that threads answered instead of the device */
    uint64_t exact_count;   /* pairs of triangles that the device left to exact arithmetic */
    /* Seconds from submission to start and then, on an OpenCL device, until the first poses were there, until the
     * kernels had finished, and until the answers were back and complete; the pool has run_seconds only. Batches that
     * ran together report the time of all of them. */
    double waiting_seconds, upload_seconds, run_seconds, result_seconds;
    char message[256]; /* if the status is not TUMBLE_OK */
} tumble_ticket_report;

/* Called once when a ticket is done, in the order of submission, on a thread that does nothing else; long work there
 * delays other callbacks. The ticket is then taken; one with a callback cannot be waited for. A callback may submit,
 * with a time-out of 0. */
typedef void tumble_batch_callback(void *user, tumble_ticket ticket, const tumble_ticket_report *report);

/* Check i is about pair i at poses i; an array of one item serves all checks. tumble_device_submit copies this struct.
 * The arrays remain the caller's and must exist until the ticket is done. */
typedef struct tumble_batch {
    tumble_mode mode; /* TEST, FIRST, COUNT or ALL; default: TEST */
    bool on_cpu;      /* answer by threads, whatever the device */
    size_t check_count;
    const tumble_model_pair *pairs;
    size_t pair_count; /* 1 or check_count */
    const tumble_pose *poses_a;
    size_t pose_a_count; /* 0: the identity; 1 or check_count */
    const tumble_pose *poses_b;
    size_t pose_b_count; /* likewise */

    tumble_check_answer *answers; /* check_count of them */

    /* Optional: how hierarchies are traversed; see hierarchies.h. Must exist as long as the arrays. OpenCL devices read
     * the part for boxtrees: TABLES is done as AXES there, SAT as SAT_LITE. */
    const struct tumble_tuning *tuning;

    /* ALL: the polygon pairs of check i from item i * capacity on, the first in the order of (polygon_a, polygon_b);
     * and contacts as tumble_collide gives them. */
    tumble_pair *found;
    size_t found_capacity; /* per check */
    tumble_contact *contacts;
    size_t contact_capacity;  /* per check */
    uint64_t *contact_counts; /* optional: the number of contacts of each check */

    tumble_batch_callback *callback; /* optional */
    void *callback_user;
} tumble_batch;

TUMBLE_API tumble_batch tumble_default_batch(void);

/* Submits a batch. If the queue is full, waits at most `seconds` and then fails with TUMBLE_ERROR_BUSY. A ticket
 * occupies the queue until its result is taken: by tumble_device_wait, tumble_device_next or its callback.
 *
 * The batch's status is TUMBLE_OK if all checks are answered; TUMBLE_ERROR_CANCELLED; TUMBLE_ERROR_DEVICE or
 * TUMBLE_ERROR_MEMORY if the device failed (submit it again with `on_cpu`); or the status of the first check that could
 * not be answered, for example because of its pose, while the others are. Each answer has its own status. */
TUMBLE_API tumble_status tumble_device_submit(tumble_device *device, const tumble_batch *batch, double seconds,
                                              tumble_ticket *out);

/* The progress of a ticket; does not take it. */
TUMBLE_API tumble_status tumble_device_poll(tumble_device *device, tumble_ticket ticket, tumble_ticket_report *report);

/* Waits at most `seconds` until a ticket is done, takes it, and returns its status; TUMBLE_ERROR_TIMEOUT, without
 * taking it, if it is not done by then. `report` may be NULL. In a callback only with a time-out of 0. */
TUMBLE_API tumble_status tumble_device_wait(tumble_device *device, tumble_ticket ticket, double seconds,
                                            tumble_ticket_report *report);

/* The same for the oldest ticket that is not taken and has no callback: first in, first out. If there is none, *ticket
 * is 0 and the status TUMBLE_OK. */
TUMBLE_API tumble_status tumble_device_next(tumble_device *device, double seconds, tumble_ticket *ticket,
                                            tumble_ticket_report *report);

/* Asks a ticket to end soon. Unless it was done already, it is done with TUMBLE_ERROR_CANCELLED once those before it
 * are and nothing runs for it any more. */
TUMBLE_API tumble_status tumble_device_cancel(tumble_device *device, tumble_ticket ticket);

/* Waits at most `seconds` until all tickets submitted before this call are done and their callbacks have returned;
 * takes none. */
TUMBLE_API tumble_status tumble_device_finish(tumble_device *device, double seconds);

#ifdef __cplusplus
}
#endif

#endif
