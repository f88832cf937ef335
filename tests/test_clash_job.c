/* Jobs: every allocation that fails, and questions that are counted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clash/job.h"
#include "cli_run.h"
#include "scenes.h"

/* Two cubes that cross, and one far away. */
static tumble_status add_cubes(tumble_assembly *assembly)
{
    static const double points[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                        {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
    static const uint32_t corners[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    tumble_mesh mesh = tumble_default_mesh();
    tumble_assembly_item item = {.name = "cube"};
    double transform[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    mesh.points = points[0], mesh.point_count = 8, mesh.indices = corners, mesh.index_count = 36;
    tumble_status status = tumble_assembly_add_mesh(assembly, &mesh, &item.model);
    item.transform = transform;
    for (int i = 0; i < 3 && status == TUMBLE_OK; i++) {
        transform[3] = i == 2 ? 9 : 0.5 * i, transform[7] = 0.25 * i;
        status = tumble_assembly_add(assembly, &item);
    }
    return status;
}

typedef struct action {
    tmb_clash_job job;
    uint64_t clashes;
} action;

static tumble_status run_job(test_world *w, void *user)
{
    action *a = user;
    tmb_clash_job job = a->job;
    tumble_assembly *assembly;
    tumble_clashes *clashes = NULL;
    tumble_status status = tumble_assembly_create(w->context, &assembly);
    if (status != TUMBLE_OK) {
        return status;
    }
    status = add_cubes(assembly);
    if (status == TUMBLE_OK) {
        tumble_clash_options options = tumble_default_clash_options();
        options.thread_count = 1;
        status = tmb_clash_run_job(assembly, &options, &job, &clashes);
    }
    if (status == TUMBLE_OK) {
        a->clashes = tumble_clashes_result(clashes)->clash_count;
        a->job.answer_count = job.answer_count, a->job.known_count = job.known_count;
    }
    tumble_clashes_destroy(clashes);
    assert_int_equal(tumble_assembly_destroy(assembly), TUMBLE_OK);
    return status;
}

static void test_memory(void **state)
{
    cli_run("rm -rf job && mkdir job");
    char folder[512];
    snprintf(folder, sizeof folder, "%s/job", cli_folder());
    action a = {.job = {.folder = folder}};
    assert_true(test_fail_each(*state, TEST_FAIL_TAKING_TURNS, run_job, NULL, &a) > 20);
    assert_true(a.clashes == 1 && a.job.answer_count == 1);
    cli_run("rm -rf job/*");
    assert_int_equal(run_job(*state, &a), TUMBLE_OK);
    assert_true(a.clashes == 1 && a.job.answer_count == 1 && a.job.known_count == 0);
    assert_true(test_fail_each(*state, TEST_FAIL_TAKING_TURNS, run_job, NULL, &a) > 20);
    assert_true(a.clashes == 1 && a.job.known_count == 1);
    a.job.must_be_complete = 1;
    assert_int_equal(run_job(*state, &a), TUMBLE_OK);
}

static void test_parts(void **state)
{
    cli_run("rm -rf job && mkdir job");
    char folder[512];
    snprintf(folder, sizeof folder, "%s/job", cli_folder());
    action a = {.job = {.folder = folder, .part = 2, .part_count = 2}};
    assert_int_equal(run_job(*state, &a), TUMBLE_OK);
    assert_true(a.clashes == 0 && a.job.answer_count == 0);
    a.job.part = 1;
    assert_int_equal(run_job(*state, &a), TUMBLE_OK);
    assert_true(a.clashes == 1 && a.job.answer_count == 1);
    a.job = (tmb_clash_job){.folder = "no such folder"};
    test_world *w = *state;
    test_assert_status(w->context, run_job(w, &a), TUMBLE_ERROR_FILE, "no such folder");
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_memory), TEST_IN_WORLD(test_parts)};
    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
