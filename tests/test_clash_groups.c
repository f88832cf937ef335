/* Groups of clashes: covers against all subsets of vertices, and groups against their definitions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clash/cover.h"
#include "scenes.h"
#include "tumble/clash.h"

/* ---- covers ---- */

static int is_cover(const tmb_edge *edges, size_t count, const uint8_t *covers)
{
    for (size_t i = 0; i < count; i++) {
        if (!covers[edges[i].a] && !covers[edges[i].b]) {
            return 0;
        }
    }
    return 1;
}

static size_t size_of(const uint8_t *covers, size_t count)
{
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        size += covers[i];
    }
    return size;
}

/* By trying all sets. */
static size_t least_cover(const tmb_edge *edges, size_t edge_count, size_t vertex_count)
{
    size_t least = vertex_count;
    for (uint32_t set = 0; set < 1u << vertex_count; set++) {
        uint8_t covers[16];
        for (size_t i = 0; i < vertex_count; i++) {
            covers[i] = set >> i & 1;
        }
        if (is_cover(edges, edge_count, covers) && size_of(covers, vertex_count) < least) {
            least = size_of(covers, vertex_count);
        }
    }
    return least;
}

static size_t make_edges(tmb_edge *edges, size_t most, size_t vertex_count, test_random *random)
{
    const size_t count = (size_t)test_random_whole(random, 0, (int)most);
    for (size_t i = 0; i < count; i++) {
        edges[i].a = (uint32_t)test_random_whole(random, 0, (int)vertex_count - 1);
        edges[i].b =
            (uint32_t)(((int)edges[i].a + test_random_whole(random, 1, (int)vertex_count - 1)) % (int)vertex_count);
    }
    return count;
}

static void test_small_covers(void **state)
{
    test_world *w = *state;
    test_random random = {2201};
    for (size_t round = 0; round < test_count(300); round++) {
        tmb_edge edges[40];
        uint8_t covers[16];
        const size_t vertices = (size_t)test_random_whole(&random, 2, 12);
        const size_t count = make_edges(edges, 3 * vertices, vertices, &random);
        assert_true(tmb_cover(w->context, edges, count, vertices, covers));
        assert_true(is_cover(edges, count, covers));
        assert_int_equal(size_of(covers, vertices), least_cover(edges, count, vertices));
    }
}

/* Trees of any size are covered by as few vertices as a matching has edges; other graphs at least by a cover. */
static void test_large_covers(void **state)
{
    test_world *w = *state;
    test_random random = {2202};
    enum {
        VERTICES = 3000
    };
    static tmb_edge edges[5 * VERTICES];
    static uint8_t covers[VERTICES], matched[VERTICES];
    size_t pairs = 0;
    for (uint32_t i = 1; i < VERTICES; i++) {
        edges[i - 1] = (tmb_edge){(uint32_t)test_random_whole(&random, 0, (int)i - 1), i};
    }
    for (size_t i = VERTICES - 1; i-- > 0;) { /* from the leaves: edge i leads to vertex i + 1 */
        if (!matched[edges[i].a] && !matched[edges[i].b]) {
            matched[edges[i].a] = matched[edges[i].b] = 1;
            pairs++;
        }
    }
    assert_true(tmb_cover(w->context, edges, VERTICES - 1, VERTICES, covers));
    assert_true(is_cover(edges, VERTICES - 1, covers));
    assert_int_equal(size_of(covers, VERTICES), pairs);
    const size_t count = make_edges(edges, 5 * VERTICES, VERTICES, &random);
    assert_true(tmb_cover(w->context, edges, count, VERTICES, covers));
    assert_true(is_cover(edges, count, covers));
}

/* ---- groups ---- */

enum {
    PARTS = 30
};

