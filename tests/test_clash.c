/* Clashes against truth that is worked out in whole numbers: boxes with whole corners, turned by quarters, of which
 * sides tell how two of them lie, and triangles compared one by one in rational arithmetic. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "oracle.h"
#include "scenes.h"
#include "tumble/clash.h"

enum {
    MOST = 40,
    RANGE = 9
};

/* A box of whole numbers, and the part that it is. */
typedef struct block {
    int lower[3], upper[3];
    char name[32];
} block;

typedef struct yard {
    block blocks[MOST];
    size_t count;
} yard;

static struct {
    size_t kinds[6], apart, shared, contacts, tight;
} seen;

static void make_yard(yard *y, test_random *random)
{
    y->count = MOST;
    for (size_t i = 0; i < y->count; i++) {
        block *b = &y->blocks[i];
        for (int j = 0; j < 3; j++) {
            b->lower[j] = test_random_whole(random, -RANGE, RANGE);
            b->upper[j] = b->lower[j] + test_random_whole(random, 1, 5);
        }
        if (i > 0 && test_random_chance(random, 0.1)) {
            *b = y->blocks[test_random_whole(random, 0, (int)i - 1)];
        }
        snprintf(b->name, sizeof b->name, "block %zu", i);
    }
}

/* The eight corners of a box from 0 to `size`; diagonals of the sides do not depend on where it stands. */
static void make_box(const int size[3], double points[8][3], uint32_t corners[12][3])
{
    static const uint32_t sides[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                          {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 3; j++) {
            points[i][j] = (i >> j & 1) ? size[j] : 0;
        }
    }
    memcpy(corners, sides, sizeof sides);
}

/* Parts in the given order: models from 0, and poses that move them. */
static tumble_assembly *assemble(tumble_context *context, const yard *y, const size_t *order)
{
    tumble_assembly *assembly;
    assert_int_equal(tumble_assembly_create(context, &assembly), TUMBLE_OK);
    for (size_t i = 0; i < y->count; i++) {
        const block *b = &y->blocks[order ? order[i] : i];
        double points[8][3], transform[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
        uint32_t corners[12][3], model;
        int size[3];
        for (int j = 0; j < 3; j++) {
            size[j] = b->upper[j] - b->lower[j];
            transform[4 * j + 3] = b->lower[j];
        }
        make_box(size, points, corners);
        tumble_mesh mesh = tumble_default_mesh();
        mesh.points = points[0], mesh.point_count = 8, mesh.indices = corners[0], mesh.index_count = 36;
        assert_int_equal(tumble_assembly_add_mesh(assembly, &mesh, &model), TUMBLE_OK);
        const tumble_assembly_item item = {.name = b->name, .file = "yard", .model = model, .transform = transform};
        assert_int_equal(tumble_assembly_add(assembly, &item), TUMBLE_OK);
    }
    return assembly;
}

/* ---- truth ---- */

/* A tumble_clash_kind, or -1: farther apart than the clearance. */
static int true_kind(const block *a, const block *b, double clearance, int *inside)
{
    int same = 1, apart = 0, touch = 0, a_in_b = 1, b_in_a = 1;
    double square = 0;
    for (int i = 0; i < 3; i++) {
        const int below = a->lower[i] - b->upper[i], above = b->lower[i] - a->upper[i];
        const int gap = below > above ? below : above;
        same = same && a->lower[i] == b->lower[i] && a->upper[i] == b->upper[i];
        apart = apart || gap > 0;
        touch = touch || gap == 0;
        square += gap > 0 ? gap * gap : 0;
        a_in_b = a_in_b && b->lower[i] < a->lower[i] && a->upper[i] < b->upper[i];
        b_in_a = b_in_a && a->lower[i] < b->lower[i] && b->upper[i] < a->upper[i];
    }
    *inside = a_in_b ? 1 : b_in_a ? 2 : 0;
    if (apart) {
        return square < clearance * clearance ? TUMBLE_CLASH_CLEARANCE : -1;
    }
    return touch     ? TUMBLE_CLASH_TOUCHING
           : same    ? TUMBLE_CLASH_DUPLICATE
           : *inside ? TUMBLE_CLASH_CONTAINED
                     : TUMBLE_CLASH_CROSSING;
}

static void corners_of(const block *b, uint32_t triangle, double out[3][3])
{
    double points[8][3];
    uint32_t corners[12][3];
    const int size[3] = {b->upper[0] - b->lower[0], b->upper[1] - b->lower[1], b->upper[2] - b->lower[2]};
    make_box(size, points, corners);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[i][j] = points[corners[triangle][i]][j] + b->lower[j];
        }
    }
}

