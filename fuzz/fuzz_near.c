/* Two small meshes that move, from bytes: every hierarchy must be as far apart as brute force says, with and without
 * coherence and budgets, and closer than a clearance exactly when it is. */
#include <stdio.h>

#include "fuzz_scene.h"

enum {
    STEPS = 3,
    COPIES = 5,
    BUDGET = 100,  /* of exact comparisons, see limit_meshes */
    EXACT_MOST = 8 /* where more pairs than this need exact arithmetic, one position must do */
};

static void require(int condition, const char *what, double found, double expected)
{
    if (!condition) {
        fprintf(stderr, "%s: %.17g, expected %.17g\n", what, found, expected);
        abort();
    }
}

static int is_near(double x, double y)
{
    return x == y || fabs(x - y) <= 1e-14 * fabs(y);
}

/* Whether a distance is a double to the last bits, also in A's frame. */
static int is_sharp(double distance, const tumble_pose *pose_a)
{
    const double own = distance / tumble_pose_scale(pose_a);
    return distance == 0 || (distance > 1e-290 && distance < 1e290 && own > 1e-290 && own < 1e290);
}

/* Two models with the same hierarchy, or not. */
typedef struct pair_of_models {
    tumble_model *models[2];
} pair_of_models;

static pair_of_models make_pair(tumble_context *context, const small_mesh meshes[2], tumble_hierarchy a,
                                tumble_hierarchy b)
{
    tumble_model_options options = tumble_default_model_options();
    pair_of_models made;
    options.hierarchy = a;
    made.models[0] = make(context, &meshes[0], &options);
    options.hierarchy = b;
    made.models[1] = make(context, &meshes[1], &options);
    return made;
}

static void free_pair(pair_of_models *pair)
{
    tumble_model_destroy(pair->models[0]);
    tumble_model_destroy(pair->models[1]);
}

static tumble_status ask(tumble_query *query, const pair_of_models *pair, const tumble_pose poses[2],
                         const tumble_distance_options *options, tumble_distance_result *result)
{
    *result = (tumble_distance_result){0};
    return tumble_distance(query, pair->models[0], &poses[0], pair->models[1], &poses[1], options, result);
}

/* The distance itself, then the same by `within` and `enough`, then part of it with a budget. */
static void check_distance(tumble_query *query, const pair_of_models *pair, const tumble_pose poses[2], double distance,
                           int coherence, unsigned choice)
{
    tumble_distance_options options = tumble_default_distance_options();
    tumble_distance_result result;
    options.coherence = coherence;
    (void)ask(query, pair, poses, &options, &result);
    const int exists = result.answer == TUMBLE_YES;
    if (!is_sharp(distance, &poses[0]) && distance < INFINITY) {
        return;
    }
    require(is_near(exists ? result.nearest.distance : INFINITY, distance), "distance", result.nearest.distance,
            distance);
    require(result.lower <= result.upper && is_near(result.lower, distance), "lower", result.lower, distance);
    options.within = choice & 1 ? distance * (1 + 1e-13) : distance * (1 - 1e-13);
    options.enough = choice & 2 ? options.within : 0;
    (void)ask(query, pair, poses, &options, &result);
    const int is_within = choice & 1 || distance == 0;
    if (is_sharp(distance, &poses[0])) {
        require(result.answer == (is_within ? TUMBLE_YES : TUMBLE_NO), "within", options.within, distance);
    }
    options = tumble_default_distance_options();
    options.coherence = coherence;
    options.relative_error = choice & 4 ? 0.5 : 0;
    options.budget_box_tests = 1 + (choice >> 3);
    (void)ask(query, pair, poses, &options, &result);
    require(result.lower <= distance * (1 + 1e-14), "lower with a budget", result.lower, distance);
    require(result.upper >= distance * (1 - 1e-14), "upper with a budget", result.upper, distance);
}

/* Yes and no by clearance, and at 0 that of a collision query. */
static void check_clearance(tumble_query *query, const pair_of_models *pair, const tumble_pose poses[2],
                            double distance)
{
    const double limits[] = {0, distance * (1 - 1e-13), distance * (1 + 1e-13)};
    for (int i = 0; i < 3; i++) {
        tumble_collide_options options = tumble_default_collide_options();
        tumble_collide_result result;
        options.mode = TUMBLE_TEST;
        options.clearance = limits[i];
        if (!is_sharp(distance, &poses[0])) {
            continue;
        }
        if (tumble_collide(query, pair->models[0], &poses[0], pair->models[1], &poses[1], &options, &result) ==
            TUMBLE_OK) {
            require(result.collide == (distance <= limits[i]), "clearance", limits[i], distance);
        }
    }
}

