/* Models that are edited: after any sequence of edits everything is as if the model had been made of its polygons.
 * What edits and queries cost is in test_rtree_edit_cost.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "editing.h"
#include "tree/block.h"

/* ---- What the model should have ---- */

enum {
    CORNERS_MOST = 6
};

typedef struct shadow_polygon {
    uint32_t number, surface, size;
    double corners[CORNERS_MOST][3];
} shadow_polygon;

/* In the order of their numbers. */
typedef struct shadow {
    shadow_polygon *items;
    size_t count, capacity;
    uint32_t limit;
} shadow;

static void shadow_add(shadow *s, const shadow_polygon *polygon)
{
    if (s->count == s->capacity) {
        s->capacity = 2 * s->capacity + 16;
        s->items = realloc(s->items, s->capacity * sizeof *s->items);
        assert_non_null(s->items);
    }
    s->items[s->count++] = *polygon;
}

static void shadow_remove(shadow *s, size_t at)
{
    memmove(s->items + at, s->items + at + 1, (--s->count - at) * sizeof *s->items);
}

static void append_polygon(models_mesh *mesh, const shadow_polygon *polygon)
{
    uint32_t corners[CORNERS_MOST];
    for (uint32_t i = 0; i < polygon->size; i++) {
        corners[i] = models_point(mesh, polygon->corners[i][0], polygon->corners[i][1], polygon->corners[i][2]);
    }
    mesh->surface = polygon->surface;
    models_polygon(mesh, corners, polygon->size);
}

static void shadow_mesh(const shadow *s, models_mesh *mesh)
{
    for (size_t i = 0; i < s->count; i++) {
        append_polygon(mesh, &s->items[i]);
    }
    assert_false(mesh->failed);
}

/* ---- Polygons ---- */

typedef enum kind {
    SOUP,    /* small triangles and larger polygons, doubles */
    LATTICE, /* whole numbers: float, many equal corners, touching, degenerate */
    SIZES,   /* from tiny to huge, far apart */
    KINDS
} kind;

static double coordinate(test_random *random, kind k, const double *near)
{
    switch (k) {
    case SOUP: return near ? *near + test_random_range(random, -0.2, 0.2) : test_random_range(random, -1, 1);
    case LATTICE: return near ? *near + test_random_whole(random, -1, 1) : test_random_whole(random, -4, 4);
    default:
        return ldexp(test_random_range(random, -1, 1),
                     test_random_whole(random, -30, test_random_chance(random, 0.05) ? 300 : 3));
    }
}

static void random_polygon(test_random *random, kind k, uint32_t surfaces, shadow_polygon *out)
{
    out->size = test_random_chance(random, 0.8) ? 3 : (uint32_t)test_random_whole(random, 3, CORNERS_MOST);
    out->surface = (uint32_t)test_random_whole(random, 0, (int)surfaces - 1);
    out->surface = out->surface == 1 ? UINT32_MAX : out->surface;
    for (uint32_t i = 0; i < out->size; i++) {
        for (int axis = 0; axis < 3; axis++) {
            out->corners[i][axis] = coordinate(random, k, i > 0 ? &out->corners[0][axis] : NULL);
        }
    }
}

/* ---- Whether it gives the right answers ---- */

typedef struct editing {
    test_world *w;
    test_random random;
    kind kind;
    shadow shadow;
    tumble_model *model, *probe, *brute_probe;
} editing;

static void renumber(const editing *e, test_pairs *pairs, int is_b)
{
    for (size_t i = 0; i < pairs->count; i++) {
        uint32_t *number = is_b ? &pairs->items[i].polygon_b : &pairs->items[i].polygon_a;
        *number = e->shadow.items[*number].number;
    }
}

