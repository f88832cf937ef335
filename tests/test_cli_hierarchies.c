/* The hierarchies on the command line: their help, their options, saved models of all kinds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_run.h"
#include "support.h"
#include "tumble/hierarchies.h"
#include "tumble/tumble.h"

/* The unit cube as six quads: bottom, top, front, back, left, right. */
static const char cube[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                           "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n";

static int setup(void **state)
{
    cli_setup(state);
    cli_write_file("cube.obj", cube);
    cli_expect(0, "tumble make gear --triangles 600 --fit 2 -o gear.obj");
    cli_expect(0, "tumble make torus --triangles 400 --fit 2 -o torus.obj");
    return 0;
}

/* ---- help ---- */

static void expect_same_help(const char *expected, const char *line)
{
    assert_string_equal(cli_expect(0, "%s", line).out, expected);
}

/* The help of a command names the options of the hierarchies, that of a hierarchy explains them. */
static void test_help_of_a_hierarchy(void **state)
{
    (void)state;
    const char *text = cli_expect(0, "tumble check --help").out;
    assert_non_null(strstr(text, "      --hierarchy H "));
    assert_non_null(strstr(text, "\n  kdop      --k --split --at "));
    assert_non_null(strstr(text, "tumble check --help rtree"));
    assert_null(strstr(text, "      --k K "));
    assert_null(strstr(text, "      --layout L "));
    char *topic = strdup(cli_expect(0, "tumble check --help kdop").out);
    static const char *const parts[] = {"\n  tumble check A B --hierarchy kdop [options]\n", "      --k K ",
                                        "      --leaf-b N ", "      --traversal O "};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!strstr(topic, parts[i])) {
            fail_msg("the help of kdop has no '%s'", parts[i]);
        }
    }
    assert_null(strstr(topic, "--layout"));
    assert_null(strstr(topic, "--poses"));
    expect_same_help(topic, "tumble help check kdop");
    expect_same_help(topic, "tumble check --hierarchy kdop --help");
    expect_same_help(topic, "tumble check cube.obj --hierarchy=kdop -h");
    free(topic);
}

static void test_help_of_rtree(void **state)
{
    (void)state;
    const char *text = cli_expect(0, "tumble check --help").out;
    assert_non_null(strstr(text, "\n  rtree     --load --node-width --probe --whole --single"));
    text = cli_expect(0, "tumble check --help rtree").out;
    static const char *const parts[] = {"\n  tumble check A B --hierarchy rtree [options]\n", "      --load L ",
                                        "      --probe P ", "      --whole ", "      --single "};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!strstr(text, parts[i])) {
            fail_msg("the help of rtree has no '%s'", parts[i]);
        }
    }
    assert_null(strstr(cli_expect(0, "tumble build --help rtree").out, "--whole"));
}

static void test_help_of_all_hierarchies(void **state)
{
    (void)state;
    const char *text = cli_expect(0, "tumble check --help all").out;
    static const char *const parts[] = {"      --poses FILE", "      --layout L ",  "      --overlap T ",
                                        "      --k K ",       "      --epsilon E ", "\nExamples:\n"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!strstr(text, parts[i])) {
            fail_msg("the help of everything has no '%s'", parts[i]);
        }
    }
    text = cli_expect(0, "tumble build --help kdop").out; /* asks no queries */
    assert_non_null(strstr(text, "      --tumble T "));
    assert_null(strstr(text, "--traversal"));
    text = cli_expect(0, "tumble info --help wide").out;
    assert_non_null(strstr(text, "      --axes X "));
    assert_null(strstr(text, "--k "));
}

/* ---- answers ---- */

/* A cube and itself: each face meets all but the opposite one. Every option gives these pairs, in order. */
static void check_self(const char *options)
{
    cJSON *json = cli_json_line(cli_expect(1, "tumble check cube.obj cube.obj --json %s", options).out, 0);
    assert_true(cli_number(json, "pair_count") == 30);
    size_t index = 0;
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            if (i != j && i / 2 == j / 2) {
                continue;
            }
            double pair[2];
            cli_pair(json, index++, pair);
            assert_true(pair[0] == i && pair[1] == j);
        }
    }
    assert_int_equal(cJSON_GetArraySize(cli_array(json, "pairs")), (int)index);
    cJSON_Delete(json);
}

