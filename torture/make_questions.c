/* Questions about a case's models. */
#include <math.h>

#include "make.h"

torture_limit torture_draw_limit(test_random *random)
{
    static const double numbers[] = {0, 0, 1, 2, 0.5, 1e-9, 1e30, INFINITY, 0x1p-1074, 1e300};
    torture_limit limit = {.is_known = torture_chance(random, 0.3)};
    limit.value = numbers[torture_pick(random, sizeof numbers / sizeof *numbers)];
    limit.triangle_a = (uint32_t)test_random_bits(random);
    limit.triangle_b = (uint32_t)test_random_bits(random);
    limit.steps = test_random_whole(random, -1, 1);
    return limit;
}

static torture_limit known_limit(double value)
{
    return (torture_limit){.value = value, .is_known = 1};
}

/* Only what B keeps the data for. */
static void tune_walks(torture_question *q, const torture_case *c, test_random *random)
{
    const torture_recipe *b = &c->recipes[1][q->recipe[1]];
    tumble_kdop_walk *kdop = &q->tuning.kdop_walk;
    static const tumble_kdop_tumble plain[] = {TUMBLE_KDOP_TUMBLE_AUTO, TUMBLE_KDOP_TUMBLE_UNIT,
                                               TUMBLE_KDOP_TUMBLE_AXES};
    q->tuned = 1;
    kdop->tumble = plain[torture_pick(random, 3)];
    const int keeps = b->life != TORTURE_DEFORMED && b->life != TORTURE_REDEFORMED; /* these lose it */
    if (b->hierarchy == TUMBLE_HIERARCHY_KDOP && b->tuned && keeps && torture_chance(random, 0.4)) {
        kdop->tumble = b->tuning.kdop.tumble;
    }
    kdop->root = torture_chance(random, 0.5) ? TUMBLE_KDOP_ROOT_AUTO : TUMBLE_KDOP_ROOT_SAME;
    kdop->traversal = (tumble_kdop_traversal)torture_pick(random, 3);
    kdop->mixed = (tumble_kdop_mixed)torture_pick(random, 2);
    kdop->epsilon = torture_chance(random, 0.8) ? 0 : test_random_unit(random);
    q->tuning.boxtree_walk.overlap = (tumble_overlap)torture_pick(random, 5);
    q->tuning.boxtree_walk.direction = (tumble_direction)torture_pick(random, 3);
    q->tuning.boxtree_walk.descent = (tumble_descent)torture_pick(random, 2);
    q->tuning.rtree_walk.probe = (tumble_rtree_probe)torture_pick(random, 3);
    q->tuning.rtree_walk.whole = torture_chance(random, 0.3);
    q->tuning.rtree_walk.single = torture_chance(random, 0.3);
}

static void draw_outputs(torture_question *q, test_random *random)
{
    q->want_contacts = q->mode != TUMBLE_TEST && q->mode != TUMBLE_COUNT && torture_chance(random, 0.3);
    q->want_surfaces = torture_chance(random, 0.2);
    q->has_array = torture_chance(random, 0.3);
    q->capacity = torture_chance(random, 0.5) ? torture_pick(random, 4) : 64;
    q->has_callback = torture_chance(random, 0.15);
    q->stop_at = torture_chance(random, 0.5) ? 0 : 1 + torture_pick(random, 3);
}

static tumble_coherence draw_coherence(test_random *random)
{
    return torture_chance(random, 0.5) ? TUMBLE_COHERENCE_ALL : (tumble_coherence)torture_pick(random, 4);
}

static void draw_collide(torture_question *q, test_random *random)
{
    q->mode = torture_chance(random, 0.5) ? TUMBLE_ALL : (tumble_mode)torture_pick(random, 5);
    q->coherence = torture_chance(random, 0.5) ? TUMBLE_COHERENCE_NONE : draw_coherence(random);
    draw_outputs(q, random);
    if (q->kind == TORTURE_ASK_CLEARANCE) {
        q->clearance = torture_draw_limit(random);
    }
}

