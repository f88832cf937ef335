/* Directions of k-DOPs, and trees with these over given sets. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "design.h"
#include "failure.h"
#include "math/vec3.h"

/* ---- Directions ---- */

static int is_positive(const int d[3])
{
    return d[0] > 0 || (d[0] == 0 && (d[1] > 0 || (d[1] == 0 && d[2] > 0)));
}

/* All directions whose components have these sizes, in any order and with any signs; opposite ones are added together.
 */
static void add_kind(design_directions *directions, const int sizes[3])
{
    for (int n = 0; n < 125; n++) {
        const int d[3] = {n / 25 - 2, n / 5 % 5 - 2, n % 5 - 2};
        int found[3] = {0, 0, 0}, wanted[3] = {0, 0, 0};
        for (int j = 0; j < 3; j++) {
            found[abs(d[j])]++;
            wanted[sizes[j]]++;
        }
        if (is_positive(d) && memcmp(found, wanted, sizeof found) == 0) {
            for (int j = 0; j < 3; j++) {
                directions->lanes[directions->k][j] = d[j];
                directions->lanes[directions->k + 1][j] = -d[j];
            }
            directions->k += 2;
        }
    }
}

/* The point where three planes at distance 1 from the origin meet; 0: nowhere. */
static int meet(double normals[3][3], double out[3])
{
    double across[3][3];
    for (int i = 0; i < 3; i++) {
        tmb_cross(normals[(i + 1) % 3], normals[(i + 2) % 3], across[i]);
    }
    const double determinant = tmb_dot(normals[0], across[0]);
    for (int j = 0; j < 3; j++) {
        out[j] = (across[0][j] + across[1][j] + across[2][j]) / determinant;
    }
    return fabs(determinant) > 1e-9;
}

static void unit_normal(const double lane[3], double out[3])
{
    const double length = tmb_length(lane);
    for (int j = 0; j < 3; j++) {
        out[j] = lane[j] / length;
    }
}

static void add_corner(design_directions *directions, const size_t lanes[3])
{
    double normals[3][3], point[3], normal[3];
    for (int i = 0; i < 3; i++) {
        unit_normal(directions->lanes[lanes[i]], normals[i]);
    }
    int inside = meet(normals, point);
    for (size_t l = 0; inside && l < directions->k; l++) {
        unit_normal(directions->lanes[l], normal);
        inside = tmb_dot(normal, point) < 1 + 1e-9;
    }
    if (inside && directions->corner_count < DESIGN_CORNERS) {
        for (int i = 0; i < 3; i++) {
            directions->corners[directions->corner_count][i] = (uint8_t)lanes[i];
        }
        memcpy(directions->corner_points[directions->corner_count++], point, sizeof point);
    }
}

void design_make_directions(design_directions *directions, const char *name, unsigned kinds)
{
    static const int sizes[][3] = {{1, 1, 1}, {1, 1, 0}, {2, 1, 0}, {2, 1, 1}, {2, 2, 1}};
    *directions = (design_directions){.name = name};
    add_kind(directions, (const int[3]){1, 0, 0});
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (kinds >> i & 1) {
            add_kind(directions, sizes[i]);
        }
    }
    for (size_t a = 0; a < directions->k; a++) {
        for (size_t b = a + 1; b < directions->k; b++) {
            for (size_t c = b + 1; c < directions->k; c++) {
                add_corner(directions, (const size_t[3]){a, b, c});
            }
        }
    }
}

/* ---- Trees ---- */

typedef struct tree_maker {
    const design_sets *sets;
    design_tree *tree;
    uint32_t degree, leaf;
    const uint8_t *leaves;
} tree_maker;

enum {
    MOST_CHILDREN = 64
};

static int is_leaf(const tree_maker *m, uint32_t split)
{
    const design_split *s = &m->sets->splits[split];
    return s->count <= m->leaf || (m->leaves && m->leaves[split]);
}

static float surface_of(const design_split *s)
{
    const float x = s->upper[0] - s->lower[0], y = s->upper[1] - s->lower[1], z = s->upper[2] - s->lower[2];
    return x * y + y * z + z * x;
}

/* The two children, of which the one with the largest surface is replaced by its own as long as there is room. */
static uint32_t list_children(const tree_maker *m, const design_split *parent, uint32_t out[MOST_CHILDREN])
{
    uint32_t count = 2;
    out[0] = parent->children[0];
    out[1] = parent->children[1];
    while (count < m->degree) {
        uint32_t largest = count;
        for (uint32_t i = 0; i < count; i++) {
            if (!is_leaf(m, out[i]) && (largest == count || surface_of(&m->sets->splits[out[i]]) >
                                                                surface_of(&m->sets->splits[out[largest]]))) {
                largest = i;
            }
        }
        if (largest == count) {
            break;
        }
        const uint32_t *children = m->sets->splits[out[largest]].children;
        out[count++] = children[1];
        out[largest] = children[0];
    }
    return count;
}

static void make_node(const tree_maker *m, uint32_t split, size_t number)
{
    const design_split *from = &m->sets->splits[split];
    design_node *node = &m->tree->nodes[number];
    uint32_t children[MOST_CHILDREN];
    *node = (design_node){.first = from->first, .count = from->count};
    if (is_leaf(m, split)) {
        return;
    }
    node->child_count = list_children(m, from, children);
    node->child = (uint32_t)m->tree->node_count;
    m->tree->node_count += node->child_count;
    for (uint32_t i = 0; i < m->tree->nodes[number].child_count; i++) {
        make_node(m, children[i], m->tree->nodes[number].child + i);
    }
}

static void widen(const design_directions *directions, double corners[3][3], float *bounds)
{
    for (int c = 0; c < 3; c++) {
        for (size_t l = 0; l < directions->k; l++) {
            const float x = (float)tmb_dot(directions->lanes[l], corners[c]);
            bounds[l] = x > bounds[l] ? x : bounds[l];
        }
    }
}

/* Children lie behind their parents. */
static void fit_nodes(const tree_maker *m)
{
    const design_directions *directions = m->tree->directions;
    for (size_t i = m->tree->node_count; i-- > 0;) {
        const design_node *node = &m->tree->nodes[i];
        float *bounds = m->tree->bounds + i * directions->k;
        for (size_t l = 0; l < directions->k; l++) {
            bounds[l] = -INFINITY;
        }
        for (uint32_t t = 0; !node->child_count && t < node->count; t++) {
            widen(directions, m->sets->corners[node->first + t], bounds);
        }
        for (uint32_t c = 0; c < node->child_count; c++) {
            const float *child = m->tree->bounds + (node->child + c) * directions->k;
            for (size_t l = 0; l < directions->k; l++) {
                bounds[l] = child[l] > bounds[l] ? child[l] : bounds[l];
            }
        }
    }
}

design_tree design_make_tree(const design_sets *sets, const design_directions *directions, uint32_t degree,
                             uint32_t leaf, const uint8_t *leaves)
{
    design_tree tree = {
        .directions = directions, .nodes = bench_allocate(sets->split_count, sizeof *tree.nodes), .node_count = 1};
    const tree_maker maker = {sets, &tree, degree < MOST_CHILDREN ? degree : MOST_CHILDREN, leaf, leaves};
    make_node(&maker, 0, 0);
    tree.bounds = bench_allocate(tree.node_count * directions->k, sizeof *tree.bounds);
    fit_nodes(&maker);
    return tree;
}

void design_free_tree(design_tree *tree)
{
    free(tree->nodes);
    free(tree->bounds);
    *tree = (design_tree){.nodes = NULL};
}
