#include "scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int test_world_begin(void **state)
{
    test_world *world = calloc(1, sizeof *world);
    assert_non_null(world);
    test_allocator_begin(&world->memory);
    world->context = test_context(&world->memory, 1, TUMBLE_SIMD_AUTO);
    assert_int_equal(tumble_query_create(world->context, &world->query), TUMBLE_OK);
    *state = world;
    return 0;
}

int test_world_end(void **state)
{
    test_world *world = *state;
    tumble_query_destroy(world->query);
    tumble_context_destroy(world->context);
    test_allocator_end(&world->memory);
    free(world);
    return 0;
}

size_t test_fail_each(test_world *w, test_failing how, test_action *act, test_sequel *after, void *user)
{
    for (size_t n = 1;; n++) {
        const size_t live = test_allocator_live(&w->memory);
        test_allocator_fail(&w->memory, n, how == TEST_FAIL_TAKING_TURNS ? (int)(n % 2) : how == TEST_FAIL_WITH_ALL);
        const tumble_status status = act(w, user);
        const size_t failures = test_allocator_failures(&w->memory);
        test_allocator_fail(&w->memory, 0, 0);
        if (after) {
            after(w, user, status);
        }
        assert_int_equal(test_allocator_live(&w->memory), live);
        assert_int_equal(status, failures ? TUMBLE_ERROR_MEMORY : TUMBLE_OK);
        if (!failures) {
            return n - 1;
        }
    }
}

void test_open_levels(test_allocator *memory, tumble_context *contexts[TEST_LEVELS], tumble_query *queries[TEST_LEVELS])
{
    static const tumble_simd levels[TEST_LEVELS] = {TUMBLE_SIMD_SCALAR, TUMBLE_SIMD_AVX2, TUMBLE_SIMD_AVX512};
    for (int i = 0; i < TEST_LEVELS; i++) {
        contexts[i] = test_context(memory, 1, levels[i]);
        assert_int_equal(tumble_query_create(contexts[i], &queries[i]), TUMBLE_OK);
    }
    assert_int_equal(tumble_context_simd(contexts[0]), TUMBLE_SIMD_SCALAR);
}

void test_close_levels(tumble_context *contexts[TEST_LEVELS], tumble_query *queries[TEST_LEVELS])
{
    for (int i = 0; i < TEST_LEVELS; i++) {
        tumble_query_destroy(queries[i]);
        tumble_context_destroy(contexts[i]);
    }
}

const char *test_message(const tumble_context *context)
{
    static char text[512];
    tumble_last_error(context, text, sizeof text);
    return text;
}

void test_assert_status(const tumble_context *context, tumble_status status, tumble_status expected, const char *words)
{
    if (status != expected) {
        fail_msg("%s instead of %s: %s", tumble_status_name(status), tumble_status_name(expected),
                 status == TUMBLE_OK ? "" : test_message(context));
    }
    if (expected == TUMBLE_OK) {
        return;
    }
    assert_int_equal(tumble_last_error(context, NULL, 0), expected);
    if (!strstr(test_message(context), words)) {
        fail_msg("the message \"%s\" does not say \"%s\"", test_message(context), words);
    }
}

/* ---- Models ---- */

tumble_model *test_model(tumble_context *context, const models_mesh *mesh, const tumble_model_options *options)
{
    const tumble_mesh view = models_view(mesh);
    tumble_model *model = NULL;
    test_assert_status(context, tumble_model_create(context, &view, options, &model), TUMBLE_OK, "");
    assert_non_null(model);
    return model;
}

tumble_model *test_brute_model(tumble_context *context, const models_mesh *mesh)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = TUMBLE_HIERARCHY_BRUTE;
    return test_model(context, mesh, &options);
}

tumble_status test_create_model(test_world *w, void *job)
{
    const test_model_job *j = job;
    tumble_model *model = NULL;
    const tumble_status status = tumble_model_create(w->context, &j->mesh, &j->options, &model);
    assert_int_equal(model != NULL, status == TUMBLE_OK);
    tumble_model_destroy(model);
    return status;
}

int test_same_blocks(const tumble_model *a, const tumble_model *b)
{
    size_t size_a, size_b;
    const void *block_a = tumble_model_block(a, &size_a), *block_b = tumble_model_block(b, &size_b);
    return size_a == size_b && memcmp(block_a, block_b, size_a) == 0;
}

