/* "Job" of tumble clash. */
#include "clash_job.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "folder.h"
#include "io/number.h"
#include "message.h"

static const cli_option job_options[] = {
    {.kind = CLI_TEXT,
     .name = "job",
     .argument = "DIR",
     .help = "keeps the answers in this folder while they are found: the same command goes on where a run that was "
             "killed has stopped",
     .offset = offsetof(clash_job_options, folder)},
    {.kind = CLI_TEXT,
     .name = "part",
     .argument = "I/N",
     .help = "with --job: only the I-th of N parts of the work, without a report; parts may run at the same time, on "
             "several machines that share the folder",
     .offset = offsetof(clash_job_options, part)},
    {.kind = CLI_FLAG,
     .name = "merge",
     .help = "with --job: the report of all parts, which must be finished; the same as that of a run without parts",
     .offset = offsetof(clash_job_options, merge),
     .value = 1},
    {.name = NULL}};

cli_section cli_clash_job_section(clash_job_options *options)
{
    return (cli_section){.title = "Job", .options = job_options, .target = options};
}

/* "2/5". */
static int read_part(const char *text, tmb_clash_job *job)
{
    const char *end = text + strlen(text);
    int64_t part = 0, count = 0;
    const char *slash = tmb_parse_integer(text, end, &part);
    const char *after = slash && slash < end && *slash == '/' ? tmb_parse_integer(slash + 1, end, &count) : NULL;
    if (after != end || part < 1 || count < part || count > 1000000) {
        return cli_error("--part: '%s' is no part: give I/N with I from 1 to N, such as 2/5", text);
    }
    job->part = (uint32_t)part;
    job->part_count = (uint32_t)count;
    return 0;
}

int cli_clash_job_begin(const clash_job_options *options, tmb_clash_job *job)
{
    if (!options->folder) {
        return options->part || options->merge ? cli_error("%s: it needs a folder for the answers: name one with --job",
                                                           options->part ? "--part" : "--merge")
                                               : 0;
    }
    if (options->part && options->merge) {
        return cli_error("--merge: it is about all parts: leave --part out");
    }
    job->folder = options->folder;
    job->must_be_complete = options->merge;
    const int error = options->part ? read_part(options->part, job) : 0;
    return error || options->merge ? error : cli_make_folders(options->folder);
}

int cli_clash_job_tell(const tmb_clash_job *job, int is_interrupted)
{
    printf("part %u of %u: %llu of %llu questions are answered\n", (unsigned)job->part, (unsigned)job->part_count,
           (unsigned long long)job->answer_count, (unsigned long long)job->question_count);
    return is_interrupted ? cli_error("the part was interrupted: start it again, and it goes on where it was")
                          : CLI_EXIT_OK;
}
