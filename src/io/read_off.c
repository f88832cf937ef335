/* OFF, the Geomview format: [ST][C][N]OFF, counts, vertices, faces. A vertex takes the first three numbers of its line,
 * so colours, normals and texture coordinates after them are skipped, and so are colours after a face. Numbers may be
 * spread over lines; two vertices or two faces on one line are not supported. */
#include "io/readers.h"

typedef struct off_reader {
    tmb_text text;
    tumble_mesh_buffer *buffer;
    uint64_t vertex_count, face_count;
} off_reader;

static int ends_word(const char *at, const char *end)
{
    return at == end || tmb_is_space(*at) || *at == '#';
}

static tumble_status fail(const off_reader *reader, const char *at, const char *what, unsigned long long number)
{
    return tmb_fail_at_line(reader->text.source, at, TUMBLE_ERROR_FORMAT, "%s %llu: a number is missing, found %s",
                            what, number, tmb_quote_word(at, reader->text.end).text);
}

/* After the word that starts the file, or NULL if it is another; *variant is what precedes OFF. */
static const char *match_keyword(const char *at, const char *end, int *dimensions)
{
    const char *p = at;
    if (end - p >= 2 && p[0] == 'S' && p[1] == 'T') {
        p += 2;
    }
    p += p < end && *p == 'C';
    p += p < end && *p == 'N';
    *dimensions = p < end && (*p == '4' || *p == 'n') ? *p : '3';
    p += *dimensions != '3';
    p += *dimensions == '4' && p < end && *p == 'n';
    return tmb_match_word(p, end, "off");
}

static tumble_status read_header(off_reader *reader)
{
    tmb_text *text = &reader->text;
    text->at = tmb_skip_comments(text->at, text->end);
    int dimensions;
    const char *after = match_keyword(text->at, text->end, &dimensions);
    if (!after) {
        return TUMBLE_OK; /* the word may be left out */
    }
    if (dimensions != '3') {
        return tmb_fail_at_line(text->source, text->at, TUMBLE_ERROR_UNSUPPORTED,
                                "%s has points with more than three coordinates",
                                tmb_quote_word(text->at, text->end).text);
    }
    text->at = tmb_skip_comments(after, text->end);
    if (tmb_match_word(text->at, text->end, "binary")) {
        return tmb_fail_at_line(text->source, text->at, TUMBLE_ERROR_UNSUPPORTED,
                                "binary OFF is not supported, text OFF is");
    }
    return TUMBLE_OK;
}

static const char *read_count(off_reader *reader, const char *at, uint64_t *count)
{
    int64_t value;
    const char *after = tmb_parse_integer(at, reader->text.end, &value);
    if (!after || !ends_word(after, reader->text.end) || value < 0) {
        return NULL;
    }
    *count = (uint64_t)value;
    return after;
}

/* The number of edges, which is not used: after the others, alone on the next line, or absent. */
static void skip_edge_count(off_reader *reader)
{
    tmb_text *text = &reader->text;
    uint64_t unused;
    const char *at = tmb_skip_comments(text->at, text->end);
    const char *after = read_count(reader, at, &unused);
    if (!after) {
        return;
    }
    const char *rest = tmb_skip_blanks(after, text->end);
    const char *same_line = tmb_skip_blanks(text->at, text->end);
    if (same_line == at || rest == text->end || tmb_is_newline(*rest) || *rest == '#') {
        text->at = tmb_skip_line(after, text->end);
    }
}

static tumble_status read_counts(off_reader *reader)
{
    tmb_text *text = &reader->text;
    uint64_t *counts[2] = {&reader->vertex_count, &reader->face_count};
    for (int i = 0; i < 2; i++) {
        text->at = tmb_skip_comments(text->at, text->end);
        const char *after = read_count(reader, text->at, counts[i]);
        if (!after) {
            return tmb_fail_at_line(text->source, text->at, TUMBLE_ERROR_FORMAT,
                                    "the number of %s is missing, found %s", i ? "faces" : "vertices",
                                    tmb_quote_word(text->at, text->end).text);
        }
        text->at = after;
    }
    skip_edge_count(reader);
    return TUMBLE_OK;
}