static void test_every_option_agrees(void **state)
{
    (void)state;
    static const char *const options[] = {"",
                                          "--hierarchy auto",
                                          "--hierarchy wide",
                                          "--axes longest",
                                          "--hierarchy wide --axes all",
                                          "--hierarchy brute",
                                          "--hierarchy boxtree",
                                          "--hierarchy boxtree --layout one-plane",
                                          "--hierarchy boxtree --layout two-planes",
                                          "--hierarchy boxtree --axes longest",
                                          "--hierarchy boxtree --criterion volume",
                                          "--hierarchy boxtree --growth seeds",
                                          "--hierarchy boxtree --growth running",
                                          "--hierarchy boxtree --planes any",
                                          "--hierarchy boxtree --planes parallel",
                                          "--hierarchy boxtree --trim 0.5",
                                          "--hierarchy boxtree --overlap axes --direction b-into-a",
                                          "--hierarchy boxtree --overlap axes --direction a-into-b",
                                          "--hierarchy boxtree --overlap axes --direction both",
                                          "--hierarchy boxtree --overlap tables --direction both",
                                          "--hierarchy boxtree --overlap sat",
                                          "--hierarchy boxtree --overlap sat-lite",
                                          "--threads 1",
                                          "--threads 3",
                                          "--hierarchy boxtree --threads 3",
                                          "--simd scalar",
                                          "--simd avx2",
                                          "--hierarchy boxtree --simd scalar",
                                          "--hierarchy kdop",
                                          "--hierarchy kdop --k 6",
                                          "--hierarchy kdop --k 12 --tumble unit",
                                          "--hierarchy kdop --k 14 --tumble axes",
                                          "--hierarchy kdop --k 18 --tumble lookup",
                                          "--hierarchy kdop --k 26 --tumble vertices",
                                          "--hierarchy kdop --split longest --at median",
                                          "--hierarchy kdop --split min-sum --at best",
                                          "--hierarchy kdop --split min-max --estimate",
                                          "--hierarchy kdop --split splatter --all-directions",
                                          "--hierarchy kdop --leaf 3",
                                          "--hierarchy kdop --leaf-b 40",
                                          "--hierarchy kdop --leaf 2 --leaf-b 2",
                                          "--hierarchy kdop --hull",
                                          "--hierarchy kdop --tumble lookup --hull --leaf 255",
                                          "--hierarchy kdop --traversal environment --mixed volumes",
                                          "--hierarchy kdop --traversal restart --mixed primitives",
                                          "--hierarchy kdop --traversal both --epsilon 0.25",
                                          "--hierarchy kdop --threads 3 --simd scalar",
                                          "--hierarchy rtree",
                                          "--hierarchy rtree --load str",
                                          "--hierarchy rtree --load hilbert --probe a",
                                          "--hierarchy rtree --load insert --probe b --single",
                                          "--hierarchy rtree --load halves --whole",
                                          "--hierarchy rtree --probe auto --whole --single --simd scalar"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        check_self(options[i]);
    }
    cJSON *json = cli_json_line(cli_expect(1, "tumble check cube.obj cube.obj --json --hierarchy brute").out, 0);
    assert_string_equal(cli_string(json, "hierarchy"), "brute");
    cJSON_Delete(json);
}

/* All of the answer but how it was found. */
static void expect_same_answer(const char *expected, const char *options)
{
    const char *text = cli_expect(1, "tumble check gear.obj torus.obj --json --segments %s", options).out;
    const size_t length = (size_t)(strstr(expected, "\"hierarchy\"") - expected);
    if (strncmp(text, expected, length) != 0) {
        fail_msg("another answer with %s", options);
    }
}

/* The same on models with some triangles, of which B is turned. */
static void test_every_kdop_option_agrees(void **state)
{
    (void)state;
    static const char *const choices[] = {"--k 6 --tumble unit",
                                          "--k 12 --tumble axes --leaf 3",
                                          "--k 14 --tumble unit --traversal restart",
                                          "--k 18 --tumble lookup --mixed primitives",
                                          "--k 18 --tumble vertices --traversal both",
                                          "--k 26 --tumble lookup --hull --leaf-b 40",
                                          "--k 26 --split min-sum --at best --all-directions --estimate",
                                          "--k 6 --split min-max --epsilon 0.01 --hull"};
    static const char turned[] = "--pose-b '0.36 0.48 -0.8 0.4  -0.8 0.6 0 0.1  0.48 0.64 0.6 0'";
    char options[256];
    snprintf(options, sizeof options, "tumble check gear.obj torus.obj --json --segments %s", turned);
    char *expected = strdup(cli_expect(1, "%s", options).out);
    cJSON *json = cli_json_line(expected, 0);
    assert_true(cli_number(json, "pair_count") > 20);
    cJSON_Delete(json);
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        snprintf(options, sizeof options, "--hierarchy kdop %s %s", choices[i], turned);
        expect_same_answer(expected, options);
    }
    free(expected);
}

