/* Options of models and questions, one by one to their defaults. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "shrink.h"

/* A member of a struct, and the bytes that it should have. */
static void try_bytes(torture_shrinker *s, void *member, const void *plain, size_t size)
{
    if (memcmp(member, plain, size) != 0) {
        memcpy(member, plain, size);
        torture_accept(s);
    }
}

#define TRY(object, plain, member) try_bytes(s, &(object)->member, &(plain)->member, sizeof(object)->member)

static void shrink_tuning(torture_shrinker *s, tumble_tuning *tuning)
{
    const tumble_tuning plain = tumble_default_tuning();
    TRY(tuning, &plain, wide);
    TRY(tuning, &plain, boxtree);
    TRY(tuning, &plain, kdop);
    TRY(tuning, &plain, rtree);
    TRY(tuning, &plain, boxtree_walk);
    TRY(tuning, &plain, kdop_walk);
    TRY(tuning, &plain, rtree_walk);
    TRY(tuning, &plain, boxtree.layout);
    TRY(tuning, &plain, boxtree.axes);
    TRY(tuning, &plain, boxtree.criterion);
    TRY(tuning, &plain, boxtree.growth);
    TRY(tuning, &plain, boxtree.planes);
    TRY(tuning, &plain, boxtree.trim);
    TRY(tuning, &plain, kdop.k);
    TRY(tuning, &plain, kdop.split);
    TRY(tuning, &plain, kdop.at);
    TRY(tuning, &plain, kdop.all_directions);
    TRY(tuning, &plain, kdop.estimate);
    TRY(tuning, &plain, kdop.leaf);
    TRY(tuning, &plain, kdop.tumble);
    TRY(tuning, &plain, kdop.hull);
    TRY(tuning, &plain, kdop.bare_leaves);
    TRY(tuning, &plain, rtree.load);
    TRY(tuning, &plain, rtree.width);
    TRY(tuning, &plain, boxtree_walk.direction);
    TRY(tuning, &plain, boxtree_walk.overlap);
    TRY(tuning, &plain, boxtree_walk.descent);
    TRY(tuning, &plain, kdop_walk.tumble);
    TRY(tuning, &plain, kdop_walk.root);
    TRY(tuning, &plain, kdop_walk.traversal);
    TRY(tuning, &plain, kdop_walk.mixed);
    TRY(tuning, &plain, kdop_walk.epsilon);
    TRY(tuning, &plain, rtree_walk.probe);
    TRY(tuning, &plain, rtree_walk.whole);
    TRY(tuning, &plain, rtree_walk.single);
}

static void shrink_recipe(torture_shrinker *s, torture_recipe *next)
{
    torture_recipe plain = {.hierarchy = TUMBLE_HIERARCHY_AUTO, .tuning = tumble_default_tuning()};
    TRY(next, &plain, tuned);
    if (next->life == TORTURE_EDITED_SAVED) {
        next->life = TORTURE_EDITED;
        torture_accept(s);
    }
    if (next->life == TORTURE_REDEFORMED) {
        next->life = TORTURE_DEFORMED;
        torture_accept(s);
    }
    TRY(next, &plain, life);
    for (int i = 0; i < 2 && next->hierarchy != TUMBLE_HIERARCHY_AUTO; i++) {
        plain.hierarchy = i ? TUMBLE_HIERARCHY_BRUTE : TUMBLE_HIERARCHY_AUTO;
        TRY(next, &plain, hierarchy);
    }
    TRY(next, &plain, merged);
    TRY(next, &plain, as_float);
    TRY(next, &plain, guest_count);
    TRY(next, &plain, split);
    plain.guest_count = 1, plain.guest = 1, plain.split = 1;
    if (next->guest_count > 1) {
        TRY(next, &plain, guest_count);
    }
    TRY(next, &plain, guest);
    if (next->split > 1) {
        TRY(next, &plain, split);
    }
    if (next->tuned) {
        shrink_tuning(s, &next->tuning);
    }
}

/* The failing ray or point becomes the only one. */
static void shrink_places(torture_shrinker *s, torture_question *next)
{
    for (uint32_t i = next->place_count; i-- > 0 && next->place_count > 1;) {
        memcpy(next->places[0], next->places[i], sizeof next->places[0]);
        memcpy(next->ways[0], next->ways[i], sizeof next->ways[0]);
        next->place_count = 1;
        torture_accept(s);
    }
}

static void shrink_single(torture_shrinker *s, torture_question *next, const torture_question *plain)
{
    shrink_places(s, next);
    TRY(next, plain, is_batch);
    TRY(next, plain, by_winding);
    TRY(next, plain, want_sign);
    TRY(next, plain, is_soup);
    TRY(next, plain, range);
    TRY(next, plain, wanted);
    TRY(next, plain, rings);
    TRY(next, plain, extents);
    TRY(next, plain, shares);
    for (int i = 0; i < TORTURE_PLACES; i++) {
        TRY(next, plain, places[i]);
    }
}

static void shrink_question(torture_shrinker *s, torture_question *next)
{
    torture_question plain = {.threads = 1, .mode = TUMBLE_ALL, .checks = 1, .tuning = tumble_default_tuning()};
    plain.place_count = plain.wanted = plain.rings = 1;
    plain.range[1] = INFINITY;
    plain.shares[0] = 1;
    plain.within = (torture_limit){.value = INFINITY, .is_known = 1};
    plain.enough = plain.clearance = (torture_limit){.value = 0, .is_known = 1};
    TRY(next, &plain, recipe[0]);
    TRY(next, &plain, recipe[1]);
    TRY(next, &plain, pose);
    TRY(next, &plain, threads);
    TRY(next, &plain, tuned);
    TRY(next, &plain, level);
    TRY(next, &plain, mode);
    TRY(next, &plain, want_contacts);
    TRY(next, &plain, want_surfaces);
    TRY(next, &plain, has_array);
    TRY(next, &plain, capacity);
    TRY(next, &plain, has_callback);
    TRY(next, &plain, stop_at);
    TRY(next, &plain, clearance.value);
    TRY(next, &plain, relative_error);
    TRY(next, &plain, absolute_error);
    TRY(next, &plain, within.value);
    TRY(next, &plain, enough.value);
    TRY(next, &plain, coherence);
    TRY(next, &plain, want_pairs);
    TRY(next, &plain, budget);
    TRY(next, &plain, without_doubles);
    TRY(next, &plain, on_cpu);
    TRY(next, &plain, is_tight);
    TRY(next, &plain, copies);
    TRY(next, &plain, checks);
    shrink_single(s, next, &plain);
    while (next->checks > 1) {
        next->checks = (next->checks + 1) / 2;
        if (!torture_accept(s)) {
            break;
        }
    }
    if (next->tuned) {
        shrink_tuning(s, &next->tuning);
    }
}

void torture_shrink_options(torture_shrinker *s)
{
    for (size_t i = 0; i < s->c->question_count; i++) {
        shrink_question(s, &s->next->questions[i]);
    }
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < s->c->recipe_count[side]; i++) {
            int used = 0;
            for (size_t k = 0; k < s->c->question_count; k++) {
                used |= s->c->questions[k].recipe[side] == i;
            }
            if (used) {
                shrink_recipe(s, &s->next->recipes[side][i]);
            }
        }
    }
}
