/* tumble_closest_point, tumble_closest_points, tumble_overlap_box and tumble_overlap_sphere, against the truth. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "single.h"

static const double tolerance = 1e-14;

/* Whether the pose leaves the model's points finite: 1 yes, else an error is right. */
static int reach_out(torture_stage *s, const torture_question *q, const torture_single *a)
{
    return !a->pose || a->status != TUMBLE_OK ? 1 : torture_truth_reach(torture_stage_truth(s, q->pose)).a_out;
}

/* ---- Closest points ---- */

/* What one point has to get. */
typedef struct nearest_truth {
    double point[3]; /* in the model's frame */
    mpq_t *squares;  /* of each polygon of the shape */
    char *is_there;  /* whether a polygon has triangles and is within the limit */
    size_t polygons, count;
    double sign;
} nearest_truth;

static void begin_truth(torture_stage *s, const torture_question *q, const torture_single *a, nearest_truth *t,
                        int closed)
{
    const long double limit = torture_divided(q->within.value, a->scale);
    t->polygons = s->c->shapes[0].polygon_count;
    t->squares = calloc(t->polygons + 1, sizeof *t->squares);
    t->is_there = calloc(t->polygons + 1, 1);
    t->count = 0;
    if (!t->squares || !t->is_there) {
        abort();
    }
    for (uint32_t i = 0; i < t->polygons; i++) {
        mpq_init(t->squares[i]);
        t->is_there[i] = (char)(torture_polygon_square(s, a->triangles, i, t->point, t->squares[i]) &&
                                torture_is_within(t->squares[i], limit));
        t->count += (size_t)t->is_there[i];
    }
    const tumble_place place =
        closed ? torture_true_place(s, a->triangles, t->point, TUMBLE_INSIDE_PARITY).place : TUMBLE_PLACE_OUTSIDE;
    t->sign = place == TUMBLE_PLACE_INSIDE ? -1 : 1;
}

static void end_truth(nearest_truth *t)
{
    for (size_t i = 0; i < t->polygons; i++) {
        mpq_clear(t->squares[i]);
    }
    free(t->squares);
    free(t->is_there);
}

static int check_closest(torture_stage *s, const torture_single *a, const tumble_closest *c, const nearest_truth *t)
{
    const uint32_t polygon = torture_shape_polygon(a->recipe, c->polygon);
    if (polygon >= t->polygons || !t->is_there[polygon]) {
        return torture_wrong(s, "polygon %u is no polygon within the limit", polygon);
    }
    mpq_srcptr square = t->squares[polygon];
    const double distance = t->sign * c->distance;
    const double lower = t->sign > 0 ? c->lower : -c->upper, upper = t->sign > 0 ? c->upper : -c->lower;
    const long double truth = torture_root(square) * a->scale;
    if (torture_compare_distance(distance, square, a->scale, tolerance) != 0 ||
        (distance == 0) != (mpq_sgn(square) == 0)) {
        return torture_wrong(s, "the distance of %u is %.17g instead of %.17Lg", polygon, c->distance, truth);
    }
    if (torture_compare_distance(lower, square, a->scale, 0x1p-60) > 0 ||
        torture_compare_distance(upper, square, a->scale, 0x1p-60) < 0) {
        return torture_wrong(s, "%u is at %.17Lg, not from %.17g to %.17g", polygon, truth, lower, upper);
    }
    return 1;
}

/* None that is left out is nearer than the last. */
static int check_left_out(torture_stage *s, const torture_single *a, const tumble_closest *closest, size_t count,
                          const nearest_truth *t)
{
    char *listed = calloc(t->polygons + 1, 1);
    int right = 1;
    if (!listed) {
        abort();
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t polygon = torture_shape_polygon(a->recipe, closest[i].polygon);
        right = right && (!listed[polygon] || torture_wrong(s, "polygon %u is listed twice", polygon));
        listed[polygon] = 1;
    }
    for (size_t i = 0; i < t->polygons && right && count > 0; i++) {
        const double last = fabs(closest[count - 1].distance);
        if (t->is_there[i] && !listed[i] && torture_compare_distance(last, t->squares[i], a->scale, tolerance) > 0) {
            right = torture_wrong(s, "polygon %zu is at %.17Lg, and the last that is listed at %.17g", i,
                                  torture_root(t->squares[i]) * a->scale, last);
        }
    }
    free(listed);
    return right;
}

static int check_point(torture_stage *s, const torture_question *q, const torture_single *a,
                       const tumble_closest *closest, const nearest_truth *t)
{
    const size_t count = t->count < q->wanted ? t->count : q->wanted;
    for (size_t i = 0; i < count; i++) {
        if (!check_closest(s, a, &closest[i], t)) {
            return 0;
        }
        const double before = i ? fabs(closest[i - 1].distance) : -1, here = fabs(closest[i].distance);
        const int is_tie = before == here && (here == 0 || (here > DBL_MIN && here <= DBL_MAX && !a->pose));
        if (before > here || (is_tie && closest[i - 1].polygon >= closest[i].polygon)) {
            return torture_wrong(s, "the nearest polygons are not in order");
        }
    }
    return check_left_out(s, a, closest, count, t);
}