static tumble_status read_vertex(off_reader *reader, uint64_t number)
{
    tmb_text *text = &reader->text;
    double point[3];
    const char *at = text->at;
    for (int i = 0; i < 3; i++) {
        at = tmb_skip_comments(at, text->end);
        const char *after = tmb_parse_double(at, text->end, &point[i]);
        if (!after || !ends_word(after, text->end)) {
            return fail(reader, at, "vertex", number);
        }
        at = after;
    }
    if (!tmb_is_finite_point(point)) {
        return tmb_fail_at_line(text->source, at, TUMBLE_ERROR_NOT_FINITE,
                                "vertex %llu has a coordinate that is NaN or infinite", (unsigned long long)number);
    }
    text->at = tmb_skip_line(at, text->end);
    return tmb_mesh_add_point(reader->buffer, point);
}

static tumble_status read_corner(off_reader *reader, uint64_t face)
{
    tmb_text *text = &reader->text;
    int64_t index;
    const char *at = tmb_skip_comments(text->at, text->end);
    const char *after = tmb_parse_integer(at, text->end, &index);
    if (!after || !ends_word(after, text->end)) {
        return fail(reader, at, "face", face);
    }
    if (index < 0 || (uint64_t)index >= reader->vertex_count) {
        return tmb_fail_at_line(text->source, at, TUMBLE_ERROR_FORMAT,
                                "face %llu refers to vertex %lld, but there are %llu, counted from 0",
                                (unsigned long long)face, (long long)index, (unsigned long long)reader->vertex_count);
    }
    text->at = after;
    return tmb_mesh_add_corner(reader->buffer, (uint32_t)index);
}

static tumble_status read_face(off_reader *reader, uint64_t number)
{
    tmb_text *text = &reader->text;
    uint64_t corners;
    text->at = tmb_skip_comments(text->at, text->end);
    const char *after = read_count(reader, text->at, &corners);
    if (!after) {
        return fail(reader, text->at, "face", number);
    }
    if (corners < 3) {
        return tmb_fail_at_line(text->source, text->at, TUMBLE_ERROR_FORMAT,
                                "face %llu has %llu corners, but needs at least 3", (unsigned long long)number,
                                (unsigned long long)corners);
    }
    text->at = after;
    for (uint64_t i = 0; i < corners; i++) {
        const tumble_status status = read_corner(reader, number);
        if (status != TUMBLE_OK) {
            return status;
        }
    }
    text->at = tmb_skip_line(text->at, text->end);
    return tmb_mesh_end_polygon(reader->buffer, 0);
}

/* Makes room for what the header announces, as far as it is plausible: "0 0 0" and "3 0 0 0" are the shortest lines. */
static tumble_status reserve(off_reader *reader)
{
    const uint64_t left = (uint64_t)(reader->text.end - reader->text.at);
    const uint64_t points = reader->vertex_count < left / 6 ? reader->vertex_count : left / 6;
    const uint64_t faces = reader->face_count < left / 8 ? reader->face_count : left / 8;
    const tumble_status status = tmb_mesh_reserve_points(reader->buffer, (size_t)points);
    return status != TUMBLE_OK ? status : tmb_mesh_reserve_corners(reader->buffer, (size_t)(3 * faces));
}

static tumble_status read_body(off_reader *reader)
{
    tmb_text *text = &reader->text;
    for (uint64_t i = 0; i < reader->vertex_count; i++) {
        const tumble_status status = read_vertex(reader, i);
        if (status != TUMBLE_OK) {
            return status;
        }
    }
    for (uint64_t i = 0; i < reader->face_count; i++) {
        const tumble_status status = read_face(reader, i);
        if (status != TUMBLE_OK) {
            return status;
        }
    }
    text->at = tmb_skip_comments(text->at, text->end);
    if (text->at < text->end) {
        return tmb_fail_at_line(text->source, text->at, TUMBLE_ERROR_FORMAT,
                                "the file should end after %llu vertices and %llu faces, found %s",
                                (unsigned long long)reader->vertex_count, (unsigned long long)reader->face_count,
                                tmb_quote_word(text->at, text->end).text);
    }
    return TUMBLE_OK;
}

tumble_status tmb_read_off(const tmb_source *source, tumble_mesh_buffer *buffer)
{
    off_reader reader = {.text = tmb_text_begin(source), .buffer = buffer};
    tumble_status status = read_header(&reader);
    if (status == TUMBLE_OK) {
        status = read_counts(&reader);
    }
    if (status == TUMBLE_OK) {
        status = reserve(&reader);
    }
    return status != TUMBLE_OK ? status : read_body(&reader);
}

int tmb_looks_like_off(const tmb_source *source)
{
    const tmb_text text = tmb_text_begin(source);
    int dimensions;
    return match_keyword(tmb_skip_comments(text.at, text.end), text.end, &dimensions) != NULL;
}
