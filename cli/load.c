/* From a file name to a model. */
#include "load.h"

#include <stdlib.h>
#include <string.h>

#include "foreign.h"
#include "import.h"
#include "message.h"
#include "progress.h"
#include "tumble/io.h"

int cli_create_context(const cli_load_options *options, tumble_context **out)
{
    const tumble_context_options wanted = cli_context_options(options);
    const tumble_status status = tumble_context_create(&wanted, out);
    if (status != TUMBLE_OK) {
        return cli_error("%s: free some memory", tumble_status_text(status));
    }
    if (wanted.simd != TUMBLE_SIMD_AUTO && tumble_context_simd(*out) != wanted.simd) {
        cli_note("there is no %s here, %s is used", cli_simd_word(wanted.simd),
                 cli_simd_word(tumble_context_simd(*out)));
    }
    return 0;
}

int cli_get_info(tumble_context *context, const tumble_model *model, const char *path, tumble_model_info *out)
{
    const tumble_status status = tumble_model_get_info(model, out);
    return status == TUMBLE_OK ? 0 : cli_library_error(context, status, path);
}

/* Where what was loaded goes. */
typedef struct target {
    tumble_model **model;
    cli_surfaces *surfaces;
    cli_frame *frame;
} target;

/* A damaged or outdated model is built again, not exported; the library's message says so. */
static int report_unloaded(const tumble_context *context, tumble_status status, const char *path)
{
    char text[1024] = "";
    if (status != TUMBLE_ERROR_FORMAT) {
        return cli_library_error(context, status, path);
    }
    (void)tumble_last_error(context, text, sizeof text);
    return cli_error("%s", text);
}

static int load_saved(tumble_context *context, const char *path, const cli_load_options *options,
                      const cli_section *sections, cli_role role, const target *out)
{
    cli_progress *progress = cli_progress_begin("loading");
    const tumble_status status = tumble_model_load(context, path, out->model);
    cli_progress_end(progress);
    if (status != TUMBLE_OK) {
        return report_unloaded(context, status, path);
    }
    int error = cli_check_saved(path, *out->model, options, sections, role);
    error = error ? error : cli_check_empty(path, !cli_is_empty(*out->model), 0, &options->input);
    error = error ? error : cli_convert_saved_frame(path, &options->input.frame, out->frame);
    if (error) {
        tumble_model_destroy(*out->model);
        *out->model = NULL;
        return error;
    }
    cli_keep_surfaces(path, &options->surfaces, out->surfaces);
    return 0;
}

/* Formats of the library, then others. */
static int read_file(tumble_context *context, const char *path, const cli_input_options *options,
                     tumble_mesh_buffer **out, cli_frame *frame)
{
    char warning[256];
    const int error = cli_refuse_foreign(context, path);
    if (error) {
        return error;
    }
    cli_progress *progress = cli_progress_begin("reading");
    const tumble_status status = tumble_mesh_read(context, path, out);
    cli_progress_end(progress);
    if (status == TUMBLE_ERROR_UNSUPPORTED) {
        return cli_import(context, path, options, out, frame);
    }
    if (status == TUMBLE_OK && tumble_mesh_buffer_warning(*out, warning, sizeof warning)) {
        cli_warning("%s: %s; it was skipped", path, warning);
    }
    return status == TUMBLE_OK ? 0 : cli_library_error(context, status, path);
}

static int read_mesh(tumble_context *context, const char *path, const cli_input_options *options,
                     tumble_mesh_buffer **out, cli_frame *frame)
{
    *frame = (cli_frame){0, 0};
    const int error = read_file(context, path, options, out, frame);
    if (error) {
        return error;
    }
    const tumble_mesh *mesh = tumble_mesh_buffer_mesh(*out);
    const int empty = cli_check_empty(path, mesh->polygon_count, mesh->point_count, options);
    return empty ? empty : cli_convert_frame(path, &options->frame, frame, *out);
}

