/* STL, text and binary. The bytes at the start do not tell them apart: programs write "solid" there in binary files
 * too. The number of triangles that a binary file has at byte 80 does. In a text file these bytes are letters and
 * blanks, which would mean a file of more than seven gigabytes. Text: case and line breaks do not matter, normals are
 * not read (they are often wrong, or not numbers), a loop may have more than three corners, and each solid is a
 * surface. */
#include <string.h>

#include "io/readers.h"

#define HEADER_BYTES 84
#define COUNT_OFFSET 80
#define TRIANGLE_BYTES 50
#define NORMAL_BYTES 12

static uint32_t load_u32(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static float load_float(const char *bytes)
{
    const uint32_t bits = load_u32(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t announced_bytes(const tmb_source *source)
{
    return HEADER_BYTES + (uint64_t)TRIANGLE_BYTES * load_u32(source->data + COUNT_OFFSET);
}

/* Programs pad, but never by as much as a triangle. */
static int is_binary(const tmb_source *source)
{
    if (source->size < HEADER_BYTES) {
        return 0;
    }
    const uint64_t bytes = announced_bytes(source);
    return source->size >= bytes && source->size - bytes < TRIANGLE_BYTES;
}

/* For files that are neither a complete binary file nor start with text: which of the two is meant. */
static int has_control_bytes(const tmb_source *source)
{
    const size_t most = source->size < 512 ? source->size : 512;
    for (size_t i = 0; i < most; i++) {
        const unsigned char c = (unsigned char)source->data[i];
        if (c < ' ' && !tmb_is_space((char)c)) {
            return 1;
        }
    }
    return 0;
}

static int is_text(const tmb_source *source)
{
    const tmb_text text = tmb_text_begin(source);
    return tmb_match_word(tmb_skip_space(text.at, text.end), text.end, "solid") && !has_control_bytes(source);
}

int tmb_looks_like_stl(const tmb_source *source)
{
    return is_binary(source) || is_text(source);
}

static tumble_status read_binary_triangle(const tmb_source *source, const char *at, uint32_t number,
                                          tumble_mesh_buffer *buffer)
{
    for (int i = 0; i < 3; i++, at += 12) {
        const double point[3] = {load_float(at), load_float(at + 4), load_float(at + 8)};
        if (!tmb_is_finite_point(point)) {
            return tmb_fail_at_byte(source, at, TUMBLE_ERROR_NOT_FINITE,
                                    "corner %d of triangle %u has a coordinate that is NaN or infinite", i, number);
        }
        const tumble_status status = tmb_mesh_add_point(buffer, point);
        if (status != TUMBLE_OK) {
            return status;
        }
    }
    return tmb_mesh_end_soup_polygon(buffer, 3, 0);
}

static tumble_status read_binary(const tmb_source *source, tumble_mesh_buffer *buffer)
{
    if (source->size < HEADER_BYTES) {
        return tmb_fail_at_byte(source, source->data + source->size, TUMBLE_ERROR_FORMAT,
                                "neither a text STL, which starts with \"solid\", nor a binary one, which has %d bytes "
                                "before the triangles",
                                HEADER_BYTES);
    }
    const uint32_t count = load_u32(source->data + COUNT_OFFSET);
    if (!is_binary(source)) {
        return tmb_fail_at_byte(source, source->data + COUNT_OFFSET, TUMBLE_ERROR_FORMAT,
                                "%u triangles are announced, which is a file of %llu bytes, but it has %zu", count,
                                (unsigned long long)announced_bytes(source), source->size);
    }
    tumble_status status = tmb_mesh_reserve_points(buffer, 3 * (size_t)count);
    const char *at = source->data + HEADER_BYTES + NORMAL_BYTES;
    for (uint32_t i = 0; status == TUMBLE_OK && i < count; i++, at += TRIANGLE_BYTES) {
        status = read_binary_triangle(source, at, i, buffer);
    }
    return status;
}

typedef struct stl_reader {
    tmb_text text;
    tumble_mesh_buffer *buffer;
    uint32_t surface;
} stl_reader;

/* Whether the next word is this one; then it is skipped. */
static int take_word(stl_reader *reader, const char *word)
{
    tmb_text *text = &reader->text;
    text->at = tmb_skip_space(text->at, text->end);
    const char *after = tmb_match_word(text->at, text->end, word);
    if (after) {
        text->at = after;
    }
    return after != NULL;
}

static tumble_status fail_word(const stl_reader *reader, const char *wanted)
{
    const tmb_text *text = &reader->text;
    return tmb_fail_at_line(text->source, text->at, TUMBLE_ERROR_FORMAT, "expected %s, found %s", wanted,
                            tmb_quote_word(text->at, text->end).text);
}

static tumble_status read_vertex(stl_reader *reader)
{
    tmb_text *text = &reader->text;
    double point[3];
    for (int i = 0; i < 3; i++) {
        text->at = tmb_skip_space(text->at, text->end);
        const char *after = tmb_parse_double(text->at, text->end, &point[i]);
        if (!after || (after < text->end && !tmb_is_space(*after))) {
            return fail_word(reader, "a number");
        }
        text->at = after;
    }
    if (!tmb_is_finite_point(point)) {
        return tmb_fail_at_line(text->source, text->at, TUMBLE_ERROR_NOT_FINITE,
                                "a vertex of triangle %zu has a coordinate that is NaN or infinite",
                                reader->buffer->polygon_count);
    }
    return tmb_mesh_add_point(reader->buffer, point);
}

/* Anything may stand for the normal, except a word that comes later. */
static tumble_status skip_normal(stl_reader *reader)
{
    tmb_text *text = &reader->text;
    if (take_word(reader, "normal")) {
        for (int i = 0; i < 3; i++) {
            text->at = tmb_skip_space(text->at, text->end);
            if (tmb_match_word(text->at, text->end, "outer")) {
                break;
            }
            text->at = tmb_skip_word(text->at, text->end);
        }
    }
    return take_word(reader, "outer") && take_word(reader, "loop") ? TUMBLE_OK : fail_word(reader, "\"outer loop\"");
}

/* What follows the word facet. */
static tumble_status read_facet(stl_reader *reader)
{
    const char *start = reader->text.at;
    size_t corners = 0;
    tumble_status status = skip_normal(reader);
    for (; status == TUMBLE_OK && take_word(reader, "vertex"); corners++) {
        status = read_vertex(reader);
    }
    if (status != TUMBLE_OK) {
        return status;
    }
    if (!take_word(reader, "endloop")) {
        return fail_word(reader, "\"vertex\" or \"endloop\"");
    }
    if (!take_word(reader, "endfacet")) {
        return fail_word(reader, "\"endfacet\"");
    }
    if (corners < 3) {
        return tmb_fail_at_line(reader->text.source, start, TUMBLE_ERROR_FORMAT,
                                "a facet needs at least 3 vertices, this one has %zu", corners);
    }
    return tmb_mesh_end_soup_polygon(reader->buffer, corners, reader->surface);
}

/* A solid that has facets is a surface. */
static tumble_status end_solid(stl_reader *reader, const char *name, const char *name_end)
{
    uint32_t names[TMB_NAME_PARTS] = {0};
    while (name_end > name && tmb_is_blank(name_end[-1])) {
        name_end--;
    }
    reader->surface++;
    const tumble_status status = tmb_mesh_add_name(reader->buffer, name, (size_t)(name_end - name), &names[0]);
    return status != TUMBLE_OK ? status : tmb_mesh_name_surface(reader->buffer, names);
}

/* What follows the word solid, up to the end of the line with endsolid. */
static tumble_status read_solid(stl_reader *reader)
{
    tmb_text *text = &reader->text;
    const size_t before = reader->buffer->polygon_count;
    const char *name = tmb_skip_blanks(text->at, text->end), *name_end = name;
    if (!tmb_match_word(name, text->end, "facet")) { /* else everything is on one line, and there is no name */
        text->at = name_end = tmb_skip_line(name, text->end);
    }
    while (take_word(reader, "facet")) {
        const tumble_status status = read_facet(reader);
        if (status != TUMBLE_OK) {
            return status;
        }
    }
    if (!take_word(reader, "endsolid")) {
        return fail_word(reader, "\"facet\" or \"endsolid\"");
    }
    text->at = tmb_skip_line(text->at, text->end);
    return reader->buffer->polygon_count > before ? end_solid(reader, name, name_end) : TUMBLE_OK;
}

static tumble_status read_text(const tmb_source *source, tumble_mesh_buffer *buffer)
{
    stl_reader reader = {.text = tmb_text_begin(source), .buffer = buffer};
    while (take_word(&reader, "solid")) {
        const tumble_status status = read_solid(&reader);
        if (status != TUMBLE_OK) {
            return status;
        }
    }
    return reader.text.at == reader.text.end ? TUMBLE_OK : fail_word(&reader, "\"solid\" or the end of the file");
}

tumble_status tmb_read_stl(const tmb_source *source, tumble_mesh_buffer *buffer)
{
    buffer->is_soup = 1;
    return !is_binary(source) && is_text(source) ? read_text(source, buffer) : read_binary(source, buffer);
}
