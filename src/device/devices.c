/* Lists and opens devices. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cpu.h"
#include "device/internal.h"

/* The processor's name on Linux; other systems do not provide it here. */
static void name_processor(char *name, size_t capacity)
{
    char text[4096];
    const int file = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
    const ssize_t size = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0) {
        close(file);
    }
    text[size < 0 ? 0 : size] = '\0';
    const char *line = strstr(text, "model name");
    const char *colon = line ? strchr(line, ':') : NULL;
    if (!colon) {
        snprintf(name, capacity, "processor");
        return;
    }
    const char *begin = colon + 1 + strspn(colon + 1, " \t");
    snprintf(name, capacity, "%.*s", (int)strcspn(begin, "\n"), begin);
}

static void describe_pool(tumble_device_info *info)
{
    *info = (tumble_device_info){
        .kind = TUMBLE_DEVICE_CPU, .platform = "threads", .unit_count = tmb_cpu_count(), .has_doubles = 1};
    name_processor(info->name, sizeof info->name);
    snprintf(info->version, sizeof info->version, "Tumble %s", tumble_version());
}

tumble_status tumble_device_count(tumble_context *context, uint32_t *count)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!count) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "devices: the pointer for their number is null");
    }
    *count = 1 + tmb_opencl_count(context);
    return TUMBLE_OK;
}

static tumble_status describe(tumble_context *context, uint32_t number, tumble_device_info *info)
{
    if (number == 0) {
        describe_pool(info);
        return TUMBLE_OK;
    }
    const uint32_t count = 1 + tmb_opencl_count(context);
    if (number >= count) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "device %u: there are %u, from 0 on", (unsigned)number,
                        (unsigned)count);
    }
    *info = (tumble_device_info){.kind = TUMBLE_DEVICE_OPENCL};
    return tmb_opencl_describe(context, number - 1, info);
}

tumble_status tumble_device_describe(tumble_context *context, uint32_t number, tumble_device_info *info)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!info) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "device info: the result is null");
    }
    tumble_device_info found;
    const tumble_status status = describe(context, number, &found);
    if (status == TUMBLE_OK) {
        *info = found;
    }
    return status;
}

tumble_device_options tumble_default_device_options(void)
{
    return (tumble_device_options){.thread_count = 0};
}

static tumble_status open_backend(tumble_context *context, uint32_t number, const tumble_device_options *options,
                                  tmb_backend *out)
{
    return number == 0 ? tmb_pool_open(context, options->thread_count, out)
                       : tmb_opencl_open(context, number - 1, options, out);
}

tumble_status tumble_device_open(tumble_context *context, uint32_t number, const tumble_device_options *options,
                                 tumble_device **out)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!out) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "device: the pointer for its handle is null");
    }
    *out = NULL;
    tumble_device_options chosen = options ? *options : tumble_default_device_options();
    if (chosen.queue_capacity > TMB_TICKET_LIMIT) {
        return tmb_fail(context, TUMBLE_ERROR_TOO_LARGE, "device: a queue of %u tickets; at most %u are possible",
                        (unsigned)chosen.queue_capacity, TMB_TICKET_LIMIT);
    }
    if (chosen.thread_count > TMB_THREAD_LIMIT) {
        return tmb_fail(context, TUMBLE_ERROR_TOO_LARGE, "device: %u threads; at most %u are possible",
                        (unsigned)chosen.thread_count, TMB_THREAD_LIMIT);
    }
    if (chosen.thread_count == 0) {
        chosen.thread_count = tmb_default_threads();
    }
    tumble_device_info info;
    tmb_backend backend;
    tumble_status status = describe(context, number, &info);
    if (status == TUMBLE_OK) {
        status = open_backend(context, number, &chosen, &backend);
    }
    return status == TUMBLE_OK ? tmb_device_start(&backend, &chosen, &info, out) : status;
}
