/* A query with arrays that are as large as the answer needs. */
#include "collide.h"

#include <stdlib.h>

#include "message.h"

/* Answers up to this size need one run of the query; larger ones a second, once the number is known. Memory that stays
 * untouched costs nothing. */
enum {
    FIRST_PAIR_CAPACITY = 1 << 24,
    FIRST_CONTACT_CAPACITY = 1 << 21
};

int cli_collide_begin(cli_collide *collide, tumble_context *context, const tumble_model *a, const tumble_model *b)
{
    *collide = (cli_collide){.context = context, .a = a, .b = b, .pose_a = tumble_pose_identity(), .limit = UINT64_MAX};
    collide->options = tumble_default_collide_options();
    const tumble_status status = tumble_query_create(context, &collide->query);
    return status == TUMBLE_OK ? 0 : cli_library_error(context, status, NULL);
}

void cli_collide_end(cli_collide *collide)
{
    free(collide->options.pairs);
    free(collide->options.contacts);
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

static int reserve(cli_collide *collide, size_t pairs, size_t contacts)
{
    void *pair_array = collide->options.pairs, *contact_array = collide->options.contacts;
    const int pairs_fit = make_room(&pair_array, &collide->options.pair_capacity, pairs, sizeof(tumble_pair));
    const int contacts_fit =
        make_room(&contact_array, &collide->options.contact_capacity, contacts, sizeof(tumble_contact));
    collide->options.pairs = pair_array;
    collide->options.contacts = contact_array;
    return pairs_fit && contacts_fit;
}

/* Room for the first run: as much as there is, for there may be few pairs. */
static void reserve_first(cli_collide *collide)
{
    size_t pairs = lesser(collide->limit, FIRST_PAIR_CAPACITY);
    size_t contacts = collide->options.want_contacts ? FIRST_CONTACT_CAPACITY : 0;
    while (!reserve(collide, pairs, contacts) && (pairs || contacts)) {
        pairs /= 2;
        contacts /= 2;
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
    const tumble_pair *last = &collide->options.pairs[collide->pair_count - 1];
    size_t low = 0, high = stored;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (is_after(&collide->options.contacts[middle], last)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* Whether the arrays held what the caller wants; else *pairs and *contacts are the room that it takes. */
static int is_complete(cli_collide *collide, size_t *pairs, size_t *contacts)
{
    const tumble_collide_options *options = &collide->options;
    const size_t wanted = lesser(collide->limit, collide->result.pair_count);
    collide->pair_count = lesser(wanted, options->pair_capacity);
    const size_t stored = lesser(collide->result.contact_count, options->contact_capacity);
    collide->contact_count = count_contacts(collide, stored);
    *pairs = wanted;
    *contacts = lesser(collide->result.contact_count, SIZE_MAX);
    const int more_contacts = stored < collide->result.contact_count && collide->contact_count == stored && wanted > 0;
    return wanted <= options->pair_capacity && !more_contacts;
}

static int run_once(cli_collide *collide, const tumble_pose *pose_b)
{
    collide->result = (tumble_collide_result){.size = sizeof collide->result};
    const tumble_status status = tumble_collide(collide->query, collide->a, &collide->pose_a, collide->b, pose_b,
                                                &collide->options, &collide->result);
    if (status != TUMBLE_OK) {
        return cli_library_error(collide->context, status, NULL);
    }
    const int one_pair = collide->options.mode != TUMBLE_COLLIDE_ALL && collide->result.collide;
    if (one_pair && collide->options.pair_capacity > 0) {
        collide->options.pairs[0] = collide->result.first; /* in mode TEST the array is left alone */
    }
    return 0;
}

int cli_collide_run(cli_collide *collide, const tumble_pose *pose_b)
{
    reserve_first(collide);
    int error = run_once(collide, pose_b);
    size_t pairs, contacts;
    while (!error && !is_complete(collide, &pairs, &contacts)) {
        if (!reserve(collide, pairs, contacts)) {
            return cli_memory_error("the intersecting pairs; --limit lists fewer");
        }
        error = run_once(collide, pose_b);
    }
    return error;
}
