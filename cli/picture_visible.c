/* What is visible in a window: a depth buffer, and from it an order for painting. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture_scene.h"

void picture_to_window(const picture_window *window, const double seen[3], double at[2])
{
    at[0] = (seen[0] - window->centre[0]) * window->scale + window->width / 2.0;
    at[1] = (window->centre[1] - seen[1]) * window->scale + window->height / 2.0;
}

/* ---- Filling faces ---- */

/* A face in the window: the middles of the unit squares that it covers, row by row. */
typedef struct filling {
    double points[4][2];
    uint32_t count;
    double base, slope[2]; /* depth at a point: base + slope[0] * x + slope[1] * y */
    uint32_t first_row, end_row;
} filling;

static uint32_t clamp_middle(double at, uint32_t most)
{
    return at <= 0.5 ? 0 : at - 0.5 >= most ? most : (uint32_t)ceil(at - 0.5);
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

static int start_filling(const picture_window *window, const picture_face *face, filling *f)
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
    if (upper[0] < 0 || lower[0] > window->width || upper[1] < 0 || lower[1] > window->height) {
        return 0;
    }
    f->first_row = clamp_middle(lower[1], window->height);
    f->end_row = clamp_middle(upper[1], window->height);
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
    *first = left <= right ? clamp_middle(left, window->width) : 0;
    *end = left <= right ? clamp_middle(right, window->width) : 0;
}

/* ---- The depth buffer ---- */

static void enter_face(const picture_window *window, const picture_face *face, uint32_t number,
                       picture_visible *visible)
{
    filling f;
    if (!start_filling(window, face, &f)) {
        return;
    }
    for (uint32_t row = f.first_row; row < f.end_row; row++) {
        uint32_t column, end;
        fill_row(window, &f, row, &column, &end);
        size_t place = (size_t)row * window->width + column;
        for (; column < end; column++, place++) {
            const double depth = f.base + f.slope[0] * (column + 0.5) + f.slope[1] * (row + 0.5);
            if (depth > visible->depth[place]) {
                visible->depth[place] = depth;
                visible->front[place] = number;
            }
        }
    }
}

/* Where the front of A is the inside of its surface, one really looks at the cut: that is where what is seen lies. */
static void raise_to_cut(const picture_scene *scene, const picture_window *window, picture_visible *visible)
{
    double normal[3] = {0};
    picture_look(&scene->camera, scene->camera.cut, normal);
    for (uint32_t row = 0; row < window->height && normal[2] != 0; row++) {
        const double up = window->centre[1] - (row + 0.5 - window->height / 2.0) / window->scale;
        for (uint32_t column = 0; column < window->width; column++) {
            const size_t place = (size_t)row * window->width + column;
            const uint32_t front = visible->front[place];
            if (front != PICTURE_NOTHING && scene->faces[front].inside) {
                const double right = window->centre[0] + (column + 0.5 - window->width / 2.0) / window->scale;
                visible->depth[place] = (scene->camera.cut[3] - normal[0] * right - normal[1] * up) / normal[2];
            }
        }
    }
}

static int fill_buffer(const picture_scene *scene, const picture_window *window, picture_visible *visible)
{
    const size_t area = (size_t)window->width * window->height;
    visible->front = calloc(area, sizeof *visible->front);
    visible->depth = malloc(area * sizeof *visible->depth);
    if (!visible->front || !visible->depth) {
        return 0;
    }
    for (size_t i = 0; i < area; i++) {
        visible->front[i] = PICTURE_NOTHING;
        visible->depth[i] = -INFINITY;
    }
    for (uint8_t body = 0; body < 2; body++) {
        for (size_t i = 0; i < scene->face_count; i++) {
            if (scene->faces[i].body == body) {
                enter_face(window, &scene->faces[i], (uint32_t)i, visible);
            }
        }
        if (body == 0 && scene->camera.has_cut) {
            raise_to_cut(scene, window, visible);
        }
    }
    return 1;
}

/* ---- The order ----
 * Where a visible face covers a square in which another one is in front, that one must be painted later. An order that
 * respects all of this may not exist (faces can cover each other in a circle); then the farthest face that is left goes
 * first. */

typedef struct constraint {
    uint32_t later, next; /* next constraint of the same face, or PICTURE_NOTHING */
} constraint;

