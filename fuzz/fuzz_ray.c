/* A small mesh and rays from bytes: every hierarchy must find the hits that brute force finds, in the same order,
 * single and in batches; and say of the rays' origins what brute force says of where they are, of the
 * closest polygons, and of those in boxes and balls. Some models have a radius. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fuzz_scene.h"

enum {
    RAYS = 3,
    COPIES = 5
};

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    abort();
}

typedef struct rays {
    double origins[RAYS][3], directions[RAYS][3];
    double ranges[RAYS][2];
} rays;

/* From a number to another, or to one of the mesh's points. */
static void next_rays(bytes *in, const small_mesh *mesh, rays *out)
{
    const number_kind kind = next_kind(in);
    for (int i = 0; i < RAYS; i++) {
        const size_t point = next(in) % mesh->mesh.point_count;
        const unsigned how = next(in);
        for (int k = 0; k < 3; k++) {
            const double at = how & 1 ? mesh->points[3 * point + (size_t)k] : next_number(in, &kind);
            out->origins[i][k] = how & 2 && how % 3 != (unsigned)k ? at : next_number(in, &kind);
            out->directions[i][k] = finite(at - out->origins[i][k]);
        }
        out->ranges[i][0] = how & 4 ? 0 : how & 8 ? -(double)INFINITY : -1;
        out->ranges[i][1] = how & 16 ? 1 : (double)INFINITY;
        if (out->directions[i][0] == 0 && out->directions[i][1] == 0 && out->directions[i][2] == 0) {
            out->directions[i][how % 3] = 1;
        }
    }
}

static tumble_status cast(tumble_query *query, const tumble_model *model, const tumble_pose *pose, const rays *r,
                          tumble_mode mode, tumble_ray_hit hits[RAYS], uint64_t counts[RAYS], tumble_ray_result *result)
{
    tumble_ray_batch batch = tumble_default_ray_batch();
    tumble_ray_options options = tumble_default_ray_options();
    batch.count = RAYS, batch.origins = r->origins[0], batch.directions = r->directions[0];
    batch.ranges = r->ranges[0], batch.hits = hits, batch.hit_counts = counts;
    options.mode = mode;
    return tumble_rays(query, model, pose, &batch, &options, result);
}

static int same(const tumble_ray_hit *a, const tumble_ray_hit *b)
{
    return a->polygon == b->polygon && a->side == b->side && a->t == b->t;
}

/* Two queries, as views last until the next call. */
static void compare(tumble_query *queries[2], const tumble_model *model, const tumble_model *brute,
                    const tumble_pose *pose, const rays *r)
{
    tumble_ray_hit hits[2][RAYS], first[RAYS];
    uint64_t counts[2][RAYS], other[RAYS];
    tumble_ray_result results[2], single;
    const tumble_status status = cast(queries[0], model, pose, r, TUMBLE_ALL, hits[0], counts[0], &results[0]);
    if (cast(queries[1], brute, pose, r, TUMBLE_ALL, hits[1], counts[1], &results[1]) != status) {
        fail("status");
    }
    if (status != TUMBLE_OK) {
        return;
    }
    if (results[0].hit_count != results[1].hit_count) {
        fail("hits");
    }
    for (size_t i = 0; i < results[0].hit_count; i++) {
        if (!same(&results[0].hits[i], &results[1].hits[i])) {
            fail("hit");
        }
    }
    if (cast(queries[0], model, pose, r, TUMBLE_FIRST, first, other, &single) != TUMBLE_OK) {
        fail("first");
    }
    for (int i = 0; i < RAYS; i++) {
        if (other[i] != (counts[1][i] > 0) || (other[i] && !same(&first[i], &hits[1][i]))) {
            fail("closest");
        }
    }
    (void)cast(queries[0], model, pose, r, TUMBLE_COUNT, first, other, &single);
    if (single.hit_count != results[1].hit_count) {
        fail("count");
    }
    (void)cast(queries[0], model, pose, r, TUMBLE_TEST, first, other, &single);
    if (single.hit != results[1].hit) {
        fail("test");
    }
}

static void compare_places(tumble_query *query, const tumble_model *model, const tumble_model *brute, const rays *r,
                           tumble_inside_rule rule)
{
    tumble_inside_options options = tumble_default_inside_options();
    tumble_inside_answer answers[2][RAYS];
    options.rule = rule;
    if (tumble_inside(query, model, NULL, r->origins[0], RAYS, &options, answers[0], NULL) != TUMBLE_OK ||
        tumble_inside(query, brute, NULL, r->origins[0], RAYS, &options, answers[1], NULL) != TUMBLE_OK) {
        fail("inside");
    }
    for (int i = 0; i < RAYS; i++) {
        const tumble_inside_answer *a = &answers[0][i], *b = &answers[1][i];
        if (a->place != b->place || a->winding != b->winding || a->polygon != b->polygon) {
            fail("place");
        }
    }
}

