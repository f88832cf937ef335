/* The list of pairs that an OpenCL device has found, kept and sorted there. */
#ifndef TUMBLE_SRC_DEVICE_OPENCL_LIST_H
#define TUMBLE_SRC_DEVICE_OPENCL_LIST_H

#include "device/opencl/run.h"

/* Whether the pairs of a chunk can stay on the device: polygons are triangles, and no contacts are asked for. */
int tmb_list_stays(const tmb_chunk *chunk);

/* Enlarges the list, of which this many items, at least one, are filled; TUMBLE_ERROR_MEMORY when the device has none,
 * and then nothing has changed. */
tumble_status tmb_list_grow(tmb_passage *run, uint32_t count);

/* Room to sort this many pairs. */
tumble_status tmb_list_reserve(tmb_passage *run, uint32_t count);

/* Sorts the first `count` pairs by check, polygon of A, polygon of B; they are addresses before. */
tumble_status tmb_list_sort(tmb_passage *run, uint32_t count);

/* Fetches what was sorted: into backend->list, or, when the chunk is one check, into its own array as far as that has
 * room. */
tumble_status tmb_list_fetch(tmb_passage *run, uint32_t count);

#endif
