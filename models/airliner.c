/* A wide-bodied airliner with four engines, in metres: x from nose to tail, y to the right, z up. Every part is closed;
 * the parts stand in one another as in a model for display. */
#include <math.h>
#include <stdlib.h>

#include "scene_parts.h"

enum {
    FUSELAGE_SIDES = 44,
    FOIL_POINTS = 24,
    ENGINE_SIDES = 24
};

static double smooth_between(double at, double from, double to)
{
    const double t = fmin(1, fmax(0, (at - from) / (to - from)));
    return t * t * (3 - 2 * t);
}

/* ---- Fuselage ---- */

/* Half the width, half the height, and the height of the middle, at a share of the length. */
static void fuselage_section(double x, double *half_width, double *half_height, double *middle)
{
    const double nose = fmin(1, x / 9), tail = fmax(0, (x - 46) / 24);
    const double round_nose = sqrt(fmax(0, 1 - (1 - nose) * (1 - nose)));
    *half_width = 3.25 * round_nose * (1 - 0.93 * tail * tail * (1.5 - 0.5 * tail));
    *half_height = 3.6 * pow(round_nose, 0.9) * (1 - 0.9 * tail * tail * (1.5 - 0.5 * tail));
    *middle = -0.9 * (1 - round_nose) + 2.6 * tail * tail;
}

/* The upper deck: how far it stands out at the top. */
static double hump(double x)
{
    return 1.9 * smooth_between(x, 2, 8) * (1 - smooth_between(x, 21, 28));
}

static void add_fuselage(models_mesh *mesh)
{
    static const double stations[] = {0.04, 0.15, 0.4,  0.8, 1.3,  1.9,  2.6,  3.4,  4.3,  5.3,  6.3,  7.3, 8.3,
                                      9.5,  11,   12.5, 14,  15.5, 17,   18.5, 20,   21.5, 23,   24.5, 26,  27.5,
                                      29,   31,   33,   35,  37,   39,   41,   43,   45,   47,   49,   51,  53,
                                      55,   57,   59,   61,  63,   64.5, 66,   67.3, 68.5, 69.4, 70};
    double(*circle)[2] = models_circle(mesh, FUSELAGE_SIDES);
    models_loft loft = {.mesh = mesh, .sides = FUSELAGE_SIDES};
    for (size_t i = 0; circle && i < sizeof stations / sizeof *stations; i++) {
        double half_width, half_height, middle;
        fuselage_section(stations[i], &half_width, &half_height, &middle);
        const uint32_t ring = (uint32_t)mesh->point_count;
        for (uint32_t k = 0; k < FUSELAGE_SIDES; k++) {
            const double up = circle[k][1], top = up > 0 ? hump(stations[i]) * up * up : 0;
            models_point(mesh, stations[i], half_width * circle[k][0] * (1 - 0.12 * top * up / 1.5),
                         middle + half_height * up + top);
        }
        models_loft_ring(&loft, ring);
    }
    models_loft_end(&loft);
    free(circle);
}

/* ---- Wings, tail and pylons: sections of a foil ---- */

typedef struct foil_section {
    double leading[3]; /* edge */
    double chord, thickness;
} foil_section;

/* From the trailing edge over the lower side to the leading edge and back: x from 0 to 1, y as a share of the
 * thickness. The outline of the four-digit foils of NACA Report 460 (1933). */
static void make_foil(double outline[FOIL_POINTS][2])
{
    for (int i = 0; i < FOIL_POINTS; i++) {
        double direction[2];
        models_direction((uint32_t)(2 * i + 1), 2 * FOIL_POINTS, direction);
        const double x = 0.5 + 0.5 * direction[0], side = direction[1] < 0 ? 1 : -1;
        const double y = 5 * (0.2969 * sqrt(x) - x * (0.126 + x * (0.3516 - x * (0.2843 - x * 0.1036))));
        outline[i][0] = x;
        outline[i][1] = side * y;
    }
}

/* Sections from `from` to `to`, cut `cuts` times; `up` is the direction of the thickness. */
static void add_foil(models_mesh *mesh, const foil_section *sections, size_t count, uint32_t cuts, const double up[3],
                     int mirrored)
{
    double outline[FOIL_POINTS][2];
    models_loft loft = {.mesh = mesh, .sides = FOIL_POINTS};
    make_foil(outline);
    for (size_t i = 0; i + 1 < count; i++) {
        for (uint32_t cut = i ? 1 : 0; cut <= cuts; cut++) {
            const double t = (double)cut / cuts;
            const foil_section *a = &sections[i], *b = &sections[i + 1];
            const double chord = a->chord + t * (b->chord - a->chord);
            const double thickness = chord * (a->thickness + t * (b->thickness - a->thickness));
            const uint32_t ring = (uint32_t)mesh->point_count;
            for (int k = 0; k < FOIL_POINTS; k++) {
                const double *point = outline[mirrored ? FOIL_POINTS - 1 - k : k];
                double at[3];
                for (int c = 0; c < 3; c++) {
                    at[c] = a->leading[c] + t * (b->leading[c] - a->leading[c]) + thickness * point[1] * up[c];
                }
                at[0] += chord * point[0];
                models_point(mesh, at[0], mirrored ? -at[1] : at[1], at[2]);
            }
            models_loft_ring(&loft, ring);
        }
    }
    models_loft_end(&loft);
}