/* Pairs of surfaces, which do not depend on the numbers of polygons. */
static void compare_surfaces(editing *e, const tumble_model *a, const tumble_model *b, const tumble_pose *pose,
                             const tumble_model *fresh_a, const tumble_model *fresh_b)
{
    enum {
        MOST = 20000
    };
    tumble_surface_pair *found = malloc(2 * MOST * sizeof *found), *expected = found + MOST;
    tumble_collide_result x, y = {0};
    tumble_collide_options options = tumble_default_collide_options();
    options.mode = TUMBLE_SURFACES;
    options.surface_pair_capacity = MOST;
    options.surface_pairs = found;
    test_assert_status(e->w->context, tumble_collide(e->w->query, a, NULL, b, pose, &options, &x), TUMBLE_OK, "");
    options.surface_pairs = expected;
    test_assert_status(e->w->context, tumble_collide(e->w->query, fresh_a, NULL, fresh_b, pose, &options, &y),
                       TUMBLE_OK, "");
    assert_int_equal(x.surface_pair_count, y.surface_pair_count);
    assert_true(x.surface_pair_count <= MOST);
    for (size_t i = 0; i < x.surface_pair_count; i++) {
        assert_int_equal(found[i].surface_a, expected[i].surface_a);
        assert_int_equal(found[i].surface_b, expected[i].surface_b);
    }
    free(found);
}

/* `numbered`: the model has the numbers of a fresh one. */
static void compare_queries(editing *e, const tumble_model *model, int numbered, const tumble_model *fresh,
                            const char *name)
{
    test_pairs found = {0}, expected = {0};
    for (int is_b = 0; is_b < 2; is_b++) {
        const tumble_pose pose = test_random_chance(&e->random, 0.5)
                                     ? test_quarter_turn((size_t)test_random_whole(&e->random, 0, 23))
                                     : test_rational_turn(&e->random);
        tumble_collide_options options = tumble_default_collide_options();
        test_tune(options, rtree_walk.probe, (tumble_rtree_probe)test_random_whole(&e->random, 0, 2));
        test_tune(options, rtree_walk.single, test_random_whole(&e->random, 0, 1));
        test_tune(options, rtree_walk.whole, test_random_whole(&e->random, 0, 1));
        if (is_b) {
            test_collide(e->w->query, e->probe, NULL, model, &pose, &options, &found);
            test_collide(e->w->query, e->brute_probe, NULL, fresh, &pose, NULL, &expected);
            compare_surfaces(e, e->probe, model, &pose, e->brute_probe, fresh);
        } else {
            test_collide(e->w->query, model, NULL, e->probe, &pose, &options, &found);
            test_collide(e->w->query, fresh, NULL, e->brute_probe, &pose, NULL, &expected);
            compare_surfaces(e, model, e->probe, &pose, fresh, e->brute_probe);
        }
        renumber(e, &expected, is_b);
        if (numbered) {
            renumber(e, &found, is_b);
        }
        test_assert_same_pairs(&found, &expected, "%s, kind %d, %zu polygons, model is %c", name, (int)e->kind,
                               e->shadow.count, is_b ? 'B' : 'A');
    }
    test_free_pairs(&found);
    test_free_pairs(&expected);
}

static void compare_facts(editing *e, const tumble_model *model, const tumble_model *fresh)
{
    const tumble_model_info x = test_info(model), y = test_info(fresh);
    test_assert_same_facts(&x, &y);
    for (size_t i = 0; i < e->shadow.count; i++) {
        uint32_t surface;
        assert_int_equal(tumble_model_surface(model, e->shadow.items[i].number, &surface), TUMBLE_OK);
        assert_int_equal(surface, e->shadow.items[i].surface);
    }
}

/* The triangles of each polygon: as many, and their corners are the polygon's. */
static void compare_triangles(editing *e, const tumble_model *model, uint64_t count)
{
    uint32_t *seen = calloc(e->shadow.limit + 1, sizeof *seen);
    for (uint32_t i = 0; i < count; i++) {
        double corners[3][3];
        uint32_t polygon;
        assert_int_equal(tumble_model_triangle(model, i, corners, &polygon), TUMBLE_OK);
        assert_true(polygon < e->shadow.limit);
        seen[polygon]++;
    }
    for (size_t i = 0; i < e->shadow.count; i++) {
        assert_int_equal(seen[e->shadow.items[i].number], e->shadow.items[i].size - 2);
    }
    free(seen);
}

static tumble_model *copy_model(editing *e, const tumble_model *model)
{
    size_t size;
    const void *block = tumble_model_block(model, &size);
    tumble_model *copy;
    assert_non_null(block);
    test_assert_status(e->w->context, tumble_model_from_block(e->w->context, block, size, 1, &copy), TUMBLE_OK, "");
    return copy;
}

