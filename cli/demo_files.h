/* The folder of a demonstration, and what has been written to it. */
#ifndef TUMBLE_CLI_DEMO_FILES_H
#define TUMBLE_CLI_DEMO_FILES_H

#include <stddef.h>
#include <stdio.h>

#include "drawing.h"
#include "json.h"
#include "png.h"

enum {
    CLI_DEMO_MOST_FILES = 8,
    CLI_DEMO_LONGEST_PATH = 4096
};

/* Start with {folder}. */
typedef struct cli_demo_files {
    const char *folder;
    char paths[CLI_DEMO_MOST_FILES][CLI_DEMO_LONGEST_PATH];
    size_t count;
    cli_png_result png_result;
} cli_demo_files;

/* As `mkdir -p`. Functions that return an int return 0, or an exit status after reporting the error. */
int cli_make_folder(const char *folder);

/* The path of a file in the folder, which is listed as written. */
const char *cli_demo_path(cli_demo_files *files, const char *name);

/* An SVG, and beside it a PNG. */
int cli_demo_draw(cli_demo_files *files, const char *svg_name, const char *png_name, cli_draw *draw, void *user);

/* Says why there is no PNG. */
void cli_demo_note_missing(const cli_demo_files *files);

void cli_demo_print_files(const cli_demo_files *files);
void cli_demo_json_files(const cli_demo_files *files, cli_json *json);

/* A blank, and a path that the shell reads as it stands; in quotes where it would not. */
void cli_print_quoted(const char *folder, const char *name);

#endif