static void add_wings(models_mesh *mesh)
{
    static const foil_section wing[] = {{{20, 1, -2.6}, 15.5, 0.14},  {{24, 4.5, -2.2}, 13, 0.13},
                                        {{30, 12, -1.3}, 9, 0.11},    {{44.5, 30, 1.1}, 4, 0.09},
                                        {{46.6, 31.6, 2}, 2.6, 0.08}, {{48.6, 32.3, 3.4}, 1.5, 0.08}};
    static const foil_section stabiliser[] = {{{59, 0.6, 2.6}, 8.6, 0.1}, {{67.5, 11, 4.2}, 2.6, 0.08}};
    static const foil_section fin[] = {
        {{51.5, 0, 2.6}, 15, 0.085}, {{57, 0, 5.6}, 10.8, 0.09}, {{66.5, 0, 15.2}, 4.4, 0.08}};
    static const double up[3] = {0, 0, 1}, right[3] = {0, -1, 0};
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        add_foil(mesh, wing, sizeof wing / sizeof *wing, 4, up, mirrored);
        add_foil(mesh, stabiliser, sizeof stabiliser / sizeof *stabiliser, 8, up, mirrored);
    }
    add_foil(mesh, fin, sizeof fin / sizeof *fin, 5, right, 0);
}

/* ---- Engines ---- */

/* The cowling is a ring: out along its outside, back along the duct. */
static void add_cowling(models_mesh *mesh, double (*circle)[2], const double centre[3])
{
    static const double outline[][2] = {{0, 1.2},    {0.12, 1.36}, {0.5, 1.5},  {1.2, 1.58}, {2.2, 1.56}, {3.2, 1.42},
                                        {4.1, 1.22}, {4.15, 1.16}, {3.2, 1.24}, {2.2, 1.26}, {1.2, 1.22}, {0.3, 1.14}};
    const uint32_t count = sizeof outline / sizeof *outline;
    static const double u[3] = {0, 1, 0}, v[3] = {0, 0, 1};
    uint32_t first = 0, last = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double at[3] = {centre[0] + outline[i][0], centre[1], centre[2]};
        const uint32_t ring = models_ring(mesh, circle, ENGINE_SIDES, at, u, v, outline[i][1]);
        if (i) {
            models_bridge(mesh, last, ring, ENGINE_SIDES);
        } else {
            first = ring;
        }
        last = ring;
    }
    models_bridge(mesh, last, first, ENGINE_SIDES);
}

static void add_engine(models_mesh *mesh, double (*circle)[2], double x, double y, double z)
{
    static const double core[][2] = {{0.5, 0},   {0.7, 0.3},  {1.0, 0.46}, {1.3, 0.5},  {2.6, 0.86},
                                     {4.2, 0.8}, {5.2, 0.62}, {5.3, 0.5},  {6.2, 0.22}, {6.7, 0}};
    static const double fan[][2] = {{1.15, 0.48}, {1.15, 1.25}, {1.3, 1.25}, {1.3, 0.48}};
    static const double axis[3] = {1, 0, 0};
    const double centre[3] = {x, y, z};
    add_cowling(mesh, circle, centre);
    models_turned(mesh, circle, ENGINE_SIDES, centre, axis, core, sizeof core / sizeof *core);
    models_turned(mesh, circle, ENGINE_SIDES, centre, axis, fan, sizeof fan / sizeof *fan);
}

static void add_engines(models_mesh *mesh)
{
    static const double places[4][3] = {
        {22.2, 11.7, -3.7}, {31.6, 20.8, -2.5}, {22.2, -11.7, -3.7}, {31.6, -20.8, -2.5}};
    static const double right[3] = {0, -1, 0};
    double(*circle)[2] = models_circle(mesh, ENGINE_SIDES);
    for (int i = 0; circle && i < 4; i++) {
        const double x = places[i][0], y = places[i][1], z = places[i][2];
        const foil_section pylon[] = {{{x + 1.6, y, z + 1.1}, 6.2, 0.07}, {{x + 5, y, z + 2.4}, 7, 0.06}};
        add_engine(mesh, circle, x, y, z);
        add_foil(mesh, pylon, 2, 2, right, 0);
    }
    free(circle);
}

/* Fairings of the flaps under the wings. */
static void add_fairings(models_mesh *mesh)
{
    static const double outline[][2] = {{0, 0},      {0.06, 0.05}, {0.2, 0.085}, {0.45, 0.1},
                                        {0.7, 0.08}, {0.9, 0.035}, {1, 0}};
    static const double places[4][3] = {{31, 6.5, -2.3}, {34, 10.2, -1.9}, {37.2, 16.5, -1.15}, {41.4, 23.4, -0.2}};
    double(*circle)[2] = models_circle(mesh, 12);
    for (int i = 0; circle && i < 8; i++) {
        const double *at = places[i % 4], axis[3] = {5.2 - 0.5 * (i % 4), 0, -0.25};
        models_turned(mesh, circle, 12, (const double[3]){at[0], i < 4 ? at[1] : -at[1], at[2]}, axis, outline,
                      sizeof outline / sizeof *outline);
    }
    free(circle);
}

void models_make_airliner(models_mesh *mesh)
{
    add_fuselage(mesh);
    mesh->surface++;
    add_wings(mesh);
    mesh->surface++;
    add_engines(mesh);
    mesh->surface++;
    add_fairings(mesh);
    mesh->surface = 0;
}
