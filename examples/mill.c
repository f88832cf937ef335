/* A ball-end mill cuts along a path. The cutter is what a ball sweeps along the polyline of its centres: a model with a
 * radius, exact without facets. The part must not be cut; where does the path come too deep, and how close is the rest?
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tumble/tumble.h>

enum {
    STEPS = 400
};

static void fail_if(tumble_status status, const tumble_context *context)
{
    if (status != TUMBLE_OK) {
        char text[512] = "";
        tumble_last_error(context, text, sizeof text);
        fprintf(stderr, "mill: %s\n", text);
        exit(1);
    }
}

/* A spiral down onto the top of the part; in the middle it goes too deep. */
static void make_path(double points[STEPS][3])
{
    for (int i = 0; i < STEPS; i++) {
        const double t = (double)i / (STEPS - 1), angle = 40 * t, reach = 1.5 - 1.4 * t;
        points[i][0] = reach * cos(angle);
        points[i][1] = reach * sin(angle);
        points[i][2] = 0.75 + (t > 0.6 && t < 0.65 ? -0.05 : 0);
    }
}

int main(void)
{
    static double points[STEPS][3];
    const double lower[3] = {-2, -2, -1}, upper[3] = {2, 2, 0.5}, radius = 0.25;
    tumble_context *context;
    tumble_query *query;
    tumble_model *part, *cutter;
    make_path(points);
    fail_if(tumble_context_create(NULL, &context), NULL);
    fail_if(tumble_query_create(context, &query), context);
    fail_if(tumble_model_create_box(context, lower, upper, 0, NULL, &part), context);
    fail_if(tumble_model_create_polyline(context, points[0], STEPS, radius, NULL, &cutter), context);

    /* a finished face may be touched: allow for a thousandth less than the radius */
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result gouges;
    fail_if(tumble_model_set_radius(cutter, radius - 0.001), context);
    fail_if(tumble_collide(query, part, NULL, cutter, NULL, &options, &gouges), context);
    uint32_t first = UINT32_MAX, last = 0;
    for (uint64_t i = 0; i < gouges.pair_count; i++) {
        const uint32_t segment = gouges.pairs[i].polygon_b;
        first = segment < first ? segment : first;
        last = segment > last ? segment : last;
    }
    if (gouges.collide) {
        printf("segments %u to %u of %d cut into the part\n", first, last, STEPS - 1);
    }
    tumble_distance_result near;
    fail_if(tumble_model_set_radius(cutter, 0.1), context); /* a smaller tool on the same path */
    fail_if(tumble_distance(query, part, NULL, cutter, NULL, NULL, &near), context);
    printf("a tool of radius 0.1 stays %.3f away, closest in segment %u\n", near.nearest.distance,
           near.nearest.polygon_b);

    tumble_model_destroy(cutter);
    tumble_model_destroy(part);
    tumble_query_destroy(query);
    tumble_context_destroy(context);
    return 0;
}
