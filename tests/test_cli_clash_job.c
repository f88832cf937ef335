/* tumble clash: parts of a job, a job that goes on, and files of answers that are not whole, or of other parts. The
 * report is the same to the byte as without. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_run.h"
#include "support.h"

#define RUN "tumble clash hall --clearance 0.05 --touch 0.001 "

static void make_hall(void)
{
    cli_expect(0, "rm -rf hall whole && tumble make cell -o hall && %s", "{ " RUN "-o whole >whole.txt || true; }");
}

static void expect_same(const char *folder)
{
    cli_expect(0, "cmp whole/clashes.json %s/clashes.json && diff -r whole %s", folder, folder);
}

static void test_parts(void **state)
{
    (void)state;
    make_hall();
    for (int count = 1; count <= 5; count += count < 3 ? 1 : 2) {
        cli_expect(0, "rm -rf job merged");
        for (int part = count; part >= 1; part--) {
            const cli_result result = cli_expect(0, RUN "--job job --part %d/%d --threads %d", part, count, part);
            assert_non_null(strstr(result.out, "questions are answered"));
        }
        cli_expect(1, RUN "--job job --merge -o merged");
        expect_same("merged");
    }
}

/* Two parts are there, and one is not. */
static void test_missing(void **state)
{
    (void)state;
    make_hall();
    cli_expect(0, "rm -rf job; for i in 1 2; do " RUN "--job job --part $i/3; done");
    cli_expect_error(RUN "--job job --merge -o merged", "answers are missing", NULL);
    cli_expect(1, RUN "--job job -o merged");
    expect_same("merged");
    cli_expect(1, "rm -rf merged; " RUN "--job job --merge -o merged");
    expect_same("merged");
}

/* A file that ends anywhere, or of which a byte is wrong. */
static void test_killed(void **state)
{
    (void)state;
    make_hall();
    cli_expect(1, "rm -rf job; " RUN "--job job -o merged");
    expect_same("merged");
    size_t size;
    char *bytes = cli_read_file("job/all.answers", &size);
    test_random random = {5};
    for (int i = 0; i < 8; i++) {
        const size_t cut = i < 3 ? (size_t)i * 30 : (size_t)(test_random_unit(&random) * (double)size);
        cli_write_bytes("job/all.answers", bytes, cut);
        if (i % 4 == 3) {
            char *wrong = malloc(size);
            memcpy(wrong, bytes, size);
            wrong[cut < 60 ? 60 : cut] ^= 4;
            cli_write_bytes("job/all.answers", wrong, size);
            free(wrong);
        }
        cli_expect(1, "rm -rf merged; " RUN "--job job -o merged");
        expect_same("merged");
        size_t again;
        free(cli_read_file("job/all.answers", &again));
        assert_int_equal(again, size);
    }
    free(bytes);
}

static void test_errors(void **state)
{
    (void)state;
    make_hall();
    cli_expect(1, "rm -rf job; " RUN "--job job");
    cli_expect_error("tumble clash hall --job job", "other parts, or with other options", "job/all.answers", NULL);
    cli_expect_error(RUN "--part 1/2", "--job", NULL);
    cli_expect_error(RUN "--merge", "--job", NULL);
    cli_expect_error(RUN "--job job --part 1/2 --merge", "--merge", NULL);
    cli_expect_error(RUN "--job job --part 3/2", "'3/2'", NULL);
    cli_expect_error(RUN "--job job --part 0/2", "'0/2'", NULL);
    cli_expect_error(RUN "--job job --part 1", "'1'", NULL);
    cli_expect_error(RUN "--job job --part 1/2x", "'1/2x'", NULL);
    cli_expect_error(RUN "--job whole.txt", "whole.txt", NULL);
    cli_expect_error(RUN "--job nothing --merge", "nothing", NULL);
    cli_write_file("job/all.answers",
                   "something that is much longer than the first lines of such a file and no such file");
    cli_expect_error(RUN "--job job", "remove the file", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parts), cmocka_unit_test(test_missing),
                                       cmocka_unit_test(test_killed), cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