static void test_every_rtree_option_agrees(void **state)
{
    (void)state;
    static const char *const loads[] = {"halves --node-width 2",
                                        "str",
                                        "hilbert --node-width 32",
                                        "insert",
                                        "guttman",
                                        "guttman-linear --node-width 5"},
                             *const probes[] = {"auto", "a", "b"};
    static const char turned[] = "--pose-b '0.36 0.48 -0.8 0.4  -0.8 0.6 0 0.1  0.48 0.64 0.6 0'";
    char options[256];
    snprintf(options, sizeof options, "tumble check gear.obj torus.obj --json --segments %s", turned);
    char *expected = strdup(cli_expect(1, "%s", options).out);
    for (int i = 0; i < 12; i++) {
        snprintf(options, sizeof options, "--hierarchy rtree --load %s --probe %s %s %s %s", loads[i % 6],
                 probes[i % 3], i & 1 ? "--whole" : "", i & 2 ? "--single" : "", turned);
        expect_same_answer(expected, options);
    }
    free(expected);
}

/* What the walks are told by: updates of boxes. */
static void test_work_of_rtree(void **state)
{
    (void)state;
    static const char *const walks[] = {"", "--whole", "--single", "--single --whole"};
    double updates[4];
    for (int i = 0; i < 4; i++) {
        cJSON *json = cli_json_line(cli_expect(1,
                                               "tumble check gear.obj torus.obj --hierarchy rtree --probe b --json "
                                               "--stats --pose-b '1 0 0 1.2  0 1 0 0  0 0 1 0' %s",
                                               walks[i])
                                        .out,
                                    0);
        updates[i] = cli_number(cli_object(json, "stats"), "box_updates");
        cJSON_Delete(json);
    }
    assert_true(updates[0] < updates[1] && updates[2] < updates[3]);
    assert_true(updates[0] < updates[2] && updates[1] < updates[3]);
}

/* ---- options of another hierarchy ---- */

/* Options that would do nothing are refused, whichever way the hierarchy is another one. */
static void expect_refused(const char *option, const char *owner, const char *const *others, const char *saved)
{
    char line[200], name[32], belongs[64];
    snprintf(name, sizeof name, "%.*s ", (int)strcspn(option, " "), option);
    snprintf(belongs, sizeof belongs, "belongs to --hierarchy %s: give that", owner);
    for (; *others; others++) {
        snprintf(line, sizeof line, "tumble check cube.obj gear.obj %s %s", option, *others);
        cli_expect_error(line, name, belongs, "leave", NULL);
    }
    snprintf(belongs, sizeof belongs, "belongs to --hierarchy %s", owner);
    snprintf(line, sizeof line, "tumble check %s.tumble %s.tumble %s", saved, saved, option);
    cli_expect_error(line, name, belongs, "saved model", saved, NULL);
}

