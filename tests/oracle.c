#include "oracle.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The 18 coordinates are multiplied by one power of two that makes them integers. Intersection, dimension and ratios
 * of lengths do not change by that, and integers need no common denominators. */

typedef struct vector {
    mpz_t at[3];
} vector;

/* The points x with normal . (x - corners[anchor]) >= 0, or == 0. */
typedef struct constraint {
    vector normal;
    int anchor;
    int is_equation;
    mpz_t values[3]; /* the left side at the corners of the other triangle */
} constraint;

#define CONSTRAINT_CAPACITY 5

typedef struct shape {
    vector corners[3];
    int dimension;
    constraint constraints[CONSTRAINT_CAPACITY]; /* the triangle is the set of points that fulfil all of them */
    int constraint_count;
} shape;

typedef struct fraction {
    mpz_t numerator, denominator; /* the latter positive */
} fraction;

/* The point numerator / denominator. */
typedef struct place {
    vector numerator;
    mpz_t denominator; /* positive */
} place;

#define PLACE_CAPACITY 12 /* two ends for each of six edges */

struct oracle {
    shape shapes[2];
    long exponent; /* coordinates are integers times 2^exponent */
    fraction low, high, cut;
    place places[PLACE_CAPACITY];
    int place_count;
    vector difference, other_difference, third_difference;
    mpz_t product, other_product, determinant;
    vector directions[3]; /* for the distance: the free directions of a pair of faces */
    vector offset;
    mpz_t gram[3][3], right[3], solution[3], gram_determinant, sum;
    mpq_t candidate, number, bound;
};

/* Vectors of integers. */

static void vector_subtract(vector *result, const vector *a, const vector *b)
{
    for (int axis = 0; axis < 3; axis++)
        mpz_sub(result->at[axis], a->at[axis], b->at[axis]);
}

/* `result` must be neither of the factors. */
static void vector_cross(vector *result, const vector *a, const vector *b)
{
    for (int axis = 0; axis < 3; axis++) {
        int next = (axis + 1) % 3, last = (axis + 2) % 3;
        mpz_mul(result->at[axis], a->at[next], b->at[last]);
        mpz_submul(result->at[axis], a->at[last], b->at[next]);
    }
}

static void vector_dot(mpz_t result, const vector *a, const vector *b)
{
    mpz_mul(result, a->at[0], b->at[0]);
    mpz_addmul(result, a->at[1], b->at[1]);
    mpz_addmul(result, a->at[2], b->at[2]);
}

static int vector_is_zero(const vector *v)
{
    return !mpz_sgn(v->at[0]) && !mpz_sgn(v->at[1]) && !mpz_sgn(v->at[2]);
}

/* Lexicographic order; along a line it is the order of its points. */
static int vector_compare(const vector *a, const vector *b)
{
    for (int axis = 0; axis < 3; axis++) {
        int order = mpz_cmp(a->at[axis], b->at[axis]);
        if (order)
            return order;
    }
    return 0;
}

/* Working memory. */

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        fputs("oracle: out of memory\n", stderr);
        abort();
    }
    return memory;
}

static void visit_vector(vector *v, void (*visit)(mpz_ptr))
{
    for (int axis = 0; axis < 3; axis++)
        visit(v->at[axis]);
}

static void visit_shape(shape *s, void (*visit)(mpz_ptr))
{
    for (int corner = 0; corner < 3; corner++)
        visit_vector(&s->corners[corner], visit);
    for (int i = 0; i < CONSTRAINT_CAPACITY; i++) {
        visit_vector(&s->constraints[i].normal, visit);
        for (int corner = 0; corner < 3; corner++)
            visit(s->constraints[i].values[corner]);
    }
}

