/* Assertions: a broken promise between the library's functions ends the process in builds with assertions, and nothing
 * of an assertion is evaluated in builds without. */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/sort.h"
#include "support.h"

/* What a function prints to standard error in a process of its own, and how that process ends. */
typedef struct ending {
    int status;
    char text[512];
} ending;

static ending run_alone(void (*body)(void))
{
    ending out = {0, ""};
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        body();
        _exit(0);
    }
    close(ends[1]);
    size_t used = 0;
    for (ssize_t more = 1; more > 0 && used<sizeof out.text - 1; used += more> 0 ? (size_t)more : 0) {
        more = read(ends[0], out.text + used, sizeof out.text - 1 - used);
    }
    close(ends[0]);
    assert_int_equal(waitpid(child, &out.status, 0), child);
    return out;
}

static int evaluations;

static __attribute__((unused)) int count_evaluation(int result)
{
    evaluations++;
    return result;
}

static void hold(void)
{
    TMB_ASSERT(count_evaluation(1));
    TMB_ASSERT_SLOW(count_evaluation(1));
}

/* Arrays that overlap, which tmb_sort must not get. */
static void break_promise(void)
{
    tmb_sort_item items[4] = {{3, 0}, {2, 0}, {1, 0}, {0, 0}};
    (void)tmb_sort(items, items + 1, 3);
}

static void break_slow_promise(void)
{
    TMB_ASSERT_SLOW(count_evaluation(0));
}

static void test_promises_that_hold(void **state)
{
    (void)state;
    evaluations = 0;
    hold();
#if defined(TMB_ASSERTS_SLOW)
    assert_int_equal(evaluations, 2);
#elif defined(TMB_ASSERTS)
    assert_int_equal(evaluations, 1);
#else
    assert_int_equal(evaluations, 0);
#endif
}

static void test_broken_promise(void **state)
{
    (void)state;
    const ending end = run_alone(break_promise);
#ifdef TMB_ASSERTS
    assert_true(WIFSIGNALED(end.status));
    assert_int_equal(WTERMSIG(end.status), SIGABRT);
    assert_non_null(strstr(end.text, "sort.c:"));
    assert_non_null(strstr(end.text, "assertion failed: count == 0 || items + count <= scratch"));
#else
    assert_true(WIFEXITED(end.status) && WEXITSTATUS(end.status) == 0);
    assert_string_equal(end.text, "");
#endif
}

static void test_broken_slow_promise(void **state)
{
    (void)state;
    const ending end = run_alone(break_slow_promise);
#ifdef TMB_ASSERTS_SLOW
    assert_true(WIFSIGNALED(end.status));
    assert_int_equal(WTERMSIG(end.status), SIGABRT);
    assert_non_null(strstr(end.text, "assertion failed: count_evaluation(0)"));
#else
    assert_true(WIFEXITED(end.status) && WEXITSTATUS(end.status) == 0);
    assert_string_equal(end.text, "");
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_promises_that_hold),
        cmocka_unit_test(test_broken_promise),
        cmocka_unit_test(test_broken_slow_promise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
