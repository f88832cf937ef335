/* Files: every writer against its reader, full disks, links, pipes, and saved models. */
#include "io_support.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

static void write_mesh(test_io *io, const tumble_mesh *mesh, const char *path, tumble_format format)
{
    if (tumble_mesh_write(io->context, mesh, path, format) != TUMBLE_OK) {
        fail_msg("%s", test_io_message(io));
    }
}

static void check_round_trip(test_io *io, const tumble_mesh *mesh, const tumble_mesh *expected, const char *name,
                             tumble_format format)
{
    const char *path = test_io_path(io, name);
    write_mesh(io, mesh, path, format);
    assert_int_equal(test_io_files(io, 0), 1);
    tumble_mesh_buffer *buffer = NULL;
    if (tumble_mesh_read(io->context, path, &buffer) != TUMBLE_OK) {
        fail_msg("%s", test_io_message(io));
    }
    const tumble_mesh *read = tumble_mesh_buffer_mesh(buffer);
    test_io_check_mesh(read);
    test_io_assert_equal(read, expected, strstr(name, ".obj") != NULL);
    tumble_mesh_buffer_destroy(buffer);
    test_io_files(io, 1);
}

static void test_round_trips(void **state)
{
    test_io *io = *state;
    static const struct {
        const char *name;
        tumble_format format;
        int triangles_only;
    } cases[] = {{"a.obj", TUMBLE_FORMAT_AUTO, 0},     {"a.OFF", TUMBLE_FORMAT_AUTO, 0},
                 {"a.ply", TUMBLE_FORMAT_AUTO, 0},     {"a.ply", TUMBLE_FORMAT_PLY_TEXT, 0},
                 {"any", TUMBLE_FORMAT_OFF, 0},        {"a.stl", TUMBLE_FORMAT_AUTO, 1},
                 {"a.STL", TUMBLE_FORMAT_STL_TEXT, 1}, {"a.obj", TUMBLE_FORMAT_STL, 1}};
    for (uint64_t seed = 1; seed <= test_count(4); seed++) {
        test_io_mesh *polygons = test_io_polygons(seed, 1000), *triangles = test_io_triangles(seed, 1000);
        tumble_mesh empty = tumble_default_mesh(), floats = triangles->mesh;
        floats.points = NULL;
        floats.points_float = triangles->points_float;
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            if (!cases[i].triangles_only) {
                check_round_trip(io, &polygons->mesh, &polygons->mesh, cases[i].name, cases[i].format);
            }
            check_round_trip(io, &triangles->mesh, &triangles->mesh, cases[i].name, cases[i].format);
            check_round_trip(io, &floats, &triangles->mesh, cases[i].name, cases[i].format);
            if (strcmp(cases[i].name, "any") != 0 && seed == 1) {
                check_round_trip(io, &empty, &empty, cases[i].name, cases[i].format);
            }
        }
        free(polygons);
        free(triangles);
    }
}

/* With room between the points, as in an array of structs. */
static void test_write_stride(void **state)
{
    test_io *io = *state;
    const double points[] = {0, 0, 0, 99, 1, 0, 0, 99, 0, 1, 0, 99};
    const double packed[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint32_t corners[] = {0, 1, 2};
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = points;
    mesh.point_count = 3;
    mesh.point_stride = 4 * sizeof(double);
    mesh.indices = corners;
    mesh.index_count = 3;
    tumble_mesh expected = mesh;
    expected.points = packed;
    expected.polygon_count = 1;
    check_round_trip(io, &mesh, &expected, "a.obj", TUMBLE_FORMAT_AUTO);
    check_round_trip(io, &mesh, &expected, "a.ply", TUMBLE_FORMAT_AUTO);
    check_round_trip(io, &mesh, &expected, "a.stl", TUMBLE_FORMAT_AUTO);
}

/* Sizes of polygons take a byte where that is enough. */
static void test_write_short_lists(void **state)
{
    test_io *io = *state;
    test_io_mesh *triangles = test_io_triangles(1, 100);
    char text[400] = "";
    write_mesh(io, &triangles->mesh, test_io_path(io, "a.ply"), TUMBLE_FORMAT_AUTO);
    FILE *file = fopen(test_io_path(io, "a.ply"), "rb");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 100);
    fclose(file);
    assert_non_null(strstr(text, "property list uchar "));
    free(triangles);
}

