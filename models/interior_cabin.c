/* The finished right side of the cabin: seats, panels with windows, bins. */
#include <math.h>
#include <stdlib.h>

#include "interior.h"

enum {
    CUSHION_SIDES = 20,
    WINDOW_SIDES = 40
};

/* ---- Seats ---- */

/* A rounded outline: a circle pulled to the corners of a square. */
static double (*rounded_outline(models_mesh *mesh, uint32_t sides))[2]
{
    double(*circle)[2] = models_circle(mesh, sides);
    for (uint32_t i = 0; circle && i < sides; i++) {
        const double c2 = circle[i][0] * circle[i][0], s2 = circle[i][1] * circle[i][1];
        const double stretch = 1 / sqrt(sqrt(c2 * c2 + s2 * s2)); /* on |x|^4 + |y|^4 = 1 */
        circle[i][0] *= stretch;
        circle[i][1] *= stretch;
    }
    return circle;
}

/* A cushion: rounded sections along an axis, smaller towards the ends, and bulging a little. */
static void add_cushion(models_mesh *mesh, double (*outline)[2], const double from[3], const double to[3],
                        const double u[3], const double v[3])
{
    static const double sections[][2] = {{0, 0.72},    {0.02, 0.86}, {0.07, 0.95}, {0.18, 1},    {0.34, 1.02}, {0.5, 1},
                                         {0.66, 1.02}, {0.82, 1},    {0.93, 0.95}, {0.98, 0.86}, {1, 0.72}};
    models_loft loft = {.mesh = mesh, .sides = CUSHION_SIDES};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        double centre[3];
        for (int k = 0; k < 3; k++) {
            centre[k] = from[k] + sections[i][0] * (to[k] - from[k]);
        }
        models_loft_ring(&loft, models_ring(mesh, outline, CUSHION_SIDES, centre, u, v, sections[i][1]));
    }
    models_loft_end(&loft);
}

static void add_rod(models_mesh *mesh, double (*circle)[2], const double from[3], const double to[3], double radius)
{
    double centres[5][3], radii[5];
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < 3; k++) {
            centres[i][k] = from[k] + (to[k] - from[k]) * i / 4;
        }
        radii[i] = radius;
    }
    models_tube(mesh, circle, 10, centres, radii, 5);
}

/* One place, its front at x and its middle at y; it looks to the front, against x. */
static void add_seat(models_mesh *mesh, double (*outline)[2], double (*circle)[2], double x, double y)
{
    const double z = INTERIOR_FLOOR + 0.4;
    { /* cushion, back, head rest: along y, so that u x v points to the right */
        const double thick[3] = {0, 0, 0.065}, deep[3] = {0.235, 0, 0};
        add_cushion(mesh, outline, (const double[3]){x + 0.24, y - 0.215, z}, (const double[3]){x + 0.24, y + 0.215, z},
                    thick, deep);
        const double lean[3] = {0.085, 0, 0.32}, out[3] = {0.058, 0, -0.015};
        add_cushion(mesh, outline, (const double[3]){x + 0.53, y - 0.21, z + 0.36},
                    (const double[3]){x + 0.53, y + 0.21, z + 0.36}, lean, out);
        const double head[3] = {0.02, 0, 0.075}, front[3] = {0.05, 0, -0.013};
        add_cushion(mesh, outline, (const double[3]){x + 0.6, y - 0.13, z + 0.69},
                    (const double[3]){x + 0.6, y + 0.13, z + 0.69}, head, front);
    }
    for (int side = -1; side <= 1; side += 2) { /* arm rests, legs */
        const double edge = y + 0.235 * side;
        const double wide[3] = {0, 0.024, 0}, high[3] = {0, 0, 0.018};
        add_cushion(mesh, outline, (const double[3]){x + 0.08, edge, z + 0.2},
                    (const double[3]){x + 0.47, edge, z + 0.2}, wide, high);
        add_rod(mesh, circle, (const double[3]){x + 0.46, edge, z + 0.19}, (const double[3]){x + 0.49, edge, z - 0.03},
                0.014);
        add_rod(mesh, circle, (const double[3]){x + 0.08, y + 0.16 * side, INTERIOR_FLOOR},
                (const double[3]){x + 0.1, y + 0.16 * side, z - 0.03}, 0.016);
        add_rod(mesh, circle, (const double[3]){x + 0.48, y + 0.16 * side, INTERIOR_FLOOR},
                (const double[3]){x + 0.38, y + 0.16 * side, z - 0.03}, 0.016);
    }
}

/* ---- Panels with windows on the right wall ---- */

/* Where a panel's edge is in a direction from the middle of the window: a rectangle, told by half its sides. */
static double edge_distance(const double direction[2], double half_x, double half_y)
{
    return 1 / fmax(fabs(direction[0]) / half_x, fabs(direction[1]) / half_y);
}

