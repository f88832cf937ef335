/* Corners and edges of k-DOPs: numbers of two kinds, and everything else in kdop_polytope_body.h, once for each. */
#include "tree/kdop_polytope.h"

#include <math.h>
#include <string.h>

#include "math/lattice.h"

/* Corners have numbers below this, so that sets of them fit a word; at most TMB_POLYTOPE_CORNERS are in use at a time.
 */
#define SLOTS 64

/* ---- Whole numbers ---- */

typedef double whole;
static inline whole whole_from(double a, double b)
{
    (void)b;
    return a;
}
static inline whole whole_plus(whole p, whole q)
{
    return p + q;
}
static inline whole whole_minus(whole p, whole q)
{
    return p - q;
}
static inline whole whole_times(whole p, whole q)
{
    return p * q;
}
static inline double whole_value(whole p)
{
    return p;
}
static inline int whole_negative(whole p)
{
    return p < 0;
}

/* ---- a + b golden, with whole a and b; golden squared is golden + 1 ---- */

typedef struct golden {
    double a, b;
} golden;
static inline golden golden_from(double a, double b)
{
    return (golden){a, b};
}
static inline golden golden_plus(golden p, golden q)
{
    return (golden){p.a + q.a, p.b + q.b};
}
static inline golden golden_minus(golden p, golden q)
{
    return (golden){p.a - q.a, p.b - q.b};
}
static inline golden golden_times(golden p, golden q)
{
    const double bb = p.b * q.b;
    return (golden){p.a * q.a + bb, p.a * q.b + p.b * q.a + bb};
}
static inline double golden_value(golden p)
{
    return p.a + p.b * TMB_GOLDEN;
}
/* Twice the number is x + y root of 5: where the signs differ, squares tell which part is larger. */
static int golden_negative_exact(golden p)
{
    const tmb_int128 y = (tmb_int128)p.b, x = 2 * (tmb_int128)p.a + y;
    const int larger = x * x > 5 * y * y;
    return larger ? x < 0 : y < 0;
}
/* The value is rounded three times, and TMB_GOLDEN once. */
static inline int golden_negative(golden p)
{
    const double value = golden_value(p), error = 0x1p-50 * (fabs(p.a) + fabs(p.b));
    return fabs(value) > error ? value < 0 : golden_negative_exact(p);
}

#define NUMBER whole
#include "tree/kdop_polytope_body.h"
#define NUMBER golden
#include "tree/kdop_polytope_body.h"

/* ---- Bounds in units ---- */

/* The middle of the first three slabs, which is inside or near, rounded. */
static void choose_centre(const tmb_kdop_set *set, const double *bounds, double out[3])
{
    double middle[3];
    for (int i = 0; i < 3; i++) {
        middle[i] = (bounds[2 * i] - bounds[2 * i + 1]) / 2;
    }
    if (set->k == 12) { /* directions (0, 1, g), (0, -1, g), (1, g, 0) */
        const double y = (middle[0] - middle[1]) / 2, z = (middle[0] + middle[1]) / (2 * TMB_GOLDEN);
        middle[0] = middle[2] - TMB_GOLDEN * y, middle[1] = y, middle[2] = z;
    }
    for (int i = 0; i < 3; i++) {
        out[i] = floor(middle[i]);
    }
}

/* Whole bounds, none smaller than it was. In whole directions everything but rounding up is exact. The golden ones are
 * those of TMB_GOLDEN up to 2^-54 and are here multiplied in doubles, with errors far below the guard: numbers are less
 * than 2^42. */
static void choose_bounds(const tmb_kdop_set *set, const double *bounds, tmb_polytope *out)
{
    const double guard = set->k == 12 ? 0x1p-8 : 0;
    for (uint32_t l = 0; l < set->k; l++) {
        double d[3];
        tmb_kdop_lane(set, l, d);
        const double shift = (d[0] * out->centre[0] + d[1] * out->centre[1]) + d[2] * out->centre[2];
        const double bound = set->k == 12 ? ceil(bounds[l] - shift + guard) : ceil(bounds[l]) - shift;
        out->bounds[l] = bound + 0.0; /* never -0 */
    }
}

static void choose_unit(const tmb_kdop_set *set, const float *bounds, double margin, double *scaled, double *unit)
{
    double most = 0;
    for (uint32_t l = 0; l < set->k; l++) {
        const double *d = set->directions[l / 2];
        const double length = margin > 0 ? sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) : 0;
        scaled[l] = (double)bounds[l] + margin * length;
        most = fmax(most, fabs(scaled[l]));
    }
    int exponent = 0;
    (void)frexp(most, &exponent); /* most < 2^exponent */
    const double scale = ldexp(1, 39 - exponent);
    for (uint32_t l = 0; l < set->k; l++) {
        scaled[l] *= scale;
    }
    *unit = 1 / scale;
}

void tmb_polytope_of(uint32_t k, const float *bounds, double margin, tmb_polytope *out)
{
    const tmb_kdop_set *set = tmb_kdop_set_of(k);
    double scaled[TMB_KDOP_MOST];
    choose_unit(set, bounds, margin, scaled, &out->unit);
    choose_centre(set, scaled, out->centre);
    choose_bounds(set, scaled, out);
    if (k == 12) {
        polytope_golden(set, out);
    } else {
        polytope_whole(set, out);
    }
}