static void test_options_of_another_hierarchy(void **state)
{
    (void)state;
    static const char *const boxtree[] = {"--layout one-plane", "--criterion volume", "--growth seeds",
                                          "--planes any",       "--trim 0",           "--overlap sat",
                                          "--overlap auto",     "--direction both"};
    static const char *const kdop[] = {"--k 18",     "--split longest", "--at mean",       "--all-directions",
                                       "--estimate", "--leaf 1",        "--leaf-b 40",     "--tumble auto",
                                       "--hull",     "--epsilon 0",     "--mixed volumes", "--traversal both"};
    static const char *const not_boxtree[] = {
        "", "--hierarchy auto", "--hierarchy wide", "--hierarchy brute", "--hierarchy kdop", NULL};
    static const char *const not_kdop[] = {"", "--hierarchy wide", "--hierarchy boxtree", "--hierarchy rtree", NULL};
    static const char *const rtree[] = {"--load str", "--probe a", "--whole", "--single"}, *const not_rtree[] = {
                                                                                               "", "--hierarchy wide",
                                                                                               "--hierarchy kdop",
                                                                                               NULL};
    cli_expect(0, "tumble build cube.obj -o wide.tumble");
    cli_expect(0, "tumble build cube.obj -o kdop.tumble --hierarchy kdop");
    for (size_t i = 0; i < sizeof boxtree / sizeof *boxtree; i++) {
        expect_refused(boxtree[i], "boxtree", not_boxtree, i % 2 ? "wide" : "kdop");
    }
    for (size_t i = 0; i < sizeof kdop / sizeof *kdop; i++) {
        expect_refused(kdop[i], "kdop", not_kdop, "wide");
    }
    for (size_t i = 0; i < sizeof rtree / sizeof *rtree; i++) {
        expect_refused(rtree[i], "rtree", not_rtree, i % 2 ? "wide" : "kdop");
    }
    cli_expect_error("tumble info cube.obj --layout two-planes", "--layout belongs to --hierarchy boxtree", NULL);
    cli_expect_error("tumble build cube.obj -o x.tumble --trim 1", "--trim belongs to --hierarchy boxtree", NULL);
    cli_expect_error("tumble build cube.obj -o x.tumble --leaf 4", "--leaf belongs to --hierarchy kdop", NULL);
    cli_expect_error("tumble demo --growth seeds", "--growth belongs to --hierarchy boxtree", NULL);
    cli_expect_error("tumble demo --hierarchy wide --hull", "--hull belongs to --hierarchy kdop", NULL);
    cli_expect_error("tumble info cube.obj --hierarchy brute --axes all", "belongs to --hierarchy wide or boxtree",
                     NULL);
    cli_expect_error("tumble info cube.obj --hierarchy kdop --axes all", "belongs to --hierarchy wide or boxtree",
                     NULL);
    cli_expect_error("tumble info cube.obj --hierarchy kdop --traversal both", "unknown option", NULL);
}

static void test_values_of_rtree_options(void **state)
{
    (void)state;
    cli_expect_error("tumble info cube.obj --hierarchy rtree --load hilber", "did you mean 'hilbert'", NULL);
    cli_expect_error("tumble info cube.obj --hierarchy rtree --load", "--load needs a value", NULL);
    cli_expect_error("tumble check cube.obj cube.obj --hierarchy rtree --probe c", "'c' is unknown", "auto, b, a",
                     NULL);
    cli_expect_error("tumble info cube.obj --hierarchy rtree --probe a", "unknown option", NULL);
    cli_expect_error("tumble build cube.obj -o x.tumble --hierarchy rtree --whole", "unknown option", NULL);
}

static void test_values_of_kdop_options(void **state)
{
    (void)state;
    cli_expect_error("tumble info cube.obj --hierarchy kdop --k 17", "'17' is unknown", "6, 12, 14, 18, 26", NULL);
    cli_expect_error("tumble info cube.obj --hierarchy kdop --k", "--k needs a value", NULL);
    cli_expect_error("tumble info cube.obj --hierarchy kdop --leaf 0", "from 1 to 255", NULL);
    cli_expect_error("tumble info cube.obj --hierarchy kdop --leaf 256", "from 1 to 255", NULL);
    cli_expect_error("tumble check cube.obj cube.obj --hierarchy kdop --leaf-b 1.5", "whole number", NULL);
    cli_expect_error("tumble check cube.obj cube.obj --hierarchy kdop --leaf-b x", "as in --leaf-b=2", NULL);
    cli_expect_error("tumble check cube.obj cube.obj --hierarchy kdop --epsilon -1", "out of range", NULL);
    cli_expect_error("tumble info cube.obj --hierarchy kdop --split minsum", "did you mean 'min-sum'", NULL);
    cli_expect_error("tumble info cube.obj --hierarchy kdop --tumble look", "did you mean 'lookup'", NULL);
    cli_expect_error("tumble info cube.obj --hierarchy kdo", "did you mean 'kdop'", NULL);
}

/* ---- info ---- */

static cJSON *info_of(const char *model, const char *options)
{
    return cli_json_line(cli_expect(0, "tumble info %s --json %s", model, options).out, 0);
}

