/* Reads clashes.json, as docs/clash.md describes it. Keys may come in any order; what is unknown is passed over. */
#include <string.h>

#include "clash/before.h"
#include "io/file.h"
#include "io/json_read.h"

typedef struct reading {
    tumble_clash_before *before;
    tmb_json_reader json;
} reading;

/* Reads the value of a key into `item`. */
typedef void read_value(reading *r, void *item, size_t offset);

typedef struct field {
    const char *key;
    read_value *read;
    size_t offset;
} field;

static void read_fields(reading *r, const field *fields, size_t count, void *item)
{
    tmb_json_enter(&r->json, '{');
    for (const char *key; (key = tmb_json_key(&r->json)) != NULL;) {
        size_t i = 0;
        while (i < count && strcmp(fields[i].key, key) != 0) {
            i++;
        }
        if (i < count) {
            fields[i].read(r, item, fields[i].offset);
        } else {
            tmb_json_skip(&r->json);
        }
    }
}

/* ---- values ---- */

static void fail_memory(reading *r)
{
    if (r->json.status == TUMBLE_OK) {
        r->json.status = tmb_fail_memory(r->before->context, "the clashes of the run before");
    }
}

static void read_text(reading *r, void *item, size_t offset)
{
    const char *text = tmb_json_read_text(&r->json);
    text = tmb_texts_keep(r->before->context, &r->before->texts, text);
    if (text) {
        memcpy((char *)item + offset, &text, sizeof text);
    } else {
        fail_memory(r);
    }
}

static int is_null(reading *r)
{
    if (tmb_json_next(&r->json) != 'n') {
        return 0;
    }
    tmb_json_skip(&r->json);
    return 1;
}

static void read_real(reading *r, void *item, size_t offset)
{
    const double number = is_null(r) ? 0 : tmb_json_read_number(&r->json);
    memcpy((char *)item + offset, &number, sizeof number);
}

/* A place in a list; null: none. */
static void read_place(reading *r, void *item, size_t offset)
{
    const uint32_t number = is_null(r) ? UINT32_MAX : (uint32_t)tmb_json_read_whole(&r->json, UINT32_MAX - 1);
    memcpy((char *)item + offset, &number, sizeof number);
}

static void read_point(reading *r, void *item, size_t offset)
{
    double numbers[3];
    tmb_json_read_numbers(&r->json, numbers, 3);
    if (r->json.status == TUMBLE_OK) {
        memcpy((char *)item + offset, numbers, sizeof numbers);
    }
}

static void read_two_points(reading *r, void *item, size_t offset)
{
    size_t count = 0;
    tmb_json_enter(&r->json, '[');
    while (tmb_json_item(&r->json)) {
        double numbers[3];
        tmb_json_read_numbers(&r->json, numbers, 3);
        if (r->json.status == TUMBLE_OK && count < 2) {
            memcpy((char *)item + offset + count * sizeof numbers, numbers, sizeof numbers);
        }
        count++;
    }
    if (count != 2) {
        tmb_json_fail(&r->json, TUMBLE_ERROR_FORMAT, "two points are expected, not %zu", count);
    }
}

static void read_pose(reading *r, void *item, size_t offset)
{
    double numbers[12];
    tmb_json_read_numbers(&r->json, numbers, 12);
    if (r->json.status == TUMBLE_OK) {
        memcpy((char *)item + offset, numbers, sizeof numbers);
    }
}

/* The number of a word in a list of them. */
static int read_word(reading *r, const char *const *words, int count, const char *what)
{
    const char *text = tmb_json_read_text(&r->json);
    for (int i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0) {
            return i;
        }
    }
    tmb_json_fail(&r->json, TUMBLE_ERROR_FORMAT, "there is no %s '%.40s'", what, text);
    return 0;
}

static const char *const kind_words[] = {
#define KIND_WORD(name, number, word, text) [number] = word,
    TUMBLE_CLASH_KIND_LIST(KIND_WORD)
#undef KIND_WORD
};

