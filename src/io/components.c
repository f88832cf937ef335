/* Connected parts of a mesh.
 *
 * Edges are sorted by the numbers of their ends, so that the polygons at an edge stand together; those that belong
 * together are joined in a union-find. Two polygons at an edge bend by the deviation from a straight line between the
 * directions in which they leave it: 0 when they lie in one plane on both sides, 180 degrees when one lies on the
 * other.
 *
 * A polygon without area has no direction. Its edges all lie on one line, where they count as one edge, so that it
 * neither joins nor separates its neighbours. */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/sort.h"
#include "io/weld.h"
#include "math/vec3.h"
#include "tree/mesh_validate.h"
#include "tumble/io.h"

#define HALF_TURN 3.14159265358979323846

/* Tolerance of the crease in degrees: well above the rounding of normals of polygons that are not thinner than THIN. */
#define TOLERANCE 1e-4
#define THIN 0x1p-32 /* height, in units of the length */

typedef struct parting {
    tumble_context *context;
    tmb_arena arena;
    const tumble_mesh *mesh;
    size_t polygon_count;
    double crease;       /* in radians, with the tolerance; at least HALF_TURN: joins everything */
    double (*points)[3]; /* each once */
    uint32_t *numbers;   /* of the mesh's points among these */
    double unit;         /* that keeps differences finite */
    uint32_t *parents;   /* of the polygons in their union-find: never larger than the polygon itself */
    float (*normals)[3]; /* of the polygons, of length one; 0 for those without area. NULL when they do not matter */
    int has_thin;        /* there are some without */
    tmb_sort_item *edges;
    size_t edge_count;
    tmb_sort_item *angles; /* twice as many as any edge has polygons, followed by scratch */
} parting;

/* ---- Union-find ---- */

static uint32_t find(const parting *p, uint32_t polygon)
{
    while (p->parents[polygon] != polygon) {
        p->parents[polygon] = p->parents[p->parents[polygon]];
        polygon = p->parents[polygon];
    }
    return polygon;
}

static void join(const parting *p, uint32_t one, uint32_t other)
{
    one = find(p, one);
    other = find(p, other);
    p->parents[one > other ? one : other] = one > other ? other : one;
}

/* ---- Vectors ---- */

static void difference(const parting *p, uint32_t from, uint32_t to, double out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = p->points[to][k] * p->unit - p->points[from][k] * p->unit;
    }
}

/* Powers of two whose product brings a length of `size` to about one; one alone could be infinite. */
typedef struct scaling {
    double first, second;
} scaling;

static scaling scaling_for(double size)
{
    TMB_ASSERT(size > 0);
    int exponent;
    (void)frexp(size, &exponent);
    return (scaling){ldexp(1, -(exponent / 2)), ldexp(1, exponent / 2 - exponent)};
}

static void scale(double v[3], scaling by)
{
    for (int k = 0; k < 3; k++) {
        v[k] = v[k] * by.first * by.second;
    }
}

/* Normalises a nonzero vector. */
static void normalise(double v[3])
{
    TMB_ASSERT(tmb_largest_size(v) > 0);
    scale(v, scaling_for(tmb_largest_size(v)));
    const double length = sqrt(tmb_dot(v, v));
    for (int k = 0; k < 3; k++) {
        v[k] /= length;
    }
}

/* ---- Normals ---- */

/* The corner that is farthest from the first along some axis; *size becomes how far. */
static uint32_t farthest_corner(const parting *p, const uint32_t *corners, uint32_t count, double *size)
{
    TMB_ASSERT(count >= 3);
    uint32_t farthest = 0;
    *size = 0;
    for (uint32_t i = 1; i < count; i++) {
        double d[3];
        difference(p, p->numbers[corners[0]], p->numbers[corners[i]], d);
        if (tmb_largest_size(d) > *size) {
            *size = tmb_largest_size(d);
            farthest = i;
        }
    }
    return farthest;
}

