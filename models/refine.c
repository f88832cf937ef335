/* Meshes of an exact size: long edges are cut in half. */
#include <stdlib.h>

#include "build.h"

/* A directed edge of a triangle, and the triangle; two of them in a row are the two sides of an edge. */
typedef struct side {
    uint32_t low, high; /* ends, in order of their numbers */
    uint32_t triangle;
    int forward; /* the triangle runs from low to high */
} side;

/* An edge of exactly two triangles, which run along it in opposite directions. */
typedef struct inner_edge {
    uint32_t low, high, forward, backward;
    double square; /* of its length */
} inner_edge;

static int compare_sides(const void *left, const void *right)
{
    const side *a = left, *b = right;
    if (a->low != b->low) {
        return a->low < b->low ? -1 : 1;
    }
    if (a->high != b->high) {
        return a->high < b->high ? -1 : 1;
    }
    return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

/* Longest first. */
static int compare_edges(const void *left, const void *right)
{
    const inner_edge *a = left, *b = right;
    if (a->square != b->square) {
        return a->square > b->square ? -1 : 1;
    }
    return a->forward < b->forward ? -1 : a->forward > b->forward ? 1 : a->low < b->low ? -1 : a->low > b->low;
}

static double squared_length(const models_mesh *mesh, uint32_t a, uint32_t b)
{
    const double *p = &mesh->points[3 * (size_t)a], *q = &mesh->points[3 * (size_t)b];
    double square = 0;
    for (int k = 0; k < 3; k++) {
        square += (p[k] - q[k]) * (p[k] - q[k]);
    }
    return square;
}

static void list_sides(const models_mesh *mesh, side *sides)
{
    for (size_t i = 0; i < mesh->index_count; i++) {
        const uint32_t from = mesh->indices[i], to = mesh->indices[i % 3 < 2 ? i + 1 : i - 2];
        sides[i] = (side){from < to ? from : to, from < to ? to : from, (uint32_t)(i / 3), from < to};
    }
    qsort(sides, mesh->index_count, sizeof *sides, compare_sides);
}

/* Returns their number. */
static size_t list_edges(const models_mesh *mesh, const side *sides, inner_edge *edges)
{
    size_t count = 0, end;
    for (size_t i = 0; i < mesh->index_count; i = end) {
        end = i + 1;
        while (end < mesh->index_count && sides[end].low == sides[i].low && sides[end].high == sides[i].high) {
            end++;
        }
        if (end == i + 2 && sides[i].forward != sides[i + 1].forward) {
            const side *forward = &sides[sides[i].forward ? i : i + 1],
                       *backward = &sides[sides[i].forward ? i + 1 : i];
            edges[count++] = (inner_edge){forward->low, forward->high, forward->triangle, backward->triangle,
                                          squared_length(mesh, forward->low, forward->high)};
        }
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    return count;
}

/* The triangle keeps the half at `from`; its other half is new. */
static void cut_triangle(models_mesh *mesh, uint32_t triangle, uint32_t to, uint32_t middle)
{
    uint32_t half[3], *corners = &mesh->indices[3 * (size_t)triangle];
    for (int k = 0; k < 3; k++) {
        half[k] = corners[k];
        if (corners[k] == to) {
            corners[k] = middle;
        }
    }
    for (int k = 0; k < 3; k++) {
        if (half[k] == to) {
            half[(k + 2) % 3] = middle; /* what lies before `to` */
        }
    }
    const uint32_t surface = mesh->surface;
    mesh->surface = mesh->surface_ids[triangle];
    models_polygon(mesh, half, 3);
    mesh->surface = surface;
}

static void cut_edge(models_mesh *mesh, const inner_edge *edge)
{
    double at[3];
    for (size_t k = 0; k < 3; k++) {
        at[k] = 0.5 * (mesh->points[3 * (size_t)edge->low + k] + mesh->points[3 * (size_t)edge->high + k]);
    }
    const uint32_t middle = models_point(mesh, at[0], at[1], at[2]);
    cut_triangle(mesh, edge->forward, edge->high, middle);
    cut_triangle(mesh, edge->backward, edge->low, middle);
}

/* One pass: a triangle is cut at most once. Returns whether anything was cut. */
static int cut_longest(models_mesh *mesh, size_t triangles, const inner_edge *edges, size_t count, uint8_t *used)
{
    const size_t before = mesh->polygon_count;
    for (size_t i = 0; i < count && mesh->polygon_count < triangles && !mesh->failed; i++) {
        const inner_edge *edge = &edges[i];
        if (!used[edge->forward] && !used[edge->backward]) {
            used[edge->forward] = used[edge->backward] = 1;
            cut_edge(mesh, edge);
        }
    }
    return mesh->polygon_count > before;
}

int models_split_to(models_mesh *mesh, size_t triangles)
{
    int going = 1;
    while (going && mesh->polygon_count < triangles && !mesh->failed) {
        side *sides = models_allocate(mesh, mesh->index_count, sizeof *sides);
        inner_edge *edges = models_allocate(mesh, mesh->index_count / 2 + 1, sizeof *edges);
        uint8_t *used = models_allocate(mesh, mesh->polygon_count, 1);
        going = 0;
        if (!mesh->failed) {
            list_sides(mesh, sides);
            going = cut_longest(mesh, triangles, edges, list_edges(mesh, sides, edges), used);
        }
        free(sides);
        free(edges);
        free(used);
    }
    return !mesh->failed && mesh->polygon_count == triangles;
}
