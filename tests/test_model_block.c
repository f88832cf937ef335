/* Models as flat blocks: round-trips, and damaged ones. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes.h"
#include "tree/block.h"
#include "tree/boxtree/boxtree.h"
#include "tree/kdop/kdop.h"
#include "tree/rtree/rtree.h"
#include "tree/wide/wide.h"

/* A block of one's own, to be freed. */
typedef struct block_copy {
    tmb_block *block;
    size_t size;
} block_copy;

static block_copy copy_of(const tumble_model *model)
{
    block_copy copy;
    const void *block = tumble_model_block(model, &copy.size);
    void *memory = NULL;
    assert_int_equal(posix_memalign(&memory, 64, copy.size), 0);
    memcpy(memory, block, copy.size);
    copy.block = memory;
    return copy;
}

/* Small models of every kind: all hierarchies and layouts, float and double, polygons, surfaces, none and one
 * triangle. */
enum {
    KINDS = 33
};

/* k-DOP trees without anything else, with tables, with vertices, with a hull, with a single node or none. */
static void make_kdop_kind(int kind, test_random *random, models_mesh *mesh, tumble_model_options *options)
{
    static const size_t variants[] = {0, 9, 1, 4, 2, 5, 7, 8, 1, 6};
    *options = test_tree_variant(TEST_TREE_KDOP + variants[kind]);
    switch (kind) {
    case 0:
    case 1: test_make_soup(mesh, random, 19, 0.7); break;
    case 6:
    case 7: assert_true(models_make_sized(mesh, "shards", 20)); break;
    case 8: break;
    case 9: test_make_lattice(mesh, random, 1, 3, 3, 0); break;
    default: test_make_lattice(mesh, random, 9, 5, 5, 0.3);
    }
}

/* R-trees of one surface and of several, of a single cluster, of nothing. */
static void make_rtree_kind(int kind, test_random *random, models_mesh *mesh, tumble_model_options *options)
{
    *options = test_tree_variant(TEST_TREE_RTREE + (size_t)kind % TEST_RTREE_VARIANTS);
    switch (kind) {
    case 0: break;
    case 1: test_make_lattice(mesh, random, 1, 3, 3, 0); break;
    case 2: assert_true(models_make_sized(mesh, "shards", 20)); break;
    case 3: test_make_soup(mesh, random, 60, 0.5); break;
    default: test_make_lattice(mesh, random, 30, 5, 5, 0.3);
    }
}

static tumble_model *make_kind(test_world *w, int kind)
{
    models_mesh mesh = {0};
    test_random random = {(uint64_t)kind};
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = TUMBLE_HIERARCHY_BOXTREE;
    test_tune(options, boxtree.layout, kind % 2 ? TUMBLE_BOXTREE_TWO_PLANES : TUMBLE_BOXTREE_ONE_PLANE);
    test_tune(options, boxtree.trim, kind % 4 < 2 ? 0.9 : 0);
    switch (kind / 2) {
    case 0: break;
    case 1: test_make_lattice(&mesh, &random, 1, 3, 3, 0); break;
    case 2: test_make_soup(&mesh, &random, 20, 0.7); break;
    case 3: test_make_lattice(&mesh, &random, 20, 5, 5, 0.3); break;
    case 4: assert_true(models_make_sized(&mesh, "shards", 30)); break;
    case 5: test_make_lattice(&mesh, &random, 12, 5, 5, 0.3), options.hierarchy = TUMBLE_HIERARCHY_BRUTE; break;
    case 6: test_make_soup(&mesh, &random, 60, 0.5), options.hierarchy = TUMBLE_HIERARCHY_WIDE; break;
    case 7: assert_true(models_make_sized(&mesh, "shards", 90)), options.hierarchy = TUMBLE_HIERARCHY_WIDE; break;
    case 8:
        if (kind % 2) {
            test_make_lattice(&mesh, &random, 1, 3, 3, 0);
        }
        options.hierarchy = TUMBLE_HIERARCHY_WIDE;
        break;
    default:
        if (kind < 28) {
            make_kdop_kind(kind - 18, &random, &mesh, &options);
        } else {
            make_rtree_kind(kind - 28, &random, &mesh, &options);
        }
    }
    for (size_t i = 0; kind / 2 >= 3 && i < mesh.polygon_count; i++) {
        mesh.surface_ids[i] = (uint32_t)(7 * i % 5);
    }
    tumble_model *model = test_model(w->context, &mesh, &options);
    models_free(&mesh);
    return model;
}

