/* Sets up the walk through two wide hierarchies: the map between their local coordinates, with a bound of its error. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "collide/wide/walk.h"
#include "math/bounds.h"
#include "query/local_map.h"

static void to_floats(const tmb_local_map *from, double slack, tmb_wide_map *to)
{
    TMB_ASSERT(slack >= 0);
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 3; j++) {
            to->m[k][j] = (float)from->m[k][j];
            to->size[k][j] = fabsf(to->m[k][j]);
        }
        to->shift[k] = (float)from->shift[k];
    }
    to->slack = (float)slack;
}

/* How directions of B's slabs are moved. Their length would be that of the inverse; the unit takes that out, so that
 * what is compared is in A's local unit and the slack means the same for both models. */
static void set_turn(tmb_wide_walk *walk, const tmb_local_map *into_b, double stretch)
{
    TMB_ASSERT(stretch > 0);
    int exponent;
    (void)frexp(stretch, &exponent); /* stretch <= 2^exponent */
    const double unit = ldexp(1.0, -exponent);
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 3; j++) {
            walk->turn[k][j] = (float)(into_b->m[j][k] * unit);
        }
    }
    walk->slab_unit = (float)unit;
}

/* How far apart triangles may be, in A's local unit, and what floats lose of that: see docs/proximity-proofs.md. */
static double local_limit(const tmb_encounter *e, double limit)
{
    return limit * e->a->frame.scale * (1 + TMB_SLAB_ROUNDING);
}

double tmb_wide_local_half(const tumble_model *model, int k)
{
    const double centre = model->frame.centre[k];
    return tmb_greater(model->block->upper[k] - centre, centre - model->block->lower[k]) * model->frame.scale;
}

/* Whether the models' bounding boxes are apart by more than the slack, with B's moved into A's frame. */
static int bounds_apart(const tmb_encounter *e, const tmb_local_map *map, double slack)
{
    TMB_ASSERT(!(slack < 0));
    for (int k = 0; k < 3; k++) {
        double centre = map->shift[k], half = slack + TMB_BOX_ROUNDING;
        for (int j = 0; j < 3; j++) {
            half += fabs(map->m[k][j]) * tmb_wide_local_half(e->b, j) * (1 + TMB_MAP_ROUNDING);
        }
        const double reach = tmb_wide_local_half(e->a, k) * (1 + TMB_MAP_ROUNDING);
        if (fabs(centre) * (1 - TMB_MAP_ROUNDING) > half + reach) {
            return 1;
        }
    }
    return 0;
}

int tmb_wide_set_up(const tmb_encounter *e, double limit_of_a, const tmb_local_map *into_a, double error,
                    tmb_wide_walk *walk)
{
    TMB_ASSERT(!(error < 0));
    TMB_ASSERT(limit_of_a >= 0);
    const tmb_local_map into_b = tmb_map_inverse(into_a);
    const double reach_a = tmb_map_reach(into_a), reach_b = tmb_map_reach(&into_b);
    const double limit = local_limit(e, limit_of_a);
    if (!(reach_a < TMB_MOST_REACH && reach_b < TMB_MOST_REACH && error < TMB_MOST_REACH && limit < TMB_MOST_REACH)) {
        return 0;
    }
    double stretch = 0; /* of A's local unit in B's */
    for (int k = 0; k < 3; k++) {
        stretch = tmb_greater(stretch, fabs(into_b.m[k][0]) + fabs(into_b.m[k][1]) + fabs(into_b.m[k][2]));
    }
    walk->collider = NULL;
    walk->watch = e->query->watch;
    walk->nodes_a = e->a->nodes;
    walk->nodes_b = e->b->nodes;
    const double slack = TMB_BOX_ROUNDING * (1 + reach_a) + error;
    to_floats(into_a, slack, &walk->into_a);
    to_floats(&into_b, TMB_BOX_ROUNDING * (1 + reach_b) + error * stretch, &walk->into_b);
    walk->leaf_slack = (float)(slack + limit);
    walk->limit = (float)limit;
    walk->unit_of_b = limit > 0 ? (float)(1 / tmb_map_stretch(&into_b) * (1 - (double)TMB_BOUND_ROUNDING)) : 0;
    set_turn(walk, &into_b, stretch);
    walk->size_of_b = (float)tmb_map_scale(into_a);
    walk->slab_slack = (float)(TMB_SLAB_ROUNDING * (1 + reach_a) + 2 * error);
    return 1;
}

/* The capacity that the stack needs, in pairs. A traversal that starts with a part of another's stack never has more on
 * it than the other would have had. */
static size_t stack_room(const tmb_collider *c)
{
    return (size_t)(c->encounter.a->block->depth + c->encounter.b->block->depth + 1) * TMB_WIDE * TMB_WIDE;
}

void tmb_wide_walk_from(tmb_wide_walk *walk, const tmb_wide_pair *pairs, size_t count)
{
    TMB_ASSERT(count > 0);
    TMB_ASSERT(walk->nodes_a && walk->nodes_b);
    TMB_ASSERT(count <= stack_room(walk->collider));
    tmb_collider *c = walk->collider;
    tumble_context *context = c->encounter.query->context;
    if (!tmb_buffer_reserve(context, &c->scratch->stack, stack_room(c), sizeof *walk->stack, 0)) {
        c->encounter.status = tmb_fail_memory(context, "the walk of a query");
        return;
    }
    walk->stack = c->scratch->stack.data;
    walk->waiting = count;
    memcpy(walk->stack, pairs, count * sizeof *pairs);
    TMB_PICK_KERNEL(context, tmb_wide_walk)(walk);
}

tmb_wide_outlook tmb_wide_look(const tmb_encounter *e, double limit, tmb_wide_walk *walk)
{
    const tmb_local_map into_a = tmb_map_into_a(e);
    const double error = tmb_point_error(e);
    if (isfinite(error) && bounds_apart(e, &into_a, error + local_limit(e, limit))) {
        return TMB_WIDE_APART;
    }
    return tmb_wide_set_up(e, limit, &into_a, error, walk) ? TMB_WIDE_WALK : TMB_WIDE_NO_FLOATS;
}

int tmb_collide_wide(tmb_collider *c)
{
    tmb_wide_walk walk;
    const tmb_wide_outlook outlook = tmb_wide_look(&c->encounter, c->limit, &walk);
    if (outlook == TMB_WIDE_APART) {
        c->encounter.box_tests++;
        return 1;
    }
    if (outlook == TMB_WIDE_NO_FLOATS) {
        return 0;
    }
    walk.collider = c;
    const tmb_wide_pair roots = {0, 0, TMB_WIDE_ALL, TMB_WIDE_ALL};
    tmb_wide_walk_from(&walk, &roots, 1);
    return 1;
}