static void compare_all(editing *e)
{
    models_mesh mesh = {0};
    shadow_mesh(&e->shadow, &mesh);
    tumble_model *brute = test_brute_model(e->w->context, &mesh);
    test_check_edit(e->model);
    compare_queries(e, e->model, 0, brute, "edited");
    compare_facts(e, e->model, brute);
    tumble_model *copy = copy_model(e, e->model);
    compare_queries(e, copy, 0, brute, "from its block");
    compare_facts(e, copy, brute);
    compare_triangles(e, copy, test_info(brute).triangle_count);
    compare_triangles(e, e->model, test_info(brute).triangle_count);
    const tumble_model_options options = test_rtree_options(TUMBLE_RTREE_LOAD_HALVES);
    tumble_model *rebuilt = test_model(e->w->context, &mesh, &options);
    compare_queries(e, rebuilt, 1, brute, "rebuilt");
    tumble_model_destroy(rebuilt);
    tumble_model_destroy(copy);
    tumble_model_destroy(brute);
    models_free(&mesh);
}

/* ---- Edits ---- */

static void insert_some(editing *e, size_t count, uint32_t surfaces)
{
    models_mesh mesh = {0};
    for (size_t i = 0; i < count; i++) {
        shadow_polygon polygon = {.number = e->shadow.limit + (uint32_t)i};
        random_polygon(&e->random, e->kind, surfaces, &polygon);
        if (e->shadow.count && test_random_chance(&e->random, 0.1)) { /* the same once more */
            const uint32_t number = polygon.number;
            polygon = e->shadow.items[test_random_whole(&e->random, 0, (int)e->shadow.count - 1)];
            polygon.number = number;
        }
        append_polygon(&mesh, &polygon);
        shadow_add(&e->shadow, &polygon);
    }
    const tumble_mesh view = models_view(&mesh);
    uint32_t first;
    test_assert_status(e->w->context, tumble_model_insert(e->model, &view, &first), TUMBLE_OK, "");
    assert_int_equal(first, e->shadow.limit);
    e->shadow.limit += (uint32_t)count;
    models_free(&mesh);
}

static void remove_some(editing *e, size_t count)
{
    uint32_t *numbers = malloc((count + 1) * sizeof *numbers);
    count = count < e->shadow.count ? count : e->shadow.count;
    for (size_t i = 0; i < count; i++) {
        const size_t at = (size_t)test_random_whole(&e->random, 0, (int)e->shadow.count - 1);
        numbers[i] = e->shadow.items[at].number;
        shadow_remove(&e->shadow, at);
    }
    test_assert_status(e->w->context, tumble_model_remove(e->model, numbers, count), TUMBLE_OK, "");
    free(numbers);
}

static void remove_surface(editing *e)
{
    if (e->shadow.count == 0) {
        return;
    }
    const uint32_t id = e->shadow.items[test_random_whole(&e->random, 0, (int)e->shadow.count - 1)].surface;
    test_assert_status(e->w->context, tumble_model_remove_surface(e->model, id), TUMBLE_OK, "");
    for (size_t i = e->shadow.count; i-- > 0;) {
        if (e->shadow.items[i].surface == id) {
            shadow_remove(&e->shadow, i);
        }
    }
}

static void random_edit(editing *e)
{
    const int many = test_random_chance(&e->random, 0.1);
    const size_t count = (size_t)test_random_whole(&e->random, 1, many ? 300 : 12);
    const uint32_t surfaces = test_random_chance(&e->random, 0.3) ? 60 : 3;
    switch (test_random_whole(&e->random, 0, e->shadow.count > 600 ? 14 : 11)) {
    case 0: remove_surface(e); break;
    case 1: test_random_chance(&e->random, 0.2) ? remove_some(e, e->shadow.count) : remove_some(e, 1); break;
    case 2: { /* saved and loaded */
        tumble_model *copy = copy_model(e, e->model);
        tumble_model_destroy(e->model);
        e->model = copy;
        break;
    }
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
    case 8: insert_some(e, count, surfaces); break;
    default: remove_some(e, count);
    }
}

