/* Triangulates polygons by ear clipping.
 *
 * The polygon is projected along the dominant axis of its Newell normal, where every decision is an exact orientation.
 * A corner is an ear when it turns left and no other corner lies in its triangle. Two facts keep the work small:
 * - When any corner lies in the triangle, one that does not turn left does (take the one farthest from the cut). Only
 *   these, the blockers, are searched, in a k-d tree whose boxes are compared with the triangle exactly.
 * - In a simple polygon a corner that is not an ear can become one only when one of its neighbours is cut off (the cut
 * has
 *   to lie inside the polygon, and the polygon only shrinks). So a corner is examined again only then, and a queue
 *   holds those to examine: at most three times per corner.
 * Ears are taken in the order of the queue, not side by side, which gives compact triangles instead of fans.
 *
 * A polygon that touches or crosses itself can leave the queue empty. Then the rules are relaxed step by step until
 * something can be cut off; the number of corners examined again is limited, so that no input takes quadratic time in
 * the relaxed steps. Ear clipping: G. H. Meisters, Polygons have ears, Amer. Math. Monthly 82 (1975). */
#include "prim/triangulate.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/predicates.h"
#include "math/vec3.h"

enum {
    LEAF_SIZE = 8,
    STACK_SIZE = 64
};

/* What has to hold for a corner to be cut off. */
enum rule {
    RULE_EAR,    /* turns left, and its closed triangle holds no other corner */
    RULE_OPEN,   /* turns left, and no other corner lies inside its triangle, off the rim */
    RULE_FLAT,   /* as before, or does not turn at all */
    RULE_CONVEX, /* turns left */
    RULE_NONE
};

enum {
    QUEUED = 1,
    BLOCKING = 2,
    GONE = 4
};

/* A box of the k-d tree over the blockers; node 1 is the root, 2i and 2i + 1 are the children of i. */
typedef struct node {
    double lower[2], upper[2];
    uint32_t blocking; /* members that still block */
} node;

typedef struct clipper {
    double (*points)[2]; /* projected; the polygon turns left */
    size_t count, left;
    uint32_t *previous, *next;
    uint8_t *state;

    uint32_t *queue; /* a ring of `count` places */
    size_t queue_first, queue_length;
    enum rule rule;
    uint32_t anchor;   /* a corner that is left */
    size_t looks_left; /* before the rule is RULE_NONE for good */

    node *nodes;
    uint32_t *members; /* the blockers in the order of the leaves */
    uint32_t *places;  /* where a blocker is in there */
    size_t member_count;

    uint32_t *triangles; /* where the next one goes */
} clipper;

/* ---- Projection ---- */

/* Factor that keeps differences of coordinates from overflowing: a power of two, 1 in all normal cases. */
static double overflow_guard(const double (*corners)[3], size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, fmax(fabs(corners[i][0]), fmax(fabs(corners[i][1]), fabs(corners[i][2]))));
    }
    return largest > 1e300 ? 0.125 : 1.0;
}

/* Power of two that scales the polygon, shifted to its first corner, to a size of about one. */
static double unit_scale(const double (*corners)[3], size_t count, double guard)
{
    double extent = 0;
    for (size_t i = 1; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            extent = fmax(extent, fabs(corners[i][k] * guard - corners[0][k] * guard));
        }
    }
    int exponent;
    (void)frexp(extent, &exponent);
    return ldexp(1.0, exponent < -1000 ? 1000 : exponent > 1000 ? -1000 : -exponent);
}

/* Twice the area vector, of the shifted and scaled corners: nothing overflows or vanishes. `weight` receives the sums
 * of the magnitudes that were added. */
static void newell_normal(const double (*corners)[3], size_t count, double normal[3], double weight[3])
{
    const double guard = overflow_guard(corners, count);
    const double scale = unit_scale(corners, count, guard);
    double last[3] = {0, 0, 0};
    memset(normal, 0, 3 * sizeof *normal);
    memset(weight, 0, 3 * sizeof *weight);
    for (size_t i = 1; i < count; i++) {
        double here[3];
        for (int k = 0; k < 3; k++) {
            here[k] = (corners[i][k] * guard - corners[0][k] * guard) * scale;
        }
        for (int k = 0; k < 3; k++) {
            const int u = (k + 1) % 3, v = (k + 2) % 3;
            normal[k] += last[u] * here[v] - last[v] * here[u];
            weight[k] += fabs(last[u] * here[v]) + fabs(last[v] * here[u]);
        }
        memcpy(last, here, sizeof last);
    }
}

