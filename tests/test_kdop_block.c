/* k-DOP trees as blocks: round-trips, and damaged ones. What is rejected is named; what is not is safe to use, whatever
 * it means. Made for address sanitizers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kdop_cases.h"
#include "tree/block.h"

/* A block of one's own, to be freed. */
typedef struct block_copy {
    tmb_block *block;
    size_t size;
} block_copy;

static block_copy new_block(size_t size)
{
    void *memory = NULL;
    assert_int_equal(posix_memalign(&memory, 64, size), 0);
    memset(memory, 0, size);
    return (block_copy){memory, size};
}

static block_copy copy_of(const tumble_model *model)
{
    size_t size;
    const void *block = tumble_model_block(model, &size);
    const block_copy copy = new_block(size);
    memcpy(copy.block, block, size);
    return copy;
}

/* Small models of every k, with all that can be kept, float and double, polygons and surfaces, none and one triangle.
 */
enum {
    KINDS = 25
};
static tumble_model *make_kind(test_world *w, int kind)
{
    models_mesh mesh = {0};
    test_random random = {(uint64_t)kind};
    tumble_model_options options = test_any_kdop(&random, test_kdops[kind % TEST_KDOPS]);
    test_tune(options, kdop.leaf, test_kdop_leaves[(kind / 5 + kind) % 3]); /* 1, 2 or 7 */
    test_tune(options, kdop.tumble, (tumble_kdop_tumble)((kind / 5 + 2 * kind) % 3));
    test_tune(options, kdop.bare_leaves, kind % 3 == 0);
    test_tune(options, kdop.hull, kind % 2 ? 1 + (uint32_t)kind % 4 : 0);
    switch (kind / 5) {
    case 0: test_make_soup(&mesh, &random, 17, 0.7); break;
    case 1: test_make_lattice(&mesh, &random, 20, 5, 5, 0.3); break;
    case 2: assert_true(models_make_sized(&mesh, "shards", 30)); break;
    case 3: test_make_lattice(&mesh, &random, kind % 2 ? 1 : 3, 3, 3, 0); break;
    default: break;
    }
    for (size_t i = 0; kind % 2 && i < mesh.polygon_count; i++) {
        mesh.surface_ids[i] = (uint32_t)(7 * i % 5);
    }
    tumble_model *model = test_model(w->context, &mesh, &options);
    models_free(&mesh);
    return model;
}

static tumble_status from_block(test_world *w, const block_copy *copy, int own, tumble_model **out)
{
    *out = (tumble_model *)w; /* must be overwritten */
    const tumble_status status = tumble_model_from_block(w->context, copy->block, copy->size, own, out);
    assert_int_equal(*out != NULL, status == TUMBLE_OK);
    return status;
}

static void seal(const block_copy *copy)
{
    copy->block->checksum = tmb_block_checksum(copy->block);
}

static void refuse(test_world *w, const block_copy *copy, const char *words)
{
    tumble_model *model;
    seal(copy);
    test_assert_status(w->context, from_block(w, copy, 0, &model), TUMBLE_ERROR_FORMAT, words);
}

static void accept(test_world *w, const block_copy *copy)
{
    tumble_model *model;
    seal(copy);
    test_assert_status(w->context, from_block(w, copy, 0, &model), TUMBLE_OK, "");
    tumble_model_destroy(model);
}

/* ---- There and back ---- */

static void expect_same(test_world *w, const tumble_model *again, const tumble_model *model, const test_pairs *expected)
{
    size_t size[2];
    const void *bytes[2] = {tumble_model_block(again, &size[0]), tumble_model_block(model, &size[1])};
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    const tumble_model_info info = test_info(model);
    tumble_model_info other = test_info(again);
    assert_true(other.build_seconds == 0);
    other.build_seconds = info.build_seconds;
    other.total_bytes = info.total_bytes;
    test_assert_same_info(&other, &info);
    test_pairs found = {0};
    test_collide(w->query, again, NULL, model, NULL, NULL, &found);
    test_assert_same_pairs(&found, expected, "a model that was there and back");
    test_collide(w->query, model, NULL, again, NULL, NULL, &found);
    test_assert_same_pairs(&found, expected, "a model that was there and back, as B");
    test_free_pairs(&found);
}

