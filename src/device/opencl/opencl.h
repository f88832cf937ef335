/* The basis of batches on an OpenCL device: functions loaded at run time, the open device, its program and its
 * memory. */
#ifndef TUMBLE_SRC_DEVICE_OPENCL_OPENCL_H
#define TUMBLE_SRC_DEVICE_OPENCL_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "device/backend.h"

/* ---- Functions of the ICD loader (loader.c) ---- */

/* Nothing is linked: the loader is opened when a device is asked for. */
#define TMB_OPENCL_FUNCTIONS(X)     \
    X(clGetPlatformIDs)             \
    X(clGetPlatformInfo)            \
    X(clGetDeviceIDs)               \
    X(clGetDeviceInfo)              \
    X(clCreateContext)              \
    X(clReleaseContext)             \
    X(clCreateCommandQueue)         \
    X(clReleaseCommandQueue)        \
    X(clFlush)                      \
    X(clFinish)                     \
    X(clCreateBuffer)               \
    X(clCreateSubBuffer)            \
    X(clRetainMemObject)            \
    X(clReleaseMemObject)           \
    X(clGetMemObjectInfo)           \
    X(clEnqueueReadBuffer)          \
    X(clEnqueueWriteBuffer)         \
    X(clEnqueueCopyBuffer)          \
    X(clEnqueueFillBuffer)          \
    X(clEnqueueMapBuffer)           \
    X(clEnqueueUnmapMemObject)      \
    X(clCreateProgramWithSource)    \
    X(clBuildProgram)               \
    X(clGetProgramBuildInfo)        \
    X(clReleaseProgram)             \
    X(clCreateKernel)               \
    X(clReleaseKernel)              \
    X(clSetKernelArg)               \
    X(clGetKernelWorkGroupInfo)     \
    X(clEnqueueNDRangeKernel)       \
    X(clEnqueueMarkerWithWaitList)  \
    X(clEnqueueBarrierWithWaitList) \
    X(clCreateUserEvent)            \
    X(clSetUserEventStatus)         \
    X(clSetEventCallback)           \
    X(clWaitForEvents)              \
    X(clGetEventInfo)               \
    X(clGetEventProfilingInfo)      \
    X(clRetainEvent)                \
    X(clReleaseEvent)

typedef struct tmb_opencl_api {
    void *library;
#define TMB_OPENCL_FIELD(name) __typeof__(&name) name;
    TMB_OPENCL_FUNCTIONS(TMB_OPENCL_FIELD)
#undef TMB_OPENCL_FIELD
} tmb_opencl_api;

/* The environment variable TUMBLE_OPENCL_LIBRARY names the loader; when it is not set, that is libOpenCL.so.1. When
 * there is none, or it lacks a function, this returns 0 and writes why into `reason`. */
int tmb_opencl_load(tmb_opencl_api *api, char *reason, size_t capacity);
void tmb_opencl_unload(tmb_opencl_api *api);

/* "CL_OUT_OF_RESOURCES", or "an unknown error". */
const char *tmb_opencl_code_name(cl_int code);

/* ---- Devices (devices.c) ---- */

typedef struct tmb_opencl_choice {
    cl_platform_id platform;
    cl_device_id device;
} tmb_opencl_choice;

/* How many devices there are, and, when there are more than `number`, which one that is. */
uint32_t tmb_opencl_find(const tmb_opencl_api *api, uint32_t number, tmb_opencl_choice *choice);

/* Loads the functions and finds a device; on failure nothing is loaded. */
tumble_status tmb_opencl_choose(tumble_context *context, uint32_t number, tmb_opencl_api *api,
                                tmb_opencl_choice *choice);

/* Where the device has no answer: an empty text, and 0. */
void tmb_opencl_device_text(const tmb_opencl_api *api, cl_device_id device, cl_device_info what, char *text,
                            size_t capacity);
uint64_t tmb_opencl_device_number(const tmb_opencl_api *api, cl_device_id device, cl_device_info what);
int tmb_opencl_device_is_gpu(const tmb_opencl_api *api, cl_device_id device);
int tmb_opencl_device_has_doubles(const tmb_opencl_api *api, cl_device_id device);

/* ---- A device at work (start.c) ---- */

/* A range of the models' memory. */
typedef struct tmb_opencl_place {
    uint64_t offset, size;
} tmb_opencl_place;

/* Called, with `adding` held, when a model of `size` bytes finds no place. Nonzero: there is more room than before, and
 * it is worth another attempt. */
typedef int tmb_opencl_make_room(void *keeper, uint64_t size);