typedef struct sorter {
    const picture_scene *scene;
    const picture_window *window;
    picture_visible *visible;
    uint32_t *faces; /* the visible ones, farthest first */
    uint32_t *index; /* of each face of the scene among these, or PICTURE_NOTHING */
    double *depths;  /* of each visible one */
    uint32_t *first; /* constraint of each */
    uint32_t *waits; /* how many must be painted before it */
    uint32_t *seen;  /* the last face that found it in front, plus one */
    uint32_t *ready; /* heap of indices that wait for nothing; the smallest, that is farthest, on top */
    size_t ready_count;
    constraint *constraints;
    size_t constraint_count, constraint_capacity;
} sorter;

static double mean_depth(const picture_face *face)
{
    double sum = 0;
    for (int k = 0; k < face->corner_count; k++) {
        sum += face->corners[k][2];
    }
    return sum / face->corner_count;
}

typedef struct far_face {
    double depth;
    uint32_t face;
} far_face;

static int compare_far(const void *a, const void *b)
{
    const far_face *x = a, *y = b;
    return x->depth != y->depth ? (x->depth < y->depth ? -1 : 1) : x->face < y->face ? -1 : x->face > y->face;
}

/* Lists the faces that are in front somewhere, farthest first. */
static int list_visible(sorter *s)
{
    const size_t area = (size_t)s->window->width * s->window->height;
    for (size_t i = 0; i < s->scene->face_count; i++) {
        s->index[i] = PICTURE_NOTHING;
    }
    for (size_t i = 0; i < area; i++) {
        const uint32_t face = s->visible->front[i];
        if (face != PICTURE_NOTHING && s->index[face] == PICTURE_NOTHING) {
            s->index[face] = 0;
            s->visible->count++;
        }
    }
    far_face *list = malloc((s->visible->count + 1) * sizeof *list);
    if (!list) {
        return 0;
    }
    size_t count = 0;
    for (uint32_t i = 0; i < s->scene->face_count; i++) {
        if (s->index[i] != PICTURE_NOTHING) {
            list[count].depth = mean_depth(&s->scene->faces[i]);
            list[count++].face = i;
        }
    }
    qsort(list, count, sizeof *list, compare_far);
    for (size_t i = 0; i < count; i++) {
        s->faces[i] = list[i].face;
        s->index[list[i].face] = (uint32_t)i;
    }
    free(list);
    return 1;
}

static int add_constraint(sorter *s, uint32_t earlier, uint32_t later)
{
    if (s->constraint_count == s->constraint_capacity) {
        const size_t wanted = s->constraint_capacity ? 2 * s->constraint_capacity : 4096;
        constraint *grown = realloc(s->constraints, wanted * sizeof *grown);
        if (!grown) {
            return 0;
        }
        s->constraints = grown;
        s->constraint_capacity = wanted;
    }
    s->constraints[s->constraint_count] = (constraint){later, s->first[earlier]};
    s->first[earlier] = (uint32_t)s->constraint_count++;
    s->waits[later]++;
    return 1;
}

static int find_constraints(sorter *s, uint32_t index)
{
    filling f;
    if (!start_filling(s->window, &s->scene->faces[s->faces[index]], &f)) {
        return 1;
    }
    for (uint32_t row = f.first_row; row < f.end_row; row++) {
        uint32_t column = 0, end = 0;
        fill_row(s->window, &f, row, &column, &end);
        for (; column < end; column++) {
            const uint32_t front = s->visible->front[(size_t)row * s->window->width + column];
            const uint32_t later = s->index[front];
            if (later != index && s->seen[later] != index + 1) {
                s->seen[later] = index + 1;
                if (!add_constraint(s, index, later)) {
                    return 0;
                }
            }
        }
    }
    return 1;
}

