/* Options that tune single hierarchies. */
#include "tree/tuning.h"

#include "tree/hierarchy.h"

/* Chosen by measurement: see docs/benchmarks-boxtree.md and docs/kdop.md. */
const tumble_tuning tmb_default_tuning = {
    .boxtree = {.criterion = TUMBLE_BOXTREE_VOLUME_COUNT, .trim = 0.9},
    .kdop = {.k = 18, .leaf = 8},
    .kdop_walk = {.traversal = TUMBLE_KDOP_TRAVERSAL_BOTH, .mixed = TUMBLE_KDOP_MIXED_PRIMITIVES},
};

tumble_tuning tumble_default_tuning(void)
{
    return tmb_default_tuning;
}

/* ---- Whether the values exist ---- */

static tumble_status fail(tumble_context *context)
{
    return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "tuning: an option has an invalid value");
}

tumble_status tmb_tuning_check_build(tumble_context *context, const tumble_tuning *tuning)
{
    const tumble_kdop_options *kdop = &tuning->kdop;
    if (!tmb_kdop_set_of(kdop->k)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "tuning: k is %u, not 6, 12, 14, 18 or 26", kdop->k);
    }
    if (kdop->leaf < 1 || kdop->leaf > TUMBLE_KDOP_LEAF_MOST) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "tuning: a leaf of a k-DOP tree has 1 to %d triangles, not %u",
                        TUMBLE_KDOP_LEAF_MOST, kdop->leaf);
    }
    if (kdop->hull > TUMBLE_KDOP_HULL_MOST) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "tuning: hulls are kept of at most %d levels, not %u",
                        TUMBLE_KDOP_HULL_MOST, kdop->hull);
    }
    return tmb_hierarchies_have_valid_tuning(tuning) ? TUMBLE_OK : fail(context);
}

tumble_status tmb_tuning_check_walk(tumble_context *context, const tumble_tuning *tuning)
{
    const tumble_boxtree_walk *boxtree = &tuning->boxtree_walk;
    const tumble_kdop_walk *kdop = &tuning->kdop_walk;
    const int exist =
        (unsigned)boxtree->overlap <= TUMBLE_OVERLAP_SAT_LITE &&
        (unsigned)boxtree->direction <= TUMBLE_DIRECTION_BOTH && (unsigned)kdop->tumble <= TUMBLE_KDOP_TUMBLE_AXES &&
        (unsigned)kdop->root <= TUMBLE_KDOP_ROOT_SAME && (unsigned)kdop->traversal <= TUMBLE_KDOP_TRAVERSAL_BOTH &&
        (unsigned)kdop->mixed <= TUMBLE_KDOP_MIXED_PRIMITIVES && kdop->epsilon >= 0 &&
        (unsigned)tuning->rtree_walk.probe <= TUMBLE_RTREE_PROBE_A;
    return exist ? TUMBLE_OK : fail(context);
}

/* ---- What a model remembers ---- */

void tmb_tuning_of(const tmb_block *block, tumble_tuning *out)
{
    *out = tmb_default_tuning;
    if (tmb_hierarchy_of(block)->tell) {
        tmb_hierarchy_of(block)->tell(block, out);
    }
}

tumble_status tumble_model_get_tuning(const tumble_model *model, tumble_tuning *out)
{
    if (!model) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!out) {
        return tmb_fail(model->context, TUMBLE_ERROR_ARGUMENT, "the tuning of a model: the result is null");
    }
    tmb_tuning_of(model->block, out);
    return TUMBLE_OK;
}

tumble_status tumble_model_get_kdop_info(const tumble_model *model, tumble_kdop_info *info)
{
    if (!model) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!info) {
        return tmb_fail(model->context, TUMBLE_ERROR_ARGUMENT, "the k-DOP info of a model: the result is null");
    }
    const int has_tree = model->block->hierarchy == TUMBLE_HIERARCHY_KDOP;
    *info = (tumble_kdop_info){.hull_count = has_tree ? model->block->kdop.hull_count : 0,
                               .vertex_count = has_tree ? model->block->kdop.vertex_count : 0};
    return TUMBLE_OK;
}
