/* Whether a tree of k-DOPs from outside is one: what a walk relies on for its memory. */
#include "tree/kdop/lookup.h"
#include "tree/kdop/node_hulls.h"
#include "tree/leaf_marks.h"

typedef struct checker {
    tumble_context *context;
    const tmb_block *block;
    const void *nodes;
    tmb_kdop_view view;
    tmb_leaf_marks marks;
} checker;

static tumble_status bad_node(const checker *c, uint64_t node, const char *what)
{
    return tmb_fail(c->context, TUMBLE_ERROR_FORMAT, "the hierarchy is damaged: node %llu %s", (unsigned long long)node,
                    what);
}

/* Local coordinates are at most 1, and no direction has components that add up to more than 3. */
static int good_bounds(const float *bounds, uint32_t k)
{
    int good = 1;
    for (uint32_t l = 0; l < k; l++) {
        good &= bounds[l] >= -4 && bounds[l] <= 4;
    }
    return good;
}

/* The centre and the lengths; the rings' numbers are masked where they are used. */
static int good_lookup(const checker *c, uint32_t volume)
{
    const tmb_kdop_parts parts = tmb_kdop_parts_of(c->block);
    const float *record = tmb_kdop_lookup(c->nodes, &parts, c->block->kdop.k, volume);
    int good = 1;
    for (uint32_t i = 0; i < TMB_KDOP_LOOKUP_LANES; i++) {
        good &= record[i] >= -2 && record[i] <= 2;
    }
    for (uint32_t i = 0; i < c->block->kdop.k; i++) {
        good &= record[TMB_KDOP_LOOKUP_LANES + i] >= 0 && record[TMB_KDOP_LOOKUP_LANES + i] <= TMB_KDOP_LENGTH_MOST;
    }
    return good;
}

static tumble_status check_leaf(checker *c, uint32_t node, uint32_t address, uint32_t count)
{
    if (count > c->block->kdop.leaf) {
        return bad_node(c, node, "is a leaf with too many triangles");
    }
    const uint32_t first = address;
    for (uint32_t i = 0; i < count; i++) {
        const char *wrong = tmb_leaf_mark(&c->marks, address);
        if (wrong) {
            return bad_node(c, node, wrong);
        }
        address = tmb_next_triangle(c->marks.places, address);
    }
    if (c->block->kdop.leaf >= TMB_KDOP_CLUSTERED && (first | address) % TMB_CLUSTER_TRIANGLES != 0) {
        return bad_node(c, node, "is a leaf that is not made of whole clusters");
    }
    return TUMBLE_OK;
}

static tumble_status check_volume(const checker *c, uint32_t node)
{
    const uint32_t volume = tmb_kdop_volume_of(&c->view, node);
    if (!good_bounds(tmb_kdop_bounds(&c->view, volume), c->block->kdop.k)) {
        return bad_node(c, node, "has bounds out of range");
    }
    if (c->block->kdop.tumble == TUMBLE_KDOP_TUMBLE_LOOKUP && !good_lookup(c, volume)) {
        return bad_node(c, node, "has a lookup record out of range");
    }
    return TUMBLE_OK;
}

typedef struct pending {
    uint32_t node, depth;
} pending;

/* Pairs of children stand in the order in which a depth-first walk meets their parents: that alone excludes cycles and
 * double use. */
static tumble_status check_rows(checker *c)
{
    const uint32_t end = (uint32_t)c->block->node_count + 1;
    pending stack[TMB_KDOP_DEPTH + 2] = {{TMB_KDOP_ROOT, 0}};
    uint32_t waiting = 1, next = TMB_KDOP_ROOT + 1;
    while (waiting > 0) {
        const pending p = stack[--waiting];
        const uint32_t link = tmb_kdop_links(&c->view, p.node)[0], count = tmb_kdop_links(&c->view, p.node)[1];
        if (!count && (link != next || end - next < 2)) {
            return bad_node(c, p.node, "has no valid children");
        }
        tumble_status status = count && c->view.has_bare_leaves ? TUMBLE_OK : check_volume(c, p.node);
        if (status == TUMBLE_OK && count) {
            status = check_leaf(c, p.node, link, count);
        }
        if (status != TUMBLE_OK) {
            return status;
        }
        if (count) {
            continue;
        }
        if (p.depth >= c->block->depth) {
            return bad_node(c, p.node, "lies deeper than the header says");
        }
        stack[waiting++] = (pending){next + 1, p.depth + 1};
        stack[waiting++] = (pending){next, p.depth + 1};
        next += 2;
    }
    return next == end ? TUMBLE_OK : bad_node(c, next, "belongs to no parent");
}