/* Boxes strewn about, of three classes, on two floors. */
static tumble_assembly *strew(tumble_context *context, test_random *random)
{
    tumble_assembly *assembly;
    models_mesh box = {0};
    uint32_t model;
    assert_int_equal(tumble_assembly_create(context, &assembly), TUMBLE_OK);
    test_make_grid_box(&box, 1);
    const tumble_mesh mesh = models_view(&box);
    assert_int_equal(tumble_assembly_add_mesh(assembly, &mesh, &model), TUMBLE_OK);
    for (int i = 0; i < PARTS; i++) {
        static const char *const classes[] = {"", "IfcWall", "IfcPipe"};
        char path[64];
        snprintf(path, sizeof path, "house/floor %d/%d/part", i % 2, i % 5);
        double transform[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
        for (int j = 0; j < 3; j++) {
            transform[4 * j + 3] = test_random_whole(random, 0, 12) * 0.5;
        }
        const tumble_assembly_item item = {.name = "part",
                                           .path = path,
                                           .file = "house",
                                           .class_name = classes[i % 3],
                                           .model = model,
                                           .transform = transform};
        assert_int_equal(tumble_assembly_add(assembly, &item), TUMBLE_OK);
    }
    models_free(&box);
    return assembly;
}

/* Every clash is in the group that says so, and in no other; the largest come first. */
static void check_groups(const tumble_clash_result *result)
{
    size_t members = 0;
    for (uint32_t i = 0; i < result->group_count; i++) {
        const tumble_clash_group *group = &result->groups[i];
        tumble_severity gravest = TUMBLE_SEVERITY_INFO;
        assert_true(group->clash_count > 0);
        assert_true(i == 0 || group->clash_count <= group[-1].clash_count);
        for (size_t j = 0; j < group->clash_count; j++) {
            const tumble_clash *clash = &result->clashes[group->clashes[j]];
            assert_int_equal(clash->group, i);
            assert_true(j == 0 || group->clashes[j] > group->clashes[j - 1]);
            gravest = clash->severity > gravest ? clash->severity : gravest;
        }
        assert_int_equal(group->severity, gravest);
        assert_int_equal(strlen(group->id), 32);
        members += group->clash_count;
    }
    assert_int_equal(members, result->clash_count);
}

static double square_between(const tumble_clash *a, const tumble_clash *b)
{
    double square = 0;
    for (int i = 0; i < 3; i++) {
        square += (a->point[i] - b->point[i]) * (a->point[i] - b->point[i]);
    }
    return square;
}

/* Spreads the least number along steps until nothing changes. */
static void check_near(const tumble_clash_result *result, double radius)
{
    const size_t count = result->clash_count;
    size_t *labels = malloc((count + 1) * sizeof *labels);
    int changed = 1;
    assert_non_null(labels);
    for (size_t i = 0; i < count; i++) {
        labels[i] = i;
    }
    while (changed) {
        changed = 0;
        for (size_t i = 0; i < count; i++) {
            for (size_t j = 0; j < count; j++) {
                if (labels[j] < labels[i] &&
                    square_between(&result->clashes[i], &result->clashes[j]) <= radius * radius) {
                    labels[i] = labels[j];
                    changed = 1;
                }
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            assert_int_equal(labels[i] == labels[j], result->clashes[i].group == result->clashes[j].group);
        }
    }
    free(labels);
}

/* Which group a clash must be in, as a text. */
static void expected_name(const tumble_clash_result *result, const tumble_clash *clash, char out[128])
{
    const tumble_assembly_part *a = &result->parts[clash->a], *b = &result->parts[clash->b];
    if (result->grouping == TUMBLE_GROUP_CLASSES) {
        const char *x = *a->class_name ? a->class_name : "no class", *y = *b->class_name ? b->class_name : "no class";
        snprintf(out, 128, "%s and %s", strcmp(x, y) < 0 ? x : y, strcmp(x, y) < 0 ? y : x);
    } else if (strcmp(a->path, b->path) == 0) {
        snprintf(out, 128, "%s", a->path);
    } else {
        snprintf(out, 128, clash->a % 2 == clash->b % 2 ? "house/floor %d" : "house", (int)(clash->a % 2));
    }
}

/* The paths of two parts are the same if their numbers differ by ten. */
static void check_names(const tumble_clash_result *result)
{
    for (size_t i = 0; i < result->clash_count; i++) {
        char name[128];
        expected_name(result, &result->clashes[i], name);
        assert_string_equal(result->groups[result->clashes[i].group].name, name);
    }
}

/* Every clash belongs to one of its parts. */
static void check_parts(const tumble_clash_result *result)
{
    for (size_t i = 0; i < result->clash_count; i++) {
        const uint32_t part = result->groups[result->clashes[i].group].part;
        assert_true(part == result->clashes[i].a || part == result->clashes[i].b);
    }
    for (uint32_t i = 0; i < result->group_count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            assert_true(result->groups[i].part != result->groups[j].part);
        }
    }
}

static void check_grouping(tumble_assembly *assembly, tumble_grouping grouping, double radius, size_t *clash_count)
{
    tumble_clash_options options = tumble_default_clash_options();
    tumble_clashes *clashes;
    options.grouping = grouping;
    options.group_radius = radius;
    assert_int_equal(tumble_clash_run(assembly, &options, &clashes), TUMBLE_OK);
    const tumble_clash_result *result = tumble_clashes_result(clashes);
    assert_int_equal(result->grouping, grouping);
    check_groups(result);
    switch (grouping) {
    case TUMBLE_GROUP_PARTS: check_parts(result); break;
    case TUMBLE_GROUP_NEAR: check_near(result, radius); break;
    default: check_names(result); break;
    }
    *clash_count += result->clash_count;
    tumble_clashes_destroy(clashes);
}

static void test_groups(void **state)
{
    test_world *w = *state;
    test_random random = {2203};
    size_t clashes = 0;
    for (size_t round = 0; round < test_count(5); round++) {
        static const double radii[] = {0, 0.3, 0.75, 1.5, 1e9};
        tumble_assembly *assembly = strew(w->context, &random);
        for (int i = 0; i < 5; i++) {
            check_grouping(assembly, TUMBLE_GROUP_NEAR, radii[i], &clashes);
        }
        check_grouping(assembly, TUMBLE_GROUP_PARTS, 0, &clashes);
        check_grouping(assembly, TUMBLE_GROUP_CLASSES, 0, &clashes);
        check_grouping(assembly, TUMBLE_GROUP_SUBTREE, 0, &clashes);
        assert_int_equal(tumble_assembly_destroy(assembly), TUMBLE_OK);
    }
    assert_true(clashes > (test_effort() < 1 ? 40 * test_count(5) : 500));
}

typedef struct grouped_run {
    tumble_assembly *assembly;
    tumble_grouping grouping;
} grouped_run;

static tumble_status run_and_forget(test_world *w, void *user)
{
    (void)w;
    const grouped_run *run = user;
    tumble_clash_options options = tumble_default_clash_options();
    tumble_clashes *clashes;
    options.grouping = run->grouping;
    const tumble_status status = tumble_clash_run(run->assembly, &options, &clashes);
    if (status == TUMBLE_OK) {
        tumble_clashes_destroy(clashes);
    }
    return status;
}

static void test_memory(void **state)
{
    test_world *w = *state;
    test_random random = {2204};
    grouped_run run = {strew(w->context, &random), TUMBLE_GROUP_PARTS};
    assert_int_equal(run_and_forget(w, &run), TUMBLE_OK); /* models keep what the first question finds out */
    for (; run.grouping <= TUMBLE_GROUP_NEAR; run.grouping++) {
        assert_true(test_fail_each(w, TEST_FAIL_TAKING_TURNS, run_and_forget, NULL, &run) > 20);
    }
    assert_int_equal(tumble_assembly_destroy(run.assembly), TUMBLE_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_small_covers), TEST_IN_WORLD(test_large_covers),
                                       TEST_IN_WORLD(test_groups), TEST_IN_WORLD(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
