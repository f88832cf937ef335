/* Sets of parts: conditions on their texts. */
#include <string.h>

#include "clash/rules.h"

typedef struct part_field {
    const char *name;
    size_t offset;
} part_field;

static const part_field fields[] = {
    {"path", offsetof(tumble_assembly_part, path)},        {"name", offsetof(tumble_assembly_part, name)},
    {"class", offsetof(tumble_assembly_part, class_name)}, {"file", offsetof(tumble_assembly_part, file)},
    {"guid", offsetof(tumble_assembly_part, guid)},        {"material", offsetof(tumble_assembly_part, material)},
    {"key", offsetof(tumble_assembly_part, key)}};

const char tmb_select_fields[] = "path, name, class, file, guid, material, key";

int tmb_select_field(const char *name)
{
    for (int i = 0; i < (int)(sizeof fields / sizeof *fields); i++) {
        if (strcmp(fields[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* After a failure behind a star, that star takes one byte more: earlier ones need not be tried again. */
int tmb_match_pattern(const char *pattern, const char *text)
{
    const char *star = NULL, *kept = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            kept = text;
        } else if (*pattern == '?' || *pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++kept;
        } else {
            return 0;
        }
    }
    while (*pattern == '*') {
        pattern++;
    }
    return !*pattern;
}

static const char *text_of(const tumble_assembly_part *part, uint32_t field)
{
    const char *text;
    memcpy(&text, (const char *)part + fields[field].offset, sizeof text);
    return text;
}

/* As deep as the brackets of the file. */
int tmb_select(const tumble_clash_rules *rules, uint32_t number, const tumble_assembly_part *part)
{
    if (number == TMB_EVERYTHING) {
        return 1;
    }
    const tmb_selector *all = rules->selectors.data, *selector = &all[number];
    if (selector->type == TMB_SELECT_MATCH) {
        return tmb_match_pattern(selector->pattern, text_of(part, selector->field));
    }
    const int wanted = selector->type != TMB_SELECT_ALL;
    for (uint32_t child = selector->first; child != UINT32_MAX; child = all[child].next) {
        if (tmb_select(rules, child, part) == wanted) {
            return selector->type == TMB_SELECT_ANY;
        }
    }
    return selector->type != TMB_SELECT_ANY;
}
