/* The basis of OpenCL devices: finding them, building programs, comparing arithmetic, memory for models. Needs one
 * OpenCL device, such as PoCL; TUMBLE_TEST_OPENCL=none leaves out what does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/opencl/opencl.h"
#include "device_cases.h"
#include "scenes.h"

/* ---- A device for each test ---- */

typedef struct cl_world {
    test_allocator memory;
    tumble_context *context;
    tmb_opencl *opencl;
    char logged[512];
} cl_world;

static void keep(void *user, tumble_status status, const char *message)
{
    cl_world *w = user;
    snprintf(w->logged, sizeof w->logged, "%d: %s", (int)status, message);
}

static int context_begin(void **state)
{
    cl_world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    test_allocator_begin(&w->memory);
    tumble_context_options options = test_context_options(&w->memory, 1, TUMBLE_SIMD_AUTO);
    options.log = keep;
    options.log_user = w;
    assert_int_equal(tumble_context_create(&options, &w->context), TUMBLE_OK);
    *state = w;
    return 0;
}

static int context_end(void **state)
{
    cl_world *w = *state;
    tmb_opencl_stop(w->opencl);
    tumble_context_destroy(w->context);
    test_allocator_end(&w->memory);
    free(w);
    return 0;
}

static void start(cl_world *w, uint64_t memory_limit, int without_doubles)
{
    const tumble_device_options options = {.memory_limit = memory_limit, .without_doubles = without_doubles};
    assert_null(w->opencl);
    if (tmb_opencl_start(w->context, 0, &options, &w->opencl) != TUMBLE_OK) {
        fail_msg("%s", test_message(w->context));
    }
    assert_non_null(w->opencl);
    assert_int_equal(w->opencl->used_bytes, 0);
}

static int device_begin(void **state)
{
    context_begin(state);
    start(*state, 0, 0);
    return 0;
}

#define TEST_WITH_CONTEXT(test) cmocka_unit_test_setup_teardown(test, context_begin, context_end)
#define TEST_WITH_DEVICE(test) cmocka_unit_test_setup_teardown(test, device_begin, context_end)

/* ---- Finding devices ---- */

static void test_no_library(void **state)
{
    cl_world *w = *state;
    const tumble_device_options options = {0};
    tumble_device_info info;
    setenv("TUMBLE_OPENCL_LIBRARY", "/nonexistent/libOpenCL.so", 1);
    assert_int_equal(tmb_opencl_count(w->context), 0);
    test_assert_status(w->context, tmb_opencl_describe(w->context, 0, &info), TUMBLE_ERROR_ARGUMENT, "/nonexistent");
    test_assert_status(w->context, tmb_opencl_start(w->context, 0, &options, &w->opencl), TUMBLE_ERROR_ARGUMENT,
                       "there is no OpenCL device 0");
    assert_null(w->opencl);
    /* A library, but another one. */
    setenv("TUMBLE_OPENCL_LIBRARY", "libm.so.6", 1);
    assert_int_equal(tmb_opencl_count(w->context), 0);
    test_assert_status(w->context, tmb_opencl_describe(w->context, 0, &info), TUMBLE_ERROR_ARGUMENT,
                       "libm.so.6 has no function clGetPlatformIDs");
    unsetenv("TUMBLE_OPENCL_LIBRARY");
}

/* A machine with four platforms. The first fails, the second has no device, the third has five, of which three are of
 * no use, and the fourth has one. Platforms and devices are pointers into these. */
static char fake_platforms[4], fake_devices[6];

