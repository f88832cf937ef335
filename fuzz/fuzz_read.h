/* What the fuzzers of the mesh readers share. The data are read as one format; what comes out must be an error with a
 * message, or a mesh in which every count and index is right and no two points are equal. Memory must be given back,
 * and must be no more than a fixed multiple of the data, whatever counts the data announce. */
#ifndef TUMBLE_FUZZ_READ_H
#define TUMBLE_FUZZ_READ_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tumble/io.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_FRONT 64

typedef struct fuzz_memory {
    size_t live_bytes, most_bytes;
} fuzz_memory;

static void fuzz_require(int condition)
{
    if (!condition) {
        abort();
    }
}

static void *fuzz_allocate(void *user, size_t size, size_t alignment)
{
    fuzz_memory *memory = user;
    (void)alignment;
    memory->live_bytes += size;
    fuzz_require(memory->live_bytes <= memory->most_bytes);
    char *block = aligned_alloc(FUZZ_FRONT, (size + 2 * FUZZ_FRONT - 1) / FUZZ_FRONT * FUZZ_FRONT);
    fuzz_require(block != NULL);
    memcpy(block, &size, sizeof size);
    return block + FUZZ_FRONT;
}

static void fuzz_release(void *user, void *pointer)
{
    if (pointer) {
        fuzz_memory *memory = user;
        char *block = (char *)pointer - FUZZ_FRONT;
        size_t size;
        memcpy(&size, block, sizeof size);
        memory->live_bytes -= size;
        free(block);
    }
}

static int fuzz_compare(const void *a, const void *b)
{
    const double *p = a, *q = b;
    for (int i = 0; i < 3; i++) {
        if (p[i] != q[i]) {
            return p[i] < q[i] ? -1 : 1;
        }
    }
    return 0;
}

static void fuzz_check_points(const tumble_mesh *mesh)
{
    for (size_t i = 0; i < 3 * mesh->point_count; i++) {
        fuzz_require(isfinite(mesh->points[i]));
    }
    if (mesh->point_count) {
        double *sorted = malloc(3 * mesh->point_count * sizeof *sorted);
        fuzz_require(sorted != NULL);
        memcpy(sorted, mesh->points, 3 * mesh->point_count * sizeof *sorted);
        qsort(sorted, mesh->point_count, 3 * sizeof *sorted, fuzz_compare);
        for (size_t i = 1; i < mesh->point_count; i++) {
            fuzz_require(fuzz_compare(sorted + 3 * i - 3, sorted + 3 * i) < 0);
        }
        free(sorted);
    }
}

static void fuzz_check_mesh(const tumble_mesh *mesh)
{
    size_t corners = mesh->polygon_sizes ? 0 : 3 * mesh->polygon_count;
    for (size_t i = 0; mesh->polygon_sizes && i < mesh->polygon_count; i++) {
        fuzz_require(mesh->polygon_sizes[i] >= 3);
        corners += mesh->polygon_sizes[i];
    }
    fuzz_require(corners == mesh->index_count);
    for (size_t i = 0; i < mesh->index_count; i++) {
        fuzz_require(mesh->indices[i] < mesh->point_count);
    }
    for (size_t i = 0; mesh->surface_ids && i < mesh->polygon_count; i++) {
        fuzz_require(mesh->surface_ids[i] < mesh->polygon_count);
    }
    fuzz_check_points(mesh);
}

/* Names end where they say, and parts are numbered in the order of their first polygons; those of a crease are pieces
 * of those without. */
static void fuzz_check_surfaces(tumble_context *context, const tumble_mesh_buffer *buffer)
{
    const tumble_mesh *mesh = tumble_mesh_buffer_mesh(buffer);
    char name[8];
    for (uint32_t i = 0; i < 20; i++) {
        const size_t length = tumble_mesh_buffer_surface_name(buffer, i, name, sizeof name);
        const size_t copied = length < sizeof name ? length : sizeof name - 1;
        fuzz_require(name[copied] == '\0' && strlen(name) <= copied); /* less where the name has a 0 */
    }
    const size_t count = mesh->polygon_count;
    uint32_t *whole = malloc((count + 1) * sizeof *whole), *pieces = malloc((count + 1) * sizeof *pieces);
    uint32_t *owners = malloc((count + 1) * sizeof *owners), whole_count, piece_count, next = 0;
    fuzz_require(whole && pieces && owners);
    fuzz_require(tumble_mesh_components(context, mesh, 180, whole, &whole_count) == TUMBLE_OK);
    fuzz_require(tumble_mesh_components(context, mesh, 40, pieces, &piece_count) == TUMBLE_OK);
    for (size_t i = 0; i < count; i++) {
        fuzz_require(whole[i] < whole_count && pieces[i] <= next);
        if (pieces[i] == next) {
            owners[next++] = whole[i];
        }
        fuzz_require(owners[pieces[i]] == whole[i]);
    }
    fuzz_require(next == piece_count && whole_count <= piece_count);
    free(whole);
    free(pieces);
    free(owners);
}

static int fuzz_read(const uint8_t *data, size_t size, tumble_format format)
{
    fuzz_memory memory = {0, 100000 + 100 * size};
    tumble_context_options options = tumble_default_context_options();
    options.allocator = (tumble_allocator){&memory, fuzz_allocate, fuzz_release};
    tumble_context *context = NULL;
    fuzz_require(tumble_context_create(&options, &context) == TUMBLE_OK);
    tumble_mesh_buffer *buffer = NULL;
    const tumble_status status = tumble_mesh_read_memory(context, data, size, format, &buffer);
    if (status == TUMBLE_OK) {
        fuzz_check_mesh(tumble_mesh_buffer_mesh(buffer));
        memory.most_bytes = SIZE_MAX; /* that was for reading */
        fuzz_check_surfaces(context, buffer);
    } else {
        char text[16] = "";
        fuzz_require(buffer == NULL && tumble_last_error(context, text, sizeof text) == status && text[0] != '\0');
    }
    tumble_mesh_buffer_destroy(buffer);
    tumble_context_destroy(context);
    fuzz_require(memory.live_bytes == 0);
    return 0;
}

#endif
