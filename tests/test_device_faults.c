/* What happens when OpenCL fails: at any call, once or from then on, with memory short, with a compiler that rejects
 * the kernels, or with wrong arithmetic. Tickets report it, threads can answer instead, nothing is lost and nobody
 * waits forever. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_cases.h"
#include "fault_opencl.h"

enum {
    CHECKS = 5,
    BATCHES = 4,
    ROOM = 6,
    OUT_OF_RESOURCES = -5, /* cl.h: what drivers return for nearly everything */
    BUILD_PROGRAM_FAILURE = -11
};

static const int codes[] = {OUT_OF_RESOURCES,
                            -4 /* memory object */,
                            -2 /* not available */,
                            -6 /* out of host memory */,
                            -36 /* invalid queue: how some lose a device */,
                            -9999};

typedef struct fault_bench {
    void *library;
    fault_set_plan *set_plan;
    fault_get_count *get_count;
    test_allocator memory;
    tumble_context *context;
    tumble_query *query;
    const tumble_model *models[1][2];
    tumble_pose poses[CHECKS];
    device_question question;
    device_truth *truth;
    size_t failed_batches, retried;
} fault_bench;

static void *find(const fault_bench *bench, const char *name)
{
    void *address = dlsym(bench->library, name);
    assert_non_null(address);
    return address;
}

static void make_question(fault_bench *bench)
{
    test_random random = {5000};
    models_mesh meshes[2] = {{0}};
    test_make_lattice(&meshes[0], &random, 120, 3, 2, 0.2);
    test_make_lattice(&meshes[1], &random, 80, 3, 2, 0.2);
    for (int k = 0; k < 2; k++) {
        bench->models[0][k] = test_model(bench->context, &meshes[k], NULL);
        models_free(&meshes[k]);
    }
    for (size_t i = 0; i < CHECKS; i++) {
        bench->poses[i] = test_quarter_turn(i);
        bench->poses[i].m[0][3] = i == CHECKS - 1 ? 100 : (double)i;
    }
    bench->question = (device_question){.models = bench->models,
                                        .pair_count = 1,
                                        .poses_b = bench->poses,
                                        .pose_b_count = CHECKS,
                                        .check_count = CHECKS};
    bench->truth = device_find_truth(bench->query, &bench->question);
    assert_true(bench->truth[0].pairs.count > ROOM);
}

static int begin(void **state)
{
    fault_bench *bench = *state = calloc(1, sizeof *bench);
    assert_non_null(bench);
    bench->library = dlopen(TUMBLE_FAULT_OPENCL, RTLD_NOW | RTLD_LOCAL);
    if (!bench->library) {
        fail_msg("%s", dlerror());
    }
    void *address = find(bench, FAULT_SET_PLAN);
    memcpy(&bench->set_plan, &address, sizeof address);
    address = find(bench, FAULT_GET_COUNT);
    memcpy(&bench->get_count, &address, sizeof address);
    test_allocator_begin(&bench->memory);
    bench->context = test_context(&bench->memory, 1, TUMBLE_SIMD_AUTO);
    assert_int_equal(tumble_query_create(bench->context, &bench->query), TUMBLE_OK);
    make_question(bench);
    return 0;
}

static int end(void **state)
{
    fault_bench *bench = *state;
    device_free_truth(bench->truth, CHECKS);
    tumble_model_destroy((tumble_model *)bench->models[0][0]);
    tumble_model_destroy((tumble_model *)bench->models[0][1]);
    tumble_query_destroy(bench->query);
    tumble_context_destroy(bench->context);
    test_allocator_end(&bench->memory);
    free(bench);
    return 0;
}

/* ---- One device, a few batches ---- */

/* Why OpenCL may fail. */
static int is_fault(tumble_status status)
{
    return status == TUMBLE_ERROR_DEVICE || status == TUMBLE_ERROR_MEMORY;
}

static void assert_fault(const fault_bench *bench, tumble_status status, const char *what)
{
    if (!is_fault(status)) {
        fail_msg("%s: %s: %s, after a failure of %s", what, tumble_status_name(status), test_message(bench->context),
                 bench->get_count().failed);
    }
    assert_true(test_message(bench->context)[0]);
}

