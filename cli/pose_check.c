/* From numbers to poses. */
#include "pose_check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "message.h"

/* How far a matrix may be from a rotation if it is to be corrected, and a quaternion's length from 1. */
static const double most_correction = 1e-2, most_length_error = 1e-3;

typedef struct columns {
    double v[3][3]; /* column, coordinate */
} columns;

static columns columns_of(const double numbers[12])
{
    columns c;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c.v[j][i] = numbers[4 * i + j];
        }
    }
    return c;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double length(const double a[3])
{
    return hypot(hypot(a[0], a[1]), a[2]);
}

/* ---- what is wrong with a matrix ---- */

typedef struct defect {
    double size; /* how far it is from a rotation with a scale */
    char text[160];
} defect;

static void note_length(defect *worst, const columns *c, int column)
{
    const double ratio = length(c->v[column]) / length(c->v[0]), size = fabs(ratio - 1);
    if (size > worst->size) {
        worst->size = size;
        snprintf(worst->text, sizeof worst->text, "column %d is %.7g times as long as column 1", column + 1, ratio);
    }
}

static void note_angle(defect *worst, const columns *c, int one, int other)
{
    const double cosine = dot(c->v[one], c->v[other]) / length(c->v[one]) / length(c->v[other]);
    if (fabs(cosine) > worst->size) {
        worst->size = fabs(cosine);
        snprintf(worst->text, sizeof worst->text, "the cosine of the angle between columns %d and %d is %.3g, not 0",
                 one + 1, other + 1, cosine);
    }
}

/* The worst; of a matrix without any, nothing. */
static defect worst_defect(const columns *c)
{
    defect worst = {.size = 0};
    for (int i = 0; i < 3; i++) {
        if (length(c->v[i]) == 0) {
            worst.size = INFINITY;
            snprintf(worst.text, sizeof worst.text, "column %d is 0", i + 1);
            return worst;
        }
    }
    note_length(&worst, c, 1);
    note_length(&worst, c, 2);
    note_angle(&worst, c, 0, 1);
    note_angle(&worst, c, 1, 2);
    note_angle(&worst, c, 2, 0);
    return worst;
}

static double determinant(const columns *c)
{
    const double *a = c->v[0], *b = c->v[1], *d = c->v[2];
    const double cross[3] = {b[1] * d[2] - b[2] * d[1], b[2] * d[0] - b[0] * d[2], b[0] * d[1] - b[1] * d[0]};
    return dot(a, cross);
}

static int matrix_error(tumble_context *context, tumble_status status, const columns *c, int orthonormalise,
                        const char *subject)
{
    const defect worst = worst_defect(c);
    if (status != TUMBLE_ERROR_POSE) {
        return cli_library_error(context, status, subject);
    }
    if (worst.size > most_correction) {
        return cli_error("%s: %s; that is not a rotation with a uniform scale: give the three rows of such a matrix, "
                         "with the translation in the last column",
                         subject, worst.text);
    }
    if (determinant(c) < 0) {
        return cli_error("%s: the matrix is a mirror image, its determinant is negative: give a rotation, and mirror "
                         "the mesh itself where that is wanted",
                         subject);
    }
    if (orthonormalise) {
        return cli_library_error(context, status, subject);
    }
    return cli_error("%s: %s; rotations are accepted to within 1e-5: give seven digits or more, or --orthonormalise",
                     subject, worst.text);
}

/* ---- the nearest rotation ---- */

/* Newton's iteration for the polar decomposition: the mean of a matrix and its inverse transposed. It is quadratic, and
 * starts within 1 % here. */
static void iterate_polar(columns *x)
{
    enum {
        ROUNDS = 6
    };
    for (int round = 0; round < ROUNDS; round++) {
        const double det = determinant(x);
        columns next;
        for (int j = 0; j < 3; j++) {
            const double *a = x->v[(j + 1) % 3], *b = x->v[(j + 2) % 3];
            for (int i = 0; i < 3; i++) {
                const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
                next.v[j][i] = (x->v[j][i] + (a[i1] * b[i2] - a[i2] * b[i1]) / det) / 2;
            }
        }
        *x = next;
    }
}

/* Scales beyond 1e100 are left as they are: nobody has them, and products would overflow. */
static void orthonormalise_matrix(double numbers[12])
{
    const columns given = columns_of(numbers);
    const double mean = (length(given.v[0]) + length(given.v[1]) + length(given.v[2])) / 3;
    if (!(mean > 1e-100 && mean < 1e100) || worst_defect(&given).size > most_correction || determinant(&given) <= 0) {
        return;
    }
    columns rotation = given;
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) {
            rotation.v[j][i] /= mean;
        }
    }
    iterate_polar(&rotation);
    double scale =
        (dot(rotation.v[0], given.v[0]) + dot(rotation.v[1], given.v[1]) + dot(rotation.v[2], given.v[2])) / 3;
    if (fabs(scale - 1) <= worst_defect(&given).size) { /* the digits cannot tell it from 1 */
        scale = 1;
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            numbers[4 * i + j] = scale * rotation.v[j][i];
        }
    }
}

/* ---- the entrance ---- */

static int from_quaternion(tumble_context *context, const cli_raw_pose *raw, int orthonormalise, const char *subject,
                           tumble_pose *out)
{
    const double *q = raw->numbers, size = hypot(hypot(q[0], q[1]), hypot(q[2], q[3]));
    if (isfinite(size) && !orthonormalise && fabs(size - 1) > most_length_error) {
        return cli_error("%s: the quaternion has length %.7g; lengths are accepted to within 1e-3 of 1: divide it by "
                         "its length, or give --orthonormalise",
                         subject, size);
    }
    const tumble_status status = tumble_pose_from_quaternion(context, q, 1, q + 4, out);
    return status == TUMBLE_OK ? 0 : cli_library_error(context, status, subject);
}

int cli_pose_from_raw(tumble_context *context, const cli_raw_pose *raw, int orthonormalise, const char *subject,
                      tumble_pose *out)
{
    if (raw->is_quaternion) {
        return from_quaternion(context, raw, orthonormalise, subject, out);
    }
    double numbers[12];
    memcpy(numbers, raw->numbers, sizeof numbers);
    if (orthonormalise) {
        orthonormalise_matrix(numbers);
    }
    const tumble_status status = tumble_pose_from_matrix(context, numbers, out);
    const columns given = columns_of(raw->numbers);
    return status == TUMBLE_OK ? 0 : matrix_error(context, status, &given, orthonormalise, subject);
}
