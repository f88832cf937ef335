/* Clusters from triangles. */
#include "tree/clusters.h"

#include <string.h>

#include "base/assert.h"
#include "base/tasks.h"
#include "tree/mesh_validate.h"

/* ---- Cutting ---- */

static void begin_draft(tmb_cluster_draft *draft)
{
    draft->words[0] = draft->words[1] = draft->words[2] = 0;
    draft->triangle_count = draft->corner_count = 0;
}

static size_t cut(const uint32_t *corners, const uint32_t *order, const uint8_t *starts, size_t count,
                  tmb_cluster_draft *drafts)
{
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t *triangle = corners + 3 * (size_t)(order ? order[i] : i);
        if (made == 0 || (starts && starts[i]) || !tmb_cluster_add(&drafts[made - 1], triangle)) {
            begin_draft(&drafts[made++]);
            (void)tmb_cluster_add(&drafts[made - 1], triangle);
        }
    }
    return made;
}

static void fill_addresses(const tmb_cluster_draft *drafts, size_t count, uint32_t *addresses)
{
    TMB_ASSERT(count == 0 || addresses);
    for (size_t i = 0; i < count; i++) {
        for (uint32_t slot = 0; slot < drafts[i].triangle_count; slot++) {
            *addresses++ = tmb_triangle_address((uint32_t)i, slot);
        }
    }
}

static size_t most_drafts(const uint8_t *starts, size_t count)
{
    size_t most = (count + TMB_CLUSTERS_LEAST - 1) / TMB_CLUSTERS_LEAST;
    for (size_t i = 0; starts && i < count; i++) {
        most += starts[i] != 0;
    }
    return most;
}

int tmb_clusters_cut(tmb_arena *arena, const uint32_t *corners, const uint32_t *order, const uint8_t *starts,
                     size_t count, tmb_clusters *out)
{
    TMB_ASSERT(count == 0 || corners);
    TMB_ASSERT(count <= UINT32_MAX / 2);
    const size_t most = most_drafts(starts, count);
    tmb_cluster_draft *drafts = tmb_arena_allocate(arena, most, sizeof *drafts);
    uint32_t *addresses = tmb_arena_allocate(arena, count, sizeof *addresses);
    if (!drafts || !addresses) {
        return 0;
    }
    *out = (tmb_clusters){drafts, cut(corners, order, starts, count, drafts), order, addresses};
    fill_addresses(drafts, out->count, addresses);
    return 1;
}

/* ---- Writing ---- */

uint64_t tmb_clusters_units(const tmb_clusters *clusters, int is_float)
{
    uint64_t units = 0;
    for (size_t i = 0; i < clusters->count; i++) {
        units += tmb_cluster_units(clusters->drafts[i].corner_count, is_float);
    }
    return units;
}

static void write_float(const tumble_mesh *mesh, const tmb_cluster_draft *draft, uint32_t *out)
{
    const uint32_t count = draft->corner_count;
    memcpy(out, draft->words, sizeof draft->words);
    float *x = (float *)(out + TMB_CLUSTER_HEAD_FLOAT);
    for (uint32_t i = 0; i < count; i++) {
        double p[3];
        tmb_mesh_point(mesh, draft->points[i], p);
        x[i] = (float)p[0], x[count + i] = (float)p[1], x[2 * count + i] = (float)p[2];
    }
}

static void write_double(const tumble_mesh *mesh, const tmb_cluster_draft *draft, uint32_t *out)
{
    const uint32_t count = draft->corner_count;
    memcpy(out, draft->words, sizeof draft->words);
    out[TMB_CLUSTER_HEAD_DOUBLE - 1] = 0;
    double *x = (double *)(out + TMB_CLUSTER_HEAD_DOUBLE);
    for (uint32_t i = 0; i < count; i++) {
        double p[3];
        tmb_mesh_point(mesh, draft->points[i], p);
        x[i] = p[0], x[count + i] = p[1], x[2 * count + i] = p[2];
    }
}

void tmb_cluster_write(const tumble_mesh *mesh, const tmb_cluster_draft *draft, int is_float, uint32_t *out)
{
    TMB_ASSERT(draft->triangle_count >= 1 && draft->triangle_count <= TMB_CLUSTER_TRIANGLES);
    TMB_ASSERT(draft->corner_count >= 1 && draft->corner_count <= TMB_CLUSTER_CORNERS);
    if (is_float) {
        write_float(mesh, draft, out);
    } else {
        write_double(mesh, draft, out);
    }
}

typedef struct writer {
    const tumble_mesh *mesh;
    const tmb_cluster_draft *drafts;
    const tmb_cluster_place *places;
    int is_float;
    uint32_t *data;
} writer;

static void write_range(void *shared, size_t begin, size_t end)
{
    const writer *w = shared;
    for (size_t i = begin; i < end; i++) {
        tmb_cluster_write(w->mesh, &w->drafts[i], w->is_float, w->data + w->places[i].offset);
    }
}

#define GRAIN 4096

int tmb_clusters_write(tumble_context *context, uint32_t thread_count, const tumble_mesh *mesh,
                       const tmb_clusters *clusters, int is_float, tmb_cluster_place *places, uint32_t *data)
{
    TMB_ASSERT(tmb_clusters_units(clusters, is_float) <= UINT32_MAX);
    const size_t count = clusters->count;
    uint32_t offset = 0, first = 0;
    for (size_t i = 0; i < count; i++) {
        const tmb_cluster_draft *draft = &clusters->drafts[i];
        places[i] = (tmb_cluster_place){offset, tmb_cluster_triangles(first, draft->triangle_count)};
        offset += tmb_cluster_units(draft->corner_count, is_float);
        first += draft->triangle_count;
    }
    places[count] = (tmb_cluster_place){offset, 0};
    writer w = {mesh, clusters->drafts, places, is_float, data};
    return tmb_parallel_for(context, tmb_threads_for(thread_count, count, GRAIN), count, GRAIN, write_range, &w);
}
