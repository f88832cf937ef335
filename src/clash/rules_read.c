/* Reads rules, as docs/clash.md describes them. What is not known there is an error: a slip in a key would make a rule
 * say something else. */
#include <stdio.h>
#include <string.h>

#include "clash/rules.h"
#include "io/file.h"
#include "io/json_read.h"

typedef struct reading {
    tumble_clash_rules *rules;
    const tmb_source *source;
    tmb_json_reader json;
    tmb_sha256 common; /* of what is for all rules */
} reading;

static void refuse_memory(reading *r)
{
    if (r->json.status == TUMBLE_OK) {
        r->json.status = tmb_fail_memory(r->rules->context, "the rules");
    }
}

static int append(reading *r, tmb_buffer *buffer, size_t *count, const void *item, size_t size)
{
    if (r->json.status == TUMBLE_OK && !tmb_buffer_append(r->rules->context, buffer, count, item, 1, size)) {
        refuse_memory(r);
    }
    return r->json.status == TUMBLE_OK;
}

static const char *keep_text(reading *r)
{
    const char *text = tmb_texts_keep(r->rules->context, &r->rules->texts, tmb_json_read_text(&r->json));
    if (!text) {
        refuse_memory(r);
    }
    return text ? text : "";
}

/* ---- keys ---- */

typedef void read_value(reading *r, void *item);

typedef struct rule_key {
    const char *key;
    read_value *read; /* NULL: a text for people */
} rule_key;

static void refuse_key(reading *r, const rule_key *fields, size_t count, const char *key, const char *what)
{
    char known[200] = "";
    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(known);
        snprintf(known + length, sizeof known - length, "%s%s", i ? ", " : "", fields[i].key);
    }
    tmb_json_fail(&r->json, TUMBLE_ERROR_FORMAT, "%s has no '%.40s', but: %s", what, key, known);
}

/* Each key at most once. */
static void read_fields(reading *r, const rule_key *fields, size_t count, void *item, const char *what)
{
    unsigned seen = 0;
    tmb_json_enter(&r->json, '{');
    for (const char *key; (key = tmb_json_key(&r->json)) != NULL;) {
        size_t i = 0;
        while (i < count && strcmp(fields[i].key, key) != 0) {
            i++;
        }
        if (i == count) {
            refuse_key(r, fields, count, key, what);
        } else if (seen >> i & 1) {
            tmb_json_fail(&r->json, TUMBLE_ERROR_FORMAT, "%s has '%s' twice", what, key);
        } else if (fields[i].read) {
            seen |= 1u << i;
            fields[i].read(r, item);
        } else {
            (void)tmb_json_read_text(&r->json);
        }
    }
}

/* A list of words, as bits. */
static uint32_t read_words(reading *r, const char *const *words, int count, const char *what)
{
    uint32_t bits = 0;
    tmb_json_enter(&r->json, '[');
    while (tmb_json_item(&r->json)) {
        const char *text = tmb_json_read_text(&r->json);
        int i = 0;
        while (i < count && strcmp(words[i], text) != 0) {
            i++;
        }
        if (i < count) {
            bits |= 1u << i;
        } else {
            char known[200] = "";
            for (int j = 0; j < count; j++) {
                const size_t length = strlen(known);
                snprintf(known + length, sizeof known - length, "%s%s", j ? ", " : "", words[j]);
            }
            tmb_json_fail(&r->json, TUMBLE_ERROR_FORMAT, "there is no %s '%.40s', but: %s", what, text, known);
        }
    }
    return bits;
}

/* ---- sets of parts ---- */

static uint32_t read_selector(reading *r);

static uint32_t add_selector(reading *r, const tmb_selector *selector)
{
    const size_t number = r->rules->selector_count;
    return append(r, &r->rules->selectors, &r->rules->selector_count, selector, sizeof *selector) ? (uint32_t)number
                                                                                                  : TMB_EVERYTHING;
}

static void add_child(reading *r, uint32_t parent, uint32_t child)
{
    tmb_selector *all = r->rules->selectors.data;
    if (r->json.status == TUMBLE_OK) {
        all[child].next = all[parent].first;
        all[parent].first = child;
    }
}

static uint32_t add_group(reading *r, tmb_selector_type type)
{
    return add_selector(r, &(tmb_selector){.type = type, .pattern = "", .first = UINT32_MAX, .next = UINT32_MAX});
}

static uint32_t read_pattern(reading *r, uint32_t field)
{
    const char *pattern = keep_text(r);
    return add_selector(
        r, &(tmb_selector){
               .type = TMB_SELECT_MATCH, .field = field, .pattern = pattern, .first = UINT32_MAX, .next = UINT32_MAX});
}

/* One pattern, or a list of which one has to match. */
static uint32_t read_patterns(reading *r, uint32_t field)
{
    if (tmb_json_next(&r->json) != '[') {
        return read_pattern(r, field);
    }
    const uint32_t group = add_group(r, TMB_SELECT_ANY);
    tmb_json_enter(&r->json, '[');
    while (tmb_json_item(&r->json)) {
        add_child(r, group, read_pattern(r, field));
    }
    return group;
}

