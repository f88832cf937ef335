/* "Input": what may be read, and what becomes of its coordinates. */
#ifndef TUMBLE_CLI_INPUT_H
#define TUMBLE_CLI_INPUT_H

#include "frame.h"

typedef struct cli_input_options {
    int allow_empty;
    cli_frame_options frame;
    double seconds; /* how long another format may take */
    double memory;  /* how many MiB; infinite: half of the machine's */
} cli_input_options;

cli_input_options cli_default_input_options(void);

/* --allow-empty, --units, --up, --assume-units, --assume-up, --import-seconds, --import-memory. */
cli_section cli_input_section(cli_input_options *options);

/* Rejects a model without polygons unless they are allowed. Returns 0 or an exit status after reporting the error. */
int cli_check_empty(const char *path, uint64_t polygons, uint64_t points, const cli_input_options *options);

#endif
