/* How deep two parts are in each other: proven bounds of the shortest move that leaves them touching at most.
 *
 * One of the six moves along the axes that part the boxes is always known; the search for a shorter one is given a
 * budget, which counts tests, not time: so the answer is the same on every machine. */
#include <math.h>
#include <string.h>

#include "clash/answering.h"
#include "math/vec3.h"
#include "tree/model.h"
#include "tumble/separate.h"

enum {
    DIRECTIONS = 24,
    ROUNDINGS = 8 /* of a move: tries, each a little longer */
};

typedef struct axis_move {
    int axis;
    double length; /* signed */
} axis_move;

/* The box of a model's triangles, moved by a pose. */
static void box_of(const tumble_model *model, const tumble_pose *pose, double box[2][3])
{
    const double *corners[2] = {model->block->lower, model->block->upper};
    for (int i = 0; i < 8; i++) {
        const double point[3] = {corners[i & 1][0], corners[i >> 1 & 1][1], corners[i >> 2][2]};
        double moved[3];
        tumble_pose_apply(pose, point, moved);
        for (int j = 0; j < 3; j++) {
            box[0][j] = i == 0 ? moved[j] : fmin(box[0][j], moved[j]);
            box[1][j] = i == 0 ? moved[j] : fmax(box[1][j], moved[j]);
        }
    }
}

/* The shortest move along an axis after which B's box is beside A's. */
static axis_move shortest_of(const double a[2][3], const double b[2][3])
{
    axis_move best = {0, INFINITY};
    for (int axis = 0; axis < 3; axis++) {
        const double up = a[1][axis] - b[0][axis], down = a[0][axis] - b[1][axis];
        const double move = fabs(up) <= fabs(down) ? up : down;
        if (fabs(move) < fabs(best.length)) {
            best = (axis_move){axis, move};
        }
    }
    return best;
}

/* Whether B is free at a pose: no point of one is inside the other. */
static tumble_status is_free_at(const tmb_answering *r, const tumble_pose *pose, int *is_free)
{
    tumble_relation_result relation;
    const tumble_status status = tumble_relate(r->query, r->a, NULL, r->b, pose, &relation);
    *is_free = status == TUMBLE_OK &&
               (relation.relation == TUMBLE_RELATION_APART || relation.relation == TUMBLE_RELATION_TOUCHING);
    return status;
}

/* At least as long as the move is; exactly so where the difference is a double. */
static double length_of_move(double from, double to)
{
    const double length = fabs(to - from);
    const bool is_exact = from + (to - from) == to && to - (to - from) == from;
    return is_exact ? length : nextafter(length, INFINITY);
}

/* A move that parts the boxes, and is proven. */
static tumble_status move_boxes(const tmb_answering *r, double *length, double normal[3])
{
    static const tumble_pose identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    const tumble_pose *relative = &r->question->relative;
    double boxes[2][2][3];
    int is_free = 0;
    tumble_status status = TUMBLE_OK;
    box_of(r->a, &identity, boxes[0]);
    box_of(r->b, relative, boxes[1]);
    axis_move move = shortest_of((const double(*)[3])boxes[0], (const double(*)[3])boxes[1]);
    *length = INFINITY;
    for (int i = 0; i < ROUNDINGS && !is_free && status == TUMBLE_OK; i++) {
        tumble_pose pose = *relative;
        pose.m[move.axis][3] += move.length;
        if (!isfinite(pose.m[move.axis][3])) {
            return TUMBLE_OK;
        }
        status = is_free_at(r, &pose, &is_free);
        if (is_free) {
            *length = length_of_move(relative->m[move.axis][3], pose.m[move.axis][3]);
            normal[0] = normal[1] = normal[2] = 0;
            normal[move.axis] = move.length < 0 ? -1 : 1;
        }
        const double step = ldexp(fmax(fabs(pose.m[move.axis][3]), fabs(move.length)), 2 * i - 52);
        move.length += move.length < 0 ? -step : step;
    }
    return status;
}

/* The move's direction; its length is not 0. */
static void direction_of(const double translation[3], double out[3])
{
    const double size = tmb_length(translation);
    for (int i = 0; i < 3; i++) {
        out[i] = size > 0 ? translation[i] / size : 0;
    }
}

/* The best proven move so far. */
typedef struct best_move {
    double lower, upper, normal[3];
} best_move;

static int is_unknown(tumble_status status)
{
    return status == TUMBLE_ERROR_UNSUPPORTED || status == TUMBLE_ERROR_NOT_FINITE;
}

static tumble_status improve(const tmb_answering *r, tumble_separate_options *options, best_move *best)
{
    tumble_separate_result result;
    options->within = best->upper;
    options->touching = true;
    const tumble_status status = tumble_separate(r->query, r->a, NULL, r->b, &r->question->relative, options, &result);
    if (status == TUMBLE_OK && result.upper < best->upper) {
        best->upper = result.upper;
        direction_of(result.translation, best->normal);
    }
    if (status == TUMBLE_OK && !(tmb_largest_size(options->direction) > 0)) {
        best->lower = result.lower;
    }
    return status;
}

/* What is done for open parts, of which only surfaces are parted: nothing is known but moves along the axes. */
static tumble_status improve_along_axes(const tmb_answering *r, best_move *best)
{
    tumble_status status = TUMBLE_OK;
    for (int i = 0; i < 6 && status == TUMBLE_OK; i++) {
        tumble_separate_options options = tumble_default_separate_options();
        options.budget_box_tests = r->clashes->options.depth_budget / 6 + 1;
        options.direction[i / 2] = i % 2 ? -1 : 1;
        status = improve(r, &options, best);
    }
    return status;
}

tumble_status tmb_clash_find_depth(tmb_answering *r)
{
    tmb_clash_answer *answer = r->answer;
    tumble_separate_options options = tumble_default_separate_options();
    best_move best = {0, INFINITY, {0, 0, 0}};
    options.budget_box_tests = r->clashes->options.depth_budget;
    options.budget_directions = DIRECTIONS;
    if (options.budget_box_tests == 0) {
        return TUMBLE_OK;
    }
    tumble_status status = move_boxes(r, &best.upper, best.normal);
    if (status == TUMBLE_OK) {
        status = improve(r, &options, &best);
        status = status == TUMBLE_ERROR_UNSUPPORTED ? improve_along_axes(r, &best) : status;
    }
    if (status != TUMBLE_OK && !is_unknown(status)) {
        return tmb_clash_told_by_query(r, status);
    }
    if (best.upper < INFINITY) {
        answer->has_depth = 1;
        answer->depth[0] = fmin(best.lower, best.upper);
        answer->depth[1] = best.upper;
        memcpy(answer->normal, best.normal, sizeof best.normal);
    }
    return TUMBLE_OK;
}
