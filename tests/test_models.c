/* The generators: meshes must be valid, closed where they say so, of the wanted size and the same on every machine; and
 * the demonstration must work as described. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "models.h"
#include "tumble/tumble.h"

static double effort(void)
{
    const char *text = getenv("TUMBLE_TEST_EFFORT");
    return text ? strtod(text, NULL) : 1.0;
}

/* ---- Every shape ---- */

static void check_arrays(const models_mesh *mesh)
{
    size_t corners = 0;
    assert_false(mesh->failed);
    assert_true(mesh->polygon_count > 0);
    for (size_t i = 0; i < mesh->polygon_count; i++) {
        assert_true(mesh->polygon_sizes[i] >= 3);
        corners += mesh->polygon_sizes[i];
    }
    assert_int_equal(corners, mesh->index_count);
    for (size_t i = 0; i < mesh->index_count; i++) {
        assert_true(mesh->indices[i] < mesh->point_count);
    }
    for (size_t i = 0; i < 3 * mesh->point_count; i++) {
        assert_true(isfinite(mesh->points[i]));
    }
}

/* No point is left over, and in closed shapes no two are equal: they are shared. */
static int compare_points(const void *a, const void *b)
{
    return memcmp(a, b, 3 * sizeof(double));
}

static void check_points(const models_mesh *mesh, int shared)
{
    uint8_t *used = calloc(mesh->point_count, 1);
    double *sorted = malloc(3 * mesh->point_count * sizeof *sorted);
    assert_non_null(used);
    assert_non_null(sorted);
    for (size_t i = 0; i < mesh->index_count; i++) {
        used[mesh->indices[i]] = 1;
    }
    for (size_t i = 0; i < mesh->point_count; i++) {
        assert_int_equal(used[i], 1);
    }
    memcpy(sorted, mesh->points, 3 * mesh->point_count * sizeof *sorted);
    qsort(sorted, mesh->point_count, 3 * sizeof *sorted, compare_points);
    for (size_t i = 1; shared && i < mesh->point_count; i++) {
        assert_true(memcmp(&sorted[3 * i - 3], &sorted[3 * i], 3 * sizeof *sorted) != 0);
    }
    free(used);
    free(sorted);
}

static void check_mesh(const models_shape *shape, const double *values, const models_mesh *mesh)
{
    check_arrays(mesh);
    assert_true(shape->count(values) == (double)models_triangle_count(mesh));
    if (shape->closed) {
        assert_true(models_is_closed(mesh));
        assert_true(models_volume(mesh) > 0);
    }
}

static void default_shapes(void **state)
{
    tumble_context *context;
    (void)state;
    assert_int_equal(tumble_context_create(NULL, &context), TUMBLE_OK);
    for (const models_shape *shape = models_shapes(); shape->name; shape++) {
        models_mesh mesh = {0};
        double values[MODELS_PARAMETERS];
        models_defaults(shape, values);
        shape->make(&mesh, values);
        check_mesh(shape, values, &mesh);
        check_points(&mesh, shape->closed);

        tumble_model *model;
        tumble_model_info info;
        const tumble_mesh view = models_view(&mesh);
        assert_int_equal(tumble_model_create(context, &view, NULL, &model), TUMBLE_OK);
        assert_int_equal(tumble_model_get_info(model, &info), TUMBLE_OK);
        assert_int_equal(info.closed, shape->closed);
        assert_int_equal(info.degenerate_count, 0);
        assert_int_equal(info.triangle_count, models_triangle_count(&mesh));
        tumble_model_destroy(model);
        models_free(&mesh);
    }
    tumble_context_destroy(context);
}

/* Parameters at the ends of their ranges, one at a time; but not the largest details, which need much memory. */
static void extreme_parameters(void **state)
{
    (void)state;
    for (const models_shape *shape = models_shapes(); shape->name; shape++) {
        for (int i = 0; shape->parameters[i].name; i++) {
            assert_true(i + 1 < MODELS_PARAMETERS);
            const models_parameter *parameter = &shape->parameters[i];
            assert_true(parameter->least <= parameter->value && parameter->value <= parameter->most);
            for (int end = 0; end < 2; end++) {
                models_mesh mesh = {0};
                double values[MODELS_PARAMETERS];
                models_defaults(shape, values);
                values[i] = end ? parameter->most : parameter->least;
                if (shape->count(values) > 1e6) {
                    continue;
                }
                shape->make(&mesh, values);
                check_mesh(shape, values, &mesh);
                models_free(&mesh);
            }
        }
    }
}

