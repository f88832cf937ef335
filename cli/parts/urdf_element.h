/* Elements of URDF and SRDF files: what must be there and what may. After a failure everything is harmless. */
#ifndef TUMBLE_CLI_URDF_ELEMENT_H
#define TUMBLE_CLI_URDF_ELEMENT_H

#include "urdf.h"

#define CLI_MOST_LINKS 8192

typedef struct urdf_reader {
    const tmb_source *source;
    cli_robot *robot;
    tumble_status status;
} urdf_reader;

void urdf_fail(urdf_reader *r, const cli_xml_element *element, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* From the robot's arena. */
void *urdf_allocate(urdf_reader *r, size_t count, size_t size);

/* The root is <robot>, and nothing is left for xacro. */
void urdf_check_root(urdf_reader *r, const cli_xml_element *root);

/* The only child with this tag; NULL: there is none, which urdf_need refuses. */
const cli_xml_element *urdf_child(urdf_reader *r, const cli_xml_element *element, const char *tag);
const cli_xml_element *urdf_need(urdf_reader *r, const cli_xml_element *element, const char *tag);

/* An attribute that must be there, without blanks at its ends. "" after a failure. */
const char *urdf_text(urdf_reader *r, const cli_xml_element *element, const char *name);

/* Exactly `count` finite numbers; an optional attribute that is not there leaves `out` as it is. */
void urdf_numbers(urdf_reader *r, const cli_xml_element *element, const char *name, double *out, size_t count,
                  int is_optional);
void urdf_positive(urdf_reader *r, const cli_xml_element *element, const char *name, double *out, size_t count);

/* Any number of finite numbers, at most `capacity`; returns how many. */
size_t urdf_some_numbers(urdf_reader *r, const cli_xml_element *element, const char *name, double *out,
                         size_t capacity);

#endif
