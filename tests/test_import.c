/* What the command takes from assimp's process, and from the texts of files: whatever the bytes are, it stands. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ifc_text.h"
#include "import_reply.h"
#include "support.h"
#include "zip_text.h"

static int setup(void **state)
{
    return tumble_context_create(NULL, (tumble_context **)state) == TUMBLE_OK ? 0 : -1;
}

static int teardown(void **state)
{
    tumble_context_destroy(*state);
    return 0;
}

/* ---- replies ---- */

/* Two surfaces, a triangle and a quad, with names. */
static tumble_mesh_buffer *make_mesh(tumble_context *context)
{
    tumble_mesh_buffer *buffer = NULL;
    assert_int_equal(tmb_mesh_buffer_create(context, &buffer), TUMBLE_OK);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(tmb_mesh_add_point(buffer, (const double[3]){i & 1, i >> 1, 0.5}), TUMBLE_OK);
    }
    static const uint32_t corners[] = {0, 1, 2, 0, 1, 3, 2};
    for (uint32_t i = 0; i < 7; i++) {
        assert_int_equal(tmb_mesh_add_corner(buffer, corners[i]), TUMBLE_OK);
        if (i == 2 || i == 6) {
            assert_int_equal(tmb_mesh_end_polygon(buffer, i / 6), TUMBLE_OK);
        }
    }
    uint32_t names[TMB_NAME_PARTS] = {0};
    assert_int_equal(tmb_mesh_add_name(buffer, "wall", 4, &names[0]), TUMBLE_OK);
    assert_int_equal(tmb_mesh_name_surface(buffer, names), TUMBLE_OK);
    assert_int_equal(tmb_mesh_add_name(buffer, "roof", 4, &names[1]), TUMBLE_OK);
    assert_int_equal(tmb_mesh_name_surface(buffer, names), TUMBLE_OK);
    return buffer;
}

/* The bytes that a reply is sent as. */
static size_t send_reply(const cli_import_reply *reply, char *bytes, size_t capacity)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_true(cli_reply_send(ends[1], reply)); /* fits into a pipe */
    close(ends[1]);
    size_t size = 0;
    for (ssize_t got; (got = read(ends[0], bytes + size, capacity - size)) > 0;) {
        size += (size_t)got;
    }
    close(ends[0]);
    return size;
}

static size_t send_mesh(tumble_context *context, char *bytes, size_t capacity)
{
    cli_import_reply reply = {.status = TUMBLE_OK, .frame = {0.001, -2}, .buffer = make_mesh(context)};
    const size_t size = send_reply(&reply, bytes, capacity);
    tumble_mesh_buffer_destroy(reply.buffer);
    return size;
}

static void test_reply(void **state)
{
    static char bytes[1 << 16];
    cli_import_reply reply;
    const size_t size = send_mesh(*state, bytes, sizeof bytes);
    assert_int_equal(cli_reply_receive(*state, bytes, size, &reply), TUMBLE_OK);
    assert_int_equal(reply.status, TUMBLE_OK);
    assert_true(reply.frame.metres == 0.001 && reply.frame.up == -2);
    assert_int_equal(tmb_mesh_buffer_finish(reply.buffer), TUMBLE_OK);
    const tumble_mesh *mesh = tumble_mesh_buffer_mesh(reply.buffer);
    assert_true(mesh->point_count == 4 && mesh->index_count == 7 && mesh->polygon_count == 2);
    assert_true(mesh->polygon_sizes[0] == 3 && mesh->polygon_sizes[1] == 4);
    assert_true(mesh->surface_ids[0] == 0 && mesh->surface_ids[1] == 1);
    const double *points = mesh->points;
    assert_true(mesh->indices[5] == 3 && points[9] == 1 && points[10] == 1 && points[11] == 0.5);
    char name[32];
    assert_int_equal(tumble_mesh_buffer_surface_name(reply.buffer, 1, name, sizeof name), 9);
    assert_string_equal(name, "wall/roof");
    tumble_mesh_buffer_destroy(reply.buffer);
}

