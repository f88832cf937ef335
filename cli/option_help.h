/* --help: what the tables of options say. */
#ifndef TUMBLE_CLI_OPTION_HELP_H
#define TUMBLE_CLI_OPTION_HELP_H

#include "options.h"

/* All of a command, or only what the arguments ask about: a topic, as in "--help kdop". */
void cli_print_help(FILE *file, const cli_usage *usage, int argc, char **argv);

#endif
