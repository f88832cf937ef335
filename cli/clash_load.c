/* tumble clash: from files to an assembly. */
#include <string.h>

#include "clash.h"
#include "clash_files.h"
#include "foreign.h"
#include "import.h"
#include "list_load.h"
#include "message.h"
#include "progress.h"
#include "robot_load.h"

/* What is read of a folder; all else, such as textures, is not a model. */
static int is_model_file(const char *path)
{
    static const char *const endings[] = {"obj", "off", "stl", "ply", "tumble", "glb", "gltf", "3mf",
                                          "dae", "fbx", "ifc", "3ds", "amf",    "x3d", "lwo",  "ifczip"};
    const cli_ending ending = cli_ending_of(path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (strcmp(ending.text, endings[i]) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Read by the library, whatever they are called; but not those with an ending that is another format's. */
static int is_own_format(const char *path)
{
    static const char *const others[] = {"glb", "gltf", "3mf", "dae", "fbx",   "ifc",
                                         "3ds", "amf",  "x3d", "lwo", "ifczip"};
    const cli_ending ending = cli_ending_of(path);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strcmp(ending.text, others[i]) == 0) {
            return 0;
        }
    }
    return 1;
}

/* ---- units and axes ---- */

/* A file, and what its units and axes are turned into. */
typedef struct placing {
    clash_run *run;
    const char *path;
} placing;

/* Files that state different units, or of which only some state one, are an error: nobody would see that a part is a
 * thousand times too large. */
static int compare_units(const clash_run *run, const char *path, const cli_frame *frame)
{
    const cli_frame *first = &run->frame;
    if (first->metres > 0 && frame->metres > 0 && !cli_same_unit(first->metres, frame->metres)) {
        return cli_error("%s: its unit is %s, but that of %s is %s: convert all with --units %s", path,
                         cli_unit_word(frame).text, run->frame_file, cli_unit_word(first).text,
                         cli_unit_word(first).text);
    }
    if ((first->metres > 0) != (frame->metres > 0)) {
        const int is_first = first->metres > 0;
        return cli_error("%s: it states no unit, but that of %s is %s: say with --assume-units what it is, and with "
                         "--units what to convert all into",
                         is_first ? path : run->frame_file, is_first ? run->frame_file : path,
                         cli_unit_word(is_first ? first : frame).text);
    }
    return 0;
}

static int compare_axes(const clash_run *run, const char *path, const cli_frame *frame)
{
    const cli_frame *first = &run->frame;
    if (first->up == frame->up) {
        return 0;
    }
    if (first->up && frame->up) {
        return cli_error("%s: %s is up, but in %s %s: turn all with --up %s", path, cli_up_word(frame).text,
                         run->frame_file, cli_up_word(first).text, first->up == 2 ? "y" : "z");
    }
    return cli_error("%s: it does not state what is up, but in %s %s is: say so with --assume-up, and turn all with "
                     "--up",
                     first->up ? path : run->frame_file, first->up ? run->frame_file : path,
                     cli_up_word(first->up ? first : frame).text);
}

int cli_clash_place(clash_run *run, const char *path, const cli_frame *stated, double transform[12])
{
    cli_frame frame = *stated;
    int error = cli_frame_transform(path, &run->settings->input.frame, &frame, transform);
    if (error) {
        return error;
    }
    if (!run->frame_file) {
        run->frame = frame;
        run->frame_file = path;
    }
    error = compare_units(run, path, &frame);
    return error ? error : compare_axes(run, path, &frame);
}

static int place(void *user, const cli_frame *stated, double transform[12])
{
    const placing *p = user;
    return cli_clash_place(p->run, p->path, stated, transform);
}

/* ---- files ---- */

int cli_clash_read_file(clash_run *run, const char *path)
{
    static const cli_frame unknown = {0, 0};
    placing p = {run, path};
    double transform[12];
    int error = cli_refuse_foreign(run->context, path);
    if (error) {
        return error;
    }
    if (cli_is_robot(path)) {
        return cli_load_robot(run, path);
    }
    if (!is_own_format(path)) {
        return cli_import_assembly(run->context, path, &run->settings->input, place, &p, run->assembly);
    }
    error = place(&p, &unknown, transform);
    if (error) {
        return error;
    }
    const tumble_status status = tumble_assembly_read_at(run->assembly, path, transform);
    return status == TUMBLE_OK ? 0 : cli_library_error(run->context, status, path);
}

static int read_files(clash_run *run)
{
    cli_progress *progress = cli_progress_begin("reading");
    int error = 0;
    for (size_t i = 0; i < run->files.count && !error; i++) {
        const char *path = run->files.paths[i];
        error = cli_is_part_list(path) ? cli_load_part_list(run, path) : cli_clash_read_file(run, path);
        cli_progress_set(progress, (double)(i + 1) / (double)run->files.count);
    }
    cli_progress_end(progress);
    if (!error) {
        const tumble_status status = tumble_assembly_set_frame(run->assembly, run->frame.metres, run->frame.up);
        error = status == TUMBLE_OK ? 0 : cli_library_error(run->context, status, "--units");
    }
    return error;
}

int cli_clash_load(clash_run *run, const char *const *paths, size_t count)
{
    tumble_context_options options = tumble_default_context_options();
    options.thread_count = (uint32_t)run->settings->threads;
    int error = 0;
    for (size_t i = 0; i < count && !error; i++) {
        error = cli_list_files(paths[i], is_model_file, &run->files);
    }
    if (error) {
        return error;
    }
    tumble_status status = tumble_context_create(&options, &run->context);
    if (status != TUMBLE_OK) {
        return cli_error("%s: free some memory", tumble_status_text(status));
    }
    status = tumble_assembly_create(run->context, &run->assembly);
    return status == TUMBLE_OK ? read_files(run) : cli_library_error(run->context, status, "the assembly");
}
