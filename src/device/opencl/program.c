/* The program of an OpenCL device: the kernels' text, which is part of the library, compiled by the driver. */
#include "device/opencl/opencl.h"

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
    cl_program program = api->clCreateProgramWithSource(opencl->cl, count, (const char **)texts, sizes, &code);
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

/* With doubles: whether both types compute as they do here; without, whether floats do. */
static tumble_status check(tmb_opencl *opencl, int doubles, int *same, char *reason, size_t capacity)
{
    tumble_status status = TUMBLE_OK;
    *same = 1;
    if (doubles) {
        status = tmb_opencl_try_arithmetic(opencl, opencl->program, 1, same, reason, capacity);
    }
    if (status == TUMBLE_OK && *same) {
        status = tmb_opencl_try_arithmetic(opencl, opencl->program, 0, same, reason, capacity);
    }
    return status;
}

/* To the log alone: nothing has failed for the caller. */
static void tell(const tumble_context *context, const char *message)
{
    if (context->log) {
        context->log(context->log_user, TUMBLE_ERROR_DEVICE, message);
    }
}

static void forget_program(tmb_opencl *opencl)
{
    opencl->api.clReleaseProgram(opencl->program);
    opencl->program = NULL;
}

tumble_status tmb_opencl_make_program(tmb_opencl *opencl, const char *const *texts, const size_t *sizes, cl_uint count,
                                      int doubles)
{
    char reason[384] = "";
    int same = 0;
    tumble_status status = tmb_opencl_build(opencl, texts, sizes, count, doubles, &opencl->program);
    if (status != TUMBLE_OK) {
        return status;
    }
    status = check(opencl, doubles, &same, reason, sizeof reason);
    if (status == TUMBLE_OK && same) {
        opencl->doubles = doubles;
        return TUMBLE_OK;
    }
    forget_program(opencl);
    if (status == TUMBLE_OK && doubles) {
        tell(opencl->context, reason);
        return tmb_opencl_make_program(opencl, texts, sizes, count, 0);
    }
    return status == TUMBLE_OK ? tmb_fail(opencl->context, TUMBLE_ERROR_DEVICE, "%s", reason) : status;
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
