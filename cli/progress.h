/* A progress bar on stderr: only on a terminal, and only for work that lasts longer than a second. */
#ifndef TUMBLE_CLI_PROGRESS_H
#define TUMBLE_CLI_PROGRESS_H

#include <stdbool.h>

/* NULL when stderr is no terminal, or when another one is shown already; the other functions accept NULL. */
typedef struct cli_progress cli_progress;

/* Starts to say `label` (which must outlive it). Until the first cli_progress_set the end is unknown: only the time is
 * shown. */
cli_progress *cli_progress_begin(const char *label);
void cli_progress_set(cli_progress *progress, double fraction);
void cli_progress_end(cli_progress *progress); /* wipes the bar */

/* The same for tumble_model_options.progress; `user` is a cli_progress. Never stops the work. */
bool cli_progress_callback(void *user, double fraction);

/* For a signal handler that ends the program: clears the bar, and nothing draws it again. */
void cli_progress_clear_on_signal(void);

#endif
