/* Vertices are computed twice, once to count and once to write them: cheaper than keeping them in memory. */
#include "tree/kdop/vertices.h"

#include <string.h>

#include "base/assert.h"
#include "base/tasks.h"
#include "tree/kdop/kdop.h"
#include "tree/kdop/volume.h"

#define GRAIN 256

typedef struct vertex_work {
    uint32_t k;
    tmb_kdop_view view;
    uint32_t *first;
    float (*vertices)[3]; /* NULL while they are counted */
} vertex_work;

/* Volumes begin + 1 to end. */
static void find_vertices(void *shared, size_t begin, size_t end)
{
    const vertex_work *w = shared;
    for (size_t row = begin + 1; row <= end; row++) {
        float found[2 * TMB_KDOP_MOST - 4][3];
        const float *bounds = tmb_kdop_bounds(&w->view, (uint32_t)row);
        const uint32_t count = tmb_kdop_vertices(w->k, bounds, found);
        if (w->vertices) {
            memcpy(w->vertices[w->first[row]], found, count * sizeof *found);
        } else {
            w->first[row + 1] = count;
        }
    }
}

static int run(tumble_context *context, uint32_t thread_count, const tmb_block *block, vertex_work *work)
{
    const size_t count = tmb_kdop_volumes(block);
    work->k = block->kdop.k;
    work->view = tmb_kdop_view_of(block, (const char *)block + block->offsets[TMB_SECTION_NODES]);
    return tmb_parallel_for(context, tmb_threads_for(thread_count, count, GRAIN), count, GRAIN, find_vertices, work);
}

int tmb_kdop_count_vertices(tumble_context *context, uint32_t thread_count, const tmb_block *block, uint32_t *first,
                            uint64_t *total)
{
    TMB_ASSERT(tmb_kdop_set_of(block->kdop.k));
    vertex_work work = {.first = first};
    if (!run(context, thread_count, block, &work)) {
        return 0;
    }
    uint64_t sum = 0;
    first[0] = first[1] = 0; /* row 0 is not a node */
    for (uint64_t i = 2; i <= (uint64_t)tmb_kdop_volumes(block) + 1; i++) {
        sum += first[i];
        first[i] = (uint32_t)sum;
    }
    *total = sum;
    return 1;
}

int tmb_kdop_write_vertices(tumble_context *context, uint32_t thread_count, tmb_block *block, const uint32_t *first)
{
    char *nodes = (char *)block + block->offsets[TMB_SECTION_NODES];
    const tmb_kdop_parts parts = tmb_kdop_parts_of(block);
    uint32_t *kept = (uint32_t *)(nodes + parts.vertex_first);
    memcpy(kept, first, ((size_t)tmb_kdop_volumes(block) + 2) * sizeof *kept);
    vertex_work work = {.first = kept, .vertices = (float(*)[3])(nodes + parts.vertices)};
    return run(context, thread_count, block, &work);
}
