/* A small reader of XML. */
#include "xml.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_LEVELS = 200
};

typedef struct xml_reader {
    const tmb_source *source;
    tmb_arena *arena;
    const char *at, *end;
    cli_xml_element *inside; /* the innermost element that is open; NULL: none */
    cli_xml_element *root;
    int level;
    tumble_status status;
} xml_reader;

static void fail(xml_reader *r, const char *at, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void fail(xml_reader *r, const char *at, const char *format, ...)
{
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (r->status == TUMBLE_OK) {
        r->status = tmb_fail_at_line(r->source, at, TUMBLE_ERROR_FORMAT, "%s", text);
    }
}

static void *allocate(xml_reader *r, size_t size)
{
    void *memory = r->status == TUMBLE_OK ? tmb_arena_allocate(r->arena, size, 1) : NULL;
    if (!memory && r->status == TUMBLE_OK) {
        r->status = tmb_fail_memory(r->source->context, "a text");
    }
    return memory;
}

static int starts_with(const xml_reader *r, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(r->end - r->at) >= length && memcmp(r->at, word, length) == 0;
}

/* To what is after a word; 0: there is no such word. */
static int skip_past(xml_reader *r, const char *word)
{
    const char *start = r->at;
    while (r->at < r->end && !starts_with(r, word)) {
        r->at++;
    }
    if (r->at == r->end) {
        fail(r, start, "what begins here does not end: there should be %s", word);
        return 0;
    }
    r->at += strlen(word);
    return 1;
}

static void skip_space(xml_reader *r)
{
    while (r->at < r->end && tmb_is_space(*r->at)) {
        r->at++;
    }
}

/* ---- names and values ---- */

static int is_name_byte(char c)
{
    const unsigned char byte = (unsigned char)c;
    const char lower = (char)(c | 0x20);
    return byte >= 0x80 || (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == ':' ||
           c == '-' || c == '.';
}

static const char *read_name(xml_reader *r)
{
    const char *start = r->at;
    while (r->at < r->end && is_name_byte(*r->at)) {
        r->at++;
    }
    const size_t length = (size_t)(r->at - start);
    if (length == 0 || (*start >= '0' && *start <= '9') || *start == '-' || *start == '.') {
        fail(r, start, "%s where there should be a name: correct the XML", tmb_quote_word(start, r->end).text);
        return NULL;
    }
    char *name = allocate(r, length + 1);
    if (name) {
        memcpy(name, start, length);
        name[length] = '\0';
    }
    return name;
}

/* UTF-8 of a character; its length. */
static size_t put_code(unsigned long code, char *out)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    const size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--, code >>= 6) {
        out[i] = (char)(0x80 | (code & 0x3f));
    }
    out[0] = (char)((length == 2 ? 0xc0u : length == 3 ? 0xe0u : 0xf0u) | code);
    return length;
}

/* "#65" or "#x41"; 0: no character. */
static unsigned long number_of(const char *at, const char *end)
{
    unsigned long code = 0;
    const unsigned long base = at < end && *at == 'x' ? 16 : 10;
    for (at += base == 16; at < end && code < 0x110000; at++) {
        const char lower = (char)(*at | 0x20);
        const int digit = *at >= '0' && *at <= '9' ? *at - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 16;
        if (digit >= (int)base) {
            return 0;
        }
        code = base * code + (unsigned long)digit;
    }
    return code >= 0x110000 || (code >= 0xd800 && code < 0xe000) ? 0 : code;
}

/* Text after "&" up to ";"; the number of bytes it stands for, 0 after a failure. What is written here is never longer
 * than what it is written for. */