static tumble_status from_block(test_world *w, const void *block, size_t size, int copy, tumble_model **out)
{
    *out = (tumble_model *)w; /* must be overwritten */
    const tumble_status status = tumble_model_from_block(w->context, block, size, copy, out);
    assert_int_equal(*out != NULL, status == TUMBLE_OK);
    return status;
}

static void refuse(test_world *w, const block_copy *copy)
{
    tumble_model *model;
    for (int k = 0; k < 2; k++) {
        test_assert_status(w->context, from_block(w, copy->block, copy->size, k, &model), TUMBLE_ERROR_FORMAT, "");
    }
}

/* ---- There and back ---- */

static void test_round_trip(void **state)
{
    test_world *w = *state;
    for (int kind = 0; kind < KINDS; kind++) {
        tumble_model *model = make_kind(w, kind);
        block_copy block = copy_of(model);
        const tumble_model_info info = test_info(model);
        test_pairs expected = {0}, found = {0};
        test_collide(w->query, model, NULL, model, NULL, NULL, &expected);
        for (int copy = 0; copy < 2; copy++) {
            tumble_model *again;
            assert_int_equal(from_block(w, block.block, block.size, copy, &again), TUMBLE_OK);
            size_t size;
            const void *bytes = tumble_model_block(again, &size);
            assert_int_equal(size, block.size);
            assert_true(copy == (bytes != block.block));
            assert_memory_equal(bytes, block.block, size);
            tumble_model_info other = test_info(again);
            assert_true(other.build_seconds == 0);
            other.build_seconds = info.build_seconds;
            test_assert_same_info(&other, &info);
            test_collide(w->query, again, NULL, model, NULL, NULL, &found);
            test_assert_same_pairs(&found, &expected, "kind %d", kind);
            tumble_model_destroy(again);
        }
        /* a copy may come from any address */
        char *shifted = malloc(block.size + 1);
        tumble_model *again;
        memcpy(shifted + 1, block.block, block.size);
        assert_int_equal(from_block(w, shifted + 1, block.size, 1, &again), TUMBLE_OK);
        tumble_model_destroy(again);
        free(shifted);
        free(block.block);
        test_free_pairs(&expected);
        test_free_pairs(&found);
        tumble_model_destroy(model);
    }
}

