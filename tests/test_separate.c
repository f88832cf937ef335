/* How far must two models be moved to part them? Known solids, and a direction against exact arithmetic. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes.h"
#include "span_oracle.h"
#include "tumble/ray.h"

enum {
    TRIANGLES = 8,
    HIERARCHIES = 5
};

static const tumble_hierarchy hierarchies[HIERARCHIES] = {TUMBLE_HIERARCHY_BRUTE, TUMBLE_HIERARCHY_WIDE,
                                                          TUMBLE_HIERARCHY_BOXTREE, TUMBLE_HIERARCHY_KDOP,
                                                          TUMBLE_HIERARCHY_RTREE};

static tumble_model *model_of(test_world *w, const models_mesh *mesh, int hierarchy)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = hierarchies[hierarchy];
    return test_model(w->context, mesh, &options);
}

static tumble_model *make_box(test_world *w, double x, double y, double z, double sx, double sy, double sz)
{
    static const uint32_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    models_mesh mesh = {0};
    for (int i = 0; i < 8; i++)
        models_point(&mesh, x + (i & 1 ? sx : 0), y + (i & 2 ? sy : 0), z + (i & 4 ? sz : 0));
    for (int i = 0; i < 6; i++)
        models_quad(&mesh, faces[i][0], faces[i][1], faces[i][2], faces[i][3]);
    tumble_model *model = test_model(w->context, &mesh, NULL);
    models_free(&mesh);
    return model;
}

static tumble_model *make_shape(test_world *w, const char *name, double size)
{
    const models_shape *shape = models_find_shape(name);
    double values[MODELS_PARAMETERS];
    models_mesh mesh = {0};
    models_defaults(shape, values);
    shape->make(&mesh, values);
    models_fit(&mesh, size, 0);
    tumble_model *model = test_model(w->context, &mesh, NULL);
    models_free(&mesh);
    return model;
}

static tumble_relation relation_at(test_world *w, const tumble_model *a, const tumble_pose *pose_a,
                                   const tumble_model *b, const tumble_pose *pose_b)
{
    tumble_relation_result r;
    assert_int_equal(tumble_relate(w->query, a, pose_a, b, pose_b, &r), TUMBLE_OK);
    return r.relation;
}

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Asks, and checks what holds for every answer. */
static tumble_separate_result separate(test_world *w, const tumble_model *a, const tumble_pose *pose_a,
                                       const tumble_model *b, const tumble_pose *pose_b,
                                       const tumble_separate_options *options)
{
    tumble_separate_result r;
    test_assert_status(w->context, tumble_separate(w->query, a, pose_a, b, pose_b, options, &r), TUMBLE_OK, "");
    assert_true(r.lower >= 0 && r.lower <= r.upper);
    if (r.upper < INFINITY) {
        const tumble_relation after = relation_at(w, a, pose_a, b, &r.pose_b);
        assert_true(after == TUMBLE_RELATION_APART || after == TUMBLE_RELATION_UNDEFINED ||
                    (options && options->touching && after == TUMBLE_RELATION_TOUCHING));
        assert_true(length_of(r.translation) <= r.upper * (1 + 1e-15));
    }
    return r;
}

static tumble_pose shifted(double x, double y, double z)
{
    tumble_pose pose = tumble_pose_identity();
    pose.m[0][3] = x;
    pose.m[1][3] = y;
    pose.m[2][3] = z;
    return pose;
}

/* ---- Known solids ---- */

