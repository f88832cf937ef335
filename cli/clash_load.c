/* tumble clash: from files to an assembly. */
#include <string.h>

#include "clash.h"
#include "foreign.h"
#include "message.h"
#include "progress.h"

/* What is read of a folder; all else, such as textures, is not a model. */
static int is_model_file(const char *path)
{
    static const char *const endings[] = {"obj", "off", "stl", "ply", "tumble"};
    const cli_ending ending = cli_ending_of(path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (strcmp(ending.text, endings[i]) == 0) {
            return 1;
        }
    }
    return 0;
}

static int read_files(clash_run *run)
{
    cli_progress *progress = cli_progress_begin("reading");
    int error = 0;
    for (size_t i = 0; i < run->files.count && !error; i++) {
        const char *path = run->files.paths[i];
        const tumble_status status = tumble_assembly_read(run->assembly, path);
        error = status == TUMBLE_OK ? 0 : cli_library_error(run->context, status, path);
        cli_progress_set(progress, (double)(i + 1) / (double)run->files.count);
    }
    cli_progress_end(progress);
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
