/* The list of all shapes, and making one of a wanted size. */
#include <math.h>
#include <string.h>

#include "build.h"

#define SEED                                               \
    {                                                      \
        "seed", 1, 0, 1e9, 1, "seed of the random numbers" \
    }

static const models_shape shapes[] = {
    {"sphere",
     "sphere from an icosahedron whose faces are cut into detail x detail triangles",
     1,
     {{"detail", 12, 1, 2000, 0, "cuts along an edge; between whole numbers other solids fill the gaps"},
      {"radius", 1, 1e-6, 1e6, 0, "radius"}},
     models_make_sphere,
     models_count_sphere},
    {"uvsphere",
     "sphere from meridians and parallels, with small triangles at the poles",
     1,
     {{"detail", 24, 2, 5000, 0, "stacks; there are twice as many slices"}, {"radius", 1, 1e-6, 1e6, 0, "radius"}},
     models_make_uvsphere,
     models_count_uvsphere},
    {"torus",
     "ring of radius 1",
     1,
     {{"detail", 24, 3, 4000, 0, "sides of the tube"}, {"tube", 0.4, 0.01, 0.99, 0, "radius of the tube"}},
     models_make_torus,
     models_count_torus},
    {"knot",
     "tube along a torus knot",
     1,
     {{"detail", 12, 3, 2000, 0, "sides of the tube"},
      {"around", 2, 1, 50, 1, "times around the axis"},
      {"through", 3, 1, 50, 1, "times through the hole; with no common divisor"},
      {"tube", 0.15, 0.01, 0.35, 0, "radius of the tube"}},
     models_make_knot,
     models_count_knot},
    {"spring",
     "round wire wound into a spring of radius 1",
     1,
     {{"detail", 10, 3, 1500, 0, "sides of the wire"},
      {"turns", 5, 0.1, 1000, 0, "turns"},
      {"pitch", 0.5, 0, 100, 0, "height of a turn"},
      {"wire", 0.15, 0.001, 0.9, 0, "radius of the wire"}},
     models_make_spring,
     models_count_spring},
    {"cylinder",
     "cylinder of radius 1 whose ends are polygons with many corners",
     1,
     {{"detail", 48, 3, 1000000, 0, "sides"}, {"height", 3, 1e-6, 1000, 0, "height"}},
     models_make_cylinder,
     models_count_cylinder},
    {"cone",
     "cone of radius 1 whose base is a polygon with many corners",
     1,
     {{"detail", 48, 3, 1000000, 0, "sides"}, {"height", 2, 1e-6, 1000, 0, "height"}},
     models_make_cone,
     models_count_cone},
    {"box",
     "box whose faces are grids of triangles",
     1,
     {{"detail", 1, 1, 2000, 0, "cuts along an edge"},
      {"x", 1, 1e-6, 1e6, 0, "side along x"},
      {"y", 1, 1e-6, 1e6, 0, "side along y"},
      {"z", 1, 1e-6, 1e6, 0, "side along z"}},
     models_make_box,
     models_count_box},
    {"lattice",
     "bars along all edges of a grid of cubes of side 1: faces in common planes everywhere",
     1,
     {{"detail", 4, 1, 200, 0, "cubes along an edge"}, {"bar", 0.2, 0.001, 0.9, 0, "thickness of the bars"}},
     models_make_lattice,
     models_count_lattice},
    {"gear",
     "gear of radius 1 with hub, rim, thin fins and a web with windows",
     1,
     {{"detail", 12, 1, 1000, 0, "steps around, in sixteens"},
      {"teeth", 0, 0, 5000, 1, "teeth; 0: as many as suit the detail"},
      {"thickness", 0.5, 1e-3, 10, 0, "thickness of the hub"},
      {"taper", 0.45, 0, 0.9, 0, "how much narrower teeth are at their tips"}},
     models_make_gear,
     models_count_gear},
    {"bolt",
     "bolt of radius 1 with a thread and a hexagonal head",
     1,
     {{"detail", 48, 8, 5000, 0, "sides"},
      {"length", 6, 0.5, 100, 0, "length of the thread"},
      {"pitch", 0.5, 0.05, 10, 0, "height of a turn of the thread"}},
     models_make_bolt,
     models_count_bolt},
    {"prism",
     "prism of radius 1 whose ends are polygons with many corners, stars by default",
     1,
     {{"detail", 20, 3, 5000000, 0, "corners of an end"},
      {"height", 0.5, 1e-6, 1e6, 0, "height"},
      {"inner", 0.5, 0.01, 1, 0, "distance of every other corner from the axis; 1: no star"}},
     models_make_prism,
     models_count_prism},
    {"plate",
     "plate of unit squares with a round hole each, from concave polygons",
     1,
     {{"detail", 6, 1, 2000, 0, "squares along a side"},
      {"sides", 16, 4, 4096, 1, "sides of a hole, a multiple of four"},
      {"hole", 0.35, 0.01, 0.49, 0, "radius of the holes"},
      {"thickness", 0.2, 1e-6, 1e6, 0, "thickness"}},
     models_make_plate,
     models_count_plate},
    {"shards",
     "flat concave polygons strewn over a cube of side 1",
     0,
     {{"detail", 500, 1, 20000000, 1, "polygons"},
      {"corners", 9, 3, 1000, 1, "corners of each"},
      {"size", 0.06, 1e-6, 10, 0, "radius"},
      SEED},
     models_make_shards,
     models_count_shards},
    {"soup",
     "unconnected random triangles in a cube of side 1",
     0,
     {{"detail", 2000, 1, 40000000, 1, "triangles"}, {"size", 0.08, 1e-4, 10, 0, "side of the cube around each"}, SEED},
     models_make_soup,
     models_count_soup},
    {"tetrahedra",
     "many small tetrahedra strewn over a cube of side 1",
     1,
     {{"detail", 500, 1, 10000000, 1, "tetrahedra"}, {"size", 0.03, 1e-4, 10, 0, "side of the cube around each"}, SEED},
     models_make_tetrahedra,
     models_count_tetrahedra},
    {"needles",
     "long thin bars across a cube of side 1",
     1,
     {{"detail", 250, 1, 5000000, 1, "bars"}, {"size", 0.005, 1e-4, 10, 0, "thickness"}, SEED},
     models_make_needles,
     models_count_needles},
    {"truss",
     "square masts of thin struts, in random directions through a cube of side 1",
     1,
     {{"detail", 40, 1, 2000000, 1, "bays; a mast has twelve"},
      {"thickness", 0.001, 1e-5, 0.05, 0, "thickness of the struts"},
      SEED},
     models_make_truss,
     models_count_truss},
    {"cables",
     "thin wires in a cube of side 1: sixteen share a trunk and leave it one by one",
     1,
     {{"detail", 40, 1, 2000000, 1, "wires"}, {"thickness", 0.001, 1e-5, 0.01, 0, "thickness of the wires"}, SEED},
     models_make_cables,
     models_count_cables},
    {"terrain",
     "fractal landscape over a square of side 1",
     0,
     {{"detail", 64, 1, 5000, 0, "squares along a side"}, {"height", 0.3, 0, 100, 0, "height"}, SEED},
     models_make_terrain,
     models_count_terrain},
    {"spikes",
     "floor of side 1 with a pyramid of random height on every square",
     1,
     {{"detail", 32, 1, 3000, 0, "squares along a side"}, {"height", 0.5, 1e-6, 100, 0, "greatest height"}, SEED},
     models_make_spikes,
     models_count_spikes},
    {"pipes",
     "pipe runs with bends and flanges through a grid of side 1, as in a plant",
     1,
     {{"detail", 600, 8, 2000000, 1, "rings of points, in all pipes together"},
      {"sides", 12, 3, 200, 1, "sides of a pipe"},
      {"radius", 0.25, 0.01, 0.3, 0, "radius of the thickest pipes"},
      SEED},
     models_make_pipes,
     models_count_pipes},
    {"housing",
     "housing of the demonstration: a block with cooling fins, a cavity, guide slots and a lip",
     1,
     {{"detail", 1, 1, 30, 0, "cells along a step of angle"}},
     models_make_housing,
     models_count_housing},
    {"part",
     "part of the demonstration: a cartridge with a flange, a hexagonal head and ribs",
     1,
     {{"detail", 1, 1, 30, 0, "cells along a step of angle"}},
     models_make_part,
     models_count_part},
    {0}};

