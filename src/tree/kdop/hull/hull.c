/* The hull of points: their scale and dimension. */
#include "tree/kdop/hull/hull.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/predicates.h"
#include "math/vec3.h"
#include "tree/kdop/hull/flat.h"
#include "tree/kdop/hull/graph.h"
#include "tree/kdop/hull/surface.h"

typedef struct builder {
    tmb_arena *arena, *scratch;
    const double (*points)[3];
    uint32_t count;
    double reach[3];
    uint32_t simplex[4]; /* as many points as the hull has dimensions, and one */
} builder;

/* ---- Scale ----
 *
 * Products of three coordinates must neither over- nor underflow, or the filters cannot decide and everything is done
 * in long integers. The hull does not change with the unit of length, so extreme sizes are brought near 1 when that is
 * exact for all coordinates. */

#define MODERATE 200 /* binary orders of magnitude on both sides of 1 */

static void measure_reach(builder *b)
{
    memset(b->reach, 0, sizeof b->reach);
    for (uint32_t i = 0; i < b->count; i++) {
        for (int k = 0; k < 3; k++) {
            const double size = fabs(b->points[i][k]);
            b->reach[k] = size > b->reach[k] ? size : b->reach[k];
        }
    }
}

static int scale_exactly(const builder *b, int exponent, double (*out)[3])
{
    int exact = 1;
    for (uint32_t i = 0; i < b->count; i++) {
        for (int k = 0; k < 3; k++) {
            out[i][k] = ldexp(b->points[i][k], exponent);
            exact &= ldexp(out[i][k], -exponent) == b->points[i][k];
        }
    }
    return exact;
}

static int scale(builder *b)
{
    int exponent;
    measure_reach(b);
    frexp(fmax(b->reach[0], fmax(b->reach[1], b->reach[2])), &exponent);
    if (exponent >= -MODERATE && exponent <= MODERATE) {
        return 1;
    }
    double(*scaled)[3] = tmb_arena_allocate(b->scratch, b->count, sizeof *scaled);
    if (!scaled) {
        return 0;
    }
    if (scale_exactly(b, -exponent, scaled)) {
        b->points = (const double(*)[3])scaled;
        measure_reach(b);
    }
    return 1;
}

/* ---- Dimensions ----
 *
 * The points that span most, by rounded numbers; if these turn out to span nothing, the first that do. */

static int spans_line(const builder *b, uint32_t point)
{
    const double *p = b->points[b->simplex[0]], *q = b->points[point];
    return p[0] != q[0] || p[1] != q[1] || p[2] != q[2];
}

static int spans_plane(const builder *b, uint32_t point)
{
    return tmb_hull_flat_axis(b->points, b->simplex[0], b->simplex[1], point) >= 0;
}

static int spans_space(const builder *b, uint32_t point)
{
    const double(*p)[3] = b->points;
    return tmb_orient3d(p[b->simplex[0]], p[b->simplex[1]], p[b->simplex[2]], p[point]) != 0;
}

/* About how far the point is from what the first `known` points of the simplex span. */
static double rough_distance(const builder *b, int known, const double normal[3], uint32_t point)
{
    double arm[3], area[3];
    tmb_subtract(b->points[point], b->points[b->simplex[0]], arm);
    if (known == 1) {
        return tmb_dot(arm, arm);
    }
    if (known == 3) {
        return fabs(tmb_dot(normal, arm));
    }
    tmb_cross(normal, arm, area);
    return tmb_dot(area, area);
}

static uint32_t rough_furthest(const builder *b, int known, const double normal[3])
{
    double most = 0.0;
    uint32_t best = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        const double distance = rough_distance(b, known, normal, i);
        if (distance > most) {
            most = distance;
            best = i;
        }
    }
    return best;
}

typedef int spans_function(const builder *b, uint32_t point);

/* Finds one more point of the simplex; 0 when there is none. `normal` is the direction of the line or the normal of the
 * plane that is known. */