/* Made from arrays that the model does not own, and from a block that it does not own. */
static void test_arguments(void **state)
{
    test_world *w = *state;
    tumble_model *model = make_kind(w, 4), *out = NULL;
    block_copy block = copy_of(model);
    tumble_context *c = w->context;
    assert_int_equal(tumble_model_from_block(NULL, block.block, block.size, 1, &out), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(c, tumble_model_from_block(c, NULL, block.size, 1, &out), TUMBLE_ERROR_ARGUMENT, "null");
    test_assert_status(c, tumble_model_from_block(c, block.block, block.size, 1, NULL), TUMBLE_ERROR_ARGUMENT, "null");
    for (size_t shift = 1; shift < 64; shift *= 2) {
        const void *unaligned = (const char *)block.block + shift;
        test_assert_status(c, tumble_model_from_block(c, unaligned, block.size - 64, 0, &out), TUMBLE_ERROR_ARGUMENT,
                           "aligned");
    }
    tumble_model_destroy(model);
    free(block.block);
}

/* ---- Damage ---- */

/* Every size but the right one. The memory ends where the block does, so that a sanitizer sees a look beyond. */
static void test_truncated(void **state)
{
    test_world *w = *state;
    for (int kind = 0; kind < KINDS; kind++) {
        tumble_model *model = make_kind(w, kind);
        const block_copy whole = copy_of(model);
        for (size_t size = 0; size < whole.size; size += size < 300 ? 1 : 64) {
            block_copy part = {NULL, size};
            void *memory = NULL;
            assert_int_equal(posix_memalign(&memory, 64, size ? size : 1), 0);
            part.block = memory;
            memcpy(part.block, whole.block, size);
            refuse(w, &part);
            if (size >= sizeof(tmb_block)) { /* a header that admits it, even with a good checksum */
                part.block->total_bytes = size;
                if (size % 64 == 0) {
                    part.block->checksum = tmb_block_checksum(part.block);
                }
                refuse(w, &part);
            }
            free(part.block);
        }
        block_copy longer = {NULL, whole.size + 64};
        void *memory = NULL;
        assert_int_equal(posix_memalign(&memory, 64, longer.size), 0);
        longer.block = memory;
        memset(longer.block, 0, longer.size);
        memcpy(longer.block, whole.block, whole.size);
        refuse(w, &longer);
        longer.block->total_bytes += 64;
        longer.block->checksum = tmb_block_checksum(longer.block);
        refuse(w, &longer);
        free(longer.block);
        free(whole.block);
        tumble_model_destroy(model);
    }
}

static void test_every_bit(void **state)
{
    test_world *w = *state;
    const int step = test_effort() < 1 ? 3 : 1;
    for (int kind = 0; kind < KINDS; kind += step) {
        tumble_model *model = make_kind(w, kind);
        const block_copy copy = copy_of(model);
        unsigned char *bytes = (unsigned char *)copy.block;
        for (size_t bit = 0; bit < 8 * copy.size; bit++) {
            tumble_model *out;
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
            if (from_block(w, copy.block, copy.size, 0, &out) != TUMBLE_ERROR_FORMAT) {
                fail_msg("kind %d: bit %zu of byte %zu may change unnoticed", kind, bit % 8, bit / 8);
            }
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        }
        tumble_model *out;
        assert_int_equal(from_block(w, copy.block, copy.size, 0, &out), TUMBLE_OK);
        tumble_model_destroy(out);
        free(copy.block);
        tumble_model_destroy(model);
    }
}

/* Values in the header that no model has, under a good checksum. */
static void test_bad_headers(void **state)
{
    test_world *w = *state;
    for (int kind = 0; kind < KINDS; kind++) {
        tumble_model *model = make_kind(w, kind);
        const block_copy copy = copy_of(model);
        const tmb_block good = *copy.block;
        tmb_block *b = copy.block;
#define REFUSE_FIELD(field, value)       \
    *b = good, b->field = (value);       \
    b->checksum = tmb_block_checksum(b); \
    refuse(w, &copy)
        REFUSE_FIELD(version, good.version + 1);
        REFUSE_FIELD(endian, 0x04030201u);
        REFUSE_FIELD(magic[0], 't');
        REFUSE_FIELD(hierarchy, TUMBLE_HIERARCHY_AUTO);
        REFUSE_FIELD(hierarchy, TUMBLE_HIERARCHY_RTREE + 1);
        REFUSE_FIELD(hierarchy, UINT32_MAX);
        REFUSE_FIELD(points_are_float, 2);
        REFUSE_FIELD(node_count, good.node_count + 1);
        REFUSE_FIELD(node_count, UINT64_MAX);
        REFUSE_FIELD(polygon_count, good.triangle_count + 1);
        if (good.hierarchy != TUMBLE_HIERARCHY_RTREE) { /* from which polygons may have been removed */
            REFUSE_FIELD(polygon_limit, good.polygon_limit + 1);
        }
        REFUSE_FIELD(polygon_limit, UINT64_MAX);
        REFUSE_FIELD(edited, 2);
        REFUSE_FIELD(triangle_count, good.triangle_count + 1);
        REFUSE_FIELD(triangle_count, UINT64_MAX / 12 + 1);
        REFUSE_FIELD(point_count, good.point_count + 100);
        REFUSE_FIELD(point_count, UINT64_MAX / 24 + 1);
        REFUSE_FIELD(cluster_count, good.cluster_count + 1);
        REFUSE_FIELD(cluster_count, good.cluster_count - 1);
        REFUSE_FIELD(cluster_count, UINT64_MAX);
        REFUSE_FIELD(cluster_units, good.cluster_units + 1);
        REFUSE_FIELD(cluster_units, good.cluster_units - 1);
        REFUSE_FIELD(cluster_units, good.cluster_units + 16);
        REFUSE_FIELD(cluster_units, UINT64_MAX);
        REFUSE_FIELD(cluster_units, UINT64_MAX / 4);
        for (int k = 0; k < 3; k++) {
            REFUSE_FIELD(lower[k], NAN);
            REFUSE_FIELD(upper[k], NAN);
            REFUSE_FIELD(lower[k], -INFINITY);
            REFUSE_FIELD(upper[k], INFINITY);
            REFUSE_FIELD(lower[k], good.upper[k] + 1);
            REFUSE_FIELD(upper[k], good.lower[k] - 1);
            REFUSE_FIELD(lower[k], nextafter(good.lower[k], -INFINITY)); /* too large by very little */
            REFUSE_FIELD(upper[k], nextafter(good.upper[k], INFINITY));
        }
        for (int k = 0; k < TMB_SECTION_COUNT; k++) {
            REFUSE_FIELD(offsets[k], good.offsets[k] + 64);
            REFUSE_FIELD(offsets[k], UINT64_MAX - 63);
        }
        if (good.hierarchy == TUMBLE_HIERARCHY_BOXTREE && good.triangle_count) {
            REFUSE_FIELD(boxtree.layout, 2);
            REFUSE_FIELD(boxtree.slot_count, good.boxtree.slot_count + 1);
            REFUSE_FIELD(boxtree.slot_count, UINT32_MAX);
            REFUSE_FIELD(boxtree.extent[0], -1);
            REFUSE_FIELD(boxtree.extent[1], INT32_MAX);
            REFUSE_FIELD(boxtree.exponent, INT32_MAX);
            REFUSE_FIELD(boxtree.exponent, INT32_MIN);
            REFUSE_FIELD(depth, UINT32_MAX);
            if (good.depth) {
                REFUSE_FIELD(depth, good.depth - 1);
            }
        }
        if (good.hierarchy == TUMBLE_HIERARCHY_KDOP) {
            REFUSE_FIELD(kdop.k, 0);
            REFUSE_FIELD(kdop.k, 10);
            REFUSE_FIELD(kdop.k, UINT32_MAX);
            REFUSE_FIELD(kdop.leaf, 0);
            REFUSE_FIELD(kdop.leaf, TUMBLE_KDOP_LEAF_MOST + 1);
            REFUSE_FIELD(kdop.tumble, TUMBLE_KDOP_TUMBLE_UNIT);
            REFUSE_FIELD(kdop.tumble, UINT32_MAX);
            REFUSE_FIELD(depth, UINT32_MAX);
        }
        if (good.hierarchy == TUMBLE_HIERARCHY_KDOP && good.triangle_count) { /* other sizes of the section */
            REFUSE_FIELD(kdop.k, good.kdop.k == 26 ? 6 : 26);
            REFUSE_FIELD(kdop.vertex_count, good.kdop.vertex_count + 100);
            REFUSE_FIELD(kdop.vertex_count, UINT32_MAX);
            REFUSE_FIELD(kdop.hull_count, good.kdop.hull_count + 100);
            REFUSE_FIELD(kdop.hull_count, UINT32_MAX);
            REFUSE_FIELD(kdop.hull_links, good.kdop.hull_links + 100);
            REFUSE_FIELD(kdop.hull_links, UINT32_MAX);
            if (good.depth) {
                REFUSE_FIELD(depth, good.depth - 1);
            }
        }
#undef REFUSE_FIELD
        free(copy.block);
        tumble_model_destroy(model);
    }
}

/* Writes one float or word, under a good checksum, and expects to be refused. */
static void refuse_word(test_world *w, const block_copy *copy, uint32_t *word, uint32_t value)
{
    const uint32_t before = *word;
    assert_true(before != value);
    *word = value;
    copy->block->checksum = tmb_block_checksum(copy->block);
    refuse(w, copy);
    *word = before;
}

static void refuse_cuts(test_world *w, const block_copy *copy, float *cut)
{
    static const float bad[] = {-1, NAN, INFINITY, -INFINITY, 0x1p31f, 0x1p40f};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint32_t bits;
        memcpy(&bits, &bad[i], sizeof bits);
        refuse_word(w, copy, (uint32_t *)(void *)cut, bits);
    }
}