typedef struct room {
    tumble_check_answer answers[CHECKS];
    tumble_pair found[CHECKS][ROOM];
} room;

static tumble_batch batch_of(const fault_bench *bench, size_t number, const tumble_model_pair *pair, room *out)
{
    static const tumble_mode modes[BATCHES] = {TUMBLE_ALL, TUMBLE_TEST, TUMBLE_COUNT, TUMBLE_FIRST};
    tumble_batch batch = tumble_default_batch();
    memset(out, 0xa5, sizeof *out);
    batch.mode = modes[number];
    batch.check_count = CHECKS;
    batch.pairs = pair;
    batch.pair_count = 1;
    batch.poses_b = bench->poses;
    batch.pose_b_count = CHECKS;
    batch.answers = out->answers;
    batch.found = batch.mode == TUMBLE_ALL ? out->found[0] : NULL;
    batch.found_capacity = batch.mode == TUMBLE_ALL ? ROOM : 0;
    return batch;
}

static void compare_room(const fault_bench *bench, tumble_mode mode, const room *out)
{
    for (size_t i = 0; i < CHECKS; i++) {
        const device_truth *truth = &bench->truth[i];
        const size_t count = truth->pairs.count, listed = count < ROOM ? count : ROOM;
        const int is_counted = mode == TUMBLE_COUNT || mode == TUMBLE_ALL;
        assert_int_equal(out->answers[i].status, TUMBLE_OK);
        assert_int_equal(out->answers[i].collide, count > 0);
        assert_int_equal(out->answers[i].pair_count, is_counted ? count : count > 0);
        if (mode == TUMBLE_ALL) {
            assert_memory_equal(out->found[i], truth->pairs.items, listed * sizeof out->found[i][0]);
        }
        if ((mode == TUMBLE_ALL || mode == TUMBLE_FIRST) && count) {
            assert_true(test_has_pair(&truth->pairs, out->answers[i].first));
        }
    }
}

/* A batch that could not be answered says so, and so do its checks; those that have an answer have the right one. */
static void check_failed(const fault_bench *bench, const tumble_ticket_report *report, const room *out)
{
    size_t failed = 0;
    assert_true(report->message[0]);
    for (size_t i = 0; i < CHECKS; i++) {
        const tumble_check_answer *answer = &out->answers[i];
        failed += answer->status != TUMBLE_OK;
        assert_true(answer->status == TUMBLE_OK || is_fault((tumble_status)answer->status));
        assert_true(answer->status != TUMBLE_OK || answer->collide == (bench->truth[i].pairs.count > 0));
    }
    assert_true(failed > 0);
}

static tumble_status take(fault_bench *bench, tumble_device *device, tumble_ticket ticket, const tumble_batch *batch,
                          const room *out, int retry)
{
    tumble_ticket_report report;
    const tumble_status status = tumble_device_wait(device, ticket, DEVICE_LIMIT_SECONDS, &report);
    if (status != TUMBLE_OK && (retry || !is_fault(status))) {
        fail_msg("%s: %s, after a failure of %s", tumble_status_name(status), report.message,
                 bench->get_count().failed);
    }
    assert_true(report.is_done);
    assert_int_equal(report.status, status);
    if (status == TUMBLE_OK) {
        compare_room(bench, batch->mode, out);
    } else {
        check_failed(bench, &report, out);
    }
    bench->failed_batches += status != TUMBLE_OK;
    bench->retried += report.retried_count > 0;
    return status;
}

