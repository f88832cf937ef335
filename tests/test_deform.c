/* Models whose points have moved: the answers of models that are built anew, whatever the motion; what is refused, and
 * that nothing is lost by it; memory, threads, and blocks that lie. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes.h"
#include "tree/block.h"

/* ---- Meshes and motions ---- */

static tumble_model_options options_for(tumble_hierarchy hierarchy)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = hierarchy;
    options.deformable = 1;
    return options;
}

/* All but the points are the other's. */
static models_mesh share(const models_mesh *mesh)
{
    models_mesh copy = *mesh;
    copy.points = malloc((3 * mesh->point_count + 1) * sizeof *copy.points);
    assert_non_null(copy.points);
    if (mesh->point_count) {
        memcpy(copy.points, mesh->points, 3 * mesh->point_count * sizeof *copy.points);
    }
    return copy;
}

enum motion {
    REST,
    JITTER,
    ANYWHERE,
    TO_A_POINT,
    TO_A_LINE,
    TO_A_PLANE,
    LARGE,
    SMALL,
    HUGE_SIZE,
    TINY_SIZE,
    FAR_AWAY,
    ON_A_LATTICE,
    TENTHS,
    ONE_POINT, /* of all: what is float is no more */
    MOTIONS
};

static double move_number(enum motion motion, test_random *random, size_t point, size_t axis, double x)
{
    switch (motion) {
    case REST: return x;
    case JITTER: return x + 0.05 * (test_random_unit(random) - 0.5);
    case ANYWHERE: return 2 * test_random_unit(random) - 1;
    case TO_A_POINT: return 0.25;
    case TO_A_LINE: return axis == 1 ? x : -0.0;
    case TO_A_PLANE: return axis == 2 ? 0.125 : x;
    case LARGE: return x * 1e6;
    case SMALL: return x * 1e-6;
    case HUGE_SIZE: return x * 1e140;
    case TINY_SIZE: return x * 1e-300;
    case FAR_AWAY: return x + 1e6;
    case ON_A_LATTICE: return floor(4 * x) / 4;
    case TENTHS: return x * 0.1;
    case ONE_POINT: return point == 3 && axis == 1 ? 0.1 : x;
    case MOTIONS: break;
    }
    return x;
}

static void move_points(models_mesh *mesh, const models_mesh *still, enum motion motion, test_random *random)
{
    for (size_t i = 0; i < 3 * still->point_count; i++) {
        mesh->points[i] = move_number(motion, random, i / 3, i % 3, still->points[i]);
    }
}

enum kind {
    SPHERE,
    SOUP,
    LATTICE, /* with degenerate triangles */
    UNUSED,  /* points that no polygon uses, far out */
    FEW,
    ONE_TRIANGLE,
    EMPTY,
    KINDS
};

static void make_kind(models_mesh *mesh, enum kind kind, size_t triangles)
{
    test_random random = {kind + 1};
    memset(mesh, 0, sizeof *mesh);
    switch (kind) {
    case SPHERE: assert_true(models_make_sized(mesh, "sphere", triangles)); break;
    case SOUP: test_make_soup(mesh, &random, triangles, 0.3); break;
    case LATTICE: test_make_lattice(mesh, &random, triangles, 9, 4, 0.3); break;
    case UNUSED: assert_true(models_make_sized(mesh, "torus", triangles)); break;
    case FEW: test_make_soup(mesh, &random, 12, 1.5); break;
    case ONE_TRIANGLE: test_make_soup(mesh, &random, 1, 1.5); break;
    default: break;
    }
    if (kind == UNUSED) {
        models_fit(mesh, 2, 1);
        models_point(mesh, 1e9, 0.1, -7);
    } else if (kind == SPHERE || kind == LATTICE) {
        models_fit(mesh, 2, 1);
    }
    for (size_t i = 0; kind == LATTICE && i < mesh->polygon_count; i++) {
        mesh->surface_ids[i] = (uint32_t)(i % 7);
    }
    assert_false(mesh->failed);
}

static void deform(test_world *w, const tumble_model *model, const models_mesh *mesh, tumble_model **out)
{
    const tumble_mesh view = models_view(mesh);
    test_assert_status(w->context, tumble_model_deform(model, &view, out), TUMBLE_OK, "");
    assert_non_null(*out);
}

/* ---- Comparison ---- */