static const char *const change_words[] = {
#define CHANGE_WORD(name, number, word, text) [number] = word,
    TUMBLE_CHANGE_LIST(CHANGE_WORD)
#undef CHANGE_WORD
};

static const char *const severity_words[] = {
#define SEVERITY_WORD(name, number, word) [number] = word,
    TUMBLE_SEVERITY_LIST(SEVERITY_WORD)
#undef SEVERITY_WORD
};

enum {
    KINDS = sizeof kind_words / sizeof *kind_words,
    CHANGES = sizeof change_words / sizeof *change_words,
    SEVERITIES = sizeof severity_words / sizeof *severity_words
};

/* ---- parts and rules ---- */

static int append(reading *r, tmb_buffer *buffer, size_t *count, const void *item, size_t size)
{
    if (r->json.status == TUMBLE_OK && !tmb_buffer_append(r->before->context, buffer, count, item, 1, size)) {
        fail_memory(r);
    }
    return r->json.status == TUMBLE_OK;
}

static void read_models(reading *r, void *item, size_t offset)
{
    (void)item;
    (void)offset;
    tmb_json_enter(&r->json, '[');
    while (tmb_json_item(&r->json)) {
        const char *text = NULL;
        read_text(r, &text, 0);
        append(r, &r->before->models, &r->before->model_count, &text, sizeof text);
    }
}

static void read_parts(reading *r, void *item, size_t offset)
{
    static const field fields[] = {{"name", read_text, offsetof(tmb_old_part, name)},
                                   {"path", read_text, offsetof(tmb_old_part, path)},
                                   {"file", read_text, offsetof(tmb_old_part, file)},
                                   {"guid", read_text, offsetof(tmb_old_part, guid)},
                                   {"class", read_text, offsetof(tmb_old_part, class_name)},
                                   {"material", read_text, offsetof(tmb_old_part, material)},
                                   {"key", read_text, offsetof(tmb_old_part, key)},
                                   {"model", read_place, offsetof(tmb_old_part, model)},
                                   {"pose", read_pose, offsetof(tmb_old_part, pose)}};
    (void)item;
    (void)offset;
    tmb_json_enter(&r->json, '[');
    while (tmb_json_item(&r->json)) {
        tmb_old_part part = {.name = "",
                             .path = "",
                             .file = "",
                             .guid = "",
                             .class_name = "",
                             .material = "",
                             .key = "",
                             .geometry = "",
                             .model = UINT32_MAX};
        read_fields(r, fields, sizeof fields / sizeof *fields, &part);
        append(r, &r->before->parts, &r->before->part_count, &part, sizeof part);
    }
}

static void read_rules(reading *r, void *item, size_t offset)
{
    static const field fields[] = {{"name", read_text, offsetof(tmb_old_rule, name)},
                                   {"hash", read_text, offsetof(tmb_old_rule, hash)},
                                   {"clearance", read_real, offsetof(tmb_old_rule, clearance)}};
    (void)item;
    (void)offset;
    tmb_json_enter(&r->json, '[');
    while (tmb_json_item(&r->json)) {
        tmb_old_rule rule = {.name = "", .hash = ""};
        read_fields(r, fields, sizeof fields / sizeof *fields, &rule);
        append(r, &r->before->rules, &r->before->rule_count, &rule, sizeof rule);
    }
}

/* ---- clashes ---- */

typedef struct old_clash {
    tumble_clash clash;
    const char *status, *inside, *id;
} old_clash;

static void read_kind(reading *r, void *item, size_t offset)
{
    (void)offset;
    ((old_clash *)item)->clash.kind = (tumble_clash_kind)read_word(r, kind_words, KINDS, "kind");
}

static void read_change(reading *r, void *item, size_t offset)
{
    (void)offset;
    ((old_clash *)item)->clash.change = (tumble_change)read_word(r, change_words, CHANGES, "change");
}