static void project(const double (*corners)[3], size_t count, int axis, double (*points)[2])
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (size_t i = 0; i < count; i++) {
        points[i][0] = corners[i][u];
        points[i][1] = corners[i][v];
    }
}

static int same_point(const double a[2], const double b[2])
{
    return a[0] == b[0] && a[1] == b[1];
}

static int all_on_a_line(double (*points)[2], size_t count)
{
    size_t other = 1;
    while (other < count && same_point(points[other], points[0])) {
        other++;
    }
    for (size_t i = other + 1; i < count; i++) {
        if (tmb_orient2d(points[0], points[other], points[i]) != 0) {
            return 0;
        }
    }
    return 1;
}

/* The way a simple polygon turns: that of its corner farthest left (of these, the lowest). */
static int turn_at_extreme(double (*points)[2], size_t count)
{
    size_t extreme = 0;
    for (size_t i = 1; i < count; i++) {
        if (points[i][0] < points[extreme][0] ||
            (points[i][0] == points[extreme][0] && points[i][1] < points[extreme][1])) {
            extreme = i;
        }
    }
    size_t before = extreme, after = extreme;
    for (size_t i = 0; i < count && same_point(points[before], points[extreme]); i++) {
        before = before ? before - 1 : count - 1;
    }
    for (size_t i = 0; i < count && same_point(points[after], points[extreme]); i++) {
        after = after + 1 < count ? after + 1 : 0;
    }
    return tmb_orient2d(points[before], points[extreme], points[after]);
}

static void exchange_axes(double (*points)[2], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double u = points[i][0];
        points[i][0] = points[i][1];
        points[i][1] = u;
    }
}

static int larger_axis(const double normal[3])
{
    const double x = fabs(normal[0]), y = fabs(normal[1]), z = fabs(normal[2]);
    return z >= x && z >= y ? 2 : y >= x ? 1 : 0;
}

/* Projects so that the polygon turns left. Where rounding leaves the normal in doubt (slivers, polygons whose parts
 * cancel), any axis will do along which the polygon keeps an area, and the way it turns is found exactly. */
static void project_turning_left(const double (*corners)[3], size_t count, double (*points)[2])
{
    double normal[3], weight[3];
    newell_normal(corners, count, normal, weight);
    int axis = larger_axis(normal);
    project(corners, count, axis, points);
    double turn = normal[axis];
    if (fabs(turn) <= 1e-14 * (double)count * (weight[0] + weight[1] + weight[2])) {
        for (int tries = 0; tries < 2 && all_on_a_line(points, count); tries++) {
            axis = (axis + 1) % 3;
            project(corners, count, axis, points);
        }
        const int exact = turn_at_extreme(points, count);
        turn = exact ? exact : normal[axis];
    }
    if (turn < 0) {
        exchange_axes(points, count);
    }
}

/* ---- The k-d tree over the blockers ---- */

/* Hoare's selection: afterwards members[middle] has its place in the order along `axis`, smaller ones before it, larger
 * ones after it. Equal ones are spread over both sides, so many coincident corners are harmless. */
static void select_member(clipper *c, ptrdiff_t first, ptrdiff_t last, ptrdiff_t middle, int axis)
{
    uint32_t *members = c->members;
    uint64_t random = (uint64_t)middle;
    while (first < last) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const double *pivot = c->points[members[first + (ptrdiff_t)((random >> 33) % (uint64_t)(last - first + 1))]];
        ptrdiff_t i = first, j = last;
        do {
            while (c->points[members[i]][axis] < pivot[axis]) {
                i++;
            }
            while (pivot[axis] < c->points[members[j]][axis]) {
                j--;
            }
            if (i <= j) {
                const uint32_t other = members[i];
                members[i++] = members[j];
                members[j--] = other;
            }
        } while (i <= j);
        if (j < middle) {
            first = i;
        }
        if (middle < i) {
            last = j;
        }
    }
}

static void bound_members(clipper *c, size_t first, size_t end, node *box)
{
    box->blocking = (uint32_t)(end - first);
    for (int k = 0; k < 2; k++) {
        box->lower[k] = box->upper[k] = c->points[c->members[first]][k];
    }
    for (size_t i = first + 1; i < end; i++) {
        for (int k = 0; k < 2; k++) {
            const double x = c->points[c->members[i]][k];
            box->lower[k] = x < box->lower[k] ? x : box->lower[k];
            box->upper[k] = x > box->upper[k] ? x : box->upper[k];
        }
    }
}

