/* The scenes of the literature: of the papers' sizes, closed and turned outward where they should be, the same every
 * time; tetrahedra that do not touch, a swept volume that is free and narrow, flights that bounce, a hand that touches.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "paper_scenes.h"
#include "tumble/tumble.h"

static double effort(void)
{
    const char *text = getenv("TUMBLE_TEST_EFFORT");
    return text ? strtod(text, NULL) : 1.0;
}

/* ---- Both models and a query ---- */

typedef struct arena {
    tumble_context *context;
    tumble_query *query;
    tumble_model *environment, *flyer;
} arena;

static arena open_arena(const models_mesh *environment, const models_mesh *flyer)
{
    arena a = {NULL, NULL, NULL, NULL};
    tumble_model_options options = tumble_default_model_options();
    const tumble_mesh views[2] = {models_view(environment), models_view(flyer)};
    options.hierarchy = TUMBLE_HIERARCHY_BOXTREE;
    assert_int_equal(tumble_context_create(NULL, &a.context), TUMBLE_OK);
    assert_int_equal(tumble_query_create(a.context, &a.query), TUMBLE_OK);
    assert_int_equal(tumble_model_create(a.context, &views[0], &options, &a.environment), TUMBLE_OK);
    assert_int_equal(tumble_model_create(a.context, &views[1], &options, &a.flyer), TUMBLE_OK);
    return a;
}

static void close_arena(arena *a)
{
    tumble_query_destroy(a->query);
    tumble_model_destroy(a->environment);
    tumble_model_destroy(a->flyer);
    tumble_context_destroy(a->context);
}

static uint64_t pairs_at(const arena *a, const tumble_pose *pose, tumble_mode mode)
{
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.mode = mode;
    assert_int_equal(tumble_collide(a->query, a->environment, NULL, a->flyer, pose, &options, &result), TUMBLE_OK);
    return result.collide ? result.pair_count + (mode == TUMBLE_TEST && !result.pair_count) : 0;
}

static int touches(void *user, const tumble_pose *pose)
{
    return pairs_at(user, pose, TUMBLE_TEST) > 0;
}

/* ---- Meshes ---- */

static uint32_t root_of(uint32_t *parents, uint32_t i)
{
    while (parents[i] != i) {
        i = parents[i] = parents[parents[i]];
    }
    return i;
}

/* Every connected part encloses a volume on its inner side; returns the number of parts. Polygons of surface `without`
 * are passed over. */
static size_t check_parts(const models_mesh *mesh, uint32_t without)
{
    uint32_t *parents = malloc(mesh->point_count * sizeof *parents);
    double *volumes = calloc(mesh->point_count, sizeof *volumes);
    size_t count = 0;
    assert_non_null(parents);
    assert_non_null(volumes);
    for (uint32_t i = 0; i < mesh->point_count; i++) {
        parents[i] = i;
    }
    for (size_t i = 0; i < mesh->polygon_count; i++) {
        const uint32_t *c = &mesh->indices[3 * i];
        parents[root_of(parents, c[1])] = root_of(parents, c[0]);
        parents[root_of(parents, c[2])] = root_of(parents, c[0]);
    }
    for (size_t i = 0; i < mesh->polygon_count; i++) {
        const uint32_t *c = &mesh->indices[3 * i];
        const uint32_t root = root_of(parents, c[0]);
        const double *origin = &mesh->points[3 * (size_t)root];
        double p[3][3];
        for (size_t k = 0; k < 9; k++) {
            p[k / 3][k % 3] = mesh->points[3 * (size_t)c[k / 3] + k % 3] - origin[k % 3];
        }
        volumes[root] += mesh->surface_ids[i] == without ? INFINITY
                                                         : p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
                                                               p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
                                                               p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
    }
    for (uint32_t i = 0; i < mesh->point_count; i++) {
        count += parents[i] == i;
        assert_true(parents[i] != i || volumes[i] > 0);
    }
    free(parents);
    free(volumes);
    return count;
}

