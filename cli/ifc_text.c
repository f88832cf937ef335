/* What the text of an IFC file says: names, schema and unit. */
#include "ifc_text.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "io/number.h"

enum {
    GUID_LENGTH = 22
};

/* ---- names ---- */

static int is_class(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (!isalnum((unsigned char)text[i])) {
            return 0;
        }
    }
    return strncmp(text, "Ifc", 3) == 0;
}

static int is_guid(const char *text)
{
    for (int i = 0; i < GUID_LENGTH; i++) {
        if (!isalnum((unsigned char)text[i]) && text[i] != '_' && text[i] != '$') {
            return 0;
        }
    }
    return 1;
}

/* Copies what fits, up to a whole UTF-8 character. */
static void copy_part(char *out, size_t capacity, const char *text, size_t length)
{
    size_t size = length < capacity ? length : capacity - 1;
    while (size > 0 && size < length && ((unsigned char)text[size] & 0xc0) == 0x80) {
        size--;
    }
    memcpy(out, text, size);
    out[size] = '\0';
}

int cli_ifc_split_name(const char *text, cli_ifc_name *out)
{
    const size_t length = strlen(text), class_length = strcspn(text, "_");
    if (!is_class(text, class_length) || length < class_length + 2 + GUID_LENGTH) {
        return 0;
    }
    const char *guid = text + length - GUID_LENGTH, *name = text + class_length + 1;
    if (guid[-1] != '_' || !is_guid(guid)) {
        return 0;
    }
    const size_t name_length = guid > name ? (size_t)(guid - 1 - name) : 0;
    copy_part(out->class_name, sizeof out->class_name, text, class_length);
    copy_part(out->name, sizeof out->name, name, name_length);
    copy_part(out->guid, sizeof out->guid, guid, GUID_LENGTH);
    if (strcmp(out->name, "Unnamed") == 0) { /* assimp's word for none */
        out->name[0] = '\0';
    }
    return 1;
}

/* ---- entities ---- */

/* Part of a text. */
typedef struct span {
    const char *at, *end;
} span;

static span skip_space(span text)
{
    while (text.at < text.end && isspace((unsigned char)*text.at)) {
        text.at++;
    }
    return text;
}

/* After a word, whatever the case of its letters; NULL: there is another. */
static const char *match(span text, const char *word)
{
    text = skip_space(text);
    for (; *word; word++, text.at++) {
        if (text.at == text.end || toupper((unsigned char)*text.at) != *word) {
            return NULL;
        }
    }
    return text.at;
}

/* The end of the statement that `at` is in, not in a string. */
static const char *end_of_statement(span text)
{
    int quoted = 0;
    for (; text.at < text.end && (quoted || *text.at != ';'); text.at++) {
        quoted ^= *text.at == '\'';
    }
    return text.at;
}

static const char *read_number(span text, uint64_t *number)
{
    int64_t value;
    text = skip_space(text);
    if (text.at == text.end || *text.at != '#') {
        return NULL;
    }
    const char *after = tmb_parse_integer(text.at + 1, text.end, &value);
    *number = after ? (uint64_t)value : 0;
    return after;
}

/* Steps to the next statement "#id = ..."; *body is what follows the equals sign. 0: there is none. */
static int next_entity(span *text, uint64_t *id, span *body)
{
    while (text->at < text->end) {
        const span statement = {text->at, end_of_statement(*text)};
        text->at = statement.end + (statement.end < text->end);
        const char *after = read_number(statement, id);
        const char *equals = after ? match((span){after, statement.end}, "=") : NULL;
        if (equals) {
            *body = (span){equals, statement.end};
            return 1;
        }
    }
    return 0;
}

static int find_entity(span text, uint64_t wanted, span *body)
{
    uint64_t id;
    while (next_entity(&text, &id, body)) {
        if (id == wanted) {
            return 1;
        }
    }
    return 0;
}

/* ---- units ---- */

