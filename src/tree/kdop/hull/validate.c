/* Whether a loaded hull is safe to climb on. */
#include <math.h>

#include "base/assert.h"
#include "tree/kdop/hull/hull.h"

static int is_finite_point(const double p[3])
{
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

static int has_neighbour(const tmb_hull_view *hull, uint32_t vertex, uint32_t neighbour)
{
    uint32_t low = hull->first[vertex], high = hull->first[vertex + 1];
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (hull->neighbours[middle] < neighbour) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < hull->first[vertex + 1] && hull->neighbours[low] == neighbour;
}

static int check_lists(const tmb_hull_view *hull, uint64_t neighbour_count)
{
    if (hull->first[0] != 0 || hull->first[hull->count] != neighbour_count) {
        return 0;
    }
    for (uint32_t v = 0; v < hull->count; v++) {
        if (hull->first[v] > hull->first[v + 1]) {
            return 0;
        }
    }
    return 1;
}

static int check_vertex(const tmb_hull_view *hull, uint32_t vertex)
{
    const uint32_t begin = hull->first[vertex], end = hull->first[vertex + 1];
    if (!is_finite_point(hull->points[vertex]) || (begin == end && hull->count > 1)) {
        return 0;
    }
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t other = hull->neighbours[i];
        if (other >= hull->count || other == vertex || (i > begin && other <= hull->neighbours[i - 1])) {
            return 0;
        }
    }
    return 1;
}

static int check_symmetry(const tmb_hull_view *hull, uint32_t vertex)
{
    for (uint32_t i = hull->first[vertex]; i < hull->first[vertex + 1]; i++) {
        if (!has_neighbour(hull, hull->neighbours[i], vertex)) {
            return 0;
        }
    }
    return 1;
}

int tmb_hull_validate(const tmb_hull_view *hull, uint64_t neighbour_count)
{
    TMB_ASSERT(hull->count == 0 || (hull->points && hull->first));
    if (hull->count == 0 || !check_lists(hull, neighbour_count)) {
        return 0;
    }
    for (uint32_t v = 0; v < hull->count; v++) {
        if (!check_vertex(hull, v)) {
            return 0;
        }
    }
    for (uint32_t v = 0; v < hull->count; v++) {
        if (!check_symmetry(hull, v)) {
            return 0;
        }
    }
    return 1;
}