static void read_severity(reading *r, void *item, size_t offset)
{
    (void)offset;
    ((old_clash *)item)->clash.severity = (tumble_severity)read_word(r, severity_words, SEVERITIES, "severity");
}

static void read_depth(reading *r, void *item, size_t offset)
{
    (void)offset;
    tumble_clash *clash = &((old_clash *)item)->clash;
    clash->has_depth = !is_null(r);
    if (clash->has_depth) {
        tmb_json_read_numbers(&r->json, clash->depth, 2);
    }
}

static void read_contacts(reading *r, void *item, size_t offset)
{
    (void)offset;
    ((old_clash *)item)->clash.contact_count = tmb_json_read_whole(&r->json, (uint64_t)1 << 53);
}

/* A word in `status` that is no change was written there by a person. */
static void settle(reading *r, old_clash *old)
{
    tumble_clash *clash = &old->clash;
    int is_change = !*old->status;
    for (int i = 0; i < CHANGES; i++) {
        is_change = is_change || strcmp(old->status, change_words[i]) == 0;
    }
    clash->review = is_change ? clash->review : old->status;
    clash->inside = strcmp(old->inside, "a") == 0 ? 1 : strcmp(old->inside, "b") == 0 ? 2 : 0;
    if (strlen(old->id) != sizeof clash->id - 1) {
        tmb_json_fail(&r->json, TUMBLE_ERROR_FORMAT, "the id '%.40s' has not 32 digits", old->id);
        return;
    }
    memcpy(clash->id, old->id, sizeof clash->id);
}

#define AT(member) (offsetof(old_clash, clash) + offsetof(tumble_clash, member))

static void read_clashes(reading *r, void *item, size_t offset)
{
    static const field fields[] = {{"id", read_text, offsetof(old_clash, id)},
                                   {"kind", read_kind, 0},
                                   {"a", read_place, AT(a)},
                                   {"b", read_place, AT(b)},
                                   {"depth", read_depth, 0},
                                   {"distance", read_real, AT(distance)},
                                   {"point", read_point, AT(point)},
                                   {"status", read_text, offsetof(old_clash, status)},
                                   {"change", read_change, 0},
                                   {"review", read_text, AT(review)},
                                   {"comment", read_text, AT(comment)},
                                   {"severity", read_severity, 0},
                                   {"rule", read_place, AT(rule)},
                                   {"normal", read_point, AT(normal)},
                                   {"box", read_two_points, AT(box)},
                                   {"contacts", read_contacts, 0},
                                   {"inside", read_text, offsetof(old_clash, inside)},
                                   {"key_a", read_text, AT(key_a)},
                                   {"key_b", read_text, AT(key_b)},
                                   {"reason", read_text, AT(reason)},
                                   {"nearest", read_two_points, AT(nearest)}};
    (void)item;
    (void)offset;
    tmb_json_enter(&r->json, '[');
    while (tmb_json_item(&r->json)) {
        old_clash old = {.status = "", .inside = "", .id = ""};
        old.clash = (tumble_clash){.a = UINT32_MAX,
                                   .b = UINT32_MAX,
                                   .rule = UINT32_MAX,
                                   .group = UINT32_MAX,
                                   .key_a = "",
                                   .key_b = "",
                                   .review = "",
                                   .comment = "",
                                   .reason = ""};
        read_fields(r, fields, sizeof fields / sizeof *fields, &old);
        settle(r, &old);
        append(r, &r->before->clashes, &r->before->clash_count, &old.clash, sizeof old.clash);
    }
}

/* ---- the document ---- */

typedef struct head {
    double format, metres;
    int is_complete, has_clashes;
} head;

static void read_complete(reading *r, void *item, size_t offset)
{
    (void)offset;
    ((head *)item)->is_complete = tmb_json_read_truth(&r->json);
}

static void read_basis(reading *r, void *item, size_t offset)
{
    (void)item;
    (void)offset;
    read_text(r, r->before, offsetof(tumble_clash_before, basis));
}

