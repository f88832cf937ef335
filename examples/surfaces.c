/* Which smooth pieces of two gears touch? The mesh brings no surfaces, so its parts are found first: pieces that end
 * where it bends by more than 30 degrees. */
#include <stdio.h>

#include "models.h"
#include "tumble/tumble.h"

enum {
    ROOM = 5
};

static int ask(tumble_query *query, const tumble_model *gear)
{
    const tumble_pose beside = {{{1, 0, 0, 1.8}, {0, 1, 0, 0}, {0, 0, 1, 0.1}}};
    tumble_surface_pair pairs[ROOM];
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result = {.size = sizeof result};
    options.mode = TUMBLE_COLLIDE_SURFACES;
    options.surface_pairs = pairs;
    options.surface_pair_capacity = ROOM;
    if (tumble_collide(query, gear, NULL, gear, &beside, &options, &result) != TUMBLE_OK) {
        return 0;
    }
    printf("%d pairs of surfaces intersect, after %d tests of triangles\n", (int)result.surface_pair_count,
           (int)result.counters.primitive_tests);
    for (size_t i = 0; i < ROOM && i < result.surface_pair_count; i++) {
        printf("    %u and %u, where polygons %u and %u meet\n", pairs[i].surface_a, pairs[i].surface_b,
               pairs[i].polygon_a, pairs[i].polygon_b);
    }
    return result.surface_pair_count > 0;
}

int main(void)
{
    models_mesh mesh = {0};
    tumble_context *context = NULL;
    tumble_model *gear = NULL;
    tumble_query *query = NULL;
    uint32_t count = 0;
    if (!models_make_sized(&mesh, "gear", 5000)) {
        return 1;
    }
    const tumble_mesh view = models_view(&mesh); /* whose surface ids are written, and then used */
    const int ready = tumble_context_create(NULL, &context) == TUMBLE_OK &&
                      tumble_mesh_components(context, &view, 30, mesh.surface_ids, &count) == TUMBLE_OK &&
                      tumble_model_create(context, &view, NULL, &gear) == TUMBLE_OK &&
                      tumble_query_create(context, &query) == TUMBLE_OK;
    printf("a gear of %zu triangles in %u pieces\n", mesh.polygon_count, count);
    const int found = ready && ask(query, gear);
    tumble_query_destroy(query);
    tumble_model_destroy(gear);
    tumble_context_destroy(context);
    models_free(&mesh);
    return !found;
}