void test_assert_same_blocks(const tumble_model *a, const tumble_model *b)
{
    size_t size_a, size_b;
    const void *block_a = tumble_model_block(a, &size_a), *block_b = tumble_model_block(b, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(block_a, block_b, size_a);
}

void test_assert_same_info(const tumble_model_info *a, const tumble_model_info *b)
{
    assert_int_equal(a->polygon_count, b->polygon_count);
    assert_int_equal(a->triangle_count, b->triangle_count);
    assert_int_equal(a->point_count, b->point_count);
    assert_int_equal(a->surface_count, b->surface_count);
    assert_int_equal(a->degenerate_count, b->degenerate_count);
    assert_int_equal(a->closed, b->closed);
    assert_int_equal(a->points_are_float, b->points_are_float);
    assert_int_equal(a->deformable, b->deformable);
    assert_memory_equal(a->lower, b->lower, sizeof a->lower);
    assert_memory_equal(a->upper, b->upper, sizeof a->upper);
    assert_int_equal(a->hierarchy, b->hierarchy);
    assert_int_equal(a->node_count, b->node_count);
    assert_int_equal(a->depth, b->depth);
    assert_int_equal(a->hierarchy_bytes, b->hierarchy_bytes);
    assert_int_equal(a->total_bytes, b->total_bytes);
    assert_true(a->build_seconds == b->build_seconds);
}

tumble_model_info test_info(const tumble_model *model)
{
    tumble_model_info info;
    assert_int_equal(tumble_model_get_info(model, &info), TUMBLE_OK);
    return info;
}

void test_assert_same_facts(const tumble_model_info *a, const tumble_model_info *b)
{
    assert_int_equal(a->polygon_count, b->polygon_count);
    assert_int_equal(a->triangle_count, b->triangle_count);
    assert_int_equal(a->surface_count, b->surface_count);
    assert_int_equal(a->degenerate_count, b->degenerate_count);
    assert_int_equal(a->closed, b->closed);
    assert_int_equal(a->points_are_float, b->points_are_float);
    assert_memory_equal(a->lower, b->lower, sizeof a->lower);
    assert_memory_equal(a->upper, b->upper, sizeof a->upper);
}

tumble_model *test_brute_copy(tumble_context *context, const tumble_model *model)
{
    models_mesh mesh = {0};
    double corners[3][3];
    const size_t count = test_info(model).triangle_count;
    for (size_t i = 0; i < count; i++) {
        uint32_t points[3];
        assert_int_equal(tumble_model_triangle(model, (uint32_t)i, corners, NULL), TUMBLE_OK);
        for (int k = 0; k < 3; k++) {
            points[k] = models_point(&mesh, corners[k][0], corners[k][1], corners[k][2]);
        }
        models_triangle(&mesh, points[0], points[1], points[2]);
    }
    tumble_model *copy = test_brute_model(context, &mesh);
    models_free(&mesh);
    return copy;
}

static const tumble_kdop_options kdops[TEST_KDOP_VARIANTS] = {
    {.k = 6, .split = TUMBLE_KDOP_SPLIT_SPLATTER, .at = TUMBLE_KDOP_AT_MEAN, .leaf = 8},
    {.k = 6,
     .split = TUMBLE_KDOP_SPLIT_LONGEST,
     .leaf = 1,
     .tumble = TUMBLE_KDOP_TUMBLE_LOOKUP,
     .hull = 1,
     .bare_leaves = 1},
    {.k = 6, .split = TUMBLE_KDOP_SPLIT_MIN_SUM, .leaf = 2, .tumble = TUMBLE_KDOP_TUMBLE_VERTICES},
    {.k = 12, .split = TUMBLE_KDOP_SPLIT_LONGEST, .at = TUMBLE_KDOP_AT_MEDIAN, .all_directions = 1, .leaf = 3},
    {.k = 12, .split = TUMBLE_KDOP_SPLIT_SPLATTER, .leaf = 8, .tumble = TUMBLE_KDOP_TUMBLE_LOOKUP, .bare_leaves = 1},
    {.k = 12, .split = TUMBLE_KDOP_SPLIT_MIN_MAX, .leaf = 1, .tumble = TUMBLE_KDOP_TUMBLE_VERTICES, .hull = 3},
    {.k = 14, .split = TUMBLE_KDOP_SPLIT_MIN_SUM, .at = TUMBLE_KDOP_AT_BEST, .leaf = 1, .hull = 1},
    {.k = 14, .split = TUMBLE_KDOP_SPLIT_MIN_MAX, .leaf = 40, .tumble = TUMBLE_KDOP_TUMBLE_LOOKUP},
    {.k = 14, .all_directions = 1, .leaf = 8, .tumble = TUMBLE_KDOP_TUMBLE_VERTICES, .bare_leaves = 1},
    {.k = 18, .split = TUMBLE_KDOP_SPLIT_SPLATTER, .at = TUMBLE_KDOP_AT_MEAN, .leaf = 8},
    {.k = 18, .split = TUMBLE_KDOP_SPLIT_MIN_SUM, .estimate = 1, .leaf = 1, .tumble = TUMBLE_KDOP_TUMBLE_LOOKUP},
    {.k = 18,
     .at = TUMBLE_KDOP_AT_MEDIAN,
     .leaf = 5,
     .tumble = TUMBLE_KDOP_TUMBLE_VERTICES,
     .hull = 1,
     .bare_leaves = 1},
    {.k = 26, .split = TUMBLE_KDOP_SPLIT_MIN_MAX, .estimate = 1, .leaf = 16, .bare_leaves = 1},
    {.k = 26, .at = TUMBLE_KDOP_AT_BEST, .leaf = 8, .tumble = TUMBLE_KDOP_TUMBLE_LOOKUP, .hull = 16},
    {.k = 26, .split = TUMBLE_KDOP_SPLIT_LONGEST, .leaf = 1, .tumble = TUMBLE_KDOP_TUMBLE_VERTICES}};

static tumble_boxtree_options boxtree_variant(size_t variant)
{
    static const double trims[] = {0, 0.5, 0.9, 1};
    const size_t planes = (variant >> 1 ^ variant >> 3 ^ variant >> 4) & 1; /* each, beside each other option */
    return (tumble_boxtree_options){.layout = variant & 1 ? TUMBLE_BOXTREE_TWO_PLANES : TUMBLE_BOXTREE_ONE_PLANE,
                                    .axes = variant & 2 ? TUMBLE_BOXTREE_LONGEST_AXIS : TUMBLE_BOXTREE_ALL_AXES,
                                    .criterion = variant & 4 ? TUMBLE_BOXTREE_VOLUME_COUNT : TUMBLE_BOXTREE_VOLUME,
                                    .growth =
                                        variant & 8 ? TUMBLE_BOXTREE_GROW_RUNNING : TUMBLE_BOXTREE_GROW_FROM_SEEDS,
                                    .planes = planes ? TUMBLE_BOXTREE_PLANES_PARALLEL : TUMBLE_BOXTREE_PLANES_ANY,
                                    .trim = trims[variant >> 4 & 3]};
}

static const tumble_rtree_options rtrees[TEST_RTREE_VARIANTS] = {
    {TUMBLE_RTREE_LOAD_HALVES, 8}, {TUMBLE_RTREE_LOAD_STR, 8},     {TUMBLE_RTREE_LOAD_HILBERT, 8},
    {TUMBLE_RTREE_LOAD_INSERT, 8}, {TUMBLE_RTREE_LOAD_GUTTMAN, 8}, {TUMBLE_RTREE_LOAD_GUTTMAN_LINEAR, 8},
    {TUMBLE_RTREE_LOAD_HALVES, 2}, {TUMBLE_RTREE_LOAD_INSERT, 3},  {TUMBLE_RTREE_LOAD_GUTTMAN, 32},
    {TUMBLE_RTREE_LOAD_STR, 16},   {TUMBLE_RTREE_LOAD_HILBERT, 5}, {TUMBLE_RTREE_LOAD_INSERT, 20}};

tumble_model_options test_tree_variant(size_t variant)
{
    tumble_model_options options = tumble_default_model_options();
    if (variant >= TEST_TREE_RTREE) {
        options.hierarchy = TUMBLE_HIERARCHY_RTREE;
        test_tune(options, rtree, rtrees[variant - TEST_TREE_RTREE]);
    } else if (variant >= TEST_TREE_KDOP) {
        options.hierarchy = TUMBLE_HIERARCHY_KDOP;
        test_tune(options, kdop, kdops[variant - TEST_TREE_KDOP]);
    } else if (variant >= TEST_TREE_WIDE) {
        options.hierarchy = TUMBLE_HIERARCHY_WIDE;
        test_tune(options, wide.axes, variant == TEST_TREE_WIDE ? TUMBLE_WIDE_ALL_AXES : TUMBLE_WIDE_LONGEST_AXIS);
    } else {
        options.hierarchy = TUMBLE_HIERARCHY_BOXTREE;
        test_tune(options, boxtree, boxtree_variant(variant));
    }
    return options;
}

static void name_kdop(const tumble_kdop_options *tree, char *name, size_t size)
{
#define WORD(name, number, word, text) word,
    static const char *const splits[] = {TUMBLE_KDOP_SPLIT_LIST(WORD)}, *const places[] = {TUMBLE_KDOP_AT_LIST(WORD)},
                             *const tumblings[] = {TUMBLE_KDOP_TUMBLE_LIST(WORD)};
#undef WORD
    snprintf(name, size, "kdop %u, %s at %s%s%s, leaf %u, keeps %s%s%s", tree->k, splits[tree->split], places[tree->at],
             tree->all_directions ? ", all directions" : "", tree->estimate ? ", estimated" : "", tree->leaf,
             tumblings[tree->tumble],
             tree->hull == 0   ? ""
             : tree->hull == 1 ? ", hull"
                               : ", hulls",
             tree->bare_leaves ? ", bare" : "");
}

static void name_rtree(const tumble_rtree_options *tree, char *name, size_t size)
{
#define NAME(name, number, word, text) word,
    static const char *const names[] = {TUMBLE_RTREE_LOAD_LIST(NAME)};
#undef NAME
    snprintf(name, size, "rtree, %s, width %u", names[tree->load], tree->width);
}

const char *test_tree_name(size_t variant)
{
    static char names[4][100];
    static unsigned next;
    char *name = names[next++ % 4];
    const tumble_model_options options = test_tree_variant(variant);
    const tumble_boxtree_options tree = options.tuning->boxtree;
    if (options.hierarchy == TUMBLE_HIERARCHY_WIDE) {
        return variant == TEST_TREE_WIDE ? "wide" : "wide, longest axis";
    }
    if (options.hierarchy == TUMBLE_HIERARCHY_RTREE) {
        name_rtree(&options.tuning->rtree, name, sizeof names[0]);
        return name;
    }
    if (options.hierarchy == TUMBLE_HIERARCHY_KDOP) {
        name_kdop(&options.tuning->kdop, name, sizeof names[0]);
        return name;
    }
    snprintf(name, sizeof names[0], "%s planes, %s, %s, %s, %s, trim %g", tree.layout ? "two" : "one",
             tree.axes ? "longest axis" : "all axes", tree.criterion ? "volume-count" : "volume",
             tree.growth ? "running" : "seeds", tree.planes ? "parallel" : "any side", tree.trim);
    return name;
}

/* ---- Queries ---- */

/* B's tables and vertices are used by AUTO where it keeps them, and so is its hull. */
static const struct {
    tumble_overlap overlap;
    tumble_direction direction;
    tumble_descent descent;
    tumble_kdop_walk kdop;
    const char *name;
} questions[TEST_OVERLAP_VARIANTS] = {
    {TUMBLE_OVERLAP_AUTO,
     TUMBLE_DIRECTION_B_INTO_A,
     TUMBLE_DESCENT_LARGER,
     {.traversal = TUMBLE_KDOP_TRAVERSAL_BOTH, .mixed = TUMBLE_KDOP_MIXED_PRIMITIVES},
     "auto, larger; auto, both, primitives"},
    {TUMBLE_OVERLAP_AXES,
     TUMBLE_DIRECTION_B_INTO_A,
     TUMBLE_DESCENT_BOTH,
     {.tumble = TUMBLE_KDOP_TUMBLE_UNIT},
     "axes B into A, descend both; unit, environment, volumes"},
    {TUMBLE_OVERLAP_AXES,
     TUMBLE_DIRECTION_A_INTO_B,
     TUMBLE_DESCENT_LARGER,
     {.tumble = TUMBLE_KDOP_TUMBLE_AXES, .mixed = TUMBLE_KDOP_MIXED_PRIMITIVES},
     "axes A into B, larger; axes, environment, primitives"},
    {TUMBLE_OVERLAP_AXES,
     TUMBLE_DIRECTION_BOTH,
     TUMBLE_DESCENT_LARGER,
     {.traversal = TUMBLE_KDOP_TRAVERSAL_RESTART},
     "axes both, larger; auto, restart, volumes"},
    {TUMBLE_OVERLAP_TABLES,
     TUMBLE_DIRECTION_B_INTO_A,
     TUMBLE_DESCENT_BOTH,
     {.tumble = TUMBLE_KDOP_TUMBLE_UNIT,
      .traversal = TUMBLE_KDOP_TRAVERSAL_RESTART,
      .mixed = TUMBLE_KDOP_MIXED_PRIMITIVES},
     "tables B into A, descend both; unit, restart, primitives"},
    {TUMBLE_OVERLAP_TABLES,
     TUMBLE_DIRECTION_A_INTO_B,
     TUMBLE_DESCENT_LARGER,
     {.tumble = TUMBLE_KDOP_TUMBLE_AXES, .traversal = TUMBLE_KDOP_TRAVERSAL_BOTH, .root = TUMBLE_KDOP_ROOT_SAME},
     "tables A into B, larger; axes, both, volumes, the root as well"},
    {TUMBLE_OVERLAP_TABLES,
     TUMBLE_DIRECTION_BOTH,
     TUMBLE_DESCENT_LARGER,
     {.epsilon = 0.01},
     "tables both, larger; auto, environment, epsilon"},
    {TUMBLE_OVERLAP_SAT,
     TUMBLE_DIRECTION_B_INTO_A,
     TUMBLE_DESCENT_LARGER,
     {.traversal = TUMBLE_KDOP_TRAVERSAL_BOTH, .root = TUMBLE_KDOP_ROOT_SAME},
     "sat, larger; auto, both, volumes, the root as well"},
    {TUMBLE_OVERLAP_SAT_LITE,
     TUMBLE_DIRECTION_A_INTO_B,
     TUMBLE_DESCENT_BOTH,
     {.mixed = TUMBLE_KDOP_MIXED_PRIMITIVES},
     "sat-lite, descend both; auto, environment, primitives"},
    {TUMBLE_OVERLAP_SAT,
     TUMBLE_DIRECTION_B_INTO_A,
     TUMBLE_DESCENT_BOTH,
     {.traversal = TUMBLE_KDOP_TRAVERSAL_RESTART, .epsilon = 0.001},
     "sat, descend both; auto, restart, volumes, epsilon"},
};

tumble_collide_options test_overlap_variant(size_t variant)
{
    tumble_collide_options options = tumble_default_collide_options();
    tumble_tuning tuning = tumble_default_tuning();
    tuning.boxtree_walk.overlap = questions[variant].overlap;
    tuning.boxtree_walk.direction = questions[variant].direction;
    tuning.boxtree_walk.descent = questions[variant].descent;
    tuning.kdop_walk = questions[variant].kdop;
    tuning.rtree_walk.probe = (tumble_rtree_probe)(variant % 3);
    tuning.rtree_walk.whole = variant / 3 == 1;
    tuning.rtree_walk.single = variant / 3 == 2;
    options.tuning = test_keep_tuning(&tuning);
    return options;
}

const char *test_overlap_name(size_t variant)
{
    return questions[variant].name;
}

tumble_collide_result test_collide(tumble_query *query, const tumble_model *a, const tumble_pose *pose_a,
                                   const tumble_model *b, const tumble_pose *pose_b,
                                   const tumble_collide_options *options, test_pairs *pairs)
{
    tumble_collide_result result;
    tumble_collide_options all = options ? *options : tumble_default_collide_options();
    all.mode = TUMBLE_ALL;
    for (;;) {
        all.pairs = pairs->items;
        all.pair_capacity = pairs->capacity;
        const tumble_status status = tumble_collide(query, a, pose_a, b, pose_b, &all, &result);
        if (status != TUMBLE_OK) {
            fail_msg("%s", tumble_status_name(status));
        }
        pairs->count = (size_t)result.pair_count;
        if (pairs->count <= pairs->capacity) {
            return result;
        }
        pairs->capacity = 2 * pairs->count;
        free(pairs->items);
        pairs->items = malloc(pairs->capacity * sizeof *pairs->items);
        assert_non_null(pairs->items);
    }
}

void test_free_pairs(test_pairs *pairs)
{
    free(pairs->items);
    memset(pairs, 0, sizeof *pairs);
}

int test_has_pair(const test_pairs *pairs, tumble_pair wanted)
{
    size_t low = 0, high = pairs->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const tumble_pair p = pairs->items[middle];
        if (p.polygon_a < wanted.polygon_a || (p.polygon_a == wanted.polygon_a && p.polygon_b < wanted.polygon_b)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < pairs->count && pairs->items[low].polygon_a == wanted.polygon_a &&
           pairs->items[low].polygon_b == wanted.polygon_b;
}

int test_same_work(const tumble_counters *a, const tumble_counters *b)
{
    return a->box_tests == b->box_tests && a->box_updates == b->box_updates &&
           a->primitive_tests == b->primitive_tests && a->exact_tests == b->exact_tests &&
           a->bytes_touched == b->bytes_touched;
}

static int same_pair(tumble_pair a, tumble_pair b)
{
    return a.polygon_a == b.polygon_a && a.polygon_b == b.polygon_b;
}

void test_assert_same_pairs(const test_pairs *found, const test_pairs *expected, const char *format, ...)
{
    size_t i = 0;
    while (i < found->count && i < expected->count && same_pair(found->items[i], expected->items[i])) {
        i++;
    }
    if (i == found->count && i == expected->count) {
        return;
    }
    char text[400], first[2][40] = {"no more", "no more"};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const test_pairs *lists[2] = {found, expected};
    for (int k = 0; k < 2; k++) {
        if (i < lists[k]->count) {
            snprintf(first[k], sizeof first[k], "(%u, %u)", lists[k]->items[i].polygon_a, lists[k]->items[i].polygon_b);
        }
    }
    fail_msg("%s: %zu pairs instead of %zu; number %zu is %s instead of %s", text, found->count, expected->count, i,
             first[0], first[1]);
}

/* ---- Meshes ---- */

void test_make_soup(models_mesh *mesh, test_random *random, size_t triangles, double size)
{
    for (size_t i = 0; i < triangles; i++) {
        uint32_t corners[3];
        double centre[3];
        for (int k = 0; k < 3; k++) {
            centre[k] = 2 * test_random_unit(random) - 1;
        }
        for (int j = 0; j < 3; j++) {
            double p[3];
            for (int k = 0; k < 3; k++) {
                p[k] = centre[k] + size * (test_random_unit(random) - 0.5);
            }
            corners[j] = models_point(mesh, p[0], p[1], p[2]);
        }
        models_triangle(mesh, corners[0], corners[1], corners[2]);
    }
    assert_false(mesh->failed);
}

void test_make_lattice(models_mesh *mesh, test_random *random, size_t triangles, int range, int size, double degenerate)
{
    for (size_t i = 0; i < triangles; i++) {
        uint32_t corners[3];
        int p[3];
        for (int k = 0; k < 3; k++) {
            p[k] = test_random_whole(random, -range, range);
        }
        corners[0] = models_point(mesh, p[0], p[1], p[2]);
        const int dimension = test_random_chance(random, degenerate) ? test_random_whole(random, 0, 1) : 2;
        for (int j = 1; j < 3; j++) {
            int step[3];
            for (int k = 0; k < 3; k++) {
                step[k] = test_random_whole(random, -size, size);
            }
            corners[j] = dimension >= j ? models_point(mesh, p[0] + step[0], p[1] + step[1], p[2] + step[2])
                                        : corners[test_random_whole(random, 0, j - 1)];
        }
        models_triangle(mesh, corners[0], corners[1], corners[2]);
    }
    assert_false(mesh->failed);
}

/* Point (i, j) of a face; the third coordinate is 0 or n. */
static uint32_t face_point(models_mesh *mesh, uint32_t axis, uint32_t i, uint32_t j, uint32_t height)
{
    double p[3];
    p[axis] = height;
    p[(axis + 1) % 3] = i;
    p[(axis + 2) % 3] = j;
    return models_point(mesh, p[0], p[1], p[2]);
}

void test_make_grid_box(models_mesh *mesh, uint32_t n)
{
    for (uint32_t face = 0; face < 6; face++) {
        const uint32_t axis = face / 2, height = face % 2 ? n : 0;
        for (uint32_t i = 0; i < n; i++) {
            for (uint32_t j = 0; j < n; j++) {
                const uint32_t a = face_point(mesh, axis, i, j, height), b = face_point(mesh, axis, i + 1, j, height);
                const uint32_t c = face_point(mesh, axis, i + 1, j + 1, height);
                const uint32_t d = face_point(mesh, axis, i, j + 1, height);
                if (face % 2) {
                    models_triangle(mesh, a, b, c);
                    models_triangle(mesh, a, c, d);
                } else {
                    models_triangle(mesh, a, c, b);
                    models_triangle(mesh, a, d, c);
                }
            }
        }
    }
    assert_false(mesh->failed);
}

void test_make_patch(models_mesh *mesh, uint32_t n, const double u[3], const double v[3], const double centre[3],
                     double size)
{
    const uint32_t first = (uint32_t)mesh->point_count;
    for (uint32_t i = 0; i <= n; i++) {
        for (uint32_t j = 0; j <= n; j++) {
            double p[3];
            for (int k = 0; k < 3; k++) {
                p[k] = centre[k] + size * ((2.0 * i / n - 1) * u[k] + (2.0 * j / n - 1) * v[k]);
            }
            models_point(mesh, p[0], p[1], p[2]);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            const uint32_t a = first + i * (n + 1) + j, b = a + n + 1;
            models_triangle(mesh, a, b, a + 1);
            models_triangle(mesh, b, b + 1, a + 1);
        }
    }
}

int test_make_shape(models_mesh *mesh, const models_shape *shape, size_t triangles)
{
    assert_true(models_make_sized(mesh, shape->name, triangles));
    const int small = models_triangle_count(mesh) < 2 * triangles + 1000;
    if (!small) {
        models_free(mesh);
    }
    return small;
}

void test_transform(models_mesh *mesh, double scale, const double shift[3])
{
    for (size_t i = 0; i < 3 * mesh->point_count; i++) {
        mesh->points[i] = mesh->points[i] * scale + shift[i % 3];
    }
}

/* ---- Poses ---- */

tumble_pose test_quarter_turn(size_t number)
{
    static const int permutations[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    const int *to = permutations[number / 4 % 6];
    const int odd = number / 4 % 6 >= 3;
    const unsigned minus = (unsigned)(number % 4);
    tumble_pose pose = {{{0}}};
    for (int k = 0; k < 3; k++) {
        /* an even number of signs for an even permutation, an odd one for an odd */
        const unsigned negative = k < 2 ? minus >> k & 1 : ((minus ^ minus >> 1) & 1) ^ (unsigned)odd;
        pose.m[to[k]][k] = negative ? -1 : 1;
    }
    return pose;
}

tumble_pose test_rational_turn(test_random *random)
{
    int w, x, y, z, n;
    do {
        w = test_random_whole(random, -9, 9), x = test_random_whole(random, -9, 9);
        y = test_random_whole(random, -9, 9), z = test_random_whole(random, -9, 9);
        n = w * w + x * x + y * y + z * z;
    } while (n == 0);
    const int m[3][3] = {{n - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                         {2 * (x * y + w * z), n - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                         {2 * (x * z - w * y), 2 * (y * z + w * x), n - 2 * (x * x + y * y)}};
    tumble_pose pose = {{{0}}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            pose.m[i][j] = (double)m[i][j] / n;
        }
    }
    return pose;
}

tumble_pose test_translation(double x, double y, double z)
{
    tumble_pose pose = tumble_pose_identity();
    pose.m[0][3] = x, pose.m[1][3] = y, pose.m[2][3] = z;
    return pose;
}
