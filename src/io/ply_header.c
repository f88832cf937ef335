/* The header of a PLY file. */
#include <string.h>

#include "io/ply.h"

/* A line of the header and the words that are still to be read. */
typedef struct header_line {
    const tmb_source *source;
    const char *at, *end;
} header_line;

size_t tmb_ply_size(ply_type type)
{
    static const size_t sizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[type];
}

static int is_integer(ply_type type)
{
    return type >= PLY_INT8 && type <= PLY_UINT32;
}

static int take_word(header_line *line, const char *word)
{
    line->at = tmb_skip_blanks(line->at, line->end);
    const char *after = tmb_match_word(line->at, line->end, word);
    if (after) {
        line->at = after;
    }
    return after != NULL;
}

static tumble_status fail(const header_line *line, const char *wanted)
{
    return tmb_fail_at_line(line->source, line->at, TUMBLE_ERROR_FORMAT, "expected %s, found %s", wanted,
                            tmb_quote_word(line->at, line->source->data + line->source->size).text);
}

static ply_type take_type(header_line *line)
{
    static const struct {
        const char *name;
        ply_type type;
    } types[] = {{"char", PLY_INT8},   {"int8", PLY_INT8},     {"uchar", PLY_UINT8},   {"uint8", PLY_UINT8},
                 {"short", PLY_INT16}, {"int16", PLY_INT16},   {"ushort", PLY_UINT16}, {"uint16", PLY_UINT16},
                 {"int", PLY_INT32},   {"int32", PLY_INT32},   {"uint", PLY_UINT32},   {"uint32", PLY_UINT32},
                 {"float", PLY_FLOAT}, {"float32", PLY_FLOAT}, {"double", PLY_DOUBLE}, {"float64", PLY_DOUBLE}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (take_word(line, types[i].name)) {
            return types[i].type;
        }
    }
    return PLY_NONE;
}

static tumble_status read_format(header_line *line, ply_header *header)
{
    if (take_word(line, "ascii")) {
        header->encoding = PLY_TEXT;
    } else if (take_word(line, "binary_little_endian")) {
        header->encoding = PLY_LITTLE_ENDIAN;
    } else if (take_word(line, "binary_big_endian")) {
        header->encoding = PLY_BIG_ENDIAN;
    } else {
        return fail(line, "ascii, binary_little_endian or binary_big_endian");
    }
    return take_word(line, "1.0") ? TUMBLE_OK : fail(line, "version 1.0");
}

static ply_element *last_element(ply_header *header)
{
    return header->element_count ? (ply_element *)header->elements.data + header->element_count - 1 : NULL;
}

static int has_kind(const ply_header *header, ply_kind kind)
{
    for (size_t i = 0; i < header->element_count; i++) {
        if (tmb_ply_elements(header)[i].kind == kind) {
            return 1;
        }
    }
    return 0;
}

/* element NAME COUNT */
static tumble_status read_element(header_line *line, ply_header *header)
{
    line->at = tmb_skip_blanks(line->at, line->end);
    const char *name = line->at, *name_end = tmb_skip_word(name, line->end);
    ply_element element = {.kind = PLY_OTHER, .name = name, .first_property = header->property_count};
    element.name_length = (int)(name_end - name < 32 ? name_end - name : 32);
    if (take_word(line, "vertex")) {
        element.kind = PLY_VERTEX;
    } else if (take_word(line, "face")) {
        element.kind = PLY_FACE;
    }
    if (element.kind != PLY_OTHER && has_kind(header, element.kind)) {
        return tmb_fail_at_line(line->source, name, TUMBLE_ERROR_FORMAT, "element %.*s comes twice",
                                element.name_length, name);
    }
    line->at = tmb_skip_blanks(name_end, line->end);
    int64_t count;
    const char *after = tmb_parse_integer(line->at, line->end, &count);
    if (name == name_end || !after || tmb_skip_blanks(after, line->end) != line->end || count < 0) {
        return fail(line, "an element's name and count");
    }
    element.count = (uint64_t)count;
    if (element.kind == PLY_VERTEX) {
        header->vertex_count = element.count;
    }
    const size_t used = header->element_count * sizeof element;
    if (!tmb_buffer_reserve(line->source->context, &header->elements, header->element_count + 1, sizeof element,
                            used)) {
        return tmb_fail_memory(line->source->context, "the header of a PLY file");
    }
    ((ply_element *)header->elements.data)[header->element_count++] = element;
    return TUMBLE_OK;
}

static ply_meaning find_meaning(header_line *line, ply_kind kind, int is_list)
{
    if (kind == PLY_VERTEX && !is_list) {
        return take_word(line, "x") ? PLY_X : take_word(line, "y") ? PLY_Y : take_word(line, "z") ? PLY_Z : PLY_IGNORED;
    }
    if (kind == PLY_FACE && is_list && (take_word(line, "vertex_indices") || take_word(line, "vertex_index"))) {
        return PLY_CORNERS;
    }
    return PLY_IGNORED;
}

static tumble_status append_property(header_line *line, ply_header *header, const ply_property *property)
{
    const size_t used = header->property_count * sizeof *property;
    if (!tmb_buffer_reserve(line->source->context, &header->properties, header->property_count + 1, sizeof *property,
                            used)) {
        return tmb_fail_memory(line->source->context, "the header of a PLY file");
    }
    ((ply_property *)header->properties.data)[header->property_count++] = *property;
    last_element(header)->property_count++;
    return TUMBLE_OK;
}