/* The vertices that a walk reads. */
static tumble_status check_vertices(const checker *c, const void *nodes)
{
    const tmb_block *block = c->block;
    const uint32_t rows = tmb_kdop_volumes(block) + 1, most = tmb_kdop_set_of(block->kdop.k)->corner_count;
    const tmb_kdop_parts parts = tmb_kdop_parts_of(block);
    const uint32_t *first = (const uint32_t *)((const char *)nodes + parts.vertex_first);
    const float *vertices = (const float *)((const char *)nodes + parts.vertices);
    if (block->kdop.tumble != TUMBLE_KDOP_TUMBLE_VERTICES) {
        return block->kdop.vertex_count == 0 ? TUMBLE_OK : bad_node(c, 0, "has vertices that no node has");
    }
    if (first[0] != 0 || first[1] != 0 || first[rows] != block->kdop.vertex_count) {
        return bad_node(c, 0, "has vertices, or the last ones do not end where they should");
    }
    for (uint32_t i = TMB_KDOP_ROOT; i < rows; i++) {
        if (first[i] > first[i + 1] || first[i + 1] - first[i] > most) {
            return bad_node(c, i, "has no valid number of vertices");
        }
    }
    int good = 1;
    for (uint64_t i = 0; i < 3 * (uint64_t)block->kdop.vertex_count; i++) {
        good &= vertices[i] >= -4 && vertices[i] <= 4;
    }
    return good ? TUMBLE_OK : bad_node(c, TMB_KDOP_ROOT, "or another one has vertices out of range");
}

/* Each hull is of another node, and has its own points and links. */
static int good_hull_places(const tmb_kdop_root *root, uint64_t node_count, const tmb_kdop_hull_place *places)
{
    const tmb_kdop_hull_place *end = places + root->hull_nodes;
    int good = places->node == TMB_KDOP_ROOT && places->point == 0 && places->link == 0 && end->node == 0 &&
               end->point == root->hull_count && end->link == root->hull_links && end[-1].node <= node_count;
    for (const tmb_kdop_hull_place *place = places; place < end; place++) {
        good &= place->point < place[1].point && place->link <= place[1].link &&
                (place + 1 == end || place->node < place[1].node);
    }
    return good;
}

static int good_hulls(const checker *c, const void *nodes)
{
    const tmb_kdop_root *root = &c->block->kdop;
    const tmb_kdop_parts parts = tmb_kdop_parts_of(c->block);
    const tmb_kdop_hull_place *places = (const tmb_kdop_hull_place *)((const char *)nodes + parts.hull_places);
    if (root->hull_nodes == 0) {
        return root->hull_count == 0 && root->hull_links == 0;
    }
    int good = good_hull_places(root, c->block->node_count, places);
    for (uint32_t i = 0; good && i < root->hull_nodes; i++) {
        const tmb_hull_view hull = tmb_kdop_hull_view(nodes, &parts, i);
        good = tmb_hull_validate(&hull, places[i + 1].link - places[i].link);
    }
    return good;
}

static tumble_status check_hulls(const checker *c, const void *nodes)
{
    return good_hulls(c, nodes)
               ? TUMBLE_OK
               : tmb_fail(c->context, TUMBLE_ERROR_FORMAT, "the hierarchy is damaged: a convex hull is invalid");
}

tumble_status tmb_kdop_validate(tumble_context *context, const tmb_block *block, const void *nodes)
{
    checker c = {.context = context, .block = block, .nodes = nodes, .view = tmb_kdop_view_of(block, nodes)};
    tumble_status status = tmb_leaf_marks_begin(context, block, &c.marks);
    if (status != TUMBLE_OK) {
        return status;
    }
    status = check_rows(&c);
    if (status == TUMBLE_OK) {
        status = tmb_leaf_marks_all(context, &c.marks, block->triangle_count);
    }
    tmb_leaf_marks_end(context, &c.marks);
    if (status == TUMBLE_OK) {
        status = check_vertices(&c, nodes);
    }
    return status == TUMBLE_OK ? check_hulls(&c, nodes) : status;
}
