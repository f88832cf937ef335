/* A writer of JSON. */
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Length of the UTF-8 character at `text`, 0 when it is none. Overlong forms, surrogates and numbers beyond U+10FFFF
 * are none. */
static size_t character_length(const unsigned char *text)
{
    static const struct {
        unsigned char mask, start;
        uint32_t least;
    } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    for (size_t length = 1; length <= 4; length++) {
        if ((text[0] & forms[length - 1].mask) != forms[length - 1].start) {
            continue;
        }
        uint32_t code = text[0] & (unsigned char)~forms[length - 1].mask;
        for (size_t i = 1; i < length; i++) {
            if ((text[i] & 0xc0) != 0x80) {
                return 0;
            }
            code = code << 6 | (text[i] & 0x3f);
        }
        const int surrogate = code >= 0xd800 && code <= 0xdfff;
        return code < forms[length - 1].least || code > 0x10ffff || surrogate ? 0 : length;
    }
    return 0;
}

static void write_string(FILE *file, const char *text)
{
    const unsigned char *next = (const unsigned char *)text;
    fputc('"', file);
    while (*next) {
        const size_t length = character_length(next);
        if (length == 0) {
            fputs("\\ufffd", file);
            next++;
            continue;
        }
        if (*next == '"' || *next == '\\') {
            fprintf(file, "\\%c", *next);
        } else if (*next < 0x20) {
            fprintf(file, "\\u%04x", *next);
        } else {
            fwrite(next, 1, length, file);
        }
        next += length;
    }
    fputc('"', file);
}

static void start_value(cli_json *json, const char *key)
{
    if (json->depth > 0) {
        unsigned char *has_items = &json->has_items[json->depth - 1];
        fputs(*has_items ? ", " : "", json->file);
        *has_items = 1;
    }
    if (key) {
        write_string(json->file, key);
        fputs(": ", json->file);
    }
}

static void open_group(cli_json *json, const char *key, char bracket)
{
    start_value(json, key);
    fputc(bracket, json->file);
    json->has_items[json->depth++] = 0;
}

static void close_group(cli_json *json, char bracket)
{
    fputc(bracket, json->file);
    if (--json->depth == 0) {
        fputc('\n', json->file);
    }
}

void cli_json_open_object(cli_json *json, const char *key)
{
    open_group(json, key, '{');
}

void cli_json_close_object(cli_json *json)
{
    close_group(json, '}');
}

void cli_json_open_array(cli_json *json, const char *key)
{
    open_group(json, key, '[');
}

void cli_json_close_array(cli_json *json)
{
    close_group(json, ']');
}

void cli_json_text(cli_json *json, const char *key, const char *text)
{
    start_value(json, key);
    write_string(json->file, text);
}

FILE *cli_json_value(cli_json *json, const char *key)
{
    start_value(json, key);
    return json->file;
}

void cli_json_whole(cli_json *json, const char *key, uint64_t number)
{
    start_value(json, key);
    fprintf(json->file, "%" PRIu64, number);
}

void cli_format_real(char *text, size_t size, double number)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, number);
        if (strtod(text, NULL) == number) {
            return;
        }
    }
}

void cli_json_real(cli_json *json, const char *key, double number)
{
    if (!isfinite(number)) {
        cli_json_null(json, key);
        return;
    }
    char text[40];
    cli_format_real(text, sizeof text, number);
    start_value(json, key);
    fputs(text, json->file);
}

void cli_json_bool(cli_json *json, const char *key, int truth)
{
    start_value(json, key);
    fputs(truth ? "true" : "false", json->file);
}

void cli_json_null(cli_json *json, const char *key)
{
    start_value(json, key);
    fputs("null", json->file);
}

void cli_json_pair(cli_json *json, const char *key, uint32_t a, uint32_t b)
{
    start_value(json, key);
    fprintf(json->file, "[%" PRIu32 ", %" PRIu32 "]", a, b);
}

void cli_json_point(cli_json *json, const char *key, const double point[3])
{
    cli_json_open_array(json, key);
    for (int i = 0; i < 3; i++) {
        cli_json_real(json, NULL, point[i]);
    }
    cli_json_close_array(json);
}
