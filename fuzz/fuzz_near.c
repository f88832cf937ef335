/* Two small meshes that move, from bytes: every hierarchy must be as far apart as brute force says, with and without
 * coherence and budgets, and closer than a clearance exactly when it is. */
#include <stdio.h>

#include "fuzz_scene.h"

enum {
    STEPS = 2,
    COPIES = 5,
    BUDGET = 100,  /* of exact comparisons, see limit_meshes */
    EXACT_MOST = 4 /* where more pairs than this need exact arithmetic, one position must do */
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
    return x == y || fabs(x - y) <= 1e-14 * fabs(y) + 0x1p-1074;
}

/* Whether limits just below and above the distance are other numbers than it. */
static int is_sharp(double distance)
{
    return distance == 0 || (distance > 1e-290 && distance < 1e290);
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

/* What is asked, of which models, and what brute force says. */
typedef struct position {
    tumble_query *query;
    const pair_of_models *pair, *brute;
    const tumble_pose *poses;
    double distance;
    tumble_coherence coherence;
    unsigned choice;
} position;

static void check_distance(const position *at)
{
    tumble_distance_options options = tumble_default_distance_options();
    tumble_distance_result result;
    options.coherence = at->coherence;
    (void)ask(at->query, at->pair, at->poses, &options, &result);
    const int exists = result.answer == TUMBLE_YES;
    require(is_near(exists ? result.nearest.distance : INFINITY, at->distance), "distance", result.nearest.distance,
            at->distance);
    require(result.lower <= result.upper && is_near(result.lower, at->distance), "lower", result.lower, at->distance);
}

static void check_within(const position *at)
{
    tumble_distance_options options = tumble_default_distance_options();
    tumble_distance_result result;
    options.coherence = at->coherence;
    options.within = at->choice & 1 ? at->distance * (1 + 1e-13) : at->distance * (1 - 1e-13);
    options.enough = at->choice & 2 ? options.within : 0;
    (void)ask(at->query, at->pair, at->poses, &options, &result);
    const int is_within = at->choice & 1 || at->distance == 0;
    if (is_sharp(at->distance)) {
        require(result.answer == (is_within ? TUMBLE_YES : TUMBLE_NO), "within", options.within, at->distance);
    }
}

static void check_budget(const position *at)
{
    tumble_distance_options options = tumble_default_distance_options();
    tumble_distance_result result;
    options.coherence = at->coherence;
    options.relative_error = at->choice & 4 ? 0.5 : 0;
    options.budget_box_tests = 1 + (at->choice >> 3);
    (void)ask(at->query, at->pair, at->poses, &options, &result);
    require(result.lower <= at->distance * (1 + 1e-14) + 0x1p-1074, "lower with a budget", result.lower, at->distance);
    require(result.upper >= at->distance * (1 - 1e-14) - 0x1p-1074, "upper with a budget", result.upper, at->distance);
}

/* Yes and no by clearance, and at 0 that of a collision query. */
static void check_clearance(const position *at)
{
    const double limits[] = {0, at->distance * (1 - 1e-13), at->distance * (1 + 1e-13)};
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.mode = TUMBLE_TEST;
    options.clearance = limits[at->choice % 3];
    if (is_sharp(at->distance) && tumble_collide(at->query, at->pair->models[0], &at->poses[0], at->pair->models[1],
                                                 &at->poses[1], &options, &result) == TUMBLE_OK) {
        require(result.collide == (at->distance <= options.clearance), "clearance", options.clearance, at->distance);
    }
}

static void check_relation(const position *at)
{
    const tumble_pose *poses = at->poses;
    tumble_relation_result found, expected = {0};
    const tumble_status status =
        tumble_relate(at->query, at->pair->models[0], &poses[0], at->pair->models[1], &poses[1], &found);
    if (tumble_relate(at->query, at->brute->models[0], &poses[0], at->brute->models[1], &poses[1], &expected) !=
        status) {
        abort();
    }
    if (status == TUMBLE_OK) {
        require(found.relation == expected.relation, "relation", found.relation, expected.relation);
        /* Crossing says nothing of the distance: one part of a model may be inside, another one outside. */
        const int is_free = found.relation == TUMBLE_RELATION_CROSSING;
        require(is_free || (found.relation == TUMBLE_RELATION_TOUCHING) == (at->distance == 0), "relation",
                found.relation, at->distance);
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

/* The distance and one more question; 0: a next position would take too long. */
static int check_position(position *at, unsigned question)
{
    typedef void check(const position *at);
    static check *const checks[] = {check_within, check_budget, check_clearance, check_relation};
    tumble_distance_result result;
    if (ask(at->query, at->brute, at->poses, NULL, &result) != TUMBLE_OK) {
        return 0;
    }
    at->distance = result.answer == TUMBLE_YES ? result.nearest.distance : INFINITY;
    check_distance(at);
    checks[question % 4](at);
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
    position at = {.query = query, .pair = &pair, .brute = &brute, .poses = poses};
    at.coherence = (tumble_coherence)(other & 3);
    at.choice = other >> 1;
    for (unsigned step = 0; step < STEPS && check_position(&at, (other >> 1) + step); step++) {
        for (int k = 0; k < 3; k++) {
            poses[1].m[k][3] = finite(poses[1].m[k][3] + next_number(&in, &kind) * 0x1p-10);
        }
    }
    free_pair(&brute);
    free_pair(&pair);
    tumble_query_destroy(query);
    return 0;
}