static void check_size(const models_shape *shape, size_t wanted)
{
    models_mesh mesh;
    double values[MODELS_PARAMETERS];
    models_defaults(shape, values);
    assert_int_equal(models_tune(shape, values, wanted), 1);
    assert_int_equal(models_make_sized(&mesh, shape->name, wanted), 1);
    check_mesh(shape, values, &mesh);
    const double error = fabs((double)models_triangle_count(&mesh) / (double)wanted - 1);
    assert_true(error < (wanted < 100000 ? 0.125 : 0.05));
    models_free(&mesh);
}

static void wanted_sizes(void **state)
{
    static const size_t sizes[] = {1000, 1700, 5000, 20000, 50000, 100000, 300000, 1000000};
    models_mesh mesh;
    (void)state;
    for (const models_shape *shape = models_shapes(); shape->name; shape++) {
        const int demo = strcmp(shape->name, "housing") == 0 || strcmp(shape->name, "part") == 0;
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            if ((double)sizes[i] <= 300000 * effort() && (!demo || sizes[i] >= 50000)) {
                check_size(shape, sizes[i]);
            }
        }
    }
    assert_int_equal(models_make_sized(&mesh, "no such shape", 1000), 0);
    assert_null(mesh.points);
}

static void names(void **state)
{
    (void)state;
    for (const models_shape *shape = models_shapes(); shape->name; shape++) {
        assert_ptr_equal(models_find_shape(shape->name), shape);
        assert_true(strlen(shape->help) > 0);
        assert_string_equal(shape->parameters[0].name, "detail");
    }
    assert_null(models_find_shape("Sphere"));
}

/* ---- The same everywhere ---- */

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    }
    return hash;
}

static uint64_t hash_mesh(const models_mesh *mesh)
{
    uint64_t hash = hash_bytes(0xcbf29ce484222325u, mesh->points, 3 * mesh->point_count * sizeof *mesh->points);
    hash = hash_bytes(hash, mesh->indices, mesh->index_count * sizeof *mesh->indices);
    return hash_bytes(hash, mesh->surface_ids, mesh->polygon_count * sizeof *mesh->surface_ids);
}

static void same_twice(void **state)
{
    (void)state;
    for (const models_shape *shape = models_shapes(); shape->name; shape++) {
        uint64_t hashes[2];
        for (int i = 0; i < 2; i++) {
            models_mesh mesh;
            assert_int_equal(models_make_sized(&mesh, shape->name, 3000), 1);
            hashes[i] = hash_mesh(&mesh);
            models_free(&mesh);
        }
        assert_true(hashes[0] == hashes[1]);
    }
}

/* Shapes that need nothing but sums, products, quotients and roots, which are exact to the last bit on every machine
 * (with little-endian numbers, as all supported ones are). */
static void same_everywhere(void **state)
{
    static const struct {
        const char *name;
        uint64_t hash;
    } golden[] = {
        {"sphere", 0xc6be87ec275425adu},  {"box", 0xbc92875b941eafe8u},     {"lattice", 0xed1a8e62a89ec921u},
        {"soup", 0x98565d58dd40b81du},    {"terrain", 0x1116cfc6742ce8c0u}, {"tetrahedra", 0x21a3985e529b332cu},
        {"needles", 0x4e7af7a98ff7bb46u}, {"spikes", 0x469132c8888f60b5u},  {"truss", 0x544da834ee440635u},
        {"cables", 0x03788e43901e6222u},
    };
    (void)state;
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        models_mesh mesh;
        assert_int_equal(models_make_sized(&mesh, golden[i].name, 5000), 1);
        print_message("%-12s 0x%016llx\n", golden[i].name, (unsigned long long)hash_mesh(&mesh));
        assert_true(hash_mesh(&mesh) == golden[i].hash);
        models_free(&mesh);
    }
}

