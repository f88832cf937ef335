/* The triangles of polygons, and what polygons have in common. */
#include "self/polygons.h"

#include <string.h>

#include "base/assert.h"
#include "self/cover.h"

/* ---- Lists ---- */

typedef void see_triangle(void *user, uint32_t polygon, uint32_t address);

/* All triangles of a model, edited or not. */
static void see_all(const tumble_model *model, see_triangle *see, void *user)
{
    tmb_box_node waiting[TMB_BOX_WAITING + TMB_BOX_CHILDREN];
    const tmb_box_view tree = tmb_box_view_of(model);
    size_t count = (size_t)tmb_box_view_root(&tree, &waiting[0]);
    while (count > 0) {
        const tmb_box_node node = waiting[--count];
        uint32_t address = node.reference;
        if (node.triangle_count == 0) {
            count += tmb_box_view_children(&tree, &node, waiting + count);
        }
        for (uint32_t i = 0; i < node.triangle_count; i++) {
            address = i ? tmb_box_next_triangle(model, address) : address;
            see(user, tmb_model_polygon(model, address), address);
        }
    }
}

typedef struct listing {
    uint32_t *first, *triangles;
} listing;

static void count_triangle(void *user, uint32_t polygon, uint32_t address)
{
    (void)address;
    ((listing *)user)->first[polygon + 1]++;
}

/* first[polygon] moves from the start of its list to the end, which is the start of the next. */
static void list_triangle(void *user, uint32_t polygon, uint32_t address)
{
    listing *l = user;
    l->triangles[l->first[polygon]++] = address;
}

int tmb_self_list_polygons(tmb_self *self)
{
    tumble_context *context = self->query->context;
    const size_t limit = (size_t)self->model->block->polygon_limit;
    const size_t triangles = (size_t)self->model->block->triangle_count;
    tmb_buffer *starts = &self->scratch->polygon_starts, *list = &self->scratch->polygon_triangles;
    if (!tmb_buffer_reserve(context, starts, limit + 1, sizeof(uint32_t), 0) ||
        !tmb_buffer_reserve(context, list, triangles, sizeof(uint32_t), 0)) {
        return 0;
    }
    listing l = {starts->data, list->data};
    memset(l.first, 0, (limit + 1) * sizeof *l.first);
    see_all(self->model, count_triangle, &l);
    for (size_t i = 0; i < limit; i++) {
        l.first[i + 1] += l.first[i];
    }
    see_all(self->model, list_triangle, &l);
    memmove(l.first + 1, l.first, limit * sizeof *l.first);
    l.first[0] = 0;
    return 1;
}

/* ---- Sharing ---- */

typedef const double (*corners)[3];

static int is_corner(corners t, const double p[3])
{
    return tmb_same_point(t[0], p) || tmb_same_point(t[1], p) || tmb_same_point(t[2], p);
}

static int polygon_has_corner(const tmb_self *self, uint32_t polygon, const double p[3])
{
    size_t count;
    const uint32_t *triangles = tmb_self_triangles_of(self, polygon, &count);
    for (size_t i = 0; i < count; i++) {
        double t[3][3];
        tmb_model_corners(self->model, triangles[i], t);
        if (is_corner((corners)t, p)) {
            return 1;
        }
    }
    return 0;
}

static int polygon_has_edge(const tmb_self *self, uint32_t polygon, const double p[3], const double q[3])
{
    size_t count, having = 0;
    const uint32_t *triangles = tmb_self_triangles_of(self, polygon, &count);
    for (size_t i = 0; i < count; i++) {
        double t[3][3];
        tmb_model_corners(self->model, triangles[i], t);
        having += is_corner((corners)t, p) && is_corner((corners)t, q);
    }
    return having % 2 == 1;
}

int tmb_self_polygons_share(const tmb_self *self, uint32_t pa, uint32_t pb)
{
    size_t count;
    const uint32_t *triangles = tmb_self_triangles_of(self, pa, &count);
    for (size_t i = 0; i < count; i++) {
        double t[3][3];
        tmb_model_corners(self->model, triangles[i], t);
        for (int k = 0; k < 3; k++) {
            if (polygon_has_corner(self, pb, t[k])) {
                return 1;
            }
        }
    }
    return 0;
}

/* Adds the common corners and edges of two polygons to those that may cover what triangles have in common. */
static void add_shared(const tmb_self *self, uint32_t pa, uint32_t pb, tmb_cover *cover)
{
    size_t count;
    const uint32_t *triangles = tmb_self_triangles_of(self, pa, &count);
    for (size_t i = 0; i < count; i++) {
        double t[3][3];
        tmb_model_corners(self->model, triangles[i], t);
        for (int k = 0; k < 3; k++) {
            const double *p = t[k], *q = t[(k + 1) % 3];
            if (!polygon_has_corner(self, pb, p)) {
                continue;
            }
            tmb_cover_add(cover, p, p);
            if (!tmb_same_point(p, q) && polygon_has_corner(self, pb, q) && polygon_has_edge(self, pa, p, q) &&
                polygon_has_edge(self, pb, p, q)) {
                tmb_cover_add(cover, p, q);
            }
        }
    }
}

