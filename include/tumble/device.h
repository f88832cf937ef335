/* Tumble: checks that run while the program goes on, on a pool of threads or on OpenCL devices. See docs/device.md.
 *
 * A device is found by its number, opened, and given models once. Then batches of checks are submitted to it. Each gets
 * a ticket; its answers are in the caller's arrays when the ticket is done. Batches are worked on and finished in the
 * order in which they were submitted. Every device gives the same answers as tumble_collide, to the last pair.
 *
 * All functions may be called from several threads at once, and, unless it says otherwise, from callbacks. */
#ifndef TUMBLE_DEVICE_H
#define TUMBLE_DEVICE_H

#include "base.h"
#include "math.h"
#include "model.h"
#include "query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Which devices there are ---- */

typedef enum tumble_device_kind {
    TUMBLE_DEVICE_CPU = 0,   /* a pool of threads */
    TUMBLE_DEVICE_OPENCL = 1 /* any device that OpenCL 1.2 or later reaches */
} tumble_device_kind;

typedef struct tumble_device_info {
    size_t size; /* to be set by the caller: sizeof(tumble_device_info) */
    tumble_device_kind kind;
    char name[128], platform[128], version[128];
    uint32_t unit_count;   /* processors, or compute units */
    int is_gpu;            /* it is a graphics processor or an accelerator, not a processor */
    int has_doubles;       /* it computes in double, exactly as this machine does */
    uint64_t memory_bytes; /* its own; 0 for the pool, which uses the program's */
} tumble_device_info;

/* Device 0 is always the pool of threads. The others are the OpenCL devices of all platforms, in the order in which the
 * ICD loader lists them; without a loader there are none. */
TUMBLE_API tumble_status tumble_device_count(tumble_context *context, uint32_t *count);
TUMBLE_API tumble_status tumble_device_describe(tumble_context *context, uint32_t number, tumble_device_info *info);

/* ---- A device at work ---- */

typedef struct tumble_device tumble_device;

typedef struct tumble_device_options {
    size_t size;             /* set by tumble_default_device_options */
    uint32_t thread_count;   /* of the pool; 0: one for each processor */
    uint32_t queue_capacity; /* tickets that may be open at one time, at most 65536; 0: 64 */
    uint64_t memory_limit;   /* of an OpenCL device: bytes to use at most; 0: what it has */
    int without_doubles;     /* other than 0: as if an OpenCL device had no doubles; the answers are the same */
    int retry_on_cpu;        /* other than 0: what the device fails to answer is answered by threads of this machine */
} tumble_device_options;

TUMBLE_API void tumble_init_device_options(tumble_device_options *device_options, size_t size);
static inline tumble_device_options tumble_default_device_options(void)
{
    tumble_device_options device_options;
    tumble_init_device_options(&device_options, sizeof device_options);
    return device_options;
}

/* Null options are the defaults. OpenCL kernels are compiled here, which takes up to seconds the first time. */
TUMBLE_API tumble_status tumble_device_open(tumble_context *context, uint32_t number,
                                            const tumble_device_options *options, tumble_device **out);

/* Cancels what is open, waits until nothing runs, and removes all models. Accepts null. No other call may be under way
 * or follow, and it must not be called from a callback. */
TUMBLE_API void tumble_device_close(tumble_device *device);

/* Of an open device: what tumble_device_describe says of it. */
TUMBLE_API tumble_status tumble_device_get_info(const tumble_device *device, tumble_device_info *info);

/* ---- Models on a device ---- */

typedef struct tumble_device_model tumble_device_model;

/* Brings a model to the device; its flat block goes up as it is. The model must stay until it is removed. OpenCL
 * devices take models of the hierarchy wide (which is the default), the pool takes all. */
TUMBLE_API tumble_status tumble_device_add_model(tumble_device *device, const tumble_model *model,
                                                 tumble_device_model **out);

/* Waits until the batches that were submitted with it are done, and their callbacks have returned, then forgets it.
 * Accepts null. Not from a callback. */
TUMBLE_API void tumble_device_remove_model(tumble_device_model *model);

/* ---- Batches ----
 *
 * Functions that wait take a number of seconds: what is below 0 is as 0, INFINITY as long as it takes. They refuse NaN,
 * and in a callback all that is above 0. */

typedef enum tumble_batch_mode {
    TUMBLE_BATCH_TEST = 0,  /* whether the models intersect */
    TUMBLE_BATCH_FIRST = 1, /* the same, and one pair of polygons: whichever is found first, which may vary */
    TUMBLE_BATCH_COUNT = 2, /* how many pairs of polygons intersect */
    TUMBLE_BATCH_ALL = 3    /* which ones */
} tumble_batch_mode;

typedef struct tumble_model_pair {
    tumble_device_model *a, *b;
} tumble_model_pair;

/* The answer to one check. */
typedef struct tumble_check_answer {
    uint64_t pair_count; /* COUNT, ALL: intersecting pairs of polygons, also those that found no room; else 0 or 1 */
    tumble_pair first;   /* FIRST, ALL: a pair when there is one, which may vary */
    uint32_t collide;    /* 0 or 1 */
    uint32_t status;     /* tumble_status: TUMBLE_OK, or why there is no answer */
} tumble_check_answer;