static void check_triangles(const models_mesh *mesh, size_t count)
{
    assert_int_equal(models_triangle_count(mesh), count);
    assert_int_equal(mesh->polygon_count, count);
    for (size_t i = 0; i < 3 * mesh->point_count; i++) {
        assert_true(isfinite(mesh->points[i]) && mesh->points[i] == (double)(float)mesh->points[i]);
    }
}

/* Table 2 of Klosowski et al.; which meshes are closed. */
static const struct expected {
    const char *name;
    size_t environment, flyer, steps;
    int closed;
} table[] = {{"pipes", 143690, 143690, 2000, 1},
             {"torus", 98114, 20000, 2000, 0},
             {"airliner", 100000, 14646, 10000, 1},
             {"swept", 40000, 36, 1000, 1},
             {"interior", 169944, 404, 2528, 0}};

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    }
    return hash;
}

static uint64_t hash_scene(const models_scene *scene)
{
    uint64_t hash = hash_bytes(1, scene->path, scene->path_length * sizeof *scene->path);
    const models_mesh *meshes[2] = {&scene->environment, &scene->flyer};
    for (int i = 0; i < 2; i++) {
        hash = hash_bytes(hash, meshes[i]->points, 3 * meshes[i]->point_count * sizeof(double));
        hash = hash_bytes(hash, meshes[i]->indices, meshes[i]->index_count * sizeof(uint32_t));
    }
    return hash;
}

/* And they are the same when they are made again. */
static void sizes(void **state)
{
    const char *const *names = models_scene_names();
    models_scene scene;
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_string_equal(names[i], table[i].name);
        assert_int_equal(models_make_scene(&scene, names[i]), 1);
        assert_string_equal(scene.name, names[i]);
        check_triangles(&scene.environment, table[i].environment);
        check_triangles(&scene.flyer, table[i].flyer);
        assert_int_equal(scene.steps, table[i].steps);
        assert_int_equal(models_is_closed(&scene.environment), table[i].closed);
        assert_true(models_is_closed(&scene.flyer));
        check_parts(&scene.flyer, UINT32_MAX);
        assert_int_equal(scene.path_length, scene.billiard.stride > 0 ? 0 : table[i].steps);
        const uint64_t hash = hash_scene(&scene);
        models_free_scene(&scene);
        assert_null(scene.environment.points);
        assert_int_equal(models_make_scene(&scene, names[i]), 1);
        assert_true(hash_scene(&scene) == hash);
        models_free_scene(&scene);
    }
    assert_null(names[sizeof table / sizeof *table]);
    assert_int_equal(models_make_scene(&scene, "harbour"), 0);
    assert_null(scene.flyer.points);
}

/* ---- Parts of the environments ---- */

/* Pairs of triangles of different tetrahedra. */
static bool count_strangers(void *user, const tumble_pair *pairs, size_t count, const tumble_contact *contacts,
                            size_t contact_count)
{
    (void)contacts;
    (void)contact_count;
    for (size_t i = 0; i < count; i++) {
        *(uint64_t *)user += pairs[i].polygon_a / 4 != pairs[i].polygon_b / 4;
    }
    return 0;
}

static void disjoint_tetrahedra(void **state)
{
    static const char *const names[] = {"airliner", "swept"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        models_scene scene;
        uint64_t strangers = 0;
        assert_int_equal(models_make_scene(&scene, names[i]), 1);
        assert_int_equal(check_parts(&scene.environment, UINT32_MAX), models_triangle_count(&scene.environment) / 4);
        arena a = open_arena(&scene.environment, &scene.environment);
        tumble_collide_options options = tumble_default_collide_options();
        tumble_collide_result result;
        options.callback = count_strangers;
        options.callback_user = &strangers;
        assert_int_equal(tumble_collide(a.query, a.environment, NULL, a.flyer, NULL, &options, &result), TUMBLE_OK);
        assert_int_equal(result.pair_count, 4 * models_triangle_count(&scene.environment)); /* each with its own four */
        assert_int_equal(strangers, 0);
        close_arena(&a);
        models_free_scene(&scene);
    }
}

