/* What 'tumble check' and 'tumble distance' have in common: options, two models, a question at every pose, output. */
#ifndef TUMBLE_CLI_COMPARE_H
#define TUMBLE_CLI_COMPARE_H

#include "drawing_options.h"
#include "near.h"
#include "output.h"
#include "pair_report.h"
#include "progress.h"

enum {
    CLI_COMPARE_SECTIONS = 9 /* the most that stand before those of cli_load_sections */
};

typedef struct cli_compare_options {
    cli_two_options two;
    cli_budget budget;
    cli_output_options output;
    cli_drawing_options drawings;
} cli_compare_options;

/* A run of such a command. Start with cli_compare_begin. */
typedef struct cli_comparison {
    cli_compare_options options;
    cli_section sections[CLI_COMPARE_SECTIONS + CLI_LOAD_SECTIONS];
    const cli_section *load_sections; /* of these, the ones that cli_load_sections wrote */
    cli_two_models two;
    cli_output output;
    cli_pair_report report;
    cli_progress *progress; /* while poses are asked */
    int own_progress;       /* the command moves the bar itself */
    int seen[3];            /* which answers there were */
} cli_comparison;

/* What sets one command apart. `run` is its own struct. All functions that return a number return 0 or an exit status
 * after reporting the error. */
typedef struct cli_compare_command {
    const char *name, *purpose, *description, *examples, *exit_status; /* see cli_usage */
    const char *label;                                                 /* of the progress bar */
    int (*refuse)(void *run);           /* options that contradict each other, before any work */
    int (*prepare)(void *run);          /* the models are there, the output is not open yet */
    int (*ask)(void *run, size_t step); /* the question at a pose; writes JSON, keeps what the text needs */
    int (*finish)(void *run);           /* the text, or what JSON has after all steps */
    int (*draw)(void *run);             /* after the output is complete; may be NULL */
    void (*clean_up)(void *run);        /* also after an error; before the models go */
} cli_compare_command;

/* The defaults, and the sections: the first of `own`, poses, output, the others of `own` up to a NULL title, input,
 * budget, those of loading. */
void cli_compare_begin(cli_comparison *comparison, const cli_section *own, cli_asks asks);

/* The whole command, from the arguments to the exit status. */
int cli_compare(cli_comparison *comparison, const cli_compare_command *command, void *run, int argc, char **argv);

#endif
