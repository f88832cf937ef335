/* What is visible in a window: samples with depth. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture_scene.h"

/* ---- filling faces ---- */

/* A face in the window: the middles of the unit squares that it covers, row by row. */
typedef struct filling {
    double points[4][2];
    uint32_t count;
    double base, slope[2]; /* depth at a point: base + slope[0] * x + slope[1] * y */
    uint32_t first_row, end_row;
} filling;

static uint32_t clamp_middle(double at, uint32_t least, uint32_t most)
{
    return at - 0.5 <= least ? least : at - 0.5 >= most ? most : (uint32_t)ceil(at - 0.5);
}

/* The face's plane as a function of the window, from two sides of a triangle or the diagonals of a quadrilateral; 0
 * when it is seen edge on. */
static int find_slopes(const picture_face *face, filling *f)
{
    double points[4][3] = {{0}}, u[3], v[3];
    for (uint32_t i = 0; i < f->count; i++) {
        memcpy(points[i], f->points[i], sizeof f->points[i]);
        points[i][2] = face->corners[i][2];
    }
    for (int k = 0; k < 3; k++) {
        u[k] = points[f->count / 2][k] - points[0][k];
        v[k] = points[f->count - 1][k] - points[f->count - 3][k];
    }
    const double area = u[0] * v[1] - u[1] * v[0];
    if (fabs(area) < 1e-9) {
        return 0;
    }
    f->slope[0] = (u[2] * v[1] - v[2] * u[1]) / area;
    f->slope[1] = (u[0] * v[2] - v[0] * u[2]) / area;
    f->base = points[0][2] - f->slope[0] * points[0][0] - f->slope[1] * points[0][1];
    return 1;
}

static int start_filling(const picture_window *window, const picture_samples *samples, const picture_face *face,
                         filling *f)
{
    double lower[2] = {INFINITY, INFINITY}, upper[2] = {-INFINITY, -INFINITY};
    f->count = face->corner_count;
    for (uint32_t i = 0; i < f->count; i++) {
        picture_to_window(window, face->corners[i], f->points[i]);
        for (int k = 0; k < 2; k++) {
            lower[k] = fmin(lower[k], f->points[i][k]);
            upper[k] = fmax(upper[k], f->points[i][k]);
        }
    }
    if (upper[0] < 0 || lower[0] > window->width) {
        return 0;
    }
    f->first_row = clamp_middle(lower[1], samples->first_row, samples->first_row + samples->row_count);
    f->end_row = clamp_middle(upper[1], samples->first_row, samples->first_row + samples->row_count);
    return f->first_row < f->end_row && find_slopes(face, f);
}

/* The columns that a row covers, from *first to before *end. */
static void fill_row(const picture_window *window, const filling *f, uint32_t row, uint32_t *first, uint32_t *end)
{
    const double y = row + 0.5;
    double left = INFINITY, right = -INFINITY;
    for (uint32_t i = 0; i < f->count; i++) {
        const double *a = f->points[i], *b = f->points[i + 1 < f->count ? i + 1 : 0];
        if ((a[1] <= y) != (b[1] <= y)) {
            const double x = a[0] + (b[0] - a[0]) * ((y - a[1]) / (b[1] - a[1]));
            left = fmin(left, x);
            right = fmax(right, x);
        }
    }
    *first = left <= right ? clamp_middle(left, 0, window->width) : 0;
    *end = left <= right ? clamp_middle(right, 0, window->width) : 0;
}

/* Where faces of both models coincide, B wins, so that rounding makes no pattern. */
static const double common_plane = 1e-7;

static void enter_face(const picture_window *window, const picture_face *face, uint32_t number, double favour,
                       picture_samples *samples)
{
    filling f;
    if (!start_filling(window, samples, face, &f)) {
        return;
    }
    for (uint32_t row = f.first_row; row < f.end_row; row++) {
        uint32_t column, end;
        fill_row(window, &f, row, &column, &end);
        size_t place = (size_t)(row - samples->first_row) * samples->width + column;
        for (; column < end; column++, place++) {
            const double depth = f.base + f.slope[0] * (column + 0.5) + f.slope[1] * (row + 0.5);
            if (depth + favour > samples->depth[place]) {
                samples->depth[place] = depth;
                samples->front[place] = number;
            }
        }
    }
}