/* All kinds of batches at once; those that fail once more by threads. Returns how many failed. */
static size_t run_batches(fault_bench *bench, tumble_device *device, const tumble_model_pair *pair, int retry)
{
    room rooms[BATCHES];
    tumble_batch batches[BATCHES];
    tumble_ticket tickets[BATCHES];
    size_t failed = 0;
    for (size_t i = 0; i < BATCHES; i++) {
        batches[i] = batch_of(bench, i, pair, &rooms[i]);
        assert_int_equal(tumble_device_submit(device, &batches[i], DEVICE_LIMIT_SECONDS, &tickets[i]), TUMBLE_OK);
    }
    for (size_t i = 0; i < BATCHES; i++) {
        if (take(bench, device, tickets[i], &batches[i], &rooms[i], retry) != TUMBLE_OK) {
            failed++;
            batches[i] = batch_of(bench, i, pair, &rooms[i]);
            batches[i].on_cpu = 1;
            assert_int_equal(tumble_device_submit(device, &batches[i], DEVICE_LIMIT_SECONDS, &tickets[i]), TUMBLE_OK);
            assert_int_equal(take(bench, device, tickets[i], &batches[i], &rooms[i], 1), TUMBLE_OK);
        }
    }
    return failed;
}

/* Brings the models up, asks, and takes them away. Whether all went well. */
static int use_device(fault_bench *bench, tumble_device *device, int retry)
{
    tumble_model_pair pair = {NULL, NULL};
    tumble_status status = tumble_device_add_model(device, bench->models[0][0], &pair.a);
    if (status == TUMBLE_OK) {
        status = tumble_device_add_model(device, bench->models[0][1], &pair.b);
    }
    int is_good = status == TUMBLE_OK;
    if (is_good) {
        is_good = run_batches(bench, device, &pair, retry) == 0;
    } else {
        assert_fault(bench, status, "add a model");
    }
    tumble_device_remove_model(pair.a);
    tumble_device_remove_model(pair.b);
    return is_good;
}

static tumble_device *open_device(fault_bench *bench, int retry, tumble_status *status)
{
    tumble_device_options options = tumble_default_device_options();
    tumble_device *device = NULL;
    options.retry_on_cpu = retry;
    options.thread_count = 2;
    *status = tumble_device_open(bench->context, 1, &options, &device);
    assert_int_equal(device != NULL, *status == TUMBLE_OK);
    return device;
}

static void plan(const fault_bench *bench, const char *name, size_t call, int forever, int code)
{
    const fault_plan made = {name, call, forever, code, NULL};
    bench->set_plan(&made);
}

/* From opening to closing. */
static int use_all(fault_bench *bench, int retry)
{
    tumble_status status;
    tumble_device *device = open_device(bench, retry, &status);
    if (!device) { /* without a list of devices there is no device 1 */
        const fault_count count = bench->get_count();
        const int is_list =
            strncmp(count.failed, "clGetPlatform", 13) == 0 || strncmp(count.failed, "clGetDevice", 11) == 0;
        if (!is_list || status != TUMBLE_ERROR_ARGUMENT) {
            assert_fault(bench, status, "open");
        }
        return 0;
    }
    const int is_good = use_device(bench, device, retry);
    tumble_device_close(device);
    return is_good;
}

static void assert_nothing_left(const fault_bench *bench, size_t blocks)
{
    const fault_count count = bench->get_count();
    if (count.live != 0) {
        fail_msg("%ld objects of OpenCL are left after a failure of %s", count.live, count.failed);
    }
    assert_int_equal(test_allocator_live((test_allocator *)&bench->memory), blocks);
}

/* ---- Tests ---- */

static void test_without_faults(void **state)
{
    fault_bench *bench = *state;
    const size_t blocks = test_allocator_live(&bench->memory);
    bench->set_plan(NULL);
    assert_true(use_all(bench, 0));
    const fault_count count = bench->get_count();
    print_message("%zu calls of OpenCL\n", count.calls);
    assert_true(count.calls > 20 && count.failures == 0);
    assert_nothing_left(bench, blocks);
}