/* All hierarchies give the same bits. */
static int compare_with_plain(torture_stage *s, const torture_question *q, const torture_single *a,
                              const tumble_closest_result *result, const tumble_closest_options *options)
{
    tumble_closest_result plain;
    tumble_query *other =
        s->queries[(q->level + 1) % TORTURE_LEVELS]; /* the result is a view of the first one's memory */
    const tumble_status status =
        tumble_closest_points(other, s->plain[0].model, a->pose, q->places[0], q->place_count, options, &plain);
    const size_t room = q->place_count * options->count;
    int same = status == TUMBLE_OK && plain.count == result->count && plain.closed == result->closed;
    for (size_t i = 0; i < room && same && result->count > 0; i++) {
        const tumble_closest *x = &result->closest[i], *y = &plain.closest[i];
        const uint32_t polygon =
            x->polygon == TUMBLE_NO_POLYGON ? x->polygon : torture_shape_polygon(a->recipe, x->polygon);
        same = polygon == y->polygon && x->distance == y->distance && x->lower == y->lower && x->upper == y->upper &&
               (polygon == TUMBLE_NO_POLYGON || memcmp(x->point, y->point, sizeof x->point) == 0);
    }
    return same || torture_wrong(s, "the closest points differ from those of a model without a hierarchy");
}

static int check_points(torture_stage *s, torture_question *q, const torture_single *a,
                        const tumble_closest_result *result)
{
    uint64_t all = 0;
    const int closed = q->want_sign && torture_is_closed(a->triangles, 0);
    if (result->closed != closed) {
        return torture_wrong(s, "closed is %d", result->closed);
    }
    for (uint32_t i = 0; i < q->place_count; i++) {
        nearest_truth t;
        (void)torture_into_model(a, q->places[i], 0, t.point);
        begin_truth(s, q, a, &t, closed);
        const int right = check_point(s, q, a, result->closest + i * q->wanted, &t);
        all += t.count < q->wanted ? t.count : q->wanted;
        end_truth(&t);
        if (!right) {
            return 0;
        }
    }
    return result->count == all || torture_wrong(s, "%llu polygons instead of %llu", (unsigned long long)result->count,
                                                 (unsigned long long)all);
}

int torture_ask_closest(torture_stage *s, torture_question *q)
{
    torture_single a;
    tumble_closest_result result;
    tumble_closest_options options = tumble_default_closest_options();
    if (!torture_single_begin(s, q, &a)) {
        return 0;
    }
    options.within = torture_place_limit(s, q, &a, &q->within);
    options.count = q->wanted;
    options.want_sign = q->want_sign != 0;
    options.thread_count = q->threads;
    tumble_status expected = a.status;
    for (uint32_t i = 0; i < q->place_count && expected == TUMBLE_OK; i++) {
        double point[3];
        expected = torture_into_model(&a, q->places[i], 0, point) ? TUMBLE_OK : TUMBLE_ERROR_NOT_FINITE;
    }
    const int is_batch = q->is_batch || q->place_count > 1, reach = reach_out(s, q, &a);
    const tumble_status status =
        is_batch ? tumble_closest_points(s->queries[q->level], a.model, a.pose, q->places[0], q->place_count, &options,
                                         &result)
                 : tumble_closest_point(s->queries[q->level], a.model, a.pose, q->places[0], &options, &result);
    if (expected == TUMBLE_OK && reach < 1 && status == TUMBLE_ERROR_NOT_FINITE) {
        return 1;
    }
    if (!torture_single_status(s, q, status, expected)) {
        return !s->wrong[0];
    }
    s->batch = q->place_count - 1;
    return check_points(s, q, &a, &result) && (!is_batch || compare_with_plain(s, q, &a, &result, &options));
}

/* ---- Boxes and balls ---- */

/* Half of a face of a box around the origin. */
static void box_face(const double extents[3], int face, double out[3][3])
{
    const int axis = face / 4, side = face / 2 % 2, half = face % 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int c = 0; c < 3; c++) {
        const int corner = half ? 3 - c : c;
        out[c][axis] = side ? extents[axis] : -extents[axis];
        out[c][u] = corner & 1 ? extents[u] : -extents[u];
        out[c][v] = corner & 2 ? extents[v] : -extents[v];
    }
}

static int meets_box(torture_stage *s, const double t[3][3], const double extents[3])
{
    int meets = fabs(t[0][0]) <= extents[0] && fabs(t[0][1]) <= extents[1] && fabs(t[0][2]) <= extents[2];
    for (int face = 0; face < 12 && !meets; face++) {
        double sides[3][3];
        box_face(extents, face, sides);
        meets = oracle_intersect(s->world->oracle, t, (const double(*)[3])sides);
    }
    return meets;
}

