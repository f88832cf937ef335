/* The options of drawings: which ones are made, and from where pictures are taken. */
#ifndef TUMBLE_CLI_DRAWING_OPTIONS_H
#define TUMBLE_CLI_DRAWING_OPTIONS_H

#include "options.h"
#include "picture.h"

typedef struct cli_view_options {
    const char *view, *up, *section; /* as given, or NULL */
} cli_view_options;

typedef struct cli_drawing_options {
    const char *plot, *picture; /* files, or NULL */
    cli_view_options view;
} cli_drawing_options;

/* "Drawings": --plot, --picture. */
cli_section cli_drawing_section(cli_drawing_options *options);

/* "View": --view, --view-up, --section. */
cli_section cli_view_section(cli_view_options *options);

/* What these words mean. Returns 0 or an exit status after reporting the error, as the next one does. */
int cli_parse_view(const cli_view_options *options, cli_picture_view *view);

/* Rejects file names that are not drawings, view options without a picture, and a plot of a single pose. */
int cli_check_drawings(const cli_drawing_options *options, int along_path);

#endif
