/* What the tests of mesh files share: a context whose memory is counted and can run out, and comparisons of meshes. */
#ifndef TUMBLE_TESTS_IO_SUPPORT_H
#define TUMBLE_TESTS_IO_SUPPORT_H

#include "support.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tumble/io.h"

/* Blocks carry their size in front of them. */
typedef struct test_memory {
    size_t live_blocks, live_bytes, peak_bytes;
    size_t calls;
    size_t failing_call; /* this call, counted from 1, and no other fails; 0: none */
} test_memory;

#define TEST_MEMORY_FRONT 64

static inline void *test_allocate(void *user, size_t size, size_t alignment)
{
    test_memory *memory = user;
    assert_true(alignment <= TEST_MEMORY_FRONT);
    if (++memory->calls == memory->failing_call || size > SIZE_MAX - 2 * TEST_MEMORY_FRONT) {
        return NULL;
    }
    const size_t rounded = (size + TEST_MEMORY_FRONT - 1) / TEST_MEMORY_FRONT * TEST_MEMORY_FRONT;
    char *block = aligned_alloc(TEST_MEMORY_FRONT, rounded + TEST_MEMORY_FRONT);
    if (!block) {
        return NULL;
    }
    memcpy(block, &size, sizeof size);
    memory->live_blocks++;
    memory->live_bytes += size;
    memory->peak_bytes = memory->live_bytes > memory->peak_bytes ? memory->live_bytes : memory->peak_bytes;
    return block + TEST_MEMORY_FRONT;
}

static inline void test_release(void *user, void *pointer)
{
    if (pointer) {
        test_memory *memory = user;
        char *block = (char *)pointer - TEST_MEMORY_FRONT;
        size_t size;
        memcpy(&size, block, sizeof size);
        assert_true(memory->live_blocks > 0);
        memory->live_blocks--;
        memory->live_bytes -= size;
        free(block);
    }
}

/* The context of a test, and a folder for its files. */
typedef struct test_io {
    tumble_context *context;
    test_memory memory;
    size_t live_blocks; /* before the test */
    char folder[256];
    char path[320];
} test_io;

static inline int test_io_setup(void **state)
{
    test_io *io = calloc(1, sizeof *io);
    assert_non_null(io);
    tumble_context_options options = tumble_default_context_options();
    options.allocator = (tumble_allocator){&io->memory, test_allocate, test_release};
    options.thread_count = 1;
    assert_int_equal(tumble_context_create(&options, &io->context), TUMBLE_OK);
    io->live_blocks = io->memory.live_blocks;
    const char *temporary = getenv("TMPDIR");
    snprintf(io->folder, sizeof io->folder, "%s/tumble-test-XXXXXX", temporary ? temporary : "/tmp");
    assert_non_null(mkdtemp(io->folder));
    *state = io;
    return 0;
}

/* How many files there are, hidden ones included; with `remove` they are deleted. */
static inline int test_io_files(const test_io *io, int delete)
{
    int count = 0;
    DIR *folder = opendir(io->folder);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            char path[600];
            snprintf(path, sizeof path, "%s/%s", io->folder, entry->d_name);
            count++;
            if (delete) {
                assert_int_equal(remove(path), 0);
            }
        }
    }
    closedir(folder);
    return count;
}

/* Every test ends with a look for blocks that were not given back. */
static inline int test_io_teardown(void **state)
{
    test_io *io = *state;
    assert_int_equal(io->memory.live_blocks, io->live_blocks);
    tumble_context_destroy(io->context);
    assert_int_equal(io->memory.live_blocks, 0);
    test_io_files(io, 1);
    assert_int_equal(rmdir(io->folder), 0);
    free(io);
    return 0;
}

/* The path of a file in the test's folder, valid until the next call. */
static inline const char *test_io_path(test_io *io, const char *name)
{
    snprintf(io->path, sizeof io->path, "%s/%s", io->folder, name);
    return io->path;
}

static inline const char *test_io_message(const test_io *io)
{
    static char text[512];
    tumble_last_error(io->context, text, sizeof text);
    return text;
}

/* Everything that holds for any mesh that was read. */
static inline void test_io_check_mesh(const tumble_mesh *mesh)
{
    assert_null(mesh->points_float);
    size_t corners = mesh->polygon_sizes ? 0 : 3 * mesh->polygon_count;
    for (size_t i = 0; mesh->polygon_sizes && i < mesh->polygon_count; i++) {
        assert_true(mesh->polygon_sizes[i] >= 3);
        corners += mesh->polygon_sizes[i];
    }
    assert_int_equal(corners, mesh->index_count);
    for (size_t i = 0; i < mesh->index_count; i++) {
        assert_true(mesh->indices[i] < mesh->point_count);
    }
    for (size_t i = 0; i < 3 * mesh->point_count; i++) {
        assert_true(isfinite(mesh->points[i]) && !(mesh->points[i] == 0 && signbit(mesh->points[i])));
    }
}