static void expect_kdop(const char *model, const char *options, int k, int leaf, const char *kept, int hull)
{
    cJSON *json = info_of(model, options);
    const cJSON *kdop = cli_object(json, "kdop");
    assert_string_equal(cli_string(json, "hierarchy"), "kdop");
    assert_true(cli_number(kdop, "k") == k);
    assert_true(cli_number(kdop, "leaf") == leaf);
    assert_string_equal(cli_string(kdop, "tumble"), kept);
    assert_int_equal(cli_number(kdop, "vertices") > 0, strcmp(kept, "vertices") == 0);
    assert_int_equal(cli_number(kdop, "hull_points") > 0, hull);
    if (leaf == 1) {
        assert_true(cli_number(json, "nodes") == 2 * cli_number(json, "triangles") - 1);
    } else {
        assert_true(cli_number(json, "nodes") < 2 * cli_number(json, "triangles") - 1);
    }
    cJSON_Delete(json);
}

static void test_info_of_kdop(void **state)
{
    (void)state;
    const tumble_kdop_options preset = tumble_default_tuning().kdop;
    expect_kdop("gear.obj", "--hierarchy kdop", (int)preset.k, (int)preset.leaf, "none", 0);
    expect_kdop("gear.obj", "--hierarchy kdop --k 6 --tumble axes", 6, (int)preset.leaf, "none", 0);
    expect_kdop("gear.obj", "--hierarchy kdop --k 12 --leaf 7 --tumble lookup", 12, 7, "lookup", 0);
    expect_kdop("gear.obj", "--hierarchy kdop --k 26 --leaf 1 --tumble vertices --hull", 26, 1, "vertices", 1);
    cli_expect(0, "tumble build gear.obj -o gear.tumble --hierarchy kdop --k 14 --leaf 2 --tumble lookup --hull");
    expect_kdop("gear.tumble", "", 14, 2, "lookup", 1);
    expect_kdop("gear.tumble", "--hierarchy kdop --k 14 --tumble lookup --hull", 14, 2, "lookup", 1);
    cJSON *levels = info_of("gear.obj", "--hierarchy kdop --hull-levels 3");
    assert_true(cli_number(cli_object(levels, "kdop"), "hull_levels") == 3);
    cJSON_Delete(levels);
    const char *text = cli_expect(0, "tumble info gear.tumble").out;
    assert_non_null(strstr(text, "\n  k                 14  "));
    assert_non_null(strstr(text, "\n  leaf              2  "));
    assert_non_null(strstr(text, "\n  kept              lookup  "));
    assert_non_null(strstr(text, "points of the convex hull\n"));
    text = cli_expect(0, "tumble info gear.obj --hierarchy kdop --hull").out;
    assert_null(strstr(text, "nothing"));
    assert_non_null(strstr(text, "points of the convex hull\n"));
    text = cli_expect(0, "tumble info gear.obj --hierarchy kdop").out;
    assert_non_null(strstr(text, "\n  kept              nothing  for tumbling\n"));
    cJSON *json = info_of("gear.obj", "");
    assert_null(cJSON_GetObjectItem(json, "kdop"));
    cJSON_Delete(json);
    cli_write_file("empty.off", "OFF\n0 0 0\n");
    json = info_of("empty.off", "--allow-empty --hierarchy kdop --k 26 --leaf 3 --hull");
    const cJSON *kdop = cli_object(json, "kdop");
    assert_true(cli_number(kdop, "k") == 26 && cli_number(kdop, "leaf") == 3 && cli_number(kdop, "hull_points") == 0);
    assert_true(cli_number(json, "nodes") == 0);
    cJSON_Delete(json);
}

static double memory_of(const char *options)
{
    cJSON *json = info_of("gear.obj", options);
    const double bytes = cli_number(json, "hierarchy_bytes_per_triangle");
    cJSON_Delete(json);
    return bytes;
}

/* What the options say about memory is so. */
static void test_info_of_rtree(void **state)
{
    (void)state;
    cJSON *json = info_of("gear.obj", "--hierarchy rtree --load str");
    assert_string_equal(cli_string(json, "hierarchy"), "rtree");
    assert_string_equal(cli_string(cli_object(json, "rtree"), "load"), "str");
    cJSON_Delete(json);
    cli_expect(0, "tumble build gear.obj -o gear-r.tumble --hierarchy rtree --load hilbert");
    json = info_of("gear-r.tumble", "");
    assert_string_equal(cli_string(cli_object(json, "rtree"), "load"), "hilbert");
    assert_null(cJSON_GetObjectItem(json, "kdop"));
    cJSON_Delete(json);
    json = info_of("gear.obj", "");
    assert_null(cJSON_GetObjectItem(json, "rtree"));
    cJSON_Delete(json);
    const char *text = cli_expect(0, "tumble info gear-r.tumble").out;
    assert_non_null(strstr(text, "hilbert"));
    /* with a mesh, which then gets R-trees too; the load comes too late for a saved model */
    json = cli_json_line(cli_expect(1, "tumble check gear-r.tumble gear.obj --probe a --json").out, 0);
    assert_string_equal(cli_string(json, "hierarchy"), "rtree");
    cJSON_Delete(json);
    cli_expect(1, "tumble check gear-r.tumble gear-r.tumble --load str 2>notes");
    cli_expect(0, "grep 'gear-r.tumble is a saved model: it keeps the hierarchy' notes");
}

