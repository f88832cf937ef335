/* PNG from SVG. */
#include "png.h"

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

static int convert(char *svg, char *png)
{
    char program[] = "rsvg-convert", zoom[] = "--zoom=2", output[] = "--output";
    char *arguments[] = {program, zoom, output, png, svg, NULL};
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0) {
        return 0;
    }
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child;
    const int error = posix_spawnp(&child, program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    int status;
    return error == 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
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

int cli_png_from_svg(const char *svg, const char *png)
{
    char *source = safe_name(svg, ""), *temporary = safe_name(png, ".part");
    int done = 0;
    if (source && temporary) {
        cli_hold_interrupts();
        done = convert(source, temporary) && rename(temporary, png) == 0;
        if (!done) {
            unlink(temporary);
        }
        cli_release_interrupts();
    }
    free(source);
    free(temporary);
    return done;
}
