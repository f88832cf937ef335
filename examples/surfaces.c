/* Which smooth pieces of two wheels touch? The mesh brings no surfaces, so its parts are found first: pieces that end
 * where it bends by more than 30 degrees. */
#include <stdio.h>

#include <tumble/tumble.h>

#include "shapes.h"

enum {
    TEETH = 24,
    SHOWN = 5 /* pairs */
};

static int ask(tumble_query *query, const tumble_model *wheel)
{
    const tumble_pose beside = {{{1, 0, 0, 1.8}, {0, 1, 0, 0}, {0, 0, 1, 0.1}}};
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.mode = TUMBLE_SURFACES;
    if (tumble_collide(query, wheel, NULL, wheel, &beside, &options, &result) != TUMBLE_OK) {
        return 0;
    }
    printf("%d pairs of surfaces intersect, after %d tests of triangles\n", (int)result.surface_pair_count,
           (int)result.counters.primitive_tests);
    for (size_t i = 0; i < SHOWN && i < result.surface_pair_count; i++) {
        const tumble_surface_pair *pair = &result.surface_pairs[i];
        printf("    %u and %u, where polygons %u and %u meet\n", pair->surface_a, pair->surface_b, pair->polygon_a,
               pair->polygon_b);
    }
    return result.surface_pair_count > 0;
}

int main(void)
{
    static uint32_t surfaces[32 * TEETH]; /* one per triangle */
    shape gear;
    tumble_context *context = NULL;
    tumble_model *wheel = NULL;
    tumble_query *query = NULL;
    uint32_t count = 0;
    if (!make_wheel(&gear, TEETH)) {
        return 1;
    }
    tumble_mesh mesh = shape_mesh(&gear);
    mesh.surface_ids = surfaces; /* which are written, and then used */
    const int ready = tumble_context_create(NULL, &context) == TUMBLE_OK &&
                      tumble_mesh_components(context, &mesh, 30, surfaces, &count) == TUMBLE_OK &&
                      tumble_model_create(context, &mesh, NULL, &wheel) == TUMBLE_OK &&
                      tumble_query_create(context, &query) == TUMBLE_OK;
    printf("a wheel of %zu triangles in %u pieces\n", gear.triangle_count, count);
    const int found = ready && ask(query, wheel);
    tumble_query_destroy(query);
    tumble_model_destroy(wheel);
    tumble_context_destroy(context);
    free_shape(&gear);
    return !found;
}
