/* A reader of JSON. */
#include "io/json_read.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void tmb_json_fail(tmb_json_reader *json, tumble_status status, const char *format, ...)
{
    char text[300];
    va_list arguments;
    if (json->status != TUMBLE_OK) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    json->status = tmb_fail_at_line(json->source, json->at, status, "%s", text);
}

static void fail_word(tmb_json_reader *json, const char *expected)
{
    const tmb_quote word = tmb_quote_word(json->at, json->end);
    tmb_json_fail(json, TUMBLE_ERROR_FORMAT, "%s where there should be %s: correct the JSON", word.text, expected);
}

static void fail_memory(tmb_json_reader *json)
{
    if (json->status == TUMBLE_OK) {
        json->status = tmb_fail_memory(json->source->context, "a text");
    }
}

void tmb_json_begin(tmb_json_reader *json, const tmb_source *source)
{
    const tmb_text text = tmb_text_begin(source);
    *json = (tmb_json_reader){.source = source, .at = text.at, .end = text.end, .status = TUMBLE_OK};
}

static int is_white(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_white(tmb_json_reader *json)
{
    while (json->at < json->end && is_white(*json->at)) {
        json->at++;
    }
}

tumble_status tmb_json_end(tmb_json_reader *json)
{
    skip_white(json);
    if (json->at < json->end) {
        fail_word(json, "the end");
    }
    tmb_buffer_release(json->source->context, &json->key);
    tmb_buffer_release(json->source->context, &json->text);
    return json->status;
}

char tmb_json_next(tmb_json_reader *json)
{
    if (json->status != TUMBLE_OK) {
        return 0;
    }
    skip_white(json);
    if (json->at == json->end) {
        return 0;
    }
    const char c = *json->at;
    return c == '-' || (c >= '0' && c <= '9') ? '0' : strchr("{[\"tfn", c) && c ? c : '\0';
}

/* ---- texts ---- */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Four digits after "\u"; negative: they are not there. */
static long read_code(tmb_json_reader *json)
{
    long code = 0;
    for (int i = 0; i < 4; i++, json->at++) {
        const int digit = json->at < json->end ? hex_digit(*json->at) : -1;
        if (digit < 0) {
            return -1;
        }
        code = 16 * code + digit;
    }
    return code;
}

static int put_code(unsigned long code, char *out)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    const int length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char starts[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (int i = length - 1; i > 0; i--, code >>= 6) {
        out[i] = (char)(0x80 | (code & 0x3f));
    }
    out[0] = (char)(starts[length] | code);
    return length;
}

/* After a backslash; the number of bytes, 0 after a failure. */
static int read_escape(tmb_json_reader *json, char out[4])
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char c = json->at < json->end ? *json->at : '\0';
    const char *found = c ? strchr(from, c) : NULL;
    if (found) {
        json->at++;
        out[0] = to[found - from];
        return 1;
    }
    long code = -1;
    if (c == 'u') {
        json->at++;
        code = read_code(json);
    }
    if (code >= 0xd800 && code < 0xdc00 && json->end - json->at >= 2 && json->at[0] == '\\' && json->at[1] == 'u') {
        json->at += 2;
        const long low = read_code(json);
        code = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : -1;
    }
    if (code <= 0 || (code >= 0xd800 && code < 0xe000)) {
        tmb_json_fail(json, TUMBLE_ERROR_FORMAT, "a text has a \\ that stands for no character: write \\\\ for one \\");
        return 0;
    }
    return put_code((unsigned long)code, out);
}

/* How many bytes of a text stand for themselves. */
static size_t plain_length(const tmb_json_reader *json)
{
    const char *at = json->at;
    while (at < json->end && *at != '"' && *at != '\\' && (unsigned char)*at >= 0x20) {
        at++;
    }
    return (size_t)(at - json->at);
}

static const char *read_text(tmb_json_reader *json, tmb_buffer *buffer)
{
    size_t length = 0;
    json->at++;
    for (;;) {
        char escape[4];
        const char *bytes = json->at;
        size_t size = plain_length(json);
        json->at += size;
        if (size == 0 && json->at < json->end && *json->at == '\\') {
            json->at++;
            bytes = escape;
            size = (size_t)read_escape(json, escape);
        }
        if (size == 0) {
            break;
        }
        if (!tmb_buffer_append(json->source->context, buffer, &length, bytes, size, 1)) {
            fail_memory(json);
            return "";
        }
    }
    if (json->status == TUMBLE_OK && (json->at == json->end || *json->at != '"')) {
        tmb_json_fail(json, TUMBLE_ERROR_FORMAT, "a text is not closed: end it with \"");
    }
    if (json->status != TUMBLE_OK || !tmb_buffer_append(json->source->context, buffer, &length, "", 1, 1)) {
        fail_memory(json);
        return "";
    }
    json->at++;
    return buffer->data;
}

const char *tmb_json_read_text(tmb_json_reader *json)
{
    const char next = tmb_json_next(json);
    if (next != '"') {
        fail_word(json, "a text in quotes");
        return "";
    }
    return read_text(json, &json->text);
}

/* ---- numbers and words ---- */

