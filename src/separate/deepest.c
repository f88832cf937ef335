/* The deepest point: a lower bound of every move that parts two solids.
 *
 * If a point is d inside A and e inside B, then balls of these radii around it are parts of both, and a move that parts
 * the models parts the balls: it is at least d + e long. If the point is e outside B, B has a point that close to it,
 * which is d - e inside A: so e counts as negative. See docs/motion.md, Depth. */
#include <math.h>

#include "math/bounds.h"
#include "math/pose.h"
#include "math/vec3.h"
#include "separate/separate.h"
#include "tumble/point.h"

enum {
    GRID = 3,
    STARTS = 3,
    STEPS = 24,
    SHARE = 3 /* of a budget of tests */
};

#define LEAST_LOST (8 * TMB_DOUBLE_LEAST) /* more than what is lost below the normal doubles */

typedef struct deep_search {
    tmb_parting *parting;
    tumble_pose inverses[2];
    tmb_deep_point best;
} deep_search;

/* How deep a point of the model's own frame is in its solid, at its pose, and the way to the nearest point of its
 * surface. */
static int look_from(tmb_parting *p, int side, const double own[3], const double at[3], double *depth, double way[3])
{
    tumble_closest_options options = tumble_default_closest_options();
    tumble_closest_result r;
    double surface[3];
    options.want_sign = true;
    const tumble_status status = tumble_closest_point(p->query, p->models[side], NULL, own, &options, &r);
    if (status != TUMBLE_OK || r.count == 0) {
        p->status = status;
        return 0;
    }
    tmb_counters_add(&p->counters, &r.counters);
    const double upper = r.closest[0].upper;
    *depth = upper < 0 ? -upper * p->shrink[side] : -upper * p->stretch[side];
    tumble_pose_apply(p->poses[side], r.closest[0].point, surface);
    tmb_subtract(surface, at, way);
    const double size = tmb_length(way);
    for (int k = 0; k < 3; k++) {
        way[k] = size > 0 ? way[k] / size * (upper < 0 ? 1 : -1) : 0;
    }
    return 1;
}

/* Both models' own points for one place are rounded: how far apart they are at most. */
static double apart(const tmb_parting *p, double own[2][3])
{
    double a[3], b[3], way[3];
    tmb_placed_point(&p->placed[0], own[0], a);
    tmb_placed_point(&p->placed[1], own[1], b);
    tmb_subtract(b, a, way);
    return ldexp(tmb_length(way) * (1 + 0x1p-48) + 2 * p->error, p->exponent);
}

/* Most of a budget is for moves: without one, a bound from below says little. */
static int has_had_its_share(const tmb_parting *p)
{
    const uint64_t most = p->options->budget_box_tests;
    return most && p->counters.box_tests + p->counters.primitive_tests >= most / SHARE;
}

static int look_at(deep_search *d, const double at[3], tmb_deep_point *out)
{
    tmb_parting *p = d->parting;
    double own[2][3];
    if (tmb_parting_ends(p) || has_had_its_share(p)) {
        return 0;
    }
    for (int side = 0; side < 2; side++) {
        tumble_pose_apply(&d->inverses[side], at, own[side]);
        if (!tmb_all_finite(own[side], 3) || !look_from(p, side, own[side], at, &out->depth[side], out->out[side])) {
            return 0;
        }
    }
    for (int k = 0; k < 3; k++) {
        out->at[k] = at[k];
        out->out[1][k] = -out->out[1][k]; /* of B, as if A moved */
    }
    const double sum = out->depth[0] + out->depth[1];
    out->lower = sum - fabs(sum) * 0x1p-50 - apart(p, own) - LEAST_LOST;
    if (out->lower > d->best.lower) {
        d->best = *out;
    }
    return 1;
}

/* Climbs from a point: away from the nearest surfaces. */
static void climb(deep_search *d, const tmb_deep_point *start, double step)
{
    tmb_deep_point here = *start, there;
    for (int i = 0; i < STEPS; i++) {
        const double *a = here.out[0], *b = here.out[1];
        const double ways[3][3] = {{b[0] - a[0], b[1] - a[1], b[2] - a[2]}, {-a[0], -a[1], -a[2]}, {b[0], b[1], b[2]}};
        int is_better = 0;
        for (int j = 0; j < 3 && !is_better; j++) {
            const double size = tmb_length(ways[j]);
            double at[3];
            for (int k = 0; k < 3; k++) {
                at[k] = here.at[k] + (size > 0x1p-20 ? step * ways[j][k] / size : 0);
            }
            if (size > 0x1p-20) {
                if (!look_at(d, at, &there)) {
                    return;
                }
                is_better = there.lower > here.lower;
            }
        }
        if (is_better) {
            here = there;
        } else {
            step *= 0.5;
        }
    }
}

/* Where the boxes of both overlap, or where there is nothing between them. */
static void overlap_of(const tmb_parting *p, double lower[3], double upper[3])
{
    double low[2][3], high[2][3];
    for (int side = 0; side < 2; side++) {
        const tmb_block *block = p->models[side]->block;
        tmb_placed_box(&p->placed[side], block->lower, block->upper, low[side], high[side]);
    }
    for (int k = 0; k < 3; k++) {
        lower[k] = ldexp(tmb_greater(low[0][k], low[1][k]), p->exponent);
        upper[k] = ldexp(tmb_lesser(high[0][k], high[1][k]), p->exponent);
    }
}

static void keep_start(tmb_deep_point starts[STARTS], const tmb_deep_point *found)
{
    tmb_deep_point next = *found;
    for (int i = 0; i < STARTS; i++) {
        if (next.lower > starts[i].lower) {
            const tmb_deep_point other = starts[i];
            starts[i] = next;
            next = other;
        }
    }
}

void tmb_find_deepest(tmb_parting *p, tmb_deep_point *out)
{
    deep_search d = {.parting = p, .inverses = {tumble_pose_inverse(p->poses[0]), tumble_pose_inverse(p->poses[1])}};
    tmb_deep_point starts[STARTS], found;
    double lower[3], upper[3], size[3];
    for (int i = 0; i < STARTS; i++) {
        starts[i].lower = -INFINITY;
    }
    overlap_of(p, lower, upper);
    tmb_subtract(upper, lower, size);
    for (int i = 0; i < GRID * GRID * GRID; i++) {
        const int cell[3] = {i % GRID, i / GRID % GRID, i / GRID / GRID};
        double at[3];
        for (int k = 0; k < 3; k++) {
            at[k] = lower[k] + size[k] * (cell[k] + 0.5) / GRID;
        }
        if (!look_at(&d, at, &found)) {
            break;
        }
        keep_start(starts, &found);
    }
    for (int i = 0; i < STARTS; i++) {
        if (starts[i].lower > -INFINITY && tmb_length(size) < INFINITY) {
            climb(&d, &starts[i], 0.25 * tmb_length(size));
        }
    }
    *out = d.best;
}
