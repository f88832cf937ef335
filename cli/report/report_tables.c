/* Parts, rules, groups and clashes of a report as columns: numbers are base 64, which a page decodes in milliseconds.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base64.h"
#include "deflate.h"
#include "json.h"
#include "report_data.h"

/* Which number of a row: `k` counts from 0 within the column. */
typedef double number_of(const tumble_clash_result *result, size_t row, int k);
typedef const char *text_of(const tumble_clash_result *result, size_t row);

typedef struct column {
    const char *name;
    int width; /* numbers a row */
    char type; /* d: doubles, f: floats, u: 32 bits */
    number_of *number;
} column;

static void write_column(cli_json *json, const column *c, const tumble_clash_result *result, size_t rows)
{
    FILE *file = cli_json_value(json, c->name);
    base64_stream stream = {.file = file};
    fprintf(file, "\"%c%d:", c->type, c->width);
    for (size_t row = 0; row < rows; row++) {
        for (int k = 0; k < c->width; k++) {
            const double number = c->number(result, row, k);
            if (c->type == 'u') {
                base64_put_u32(&stream, (uint32_t)number);
            } else if (c->type == 'f') {
                base64_put_float(&stream, (float)number);
            } else {
                base64_put_double(&stream, number);
            }
        }
    }
    base64_finish(&stream);
    fputc('"', file);
}

static void write_texts(cli_json *json, const char *key, const tumble_clash_result *result, size_t rows, text_of *text)
{
    cli_json_open_array(json, key);
    for (size_t row = 0; row < rows; row++) {
        cli_json_text(json, NULL, text(result, row));
    }
    cli_json_close_array(json);
}

/* Texts that most rows do not have: {"row": text}. */
static void write_rare_texts(cli_json *json, const char *key, const tumble_clash_result *result, size_t rows,
                             text_of *text)
{
    cli_json_open_object(json, key);
    for (size_t row = 0; row < rows; row++) {
        const char *value = text(result, row);
        if (value && *value) {
            char number[24];
            snprintf(number, sizeof number, "%zu", row);
            cli_json_text(json, number, value);
        }
    }
    cli_json_close_object(json);
}

/* ---- Parts ---- */

#define PART_TEXT(field)                                                           \
    static const char *part_##field(const tumble_clash_result *result, size_t row) \
    {                                                                              \
        return result->parts[row].field;                                           \
    }
PART_TEXT(name)
PART_TEXT(path)
PART_TEXT(file)
PART_TEXT(guid)
PART_TEXT(class_name)
PART_TEXT(material)
PART_TEXT(key)
PART_TEXT(broken)

static double part_model(const tumble_clash_result *result, size_t row, int k)
{
    (void)k;
    return result->parts[row].model;
}

static double part_pose(const tumble_clash_result *result, size_t row, int k)
{
    return result->parts[row].pose.m[k / 4][k % 4];
}

static void write_parts(cli_json *json, const tumble_clash_result *result)
{
    static const struct {
        const char *key;
        text_of *text;
    } texts[] = {{"name", part_name},        {"path", part_path},         {"file", part_file}, {"guid", part_guid},
                 {"class", part_class_name}, {"material", part_material}, {"key", part_key}};
    static const column model = {"model", 1, 'u', part_model}, pose = {"pose", 12, 'd', part_pose};
    cli_json_open_object(json, "parts");
    cli_json_whole(json, "count", result->part_count);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        write_texts(json, texts[i].key, result, result->part_count, texts[i].text);
    }
    write_rare_texts(json, "broken", result, result->part_count, part_broken);
    write_column(json, &model, result, result->part_count);
    write_column(json, &pose, result, result->part_count);
    cli_json_close_object(json);
}

/* ---- Clashes ---- */

#define CLASH_NUMBER(field)                                                           \
    static double clash_##field(const tumble_clash_result *result, size_t row, int k) \
    {                                                                                 \
        (void)k;                                                                      \
        return (double)result->clashes[row].field;                                    \
    }
CLASH_NUMBER(kind)
CLASH_NUMBER(severity)
CLASH_NUMBER(change)
CLASH_NUMBER(a)
CLASH_NUMBER(b)
CLASH_NUMBER(rule)
CLASH_NUMBER(group)
CLASH_NUMBER(inside)
CLASH_NUMBER(distance)
CLASH_NUMBER(contact_count)

static double clash_depth(const tumble_clash_result *result, size_t row, int k)
{
    const tumble_clash *clash = &result->clashes[row];
    return clash->has_depth ? clash->depth[k] : -1;
}

static double clash_point(const tumble_clash_result *result, size_t row, int k)
{
    return result->clashes[row].point[k];
}

