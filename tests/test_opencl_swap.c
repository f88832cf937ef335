/* Swapping alone, with a fake OpenCL whose buffers are memory of this machine: who leaves, who stays, and that the
 * bytes of what is in use are where the tables say, whatever fails and however many threads add and remove models. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/internal.h"
#include "device/opencl/batch.h"
#include "scenes.h"
#include "tree/wide/wide.h"

enum {
    MODELS = 8,
    TRIANGLES = 400,
    MOST_PAIRS = 12
};

/* ---- A fake OpenCL ---- */

typedef struct fake_buffer {
    size_t size;
    int is_absent; /* a driver that finds out late that there is no memory */
    unsigned char bytes[];
} fake_buffer;

static struct {
    pthread_mutex_t lock;
    uint64_t capacity, live_bytes;
    size_t live, calls, failing_call;
    cl_int code;
    int is_lazy;
} fake = {.lock = PTHREAD_MUTEX_INITIALIZER};

static cl_int next_code(void)
{
    pthread_mutex_lock(&fake.lock);
    const cl_int code = ++fake.calls == fake.failing_call ? fake.code : CL_SUCCESS;
    pthread_mutex_unlock(&fake.lock);
    return code;
}

static cl_mem CL_API_CALL fake_create(cl_context cl, cl_mem_flags flags, size_t size, void *host, cl_int *error)
{
    (void)cl, (void)flags, (void)host;
    *error = next_code();
    pthread_mutex_lock(&fake.lock);
    const int is_short = size > fake.capacity - fake.live_bytes;
    if (*error == CL_SUCCESS && is_short && !fake.is_lazy) {
        *error = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    }
    fake_buffer *made = *error == CL_SUCCESS ? malloc(sizeof *made + size) : NULL;
    if (made) {
        made->size = size;
        made->is_absent = is_short;
        memset(made->bytes, 0xa5, size);
        fake.live++;
        fake.live_bytes += is_short ? 0 : size;
    }
    pthread_mutex_unlock(&fake.lock);
    return (cl_mem)(void *)made;
}

static cl_int CL_API_CALL fake_release(cl_mem memory)
{
    fake_buffer *buffer = (void *)memory;
    const cl_int code = next_code();
    pthread_mutex_lock(&fake.lock);
    fake.live--;
    fake.live_bytes -= buffer->is_absent ? 0 : buffer->size;
    pthread_mutex_unlock(&fake.lock);
    free(buffer);
    return code;
}

static cl_int CL_API_CALL fake_write(cl_command_queue queue, cl_mem memory, cl_bool wait, size_t offset, size_t size,
                                     const void *bytes, cl_uint count, const cl_event *list, cl_event *event)
{
    (void)queue, (void)wait, (void)count, (void)list, (void)event;
    fake_buffer *buffer = (void *)memory;
    const cl_int code = buffer->is_absent ? CL_OUT_OF_RESOURCES : next_code();
    if (code == CL_SUCCESS) {
        assert_true(offset + size <= buffer->size);
        memcpy(buffer->bytes + offset, bytes, size);
    }
    return code;
}

static cl_int CL_API_CALL fake_copy(cl_command_queue queue, cl_mem from, cl_mem to, size_t a, size_t b, size_t size,
                                    cl_uint count, const cl_event *list, cl_event *event)
{
    (void)queue, (void)count, (void)list, (void)event;
    fake_buffer *target = (void *)to, *source = (void *)from;
    const cl_int code = target->is_absent ? CL_OUT_OF_RESOURCES : next_code();
    if (code == CL_SUCCESS) {
        assert_true(a + size <= source->size && b + size <= target->size);
        memcpy(target->bytes + b, source->bytes + a, size);
    }
    return code;
}

static cl_int CL_API_CALL fake_finish(cl_command_queue queue)
{
    (void)queue;
    return next_code();
}

/* ---- A device of it ---- */

typedef struct swap_world {
    test_allocator memory;
    tumble_context *context;
    tumble_model *models[MODELS];
    tumble_device_model handles[MODELS]; /* those without `uploaded` are not on the device */
    uint64_t bytes;                      /* of the largest model */
    tmb_opencl opencl;
    tmb_opencl_backend *backend;
} swap_world;