/* {"class": "IfcWall*", "not": ...}: all of it has to hold. */
static uint32_t read_conditions(reading *r)
{
    const uint32_t group = add_group(r, TMB_SELECT_ALL);
    tmb_json_enter(&r->json, '{');
    for (const char *key; (key = tmb_json_key(&r->json)) != NULL;) {
        const int field = tmb_select_field(key);
        if (field >= 0) {
            add_child(r, group, read_patterns(r, (uint32_t)field));
        } else if (strcmp(key, "not") == 0) {
            const uint32_t negation = add_group(r, TMB_SELECT_NOT);
            add_child(r, negation, read_selector(r));
            add_child(r, group, negation);
        } else {
            tmb_json_fail(&r->json, TUMBLE_ERROR_FORMAT, "a set has no '%.40s', but: %s, not", key, tmb_select_fields);
        }
    }
    return group;
}

/* A pattern for paths, {"class": "IfcWall"}, or a list of such sets, of which a part is in one. */
static uint32_t read_selector(reading *r)
{
    const char next = tmb_json_next(&r->json);
    if (next == '"') {
        return read_pattern(r, (uint32_t)tmb_select_field("path"));
    }
    if (next != '[') {
        return read_conditions(r);
    }
    const uint32_t group = add_group(r, TMB_SELECT_ANY);
    tmb_json_enter(&r->json, '[');
    while (tmb_json_item(&r->json)) {
        add_child(r, group, read_selector(r));
    }
    return group;
}

static void read_pairs(reading *r, uint32_t *count)
{
    tmb_json_enter(&r->json, '[');
    while (tmb_json_item(&r->json)) {
        tmb_rule_pair pair = {TMB_EVERYTHING, TMB_EVERYTHING};
        uint32_t found = 0;
        tmb_json_enter(&r->json, '[');
        while (tmb_json_item(&r->json)) {
            const uint32_t selector = read_selector(r);
            pair.a = found == 0 ? selector : pair.a;
            pair.b = found == 1 ? selector : pair.b;
            found++;
        }
        if (found != 2) {
            tmb_json_fail(&r->json, TUMBLE_ERROR_FORMAT, "a pair to be ignored has two sets, not %u", (unsigned)found);
        }
        if (r->rules->pair_count >= TMB_MOST_RULES) {
            tmb_json_fail(&r->json, TUMBLE_ERROR_TOO_LARGE, "there are more than %d pairs to be ignored",
                          TMB_MOST_RULES);
        }
        *count += append(r, &r->rules->pairs, &r->rules->pair_count, &pair, sizeof pair) != 0;
    }
}

static uint32_t read_ignore(reading *r)
{
    static const char *const words[] = {"same parent", "same assembly", "same file", "same class", "openings"};
    return read_words(r, words, sizeof words / sizeof *words, "pair to be ignored");
}

/* ---- a rule ---- */

static void read_name(reading *r, void *item)
{
    tmb_rule *rule = item;
    rule->name = keep_text(r);
    for (size_t i = 0; i < r->rules->rule_count; i++) {
        if (strcmp(tmb_rules(r->rules)[i].name, rule->name) == 0) {
            tmb_json_fail(&r->json, TUMBLE_ERROR_FORMAT, "two rules are called '%.60s'", rule->name);
        }
    }
}

static void read_set_a(reading *r, void *item)
{
    const uint32_t selector = read_selector(r);
    ((tmb_rule *)item)->a = selector;
}

static void read_set_b(reading *r, void *item)
{
    const uint32_t selector = read_selector(r);
    ((tmb_rule *)item)->b = selector;
}

static double read_length(reading *r, const char *what)
{
    const double number = tmb_json_read_number(&r->json);
    if (number < 0) {
        tmb_json_fail(&r->json, TUMBLE_ERROR_FORMAT, "the %s is negative", what);
    }
    return number;
}

static void read_clearance(reading *r, void *item)
{
    ((tmb_rule *)item)->clearance = read_length(r, "clearance");
}

static void read_touch(reading *r, void *item)
{
    ((tmb_rule *)item)->touch = read_length(r, "touch tolerance");
}

static void read_severity(reading *r, void *item)
{
    const char *text = tmb_json_read_text(&r->json);
    for (int i = 0; i <= TUMBLE_SEVERITY_CRITICAL; i++) {
        if (strcmp(text, tumble_severity_name((tumble_severity)i)) == 0) {
            ((tmb_rule *)item)->severity = i;
            return;
        }
    }
    tmb_json_fail(&r->json, TUMBLE_ERROR_FORMAT, "there is no severity '%.40s', but: info, minor, major, critical",
                  text);
}

static void read_kinds(reading *r, void *item)
{
    const char *words[6];
    for (int i = 0; i < 6; i++) {
        words[i] = tumble_clash_kind_name((tumble_clash_kind)i);
    }
    ((tmb_rule *)item)->kinds = read_words(r, words, 6, "kind");
    if (((tmb_rule *)item)->kinds == 0) {
        tmb_json_fail(&r->json, TUMBLE_ERROR_FORMAT, "the rule finds nothing: name a kind");
    }
}

