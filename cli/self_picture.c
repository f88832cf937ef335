/* The picture of where a model intersects itself. */
#include "self_picture.h"

#include <string.h>

#include "drawing.h"
#include "message.h"
#include "report.h"

/* Draws the model, with one that is empty beside it. */
static int draw_contacts(const cli_self_picture *self, FILE *file, const tumble_model *none,
                         const tumble_self_result *result)
{
    char caption[160], distance[48];
    const char *slash = strrchr(self->one->name, '/');
    const double clearance = self->options.clearance;
    const cli_word pairs = cli_format_number_of(result->pair_count, "pair of polygons", "pairs of polygons");
    snprintf(distance, sizeof distance, "%.6g", clearance);
    snprintf(caption, sizeof caption, "%s of the model %s", result->pair_count ? pairs.text : "no polygons",
             clearance > 0 ? "are too close" : "intersect");
    const cli_picture picture = {.a = self->one->model,
                                 .b = none,
                                 .contacts = result->contacts,
                                 .contact_count = (size_t)result->contact_count,
                                 .subject = clearance > 0 ? CLI_PICTURE_CLEARANCE : CLI_PICTURE_CONTACTS,
                                 .distance = distance,
                                 .view = self->view,
                                 .caption = caption,
                                 .alone = 1,
                                 .title = clearance > 0 ? "Where the model is close to itself"
                                                        : "Where the model intersects itself",
                                 .name_a = slash ? slash + 1 : self->one->name};
    const tumble_status status = cli_picture_write(file, &picture);
    const int reported = status == TUMBLE_OK || status == TUMBLE_ERROR_FILE; /* the latter when the file is closed */
    return reported ? 0 : cli_library_error(self->one->context, status, "the picture");
}

static int draw(void *user, FILE *file)
{
    cli_self_picture *self = user;
    tumble_context *context = self->one->context;
    tumble_query *query = NULL;
    tumble_model *none = NULL;
    tumble_self_result result = {.pair_count = 0};
    const tumble_mesh empty = tumble_default_mesh();
    self->options.mode = TUMBLE_ALL;
    self->options.want_contacts = true;
    tumble_status status = tumble_query_create(context, &query);
    status = status == TUMBLE_OK ? tumble_model_create(context, &empty, NULL, &none) : status;
    status = status == TUMBLE_OK ? tumble_self_collide(query, self->one->model, &self->options, &result) : status;
    const int error = status == TUMBLE_OK ? draw_contacts(self, file, none, &result)
                                          : cli_library_error(context, status, self->one->file);
    tumble_model_destroy(none);
    tumble_query_destroy(query);
    return error;
}

int cli_self_picture_write(const char *path, cli_self_picture *picture)
{
    return cli_drawing_write(path, draw, picture);
}