static void test_reply_of_error(void **state)
{
    static char bytes[1 << 16];
    cli_import_reply reply = {.status = TUMBLE_ERROR_FILE, .message = "a.gltf: no a.bin", .advice = "put it there"};
    const size_t size = send_reply(&reply, bytes, sizeof bytes);
    memset(&reply, 0, sizeof reply);
    assert_int_equal(cli_reply_receive(*state, bytes, size, &reply), TUMBLE_OK);
    assert_int_equal(reply.status, TUMBLE_ERROR_FILE);
    assert_string_equal(reply.message, "a.gltf: no a.bin");
    assert_string_equal(reply.advice, "put it there");
    assert_null(reply.buffer);
}

/* A mesh that was accepted has to be one. */
static void check_accepted(tumble_context *context, cli_import_reply *reply)
{
    if (reply->buffer) {
        assert_int_equal(tmb_mesh_buffer_finish(reply->buffer), TUMBLE_OK);
        tumble_model *model = NULL;
        const tumble_status status = tumble_model_create(context, tumble_mesh_buffer_mesh(reply->buffer), NULL, &model);
        assert_true(status == TUMBLE_OK || status == TUMBLE_ERROR_NOT_FINITE); /* numbers too large to subtract */
        char name[64];
        tumble_mesh_buffer_surface_name(reply->buffer, 1, name, sizeof name);
        tumble_model_destroy(model);
    }
    tumble_mesh_buffer_destroy(reply->buffer);
}

/* Any byte wrong, any length. */
static void test_garbage(void **state)
{
    static char bytes[1 << 16];
    cli_import_reply reply;
    test_random random = {11};
    const size_t size = send_mesh(*state, bytes, sizeof bytes);
    for (size_t cut = 0; cut < size; cut++) {
        assert_int_equal(cli_reply_receive(*state, bytes, cut, &reply), TUMBLE_ERROR_FORMAT);
        assert_null(reply.buffer);
    }
    assert_int_equal(cli_reply_receive(*state, bytes, size + 1, &reply), TUMBLE_ERROR_FORMAT);
    size_t refused = 0, rounds = test_count(4000);
    for (size_t i = 0; i < rounds; i++) {
        const size_t at = i < size ? i : (size_t)(test_random_unit(&random) * (double)size);
        const char old = bytes[at];
        bytes[at] = (char)(old ^ (char)test_random_whole(&random, 1, 127));
        char *copy = malloc(size); /* so that a sanitizer sees what is read behind it */
        memcpy(copy, bytes, size);
        refused += cli_reply_receive(*state, copy, size, &reply) != TUMBLE_OK;
        check_accepted(*state, &reply);
        free(copy);
        bytes[at] = old;
    }
    assert_true(refused > rounds / 50);
}

/* A count of triangles that takes no bytes of the reply is not believed, and costs no time. */
static void test_false_count(void **state)
{
    static const char text[] = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    static char bytes[1 << 16];
    cli_import_reply reply = {.status = TUMBLE_OK};
    assert_int_equal(tumble_mesh_read_memory(*state, text, strlen(text), TUMBLE_FORMAT_OFF, &reply.buffer), TUMBLE_OK);
    const size_t size = send_reply(&reply, bytes, sizeof bytes);
    tumble_mesh_buffer_destroy(reply.buffer);
    const uint64_t good = 1, false_count = TMB_MOST_POLYGONS;
    char *polygons = bytes + 3 * sizeof good; /* after a magic number, points and corners */
    assert_memory_equal(polygons, &good, sizeof good);
    memcpy(polygons, &false_count, sizeof false_count);
    const clock_t start = clock();
    assert_int_equal(cli_reply_receive(*state, bytes, size, &reply), TUMBLE_ERROR_FORMAT);
    assert_true(clock() - start < CLOCKS_PER_SEC / 2);
    assert_null(reply.buffer);
}

/* ---- DEFLATE and ZIP ---- */

/* "tumble tumble tumble tumble\n", packed by zlib with the fixed codes. */
static const unsigned char fixed[] = {0x2b, 0x29, 0xcd, 0x4d, 0xca, 0x49, 0x55, 0x28, 0xc1, 0x42, 0x71, 0x01, 0x00};

