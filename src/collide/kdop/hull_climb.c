/* Climbing on a hull.
 *
 * Why it is exact. All of a convex polytope lies in the cone at a vertex v that is spanned by the edges there. When no
 * neighbour q has direction . (q - v) > 0, no point of that cone has, so a local maximum is the global one. That fails
 * when the comparisons are rounded: on a finely curved hull the differences to all neighbours of a vertex far from the
 * top can be below the error, so climbing stops there, and the resulting k-DOP misses what lies above. Therefore a
 * difference whose sign is not certain is computed exactly. */
#include "collide/kdop/hull_climb.h"

#include "base/assert.h"
#include "math/along.h"

/* The neighbour that is surely higher, and by the most as far as rounded numbers tell: the paper's choice. `vertex`
 * itself when there is none; then `*doubtful` says whether some could not be decided. */
static uint32_t best_neighbour(const tmb_hull_view *hull, const double direction[3], uint32_t vertex, int *doubtful)
{
    TMB_ASSERT(vertex < hull->count);
    const double *here = hull->points[vertex];
    uint32_t best = vertex;
    double most = 0.0;
    *doubtful = 0;
    for (uint32_t i = hull->first[vertex]; i < hull->first[vertex + 1]; i++) {
        double bound;
        const double rise = tmb_along_filter(direction, hull->points[hull->neighbours[i]], here, &bound);
        if (rise > bound && rise > most) {
            most = rise;
            best = hull->neighbours[i];
        }
        *doubtful |= !(rise > bound) && !(rise < -bound);
    }
    return best;
}

/* A neighbour that is higher, or `vertex` when there is none. */
static uint32_t exact_neighbour(const tmb_hull_view *hull, const double direction[3], uint32_t vertex)
{
    TMB_ASSERT(vertex < hull->count);
    for (uint32_t i = hull->first[vertex]; i < hull->first[vertex + 1]; i++) {
        const uint32_t other = hull->neighbours[i];
        if (tmb_compare_along(direction, hull->points[other], hull->points[vertex]) > 0) {
            return other;
        }
    }
    return vertex;
}

uint32_t tmb_hull_climb_counted(const tmb_hull_view *hull, const double direction[3], uint32_t start,
                                uint64_t *compared)
{
    TMB_ASSERT(hull->count > 0 && start < hull->count);
    TMB_ASSERT(isfinite(direction[0]) && isfinite(direction[1]) && isfinite(direction[2]));
    uint32_t vertex = start;
    for (;;) {
        int doubtful;
        uint32_t next = best_neighbour(hull, direction, vertex, &doubtful);
        *compared += hull->first[vertex + 1] - hull->first[vertex];
        if (next == vertex && doubtful) {
            next = exact_neighbour(hull, direction, vertex);
        }
        if (next == vertex) {
            return vertex;
        }
        vertex = next;
    }
}

uint32_t tmb_hull_climb(const tmb_hull_view *hull, const double direction[3], uint32_t start)
{
    uint64_t compared = 0;
    return tmb_hull_climb_counted(hull, direction, start, &compared);
}
