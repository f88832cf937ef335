/* A part along a path: where does it first touch, and between which points? Models are built once; each pose is a
 * query. A small ring is threaded through a large one, not quite in the middle. Usage: path [STEPS] */
#include <stdio.h>
#include <stdlib.h>

#include <tumble/tumble.h>

#include "shapes.h"

static void report(tumble_context *context)
{
    char text[512];
    const tumble_status status = tumble_last_error(context, text, sizeof text);
    fprintf(stderr, "%s: %s\n", tumble_status_name(status), text);
}

/* A third of the size, upright, from above to below. */
static tumble_pose pose_of_part(size_t step, size_t steps)
{
    const double share = (double)step / (double)steps;
    return (tumble_pose){{{0.33, 0, 0, 0.5 * share}, {0, 0, -0.33, 0}, {0, 0.33, 0, 1 - 2 * share}}};
}

/* The first pose at which the part touches, with one contact; `steps` when there is none. */
static tumble_status find_first(tumble_context *context, const tumble_model *ring, const tumble_model *part,
                                size_t steps, size_t *step, tumble_contact *contact)
{
    tumble_query *query = NULL;
    tumble_status status = tumble_query_create(context, &query);
    tumble_collide_options options = tumble_default_collide_options();
    options.mode = TUMBLE_FIRST;
    options.want_contacts = true;
    tumble_collide_result result;
    for (*step = 0; status == TUMBLE_OK && *step < steps; ++*step) {
        const tumble_pose pose = pose_of_part(*step, steps);
        status = tumble_collide(query, ring, NULL, part, &pose, &options, &result);
        if (status == TUMBLE_OK && result.collide) {
            *contact = result.contacts[0];
            break;
        }
    }
    tumble_query_destroy(query);
    return status;
}

int main(int argc, char **argv)
{
    const size_t steps = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 100;
    shape torus;
    tumble_context *context = NULL;
    tumble_model *ring = NULL; /* serves as the part, too */
    size_t step = 0;
    tumble_contact contact;
    if (!make_torus(&torus, 100)) {
        return 1;
    }
    const tumble_mesh mesh = shape_mesh(&torus);
    const int failed = tumble_context_create(NULL, &context) != TUMBLE_OK ||
                       tumble_model_create(context, &mesh, NULL, &ring) != TUMBLE_OK ||
                       find_first(context, ring, ring, steps, &step, &contact) != TUMBLE_OK;
    if (failed) {
        report(context);
    } else if (step == steps) {
        printf("no contact at any of %zu poses\n", steps);
    } else {
        printf("pose %zu: polygon %u of the ring meets polygon %u of the part near (%.3f, %.3f, %.3f)\n", step,
               contact.polygon_a, contact.polygon_b, contact.points[0][0], contact.points[0][1], contact.points[0][2]);
    }
    tumble_model_destroy(ring);
    tumble_context_destroy(context);
    free_shape(&torus);
    return failed;
}