static void seeds(void **state)
{
    static const char *const shapes[] = {"soup",    "tetrahedra", "needles", "truss", "cables",
                                         "terrain", "spikes",     "pipes",   "shards"};
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const models_shape *shape = models_find_shape(shapes[i]);
        double values[MODELS_PARAMETERS];
        uint64_t hashes[2];
        int seed = 0;
        models_defaults(shape, values);
        while (strcmp(shape->parameters[seed].name, "seed") != 0) {
            seed++;
        }
        for (int k = 0; k < 2; k++) {
            models_mesh mesh = {0};
            values[seed] = 7 + k;
            shape->make(&mesh, values);
            hashes[k] = hash_mesh(&mesh);
            models_free(&mesh);
        }
        assert_true(hashes[0] != hashes[1]);
    }
}

/* The first numbers of SplitMix64 as its authors publish them. */
static void random_numbers(void **state)
{
    (void)state;
    models_random random = {1234567};
    assert_true(models_random_bits(&random) == 6457827717110365317u);
    assert_true(models_random_bits(&random) == 3203168211198807973u);
    double sum = 0;
    for (int i = 0; i < 100000; i++) {
        const double unit = models_random_unit(&random), range = models_random_range(&random, -3, 5);
        assert_true(unit >= 0 && unit < 1 && range >= -3 && range <= 5);
        sum += unit + range;
    }
    assert_true(fabs(sum / 100000 - 1.5) < 0.03);
}

static void random_rotations(void **state)
{
    tumble_context *context;
    models_random random = {3};
    double mean[3][3] = {{0}}, squares[3][3] = {{0}};
    (void)state;
    const int count = 20000;
    assert_int_equal(tumble_context_create(NULL, &context), TUMBLE_OK);
    for (int i = 0; i < count; i++) {
        const tumble_pose pose = models_random_rotation(&random);
        assert_int_equal(tumble_pose_check(context, &pose), TUMBLE_OK);
        assert_true(fabs(tumble_pose_scale(&pose) - 1) < 1e-12);
        for (int k = 0; k < 9; k++) {
            mean[k / 3][k % 3] += pose.m[k / 3][k % 3] / count;
            squares[k / 3][k % 3] += pose.m[k / 3][k % 3] * pose.m[k / 3][k % 3] / count;
        }
    }
    for (int k = 0; k < 9; k++) { /* of a uniform rotation: 0 and one third */
        assert_true(fabs(mean[k / 3][k % 3]) < 0.02);
        assert_true(fabs(squares[k / 3][k % 3] - 1.0 / 3) < 0.02);
    }
    tumble_context_destroy(context);
}

static void tumbling(void **state)
{
    tumble_context *context;
    (void)state;
    assert_int_equal(tumble_context_create(NULL, &context), TUMBLE_OK);
    const tumble_pose first = models_tumbling_pose(0, 5000, 2.5), again = models_tumbling_pose(5000, 5000, 2.5);
    const tumble_pose expected = {{{1, 0, 0, 2.5}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    for (int k = 0; k < 12; k++) {
        assert_true(first.m[k / 4][k % 4] == expected.m[k / 4][k % 4]);
        assert_true(again.m[k / 4][k % 4] == expected.m[k / 4][k % 4]);
    }
    for (size_t step = 0; step < 5000; step += 7) {
        const tumble_pose pose = models_tumbling_pose(step, 5000, 2.5);
        assert_int_equal(tumble_pose_check(context, &pose), TUMBLE_OK);
        assert_true(pose.m[0][3] == 2.5 && pose.m[1][3] == 0 && pose.m[2][3] == 0);
    }
    /* A quarter of the way: about x by a quarter turn, y goes to z; then about z by as much, x goes to y. */
    const tumble_pose quarter = models_tumbling_pose(1250, 5000, 0);
    double moved[3];
    tumble_pose_apply(&quarter, (const double[3]){1, 2, 3}, moved);
    assert_true(fabs(moved[0] - 3) < 1e-12 && fabs(moved[1] - 1) < 1e-12 && fabs(moved[2] - 2) < 1e-12);
    tumble_context_destroy(context);
}

/* ---- The container ---- */

static void fitting(void **state)
{
    (void)state;
    for (int as_float = 0; as_float < 2; as_float++) {
        models_mesh mesh;
        assert_int_equal(models_make_sized(&mesh, "part", 50000), 1);
        models_fit(&mesh, 2, as_float);
        double lower[3] = {9, 9, 9}, upper[3] = {-9, -9, -9}, largest = 0;
        for (size_t i = 0; i < 3 * mesh.point_count; i++) {
            lower[i % 3] = fmin(lower[i % 3], mesh.points[i]);
            upper[i % 3] = fmax(upper[i % 3], mesh.points[i]);
            assert_true(!as_float || mesh.points[i] == (double)(float)mesh.points[i]);
        }
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(lower[k] + upper[k]) < 1e-6);
            largest = fmax(largest, upper[k] - lower[k]);
        }
        assert_true(fabs(largest - 2) < 1e-6);
        models_free(&mesh);
    }
    models_mesh point = {0};
    models_point(&point, 3, 4, 5);
    models_fit(&point, 2, 0);
    assert_true(point.points[0] == 0 && point.points[1] == 0 && point.points[2] == 0);
    models_free(&point);
}

