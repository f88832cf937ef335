/* One model and what is known of it. */
#include "one_model.h"

#include "files.h"
#include "message.h"

enum {
    OWN_SECTIONS = CLI_ONE_SECTIONS - CLI_LOAD_SECTIONS
};

void cli_one_sections(cli_load_options *load, cli_section output, cli_section sections[CLI_ONE_SECTIONS])
{
    *load = cli_default_load_options();
    load->surfaces.wanted = 1;
    sections[0] = output;
    sections[1] = cli_input_section(&load->input);
    sections[2] = cli_surface_section(&load->surfaces);
    cli_load_sections(load, CLI_ASKS_NOTHING, sections + OWN_SECTIONS);
}

static int check(const char *file, const cli_load_options *load, const char *output)
{
    const cli_file_uses uses = {.inputs = {{"the model", file}}, .outputs = {{"--output", output}}};
    const int error = cli_check_surface_options(&load->surfaces, NULL);
    return error ? error : cli_check_files(&uses);
}

int cli_one_open(cli_one_model *one, const char *file, const cli_load_options *load, const cli_section *sections,
                 const char *output)
{
    const char *readable = file;
    one->file = file;
    one->name = cli_file_name(file);
    int error = check(file, load, output);
    error = error ? error : cli_readable_path(file, &readable);
    error = error ? error : cli_create_context(load, &one->context);
    error = error ? error
                  : cli_load_model(one->context, readable, load, sections + OWN_SECTIONS, &one->model, &one->surfaces,
                                   &one->frame);
    return error ? error : cli_get_info(one->context, one->model, readable, &one->info);
}

int cli_one_thicken(cli_one_model *one, double radius)
{
    const tumble_status status = radius > 0 ? tumble_model_set_radius(one->model, radius) : TUMBLE_OK;
    return status == TUMBLE_OK ? 0 : cli_library_error(one->context, status, one->name);
}

void cli_one_close(cli_one_model *one)
{
    cli_free_surfaces(&one->surfaces);
    tumble_model_destroy(one->model);
    tumble_context_destroy(one->context);
    *one = (cli_one_model){.context = NULL};
}
