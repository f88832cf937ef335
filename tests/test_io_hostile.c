/* Truncated, damaged and lying mesh files, and memory that runs out: a status each time, nothing leaked, no crash. */
#include "io_support.h"

typedef struct sample {
    tumble_format format;
    const char *name;
    size_t size;
    const char *data;
} sample;

#define SAMPLE(format, name, text)                           \
    {                                                        \
        TUMBLE_FORMAT_##format, name, sizeof(text) - 1, text \
    }
#define ZEROS10 "\0\0\0\0\0\0\0\0\0\0"
#define ONE "\0\0\x80\x3f" /* as a float, little endian; and big endian: */
#define ONE_BIG "\x3f\x80\0\0"
#define NUL4 "\0\0\0\0"

static const sample samples[] = {
    SAMPLE(
        OBJ, "a.obj",
        "# comment\nmtllib x\no cube\nv 0 0 0\nv 1 0 0 \\\n\nv 0 1e0 0 1 1 1\r\nv -1.5 .25 3e-2\nvt 0 0\ng a\nf 1 2 3\n"
        "usemtl m\nf 1/1 2//2 3/3/3 4\nf -1 -2 \\\n-3\nl 1 2\n"),
    SAMPLE(OFF, "a.off", "OFF # c\n4 2 0\n0 0 0\n1 0 0\n0 1 0\n-1.5 .25 3e-2\n3 0 1 2 255 0 0\n4 0 1 2 3\n"),
    SAMPLE(OFF, "b.off", "STCNOFF 3 1\n0 0 0 1 1 1 1 0 0 1 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"),
    SAMPLE(
        STL, "a.stl",
        "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
        "endsolid a\nsolid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nvertex 3e-2 1 1\n"
        "endloop\nendfacet\nendsolid\n"),
    SAMPLE(STL, "b.stl",
           "solid" ZEROS10 ZEROS10 ZEROS10 ZEROS10 ZEROS10 ZEROS10 ZEROS10
           "\0\0\0\0\0\2\0\0\0" NUL4 NUL4 ONE NUL4 NUL4 NUL4 ONE NUL4 NUL4 NUL4 ONE NUL4
           "\0\0" NUL4 NUL4 ONE NUL4 NUL4 ONE ONE NUL4 ONE NUL4 ONE ONE "\1\2"),
    SAMPLE(
        PLY, "a.ply",
        "ply\nformat ascii 1.0\ncomment c\nelement vertex 3\nproperty float x\nproperty uchar red\nproperty double y\n"
        "property float z\nelement face 2\nproperty list uchar int vertex_indices\nproperty list int float t\nelement "
        "e 1\n"
        "property int a\nend_header\n0 1 0 0\n1 1 0 0\n0 1 1.5 3e-2\n3 0 1 2 0\n4 0 1 2 0 2 .5 .5\n7\n"),
    SAMPLE(
        PLY, "b.ply",
        "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
        "element face 1\nproperty list uchar int vertex_indices\nproperty list ushort char t\nend_header\n" NUL4 NUL4
            NUL4 ONE NUL4 NUL4 NUL4 ONE NUL4 "\3" NUL4 "\1\0\0\0\2\0\0\0\2\0ab"),
    SAMPLE(PLY, "c.ply",
           "ply\r\nformat binary_big_endian 1.0\r\nelement face 1\r\nproperty list int ushort vertex_index\r\nelement "
           "x 2\r\n"
           "property short s\r\nelement vertex 3\r\nproperty float x\r\nproperty float y\r\nproperty float "
           "z\r\nend_header\r\n"
           "\0\0\0\4\0\0\0\1\0\2\0\0\r\n\r\n" NUL4 NUL4 NUL4 ONE_BIG NUL4 NUL4 NUL4 ONE_BIG NUL4),
};
#define SAMPLES (sizeof samples / sizeof samples[0])

static void test_samples_are_good(void **state)
{
    test_io *io = *state;
    for (size_t i = 0; i < SAMPLES; i++) {
        tumble_mesh_buffer *buffer = test_io_read(io, samples[i].data, samples[i].size, samples[i].format);
        assert_true(tumble_mesh_buffer_mesh(buffer)->polygon_count > 0);
        tumble_mesh_buffer_destroy(buffer);
    }
}

