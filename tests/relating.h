/* What the tests of relations share. Everything here asserts that it works. */
#ifndef TUMBLE_TESTS_RELATING_H
#define TUMBLE_TESTS_RELATING_H

#include "scenes.h"

static inline tumble_relation_result relate(test_world *w, const tumble_model *a, const tumble_pose *pose_a,
                                            const tumble_model *b, const tumble_pose *pose_b)
{
    tumble_relation_result result;
    test_assert_status(w->context, tumble_relate(w->query, a, pose_a, b, pose_b, &result), TUMBLE_OK, "");
    assert_true(result.relation != TUMBLE_RELATION_TOUCHING || result.surfaces_meet);
    assert_true(!result.surfaces_meet || result.relation == TUMBLE_RELATION_TOUCHING ||
                result.relation == TUMBLE_RELATION_CROSSING);
    return result;
}

static inline tumble_relation exchanged(tumble_relation relation)
{
    return relation == TUMBLE_RELATION_A_IN_B   ? TUMBLE_RELATION_B_IN_A
           : relation == TUMBLE_RELATION_B_IN_A ? TUMBLE_RELATION_A_IN_B
                                                : relation;
}

static const tumble_hierarchy relating_hierarchies[] = {TUMBLE_HIERARCHY_WIDE, TUMBLE_HIERARCHY_BOXTREE,
                                                        TUMBLE_HIERARCHY_KDOP, TUMBLE_HIERARCHY_RTREE,
                                                        TUMBLE_HIERARCHY_BRUTE};

/* With any of them. */
static inline tumble_model *model_of(test_world *w, const models_mesh *mesh, size_t hierarchy)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = relating_hierarchies[hierarchy % 5];
    return test_model(w->context, mesh, &options);
}

typedef struct tally {
    size_t relations[6], without_meeting;
} tally;

static inline void expect(const tumble_relation_result *found, tumble_relation expected, size_t round, const char *what)
{
    if (found->relation != expected) {
        fail_msg("round %zu, %s: %s instead of %s", round, what, tumble_relation_name(found->relation),
                 tumble_relation_name(expected));
    }
}

#endif
