/* tumble devices: on what checks can run. */
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

#include "commands.h"
#include "device_options.h"
#include "json.h"
#include "message.h"
#include "output.h"
#include "output_options.h"
#include "report.h"
#include "words.h"

static const char description[] =
    "Lists the devices for 'tumble check --device': 'cpu' is the thread pool, which always exists, the others are the "
    "OpenCL devices that the loader finds. All give the same answers; those without doubles leave more to the "
    "processor. On a processor 'cpu' is much faster than an OpenCL device such as PoCL's.";

static const char examples[] = "tumble devices\n"
                               "tumble devices --json\n"
                               "tumble check housing.tumble part.tumble --poses poses.txt --device opencl:0";

/* ---- JSON ---- */

static void json_device(cli_json *json, uint32_t number, const tumble_device_info *info)
{
    cli_json_open_object(json, NULL);
    cli_json_text(json, "device", cli_name_device(number).text);
    cli_json_text(json, "kind", info->kind == TUMBLE_DEVICE_CPU ? "cpu" : "opencl");
    cli_json_text(json, "name", info->name);
    cli_json_text(json, "platform", info->platform);
    cli_json_text(json, "version", info->version);
    cli_json_bool(json, "gpu", info->is_gpu);
    cli_json_whole(json, "units", info->unit_count);
    cli_json_whole(json, "memory_bytes", info->memory_bytes);
    cli_json_bool(json, "doubles", info->has_doubles);
    cli_json_close_object(json);
}

static void report_json(FILE *file, const tumble_device_info *infos, uint32_t count)
{
    cli_json json = {.file = file};
    cli_json_open_object(&json, NULL);
    cli_json_open_array(&json, "devices");
    for (uint32_t i = 0; i < count; i++) {
        json_device(&json, i, &infos[i]);
    }
    cli_json_close_array(&json);
    cli_json_close_object(&json);
}

/* ---- text ---- */

static void add_row(cli_table *table, const char *key, const char *value)
{
    cli_table_add(table, "%s", key);
    cli_table_add(table, "%s", value);
}

static int print_device(FILE *file, uint32_t number, const tumble_device_info *info)
{
    const int is_pool = info->kind == TUMBLE_DEVICE_CPU;
    cli_table table = {.alignments = "ll"};
    fprintf(file, "%s\n", cli_name_device(number).text);
    add_row(&table, "name", info->name);
    if (!is_pool) {
        add_row(&table, "platform", info->platform);
        add_row(&table, "version", info->version);
    }
    add_row(&table, "kind",
            is_pool        ? "a pool of threads"
            : info->is_gpu ? "graphics processor"
                           : "processor: --device cpu is faster on it");
    add_row(&table, "units",
            is_pool ? cli_format_number_of(info->unit_count, "processor", "processors").text
                    : cli_format_count(info->unit_count).text);
    add_row(&table, "memory", is_pool ? "the program's" : cli_format_bytes((double)info->memory_bytes).text);
    add_row(&table, "doubles", info->has_doubles ? "yes" : "no: what floats cannot decide, the processor does");
    const int error = cli_table_print(&table, file, 2);
    fputc('\n', file);
    return error;
}

static int report_text(FILE *file, const tumble_device_info *infos, uint32_t count)
{
    int error = 0;
    for (uint32_t i = 0; i < count && !error; i++) {
        error = print_device(file, i, &infos[i]);
    }
    if (count < 2) {
        char text[512];
        snprintf(text, sizeof text, "There is no OpenCL device. To get one, %s.", cli_opencl_advice);
        cli_print_wrapped(file, text, 0, 0, CLI_HELP_WIDTH);
        fputc('\n', file);
    }
    uint32_t best = 0; /* threads beat an OpenCL device that is the processor */
    for (uint32_t i = count; i-- > 1;) {
        best = infos[i].is_gpu ? i : best;
    }
    fprintf(file, "Use one as in: tumble check A B --poses FILE --device %s\n", cli_name_device(best).text);
    return error;
}

/* ---- the command ---- */

/* *infos is to be freed by the caller. */
static int describe_all(tumble_context *context, tumble_device_info **infos, uint32_t *count)
{
    tumble_status status = tumble_device_count(context, count);
    *infos = calloc(status == TUMBLE_OK ? *count + 1 : 1, sizeof **infos);
    if (!*infos) {
        return cli_memory_error("the devices");
    }
    for (uint32_t i = 0; i < *count && status == TUMBLE_OK; i++) {
        status = tumble_device_describe(context, i, &(*infos)[i]);
    }
    return status == TUMBLE_OK ? 0 : cli_library_error(context, status, NULL);
}

static int report(const cli_output_options *settings, const tumble_device_info *infos, uint32_t count)
{
    cli_output output;
    int error = cli_output_open(&output, settings->file);
    if (error) {
        return error;
    }
    if (settings->json) {
        report_json(output.file, infos, count);
    } else {
        error = report_text(output.file, infos, count);
    }
    if (error) {
        cli_output_discard(&output);
        return error;
    }
    return cli_output_close(&output);
}

int cli_devices(const char *program, int argc, char **argv)
{
    (void)program;
    cli_output_options settings = cli_default_output_options();
    cli_section sections[] = {cli_plain_output_section(&settings), {.title = NULL}};
    const cli_usage usage = {.name = "devices",
                             .purpose = "lists the devices that checks can run on",
                             .usage = "tumble devices [options]",
                             .description = description,
                             .sections = sections,
                             .examples = examples,
                             .exit_status = "0  done, also without OpenCL devices\n2  an error; stderr says what to do",
                             .operands = "no arguments"};
    cli_operands operands;
    int exit_status;
    if (!cli_parse(&usage, argc, argv, &operands, &exit_status)) {
        return exit_status;
    }
    tumble_context *context;
    if (tumble_context_create(NULL, &context) != TUMBLE_OK) {
        return cli_memory_error("a context");
    }
    tumble_device_info *infos = NULL;
    uint32_t count = 0;
    int error = describe_all(context, &infos, &count);
    error = error ? error : report(&settings, infos, count);
    free(infos);
    tumble_context_destroy(context);
    return error;
}
