/* The surfaces of clusters, for queries for pairs of surfaces. */
#include "base/assert.h"
#include "collide/collider.h"

void tmb_cluster_surfaces_begin(tmb_collide_scratch *scratch)
{
    for (size_t i = 0; i < TMB_KNOWN_CLUSTERS; i++) {
        scratch->clusters_a[i].cluster = scratch->clusters_b[i].cluster = UINT32_MAX;
    }
}

static void look_at_cluster(const tumble_model *model, uint32_t cluster, tmb_cluster_surfaces *out)
{
    TMB_ASSERT(cluster < model->block->cluster_count);
    const uint32_t count = tmb_cluster_triangle_count(&model->places[cluster]);
    out->cluster = cluster;
    out->is_one = 1;
    for (uint32_t i = 0; i < count; i++) {
        out->ids[i] = tmb_model_surface(model, tmb_model_polygon(model, tmb_triangle_address(cluster, i)));
        out->is_one &= out->ids[i] == out->ids[0];
    }
}

/* The same clusters come up repeatedly, with different partners. */
static const tmb_cluster_surfaces *remember(const tumble_model *model, uint32_t cluster, tmb_cluster_surfaces *known)
{
    tmb_cluster_surfaces *entry = known + cluster % TMB_KNOWN_CLUSTERS;
    if (entry->cluster != cluster) {
        look_at_cluster(model, cluster, entry);
    }
    return entry;
}

const tmb_cluster_surfaces *tmb_surfaces_of_a(const tmb_collider *c, uint32_t cluster)
{
    return remember(c->encounter.a, cluster, c->scratch->clusters_a);
}

const tmb_cluster_surfaces *tmb_surfaces_of_b(const tmb_collider *c, uint32_t cluster)
{
    return remember(c->encounter.b, cluster, c->scratch->clusters_b);
}

int tmb_clusters_are_known(const tmb_collider *c, uint32_t cluster_a, uint32_t cluster_b)
{
    TMB_ASSERT(c->by_surface);
    const tmb_cluster_surfaces *a = tmb_surfaces_of_a(c, cluster_a), *b = tmb_surfaces_of_b(c, cluster_b);
    return a->is_one && b->is_one && tmb_pair_set_has(&c->seen_surfaces, tmb_polygon_key(a->ids[0], b->ids[0]));
}
