/* Files that are not what their names say, and PLY headers with lines that do not belong there. */
#include "io_support.h"

static void write_text(test_io *io, const char *name, const char *text)
{
    FILE *file = fopen(test_io_path(io, name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static void refuse(test_io *io, const char *name, const char *text, tumble_status expected, const char *message)
{
    tumble_mesh_buffer *buffer = NULL;
    write_text(io, name, text);
    const tumble_status status = tumble_mesh_read(io->context, test_io_path(io, name), &buffer);
    assert_null(buffer);
    if (status != expected || !strstr(test_io_message(io), message) || !strstr(test_io_message(io), name)) {
        fail_msg("%s: expected %s: %s\nbut got %s: %s", name, tumble_status_name(expected), message,
                 tumble_status_name(status), test_io_message(io));
    }
}

static tumble_mesh_buffer *accept(test_io *io, const char *name, const char *text)
{
    tumble_mesh_buffer *buffer = NULL;
    write_text(io, name, text);
    if (tumble_mesh_read(io->context, test_io_path(io, name), &buffer) != TUMBLE_OK) {
        fail_msg("%s", test_io_message(io));
    }
    return buffer;
}

/* The number of polygons of a file that must be readable. */
static size_t polygons_of(test_io *io, const char *name, const char *text)
{
    tumble_mesh_buffer *buffer = accept(io, name, text);
    const size_t count = tumble_mesh_buffer_mesh(buffer)->polygon_count;
    tumble_mesh_buffer_destroy(buffer);
    return count;
}

static void test_text_that_is_no_obj(void **state)
{
    test_io *io = *state;
    refuse(io, "text.obj", "hello world\n", TUMBLE_ERROR_FORMAT,
           "line 1: not an OBJ file: 'hello' is no OBJ statement");
    refuse(io, "page.obj", "# saved\n\nNot Found\nTry again\n", TUMBLE_ERROR_FORMAT, "line 3: not an OBJ file: 'Not'");
    refuse(io, "one.obj", "x", TUMBLE_ERROR_FORMAT, "not an OBJ file: 'x'");
    /* one statement that OBJ knows is enough, wherever it stands */
    assert_int_equal(polygons_of(io, "a.obj", "extension 1\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nown words\n"), 1);
    assert_int_equal(polygons_of(io, "b.obj", "hello\nworld\nvn 0 0 1\n"), 0);
    assert_int_equal(polygons_of(io, "c.obj", "mtllib a.mtl\n"), 0);
    /* nothing at all is an empty mesh, and so are points */
    assert_int_equal(polygons_of(io, "d.obj", ""), 0);
    assert_int_equal(polygons_of(io, "e.obj", "# nothing\n"), 0);
    assert_int_equal(polygons_of(io, "f.obj", "v 0 0 0\nv 1 2 3\n"), 0);
}

static void test_lfs_pointers(void **state)
{
    test_io *io = *state;
    static const char pointer[] =
        "version https://git-lfs.github.com/spec/v1\n"
        "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12\n";
    static const char *const names[] = {"a.obj", "a.stl", "a.ply", "a.off", "a.glb"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        refuse(io, names[i], pointer, TUMBLE_ERROR_FORMAT, "a Git LFS pointer, not the file itself");
    }
}

/* Its statements look like those of OBJ; only the name tells. */
static void test_nff(void **state)
{
    test_io *io = *state;
    static const char text[] = "v\nfrom 0 0 -5\nat 0 0 0\nf 1 0 0 1 0 0 0 0\np 3\n0 0 0\n1 0 0\n0 1 0\n";
    refuse(io, "a.nff", text, TUMBLE_ERROR_UNSUPPORTED, "none of OBJ, OFF, STL and PLY");
    refuse(io, "A.NFF", text, TUMBLE_ERROR_UNSUPPORTED, "none of OBJ, OFF, STL and PLY");
    refuse(io, "a.enff", text, TUMBLE_ERROR_UNSUPPORTED, "none of OBJ, OFF, STL and PLY");
    refuse(io, "a.obj", text, TUMBLE_ERROR_FORMAT, "line 1: a vertex needs three numbers");
    assert_int_equal(polygons_of(io, "nff", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), 1);
    assert_int_equal(polygons_of(io, "a.txt", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), 1);
}

#define PLY_BODY                                                                                             \
    "element vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list " \
    "uchar int vertex_indices\n"
#define PLY_DATA "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"

static void check_warning(test_io *io, const char *text, const char *expected)
{
    char warning[300] = "?";
    tumble_mesh_buffer *buffer = accept(io, "a.ply", text);
    assert_int_equal(tumble_mesh_buffer_mesh(buffer)->polygon_count, 1);
    assert_int_equal(tumble_mesh_buffer_warning(buffer, NULL, 0), strlen(expected));
    assert_int_equal(tumble_mesh_buffer_warning(buffer, warning, sizeof warning), strlen(expected));
    assert_string_equal(warning, expected);
    if (*expected) {
        assert_int_equal(tumble_mesh_buffer_warning(buffer, warning, 7), strlen(expected));
        assert_int_equal(strlen(warning), 6);
    }
    tumble_mesh_buffer_destroy(buffer);
}

static void test_ply_header_lines(void **state)
{
    test_io *io = *state;
    check_warning(io, "ply\nformat ascii 1.0\ncomment all is well\n\n" PLY_BODY PLY_DATA, "");
    check_warning(io, "ply\nformat ascii 1.0\nCreated by a program\n" PLY_BODY PLY_DATA,
                  "line 3: 'Created' does not belong in a PLY header");
    check_warning(io, "ply\nformat ascii 1.0\n" PLY_BODY "author me\ndate\ttoday\n" PLY_DATA,
                  "line 9: 'author' does not belong in a PLY header (the first of 2 such lines)");
    refuse(io, "b.ply", "ply\nformat ascii 1.0\nrubbish\001\n" PLY_BODY PLY_DATA, TUMBLE_ERROR_FORMAT,
           "line 3: expected element, property, format, comment or end_header");
    refuse(io, "c.ply", "ply\nformat ascii 1.0\nCreated by a program\n" PLY_BODY, TUMBLE_ERROR_FORMAT,
           "expected end_header");
    assert_int_equal(tumble_mesh_buffer_warning(NULL, NULL, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {IO_TEST(test_text_that_is_no_obj), IO_TEST(test_lfs_pointers), IO_TEST(test_nff),
                                       IO_TEST(test_ply_header_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