static void refuse_write(test_io *io, const tumble_mesh *mesh, const char *path, tumble_format format,
                         tumble_status expected, const char *message)
{
    const tumble_status status = tumble_mesh_write(io->context, mesh, path, format);
    if (status != expected || !strstr(test_io_message(io), message)) {
        fail_msg("expected %s: %s\nbut got  %s: %s", tumble_status_name(expected), message, tumble_status_name(status),
                 test_io_message(io));
    }
}

static void test_write_errors(void **state)
{
    test_io *io = *state;
    test_io_mesh *polygons = test_io_polygons(1, 100), *triangles = test_io_triangles(1, 100);
    tumble_mesh mesh = triangles->mesh;
    refuse_write(io, &mesh, test_io_path(io, "a.txt"), TUMBLE_FORMAT_AUTO, TUMBLE_ERROR_UNSUPPORTED,
                 "the name must end with .obj, .off, .stl or .ply");
    refuse_write(io, &mesh, test_io_path(io, "stl"), TUMBLE_FORMAT_AUTO, TUMBLE_ERROR_UNSUPPORTED, "must end with");
    refuse_write(io, &mesh, test_io_path(io, "a.obj"), (tumble_format)99, TUMBLE_ERROR_ARGUMENT, "no format number 99");
    refuse_write(io, &mesh, test_io_path(io, "no/a.obj"), TUMBLE_FORMAT_AUTO, TUMBLE_ERROR_FILE, "No such file");
    refuse_write(io, &mesh, io->folder, TUMBLE_FORMAT_OBJ, TUMBLE_ERROR_FILE, "Is a directory");
    refuse_write(io, NULL, "a.obj", TUMBLE_FORMAT_AUTO, TUMBLE_ERROR_ARGUMENT, "mesh is null");
    refuse_write(io, &mesh, NULL, TUMBLE_FORMAT_AUTO, TUMBLE_ERROR_ARGUMENT, "path is null");
    refuse_write(io, &polygons->mesh, test_io_path(io, "a.stl"), TUMBLE_FORMAT_AUTO, TUMBLE_ERROR_UNSUPPORTED,
                 "STL holds triangles only");
    triangles->points[3] = 0.1;
    refuse_write(io, &mesh, test_io_path(io, "a.stl"), TUMBLE_FORMAT_STL_TEXT, TUMBLE_ERROR_UNSUPPORTED,
                 "point 1 has the x coordinate 0.1");
    triangles->points[3] = 1e39;
    refuse_write(io, &mesh, test_io_path(io, "a.stl"), TUMBLE_FORMAT_AUTO, TUMBLE_ERROR_UNSUPPORTED, "point 1");
    triangles->points[5] = NAN;
    refuse_write(io, &mesh, test_io_path(io, "a.ply"), TUMBLE_FORMAT_AUTO, TUMBLE_ERROR_NOT_FINITE, "point 1");
    triangles->points[3] = triangles->points[5] = 1;
    triangles->indices[30] = 5000;
    refuse_write(io, &mesh, test_io_path(io, "a.ply"), TUMBLE_FORMAT_AUTO, TUMBLE_ERROR_INDEX, "polygon 10");
    assert_int_equal(test_io_files(io, 0), 0);
    assert_int_equal(tumble_mesh_write(NULL, &mesh, "a.obj", TUMBLE_FORMAT_AUTO), TUMBLE_ERROR_ARGUMENT);
    free(polygons);
    free(triangles);
}

static void write_bytes(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static size_t read_bytes(const char *path, char *data, size_t capacity)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(data, 1, capacity, file);
    fclose(file);
    return size;
}

/* When the disk is full there is an error, no new file, and the old one is as it was. A limit of size stands for the
 * disk. */
