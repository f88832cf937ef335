/* The run before, as clashes.json: any text is read, or refused with a message; what is read can be given to a run,
 * which tells of each clash what has become of it. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tumble/clash.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int truth)
{
    if (!truth) {
        abort();
    }
}

/* Two tetrahedra that cross, and one that is broken. */
static tumble_assembly *make_assembly(tumble_context *context)
{
    static const double points[] = {0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2};
    static const uint32_t corners[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    static const double shift[12] = {1, 0, 0, 0.5, 0, 1, 0, 0, 0, 0, 1, 0};
    tumble_assembly *assembly;
    tumble_mesh mesh = tumble_default_mesh();
    tumble_assembly_item item = {.name = "a", .file = "f"};
    mesh.points = points, mesh.point_count = 4, mesh.indices = corners, mesh.index_count = 12;
    require(tumble_assembly_create(context, &assembly) == TUMBLE_OK);
    require(tumble_assembly_add_mesh(assembly, &mesh, &item.model) == TUMBLE_OK);
    require(tumble_assembly_add(assembly, &item) == TUMBLE_OK);
    item.name = "b", item.transform = shift;
    require(tumble_assembly_add(assembly, &item) == TUMBLE_OK);
    item.name = "c", item.broken = "broken";
    require(tumble_assembly_add(assembly, &item) == TUMBLE_OK);
    return assembly;
}

static tumble_clashes *run(const tumble_assembly *assembly, const tumble_clash_before *before,
                           const tumble_clash_rules *rules)
{
    tumble_clash_options options = tumble_default_clash_options();
    tumble_clashes *clashes;
    options.before = before;
    options.rules = rules;
    options.thread_count = 1;
    options.depth_budget = 0;
    require(tumble_clash_run(assembly, &options, &clashes) == TUMBLE_OK);
    require(tumble_clashes_result(clashes)->complete);
    return clashes;
}

static void check_changes(const tumble_clash_result *result)
{
    require(result->clash_count > 0);
    for (size_t i = 0; i < result->clash_count; i++) {
        const tumble_clash *clash = &result->clashes[i];
        const int is_gone = clash->change == TUMBLE_CHANGE_RESOLVED || clash->change == TUMBLE_CHANGE_UNRETESTED;
        require(is_gone || (clash->a < clash->b && clash->b < 2 && clash->rule == 0));
        require(is_gone == (clash->group == UINT32_MAX));
        require((clash->change == TUMBLE_CHANGE_UNRETESTED) <= (*clash->reason != '\0'));
        require(clash->change != TUMBLE_CHANGE_RESOLVED || (clash->a < 2 && clash->b < 2));
    }
}

/* At most one clash of the two parts for each rule. */
static void check_rules(const tumble_clash_result *result)
{
    for (size_t i = 0; i < result->clash_count; i++) {
        const tumble_clash *clash = &result->clashes[i];
        require(clash->a == 0 && clash->b == 1 && clash->rule < result->rule_count);
        require(i == 0 || clash->rule > clash[-1].rule);
        require(result->rules[clash->rule].set_counts[0] > 0 && result->rules[clash->rule].set_counts[1] > 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static tumble_context *context;
    static tumble_assembly *assembly;
    tumble_clash_before *before = NULL;
    tumble_clash_rules *rules = NULL;
    if (!context) {
        require(tumble_context_create(NULL, &context) == TUMBLE_OK);
        assembly = make_assembly(context);
    }
    if (size == 0) {
        return 0;
    }
    char *copy = malloc(size > 1 ? size - 1 : 1); /* of the exact size, so that nothing is read after it unnoticed */
    require(copy != NULL);
    memcpy(copy, data + 1, size - 1);
    const tumble_status status = data[0] % 2 ? tumble_clash_rules_parse(context, copy, size - 1, "x", &rules)
                                             : tumble_clash_before_parse(context, copy, size - 1, "x", &before);
    free(copy);
    require(status == TUMBLE_OK || status == TUMBLE_ERROR_FORMAT || status == TUMBLE_ERROR_INDEX ||
            status == TUMBLE_ERROR_TOO_LARGE);
    if (status == TUMBLE_OK) {
        tumble_clashes *clashes = run(assembly, before, rules);
        (before ? check_changes : check_rules)(tumble_clashes_result(clashes));
        tumble_clashes_destroy(clashes);
    }
    tumble_clash_before_destroy(before);
    tumble_clash_rules_destroy(rules);
    return 0;
}
