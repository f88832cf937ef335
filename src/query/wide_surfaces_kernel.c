/* The lowest nodes of wide hierarchies when pairs of surfaces are asked for. Compiled once for each instruction set, and
 * on its own, so that the walk for the other questions is as it is without. */
#include <string.h>

#include "query/wide_leaf.h"

int TMB_KERNEL_NAME(tmb_wide_test_surfaces)(tmb_collider *collider, tmb_cluster_cache *cache, uint32_t first_b,
                                            uint64_t columns)
{
    return test_columns(collider, cache, first_b, columns, 1);
}
