/* Contexts: options, errors, messages, the log, and the names of things. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes.h"

static void *no_memory(void *user, size_t size, size_t alignment)
{
    (void)user, (void)size, (void)alignment;
    return NULL;
}

static void *plain_allocate(void *user, size_t size, size_t alignment)
{
    void *block = NULL;
    *(int *)user |= alignment == 0 || alignment > 64 || (alignment & (alignment - 1)) != 0 || size == 0;
    return posix_memalign(&block, alignment < sizeof(void *) ? sizeof(void *) : alignment, size) == 0 ? block : NULL;
}

static void plain_release(void *user, void *block)
{
    (void)user;
    free(block);
}

static void refuse(const tumble_context_options *options, tumble_status status)
{
    tumble_context *context = (tumble_context *)(void *)&context; /* must be overwritten */
    assert_int_equal(tumble_context_create(options, &context), status);
    assert_null(context);
}

static void test_options(void **state)
{
    (void)state;
    tumble_context *context = NULL;
    assert_int_equal(tumble_context_create(NULL, NULL), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_context_create(NULL, &context), TUMBLE_OK);
    assert_true(tumble_context_simd(context) != TUMBLE_SIMD_AUTO);
    tumble_context_destroy(context);

    tumble_context_options o = tumble_default_context_options();
    o.simd = (tumble_simd)4;
    refuse(&o, TUMBLE_ERROR_ARGUMENT);
    o = tumble_default_context_options(), o.simd = (tumble_simd)-1;
    refuse(&o, TUMBLE_ERROR_ARGUMENT);
    o = tumble_default_context_options(), o.allocator.allocate = no_memory; /* but no release */
    refuse(&o, TUMBLE_ERROR_ARGUMENT);
    o = tumble_default_context_options(), o.allocator.release = plain_release; /* but no allocate */
    refuse(&o, TUMBLE_ERROR_ARGUMENT);
    o.allocator.allocate = no_memory;
    refuse(&o, TUMBLE_ERROR_MEMORY);
}

/* A level that the processor does not have falls back to a lower one. */
static void test_levels(void **state)
{
    (void)state;
    test_allocator memory;
    test_allocator_begin(&memory);
    tumble_simd before = TUMBLE_SIMD_AUTO;
    for (int level = TUMBLE_SIMD_SCALAR; level <= TUMBLE_SIMD_AVX512; level++) {
        tumble_context *context = test_context(&memory, 1, (tumble_simd)level);
        const tumble_simd got = tumble_context_simd(context);
        assert_true(got >= TUMBLE_SIMD_SCALAR && got <= (tumble_simd)level && got >= before);
        before = got;
        tumble_context_destroy(context);
    }
    tumble_context *automatic = test_context(&memory, 1, TUMBLE_SIMD_AUTO);
    assert_int_equal(tumble_context_simd(automatic), before);
    tumble_context_destroy(automatic);
    test_allocator_end(&memory);
}

/* The allocator is asked for sensible blocks only. */
static void test_allocator_contract(void **state)
{
    (void)state;
    int wrong = 0;
    tumble_context_options options = tumble_default_context_options();
    options.allocator = (tumble_allocator){&wrong, plain_allocate, plain_release};
    tumble_context *context;
    assert_int_equal(tumble_context_create(&options, &context), TUMBLE_OK);
    models_mesh mesh;
    assert_true(models_make_sized(&mesh, "prism", 500));
    tumble_model *model = test_model(context, &mesh, NULL);
    tumble_query *query;
    tumble_collide_result result;
    assert_int_equal(tumble_query_create(context, &query), TUMBLE_OK);
    assert_int_equal(tumble_collide(query, model, NULL, model, NULL, NULL, &result), TUMBLE_OK);
    (void)test_info(model);
    tumble_query_destroy(query);
    tumble_model_destroy(model);
    models_free(&mesh);
    tumble_context_destroy(context);
    assert_false(wrong);
}

static tumble_status fail_on_purpose(tumble_context *context)
{
    tumble_pose pose = tumble_pose_identity();
    pose.m[2][3] = NAN;
    return tumble_pose_check(context, &pose);
}

