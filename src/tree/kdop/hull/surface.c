/* The surface of a hull, point by point. See surface.h for why this works. */
#include "tree/kdop/hull/surface.h"

#include <math.h>

#include "base/assert.h"
#include "math/bounds.h"
#include "math/filter.h"
#include "math/predicates.h"

/* TMB_ERROR_PLANE, the error of the rounded plane. With e and f the edges from vertex a and S_x = |e_y f_z| + |e_z f_y|
 * and so on, a term of the normal meets four roundings, so the normal is off by 4 u S. The sums normal . q and normal .
 * a are off by 3 u |normal| . reach each, their difference by 2 u of that more, and |normal| is at most S; the error of
 * the normal counts with |q - a|, at most twice the reach. Together 16 u S . reach, and 17 covers what is of the order
 * of u^2. Underflow is far below TMB_ERROR_UNDERFLOW, overflow leaves infinity or NaN in the bound: then nothing is
 * certain. */

/* Fans of more facets than this are searched rather than scanned; a test searches all. */
#ifndef TMB_HULL_WIDE_FAN
#define TMB_HULL_WIDE_FAN 16
#endif

typedef struct seen_facet {
    uint32_t facet, waiting;
} seen_facet;

typedef struct horizon_edge {
    uint32_t from, to;
    uint32_t outer; /* the facet that stays */
    uint32_t facet; /* the new one */
} horizon_edge;

/* The new facets around a point, the apex: number k joins it to corner k and the next one. */
typedef struct fan {
    const horizon_edge *edges; /* in the order of the cycle; number k comes from corner k */
    uint32_t count, apex;
} fan;

/* ---- Planes ---- */

static void set_plane(const tmb_hull_surface *s, tmb_hull_facet *facet)
{
    const double *a = s->points[facet->vertices[0]], *b = s->points[facet->vertices[1]];
    const double *c = s->points[facet->vertices[2]];
    double sum = 0.0, offset = 0.0;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double plus = (b[i] - a[i]) * (c[j] - a[j]), minus = (b[j] - a[j]) * (c[i] - a[i]);
        facet->normal[k] = plus - minus;
        offset += facet->normal[k] * a[k];
        sum += (fabs(plus) + fabs(minus)) * s->reach[k];
    }
    facet->offset = offset;
    facet->bound = TMB_ERROR_PLANE * sum + TMB_ERROR_UNDERFLOW * (s->reach[0] + s->reach[1] + s->reach[2] + 1.0);
}

int tmb_hull_side(const tmb_hull_surface *surface, const tmb_hull_facet *facet, const double point[3])
{
    TMB_ASSERT(facet->vertices[0] != TMB_HULL_NONE);
    const double *n = facet->normal;
    const double height = n[0] * point[0] + n[1] * point[1] + n[2] * point[2] - facet->offset;
    const int sign = tmb_certain_sign(height, facet->bound);
    if (sign != 0) {
        return sign;
    }
    const double(*points)[3] = surface->points;
    const uint32_t *v = facet->vertices;
    return -tmb_orient3d(points[v[0]], points[v[1]], points[v[2]], point);
}

static int sees(const tmb_hull_surface *s, uint32_t point, uint32_t facet)
{
    return tmb_hull_side(s, tmb_hull_facets(s) + facet, s->points[point]) > 0;
}

/* ---- Facets ---- */

static int reserve_facets(tmb_hull_surface *s, uint32_t more)
{
    const size_t used = s->facet_count, count = used + more;
    return tmb_buffer_reserve(s->context, &s->facets, count, sizeof(tmb_hull_facet), used * sizeof(tmb_hull_facet)) &&
           tmb_buffer_reserve(s->context, &s->seen, count, sizeof(seen_facet), 0) &&
           tmb_buffer_reserve(s->context, &s->horizon, count, sizeof(horizon_edge), 0);
}

static uint32_t take_facet(tmb_hull_surface *s)
{
    TMB_ASSERT(s->free != TMB_HULL_NONE || (size_t)s->facet_count * sizeof(tmb_hull_facet) < s->facets.capacity);
    const uint32_t facet = s->free;
    if (facet == TMB_HULL_NONE) {
        return s->facet_count++;
    }
    s->free = tmb_hull_facets(s)[facet].waiting;
    return facet;
}

