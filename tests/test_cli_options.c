/* Options together: each combination does what it says or is an error; none is silently ignored. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_run.h"
#include "support.h"

/* Two cubes in one file, each a group of its own, and one cube: parts of an assembly. */
static const char cube[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                           "g left\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\ng right\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n";
static const char path[] = "1 0 0 9 0 1 0 0 0 0 1 0\n1 0 0 0.5 0 1 0 0 0 0 1 0\n1 0 0 0 0 1 0 0 0 0 1 0\n";

static int setup(void **state)
{
    cli_setup(state);
    cli_write_file("a.obj", cube);
    cli_write_file("b.obj", cube);
    cli_write_file("path.txt", path);
    cli_expect(0, "tumble build a.obj -o a.tumble");
    return 0;
}

/* ---- what is refused ---- */

typedef struct combination {
    const char *command, *options;
    const char *words[2]; /* of the message */
} combination;

static const char *const check = "check a.obj b.obj", *const distance = "distance a.obj b.obj";

static void expect_errors(const combination *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char line[256];
        snprintf(line, sizeof line, "tumble %s %s", list[i].command, list[i].options);
        cli_expect_error(line, list[i].words[0], list[i].words[1], NULL);
    }
}

/* Two questions at once. */
static void test_contrary_questions(void **state)
{
    (void)state;
    static const char *const modes[] = {"--all", "--count", "--first", "--test"};
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 4; j++) {
            char line[128], both[64];
            snprintf(line, sizeof line, "tumble check a.obj b.obj %s %s", modes[i], modes[j]);
            snprintf(both, sizeof both, "%s and %s contradict", modes[i], modes[j]);
            if (i != j) {
                cli_expect_error(line, both, "leave one of them out", NULL);
            } else {
                cli_expect(1, "%s", line);
            }
        }
    }
}

static void test_refused_in_check(void **state)
{
    (void)state;
    const combination list[] = {
        {check, "--count --segments", {"--count", "--segments"}},
        {check, "--test --segments", {"--test", "--segments"}},
        {check, "--first --surfaces all", {"--first and --surfaces", "leave one"}},
        {check, "--count --surfaces all", {"--count and --surfaces", "leave one"}},
        {check, "--test --surfaces first", {"--test and --surfaces", "leave one"}},
        {check, "--all --surfaces first", {"--surfaces first", "--surfaces all"}},
        {check, "--segments --surfaces all", {"--segments", "--all --surfaces all"}},
        {check, "--relation --clearance 1", {"--relation and --clearance", "leave one"}},
        {check, "--relation --all", {"--relation and --all", "leave one"}},
        {check, "--relation --segments", {"--relation and --segments", "leave one"}},
        {check, "--relation --surfaces all", {"--relation and --surfaces", "leave one"}},
        {check, "--relation --budget-us 5", {"--relation", "budget"}},
        {check, "--budget-us 5 --all", {"budget", "--all"}},
        {check, "--budget-boxes 5 --segments", {"budget", "--segments"}},
        {check, "--budget-us 5 --surfaces first", {"budget", "--surfaces"}},
        /* lists of each pose have no place in a table of steps */
        {check, "--poses path.txt --segments", {"--segments and --poses", "--json"}},
        {check, "--poses path.txt --first --segments", {"--segments and --poses", "--json"}},
        {check, "--poses path.txt --segments --device cpu", {"--segments and --poses", "--json"}},
        {check, "--poses path.txt --surfaces all --all", {"--surfaces with --all and --poses", "--json"}},
        /* nothing to shorten */
        {check, "--count --limit 5", {"--limit", "--count"}},
        {check, "--first --limit 5", {"--limit", "--first"}},
        {check, "--test --limit 5", {"--limit", "--test"}},
        {check, "--relation --limit 5", {"--limit", "--relation"}},
        {check, "--budget-us 5 --limit 5", {"--limit", "a budget"}},
        {check, "--surfaces first --limit 5", {"--limit", "--surfaces first"}},
        {check, "--poses path.txt --count --json --limit 5", {"--limit", "--count"}},
        {check, "--poses path.txt --relation --json --limit 5", {"--limit", "--relation"}},
        /* devices */
        {check, "--retry", {"--retry", "--device opencl"}},
        {check, "--retry --device cpu", {"--retry", "--device opencl"}},
        {check, "--device cpu --clearance 1", {"--device cannot answer", "--clearance"}},
        {check, "--device cpu --relation", {"--device cannot answer", "--relation"}},
        {check, "--device cpu --first --segments", {"--first", "--device"}},
        {check, "--coherence all", {"--coherence", "--poses"}},
        {check, "--coherence none --budget-us 5", {"--coherence", "--poses"}},
        {check, "--coherence pair --poses path.txt --relation", {"--coherence", "--relation"}},
        {check, "--coherence front --poses path.txt --device cpu", {"--coherence", "--device"}},
        {check, "--coherence some --poses path.txt", {"--coherence", "front"}},
        /* poses */
        {check, "--poses path.txt --pose-b '1 0 0 0 0 1 0 0 0 0 1 0'", {"--poses and --pose-b", "leave one"}},
        {check, "--orthonormalise", {"--orthonormalise", "give one of these"}},
        /* surfaces and hierarchies */
        {check, "--crease 30", {"--crease belongs to --surfaces", "leave --crease out"}},
        {check, "--surfaces-from parts", {"--surfaces-from belongs to --surfaces", "leave"}},
        {check, "--surfaces all --surfaces-from groups --crease 30", {"--crease", "--surfaces-from groups"}},
        {check, "--overlap sat", {"--overlap belongs to --hierarchy boxtree", "leave --overlap out"}},
        {check, "--hierarchy boxtree --k 14", {"--k belongs to --hierarchy kdop", "leave --k out"}},
        {check, "--hierarchy boxtree --overlap sat --relation", {"--overlap does nothing", "--relation"}},
        {check, "--hierarchy boxtree --overlap sat --budget-us 5", {"--overlap does nothing", "a budget"}},
        {"check a.tumble b.obj", "--hierarchy kdop", {"--hierarchy", "saved model"}},
    };
    expect_errors(list, sizeof list / sizeof list[0]);
}

