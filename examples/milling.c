/* Is a part gouged along a tool's path, where, and what remains as clearance? The path is made of lines and arcs, which
 * are motions: every real time of them counts, not only poses. The tool is a ball, a capsule, a cylinder with its
 * holder as a mesh, or any other model. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tumble/tumble.h>

#include "shapes.h"

enum {
    ROWS = 30,
    LINES = 40,
    MOVES = ROWS * (LINES + 1) - 1
};

static tumble_context *context;
static tumble_query *query;

static void fail_if(tumble_status status)
{
    if (status != TUMBLE_OK) {
        char text[512] = "";
        tumble_last_error(context, text, sizeof text);
        fprintf(stderr, "milling: %s\n", text);
        exit(1);
    }
}

/* The height of the tool's tip over the torus: a little above it, but too deep on one of the rows. */
static double height(int row, double x, double y)
{
    const double from_ring = hypot(x, y) - 0.75, ring = 0.0625 - from_ring * from_ring;
    return (ring > 0 ? sqrt(ring) : 0) + (row == 12 && x > 0.5 && x < 0.7 ? -0.01 : 0.2);
}

/* Rows of lines, and half circles from each row to the next. */
static void make_path(tumble_motion *moves)
{
    const double step = 2.4 / LINES, across = 2.4 / ROWS;
    size_t count = 0;
    for (int row = 0; row < ROWS; row++) {
        const double way = row % 2 ? -1 : 1, y = across * row - 1.2;
        double x = -1.2 * way, z = height(row, x, y);
        for (int i = 0; i < LINES; i++) {
            tumble_motion *line = &moves[count++];
            const double to = height(row, x + way * step, y);
            *line = tumble_motion_still(NULL);
            line->from.m[0][3] = x, line->from.m[1][3] = y, line->from.m[2][3] = z;
            line->translation[0] = way * step, line->translation[2] = to - z;
            x += way * step, z = to;
        }
        if (row + 1 < ROWS) {
            tumble_motion *arc = &moves[count++];
            *arc = tumble_motion_still(NULL); /* the tool is round: that an arc turns it does not matter */
            arc->from.m[0][3] = x, arc->from.m[1][3] = y, arc->from.m[2][3] = z;
            arc->translation[2] = height(row + 1, x, y + across) - z;
            arc->point[0] = x, arc->point[1] = y + 0.5 * across;
            arc->angle = way * 3.14159265358979323846;
        }
    }
}

static void check(const char *name, const tumble_model *part, const tumble_model *tool, const tumble_path *path)
{
    tumble_contact_intervals_result gouges;
    fail_if(tumble_path_contact_intervals(query, part, NULL, tool, path, NULL, &gouges));
    for (size_t i = 0; i < gouges.interval_count; i++) {
        const tumble_contact_interval *at = &gouges.intervals[i];
        printf("%s: cuts into polygon %u of the part from move %.2f to move %.2f\n", name, at->pair.polygon_a,
               at->touching_at, at->touching_until);
    }
    if (gouges.interval_count == 0) {
        tumble_clearance_along_result close;
        fail_if(tumble_path_clearance(query, part, NULL, tool, path, NULL, &close));
        printf("%s: stays %.4f away, closest at move %.2f\n", name, close.lower, close.time);
    }
}

int main(void)
{
    static tumble_motion moves[MOVES];
    const double centre[3] = {0, 0, 0.1}, top[3] = {0, 0, 0.6};
    tumble_model *part, *ball, *capsule, *small;
    shape ring;
    if (!make_torus(&ring, 200)) {
        return 1;
    }
    const tumble_mesh mesh = shape_mesh(&ring);
    fail_if(tumble_context_create(NULL, &context));
    fail_if(tumble_query_create(context, &query));
    fail_if(tumble_model_create(context, &mesh, NULL, &part));
    fail_if(tumble_model_create_ball(context, centre, 0.1, NULL, &ball));
    fail_if(tumble_model_create_capsule(context, centre, top, 0.1, NULL, &capsule));
    fail_if(tumble_model_create_ball(context, centre, 0.05, NULL, &small));
    make_path(moves);
    const tumble_path path = {.pieces = moves, .piece_count = MOVES};
    printf("%d moves over a part of %zu triangles\n", MOVES, ring.triangle_count);
    check("ball", part, ball, &path);
    check("capsule", part, capsule, &path);
    check("smaller ball", part, small, &path);
    tumble_model_destroy(part);
    tumble_model_destroy(ball);
    tumble_model_destroy(capsule);
    tumble_model_destroy(small);
    tumble_query_destroy(query);
    tumble_context_destroy(context);
    free_shape(&ring);
    return 0;
}
