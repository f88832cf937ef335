/* PLY, text and binary of both byte orders. Elements and properties may come in any order and of any type; anything but
 * coordinates and corners is skipped. In text, line breaks are blanks like others. */
#include <stdio.h>
#include <string.h>

#include "io/ply.h"
#include "io/readers.h"

typedef struct ply_reader {
    tmb_text text;
    tumble_mesh_buffer *buffer;
    ply_header header;
    int swap; /* numbers in the file have the other byte order */
} ply_reader;

/* One item of an element: where it is for messages, and what was read of it. */
typedef struct ply_item {
    const ply_element *element;
    uint64_t number;
    const char *at;
    double point[3];
} ply_item;

#define FAIL(reader, at, ...)                                                                         \
    ((reader)->header.encoding == PLY_TEXT ? tmb_fail_at_line((reader)->text.source, at, __VA_ARGS__) \
                                           : tmb_fail_at_byte((reader)->text.source, at, __VA_ARGS__))

static tumble_status fail_truncated(const ply_reader *reader, const ply_item *item)
{
    return FAIL(reader, reader->text.end, TUMBLE_ERROR_FORMAT, "the file ends in %.*s %llu of %llu",
                item->element->name_length, item->element->name, (unsigned long long)item->number,
                (unsigned long long)item->element->count);
}

static tumble_status check_corner(const ply_reader *reader, const ply_item *item, const char *at, int64_t index)
{
    if (index >= 0 && (uint64_t)index < reader->header.vertex_count) {
        return TUMBLE_OK;
    }
    return FAIL(reader, at, TUMBLE_ERROR_FORMAT, "face %llu refers to vertex %lld, but there are %llu, counted from 0",
                (unsigned long long)item->number, (long long)index, (unsigned long long)reader->header.vertex_count);
}

static tumble_status check_corner_count(const ply_reader *reader, const ply_item *item, const char *at, int64_t count)
{
    if (count >= 3) {
        return TUMBLE_OK;
    }
    return FAIL(reader, at, TUMBLE_ERROR_FORMAT, "face %llu has %lld corners, but needs at least 3",
                (unsigned long long)item->number, (long long)count);
}

/* A vertex or a face is complete. */
static tumble_status add_item(ply_reader *reader, const ply_item *item)
{
    if (item->element->kind == PLY_FACE) {
        return tmb_mesh_end_polygon(reader->buffer, 0);
    }
    if (item->element->kind == PLY_OTHER) {
        return TUMBLE_OK;
    }
    if (!tmb_is_finite_point(item->point)) {
        return FAIL(reader, item->at, TUMBLE_ERROR_NOT_FINITE, "vertex %llu has a coordinate that is NaN or infinite",
                    (unsigned long long)item->number);
    }
    return tmb_mesh_add_point(reader->buffer, item->point);
}

/* Binary */

static uint16_t load_16(const char *at, int swap)
{
    uint16_t bits;
    memcpy(&bits, at, sizeof bits);
    return swap ? __builtin_bswap16(bits) : bits;
}

static uint32_t load_32(const char *at, int swap)
{
    uint32_t bits;
    memcpy(&bits, at, sizeof bits);
    return swap ? __builtin_bswap32(bits) : bits;
}

static uint64_t load_64(const char *at, int swap)
{
    uint64_t bits;
    memcpy(&bits, at, sizeof bits);
    return swap ? __builtin_bswap64(bits) : bits;
}

static int64_t load_integer(const char *at, ply_type type, int swap)
{
    switch (type) {
    case PLY_INT8: return (int8_t)*at;
    case PLY_UINT8: return (uint8_t)*at;
    case PLY_INT16: return (int16_t)load_16(at, swap);
    case PLY_UINT16: return load_16(at, swap);
    case PLY_INT32: return (int32_t)load_32(at, swap);
    case PLY_UINT32: return load_32(at, swap);
    case PLY_FLOAT:
    case PLY_DOUBLE:
    case PLY_NONE: break; /* the header's reader has rejected them */
    }
    return 0;
}