static double clash_normal(const tumble_clash_result *result, size_t row, int k)
{
    return result->clashes[row].normal[k];
}

/* Relative to the point, as floats. */
static double clash_box(const tumble_clash_result *result, size_t row, int k)
{
    return result->clashes[row].box[k / 3][k % 3] - result->clashes[row].point[k % 3];
}

static double clash_nearest(const tumble_clash_result *result, size_t row, int k)
{
    return result->clashes[row].nearest[k / 3][k % 3] - result->clashes[row].point[k % 3];
}

#define CLASH_TEXT(field)                                                           \
    static const char *clash_##field(const tumble_clash_result *result, size_t row) \
    {                                                                               \
        return result->clashes[row].field;                                          \
    }
CLASH_TEXT(review)
CLASH_TEXT(comment)
CLASH_TEXT(reason)

static const char *gone_a(const tumble_clash_result *result, size_t row)
{
    return result->clashes[row].a == UINT32_MAX ? result->clashes[row].key_a : "";
}

static const char *gone_b(const tumble_clash_result *result, size_t row)
{
    return result->clashes[row].b == UINT32_MAX ? result->clashes[row].key_b : "";
}

/* Sixteen bytes each. */
static void write_ids(cli_json *json, const tumble_clash_result *result)
{
    FILE *file = cli_json_value(json, "id");
    base64_stream stream = {.file = file};
    fputs("\"b16:", file);
    for (size_t row = 0; row < result->clash_count; row++) {
        for (int i = 0; i < 16; i++) {
            const char two[3] = {result->clashes[row].id[2 * i], result->clashes[row].id[2 * i + 1], 0};
            const uint8_t byte = (uint8_t)strtoul(two, NULL, 16);
            base64_put(&stream, &byte, 1);
        }
    }
    base64_finish(&stream);
    fputc('"', file);
}

static void write_clashes(cli_json *json, const tumble_clash_result *result)
{
    static const column columns[] = {
        {"kind", 1, 'u', clash_kind},
        {"severity", 1, 'u', clash_severity},
        {"change", 1, 'u', clash_change},
        {"a", 1, 'u', clash_a},
        {"b", 1, 'u', clash_b},
        {"rule", 1, 'u', clash_rule},
        {"group", 1, 'u', clash_group},
        {"inside", 1, 'u', clash_inside},
        {"depth", 2, 'd', clash_depth},
        {"distance", 1, 'd', clash_distance},
        {"point", 3, 'd', clash_point},
        {"normal", 3, 'f', clash_normal},
        {"box", 6, 'f', clash_box},
        {"nearest", 6, 'f', clash_nearest},
        {"contacts", 1, 'd', clash_contact_count},
    };
    static const struct {
        const char *key;
        text_of *text;
    } texts[] = {{"review", clash_review},
                 {"comment", clash_comment},
                 {"reason", clash_reason},
                 {"key_a", gone_a},
                 {"key_b", gone_b}};
    cli_json_open_object(json, "clashes");
    cli_json_whole(json, "count", result->clash_count);
    write_ids(json, result);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        write_column(json, &columns[i], result, result->clash_count);
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        write_rare_texts(json, texts[i].key, result, result->clash_count, texts[i].text);
    }
    cli_json_close_object(json);
}

/* ---- The rest ---- */

static void write_rules(cli_json *json, const tumble_clash_result *result)
{
    cli_json_open_array(json, "rules");
    for (size_t i = 0; i < result->rule_count; i++) {
        const tumble_clash_rule_view *rule = &result->rules[i];
        cli_json_open_object(json, NULL);
        cli_json_text(json, "name", rule->name);
        cli_json_text(json, "severity", tumble_severity_name(rule->severity));
        cli_json_real(json, "clearance", rule->clearance);
        cli_json_real(json, "touch", rule->touch);
        cli_json_whole(json, "pairs", rule->pair_count);
        cli_json_whole(json, "clashes", rule->clash_count);
        cli_json_close_object(json);
    }
    cli_json_close_array(json);
}

static void write_groups(cli_json *json, const tumble_clash_result *result)
{
    cli_json_open_array(json, "groups");
    for (size_t i = 0; i < result->group_count; i++) {
        const tumble_clash_group *group = &result->groups[i];
        cli_json_open_object(json, NULL);
        cli_json_text(json, "id", group->id);
        cli_json_text(json, "name", group->name);
        if (group->part != UINT32_MAX) {
            cli_json_whole(json, "part", group->part);
        }
        cli_json_text(json, "severity", tumble_severity_name(group->severity));
        cli_json_whole(json, "clashes", group->clash_count);
        cli_json_close_object(json);
    }
    cli_json_close_array(json);
}

