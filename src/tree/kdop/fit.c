/* The bounds of k-DOPs: leaves from their triangles, inner nodes from their children. The same for a tree that was just
 * built and for one whose points have moved. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/tasks.h"
#include "math/bounds.h"
#include "math/rounding.h"
#include "math/vec3.h"
#include "tree/kdop/kdop.h"

typedef struct fitting {
    const tmb_cluster_place *places;
    const uint32_t *clusters;
    int is_float;
    tmb_local_frame frame;
    const uint32_t *from; /* rows with the links */
    uint32_t *rows;
} fitting;

/* The least float that is not below x and what x may have lost: coordinates are rounded once when they become local,
 * and a projection of them twice, each to 2^-53 of at most 3. */
static inline float rounded_up(double x)
{
    return tmb_float_above(x + TMB_KDOP_ROW_ROUNDING);
}

/* Everything that depends on k, as constants: see fit_body.h. */
#define K 6
#include "tree/kdop/fit_body.h"
#define K 12
#include "tree/kdop/fit_body.h"
#define K 14
#include "tree/kdop/fit_body.h"
#define K 18
#include "tree/kdop/fit_body.h"
#define K 26
#include "tree/kdop/fit_body.h"

typedef struct fit_functions {
    tmb_range_body *leaves;
    void (*inner)(const fitting *f, uint32_t node_count);
} fit_functions;

static fit_functions functions_for(uint32_t k)
{
    switch (k) {
    case 6: return (fit_functions){fit_leaves_6, fit_inner_6};
    case 12: return (fit_functions){fit_leaves_12, fit_inner_12};
    case 14: return (fit_functions){fit_leaves_14, fit_inner_14};
    case 18: return (fit_functions){fit_leaves_18, fit_inner_18};
    default: return (fit_functions){fit_leaves_26, fit_inner_26};
    }
}

#define GRAIN 2048

int tmb_kdop_fit(tumble_context *context, uint32_t thread_count, tmb_block *block, const uint32_t *from)
{
    TMB_ASSERT(tmb_kdop_set_of(block->kdop.k));
    TMB_ASSERT(thread_count >= 1);
    char *base = (char *)block;
    fitting f = {.places = (const tmb_cluster_place *)(base + block->offsets[TMB_SECTION_PLACES]),
                 .clusters = (const uint32_t *)(base + block->offsets[TMB_SECTION_CLUSTERS]),
                 .is_float = (int)block->points_are_float,
                 .frame = tmb_local_frame_of(block->lower, block->upper),
                 .rows = (uint32_t *)(base + block->offsets[TMB_SECTION_NODES])};
    const uint32_t node_count = (uint32_t)block->node_count;
    f.from = from ? from : f.rows;
    const fit_functions fit = functions_for(block->kdop.k);
    const uint32_t threads = tmb_threads_for(thread_count, node_count, GRAIN);
    if (!tmb_parallel_for(context, threads, node_count, GRAIN, fit.leaves, &f)) {
        return 0;
    }
    fit.inner(&f, node_count);
    memset(f.rows, 0, tmb_kdop_words(block->kdop.k) * sizeof *f.rows);
    memset(f.rows + (size_t)(node_count + 1) * tmb_kdop_words(block->kdop.k), 0, TMB_KDOP_SLACK * sizeof *f.rows);
    return 1;
}