/* Initialises all integers, or clears them. */
static void visit_integers(oracle *truth, void (*visit)(mpz_ptr))
{
    vector *vectors[] = {&truth->difference,    &truth->other_difference, &truth->third_difference, &truth->offset,
                         &truth->directions[0], &truth->directions[1],    &truth->directions[2]};
    fraction *fractions[] = {&truth->low, &truth->high, &truth->cut};
    mpz_ptr integers[] = {truth->product, truth->other_product, truth->determinant, truth->gram_determinant,
                          truth->sum};
    visit_shape(&truth->shapes[0], visit);
    visit_shape(&truth->shapes[1], visit);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        visit_vector(vectors[i], visit);
    for (size_t i = 0; i < sizeof fractions / sizeof *fractions; i++) {
        visit(fractions[i]->numerator);
        visit(fractions[i]->denominator);
    }
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        visit(integers[i]);
    for (int i = 0; i < PLACE_CAPACITY; i++) {
        visit_vector(&truth->places[i].numerator, visit);
        visit(truth->places[i].denominator);
    }
    for (int i = 0; i < 3; i++) {
        visit(truth->right[i]);
        visit(truth->solution[i]);
        for (int j = 0; j < 3; j++)
            visit(truth->gram[i][j]);
    }
}

oracle *oracle_create(void)
{
    oracle *truth = allocate(1, sizeof *truth);
    visit_integers(truth, mpz_init);
    mpq_inits(truth->candidate, truth->number, truth->bound, (mpq_ptr)0);
    return truth;
}

void oracle_destroy(oracle *truth)
{
    if (!truth)
        return;
    visit_integers(truth, mpz_clear);
    mpq_clears(truth->candidate, truth->number, truth->bound, (mpq_ptr)0);
    free(truth);
}

/* From doubles to integers. */

/* value == result * 2^exponent, where result is odd or 0. */
static long split_double(double value, int *exponent)
{
    *exponent = 0;
    if (value == 0)
        return 0;
    int binary_exponent;
    long mantissa = (long)ldexp(frexp(value, &binary_exponent), 53);
    _Static_assert(LONG_MAX >> 52, "long must hold the mantissa of a double");
    int zeros = 0;
    while (!(mantissa & 1)) {
        mantissa /= 2;
        zeros++;
    }
    *exponent = binary_exponent - 53 + zeros;
    return mantissa;
}

static void load(oracle *truth, const double a[3][3], const double b[3][3])
{
    long mantissas[2][3][3];
    int exponents[2][3][3], least = INT_MAX;
    for (int i = 0; i < 18; i++) {
        int side = i / 9, corner = i / 3 % 3, axis = i % 3;
        double value = side ? b[corner][axis] : a[corner][axis];
        mantissas[side][corner][axis] = split_double(value, &exponents[side][corner][axis]);
        if (value != 0 && exponents[side][corner][axis] < least)
            least = exponents[side][corner][axis];
    }
    truth->exponent = least == INT_MAX ? 0 : least;
    for (int i = 0; i < 18; i++) {
        int side = i / 9, corner = i / 3 % 3, axis = i % 3;
        mpz_ptr target = truth->shapes[side].corners[corner].at[axis];
        mpz_set_si(target, mantissas[side][corner][axis]);
        if (mpz_sgn(target))
            mpz_mul_2exp(target, target, (mp_bitcnt_t)(exponents[side][corner][axis] - truth->exponent));
    }
}

/* A triangle as a set of linear constraints. */

static constraint *add_constraint(shape *s, int anchor, int is_equation)
{
    constraint *added = &s->constraints[s->constraint_count++];
    added->anchor = anchor;
    added->is_equation = is_equation;
    return added;
}

/* x equals the corner, coordinate by coordinate. */
static void constrain_point(shape *s)
{
    s->dimension = 0;
    for (int axis = 0; axis < 3; axis++) {
        constraint *equal = add_constraint(s, 0, 1);
        for (int i = 0; i < 3; i++)
            mpz_set_ui(equal->normal.at[i], i == axis);
    }
}

