/* Rules: which pairs of parts are compared, and which of their clashes are told. */
#include <string.h>

#include "clash/rules.h"

/* ---- what a run is asked ---- */

static void add_number(tmb_sha256 *hash, double number)
{
    const double plain = number + 0.0;
    tmb_sha256_add(hash, &plain, sizeof plain);
}

/* Of all that decides what a rule finds. */
static void hash_rule(const tumble_clash_rules *rules, const tmb_rule *rule, tumble_clash_rule_view *view)
{
    tmb_sha256 hash;
    tmb_sha256_begin(&hash);
    tmb_sha256_add_text(&hash, "tumble clash rule");
    tmb_sha256_add_text(&hash, view->name);
    add_number(&hash, view->clearance);
    add_number(&hash, view->touch);
    add_number(&hash, (double)view->severity);
    tmb_sha256_add_text(&hash, rules ? rules->common_hash : "");
    tmb_sha256_add_text(&hash, rule ? rule->hash : "");
    tmb_sha256_end_text(&hash, view->hash);
}

/* Of all else that decides what is found: pairs that are not compared, hosts, and options. */
static void hash_basis(tumble_clashes *clashes)
{
    size_t part_count, pair_count;
    const tumble_assembly_part *parts = tumble_assembly_parts(clashes->assembly, &part_count);
    const tumble_part_pair *pairs = tumble_assembly_ignored(clashes->assembly, &pair_count);
    tmb_sha256 hash;
    tmb_sha256_begin(&hash);
    tmb_sha256_add_text(&hash, "tumble clash basis");
    tmb_sha256_add_text(&hash, tumble_version());
    add_number(&hash, (double)clashes->options.depth_budget);
    for (size_t i = 0; i < pair_count; i++) {
        tmb_sha256_add_text(&hash, parts[pairs[i].a].key);
        tmb_sha256_add_text(&hash, parts[pairs[i].b].key);
    }
    for (size_t i = 0; i < part_count; i++) {
        if (parts[i].host != UINT32_MAX) {
            tmb_sha256_add_text(&hash, parts[i].key);
            tmb_sha256_add_text(&hash, parts[parts[i].host].key);
        }
    }
    tmb_sha256_end_text(&hash, clashes->result.basis);
}

static tumble_clash_rule_view view_of(const tumble_clash_rules *rules, const tmb_rule *rule,
                                      const tumble_clash_options *options)
{
    tumble_clash_rule_view view = {
        .name = "all parts", .clearance = options->clearance, .touch = options->touch, .severity = options->severity};
    if (rule) {
        view.name = rule->name;
        view.clearance = rule->clearance >= 0 ? rule->clearance : view.clearance;
        view.touch = rule->touch >= 0 ? rule->touch : view.touch;
        view.severity = rule->severity >= 0 ? (tumble_severity)rule->severity : view.severity;
    }
    if (rule && !(rule->kinds >> TUMBLE_CLASH_CLEARANCE & 1)) {
        view.clearance = 0;
    }
    hash_rule(rules, rule, &view);
    return view;
}

/* ---- sets ---- */

/* A column of bits for each set: A and B of each rule, then both sides of each pair that is left out. */
static uint32_t selector_of(const tumble_clash_rules *rules, size_t column)
{
    const size_t rule_columns = 2 * rules->rule_count;
    if (column < rule_columns) {
        const tmb_rule *rule = &tmb_rules(rules)[column / 2];
        return column % 2 ? rule->b : rule->a;
    }
    const tmb_rule_pair *pair = (const tmb_rule_pair *)rules->pairs.data + (column - rule_columns) / 2;
    return column % 2 ? pair->b : pair->a;
}

static tumble_status fill_sets(tumble_clashes *clashes)
{
    const tumble_clash_rules *rules = clashes->options.rules;
    size_t part_count;
    const tumble_assembly_part *parts = tumble_assembly_parts(clashes->assembly, &part_count);
    const size_t columns = 2 * (rules->rule_count + rules->pair_count);
    tumble_clash_rule_view *views = clashes->rules.data;
    clashes->set_bytes = (columns + 7) / 8;
    clashes->sets = tmb_allocate(clashes->context, part_count + 1, clashes->set_bytes);
    if (!clashes->sets) {
        return tmb_fail_memory(clashes->context, "the sets of parts");
    }
    memset(clashes->sets, 0, part_count * clashes->set_bytes);
    for (size_t i = 0; i < part_count; i++) {
        for (size_t column = 0; column < columns; column++) {
            if (tmb_select(rules, selector_of(rules, column), &parts[i])) {
                clashes->sets[i * clashes->set_bytes + column / 8] |= (uint8_t)(1u << column % 8);
                if (column < 2 * rules->rule_count) {
                    views[column / 2].set_counts[column % 2]++;
                }
            }
        }
    }
    return TUMBLE_OK;
}

static int has(const tumble_clashes *clashes, uint32_t part, size_t column)
{
    return clashes->sets[part * clashes->set_bytes + column / 8] >> column % 8 & 1;
}

/* One is in the first set and the other one in the second. */
static int are_between(const tumble_clashes *clashes, uint32_t a, uint32_t b, size_t column)
{
    return (has(clashes, a, column) && has(clashes, b, column + 1)) ||
           (has(clashes, b, column) && has(clashes, a, column + 1));
}

