/* First contact of two small models in motion, from bytes: no sample of the free time is in contact, and all
 * hierarchies agree with brute force. */
#include <stdio.h>

#include "fuzz_scene.h"

#define SAMPLES 12
#define BUDGET \
    400000 /* bits that are multiplied with bits, in all, in millions of which there are some in a millisecond */

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

static tumble_motion next_motion(bytes *in, const tumble_pose *pose)
{
    tumble_motion motion = tumble_motion_still(pose);
    const number_kind ways = next_kind(in), points = next_kind(in);
    const unsigned turns = next(in);
    for (int k = 0; k < 3; k++) {
        motion.translation[k] = next_number(in, &ways);
        motion.point[k] = next_number(in, &points);
        motion.axis[k] = next_signed(in);
    }
    motion.axis[0] += motion.axis[0] == 0 && motion.axis[1] == 0 && motion.axis[2] == 0;
    motion.angle = turns % 4 == 0 ? 0 : turns % 4 == 3 ? next_signed(in) : next_signed(in) / 32.0;
    return motion;
}

/* With room for the rounding of poses: without, an exact first time can be right and a sample still touch. */
static void sample(tumble_query *query, const tumble_model *a, const tumble_model *b, const tumble_motion motions[2],
                   double clearance, double end)
{
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.mode = TUMBLE_TEST;
    options.clearance = clearance;
    for (int i = 0; i < SAMPLES; i++) {
        const tumble_pose poses[2] = {tumble_motion_pose(&motions[0], end * i / SAMPLES),
                                      tumble_motion_pose(&motions[1], end * i / SAMPLES)};
        const tumble_status status = tumble_collide(query, a, &poses[0], b, &poses[1], &options, &result);
        require(status == TUMBLE_OK || status == TUMBLE_ERROR_NOT_FINITE || status == TUMBLE_ERROR_POSE, "sample");
        require(status != TUMBLE_OK || !result.collide, "in contact while free");
    }
}

/* Samples are not nearer than the clearance that is proven, and it is not above what was found. */
static void check_clearance(tumble_query *query, const tumble_model *a, const tumble_model *b,
                            const tumble_motion motions[2])
{
    tumble_clearance_along_options options = tumble_default_clearance_along_options();
    tumble_clearance_along_result result;
    tumble_distance_result near;
    options.budget_box_tests = 1000;
    options.relative_error = 0.01;
    const tumble_status status = tumble_clearance_along(query, a, &motions[0], b, &motions[1], &options, &result);
    require(status == TUMBLE_OK || status == TUMBLE_ERROR_NOT_FINITE, "clearance");
    for (int i = 0; i <= SAMPLES && status == TUMBLE_OK; i++) {
        const tumble_pose poses[2] = {tumble_motion_pose(&motions[0], (double)i / SAMPLES),
                                      tumble_motion_pose(&motions[1], (double)i / SAMPLES)};
        require(result.lower <= result.upper, "bounds of the clearance");
        if (result.lower > 0 && tumble_distance(query, a, &poses[0], b, &poses[1], NULL, &near) == TUMBLE_OK) {
            require(near.upper >= result.lower, "nearer than the clearance");
        }
    }
}

static void compare(const tumble_first_contact_result *one, const tumble_first_contact_result *other)
{
    require(one->free_until >= 0 && one->free_until <= 1 && one->free_until <= one->touching_at, "times");
    if (one->is_complete && other->is_complete && one->error == 0) {
        require(one->answer == other->answer, "another answer than brute force");
        require(one->free_until == other->free_until && one->touching_at == other->touching_at, "another time");
    }
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
    next_mesh(&in, &meshes[0]);
    next_mesh(&in, &meshes[1]);
    tumble_pose pose = tumble_pose_identity();
    const number_kind shifts = next_kind(&in);
    for (int k = 0; k < 3; k++) {
        pose.m[k][3] = next_number(&in, &shifts);
    }
    const tumble_pose poses[2] = {tumble_pose_identity(), pose};
    limit_meshes(meshes, poses, BUDGET);
    tumble_motion motions[2] = {tumble_motion_still(NULL), next_motion(&in, &pose)};
    tumble_first_contact_options options = tumble_default_first_contact_options();
    options.tolerance = other & 1 ? 0 : 1e-3;
    options.clearance = (other & 6) == 2 ? fabs(next_double(&in)) : 0;
    options.budget_box_tests = 3000;
    if (other & 8) {
        motions[0] = next_motion(&in, &poses[0]);
    }
    tumble_model *models[3] = {make_as(context, &meshes[0], hierarchies[choice >> 2 & 3]),
                               make_as(context, &meshes[1], hierarchies[choice >> 4 & 3]),
                               make_as(context, &meshes[1], TUMBLE_HIERARCHY_BRUTE)};
    tumble_first_contact_result results[2];
    tumble_status status = TUMBLE_OK;
    for (int i = 0; i < 2 && status == TUMBLE_OK; i++) {
        status = tumble_first_contact(query, models[0], &motions[0], models[1 + i], &motions[1], &options, &results[i]);
        require(status == TUMBLE_OK || status == TUMBLE_ERROR_NOT_FINITE, "first contact");
    }
    if (status == TUMBLE_OK) {
        if (options.tolerance == 0) {
            compare(&results[0], &results[1]);
        }
        if (results[0].error > 0 && results[0].free_until > 0) {
            sample(query, models[0], models[1], motions, options.clearance, results[0].free_until);
        }
    }
    check_clearance(query, models[0], models[1], motions);
    for (int i = 0; i < 3; i++) {
        tumble_model_destroy(models[i]);
    }
    tumble_query_destroy(query);
    return 0;
}