static void draw_distance(torture_question *q, test_random *random)
{
    static const double errors[] = {0, 0, 0, 0.01, 1, 1e-10};
    q->within = known_limit(INFINITY);
    q->enough = known_limit(0);
    if (torture_chance(random, 0.4) || q->kind == TORTURE_ASK_NEAR_LIST) {
        q->relative_error = errors[torture_pick(random, 6)];
        q->absolute_error = errors[torture_pick(random, 6)];
    }
    if (q->kind == TORTURE_ASK_WITHIN) {
        q->within = torture_draw_limit(random);
        q->enough = torture_chance(random, 0.5) ? q->within : torture_draw_limit(random);
        if (torture_chance(random, 0.2)) {
            q->within = known_limit(INFINITY);
        }
    }
    q->want_pairs = q->kind == TORTURE_ASK_NEAR_LIST;
    q->has_array = q->want_pairs && torture_chance(random, 0.3);
    q->capacity = torture_pick(random, 4);
    if (q->kind == TORTURE_ASK_COHERENT || torture_chance(random, 0.1)) {
        q->coherence = draw_coherence(random);
    }
    q->budget = q->kind == TORTURE_ASK_BUDGET ? 1 + torture_pick(random, torture_chance(random, 0.5) ? 4 : 40) : 0;
    q->has_callback = torture_chance(random, 0.3);
    q->stop_at = q->kind != TORTURE_ASK_DISTANCE || torture_chance(random, 0.8) ? 0 : 1 + torture_pick(random, 3);
}

static void draw_batch(torture_question *q, test_random *random)
{
    static const tumble_mode modes[] = {TUMBLE_TEST, TUMBLE_FIRST, TUMBLE_COUNT, TUMBLE_ALL};
    q->mode = modes[torture_pick(random, 4)];
    q->checks = 1 + torture_pick(random, torture_chance(random, 0.5) ? 16 : 64);
    q->checks = torture_chance(random, 0.2) ? 1 : q->checks; /* threads share a single check */
    q->want_contacts = q->mode == TUMBLE_ALL && torture_chance(random, 0.4);
    q->capacity = torture_chance(random, 0.3) ? torture_pick(random, 4) : 64;
    q->on_cpu = torture_chance(random, 0.05);
    q->without_doubles = torture_chance(random, 0.3);
    q->copies = 1 + q->checks / 2 % 4;
    q->is_tight = q->kind == TORTURE_ASK_OPENCL && q->copies > 1 && q->checks % 2;
    q->recipe[0] = q->kind == TORTURE_ASK_POOL ? q->recipe[0] : 0;
    q->recipe[1] = q->kind == TORTURE_ASK_POOL ? q->recipe[1] : 0;
}

static torture_kind draw_kind(test_random *random)
{
    static const torture_kind often[] = {
        TORTURE_ASK_COLLIDE,  TORTURE_ASK_COLLIDE,   TORTURE_ASK_COLLIDE, TORTURE_ASK_CLEARANCE, TORTURE_ASK_CLEARANCE,
        TORTURE_ASK_DISTANCE, TORTURE_ASK_DISTANCE,  TORTURE_ASK_WITHIN,  TORTURE_ASK_WITHIN,    TORTURE_ASK_COHERENT,
        TORTURE_ASK_BUDGET,   TORTURE_ASK_NEAR_LIST, TORTURE_ASK_RELATE,  TORTURE_ASK_FACTS,     TORTURE_ASK_RAY,
        TORTURE_ASK_RAY,      TORTURE_ASK_INSIDE,    TORTURE_ASK_CLOSEST, TORTURE_ASK_OVERLAP,   TORTURE_ASK_SELF,
        TORTURE_ASK_RADIUS};
    const double chance = test_random_unit(random);
    return chance < 0.003   ? TORTURE_ASK_COL
           : chance < 0.018 ? TORTURE_ASK_POOL
                            : often[torture_pick(random, sizeof often / sizeof *often)];
}

/* The truth about A and itself takes time. */
static torture_kind without_long_truth(const torture_case *c, torture_kind kind)
{
    return kind == TORTURE_ASK_SELF && c->shapes[0].polygon_count > 32 ? TORTURE_ASK_RAY : kind;
}

