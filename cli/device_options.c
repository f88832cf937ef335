/* Which device answers. */
#include "device_options.h"

#include <inttypes.h>
#include <string.h>

#include "message.h"

const char cli_opencl_advice[] =
    "install an OpenCL loader and a driver (Debian: apt install ocl-icd-libopencl1, and pocl-opencl-icd for processors "
    "or the driver of the graphics card's maker)";

static const cli_option device_options[] = {
    {.kind = CLI_TEXT,
     .name = "device",
     .argument = "D",
     .help = "the checks run as batches on a device: 'cpu', a pool of threads; 'opencl', the first graphics processor, "
             "or what else OpenCL has; 'opencl:1' and so on, as 'tumble devices' lists them. The answers are the same; "
             "on a processor 'cpu' is much "
             "faster than OpenCL",
     .offset = offsetof(cli_device_options, device)},
    {.kind = CLI_FLAG,
     .name = "retry",
     .help = "threads answer what the device fails to answer, also if it cannot be opened or there is none",
     .offset = offsetof(cli_device_options, retry),
     .value = 1},
    {.name = NULL}};

cli_section cli_device_section(cli_device_options *options)
{
    return (cli_section){.title = "Device", .options = device_options, .target = options};
}

int cli_check_device_options(const cli_device_options *options)
{
    if (options->retry && (!options->device || strcmp(options->device, "cpu") == 0)) {
        return cli_error("--retry lets threads answer what an OpenCL device does not: give --device opencl as well, or "
                         "leave --retry out");
    }
    return 0;
}

cli_device_name cli_name_device(uint32_t number)
{
    cli_device_name name = {"cpu"};
    if (number > 0) {
        snprintf(name.text, sizeof name.text, "opencl:%" PRIu32, number - 1);
    }
    return name;
}

static int is_gpu(tumble_context *context, uint32_t number)
{
    tumble_device_info info;
    return tumble_device_describe(context, number, &info) == TUMBLE_OK && info.is_gpu;
}

static uint32_t first_gpu(tumble_context *context, uint32_t count)
{
    for (uint32_t number = 1; number < count; number++) {
        if (is_gpu(context, number)) {
            return number;
        }
    }
    return 1;
}

/* The number after "opencl:", from 0; 0 when there is no such. */
static int scan_number(const char *text, uint32_t *out)
{
    const size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 6 || text[digits] != '\0') {
        return 0;
    }
    *out = 0;
    for (; *text; text++) {
        *out = 10 * *out + (uint32_t)(*text - '0');
    }
    return 1;
}

static int find_opencl(tumble_context *context, const cli_device_options *options, uint32_t *number)
{
    const char *word = options->device;
    uint32_t count = 0, wanted = 0;
    const tumble_status status = tumble_device_count(context, &count);
    if (status != TUMBLE_OK) {
        return cli_library_error(context, status, "--device");
    }
    if (count < 2 && options->retry) {
        cli_warning("--device %s: there is no OpenCL device here; threads of this machine are used instead", word);
        return 0;
    }
    if (count < 2) {
        return cli_error("--device %s: there is no OpenCL device here: %s, or use --device cpu", word,
                         cli_opencl_advice);
    }
    if (word[strlen("opencl")] == '\0') {
        *number = first_gpu(context, count);
        return 0;
    }
    if (!scan_number(word + strlen("opencl:"), &wanted) || wanted >= count - 1) {
        return cli_error("--device %s: there is no such device: 'tumble devices' lists them, the last is %s", word,
                         cli_name_device(count - 1).text);
    }
    *number = wanted + 1;
    return 0;
}

int cli_find_device(const cli_device_options *options, uint32_t *number)
{
    const char *word = options->device;
    *number = 0;
    if (strcmp(word, "cpu") == 0) {
        return 0;
    }
    if (strcmp(word, "opencl") != 0 && strncmp(word, "opencl:", strlen("opencl:")) != 0) {
        return cli_error("--device '%s' is unknown: give cpu, opencl or opencl:N; 'tumble devices' lists them", word);
    }
    tumble_context *context;
    if (tumble_context_create(NULL, &context) != TUMBLE_OK) {
        return cli_memory_error("a context");
    }
    const int error = find_opencl(context, options, number);
    tumble_context_destroy(context);
    return error;
}
