/* The checks of all poses on a device, in batches. While the answers of one are reported, the next runs. */
#include "batches.h"

#include <stdlib.h>

#include "message.h"
#include "output.h"

enum {
    MOST_CHECKS = 1 << 17, /* of a batch */
    LIST_BYTES = 64 << 20, /* of the lists of a batch, except for a single check that needs more */
    LEAST_ROOM = 64,       /* of a list, at first */
    FIRST_LISTS = 1 << 12  /* checks of the first batch with lists, which teaches how long they are */
};

static size_t lesser(uint64_t one, uint64_t other)
{
    return (size_t)(one < other ? one : other);
}

static size_t larger(size_t one, size_t other)
{
    return one > other ? one : other;
}

/* ---- one batch ---- */

static void release(cli_batch *batch)
{
    free(batch->batch.answers);
    free(batch->batch.found);
    free(batch->batch.contacts);
    free(batch->batch.contact_counts);
    free(batch->steps);
    free(batch->poses);
    *batch = (cli_batch){.first_step = 0};
}

/* NULL where nothing is wanted of each check. */
static void *room_for(size_t count, size_t each, size_t size, int *failed)
{
    if (count == 0 || each == 0) {
        return NULL;
    }
    void *memory = count <= SIZE_MAX / size / each ? malloc(count * each * size) : NULL;
    *failed |= memory == NULL;
    return memory;
}

/* Room for so many checks, each with lists of these lengths. */
static int reserve(cli_batches *batches, cli_batch *batch, size_t count, cli_result_counts room)
{
    int failed = 0;
    release(batch);
    batch->batch = tumble_default_batch();
    batch->batch.mode = batches->mode;
    batch->batch.check_count = count;
    batch->batch.pairs = &batches->device->pair;
    batch->batch.pair_count = 1;
    batch->batch.poses_a = &batches->pose_a;
    batch->batch.pose_a_count = 1;
    batch->batch.pose_b_count = count;
    batch->batch.tuning = batches->tuning;
    batch->batch.answers = room_for(count, 1, sizeof(tumble_check_answer), &failed);
    batch->batch.found = room_for(count, room.pairs, sizeof(tumble_pair), &failed);
    batch->batch.found_capacity = room.pairs;
    batch->batch.contacts = room_for(count, room.contacts, sizeof(tumble_contact), &failed);
    batch->batch.contact_capacity = room.contacts;
    batch->batch.contact_counts = room_for(count, room.contacts ? 1 : 0, sizeof(uint64_t), &failed);
    return failed ? cli_memory_error("the intersecting pairs; --limit lists fewer") : 0;
}

static size_t bytes_of(cli_result_counts room)
{
    return room.pairs * sizeof(tumble_pair) + room.contacts * sizeof(tumble_contact);
}

static int submit(cli_batches *batches, cli_batch *batch)
{
    return cli_device_submit(batches->device, &batch->batch, &batch->ticket);
}

/* Answer number i of a batch; returns whether its lists had room enough, else *wanted is what it takes. */
static int fetch(const cli_batch *from, size_t i, cli_collide *collide, cli_result_counts *wanted)
{
    const tumble_batch *batch = &from->batch;
    const tumble_check_answer *answer = &batch->answers[i];
    const int first = batch->mode == TUMBLE_FIRST;
    const cli_stored_results stored = {
        .pairs = first          ? &answer->first
                 : batch->found ? batch->found + i * batch->found_capacity
                                : NULL,
        .contacts = batch->contacts ? batch->contacts + i * batch->contact_capacity : NULL,
        .room = {.pairs = first ? 1 : batch->found_capacity, .contacts = batch->contact_capacity}};
    collide->result = (tumble_collide_result){.collide = answer->collide,
                                              .pair_count = answer->pair_count,
                                              .contact_count = batch->contact_counts ? batch->contact_counts[i] : 0,
                                              .first = answer->first};
    return cli_collide_take(collide, &stored, wanted);
}

/* ---- the next batch ---- */

/* A polygon may have several triangles, so there may be more contacts than pairs. */
static cli_result_counts room_of(const cli_batches *batches, uint64_t limit, size_t pairs)
{
    cli_result_counts room = {.pairs = lesser(limit, pairs)};
    room.contacts = batches->has_contacts ? larger(4 * room.pairs, LEAST_ROOM) : 0;
    return room;
}

/* Lists have twice the room that the last ones took in the middle. */
static void learn(cli_batches *batches, uint64_t limit)
{
    const tumble_batch *batch = &batches->now.batch;
    uint64_t sum = 0;
    for (size_t i = 0; i < batch->check_count; i++) {
        sum += lesser(limit, batch->answers[i].pair_count);
    }
    batches->room = room_of(batches, limit, larger((size_t)(2 * sum / larger(batch->check_count, 1)), LEAST_ROOM));
}

static size_t next_count(const cli_batches *batches)
{
    const size_t left = batches->path->count - batches->planned_count, bytes = bytes_of(batches->room);
    const size_t most = bytes == 0                    ? MOST_CHECKS
                        : batches->planned_count == 0 ? FIRST_LISTS
                                                      : larger(LIST_BYTES / bytes, 1);
    return lesser(left, lesser(most, MOST_CHECKS));
}