/* Boxes part along the axis in which they overlap least. */
static void boxes(void **state)
{
    test_world *w = *state;
    tumble_model *a = make_box(w, 0, 0, 0, 2, 3, 4), *b = make_box(w, 0, 0, 0, 1, 1, 1);
    test_random random = {5};
    for (size_t n = 0; n < test_count(60); n++) {
        double at[3], least = INFINITY;
        static const double sizes[3] = {2, 3, 4};
        for (int k = 0; k < 3; k++) {
            at[k] = -0.9 + (sizes[k] + 0.8) * test_random_unit(&random);
            least = fmin(least, fmin(at[k] + 1, sizes[k] - at[k]));
        }
        const tumble_pose pose = shifted(at[0], at[1], at[2]);
        const tumble_separate_result r = separate(w, a, NULL, b, &pose, NULL);
        assert_int_equal(r.answer, TUMBLE_YES);
        assert_true(r.upper >= least * (1 - 1e-14) && r.upper <= least * (1 + 1e-12));
        assert_true(r.lower <= least * (1 + 1e-14) && r.lower > 0);
        assert_true(fabs(length_of(r.normal) - 1) < 1e-14);
    }
    tumble_model_destroy(a);
    tumble_model_destroy(b);
}

/* The same box twice: half a side from everywhere, on both sides. The bounds meet. */
static void same_box(void **state)
{
    test_world *w = *state;
    tumble_model *a = make_box(w, 0, 0, 0, 2, 2, 2);
    const tumble_separate_result r = separate(w, a, NULL, a, NULL, NULL);
    assert_true(r.upper >= 2 && r.upper < 2 + 1e-12);
    assert_true(r.lower <= 2 && r.lower > 2 - 1e-9);
    assert_true(fabs(r.depth_a - 1) < 1e-9 && fabs(r.depth_b - 1) < 1e-9);
    tumble_model_destroy(a);
}

/* Balls, also one within the other: the sum of the radii less the distance of the centres, nearly. */
static void balls(void **state)
{
    test_world *w = *state;
    tumble_model *a = make_shape(w, "sphere", 2), *b = make_shape(w, "sphere", 1);
    static const double distances[] = {0, 0.1, 0.3, 0.45, 0.7, 1.1, 1.4};
    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
        const double d = distances[i], depth = 1.5 - d;
        const tumble_pose pose = shifted(0.6 * d, 0, 0.8 * d);
        const tumble_separate_result r = separate(w, a, NULL, b, &pose, NULL);
        assert_true(r.upper > 0.97 * depth && r.upper < 1.01 * depth);
        assert_true(r.lower > 0.97 * depth && r.lower < 1.001 * depth);
    }
    tumble_model_destroy(a);
    tumble_model_destroy(b);
}

/* The way out of a room, or only away from its wall. */
static void room(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0}, hole = {0};
    tumble_separate_options options = tumble_default_separate_options();
    test_make_grid_box(&mesh, 2);
    test_make_grid_box(&hole, 2);
    models_fit(&mesh, 10, 0);
    models_fit(&hole, 8, 0);
    models_append(&mesh, &hole, NULL);
    tumble_model *walls = test_model(w->context, &mesh, NULL), *chair = make_box(w, -0.5, -0.5, -0.5, 1, 1, 1);
    const tumble_pose in_floor = shifted(0, 0, -3.75), inside_wall = shifted(0, 0, 4.5);
    options.direction[2] = 3;
    tumble_separate_result r = separate(w, walls, NULL, chair, &in_floor, &options);
    assert_true(r.lower <= 0.25 && r.upper >= 0.25 && r.upper - r.lower < 1e-14 && r.is_tight);
    options.direction[2] = -1;
    r = separate(w, walls, NULL, chair, &in_floor, &options); /* through the floor */
    assert_true(r.lower <= 1.75 && r.upper >= 1.75 && r.upper - r.lower < 1e-14);
    r = separate(w, walls, NULL, chair, &in_floor, NULL);
    assert_true(r.upper >= 0.25 && r.upper < 0.25 + 1e-12 && r.lower > 0.2499);
    r = separate(w, walls, NULL, chair, &inside_wall, NULL); /* flush with both of its sides */
    assert_true(r.upper >= 1 && r.upper < 1 + 1e-12 && r.lower > 0.99);
    tumble_model_destroy(walls);
    tumble_model_destroy(chair);
    models_free(&mesh);
    models_free(&hole);
}

