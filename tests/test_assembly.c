/* Assemblies: names, keys, equal geometry, what is baked, files and what is wrong with them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assembly/assembly.h"
#include "base/sha256.h"
#include "cli_run.h"
#include "scenes.h"
#include "tumble/assembly.h"

static const double corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const uint32_t sides[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

static tumble_mesh tetrahedron(const double *points)
{
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = points, mesh.point_count = 4, mesh.indices = sides[0], mesh.index_count = 12;
    return mesh;
}

static tumble_assembly *make(test_world *w)
{
    tumble_assembly *assembly;
    assert_int_equal(tumble_assembly_create(w->context, &assembly), TUMBLE_OK);
    return assembly;
}

static void end(tumble_assembly *assembly)
{
    assert_int_equal(tumble_assembly_destroy(assembly), TUMBLE_OK);
}

static void add(tumble_assembly *assembly, const char *name, const char *guid)
{
    const tumble_assembly_item item = {.name = name, .file = "f", .guid = guid, .broken = "is not there"};
    assert_int_equal(tumble_assembly_add(assembly, &item), TUMBLE_OK);
}

static void expect_keys(const tumble_assembly *assembly, const char *const *keys)
{
    size_t count;
    const tumble_assembly_part *parts = tumble_assembly_parts(assembly, &count);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(parts[i].key, keys[i]);
    }
    assert_null(keys[count]);
}

static void test_keys(void **state)
{
    tumble_assembly *assembly = make(*state);
    static const char *const keys[] = {"f|bolt", "f|bolt#2", "f|bolt#2#2", "f|bolt#3", "0abc", "0abc#2", "f|", NULL};
    add(assembly, "bolt", NULL);
    add(assembly, "bolt", NULL);
    add(assembly, "bolt#2", NULL);
    add(assembly, "bolt", NULL);
    add(assembly, "x", "0abc");
    add(assembly, "y", "0abc");
    add(assembly, NULL, NULL);
    expect_keys(assembly, keys);
    end(assembly);
}

/* Many keys, all different. */
static void test_many_keys(void **state)
{
    tumble_assembly *assembly = make(*state);
    char name[16], expected[32];
    for (int i = 0; i < 3000; i++) {
        snprintf(name, sizeof name, "%d", i % 1000);
        add(assembly, name, NULL);
    }
    const tumble_assembly_part *parts = tumble_assembly_parts(assembly, NULL);
    for (int i = 0; i < 3000; i++) {
        snprintf(expected, sizeof expected, i < 1000 ? "f|%d" : "f|%d#%d", i % 1000, i / 1000 + 1);
        assert_string_equal(parts[i].key, expected);
    }
    end(assembly);
}

static void test_equal_geometry(void **state)
{
    test_world *w = *state;
    tumble_assembly *assembly = make(w);
    double other[4][3];
    float small[4][3];
    uint32_t numbers[4];
    memcpy(other, corners, sizeof other);
    other[0][0] = -0.0;
    for (int i = 0; i < 12; i++) {
        small[i / 3][i % 3] = (float)corners[i / 3][i % 3];
    }
    tumble_mesh meshes[4] = {tetrahedron(corners[0]), tetrahedron(other[0]), tetrahedron(NULL), tetrahedron(other[0])};
    meshes[2].points = NULL, meshes[2].points_float = small[0];
    assert_int_equal(tumble_assembly_add_mesh(assembly, &meshes[0], &numbers[0]), TUMBLE_OK);
    assert_int_equal(tumble_assembly_add_mesh(assembly, &meshes[1], &numbers[1]), TUMBLE_OK);
    assert_int_equal(tumble_assembly_add_mesh(assembly, &meshes[2], &numbers[2]), TUMBLE_OK);
    other[3][2] = test_step_ulps(1, 1);
    assert_int_equal(tumble_assembly_add_mesh(assembly, &meshes[3], &numbers[3]), TUMBLE_OK);
    assert_true(numbers[0] == numbers[1] && numbers[0] == numbers[2] && numbers[0] != numbers[3]);
    size_t count;
    (void)tumble_assembly_models(assembly, &count);
    assert_int_equal(count, 2);
    end(assembly);
}

