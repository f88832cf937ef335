/* A triangle, a point or a ray and a cylinder with flat ends: doubles with error bounds never contradict integers,
 * bounds of the distance are 0 if they meet, and the answer does not depend on the order of corners and ends, nor on a
 * scale that is a power of two. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "prim/convex_distance.h"
#include "prim/cylinder.h"
#include "prim/cylinder_parts.h"
#include "prim/triangle_ray_thick.h"

typedef struct numbers {
    double triangle[3][3], from[3], to[3], radius;
} numbers;

/* Of a byte each, small whole numbers, with the bit of a last byte; or of all their bits. */
static int read_numbers(const uint8_t *data, size_t size, numbers *out)
{
    double all[16] = {0};
    if (size < 17) {
        return 0;
    }
    for (size_t i = 0; i < 16; i++) {
        all[i] = (int8_t)data[i] / 8.0;
    }
    for (size_t i = 0; i < 16 && 8 * i + 25 <= size; i++) {
        memcpy(&all[i], data + 17 + 8 * i, sizeof all[i]);
    }
    for (size_t i = 0; i < 16; i++) {
        if (!isfinite(all[i])) {
            return 0;
        }
    }
    memcpy(out->triangle, all, sizeof out->triangle);
    memcpy(out->from, all + 9, sizeof out->from);
    memcpy(out->to, all + 12, sizeof out->to);
    out->radius = fabs(all[15]);
    return 1;
}

static int ask(const numbers *n, const double triangle[3][3], int reversed)
{
    const tmb_cylinder c = {reversed ? n->to : n->from, reversed ? n->from : n->to, tmb_limit_of(n->radius, 1)};
    return tmb_triangle_meets_cylinder(triangle, &c, NULL);
}

static int is_scalable(const numbers *n)
{
    const double *all = n->triangle[0];
    int scalable = n->radius == 0 || (n->radius > 0x1p-900 && n->radius < 0x1p900);
    for (int i = 0; i < 15; i++) {
        const double x = i < 9 ? all[i] : i < 12 ? n->from[i - 9] : n->to[i - 12];
        scalable &= x == 0 || (fabs(x) > 0x1p-900 && fabs(x) < 0x1p900);
    }
    return scalable;
}

static int ask_scaled(const numbers *n)
{
    numbers scaled = {.radius = n->radius * 0x1p60};
    for (int k = 0; k < 3; k++) {
        scaled.from[k] = n->from[k] * 0x1p60;
        scaled.to[k] = n->to[k] * 0x1p60;
        for (int i = 0; i < 3; i++) {
            scaled.triangle[i][k] = n->triangle[i][k] * 0x1p60;
        }
    }
    return ask(&scaled, (const double(*)[3])scaled.triangle, 0);
}

/* The first corner: inside only if it meets. */
static void check_point(const numbers *n)
{
    const double t[3][3] = {{n->triangle[0][0], n->triangle[0][1], n->triangle[0][2]},
                            {n->triangle[0][0], n->triangle[0][1], n->triangle[0][2]},
                            {n->triangle[0][0], n->triangle[0][1], n->triangle[0][2]}};
    const tmb_cylinder c = {n->from, n->to, tmb_limit_of(n->radius, 1)};
    const tmb_verdict fast = tmb_cylinder_inside_filter(t, &c), slow = tmb_cylinder_inside_exact(t, &c);
    if (slow == TMB_MAYBE || (fast != TMB_MAYBE && fast != slow) || (slow == TMB_YES && !ask(n, t, 0))) {
        abort();
    }
}

/* Of the cylinder and the triangle, or a second cylinder around two of its corners. */
static void check_distance(const numbers *n, int meet)
{
    tmb_convex solids[2] = {{.is_cylinder = 1, .radius = tmb_scaled_of(n->radius, 0)}, {.is_cylinder = 0}};
    unsigned long long exact = 0;
    memcpy(solids[0].corners[0], n->from, sizeof n->from);
    memcpy(solids[0].corners[1], n->to, sizeof n->to);
    memcpy(solids[0].corners[2], n->to, sizeof n->to);
    memcpy(solids[1].corners, n->triangle, sizeof n->triangle);
    for (int i = 0; i < 2; i++) {
        tmb_convex_distance fast, sharp;
        const tmb_limit none = tmb_limit_of(0, 1);
        tmb_convex_distance_fast(&solids[0], &solids[1], &fast);
        tmb_convex_distance_sharp(&solids[1], &solids[0], &sharp);
        const int within = tmb_convex_within(&solids[0], &solids[1], &none, &exact);
        if (!(fast.lower <= sharp.upper && sharp.lower <= fast.upper && fast.lower <= fast.value &&
              fast.value <= fast.upper && sharp.lower <= sharp.value && sharp.value <= sharp.upper) ||
            (meet && (fast.lower > 0 || sharp.lower > 0 || !within))) {
            abort();
        }
        solids[1].is_cylinder = 1; /* it has the edge, and more */
        solids[1].radius = solids[0].radius;
        memcpy(solids[1].corners[2], solids[1].corners[1], sizeof solids[1].corners[2]);
        meet = 0;
        if (tmb_compare_numbers(solids[1].corners[0], solids[1].corners[1], 3) == 0) {
            return;
        }
    }
}

