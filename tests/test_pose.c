/* Poses: which matrices are valid, and that moving a point follows the one order of operations. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenes.h"

static tumble_pose random_pose(test_random *random, double scale, double reach)
{
    models_random own = {test_random_bits(random)};
    tumble_pose pose = models_random_rotation(&own);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            pose.m[i][j] *= scale;
        }
        pose.m[i][3] = test_random_range(random, -reach, reach);
    }
    return pose;
}

static int same_bits(const tumble_pose *a, const tumble_pose *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* ---- Accepted and refused ---- */

static tumble_status from_matrix(test_world *w, const tumble_pose *pose, tumble_pose *out)
{
    double matrix[12];
    memcpy(matrix, pose->m, sizeof matrix);
    return tumble_pose_from_matrix(w->context, matrix, out);
}

static void accept(test_world *w, const tumble_pose *pose)
{
    tumble_pose made;
    memset(&made, 0xff, sizeof made);
    test_assert_status(w->context, from_matrix(w, pose, &made), TUMBLE_OK, "");
    assert_true(same_bits(&made, pose)); /* the numbers are kept as they were given */
    assert_int_equal(tumble_pose_check(w->context, pose), TUMBLE_OK);
}

/* Both entrances refuse, for the same reason, and leave the result alone. */
static void refuse(test_world *w, const tumble_pose *pose, tumble_status status, const char *words)
{
    tumble_pose made, before;
    memset(&made, 0x55, sizeof made);
    before = made;
    test_assert_status(w->context, from_matrix(w, pose, &made), status, words);
    assert_true(same_bits(&made, &before));
    char reason[512];
    snprintf(reason, sizeof reason, "%s", test_message(w->context));
    test_assert_status(w->context, tumble_pose_check(w->context, pose), status, words);
    assert_string_equal(reason, test_message(w->context));
}

static void test_accepts_poses(void **state)
{
    static const double scales[] = {1, 1e-6, 1e6, 1e-100, 1e100, 1e-300, 1e300, 0x1p-1000, 0x1p1000};
    test_random random = {1};
    for (size_t i = 0; i < test_count(20000); i++) {
        const double scale = scales[i % (sizeof scales / sizeof *scales)];
        const tumble_pose pose = random_pose(&random, scale, i % 2 ? 1e6 : 1e300);
        accept(*state, &pose);
        assert_true(fabs(tumble_pose_scale(&pose) / scale - 1) < 1e-14);
    }
    for (size_t i = 0; i < 24; i++) {
        const tumble_pose pose = test_quarter_turn(i);
        accept(*state, &pose);
        for (size_t j = 0; j < i; j++) { /* the 24 are different */
            const tumble_pose other = test_quarter_turn(j);
            assert_false(same_bits(&pose, &other));
        }
    }
}

/* Six digits, as people type them, are good enough; four are not. */
static void test_tolerance(void **state)
{
    test_random random = {2};
    size_t refused = 0;
    const size_t count = test_count(2000);
    for (size_t i = 0; i < count; i++) {
        const tumble_pose exact = random_pose(&random, 1, 10);
        tumble_pose six = exact, four = exact;
        for (int j = 0; j < 9; j++) {
            six.m[j / 3][j % 3] = rint(exact.m[j / 3][j % 3] * 1e6) / 1e6;
            four.m[j / 3][j % 3] = rint(exact.m[j / 3][j % 3] * 1e4) / 1e4;
        }
        accept(*state, &six);
        refused += tumble_pose_check(((test_world *)*state)->context, &four) == TUMBLE_ERROR_POSE;
    }
    assert_true(refused > count * 9 / 10);
}

static void test_refuses_not_finite(void **state)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 12; i++) {
        for (size_t k = 0; k < 3; k++) {
            tumble_pose pose = tumble_pose_identity();
            pose.m[i / 4][i % 4] = bad[k];
            char words[40];
            snprintf(words, sizeof words, "row %d, column %d", i / 4 + 1, i % 4 + 1);
            refuse(*state, &pose, TUMBLE_ERROR_NOT_FINITE, words);
        }
    }
    tumble_pose tilted; /* all numbers are finite, but not the scale */
    const double quaternion[4] = {0.9, 0.3, 0.5, 0.2}, nowhere[3] = {0, 0, 0};
    assert_int_equal(tumble_pose_from_quaternion(((test_world *)*state)->context, quaternion, 1, nowhere, &tilted),
                     TUMBLE_OK);
    for (int i = 0; i < 9; i++) {
        tilted.m[i / 3][i % 3] = ldexp(tilted.m[i / 3][i % 3] * 1.05, 1024);
    }
    refuse(*state, &tilted, TUMBLE_ERROR_NOT_FINITE, "larger than the largest double");
}