static inline uint32_t test_io_size(const tumble_mesh *mesh, size_t polygon)
{
    return mesh->polygon_sizes ? mesh->polygon_sizes[polygon] : 3;
}

static inline uint32_t test_io_surface(const tumble_mesh *mesh, size_t polygon)
{
    return mesh->surface_ids ? mesh->surface_ids[polygon] : 0;
}

/* To the last bit, but for whether arrays that say nothing are there. */
static inline void test_io_assert_equal(const tumble_mesh *a, const tumble_mesh *b, int with_surfaces)
{
    assert_int_equal(a->point_count, b->point_count);
    assert_int_equal(a->index_count, b->index_count);
    assert_int_equal(a->polygon_count, b->polygon_count);
    if (a->point_count) {
        assert_memory_equal(a->points, b->points, 3 * a->point_count * sizeof(double));
    }
    if (a->index_count) {
        assert_memory_equal(a->indices, b->indices, a->index_count * sizeof(uint32_t));
    }
    for (size_t i = 0; i < a->polygon_count; i++) {
        assert_int_equal(test_io_size(a, i), test_io_size(b, i));
        if (with_surfaces) {
            assert_int_equal(test_io_surface(a, i), test_io_surface(b, i));
        }
    }
}

static inline tumble_mesh_buffer *test_io_read(test_io *io, const void *data, size_t size, tumble_format format)
{
    tumble_mesh_buffer *buffer = NULL;
    const tumble_status status = tumble_mesh_read_memory(io->context, data, size, format, &buffer);
    if (status != TUMBLE_OK) {
        fail_msg("%s: %s", tumble_status_name(status), test_io_message(io));
    }
    assert_non_null(buffer);
    test_io_check_mesh(tumble_mesh_buffer_mesh(buffer));
    return buffer;
}

/* A test with a context and a folder of its own; the teardown looks for memory that was not given back. */
#define IO_TEST(test) cmocka_unit_test_setup_teardown(test, test_io_setup, test_io_teardown)

/* Polygons of many sizes and surfaces, and numbers of all magnitudes, all different. */
typedef struct test_io_mesh {
    double points[3 * 2000];
    float points_float[3 * 2000];
    uint32_t indices[20000], sizes[1000], surfaces[1000];
    tumble_mesh mesh;
} test_io_mesh;

static inline double test_io_coordinate(test_random *random)
{
    const uint64_t bits = test_random_bits(random);
    double value;
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) && value != 0 ? value : 0.5;
}

static inline test_io_mesh *test_io_polygons(uint64_t seed, size_t polygons)
{
    test_random random = {seed};
    test_io_mesh *made = calloc(1, sizeof *made);
    assert_non_null(made);
    const size_t points = 2000;
    for (size_t i = 0; i < 3 * points; i++) {
        made->points[i] = i % 3 == 0   ? (double)i
                          : i % 3 == 1 ? test_io_coordinate(&random)
                                       : test_random_range(&random, -1, 1);
    }
    size_t corners = 0;
    for (size_t i = 0; i < polygons; i++) {
        made->sizes[i] = i == 7 ? 300 : (uint32_t)test_random_whole(&random, 3, 9);
        made->surfaces[i] = i < 5 ? (uint32_t)i : (uint32_t)test_random_whole(&random, 0, 4);
        for (uint32_t j = 0; j < made->sizes[i]; j++) {
            made->indices[corners++] = (uint32_t)test_random_whole(&random, 0, (int)points - 1);
        }
    }
    made->mesh = tumble_default_mesh();
    made->mesh.points = made->points;
    made->mesh.point_count = points;
    made->mesh.indices = made->indices;
    made->mesh.index_count = corners;
    made->mesh.polygon_sizes = made->sizes;
    made->mesh.polygon_count = polygons;
    made->mesh.surface_ids = made->surfaces;
    return made;
}

/* Triangles with float coordinates, whose corners use the points in the order of the points. */
static inline test_io_mesh *test_io_triangles(uint64_t seed, size_t triangles)
{
    test_random random = {seed};
    test_io_mesh *made = calloc(1, sizeof *made);
    assert_non_null(made);
    size_t points = 0;
    for (size_t i = 0; i < 3 * triangles; i++) {
        if (points == 0 || test_random_chance(&random, 0.5)) {
            for (int k = 0; k < 3; k++) {
                const uint32_t bits = (uint32_t)test_random_bits(&random);
                float value;
                memcpy(&value, &bits, sizeof value);
                value = k == 0 ? (float)points : isfinite(value) && value != 0 ? value : 1;
                made->points_float[3 * points + (size_t)k] = value;
                made->points[3 * points + (size_t)k] = value;
            }
            made->indices[i] = (uint32_t)points++;
        } else {
            made->indices[i] = (uint32_t)test_random_whole(&random, 0, (int)points - 1);
        }
    }
    made->mesh = tumble_default_mesh();
    made->mesh.points = made->points;
    made->mesh.point_count = points;
    made->mesh.indices = made->indices;
    made->mesh.index_count = 3 * triangles;
    made->mesh.polygon_count = triangles;
    return made;
}

#endif
