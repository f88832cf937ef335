/* Rules: which pairs of parts are compared, and which of their clashes are told. */
#include <string.h>

#include "clash/clashes.h"

static void add_number(tmb_sha256 *hash, double number)
{
    const double plain = number + 0.0;
    tmb_sha256_add(hash, &plain, sizeof plain);
}

/* Of all that decides what a rule finds. */
static void hash_rule(tumble_clash_rule_view *rule)
{
    tmb_sha256 hash;
    tmb_sha256_begin(&hash);
    tmb_sha256_add_text(&hash, "tumble clash rule");
    tmb_sha256_add_text(&hash, rule->name);
    add_number(&hash, rule->clearance);
    add_number(&hash, rule->touch);
    add_number(&hash, (double)rule->severity);
    tmb_sha256_end_text(&hash, rule->hash);
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

tumble_status tmb_clash_prepare_rules(tumble_clashes *clashes)
{
    const tumble_clash_options *options = &clashes->options;
    tumble_clash_rule_view rule = {
        .name = "all parts", .clearance = options->clearance, .touch = options->touch, .severity = options->severity};
    hash_rule(&rule);
    hash_basis(clashes);
    if (!tmb_buffer_append(clashes->context, &clashes->rules, &clashes->result.rule_count, &rule, 1, sizeof rule)) {
        return tmb_fail_memory(clashes->context, "the rules");
    }
    clashes->result.rules = clashes->rules.data;
    return TUMBLE_OK;
}

double tmb_clash_largest_clearance(const tumble_clashes *clashes)
{
    double largest = 0;
    for (size_t i = 0; i < clashes->result.rule_count; i++) {
        largest = clashes->result.rules[i].clearance > largest ? clashes->result.rules[i].clearance : largest;
    }
    return largest;
}

int tmb_clash_rule_applies(const tumble_clashes *clashes, uint32_t rule, uint32_t a, uint32_t b)
{
    (void)rule;
    return !tmb_assembly_is_ignored(clashes->assembly, a, b);
}

int tmb_clash_rule_looks_for(const tumble_clashes *clashes, uint32_t rule, const tumble_clash *clash)
{
    return clash->kind != TUMBLE_CLASH_CLEARANCE || clash->distance < clashes->result.rules[rule].clearance;
}