static void assert_same_blocks(const tumble_model *a, const tumble_model *b)
{
    size_t size_a, size_b;
    const void *block_a = tumble_model_block(a, &size_a), *block_b = tumble_model_block(b, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(block_a, block_b, size_a);
}

/* All that does not depend on the hierarchy. */
static void assert_same_facts(const tumble_model *a, const tumble_model *b)
{
    const tumble_model_info x = test_info(a), y = test_info(b);
    assert_int_equal(x.polygon_count, y.polygon_count);
    assert_int_equal(x.triangle_count, y.triangle_count);
    assert_int_equal(x.point_count, y.point_count);
    assert_int_equal(x.surface_count, y.surface_count);
    assert_int_equal(x.degenerate_count, y.degenerate_count);
    assert_int_equal(x.closed, y.closed);
    assert_int_equal(x.points_are_float, y.points_are_float);
    assert_memory_equal(x.lower, y.lower, sizeof x.lower);
    assert_memory_equal(x.upper, y.upper, sizeof x.upper);
    for (uint32_t i = 0; i < x.polygon_count; i++) {
        uint32_t surfaces[2];
        assert_int_equal(tumble_model_surface(a, i, &surfaces[0]), TUMBLE_OK);
        assert_int_equal(tumble_model_surface(b, i, &surfaces[1]), TUMBLE_OK);
        assert_int_equal(surfaces[0], surfaces[1]);
    }
}

/* What loading checks, and that the way through a block loses nothing. */
static void assert_valid(test_world *w, const tumble_model *model)
{
    size_t size;
    const void *block = tumble_model_block(model, &size);
    tumble_model *copy = NULL;
    test_assert_status(w->context, tumble_model_from_block(w->context, block, size, 1, &copy), TUMBLE_OK, "");
    assert_same_blocks(model, copy);
    tumble_model_destroy(copy);
}

/* As A and as B, at three poses. `size` is that of the model, by which the other one is moved. */
static void assert_same_answers(test_world *w, const tumble_model *found, const tumble_model *expected, double size,
                                const char *name)
{
    test_random random = {5};
    test_pairs pairs[2] = {{0}, {0}};
    for (int i = 0; i < 3; i++) {
        tumble_pose pose = i ? test_rational_turn(&random) : tumble_pose_identity();
        pose.m[0][3] = i * 0.3 * size;
        test_collide(w->query, expected, NULL, expected, &pose, NULL, &pairs[0]);
        test_collide(w->query, found, NULL, found, &pose, NULL, &pairs[1]);
        test_assert_same_pairs(&pairs[1], &pairs[0], "%s, both, pose %d", name, i);
        test_collide(w->query, found, NULL, expected, &pose, NULL, &pairs[1]);
        test_assert_same_pairs(&pairs[1], &pairs[0], "%s, as A, pose %d", name, i);
        test_collide(w->query, expected, NULL, found, &pose, NULL, &pairs[1]);
        test_assert_same_pairs(&pairs[1], &pairs[0], "%s, as B, pose %d", name, i);
    }
    test_free_pairs(&pairs[0]);
    test_free_pairs(&pairs[1]);
}

static double size_of(const tumble_model *model)
{
    const tumble_model_info info = test_info(model);
    double size = 0;
    for (int k = 0; k < 3; k++) {
        size = fmax(size, info.upper[k] - info.lower[k]);
    }
    return size;
}

/* ---- Results ---- */

/* Without motion nothing changes, to the last byte; also when the points come as floats with gaps. */
static void test_rest(void **state)
{
    test_world *w = *state;
    for (int kind = 0; kind < KINDS; kind++) {
        models_mesh mesh;
        make_kind(&mesh, (enum kind)kind, 600);
        for (int k = 0; k < 2; k++) {
            const tumble_model_options options = options_for(k ? TUMBLE_HIERARCHY_WIDE : TUMBLE_HIERARCHY_BRUTE);
            tumble_model *model = test_model(w->context, &mesh, &options), *out = NULL;
            deform(w, model, &mesh, &out);
            assert_same_blocks(out, model);
            deform(w, model, &mesh, &out);
            assert_same_blocks(out, model);
            assert_int_equal(tumble_model_hierarchy(out), options.hierarchy);
            tumble_model_destroy(model);
            tumble_model_destroy(out);
        }
        models_free(&mesh);
    }
}

static void test_forms_of_points(void **state)
{
    test_world *w = *state;
    models_mesh mesh;
    make_kind(&mesh, SPHERE, 600);
    const tumble_model_options options = options_for(TUMBLE_HIERARCHY_WIDE);
    tumble_model *model = test_model(w->context, &mesh, &options), *out = NULL;
    float *floats = malloc(mesh.point_count * sizeof(float[5]));
    uint32_t *sizes = malloc(mesh.polygon_count * sizeof *sizes);
    assert_true(floats && sizes);
    for (size_t i = 0; i < mesh.point_count; i++) {
        for (size_t k = 0; k < 5; k++) {
            floats[5 * i + k] = k < 3 ? (float)mesh.points[3 * i + k] : NAN;
        }
    }
    for (size_t i = 0; i < mesh.polygon_count; i++) {
        sizes[i] = 3;
    }
    tumble_mesh view = models_view(&mesh);
    view.points = NULL, view.points_float = floats, view.point_stride = 5 * sizeof *floats;
    view.polygon_sizes = sizes, view.polygon_count = mesh.polygon_count;
    test_assert_status(w->context, tumble_model_deform(model, &view, &out), TUMBLE_OK, "");
    assert_same_blocks(out, model);
    models_point(&mesh, 1e9, 0.1, 7); /* that no polygon uses */
    deform(w, model, &mesh, &out);
    assert_same_blocks(out, model);
    free(floats);
    free(sizes);
    models_free(&mesh);
    tumble_model_destroy(model);
    tumble_model_destroy(out);
}

/* Frame after frame into the same memory: each must give what brute force on a new model gives. */
static void check_motions(test_world *w, enum kind kind, tumble_hierarchy hierarchy, size_t triangles)
{
    test_random random = {kind + 100};
    models_mesh still, moved;
    make_kind(&still, kind, triangles);
    moved = share(&still);
    const tumble_model_options options = options_for(hierarchy);
    tumble_model *model = test_model(w->context, &still, &options), *out = NULL;
    for (size_t frame = 0; frame < MOTIONS + 6; frame++) {
        const enum motion motion =
            (enum motion)(frame < MOTIONS ? frame : (size_t)test_random_whole(&random, 0, MOTIONS - 1));
        char name[64];
        snprintf(name, sizeof name, "kind %d, motion %d", (int)kind, (int)motion);
        move_points(&moved, &still, motion, &random);
        deform(w, model, &moved, &out);
        tumble_model *fresh = test_brute_model(w->context, &moved);
        assert_same_facts(out, fresh);
        assert_valid(w, out);
        assert_same_answers(w, out, fresh, size_of(fresh), name);
        tumble_model_destroy(fresh);
    }
    tumble_model_destroy(model);
    tumble_model_destroy(out);
    free(moved.points);
    models_free(&still);
}

static void test_motions(void **state)
{
    const size_t triangles = test_effort() < 1 ? 60 : 150;
    for (int kind = 0; kind < KINDS; kind++) {
        check_motions(*state, (enum kind)kind, TUMBLE_HIERARCHY_WIDE, triangles);
    }
    check_motions(*state, LATTICE, TUMBLE_HIERARCHY_BRUTE, 40);
}

/* Four levels of nodes; against the other hierarchies, built anew. */
static void test_deep_trees(void **state)
{
    test_world *w = *state;
    static const enum motion motions[] = {JITTER, TO_A_PLANE, FAR_AWAY, ON_A_LATTICE, REST};
    test_random random = {8};
    models_mesh still, moved;
    make_kind(&still, SPHERE, 6000);
    moved = share(&still);
    const tumble_model_options options = options_for(TUMBLE_HIERARCHY_WIDE);
    tumble_model *model = test_model(w->context, &still, &options), *out = NULL;
    assert_true(test_info(model).depth >= 4);
    for (size_t i = 0; i < sizeof motions / sizeof *motions; i++) {
        move_points(&moved, &still, motions[i], &random);
        deform(w, model, &moved, &out);
        assert_int_equal(test_info(out).depth, test_info(model).depth);
        for (int k = 0; k < 2; k++) {
            const tumble_model_options other = options_for(k ? TUMBLE_HIERARCHY_WIDE : TUMBLE_HIERARCHY_BOXTREE);
            tumble_model *fresh = test_model(w->context, &moved, &other);
            test_pairs pairs[2] = {{0}, {0}};
            tumble_pose pose = test_rational_turn(&random);
            pose.m[1][3] = 0.2 * size_of(fresh);
            test_collide(w->query, fresh, NULL, fresh, &pose, NULL, &pairs[0]);
            test_collide(w->query, out, NULL, out, &pose, NULL, &pairs[1]);
            test_assert_same_pairs(&pairs[1], &pairs[0], "motion %d, hierarchy %d", (int)motions[i], k);
            test_free_pairs(&pairs[0]);
            test_free_pairs(&pairs[1]);
            tumble_model_destroy(fresh);
        }
    }
    tumble_model_destroy(model);
    tumble_model_destroy(out);
    free(moved.points);
    models_free(&still);
}

/* From a deformed model, which outlives the one that it came from, and through a file's bytes. */
static void test_generations(void **state)
{
    test_world *w = *state;
    test_random random = {9};
    models_mesh still, moved;
    make_kind(&still, UNUSED, 400);
    moved = share(&still);
    const tumble_model_options options = options_for(TUMBLE_HIERARCHY_WIDE);
    tumble_model *model = test_model(w->context, &still, &options), *direct = NULL, *child = NULL, *grandchild = NULL;
    tumble_model *loaded = NULL, *late = NULL;
    move_points(&moved, &still, JITTER, &random);
    deform(w, model, &moved, &child);
    move_points(&moved, &still, ANYWHERE, &random);
    deform(w, model, &moved, &direct);
    tumble_model_destroy(model);
    deform(w, child, &moved, &grandchild);
    assert_same_blocks(grandchild, direct);
    size_t size;
    const void *block = tumble_model_block(child, &size);
    test_assert_status(w->context, tumble_model_from_block(w->context, block, size, 1, &loaded), TUMBLE_OK, "");
    tumble_model_destroy(child);
    deform(w, loaded, &moved, &late);
    assert_same_blocks(late, direct);
    deform(w, loaded, &still, &grandchild); /* memory that came from another */
    deform(w, loaded, &moved, &grandchild);
    assert_same_blocks(grandchild, direct);
    tumble_model_destroy(loaded);
    tumble_model_destroy(late);
    tumble_model_destroy(direct);
    tumble_model_destroy(grandchild);
    free(moved.points);
    models_free(&still);
}

/* ---- Polygons ---- */

static uint32_t find_point(const models_mesh *mesh, const double p[3])
{
    for (size_t i = 0; i < mesh->point_count; i++) {
        if (memcmp(mesh->points + 3 * i, p, 3 * sizeof *p) == 0) {
            return (uint32_t)i;
        }
    }
    fail_msg("a corner is no point of the mesh");
    return 0;
}

/* The triangles of a model of polygons, each as a surface that is numbered like its polygon. */
static models_mesh triangles_of(const models_mesh *mesh, const tumble_model *model)
{
    models_mesh triangles = share(mesh);
    triangles.indices = triangles.polygon_sizes = triangles.surface_ids = NULL;
    triangles.index_count = triangles.index_capacity = triangles.polygon_count = triangles.polygon_capacity = 0;
    for (uint32_t i = 0; i < test_info(model).triangle_count; i++) {
        double corners[3][3];
        assert_int_equal(tumble_model_triangle(model, i, corners, &triangles.surface), TUMBLE_OK);
        models_triangle(&triangles, find_point(mesh, corners[0]), find_point(mesh, corners[1]),
                        find_point(mesh, corners[2]));
    }
    assert_false(triangles.failed);
    return triangles;
}

static int compare_pairs(const void *x, const void *y)
{
    const tumble_pair *a = x, *b = y;
    if (a->polygon_a != b->polygon_a) {
        return a->polygon_a < b->polygon_a ? -1 : 1;
    }
    return (a->polygon_b > b->polygon_b) - (a->polygon_b < b->polygon_b);
}

/* Pairs of triangles become pairs of polygons. */
static void name_polygons(test_pairs *pairs, const models_mesh *triangles)
{
    size_t kept = 0;
    for (size_t i = 0; i < pairs->count; i++) {
        pairs->items[i].polygon_a = triangles->surface_ids[pairs->items[i].polygon_a];
        pairs->items[i].polygon_b = triangles->surface_ids[pairs->items[i].polygon_b];
    }
    if (pairs->count) {
        qsort(pairs->items, pairs->count, sizeof *pairs->items, compare_pairs);
    }
    for (size_t i = 0; i < pairs->count; i++) {
        if (kept == 0 || compare_pairs(&pairs->items[kept - 1], &pairs->items[i]) != 0) {
            pairs->items[kept++] = pairs->items[i];
        }
    }
    pairs->count = kept;
}

static void check_polygons(test_world *w, const char *shape, tumble_hierarchy hierarchy)
{
    test_random random = {12};
    models_mesh still, moved;
    assert_true(models_make_sized(&still, shape, 300));
    models_fit(&still, 2, 1);
    moved = share(&still);
    const tumble_model_options options = options_for(hierarchy);
    tumble_model *model = test_model(w->context, &still, &options), *out = NULL;
    models_mesh triangles = triangles_of(&still, model);
    for (int motion = 0; motion < MOTIONS; motion++) {
        test_pairs pairs[2] = {{0}, {0}};
        tumble_pose pose = test_rational_turn(&random);
        move_points(&moved, &still, (enum motion)motion, &random);
        memcpy(triangles.points, moved.points, 3 * moved.point_count * sizeof *moved.points);
        tumble_model *fresh = test_brute_model(w->context, &triangles);
        deform(w, model, &moved, &out);
        assert_valid(w, out);
        pose.m[2][3] = 0.1 * size_of(fresh);
        test_collide(w->query, fresh, NULL, fresh, &pose, NULL, &pairs[0]);
        name_polygons(&pairs[0], &triangles);
        test_collide(w->query, out, NULL, out, &pose, NULL, &pairs[1]);
        test_assert_same_pairs(&pairs[1], &pairs[0], "%s, motion %d", shape, motion);
        test_free_pairs(&pairs[0]);
        test_free_pairs(&pairs[1]);
        tumble_model_destroy(fresh);
        if (motion == REST) {
            assert_same_blocks(out, model);
        }
    }
    models_free(&triangles);
    tumble_model_destroy(model);
    tumble_model_destroy(out);
    free(moved.points);
    models_free(&still);
}

static void test_polygons(void **state)
{
    check_polygons(*state, "shards", TUMBLE_HIERARCHY_WIDE);
    check_polygons(*state, "shards", TUMBLE_HIERARCHY_BRUTE);
    check_polygons(*state, "prism", TUMBLE_HIERARCHY_WIDE);
}

/* Four bytes a corner and no more, and nothing where triangles alone tell. */
static void test_deformable_option(void **state)
{
    test_world *w = *state;
    for (int polygons = 0; polygons < 2; polygons++) {
        models_mesh mesh;
        assert_true(models_make_sized(&mesh, polygons ? "shards" : "sphere", 3000));
        tumble_model_options options = options_for(TUMBLE_HIERARCHY_WIDE);
        tumble_model *with = test_model(w->context, &mesh, &options);
        options.deformable = 0;
        tumble_model *without = test_model(w->context, &mesh, &options);
        size_t sizes[2];
        const tmb_block *block = tumble_model_block(with, &sizes[0]);
        tumble_model_block(without, &sizes[1]);
        if (polygons) {
            const size_t bytes = 4 * (size_t)tmb_block_corner_count(block);
            assert_true(sizes[0] - sizes[1] >= bytes && sizes[0] - sizes[1] < bytes + 64);
        } else {
            assert_same_blocks(with, without);
        }
        tumble_model_destroy(with);
        tumble_model_destroy(without);
        models_free(&mesh);
    }
}

/* ---- What is refused ---- */

typedef struct refusal {
    test_world *w;
    tumble_model *model, *out;
    tmb_block *before; /* a copy of the result's block */
    size_t size;
} refusal;

static void begin_refusal(refusal *r, test_world *w, const models_mesh *mesh)
{
    const tumble_model_options options = options_for(TUMBLE_HIERARCHY_WIDE);
    *r = (refusal){.w = w, .model = test_model(w->context, mesh, &options)};
    deform(w, r->model, mesh, &r->out);
    const void *block = tumble_model_block(r->out, &r->size);
    r->before = malloc(r->size);
    assert_non_null(r->before);
    memcpy(r->before, block, r->size);
}

static void end_refusal(refusal *r)
{
    free(r->before);
    tumble_model_destroy(r->model);
    tumble_model_destroy(r->out);
}

/* With no model to reuse, and with one, which stays as it was. */
static void refuse(refusal *r, const tumble_mesh *mesh, tumble_status status, const char *words)
{
    tumble_model *none = NULL;
    test_assert_status(r->w->context, tumble_model_deform(r->model, mesh, &none), status, words);
    assert_null(none);
    const tumble_model *before = r->out;
    test_assert_status(r->w->context, tumble_model_deform(r->model, mesh, &r->out), status, words);
    assert_ptr_equal(r->out, before);
    size_t size;
    const void *block = tumble_model_block(r->out, &size);
    assert_int_equal(size, r->size);
    assert_memory_equal(block, r->before, size);
}

static void test_bad_numbers(void **state)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int kind = 0; kind < 2; kind++) {
        models_mesh mesh;
        refusal r;
        make_kind(&mesh, kind ? UNUSED : SPHERE, 300);
        begin_refusal(&r, *state, &mesh);
        const tumble_mesh view = models_view(&mesh);
        for (size_t i = 0; i < 3 * mesh.point_count; i += 7) {
            const double good = mesh.points[i];
            char name[64];
            snprintf(name, sizeof name, "point %zu: its %c", i / 3, "xyz"[i % 3]);
            mesh.points[i] = bad[i % 3];
            refuse(&r, &view, TUMBLE_ERROR_NOT_FINITE, name);
            mesh.points[i] = good;
        }
        mesh.points[3 * mesh.point_count - 1] = NAN; /* for UNUSED a point that no polygon uses */
        refuse(&r, &view, TUMBLE_ERROR_NOT_FINITE, "its z");
        end_refusal(&r);
        models_free(&mesh);
    }
}