/* A small ball deep in a large one: surfaces do not meet at first. */
static void contained(void **state)
{
    test_world *w = *state;
    tumble_model *a = make_box(w, -3, -3, -3, 6, 6, 6), *b = make_box(w, -0.5, -0.5, -0.5, 1, 1, 1);
    tumble_separate_options options = tumble_default_separate_options();
    options.direction[0] = 2;
    const tumble_pose pose = shifted(1, 0.25, 0);
    tumble_separate_result r = separate(w, a, NULL, b, &pose, &options);
    assert_int_equal(r.relation, TUMBLE_RELATION_B_IN_A);
    assert_true(r.is_tight && r.lower_along == 1.25 && r.upper_along == 1.25);
    r = separate(w, b, &pose, a, NULL, &options);
    assert_int_equal(r.relation, TUMBLE_RELATION_A_IN_B);
    assert_true(r.is_tight && r.lower_along == 2.25 && r.upper_along == 2.25);
    tumble_model_destroy(a);
    tumble_model_destroy(b);
}

/* Within a length: yes, no, and what touching means. */
static void limits(void **state)
{
    test_world *w = *state;
    tumble_model *a = make_box(w, 0, 0, 0, 1, 1, 1);
    tumble_separate_options options = tumble_default_separate_options();
    const tumble_pose overlap = shifted(0.75, 0.1, 0.2), flush = shifted(1, 0, 0), far_away = shifted(3, 0, 0);
    options.within = options.enough = 0.25 + 1e-9;
    assert_int_equal(separate(w, a, NULL, a, &overlap, &options).answer, TUMBLE_YES);
    options.within = options.enough = 0.25 - 1e-9;
    assert_int_equal(separate(w, a, NULL, a, &overlap, &options).answer, TUMBLE_NO);
    options = tumble_default_separate_options();
    tumble_separate_result r = separate(w, a, NULL, a, &flush, &options);
    assert_int_equal(r.relation, TUMBLE_RELATION_TOUCHING);
    assert_true(r.upper > 0 && r.upper < 1e-12 && r.lower == 0);
    options.touching = true;
    r = separate(w, a, NULL, a, &flush, &options);
    assert_true(r.upper == 0 && r.lower == 0 && r.answer == TUMBLE_YES);
    r = separate(w, a, NULL, a, &overlap, &options);
    assert_true(r.translation[0] == 0.25 && r.upper < 0.25 + 1e-15);
    options.direction[0] = 1;
    r = separate(w, a, NULL, a, &overlap, &options);
    assert_true(r.lower_along == 0.25 && r.upper_along == 0.25 && r.is_tight && r.translation[0] == 0.25);
    assert_true(r.lower > 0.25 - 1e-15 && r.upper < 0.25 + 1e-15);
    r = separate(w, a, NULL, a, &far_away, NULL);
    assert_int_equal(r.relation, TUMBLE_RELATION_APART);
    assert_true(r.upper == 0 && r.last.polygon_a == TUMBLE_NO_POLYGON);
    tumble_model_destroy(a);
}

/* ---- Along a direction ---- */

typedef struct lattice {
    models_mesh meshes[2];
    tumble_model *models[2][HIERARCHIES];
    tumble_pose poses[2];
    span_triangle triangles[2][TRIANGLES];
} lattice;

static void make_lattice(test_world *w, lattice *s, test_random *random)
{
    for (int side = 0; side < 2; side++) {
        models_mesh *mesh = &s->meshes[side];
        memset(mesh, 0, sizeof *mesh);
        test_make_lattice(mesh, random, TRIANGLES, 4, 4, 0.2);
        s->poses[side] = test_quarter_turn((size_t)test_random_whole(random, 0, 23));
        for (int k = 0; k < 3; k++)
            s->poses[side].m[k][3] = test_random_whole(random, -2, 2);
        for (int h = 0; h < HIERARCHIES; h++)
            s->models[side][h] = model_of(w, mesh, h);
        for (size_t t = 0; t < TRIANGLES; t++) {
            for (int i = 0; i < 3; i++) {
                double moved[3];
                tumble_pose_apply(&s->poses[side], mesh->points + 3 * mesh->indices[3 * t + (size_t)i], moved);
                for (int k = 0; k < 3; k++)
                    s->triangles[side][t].at[i][k] = (long long)moved[k];
            }
        }
    }
}

