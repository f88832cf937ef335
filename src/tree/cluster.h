/* Leaf blocks: the geometry of every model. A cluster holds up to 8 neighbouring triangles and their distinct corners,
 * each once, so that a pair of clusters can be tested from a few cache lines with register permutes. There is no other
 * array of points or indices.
 *
 * A cluster's data are three words and then the x of all its corners, their y, their z, as float or double. Corner k of
 * its triangle t is number (words[k] >> 4 t) & 15. */
#ifndef TUMBLE_SRC_TREE_CLUSTER_H
#define TUMBLE_SRC_TREE_CLUSTER_H

#include <stddef.h>
#include <stdint.h>

#include "base/assert.h"

/* The most triangles of a model: addresses (less than twice as many) and node numbers (less than four times as many)
 * then fit into 30 bits. */
#define TMB_MOST_TRIANGLES ((size_t)1 << 28)

#define TMB_CLUSTER_TRIANGLES 8
#define TMB_CLUSTER_CORNERS 16

/* Where a cluster lies. One more than there are clusters, so that the size of its data follows from its successor; the
 * last one has no triangles. */
typedef struct tmb_cluster_place {
    uint32_t offset;    /* of its data in the section, in units of 4 bytes */
    uint32_t triangles; /* 16 times the number of its first triangle, plus how many it has */
} tmb_cluster_place;

/* Words in front of the coordinates, which are aligned. */
#define TMB_CLUSTER_HEAD_FLOAT 3
#define TMB_CLUSTER_HEAD_DOUBLE 4

/* Bytes after the last cluster that may be read, so that 16 coordinates can always be loaded. */
#define TMB_CLUSTER_SLACK 128

/* Units of 4 bytes that a cluster takes. */
static inline uint32_t tmb_cluster_units(uint32_t corner_count, int is_float)
{
    TMB_ASSERT(corner_count <= TMB_CLUSTER_CORNERS);
    return is_float ? TMB_CLUSTER_HEAD_FLOAT + 3 * corner_count : TMB_CLUSTER_HEAD_DOUBLE + 6 * corner_count;
}

static inline uint32_t tmb_cluster_corner_count(const tmb_cluster_place *place, int is_float)
{
    const uint32_t units = place[1].offset - place[0].offset;
    return is_float ? (units - TMB_CLUSTER_HEAD_FLOAT) / 3 : (units - TMB_CLUSTER_HEAD_DOUBLE) / 6;
}

/* Corners of all clusters, counted in one sequence: where those of a cluster start, and the resulting offset. */
static inline uint32_t tmb_cluster_first_corner(const tmb_cluster_place *places, size_t cluster, int is_float)
{
    const uint32_t head = is_float ? TMB_CLUSTER_HEAD_FLOAT : TMB_CLUSTER_HEAD_DOUBLE;
    return (places[cluster].offset - (uint32_t)cluster * head) / (is_float ? 3 : 6);
}

static inline uint64_t tmb_cluster_offset(size_t cluster, uint32_t first_corner, int is_float)
{
    return is_float ? TMB_CLUSTER_HEAD_FLOAT * (uint64_t)cluster + 3 * (uint64_t)first_corner
                    : TMB_CLUSTER_HEAD_DOUBLE * (uint64_t)cluster + 6 * (uint64_t)first_corner;
}

static inline uint32_t tmb_cluster_triangle_count(const tmb_cluster_place *place)
{
    return place->triangles & 15;
}

/* Its number, not its address. */
static inline uint32_t tmb_cluster_first_triangle(const tmb_cluster_place *place)
{
    return place->triangles >> 4;
}

static inline uint32_t tmb_cluster_triangles(uint32_t first, uint32_t count)
{
    TMB_ASSERT(count <= TMB_CLUSTER_TRIANGLES);
    TMB_ASSERT(first < 1u << 28);
    return first << 4 | count;
}

/* Triangles are addressed by cluster and slot within it. */
static inline uint32_t tmb_triangle_address(uint32_t cluster, uint32_t slot)
{
    TMB_ASSERT(slot < TMB_CLUSTER_TRIANGLES);
    TMB_ASSERT(cluster <= UINT32_MAX / TMB_CLUSTER_TRIANGLES);
    return cluster * TMB_CLUSTER_TRIANGLES + slot;
}

/* A triangle's corners, in double and in the order of the mesh. */
static inline void tmb_cluster_triangle(const tmb_cluster_place *places, const uint32_t *clusters, int is_float,
                                        uint32_t address, double corners[3][3])
{
    TMB_ASSERT(address % TMB_CLUSTER_TRIANGLES < tmb_cluster_triangle_count(places + address / TMB_CLUSTER_TRIANGLES));
    const tmb_cluster_place *place = places + address / TMB_CLUSTER_TRIANGLES;
    const uint32_t *words = clusters + place->offset;
    const uint32_t shift = 4 * (address % TMB_CLUSTER_TRIANGLES);
    const uint32_t count = tmb_cluster_corner_count(place, is_float);
    for (int i = 0; i < 3; i++) {
        const uint32_t corner = (words[i] >> shift) & (TMB_CLUSTER_CORNERS - 1);
        if (is_float) {
            const float *x = (const float *)(words + TMB_CLUSTER_HEAD_FLOAT) + corner;
            corners[i][0] = x[0], corners[i][1] = x[count], corners[i][2] = x[2 * count];
        } else {
            const double *x = (const double *)(words + TMB_CLUSTER_HEAD_DOUBLE) + corner;
            corners[i][0] = x[0], corners[i][1] = x[count], corners[i][2] = x[2 * count];
        }
    }
}

/* A cluster under construction: numbers of the mesh's points instead of coordinates. */
typedef struct tmb_cluster_draft {
    uint32_t words[3];
    uint32_t triangle_count, corner_count;
    uint32_t points[TMB_CLUSTER_CORNERS];
} tmb_cluster_draft;

/* Adds a triangle by its three points; returns 0, changing nothing, if it does not fit. */
static inline int tmb_cluster_add(tmb_cluster_draft *draft, const uint32_t triangle[3])
{
    TMB_ASSERT(draft->triangle_count <= TMB_CLUSTER_TRIANGLES);
    TMB_ASSERT(draft->corner_count <= TMB_CLUSTER_CORNERS);
    uint32_t numbers[3], count = draft->corner_count;
    if (draft->triangle_count == TMB_CLUSTER_TRIANGLES) {
        return 0;
    }
    for (int k = 0; k < 3; k++) {
        uint32_t i = 0;
        while (i < count && draft->points[i] != triangle[k]) {
            i++;
        }
        if (i == TMB_CLUSTER_CORNERS) {
            return 0;
        }
        draft->points[i] = triangle[k];
        count += i == count;
        numbers[k] = i;
    }
    for (int k = 0; k < 3; k++) {
        draft->words[k] |= numbers[k] << 4 * draft->triangle_count;
    }
    draft->corner_count = count;
    draft->triangle_count++;
    return 1;
}

/* A triangle's address follows its predecessor's, in the next cluster where theirs ends. */
static inline uint32_t tmb_next_triangle(const tmb_cluster_place *places, uint32_t address)
{
    const tmb_cluster_place *place = places + address / TMB_CLUSTER_TRIANGLES;
    const uint32_t next = address + 1;
    return next % TMB_CLUSTER_TRIANGLES && next % TMB_CLUSTER_TRIANGLES < tmb_cluster_triangle_count(place)
               ? next
               : (address / TMB_CLUSTER_TRIANGLES + 1) * TMB_CLUSTER_TRIANGLES;
}

#endif