static void exchange(uint32_t *indices, size_t a, size_t b)
{
    const uint32_t held = indices[a];
    indices[a] = indices[b];
    indices[b] = held;
}

/* Every index that is exchanged with a neighbour, turned triangles, turned order, other numbers of everything. */
static void test_other_indices(void **state)
{
    models_mesh mesh;
    refusal r;
    make_kind(&mesh, SPHERE, 300);
    begin_refusal(&r, *state, &mesh);
    tumble_mesh view = models_view(&mesh);
    for (size_t i = 0; i + 1 < mesh.index_count; i++) {
        exchange(mesh.indices, i, i + 1);
        refuse(&r, &view, TUMBLE_ERROR_ARGUMENT, "other indices");
        exchange(mesh.indices, i, i + 1);
    }
    for (int twice = 0; twice < 2; twice++) {
        for (size_t i = 0; i < mesh.index_count; i += 3) {
            exchange(mesh.indices, i + 1, i + 2); /* all of them inside out */
        }
        if (!twice) {
            refuse(&r, &view, TUMBLE_ERROR_ARGUMENT, "other indices");
        }
    }
    mesh.indices[5] = (uint32_t)mesh.point_count;
    refuse(&r, &view, TUMBLE_ERROR_INDEX, "polygon 1, corner 2");
    end_refusal(&r);
    models_free(&mesh);
}

