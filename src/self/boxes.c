/* Any hierarchy against itself, by the boxes of its nodes: exact boxes in double, and the triangles of its leaves one
 * by one. */
#include "base/assert.h"
#include "math/bounds.h"
#include "self/self.h"

#define STARTS 64 /* pairs of nodes that parts start with, about */
#define ROOM (TMB_BOX_CHILDREN * TMB_BOX_CHILDREN)

/* Two nodes; with themselves if `is_self`. */
typedef struct node_pair {
    tmb_box_node a, b;
    int is_self;
} node_pair;

static int is_leaf(const tmb_box_node *node)
{
    return node->triangle_count > 0 && node->triangle_count <= TMB_BOX_LEAF;
}

/* Whether boxes are apart, or farther than the limit, for certain. */
static int are_apart(const tmb_self *self, const tmb_box_node *a, const tmb_box_node *b)
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        const double below = a->lower[k] - b->upper[k], above = b->lower[k] - a->upper[k];
        const double gap = below > above ? below : above;
        if (gap > 0 && !self->is_near) {
            return 1;
        }
        square += gap > 0 ? gap * gap : 0;
    }
    const double limit = self->limit.above;
    return self->is_near && square > limit * limit * (1 + TMB_MOVED_BOX_ROUNDING) + TMB_MOVED_BOX_UNDERFLOW;
}

/* ---- Descending ---- */

static size_t open_self(tmb_self *self, tmb_self_part *part, const tmb_box_view *tree, const tmb_box_node *node,
                        node_pair *out)
{
    tmb_box_node children[TMB_BOX_CHILDREN];
    const uint32_t count = tmb_box_view_open(tree, node, children);
    size_t pairs = 0;
    for (uint32_t i = 0; i < count; i++) {
        out[pairs++] = (node_pair){children[i], children[i], 1};
        for (uint32_t j = i + 1; j < count; j++) {
            if (!are_apart(self, &children[i], &children[j])) {
                out[pairs++] = (node_pair){children[i], children[j], 0};
            }
        }
    }
    part->box_tests += count * (count - 1) / 2;
    part->box_updates += count;
    return pairs;
}

static double size_of(const tmb_box_node *node)
{
    return (node->upper[0] - node->lower[0]) + (node->upper[1] - node->lower[1]) + (node->upper[2] - node->lower[2]);
}

/* Opens the larger one that is no leaf. */
static size_t open_pair(tmb_self *self, tmb_self_part *part, const tmb_box_view *tree, const node_pair *pair,
                        node_pair *out)
{
    tmb_box_node children[TMB_BOX_CHILDREN];
    const int opens_a = !is_leaf(&pair->a) && (is_leaf(&pair->b) || size_of(&pair->a) >= size_of(&pair->b));
    const tmb_box_node *opened = opens_a ? &pair->a : &pair->b, *other = opens_a ? &pair->b : &pair->a;
    const uint32_t count = tmb_box_view_open(tree, opened, children);
    size_t pairs = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!are_apart(self, &children[i], other)) {
            out[pairs++] = (node_pair){children[i], *other, 0};
        }
    }
    part->box_tests += count;
    part->box_updates += count;
    return pairs;
}

static size_t open_nodes(tmb_self *self, tmb_self_part *part, const tmb_box_view *tree, const node_pair *pair,
                         node_pair out[ROOM])
{
    return pair->is_self ? open_self(self, part, tree, &pair->a, out) : open_pair(self, part, tree, pair, out);
}

/* ---- Leaves ---- */

typedef struct leaf {
    uint32_t addresses[TMB_BOX_LEAF];
    tmb_box_node boxes[TMB_BOX_LEAF]; /* of the triangles */
    uint32_t count;
} leaf;

static void read_leaf(const tumble_model *model, const tmb_box_node *node, leaf *out)
{
    uint32_t address = node->reference;
    out->count = node->triangle_count;
    for (uint32_t n = 0; n < node->triangle_count; n++) {
        double corners[3][3];
        address = n ? tmb_box_next_triangle(model, address) : address;
        out->addresses[n] = address;
        tmb_model_corners(model, address, corners);
        for (int k = 0; k < 3; k++) {
            const double x = corners[0][k], y = corners[1][k], z = corners[2][k];
            const double low = x < y ? x : y, high = x > y ? x : y;
            out->boxes[n].lower[k] = low < z ? low : z;
            out->boxes[n].upper[k] = high > z ? high : z;
        }
    }
}

