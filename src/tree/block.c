/* The flat block: layout, checksum, and the check of blocks that come from outside. */
#include "tree/block.h"

#include <math.h>
#include <string.h>

#include "tree/boxtree.h"

/* ---- Layout ---- */

uint64_t tmb_block_node_bytes(const tmb_block *block)
{
    if (block->hierarchy != TUMBLE_HIERARCHY_BOXTREE) {
        return 0;
    }
    const uint64_t one =
        block->boxtree.layout == TUMBLE_BOXTREE_ONE_PLANE ? sizeof(tmb_node_one) : sizeof(tmb_node_two);
    return one * block->boxtree.slot_count;
}

/* Appends a section of count * size bytes on a cache line; 0 on overflow. */
static int append_section(tmb_block *block, tmb_section section, uint64_t count, uint64_t size)
{
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

int tmb_block_layout(tmb_block *block, int has_polygons, int has_surfaces)
{
    memset(block->offsets, 0, sizeof block->offsets);
    block->total_bytes = sizeof *block;
    const uint64_t coordinate = block->points_are_float ? sizeof(float) : sizeof(double);
    return append_section(block, TMB_SECTION_POINTS, block->point_count, 3 * coordinate) &&
           append_section(block, TMB_SECTION_TRIANGLES, block->triangle_count, 3 * sizeof(uint32_t)) &&
           append_section(block, TMB_SECTION_POLYGONS, has_polygons ? block->triangle_count : 0, sizeof(uint32_t)) &&
           append_section(block, TMB_SECTION_SURFACES, has_surfaces ? block->polygon_count : 0, sizeof(uint32_t)) &&
           append_section(block, TMB_SECTION_NODES, tmb_block_node_bytes(block), 1);
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
        return damaged(context, "it was saved on a machine with another byte order; build it here again");
    }
    if (block->version != TMB_BLOCK_VERSION) {
        return tmb_fail(context, TUMBLE_ERROR_FORMAT,
                        "a model of format version %u, this library reads version %u; build it again", block->version,
                        TMB_BLOCK_VERSION);
    }
    if (block->total_bytes != size) {
        return tmb_fail(context, TUMBLE_ERROR_FORMAT, "not a valid model: it has %zu bytes but should have %llu", size,
                        (unsigned long long)block->total_bytes);
    }
    if (size % TMB_CACHE_LINE != 0 || block->checksum != tmb_block_checksum(block)) {
        return damaged(context, "its checksum is wrong: the file was damaged");
    }
    return TUMBLE_OK;
}

static int good_bounds(const tmb_block *block)
{
    for (int k = 0; k < 3; k++) {
        if (!isfinite(block->lower[k]) || !isfinite(block->upper[k]) || block->lower[k] > block->upper[k]) {
            return 0;
        }
    }
    return 1;
}

/* What the counts of the hierarchy must be; an empty model has none. */
static int good_node_count(const tmb_block *block)
{
    const tmb_boxtree_root *tree = &block->boxtree;
    if (block->hierarchy != TUMBLE_HIERARCHY_BOXTREE || block->triangle_count == 0) {
        return block->node_count == 0 && block->depth == 0 && tree->slot_count == 0;
    }
    const uint64_t leaves = tree->layout == TUMBLE_BOXTREE_TWO_PLANES ? block->triangle_count : 0;
    return block->node_count == tree->slot_count + leaves && block->node_count >= 2 * block->triangle_count - 1;
}

/* The sections must lie where the counts put them: then no section leaves the block. */
static tumble_status check_sections(tumble_context *context, const tmb_block *block)
{
    tmb_block expected = *block;
    const int boxtree = block->hierarchy == TUMBLE_HIERARCHY_BOXTREE;
    if ((!boxtree && block->hierarchy != TUMBLE_HIERARCHY_BRUTE) || block->points_are_float > 1 ||
        (boxtree && block->boxtree.layout > TUMBLE_BOXTREE_TWO_PLANES)) {
        return damaged(context, "unknown kind of hierarchy");
    }
    if (block->triangle_count > TMB_TWO_TRIANGLES || block->point_count > UINT32_MAX ||
        block->polygon_count > block->triangle_count || (block->triangle_count && !block->point_count) ||
        !good_node_count(block)) {
        return damaged(context, "a count is out of range");
    }
    if (!good_bounds(block)) {
        return damaged(context, "its bounds are not valid");
    }
    if (!tmb_block_layout(&expected, block->offsets[TMB_SECTION_POLYGONS] != 0,
                          block->offsets[TMB_SECTION_SURFACES] != 0) ||
        memcmp(expected.offsets, block->offsets, sizeof expected.offsets) != 0 ||
        expected.total_bytes != block->total_bytes) {
        return damaged(context, "its sections are not where they should be");
    }
    if (!block->offsets[TMB_SECTION_POLYGONS] && block->polygon_count != block->triangle_count) {
        return damaged(context, "the triangles' polygons are missing");
    }
    return TUMBLE_OK;
}

static int in_bounds(const tmb_block *block, int axis, double x)
{
    return isfinite(x) && x >= block->lower[axis] && x <= block->upper[axis];
}

static tumble_status check_points(tumble_context *context, const tmb_block *block)
{
    const char *points = (const char *)block + block->offsets[TMB_SECTION_POINTS];
    for (uint64_t i = 0; i < 3 * block->point_count; i++) {
        const double x = block->points_are_float ? (double)((const float *)points)[i] : ((const double *)points)[i];
        if (!in_bounds(block, (int)(i % 3), x)) {
            return damaged(context, "a point lies outside the bounds");
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
    if (status == TUMBLE_OK) {
        status = check_points(context, block);
    }
    if (status == TUMBLE_OK) {
        status = check_numbers(context, block, TMB_SECTION_TRIANGLES, 3 * block->triangle_count, block->point_count,
                               "a triangle refers to a point that is not there");
    }
    if (status == TUMBLE_OK && block->offsets[TMB_SECTION_POLYGONS]) {
        status = check_numbers(context, block, TMB_SECTION_POLYGONS, block->triangle_count, block->polygon_count,
                               "a triangle belongs to a polygon that is not there");
    }
    if (status == TUMBLE_OK && block->hierarchy == TUMBLE_HIERARCHY_BOXTREE && block->triangle_count) {
        status = tmb_boxtree_check(context, block, (const char *)block + block->offsets[TMB_SECTION_NODES]);
    }
    return status;
}