/* direction x (x - first) == 0, coordinate by coordinate; x not before the first corner, and not after the last. */
static void constrain_segment(shape *s, vector *direction)
{
    int first = 0, last = 0;
    for (int corner = 1; corner < 3; corner++) {
        if (vector_compare(&s->corners[corner], &s->corners[first]) < 0)
            first = corner;
        if (vector_compare(&s->corners[corner], &s->corners[last]) > 0)
            last = corner;
    }
    s->dimension = 1;
    vector_subtract(direction, &s->corners[last], &s->corners[first]);
    for (int axis = 0; axis < 3; axis++) {
        int next = (axis + 1) % 3, after = (axis + 2) % 3;
        constraint *parallel = add_constraint(s, first, 1);
        mpz_set_ui(parallel->normal.at[axis], 0);
        mpz_neg(parallel->normal.at[next], direction->at[after]);
        mpz_set(parallel->normal.at[after], direction->at[next]);
    }
    vector_subtract(&add_constraint(s, first, 0)->normal, &s->corners[last], &s->corners[first]);
    vector_subtract(&add_constraint(s, last, 0)->normal, &s->corners[first], &s->corners[last]);
}

/* x in the plane, and on the inner side of each edge: normal x edge points inward whichever way the corners turn. */
static void constrain_area(shape *s, const vector *normal, vector *edge)
{
    s->dimension = 2;
    constraint *plane = add_constraint(s, 0, 1);
    for (int axis = 0; axis < 3; axis++)
        mpz_set(plane->normal.at[axis], normal->at[axis]);
    for (int corner = 0; corner < 3; corner++) {
        vector_subtract(edge, &s->corners[(corner + 1) % 3], &s->corners[corner]);
        vector_cross(&add_constraint(s, corner, 0)->normal, normal, edge);
    }
}

static void constrain(oracle *truth, shape *s)
{
    vector *first = &truth->difference, *second = &truth->other_difference, *normal = &truth->third_difference;
    s->constraint_count = 0;
    vector_subtract(first, &s->corners[1], &s->corners[0]);
    vector_subtract(second, &s->corners[2], &s->corners[0]);
    vector_cross(normal, first, second);
    if (!vector_is_zero(normal))
        constrain_area(s, normal, first);
    else if (!vector_is_zero(first) || !vector_is_zero(second))
        constrain_segment(s, first);
    else
        constrain_point(s);
}

/* Evaluates the constraints of `s` at the corners of the other shape; returns 0 as soon as one of them excludes all
 * three corners by the same sign, and with them the whole other shape. */
static int evaluate(oracle *truth, shape *s, const shape *other)
{
    for (int i = 0; i < s->constraint_count; i++) {
        constraint *each = &s->constraints[i];
        int negative = 0, positive = 0;
        for (int corner = 0; corner < 3; corner++) {
            vector_subtract(&truth->difference, &other->corners[corner], &s->corners[each->anchor]);
            vector_dot(each->values[corner], &each->normal, &truth->difference);
            negative += mpz_sgn(each->values[corner]) < 0;
            positive += mpz_sgn(each->values[corner]) > 0;
        }
        if (negative == 3 || (each->is_equation && positive == 3))
            return 0;
    }
    return 1;
}

/* Loads both triangles with their constraints and values; 0 when that alone shows that they are disjoint. */
static int prepare(oracle *truth, const double a[3][3], const double b[3][3])
{
    load(truth, a, b);
    constrain(truth, &truth->shapes[0]);
    constrain(truth, &truth->shapes[1]);
    int together = evaluate(truth, &truth->shapes[0], &truth->shapes[1]);
    return evaluate(truth, &truth->shapes[1], &truth->shapes[0]) && together;
}

/* Clipping an edge. */

static int fraction_compare(oracle *truth, const fraction *a, const fraction *b)
{
    mpz_mul(truth->product, a->numerator, b->denominator);
    mpz_mul(truth->other_product, b->numerator, a->denominator);
    return mpz_cmp(truth->product, truth->other_product);
}

static void fraction_set(fraction *target, const fraction *source)
{
    mpz_set(target->numerator, source->numerator);
    mpz_set(target->denominator, source->denominator);
}

