/* Closest points of models of cylinders with flat ends.
 *
 * Seen from a point, with the heights a and b over the planes through both ends, outward, and the distance c from the
 * axis, less the radius: the surface of the cylinder is max(a, b, c) below the point if none is positive, else the root
 * of the sum of the squares of the positive ones away. In doubles each is off by a few roundings of the largest length,
 * for which there is a slack; whether the point is in the solid is decided exactly. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/vec3.h"
#include "point/point.h"
#include "prim/cylinder.h"

#define SLACK 0x1p-44 /* more than 100 roundings of the largest length */
#define LOOSE 0x1p-40 /* by which walks look farther, as a part of all lengths */

typedef struct measured {
    double distance, error; /* with its sign, in the model's frame */
    double point[3];        /* of the surface */
} measured;

/* A point as a cylinder sees it, halved and scaled by a power of two, so that nothing overflows. */
typedef struct sight {
    int exponent;
    int has_axis;   /* it is no ball */
    double axis[3]; /* of length 1 */
    double away[3]; /* from the axis to the point, of length 1 */
    double below, above, beside;
} sight;

static void normalise(double v[3])
{
    const double most = tmb_largest_size(v);
    for (int k = 0; k < 3; k++) {
        v[k] /= most;
    }
    const double length = tmb_length(v);
    for (int k = 0; k < 3; k++) {
        v[k] /= length;
    }
}

static void find_axis(const tmb_cylinder *c, sight *s)
{
    s->has_axis = tmb_compare_numbers(c->from, c->to, 3) != 0;
    s->axis[0] = 1, s->axis[1] = s->axis[2] = 0;
    if (s->has_axis) {
        tmb_subtract(c->to, c->from, s->axis);
        for (int k = 0; k < 3 && !tmb_all_finite(s->axis, 3); k++) {
            s->axis[k] = c->to[k] / 2 - c->from[k] / 2;
        }
        normalise(s->axis);
    }
}

/* In the axis, any direction across. */
static void find_away(const double side[3], sight *s)
{
    const double other[3] = {fabs(s->axis[0]) < 0.5, fabs(s->axis[0]) >= 0.5, 0};
    if (tmb_largest_size(side) > 0) {
        memcpy(s->away, side, sizeof s->away);
    } else {
        tmb_cross(s->axis, other, s->away);
    }
    normalise(s->away);
}

static sight sight_of(const tmb_cylinder *c, double radius, const double point[3])
{
    sight s;
    double u[3], v[3], side[3];
    find_axis(c, &s);
    for (int k = 0; k < 3; k++) {
        u[k] = point[k] / 2 - c->from[k] / 2;
        v[k] = point[k] / 2 - c->to[k] / 2;
    }
    const double most = fmax(fmax(tmb_largest_size(u), tmb_largest_size(v)), radius / 2);
    s.exponent = most > 0 ? -ilogb(most) : 0;
    for (int k = 0; k < 3; k++) {
        u[k] = ldexp(u[k], s.exponent);
        v[k] = ldexp(v[k], s.exponent);
    }
    const double at = tmb_dot(u, s.axis);
    for (int k = 0; k < 3; k++) {
        side[k] = s.has_axis ? u[k] - at * s.axis[k] : u[k];
    }
    s.below = s.has_axis ? -at : -INFINITY;
    s.above = s.has_axis ? tmb_dot(v, s.axis) : -INFINITY;
    s.beside = tmb_length(side) - ldexp(radius / 2, s.exponent);
    find_away(side, &s);
    return s;
}

static measured measure(const tmb_cylinder *c, double radius, const double point[3])
{
    const sight s = sight_of(c, radius, point);
    const double beyond = fmax(s.below, s.above), deepest = fmax(s.beside, beyond);
    const int is_inside = deepest <= 0;
    const double aside = is_inside ? (s.beside >= beyond ? s.beside : 0) : fmax(s.beside, 0);
    const double along = is_inside ? (s.beside >= beyond ? 0 : beyond) : fmax(beyond, 0);
    const double distance = is_inside ? deepest : sqrt(aside * aside + along * along);
    measured out;
    for (int k = 0; k < 3; k++) {
        const double step = aside * s.away[k] + along * (s.below > s.above ? -s.axis[k] : s.axis[k]);
        out.point[k] = point[k] - 2 * ldexp(step, -s.exponent);
    }
    out.distance = 2 * ldexp(distance, -s.exponent);
    out.error = 2 * ldexp(SLACK, -s.exponent) + 16 * DBL_TRUE_MIN;
    return out;
}

