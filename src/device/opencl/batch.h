/* Batches on an OpenCL device: what its parts share. */
#ifndef TUMBLE_SRC_DEVICE_OPENCL_BATCH_H
#define TUMBLE_SRC_DEVICE_OPENCL_BATCH_H

#include "collide/collider.h"
#include "device/opencl/kernels/types.h"
#include "device/opencl/opencl.h"

/* ---- Models (models.c) ---- */

/* A model of the device, in its memory or not. */
typedef struct tmb_uploaded_model tmb_uploaded_model;
struct tmb_uploaded_model {
    const tumble_model *model;
    uint32_t number; /* in the tables */
    uint64_t bytes;  /* that it takes in the device's memory */
    uint64_t offset; /* there, if it is resident; guarded by `adding` */
    /* Guarded by the tables' lock. */
    int is_resident;
    int is_lifted;                       /* on its way to another place; by `adding` */
    uint64_t last_use;                   /* tmb_swap's clock at that time */
    uint64_t piece;                      /* the last one that used it */
    tmb_uploaded_model *next, *previous; /* by `adding` too: with one of the locks the list can be read */
};

/* All of them, as the kernels find them; a copy of what the device has. */
typedef struct tmb_model_tables {
    pthread_mutex_t lock; /* guards what follows */
    tmb_cl_model *models;
    double (*frames)[TMB_CL_FRAME_DOUBLES];
    uint8_t *is_used;
    uint32_t capacity;
    uint64_t greatest_depth; /* that any model has had, in steps of the walk */
    int is_new;              /* the device has not seen the last changes */
} tmb_model_tables;

/* What is known of swapping (swap.c); guarded by the tables' lock. */
typedef struct tmb_swap {
    tmb_uploaded_model *first; /* all models; see there */
    uint64_t clock;
    uint64_t piece;  /* the latest one */
    int is_running;  /* it has not ended: its models are in use */
    int is_mover;    /* the thread that runs pieces holds `adding`, and may move what is in use */
    int has_moved;   /* offsets have changed that the device knows */
    int is_putting;  /* models are being put down elsewhere, and none may go; guarded by `adding` */
    int has_missing; /* the piece needs models that are not there; of the thread that runs pieces */
    uint64_t out_count, out_bytes, in_count, in_bytes;
} tmb_swap;

/* ---- Buffers of the device ---- */

typedef struct tmb_device_buffer {
    cl_mem memory;
    uint64_t size;
    const char *name;
} tmb_device_buffer;

/* Up to this many checks are prepared on the processor and uploaded in one piece, which is faster than the kernel that
 * prepares many. */
#define TMB_SMALL_CHECKS 16

/* That piece on the device: parts of one buffer. */
typedef struct tmb_small_buffers {
    cl_mem all; /* NULL: the device cannot divide it that way */
    tmb_device_buffer results, numbers, checks, moves, pairs, queue;
} tmb_small_buffers;

/* Memory of this machine that the device can write to directly, which is several times as fast. */
typedef struct tmb_shared_memory {
    cl_mem memory; /* whose host memory it is */
    void *data;
    uint64_t size;
} tmb_shared_memory;

typedef struct tmb_opencl_backend {
    tumble_context *context;
    tmb_opencl *opencl;
    tumble_query *query; /* of the thread that runs jobs */
    cl_kernel prepare, walk, walk_boxtrees, empty_lists, settle, name_polygons, count_digits, add_digits, place_items,
        pack_pairs;
    uint32_t group_count;
    tmb_model_tables tables;
    tmb_swap swap;
    tmb_device_buffer models, frames, poses[2], moves, pairs, checks, results, numbers, queues[2], hits, undecided,
        left, spill, saved, scratch, digits;
    tmb_device_buffer queue_boxes[2], spill_boxes; /* of boxtrees' nodes, beside the queues and `spill` */
    tmb_buffer poses_here, pairs_here, checks_here, queue_here, hits_here, given, starts, sorted; /* on this machine */
    tmb_shared_memory results_here, numbers_here;
    size_t given_count;
    /* Pairs that were sorted on the device: of a chunk with several checks in `list`, as tmb_cl_hit; those of a single
     * check are in the caller's array, and one is here. */
    int is_listed;
    tmb_buffer list, more, small_here;
    size_t list_count;
    tumble_pair first_pair;
    tmb_small_buffers small;
} tmb_opencl_backend;

void tmb_tables_begin(tmb_opencl_backend *backend);
void tmb_tables_end(tmb_opencl_backend *backend);
tumble_status tmb_opencl_add_model(void *self, const tumble_model *model, void **out);
void tmb_opencl_remove_model(void *self, void *uploaded);

