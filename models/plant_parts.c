/* The parts of the plant, at their places, in metres. */
#include "plant.h"
#include "plant_pieces.h"

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

enum {
    PIPE_SIDES = 16,
    SHELL_SIDES = 24
};

static const double x_axis[3] = {1, 0, 0}, y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1};
static const double minus_x[3] = {-1, 0, 0}, minus_y[3] = {0, -1, 0}, minus_z[3] = {0, 0, -1};

#define PIPE_RADIUS 0.09

static void add_box(models_mesh *mesh, double x, double y, double z, double half_x, double half_y, double half_z)
{
    plant_box(mesh, (const double[]){x, y, z}, (const double[]){half_x, half_y, half_z});
}

static void add_bolt_at(models_mesh *mesh, double x, double y, double z, double radius)
{
    plant_bolt(mesh, (const double[]){x, y, z}, z_axis, radius, 0.7 * radius);
}

/* ---- Frame ---- */

/* Two flanges and a web; the web stands along z, or along x in a column. */
static void add_beam(models_mesh *mesh, int along, const double centre[3], double half_length)
{
    const int across = along == 1 ? 0 : 1, up = along == 2 ? 0 : 2;
    for (int i = -1; i <= 1; i++) {
        double at[3] = {centre[0], centre[1], centre[2]}, half[3];
        at[up] += 0.09 * i;
        half[along] = half_length;
        half[across] = i ? 0.09 : 0.006;
        half[up] = i ? 0.008 : 0.082;
        plant_box(mesh, at, half);
    }
}

static void make_frame(models_mesh *mesh)
{
    for (int i = 0; i < 4; i++) {
        const double x = i & 1 ? 2.9 : -2.7, y = i & 2 ? 1.6 : -1.6;
        const double column[3] = {x, y, 2.05};
        add_beam(mesh, 2, column, 2);
        add_box(mesh, x, y, 0.025, 0.2, 0.2, 0.025);
        for (int bolt = 0; bolt < 4; bolt++) {
            add_bolt_at(mesh, x + (bolt & 1 ? 0.15 : -0.15), y + (bolt & 2 ? 0.15 : -0.15), 0.05, 0.025);
        }
    }
    for (int i = 0; i < 4; i++) {
        const double height = i & 2 ? 3.95 : 2.05, side = i & 1 ? 1.6 : -1.6;
        const double longitudinal[3] = {0.1, side, height}, transverse[3] = {i & 1 ? 2.3 : 0.5, 0, height};
        add_beam(mesh, 0, longitudinal, 2.71);
        add_beam(mesh, 1, transverse, 1.59);
    }
}

/* ---- Vessels ---- */

static void make_vessel(models_mesh *mesh)
{
    static const plant_outline shell[] = {{-0.3, 0, 0},   {-0.27, 0.3, 0}, {-0.2, 0.53, 1}, {-0.1, 0.72, 1},
                                          {0, 0.8, 1},    {1.1, 0.8, 0},   {2.2, 0.8, 0},   {2.3, 0.72, 0},
                                          {2.4, 0.53, 1}, {2.47, 0.3, 1},  {2.5, 0, 1}};
    static const double bottom[3] = {-1.6, 0, 0.9};
    plant_turned(mesh, SHELL_SIDES, bottom, z_axis, shell, COUNT(shell));
    for (int i = 0; i < 4; i++) {
        const double x = -1.6 + (i & 1 ? 0.52 : -0.52), y = i & 2 ? 0.52 : -0.52;
        add_box(mesh, x, y, 0.55, 0.05, 0.05, 0.52);
        add_box(mesh, x, y, 0.015, 0.11, 0.11, 0.015);
        add_bolt_at(mesh, x - 0.08, y + 0.08, 0.03, 0.02);
    }
    plant_nozzle(mesh, PIPE_SIDES, (const double[]){-0.82, 0, 1.2}, x_axis, 0.32, PIPE_RADIUS, 8);
    plant_nozzle(mesh, PIPE_SIDES, (const double[]){-1.6, 0, 3.35}, z_axis, 0.25, PIPE_RADIUS, 8);
    plant_nozzle(mesh, PIPE_SIDES, (const double[]){-1.6, -0.78, 1.5}, minus_y, 0.3, PIPE_RADIUS, 8);
    plant_nozzle(mesh, SHELL_SIDES, (const double[]){-1.6, 0.76, 1.9}, y_axis, 0.2, 0.22, 16);
    static const plant_outline cover[] = {{0, 0.396, 0}, {0.05, 0.396, 0}, {0.05, 0, 0}};
    plant_turned(mesh, SHELL_SIDES, (const double[]){-1.6, 0.961, 1.9}, y_axis, cover, 3);
}