/* Opening: each call fails once. */
static void test_opening(void **state)
{
    fault_bench *bench = *state;
    const size_t blocks = test_allocator_live(&bench->memory), step = test_effort() < 1 ? 7 : test_effort() > 1 ? 1 : 2;
    size_t opened = 0, refused = 0;
    for (size_t call = 1;; call += step) {
        tumble_status status;
        plan(bench, NULL, call, 0, codes[call % (sizeof codes / sizeof *codes)]);
        tumble_device *device = open_device(bench, 0, &status);
        const fault_count count = bench->get_count();
        bench->set_plan(NULL);
        if (device) {
            opened += count.failures;
            if (!use_device(bench, device, 0)) {
                fail_msg("opened, but not good, after a failure of %s (call %zu): %s", count.failed, call,
                         test_message(bench->context));
            }
        } else {
            refused++;
            assert_true(is_fault(status) || status == TUMBLE_ERROR_ARGUMENT);
        }
        tumble_device_close(device);
        assert_nothing_left(bench, blocks);
        if (count.failures == 0) {
            break;
        }
    }
    print_message("opening: refused %zu times, opened nevertheless %zu times\n", refused, opened);
    assert_true(refused > 3);
}

/* Each call of a device at work fails once; afterwards it works again, or it is opened anew. */
static void break_each_call(fault_bench *bench, int retry)
{
    tumble_status status;
    size_t step = test_effort() < 1 ? 11 : test_effort() > 1 || !retry ? 1 : 3, call = 1, reopened = 0;
    tumble_device *device = NULL;
    int is_over = 0;
    bench->failed_batches = bench->retried = 0;
    for (; !is_over; call += step) {
        bench->set_plan(NULL);
        if (!device) {
            device = open_device(bench, retry, &status);
            assert_non_null(device);
        }
        plan(bench, NULL, call, 0, codes[call % (sizeof codes / sizeof *codes)]);
        (void)use_device(bench, device, retry);
        is_over = bench->get_count().failures == 0;
        bench->set_plan(NULL);
        if (!use_device(bench, device, retry)) {
            reopened++;
            tumble_device_close(device);
            device = NULL;
        }
    }
    tumble_device_close(device);
    print_message("%zu calls; %zu batches failed, %zu were retried; opened anew %zu times\n", call,
                  bench->failed_batches, bench->retried, reopened);
    assert_true(retry ? bench->retried > 0 && bench->failed_batches == 0 : bench->failed_batches > 0);
    assert_int_equal(bench->get_count().live, 0);
}

static void test_each_call(void **state)
{
    break_each_call(*state, 0);
}

static void test_each_call_with_retries(void **state)
{
    break_each_call(*state, 1);
}

/* From some call on, nothing works any more. */
static void test_lost_device(void **state)
{
    fault_bench *bench = *state;
    const size_t blocks = test_allocator_live(&bench->memory);
    bench->set_plan(NULL);
    assert_true(use_all(bench, 0));
    const size_t calls = bench->get_count().calls, rounds = test_effort() < 1 ? 6 : 12;
    for (size_t round = 0; round < rounds; round++) {
        plan(bench, NULL, 1 + round * (calls - 1) / (rounds - 1), 1, codes[round % (sizeof codes / sizeof *codes)]);
        (void)use_all(bench, (int)(round & 1));
        assert_nothing_left(bench, blocks);
    }
}

/* One function never works. */
static void test_each_function(void **state)
{
    static const char *const names[] = {"clGetPlatformIDs",
                                        "clGetDeviceIDs",
                                        "clGetDeviceInfo",
                                        "clCreateContext",
                                        "clCreateCommandQueue",
                                        "clCreateBuffer",
                                        "clEnqueueReadBuffer",
                                        "clEnqueueWriteBuffer",
                                        "clEnqueueFillBuffer",
                                        "clEnqueueCopyBuffer",
                                        "clCreateProgramWithSource",
                                        "clBuildProgram",
                                        "clCreateKernel",
                                        "clSetKernelArg",
                                        "clEnqueueNDRangeKernel",
                                        "clFinish",
                                        "clFlush",
                                        "clWaitForEvents",
                                        "clGetEventProfilingInfo",
                                        "clReleaseMemObject",
                                        "clReleaseEvent"};
    fault_bench *bench = *state;
    const size_t blocks = test_allocator_live(&bench->memory), step = test_effort() < 1 ? 3 : 1;
    size_t called = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i += step) {
        plan(bench, names[i], 1, 1, OUT_OF_RESOURCES);
        (void)use_all(bench, (int)(i & 1));
        called += bench->get_count().failures > 0;
        assert_nothing_left(bench, blocks);
    }
    assert_true(called > 3);
}