static int true_overlaps_of_box(torture_stage *s, const torture_question *q, const torture_single *a, char *overlaps)
{
    const tumble_pose identity = tumble_pose_identity(), *box = torture_pose(s->c, q->pose, 1);
    const tumble_pose relative = tumble_pose_relative(box ? box : &identity, a->pose ? a->pose : &identity);
    int finite = 1;
    for (size_t i = 0; i < a->triangles->count; i++) {
        double moved[3][3];
        for (int k = 0; k < 9; k++) {
            const double *p = a->triangles->corners[i][k / 3], *row = relative.m[k % 3];
            tumble_pose_apply(&relative, p, moved[k / 3]);
            const long double size = fabsl((long double)row[0] * p[0]) + fabsl((long double)row[1] * p[1]) +
                                     fabsl((long double)row[2] * p[2]) + fabsl((long double)row[3]);
            finite = !isfinite(moved[k / 3][k % 3]) ? 0 : finite == 1 && !(size < DBL_MAX / 4) ? -1 : finite;
        }
        if (finite != 0) {
            overlaps[a->triangles->polygons[i]] |= (char)meets_box(s, (const double(*)[3])moved, q->extents);
        }
    }
    return finite;
}

int torture_true_overlaps(torture_stage *s, torture_question *q, const torture_single *a, char *overlaps)
{
    double centre[3];
    mpq_t square;
    if (q->is_box) {
        return true_overlaps_of_box(s, q, a, overlaps);
    }
    if (!torture_into_model(a, q->places[0], 0, centre)) {
        return 0;
    }
    const long double limit = torture_divided(torture_place_limit(s, q, a, &q->within), a->scale);
    mpq_init(square);
    for (uint32_t i = 0; i < s->c->shapes[0].polygon_count; i++) {
        overlaps[i] =
            (char)(torture_polygon_square(s, a->triangles, i, centre, square) && torture_is_within(square, limit));
    }
    mpq_clear(square);
    return 1;
}

static int check_overlaps(torture_stage *s, const torture_question *q, const torture_single *a,
                          const tumble_overlap_result *result, const char *overlaps)
{
    size_t count = 0;
    const int one = q->mode == TUMBLE_TEST || q->mode == TUMBLE_FIRST, lists = q->mode == TUMBLE_ALL;
    for (size_t i = 0; i < s->c->shapes[0].polygon_count; i++) {
        count += (size_t)overlaps[i];
    }
    const uint64_t expected = one ? count > 0 : count;
    if (result->overlap != (count > 0) || result->polygon_count != expected) {
        return torture_wrong(s, "%llu polygons instead of %llu", (unsigned long long)result->polygon_count,
                             (unsigned long long)expected);
    }
    if (result->overlap && !overlaps[torture_shape_polygon(a->recipe, result->first)]) {
        return torture_wrong(s, "polygon %u was reported", result->first);
    }
    for (size_t i = 0; i < count && lists; i++) {
        const uint32_t polygon = torture_shape_polygon(a->recipe, result->polygons[i]);
        if (!overlaps[polygon] || (i && result->polygons[i - 1] >= result->polygons[i])) {
            return torture_wrong(s, "polygon %u is listed", polygon);
        }
    }
    return 1;
}

int torture_ask_overlap(torture_stage *s, torture_question *q)
{
    torture_single a;
    tumble_overlap_result result;
    tumble_overlap_options options = tumble_default_overlap_options();
    static char overlaps[TORTURE_POLYGONS];
    if (!torture_single_begin(s, q, &a)) {
        return 0;
    }
    memset(overlaps, 0, sizeof overlaps);
    options.mode = q->mode;
    const tumble_pose *box = torture_pose(s->c, q->pose, 1);
    tumble_status expected = a.status;
    if (q->is_box && box && expected == TUMBLE_OK) {
        expected = tumble_pose_check(s->world->contexts[0], box);
    }
    const int finite = expected == TUMBLE_OK ? torture_true_overlaps(s, q, &a, overlaps) : 1;
    const double radius = torture_place_limit(s, q, &a, &q->within);
    const tumble_status status =
        q->is_box
            ? tumble_overlap_box(s->queries[q->level], a.model, a.pose, box, q->extents, &options, &result)
            : tumble_overlap_sphere(s->queries[q->level], a.model, a.pose, q->places[0], radius, &options, &result);
    if ((finite < 0 || (!q->is_box && reach_out(s, q, &a) < 1)) && status == TUMBLE_ERROR_NOT_FINITE) {
        return 1;
    }
    expected = finite == 0 ? TUMBLE_ERROR_NOT_FINITE : expected;
    return torture_single_status(s, q, status, expected) ? check_overlaps(s, q, &a, &result, overlaps) : !s->wrong[0];
}