static void test_refused_elsewhere(void **state)
{
    (void)state;
    const combination list[] = {
        {distance, "--limit 5", {"--limit belongs to --pairs", "leave --limit out"}},
        {distance, "--coherence pair", {"--coherence", "--poses"}},
        {distance, "--plot x.svg", {"--plot", "--poses"}},
        {distance, "--poses path.txt --pairs", {"--pairs with --poses", "--json"}},
        {distance, "--orthonormalise", {"--orthonormalise", "give one of these"}},
        {distance, "--overlap sat", {"--overlap", "unknown option"}},
        {"info a.obj", "--surfaces-from one --crease 30", {"--crease", "--surfaces-from one"}},
        {"build a.obj", "-o x.tumble --surfaces-from one --crease 30", {"--crease", "--surfaces-from one"}},
        {"build a.obj", "-o x.tumble --k 14", {"--k belongs to --hierarchy kdop", "leave --k out"}},
        {"make sphere", "-o x.obj --detail 3 --triangles 100", {"--triangles", "--detail"}},
        {"make poses a.obj b.obj", "-o x.txt --retry", {"--retry", "--device opencl"}},
        {"make poses a.obj b.obj", "-o x.txt --retry --device cpu", {"--retry", "--device opencl"}},
        {"demo", "--k 14", {"--k belongs to --hierarchy kdop", "leave --k out"}},
    };
    expect_errors(list, sizeof list / sizeof list[0]);
}

/* ---- every question with every other option ---- */

typedef struct question {
    const char *options;
    const char *allowed; /* for each column below: 'y', 'n' */
} question;

/* What goes together, as docs/command-line.md says. */
static const char *const columns[] = {"--segments",
                                      "--clearance 0.1",
                                      "--limit 3",
                                      "--device cpu",
                                      "--budget-boxes 99999",
                                      "--poses path.txt",
                                      "--poses path.txt --limit 3",
                                      "--poses path.txt --segments",
                                      "--poses path.txt --segments --json",
                                      "--stats",
                                      "--json",
                                      "--picture where.svg",
                                      "--poses path.txt --plot path.svg",
                                      "--poses path.txt --json --plot path.svg -o path.json",
                                      "--plot path.svg",
                                      "--view x"};
static const question questions[] = {{"", "yyyyyyynyyyyyynn"},
                                     {"--all", "yyyynyynyyyyyynn"},
                                     {"--count", "nynynyynnyyyyynn"},
                                     {"--first", "yynyyyynyyyyyynn"},
                                     {"--test", "nynyyyynnyyyyynn"},
                                     {"--surfaces first", "nynnnyynnyyyyynn"},
                                     {"--surfaces all", "nyynnyynnyyyyynn"},
                                     {"--surfaces all --all", "yyynnnnnyyyynynn"},
                                     {"--relation", "nnnnnyynnyyyyynn"}};