/* As a block and as a file. */
static void test_round_trip(void **state)
{
    test_world *w = *state;
    const char *temporary = getenv("TMPDIR");
    char path[300];
    snprintf(path, sizeof path, "%s/tumble-kdop-XXXXXX", temporary ? temporary : "/tmp");
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (int kind = 0; kind < KINDS; kind++) {
        tumble_model *model = make_kind(w, kind), *again;
        const block_copy copy = copy_of(model);
        test_pairs expected = {0};
        test_collide(w->query, model, NULL, model, NULL, NULL, &expected);
        assert_true(expected.count > 0 || model->block->triangle_count == 0);
        for (int own = 0; own < 2; own++) {
            assert_int_equal(from_block(w, &copy, own, &again), TUMBLE_OK);
            expect_same(w, again, model, &expected);
            tumble_model_destroy(again);
        }
        test_assert_status(w->context, tumble_model_save(model, path), TUMBLE_OK, "");
        test_assert_status(w->context, tumble_model_load(w->context, path, &again), TUMBLE_OK, "");
        expect_same(w, again, model, &expected);
        tumble_model_destroy(again);
        test_free_pairs(&expected);
        free(copy.block);
        tumble_model_destroy(model);
    }
    assert_int_equal(unlink(path), 0);
}

/* ---- Damage that is told by name ---- */

static void refuse_header(test_world *w, const block_copy *copy)
{
    tmb_block *b = copy->block;
    const tmb_block good = *b;
    const uint32_t ks[] = {0, 5, 7, 10, 16, 24, 27, UINT32_MAX}, leaves[] = {0, 256, UINT32_MAX};
    for (size_t i = 0; i < sizeof ks / sizeof *ks; i++) {
        b->kdop.k = ks[i];
        refuse(w, copy, "");
    }
    *b = good;
    for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++) {
        b->kdop.leaf = leaves[i];
        refuse(w, copy, "");
    }
#define REFUSE_FIELD(field, value) \
    *b = good, b->field = (value); \
    refuse(w, copy, "")
    for (int i = 0; i < TEST_KDOPS; i++) {
        tmb_block other = good;
        other.kdop.k = test_kdops[i];
        if (good.triangle_count && tmb_kdop_parts_of(&other).end != tmb_kdop_parts_of(&good).end) {
            REFUSE_FIELD(kdop.k, test_kdops[i]);
        }
    }
    REFUSE_FIELD(kdop.tumble, TUMBLE_KDOP_TUMBLE_UNIT);
    REFUSE_FIELD(kdop.tumble, UINT32_MAX);
    REFUSE_FIELD(kdop.bare_leaves, 2);
    REFUSE_FIELD(kdop.bare_leaves, UINT32_MAX);
    REFUSE_FIELD(node_count, good.node_count + 1);
    REFUSE_FIELD(node_count, good.node_count + 2);
    REFUSE_FIELD(node_count, UINT64_MAX);
    REFUSE_FIELD(depth, UINT32_MAX);
    REFUSE_FIELD(depth, TMB_KDOP_DEPTH + 1);
    if (good.depth) {
        REFUSE_FIELD(depth, good.depth - 1);
        REFUSE_FIELD(node_count, good.node_count - 2);
    }
    if (good.triangle_count) {
        REFUSE_FIELD(node_count, 0);
        REFUSE_FIELD(kdop.vertex_count, good.kdop.vertex_count + 64);
        REFUSE_FIELD(kdop.vertex_count, UINT32_MAX);
        REFUSE_FIELD(kdop.hull_count, good.kdop.hull_count + 64);
        REFUSE_FIELD(kdop.hull_count, UINT32_MAX);
        REFUSE_FIELD(kdop.hull_links, good.kdop.hull_links + 64);
        REFUSE_FIELD(kdop.hull_links, UINT32_MAX);
        REFUSE_FIELD(kdop.hull_nodes, good.kdop.hull_nodes + 2);
        REFUSE_FIELD(kdop.hull_nodes, UINT32_MAX);
        REFUSE_FIELD(kdop.hull_levels, TUMBLE_KDOP_HULL_MOST + 1);
        REFUSE_FIELD(kdop.hull_levels, !good.kdop.hull_levels);
    }