static size_t true_contacts(oracle *truth, const block *a, const block *b)
{
    size_t count = 0;
    for (uint32_t i = 0; i < 12; i++) {
        for (uint32_t j = 0; j < 12; j++) {
            double x[3][3], y[3][3];
            corners_of(a, i, x);
            corners_of(b, j, y);
            count += oracle_intersect(truth, (const double(*)[3])x, (const double(*)[3])y) != 0;
        }
    }
    return count;
}

/* The square of the least distance of two boxes' surfaces, of which one may be inside the other. */
static double true_square(oracle *truth, const block *a, const block *b)
{
    double least = INFINITY;
    mpq_t square;
    mpq_init(square);
    for (uint32_t i = 0; i < 12; i++) {
        for (uint32_t j = 0; j < 12; j++) {
            double x[3][3], y[3][3];
            corners_of(a, i, x);
            corners_of(b, j, y);
            oracle_squared_distance(truth, (const double(*)[3])x, (const double(*)[3])y, square);
            least = fmin(least, mpq_get_d(square));
        }
    }
    mpq_clear(square);
    return least;
}

static double gap_of(const double a[2][3])
{
    return sqrt((a[0][0] - a[1][0]) * (a[0][0] - a[1][0]) + (a[0][1] - a[1][1]) * (a[0][1] - a[1][1]) +
                (a[0][2] - a[1][2]) * (a[0][2] - a[1][2]));
}

static void check_places(const tumble_clash *clash, const block *a, const block *b)
{
    for (int i = 0; i < 3; i++) {
        const int lower = a->lower[i] < b->lower[i] ? a->lower[i] : b->lower[i];
        const int upper = a->upper[i] > b->upper[i] ? a->upper[i] : b->upper[i];
        assert_true(lower <= clash->box[0][i] && clash->box[0][i] <= clash->point[i]);
        assert_true(clash->point[i] <= clash->box[1][i] && clash->box[1][i] <= upper);
    }
    assert_true(clash->segment_count == clash->contact_count || clash->segment_count == 256);
    for (size_t i = 0; i < 2 * clash->segment_count; i++) {
        for (int j = 0; j < 3; j++) {
            const double x = clash->segments[i / 2].points[i % 2][j];
            assert_true(clash->box[0][j] <= x && x <= clash->box[1][j]);
        }
    }
}

/* Boxes are parted soonest along an axis. */
static double true_depth(const block *a, const block *b)
{
    int least = INT_MAX;
    for (int i = 0; i < 3; i++) {
        const int up = a->upper[i] - b->lower[i], down = b->upper[i] - a->lower[i];
        least = up < least ? up : least;
        least = down < least ? down : least;
    }
    return least;
}

static void check_depth(const tumble_clash *clash, double depth)
{
    double square = 0;
    assert_true(clash->has_depth && clash->depth[0] >= 0);
    assert_true(clash->depth[0] <= depth && clash->depth[1] == depth);
    for (int i = 0; i < 3; i++) {
        square += clash->normal[i] * clash->normal[i];
    }
    assert_true(square == 1);
    seen.tight += clash->depth[0] > 0.99 * depth;
}

static void check_clash(oracle *truth, const yard *y, const tumble_clash *clash, int kind, int inside)
{
    const block *a = &y->blocks[clash->a], *b = &y->blocks[clash->b];
    const size_t contacts = true_contacts(truth, a, b);
    assert_int_equal((int)clash->kind, kind);
    assert_int_equal(clash->inside, kind == TUMBLE_CLASH_CONTAINED ? inside : 0);
    assert_int_equal(clash->contact_count, contacts);
    if (contacts == 0) {
        assert_true(fabs(clash->distance * clash->distance - true_square(truth, a, b)) < 1e-12);
        assert_true(fabs(gap_of(clash->nearest) - clash->distance) < 1e-12);
    } else {
        assert_true(clash->distance == 0);
    }
    check_places(clash, a, b);
    if (kind == TUMBLE_CLASH_CROSSING || kind == TUMBLE_CLASH_CONTAINED) {
        check_depth(clash, true_depth(a, b));
    } else if (kind == TUMBLE_CLASH_TOUCHING) {
        assert_true(clash->has_depth && clash->depth[1] == 0);
    } else {
        assert_false(clash->has_depth);
    }
    seen.kinds[kind]++;
    seen.contacts += contacts;
}

