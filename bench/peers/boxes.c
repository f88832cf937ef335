/* Boxes that fly about in a cube. */
#include "boxes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "models.h"

/* The cube's side in units: float holds them all, and rounding outward moves an end by less than a unit. */
static const double cells = 1 << 20;

static double side_of(box_law law, models_random *random)
{
    return law == BOX_LAW_EQUAL ? 1 : 1 + 99 * pow(models_random_unit(random), 10);
}

/* The mean of (side + side')^3: the volume in which the middle of one box must be for two to overlap. */
static double overlap_volume(box_law law)
{
    static const double various[3] = {10, 1 + 18 + 9801.0 / 21, 1 + 27 + 3 * 9801.0 / 21 + 970299.0 / 31};
    return law == BOX_LAW_EQUAL ? 8 : 2 * various[2] + 6 * various[0] * various[1];
}

static int32_t even(double number)
{
    return 2 * (int32_t)lround(number / 2);
}

static void set_box(flying_boxes *flying, size_t i)
{
    for (int k = 0; k < 3; k++) {
        flying->boxes[i].low[k] = (float)(flying->unit * flying->low[i][k]);
        flying->boxes[i].high[k] = (float)(flying->unit * (flying->low[i][k] + flying->side[i]));
    }
}

static void draw_box(flying_boxes *flying, size_t i, double side, double speed, models_random *random)
{
    const tumble_pose turn = models_random_rotation(random);
    flying->side[i] = even(side) + 1;
    for (int k = 0; k < 3; k++) {
        flying->low[i][k] = even(models_random_unit(random) * (flying->room - flying->side[i] - 2));
        flying->velocity[i][k] = even(speed * side * turn.m[k][0]);
    }
    set_box(flying, i);
}

flying_boxes flying_boxes_make(box_law law, size_t count, double speed, uint64_t seed)
{
    models_random random = {seed};
    flying_boxes flying = {.boxes = bench_allocate(count, sizeof(broad_box)),
                           .count = count,
                           .low = bench_allocate(count, sizeof *flying.low),
                           .velocity = bench_allocate(count, sizeof *flying.velocity),
                           .side = bench_allocate(count, sizeof *flying.side),
                           .room = (int32_t)cells};
    const double least = cells / cbrt(0.5 * (double)count * overlap_volume(law)); /* a side of 1 in units */
    flying.unit = exp2(-round(log2(least)));
    for (size_t i = 0; i < count; i++) {
        draw_box(&flying, i, least * side_of(law, &random), speed, &random);
    }
    return flying;
}

static void move_box(flying_boxes *flying, size_t i)
{
    for (int k = 0; k < 3; k++) {
        const int32_t next = flying->low[i][k] + flying->velocity[i][k];
        if (next < 0 || next + flying->side[i] > flying->room) {
            flying->velocity[i][k] = -flying->velocity[i][k];
        }
        const int32_t place = flying->low[i][k] + flying->velocity[i][k];
        if (place >= 0 && place + flying->side[i] <= flying->room) { /* else too large to move */
            flying->low[i][k] = place;
        }
    }
    set_box(flying, i);
}

void flying_boxes_step(flying_boxes *flying)
{
    for (size_t i = 0; i < flying->count; i++) {
        move_box(flying, i);
    }
}

void flying_boxes_step_some(flying_boxes *flying, const uint32_t *which, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        move_box(flying, which[i]);
    }
}

void flying_boxes_free(flying_boxes *flying)
{
    free(flying->boxes);
    free(flying->low);
    free(flying->velocity);
    free(flying->side);
    memset(flying, 0, sizeof *flying);
}
