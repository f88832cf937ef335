/* Thin things at odd angles, as masts and scaffolds, and as the wires of a harness: boxes around their long triangles
 * are nearly empty. The same seed gives the same mesh. */
#include <math.h>

#include "build.h"

enum {
    THIN_DETAIL,
    THIN_THICKNESS,
    THIN_SEED
};

/* The cross section of struts and wires: no cosines, whose last bits depend on the machine. */
#define SIDES 3
#define HALF_HEIGHT 0.8660254037844386
#define CROSS_SECTION                \
    {                                \
        {1, 0}, {-0.5, HALF_HEIGHT}, \
        {                            \
            -0.5, -HALF_HEIGHT       \
        }                            \
    }

/* ---- Truss: square masts with rungs and diagonals, in random directions through a cube of side 1 ---- */

#define BAYS 12 /* of a whole mast, which is of length 1 */
#define MAST_WIDTH 0.1

typedef struct mast {
    tumble_pose place;
    uint32_t bays;
    double radius;
    double (*circle)[2];
} mast;

/* A mast has four chords, four rungs at each end of a bay, and four diagonals in each. */
static double mast_triangles(double bays)
{
    return bays > 0 ? (8 * bays + 8) * (4 * SIDES - 4) : 0;
}

double models_count_truss(const double *values)
{
    const double bays = floor(values[THIN_DETAIL]), masts = floor(bays / BAYS);
    return masts * mast_triangles(BAYS) + mast_triangles(bays - masts * BAYS);
}

/* Where a chord is at the end of a bay. */
static void mast_point(const mast *m, uint32_t chord, uint32_t level, double out[3])
{
    const double at[3] = {chord == 0 || chord == 3 ? -MAST_WIDTH / 2 : MAST_WIDTH / 2,
                          chord < 2 ? -MAST_WIDTH / 2 : MAST_WIDTH / 2, (double)level / BAYS - 0.5};
    tumble_pose_apply(&m->place, at, out);
}

static void add_strut(models_mesh *mesh, const mast *m, const uint32_t from[2], const uint32_t to[2])
{
    const double radii[2] = {m->radius, m->radius};
    double ends[2][3];
    mast_point(m, from[0], from[1], ends[0]);
    mast_point(m, to[0], to[1], ends[1]);
    models_tube(mesh, m->circle, SIDES, ends, radii, 2);
}

static void add_mast(models_mesh *mesh, const mast *m)
{
    for (uint32_t chord = 0; chord < 4; chord++) {
        const uint32_t next = (chord + 1) % 4;
        add_strut(mesh, m, (const uint32_t[2]){chord, 0}, (const uint32_t[2]){chord, m->bays});
        for (uint32_t level = 0; level <= m->bays; level++) {
            add_strut(mesh, m, (const uint32_t[2]){chord, level}, (const uint32_t[2]){next, level});
        }
        for (uint32_t level = 0; level < m->bays; level++) {
            add_strut(mesh, m, (const uint32_t[2]){chord, level}, (const uint32_t[2]){next, level + 1});
        }
    }
}

void models_make_truss(models_mesh *mesh, const double *values)
{
    models_random random = {(uint64_t)values[THIN_SEED]};
    double circle[SIDES][2] = CROSS_SECTION;
    for (double left = floor(values[THIN_DETAIL]); left > 0 && !mesh->failed; left -= BAYS) {
        mast m = {models_random_rotation(&random), (uint32_t)fmin(left, BAYS), values[THIN_THICKNESS] / 2, circle};
        for (int k = 0; k < 3; k++) {
            m.place.m[k][3] = models_random_unit(&random);
        }
        add_mast(mesh, &m);
    }
}

/* ---- Cables: wires that share a trunk and leave it one by one, in a cube of side 1 ---- */

#define WIRES 16         /* of a harness */
#define TRUNK 7          /* places of a wire along the trunk, */
#define PLACES 12        /* and all of them */
#define TRUNK_WIDTH 0.02 /* how far wires are from its middle */

double models_count_cables(const double *values)
{
    return floor(values[THIN_DETAIL]) * (2 * SIDES * (PLACES - 1) + 2 * (SIDES - 2));
}

/* A curve of second degree. */
typedef struct curve {
    double points[3][3];
} curve;

static void random_place(models_random *random, double out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = models_random_unit(random);
    }
}

static void curve_point(const curve *c, double t, double out[3])
{
    const double u = 1 - t;
    for (int k = 0; k < 3; k++) {
        out[k] = (c->points[0][k] * (u * u) + c->points[1][k] * (2 * (t * u))) + c->points[2][k] * (t * t);
    }
}

/* From where a wire leaves the trunk, in the direction it has there. */
static curve branch_of(const double (*on_trunk)[3], models_random *random)
{
    curve c;
    for (int k = 0; k < 3; k++) {
        c.points[0][k] = on_trunk[TRUNK - 1][k];
        c.points[1][k] = 2 * on_trunk[TRUNK - 1][k] - on_trunk[TRUNK - 2][k];
    }
    random_place(random, c.points[2]);
    return c;
}

static void add_wire(models_mesh *mesh, double (*circle)[2], const curve *trunk, double radius, models_random *random)
{
    double places[PLACES][3], radii[PLACES], aside[3];
    const double leaves = models_random_range(random, 0.2, 1);
    random_place(random, aside);
    for (uint32_t i = 0; i < TRUNK; i++) {
        curve_point(trunk, leaves * i / (TRUNK - 1), places[i]);
        for (int k = 0; k < 3; k++) {
            places[i][k] += TRUNK_WIDTH * (aside[k] - 0.5);
        }
    }
    const curve branch = branch_of((const double(*)[3])places, random);
    for (uint32_t i = 0; i < PLACES; i++) {
        radii[i] = radius;
        if (i >= TRUNK) {
            curve_point(&branch, (double)(i - TRUNK + 1) / (PLACES - TRUNK), places[i]);
        }
    }
    models_tube(mesh, circle, SIDES, places, radii, PLACES);
}

void models_make_cables(models_mesh *mesh, const double *values)
{
    models_random random = {(uint64_t)values[THIN_SEED]};
    double circle[SIDES][2] = CROSS_SECTION;
    curve trunk = {{{0}}};
    for (double i = 0; i < floor(values[THIN_DETAIL]) && !mesh->failed; i++) {
        for (int k = 0; k < 3 && fmod(i, WIRES) == 0; k++) {
            random_place(&random, trunk.points[k]);
        }
        add_wire(mesh, circle, &trunk, values[THIN_THICKNESS] / 2, &random);
    }
}
