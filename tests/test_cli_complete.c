/* Completion of command lines: what `tumble --complete` offers to the scripts of the shells. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_run.h"
#include "support.h"

/* Whether some line of the answer is this word, alone or before a tab. */
static int offers(const char *answer, const char *word)
{
    const size_t length = strlen(word);
    for (const char *line = answer; line && *line; line = strchr(line, '\n') + 1) {
        if (strncmp(line, word, length) == 0 && (line[length] == '\t' || line[length] == '\n')) {
            return 1;
        }
    }
    return 0;
}

static void test_commands(void **state)
{
    (void)state;
    const char *out = cli_expect(0, "tumble --complete ''").out;
    assert_true(offers(out, "check") && offers(out, "make") && offers(out, "help") && offers(out, "--version"));
    assert_false(offers(out, ":files"));
    assert_string_equal(cli_expect(0, "tumble --complete dist").out,
                        "distance\tfinds how far apart two models are, also along a path\n");
    out = cli_expect(0, "tumble --complete help d").out;
    assert_true(offers(out, "distance") && offers(out, "devices") && offers(out, "demo"));
    assert_int_equal(cli_count_lines(out), 3);
    assert_true(offers(cli_expect(0, "tumble --complete").out, "check"));
    assert_string_equal(cli_expect(0, "tumble --complete nonsense ''").out, "");
}

static void test_operands(void **state)
{
    (void)state;
    assert_string_equal(cli_expect(0, "tumble --complete check ''").out, ":files\n");
    assert_string_equal(cli_expect(0, "tumble --complete check a.obj b").out, ":files\n");
    assert_string_equal(cli_expect(0, "tumble --complete check -- --si").out, ":files\n");
    assert_string_equal(cli_expect(0, "tumble --complete scene ''").out, ":files\n");
    assert_string_equal(cli_expect(0, "tumble --complete demo ''").out,
                        "scene\ta robot cell in motion\nmilling\ta mill along its path over a die\n"
                        "clash\tthe clash report of a pump house\n");
    assert_string_equal(cli_expect(0, "tumble --complete demo scene ''").out, "");
    assert_string_equal(cli_expect(0, "tumble --complete demo scene -o ''").out, ":files\n");
    const char *out = cli_expect(0, "tumble --complete make ''").out;
    assert_true(offers(out, "gear") && offers(out, "torus") && offers(out, "cell") && offers(out, "poses"));
    assert_string_equal(cli_expect(0, "tumble --complete make poses ''").out, ":files\n");
}

static void test_values(void **state)
{
    (void)state;
    const char *out = cli_expect(0, "tumble --complete check a b --simd ''").out;
    assert_true(offers(out, "scalar") && offers(out, "avx2") && !offers(out, ":files") && !offers(out, "--simd"));
    out = cli_expect(0, "tumble --complete check a b --simd s").out;
    assert_true(offers(out, "scalar") && cli_count_lines(out) == 1);
    out = cli_expect(0, "tumble --complete check --simd=s").out;
    assert_true(offers(out, "--simd=scalar") && cli_count_lines(out) == 1);
    out = cli_expect(0, "tumble --complete check --simd = s").out; /* as bash takes it apart */
    assert_true(offers(out, "scalar") && cli_count_lines(out) == 1);
    out = cli_expect(0, "tumble --complete check --simd =").out;
    assert_true(offers(out, "scalar") && offers(out, "avx2"));
    assert_string_equal(cli_expect(0, "tumble --complete check -o ''").out, ":files\n");
    assert_string_equal(cli_expect(0, "tumble --complete check --poses ''").out, ":files\n");
    assert_string_equal(cli_expect(0, "tumble --complete check --clearance ''").out, "");
    assert_string_equal(cli_expect(0, "tumble --complete check --json ''").out, ":files\n"); /* takes no value */
}

/* Whatever --help lists is completed. */
static void check_options(const char *command)
{
    char *offered = strdup(cli_expect(0, "tumble --complete %s --", command).out);
    char *help = strdup(
        cli_expect(0, "tumble %s --help all | sed -n 's/^  \\(-[a-zA-Z], \\|    \\)\\(--[a-z-]*\\).*/\\2/p'", command)
            .out);
    assert_true(offered && help && offers(offered, "--help"));
    size_t count = 0;
    for (char *name = strtok(help, "\n"); name; name = strtok(NULL, "\n")) {
        if (!offers(offered, name)) {
            fail_msg("tumble %s does not complete %s", command, name);
        }
        count++;
    }
    assert_true(count > 0);
    free(help);
    free(offered);
}

static void test_options(void **state)
{
    (void)state;
    static const char *const all[] = {"check",      "distance",     "scene",     "info",       "build",
                                      "devices",    "make gear",    "make cell", "make poses", "demo",
                                      "demo scene", "demo milling", "demo clash"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        check_options(all[i]);
    }
    const char *out = cli_expect(0, "tumble --complete make gear --te").out;
    assert_true(offers(out, "--teeth") && cli_count_lines(out) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_operands),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_options),
    };
    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