#undef REFUSE_FIELD
    *b = good;
}

static void refuse_word(test_world *w, const block_copy *copy, uint32_t *word, uint32_t value, const char *words)
{
    const uint32_t before = *word;
    if (before != value) {
        *word = value;
        refuse(w, copy, words);
        *word = before;
    }
}

static void refuse_float(test_world *w, const block_copy *copy, uint32_t *word, float value, const char *words)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    refuse_word(w, copy, word, bits, words);
}

static uint32_t *part_of(const block_copy *copy, uint64_t part)
{
    return (uint32_t *)(void *)((char *)copy->block + copy->block->offsets[TMB_SECTION_NODES] + part);
}

/* Bounds that no local coordinates have; children in any other order, or anywhere else; leaves with other triangles. */
static void refuse_rows(test_world *w, const block_copy *copy)
{
    const tmb_block *block = copy->block;
    const uint32_t k = block->kdop.k, count = (uint32_t)block->node_count;
    const tmb_kdop_view tree = tmb_kdop_view_of(block, part_of(copy, 0));
    for (uint32_t i = 1; i <= count; i++) {
        uint32_t *links_of = (uint32_t *)tmb_kdop_links(&tree, i);
        static const float bad[] = {NAN, INFINITY, -INFINITY, 5, -5, 1e30F};
        for (uint32_t l = 0; l < k && !(links_of[1] && tree.has_bare_leaves); l++) {
            uint32_t *bounds = (uint32_t *)(void *)tmb_kdop_bounds(&tree, tmb_kdop_volume_of(&tree, i));
            refuse_float(w, copy, bounds + l, bad[(i + l) % 6], "bounds");
        }
        const uint32_t link = links_of[0], triangles = links_of[1];
        const uint32_t links[] = {link + 1, link - 1, 0, 1, i, count, count + 1, UINT32_MAX, UINT32_MAX - 1, 8 * count};
        for (size_t n = 0; n < sizeof links / sizeof *links; n++) {
            refuse_word(w, copy, &links_of[0], links[n], "");
        }
        const uint32_t counts[] = {triangles + 1, triangles - 1, 0, 1, block->kdop.leaf + 1, 256, UINT32_MAX};
        for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
            refuse_word(w, copy, &links_of[1], counts[n], "");
        }
    }
}

/* The last leaf as an inner node, with children behind the last row. */
static void refuse_children_behind(test_world *w, const block_copy *copy)
{
    const tmb_block *block = copy->block;
    const uint32_t count = (uint32_t)block->node_count;
    const tmb_kdop_view tree = tmb_kdop_view_of(block, part_of(copy, 0));
    uint32_t last = TMB_KDOP_ROOT;
    while (tmb_kdop_links(&tree, last)[1] == 0) {
        last = tmb_kdop_links(&tree, last)[0] + 1;
    }
    uint32_t *links = (uint32_t *)tmb_kdop_links(&tree, last);
    const uint32_t before[2] = {links[0], links[1]};
    links[0] = count + 1, links[1] = 0;
    refuse(w, copy, "no valid children");
    links[0] = before[0], links[1] = before[1];
}

/* ---- Damage of what lies behind the rows ---- */

static const float bad_floats[] = {NAN, INFINITY, -INFINITY, 5, -5};

static void refuse_lookups(test_world *w, const block_copy *copy)
{
    const uint32_t k = copy->block->kdop.k, rows = tmb_kdop_volumes(copy->block);
    uint32_t *records = part_of(copy, tmb_kdop_parts_of(copy->block).lookups);
    for (uint32_t i = 1; i <= rows; i++) {
        for (uint32_t n = 0; n < tmb_kdop_lookup_words(k); n++) {
            uint32_t *word = records + (size_t)i * tmb_kdop_lookup_words(k) + n;
            refuse_float(w, copy, word, bad_floats[(i + n) % 5], "lookup record out of range");
            if (n >= 3) { /* a length */
                refuse_float(w, copy, word, -0x1p-20F, "lookup record out of range");
            }
        }
    }
}

