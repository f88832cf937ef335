/* Surfaces on the command line: where they come from, what they are called, and which of them intersect. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_run.h"
#include "support.h"

/* The unit cube as six quads of three groups, one of them of two materials. */
static const char cube[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                           "g floor\nf 4 3 2 1\ng roof\nf 5 6 7 8\ng walls\nusemtl brick\nf 1 2 6 5\nf 3 4 8 7\n"
                           "usemtl glass\nf 1 5 8 4\nf 2 3 7 6\n";

/* Without groups: a triangle through the roof, and a bent one, of two triangles, through the wall at x = 1. */
static const char darts[] = "OFF\n7 3 0\n0.25 0.25 0.5\n0.5 0.25 0.5\n0.375 0.25 1.5\n"
                            "0.5 0.5 0.5\n1.5 0.5 0.5\n0.5 0.5 0.625\n0.5 0.75 0.5\n"
                            "3 0 1 2\n3 3 4 5\n3 3 4 6\n";

static int setup(void **state)
{
    cli_setup(state);
    cli_write_file("cube.obj", cube);
    cli_write_file("darts.off", darts);
    return 0;
}

/* ---- lists ---- */

/* "number name polygons; ..." as info --surfaces tells it. */
static void describe(const char *options, char *text, size_t size)
{
    cJSON *json = cli_json_line(cli_expect(0, "tumble info %s --surfaces --json", options).out, 0);
    const cJSON *item;
    size_t length = 0;
    text[0] = '\0';
    cJSON_ArrayForEach(item, cli_array(json, "surface_list"))
    {
        const cJSON *name = cJSON_GetObjectItem(item, "name");
        length +=
            (size_t)snprintf(text + length, size - length, "%s%g %s %g", length ? "; " : "",
                             cli_number(item, "surface"), name ? name->valuestring : "-", cli_number(item, "polygons"));
    }
    length += (size_t)snprintf(text + length, size - length, " | %g %s", cli_number(json, "surfaces"),
                               cli_string(json, "surfaces_from"));
    assert_true(length < size);
    cJSON_Delete(json);
}

static void expect_list(const char *options, const char *expected)
{
    char text[1000];
    describe(options, text, sizeof text);
    assert_string_equal(text, expected);
}

static void test_sources(void **state)
{
    (void)state;
    expect_list("cube.obj", "0 floor 1; 1 roof 1; 2 walls/brick 2; 3 walls/glass 2 | 4 groups");
    expect_list("cube.obj --surfaces-from groups", "0 floor 1; 1 roof 1; 2 walls/brick 2; 3 walls/glass 2 | 4 groups");
    expect_list("cube.obj --surfaces-from one", "0 - 6 | 1 one");
    expect_list("cube.obj --surfaces-from parts", "0 - 6 | 1 parts");
    expect_list("cube.obj --surfaces-from parts --crease 30", "0 - 1; 1 - 1; 2 - 1; 3 - 1; 4 - 1; 5 - 1 | 6 parts");
    expect_list("cube.obj --crease 89", "0 - 1; 1 - 1; 2 - 1; 3 - 1; 4 - 1; 5 - 1 | 6 parts");
    expect_list("cube.obj --crease 91", "0 - 6 | 1 parts");
    expect_list("darts.off", "0 - 1; 1 - 2 | 2 parts");
    expect_list("darts.off --crease 60", "0 - 1; 1 - 1; 2 - 1 | 3 parts");
    expect_list("darts.off --surfaces-from groups", "0 - 3 | 1 groups");
    expect_list("darts.off --surfaces-from one", "0 - 3 | 1 one");
    cli_write_file("empty.off", "OFF\n0 0 0\n");
    expect_list("empty.off --allow-empty", " | 0 parts");
}

static void test_names(void **state)
{
    (void)state;
    cli_write_file("solids.stl", "solid  left part \nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                                 "vertex 0 1 0\nendloop\nendfacet\nendsolid\nsolid\nfacet normal 0 0 1\nouter loop\n"
                                 "vertex 0 0 1\nvertex 1 0 1\nvertex 0 1 1\nendloop\nendfacet\nendsolid\n");
    expect_list("solids.stl", "0 left part 1; 1 - 1 | 2 groups");
    char *text = malloc(3000), *at = text;
    at += sprintf(at, "v 0 0 0\nv 1 0 0\nv 0 1 0\no ");
    for (int i = 0; i < 500; i++) {
        at += sprintf(at, "\xc3\xa4"); /* of two bytes */
    }
    sprintf(at, "\nf 1 2 3\no b\x1b[31m\nf 1 2 3\n");
    cli_write_file("long.obj", text);
    cJSON *json = cli_json_line(cli_expect(0, "tumble info long.obj --surfaces --json").out, 0);
    const cJSON *list = cli_array(json, "surface_list");
    const char *name = cli_string(cJSON_GetArrayItem(list, 0), "name");
    assert_int_equal(strlen(name), 250); /* cut, between characters */
    assert_memory_equal(name, text + 26, 250);
    assert_string_equal(cli_string(cJSON_GetArrayItem(list, 1), "name"), "b\x1b[31m");
    cJSON_Delete(json);
    const cli_result result = cli_expect(0, "tumble info long.obj --surfaces");
    assert_non_null(strstr(result.out, "b?[31m"));
    assert_null(strchr(result.out, '\x1b')); /* not to a terminal */
    free(text);
}

/* Two primitives of one mesh, used twice, where the command was built with assimp. */
static void test_gltf(void **state)
{
    (void)state;
    cli_write_file("shells.gltf",
                   "{\"asset\": {\"version\": \"2.0\"}, \"scene\": 0, \"scenes\": [{\"nodes\": [0, 1]}], \"nodes\": "
                   "[{\"name\": \"near\", \"mesh\": 0}, {\"name\": \"far\", \"mesh\": 0, \"translation\": [5, 0, 0]}], "
                   "\"meshes\": [{\"name\": \"shell\", \"primitives\": [{\"attributes\": {\"POSITION\": 0}}, "
                   "{\"attributes\": {\"POSITION\": 1}}]}], \"accessors\": [{\"bufferView\": 0, \"componentType\": "
                   "5126, \"count\": 3, \"type\": \"VEC3\", \"min\": [0, 0, 0], \"max\": [1, 1, 0]}, {\"bufferView\": "
                   "1, \"componentType\": 5126, \"count\": 3, \"type\": \"VEC3\", \"min\": [0, 0, 1], \"max\": [1, 1, "
                   "1]}], \"bufferViews\": [{\"buffer\": 0, \"byteOffset\": 0, \"byteLength\": 36}, {\"buffer\": 0, "
                   "\"byteOffset\": 36, \"byteLength\": 36}], \"buffers\": [{\"byteLength\": 72, \"uri\": "
                   "\"data:application/octet-stream;base64,"
                   "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AACAPwAAAAAAAIA/"
                   "AAAAAAAAgD8AAIA/\"}]}");
    const cli_result result = cli_run("tumble info shells.gltf --json");
    if (strstr(result.err, "built without assimp")) {
        assert_int_equal(result.status, 2);
        skip();
    }
    char text[500];
    describe("shells.gltf", text, sizeof text);
    assert_non_null(strstr(text, "| 4 groups"));
    assert_non_null(strstr(text, "0 near/shell"));
    assert_non_null(strstr(text, "3 far/shell"));
}

static void test_info_text(void **state)
{
    (void)state;
    const char *text = cli_expect(0, "tumble info cube.obj --surfaces").out;
    assert_non_null(strstr(text, "\n  surfaces          4 "));
    assert_non_null(strstr(text, " groups of the file\n"));
    assert_non_null(strstr(text, "\n\n  surface  polygons  name\n        0         1  floor\n"));
    text = cli_expect(0, "tumble info darts.off").out;
    assert_non_null(strstr(text, "\n  surfaces          2 "));
    assert_non_null(strstr(text, " connected parts\n"));
    assert_null(strstr(text, "polygons  name"));
    text = cli_expect(0, "tumble build darts.off -o darts.tumble").out;
    assert_non_null(strstr(text, "connected parts"));
}

/* ---- check ---- */

/* "a-b by i-j; ..." */
static void describe_pairs(const char *line, int status, char *text, size_t size)
{
    cJSON *json = cli_json_line(cli_expect(status, "%s --json", line).out, 0);
    const cJSON *item;
    size_t length = 0;
    text[0] = '\0';
    cJSON_ArrayForEach(item, cli_array(json, "surface_pairs"))
    {
        const cJSON *pair = cli_array(item, "pair"), *polygons = cli_array(item, "polygons");
        assert_int_equal(cJSON_GetArraySize(pair), 2);
        length += (size_t)snprintf(text + length, size - length, "%s%g-%g by %g-%g", length ? "; " : "",
                                   cJSON_GetArrayItem(pair, 0)->valuedouble, cJSON_GetArrayItem(pair, 1)->valuedouble,
                                   cJSON_GetArrayItem(polygons, 0)->valuedouble,
                                   cJSON_GetArrayItem(polygons, 1)->valuedouble);
    }
    length += (size_t)snprintf(text + length, size - length, " | %g", cli_number(json, "surface_pair_count"));
    assert_true(length < size);
    assert_int_equal(cli_bool(json, "collide"), status == 1);
    cJSON_Delete(json);
}

static void expect_pairs(const char *line, int status, const char *expected)
{
    char text[1000];
    describe_pairs(line, status, text, sizeof text);
    if (strcmp(text, expected) != 0) {
        fail_msg("%s: %s instead of %s", line, text, expected);
    }
}

static void test_all(void **state)
{
    (void)state;
    static const char *const hierarchies[] = {"auto", "wide", "boxtree", "kdop", "brute"};
    for (size_t i = 0; i < sizeof hierarchies / sizeof *hierarchies; i++) {
        char line[200];
        snprintf(line, sizeof line, "tumble check cube.obj darts.off --surfaces all --hierarchy %s", hierarchies[i]);
        char text[200];
        describe_pairs(line, 1, text, sizeof text);
        /* the second dart's two triangles are one part, and either may be found first */
        if (strcmp(text, "1-0 by 1-0; 3-1 by 5-1 | 2") != 0 && strcmp(text, "1-0 by 1-0; 3-1 by 5-2 | 2") != 0) {
            fail_msg("%s: %s", line, text);
        }
    }
    expect_pairs("tumble check cube.obj darts.off --surfaces all --crease 30", 1,
                 "1-0 by 1-0; 5-1 by 5-1; 5-2 by 5-2 | 3");
    expect_pairs("tumble check cube.obj darts.off --surfaces all --surfaces-from groups --limit 1", 1,
                 "1-0 by 1-0 | 2");
    expect_pairs("tumble check cube.obj darts.off --surfaces all --limit 0", 1, " | 2");
    expect_pairs("tumble check cube.obj darts.off --surfaces all --pose-b '1 0 0 9  0 1 0 0  0 0 1 0'", 0, " | 0");
    cJSON *json = cli_json_line(cli_expect(1, "tumble check cube.obj darts.off --surfaces all --json").out, 0);
    const cJSON *pairs = cli_array(json, "surface_pairs");
    const cJSON *names = cli_array(cJSON_GetArrayItem(pairs, 1), "names");
    assert_string_equal(cJSON_GetArrayItem(names, 0)->valuestring, "walls/glass");
    assert_true(cJSON_IsNull(cJSON_GetArrayItem(names, 1)));
    assert_null(cJSON_GetObjectItem(json, "pairs"));
    assert_null(cJSON_GetObjectItem(json, "pair_count"));
    assert_true(cli_number(cli_object(json, "stats"), "primitive_tests") > 0);
    cJSON_Delete(json);
    json = cli_json_line(cli_expect(1, "tumble check darts.off darts.off --surfaces all --json").out, 0);
    assert_null(cJSON_GetObjectItem(cJSON_GetArrayItem(cli_array(json, "surface_pairs"), 0), "names"));
    cJSON_Delete(json);
}

static void test_first(void **state)
{
    (void)state;
    char text[200];
    describe_pairs("tumble check cube.obj darts.off --surfaces first", 1, text, sizeof text);
    assert_true(strcmp(text, "1-0 by 1-0 | 1") == 0 || strcmp(text, "3-1 by 5-1 | 1") == 0 ||
                strcmp(text, "3-1 by 5-2 | 1") == 0);
    const char *words = cli_expect(1, "tumble check cube.obj darts.off --surfaces first").out;
    assert_true(
        strstr(words, "for example surface 1 (roof) of the first with surface 0 of the second (polygons 1 and 0)") ||
        strstr(words, "for example surface 3 (walls/glass) of the first with surface 1 of the second"));
    expect_pairs("tumble check cube.obj darts.off --surfaces first --pose-b '1 0 0 9  0 1 0 0  0 0 1 0'", 0, " | 0");
}

/* The polygons as well. */
static void test_with_polygons(void **state)
{
    (void)state;
    cJSON *json =
        cli_json_line(cli_expect(1, "tumble check cube.obj darts.off --surfaces all --all --segments --json").out, 0);
    assert_true(cli_number(json, "surface_pair_count") == 2 && cli_number(json, "pair_count") == 3);
    assert_int_equal(cJSON_GetArraySize(cli_array(json, "pairs")), 3);
    assert_int_equal(cJSON_GetArraySize(cli_array(json, "surface_pairs")), 2);
    assert_true(cJSON_GetArraySize(cli_array(json, "segments")) >= 3);
    cJSON_Delete(json);
    const char *text = cli_expect(1, "tumble check cube.obj darts.off --surfaces all --all").out;
    assert_non_null(strstr(text, "intersect: 2 pairs of surfaces, 3 pairs of polygons.\n"));
    assert_non_null(strstr(text, "\n  polygon of A  polygon of B\n"));
}

static void test_check_text(void **state)
{
    (void)state;
    const char *text = cli_expect(1, "tumble check cube.obj darts.off --surfaces all").out;
    assert_non_null(strstr(text, "cube.obj and darts.off intersect: 2 pairs of surfaces.\n"));
    assert_non_null(strstr(text, "  surface of A               surface of B  by polygon of A  polygon of B\n"
                                 "             1  roof                    0                1             0\n"));
    text = cli_expect(1, "tumble check darts.off cube.obj --surfaces all --limit 1 --stats").out;
    assert_non_null(strstr(text, "  surface of A  surface of B        by polygon of A  polygon of B\n"
                                 "             0             1  roof                0             1\n"
                                 "  ... and 1 pair more: --limit 2 lists them all\n"));
    assert_non_null(strstr(text, "triangle tests"));
    text = cli_expect(1, "tumble check darts.off darts.off --surfaces all").out;
    assert_non_null(strstr(text, "  surface of A  surface of B  by polygon of A  polygon of B\n"));
    text = cli_expect(0, "tumble check darts.off cube.obj --surfaces all --pose-b '1 0 0 9  0 1 0 0  0 0 1 0'").out;
    assert_string_equal(text, "darts.off and cube.obj do not intersect.\n");
}

static void test_paths(void **state)
{
    (void)state;
    cli_write_file("path.txt", "1 0 0 0  0 1 0 0  0 0 1 0\n1 0 0 0  0 1 0 0  0 0 1 -0.25\n1 0 0 9  0 1 0 0  0 0 1 0\n");
    const char *line = "tumble check cube.obj darts.off --poses path.txt --surfaces";
    const char *text = cli_expect(1, "%s all", line).out;
    assert_non_null(strstr(text, "intersect at 2 of 3 poses"));
    assert_non_null(
        strstr(text, "most pairs of surfaces  at step\n  0 to 1  intersect                       2        0\n"));
    text = cli_expect(1, "%s first", line).out;
    assert_non_null(strstr(text, "first: surface of A  surface of B\n"));
    const char *json = cli_expect(1, "%s all --json", line).out;
    assert_int_equal(cli_count_lines(json), 3);
    cJSON *last = cli_json_line(json, 2);
    assert_true(cli_number(last, "step") == 2 && cli_number(last, "surface_pair_count") == 0);
    cJSON_Delete(last);
}

/* A model that is compared with itself is read once, and its names serve for both. */
static void test_same_model(void **state)
{
    (void)state;
    cJSON *json = cli_json_line(
        cli_expect(1, "tumble check cube.obj cube.obj --surfaces all --pose-b '1 0 0 0.5  0 1 0 0.5  0 0 1 0.5' --json")
            .out,
        0);
    const cJSON *names = cli_array(cJSON_GetArrayItem(cli_array(json, "surface_pairs"), 0), "names");
    assert_true(cJSON_IsString(cJSON_GetArrayItem(names, 0)) && cJSON_IsString(cJSON_GetArrayItem(names, 1)));
    cJSON_Delete(json);
}

/* ---- saved models ---- */

static void test_saved(void **state)
{
    (void)state;
    cli_expect(0, "tumble build cube.obj -o groups.tumble --json");
    expect_list("groups.tumble", "0 - 1; 1 - 1; 2 - 2; 3 - 2 | 4 saved");
    cli_expect(0, "tumble build darts.off -o parts.tumble --crease 60");
    expect_list("parts.tumble", "0 - 1; 1 - 1; 2 - 1 | 3 saved");
    expect_pairs("tumble check groups.tumble parts.tumble --surfaces all", 1, "1-0 by 1-0; 3-1 by 5-1; 3-2 by 5-2 | 3");
    const cli_result result = cli_run("tumble check groups.tumble darts.off --surfaces all --crease 60");
    assert_int_equal(result.status, 1);
    assert_non_null(strstr(result.err, "note: groups.tumble is a saved model: it keeps the surfaces"));
    cli_expect(0, "tumble build darts.off -o one.tumble --surfaces-from one");
    expect_list("one.tumble", "0 - 3 | 1 saved");
}

/* ---- what is refused ---- */

static void test_refused(void **state)
{
    (void)state;
    cli_expect_error("tumble check cube.obj darts.off --crease 30", "--crease", "--surfaces", NULL);
    cli_expect_error("tumble check cube.obj darts.off --surfaces-from parts", "--surfaces-from", "--surfaces", NULL);
    cli_expect_error("tumble check cube.obj darts.off --surfaces all --first", "--first", "--surfaces", NULL);
    cli_expect_error("tumble check cube.obj darts.off --surfaces all --test", "--test", "--surfaces", NULL);
    cli_expect_error("tumble check cube.obj darts.off --surfaces first --all", "--surfaces all", NULL);
    cli_expect_error("tumble check cube.obj darts.off --surfaces all --segments", "--segments", "--all", NULL);
    cli_expect_error("tumble check cube.obj darts.off --surfaces each", "each", NULL);
    cli_expect_error("tumble check cube.obj darts.off --surfaces", "--surfaces", NULL);
    cli_expect_error("tumble info cube.obj --surfaces-from groups --crease 30", "--crease", "groups", NULL);
    cli_expect_error("tumble info cube.obj --surfaces-from one --crease 30", "--crease", "one", NULL);
    cli_expect_error("tumble build cube.obj -o x.tumble --surfaces-from one --crease 30", "--crease", NULL);
    cli_expect_error("tumble info cube.obj --crease 181", "181", NULL);
    cli_expect_error("tumble info cube.obj --crease -1", "-1", NULL);
    cli_expect_error("tumble info cube.obj --surfaces-from pieces", "pieces", NULL);
    cli_expect_error("tumble demo --crease 30", "--crease", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sources),   cmocka_unit_test(test_names),         cmocka_unit_test(test_gltf),
        cmocka_unit_test(test_info_text), cmocka_unit_test(test_all),           cmocka_unit_test(test_first),
        cmocka_unit_test(test_paths),     cmocka_unit_test(test_with_polygons), cmocka_unit_test(test_check_text),
        cmocka_unit_test(test_saved),     cmocka_unit_test(test_same_model),    cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, setup, cli_teardown);
}