/* Long stretches, which threads look at one by one. */
static void test_other_order(void **state)
{
    models_mesh mesh;
    refusal r;
    make_kind(&mesh, SPHERE, 40000);
    begin_refusal(&r, *state, &mesh);
    const tumble_mesh view = models_view(&mesh);
    for (size_t length = 1024; 2 * length <= mesh.index_count; length *= 2) {
        for (int twice = 0; twice < 2; twice++) {
            for (size_t i = 0; i < length; i++) {
                exchange(mesh.indices, i, length + i);
            }
            if (!twice) {
                refuse(&r, &view, TUMBLE_ERROR_ARGUMENT, "other indices");
            }
        }
    }
    deform(*state, r.model, &mesh, &r.out); /* everything was put back */
    end_refusal(&r);
    models_free(&mesh);
}

static void test_other_counts(void **state)
{
    models_mesh mesh;
    refusal r;
    make_kind(&mesh, SPHERE, 300);
    begin_refusal(&r, *state, &mesh);
    tumble_mesh view = models_view(&mesh);
    view.index_count -= 3, view.polygon_count = 0;
    refuse(&r, &view, TUMBLE_ERROR_ARGUMENT, "polygons");
    view.index_count -= 1;
    refuse(&r, &view, TUMBLE_ERROR_ARGUMENT, "indices");
    view.index_count = 0;
    refuse(&r, &view, TUMBLE_ERROR_ARGUMENT, "polygons");
    view = models_view(&mesh);
    view.point_count--;
    refuse(&r, &view, TUMBLE_ERROR_INDEX, "there is no point");
    view.point_count = 3;
    refuse(&r, &view, TUMBLE_ERROR_INDEX, "");
    view = models_view(&mesh);
    view.size--;
    refuse(&r, &view, TUMBLE_ERROR_ARGUMENT, "tumble_default_mesh");
    refuse(&r, NULL, TUMBLE_ERROR_ARGUMENT, "null");
    end_refusal(&r);
    models_free(&mesh);
}