typedef struct tmb_opencl {
    tumble_context *context;
    tmb_opencl_api api;
    char name[128];
    cl_device_id device;
    cl_context cl;
    cl_command_queue queue;   /* in order, with profiling: kernels */
    cl_command_queue uploads; /* in order, with profiling: models, and whatever need not wait for kernels */
    cl_program program;
    int doubles; /* the program has been built with doubles, which compute as this machine's do */
    int is_gpu;
    cl_uint unit_count;
    size_t largest_group;            /* work-items */
    cl_ulong memory_bytes;           /* to be used at most: the device's, or the limit of the options */
    cl_ulong largest_buffer;         /* bytes of one buffer */
    cl_ulong local_bytes;            /* of a work-group */
    _Atomic uint64_t used_bytes;     /* of all buffers from tmb_opencl_buffer */
    _Atomic uint64_t refused_count;  /* buffers and models that the limit had no room for */
    tmb_opencl_make_room *make_room; /* NULL: nothing can be moved out */
    void *keeper;                    /* its first argument */
    pthread_mutex_t adding;          /* recursive; held while a model goes up; taken before all other locks */
    pthread_mutex_t lock;            /* guards what follows */
    cl_mem models;                   /* NULL while there is none */
    uint64_t models_size;            /* bytes of that buffer */
    tmb_buffer places;               /* of tmb_opencl_place, in the order of offsets: what is taken */
    size_t place_count;
} tmb_opencl;

/* Opens the device, builds the program, and compares its arithmetic with this machine's. `number` counts from 0. */
tumble_status tmb_opencl_start(tumble_context *context, uint32_t number, const tumble_device_options *options,
                               tmb_opencl **out);

/* Nothing runs, and the caller has released its kernels and buffers. NULL is allowed. */
void tmb_opencl_stop(tmb_opencl *opencl);

/* TUMBLE_OK for CL_SUCCESS; else a failure whose message has the code, the device and what was tried ("start the
 * kernel walk"): TUMBLE_ERROR_MEMORY when the device says that memory is short, else TUMBLE_ERROR_DEVICE. */
tumble_status tmb_opencl_error(tmb_opencl *opencl, cl_int code, const char *what);

/* ---- Memory of a device (memory.c) ---- */

/* Of a device with a context, nothing else of memory set; and its end. */
void tmb_opencl_memory_begin(tmb_opencl *opencl);
void tmb_opencl_memory_end(tmb_opencl *opencl);

/* A buffer that counts towards memory_bytes. `what` names it in messages ("the stacks"). */
tumble_status tmb_opencl_buffer(tmb_opencl *opencl, cl_mem_flags flags, uint64_t size, const char *what, cl_mem *out);
void tmb_opencl_release_buffer(tmb_opencl *opencl, cl_mem buffer, uint64_t size); /* NULL is allowed */

/* All models are in one buffer, so that one kernel can see them all. It grows, and is then another one: kernels never
 * write to it, and must be given it anew for each start. Offsets are multiples of TMB_OPENCL_ALIGNMENT. When add
 * returns, the bytes are on the device, and every kernel that is enqueued later sees them. */
#define TMB_OPENCL_ALIGNMENT 256
tumble_status tmb_opencl_memory_add(tmb_opencl *opencl, const void *bytes, size_t size, uint64_t *offset);
void tmb_opencl_memory_remove(tmb_opencl *opencl, uint64_t offset); /* no kernel that uses it is enqueued or running */

/* Bytes that a model of this size takes there. */
uint64_t tmb_opencl_memory_round(uint64_t size);

/* Bytes that models may take, beside the other buffers that there are. */
uint64_t tmb_opencl_memory_budget(tmb_opencl *opencl);

/* Whether the buffer has a gap of this size. */
int tmb_opencl_memory_has_gap(tmb_opencl *opencl, uint64_t size);

/* With `adding` held: forgets all places and the buffer, then makes one of `size` bytes; 0: none. */
tumble_status tmb_opencl_memory_reset(tmb_opencl *opencl, uint64_t size);

/* The buffer of models (NULL when none was ever added) stays the same in between: around setting arguments and
 * enqueueing. Do not wait there. */
cl_mem tmb_opencl_memory_lock(tmb_opencl *opencl);
void tmb_opencl_memory_unlock(tmb_opencl *opencl);

/* ---- Program (program.c, arithmetic.c) ---- */

tumble_status tmb_opencl_kernel(tmb_opencl *opencl, const char *name, cl_kernel *out);

/* The text of the kernels, made at build time from the files that src/CMakeLists.txt lists, in that order. */
extern const char *const tmb_opencl_texts[];
extern const size_t tmb_opencl_text_sizes[];
extern const cl_uint tmb_opencl_text_count;

/* Sets the device's program and whether it has doubles: not when they are not wanted, and not when they compute
 * differently from this machine's, which is logged. Floats that compute differently are a failure. */
tumble_status tmb_opencl_make_program(tmb_opencl *opencl, const char *const *texts, const size_t *sizes, cl_uint count,
                                      int doubles);

/* Builds a program from the texts. On failure the message has the beginning of the compiler's. */
tumble_status tmb_opencl_build(tmb_opencl *opencl, const char *const *texts, const size_t *sizes, cl_uint count,
                               int doubles, cl_program *out);

/* Compares what a program computes with what this machine does, bit by bit, in float or in double. Sets *same; if it is
 * 0, `reason` says what differs. */
tumble_status tmb_opencl_try_arithmetic(tmb_opencl *opencl, cl_program program, int doubles, int *same, char *reason,
                                        size_t capacity);

#endif
