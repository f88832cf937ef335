/* Inspects a ring: whether its surface passes through itself after a dent, how thin its wall is there, and how far
 * measured points are from it, inside and out. Usage: inspect [DEPTH OF THE DENT] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <tumble/tumble.h>

#include "shapes.h"

/* Presses the surface down around (0.7, 0, 0). */
static void dent(shape *s, double depth)
{
    for (size_t i = 0; i < s->point_count; i++) {
        double *p = s->points + 3 * i;
        const double away = hypot(p[0] - 0.7, p[1]);
        p[2] -= p[2] > 0 && away < 0.2 ? depth * (1 - away / 0.2) : 0;
    }
}

static tumble_status tell_faults(tumble_query *query, const tumble_model *ring)
{
    tumble_self_result result;
    tumble_self_options options = tumble_default_self_options();
    tumble_status status = tumble_self_collide(query, ring, &options, &result);
    if (status == TUMBLE_OK) {
        printf("%llu pairs of triangles pass through each other or touch\n", (unsigned long long)result.pair_count);
        options.mode = TUMBLE_COUNT, options.clearance = 0.05, options.rings = 2;
        status = tumble_self_collide(query, ring, &options, &result);
    }
    if (status == TUMBLE_OK) {
        printf("%llu pairs of triangles that are no neighbours are within 0.05\n",
               (unsigned long long)result.pair_count);
    }
    return status;
}

static tumble_status tell_distances(tumble_query *query, const tumble_model *ring)
{
    static const double measured[][3] = {{0.7, 0, 0}, {0, 0, 0}, {0, 0.7, 0.31}};
    const size_t count = sizeof measured / sizeof *measured;
    tumble_closest_result result;
    tumble_closest_options options = tumble_default_closest_options();
    options.want_sign = true; /* negative inside */
    const tumble_status status = tumble_closest_points(query, ring, NULL, measured[0], count, &options, &result);
    for (size_t i = 0; i < count && status == TUMBLE_OK; i++) {
        printf("(%g, %g, %g): %+.4f, at triangle %u\n", measured[i][0], measured[i][1], measured[i][2],
               result.closest[i].distance, result.closest[i].polygon);
    }
    return status;
}

static int inspect(double depth)
{
    tumble_context *context;
    tumble_model *ring = NULL;
    tumble_query *query = NULL;
    shape torus;
    if (tumble_context_create(NULL, &context) != TUMBLE_OK) {
        return EXIT_FAILURE;
    }
    tumble_status status = TUMBLE_ERROR_MEMORY;
    if (make_torus(&torus, 64)) {
        dent(&torus, depth);
        const tumble_mesh mesh = shape_mesh(&torus);
        status = tumble_model_create(context, &mesh, NULL, &ring);
        free_shape(&torus);
    }
    status = status == TUMBLE_OK ? tumble_query_create(context, &query) : status;
    status = status == TUMBLE_OK ? tell_faults(query, ring) : status;
    status = status == TUMBLE_OK ? tell_distances(query, ring) : status;
    if (status != TUMBLE_OK) {
        char text[512];
        (void)tumble_last_error(context, text, sizeof text);
        fprintf(stderr, "inspect: %s\n", text);
    }
    tumble_query_destroy(query);
    tumble_model_destroy(ring);
    tumble_context_destroy(context);
    return status == TUMBLE_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    return inspect(argc > 1 ? atof(argv[1]) : 0.65);
}