static void refuse_vertices(test_world *w, const block_copy *copy)
{
    const uint32_t rows = tmb_kdop_volumes(copy->block) + 1, most = tmb_kdop_set_of(copy->block->kdop.k)->corner_count;
    const tmb_kdop_parts parts = tmb_kdop_parts_of(copy->block);
    uint32_t *first = part_of(copy, parts.vertex_first), *vertices = part_of(copy, parts.vertices);
    refuse_word(w, copy, &first[0], 1, "vertices");
    refuse_word(w, copy, &first[1], 1, "vertices");
    refuse_word(w, copy, &first[rows], first[rows] + 1, "vertices");
    refuse_word(w, copy, &first[rows], first[rows] - 1, "vertices");
    for (uint32_t i = 2; i < rows; i++) {
        refuse_word(w, copy, &first[i], first[i - 1] + most + 1, "vertices");
        refuse_word(w, copy, &first[i], first[i - 1] - 1, "vertices");
        refuse_word(w, copy, &first[i], UINT32_MAX, "vertices");
    }
    for (uint32_t i = 0; i < 3 * copy->block->kdop.vertex_count; i++) {
        refuse_float(w, copy, &vertices[i], bad_floats[i % 5], "vertices out of range");
    }
}

static void refuse_hull_places(test_world *w, const block_copy *copy, tmb_kdop_hull_place *places)
{
    const tmb_kdop_root *root = &copy->block->kdop;
    for (uint32_t i = 0; i <= root->hull_nodes; i++) {
        const uint32_t before = i ? places[i - 1].node : 0;
        refuse_word(w, copy, &places[i].node, i < root->hull_nodes ? before : TMB_KDOP_ROOT, "convex hull");
        refuse_word(w, copy, &places[i].node, (uint32_t)copy->block->node_count + 1, "convex hull");
        refuse_word(w, copy, &places[i].point, i ? places[i - 1].point : 1, "convex hull");
        refuse_word(w, copy, &places[i].point, root->hull_count + 1, "convex hull");
        refuse_word(w, copy, &places[i].point, places[i].point + 1, "convex hull");
        refuse_word(w, copy, &places[i].link, places[i].link - 1, "convex hull");
        refuse_word(w, copy, &places[i].link, root->hull_links + 1, "convex hull");
    }
}

static void refuse_hulls(test_world *w, const block_copy *copy)
{
    const tmb_kdop_root *root = &copy->block->kdop;
    const tmb_kdop_parts parts = tmb_kdop_parts_of(copy->block);
    refuse_hull_places(w, copy, (tmb_kdop_hull_place *)part_of(copy, parts.hull_places));
    uint32_t *points = part_of(copy, parts.hull_points), *first = part_of(copy, parts.hull_first),
             *links = part_of(copy, parts.hull_links);
    for (uint32_t i = 0; i < 3 * root->hull_count; i++) {
        refuse_word(w, copy, &points[2 * i + 1], i % 2 ? 0x7ff00000 : 0xfff80000, "convex hull"); /* the upper half */
    }
    for (uint32_t i = 0; i < root->hull_count + root->hull_nodes; i++) {
        refuse_word(w, copy, &first[i], first[i] + 1, "convex hull");
        refuse_word(w, copy, &first[i], first[i] - 1, "convex hull");
        refuse_word(w, copy, &first[i], root->hull_links + 1, "convex hull");
    }
    for (uint32_t i = 0; i < root->hull_links; i++) {
        refuse_word(w, copy, &links[i], root->hull_count, "convex hull");
        refuse_word(w, copy, &links[i], links[i ? i - 1 : 1], "convex hull");
        refuse_word(w, copy, &links[i], UINT32_MAX, "convex hull");
    }
}

static void test_named_damage(void **state)
{
    test_world *w = *state;
    size_t lookups = 0, vertices = 0, hulls = 0, several = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        tumble_model *model = make_kind(w, kind);
        const block_copy copy = copy_of(model);
        refuse_header(w, &copy);
        if (copy.block->triangle_count) {
            refuse_rows(w, &copy);
            refuse_children_behind(w, &copy);
        }
        if (copy.block->triangle_count && copy.block->kdop.tumble == TUMBLE_KDOP_TUMBLE_LOOKUP) {
            refuse_lookups(w, &copy);
            lookups++;
        }
        if (copy.block->triangle_count && copy.block->kdop.tumble == TUMBLE_KDOP_TUMBLE_VERTICES) {
            refuse_vertices(w, &copy);
            vertices++;
        }
        if (copy.block->kdop.hull_links > 1) {
            refuse_hulls(w, &copy);
            several += copy.block->kdop.hull_nodes > 1;
            hulls++;
        }
        accept(w, &copy); /* everything was put back */
        free(copy.block);
        tumble_model_destroy(model);
    }
    assert_true(lookups > 2 && vertices > 2 && hulls > 2 && several > 2);
}

