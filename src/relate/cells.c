/* A triangle T, and what it meets of another surface without passing through it: a point of each piece that is left.
 *
 * A triangle in another plane that meets the inside of T has an edge or a corner in T's plane, as it does not pass
 * through. So only edges in T's plane cut it. They are projected along an axis along which T has an area, and form a
 * map in the plane of the other two, u and v: T, lines (edges that are not parallel to v), and places along u where
 * something starts, ends, or crosses. Between two places that follow each other lines do not cross, so halfway a line
 * along v meets every face of the map there. A point halfway between two lines is exact, as a quotient, and then tested
 * with a ray. */
#include "relate/cells.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/bounds.h"
#include "math/predicates.h"

#define NO_TRIANGLE UINT32_MAX
#define OWN_TRIANGLE (UINT32_MAX - 1)

/* An edge from p to q, which has the larger u. */
typedef struct line {
    double p[2], q[2];
    uint32_t triangle; /* one in T's plane that it bounds, or none, or T itself */
} line;

/* u is a quotient. */
typedef struct place {
    tmb_bigfloat u, w; /* w is positive */
    double near;
    int is_wall; /* an edge lies along v here */
} place;

/* Where a line is at a place: v is a quotient with the denominator w * length of the line along u. It is found only
 * where what is near does not suffice. */
typedef struct height {
    double near, error;
    tmb_bigfloat v, length;
    int is_exact;
    uint32_t line;
} height;

/* Where a line is at the place that was examined last. */
typedef struct neighbour {
    uint32_t above; /* the line above it, */
    uint32_t look;  /* in this look */
} neighbour;

typedef struct map {
    tmb_relating *relating;
    int which;
    size_t other_count; /* triangles of the other model */
    double t[3][3];
    int axis, u, v; /* projected along the axis; the normal's sign there: */
    int turn;
    line *lines;
    uint32_t line_count;
    int is_cut; /* by an edge of the other model */
    place *places;
    uint32_t place_count, place_capacity;
    uint32_t *active; /* lines that are at the place that is examined */
    uint32_t active_count, next_line;
    height *heights;
    uint8_t *is_over;      /* of each triangle in T's plane, whether its first line was passed */
    neighbour *neighbours; /* of each line */
    place at;              /* that is examined, */
    uint32_t look;         /* the number of the look, from 1 */
    uint32_t look_before;  /* 0: none, or an edge along v is between */
    tmb_arena arena;
    tmb_bigfloat_pool pool;    /* of the places */
    tmb_bigfloat_pool scratch; /* of all else */
} map;

/* ---- Order ---- */

/* Numbers that are near to others, as quotients are. */
static int are_clearly_apart(double x, double y)
{
    const double room = TMB_QUOTIENTS_APART * (fabs(x) + fabs(y)) + TMB_CELL_UNDERFLOW;
    return fabs(x - y) > room && isfinite(room);
}

/* Of quotients x / a and y / b with positive denominators, near to given numbers. */
static int compare_quotients(tmb_bigfloat_pool *pool, tmb_bigfloat x, tmb_bigfloat a, double near_x, tmb_bigfloat y,
                             tmb_bigfloat b, double near_y)
{
    TMB_ASSERT(a.sign >= 0 && b.sign >= 0);
    if (are_clearly_apart(near_x, near_y)) {
        return near_x < near_y ? -1 : 1;
    }
    return tmb_bigfloat_compare(tmb_bigfloat_multiply(pool, x, b), tmb_bigfloat_multiply(pool, y, a));
}

static int compare_places(map *m, const place *a, const place *b)
{
    return compare_quotients(&m->scratch, a->u, a->w, a->near, b->u, b->w, b->near);
}

static int compare_lines(map *m, const line *a, const line *b)
{
    (void)m;
    return (a->p[0] > b->p[0]) - (a->p[0] < b->p[0]);
}

static void make_exact(map *m, height *h);