static int begin(void **state)
{
    swap_world *w = *state = calloc(1, sizeof *w);
    test_random random = {8000};
    assert_non_null(w);
    test_allocator_begin(&w->memory);
    w->context = test_context(&w->memory, 1, TUMBLE_SIMD_AUTO);
    for (size_t i = 0; i < MODELS; i++) {
        models_mesh mesh = {0};
        test_make_soup(&mesh, &random, TRIANGLES + i, 0.5);
        w->models[i] = test_model(w->context, &mesh, NULL);
        models_free(&mesh);
        const uint64_t bytes = tmb_opencl_memory_round(w->models[i]->block->total_bytes);
        w->bytes = bytes > w->bytes ? bytes : w->bytes;
    }
    return 0;
}

static int end(void **state)
{
    swap_world *w = *state;
    for (size_t i = 0; i < MODELS; i++) {
        tumble_model_destroy(w->models[i]);
    }
    tumble_context_destroy(w->context);
    test_allocator_end(&w->memory);
    free(w);
    return 0;
}

/* `limit` is the option's, `capacity` what the device really has. */
static void open_device(swap_world *w, uint64_t limit, uint64_t capacity)
{
    fake.capacity = capacity;
    fake.live_bytes = fake.live = fake.calls = fake.failing_call = 0;
    fake.is_lazy = 0;
    memset(w->handles, 0, sizeof w->handles);
    w->backend = calloc(1, sizeof *w->backend);
    assert_non_null(w->backend);
    memset(&w->opencl, 0, sizeof w->opencl);
    w->opencl = (tmb_opencl){.context = w->context, .name = "fake", .doubles = 1, .memory_bytes = limit};
    w->opencl.largest_buffer = limit;
    w->opencl.api = (tmb_opencl_api){.clCreateBuffer = fake_create,
                                     .clReleaseMemObject = fake_release,
                                     .clEnqueueWriteBuffer = fake_write,
                                     .clEnqueueCopyBuffer = fake_copy,
                                     .clFinish = fake_finish};
    tmb_opencl_memory_begin(&w->opencl);
    w->backend->context = w->context;
    w->backend->opencl = &w->opencl;
    w->backend->models.name = w->backend->frames.name = w->backend->hits.name = "a buffer";
    tmb_tables_begin(w->backend);
    tmb_swap_begin(w->backend);
}

static tumble_status add(swap_world *w, size_t i)
{
    assert_null(w->handles[i].uploaded);
    w->handles[i].model = w->models[i];
    return tmb_opencl_add_model(w->backend, w->models[i], &w->handles[i].uploaded);
}

static void drop(swap_world *w, size_t i)
{
    if (w->handles[i].uploaded) {
        tmb_opencl_remove_model(w->backend, w->handles[i].uploaded);
        w->handles[i].uploaded = NULL;
    }
}

static void close_device(swap_world *w)
{
    for (size_t i = 0; i < MODELS; i++) {
        drop(w, i);
    }
    tmb_buffers_release(w->backend);
    tmb_opencl_release_buffer(&w->opencl, w->backend->models.memory, w->backend->models.size);
    tmb_opencl_release_buffer(&w->opencl, w->backend->frames.memory, w->backend->frames.size);
    tmb_tables_end(w->backend);
    tmb_opencl_memory_end(&w->opencl);
    assert_int_equal(w->opencl.used_bytes, 0);
    assert_int_equal(fake.live, 0);
    free(w->backend);
}

static tumble_device_memory memory_of(const swap_world *w)
{
    tumble_device_memory memory;
    tmb_opencl_get_memory(w->backend, &memory);
    return memory;
}

/* Bytes that are no model's: the tables. */
static uint64_t table_bytes(void)
{
    const uint64_t bytes = 16 * (sizeof(tmb_cl_model) + TMB_CL_FRAME_DOUBLES * sizeof(double));
    return bytes + bytes / 4;
}

/* ---- Pieces ---- */

typedef struct piece {
    tumble_model_pair pairs[MOST_PAIRS];
    tmb_job job;
    tmb_chunk chunk;
    size_t count; /* of checks that were taken */
} piece;

static void begin_piece(swap_world *w, piece *p, const size_t (*numbers)[2], size_t count, size_t most)
{
    memset(p, 0, sizeof *p);
    for (size_t i = 0; i < count; i++) {
        p->pairs[i] = (tumble_model_pair){&w->handles[numbers[i][0]], &w->handles[numbers[i][1]]};
    }
    p->job.batch = tumble_default_batch();
    p->job.batch.check_count = p->job.batch.pair_count = count;
    p->job.batch.pairs = p->pairs;
    p->chunk = (tmb_chunk){.parts = {{&p->job, 0, count}}, .part_count = 1, .check_count = count};
    p->count = tmb_swap_begin_piece(w->backend, &p->chunk, most);
}