static void free_lattice(lattice *s)
{
    for (int side = 0; side < 2; side++) {
        models_free(&s->meshes[side]);
        for (int h = 0; h < HIERARCHIES; h++)
            tumble_model_destroy(s->models[side][h]);
    }
}

static void lattices(void **state)
{
    test_world *w = *state;
    oracle *truth = oracle_create();
    test_random random = {72};
    size_t later = 0, at_once = 0;
    for (size_t n = 0; n < test_count(150); n++) {
        lattice s;
        long long way[3] = {0, 0, 0};
        int meets;
        tumble_separate_options options = tumble_default_separate_options();
        make_lattice(w, &s, &random);
        while (way[0] == 0 && way[1] == 0 && way[2] == 0) {
            for (int k = 0; k < 3; k++)
                options.direction[k] = (double)(way[k] = (long long)test_random_whole(&random, -3, 3));
        }
        const span_fraction free = span_free(truth, s.triangles[0], TRIANGLES, s.triangles[1], TRIANGLES, way, &meets);
        later += (size_t)meets;
        at_once += (size_t)!meets;
        for (int h = 0; h < HIERARCHIES; h++) {
            const tumble_separate_result r =
                separate(w, s.models[0][h], &s.poses[0], s.models[1][HIERARCHIES - 1 - h], &s.poses[1], &options);
            assert_true(r.is_complete && r.is_tight && r.answer == TUMBLE_YES);
            assert_true(span_compare_double(r.lower_along, free) <= 0);
            assert_true(span_compare_double(r.upper_along, free) >= 0);
            assert_true(r.lower_along == r.upper_along || nextafter(r.lower_along, INFINITY) == r.upper_along);
            assert_true(r.lower_along < r.upper_along || span_compare_double(r.lower_along, free) == 0);
            assert_int_equal(r.last.polygon_a != TUMBLE_NO_POLYGON, meets);
        }
        free_lattice(&s);
    }
    assert_true(later > 0 && at_once > 0);
    oracle_destroy(truth);
}

/* ---- Errors ---- */