static void scale_column(tumble_pose *pose, int column, double factor)
{
    for (int i = 0; i < 3; i++) {
        pose->m[i][column] *= factor;
    }
}

static void test_refuses_other_matrices(void **state)
{
    test_random random = {3};
    static const double scales[] = {1, 1e-300, 1e300, 1e-150, 7};
    for (size_t i = 0; i < test_count(500); i++) {
        const tumble_pose good = random_pose(&random, scales[i % 5], 3);
        const int column = (int)(i % 3), other = (column + 1) % 3;
        tumble_pose bad = good;
        scale_column(&bad, column, -1);
        refuse(*state, &bad, TUMBLE_ERROR_POSE, "mirror");

        bad = good;
        scale_column(&bad, column, 1.001);
        refuse(*state, &bad, TUMBLE_ERROR_POSE, "uniform scale");
        bad = good;
        scale_column(&bad, column, 0);
        refuse(*state, &bad, TUMBLE_ERROR_POSE, "singular");
        scale_column(&bad, other, 0);
        refuse(*state, &bad, TUMBLE_ERROR_POSE, "singular");

        /* two columns turned towards each other in their plane, by an angle whose effect on the length is nil */
        bad = good;
        for (int k = 0; k < 3; k++) {
            const double a = good.m[k][column], b = good.m[k][other];
            bad.m[k][column] = cos(1e-3) * a + sin(1e-3) * b;
        }
        refuse(*state, &bad, TUMBLE_ERROR_POSE, "perpendicular");
    }
    tumble_pose stretched = tumble_pose_identity();
    scale_column(&stretched, 1, 8); /* the mean is twice the scale */
    refuse(*state, &stretched, TUMBLE_ERROR_POSE, "column 1 has length 0.5 times the mean");
    tumble_pose shear = tumble_pose_identity();
    shear.m[0][1] = 0.5;
    refuse(*state, &shear, TUMBLE_ERROR_POSE, "pose");
    tumble_pose zero = test_translation(1, 2, 3);
    zero.m[0][0] = zero.m[1][1] = zero.m[2][2] = 0;
    refuse(*state, &zero, TUMBLE_ERROR_POSE, "scale is 0");
    tumble_pose ones = {{{1, 1, 1, 0}, {1, 1, 1, 0}, {1, 1, 1, 0}}};
    refuse(*state, &ones, TUMBLE_ERROR_POSE, "pose");
}

static void test_null_arguments(void **state)
{
    test_world *w = *state;
    const tumble_pose identity = tumble_pose_identity();
    const double zero[3] = {0, 0, 0}, quaternion[4] = {1, 0, 0, 0}, axis[3] = {0, 0, 1};
    double matrix[12];
    memcpy(matrix, identity.m, sizeof matrix);
    tumble_pose out;
    assert_int_equal(tumble_pose_from_matrix(NULL, matrix, &out), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_pose_from_quaternion(NULL, quaternion, 1, zero, &out), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_pose_from_axis_angle(NULL, axis, 1, 1, zero, &out), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_pose_check(NULL, &identity), TUMBLE_ERROR_ARGUMENT);
    const tumble_status statuses[] = {
        tumble_pose_from_matrix(w->context, NULL, &out),
        tumble_pose_from_matrix(w->context, matrix, NULL),
        tumble_pose_from_quaternion(w->context, NULL, 1, zero, &out),
        tumble_pose_from_quaternion(w->context, quaternion, 1, NULL, &out),
        tumble_pose_from_quaternion(w->context, quaternion, 1, zero, NULL),
        tumble_pose_from_axis_angle(w->context, NULL, 1, 1, zero, &out),
        tumble_pose_from_axis_angle(w->context, axis, 1, 1, NULL, &out),
        tumble_pose_from_axis_angle(w->context, axis, 1, 1, zero, NULL),
        tumble_pose_check(w->context, NULL),
    };
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        test_assert_status(w->context, statuses[i], TUMBLE_ERROR_ARGUMENT, "null");
    }
}