static cl_int CL_API_CALL fake_get_platforms(cl_uint capacity, cl_platform_id *platforms, cl_uint *count)
{
    for (cl_uint i = 0; i < 4 && i < capacity; i++) {
        platforms[i] = (cl_platform_id)(void *)&fake_platforms[i];
    }
    *count = 4;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL fake_no_platforms(cl_uint capacity, cl_platform_id *platforms, cl_uint *count)
{
    (void)capacity, (void)platforms;
    *count = 7;
    return -1001; /* CL_PLATFORM_NOT_FOUND_KHR */
}

static cl_int CL_API_CALL fake_get_devices(cl_platform_id platform, cl_device_type type, cl_uint capacity,
                                           cl_device_id *devices, cl_uint *count)
{
    const size_t number = (size_t)((char *)(void *)platform - fake_platforms);
    const cl_uint first = number == 2 ? 0 : 5, end = number == 2 ? 5 : 6;
    assert_int_equal(type, CL_DEVICE_TYPE_ALL);
    *count = 3; /* not to be believed when it fails */
    if (number == 0) {
        return CL_OUT_OF_HOST_MEMORY;
    }
    if (number == 1) {
        return CL_DEVICE_NOT_FOUND;
    }
    for (cl_uint i = first; i < end && i < capacity; i++) {
        devices[i - first] = (cl_device_id)(void *)&fake_devices[i];
    }
    *count = end - first;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL fake_device_info(cl_device_id device, cl_device_info what, size_t capacity, void *value,
                                           size_t *size)
{
    const size_t number = (size_t)((char *)(void *)device - fake_devices);
    if (what == CL_DEVICE_VERSION) {
        const char *const versions[] = {"OpenCL 1.1 old",  "OpenCL 1.2 fit", "OpenCL 3.0 absent",
                                        "OpenCL 2.0 dumb", "OpenCL 3.0 fit", "OpenCL 1.2 fit"};
        snprintf(value, capacity, "%s", versions[number]);
        return CL_SUCCESS;
    }
    if (what == CL_DEVICE_AVAILABLE || what == CL_DEVICE_COMPILER_AVAILABLE || what == CL_DEVICE_ENDIAN_LITTLE) {
        const cl_bool answer =
            !(number == 2 && what == CL_DEVICE_AVAILABLE) && !(number == 3 && what == CL_DEVICE_COMPILER_AVAILABLE);
        memcpy(value, &answer, sizeof answer);
        *size = sizeof answer;
        return CL_SUCCESS;
    }
    return CL_INVALID_VALUE;
}

static void test_find(void **state)
{
    (void)state;
    tmb_opencl_choice choice = {NULL, NULL};
    tmb_opencl_api api = {
        .clGetPlatformIDs = fake_get_platforms,
        .clGetDeviceIDs = fake_get_devices,
        .clGetDeviceInfo = fake_device_info,
    };
    const int expected[] = {1, 4, 5};
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(tmb_opencl_find(&api, i, &choice), 3);
        assert_ptr_equal(choice.device, &fake_devices[expected[i]]);
        assert_ptr_equal(choice.platform, &fake_platforms[i < 2 ? 2 : 3]);
    }
    choice.device = NULL;
    assert_int_equal(tmb_opencl_find(&api, 3, &choice), 3);
    assert_int_equal(tmb_opencl_find(&api, UINT32_MAX, &choice), 3);
    assert_null(choice.device);
    /* What is not answered is 0, and is no property. */
    assert_int_equal(tmb_opencl_device_number(&api, (cl_device_id)(void *)fake_devices, CL_DEVICE_MAX_COMPUTE_UNITS),
                     0);
    assert_false(tmb_opencl_device_has_doubles(&api, (cl_device_id)(void *)fake_devices));
    assert_false(tmb_opencl_device_is_gpu(&api, (cl_device_id)(void *)fake_devices));
    api.clGetPlatformIDs = fake_no_platforms;
    assert_int_equal(tmb_opencl_find(&api, 0, &choice), 0);
}

static void test_describe(void **state)
{
    cl_world *w = *state;
    const uint32_t count = tmb_opencl_count(w->context);
    if (count == 0) {
        fail_msg("no OpenCL device was found: install pocl-opencl-icd, or set TUMBLE_TEST_OPENCL=none");
    }
    for (uint32_t i = 0; i < count; i++) {
        tumble_device_info info;
        assert_int_equal(tmb_opencl_describe(w->context, i, &info), TUMBLE_OK);
        assert_int_equal(info.kind, TUMBLE_DEVICE_OPENCL);
        assert_true(strlen(info.name) > 0 && strlen(info.name) < sizeof info.name);
        assert_true(strlen(info.platform) > 0);
        assert_memory_equal(info.version, "OpenCL ", 7);
        assert_true(info.unit_count > 0 && info.memory_bytes > 0);
    }
    tumble_device_info info;
    test_assert_status(w->context, tmb_opencl_describe(w->context, count, &info), TUMBLE_ERROR_ARGUMENT, "found");
    const tumble_device_options options = {0};
    test_assert_status(w->context, tmb_opencl_start(w->context, count, &options, &w->opencl), TUMBLE_ERROR_ARGUMENT,
                       "there is no OpenCL device");
    assert_null(w->opencl);
}

/* ---- Programs ---- */

static void test_start(void **state)
{
    cl_world *w = *state;
    tumble_device_info info;
    assert_int_equal(tmb_opencl_describe(w->context, 0, &info), TUMBLE_OK);
    assert_string_equal(w->opencl->name, info.name);
    assert_int_equal(w->opencl->doubles, info.has_doubles);
    assert_int_equal(w->opencl->is_gpu, info.is_gpu);
    assert_int_equal(w->opencl->unit_count, info.unit_count);
    assert_int_equal(w->opencl->memory_bytes, info.memory_bytes);
    assert_true(w->opencl->largest_buffer > 0 && w->opencl->largest_buffer <= w->opencl->memory_bytes);
    assert_true(w->opencl->local_bytes > 0 && w->opencl->largest_group > 0);
    cl_kernel kernel;
    assert_int_equal(tmb_opencl_kernel(w->opencl, "tmb_check_floats", &kernel), TUMBLE_OK);
    w->opencl->api.clReleaseKernel(kernel);
    test_assert_status(w->context, tmb_opencl_kernel(w->opencl, "no_such_kernel", &kernel), TUMBLE_ERROR_DEVICE,
                       "no_such_kernel");
    assert_null(kernel);
}

static void test_without_doubles(void **state)
{
    cl_world *w = *state;
    cl_kernel kernel;
    start(w, 0, 1);
    assert_int_equal(w->opencl->doubles, 0);
    assert_int_equal(tmb_opencl_kernel(w->opencl, "tmb_check_floats", &kernel), TUMBLE_OK);
    w->opencl->api.clReleaseKernel(kernel);
    assert_int_equal(tmb_opencl_kernel(w->opencl, "tmb_check_doubles", &kernel), TUMBLE_ERROR_DEVICE);
}

/* Every allocation fails in turn: nothing stays, and the next attempt works. */
static void test_start_out_of_memory(void **state)
{
    cl_world *w = *state;
    const tumble_device_options options = {0};
    size_t call = 0;
    tumble_status status = TUMBLE_ERROR_MEMORY;
    while (status != TUMBLE_OK) {
        const size_t live = test_allocator_live(&w->memory);
        test_allocator_fail(&w->memory, ++call, 0);
        status = tmb_opencl_start(w->context, 0, &options, &w->opencl);
        if (status != TUMBLE_OK) {
            assert_int_equal(status, TUMBLE_ERROR_MEMORY);
            assert_null(w->opencl);
            assert_int_equal(test_allocator_live(&w->memory), live);
        }
        assert_true(call < 100);
    }
    assert_true(call > 1);
    test_allocator_fail(&w->memory, 0, 0);
}

static void test_error(void **state)
{
    cl_world *w = *state;
    assert_int_equal(tmb_opencl_error(w->opencl, CL_SUCCESS, "do nothing"), TUMBLE_OK);
    test_assert_status(w->context, tmb_opencl_error(w->opencl, CL_OUT_OF_RESOURCES, "try this"), TUMBLE_ERROR_MEMORY,
                       "failed to try this: CL_OUT_OF_RESOURCES (-5)");
    test_assert_status(w->context, tmb_opencl_error(w->opencl, CL_MEM_OBJECT_ALLOCATION_FAILURE, "try"),
                       TUMBLE_ERROR_MEMORY, w->opencl->name);
    test_assert_status(w->context, tmb_opencl_error(w->opencl, CL_OUT_OF_HOST_MEMORY, "try"), TUMBLE_ERROR_MEMORY,
                       "CL_OUT_OF_HOST_MEMORY");
    test_assert_status(w->context, tmb_opencl_error(w->opencl, CL_DEVICE_NOT_AVAILABLE, "try"), TUMBLE_ERROR_DEVICE,
                       "CL_DEVICE_NOT_AVAILABLE");
    test_assert_status(w->context, tmb_opencl_error(w->opencl, -9999, "try"), TUMBLE_ERROR_DEVICE,
                       "an unknown error (-9999)");
}

static void test_build_failure(void **state)
{
    cl_world *w = *state;
    const char *const texts[] = {tmb_opencl_texts[0], "__kernel void wrong(void) { undeclared_thing = 1; }\n"};
    const size_t sizes[] = {tmb_opencl_text_sizes[0], strlen(texts[1])};
    cl_program program;
    test_assert_status(w->context, tmb_opencl_build(w->opencl, texts, sizes, 2, 0, &program), TUMBLE_ERROR_DEVICE,
                       "undeclared_thing");
    assert_null(program);
    assert_non_null(strstr(test_message(w->context), w->opencl->name));
}

/* ---- Arithmetic ---- */

/* arithmetic.cl with one text in place of another. */
static char *change_text(const char *old, const char *new, size_t *changed_size)
{
    const size_t size = tmb_opencl_text_sizes[0], old_size = strlen(old), new_size = strlen(new);
    char *text = malloc(size + new_size + 1);
    assert_non_null(text);
    memcpy(text, tmb_opencl_texts[0], size);
    text[size] = '\0';
    char *at = strstr(text, old);
    assert_non_null(at);
    const size_t before = (size_t)(at - text);
    memmove(at + new_size, at + old_size, size - before - old_size);
    memcpy(at, new, new_size);
    *changed_size = size - old_size + new_size;
    return text;
}

static int compare_changed(cl_world *w, const char *old, const char *new, int doubles, char *reason, size_t capacity)
{
    size_t size;
    char *text = change_text(old, new, &size);
    const char *const texts[] = {text};
    cl_program program;
    int same = -1;
    if (tmb_opencl_build(w->opencl, texts, &size, 1, w->opencl->doubles, &program) != TUMBLE_OK) {
        fail_msg("%s", test_message(w->context));
    }
    assert_int_equal(tmb_opencl_try_arithmetic(w->opencl, program, doubles, &same, reason, capacity), TUMBLE_OK);
    w->opencl->api.clReleaseProgram(program);
    free(text);
    return same;
}

/* Each of these is a way in which a device could compute otherwise, and is found. */
static void test_arithmetic(void **state)
{
    static const struct {
        const char *old, *new, *words;
        int doubles;
    } cases[] = {
        {"a * b + c", "a * b + c", NULL, 1},
        {"a * b + c", "a * b + c", NULL, 0},
        {"out[3] = a * b + c;", "out[3] = fma(a, b, c);", "a * b + c", 0},
        {"((a * b + b * c)", "(fma(a, b, b * c)", "c * a", 0},
        {"out[2] = a * b;", "out[2] = fabs(a * b) < 0x1p-126f ? 0 : a * b;", "a * b", 0},
        {"out[0] = a + b;", "out[0] = fabs(a) < 0x1p-126f ? b : a + b;", "a + b", 0},
        {"(a == 0 ? 8", "(fabs(a) < 0x1p-126f ? 8", "the order", 0},
        {"out[1] = a - b;", "out[1] = nextafter(a - b, (type)0);", "a - b", 0},
        {"(double)(float)a)", "(double)convert_float_rtz(a))", "the conversion of a to float", 1},
        {"(double)(float)a)", "fabs(a) < 0x1p-126 ? a * 0.0 : (double)(float)a)", "the conversion", 1},
        {"((a * b + b * c) + c * a)", "fma(c, a, a * b + b * c)", "c * a", 1},
        {"((a * b + b * c) + c * a)", "(a * b + (b * c + c * a))", "c * a", 1},
    };
    cl_world *w = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char reason[384] = "";
        if (cases[i].doubles && !w->opencl->doubles) {
            continue;
        }
        const int same = compare_changed(w, cases[i].old, cases[i].new, cases[i].doubles, reason, sizeof reason);
        if (same != (cases[i].words == NULL)) {
            fail_msg("%s: same is %d (%s)", cases[i].new, same, reason);
        }
        if (cases[i].words && !strstr(reason, cases[i].words)) {
            fail_msg("%s: the reason is %s", cases[i].new, reason);
        }
    }
}