static void begin_editing(editing *e, test_world *w, uint64_t seed, kind k)
{
    *e = (editing){.w = w, .random = {seed}, .kind = k};
    models_mesh mesh = {0}, none = {0};
    for (size_t i = 0; i < 150; i++) {
        shadow_polygon polygon = {.number = 0};
        random_polygon(&e->random, k, 5, &polygon);
        append_polygon(&mesh, &polygon);
    }
    const tumble_model_options options = test_rtree_options((tumble_rtree_load)test_random_whole(&e->random, 0, 2));
    e->probe = test_model(w->context, &mesh, &options);
    e->brute_probe = test_brute_model(w->context, &mesh);
    if (test_random_chance(&e->random, 0.5)) {
        e->model = test_model(w->context, &none, &options);
    } else {
        models_mesh start = {0};
        for (uint32_t i = 0; i < 200; i++) {
            shadow_polygon polygon = {.number = i};
            random_polygon(&e->random, k, 3, &polygon);
            append_polygon(&start, &polygon);
            shadow_add(&e->shadow, &polygon);
        }
        e->shadow.limit = 200;
        e->model = test_model(w->context, &start, &options);
        models_free(&start);
    }
    models_free(&mesh);
}

static void end_editing(editing *e)
{
    tumble_model_destroy(e->model);
    tumble_model_destroy(e->probe);
    tumble_model_destroy(e->brute_probe);
    free(e->shadow.items);
}

static void test_random_edits(void **state)
{
    for (uint64_t seed = 0; seed < test_count(9); seed++) {
        editing e;
        begin_editing(&e, *state, seed, (kind)(seed % KINDS));
        compare_all(&e);
        for (size_t i = 0; i < 60; i++) {
            random_edit(&e);
            if (test_random_chance(&e.random, 0.25)) {
                compare_all(&e);
            } else {
                test_check_edit(e.model);
            }
        }
        compare_all(&e);
        end_editing(&e);
    }
}

/* Surfaces of one or two triangles come and go, so that the tree over them is the one that changes. */
static void test_many_surfaces(void **state)
{
    editing e;
    begin_editing(&e, *state, 8, LATTICE);
    for (size_t i = 0; i < 40; i++) {
        insert_some(&e, (size_t)test_random_whole(&e.random, 1, 200), 1000000);
        test_check_edit(e.model);
        const size_t gone = e.shadow.count > 1000 ? 150 : 60;
        for (size_t k = 0; k < gone && e.shadow.count; k++) {
            if (k % 2) {
                remove_surface(&e);
            } else {
                remove_some(&e, 1);
            }
        }
        test_check_edit(e.model);
    }
    assert_true(e.model->edit->surface_count > 300);
    compare_all(&e);
    remove_some(&e, e.shadow.count);
    compare_all(&e);
    insert_some(&e, 3, 3);
    compare_all(&e);
    end_editing(&e);
}

/* ---- Loading one by one ---- */

static void test_load(void **state)
{
    test_world *w = *state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        editing e;
        begin_editing(&e, w, seed, (kind)(seed % KINDS));
        tumble_model_destroy(e.model);
        models_mesh mesh = {0};
        shadow_mesh(&e.shadow, &mesh);
        const tumble_model_options options = test_rtree_options(TUMBLE_RTREE_LOAD_INSERT);
        e.model = test_model(w->context, &mesh, &options);
        compare_all(&e);
        insert_some(&e, 20, 5);
        remove_some(&e, 10);
        compare_all(&e);
        models_free(&mesh);
        end_editing(&e);
    }
    static const char *const shapes[] = {"sphere", "gear"};
    for (size_t i = 0; i < 2; i++) {
        models_mesh mesh = {0};
        assert_true(models_make_sized(&mesh, shapes[i], 4000));
        models_fit(&mesh, 1, 1);
        test_cost costs[4];
        for (int load = 0; load < 4; load++) {
            const tumble_model_options options = test_rtree_options((tumble_rtree_load)load);
            tumble_model *model = test_model(w->context, &mesh, &options);
            costs[load] = test_query_cost(w, model, model);
            print_message("%s, load %d: %.3f box tests of those with load 0\n", shapes[i], load,
                          costs[load].boxes / costs[0].boxes);
            tumble_model_destroy(model);
        }
        assert_true(costs[TUMBLE_RTREE_LOAD_INSERT].boxes < 2 * costs[0].boxes);
        models_free(&mesh);
    }
}