static tumble_status bring(swap_world *w)
{
    const tumble_status status = tmb_swap_bring(w->backend);
    return status == TUMBLE_OK ? tmb_tables_send(w->backend) : status;
}

/* Whether a model is where the device is told to find it: without doubles only its nodes are uploaded as they are. */
static int is_there(swap_world *w, const tmb_uploaded_model *uploaded)
{
    const tmb_block *block = uploaded->model->block;
    const fake_buffer *table = (void *)w->backend->models.memory;
    const void *bytes = w->opencl.doubles ? (const void *)block : uploaded->model->nodes;
    const size_t size = w->opencl.doubles ? block->total_bytes : block->node_count * sizeof(tmb_wide_node);
    tmb_cl_model entry;
    memcpy(&entry, table->bytes + uploaded->number * sizeof entry, sizeof entry);
    const uint64_t offset = entry.nodes - (w->opencl.doubles ? block->offsets[TMB_SECTION_NODES] : 0);
    const fake_buffer *models = (void *)tmb_opencl_memory_lock(&w->opencl);
    const int is_same = models && offset + size <= models->size && memcmp(models->bytes + offset, bytes, size) == 0;
    tmb_opencl_memory_unlock(&w->opencl);
    return is_same;
}

static size_t count_absent(swap_world *w, const piece *p)
{
    size_t absent = 0;
    for (size_t i = 0; i < p->count; i++) {
        absent += !is_there(w, tmb_uploaded(p->pairs[i].a)) || !is_there(w, tmb_uploaded(p->pairs[i].b));
    }
    return absent;
}

/* One check. */
static tumble_status use(swap_world *w, size_t a, size_t b)
{
    const size_t numbers[1][2] = {{a, b}};
    piece p;
    begin_piece(w, &p, numbers, 1, 1);
    const tumble_status status = bring(w);
    if (status == TUMBLE_OK) {
        assert_int_equal(count_absent(w, &p), 0);
    }
    tmb_swap_end_piece(w->backend);
    return status;
}

static int is_resident(const swap_world *w, size_t i)
{
    return ((const tmb_uploaded_model *)w->handles[i].uploaded)->is_resident;
}

/* "0125": which models are on the device. */
static const char *residents(const swap_world *w)
{
    static char text[MODELS + 1];
    size_t length = 0;
    for (size_t i = 0; i < MODELS; i++) {
        if (w->handles[i].uploaded && is_resident(w, i)) {
            text[length++] = (char)('0' + i);
        }
    }
    text[length] = '\0';
    return text;
}

/* ---- Who leaves ---- */

static void test_least_recently_used(void **state)
{
    swap_world *w = *state;
    open_device(w, table_bytes() + 3 * w->bytes, UINT64_MAX);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(add(w, i), TUMBLE_OK);
    }
    assert_string_equal(residents(w), "234");
    assert_int_equal(memory_of(w).swapped_out_count, 2);
    assert_int_equal(memory_of(w).swapped_in_count, 0);
    const struct {
        size_t a, b;
        const char *after;
        uint64_t in, out;
    } steps[] = {{2, 3, "234", 0, 2}, {2, 4, "234", 0, 2}, {2, 0, "024", 1, 3}, {4, 4, "024", 1, 3},
                 {1, 4, "014", 2, 4}, {3, 3, "134", 3, 5}, {0, 2, "023", 5, 7}, {3, 2, "023", 5, 7}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        assert_int_equal(use(w, steps[i].a, steps[i].b), TUMBLE_OK);
        assert_string_equal(residents(w), steps[i].after);
        const tumble_device_memory memory = memory_of(w);
        assert_int_equal(memory.swapped_in_count, steps[i].in);
        assert_int_equal(memory.swapped_out_count, steps[i].out);
        assert_int_equal(memory.model_count, 5);
        assert_int_equal(memory.resident_count, 3);
        assert_true(memory.used_bytes <= memory.limit_bytes);
    }
    /* What is out can be removed, what is in leaves room. */
    drop(w, 4);
    drop(w, 0);
    assert_int_equal(use(w, 1, 2), TUMBLE_OK);
    assert_string_equal(residents(w), "123");
    assert_int_equal(memory_of(w).swapped_out_count, 7);
    close_device(w);
}