/* JSON's form: no +, no leading zero, digits on both sides of the point. */
static const char *match_number(const char *at, const char *end)
{
    at += at < end && *at == '-';
    const char *digits = at;
    while (at < end && *at >= '0' && *at <= '9') {
        at++;
    }
    if (at == digits || (*digits == '0' && at > digits + 1)) {
        return NULL;
    }
    if (at < end && *at == '.') {
        const char *point = at++;
        while (at < end && *at >= '0' && *at <= '9') {
            at++;
        }
        if (at == point + 1) {
            return NULL;
        }
    }
    if (at < end && (*at | 0x20) == 'e') {
        at++;
        at += at < end && (*at == '-' || *at == '+');
        digits = at;
        while (at < end && *at >= '0' && *at <= '9') {
            at++;
        }
        return at > digits ? at : NULL;
    }
    return at;
}

double tmb_json_read_number(tmb_json_reader *json)
{
    double number = 0;
    const char *after = tmb_json_next(json) == '0' ? match_number(json->at, json->end) : NULL;
    if (!after || tmb_parse_double(json->at, after, &number) != after) {
        fail_word(json, "a number");
        return 0;
    }
    if (!isfinite(number)) {
        fail_word(json, "a number that a double can hold");
        return 0;
    }
    json->at = after;
    return number;
}

uint64_t tmb_json_read_whole(tmb_json_reader *json, uint64_t most)
{
    (void)tmb_json_next(json);
    const char *start = json->at;
    const double number = tmb_json_read_number(json);
    if (number < 0 || number > (double)most || number != floor(number)) {
        json->at = start;
        fail_word(json, "a whole number in range");
    }
    return json->status == TUMBLE_OK ? (uint64_t)number : 0;
}

static int match_word(tmb_json_reader *json, const char *word)
{
    const size_t length = strlen(word);
    if ((size_t)(json->end - json->at) < length || memcmp(json->at, word, length) != 0) {
        return 0;
    }
    json->at += length;
    return 1;
}

int tmb_json_read_truth(tmb_json_reader *json)
{
    const char next = tmb_json_next(json);
    if (next == 't' && match_word(json, "true")) {
        return 1;
    }
    if (next != 'f' || !match_word(json, "false")) {
        fail_word(json, "true or false");
    }
    return 0;
}

/* ---- objects and arrays ---- */

void tmb_json_enter(tmb_json_reader *json, char bracket)
{
    if (tmb_json_next(json) != bracket) {
        fail_word(json, bracket == '{' ? "an object in { }" : "a list in [ ]");
    } else if (json->depth == TMB_JSON_DEPTH) {
        tmb_json_fail(json, TUMBLE_ERROR_FORMAT, "brackets are nested more than %d deep: make it flatter",
                      TMB_JSON_DEPTH);
    } else {
        json->brackets[json->depth] = bracket;
        json->has_items[json->depth++] = 0;
        json->at++;
    }
}

/* To the next item, over a comma; 0: the bracket is closed. */
static int advance(tmb_json_reader *json, char bracket)
{
    if (json->status != TUMBLE_OK) {
        return 0;
    }
    TMB_ASSERT(json->depth > 0 && json->brackets[json->depth - 1] == bracket);
    const char closing = bracket == '{' ? '}' : ']';
    int *has_items = &json->has_items[json->depth - 1];
    skip_white(json);
    if (json->at < json->end && *json->at == closing) {
        json->at++;
        json->depth--;
        return 0;
    }
    if (*has_items && (json->at == json->end || *json->at != ',')) {
        fail_word(json, bracket == '{' ? "a comma or }" : "a comma or ]");
        return 0;
    }
    json->at += *has_items;
    *has_items = 1;
    skip_white(json);
    return 1;
}

const char *tmb_json_key(tmb_json_reader *json)
{
    if (!advance(json, '{')) {
        return NULL;
    }
    if (tmb_json_next(json) != '"') {
        fail_word(json, "a name in quotes");
        return NULL;
    }
    const char *key = read_text(json, &json->key);
    skip_white(json);
    if (json->status == TUMBLE_OK && (json->at == json->end || *json->at != ':')) {
        fail_word(json, "a colon");
    }
    json->at += json->status == TUMBLE_OK;
    return json->status == TUMBLE_OK ? key : NULL;
}

int tmb_json_item(tmb_json_reader *json)
{
    return advance(json, '[');
}

/* One value, or the bracket that begins one. */
static void skip_one(tmb_json_reader *json)
{
    const char next = tmb_json_next(json);
    if (next == '{' || next == '[') {
        tmb_json_enter(json, next);
    } else if (next == '"') {
        (void)read_text(json, &json->text);
    } else if (next == '0') {
        (void)tmb_json_read_number(json);
    } else if (next != 'n') {
        (void)tmb_json_read_truth(json);
    } else if (!match_word(json, "null")) {
        fail_word(json, "a value");
    }
}

void tmb_json_skip(tmb_json_reader *json)
{
    const int depth = json->depth;
    skip_one(json);
    while (json->depth > depth && json->status == TUMBLE_OK) {
        if (json->brackets[json->depth - 1] == '{' ? tmb_json_key(json) != NULL : tmb_json_item(json)) {
            skip_one(json);
        }
    }
}

void tmb_json_read_numbers(tmb_json_reader *json, double *out, size_t count)
{
    size_t found = 0;
    tmb_json_enter(json, '[');
    while (json->status == TUMBLE_OK && tmb_json_item(json)) {
        const double number = tmb_json_read_number(json);
        if (found < count) {
            out[found] = number;
        }
        found++;
    }
    if (found != count) {
        tmb_json_fail(json, TUMBLE_ERROR_FORMAT, "a list has %zu numbers: give %zu", found, count);
    }
}