static void test_memory_of_kdop(void **state)
{
    (void)state;
    static const char *const options[] = {"--hierarchy kdop --k 26 --leaf 40", "--hierarchy kdop --k 6",
                                          "--hierarchy kdop --k 14", "--hierarchy kdop --k 26",
                                          "--hierarchy kdop --k 26 --tumble lookup"};
    for (size_t i = 1; i < sizeof options / sizeof *options; i++) {
        assert_true(memory_of(options[i - 1]) < memory_of(options[i]));
    }
    assert_true(memory_of("--hierarchy kdop --tumble unit") == memory_of("--hierarchy kdop --tumble axes"));
    assert_true(memory_of("--hierarchy kdop") < memory_of("--hierarchy kdop --hull"));
}

/* ---- saved models ---- */

/* What is told does not depend on how the models came. */
static void test_saved_models_answer_alike(void **state)
{
    (void)state;
    cli_expect(0, "tumble build cube.obj -o cube.tumble --hierarchy boxtree --layout one-plane");
    static const char *const models[] = {"cube.obj cube.tumble", "cube.tumble cube.obj", "cube.tumble cube.tumble"};
    char *expected = strdup(cli_expect(1, "tumble check cube.obj cube.obj --json --segments").out);
    const char *start = strstr(expected, "\"collide\"");
    const size_t length = (size_t)(strstr(expected, "\"hierarchy\"") - start);
    for (size_t i = 0; i < 3; i++) {
        const char *text = strstr(cli_expect(1, "tumble check %s --json --segments", models[i]).out, "\"collide\"");
        assert_non_null(text);
        assert_memory_equal(text, start, length);
    }
    free(expected);
}

static void test_saved_models_keep_their_hierarchy(void **state)
{
    (void)state;
    cli_expect(0, "tumble build cube.obj -o brute.tumble --hierarchy brute");
    cJSON *json = cli_json_line(cli_expect(1, "tumble check brute.tumble brute.tumble --json").out, 0);
    assert_string_equal(cli_string(json, "hierarchy"), "brute");
    cJSON_Delete(json);
    static const char *const trees[] = {"wide", "boxtree", "kdop"};
    for (int i = 0; i < 3; i++) {
        cli_expect(0, "tumble build cube.obj -o tree.tumble --hierarchy %s", trees[i]);
        json = cli_json_line(cli_expect(1, "tumble check tree.tumble tree.tumble --json").out, 0);
        assert_string_equal(cli_string(json, "hierarchy"), trees[i]);
        cJSON_Delete(json);
        char line[80];
        snprintf(line, sizeof line, "tumble check tree.tumble cube.obj --hierarchy %s", trees[(i + 1) % 3]);
        cli_expect_error(line, "tree.tumble", "saved model", trees[i], NULL);
        cli_expect(1, "tumble check tree.tumble brute.tumble"); /* together nonetheless */
    }
    cli_expect_error("tumble check brute.tumble cube.obj --hierarchy boxtree", "brute.tumble", "saved model", "brute",
                     NULL);
    cli_expect_error("tumble info brute.tumble --axes longest", "--axes", "brute.tumble", "brute", NULL);
    cli_expect(0, "tumble build cube.obj -o boxtree.tumble --hierarchy boxtree");
    cli_expect(1, "tumble check boxtree.tumble boxtree.tumble --hierarchy boxtree --overlap sat");
    const cli_result result = cli_run("tumble info boxtree.tumble --axes longest");
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.err, "note: boxtree.tumble is a saved model"));
}

static void expect_hierarchy(const char *models, const char *hierarchy)
{
    cJSON *json = cli_json_line(cli_expect(1, "tumble check %s --json", models).out, 0);
    assert_string_equal(cli_string(json, "hierarchy"), hierarchy);
    cJSON_Delete(json);
}