/* Keeps of low <= t <= high the part where start + t (end - start) is at least 0, or, when `sign` is -1, at most 0.
 * Returns 0 when nothing is left. */
static int clip(oracle *truth, const mpz_t start, const mpz_t end, int sign)
{
    int start_inside = mpz_sgn(start) * sign >= 0, end_inside = mpz_sgn(end) * sign >= 0;
    if (start_inside && end_inside)
        return 1;
    if (!start_inside && !end_inside)
        return 0;
    /* The root is at t = start / (start - end), and the denominator is not 0. */
    mpz_set(truth->cut.numerator, start);
    mpz_sub(truth->cut.denominator, start, end);
    if (mpz_sgn(truth->cut.denominator) < 0) {
        mpz_neg(truth->cut.numerator, truth->cut.numerator);
        mpz_neg(truth->cut.denominator, truth->cut.denominator);
    }
    if (end_inside && fraction_compare(truth, &truth->cut, &truth->low) > 0)
        fraction_set(&truth->low, &truth->cut);
    if (start_inside && fraction_compare(truth, &truth->cut, &truth->high) < 0)
        fraction_set(&truth->high, &truth->cut);
    return fraction_compare(truth, &truth->low, &truth->high) <= 0;
}

/* The part of the other shape's edge (start, end) that lies in `s`: the parameters low to high; 0 when there is none.
 */
static int clip_edge(oracle *truth, const shape *s, int start, int end)
{
    mpz_set_ui(truth->low.numerator, 0);
    mpz_set_ui(truth->low.denominator, 1);
    mpz_set_ui(truth->high.numerator, 1);
    mpz_set_ui(truth->high.denominator, 1);
    for (int i = 0; i < s->constraint_count; i++) {
        const constraint *each = &s->constraints[i];
        if (!clip(truth, each->values[start], each->values[end], 1))
            return 0;
        if (each->is_equation && !clip(truth, each->values[start], each->values[end], -1))
            return 0;
    }
    return 1;
}

/* If two triangles have a point in common, then an edge of one of them meets the other: an extreme point of the common
 * part cannot be inside both of them (relative to their planes), because there the common part is locally a line or a
 * plane. When a triangle is degenerate its edges are all of it. */
int oracle_intersect(oracle *truth, const double a[3][3], const double b[3][3])
{
    if (!prepare(truth, a, b))
        return 0;
    for (int side = 0; side < 2; side++)
        for (int corner = 0; corner < 3; corner++)
            if (clip_edge(truth, &truth->shapes[side], corner, (corner + 1) % 3))
                return 1;
    return 0;
}

/* The common part. By the same argument it is the convex hull of the ends of all clipped edges. */

static void add_place(oracle *truth, const shape *s, int start, int end, const fraction *parameter)
{
    place *added = &truth->places[truth->place_count++];
    vector_subtract(&truth->difference, &s->corners[end], &s->corners[start]);
    for (int axis = 0; axis < 3; axis++) {
        mpz_mul(added->numerator.at[axis], s->corners[start].at[axis], parameter->denominator);
        mpz_addmul(added->numerator.at[axis], truth->difference.at[axis], parameter->numerator);
    }
    mpz_set(added->denominator, parameter->denominator);
}

static void collect_places(oracle *truth)
{
    truth->place_count = 0;
    for (int side = 0; side < 2; side++)
        for (int corner = 0; corner < 3; corner++)
            if (clip_edge(truth, &truth->shapes[side], corner, (corner + 1) % 3)) {
                add_place(truth, &truth->shapes[1 - side], corner, (corner + 1) % 3, &truth->low);
                add_place(truth, &truth->shapes[1 - side], corner, (corner + 1) % 3, &truth->high);
            }
}

static int place_compare(oracle *truth, const place *a, const place *b)
{
    for (int axis = 0; axis < 3; axis++) {
        mpz_mul(truth->product, a->numerator.at[axis], b->denominator);
        mpz_mul(truth->other_product, b->numerator.at[axis], a->denominator);
        int order = mpz_cmp(truth->product, truth->other_product);
        if (order)
            return order;
    }
    return 0;
}

