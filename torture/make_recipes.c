/* Hierarchies, their tunings, and the lives of models. */
#include "make.h"

static void tune_kdop(tumble_kdop_options *kdop, test_random *random)
{
    static const uint32_t sizes[] = {6, 12, 14, 18, 26};
    static const uint32_t leaves[] = {1, 1, 2, 3, 8, 40, 255};
    static const tumble_kdop_tumble kept[] = {TUMBLE_KDOP_TUMBLE_AUTO, TUMBLE_KDOP_TUMBLE_LOOKUP,
                                              TUMBLE_KDOP_TUMBLE_VERTICES};
    kdop->k = sizes[torture_pick(random, 5)];
    kdop->split = (tumble_kdop_split)torture_pick(random, 4);
    kdop->at = (tumble_kdop_at)torture_pick(random, 3);
    kdop->all_directions = torture_chance(random, 0.3);
    kdop->estimate = torture_chance(random, 0.3);
    kdop->leaf = leaves[torture_pick(random, 7)];
    kdop->tumble = kept[torture_pick(random, 3)];
    kdop->hull = torture_chance(random, 0.4) ? 1 + (uint32_t)torture_pick(random, 4) : 0;
    kdop->bare_leaves = torture_chance(random, 0.3);
}

static void tune_boxtree(tumble_boxtree_options *boxtree, test_random *random)
{
    static const double trims[] = {0, 0.5, 0.9, 1};
    boxtree->layout = (tumble_boxtree_layout)torture_pick(random, 2);
    boxtree->axes = (tumble_boxtree_axes)torture_pick(random, 2);
    boxtree->criterion = (tumble_boxtree_criterion)torture_pick(random, 2);
    boxtree->growth = (tumble_boxtree_growth)torture_pick(random, 2);
    boxtree->planes = (tumble_boxtree_planes)torture_pick(random, 2);
    boxtree->trim = trims[torture_pick(random, 4)];
}

static void draw_life(torture_recipe *recipe, const torture_shape *shape, test_random *random)
{
    static const double guests[] = {0, 0.001, 1, 3, 1e30, 1e300, 1.5e308, 1e-300, 0.1};
    recipe->life = torture_chance(random, 0.5) ? TORTURE_FRESH : (torture_life)torture_pick(random, TORTURE_LIVES);
    const int edits = recipe->life == TORTURE_EDITED || recipe->life == TORTURE_EDITED_SAVED;
    if (edits && torture_chance(random, 0.4)) {
        recipe->hierarchy = TUMBLE_HIERARCHY_RTREE;
    }
    const int moves = recipe->life == TORTURE_DEFORMED || recipe->life == TORTURE_REDEFORMED;
    const int grown =
        recipe->hierarchy == TUMBLE_HIERARCHY_RTREE && recipe->tuning.rtree.load >= TUMBLE_RTREE_LOAD_INSERT;
    if (moves && (grown || !torture_only_triangles(shape))) {
        recipe->life = TORTURE_FRESH;
    }
    recipe->split = edits ? torture_pick(random, (uint32_t)shape->polygon_count + 1) : torture_pick(random, 6);
    recipe->guest = guests[torture_pick(random, sizeof guests / sizeof *guests)];
    recipe->guest_count = recipe->guest != 0 ? 1 + torture_pick(random, 3) : 0;
}

static torture_recipe draw_recipe(const torture_shape *shape, test_random *random)
{
    static const tumble_hierarchy hierarchies[] = {
        TUMBLE_HIERARCHY_WIDE, TUMBLE_HIERARCHY_WIDE,  TUMBLE_HIERARCHY_BOXTREE, TUMBLE_HIERARCHY_KDOP,
        TUMBLE_HIERARCHY_KDOP, TUMBLE_HIERARCHY_RTREE, TUMBLE_HIERARCHY_BRUTE,   TUMBLE_HIERARCHY_AUTO};
    torture_recipe recipe = {.hierarchy = hierarchies[torture_pick(random, 8)], .tuning = tumble_default_tuning()};
    recipe.tuned = torture_chance(random, 0.8);
    if (recipe.tuned) {
        recipe.tuning.wide.axes = (tumble_wide_axes)torture_pick(random, 2);
        recipe.tuning.rtree.load = (tumble_rtree_load)torture_pick(random, 6);
        recipe.tuning.rtree.width = torture_chance(random, 0.5) ? 2 + (uint32_t)torture_pick(random, 31) : 8;
        tune_kdop(&recipe.tuning.kdop, random);
        tune_boxtree(&recipe.tuning.boxtree, random);
    }
    recipe.merged = torture_chance(random, 0.5);
    recipe.as_float = torture_chance(random, 0.3);
    draw_life(&recipe, shape, random);
    return recipe;
}

/* Recipes of the same number often agree in their hierarchy and k, for the walks of these. */
static void resemble(torture_recipe *recipe, const torture_recipe *other)
{
    recipe->tuning.kdop.k = other->tuning.kdop.k;
    const int fits = other->hierarchy != TUMBLE_HIERARCHY_RTREE || recipe->tuning.rtree.load < TUMBLE_RTREE_LOAD_INSERT;
    if (fits) {
        recipe->hierarchy = other->hierarchy;
    }
}

/* The first of each side is for OpenCL: mostly wide, or boxtrees, or one of each. */
static tumble_hierarchy draw_for_opencl(int side, tumble_hierarchy other, test_random *random)
{
    if (side == 1 && torture_chance(random, 0.9)) {
        return other;
    }
    return torture_chance(random, 0.6) ? TUMBLE_HIERARCHY_WIDE : TUMBLE_HIERARCHY_BOXTREE;
}

void torture_make_recipes(torture_case *c, test_random *random)
{
    const uint32_t count = 2 + torture_pick(random, TORTURE_RECIPES - 1);
    const int is_huge = c->shapes[0].polygon_count * c->shapes[1].polygon_count > 20000;
    for (int side = 0; side < 2; side++) {
        c->recipe_count[side] = count;
        for (size_t i = 0; i < count; i++) {
            torture_recipe *recipe = &c->recipes[side][i];
            *recipe = draw_recipe(&c->shapes[side], random);
            if (is_huge && recipe->hierarchy == TUMBLE_HIERARCHY_BRUTE) { /* all pairs would take most of the time */
                recipe->hierarchy = TUMBLE_HIERARCHY_WIDE;
            }
            if (i == 0) {
                recipe->hierarchy = draw_for_opencl(side, c->recipes[0][0].hierarchy, random);
            } else if (side == 1 && torture_chance(random, 0.7)) {
                resemble(recipe, &c->recipes[0][i]);
            }
        }
    }
}
