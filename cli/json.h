/* A writer of JSON that keeps nothing in memory: there can be millions of pairs. */
#ifndef TUMBLE_CLI_JSON_H
#define TUMBLE_CLI_JSON_H

#include <stdint.h>
#include <stdio.h>

enum {
    CLI_JSON_DEPTH = 16
};

/* Start with {file}. `key` is NULL for items of arrays and for the outermost value. */
typedef struct cli_json {
    FILE *file;
    int depth;
    unsigned char has_items[CLI_JSON_DEPTH];
} cli_json;

void cli_json_open_object(cli_json *json, const char *key);
void cli_json_close_object(cli_json *json); /* the outermost one also ends the line */
void cli_json_open_array(cli_json *json, const char *key);
void cli_json_close_array(cli_json *json);
void cli_json_text(cli_json *json, const char *key, const char *text); /* bytes that are no UTF-8 become U+FFFD */
void cli_json_whole(cli_json *json, const char *key, uint64_t number);
void cli_json_real(cli_json *json, const char *key,
                   double number); /* reads back as the same double; NaN and infinity: null */
void cli_json_bool(cli_json *json, const char *key, int truth);
void cli_json_null(cli_json *json, const char *key);

/* Begins a value that the caller writes itself. */
FILE *cli_json_value(cli_json *json, const char *key);

/* The shortest of 15, 16 and 17 digits that reads back as the same double. */
void cli_format_real(char *text, size_t size, double number);

/* [a, b] and [x, y, z] */
void cli_json_pair(cli_json *json, const char *key, uint32_t a, uint32_t b);
void cli_json_point(cli_json *json, const char *key, const double point[3]);

#endif