/* ---- both models ---- */

/* Where the frontmost face is the inside of a closed surface, the cut plane is visible: moves the depth there. */
static void raise_to_cut(const picture_scene *scene, const picture_window *window, int body, picture_samples *samples)
{
    double normal[3] = {0};
    picture_look(&scene->camera, scene->camera.cut, normal);
    for (uint32_t row = 0; row < samples->row_count && normal[2] != 0; row++) {
        const double y = samples->first_row + row + 0.5;
        const double up = window->centre[1] - (y - window->height / 2.0) / window->scale;
        for (uint32_t column = 0; column < samples->width; column++) {
            const size_t place = (size_t)row * samples->width + column;
            const uint32_t front = samples->front[place];
            if (front != PICTURE_NOTHING && scene->faces[front].inside) {
                const double right = window->centre[0] + (column + 0.5 - window->width / 2.0) / window->scale;
                samples->depth[place] = (scene->camera.cut[3] - normal[0] * right - normal[1] * up) / normal[2];
                samples->caps[place] |= (uint8_t)(1 << body);
            }
        }
    }
}

static void clear_samples(picture_samples *samples)
{
    for (size_t i = 0; i < (size_t)samples->width * samples->row_count; i++) {
        samples->front[i] = PICTURE_NOTHING;
        samples->depth[i] = -INFINITY;
    }
}

static void exchange(picture_samples *samples)
{
    uint32_t *front = samples->front;
    double *depth = samples->depth;
    samples->front = samples->behind;
    samples->depth = samples->behind_depth;
    samples->behind = front;
    samples->behind_depth = depth;
}

/* B is in front, A is in `behind`. */
static void merge(const picture_scene *scene, picture_samples *samples)
{
    for (size_t i = 0; i < (size_t)samples->width * samples->row_count; i++) {
        if (samples->behind_depth[i] > samples->depth[i] + common_plane) {
            samples->front[i] = samples->behind[i];
            samples->depth[i] = samples->behind_depth[i];
        }
        const uint32_t front = samples->front[i];
        if (front != PICTURE_NOTHING && !scene->faces[front].inside) {
            samples->caps[i] = 0;
        }
    }
}

/* Samples each model on its own, because each has its own cut faces. */
static void take_cut_samples(const picture_scene *scene, const picture_window *window, picture_samples *samples)
{
    for (int body = 0; body < 2; body++) {
        exchange(samples);
        clear_samples(samples);
        for (size_t i = 0; i < scene->face_count; i++) {
            if (scene->faces[i].body == body) {
                enter_face(window, &scene->faces[i], (uint32_t)i, 0, samples);
            }
        }
        raise_to_cut(scene, window, body, samples);
    }
    merge(scene, samples);
}

void picture_take_samples(const picture_scene *scene, const picture_window *window, uint32_t first_row,
                          picture_samples *samples)
{
    samples->first_row = first_row;
    memset(samples->caps, 0, (size_t)samples->width * samples->row_count);
    if (scene->camera.cut_bodies) {
        take_cut_samples(scene, window, samples);
        return;
    }
    clear_samples(samples);
    for (size_t i = 0; i < scene->face_count; i++) { /* those of A come first */
        enter_face(window, &scene->faces[i], (uint32_t)i, scene->faces[i].body ? common_plane : 0, samples);
    }
}

int picture_allocate_samples(picture_samples *samples, const picture_window *window, uint32_t row_count)
{
    const size_t area = (size_t)window->width * row_count;
    *samples = (picture_samples){.width = window->width, .row_count = row_count};
    samples->front = malloc(area * sizeof *samples->front);
    samples->behind = malloc(area * sizeof *samples->behind);
    samples->depth = malloc(area * sizeof *samples->depth);
    samples->behind_depth = malloc(area * sizeof *samples->behind_depth);
    samples->caps = malloc(area);
    return samples->front && samples->behind && samples->depth && samples->behind_depth && samples->caps;
}