/* A mirror image, a shear and a scale by axis are models of their own, the same one for all places. */
static void test_baking(void **state)
{
    test_world *w = *state;
    static const double transforms[5][12] = {{1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7},
                                             {-1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7},
                                             {-1, 0, 0, 8, 0, 1, 0, 9, 0, 0, 1, 2},
                                             {1, 0.5, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},
                                             {0, -2, 0, 1, 2, 0, 0, 1, 0, 0, 2, 1}};
    tumble_assembly *assembly = make(w);
    const tumble_mesh mesh = tetrahedron(corners[0]);
    tumble_assembly_item item = {.name = "t"};
    assert_int_equal(tumble_assembly_add_mesh(assembly, &mesh, &item.model), TUMBLE_OK);
    for (int i = 0; i < 5; i++) {
        item.transform = transforms[i];
        assert_int_equal(tumble_assembly_add(assembly, &item), TUMBLE_OK);
    }
    const tumble_assembly_part *parts = tumble_assembly_parts(assembly, NULL);
    size_t models;
    const tumble_model *const *all = tumble_assembly_models(assembly, &models);
    assert_true(!parts[0].is_baked && parts[1].is_baked && parts[2].is_baked && parts[3].is_baked);
    assert_true(!parts[4].is_baked);
    assert_int_equal(models, 3);
    assert_int_equal(parts[1].model, parts[2].model);
    for (int i = 1; i < 4; i++) {
        double was[3][3], is[3][3], moved[3];
        for (uint32_t t = 0; t < 4; t++) {
            assert_int_equal(tumble_model_triangle(all[0], t, was, NULL), TUMBLE_OK);
            size_t found = 0;
            for (uint32_t u = 0; u < 4; u++) {
                assert_int_equal(tumble_model_triangle(all[parts[i].model], u, is, NULL), TUMBLE_OK);
                int same = 1;
                for (int c = 0; c < 3; c++) {
                    const double *p = was[i < 3 ? 2 - c : c], *m = transforms[i];
                    for (int j = 0; j < 3; j++) {
                        moved[j] = m[4 * j] * p[0] + m[4 * j + 1] * p[1] + m[4 * j + 2] * p[2];
                    }
                    same = same && is[c][0] == moved[0] && is[c][1] == moved[1] && is[c][2] == moved[2];
                }
                found += (size_t)same;
            }
            assert_int_equal(found, 1);
        }
        for (int j = 0; j < 3; j++) {
            assert_true(parts[i].pose.m[j][3] == transforms[i][4 * j + 3] && parts[i].pose.m[j][j] == 1);
        }
    }
    end(assembly);
}

static void test_not_finite(void **state)
{
    test_world *w = *state;
    tumble_assembly *assembly = make(w);
    const double transform[12] = {1, 0, 0, NAN, 0, 1, 0, 0, 0, 0, 1, 0};
    const tumble_mesh mesh = tetrahedron(corners[0]);
    tumble_assembly_item item = {.name = "t", .transform = transform};
    assert_int_equal(tumble_assembly_add_mesh(assembly, &mesh, &item.model), TUMBLE_OK);
    assert_int_equal(tumble_assembly_add(assembly, &item), TUMBLE_OK);
    const tumble_assembly_part *part = tumble_assembly_parts(assembly, NULL);
    assert_string_equal(part->broken, "its place is not finite");
    assert_int_equal(part->model, UINT32_MAX);
    item.model = 7, item.transform = NULL;
    test_assert_status(w->context, tumble_assembly_add(assembly, &item), TUMBLE_ERROR_INDEX, "model 7");
    end(assembly);
}

/* ---- files ---- */

#define TETRAHEDRON "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
#define FACES "f -4 -2 -3\nf -4 -3 -1\nf -3 -2 -1\nf -2 -4 -1\n"

static const char *in_folder(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", cli_folder(), name);
    return path;
}

static void read_text(tumble_assembly *assembly, const char *name, const char *text)
{
    cli_write_file(name, text);
    const tumble_status status = tumble_assembly_read(assembly, in_folder(name));
    if (status != TUMBLE_OK) {
        fail_msg("%s: %s", name, tumble_status_text(status));
    }
}

