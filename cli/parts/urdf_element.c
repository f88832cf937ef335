/* Elements of URDF and SRDF files. */
#include "urdf_element.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void urdf_fail(urdf_reader *r, const cli_xml_element *element, const char *format, ...)
{
    char text[250];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (r->status == TUMBLE_OK) {
        r->status = tmb_fail_at_line(r->source, element->at, TUMBLE_ERROR_FORMAT, "%s", text);
    }
}

void *urdf_allocate(urdf_reader *r, size_t count, size_t size)
{
    void *memory = r->status == TUMBLE_OK ? tmb_arena_allocate(&r->robot->arena, count, size) : NULL;
    if (!memory && r->status == TUMBLE_OK) {
        r->status = tmb_fail_memory(r->source->context, "a robot");
    }
    return memory;
}

/* Elements of xacro, and values that it would replace. */
static void check_expanded(urdf_reader *r, const cli_xml_element *element)
{
    const char *found = strncmp(element->tag, "xacro:", 6) == 0 ? element->tag : NULL;
    for (const cli_xml_attribute *a = element->attributes; a && !found; a = a->next) {
        found = strstr(a->value, "${") || strstr(a->value, "$(") ? a->value : NULL;
    }
    if (found) {
        urdf_fail(r, element, "this is a xacro file, with %.60s: expand it first, with xacro FILE > robot.urdf", found);
    }
    for (const cli_xml_element *child = element->first; child; child = child->next) {
        check_expanded(r, child);
    }
}

void urdf_check_root(urdf_reader *r, const cli_xml_element *root)
{
    check_expanded(r, root);
    if (strcmp(root->tag, "robot") != 0) {
        urdf_fail(r, root, "the root element is <%.60s>, not <robot>: give a URDF or SRDF file", root->tag);
    }
}

const cli_xml_element *urdf_child(urdf_reader *r, const cli_xml_element *element, const char *tag)
{
    const cli_xml_element *child = cli_xml_child(element, tag);
    if (child && cli_xml_next(child)) {
        urdf_fail(r, element, "<%.60s> has several <%.60s>: one is allowed", element->tag, tag);
    }
    return child;
}

const cli_xml_element *urdf_need(urdf_reader *r, const cli_xml_element *element, const char *tag)
{
    const cli_xml_element *child = urdf_child(r, element, tag);
    if (!child) {
        urdf_fail(r, element, "<%.60s> has no <%.60s>: add one", element->tag, tag);
    }
    return child;
}

const char *urdf_text(urdf_reader *r, const cli_xml_element *element, const char *name)
{
    const char *value = cli_xml_attribute_of(element, name);
    const char *start = value ? value + strspn(value, " ") : "";
    size_t length = strlen(start);
    while (length > 0 && start[length - 1] == ' ') {
        length--;
    }
    if (length == 0) {
        urdf_fail(r, element, "<%.60s> has no attribute %s: add it", element->tag, name);
        return "";
    }
    char *text = urdf_allocate(r, length + 1, 1);
    if (!text) {
        return "";
    }
    memcpy(text, start, length);
    text[length] = '\0';
    return text;
}

size_t urdf_some_numbers(urdf_reader *r, const cli_xml_element *element, const char *name, double *out, size_t capacity)
{
    const char *at = urdf_text(r, element, name), *end = at + strlen(at);
    size_t count = 0;
    while (at < end) {
        double number;
        const char *after = tmb_parse_double(at, end, &number);
        if (!after || (after < end && *after != ' ') || !isfinite(number)) {
            urdf_fail(r, element, "%s of <%.60s> has %s: give finite numbers", name, element->tag,
                      tmb_quote_word(at, end).text);
            return 0;
        }
        if (count < capacity) {
            out[count] = number;
        }
        count++;
        at = after + strspn(after, " ");
    }
    return count;
}

void urdf_numbers(urdf_reader *r, const cli_xml_element *element, const char *name, double *out, size_t count,
                  int is_optional)
{
    double numbers[7];
    if (is_optional && !cli_xml_attribute_of(element, name)) {
        return;
    }
    const size_t found = urdf_some_numbers(r, element, name, numbers, sizeof numbers / sizeof *numbers);
    if (found != count) {
        urdf_fail(r, element, "%s of <%.60s> has %zu number%s: give %zu", name, element->tag, found,
                  found == 1 ? "" : "s", count);
        return;
    }
    memcpy(out, numbers, count * sizeof *out);
}

void urdf_positive(urdf_reader *r, const cli_xml_element *element, const char *name, double *out, size_t count)
{
    urdf_numbers(r, element, name, out, count, 0);
    for (size_t i = 0; i < count && r->status == TUMBLE_OK; i++) {
        if (!(out[i] > 0)) {
            urdf_fail(r, element, "%s of <%.60s> is %g: give a number above 0", name, element->tag, out[i]);
        }
    }
}