static int compare_heights(map *m, height *a, height *b)
{
    if (fabs(a->near - b->near) > a->error + b->error) {
        return a->near < b->near ? -1 : 1;
    }
    make_exact(m, a);
    make_exact(m, b);
    return tmb_bigfloat_compare(tmb_bigfloat_multiply(&m->scratch, a->v, b->length),
                                tmb_bigfloat_multiply(&m->scratch, b->v, a->length));
}

/* Merge sort. */
#define DEFINE_SORT(name, type, compare)                                                                \
    static void name(map *m, type *items, type *scratch, uint32_t count)                                \
    {                                                                                                   \
        if (count < 2) {                                                                                \
            return;                                                                                     \
        }                                                                                               \
        const uint32_t half = count / 2;                                                                \
        name(m, items, scratch, half);                                                                  \
        name(m, items + half, scratch, count - half);                                                   \
        memcpy(scratch, items, half * sizeof *items);                                                   \
        for (uint32_t i = 0, j = half, k = 0; i < half; k++) {                                          \
            items[k] = j < count && compare(m, &items[j], &scratch[i]) < 0 ? items[j++] : scratch[i++]; \
        }                                                                                               \
    }
DEFINE_SORT(sort_places, place, compare_places)
DEFINE_SORT(sort_lines, line, compare_lines)
DEFINE_SORT(sort_heights, height, compare_heights)

/* ---- The map ---- */

static int add_place(map *m, tmb_bigfloat u, tmb_bigfloat w, double near, int is_wall)
{
    TMB_ASSERT(w.sign >= 0);
    if (m->place_count == m->place_capacity) {
        const uint32_t capacity = 2 * m->place_capacity + 32;
        place *places = tmb_arena_allocate(&m->arena, 2 * (size_t)capacity, sizeof *places); /* also for sorting */
        if (!places) {
            return 0;
        }
        if (m->place_count) {
            memcpy(places, m->places, m->place_count * sizeof *places);
        }
        m->places = places;
        m->place_capacity = capacity;
    }
    m->places[m->place_count++] = (place){u, w, near, is_wall};
    return 1;
}

static double least_u(const map *m)
{
    return fmin(fmin(m->t[0][m->u], m->t[1][m->u]), m->t[2][m->u]);
}

static double most_u(const map *m)
{
    return fmax(fmax(m->t[0][m->u], m->t[1][m->u]), m->t[2][m->u]);
}

static int add_double(map *m, double u, int is_wall)
{
    if (u < least_u(m) || u > most_u(m)) {
        return 1;
    }
    return add_place(m, tmb_bigfloat_of(&m->pool, u), tmb_bigfloat_of(&m->pool, 1), u, is_wall);
}

static int add_edge(map *m, const double a[3], const double b[3], uint32_t triangle)
{
    const double *p = a[m->u] < b[m->u] ? a : b, *q = a[m->u] < b[m->u] ? b : a;
    const int is_wall = p[m->u] == q[m->u];
    if (q[m->u] < least_u(m) || p[m->u] > most_u(m)) {
        return 1;
    }
    m->is_cut |= triangle != OWN_TRIANGLE;
    if (!is_wall) {
        m->lines[m->line_count++] = (line){{p[m->u], p[m->v]}, {q[m->u], q[m->v]}, triangle};
    }
    return add_double(m, p[m->u], is_wall) && add_double(m, q[m->u], is_wall);
}

/* What a triangle has in T's plane. */
static int add_triangle(map *m, uint32_t number, double corners[3][3])
{
    int on[3];
    for (int i = 0; i < 3; i++) {
        on[i] = tmb_orient3d(m->t[0], m->t[1], m->t[2], corners[i]) == 0;
    }
    int has_area = 0;
    if (on[0] && on[1] && on[2]) {
        double flat[3][2];
        for (int i = 0; i < 3; i++) {
            flat[i][0] = corners[i][m->u], flat[i][1] = corners[i][m->v];
        }
        has_area = tmb_orient2d(flat[0], flat[1], flat[2]) != 0;
    }
    int ok = 1;
    for (int i = 0; i < 3 && ok; i++) {
        const int next = (i + 1) % 3;
        if (on[i] && on[next]) {
            ok = add_edge(m, corners[i], corners[next], has_area ? number : NO_TRIANGLE);
        } else if (on[i]) {
            ok = add_double(m, corners[i][m->u], 0);
        }
    }
    return ok;
}

