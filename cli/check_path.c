/* What `tumble check` says of the steps of a path. */
#include <inttypes.h>
#include <string.h>

#include "check_report.h"

/* The step with most pairs of those from `first` up to `end`. */
static size_t worst_step(const cli_step *steps, size_t first, size_t end)
{
    size_t worst = first;
    for (size_t i = first; i < end; i++) {
        if (steps[i].pair_count > steps[worst].pair_count) {
            worst = i;
        }
    }
    return worst;
}

/* The last two columns of a line. */
static void add_pair(cli_table *table, int most, const cli_step *steps, size_t first, size_t end)
{
    if (!steps[first].has_pair) {
        cli_table_add(table, "%s", "");
        cli_table_add(table, "%s", "");
    } else if (most) {
        const size_t worst = worst_step(steps, first, end);
        cli_table_add(table, "%s", cli_format_count(steps[worst].pair_count).text);
        cli_table_add(table, "%zu", worst);
    } else {
        cli_table_add(table, "%" PRIu32, steps[first].first[0]);
        cli_table_add(table, "%" PRIu32, steps[first].first[1]);
    }
}

static void add_titles(cli_table *table, int most, const char *kind)
{
    cli_table_add(table, "steps");
    cli_table_add(table, "%s", "");
    if (kind && most) {
        cli_table_add(table, "most pairs%s", strcmp(kind, "surface") == 0 ? " of surfaces" : "");
        cli_table_add(table, "at step");
    } else if (kind) {
        cli_table_add(table, "first: %s of A", kind);
        cli_table_add(table, "%s of B", kind);
    }
}

/* Where the steps end that follow `first` with the same word. */
static size_t end_of_stretch(const cli_step *steps, size_t first, size_t count)
{
    size_t end = first + 1;
    while (end < count && strcmp(steps[end].word, steps[first].word) == 0) {
        end++;
    }
    return end;
}

/* Returns how many lines there would be; the table has at most `limit` of them. */
static uint64_t add_stretches(cli_table *table, int most, const char *kind, const cli_step *steps, size_t count,
                              uint64_t limit)
{
    uint64_t lines = 0;
    for (size_t first = 0, end; first < count; first = end, lines++) {
        end = end_of_stretch(steps, first, count);
        if (lines >= limit) {
            continue;
        }
        if (end - first == 1) {
            cli_table_add(table, "%zu", first);
        } else {
            cli_table_add(table, "%zu to %zu", first, end - 1);
        }
        cli_table_add(table, "%s", steps[first].word);
        if (kind) {
            add_pair(table, most, steps, first, end);
        }
    }
    return lines;
}

static int print_stretches(const cli_pair_report *report, int most, const char *kind, const cli_step *steps,
                           size_t count)
{
    cli_table table = {.alignments = kind ? "llrr" : "ll"};
    add_titles(&table, most, kind);
    const uint64_t lines = add_stretches(&table, most, kind, steps, count, report->limit);
    fputc('\n', report->file);
    const int error = cli_table_print(&table, report->file, 2);
    if (!error && lines > report->limit) {
        fprintf(report->file, "  ... and %s: --limit %" PRIu64 " lists them all, --json each step\n",
                cli_format_number_of(lines - report->limit, "line more", "lines more").text, lines);
    }
    return error;
}

int cli_check_stretches(const cli_pair_report *report, int most, const char *kind, const cli_step *steps, size_t count)
{
    const int error = report->limit > 0 ? print_stretches(report, most, kind, steps, count) : 0;
    return error || !report->stats || report->uncounted
               ? error
               : cli_print_all_counters(report->file, &steps->counters, sizeof *steps, count);
}
