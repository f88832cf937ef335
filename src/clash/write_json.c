/* clashes.json, as docs/clash.md describes it. */
#include "clash/json.h"
#include "tumble/clash.h"

static void write_place(tmb_json *json, const char *key, uint32_t number)
{
    if (number == UINT32_MAX) {
        tmb_json_word(json, key, "null");
    } else {
        tmb_json_whole(json, key, number);
    }
}

static void write_part(tmb_json *json, const tumble_assembly_part *part)
{
    tmb_json_line(json);
    tmb_json_open(json, NULL, '{');
    tmb_json_text(json, "name", part->name);
    tmb_json_text(json, "path", part->path);
    tmb_json_text(json, "file", part->file);
    tmb_json_text(json, "guid", part->guid);
    tmb_json_text(json, "class", part->class_name);
    tmb_json_text(json, "material", part->material);
    tmb_json_text(json, "key", part->key);
    write_place(json, "model", part->model);
    tmb_json_reals(json, "pose", &part->pose.m[0][0], 12);
    tmb_json_close(json, '}');
}

static void write_parts(tmb_json *json, const tumble_clash_result *result)
{
    tmb_json_line(json);
    tmb_json_open(json, "parts", '[');
    for (size_t i = 0; i < result->part_count; i++) {
        write_part(json, &result->parts[i]);
    }
    tmb_json_close(json, ']');
    tmb_json_line(json);
    tmb_json_open(json, "broken", '[');
    for (size_t i = 0; i < result->part_count; i++) {
        if (*result->parts[i].broken) {
            tmb_json_open(json, NULL, '{');
            tmb_json_whole(json, "part", i);
            tmb_json_text(json, "reason", result->parts[i].broken);
            tmb_json_close(json, '}');
        }
    }
    tmb_json_close(json, ']');
}

static void write_rules(tmb_json *json, const tumble_clash_result *result)
{
    tmb_json_line(json);
    tmb_json_open(json, "rules", '[');
    for (size_t i = 0; i < result->rule_count; i++) {
        const tumble_clash_rule_view *rule = &result->rules[i];
        tmb_json_open(json, NULL, '{');
        tmb_json_text(json, "name", rule->name);
        tmb_json_text(json, "hash", rule->hash);
        tmb_json_text(json, "severity", tumble_severity_name(rule->severity));
        tmb_json_real(json, "clearance", rule->clearance);
        tmb_json_real(json, "touch", rule->touch);
        tmb_json_whole(json, "parts_a", rule->set_counts[0]);
        tmb_json_whole(json, "parts_b", rule->set_counts[1]);
        tmb_json_whole(json, "pairs", rule->pair_count);
        tmb_json_whole(json, "clashes", rule->clash_count);
        tmb_json_close(json, '}');
    }
    tmb_json_close(json, ']');
}

static void write_groups(tmb_json *json, const tumble_clash_result *result)
{
    tmb_json_line(json);
    tmb_json_open(json, "groups", '[');
    for (size_t i = 0; i < result->group_count; i++) {
        const tumble_clash_group *group = &result->groups[i];
        tmb_json_line(json);
        tmb_json_open(json, NULL, '{');
        tmb_json_text(json, "id", group->id);
        tmb_json_text(json, "name", group->name);
        write_place(json, "part", group->part);
        tmb_json_text(json, "severity", tumble_severity_name(group->severity));
        tmb_json_open(json, "clashes", '[');
        for (size_t j = 0; j < group->clash_count; j++) {
            tmb_json_whole(json, NULL, group->clashes[j]);
        }
        tmb_json_close(json, ']');
        tmb_json_close(json, '}');
    }
    tmb_json_close(json, ']');
}

/* Two points. */
static void write_points(tmb_json *json, const char *key, const double points[2][3])
{
    tmb_json_open(json, key, '[');
    tmb_json_reals(json, NULL, points[0], 3);
    tmb_json_reals(json, NULL, points[1], 3);
    tmb_json_close(json, ']');
}

/* A person's word counts while the clash is there as it was. */
static const char *status_of(const tumble_clash *clash)
{
    return *clash->review && clash->change == TUMBLE_CHANGE_PERSISTENT ? clash->review
                                                                       : tumble_change_name(clash->change);
}

static void write_clash(tmb_json *json, const tumble_clash *clash)
{
    static const char *const inside[] = {"", "a", "b"};
    tmb_json_line(json);
    tmb_json_open(json, NULL, '{');
    tmb_json_text(json, "id", clash->id);
    tmb_json_text(json, "kind", tumble_clash_kind_name(clash->kind));
    write_place(json, "a", clash->a);
    write_place(json, "b", clash->b);
    if (clash->has_depth) {
        tmb_json_reals(json, "depth", clash->depth, 2);
    } else {
        tmb_json_word(json, "depth", "null");
    }
    tmb_json_real(json, "distance", clash->distance);
    tmb_json_reals(json, "point", clash->point, 3);
    tmb_json_text(json, "status", status_of(clash));
    write_place(json, "group", clash->group);
    tmb_json_text(json, "change", tumble_change_name(clash->change));
    tmb_json_text(json, "review", clash->review);
    tmb_json_text(json, "comment", clash->comment);
    tmb_json_text(json, "severity", tumble_severity_name(clash->severity));
    write_place(json, "rule", clash->rule);
    tmb_json_reals(json, "normal", clash->normal, 3);
    write_points(json, "box", clash->box);
    tmb_json_whole(json, "contacts", clash->contact_count);
    tmb_json_text(json, "inside", inside[clash->inside]);
    tmb_json_text(json, "key_a", clash->key_a);
    tmb_json_text(json, "key_b", clash->key_b);
    tmb_json_text(json, "reason", clash->reason);
    write_points(json, "nearest", clash->nearest);
    tmb_json_close(json, '}');
}

static void write_head(tmb_json *json, const tumble_clash_result *result)
{
    static const char *const axes[] = {"-z", "-y", "-x", "", "x", "y", "z"};
    tmb_json_text(json, "tumble", tumble_version());
    tmb_json_whole(json, "format", 1);
    tmb_json_word(json, "complete", result->complete ? "true" : "false");
    if (result->metres > 0) {
        tmb_json_real(json, "unit_metres", result->metres);
    } else {
        tmb_json_word(json, "unit_metres", "null");
    }
    tmb_json_text(json, "up", axes[result->up + 3]);
    tmb_json_text(json, "basis", result->basis);
    tmb_json_line(json);
    tmb_json_open(json, "models", '[');
    for (size_t i = 0; result->hashes && i < result->model_count; i++) {
        tmb_json_text(json, NULL, result->hashes[i]);
    }
    tmb_json_close(json, ']');
}

tumble_status tumble_clash_write_json(tumble_context *context, const tumble_clash_result *result, const char *path)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!result || !path) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "%s is null", result ? "path" : "result");
    }
    tmb_output output;
    const tumble_status status = tmb_output_open(context, path, &output);
    if (status != TUMBLE_OK) {
        return status;
    }
    tmb_json json = {.output = &output};
    tmb_json_open(&json, NULL, '{');
    write_head(&json, result);
    write_parts(&json, result);
    write_rules(&json, result);
    write_groups(&json, result);
    tmb_json_line(&json);
    tmb_json_open(&json, "clashes", '[');
    for (size_t i = 0; i < result->clash_count; i++) {
        write_clash(&json, &result->clashes[i]);
    }
    tmb_json_close(&json, ']');
    tmb_json_close(&json, '}');
    tmb_output_write(&output, "\n", 1);
    return tmb_output_commit(&output);
}