/* A positive multiple of a - b. */
static void place_subtract(oracle *truth, vector *result, const place *a, const place *b)
{
    for (int axis = 0; axis < 3; axis++) {
        mpz_mul(truth->product, a->numerator.at[axis], b->denominator);
        mpz_mul(truth->other_product, b->numerator.at[axis], a->denominator);
        mpz_sub(result->at[axis], truth->product, truth->other_product);
    }
}

/* Dimension of the hull of the places, and which two of them are the first and the last. */
static int measure_places(oracle *truth, int ends[2])
{
    ends[0] = ends[1] = 0;
    for (int i = 1; i < truth->place_count; i++) {
        if (place_compare(truth, &truth->places[i], &truth->places[ends[0]]) < 0)
            ends[0] = i;
        if (place_compare(truth, &truth->places[i], &truth->places[ends[1]]) > 0)
            ends[1] = i;
    }
    if (!truth->place_count)
        return -1;
    place_subtract(truth, &truth->difference, &truth->places[ends[1]], &truth->places[ends[0]]);
    if (vector_is_zero(&truth->difference))
        return 0;
    for (int i = 0; i < truth->place_count; i++) {
        place_subtract(truth, &truth->other_difference, &truth->places[i], &truth->places[ends[0]]);
        vector_cross(&truth->third_difference, &truth->difference, &truth->other_difference);
        if (!vector_is_zero(&truth->third_difference))
            return 2;
    }
    return 1;
}

/* The volume of the tetrahedron over every four of the six corners is 0. */
static int in_one_plane(oracle *truth)
{
    const vector *points[6];
    for (int i = 0; i < 6; i++)
        points[i] = &truth->shapes[i / 3].corners[i % 3];
    for (int i = 0; i < 6; i++)
        for (int j = i + 1; j < 6; j++)
            for (int k = j + 1; k < 6; k++)
                for (int l = k + 1; l < 6; l++) {
                    vector_subtract(&truth->difference, points[j], points[i]);
                    vector_subtract(&truth->other_difference, points[k], points[i]);
                    vector_cross(&truth->third_difference, &truth->difference, &truth->other_difference);
                    vector_subtract(&truth->difference, points[l], points[i]);
                    vector_dot(truth->determinant, &truth->third_difference, &truth->difference);
                    if (mpz_sgn(truth->determinant))
                        return 0;
                }
    return 1;
}

/* number * 2^exponent */
static void scale_number(mpq_t number, long exponent)
{
    if (exponent >= 0)
        mpq_mul_2exp(number, number, (mp_bitcnt_t)exponent);
    else
        mpq_div_2exp(number, number, (mp_bitcnt_t)-exponent);
}

static void place_coordinate(const oracle *truth, int index, int axis, mpq_t result)
{
    mpz_set(mpq_numref(result), truth->places[index].numerator.at[axis]);
    mpz_set(mpq_denref(result), truth->places[index].denominator);
    mpq_canonicalize(result);
    scale_number(result, truth->exponent);
}

/* As oracle_describe; also says which places are the ends. */
static oracle_common describe(oracle *truth, const double a[3][3], const double b[3][3], int ends[2])
{
    oracle_common common = {.dimension = -1};
    int together = prepare(truth, a, b);
    common.dimension_a = truth->shapes[0].dimension;
    common.dimension_b = truth->shapes[1].dimension;
    common.coplanar = in_one_plane(truth);
    if (!together)
        return common;
    collect_places(truth);
    common.dimension = measure_places(truth, ends);
    for (int i = 0; common.dimension >= 0 && i < 6; i++) {
        place_coordinate(truth, ends[i / 3], i % 3, truth->number);
        common.ends[i / 3][i % 3] = mpq_get_d(truth->number);
    }
    return common;
}