static double load_number(const char *at, ply_type type, int swap)
{
    if (type == PLY_FLOAT) {
        const uint32_t bits = load_32(at, swap);
        float value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (type == PLY_DOUBLE) {
        const uint64_t bits = load_64(at, swap);
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    return (double)load_integer(at, type, swap);
}

static int has_bytes(const ply_reader *reader, uint64_t bytes)
{
    return (uint64_t)(reader->text.end - reader->text.at) >= bytes;
}

static tumble_status read_binary_corners(ply_reader *reader, const ply_item *item, ply_type type, int64_t count)
{
    const size_t size = tmb_ply_size(type);
    tumble_status status = tmb_mesh_reserve_corners(reader->buffer, (size_t)count);
    for (int64_t i = 0; status == TUMBLE_OK && i < count; i++) {
        const char *at = reader->text.at;
        const int64_t index = load_integer(at, type, reader->swap);
        status = check_corner(reader, item, at, index);
        if (status == TUMBLE_OK) {
            status = tmb_mesh_add_corner(reader->buffer, (uint32_t)index);
        }
        reader->text.at = at + size;
    }
    return status;
}

static tumble_status read_binary_list(ply_reader *reader, const ply_item *item, const ply_property *property)
{
    const size_t count_size = tmb_ply_size(property->count_type);
    if (!has_bytes(reader, count_size)) {
        return fail_truncated(reader, item);
    }
    const char *at = reader->text.at;
    const int64_t count = load_integer(at, property->count_type, reader->swap);
    if (count < 0) {
        return FAIL(reader, at, TUMBLE_ERROR_FORMAT, "a list of %.*s %llu has %lld items", item->element->name_length,
                    item->element->name, (unsigned long long)item->number, (long long)count);
    }
    reader->text.at += count_size;
    if (!has_bytes(reader, (uint64_t)count * tmb_ply_size(property->type))) {
        return fail_truncated(reader, item);
    }
    if (property->meaning != PLY_CORNERS) {
        reader->text.at += (size_t)count * tmb_ply_size(property->type);
        return TUMBLE_OK;
    }
    const tumble_status status = check_corner_count(reader, item, at, count);
    return status != TUMBLE_OK ? status : read_binary_corners(reader, item, property->type, count);
}

static tumble_status read_binary_item(ply_reader *reader, ply_item *item)
{
    const ply_property *properties = tmb_ply_properties(&reader->header, item->element);
    item->at = reader->text.at;
    for (size_t i = 0; i < item->element->property_count; i++) {
        const ply_property *property = properties + i;
        if (property->count_type != PLY_NONE) {
            const tumble_status status = read_binary_list(reader, item, property);
            if (status != TUMBLE_OK) {
                return status;
            }
            continue;
        }
        if (!has_bytes(reader, tmb_ply_size(property->type))) {
            return fail_truncated(reader, item);
        }
        if (property->meaning <= PLY_Z) {
            item->point[property->meaning] = load_number(reader->text.at, property->type, reader->swap);
        }
        reader->text.at += tmb_ply_size(property->type);
    }
    return add_item(reader, item);
}

/* Elements without lists have a fixed size, so a wrong count is found before anything is read. */
static tumble_status check_binary_size(const ply_reader *reader, const ply_element *element)
{
    const uint64_t left = (uint64_t)(reader->text.end - reader->text.at);
    if (element->bytes && element->count > left / element->bytes) {
        return FAIL(reader, reader->text.at, TUMBLE_ERROR_FORMAT,
                    "the header announces %llu of element %.*s, %zu bytes each, but only %llu bytes are left",
                    (unsigned long long)element->count, element->name_length, element->name, element->bytes,
                    (unsigned long long)left);
    }
    return TUMBLE_OK;
}

/* Text */

static tumble_status fail_number(const ply_reader *reader, const ply_item *item)
{
    const tmb_text *text = &reader->text;
    return tmb_fail_at_line(text->source, text->at, TUMBLE_ERROR_FORMAT, "%.*s %llu: a number is missing, found %s",
                            item->element->name_length, item->element->name, (unsigned long long)item->number,
                            tmb_quote_word(text->at, text->end).text);
}

static int ends_word(const char *at, const char *end)
{
    return at == end || tmb_is_space(*at);
}

static tumble_status read_text_integer(ply_reader *reader, const ply_item *item, int64_t *value)
{
    tmb_text *text = &reader->text;
    text->at = tmb_skip_space(text->at, text->end);
    const char *after = tmb_parse_integer(text->at, text->end, value);
    if (!after || !ends_word(after, text->end)) {
        return fail_number(reader, item);
    }
    text->at = after;
    return TUMBLE_OK;
}

static tumble_status skip_text_number(ply_reader *reader, const ply_item *item)
{
    tmb_text *text = &reader->text;
    text->at = tmb_skip_space(text->at, text->end);
    if (text->at == text->end) {
        return fail_number(reader, item);
    }
    text->at = tmb_skip_word(text->at, text->end);
    return TUMBLE_OK;
}

static tumble_status read_text_coordinate(ply_reader *reader, const ply_item *item, double *value)
{
    tmb_text *text = &reader->text;
    text->at = tmb_skip_space(text->at, text->end);
    const char *after = tmb_parse_double(text->at, text->end, value);
    if (!after || !ends_word(after, text->end)) {
        return fail_number(reader, item);
    }
    text->at = after;
    return TUMBLE_OK;
}

static tumble_status read_text_list(ply_reader *reader, const ply_item *item, const ply_property *property)
{
    int64_t count, index;
    tumble_status status = read_text_integer(reader, item, &count);
    if (status == TUMBLE_OK && property->meaning == PLY_CORNERS) {
        status = check_corner_count(reader, item, reader->text.at, count);
    }
    for (int64_t i = 0; status == TUMBLE_OK && i < count; i++) {
        if (property->meaning != PLY_CORNERS) {
            status = skip_text_number(reader, item);
            continue;
        }
        status = read_text_integer(reader, item, &index);
        if (status == TUMBLE_OK) {
            status = check_corner(reader, item, reader->text.at, index);
        }
        if (status == TUMBLE_OK) {
            status = tmb_mesh_add_corner(reader->buffer, (uint32_t)index);
        }
    }
    return status;
}

static tumble_status read_text_item(ply_reader *reader, ply_item *item)
{
    const ply_property *properties = tmb_ply_properties(&reader->header, item->element);
    tumble_status status = TUMBLE_OK;
    for (size_t i = 0; status == TUMBLE_OK && i < item->element->property_count; i++) {
        const ply_property *property = properties + i;
        if (property->count_type != PLY_NONE) {
            status = read_text_list(reader, item, property);
        } else if (property->meaning <= PLY_Z) {
            status = read_text_coordinate(reader, item, &item->point[property->meaning]);
        } else {
            status = skip_text_number(reader, item);
        }
    }
    item->at = reader->text.at;
    return status != TUMBLE_OK ? status : add_item(reader, item);
}

/* Both */

/* Makes room for what the header announces, as far as it is plausible. Every number takes a byte, or two in text. */
static tumble_status reserve(ply_reader *reader, const ply_element *element)
{
    const uint64_t left = (uint64_t)(reader->text.end - reader->text.at);
    const uint64_t numbers = reader->header.encoding == PLY_TEXT ? left / 2 : left;
    if (element->kind == PLY_VERTEX) {
        const uint64_t most = numbers / 3;
        return tmb_mesh_reserve_points(reader->buffer, (size_t)(element->count < most ? element->count : most));
    }
    if (element->kind == PLY_FACE) {
        const uint64_t most = numbers / 4;
        return tmb_mesh_reserve_corners(reader->buffer, (size_t)(3 * (element->count < most ? element->count : most)));
    }
    return TUMBLE_OK;
}

static tumble_status read_items(ply_reader *reader, const ply_element *element)
{
    const int is_text = reader->header.encoding == PLY_TEXT;
    ply_item item = {.element = element};
    if (!element->property_count) {
        return TUMBLE_OK; /* takes no room in the file, whatever the count */
    }
    if (!is_text && element->bytes && element->kind == PLY_OTHER) {
        reader->text.at += element->bytes * element->count;
        return TUMBLE_OK;
    }
    const tumble_status reserved = reserve(reader, element);
    if (reserved) {
        return reserved;
    }
    for (; item.number < element->count; item.number++) {
        const tumble_status status = is_text ? read_text_item(reader, &item) : read_binary_item(reader, &item);
        if (status != TUMBLE_OK) {
            return status;
        }
    }
    return TUMBLE_OK;
}

static tumble_status read_elements(ply_reader *reader)
{
    const int is_text = reader->header.encoding == PLY_TEXT;
    for (size_t i = 0; i < reader->header.element_count; i++) {
        const ply_element *element = tmb_ply_elements(&reader->header) + i;
        tumble_status status = is_text ? TUMBLE_OK : check_binary_size(reader, element);
        if (status == TUMBLE_OK) {
            status = read_items(reader, element);
        }
        if (status != TUMBLE_OK) {
            return status;
        }
    }
    tmb_text *text = &reader->text;
    if (is_text && (text->at = tmb_skip_space(text->at, text->end)) < text->end) {
        return tmb_fail_at_line(text->source, text->at, TUMBLE_ERROR_FORMAT,
                                "the file should end after the last element, found %s",
                                tmb_quote_word(text->at, text->end).text);
    }
    return TUMBLE_OK;
}

static int is_big_endian_machine(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 0;
}

/* Tells about lines of the header that were skipped. */
static void warn(const ply_reader *reader)
{
    const ply_header *header = &reader->header;
    const tmb_source *source = reader->text.source;
    if (header->unknown) {
        char lines[60] = "";
        if (header->unknown_count > 1) {
            snprintf(lines, sizeof lines, " (the first of %zu such lines)", header->unknown_count);
        }
        snprintf(reader->buffer->warning, sizeof reader->buffer->warning,
                 "line %llu: %s does not belong in a PLY header%s", tmb_line_of(source, header->unknown),
                 tmb_quote_word(header->unknown, source->data + source->size).text, lines);
    }
}

tumble_status tmb_read_ply(const tmb_source *source, tumble_mesh_buffer *buffer)
{
    ply_reader reader = {.text = {source, source->data, source->data + source->size}, .buffer = buffer};
    tumble_status status = tmb_ply_read_header(&reader.text, &reader.header);
    if (status == TUMBLE_OK) {
        reader.swap = (reader.header.encoding == PLY_BIG_ENDIAN) != is_big_endian_machine();
        warn(&reader);
        status = read_elements(&reader);
    }
    tmb_ply_release_header(source->context, &reader.header);
    return status;
}

int tmb_looks_like_ply(const tmb_source *source)
{
    return tmb_match_word(source->data, source->data + source->size, "ply") != NULL;
}
