/* Hulls of points on a line or in a plane. */
#include "tree/kdop/hull/flat.h"

#include <string.h>

#include "base/assert.h"
#include "base/sort.h"
#include "math/predicates.h"

/* ---- Seen along an axis ---- */

static void project(const double p[3], int axis, double out[2])
{
    out[0] = p[(axis + 1) % 3];
    out[1] = p[(axis + 2) % 3];
}

static int turn(const double (*points)[3], int axis, uint32_t a, uint32_t b, uint32_t c)
{
    double p[3][2];
    project(points[a], axis, p[0]);
    project(points[b], axis, p[1]);
    project(points[c], axis, p[2]);
    return tmb_orient2d(p[0], p[1], p[2]);
}

/* Points that are on a line in all three views are on a line. */
int tmb_hull_flat_axis(const double (*points)[3], uint32_t a, uint32_t b, uint32_t c)
{
    for (int axis = 2; axis >= 0; axis--) {
        if (turn(points, axis, a, b, c) != 0) {
            return axis;
        }
    }
    return -1;
}

/* ---- Lines ---- */

/* By x, then y, then z, which is the order along any line. */
static int compare(const double a[3], const double b[3])
{
    for (int k = 0; k < 3; k++) {
        if (a[k] != b[k]) {
            return a[k] < b[k] ? -1 : 1;
        }
    }
    return 0;
}

uint32_t tmb_hull_line(const double (*points)[3], uint32_t count, uint32_t ends[2])
{
    TMB_ASSERT(count > 0);
    ends[0] = ends[1] = 0;
    for (uint32_t i = 1; i < count; i++) {
        if (compare(points[i], points[ends[0]]) < 0) {
            ends[0] = i;
        }
        if (compare(points[i], points[ends[1]]) > 0) {
            ends[1] = i;
        }
    }
    return ends[0] == ends[1] ? 1 : 2;
}

/* ---- Planes: Andrew, Another efficient algorithm for convex hulls in two dimensions, 1979 ---- */

/* Integers in the order of the doubles; adding 0 makes one zero of two. */
static uint64_t key_of(double value)
{
    const double number = value + 0.0;
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static void set_keys(const double (*points)[3], uint32_t count, int coordinate, tmb_sort_item *items)
{
    for (uint32_t i = 0; i < count; i++) {
        items[i].key = key_of(points[items[i].value][coordinate]);
    }
}

/* All points by the first coordinate of the view, then by the second. */
static const tmb_sort_item *sort_points(tmb_arena *scratch, const double (*points)[3], uint32_t count, int axis)
{
    tmb_sort_item *items = tmb_arena_allocate(scratch, count, sizeof *items);
    tmb_sort_item *others = tmb_arena_allocate(scratch, count, sizeof *others);
    if (!items || !others) {
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        items[i] = (tmb_sort_item){0, i};
    }
    set_keys(points, count, (axis + 2) % 3, items);
    tmb_sort_item *sorted = tmb_sort(items, others, count);
    set_keys(points, count, (axis + 1) % 3, sorted);
    return tmb_sort(sorted, sorted == items ? others : items, count);
}

/* Adds a point to a chain that turns left, whose first part before `base` is settled. */
static uint32_t push(const double (*points)[3], int axis, uint32_t *ring, uint32_t count, uint32_t base, uint32_t point)
{
    while (count >= base + 2 && turn(points, axis, ring[count - 2], ring[count - 1], point) <= 0) {
        count--;
    }
    ring[count] = point;
    return count + 1;
}

int tmb_hull_ring(tmb_arena *scratch, const double (*points)[3], uint32_t count, int axis, uint32_t *ring,
                  uint32_t *corner_count)
{
    TMB_ASSERT(axis >= 0 && axis < 3);
    TMB_ASSERT(count >= 3);
    const tmb_sort_item *sorted = sort_points(scratch, points, count, axis);
    if (!sorted) {
        return 0;
    }
    uint32_t size = 0;
    for (uint32_t i = 0; i < count; i++) {
        size = push(points, axis, ring, size, 0, (uint32_t)sorted[i].value);
    }
    const uint32_t base = size - 1; /* the last point begins the way back */
    for (uint32_t i = count - 1; i-- > 0;) {
        size = push(points, axis, ring, size, base, (uint32_t)sorted[i].value);
    }
    *corner_count = size - 1; /* the first point has come again */
    return 1;
}

/* ---- Graphs ---- */

/* Where the corner stands in the ascending list of vertices. */
static uint32_t rank_of(const tmb_hull *hull, uint32_t corner)
{
    TMB_ASSERT(corner >= hull->vertices[0] && corner <= hull->vertices[hull->count - 1]);
    uint32_t low = 0, high = hull->count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (hull->vertices[middle] <= corner) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static int sort_vertices(tmb_arena *scratch, const uint32_t *ring, tmb_hull *out)
{
    tmb_sort_item *items = tmb_arena_allocate(scratch, out->count, sizeof *items);
    tmb_sort_item *others = tmb_arena_allocate(scratch, out->count, sizeof *others);
    if (!items || !others) {
        return 0;
    }
    for (uint32_t i = 0; i < out->count; i++) {
        items[i] = (tmb_sort_item){ring[i], 0};
    }
    const tmb_sort_item *sorted = tmb_sort(items, others, out->count);
    for (uint32_t i = 0; i < out->count; i++) {
        out->vertices[i] = (uint32_t)sorted[i].key;
    }
    return 1;
}

int tmb_hull_from_ring(tmb_arena *scratch, const uint32_t *ring, tmb_hull *out)
{
    const uint32_t count = out->count, each = count < 3 ? count - 1 : 2;
    if (!sort_vertices(scratch, ring, out)) {
        return 0;
    }
    for (uint32_t i = 0; i <= count; i++) {
        out->first[i] = i * each;
    }
    for (uint32_t i = 0; i < count && count > 1; i++) {
        uint32_t *list = out->neighbours + (size_t)each * rank_of(out, ring[i]);
        const uint32_t left = rank_of(out, ring[i > 0 ? i - 1 : count - 1]);
        const uint32_t right = rank_of(out, ring[i + 1 < count ? i + 1 : 0]);
        list[0] = left < right ? left : right;
        list[each - 1] = left < right ? right : left;
    }
    return 1;
}