static int ranges_apart(const line *a, const line *b)
{
    return a->q[0] <= b->p[0] || b->q[0] <= a->p[0] || fmax(a->p[1], a->q[1]) < fmin(b->p[1], b->q[1]) ||
           fmax(b->p[1], b->q[1]) < fmin(a->p[1], a->q[1]);
}

/* Where two lines cross that pass each other: on both of them, inside. */
static int add_crossing(map *m, const line *a, const line *b)
{
    if (ranges_apart(a, b) || tmb_orient2d(a->p, a->q, b->p) * tmb_orient2d(a->p, a->q, b->q) >= 0 ||
        tmb_orient2d(b->p, b->q, a->p) * tmb_orient2d(b->p, b->q, a->q) >= 0) {
        return 1;
    }
    tmb_bigfloat_pool *pool = &m->pool;
    tmb_bigfloat x[2][2], start[2], cross[2]; /* of a and b: direction, and p x q */
    const line *lines[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        const line *l = lines[i];
        for (int k = 0; k < 2; k++) {
            start[k] = tmb_bigfloat_of(pool, l->p[k]);
            x[i][k] = tmb_bigfloat_subtract(pool, tmb_bigfloat_of(pool, l->q[k]), start[k]);
        }
        cross[i] = tmb_bigfloat_subtract(pool, tmb_bigfloat_multiply(pool, start[0], x[i][1]),
                                         tmb_bigfloat_multiply(pool, start[1], x[i][0]));
    }
    tmb_bigfloat u = tmb_bigfloat_subtract(pool, tmb_bigfloat_multiply(pool, cross[0], x[1][0]),
                                           tmb_bigfloat_multiply(pool, cross[1], x[0][0]));
    tmb_bigfloat w = tmb_bigfloat_subtract(pool, tmb_bigfloat_multiply(pool, x[0][1], x[1][0]),
                                           tmb_bigfloat_multiply(pool, x[0][0], x[1][1]));
    if (w.sign < 0) {
        u = tmb_bigfloat_negate(u);
        w = tmb_bigfloat_negate(w);
    }
    return pool->failed ? 0 : add_place(m, u, w, tmb_bigfloat_quotient(u, w), 0);
}

static int add_crossings(map *m)
{
    int ok = 1;
    sort_lines(m, m->lines, m->lines + m->line_count, m->line_count);
    for (uint32_t i = 0; i < m->line_count && ok; i++) {
        for (uint32_t j = i + 1; j < m->line_count && m->lines[j].p[0] < m->lines[i].q[0] && ok; j++) {
            ok = add_crossing(m, &m->lines[i], &m->lines[j]);
        }
    }
    return ok;
}

/* Sorted, each once. */
static void order_places(map *m)
{
    uint32_t kept = 0;
    sort_places(m, m->places, m->places + m->place_capacity, m->place_count);
    for (uint32_t i = 0; i < m->place_count; i++) {
        if (kept > 0 && compare_places(m, &m->places[kept - 1], &m->places[i]) == 0) {
            m->places[kept - 1].is_wall |= m->places[i].is_wall;
        } else {
            m->places[kept++] = m->places[i];
        }
    }
    m->place_count = kept;
    tmb_bigfloat_pool_rewind(&m->scratch);
}

static int set_axis(map *m)
{
    for (m->axis = 0; m->axis < 3; m->axis++) {
        m->u = (m->axis + 1) % 3;
        m->v = (m->axis + 2) % 3;
        double flat[3][2];
        for (int i = 0; i < 3; i++) {
            flat[i][0] = m->t[i][m->u], flat[i][1] = m->t[i][m->v];
        }
        m->turn = tmb_orient2d(flat[0], flat[1], flat[2]);
        if (m->turn != 0) {
            return 1;
        }
    }
    return 0;
}

