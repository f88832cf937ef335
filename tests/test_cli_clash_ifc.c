/* tumble clash: what becomes of the answers of the program that reads IFC files, whatever they are. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli_run.h"
#include "import_parts.h"
#include "scenes.h"

/* Node.js that answers with a file, or ends. */
static void make_node(const char *last_line)
{
    char text[256], path[512];
    snprintf(text, sizeof text, "#!/bin/sh\n%s\n", last_line);
    cli_write_file("node", text);
    snprintf(path, sizeof path, "%s/node", cli_folder());
    assert_int_equal(chmod(path, 0755), 0);
}

static tumble_mesh_buffer *make_mesh(tumble_context *context)
{
    static const char text[] = "g a\nv 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
                               "g b\nv 9 0 0\nv 8 0 0\nv 9 1 0\nf 5 6 7\n";
    tumble_mesh_buffer *mesh = NULL;
    assert_int_equal(tumble_mesh_read_memory(context, text, sizeof text - 1, TUMBLE_FORMAT_OBJ, &mesh), TUMBLE_OK);
    return mesh;
}

static void write_reply(tumble_context *context, const cli_import_part *parts, const uint32_t *surfaces, size_t count,
                        uint32_t geometry_of_last)
{
    cli_import_reply reply = {.status = TUMBLE_OK, .frame = {0, 3}, .buffer = make_mesh(context)};
    cli_part_writer writer;
    cli_part_writer_start(&writer, context);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(cli_part_writer_begin(&writer), TUMBLE_OK);
        assert_int_equal(cli_part_writer_add_surface(&writer, surfaces[i]), TUMBLE_OK);
        assert_int_equal(cli_part_writer_add(&writer, &parts[i]), TUMBLE_OK);
    }
    const size_t last = writer.byte_count - 2 * sizeof(uint32_t) - sizeof parts->transform -
                        strlen(parts[count - 1].name) - strlen(parts[count - 1].path) -
                        strlen(parts[count - 1].material) - strlen(parts[count - 1].class_name) -
                        strlen(parts[count - 1].guid) - 5;
    memcpy((char *)writer.bytes.data + last, &geometry_of_last, sizeof geometry_of_last);
    assert_int_equal(cli_part_writer_end(&writer, &reply.parts, &reply.part_bytes), TUMBLE_OK);
    char path[512];
    snprintf(path, sizeof path, "%s/reply", cli_folder());
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    assert_true(file >= 0 && cli_reply_send(file, &reply));
    close(file);
    tumble_mesh_buffer_destroy(reply.buffer);
    tmb_buffer *buffers[] = {&reply.parts, &writer.lists, &writer.starts, &writer.bytes};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        tmb_buffer_release(context, buffers[i]);
    }
}

static cli_import_part part(const char *name, double x, uint32_t host)
{
    return (cli_import_part){.name = name,
                             .path = "/hall/x",
                             .material = "oak",
                             .class_name = "IfcDoor",
                             .guid = name,
                             .host = host,
                             .transform = {1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0}};
}

static void test_parts(void **state)
{
    tumble_context *context = ((test_world *)*state)->context;
    const cli_import_part parts[] = {part("one", 0, 1), part("two", 1, CLI_IMPORT_NONE), part("gone", 0, 0)};
    const uint32_t surfaces[] = {0, 0, 1};
    cli_write_file("a.ifc", "#1=IFCUNITASSIGNMENT((#2));\n#2=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);\n");
    make_node("cat reply >&3");
    write_reply(context, parts, surfaces, 3, CLI_IMPORT_NONE);
    const cli_result result = cli_expect(1, "TUMBLE_NODE=./node tumble clash a.ifc -o out");
    assert_non_null(strstr(result.out, "3 parts of 2 models"));
    assert_non_null(strstr(result.out, "a/hall/x: no polygons"));
    char *text = cli_read_file("out/clashes.json", NULL);
    cJSON *json = cJSON_Parse(text);
    const cJSON *first = cJSON_GetArrayItem(cli_array(json, "parts"), 0);
    assert_string_equal(cli_string(first, "guid"), "one");
    assert_string_equal(cli_string(first, "class"), "IfcDoor");
    assert_string_equal(cli_string(first, "material"), "oak");
    assert_string_equal(cli_string(first, "path"), "a/hall/x");
    assert_true(cli_number(json, "unit_metres") == 0.001);
    cJSON_Delete(json);
    free(text);
}

/* Numbers that there are not. */
static void test_wrong_parts(void **state)
{
    tumble_context *context = ((test_world *)*state)->context;
    const cli_import_part parts[] = {part("one", 0, CLI_IMPORT_NONE), part("two", 1, 2)};
    const cli_import_part good[] = {part("one", 0, CLI_IMPORT_NONE), part("two", 1, 0)};
    const uint32_t surfaces[] = {0, 0}, far[] = {0, 2};
    cli_write_file("a.ifc", "x");
    make_node("cat reply >&3");
    write_reply(context, parts, surfaces, 2, 0);
    cli_expect_error("TUMBLE_NODE=./node tumble clash a.ifc", "makes no sense", NULL);
    write_reply(context, good, surfaces, 2, 1);
    cli_expect_error("TUMBLE_NODE=./node tumble clash a.ifc", "makes no sense", NULL);
    write_reply(context, good, far, 2, 1);
    cli_expect_error("TUMBLE_NODE=./node tumble clash a.ifc", "makes no sense", NULL);
    write_reply(context, good, surfaces, 2, 0);
    cli_expect(1, "TUMBLE_NODE=./node tumble clash a.ifc");
    make_node("head -c 900 reply >&3");
    cli_expect_error("TUMBLE_NODE=./node tumble clash a.ifc", "makes no sense", NULL);
}

static void test_failures(void **state)
{
    (void)state;
    cli_write_file("a.ifc", "x");
    make_node("exit 3");
    cli_expect_error("TUMBLE_NODE=./node tumble clash a.ifc", "web-ifc crashed", NULL);
    make_node("exec sleep 60");
    cli_expect_error("TUMBLE_NODE=./node tumble clash a.ifc --import-seconds 0.2", "web-ifc took longer than 0.2 s",
                     NULL);
    make_node("exit 126");
    const cli_result result = cli_run("TUMBLE_NODE=./node tumble clash a.ifc");
    assert_int_equal(result.status, 2);
    assert_non_null(strstr(result.err, "npm install web-ifc"));
    assert_non_null(strstr(cli_run("TUMBLE_NODE=no-node tumble clash a.ifc").err, "npm install web-ifc"));
    make_node("cat >program; echo \"$@\" >arguments; env | grep TUMBLE_PREFIX= >prefix; exit 3");
    cli_expect_error("TUMBLE_NODE=./node tumble clash a.ifc", "web-ifc crashed", NULL);
    char *program = cli_read_file("program", NULL), *arguments = cli_read_file("arguments", NULL);
    assert_non_null(strstr(program, "import fs from 'node:fs'"));
    assert_non_null(strstr(arguments, "--input-type=module - a.ifc"));
    free(program);
    free(arguments);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_parts), TEST_IN_WORLD(test_wrong_parts),
                                       TEST_IN_WORLD(test_failures)};
    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