/* Doubles that are not right are not used, and the log hears of it; floats that are not right are a failure. */
static void test_wrong_arithmetic(void **state)
{
    cl_world *w = *state;
    tmb_opencl *opencl = w->opencl;
    size_t size;
    char *text = change_text("(double)(float)a)", "(double)convert_float_rtz(a))", &size);
    const char *const texts[] = {text};
    if (opencl->doubles) {
        opencl->api.clReleaseProgram(opencl->program);
        assert_string_equal(w->logged, "");
        assert_int_equal(tmb_opencl_make_program(opencl, texts, &size, 1, 1), TUMBLE_OK);
        assert_int_equal(opencl->doubles, 0);
        assert_non_null(opencl->program);
        assert_non_null(strstr(w->logged, "does not compute in double as this machine does"));
        assert_int_equal(tumble_last_error(w->context, NULL, 0), TUMBLE_OK);
    }
    free(text);
    text = change_text("out[3] = a * b + c;", "out[3] = fma(a, b, c);", &size);
    opencl->api.clReleaseProgram(opencl->program);
    const char *const other_texts[] = {text};
    test_assert_status(w->context, tmb_opencl_make_program(opencl, other_texts, &size, 1, 1), TUMBLE_ERROR_DEVICE,
                       "does not compute in float as this machine does: a * b + c is ");
    assert_null(opencl->program);
    free(text);
}

