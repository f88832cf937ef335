/* The folder of a demonstration, and what has been written to it. */
#include "demo_files.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "message.h"
#include "output.h"

enum {
    LONGEST_NAME = 64
};

int cli_make_folder(const char *folder)
{
    char path[CLI_DEMO_LONGEST_PATH];
    if (strlen(folder) + LONGEST_NAME >= sizeof path) {
        return cli_error("%s: the name of the folder is too long: choose another one with -o", folder);
    }
    for (size_t i = 1; i <= strlen(folder); i++) {
        if (folder[i] != '/' && folder[i] != '\0') {
            continue;
        }
        snprintf(path, sizeof path, "%.*s", (int)i, folder);
        errno = 0;
        struct stat status;
        if (mkdir(path, 0777) != 0 && errno == EEXIST && stat(path, &status) == 0 && !S_ISDIR(status.st_mode)) {
            errno = ENOTDIR;
        }
        if (errno != 0 && errno != EEXIST) {
            return cli_error("%s: the folder cannot be made (%s): choose another one with -o", path, strerror(errno));
        }
    }
    return 0;
}

const char *cli_demo_path(cli_demo_files *files, const char *name)
{
    char *path = files->paths[files->count++];
    snprintf(path, CLI_DEMO_LONGEST_PATH, "%s/%s", files->folder, name);
    return path;
}

int cli_demo_draw(cli_demo_files *files, const char *svg_name, const char *png_name, cli_draw *draw, void *user)
{
    const char *svg = cli_demo_path(files, svg_name);
    cli_output output;
    int error = cli_output_open(&output, svg);
    if (error) {
        return error;
    }
    error = draw(user, output.file);
    if (error) {
        cli_output_discard(&output);
        return error;
    }
    error = cli_output_close(&output);
    if (error) {
        return error;
    }
    const cli_png_result result = cli_png_from_svg(svg, cli_demo_path(files, png_name));
    if (result != CLI_PNG_WRITTEN) {
        files->png_result = result;
        files->count--;
    }
    return 0;
}

void cli_demo_note_missing(const cli_demo_files *files)
{
    if (files->png_result == CLI_PNG_NO_PROGRAM) {
        cli_note("only SVG was written: for PNG, install rsvg-convert (Debian: apt install librsvg2-bin)");
    } else if (files->png_result == CLI_PNG_FAILED) {
        cli_note("not all PNG files were written: rsvg-convert failed");
    }
}

void cli_demo_print_files(const cli_demo_files *files)
{
    printf("Written:\n");
    for (size_t i = 0; i < files->count; i++) {
        printf("  %s\n", files->paths[i]);
    }
}

void cli_demo_json_files(const cli_demo_files *files, cli_json *json)
{
    cli_json_open_array(json, "files");
    for (size_t i = 0; i < files->count; i++) {
        cli_json_text(json, NULL, files->paths[i]);
    }
    cli_json_close_array(json);
}

void cli_print_quoted(const char *folder, const char *name)
{
    static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+,:@%";
    if (folder[strspn(folder, harmless)] == '\0') {
        printf(" %s%s", folder, name);
        return;
    }
    fputs(" '", stdout);
    for (; *folder; folder++) {
        fputs(*folder == '\'' ? "'\\'" : "", stdout);
        putchar(*folder);
    }
    printf("%s'", name);
}