/* All but the skin of the aeroplane, and all but the cave's floor, is closed. */
static void closed_parts(void **state)
{
    static const char *const names[] = {"torus", "interior"};
    static const size_t least_parts[] = {150, 1500};
    (void)state;
    for (int i = 0; i < 2; i++) {
        models_scene scene;
        models_mesh rest = {0};
        assert_int_equal(models_make_scene(&scene, names[i]), 1);
        assert_true(check_parts(&scene.environment, 0) > least_parts[i]);
        const models_mesh *all = &scene.environment;
        rest.points = all->points;
        rest.point_count = rest.point_capacity = all->point_count;
        for (size_t k = 0; k < all->polygon_count; k++) {
            if (all->surface_ids[k] != 0) {
                models_polygon(&rest, &all->indices[3 * k], 3);
            }
        }
        assert_false(rest.failed);
        assert_true(rest.polygon_count > all->polygon_count / 2);
        assert_true(models_is_closed(&rest));
        rest.points = NULL;
        models_free(&rest);
        models_free_scene(&scene);
    }
}

/* ---- Ways ---- */

/* Free at every step, but not by much: when the bars are half as large again they touch in many of the steps. */
static void swept_volume(void **state)
{
    models_scene scene;
    size_t near = 0;
    (void)state;
    assert_int_equal(models_make_scene(&scene, "swept"), 1);
    arena a = open_arena(&scene.environment, &scene.flyer);
    for (size_t i = 0; i < scene.path_length; i++) {
        tumble_pose larger = scene.path[i];
        assert_int_equal(tumble_pose_check(a.context, &larger), TUMBLE_OK);
        assert_int_equal(pairs_at(&a, &larger, TUMBLE_ALL), 0);
        for (int k = 0; k < 9; k++) {
            larger.m[k / 3][k % 3] *= 1.5;
        }
        near += pairs_at(&a, &larger, TUMBLE_TEST) > 0;
    }
    print_message("touching when larger: %zu of %zu\n", near, scene.path_length);
    assert_true(near > scene.path_length / 10);
    close_arena(&a);
    models_free_scene(&scene);
}

static double distance_between(const tumble_pose *a, const tumble_pose *b)
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        square += (a->m[k][3] - b->m[k][3]) * (a->m[k][3] - b->m[k][3]);
    }
    return sqrt(square);
}

/* No corner of an obstacle is in the octahedron around the bars, where the other scene has many. */
static void swept_hull(void **state)
{
    static const char *const names[] = {"swept-hull", "swept"};
    (void)state;
    for (int n = 0; n < 2; n++) {
        models_scene scene;
        size_t inside = 0;
        assert_int_equal(models_make_scene(&scene, names[n]), 1);
        assert_int_equal(models_triangle_count(&scene.environment), 40000);
        for (size_t i = 0; i < scene.path_length; i += scene.path_length / 40) {
            for (size_t p = 0; p < scene.environment.point_count; p++) {
                double at[3] = {0, 0, 0};
                for (int k = 0; k < 9; k++) {
                    at[k % 3] += scene.path[i].m[k / 3][k % 3] *
                                 (scene.environment.points[3 * p + (size_t)k / 3] - scene.path[i].m[k / 3][3]);
                }
                inside += fabs(at[0]) + fabs(at[1]) + fabs(at[2]) < 1.05;
            }
        }
        assert_true(n == 0 ? inside == 0 : inside > 10);
        models_free_scene(&scene);
    }
}

