/* Readers of mesh files: what each accepts and what its messages say. */
#include "io_support.h"

#include "io/weld.h"

/* A mesh as text: points, then polygons, each with its surface when there is more than one. */
static void describe(const tumble_mesh *mesh, char *text, size_t capacity)
{
    size_t length = 0, corner = 0;
    text[0] = '\0';
    for (size_t i = 0; i < mesh->point_count; i++) {
        const double *p = mesh->points + 3 * i;
        length += (size_t)snprintf(text + length, capacity - length, "%s%g %g %g", i ? ", " : "", p[0], p[1], p[2]);
    }
    length += (size_t)snprintf(text + length, capacity - length, " /");
    for (size_t i = 0; i < mesh->polygon_count; i++) {
        for (uint32_t j = 0; j < test_io_size(mesh, i); j++) {
            length +=
                (size_t)snprintf(text + length, capacity - length, "%s%u", j ? "-" : " ", mesh->indices[corner++]);
        }
        if (mesh->surface_ids) {
            length += (size_t)snprintf(text + length, capacity - length, "@%u", mesh->surface_ids[i]);
        }
    }
    assert_true(length < capacity);
}

static void check_bytes(test_io *io, tumble_format format, const void *data, size_t size, const char *expected)
{
    char text[4000];
    tumble_mesh_buffer *buffer = test_io_read(io, data, size, format);
    describe(tumble_mesh_buffer_mesh(buffer), text, sizeof text);
    assert_string_equal(text, expected);
    tumble_mesh_buffer_destroy(buffer);
}

/* Read as the format, and also when nobody says what it is. */
static void check(test_io *io, tumble_format format, const char *data, const char *expected)
{
    check_bytes(io, format, data, strlen(data), expected);
    check_bytes(io, TUMBLE_FORMAT_AUTO, data, strlen(data), expected);
}

static void refuse_bytes(test_io *io, tumble_format format, const void *data, size_t size, tumble_status expected,
                         const char *message)
{
    tumble_mesh_buffer *buffer = (tumble_mesh_buffer *)io;
    const tumble_status status = tumble_mesh_read_memory(io->context, data, size, format, &buffer);
    assert_null(buffer);
    if (status != expected || !strstr(test_io_message(io), message)) {
        fail_msg("expected %s: %s\nbut got  %s: %s", tumble_status_name(expected), message, tumble_status_name(status),
                 test_io_message(io));
    }
}

static void refuse_text(test_io *io, tumble_format format, const char *data, tumble_status expected,
                        const char *message)
{
    refuse_bytes(io, format, data, strlen(data), expected, message);
}

static void refuse(test_io *io, tumble_format format, const char *data, const char *message)
{
    refuse_text(io, format, data, TUMBLE_ERROR_FORMAT, message);
}

#define TRIANGLE_POINTS "0 0 0, 1 0 0, 0 1 0"