/* The same indices, cut into polygons otherwise. */
static void test_other_sizes(void **state)
{
    const double points[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1};
    const uint32_t indices[] = {0, 1, 2, 3, 4, 5, 6};
    uint32_t sizes[] = {3, 4};
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = points, mesh.point_count = 7, mesh.indices = indices, mesh.index_count = 7;
    mesh.polygon_sizes = sizes, mesh.polygon_count = 2;
    test_world *w = *state;
    const tumble_model_options options = options_for(TUMBLE_HIERARCHY_WIDE);
    tumble_model *model = NULL, *out = NULL;
    assert_int_equal(tumble_model_create(w->context, &mesh, &options, &model), TUMBLE_OK);
    assert_int_equal(tumble_model_deform(model, &mesh, &out), TUMBLE_OK);
    sizes[0] = 4, sizes[1] = 3;
    test_assert_status(w->context, tumble_model_deform(model, &mesh, &out), TUMBLE_ERROR_ARGUMENT, "other indices");
    sizes[0] = 2, sizes[1] = 5;
    test_assert_status(w->context, tumble_model_deform(model, &mesh, &out), TUMBLE_ERROR_POLYGON, "polygon 0");
    assert_same_blocks(model, out);
    tumble_model_destroy(model);
    tumble_model_destroy(out);
}

