/* Groups of clashes: all with the same label. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clash/clashes.h"

static const char *const grouping_words[] = {"parts", "classes", "subtree", "near"};

/* ---- labels that are texts ---- */

/* "IfcBeam and IfcDuct", whichever is A. */
static size_t write_classes(const tumble_assembly_part *a, const tumble_assembly_part *b, char *out, size_t room)
{
    const char *x = *a->class_name ? a->class_name : "no class", *y = *b->class_name ? b->class_name : "no class";
    const int is_swapped = strcmp(x, y) > 0;
    return (size_t)snprintf(out, room, "%s and %s", is_swapped ? y : x, is_swapped ? x : y);
}

/* The names that both paths begin with. */
static size_t write_subtree(const tumble_assembly_part *a, const tumble_assembly_part *b, char *out, size_t room)
{
    const char *x = a->path, *y = b->path;
    size_t length = 0;
    for (size_t i = 0;; i++) {
        const int end_x = !x[i] || x[i] == '/', end_y = !y[i] || y[i] == '/';
        if (end_x && end_y) {
            length = i;
        }
        if (!x[i] || x[i] != y[i]) {
            break;
        }
    }
    return (size_t)snprintf(out, room, "%.*s", (int)length, length ? x : "");
}

typedef size_t write_label(const tumble_assembly_part *a, const tumble_assembly_part *b, char *out, size_t room);

typedef struct texts {
    tumble_clashes *clashes;
    tmb_buffer words; /* const char *: of labels */
    size_t count;
    tmb_number_table table;
} texts;

static uint64_t hash_text(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *text; text++) {
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    }
    return hash ^ hash >> 29;
}

static uint64_t hash_of_word(const void *user, uint32_t number)
{
    return hash_text(((const char *const *)((const texts *)user)->words.data)[number]);
}

/* The number of a text; a new one if it was not there. Returns 0 if memory runs out. */
static int find_text(texts *t, const char *text, uint32_t *number)
{
    tumble_context *context = t->clashes->context;
    if (!tmb_number_table_reserve(context, &t->table, t->count, hash_of_word, t)) {
        return 0;
    }
    uint32_t *slots = t->table.slots.data;
    size_t slot = tmb_number_table_start(&t->table, hash_text(text));
    while (slots[slot] && strcmp(((const char **)t->words.data)[slots[slot] - 1], text) != 0) {
        slot = tmb_number_table_next(&t->table, slot);
    }
    if (!slots[slot]) {
        const char *kept = tmb_texts_keep(context, &t->clashes->texts, text);
        if (!kept || !tmb_buffer_append(context, &t->words, &t->count, &kept, 1, sizeof kept)) {
            return 0;
        }
        slots[slot] = (uint32_t)t->count;
    }
    *number = slots[slot] - 1;
    return 1;
}

static int label_one(texts *t, const tumble_clash *clash, write_label *write, uint32_t *label)
{
    const tumble_assembly_part *parts = t->clashes->result.parts;
    const tumble_assembly_part *a = &parts[clash->a], *b = &parts[clash->b];
    char text[256];
    const size_t length = write(a, b, text, sizeof text);
    if (length < sizeof text) {
        return find_text(t, text, label);
    }
    char *longer = tmb_allocate(t->clashes->context, length + 1, 1);
    const int is_done = longer && (write(a, b, longer, length + 1), find_text(t, longer, label));
    tmb_release(t->clashes->context, longer);
    return is_done;
}

static tumble_status label_texts(texts *t, write_label *write, uint32_t *labels)
{
    const tumble_clash *items = t->clashes->clashes.data;
    int has_room = 1;
    for (size_t i = 0; i < t->clashes->result.clash_count && has_room; i++) {
        has_room = tmb_clash_is_gone(&items[i]) || label_one(t, &items[i], write, &labels[i]);
    }
    return has_room ? TUMBLE_OK : tmb_fail_memory(t->clashes->context, "the groups of clashes");
}

/* ---- from labels to groups ---- */

/* A clash and its label. */
typedef struct labelled {
    uint32_t label, clash;
} labelled;

static int compare_labelled(const void *a, const void *b)
{
    const labelled *x = a, *y = b;
    return x->label != y->label ? (x->label < y->label ? -1 : 1) : (x->clash > y->clash) - (x->clash < y->clash);
}

static int compare_groups(const void *a, const void *b)
{
    const tumble_clash_group *x = a, *y = b;
    if (x->clash_count != y->clash_count) {
        return x->clash_count > y->clash_count ? -1 : 1;
    }
    return strcmp(x->id, y->id);
}

