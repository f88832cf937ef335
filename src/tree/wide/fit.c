/* Boxes and slabs of a wide hierarchy: writing a node, and all levels above the kernel's. */
#include "tree/wide/fit.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/kernel.h"
#include "base/tasks.h"
#include "math/bounds.h"

/* Keeps the inverse of a scale finite. */
#define SCALE_LEAST 1e-30F

/* ---- Directions ---- */

static int8_t to_byte(float x)
{
    return (int8_t)(x * 127 + (x < 0 ? -0.5F : 0.5F));
}

void tmb_wide_encode_direction(const float normal[3], int8_t direction[2])
{
    TMB_ASSERT(!isnan(normal[0]) && !isnan(normal[1]) && !isnan(normal[2]));
    const float sum = fabsf(normal[0]) + fabsf(normal[1]) + fabsf(normal[2]);
    if (!(sum > 0) || !(sum < INFINITY)) {
        direction[0] = direction[1] = 0;
        return;
    }
    float x = normal[0] / sum, y = normal[1] / sum;
    if (normal[2] < 0) {
        const float folded_x = copysignf(1 - fabsf(y), x), folded_y = copysignf(1 - fabsf(x), y);
        x = folded_x, y = folded_y;
    }
    direction[0] = to_byte(x);
    direction[1] = to_byte(y);
}

/* ---- Nodes ---- */

/* The least scale, to the last bits, for which 254 steps from the lower side reach the upper one. */
static float scale_for(float lower, float upper)
{
    TMB_ASSERT(lower <= upper);
    float scale = (upper - lower) * (1.0F / 254) + SCALE_LEAST;
    while (lower + 254 * scale < upper) {
        scale *= 1 + 0x1p-23F;
    }
    return scale;
}

/* Outward, but no more than needed: sides shared with the node stay exact, so nodes do not grow from level to level. */
static void write_boxes(tmb_wide_node *node, const tmb_wide_patch *children, uint32_t count, int k)
{
    TMB_ASSERT(count >= 1 && count <= TMB_WIDE);
    TMB_ASSERT(node->scale[k] > 0);
    const float origin = node->origin[k], scale = node->scale[k], inverse = 1 / scale;
    for (uint32_t i = 0; i < count; i++) {
        int low = (int)((children[i].lower[k] - origin) * inverse);
        int high = (int)((children[i].upper[k] - origin) * inverse);
        low -= origin + (float)low * scale > children[i].lower[k];
        high += origin + (float)high * scale < children[i].upper[k];
        high += origin + (float)high * scale < children[i].upper[k]; /* when the quotient was rounded down to `high` */
        node->lower[k][i] = (uint8_t)(low > 0 ? low : 0);
        node->upper[k][i] = (uint8_t)(high < 255 ? high : 255);
    }
}

/* No slab extends beyond its box; rounding can make it, where a box is as small as the resolution of floats. */
static int16_t to_short(float x)
{
    return (int16_t)fminf(fmaxf(x, -32768), 32767);
}

static void write_slab(tmb_wide_node *node, const tmb_wide_patch *child, uint32_t i, float unit)
{
    TMB_ASSERT(i < TMB_WIDE);
    TMB_ASSERT(unit > 0);
    TMB_ASSERT(child->slab_lower <= child->slab_upper);
    float n[3], middle = 0;
    tmb_wide_decode_direction(child->direction, n);
    for (int k = 0; k < 3; k++) {
        const float sum = (float)(node->lower[k][i] + node->upper[k][i]);
        middle += n[k] * (node->origin[k] + 0.5F * sum * node->scale[k]);
    }
    const float inverse = 1 / unit;
    const float low = floorf((child->slab_lower - middle) * inverse),
                high = ceilf((child->slab_upper - middle) * inverse);
    node->direction[0][i] = child->direction[0];
    node->direction[1][i] = child->direction[1];
    node->slab_lower[i] = to_short(low);
    node->slab_upper[i] = to_short(high);
}

void tmb_wide_write_node(tmb_wide_node *node, const tmb_wide_patch *children, tmb_wide_patch *own)
{
    TMB_ASSERT(node->child_count >= 1 && node->child_count <= TMB_WIDE);
    const uint32_t count = node->child_count;
    memset(node, 0, offsetof(tmb_wide_node, children)); /* links may be read by other threads */
    memset(own, 0, sizeof *own);
    float greatest = 0;
    for (int k = 0; k < 3; k++) {
        own->lower[k] = children[0].lower[k];
        own->upper[k] = children[0].upper[k];
        for (uint32_t i = 0; i < count; i++) {
            own->lower[k] = children[i].lower[k] < own->lower[k] ? children[i].lower[k] : own->lower[k];
            own->upper[k] = children[i].upper[k] > own->upper[k] ? children[i].upper[k] : own->upper[k];
            own->normal[k] += children[i].normal[k];
        }
        node->origin[k] = own->lower[k];
        node->scale[k] = scale_for(own->lower[k], own->upper[k]);
        greatest = node->scale[k] > greatest ? node->scale[k] : greatest;
        write_boxes(node, children, count, k);
    }
    for (uint32_t i = 0; i < count; i++) {
        write_slab(node, &children[i], i, greatest * (1.0F / 256));
    }
}