/* ---- Damage that may go unnoticed ---- */

/* All ways of walking with an accepted model; the answers are of no interest. */
static void use(test_world *w, test_random *random, const tumble_model *model, const tumble_model *other)
{
    tumble_model_info info;
    assert_int_equal(tumble_model_get_info(model, &info), TUMBLE_OK);
    for (int n = 0; n < 6; n++) {
        const tumble_model *b = n % 3 == 1 ? other : model;
        tumble_collide_options options = tumble_default_collide_options();
        tumble_collide_result result;
        test_tune(options, kdop_walk, test_any_walk(random, b, 1));
        const tumble_pose pose = test_special_turn(random, 18);
        const tumble_status status =
            tumble_collide(w->query, n % 3 == 0 ? other : model, NULL, b, &pose, &options, &result);
        assert_true(status == TUMBLE_OK || status == TUMBLE_ERROR_NOT_FINITE);
        assert_true(status != TUMBLE_OK || result.counters.box_updates <= b->block->node_count);
    }
}

/* One to three words anywhere in the header's part of the tree or in its section are changed. */
static void mutate(test_random *random, const block_copy *copy)
{
    static const float floats[] = {0, -0.0F, 1, -1, 4, -4, 0x1p-149F, NAN, INFINITY, 1e-6F, -1e-6F};
    static const uint32_t values[] = {0, 1, 2, 3, 7, 8, 255, 0x7fffffff, 0x80000000, 0xffffffff};
    uint32_t *words = (uint32_t *)(void *)copy->block;
    const size_t root = offsetof(tmb_block, kdop) / sizeof *words, start = copy->block->offsets[TMB_SECTION_NODES] / 4,
                 count = tmb_block_node_bytes(copy->block) / 4;
    for (int i = test_random_whole(random, 1, 3); i > 0; i--) {
        const size_t at = test_random_chance(random, 0.1) ? root + (size_t)test_random_whole(random, 0, 8)
                                                          : start + (size_t)test_random_bits(random) % count;
        switch (test_random_whole(random, 0, 5)) {
        case 0: words[at] = values[test_random_bits(random) % (sizeof values / sizeof *values)]; break;
        case 1: words[at] ^= 1u << test_random_whole(random, 0, 31); break;
        case 2: words[at] += (uint32_t)test_random_whole(random, -2, 2); break;
        case 3: words[at] = words[start + (size_t)test_random_bits(random) % count]; break;
        case 4: memcpy(&words[at], &floats[test_random_bits(random) % (sizeof floats / sizeof *floats)], 4); break;
        default: words[at] = (uint32_t)test_random_bits(random); break;
        }
    }
    seal(copy);
}