static void refuse_one_plane(test_world *w, const block_copy *copy, tmb_node_one *nodes)
{
    const uint32_t count = copy->block->boxtree.slot_count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t word = nodes[i].word, kind = tmb_one_kind(word), index = tmb_one_index(word);
        refuse_cuts(w, copy, &nodes[i].cut);
        refuse_word(w, copy, &nodes[i].word, tmb_one_word(6, kind, index)); /* there are six sides, from 0 */
        refuse_word(w, copy, &nodes[i].word, tmb_one_word(7, kind, index));
        refuse_word(w, copy, &nodes[i].word, tmb_one_word(tmb_one_side(word), 3, index));
        const uint32_t others[] = {index + 1, index ? index - 1 : count, i, 0, count, (1u << TMB_ONE_INDEX_BITS) - 1};
        for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
            if (others[k] != index) { /* another triangle, a cycle, a node that is not there */
                refuse_word(w, copy, &nodes[i].word, tmb_one_word(tmb_one_side(word), kind, others[k]));
            }
        }
    }
}

static void refuse_two_planes(test_world *w, const block_copy *copy, tmb_node_two *nodes)
{
    const uint32_t count = copy->block->boxtree.slot_count;
    for (uint32_t i = 0; i < count; i++) {
        refuse_cuts(w, copy, &nodes[i].cut[0]);
        refuse_cuts(w, copy, &nodes[i].cut[1]);
        for (int k = 0; k < 2; k++) {
            const uint32_t word = nodes[i].child[k], reference = tmb_two_reference(word), axis = word & TMB_TWO_AXIS;
            const uint32_t others[] = {reference + 1, reference - 1,    i,           count,
                                       TMB_TWO_LEAF,  TMB_TWO_LEAF - 1, TMB_TWO_NONE};
            for (size_t j = 0; j < sizeof others / sizeof *others; j++) {
                const uint32_t other = tmb_two_reference(others[j]);
                if (other != reference) {
                    refuse_word(w, copy, &nodes[i].child[k], axis | other);
                }
            }
        }
        const uint32_t words[2] = {nodes[i].child[0], nodes[i].child[1]};
        nodes[i].child[0] |= TMB_TWO_AXIS; /* axis 3 */
        if (words[1] & TMB_TWO_AXIS) {
            copy->block->checksum = tmb_block_checksum(copy->block);
            refuse(w, copy);
        } else {
            refuse_word(w, copy, &nodes[i].child[1], words[1] | TMB_TWO_AXIS);
        }
        nodes[i].child[0] = words[0];
    }
}