/* Along x above the beams of the frame, on two saddles that stand on them. */
static void make_exchanger(models_mesh *mesh)
{
    static const plant_outline shell[] = {{-0.4, 0, 0},   {-0.38, 0.16, 0}, {-0.32, 0.26, 1}, {-0.2, 0.32, 1},
                                          {2.2, 0.32, 0}, {2.32, 0.26, 0},  {2.38, 0.16, 1},  {2.4, 0, 1}};
    static const double start[3] = {0.4, -1.1, 2.7};
    plant_turned(mesh, SHELL_SIDES, start, x_axis, shell, COUNT(shell));
    for (int i = 0; i < 2; i++) { /* girth flanges, two rings each */
        const double at[3] = {i ? 2.45 : 0.35, -1.1, 2.7};
        const plant_flange bolted = {0.32, 0.42, 0.04, 12}, plain = {0.32, 0.42, 0.04, 0};
        plant_add_flange(mesh, SHELL_SIDES, at, x_axis, i ? &bolted : &plain);
        plant_add_flange(mesh, SHELL_SIDES, at, minus_x, i ? &plain : &bolted);
        add_box(mesh, i ? 2.3 : 0.5, -1.1, 2.3, 0.05, 0.25, 0.15);
        add_box(mesh, i ? 2.3 : 0.5, -1.1, 2.155, 0.09, 0.3, 0.015);
    }
    plant_nozzle(mesh, PIPE_SIDES, (const double[]){0.8, -1.1, 3}, z_axis, 0.2, PIPE_RADIUS, 8);
    plant_nozzle(mesh, PIPE_SIDES, (const double[]){2.0, -1.1, 3}, z_axis, 0.2, PIPE_RADIUS, 8);
    plant_nozzle(mesh, PIPE_SIDES, (const double[]){2.0, -1.1, 2.4}, minus_z, 0.2, 0.06, 8);
}

/* ---- Machines ---- */

static void add_motor(models_mesh *mesh)
{
    static const plant_outline body[] = {{0, 0, 0},      {0, 0.17, 0},   {0.5, 0.17, 0},
                                         {0.5, 0.14, 0}, {0.6, 0.14, 0}, {0.6, 0, 0}};
    plant_turned(mesh, SHELL_SIDES, (const double[]){1.15, 0, 0.5}, x_axis, body, COUNT(body));
    for (int i = 0; i < 7; i++) { /* fins */
        add_box(mesh, 1.4, 0.05 * (i - 3), 0.655, 0.24, 0.006, 0.045);
    }
    add_box(mesh, 1.4, 0.24, 0.6, 0.1, 0.05, 0.08);
}

static void make_pump(models_mesh *mesh)
{
    static const plant_outline volute[] = {{0, 0.1, 0},    {0.02, 0.2, 0}, {0.07, 0.26, 1}, {0.17, 0.26, 0},
                                           {0.22, 0.2, 0}, {0.24, 0.1, 1}, {0.34, 0.1, 0},  {0.34, 0.04, 0},
                                           {0.5, 0.04, 0}, {0.5, 0.08, 0}, {0.58, 0.08, 0}, {0.58, 0.04, 0}};
    plant_turned(mesh, SHELL_SIDES, (const double[]){0.58, 0, 0.5}, x_axis, volute, COUNT(volute));
    add_motor(mesh);
    add_box(mesh, 1.15, 0, 0.08, 0.75, 0.35, 0.04);
    add_box(mesh, 0.7, 0, 0.18, 0.08, 0.15, 0.06);
    add_box(mesh, 1.4, 0, 0.22, 0.2, 0.15, 0.1);
    for (int i = 0; i < 3; i++) {
        add_bolt_at(mesh, 0.5 + 0.65 * i, -0.3, 0.12, 0.022);
        add_bolt_at(mesh, 0.5 + 0.65 * i, 0.3, 0.12, 0.022);
    }
    plant_nozzle(mesh, PIPE_SIDES, (const double[]){0.59, 0, 0.5}, minus_x, 0.12, PIPE_RADIUS, 8);
    plant_nozzle(mesh, PIPE_SIDES, (const double[]){0.7, 0, 0.74}, z_axis, 0.21, PIPE_RADIUS, 8);
}

