/* Words: finding the one that was meant, and breaking text into lines. */
#include "words.h"

#include <string.h>

enum {
    LONGEST_WORD = 40
};

static size_t least(size_t one, size_t other)
{
    return one < other ? one : other;
}

/* Optimal string alignment: Levenshtein's distance plus swaps of neighbours. */
size_t cli_word_distance(const char *one, const char *other)
{
    const size_t rows = strlen(one), columns = strlen(other);
    if (rows > LONGEST_WORD || columns > LONGEST_WORD) {
        return LONGEST_WORD;
    }
    size_t table[LONGEST_WORD + 1][LONGEST_WORD + 1];
    for (size_t j = 0; j <= columns; j++) {
        table[0][j] = j;
    }
    for (size_t i = 1; i <= rows; i++) {
        table[i][0] = i;
        for (size_t j = 1; j <= columns; j++) {
            const size_t change = one[i - 1] == other[j - 1] ? 0 : 1;
            table[i][j] = least(least(table[i - 1][j], table[i][j - 1]) + 1, table[i - 1][j - 1] + change);
            if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1]) {
                table[i][j] = least(table[i][j], table[i - 2][j - 2] + 1);
            }
        }
    }
    return table[rows][columns];
}

/* Near is: at most a third of the letters differ (of three one, of two none), or one word starts with the other. */
void cli_nearest_offer(cli_nearest *nearest, const char *candidate)
{
    const size_t length = strlen(nearest->word), other = strlen(candidate);
    size_t distance = cli_word_distance(nearest->word, candidate);
    if (length >= 2 && length < other && strncmp(nearest->word, candidate, length) == 0) {
        distance = 1;
    }
    const size_t limit = ((length > other ? length : other) + 2) / 3;
    const int is_near = distance <= limit && 2 * distance < (length > other ? length : other);
    if (is_near && (!nearest->best || distance < nearest->distance)) {
        nearest->best = candidate;
        nearest->distance = distance;
    }
}

static size_t start_line(FILE *file, size_t column, size_t indent)
{
    if (column > indent) {
        fputc('\n', file);
        column = 0;
    }
    fprintf(file, "%*s", (int)(indent - column), "");
    return indent;
}

/* Columns, not bytes: the later bytes of a UTF-8 character take no room. */
static size_t printed_width(const char *text, size_t length)
{
    size_t width = 0;
    for (size_t i = 0; i < length; i++) {
        width += ((unsigned char)text[i] & 0xc0) != 0x80;
    }
    return width;
}

void cli_print_wrapped(FILE *file, const char *text, size_t column, size_t indent, size_t width)
{
    column = start_line(file, column, indent);
    size_t start = indent; /* of the line's first word */
    for (;;) {
        const size_t length = strcspn(text, " \n"), columns = printed_width(text, length);
        const size_t space = column > start ? 1 : 0;
        if (space && column + 1 + columns > width) {
            column = start = start_line(file, column, indent);
        } else if (space && (length || *text == ' ')) {
            fputc(' ', file);
            column++;
        }
        fwrite(text, 1, length, file);
        column += columns;
        text += length;
        if (*text == '\n') {
            fputc('\n', file);
            if (text[1] == '\0') {
                return;
            }
            column = start_line(file, 0, text[1] == '\n' ? 0 : indent);
            for (; text[1] == ' '; text++, column++) {
                fputc(' ', file);
            }
            start = column > indent ? column : indent;
        }
        if (*text == '\0') {
            fputc('\n', file);
            return;
        }
        text++;
    }
}