/* ---- Memory ---- */

/* Bytes that tell the model that they belong to. */
static unsigned char byte_of(size_t model, size_t i)
{
    return (unsigned char)((model * 2654435761U + i * 40503U) >> 8);
}

typedef struct placed {
    size_t model, size;
    uint64_t offset;
} placed;

static tumble_status add(cl_world *w, placed *p)
{
    unsigned char *bytes = malloc(p->size);
    assert_non_null(bytes);
    for (size_t i = 0; i < p->size; i++) {
        bytes[i] = byte_of(p->model, i);
    }
    const tumble_status status = tmb_opencl_memory_add(w->opencl, bytes, p->size, &p->offset);
    free(bytes);
    return status;
}

static void check_contents(cl_world *w, const placed *p)
{
    unsigned char *bytes = malloc(p->size);
    assert_non_null(bytes);
    const cl_mem models = tmb_opencl_memory_lock(w->opencl);
    assert_true(p->offset % TMB_OPENCL_ALIGNMENT == 0 && p->offset + p->size <= w->opencl->models_size);
    assert_int_equal(w->opencl->api.clEnqueueReadBuffer(w->opencl->queue, models, CL_TRUE, (size_t)p->offset, p->size,
                                                        bytes, 0, NULL, NULL),
                     CL_SUCCESS);
    tmb_opencl_memory_unlock(w->opencl);
    for (size_t i = 0; i < p->size; i++) {
        if (bytes[i] != byte_of(p->model, i)) {
            fail_msg("model %zu of %zu bytes at %llu: byte %zu is %u", p->model, p->size, (unsigned long long)p->offset,
                     i, bytes[i]);
        }
    }
    free(bytes);
}

