/* The list of near pairs: a collision query with clearance, whose hits are measured. */
#include "near/list.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/sort.h"
#include "math/bounds.h"
#include "math/vec3.h"
#include "near/near.h"
#include "prim/triangle_distance.h"

/* The pairs of triangles found so far. */
typedef struct near_hits {
    double most;       /* no larger distances are kept */
    double scale;      /* of A's pose, with which distances are multiplied */
    tmb_buffer *found; /* tumble_near, */
    size_t count;      /* so many */
} near_hits;

/* Keeps a pair of triangles, in A's frame, if it is close enough. */
static void add_hit(void *user, tmb_collider *c, tumble_pair pair, const double a[3][3], const double b[3][3])
{
    near_hits *hits = user;
    tumble_context *context = c->encounter.query->context;
    tmb_triangle_distance distance;
    tumble_near near = {pair.polygon_a, pair.polygon_b, 0, {0, 0, 0}, {0, 0, 0}};
    if (c->has_flat_ends) {
        const tmb_cylinder_pair cylinders = {&c->encounter, {a, b}, {pair.polygon_a, pair.polygon_b}};
        tmb_near_tell_cylinders(&cylinders, hits->scale, &near);
    } else {
        tmb_triangles_distance(a, b, &distance, &c->encounter.exact_tests);
        tmb_near_tell(&c->encounter, hits->scale, a, b, &distance, &near);
    }
    if (!(near.distance <= hits->most)) {
        return;
    }
    if (!tmb_buffer_reserve(context, hits->found, hits->count + 1, sizeof near, hits->count * sizeof near)) {
        c->encounter.status = tmb_fail_memory(context, "the near pairs of a query");
        return;
    }
    ((tumble_near *)hits->found->data)[hits->count++] = near;
}

/* Whether `a` is the one to report, of two pairs of triangles of the same polygons: never by the order in which they
 * were found. */
static int is_nearer(const tumble_near *a, const tumble_near *b)
{
    const double x[7] = {a->distance,   a->point_a[0], a->point_a[1], a->point_a[2],
                         a->point_b[0], a->point_b[1], a->point_b[2]};
    const double y[7] = {b->distance,   b->point_a[0], b->point_a[1], b->point_a[2],
                         b->point_b[0], b->point_b[1], b->point_b[2]};
    const int order = tmb_compare_numbers(x, y, 7);
    return order != 0 ? order < 0 : tmb_compare_signs(x, y, 7) < 0;
}

/* Sorted, each polygon pair once; returns how many there are. `pairs` has room for all. */
static size_t unique_pairs(const tumble_near *found, tmb_sort_item *items, size_t count, tumble_near *pairs)
{
    for (size_t i = 0; i < count; i++) {
        items[i] = (tmb_sort_item){tmb_polygon_key(found[i].polygon_a, found[i].polygon_b), i};
    }
    items = tmb_sort(items, items + count, count);
    size_t unique = 0;
    for (size_t begin = 0, end; begin < count; begin = end) {
        const tumble_near *best = &found[items[begin].value];
        for (end = begin + 1; end < count && items[end].key == items[begin].key; end++) {
            const tumble_near *other = &found[items[end].value];
            best = is_nearer(other, best) ? other : best;
        }
        pairs[unique++] = *best;
    }
    return unique;
}

static void add_work(const tmb_collider *c, tumble_counters *counters)
{
    const tumble_counters work = tmb_encounter_counters(&c->encounter, 0);
    counters->box_tests += work.box_tests;
    counters->box_updates += work.box_updates;
    counters->primitive_tests += work.primitive_tests;
    counters->exact_tests += work.exact_tests;
    counters->bytes_touched += work.bytes_touched;
}

static double thickness_of(const tumble_query *query, const tumble_model *a, const tumble_pose *pose_a,
                           const tumble_model *b, const tumble_pose *pose_b)
{
    const double radius_a = a->radius + query->padding[0], radius_b = b->radius + query->padding[1];
    if (!(radius_a > 0) && !(radius_b > 0)) {
        return 0;
    }
    return radius_a * (pose_a ? tumble_pose_scale(pose_a) : 1) + radius_b * (pose_b ? tumble_pose_scale(pose_b) : 1);
}

tumble_status tmb_list_near(tumble_query *query, const tumble_model *a, const tumble_pose *pose_a,
                            const tumble_model *b, const tumble_pose *pose_b, double limit, const tumble_tuning *tuning,
                            const tumble_near **pairs, size_t *count, tumble_counters *counters)
{
    TMB_ASSERT(limit >= 0);
    tumble_collide_options options = tumble_default_collide_options();
    options.mode = TUMBLE_ALL;
    options.want_contacts = true;
    options.tuning = tuning;
    /* distances are rounded, and so is the limit in A's frame */
    options.clearance = limit > 0 ? nextafter(limit * (1 + TMB_CLEARANCE_ROUNDING), INFINITY) : 0;
    if (limit > 0) { /* distances less the radii have the errors of the distances */
        options.clearance += 4 * TMB_CLEARANCE_ROUNDING * thickness_of(query, a, pose_a, b, pose_b);
    }
    *pairs = NULL;
    *count = 0;
    tmb_near_scratch *scratch = tmb_near_scratch_of(query);
    if (!scratch) {
        return TUMBLE_ERROR_MEMORY;
    }
    near_hits hits = {.most = limit, .scale = pose_a ? tumble_pose_scale(pose_a) : 1, .found = &scratch->found};
    tmb_collider collider;
    tmb_collider_begin(&collider, query, a, b, &options);
    collider.sink = (tmb_hit_sink){.on_contact = add_hit, .user = &hits};
    const tumble_status status = tmb_collider_run(&collider, pose_a, pose_b);
    add_work(&collider, counters);
    if (status != TUMBLE_OK || hits.count == 0) {
        return status;
    }
    if (!tmb_buffer_reserve(query->context, &scratch->sort, 2 * hits.count, sizeof(tmb_sort_item), 0) ||
        !tmb_buffer_reserve(query->context, &scratch->listed, hits.count, sizeof(tumble_near), 0)) {
        return tmb_fail_memory(query->context, "sorting the near pairs of a query");
    }
    *count = unique_pairs(scratch->found.data, scratch->sort.data, hits.count, scratch->listed.data);
    *pairs = scratch->listed.data;
    return TUMBLE_OK;
}