/* The argument of an entity with this number, from 0; its arguments hold no lists and no strings with commas. */
static span argument(span body, int number)
{
    while (body.at < body.end && *body.at != '(') {
        body.at++;
    }
    for (body.at += body.at<body.end; number> 0 && body.at < body.end; body.at++) {
        number -= *body.at == ',';
    }
    return skip_space(body);
}

static double si_unit(span body)
{
    static const struct {
        const char *word;
        double factor;
    } prefixes[] = {{"$", 1},          {".KILO.", 1e3},   {".HECTO.", 1e2},  {".DECA.", 10},  {".DECI.", 0.1},
                    {".CENTI.", 0.01}, {".MILLI.", 1e-3}, {".MICRO.", 1e-6}, {".NANO.", 1e-9}};
    if (!match(argument(body, 1), ".LENGTHUNIT.")) {
        return 0;
    }
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (match(argument(body, 2), prefixes[i].word)) {
            return prefixes[i].factor;
        }
    }
    return 0;
}

/* IFCMEASUREWITHUNIT(IFCLENGTHMEASURE(0.3048),#unit) or IFCMEASUREWITHUNIT(0.3048,#unit) */
static double measure(span text, uint64_t id)
{
    span body, inner;
    double value;
    uint64_t unit;
    if (!find_entity(text, id, &body) || !match(body, "IFCMEASUREWITHUNIT")) {
        return 0;
    }
    inner = argument(body, 0);
    if (match(inner, "IFC")) {
        inner = argument(inner, 0);
    }
    const char *after = tmb_parse_double(inner.at, inner.end, &value);
    if (!after || !read_number(argument(body, 1), &unit) || !find_entity(text, unit, &body) ||
        !match(body, "IFCSIUNIT")) {
        return 0;
    }
    return isfinite(value) ? value * si_unit(body) : 0;
}

static double unit_of(span text, uint64_t id)
{
    span body;
    uint64_t factor;
    if (!find_entity(text, id, &body)) {
        return 0;
    }
    if (match(body, "IFCSIUNIT")) {
        return si_unit(body);
    }
    if (!match(body, "IFCCONVERSIONBASEDUNIT") || !match(argument(body, 1), ".LENGTHUNIT.") ||
        !read_number(argument(body, 3), &factor)) {
        return 0;
    }
    return measure(text, factor);
}

double cli_ifc_unit_of_text(const char *data, size_t size)
{
    const span text = {data, data + size};
    span rest = text, body;
    uint64_t id;
    while (next_entity(&rest, &id, &body)) {
        if (!match(body, "IFCUNITASSIGNMENT")) {
            continue;
        }
        for (const char *at = body.at; at < body.end; at++) {
            const double metres = *at == '#' && read_number((span){at, body.end}, &id) ? unit_of(text, id) : 0;
            if (metres > 0) {
                return metres;
            }
        }
    }
    return 0;
}

double cli_ifc_unit(tumble_context *context, const char *path)
{
    tmb_buffer data = {0};
    size_t size = 0;
    double metres = 0;
    if (tmb_file_read(context, path, &data, &size) == TUMBLE_OK) {
        metres = cli_ifc_unit_of_text(data.data, size);
    }
    tmb_buffer_release(context, &data);
    return metres;
}

/* ---- schema ---- */

/* FILE_SCHEMA(('IFC2X3')); */
int cli_ifc_schema(tumble_context *context, const char *path, char *out, size_t capacity)
{
    char start[8192];
    size_t size = 0;
    if (tmb_file_read_start(context, path, start, sizeof start - 1, &size) != TUMBLE_OK) {
        return 0;
    }
    start[size] = '\0';
    const char *at = strstr(start, "FILE_SCHEMA"), *first = at ? strchr(at, '\'') : NULL;
    const char *last = first ? strchr(first + 1, '\'') : NULL;
    if (!last || last == first + 1 || (size_t)(last - first) > capacity) {
        return 0;
    }
    memcpy(out, first + 1, (size_t)(last - first - 1));
    out[last - first - 1] = '\0';
    return 1;
}
