/* "Robots": which pairs of links need no check, where the joints are, and where packages are. */
#ifndef TUMBLE_CLI_ROBOT_OPTIONS_H
#define TUMBLE_CLI_ROBOT_OPTIONS_H

#include "options.h"

/* All NULL by default. */
typedef struct cli_robot_options {
    const char *srdf;     /* a file */
    const char *state;    /* one of its states */
    const char *joints;   /* a file with values of joints */
    const char *packages; /* folders, with ':' between them */
} cli_robot_options;

/* --srdf, --state, --joints, --packages. */
cli_section cli_robot_section(cli_robot_options *options);

#endif