/* What is in use stays, also when others are added; those come in when their turn comes. */
static void test_in_use(void **state)
{
    swap_world *w = *state;
    const size_t numbers[][2] = {{0, 1}, {1, 2}};
    piece p;
    open_device(w, table_bytes() + 3 * w->bytes, UINT64_MAX);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(add(w, i), TUMBLE_OK);
    }
    begin_piece(w, &p, numbers, 2, SIZE_MAX);
    assert_int_equal(p.count, 2);
    assert_int_equal(bring(w), TUMBLE_OK);
    assert_int_equal(add(w, 3), TUMBLE_OK);
    assert_int_equal(tmb_swap_yield(w->backend, w->bytes), 0);
    assert_string_equal(residents(w), "012");
    assert_int_equal(count_absent(w, &p), 0);
    tmb_swap_end_piece(w->backend);
    assert_int_equal(memory_of(w).swapped_out_count, 0);
    begin_piece(w, &p, numbers, 1, SIZE_MAX); /* 0 and 1: now 2 can go */
    assert_int_equal(bring(w), TUMBLE_OK);
    assert_int_equal(add(w, 4), TUMBLE_OK);
    assert_string_equal(residents(w), "014");
    assert_int_equal(count_absent(w, &p), 0);
    tmb_swap_end_piece(w->backend);
    assert_int_equal(use(w, 3, 3), TUMBLE_OK);
    assert_string_equal(residents(w), "134");
    close_device(w);
}

/* As many checks as have room; at least one. */
static void test_pieces(void **state)
{
    swap_world *w = *state;
    const size_t numbers[][2] = {{0, 1}, {1, 0}, {2, 0}, {2, 2}, {1, 3}, {4, 5}};
    piece p;
    open_device(w, table_bytes() + 3 * w->bytes, UINT64_MAX);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(add(w, i), TUMBLE_OK);
    }
    assert_int_equal(use(w, 0, 0), TUMBLE_OK); /* so that the tables have their room */
    const size_t expected[] = {4, 3, 2, 2, 1, 1};
    for (size_t i = 0; i < 6; i++) {
        begin_piece(w, &p, numbers + i, 6 - i, SIZE_MAX);
        assert_int_equal(p.count, expected[i]);
        tmb_swap_end_piece(w->backend);
        begin_piece(w, &p, numbers + i, 6 - i, 2);
        assert_int_equal(p.count, expected[i] < 2 ? expected[i] : 2);
        tmb_swap_end_piece(w->backend);
    }
    close_device(w);
    open_device(w, table_bytes() + w->bytes, UINT64_MAX);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(add(w, i), TUMBLE_OK);
    }
    test_assert_status(w->context, use(w, 0, 1), TUMBLE_ERROR_MEMORY, "has no room");
    assert_int_equal(use(w, 2, 2), TUMBLE_OK);
    close_device(w);
}

/* A model that can never have room is refused, and nothing leaves for it. */
static void test_too_large(void **state)
{
    swap_world *w = *state;
    open_device(w, w->bytes - 1, UINT64_MAX);
    size_t refused = 0;
    for (size_t i = 0; i < MODELS; i++) {
        const uint64_t bytes = tmb_opencl_memory_round(w->models[i]->block->total_bytes);
        if (bytes == w->bytes) {
            const uint64_t before = memory_of(w).swapped_out_count;
            test_assert_status(w->context, add(w, i), TUMBLE_ERROR_MEMORY, "has no room");
            assert_int_equal(memory_of(w).swapped_out_count, before);
            refused++;
        } else {
            assert_int_equal(add(w, i), TUMBLE_OK);
        }
    }
    assert_true(refused > 0);
    close_device(w);
}

/* ---- Whatever happens ---- */

typedef struct tally {
    size_t used, refused, yielded;
} tally;