static void test_last_error(void **state)
{
    test_world *w = *state;
    char text[512];
    memset(text, 'x', sizeof text);
    assert_int_equal(tumble_last_error(w->context, text, sizeof text), TUMBLE_OK);
    assert_string_equal(text, "");
    assert_int_equal(fail_on_purpose(w->context), TUMBLE_ERROR_NOT_FINITE);
    assert_int_equal(tumble_last_error(w->context, text, sizeof text), TUMBLE_ERROR_NOT_FINITE);
    const size_t length = strlen(text);
    assert_true(length > 10);
    for (size_t capacity = 0; capacity <= length + 1; capacity++) {
        char part[512];
        memset(part, 'x', sizeof part);
        assert_int_equal(tumble_last_error(w->context, part, capacity), TUMBLE_ERROR_NOT_FINITE);
        if (capacity) {
            assert_memory_equal(part, text, capacity - 1);
            assert_int_equal(part[capacity - 1], '\0');
        }
        assert_int_equal(part[capacity], 'x');
    }
    assert_int_equal(tumble_last_error(w->context, NULL, 0), TUMBLE_ERROR_NOT_FINITE);
    /* a success does not wipe it out */
    const tumble_pose identity = tumble_pose_identity();
    assert_int_equal(tumble_pose_check(w->context, &identity), TUMBLE_OK);
    assert_int_equal(tumble_last_error(w->context, NULL, 0), TUMBLE_ERROR_NOT_FINITE);
    assert_int_equal(tumble_last_error(NULL, text, sizeof text), TUMBLE_ERROR_ARGUMENT);
    assert_string_equal(text, "");
}

typedef struct message_log {
    int count;
    tumble_status status;
    char text[512];
} message_log;

static void note(void *user, tumble_status status, const char *message)
{
    message_log *log = user;
    log->count++;
    log->status = status;
    snprintf(log->text, sizeof log->text, "%s", message);
}

static void test_log(void **state)
{
    (void)state;
    message_log log = {0};
    tumble_context_options options = tumble_default_context_options();
    options.log = note;
    options.log_user = &log;
    tumble_context *context;
    assert_int_equal(tumble_context_create(&options, &context), TUMBLE_OK);
    for (int i = 1; i < 4; i++) {
        assert_int_equal(fail_on_purpose(context), TUMBLE_ERROR_NOT_FINITE);
        assert_int_equal(log.count, i);
        assert_int_equal(log.status, TUMBLE_ERROR_NOT_FINITE);
        assert_string_equal(log.text, test_message(context));
    }
    tumble_context_destroy(context);
}

static void test_names(void **state)
{
    (void)state;
#define CHECK_STATUS(name, number, meaning)                                  \
    assert_int_equal(TUMBLE_##name, number);                                 \
    assert_string_equal(tumble_status_name(TUMBLE_##name), "TUMBLE_" #name); \
    assert_string_equal(tumble_status_text(TUMBLE_##name), meaning);
    TUMBLE_STATUS_LIST(CHECK_STATUS)
#undef CHECK_STATUS
#define CHECK_HIERARCHY(name, number, word, text) \
    assert_string_equal(tumble_hierarchy_name(TUMBLE_HIERARCHY_##name), word);
    TUMBLE_HIERARCHY_LIST(CHECK_HIERARCHY)
#undef CHECK_HIERARCHY
    static const int unknown[] = {-1, 12, 1000};
    for (int i = 0; i < 3; i++) { /* never null, whatever the number */
        assert_non_null(tumble_status_name((tumble_status)unknown[i]));
        assert_non_null(tumble_status_text((tumble_status)unknown[i]));
        assert_non_null(tumble_hierarchy_name((tumble_hierarchy)unknown[i]));
    }
    char version[40];
    snprintf(version, sizeof version, "%d.%d.%d", TUMBLE_VERSION_MAJOR, TUMBLE_VERSION_MINOR, TUMBLE_VERSION_PATCH);
    assert_string_equal(tumble_version(), version);
    assert_string_equal(tumble_version(), TUMBLE_VERSION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options), cmocka_unit_test(test_levels), cmocka_unit_test(test_allocator_contract),
        TEST_IN_WORLD(test_last_error), cmocka_unit_test(test_log),    cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
