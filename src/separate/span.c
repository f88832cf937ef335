/* The multiples of a way for which two triangles may be in contact: outward bounds.
 *
 * B's triangle moved by s times the way w meets A's only if, for every vector n, s (n w) is between the least and the
 * largest of n (a - b). So any vector gives bounds, also a normal that is rounded. */
#include <math.h>

#include "math/vec3.h"
#include "separate/sweep.h"

#define OUTWARD 0x1p-47 /* more than the roundings of a quotient and of what is divided */
#define UNSURE 0x1p-50  /* more than the roundings of a product of vectors */
#define LEAST 0x1p-1060 /* more than what underflows in one */

/* The quotient of a bound by a speed from `slow` to `fast`, both above 0, rounded down. */
static double least_quotient(double x, double slow, double fast)
{
    const double q = x > 0 ? x / fast : x / slow;
    return q - fabs(q) * OUTWARD;
}

static double most_quotient(double x, double slow, double fast)
{
    return -least_quotient(-x, slow, fast);
}

/* Leaves the multiples for which n does not part the triangles. */
static int cut(const double n[3], const double a[3][3], const double b[3][3], const double way[3], double error,
               double *low, double *high)
{
    const double size = tmb_sum_of_sizes(n), rounding = size * error + LEAST;
    double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        const double x = tmb_dot(n, a[i]), y = tmb_dot(n, b[i]);
        least[0] = tmb_lesser(least[0], x);
        most[0] = tmb_greater(most[0], x);
        least[1] = tmb_lesser(least[1], y);
        most[1] = tmb_greater(most[1], y);
    }
    double from = least[0] - most[1] - rounding, to = most[0] - least[1] + rounding, speed = tmb_dot(n, way);
    const double unsure = size * UNSURE + LEAST;
    if (fabs(speed) <= 2 * unsure) {
        const double moved = *high * (fabs(speed) + unsure) * (1 + OUTWARD);
        return from <= moved && to >= -moved;
    }
    if (speed < 0) {
        const double other = -from;
        from = -to;
        to = other;
        speed = -speed;
    }
    *low = tmb_greater(*low, least_quotient(from, speed - unsure, speed + unsure));
    *high = tmb_lesser(*high, most_quotient(to, speed - unsure, speed + unsure));
    return *low <= *high;
}

int tmb_triangles_span(const double a[3][3], const double b[3][3], const double way[3], double error, double *low,
                       double *high)
{
    double edges[2][3][3], n[3];
    for (int i = 0; i < 3; i++) {
        tmb_subtract(a[(i + 1) % 3], a[i], edges[0][i]);
        tmb_subtract(b[(i + 1) % 3], b[i], edges[1][i]);
    }
    for (int side = 0; side < 2; side++) {
        tmb_cross(edges[side][0], edges[side][1], n);
        if (!cut(n, a, b, way, error, low, high)) {
            return 0;
        }
    }
    for (int i = 0; i < 9; i++) {
        tmb_cross(edges[0][i / 3], edges[1][i % 3], n);
        if (!cut(n, a, b, way, error, low, high)) {
            return 0;
        }
    }
    return 1;
}