/* Its id, severity and so on, from its clashes. */
static void describe(const tumble_clashes *clashes, tumble_clash_group *group)
{
    const tumble_clash *items = clashes->clashes.data;
    const char *least = items[group->clashes[0]].id;
    tmb_sha256 hash;
    for (size_t i = 0; i < group->clash_count; i++) {
        const tumble_clash *clash = &items[group->clashes[i]];
        least = strcmp(clash->id, least) < 0 ? clash->id : least;
        group->severity = clash->severity > group->severity ? clash->severity : group->severity;
    }
    tmb_sha256_begin(&hash);
    tmb_sha256_add_text(&hash, "tumble group");
    tmb_sha256_add_text(&hash, grouping_words[clashes->options.grouping]);
    tmb_sha256_add_text(&hash, least);
    tmb_sha256_end_text(&hash, group->id);
}

static const char *name_group(const tumble_clashes *clashes, const texts *t, uint32_t label)
{
    const tumble_clash *items = clashes->clashes.data;
    const char *const *words = t->words.data;
    switch (clashes->options.grouping) {
    case TUMBLE_GROUP_PARTS: return clashes->result.parts[label].name;
    case TUMBLE_GROUP_CLASSES:
    case TUMBLE_GROUP_SUBTREE: return words ? words[label] : "";
    default: break;
    }
    return clashes->result.parts[items[label].a].name;
}

static int cut_into_groups(tumble_clashes *clashes, const texts *t, const labelled *sorted, size_t count)
{
    tumble_clash_result *result = &clashes->result;
    uint32_t *members = clashes->members.data;
    for (size_t begin = 0, end; begin < count; begin = end) {
        const uint32_t label = sorted[begin].label;
        for (end = begin; end < count && sorted[end].label == label; end++) {
            members[end] = sorted[end].clash;
        }
        tumble_clash_group group = {.name = name_group(clashes, t, label),
                                    .part = clashes->options.grouping == TUMBLE_GROUP_PARTS ? label : UINT32_MAX,
                                    .clash_count = end - begin,
                                    .clashes = members + begin};
        describe(clashes, &group);
        if (!tmb_buffer_append(clashes->context, &clashes->groups, &result->group_count, &group, 1, sizeof group)) {
            return 0;
        }
    }
    return 1;
}

static int make_groups(tumble_clashes *clashes, const texts *t, const uint32_t *labels)
{
    tumble_context *context = clashes->context;
    tumble_clash *items = clashes->clashes.data;
    const size_t all = clashes->result.clash_count;
    labelled *sorted = tmb_allocate(context, all, sizeof *sorted);
    size_t count = 0;
    int is_done = sorted && tmb_buffer_reserve(context, &clashes->members, all, sizeof(uint32_t), 0);
    for (uint32_t i = 0; i < all && is_done; i++) {
        if (!tmb_clash_is_gone(&items[i])) {
            sorted[count++] = (labelled){labels[i], i};
        }
    }
    if (is_done && count > 0) {
        qsort(sorted, count, sizeof *sorted, compare_labelled);
        is_done = cut_into_groups(clashes, t, sorted, count);
    }
    tmb_release(context, sorted);
    return is_done;
}

static void number_groups(tumble_clashes *clashes)
{
    tumble_clash_group *groups = clashes->groups.data;
    tumble_clash *items = clashes->clashes.data;
    if (clashes->result.group_count > 0) {
        qsort(groups, clashes->result.group_count, sizeof *groups, compare_groups);
    }
    for (uint32_t i = 0; i < clashes->result.group_count; i++) {
        for (size_t j = 0; j < groups[i].clash_count; j++) {
            items[groups[i].clashes[j]].group = i;
        }
    }
}

static tumble_status find_labels(texts *t, uint32_t *labels)
{
    switch (t->clashes->options.grouping) {
    case TUMBLE_GROUP_PARTS: return tmb_clash_label_parts(t->clashes, labels);
    case TUMBLE_GROUP_CLASSES: return label_texts(t, write_classes, labels);
    case TUMBLE_GROUP_SUBTREE: return label_texts(t, write_subtree, labels);
    default: break;
    }
    return tmb_clash_label_near(t->clashes, labels);
}

tumble_status tmb_clash_group(tumble_clashes *clashes)
{
    tumble_context *context = clashes->context;
    texts t = {.clashes = clashes};
    uint32_t *labels = tmb_allocate(context, clashes->result.clash_count, sizeof *labels);
    if (!labels) {
        return tmb_fail_memory(context, "the groups of clashes");
    }
    tumble_status status = find_labels(&t, labels);
    if (status == TUMBLE_OK && !make_groups(clashes, &t, labels)) {
        status = tmb_fail_memory(context, "the groups of clashes");
    }
    if (status == TUMBLE_OK) {
        number_groups(clashes);
    }
    clashes->result.grouping = clashes->options.grouping;
    clashes->result.groups = clashes->groups.data;
    tmb_release(context, labels);
    tmb_buffer_release(context, &t.words);
    tmb_buffer_release(context, &t.table.slots);
    return status;
}