/* ---- The nearest so far ---- */

typedef struct nearest {
    uint32_t polygon, address;
    measured seen;
} nearest;

typedef struct walk {
    tmb_point_search *search;
    nearest *found; /* by distance, then polygon */
    size_t count;
} walk;

static tmb_cylinder cylinder_of(const tmb_point_search *s, const double corners[3][3], uint32_t polygon)
{
    const double *ends[2];
    tmb_model_axis(corners, ends);
    const double own = tmb_thickness_own(s->thick, 0, tmb_model_radius(s->model, polygon));
    return (tmb_cylinder){ends[0], ends[1], tmb_limit_of(own, s->unit)};
}

/* Whether the point is at most so far from the solid, which is larger by what its object adds: exactly. */
static int is_within(tmb_point_search *s, const tmb_cylinder *c, uint32_t polygon, double length)
{
    unsigned long long exact = 0;
    double t[3][3], axis[3][3];
    for (int i = 0; i < 3; i++) {
        memcpy(t[i], s->point, sizeof t[i]);
        memcpy(axis[i], c->from, sizeof axis[i]);
    }
    const int is_ball = tmb_compare_numbers(c->from, c->to, 3) == 0;
    const double own = is_ball ? tmb_model_radius(s->model, polygon) : 0;
    const tmb_limit limit = tmb_limit_of(tmb_thickness_beside(s->thick, length, own, 0), s->unit);
    int met = 1;
    if (is_ball) {
        met = tmb_triangles_within_limit((const double(*)[3])t, (const double(*)[3])axis, &limit, &exact);
    } else if (!(limit.above > 0)) {
        met = tmb_triangle_meets_cylinder((const double(*)[3])t, c, &exact);
    } else if (limit.below < INFINITY) {
        met = tmb_ball_meets_cylinder(s->context, s->point, &limit, c, &exact);
    }
    s->counters.exact_tests += exact;
    if (met < 0) {
        s->status = tmb_fail_memory(s->context, "a point and a cylinder");
    }
    return met > 0;
}

static int comes_before(const nearest *a, const nearest *b)
{
    return a->seen.distance != b->seen.distance ? a->seen.distance < b->seen.distance : a->polygon < b->polygon;
}

/* Drops the same polygon where it is farther, and what is too much. */
static void insert(walk *w, const nearest *c)
{
    size_t at = 0, end = 0;
    while (at < w->count && comes_before(&w->found[at], c)) {
        if (w->found[at++].polygon == c->polygon) {
            return;
        }
    }
    for (end = at; end < w->count && w->found[end].polygon != c->polygon; end++) {
    }
    if (end == w->count && w->count < w->search->wanted) {
        w->count++;
    } else if (end == w->count) {
        end--;
    }
    if (at < w->count) {
        memmove(&w->found[at + 1], &w->found[at], (end - at) * sizeof *w->found);
        w->found[at] = *c;
    }
}

static void try_triangle(walk *w, uint32_t address)
{
    tmb_point_search *s = w->search;
    double corners[3][3];
    tmb_model_corners(s->model, address, corners);
    nearest c = {.polygon = tmb_model_polygon(s->model, address), .address = address};
    const tmb_cylinder cylinder = cylinder_of(s, (const double(*)[3])corners, c.polygon);
    c.seen = measure(&cylinder, tmb_scaled_nearest(cylinder.radius.exact), s->point);
    s->counters.primitive_tests++;
    const int is_last = w->count == s->wanted && !comes_before(&c, &w->found[w->count - 1]);
    if (!is_last && (s->within_given == INFINITY || is_within(s, &cylinder, c.polygon, s->within_given))) {
        insert(w, &c);
    }
}

/* ---- The walk ---- */

