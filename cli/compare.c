/* What 'tumble check' and 'tumble distance' have in common. */
#include "compare.h"

#include "files.h"
#include "message.h"

void cli_compare_begin(cli_comparison *comparison, const cli_section *own, cli_asks asks)
{
    cli_compare_options *options = &comparison->options;
    options->two.load = cli_default_load_options();
    options->budget = cli_no_budget();
    options->output = cli_default_output_options();
    cli_section *section = comparison->sections;
    *section++ = *own++;
    *section++ = cli_pose_section(&options->two);
    *section++ = cli_output_section(&options->output);
    for (; own->title; own++) {
        *section++ = *own;
    }
    *section++ = cli_input_section(&options->two.load.input);
    *section++ = cli_budget_section(&options->budget);
    cli_load_sections(&options->two.load, asks, section);
    comparison->load_sections = section;
}

static int parse(cli_comparison *comparison, const cli_compare_command *command, int argc, char **argv,
                 cli_operands *operands, int *exit_status)
{
    char usage_line[64];
    snprintf(usage_line, sizeof usage_line, "tumble %s A B [options]", command->name);
    const cli_usage usage = {.name = command->name,
                             .purpose = command->purpose,
                             .usage = usage_line,
                             .description = command->description,
                             .sections = comparison->sections,
                             .topics = "hierarchy",
                             .examples = command->examples,
                             .exit_status = command->exit_status,
                             .least_operands = 2,
                             .most_operands = 2,
                             .operands = "two models, A and B"};
    return cli_parse(&usage, argc, argv, operands, exit_status);
}

static int check_files(const cli_compare_options *options, const cli_operands *operands)
{
    const cli_file_uses uses = {
        .inputs = {{"model A", operands->words[0]}, {"model B", operands->words[1]}, {"--poses", options->two.poses}},
        .outputs = {{"--output", options->output.file},
                    {"--plot", options->drawings.plot},
                    {"--picture", options->drawings.picture}}};
    return cli_check_files(&uses);
}

static int prepare(cli_comparison *comparison, const cli_compare_command *command, void *run,
                   const cli_operands *operands)
{
    const cli_compare_options *options = &comparison->options;
    cli_two_models *two = &comparison->two;
    int error = command->refuse(run);
    error = error ? error : check_files(options, operands);
    error = error ? error : cli_two_open(two, operands->words, &options->two, comparison->load_sections);
    error = error ? error : command->prepare(run);
    error = error ? error : cli_output_open(&comparison->output, options->output.file);
    comparison->report.file = comparison->output.file;
    comparison->report.two = two;
    comparison->report.along_path = options->two.poses != NULL;
    comparison->report.stats = options->output.stats;
    comparison->report.limit = cli_limit_of(&options->output);
    return error;
}

static int ask_all(cli_comparison *comparison, const cli_compare_command *command, void *run)
{
    const size_t count = comparison->two.path.count;
    for (size_t i = 0; i < count && !ferror(comparison->output.file); i++) {
        const int error = command->ask(run, i);
        if (error) {
            return error;
        }
        if (count > 1 && !comparison->own_progress) {
            cli_progress_set(comparison->progress, (double)(i + 1) / (double)count);
        }
    }
    return 0;
}

static int answer(cli_comparison *comparison, const cli_compare_command *command, void *run)
{
    comparison->progress = cli_progress_begin(command->label);
    int error = ask_all(comparison, command, run);
    cli_progress_end(comparison->progress);
    error = error ? error : command->finish(run);
    if (error) {
        cli_output_discard(&comparison->output);
        return error;
    }
    return cli_output_close(&comparison->output);
}

int cli_compare(cli_comparison *comparison, const cli_compare_command *command, void *run, int argc, char **argv)
{
    cli_operands operands;
    int exit_status;
    if (!parse(comparison, command, argc, argv, &operands, &exit_status)) {
        return exit_status;
    }
    int error = prepare(comparison, command, run, &operands);
    error = error ? error : answer(comparison, command, run);
    error = error || !command->draw ? error : command->draw(run);
    command->clean_up(run);
    cli_two_close(&comparison->two);
    cli_obey_interrupts();
    return error ? error : cli_exit_of(comparison->seen);
}