/* ---- Upper levels ---- */

/* How far a patch reaches along n, which is its slab's direction times a number plus a rest for its box. */
static float reach_along(const tmb_wide_patch *p, const float n[3])
{
    float m[3], dot = 0, square = 0;
    tmb_wide_decode_direction(p->direction, m);
    for (int k = 0; k < 3; k++) {
        dot += n[k] * m[k];
        square += m[k] * m[k];
    }
    const float share = dot / square;
    float by_both = share * (share > 0 ? p->slab_upper : p->slab_lower), by_box = 0;
    for (int k = 0; k < 3; k++) {
        const float rest = n[k] - share * m[k];
        by_both += rest * (rest > 0 ? p->upper[k] : p->lower[k]);
        by_box += n[k] * (n[k] > 0 ? p->upper[k] : p->lower[k]);
    }
    return (by_both < by_box ? by_both : by_box) + TMB_SLAB_LEVEL_ROUNDING;
}

void tmb_wide_enclose_slab(tmb_wide_patch *own, const tmb_wide_patch *children, uint32_t count)
{
    TMB_ASSERT(count >= 1 && count <= TMB_WIDE);
    float n[3];
    tmb_wide_encode_direction(own->normal, own->direction);
    tmb_wide_decode_direction(own->direction, n);
    const float back[3] = {-n[0], -n[1], -n[2]};
    own->slab_upper = reach_along(&children[0], n);
    own->slab_lower = -reach_along(&children[0], back);
    for (uint32_t i = 1; i < count; i++) {
        own->slab_upper = fmaxf(own->slab_upper, reach_along(&children[i], n));
        own->slab_lower = fminf(own->slab_lower, -reach_along(&children[i], back));
    }
}

/* The levels above the kernel's: children come after their parents. */
static void fit_upper(tmb_wide_fitting *f, uint32_t node_count)
{
    for (uint32_t i = node_count; i-- > 0;) {
        tmb_wide_node *node = &f->nodes[i];
        if (!node->is_lowest && !tmb_wide_children_are_lowest(f->nodes, node)) {
            const tmb_wide_patch *children = f->patches + node->children;
            tmb_wide_write_node(node, children, &f->patches[i]);
            tmb_wide_enclose_slab(&f->patches[i], children, node->child_count);
        }
    }
}

typedef struct fit_work {
    tmb_wide_fitting *fitting;
    tmb_wide_fit_function *kernel;
} fit_work;

static void fit_lower(void *shared, size_t begin, size_t end)
{
    const fit_work *work = shared;
    for (size_t i = begin; i < end; i++) {
        work->kernel(work->fitting, (uint32_t)i);
    }
}

static tmb_wide_fitting fitting_of(tmb_block *block, tmb_wide_patch *patches)
{
    char *bytes = (char *)block;
    return (tmb_wide_fitting){.places = (const tmb_cluster_place *)(bytes + block->offsets[TMB_SECTION_PLACES]),
                              .clusters = (const uint32_t *)(bytes + block->offsets[TMB_SECTION_CLUSTERS]),
                              .is_float = (int)block->points_are_float,
                              .frame = tmb_local_frame_of(block->lower, block->upper),
                              .nodes = (tmb_wide_node *)(bytes + block->offsets[TMB_SECTION_NODES]),
                              .patches = patches};
}

void tmb_wide_write_links(const tmb_wide_tree *tree, tmb_wide_node *nodes)
{
    for (uint32_t i = 0; i < tree->node_count; i++) {
        nodes[i].children = tree->links[i].children;
        nodes[i].child_count = tree->links[i].child_count;
        nodes[i].is_lowest = tree->links[i].is_lowest;
    }
}

void tmb_wide_copy_links(const tmb_wide_node *from, size_t node_count, tmb_wide_node *nodes)
{
    for (size_t i = 0; i < node_count; i++) {
        nodes[i].children = from[i].children;
        nodes[i].child_count = from[i].child_count;
        nodes[i].is_lowest = from[i].is_lowest;
    }
}

int tmb_wide_fit(tumble_context *context, uint32_t thread_count, tmb_block *block, tmb_wide_patch *patches)
{
    TMB_ASSERT(thread_count >= 1);
    TMB_ASSERT(block->node_count > 0);
    const size_t count = (size_t)block->node_count;
    tmb_wide_patch *own = patches ? NULL : tmb_allocate(context, count, sizeof *own);
    tmb_wide_fitting fitting = fitting_of(block, patches ? patches : own);
    fit_work work = {&fitting, TMB_PICK_KERNEL(context, tmb_wide_fit)};
    const int ok = fitting.patches && tmb_parallel_for(context, thread_count, count, 128, fit_lower, &work);
    if (ok) {
        fit_upper(&fitting, (uint32_t)count);
    }
    tmb_release(context, own);
    return ok;
}
