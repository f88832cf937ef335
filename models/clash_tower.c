/* A tower of rooms. In each room four rods lie side by side and a fifth runs through a ring: slanted and turned by an
 * angle of the room's own, so that boxes overlap where nothing meets. In a corner of many rooms a clash is planted. */
#include "clash_tower.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"

enum {
    RODS = 5,
    ROOM_PARTS = RODS + 1,
    MOST_PLANTED = 2,
    FLOOR_ROOMS = 100, /* ten by ten rooms on a storey */
    BODIES = 6         /* shapes that are no rods or rings */
};

enum {
    CUBE,  /* 4 long */
    LARGE, /* 8 long */
    SMALL, /* 2 long */
    PLATE, /* 12 by 12 by 1 */
    PIN,   /* a rod of length 6 */
    SHEET  /* a square without thickness */
};

static const double room_size[3] = {100, 40, 36}, slant = 0x1.921fb54442d18p-1;

/* ---- shapes ---- */

/* A closed tube around z, or a ring: `count` sides, `steps` pieces. */
static void add_rod(models_mesh *mesh, double radius, double length, uint32_t count, uint32_t steps)
{
    const double tau = 0x1.921fb54442d18p+2;
    const uint32_t bottom = models_point(mesh, 0, 0, -length / 2), top = models_point(mesh, 0, 0, length / 2);
    const uint32_t first = top + 1;
    for (uint32_t i = 0; i <= steps; i++) {
        for (uint32_t j = 0; j < count; j++) {
            models_point(mesh, radius * cos(tau * j / count), radius * sin(tau * j / count),
                         length * ((double)i / steps - 0.5));
        }
    }
    for (uint32_t j = 0; j < count; j++) {
        const uint32_t next = (j + 1) % count, last = first + steps * count;
        models_triangle(mesh, bottom, first + next, first + j);
        models_triangle(mesh, top, last + j, last + next);
        for (uint32_t i = 0; i < steps; i++) {
            const uint32_t row = first + i * count;
            models_quad(mesh, row + j, row + next, row + count + next, row + count + j);
        }
    }
}

static void add_ring(models_mesh *mesh, double radius, double thickness, uint32_t count, uint32_t steps)
{
    const double tau = 0x1.921fb54442d18p+2;
    for (uint32_t i = 0; i < steps; i++) {
        for (uint32_t j = 0; j < count; j++) {
            const double from_axis = radius + thickness * cos(tau * j / count);
            models_point(mesh, from_axis * cos(tau * i / steps), from_axis * sin(tau * i / steps),
                         thickness * sin(tau * j / count));
        }
    }
    for (uint32_t i = 0; i < steps; i++) {
        for (uint32_t j = 0; j < count; j++) {
            const uint32_t a = i * count, b = (i + 1) % steps * count, next = (j + 1) % count;
            models_quad(mesh, a + j, b + j, b + next, a + next);
        }
    }
}

static void add_box(models_mesh *mesh, double x, double y, double z)
{
    const double lower[3] = {0, 0, 0}, upper[3] = {x, y, z};
    models_add_aligned_box(mesh, lower, upper);
}

/* No two rods or rings are the same: their sizes differ a little. */
static void make_shapes(models_tower *tower, const models_tower_options *options)
{
    models_mesh *shapes = tower->shapes;
    add_box(&shapes[CUBE], 4, 4, 4);
    add_box(&shapes[LARGE], 8, 8, 8);
    add_box(&shapes[SMALL], 2, 2, 2);
    add_box(&shapes[PLATE], 12, 12, 1);
    add_rod(&shapes[PIN], 1, 6, 12, 2);
    models_mesh *sheet = &shapes[SHEET];
    const uint32_t corners[4] = {models_point(sheet, 0, 0, 0), models_point(sheet, 3, 0, 0),
                                 models_point(sheet, 3, 3, 0), models_point(sheet, 0, 3, 0)};
    models_quad(sheet, corners[0], corners[1], corners[2], corners[3]);
    const uint32_t side = (uint32_t)sqrt((double)options->triangles / 2);
    for (size_t i = BODIES; i < tower->shape_count; i++) {
        const double scale = 1 - 0.2 * (double)(i - BODIES) / (double)tower->shape_count;
        const uint32_t count = (side > 6 ? side : 6) + (uint32_t)(i % 3);
        if (i % 2) {
            add_ring(&shapes[i], 8, scale, count, count);
        } else {
            add_rod(&shapes[i], scale, 22, count, count);
        }
    }
    for (size_t i = 0; i < tower->shape_count; i++) {
        tower->failed |= shapes[i].failed;
    }
}

/* ---- rooms ---- */

static uint32_t add_part(models_tower *tower, size_t room, const char *name, const char *class_name, uint32_t shape,
                         const double rotation[9], const double place[3])
{
    models_tower_part *part = &tower->parts[tower->part_count];
    snprintf(part->name, sizeof part->name, "room %zu/%s", room, name);
    part->class_name = class_name;
    part->shape = shape;
    for (int i = 0; i < 12; i++) {
        part->transform[i] = i % 4 == 3 ? place[i / 4] : rotation[3 * (i / 4) + i % 4];
    }
    tower->triangle_count += models_triangle_count(&tower->shapes[shape]);
    return (uint32_t)tower->part_count++;
}