static void expect_part(const tumble_assembly *assembly, size_t number, const char *path, uint32_t model,
                        const char *broken)
{
    size_t count;
    const tumble_assembly_part *parts = tumble_assembly_parts(assembly, &count);
    assert_true(number < count);
    assert_string_equal(parts[number].path, path);
    assert_int_equal(parts[number].model, model);
    assert_non_null(strstr(parts[number].broken, broken));
    assert_true((*parts[number].broken != '\0') == (*broken != '\0'));
}

static void test_files(void **state)
{
    test_world *w = *state;
    tumble_assembly *assembly = make(w);
    read_text(assembly, "two.obj",
              "o left\ng skin\n" TETRAHEDRON FACES "o right\n" TETRAHEDRON "g a\nf -4 -2 -3\nf -4 -3 -1\n"
              "g b\nusemtl red\nf -3 -2 -1\nf -2 -4 -1\n");
    read_text(assembly, "groups.obj", TETRAHEDRON "v 0 0 2\nf 1 3 2\ng upper\nf 1 2 5\nf 2 3 5\n");
    read_text(assembly, "bare.obj", TETRAHEDRON FACES);
    read_text(assembly, "cloud.obj", TETRAHEDRON);
    read_text(assembly, "far.obj", "v 0 0 1e999\n" TETRAHEDRON FACES);
    expect_part(assembly, 0, "two/left", 0, "");
    expect_part(assembly, 1, "two/right", 0, "");
    expect_part(assembly, 2, "groups", 1, "");
    expect_part(assembly, 3, "groups/upper", 2, "");
    expect_part(assembly, 4, "bare", 0, "");
    expect_part(assembly, 5, "cloud", UINT32_MAX, "no polygons");
    expect_part(assembly, 6, "far", UINT32_MAX, "line 1: vertex 1 has a coordinate that is NaN or infinite");
    size_t count;
    (void)tumble_assembly_parts(assembly, &count);
    assert_int_equal(count, 7);
    end(assembly);
}

static void test_saved(void **state)
{
    test_world *w = *state;
    tumble_assembly *assembly = make(w);
    const tumble_mesh mesh = tetrahedron(corners[0]);
    tumble_model *model;
    assert_int_equal(tumble_model_create(w->context, &mesh, NULL, &model), TUMBLE_OK);
    assert_int_equal(tumble_model_save(model, in_folder("t.tumble")), TUMBLE_OK);
    assert_int_equal(tumble_model_destroy(model), TUMBLE_OK);
    assert_int_equal(tumble_assembly_read(assembly, in_folder("t.tumble")), TUMBLE_OK);
    assert_int_equal(tumble_assembly_read(assembly, in_folder("t.tumble")), TUMBLE_OK);
    expect_part(assembly, 0, "t", 0, "");
    expect_part(assembly, 1, "t", 0, "");
    end(assembly);
}

/* A given model is copied, and equal to a file of the same bytes. */
static void test_given_models(void **state)
{
    test_world *w = *state;
    tumble_assembly *assembly = make(w);
    const tumble_mesh mesh = tetrahedron(corners[0]);
    tumble_mesh empty = mesh;
    tumble_model *model, *nothing;
    uint32_t number = 7;
    empty.index_count = 0;
    assert_int_equal(tumble_model_create(w->context, &mesh, NULL, &model), TUMBLE_OK);
    assert_int_equal(tumble_model_create(w->context, &empty, NULL, &nothing), TUMBLE_OK);
    assert_int_equal(tumble_model_save(model, in_folder("t.tumble")), TUMBLE_OK);
    test_assert_status(w->context, tumble_assembly_add_model(assembly, NULL, &number), TUMBLE_ERROR_ARGUMENT, "model");
    test_assert_status(w->context, tumble_assembly_add_model(assembly, model, NULL), TUMBLE_ERROR_ARGUMENT, "number");
    test_assert_status(w->context, tumble_assembly_add_model(assembly, nothing, &number), TUMBLE_ERROR_ARGUMENT,
                       "polygons");
    assert_int_equal(tumble_assembly_add_model(NULL, model, &number), TUMBLE_ERROR_ARGUMENT);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(tumble_assembly_add_model(assembly, model, &number), TUMBLE_OK);
        assert_int_equal(number, 0);
    }
    assert_int_equal(tumble_model_destroy(model), TUMBLE_OK);
    assert_int_equal(tumble_model_destroy(nothing), TUMBLE_OK);
    assert_int_equal(tumble_assembly_read(assembly, in_folder("t.tumble")), TUMBLE_OK);
    expect_part(assembly, 0, "t", 0, "");
    end(assembly);
}