tumble_status tmb_clash_prepare_rules(tumble_clashes *clashes)
{
    const tumble_clash_rules *rules = clashes->options.rules;
    const size_t count = rules ? rules->rule_count : 1;
    size_t part_count;
    (void)tumble_assembly_parts(clashes->assembly, &part_count);
    hash_basis(clashes);
    for (size_t i = 0; i < count; i++) {
        tumble_clash_rule_view view = view_of(rules, rules ? &tmb_rules(rules)[i] : NULL, &clashes->options);
        view.set_counts[0] = view.set_counts[1] = rules ? 0 : part_count;
        if (!tmb_buffer_append(clashes->context, &clashes->rules, &clashes->result.rule_count, &view, 1, sizeof view)) {
            return tmb_fail_memory(clashes->context, "the rules");
        }
    }
    clashes->result.rules = clashes->rules.data;
    return rules ? fill_sets(clashes) : TUMBLE_OK;
}

/* ---- pairs ---- */

double tmb_clash_largest_clearance(const tumble_clashes *clashes)
{
    double largest = 0;
    for (size_t i = 0; i < clashes->result.rule_count; i++) {
        largest = clashes->result.rules[i].clearance > largest ? clashes->result.rules[i].clearance : largest;
    }
    return largest;
}

/* How much of a path its first `count` names take; all of it if there are no more. */
static size_t names_length(const char *path, int count)
{
    size_t length = 0;
    for (; path[length]; length++) {
        count -= path[length] == '/';
        if (count == 0) {
            break;
        }
    }
    return length;
}

/* How much of a path comes before the part's own name; 0: nothing. */
static size_t parent_length(const char *path)
{
    const char *last = strrchr(path, '/');
    return last ? (size_t)(last - path) : 0;
}

static int same_start(const char *a, size_t a_length, const char *b, size_t b_length)
{
    return a_length == b_length && a_length > 0 && memcmp(a, b, a_length) == 0;
}

/* Whether a built-in reason leaves two parts out. */
static int is_left_out(const tumble_clashes *clashes, uint32_t ignore, uint32_t a, uint32_t b)
{
    const tumble_assembly_part *parts = tumble_assembly_parts(clashes->assembly, NULL), *x = &parts[a], *y = &parts[b];
    const int same_file = strcmp(x->file, y->file) == 0;
    return ((ignore & TMB_IGNORE_FILE) && same_file && *x->file) ||
           ((ignore & TMB_IGNORE_CLASS) && *x->class_name && strcmp(x->class_name, y->class_name) == 0) ||
           ((ignore & TMB_IGNORE_OPENING) && (x->host == b || y->host == a)) ||
           ((ignore & TMB_IGNORE_PARENT) && same_file &&
            same_start(x->path, parent_length(x->path), y->path, parent_length(y->path))) ||
           ((ignore & TMB_IGNORE_ASSEMBLY) && same_file &&
            same_start(x->path, names_length(x->path, 2), y->path, names_length(y->path, 2)));
}

static int is_listed(const tumble_clashes *clashes, uint32_t first, uint32_t count, uint32_t a, uint32_t b)
{
    for (size_t i = first; i < (size_t)first + count; i++) {
        if (are_between(clashes, a, b, 2 * (clashes->options.rules->rule_count + i))) {
            return 1;
        }
    }
    return 0;
}

int tmb_clash_rule_applies(const tumble_clashes *clashes, uint32_t number, uint32_t a, uint32_t b)
{
    const tumble_clash_rules *rules = clashes->options.rules;
    if (tmb_assembly_is_ignored(clashes->assembly, a, b)) {
        return 0;
    }
    if (!rules) {
        return 1;
    }
    const tmb_rule *rule = &tmb_rules(rules)[number];
    return are_between(clashes, a, b, 2 * (size_t)number) &&
           !is_left_out(clashes, rule->ignore | rules->ignore, a, b) &&
           !is_listed(clashes, rule->first_pair, rule->pair_count, a, b) &&
           !is_listed(clashes, rules->common_first, rules->common_count, a, b);
}

int tmb_clash_rule_asks_for(const tumble_clashes *clashes, uint32_t rule, tumble_clash_kind kind)
{
    return !clashes->options.rules || tmb_rules(clashes->options.rules)[rule].kinds >> kind & 1;
}

int tmb_clash_rule_looks_for(const tumble_clashes *clashes, uint32_t rule, const tumble_clash *clash)
{
    return tmb_clash_rule_asks_for(clashes, rule, clash->kind) &&
           (clash->kind != TUMBLE_CLASH_CLEARANCE || clash->distance < clashes->result.rules[rule].clearance);
}

/* ---- rules alone ---- */

size_t tumble_clash_rules_count(const tumble_clash_rules *rules)
{
    return rules ? rules->rule_count : 0;
}

tumble_status tumble_clash_rules_view(const tumble_clash_rules *rules, size_t number, const tumble_assembly *assembly,
                                      tumble_clash_rule_view *out)
{
    if (!rules) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!out) {
        return tmb_fail(rules->context, TUMBLE_ERROR_ARGUMENT, "out is null");
    }
    if (number >= rules->rule_count) {
        return tmb_fail(rules->context, TUMBLE_ERROR_INDEX, "there is no rule %zu; there are %zu", number,
                        rules->rule_count);
    }
    const tumble_clash_options defaults = tumble_default_clash_options();
    const tmb_rule *rule = &tmb_rules(rules)[number];
    size_t part_count = 0;
    const tumble_assembly_part *parts = assembly ? tumble_assembly_parts(assembly, &part_count) : NULL;
    *out = view_of(rules, rule, &defaults);
    for (size_t i = 0; i < part_count; i++) {
        out->set_counts[0] += tmb_select(rules, rule->a, &parts[i]) != 0;
        out->set_counts[1] += tmb_select(rules, rule->b, &parts[i]) != 0;
    }
    return TUMBLE_OK;
}