static void refuse_float(test_world *w, const block_copy *copy, float *number, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    refuse_word(w, copy, (uint32_t *)(void *)number, bits);
}

/* Everything that tells where a node's children are, and the frame of its boxes. What lies in the boxes may be
 * anything: then pairs are lost, and nothing else. */
static void refuse_wide(test_world *w, const block_copy *copy, tmb_wide_node *nodes)
{
    for (size_t i = 0; i < copy->block->node_count; i++) {
        tmb_wide_node *node = &nodes[i];
        const uint32_t children = node->children;
        const uint32_t others[] = {children + 1, children - 1, children + 8, UINT32_MAX, children ? 0 : 1, (uint32_t)i};
        for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
            if (others[k] != children) {
                refuse_word(w, copy, &node->children, others[k]);
            }
        }
        uint32_t counts; /* child_count and is_lowest */
        memcpy(&counts, &node->child_count, sizeof counts);
        for (uint32_t other = 0; other < 0x20000; other += other % 0x10000 < 12 ? 1 : 0x7ffd) {
            if (other != counts) {
                refuse_word(w, copy, (uint32_t *)(void *)&node->child_count, other);
            }
        }
        static const float bad[] = {NAN, INFINITY, -INFINITY, 3, -3};
        for (int k = 0; k < 3; k++) {
            for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
                refuse_float(w, copy, &node->origin[k], bad[n]);
                refuse_float(w, copy, &node->scale[k], bad[n]);
            }
            refuse_float(w, copy, &node->scale[k], 0);
            refuse_float(w, copy, &node->scale[k], -node->scale[k]);
        }
    }
}

/* Bounds may be any that a float frame can hold; then pairs are lost, and nothing else. */
static void refuse_kdop(test_world *w, const block_copy *copy, const void *nodes)
{
    const uint32_t k = copy->block->kdop.k, count = (uint32_t)copy->block->node_count;
    const tmb_kdop_view tree = tmb_kdop_view_of(copy->block, nodes);
    static const float bad[] = {NAN, INFINITY, -INFINITY, 5, -5};
    for (uint32_t node = TMB_KDOP_ROOT; node <= count; node++) {
        uint32_t *own = (uint32_t *)tmb_kdop_links(&tree, node);
        const uint32_t link = own[0], triangles = own[1];
        for (uint32_t lane = 0; lane < k && !(triangles && tree.has_bare_leaves); lane++) {
            float *bounds = (float *)tmb_kdop_bounds(&tree, tmb_kdop_volume_of(&tree, node));
            for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
                refuse_float(w, copy, &bounds[lane], bad[i]);
            }
        }
        const uint32_t links[] = {link + 1, link - 1, link + 2, link + 8, UINT32_MAX, link == node ? 0 : node};
        for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
            refuse_word(w, copy, &own[0], links[i]);
        }
        const uint32_t counts[] = {triangles + 1, triangles - 1, triangles + 8, triangles ? 0 : 2, UINT32_MAX};
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            refuse_word(w, copy, &own[1], counts[i]);
        }
    }
}