/* ---- Rotations ---- */

static void assert_near(const tumble_pose *pose, double expected[3][3], double scale, const double translation[3])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            if (!(fabs(pose->m[i][j] - scale * expected[i][j]) <= 1e-14 * scale)) {
                fail_msg("row %d, column %d is %.17g instead of %.17g", i + 1, j + 1, pose->m[i][j],
                         scale * expected[i][j]);
            }
        }
        assert_true(pose->m[i][3] == translation[i]);
    }
}

/* Rodrigues' formula. */
static void rotation_about(const double axis[3], double angle, double out[3][3])
{
    const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    const double u[3] = {axis[0] / length, axis[1] / length, axis[2] / length};
    const double c = cos(angle), s = sin(angle);
    for (int i = 0; i < 3; i++) {
        const int next = (i + 1) % 3, last = (i + 2) % 3;
        out[i][i] = c + (1 - c) * u[i] * u[i];
        out[i][next] = (1 - c) * u[i] * u[next] - s * u[last];
        out[i][last] = (1 - c) * u[i] * u[last] + s * u[next];
    }
}

static void test_axis_angle(void **state)
{
    test_world *w = *state;
    test_random random = {4};
    for (size_t i = 0; i < test_count(5000); i++) {
        double axis[3], stretched[3], translation[3], expected[3][3];
        const double angle = test_random_range(&random, -10, 10), scale = test_random_range(&random, 0.1, 10);
        const double stretch = i % 3 == 0 ? 1e-300 : i % 3 == 1 ? 1e300 : 1;
        for (int k = 0; k < 3; k++) {
            axis[k] = test_random_range(&random, -1, 1);
            stretched[k] = axis[k] * stretch;
            translation[k] = test_random_range(&random, -1e9, 1e9);
        }
        tumble_pose pose;
        test_assert_status(w->context,
                           tumble_pose_from_axis_angle(w->context, stretched, angle, scale, translation, &pose),
                           TUMBLE_OK, "");
        rotation_about(axis, angle, expected);
        assert_near(&pose, expected, scale, translation);
    }
    const double z[3] = {0, 0, 5}, none[3] = {0, 0, 0};
    tumble_pose turn;
    assert_int_equal(tumble_pose_from_axis_angle(w->context, z, 0, 1, none, &turn), TUMBLE_OK);
    const tumble_pose identity = tumble_pose_identity();
    for (int i = 0; i < 12; i++) {
        assert_true(turn.m[i / 4][i % 4] == identity.m[i / 4][i % 4]);
    }
}

static void test_quaternion(void **state)
{
    test_world *w = *state;
    test_random random = {5};
    static const double lengths[] = {1, 1e-160, 1e160, 1e-300, 1e300, 0x1p-1060};
    for (size_t i = 0; i < test_count(5000); i++) {
        const double angle = test_random_range(&random, -3, 3), length = lengths[i % 6];
        double axis[3], expected[3][3], translation[3] = {1, -2, 1e300};
        for (int k = 0; k < 3; k++) {
            axis[k] = test_random_range(&random, -1, 1);
        }
        const double size = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
        const double sine = sin(angle / 2) / size;
        double quaternion[4] = {cos(angle / 2), sine * axis[0], sine * axis[1], sine * axis[2]};
        for (int k = 0; k < 4; k++) {
            quaternion[k] *= length;
        }
        tumble_pose pose;
        test_assert_status(w->context, tumble_pose_from_quaternion(w->context, quaternion, 2, translation, &pose),
                           TUMBLE_OK, "");
        if (length > 1e-305) { /* a denormal quaternion has few digits, but is one */
            rotation_about(axis, angle, expected);
            assert_near(&pose, expected, 2, translation);
        }
    }
}

