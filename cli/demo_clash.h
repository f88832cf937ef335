/* tumble demo clash: the clash report of a pump house. */
#ifndef TUMBLE_CLI_DEMO_CLASH_H
#define TUMBLE_CLI_DEMO_CLASH_H

/* With the arguments after 'clash'; returns the exit status. */
int cli_demo_clash(const char *program, int argc, char **argv);

#endif
