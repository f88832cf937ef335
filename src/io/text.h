/* The bytes of a mesh file, and skipping over text. Lines are counted only when an error message needs one. */
#ifndef TUMBLE_SRC_IO_TEXT_H
#define TUMBLE_SRC_IO_TEXT_H

#include "base/assert.h"
#include "base/context.h"
#include "io/number.h"

/* A whole file in memory. */
typedef struct tmb_source {
    tumble_context *context;
    const char *name; /* for messages; NULL: it has none */
    const char *data;
    size_t size;
} tmb_source;

/* What is left to read. */
typedef struct tmb_text {
    const tmb_source *source;
    const char *at, *end;
} tmb_text;

/* The text from its start, after a byte-order mark. */
tmb_text tmb_text_begin(const tmb_source *source);

/* The number of the line that `at` is in, from 1. Counts from the start of the file. */
unsigned long long tmb_line_of(const tmb_source *source, const char *at);

/* tmb_fail with the file's name and the line of `at`, or the offset of the byte. */
tumble_status tmb_fail_at_line(const tmb_source *source, const char *at, tumble_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
tumble_status tmb_fail_at_byte(const tmb_source *source, const char *at, tumble_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The word at `at` for a message: shortened, without control characters, in quotes; or "the end of the file". */
typedef struct tmb_quote {
    char text[40];
} tmb_quote;
tmb_quote tmb_quote_word(const char *at, const char *end);

/* Whether the word at `at` is `word` (given in lower case), whatever the case of its letters. Returns where it ends, or
 * NULL. */
const char *tmb_match_word(const char *at, const char *end, const char *word);

static inline int tmb_is_newline(char c)
{
    return c == '\n' || c == '\r';
}

static inline int tmb_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static inline int tmb_is_space(char c)
{
    return c == ' ' || (unsigned char)(c - '\t') < 5;
}

static inline const char *tmb_skip_blanks(const char *at, const char *end)
{
    TMB_ASSERT(at <= end);
    while (at < end && tmb_is_blank(*at)) {
        at++;
    }
    return at;
}

/* Blanks and ends of lines. */
static inline const char *tmb_skip_space(const char *at, const char *end)
{
    TMB_ASSERT(at <= end);
    while (at < end && tmb_is_space(*at)) {
        at++;
    }
    return at;
}

static inline const char *tmb_skip_word(const char *at, const char *end)
{
    TMB_ASSERT(at <= end);
    while (at < end && !tmb_is_space(*at)) {
        at++;
    }
    return at;
}

/* To the end of the line, not over it. */
static inline const char *tmb_skip_line(const char *at, const char *end)
{
    TMB_ASSERT(at <= end);
    while (at < end && !tmb_is_newline(*at)) {
        at++;
    }
    return at;
}

/* Space and comments, which start with '#' and end with the line. */
static inline const char *tmb_skip_comments(const char *at, const char *end)
{
    at = tmb_skip_space(at, end);
    while (at < end && *at == '#') {
        at = tmb_skip_space(tmb_skip_line(at, end), end);
    }
    return at;
}

/* Three numbers x, y and z are finite exactly when this holds. */
static inline int tmb_is_finite_point(const double point[3])
{
    const double zero = point[0] * 0 + point[1] * 0 + point[2] * 0;
    return zero == zero;
}

#endif