typedef uint64_t tumble_ticket; /* 0 is none */

/* What is known of a ticket. */
typedef struct tumble_ticket_report {
    size_t size; /* to be set by the caller: sizeof(tumble_ticket_report) */
    int is_done;
    tumble_status status;   /* when it is done: of the batch; see tumble_device_submit */
    uint64_t done_count;    /* checks that have their answers, */
    uint64_t check_count;   /* of so many */
    uint64_t retried_count; /* checks that were answered by threads of this machine instead of the device */
    uint64_t exact_count;   /* pairs of triangles that the device left to exact arithmetic */
    /* Where the time went, in seconds: from submission until it was taken up, and then, on an OpenCL device, until the
     * poses were there, until the kernels had ended, and until the answers were here and settled; the pool runs only.
     */
    double waiting_seconds, upload_seconds, run_seconds, result_seconds;
    char message[256]; /* when the status is not TUMBLE_OK: what went wrong */
} tumble_ticket_report;

/* Called once when a ticket is done, in the order of submission, by a thread of the device; long work there delays the
 * others. The ticket is then taken: it cannot be waited for. It may submit, but only with a waiting time of 0. */
typedef void tumble_batch_callback(void *user, tumble_ticket ticket, const tumble_ticket_report *report);

/* Check number i looks at pair i at the poses i; where a count is 1, the one item is for all checks. All arrays belong
 * to the caller, and must stay until the ticket is done. */
typedef struct tumble_batch {
    size_t size; /* set by tumble_default_batch */
    tumble_batch_mode mode;
    int on_cpu; /* other than 0: answered by threads of this machine, whatever the device */
    size_t check_count;
    const tumble_model_pair *pairs;
    size_t pair_count; /* 1 or check_count */
    const tumble_pose *poses_a;
    size_t pose_a_count; /* 0: all at the identity; 1 or check_count */
    const tumble_pose *poses_b;
    size_t pose_b_count; /* likewise */

    tumble_check_answer *answers; /* check_count of them */

    /* ALL: room for the polygon pairs of each check, check i's from item i * capacity on, the least ones in the order
     * of (polygon_a, polygon_b), each once; and for contacts as tumble_collide gives them. */
    tumble_pair *found;
    size_t found_capacity; /* of each check */
    tumble_contact *contacts;
    size_t contact_capacity;  /* of each check */
    uint64_t *contact_counts; /* may be null; else one for each check: how many there are */

    tumble_batch_callback *callback; /* may be null */
    void *callback_user;
} tumble_batch;

TUMBLE_API void tumble_init_batch(tumble_batch *batch, size_t size);
static inline tumble_batch tumble_default_batch(void)
{
    tumble_batch batch;
    tumble_init_batch(&batch, sizeof batch);
    return batch;
}

/* Hands over a batch. While the queue is full it waits up to `seconds` (0: not at all; INFINITY: as long as it takes)
 * and then fails with TUMBLE_ERROR_BUSY. A ticket takes up room until its result is taken: by tumble_device_wait,
 * tumble_device_next or its callback.
 *
 * The batch's status is TUMBLE_OK when all checks are answered; TUMBLE_ERROR_CANCELLED; TUMBLE_ERROR_DEVICE or
 * TUMBLE_ERROR_MEMORY when the device has failed (it can be submitted again `on_cpu`); or the status of the first check
 * that could not be answered, because of its pose for instance: the others are. Each check's own status is in its
 * answer. */
TUMBLE_API tumble_status tumble_device_submit(tumble_device *device, const tumble_batch *batch, double seconds,
                                              tumble_ticket *out);

/* How far a ticket is; does not take it. */
TUMBLE_API tumble_status tumble_device_poll(tumble_device *device, tumble_ticket ticket, tumble_ticket_report *report);

/* Waits up to `seconds` until a ticket is done, takes it, and returns its status; TUMBLE_ERROR_TIMEOUT, and nothing is
 * taken, when it is not done by then. `report` may be null. Not from a callback, but with 0 seconds. */
TUMBLE_API tumble_status tumble_device_wait(tumble_device *device, tumble_ticket ticket, double seconds,
                                            tumble_ticket_report *report);

/* The same for the oldest ticket that is not taken and has no callback: results come first in, first out. *ticket is 0,
 * and the status TUMBLE_OK, when there is none. */
TUMBLE_API tumble_status tumble_device_next(tumble_device *device, double seconds, tumble_ticket *ticket,
                                            tumble_ticket_report *report);

/* Asks for a ticket to end soon. It is done, with TUMBLE_ERROR_CANCELLED, when the ones before it are and nothing runs
 * for it any more; unless it was done already. */
TUMBLE_API tumble_status tumble_device_cancel(tumble_device *device, tumble_ticket ticket);

/* Waits up to `seconds` until all tickets are done that were there when it was called, and their callbacks have
 * returned; takes none. */
TUMBLE_API tumble_status tumble_device_finish(tumble_device *device, double seconds);

#ifdef __cplusplus
}
#endif

#endif
