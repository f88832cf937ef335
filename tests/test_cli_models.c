/* `tumble info`, `build`, `make` and `demo` from end to end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_run.h"
#include "models.h"
#include "support.h"

/* A cube with corners at 0.1 and 1, as six quads of two groups; a float does not hold 0.1. */
static const char cube[] = "v .1 .1 .1\nv 1 .1 .1\nv 1 1 .1\nv .1 1 .1\nv .1 .1 1\nv 1 .1 1\nv 1 1 1\nv .1 1 1\n"
                           "g ends\nf 4 3 2 1\nf 5 6 7 8\ng sides\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n";

static int setup(void **state)
{
    cli_setup(state);
    cli_write_file("cube.obj", cube);
    return 0;
}

/* ---- info ---- */

static void check_cube_info(const cJSON *json)
{
    assert_true(cli_number(json, "polygons") == 6);
    assert_true(cli_number(json, "triangles") == 12);
    assert_true(cli_number(json, "points") == 8);
    assert_true(cli_number(json, "surfaces") == 2);
    assert_true(cli_number(json, "degenerate") == 0);
    assert_true(cli_bool(json, "closed"));
    assert_string_equal(cli_string(json, "coordinates"), "double");
    const cJSON *bounds = cli_object(json, "bounds");
    for (int i = 0; i < 3; i++) {
        assert_true(cJSON_GetArrayItem(cli_array(bounds, "lower"), i)->valuedouble == 0.1); /* to the last bit */
        assert_true(cJSON_GetArrayItem(cli_array(bounds, "upper"), i)->valuedouble == 1);
    }
}

static void test_info(void **state)
{
    (void)state;
    cJSON *json = cli_json_line(cli_expect(0, "tumble info cube.obj --json").out, 0);
    check_cube_info(json);
    assert_string_equal(cli_string(json, "hierarchy"), "wide");
    assert_true(cli_number(json, "nodes") == 1);
    assert_true(cli_number(json, "depth") == 1);
    const double per_node = cli_number(json, "bytes_per_node"),
                 per_triangle = cli_number(json, "hierarchy_bytes_per_triangle");
    assert_true(per_node == 128);
    assert_true(fabs(per_triangle * 12 - per_node * cli_number(json, "nodes")) < 1e-9);
    assert_true(cli_number(json, "bytes_per_triangle") > per_triangle);
    assert_true(cli_number(json, "build_ms") > 0);
    cJSON_Delete(json);
}

static void test_info_options(void **state)
{
    (void)state;
    cJSON *json = cli_json_line(cli_expect(0, "tumble info cube.obj --json --hierarchy brute").out, 0);
    check_cube_info(json);
    assert_string_equal(cli_string(json, "hierarchy"), "brute");
    assert_true(cli_number(json, "nodes") == 0 && cli_number(json, "bytes_per_node") == 0);
    cJSON_Delete(json);
    cli_expect(0, "tumble info cube.obj --json -o info.json");
    char *text = cli_read_file("info.json", NULL);
    json = cli_json_line(text, 0);
    check_cube_info(json);
    cJSON_Delete(json);
    free(text);
    const char *words = cli_expect(0, "tumble info cube.obj").out;
    assert_non_null(strstr(words, "cube.obj\n"));
    assert_non_null(strstr(words, "polygons"));
    assert_null(strstr(words, " \n")); /* no blanks at the ends of lines */
    cli_expect_error("tumble info", "one model", NULL);
    cli_expect_error("tumble info missing.obj", "missing.obj", NULL);
}