static void corner_from_first(const parting *p, const uint32_t *corners, uint32_t i, scaling by, double out[3])
{
    difference(p, p->numbers[corners[0]], p->numbers[corners[i]], out);
    scale(out, by);
}

/* The sum of the normals of the triangles between the first corner and each edge; for a polygon that crosses itself so
 * that these cancel, the normal of the corner that is farthest from a line. 0 if there is none. */
static void find_normal(const parting *p, const uint32_t *corners, uint32_t count, double out[3])
{
    double size, line[3], last[3], most = 0, aside[3] = {0, 0, 0};
    memset(out, 0, 3 * sizeof *out);
    const uint32_t farthest = farthest_corner(p, corners, count, &size);
    if (size == 0) {
        return;
    }
    const scaling by = scaling_for(size);
    corner_from_first(p, corners, farthest, by, line);
    corner_from_first(p, corners, 1, by, last);
    for (uint32_t i = 1; i < count; i++) {
        double next[3], n[3];
        corner_from_first(p, corners, i, by, next);
        tmb_cross(last, next, n);
        for (int k = 0; k < 3; k++) {
            out[k] += n[k];
        }
        tmb_cross(line, next, n);
        if (tmb_dot(n, n) > most) {
            most = tmb_dot(n, n);
            memcpy(aside, n, sizeof aside);
        }
        memcpy(last, next, sizeof last);
    }
    if (sqrt(tmb_dot(out, out)) <= THIN) {
        memcpy(out, aside, sizeof aside);
    }
    if (sqrt(tmb_dot(out, out)) <= THIN) {
        memset(out, 0, 3 * sizeof *out);
    }
}

static uint32_t polygon_size(const tumble_mesh *mesh, size_t polygon)
{
    return mesh->polygon_sizes ? mesh->polygon_sizes[polygon] : 3;
}

static void find_normals(parting *p)
{
    const uint32_t *corners = p->mesh->indices;
    for (size_t i = 0; i < p->polygon_count; i++) {
        const uint32_t count = polygon_size(p->mesh, i);
        double n[3];
        find_normal(p, corners, count, n);
        if (n[0] == 0 && n[1] == 0 && n[2] == 0) {
            p->has_thin = 1;
        } else {
            normalise(n);
        }
        p->normals[i][0] = (float)n[0], p->normals[i][1] = (float)n[1], p->normals[i][2] = (float)n[2];
        corners += count;
    }
}

static int is_thin(const parting *p, uint32_t polygon)
{
    const float *n = p->normals[polygon];
    return n[0] == 0 && n[1] == 0 && n[2] == 0;
}

/* ---- Edges ---- */

/* The key of an edge is the smaller number of its ends, then the larger; its value twice the polygon, plus 1 when that
 * runs from the larger to the smaller. */
static uint32_t polygon_of(const tmb_sort_item *edge)
{
    return (uint32_t)(edge->value >> 1);
}

static void edge_vector(const parting *p, const tmb_sort_item *edge, double out[3])
{
    TMB_ASSERT(edge->key >> 32 < (edge->key & UINT32_MAX));
    difference(p, (uint32_t)(edge->key >> 32), (uint32_t)edge->key, out);
}

static void list_edges(parting *p)
{
    const uint32_t *corners = p->mesh->indices;
    for (size_t i = 0; i < p->polygon_count; i++) {
        const uint32_t count = polygon_size(p->mesh, i);
        uint32_t from = p->numbers[corners[count - 1]];
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t to = p->numbers[corners[k]];
            if (from != to) {
                const uint64_t key = from < to ? (uint64_t)from << 32 | to : (uint64_t)to << 32 | from;
                p->edges[p->edge_count++] = (tmb_sort_item){key, 2 * (uint64_t)i + (from > to)};
            }
            from = to;
        }
        corners += count;
    }
}

/* The end of the items that have the same key as the first. */
static size_t end_of_run(const tmb_sort_item *items, size_t count, size_t first)
{
    size_t end = first + 1;
    while (end < count && items[end].key == items[first].key) {
        end++;
    }
    return end;
}