/* Uploads it, and fills in its bytes, its offset and its entry in the tables. */
tumble_status tmb_model_upload(tmb_opencl_backend *backend, tmb_uploaded_model *model, tmb_cl_model *entry);

/* At least this large; its contents are lost when it grows. Models that are not in use make room for it. */
tumble_status tmb_device_buffer_reserve(tmb_opencl_backend *backend, tmb_device_buffer *buffer, uint64_t size);

/* At least this large; its contents are lost when it grows. Released if the size is 0. */
tumble_status tmb_shared_reserve(tmb_opencl_backend *backend, tmb_shared_memory *shared, uint64_t size);

tumble_status tmb_small_begin(tmb_opencl_backend *backend);
void tmb_small_end(tmb_opencl_backend *backend);

/* Gives back all buffers that batches have needed so far, but for the small ones and the tables. */
void tmb_buffers_release(tmb_opencl_backend *backend);

/* The depth of the deepest model. */
uint64_t tmb_tables_depth(tmb_opencl_backend *backend);

/* The tables as the kernels are to see them. */
tumble_status tmb_tables_send(tmb_opencl_backend *backend);

/* Before each launch: the tables again, if models have moved since. */
tumble_status tmb_tables_refresh(tmb_opencl_backend *backend);

/* ---- Chunks: checks that go through the kernels together ---- */

#define TMB_CHUNK_CHECKS ((size_t)1 << 17)
#define TMB_CHUNK_PARTS 64

/* Checks of one job. */
typedef struct tmb_chunk_part {
    tmb_job *job;
    size_t first, count;
} tmb_chunk_part;

/* Their pairs of models: one for each check, or a single one. */
const tumble_model_pair *tmb_part_pairs(const tmb_chunk_part *part, size_t *count);

/* Whether polygons can be found more than once. */
int tmb_part_has_large_polygons(const tmb_chunk_part *part);

typedef struct tmb_chunk {
    tmb_chunk_part parts[TMB_CHUNK_PARTS];
    size_t part_count, check_count;
    uint32_t question; /* TMB_CL_TEST and so on */
    uint32_t axes;     /* 0: none of the models is a boxtree; else TMB_CL_AXES_OF_A and TMB_CL_AXES_OF_B */
    double upload_seconds, run_seconds, result_seconds;
} tmb_chunk;

/* ---- Swapping (swap.c) ---- */

void tmb_swap_begin(tmb_opencl_backend *backend);

/* With `adding` held. A model that the limit has no room for now is added all the same. */
tumble_status tmb_swap_add(tmb_opencl_backend *backend, tmb_uploaded_model *model);
void tmb_swap_remove(tmb_opencl_backend *backend, tmb_uploaded_model *model);
void tmb_opencl_get_memory(void *self, tumble_device_memory *out);

/* Chooses how many checks of a chunk, from the first on, are run together: at least one, at most `most`, and no more
 * than models of which there is room for at a time. These are in use until the piece ends. */
size_t tmb_swap_begin_piece(tmb_opencl_backend *backend, const tmb_chunk *chunk, size_t most);
void tmb_swap_end_piece(tmb_opencl_backend *backend);

/* Moves in what the piece needs. */
tumble_status tmb_swap_bring(tmb_opencl_backend *backend);

/* Moves models out for a buffer of `size` bytes that found no room. Nonzero: there is more room than before. */
int tmb_swap_yield(tmb_opencl_backend *backend, uint64_t size);

/* ---- Running a chunk ---- */

/* The kernels' input for a chunk (prepare.c): poses and pairs, as many as there are, in memory that stays until the
 * chunk is done. */
typedef struct tmb_chunk_input {
    const tumble_pose *poses;
    const uint32_t *pairs; /* NULL: all are of the models in the settings */
    size_t pose_count;
    int is_prepared; /* checks, states and queue are in backend->checks_here, results_here and queue_here */
    tmb_cl_settings settings;
} tmb_chunk_input;

tumble_status tmb_chunk_prepare(tmb_opencl_backend *backend, const tmb_chunk *chunk, tmb_chunk_input *input);

/* Runs it (run.c): states and numbers of the checks are then in backend->results_here and numbers_here, pairs
 * that were listed or left in backend->given, a list that was sorted on the device in backend->list or the caller's
 * array. TUMBLE_ERROR_CANCELLED when no job wants it any more. */
tumble_status tmb_chunk_run(tmb_opencl_backend *backend, tmb_chunk *chunk);

/* Decides what is left, and writes the answers (answers.c). */
tumble_status tmb_chunk_answer(tmb_opencl_backend *backend, const tmb_chunk *chunk);

/* A pair of triangles of a check. */
typedef struct tmb_check_pair {
    uint32_t check;
    tmb_given_pair pair;
} tmb_check_pair;

#endif