static void test_write_full(void **state)
{
    test_io *io = *state;
    test_io_mesh *polygons = test_io_polygons(1, 1000);
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 5000;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    write_bytes(test_io_path(io, "old.obj"), "old", 3);
    refuse_write(io, &polygons->mesh, test_io_path(io, "old.obj/new.obj"), TUMBLE_FORMAT_OBJ, TUMBLE_ERROR_FILE,
                 "Not a directory");
    for (int format = TUMBLE_FORMAT_OBJ; format <= TUMBLE_FORMAT_PLY_TEXT; format++) {
        if (format != TUMBLE_FORMAT_STL && format != TUMBLE_FORMAT_STL_TEXT) {
            assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
            const tumble_status new_status =
                tumble_mesh_write(io->context, &polygons->mesh, test_io_path(io, "new.obj"), (tumble_format)format);
            const tumble_status old_status =
                tumble_mesh_write(io->context, &polygons->mesh, test_io_path(io, "old.obj"), (tumble_format)format);
            assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
            assert_int_equal(new_status, TUMBLE_ERROR_FILE);
            assert_int_equal(old_status, TUMBLE_ERROR_FILE);
            assert_non_null(strstr(test_io_message(io), "old.obj: cannot write it: File too large"));
            assert_int_equal(test_io_files(io, 0), 1);
        }
    }
    char text[10];
    assert_int_equal(read_bytes(test_io_path(io, "old.obj"), text, sizeof text), 3);
    assert_memory_equal(text, "old", 3);
    signal(SIGXFSZ, handler);
    if (access("/dev/full", W_OK) == 0) {
        refuse_write(io, &polygons->mesh, "/dev/full", TUMBLE_FORMAT_OBJ, TUMBLE_ERROR_FILE, "No space left");
        assert_int_equal(access("/dev/full", W_OK), 0);
    }
    free(polygons);
}

/* A file that is replaced keeps its permissions, and a symbolic link stays one. */
static void test_write_replaces(void **state)
{
    test_io *io = *state;
    test_io_mesh *triangles = test_io_triangles(1, 10);
    struct stat status;
    char target[320];
    snprintf(target, sizeof target, "%s", test_io_path(io, "target.obj"));
    const char *link = test_io_path(io, "link.obj");
    write_bytes(target, "old", 3);
    assert_int_equal(chmod(target, 0640), 0);
    assert_int_equal(symlink("target.obj", link), 0);
    write_mesh(io, &triangles->mesh, link, TUMBLE_FORMAT_AUTO);
    assert_int_equal(lstat(link, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(lstat(target, &status), 0);
    assert_true(S_ISREG(status.st_mode));
    assert_int_equal(status.st_mode & 0777, 0640);
    tumble_mesh_buffer *buffer = NULL;
    assert_int_equal(tumble_mesh_read(io->context, target, &buffer), TUMBLE_OK);
    test_io_assert_equal(tumble_mesh_buffer_mesh(buffer), &triangles->mesh, 0);
    tumble_mesh_buffer_destroy(buffer);
    assert_int_equal(test_io_files(io, 0), 2);
    free(triangles);
}

static void refuse_file(test_io *io, const char *path, tumble_status expected, const char *message)
{
    tumble_mesh_buffer *buffer = (tumble_mesh_buffer *)io;
    assert_int_equal(tumble_mesh_read(io->context, path, &buffer), expected);
    assert_null(buffer);
    if (!strstr(test_io_message(io), message)) {
        fail_msg("'%s' lacks '%s'", test_io_message(io), message);
    }
}

static void test_read_files(void **state)
{
    test_io *io = *state;
    tumble_mesh_buffer *buffer = NULL;
    refuse_file(io, test_io_path(io, "none.obj"), TUMBLE_ERROR_FILE, "none.obj: cannot open it: No such file");
    refuse_file(io, io->folder, TUMBLE_ERROR_FILE, "Is a directory");
    write_bytes(test_io_path(io, "bad.obj"), "v 0 0 0\nf 1 2\n", 14);
    refuse_file(io, test_io_path(io, "bad.obj"), TUMBLE_ERROR_FORMAT, "bad.obj: line 2: a face needs");
    write_bytes(test_io_path(io, "bad.stl"), "not any\001", 8);
    refuse_file(io, test_io_path(io, "bad.stl"), TUMBLE_ERROR_FORMAT, "bad.stl: byte 8: neither");
    refuse_file(io, NULL, TUMBLE_ERROR_ARGUMENT, "path is null");
    assert_int_equal(tumble_mesh_read(io->context, "x", NULL), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_mesh_read(NULL, "x", &buffer), TUMBLE_ERROR_ARGUMENT);
    write_bytes(test_io_path(io, "empty.obj"), "", 0);
    assert_int_equal(tumble_mesh_read(io->context, test_io_path(io, "empty.obj"), &buffer), TUMBLE_OK);
    assert_int_equal(tumble_mesh_buffer_mesh(buffer)->polygon_count, 0);
    tumble_mesh_buffer_destroy(buffer);
    /* contents decide, not the name */
    write_bytes(test_io_path(io, "off.stl"), "OFF 1 0 0\n1 2 3\n", 16);
    assert_int_equal(tumble_mesh_read(io->context, test_io_path(io, "off.stl"), &buffer), TUMBLE_OK);
    assert_int_equal(tumble_mesh_buffer_mesh(buffer)->point_count, 1);
    tumble_mesh_buffer_destroy(buffer);
    tumble_mesh_buffer_destroy(NULL);
    assert_null(tumble_mesh_buffer_mesh(NULL));
}

static void test_read_pipe(void **state)
{
    test_io *io = *state;
    const char *text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], text, strlen(text)), strlen(text));
    close(ends[1]);
    char path[40];
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    tumble_mesh_buffer *buffer = NULL;
    bool is_model = true;
    assert_int_equal(tumble_is_model_file(io->context, path, &is_model), TUMBLE_OK); /* must not take anything out */
    assert_int_equal(is_model, 0);
    assert_int_equal(tumble_mesh_read(io->context, path, &buffer), TUMBLE_OK);
    assert_int_equal(tumble_mesh_buffer_mesh(buffer)->polygon_count, 1);
    tumble_mesh_buffer_destroy(buffer);
    close(ends[0]);
}

