/* A pump house: a hall with a frame, four pumps, pipes, a duct and a cable tray. */
#include "pump_house.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"

enum {
    FRAMES = 5,
    PUMPS = 4
};

static const double frame_step = 2800, pump_step = 2800, side = 2700, eaves = 3600;

static uint32_t add_box(models_house *house, double x, double y, double z)
{
    const double lower[3] = {-x / 2, -y / 2, -z / 2}, upper[3] = {x / 2, y / 2, z / 2};
    models_add_aligned_box(&house->shapes[house->shape_count], lower, upper);
    return (uint32_t)house->shape_count++;
}

/* Its longest side is `size`. */
static uint32_t add_shape(models_house *house, const char *name, double detail, double second, double size)
{
    const models_shape *shape = models_find_shape(name);
    models_mesh *mesh = &house->shapes[house->shape_count];
    double values[MODELS_PARAMETERS];
    models_defaults(shape, values);
    values[0] = detail;
    values[1] = second > 0 ? second : values[1];
    shape->make(mesh, values);
    models_fit(mesh, size, 0);
    return (uint32_t)house->shape_count++;
}

typedef struct kind {
    uint32_t shape;
    const char *tree, *class_name, *material;
} kind;

/* Turns the shape's z to `axis`: 0, 1, 2 for x, y, z. */
static void add(models_house *house, const kind *k, int axis, double x, double y, double z, const char *format, ...)
    __attribute__((format(printf, 7, 8)));

static void add(models_house *house, const kind *k, int axis, double x, double y, double z, const char *format, ...)
{
    static const double turns[3][3][3] = {
        {{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}, {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    if (house->part_count == MODELS_HOUSE_PARTS) {
        house->failed = 1;
        return;
    }
    models_house_part *part = &house->parts[house->part_count++];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(part->name, sizeof part->name, format, arguments);
    va_end(arguments);
    snprintf(part->path, sizeof part->path, "pump house/%s/%s", k->tree, part->name);
    part->class_name = k->class_name;
    part->material = k->material;
    part->shape = k->shape;
    const double shift[3] = {x, y, z};
    for (int i = 0; i < 3; i++) {
        memcpy(part->pose.m[i], turns[axis][i], sizeof turns[axis][i]);
        part->pose.m[i][3] = shift[i];
    }
}

/* Columns stand on the floor, beams lie on columns, purlins on beams: they touch. */
static void add_frame(models_house *house)
{
    const kind floor = {add_box(house, 12400, 6000, 200), "structure", "IfcSlab", "concrete"},
               column = {add_box(house, 200, 200, eaves), "structure/frame", "IfcColumn", "steel"},
               beam = {add_box(house, 180, 300, 5800), "structure/frame", "IfcBeam", "steel"},
               purlin = {add_box(house, 160, 120, 11800), "structure/roof", "IfcMember", "steel"};
    add(house, &floor, 2, 0, 0, -100, "floor");
    for (int i = 0; i < FRAMES; i++) {
        const double x = frame_step * (i - 2);
        add(house, &column, 2, x, -side, eaves / 2, "column %dA", i + 1);
        add(house, &column, 2, x, side, eaves / 2, "column %dB", i + 1);
        add(house, &beam, 1, x, 0, eaves + 150, "beam %d", i + 1);
    }
    for (int i = 0; i < 4; i++) {
        add(house, &purlin, 0, 0, -2400 + 1600 * i, eaves + 380, "purlin %d", i + 1);
    }
}

/* Pump 3 has no bolt holes in its base: its bolts cross it. The gear of pump 1 was left inside its solid housing. Its
 * flange is there twice. */
static void add_pumps(models_house *house)
{
    const kind base = {add_box(house, 1000, 800, 60), "machines", "IfcDiscreteAccessory", "steel"},
               housing = {add_box(house, 500, 600, 500), "machines", "IfcPump", "cast iron"},
               motor = {add_shape(house, "cylinder", 32, 4, 480), "machines", "IfcElectricMotor", "cast iron"},
               bolt = {add_shape(house, "bolt", 16, 0, 160), "machines/bolts", "IfcMechanicalFastener", "steel"},
               gear = {add_shape(house, "gear", 6, 0, 400), "machines", "IfcDiscreteAccessory", "steel"},
               flange = {add_shape(house, "torus", 16, 0.3, 260), "heating", "IfcPipeFitting", "steel"},
               riser = {add_shape(house, "cylinder", 24, 44, 2200), "heating", "IfcPipeSegment", "steel"};
    for (int i = 0; i < PUMPS; i++) {
        const double x = pump_step * (i - 1.5);
        add(house, &base, 2, x, -1500, 30, "base of pump %d", i + 1);
        add(house, &housing, 2, x - 200, -1500, 310, "pump %d", i + 1);
        add(house, &motor, 0, x + 290, -1500, 180, "motor %d", i + 1);
        for (int k = 0; k < 4 && i == 2; k++) {
            add(house, &bolt, 2, x + (k & 1 ? 440 : -440), -1500 + (k & 2 ? 340 : -340), 110, "bolt %d of pump %d",
                k + 1, i + 1);
        }
        add(house, &riser, 2, x - 200, -1500, 560 + 1100, "riser %d", i + 1);
        for (int k = 0; k < (i == 0 ? 2 : 1); k++) {
            add(house, &flange, 2, x - 200, -1500, 1600, "flange %d", i + 1);
        }
    }
    add(house, &gear, 2, -pump_step * 1.5 - 200, -1500, 310, "gear");
}

/* The header lies 12 mm above the risers. The return pipe runs through all beams, the duct through one side's columns
 * and the drain; the tray hangs 15 mm below the beams. */
static void add_services(models_house *house)
{
    const kind header = {add_shape(house, "cylinder", 32, 160, 11200), "heating", "IfcPipeSegment", "steel"},
               duct = {add_box(house, 500, 350, 11600), "air", "IfcDuctSegment", "sheet metal"},
               tray = {add_box(house, 60, 300, 11600), "cables", "IfcCableCarrierSegment", "sheet metal"},
               drain = {add_shape(house, "cylinder", 24, 60, 3400), "water", "IfcPipeSegment", "plastic"},
               damper = {add_shape(house, "spring", 8, 6, 380), "machines", "IfcVibrationDamper", "steel"};
    add(house, &header, 0, 0, -1500, 2760 + 12 + 70, "header");
    add(house, &header, 0, 0, 300, eaves + 120, "return pipe");
    add(house, &duct, 0, 0, side - 200, 2900, "duct");
    add(house, &tray, 0, 0, 1500, eaves - 45, "cable tray");
    for (int i = 0; i < 2; i++) {
        add(house, &drain, 2, -2100 + 4200 * i, side - 250, 1700, "drain %d", i + 1);
        add(house, &damper, 2, -1400 + 2800 * i, 600, 190, "damper %d", i + 1);
    }
}

int models_make_house(models_house *house)
{
    *house = (models_house){.parts = calloc(MODELS_HOUSE_PARTS, sizeof *house->parts)};
    if (house->parts) {
        add_frame(house);
        add_pumps(house);
        add_services(house);
    }
    int failed = !house->parts || house->failed;
    for (size_t i = 0; i < house->shape_count; i++) {
        failed |= house->shapes[i].failed;
    }
    if (failed) {
        models_free_house(house);
    }
    return !failed;
}

void models_free_house(models_house *house)
{
    for (size_t i = 0; i < house->shape_count; i++) {
        models_free(&house->shapes[i]);
    }
    free(house->parts);
    *house = (models_house){0};
}
