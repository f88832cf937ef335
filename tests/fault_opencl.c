#include "fault_opencl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#define EXPORTED __attribute__((visibility("default")))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void *library;
static struct {
    char name[FAULT_NAME_SIZE], options[200];
    size_t call;
    int forever, code;
    fault_count count;
} state;

fault_set_plan fault_opencl_set_plan;
fault_get_count fault_opencl_get_count;

EXPORTED void fault_opencl_set_plan(const fault_plan *plan)
{
    pthread_mutex_lock(&lock);
    const long live = state.count.live;
    memset(&state, 0, sizeof state);
    state.count.live = live;
    if (plan) {
        snprintf(state.name, sizeof state.name, "%s", plan->name ? plan->name : "");
        snprintf(state.options, sizeof state.options, "%s", plan->build_options ? plan->build_options : "");
        state.call = plan->call;
        state.forever = plan->forever;
        state.code = plan->code;
    }
    pthread_mutex_unlock(&lock);
}

EXPORTED fault_count fault_opencl_get_count(void)
{
    pthread_mutex_lock(&lock);
    const fault_count count = state.count;
    pthread_mutex_unlock(&lock);
    return count;
}

static int whole(const char *name)
{
    const char *text = getenv(name);
    return text ? (int)strtol(text, NULL, 10) : 0;
}

static void begin(void)
{
    const char *path = getenv("TUMBLE_FAULT_LIBRARY");
    library = dlopen(path ? path : "libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "fault_opencl: %s\n", dlerror());
        abort();
    }
    if (getenv("TUMBLE_FAULT_CALL") || getenv("TUMBLE_FAULT_BUILD_OPTIONS")) {
        const fault_plan plan = {getenv("TUMBLE_FAULT_NAME"), (size_t)whole("TUMBLE_FAULT_CALL"),
                                 whole("TUMBLE_FAULT_FOREVER"), whole("TUMBLE_FAULT_CODE"),
                                 getenv("TUMBLE_FAULT_BUILD_OPTIONS")};
        fault_opencl_set_plan(&plan);
    }
}

static void *find(const char *name)
{
    pthread_once(&once, begin);
    void *function = dlsym(library, name);
    if (!function) {
        fprintf(stderr, "fault_opencl: %s is not there\n", name);
        abort();
    }
    return function;
}

/* Counts a call; the code with which it is to fail, or CL_SUCCESS. */
static cl_int next_code(const char *name)
{
    pthread_once(&once, begin);
    pthread_mutex_lock(&lock);
    cl_int code = CL_SUCCESS;
    state.count.calls++;
    if (!state.name[0] || strcmp(state.name, name) == 0) {
        const size_t number = ++state.count.counted;
        if (state.call && (number == state.call || (state.forever && number > state.call))) {
            if (state.count.failures++ == 0) {
                snprintf(state.count.failed, sizeof state.count.failed, "%s", name);
            }
            code = state.code;
        }
    }
    pthread_mutex_unlock(&lock);
    return code;
}

static void count_live(long step)
{
    pthread_mutex_lock(&lock);
    state.count.live += step;
    pthread_mutex_unlock(&lock);
}

