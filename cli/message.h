/* What the tumble command says on stderr, and its exit status. */
#ifndef TUMBLE_CLI_MESSAGE_H
#define TUMBLE_CLI_MESSAGE_H

#include "tumble/query.h"

typedef enum cli_exit {
    CLI_EXIT_OK = 0,        /* the command did its work; `check`, `distance`, `scene`: no intersection at any pose */
    CLI_EXIT_INTERSECT = 1, /* `check`, `distance`, `scene`: an intersection at some pose */
    CLI_EXIT_ERROR = 2,
    CLI_EXIT_MAYBE = 3 /* the budget was spent before the answer was known, or there is none */
} cli_exit;

/* The status of a command that has seen these answers at the poses of a path: no, yes, maybe. One yes is enough. */
int cli_exit_of(const int seen[3]);

/* "tumble: error: <what happened>: <what to do>". Returns CLI_EXIT_ERROR, so that a command can return it. */
int cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The command goes on, but something should be done about this: "tumble: warning: <what happens>; <what to do>". */
void cli_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Something the user should know although the command goes on. */
void cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* From here on messages call a file by another name than its path. Both must stay. */
void cli_rename_in_messages(const char *path, const char *name);

/* The last message of this thread with what to do about a status of this kind; `subject` (a file, an option) is put in
 * front unless the message starts with it already. */
int cli_library_error(const tumble_context *context, tumble_status status, const char *subject);

/* The same for a query that failed. */
int cli_query_error(const tumble_query *query, tumble_status status);

/* What to do about a status. */
const char *cli_advice(tumble_status status);

int cli_memory_error(const char *what);

#endif