static void test_info_of_faulty_meshes(void **state)
{
    (void)state;
    cli_write_file("empty.off", "OFF\n0 0 0\n");
    cJSON *json = cli_json_line(cli_expect(0, "tumble info empty.off --allow-empty --json").out, 0);
    assert_true(cli_number(json, "polygons") == 0 && cli_number(json, "triangles") == 0);
    assert_true(cli_number(json, "bytes_per_triangle") == 0 && cli_number(json, "bytes_per_node") == 0);
    cJSON_Delete(json);
    cli_write_file("open.off", "OFF\n3 2 0\n0 0 0\n1 0 0\n2 0 0\n3 0 1 2\n3 0 1 1\n");
    json = cli_json_line(cli_expect(0, "tumble info open.off --json").out, 0);
    assert_true(cli_number(json, "polygons") == 2 && cli_number(json, "degenerate") == 2);
    assert_string_equal(cli_string(json, "coordinates"), "float");
    cJSON_Delete(json);
    cli_write_file("triangle.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    json = cli_json_line(cli_expect(0, "tumble info triangle.off --json").out, 0);
    assert_false(cli_bool(json, "closed"));
    cJSON_Delete(json);
}

/* A format that only assimp reads, where the command was built with it: polygons stay polygons. */
static void test_info_through_assimp(void **state)
{
    (void)state;
    cli_write_file("house.ac", "AC3Db\n"
                               "MATERIAL \"\" rgb 1 1 1 amb 0 0 0 emis 0 0 0 spec 0 0 0 shi 0 trans 0\n"
                               "OBJECT world\nkids 1\nOBJECT poly\n"
                               "numvert 5\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0.5 2 0\n"
                               "numsurf 2\n"
                               "SURF 0x20\nmat 0\nrefs 4\n0 0 0\n1 0 0\n2 0 0\n3 0 0\n"
                               "SURF 0x20\nmat 0\nrefs 3\n3 0 0\n2 0 0\n4 0 0\n"
                               "kids 0\n");
    const cli_result result = cli_run("tumble info house.ac --json");
    if (strstr(result.err, "built without assimp")) {
        assert_int_equal(result.status, 2);
        skip();
    }
    cJSON *json = cli_json_line(result.out, 0);
    assert_true(cli_number(json, "polygons") == 2 && cli_number(json, "triangles") == 3);
    assert_true(cli_number(json, "points") == 5);
    cJSON_Delete(json);
    cli_expect(1, "tumble check house.ac cube.obj --pose-b '1 0 0 0  0 1 0 0  0 0 1 -0.5'");
}

/* ---- build ---- */

static void test_build(void **state)
{
    (void)state;
    cJSON *json = cli_json_line(cli_expect(0, "tumble build cube.obj -o cube.tumble --json").out, 0);
    assert_string_equal(cli_string(json, "file"), "cube.tumble");
    check_cube_info(json);
    cJSON_Delete(json);
    json = cli_json_line(cli_expect(0, "tumble info cube.tumble --json").out, 0);
    check_cube_info(json);
    assert_true(cli_number(json, "build_ms") == 0);
    cJSON_Delete(json);
    cli_expect_error("tumble build cube.obj", "-o FILE", NULL);
    cli_expect_error("tumble build missing.obj -o x.tumble", "missing.obj", NULL);
    const size_t files = cli_count_files();
    cli_expect_error("tumble build cube.obj -o missing/x.tumble", "missing/x.tumble", NULL);
    assert_int_equal(cli_count_files(), files);
}

/* Whatever bit is wrong, the file is rejected. */
static void test_damaged_files(void **state)
{
    (void)state;
    cli_expect(0, "tumble build cube.obj -o cube.tumble");
    size_t size;
    char *bytes = cli_read_file("cube.tumble", &size);
    test_random random = {7};
    const size_t count = test_count(60);
    for (size_t i = 0; i < count; i++) {
        const size_t byte =
            i < 16 ? 4 * i : (size_t)(test_random_unit(&random) * (double)size); /* the head, then anywhere */
        const char bit = (char)(1 << test_random_whole(&random, 0, 6));
        bytes[byte] ^= bit;
        cli_write_bytes("damaged.tumble", bytes, size);
        cli_expect_error("tumble check damaged.tumble cube.obj", "damaged.tumble", NULL);
        bytes[byte] ^= bit;
    }
    static const double parts[] = {0, 0.001, 0.01, 0.1, 0.5, 0.9, 0.999};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        cli_write_bytes("cut.tumble", bytes, (size_t)(parts[i] * (double)size));
        cli_expect_error("tumble info cut.tumble", "cut.tumble", NULL);
    }
    cli_write_bytes("cut.tumble", bytes, size - 1);
    cli_expect_error("tumble info cut.tumble", "cut.tumble: not a valid model", "build it again", NULL);
    assert_null(strstr(cli_run("tumble info cut.tumble").err, "export"));
    cli_write_bytes("whole.tumble", bytes, size);
    cli_expect(0, "tumble info whole.tumble");
    free(bytes);
}

/* ---- make ---- */

static void check_made(const char *shape, const char *options, const char *file)
{
    cJSON *made = cli_json_line(cli_expect(0, "tumble make %s %s -o %s --json", shape, options, file).out, 0);
    assert_string_equal(cli_string(made, "shape"), shape);
    assert_string_equal(cli_string(made, "file"), file);
    cJSON *info = cli_json_line(cli_expect(0, "tumble info %s --json", file).out, 0);
    if (cli_number(made, "polygons") != cli_number(info, "polygons") ||
        cli_number(made, "triangles") != cli_number(info, "triangles") || cli_number(made, "polygons") == 0) {
        fail_msg("%s: made %g polygons, read %g", file, cli_number(made, "polygons"), cli_number(info, "polygons"));
    }
    cJSON_Delete(made);
    cJSON_Delete(info);
}