static void give_facet(tmb_hull_surface *s, uint32_t number)
{
    TMB_ASSERT(number < s->facet_count);
    TMB_ASSERT(tmb_hull_facets(s)[number].vertices[0] != TMB_HULL_NONE);
    tmb_hull_facet *facet = tmb_hull_facets(s) + number;
    facet->vertices[0] = TMB_HULL_NONE;
    facet->waiting = s->free;
    s->free = number;
}

static void set_facet(tmb_hull_surface *s, uint32_t number, uint32_t a, uint32_t b, uint32_t c)
{
    TMB_ASSERT(number < s->facet_count);
    TMB_ASSERT(a != b && b != c && c != a);
    TMB_ASSERT(a < s->point_count && b < s->point_count && c < s->point_count);
    tmb_hull_facet *facet = tmb_hull_facets(s) + number;
    facet->vertices[0] = a;
    facet->vertices[1] = b;
    facet->vertices[2] = c;
    facet->waiting = TMB_HULL_NONE;
    facet->seen = 0;
    set_plane(s, facet);
}

static void wait_at(tmb_hull_surface *s, uint32_t point, uint32_t facet)
{
    TMB_ASSERT(point < s->point_count && facet < s->facet_count);
    TMB_ASSERT(tmb_hull_facets(s)[facet].vertices[0] != TMB_HULL_NONE);
    s->owner[point] = facet;
    s->links[point] = tmb_hull_facets(s)[facet].waiting;
    tmb_hull_facets(s)[facet].waiting = point;
}

/* ---- Adding a point ---- */

/* Lists the facets that the point sees, and the edges around them; they are at most two more than the facets, as the
 * facets form a disc: a triangulated disc with i inner vertices and t triangles has t + 2 - 2i edges around it. */
static uint32_t find_horizon(tmb_hull_surface *s, uint32_t point, uint32_t *edge_count)
{
    tmb_hull_facet *facets = tmb_hull_facets(s);
    seen_facet *seen = s->seen.data;
    horizon_edge *edges = s->horizon.data;
    uint32_t count = 1;
    *edge_count = 0;
    seen[0].facet = s->owner[point];
    facets[seen[0].facet].seen = 1;
    for (uint32_t i = 0; i < count; i++) {
        const tmb_hull_facet *facet = facets + seen[i].facet;
        seen[i].waiting = facet->waiting;
        for (int k = 0; k < 3; k++) {
            const uint32_t next = facet->neighbours[k];
            if (facets[next].seen) {
                continue;
            }
            if (sees(s, point, next)) {
                facets[next].seen = 1;
                seen[count++].facet = next;
            } else {
                edges[(*edge_count)++] = (horizon_edge){facet->vertices[k], facet->vertices[(k + 1) % 3], next, 0};
            }
        }
    }
    return count;
}

/* Brings the edges into the order of the cycle. */
static void sort_horizon(tmb_hull_surface *s, uint32_t count)
{
    horizon_edge *edges = s->horizon.data;
    for (uint32_t i = 0; i < count; i++) {
        s->links[edges[i].from] = i;
    }
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t next = s->links[edges[i - 1].to];
        const horizon_edge displaced = edges[i];
        edges[i] = edges[next];
        edges[next] = displaced;
        s->links[displaced.from] = next;
    }
}

/* The facets that were seen make room for the new ones. */
static void replace_facets(tmb_hull_surface *s, uint32_t seen_count, uint32_t edge_count, uint32_t point)
{
    TMB_ASSERT(edge_count >= 3);
    TMB_ASSERT(edge_count <= seen_count + 2);
    const seen_facet *seen = s->seen.data;
    horizon_edge *edges = s->horizon.data;
    for (uint32_t i = 0; i < seen_count; i++) {
        give_facet(s, seen[i].facet);
    }
    for (uint32_t i = 0; i < edge_count; i++) {
        edges[i].facet = take_facet(s);
        set_facet(s, edges[i].facet, edges[i].from, edges[i].to, point);
    }
}

