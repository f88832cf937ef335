/* A run of 'tumble check', for its own files. */
#ifndef TUMBLE_CLI_CHECK_H
#define TUMBLE_CLI_CHECK_H

#include "batches.h"
#include "check_report.h"
#include "collide.h"
#include "compare.h"
#include "continuous.h"
#include "near.h"
#include "surface_path.h"
#include "tumble/region.h"

enum {
    CHECK_NO_MODE = -1
};

typedef enum check_surfaces {
    CHECK_NO_SURFACES,
    CHECK_FIRST_SURFACES,
    CHECK_ALL_SURFACES
} check_surfaces;

typedef struct check_settings {
    int mode;     /* tumble_mode, or CHECK_NO_MODE when none was given */
    int surfaces; /* check_surfaces */
    double clearance;
    int relation;
    int segments, regions;
    int self, soup; /* one model with itself; what its polygons share does not matter */
    double rings;   /* of neighbours */
    int continuous; /* also between poses */
    double tolerance;
    cli_device_options device;
} check_settings;

typedef struct check_run {
    cli_comparison common;
    check_settings settings;
    const struct check_question *question;
    tumble_tuning tuning; /* of its queries */
    cli_collide collide;  /* one of these, as the question needs */
    cli_near near;
    cli_continuous continuous;
    cli_device device;
    cli_batches batches;
    tumble_query *query;
    tumble_relation_result relation;
    tumble_regions_result regions;
    cli_step *steps;               /* along a path, for text and drawings */
    cli_surface_path surface_path; /* along a path, if surfaces are asked for as text */
} check_run;

/* A kind of question. Those that return a number return 0 or an exit status after reporting the error. */
typedef struct check_question {
    int (*prepare)(check_run *check);
    int (*ask)(check_run *check, const tumble_pose *pose_b);
    cli_step (*step)(const check_run *check);
    void (*json)(const check_run *check, size_t step); /* may be NULL */
    void (*json_end)(const check_run *check);          /* after all steps; may be NULL */
    int (*text)(const check_run *check);
    int (*text_path)(const check_run *check);
} check_question;

/* The one that the options ask for. */
const check_question *cli_check_question(const check_run *check);

/* Along which curves they meet: check_regions.c. */
extern const check_question cli_regions_question;

/* The drawings that the options ask for. */
int cli_check_draw(check_run *check);

/* 'tumble check A --self': whether it is that, and all of it. `question` is the section of the settings. */
int cli_check_is_self(int argc, char **argv);
int cli_check_self(check_settings *settings, const cli_section *question, int argc, char **argv);

/* The default of --tolerance. */
#define CHECK_TOLERANCE 1e-3

/* Refuses options that contradict each other. */
int cli_check_rules(const check_run *check);

#endif