/* Its inside is met only if it is. */
static void check_entering(const numbers *n, const tmb_cylinder *c, int meet)
{
    const double(*t)[3] = (const double(*)[3])n->triangle;
    unsigned long long exact = 0;
    const tmb_verdict fast = tmb_cylinder_enters_filter(t, c), slow = tmb_cylinder_enters_exact(t, c);
    if (slow == TMB_MAYBE || (fast != TMB_MAYBE && fast != slow) ||
        (tmb_triangle_enters_cylinder(t, c, &exact) && !meet)) {
        abort();
    }
}

static void check_passage(const tmb_thick_passage *in, int found, double t)
{
    if ((in->known < 0 && found) || (in->known > 0 && !(found && in->low <= t && t <= in->high))) {
        abort();
    }
}

/* From the first corner in the direction of the second: where it enters and leaves, in all kinds of numbers. */
static void check_ray(const numbers *n)
{
    tmb_thick_triangle c = {.radius = n->radius, .has_flat_ends = 1};
    tmb_ray ray = {.first = -INFINITY, .last = INFINITY};
    static tumble_context *context;
    tmb_bigfloat_pool pool = {0};
    if (!context && tumble_context_create(NULL, &context)) {
        abort();
    }
    pool.arena.context = context;
    memcpy(ray.origin, n->triangle[0], sizeof ray.origin);
    memcpy(ray.direction, n->triangle[1], sizeof ray.direction);
    if (tmb_largest_size(ray.direction) == 0 || n->radius == 0) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        memcpy(c.corners[i], i ? n->to : n->from, sizeof c.corners[i]);
    }
    for (int way = -1; way <= 1; way += 2) {
        tmb_exact_parameter at;
        tmb_thick_passage in;
        unsigned piece;
        const int found = tmb_exact_passage(&ray, &c, way, 0, TMB_THICK_ALL, &pool, &at, &piece);
        const double t = found ? tmb_exact_parameter_round(&at, -INFINITY, INFINITY, &pool) : 0;
        if (pool.failed) {
            break;
        }
        tmb_thick_passage_in_doubles(&ray, &c, way, 0, TMB_THICK_ALL, &in);
        check_passage(&in, found, t);
        tmb_thick_passage_in_pairs(&ray, &c, way, 0, TMB_THICK_ALL, &in);
        check_passage(&in, found, t);
    }
    tmb_bigfloat_pool_release(&pool);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    numbers n;
    double turned[3][3];
    if (!read_numbers(data, size, &n)) {
        return 0;
    }
    const double(*t)[3] = (const double(*)[3])n.triangle;
    const int expected = ask(&n, t, 0);
    for (int i = 0; i < 3; i++) {
        memcpy(turned[i], t[(i * 2 + 1) % 3], sizeof turned[i]);
    }
    if (ask(&n, t, 1) != expected || ask(&n, (const double(*)[3])turned, 0) != expected ||
        (is_scalable(&n) && ask_scaled(&n) != expected)) {
        abort();
    }
    if (tmb_compare_numbers(n.from, n.to, 3) != 0) {
        const tmb_cylinder c = {n.from, n.to, tmb_limit_of(n.radius, 1)};
        const tmb_verdict fast = tmb_cylinder_filter(t, &c), slow = tmb_cylinder_exact(t, &c);
        if (slow == TMB_MAYBE || (fast != TMB_MAYBE && fast != slow) || (slow == TMB_YES && !expected)) {
            abort();
        }
        check_point(&n);
        check_distance(&n, expected);
        check_entering(&n, &c, expected);
    }
    if (is_scalable(&n)) { /* others take exact arithmetic too long */
        check_ray(&n);
    }
    return 0;
}