static torture_question draw_question(const torture_case *c, torture_kind kind, test_random *random)
{
    torture_question q = {.kind = kind, .threads = 1, .tuning = tumble_default_tuning(), .mode = TUMBLE_ALL};
    for (int side = 0; side < 2; side++) {
        q.recipe[side] = torture_pick(random, (uint32_t)c->recipe_count[side]);
    }
    if (torture_chance(random, 0.7)) {
        q.recipe[1] = q.recipe[0]; /* these agree in more */
    }
    q.pose = torture_pick(random, (uint32_t)c->pose_count);
    q.level = torture_pick(random, TORTURE_LEVELS);
    if (torture_chance(random, 0.5)) {
        tune_walks(&q, c, random);
    }
    if (kind == TORTURE_ASK_COLLIDE || kind == TORTURE_ASK_CLEARANCE) {
        draw_collide(&q, random);
    } else if (kind >= TORTURE_ASK_RAY && kind <= TORTURE_ASK_RADIUS) {
        torture_make_single(&q, c, random);
    } else if (kind == TORTURE_ASK_POOL || kind == TORTURE_ASK_OPENCL || kind == TORTURE_ASK_COL) {
        draw_batch(&q, random);
    } else {
        draw_distance(&q, random);
    }
    if (kind < TORTURE_ASK_FACTS && torture_chance(random, 0.003)) {
        q.threads = 4;
    }
    return q;
}

static void add_question(torture_case *c, const torture_question *q)
{
    if (c->question_count < TORTURE_QUESTIONS) {
        c->questions[c->question_count++] = *q;
    }
}

/* A coherent search follows the poses in turn, and stays at some. */
static void add_path(torture_case *c, const torture_question *first, test_random *random)
{
    torture_question q = *first;
    for (size_t i = 0; i < c->pose_count; i++) {
        q.pose = (uint32_t)i;
        add_question(c, &q);
        if (torture_chance(random, 0.2)) {
            add_question(c, &q);
        }
    }
}

/* Of large models: what needs the exact distances of a few of their triangles only. */
static torture_kind draw_large_kind(test_random *random)
{
    static const torture_kind kinds[] = {TORTURE_ASK_COLLIDE, TORTURE_ASK_COLLIDE,  TORTURE_ASK_POOL,
                                         TORTURE_ASK_POOL,    TORTURE_ASK_COHERENT, TORTURE_ASK_COHERENT,
                                         TORTURE_ASK_BUDGET,  TORTURE_ASK_DISTANCE, TORTURE_ASK_FACTS,
                                         TORTURE_ASK_RAY,     TORTURE_ASK_CLOSEST,  TORTURE_ASK_OVERLAP};
    return kinds[torture_pick(random, sizeof kinds / sizeof *kinds)];
}

void torture_make_questions(torture_case *c, test_random *random, int with_opencl)
{
    const size_t pairs = c->shapes[0].polygon_count * c->shapes[1].polygon_count;
    const int is_huge = pairs > 2000, is_large = pairs > 400 || torture_spans_wide(c);
    const int is_comb = pairs > 20000 && torture_scene_of(c->seed) == TORTURE_SCENE_COMBS; /* all pairs meet */
    const size_t count = is_comb ? 6 : is_huge ? 16 : is_large ? 40 : TORTURE_QUESTIONS - 8;
    while (c->question_count < count) {
        const torture_kind kind = is_comb   ? (torture_chance(random, 0.7) ? TORTURE_ASK_POOL : TORTURE_ASK_COLLIDE)
                                  : is_huge ? draw_large_kind(random)
                                            : without_long_truth(c, draw_kind(random));
        torture_question q = draw_question(c, kind, random);
        if (is_comb) {
            q.want_contacts = q.want_surfaces = 0;
        }
        if (is_huge && kind == TORTURE_ASK_POOL) { /* threads share the work of a single check */
            q.checks = 1;
            q.mode = torture_chance(random, 0.5) ? TUMBLE_ALL : TUMBLE_COUNT;
            q.want_contacts = q.want_contacts && q.mode == TUMBLE_ALL;
        }
        const int is_collide = kind == TORTURE_ASK_COLLIDE || kind == TORTURE_ASK_CLEARANCE;
        if (kind == TORTURE_ASK_COHERENT || (is_collide && q.coherence && torture_chance(random, 0.3))) {
            add_path(c, &q, random);
        } else {
            add_question(c, &q);
        }
    }
    const torture_scene scene = torture_scene_of(c->seed);
    const double chance = scene == TORTURE_SCENE_SETS || scene == TORTURE_SCENE_STAIRS ? 0.5 : 0.1; /* slacks matter */
    if (with_opencl && torture_chance(random, chance)) {
        for (int i = 0; i < 4; i++) {
            const torture_question q = draw_question(c, TORTURE_ASK_OPENCL, random);
            add_question(c, &q);
        }
    }
}