static void test_bad_rotations(void **state)
{
    test_world *w = *state;
    tumble_context *c = w->context;
    const double zero[4] = {0, 0, 0, 0}, z[3] = {0, 0, 1}, one[4] = {1, 0, 0, 0}, far[3] = {0, INFINITY, 0};
    tumble_pose out;
    test_assert_status(c, tumble_pose_from_quaternion(c, zero, 1, zero, &out), TUMBLE_ERROR_POSE, "quaternion");
    test_assert_status(c, tumble_pose_from_axis_angle(c, zero, 1, 1, zero, &out), TUMBLE_ERROR_POSE, "axis");
    test_assert_status(c, tumble_pose_from_quaternion(c, one, 0, zero, &out), TUMBLE_ERROR_POSE, "scale");
    test_assert_status(c, tumble_pose_from_quaternion(c, one, -1, zero, &out), TUMBLE_ERROR_POSE, "");
    test_assert_status(c, tumble_pose_from_axis_angle(c, z, 1, 0, zero, &out), TUMBLE_ERROR_POSE, "scale");
    test_assert_status(c, tumble_pose_from_axis_angle(c, z, 1, -2, zero, &out), TUMBLE_ERROR_POSE, "");
    test_assert_status(c, tumble_pose_from_quaternion(c, one, 1, far, &out), TUMBLE_ERROR_NOT_FINITE,
                       "row 2, column 4");
    test_assert_status(c, tumble_pose_from_quaternion(c, one, NAN, zero, &out), TUMBLE_ERROR_NOT_FINITE, "scale");
    test_assert_status(c, tumble_pose_from_quaternion(c, one, INFINITY, zero, &out), TUMBLE_ERROR_NOT_FINITE, "scale");
    test_assert_status(c, tumble_pose_from_axis_angle(c, z, NAN, 1, zero, &out), TUMBLE_ERROR_NOT_FINITE, "angle");
    test_assert_status(c, tumble_pose_from_axis_angle(c, z, INFINITY, 1, zero, &out), TUMBLE_ERROR_NOT_FINITE, "angle");
    for (int k = 0; k < 4; k++) {
        double quaternion[4] = {0.5, 0.5, 0.5, 0.5};
        quaternion[k] = k % 2 ? NAN : -INFINITY;
        char words[20];
        snprintf(words, sizeof words, "number %d", k + 1);
        test_assert_status(c, tumble_pose_from_quaternion(c, quaternion, 1, zero, &out), TUMBLE_ERROR_NOT_FINITE,
                           words);
    }
    for (unsigned which = 1; which < 8; which++) {
        for (int infinite = 0; infinite < 2; infinite++) {
            double axis[3];
            for (unsigned k = 0; k < 3; k++) {
                axis[k] = which >> k & 1 ? (infinite ? INFINITY : NAN) : 0;
            }
            test_assert_status(c, tumble_pose_from_axis_angle(c, axis, 1, 1, zero, &out), TUMBLE_ERROR_NOT_FINITE,
                               "axis");
        }
    }
}

/* ---- Composition ---- */

static void assert_points_near(const double a[3], const double b[3], double tolerance)
{
    for (int k = 0; k < 3; k++) {
        if (!(fabs(a[k] - b[k]) <= tolerance)) {
            fail_msg("coordinate %d: %.17g and %.17g differ by more than %g", k, a[k], b[k], tolerance);
        }
    }
}

static void test_compose_and_inverse(void **state)
{
    (void)state;
    test_random random = {6};
    static const double scales[] = {1, 1e-100, 1e100, 1e-6, 1e6};
    for (size_t i = 0; i < test_count(20000); i++) {
        const double size_a = scales[i % 5], size_b = scales[i / 5 % 5];
        const tumble_pose a = random_pose(&random, size_a, 10 * size_a), b = random_pose(&random, size_b, 10 * size_b);
        const double x[3] = {test_random_range(&random, -1, 1), test_random_range(&random, -1, 1),
                             test_random_range(&random, -1, 1)};
        double y[3], z[3], direct[3];
        const tumble_pose both = tumble_pose_compose(&a, &b);
        tumble_pose_apply(&b, x, y);
        tumble_pose_apply(&a, y, z);
        tumble_pose_apply(&both, x, direct);
        assert_points_near(direct, z, 1e-13 * size_a * (size_b + 1));

        const tumble_pose back = tumble_pose_inverse(&a);
        tumble_pose_apply(&a, x, y);
        tumble_pose_apply(&back, y, z);
        assert_points_near(z, x, 1e-13);
        assert_true(fabs(tumble_pose_scale(&back) * size_a - 1) < 1e-14);

        const tumble_pose relative = tumble_pose_relative(&a, &b), composed = tumble_pose_compose(&back, &b);
        tumble_pose_apply(&relative, x, y);
        tumble_pose_apply(&composed, x, z);
        assert_points_near(y, z, 1e-12 * (1 + size_b / size_a));
    }
}