static void test_obj(void **state)
{
    test_io *io = *state;
    const tumble_format obj = TUMBLE_FORMAT_OBJ;
    check(io, obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", TRIANGLE_POINTS " / 0-1-2");
    check(io, obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3", TRIANGLE_POINTS " / 0-1-2");
    check(io, obj, "v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n", TRIANGLE_POINTS " / 0-1-2");
    check(io, obj, "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r", TRIANGLE_POINTS " / 0-1-2");
    check(io, obj, "\xef\xbb\xbfv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3", TRIANGLE_POINTS " / 0-1-2");
    check(io, obj, "# a comment\n\n  v\t0 0 0  \nv 1 0 0 # here\n v 0 1 0\nf 1 2 3 # and here\n# v 9 9 9",
          TRIANGLE_POINTS " / 0-1-2");
    check(io, obj,
          "v 0 0 0 1\nv 1 0 0 .5 .5 .5\nv 0 1 0 1 0 0 1\nf 1/1 2/2 3/3\nf 1//4 2//5 3//6\nf 1/1/1 2/2/2 3/3/3\n",
          TRIANGLE_POINTS " / 0-1-2 0-1-2 0-1-2");
    check(io, obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 5 5 5\nf -1/-1/-1 -2 -4\n",
          TRIANGLE_POINTS ", 5 5 5 / 0-1-2 3-2-0");
    check(io, obj, "v 0 \\\n0 0\nv 1 0\\\r\n 0\nv 0 1 0\nf 1 \\\n 2 \\\n 3\n\\\nf 3 2 1\n",
          TRIANGLE_POINTS " / 0-1-2 2-1-0");
    check(io, obj, "f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n", TRIANGLE_POINTS " / 0-1-2");
    check(io, obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 2 2 2\nf 1 2 4 3 5\nfo 1 1 1\nf 1 2 1\n",
          TRIANGLE_POINTS ", 1 1 0, 2 2 2 / 0-1-3-2-4 0-0-0 0-1-0");
    check(io, obj, "v 0 0 0\n", "0 0 0 /");
    check(io, obj, "3 1\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", TRIANGLE_POINTS " / 0-1-2");
    check_bytes(io, obj, "", 0, " /");
    check_bytes(io, obj, NULL, 0, " /");
    check_bytes(io, obj, "# nothing", 9, " /");
}

/* Statements that are not about polygons, among them those that go on over lines. */
static void test_obj_other_statements(void **state)
{
    test_io *io = *state;
    check(io, TUMBLE_FORMAT_OBJ,
          "mtllib a.mtl b.mtl\nv 0 0 0\nvn 0 0 1\nvt 0 0\nvp 1 2\nv 1 0 0\nv 0 1 0\ns off\np 1 2\nl 1 2 3\n"
          "cstype bezier\ndeg 3\ncurv 0 1 1 2 \\\n3\ncurv2 1 2 3\nparm u 0 1\nend\nsurf 0 1 0 1 1 2 3\nlod 3\n"
          "vendor_word 1 2 3\ncall x.obj\nf 1 2 3\n# C:\\\nf 3 2 1\n",
          TRIANGLE_POINTS " / 0-1-2 2-1-0");
}

static void test_obj_surfaces(void **state)
{
    test_io *io = *state;
    const char *points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    static const struct {
        const char *faces, *expected;
    } cases[] = {{"g a\nf 1 2 3\nf 1 2 3\n", "0-1-2 0-1-2"},
                 {"f 1 2 3\ng a\nf 1 2 3\n", "0-1-2@0 0-1-2@1"},
                 {"g a\nf 1 2 3\ng b\nf 1 2 3\ng a\nf 1 2 3\n", "0-1-2@0 0-1-2@1 0-1-2@0"},
                 {"g a\nusemtl m\nf 1 2 3\nusemtl n\nf 1 2 3\ng b\nf 1 2 3\nusemtl m\nf 1 2 3\ng a\nf 1 2 3\n",
                  "0-1-2@0 0-1-2@1 0-1-2@2 0-1-2@3 0-1-2@0"},
                 {"o x\nf 1 2 3\no y\nf 1 2 3\no  x \nf 1 2 3\n", "0-1-2@0 0-1-2@1 0-1-2@0"},
                 {"g a b\nf 1 2 3\ng a\nf 1 2 3\ng\nf 1 2 3\ng a b\nf 1 2 3", "0-1-2@0 0-1-2@1 0-1-2@2 0-1-2@0"},
                 {"o a\ng b\nf 1 2 3\no b\ng a\nf 1 2 3\n", "0-1-2@0 0-1-2@1"},
                 {"g unused\ng a\nf 1 2 3\n", "0-1-2"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[400], expected[400];
        snprintf(text, sizeof text, "%s%s", points, cases[i].faces);
        snprintf(expected, sizeof expected, "%s / %s", TRIANGLE_POINTS, cases[i].expected);
        check(io, TUMBLE_FORMAT_OBJ, text, expected);
    }
}

/* So many that the tables must grow, each used twice. */
static void test_obj_many_surfaces(void **state)
{
    test_io *io = *state;
    const int count = 3000;
    char *text = malloc(200000), *at = text;
    assert_non_null(text);
    at += sprintf(at, "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    for (int i = 0; i < 2 * count; i++) {
        at += sprintf(at, "usemtl m%d\nf 1 2 3\n", i % count);
    }
    tumble_mesh_buffer *buffer = test_io_read(io, text, (size_t)(at - text), TUMBLE_FORMAT_OBJ);
    const tumble_mesh *mesh = tumble_mesh_buffer_mesh(buffer);
    assert_int_equal(mesh->polygon_count, 2 * count);
    for (int i = 0; i < 2 * count; i++) {
        assert_int_equal(mesh->surface_ids[i], i % count);
    }
    tumble_mesh_buffer_destroy(buffer);
    free(text);
}

/* Names as "0 name, 1 name"; what has none is left out. */
static void check_names(test_io *io, tumble_format format, const char *data, const char *expected)
{
    char text[400] = "", name[100];
    size_t length = 0;
    tumble_mesh_buffer *buffer = test_io_read(io, data, strlen(data), format);
    for (uint32_t i = 0; i < 10; i++) {
        const size_t full = tumble_mesh_buffer_surface_name(buffer, i, name, sizeof name);
        assert_int_equal(full, strlen(name));
        length +=
            full ? (size_t)snprintf(text + length, sizeof text - length, "%s%u %s", length ? ", " : "", i, name) : 0;
    }
    assert_string_equal(text, expected);
    tumble_mesh_buffer_destroy(buffer);
}

static void test_obj_names(void **state)
{
    test_io *io = *state;
    const char *points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    static const struct {
        const char *faces, *expected;
    } cases[] = {{"f 1 2 3\n", ""},
                 {"g a\nf 1 2 3\n", "0 a"},
                 {"f 1 2 3\ng a\nf 1 2 3\n", "1 a"},
                 {"g  a b \t\nf 1 2 3\ng\nf 1 2 3\n", "0 a b"},
                 {"usemtl m\ng a\no x\nf 1 2 3\ng b\nf 1 2 3\no\nf 1 2 3", "0 x/a/m, 1 x/b/m, 2 b/m"},
                 {"g unused\ng a\nf 1 2 3\nusemtl a\nf 1 2 3\n", "0 a, 1 a/a"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[400];
        snprintf(text, sizeof text, "%s%s", points, cases[i].faces);
        check_names(io, TUMBLE_FORMAT_OBJ, text, cases[i].expected);
    }
}

#define STL_FACET "facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet\n"

static void test_stl_names(void **state)
{
    test_io *io = *state;
    check_names(io, TUMBLE_FORMAT_STL, "solid one \n" STL_FACET "endsolid\n", "0 one");
    check_names(io, TUMBLE_FORMAT_STL, "solid\n" STL_FACET "endsolid\nsolid two 2\n" STL_FACET "endsolid two 2\n",
                "1 two 2");
    check_names(io, TUMBLE_FORMAT_STL,
                "solid empty\nendsolid\nsolid a\n" STL_FACET "endsolid\nsolid a\n" STL_FACET "endsolid\n", "0 a, 1 a");
    check_names(io, TUMBLE_FORMAT_STL, "solid " STL_FACET "endsolid\n", "");
}

/* As much as there is room for. */
static void test_name_room(void **state)
{
    test_io *io = *state;
    const char *data = "v 0 0 0\nv 1 0 0\nv 0 1 0\no abc\ng defg\nf 1 2 3\n", *name = "abc/defg";
    tumble_mesh_buffer *buffer = test_io_read(io, data, strlen(data), TUMBLE_FORMAT_OBJ);
    for (size_t capacity = 0; capacity < 12; capacity++) {
        char text[12];
        memset(text, 'x', sizeof text);
        assert_int_equal(tumble_mesh_buffer_surface_name(buffer, 0, text, capacity), 8);
        const size_t fits = capacity == 0 ? 0 : capacity - 1 < 8 ? capacity - 1 : 8;
        assert_memory_equal(text, name, fits);
        assert_true(capacity == 0 || text[fits] == '\0');
        assert_true(capacity == 12 || text[capacity] == 'x');
    }
    assert_int_equal(tumble_mesh_buffer_surface_name(buffer, 0, NULL, 0), 8);
    assert_int_equal(tumble_mesh_buffer_surface_name(buffer, 1, NULL, 0), 0);
    assert_int_equal(tumble_mesh_buffer_surface_name(buffer, UINT32_MAX, NULL, 0), 0);
    assert_int_equal(tumble_mesh_buffer_surface_name(NULL, 0, NULL, 0), 0);
    tumble_mesh_buffer_destroy(buffer);
}

static void test_obj_errors(void **state)
{
    test_io *io = *state;
    const tumble_format obj = TUMBLE_FORMAT_OBJ;
    refuse(io, obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\n\n# x\nf 1 2 9\n",
           "line 6: face refers to vertex 9, but only 3 are defined");
    refuse(io, obj, "v 0 0 0\rv 1 0 0\rv 0 1 0\r\rf 1 2 4\r", "line 5: face refers to vertex 4");
    refuse(io, obj, "v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 -4\r\n",
           "line 4: face refers to vertex -4, but 3 are defined");
    refuse(io, obj, "v 0 0 0\nf 1 0 1\n", "line 2: face refers to vertex 0");
    refuse(io, obj, "v 0 0 0\nf 1 1\n", "line 2: a face needs at least 3 corners, this one has 2");
    refuse(io, obj, "v 0 0 0\nf\n", "line 2: a face needs at least 3 corners, this one has 0");
    refuse(io, obj, "v 0 0\n", "line 1: a vertex needs three numbers, found the end of the line");
    refuse(io, obj, "v 0 0", "line 1: a vertex needs three numbers, found the end of the file");
    refuse(io, obj, "\n\nv 0 zero 0\n", "line 3: a vertex needs three numbers, found 'zero'");
    refuse(io, obj, "v 0 1.5x 0\n", "found '1.5x'");
    refuse(io, obj, "v 0 0 0\nf 1 1 x\n", "line 2: a corner of a face needs the number of a vertex, found 'x'");
    refuse(io, obj, "v 0 0 0\nf 1 1 1.5\n", "found '1.5'");
    refuse(io, obj, "v 0 0 0\nf 1 1 99999999999999999999\n", "line 2: face refers to vertex");
    refuse(io, obj, "v 0 0 0\n?! 1\n", "line 2: a statement starts with a word, found '?!'");
    refuse(io, obj, "v 0 0 0\n1 2 3\n", "line 2: a statement starts with a word, found '1'");
    refuse_text(io, obj, "v 0 0 0\nv 0 nan 0\n", TUMBLE_ERROR_NOT_FINITE, "line 2: vertex 2 has a coordinate");
    refuse_text(io, obj, "v 0 0 1e999\n", TUMBLE_ERROR_NOT_FINITE, "line 1: vertex 1 has a coordinate");
    refuse_text(io, obj, "v 0 0 -inf\n", TUMBLE_ERROR_NOT_FINITE, "line 1: vertex 1 has a coordinate");
    refuse_text(io, obj, "v 0 \x01\x02 0\n", TUMBLE_ERROR_FORMAT, "found '?\?'");
}

static void test_off(void **state)
{
    test_io *io = *state;
    const tumble_format off = TUMBLE_FORMAT_OFF;
    check(io, off, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", TRIANGLE_POINTS " / 0-1-2");
    check(io, off, "OFF 3 1 0\r\n0 0 0\r\n1 0 0\r\n0 1 0\r\n3 0 1 2", TRIANGLE_POINTS " / 0-1-2");
    check(io, off, "# c\nOFF # c\n# c\n3 1 0 # c\n\n0 0 0 # c\n1 0 0\n\n0 1 0\n# c\n3 0 1 2 # c\n# end",
          TRIANGLE_POINTS " / 0-1-2");
    check(io, off, "OFF\n3 1\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", TRIANGLE_POINTS " / 0-1-2");
    check(io, off, "OFF\n3\n1\n0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", TRIANGLE_POINTS " / 0-1-2");
    check(io, off, "OFF\n3 1 0\n0\n0 0\n1 0\n0\n0 1 0\n3 0\n1 2\n", TRIANGLE_POINTS " / 0-1-2");
    check(io, off, "OFF\n4 2 5\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n4 0 1 3 2 255 0 0\n3 0 1 2 0.5 0.5 0.5 1.0\n",
          TRIANGLE_POINTS ", 1 1 0 / 0-1-3-2 0-1-2");
    check(io, off, "COFF\n3 1 0\n0 0 0 255 0 0 255\n1 0 0 255 0 0 255\n0 1 0 0 0 0 1\n3 0 1 2 7\n",
          TRIANGLE_POINTS " / 0-1-2");
    check(io, off, "NOFF\n3 1 0\n0 0 0 0 0 1\n1 0 0 0 0 1\n0 1 0 0 0 1\n3 0 1 2\n", TRIANGLE_POINTS " / 0-1-2");
    check(io, off, "STOFF\n3 1 0\n0 0 0 .5 .5\n1 0 0 .5 .5\n0 1 0 1 1\n3 0 1 2\n", TRIANGLE_POINTS " / 0-1-2");
    check(io, off, "STCNOFF\n3 1 0\n0 0 0 0 0 1 1 1 1 1 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", TRIANGLE_POINTS " / 0-1-2");
    check(io, off, "OFF\n0 0 0\n", " /");
    check(io, off, "OFF\n1 0 0\n7 8 9\n", "7 8 9 /");
    const char *without_word = "3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    check_bytes(io, off, without_word, strlen(without_word), TRIANGLE_POINTS " / 0-1-2");
}

static void test_off_errors(void **state)
{
    test_io *io = *state;
    const tumble_format off = TUMBLE_FORMAT_OFF;
    refuse(io, off, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n",
           "line 6: face 0 refers to vertex 3, but there are 3, counted from 0");
    refuse(io, off, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n", "line 6: face 0 refers to vertex -1");
    refuse(io, off, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n", "line 6: face 0 has 2 corners, but needs at least 3");
    refuse(io, off, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1\n", "vertex 2: a number is missing, found the end of the file");
    refuse(io, off, "OFF\n3 1 0\n0 0 0\n1 x 0\n0 1 0\n3 0 1 2\n", "line 4: vertex 1: a number is missing, found 'x'");
    refuse(io, off, "OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
           "face 1: a number is missing, found the end of the file");
    refuse(io, off, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 1 2\n",
           "line 7: the file should end after 3 vertices and 1 faces, found '3'");
    refuse(io, off, "OFF\n", "the number of vertices is missing, found the end of the file");
    refuse(io, off, "OFF\n3 x\n", "line 2: the number of faces is missing, found 'x'");
    refuse(io, off, "OFF\n-3 1 0\n", "line 2: the number of vertices is missing, found '-3'");
    refuse(io, off, "", "line 1: the number of vertices is missing");
    refuse_text(io, off, "OFF\n1 0 0\n0 0 inf\n", TUMBLE_ERROR_NOT_FINITE, "line 3: vertex 0 has a coordinate");
    refuse_text(io, off, "OFF BINARY\n", TUMBLE_ERROR_UNSUPPORTED, "line 1: binary OFF is not supported");
    refuse_text(io, off, "4OFF\n1 0 0\n0 0 0 1\n", TUMBLE_ERROR_UNSUPPORTED, "line 1: '4OFF' has points with more");
    refuse_text(io, off, "nOFF 3\n1 0 0\n0 0 0\n", TUMBLE_ERROR_UNSUPPORTED, "more than three coordinates");
}

#define FACET(a, b, c) "facet normal 0 0 1 outer loop vertex " a " vertex " b " vertex " c " endloop endfacet\n"

static void test_stl_text(void **state)
{
    test_io *io = *state;
    const tumble_format stl = TUMBLE_FORMAT_STL;
    check(io, stl,
          "solid name of it\n  facet normal 0 0 1\n    outer loop\n      vertex 0 0 0\n      vertex 1 0 0\n"
          "      vertex 0 1 0\n    endloop\n  endfacet\nendsolid name of it\n",
          TRIANGLE_POINTS " / 0-1-2");
    check(io, stl,
          "SOLID\r\n\tFacet NORMAL 0 0 1\r\nOuter Loop\r\nVERTEX 0 0 0 vertex 1 0 0\r\n\r\nvertex 0\t1\n0\nEndLoop "
          "ENDFACET"
          "\r\nEndSolid",
          TRIANGLE_POINTS " / 0-1-2");
    check(io, stl, "solid " FACET("0 0 0", "1 0 0", "0 1 0") "endsolid", TRIANGLE_POINTS " / 0-1-2");
    check(io, stl, "  \n solid\n" FACET("0 0 0", "1 0 0", "0 1 0") FACET("1 0 0", "0 1 0", "1 1 -0") "endsolid",
          TRIANGLE_POINTS ", 1 1 0 / 0-1-2 1-2-3");
    check(io, stl,
          "solid\nfacet normal nan nan -nan(ind)\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "
          "0\nendloop\nendfacet\n"
          "facet\nouter loop\nvertex 0 0 0\nvertex 0 0 0\nvertex 0 0 0\nendloop\nendfacet\nendsolid\n",
          TRIANGLE_POINTS " / 0-1-2 0-0-0");
    check(io, stl,
          "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nvertex 5 5 "
          "5\nendloop\nendfacet\n"
          "endsolid\n",
          TRIANGLE_POINTS ", 5 5 5 / 0-1-2-3");
    check(io, stl,
          "solid a\n" FACET("0 0 0", "1 0 0", "0 1 0") "endsolid a\nsolid empty\nendsolid empty\n\nsolid b\n" FACET(
              "0 0 0", "1 0 0", "0 1 0") "endsolid b\n",
          TRIANGLE_POINTS " / 0-1-2@0 0-1-2@1");
    check(io, stl, "solid\nendsolid\n", " /");
    check(io, stl, "solid facets of nothing\nendsolid facets of nothing\n", " /");
    check(io, stl, "\xef\xbb\xbfsolid \xc3\xa4\nendsolid\n", " /");
}

static void test_stl_text_errors(void **state)
{
    test_io *io = *state;
    const tumble_format stl = TUMBLE_FORMAT_STL;
    refuse(io, stl, "solid\n" FACET("0 0 0", "1 0 0", "0 1") "endsolid\n",
           "line 2: expected a number, found 'endloop'");
    refuse(io, stl, "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\nendfacet\nendsolid\n",
           "line 2: a facet needs at least 3 vertices, this one has 2");
    refuse(io, stl, "solid\nfacet normal 0 0 1\nouter lop\n", "line 3: expected \"outer loop\", found 'lop'");
    refuse(io, stl, "solid\n" FACET("0 0 0", "1 0 0", "0 1 0"),
           "expected \"facet\" or \"endsolid\", found the end of the file");
    refuse(io, stl, "solid\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0\nendfacet",
           "line 3: expected \"vertex\" or \"endloop\", found 'endfacet'");
    refuse(io, stl, "solid\nendsolid\nrubbish", "line 3: expected \"solid\" or the end of the file, found 'rubbish'");
    const char *infinite = "solid\n" FACET("0 0 0", "1 0 0", "0 1 inf") "endsolid\n";
    refuse_text(io, stl, infinite, TUMBLE_ERROR_NOT_FINITE, "line 2: a vertex of triangle 0");
    refuse(io, stl, "", "byte 0: neither a text STL");
    refuse(io, stl, "solidx", "byte 6: neither a text STL");
}

/* Bytes of a binary file. */
typedef struct bytes {
    unsigned char data[4096];
    size_t size;
    int big_endian;
} bytes;

static void put(bytes *out, uint64_t bits, size_t size)
{
    assert_true(out->size + size <= sizeof out->data);
    for (size_t i = 0; i < size; i++) {
        out->data[out->size + (out->big_endian ? size - 1 - i : i)] = (unsigned char)(bits >> 8 * i);
    }
    out->size += size;
}

static void put_float(bytes *out, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(out, bits, sizeof bits);
}

static void put_double(bytes *out, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(out, bits, sizeof bits);
}

static void put_text(bytes *out, const char *text)
{
    assert_true(out->size + strlen(text) <= sizeof out->data);
    memcpy(out->data + out->size, text, strlen(text));
    out->size += strlen(text);
}

/* A binary STL with so many triangles (0,0,i) (1,0,i) (0,1,i), whose header says `announced`. */
static void make_stl(bytes *out, const char *start, uint32_t announced, int triangles)
{
    memset(out, 0, sizeof *out);
    put_text(out, start);
    out->size = 80;
    put(out, announced, 4);
    for (int i = 0; i < triangles; i++) {
        const float corners[12] = {0, 0, 1, 0, 0, (float)i, 1, 0, (float)i, 0, 1, (float)i};
        for (int j = 0; j < 12; j++) {
            put_float(out, corners[j]);
        }
        put(out, 0x1234, 2);
    }
}

static void test_stl_binary(void **state)
{
    test_io *io = *state;
    static const char *const starts[] = {"", "solid", "solid named facet normal", "SOLID\n", "binary", "v 0 0 0"};
    bytes file;
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        make_stl(&file, starts[i], 2, 2);
        const char *expected = TRIANGLE_POINTS ", 0 0 1, 1 0 1, 0 1 1 / 0-1-2 3-4-5";
        check_bytes(io, TUMBLE_FORMAT_STL, file.data, file.size, expected);
        check_bytes(io, TUMBLE_FORMAT_AUTO, file.data, file.size, expected);
        make_stl(&file, starts[i], 0, 0);
        check_bytes(io, TUMBLE_FORMAT_STL, file.data, file.size, " /");
    }
    make_stl(&file, "padded", 1, 1);
    file.size += 10;
    check_bytes(io, TUMBLE_FORMAT_STL, file.data, file.size, TRIANGLE_POINTS " / 0-1-2");
}

static void test_stl_binary_errors(void **state)
{
    test_io *io = *state;
    const tumble_format stl = TUMBLE_FORMAT_STL;
    bytes file;
    make_stl(&file, "solid", 3, 2);
    refuse_bytes(io, stl, file.data, file.size, TUMBLE_ERROR_FORMAT,
                 "byte 80: 3 triangles are announced, which is a file of 234 bytes, but it has 184");
    make_stl(&file, "", 1, 2);
    refuse_bytes(io, stl, file.data, file.size, TUMBLE_ERROR_FORMAT, "byte 80: 1 triangles are announced");
    make_stl(&file, "", UINT32_MAX, 2);
    refuse_bytes(io, stl, file.data, file.size, TUMBLE_ERROR_FORMAT, "byte 80: 4294967295 triangles are announced");
    make_stl(&file, "", 2, 2);
    refuse_bytes(io, stl, file.data, 50, TUMBLE_ERROR_FORMAT, "byte 50: neither");
    const uint32_t infinity = 0x7f800000;
    memcpy(file.data + 84 + 50 + 24, &infinity, 4);
    refuse_bytes(io, stl, file.data, file.size, TUMBLE_ERROR_NOT_FINITE,
                 "byte 158: corner 1 of triangle 1 has a coordinate");
}

static void test_ply_text(void **state)
{
    test_io *io = *state;
    const tumble_format ply = TUMBLE_FORMAT_PLY;
    check(io, ply,
          "ply\nformat ascii 1.0\ncomment made by hand\nelement vertex 3\nproperty float x\nproperty float y\n"
          "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n"
          "3 0 1 2\n",
          TRIANGLE_POINTS " / 0-1-2");
    check(
        io, ply,
        "ply\r\nformat ascii 1.0\r\nobj_info x\r\nelement camera 1\r\nproperty float focus\r\nproperty list int double "
        "view\r\nelement vertex 4\r\nproperty uchar red\r\nproperty double z\r\nproperty list uchar float extra\r\n"
        "property float64 x\r\nproperty int16 y\r\nelement face 2\r\nproperty uchar flag\r\nproperty list uint8 "
        "float32 "
        "texture\r\nproperty list ushort uint vertex_index\r\nproperty int last\r\nelement edge 2\r\nproperty int a\r\n"
        "property int b\r\nend_header\r\n5 2 7.5 8.5\r\n255 0 0 0 0\r\n255 0 2 9 9 1 0\r\n255 0 1 9 0 1\r\n1 2 0 1 "
        "1\r\n"
        "7 2 .5 .5 3 0 1 2 -1\r\n7 0 4 0 1 3 2 -1\r\n0 1\r\n1 2\r\n",
        TRIANGLE_POINTS ", 1 1 2 / 0-1-2 0-1-3-2");
    check(io, ply,
          "ply\nformat ascii 1.0\nelement face 1\nproperty list int int vertex_index\nelement vertex 3\nproperty float "
          "x\n"
          "property float y\nproperty float z\nend_header\n3 0 1 2\n0 0 0 1 0 0 0 1 0",
          TRIANGLE_POINTS " / 0-1-2");
    check(io, ply,
          "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nelement "
          "nothing 5\n"
          "end_header\n1 2 3\n",
          "1 2 3 /");
    check(io, ply, "ply\nformat ascii 1.0\nelement vertex 0\nelement face 0\nend_header\n", " /");
    check(io, ply, "ply\nformat ascii 1.0\nelement vertex 0\nelement face 0\nend_header", " /");
}

#define PLY_VERTEX_HEADER \
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
#define PLY_FACE_HEADER "element face 1\nproperty list uchar int vertex_indices\nend_header\n"

static void test_ply_text_errors(void **state)
{
    test_io *io = *state;
    const tumble_format ply = TUMBLE_FORMAT_PLY;
    const char *start = PLY_VERTEX_HEADER PLY_FACE_HEADER "0 0 0\n1 0 0\n0 1 0\n";
    static const struct {
        const char *face, *message;
    } faces[] = {{"3 0 1 3\n", "line 13: face 0 refers to vertex 3, but there are 3, counted from 0"},
                 {"3 0 1 -1\n", "line 13: face 0 refers to vertex -1"},
                 {"2 0 1\n", "line 13: face 0 has 2 corners, but needs at least 3"},
                 {"-7 0 1\n", "line 13: face 0 has -7 corners"},
                 {"3 0 1 x\n", "line 13: face 0: a number is missing, found 'x'"},
                 {"3 0 1\n", "line 14: face 0: a number is missing, found the end of the file"},
                 {"3 0 1 2\n3", "line 14: the file should end after the last element, found '3'"},
                 {"3 0 1 2.0\n", "found '2.0'"}};
    for (size_t i = 0; i < sizeof faces / sizeof faces[0]; i++) {
        char text[600];
        snprintf(text, sizeof text, "%s%s", start, faces[i].face);
        refuse(io, ply, text, faces[i].message);
    }
    refuse(io, ply, PLY_VERTEX_HEADER PLY_FACE_HEADER "0 0 0\n1 zero 0\n",
           "line 11: vertex 1: a number is missing, found 'zero'");
    const char *nan = PLY_VERTEX_HEADER PLY_FACE_HEADER "0 0 0\n1 nan 0\n";
    refuse_text(io, ply, nan, TUMBLE_ERROR_NOT_FINITE, "line 11: vertex 1 has a coordinate");
}

static void test_ply_header_errors(void **state)
{
    test_io *io = *state;
    const tumble_format ply = TUMBLE_FORMAT_PLY;
    refuse(io, ply, "", "line 1: expected ply");
    refuse(io, ply, "plyx\n", "line 1: expected ply, found 'plyx'");
    refuse(io, ply, "ply\n", "line 2: expected end_header, found the end of the file");
    refuse(io, ply, "ply\nformat ascii 2.0\n", "line 2: expected version 1.0, found '2.0'");
    refuse(io, ply, "ply\nformat text 1.0\n", "line 2: expected ascii, binary_little_endian or binary_big_endian");
    refuse(io, ply, "ply\nformat ascii 1.0\n\001\n",
           "line 3: expected element, property, format, comment or end_header");
    refuse(io, ply, "ply\nelement vertex 0\nend_header\n", "line 3: expected a line that starts with format");
    refuse(io, ply, "ply\nformat ascii 1.0\nproperty int x\n", "line 3: a property before the first element");
    refuse(io, ply, "ply\nformat ascii 1.0\nelement vertex\n", "line 3: expected an element's name and count");
    refuse(io, ply, "ply\nformat ascii 1.0\nelement vertex -1\n",
           "line 3: expected an element's name and count, found '-1'");
    refuse(io, ply, "ply\nformat ascii 1.0\nelement vertex 1\nproperty real x\n",
           "line 4: expected a type such as float");
    refuse(io, ply, "ply\nformat ascii 1.0\nelement vertex 1\nproperty list float int x\n",
           "line 4: expected an integer type");
    refuse(io, ply, "ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nproperty int x\n",
           "line 5: a property comes twice");
    refuse(io, ply, "ply\nformat ascii 1.0\nelement vertex 1\nelement vertex 1\n",
           "line 4: element vertex comes twice");
    refuse(io, ply, "ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nproperty int y\nend_header\n0 0\n",
           "line 3: element vertex has no properties x, y and z");
    refuse(io, ply, PLY_VERTEX_HEADER "element face 1\nproperty int a\nend_header\n",
           "line 7: element face has no list");
    refuse(io, ply, PLY_VERTEX_HEADER "element face 1\nproperty list uchar float vertex_indices\nend_header\n",
           "line 8: vertex_indices must be integers");
    refuse(io, ply, "ply\nformat ascii 1.0\nend_header\n", "there is no element vertex");
    const char *strips = PLY_VERTEX_HEADER "element tristrips 1\nproperty list int int vertex_indices\nend_header\n";
    refuse_text(io, ply, strips, TUMBLE_ERROR_UNSUPPORTED, "line 7: triangle strips are not supported");
}

static const char *const type_names[8] = {"char", "uint8", "int16", "ushort", "int", "uint32", "float", "double"};
static const size_t type_sizes[8] = {1, 1, 2, 2, 4, 4, 4, 8};

static void put_typed(bytes *out, int type, int value)
{
    if (type == 6) {
        put_float(out, (float)value);
    } else if (type == 7) {
        put_double(out, value);
    } else {
        put(out, (uint64_t)(int64_t)value, type_sizes[type]);
    }
}

/* A triangle and a quadrangle, with coordinates, lengths and indices of the given types, among other elements. */
static void make_ply(bytes *out, int big_endian, int coordinate, int length, int index, const char *newline)
{
    static const int points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 100}};
    char header[1000];
    memset(out, 0, sizeof *out);
    out->big_endian = big_endian;
    snprintf(
        header, sizeof header,
        "ply%sformat binary_%s_endian 1.0%selement before 3%sproperty short a%selement list 2%sproperty list ushort "
        "double l%selement vertex 4%sproperty uchar c%sproperty %s z%sproperty %s x%sproperty %s y%selement face 2%s"
        "property list uchar float t%sproperty list %s %s vertex_indices%sproperty char f%selement after 1%sproperty "
        "double d%send_header%s",
        newline, big_endian ? "big" : "little", newline, newline, newline, newline, newline, newline, newline,
        type_names[coordinate], newline, type_names[coordinate], newline, type_names[coordinate], newline, newline,
        newline, type_names[length], type_names[index], newline, newline, newline, newline, newline);
    put_text(out, header);
    put(out, 0x0a0a0a0a0a0aull, 6); /* bytes that look like ends of lines */
    for (int i = 0; i < 2; i++) {
        put(out, (uint64_t)i, 2);
        put(out, 0, (size_t)i * 8);
    }
    for (int i = 0; i < 4; i++) {
        put(out, 255, 1);
        put_typed(out, coordinate, points[i][2]);
        put_typed(out, coordinate, points[i][0]);
        put_typed(out, coordinate, points[i][1]);
    }
    for (int i = 0; i < 2; i++) {
        static const int corners[2][4] = {{0, 1, 2}, {0, 1, 3, 2}};
        put(out, 2, 1);
        put(out, 0, 8);
        put_typed(out, length, 3 + i);
        for (int j = 0; j < 3 + i; j++) {
            put_typed(out, index, corners[i][j]);
        }
        put(out, 9, 1);
    }
    put_double(out, 1);
}

static void test_ply_binary(void **state)
{
    test_io *io = *state;
    static const char *const newlines[3] = {"\n", "\r\n", "\r"};
    bytes file;
    for (int variant = 0; variant < 2 * 8 * 6 * 6 * 3; variant++) {
        const int coordinate = variant / 2 % 8, length = variant / 16 % 6, index = variant / 96 % 6;
        make_ply(&file, variant % 2, coordinate, length, index, newlines[variant / 576]);
        const char *expected = TRIANGLE_POINTS ", 1 1 100 / 0-1-2 0-1-3-2";
        check_bytes(io, TUMBLE_FORMAT_PLY, file.data, file.size, expected);
        check_bytes(io, TUMBLE_FORMAT_AUTO, file.data, file.size, expected);
    }
}

static void test_ply_binary_errors(void **state)
{
    test_io *io = *state;
    const tumble_format ply = TUMBLE_FORMAT_PLY;
    bytes file = {.size = 0};
    put_text(
        &file,
        "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float "
        "z\nelement face 1\nproperty list char int vertex_indices\nend_header\n");
    const size_t header = file.size;
    put_float(&file, 1);
    put_float(&file, 2);
    put_float(&file, 3);
    const size_t face = file.size;
    char message[200];
    refuse_bytes(io, ply, file.data, header + 11, TUMBLE_ERROR_FORMAT,
                 "the header announces 1 of element vertex, 12 bytes each, but only 11 bytes are left");
    refuse_bytes(io, ply, file.data, file.size, TUMBLE_ERROR_FORMAT, "the file ends in face 0 of 1");
    put(&file, 0xff, 1);
    refuse_bytes(io, ply, file.data, file.size, TUMBLE_ERROR_FORMAT, "a list of face 0 has -1 items");
    file.size = face;
    put(&file, 2, 1);
    put(&file, 0, 8);
    snprintf(message, sizeof message, "byte %zu: face 0 has 2 corners", face);
    refuse_bytes(io, ply, file.data, file.size, TUMBLE_ERROR_FORMAT, message);
    file.size = face;
    put(&file, 3, 1);
    put(&file, 0, 4);
    put(&file, 1, 4);
    put(&file, 0, 4);
    snprintf(message, sizeof message, "byte %zu: face 0 refers to vertex 1, but there are 1", face + 5);
    refuse_bytes(io, ply, file.data, file.size, TUMBLE_ERROR_FORMAT, message);
    refuse_bytes(io, ply, file.data, file.size - 1, TUMBLE_ERROR_FORMAT, "the file ends in face 0 of 1");
    file.size = header;
    put_float(&file, NAN);
    file.size = face + 13;
    snprintf(message, sizeof message, "byte %zu: vertex 0 has a coordinate", header);
    refuse_bytes(io, ply, file.data, file.size, TUMBLE_ERROR_NOT_FINITE, message);
}

/* Formats of others, and what is no mesh at all. */
static void test_unknown(void **state)
{
    test_io *io = *state;
    static const char *const texts[] = {"",
                                        "{\"asset\": {}}",
                                        "ISO-10303-21;\nHEADER;",
                                        "<?xml version=\"1.0\"?>",
                                        "1 0 0 0 0 1 0 0",
                                        "hello",
                                        "# only a comment",
                                        "PK\003\004"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        refuse_text(io, TUMBLE_FORMAT_AUTO, texts[i], TUMBLE_ERROR_UNSUPPORTED, "none of OBJ, OFF, STL and PLY");
    }
    refuse_text(io, TUMBLE_FORMAT_AUTO, "TUMBLE\r\n1234", TUMBLE_ERROR_UNSUPPORTED, "a saved model, not a mesh");
    refuse_text(io, (tumble_format)99, "v 0 0 0", TUMBLE_ERROR_ARGUMENT, "there is no format number 99");
}

/* Against a comparison of all points with all. */
static void test_weld(void **state)
{
    test_io *io = *state;
    test_random random = {3};
    for (size_t round = 0; round < test_count(60); round++) {
        const size_t total = (size_t)test_random_whole(&random, 0, 600);
        const int range = test_random_whole(&random, 0, 8);
        double *points = calloc(3 * total + 1, sizeof *points), *original = calloc(3 * total + 1, sizeof *points);
        uint32_t *numbers = calloc(total + 1, sizeof *numbers);
        assert_true(points && original && numbers);
        for (size_t i = 0; i < 3 * total; i++) {
            points[i] = 0.1 * test_random_whole(&random, -range, range);
            points[i] = points[i] == 0 && test_random_chance(&random, 0.5) ? -0.0 : points[i];
            original[i] = points[i];
        }
        size_t count = total, expected = 0;
        assert_int_equal(tmb_weld_points(io->context, points, &count, round % 2 ? total : 0, numbers), TUMBLE_OK);
        for (size_t i = 0; i < total; i++) {
            size_t first = 0;
            for (const double *a = original, *b = original + 3 * i;
                 a[3 * first] != b[0] || a[3 * first + 1] != b[1] || a[3 * first + 2] != b[2]; first++) {
            }
            assert_int_equal(numbers[i], first == i ? expected : numbers[first]);
            for (size_t j = 0; j < 3; j++) {
                const double kept = points[3 * numbers[i] + j];
                assert_true(kept == original[3 * i + j] && !(kept == 0 && signbit(kept)));
            }
            expected += first == i;
        }
        assert_int_equal(count, expected);
        free(points);
        free(original);
        free(numbers);
    }
}

static void test_weld_large(void **state)
{
    test_io *io = *state;
    const size_t side = 24, copies = 5, total = side * side * side * copies;
    double *points = calloc(3 * total, sizeof *points);
    uint32_t *numbers = calloc(total, sizeof *numbers);
    assert_true(points && numbers);
    for (size_t i = 0; i < total; i++) {
        const size_t k = i % (total / copies);
        points[3 * i] = (double)(k % side), points[3 * i + 1] = (double)(k / side % side);
        points[3 * i + 2] = (double)(k / side / side);
    }
    size_t count = total;
    assert_int_equal(tmb_weld_points(io->context, points, &count, 10, numbers), TUMBLE_OK);
    assert_int_equal(count, total / copies);
    for (size_t i = 0; i < total; i++) {
        assert_int_equal(numbers[i], i % (total / copies));
    }
    free(points);
    free(numbers);
}

/* Points that a file has twice are one afterwards, whatever the format. */
static void test_welded_readers(void **state)
{
    test_io *io = *state;
    check(io, TUMBLE_FORMAT_OBJ, "v 0 0 0\nv 1 0 0\nv -0 0 -0.0\nv 0 1 0\nv 1.0 0e5 0\nf 1 2 4\nf 3 5 4\n",
          TRIANGLE_POINTS " / 0-1-2 0-1-2");
    check(io, TUMBLE_FORMAT_OFF, "OFF 4 1 0\n0 0 0\n0 0 0\n1 0 0\n0 1 0\n3 1 2 3", TRIANGLE_POINTS " / 0-1-2");
    check(io, TUMBLE_FORMAT_OBJ,
          "v 0.1 0 0\nv 0.1000000000000000055511151231257827 0 0\nv 0.10000000000000002 0 0\nf 1 2 3\n",
          "0.1 0 0, 0.1 0 0 / 0-0-1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IO_TEST(test_obj),
        IO_TEST(test_obj_other_statements),
        IO_TEST(test_obj_surfaces),
        IO_TEST(test_obj_many_surfaces),
        IO_TEST(test_obj_names),
        IO_TEST(test_stl_names),
        IO_TEST(test_name_room),
        IO_TEST(test_obj_errors),
        IO_TEST(test_off),
        IO_TEST(test_off_errors),
        IO_TEST(test_stl_text),
        IO_TEST(test_stl_text_errors),
        IO_TEST(test_stl_binary),
        IO_TEST(test_stl_binary_errors),
        IO_TEST(test_ply_text),
        IO_TEST(test_ply_text_errors),
        IO_TEST(test_ply_header_errors),
        IO_TEST(test_ply_binary),
        IO_TEST(test_ply_binary_errors),
        IO_TEST(test_unknown),
        IO_TEST(test_weld),
        IO_TEST(test_weld_large),
        IO_TEST(test_welded_readers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