/* More than what a pipe holds, and than what is reserved at first for something without a size. */
static void test_read_large_pipe(void **state)
{
    test_io *io = *state;
    enum {
        FACES = 20000
    };
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        FILE *file = fdopen(ends[1], "w");
        int written = fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\n", file) >= 0;
        for (int i = 0; i < FACES; i++) {
            written &= fputs("f 1 2 3\n", file) >= 0;
        }
        _exit(fclose(file) == 0 && written ? 0 : 1);
    }
    close(ends[1]);
    char path[40];
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    tumble_mesh_buffer *buffer = NULL;
    const tumble_status status = tumble_mesh_read(io->context, path, &buffer);
    close(ends[0]);
    int end = 0;
    assert_int_equal(waitpid(child, &end, 0), child);
    assert_true(WIFEXITED(end) && WEXITSTATUS(end) == 0);
    assert_int_equal(status, TUMBLE_OK);
    assert_int_equal(tumble_mesh_buffer_mesh(buffer)->polygon_count, FACES);
    tumble_mesh_buffer_destroy(buffer);
}

static void test_is_model_file(void **state)
{
    test_io *io = *state;
    bool answer = true;
    assert_int_equal(tumble_is_model_file(io->context, test_io_path(io, "none"), &answer), TUMBLE_ERROR_FILE);
    assert_non_null(strstr(test_io_message(io), strerror(ENOENT)));
    write_bytes(test_io_path(io, "a"), "TUMBLE\r\n", 8);
    assert_int_equal(tumble_is_model_file(io->context, test_io_path(io, "a"), &answer), TUMBLE_OK);
    assert_int_equal(answer, 1);
    write_bytes(test_io_path(io, "a"), "TUMBLE\n\n", 8);
    assert_int_equal(tumble_is_model_file(io->context, test_io_path(io, "a"), &answer), TUMBLE_OK);
    assert_int_equal(answer, 0);
    write_bytes(test_io_path(io, "a"), "TUMBLE\r", 7);
    assert_int_equal(tumble_is_model_file(io->context, test_io_path(io, "a"), &answer), TUMBLE_OK);
    assert_int_equal(answer, 0);
    assert_int_equal(tumble_is_model_file(io->context, NULL, &answer), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_is_model_file(NULL, "a", &answer), TUMBLE_ERROR_ARGUMENT);
}

static void refuse_model(test_io *io, const char *name, tumble_status expected)
{
    tumble_model *model = (tumble_model *)io;
    assert_int_equal(tumble_model_load(io->context, test_io_path(io, name), &model), expected);
    assert_null(model);
    assert_ptr_equal(strstr(test_io_message(io), test_io_path(io, name)), test_io_message(io)); /* which file */
}

