/* A small, strict reader of XML in UTF-8: elements and attributes. Text between elements, comments and processing
 * instructions are stepped over; a document type is refused if it declares something. */
#ifndef TUMBLE_CLI_XML_H
#define TUMBLE_CLI_XML_H

#include "base/arena.h"
#include "io/text.h"

typedef struct cli_xml_attribute {
    const char *name, *value;
    struct cli_xml_attribute *next;
} cli_xml_attribute;

typedef struct cli_xml_element {
    const char *tag; /* as written: with its prefix */
    cli_xml_attribute *attributes;
    struct cli_xml_element *parent, *first, *last, *next; /* children, in their order, and the next sibling */
    const char *at;                                       /* in the source */
} cli_xml_element;

/* The root element; all memory is the arena's, which the caller releases, also after a failure. Errors name the line,
 * and what to do. */
tumble_status cli_xml_parse(const tmb_source *source, tmb_arena *arena, cli_xml_element **root);

/* NULL if there is none. */
const char *cli_xml_attribute_of(const cli_xml_element *element, const char *name);

/* The first child with this tag, and the next sibling with the same one; NULL: there is none. */
const cli_xml_element *cli_xml_child(const cli_xml_element *element, const char *tag);
const cli_xml_element *cli_xml_next(const cli_xml_element *element);

#endif
