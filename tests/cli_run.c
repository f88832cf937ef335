/* Running the built command. */
#include "cli_run.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

/* Test programs run one command at a time; the results live until the next one. */
static struct {
    char folder[64], streams[64];
    char *out, *err;
    char line[8192];
} run_state;

const char *cli_folder(void)
{
    return run_state.folder;
}

const char *cli_program(void)
{
    const char *program = getenv("TUMBLE");
    if (!program || access(program, X_OK) != 0) {
        fail_msg("the environment variable TUMBLE must be the path of the built command");
    }
    return program;
}

static void make_folder(char *name, const char *pattern)
{
    strcpy(name, pattern);
    assert_non_null(mkdtemp(name));
}

/* The folder with `tumble` comes first in the PATH, under this name whatever the program's is. */
static void put_on_path(void)
{
    char link[128], program[4096] = "";
    if (cli_program()[0] != '/') {
        assert_non_null(getcwd(program, sizeof program / 2));
        strcat(program, "/");
    }
    strncat(program, cli_program(), sizeof program / 2 - 2);
    snprintf(link, sizeof link, "%s/tumble", run_state.streams);
    assert_int_equal(symlink(program, link), 0);
    const char *old = getenv("PATH");
    char *path = malloc(strlen(old) + sizeof run_state.streams + 1);
    sprintf(path, "%s:%s", run_state.streams, old);
    assert_int_equal(setenv("PATH", path, 1), 0);
    free(path);
}

int cli_setup(void **state)
{
    (void)state;
    make_folder(run_state.folder, "/tmp/tumble-test-XXXXXX");
    make_folder(run_state.streams, "/tmp/tumble-streams-XXXXXX");
    put_on_path();
    return 0;
}

int cli_teardown(void **state)
{
    (void)state;
    char line[256];
    snprintf(line, sizeof line, "rm -rf '%s' '%s'", run_state.folder, run_state.streams);
    free(run_state.out);
    free(run_state.err);
    run_state.out = run_state.err = NULL;
    return system(line);
}

static char *read_whole(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        fail_msg("%s cannot be opened", path);
    }
    struct stat status;
    assert_int_equal(fstat(fileno(file), &status), 0);
    char *text = malloc((size_t)status.st_size + 1);
    const size_t length = fread(text, 1, (size_t)status.st_size, file);
    text[length] = '\0';
    fclose(file);
    if (size) {
        *size = length;
    }
    return text;
}

static char *read_stream(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", run_state.streams, name);
    return read_whole(path, NULL);
}

static cli_result run_line(const char *line)
{
    char *command = malloc(strlen(line) + 512);
    sprintf(command, "cd '%s' && { %s\n} >'%s/out' 2>'%s/err'", run_state.folder, line, run_state.streams,
            run_state.streams);
    const int status = system(command);
    free(command);
    free(run_state.out);
    free(run_state.err);
    run_state.out = read_stream("out");
    run_state.err = read_stream("err");
    return (cli_result){WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), run_state.out, run_state.err};
}

cli_result cli_run(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run_state.line, sizeof run_state.line, format, arguments);
    va_end(arguments);
    return run_line(run_state.line);
}

/* "tumble: error: what: what to do", as the last line. */
static void check_error_message(const cli_result *result, const char *line)
{
    static const char start[] = "tumble: error: ";
    const char *message = strstr(result->err, start);
    if (!message || !strchr(message + strlen(start), ':') || message[strlen(message) - 1] != '\n') {
        fail_msg("%s: no proper message on stderr: %s", line, result->err);
    }
    if (result->out[0] != '\0') {
        fail_msg("%s: failed but wrote on stdout: %s", line, result->out);
    }
}

cli_result cli_expect(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run_state.line, sizeof run_state.line, format, arguments);
    va_end(arguments);
    const cli_result result = run_line(run_state.line);
    if (result.status != status) {
        fail_msg("%s: exit status %d instead of %d\n%s%s", run_state.line, result.status, status, result.out,
                 result.err);
    }
    if (status == 2) {
        check_error_message(&result, run_state.line);
    } else if (result.err[0] != '\0') {
        fail_msg("%s: wrote on stderr: %s", run_state.line, result.err);
    }
    return result;
}

void cli_expect_error(const char *line, ...)
{
    const cli_result result = cli_expect(2, "%s", line);
    va_list words;
    va_start(words, line);
    for (const char *word = va_arg(words, const char *); word; word = va_arg(words, const char *)) {
        if (!strstr(result.err, word)) {
            fail_msg("%s: '%s' is missing in: %s", line, word, result.err);
        }
    }
    va_end(words);
}

/* ---- files ---- */

static const char *in_folder(const char *name, char *path, size_t size)
{
    snprintf(path, size, "%s/%s", run_state.folder, name);
    return path;
}

void cli_write_bytes(const char *name, const void *bytes, size_t size)
{
    char path[256];
    FILE *file = fopen(in_folder(name, path, sizeof path), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void cli_write_file(const char *name, const char *text)
{
    cli_write_bytes(name, text, strlen(text));
}

char *cli_read_file(const char *name, size_t *size)
{
    char path[256];
    return read_whole(in_folder(name, path, sizeof path), size);
}

size_t cli_count_files(void)
{
    DIR *folder = opendir(run_state.folder);
    assert_non_null(folder);
    size_t count = 0;
    while (readdir(folder)) {
        count++;
    }
    closedir(folder);
    return count;
}

/* ---- JSON ---- */

size_t cli_count_lines(const char *text)
{
    size_t count = 0;
    for (; *text; text++) {
        count += *text == '\n';
    }
    return count;
}

cJSON *cli_json_line(const char *text, size_t line)
{
    for (; line > 0; line--) {
        text = strchr(text, '\n');
        assert_non_null(text);
        text++;
    }
    const size_t length = strcspn(text, "\n");
    assert_int_equal(text[length], '\n');
    char *copy = malloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    cJSON *json = cJSON_ParseWithOpts(copy, NULL, 1);
    if (!json || !cJSON_IsObject(json)) {
        fail_msg("this is no JSON object: %s", copy);
    }
    free(copy);
    return json;
}

static const cJSON *member(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!item) {
        fail_msg("the key '%s' is missing", key);
    }
    return item;
}

double cli_number(const cJSON *object, const char *key)
{
    const cJSON *item = member(object, key);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

const char *cli_string(const cJSON *object, const char *key)
{
    const cJSON *item = member(object, key);
    assert_true(cJSON_IsString(item));
    return item->valuestring;
}

int cli_bool(const cJSON *object, const char *key)
{
    const cJSON *item = member(object, key);
    assert_true(cJSON_IsBool(item));
    return cJSON_IsTrue(item);
}

const cJSON *cli_array(const cJSON *object, const char *key)
{
    const cJSON *item = member(object, key);
    assert_true(cJSON_IsArray(item));
    return item;
}

const cJSON *cli_object(const cJSON *object, const char *key)
{
    const cJSON *item = member(object, key);
    assert_true(cJSON_IsObject(item));
    return item;
}

void cli_pair(const cJSON *object, size_t index, double out[2])
{
    const cJSON *pair = cJSON_GetArrayItem(cli_array(object, "pairs"), (int)index);
    assert_non_null(pair);
    assert_int_equal(cJSON_GetArraySize(pair), 2);
    for (int i = 0; i < 2; i++) {
        const cJSON *number = cJSON_GetArrayItem(pair, i);
        assert_true(cJSON_IsNumber(number));
        out[i] = number->valuedouble;
    }
}
