/* The flat block: layout, checksum, and validation of loaded blocks. */
#include "tree/block.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "tree/hierarchy.h"
#include "tree/radius.h"

/* ---- Layout ---- */

uint64_t tmb_block_node_bytes(const tmb_block *block)
{
    const tmb_hierarchy *hierarchy = tmb_hierarchy_of(block);
    return hierarchy->node_bytes ? hierarchy->node_bytes(block) : 0;
}

uint64_t tmb_block_corner_count(const tmb_block *block)
{
    const uint64_t head = block->points_are_float ? TMB_CLUSTER_HEAD_FLOAT : TMB_CLUSTER_HEAD_DOUBLE;
    return (block->cluster_units - head * block->cluster_count) / (block->points_are_float ? 3 : 6);
}

/* Appends a section of count * size bytes on a cache line; 0 on overflow. */
static int append_section(tmb_block *block, tmb_section section, uint64_t count, uint64_t size)
{
    TMB_ASSERT(size > 0);
    TMB_ASSERT(block->offsets[section] == 0);
    TMB_ASSERT(block->total_bytes % TMB_CACHE_LINE == 0);
    uint64_t bytes, end;
    if (count == 0) {
        return 1;
    }
    block->offsets[section] = block->total_bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || __builtin_add_overflow(block->total_bytes, bytes, &end) ||
        end > SIZE_MAX - TMB_CACHE_LINE) {
        return 0;
    }
    block->total_bytes = (end + TMB_CACHE_LINE - 1) / TMB_CACHE_LINE * TMB_CACHE_LINE;
    return 1;
}

uint64_t tmb_block_polygon_bytes(const tmb_block *block)
{
    return block->triangle_count ? tmb_packed_bytes(block->polygon_limit) * block->triangle_count + TMB_PACKED_SLACK
                                 : 0;
}

int tmb_block_layout(tmb_block *block, int has_polygons, int has_surfaces, int has_points)
{
    memset(block->offsets, 0, sizeof block->offsets);
    block->total_bytes = sizeof *block;
    const uint64_t units = block->cluster_count ? block->cluster_units + TMB_CLUSTER_SLACK / sizeof(uint32_t) : 0;
    const uint64_t places = block->cluster_count ? block->cluster_count + 1 : 0;
    return append_section(block, TMB_SECTION_CLUSTERS, units, sizeof(uint32_t)) &&
           append_section(block, TMB_SECTION_PLACES, places, sizeof(tmb_cluster_place)) &&
           append_section(block, TMB_SECTION_POLYGONS, has_polygons ? tmb_block_polygon_bytes(block) : 0, 1) &&
           append_section(block, TMB_SECTION_SURFACES, has_surfaces ? block->polygon_limit : 0, sizeof(uint32_t)) &&
           append_section(block, TMB_SECTION_NODES, tmb_block_node_bytes(block), 1) &&
           append_section(block, TMB_SECTION_POINTS, has_points ? tmb_block_corner_count(block) : 0, sizeof(uint32_t));
}

void tmb_block_clear_ends(tmb_block *block)
{
    TMB_ASSERT(block->total_bytes >= sizeof *block);
    uint64_t end = block->total_bytes;
    for (int section = TMB_SECTION_COUNT - 1; section >= 0; section--) {
        const size_t slack = section == TMB_SECTION_CLUSTERS   ? TMB_CLUSTER_SLACK
                             : section == TMB_SECTION_POLYGONS ? TMB_PACKED_SLACK
                                                               : 0;
        const size_t bytes = TMB_CACHE_LINE + slack;
        if (block->offsets[section]) {
            memset((char *)block + end - bytes, 0, bytes);
            end = block->offsets[section];
        }
    }
}

/* ---- Checksum ---- */

