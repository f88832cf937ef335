/* tumble clash: rules, and whether they are right. */
#include <inttypes.h>
#include <stdio.h>

#include "clash.h"
#include "message.h"
#include "report.h"

int cli_clash_read_rules(clash_run *run, const char *path)
{
    char text[1024];
    const tumble_status status = tumble_clash_rules_read(run->context, path, &run->rules);
    if (status == TUMBLE_ERROR_FORMAT && tumble_last_error(run->context, text, sizeof text) == status) {
        return cli_error("%s", text); /* it says what there could be */
    }
    return status == TUMBLE_OK ? 0 : cli_library_error(run->context, status, path);
}

static void add_row(cli_table *table, const tumble_clash_rule_view *rule, int has_parts)
{
    cli_table_add(table, "%s", rule->name);
    cli_table_add(table, "%s", tumble_severity_name(rule->severity));
    cli_table_add(table, "clearance %.6g", rule->clearance);
    cli_table_add(table, "touch %.6g", rule->touch);
    if (has_parts) {
        cli_table_add(table, "A: %s", cli_format_number_of(rule->set_counts[0], "part", "parts").text);
        cli_table_add(table, "B: %s", cli_format_number_of(rule->set_counts[1], "part", "parts").text);
    } else {
        cli_table_add(table, "%s", "");
        cli_table_add(table, "%s", "");
    }
}

/* A set without parts is no error: a file may be missing today. */
static void tell_empty(const tumble_clash_rule_view *rule)
{
    for (int set = 0; set < 2; set++) {
        if (rule->set_counts[set] == 0) {
            printf("no part is in set %c of '%s'\n", "AB"[set], rule -> name);
        }
    }
}

int cli_clash_tell_rules(const clash_run *run)
{
    const size_t count = tumble_clash_rules_count(run->rules);
    cli_table table = {.alignments = "llllrr"};
    tumble_clash_rule_view rule;
    printf("%s\n", cli_format_number_of(count, "rule", "rules").text);
    for (size_t i = 0; i < count; i++) {
        if (tumble_clash_rules_view(run->rules, i, run->assembly, &rule) == TUMBLE_OK) {
            add_row(&table, &rule, run->assembly != NULL);
        }
    }
    const int error = cli_table_print(&table, stdout, 2);
    for (size_t i = 0; i < count && run->assembly; i++) {
        if (tumble_clash_rules_view(run->rules, i, run->assembly, &rule) == TUMBLE_OK) {
            tell_empty(&rule);
        }
    }
    return error;
}