/* Whatever the numbers of b are: they are not touched. Zeros of either sign make an identity. */
static void test_relative_to_identity(void **state)
{
    (void)state;
    test_random random = {7};
    for (size_t i = 0; i < test_count(20000); i++) {
        tumble_pose a = tumble_pose_identity(), b;
        for (int k = 0; k < 12; k++) {
            if (k / 4 != k % 4 && i % 2) {
                a.m[k / 4][k % 4] = test_random_chance(&random, 0.5) ? -0.0 : 0.0;
            }
            const uint64_t bits = test_random_bits(&random);
            memcpy(&b.m[k / 4][k % 4], &bits, sizeof bits);
        }
        const tumble_pose relative = tumble_pose_relative(&a, &b);
        assert_true(same_bits(&relative, &b));
    }
}

/* Two poses that only shift give the exact difference, however far away they are. */
static void test_relative_far_away(void **state)
{
    (void)state;
    test_random random = {8};
    for (size_t i = 0; i < test_count(20000); i++) {
        const double far = i % 2 ? 1e6 : 1e15;
        tumble_pose a = tumble_pose_identity(), b = a;
        for (int k = 0; k < 3; k++) {
            a.m[k][3] = far + test_random_range(&random, -1, 1);
            b.m[k][3] = far + test_random_range(&random, -1, 1);
        }
        const tumble_pose relative = tumble_pose_relative(&a, &b);
        for (int k = 0; k < 3; k++) {
            assert_true(relative.m[k][3] == b.m[k][3] - a.m[k][3]);
            for (int j = 0; j < 3; j++) {
                assert_true(relative.m[k][j] == (j == k));
            }
        }
    }
}

/* Every intermediate result goes through memory, so that no compiler can join two operations. */
static void apply_by_hand(const tumble_pose *pose, const double x[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        volatile double product = pose->m[i][0] * x[0], sum = product;
        product = pose->m[i][1] * x[1];
        sum = sum + product;
        product = pose->m[i][2] * x[2];
        sum = sum + product;
        sum = sum + pose->m[i][3];
        out[i] = sum;
    }
}

static void test_apply_to_the_bit(void **state)
{
    (void)state;
    test_random random = {9};
    for (size_t i = 0; i < test_count(200000); i++) {
        const double scale = ldexp(1, test_random_whole(&random, -300, 300));
        const tumble_pose pose = random_pose(&random, scale, i % 3 ? scale : 1e6);
        double x[3], out[3], expected[3];
        for (int k = 0; k < 3; k++) {
            x[k] = ldexp(test_random_range(&random, -1, 1), i % 2 ? 0 : test_random_whole(&random, -1070, 300));
        }
        apply_by_hand(&pose, x, expected);
        tumble_pose_apply(&pose, x, out);
        assert_memory_equal(out, expected, sizeof out);
        tumble_pose_apply(&pose, x, x); /* in place */
        assert_memory_equal(x, expected, sizeof out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_accepts_poses),       TEST_IN_WORLD(test_tolerance),
        TEST_IN_WORLD(test_refuses_not_finite),  TEST_IN_WORLD(test_refuses_other_matrices),
        TEST_IN_WORLD(test_null_arguments),      TEST_IN_WORLD(test_axis_angle),
        TEST_IN_WORLD(test_quaternion),          TEST_IN_WORLD(test_bad_rotations),
        TEST_IN_WORLD(test_compose_and_inverse), TEST_IN_WORLD(test_relative_to_identity),
        TEST_IN_WORLD(test_relative_far_away),   TEST_IN_WORLD(test_apply_to_the_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
