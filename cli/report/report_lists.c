/* clashes.csv and summary.txt. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "report_file.h"
#include "report_words.h"

/* ---- CSV (RFC 4180) ---- */

static void write_cell(FILE *file, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text; text++) {
        fputs(*text == '"' ? "\"" : "", file);
        fputc(*text, file);
    }
    fputc('"', file);
}

static void write_texts(FILE *file, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        write_cell(file, texts[i]);
        fputc(',', file);
    }
}

static void write_number(FILE *file, double number)
{
    char text[40];
    cli_format_real(text, sizeof text, number);
    fputs(text, file);
    fputc(',', file);
}

static void write_side(FILE *file, const tumble_clash_result *result, const tumble_clash *clash, int side)
{
    const tumble_assembly_part *part = report_side(result, clash, side);
    const char *const gone[6] = {report_side_name(result, clash, side), "", "", "", "", ""};
    if (!part) {
        write_texts(file, gone, 6);
        return;
    }
    const char *const texts[6] = {gone[0], part->path, part->class_name, part->guid, part->material, part->file};
    write_texts(file, texts, 6);
}

static void write_row(FILE *file, const tumble_clash_result *result, const tumble_clash *clash)
{
    const char *const texts[5] = {clash->id, tumble_clash_kind_name(clash->kind), tumble_severity_name(clash->severity),
                                  report_status(clash), tumble_change_name(clash->change)};
    write_texts(file, texts, 5);
    write_side(file, result, clash, 0);
    write_side(file, result, clash, 1);
    if (clash->has_depth) {
        write_number(file, clash->depth[0]);
        write_number(file, clash->depth[1]);
    } else {
        fputs(",,", file);
    }
    write_number(file, clash->distance);
    for (int axis = 0; axis < 3; axis++) {
        write_number(file, clash->point[axis]);
    }
    fprintf(file, "%" PRIu64 ",", clash->contact_count);
    const char *const rest[3] = {clash->rule == UINT32_MAX ? "" : result->rules[clash->rule].name,
                                 clash->group == UINT32_MAX ? "" : result->groups[clash->group].name, clash->reason};
    write_texts(file, rest, 3);
    write_cell(file, clash->comment);
    fputs("\r\n", file);
}

tumble_status clash_report_write_csv(clash_report *report)
{
    report_file out;
    const tumble_status status = report_file_open(report, "clashes.csv", &out);
    if (status != TUMBLE_OK) {
        return status;
    }
    fputs("id,kind,severity,status,change,a_name,a_path,a_class,a_guid,a_material,a_file,b_name,b_path,b_class,b_guid,"
          "b_material,b_file,depth_lower,depth_upper,distance,x,y,z,contacts,rule,group,reason,comment\r\n",
          out.file);
    for (size_t i = 0; i < report->result->clash_count; i++) {
        write_row(out.file, report->result, &report->result->clashes[i]);
    }
    return report_file_close(report, &out, status);
}

/* ---- the summary ---- */

static void write_counts(FILE *file, const tumble_clash_result *result)
{
    uint64_t counts[6][4] = {{0}};
    for (size_t i = 0; i < result->clash_count; i++) {
        if (result->clashes[i].change != TUMBLE_CHANGE_RESOLVED &&
            result->clashes[i].change != TUMBLE_CHANGE_UNRETESTED) {
            counts[result->clashes[i].kind][result->clashes[i].severity]++;
        }
    }
    fprintf(file, "%-12s", "");
    for (int severity = 3; severity >= 0; severity--) {
        fprintf(file, "%10s", tumble_severity_name((tumble_severity)severity));
    }
    fputc('\n', file);
    for (int kind = 0; kind < 6; kind++) {
        fprintf(file, "%-12s", tumble_clash_kind_name((tumble_clash_kind)kind));
        for (int severity = 3; severity >= 0; severity--) {
            fprintf(file, "%10" PRIu64, counts[kind][severity]);
        }
        fputc('\n', file);
    }
}

static void write_changes(FILE *file, const tumble_clash_result *result)
{
    uint64_t counts[5] = {0};
    for (size_t i = 0; i < result->clash_count; i++) {
        counts[result->clashes[i].change]++;
    }
    fputs("\nsince the run before:", file);
    for (int change = 0; change < 5; change++) {
        fprintf(file, "%s %" PRIu64 " %s", change ? "," : "", counts[change],
                tumble_change_name((tumble_change)change));
    }
    fputc('\n', file);
}

static void write_rules(FILE *file, const tumble_clash_result *result)
{
    fputs("\nrules\n", file);
    for (size_t i = 0; i < result->rule_count; i++) {
        const tumble_clash_rule_view *rule = &result->rules[i];
        fprintf(file, "  %s: %" PRIu64 " clashes of %" PRIu64 " pairs", rule->name, rule->clash_count,
                rule->pair_count);
        if (rule->clearance > 0) {
            fprintf(file, ", clearance %s", report_length_of(result, rule->clearance).text);
        }
        if (rule->touch > 0) {
            fprintf(file, ", touching up to %s", report_length_of(result, rule->touch).text);
        }
        fputc('\n', file);
    }
}

static void write_groups(FILE *file, const tumble_clash_result *result)
{
    fputs(result->group_count ? "\nlargest groups\n" : "", file);
    for (size_t i = 0; i < result->group_count && i < 10; i++) {
        fprintf(file, "  %zu  %s\n", result->groups[i].clash_count, result->groups[i].name);
    }
}

static void write_broken(FILE *file, const tumble_clash_result *result)
{
    int first = 1;
    for (size_t i = 0; i < result->part_count; i++) {
        if (*result->parts[i].broken) {
            fputs(first ? "\nparts that could not be compared\n" : "", file);
            fprintf(file, "  %s: %s\n", result->parts[i].path, result->parts[i].broken);
            first = 0;
        }
    }
}

tumble_status clash_report_write_summary(clash_report *report)
{
    const tumble_clash_result *result = report->result;
    report_file out;
    const tumble_status status = report_file_open(report, "summary.txt", &out);
    if (status != TUMBLE_OK) {
        return status;
    }
    fprintf(out.file, "%s\n\n", report->title);
    if (!result->complete) {
        fputs("INCOMPLETE: the run was stopped before all pairs were compared\n\n", out.file);
    }
    fprintf(out.file, "%zu parts of %zu models, %" PRIu64 " pairs near enough to compare\n\n", result->part_count,
            result->model_count, result->pair_count);
    write_counts(out.file, result);
    write_changes(out.file, result);
    write_rules(out.file, result);
    write_groups(out.file, result);
    write_broken(out.file, result);
    return report_file_close(report, &out, status);
}
