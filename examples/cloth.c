/* A sheet that waves over a ring: its polygons stay the same while its points move. The model is built once and then
 * deformed frame by frame, into the same memory. Usage: cloth [FRAMES] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <tumble/tumble.h>

#include "shapes.h"

#define SIDE 100 /* squares along a side of the sheet */

typedef struct cloth {
    double points[SIDE + 1][SIDE + 1][3];
    uint32_t corners[SIDE][SIDE][2][3];
} cloth;

/* Waves run along the sheet, whose lowest points come down to just below the top of the ring. */
static void move_cloth(cloth *c, double time)
{
    for (int i = 0; i <= SIDE; i++) {
        for (int j = 0; j <= SIDE; j++) {
            double *p = c->points[i][j];
            p[0] = 4.0 * i / SIDE - 2;
            p[1] = 4.0 * j / SIDE - 2;
            p[2] = 0.5 + 0.15 * sin(5 * p[0] + 7 * time) + 0.15 * sin(3 * p[1] - 4 * time);
        }
    }
}

static void connect_cloth(cloth *c)
{
    for (uint32_t i = 0; i < SIDE; i++) {
        for (uint32_t j = 0; j < SIDE; j++) {
            const uint32_t a = i * (SIDE + 1) + j, b = a + SIDE + 1;
            const uint32_t both[2][3] = {{a, b, b + 1}, {a, b + 1, a + 1}};
            for (int k = 0; k < 6; k++) {
                c->corners[i][j][k / 3][k % 3] = both[k / 3][k % 3];
            }
        }
    }
}

static tumble_mesh cloth_mesh(const cloth *c)
{
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = &c->points[0][0][0];
    mesh.point_count = (SIDE + 1) * (SIDE + 1);
    mesh.indices = &c->corners[0][0][0][0];
    mesh.index_count = SIDE * SIDE * 6;
    return mesh;
}

/* Deforms and asks, `frames` times; a line for every tenth. */
static tumble_status run_frames(tumble_query *query, const tumble_model *ring, const tumble_model *sheet, cloth *c,
                                long frames)
{
    const tumble_mesh mesh = cloth_mesh(c);
    tumble_model *frame = NULL; /* made by the first call, used again by the others */
    tumble_status status = TUMBLE_OK;
    for (long i = 0; status == TUMBLE_OK && i < frames; i++) {
        tumble_collide_result result;
        move_cloth(c, 0.01 * (double)i);
        status = tumble_model_deform(sheet, &mesh, &frame);
        if (status == TUMBLE_OK) {
            status = tumble_collide(query, ring, NULL, frame, NULL, NULL, &result);
        }
        if (status == TUMBLE_OK && i % 10 == 0) {
            printf("frame %3ld: %llu pairs\n", i, (unsigned long long)result.pair_count);
        }
    }
    tumble_model_destroy(frame);
    return status;
}

int main(int argc, char **argv)
{
    const long frames = argc > 1 ? strtol(argv[1], NULL, 10) : 100;
    static cloth c;
    shape torus;
    tumble_context *context = NULL;
    tumble_model *ring = NULL, *sheet = NULL;
    tumble_query *query = NULL;
    if (!make_torus(&torus, 100)) {
        return 1;
    }
    move_cloth(&c, 0);
    connect_cloth(&c);
    const tumble_mesh ring_mesh = shape_mesh(&torus), sheet_mesh = cloth_mesh(&c);
    tumble_status status = tumble_context_create(NULL, &context);
    if (status == TUMBLE_OK && (status = tumble_query_create(context, &query)) == TUMBLE_OK &&
        (status = tumble_model_create(context, &ring_mesh, NULL, &ring)) == TUMBLE_OK &&
        (status = tumble_model_create(context, &sheet_mesh, NULL, &sheet)) == TUMBLE_OK) {
        status = run_frames(query, ring, sheet, &c, frames);
    }
    if (status != TUMBLE_OK) {
        char text[512];
        tumble_last_error(context, text, sizeof text);
        fprintf(stderr, "%s: %s\n", tumble_status_name(status), text);
    }
    tumble_query_destroy(query);
    tumble_model_destroy(sheet);
    tumble_model_destroy(ring);
    tumble_context_destroy(context);
    free_shape(&torus);
    return status != TUMBLE_OK;
}