/* Some models have a radius: the size of one of their coordinates, or a part of it. */
static void thicken(tumble_model *models[2], const small_mesh *mesh, unsigned how)
{
    const double size = fabs(mesh->points[how % (3 * mesh->mesh.point_count)]);
    for (int i = 0; i < 2 && how % 4; i++) {
        if (tumble_model_set_radius(models[i], size / (1 + how / 64)) != TUMBLE_OK) {
            fail("radius");
        }
    }
}

static uint64_t count_overlaps(tumble_query *query, const tumble_model *model, const rays *r, int ray, int is_ball)
{
    tumble_overlap_options options = tumble_default_overlap_options();
    tumble_overlap_result result;
    tumble_pose place = tumble_pose_identity();
    double half[3];
    for (int k = 0; k < 3; k++) {
        place.m[k][3] = r->origins[ray][k];
        half[k] = fabs(r->directions[ray][k]);
    }
    options.mode = TUMBLE_COUNT;
    const tumble_status status =
        is_ball ? tumble_overlap_sphere(query, model, NULL, r->origins[ray], half[0], &options, &result)
                : tumble_overlap_box(query, model, NULL, &place, half, &options, &result);
    return status == TUMBLE_OK ? result.polygon_count : UINT64_MAX - (uint64_t)status;
}

/* The closest polygons of the rays' origins, and those in boxes and balls around them. */
static void compare_points(tumble_query *queries[2], tumble_model *models[2], const rays *r, int want_sign)
{
    tumble_closest_options options = tumble_default_closest_options();
    tumble_closest_result results[2];
    options.count = 3;
    options.want_sign = want_sign;
    for (int i = 0; i < RAYS; i++) {
        tumble_status status[2];
        for (int m = 0; m < 2; m++) {
            status[m] = tumble_closest_point(queries[m], models[m], NULL, r->origins[i], &options, &results[m]);
        }
        if (status[0] != status[1] || (status[0] == TUMBLE_OK && results[0].count != results[1].count)) {
            fail("closest points");
        }
        for (size_t k = 0; status[0] == TUMBLE_OK && k < results[0].count; k++) {
            if (memcmp(&results[0].closest[k], &results[1].closest[k], sizeof(tumble_closest)) != 0) {
                fail("closest point");
            }
        }
        for (int is_ball = 0; is_ball < 2; is_ball++) {
            if (count_overlaps(queries[0], models[0], r, i, is_ball) !=
                count_overlaps(queries[1], models[1], r, i, is_ball)) {
                fail("overlaps");
            }
        }
    }
}

static tumble_model *model_of(tumble_context *context, const small_mesh *mesh, tumble_hierarchy hierarchy)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = hierarchy;
    return make(context, mesh, &options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const tumble_hierarchy kinds[] = {TUMBLE_HIERARCHY_WIDE, TUMBLE_HIERARCHY_WIDE, TUMBLE_HIERARCHY_KDOP,
                                             TUMBLE_HIERARCHY_BOXTREE, TUMBLE_HIERARCHY_RTREE};
    static small_mesh mesh;
    bytes in = {data, size};
    const unsigned choice = next(&in);
    tumble_context *context = kept_context(choice);
    tumble_query *queries[2];
    rays r;
    if (tumble_query_create(context, &queries[0]) != TUMBLE_OK ||
        tumble_query_create(context, &queries[1]) != TUMBLE_OK) {
        abort();
    }
    const tumble_pose pose = next_pose(&in, context);
    next_mesh(&in, &mesh);
    next_copies(&in, COPIES, &mesh);
    next_rays(&in, &mesh, &r);
    tumble_model *models[2] = {model_of(context, &mesh, kinds[(choice >> 3) % 5]),
                               model_of(context, &mesh, TUMBLE_HIERARCHY_BRUTE)};
    thicken(models, &mesh, next(&in));
    compare(queries, models[0], models[1], choice & 4 ? &pose : NULL, &r);
    compare_places(queries[0], models[0], models[1], &r, (tumble_inside_rule)(choice >> 7));
    compare_points(queries, models, &r, choice >> 7);
    tumble_model_destroy(models[0]);
    tumble_model_destroy(models[1]);
    tumble_query_destroy(queries[0]);
    tumble_query_destroy(queries[1]);
    return 0;
}