static void check_all(oracle *truth, const yard *y, const tumble_clash_result *result, double clearance)
{
    size_t at = 0;
    assert_true(result->complete);
    for (uint32_t i = 0; i < y->count; i++) {
        for (uint32_t j = i + 1; j < y->count; j++) {
            int inside;
            const int kind = true_kind(&y->blocks[i], &y->blocks[j], clearance, &inside);
            if (kind < 0) {
                seen.apart++;
                continue;
            }
            assert_true(at < result->clash_count);
            assert_true(result->clashes[at].a == i && result->clashes[at].b == j);
            check_clash(truth, y, &result->clashes[at++], kind, inside);
        }
    }
    assert_int_equal(at, result->clash_count);
    seen.shared += (size_t)(result->pair_count - result->question_count);
}

static void test_boxes(void **state)
{
    test_world *w = *state;
    test_random random = {2101};
    oracle *truth = oracle_create();
    memset(&seen, 0, sizeof seen);
    const size_t rounds = test_count(6) > 6 ? test_count(6) : 6;
    for (size_t round = 0; round < rounds; round++) {
        yard y;
        make_yard(&y, &random);
        tumble_assembly *assembly = assemble(w->context, &y, NULL);
        tumble_clash_options options = tumble_default_clash_options();
        tumble_clashes *clashes;
        options.clearance = round % 3 == 0 ? 0 : round % 3 == 1 ? 2 : 1.5;
        assert_int_equal(tumble_clash_run(assembly, &options, &clashes), TUMBLE_OK);
        check_all(truth, &y, tumble_clashes_result(clashes), options.clearance);
        tumble_clashes_destroy(clashes);
        assert_int_equal(tumble_assembly_destroy(assembly), TUMBLE_OK);
    }
    oracle_destroy(truth);
    for (int kind = 0; kind < TUMBLE_CLASH_UNDEFINED; kind++) {
        assert_true(seen.kinds[kind] > 0);
    }
    assert_true(seen.apart > 0 && seen.shared > 0 && seen.contacts > 0 && seen.tight > 0);
}

/* Crossings that end with a move of at most the tolerance are told as touching, all others stay; nothing else changes.
 */
static void test_touch(void **state)
{
    test_world *w = *state;
    test_random random = {2106};
    yard y;
    size_t filed = 0, kept = 0;
    make_yard(&y, &random);
    tumble_assembly *assembly = assemble(w->context, &y, NULL);
    tumble_clash_options options = tumble_default_clash_options();
    tumble_clashes *strict, *soft;
    assert_int_equal(tumble_clash_run(assembly, &options, &strict), TUMBLE_OK);
    options.touch = 2;
    assert_int_equal(tumble_clash_run(assembly, &options, &soft), TUMBLE_OK);
    const tumble_clash_result *before = tumble_clashes_result(strict), *after = tumble_clashes_result(soft);
    assert_int_equal(before->clash_count, after->clash_count);
    for (size_t i = 0; i < before->clash_count; i++) {
        const tumble_clash *x = &before->clashes[i], *z = &after->clashes[i];
        const int is_filed =
            x->kind == TUMBLE_CLASH_CROSSING && true_depth(&y.blocks[x->a], &y.blocks[x->b]) <= options.touch;
        assert_string_equal(x->id, z->id);
        assert_int_equal((int)z->kind, is_filed ? TUMBLE_CLASH_TOUCHING : (int)x->kind);
        assert_int_equal((int)z->severity,
                         z->kind == TUMBLE_CLASH_TOUCHING ? TUMBLE_SEVERITY_INFO : TUMBLE_SEVERITY_MAJOR);
        assert_memory_equal(x->depth, z->depth, sizeof x->depth);
        filed += is_filed != 0;
        kept += x->kind == TUMBLE_CLASH_CROSSING && !is_filed;
    }
    assert_true(filed > 0 && kept > 0);
    tumble_clashes_destroy(strict);
    options.depth_budget = 0;
    tumble_clashes_destroy(soft);
    assert_int_equal(tumble_clash_run(assembly, &options, &soft), TUMBLE_OK);
    assert_int_equal(tumble_clashes_result(soft)->kind_counts[TUMBLE_CLASH_CROSSING], filed + kept);
    tumble_clashes_destroy(soft);
    assert_int_equal(tumble_assembly_destroy(assembly), TUMBLE_OK);
}