/* Places are found again, and first ones first. */
static void test_places(void **state)
{
    cl_world *w = *state;
    placed p[4] = {{0, 1000, 0}, {1, 256, 0}, {2, 257, 0}, {3, 1, 0}};
    assert_null(tmb_opencl_memory_lock(w->opencl));
    tmb_opencl_memory_unlock(w->opencl);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(add(w, &p[i]), TUMBLE_OK);
    }
    const uint64_t offsets[] = {0, 1024, 1280, 1792};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(p[i].offset, offsets[i]);
        check_contents(w, &p[i]);
    }
    tmb_opencl_memory_remove(w->opencl, p[1].offset);
    tmb_opencl_memory_remove(w->opencl, p[2].offset);
    placed large = {5, 769, 0}, fitting = {6, 768, 0};
    assert_int_equal(add(w, &large), TUMBLE_OK);
    assert_int_equal(add(w, &fitting), TUMBLE_OK);
    assert_int_equal(large.offset, 2048);
    assert_int_equal(fitting.offset, 1024);
    tmb_opencl_memory_remove(w->opencl, 0);
    placed first = {7, 1000, 0};
    assert_int_equal(add(w, &first), TUMBLE_OK);
    assert_int_equal(first.offset, 0);
    check_contents(w, &first);
    check_contents(w, &fitting);
    check_contents(w, &large);
    check_contents(w, &p[3]);
    assert_int_equal(w->opencl->place_count, 4);
    test_assert_status(w->context, tmb_opencl_memory_add(w->opencl, "", 0, &first.offset), TUMBLE_ERROR_ARGUMENT,
                       "0 bytes");
}

