/* tumble clash: what was found, in words and as a folder. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clash.h"
#include "message.h"
#include "report.h"

static size_t count_change(const tumble_clash_result *result, tumble_change change)
{
    size_t count = 0;
    for (size_t i = 0; i < result->clash_count; i++) {
        count += result->clashes[i].change == change;
    }
    return count;
}

static size_t count_present(const tumble_clash_result *result)
{
    return result->clash_count - count_change(result, TUMBLE_CHANGE_RESOLVED) -
           count_change(result, TUMBLE_CHANGE_UNRETESTED);
}

static size_t count_broken(const tumble_clash_result *result)
{
    size_t count = 0;
    for (size_t i = 0; i < result->part_count; i++) {
        count += *result->parts[i].broken != '\0';
    }
    return count;
}

static void tell_size(const tumble_clash_result *result)
{
    printf("%s of %s, ", cli_format_number_of(result->part_count, "part", "parts").text,
           cli_format_number_of(result->model_count, "model", "models").text);
    printf("%s of boxes that are close, ", cli_format_number_of(result->pair_count, "pair", "pairs").text);
    if (result->known_count > 0) {
        printf("%s of them as in the run before, ", cli_format_count(result->known_count).text);
    }
    printf("%s, %s\n", cli_format_number_of(result->question_count, "question", "questions").text,
           cli_format_duration(result->seconds).text);
    if (!result->complete) {
        fputs("INCOMPLETE: the run was interrupted before all parts were compared\n", stdout);
    }
}

static void tell_broken(const tumble_clash_result *result, uint64_t limit)
{
    const size_t count = count_broken(result);
    uint64_t told = 0;
    if (count == 0) {
        return;
    }
    printf("%s cannot be compared:\n", cli_format_number_of(count, "broken part", "broken parts").text);
    for (size_t i = 0; i < result->part_count && told < limit; i++) {
        if (*result->parts[i].broken) {
            printf("  %s: %s\n", result->parts[i].path, result->parts[i].broken);
            told++;
        }
    }
    if (count > told) {
        printf("  ... and %s more\n", cli_format_count(count - told).text);
    }
}

/* "2 crossing, 1 touching" */
static void tell_kinds(const tumble_clash_result *result)
{
    const char *separator = ": ";
    const size_t count = count_present(result);
    if (count == 0) {
        fputs("no clashes\n", stdout);
        return;
    }
    fputs(cli_format_number_of(count, "clash", "clashes").text, stdout);
    for (int kind = 0; kind < 6; kind++) {
        if (result->kind_counts[kind] > 0) {
            printf("%s%s %s", separator, cli_format_count(result->kind_counts[kind]).text,
                   tumble_clash_kind_name((tumble_clash_kind)kind));
            separator = ", ";
        }
    }
    fputc('\n', stdout);
}

/* "since the run before: 3 new, 1 resolved" */
static void tell_changes(const tumble_clash_result *result)
{
    const char *separator = "since the run before: ";
    for (int change = 0; change <= TUMBLE_CHANGE_UNRETESTED; change++) {
        const size_t count = count_change(result, (tumble_change)change);
        if (count > 0) {
            printf("%s%s %s", separator, cli_format_count(count).text, tumble_change_name((tumble_change)change));
            separator = ", ";
        }
    }
    puts(*separator == 's' ? "since the run before: nothing" : "");
}

/* Why clashes were not looked for again. */
static void tell_unretested(const tumble_clash_result *result, uint64_t limit)
{
    uint64_t told = 0;
    for (size_t i = 0; i < result->clash_count && told < limit; i++) {
        const tumble_clash *clash = &result->clashes[i];
        if (clash->change == TUMBLE_CHANGE_UNRETESTED) {
            printf("  not compared again: %s and %s: %s\n", clash->key_a, clash->key_b, clash->reason);
            told++;
        }
    }
}

static void add_row(cli_table *table, const tumble_clash_result *result, const tumble_clash *clash)
{
    cli_table_add(table, "%s", tumble_clash_kind_name(clash->kind));
    cli_table_add(table, "%s", result->parts[clash->a].path);
    cli_table_add(table, "%s", result->parts[clash->b].path);
    if (clash->kind == TUMBLE_CLASH_CLEARANCE) {
        cli_table_add(table, "%.6g apart", clash->distance);
    } else {
        char depth[40] = "";
        if (clash->has_depth && clash->depth[1] > 0) {
            snprintf(depth, sizeof depth, ", %.4g deep", clash->depth[1]);
        }
        cli_table_add(table, "at %s%s", cli_format_point(clash->point).text, depth);
    }
}

/* The gravest first, as far as they fit. */
static int tell_clashes(const tumble_clash_result *result, uint64_t limit)
{
    cli_table table = {.alignments = "llll"};
    uint64_t told = 0;
    for (int severity = TUMBLE_SEVERITY_CRITICAL; severity >= TUMBLE_SEVERITY_INFO; severity--) {
        for (size_t i = 0; i < result->clash_count && told < limit; i++) {
            if ((int)result->clashes[i].severity == severity && !cli_clash_is_gone(&result->clashes[i])) {
                add_row(&table, result, &result->clashes[i]);
                told++;
            }
        }
    }
    const int error = cli_table_print(&table, stdout, 2);
    const size_t present = count_present(result);
    if (present > told) {
        printf("  ... and %s more: --limit %zu lists them all\n", cli_format_count(present - told).text, present);
    }
    return error;
}

/* What to look at first: the groups that hold most. */
static int tell_groups(const tumble_clash_result *result)
{
    cli_table table = {.alignments = "lr"};
    if (result->group_count < 2 || result->group_count == count_present(result)) {
        return 0;
    }
    printf("%s, the largest first:\n", cli_format_number_of(result->group_count, "group", "groups").text);
    for (size_t i = 0; i < result->group_count && i < 5; i++) {
        const tumble_clash_group *group = &result->groups[i];
        const char *path = group->part != UINT32_MAX ? result->parts[group->part].path : group->name;
        cli_table_add(&table, "%s", path);
        cli_table_add(&table, "%s", cli_format_number_of(group->clash_count, "clash", "clashes").text);
    }
    return cli_table_print(&table, stdout, 2);
}

int cli_clash_tell(const clash_run *run)
{
    const tumble_clash_result *result = tumble_clashes_result(run->clashes);
    const uint64_t limit = (uint64_t)run->settings->limit;
    tell_size(result);
    tell_broken(result, limit);
    tell_kinds(result);
    if (run->settings->before) {
        tell_changes(result);
        tell_unretested(result, limit);
    }
    int error = tell_groups(result);
    error = error ? error : tell_clashes(result, limit);
    if (!error && run->settings->folder) {
        printf("report: %s/index.html opens in a browser\n", run->settings->folder);
    }
    return error;
}

int cli_clash_write(const clash_run *run)
{
    const char *folder = run->settings->folder;
    int error = cli_make_folders(folder);
    if (error) {
        return error;
    }
    const size_t size = strlen(folder) + sizeof "/clashes.json";
    char *path = malloc(size);
    if (!path) {
        return cli_memory_error("a file name");
    }
    snprintf(path, size, "%s/clashes.json", folder);
    const tumble_status status = tumble_clash_write_json(run->context, tumble_clashes_result(run->clashes), path);
    error = status == TUMBLE_OK ? 0 : cli_library_error(run->context, status, path);
    free(path);
    return error ? error : cli_clash_write_formats(run);
}
