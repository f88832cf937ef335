/* Completion of command lines. The scripts in cli/completions/ run
 *     tumble --complete WORD...
 * with the words after `tumble` up to the one at the cursor, which may be empty. The answer is a line per candidate,
 * the word and after a tab what it means, and the line ":files" where file names fit. It comes from the tables of
 * options, so the scripts know none. */
#ifndef TUMBLE_CLI_COMPLETE_H
#define TUMBLE_CLI_COMPLETE_H

#include "options.h"

/* Stands after the words when a command is asked to complete them. */
#define CLI_COMPLETE "--complete"

/* Prints the candidate if it starts with `current`, with the first sentence of `help`. */
void cli_complete_offer(const char *current, const char *word, const char *help);

/* Completes the last of a command's words. */
void cli_complete(const cli_usage *usage, int count, char **words);

#endif
