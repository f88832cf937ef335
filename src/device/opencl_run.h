/* One chunk on its way through the kernels: what opencl_send.c and opencl_run.c share. */
#ifndef TUMBLE_SRC_DEVICE_OPENCL_RUN_H
#define TUMBLE_SRC_DEVICE_OPENCL_RUN_H

#include "device/opencl_batch.h"

typedef struct tmb_passage {
    tmb_opencl_backend *backend;
    tmb_chunk *chunk;
    tmb_chunk_input input;
    uint32_t counters[TMB_CL_COUNTERS];
    uint32_t group_count;                                      /* of the next launch */
    const tmb_device_buffer *results, *poses, *pairs, *checks; /* those of the backend, or its small ones */
    const tmb_device_buffer *reading, *writing;                /* the queues */
    int keeps_list;                                            /* pairs stay on the device until the walk is over */
} tmb_passage;

/* Starts a kernel with its settings, the models' memory when it is wanted, and buffers in the order of its arguments.
 */
tumble_status tmb_run_start(tmb_passage *run, cl_kernel kernel, int memory, const tmb_device_buffer *const *buffers,
                            cl_uint count, size_t items, size_t group, const char *what);

tumble_status tmb_run_write(tmb_passage *run, const tmb_device_buffer *buffer, int wait, const void *bytes, size_t size,
                            const char *what);
tumble_status tmb_run_read(tmb_passage *run, const tmb_device_buffer *buffer, void *bytes, size_t size,
                           const char *what);

/* Counters for a launch that finds so many items in the queue. */
void tmb_run_reset_counters(tmb_passage *run, uint32_t queued);

/* Everything that a chunk needs on the device is there when this returns, and the caller's poses have been read. */
tumble_status tmb_run_send(tmb_passage *run);

/* While kernels run: the poses of the next chunk, when they can be read where they are. */
tumble_status tmb_run_send_ahead(tmb_passage *run, const tmb_chunk *next);

#endif
