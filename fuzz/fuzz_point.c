/* A small mesh, points, boxes and balls from bytes: every hierarchy must find the closest polygons that brute force
 * finds, in the same order, single and in batches; and the same polygons in a box or a ball, in every mode. */
#include <stdio.h>

#include "fuzz_scene.h"

enum {
    POINTS = 3,
    COPIES = 5
};

static void require(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

/* Two queries, as views last until the next call: the model's, and that of brute force. */
typedef struct asker {
    tumble_query *query;
    const tumble_model *model;
} asker;

/* Numbers, or those of the mesh's points. */
static void next_points(bytes *in, const small_mesh *mesh, double out[POINTS][3])
{
    const number_kind kind = next_kind(in);
    for (int i = 0; i < POINTS; i++) {
        const size_t point = next(in) % mesh->mesh.point_count;
        const unsigned how = next(in);
        for (int k = 0; k < 3; k++) {
            out[i][k] = how >> k & 1 ? mesh->points[3 * point + (size_t)k] : next_number(in, &kind);
        }
    }
}

/* ---- Closest points ---- */

static int same_closest(const tumble_closest *a, const tumble_closest *b)
{
    return a->polygon == b->polygon && a->distance == b->distance && a->lower == b->lower && a->upper == b->upper &&
           a->point[0] == b->point[0] && a->point[1] == b->point[1] && a->point[2] == b->point[2];
}

/* Each point by itself has the answers that it has in the batch. */
static void compare_single(const asker *one, const tumble_pose *pose, const double points[POINTS][3],
                           const tumble_closest_options *options, const tumble_closest_result *expected)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < POINTS; i++) {
        tumble_closest_result single;
        require(tumble_closest_point(one->query, one->model, pose, points[i], options, &single) == TUMBLE_OK, "single");
        for (size_t k = 0; k < single.count; k++) {
            require(same_closest(&single.closest[k], &expected->closest[i * options->count + k]), "single, closest");
        }
        sum += single.count;
    }
    require(sum == expected->count, "single, count");
}

static void compare_closest(const asker askers[2], const tumble_pose *pose, const double points[POINTS][3],
                            const tumble_closest_options *options)
{
    tumble_closest_result results[2];
    tumble_status status[2];
    for (int i = 0; i < 2; i++) {
        status[i] =
            tumble_closest_points(askers[i].query, askers[i].model, pose, points[0], POINTS, options, &results[i]);
    }
    require(status[0] == status[1], "closest, status");
    if (status[0] != TUMBLE_OK) {
        return;
    }
    require(results[0].count == results[1].count && results[0].closed == results[1].closed, "closest, count");
    for (size_t i = 0; i < POINTS * options->count; i++) {
        const tumble_closest *a = &results[0].closest[i];
        require(same_closest(a, &results[1].closest[i]), "closest");
        require(a->lower <= a->distance && a->distance <= a->upper, "bounds");
    }
    compare_single(&askers[0], pose, points, options, &results[1]);
}

/* ---- Boxes and balls ---- */

typedef struct shape {
    int is_ball;
    tumble_pose box_pose;
    double numbers[3], radius; /* half extents, or the centre */
} shape;

static tumble_status overlap(const asker *one, const tumble_pose *pose, const shape *s, tumble_mode mode,
                             tumble_overlap_result *result)
{
    tumble_overlap_options options = tumble_default_overlap_options();
    options.mode = mode;
    return s->is_ball ? tumble_overlap_sphere(one->query, one->model, pose, s->numbers, s->radius, &options, result)
                      : tumble_overlap_box(one->query, one->model, pose, &s->box_pose, s->numbers, &options, result);
}

static void compare_overlap(const asker askers[2], const tumble_pose *pose, const shape *s)
{
    tumble_overlap_result found, expected;
    const tumble_status status = overlap(&askers[1], pose, s, TUMBLE_ALL, &expected);
    require(overlap(&askers[0], pose, s, TUMBLE_ALL, &found) == status, "overlap, status");
    if (status != TUMBLE_OK) {
        return;
    }
    const uint64_t count = expected.polygon_count;
    require(found.polygon_count == count && found.overlap == (count > 0), "overlap, count");
    require(count == 0 || memcmp(found.polygons, expected.polygons, count * sizeof(uint32_t)) == 0, "overlap");
    for (int mode = TUMBLE_TEST; mode < TUMBLE_ALL; mode++) {
        require(overlap(&askers[0], pose, s, (tumble_mode)mode, &found) == TUMBLE_OK, "overlap, another mode");
        require(found.overlap == (count > 0), "overlap, yes or no");
        require(found.polygon_count == (mode == TUMBLE_COUNT ? count : count > 0), "overlap, another count");
    }
}

/* ---- An input ---- */

static tumble_model *model_of(tumble_context *context, const small_mesh *mesh, tumble_hierarchy hierarchy)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = hierarchy;
    return make(context, mesh, &options);
}

static tumble_closest_options next_options(bytes *in)
{
    const unsigned choice = next(in);
    tumble_closest_options options = tumble_default_closest_options();
    options.count = 1 + (choice & 3);
    options.want_sign = choice >> 2 & 1;
    options.within = choice & 8 ? fabs(next_double(in)) : options.within;
    return options;
}

static void ask_shapes(bytes *in, const asker askers[2], const tumble_pose *pose, const double points[POINTS][3])
{
    const unsigned choice = next(in);
    shape s = {.is_ball = 1, .radius = choice & 1 ? fabs(next_double(in)) : next(in) / 16.0};
    memcpy(s.numbers, points[0], sizeof s.numbers);
    compare_overlap(askers, pose, &s);
    s.is_ball = 0;
    s.box_pose = next_pose(in, kept_context(0));
    for (int k = 0; k < 3; k++) {
        s.numbers[k] = choice & 2 ? fabs(points[1][k]) : next(in) / 16.0;
        s.box_pose.m[k][3] = choice & 4 ? points[2][k] : s.box_pose.m[k][3];
    }
    compare_overlap(askers, pose, &s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const tumble_hierarchy kinds[] = {TUMBLE_HIERARCHY_WIDE, TUMBLE_HIERARCHY_WIDE, TUMBLE_HIERARCHY_KDOP,
                                             TUMBLE_HIERARCHY_BOXTREE, TUMBLE_HIERARCHY_RTREE};
    static small_mesh mesh;
    bytes in = {data, size};
    const unsigned choice = next(&in);
    tumble_context *context = kept_context(choice);
    const tumble_pose pose = next_pose(&in, context);
    tumble_model *models[2];
    tumble_query *queries[2];
    double points[POINTS][3];
    next_mesh(&in, &mesh);
    next_copies(&in, COPIES, &mesh);
    next_points(&in, &mesh, points);
    const tumble_closest_options options = next_options(&in);
    for (int i = 0; i < 2; i++) {
        models[i] = model_of(context, &mesh, i ? TUMBLE_HIERARCHY_BRUTE : kinds[(choice >> 3) % 5]);
        require(tumble_query_create(context, &queries[i]) == TUMBLE_OK, "a query");
    }
    const asker askers[2] = {{queries[0], models[0]}, {queries[1], models[1]}};
    compare_closest(askers, choice & 4 ? &pose : NULL, (const double(*)[3])points, &options);
    ask_shapes(&in, askers, choice & 4 ? &pose : NULL, (const double(*)[3])points);
    for (int i = 0; i < 2; i++) {
        tumble_model_destroy(models[i]);
        tumble_query_destroy(queries[i]);
    }
    return 0;
}