static void refuse_rtree(test_world *w, const block_copy *copy, tmb_rtree_node *nodes)
{
    for (uint64_t i = 0; i < copy->block->node_count; i++) {
        tmb_rtree_node *node = nodes + i * tmb_rtree_pages(tmb_rtree_width(copy->block));
        refuse_word(w, copy, &node->count, node->count - 1);
        refuse_word(w, copy, &node->level, node->level + 1);
        for (uint32_t j = 0; j < node->count; j++) {
            refuse_word(w, copy, &node[j / 8].child[j % 8], UINT32_MAX);
        }
    }
}

/* References in any other order, to anywhere else; planes that are none. */
static void test_bad_nodes(void **state)
{
    test_world *w = *state;
    size_t wide = 0, kdop = 0, rtree = 0;
    for (int kind = 2; kind < KINDS; kind++) {
        tumble_model *model = make_kind(w, kind);
        const block_copy copy = copy_of(model);
        void *nodes = (char *)copy.block + copy.block->offsets[TMB_SECTION_NODES];
        if (copy.block->hierarchy == TUMBLE_HIERARCHY_WIDE) {
            refuse_wide(w, &copy, nodes);
            wide += copy.block->node_count > 1;
        } else if (copy.block->hierarchy == TUMBLE_HIERARCHY_KDOP) {
            refuse_kdop(w, &copy, nodes);
            kdop += copy.block->node_count > 1;
        } else if (copy.block->hierarchy == TUMBLE_HIERARCHY_RTREE) {
            refuse_rtree(w, &copy, nodes);
            rtree += copy.block->node_count > 1;
        } else if (copy.block->hierarchy == TUMBLE_HIERARCHY_BRUTE) {
            assert_int_equal(copy.block->offsets[TMB_SECTION_NODES], 0);
        } else if (copy.block->boxtree.layout == TUMBLE_BOXTREE_ONE_PLANE) {
            refuse_one_plane(w, &copy, nodes);
        } else {
            refuse_two_planes(w, &copy, nodes);
        }
        tumble_model *out;
        copy.block->checksum = tmb_block_checksum(copy.block);
        assert_int_equal(from_block(w, copy.block, copy.size, 0, &out), TUMBLE_OK); /* everything was put back */
        tumble_model_destroy(out);
        free(copy.block);
        tumble_model_destroy(model);
    }
    assert_true(wide > 0 && kdop > 0 && rtree > 0);
}

/* ---- Damaged geometry ---- */

/* All but the first and the last place, which the header tells: sizes that no cluster has, ends beyond the section. */
static void refuse_places(test_world *w, const block_copy *copy)
{
    const size_t count = (size_t)copy->block->cluster_count;
    tmb_cluster_place *places =
        (tmb_cluster_place *)(void *)((char *)copy->block + copy->block->offsets[TMB_SECTION_PLACES]);
    for (size_t i = 0; i <= count; i++) {
        const uint32_t offset = places[i].offset, triangles = places[i].triangles;
        const uint32_t offsets[] = {offset + 1, offset - 1, offset + 3, offset - 3,       offset + 6,
                                    offset - 6, UINT32_MAX, INT32_MAX,  offset ? 0 : 1000};
        for (size_t k = 0; k < sizeof offsets / sizeof *offsets; k++) {
            refuse_word(w, copy, &places[i].offset, offsets[k]);
        }
        const uint32_t others[] = {triangles + 1,  triangles - 1, triangles + 9,       triangles + 16,
                                   triangles - 16, UINT32_MAX,    triangles ? 0 : 1000};
        for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
            refuse_word(w, copy, &places[i].triangles, others[k]);
        }
    }
}

/* Corners that are not there, for triangles that are there or not. */
static void refuse_corners(test_world *w, const block_copy *copy, uint32_t *words, const tmb_cluster_place *place)
{
    const int is_float = (int)copy->block->points_are_float;
    const uint32_t corners = tmb_cluster_corner_count(place, is_float), triangles = tmb_cluster_triangle_count(place);
    for (int k = 0; k < 3; k++) {
        for (uint32_t t = 0; t < TMB_CLUSTER_TRIANGLES; t++) {
            const uint32_t rest = words[k] & ~(15u << 4 * t);
            for (uint32_t bad = t < triangles ? corners : 1; bad < 16; bad++) {
                refuse_word(w, copy, &words[k], rest | bad << 4 * t);
            }
        }
    }
    if (!is_float) {
        refuse_word(w, copy, &words[3], 1);
    }
}

