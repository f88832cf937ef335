/* Wavefront OBJ. Vertices, faces and the names that make surfaces (o, g, usemtl) are read. Everything else is skipped:
 * texture vertices, normals, lines, points, smoothing, libraries of materials, free-form curves and surfaces, and words
 * that the format does not know, since programs add their own. A file with nothing but such words is not OBJ and is
 * rejected; so is a statement that does not start with a letter. A face may refer to a vertex that comes later in the
 * file. */
#include <string.h>

#include "io/readers.h"
#include "io/surfaces.h"

typedef struct obj_reader {
    tmb_text text;
    tumble_mesh_buffer *buffer;
    tmb_surfaces surfaces;
    uint64_t latest;       /* the largest number of a vertex that a face referred to before it was defined */
    const char *latest_at; /* where that was */
    int is_obj;            /* there was a statement that OBJ knows */
    const char *unknown;   /* the first one that it does not know, while there was no other */
} obj_reader;

static const char *const known_words[] = {
    "v",   "vt",   "vn",   "vp",     "f",      "fo",       "l",        "p",          "g",        "o",    "s",    "mg",
    "lod", "sp",   "deg",  "curv",   "curv2",  "surf",     "cstype",   "bmat",       "step",     "parm", "trim", "end",
    "con", "hole", "scrv", "usemtl", "mtllib", "usemap",   "maplib",   "call",       "bevel",    "csh",  "bsp",  "bzp",
    "cdc", "cdp",  "res",  "ctech",  "stech",  "c_interp", "d_interp", "shadow_obj", "trace_obj"};

static int is_known_word(const char *at, const char *end)
{
    for (size_t i = 0; i < sizeof known_words / sizeof known_words[0]; i++) {
        if (tmb_match_word(at, end, known_words[i])) {
            return 1;
        }
    }
    return 0;
}

/* After a backslash and the end of a line; NULL if there is none at `at`. */
static const char *skip_continuation(const char *at, const char *end)
{
    if (end - at < 2 || *at != '\\' || !tmb_is_newline(at[1])) {
        return NULL;
    }
    return at + (end - at > 2 && at[1] == '\r' && at[2] == '\n' ? 3 : 2);
}

/* Blanks within a statement. */
static const char *skip_gap(const char *at, const char *end)
{
    at = tmb_skip_blanks(at, end);
    while (at < end && *at == '\\') {
        const char *next = skip_continuation(at, end);
        if (!next) {
            break;
        }
        at = tmb_skip_blanks(next, end);
    }
    return at;
}

static int ends_word(const char *at, const char *end)
{
    return at == end || tmb_is_space(*at) || *at == '\\';
}

static int ends_statement(const char *at, const char *end)
{
    return at == end || tmb_is_newline(*at) || *at == '#';
}

/* To the end of the statement's last line. */
static const char *skip_statement(const char *at, const char *end)
{
    for (;;) {
        const char *stop = tmb_skip_line(at, end);
        const char *next = stop > at ? skip_continuation(stop - 1, end) : NULL;
        if (!next) {
            return stop;
        }
        at = next;
    }
}

static tumble_status fail(const obj_reader *reader, const char *at, const char *what)
{
    return tmb_fail_at_line(reader->text.source, at, TUMBLE_ERROR_FORMAT, "%s, found %s", what,
                            tmb_quote_word(at, reader->text.end).text);
}

/* v x y z, then a weight or a colour or nothing */
static tumble_status read_vertex(obj_reader *reader)
{
    const char *at = reader->text.at, *end = reader->text.end;
    double point[3];
    for (int i = 0; i < 3; i++) {
        at = skip_gap(at, end);
        const char *after = tmb_parse_double(at, end, &point[i]);
        if (!after || !ends_word(after, end)) {
            return fail(reader, at, "a vertex needs three numbers");
        }
        at = after;
    }
    if (!tmb_is_finite_point(point)) {
        return tmb_fail_at_line(reader->text.source, reader->text.at, TUMBLE_ERROR_NOT_FINITE,
                                "vertex %zu has a coordinate that is NaN or infinite", reader->buffer->point_count + 1);
    }
    at = tmb_skip_blanks(at, end);
    reader->text.at = ends_statement(at, end) ? at : skip_statement(at, end);
    return tmb_mesh_add_point(reader->buffer, point);
}

/* One corner of a face: the vertex, then texture and normal after slashes, which are ignored. */
static tumble_status read_corner(obj_reader *reader, const char *at, const char **after)
{
    const char *end = reader->text.end;
    const uint64_t defined = reader->buffer->point_count;
    int64_t number;
    const char *p = tmb_parse_integer(at, end, &number);
    while (p && p < end && (*p == '/' || *p == '-' || (*p >= '0' && *p <= '9'))) {
        p++;
    }
    if (!p || !ends_word(p, end)) {
        return fail(reader, at, "a corner of a face needs the number of a vertex");
    }
    if (number == 0 || number > (int64_t)TMB_MOST_POINTS || (number < 0 && (uint64_t)-number > defined)) {
        return tmb_fail_at_line(reader->text.source, at, TUMBLE_ERROR_FORMAT,
                                "face refers to vertex %lld, but %llu are defined so far, counted from 1",
                                (long long)number, (unsigned long long)defined);
    }
    const uint64_t vertex = number > 0 ? (uint64_t)number : defined - (uint64_t)-number + 1;
    if (vertex > defined && vertex > reader->latest) {
        reader->latest = vertex;
        reader->latest_at = at;
    }
    *after = p;
    return tmb_mesh_add_corner(reader->buffer, (uint32_t)(vertex - 1));
}