static void building_by_hand(void **state)
{
    models_mesh mesh = {0}, both = {0};
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(models_point(&mesh, i == 1, i == 2, i == 3), i);
    }
    models_triangle(&mesh, 0, 2, 1);
    models_triangle(&mesh, 0, 1, 3);
    models_triangle(&mesh, 0, 3, 2);
    assert_false(models_is_closed(&mesh));
    mesh.surface = 5;
    models_triangle(&mesh, 1, 2, 3);
    assert_true(models_is_closed(&mesh));
    assert_true(fabs(models_volume(&mesh) - 1.0 / 6) < 1e-15);
    assert_null(models_view(&mesh).polygon_sizes);

    const tumble_pose shift = {{{1, 0, 0, 10}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    both.surface = 2;
    models_append(&both, &mesh, NULL);
    models_append(&both, &mesh, &shift);
    assert_int_equal(both.point_count, 8);
    assert_int_equal(both.polygon_count, 8);
    assert_true(models_is_closed(&both));
    assert_true(both.points[12] == 10 && both.points[15] == 11);
    assert_int_equal(both.surface_ids[0], 2);
    assert_int_equal(both.surface_ids[7], 7);
    assert_int_equal(both.surface, 2);
    models_triangle(&both, 0, 1, 2); /* a third triangle at an edge */
    assert_false(models_is_closed(&both));
    models_quad(&both, 0, 1, 2, 3);
    assert_int_equal(models_triangle_count(&both), 11);
    assert_non_null(models_view(&both).polygon_sizes);
    models_free(&mesh);
    models_free(&both);
    assert_null(both.points);
}

/* After a failure nothing more is added. */
static void failed_meshes(void **state)
{
    (void)state;
    for (const models_shape *shape = models_shapes(); shape->name; shape++) {
        models_mesh mesh = {.failed = 1};
        double values[MODELS_PARAMETERS];
        models_defaults(shape, values);
        shape->make(&mesh, values);
        assert_int_equal(mesh.failed, 1);
        assert_int_equal(mesh.point_count + mesh.index_count + mesh.polygon_count, 0);
        models_free(&mesh);
    }
}

/* ---- The demonstration ---- */

enum {
    STEPS = 240,
    MOST_CONTACTS = 1000
};
enum {
    LIP = 1,
    NUB = 2
}; /* surfaces of the housing and the part */

typedef struct demo_fixture {
    models_demo demo;
    tumble_context *context;
    tumble_model *housing, *part;
    tumble_query *query;
    tumble_contact contacts[MOST_CONTACTS];
} demo_fixture;

static int set_up_demo(void **state)
{
    demo_fixture *f = calloc(1, sizeof *f);
    if (!f || !models_make_demo(&f->demo, STEPS) || tumble_context_create(NULL, &f->context) != TUMBLE_OK) {
        return -1;
    }
    const tumble_mesh housing = models_view(&f->demo.housing), part = models_view(&f->demo.part);
    *state = f;
    return tumble_model_create(f->context, &housing, NULL, &f->housing) != TUMBLE_OK ||
           tumble_model_create(f->context, &part, NULL, &f->part) != TUMBLE_OK ||
           tumble_query_create(f->context, &f->query) != TUMBLE_OK;
}

static int tear_down_demo(void **state)
{
    demo_fixture *f = *state;
    tumble_query_destroy(f->query);
    tumble_model_destroy(f->housing);
    tumble_model_destroy(f->part);
    tumble_context_destroy(f->context);
    models_free_demo(&f->demo);
    free(f);
    return 0;
}

static size_t contacts_at(demo_fixture *f, const tumble_pose *pose)
{
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.want_contacts = 1;
    options.contacts = f->contacts;
    options.contact_capacity = MOST_CONTACTS;
    assert_int_equal(tumble_collide(f->query, f->housing, NULL, f->part, pose, &options, &result), TUMBLE_OK);
    assert_true(result.contact_count <= MOST_CONTACTS);
    assert_int_equal(result.collide, result.contact_count > 0);
    return (size_t)result.contact_count;
}

/* Contacts are few, at one small place, and between the nub and the lip. */
static void check_contacts(demo_fixture *f, size_t count)
{
    double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < count; i++) {
        uint32_t surfaces[2];
        assert_int_equal(tumble_model_surface(f->housing, f->contacts[i].polygon_a, &surfaces[0]), TUMBLE_OK);
        assert_int_equal(tumble_model_surface(f->part, f->contacts[i].polygon_b, &surfaces[1]), TUMBLE_OK);
        assert_int_equal(surfaces[0], LIP);
        assert_int_equal(surfaces[1], NUB);
        for (int k = 0; k < 6; k++) {
            lower[k % 3] = fmin(lower[k % 3], f->contacts[i].points[k / 3][k % 3]);
            upper[k % 3] = fmax(upper[k % 3], f->contacts[i].points[k / 3][k % 3]);
        }
    }
    for (int k = 0; k < 3; k++) {
        assert_true(upper[k] - lower[k] < 8);
    }
}

