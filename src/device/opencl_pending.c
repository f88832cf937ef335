/* Until batches run on OpenCL devices (opencl_batch.c), these can be listed but not opened. */
#include "device/backend.h"

tumble_status tmb_opencl_open(tumble_context *context, uint32_t number, const tumble_device_options *options,
                              tmb_backend *out)
{
    (void)options, (void)out;
    return tmb_fail(context, TUMBLE_ERROR_UNSUPPORTED, "OpenCL device %u cannot run batches yet", number);
}