static void test_unsupported(void **state)
{
    test_world *w = *state;
    models_mesh mesh;
    tumble_model *out = NULL;
    assert_true(models_make_sized(&mesh, "shards", 100));
    const tumble_mesh view = models_view(&mesh);
    for (int k = 0; k < 2; k++) {
        tumble_model_options options = options_for(k ? TUMBLE_HIERARCHY_BOXTREE : TUMBLE_HIERARCHY_WIDE);
        options.deformable = k;
        tumble_model *model = test_model(w->context, &mesh, &options);
        test_assert_status(w->context, tumble_model_deform(model, &view, &out), TUMBLE_ERROR_UNSUPPORTED,
                           k ? "boxtree" : "`deformable`");
        assert_null(out);
        tumble_model_destroy(model);
    }
    models_free(&mesh);
}

/* Memory that cannot be reused. */
static void test_bad_targets(void **state)
{
    test_world *w = *state;
    models_mesh mesh;
    make_kind(&mesh, SPHERE, 100);
    const tumble_mesh view = models_view(&mesh);
    const tumble_model_options options = options_for(TUMBLE_HIERARCHY_WIDE);
    tumble_model *model = test_model(w->context, &mesh, &options), *made = test_model(w->context, &mesh, &options);
    tumble_model *out = model, *deformed = NULL, *view_of = NULL, *foreign = NULL;
    tumble_context *c = w->context, *other = test_context(&w->memory, 1, TUMBLE_SIMD_AUTO);
    assert_int_equal(tumble_model_deform(NULL, &view, &out), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(c, tumble_model_deform(model, &view, NULL), TUMBLE_ERROR_ARGUMENT, "null");
    test_assert_status(c, tumble_model_deform(model, &view, &out), TUMBLE_ERROR_ARGUMENT, "own memory");
    assert_ptr_equal(out, model);
    out = made;
    test_assert_status(c, tumble_model_deform(model, &view, &out), TUMBLE_ERROR_ARGUMENT, "neither null nor");
    assert_ptr_equal(out, made);
    assert_same_blocks(model, made);
    deform(w, model, &mesh, &deformed);
    size_t size;
    const void *block = tumble_model_block(deformed, &size);
    assert_int_equal(tumble_model_from_block(c, block, size, 0, &view_of), TUMBLE_OK);
    test_assert_status(c, tumble_model_deform(view_of, &view, &deformed), TUMBLE_ERROR_ARGUMENT, "own memory");
    assert_int_equal(tumble_model_from_block(other, block, size, 1, &foreign), TUMBLE_OK);
    test_assert_status(other, tumble_model_deform(foreign, &view, &deformed), TUMBLE_ERROR_ARGUMENT, "context");
    tumble_model_destroy(view_of);
    tumble_model_destroy(foreign);
    tumble_model_destroy(deformed);
    tumble_model_destroy(made);
    tumble_model_destroy(model);
    tumble_context_destroy(other);
    models_free(&mesh);
}

/* ---- Memory ---- */

/* Nothing is allocated once there is room, whether numbers are float or double. */
static void test_no_allocation(void **state)
{
    test_world *w = *state;
    for (int kind = 0; kind < KINDS; kind++) {
        test_random random = {4};
        models_mesh still, moved;
        make_kind(&still, (enum kind)kind, 600);
        moved = share(&still);
        const tumble_model_options options = options_for(TUMBLE_HIERARCHY_WIDE);
        tumble_model *model = test_model(w->context, &still, &options), *out = NULL;
        move_points(&moved, &still, TENTHS, &random);
        deform(w, model, &moved, &out);
        const uint64_t bytes = test_info(out).total_bytes;
        test_allocator_fail(&w->memory, 0, 0);
        for (int motion = 0; motion < MOTIONS; motion++) {
            move_points(&moved, &still, (enum motion)motion, &random);
            deform(w, model, &moved, &out);
        }
        assert_int_equal(test_allocator_calls(&w->memory), 0);
        assert_int_equal(test_info(out).total_bytes, bytes);
        tumble_model_destroy(model);
        tumble_model_destroy(out);
        free(moved.points);
        models_free(&still);
    }
}

/* The n-th allocation fails, for every n, alone and with all that follow. Threads can be done without; everything else
 * is an error after which a model to be reused is as it was. Returns how often it was an error. */
static size_t fail_each(test_world *w, const tumble_model *model, const models_mesh *start, const models_mesh *mesh,
                        tumble_context *context)
{
    size_t errors = 0;
    const tumble_mesh view = models_view(mesh);
    tumble_model *expected = NULL, *before = NULL;
    deform(w, model, mesh, &expected);
    if (start) {
        deform(w, model, start, &before);
    }
    for (int forever = 0; forever < 2; forever++) {
        for (size_t n = 1, failures = 1; failures; n++) {
            tumble_model *out = NULL;
            if (start) {
                deform(w, model, start, &out);
            }
            const size_t live = test_allocator_live(&w->memory);
            test_allocator_fail(&w->memory, n, forever);
            const tumble_status status = tumble_model_deform(model, &view, &out);
            failures = test_allocator_failures(&w->memory);
            test_allocator_fail(&w->memory, 0, 0);
            if (status == TUMBLE_OK) {
                assert_same_blocks(out, expected);
            } else {
                test_assert_status(context, status, TUMBLE_ERROR_MEMORY, "out of memory for ");
                assert_int_equal(out != NULL, start != NULL);
                assert_true(failures > 0 && test_allocator_live(&w->memory) <= live + 1); /* scratch memory may grow */
                errors++;
            }
            if (start && status != TUMBLE_OK) {
                assert_same_blocks(out, before);
                test_assert_status(context, tumble_model_deform(model, &view, &out), TUMBLE_OK, "");
                assert_same_blocks(out, expected);
            }
            tumble_model_destroy(out);
        }
    }
    tumble_model_destroy(expected);
    tumble_model_destroy(before);
    return errors;
}

static void test_memory(void **state)
{
    test_world *w = *state;
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        test_random random = {6};
        models_mesh still, moved, wide;
        make_kind(&still, SPHERE, 20000);
        models_point(&still, 0, 0, 0); /* unused: that needs memory of its own */
        moved = share(&still);
        wide = share(&still);
        move_points(&moved, &still, ON_A_LATTICE, &random);
        move_points(&wide, &still, TENTHS, &random);
        tumble_context *context = test_context(&w->memory, threads, TUMBLE_SIMD_AUTO);
        const tumble_model_options options = options_for(TUMBLE_HIERARCHY_WIDE);
        tumble_model *model = test_model(context, &still, &options);
        assert_true(fail_each(w, model, NULL, &moved, context) >= 6);  /* model, scratch, block; twice */
        assert_true(fail_each(w, model, &moved, &wide, context) >= 2); /* a larger block */
        const size_t warm = fail_each(w, model, &wide, &moved, context);
        assert_true(threads > 1 || warm == 0);
        tumble_model_destroy(model);
        tumble_context_destroy(context);
        free(moved.points);
        free(wide.points);
        models_free(&still);
    }
}

