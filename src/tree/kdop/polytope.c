/* Corners and edges of k-DOPs, by cutting off one half-space after the other. */
#include "tree/kdop/polytope.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/bounds.h"
#include "math/lattice.h"
#include "math/vec3.h"

/* Corners have numbers below this, so that sets of them fit a word; at most TMB_POLYTOPE_CORNERS are in use at a time.
 */
#define SLOTS 64

/* A polytope under construction. A corner is x / w, y / w, z / w with w > 0; its three lanes stand in the order in
 * which the sides lie around it, seen from outside, and corner_of[p][q] is the corner at which lane q follows lane
 * p. */
typedef struct partial {
    double x[SLOTS], y[SLOTS], z[SLOTS], w[SLOTS];
    double room[SLOTS]; /* how far inside the current plane they lie, times w */
    double normals[TMB_KDOP_MOST][3];
    const double *bounds;
    int golden; /* whether the normals are those of k = 12 */
    uint64_t used;
    uint32_t end; /* no corner has a larger number */
    uint8_t lanes[SLOTS][4];
    uint8_t corner_of[TMB_KDOP_MOST][TMB_KDOP_MOST];
} partial;

/* ---- Signs for k = 12: numbers a + b g, with whole a and b; g^2 = g + 1 ---- */

typedef struct golden {
    double a, b;
} golden;

static golden golden_from(double x)
{
    const double b = x == TMB_GOLDEN ? 1 : x == -TMB_GOLDEN ? -1 : 0;
    return b == 0 ? (golden){x, 0} : (golden){0, b};
}
static golden golden_difference(golden p, golden q)
{
    return (golden){p.a - q.a, p.b - q.b};
}
static golden golden_product(golden p, golden q)
{
    const double bb = p.b * q.b;
    return (golden){p.a * q.a + bb, p.a * q.b + p.b * q.a + bb};
}
static void golden_cross(const golden a[3], const golden b[3], golden out[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = golden_difference(golden_product(a[j], b[k]), golden_product(a[k], b[j]));
    }
}
static golden golden_dot(const golden a[3], const golden b[3])
{
    golden sum = {0, 0};
    for (int i = 0; i < 3; i++) {
        const golden term = golden_product(a[i], b[i]);
        sum = (golden){sum.a + term.a, sum.b + term.b};
    }
    return sum;
}

/* Twice the number is x + y root of 5: where the signs differ, squares decide which part is larger. */
static int golden_is_negative(golden p)
{
    const tmb_int128 y = (tmb_int128)p.b, x = 2 * (tmb_int128)p.a + y;
    return x * x > 5 * y * y ? x < 0 : y < 0;
}

/* Whether a corner lies beyond a plane, from its planes. All parts are whole and below 2^50. */
static int golden_is_beyond(const partial *p, const uint8_t lanes[3], uint32_t lane)
{
    TMB_ASSERT(lane < TMB_KDOP_MOST);
    golden n[3][3], m[3], edge[3], mixed[3], turned[3], corner[3];
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) {
            n[j][i] = golden_from(p->normals[lanes[j]][i]);
        }
        m[j] = golden_from(p->normals[lane][j]);
    }
    const golden a = {p->bounds[lanes[0]], 0}, b = {p->bounds[lanes[1]], 0}, c = {p->bounds[lanes[2]], 0};
    golden_cross(n[0], n[1], edge);
    for (int i = 0; i < 3; i++) {
        mixed[i] = golden_difference(golden_product(a, n[1][i]), golden_product(b, n[0][i]));
    }
    golden_cross(mixed, n[2], turned);
    for (int i = 0; i < 3; i++) {
        const golden part = golden_product(c, edge[i]);
        corner[i] = (golden){part.a + turned[i].a, part.b + turned[i].b};
    }
    const golden bound = golden_product((golden){p->bounds[lane], 0}, golden_dot(n[2], edge));
    return golden_is_negative(golden_difference(bound, golden_dot(m, corner)));
}

/* ---- Corners ---- */