static tumble_status read_face(obj_reader *reader)
{
    const char *at = reader->text.at, *end = reader->text.end;
    size_t corners = 0;
    tumble_status status = tmb_surfaces_find(&reader->surfaces);
    for (at = skip_gap(at, end); status == TUMBLE_OK && !ends_statement(at, end); at = skip_gap(at, end)) {
        status = read_corner(reader, at, &at);
        corners++;
    }
    if (status != TUMBLE_OK) {
        return status;
    }
    if (corners < 3) {
        return tmb_fail_at_line(reader->text.source, reader->text.at, TUMBLE_ERROR_FORMAT,
                                "a face needs at least 3 corners, this one has %zu", corners);
    }
    reader->text.at = at;
    return tmb_mesh_end_polygon(reader->buffer, reader->surfaces.surface);
}

/* Everything after o, g or usemtl is the name. */
static tumble_status read_name(obj_reader *reader, tmb_surface_part part)
{
    const char *end = reader->text.end;
    const char *first = tmb_skip_blanks(reader->text.at, end), *last = skip_statement(first, end);
    reader->text.at = last;
    while (last > first && tmb_is_blank(last[-1])) {
        last--;
    }
    return tmb_surfaces_set(&reader->surfaces, part, first, (size_t)(last - first));
}

/* Only the first statements are looked up: one that OBJ knows is enough. */
static void look_up(obj_reader *reader, const char *at)
{
    reader->is_obj = is_known_word(at, reader->text.end);
    if (!reader->is_obj && !reader->unknown) {
        reader->unknown = at;
    }
}

static tumble_status read_statement(obj_reader *reader)
{
    const char *at = reader->text.at, *end = reader->text.end;
    const char *after = at;
    while (after < end && !ends_word(after, end)) {
        after++;
    }
    const size_t length = (size_t)(after - at);
    reader->text.at = after;
    if (!reader->is_obj) {
        look_up(reader, at);
    }
    if (length == 1 && *at == 'v') {
        return read_vertex(reader);
    }
    if ((length == 1 && *at == 'f') || (length == 2 && memcmp(at, "fo", 2) == 0)) {
        return read_face(reader);
    }
    if (length == 1 && *at == 'g') {
        return read_name(reader, TMB_SURFACE_GROUP);
    }
    if (length == 1 && *at == 'o') {
        return read_name(reader, TMB_SURFACE_OBJECT);
    }
    if (length == 6 && memcmp(at, "usemtl", 6) == 0) {
        return read_name(reader, TMB_SURFACE_MATERIAL);
    }
    if ((unsigned char)((*at | 0x20) - 'a') >= 26) {
        return fail(reader, at, "a statement starts with a word");
    }
    reader->text.at = skip_statement(after, end);
    return TUMBLE_OK;
}

/* Space, comments, and backslashes at ends of empty lines. */
static const char *skip_to_statement(const char *at, const char *end)
{
    for (;;) {
        at = tmb_skip_comments(at, end);
        const char *next = at < end ? skip_continuation(at, end) : NULL;
        if (!next) {
            return at;
        }
        at = next;
    }
}

static const char *skip_counts(const char *at, const char *end)
{
    const char *first = skip_to_statement(at, end), *p = first;
    while (p < end && (tmb_is_blank(*p) || (*p >= '0' && *p <= '9'))) {
        p++;
    }
    return p > first && ends_statement(p, end) ? p : at;
}

static tumble_status read_statements(obj_reader *reader)
{
    tmb_text *text = &reader->text;
    tumble_status status = TUMBLE_OK;
    text->at = skip_counts(text->at, text->end);
    while (status == TUMBLE_OK && (text->at = skip_to_statement(text->at, text->end)) < text->end) {
        status = read_statement(reader);
    }
    if (status == TUMBLE_OK && reader->unknown && !reader->is_obj) {
        return tmb_fail_at_line(text->source, reader->unknown, TUMBLE_ERROR_FORMAT,
                                "not an OBJ file: %s is no OBJ statement, and there is no other",
                                tmb_quote_word(reader->unknown, text->end).text);
    }
    if (status == TUMBLE_OK && reader->latest > reader->buffer->point_count) {
        return tmb_fail_at_line(text->source, reader->latest_at, TUMBLE_ERROR_FORMAT,
                                "face refers to vertex %llu, but only %zu are defined",
                                (unsigned long long)reader->latest, reader->buffer->point_count);
    }
    return status;
}

tumble_status tmb_read_obj(const tmb_source *source, tumble_mesh_buffer *buffer)
{
    obj_reader reader = {.text = tmb_text_begin(source), .buffer = buffer};
    tmb_surfaces_begin(&reader.surfaces, source->context);
    tumble_status status = read_statements(&reader);
    if (status == TUMBLE_OK) {
        status = tmb_surfaces_name(&reader.surfaces, buffer);
    }
    tmb_surfaces_release(&reader.surfaces);
    return status;
}

int tmb_looks_like_obj(const tmb_source *source)
{
    const tmb_text text = tmb_text_begin(source);
    return is_known_word(skip_to_statement(skip_counts(text.at, text.end), text.end), text.end);
}