oracle_common oracle_describe(oracle *truth, const double a[3][3], const double b[3][3])
{
    int ends[2];
    return describe(truth, a, b, ends);
}

/* The distance.
 *
 * Take nearest points of the two triangles, each in the smallest face (corner, edge or triangle) of its own that can
 * take part in a nearest pair, such that the number of corners used is least. Then the corners of each face are
 * affinely independent and so are the directions of both faces together, else the pair could slide until a corner is no
 * longer needed. So the nearest points are the unique solution of the normal equations of that pair of faces. Hence:
 * solve them for every pair of faces with at most three directions in all, keep the solutions that lie in both faces,
 * and take the least; each one is the distance of two points of the triangles, so none is too small. */

/* Which corners span a face: the first `count`. */
typedef struct face {
    int count;
    int corners[3];
} face;

static const face all_faces[7] = {{1, {0, 0, 0}}, {1, {1, 0, 0}}, {1, {2, 0, 0}}, {2, {0, 1, 0}},
                                  {2, {1, 2, 0}}, {2, {2, 0, 0}}, {3, {0, 1, 2}}};

/* |m| where column `replaced` is the right side (none when -1), of the leading `size` rows and columns. */
static void gram_minor(oracle *truth, int size, int replaced, mpz_t result)
{
    const __mpz_struct *m[3][3];
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++)
            m[row][column] = column == replaced ? truth->right[row] : truth->gram[row][column];
    mpz_set_ui(result, size == 0);
    if (size == 1)
        mpz_set(result, m[0][0]);
    if (size == 2) {
        mpz_mul(result, m[0][0], m[1][1]);
        mpz_submul(result, m[0][1], m[1][0]);
    }
    for (int column = 0; size == 3 && column < 3; column++) {
        int next = (column + 1) % 3, last = (column + 2) % 3;
        mpz_mul(truth->product, m[1][next], m[2][last]);
        mpz_submul(truth->product, m[1][last], m[2][next]);
        mpz_addmul(result, m[0][column], truth->product);
    }
}

/* X = a0 + sum of g_i (a_i - a0) and Y = b0 + sum of g_j (b_j - b0): X - Y is the offset plus the sum of g_k directions
 * with the directions of b reversed. Returns their number. */
static int span_faces(oracle *truth, const face *of_a, const face *of_b)
{
    const vector *a = truth->shapes[0].corners, *b = truth->shapes[1].corners;
    int count = 0;
    vector_subtract(&truth->offset, &a[of_a->corners[0]], &b[of_b->corners[0]]);
    for (int i = 1; i < of_a->count; i++)
        vector_subtract(&truth->directions[count++], &a[of_a->corners[i]], &a[of_a->corners[0]]);
    for (int i = 1; i < of_b->count; i++)
        vector_subtract(&truth->directions[count++], &b[of_b->corners[0]], &b[of_b->corners[i]]);
    return count;
}

/* Solutions `from` to `to` - 1, all over the Gram determinant: none negative, and their sum at most 1. */
static int inside_face(oracle *truth, int from, int to)
{
    mpz_set_ui(truth->sum, 0);
    for (int i = from; i < to; i++) {
        if (mpz_sgn(truth->solution[i]) < 0)
            return 0;
        mpz_add(truth->sum, truth->sum, truth->solution[i]);
    }
    return mpz_cmp(truth->sum, truth->gram_determinant) <= 0;
}

/* The squared distance of the nearest points of the faces' planes, lines or points into truth->candidate (in units of
 * the integers), when they are unique and lie in the faces; else returns 0. */