/* From the rectangular edge in to the oval window, into its reveal, and back after: a closed ring. */
static void add_window_panel(models_mesh *mesh, double x, double angle, double half_x, double half_angle)
{
    static const double rings[][2] = {
        {0, 1.8},      {0.35, 1.798}, {0.7, 1.797}, {0.92, 1.798}, {1, 1.806},
        {1.04, 1.825}, {1, 1.83},     {0.6, 1.812}, {0, 1.812}}; /* share of the way in, radius */
    const uint32_t count = sizeof rings / sizeof *rings;
    uint32_t first = 0, last = 0;
    double(*circle)[2] = models_circle(mesh, WINDOW_SIDES);
    for (uint32_t i = 0; circle && i < count; i++) {
        const uint32_t ring = (uint32_t)mesh->point_count;
        for (uint32_t k = 0; k < WINDOW_SIDES; k++) {
            const double *d = circle[k], rim = 1 / sqrt(d[0] * d[0] / (0.125 * 0.125) + d[1] * d[1] / (0.185 * 0.185));
            const double edge = edge_distance(d, half_x, 1.8 * half_angle);
            const double distance = edge + (rim - edge) * rings[i][0];
            double point[3];
            interior_on_wall(x + distance * d[0], angle + distance * d[1] / 1.8, rings[i][1], point);
            models_point(mesh, point[0], point[1], point[2]);
        }
        if (i) {
            models_bridge(mesh, last, ring, WINDOW_SIDES);
        } else {
            first = ring;
        }
        last = ring;
    }
    if (circle) {
        models_bridge(mesh, last, first, WINDOW_SIDES);
    }
    free(circle);
}

/* ---- Bins ---- */

/* The section of a bin: its outline in y and z on the right side, turning left. */
static const double bin_outline[][2] = {
    {0.62, 1.2},  {0.6, 1.32}, {0.62, 1.44}, {0.7, 1.55}, {0.82, 1.6}, {1, 1.58},   {1.18, 1.46}, {1.32, 1.33},
    {1.45, 1.16}, {1.5, 1.02}, {1.44, 0.96}, {1.3, 0.95}, {1.1, 0.98}, {0.9, 1.03}, {0.76, 1.08}, {0.67, 1.13}};

static void add_bin(models_mesh *mesh, double from, double to, int mirrored)
{
    enum {
        POINTS = sizeof bin_outline / sizeof *bin_outline
    };
    double outline[POINTS][2];
    static const double along[3] = {1, 0, 0};
    models_loft loft = {.mesh = mesh, .sides = POINTS};
    for (int i = 0; i < POINTS; i++) { /* seen against x, y to the left is a left turn: y cross z is x */
        const double *point = bin_outline[mirrored ? i : POINTS - 1 - i];
        outline[i][0] = mirrored ? -point[0] : point[0];
        outline[i][1] = point[1];
    }
    for (int i = 0; i <= 10; i++) {
        const double x = from + (to - from) * i / 10, centre[3] = {x * along[0], 0, 0};
        static const double right[3] = {0, 1, 0}, up[3] = {0, 0, 1};
        models_loft_ring(&loft, models_ring(mesh, outline, POINTS, centre, right, up, 1));
    }
    models_loft_end(&loft);
    double(*circle)[2] = models_circle(mesh, 10);
    if (circle) { /* the handle */
        const double y = mirrored ? -0.6 : 0.6, middle = 0.5 * (from + to);
        add_rod(mesh, circle, (const double[3]){middle - 0.1, y, 1.25}, (const double[3]){middle + 0.1, y, 1.25},
                0.009);
    }
    free(circle);
}

void interior_add_cabin(models_mesh *mesh)
{
    double(*outline)[2] = rounded_outline(mesh, CUSHION_SIDES), (*circle)[2] = models_circle(mesh, 10);
    for (int row = 0; outline && circle && row < 3; row++) {
        for (int place = 0; place < 3; place++) {
            add_seat(mesh, outline, circle, 0.3 + 0.95 * row, 0.4 + 0.48 * place);
        }
    }
    mesh->surface++;
    for (int i = 0; i + 1 < INTERIOR_FRAMES; i++) {
        const double from = interior_frame_x(i), to = interior_frame_x(i + 1);
        add_window_panel(mesh, 0.5 * (from + to), 0.14, 0.5 * (to - from) - 0.002, 0.27);
    }
    mesh->surface++;
    for (int i = 0; i < 3; i++) {
        const double from = INTERIOR_LENGTH * (0.02 + i * 0.32), to = from + INTERIOR_LENGTH * 0.31;
        add_bin(mesh, from, to, 0);
    }
    mesh->surface++;
    free(outline);
    free(circle);
}