static void refuse_coordinates(test_world *w, const block_copy *copy, uint32_t *words, const tmb_cluster_place *place)
{
    const int is_float = (int)copy->block->points_are_float;
    const uint32_t corners = tmb_cluster_corner_count(place, is_float);
    const uint32_t step = is_float ? 1 : 2, head = is_float ? TMB_CLUSTER_HEAD_FLOAT : TMB_CLUSTER_HEAD_DOUBLE;
    for (uint32_t i = 0; i < 3 * corners; i++) {
        const double lower = copy->block->lower[i / corners], upper = copy->block->upper[i / corners];
        const double bad[] = {NAN, INFINITY, -INFINITY, upper + 1, lower - 1, FLT_MAX, -FLT_MAX};
        uint32_t *at = words + head + step * i, before[2];
        memcpy(before, at, step * sizeof *at);
        for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
            const float bad_float = (float)bad[k];
            memcpy(at, is_float ? (const void *)&bad_float : &bad[k], step * sizeof *at);
            copy->block->checksum = tmb_block_checksum(copy->block);
            refuse(w, copy);
        }
        memcpy(at, before, step * sizeof *at);
    }
}

static void test_bad_clusters(void **state)
{
    test_world *w = *state;
    for (int kind = 2; kind < KINDS; kind++) {
        tumble_model *model = make_kind(w, kind);
        const block_copy copy = copy_of(model);
        const tmb_block *block = copy.block;
        if (block->cluster_count == 0) {
            free(copy.block);
            tumble_model_destroy(model);
            continue;
        }
        uint32_t *data = (uint32_t *)(void *)((char *)copy.block + block->offsets[TMB_SECTION_CLUSTERS]);
        const tmb_cluster_place *places =
            (const tmb_cluster_place *)(const void *)((char *)copy.block + block->offsets[TMB_SECTION_PLACES]);
        refuse_places(w, &copy);
        for (size_t i = 0; i < block->cluster_count; i++) {
            refuse_corners(w, &copy, data + places[i].offset, places + i);
            refuse_coordinates(w, &copy, data + places[i].offset, places + i);
        }
        for (size_t i = 0; i < TMB_CLUSTER_SLACK / sizeof *data; i++) {
            refuse_word(w, &copy, data + block->cluster_units + i, 1);
        }
        tumble_model *out;
        copy.block->checksum = tmb_block_checksum(copy.block);
        assert_int_equal(from_block(w, copy.block, copy.size, 0, &out), TUMBLE_OK); /* everything was put back */
        tumble_model_destroy(out);
        free(copy.block);
        tumble_model_destroy(model);
    }
}

/* All questions that can be asked of an accepted block; the answers are of no interest. */
static void use(test_world *w, const tumble_model *model, const tumble_model *other)
{
    tumble_model_info info;
    assert_int_equal(tumble_model_get_info(model, &info), TUMBLE_OK);
    for (uint32_t i = 0; i < info.triangle_count; i++) {
        double corners[3][3];
        uint32_t polygon, surface;
        assert_int_equal(tumble_model_triangle(model, i, corners, &polygon), TUMBLE_OK);
        assert_int_equal(tumble_model_surface(model, polygon, &surface), TUMBLE_OK);
    }
    const tumble_pose turned = {{{0.6, -0.8, 0, 0.1}, {0.8, 0.6, 0, 0.2}, {0, 0, 1, 0.3}}};
    tumble_pair pairs[8];
    tumble_contact contacts[8];
    for (size_t k = 0; k < TEST_OVERLAP_VARIANTS; k++) {
        tumble_collide_options options = test_overlap_variant(k);
        tumble_collide_result result;
        options.pairs = pairs, options.pair_capacity = 8;
        options.contacts = contacts, options.contact_capacity = 8, options.want_contacts = k % 2;
        const tumble_status status =
            k % 3 == 0   ? tumble_collide(w->query, model, NULL, other, &turned, &options, &result)
            : k % 3 == 1 ? tumble_collide(w->query, other, NULL, model, &turned, &options, &result)
                         : tumble_collide(w->query, model, NULL, model, &turned, &options, &result);
        assert_true(status == TUMBLE_OK || status == TUMBLE_ERROR_NOT_FINITE);
    }
}