/* Models of all sizes come and go, and the buffer grows under them. */
static void test_growth(void **state)
{
    enum {
        MODELS = 24
    };
    cl_world *w = *state;
    test_random random = {7};
    placed p[MODELS] = {{0, 0, 0}};
    size_t growths = 0, steps = test_count(300);
    cl_mem before = NULL;
    for (size_t step = 1; step <= steps; step++) {
        placed *one = &p[test_random_whole(&random, 0, MODELS - 1)];
        if (one->size) {
            check_contents(w, one);
            tmb_opencl_memory_remove(w->opencl, one->offset);
            one->size = 0;
            continue;
        }
        *one = (placed){step, (size_t)1 << test_random_whole(&random, 0, 18), 0};
        one->size += (size_t)test_random_whole(&random, 0, 300);
        assert_int_equal(add(w, one), TUMBLE_OK);
        growths += w->opencl->models != before;
        before = w->opencl->models;
        assert_int_equal(w->opencl->used_bytes, w->opencl->models_size);
    }
    for (size_t i = 0; i < MODELS; i++) {
        if (p[i].size) {
            check_contents(w, &p[i]);
            for (size_t j = 0; j < i; j++) {
                assert_true(!p[j].size || p[i].offset + p[i].size <= p[j].offset ||
                            p[j].offset + p[j].size <= p[i].offset);
            }
        }
    }
    placed large = {1000, 3000000, 0};
    assert_int_equal(add(w, &large), TUMBLE_OK);
    check_contents(w, &large);
    assert_true(growths > 0 && w->opencl->models != before);
}

