/* A part along a path: where does it first touch, and between which points? Models are built once; each pose is a
 * query. Usage: path [STEPS] */
#include <stdio.h>
#include <stdlib.h>

#include "models.h"
#include "tumble/tumble.h"

static void report(tumble_context *context)
{
    char text[512];
    const tumble_status status = tumble_last_error(context, text, sizeof text);
    fprintf(stderr, "%s: %s\n", tumble_status_name(status), text);
}

/* The first pose at which the part touches, with one contact; the path's length when there is none. */
static tumble_status find_first(tumble_context *context, const models_demo *demo, const tumble_model *housing,
                                const tumble_model *part, size_t *step, tumble_contact *contact)
{
    tumble_query *query = NULL;
    tumble_status status = tumble_query_create(context, &query);
    tumble_collide_options options = tumble_default_collide_options();
    options.mode = TUMBLE_COLLIDE_FIRST;
    options.want_contacts = 1;
    options.contacts = contact;
    options.contact_capacity = 1;
    tumble_collide_result result = {.size = sizeof result};
    for (*step = 0; status == TUMBLE_OK && *step < demo->path_length; ++*step) {
        status = tumble_collide(query, housing, NULL, part, &demo->path[*step], &options, &result);
        if (result.collide) {
            break;
        }
    }
    tumble_query_destroy(query);
    return status;
}

int main(int argc, char **argv)
{
    const size_t steps = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 100;
    models_demo demo;
    tumble_context *context = NULL;
    if (!models_make_demo(&demo, steps) || tumble_context_create(NULL, &context) != TUMBLE_OK) {
        return 1;
    }
    const tumble_mesh housing_mesh = models_view(&demo.housing), part_mesh = models_view(&demo.part);
    tumble_model *housing = NULL, *part = NULL;
    size_t step = 0;
    tumble_contact contact;
    int failed = tumble_model_create(context, &housing_mesh, NULL, &housing) != TUMBLE_OK ||
                 tumble_model_create(context, &part_mesh, NULL, &part) != TUMBLE_OK ||
                 find_first(context, &demo, housing, part, &step, &contact) != TUMBLE_OK;
    if (failed) {
        report(context);
    } else if (step == demo.path_length) {
        printf("no contact at any of %zu poses\n", demo.path_length);
    } else {
        printf("pose %zu: polygon %u of the housing meets polygon %u of the part near (%.3f, %.3f, %.3f)\n", step,
               contact.polygon_a, contact.polygon_b, contact.points[0][0], contact.points[0][1], contact.points[0][2]);
    }
    tumble_model_destroy(part);
    tumble_model_destroy(housing);
    tumble_context_destroy(context);
    models_free_demo(&demo);
    return failed;
}