/* Slanted about x, then turned about z. */
static void turn(double angle, double out[9])
{
    const double c = cos(angle), s = sin(angle), d = cos(slant), t = sin(slant);
    const double rotation[9] = {c, -s * d, s * t, s, c * d, -c * t, 0, t, d};
    memcpy(out, rotation, sizeof rotation);
}

static uint32_t pick(models_random *random, const models_tower *tower, int is_ring)
{
    const uint64_t count = (tower->shape_count - BODIES) / 2;
    return (uint32_t)(BODIES + 2 * (models_random_bits(random) % count) + (is_ring != 0));
}

static void furnish(models_tower *tower, size_t room, const double corner[3], models_random *random)
{
    double rotation[9];
    turn(models_random_range(random, 0, 6.25), rotation);
    for (int i = 0; i < RODS; i++) {
        char name[16];
        const double shift = i < 4 ? 3 * i - 4.5 : 0;
        const double place[3] = {corner[0] + (i < 4 ? 16 : 48) + rotation[0] * shift,
                                 corner[1] + 16 + rotation[3] * shift, corner[2] + 16};
        snprintf(name, sizeof name, "rod %d", i + 1);
        add_part(tower, room, name, "IfcPipeSegment", pick(random, tower, 0), rotation, place);
    }
    const double place[3] = {corner[0] + 48, corner[1] + 16, corner[2] + 16};
    add_part(tower, room, "ring", "IfcFlange", pick(random, tower, 1), rotation, place);
}

/* Two parts, and how the second one lies to the first. */
typedef struct planted {
    tumble_clash_kind kind;
    uint32_t shapes[2];
    double shift[3];
} planted;

static const planted plants[] = {
    {TUMBLE_CLASH_CROSSING, {CUBE, CUBE}, {3, 1, 1}},    {TUMBLE_CLASH_CROSSING, {PLATE, PIN}, {6, 6, 0.5}},
    {TUMBLE_CLASH_CONTAINED, {LARGE, SMALL}, {3, 3, 2}}, {TUMBLE_CLASH_TOUCHING, {CUBE, CUBE}, {4, 1, -2}},
    {TUMBLE_CLASH_TOUCHING, {LARGE, SMALL}, {8, 8, 8}},  {TUMBLE_CLASH_CLEARANCE, {CUBE, LARGE}, {4.25, 0, 0}},
    {TUMBLE_CLASH_DUPLICATE, {LARGE, LARGE}, {0, 0, 0}}, {TUMBLE_CLASH_UNDEFINED, {LARGE, SHEET}, {2, 2, 8}}};

enum {
    PLANTS = sizeof plants / sizeof *plants
};

static void plant(models_tower *tower, size_t room, const double corner[3], const planted *p)
{
    static const double upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double at[3] = {corner[0] + 72, corner[1] + 8, corner[2] + 8};
    const double beside[3] = {at[0] + p->shift[0], at[1] + p->shift[1], at[2] + p->shift[2]};
    models_tower_clash *clash = &tower->clashes[tower->clash_count++];
    clash->a = add_part(tower, room, "first", "IfcBuildingElementProxy", p->shapes[0], upright, at);
    clash->b = add_part(tower, room, "second", "IfcBuildingElementProxy", p->shapes[1], upright, beside);
    clash->kind = p->kind;
}

/* Every fourth room has a clash, of all kinds in turn. */
static void make_rooms(models_tower *tower, const models_tower_options *options)
{
    models_random random = {options->seed};
    for (size_t room = 0; tower->part_count + ROOM_PARTS + MOST_PLANTED <= options->parts; room++) {
        const size_t row = room / 10 % 10, storey = room / FLOOR_ROOMS;
        const double corner[3] = {room_size[0] * (double)(room % 10), room_size[1] * (double)row,
                                  room_size[2] * (double)storey};
        furnish(tower, room, corner, &random);
        if (room % 4 == 0) {
            plant(tower, room, corner, &plants[room / 4 % PLANTS]);
        }
    }
}

void models_free_tower(models_tower *tower)
{
    for (size_t i = 0; tower->shapes && i < tower->shape_count; i++) {
        models_free(&tower->shapes[i]);
    }
    free(tower->shapes);
    free(tower->parts);
    free(tower->clashes);
    *tower = (models_tower){0};
}

int models_make_tower(models_tower *tower, const models_tower_options *options)
{
    const size_t shapes = options->shapes > 16 ? options->shapes - options->shapes % 2 : 16;
    *tower = (models_tower){.shape_count = shapes};
    tower->shapes = calloc(shapes, sizeof *tower->shapes);
    tower->parts = malloc((options->parts + 1) * sizeof *tower->parts);
    tower->clashes = malloc((options->parts / ROOM_PARTS + 1) * sizeof *tower->clashes);
    if (!tower->shapes || !tower->parts || !tower->clashes) {
        models_free_tower(tower);
        return 0;
    }
    make_shapes(tower, options);
    make_rooms(tower, options);
    if (tower->failed) {
        models_free_tower(tower);
        return 0;
    }
    return 1;
}