/* Kernels that the device's compiler refuses: opening fails, and the message has the compiler's. */
static void test_build_failure(void **state)
{
    fault_bench *bench = *state;
    const size_t blocks = test_allocator_live(&bench->memory);
    tumble_status status;
    plan(bench, "clBuildProgram", 1, 1, BUILD_PROGRAM_FAILURE);
    assert_null(open_device(bench, 0, &status));
    test_assert_status(bench->context, status, TUMBLE_ERROR_DEVICE, "");
    const fault_plan nonsense = {.build_options = "-Dbarrier=no_such_function"};
    bench->set_plan(&nonsense);
    assert_null(open_device(bench, 1, &status));
    test_assert_status(bench->context, status, TUMBLE_ERROR_DEVICE, "no_such_function");
    bench->set_plan(NULL);
    assert_nothing_left(bench, blocks);
}

/* A compiler that is told to be careless: the device is refused, or its answers are right all the same. */
static void test_careless_arithmetic(void **state)
{
    static const char *const options[] = {"-cl-fast-relaxed-math", "-cl-denorms-are-zero",
                                          "-cl-single-precision-constant", "-cl-finite-math-only",
                                          "-cl-unsafe-math-optimizations -cl-mad-enable"};
    const size_t count = test_effort() > 1 ? sizeof options / sizeof *options : test_effort() < 1 ? 1 : 3;
    fault_bench *bench = *state;
    const size_t blocks = test_allocator_live(&bench->memory);
    for (size_t i = 0; i < count; i++) {
        const fault_plan careless = {.build_options = options[i]};
        tumble_status status;
        bench->set_plan(&careless);
        tumble_device *device = open_device(bench, 0, &status);
        print_message("%s: %s\n", options[i], device ? "opened" : test_message(bench->context));
        assert_true(device ? use_device(bench, device, 0) : status == TUMBLE_ERROR_DEVICE);
        tumble_device_close(device);
        assert_nothing_left(bench, blocks);
    }
    bench->set_plan(NULL);
}

/* Without OpenCL there is the pool. */
static void test_no_library(void **state)
{
    static const char *const paths[] = {"/no/such/library.so", "libm.so.6"};
    fault_bench *bench = *state;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        uint32_t count = 0;
        tumble_status status;
        tumble_device_info info;
        assert_int_equal(setenv("TUMBLE_OPENCL_LIBRARY", paths[i], 1), 0);
        assert_int_equal(tumble_device_count(bench->context, &count), TUMBLE_OK);
        assert_int_equal(count, 1);
        assert_int_equal(tumble_device_describe(bench->context, 0, &info), TUMBLE_OK);
        assert_int_equal(info.kind, TUMBLE_DEVICE_CPU);
        assert_int_equal(tumble_device_describe(bench->context, 1, &info), TUMBLE_ERROR_ARGUMENT);
        assert_null(open_device(bench, 0, &status));
        assert_int_equal(status, TUMBLE_ERROR_ARGUMENT);
    }
    assert_int_equal(setenv("TUMBLE_OPENCL_LIBRARY", TUMBLE_FAULT_OPENCL, 1), 0);
}

/* With little memory: it works, or says that there is too little. */
static void test_memory_limit(void **state)
{
    fault_bench *bench = *state;
    size_t refused = 0, worked = 0;
    bench->set_plan(NULL);
    for (int bits = 0; bits < 34; bits += test_effort() < 1 ? 8 : 3) {
        tumble_device_options options = tumble_default_device_options();
        tumble_device *device = NULL;
        options.memory_limit = (uint64_t)1 << bits;
        const tumble_status status = tumble_device_open(bench->context, 1, &options, &device);
        assert_true(status == TUMBLE_OK || status == TUMBLE_ERROR_MEMORY);
        if (device && use_device(bench, device, 0)) {
            worked++;
        } else {
            refused++;
        }
        tumble_device_close(device);
    }
    print_message("memory limits: worked %zu times, refused %zu times\n", worked, refused);
    assert_true(worked > 0 && refused > 0);
    assert_int_equal(bench->get_count().live, 0);
}