static int test_leaves(tmb_self *self, tmb_self_part *part, const node_pair *pair)
{
    leaf a, b;
    read_leaf(self->model, &pair->a, &a);
    if (!pair->is_self) {
        read_leaf(self->model, &pair->b, &b);
    }
    const leaf *other = pair->is_self ? &a : &b;
    for (uint32_t i = 0; i < a.count; i++) {
        for (uint32_t j = pair->is_self ? i + 1 : 0; j < other->count; j++) {
            if (!are_apart(self, &a.boxes[i], &other->boxes[j]) &&
                tmb_self_test(self, part, a.addresses[i], other->addresses[j], 0)) {
                return 1;
            }
        }
    }
    return 0;
}

static int are_leaves(const node_pair *pair)
{
    return is_leaf(&pair->a) && is_leaf(&pair->b);
}

/* ---- Traversal ---- */

/* The pairs of the next level; leaves stay. `from` is not `to`. Returns whether there was memory. */
static int open_level(tmb_self *self, tmb_self_part *part, const tmb_buffer *from, size_t count, tmb_buffer *to,
                      size_t *opened_count)
{
    tumble_context *context = self->query->context;
    const tmb_box_view tree = tmb_box_view_of(self->model);
    const node_pair *pairs = from->data;
    node_pair opened[ROOM];
    int works = 1;
    *opened_count = 0;
    for (size_t i = 0; works && i < count; i++) {
        const int stays = are_leaves(&pairs[i]);
        const size_t more = stays ? 1 : open_nodes(self, part, &tree, &pairs[i], opened);
        works = tmb_buffer_append(context, to, opened_count, stays ? &pairs[i] : opened, more, sizeof *pairs);
    }
    return works;
}

static int all_are_leaves(const tmb_buffer *pairs, size_t count)
{
    const node_pair *all = pairs->data;
    size_t i = 0;
    while (i < count && are_leaves(&all[i])) {
        i++;
    }
    return i == count;
}

static size_t split(tmb_self *self, tmb_self_part *part)
{
    tumble_context *context = self->query->context;
    const tmb_box_view tree = tmb_box_view_of(self->model);
    tmb_buffer *starts = &self->scratch->starts[0], *next = &self->scratch->starts[1];
    node_pair root = {.is_self = 1};
    size_t count = 0;
    (void)tmb_box_view_root(&tree, &root.a);
    root.b = root.a;
    int works = tmb_buffer_append(context, starts, &count, &root, 1, sizeof root);
    while (works && count < STARTS && !all_are_leaves(starts, count)) {
        works = open_level(self, part, starts, count, next, &count);
        tmb_buffer *const opened = next;
        next = starts;
        starts = opened;
    }
    if (!works) {
        self->status = tmb_fail_memory(context, "the walk of a query");
    }
    self->starts = starts->data;
    return works ? count : 0;
}

static void visit(tmb_self *self, tmb_self_part *part, size_t start)
{
    tumble_context *context = self->query->context;
    const tmb_box_view tree = tmb_box_view_of(self->model);
    node_pair opened[ROOM];
    size_t waiting = 0;
    const node_pair *starts = self->starts;
    int works = tmb_buffer_append(context, &part->stack, &waiting, &starts[start], 1, sizeof *starts);
    while (works && waiting > 0 && !tmb_self_is_over(self, start)) {
        const node_pair pair = ((const node_pair *)part->stack.data)[--waiting];
        if (are_leaves(&pair)) {
            if (test_leaves(self, part, &pair)) {
                return;
            }
        } else {
            const size_t pairs = open_nodes(self, part, &tree, &pair, opened);
            works = tmb_buffer_append(context, &part->stack, &waiting, opened, pairs, sizeof pair);
        }
    }
    part->failed |= !works;
}

const tmb_self_walk tmb_self_boxes = {split, visit};