/* Reads a copy that ends where its block of memory ends. Whatever comes out must be an error or a mesh. */
static tumble_status try_bytes(test_io *io, const char *data, size_t size, tumble_format format)
{
    char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, data, size);
    tumble_mesh_buffer *buffer = NULL;
    const tumble_status status = tumble_mesh_read_memory(io->context, copy, size, format, &buffer);
    if (status == TUMBLE_OK) {
        test_io_check_mesh(tumble_mesh_buffer_mesh(buffer));
    } else {
        assert_null(buffer);
    }
    tumble_mesh_buffer_destroy(buffer);
    free(copy);
    assert_int_equal(io->memory.live_blocks, io->live_blocks);
    return status;
}

static void test_truncated(void **state)
{
    test_io *io = *state;
    size_t refused = 0, total = 0;
    for (size_t i = 0; i < SAMPLES; i++) {
        for (size_t size = 0; size <= samples[i].size; size++) {
            refused += try_bytes(io, samples[i].data, size, samples[i].format) != TUMBLE_OK;
            try_bytes(io, samples[i].data, size, TUMBLE_FORMAT_AUTO);
            total++;
        }
    }
    assert_true(refused > total / 2);
}

/* Changes a few bytes, or repeats or removes a few. */
static size_t damage(test_random *random, char *data, size_t size, size_t capacity)
{
    static const char telling[] = "0123456789-+.eE/\\# \n\r\t\0\1\2\377vfgolnNaAiI";
    for (int changes = test_random_whole(random, 1, 4); changes > 0 && size > 0; changes--) {
        const size_t at = test_random_bits(random) % size, rest = size - at;
        const size_t length = 1 + test_random_bits(random) % (rest < 8 ? rest : 8);
        switch (test_random_whole(random, 0, 4)) {
        case 0: data[at] = (char)test_random_bits(random); break;
        case 1: data[at] = (char)(data[at] ^ 1 << test_random_whole(random, 0, 7)); break;
        case 2: data[at] = telling[test_random_bits(random) % (sizeof telling - 1)]; break;
        case 3:
            memmove(data + at, data + at + length, rest - length);
            size -= length;
            break;
        default:
            if (size + length <= capacity) {
                memmove(data + at + length, data + at, rest);
                size += length;
            }
        }
    }
    return size;
}

static void test_damaged(void **state)
{
    test_io *io = *state;
    test_random random = {4};
    size_t read = 0, refused = 0;
    for (size_t round = 0; round < test_count(4000); round++) {
        for (size_t i = 0; i < SAMPLES; i++) {
            char data[1000];
            assert_true(samples[i].size < sizeof data);
            memcpy(data, samples[i].data, samples[i].size);
            const size_t size = damage(&random, data, samples[i].size, sizeof data);
            const tumble_status status = try_bytes(io, data, size, samples[i].format);
            read += status == TUMBLE_OK;
            refused += status != TUMBLE_OK;
        }
    }
    assert_true(read > 0 && refused > 0);
}

