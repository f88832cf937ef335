/* "Job" of tumble clash: answers that are kept in a folder, by one process or by several. */
#ifndef TUMBLE_CLI_CLASH_JOB_H
#define TUMBLE_CLI_CLASH_JOB_H

#include "clash/job.h"
#include "options.h"

/* All 0 by default. */
typedef struct clash_job_options {
    const char *folder;
    const char *part; /* "2/5" */
    int merge;
} clash_job_options;

/* --job, --part, --merge. */
cli_section cli_clash_job_section(clash_job_options *options);

/* What was asked for, and the folder, which is made. Returns 0 or an exit status after reporting the error. */
int cli_clash_job_begin(const clash_job_options *options, tmb_clash_job *job);

/* Tells how far a part has come. Returns an exit status: an error if it was interrupted. */
int cli_clash_job_tell(const tmb_clash_job *job, int is_interrupted);

#endif