static size_t read_entity(xml_reader *r, const char *at, const char *end, char *out, const char **after)
{
    static const struct {
        const char *name;
        char byte;
    } known[] = {{"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
    const char *semicolon = memchr(at, ';', (size_t)(end - at));
    const size_t length = semicolon ? (size_t)(semicolon - at) : 0;
    *after = semicolon ? semicolon + 1 : end;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (length == strlen(known[i].name) && memcmp(at, known[i].name, length) == 0) {
            out[0] = known[i].byte;
            return 1;
        }
    }
    const unsigned long code = length > 1 && *at == '#' ? number_of(at + 1, semicolon) : 0;
    if (code == 0) {
        fail(r, at, "an & stands for no character: write &amp; for one &");
        return 0;
    }
    return put_code(code, out);
}

static const char *read_value(xml_reader *r)
{
    const char quote = r->at < r->end ? *r->at : '\0', *start = r->at + 1;
    if (quote != '"' && quote != '\'') {
        fail(r, r->at, "a value is not in quotes: write name=\"value\"");
        return NULL;
    }
    const char *stop = memchr(start, quote, (size_t)(r->end - start));
    if (!stop || memchr(start, '<', (size_t)(stop - start)) || memchr(start, '\0', (size_t)(stop - start))) {
        fail(r, r->at, "a value does not end: close it with %c", quote);
        return NULL;
    }
    char *value = allocate(r, (size_t)(stop - start) + 1), *to = value;
    for (const char *at = start; value && at < stop && r->status == TUMBLE_OK;) {
        if (*at == '&') {
            to += read_entity(r, at + 1, stop, to, &at);
        } else {
            *to++ = tmb_is_space(*at) ? ' ' : *at;
            at++;
        }
    }
    if (value) {
        *to = '\0';
    }
    r->at = stop + 1;
    return value;
}

/* ---- elements ---- */

static void read_attribute(xml_reader *r, cli_xml_element *element)
{
    const char *start = r->at;
    cli_xml_attribute *attribute = allocate(r, sizeof *attribute), **end = &element->attributes;
    const char *name = read_name(r);
    if (!attribute || !name) {
        return;
    }
    skip_space(r);
    if (r->at == r->end || *r->at != '=') {
        fail(r, start, "the attribute %.60s has no value: write %.60s=\"value\"", name, name);
        return;
    }
    r->at++;
    skip_space(r);
    *attribute = (cli_xml_attribute){.name = name, .value = read_value(r)};
    for (; *end; end = &(*end)->next) {
        if (strcmp((*end)->name, name) == 0) {
            fail(r, start, "the attribute %.60s is given twice: remove one", name);
        }
    }
    *end = attribute;
}

static void append(xml_reader *r, cli_xml_element *element)
{
    cli_xml_element *parent = r->inside;
    element->parent = parent;
    if (!parent) {
        r->root = element;
    } else if (parent->last) {
        parent->last->next = element;
        parent->last = element;
    } else {
        parent->first = parent->last = element;
    }
}

/* After "<". */
static void read_start(xml_reader *r, const char *start)
{
    cli_xml_element *element = allocate(r, sizeof *element);
    const char *tag = read_name(r);
    if (!element || !tag) {
        return;
    }
    *element = (cli_xml_element){.tag = tag, .at = start};
    if (!r->inside && r->root) {
        fail(r, start, "there is a second root element, <%.60s>: a document has one", tag);
        return;
    }
    append(r, element);
    for (;;) {
        const char *before = r->at;
        skip_space(r);
        if (r->status != TUMBLE_OK) {
            return;
        }
        if (starts_with(r, "/>")) {
            r->at += 2;
            return;
        }
        if (starts_with(r, ">")) {
            break;
        }
        if (r->at == r->end || r->at == before) {
            fail(r, start, "the element <%.60s> does not end: close it with >", tag);
            return;
        }
        read_attribute(r, element);
    }
    r->at++;
    r->inside = element;
    if (++r->level > MOST_LEVELS) {
        fail(r, start, "elements are nested more than %d deep: make it flatter", MOST_LEVELS);
    }
}

/* After "</". */
static void read_end(xml_reader *r, const char *start)
{
    const char *tag = read_name(r);
    skip_space(r);
    if (!tag) {
        return;
    }
    if (!r->inside || strcmp(r->inside->tag, tag) != 0 || !starts_with(r, ">")) {
        fail(r, start, "</%.60s> where there should be </%.60s>: close what is open", tag,
             r->inside ? r->inside->tag : "");
        return;
    }
    r->at++;
    r->inside = r->inside->parent;
    r->level--;
}

/* What declares entities would change what the rest means. */
static void skip_document_type(xml_reader *r)
{
    const char *start = r->at;
    if (skip_past(r, ">") && memchr(start, '[', (size_t)(r->at - start))) {
        fail(r, start, "a document type with declarations is not supported: remove it");
    }
}

static void read_markup(xml_reader *r)
{
    const char *start = r->at;
    if (starts_with(r, "<!--")) {
        r->at += 4;
        (void)skip_past(r, "-->");
    } else if (starts_with(r, "<?")) {
        (void)skip_past(r, "?>");
    } else if (starts_with(r, "<![CDATA[") && r->inside) {
        (void)skip_past(r, "]]>");
    } else if (starts_with(r, "<!DOCTYPE") && !r->root) {
        skip_document_type(r);
    } else if (starts_with(r, "</")) {
        r->at += 2;
        read_end(r, start);
    } else {
        r->at++;
        read_start(r, start);
    }
}

/* Text between elements; outside of the root only space may stand. */
static void skip_text(xml_reader *r)
{
    if (!r->inside) {
        skip_space(r);
        if (r->at < r->end && *r->at != '<') {
            fail(r, r->at, "%s where there should be an element: correct the XML", tmb_quote_word(r->at, r->end).text);
        }
        return;
    }
    while (r->at < r->end && *r->at != '<') {
        r->at++;
    }
}

tumble_status cli_xml_parse(const tmb_source *source, tmb_arena *arena, cli_xml_element **root)
{
    const tmb_text text = tmb_text_begin(source);
    xml_reader r = {.source = source, .arena = arena, .at = text.at, .end = text.end, .status = TUMBLE_OK};
    *root = NULL;
    skip_text(&r);
    while (r.at < r.end && r.status == TUMBLE_OK) {
        read_markup(&r);
        if (r.status == TUMBLE_OK) {
            skip_text(&r);
        }
    }
    if (r.inside) {
        fail(&r, r.end, "the element <%.60s> is not closed: add </%.60s>", r.inside->tag, r.inside->tag);
    } else if (!r.root) {
        fail(&r, r.end, "there is no element: give an XML file");
    }
    *root = r.status == TUMBLE_OK ? r.root : NULL;
    return r.status;
}

const char *cli_xml_attribute_of(const cli_xml_element *element, const char *name)
{
    for (const cli_xml_attribute *at = element->attributes; at; at = at->next) {
        if (strcmp(at->name, name) == 0) {
            return at->value;
        }
    }
    return NULL;
}

static const cli_xml_element *find(const cli_xml_element *from, const char *tag)
{
    while (from && strcmp(from->tag, tag) != 0) {
        from = from->next;
    }
    return from;
}

const cli_xml_element *cli_xml_child(const cli_xml_element *element, const char *tag)
{
    return find(element->first, tag);
}

const cli_xml_element *cli_xml_next(const cli_xml_element *element)
{
    return find(element->next, element->tag);
}