/* A sheet that lies on a box, and two sheets that share an edge: of what is open nobody knows the inside. A wire with a
 * radius has one. */
static void test_open_touching(void **state)
{
    test_world *w = *state;
    const double sheets[2][4][3] = {{{1, 1, 5}, {2, 1, 5}, {2, 2, 5}, {1, 2, 5}},
                                    {{2, 1, 5}, {2, 1, 9}, {2, 2, 9}, {2, 2, 5}}};
    const double wire[2][3] = {{-1, 0, 2}, {-1, 4, 2}}, radius = 1;
    const uint32_t corners[2][3] = {{0, 1, 2}, {0, 2, 3}}, segment[3] = {0, 1, 1};
    const int size[3] = {3, 4, 5};
    double points[8][3];
    uint32_t sides[12][3];
    tumble_assembly *assembly;
    tumble_clashes *clashes;
    assert_int_equal(tumble_assembly_create(w->context, &assembly), TUMBLE_OK);
    make_box(size, points, sides);
    const double *all[4] = {points[0], sheets[0][0], sheets[1][0], wire[0]};
    for (int i = 0; i < 4; i++) {
        tumble_mesh mesh = tumble_default_mesh();
        mesh.points = all[i], mesh.point_count = i == 0 ? 8 : i == 3 ? 2 : 4;
        mesh.indices = i == 0   ? sides[0]
                       : i == 3 ? segment
                                : corners[0],
        mesh.index_count = i == 0   ? 36
                           : i == 3 ? 3
                                    : 6;
        mesh.radii = i == 3 ? &radius : NULL, mesh.polygon_count = i == 3;
        tumble_assembly_item item = {.name = "part"};
        assert_int_equal(tumble_assembly_add_mesh(assembly, &mesh, &item.model), TUMBLE_OK);
        assert_int_equal(tumble_assembly_add(assembly, &item), TUMBLE_OK);
    }
    assert_int_equal(tumble_clash_run(assembly, NULL, &clashes), TUMBLE_OK);
    const tumble_clash_result *result = tumble_clashes_result(clashes);
    static const struct {
        uint32_t a, b;
        tumble_clash_kind kind;
        const char *reason;
    } expected[] = {{0, 1, TUMBLE_CLASH_UNDEFINED, "part b is open"},
                    {0, 2, TUMBLE_CLASH_UNDEFINED, "part b is open"},
                    {0, 3, TUMBLE_CLASH_TOUCHING, ""},
                    {1, 2, TUMBLE_CLASH_UNDEFINED, "both parts are open"}};
    assert_int_equal(result->clash_count, 4);
    for (int i = 0; i < 4; i++) {
        const tumble_clash *clash = &result->clashes[i];
        assert_true(clash->a == expected[i].a && clash->b == expected[i].b && clash->kind == expected[i].kind);
        assert_string_equal(clash->reason, expected[i].reason);
        assert_true(clash->has_depth == (clash->kind == TUMBLE_CLASH_TOUCHING));
    }
    tumble_clashes_destroy(clashes);
    assert_int_equal(tumble_assembly_destroy(assembly), TUMBLE_OK);
}