/* Every shape in every format: what was made is what is read. */
static void test_make_every_shape(void **state)
{
    (void)state;
    static const char *const endings[] = {"obj", "off", "stl", "ply"};
    size_t index = 0;
    for (const models_shape *shape = models_shapes(); shape->name; shape++, index++) {
        char file[64];
        snprintf(file, sizeof file, "%s.%s", shape->name, endings[index % 4]);
        check_made(shape->name, "", file);
        snprintf(file, sizeof file, "sized.%s", endings[(index + 1) % 4]);
        check_made(shape->name, "--triangles 400", file);
        snprintf(file, sizeof file, "small.%s", endings[(index + 2) % 4]);
        check_made(shape->name, "--triangles 50 --fit 2 --float", file);
    }
    assert_true(index >= 8);
}

static void test_make_size(void **state)
{
    (void)state;
    cli_expect(0, "tumble make torus --fit 3 --float -o torus.obj");
    cJSON *json = cli_json_line(cli_expect(0, "tumble info torus.obj --json").out, 0);
    const cJSON *bounds = cli_object(json, "bounds");
    double largest = 0;
    for (int i = 0; i < 3; i++) {
        const double lower = cJSON_GetArrayItem(cli_array(bounds, "lower"), i)->valuedouble;
        const double upper = cJSON_GetArrayItem(cli_array(bounds, "upper"), i)->valuedouble;
        largest = upper - lower > largest ? upper - lower : largest;
    }
    assert_true(fabs(largest - 3) < 1e-6);
    assert_string_equal(cli_string(json, "coordinates"), "float");
    cJSON_Delete(json);
    json = cli_json_line(cli_expect(0, "tumble make sphere --triangles 20000 -o big.ply --json").out, 0);
    const double triangles = cli_number(json, "triangles");
    assert_true(triangles > 15000 && triangles < 25000);
    cJSON_Delete(json);
}

static void test_make_formats(void **state)
{
    (void)state;
    cli_expect(0, "tumble make box -o box.stl --format stl-text");
    char *text = cli_read_file("box.stl", NULL);
    assert_memory_equal(text, "solid", 5);
    free(text);
    cli_expect(0, "tumble make box -o box.dat --format ply-text");
    text = cli_read_file("box.dat", NULL);
    assert_non_null(strstr(text, "format ascii"));
    free(text);
    cli_expect(0, "tumble make box -o BOX.OBJ");
    assert_non_null(strstr(cli_expect(0, "tumble make box -o box.off").out,
                           "box.off: box with 12 polygons (12 triangles) and 8 points"));
}

static void test_make_errors(void **state)
{
    (void)state;
    const size_t files = cli_count_files();
    cli_expect_error("tumble make", "no shape", NULL);
    cli_expect_error("tumble make -o x.obj", "no shape", NULL);
    cli_expect_error("tumble make torsu -o x.obj", "did you mean 'torus'", NULL);
    cli_expect_error("tumble make torus", "-o FILE", NULL);
    cli_expect_error("tumble make torus -o x.what", "x.what", ".obj, .off, .stl or .ply", NULL);
    cli_expect_error("tumble make torus -o missing/x.obj", "missing/x.obj", NULL);
    cli_expect_error("tumble make torus -o x.obj --triangles 0", "out of range", NULL);
    cli_expect_error("tumble make torus -o x.obj --what 0", "'--what'", NULL);
    assert_int_equal(cli_count_files(), files);
}

/* A shape's parameters are options of `make`: all of them in its help, their limits kept. */
static void test_make_parameters(void **state)
{
    (void)state;
    size_t count = 0;
    for (const models_shape *shape = models_shapes(); shape->name; shape++) {
        char *help = strdup(cli_expect(0, "tumble make %s --help", shape->name).out);
        assert_string_equal(help, cli_expect(0, "tumble help make %s", shape->name).out);
        for (size_t i = 0; i < 8 && shape->parameters[i].name; i++, count++) {
            const models_parameter *parameter = &shape->parameters[i];
            char option[64];
            snprintf(option, sizeof option, "--%s ", parameter->name);
            assert_non_null(strstr(help, option));
            char line[256];
            snprintf(line, sizeof line, "tumble make %s -o x.obj --%s %.17g", shape->name, parameter->name,
                     parameter->least - 1);
            cli_expect_error(line, "out of range", NULL);
        }
        free(help);
    }
    assert_true(count > 0);
    const models_parameter *parameter = models_find_shape("torus")->parameters;
    char line[256];
    snprintf(line, sizeof line, "tumble make torus -o x.obj --%s %.17g --triangles 500", parameter->name,
             parameter->value);
    cli_expect_error(line, "--triangles", NULL);
    snprintf(line, sizeof line, "--%s=%.17g", parameter->name, parameter->value);
    check_made("torus", line, "torus.obj");
}

/* ---- demo ---- */