static void check_relation(tumble_query *query, const pair_of_models *pair, const pair_of_models *brute,
                           const tumble_pose poses[2], double distance)
{
    tumble_relation_result found, expected = {0};
    const tumble_status status = tumble_relate(query, pair->models[0], &poses[0], pair->models[1], &poses[1], &found);
    if (tumble_relate(query, brute->models[0], &poses[0], brute->models[1], &poses[1], &expected) != status) {
        abort();
    }
    if (status == TUMBLE_OK) {
        const int meets = found.relation == TUMBLE_RELATION_TOUCHING || found.relation == TUMBLE_RELATION_CROSSING;
        require(found.relation == expected.relation, "relation", found.relation, expected.relation);
        require(meets == (distance == 0), "relation", found.relation, distance);
    }
}

/* ---- One input ---- */

static void next_scene(bytes *in, tumble_context *context, int larger, small_mesh meshes[2], tumble_pose poses[2])
{
    poses[0] = next_pose(in, context);
    poses[1] = next_pose(in, context);
    next_mesh(in, &meshes[0]);
    next_mesh(in, &meshes[1]);
    for (int i = 0; i < 2; i++) {
        next_copies(in, i == larger ? COPIES : COPIES_FEW, &meshes[i]);
    }
    limit_meshes(meshes, poses, BUDGET);
}

static void next_hierarchies(unsigned choice, int with_brute, tumble_hierarchy out[2])
{
    static const tumble_hierarchy kinds[] = {TUMBLE_HIERARCHY_WIDE, TUMBLE_HIERARCHY_KDOP, TUMBLE_HIERARCHY_BOXTREE,
                                             TUMBLE_HIERARCHY_RTREE};
    out[0] = kinds[choice >> 3 & 3];
    out[1] = with_brute ? TUMBLE_HIERARCHY_BRUTE : choice & 32 ? kinds[choice >> 6 & 3] : out[0];
}

/* The questions about one position; 0: the answers take too long. */
static int check_position(tumble_query *query, const pair_of_models *pair, const pair_of_models *brute,
                          const tumble_pose poses[2], unsigned choice)
{
    tumble_distance_result result;
    if (ask(query, brute, poses, NULL, &result) != TUMBLE_OK) {
        return 0;
    }
    const double distance = result.answer == TUMBLE_YES ? result.nearest.distance : INFINITY;
    check_distance(query, pair, poses, distance, (int)(choice & 1), choice >> 1);
    if (choice & 2) {
        check_clearance(query, pair, poses, distance);
    } else {
        check_relation(query, pair, brute, poses, distance);
    }
    return result.counters.exact_tests <= EXACT_MOST;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static small_mesh meshes[2];
    bytes in = {data, size};
    const unsigned choice = next(&in), other = next(&in);
    tumble_context *context = kept_context(choice);
    tumble_query *query = NULL;
    tumble_pose poses[2];
    tumble_hierarchy hierarchies[2];
    if (tumble_query_create(context, &query) != TUMBLE_OK) {
        abort();
    }
    next_scene(&in, context, (int)(choice >> 2 & 1), meshes, poses);
    next_hierarchies(choice, other >= 224, hierarchies);
    pair_of_models brute = make_pair(context, meshes, TUMBLE_HIERARCHY_BRUTE, TUMBLE_HIERARCHY_BRUTE);
    pair_of_models pair = make_pair(context, meshes, hierarchies[0], hierarchies[1]);
    const number_kind kind = next_kind(&in);
    for (int step = 0; step < STEPS && check_position(query, &pair, &brute, poses, other + (unsigned)step * 2);
         step++) {
        for (int k = 0; k < 3; k++) {
            poses[1].m[k][3] = finite(poses[1].m[k][3] + next_number(&in, &kind) * 0x1p-10);
        }
    }
    free_pair(&brute);
    free_pair(&pair);
    tumble_query_destroy(query);
    return 0;
}
