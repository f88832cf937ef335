/* The header of a PLY file: what elements there are and how they lie in the file. */
#ifndef TUMBLE_SRC_IO_PLY_H
#define TUMBLE_SRC_IO_PLY_H

#include "io/text.h"

typedef enum ply_type {
    PLY_NONE,
    PLY_INT8,
    PLY_UINT8,
    PLY_INT16,
    PLY_UINT16,
    PLY_INT32,
    PLY_UINT32,
    PLY_FLOAT,
    PLY_DOUBLE
} ply_type;

typedef enum ply_encoding {
    PLY_TEXT,
    PLY_LITTLE_ENDIAN,
    PLY_BIG_ENDIAN
} ply_encoding;

/* What a property means to us. */
typedef enum ply_meaning {
    PLY_X = 0,
    PLY_Y = 1,
    PLY_Z = 2,
    PLY_CORNERS,
    PLY_IGNORED
} ply_meaning;

typedef struct ply_property {
    ply_type type;       /* of the number, or of a list's items */
    ply_type count_type; /* of a list's length; PLY_NONE: no list */
    ply_meaning meaning;
} ply_property;

typedef enum ply_kind {
    PLY_VERTEX,
    PLY_FACE,
    PLY_OTHER
} ply_kind;

typedef struct ply_element {
    ply_kind kind;
    const char *name;
    int name_length; /* cut to what a message takes */
    uint64_t count;
    size_t first_property, property_count;
    size_t bytes; /* of one in a binary file; 0 if it has a list, or nothing at all */
} ply_element;

typedef struct ply_header {
    ply_encoding encoding;
    tmb_buffer elements, properties; /* of the structs above, as many as follow */
    size_t element_count, property_count;
    uint64_t vertex_count;
    const char *unknown; /* the first line that does not belong into a header and was skipped; NULL: none */
    size_t unknown_count;
} ply_header;

static inline const ply_element *tmb_ply_elements(const ply_header *header)
{
    return header->elements.data;
}

static inline const ply_property *tmb_ply_properties(const ply_header *header, const ply_element *element)
{
    const ply_property *all = header->properties.data;
    return all ? all + element->first_property : NULL;
}

/* Bytes of a number in a binary file. */
size_t tmb_ply_size(ply_type type);

/* Reads the header and leaves the text at the first byte after it. Zero-initialise the header, and release it also
 * after a failure. */
tumble_status tmb_ply_read_header(tmb_text *text, ply_header *header);
void tmb_ply_release_header(tumble_context *context, ply_header *header);

#endif
