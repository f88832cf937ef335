/* tumble clash with files that have parts, places and units of their own: glTF with a node tree. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_run.h"
#include "support.h"

/* The buffer of a cube from 0 to 1: 8 points, 36 corners. */
static void write_cube_buffer(const char *name)
{
    static const uint16_t corners[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                         2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    float points[8][3];
    unsigned char bytes[sizeof points + sizeof corners];
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 3; j++) {
            points[i][j] = (float)(i >> j & 1);
        }
    }
    memcpy(bytes, points, sizeof points);
    memcpy(bytes + sizeof points, corners, sizeof corners);
    cli_write_bytes(name, bytes, sizeof bytes);
}

/* A glTF file of cubes: its nodes. */
static void write_gltf(const char *name, const char *nodes)
{
    char text[4096];
    write_cube_buffer("cube.bin");
    snprintf(text, sizeof text,
             "{\"asset\": {\"version\": \"2.0\"}, \"scene\": 0, \"scenes\": [{\"nodes\": [0]}], \"nodes\": [%s],\n"
             "\"materials\": [{\"name\": \"steel\"}],\n"
             "\"meshes\": [{\"name\": \"cube\", \"primitives\": [{\"attributes\": {\"POSITION\": 0}, \"indices\": 1, "
             "\"material\": 0}]}],\n"
             "\"buffers\": [{\"uri\": \"cube.bin\", \"byteLength\": 168}],\n"
             "\"bufferViews\": [{\"buffer\": 0, \"byteOffset\": 0, \"byteLength\": 96, \"target\": 34962}, "
             "{\"buffer\": 0, \"byteOffset\": 96, \"byteLength\": 72, \"target\": 34963}],\n"
             "\"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"count\": 8, \"type\": \"VEC3\", "
             "\"min\": [0, 0, 0], \"max\": [1, 1, 1]}, "
             "{\"bufferView\": 1, \"componentType\": 5123, \"count\": 36, \"type\": \"SCALAR\"}]}\n",
             nodes);
    cli_write_file(name, text);
}

static cJSON *report(const char *name)
{
    char *text = cli_read_file(name, NULL);
    cJSON *json = cJSON_Parse(text);
    assert_non_null(json);
    free(text);
    return json;
}

static void expect_part(const cJSON *json, int number, const char *path, int model)
{
    const cJSON *part = cJSON_GetArrayItem(cli_array(json, "parts"), number);
    assert_string_equal(cli_string(part, "path"), path);
    assert_string_equal(cli_string(part, "material"), "steel");
    assert_int_equal((int)cli_number(part, "model"), model);
}

static void expect_clash(const cJSON *json, int number, int a, int b, const char *kind)
{
    const cJSON *clash = cJSON_GetArrayItem(cli_array(json, "clashes"), number);
    assert_int_equal((int)cli_number(clash, "a"), a);
    assert_int_equal((int)cli_number(clash, "b"), b);
    assert_string_equal(cli_string(clash, "kind"), kind);
}

/* Instances are one model; a mirror image is one of its own, which lies where its node puts it: from 2 to 3. */
static void test_nodes(void **state)
{
    (void)state;
    write_gltf("tree.gltf",
               "{\"name\": \"top\", \"children\": [1, 2, 5]}, {\"name\": \"left\", \"mesh\": 0}, "
               "{\"name\": \"rack\", \"translation\": [1, 0, 0], \"children\": [3, 4]}, "
               "{\"name\": \"right\", \"mesh\": 0, \"translation\": [-0.5, 0.25, 0]}, "
               "{\"name\": \"mirror\", \"mesh\": 0, \"scale\": [-1, 1, 1], \"translation\": [2, 0, 0]}, "
               "{\"name\": \"small\", \"mesh\": 0, \"scale\": [0.25, 0.25, 0.25], \"translation\": [2.5, 0.5, 0.5]}");
    const cli_result result = cli_expect(1, "tumble clash tree.gltf -o out");
    assert_non_null(strstr(result.out, "4 parts of 2 models"));
    cJSON *json = report("out/clashes.json");
    expect_part(json, 0, "tree/left", 0);
    expect_part(json, 1, "tree/rack/right", 0);
    expect_part(json, 2, "tree/rack/mirror", 1);
    expect_part(json, 3, "tree/small", 0);
    assert_int_equal(cJSON_GetArraySize(cli_array(json, "clashes")), 2);
    expect_clash(json, 0, 0, 1, "crossing");
    expect_clash(json, 1, 2, 3, "contained");
    assert_true(cli_number(json, "unit_metres") == 1);
    assert_string_equal(cli_string(json, "up"), "y");
    cJSON_Delete(json);
}

#define CUBE_OBJ                                                                                                       \
    "v 1500 0 0\nv 1600 0 0\nv 1600 100 0\nv 1500 100 0\nv 1500 0 100\nv 1600 0 100\nv 1600 100 100\nv 1500 100 100\n" \
    "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n"

/* Files whose units differ are told apart, and converted when that is asked for. */
static void test_units(void **state)
{
    (void)state;
    write_gltf("one.gltf", "{\"name\": \"one\", \"mesh\": 0}");
    cli_write_file("far.obj", CUBE_OBJ);
    cli_expect_error("tumble clash one.gltf far.obj", "far.obj", "states no unit", "--assume-units", NULL);
    cli_expect_error("tumble clash one.gltf far.obj --assume-units mm --assume-up y", "far.obj", "its unit is mm",
                     "one.gltf is m", "--units m", NULL);
    cli_expect_error("tumble clash one.gltf far.obj --assume-units m --assume-up z", "far.obj", "z is up", "--up y",
                     NULL);
    cli_expect(0, "tumble clash one.gltf far.obj --assume-units mm --assume-up y --units mm --clearance 500");
    cli_expect(1, "tumble clash one.gltf far.obj --assume-units mm --assume-up y --units mm --clearance 501 -o out");
    cJSON *json = report("out/clashes.json");
    expect_clash(json, 0, 0, 1, "clearance");
    assert_true(cli_number(cJSON_GetArrayItem(cli_array(json, "clashes"), 0), "distance") == 500);
    assert_true(cli_number(json, "unit_metres") == 0.001);
    cJSON_Delete(json);
    cli_expect(1, "tumble clash one.gltf far.obj --assume-units mm --assume-up y --units m --clearance 0.501");
}

static void test_errors(void **state)
{
    (void)state;
    write_gltf("torn.gltf", "{\"name\": \"one\", \"mesh\": 7}");
    cli_expect_error("tumble clash torn.gltf", "torn.gltf", NULL);
    write_gltf("bare.gltf", "{\"name\": \"nothing\"}");
    assert_non_null(strstr(cli_expect(0, "tumble clash bare.gltf").out, "bare: no polygons"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nodes), cmocka_unit_test(test_units),
                                       cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