/* ---- Threads and instruction sets ---- */

static void test_same_bytes(void **state)
{
    test_world *w = *state;
    static const char *const shapes[] = {"sphere", "soup", "shards"};
    for (size_t i = 0; i < 3; i++) {
        test_random random = {7};
        models_mesh still, moved;
        assert_true(models_make_sized(&still, shapes[i], 40000));
        moved = share(&still);
        const tumble_model_options options = options_for(TUMBLE_HIERARCHY_WIDE);
        tumble_model *first[2] = {NULL, NULL}, *model = test_model(w->context, &still, &options);
        for (int frame = 0; frame < 2; frame++) {
            move_points(&moved, &still, frame ? JITTER : ON_A_LATTICE, &random);
            deform(w, model, &moved, &first[frame]);
            for (uint32_t threads = 1; threads <= 5; threads += 2) {
                for (int simd = TUMBLE_SIMD_SCALAR; simd <= TUMBLE_SIMD_AVX512; simd++) {
                    tumble_context *context = test_context(&w->memory, threads, (tumble_simd)simd);
                    size_t size;
                    const void *block = tumble_model_block(model, &size);
                    tumble_model *same = NULL, *out = NULL;
                    assert_int_equal(tumble_model_from_block(context, block, size, 0, &same), TUMBLE_OK);
                    deform(w, same, &moved, &out);
                    assert_same_blocks(out, first[frame]);
                    tumble_model_destroy(out);
                    tumble_model_destroy(same);
                    tumble_context_destroy(context);
                }
            }
        }
        tumble_model_destroy(model);
        tumble_model_destroy(first[0]);
        tumble_model_destroy(first[1]);
        free(moved.points);
        models_free(&still);
    }
}

/* One model, deformed and queried by several threads at once. cmocka's assertions belong to the main thread. */
typedef struct worker {
    pthread_t thread;
    const tumble_model *model;
    tumble_context *context;
    const models_mesh *meshes; /* two frames */
    const uint64_t *pair_counts;
    size_t wrong;
} worker;

static void *work(void *argument)
{
    worker *w = argument;
    tumble_query *query = NULL;
    tumble_model *out = NULL;
    w->wrong += tumble_query_create(w->context, &query) != TUMBLE_OK;
    for (size_t i = 0; i < 8 && !w->wrong; i++) {
        const tumble_mesh view = models_view(&w->meshes[i % 2]);
        tumble_collide_result result = {.size = sizeof result};
        w->wrong += tumble_model_deform(w->model, &view, &out) != TUMBLE_OK;
        w->wrong += tumble_collide(query, w->model, NULL, out, NULL, NULL, &result) != TUMBLE_OK;
        w->wrong += result.pair_count != w->pair_counts[i % 2];
    }
    tumble_model_destroy(out);
    tumble_query_destroy(query);
    return NULL;
}

static void test_many_threads(void **state)
{
    test_world *w = *state;
    test_random random = {17};
    models_mesh still, moved[2];
    make_kind(&still, SPHERE, 20000);
    tumble_context_options context_options = tumble_default_context_options();
    context_options.thread_count = 2;
    tumble_context *context = NULL; /* without the tests' allocator, whose lock would hide races */
    assert_int_equal(tumble_context_create(&context_options, &context), TUMBLE_OK);
    const tumble_model_options options = options_for(TUMBLE_HIERARCHY_WIDE);
    tumble_model *model = test_model(context, &still, &options);
    uint64_t pair_counts[2];
    for (int k = 0; k < 2; k++) {
        moved[k] = share(&still);
        move_points(&moved[k], &still, k ? TO_A_PLANE : JITTER, &random);
        tumble_model *fresh = test_model(context, &moved[k], &options);
        tumble_collide_result result = {.size = sizeof result};
        assert_int_equal(tumble_collide(w->query, model, NULL, fresh, NULL, NULL, &result), TUMBLE_OK);
        pair_counts[k] = result.pair_count;
        assert_true(pair_counts[k] > 0);
        tumble_model_destroy(fresh);
    }
    worker workers[4];
    for (int i = 0; i < 4; i++) {
        workers[i] = (worker){.model = model, .context = context, .meshes = moved, .pair_counts = pair_counts};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
        assert_int_equal(workers[i].wrong, 0);
    }
    tumble_model_destroy(model);
    tumble_context_destroy(context);
    free(moved[0].points);
    free(moved[1].points);
    models_free(&still);
}

