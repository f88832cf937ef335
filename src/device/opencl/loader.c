/* The functions of the ICD loader, looked up at run time. */
#include "device/opencl/opencl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ISO C has no cast from dlsym's result to a function; POSIX promises that the bits are the same. */
static int look_up(void *library, const char *name, void *function, size_t size)
{
    void *const symbol = dlsym(library, name);
    memcpy(function, &symbol, size);
    return symbol != NULL;
}

int tmb_opencl_load(tmb_opencl_api *api, char *reason, size_t capacity)
{
    const char *name = getenv("TUMBLE_OPENCL_LIBRARY"); /* NOLINT(concurrency-mt-unsafe): only read */
    if (!name || !*name) {
        name = "libOpenCL.so.1";
    }
    memset(api, 0, sizeof *api);
    /* Drivers have threads of their own that do not survive the removal of their code. */
    api->library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!api->library) {
        const char *why = dlerror();
        snprintf(reason, capacity, "%s", why ? why : "the OpenCL loader cannot be opened");
        return 0;
    }
#define LOOK_UP(function)                                                                    \
    if (!look_up(api->library, #function, &api->function, sizeof api->function)) {           \
        snprintf(reason, capacity, "%s has no function %s, of OpenCL 1.2", name, #function); \
        tmb_opencl_unload(api);                                                              \
        return 0;                                                                            \
    }
    TMB_OPENCL_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
    return 1;
}

void tmb_opencl_unload(tmb_opencl_api *api)
{
    if (api->library) {
        dlclose(api->library);
    }
    memset(api, 0, sizeof *api);
}

const char *tmb_opencl_code_name(cl_int code)
{
    switch (code) {
#define NAME(code) \
    case code: return #code;
        NAME(CL_SUCCESS)
        NAME(CL_DEVICE_NOT_FOUND)
        NAME(CL_DEVICE_NOT_AVAILABLE)
        NAME(CL_COMPILER_NOT_AVAILABLE)
        NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE)
        NAME(CL_OUT_OF_RESOURCES)
        NAME(CL_OUT_OF_HOST_MEMORY)
        NAME(CL_PROFILING_INFO_NOT_AVAILABLE)
        NAME(CL_MEM_COPY_OVERLAP)
        NAME(CL_BUILD_PROGRAM_FAILURE)
        NAME(CL_MAP_FAILURE)
        NAME(CL_MISALIGNED_SUB_BUFFER_OFFSET)
        NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
        NAME(CL_INVALID_VALUE)
        NAME(CL_INVALID_DEVICE_TYPE)
        NAME(CL_INVALID_PLATFORM)
        NAME(CL_INVALID_DEVICE)
        NAME(CL_INVALID_CONTEXT)
        NAME(CL_INVALID_QUEUE_PROPERTIES)
        NAME(CL_INVALID_COMMAND_QUEUE)
        NAME(CL_INVALID_HOST_PTR)
        NAME(CL_INVALID_MEM_OBJECT)
        NAME(CL_INVALID_BINARY)
        NAME(CL_INVALID_BUILD_OPTIONS)
        NAME(CL_INVALID_PROGRAM)
        NAME(CL_INVALID_PROGRAM_EXECUTABLE)
        NAME(CL_INVALID_KERNEL_NAME)
        NAME(CL_INVALID_KERNEL_DEFINITION)
        NAME(CL_INVALID_KERNEL)
        NAME(CL_INVALID_ARG_INDEX)
        NAME(CL_INVALID_ARG_VALUE)
        NAME(CL_INVALID_ARG_SIZE)
        NAME(CL_INVALID_KERNEL_ARGS)
        NAME(CL_INVALID_WORK_DIMENSION)
        NAME(CL_INVALID_WORK_GROUP_SIZE)
        NAME(CL_INVALID_WORK_ITEM_SIZE)
        NAME(CL_INVALID_GLOBAL_OFFSET)
        NAME(CL_INVALID_EVENT_WAIT_LIST)
        NAME(CL_INVALID_EVENT)
        NAME(CL_INVALID_OPERATION)
        NAME(CL_INVALID_BUFFER_SIZE)
        NAME(CL_INVALID_GLOBAL_WORK_SIZE)
        NAME(CL_INVALID_PROPERTY)
#undef NAME
    default: return "an unknown error";
    }
}