static void join_facets(tmb_hull_surface *s, uint32_t count)
{
    tmb_hull_facet *facets = tmb_hull_facets(s);
    const horizon_edge *edges = s->horizon.data;
    for (uint32_t i = 0; i < count; i++) {
        tmb_hull_facet *facet = facets + edges[i].facet, *outer = facets + edges[i].outer;
        facet->neighbours[0] = edges[i].outer;
        facet->neighbours[1] = edges[i + 1 < count ? i + 1 : 0].facet;
        facet->neighbours[2] = edges[i > 0 ? i - 1 : count - 1].facet;
        const uint32_t *v = outer->vertices;
        outer->neighbours[v[0] == edges[i].to ? 0 : v[1] == edges[i].to ? 1 : 2] = edges[i].facet;
    }
}

/* ---- Waiting points ---- */

static uint32_t scan_fan(const tmb_hull_surface *s, const fan *f, uint32_t point)
{
    for (uint32_t i = 0; i < f->count; i++) {
        if (sees(s, point, f->edges[i].facet)) {
            return f->edges[i].facet;
        }
    }
    return TMB_HULL_NONE;
}

/* On which side of the plane through the apex, corner 0 and corner k: 1 where the corners after k are. */
static int side_of_corner(const tmb_hull_surface *s, const fan *f, uint32_t k, uint32_t point)
{
    TMB_ASSERT(k < f->count);
    return tmb_orient3d(s->points[f->edges[0].from], s->points[f->edges[k].from], s->points[f->apex], s->points[point]);
}

