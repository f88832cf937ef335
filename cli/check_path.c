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

static void add_stretch(cli_table *table, int most, const cli_step *steps, size_t first, size_t end)
{
    if (end - first == 1) {
        cli_table_add(table, "%zu", first);
    } else {
        cli_table_add(table, "%zu to %zu", first, end - 1);
    }
    cli_table_add(table, "%s", steps[first].word);
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

int cli_check_stretches(const cli_check_report *report, int most, const char *kind, const cli_step *steps, size_t count)
{
    cli_table table = {.alignments = "llrr"};
    cli_table_add(&table, "steps");
    cli_table_add(&table, "%s", "");
    if (most) {
        cli_table_add(&table, "most pairs%s", strcmp(kind, "surface") == 0 ? " of surfaces" : "");
        cli_table_add(&table, "at step");
    } else {
        cli_table_add(&table, "first: %s of A", kind);
        cli_table_add(&table, "%s of B", kind);
    }
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && strcmp(steps[end].word, steps[first].word) == 0; end++) {
        }
        add_stretch(&table, most, steps, first, end);
    }
    fputc('\n', report->file);
    const int error = cli_table_print(&table, report->file, 2);
    return error || !report->stats ? error
                                   : cli_print_all_counters(report->file, &steps->counters, sizeof *steps, count);
}