/* The real function, as `real`. ISO C has no cast for that. */
#define FIND_REAL(name)          \
    __typeof__(&name) real;      \
    void *address = find(#name); \
    memcpy(&real, &address, sizeof real)

/* Fails instead of doing its work. */
#define PLAIN(name, parameters, arguments)                   \
    EXPORTED CL_API_ENTRY cl_int CL_API_CALL name parameters \
    {                                                        \
        const cl_int code = next_code(#name);                \
        FIND_REAL(name);                                     \
        return code != CL_SUCCESS ? code : real arguments;   \
    }

/* Does its work, then fails. */
#define CERTAIN(name, parameters, arguments, step)           \
    EXPORTED CL_API_ENTRY cl_int CL_API_CALL name parameters \
    {                                                        \
        const cl_int code = next_code(#name);                \
        FIND_REAL(name);                                     \
        const cl_int result = real arguments;                \
        count_live(result == CL_SUCCESS ? (step) : 0);       \
        return code != CL_SUCCESS ? code : result;           \
    }

/* May make an event. */
#define ENQUEUE(name, parameters, arguments)                 \
    EXPORTED CL_API_ENTRY cl_int CL_API_CALL name parameters \
    {                                                        \
        const cl_int code = next_code(#name);                \
        FIND_REAL(name);                                     \
        if (code != CL_SUCCESS) {                            \
            return code;                                     \
        }                                                    \
        const cl_int result = real arguments;                \
        count_live(result == CL_SUCCESS && event);           \
        return result;                                       \
    }

/* Makes an object, and perhaps an event. */
#define CREATE(type, name, parameters, arguments, events)  \
    EXPORTED CL_API_ENTRY type CL_API_CALL name parameters \
    {                                                      \
        const cl_int code = next_code(#name);              \
        FIND_REAL(name);                                   \
        if (code != CL_SUCCESS) {                          \
            if (error) {                                   \
                *error = code;                             \
            }                                              \
            return NULL;                                   \
        }                                                  \
        type made = real arguments;                        \
        count_live(made ? (events) : 0);                   \
        return made;                                       \
    }

/* ---- Platforms and devices ---- */

PLAIN(clGetPlatformIDs, (cl_uint n, cl_platform_id *ids, cl_uint *count), (n, ids, count))
PLAIN(clGetPlatformInfo, (cl_platform_id platform, cl_platform_info what, size_t size, void *out, size_t *out_size),
      (platform, what, size, out, out_size))
PLAIN(clGetDeviceIDs, (cl_platform_id platform, cl_device_type type, cl_uint n, cl_device_id *ids, cl_uint *count),
      (platform, type, n, ids, count))
PLAIN(clGetDeviceInfo, (cl_device_id device, cl_device_info what, size_t size, void *out, size_t *out_size),
      (device, what, size, out, out_size))
CREATE(cl_context, clCreateContext,
       (const cl_context_properties *properties, cl_uint n, const cl_device_id *devices,
        void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user, cl_int *error),
       (properties, n, devices, notify, user, error), 1)
CERTAIN(clReleaseContext, (cl_context context), (context), -1)
CREATE(cl_command_queue, clCreateCommandQueue,
       (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *error),
       (context, device, properties, error), 1)
CERTAIN(clReleaseCommandQueue, (cl_command_queue queue), (queue), -1)
PLAIN(clFlush, (cl_command_queue queue), (queue))
CERTAIN(clFinish, (cl_command_queue queue), (queue), 0)

/* ---- Memory ---- */

CREATE(cl_mem, clCreateBuffer, (cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *error),
       (context, flags, size, host, error), 1)
CREATE(cl_mem, clCreateSubBuffer,
       (cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type, const void *range, cl_int *error),
       (buffer, flags, type, range, error), 1)
CERTAIN(clRetainMemObject, (cl_mem buffer), (buffer), 1)
CERTAIN(clReleaseMemObject, (cl_mem buffer), (buffer), -1)
PLAIN(clGetMemObjectInfo, (cl_mem buffer, cl_mem_info what, size_t size, void *out, size_t *out_size),
      (buffer, what, size, out, out_size))
ENQUEUE(clEnqueueReadBuffer,
        (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, void *out, cl_uint n,
         const cl_event *list, cl_event *event),
        (queue, buffer, blocking, offset, size, out, n, list, event))
typedef void *mapped;
CREATE(mapped, clEnqueueMapBuffer,
       (cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags, size_t offset, size_t size,
        cl_uint n, const cl_event *list, cl_event *event, cl_int *error),
       (queue, buffer, blocking, flags, offset, size, n, list, event, error), event ? 1 : 0)
ENQUEUE(clEnqueueUnmapMemObject,
        (cl_command_queue queue, cl_mem buffer, void *at, cl_uint n, const cl_event *list, cl_event *event),
        (queue, buffer, at, n, list, event))

/* Oclgrind does not know that what was filled, or copied, has been written, and forgets the rest of a buffer when a
 * part of it is written that is not its beginning: whole buffers are written instead. */
static int writes_instead(cl_uint n, const cl_event *event)
{
    return getenv("TUMBLE_FAULT_WRITE_FILLS") && n == 0 && !event;
}

static cl_int read_bytes(cl_command_queue queue, cl_mem buffer, size_t offset, size_t size, unsigned char *bytes)
{
    FIND_REAL(clEnqueueReadBuffer);
    return real(queue, buffer, CL_TRUE, offset, size, bytes, 0, NULL, NULL);
}

static size_t size_of(cl_mem buffer)
{
    size_t size = 0;
    FIND_REAL(clGetMemObjectInfo);
    return real(buffer, CL_MEM_SIZE, sizeof size, &size, NULL) == CL_SUCCESS ? size : 0;
}

static cl_int write_whole(cl_command_queue queue, cl_mem buffer, size_t offset, size_t size, const void *in)
{
    const size_t all = size_of(buffer);
    unsigned char *bytes = malloc(all + 1);
    if (!bytes || offset + size > all) {
        free(bytes);
        return bytes ? CL_INVALID_VALUE : CL_OUT_OF_HOST_MEMORY;
    }
    cl_int result = read_bytes(queue, buffer, 0, all, bytes);
    memcpy(bytes + offset, in, size);
    FIND_REAL(clEnqueueWriteBuffer);
    result = result == CL_SUCCESS ? real(queue, buffer, CL_TRUE, 0, all, bytes, 0, NULL, NULL) : result;
    free(bytes);
    return result;
}

EXPORTED CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                              size_t offset, size_t size, const void *in, cl_uint n,
                                                              const cl_event *list, cl_event *event)
{
    const cl_int code = next_code("clEnqueueWriteBuffer");
    FIND_REAL(clEnqueueWriteBuffer);
    if (code != CL_SUCCESS) {
        return code;
    }
    if (offset && writes_instead(n, event)) {
        return write_whole(queue, buffer, offset, size, in);
    }
    const cl_int result = real(queue, buffer, blocking, offset, size, in, n, list, event);
    count_live(result == CL_SUCCESS && event);
    return result;
}

EXPORTED CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to,
                                                             size_t from_offset, size_t to_offset, size_t size,
                                                             cl_uint n, const cl_event *list, cl_event *event)
{
    const cl_int code = next_code("clEnqueueCopyBuffer");
    FIND_REAL(clEnqueueCopyBuffer);
    if (code != CL_SUCCESS) {
        return code;
    }
    if (writes_instead(n, event)) {
        unsigned char *bytes = malloc(size + 1);
        cl_int copied = bytes ? read_bytes(queue, from, from_offset, size, bytes) : CL_OUT_OF_HOST_MEMORY;
        copied = copied == CL_SUCCESS ? write_whole(queue, to, to_offset, size, bytes) : copied;
        free(bytes);
        return copied;
    }
    const cl_int result = real(queue, from, to, from_offset, to_offset, size, n, list, event);
    count_live(result == CL_SUCCESS && event);
    return result;
}

static cl_int fill_by_writing(cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_size,
                              size_t offset, size_t size)
{
    unsigned char *bytes = malloc(size + 1);
    if (!bytes) {
        return CL_OUT_OF_HOST_MEMORY;
    }
    for (size_t i = 0; i < size; i++) {
        bytes[i] = ((const unsigned char *)pattern)[i % pattern_size];
    }
    FIND_REAL(clEnqueueWriteBuffer);
    const cl_int result = real(queue, buffer, CL_TRUE, offset, size, bytes, 0, NULL, NULL);
    free(bytes);
    return result;
}

EXPORTED CL_API_ENTRY cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                                                             size_t pattern_size, size_t offset, size_t size, cl_uint n,
                                                             const cl_event *list, cl_event *event)
{
    const cl_int code = next_code("clEnqueueFillBuffer");
    FIND_REAL(clEnqueueFillBuffer);
    if (code != CL_SUCCESS) {
        return code;
    }
    if (writes_instead(n, event)) {
        return fill_by_writing(queue, buffer, pattern, pattern_size, offset, size);
    }
    const cl_int result = real(queue, buffer, pattern, pattern_size, offset, size, n, list, event);
    count_live(result == CL_SUCCESS && event);
    return result;
}

/* ---- Programs and kernels ---- */

CREATE(cl_program, clCreateProgramWithSource,
       (cl_context context, cl_uint n, const char **texts, const size_t *sizes, cl_int *error),
       (context, n, texts, sizes, error), 1)
CERTAIN(clReleaseProgram, (cl_program program), (program), -1)
PLAIN(clGetProgramBuildInfo,
      (cl_program program, cl_device_id device, cl_program_build_info what, size_t size, void *out, size_t *out_size),
      (program, device, what, size, out, out_size))
CREATE(cl_kernel, clCreateKernel, (cl_program program, const char *name, cl_int *error), (program, name, error), 1)
CERTAIN(clReleaseKernel, (cl_kernel kernel), (kernel), -1)
PLAIN(clSetKernelArg, (cl_kernel kernel, cl_uint number, size_t size, const void *value), (kernel, number, size, value))
PLAIN(clGetKernelWorkGroupInfo,
      (cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, size_t size, void *out, size_t *out_size),
      (kernel, device, what, size, out, out_size))

typedef void(CL_CALLBACK *build_notify)(cl_program, void *);

EXPORTED CL_API_ENTRY cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint n, const cl_device_id *devices,
                                                        const char *options, build_notify notify, void *user)
{
    const cl_int code = next_code("clBuildProgram");
    char all[1000];
    FIND_REAL(clBuildProgram);
    if (code != CL_SUCCESS) {
        return code;
    }
    pthread_mutex_lock(&lock);
    snprintf(all, sizeof all, "%s %s", options ? options : "", state.options);
    pthread_mutex_unlock(&lock);
    return real(program, n, devices, all, notify, user);
}

/* ---- Running ---- */

ENQUEUE(clEnqueueNDRangeKernel,
        (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *first, const size_t *all,
         const size_t *group, cl_uint n, const cl_event *list, cl_event *event),
        (queue, kernel, dimensions, first, all, group, n, list, event))
ENQUEUE(clEnqueueMarkerWithWaitList, (cl_command_queue queue, cl_uint n, const cl_event *list, cl_event *event),
        (queue, n, list, event))
ENQUEUE(clEnqueueBarrierWithWaitList, (cl_command_queue queue, cl_uint n, const cl_event *list, cl_event *event),
        (queue, n, list, event))
CREATE(cl_event, clCreateUserEvent, (cl_context context, cl_int *error), (context, error), 1)
CERTAIN(clSetUserEventStatus, (cl_event event, cl_int status), (event, status), 0)
PLAIN(clSetEventCallback,
      (cl_event event, cl_int type, void(CL_CALLBACK *notify)(cl_event, cl_int, void *), void *user),
      (event, type, notify, user))
CERTAIN(clWaitForEvents, (cl_uint n, const cl_event *list), (n, list), 0)
PLAIN(clGetEventInfo, (cl_event event, cl_event_info what, size_t size, void *out, size_t *out_size),
      (event, what, size, out, out_size))
PLAIN(clGetEventProfilingInfo, (cl_event event, cl_profiling_info what, size_t size, void *out, size_t *out_size),
      (event, what, size, out, out_size))
CERTAIN(clRetainEvent, (cl_event event), (event), 1)
CERTAIN(clReleaseEvent, (cl_event event), (event), -1)