static int allocate_map(map *m, size_t count)
{
    const size_t lines = 3 * (count + 1);
    m->lines = tmb_arena_allocate(&m->arena, 2 * lines, sizeof *m->lines); /* also for sorting */
    m->heights = tmb_arena_allocate(&m->arena, 2 * lines, sizeof *m->heights);
    m->active = tmb_arena_allocate(&m->arena, lines, sizeof *m->active);
    m->neighbours = tmb_arena_allocate(&m->arena, lines, sizeof *m->neighbours);
    m->is_over = tmb_arena_allocate(&m->arena, count, 1);
    if (!m->lines || !m->heights || !m->active || !m->neighbours || !m->is_over) {
        return 0;
    }
    memset(m->neighbours, 0, lines * sizeof *m->neighbours);
    return 1;
}

static int draw_map(map *m, const tmb_meeting_group *group)
{
    int ok = allocate_map(m, group->count);
    for (int i = 0; i < 3 && ok; i++) {
        ok = add_edge(m, m->t[i], m->t[(i + 1) % 3], OWN_TRIANGLE);
    }
    for (size_t i = 0; i < group->count && ok; i++) {
        double corners[3][3];
        tmb_solid_corners(&m->relating->solid[1 - m->which], (uint32_t)group->items[i].key, corners);
        ok = add_triangle(m, (uint32_t)i, corners);
    }
    return ok && !m->pool.failed;
}

/* ---- Points ---- */

/* The point of T halfway between two lines at a place. */
static tmb_exact_point point_between(map *m, height *below, height *above)
{
    make_exact(m, below);
    make_exact(m, above);
    tmb_bigfloat_pool *pool = &m->scratch;
    const tmb_bigfloat both = tmb_bigfloat_multiply(pool, below->length, above->length);
    const tmb_bigfloat w =
        tmb_bigfloat_multiply(pool, tmb_bigfloat_multiply(pool, both, m->at.w), tmb_bigfloat_of(pool, 2));
    const tmb_bigfloat x[2] = {
        tmb_bigfloat_multiply(pool, tmb_bigfloat_multiply(pool, both, m->at.u), tmb_bigfloat_of(pool, 2)),
        tmb_bigfloat_add(pool, tmb_bigfloat_multiply(pool, below->v, above->length),
                         tmb_bigfloat_multiply(pool, above->v, below->length))};
    tmb_bigfloat edges[2][3], normal[3];
    for (int k = 0; k < 3; k++) {
        const tmb_bigfloat origin = tmb_bigfloat_of(pool, m->t[0][k]);
        edges[0][k] = tmb_bigfloat_subtract(pool, tmb_bigfloat_of(pool, m->t[1][k]), origin);
        edges[1][k] = tmb_bigfloat_subtract(pool, tmb_bigfloat_of(pool, m->t[2][k]), origin);
    }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        normal[k] = tmb_bigfloat_subtract(pool, tmb_bigfloat_multiply(pool, edges[0][i], edges[1][j]),
                                          tmb_bigfloat_multiply(pool, edges[0][j], edges[1][i]));
        normal[k].sign *= m->turn; /* so that it is positive along the axis */
    }
    /* n . (x - w t) = 0 gives the last coordinate */
    tmb_exact_point point = {.w = tmb_bigfloat_multiply(pool, w, normal[m->axis])};
    const int flat[2] = {m->u, m->v};
    tmb_bigfloat sum = tmb_bigfloat_multiply(pool, tmb_bigfloat_of(pool, m->t[0][m->axis]), point.w);
    for (int k = 0; k < 2; k++) {
        const int i = flat[k];
        const tmb_bigfloat from =
            tmb_bigfloat_subtract(pool, x[k], tmb_bigfloat_multiply(pool, w, tmb_bigfloat_of(pool, m->t[0][i])));
        sum = tmb_bigfloat_subtract(pool, sum, tmb_bigfloat_multiply(pool, normal[i], from));
        point.x[i] = tmb_bigfloat_multiply(pool, x[k], normal[m->axis]);
    }
    point.x[m->axis] = sum;
    tmb_exact_point_finish(&point);
    return point;
}