static void push_ready(sorter *s, uint32_t index)
{
    size_t place = s->ready_count++;
    while (place && s->ready[(place - 1) / 2] > index) {
        s->ready[place] = s->ready[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    s->ready[place] = index;
}

static uint32_t pop_ready(sorter *s)
{
    const uint32_t top = s->ready[0], last = s->ready[--s->ready_count];
    size_t place = 0;
    for (size_t child = 1; child < s->ready_count; child = 2 * place + 1) {
        if (child + 1 < s->ready_count && s->ready[child + 1] < s->ready[child]) {
            child++;
        }
        if (s->ready[child] >= last) {
            break;
        }
        s->ready[place] = s->ready[child];
        place = child;
    }
    s->ready[place] = last;
    return top;
}

#define PAINTED UINT32_MAX

static void paint_in_order(sorter *s)
{
    size_t count = 0;
    uint32_t forced = 0;
    for (uint32_t i = 0; i < s->visible->count; i++) {
        if (s->waits[i] == 0) {
            push_ready(s, i);
        }
    }
    while (count < s->visible->count) {
        while (!s->ready_count) { /* a circle: the farthest that is left */
            if (s->waits[forced] != PAINTED) {
                push_ready(s, forced);
            }
            forced++;
        }
        const uint32_t index = pop_ready(s);
        if (s->waits[index] == PAINTED) {
            continue;
        }
        s->waits[index] = PAINTED;
        s->visible->order[count++] = s->faces[index];
        for (uint32_t k = s->first[index]; k != PICTURE_NOTHING; k = s->constraints[k].next) {
            /* `first` was filled with PICTURE_NOTHING, which the analyser does not follow through memset */
            /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference,clang-analyzer-core.uninitialized.Assign) */
            const uint32_t later = s->constraints[k].later;
            if (s->waits[later] != PAINTED && --s->waits[later] == 0) {
                push_ready(s, later);
            }
        }
    }
}

static int allocate_sorter(sorter *s)
{
    const size_t count = s->visible->count + 1;
    s->first = malloc(count * sizeof *s->first);
    s->waits = calloc(count, sizeof *s->waits);
    s->seen = calloc(count, sizeof *s->seen);
    s->ready = malloc(2 * count * sizeof *s->ready); /* a forced one comes a second time */
    s->visible->order = malloc(count * sizeof *s->visible->order);
    if (!s->first || !s->waits || !s->seen || !s->ready || !s->visible->order) {
        return 0;
    }
    memset(s->first, 0xff, count * sizeof *s->first);
    return 1;
}

static int sort_faces(const picture_scene *scene, const picture_window *window, picture_visible *visible)
{
    sorter s = {.scene = scene, .window = window, .visible = visible};
    s.index = calloc(scene->face_count + 1, sizeof *s.index);
    s.faces = calloc(scene->face_count + 1, sizeof *s.faces);
    int done = s.index && s.faces && list_visible(&s) && allocate_sorter(&s);
    for (uint32_t i = 0; i < visible->count && done; i++) {
        done = find_constraints(&s, i);
    }
    if (done) {
        paint_in_order(&s);
    }
    free(s.index);
    free(s.faces);
    free(s.first);
    free(s.waits);
    free(s.seen);
    free(s.ready);
    free(s.constraints);
    return done;
}

int picture_find_visible(const picture_scene *scene, const picture_window *window, picture_visible *visible)
{
    memset(visible, 0, sizeof *visible);
    return fill_buffer(scene, window, visible) && sort_faces(scene, window, visible);
}

void picture_release_visible(picture_visible *visible)
{
    free(visible->front);
    free(visible->depth);
    free(visible->order);
    memset(visible, 0, sizeof *visible);
}

/* ---- Edges ---- */

/* The farthest of the squares around a point: beside an outline this is what lies behind it. */
static double farthest_around(const picture_window *window, const picture_visible *visible, const double at[2])
{
    double farthest = INFINITY;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            const double x = floor(at[0]) + dx, y = floor(at[1]) + dy;
            if (x < 0 || y < 0 || x >= window->width || y >= window->height) {
                continue;
            }
            farthest = fmin(farthest, visible->depth[(size_t)y * window->width + (size_t)x]);
        }
    }
    return farthest;
}

void picture_visible_parts(const picture_window *window, const picture_visible *visible, const picture_edge *edge,
                           picture_draw_part *draw, void *user)
{
    double ends[2][2];
    picture_to_window(window, edge->ends[0], ends[0]);
    picture_to_window(window, edge->ends[1], ends[1]);
    if (fmax(ends[0][0], ends[1][0]) < 0 || fmin(ends[0][0], ends[1][0]) > window->width ||
        fmax(ends[0][1], ends[1][1]) < 0 || fmin(ends[0][1], ends[1][1]) > window->height) {
        return;
    }
    const double length = hypot(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]);
    if (!isfinite(length)) {
        return;
    }
    const double slack = 1.5 / window->scale; /* of depth: one and a half units of the drawing */
    const uint32_t samples = length < 1e5 ? (uint32_t)(length / 1.5) + 2 : 2;
    double start = -1;
    for (uint32_t i = 0; i <= samples; i++) {
        int shown = 0;
        if (i < samples) {
            const double along = (i + 0.5) / samples;
            const double at[2] = {ends[0][0] + (ends[1][0] - ends[0][0]) * along,
                                  ends[0][1] + (ends[1][1] - ends[0][1]) * along};
            const double depth = edge->ends[0][2] + (edge->ends[1][2] - edge->ends[0][2]) * along;
            shown = depth + slack >= farthest_around(window, visible, at);
        }
        if (shown && start < 0) {
            start = (double)i / samples;
        } else if (!shown && start >= 0) {
            draw(user, edge, start, (double)i / samples);
            start = -1;
        }
    }
}