/* A path that turns back retraces its steps, or goes the same way with another spin. */
static void bounces(void **state)
{
    const models_billiard plain = {{-9, -9, -9}, {9, 9, 9}, 0.5, 0.1, 3, MODELS_BOUNCE_RETRACE};
    (void)state;
    for (int kind = MODELS_BOUNCE_BACK; kind <= MODELS_BOUNCE_RETRACE; kind++) {
        models_billiard billiard = plain;
        tumble_pose path[9];
        billiard.bounce = (models_bounce)kind;
        models_flight flight = models_start_flight(&billiard);
        for (int k = 0; k < 3; k++) {
            flight.position[k] = 0; /* far from the walls */
        }
        flight.orientation[0] = 1;
        for (int i = 0; i < 9; i++) { /* step 4 touches; 5 to 7 are where 2 to 0 were */
            path[i] = models_next_place(&flight, i == 5);
        }
        for (int i = 5; i < 8; i++) {
            assert_true(distance_between(&path[i], &path[7 - i]) < 1e-9);
            const double turned = fabs(path[i].m[0][1] - path[7 - i].m[0][1]);
            assert_int_equal(turned < 1e-9, kind == MODELS_BOUNCE_RETRACE);
        }
    }
}

/* Small steps within the box; a touch sends it back to where it was, and on from there. */
static void check_flight(const models_scene *scene, arena *a, size_t *hits, uint64_t *contacts)
{
    const models_billiard *billiard = &scene->billiard;
    int touched = 0;
    for (size_t i = 0; i < scene->path_length; i++) {
        const tumble_pose *pose = &scene->path[i];
        const uint64_t pairs = pairs_at(a, pose, TUMBLE_ALL);
        assert_int_equal(tumble_pose_check(a->context, pose), TUMBLE_OK);
        assert_true(fabs(tumble_pose_scale(pose) - 1) < 1e-12);
        for (int k = 0; k < 3; k++) {
            assert_true(pose->m[k][3] >= billiard->lower[k] && pose->m[k][3] <= billiard->upper[k]);
        }
        assert_true(i > 0 || !pairs);
        if (i > 0 && !touched) {
            assert_true(fabs(distance_between(pose, pose - 1) - billiard->stride) < 1e-9 * billiard->stride + 1e-12);
        } else if (i > 1 && !pairs_at(a, pose - 2, TUMBLE_TEST)) {
            assert_true(distance_between(pose, pose - 2) < 1.0001 * billiard->stride);
        }
        touched = pairs > 0;
        *hits += (size_t)touched;
        *contacts += pairs;
    }
}

static void billiards(void **state)
{
    static const char *const names[] = {"pipes", "torus", "airliner"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        models_scene scene;
        size_t hits = 0;
        uint64_t contacts = 0;
        assert_int_equal(models_make_scene(&scene, names[i]), 1);
        scene.steps = (size_t)fmax(200, 2000 * effort());
        arena a = open_arena(&scene.environment, &scene.flyer);
        assert_int_equal(models_fly(&scene, touches, &a), 1);
        assert_int_equal(scene.path_length, scene.steps);
        check_flight(&scene, &a, &hits, &contacts);
        print_message("%s: %zu hits, %llu contacts\n", names[i], hits, (unsigned long long)contacts);
        if (effort() >= 1) { /* the paper has 2,657 and 1,472; and 7,906 in five times the steps */
            assert_true(contacts > 500 && contacts < 6000);
        }
        const tumble_pose *path = scene.path;
        assert_int_equal(models_fly(&scene, touches, &a), 1); /* has its path already */
        assert_ptr_equal(scene.path, path);
        close_arena(&a);
        models_free_scene(&scene);
    }
}

static int always(void *user, const tumble_pose *pose)
{
    (void)user;
    (void)pose;
    return 1;
}

static void nowhere_to_start(void **state)
{
    models_scene scene;
    (void)state;
    assert_int_equal(models_make_scene(&scene, "torus"), 1);
    assert_int_equal(models_fly(&scene, always, NULL), 0);
    assert_null(scene.path);
    models_free_scene(&scene);
}

