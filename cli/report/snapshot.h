/* Pictures of clashing parts: flat shaded, in perspective, from the camera of a viewpoint. */
#ifndef TUMBLE_CLI_SNAPSHOT_H
#define TUMBLE_CLI_SNAPSHOT_H

#include <stddef.h>
#include <stdint.h>

#include "tumble/clash.h"

/* Vectors of length one, perpendicular. */
typedef struct snapshot_camera {
    double eye[3], direction[3], up[3];
    double field; /* of view, upright, in degrees */
    double near;  /* nothing nearer to the eye is drawn */
} snapshot_camera;

typedef struct snapshot_part {
    const tumble_model *model;
    const tumble_pose *pose;
    uint32_t colour; /* 0xRRGGBB */
    int hollow;      /* only what is seen from inside is drawn */
} snapshot_part;

typedef struct snapshot {
    uint32_t width, height;
    snapshot_camera camera;
    const snapshot_part *parts;
    size_t part_count;
    const tumble_clash_segment *const *curves; /* drawn on top, faint where parts hide them */
    const size_t *curve_sizes;
    size_t curve_count;
} snapshot;

/* As a PNG, to be freed. */
tumble_status snapshot_draw(const snapshot *snapshot, uint8_t **png, size_t *size);

#endif