static tumble_status load_model(editing *e, const models_mesh *mesh, tumble_model **out)
{
    const tumble_model_options options = test_rtree_options(TUMBLE_RTREE_LOAD_INSERT);
    const tumble_mesh view = models_view(mesh);
    return tumble_model_create(e->w->context, &view, &options, out);
}

static void test_no_memory_to_load(void **state)
{
    test_world *w = *state;
    editing e;
    models_mesh mesh = {0};
    begin_editing(&e, w, 1, SOUP);
    insert_some(&e, 100, 3);
    shadow_mesh(&e.shadow, &mesh);
    for (size_t n = 1, failures = 1; failures; n++) {
        tumble_model *model;
        test_allocator_fail(&w->memory, n, 0);
        const tumble_status status = load_model(&e, &mesh, &model);
        failures = test_allocator_failures(&w->memory);
        test_allocator_fail(&w->memory, 0, 0);
        assert_int_equal(status, failures ? TUMBLE_ERROR_MEMORY : TUMBLE_OK);
        assert_true((model != NULL) == (status == TUMBLE_OK) && (failures || n > 10));
        tumble_model_destroy(model);
    }
    models_free(&mesh);
    end_editing(&e);
}

/* ---- No memory ---- */

typedef enum job {
    INSERT_ONE,
    INSERT_MANY,
    INSERT_SURFACES,
    REMOVE_SOME,
    REMOVE_SURFACE,
    JOBS
} job;

/* Does one edit with the shadow as it will be if all goes well; gives back the shadow as it was if it does not. */
static tumble_status try_job(editing *e, job j, size_t failing, int forever, size_t *failures)
{
    shadow before = e->shadow;
    models_mesh mesh = {0};
    uint32_t numbers[40], first = 12345;
    e->shadow.items = malloc((before.count + 500) * sizeof *e->shadow.items);
    e->shadow.capacity = before.count + 500;
    memcpy(e->shadow.items, before.items, before.count * sizeof *e->shadow.items);
    const size_t count = j == INSERT_ONE ? 1 : j == INSERT_MANY ? 300 : j == INSERT_SURFACES ? 60 : 0;
    for (size_t i = 0; i < count; i++) {
        shadow_polygon polygon = {.number = before.limit + (uint32_t)i};
        random_polygon(&e->random, e->kind, j == INSERT_SURFACES ? 100 : 3, &polygon);
        append_polygon(&mesh, &polygon);
        shadow_add(&e->shadow, &polygon);
    }
    for (uint32_t i = 0; i < 40 && j == REMOVE_SOME; i++) {
        numbers[i] = e->shadow.items[3 * i].number;
        shadow_remove(&e->shadow, 3 * i);
    }
    for (size_t i = e->shadow.count; i-- > 0 && j == REMOVE_SURFACE;) {
        if (e->shadow.items[i].surface == 2) {
            shadow_remove(&e->shadow, i);
        }
    }
    const tumble_mesh view = models_view(&mesh);
    test_allocator_fail(&e->w->memory, failing, forever);
    const tumble_status status = j == REMOVE_SOME      ? tumble_model_remove(e->model, numbers, 40)
                                 : j == REMOVE_SURFACE ? tumble_model_remove_surface(e->model, 2)
                                                       : tumble_model_insert(e->model, &view, &first);
    *failures = test_allocator_failures(&e->w->memory);
    test_allocator_fail(&e->w->memory, 0, 0);
    models_free(&mesh);
    assert_true(status == TUMBLE_OK || (status == TUMBLE_ERROR_MEMORY && *failures && first == 12345));
    if (status == TUMBLE_OK) {
        assert_true(count == 0 || first == before.limit);
        e->shadow.limit += (uint32_t)count;
        free(before.items);
    } else {
        free(e->shadow.items);
        e->shadow = before;
    }
    return status;
}

