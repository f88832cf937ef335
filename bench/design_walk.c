/* Checks of trees in plain C: set up, tumble, walk. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "design.h"
#include "failure.h"
#include "machine.h"
#include "math/vec3.h"
#include "statistics.h"

/* How bounds of B become bounds along the lanes of A at a pose. */
typedef struct setup {
    float weights[3][DESIGN_MOST], offsets[DESIGN_MOST];
    uint8_t lanes[3][DESIGN_MOST];
} setup;

typedef struct walk {
    const design_tree *a, *b;
    size_t k;
    const setup *at;
    float *apart;     /* of each node of B */
    uint32_t *walked; /* of each: in which walk it was tumbled */
    uint32_t number;  /* of this walk */
    design_counts counts;
} walk;

/* Coefficients of three lanes whose sum is u. */
static void solve(const design_directions *directions, const uint8_t lanes[3], const double u[3], double out[3])
{
    double across[3][3];
    for (int i = 0; i < 3; i++) {
        tmb_cross(directions->lanes[lanes[(i + 1) % 3]], directions->lanes[lanes[(i + 2) % 3]], across[i]);
    }
    const double determinant = tmb_dot(directions->lanes[lanes[0]], across[0]);
    for (int i = 0; i < 3; i++) {
        out[i] = tmb_dot(across[i], u) / determinant;
    }
}

/* The corner of the unit DOP that lies farthest along u; where more than three planes meet, the three whose cone has
 * u. */
static size_t farthest_corner(const design_directions *directions, const double u[3])
{
    size_t best = 0;
    double most = -INFINITY, least_negative = -INFINITY;
    for (size_t i = 0; i < directions->corner_count; i++) {
        const double along = tmb_dot(directions->corner_points[i], u);
        if (along > most - 1e-9) {
            double c[3];
            solve(directions, directions->corners[i], u, c);
            const double least = fmin(fmin(c[0], c[1]), c[2]);
            if (along > most + 1e-9 || least > least_negative) {
                best = i;
                least_negative = least;
            }
            most = fmax(most, along);
        }
    }
    return best;
}

/* Lane l of A, seen from B. */
static void set_lane(setup *s, const design_directions *directions, const tumble_pose *pose, size_t l)
{
    double u[3] = {0, 0, 0}, c[3], offset = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            u[j] -= directions->lanes[l][i] * pose->m[i][j];
        }
        offset += directions->lanes[l][i] * pose->m[i][3];
    }
    const uint8_t *lanes = directions->corners[farthest_corner(directions, u)];
    solve(directions, lanes, u, c);
    for (int i = 0; i < 3; i++) {
        s->weights[i][l] = (float)fabs(c[i]);
        s->lanes[i][l] = lanes[i] ^ (c[i] < 0);
    }
    s->offsets[l] = (float)offset;
}

static const float *tumbled(walk *w, uint32_t node)
{
    float *apart = w->apart + node * w->k;
    if (w->walked[node] != w->number) {
        const float *bounds = w->b->bounds + node * w->k;
        const setup *s = w->at;
        w->walked[node] = w->number;
        w->counts.updates++;
        for (size_t l = 0; l < w->k; l++) {
            apart[l] =
                s->offsets[l] - (s->weights[0][l] * bounds[s->lanes[0][l]] + s->weights[1][l] * bounds[s->lanes[1][l]] +
                                 s->weights[2][l] * bounds[s->lanes[2][l]]);
        }
    }
    return apart;
}

/* Eight lanes at a time, which compilers make vectors of. */
static int overlap(walk *w, uint32_t a, uint32_t b)
{
    const float *bounds = w->a->bounds + a * w->k, *apart = tumbled(w, b);
    w->counts.volume_tests++;
    for (size_t l = 0; l < w->k; l += 8) {
        const size_t end = l + 8 < w->k ? l + 8 : w->k;
        int less = 0;
        for (size_t i = l; i < end; i++) {
            less |= bounds[i] < apart[i];
        }
        if (less) {
            return 0;
        }
    }
    return 1;
}

/* Klosowski et al., algorithm 1. */
static void traverse(walk *w, uint32_t a, uint32_t b)
{
    const design_node *of_a = &w->a->nodes[a], *of_b = &w->b->nodes[b];
    if (!overlap(w, a, b)) {
        return;
    }
    if (!of_a->child_count && !of_b->child_count) {
        w->counts.triangle_tests += (double)of_a->count * of_b->count;
    }
    for (uint32_t i = 0; i < of_a->child_count; i++) {
        traverse(w, of_a->child + i, b);
    }
    for (uint32_t i = 0; !of_a->child_count && i < of_b->child_count; i++) {
        traverse(w, a, of_b->child + i);
    }
}

/* Setting up is left out of the time: it can be made faster than this. */
static setup *set_up(const design_directions *directions, const tumble_pose *path, size_t steps)
{
    setup *all = bench_allocate(steps, sizeof *all);
    for (size_t step = 0; step < steps; step++) {
        for (size_t l = 0; l < directions->k; l++) {
            set_lane(&all[step], directions, &path[step], l);
        }
    }
    return all;
}

static double fly_once(walk *w, const setup *setups, size_t steps)
{
    w->counts = (design_counts){.volume_tests = 0};
    const double start = bench_thread_microseconds();
    for (size_t step = 0; step < steps; step++) {
        w->at = &setups[step];
        w->number++;
        traverse(w, 0, 0);
    }
    return (bench_thread_microseconds() - start) / (double)steps;
}

design_counts design_fly(const design_tree *a, const design_tree *b, const tumble_pose *path, size_t steps,
                         size_t repetitions)
{
    walk *w = bench_allocate(1, sizeof *w);
    double *times = bench_allocate(repetitions, sizeof *times);
    w->a = a;
    w->b = b;
    w->k = a->directions->k;
    w->apart = bench_allocate(b->node_count * w->k, sizeof *w->apart);
    w->walked = bench_allocate(b->node_count, sizeof *w->walked);
    setup *setups = set_up(a->directions, path, steps);
    for (size_t i = 0; i < repetitions; i++) {
        times[i] = fly_once(w, setups, steps);
    }
    design_counts counts = w->counts;
    counts.volume_tests /= (double)steps;
    counts.updates /= (double)steps;
    counts.triangle_tests /= (double)steps;
    counts.microseconds = bench_median(times, repetitions);
    free(setups);
    free(times);
    free(w->walked);
    free(w->apart);
    free(w);
    return counts;
}
