/* The picture of where two models meet at one pose. */
#include "contact_picture.h"

#include "collide.h"
#include "message.h"
#include "report.h"
#include "svg.h"

/* More than a picture can show. */
static const uint64_t most_pairs = 2000000;

int cli_two_picture_write(FILE *file, const cli_contact_picture *contact_picture, cli_picture *picture)
{
    const cli_two_models *two = contact_picture->two;
    const char *names[2];
    cli_short_names(two->names, names);
    picture->a = two->models[0];
    picture->b = two->models[1];
    picture->pose_a = &two->pose_a;
    picture->pose_b = &two->path.poses[contact_picture->step];
    picture->name_a = names[0];
    picture->name_b = names[1];
    picture->view = contact_picture->view;
    const tumble_status status = cli_picture_write(file, picture);
    const int reported = status == TUMBLE_OK || status == TUMBLE_ERROR_FILE; /* the latter when the file is closed */
    return reported ? 0 : cli_library_error(two->context, status, "the picture");
}

/* What the picture shows, in a line. */
static void describe(const cli_contact_picture *contact_picture, uint64_t pairs, char *text, size_t size)
{
    char where[48] = "";
    if (contact_picture->along_path) {
        snprintf(where, sizeof where, "step %zu of the path: ", contact_picture->step);
    }
    if (contact_picture->clearance > 0) {
        const cli_word count = cli_format_number_of(pairs, "pair of polygons is", "pairs of polygons are");
        snprintf(text, size, "%s%s at most %.6g apart", where, pairs ? count.text : "no polygons are",
                 contact_picture->clearance);
    } else {
        const cli_word count =
            cli_format_number_of(pairs, "pair of polygons intersects", "pairs of polygons intersect");
        snprintf(text, size, "%s%s", where, pairs ? count.text : "no polygons intersect");
    }
}

static int write_contacts(FILE *file, const cli_contact_picture *contact_picture, cli_collide *collide)
{
    const cli_two_models *two = contact_picture->two;
    collide->pose_a = two->pose_a;
    collide->options.mode = TUMBLE_ALL;
    collide->options.want_contacts = true;
    collide->options.clearance = contact_picture->clearance;
    collide->limit = most_pairs;
    const int error = cli_collide_run(collide, &two->path.poses[contact_picture->step]);
    if (error) {
        return error;
    }
    char caption[160], distance[48];
    describe(contact_picture, collide->result.pair_count, caption, sizeof caption);
    snprintf(distance, sizeof distance, "%.6g", contact_picture->clearance);
    cli_picture picture = {.contacts = collide->contacts,
                           .contact_count = collide->contact_count,
                           .subject = contact_picture->clearance > 0 ? CLI_PICTURE_CLEARANCE : CLI_PICTURE_CONTACTS,
                           .distance = contact_picture->distance ? contact_picture->distance : distance,
                           .move = contact_picture->move,
                           .title = contact_picture->title,
                           .caption = contact_picture->caption ? contact_picture->caption : caption};
    return cli_two_picture_write(file, contact_picture, &picture);
}

int cli_contact_picture_write(FILE *file, const cli_contact_picture *contact_picture)
{
    const cli_two_models *two = contact_picture->two;
    cli_collide collide = {.context = NULL};
    int error = cli_collide_begin(&collide, two->context, two->models[0], two->models[1]);
    error = error ? error : write_contacts(file, contact_picture, &collide);
    cli_collide_end(&collide);
    return error;
}