/* ---- Polygons around an edge ---- */

/* A frame in whose plane polygons around an edge are directions. */
typedef struct edge_frame {
    double w[3], x[3], y[3];
} edge_frame;

static edge_frame frame_of(const parting *p, const tmb_sort_item *edge)
{
    edge_frame f = {{0}, {0}, {0}};
    edge_vector(p, edge, f.w);
    normalise(f.w);
    const int k =
        fabs(f.w[0]) < fabs(f.w[1]) ? (fabs(f.w[0]) < fabs(f.w[2]) ? 0 : 2) : (fabs(f.w[1]) < fabs(f.w[2]) ? 1 : 2);
    const double axis[3] = {k == 0, k == 1, k == 2};
    tmb_cross(f.w, axis, f.x);
    normalise(f.x);
    tmb_cross(f.w, f.x, f.y);
    return f;
}

/* The direction of a polygon at an edge, turned by a right angle like all others: its normal, or the opposite when it
 * runs against the frame. */
static void direction_in(const parting *p, const edge_frame *f, const tmb_sort_item *edge, double out[2])
{
    const float *normal = p->normals[polygon_of(edge)];
    const double n[3] = {(double)normal[0], (double)normal[1], (double)normal[2]};
    double along[3];
    edge_vector(p, edge, along);
    const double sign = (edge->value & 1) != (tmb_dot(along, f->w) < 0) ? -1 : 1;
    out[0] = sign * tmb_dot(n, f->x);
    out[1] = sign * tmb_dot(n, f->y);
}

static void join_two(const parting *p, const tmb_sort_item *one, const tmb_sort_item *other)
{
    const edge_frame f = frame_of(p, one);
    double u[2], v[2];
    direction_in(p, &f, one, u);
    direction_in(p, &f, other, v);
    const double lengths = sqrt((u[0] * u[0] + u[1] * u[1]) * (v[0] * v[0] + v[1] * v[1]));
    if (u[0] * v[0] + u[1] * v[1] <= -cos(p->crease) * lengths) {
        join(p, polygon_of(one), polygon_of(other));
    }
}

