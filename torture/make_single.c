/* Questions about model A alone, and about models with a radius. */
#include <math.h>
#include <string.h>

#include "make.h"

static const double *any_corner(const torture_case *c, test_random *random)
{
    static const double origin[3] = {0, 0, 0};
    const torture_shape *shape = &c->shapes[torture_chance(random, 0.8) ? 0 : 1];
    return shape->corner_count ? shape->corners[torture_pick(random, (uint32_t)shape->corner_count)] : origin;
}

/* A corner, a neighbour of one, the middle of two, or a point beyond them. */
static void draw_place(const torture_case *c, test_random *random, double out[3])
{
    const double *p = any_corner(c, random), *q = any_corner(c, random);
    const uint32_t kind = torture_pick(random, 6);
    for (int k = 0; k < 3; k++) {
        const double share = test_random_range(random, -1, 2), mixed = p[k] * (1 - share) + q[k] * share;
        out[k] = kind == 0                                ? p[k]
                 : kind == 1                              ? test_step_ulps(p[k], test_random_whole(random, -2, 2))
                 : kind == 2                              ? p[k] / 2 + q[k] / 2
                 : kind == 3 && isfinite(2 * p[k] - q[k]) ? 2 * p[k] - q[k]
                 : kind == 4                              ? any_corner(c, random)[k] /* of a lattice of corners */
                 : isfinite(mixed)                        ? mixed
                                                          : p[k];
    }
}

/* Along an axis, to a corner or some other place, or any. */
static void draw_way(const torture_case *c, test_random *random, const double from[3], double out[3])
{
    double to[3] = {0, 0, 0};
    const uint32_t kind = torture_pick(random, 4);
    if (kind == 0) {
        to[torture_pick(random, 3)] = torture_chance(random, 0.5) ? 1 : -0.25;
    } else if (kind == 1) {
        for (int k = 0; k < 3; k++) {
            to[k] = test_random_range(random, -1, 1);
        }
    } else {
        draw_place(c, random, to);
        for (int k = 0; k < 3; k++) {
            to[k] = isfinite(to[k] - from[k]) ? to[k] - from[k] : 1;
        }
    }
    memcpy(out, to, sizeof to);
}

static void draw_places(torture_question *q, const torture_case *c, test_random *random)
{
    q->is_batch = torture_chance(random, 0.5);
    q->place_count = q->is_batch ? 1 + torture_pick(random, TORTURE_PLACES) : 1;
    for (uint32_t i = 0; i < q->place_count; i++) {
        draw_place(c, random, q->places[i]);
        draw_way(c, random, q->places[i], q->ways[i]);
    }
}

static void draw_range(torture_question *q, test_random *random)
{
    static const double starts[] = {0, 0, 0, 0.5, -1, -INFINITY}, ends[] = {INFINITY, INFINITY, 1, 0.5, 2, 1e300};
    q->range[0] = starts[torture_pick(random, 6)];
    q->range[1] = ends[torture_pick(random, 6)];
}

/* How far places are from each other, so that corners of the model are on the sides of the box. */
static void draw_extents(torture_question *q, const torture_case *c, test_random *random)
{
    for (int k = 0; k < 3; k++) {
        const double *p = any_corner(c, random);
        const double size = fabs(torture_chance(random, 0.5) ? p[k] : p[k] / 2);
        q->extents[k] = torture_chance(random, 0.1) ? 0 : test_step_ulps(size, test_random_whole(random, -1, 1));
        q->extents[k] = isfinite(q->extents[k]) ? fabs(q->extents[k]) : 1;
    }
}

static void draw_self(torture_question *q, test_random *random)
{
    q->is_soup = torture_chance(random, 0.2);
    q->rings = torture_pick(random, 4);
    q->clearance = (torture_limit){.is_known = 1};
    if (torture_chance(random, 0.4)) {
        q->clearance = torture_draw_limit(random);
    }
    q->want_contacts = torture_chance(random, 0.3);
    q->has_array = torture_chance(random, 0.3);
    q->capacity = torture_pick(random, 9);
    q->has_callback = torture_chance(random, 0.15);
    q->stop_at = torture_chance(random, 0.5) ? 0 : 1;
}

static void draw_radius(torture_question *q, test_random *random)
{
    static const double shares[][2] = {{1, 0}, {0, 1}, {0.5, 0.5}, {0.25, 0.25}, {0.7, 0.3}};
    const uint32_t number = torture_pick(random, 5);
    memcpy(q->shares, shares[number], sizeof q->shares);
    q->clearance = torture_draw_limit(random);
    q->has_array = torture_chance(random, 0.3);
    q->capacity = torture_pick(random, 4);
}

void torture_make_single(torture_question *q, const torture_case *c, test_random *random)
{
    q->mode = torture_chance(random, 0.5) ? TUMBLE_ALL : (tumble_mode)torture_pick(random, 4);
    q->threads = torture_chance(random, 0.05) ? 2 : 1;
    q->wanted = 1 + torture_pick(random, torture_chance(random, 0.5) ? 2 : 8);
    q->rings = 1;
    q->within = (torture_limit){.value = INFINITY, .is_known = 1};
    q->clearance = (torture_limit){.is_known = 1};
    q->by_winding = torture_chance(random, 0.5);
    q->want_sign = torture_chance(random, 0.5);
    q->is_box = torture_chance(random, 0.5);
    draw_places(q, c, random);
    draw_range(q, random);
    draw_extents(q, c, random);
    if (torture_chance(random, 0.4) || q->kind == TORTURE_ASK_OVERLAP) {
        q->within = torture_draw_limit(random);
    }
    if (q->kind == TORTURE_ASK_SELF) {
        draw_self(q, random);
    } else if (q->kind == TORTURE_ASK_RADIUS) {
        q->threads = 1;
        draw_radius(q, random);
    }
}