static tumble_status give_model(test_world *w, void *user)
{
    tumble_assembly *assembly;
    uint32_t number;
    tumble_status status = tumble_assembly_create(w->context, &assembly);
    if (status == TUMBLE_OK) {
        status = tumble_assembly_add_model(assembly, user, &number);
        end(assembly);
    }
    return status;
}

static void test_given_models_and_memory(void **state)
{
    test_world *w = *state;
    const tumble_mesh mesh = tetrahedron(corners[0]);
    tumble_model *model;
    assert_int_equal(tumble_model_create(w->context, &mesh, NULL, &model), TUMBLE_OK);
    assert_true(test_fail_each(w, TEST_FAIL_TAKING_TURNS, give_model, NULL, model) > 4);
    assert_int_equal(tumble_model_destroy(model), TUMBLE_OK);
}

/* A file that is wrong leaves nothing behind, not even in the numbers of keys. */
static void test_wrong_files(void **state)
{
    test_world *w = *state;
    tumble_assembly *assembly = make(w);
    size_t count;
    cli_write_file("bad.obj", "o a\n" TETRAHEDRON FACES "o a2\nf 1 2 99\n");
    read_text(assembly, "good.obj", "o a\n" TETRAHEDRON FACES);
    for (int i = 0; i < 2; i++) {
        test_assert_status(w->context, tumble_assembly_read(assembly, in_folder("bad.obj")), TUMBLE_ERROR_FORMAT, "99");
        test_assert_status(w->context, tumble_assembly_read(assembly, in_folder("none.obj")), TUMBLE_ERROR_FILE,
                           "none.obj");
    }
    (void)tumble_assembly_parts(assembly, &count);
    assert_int_equal(count, 1);
    assert_int_equal(tumble_assembly_read(assembly, in_folder("good.obj")), TUMBLE_OK);
    const char *key = tumble_assembly_parts(assembly, &count)[1].key;
    assert_int_equal(count, 2);
    assert_string_equal(key + strlen(key) - 2, "#2");
    end(assembly);
}

/* Pairs that are not compared, in any order and many of them. */
static void test_ignored(void **state)
{
    test_world *w = *state;
    tumble_assembly *assembly = make(w);
    size_t count;
    assert_null(tumble_assembly_ignored(assembly, &count));
    for (int i = 0; i < 60; i++) {
        add(assembly, "x", NULL);
    }
    for (uint32_t i = 0; i < 60; i++) {
        for (uint32_t j = 0; j < 60; j += 1 + i % 3) {
            assert_int_equal(tumble_assembly_ignore(assembly, i, j), TUMBLE_OK);
        }
    }
    size_t expected = 0;
    for (uint32_t i = 0; i < 60; i++) {
        for (uint32_t j = i + 1; j < 60; j++) {
            const int is_ignored = j % (1 + i % 3) == 0 || i % (1 + j % 3) == 0;
            assert_int_equal(tmb_assembly_is_ignored(assembly, i, j), is_ignored);
            assert_int_equal(tmb_assembly_is_ignored(assembly, j, i), is_ignored);
            expected += (size_t)is_ignored;
        }
    }
    const tumble_part_pair *pairs = tumble_assembly_ignored(assembly, &count);
    assert_int_equal(count, expected);
    assert_true(pairs[0].a < pairs[0].b);
    assert_int_equal(tumble_assembly_set_host(assembly, 3, 5), TUMBLE_OK);
    assert_int_equal(tumble_assembly_parts(assembly, NULL)[3].host, 5);
    assert_int_equal(tumble_assembly_set_host(assembly, 3, UINT32_MAX), TUMBLE_OK);
    assert_true(tumble_assembly_parts(assembly, NULL)[3].host == UINT32_MAX);
    test_assert_status(w->context, tumble_assembly_ignore(assembly, 0, 60), TUMBLE_ERROR_INDEX, "60");
    test_assert_status(w->context, tumble_assembly_ignore(assembly, 60, 0), TUMBLE_ERROR_INDEX, "60");
    test_assert_status(w->context, tumble_assembly_set_host(assembly, 0, 60), TUMBLE_ERROR_INDEX, "60");
    assert_int_equal(tumble_assembly_ignore(NULL, 0, 1), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_assembly_set_host(NULL, 0, 1), TUMBLE_ERROR_ARGUMENT);
    tmb_assembly_truncate(assembly, 0);
    assert_null(tumble_assembly_ignored(assembly, &count));
    assert_int_equal(count, 0);
    end(assembly);
}