static void test_mutations(void **state)
{
    test_world *w = *state;
    test_random random = {98};
    size_t accepted = 0, refused = 0;
    for (int kind = 0; kind < 20; kind++) {
        tumble_model *model = make_kind(w, kind);
        const block_copy copy = copy_of(model), good = copy_of(model);
        for (size_t i = 0; i < test_count(1500); i++) {
            tumble_model *out;
            memcpy(copy.block, good.block, good.size);
            mutate(&random, &copy);
            const tumble_status status = from_block(w, &copy, 0, &out);
            if (status == TUMBLE_OK) {
                accepted++;
                use(w, &random, out, model);
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
    assert_true(accepted > test_count(500) && refused > test_count(500));
}

/* Rows whose upper bounds lie below their lower ones, by a little or by much: nodes of no size, or less. */
static void test_inverted_bounds(void **state)
{
    test_world *w = *state;
    test_random random = {97};
    for (int kind = 0; kind < 15; kind++) {
        tumble_model *model = make_kind(w, kind);
        const block_copy copy = copy_of(model);
        const uint32_t k = copy.block->kdop.k, rows = tmb_kdop_volumes(copy.block);
        const tmb_kdop_view tree = tmb_kdop_view_of(copy.block, part_of(&copy, 0));
        for (int size = 1; size < 12; size++) {
            for (uint32_t i = 1; i <= rows; i++) {
                for (uint32_t l = 0; l < k; l++) {
                    ((float *)tmb_kdop_bounds(&tree, i))[l] = -1.5F * powf(10, (float)-size);
                }
            }
            tumble_model *out;
            seal(&copy);
            if (from_block(w, &copy, 0, &out) == TUMBLE_OK) {
                for (int n = 0; n < 10; n++) {
                    use(w, &random, out, out);
                }
                tumble_model_destroy(out);
            }
        }
        free(copy.block);
        tumble_model_destroy(model);
    }
}

/* All triangles in one leaf, each in a cluster of its own with so many corners, and so many rows. */
static block_copy crowded_block(const tumble_model *model, uint32_t corners, uint32_t rows)
{
    const tmb_block *old = model->block;
    const uint32_t count = (uint32_t)old->triangle_count, k = old->kdop.k, units = tmb_cluster_units(corners, 1);
    tmb_block header = *old;
    header.points_are_float = 1;
    header.point_count = 1;
    header.cluster_count = count;
    header.cluster_units = (uint64_t)count * units;
    header.node_count = rows;
    header.depth = 0;
    header.kdop = (tmb_kdop_root){.k = k, .leaf = 255};
    memset(header.lower, 0, sizeof header.lower);
    memset(header.upper, 0, sizeof header.upper);
    assert_true(tmb_block_layout(&header, 0, 0, 0));
    const block_copy copy = new_block((size_t)header.total_bytes);
    *copy.block = header;
    tmb_cluster_place *places = (tmb_cluster_place *)(void *)((char *)copy.block + header.offsets[TMB_SECTION_PLACES]);
    for (uint32_t i = 0; i <= count; i++) {
        places[i] = (tmb_cluster_place){i * units, i < count ? tmb_cluster_triangles(i, 1) : 0};
    }
    uint32_t *row = (uint32_t *)(void *)((char *)copy.block + header.offsets[TMB_SECTION_NODES]) + tmb_kdop_words(k);
    row[k] = 0, row[k + 1] = count;
    return copy; /* all coordinates are 0 */
}

/* More than a leaf can have: corners, triangles; and rows that are no part of the tree. */
static void test_crowded_leaves(void **state)
{
    static const struct {
        size_t triangles;
        uint32_t corners, rows;
        const char *words; /* null: a good block */
    } cases[] = {{255, 3, 1, NULL},
                 {255, 16, 1, "cluster 0 has no valid size"},
                 {255, 4, 1, "cluster 0 has no valid size"},
                 {256, 3, 1, "too many triangles"},
                 {3000, 1, 1, "too many triangles"},
                 {255, 3, 3, "belongs to no parent"},
                 {20, 1, 5, "belongs to no parent"}};
    test_world *w = *state;
    test_random random = {96};
    for (size_t i = 0; i < TEST_KDOPS * (sizeof cases / sizeof *cases); i++) {
        const size_t n = i / TEST_KDOPS;
        const tumble_model_options options = test_kdop_options(test_kdops[i % TEST_KDOPS], 255, 0, 0);
        models_mesh mesh = {0};
        test_make_lattice(&mesh, &random, cases[n].triangles, 3, 3, 0);
        tumble_model *model = test_model(w->context, &mesh, &options), *out;
        const block_copy copy = crowded_block(model, cases[n].corners, cases[n].rows);
        if (cases[n].words) {
            refuse(w, &copy, cases[n].words);
        } else {
            seal(&copy);
            assert_int_equal(from_block(w, &copy, 0, &out), TUMBLE_OK);
            if (i == 0) { /* once: every triangle meets every other */
                use(w, &random, out, out);
            }
            tumble_model_destroy(out);
        }
        free(copy.block);
        tumble_model_destroy(model);
        models_free(&mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_round_trip),      TEST_IN_WORLD(test_named_damage),   TEST_IN_WORLD(test_mutations),
        TEST_IN_WORLD(test_inverted_bounds), TEST_IN_WORLD(test_crowded_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