/* Announcements that the file cannot keep must not cost memory. */
static void test_lies(void **state)
{
    test_io *io = *state;
    static const sample lies[] = {
        SAMPLE(OFF, "", "OFF\n4000000000 4000000000 0\n0 0 0\n1 0 0\n"),
        SAMPLE(OFF, "", "OFF\n4611686018427387904 1 0\n0 0 0\n"),
        SAMPLE(OFF, "", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n4000000000 0 1 2\n"),
        SAMPLE(OFF, "", "OFF\n99999999999999999999 99999999999999999999 0\n0 0 0\n"),
        SAMPLE(
            PLY, "",
            "ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\nproperty float z\n"
            "end_header\n0 0 0\n"),
        SAMPLE(PLY, "",
               "ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\n"
               "property float z\nend_header\n0123456789ab"),
        SAMPLE(PLY, "",
               "ply\nformat binary_big_endian 1.0\nelement vertex 9223372036854775807\nproperty double x\n"
               "property double y\nproperty double z\nend_header\n0123456789ab"),
        SAMPLE(PLY, "",
               "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty char x\nproperty char y\nproperty "
               "char z\n"
               "element face 4000000000\nproperty list uint int vertex_indices\nend_header\n000\377\377\377\377"),
        SAMPLE(PLY, "",
               "ply\nformat binary_little_endian 1.0\nelement other 4000000000\nproperty list uint double l\nelement "
               "vertex "
               "0\nend_header\n\377\377\377\377"),
        SAMPLE(PLY, "",
               "ply\nformat ascii 1.0\nelement vertex 1\nproperty char x\nproperty char y\nproperty char z\n"
               "element face 4000000000\nproperty list uint int vertex_indices\nend_header\n0 0 0\n4000000000 0 0 0"),
        SAMPLE(OBJ, "", "v 0 0 0\nf 1 1 4294967294\n"),
        SAMPLE(OBJ, "", "v 0 0 0\nf 1 1 -9223372036854775807\n"),
    };
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        io->memory.peak_bytes = io->memory.live_bytes;
        const size_t before = io->memory.peak_bytes;
        assert_int_equal(try_bytes(io, lies[i].data, lies[i].size, lies[i].format), TUMBLE_ERROR_FORMAT);
        assert_true(io->memory.peak_bytes - before < 20000);
    }
    char stl[134] = {0};
    memset(stl + 80, 0xff, 4);
    const size_t before = io->memory.live_bytes;
    io->memory.peak_bytes = before;
    assert_int_equal(try_bytes(io, stl, sizeof stl, TUMBLE_FORMAT_STL), TUMBLE_ERROR_FORMAT);
    assert_true(io->memory.peak_bytes - before < 20000);
    /* an element without properties takes no room, so this one is true */
    const char *empty = "ply\nformat binary_little_endian 1.0\nelement x 4000000000000\nelement vertex 0\nend_header\n";
    assert_int_equal(try_bytes(io, empty, strlen(empty), TUMBLE_FORMAT_PLY), TUMBLE_OK);
}

/* What would take minutes if any step were quadratic. */
static void test_long(void **state)
{
    test_io *io = *state;
    const size_t capacity = 3000000;
    char *text = malloc(capacity);
    assert_non_null(text);
    size_t length = (size_t)sprintf(text, "v 0.");
    memset(text + length, '7', 1000000); /* a number of a million digits */
    length += 1000000;
    length += (size_t)sprintf(text + length, "e-3 0 0\nf");
    for (int i = 0; i < 500000; i++) { /* a polygon of half a million corners */
        length += (size_t)sprintf(text + length, " 1");
    }
    assert_int_equal(try_bytes(io, text, length, TUMBLE_FORMAT_OBJ), TUMBLE_OK);
    length = (size_t)sprintf(text, "v 0 0 0\no ");
    memset(text + length, 'x', 500000); /* a name of half a million letters, and changes of names after it */
    length += 500000;
    for (int i = 0; i < 60000; i++) {
        length += (size_t)sprintf(text + length, "\ng %d\nf 1 1 1", i / 2);
    }
    assert_int_equal(try_bytes(io, text, length, TUMBLE_FORMAT_OBJ), TUMBLE_OK);
    memset(text, '#', capacity); /* comments, blank lines, continued lines */
    for (size_t i = 0; i < capacity; i += 3) {
        text[i] = '\n';
    }
    assert_int_equal(try_bytes(io, text, capacity, TUMBLE_FORMAT_OBJ), TUMBLE_OK);
    for (size_t i = 0; i + 1 < capacity; i += 2) {
        text[i] = '\\', text[i + 1] = '\n';
    }
    assert_int_equal(try_bytes(io, text, capacity, TUMBLE_FORMAT_OBJ), TUMBLE_OK);
    free(text);
}

/* Lets the n-th allocation fail, for n = 1, 2, ..., until nothing fails any more. Returns how many failed. */
static size_t fail_each(test_io *io, tumble_status (*action)(test_io *io, void *user), void *user)
{
    for (size_t n = 1;; n++) {
        io->memory.calls = 0;
        io->memory.failing_call = n;
        const tumble_status status = action(io, user);
        const int failed = io->memory.calls >= n;
        io->memory.failing_call = 0;
        assert_int_equal(io->memory.live_blocks, io->live_blocks);
        if (!failed) {
            assert_int_equal(status, TUMBLE_OK);
            return n - 1;
        }
        if (status != TUMBLE_OK) { /* success is allowed where less memory does as well */
            assert_int_equal(status, TUMBLE_ERROR_MEMORY);
            assert_int_equal(tumble_last_error(io->context, NULL, 0), TUMBLE_ERROR_MEMORY);
        }
    }
}

