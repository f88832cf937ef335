/* The options of drawings. */
#include "drawing_options.h"

#include <stddef.h>
#include <string.h>

#include "drawing.h"
#include "message.h"
#include "poses.h"

static const cli_option drawing_options[] = {
    {.kind = CLI_TEXT,
     .name = "plot",
     .argument = "FILE",
     .help = "with --poses: draws the answers over the path; with --stats also the time of each query (.svg; .png if "
             "rsvg-convert is installed)",
     .offset = offsetof(cli_drawing_options, plot)},
    {.kind = CLI_TEXT,
     .name = "picture",
     .argument = "FILE",
     .help = "draws both models and where they meet or are closest (.svg, .png); with --poses at the worst step",
     .offset = offsetof(cli_drawing_options, picture)},
    {.name = NULL}};

static const cli_option view_options[] = {
    {.kind = CLI_TEXT,
     .name = "view",
     .argument = "V",
     .help = "where the viewer of the picture stands: front (-y), back, left (-x), right, top (+z), bottom, iso, or "
             "the direction to the viewer, \"x y z\" (default: where the contacts are seen best)",
     .offset = offsetof(cli_view_options, view)},
    {.kind = CLI_TEXT,
     .name = "view-up",
     .argument = "V",
     .help = "the direction that is up in the picture: x, y, z, -x, -y, -z, or \"x y z\" (default: z). The words of "
             "--view turn with it",
     .offset = offsetof(cli_view_options, up)},
    {.kind = CLI_TEXT,
     .name = "section",
     .argument = "P",
     .help = "cuts both models in the picture and removes the viewer's side: \"x 0.5\" for the plane x = 0.5, "
             "\"a b c d\" for ax + by + cz = d, or none (default: what hides the contacts is cut open)",
     .offset = offsetof(cli_view_options, section)},
    {.name = NULL}};

cli_section cli_drawing_section(cli_drawing_options *options)
{
    return (cli_section){.title = "Drawings", .options = drawing_options, .target = options};
}

cli_section cli_view_section(cli_view_options *options)
{
    return (cli_section){.title = "View of the picture", .options = view_options, .target = options};
}

/* ---- parsing ---- */

typedef struct named_direction {
    const char *name;
    double direction[3];
} named_direction;

static const named_direction views[] = {{"front", {0, -1, 0}}, {"back", {0, 1, 0}}, {"left", {-1, 0, 0}},
                                        {"right", {1, 0, 0}},  {"top", {0, 0, 1}},  {"bottom", {0, 0, -1}},
                                        {"iso", {1, -1, 1}},   {NULL, {0}}};
static const named_direction axes[] = {{"x", {1, 0, 0}},   {"y", {0, 1, 0}},   {"z", {0, 0, 1}}, {"-x", {-1, 0, 0}},
                                       {"-y", {0, -1, 0}}, {"-z", {0, 0, -1}}, {NULL, {0}}};

/* Exactly `count` numbers; the first three are not all 0. */
static int scan_direction(const char *text, double *numbers, size_t count)
{
    return cli_scan_numbers(text, numbers, count) == count && (numbers[0] != 0 || numbers[1] != 0 || numbers[2] != 0);
}

/* Sets *named if the text is one of the words. */
static int parse_direction(const char *text, const named_direction *names, double direction[3], int *named)
{
    for (; names->name; names++) {
        if (strcmp(text, names->name) == 0) {
            memcpy(direction, names->direction, sizeof names->direction);
            *named = 1;
            return 1;
        }
    }
    *named = 0;
    return scan_direction(text, direction, 3);
}

/* "x 0.5": the letter of an axis, and where. */
static int parse_axis_plane(const char *text, double plane[4])
{
    const int axis = *text ? *text - 'x' : -1;
    if (axis < 0 || axis > 2 || cli_scan_numbers(text + 1, plane + 3, 1) != 1) {
        return 0;
    }
    plane[0] = plane[1] = plane[2] = 0;
    plane[axis] = 1;
    return 1;
}

static int parse_section(const char *text, cli_picture_view *view)
{
    if (strcmp(text, "none") == 0) {
        view->cut = CLI_PICTURE_CUT_NEVER;
        return 1;
    }
    view->cut = CLI_PICTURE_CUT_SECTION;
    return parse_axis_plane(text, view->section) || scan_direction(text, view->section, 4);
}

int cli_parse_view(const cli_view_options *options, cli_picture_view *view)
{
    int named;
    *view = (cli_picture_view){.cut = CLI_PICTURE_CUT_AS_NEEDED};
    if (options->view && !parse_direction(options->view, views, view->toward, &view->upright)) {
        return cli_error("--view '%s' is not a direction: give front, back, left, right, top, bottom, iso or \"x y z\"",
                         options->view);
    }
    if (options->up && !parse_direction(options->up, axes, view->up, &named)) {
        return cli_error("--view-up '%s' is not a direction: give x, y, z, -x, -y, -z or \"x y z\"", options->up);
    }
    if (options->section && !parse_section(options->section, view)) {
        return cli_error("--section '%s' is not a plane: give \"x 0.5\", \"a b c d\" for ax + by + cz = d, or none",
                         options->section);
    }
    return 0;
}

int cli_check_drawings(const cli_drawing_options *options, int along_path)
{
    const cli_view_options *view = &options->view;
    cli_picture_view parsed;
    const char *word = view->view ? "view" : view->up ? "view-up" : view->section ? "section" : NULL;
    if (word && !options->picture) {
        return cli_error("--%s is about the picture: give --picture as well, or leave it out", word);
    }
    if (options->plot && !along_path) {
        return cli_error("--plot draws the answers over a path: give --poses as well, or use --picture");
    }
    int error = cli_parse_view(view, &parsed);
    error = error ? error : cli_drawing_check(options->plot, "plot");
    return error ? error : cli_drawing_check(options->picture, "picture");
}
