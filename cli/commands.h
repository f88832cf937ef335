/* The subcommands. Each gets the name by which the program was called and the arguments after its own name, and returns
 * the exit status. */
#ifndef TUMBLE_CLI_COMMANDS_H
#define TUMBLE_CLI_COMMANDS_H

int cli_check(const char *program, int argc, char **argv);
int cli_distance(const char *program, int argc, char **argv);
int cli_separate(const char *program, int argc, char **argv);
int cli_clash(const char *program, int argc, char **argv);
int cli_scene(const char *program, int argc, char **argv);
int cli_ray(const char *program, int argc, char **argv);
int cli_devices(const char *program, int argc, char **argv);
int cli_nearest_command(const char *program, int argc, char **argv);
int cli_info(const char *program, int argc, char **argv);
int cli_build(const char *program, int argc, char **argv);
int cli_make(const char *program, int argc, char **argv);
int cli_demo(const char *program, int argc, char **argv);

#endif