static void arguments(void **state)
{
    test_world *w = *state;
    tumble_model *box = make_box(w, 0, 0, 0, 1, 1, 1), *open_one, *thick;
    models_mesh mesh = {0};
    tumble_separate_options options = tumble_default_separate_options();
    tumble_separate_result r;
    const uint32_t a = models_point(&mesh, 0, 0, 0), b = models_point(&mesh, 1, 0, 0), c = models_point(&mesh, 0, 1, 0);
    models_triangle(&mesh, a, b, c);
    open_one = test_model(w->context, &mesh, NULL);
    thick = test_model(w->context, &mesh, NULL);
    assert_int_equal(tumble_model_set_radius(thick, 0.5), TUMBLE_OK);
    assert_int_equal(tumble_separate(NULL, box, NULL, box, NULL, NULL, &r), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(w->context, tumble_separate(w->query, NULL, NULL, box, NULL, NULL, &r), TUMBLE_ERROR_ARGUMENT,
                       "model is null");
    test_assert_status(w->context, tumble_separate(w->query, box, NULL, box, NULL, NULL, NULL), TUMBLE_ERROR_ARGUMENT,
                       "result is null");
    test_assert_status(w->context, tumble_separate(w->query, box, NULL, open_one, NULL, NULL, &r),
                       TUMBLE_ERROR_UNSUPPORTED, "model B is open");
    test_assert_status(w->context, tumble_separate(w->query, open_one, NULL, box, NULL, NULL, &r),
                       TUMBLE_ERROR_UNSUPPORTED, "model A is open");
    test_assert_status(w->context, tumble_separate(w->query, box, NULL, thick, NULL, NULL, &r),
                       TUMBLE_ERROR_UNSUPPORTED, "model B has a radius");
    options.direction[1] = NAN;
    test_assert_status(w->context, tumble_separate(w->query, box, NULL, box, NULL, &options, &r),
                       TUMBLE_ERROR_NOT_FINITE, "direction");
    options = tumble_default_separate_options();
    options.within = -1;
    test_assert_status(w->context, tumble_separate(w->query, box, NULL, box, NULL, &options, &r), TUMBLE_ERROR_ARGUMENT,
                       "within");
    const tumble_pose huge = shifted(1e308, 1e308, 1e308);
    test_assert_status(w->context, tumble_separate(w->query, box, &huge, box, &huge, NULL, &r), TUMBLE_ERROR_NOT_FINITE,
                       "range of doubles");
    options = tumble_default_separate_options();
    options.direction[2] = -2;
    assert_true(separate(w, box, NULL, open_one, NULL, &options).lower_along == 0); /* it touches, and leaves at once */
    tumble_model_destroy(box);
    tumble_model_destroy(open_one);
    tumble_model_destroy(thick);
    models_free(&mesh);
}

/* A budget ends the search; what it has is still proven. */
static void budgets(void **state)
{
    test_world *w = *state;
    tumble_model *a = make_shape(w, "gear", 2), *b = make_shape(w, "torus", 2);
    const tumble_separate_result all = separate(w, a, NULL, b, NULL, NULL);
    assert_true(all.is_complete && all.answer == TUMBLE_YES && all.direction_count <= 40);
    double last = INFINITY;
    for (uint64_t tests = 1; tests < 20 * all.counters.box_tests; tests *= 4) {
        tumble_separate_options options = tumble_default_separate_options();
        options.budget_box_tests = tests;
        const tumble_separate_result r = separate(w, a, NULL, b, NULL, &options);
        assert_int_equal(r.answer, r.upper < INFINITY ? TUMBLE_YES : TUMBLE_MAYBE);
        assert_true(r.upper <= last && r.lower <= all.upper);
        last = r.upper;
    }
    assert_true(last == all.upper);
    tumble_model_destroy(a);
    tumble_model_destroy(b);
}

static tumble_status ask(test_world *w, void *user)
{
    tumble_model *const *models = user;
    const tumble_pose pose = shifted(0.4, 0.1, 0);
    tumble_query *query;
    tumble_separate_result r;
    tumble_status status = tumble_query_create(w->context, &query);
    if (status == TUMBLE_OK) {
        tumble_separate_options options = tumble_default_separate_options();
        options.budget_directions = 4;
        status = tumble_separate(query, models[0], NULL, models[1], &pose, &options, &r);
        tumble_query_destroy(query);
    }
    return status;
}

static void allocations(void **state)
{
    test_world *w = *state;
    tumble_model *models[2] = {make_box(w, 0, 0, 0, 1, 1, 1), make_box(w, -0.3, -0.3, -0.2, 1, 1, 1)};
    relation_at(w, models[0], NULL, models[1], NULL); /* the models keep what this learns */
    for (int how = TEST_FAIL_ALONE; how <= TEST_FAIL_TAKING_TURNS; how++)
        assert_true(test_fail_each(w, (test_failing)how, ask, NULL, models) > 4);
    tumble_model_destroy(models[0]);
    tumble_model_destroy(models[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(boxes),     TEST_IN_WORLD(same_box),    TEST_IN_WORLD(balls),    TEST_IN_WORLD(room),
        TEST_IN_WORLD(contained), TEST_IN_WORLD(limits),      TEST_IN_WORLD(lattices), TEST_IN_WORLD(arguments),
        TEST_IN_WORLD(budgets),   TEST_IN_WORLD(allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
