/* Small boxtrees whose boxes are stored. */
#include "papers_boxes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

/* ---- Boxes ---- */

static plain_box nothing(void)
{
    return (plain_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static void add_box(plain_box *box, const plain_box *other)
{
    for (int k = 0; k < 3; k++) {
        box->lower[k] = fmin(box->lower[k], other->lower[k]);
        box->upper[k] = fmax(box->upper[k], other->upper[k]);
    }
}

static double extent(const plain_box *box, int axis)
{
    return box->upper[axis] - box->lower[axis];
}

/* The part of a box's volume that another one in it has; axes along which it is flat do not count. */
static double share_of(const plain_box *box, const plain_box *part)
{
    double share = 1;
    for (int k = 0; k < 3; k++) {
        share *= extent(box, k) > 0 ? extent(part, k) / extent(box, k) : 1;
    }
    return share;
}

static double *side_of(plain_box *box, int side)
{
    return side & 1 ? &box->upper[side >> 1] : &box->lower[side >> 1];
}

/* ---- Splits: each polygon goes to the child whose seed it enlarges less ---- */

typedef struct builder {
    const plain_box *boxes; /* of the polygons */
    plain_rules rules;
    plain_tree tree;
    double unit; /* a thousandth of the root's longest side */
} builder;

typedef struct split {
    double cost;
    int lower_count;
    plain_box bounds[2];
} split;

static int goes_up(const plain_box *box, int axis, double least_upper, double greatest_lower, int balance)
{
    const double down = fmax(box->upper[axis] - least_upper, 0), up = fmax(greatest_lower - box->lower[axis], 0);
    return down > up || (down == up && balance > 0);
}

/* Which polygons go up along an axis: `up` gets a flag for each. */
static split split_along(const builder *b, const int *set, int count, int axis, char *up)
{
    double least_upper = INFINITY, greatest_lower = -INFINITY;
    split s = {0, 0, {nothing(), nothing()}};
    for (int i = 0; i < count; i++) {
        least_upper = fmin(least_upper, b->boxes[set[i]].upper[axis]);
        greatest_lower = fmax(greatest_lower, b->boxes[set[i]].lower[axis]);
    }
    int balance = 0;
    for (int i = 0; i < count; i++) {
        up[i] = (char)goes_up(&b->boxes[set[i]], axis, least_upper, greatest_lower, balance);
        balance += up[i] ? -1 : 1;
        add_box(&s.bounds[(int)up[i]], &b->boxes[set[i]]);
        s.lower_count += !up[i];
    }
    return s;
}

/* The node's box, cut at the side that leaves least of it: one of the axis, or of all. */
static plain_box cut_box(const builder *b, const plain_box *node, const plain_box *content, int axis, int *side)
{
    plain_box best = *node;
    double least = 2;
    *side = 2 * axis;
    for (int i = 0; i < 6; i++) {
        plain_box cut = *node, inner = *content;
        *side_of(&cut, i) = *side_of(&inner, i);
        if ((b->rules.any_side || i / 2 == axis) && share_of(node, &cut) < least) {
            least = share_of(node, &cut);
            best = cut;
            *side = i;
        }
    }
    return best;
}

static double best_cost(const builder *b, const int *set, int count, const plain_box *node, int ahead, int *best_axis);

/* Volumes of the children relative to the node's; with `ahead`, also what their own children come to. */
static double cost_along(const builder *b, const int *set, int count, const plain_box *node, int axis, int ahead)
{
    char *up = malloc((size_t)count);
    int *part = malloc((size_t)count * sizeof *part);
    if (!up || !part) {
        bench_fail("no memory for a tree");
    }
    const split s = split_along(b, set, count, axis, up);
    double cost = s.lower_count == 0 || s.lower_count == count || extent(node, axis) <= 0 ? INFINITY : 0;
    for (int i = 0; i < 2 && cost < INFINITY; i++) {
        int side, n = 0, unused;
        const plain_box child = cut_box(b, node, &s.bounds[i], axis, &side);
        const double share = share_of(node, &child);
        for (int k = 0; k < count; k++) {
            part[n] = set[k];
            n += up[k] == i;
        }
        const double weight = b->rules.count ? (double)n / count : 1;
        const double below = ahead && n > 1 ? best_cost(b, part, n, &child, 0, &unused) : 0;
        cost += share * weight * (1 + (below < INFINITY ? below : 0));
    }
    free(up);
    free(part);
    return cost;
}

static double best_cost(const builder *b, const int *set, int count, const plain_box *node, int ahead, int *best_axis)
{
    double least = INFINITY;
    *best_axis = -1;
    for (int axis = 0; axis < 3; axis++) {
        const double cost = cost_along(b, set, count, node, axis, ahead);
        if (cost < least) {
            least = cost;
            *best_axis = axis;
        }
    }
    return least;
}

/* ---- Trees ---- */

/* Where the parent's coarse boxes are cut too, by less: the cut is rounded down. */
static void cut_coarse(const builder *b, const plain_box *from, plain_node *node)
{
    for (int side = 0; side < 6; side++) {
        plain_box before = *from;
        const double cut = fabs(*side_of(&node->box, side) - *side_of(&before, side)), sign = side & 1 ? -1 : 1;
        int exponent;
        const double fraction = frexp(cut, &exponent);
        *side_of(&node->coarse[0], side) += sign * floor(cut / b->unit) * b->unit;
        *side_of(&node->coarse[1], side) += sign * ldexp(floor(fraction * 64) / 64, exponent);
    }
}

static int add_node(builder *b, int parent, plain_box box, int side)
{
    plain_node *node = &b->tree.nodes[b->tree.count];
    *node = (plain_node){box, {box, box}, {-1, -1}, -1, side, parent};
    if (parent >= 0) {
        const plain_node *from = &b->tree.nodes[parent];
        memcpy(node->coarse, from->coarse, sizeof node->coarse);
        cut_coarse(b, &from->box, node);
    }
    return b->tree.count++;
}

/* A node with an only child, where it leaves little enough. */
static int trim_node(builder *b, int node, const plain_box *content)
{
    const plain_box box = b->tree.nodes[node].box;
    plain_box best = box;
    double least = b->rules.trim;
    for (int i = 0; i < 6; i++) {
        plain_box cut = box, inner = *content;
        *side_of(&cut, i) = *side_of(&inner, i);
        if (share_of(&box, &cut) <= least && share_of(&box, &cut) < 1) {
            least = share_of(&box, &cut);
            best = cut;
        }
    }
    if (least < b->rules.trim) {
        const int trimmed = add_node(b, node, best, -1);
        b->tree.nodes[node].child[0] = trimmed;
        return trimmed;
    }
    return node;
}

static void build_node(builder *b, int node, int *set, int count)
{
    plain_box content = nothing();
    int axis;
    for (int i = 0; i < count; i++) {
        add_box(&content, &b->boxes[set[i]]);
    }
    if (count == 1) {
        b->tree.nodes[node].polygon = set[0];
        return;
    }
    node = b->rules.trim > 0 ? trim_node(b, node, &content) : node;
    const plain_box box = b->tree.nodes[node].box;
    (void)best_cost(b, set, count, &box, b->rules.ahead, &axis);
    char *up = malloc((size_t)count);
    int *order = malloc((size_t)count * sizeof *order);
    if (!up || !order) {
        bench_fail("no memory for a tree");
    }
    split s = {0, count / 2, {content, content}};
    if (axis >= 0) {
        s = split_along(b, set, count, axis, up);
    }
    for (int i = 0, lower = 0, upper = s.lower_count; i < count; i++) {
        order[axis < 0 ? i : up[i] ? upper++ : lower++] = set[i];
    }
    memcpy(set, order, (size_t)count * sizeof *set);
    free(up);
    free(order);
    for (int i = 0; i < 2; i++) {
        int side = 2 * (axis < 0 ? 0 : axis) + !i;
        plain_box child = s.bounds[i];
        if (b->rules.restricted) {
            child = cut_box(b, &box, &s.bounds[i], axis < 0 ? 0 : axis, &side);
        }
        const int made = add_node(b, node, child, side);
        b->tree.nodes[node].child[i] = made;
        build_node(b, made, i ? set + s.lower_count : set, i ? count - s.lower_count : s.lower_count);
    }
}

plain_tree plain_build(const models_mesh *mesh, plain_rules rules)
{
    const int count = (int)mesh->polygon_count;
    plain_box *boxes = bench_allocate((size_t)count, sizeof *boxes), all = nothing();
    int *set = bench_allocate((size_t)count, sizeof *set);
    const uint32_t *corner = mesh->indices;
    for (int i = 0; i < count; i++) {
        boxes[i] = nothing();
        set[i] = i;
        for (uint32_t k = 0; k < mesh->polygon_sizes[i]; k++, corner++) {
            const double *p = mesh->points + 3 * (size_t)*corner;
            const plain_box point = {{p[0], p[1], p[2]}, {p[0], p[1], p[2]}};
            add_box(&boxes[i], &point);
        }
        add_box(&all, &boxes[i]);
    }
    builder b = {.boxes = boxes, .rules = rules};
    b.unit = fmax(fmax(extent(&all, 0), extent(&all, 1)), extent(&all, 2)) / 1000;
    b.tree.nodes = bench_allocate(4 * (size_t)count, sizeof *b.tree.nodes);
    build_node(&b, add_node(&b, -1, all, -1), set, count);
    free(boxes);
    free(set);
    return b.tree;
}

void plain_free(plain_tree *tree)
{
    free(tree->nodes);
    tree->nodes = NULL;
}

/* ---- The walk ---- */

static int apart_along(const plain_box *home, const plain_box *other, double m[3][3], const double t[3])
{
    for (int k = 0; k < 3; k++) {
        double lower = t[k], upper = t[k];
        for (int j = 0; j < 3; j++) {
            lower += m[k][j] * (m[k][j] > 0 ? other->lower[j] : other->upper[j]);
            upper += m[k][j] * (m[k][j] > 0 ? other->upper[j] : other->lower[j]);
        }
        if (lower > home->upper[k] || upper < home->lower[k]) {
            return 1;
        }
    }
    return 0;
}

typedef struct walker {
    const plain_tree *a, *b;
    double m[2][3][3], t[2][3]; /* into A's frame, and back */
    int coarse;
    plain_counts counts;
} walker;

static const plain_box *box_of(const walker *w, const plain_node *node)
{
    return w->coarse < 0 ? &node->box : &node->coarse[w->coarse];
}

static void visit(walker *w, int a, int b)
{
    const plain_node *na = &w->a->nodes[a], *nb = &w->b->nodes[b];
    w->counts.box_tests++;
    if (apart_along(&na->box, box_of(w, nb), w->m[0], w->t[0]) ||
        apart_along(&nb->box, box_of(w, na), w->m[1], w->t[1])) {
        return;
    }
    const int leaf_a = na->child[0] < 0, leaf_b = nb->child[0] < 0;
    w->counts.leaf_pairs += leaf_a && leaf_b;
    for (int i = 0; i < 2 && !(leaf_a && leaf_b); i++) {
        for (int j = 0; j < 2; j++) {
            const int to_a = leaf_a ? (i ? -1 : a) : na->child[i], to_b = leaf_b ? (j ? -1 : b) : nb->child[j];
            if (to_a >= 0 && to_b >= 0) {
                visit(w, to_a, to_b);
            }
        }
    }
}

void plain_walk(const plain_tree *a, const plain_tree *b, const tumble_pose *pose, int coarse, plain_counts *counts)
{
    walker w = {.a = a, .b = b, .coarse = coarse};
    for (int k = 0; k < 3; k++) {
        w.t[0][k] = pose->m[k][3];
        for (int j = 0; j < 3; j++) {
            w.m[0][k][j] = pose->m[k][j];
            w.m[1][j][k] = pose->m[k][j];
            w.t[1][j] -= pose->m[k][j] * pose->m[k][3];
        }
    }
    visit(&w, 0, 0);
    counts->box_tests += w.counts.box_tests;
    counts->leaf_pairs += w.counts.leaf_pairs;
}
