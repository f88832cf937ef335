/* The options of what a command writes: --json and --output, which every command has in rows like these. */
#ifndef TUMBLE_CLI_OUTPUT_OPTIONS_H
#define TUMBLE_CLI_OUTPUT_OPTIONS_H

#include <stddef.h>

#include "options.h"

/* Where results go and what they look like. Commands that list nothing leave `limit` and `stats` alone. */
typedef struct cli_output_options {
    double limit; /* infinity: not given */
    int stats, json;
    const char *file; /* NULL: the terminal */
} cli_output_options;

/* Rows of a table whose section's target has the member `member`, a cli_output_options. */
#define CLI_JSON_ROW(settings, member, text)                                                                  \
    {                                                                                                         \
        .kind = CLI_FLAG, .name = "json", .help = text, .offset = offsetof(settings, member.json), .value = 1 \
    }
#define CLI_OUTPUT_ROW(settings, member, what, text)                                       \
    {                                                                                      \
        .kind = CLI_TEXT, .letter = 'o', .name = "output", .argument = what, .help = text, \
        .offset = offsetof(settings, member.file)                                          \
    }

#define CLI_OUTPUT_HELP "writes to a file instead of the terminal"

cli_output_options cli_default_output_options(void);

/* "Output": --json and --output alone, for commands whose answer is one object. */
cli_section cli_plain_output_section(cli_output_options *options);

/* "Output": --limit, --stats, --json, --output. */
cli_section cli_output_section(cli_output_options *options);

/* How many items of a list are shown. */
uint64_t cli_limit_of(const cli_output_options *options);

#endif
