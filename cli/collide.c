/* A query with arrays that are as large as the answer needs. */
#include "collide.h"

#include <stdlib.h>

#include "message.h"

/* Answers up to this size need one run of the query; larger ones a second, once the number is known. Memory that stays
 * untouched costs nothing. */
enum {
    FIRST_PAIR_CAPACITY = 1 << 24,
    FIRST_CONTACT_CAPACITY = 1 << 21,
    FIRST_SURFACE_CAPACITY = 1 << 22
};

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
    free(collide->options.pairs);
    free(collide->options.contacts);
    free(collide->options.surface_pairs);
    tumble_query_destroy(collide->query);
    *collide = (cli_collide){0};
}

static size_t lesser(uint64_t one, uint64_t other)
{
    return (size_t)(one < other ? one : other);
}

/* The old contents are not needed: the query writes them again. */
static int make_room(void **array, size_t *capacity, size_t count, size_t size)
{
    if (count <= *capacity) {
        return 1;
    }
    free(*array);
    *array = count <= SIZE_MAX / size ? malloc(count * size) : NULL;
    *capacity = *array ? count : 0;
    return *array != NULL;
}

static int reserve(cli_collide *collide, cli_result_counts wanted)
{
    tumble_collide_options *o = &collide->options;
    void *pairs = o->pairs, *contacts = o->contacts, *surfaces = o->surface_pairs;
    int fits = make_room(&pairs, &o->pair_capacity, wanted.pairs, sizeof(tumble_pair));
    fits &= make_room(&contacts, &o->contact_capacity, wanted.contacts, sizeof(tumble_contact));
    fits &= make_room(&surfaces, &o->surface_pair_capacity, wanted.surfaces, sizeof(tumble_surface_pair));
    o->pairs = pairs;
    o->contacts = contacts;
    o->surface_pairs = surfaces;
    return fits;
}

/* Room for the first run: as much as there is, for there may be few pairs. */
static void reserve_first(cli_collide *collide)
{
    cli_result_counts wanted = {
        .pairs = collide->lists_pairs ? lesser(collide->limit, FIRST_PAIR_CAPACITY) : 0,
        .contacts = collide->options.want_contacts ? FIRST_CONTACT_CAPACITY : 0,
        .surfaces = collide->options.want_surfaces ? lesser(collide->limit, FIRST_SURFACE_CAPACITY) : 0};
    while (!reserve(collide, wanted) && (wanted.pairs || wanted.contacts || wanted.surfaces)) {
        wanted = (cli_result_counts){wanted.pairs / 2, wanted.contacts / 2, wanted.surfaces / 2};
    }
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

static int run_once(cli_collide *collide, const tumble_pose *pose_b)
{
    collide->result = (tumble_collide_result){.size = sizeof collide->result};
    const tumble_status status = tumble_collide(collide->query, collide->a, &collide->pose_a, collide->b, pose_b,
                                                &collide->options, &collide->result);
    if (status != TUMBLE_OK) {
        return cli_library_error(collide->context, status, NULL);
    }
    const int is_test = collide->options.mode == TUMBLE_COLLIDE_TEST && collide->result.collide;
    if (is_test && collide->options.pair_capacity > 0) {
        collide->options.pairs[0] = collide->result.first; /* that mode leaves the array alone */
    }
    return 0;
}

static int take(cli_collide *collide, cli_result_counts *wanted)
{
    const tumble_collide_options *o = &collide->options;
    const cli_stored_results stored = {
        o->pairs, o->contacts, o->surface_pairs, {o->pair_capacity, o->contact_capacity, o->surface_pair_capacity}};
    return cli_collide_take(collide, &stored, wanted);
}

int cli_collide_run(cli_collide *collide, const tumble_pose *pose_b)
{
    reserve_first(collide);
    int error = run_once(collide, pose_b);
    cli_result_counts wanted;
    while (!error && !take(collide, &wanted)) {
        if (!reserve(collide, wanted)) {
            return cli_memory_error("the intersecting pairs; --limit lists fewer");
        }
        error = run_once(collide, pose_b);
    }
    return error;
}
