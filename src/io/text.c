/* Messages about places in files, and words. */
#include "io/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"

tmb_text tmb_text_begin(const tmb_source *source)
{
    tmb_text text = {source, source->data, source->data + source->size};
    if (source->size >= 3 && memcmp(text.at, "\xef\xbb\xbf", 3) == 0) {
        text.at += 3;
    }
    return text;
}

/* Lines end with \n, \r or \r\n. */
unsigned long long tmb_line_of(const tmb_source *source, const char *at)
{
    unsigned long long line = 1;
    for (const char *p = source->data; p < at; p++) {
        line += *p == '\n' || (*p == '\r' && (p + 1 == source->data + source->size || p[1] != '\n'));
    }
    return line;
}

static tumble_status fail_at(const tmb_source *source, tumble_status status, const char *unit, unsigned long long place,
                             const char *format, va_list arguments)
{
    char text[256];
    vsnprintf(text, sizeof text, format, arguments);
    if (!source->name) {
        return tmb_fail(source->context, status, "%s %llu: %s", unit, place, text);
    }
    const size_t length = strlen(source->name), most = 200;
    const char *tail = length > most ? source->name + length - most : source->name;
    return tmb_fail(source->context, status, "%s%s: %s %llu: %s", length > most ? "..." : "", tail, unit, place, text);
}

tumble_status tmb_fail_at_line(const tmb_source *source, const char *at, tumble_status status, const char *format, ...)
{
    TMB_ASSERT(status != TUMBLE_OK);
    TMB_ASSERT(at >= source->data && at <= source->data + source->size);
    va_list arguments;
    va_start(arguments, format);
    fail_at(source, status, "line", tmb_line_of(source, at), format, arguments);
    va_end(arguments);
    return status;
}

tumble_status tmb_fail_at_byte(const tmb_source *source, const char *at, tumble_status status, const char *format, ...)
{
    TMB_ASSERT(status != TUMBLE_OK);
    TMB_ASSERT(at >= source->data && at <= source->data + source->size);
    va_list arguments;
    va_start(arguments, format);
    fail_at(source, status, "byte", (unsigned long long)(at - source->data), format, arguments);
    va_end(arguments);
    return status;
}

tmb_quote tmb_quote_word(const char *at, const char *end)
{
    tmb_quote quote = {"the end of the file"};
    if (at == end) {
        return quote;
    }
    if (tmb_is_newline(*at)) {
        return (tmb_quote){"the end of the line"};
    }
    size_t length = 0, most = sizeof quote.text - 6;
    quote.text[length++] = '\'';
    for (; at < end && !tmb_is_space(*at) && length < most; at++) {
        quote.text[length++] = *at > ' ' && *at <= '~' ? *at : '?';
    }
    snprintf(quote.text + length, sizeof quote.text - length, "%s", at < end && !tmb_is_space(*at) ? "...'" : "'");
    return quote;
}

const char *tmb_match_word(const char *at, const char *end, const char *word)
{
    TMB_ASSERT(at <= end);
    for (; *word; word++, at++) {
        const char lower = (char)(at < end && *at >= 'A' && *at <= 'Z' ? *at + ('a' - 'A') : 0);
        if (at == end || (*at != *word && lower != *word)) {
            return NULL;
        }
    }
    return at == end || tmb_is_space(*at) ? at : NULL;
}