/* Where three planes meet, by Cramer's rule: w is the determinant of the normals. */
static inline void put_corner(partial *p, uint32_t corner, uint32_t a, uint32_t b, uint32_t c)
{
    const double *na = p->normals[a], *nb = p->normals[b], *nc = p->normals[c];
    double edge[3], mixed[3], turned[3];
    tmb_cross(na, nb, edge);
    for (int i = 0; i < 3; i++) {
        mixed[i] = p->bounds[a] * nb[i] - p->bounds[b] * na[i];
    }
    tmb_cross(mixed, nc, turned);
    p->x[corner] = p->bounds[c] * edge[0] + turned[0];
    p->y[corner] = p->bounds[c] * edge[1] + turned[1];
    p->z[corner] = p->bounds[c] * edge[2] + turned[2];
    p->w[corner] = tmb_dot(nc, edge);
    p->lanes[corner][0] = (uint8_t)a, p->lanes[corner][1] = (uint8_t)b, p->lanes[corner][2] = (uint8_t)c;
    p->corner_of[a][b] = p->corner_of[b][c] = p->corner_of[c][a] = (uint8_t)corner;
    p->used |= (uint64_t)1 << corner;
    p->end = corner >= p->end ? corner + 1 : p->end;
}

/* The eight corners of the first three slabs. */
static void start(partial *p)
{
    double edge[3];
    tmb_cross(p->normals[0], p->normals[2], edge);
    const int mirrored = tmb_dot(p->normals[4], edge) < 0;
    p->used = p->end = 0;
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t signs[3] = {i & 1, i >> 1 & 1, i >> 2};
        const int swap = mirrored ^ (int)((signs[0] ^ signs[1] ^ signs[2]) & 1);
        const uint32_t b = swap ? 4 + signs[2] : 2 + signs[1], c = swap ? 2 + signs[1] : 4 + signs[2];
        put_corner(p, i, signs[0], b, c);
    }
}

/* The corners that lie beyond a plane. Bounds are below 2^42 and corners below 2^46. For integers all is exact; for k =
 * 12 the roundings add up to less than 1/4, and signs of what is less than 1 are found otherwise. */
static inline uint64_t beyond(partial *p, uint32_t lane)
{
    const double *n = p->normals[lane], bound = p->bounds[lane];
    uint64_t near = 0;
    for (uint32_t i = 0; i < p->end; i++) {
        p->room[i] = bound * p->w[i] - ((n[0] * p->x[i] + n[1] * p->y[i]) + n[2] * p->z[i]);
    }
    for (uint32_t i = 0; i < p->end; i++) {
        near |= (uint64_t)(p->room[i] < 1) << i;
    }
    near &= p->used;
    for (uint64_t rest = near; rest; rest &= rest - 1) {
        const int i = __builtin_ctzll(rest);
        if (p->room[i] > -1 && !(p->golden && golden_is_beyond(p, p->lanes[i], lane))) {
            near &= ~((uint64_t)1 << i);
        }
    }
    return near;
}

/* Cuts off what lies beyond a plane: each edge that leads from a corner that is lost to one that stays gets a new one.
 */
static void clip(partial *p, uint32_t lane)
{
    TMB_ASSERT(lane < TMB_KDOP_MOST);
    const uint64_t lost = beyond(p, lane);
    uint8_t edges[TMB_POLYTOPE_CORNERS][2];
    uint32_t count = 0;
    for (uint64_t rest = lost; rest; rest &= rest - 1) {
        const uint8_t *lanes = p->lanes[__builtin_ctzll(rest)];
        for (int i = 0; i < 3; i++) {
            const uint8_t a = lanes[i], b = lanes[i == 2 ? 0 : i + 1];
            edges[count][0] = a, edges[count][1] = b;
            count += !(lost >> p->corner_of[b][a] & 1);
        }
    }
    p->used &= ~lost;
    for (uint32_t i = 0; i < count; i++) {
        put_corner(p, (uint32_t)__builtin_ctzll(~p->used), edges[i][0], edges[i][1], lane);
    }
}

