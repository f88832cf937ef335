/* The move that parts two small models, from bytes: after it they are apart, all hierarchies agree with brute force,
 * and limits with what is found without them. */
#include <stdio.h>

#include "fuzz_scene.h"

#define BUDGET 100000 /* as in fuzz_motion */

static void require(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

static tumble_model *make_as(tumble_context *context, const small_mesh *mesh, tumble_hierarchy hierarchy)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = hierarchy;
    return make(context, mesh, &options);
}

/* A tetrahedron of the first four points, which is closed. */
static void close_mesh(small_mesh *mesh)
{
    static const uint32_t corners[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    for (size_t i = 3 * mesh->mesh.point_count; i < 12; i++) {
        mesh->points[i] = (double)(i % 4 == 0);
    }
    for (int i = 0; i < 4; i++) {
        mesh->sizes[i] = 3;
    }
    memcpy(mesh->corners, corners, sizeof corners);
    mesh->mesh.point_count = mesh->mesh.point_count > 4 ? mesh->mesh.point_count : 4;
    mesh->mesh.polygon_count = 4;
    mesh->mesh.index_count = 12;
}

static void check(tumble_query *query, const tumble_model *a, const tumble_pose *pose_a, const tumble_model *b,
                  const tumble_separate_options *options, const tumble_separate_result *r)
{
    tumble_relation_result after;
    require(r->lower >= 0 && r->lower <= r->upper, "bounds");
    require(r->answer != TUMBLE_NO || r->lower > options->within, "no");
    require((r->answer == TUMBLE_YES) == (r->upper < INFINITY && r->upper <= options->within), "yes");
    if (r->upper < INFINITY) {
        require(tumble_relate(query, a, pose_a, b, &r->pose_b, &after) == TUMBLE_OK, "relation after the move");
        require(after.relation == TUMBLE_RELATION_APART ||
                    (after.relation == TUMBLE_RELATION_UNDEFINED && !after.surfaces_meet) ||
                    (after.relation == TUMBLE_RELATION_TOUCHING && options->touching),
                "not parted");
    }
}

/* Along a direction, the exact multiple does not depend on hierarchies; whether a thin gap is found to be one does. */
static void compare(const tumble_separate_result *one, const tumble_separate_result *other)
{
    if (one->is_complete && other->is_complete) {
        require(one->lower_along <= other->upper_along && other->lower_along <= one->upper_along, "along");
        require(!one->is_tight || !other->is_tight || one->lower_along == other->lower_along, "another end of contact");
    }
}

/* With half of what was found as the limit, the answer is not a shorter move than what is proven. Of a move along a
 * direction the multiples tell that: the pose after it is rounded, so it may be a little shorter than the exact one. */
static void ask_again(tumble_query *query, tumble_model *const models[2], const tumble_pose poses[2],
                      const tumble_separate_options *options, const tumble_separate_result *first)
{
    tumble_separate_options less = *options;
    tumble_separate_result r;
    less.within = less.enough = 0.5 * first->upper;
    const tumble_status status = tumble_separate(query, models[0], &poses[0], models[1], &poses[1], &less, &r);
    require(status == TUMBLE_OK, "asked again");
    check(query, models[0], &poses[0], models[1], &less, &r);
    const int anywhere = options->direction[0] == 0 && options->direction[1] == 0 && options->direction[2] == 0;
    require(!anywhere || (r.upper >= first->lower && r.lower <= first->upper), "bounds contradict each other");
    require(r.upper_along >= first->lower_along && r.lower_along <= first->upper_along,
            "multiples contradict each other");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const tumble_hierarchy hierarchies[] = {TUMBLE_HIERARCHY_WIDE, TUMBLE_HIERARCHY_BOXTREE,
                                                   TUMBLE_HIERARCHY_KDOP, TUMBLE_HIERARCHY_RTREE};
    static small_mesh meshes[2];
    bytes in = {data, size};
    const unsigned choice = next(&in), other = next(&in);
    tumble_context *context = kept_context(choice);
    tumble_query *query = NULL;
    require(tumble_query_create(context, &query) == TUMBLE_OK, "a query");
    tumble_separate_options options = tumble_default_separate_options();
    options.touching = other & 1;
    const number_kind ways = next_kind(&in);
    for (int k = 0; k < 3 && other & 6; k++) {
        options.direction[k] = next_number(&in, &ways);
    }
    const int anywhere = options.direction[0] == 0 && options.direction[1] == 0 && options.direction[2] == 0;
    for (int side = 0; side < 2; side++) {
        next_mesh(&in, &meshes[side]);
        if (anywhere || other & 8u << side) {
            close_mesh(&meshes[side]);
        }
    }
    const tumble_pose poses[2] = {next_pose(&in, context), next_pose(&in, context)};
    if (!anywhere) {
        limit_meshes(meshes, poses, BUDGET);
    }
    options.budget_box_tests = anywhere ? 300 : 2000;
    options.budget_directions = 4;
    const int is_costly = exact_cost(meshes, poses) > 200 && anywhere;
    tumble_model *models[3] = {make_as(context, &meshes[0], hierarchies[choice >> 2 & 3]),
                               make_as(context, &meshes[1], hierarchies[choice >> 4 & 3]),
                               make_as(context, &meshes[1], TUMBLE_HIERARCHY_BRUTE)};
    tumble_separate_result results[2];
    tumble_status status = is_costly ? TUMBLE_ERROR_UNSUPPORTED : TUMBLE_OK;
    for (int i = 0; i < 2 && status == TUMBLE_OK; i++) {
        status = tumble_separate(query, models[0], &poses[0], models[1 + i], &poses[1], &options, &results[i]);
        require(status == TUMBLE_OK || status == TUMBLE_ERROR_NOT_FINITE || status == TUMBLE_ERROR_POSE ||
                    status == TUMBLE_ERROR_UNSUPPORTED,
                "separate");
        if (status == TUMBLE_OK) {
            check(query, models[0], &poses[0], models[1 + i], &options, &results[i]);
        }
    }
    if (status == TUMBLE_OK && !anywhere) {
        compare(&results[0], &results[1]);
    }
    if (status == TUMBLE_OK && results[0].is_complete && results[0].upper < INFINITY) {
        ask_again(query, models, poses, &options, &results[0]);
    }
    for (int i = 0; i < 3; i++) {
        tumble_model_destroy(models[i]);
    }
    tumble_query_destroy(query);
    return 0;
}
