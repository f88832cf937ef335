/* Files that no reader can help with. */
#include "foreign.h"

#include <ctype.h>
#include <string.h>

#include "io/file.h"
#include "message.h"

enum {
    START_BYTES = 4096
};

cli_ending cli_ending_of(const char *path)
{
    cli_ending ending = {""};
    const char *dot = strrchr(path, '.');
    if (dot && !strchr(dot, '/')) {
        for (size_t i = 0; dot[i + 1] && i + 1 < sizeof ending.text; i++) {
            ending.text[i] = (char)tolower((unsigned char)dot[i + 1]);
        }
    }
    return ending;
}

/* CAD programs keep curved faces in these; none is a mesh. */
static const char *cad_format(const char *ending)
{
    static const char *const formats[][2] = {{"step", "STEP"},         {"stp", "STEP"},
                                             {"p21", "STEP"},          {"stpz", "STEP"},
                                             {"iges", "IGES"},         {"igs", "IGES"},
                                             {"brep", "BREP"},         {"brp", "BREP"},
                                             {"sat", "ACIS"},          {"sab", "ACIS"},
                                             {"x_t", "Parasolid"},     {"x_b", "Parasolid"},
                                             {"sldprt", "SolidWorks"}, {"sldasm", "SolidWorks"},
                                             {"catpart", "CATIA"},     {"catproduct", "CATIA"},
                                             {"ipt", "Inventor"},      {"iam", "Inventor"},
                                             {"fcstd", "FreeCAD"},     {"3dm", "Rhino"},
                                             {"dwg", "DWG"},           {"jt", "JT"},
                                             {"skp", "SketchUp"},      {"f3d", "Fusion"}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strcmp(ending, formats[i][0]) == 0) {
            return formats[i][1];
        }
    }
    return NULL;
}

static int starts_with(const char *data, const char *text)
{
    return strncmp(data, text, strlen(text)) == 0;
}

/* IFC has the same syntax and another schema. */
static int is_step(const char *data, const char *ending)
{
    return starts_with(data, "ISO-10303-21") && strncmp(ending, "ifc", 3) != 0 && !strstr(data, "'IFC");
}

static int cad_error(const char *path, const char *format)
{
    return cli_error("%s: %s files are not supported, as they hold CAD data and no mesh: export the model as STL, "
                     "OBJ, 3MF or glTF from a CAD program",
                     path, format);
}

int cli_refuse_foreign(tumble_context *context, const char *path)
{
    char data[START_BYTES + 1];
    size_t size = 0;
    if (tmb_file_read_start(context, path, data, START_BYTES, &size) != TUMBLE_OK) {
        return 0; /* whoever reads it says why */
    }
    data[size] = '\0';
    const cli_ending ending = cli_ending_of(path);
    if (starts_with(data, "version https://git-lfs.github.com/spec/")) {
        return cli_error("%s: a Git LFS pointer, not the file itself: fetch that with 'git lfs pull'", path);
    }
    if (is_step(data, ending.text)) {
        return cad_error(path, "STEP");
    }
    const char *format = cad_format(ending.text);
    return format ? cad_error(path, format) : 0;
}
