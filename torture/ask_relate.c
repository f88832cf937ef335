/* tumble_relate, and what tumble_model_get_info and its like tell of a model. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "solid.h"

/* ---- Relation ---- */

static int check_relation(torture_stage *s, const torture_question *q, tumble_relation_result *found)
{
    torture_truth *t = torture_stage_truth(s, q->pose);
    const torture_relation truth =
        torture_find_relation(t, s->world->oracle, s->triangles, s->c->seed + 1000003 * (uint64_t)q->pose);
    if (found->closed_a != truth.closed[0] || found->closed_b != truth.closed[1]) {
        return torture_wrong(s, "closed: %d and %d instead of %d and %d", found->closed_a, found->closed_b,
                             truth.closed[0], truth.closed[1]);
    }
    if (found->surfaces_meet != truth.meet) {
        return torture_wrong(s, "surfaces_meet is %d instead of %d", found->surfaces_meet, truth.meet);
    }
    const int may_cross = truth.meet && !truth.is_certain && found->relation == TUMBLE_RELATION_CROSSING;
    if (truth.is_certain >= 0 && found->relation != truth.relation && !may_cross) {
        return torture_wrong(s, "%s instead of %s", tumble_relation_name(found->relation),
                             tumble_relation_name(truth.relation));
    }
    if (truth.meet) {
        size_t count;
        tumble_pair *pairs = torture_truth_pairs(t, 0, &count);
        const tumble_pair pair = {torture_shape_polygon(torture_stage_recipe(s, q, 0), found->pair.polygon_a),
                                  torture_shape_polygon(torture_stage_recipe(s, q, 1), found->pair.polygon_b)};
        const int there = torture_find_pair(pairs, count, pair) < count;
        free(pairs);
        return there || torture_wrong(s, "the pair (%u, %u) does not meet", pair.polygon_a, pair.polygon_b);
    }
    return 1;
}

int torture_ask_relate(torture_stage *s, torture_question *q)
{
    const tumble_model *a = torture_stage_model(s, q, 0), *b = torture_stage_model(s, q, 1);
    if (!a || !b) {
        return 0;
    }
    tumble_relation_result result;
    const tumble_status status = tumble_relate(s->queries[q->level], a, torture_pose(s->c, q->pose, 0), b,
                                               torture_pose(s->c, q->pose, 1), &result);
    if (!torture_check_status(s, q, status, 0, 0)) {
        return !s->wrong[0];
    }
    if (s->world->slip == TORTURE_SLIP_RELATION && result.relation == TUMBLE_RELATION_TOUCHING) {
        result.relation = TUMBLE_RELATION_APART;
    }
    return check_relation(s, q, &result);
}

/* ---- Facts ---- */

static uint64_t count_surfaces(const torture_shape *shape)
{
    uint64_t count = 0;
    for (size_t i = 0; i < shape->polygon_count; i++) {
        size_t k = 0;
        while (shape->polygons[k].surface != shape->polygons[i].surface) {
            k++;
        }
        count += k == i;
    }
    return count;
}

static uint64_t count_degenerate(torture_stage *s, const torture_triangles *t)
{
    uint64_t count = 0;
    for (size_t i = 0; i < t->count; i++) {
        const double(*c)[3] = (const double(*)[3])t->corners[i];
        count += oracle_describe(s->world->oracle, c, c).dimension_a < 2;
    }
    return count;
}

static int floats_hold(const torture_shape *shape)
{
    for (size_t i = 0; i < 3 * shape->corner_count; i++) {
        const double x = shape->corners[i / 3][i % 3];
        if (fabs(x) > FLT_MAX || (double)(float)x != x) {
            return 0;
        }
    }
    return 1;
}

static int check_bounds(torture_stage *s, const torture_shape *shape, const tumble_model_info *info)
{
    for (int axis = 0; axis < 3; axis++) {
        double lower = shape->corner_count ? INFINITY : 0, upper = -lower;
        for (size_t i = 0; i < shape->corner_count; i++) {
            lower = fmin(lower, shape->corners[i][axis]);
            upper = fmax(upper, shape->corners[i][axis]);
        }
        if (info->lower[axis] != lower || info->upper[axis] != upper) {
            return torture_wrong(s, "bounds along axis %d: %.17g to %.17g instead of %.17g to %.17g", axis,
                                 info->lower[axis], info->upper[axis], lower, upper);
        }
    }
    return 1;
}

static int check_numbers(torture_stage *s, const torture_shape *shape, int side, const tumble_model_info *info)
{
    const struct {
        const char *name;
        uint64_t found, expected;
    } numbers[] = {
        {"polygon_count", info->polygon_count, shape->polygon_count},
        {"triangle_count", info->triangle_count, s->triangles[side].count},
        {"surface_count", info->surface_count, count_surfaces(shape)},
        {"degenerate_count", info->degenerate_count, count_degenerate(s, &s->triangles[side])},
        {"closed", info->closed, (uint64_t)torture_is_closed(&s->triangles[side], 1)},
        {"points_are_float", info->points_are_float, (uint64_t)floats_hold(shape)},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (numbers[i].found != numbers[i].expected) {
            return torture_wrong(s, "%s is %llu instead of %llu", numbers[i].name, (unsigned long long)numbers[i].found,
                                 (unsigned long long)numbers[i].expected);
        }
    }
    return 1;
}

/* Every triangle is there, with its corners in their order or turned around. */
static int check_triangle(torture_stage *s, const torture_question *q, int side, const tumble_model *model, uint32_t i)
{
    const torture_shape *shape = &s->c->shapes[side];
    double corners[3][3];
    uint32_t polygon, surface;
    if (tumble_model_triangle(model, i, corners, &polygon) != TUMBLE_OK ||
        tumble_model_surface(model, polygon, &surface) != TUMBLE_OK) {
        return torture_wrong(s, "triangle %u cannot be read", i);
    }
    const uint32_t number = torture_shape_polygon(torture_stage_recipe(s, q, side), polygon);
    if (number >= shape->polygon_count || shape->polygons[number].surface != surface) {
        return torture_wrong(s, "triangle %u is of polygon %u and surface %u", i, polygon, surface);
    }
    const double(*own)[3] = (const double(*)[3]) & shape->corners[shape->polygons[number].first];
    for (int k = 0; k < 3; k++) {
        int found = 0;
        for (uint32_t j = 0; j < shape->polygons[number].size; j++) {
            found |= own[j][0] == corners[k][0] && own[j][1] == corners[k][1] && own[j][2] == corners[k][2];
        }
        if (!found) {
            return torture_wrong(s, "corner %d of triangle %u is none of its polygon's", k, i);
        }
    }
    return 1;
}

int torture_ask_facts(torture_stage *s, torture_question *q)
{
    const int side = (int)(q->level % 2);
    const torture_shape *shape = &s->c->shapes[side];
    const tumble_model *model = torture_stage_model(s, q, side);
    tumble_model_info info;
    if (!model || tumble_model_get_info(model, &info) != TUMBLE_OK) {
        return torture_wrong(s, "the model tells nothing");
    }
    if (s->world->slip == TORTURE_SLIP_EDIT && torture_stage_recipe(s, q, side)->life == TORTURE_EDITED) {
        info.surface_count++;
    }
    if (!check_bounds(s, shape, &info) || !check_numbers(s, shape, side, &info)) {
        return 0;
    }
    for (uint32_t i = 0; i < info.triangle_count; i++) {
        if (!check_triangle(s, q, side, model, i)) {
            return 0;
        }
    }
    return 1;
}
