/* A query, and what the caller wants to see of its answer. */
#include "collide.h"

#include "message.h"

int cli_collide_begin(cli_collide *collide, tumble_context *context, const tumble_model *a, const tumble_model *b)
{
    *collide = (cli_collide){
        .context = context, .a = a, .b = b, .pose_a = tumble_pose_identity(), .lists_pairs = 1, .limit = UINT64_MAX};
    collide->options = tumble_default_collide_options();
    const tumble_status status = tumble_query_create(context, &collide->query);
    return status == TUMBLE_OK ? 0 : cli_library_error(context, status, NULL);
}

void cli_collide_end(cli_collide *collide)
{
    tumble_query_destroy(collide->query);
    *collide = (cli_collide){0};
}

static size_t lesser(uint64_t one, uint64_t other)
{
    return (size_t)(one < other ? one : other);
}

static int is_after(const tumble_contact *contact, const tumble_pair *pair)
{
    return contact->polygon_a != pair->polygon_a ? contact->polygon_a > pair->polygon_a
                                                 : contact->polygon_b > pair->polygon_b;
}

/* How many of the contacts belong to the listed pairs; both are in the same order. */
static size_t count_contacts(const cli_collide *collide, size_t stored)
{
    if (collide->pair_count == 0) {
        return 0;
    }
    const tumble_pair *last = &collide->pairs[collide->pair_count - 1];
    size_t low = 0, high = stored;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (is_after(&collide->contacts[middle], last)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

int cli_collide_take(cli_collide *collide, const cli_stored_results *stored, cli_result_counts *wanted)
{
    const tumble_collide_result *result = &collide->result;
    wanted->pairs = collide->lists_pairs ? lesser(collide->limit, result->pair_count) : 0;
    wanted->surfaces = lesser(collide->limit, result->surface_pair_count);
    wanted->contacts = lesser(result->contact_count, SIZE_MAX);
    collide->pairs = stored->pairs;
    collide->contacts = stored->contacts;
    collide->surface_pairs = stored->surface_pairs;
    collide->pair_count = lesser(wanted->pairs, stored->room.pairs);
    collide->surface_count = lesser(wanted->surfaces, stored->room.surfaces);
    const size_t contacts = lesser(result->contact_count, stored->room.contacts);
    collide->contact_count = count_contacts(collide, contacts);
    const int more_contacts =
        contacts < result->contact_count && collide->contact_count == contacts && wanted->pairs > 0;
    return wanted->pairs <= stored->room.pairs && wanted->surfaces <= stored->room.surfaces && !more_contacts;
}

int cli_collide_run(cli_collide *collide, const tumble_pose *pose_b)
{
    tumble_collide_result *result = &collide->result;
    const tumble_status status =
        tumble_collide(collide->query, collide->a, &collide->pose_a, collide->b, pose_b, &collide->options, result);
    if (status != TUMBLE_OK) {
        return cli_query_error(collide->query, status);
    }
    const cli_stored_results stored = {.pairs = result->pairs,
                                       .contacts = result->contacts,
                                       .surface_pairs = result->surface_pairs,
                                       .room = {.pairs = result->pairs ? (size_t)result->pair_count : 0,
                                                .contacts = (size_t)result->contact_count,
                                                .surfaces = (size_t)result->surface_pair_count}};
    cli_result_counts wanted;
    (void)cli_collide_take(collide, &stored, &wanted); /* all of it is there */
    return 0;
}
