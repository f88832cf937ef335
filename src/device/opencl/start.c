/* Opens and closes an OpenCL device: context, queues, program; and the meaning of its error codes. */
#include "device/opencl/opencl.h"

#include <string.h>

tumble_status tmb_opencl_error(tmb_opencl *opencl, cl_int code, const char *what)
{
    tumble_status status = TUMBLE_ERROR_DEVICE;
    if (code == CL_SUCCESS) {
        return TUMBLE_OK;
    }
    if (code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES || code == CL_OUT_OF_HOST_MEMORY) {
        status = TUMBLE_ERROR_MEMORY;
    }
    return tmb_fail(opencl->context, status, "OpenCL device %s: failed to %s: %s (%d)", opencl->name, what,
                    tmb_opencl_code_name(code), (int)code);
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static tumble_status read_properties(tmb_opencl *opencl, const tumble_device_options *options)
{
    const struct {
        cl_device_info what;
        const char *name;
    } asked[] = {
        {CL_DEVICE_MAX_COMPUTE_UNITS, "compute units"}, {CL_DEVICE_MAX_WORK_GROUP_SIZE, "work-groups"},
        {CL_DEVICE_LOCAL_MEM_SIZE, "local memory"},     {CL_DEVICE_GLOBAL_MEM_SIZE, "memory"},
        {CL_DEVICE_MAX_MEM_ALLOC_SIZE, "buffers"},
    };
    uint64_t numbers[sizeof asked / sizeof *asked];
    tmb_opencl_device_text(&opencl->api, opencl->device, CL_DEVICE_NAME, opencl->name, sizeof opencl->name);
    opencl->is_gpu = tmb_opencl_device_is_gpu(&opencl->api, opencl->device);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        numbers[i] = tmb_opencl_device_number(&opencl->api, opencl->device, asked[i].what);
        if (!numbers[i]) {
            return tmb_fail(opencl->context, TUMBLE_ERROR_DEVICE, "OpenCL device %s does not report its %s",
                            opencl->name, asked[i].name);
        }
    }
    opencl->unit_count = (cl_uint)numbers[0];
    opencl->largest_group = (size_t)numbers[1];
    opencl->local_bytes = numbers[2];
    opencl->memory_bytes = options->memory_limit ? least(options->memory_limit, numbers[3]) : numbers[3];
    opencl->largest_buffer = least(opencl->memory_bytes, numbers[4]);
    return TUMBLE_OK;
}

static tumble_status make_queues(tmb_opencl *opencl)
{
    const tmb_opencl_api *api = &opencl->api;
    cl_int code = CL_SUCCESS;
    opencl->cl = api->clCreateContext(NULL, 1, &opencl->device, NULL, NULL, &code);
    if (code != CL_SUCCESS) {
        return tmb_opencl_error(opencl, code, "make a context");
    }
    opencl->queue = api->clCreateCommandQueue(opencl->cl, opencl->device, CL_QUEUE_PROFILING_ENABLE, &code);
    if (code == CL_SUCCESS) {
        opencl->uploads = api->clCreateCommandQueue(opencl->cl, opencl->device, CL_QUEUE_PROFILING_ENABLE, &code);
    }
    return tmb_opencl_error(opencl, code, "make a queue");
}

tumble_status tmb_opencl_start(tumble_context *context, uint32_t number, const tumble_device_options *options,
                               tmb_opencl **out)
{
    tmb_opencl_choice choice;
    tmb_opencl_api api;
    *out = NULL;
    tumble_status status = tmb_opencl_choose(context, number, &api, &choice);
    if (status != TUMBLE_OK) {
        return status;
    }
    tmb_opencl *opencl = tmb_allocate(context, 1, sizeof *opencl);
    if (!opencl) {
        tmb_opencl_unload(&api);
        return tmb_fail_memory(context, "an OpenCL device");
    }
    memset(opencl, 0, sizeof *opencl);
    opencl->context = context;
    opencl->api = api;
    opencl->device = choice.device;
    tmb_opencl_memory_begin(opencl);
    status = read_properties(opencl, options);
    if (status == TUMBLE_OK) {
        status = make_queues(opencl);
    }
    if (status == TUMBLE_OK) {
        const int doubles = !options->without_doubles && tmb_opencl_device_has_doubles(&api, opencl->device);
        status =
            tmb_opencl_make_program(opencl, tmb_opencl_texts, tmb_opencl_text_sizes, tmb_opencl_text_count, doubles);
    }
    if (status != TUMBLE_OK) {
        tmb_opencl_stop(opencl);
        return status;
    }
    *out = opencl;
    return TUMBLE_OK;
}

void tmb_opencl_stop(tmb_opencl *opencl)
{
    if (!opencl) {
        return;
    }
    const tmb_opencl_api *api = &opencl->api;
    tmb_opencl_memory_end(opencl);
    if (opencl->program) {
        api->clReleaseProgram(opencl->program);
    }
    if (opencl->uploads) {
        api->clReleaseCommandQueue(opencl->uploads);
    }
    if (opencl->queue) {
        api->clReleaseCommandQueue(opencl->queue);
    }
    if (opencl->cl) {
        api->clReleaseContext(opencl->cl);
    }
    tmb_opencl_unload(&opencl->api);
    tmb_release(opencl->context, opencl);
}
