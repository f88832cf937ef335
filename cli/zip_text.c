/* The unit that 3MF and AMF files state. Both are XML, which 3MF always and AMF often packs into a ZIP archive. */
#include "zip_text.h"

#include <stdint.h>
#include <string.h>

#include "io/file.h"

enum {
    START_BYTES = 8192, /* the unit stands in the first element */
    ENTRY_BYTES = 46,   /* of the directory, before the name */
    LOCAL_BYTES = 30,   /* of the head of a file, likewise */
    END_BYTES = 22,     /* of the record that ends the archive, before the comment */
    MOST_COMMENT = 65535,
    STORED = 0,
    DEFLATED = 8
};

static uint32_t number_at(const unsigned char *at, int bytes)
{
    uint32_t value = 0;
    for (int i = bytes; i-- > 0;) {
        value = value << 8 | at[i];
    }
    return value;
}

/* The record at the end, which says where the directory is; NULL: this is no archive. */
static const unsigned char *find_end(const unsigned char *zip, size_t size)
{
    for (size_t back = END_BYTES; back <= size && back <= END_BYTES + MOST_COMMENT; back++) {
        if (memcmp(zip + size - back, "PK\5\6", 4) == 0) {
            return zip + size - back;
        }
    }
    return NULL;
}

static size_t unpack(const unsigned char *zip, size_t size, const unsigned char *entry, unsigned char *out,
                     size_t capacity)
{
    const uint32_t method = number_at(entry + 10, 2), packed = number_at(entry + 20, 4), at = number_at(entry + 42, 4);
    if (size < LOCAL_BYTES || at > size - LOCAL_BYTES) {
        return 0;
    }
    const size_t start = at + LOCAL_BYTES + number_at(zip + at + 26, 2) + number_at(zip + at + 28, 2);
    const size_t left = start < size ? size - start : 0, length = packed < left ? packed : left;
    if (method == DEFLATED) {
        return cli_inflate(zip + start, length, out, capacity);
    }
    const size_t count = method == STORED && length < capacity ? length : method == STORED ? capacity : 0;
    memcpy(out, zip + start, count);
    return count;
}

static int ends_like(const unsigned char *name, size_t length, const char *ending)
{
    const size_t size = strlen(ending);
    return length >= size && memcmp(name + length - size, ending, size) == 0;
}

size_t cli_zip_start(const unsigned char *zip, size_t size, const char *ending, unsigned char *out, size_t capacity)
{
    const unsigned char *end = find_end(zip, size);
    size_t at = end ? number_at(end + 16, 4) : size;
    while (size >= ENTRY_BYTES && at <= size - ENTRY_BYTES && memcmp(zip + at, "PK\1\2", 4) == 0) {
        const size_t name = number_at(zip + at + 28, 2);
        if (name <= size - at - ENTRY_BYTES && ends_like(zip + at + ENTRY_BYTES, name, ending)) {
            return unpack(zip, size, zip + at, out, capacity);
        }
        at += ENTRY_BYTES + name + number_at(zip + at + 30, 2) + number_at(zip + at + 32, 2);
    }
    return 0;
}

/* ---- XML ---- */

static double length_of_word(const char *word, size_t length)
{
    static const struct {
        const char *word;
        double metres;
    } units[] = {{"micron", 1e-6}, {"millimeter", 1e-3}, {"centimeter", 1e-2}, {"inch", 0.0254},
                 {"foot", 0.3048}, {"feet", 0.3048},     {"meter", 1}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strlen(units[i].word) == length && memcmp(units[i].word, word, length) == 0) {
            return units[i].metres;
        }
    }
    return 0;
}

/* The attribute unit of the element, which `text` has the start of. */
static double unit_of(const char *text, const char *element)
{
    const char *at = strstr(text, element), *end = at ? strchr(at, '>') : NULL;
    if (!end) {
        return 0;
    }
    for (at = strstr(at, "unit"); at && at < end; at = strstr(at + 1, "unit")) {
        const char *quote = at + 4 + strspn(at + 4, " \t\r\n");
        if (*quote != '=' || !strchr(" \t\r\n", at[-1])) {
            continue;
        }
        quote += 1 + strspn(quote + 1, " \t\r\n");
        const char closing[2] = {*quote, '\0'};
        return *quote == '"' || *quote == '\'' ? length_of_word(quote + 1, strcspn(quote + 1, closing)) : 0;
    }
    return 1e-3;
}

static double unit_of_data(const void *data, size_t size, const char *ending, const char *element)
{
    char start[START_BYTES + 1] = "";
    size_t length = size < START_BYTES ? size : START_BYTES;
    if (size > 4 && memcmp(data, "PK\3\4", 4) == 0) {
        length = cli_zip_start(data, size, ending, (unsigned char *)start, START_BYTES);
    } else if (length > 0) {
        memcpy(start, data, length);
    }
    start[length] = '\0';
    return unit_of(start, element);
}

double cli_3mf_unit_of_data(const void *data, size_t size)
{
    return unit_of_data(data, size, ".model", "<model");
}

double cli_amf_unit_of_data(const void *data, size_t size)
{
    return unit_of_data(data, size, ".amf", "<amf");
}

static double unit_of_file(tumble_context *context, const char *path, double (*unit)(const void *data, size_t size))
{
    tmb_buffer data = {0};
    size_t size = 0;
    const double metres = tmb_file_read(context, path, &data, &size) == TUMBLE_OK ? unit(data.data, size) : 0;
    tmb_buffer_release(context, &data);
    return metres;
}

double cli_3mf_unit(tumble_context *context, const char *path)
{
    return unit_of_file(context, path, cli_3mf_unit_of_data);
}

double cli_amf_unit(tumble_context *context, const char *path)
{
    return unit_of_file(context, path, cli_amf_unit_of_data);
}
