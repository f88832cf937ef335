/* Whether the boxes of two models are plainly apart: the fixed cost of most candidates. Compiled once for each
 * instruction set; lane k stands for an axis of one model.
 *
 * With u a column of A's matrix, A's points are, apart from its translation, at u . (M p) = s^2 p_k along u, to within
 * 2^-14 of the box, as the columns of M are perpendicular and of one length to within 1e-5. B's reach along u follows
 * from the products of u with B's columns. Rounding errors, and those of the relative pose by which tumble_collide
 * moves B's points, are less than ROUNDING times all lengths that take part (src/scene/extents.c). */
#include <math.h>
#include <string.h>

#include "math/bounds.h"
#include "query/apart.h"

#define STRETCH TMB_POSE_STRETCH
#define ROUNDING TMB_APART_ROUNDING
#define LEAST 0x1p-400 /* squares of scales, and largest numbers, for which nothing over- or underflows that counts */
#define MOST 0x1p400
#define LARGEST 0x1p1000
#define TINY 0x1p-860 /* times 1 and the reach of B: what tumble_collide loses by underflow in A's frame, and more */

typedef double lanes4 __attribute__((vector_size(32)));

/* A model where it stands. */
typedef struct side {
    lanes4 rows[3]; /* of the matrix; the last lane is not used */
    const double (*m)[4];
    const double *half;
    double square, scale; /* of its first column, and its length */
} side;

typedef long long bits4 __attribute__((vector_size(32)));
typedef double loose4 __attribute__((vector_size(32), aligned(8), may_alias)); /* at any address of a double */

#define LOADED(from) (*(const loose4 *)(from))
#define ABSOLUTE(x) ((lanes4)((bits4)(x)&0x7fffffffffffffff))

static inline __attribute__((always_inline)) side side_of(const tmb_middle *e, const tumble_pose *pose)
{
    const double(*m)[4] = pose->m;
    const double square = (m[0][0] * m[0][0] + m[1][0] * m[1][0]) + m[2][0] * m[2][0];
    return (side){{LOADED(m[0]), LOADED(m[1]), LOADED(m[2])}, m, e->half, square, sqrt(square)};
}

/* Along the axes of one: its own half sides and the reach of the other one, compared with how far apart they are. */
static inline __attribute__((always_inline)) int have_gap(const side *one, const side *other, const double between[3],
                                                          double error)
{
    const double *h = other->half;
    lanes4 reach = LOADED(one->half) * one->square;
    for (int j = 0; j < 3; j++) {
        const lanes4 product =
            (one->rows[0] * other->m[0][j] + one->rows[1] * other->m[1][j]) + one->rows[2] * other->m[2][j];
        reach += ABSOLUTE(product) * h[j];
    }
    reach += STRETCH * one->square * (one->half[0] + one->half[1] + one->half[2]) + one->scale * error;
    const lanes4 apart = ABSOLUTE((one->rows[0] * between[0] + one->rows[1] * between[1]) + one->rows[2] * between[2]);
    const bits4 gaps = (apart > reach) & (apart < LARGEST);
    return (gaps[0] | gaps[1] | gaps[2]) != 0;
}

static inline double along_row(const double row[4], const double v[3])
{
    return (row[0] * v[0] + row[1] * v[1]) + row[2] * v[2];
}

int TMB_KERNEL_NAME(tmb_boxes_are_apart)(const tmb_middle *a, const tumble_pose *pose_a, const tmb_middle *b,
                                         const tumble_pose *pose_b, double clearance)
{
    const side of_a = side_of(a, pose_a), of_b = side_of(b, pose_b);
    double between[3], sizes = of_a.scale * a->reach + of_b.scale * b->reach;
    for (int i = 0; i < 3; i++) {
        const double shift = pose_b->m[i][3] - pose_a->m[i][3];
        sizes += fabs(shift);
        between[i] = shift + (along_row(pose_b->m[i], b->centre) - along_row(pose_a->m[i], a->centre));
    }
    const double error = (clearance + ROUNDING * sizes + TINY * (1 + b->reach)) * (1 + STRETCH);
    return of_a.square > LEAST && of_a.square < MOST && of_b.square > LEAST && of_b.square < MOST &&
           (have_gap(&of_a, &of_b, between, error) || have_gap(&of_b, &of_a, between, error));
}