/* A sheet through a box, and two sheets through each other: what is known are moves along the axes. */
static void test_open_depth(void **state)
{
    test_world *w = *state;
    const double sheet[4][3] = {{1, 1, 1}, {9, 1, 1}, {9, 1, 9}, {1, 1, 9}},
                 other[4][3] = {{5, -3, 5}, {5, 4, 5}, {5, 4, 7}, {5, -3, 7}};
    const uint32_t corners[2][3] = {{0, 1, 2}, {0, 2, 3}};
    const int size[3] = {3, 4, 5};
    double points[8][3];
    uint32_t sides[12][3], models[3];
    tumble_assembly *assembly;
    tumble_clashes *clashes;
    assert_int_equal(tumble_assembly_create(w->context, &assembly), TUMBLE_OK);
    make_box(size, points, sides);
    const double *all[3] = {points[0], sheet[0], other[0]};
    for (int i = 0; i < 3; i++) {
        tumble_mesh mesh = tumble_default_mesh();
        mesh.points = all[i], mesh.point_count = i ? 4 : 8;
        mesh.indices = i ? corners[0] : sides[0], mesh.index_count = i ? 6 : 36;
        const tumble_assembly_item item = {.name = i ? "sheet" : "box", .model = 0};
        tumble_assembly_item made = item;
        assert_int_equal(tumble_assembly_add_mesh(assembly, &mesh, &models[i]), TUMBLE_OK);
        made.model = models[i];
        assert_int_equal(tumble_assembly_add(assembly, &made), TUMBLE_OK);
    }
    assert_int_equal(tumble_clash_run(assembly, NULL, &clashes), TUMBLE_OK);
    const tumble_clash_result *result = tumble_clashes_result(clashes);
    assert_int_equal(result->clash_count, 2);
    for (int i = 0; i < 2; i++) {
        const tumble_clash *clash = &result->clashes[i];
        assert_int_equal((int)clash->kind, TUMBLE_CLASH_CROSSING);
        assert_true(clash->has_depth && clash->depth[0] == 0 && fabs(clash->depth[1] - (i ? 3 : 1)) < 1e-9);
    }
    tumble_clashes_destroy(clashes);
    assert_int_equal(tumble_assembly_destroy(assembly), TUMBLE_OK);
}

/* ---- parts that are turned alike ---- */

/* The same geometry at the same place, turned and scaled in any way. */
static void test_turned(void **state)
{
    test_world *w = *state;
    test_random random = {2103};
    const int size[3] = {1, 2, 3};
    double points[8][3];
    uint32_t corners[12][3], model;
    make_box(size, points, corners);
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = points[0], mesh.point_count = 8, mesh.indices = corners[0], mesh.index_count = 36;
    for (size_t n = 0; n < test_count(30); n++) {
        const double angle = test_random_range(&random, -3, 3), scale = test_random_range(&random, 0.1, 10);
        double transform[12] = {scale * cos(angle),
                                -scale * sin(angle),
                                0,
                                0,
                                scale * sin(angle),
                                scale * cos(angle),
                                0,
                                0,
                                0,
                                0,
                                scale,
                                0};
        for (int k = 0; k < 3; k++) {
            transform[4 * k + 3] = test_random_range(&random, -100, 100);
        }
        tumble_assembly *assembly;
        tumble_clashes *clashes;
        assert_int_equal(tumble_assembly_create(w->context, &assembly), TUMBLE_OK);
        assert_int_equal(tumble_assembly_add_mesh(assembly, &mesh, &model), TUMBLE_OK);
        const tumble_assembly_item item = {.name = "box", .file = "yard", .model = model, .transform = transform};
        for (int i = 0; i < 2; i++) {
            assert_int_equal(tumble_assembly_add(assembly, &item), TUMBLE_OK);
        }
        assert_int_equal(tumble_clash_run(assembly, NULL, &clashes), TUMBLE_OK);
        assert_int_equal(tumble_clashes_result(clashes)->clash_count, 1);
        assert_int_equal(tumble_clashes_result(clashes)->clashes[0].kind, TUMBLE_CLASH_DUPLICATE);
        tumble_clashes_destroy(clashes);
        assert_int_equal(tumble_assembly_destroy(assembly), TUMBLE_OK);
    }
}

/* A box in a box: no clash has a contact curve. */
static void test_inside(void **state)
{
    test_world *w = *state;
    const yard y = {{{{0, 0, 0}, {3, 3, 3}, "outer"}, {{1, 1, 1}, {2, 2, 2}, "inner"}}, 2};
    tumble_assembly *assembly = assemble(w->context, &y, NULL);
    tumble_clashes *clashes;
    assert_int_equal(tumble_clash_run(assembly, NULL, &clashes), TUMBLE_OK);
    const tumble_clash_result *result = tumble_clashes_result(clashes);
    assert_int_equal(result->clash_count, 1);
    assert_int_equal(result->clashes[0].kind, TUMBLE_CLASH_CONTAINED);
    assert_int_equal(result->clashes[0].inside, 2);
    assert_true(result->clashes[0].segment_count == 0 && result->clashes[0].segments == NULL);
    tumble_clashes_destroy(clashes);
    assert_int_equal(tumble_assembly_destroy(assembly), TUMBLE_OK);
}