/* The n-th allocation fails, for every n: the first edit of a model, and one of a model that was edited before. An edit
 * may do without what it only wants for the sake of speed. With little effort, allocations that fail alone and those
 * that fail with all that follow take turns. */
static void test_no_memory(void **state)
{
    size_t refused = 0;
    const int is_short = test_effort() < 1;
    for (int run = 0; run < JOBS * (is_short ? 2 : 4); run++) {
        const job j = (job)(run % JOBS);
        const int edited = run / JOBS % 2;
        size_t failures = 1;
        for (size_t n = 1; failures; n++) {
            editing e;
            begin_editing(&e, *state, 1, SOUP);
            insert_some(&e, 200, 3);
            if (!edited) {
                tumble_model *copy = copy_model(&e, e.model);
                tumble_model_destroy(e.model);
                e.model = copy;
            }
            const int forever = is_short ? (int)(n % 2) : run / JOBS / 2;
            const tumble_status status = try_job(&e, j, n, forever, &failures);
            refused += status != TUMBLE_OK;
            if (n % 3 == 0 || !failures) {
                compare_all(&e);
            }
            test_check_edit(e.model);
            insert_some(&e, 5, 3);
            test_check_edit(e.model);
            end_editing(&e);
            assert_true(n < 1000);
        }
    }
    assert_true(refused > 60);
}

/* The block, and what needs it, can fail without any loss. */
static void test_no_memory_for_block(void **state)
{
    test_world *w = *state;
    editing e;
    begin_editing(&e, w, 3, SOUP);
    insert_some(&e, 100, 30);
    for (size_t n = 1;; n++) {
        size_t size = 1;
        test_allocator_fail(&w->memory, n, 0);
        const void *block = tumble_model_block(e.model, &size);
        const size_t failures = test_allocator_failures(&w->memory);
        test_allocator_fail(&w->memory, 0, 0);
        assert_int_equal(block == NULL, failures > 0);
        assert_int_equal(size == 0, failures > 0);
        if (!failures) {
            assert_true(n > 3);
            break;
        }
        test_assert_status(w->context, TUMBLE_ERROR_MEMORY, TUMBLE_ERROR_MEMORY, "out of memory for ");
    }
    insert_some(&e, 1, 1);
    uint32_t polygon;
    double corners[3][3];
    tumble_model_info info;
    test_allocator_fail(&w->memory, 1, 1);
    assert_int_equal(tumble_model_triangle(e.model, 0, corners, &polygon), TUMBLE_ERROR_MEMORY);
    assert_int_equal(tumble_model_get_info(e.model, &info), TUMBLE_ERROR_MEMORY);
    assert_int_equal(tumble_model_save(e.model, "no-such-folder/model"), TUMBLE_ERROR_MEMORY);
    test_allocator_fail(&w->memory, 0, 0);
    compare_all(&e);
    end_editing(&e);
}

/* ---- What is refused ---- */