const models_shape *models_shapes(void)
{
    return shapes;
}

const models_shape *models_find_shape(const char *name)
{
    for (const models_shape *shape = shapes; shape->name; shape++) {
        if (strcmp(shape->name, name) == 0) {
            return shape;
        }
    }
    return NULL;
}

void models_defaults(const models_shape *shape, double *values)
{
    for (int i = 0; i < MODELS_PARAMETERS; i++) {
        values[i] = shape->parameters[i].name ? shape->parameters[i].value : 0;
    }
}

static double count_with_detail(const models_shape *shape, double *values, double detail)
{
    values[0] = shape->parameters[0].whole ? floor(detail + 0.5) : detail;
    return shape->count(values);
}

/* Counts grow with the detail, in steps: doubling and halving find the step, and the better side of it is taken. */
int models_tune(const models_shape *shape, double *values, size_t triangles)
{
    const models_parameter *detail = &shape->parameters[0];
    if (!shape->count) {
        return 0;
    }
    const double wanted = (double)triangles;
    double low = detail->least, high = low;
    while (high < detail->most && count_with_detail(shape, values, high) < wanted) {
        low = high;
        high = fmin(2 * high, detail->most);
    }
    while (high - low > (detail->whole ? 1 : 1e-9 * high)) {
        const double middle = detail->whole ? floor((low + high) / 2) : low + (high - low) / 2;
        *(count_with_detail(shape, values, middle) < wanted ? &low : &high) = middle;
    }
    const double below = count_with_detail(shape, values, low), above = count_with_detail(shape, values, high);
    count_with_detail(shape, values, fabs(below - wanted) < fabs(above - wanted) ? low : high);
    return 1;
}

int models_make_sized(models_mesh *mesh, const char *name, size_t triangles)
{
    const models_shape *shape = models_find_shape(name);
    double values[MODELS_PARAMETERS];
    memset(mesh, 0, sizeof *mesh);
    if (!shape) {
        return 0;
    }
    models_defaults(shape, values);
    models_tune(shape, values, triangles);
    shape->make(mesh, values);
    if (mesh->failed) {
        models_free(mesh);
        return 0;
    }
    return 1;
}