/* Node `number` over members[first, end). The halving makes the depth logarithmic. */
static void build_node(clipper *c, size_t number, size_t first, size_t end)
{
    node *box = &c->nodes[number];
    bound_members(c, first, end, box);
    if (end - first <= LEAF_SIZE) {
        return;
    }
    const size_t middle = first + (end - first) / 2;
    /* Halves, because the difference of the bounds may overflow. */
    const int axis = box->upper[1] / 2 - box->lower[1] / 2 > box->upper[0] / 2 - box->lower[0] / 2;
    select_member(c, (ptrdiff_t)first, (ptrdiff_t)end - 1, (ptrdiff_t)middle, axis);
    build_node(c, 2 * number, first, middle);
    build_node(c, 2 * number + 1, middle, end);
}

/* More nodes than a tree over `count` members numbers. */
static size_t node_limit(size_t count)
{
    size_t limit = 2;
    for (size_t size = count; size > LEAF_SIZE; size -= size / 2) {
        limit *= 2;
    }
    return limit;
}

static void build_tree(clipper *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->state[i] & BLOCKING) {
            c->members[c->member_count++] = i;
        }
    }
    if (c->member_count) {
        build_node(c, 1, 0, c->member_count);
    }
    for (size_t i = 0; i < c->member_count; i++) {
        c->places[c->members[i]] = (uint32_t)i;
    }
}

static void stop_blocking(clipper *c, uint32_t corner)
{
    c->state[corner] &= (uint8_t)~BLOCKING;
    const size_t place = c->places[corner];
    size_t number = 1, first = 0, end = c->member_count;
    for (;;) {
        c->nodes[number].blocking--;
        if (end - first <= LEAF_SIZE) {
            return;
        }
        const size_t middle = first + (end - first) / 2;
        number = 2 * number + (place >= middle);
        *(place >= middle ? &first : &end) = middle;
    }
}

/* ---- Ears ---- */

/* A triangle that turns left. */
typedef struct triangle {
    const double *corners[3];
    double lower[2], upper[2];
} triangle;

static triangle make_triangle(const double *a, const double *b, const double *c)
{
    triangle t = {{a, b, c}, {0, 0}, {0, 0}};
    for (int k = 0; k < 2; k++) {
        t.lower[k] = a[k] < b[k] ? (a[k] < c[k] ? a[k] : c[k]) : (b[k] < c[k] ? b[k] : c[k]);
        t.upper[k] = a[k] > b[k] ? (a[k] > c[k] ? a[k] : c[k]) : (b[k] > c[k] ? b[k] : c[k]);
    }
    return t;
}

/* Whether a box misses a triangle: apart along an axis, right of an edge (then its corner farthest left of the edge
 * is), or only a corner of the triangle. */
static int box_is_apart(const node *box, const triangle *t)
{
    for (int k = 0; k < 2; k++) {
        if (box->upper[k] < t->lower[k] || t->upper[k] < box->lower[k]) {
            return 1;
        }
    }
    if (same_point(box->lower, box->upper)) {
        return same_point(box->lower, t->corners[0]) || same_point(box->lower, t->corners[1]) ||
               same_point(box->lower, t->corners[2]);
    }
    for (int k = 0; k < 3; k++) {
        const double *p = t->corners[k], *q = t->corners[(k + 1) % 3];
        const double leftmost[2] = {q[1] < p[1] ? box->upper[0] : box->lower[0],
                                    q[0] > p[0] ? box->upper[1] : box->lower[1]};
        if (tmb_orient2d(p, q, leftmost) < 0) {
            return 1;
        }
    }
    return 0;
}

/* Corners at the same place as one of the triangle's do not count: there the polygon touches itself. */
static int point_blocks(const triangle *t, const double *point, enum rule rule)
{
    if (point[0] < t->lower[0] || point[0] > t->upper[0] || point[1] < t->lower[1] || point[1] > t->upper[1]) {
        return 0;
    }
    for (int k = 0; k < 3; k++) {
        const int side = tmb_orient2d(t->corners[k], t->corners[(k + 1) % 3], point);
        if (side < 0 || (side == 0 && (rule != RULE_EAR || same_point(point, t->corners[k]) ||
                                       same_point(point, t->corners[(k + 1) % 3])))) {
            return 0;
        }
    }
    return 1;
}

