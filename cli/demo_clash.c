/* tumble demo clash: a pump house is made, and its clashes are found and reported. */
#include "demo_clash.h"

#include <stddef.h>

#include "clash.h"
#include "message.h"
#include "options.h"
#include "pump_house.h"

static tumble_status add_house(clash_run *run, const models_house *house)
{
    uint32_t models[MODELS_HOUSE_SHAPES] = {0};
    tumble_status status = tumble_assembly_set_frame(run->assembly, 0.001, 3);
    for (size_t i = 0; i < house->shape_count && status == TUMBLE_OK; i++) {
        const tumble_mesh mesh = models_view(&house->shapes[i]);
        status = tumble_assembly_add_mesh(run->assembly, &mesh, &models[i]);
    }
    for (size_t i = 0; i < house->part_count && status == TUMBLE_OK; i++) {
        const models_house_part *part = &house->parts[i];
        const tumble_assembly_item item = {.name = part->name,
                                           .path = part->path,
                                           .file = "pump house",
                                           .class_name = part->class_name,
                                           .material = part->material,
                                           .model = models[part->shape],
                                           .transform = &part->pose.m[0][0]};
        status = tumble_assembly_add(run->assembly, &item);
    }
    return status;
}

static int compare(clash_run *run)
{
    models_house house;
    if (!models_make_house(&house)) {
        return cli_memory_error("the pump house");
    }
    tumble_status status = tumble_context_create(NULL, &run->context);
    if (status == TUMBLE_OK) {
        status = tumble_assembly_create(run->context, &run->assembly);
    }
    if (status == TUMBLE_OK) {
        status = add_house(run, &house);
    }
    models_free_house(&house);
    if (status == TUMBLE_OK) {
        tumble_clash_options options = tumble_default_clash_options();
        options.clearance = run->settings->clearance;
        status = tumble_clash_run(run->assembly, &options, &run->clashes);
    }
    return status == TUMBLE_OK ? 0 : cli_library_error(run->context, status, "the pump house");
}

static const cli_option demo_options[] = {{.kind = CLI_TEXT,
                                           .letter = 'o',
                                           .name = "output",
                                           .argument = "DIR",
                                           .help = "the folder for the report; created if missing (default: out/clash)",
                                           .offset = offsetof(clash_settings, folder)},
                                          {.kind = CLI_NUMBER,
                                           .name = "clearance",
                                           .argument = "D",
                                           .help = "parts that are nearer than D millimetres clash, too",
                                           .offset = offsetof(clash_settings, clearance),
                                           .least = 0,
                                           .most = 1e6,
                                           .show_default = 1},
                                          {.name = NULL}};

int cli_demo_clash(const char *program, int argc, char **argv)
{
    (void)program;
    clash_settings settings = {.clearance = 20, .limit = 10, .folder = "out/clash", .group_radius = -1, .bcf = 1};
    cli_section sections[] = {{.title = "Demonstration", .options = demo_options, .target = &settings},
                              {.title = NULL}};
    const cli_usage usage = {
        .name = "demo clash",
        .purpose = "finds the clashes of a pump house, and writes their report",
        .usage = "tumble demo clash [-o DIR] [options]",
        .description = "Makes an assembly of some 50 parts, compares every part with every other one and writes "
                       "the report that 'tumble clash' writes: a page for a browser, JSON, CSV, a summary, BCF.",
        .sections = sections,
        .examples = "tumble demo clash\ntumble demo clash -o /tmp/report --clearance 100",
        .exit_status = "0  done\n2  an error; stderr says what to do"};
    cli_operands operands;
    int exit_status;
    if (!cli_parse(&usage, argc, argv, &operands, &exit_status)) {
        return exit_status;
    }
    clash_run run = {.settings = &settings, .title = "Clashes of a pump house"};
    int error = compare(&run);
    error = error ? error : cli_clash_write(&run);
    error = error ? error : cli_clash_tell(&run);
    tumble_clashes_destroy(run.clashes);
    tumble_assembly_destroy(run.assembly);
    tumble_context_destroy(run.context);
    return error;
}