/* ---- the same ids in every order of the parts ---- */

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "id kind", sorted. */
static char **list_ids(const tumble_clash_result *result)
{
    char **ids = malloc((result->clash_count + 1) * sizeof *ids);
    assert_non_null(ids);
    for (size_t i = 0; i < result->clash_count; i++) {
        const tumble_clash *clash = &result->clashes[i];
        ids[i] = malloc(64);
        assert_non_null(ids[i]);
        snprintf(ids[i], 64, "%s %s", clash->id, tumble_clash_kind_name(clash->kind));
    }
    qsort(ids, result->clash_count, sizeof *ids, compare_texts);
    return ids;
}

static char **ids_of(test_world *w, const yard *y, const size_t *order, size_t *count)
{
    tumble_assembly *assembly = assemble(w->context, y, order);
    tumble_clashes *clashes;
    assert_int_equal(tumble_clash_run(assembly, NULL, &clashes), TUMBLE_OK);
    char **ids = list_ids(tumble_clashes_result(clashes));
    *count = tumble_clashes_result(clashes)->clash_count;
    tumble_clashes_destroy(clashes);
    assert_int_equal(tumble_assembly_destroy(assembly), TUMBLE_OK);
    return ids;
}

static void test_ids(void **state)
{
    test_world *w = *state;
    test_random random = {2102};
    yard y;
    size_t order[MOST], counts[2];
    make_yard(&y, &random);
    for (size_t i = 0; i < MOST; i++) {
        order[i] = MOST - 1 - i;
    }
    char **forward = ids_of(w, &y, NULL, &counts[0]), **backward = ids_of(w, &y, order, &counts[1]);
    assert_int_equal(counts[0], counts[1]);
    assert_true(counts[0] > 20);
    for (size_t i = 0; i < counts[0]; i++) {
        assert_string_equal(forward[i], backward[i]);
        assert_true(i == 0 || strncmp(forward[i], forward[i - 1], 32) != 0);
    }
    for (size_t i = 0; i < counts[0]; i++) {
        free(forward[i]);
        free(backward[i]);
    }
    free(forward);
    free(backward);
}

/* ---- clashes.json ---- */

static char *read_all(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long size = ftell(file);
    char *text = malloc((size_t)size + 1);
    assert_non_null(text);
    rewind(file);
    assert_int_equal(fread(text, 1, (size_t)size, file), (size_t)size);
    text[size] = '\0';
    fclose(file);
    return text;
}

static char *written(test_world *w, const yard *y, uint32_t threads)
{
    char path[] = "/tmp/tumble-clash-XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    tumble_assembly *assembly = assemble(w->context, y, NULL);
    tumble_clash_options options = tumble_default_clash_options();
    tumble_clashes *clashes;
    options.thread_count = threads;
    options.clearance = 1.5;
    assert_int_equal(tumble_clash_run(assembly, &options, &clashes), TUMBLE_OK);
    assert_int_equal(tumble_clash_write_json(w->context, tumble_clashes_result(clashes), path), TUMBLE_OK);
    tumble_clashes_destroy(clashes);
    assert_int_equal(tumble_assembly_destroy(assembly), TUMBLE_OK);
    char *text = read_all(path);
    remove(path);
    return text;
}

static double number_of(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static const char *text_of(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    assert_true(cJSON_IsString(item));
    return item->valuestring;
}

static void check_json(const yard *y, const char *text)
{
    cJSON *json = cJSON_Parse(text);
    assert_non_null(json);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(json, "complete")));
    const cJSON *parts = cJSON_GetObjectItemCaseSensitive(json, "parts"), *clash;
    assert_int_equal(cJSON_GetArraySize(parts), (int)y->count);
    size_t count = 0;
    cJSON_ArrayForEach(clash, cJSON_GetObjectItemCaseSensitive(json, "clashes"))
    {
        const int a = (int)number_of(clash, "a"), b = (int)number_of(clash, "b");
        int inside;
        const int kind = true_kind(&y->blocks[a], &y->blocks[b], 1.5, &inside);
        assert_string_equal(text_of(clash, "kind"), tumble_clash_kind_name((tumble_clash_kind)kind));
        assert_string_equal(text_of(clash, "status"), "new");
        assert_string_equal(text_of(clash, "key_a"), text_of(cJSON_GetArrayItem(parts, a), "key"));
        assert_int_equal(strlen(text_of(clash, "id")), 32);
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(clash, "point")), 3);
        count++;
    }
    assert_true(count > 20);
    cJSON_Delete(json);
}