/* The report is what `tumble check` finds in the files that the demonstration leaves. */
static void check_demo_against_files(const cJSON *json)
{
    const cli_result result =
        cli_expect(1, "tumble check out/demo-housing.obj out/demo-part.obj --poses out/demo-path.txt --json --limit 0");
    assert_true(cli_number(json, "steps") == (double)cli_count_lines(result.out));
    const cJSON *first = cli_object(json, "first_contact"), *worst = cli_object(json, "worst");
    double first_step = -1, most = 0;
    for (size_t step = 0; step < cli_count_lines(result.out); step++) {
        cJSON *line = cli_json_line(result.out, step);
        if (first_step < 0 && cli_bool(line, "collide")) {
            first_step = (double)step;
        }
        most = cli_number(line, "pair_count") > most ? cli_number(line, "pair_count") : most;
        cJSON_Delete(line);
    }
    assert_true(cli_number(first, "step") == first_step);
    assert_true(cli_number(worst, "pair_count") == most && most > 0);
    assert_true(cli_number(worst, "triangle_pair_count") >= most);
    assert_int_equal(cJSON_GetArraySize(cli_array(first, "pose")), 12);
    assert_int_equal(cJSON_GetArraySize(cli_array(first, "point")), 3);
}

/* Images in a drawing are letters and digits that may spell anything. */
static void blank_images(char *text)
{
    for (char *at = strstr(text, ";base64,"); at; at = strstr(at, ";base64,")) {
        const size_t length = strcspn(at, "\"");
        memset(at, ' ', length);
        at += length;
    }
}

/* Numbers of a drawing are finite. */
static void check_svg(const char *name)
{
    size_t size;
    char *text = cli_read_file(name, &size);
    assert_non_null(strstr(text, "<svg"));
    assert_non_null(strstr(text, "</svg>"));
    assert_true(size > 2000);
    blank_images(text);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    free(text);
}

static void test_demo(void **state)
{
    (void)state;
    const cli_result result = cli_run("tumble demo --steps 40 --json");
    assert_int_equal(result.status, 0);
    cJSON *json = cli_json_line(result.out, 0);
    assert_true(cli_number(json, "steps") == 40);
    const double median = cli_number(json, "median_microseconds");
    assert_true(median > 0 && cli_number(json, "worst_microseconds") >= median);
    assert_true(cli_number(json, "bytes_per_triangle") > 0);
    check_demo_against_files(json);
    check_svg("out/demo-contacts.svg");
    check_svg("out/demo-path.svg");
    const cJSON *file;
    cJSON_ArrayForEach(file, cli_array(json, "files"))
    {
        free(cli_read_file(file->valuestring, NULL));
    }
    cJSON_Delete(json);
}

/* The line behind a title. */
static void copy_command(const char *text, const char *title, char *command, size_t size)
{
    const char *line = strstr(text, title);
    assert_non_null(line);
    line += strlen(title);
    snprintf(command, size, "%.*s", (int)strcspn(line, "\n"), line);
}

/* The commands that the report shows do what it says. */
static void test_demo_text(void **state)
{
    (void)state;
    const cli_result result = cli_run("tumble demo --steps 30 -o 'a folder/b'");
    assert_int_equal(result.status, 0);
    static const char *const parts[] = {"first touches at step ", "Worst is step ",    "Time of a query",
                                        "per triangle",           "demo-contacts.svg", "demo-path.svg"};
    for (size_t i = 0; i < 6; i++) {
        if (!strstr(result.out, parts[i])) {
            fail_msg("'%s' is missing in: %s", parts[i], result.out);
        }
    }
    char check[1024], distance[1024];
    copy_command(result.out, "The same by hand:\n", check, sizeof check);
    copy_command(result.out, "How close the part comes to the housing:\n", distance, sizeof distance);
    assert_non_null(strstr(cli_expect(1, "%s", check).out, " of 30 poses"));
    assert_non_null(strstr(cli_expect(1, "%s", distance).out, " of 30 poses, first at step "));
    free(cli_read_file("a folder/b/demo-distance.svg", NULL));
    cli_expect_error("tumble demo --steps 1", "out of range", NULL);
    cli_expect_error("tumble demo -o cube.obj/x", "cube.obj", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_info),
        cmocka_unit_test(test_info_options),
        cmocka_unit_test(test_info_of_faulty_meshes),
        cmocka_unit_test(test_info_through_assimp),
        cmocka_unit_test(test_build),
        cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_make_every_shape),
        cmocka_unit_test(test_make_size),
        cmocka_unit_test(test_make_formats),
        cmocka_unit_test(test_make_errors),
        cmocka_unit_test(test_make_parameters),
        cmocka_unit_test(test_demo),
        cmocka_unit_test(test_demo_text),
    };
    return cmocka_run_group_tests(tests, setup, cli_teardown);
}
