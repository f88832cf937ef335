/* "Input": what may be read, and what becomes of its coordinates. */
#include "input.h"

#include <math.h>
#include <stddef.h>

#include "message.h"
#include "report.h"

static const cli_option input_options[] = {
    {.kind = CLI_FLAG,
     .name = "allow-empty",
     .help = "accepts models without polygons, such as point clouds and empty OBJ files; else they are an error",
     .offset = offsetof(cli_input_options, allow_empty),
     .value = 1},
    {.kind = CLI_CHOICE,
     .name = "units",
     .argument = "U",
     .help = "converts meshes into um, mm, cm, m, in or ft, from the unit that each file states (default: coordinates "
             "stay as they are in the file)",
     .offset = offsetof(cli_input_options, frame.units),
     .choices = cli_units},
    {.kind = CLI_CHOICE,
     .name = "up",
     .argument = "X",
     .help = "turns meshes so that x, y or z points up, from the axis that each file states (default: as in the file)",
     .offset = offsetof(cli_input_options, frame.up),
     .choices = cli_axes},
    {.kind = CLI_CHOICE,
     .name = "assume-units",
     .argument = "U",
     .help = "the unit of files that state none, such as OBJ and STL",
     .offset = offsetof(cli_input_options, frame.assumed_units),
     .choices = cli_units},
    {.kind = CLI_CHOICE,
     .name = "assume-up",
     .argument = "X",
     .help = "the up axis of files that state none",
     .offset = offsetof(cli_input_options, frame.assumed_up),
     .choices = cli_axes},
    {.kind = CLI_NUMBER,
     .name = "import-seconds",
     .argument = "S",
     .help = "how long assimp may take to read a file",
     .offset = offsetof(cli_input_options, seconds),
     .least = 0.001,
     .most = 1e6,
     .show_default = 1},
    {.kind = CLI_NUMBER,
     .name = "import-memory",
     .argument = "MIB",
     .help = "how much memory assimp may take for a file, in MiB (default: half of the machine's)",
     .offset = offsetof(cli_input_options, memory),
     .least = 16,
     .most = 1e9,
     .whole = 1},
    {.name = NULL}};

cli_input_options cli_default_input_options(void)
{
    return (cli_input_options){.seconds = 60, .memory = INFINITY};
}

cli_section cli_input_section(cli_input_options *options)
{
    return (cli_section){.title = "Input", .options = input_options, .target = options};
}

int cli_check_empty(const char *path, uint64_t polygons, uint64_t points, const cli_input_options *options)
{
    if (polygons || options->allow_empty) {
        return 0;
    }
    if (points) {
        return cli_error("%s: it has no faces, only %s: give a mesh, or --allow-empty to accept it", path,
                         cli_format_number_of(points, "point", "points").text);
    }
    return cli_error("%s: it has no faces: give a mesh, or --allow-empty to accept it", path);
}