static void test_refusals(void **state)
{
    test_world *w = *state;
    editing e;
    begin_editing(&e, w, 1, LATTICE);
    insert_some(&e, 50, 3);
    const uint32_t limit = e.shadow.limit, twice[2] = {limit - 1, limit - 1}, gone[2] = {limit - 1, limit - 2};
    remove_some(&e, 0);
    shadow_remove(&e.shadow, e.shadow.count - 2);
    assert_int_equal(tumble_model_remove(e.model, &gone[1], 1), TUMBLE_OK);
    char text[100];
    snprintf(text, sizeof text, "polygon %u is to be removed twice", limit - 1);
    test_assert_status(w->context, tumble_model_remove(e.model, twice, 2), TUMBLE_ERROR_INDEX, text);
    snprintf(text, sizeof text, "no polygon %u to remove", limit - 2);
    test_assert_status(w->context, tumble_model_remove(e.model, gone, 2), TUMBLE_ERROR_INDEX, text);
    snprintf(text, sizeof text, "no polygon %u to remove", limit);
    test_assert_status(w->context, tumble_model_remove(e.model, &limit, 1), TUMBLE_ERROR_INDEX, text);
    test_assert_status(w->context, tumble_model_remove_surface(e.model, 77), TUMBLE_ERROR_INDEX, "no surface 77");
    test_assert_status(w->context, tumble_model_remove(e.model, NULL, 1), TUMBLE_ERROR_ARGUMENT, "none are given");
    test_assert_status(w->context, tumble_model_insert(e.model, NULL, NULL), TUMBLE_ERROR_ARGUMENT, "mesh is null");
    assert_int_equal(tumble_model_insert(NULL, NULL, NULL), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_model_remove(NULL, NULL, 0), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_model_remove_surface(NULL, 0), TUMBLE_ERROR_ARGUMENT);
    const double points[9] = {0, 0, 0, 1, 0, 0, 0, NAN, 0};
    const uint32_t indices[3] = {0, 1, 2}, beyond[3] = {0, 1, 3};
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = points, mesh.point_count = 3, mesh.indices = indices, mesh.index_count = 3;
    test_assert_status(w->context, tumble_model_insert(e.model, &mesh, NULL), TUMBLE_ERROR_NOT_FINITE, "point 2");
    mesh.indices = beyond;
    test_assert_status(w->context, tumble_model_insert(e.model, &mesh, NULL), TUMBLE_ERROR_INDEX, "corner 2");
    tumble_model *out = NULL;
    test_assert_status(w->context, tumble_model_deform(e.model, &mesh, &out), TUMBLE_ERROR_UNSUPPORTED, "edited");
    compare_all(&e);
    mesh = tumble_default_mesh();
    uint32_t first = 0;
    assert_int_equal(tumble_model_insert(e.model, &mesh, &first), TUMBLE_OK);
    assert_int_equal(first, limit);
    end_editing(&e);
}

/* ---- Models from elsewhere ---- */

/* A mapped one, a deformed one, and one whose memory belongs to the caller. */
static void test_origins(void **state)
{
    test_world *w = *state;
    const char *path = "test_rtree_edit.model";
    for (int origin = 0; origin < 3; origin++) {
        editing e;
        begin_editing(&e, w, 2, SOUP);
        models_mesh mesh = {0};
        e.shadow.count = 0;
        for (uint32_t i = 0; i < 100; i++) {
            shadow_polygon polygon = {.number = i};
            random_polygon(&e.random, SOUP, 3, &polygon);
            polygon.size = 3;
            append_polygon(&mesh, &polygon);
            shadow_add(&e.shadow, &polygon);
        }
        e.shadow.limit = 100;
        const tumble_model_options options = test_rtree_options(TUMBLE_RTREE_LOAD_STR);
        const tumble_mesh view = models_view(&mesh);
        tumble_model *made = test_model(w->context, &mesh, &options);
        tumble_model_destroy(e.model);
        e.model = NULL;
        size_t size;
        const void *block = tumble_model_block(made, &size);
        if (origin == 0) {
            test_assert_status(w->context, tumble_model_save(made, path), TUMBLE_OK, "");
            test_assert_status(w->context, tumble_model_load(w->context, path, &e.model), TUMBLE_OK, "");
        } else if (origin == 1) {
            test_assert_status(w->context, tumble_model_deform(made, &view, &e.model), TUMBLE_OK, "");
        } else {
            test_assert_status(w->context, tumble_model_from_block(w->context, block, size, 0, &e.model), TUMBLE_OK,
                               "");
        }
        remove_some(&e, 3);
        compare_all(&e);
        insert_some(&e, 10, 3);
        compare_all(&e);
        test_assert_status(w->context, tumble_model_save(e.model, path), TUMBLE_OK, "");
        tumble_model_destroy(e.model);
        test_assert_status(w->context, tumble_model_load(w->context, path, &e.model), TUMBLE_OK, "");
        compare_all(&e);
        insert_some(&e, 10, 30);
        compare_all(&e);
        remove(path);
        tumble_model_destroy(made);
        models_free(&mesh);
        end_editing(&e);
    }
}

