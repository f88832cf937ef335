/* A library without OpenCL: the thread pool is the only device. */
#include "device/backend.h"

uint32_t tmb_opencl_count(tumble_context *context)
{
    (void)context;
    return 0;
}

static tumble_status refuse(tumble_context *context, uint32_t number)
{
    return tmb_fail(context, TUMBLE_ERROR_ARGUMENT,
                    "there is no OpenCL device %u: this library was built without OpenCL", number);
}

tumble_status tmb_opencl_describe(tumble_context *context, uint32_t number, tumble_device_info *info)
{
    (void)info;
    return refuse(context, number);
}

tumble_status tmb_opencl_open(tumble_context *context, uint32_t number, const tumble_device_options *options,
                              tmb_backend *out)
{
    (void)options, (void)out;
    return refuse(context, number);
}