/* Whether all that two triangles have in common, no area, is shared by their polygons: -1: memory ran out. */
static int is_covered(const tmb_self *self, uint32_t pa, uint32_t pb, corners a, corners b)
{
    tmb_cover cover;
    tmb_cover_begin(&cover, self->query->context, a, b);
    add_shared(self, pa, pb, &cover);
    return tmb_cover_end(&cover);
}

/* Where they do not meet outside of their own common corners and the edge between those, that edge may be a diagonal.
 */
static int shares_edge(const tmb_self *self, uint32_t pa, uint32_t pb, corners a, const tmb_shared *shared)
{
    const double *p = a[shared->a[0]], *q = a[shared->a[1]];
    return shared->count < 2 ||
           (shared->count == 2 && polygon_has_edge(self, pa, p, q) && polygon_has_edge(self, pb, p, q));
}

int tmb_self_polygons_meet(const tmb_self *self, uint32_t ta, uint32_t tb, unsigned long long *exact)
{
    double corners_a[3][3], corners_b[3][3];
    tmb_model_corners(self->model, ta, corners_a);
    tmb_model_corners(self->model, tb, corners_b);
    const corners a = (corners)corners_a, b = (corners)corners_b;
    const uint32_t pa = tmb_model_polygon(self->model, ta), pb = tmb_model_polygon(self->model, tb);
    const tmb_shared shared = tmb_shared_corners(a, b);
    const int meet = tmb_triangles_meet_outside(a, b, &shared, exact);
    if (!meet && shares_edge(self, pa, pb, a, &shared)) {
        return 0;
    }
    const tumble_self_kind kind = tmb_kind_of_meeting(a, b);
    if (kind == TUMBLE_SELF_DUPLICATE || kind == TUMBLE_SELF_OVERLAPPING) {
        return 1;
    }
    const int covered = is_covered(self, pa, pb, a, b);
    return covered < 0 ? -1 : !covered;
}

/* ---- Kinds ---- */

static int has_corners_of(const tmb_self *self, uint32_t polygon, uint32_t other)
{
    size_t count;
    const uint32_t *triangles = tmb_self_triangles_of(self, other, &count);
    for (size_t i = 0; i < count; i++) {
        double t[3][3];
        tmb_model_corners(self->model, triangles[i], t);
        for (int k = 0; k < 3; k++) {
            if (!polygon_has_corner(self, polygon, t[k])) {
                return 0;
            }
        }
    }
    return 1;
}

/* Whether two triangles meet as the options want it. */
static int triangles_meet(const tmb_self *self, uint32_t ta, uint32_t tb, corners a, corners b)
{
    const tmb_shared none = {0, {0, 0, 0}, {0, 0, 0}};
    unsigned long long exact = 0;
    return self->soup ? tmb_triangles_meet_outside(a, b, &none, &exact) : tmb_self_polygons_meet(self, ta, tb, &exact);
}

static tumble_self_kind kind_of_triangles(const tmb_self *self, uint32_t ta, uint32_t tb)
{
    double a[3][3], b[3][3];
    tmb_model_corners(self->model, ta, a);
    tmb_model_corners(self->model, tb, b);
    const int meet = triangles_meet(self, ta, tb, (corners)a, (corners)b);
    if (meet <= 0) {
        return meet < 0 ? (tumble_self_kind)0 : TUMBLE_SELF_NEAR;
    }
    const tumble_self_kind kind = tmb_kind_of_meeting((corners)a, (corners)b);
    return kind == TUMBLE_SELF_DUPLICATE ? TUMBLE_SELF_OVERLAPPING : kind; /* their polygons may have other corners */
}

tumble_self_kind tmb_self_polygon_kind(const tmb_self *self, uint32_t pa, uint32_t pb)
{
    size_t count_a, count_b;
    const uint32_t *of_a = tmb_self_triangles_of(self, pa, &count_a);
    const uint32_t *of_b = tmb_self_triangles_of(self, pb, &count_b);
    tumble_self_kind best = TUMBLE_SELF_NEAR;
    for (size_t i = 0; i < count_a * count_b && best != 0; i++) {
        const tumble_self_kind kind = kind_of_triangles(self, of_a[i / count_b], of_b[i % count_b]);
        best = kind < best ? kind : best;
    }
    const int has_area = best != 0 && best < TUMBLE_SELF_DEGENERATE;
    return has_area && has_corners_of(self, pa, pb) && has_corners_of(self, pb, pa) ? TUMBLE_SELF_DUPLICATE : best;
}