/* Nothing below a node is nearer, for certain. */
static double bound_of(const walk *w, const tmb_box_node *node)
{
    const tmb_point_search *s = w->search;
    double gaps[3];
    for (int k = 0; k < 3; k++) {
        gaps[k] = fmax(fmax(node->lower[k] - s->point[k], s->point[k] - node->upper[k]), 0);
    }
    const double most = tmb_largest_size(gaps), lengths = most + s->most;
    if (!(most > 0) || !(most < DBL_MAX)) {
        return most > 0 ? -INFINITY : -s->most - LOOSE * lengths;
    }
    for (int k = 0; k < 3; k++) {
        gaps[k] /= most;
    }
    return most * tmb_length(gaps) - s->most - LOOSE * lengths;
}

static double worst_of(const walk *w)
{
    return w->count == w->search->wanted ? w->found[w->count - 1].seen.distance : INFINITY;
}

static void visit(walk *w, const tmb_box_view *tree)
{
    tmb_box_node stack[TMB_BOX_WAITING + TMB_BOX_CHILDREN], children[TMB_BOX_CHILDREN];
    uint32_t waiting = (uint32_t)tmb_box_view_root(tree, stack);
    while (waiting > 0 && w->search->status == TUMBLE_OK) {
        const tmb_box_node node = stack[--waiting];
        if (bound_of(w, &node) > worst_of(w)) {
            continue;
        }
        uint32_t address = node.reference;
        for (uint32_t i = 0; i < node.triangle_count; i++) {
            address = i ? tmb_box_next_triangle(w->search->model, address) : address;
            try_triangle(w, address);
        }
        const uint32_t count = node.triangle_count ? 0 : tmb_box_view_children(tree, &node, children);
        w->search->counters.box_tests += count;
        for (uint32_t i = 0; i < count; i++) {
            stack[waiting] = children[i];
            for (uint32_t at = waiting++; /* the nearest of them on top */
                 at > waiting - 1 - i && bound_of(w, &stack[at - 1]) < bound_of(w, &stack[at]); at--) {
                const tmb_box_node other = stack[at];
                stack[at] = stack[at - 1];
                stack[at - 1] = other;
            }
        }
    }
}

/* ---- Results ---- */

/* From the model's frame to that of the pose, and from the cylinder to what its object makes of it. */
static void tell(tmb_point_search *s, const nearest *n, tumble_closest *out)
{
    double corners[3][3], given[3];
    tmb_model_corners(s->model, n->address, corners);
    const tmb_cylinder cylinder = cylinder_of(s, (const double(*)[3])corners, n->polygon);
    const int meets = is_within(s, &cylinder, n->polygon, 0);
    const double padding = s->thick->scales[0] * s->thick->padding[0], distance = n->seen.distance * s->unit;
    const double error = n->seen.error * s->unit + SLACK * (fabs(distance) + padding) + DBL_TRUE_MIN;
    memset(out, 0, sizeof *out); /* also between its members */
    out->polygon = n->polygon;
    tmb_encounter_point(s->place, 0, s->point, given);
    tmb_encounter_point(s->place, 0, n->seen.point, out->point);
    for (int k = 0; k < 3 && padding > 0 && distance != 0; k++) {
        out->point[k] += padding * ((given[k] - out->point[k]) / distance);
    }
    out->distance = meets ? fmin(distance - padding, 0) : fmax(distance - padding, DBL_TRUE_MIN);
    out->lower = fmin(meets ? distance - padding - error : fmax(distance - padding - error, 0), out->distance);
    out->upper = fmax(meets ? fmin(distance - padding + error, 0) : distance - padding + error, out->distance);
    if (meets && s->way == 0) {
        out->distance = out->lower = out->upper = 0;
        memcpy(out->point, given, sizeof out->point);
    }
}

size_t tmb_point_find_cylinders(tmb_point_search *s, tumble_closest *out)
{
    TMB_ASSERT(s->thick && tmb_model_is_flat(s->model));
    const tmb_box_view tree = tmb_box_view_of(s->model);
    if (!tmb_buffer_reserve(s->context, &s->memory->measured, s->wanted, sizeof(nearest), 0)) {
        s->status = tmb_fail_memory(s->context, "the search of a query");
        return 0;
    }
    walk w = {.search = s, .found = s->memory->measured.data};
    visit(&w, &tree);
    for (size_t i = 0; i < w.count; i++) {
        tell(s, &w.found[i], &out[i]);
    }
    return s->status == TUMBLE_OK ? w.count : 0;
}