static int extend_simplex(builder *b, int known, const double normal[3], spans_function *spans)
{
    uint32_t best = rough_furthest(b, known, normal);
    for (uint32_t i = 0; !spans(b, best); i++) {
        if (i == b->count) {
            return 0;
        }
        best = i;
    }
    b->simplex[known] = best;
    return 1;
}

/* Returns the number of points found. */
static int find_simplex(builder *b)
{
    double line[3] = {0}, arm[3], normal[3];
    b->simplex[0] = 0;
    b->simplex[0] = rough_furthest(b, 1, line);
    if (!extend_simplex(b, 1, line, spans_line)) {
        return 1;
    }
    tmb_subtract(b->points[b->simplex[1]], b->points[b->simplex[0]], line);
    if (!extend_simplex(b, 2, line, spans_plane)) {
        return 2;
    }
    tmb_subtract(b->points[b->simplex[2]], b->points[b->simplex[0]], arm);
    tmb_cross(line, arm, normal);
    return extend_simplex(b, 3, normal, spans_space) ? 4 : 3;
}

/* ---- Hulls of 0 to 3 dimensions ---- */

static int build_ring(builder *b, uint32_t *ring, uint32_t count, tmb_hull *out)
{
    return tmb_hull_allocate(b->arena, count, tmb_hull_ring_neighbours(count), out) &&
           tmb_hull_from_ring(b->scratch, ring, out);
}

static int build_flat(builder *b, int known, tmb_hull *out)
{
    uint32_t ring[2];
    if (known < 3) {
        return build_ring(b, ring, tmb_hull_line(b->points, b->count, ring), out);
    }
    const int axis = tmb_hull_flat_axis(b->points, b->simplex[0], b->simplex[1], b->simplex[2]);
    uint32_t *plane_ring = tmb_arena_allocate(b->scratch, (size_t)b->count + 1, sizeof *plane_ring);
    uint32_t count;
    return plane_ring && tmb_hull_ring(b->scratch, b->points, b->count, axis, plane_ring, &count) &&
           build_ring(b, plane_ring, count, out);
}

static int build_solid(builder *b, tmb_hull *out)
{
    tmb_hull_surface surface = {.context = b->scratch->context, .points = b->points, .point_count = b->count};
    memcpy(surface.reach, b->reach, sizeof surface.reach);
    uint32_t *order = tmb_arena_allocate(b->scratch, b->count, sizeof *order);
    surface.owner = tmb_arena_allocate(b->scratch, b->count, sizeof *surface.owner);
    surface.links = tmb_arena_allocate(b->scratch, b->count, sizeof *surface.links);
    if (!order || !surface.owner || !surface.links) {
        return 0;
    }
    const int good = tmb_hull_surface_make(&surface, b->simplex, order) &&
                     tmb_hull_graph_make(b->arena, b->scratch, &surface, order, out);
    tmb_hull_surface_release(&surface);
    return good;
}

static int build_some(builder *b, tmb_hull *out)
{
    if (!scale(b)) {
        return 0;
    }
    const int known = find_simplex(b);
    return known == 4 ? build_solid(b, out) : build_flat(b, known, out);
}

static int build_none(tmb_arena *arena, tmb_hull *out)
{
    const int good = tmb_hull_allocate(arena, 0, 0, out);
    if (good) {
        out->first[0] = 0;
    }
    return good;
}

int tmb_hull_build(tmb_arena *arena, const double (*points)[3], size_t count, tmb_hull *out)
{
    TMB_ASSERT(count <= TMB_HULL_LIMIT);
    TMB_ASSERT(count == 0 || points);
    TMB_ASSERT_SLOW(count == 0 || tmb_all_finite(points[0], 3 * count));
    if (count == 0) {
        return build_none(arena, out);
    }
    if (count > TMB_HULL_LIMIT) {
        return 0;
    }
    tmb_arena scratch = {.context = arena->context};
    builder b = {.arena = arena, .scratch = &scratch, .points = points, .count = (uint32_t)count};
    const int good = build_some(&b, out);
    tmb_arena_release(&scratch);
    return good;
}