static void test_json(void **state)
{
    test_world *w = *state;
    test_random random = {2103};
    yard y;
    make_yard(&y, &random);
    char *text = written(w, &y, 1);
    check_json(&y, text);
    for (uint32_t threads = 2; threads <= 5; threads++) {
        char *other = written(w, &y, threads);
        assert_string_equal(other, text);
        free(other);
    }
    free(text);
}

/* ---- stopping, and memory ---- */

static bool stop_half_way(void *user, uint64_t done, uint64_t total)
{
    (void)user;
    return 2 * done >= total;
}

/* What is told of an incomplete run is what the complete one says. */
static void test_stop(void **state)
{
    test_world *w = *state;
    test_random random = {2104};
    yard y;
    make_yard(&y, &random);
    tumble_assembly *assembly = assemble(w->context, &y, NULL);
    tumble_clash_options options = tumble_default_clash_options();
    tumble_clashes *all, *some;
    assert_int_equal(tumble_clash_run(assembly, &options, &all), TUMBLE_OK);
    options.progress = stop_half_way;
    assert_int_equal(tumble_clash_run(assembly, &options, &some), TUMBLE_OK);
    const tumble_clash_result *whole = tumble_clashes_result(all), *part = tumble_clashes_result(some);
    assert_true(whole->complete && !part->complete);
    assert_true(part->clash_count > 0 && part->clash_count < whole->clash_count);
    for (size_t i = 0, at = 0; i < part->clash_count; i++, at++) {
        while (at < whole->clash_count && strcmp(whole->clashes[at].id, part->clashes[i].id) != 0) {
            at++;
        }
        assert_true(at < whole->clash_count && whole->clashes[at].kind == part->clashes[i].kind);
    }
    tumble_clashes_destroy(all);
    tumble_clashes_destroy(some);
    assert_int_equal(tumble_assembly_destroy(assembly), TUMBLE_OK);
}

/* A result tells of the parts that there were. */
static void test_parts_that_come_later(void **state)
{
    test_world *w = *state;
    test_random random = {2106};
    yard y;
    make_yard(&y, &random);
    tumble_assembly *assembly = assemble(w->context, &y, NULL);
    tumble_clashes *clashes;
    assert_int_equal(tumble_clash_run(assembly, NULL, &clashes), TUMBLE_OK);
    const tumble_clash_result *result = tumble_clashes_result(clashes);
    for (int i = 0; i < 200; i++) {
        const tumble_assembly_item item = {.name = "later", .file = "yard"};
        assert_int_equal(tumble_assembly_add(assembly, &item), TUMBLE_OK);
    }
    assert_int_equal(result->part_count, y.count);
    for (size_t i = 0; i < result->clash_count; i++) {
        const tumble_clash *clash = &result->clashes[i];
        assert_string_equal(result->parts[clash->a].name, y.blocks[clash->a].name);
        assert_string_equal(result->parts[clash->b].key, clash->key_b);
    }
    tumble_clashes_destroy(clashes);
    assert_int_equal(tumble_assembly_destroy(assembly), TUMBLE_OK);
}

static bool stop_in_question(void *user, uint64_t done, uint64_t total)
{
    size_t *calls = user;
    assert_true(done == 0 && total == 1);
    return ++*calls == 3;
}

