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
    const uint32_t *from; /* rows with the links, or with bare leaves the links alone */
    uint32_t *rows;
    float *bounds; /* of trees with bare leaves */
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
    void (*inner)(const fitting *f, uint32_t volume_count);
} fit_functions;

static fit_functions functions_for(uint32_t k, int bare)
{
#define CHOOSE(K) \
    (bare ? (fit_functions){fit_above_leaves_##K, fit_above_inner_##K} : (fit_functions){fit_leaves_##K, fit_inner_##K})
    switch (k) {
    case 6: return CHOOSE(6);
    case 12: return CHOOSE(12);
    case 14: return CHOOSE(14);
    case 18: return CHOOSE(18);
    default: return CHOOSE(26);
    }
#undef CHOOSE
}

#define GRAIN 2048

/* Row 0, and the words after the last one. */
static void clear_ends(const tmb_block *block, fitting *f, const tmb_kdop_view *view)
{
    float *bounds = view->has_bare_leaves ? f->bounds : (float *)f->rows;
    const size_t step = view->bound_step;
    memset(bounds, 0, step * sizeof *bounds);
    memset(bounds + ((size_t)tmb_kdop_volumes(block) + 1) * step, 0, TMB_KDOP_SLACK * sizeof *bounds);
}

int tmb_kdop_fit(tumble_context *context, uint32_t thread_count, tmb_block *block, const void *from)
{
    TMB_ASSERT(tmb_kdop_set_of(block->kdop.k));
    TMB_ASSERT(thread_count >= 1);
    char *base = (char *)block, *nodes = base + block->offsets[TMB_SECTION_NODES];
    const tmb_kdop_view view = tmb_kdop_view_of(block, nodes);
    const tmb_kdop_parts parts = tmb_kdop_parts_of(block);
    fitting f = {.places = (const tmb_cluster_place *)(base + block->offsets[TMB_SECTION_PLACES]),
                 .clusters = (const uint32_t *)(base + block->offsets[TMB_SECTION_CLUSTERS]),
                 .is_float = (int)block->points_are_float,
                 .frame = tmb_local_frame_of(block->lower, block->upper),
                 .from = from ? from : nodes,
                 .rows = (uint32_t *)nodes,
                 .bounds = (float *)(nodes + parts.rows)};
    const uint32_t count = tmb_kdop_volumes(block);
    const fit_functions fit = functions_for(block->kdop.k, view.has_bare_leaves);
    const uint32_t threads = tmb_threads_for(thread_count, count, GRAIN);
    if (!tmb_parallel_for(context, threads, count, GRAIN, fit.leaves, &f)) {
        return 0;
    }
    fit.inner(&f, count);
    if (view.has_bare_leaves && from) {
        memcpy(nodes, from, (size_t)parts.rows);
    }
    clear_ends(block, &f, &view);
    return 1;
}