/* 300 letters, see below, with codes of their own. */
static const unsigned char dynamic[] = {
    0x3d, 0x8f, 0xdb, 0x11, 0x44, 0x31, 0x08, 0x42, 0x6b, 0xe5, 0x61, 0xff, 0x2d, 0x2c, 0x68, 0xee, 0xfa, 0xe1, 0x18,
    0x81, 0xe3, 0x04, 0x06, 0x49, 0x10, 0xd0, 0x48, 0x00, 0x06, 0x6e, 0x4b, 0x65, 0xaf, 0x48, 0xd5, 0x40, 0x9d, 0x52,
    0x6b, 0x66, 0xc2, 0x43, 0xce, 0xec, 0x4a, 0xa2, 0x6b, 0xb2, 0x28, 0x5f, 0x72, 0xbe, 0x50, 0x00, 0x45, 0x40, 0x18,
    0x1e, 0xb3, 0xbe, 0xa8, 0x3d, 0xb5, 0x77, 0x4a, 0xe3, 0x79, 0xdb, 0xbc, 0xd1, 0x00, 0xd4, 0x50, 0xd0, 0x90, 0x3d,
    0xcb, 0x3f, 0xc0, 0x31, 0xf0, 0x78, 0x5f, 0x71, 0xec, 0xec, 0x13, 0xa3, 0x9f, 0x5e, 0x42, 0x7f, 0x00, 0xfe, 0x93,
    0x5b, 0xfa, 0xc6, 0x0e, 0x6b, 0x8e, 0x27, 0x69, 0x2d, 0xbb, 0x97, 0xc4, 0x67, 0xef, 0x17, 0xcf, 0xb8, 0xef, 0x1f};

static void test_inflate(void **state)
{
    (void)state;
    unsigned char out[64] = {0};
    assert_int_equal(cli_inflate(fixed, sizeof fixed, out, sizeof out), 28);
    assert_memory_equal(out, "tumble tumble tumble tumble\n", 28);
    memset(out, 0, sizeof out);
    assert_int_equal(cli_inflate(fixed, sizeof fixed, out, 10), 10); /* as much as there is room for */
    assert_memory_equal(out, "tumble tum\0", 11);
    unsigned char letters[400];
    assert_int_equal(cli_inflate(dynamic, sizeof dynamic, letters, sizeof letters), 300);
    uint32_t number = 1;
    for (int i = 0; i < 300; i++) {
        number = (number * 1103515245 + 12345) & 0x7fffffff;
        const unsigned part = number >> 16 & 15;
        assert_int_equal(letters[i], 'a' + (part < 8 ? 0 : part < 12 ? 1 : part < 14 ? 2 : part - 11));
    }
    static const unsigned char stored[] = {1, 3, 0, 0xfc, 0xff, 'a', 'b', 'c'};
    assert_int_equal(cli_inflate(stored, sizeof stored, out, sizeof out), 3);
    assert_memory_equal(out, "abc", 3);
    assert_int_equal(cli_inflate((const unsigned char *)"\7", 1, out, sizeof out), 0); /* no such kind of block */
}

/* Random bytes are nothing, or rubbish within the room that there is. */
static void test_inflate_of_garbage(void **state)
{
    (void)state;
    test_random random = {5};
    for (size_t i = 0; i < test_count(20000); i++) {
        const size_t size = (size_t)test_random_whole(&random, 0, 200),
                     room = (size_t)test_random_whole(&random, 1, 300);
        unsigned char *data = malloc(size + 1), *out = malloc(room);
        for (size_t k = 0; k < size; k++) {
            data[k] = (unsigned char)test_random_bits(&random);
        }
        if (size) {
            data[0] = (unsigned char)((data[0] & ~7u) | (i % 3) << 1); /* a kind that exists */
        }
        assert_true(cli_inflate(data, size, out, room) <= room);
        assert_true(cli_zip_start(data, size, ".model", out, room) <= room);
        free(data);
        free(out);
    }
}

static void put(unsigned char *zip, size_t *size, const void *data, size_t length)
{
    memcpy(zip + *size, data, length);
    *size += length;
}

static void put_number(unsigned char *zip, size_t *size, size_t number, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        zip[(*size)++] = (unsigned char)(i < sizeof number ? number >> 8 * i : 0);
    }
}