/* Two spheres of many triangles that cross: one question, which takes long. */
static void test_stop_in_question(void **state)
{
    test_world *w = *state;
    tumble_assembly *assembly;
    models_mesh sphere = {0};
    assert_true(models_make_sized(&sphere, "sphere", 40000));
    const tumble_mesh mesh = models_view(&sphere);
    const double shift[12] = {1, 0, 0, 0.01, 0, 1, 0, 0, 0, 0, 1, 0};
    tumble_assembly_item item = {.name = "sphere"};
    assert_int_equal(tumble_assembly_create(w->context, &assembly), TUMBLE_OK);
    assert_int_equal(tumble_assembly_add_mesh(assembly, &mesh, &item.model), TUMBLE_OK);
    assert_int_equal(tumble_assembly_add(assembly, &item), TUMBLE_OK);
    item.transform = shift;
    assert_int_equal(tumble_assembly_add(assembly, &item), TUMBLE_OK);
    tumble_clash_options options = tumble_default_clash_options();
    tumble_clashes *clashes;
    size_t calls = 0;
    options.progress = stop_in_question;
    options.progress_user = &calls;
    assert_int_equal(tumble_clash_run(assembly, &options, &clashes), TUMBLE_OK);
    assert_int_equal(calls, 3);
    assert_false(tumble_clashes_result(clashes)->complete);
    assert_int_equal(tumble_clashes_result(clashes)->clash_count, 0);
    tumble_clashes_destroy(clashes);
    assert_int_equal(tumble_assembly_destroy(assembly), TUMBLE_OK);
    models_free(&sphere);
}

static tumble_status run_and_forget(test_world *w, void *user)
{
    (void)w;
    tumble_clashes *clashes;
    const tumble_status status = tumble_clash_run(user, NULL, &clashes);
    if (status == TUMBLE_OK) {
        tumble_clashes_destroy(clashes);
    }
    return status;
}

static void test_memory(void **state)
{
    test_world *w = *state;
    test_random random = {2105};
    yard y;
    make_yard(&y, &random);
    y.count = 12;
    tumble_assembly *assembly = assemble(w->context, &y, NULL);
    assert_int_equal(run_and_forget(w, assembly), TUMBLE_OK); /* models keep what the first question finds out */
    assert_true(test_fail_each(w, TEST_FAIL_TAKING_TURNS, run_and_forget, NULL, assembly) > 20);
    assert_int_equal(tumble_assembly_destroy(assembly), TUMBLE_OK);
}

static void test_arguments(void **state)
{
    test_world *w = *state;
    tumble_assembly *assembly;
    tumble_clashes *clashes;
    tumble_clash_options options = tumble_default_clash_options();
    assert_int_equal(tumble_assembly_create(w->context, &assembly), TUMBLE_OK);
    assert_int_equal(tumble_clash_run(NULL, NULL, &clashes), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(w->context, tumble_clash_run(assembly, NULL, NULL), TUMBLE_ERROR_ARGUMENT, "out");
    options.clearance = -1;
    test_assert_status(w->context, tumble_clash_run(assembly, &options, &clashes), TUMBLE_ERROR_ARGUMENT, "clearance");
    options.clearance = 0, options.touch = NAN;
    test_assert_status(w->context, tumble_clash_run(assembly, &options, &clashes), TUMBLE_ERROR_ARGUMENT, "touch");
    assert_int_equal(tumble_clash_run(assembly, NULL, &clashes), TUMBLE_OK);
    assert_true(tumble_clashes_result(clashes)->complete);
    assert_int_equal(tumble_clashes_result(clashes)->clash_count, 0);
    test_assert_status(w->context,
                       tumble_clash_write_json(w->context, tumble_clashes_result(clashes), "/nowhere/at/all.json"),
                       TUMBLE_ERROR_FILE, "/nowhere/at/all.json");
    tumble_clashes_destroy(clashes);
    assert_int_equal(tumble_assembly_destroy(assembly), TUMBLE_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_boxes),
                                       TEST_IN_WORLD(test_turned),
                                       TEST_IN_WORLD(test_inside),
                                       TEST_IN_WORLD(test_touch),
                                       TEST_IN_WORLD(test_open_depth),
                                       TEST_IN_WORLD(test_open_touching),
                                       TEST_IN_WORLD(test_ids),
                                       TEST_IN_WORLD(test_json),
                                       TEST_IN_WORLD(test_stop),
                                       TEST_IN_WORLD(test_memory),
                                       TEST_IN_WORLD(test_arguments),
                                       TEST_IN_WORLD(test_parts_that_come_later),
                                       TEST_IN_WORLD(test_stop_in_question)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
