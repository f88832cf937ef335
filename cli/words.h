/* Words: finding the one that was meant, and breaking text into lines. */
#ifndef TUMBLE_CLI_WORDS_H
#define TUMBLE_CLI_WORDS_H

#include <stddef.h>
#include <stdio.h>

/* Start with {word, NULL, 0}, offer all candidates, read `best`: NULL when none is near. */
typedef struct cli_nearest {
    const char *word;
    const char *best;
    size_t distance;
} cli_nearest;

void cli_nearest_offer(cli_nearest *nearest, const char *candidate);

/* Number of letters to insert, delete, replace or swap with their neighbour to get from one word to the other. */
size_t cli_word_distance(const char *one, const char *other);

/* Prints `text` in lines of at most `width` columns. The cursor stands in column `column`; every line starts in column
 * `indent`. A line break in the text stays one, with the blanks after it. Ends with a line break. */
void cli_print_wrapped(FILE *file, const char *text, size_t column, size_t indent, size_t width);

#endif