/* An archive of one file, packed or not. */
static size_t make_zip(unsigned char *zip, const char *name, int method, const void *data, size_t length)
{
    size_t size = 0;
    put(zip, &size, "PK\3\4\24\0\0\0", 8);
    put_number(zip, &size, (size_t)method, 2);
    put_number(zip, &size, 0, 8); /* time and checksum */
    put_number(zip, &size, length, 4);
    put_number(zip, &size, length, 4);
    put_number(zip, &size, strlen(name), 2);
    put_number(zip, &size, 0, 2);
    put(zip, &size, name, strlen(name));
    put(zip, &size, data, length);
    const size_t directory = size;
    put(zip, &size, "PK\1\2\24\0\24\0\0\0", 10);
    put_number(zip, &size, (size_t)method, 2);
    put_number(zip, &size, 0, 8);
    put_number(zip, &size, length, 4);
    put_number(zip, &size, length, 4);
    put_number(zip, &size, strlen(name), 2);
    put_number(zip, &size, 0, 16); /* the file starts at 0 */
    put(zip, &size, name, strlen(name));
    const size_t length_of_directory = size - directory;
    put(zip, &size, "PK\5\6\0\0\0\0\1\0\1\0", 12);
    put_number(zip, &size, length_of_directory, 4);
    put_number(zip, &size, directory, 4);
    put_number(zip, &size, 0, 2);
    return size;
}

static double unit_of(tumble_context *context, const char *name, const void *data, size_t size,
                      double (*find)(tumble_context *context, const char *path))
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/tumble-import-%d-%s", (int)getpid(), name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    const double unit = find(context, path);
    assert_int_equal(remove(path), 0);
    return unit;
}

static double unit_of_3mf(tumble_context *context, const char *model)
{
    unsigned char zip[1024];
    return unit_of(context, "a.3mf", zip, make_zip(zip, "3D/3dmodel.model", 0, model, strlen(model)), cli_3mf_unit);
}

static void test_units_of_archives(void **state)
{
    unsigned char zip[1024], out[64];
    size_t size = make_zip(zip, "3D/3dmodel.model", 8, fixed, sizeof fixed);
    assert_int_equal(cli_zip_start(zip, size, ".model", out, sizeof out), 28);
    assert_memory_equal(out, "tumble tumble", 13);
    assert_int_equal(cli_zip_start(zip, size, ".amf", out, sizeof out), 0);
    for (size_t cut = 0; cut < size; cut++) {
        assert_true(cli_zip_start(zip, cut, ".model", out, sizeof out) <= sizeof out);
    }
    assert_true(unit_of_3mf(*state, "<?xml version=\"1.0\"?>\n<model unit=\"inch\" xml:lang=\"en\">") == 0.0254);
    assert_true(unit_of_3mf(*state, "<model xml:lang='en' unit = 'micron'>") == 1e-6);
    assert_true(unit_of_3mf(*state, "<model xml:lang=\"en\">") == 1e-3);
    assert_true(unit_of_3mf(*state, "<model unit=\"parsec\">") == 0);
    assert_true(unit_of_3mf(*state, "<mod") == 0);
    const char amf[] = "<?xml version=\"1.0\"?><amf version=\"1.1\" unit=\"feet\"><object/></amf>";
    assert_true(unit_of(*state, "a.amf", amf, strlen(amf), cli_amf_unit) == 0.3048);
    size = make_zip(zip, "a.amf", 0, amf, strlen(amf));
    assert_true(unit_of(*state, "b.amf", zip, size, cli_amf_unit) == 0.3048);
}

/* ---- IFC ---- */

static double ifc_unit(const char *text)
{
    return cli_ifc_unit_of_text(text, strlen(text));
}

