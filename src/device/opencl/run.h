/* A chunk in progress: what send.c and run.c share. */
#ifndef TUMBLE_SRC_DEVICE_OPENCL_RUN_H
#define TUMBLE_SRC_DEVICE_OPENCL_RUN_H

#include "device/opencl/batch.h"

typedef struct tmb_passage {
    tmb_opencl_backend *backend;
    tmb_chunk *chunk;
    tmb_chunk_input input;
    uint32_t counters[TMB_CL_COUNTERS];
    uint32_t group_count; /* of the next launch */
    double sent;          /* when the first poses were there */
    cl_event read[2]; /* when the poses in each of the two buffers have been read; NULL: nothing is to be waited for */
    int is_small;     /* the backend's small buffers are used */
    int keeps_list;   /* pairs stay on the device until the walk is over */
    const tmb_device_buffer *results, *numbers, *moves, *pairs, *checks,
        *queue_even; /* of the backend, or small ones */
} tmb_passage;

/* Starts a kernel with its settings, the models' memory when it is wanted, and buffers in the order of its arguments.
 */
tumble_status tmb_run_start(tmb_passage *run, cl_kernel kernel, int memory, const tmb_device_buffer *const *buffers,
                            cl_uint count, size_t items, size_t group, const char *what);

tumble_status tmb_run_write(tmb_passage *run, const tmb_device_buffer *buffer, int wait, const void *bytes, size_t size,
                            const char *what);
tumble_status tmb_run_read(tmb_passage *run, const tmb_device_buffer *buffer, void *bytes, size_t size,
                           const char *what);

/* Everything but the poses of large chunks is there when this returns. */
tumble_status tmb_run_send(tmb_passage *run);

/* Poses of some checks, to one of two buffers, while kernels run; and the kernel that prepares these checks. */
tumble_status tmb_run_send_part(tmb_passage *run, size_t first, size_t count, unsigned buffer);
tumble_status tmb_run_prepare_part(tmb_passage *run, size_t first, size_t count, unsigned buffer);
void tmb_run_end_parts(tmb_passage *run);

/* Of a small chunk: counters, states and counts at once. */
tumble_status tmb_run_fetch_small(tmb_passage *run);

#endif