/* A gate valve on the pump's upper flange, with its wheel to the front. */
static void make_valve(models_mesh *mesh)
{
    static const plant_outline body[] = {{0, PIPE_RADIUS, 0},  {0.1, PIPE_RADIUS, 0}, {0.15, 0.13, 0},
                                         {0.2, 0.145, 1},      {0.25, 0.13, 1},       {0.3, PIPE_RADIUS, 1},
                                         {0.4, PIPE_RADIUS, 0}};
    static const plant_outline bonnet[] = {{0, 0.07, 0},     {0.12, 0.07, 0},  {0.12, 0.05, 0}, {0.25, 0.03, 0},
                                           {0.25, 0.012, 0}, {0.45, 0.012, 0}, {0.45, 0, 0}};
    static const double bottom[3] = {0.7, 0, 0.95}, top[3] = {0.7, 0, 1.35}, joint[3] = {0.7, -0.19, 1.15};
    const plant_flange flange = {PIPE_RADIUS, 1.8 * PIPE_RADIUS, 0.35 * PIPE_RADIUS, 8}, lid = {0.07, 0.12, 0.025, 8};
    plant_turned(mesh, SHELL_SIDES, bottom, z_axis, body, COUNT(body));
    plant_add_flange(mesh, PIPE_SIDES, bottom, minus_z, &flange);
    plant_add_flange(mesh, PIPE_SIDES, top, z_axis, &flange);
    plant_turned(mesh, PIPE_SIDES, (const double[]){0.7, -0.1, 1.15}, minus_y, bonnet, COUNT(bonnet));
    plant_add_flange(mesh, PIPE_SIDES, joint, minus_y, &lid);
    plant_add_flange(mesh, PIPE_SIDES, joint, y_axis, &lid);
    plant_torus(mesh, 8, (const double[]){0.7, -0.5, 1.15}, y_axis, 0.16, 0.012);
    for (int i = 0; i < 2; i++) {
        add_box(mesh, 0.7, -0.5, 1.15, i ? 0.16 : 0.008, 0.006, i ? 0.008 : 0.16);
    }
}

/* ---- Pipes ---- */

/* From the valve up and around the frame, with branches. */
static void make_header(models_mesh *mesh)
{
    static const double way[][3] = {{0.7, 0, 1.35},   {0.7, 0, 1.8},    {0.7, 1.25, 1.8},
                                    {2.5, 1.25, 1.8}, {2.5, 1.25, 3.5}, {-2.4, 1.25, 3.5}};
    plant_pipe(mesh, PIPE_SIDES, way, COUNT(way), PIPE_RADIUS, 8);
    for (int i = 0; i < 2; i++) {
        const double from[3] = {1.2 - 1.6 * i, 1.25, 3.55};
        plant_nozzle(mesh, PIPE_SIDES, from, z_axis, 0.2, 0.06, 8);
    }
    plant_nozzle(mesh, PIPE_SIDES, (const double[]){1.5, 1.25, 1.76}, minus_z, 0.2, 0.06, 8);
    /* A plate that points along the flow: five corners, and so the odd triangle of the plant. */
    const uint32_t plate = (uint32_t)mesh->point_count;
    static const double corners[5][2] = {{1.5, 1.88}, {1.7, 1.88}, {1.76, 1.91}, {1.7, 1.94}, {1.5, 1.94}};
    for (int i = 0; i < 5; i++) {
        models_point(mesh, corners[i][0], 1.15, corners[i][1]);
    }
    models_close_ring(mesh, plate, 5, 1);
    mesh->surface++;
}

/* From the vessel down to the pump, with a drain. */
static void make_spool(models_mesh *mesh)
{
    static const double way[][3] = {{-0.5, 0, 1.2}, {0.05, 0, 1.2}, {0.05, 0, 0.5}, {0.47, 0, 0.5}};
    plant_pipe(mesh, PIPE_SIDES, way, COUNT(way), PIPE_RADIUS, 8);
    plant_nozzle(mesh, PIPE_SIDES, (const double[]){-0.03, 0, 0.85}, minus_x, 0.15, 0.05, 8);
    for (int i = 0; i < 2; i++) { /* clamps */
        add_box(mesh, 0.05, 0, 0.72 + 0.1 * i, 0.12, 0.12, 0.015);
    }
}

/* From the top of the vessel over to the exchanger. */
static void make_bridge(models_mesh *mesh)
{
    static const double way[][3] = {
        {-1.6, 0, 3.6}, {-1.6, 0, 4.3}, {-1.6, -1.1, 4.3}, {0.8, -1.1, 4.3}, {0.8, -1.1, 3.2}};
    plant_pipe(mesh, PIPE_SIDES, way, COUNT(way), PIPE_RADIUS, 8);
    plant_nozzle(mesh, PIPE_SIDES, (const double[]){-0.5, -1.1, 4.36}, z_axis, 0.12, 0.05, 8);
    for (int i = 0; i < 3; i++) { /* hangers */
        add_box(mesh, -1.1 + 0.6 * i, -1.1, 4.25, 0.02, 0.11, 0.16);
    }
}

void plant_make_part(models_mesh *mesh, int part)
{
    static void (*const makers[MODELS_PLANT_PARTS])(models_mesh *) = {
        make_frame, make_vessel, make_exchanger, make_pump, make_valve, make_header, make_spool, make_bridge};
    makers[part](mesh);
}
