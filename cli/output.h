/* Where results go: stdout, or a file that appears complete or not at all. */
#ifndef TUMBLE_CLI_OUTPUT_H
#define TUMBLE_CLI_OUTPUT_H

#include <stdio.h>

typedef struct cli_output {
    FILE *file;
    const char *path; /* NULL: stdout */
    char *temporary;  /* the name under which it is written */
} cli_output;

/* Once, at the start: closed standard streams are made safe, a closed pipe is an error of writing, and an interrupt
 * removes the unfinished file. */
void cli_output_prepare(void);

/* `path` NULL or "-": stdout. Returns 0, or an exit status after reporting the error. One output with a path at a
 * time. */
int cli_output_open(cli_output *output, const char *path);

/* Ends the output: the file has been written and has its name, or the error is reported and there is no file. Returns 0
 * or an exit status. For stdout cli_output_finish does this, at the very end of the program. */
int cli_output_close(cli_output *output);

/* Whether everything got through to stdout; else reports and returns an exit status. A pipe whose reader has gone is no
 * news to the user: then there is the status without a message. */
int cli_output_finish(void);

/* Gives up: no file is left. */
void cli_output_discard(cli_output *output);

/* Between these two an interrupt waits: for library calls that write a file of their own. */
void cli_hold_interrupts(void);
void cli_release_interrupts(void);

/* From here on an interrupt is only noted, for work that has to be ended in order; a second one ends the program as
 * before. cli_interrupted says whether there was one, and cli_obey_interrupts does what it asked for, which is the end
 * of the program, or goes on as before. */
void cli_note_interrupts(void);
int cli_interrupted(void);
void cli_obey_interrupts(void);

#endif
