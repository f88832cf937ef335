/* Text files with words in lines: "name  'mesh file'  numbers  # comment". */
#ifndef TUMBLE_CLI_WORD_LINES_H
#define TUMBLE_CLI_WORD_LINES_H

#include <stddef.h>

/* A line that is being taken apart. */
typedef struct cli_line {
    const char *file; /* its name, for messages */
    size_t number;    /* from 1 */
    char *rest;       /* what has not been read; without the comment that cli_next_word has met */
} cli_line;

/* Gets a line that is not blank. Returns 0 to go on, or an exit status. */
typedef int cli_line_sink(void *user, cli_line *line);

/* Reads all lines, with progress; `what` is what the file should hold. Returns 0, what the sink returned, or an exit
 * status after reporting the error. */
int cli_read_lines(const char *path, const char *what, cli_line_sink *sink, void *user);

/* The next word, ended by a zero; empty if there is none. Words in double quotes may contain blanks and #; in them \
 * takes the next character as it is. Elsewhere # at the start of a word begins a comment, which ends the line. Returns
 * 0, or an exit status if quotes are not closed. */
int cli_next_word(cli_line *line, char **word);

#endif