/* The last corner from 1 to count - 2 whose side is at least this; it is taken for granted of corner 1. */
static uint32_t last_corner(const tmb_hull_surface *s, const fan *f, int side, uint32_t point)
{
    TMB_ASSERT(f->count >= 3);
    uint32_t low = 1, high = f->count - 1;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (side_of_corner(s, f, middle, point) >= side) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* A facet of the fan that the point sees, in logarithmic time: a spike on a large disc has a fan of half the points,
 * and scanning it for the other half would be quadratic.
 *
 * A point that sees neither the first nor the last facet is in the wedge between their planes. The half-planes from the
 * line through apex and corner 0 through the other corners divide the wedge into sectors; the cone of the fan is in
 * each of them bounded by one facet only. So the point sees the facet of its sector or none. On a half-plane with
 * corners first to last, the facets that end there are decisive, unless they are in its plane: before the first or
 * after the last one is not. All sides are 0 on the line itself only, or when all corners but one are in a plane; then
 * the fan is scanned. */
static uint32_t search_fan(const tmb_hull_surface *s, const fan *f, uint32_t point)
{
    const horizon_edge *edges = f->edges;
    const uint32_t last = f->count - 1;
    if (sees(s, point, edges[0].facet)) {
        return edges[0].facet;
    }
    if (sees(s, point, edges[last].facet)) {
        return edges[last].facet;
    }
    const uint32_t before = last_corner(s, f, 1, point);
    if (sees(s, point, edges[before].facet)) {
        return edges[before].facet;
    }
    if (before + 1 == last || side_of_corner(s, f, before + 1, point) != 0) {
        return TMB_HULL_NONE;
    }
    const uint32_t behind = last_corner(s, f, 0, point);
    if (before == 1 && behind == last - 1) {
        return scan_fan(s, f, point);
    }
    return sees(s, point, edges[behind].facet) ? edges[behind].facet : TMB_HULL_NONE;
}

/* A point that sees no facet of the fan is inside, or the apex. */
static void send_on(tmb_hull_surface *s, const fan *f, uint32_t point)
{
    uint32_t facet = TMB_HULL_NONE;
    if (point != f->apex) {
        facet = f->count > TMB_HULL_WIDE_FAN ? search_fan(s, f, point) : scan_fan(s, f, point);
    }
    s->owner[point] = TMB_HULL_NONE;
    if (facet != TMB_HULL_NONE) {
        wait_at(s, point, facet);
    }
}

/* All points that waited at removed facets. */
static void send_all_on(tmb_hull_surface *s, uint32_t seen_count, const fan *f)
{
    const seen_facet *seen = s->seen.data;
    for (uint32_t i = 0; i < seen_count; i++) {
        uint32_t next;
        for (uint32_t point = seen[i].waiting; point != TMB_HULL_NONE; point = next) {
            next = s->links[point];
            send_on(s, f, point);
        }
    }
}

static int add_point(tmb_hull_surface *s, uint32_t point)
{
    if (!reserve_facets(s, 2)) {
        return 0;
    }
    uint32_t edge_count;
    const uint32_t seen_count = find_horizon(s, point, &edge_count);
    sort_horizon(s, edge_count);
    replace_facets(s, seen_count, edge_count, point);
    join_facets(s, edge_count);
    const fan around = {s->horizon.data, edge_count, point};
    send_all_on(s, seen_count, &around);
    return 1;
}

/* ---- All points ---- */

static int make_simplex(tmb_hull_surface *s, const uint32_t simplex[4])
{
    static const uint32_t neighbours[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    const double(*p)[3] = s->points;
    const uint32_t a = simplex[0], d = simplex[3];
    const int turned = tmb_orient3d(p[a], p[simplex[1]], p[simplex[2]], p[d]) < 0;
    const uint32_t b = simplex[turned ? 2 : 1], c = simplex[turned ? 1 : 2];
    if (!reserve_facets(s, 4)) {
        return 0;
    }
    s->facet_count = 4;
    s->free = TMB_HULL_NONE;
    set_facet(s, 0, a, b, c);
    set_facet(s, 1, a, d, b);
    set_facet(s, 2, b, d, c);
    set_facet(s, 3, c, d, a);
    for (int i = 0; i < 12; i++) {
        tmb_hull_facets(s)[i / 3].neighbours[i % 3] = neighbours[i / 3][i % 3];
    }
    return 1;
}

static void wait_at_simplex(tmb_hull_surface *s)
{
    for (uint32_t i = s->point_count; i-- > 0;) {
        uint32_t facet = 0;
        while (facet < 4 && !sees(s, i, facet)) {
            facet++;
        }
        s->owner[i] = TMB_HULL_NONE;
        if (facet < 4) {
            wait_at(s, i, facet);
        }
    }
}

/* Half of the points belong to the last round 0, a quarter to round 1 before it, and so on. */
static unsigned round_of(uint32_t point)
{
    uint64_t z = (point + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15); /* splitmix64: Steele, Lea, Flood 2014 */
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (unsigned)__builtin_ctz((uint32_t)(z ^ z >> 31) | 0x80000000u);
}

static void make_order(uint32_t count, uint32_t *order)
{
    uint32_t places[32] = {0}, sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        places[round_of(i)]++;
    }
    for (int round = 31; round >= 0; round--) {
        const uint32_t here = places[round];
        places[round] = sum;
        sum += here;
    }
    for (uint32_t i = 0; i < count; i++) {
        order[places[round_of(i)]++] = i;
    }
}

int tmb_hull_surface_make(tmb_hull_surface *surface, const uint32_t simplex[4], uint32_t *order)
{
    TMB_ASSERT(simplex[0] != simplex[1] && simplex[2] != simplex[3]);
    TMB_ASSERT(surface->context && surface->points && surface->owner && surface->links);
    TMB_ASSERT(surface->point_count >= 4);
    TMB_ASSERT_SLOW(tmb_orient3d(surface->points[simplex[0]], surface->points[simplex[1]], surface->points[simplex[2]],
                                 surface->points[simplex[3]]) != 0);
    if (!make_simplex(surface, simplex)) {
        return 0;
    }
    wait_at_simplex(surface);
    make_order(surface->point_count, order);
    for (uint32_t i = 0; i < surface->point_count; i++) {
        if (surface->owner[order[i]] != TMB_HULL_NONE && !add_point(surface, order[i])) {
            return 0;
        }
    }
    return 1;
}

void tmb_hull_surface_release(tmb_hull_surface *surface)
{
    tmb_buffer_release(surface->context, &surface->facets);
    tmb_buffer_release(surface->context, &surface->seen);
    tmb_buffer_release(surface->context, &surface->horizon);
}
