/* A writer of JSON. */
#include "clash/json.h"

#include <math.h>
#include <string.h>

#include "io/number.h"

static void put(tmb_json *json, const char *text)
{
    tmb_output_write(json->output, text, strlen(text));
}

/* The bytes of the UTF-8 character at `text`; 0 if it is none, is too long for what it says, or a surrogate. */
static size_t character_length(const unsigned char *text)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t length = text[0] < 0x80       ? 1
                          : text[0] >> 5 == 6  ? 2
                          : text[0] >> 4 == 14 ? 3
                          : text[0] >> 3 == 30 ? 4
                                               : 0;
    uint32_t code = length < 2 ? text[0] : text[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if (text[i] >> 6 != 2) {
            return 0;
        }
        code = code << 6 | (text[i] & 0x3f);
    }
    return length && code >= least[length] && code <= 0x10ffff && code >> 11 != 0x1b ? length : 0;
}

static void put_string(tmb_json *json, const char *text)
{
    static const char digits[] = "0123456789abcdef";
    const unsigned char *at = (const unsigned char *)text;
    put(json, "\"");
    while (*at) {
        const size_t length = character_length(at);
        if (length == 0) {
            put(json, "\\ufffd");
        } else if (*at < 0x20) {
            const char escaped[] = {'\\', 'u', '0', '0', digits[*at >> 4], digits[*at & 15], '\0'};
            put(json, escaped);
        } else {
            if (*at == '"' || *at == '\\') {
                put(json, "\\");
            }
            tmb_output_write(json->output, at, length);
        }
        at += length ? length : 1;
    }
    put(json, "\"");
}

static void start(tmb_json *json, const char *key)
{
    if (json->has_items) {
        put(json, json->has_items == 2 ? ",\n " : ", ");
    }
    json->has_items = 1;
    if (key) {
        put_string(json, key);
        put(json, ": ");
    }
}

void tmb_json_open(tmb_json *json, const char *key, char bracket)
{
    const char text[] = {bracket, '\0'};
    start(json, key);
    put(json, text);
    json->has_items = 0;
}

void tmb_json_close(tmb_json *json, char bracket)
{
    const char text[] = {bracket, '\0'};
    put(json, text);
    json->has_items = 1;
}

void tmb_json_line(tmb_json *json)
{
    if (json->has_items) {
        json->has_items = 2;
    }
}

void tmb_json_text(tmb_json *json, const char *key, const char *text)
{
    start(json, key);
    put_string(json, text);
}

void tmb_json_whole(tmb_json *json, const char *key, uint64_t number)
{
    char text[TMB_NUMBER_TEXT];
    start(json, key);
    tmb_output_write(json->output, text, tmb_format_unsigned(number, text));
}

void tmb_json_real(tmb_json *json, const char *key, double number)
{
    char text[TMB_NUMBER_TEXT];
    if (!isfinite(number)) {
        tmb_json_word(json, key, "null");
        return;
    }
    start(json, key);
    tmb_output_write(json->output, text, tmb_format_double(number, text));
}

void tmb_json_reals(tmb_json *json, const char *key, const double *numbers, size_t count)
{
    tmb_json_open(json, key, '[');
    for (size_t i = 0; i < count; i++) {
        tmb_json_real(json, NULL, numbers[i]);
    }
    tmb_json_close(json, ']');
}

void tmb_json_word(tmb_json *json, const char *key, const char *word)
{
    start(json, key);
    put(json, word);
}