static int any_blocks(const clipper *c, const triangle *t)
{
    struct {
        size_t number, first, end;
    } stack[STACK_SIZE];
    size_t depth = 0;
    stack[depth].number = 1;
    stack[depth].first = 0;
    stack[depth++].end = c->member_count;
    while (depth) {
        depth--;
        const size_t number = stack[depth].number, first = stack[depth].first, end = stack[depth].end;
        if (c->nodes[number].blocking == 0 || box_is_apart(&c->nodes[number], t)) {
            continue;
        }
        if (end - first > LEAF_SIZE) {
            const size_t middle = first + (end - first) / 2;
            stack[depth].number = 2 * number;
            stack[depth].first = first;
            stack[depth++].end = middle;
            stack[depth].number = 2 * number + 1;
            stack[depth].first = middle;
            stack[depth++].end = end;
            continue;
        }
        for (size_t i = first; i < end; i++) {
            const uint32_t member = c->members[i];
            if ((c->state[member] & BLOCKING) && point_blocks(t, c->points[member], c->rule)) {
                return 1;
            }
        }
    }
    return 0;
}

static int turn(const clipper *c, uint32_t corner)
{
    return tmb_orient2d(c->points[c->previous[corner]], c->points[corner], c->points[c->next[corner]]);
}

static int may_be_cut(const clipper *c, uint32_t corner)
{
    if (c->rule == RULE_NONE) {
        return 1;
    }
    const int side = turn(c, corner);
    if (side <= 0) {
        return side == 0 && c->rule == RULE_FLAT;
    }
    if (c->rule == RULE_CONVEX || c->member_count == 0) {
        return 1;
    }
    const triangle t = make_triangle(c->points[c->previous[corner]], c->points[corner], c->points[c->next[corner]]);
    return !any_blocks(c, &t);
}

static void enqueue(clipper *c, uint32_t corner)
{
    if (!(c->state[corner] & QUEUED)) {
        c->state[corner] |= QUEUED;
        c->queue[(c->queue_first + c->queue_length++) % c->count] = corner;
    }
}

static uint32_t dequeue(clipper *c)
{
    const uint32_t corner = c->queue[c->queue_first];
    c->queue_first = c->queue_first + 1 < c->count ? c->queue_first + 1 : 0;
    c->queue_length--;
    c->state[corner] &= (uint8_t)~QUEUED;
    return corner;
}

static void emit(clipper *c, uint32_t corner)
{
    c->triangles[0] = c->previous[corner];
    c->triangles[1] = corner;
    c->triangles[2] = c->next[corner];
    c->triangles += 3;
}

static void cut(clipper *c, uint32_t corner)
{
    emit(c, corner);
    const uint32_t neighbours[2] = {c->previous[corner], c->next[corner]};
    c->next[neighbours[0]] = neighbours[1];
    c->previous[neighbours[1]] = neighbours[0];
    c->left--;
    if (c->state[corner] & BLOCKING) {
        stop_blocking(c, corner);
    }
    c->state[corner] |= GONE;
    c->anchor = neighbours[1];
    for (int k = 0; k < 2; k++) {
        if ((c->state[neighbours[k]] & BLOCKING) && turn(c, neighbours[k]) > 0) {
            stop_blocking(c, neighbours[k]);
        }
        enqueue(c, neighbours[k]);
    }
}

/* The present rule cuts off nothing more: examines all corners again by a weaker one or, after cuts by a weak rule, by
 * the strongest. */
static void change_rule(clipper *c, int progress)
{
    if (c->looks_left < c->left) {
        c->rule = RULE_NONE;
    } else {
        c->looks_left -= c->left;
        c->rule = progress && c->rule != RULE_EAR ? RULE_EAR : (enum rule)(c->rule + 1);
    }
    uint32_t corner = c->anchor;
    do {
        enqueue(c, corner);
        corner = c->next[corner];
    } while (corner != c->anchor);
}

/* RULE_OPEN and RULE_FLAT are sound for polygons that touch themselves and stay while they find something; RULE_CONVEX
 * is a guess, and after one cut the better rules are tried again. */
static void cut_all(clipper *c)
{
    int progress = 0;
    while (c->left > 3) {
        if (c->queue_length == 0) {
            change_rule(c, progress);
            progress = 0;
        }
        const uint32_t corner = dequeue(c);
        if (!(c->state[corner] & GONE) && may_be_cut(c, corner)) {
            cut(c, corner);
            progress = 1;
            c->rule = c->rule == RULE_CONVEX ? RULE_EAR : c->rule;
        }
    }
    emit(c, c->anchor);
}