/* The limit holds for everything, failures change nothing, and what is removed can be used again. */
static void test_limit(void **state)
{
    cl_world *w = *state;
    const uint64_t limit = 3 << 20;
    cl_mem buffer;
    start(w, limit, 0);
    assert_int_equal(w->opencl->memory_bytes, limit);
    placed small = {1, 500000, 0}, large = {2, 2900000, 0}, too_large = {3, (3 << 20) + 1, 0};
    assert_int_equal(add(w, &small), TUMBLE_OK);
    const uint64_t used = w->opencl->used_bytes;
    test_assert_status(w->context, add(w, &large), TUMBLE_ERROR_MEMORY, "of 3145728 are in use");
    test_assert_status(w->context, add(w, &too_large), TUMBLE_ERROR_MEMORY, "no room of 3145729 bytes for a model");
    assert_int_equal(w->opencl->used_bytes, used);
    assert_int_equal(w->opencl->place_count, 1);
    check_contents(w, &small);
    test_assert_status(w->context, tmb_opencl_buffer(w->opencl, CL_MEM_READ_WRITE, limit, "the stacks", &buffer),
                       TUMBLE_ERROR_MEMORY, "for the stacks");
    assert_null(buffer);
    tmb_opencl_memory_remove(w->opencl, small.offset);
    assert_int_equal(add(w, &large), TUMBLE_OK);
    check_contents(w, &large);
    tmb_opencl_memory_remove(w->opencl, large.offset);
    assert_int_equal(w->opencl->place_count, 0);
    assert_int_equal(tmb_opencl_buffer(w->opencl, CL_MEM_READ_WRITE, 1000, "the stacks", &buffer), TUMBLE_OK);
    assert_int_equal(w->opencl->used_bytes, w->opencl->models_size + 1000);
    tmb_opencl_release_buffer(w->opencl, buffer, 1000);
    assert_int_equal(w->opencl->used_bytes, w->opencl->models_size);
}

/* A device that fails to upload: the models that are there stay. */
static cl_int CL_API_CALL fail_to_write(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                        size_t size, const void *bytes, cl_uint count, const cl_event *list,
                                        cl_event *event)
{
    (void)queue, (void)buffer, (void)blocking, (void)offset, (void)size, (void)bytes, (void)count, (void)list;
    (void)event;
    return CL_MEM_OBJECT_ALLOCATION_FAILURE;
}

static cl_int CL_API_CALL fail_to_copy(cl_command_queue queue, cl_mem from, cl_mem to, size_t a, size_t b, size_t size,
                                       cl_uint count, const cl_event *list, cl_event *event)
{
    (void)queue, (void)from, (void)to, (void)a, (void)b, (void)size, (void)count, (void)list, (void)event;
    return CL_DEVICE_NOT_AVAILABLE;
}

static void test_upload_failure(void **state)
{
    cl_world *w = *state;
    placed small = {1, 70000, 0}, other = {2, 80000, 0}, large = {3, 2000000, 0};
    assert_int_equal(add(w, &small), TUMBLE_OK);
    const tmb_opencl_api api = w->opencl->api;
    const uint64_t used = w->opencl->used_bytes;
    w->opencl->api.clEnqueueWriteBuffer = fail_to_write;
    test_assert_status(w->context, add(w, &other), TUMBLE_ERROR_MEMORY, "upload a model");
    test_assert_status(w->context, add(w, &large), TUMBLE_ERROR_MEMORY, "CL_MEM_OBJECT_ALLOCATION_FAILURE");
    w->opencl->api.clEnqueueCopyBuffer = fail_to_copy;
    test_assert_status(w->context, add(w, &large), TUMBLE_ERROR_DEVICE, "copy the models");
    w->opencl->api = api;
    assert_int_equal(w->opencl->used_bytes, used);
    assert_int_equal(w->opencl->place_count, 1);
    test_allocator_fail(&w->memory, 1, 1);
    w->opencl->places.capacity = sizeof(tmb_opencl_place); /* as if it were full */
    test_assert_status(w->context, add(w, &other), TUMBLE_ERROR_MEMORY, "the place of a model");
    test_allocator_fail(&w->memory, 0, 0);
    check_contents(w, &small);
    assert_int_equal(add(w, &large), TUMBLE_OK);
    check_contents(w, &small);
    check_contents(w, &large);
}