void picture_release_samples(picture_samples *samples)
{
    free(samples->front);
    free(samples->behind);
    free(samples->depth);
    free(samples->behind_depth);
    free(samples->caps);
    *samples = (picture_samples){.width = 0};
}

/* ---- lines ---- */

/* The index of the farthest of the nine squares around a point: beside an outline, what lies behind it. The number of
 * squares if none is in the window. */
static size_t farthest_around(const picture_samples *samples, const double at[2])
{
    const size_t none = (size_t)samples->width * samples->row_count;
    size_t farthest = none;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            const double x = floor(at[0]) + dx, y = floor(at[1]) + dy;
            if (x < 0 || y < 0 || x >= samples->width || y >= samples->row_count) {
                continue;
            }
            const size_t place = (size_t)y * samples->width + (size_t)x;
            if (farthest == none || samples->depth[place] < samples->depth[farthest]) {
                farthest = place;
            }
        }
    }
    return farthest;
}

/* The square that hides a point, or the number of all squares. */
static size_t hiding_place(const picture_window *window, const picture_samples *samples, const double at[2],
                           double depth)
{
    const double slack = 1.5 / window->scale; /* of depth: one and a half units of the drawing */
    const size_t none = (size_t)samples->width * samples->row_count, place = farthest_around(samples, at);
    return place != none && depth + slack < samples->depth[place] ? place : none;
}

int picture_hiding_body(const picture_scene *scene, const picture_window *window, const picture_samples *samples,
                        const double seen[3])
{
    double at[2];
    picture_to_window(window, seen, at);
    const size_t place = hiding_place(window, samples, at, seen[2]);
    return place < (size_t)samples->width * samples->row_count ? scene->faces[samples->front[place]].body : -1;
}

/* Clips a line to the window and a margin, as fractions of its length. Returns 0 if it is outside. */
static int clip_line(const picture_window *window, double at[2][2], double range[2])
{
    const double margin = 20, sizes[2] = {window->width, window->height};
    range[0] = 0;
    range[1] = 1;
    for (int k = 0; k < 2; k++) {
        const double step = at[1][k] - at[0][k], low = -margin - at[0][k], high = sizes[k] + margin - at[0][k];
        if (step == 0) {
            range[1] = low <= 0 && high >= 0 ? range[1] : -1;
        } else {
            range[0] = fmax(range[0], fmin(low / step, high / step));
            range[1] = fmin(range[1], fmax(low / step, high / step));
        }
    }
    return range[0] <= range[1];
}

static int is_hidden(const picture_window *window, const picture_samples *samples, const double ends[2][3],
                     double along)
{
    double seen[3], at[2];
    for (int k = 0; k < 3; k++) {
        seen[k] = ends[0][k] + (ends[1][k] - ends[0][k]) * along;
    }
    picture_to_window(window, seen, at);
    return hiding_place(window, samples, at, seen[2]) != (size_t)samples->width * samples->row_count;
}

void picture_visible_parts(const picture_window *window, const picture_samples *samples, const double ends[2][3],
                           int hidden, picture_draw_part *draw, void *user)
{
    double at[2][2], range[2], start = -1;
    picture_to_window(window, ends[0], at[0]);
    picture_to_window(window, ends[1], at[1]);
    if (!clip_line(window, at, range)) {
        return;
    }
    const double share = range[1] - range[0];
    const double length = hypot(at[1][0] - at[0][0], at[1][1] - at[0][1]) * share;
    const uint32_t count = length < 1e5 ? (uint32_t)(length / 1.5) + 2 : 2;
    for (uint32_t i = 0; i <= count; i++) {
        const int wanted =
            i < count && is_hidden(window, samples, ends, range[0] + share * (i + 0.5) / count) == hidden;
        const double here = range[0] + share * i / count;
        if (wanted && start < 0) {
            start = here;
        } else if (!wanted && start >= 0) {
            draw(user, ends, start, here);
            start = -1;
        }
    }
}
