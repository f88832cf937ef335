/* clashes.ifcclash.json: a set of clashes for each rule, as IfcClash writes them. Lengths are metres. */
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "report_file.h"
#include "report_words.h"

/* The GUID, or the key of a part that has none. */
static const char *name_of(const tumble_clash_result *result, const tumble_clash *clash, int side)
{
    const tumble_assembly_part *part = report_side(result, clash, side);
    return part && *part->guid ? part->guid : side ? clash->key_b : clash->key_a;
}

static void write_point(cli_json *json, const char *key, const tumble_clash_result *result, const double point[3])
{
    const double scale = result->metres > 0 ? result->metres : 1;
    cli_json_point(json, key, (const double[3]){scale * point[0], scale * point[1], scale * point[2]});
}

static tumble_status write_clash(cli_json *json, const tumble_clash_result *result, const tumble_clash *clash)
{
    const int apart = clash->kind == TUMBLE_CLASH_CLEARANCE;
    const char *names[2] = {name_of(result, clash, 0), name_of(result, clash, 1)};
    const size_t size = strlen(names[0]) + strlen(names[1]) + 2;
    char *key = malloc(size);
    if (!key) {
        return TUMBLE_ERROR_MEMORY;
    }
    snprintf(key, size, "%s-%s", names[0], names[1]);
    cli_json_open_object(json, key);
    free(key);
    static const char *const keys[3][2] = {
        {"a_global_id", "b_global_id"}, {"a_ifc_class", "b_ifc_class"}, {"a_name", "b_name"}};
    for (int side = 0; side < 2; side++) {
        const tumble_assembly_part *part = report_side(result, clash, side);
        cli_json_text(json, keys[0][side], names[side]);
        cli_json_text(json, keys[1][side], part ? part->class_name : "");
        cli_json_text(json, keys[2][side], report_side_name(result, clash, side));
    }
    cli_json_text(json, "type", apart ? "clearance" : "collision");
    write_point(json, "p1", result, apart ? clash->nearest[0] : clash->point);
    write_point(json, "p2", result, apart ? clash->nearest[1] : clash->point);
    cli_json_real(json, "distance", clash->distance * (result->metres > 0 ? result->metres : 1));
    cli_json_close_object(json);
    return TUMBLE_OK;
}

/* Each file once. */
static void write_files(cli_json *json, const tumble_clash_result *result)
{
    const char *last = NULL;
    cli_json_open_array(json, "a");
    for (size_t i = 0; i < result->part_count; i++) {
        if (!last || strcmp(last, result->parts[i].file) != 0) {
            last = result->parts[i].file;
            cli_json_open_object(json, NULL);
            cli_json_text(json, "file", last);
            cli_json_close_object(json);
        }
    }
    cli_json_close_array(json);
}

static tumble_status write_set(cli_json *json, const tumble_clash_result *result, uint32_t rule)
{
    const tumble_clash_rule_view *view = &result->rules[rule];
    const double scale = result->metres > 0 ? result->metres : 1;
    tumble_status status = TUMBLE_OK;
    cli_json_open_object(json, NULL);
    cli_json_text(json, "name", view->name);
    write_files(json, result);
    cli_json_text(json, "mode", view->clearance > 0 ? "clearance" : "collision");
    if (view->clearance > 0) {
        cli_json_real(json, "clearance", scale * view->clearance);
        cli_json_bool(json, "check_all", 1);
    } else {
        cli_json_bool(json, "allow_touching", 1);
    }
    cli_json_open_object(json, "clashes");
    for (size_t i = 0; i < result->clash_count && status == TUMBLE_OK; i++) {
        const tumble_clash *clash = &result->clashes[i];
        if (clash->rule == rule && clash->change != TUMBLE_CHANGE_RESOLVED &&
            clash->change != TUMBLE_CHANGE_UNRETESTED) {
            status = write_clash(json, result, clash);
        }
    }
    cli_json_close_object(json);
    cli_json_close_object(json);
    return status;
}

tumble_status clash_report_write_ifcclash(clash_report *report)
{
    report_file out;
    tumble_status status = report_file_open(report, "clashes.ifcclash.json", &out);
    if (status != TUMBLE_OK) {
        return status;
    }
    cli_json json = {.file = out.file};
    cli_json_open_array(&json, NULL);
    for (uint32_t rule = 0; rule < report->result->rule_count && status == TUMBLE_OK; rule++) {
        status = write_set(&json, report->result, rule);
    }
    cli_json_close_array(&json);
    return report_file_close(report, &out, status);
}