/* The n-th allocation of this machine's memory fails. */
static void test_host_memory(void **state)
{
    fault_bench *bench = *state;
    tumble_status status;
    bench->set_plan(NULL);
    tumble_device *device = open_device(bench, 0, &status);
    assert_non_null(device);
    assert_true(use_device(bench, device, 0)); /* room that is kept is there */
    const size_t step = test_effort() < 1 ? 5 : 1;
    size_t call = 1;
    for (size_t failures = 1; failures; call += step) {
        tumble_model_pair pair = {NULL, NULL};
        test_allocator_fail(&bench->memory, call, 0);
        if (tumble_device_add_model(device, bench->models[0][0], &pair.a) == TUMBLE_OK &&
            tumble_device_add_model(device, bench->models[0][1], &pair.b) == TUMBLE_OK) {
            room out;
            tumble_ticket ticket;
            const tumble_batch batch = batch_of(bench, call % BATCHES, &pair, &out);
            status = tumble_device_submit(device, &batch, DEVICE_LIMIT_SECONDS, &ticket);
            status = status == TUMBLE_OK ? take(bench, device, ticket, &batch, &out, 0) : status;
            assert_true(status == TUMBLE_OK || status == TUMBLE_ERROR_MEMORY);
        } else {
            assert_int_equal(tumble_last_error(bench->context, NULL, 0), TUMBLE_ERROR_MEMORY);
        }
        failures = test_allocator_failures(&bench->memory);
        test_allocator_fail(&bench->memory, 0, 0);
        tumble_device_remove_model(pair.a);
        tumble_device_remove_model(pair.b);
    }
    print_message("%zu allocations failed\n", (call - 1) / step);
    assert_true(use_device(bench, device, 0));
    tumble_device_close(device);
    assert_int_equal(bench->get_count().live, 0);
}

/* Closing while work is under way, on a device that works and on one that does not any more. */
static void test_closing_at_work(void **state)
{
    fault_bench *bench = *state;
    const size_t blocks = test_allocator_live(&bench->memory);
    for (size_t round = 0; round < 4; round++) {
        tumble_status status;
        tumble_model_pair pair;
        room rooms[BATCHES];
        bench->set_plan(NULL);
        tumble_device *device = open_device(bench, (int)(round & 1), &status);
        assert_non_null(device);
        assert_int_equal(tumble_device_add_model(device, bench->models[0][0], &pair.a), TUMBLE_OK);
        assert_int_equal(tumble_device_add_model(device, bench->models[0][1], &pair.b), TUMBLE_OK);
        if (round >= 2) {
            plan(bench, NULL, 5 * round, 1, OUT_OF_RESOURCES);
        }
        for (size_t i = 0; i < BATCHES; i++) {
            tumble_ticket ticket;
            const tumble_batch batch = batch_of(bench, i, &pair, &rooms[i]);
            assert_int_equal(tumble_device_submit(device, &batch, 0, &ticket), TUMBLE_OK);
        }
        tumble_device_close(device);
        assert_nothing_left(bench, blocks);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_faults), cmocka_unit_test(test_opening),
        cmocka_unit_test(test_each_call),      cmocka_unit_test(test_each_call_with_retries),
        cmocka_unit_test(test_lost_device),    cmocka_unit_test(test_each_function),
        cmocka_unit_test(test_build_failure),  cmocka_unit_test(test_careless_arithmetic),
        cmocka_unit_test(test_no_library),     cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_host_memory),    cmocka_unit_test(test_closing_at_work),
    };
    (void)setenv("TUMBLE_OPENCL_LIBRARY", TUMBLE_FAULT_OPENCL, 1);
    return DEVICE_RUN(tests, begin, end);
}
