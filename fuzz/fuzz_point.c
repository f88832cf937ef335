/* A small mesh and points from bytes: every hierarchy must find the closest points that brute force finds, to the bit,
 * and the same polygons in boxes and balls. */
#include <stdio.h>

#include "fuzz_scene.h"

enum {
    PLACES = 3,
    WANTED = 4,
    COPIES = 5
};

static void require(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

/* Two models of one mesh, of some hierarchy and of none, with a query for each, as views last until the next call. */
typedef struct rivals {
    tumble_query *queries[2];
    tumble_model *models[2];
    const tumble_pose *pose;
} rivals;

/* At a corner, beside one, or anywhere. */
static void next_places(bytes *in, const small_mesh *mesh, double places[PLACES][3])
{
    const number_kind kind = next_kind(in);
    for (int i = 0; i < PLACES; i++) {
        const size_t point = next(in) % mesh->mesh.point_count;
        const unsigned how = next(in);
        for (int k = 0; k < 3; k++) {
            const double at = mesh->points[3 * point + (size_t)k];
            places[i][k] = how & 1 ? next_number(in, &kind) : how & 2 ? nextafter(at, how & 4 ? 1e308 : -1e308) : at;
        }
    }
}

/* ---- Closest points ---- */

static void compare_lists(const tumble_closest_result results[2], size_t room)
{
    require(results[0].count == results[1].count && results[0].closed == results[1].closed, "count");
    for (size_t i = 0; i < room && results[0].count > 0; i++) {
        const tumble_closest *a = &results[0].closest[i], *b = &results[1].closest[i];
        require(a->polygon == b->polygon, "polygon");
        require(a->polygon == UINT32_MAX || memcmp(a, b, sizeof *a) == 0, "closest point");
        require(a->polygon == UINT32_MAX || (a->lower <= a->distance && a->distance <= a->upper), "bounds");
    }
}

/* The nearest polygon alone is the first of several. */
static void compare_first(const rivals *r, const double point[3], const tumble_closest_options *options,
                          const tumble_closest_result *several)
{
    tumble_closest_options one = *options;
    tumble_closest_result result;
    const int is_found = several->count > 0 && several->closest[0].polygon != UINT32_MAX;
    one.count = 1;
    require(tumble_closest_point(r->queries[0], r->models[0], r->pose, point, &one, &result) == TUMBLE_OK, "one");
    require(result.count == (uint64_t)is_found, "count of one");
    require(!is_found || memcmp(result.closest, several->closest, sizeof *result.closest) == 0, "the nearest");
}

static void compare_closest(const rivals *r, double places[PLACES][3], const tumble_closest_options *options)
{
    tumble_closest_result results[2];
    tumble_status status[2];
    for (int i = 0; i < 2; i++) {
        status[i] =
            tumble_closest_points(r->queries[i], r->models[i], r->pose, places[0], PLACES, options, &results[i]);
    }
    require(status[0] == status[1], "status");
    if (status[0] == TUMBLE_OK) {
        compare_lists(results, PLACES * options->count);
        compare_first(r, places[0], options, &results[1]);
    }
}

/* ---- Boxes and balls ---- */

typedef struct shape {
    const double *numbers; /* of a ball: its centre; else half extents */
    const tumble_pose *box_pose;
    double radius;
    int is_ball;
} shape;

static tumble_status ask(const rivals *r, int side, const shape *s, tumble_mode mode, tumble_overlap_result *result)
{
    tumble_overlap_options options = tumble_default_overlap_options();
    options.mode = mode;
    return s->is_ball ? tumble_overlap_sphere(r->queries[side], r->models[side], r->pose, s->numbers, s->radius,
                                              &options, result)
                      : tumble_overlap_box(r->queries[side], r->models[side], r->pose, s->box_pose, s->numbers,
                                           &options, result);
}

static void compare_overlaps(const rivals *r, const shape *s)
{
    tumble_overlap_result found, truth;
    const tumble_status status = ask(r, 1, s, TUMBLE_ALL, &truth);
    require(ask(r, 0, s, TUMBLE_ALL, &found) == status, "status of an overlap");
    if (status != TUMBLE_OK) {
        return;
    }
    require(found.polygon_count == truth.polygon_count, "polygons");
    require(found.polygon_count == 0 ||
                memcmp(found.polygons, truth.polygons, found.polygon_count * sizeof *found.polygons) == 0,
            "a polygon");
    require(ask(r, 0, s, TUMBLE_COUNT, &found) == TUMBLE_OK && found.polygon_count == truth.polygon_count, "counted");
    require(ask(r, 0, s, TUMBLE_TEST, &found) == TUMBLE_OK && found.overlap == truth.overlap, "test");
}

/* ---- All ---- */

static tumble_model *model_of(tumble_context *context, const small_mesh *mesh, tumble_hierarchy hierarchy,
                              double radius)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = hierarchy;
    options.radius = radius;
    return make(context, mesh, &options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const tumble_hierarchy kinds[] = {TUMBLE_HIERARCHY_WIDE, TUMBLE_HIERARCHY_WIDE, TUMBLE_HIERARCHY_KDOP,
                                             TUMBLE_HIERARCHY_BOXTREE, TUMBLE_HIERARCHY_RTREE};
    static small_mesh mesh;
    bytes in = {data, size};
    const unsigned choice = next(&in), other = next(&in);
    tumble_context *context = kept_context(choice);
    rivals r = {.pose = NULL};
    double places[PLACES][3], extents[3];
    const tumble_pose pose = next_pose(&in, context), box_pose = next_pose(&in, context);
    next_mesh(&in, &mesh);
    next_copies(&in, COPIES, &mesh);
    next_places(&in, &mesh, places);
    const double radius = other & 64 ? fabs(mesh.points[other % (3 * mesh.mesh.point_count)]) : 0;
    for (int i = 0; i < 2; i++) {
        r.models[i] = model_of(context, &mesh, i ? TUMBLE_HIERARCHY_BRUTE : kinds[(choice >> 3) % 5], radius);
        require(tumble_query_create(context, &r.queries[i]) == TUMBLE_OK, "a query");
    }
    r.pose = choice & 4 ? &pose : NULL;
    tumble_closest_options options = tumble_default_closest_options();
    options.count = 1 + other % WANTED;
    options.want_sign = (other & 8) != 0;
    options.within = other & 16 ? fabs(next_double(&in)) : (double)INFINITY;
    compare_closest(&r, places, &options);
    for (int k = 0; k < 3; k++) {
        extents[k] = fabs(places[1][k]);
    }
    compare_overlaps(&r, &(shape){.numbers = extents, .box_pose = other & 32 ? &box_pose : NULL});
    compare_overlaps(&r, &(shape){.numbers = places[0], .radius = fabs(places[1][0]), .is_ball = 1});
    for (int i = 0; i < 2; i++) {
        tumble_model_destroy(r.models[i]);
        tumble_query_destroy(r.queries[i]);
    }
    return 0;
}