static void finish(const partial *p, tmb_polytope *out)
{
    uint8_t numbers[SLOTS];
    for (uint64_t rest = p->used; rest; rest &= rest - 1) {
        const int i = __builtin_ctzll(rest);
        const double scale = 1 / p->w[i];
        double *corner = out->corners[out->corner_count];
        corner[0] = p->x[i] * scale, corner[1] = p->y[i] * scale, corner[2] = p->z[i] * scale;
        numbers[i] = (uint8_t)out->corner_count++;
    }
    for (uint64_t rest = p->used; rest; rest &= rest - 1) {
        const int number = __builtin_ctzll(rest);
        const uint8_t *lanes = p->lanes[number];
        for (int i = 0; i < 3; i++) {
            const uint8_t a = lanes[i], b = lanes[i == 2 ? 0 : i + 1];
            if (a < b) { /* else the other end reports it */
                out->edges[out->edge_count++] = (tmb_polytope_edge){numbers[number], numbers[p->corner_of[b][a]], b, a};
            }
        }
    }
}

static void intersect(const tmb_kdop_set *set, tmb_polytope *out)
{
    partial p;
    memset(p.normals, 0, sizeof p.normals); /* the rest is written before it is read */
    p.golden = set->k == 12;
    p.bounds = out->bounds;
    out->corner_count = out->edge_count = 0;
    for (uint32_t l = 0; l < set->k; l++) {
        tmb_kdop_lane(set, l, p.normals[l]);
        if (l % 2 && out->bounds[l] + out->bounds[l - 1] < 0) {
            return; /* an empty slab, from which nothing could be cut off */
        }
    }
    start(&p);
    for (uint32_t l = 6; l < set->k; l++) {
        clip(&p, l);
    }
    finish(&p, out);
}

/* ---- Bounds in units ---- */

/* The middle of the first three slabs, which is inside or near, rounded. */
static void choose_centre(const tmb_kdop_set *set, const double *bounds, double out[3])
{
    double middle[3];
    for (int i = 0; i < 3; i++) {
        middle[i] = (bounds[2 * i] - bounds[2 * i + 1]) / 2;
    }
    if (set->k == 12) { /* directions (0, 1, g), (0, -1, g), (1, g, 0) */
        const double y = (middle[0] - middle[1]) / 2, z = (middle[0] + middle[1]) / (2 * TMB_GOLDEN);
        middle[0] = middle[2] - TMB_GOLDEN * y, middle[1] = y, middle[2] = z;
    }
    for (int i = 0; i < 3; i++) {
        out[i] = floor(middle[i]);
    }
}

/* Whole bounds, none smaller than it was. In whole directions everything but rounding up is exact. The golden ones are
 * those of TMB_GOLDEN up to 2^-54 and are here multiplied in doubles, with errors far below the guard: numbers are less
 * than 2^42. */
static void choose_bounds(const tmb_kdop_set *set, const double *bounds, tmb_polytope *out)
{
    for (uint32_t l = 0; l < set->k; l++) {
        double n[3];
        tmb_kdop_lane(set, l, n);
        const double shift = tmb_dot(n, out->centre);
        out->bounds[l] = set->k == 12 ? ceil(bounds[l] - shift + TMB_KDOP_GOLDEN_GUARD) : ceil(bounds[l]) - shift;
    }
}

static void choose_unit(const tmb_kdop_set *set, const float *bounds, double margin, double *scaled, double *unit)
{
    double most = 0;
    for (uint32_t l = 0; l < set->k; l++) {
        const double *d = set->directions[l / 2];
        scaled[l] = (double)bounds[l] + (margin > 0 ? margin * sqrt(tmb_dot(d, d)) : 0);
        most = fabs(scaled[l]) > most ? fabs(scaled[l]) : most;
    }
    int exponent = 0;
    (void)frexp(most, &exponent); /* most < 2^exponent */
    const double scale = ldexp(1, 39 - exponent);
    for (uint32_t l = 0; l < set->k; l++) {
        scaled[l] *= scale;
    }
    *unit = 1 / scale;
}

void tmb_polytope_of(uint32_t k, const float *bounds, double margin, tmb_polytope *out)
{
    TMB_ASSERT(tmb_kdop_set_of(k));
    TMB_ASSERT(margin >= 0);
    const tmb_kdop_set *set = tmb_kdop_set_of(k);
    double scaled[TMB_KDOP_MOST] = {0};
    choose_unit(set, bounds, margin, scaled, &out->unit);
    choose_centre(set, scaled, out->centre);
    choose_bounds(set, scaled, out);
    intersect(set, out);
}