/* A number whose order is that of the angle. */
static uint64_t key_of_angle(double angle)
{
    uint64_t bits;
    memcpy(&bits, &angle, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static double angle_of_key(uint64_t key)
{
    const uint64_t bits = key >> 63 ? key & ~((uint64_t)1 << 63) : ~key;
    double angle;
    memcpy(&angle, &bits, sizeof angle);
    return angle;
}

/* Polygons in the order of their angles, going around more than once. */
typedef struct circle {
    const tmb_sort_item *angles; /* by key; the value is the polygon */
    size_t count;
} circle;

static double angle_at(const circle *c, size_t i)
{
    return angle_of_key(c->angles[i % c->count].key) + (i < c->count ? 0 : 2 * HALF_TURN);
}

/* Each polygon belongs with those from half a turn less the crease to half a turn plus the crease away: with a stretch
 * of the circle, whose polygons then all belong together. Both ends of the stretch only ever advance. */
static void join_around(const parting *p, const circle *c)
{
    size_t first = 0, end = 0, joined = 0;
    for (size_t i = 0; i < c->count; i++) {
        const double angle = angle_at(c, i);
        while (first < 2 * c->count && angle_at(c, first) < angle + HALF_TURN - p->crease) {
            first++;
        }
        while (end < 2 * c->count && angle_at(c, end) <= angle + HALF_TURN + p->crease) {
            end++;
        }
        if (first < end) {
            join(p, (uint32_t)c->angles[i].value, (uint32_t)c->angles[first % c->count].value);
        }
        for (joined = joined > first ? joined : first; joined + 1 < end; joined++) {
            join(p, (uint32_t)c->angles[joined % c->count].value, (uint32_t)c->angles[(joined + 1) % c->count].value);
        }
    }
}

static void set_angle(const parting *p, const edge_frame *f, const tmb_sort_item *edge, size_t i)
{
    double direction[2];
    direction_in(p, f, edge, direction);
    p->angles[i] = (tmb_sort_item){key_of_angle(atan2(direction[1], direction[0])), polygon_of(edge)};
}

static void join_angles(const parting *p, size_t count)
{
    const circle c = {tmb_sort(p->angles, p->angles + count, count), count};
    join_around(p, &c);
}

/* ---- All edges ---- */

/* Polygons with an area at one edge. */
static void join_run(const parting *p, const tmb_sort_item *run, size_t count)
{
    if (count == 2) {
        join_two(p, &run[0], &run[1]);
    } else if (count > 2) {
        const edge_frame f = frame_of(p, run);
        for (size_t i = 0; i < count; i++) {
            set_angle(p, &f, &run[i], i);
        }
        join_angles(p, count);
    }
}

/* Polygons with an area at the edges of a set of thin ones, which is the key; the values are the edges' numbers. The
 * thin ones are given to the first of them. */
static void join_line(const parting *p, const tmb_sort_item *line, size_t count)
{
    const edge_frame f = frame_of(p, &p->edges[line[0].value]);
    uint32_t first = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        const tmb_sort_item *edge = &p->edges[line[i].value];
        set_angle(p, &f, edge, i);
        first = polygon_of(edge) < first ? polygon_of(edge) : first;
    }
    join_angles(p, count);
    join(p, (uint32_t)line[0].key, first);
}

/* The first thin polygon at an edge; none: UINT32_MAX. */
static uint32_t thin_in_run(const parting *p, size_t first, size_t end)
{
    for (size_t i = first; p->has_thin && i < end; i++) {
        if (is_thin(p, polygon_of(&p->edges[i]))) {
            return polygon_of(&p->edges[i]);
        }
    }
    return UINT32_MAX;
}

/* Thin polygons that share an edge lie on one line. Returns how many edges of others lie there. */
static size_t join_thin(const parting *p)
{
    size_t beside = 0;
    for (size_t first = 0, end; first < p->edge_count; first = end) {
        end = end_of_run(p->edges, p->edge_count, first);
        const uint32_t thin = thin_in_run(p, first, end);
        for (size_t i = first; thin != UINT32_MAX && i < end; i++) {
            if (is_thin(p, polygon_of(&p->edges[i]))) {
                join(p, thin, polygon_of(&p->edges[i]));
            } else {
                beside++;
            }
        }
    }
    return beside;
}

static void list_lines(const parting *p, tmb_sort_item *lines)
{
    for (size_t first = 0, end; first < p->edge_count; first = end) {
        end = end_of_run(p->edges, p->edge_count, first);
        const uint32_t thin = thin_in_run(p, first, end);
        for (size_t i = first; thin != UINT32_MAX && i < end; i++) {
            if (!is_thin(p, polygon_of(&p->edges[i]))) {
                *lines++ = (tmb_sort_item){find(p, thin), i};
            }
        }
    }
}

static size_t longest_run(const tmb_sort_item *items, size_t count)
{
    size_t longest = 0;
    for (size_t first = 0, end; first < count; first = end) {
        end = end_of_run(items, count, first);
        longest = end - first > longest ? end - first : longest;
    }
    return longest;
}

static void join_all(const parting *p)
{
    for (size_t i = 1; i < p->edge_count; i++) {
        if (p->edges[i].key == p->edges[i - 1].key) {
            join(p, polygon_of(&p->edges[i]), polygon_of(&p->edges[i - 1]));
        }
    }
}

static int join_by_angles(parting *p)
{
    const size_t beside = p->has_thin ? join_thin(p) : 0, longest = longest_run(p->edges, p->edge_count);
    tmb_sort_item *lines = tmb_arena_allocate(&p->arena, 2 * beside, sizeof *lines);
    if (!lines) {
        return 0;
    }
    list_lines(p, lines);
    lines = tmb_sort(lines, lines + beside, beside);
    const size_t longest_line = longest_run(lines, beside), most = longest > longest_line ? longest : longest_line;
    p->angles = tmb_arena_allocate(&p->arena, 2 * most, sizeof *p->angles);
    if (!p->angles) {
        return 0;
    }
    for (size_t first = 0, end; first < p->edge_count; first = end) {
        end = end_of_run(p->edges, p->edge_count, first);
        if (thin_in_run(p, first, end) == UINT32_MAX) {
            join_run(p, p->edges + first, end - first);
        }
    }
    for (size_t first = 0, end; first < beside; first = end) {
        end = end_of_run(lines, beside, first);
        join_line(p, lines + first, end - first);
    }
    return 1;
}

/* ---- All together ---- */

static int take_points(parting *p)
{
    const tumble_mesh *mesh = p->mesh;
    p->points = tmb_arena_allocate(&p->arena, mesh->point_count, sizeof *p->points);
    p->numbers = tmb_arena_allocate(&p->arena, mesh->point_count, sizeof *p->numbers);
    if (!p->points || !p->numbers) {
        return 0;
    }
    p->unit = 1;
    for (size_t i = 0; i < mesh->point_count; i++) {
        tmb_mesh_point(mesh, i, p->points[i]);
        p->unit = tmb_largest_size(p->points[i]) > 0x1p1000 ? 0.25 : p->unit;
    }
    size_t count = mesh->point_count;
    return tmb_weld_points(p->context, p->points[0], &count, count, p->numbers) == TUMBLE_OK;
}

static int take_edges(parting *p)
{
    tmb_sort_item *room = tmb_arena_allocate(&p->arena, 2 * p->mesh->index_count, sizeof *room);
    if (!room) {
        return 0;
    }
    p->edges = room;
    list_edges(p);
    p->edges = tmb_sort(room, room + p->edge_count, p->edge_count);
    return 1;
}

static int take_polygons(parting *p)
{
    p->parents = tmb_arena_allocate(&p->arena, p->polygon_count, sizeof *p->parents);
    for (size_t i = 0; p->parents && i < p->polygon_count; i++) {
        p->parents[i] = (uint32_t)i;
    }
    if (p->crease >= HALF_TURN) {
        return p->parents != NULL;
    }
    p->normals = tmb_arena_allocate(&p->arena, p->polygon_count, sizeof *p->normals);
    if (p->normals) {
        find_normals(p);
    }
    return p->parents && p->normals;
}

static int find_parts(parting *p)
{
    if (!take_points(p) || !take_polygons(p) || !take_edges(p)) {
        return 0;
    }
    if (p->crease >= HALF_TURN) {
        join_all(p);
        return 1;
    }
    return join_by_angles(p);
}

/* A part's first polygon is its root, and has been numbered before its others are. */
static uint32_t number_parts(const parting *p, uint32_t *ids)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->polygon_count; i++) {
        const uint32_t root = find(p, i);
        ids[i] = root == i ? count++ : ids[root];
    }
    return count;
}

tumble_status tumble_mesh_components(tumble_context *context, const tumble_mesh *mesh, double crease,
                                     uint32_t *surface_ids, uint32_t *count)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!mesh) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "components: the mesh is null");
    }
    if (!(crease >= 0 && crease <= 180)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "components: the crease angle is %g, not 0 to 180", crease);
    }
    parting p = {.context = context, .arena = {.context = context}, .mesh = mesh};
    tumble_status status = tmb_mesh_validate(context, mesh, &p.polygon_count);
    if (status != TUMBLE_OK) {
        return status;
    }
    if (p.polygon_count && !surface_ids) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "components: there is no room for the surface ids");
    }
    p.crease = (crease + TOLERANCE) * (HALF_TURN / 180);
    if (p.polygon_count && !find_parts(&p)) {
        status = tmb_fail_memory(context, "finding the parts of a mesh");
    }
    const uint32_t found = status == TUMBLE_OK ? number_parts(&p, surface_ids) : 0;
    tmb_arena_release(&p.arena);
    if (status == TUMBLE_OK && count) {
        *count = found;
    }
    return status;
}
