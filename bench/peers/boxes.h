/* Boxes that fly about in a cube, for the broad phases.
 *
 * All coordinates are multiples of a power of two that float holds exactly; low ends are even multiples and high ends
 * odd ones, so no two boxes ever just touch. All libraries see the same numbers, whatever they round, and should report
 * the same pairs. */
#ifndef TUMBLE_BENCH_PEERS_BOXES_H
#define TUMBLE_BENCH_PEERS_BOXES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct broad_box {
    float low[3], high[3];
} broad_box;

typedef enum box_law {
    BOX_LAW_EQUAL,  /* cubes of one size */
    BOX_LAW_VARIOUS /* cubes with sides 1 + 99 x^10, x uniform */
} box_law;

typedef struct flying_boxes {
    broad_box *boxes;
    size_t count;
    /* In multiples of `unit`. */
    int32_t (*low)[3], (*velocity)[3], *side;
    int32_t room; /* side of the cube */
    double unit;
} flying_boxes;

/* So many in a cube in which they have about one pair each. A step moves each by `speed` of its side in a random
 * direction; at the walls they turn back. */
flying_boxes flying_boxes_make(box_law law, size_t count, double speed, uint64_t seed);
void flying_boxes_step(flying_boxes *flying);
void flying_boxes_step_some(flying_boxes *flying, const uint32_t *which, size_t count);
void flying_boxes_free(flying_boxes *flying);

#ifdef __cplusplus
}
#endif

#endif
