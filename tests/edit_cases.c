#include "edit_cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What the model should have ---- */

void edit_remember(shadow *s, const shadow_polygon *polygon)
{
    if (s->count == s->capacity) {
        s->capacity = 2 * s->capacity + 16;
        s->items = realloc(s->items, s->capacity * sizeof *s->items);
        assert_non_null(s->items);
    }
    s->items[s->count++] = *polygon;
}

void edit_forget(shadow *s, size_t at)
{
    memmove(s->items + at, s->items + at + 1, (--s->count - at) * sizeof *s->items);
}

void edit_append_polygon(models_mesh *mesh, const shadow_polygon *polygon)
{
    uint32_t corners[EDIT_CORNERS_MOST];
    for (uint32_t i = 0; i < polygon->size; i++) {
        corners[i] = models_point(mesh, polygon->corners[i][0], polygon->corners[i][1], polygon->corners[i][2]);
    }
    mesh->surface = polygon->surface;
    models_polygon(mesh, corners, polygon->size);
}

void edit_mesh(const shadow *s, models_mesh *mesh)
{
    for (size_t i = 0; i < s->count; i++) {
        edit_append_polygon(mesh, &s->items[i]);
    }
    assert_false(mesh->failed);
}

/* ---- Polygons ---- */

static double coordinate(test_random *random, edit_kind k, const double *near)
{
    switch (k) {
    case EDIT_SOUP: return near ? *near + test_random_range(random, -0.2, 0.2) : test_random_range(random, -1, 1);
    case EDIT_LATTICE: return near ? *near + test_random_whole(random, -1, 1) : test_random_whole(random, -4, 4);
    default:
        return ldexp(test_random_range(random, -1, 1),
                     test_random_whole(random, -30, test_random_chance(random, 0.05) ? 300 : 3));
    }
}

void edit_random_polygon(test_random *random, edit_kind k, uint32_t surfaces, shadow_polygon *out)
{
    out->size = test_random_chance(random, 0.8) ? 3 : (uint32_t)test_random_whole(random, 3, EDIT_CORNERS_MOST);
    out->surface = (uint32_t)test_random_whole(random, 0, (int)surfaces - 1);
    out->surface = out->surface == 1 ? UINT32_MAX : out->surface;
    for (uint32_t i = 0; i < out->size; i++) {
        for (int axis = 0; axis < 3; axis++) {
            out->corners[i][axis] = coordinate(random, k, i > 0 ? &out->corners[0][axis] : NULL);
        }
    }
}

/* ---- Whether it gives the right answers ---- */

static void renumber(const edit_case *e, test_pairs *pairs, int is_b)
{
    for (size_t i = 0; i < pairs->count; i++) {
        uint32_t *number = is_b ? &pairs->items[i].polygon_b : &pairs->items[i].polygon_a;
        *number = e->shadow.items[*number].number;
    }
}