static int plan_ahead(cli_batches *batches)
{
    cli_batch *ahead = &batches->ahead;
    const size_t count = next_count(batches);
    if (count == 0) {
        return 0;
    }
    const int error = reserve(batches, ahead, count, batches->room);
    if (error) {
        return error;
    }
    ahead->first_step = batches->planned_count;
    ahead->batch.poses_b = batches->path->poses + ahead->first_step;
    batches->planned_count += count;
    return submit(batches, ahead);
}

/* The running batch becomes the reported one. */
static int advance(cli_batches *batches, uint64_t limit)
{
    const cli_batch told = batches->now;
    batches->now = batches->ahead;
    batches->ahead = told;
    batches->device->done_count = batches->now.first_step;
    const int error =
        cli_device_wait(batches->device, &batches->now.batch, batches->now.ticket, batches->now.first_step);
    if (error) {
        return error;
    }
    if (batches->mode == TUMBLE_ALL) {
        learn(batches, limit);
    }
    return plan_ahead(batches);
}

/* ---- answers that need more room ---- */

/* From answer number `first` on those that are not complete, as many as there is memory for; at least that one. */
static size_t gather(const cli_batches *batches, size_t first, cli_collide *collide, size_t *steps,
                     cli_result_counts *room)
{
    const cli_batch *now = &batches->now;
    size_t count = 0;
    *room = (cli_result_counts){.pairs = 0};
    for (size_t i = first; i < now->batch.check_count; i++) {
        cli_result_counts wanted;
        if (fetch(now, i, collide, &wanted)) {
            continue;
        }
        const cli_result_counts both = {.pairs = larger(room->pairs, wanted.pairs),
                                        .contacts = larger(room->contacts, wanted.contacts)};
        if (count > 0 && bytes_of(both) > LIST_BYTES / (count + 1)) {
            break;
        }
        *room = both;
        steps[count++] = now->first_step + i;
    }
    return count;
}

static int ask_gathered(cli_batches *batches, size_t *steps, size_t count, cli_result_counts room)
{
    cli_batch *again = &batches->again;
    int failed = 0, error = reserve(batches, again, count, room);
    again->steps = steps;
    again->poses = room_for(count, 1, sizeof *again->poses, &failed);
    if (error || failed) {
        return error ? error : cli_memory_error("the poses");
    }
    for (size_t i = 0; i < count; i++) {
        again->poses[i] = batches->path->poses[steps[i]];
    }
    again->batch.poses_b = again->poses;
    again->first_step = steps[0];
    batches->again_told = 0;
    batches->device->done_count = steps[0];
    error = submit(batches, again);
    error = error ? error : cli_device_wait(batches->device, &again->batch, again->ticket, again->first_step);
    batches->device->sums.check_count -= error ? 0 : count; /* they were counted before */
    return error;
}

/* Answer number i of the reported batch, with everything wanted of it. */
static int fetch_again(cli_batches *batches, size_t i, cli_collide *collide)
{
    cli_batch *again = &batches->again;
    const size_t step = batches->now.first_step + i;
    cli_result_counts room;
    if (!again->steps || batches->again_told == again->batch.check_count) {
        size_t *steps = calloc(batches->now.batch.check_count - i, sizeof *steps);
        if (!steps) {
            return cli_memory_error("the steps");
        }
        const size_t count = gather(batches, i, collide, steps, &room);
        const int error = ask_gathered(batches, steps, count, room);
        if (error) {
            return error;
        }
    }
    const size_t told = batches->again_told++;
    if (again->steps[told] != step || !fetch(again, told, collide, &room)) {
        return cli_error("step %zu: two answers differ: please report this as a defect of tumble", step);
    }
    return 0;
}

/* ---- the interface ---- */

static tumble_mode mode_of(const cli_collide *collide)
{
    const tumble_mode mode = collide->options.mode;
    return mode == TUMBLE_ALL && collide->limit == 0 ? TUMBLE_COUNT : mode;
}

int cli_batches_begin(cli_batches *batches, cli_device *device, const cli_path *path, const cli_collide *collide)
{
    *batches = (cli_batches){.device = device,
                             .path = path,
                             .pose_a = collide->pose_a,
                             .mode = mode_of(collide),
                             .tuning = collide->options.tuning};
    device->all_count = path->count;
    if (batches->mode == TUMBLE_ALL) {
        batches->has_contacts = collide->options.want_contacts;
        const size_t each = sizeof(tumble_pair) + (batches->has_contacts ? 4 * sizeof(tumble_contact) : 0);
        batches->room = room_of(batches, collide->limit, LIST_BYTES / lesser(path->count, FIRST_LISTS) / each);
    }
    return plan_ahead(batches);
}

int cli_batches_next(cli_batches *batches, cli_collide *collide)
{
    if (cli_interrupted()) {
        return CLI_EXIT_ERROR;
    }
    if (batches->next_step == batches->now.first_step + batches->now.batch.check_count) {
        const int error = advance(batches, collide->limit);
        if (error) {
            return error;
        }
    }
    const size_t i = batches->next_step++ - batches->now.first_step;
    cli_result_counts wanted;
    return fetch(&batches->now, i, collide, &wanted) ? 0 : fetch_again(batches, i, collide);
}

void cli_batches_end(cli_batches *batches)
{
    release(&batches->now);
    release(&batches->ahead);
    release(&batches->again);
}
