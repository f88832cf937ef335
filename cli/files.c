/* The files that a command line names. */
#include "files.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "message.h"

enum {
    INPUTS = sizeof((cli_file_uses *)0)->inputs / sizeof(cli_file_use),
    OUTPUTS = sizeof((cli_file_uses *)0)->outputs / sizeof(cli_file_use)
};

static const char standard_input[] = "standard input";

int cli_is_standard_input(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

const char *cli_file_name(const char *path)
{
    return cli_is_standard_input(path) ? standard_input : path;
}

/* ---- one file, two uses ---- */

/* Whether both exist and are one regular file: by links, by other ways to write its name. */
static int is_one_file(const char *one, const char *other)
{
    struct stat a, b;
    return stat(one, &a) == 0 && stat(other, &b) == 0 && S_ISREG(a.st_mode) && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/* The path of a file that need not exist yet, without links in its folder; 0: there is no such folder. */
static int plain_path(const char *path, char out[PATH_MAX])
{
    char folder[PATH_MAX], resolved[PATH_MAX];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    if (length >= sizeof folder) {
        return 0;
    }
    memcpy(folder, path, length);
    folder[length] = '\0';
    if (!realpath(length ? folder : ".", resolved)) {
        return 0;
    }
    const int printed = snprintf(out, PATH_MAX, "%s/%s", resolved, name);
    return printed > 0 && printed < PATH_MAX;
}

static int is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/* Whether two files that are to be written would be one. Devices and pipes can take both. */
static int will_be_one_file(const char *one, const char *other)
{
    char a[PATH_MAX], b[PATH_MAX];
    if (is_special(one) || is_special(other)) {
        return 0;
    }
    return is_one_file(one, other) || (plain_path(one, a) && plain_path(other, b) && strcmp(a, b) == 0);
}

static int refuse_overwriting(const cli_file_use *output, const cli_file_uses *uses)
{
    for (size_t i = 0; i < INPUTS; i++) {
        const cli_file_use *input = &uses->inputs[i];
        if (output->path && input->path && !cli_is_standard_input(input->path) &&
            is_one_file(output->path, input->path)) {
            return cli_error("%s: %s would overwrite the file of %s: choose another name", output->path, output->what,
                             input->what);
        }
    }
    return 0;
}

static int refuse_shared_output(const cli_file_use *output, const cli_file_use *others)
{
    for (; others < output; others++) {
        if (output->path && others->path && will_be_one_file(output->path, others->path)) {
            return cli_error("%s: %s and %s would both write this file: choose two names", output->path, others->what,
                             output->what);
        }
    }
    return 0;
}

static int refuse_reading_twice(const cli_file_uses *uses)
{
    const cli_file_use *first = NULL;
    for (size_t i = 0; i < INPUTS; i++) {
        if (!cli_is_standard_input(uses->inputs[i].path)) {
            continue;
        }
        if (first) {
            return cli_error("%s and %s are both '-', standard input, which can be read only once: give one of them as "
                             "a file",
                             first->what, uses->inputs[i].what);
        }
        first = &uses->inputs[i];
    }
    return 0;
}

int cli_check_files(const cli_file_uses *uses)
{
    int error = refuse_reading_twice(uses);
    for (size_t i = 0; i < OUTPUTS && !error; i++) {
        error = refuse_overwriting(&uses->outputs[i], uses);
        error = error ? error : refuse_shared_output(&uses->outputs[i], uses->outputs);
    }
    return error;
}

int cli_check_result_file(const char *path, const char *what)
{
    return strcmp(path, "-") == 0
               ? cli_error("-o -: %s cannot be written to standard output: give the name of a file", what)
               : 0;
}

/* ---- standard input ---- */

static int copy_input(FILE *copy)
{
    char block[1 << 16];
    size_t size;
    while ((size = fread(block, 1, sizeof block, stdin)) > 0) {
        if (fwrite(block, 1, size, copy) != size) {
            return cli_error("%s: cannot be copied (%s): make room in the folder for temporary files, or give a file",
                             standard_input, strerror(errno));
        }
    }
    if (ferror(stdin)) {
        return cli_error("%s: cannot be read (%s): give a file instead", standard_input, strerror(errno));
    }
    return fflush(copy) == 0 ? 0
                             : cli_error("%s: cannot be copied (%s): make room in the folder for temporary files, or "
                                         "give a file",
                                         standard_input, strerror(errno));
}

/* The copy has no name but that of its descriptor, so that nothing is left to be removed. */
int cli_readable_path(const char *path, const char **out)
{
    static char name[32]; /* standard input can be read only once */
    *out = path;
    if (!cli_is_standard_input(path)) {
        return 0;
    }
    FILE *copy = tmpfile();
    if (!copy) {
        return cli_error("%s: there is no temporary file to copy it to (%s): give a file instead", standard_input,
                         strerror(errno));
    }
    const int error = copy_input(copy);
    snprintf(name, sizeof name, "/dev/fd/%d", fileno(copy));
    cli_rename_in_messages(name, standard_input);
    *out = name;
    return error;
}

FILE *cli_open_text(const char *path, const char *what)
{
    FILE *file = cli_is_standard_input(path) ? stdin : fopen(path, "r");
    if (!file) {
        cli_error("%s: cannot be opened (%s): give %s", path, strerror(errno), what);
    }
    return file;
}

void cli_close_text(FILE *file)
{
    if (file && file != stdin) {
        fclose(file);
    }
}