typedef struct job {
    const char *path;
    const tumble_mesh *mesh;
    tumble_format format;
    const sample *from;
} job;

static tumble_status read_job(test_io *io, void *user)
{
    const job *todo = user;
    tumble_mesh_buffer *buffer = NULL;
    const tumble_status status = todo->from ? tumble_mesh_read_memory(io->context, todo->from->data, todo->from->size,
                                                                      todo->from->format, &buffer)
                                            : tumble_mesh_read(io->context, todo->path, &buffer);
    assert_int_equal(buffer != NULL, status == TUMBLE_OK);
    tumble_mesh_buffer_destroy(buffer);
    return status;
}

/* A failure leaves no file. */
static tumble_status write_job(test_io *io, void *user)
{
    const job *todo = user;
    const tumble_status status = tumble_mesh_write(io->context, todo->mesh, todo->path, todo->format);
    assert_int_equal(test_io_files(io, 1), status == TUMBLE_OK);
    return status;
}

static void test_memory_of_readers(void **state)
{
    test_io *io = *state;
    for (size_t i = 0; i < SAMPLES; i++) {
        job todo = {.from = &samples[i]};
        assert_true(fail_each(io, read_job, &todo) >= 3);
    }
}

/* Meshes for which all arrays and tables grow. */
static void test_memory_of_files(void **state)
{
    test_io *io = *state;
    static const char *const names[] = {"a.obj", "a.off", "a.ply", "a.stl"};
    test_io_mesh *polygons = test_io_polygons(1, 1000), *triangles = test_io_triangles(1, 1000);
    for (uint32_t i = 0; i < 1000; i++) {
        polygons->surfaces[i] = i;
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        for (int text = 0; text < 2; text++) {
            job todo = {.path = test_io_path(io, names[i])};
            todo.mesh = strstr(names[i], "stl") ? &triangles->mesh : &polygons->mesh;
            todo.format = !text                     ? TUMBLE_FORMAT_AUTO
                          : strstr(names[i], "stl") ? TUMBLE_FORMAT_STL_TEXT
                          : strstr(names[i], "ply") ? TUMBLE_FORMAT_PLY_TEXT
                                                    : TUMBLE_FORMAT_AUTO;
            assert_int_equal(fail_each(io, write_job, &todo), 3);
            assert_int_equal(tumble_mesh_write(io->context, todo.mesh, todo.path, todo.format), TUMBLE_OK);
            assert_true(fail_each(io, read_job, &todo) >= 5);
            test_io_files(io, 1);
        }
    }
    free(polygons);
    free(triangles);
}

static tumble_status load_job(test_io *io, void *user)
{
    const job *todo = user;
    tumble_model *model = NULL;
    const tumble_status status = tumble_model_load(io->context, todo->path, &model);
    assert_int_equal(model != NULL, status == TUMBLE_OK);
    tumble_model_destroy(model);
    return status;
}

static tumble_status save_job(test_io *io, void *user)
{
    const tumble_model *model = user;
    const tumble_status status = tumble_model_save(model, test_io_path(io, "b.tumble"));
    assert_int_equal(test_io_files(io, 1), status == TUMBLE_OK);
    return status;
}

static void test_memory_of_models(void **state)
{
    test_io *io = *state;
    const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1};
    const uint32_t corners[] = {0, 1, 2, 1, 2, 3};
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = points, mesh.point_count = 4;
    mesh.indices = corners, mesh.index_count = 6;
    tumble_model *model = NULL;
    assert_int_equal(tumble_model_create(io->context, &mesh, NULL, &model), TUMBLE_OK);
    const size_t before = io->live_blocks;
    io->live_blocks = io->memory.live_blocks;
    assert_int_equal(fail_each(io, save_job, model), 3);
    job todo = {.path = test_io_path(io, "a.tumble")};
    assert_int_equal(tumble_model_save(model, todo.path), TUMBLE_OK);
    assert_true(fail_each(io, load_job, &todo) >= 1);
    tumble_model_destroy(model);
    io->live_blocks = before;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IO_TEST(test_samples_are_good),
        IO_TEST(test_truncated),
        IO_TEST(test_damaged),
        IO_TEST(test_lies),
        IO_TEST(test_long),
        IO_TEST(test_memory_of_readers),
        IO_TEST(test_memory_of_files),
        IO_TEST(test_memory_of_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
