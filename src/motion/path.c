/* Paths: motions one after the other. */
#include "motion/path.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "math/expansion.h"

static tumble_status check_times(tumble_context *context, const tumble_path *path)
{
    for (size_t i = 0; path->times && i <= path->piece_count; i++) {
        if (!isfinite(path->times[i])) {
            return tmb_fail(context, TUMBLE_ERROR_NOT_FINITE, "path: time %zu is %g", i, path->times[i]);
        }
        if (i > 0 && !(path->times[i] > path->times[i - 1] && isfinite(path->times[i] - path->times[i - 1]))) {
            return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "path: time %zu, %g, is not after the one before, %g", i,
                            path->times[i], path->times[i - 1]);
        }
    }
    return TUMBLE_OK;
}

tumble_status tumble_path_check(tumble_context *context, const tumble_path *path)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!path) {
        return TUMBLE_OK;
    }
    if (path->piece_count == 0 || !path->pieces) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "path: it has no pieces");
    }
    for (size_t i = 0; i < path->piece_count; i++) {
        const tumble_status status = tumble_motion_check(context, &path->pieces[i]);
        if (status != TUMBLE_OK) {
            char reason[256];
            tumble_last_error(context, reason, sizeof reason);
            return tmb_fail(context, status, "path: piece %zu: %s", i, reason);
        }
    }
    return check_times(context, path);
}

/* ---- Two paths ---- */

/* One piece that does not move: it has no times. */
static int stands(const tumble_path *path)
{
    if (!path) {
        return 1;
    }
    const tumble_motion *m = path->pieces;
    return path->piece_count == 1 && m->angle == 0 && m->translation[0] == 0 && m->translation[1] == 0 &&
           m->translation[2] == 0;
}

static double time_of(const tumble_path *path, size_t i)
{
    return path->times ? path->times[i] : (double)i;
}

static tumble_status compare_times(tumble_context *context, const tumble_path *a, const tumble_path *b)
{
    if (a->piece_count != b->piece_count) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT,
                        "path: A's has %zu pieces and B's has %zu: both need the same times", a->piece_count,
                        b->piece_count);
    }
    for (size_t i = 0; i <= a->piece_count; i++) {
        if (time_of(a, i) != time_of(b, i)) {
            return tmb_fail(context, TUMBLE_ERROR_ARGUMENT,
                            "path: time %zu is %g in A's and %g in B's: both need the same times", i, time_of(a, i),
                            time_of(b, i));
        }
    }
    return TUMBLE_OK;
}

tumble_status tmb_way_of(tumble_context *context, const tumble_path *a, const tumble_path *b, tmb_way *out)
{
    const tumble_path *paths[2] = {a, b};
    *out = (tmb_way){.count = 1};
    for (int side = 0; side < 2; side++) {
        const tumble_path *path = paths[side];
        const tumble_status status = tumble_path_check(context, path);
        if (status != TUMBLE_OK) {
            return status;
        }
        if (stands(path)) {
            out->still[side] = path ? *path->pieces : tumble_motion_still(NULL);
        } else {
            out->pieces[side] = path->pieces;
            out->times = path->times;
            out->count = path->piece_count;
        }
    }
    if (!out->pieces[0] && !out->pieces[1]) { /* the times of whoever has some */
        out->times = a && a->times ? a->times : b ? b->times : NULL;
    }
    return out->pieces[0] && out->pieces[1] ? compare_times(context, a, b) : TUMBLE_OK;
}

static double clamp(double x, double least, double most)
{
    return x < least ? least : x > most ? most : x;
}

double tmb_way_time(const tmb_way *way, size_t piece, double part, int direction)
{
    const double begin = tmb_way_begin(way, piece), end = tmb_way_begin(way, piece + 1);
    if (!(part > 0 && part < 1)) {
        return part > 0 ? end : begin;
    }
    const tmb_double2 length = tmb_two_difference(end, begin);
    const double product = part * length.high, product_rest = fma(part, length.high, -product);
    const tmb_double2 sum = tmb_two_sum(begin, product);
    const double rests[3] = {sum.low, product_rest, part * length.low};
    if (direction == 0) {
        return clamp(sum.high + (rests[0] + (rests[1] + rests[2])), begin, end);
    }
    const int is_exact = rests[0] == 0 && rests[1] == 0 && length.low == 0 && product > 0x1p-900;
    const double room = (fabs(rests[0]) + fabs(rests[1]) + fabs(rests[2])) * (1 + 0x1p-40);
    const double out =
        is_exact ? sum.high : nextafter(sum.high + direction * room, direction < 0 ? -INFINITY : INFINITY);
    return clamp(out, begin, end);
}

/* ---- Reading a path ---- */

size_t tumble_path_piece(const tumble_path *path, double time, double *part)
{
    size_t low = 0, high = path->piece_count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        *(time_of(path, middle) <= time ? &low : &high) = middle;
    }
    if (part) {
        const double begin = time_of(path, low), length = time_of(path, low + 1) - begin;
        const double share = (time - begin) / length;
        *part = share > 0 ? share < 1 ? share : 1 : 0;
    }
    return low;
}

tumble_pose tumble_path_pose(const tumble_path *path, double time)
{
    double part;
    const size_t piece = tumble_path_piece(path, time, &part);
    return tumble_motion_pose(&path->pieces[piece], part);
}
