/* Which device answers: --device, and the names of devices on the command line. */
#ifndef TUMBLE_CLI_DEVICE_OPTIONS_H
#define TUMBLE_CLI_DEVICE_OPTIONS_H

#include "options.h"
#include "tumble/device.h"

typedef struct cli_device_options {
    const char *device; /* "cpu", "opencl", "opencl:1"; NULL: none */
    int retry;
} cli_device_options;

/* "Device": --device, --retry. */
cli_section cli_device_section(cli_device_options *options);

/* Refuses --retry without a device that threads could stand in for. Returns 0 or an exit status. */
int cli_check_device_options(const cli_device_options *options);

/* What a device is called: "cpu" is number 0 of the library, "opencl:0" is number 1. */
typedef struct cli_device_name {
    char text[24];
} cli_device_name;
cli_device_name cli_name_device(uint32_t number);

/* The library's number of the device that was asked for; "opencl" alone is the first graphics processor, or the first
 * device when there is none. Returns 0 or an exit status after reporting the error, which tells those that there are.
 */
int cli_find_device(const cli_device_options *options, uint32_t *number);

/* How to get OpenCL devices, where there are none. */
extern const char cli_opencl_advice[];

#endif
