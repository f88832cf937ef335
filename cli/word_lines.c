/* Text files with words in lines. */
#include "word_lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "files.h"
#include "message.h"
#include "progress.h"

enum {
    LINES_PER_LOOK = 1024 /* at the place in the file */
};

static const char blanks[] = " \t\r\n";

/* The size of a file that can say how far it was read; else 0. */
static double size_of(FILE *file)
{
    struct stat status;
    return fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode) ? (double)status.st_size : 0;
}

static int read_open_lines(FILE *file, cli_line *line, cli_line_sink *sink, void *user)
{
    const double size = size_of(file);
    cli_progress *progress = size > 0 ? cli_progress_begin(line->file) : NULL;
    char *text = NULL;
    size_t capacity = 0;
    int error = 0;
    errno = 0;
    while (!error && getline(&text, &capacity, file) >= 0) {
        line->number++;
        line->rest = text + (line->number == 1 && strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0); /* a mark of UTF-8 */
        line->rest += strspn(line->rest, blanks);
        error = *line->rest && *line->rest != '#' ? sink(user, line) : 0;
        if (line->number % LINES_PER_LOOK == 0) {
            cli_progress_set(progress, (double)ftello(file) / size);
        }
    }
    cli_progress_end(progress);
    if (!error && ferror(file)) {
        error = cli_error("%s: cannot be read (%s): give another file", line->file, strerror(errno));
    }
    free(text);
    return error;
}

int cli_read_lines(const char *path, const char *what, cli_line_sink *sink, void *user)
{
    FILE *file = cli_open_text(path, what);
    if (!file) {
        return CLI_EXIT_ERROR;
    }
    cli_line line = {cli_file_name(path), 0, NULL};
    const int error = read_open_lines(file, &line, sink, user);
    cli_close_text(file);
    return error;
}

/* Takes the marks of a quoted word out, in place. */
static int end_quotes(cli_line *line, char *word)
{
    char *to = word, *from = word + 1;
    while (*from && *from != '"') {
        from += from[0] == '\\' && from[1] && from[1] != '\n';
        *to++ = *from++;
    }
    if (*from != '"') {
        return cli_error("%s:%zu: a quotation mark is not closed: end the word with another \"", line->file,
                         line->number);
    }
    line->rest = from + 1;
    *to = '\0';
    return 0;
}

int cli_next_word(cli_line *line, char **word)
{
    *word = line->rest + strspn(line->rest, blanks);
    if (**word == '"') {
        return end_quotes(line, *word);
    }
    char *end = *word + (**word == '#' ? 0 : strcspn(*word, blanks));
    line->rest = *end == '#' ? end + strlen(end) : *end ? end + 1 : end;
    *end = '\0';
    return 0;
}
