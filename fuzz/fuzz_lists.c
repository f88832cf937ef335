/* Lists of parts as CSV and JSON, XML, and robots: any text is read, or refused with a message; memory is given back,
 * and is no more than a fixed multiple of the text. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "part_list.h"
#include "urdf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int truth)
{
    if (!truth) {
        abort();
    }
}

static tumble_status read_list(const tmb_source *source, int is_json)
{
    cli_part_list list = {.count = 0};
    const tumble_status status = (is_json ? cli_part_list_of_json : cli_part_list_of_csv)(source, &list);
    for (size_t i = 0; i < list.count; i++) {
        const cli_listed_part *part = (const cli_listed_part *)list.parts.data + i;
        require(*part->words[CLI_LIST_FILE] && part->at >= source->data && part->at <= source->data + source->size);
    }
    cli_part_list_release(source->context, &list);
    return status;
}

/* Every element is the child of its parent. */
static void check_element(const cli_xml_element *element)
{
    require(*element->tag && cli_xml_attribute_of(element, "") == NULL);
    for (const cli_xml_attribute *attribute = element->attributes; attribute; attribute = attribute->next) {
        require(cli_xml_attribute_of(element, attribute->name) == attribute->value);
    }
    for (const cli_xml_element *child = element->first; child; child = child->next) {
        require(child->parent == element && (child->next || child == element->last));
        check_element(child);
    }
}

static tumble_status read_xml(const tmb_source *source)
{
    tmb_arena arena = {.context = source->context};
    cli_xml_element *root;
    const tumble_status status = cli_xml_parse(source, &arena, &root);
    require((root != NULL) == (status == TUMBLE_OK));
    if (root) {
        check_element(root);
    }
    tmb_arena_release(&arena);
    return status;
}

/* A robot, and the same text as its SRDF file. */
static tumble_status read_robot(const tmb_source *source)
{
    cli_robot robot = {.width = 0};
    const char *unknown;
    tumble_status status = cli_urdf_parse(source, &robot);
    if (status == TUMBLE_OK) {
        tumble_pose *links = malloc(robot.link_count * sizeof *links);
        require(links != NULL && cli_robot_disable_adjacent(&robot) == TUMBLE_OK);
        status = cli_robot_place(&robot, links);
        free(links);
    }
    if (status == TUMBLE_OK) {
        status = cli_srdf_apply(source, "up", &robot, &unknown);
    }
    tmb_arena_release(&robot.arena);
    return status;
}

/* The first byte says what the others are. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static tumble_context *context;
    if (!context) {
        require(tumble_context_create(NULL, &context) == TUMBLE_OK);
    }
    if (size == 0) {
        return 0;
    }
    char *copy = malloc(size > 1 ? size - 1 : 1); /* of the exact size, so that nothing is read after it unnoticed */
    require(copy != NULL);
    memcpy(copy, data + 1, size - 1);
    const tmb_source source = {context, "x", copy, size - 1};
    const tumble_status status = data[0] % 4 == 3   ? read_robot(&source)
                                 : data[0] % 4 == 2 ? read_xml(&source)
                                                    : read_list(&source, data[0] % 4);
    require(status == TUMBLE_OK || status == TUMBLE_ERROR_FORMAT);
    free(copy);
    return 0;
}