/* Pairs of surfaces, which do not depend on the numbers of polygons. */
static void compare_surfaces(edit_case *e, const tumble_model *a, const tumble_model *b, const tumble_pose *pose,
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
static void compare_queries(edit_case *e, const tumble_model *model, int numbered, const tumble_model *fresh,
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

static void compare_facts(edit_case *e, const tumble_model *model, const tumble_model *fresh)
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
static void compare_triangles(edit_case *e, const tumble_model *model, uint64_t count)
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

tumble_model *edit_copy(edit_case *e, const tumble_model *model)
{
    size_t size;
    const void *block = tumble_model_block(model, &size);
    tumble_model *copy;
    assert_non_null(block);
    test_assert_status(e->w->context, tumble_model_from_block(e->w->context, block, size, 1, &copy), TUMBLE_OK, "");
    return copy;
}

void edit_compare(edit_case *e)
{
    models_mesh mesh = {0};
    edit_mesh(&e->shadow, &mesh);
    tumble_model *brute = test_brute_model(e->w->context, &mesh);
    test_check_edit(e->model);
    test_check_live(e->model);
    compare_queries(e, e->model, 0, brute, "edited");
    compare_facts(e, e->model, brute);
    tumble_model *copy = edit_copy(e, e->model);
    compare_queries(e, copy, 0, brute, "from its block");
    compare_facts(e, copy, brute);
    compare_triangles(e, copy, test_info(brute).triangle_count);
    compare_triangles(e, e->model, test_info(brute).triangle_count);
    tumble_model *rebuilt = test_model(e->w->context, &mesh, &e->options);
    compare_queries(e, rebuilt, 1, brute, "rebuilt");
    tumble_model_destroy(rebuilt);
    tumble_model_destroy(copy);
    tumble_model_destroy(brute);
    models_free(&mesh);
}

/* ---- Edits ---- */

void edit_insert(edit_case *e, size_t count, uint32_t surfaces)
{
    models_mesh mesh = {0};
    for (size_t i = 0; i < count; i++) {
        shadow_polygon polygon = {.number = e->shadow.limit + (uint32_t)i};
        edit_random_polygon(&e->random, e->kind, surfaces, &polygon);
        if (e->shadow.count && test_random_chance(&e->random, 0.1)) { /* the same once more */
            const uint32_t number = polygon.number;
            polygon = e->shadow.items[test_random_whole(&e->random, 0, (int)e->shadow.count - 1)];
            polygon.number = number;
        }
        edit_append_polygon(&mesh, &polygon);
        edit_remember(&e->shadow, &polygon);
    }
    const tumble_mesh view = models_view(&mesh);
    uint32_t first;
    test_assert_status(e->w->context, tumble_model_insert(e->model, &view, &first), TUMBLE_OK, "");
    assert_int_equal(first, e->shadow.limit);
    e->shadow.limit += (uint32_t)count;
    models_free(&mesh);
}

void edit_remove(edit_case *e, size_t count)
{
    uint32_t *numbers = malloc((count + 1) * sizeof *numbers);
    count = count < e->shadow.count ? count : e->shadow.count;
    for (size_t i = 0; i < count; i++) {
        const size_t at = (size_t)test_random_whole(&e->random, 0, (int)e->shadow.count - 1);
        numbers[i] = e->shadow.items[at].number;
        edit_forget(&e->shadow, at);
    }
    test_assert_status(e->w->context, tumble_model_remove(e->model, numbers, count), TUMBLE_OK, "");
    free(numbers);
}

void edit_remove_surface(edit_case *e)
{
    if (e->shadow.count == 0) {
        return;
    }
    const uint32_t id = e->shadow.items[test_random_whole(&e->random, 0, (int)e->shadow.count - 1)].surface;
    test_assert_status(e->w->context, tumble_model_remove_surface(e->model, id), TUMBLE_OK, "");
    for (size_t i = e->shadow.count; i-- > 0;) {
        if (e->shadow.items[i].surface == id) {
            edit_forget(&e->shadow, i);
        }
    }
}

void edit_randomly(edit_case *e)
{
    const int many = test_random_chance(&e->random, 0.1);
    const size_t count = (size_t)test_random_whole(&e->random, 1, many ? 300 : 12);
    const uint32_t surfaces = test_random_chance(&e->random, 0.3) ? 60 : 3;
    switch (test_random_whole(&e->random, 0, e->shadow.count > 600 ? 14 : 11)) {
    case 0: edit_remove_surface(e); break;
    case 1: test_random_chance(&e->random, 0.2) ? edit_remove(e, e->shadow.count) : edit_remove(e, 1); break;
    case 2: { /* saved and loaded */
        tumble_model *copy = edit_copy(e, e->model);
        tumble_model_destroy(e->model);
        e->model = copy;
        break;
    }
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
    case 8: edit_insert(e, count, surfaces); break;
    default: edit_remove(e, count);
    }
}

void edit_begin(edit_case *e, test_world *w, uint64_t seed, edit_kind k, const tumble_model_options *given)
{
    *e = (edit_case){.w = w, .random = {seed}, .kind = k};
    models_mesh mesh = {0}, none = {0};
    for (size_t i = 0; i < 150; i++) {
        shadow_polygon polygon = {.number = 0};
        edit_random_polygon(&e->random, k, 5, &polygon);
        edit_append_polygon(&mesh, &polygon);
    }
    const tumble_rtree_load load = (tumble_rtree_load)test_random_whole(&e->random, 0, 2);
    if (!given) {
        e->options = test_rtree_options(load);
        test_tune(e->options, rtree.width, seed % 4 == 2 ? 2 + (uint32_t)seed % 31 : 8);
    }
    const tumble_model_options options = e->options = given ? *given : e->options;
    e->probe = test_model(w->context, &mesh, &options);
    e->brute_probe = test_brute_model(w->context, &mesh);
    if (test_random_chance(&e->random, 0.5)) {
        e->model = test_model(w->context, &none, &options);
    } else {
        models_mesh start = {0};
        for (uint32_t i = 0; i < 200; i++) {
            shadow_polygon polygon = {.number = i};
            edit_random_polygon(&e->random, k, 3, &polygon);
            edit_append_polygon(&start, &polygon);
            edit_remember(&e->shadow, &polygon);
        }
        e->shadow.limit = 200;
        e->model = test_model(w->context, &start, &options);
        models_free(&start);
    }
    models_free(&mesh);
}

/* The model knows how much it holds, but for what arrays have beyond their ends. */
static void destroy_told(test_world *w, tumble_model *model)
{
    const uint64_t told = test_info(model).total_bytes;
    const size_t before = test_allocator_bytes(&w->memory);
    tumble_model_destroy(model);
    const size_t held = before - test_allocator_bytes(&w->memory);
    assert_in_range(held, told, told + 1024);
}

void edit_end(edit_case *e)
{
    destroy_told(e->w, e->model);
    tumble_model_destroy(e->probe);
    tumble_model_destroy(e->brute_probe);
    free(e->shadow.items);
}

/* ---- No memory ---- */

/* Does one edit with the shadow as it will be if all goes well; gives back the shadow as it was if it does not. */
tumble_status edit_try(edit_case *e, edit_job j, size_t failing, int forever, size_t *failures)
{
    shadow before = e->shadow;
    models_mesh mesh = {0};
    uint32_t numbers[40], first = 12345;
    e->shadow.items = malloc((before.count + 500) * sizeof *e->shadow.items);
    e->shadow.capacity = before.count + 500;
    memcpy(e->shadow.items, before.items, before.count * sizeof *e->shadow.items);
    const size_t count = j == EDIT_INSERT_ONE ? 1 : j == EDIT_INSERT_MANY ? 300 : j == EDIT_INSERT_SURFACES ? 60 : 0;
    for (size_t i = 0; i < count; i++) {
        shadow_polygon polygon = {.number = before.limit + (uint32_t)i};
        edit_random_polygon(&e->random, e->kind, j == EDIT_INSERT_SURFACES ? 100 : 3, &polygon);
        edit_append_polygon(&mesh, &polygon);
        edit_remember(&e->shadow, &polygon);
    }
    for (uint32_t i = 0; i < 40 && j == EDIT_REMOVE_SOME; i++) {
        numbers[i] = e->shadow.items[3 * i].number;
        edit_forget(&e->shadow, 3 * i);
    }
    for (size_t i = e->shadow.count; i-- > 0 && j == EDIT_REMOVE_SURFACE;) {
        if (e->shadow.items[i].surface == 2) {
            edit_forget(&e->shadow, i);
        }
    }
    const tumble_mesh view = models_view(&mesh);
    test_allocator_fail(&e->w->memory, failing, forever);
    const tumble_status status = j == EDIT_REMOVE_SOME      ? tumble_model_remove(e->model, numbers, 40)
                                 : j == EDIT_REMOVE_SURFACE ? tumble_model_remove_surface(e->model, 2)
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