/* On a piece that lies on the other surface: are points next to it inside both? */
static int is_inside_both(map *m, const tmb_exact_point *point)
{
    tmb_relating *r = m->relating;
    if (!r->topology[0]->closed || !r->topology[1]->closed) {
        return 0;
    }
    for (int larger = 0; larger < 2; larger++) {
        if (tmb_is_inside_beside(&r->solid[0], point, m->axis, larger, &m->scratch, &r->counters) &&
            tmb_is_inside_beside(&r->solid[1], point, m->axis, larger, &m->scratch, &r->counters)) {
            return 1;
        }
    }
    return 0;
}

/* Pieces on the other surface need a look from one model only: over a piece of A that B's edges bound, B's inside is on
 * the same sides all along, and where A's changes on one of these, a triangle of A stands there, inside B. */
static int point_is_inside(map *m, const tmb_exact_point *point, uint32_t covered)
{
    tmb_relating *r = m->relating;
    return covered ? m->which == 0 && is_inside_both(m, point)
                   : tmb_is_inside_exact(&r->solid[1 - m->which], point, &m->scratch, &r->counters);
}

/* ---- A look along v ---- */

static place halfway(map *m, const place *a, const place *b)
{
    tmb_bigfloat_pool *pool = &m->scratch;
    place out = {
        .u = tmb_bigfloat_add(pool, tmb_bigfloat_multiply(pool, a->u, b->w), tmb_bigfloat_multiply(pool, b->u, a->w)),
        .w = tmb_bigfloat_multiply(pool, tmb_bigfloat_multiply(pool, a->w, b->w), tmb_bigfloat_of(pool, 2))};
    out.near = tmb_bigfloat_quotient(out.u, out.w);
    return out;
}

static int compare_with_double(map *m, double u, const place *at)
{
    tmb_bigfloat_pool *pool = &m->scratch;
    if (are_clearly_apart(u, at->near)) {
        return u < at->near ? -1 : 1;
    }
    return compare_quotients(pool, tmb_bigfloat_of(pool, u), tmb_bigfloat_of(pool, 1), u, at->u, at->w, at->near);
}

/* p.v + (u - p.u) (q.v - p.v) / length. */
static void make_exact(map *m, height *h)
{
    tmb_bigfloat_pool *pool = &m->scratch;
    const line *l = &m->lines[h->line];
    if (h->is_exact) {
        return;
    }
    const tmb_bigfloat pu = tmb_bigfloat_of(pool, l->p[0]), pv = tmb_bigfloat_of(pool, l->p[1]);
    const tmb_bigfloat rise = tmb_bigfloat_subtract(pool, tmb_bigfloat_of(pool, l->q[1]), pv);
    const tmb_bigfloat run = tmb_bigfloat_subtract(pool, m->at.u, tmb_bigfloat_multiply(pool, m->at.w, pu));
    h->length = tmb_bigfloat_subtract(pool, tmb_bigfloat_of(pool, l->q[0]), pu);
    h->v = tmb_bigfloat_add(pool, tmb_bigfloat_multiply(pool, pv, tmb_bigfloat_multiply(pool, m->at.w, h->length)),
                            tmb_bigfloat_multiply(pool, rise, run));
    h->is_exact = 1;
}

/* In doubles. The place is known to 2^-50 of it, and no operation adds more than 2^-53 of what it works on. */
static height height_of(const map *m, uint32_t number)
{
    const line *l = &m->lines[number];
    const double length = l->q[0] - l->p[0], rise = l->q[1] - l->p[1];
    const double share = (m->at.near - l->p[0]) / length;
    const double share_error =
        TMB_SHARE_ROUNDING * (fabs(m->at.near) / length + fabs(share)) + TMB_CELL_UNDERFLOW / length;
    const double error =
        TMB_HEIGHT_ROUNDING * (fabs(l->p[1]) + fabs(l->q[1])) + 2 * fabs(rise) * share_error + TMB_CELL_UNDERFLOW;
    return (height){
        .near = l->p[1] + rise * share, .error = isfinite(length) ? error : (double)INFINITY, .line = number};
}

