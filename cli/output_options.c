/* The options of what a command writes. */
#include "output_options.h"

#include <math.h>

enum {
    TEXT_LIMIT = 20
};

/* The target of both tables is the struct itself. */
typedef struct own_target {
    cli_output_options own;
} own_target;

static const cli_option plain_options[] = {CLI_JSON_ROW(own_target, own, "one JSON object"),
                                           CLI_OUTPUT_ROW(own_target, own, "FILE", CLI_OUTPUT_HELP),
                                           {.name = NULL}};

static const cli_option list_options[] = {
    {.kind = CLI_NUMBER,
     .name = "limit",
     .argument = "N",
     .help = "lists at most N pairs, or N lines of a path; all are counted (default: 20 in text, all in JSON)",
     .offset = offsetof(cli_output_options, limit),
     .least = 0,
     .most = INFINITY,
     .whole = 1},
    {.kind = CLI_FLAG,
     .name = "stats",
     .help = "also the query's counters: box tests (the papers' N_v), box updates (N_u), triangle tests (N_p), exact "
             "tests, bytes touched, time. JSON always has them",
     .offset = offsetof(cli_output_options, stats),
     .value = 1},
    CLI_JSON_ROW(own_target, own, "one JSON object; with --poses one per line"),
    CLI_OUTPUT_ROW(own_target, own, "FILE", CLI_OUTPUT_HELP),
    {.name = NULL}};

cli_output_options cli_default_output_options(void)
{
    return (cli_output_options){.limit = INFINITY};
}

cli_section cli_plain_output_section(cli_output_options *options)
{
    return (cli_section){.title = "Output", .options = plain_options, .target = options};
}

cli_section cli_output_section(cli_output_options *options)
{
    return (cli_section){.title = "Output", .options = list_options, .target = options};
}

uint64_t cli_limit_of(const cli_output_options *options)
{
    const double limit = isfinite(options->limit) ? options->limit : options->json ? INFINITY : TEXT_LIMIT;
    return limit < 1e18 ? (uint64_t)limit : UINT64_MAX;
}