/* The paper's hand has 33 contacts a step on average. */
static void hand_path(void **state)
{
    models_scene scene;
    size_t hits = 0;
    uint64_t contacts = 0;
    (void)state;
    assert_int_equal(models_make_scene(&scene, "interior"), 1);
    arena a = open_arena(&scene.environment, &scene.flyer);
    for (size_t i = 0; i < scene.path_length; i++) {
        const uint64_t pairs = pairs_at(&a, &scene.path[i], TUMBLE_ALL);
        assert_int_equal(tumble_pose_check(a.context, &scene.path[i]), TUMBLE_OK);
        assert_true(i == 0 || distance_between(&scene.path[i], &scene.path[i - 1]) < 0.02);
        hits += pairs > 0;
        contacts += pairs;
    }
    print_message("hand: %zu hits, %llu contacts\n", hits, (unsigned long long)contacts);
    assert_true(hits > scene.path_length / 2);
    assert_true(contacts > 25 * scene.path_length && contacts < 45 * scene.path_length);
    close_arena(&a);
    models_free_scene(&scene);
}

/* ---- Spheres and animals ---- */

/* Nested ones do not touch, however close. */
static void spheres(void **state)
{
    static const size_t facets[] = {2000, 5140, 20000};
    (void)state;
    for (int i = 0; i < 3; i++) {
        models_mesh sphere;
        assert_int_equal(models_make_facets(&sphere, facets[i]), 1);
        check_triangles(&sphere, facets[i]);
        assert_true(models_is_closed(&sphere));
        assert_int_equal(check_parts(&sphere, UINT32_MAX), 1);
        arena a = open_arena(&sphere, &sphere);
        const double inner = 1 - 0.0001;
        const tumble_pose pose = {{{inner, 0, 0, 0}, {0, inner, 0, 0}, {0, 0, inner, 0}}},
                          shifted = {{{inner, 0, 0, 0.001}, {0, inner, 0, 0}, {0, 0, inner, 0}}};
        assert_int_equal(pairs_at(&a, &pose, TUMBLE_TEST), 0);
        assert_true(pairs_at(&a, &shifted, TUMBLE_TEST) > 0);
        close_arena(&a);

        models_mesh moved = {0};
        models_append(&moved, &sphere, NULL);
        models_perturb(&moved, 0.01, 1);
        check_triangles(&moved, facets[i]);
        double largest = 0;
        for (size_t k = 0; k < 3 * moved.point_count; k++) {
            largest = fmax(largest, fabs(moved.points[k] - sphere.points[k]));
        }
        assert_true(largest > 0.009 && largest <= 0.0100001);
        models_free(&moved);
        models_free(&sphere);
    }
    models_mesh none;
    assert_int_equal(models_make_facets(&none, 2001), 0); /* a closed mesh has an even number */
    assert_null(none.points);
}

static void animals(void **state)
{
    models_mesh mesh;
    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(models_make_beast(&mesh, i ? MODELS_DINOSAUR : MODELS_HORSE, 20000), 1);
        check_triangles(&mesh, 20000);
        assert_true(models_is_closed(&mesh));
        assert_int_equal(check_parts(&mesh, UINT32_MAX), 1);
        models_free(&mesh);
    }
    assert_int_equal(models_make_beast(&mesh, MODELS_HORSE, 20001), 0);
    assert_null(mesh.points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),
        cmocka_unit_test(disjoint_tetrahedra),
        cmocka_unit_test(closed_parts),
        cmocka_unit_test(swept_volume),
        cmocka_unit_test(swept_hull),
        cmocka_unit_test(bounces),
        cmocka_unit_test(billiards),
        cmocka_unit_test(hand_path),
        cmocka_unit_test(nowhere_to_start),
        cmocka_unit_test(spheres),
        cmocka_unit_test(animals),
    };
    return cmocka_run_group_tests_name("scenes", tests, NULL, NULL);
}
