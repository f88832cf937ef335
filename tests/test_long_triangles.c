/* Bars of long triangles that cross, touch or pass by each other: clusters that pass by are left out as a whole, and
 * the answers are those of brute force, which has no such short cut. */
#include <math.h>
#include <stdlib.h>

#include "scenes.h"

#define LAYERS 20 /* triangles of a bar, several clusters */

typedef struct bars {
    double along[2][3]; /* whole numbers */
    double normal[3];   /* to both */
    tumble_model *wide[2], *brute[2];
} bars;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void random_vector(test_random *random, int most, double v[3])
{
    for (int k = 0; k < 3; k++) {
        v[k] = test_random_whole(random, -most, most);
    }
}

/* Layers of triangles whose longest edges are parallel, on one side of the plane through the first edge and the
 * normal's other directions. All coordinates are small whole numbers. */
static void make_bar(test_random *random, const bars *b, int side, models_mesh *mesh)
{
    double step[3];
    do {
        random_vector(random, 2, step);
    } while (dot(step, b->normal) * (side ? 1 : -1) <= 0);
    for (int i = 0; i < LAYERS; i++) {
        uint32_t corners[3];
        for (int c = 0; c < 3; c++) {
            const double at = (c - 1) * 100.0, up = i + (c == 1);
            corners[c] = models_point(mesh, at * b->along[side][0] + up * step[0],
                                      at * b->along[side][1] + up * step[1], at * b->along[side][2] + up * step[2]);
        }
        models_triangle(mesh, corners[0], corners[1], corners[2]);
    }
}

static bars make_bars(test_world *w, test_random *random)
{
    bars b;
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = TUMBLE_HIERARCHY_WIDE;
    do {
        random_vector(random, 20, b.along[0]);
        random_vector(random, 20, b.along[1]);
        for (int k = 0; k < 3; k++) {
            const int l = (k + 1) % 3, m = (k + 2) % 3;
            b.normal[k] = b.along[0][l] * b.along[1][m] - b.along[0][m] * b.along[1][l];
        }
    } while (dot(b.normal, b.normal) < 100);
    for (int side = 0; side < 2; side++) {
        models_mesh mesh = {0};
        make_bar(random, &b, side, &mesh);
        b.wide[side] = test_model(w->context, &mesh, &options);
        b.brute[side] = test_brute_model(w->context, &mesh);
        models_free(&mesh);
    }
    return b;
}

static void destroy_bars(bars *b)
{
    for (int side = 0; side < 2; side++) {
        tumble_model_destroy(b->wide[side]);
        tumble_model_destroy(b->brute[side]);
    }
}

/* B moved away from A by a gap, crossing somewhere in the middle; both are turned alike. */
static void place(test_random *random, const bars *b, double gap, tumble_pose poses[2])
{
    double offset[3];
    const double length = sqrt(dot(b->normal, b->normal)),
                 slide[2] = {test_random_range(random, -90, 90), test_random_range(random, -90, 90)};
    poses[0] = poses[1] = test_random_chance(random, 0.3) ? tumble_pose_identity() : test_rational_turn(random);
    for (int k = 0; k < 3; k++) {
        offset[k] = gap / length * b->normal[k];
        offset[k] += gap == 0 ? 0 : slide[0] * b->along[0][k] + slide[1] * b->along[1][k];
    }
    tumble_pose_apply(&poses[0], offset, offset);
    for (int k = 0; k < 3; k++) {
        poses[1].m[k][3] = offset[k];
    }
}

typedef struct outcomes {
    size_t met, apart, passed_by; /* the last: apart without any triangles compared, though boxes met */
} outcomes;

static void compare(test_world *w, const bars *b, const tumble_pose poses[2], outcomes *o)
{
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result found, expected;
    assert_int_equal(tumble_collide(w->query, b->brute[0], &poses[0], b->brute[1], &poses[1], &options, &expected),
                     TUMBLE_OK);
    assert_int_equal(tumble_collide(w->query, b->wide[0], &poses[0], b->wide[1], &poses[1], &options, &found),
                     TUMBLE_OK);
    assert_int_equal(found.pair_count, expected.pair_count);
    options.mode = TUMBLE_TEST;
    assert_int_equal(tumble_collide(w->query, b->wide[0], &poses[0], b->wide[1], &poses[1], &options, &found),
                     TUMBLE_OK);
    assert_int_equal(found.collide, expected.collide);
    o->met += expected.collide;
    o->apart += !expected.collide;
    o->passed_by += !expected.collide && found.counters.box_tests > 1 && found.counters.primitive_tests == 0;
}

/* Far, a hair apart, touching in one point, a hair into each other, deep. */
static void test_gaps(void **state)
{
    test_world *w = *state;
    test_random random = {11};
    outcomes o = {0};
    const size_t count = test_count(60);
    for (size_t i = 0; i < count; i++) {
        bars b = make_bars(w, &random);
        tumble_pose poses[2];
        place(&random, &b, 0, poses);
        compare(w, &b, poses, &o);
        for (int exponent = -44; exponent <= 2; exponent += 2) {
            for (int sign = -1; sign <= 1; sign += 2) {
                place(&random, &b, sign * ldexp(1, exponent), poses);
                compare(w, &b, poses, &o);
            }
        }
        destroy_bars(&b);
    }
    assert_true(o.met > 10 * count && o.apart > 10 * count && o.passed_by > count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_gaps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