static void read_all_clashes(reading *r, void *item, size_t offset)
{
    ((head *)item)->has_clashes = 1;
    read_clashes(r, item, offset);
}

/* Numbers that the lists do not have. */
static void check_numbers(reading *r)
{
    tumble_clash_before *before = r->before;
    const tumble_clash *clashes = before->clashes.data;
    tmb_old_part *parts = before->parts.data;
    const char *const *models = before->models.data;
    for (size_t i = 0; i < before->clash_count; i++) {
        const tumble_clash *clash = &clashes[i];
        const uint32_t most = (uint32_t)before->part_count;
        if ((clash->a != UINT32_MAX && clash->a >= most) || (clash->b != UINT32_MAX && clash->b >= most) ||
            (clash->rule != UINT32_MAX && clash->rule >= before->rule_count)) {
            tmb_json_fail(&r->json, TUMBLE_ERROR_INDEX, "the clash %s has a part or a rule that is not listed",
                          clash->id);
        }
    }
    for (size_t i = 0; i < before->part_count; i++) {
        parts[i].geometry = parts[i].model < before->model_count ? models[parts[i].model] : "";
    }
}

static tumble_status read_document(reading *r, const tmb_source *source)
{
    static const field fields[] = {{"format", read_real, offsetof(head, format)},
                                   {"unit_metres", read_real, offsetof(head, metres)},
                                   {"complete", read_complete, 0},
                                   {"basis", read_basis, 0},
                                   {"models", read_models, 0},
                                   {"parts", read_parts, 0},
                                   {"rules", read_rules, 0},
                                   {"clashes", read_all_clashes, 0}};
    head found = {.format = 1};
    tmb_json_begin(&r->json, source);
    read_fields(r, fields, sizeof fields / sizeof *fields, &found);
    if (found.format != 1) {
        tmb_json_fail(&r->json, TUMBLE_ERROR_FORMAT, "its format is %g, this version reads 1", found.format);
    }
    if (!found.has_clashes) {
        tmb_json_fail(&r->json, TUMBLE_ERROR_FORMAT, "there is no list of clashes: is it a clashes.json?");
    }
    r->before->is_complete = found.is_complete;
    r->before->metres = found.metres;
    check_numbers(r);
    return tmb_json_end(&r->json);
}

void tumble_clash_before_destroy(tumble_clash_before *before)
{
    if (!before) {
        return;
    }
    tumble_context *context = before->context;
    tmb_buffer *buffers[] = {&before->parts, &before->rules, &before->clashes, &before->models};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        tmb_buffer_release(context, buffers[i]);
    }
    tmb_texts_release(context, &before->texts);
    tmb_release(context, before);
}

tumble_status tumble_clash_before_parse(tumble_context *context, const char *text, size_t size, const char *name,
                                        tumble_clash_before **out)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!out || (!text && size > 0)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "%s is null", out ? "text" : "out");
    }
    *out = NULL;
    const tmb_source source = {.context = context, .name = name, .data = text, .size = size};
    tumble_clash_before *before = tmb_allocate(context, 1, sizeof *before);
    if (!before) {
        return tmb_fail_memory(context, "the clashes of the run before");
    }
    *before = (tumble_clash_before){.context = context, .basis = ""};
    reading r = {.before = before};
    const tumble_status status = read_document(&r, &source);
    if (status != TUMBLE_OK) {
        tumble_clash_before_destroy(before);
        return status;
    }
    *out = before;
    return TUMBLE_OK;
}

tumble_status tumble_clash_before_read(tumble_context *context, const char *path, tumble_clash_before **out)
{
    tmb_buffer data = {0};
    size_t size = 0;
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!path || !out) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "%s is null", out ? "path" : "out");
    }
    *out = NULL;
    tumble_status status = tmb_file_read(context, path, &data, &size);
    if (status == TUMBLE_OK) {
        status = tumble_clash_before_parse(context, data.data, size, path, out);
    }
    tmb_buffer_release(context, &data);
    return status;
}