/* Several threads add, look and remove at once. */
typedef struct visitor {
    cl_world *w;
    size_t number;
} visitor;

static void *visit(void *argument)
{
    const visitor *v = argument;
    test_random random = {v->number};
    const size_t rounds = test_count(40);
    for (size_t i = 0; i < rounds; i++) {
        placed p = {100 * v->number + i, (size_t)test_random_whole(&random, 1, 200000), 0};
        assert_int_equal(add(v->w, &p), TUMBLE_OK);
        check_contents(v->w, &p);
        tmb_opencl_memory_remove(v->w->opencl, p.offset);
    }
    return NULL;
}

static void test_threads(void **state)
{
    cl_world *w = *state;
    pthread_t threads[4];
    visitor visitors[4];
    placed stays = {9999, 1000, 0};
    assert_int_equal(add(w, &stays), TUMBLE_OK);
    for (size_t i = 0; i < 4; i++) {
        visitors[i] = (visitor){w, i};
        assert_int_equal(pthread_create(&threads[i], NULL, visit, &visitors[i]), 0);
    }
    for (size_t i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    check_contents(w, &stays);
    assert_int_equal(w->opencl->place_count, 1);
}

/* Messages name the codes of OpenCL 1.2, each by a name of its own. */
static void test_code_names(void **state)
{
    (void)state;
    const char *names[65];
    size_t known = 0;
    for (cl_int code = 0; code >= -64; code--) {
        names[-code] = tmb_opencl_code_name(code);
        const int is_known = strncmp(names[-code], "CL_", 3) == 0;
        assert_true(is_known || strcmp(names[-code], "an unknown error") == 0);
        for (cl_int other = 0; is_known && other > code; other--) {
            assert_string_not_equal(names[-code], names[-other]);
        }
        known += (size_t)is_known;
    }
    assert_true(known >= 40);
    assert_string_equal(names[0], "CL_SUCCESS");
    assert_string_equal(names[5], "CL_OUT_OF_RESOURCES");
    assert_string_equal(names[36], "CL_INVALID_COMMAND_QUEUE");
    assert_string_equal(names[63], "CL_INVALID_GLOBAL_WORK_SIZE");
    assert_string_equal(tmb_opencl_code_name(7), "an unknown error");
}

int main(void)
{
    const struct CMUnitTest without_device[] = {
        TEST_WITH_CONTEXT(test_no_library),
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_code_names),
    };
    const struct CMUnitTest with_device[] = {
        TEST_WITH_CONTEXT(test_describe),
        TEST_WITH_DEVICE(test_start),
        TEST_WITH_CONTEXT(test_without_doubles),
        TEST_WITH_CONTEXT(test_start_out_of_memory),
        TEST_WITH_DEVICE(test_error),
        TEST_WITH_DEVICE(test_build_failure),
        TEST_WITH_DEVICE(test_arithmetic),
        TEST_WITH_DEVICE(test_wrong_arithmetic),
        TEST_WITH_DEVICE(test_places),
        TEST_WITH_DEVICE(test_growth),
        TEST_WITH_CONTEXT(test_limit),
        TEST_WITH_DEVICE(test_upload_failure),
        TEST_WITH_DEVICE(test_threads),
    };
    int failures = cmocka_run_group_tests_name("without a device", without_device, NULL, NULL);
    if (!device_has_opencl()) {
        printf("TUMBLE_TEST_OPENCL=none: nothing runs on an OpenCL device\n");
    } else {
        failures += cmocka_run_group_tests_name("on a device", with_device, NULL, NULL);
    }
    return failures;
}