/* A random step; a piece with buffers that need room, a model that comes, one that goes. */
static void live_once(swap_world *w, test_random *random, tally *t)
{
    const size_t i = (size_t)test_random_whole(random, 0, MODELS - 1);
    if (test_random_chance(random, 0.3)) {
        if (w->handles[i].uploaded) {
            drop(w, i);
        } else {
            t->refused += add(w, i) != TUMBLE_OK;
        }
        return;
    }
    size_t numbers[MOST_PAIRS][2], count = 0;
    for (size_t k = 0; k < MOST_PAIRS; k++) {
        const size_t a = (size_t)test_random_whole(random, 0, MODELS - 1), b = (a + k / 3) % MODELS;
        if (w->handles[a].uploaded && w->handles[b].uploaded) {
            numbers[count][0] = a, numbers[count++][1] = b;
        }
    }
    if (count == 0) {
        return;
    }
    piece p;
    begin_piece(w, &p, (const size_t(*)[2])numbers, count, (size_t)test_random_whole(random, 1, MOST_PAIRS));
    tmb_opencl_release_buffer(&w->opencl, w->backend->hits.memory, w->backend->hits.size);
    w->backend->hits = (tmb_device_buffer){.name = "a buffer"};
    const uint64_t size = (uint64_t)test_random_whole(random, 1, (int)w->bytes);
    tumble_status status = bring(w);
    if (status == TUMBLE_OK) {
        t->yielded += tmb_device_buffer_reserve(w->backend, &w->backend->hits, size) == TUMBLE_OK;
        status = tmb_tables_refresh(w->backend);
    }
    if (status == TUMBLE_OK && !w->backend->swap.has_moved) {
        size_t missing = 0;
        for (size_t k = 0; k < p.count; k++) {
            missing += !((tmb_uploaded_model *)tmb_uploaded(p.pairs[k].a))->is_resident;
            missing += !((tmb_uploaded_model *)tmb_uploaded(p.pairs[k].b))->is_resident;
        }
        assert_true(missing > 0 ? !w->backend->hits.memory : count_absent(w, &p) == 0);
        t->used += missing == 0;
    }
    t->refused += status != TUMBLE_OK;
    tmb_swap_end_piece(w->backend);
    assert_true(w->opencl.used_bytes <= w->opencl.memory_bytes);
}

static void test_random_lives(void **state)
{
    swap_world *w = *state;
    tally t = {0};
    for (size_t round = 0; round < 40; round++) {
        test_random random = {8100 + round};
        const uint64_t limit = table_bytes() + (uint64_t)test_random_whole(&random, 1, 10) * w->bytes / 2;
        const int is_short = test_random_chance(&random, 0.5);
        open_device(w, limit, is_short ? limit * 2 / 3 : UINT64_MAX);
        fake.is_lazy = test_random_chance(&random, 0.5);
        for (size_t step = 0; step < 60; step++) {
            live_once(w, &random, &t);
        }
        close_device(w);
    }
    print_message("%zu pieces, %zu without room, %zu buffers\n", t.used, t.refused, t.yielded);
    assert_true(t.used > 100 && t.refused > 10 && t.yielded > 100);
}

/* The device has less than the limit says: the same, only later. */
static void test_short_device(void **state)
{
    swap_world *w = *state;
    for (int is_lazy = 0; is_lazy < 2; is_lazy++) {
        open_device(w, table_bytes() + 8 * w->bytes, table_bytes() + 3 * w->bytes);
        fake.is_lazy = is_lazy;
        for (size_t i = 0; i < MODELS; i++) {
            assert_int_equal(add(w, i), TUMBLE_OK);
        }
        for (size_t i = 0; i < 2 * MODELS; i++) {
            if (use(w, i % MODELS, (i + 1) % MODELS) != TUMBLE_OK) {
                fail_msg("%s", test_message(w->context));
            }
        }
        assert_true(memory_of(w).swapped_in_count >= MODELS);
        assert_int_equal(tmb_device_buffer_reserve(w->backend, &w->backend->hits, 2 * w->bytes), TUMBLE_OK);
        assert_true(is_lazy || memory_of(w).resident_count == 0);
        close_device(w);
    }
}

/* All kinds of moves; whether all went well. */
static int live_through(swap_world *w)
{
    int is_good = 1;
    for (size_t i = 0; i < 5; i++) {
        is_good &= add(w, i) == TUMBLE_OK;
    }
    const size_t pairs[][2] = {{0, 1}, {3, 4}, {2, 0}, {1, 4}};
    for (size_t i = 0; i < 4; i++) {
        if (w->handles[pairs[i][0]].uploaded && w->handles[pairs[i][1]].uploaded) {
            is_good &= use(w, pairs[i][0], pairs[i][1]) == TUMBLE_OK;
        }
        if (i == 1) {
            is_good &= tmb_device_buffer_reserve(w->backend, &w->backend->hits, w->bytes / 2) == TUMBLE_OK;
        }
    }
    for (size_t i = 0; i < 5; i++) {
        drop(w, i);
    }
    return is_good;
}