#define WORD(name, number, word, text) cli_json_text(json, NULL, word);
#define SEVERITY(name, number, word) cli_json_text(json, NULL, word);
#define MEANING(name, number, word, text) cli_json_text(json, NULL, text);

static void write_words(cli_json *json)
{
    cli_json_open_array(json, "kinds");
    TUMBLE_CLASH_KIND_LIST(WORD)
    cli_json_close_array(json);
    cli_json_open_array(json, "severities");
    TUMBLE_SEVERITY_LIST(SEVERITY)
    cli_json_close_array(json);
    cli_json_open_array(json, "changes");
    TUMBLE_CHANGE_LIST(WORD)
    cli_json_close_array(json);
    cli_json_open_array(json, "kind_texts");
    TUMBLE_CLASH_KIND_LIST(MEANING)
    cli_json_close_array(json);
    cli_json_open_array(json, "change_texts");
    TUMBLE_CHANGE_LIST(MEANING)
    cli_json_close_array(json);
}

/* The same for the same clashes of the same parts: under it the browser remembers what was not saved. */
static uint64_t fingerprint(const clash_report *report)
{
    const tumble_clash_result *result = report->result;
    uint64_t hash = 14695981039346656037U;
    for (const char *c = report->title; *c; c++) {
        hash = (hash ^ (unsigned char)*c) * 1099511628211U;
    }
    for (size_t i = 0; i < result->clash_count; i++) {
        for (const char *c = result->clashes[i].id; *c; c++) {
            hash = (hash ^ (unsigned char)*c) * 1099511628211U;
        }
    }
    return hash;
}

static const char *up_word(int up)
{
    static const char *const words[] = {"-z", "-y", "-x", "", "x", "y", "z"};
    return up >= -3 && up <= 3 ? words[up + 3] : "";
}

static void write_all(cli_json *json, const clash_report *report, const report_files *files)
{
    const tumble_clash_result *result = report->result;
    char print[24];
    snprintf(print, sizeof print, "%016" PRIx64, fingerprint(report));
    cli_json_open_object(json, NULL);
    cli_json_text(json, "tumble", tumble_version());
    cli_json_whole(json, "format", 1);
    cli_json_text(json, "title", report->title);
    cli_json_text(json, "fingerprint", print);
    cli_json_bool(json, "complete", result->complete);
    cli_json_real(json, "unit_metres", result->metres);
    cli_json_text(json, "up", up_word(result->up));
    cli_json_whole(json, "pairs", result->pair_count);
    cli_json_whole(json, "questions", result->question_count);
    cli_json_whole(json, "models", result->model_count);
    cli_json_whole(json, "all_parts", files->all_parts);
    cli_json_whole(json, "all_clashes", files->all_clashes);
    cli_json_whole(json, "model_files", files->model_count);
    cli_json_open_array(json, "curve_firsts");
    for (uint32_t i = 0; i < files->curve_count; i++) {
        cli_json_whole(json, NULL, files->curve_firsts[i]);
    }
    cli_json_close_array(json);
    write_words(json);
    write_rules(json, result);
    write_groups(json, result);
    write_parts(json, result);
    write_clashes(json, result);
    cli_json_close_object(json);
}

tumble_status report_write_tables(clash_report *report, const report_files *files)
{
    report_file out;
    const tumble_status status = report_file_open(report, "data/report.js", &out);
    if (status != TUMBLE_OK) {
        return status;
    }
    cli_json json = {.file = out.file};
    fputs("TumbleReport.tables(", out.file);
    write_all(&json, report, files);
    fputs(");\n", out.file);
    return report_file_close(report, &out, status);
}

tumble_status report_write_saved(clash_report *report)
{
    unsigned char *bytes;
    size_t size, compressed_size;
    tumble_status status = report_read_file(report, "clashes.json", &bytes, &size);
    if (status != TUMBLE_OK) {
        return status;
    }
    uint8_t *compressed = cli_deflate(bytes, size, &compressed_size);
    free(bytes);
    if (!compressed) {
        return TUMBLE_ERROR_MEMORY;
    }
    report_file out;
    status = report_file_open(report, "data/saved.js", &out);
    if (status == TUMBLE_OK) {
        base64_stream stream = {.file = out.file};
        fputs("TumbleReport.saved(\"", out.file);
        base64_put(&stream, compressed, compressed_size);
        base64_finish(&stream);
        fputs("\");\n", out.file);
        status = report_file_close(report, &out, status);
    }
    free(compressed);
    return status;
}
