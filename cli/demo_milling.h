/* tumble demo milling: a mill follows its path over a die. */
#ifndef TUMBLE_CLI_DEMO_MILLING_H
#define TUMBLE_CLI_DEMO_MILLING_H

#include "collide.h"
#include "demo_files.h"
#include "drawing_options.h"
#include "load_options.h"
#include "milling.h"
#include "output_options.h"

enum {
    MILLING_TOOLS = 3
};

typedef struct milling_demo_settings {
    cli_load_options load;
    double rows;
    cli_output_options output;
    cli_view_options view;
} milling_demo_settings;

/* What one tool does along the path. */
typedef struct milling_demo_tool {
    const char *name, *what;
    tumble_model *model;
    tumble_contact_interval *gouges;
    size_t gouge_count;
    tumble_clearance_along_result *closest; /* of each move */
    size_t least;                           /* the move with the least clearance of those without a gouge */
    double seconds;                         /* for the gouges */
} milling_demo_tool;

typedef struct milling_demo {
    const char *program;
    milling_demo_settings settings;
    cli_picture_view view;
    tumble_context *context;
    tumble_query *query;
    models_milling milling;
    tumble_path path;
    tumble_model *part;
    milling_demo_tool tools[MILLING_TOOLS];

    tumble_model *drawn; /* the mesh of the mill in its deepest gouge, and the path, for the picture */
    cli_collide collide;
    cli_demo_files files;
} milling_demo;

/* With the arguments after 'milling'; returns the exit status. */
int cli_demo_milling(const char *program, int argc, char **argv);

/* What was found, in words or as JSON. */
int cli_demo_milling_report(const milling_demo *demo);

#endif