static int solve_faces(oracle *truth, const face *of_a, const face *of_b)
{
    int count = span_faces(truth, of_a, of_b);
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++)
            vector_dot(truth->gram[i][j], &truth->directions[i], &truth->directions[j]);
        vector_dot(truth->right[i], &truth->directions[i], &truth->offset);
        mpz_neg(truth->right[i], truth->right[i]);
    }
    gram_minor(truth, count, -1, truth->gram_determinant);
    if (!mpz_sgn(truth->gram_determinant))
        return 0;
    for (int i = 0; i < count; i++)
        gram_minor(truth, count, i, truth->solution[i]);
    if (!inside_face(truth, 0, of_a->count - 1) || !inside_face(truth, of_a->count - 1, count))
        return 0;
    /* |X - Y|^2 = |offset|^2 + sum of g_k (direction_k . offset), because X - Y is perpendicular to the directions. */
    vector_dot(truth->product, &truth->offset, &truth->offset);
    mpz_mul(mpq_numref(truth->candidate), truth->product, truth->gram_determinant);
    for (int i = 0; i < count; i++)
        mpz_submul(mpq_numref(truth->candidate), truth->solution[i], truth->right[i]);
    mpz_set(mpq_denref(truth->candidate), truth->gram_determinant);
    mpq_canonicalize(truth->candidate);
    return 1;
}

void oracle_squared_distance(oracle *truth, const double a[3][3], const double b[3][3], mpq_t squared)
{
    int found = 0;
    load(truth, a, b);
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++) {
            if (all_faces[i].count + all_faces[j].count > 5 || !solve_faces(truth, &all_faces[i], &all_faces[j]))
                continue;
            if (!found || mpq_cmp(truth->candidate, squared) < 0)
                mpq_set(squared, truth->candidate);
            found = 1;
        }
    scale_number(squared, 2 * truth->exponent);
}

/* Reported contacts. */

/* Any of the six corners counts, also one between the ends of a segment. */
static int place_is_corner(oracle *truth, int index)
{
    const place *given = &truth->places[index];
    for (int i = 0; i < 6; i++) {
        const shape *s = &truth->shapes[i / 3];
        int equal_axes = 0;
        for (int axis = 0; axis < 3; axis++) {
            mpz_mul(truth->product, s->corners[i % 3].at[axis], given->denominator);
            equal_axes += mpz_cmp(truth->product, given->numerator.at[axis]) == 0;
        }
        if (equal_axes == 3)
            return 1;
    }
    return 0;
}

/* A corner must be there exactly, another place within the tolerance. */
static int is_near_place(oracle *truth, const double point[3], int index, const double tolerance[3])
{
    int is_corner = place_is_corner(truth, index);
    for (int axis = 0; axis < 3; axis++) {
        place_coordinate(truth, index, axis, truth->number);
        mpq_set_d(truth->bound, point[axis]);
        mpq_sub(truth->number, truth->number, truth->bound);
        mpq_abs(truth->number, truth->number);
        mpq_set_d(truth->bound, is_corner ? 0 : tolerance[axis]);
        if (mpq_cmp(truth->number, truth->bound) > 0)
            return 0;
    }
    return 1;
}

static int is_near_triangle(oracle *truth, const double point[3], const double triangle[3][3],
                            const double tolerance[3])
{
    double dot[3][3];
    for (int corner = 0; corner < 3; corner++)
        memcpy(dot[corner], point, sizeof dot[corner]);
    oracle_squared_distance(truth, (const double(*)[3])dot, triangle, truth->number);
    mpq_set_d(truth->bound, fmax(fmax(tolerance[0], tolerance[1]), tolerance[2]));
    mpq_mul(truth->bound, truth->bound, truth->bound);
    return mpq_cmp(truth->number, truth->bound) <= 0;
}

static const char *check_segment(oracle *truth, const double points[2][3], const int ends[2], const double tolerance[3])
{
    if (is_near_place(truth, points[0], ends[0], tolerance) && is_near_place(truth, points[1], ends[1], tolerance))
        return NULL;
    if (is_near_place(truth, points[0], ends[1], tolerance) && is_near_place(truth, points[1], ends[0], tolerance))
        return NULL;
    return "the points are not the ends of the common segment";
}

