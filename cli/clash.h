/* The inside of 'tumble clash'. */
#ifndef TUMBLE_CLI_CLASH_H
#define TUMBLE_CLI_CLASH_H

#include "clash_job.h"
#include "folder.h"
#include "input.h"
#include "robot_options.h"
#include "tumble/clash.h"

typedef struct clash_settings {
    double clearance, touch, depth_budget, limit, threads;
    double group_radius; /* negative: not given */
    int severity, fail_on, group;
    int bcf, ifcclash;
    const char *folder; /* NULL: only text */
    const char *rules, *check_rules;
    const char *before; /* clashes.json of the last run; NULL: there is none */
    int retest;
    cli_input_options input;
    cli_robot_options robot;
    clash_job_options job;
} clash_settings;

typedef struct clash_run {
    const clash_settings *settings;
    char title[160]; /* of the report */
    tumble_context *context;
    cli_file_list files;
    cli_frame frame;        /* of all files */
    const char *frame_file; /* the first one; NULL: none yet */
    tumble_assembly *assembly;
    tumble_clash_rules *rules;
    tumble_clash_before *before;
    tumble_clashes *clashes;
    tmb_clash_job job; /* without a folder: none */
} clash_run;

/* All return 0, or an exit status after reporting the error. */
int cli_clash_load(clash_run *run, const char *const *paths, size_t count);
int cli_clash_read_rules(clash_run *run, const char *path);
int cli_clash_tell_rules(const clash_run *run); /* and how many parts are in their sets, if there are parts */
int cli_clash_tell(const clash_run *run);       /* on the terminal */
int cli_clash_write(const clash_run *run);      /* the report's folder */
int cli_clash_write_formats(const clash_run *run);

static inline int cli_clash_is_gone(const tumble_clash *clash)
{
    return clash->change == TUMBLE_CHANGE_RESOLVED || clash->change == TUMBLE_CHANGE_UNRETESTED;
}

#endif