/* Free, then the nub touches the lip for some dozens of poses around the middle, then free again. */
static void the_story(void **state)
{
    demo_fixture *f = *state;
    size_t first = STEPS, last = 0, touching = 0;
    assert_int_equal(f->demo.path_length, STEPS);
    for (size_t step = 0; step < STEPS; step++) {
        assert_int_equal(tumble_pose_check(f->context, &f->demo.path[step]), TUMBLE_OK);
        const size_t count = contacts_at(f, &f->demo.path[step]);
        if (count) {
            check_contacts(f, count);
            first = first < step ? first : step;
            last = step;
            touching++;
        }
    }
    print_message("touching from step %zu to %zu\n", first, last);
    assert_true(touching >= 24 && touching <= 60);
    assert_int_equal(touching, last - first + 1);
    assert_true(first > STEPS / 3 && last < 2 * STEPS / 3);
}

/* At its place the part has room, but not much: 0.5 in every direction, nowhere 1.5. */
static void small_clearance(void **state)
{
    demo_fixture *f = *state;
    static const double directions[5][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, -1}};
    for (int i = 0; i < 5; i++) {
        for (int far = 0; far < 2; far++) {
            tumble_pose pose = f->demo.path[0];
            for (int k = 0; k < 3; k++) {
                pose.m[k][3] += directions[i][k] * (far ? 1.5 : 0.5);
            }
            tumble_collide_result result;
            assert_int_equal(tumble_collide(f->query, f->housing, NULL, f->part, &pose, NULL, &result), TUMBLE_OK);
            assert_int_equal(result.collide, far);
        }
    }
}

static void demo_sizes(void **state)
{
    const demo_fixture *f = *state;
    assert_in_range(models_triangle_count(&f->demo.housing), 20000, 80000);
    assert_in_range(models_triangle_count(&f->demo.part), 20000, 80000);
    models_demo none;
    assert_int_equal(models_make_demo(&none, 0), 1);
    assert_int_equal(none.path_length, 0);
    models_free_demo(&none);
    assert_null(none.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(default_shapes),
        cmocka_unit_test(extreme_parameters),
        cmocka_unit_test(wanted_sizes),
        cmocka_unit_test(same_twice),
        cmocka_unit_test(same_everywhere),
        cmocka_unit_test(seeds),
        cmocka_unit_test(random_numbers),
        cmocka_unit_test(random_rotations),
        cmocka_unit_test(tumbling),
        cmocka_unit_test(fitting),
        cmocka_unit_test(building_by_hand),
        cmocka_unit_test(failed_meshes),
        cmocka_unit_test_setup_teardown(demo_sizes, set_up_demo, tear_down_demo),
        cmocka_unit_test_setup_teardown(the_story, set_up_demo, tear_down_demo),
        cmocka_unit_test_setup_teardown(small_clearance, set_up_demo, tear_down_demo),
    };
    return cmocka_run_group_tests_name("models", tests, NULL, NULL);
}