static tumble_status read_it(test_world *w, void *user)
{
    tumble_assembly *assembly;
    tumble_status status = tumble_assembly_create(w->context, &assembly);
    if (status == TUMBLE_OK) {
        status = tumble_assembly_read(assembly, user);
        status = status == TUMBLE_OK ? tumble_assembly_ignore(assembly, 0, 1) : status;
        end(assembly);
    }
    return status;
}

static void test_memory(void **state)
{
    cli_write_file("m.obj", "o left\n" TETRAHEDRON FACES "o right\n" TETRAHEDRON "f 1 2 3 4\n");
    char path[512];
    snprintf(path, sizeof path, "%s", in_folder("m.obj"));
    assert_true(test_fail_each(*state, TEST_FAIL_TAKING_TURNS, read_it, NULL, path) > 20);
}

/* ---- arguments ---- */

/* Nothing is lost, whichever model a scene has objects of. */
static void test_busy(void **state)
{
    test_world *w = *state;
    for (int busy = 0; busy < 3; busy++) {
        tumble_assembly *assembly = make(w);
        tumble_scene *scene;
        tumble_object id;
        tumble_part object = tumble_default_part();
        tumble_assembly_item item = {.name = "t"};
        for (int i = 0; i < 3; i++) {
            double points[4][3];
            memcpy(points, corners, sizeof points);
            points[3][2] = 1 + i;
            const tumble_mesh mesh = tetrahedron(points[0]);
            assert_int_equal(tumble_assembly_add_mesh(assembly, &mesh, &item.model), TUMBLE_OK);
            assert_int_equal(tumble_assembly_add(assembly, &item), TUMBLE_OK);
        }
        assert_int_equal(tumble_scene_create(w->context, NULL, &scene), TUMBLE_OK);
        object.model = tumble_assembly_models(assembly, NULL)[busy];
        assert_int_equal(tumble_scene_add(scene, &object, 1, &id), TUMBLE_OK);
        test_assert_status(w->context, tumble_assembly_destroy(assembly), TUMBLE_ERROR_BUSY, "1 scene has objects");
        size_t count;
        const tumble_model *const *models = tumble_assembly_models(assembly, &count);
        assert_int_equal(count, 3);
        for (int i = 0; i < 3; i++) {
            assert_true(test_info(models[tumble_assembly_parts(assembly, NULL)[i].model]).upper[2] == 1 + i);
        }
        tumble_scene_destroy(scene);
        end(assembly);
    }
}