/* ---- Putting it together ---- */

/* Cuts off every other corner, round and round: all are ears. `ring` has room for `count` numbers. */
static void cut_convex(size_t count, uint32_t *ring, uint32_t *triangles)
{
    for (uint32_t i = 0; i < count; i++) {
        ring[i] = i;
    }
    while (count >= 3) {
        size_t kept = 0, i = 0;
        for (; i + 2 < count || (i + 2 == count && count > 3); i += 2) {
            *triangles++ = ring[i];
            *triangles++ = ring[i + 1];
            *triangles++ = ring[i + 2 < count ? i + 2 : 0];
            ring[kept++] = ring[i];
        }
        while (i < count && count > 3) {
            ring[kept++] = ring[i++];
        }
        count = kept;
    }
}

/* The usual diagonal where it is one, the other where only that is. */
static void cut_quad(double (*points)[2], uint32_t *triangles)
{
    static const uint32_t cuts[2][6] = {{0, 1, 2, 0, 2, 3}, {1, 2, 3, 1, 3, 0}};
    int best = 0, best_rank = -1;
    for (int k = 0; k < 2 && best_rank < 2; k++) {
        const int first = tmb_orient2d(points[cuts[k][0]], points[cuts[k][1]], points[cuts[k][2]]);
        const int second = tmb_orient2d(points[cuts[k][3]], points[cuts[k][4]], points[cuts[k][5]]);
        const int rank = first > 0 && second > 0 ? 2 : first >= 0 && second >= 0;
        if (rank > best_rank) {
            best = k;
            best_rank = rank;
        }
    }
    memcpy(triangles, cuts[best], sizeof cuts[best]);
}

static int reserve(tumble_context *context, tmb_buffer *scratch, size_t count, clipper *c)
{
    const size_t node_count = node_limit(count);
    const size_t bytes_each = 2 * sizeof(double) + 5 * sizeof(uint32_t) + sizeof(uint8_t);
    if (count > (SIZE_MAX - node_count * sizeof(node)) / bytes_each ||
        !tmb_buffer_reserve(context, scratch, node_count * sizeof(node) + count * bytes_each, 1, 0)) {
        return 0;
    }
    c->count = c->left = count;
    c->nodes = scratch->data;
    c->points = (double(*)[2])(void *)(c->nodes + node_count);
    c->previous = (uint32_t *)(void *)(c->points + count);
    c->next = c->previous + count;
    c->queue = c->next + count;
    c->members = c->queue + count;
    c->places = c->members + count;
    c->state = (uint8_t *)(c->places + count);
    return 1;
}

/* Links the corners and marks the blockers. */
static void prepare(clipper *c)
{
    const uint32_t count = (uint32_t)c->count;
    for (uint32_t i = 0; i < count; i++) {
        c->previous[i] = i ? i - 1 : count - 1;
        c->next[i] = i + 1 < count ? i + 1 : 0;
    }
    memset(c->state, 0, count);
    for (uint32_t i = 0; i < count; i++) {
        if (turn(c, i) <= 0) {
            c->state[i] = BLOCKING;
        }
    }
    build_tree(c);
}

int tmb_triangulate(tumble_context *context, tmb_buffer *scratch, const double (*corners)[3], size_t count,
                    uint32_t *triangles)
{
    TMB_ASSERT(count >= 3 && count <= UINT32_MAX);
    TMB_ASSERT(context && scratch && corners && triangles);
    TMB_ASSERT_SLOW(tmb_all_finite(corners[0], 3 * count));
    if (count == 3) {
        memcpy(triangles, (const uint32_t[]){0, 1, 2}, 3 * sizeof *triangles);
        return 1;
    }
    if (count == 4) {
        double points[4][2];
        project_turning_left(corners, 4, points);
        cut_quad(points, triangles);
        return 1;
    }
    clipper c;
    memset(&c, 0, sizeof c);
    if (!reserve(context, scratch, count, &c)) {
        return 0;
    }
    project_turning_left(corners, count, c.points);
    prepare(&c);
    if (c.member_count == 0) {
        cut_convex(count, c.queue, triangles);
        return 1;
    }
    c.triangles = triangles;
    c.looks_left = 16 * count + 20000;
    for (uint32_t i = 0; i < count; i++) {
        enqueue(&c, i);
    }
    cut_all(&c);
    return 1;
}
