/* Drawings as files. */
#include "drawing.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "output.h"
#include "png.h"

static int ends_in(const char *path, const char *ending)
{
    const size_t length = strlen(path), wanted = strlen(ending);
    return length > wanted && strcmp(path + length - wanted, ending) == 0;
}

/* A drawing comes last: a missing folder is reported before the work. */
static int check_folder(const char *path, const char *option)
{
    const char *slash = strrchr(path, '/');
    char folder[4096] = ".";
    if (slash) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path + 1), path);
    }
    return access(folder, W_OK | X_OK) == 0
               ? 0
               : cli_error("--%s '%s' cannot be written (%s): give a name in a folder that exists and is writable",
                           option, path, strerror(errno));
}

int cli_drawing_check(const char *path, const char *option)
{
    if (!path) {
        return 0;
    }
    if (!ends_in(path, ".svg") && !ends_in(path, ".png")) {
        return cli_error("--%s '%s' is neither SVG nor PNG: give a name that ends in .svg or .png", option, path);
    }
    return check_folder(path, option);
}

/* What was drawn is the temporary file of the output; only the PNG stays. */
static int convert(cli_output *output, const char *path)
{
    if (fflush(output->file) != 0 || ferror(output->file) || !output->temporary) {
        return cli_error("%s: cannot be written: make room on the disk or choose another place", path);
    }
    switch (cli_png_from_svg(output->temporary, path)) {
    case CLI_PNG_WRITTEN: return 0;
    case CLI_PNG_NO_PROGRAM:
        return cli_error("%s: PNG takes the program rsvg-convert: install it (Debian: apt install librsvg2-bin), or "
                         "give a name that ends in .svg",
                         path);
    default: return cli_error("%s: rsvg-convert failed: give a name that ends in .svg", path);
    }
}

int cli_drawing_write(const char *path, cli_draw *draw, void *user)
{
    cli_output output;
    int error = cli_output_open(&output, path);
    if (error) {
        return error;
    }
    error = draw(user, output.file);
    if (!error && ends_in(path, ".svg")) {
        return cli_output_close(&output);
    }
    error = error ? error : convert(&output, path);
    cli_output_discard(&output);
    return error;
}