static void test_arguments(void **state)
{
    test_world *w = *state;
    tumble_assembly *assembly = make(w), *none = NULL;
    const tumble_mesh mesh = tetrahedron(corners[0]);
    const tumble_assembly_item item = {.name = "t", .model = 1};
    uint32_t model;
    size_t count = 1;
    double metres = 1;
    int up = 1;
    assert_int_equal(tumble_assembly_create(NULL, &none), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_assembly_create(NULL, NULL), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(w->context, tumble_assembly_create(w->context, NULL), TUMBLE_ERROR_ARGUMENT, "out is null");
    assert_int_equal(tumble_assembly_destroy(NULL), TUMBLE_OK);
    assert_null(tumble_assembly_parts(NULL, &count));
    assert_int_equal(count, 0);
    assert_null(tumble_assembly_models(NULL, NULL));
    assert_int_equal(tumble_assembly_set_frame(NULL, 1, 1), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(w->context, tumble_assembly_set_frame(assembly, -1, 1), TUMBLE_ERROR_ARGUMENT, "-1");
    assert_int_equal(tumble_assembly_set_frame(assembly, INFINITY, 1), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_assembly_set_frame(assembly, 1, -4), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(w->context, tumble_assembly_set_frame(assembly, 1, 4), TUMBLE_ERROR_ARGUMENT, "up is 4");
    assert_int_equal(tumble_assembly_set_frame(assembly, 0.001, -2), TUMBLE_OK);
    tumble_assembly_frame(assembly, NULL, NULL);
    tumble_assembly_frame(assembly, &metres, &up);
    assert_true(metres == 0.001 && up == -2);
    tumble_assembly_frame(NULL, &metres, &up);
    assert_true(metres == 0 && up == 0);
    assert_int_equal(tumble_assembly_add_mesh(NULL, &mesh, &model), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(w->context, tumble_assembly_add_mesh(assembly, NULL, &model), TUMBLE_ERROR_ARGUMENT, "mesh");
    test_assert_status(w->context, tumble_assembly_add_mesh(assembly, &mesh, NULL), TUMBLE_ERROR_ARGUMENT, "model");
    tumble_mesh wrong = mesh;
    wrong.index_count = 0;
    test_assert_status(w->context, tumble_assembly_add_mesh(assembly, &wrong, &model), TUMBLE_ERROR_ARGUMENT,
                       "without polygons");
    wrong = mesh;
    wrong.points = NULL;
    assert_int_equal(tumble_assembly_add_mesh(assembly, &wrong, &model), TUMBLE_ERROR_ARGUMENT);
    wrong = mesh;
    wrong.indices = NULL;
    assert_int_equal(tumble_assembly_add_mesh(assembly, &wrong, &model), TUMBLE_ERROR_ARGUMENT);
    wrong = mesh;
    wrong.radii = corners[0];
    assert_int_equal(tumble_assembly_add_mesh(assembly, &wrong, &model), TUMBLE_ERROR_ARGUMENT);
    wrong.polygon_count = 4; /* with as many radii */
    assert_int_equal(tumble_assembly_add_mesh(assembly, &wrong, &model), TUMBLE_OK);
    assert_int_equal(tumble_assembly_add(NULL, &item), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(w->context, tumble_assembly_add(assembly, NULL), TUMBLE_ERROR_ARGUMENT, "item is null");
    test_assert_status(w->context, tumble_assembly_add(assembly, &item), TUMBLE_ERROR_INDEX, "model 1 of 1");
    static const double shear[12] = {1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    const tumble_assembly_item baked = {.name = "t", .model = model, .transform = shear};
    test_assert_status(w->context, tumble_assembly_add(assembly, &baked), TUMBLE_ERROR_UNSUPPORTED, "radius");
    assert_int_equal(tumble_assembly_read(NULL, "x"), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(w->context, tumble_assembly_read(assembly, NULL), TUMBLE_ERROR_ARGUMENT, "path is null");
    end(assembly);
}

/* ---- SHA-256: the examples of FIPS 180-4 ---- */

static void test_sha256(void **state)
{
    (void)state;
    char text[33];
    tmb_sha256 hash;
    tmb_sha256_begin(&hash);
    tmb_sha256_add(&hash, "abc", 3);
    tmb_sha256_end_text(&hash, text);
    assert_string_equal(text, "ba7816bf8f01cfea414140de5dae2223");
    tmb_sha256_begin(&hash);
    tmb_sha256_end_text(&hash, text);
    assert_string_equal(text, "e3b0c44298fc1c149afbf4c8996fb924");
    for (size_t step = 1; step < 200; step += 7) {
        tmb_sha256_begin(&hash);
        char block[200];
        memset(block, 'a', sizeof block);
        for (size_t left = 1000000; left > 0;) {
            const size_t some = left < step ? left : step;
            tmb_sha256_add(&hash, block, some);
            left -= some;
        }
        tmb_sha256_end_text(&hash, text);
        assert_string_equal(text, "cdc76e5c9914fb9281a1c7e284d73e67");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_keys),      TEST_IN_WORLD(test_many_keys),    TEST_IN_WORLD(test_equal_geometry),
        TEST_IN_WORLD(test_baking),    TEST_IN_WORLD(test_not_finite),   TEST_IN_WORLD(test_files),
        TEST_IN_WORLD(test_saved),     TEST_IN_WORLD(test_wrong_files),  TEST_IN_WORLD(test_ignored),
        TEST_IN_WORLD(test_memory),    TEST_IN_WORLD(test_busy),         TEST_IN_WORLD(test_arguments),
        cmocka_unit_test(test_sha256), TEST_IN_WORLD(test_given_models), TEST_IN_WORLD(test_given_models_and_memory)};
    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