static uint64_t rotate(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

/* Four independent chains of multiply and rotate, so that it runs at the speed of memory. A block is a whole number of
 * cache lines. */
uint64_t tmb_block_checksum(const tmb_block *block)
{
    TMB_ASSERT(block->total_bytes % TMB_CACHE_LINE == 0);
    TMB_ASSERT(((uintptr_t)block & 7) == 0);
    const size_t start = offsetof(tmb_block, checksum) + sizeof block->checksum;
    const unsigned char *bytes = (const unsigned char *)block + start,
                        *end = (const unsigned char *)block + block->total_bytes;
    uint64_t chains[4] = {0x9e3779b97f4a7c15u, 0xbf58476d1ce4e5b9u, 0x94d049bb133111ebu, 0xd6e8feb86659fd93u};
    for (; bytes + 32 <= end; bytes += 32) {
        for (int i = 0; i < 4; i++) {
            uint64_t word;
            memcpy(&word, bytes + 8 * i, sizeof word);
            chains[i] = rotate((chains[i] ^ word) * 0xff51afd7ed558ccdu, 29);
        }
    }
    uint64_t sum = block->total_bytes;
    for (int i = 0; i < 4; i++) {
        sum = rotate((sum ^ chains[i]) * 0xc4ceb9fe1a85ec53u, 31);
    }
    return sum ^ sum >> 33;
}

/* ---- Check ---- */

static tumble_status damaged(tumble_context *context, const char *what)
{
    return tmb_fail(context, TUMBLE_ERROR_FORMAT, "not a valid model: %s", what);
}

static tumble_status check_header(tumble_context *context, const tmb_block *block, size_t size)
{
    if (size < sizeof *block) {
        return tmb_fail(context, TUMBLE_ERROR_FORMAT, "not a valid model: %zu bytes are less than its header", size);
    }
    if (memcmp(block->magic, TMB_BLOCK_MAGIC, sizeof block->magic) != 0) {
        return damaged(context, "it does not start like one (or line ends were converted on the way)");
    }
    if (block->endian != TMB_BLOCK_ENDIAN) {
        return damaged(context, "it was saved on a machine with another byte order; build it again here");
    }
    if (block->version != TMB_BLOCK_VERSION && block->version != TMB_BLOCK_VERSION_THICK) {
        return tmb_fail(context, TUMBLE_ERROR_FORMAT,
                        "a model of format version %u, this library reads versions %u and %u; build it again",
                        block->version, TMB_BLOCK_VERSION, TMB_BLOCK_VERSION_THICK);
    }
    if (block->total_bytes != size) {
        return tmb_fail(context, TUMBLE_ERROR_FORMAT, "not a valid model: it has %zu bytes but should have %llu", size,
                        (unsigned long long)block->total_bytes);
    }
    if (size % TMB_CACHE_LINE != 0 || block->checksum != tmb_block_checksum(block)) {
        return damaged(context, "its checksum is wrong");
    }
    return TUMBLE_OK;
}

static int good_bounds(const tmb_block *block)
{
    for (int k = 0; k < 3; k++) {
        if (!isfinite(block->lower[k]) || !isfinite(block->upper[k]) || block->lower[k] > block->upper[k] ||
            (block->triangle_count == 0 && (block->lower[k] != 0 || block->upper[k] != 0))) {
            return 0;
        }
    }
    return 1;
}

/* What the counts of the hierarchy must be. */
static int good_node_count(const tmb_block *block)
{
    const tmb_hierarchy *hierarchy = tmb_hierarchy_of(block);
    return hierarchy->has_good_counts ? hierarchy->has_good_counts(block) : block->node_count == 0 && block->depth == 0;
}

/* Only where polygons can be removed, their numbers can have gaps. */
static int good_polygon_counts(const tmb_block *block)
{
    return (block->polygon_count > 0) == (block->triangle_count > 0) && block->polygon_count <= block->triangle_count &&
           block->polygon_limit >= block->polygon_count && block->polygon_limit < UINT32_MAX &&
           (block->edited || block->polygon_limit == block->polygon_count);
}

/* Each cluster has a triangle and a corner at least; 32 bits count their units and the addresses of triangles. */
static int good_counts(const tmb_block *block)
{
    const uint64_t head = block->points_are_float ? TMB_CLUSTER_HEAD_FLOAT : TMB_CLUSTER_HEAD_DOUBLE;
    if (block->triangle_count > TMB_MOST_TRIANGLES || block->cluster_count > block->triangle_count ||
        block->cluster_units > UINT32_MAX || !good_polygon_counts(block) || block->point_count > block->point_limit ||
        block->point_limit > UINT32_MAX || block->cluster_units < head * block->cluster_count) {
        return 0;
    }
    return (block->triangle_count > 0) == (block->cluster_count > 0) &&
           (block->triangle_count > 0) == (block->point_count > 0) &&
           (block->triangle_count > 0) == (block->cluster_units > 0) &&
           block->point_count <= tmb_block_corner_count(block);
}

/* The sections must lie where the counts put them: then no section leaves the block. */
static tumble_status check_sections(tumble_context *context, const tmb_block *block)
{
    tmb_block expected = *block;
    if (block->hierarchy == TUMBLE_HIERARCHY_AUTO || !tmb_hierarchy_numbered(block->hierarchy) ||
        block->points_are_float > 1 || block->edited > 1) {
        return damaged(context, "unknown kind of hierarchy");
    }
    if (!good_counts(block) || !good_node_count(block)) {
        return damaged(context, "a count is out of range");
    }
    if (!good_bounds(block)) {
        return damaged(context, "its bounds are not valid");
    }
    if (!tmb_block_layout(&expected, block->offsets[TMB_SECTION_POLYGONS] != 0,
                          block->offsets[TMB_SECTION_SURFACES] != 0,
                          block->offsets[TMB_SECTION_POINTS] != 0 && tmb_block_has_large_polygons(block)) ||
        memcmp(expected.offsets, block->offsets, sizeof expected.offsets) != 0 ||
        expected.total_bytes + tmb_block_radius_bytes(block) != block->total_bytes) {
        return damaged(context, "its sections are not where they should be");
    }
    if (block->version == TMB_BLOCK_VERSION_THICK &&
        (!tmb_block_radius_bytes(block) || !tmb_block_has_good_radii(block))) {
        return damaged(context, "its radii are not valid");
    }
    if (!block->offsets[TMB_SECTION_POLYGONS] && block->triangle_count > 0 &&
        (block->polygon_count != block->triangle_count || block->polygon_limit != block->triangle_count)) {
        return damaged(context, "the triangles' polygons are missing");
    }
    return TUMBLE_OK;
}

/* ---- Check of the geometry ---- */

/* Whether a cluster's data end where those of the next one start, and both have sizes that a cluster can have. */
static int good_place(const tmb_cluster_place *place, int is_float)
{
    if (place[1].offset < place[0].offset) {
        return 0;
    }
    const uint32_t corners = tmb_cluster_corner_count(place, is_float), triangles = tmb_cluster_triangle_count(place);
    return triangles >= 1 && triangles <= TMB_CLUSTER_TRIANGLES && corners >= 1 && corners <= TMB_CLUSTER_CORNERS &&
           corners <= 3 * triangles && place[1].offset - place[0].offset == tmb_cluster_units(corners, is_float);
}

/* Whether a word refers to existing corners, and is 0 for absent triangles. */
static int good_word(uint32_t word, uint32_t triangle_count, uint32_t corner_count)
{
    TMB_ASSERT(corner_count <= TMB_CLUSTER_CORNERS);
    int good = 1;
    for (uint32_t t = 0; t < TMB_CLUSTER_TRIANGLES; t++) {
        good &= ((word >> 4 * t) & (TMB_CLUSTER_CORNERS - 1)) < (t < triangle_count ? corner_count : 1);
    }
    return good;
}

typedef struct bounds_seen {
    double lower[3], upper[3];
} bounds_seen;

/* Coordinates along an axis; widens the bounds of those seen so far. */
static int good_row(const tmb_block *block, uint32_t axis, const uint32_t *words, uint32_t corner_count,
                    bounds_seen *seen)
{
    const float *floats = (const float *)(words + TMB_CLUSTER_HEAD_FLOAT) + axis * corner_count;
    const double *doubles = (const double *)(words + TMB_CLUSTER_HEAD_DOUBLE) + axis * corner_count;
    double low = seen->lower[axis], high = seen->upper[axis];
    int good = 1;
    for (uint32_t i = 0; i < corner_count; i++) {
        const double x = block->points_are_float ? (double)floats[i] : doubles[i];
        good &= x >= block->lower[axis] && x <= block->upper[axis]; /* which are finite */
        low = x < low ? x : low;
        high = x > high ? x : high;
    }
    seen->lower[axis] = low;
    seen->upper[axis] = high;
    return good;
}

static int good_coordinates(const tmb_block *block, const uint32_t *words, uint32_t corner_count, bounds_seen *seen)
{
    return good_row(block, 0, words, corner_count, seen) & good_row(block, 1, words, corner_count, seen) &
           good_row(block, 2, words, corner_count, seen);
}

/* Answers depend on bounds, so they must not be larger than they need to be. */
static int attains_bounds(const tmb_block *block, const bounds_seen *seen)
{
    int attained = 1;
    for (int k = 0; k < 3; k++) {
        attained &= seen->lower[k] == block->lower[k] && seen->upper[k] == block->upper[k];
    }
    return attained;
}

static tumble_status bad_cluster(tumble_context *context, uint64_t cluster, const char *what)
{
    return tmb_fail(context, TUMBLE_ERROR_FORMAT, "not a valid model: cluster %llu %s", (unsigned long long)cluster,
                    what);
}

static tumble_status check_cluster(tumble_context *context, const tmb_block *block, uint64_t cluster,
                                   const tmb_cluster_place *place, const uint32_t *words, bounds_seen *seen)
{
    const int is_float = (int)block->points_are_float;
    const uint32_t corners = tmb_cluster_corner_count(place, is_float), triangles = tmb_cluster_triangle_count(place);
    for (int k = 0; k < 3; k++) {
        if (!good_word(words[k], triangles, corners)) {
            return bad_cluster(context, cluster, "refers to a corner that does not exist");
        }
    }
    if (!is_float && words[3] != 0) {
        return bad_cluster(context, cluster, "has no valid start");
    }
    if (!good_coordinates(block, words, corners, seen)) {
        return bad_cluster(context, cluster, "has a corner outside the bounds");
    }
    return TUMBLE_OK;
}

static tumble_status check_clusters(tumble_context *context, const tmb_block *block)
{
    const uint32_t *clusters = (const uint32_t *)((const char *)block + block->offsets[TMB_SECTION_CLUSTERS]);
    const tmb_cluster_place *places =
        (const tmb_cluster_place *)((const char *)block + block->offsets[TMB_SECTION_PLACES]);
    const uint64_t count = block->cluster_count;
    if (places[0].offset != 0 || places[count].offset != block->cluster_units || places[count].triangles != 0) {
        return damaged(context, "its clusters do not end where they should");
    }
    bounds_seen seen = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    uint32_t first = 0;
    for (uint64_t i = 0; i < count; i++) {
        /* offsets only grow, so the first one beyond the end is met here, before anything is read there */
        if (!good_place(places + i, (int)block->points_are_float) || places[i + 1].offset > block->cluster_units ||
            tmb_cluster_first_triangle(places + i) != first) {
            return bad_cluster(context, i, "has no valid size");
        }
        first += tmb_cluster_triangle_count(places + i);
        const tumble_status status = check_cluster(context, block, i, places + i, clusters + places[i].offset, &seen);
        if (status != TUMBLE_OK) {
            return status;
        }
    }
    if (first != block->triangle_count) {
        return damaged(context, "its clusters do not hold all triangles");
    }
    if (!attains_bounds(block, &seen)) {
        return damaged(context, "its bounds are larger than its triangles; build it again");
    }
    for (uint32_t i = 0; i < TMB_CLUSTER_SLACK / sizeof *clusters; i++) {
        if (clusters[block->cluster_units + i] != 0) {
            return damaged(context, "there is data after its last cluster");
        }
    }
    return TUMBLE_OK;
}

static tumble_status check_polygons(tumble_context *context, const tmb_block *block)
{
    const uint8_t *polygons = (const uint8_t *)block + block->offsets[TMB_SECTION_POLYGONS];
    const uint32_t bytes = tmb_packed_bytes(block->polygon_limit);
    for (uint64_t i = 0; i < block->triangle_count; i++) {
        if (tmb_packed_number(polygons, bytes, (size_t)i) >= block->polygon_limit) {
            return damaged(context, "a triangle belongs to a polygon that does not exist");
        }
    }
    return TUMBLE_OK;
}

static tumble_status check_numbers(tumble_context *context, const tmb_block *block, tmb_section section, uint64_t count,
                                   uint64_t limit, const char *what)
{
    const uint32_t *numbers = (const uint32_t *)((const char *)block + block->offsets[section]);
    for (uint64_t i = 0; i < count; i++) {
        if (numbers[i] >= limit) {
            return damaged(context, what);
        }
    }
    return TUMBLE_OK;
}

tumble_status tmb_block_check(tumble_context *context, const tmb_block *block, size_t size)
{
    tumble_status status = check_header(context, block, size);
    if (status == TUMBLE_OK) {
        status = check_sections(context, block);
    }
    if (status == TUMBLE_OK && block->cluster_count) {
        status = check_clusters(context, block);
    }
    if (status == TUMBLE_OK && block->offsets[TMB_SECTION_POLYGONS]) {
        status = check_polygons(context, block);
    }
    if (status == TUMBLE_OK && block->offsets[TMB_SECTION_POINTS]) {
        status = check_numbers(context, block, TMB_SECTION_POINTS, tmb_block_corner_count(block), block->point_limit,
                               "a corner belongs to a point that does not exist");
    }
    if (status == TUMBLE_OK && !tmb_block_has_good_ends(block)) {
        status = damaged(context, "a cylinder's axis is no segment");
    }
    if (status == TUMBLE_OK && block->triangle_count && tmb_hierarchy_of(block)->validate) {
        const void *nodes = (const char *)block + block->offsets[TMB_SECTION_NODES];
        status = tmb_hierarchy_of(block)->validate(context, block, nodes);
    }
    return status;
}
