/* Which OpenCL devices there are: all devices of all platforms that can run our kernels. Platforms and devices that
 * answer with an error are skipped. */
#include "device/opencl/opencl.h"

#include <stdio.h>
#include <string.h>

/* More than a machine has. */
#define MOST_PLATFORMS 64
#define MOST_DEVICES 256

void tmb_opencl_device_text(const tmb_opencl_api *api, cl_device_id device, cl_device_info what, char *text,
                            size_t capacity)
{
    char whole[1024] = "";
    if (api->clGetDeviceInfo(device, what, sizeof whole - 1, whole, NULL) != CL_SUCCESS) {
        whole[0] = '\0';
    }
    whole[sizeof whole - 1] = '\0';
    snprintf(text, capacity, "%.*s", (int)capacity - 1, whole + strspn(whole, " "));
}

static void platform_text(const tmb_opencl_api *api, cl_platform_id platform, char *text, size_t capacity)
{
    char whole[1024] = "";
    if (api->clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof whole - 1, whole, NULL) != CL_SUCCESS) {
        whole[0] = '\0';
    }
    whole[sizeof whole - 1] = '\0';
    snprintf(text, capacity, "%.*s", (int)capacity - 1, whole);
}

uint64_t tmb_opencl_device_number(const tmb_opencl_api *api, cl_device_id device, cl_device_info what)
{
    /* What is asked for has 4 or 8 bytes. */
    union {
        cl_uint narrow;
        cl_ulong wide;
    } number = {.wide = 0};
    size_t size = 0;
    if (api->clGetDeviceInfo(device, what, sizeof number, &number, &size) != CL_SUCCESS) {
        return 0;
    }
    return size == sizeof number.narrow ? number.narrow : number.wide;
}

int tmb_opencl_device_is_gpu(const tmb_opencl_api *api, cl_device_id device)
{
    const uint64_t type = tmb_opencl_device_number(api, device, CL_DEVICE_TYPE);
    return (type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR)) != 0;
}

int tmb_opencl_device_has_doubles(const tmb_opencl_api *api, cl_device_id device)
{
    const uint64_t needed = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST;
    char extensions[8192] = "";
    if (api->clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions - 1, extensions, NULL) != CL_SUCCESS ||
        !strstr(extensions, "cl_khr_fp64")) {
        return 0;
    }
    return (tmb_opencl_device_number(api, device, CL_DEVICE_DOUBLE_FP_CONFIG) & needed) == needed;
}

/* "OpenCL 1.2 ..." or later. */
static int new_enough(const char *version)
{
    unsigned major = 0, minor = 0;
    const int count = sscanf(version, "OpenCL %u.%u", &major, &minor); /* NOLINT(cert-err34-c): 0 is too old */
    return count == 2 && (major > 1 || (major == 1 && minor >= 2));
}

static int usable(const tmb_opencl_api *api, cl_device_id device)
{
    static const cl_device_info needed[] = {CL_DEVICE_AVAILABLE, CL_DEVICE_COMPILER_AVAILABLE, CL_DEVICE_ENDIAN_LITTLE};
    char version[128];
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        if (!tmb_opencl_device_number(api, device, needed[i])) {
            return 0;
        }
    }
    tmb_opencl_device_text(api, device, CL_DEVICE_VERSION, version, sizeof version);
    return new_enough(version);
}

static uint32_t find_in_platform(const tmb_opencl_api *api, cl_platform_id platform, uint32_t number,
                                 tmb_opencl_choice *choice)
{
    cl_device_id devices[MOST_DEVICES];
    cl_uint device_count = 0;
    uint32_t found = 0;
    if (api->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MOST_DEVICES, devices, &device_count) != CL_SUCCESS) {
        return 0;
    }
    for (cl_uint i = 0; i < device_count && i < MOST_DEVICES; i++) {
        if (!usable(api, devices[i])) {
            continue;
        }
        if (found++ == number) {
            *choice = (tmb_opencl_choice){platform, devices[i]};
        }
    }
    return found;
}

uint32_t tmb_opencl_find(const tmb_opencl_api *api, uint32_t number, tmb_opencl_choice *choice)
{
    cl_platform_id platforms[MOST_PLATFORMS];
    cl_uint platform_count = 0;
    uint32_t found = 0;
    if (api->clGetPlatformIDs(MOST_PLATFORMS, platforms, &platform_count) != CL_SUCCESS) {
        return 0;
    }
    for (cl_uint i = 0; i < platform_count && i < MOST_PLATFORMS; i++) {
        /* A number that lies before this platform becomes one that it cannot reach. */
        found += find_in_platform(api, platforms[i], number - found, choice);
    }
    return found;
}

uint32_t tmb_opencl_count(tumble_context *context)
{
    (void)context;
    tmb_opencl_api api;
    tmb_opencl_choice choice;
    char reason[256];
    if (!tmb_opencl_load(&api, reason, sizeof reason)) {
        return 0;
    }
    const uint32_t count = tmb_opencl_find(&api, UINT32_MAX, &choice);
    tmb_opencl_unload(&api);
    return count;
}

tumble_status tmb_opencl_choose(tumble_context *context, uint32_t number, tmb_opencl_api *api,
                                tmb_opencl_choice *choice)
{
    char reason[256];
    if (!tmb_opencl_load(api, reason, sizeof reason)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "there is no OpenCL device %u: %s", number, reason);
    }
    const uint32_t count = tmb_opencl_find(api, number, choice);
    if (number >= count) {
        tmb_opencl_unload(api);
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "there is no OpenCL device %u: %u %s found", number, count,
                        count == 1 ? "was" : "were");
    }
    return TUMBLE_OK;
}

static void describe(const tmb_opencl_api *api, const tmb_opencl_choice *choice, tumble_device_info *info)
{
    cl_device_id device = choice->device;
    info->kind = TUMBLE_DEVICE_OPENCL;
    tmb_opencl_device_text(api, device, CL_DEVICE_NAME, info->name, sizeof info->name);
    tmb_opencl_device_text(api, device, CL_DEVICE_VERSION, info->version, sizeof info->version);
    platform_text(api, choice->platform, info->platform, sizeof info->platform);
    info->unit_count = (uint32_t)tmb_opencl_device_number(api, device, CL_DEVICE_MAX_COMPUTE_UNITS);
    info->is_gpu = tmb_opencl_device_is_gpu(api, device);
    info->has_doubles = tmb_opencl_device_has_doubles(api, device);
    info->memory_bytes = tmb_opencl_device_number(api, device, CL_DEVICE_GLOBAL_MEM_SIZE);
}

tumble_status tmb_opencl_describe(tumble_context *context, uint32_t number, tumble_device_info *info)
{
    tmb_opencl_api api;
    tmb_opencl_choice choice = {NULL, NULL};
    const tumble_status status = tmb_opencl_choose(context, number, &api, &choice);
    if (status == TUMBLE_OK) {
        describe(&api, &choice, info);
        tmb_opencl_unload(&api);
    }
    return status;
}