/* ---- Blocks that lie ---- */

/* A block of one's own with a good checksum. */
static tmb_block *copy_block(const tumble_model *model)
{
    size_t size;
    const void *block = tumble_model_block(model, &size);
    void *copy = NULL;
    assert_int_equal(posix_memalign(&copy, 64, size), 0);
    memcpy(copy, block, size);
    return copy;
}

static tumble_status load(test_world *w, tmb_block *block, tumble_model **out)
{
    block->checksum = tmb_block_checksum(block);
    return tumble_model_from_block(w->context, block, (size_t)block->total_bytes, 0, out);
}

static void test_damaged_points(void **state)
{
    test_world *w = *state;
    models_mesh mesh;
    assert_true(models_make_sized(&mesh, "shards", 60));
    const tumble_model_options options = options_for(TUMBLE_HIERARCHY_WIDE);
    tumble_model *model = test_model(w->context, &mesh, &options), *out = NULL;
    tmb_block *block = copy_block(model);
    const tmb_block good = *block;
    uint32_t *points = (uint32_t *)(void *)((char *)block + good.offsets[TMB_SECTION_POINTS]);
    assert_true(good.offsets[TMB_SECTION_POINTS] != 0);
    for (size_t i = 0; i < tmb_block_corner_count(&good); i++) {
        const uint32_t bad[] = {(uint32_t)mesh.point_count, UINT32_MAX, points[i]};
        for (int k = 0; k < 2; k++) {
            points[i] = bad[k];
            test_assert_status(w->context, load(w, block, &out), TUMBLE_ERROR_FORMAT, "point that is not there");
        }
        points[i] = bad[2];
    }
#define REFUSE_FIELD(field, value)                                                    \
    block->field = (value);                                                           \
    test_assert_status(w->context, load(w, block, &out), TUMBLE_ERROR_FORMAT, "not"); \
    *block = good
    REFUSE_FIELD(point_limit, good.point_count - 1);
    REFUSE_FIELD(point_limit, UINT64_MAX);
    REFUSE_FIELD(offsets[TMB_SECTION_POINTS], 0);
    REFUSE_FIELD(offsets[TMB_SECTION_POINTS], good.offsets[TMB_SECTION_POINTS] + 64);
    REFUSE_FIELD(offsets[TMB_SECTION_POINTS], good.offsets[TMB_SECTION_NODES]);
#undef REFUSE_FIELD
    assert_int_equal(load(w, block, &out), TUMBLE_OK);
    tumble_model_destroy(out);
    free(block);
    tumble_model_destroy(model);
    models_free(&mesh);
}

/* What passes the check is safe to deform with a mesh that it claims to have come from. Made for address sanitizers. */
static void check_mutations(test_world *w, const char *shape, size_t count)
{
    test_random random = {21};
    models_mesh mesh;
    assert_true(models_make_sized(&mesh, shape, 60));
    const tumble_mesh view = models_view(&mesh);
    const tumble_model_options options = options_for(TUMBLE_HIERARCHY_WIDE);
    tumble_model *model = test_model(w->context, &mesh, &options), *out = NULL;
    tmb_block *good = copy_block(model), *block = copy_block(model);
    const size_t words = (size_t)good->total_bytes / sizeof(uint32_t);
    size_t deformed = 0;
    for (size_t i = 0; i < count; i++) {
        tumble_model *loaded = NULL;
        memcpy(block, good, (size_t)good->total_bytes);
        uint32_t *word = (uint32_t *)(void *)block + 8 + (size_t)test_random_bits(&random) % (words - 8);
        *word = test_random_chance(&random, 0.5) ? (uint32_t)test_random_whole(&random, 0, 200)
                                                 : *word ^ 1u << test_random_whole(&random, 0, 31);
        block->topology = good->topology;
        if (load(w, block, &loaded) == TUMBLE_OK) {
            deformed += tumble_model_deform(loaded, &view, &out) == TUMBLE_OK;
        }
        tumble_model_destroy(loaded);
    }
    assert_true(deformed > count / 20);
    free(good);
    free(block);
    tumble_model_destroy(out);
    tumble_model_destroy(model);
    models_free(&mesh);
}

static void test_mutations(void **state)
{
    check_mutations(*state, "sphere", test_count(20000));
    check_mutations(*state, "shards", test_count(20000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_rest),           TEST_IN_WORLD(test_forms_of_points),   TEST_IN_WORLD(test_motions),
        TEST_IN_WORLD(test_deep_trees),     TEST_IN_WORLD(test_generations),       TEST_IN_WORLD(test_polygons),
        TEST_IN_WORLD(test_bad_numbers),    TEST_IN_WORLD(test_deformable_option), TEST_IN_WORLD(test_other_indices),
        TEST_IN_WORLD(test_other_order),    TEST_IN_WORLD(test_other_counts),      TEST_IN_WORLD(test_other_sizes),
        TEST_IN_WORLD(test_unsupported),    TEST_IN_WORLD(test_bad_targets),       TEST_IN_WORLD(test_no_allocation),
        TEST_IN_WORLD(test_memory),         TEST_IN_WORLD(test_same_bytes),        TEST_IN_WORLD(test_many_threads),
        TEST_IN_WORLD(test_damaged_points), TEST_IN_WORLD(test_mutations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