static const char *check_point(oracle *truth, const double a[3][3], const double b[3][3], const double point[3],
                               const double tolerance[3])
{
    int corner_count = 0;
    for (int i = 0; i < truth->place_count; i++)
        if (place_is_corner(truth, i)) {
            corner_count++;
            if (is_near_place(truth, point, i, tolerance))
                return NULL;
        }
    if (corner_count)
        return "a corner is common, but the point is none of the common corners";
    if (!is_near_triangle(truth, point, a, tolerance) || !is_near_triangle(truth, point, b, tolerance))
        return "the point is not common to both triangles";
    return NULL;
}

const char *oracle_check_contact(oracle *truth, const double a[3][3], const double b[3][3], int coplanar,
                                 const double points[2][3], const double tolerance[3])
{
    int ends[2], one_point = memcmp(points[0], points[1], sizeof points[0]) == 0;
    oracle_common common = describe(truth, a, b, ends);
    for (int i = 0; i < 6; i++)
        if (!isfinite(points[i / 3][i % 3]))
            return "a coordinate of a point is not finite";
    if (common.dimension < 0)
        return "the triangles do not intersect";
    if (coplanar != common.coplanar)
        return common.coplanar ? "a pair in one plane was not called so" : "a pair was called coplanar that is not";
    if ((coplanar || common.dimension == 0) && !one_point)
        return "the two points must be bitwise equal";
    return coplanar ? check_point(truth, a, b, points[0], tolerance) : check_segment(truth, points, ends, tolerance);
}

/* Whole meshes. */

typedef struct box {
    double lower[3], upper[3];
} box;

static void get_corners(const oracle_mesh *mesh, size_t triangle, double corners[3][3])
{
    for (int corner = 0; corner < 3; corner++)
        memcpy(corners[corner], mesh->points[mesh->triangles[triangle][corner]], sizeof corners[corner]);
}

static box *make_boxes(const oracle_mesh *mesh)
{
    box *boxes = allocate(mesh->triangle_count, sizeof *boxes);
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        double corners[3][3];
        get_corners(mesh, i, corners);
        for (int axis = 0; axis < 3; axis++) {
            boxes[i].lower[axis] = fmin(fmin(corners[0][axis], corners[1][axis]), corners[2][axis]);
            boxes[i].upper[axis] = fmax(fmax(corners[0][axis], corners[1][axis]), corners[2][axis]);
        }
    }
    return boxes;
}

/* Comparisons of doubles are exact, so this never excludes a pair that intersects. */
static int boxes_overlap(const box *a, const box *b)
{
    for (int axis = 0; axis < 3; axis++)
        if (a->lower[axis] > b->upper[axis] || b->lower[axis] > a->upper[axis])
            return 0;
    return 1;
}

static void append_pair(uint32_t (**pairs)[2], size_t *count, size_t *capacity, size_t i, size_t j)
{
    if (*count == *capacity) {
        *capacity = *capacity ? 2 * *capacity : 64;
        *pairs = realloc(*pairs, *capacity * sizeof **pairs);
        if (!*pairs) {
            fputs("oracle: out of memory\n", stderr);
            abort();
        }
    }
    (*pairs)[*count][0] = (uint32_t)i;
    (*pairs)[*count][1] = (uint32_t)j;
    ++*count;
}

size_t oracle_pairs(oracle *truth, const oracle_mesh *a, const oracle_mesh *b, uint32_t (**pairs)[2])
{
    box *boxes_a = make_boxes(a), *boxes_b = make_boxes(b);
    size_t count = 0, capacity = 0;
    *pairs = NULL;
    for (size_t i = 0; i < a->triangle_count; i++)
        for (size_t j = 0; j < b->triangle_count; j++) {
            if (!boxes_overlap(&boxes_a[i], &boxes_b[j]))
                continue;
            double corners[2][3][3];
            get_corners(a, i, corners[0]);
            get_corners(b, j, corners[1]);
            if (oracle_intersect(truth, (const double(*)[3])corners[0], (const double(*)[3])corners[1]))
                append_pair(pairs, &count, &capacity, i, j);
        }
    free(boxes_a);
    free(boxes_b);
    return count;
}