static void mutate(test_random *random, block_copy *copy)
{
    static const uint32_t values[] = {0,          1,          2,          3,          0x7fffffff, 0x80000000,
                                      0xffffffff, 0x40000000, 0x3fffffff, 0x7ff00000, 0x4f000000};
    uint32_t *words = (uint32_t *)(void *)copy->block;
    const size_t count = copy->size / sizeof *words;
    for (int i = test_random_whole(random, 1, 3); i > 0; i--) {
        /* the first fields are left alone: the checksum stands or falls with them */
        const size_t header = sizeof(tmb_block) / sizeof *words;
        const size_t end = test_random_chance(random, 0.3) ? header : count;
        const size_t at = 8 + (size_t)test_random_bits(random) % (end - 8);
        switch (test_random_whole(random, 0, 4)) {
        case 0: words[at] = values[test_random_bits(random) % (sizeof values / sizeof *values)]; break;
        case 1: words[at] ^= 1u << test_random_whole(random, 0, 31); break;
        case 2: words[at] += (uint32_t)test_random_whole(random, -2, 2); break;
        case 3: words[at] = words[8 + (size_t)test_random_bits(random) % (count - 8)]; break;
        default: words[at] = (uint32_t)test_random_bits(random); break;
        }
    }
    copy->block->checksum = tmb_block_checksum(copy->block);
}

/* What passes the check is safe to use, whatever it means. Made for address sanitizers. */
static void test_mutations(void **state)
{
    test_world *w = *state;
    test_random random = {99};
    tumble_model *others[] = {make_kind(w, 5), make_kind(w, 13), make_kind(w, 20), make_kind(w, 31)};
    size_t accepted = 0, refused = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        tumble_model *model = make_kind(w, kind);
        block_copy copy = copy_of(model);
        const block_copy good = copy_of(model);
        for (size_t i = 0; i < test_count(20000); i++) {
            tumble_model *out;
            memcpy(copy.block, good.block, good.size);
            mutate(&random, &copy);
            const tumble_status status = from_block(w, copy.block, copy.size, 0, &out);
            if (status == TUMBLE_OK) {
                if (accepted++ % 8 == 0) {
                    const tumble_hierarchy hierarchy = tumble_model_hierarchy(out);
                    use(w, out,
                        others[hierarchy == TUMBLE_HIERARCHY_WIDE    ? 1
                               : hierarchy == TUMBLE_HIERARCHY_KDOP  ? 2
                               : hierarchy == TUMBLE_HIERARCHY_RTREE ? 3
                                                                     : 0]);
                }
                tumble_model_destroy(out);
            } else {
                assert_int_equal(status, TUMBLE_ERROR_FORMAT);
                refused++;
            }
        }
        free(copy.block);
        free(good.block);
        tumble_model_destroy(model);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        tumble_model_destroy(others[i]);
    }
    assert_true(accepted > 100 && refused > 100);
}

/* ---- Bytes that nothing is written to are 0, whatever the memory held ---- */

static void *allocate_filled(void *user, size_t size, size_t alignment)
{
    void *memory = NULL;
    if (posix_memalign(&memory, alignment < sizeof(void *) ? sizeof(void *) : alignment, size) != 0) {
        return NULL;
    }
    return memset(memory, *(const int *)user, size);
}

static void release_filled(void *user, void *memory)
{
    (void)user;
    free(memory);
}

static tumble_model *filled_model(int *fill, const models_mesh *mesh, tumble_context **context)
{
    tumble_context_options options = tumble_default_context_options();
    options.allocator = (tumble_allocator){fill, allocate_filled, release_filled};
    assert_int_equal(tumble_context_create(&options, context), TUMBLE_OK);
    return test_model(*context, mesh, NULL);
}

static void test_no_rubbish(void **state)
{
    (void)state;
    test_random random = {77};
    for (size_t triangles = 1; triangles < 300; triangles++) {
        models_mesh mesh = {0};
        int fills[2] = {0, 0xff};
        tumble_context *contexts[2];
        tumble_model *models[2];
        test_make_soup(&mesh, &random, triangles, 0.5);
        for (int i = 0; i < 2; i++) {
            models[i] = filled_model(&fills[i], &mesh, &contexts[i]);
        }
        test_assert_same_blocks(models[0], models[1]);
        for (int i = 0; i < 2; i++) {
            tumble_model_destroy(models[i]);
            tumble_context_destroy(contexts[i]);
        }
        models_free(&mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_rubbish), TEST_IN_WORLD(test_round_trip),   TEST_IN_WORLD(test_arguments),
        TEST_IN_WORLD(test_truncated),     TEST_IN_WORLD(test_every_bit),    TEST_IN_WORLD(test_bad_headers),
        TEST_IN_WORLD(test_bad_nodes),     TEST_IN_WORLD(test_bad_clusters), TEST_IN_WORLD(test_mutations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
