/* The program of an OpenCL device: the kernels' text, which is part of the library, compiled by the driver. */
#include "device/opencl.h"

#include <stdio.h>
#include <string.h>

/* The first lines of what the compiler says: as much as a message takes. */
static void read_build_log(const tmb_opencl *opencl, cl_program program, char *text, size_t capacity)
{
    const tmb_opencl_api *api = &opencl->api;
    size_t size = 0;
    snprintf(text, capacity, "no message");
    if (api->clGetProgramBuildInfo(program, opencl->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) != CL_SUCCESS ||
        size < 2) {
        return;
    }
    char *whole = tmb_allocate(opencl->context, size + 1, 1);
    if (!whole) {
        return;
    }
    if (api->clGetProgramBuildInfo(program, opencl->device, CL_PROGRAM_BUILD_LOG, size, whole, NULL) == CL_SUCCESS) {
        whole[size] = '\0';
        snprintf(text, capacity, "%s", whole + strspn(whole, " \n\r"));
    }
    tmb_release(opencl->context, whole);
}

static tumble_status refuse(tmb_opencl *opencl, cl_program program, cl_int code)
{
    char text[320];
    if (code != CL_BUILD_PROGRAM_FAILURE) {
        return tmb_opencl_error(opencl, code, "build the kernels");
    }
    read_build_log(opencl, program, text, sizeof text);
    return tmb_fail(opencl->context, TUMBLE_ERROR_DEVICE, "OpenCL device %.64s: failed to build the kernels: %s",
                    opencl->name, text);
}

tumble_status tmb_opencl_build(tmb_opencl *opencl, const char *const *texts, const size_t *sizes, cl_uint count,
                               int doubles, cl_program *out)
{
    const char *options = doubles ? "-cl-std=CL1.2 -DTUMBLE_DOUBLES=1" : "-cl-std=CL1.2 -DTUMBLE_DOUBLES=0";
    const tmb_opencl_api *api = &opencl->api;
    cl_int code = CL_SUCCESS;
    *out = NULL;
    /* OpenCL 1.2 declares the texts without the inner const. */
    cl_program program =
        api->clCreateProgramWithSource(opencl->cl, count, (const char **)(uintptr_t)texts, sizes, &code);
    if (code != CL_SUCCESS) {
        return tmb_opencl_error(opencl, code, "make a program");
    }
    code = api->clBuildProgram(program, 1, &opencl->device, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        const tumble_status status = refuse(opencl, program, code);
        api->clReleaseProgram(program);
        return status;
    }
    *out = program;
    return TUMBLE_OK;
}

tumble_status tmb_opencl_kernel(tmb_opencl *opencl, const char *name, cl_kernel *out)
{
    char what[128];
    cl_int code = CL_SUCCESS;
    *out = opencl->api.clCreateKernel(opencl->program, name, &code);
    if (code == CL_SUCCESS) {
        return TUMBLE_OK;
    }
    *out = NULL;
    snprintf(what, sizeof what, "make the kernel %s", name);
    return tmb_opencl_error(opencl, code, what);
}
