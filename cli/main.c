/* The tumble command: which subcommand, help, version. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "complete.h"
#include "message.h"
#include "output.h"
#include "tumble/base.h"
#include "words.h"

typedef struct cli_command {
    const char *name;
    const char *purpose;
    int (*run)(const char *program, int argc, char **argv);
} cli_command;

static const cli_command commands[] = {
    {"check", "finds whether and where two models intersect, also along a path", cli_check},
    {"distance", "finds how far apart two models are, also along a path", cli_distance},
    {"separate", "finds how far two models must be moved to part them", cli_separate},
    {"scene", "finds which of many objects touch, also while they move", cli_scene},
    {"clash", "finds which parts of an assembly clash, and how", cli_clash},
    {"nearest", "finds which polygons are closest to points, or in a box or a ball", cli_nearest_command},
    {"ray", "finds where rays hit a model, and whether points are inside", cli_ray},
    {"info", "shows a model's size, defects and hierarchy", cli_info},
    {"build", "saves a model with its hierarchy, for fast loading", cli_build},
    {"devices", "lists the devices that checks can run on", cli_devices},
    {"make", "generates a mesh (box, sphere, gear ...), a scene, or poses to try", cli_make},
    {"demo", "shows a part pulled out of its housing, or a robot cell, with contacts", cli_demo},
    {NULL, NULL, NULL}};

static const cli_command *find_command(const char *name)
{
    for (const cli_command *command = commands; command->name; command++) {
        if (strcmp(command->name, name) == 0) {
            return command;
        }
    }
    return NULL;
}

static int unknown_command(const char *name)
{
    cli_nearest nearest = {name, NULL, 0};
    for (const cli_command *command = commands; command->name; command++) {
        cli_nearest_offer(&nearest, command->name);
    }
    cli_nearest_offer(&nearest, "help");
    if (nearest.best) {
        return cli_error("unknown command '%s': did you mean '%s'? 'tumble help' lists all", name, nearest.best);
    }
    return cli_error("unknown command '%s': 'tumble help' lists all", name);
}

static void print_help(FILE *file)
{
    fputs("tumble: exact collision detection between polygon models\n\n"
          "Usage:\n"
          "  tumble COMMAND [arguments]\n"
          "  tumble help COMMAND\n\n"
          "Commands:\n",
          file);
    for (const cli_command *command = commands; command->name; command++) {
        fprintf(file, "  %-10s%s\n", command->name, command->purpose);
    }
    fputs("  help      explains a command\n"
          "\n"
          "Options:\n"
          "  --help       this text; after a command, its own help\n"
          "  --version    the version of tumble\n"
          "\n"
          "Examples:\n"
          "  tumble make gear -o gear.obj\n"
          "  tumble make torus -o torus.stl\n"
          "  tumble check gear.obj torus.stl --segments\n"
          "  tumble distance gear.obj torus.stl --move-b \"5 0 0\"\n"
          "  tumble make cell -o cell\n"
          "  tumble scene cell/scene.txt --steps cell/steps.txt\n"
          "  tumble clash cell -o report\n"
          "  tumble demo -o out\n"
          "\n"
          "Exit status:\n"
          "  0  done; check, distance, separate, scene, clash: no intersection\n"
          "  1  check, distance, separate, scene, clash: an intersection\n"
          "  2  an error; stderr says what to do\n"
          "  3  check, distance, separate: unknown, for example because a budget was spent\n",
          file);
}

static int help(const char *program, int argc, char **argv)
{
    if (argc == 0 || strncmp(argv[0], "-", 1) == 0) {
        print_help(stdout);
        return CLI_EXIT_OK;
    }
    const cli_command *command = find_command(argv[0]);
    if (!command) {
        return strcmp(argv[0], "help") == 0 ? (print_help(stdout), CLI_EXIT_OK) : unknown_command(argv[0]);
    }
    char flag[] = "--help";
    char *with_topic[] = {argc > 1 ? argv[1] : flag, flag}; /* 'tumble help make gear' */
    return command->run(program, 2, with_topic);
}

static void complete_command(const char *current)
{
    for (const cli_command *command = commands; command->name; command++) {
        cli_complete_offer(current, command->name, command->purpose);
    }
}

/* The words after `tumble`, the last of which is to be completed. A command completes its own. */
static int complete(const char *program, int count, char **words)
{
    static char mark[] = CLI_COMPLETE;
    if (count <= 1 || (count == 2 && strcmp(words[0], "help") == 0)) {
        const char *current = count > 0 ? words[count - 1] : "";
        complete_command(current);
        if (count <= 1) {
            cli_complete_offer(current, "help", "explains a command");
            cli_complete_offer(current, "--help", "explains tumble");
            cli_complete_offer(current, "--version", "the version of tumble");
        }
        return CLI_EXIT_OK;
    }
    const cli_command *command = find_command(words[0]);
    if (!command) {
        return CLI_EXIT_OK;
    }
    memmove(words, words + 1, (size_t)(count - 1) * sizeof *words);
    words[count - 1] = mark;
    return command->run(program, count, words);
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return CLI_EXIT_ERROR;
    }
    const char *name = argv[1];
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        return help(argv[0], argc - 2, argv + 2);
    }
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0 || strcmp(name, "version") == 0) {
        printf("tumble %s\n", tumble_version());
        return CLI_EXIT_OK;
    }
    if (strcmp(name, CLI_COMPLETE) == 0) {
        return complete(argv[0], argc - 2, argv + 2);
    }
    if (name[0] == '-') {
        return cli_error("unknown option '%s': options follow a command, as in 'tumble check A B %s'", name, name);
    }
    const cli_command *command = find_command(name);
    return command ? command->run(argv[0], argc - 2, argv + 2) : unknown_command(name);
}

int main(int argc, char **argv)
{
    cli_output_prepare();
    const int exit_status = dispatch(argc, argv);
    const int error = cli_output_finish();
    return error ? error : exit_status;
}