static void test_every_question_with_every_option(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        assert_int_equal(strlen(questions[i].allowed), sizeof columns / sizeof columns[0]);
        for (size_t j = 0; j < sizeof columns / sizeof columns[0]; j++) {
            const cli_result result = cli_run("tumble check a.obj b.obj %s %s", questions[i].options, columns[j]);
            const int allowed = questions[i].allowed[j] == 'y';
            if (result.status != (allowed ? 1 : 2) || (result.err[0] == '\0') != allowed) {
                fail_msg("%s %s: status %d, %s", questions[i].options, columns[j], result.status, result.err);
            }
        }
    }
}

/* ---- what is honoured ---- */

/* Which surfaces intersect somewhere on the path, at how many steps and from which on. */
static void test_surfaces_along_a_path(void **state)
{
    (void)state;
    const char *out = cli_expect(1, "tumble check a.obj b.obj --poses path.txt --surfaces all").out;
    assert_non_null(strstr(out, "intersect at 2 of 3 poses"));
    assert_non_null(strstr(out, "  surface of A  surface of B  number of steps  first at step\n"));
    assert_non_null(strstr(out, "  0 (left)      0 (left)                    2              1\n"));
    assert_non_null(strstr(out, "  1 (right)     1 (right)                   2              1\n"));
    out = cli_expect(1, "tumble check a.obj b.obj --poses path.txt --surfaces all --limit 1").out;
    assert_non_null(strstr(out, "3 pairs more: --limit 4 lists them all"));
    assert_null(strstr(out, "1 (right)"));
    out = cli_expect(0, "tumble check a.obj b.obj --poses path.txt --move-b '0 0 9' --surfaces all").out;
    assert_null(strstr(out, "surface of A  surface of B  number of"));
    out = cli_expect(1, "tumble check a.obj b.obj --poses path.txt --surfaces first").out;
    assert_non_null(strstr(out, "number of steps"));
}

/* An empty list would say that there are no pairs. */
static void test_counting_without_a_list(void **state)
{
    (void)state;
    static const char *const options[] = {"", "--device cpu", "--clearance 0.5", "--hierarchy kdop"};
    for (size_t i = 0; i < 4; i++) {
        const char *out = cli_expect(1, "tumble check a.obj b.obj --count --json %s", options[i]).out;
        cJSON *json = cli_json_line(out, 0);
        assert_true(cli_number(json, "pair_count") >= 30);
        assert_null(cJSON_GetObjectItem(json, "pairs"));
        assert_null(cJSON_GetObjectItem(json, "segments"));
        cJSON_Delete(json);
    }
}

/* Lists of each step are in JSON. */
static void test_lists_along_a_path(void **state)
{
    (void)state;
    const char *out = cli_expect(1, "tumble check a.obj b.obj --poses path.txt --segments --json").out;
    cJSON *json = cli_json_line(out, 2);
    assert_true(cJSON_GetArraySize(cli_array(json, "segments")) >= 30);
    cJSON_Delete(json);
    out = cli_expect(1, "tumble check a.obj b.obj --poses path.txt --surfaces all --all --json --limit 3").out;
    json = cli_json_line(out, 2);
    assert_int_equal(cJSON_GetArraySize(cli_array(json, "pairs")), 3);
    assert_int_equal(cJSON_GetArraySize(cli_array(json, "surface_pairs")), 3);
    cJSON_Delete(json);
}

/* A choice without a value names those that there are. */
static void test_missing_values(void **state)
{
    (void)state;
    cli_expect_error("tumble check a.obj b.obj --surfaces", "--surfaces needs a value", "first, all",
                     "--surfaces first", NULL);
    cli_expect_error("tumble check a.obj b.obj --surfaces --json", "'--json'", "first, all", NULL);
    cli_expect_error("tumble check a.obj b.obj --hierarchy", "auto, wide, boxtree, kdop, rtree, brute", NULL);
    cli_expect_error("tumble info a.obj --surfaces-from", "auto, groups, parts, one", NULL);
    cli_expect_error("tumble check a.obj b.obj --pose-b", "--pose-b needs a value", "--help", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contrary_questions),    cmocka_unit_test(test_every_question_with_every_option),
        cmocka_unit_test(test_refused_in_check),      cmocka_unit_test(test_refused_elsewhere),
        cmocka_unit_test(test_surfaces_along_a_path), cmocka_unit_test(test_counting_without_a_list),
        cmocka_unit_test(test_lists_along_a_path),    cmocka_unit_test(test_missing_values),
    };
    return cmocka_run_group_tests(tests, setup, cli_teardown);
}