static void test_failures(void **state)
{
    static const cl_int codes[] = {CL_OUT_OF_RESOURCES, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_DEVICE_NOT_AVAILABLE};
    swap_world *w = *state;
    size_t failed = 0, survived = 0, calls = 0;
    for (size_t call = 1; calls == 0 || call <= calls; call++) {
        for (size_t c = 0; c < 3; c++) {
            open_device(w, table_bytes() + 3 * w->bytes, UINT64_MAX);
            fake.failing_call = call;
            fake.code = codes[c];
            const int is_good = live_through(w);
            failed += !is_good;
            survived += is_good != 0;
            calls = fake.calls;
            assert_int_equal(w->opencl.used_bytes, fake.live_bytes);
            assert_true(live_through(w));
            close_device(w);
        }
    }
    print_message("%zu calls: failed %zu times, survived %zu times\n", calls, failed, survived);
    assert_true(failed > 10 && survived > 10);
}

static void test_out_of_memory(void **state)
{
    swap_world *w = *state;
    size_t failures = 1;
    for (size_t call = 1; failures; call++) {
        open_device(w, table_bytes() + 3 * w->bytes, UINT64_MAX);
        w->opencl.doubles = 0; /* corners are then converted each time */
        test_allocator_fail(&w->memory, call, 0);
        const int is_good = live_through(w);
        failures = test_allocator_failures(&w->memory);
        test_allocator_fail(&w->memory, 0, 0);
        assert_true(is_good || failures);
        close_device(w);
    }
}

/* ---- Threads ---- */

typedef struct neighbour {
    pthread_t thread;
    swap_world *w;
    unsigned number;
    size_t wrong;
} neighbour;

/* Adds and removes a model that no piece uses. */
static void *come_and_go(void *user)
{
    neighbour *n = user;
    for (size_t i = 0; i < test_count(300); i++) {
        void *uploaded = NULL;
        tumble_device_memory memory;
        n->wrong += tmb_opencl_add_model(n->w->backend, n->w->models[n->number], &uploaded) != TUMBLE_OK;
        tmb_opencl_get_memory(n->w->backend, &memory);
        n->wrong += memory.resident_count > memory.model_count;
        tmb_opencl_remove_model(n->w->backend, uploaded);
    }
    return NULL;
}

static void test_threads(void **state)
{
    swap_world *w = *state;
    neighbour neighbours[3];
    test_random random = {8200};
    open_device(w, table_bytes() + 4 * w->bytes, UINT64_MAX);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(add(w, i), TUMBLE_OK);
    }
    assert_int_equal(use(w, 0, 1), TUMBLE_OK);
    for (unsigned i = 0; i < 3; i++) {
        neighbours[i] = (neighbour){.w = w, .number = 5 + i};
        assert_int_equal(pthread_create(&neighbours[i].thread, NULL, come_and_go, &neighbours[i]), 0);
    }
    for (size_t i = 0; i < test_count(300); i++) {
        const size_t a = (size_t)test_random_whole(&random, 0, 4), b = (size_t)test_random_whole(&random, 0, 4);
        const size_t numbers[][2] = {{a, b}, {b, a}};
        piece p;
        begin_piece(w, &p, numbers, 2, SIZE_MAX);
        assert_int_equal(bring(w), TUMBLE_OK);
        assert_int_equal(count_absent(w, &p), 0);
        if (i % 16 == 0) {
            (void)tmb_swap_yield(w->backend, w->bytes);
            assert_int_equal(tmb_tables_refresh(w->backend), TUMBLE_OK);
        }
        assert_int_equal(count_absent(w, &p), 0);
        tmb_swap_end_piece(w->backend);
    }
    for (unsigned i = 0; i < 3; i++) {
        pthread_join(neighbours[i].thread, NULL);
        assert_int_equal(neighbours[i].wrong, 0);
    }
    assert_true(memory_of(w).swapped_in_count > 10);
    close_device(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_least_recently_used),
        cmocka_unit_test(test_in_use),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_random_lives),
        cmocka_unit_test(test_short_device),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