/* A block that was changed at random, but not so that it is refused: whatever it has, it can be edited. */
static void test_strange_blocks(void **state)
{
    test_world *w = *state;
    editing e;
    begin_editing(&e, w, 4, LATTICE);
    insert_some(&e, 300, 10);
    size_t size, accepted = 0;
    const void *block = tumble_model_block(e.model, &size);
    tmb_block *copy = aligned_alloc(TMB_CACHE_LINE, size);
    for (size_t i = 0; i < test_count(4000); i++) {
        memcpy(copy, block, size);
        const size_t nodes = (size_t)copy->offsets[TMB_SECTION_NODES];
        const size_t from = i % 3 ? nodes : (size_t)copy->offsets[TMB_SECTION_POLYGONS];
        uint32_t *word = (uint32_t *)(void *)((char *)copy + from);
        word += test_random_whole(&e.random, 0, (int)((size - from) / sizeof *word) - 1);
        *word = (uint32_t)test_random_whole(&e.random, 0, 40);
        copy->checksum = tmb_block_checksum(copy);
        tumble_model *model;
        if (tumble_model_from_block(w->context, copy, size, 1, &model) == TUMBLE_OK) {
            const uint32_t some = e.shadow.items[test_random_whole(&e.random, 0, (int)e.shadow.count - 1)].number;
            const tumble_status status = tumble_model_remove(model, &some, 1);
            assert_true(status == TUMBLE_OK || status == TUMBLE_ERROR_INDEX);
            test_pairs pairs = {0};
            test_collide(w->query, model, NULL, e.probe, NULL, NULL, &pairs);
            test_free_pairs(&pairs);
            tumble_model_destroy(model);
            accepted++;
        }
    }
    assert_true(accepted > 0);
    free(copy);
    end_editing(&e);
}

/* Nodes with one child each, as high as a block may have: packed before anything else. */
static void test_high_tree(void **state)
{
    test_world *w = *state;
    editing e;
    begin_editing(&e, w, 4, LATTICE);
    remove_some(&e, e.shadow.count);
    insert_some(&e, 40, 1);
    const uint32_t extra = 15;
    size_t size;
    const tmb_block *block = tumble_model_block(e.model, &size);
    tmb_block header = *block;
    header.node_count += extra;
    header.depth += extra;
    assert_true(tmb_block_layout(&header, 1, header.offsets[TMB_SECTION_SURFACES] != 0, 0));
    tmb_block *high = aligned_alloc(TMB_CACHE_LINE, (size_t)header.total_bytes);
    memset(high, 0, (size_t)header.total_bytes);
    memcpy(high, block, (size_t)block->offsets[TMB_SECTION_NODES]);
    *high = header;
    tmb_rtree_node *nodes = (tmb_rtree_node *)(void *)((char *)high + header.offsets[TMB_SECTION_NODES]);
    const char *old = (const char *)block + block->offsets[TMB_SECTION_NODES];
    memcpy(nodes, old, (size_t)block->node_count * sizeof *nodes);
    tmb_rtree_surface *surface = (tmb_rtree_surface *)(void *)(nodes + header.node_count);
    memcpy(surface, old + block->node_count * sizeof *nodes, sizeof *surface);
    for (uint32_t i = 0; i < extra; i++) {
        tmb_rtree_node *node = &nodes[block->node_count + i];
        node->count = 1;
        node->level = surface->height++;
        node->child[0] = surface->root;
        surface->root = (uint32_t)block->node_count + i;
    }
    tmb_rtree_fit(high);
    high->checksum = tmb_block_checksum(high);
    tumble_model *model;
    const tumble_status status = tumble_model_from_block(w->context, high, (size_t)header.total_bytes, 1, &model);
    test_assert_status(w->context, status, TUMBLE_OK, "");
    tumble_model_destroy(e.model);
    e.model = model;
    insert_some(&e, 1, 1);
    assert_true(e.model->edit->surfaces[0].height < 4);
    compare_all(&e);
    free(high);
    end_editing(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_random_edits),   TEST_IN_WORLD(test_many_surfaces),
        TEST_IN_WORLD(test_load),           TEST_IN_WORLD(test_no_memory_to_load),
        TEST_IN_WORLD(test_no_memory),      TEST_IN_WORLD(test_no_memory_for_block),
        TEST_IN_WORLD(test_refusals),       TEST_IN_WORLD(test_origins),
        TEST_IN_WORLD(test_strange_blocks), TEST_IN_WORLD(test_high_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
