/* PNG from SVG. */
#include "png.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "output.h"

extern char **environ;

static cli_png_result convert(char *svg, char *png)
{
    char program[] = "rsvg-convert", width[] = "--width=1600", keep[] = "--keep-aspect-ratio", output[] = "--output";
    char *arguments[] = {program, width, keep, output, png, svg, NULL};
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0) {
        return CLI_PNG_FAILED;
    }
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child;
    const int error = posix_spawnp(&child, program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error) {
        return error == ENOENT ? CLI_PNG_NO_PROGRAM : CLI_PNG_FAILED;
    }
    int status;
    const int well = waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return well ? CLI_PNG_WRITTEN : CLI_PNG_FAILED;
}

/* rsvg-convert takes an operand that starts with a dash for an option. */
static char *safe_name(const char *path, const char *suffix)
{
    const size_t size = strlen(path) + strlen(suffix) + 3;
    char *name = malloc(size);
    if (name) {
        snprintf(name, size, "%s%s%s", path[0] == '-' ? "./" : "", path, suffix);
    }
    return name;
}

cli_png_result cli_png_from_svg(const char *svg, const char *png)
{
    char *source = safe_name(svg, ""), *temporary = safe_name(png, ".part");
    cli_png_result result = CLI_PNG_FAILED;
    if (source && temporary) {
        cli_hold_interrupts();
        result = convert(source, temporary);
        if (result == CLI_PNG_WRITTEN && rename(temporary, png) != 0) {
            result = CLI_PNG_FAILED;
        }
        if (result != CLI_PNG_WRITTEN) {
            unlink(temporary);
        }
        cli_release_interrupts();
    }
    free(source);
    free(temporary);
    return result;
}