/* A mesh gets the hierarchy of the saved model that it is compared with; two saved ones may differ. */
static void test_different_hierarchies(void **state)
{
    (void)state;
    cli_expect(0, "tumble build cube.obj -o wide.tumble");
    cli_expect(0, "tumble build cube.obj -o boxtree.tumble --hierarchy boxtree");
    expect_hierarchy("cube.obj cube.obj", "wide");
    expect_hierarchy("cube.obj boxtree.tumble", "boxtree");
    expect_hierarchy("boxtree.tumble cube.obj", "boxtree");
    expect_hierarchy("boxtree.tumble cube.obj --layout two-planes --overlap sat 2>notes", "boxtree");
    expect_hierarchy("wide.tumble cube.obj", "wide");
    const cli_result result = cli_run("tumble check boxtree.tumble wide.tumble --json");
    assert_int_equal(result.status, 1);
    assert_string_equal(result.err, "");
    cJSON *json = cli_json_line(result.out, 0);
    assert_string_equal(cli_string(json, "hierarchy"), "boxtree, wide");
    cJSON_Delete(json);
}

/* ---- saved trees of k-DOPs ---- */

static void expect_message(const char *line, const char *kind, const char *words)
{
    const cli_result result = cli_run("%s", line);
    assert_int_equal(result.status, 1);
    if (!strstr(result.err, kind) || !strstr(result.err, words)) {
        fail_msg("'%s' says '%s' instead of '%s' with '%s'", line, result.err, kind, words);
    }
}

/* A mesh gets the k of the saved model, too; saved ones may have different k. */
static void test_different_k(void **state)
{
    (void)state;
    cli_expect(0, "tumble build gear.obj -o gear6.tumble --hierarchy kdop --k 6");
    cli_expect(0, "tumble build torus.obj -o torus26.tumble --hierarchy kdop --k 26");
    expect_hierarchy("gear.obj torus26.tumble", "kdop");
    expect_hierarchy("gear6.tumble torus.obj", "kdop");
    expect_hierarchy("gear6.tumble torus.obj --hierarchy kdop", "kdop");
    expect_hierarchy("gear6.tumble torus.obj --hierarchy kdop --k 6", "kdop");
    expect_hierarchy("gear6.tumble gear6.tumble", "kdop");
    expect_hierarchy("gear6.tumble torus26.tumble", "kdop 6, kdop 26");
    assert_string_equal(cli_run("tumble check gear6.tumble torus26.tumble").err, "");
    cli_expect_error("tumble check gear6.tumble torus26.tumble --k 26", "gear6.tumble", "saved model with k = 6", NULL);
    cli_expect_error("tumble check gear.obj torus26.tumble --k 18", "torus26.tumble", "k = 26", "leave --k out", NULL);
    cli_write_file("empty.off", "OFF\n0 0 0\n");
    cli_expect(0, "tumble build empty.off --allow-empty -o empty.tumble --hierarchy kdop");
    cli_expect(0, "tumble check empty.tumble torus26.tumble --allow-empty");
    cli_expect(0, "tumble check gear6.tumble empty.tumble --allow-empty --tumble axes");
}

/* Only B is tumbled: what it does not keep cannot be asked for, and what A does not keep does not matter. */
static void test_saved_models_and_tumbling(void **state)
{
    (void)state;
    cli_expect(0, "tumble build torus.obj -o plain.tumble --hierarchy kdop");
    cli_expect(0, "tumble build torus.obj -o lookup.tumble --hierarchy kdop --tumble lookup --hull");
    static const char *const good[] = {"plain.tumble lookup.tumble --tumble lookup",
                                       "plain.tumble lookup.tumble --hull --tumble unit",
                                       "plain.tumble gear.obj --tumble vertices --hull",
                                       "plain.tumble gear.obj --hull-levels 16",
                                       "lookup.tumble plain.tumble --tumble axes",
                                       "lookup.tumble plain.tumble",
                                       "lookup.tumble lookup.tumble"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        expect_hierarchy(good[i], "kdop");
    }
    cli_expect_error("tumble check gear.obj plain.tumble --tumble lookup", "plain.tumble was saved without",
                     "tumble build --hierarchy kdop --tumble lookup", NULL);
    cli_expect_error("tumble check gear.obj lookup.tumble --tumble vertices", "lookup.tumble", "--tumble vertices",
                     NULL);
    cli_expect_error("tumble check lookup.tumble plain.tumble --hull", "plain.tumble was saved without its convex hull",
                     NULL);
    cli_expect_error("tumble check plain.tumble lookup.tumble --hull-levels 2", "hulls of 1 levels", NULL);
    cli_expect_error("tumble build plain.tumble -o other.tumble --tumble lookup", "plain.tumble", "--tumble lookup",
                     NULL);
    expect_message("tumble check plain.tumble gear.obj --leaf 4", "note: plain.tumble is a saved model", "keeps");
    expect_message("tumble check gear.obj plain.tumble --leaf-b 4", "note: plain.tumble is a saved model", "keeps");
    expect_hierarchy("plain.tumble gear.obj --leaf-b 4 --traversal both --epsilon 0.1", "kdop");
}