static int build_model(tumble_context *context, const char *path, const tumble_mesh *mesh,
                       const cli_load_options *options, cli_role role, tumble_model **out)
{
    const tumble_tuning tuning = cli_tuning(options, role);
    tumble_model_options wanted = cli_model_options(options, &tuning);
    cli_progress *progress = cli_progress_begin("building");
    wanted.progress = progress ? cli_progress_callback : NULL;
    wanted.progress_user = progress;
    const tumble_status status = tumble_model_create(context, mesh, &wanted, out);
    cli_progress_end(progress);
    return status == TUMBLE_OK ? 0 : cli_library_error(context, status, path);
}

/* A file called so is taken for one also when its first bytes are damaged: the message is then about saved models. */
static int is_called_saved(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".tumble") == 0;
}

static int is_saved(tumble_context *context, const char *path, bool *out)
{
    const tumble_status status = tumble_is_model_file(context, path, out);
    *out = *out || is_called_saved(path);
    return status == TUMBLE_OK ? 0 : cli_library_error(context, status, path);
}

static int load_mesh(tumble_context *context, const char *path, const cli_load_options *options,
                     const cli_section *sections, cli_role role, const target *out)
{
    tumble_mesh_buffer *buffer = NULL;
    tumble_mesh mesh;
    uint32_t *ids = NULL;
    int error = cli_check_hierarchy_options(options, sections);
    error = error ? error : read_mesh(context, path, &options->input, &buffer, out->frame);
    error = error ? error : cli_make_surfaces(context, path, buffer, &options->surfaces, &mesh, &ids, out->surfaces);
    error = error ? error : build_model(context, path, &mesh, options, role, out->model);
    free(ids);
    tumble_mesh_buffer_destroy(buffer);
    return error;
}

static int load(tumble_context *context, const char *path, const cli_load_options *options, const cli_section *sections,
                cli_role role, const target *out)
{
    *out->model = NULL;
    bool saved = false;
    const int error = is_saved(context, path, &saved);
    if (error) {
        return error;
    }
    return (saved ? load_saved : load_mesh)(context, path, options, sections, role, out);
}

int cli_load_model(tumble_context *context, const char *path, const cli_load_options *options,
                   const cli_section *sections, tumble_model **out, cli_surfaces *surfaces, cli_frame *frame)
{
    return load(context, path, options, sections, CLI_ROLE_NONE, &(target){out, surfaces, frame});
}

/* A saved model comes first, as a mesh takes after it. */
static int load_two(tumble_context *context, const char *const paths[2], const cli_load_options *options,
                    const cli_section *sections, const bool saved[2], const target out[2])
{
    static const cli_role roles[2] = {CLI_ROLE_A, CLI_ROLE_B};
    const int first = !saved[0] && saved[1], second = !first;
    cli_load_options wanted = *options;
    const int error = load(context, paths[first], options, sections, roles[first], &out[first]);
    if (error) {
        return error;
    }
    if (saved[first] && !saved[second]) {
        cli_follow_saved(*out[first].model, sections, &wanted);
    }
    return load(context, paths[second], &wanted, sections, roles[second], &out[second]);
}

int cli_load_pair(tumble_context *context, const char *const paths[2], const cli_load_options *options,
                  const cli_section *sections, tumble_model *out[2], cli_surfaces surfaces[2])
{
    bool saved[2] = {false, false};
    cli_frame frames[2] = {{0, 0}, {0, 0}};
    const target targets[2] = {{&out[0], &surfaces[0], &frames[0]}, {&out[1], &surfaces[1], &frames[1]}};
    int error = is_saved(context, paths[0], &saved[0]);
    error = error ? error : is_saved(context, paths[1], &saved[1]);
    if (error) {
        return error;
    }
    if (strcmp(paths[0], paths[1]) == 0 && (saved[0] || cli_same_for_both(options))) {
        error = load(context, paths[1], options, sections, CLI_ROLE_B, &targets[1]);
        out[0] = out[1];
        surfaces[0] = surfaces[1];
        return error;
    }
    error = load_two(context, paths, options, sections, saved, targets);
    if (!error) {
        cli_warn_of_frames(paths, frames);
    }
    return error;
}
