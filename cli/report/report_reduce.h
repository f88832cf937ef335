/* Pages of very large assemblies show the parts that clash, and not the others. */
#ifndef TUMBLE_CLI_REPORT_REDUCE_H
#define TUMBLE_CLI_REPORT_REDUCE_H

#include "tumble/clash.h"

/* A browser shows so many parts, and lists so many clashes. */
#define REPORT_MOST_PARTS ((size_t)100000)
#define REPORT_MOST_CLASHES ((size_t)500000)

typedef struct report_reduced {
    tumble_clash_result result;
    tumble_assembly_part *parts;
    tumble_clash *clashes;
    tumble_clash_group *groups;
    const tumble_model **models;
    uint32_t *part_numbers, *model_numbers; /* new ones by old ones; UINT32_MAX: left out */
} report_reduced;

/* With more parts than `most_parts`, leaves out those that neither clash nor are broken, and models that no part has
 * any more; with more clashes than `most_clashes`, leaves out the last. The rest is renumbered. Release it in any case.
 */
tumble_status report_reduce(const tumble_clash_result *full, size_t most_parts, size_t most_clashes,
                            report_reduced *out);
void report_reduced_release(report_reduced *reduced);

#endif