static void read_rule_ignore(reading *r, void *item)
{
    const uint32_t ignore = read_ignore(r);
    ((tmb_rule *)item)->ignore = ignore;
}

static void read_rule_pairs(reading *r, void *item)
{
    tmb_rule *rule = item;
    rule->first_pair = (uint32_t)r->rules->pair_count;
    read_pairs(r, &rule->pair_count);
}

static void hash_text(const char *begin, const char *end, char out[33])
{
    tmb_sha256 hash;
    tmb_sha256_begin(&hash);
    tmb_sha256_add(&hash, begin, (size_t)(end - begin));
    tmb_sha256_end_text(&hash, out);
}

static void read_rule(reading *r)
{
    static const rule_key fields[] = {{"name", read_name},
                                      {"a", read_set_a},
                                      {"b", read_set_b},
                                      {"find", read_kinds},
                                      {"clearance", read_clearance},
                                      {"touch", read_touch},
                                      {"severity", read_severity},
                                      {"ignore", read_rule_ignore},
                                      {"ignore_pairs", read_rule_pairs},
                                      {"comment", NULL}};
    tmb_rule rule = {.name = "",
                     .clearance = -1,
                     .touch = -1,
                     .severity = -1,
                     .kinds = TMB_ALL_KINDS,
                     .a = TMB_EVERYTHING,
                     .b = TMB_EVERYTHING};
    const char *begin = r->json.at;
    read_fields(r, fields, sizeof fields / sizeof *fields, &rule, "a rule");
    if (!*rule.name) {
        tmb_json_fail(&r->json, TUMBLE_ERROR_FORMAT, "a rule has no name");
    }
    if (r->json.status == TUMBLE_OK) {
        rule.b = rule.b == TMB_EVERYTHING ? rule.a : rule.b;
        hash_text(begin, r->json.at, rule.hash);
    }
    if (r->rules->rule_count >= TMB_MOST_RULES) {
        tmb_json_fail(&r->json, TUMBLE_ERROR_TOO_LARGE, "there are more than %d rules", TMB_MOST_RULES);
    }
    append(r, &r->rules->rules, &r->rules->rule_count, &rule, sizeof rule);
}

/* ---- the document ---- */

static void read_rules(reading *r, void *item)
{
    (void)item;
    tmb_json_enter(&r->json, '[');
    while (tmb_json_item(&r->json)) {
        read_rule(r);
    }
}

static void read_common_ignore(reading *r, void *item)
{
    const char *begin = r->json.at;
    (void)item;
    r->rules->ignore = read_ignore(r);
    tmb_sha256_add(&r->common, begin, (size_t)(r->json.at - begin));
}

static void read_common_pairs(reading *r, void *item)
{
    const char *begin = r->json.at;
    (void)item;
    r->rules->common_first = (uint32_t)r->rules->pair_count;
    read_pairs(r, &r->rules->common_count);
    tmb_sha256_add(&r->common, begin, (size_t)(r->json.at - begin));
}

static tumble_status read_document(reading *r)
{
    static const rule_key fields[] = {
        {"rules", read_rules}, {"ignore", read_common_ignore}, {"ignore_pairs", read_common_pairs}, {"comment", NULL}};
    tmb_json_begin(&r->json, r->source);
    read_fields(r, fields, sizeof fields / sizeof *fields, NULL, "a file of rules");
    if (r->rules->rule_count == 0) {
        tmb_json_fail(&r->json, TUMBLE_ERROR_FORMAT, "there are no rules: write {\"rules\": [{\"name\": ...}]}");
    }
    return tmb_json_end(&r->json);
}

void tumble_clash_rules_destroy(tumble_clash_rules *rules)
{
    if (rules) {
        tumble_context *context = rules->context;
        tmb_buffer_release(context, &rules->rules);
        tmb_buffer_release(context, &rules->selectors);
        tmb_buffer_release(context, &rules->pairs);
        tmb_texts_release(context, &rules->texts);
        tmb_release(context, rules);
    }
}

tumble_status tumble_clash_rules_parse(tumble_context *context, const char *text, size_t size, const char *name,
                                       tumble_clash_rules **out)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!out || (!text && size > 0)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "%s is null", out ? "text" : "out");
    }
    *out = NULL;
    const tmb_source source = {.context = context, .name = name, .data = text, .size = size};
    tumble_clash_rules *rules = tmb_allocate(context, 1, sizeof *rules);
    if (!rules) {
        return tmb_fail_memory(context, "the rules");
    }
    *rules = (tumble_clash_rules){.context = context};
    reading r = {.rules = rules, .source = &source};
    tmb_sha256_begin(&r.common);
    const tumble_status status = read_document(&r);
    if (status != TUMBLE_OK) {
        tumble_clash_rules_destroy(rules);
        return status;
    }
    tmb_sha256_end_text(&r.common, rules->common_hash);
    *out = rules;
    return TUMBLE_OK;
}

tumble_status tumble_clash_rules_read(tumble_context *context, const char *path, tumble_clash_rules **out)
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
        status = tumble_clash_rules_parse(context, data.data, size, path, out);
    }
    tmb_buffer_release(context, &data);
    return status;
}