/* ---- the second model's leaves ---- */

static double updates_of(const char *options)
{
    cJSON *json =
        cli_json_line(cli_expect(1, "tumble check gear.obj torus.obj --hierarchy kdop --json %s", options).out, 0);
    const double updates = cli_number(cli_object(json, "stats"), "box_updates");
    cJSON_Delete(json);
    return updates;
}

/* B's tree alone becomes smaller, also where both models are the same file. */
static void test_leaf_of_b(void **state)
{
    (void)state;
    const double fine = updates_of("--leaf 1"), coarse = updates_of("--leaf 1 --leaf-b 40");
    assert_true(coarse < fine / 4);
    assert_true(updates_of("--leaf 40 --leaf-b 1") > 2 * coarse); /* A's are not tumbled */
    cJSON *json = cli_json_line(
        cli_expect(1, "tumble check gear.obj gear.obj --hierarchy kdop --json --limit 0 --leaf-b 40").out, 0);
    const double pairs = cli_number(json, "pair_count"), updates = cli_number(cli_object(json, "stats"), "box_updates");
    cJSON_Delete(json);
    json = cli_json_line(cli_expect(1, "tumble check gear.obj gear.obj --hierarchy kdop --json --limit 0").out, 0);
    assert_true(cli_number(json, "pair_count") == pairs);
    assert_true(cli_number(cli_object(json, "stats"), "box_updates") > updates);
    cJSON_Delete(json);
}

static void test_demo_with_kdop(void **state)
{
    (void)state;
    cJSON *json = cli_json_line(
        cli_expect(0, "tumble demo --steps 12 --hierarchy kdop --k 14 --leaf-b 16 --tumble axes --json 2>notes").out,
        0);
    assert_string_equal(cli_string(json, "hierarchy"), "kdop");
    cJSON *other = cli_json_line(cli_expect(0, "tumble demo --steps 12 --json 2>notes").out, 0);
    const cJSON *worst = cli_object(json, "worst"), *other_worst = cli_object(other, "worst");
    assert_true(cli_number(worst, "pair_count") == cli_number(other_worst, "pair_count"));
    assert_true(cli_number(worst, "triangle_pair_count") == cli_number(other_worst, "triangle_pair_count"));
    cJSON_Delete(json);
    cJSON_Delete(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_help_of_a_hierarchy),
        cmocka_unit_test(test_help_of_rtree),
        cmocka_unit_test(test_help_of_all_hierarchies),
        cmocka_unit_test(test_every_option_agrees),
        cmocka_unit_test(test_every_kdop_option_agrees),
        cmocka_unit_test(test_every_rtree_option_agrees),
        cmocka_unit_test(test_work_of_rtree),
        cmocka_unit_test(test_options_of_another_hierarchy),
        cmocka_unit_test(test_values_of_kdop_options),
        cmocka_unit_test(test_values_of_rtree_options),
        cmocka_unit_test(test_info_of_kdop),
        cmocka_unit_test(test_info_of_rtree),
        cmocka_unit_test(test_memory_of_kdop),
        cmocka_unit_test(test_saved_models_answer_alike),
        cmocka_unit_test(test_saved_models_keep_their_hierarchy),
        cmocka_unit_test(test_different_hierarchies),
        cmocka_unit_test(test_different_k),
        cmocka_unit_test(test_saved_models_and_tumbling),
        cmocka_unit_test(test_leaf_of_b),
        cmocka_unit_test(test_demo_with_kdop),
    };
    return cmocka_run_group_tests(tests, setup, cli_teardown);
}