/* property TYPE NAME or property list TYPE TYPE NAME */
static tumble_status read_property(header_line *line, ply_header *header)
{
    const ply_element *element = last_element(header);
    if (!element) {
        return tmb_fail_at_line(line->source, line->at, TUMBLE_ERROR_FORMAT, "a property before the first element");
    }
    ply_property property = {PLY_NONE, PLY_NONE, PLY_IGNORED};
    if (take_word(line, "list")) {
        property.count_type = take_type(line);
        if (!is_integer(property.count_type)) {
            return fail(line, "an integer type for the length of the list");
        }
    }
    property.type = take_type(line);
    if (property.type == PLY_NONE) {
        return fail(line, "a type such as float or uint8");
    }
    property.meaning = find_meaning(line, element->kind, property.count_type != PLY_NONE);
    if (property.meaning == PLY_CORNERS && !is_integer(property.type)) {
        return tmb_fail_at_line(line->source, line->at, TUMBLE_ERROR_FORMAT, "vertex_indices must be integers");
    }
    const ply_property *earlier = tmb_ply_properties(header, element);
    for (size_t i = 0; property.meaning != PLY_IGNORED && i < element->property_count; i++) {
        if (earlier[i].meaning == property.meaning) {
            return tmb_fail_at_line(line->source, line->at, TUMBLE_ERROR_FORMAT, "a property comes twice");
        }
    }
    return append_property(line, header, &property);
}

/* Sizes of elements, and whether everything that a mesh needs is present. */
static tumble_status check_header(const header_line *line, ply_header *header)
{
    if (!has_kind(header, PLY_VERTEX)) {
        return tmb_fail_at_line(line->source, line->at, TUMBLE_ERROR_FORMAT, "there is no element vertex");
    }
    for (size_t i = 0; i < header->element_count; i++) {
        ply_element *element = (ply_element *)header->elements.data + i;
        const ply_property *properties = tmb_ply_properties(header, element);
        unsigned meanings = 0;
        int lists = 0;
        for (size_t j = 0; j < element->property_count; j++) {
            meanings |= 1u << properties[j].meaning;
            lists += properties[j].count_type != PLY_NONE;
            element->bytes += tmb_ply_size(properties[j].type);
        }
        element->bytes = lists ? 0 : element->bytes;
        const unsigned needed = element->kind == PLY_VERTEX ? 1u << PLY_X | 1u << PLY_Y | 1u << PLY_Z
                                : element->kind == PLY_FACE ? 1u << PLY_CORNERS
                                                            : 0;
        if ((meanings & needed) != needed && element->count) {
            return tmb_fail_at_line(line->source, element->name, TUMBLE_ERROR_FORMAT, "element %.*s has no %s",
                                    element->name_length, element->name,
                                    element->kind == PLY_FACE ? "list vertex_indices" : "properties x, y and z");
        }
        if (element->count && tmb_match_word(element->name, line->end, "tristrips")) {
            return tmb_fail_at_line(line->source, element->name, TUMBLE_ERROR_UNSUPPORTED,
                                    "triangle strips are not supported; save the mesh with faces");
        }
    }
    return TUMBLE_OK;
}

/* Whether lines end with \r alone. Then a \n after the header's last line is the first byte of the data. */
static int has_lone_returns(const tmb_text *text)
{
    const char *at = tmb_skip_line(text->at, text->end);
    return at < text->end && *at == '\r' && (at + 1 == text->end || at[1] != '\n');
}

static const char *skip_newline(const char *at, const char *end, int lone_returns)
{
    if (at == end) {
        return end;
    }
    return at + (*at == '\r' && !lone_returns && end - at > 1 && at[1] == '\n' ? 2 : 1);
}

/* Some programs write their name there without the word comment. Bytes that are no text are not skipped. */
static tumble_status skip_unknown(const header_line *line, ply_header *header)
{
    for (const char *at = line->at; at < line->end; at++) {
        if ((unsigned char)*at < ' ' && !tmb_is_blank(*at)) {
            return fail(line, "element, property, format, comment or end_header");
        }
    }
    header->unknown = header->unknown ? header->unknown : line->at;
    header->unknown_count++;
    return TUMBLE_OK;
}

static tumble_status read_line(header_line *line, ply_header *header, int *has_format)
{
    if (take_word(line, "element")) {
        return read_element(line, header);
    }
    if (take_word(line, "property")) {
        return read_property(line, header);
    }
    if (take_word(line, "format")) {
        *has_format = 1;
        return read_format(line, header);
    }
    if (line->at == line->end || take_word(line, "comment") || take_word(line, "obj_info")) {
        return TUMBLE_OK;
    }
    return skip_unknown(line, header);
}

tumble_status tmb_ply_read_header(tmb_text *text, ply_header *header)
{
    const int lone_returns = has_lone_returns(text);
    int has_format = 0, is_first = 1;
    for (;;) {
        header_line line = {text->source, text->at, tmb_skip_line(text->at, text->end)};
        text->at = skip_newline(line.end, text->end, lone_returns);
        if (is_first) {
            if (!take_word(&line, "ply")) {
                return fail(&line, "ply");
            }
        } else if (take_word(&line, "end_header")) {
            line.end = text->end;
            return has_format ? check_header(&line, header) : fail(&line, "a line that starts with format, before it");
        } else {
            const tumble_status status = read_line(&line, header, &has_format);
            if (status != TUMBLE_OK) {
                return status;
            }
        }
        if (text->at == text->end) {
            line.at = text->end;
            return fail(&line, "end_header");
        }
        is_first = 0;
    }
}

void tmb_ply_release_header(tumble_context *context, ply_header *header)
{
    tmb_buffer_release(context, &header->elements);
    tmb_buffer_release(context, &header->properties);
}