static tumble_model *make_model(test_io *io)
{
    test_io_mesh *polygons = test_io_polygons(1, 200);
    for (size_t i = 0; i < 3 * polygons->mesh.point_count; i++) {
        polygons->points[i] = fmod(polygons->points[i], 1000); /* sizes that a hierarchy is made for */
    }
    tumble_model *model = NULL;
    if (tumble_model_create(io->context, &polygons->mesh, NULL, &model) != TUMBLE_OK) {
        fail_msg("%s", test_io_message(io));
    }
    free(polygons);
    return model;
}

/* Whether a file is mapped, as Linux tells it; elsewhere 0. */
static int is_mapped(const char *name)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[4096];
    int found = 0;
    while (maps && fgets(line, sizeof line, maps)) {
        found |= strstr(line, name) != NULL;
    }
    if (maps) {
        fclose(maps);
    }
    return found;
}

static void test_model_files(void **state)
{
    test_io *io = *state;
    tumble_model *model = make_model(io), *loaded = NULL;
    const char *path = test_io_path(io, "a.tumble");
    bool is_model = false;
    assert_int_equal(tumble_model_save(model, path), TUMBLE_OK);
    assert_int_equal(test_io_files(io, 0), 1);
    assert_int_equal(tumble_is_model_file(io->context, path, &is_model), TUMBLE_OK);
    assert_int_equal(is_model, 1);
    assert_int_equal(tumble_model_load(io->context, path, &loaded), TUMBLE_OK);
    size_t size, loaded_size;
    const void *block = tumble_model_block(model, &size), *loaded_block = tumble_model_block(loaded, &loaded_size);
    assert_int_equal(size, loaded_size);
    assert_memory_equal(block, loaded_block, size);
    assert_int_equal(tumble_model_save(loaded, path), TUMBLE_OK); /* over the file that is mapped */
    assert_memory_equal(block, loaded_block, size);
    tumble_model_destroy(loaded);
    assert_int_equal(msync((void *)loaded_block, size, MS_ASYNC), -1); /* it is no longer mapped */
    write_bytes(test_io_path(io, "b.tumble"), block, size - 1);
    refuse_model(io, "b.tumble", TUMBLE_ERROR_FORMAT);
    assert_false(is_mapped("b.tumble"));
    write_bytes(test_io_path(io, "b.tumble"), "TUMBLE\r\nand nothing else", 24);
    refuse_model(io, "b.tumble", TUMBLE_ERROR_FORMAT);
    write_bytes(test_io_path(io, "b.tumble"), "", 0);
    refuse_model(io, "b.tumble", TUMBLE_ERROR_FORMAT);
    assert_non_null(strstr(test_io_message(io), "meshes are read by tumble_mesh_read"));
    refuse_model(io, "none.tumble", TUMBLE_ERROR_FILE);
    refuse_model(io, "", TUMBLE_ERROR_FILE);
    assert_int_equal(tumble_model_save(model, test_io_path(io, "no/a.tumble")), TUMBLE_ERROR_FILE);
    assert_int_equal(tumble_model_save(model, NULL), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_model_save(NULL, "a"), TUMBLE_ERROR_ARGUMENT);
    tumble_model_destroy(model);
}

/* What cannot be mapped is read and copied. */
static void test_model_pipe(void **state)
{
    test_io *io = *state;
    const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint32_t corners[] = {0, 1, 2};
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = points, mesh.point_count = 3;
    mesh.indices = corners, mesh.index_count = 3;
    tumble_model *model = NULL, *loaded = NULL;
    assert_int_equal(tumble_model_create(io->context, &mesh, NULL, &model), TUMBLE_OK);
    size_t size, loaded_size;
    const void *block = tumble_model_block(model, &size);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], block, size), size);
    close(ends[1]);
    char path[40];
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_int_equal(tumble_model_load(io->context, path, &loaded), TUMBLE_OK);
    close(ends[0]);
    const void *loaded_block = tumble_model_block(loaded, &loaded_size);
    assert_int_equal(size, loaded_size);
    assert_memory_equal(block, loaded_block, size);
    tumble_model_destroy(loaded);
    tumble_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IO_TEST(test_round_trips),   IO_TEST(test_write_stride), IO_TEST(test_write_short_lists),
        IO_TEST(test_write_errors),  IO_TEST(test_write_full),   IO_TEST(test_write_replaces),
        IO_TEST(test_read_files),    IO_TEST(test_read_pipe),    IO_TEST(test_read_large_pipe),
        IO_TEST(test_is_model_file), IO_TEST(test_model_files),  IO_TEST(test_model_pipe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