/* Places come in their order, and so do lines. */
static uint32_t find_heights(map *m)
{
    uint32_t count = 0;
    while (m->next_line < m->line_count && compare_with_double(m, m->lines[m->next_line].p[0], &m->at) < 0) {
        m->active[m->active_count++] = m->next_line++;
    }
    for (uint32_t i = 0; i < m->active_count; i++) {
        const uint32_t number = m->active[i];
        if (compare_with_double(m, m->lines[number].q[0], &m->at) > 0) {
            m->active[count] = number;
            m->heights[count++] = height_of(m, number);
        }
    }
    m->active_count = count;
    return count;
}

/* Two lines that were neighbours in the look before, with no edge along v in between, have the same face of the map
 * between them, which was examined. */
static int is_known(map *m, uint32_t below, uint32_t above)
{
    neighbour *n = &m->neighbours[below];
    const int known = m->look_before > 0 && n->look == m->look_before && n->above == above;
    *n = (neighbour){above, m->look};
    return known;
}

/* Past a line: what is covered changes. */
static void pass_line(map *m, const line *l, uint32_t *covered, int *own)
{
    if (l->triangle == OWN_TRIANGLE) {
        ++*own;
    } else if (l->triangle != NO_TRIANGLE) {
        *covered += m->is_over[l->triangle] ? UINT32_MAX : 1; /* one less, or one more */
        m->is_over[l->triangle] ^= 1;
    }
}

static int look_along(map *m)
{
    const uint32_t count = find_heights(m);
    height *h = m->heights;
    uint32_t covered = 0, first = 0; /* of lines at the same height */
    int own = 0, inside = 0;
    sort_heights(m, h, h + count, count);
    for (uint32_t i = 0; i < count && own < 2 && !inside; i++) {
        pass_line(m, &m->lines[h[i].line], &covered, &own);
        if (i + 1 == count || own != 1) {
            first = i + 1;
            continue;
        }
        if (compare_heights(m, &h[i], &h[i + 1]) == 0) {
            continue;
        }
        if (!is_known(m, h[first].line, h[i + 1].line)) {
            const tmb_exact_point point = point_between(m, &h[i], &h[i + 1]);
            inside = point_is_inside(m, &point, covered);
        }
        first = i + 1;
    }
    return inside;
}

static int look_everywhere(map *m)
{
    int inside = 0;
    for (uint32_t i = 0; i + 1 < m->place_count && !inside && !m->scratch.failed; i++) {
        m->at = halfway(m, &m->places[i], &m->places[i + 1]);
        m->look_before = m->places[i].is_wall ? 0 : m->look;
        m->look = i + 1;
        memset(m->is_over, 0, m->other_count);
        inside = look_along(m);
        tmb_bigfloat_pool_rewind(&m->scratch);
    }
    return inside;
}

int tmb_cell_is_inside(tmb_relating *r, const tmb_meeting_group *group, int has_free_corner)
{
    TMB_ASSERT(group->which == 0 || group->which == 1);
    TMB_ASSERT(group->count > 0);
    TMB_ASSERT(r->topology[1 - group->which]->closed);
    tumble_context *context = r->query->context;
    map m = {.relating = r, .which = group->which, .other_count = group->count};
    m.arena.context = m.pool.arena.context = m.scratch.arena.context = context;
    tmb_solid_corners(&r->solid[group->which], group->own, m.t);
    if (!set_axis(&m)) {
        return 0;
    }
    int inside = -1;
    if (draw_map(&m, group)) {
        if (has_free_corner && !m.is_cut) {
            inside = 0;
        } else if (add_crossings(&m)) {
            order_places(&m);
            inside = look_everywhere(&m);
        }
    }
    inside = m.pool.failed || m.scratch.failed ? -1 : inside;
    tmb_bigfloat_pool_release(&m.pool);
    tmb_bigfloat_pool_release(&m.scratch);
    tmb_arena_release(&m.arena);
    return inside;
}
