/* Running the built command, for the end-to-end tests. The environment variable TUMBLE is its path. */
#ifndef TUMBLE_TESTS_CLI_RUN_H
#define TUMBLE_TESTS_CLI_RUN_H

#include <stddef.h>

#include <cjson/cJSON.h>

/* An empty folder, in which every command below runs and whose files are named without a path. */
int cli_setup(void **state);
int cli_teardown(void **state);

/* What a command line did. Valid until the next run. */
typedef struct cli_result {
    int status; /* exit status; negative: the signal */
    const char *out, *err;
} cli_result;

/* A line for the shell; `tumble` is the built command. Printf style. */
cli_result cli_run(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same, and the status must be this; the test fails with the command's own words. With status 2 nothing may be on
 * stdout and stderr must be a message "tumble: error: <what>: <what to do>"; else stderr must be empty. */
cli_result cli_expect(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* An error whose message contains all of these words (up to a null). */
void cli_expect_error(const char *line, ...);

/* Files in the folder. */
void cli_write_file(const char *name, const char *text);
void cli_write_bytes(const char *name, const void *bytes, size_t size);
char *cli_read_file(const char *name, size_t *size); /* ended by a 0; free it; `size` may be null */
size_t cli_count_files(void);
const char *cli_folder(void);
const char *cli_program(void);

/* The n-th line of JSON of a text, which must be an object. Free with cJSON_Delete. */
cJSON *cli_json_line(const char *text, size_t line);
size_t cli_count_lines(const char *text);

/* Members that must be there with this type. */
double cli_number(const cJSON *object, const char *key);
const char *cli_string(const cJSON *object, const char *key);
int cli_bool(const cJSON *object, const char *key);
const cJSON *cli_array(const cJSON *object, const char *key);
const cJSON *cli_object(const cJSON *object, const char *key);

/* {"pairs": [[i, j], ...]}: the items of pair `index`. */
void cli_pair(const cJSON *object, size_t index, double out[2]);

#endif