static void test_ifc_unit(void **state)
{
    (void)state;
    assert_true(ifc_unit("#3=IFCUNITASSIGNMENT((#1,#2));#2=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);") == 1e-3);
    assert_true(
        ifc_unit("#2 = IfcSIUnit( * , .LENGTHUNIT. , $ , .METRE. ) ;\r\n#3 =\n IFCUNITASSIGNMENT ( ( #2 ) );") == 1);
    /* one that no project uses does not count, nor does one in a string */
    assert_true(ifc_unit("#2=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);#4=IFCSIUNIT(*,.AREAUNIT.,$,.SQUARE_METRE.);"
                         "#3=IFCUNITASSIGNMENT((#4));") == 0);
    assert_true(ifc_unit("#1=IFCLABEL('x;#2=IFCSIUNIT(*,.LENGTHUNIT.,.KILO.,.METRE.)');#3=IFCUNITASSIGNMENT((#2));"
                         "#2=IFCSIUNIT(*,.LENGTHUNIT.,.CENTI.,.METRE.);") == 0.01);
    static const char feet[] = "#1=IFCUNITASSIGNMENT((#2));#2=IFCCONVERSIONBASEDUNIT(#9,.LENGTHUNIT.,'FOOT',#3);"
                               "#3=IFCMEASUREWITHUNIT(IFCRATIOMEASURE(0.3048),#4);"
                               "#4=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);";
    assert_true(ifc_unit(feet) == 0.3048);
    for (size_t cut = 0; cut < strlen(feet); cut++) {
        char *copy = malloc(cut + 1);
        memcpy(copy, feet, cut);
        const double unit = cli_ifc_unit_of_text(copy, cut);
        assert_true(unit == (cut > (size_t)(strstr(feet, ",$,.METRE.") + 1 - feet) ? 0.3048 : 0));
        free(copy);
    }
    assert_true(ifc_unit("#1=IFCUNITASSIGNMENT((#2));#2=IFCCONVERSIONBASEDUNIT(#9,.LENGTHUNIT.,'x',#3);"
                         "#3=IFCMEASUREWITHUNIT(1e999,#4);#4=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);") == 0);
    assert_true(ifc_unit("") == 0 && ifc_unit("#") == 0 && ifc_unit("#1=") == 0 && ifc_unit("'") == 0);
}

static void test_ifc_names(void **state)
{
    (void)state;
    cli_ifc_name name;
    assert_true(cli_ifc_split_name("IfcWall_north_wall_2O2Fr$t4X7Zf8NOew3FL_H", &name));
    assert_string_equal(name.class_name, "IfcWall");
    assert_string_equal(name.name, "north_wall");
    assert_string_equal(name.guid, "2O2Fr$t4X7Zf8NOew3FL_H");
    assert_true(cli_ifc_split_name("IfcSlab_Unnamed_2O2Fr$t4X7Zf8NOew3FL_H", &name));
    assert_string_equal(name.name, "");
    assert_true(cli_ifc_split_name("IfcSlab__2O2Fr$t4X7Zf8NOew3FL_H", &name));
    assert_string_equal(name.name, "");
    assert_false(cli_ifc_split_name("IfcMappedItem", &name));
    assert_false(cli_ifc_split_name("$RelAggregates", &name));
    assert_false(cli_ifc_split_name("IfcWall_2O2Fr$t4X7Zf8NOew3FL_H", &name));
    assert_false(cli_ifc_split_name("IfcWall_wall_2O2Fr-t4X7Zf8NOew3FL_H", &name));
    assert_false(cli_ifc_split_name("Ifc\x83\x83_wall_2O2Fr$t4X7Zf8NOew3FL_H", &name)); /* classes are plain words */
    assert_false(cli_ifc_split_name("", &name));
    char text[1024] = "IfcDoor_";
    for (int i = 0; i < 200; i++) {
        strcat(text, "\xc3\xbc"); /* two bytes each: none is cut in half */
    }
    strcat(text, "_2O2Fr$t4X7Zf8NOew3FL_H");
    assert_true(cli_ifc_split_name(text, &name));
    assert_int_equal(strlen(name.name) % 2, 0);
    assert_true(strlen(name.name) > 150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_reply, setup, teardown),
                                       cmocka_unit_test_setup_teardown(test_reply_of_error, setup, teardown),
                                       cmocka_unit_test_setup_teardown(test_garbage, setup, teardown),
                                       cmocka_unit_test_setup_teardown(test_false_count, setup, teardown),
                                       cmocka_unit_test(test_inflate),
                                       cmocka_unit_test(test_inflate_of_garbage),
                                       cmocka_unit_test_setup_teardown(test_units_of_archives, setup, teardown),
                                       cmocka_unit_test(test_ifc_unit),
                                       cmocka_unit_test(test_ifc_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
