/* The surface of a set of blocks of a grid.
 *
 * The surface is made layer by layer along the third axis. Points are shared by way of two arrays that hold the numbers
 * of the points of a plane of the grid: the layer's lower and upper side. */
#include <stdlib.h>

#include "build.h"

typedef struct builder {
    models_mesh *mesh;
    const models_blocks *blocks;
    uint32_t *start[3]; /* number of the cell with which each layer of blocks begins; one more entry for the end */
    uint32_t row;       /* points along the first axis */
    uint32_t *numbers[2],
        *levels[2]; /* for each point of even and odd planes: its number, 1 + the plane it was made for */
} builder;

static uint32_t cuts_of(const models_blocks *blocks, int axis, uint32_t layer)
{
    return blocks->cuts[axis] ? blocks->cuts[axis][layer] : 1;
}

/* What a block holds; outside the grid all are empty, except that a ring goes round. */
static uint8_t full_at(const models_blocks *blocks, int64_t i, int64_t j, int64_t k)
{
    const int64_t across = blocks->size[0];
    if (blocks->ring) {
        i = i < 0 ? i + across : i >= across ? i - across : i;
    }
    if (i < 0 || j < 0 || k < 0 || i >= across || j >= blocks->size[1] || k >= blocks->size[2]) {
        return 0;
    }
    return blocks->full[(size_t)i + (size_t)across * ((size_t)j + (size_t)blocks->size[1] * (size_t)k)];
}

static uint32_t point_at(builder *b, uint32_t i, uint32_t j, uint32_t k)
{
    if (b->blocks->ring && i == b->start[0][b->blocks->size[0]]) {
        i = 0;
    }
    const size_t place = i + (size_t)b->row * j;
    if (b->levels[k % 2][place] != k + 1) {
        double point[3];
        b->blocks->place(b->blocks->user, (const uint32_t[3]){i, j, k}, point);
        b->levels[k % 2][place] = k + 1;
        b->numbers[k % 2][place] = models_point(b->mesh, point[0], point[1], point[2]);
    }
    return b->numbers[k % 2][place];
}

/* The face of a cell at `at` across `axis`, looking along the axis or, when `back`, against it. */
static void add_face(builder *b, const uint32_t at[3], int axis, int back)
{
    uint32_t corners[4];
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int k = 0; k < 4; k++) {
        uint32_t corner[3] = {at[0], at[1], at[2]};
        corner[back ? v : u] += k == 1 || k == 2;
        corner[back ? u : v] += k >= 2;
        corners[k] = point_at(b, corner[0], corner[1], corner[2]);
    }
    models_triangle(b->mesh, corners[0], corners[1], corners[2]);
    models_triangle(b->mesh, corners[0], corners[2], corners[3]);
}

/* All cell faces of a block face: those of the plane `at[2]` (axis 2), or those of the layer of cells at `at[2]`. */
static void add_faces(builder *b, uint32_t i, uint32_t j, uint32_t k, int axis, int back)
{
    const uint32_t end_i = axis == 0 ? b->start[0][i] + 1 : b->start[0][i + 1];
    const uint32_t end_j = axis == 1 ? b->start[1][j] + 1 : b->start[1][j + 1];
    for (uint32_t y = b->start[1][j]; y < end_j; y++) {
        for (uint32_t x = b->start[0][i]; x < end_i; x++) {
            add_face(b, (const uint32_t[3]){x, y, k}, axis, back);
        }
    }
}

/* Faces that look along `axis`, between the blocks (i, j, k) and the ones before them, where one is full and one empty.
 * `level` is the plane or layer of cells. */
static void add_boundary(builder *b, int axis, uint32_t k, uint32_t level)
{
    const models_blocks *blocks = b->blocks;
    const uint32_t end_i = blocks->size[0] + (axis == 0 && !blocks->ring), end_j = blocks->size[1] + (axis == 1);
    for (uint32_t j = 0; j < end_j; j++) {
        for (uint32_t i = 0; i < end_i; i++) {
            const uint8_t here = full_at(blocks, i, j, k);
            const uint8_t before =
                full_at(blocks, (int64_t)i - (axis == 0), (int64_t)j - (axis == 1), (int64_t)k - (axis == 2));
            if (!here != !before) {
                b->mesh->surface = (uint32_t)(here ? here : before) - 1;
                add_faces(b, i, j, level, axis, here != 0);
            }
        }
    }
}

static int prepare(builder *b)
{
    const models_blocks *blocks = b->blocks;
    for (int axis = 0; axis < 3; axis++) {
        b->start[axis] = models_allocate(b->mesh, (size_t)blocks->size[axis] + 2, sizeof(uint32_t));
        if (!b->start[axis]) {
            return 0;
        }
        for (uint32_t i = 0; i < blocks->size[axis]; i++) {
            b->start[axis][i + 1] = b->start[axis][i] + cuts_of(blocks, axis, i);
        }
    }
    b->row = b->start[0][blocks->size[0]] + 1;
    const size_t plane = (size_t)b->row * (b->start[1][blocks->size[1]] + 1);
    for (int k = 0; k < 2; k++) {
        b->numbers[k] = models_allocate(b->mesh, plane, sizeof(uint32_t));
        b->levels[k] = models_allocate(b->mesh, plane, sizeof(uint32_t));
    }
    return !b->mesh->failed;
}

void models_build_blocks(models_mesh *mesh, const models_blocks *blocks)
{
    builder b = {.mesh = mesh, .blocks = blocks};
    const uint32_t surface = mesh->surface;
    if (prepare(&b)) {
        for (uint32_t k = 0; k <= blocks->size[2]; k++) {
            add_boundary(&b, 2, k, b.start[2][k]);
            for (uint32_t level = b.start[2][k]; k < blocks->size[2] && level < b.start[2][k + 1]; level++) {
                add_boundary(&b, 0, k, level);
                add_boundary(&b, 1, k, level);
            }
        }
    }
    mesh->surface = surface;
    for (int axis = 0; axis < 3; axis++) {
        free(b.start[axis]);
    }
    for (int k = 0; k < 2; k++) {
        free(b.numbers[k]);
        free(b.levels[k]);
    }
}

double models_count_blocks(const models_blocks *blocks)
{
    double faces = 0;
    for (uint32_t k = 0; k <= blocks->size[2]; k++) {
        for (uint32_t j = 0; j <= blocks->size[1]; j++) {
            for (uint32_t i = 0; i < blocks->size[0] + !blocks->ring; i++) {
                const int here = full_at(blocks, i, j, k) != 0;
                const double cuts[3] = {i < blocks->size[0] ? cuts_of(blocks, 0, i) : 0,
                                        j < blocks->size[1] ? cuts_of(blocks, 1, j) : 0,
                                        k < blocks->size[2] ? cuts_of(blocks, 2, k) : 0};
                faces += (full_at(blocks, (int64_t)i - 1, j, k) != 0) != here ? cuts[1] * cuts[2] : 0;
                faces += (full_at(blocks, i, (int64_t)j - 1, k) != 0) != here ? cuts[0] * cuts[2] : 0;
                faces += (full_at(blocks, i, j, (int64_t)k - 1) != 0) != here ? cuts[0] * cuts[1] : 0;
            }
        }
    }
    return 2 * faces;
}
