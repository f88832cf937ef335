/* How much of the contacts is visible, and what to cut open to see more. */
#include <math.h>
#include <string.h>

#include "picture_camera.h"
#include "picture_vector.h"

static const picture_window trial_window = {.width = 320, .height = 320};

/* ---- boxes ---- */

static const picture_box empty_box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void extend_box(picture_box *b, const double point[3])
{
    for (int k = 0; k < 3; k++) {
        b->lower[k] = fmin(b->lower[k], point[k]);
        b->upper[k] = fmax(b->upper[k], point[k]);
    }
}

picture_box picture_contact_box(const picture_scene *scene)
{
    picture_box b = empty_box;
    for (size_t i = 0; i < 2 * scene->contact_count; i++) {
        extend_box(&b, scene->contacts[i / 2][i % 2]);
    }
    return b;
}

picture_box picture_body_box(const picture_body *body)
{
    picture_box b = empty_box;
    for (uint32_t i = 0; i < body->count; i++) {
        for (int corner = 0; corner < 3; corner++) {
            extend_box(&b, body->corners[i][corner]);
        }
    }
    return b;
}

double picture_box_middle(const picture_box *b, int axis)
{
    return b->lower[axis] <= b->upper[axis] ? (b->lower[axis] + b->upper[axis]) / 2 : 0;
}

/* ---- trying ---- */

/* A plane through the middle of a box. */
static void set_cut(picture_scene *scene, const double normal[3], const picture_box *b, uint8_t bodies)
{
    const double middle[3] = {picture_box_middle(b, 0), picture_box_middle(b, 1), picture_box_middle(b, 2)};
    memcpy(scene->camera.cut, normal, 3 * sizeof *normal);
    scene->camera.cut[3] = tmb_dot(normal, middle);
    scene->camera.cut_bodies = bodies;
}

typedef struct sight {
    double visible;   /* share of the contacts */
    double hiding[2]; /* share that A and B hide */
} sight;

static void inner_point(double ends[2][3], double share, double out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = ends[0][k] + (ends[1][k] - ends[0][k]) * share;
    }
}

/* How much of the contacts is visible in the enlargement. Ends are not sampled: those of a gap lie on the surfaces. */
static int look_at_contacts(picture_scene *scene, sight *s)
{
    enum {
        MOST = 400
    };
    picture_samples samples = {.width = 0};
    if (!picture_collect_faces(scene) || !picture_allocate_samples(&samples, &trial_window, trial_window.height)) {
        picture_release_samples(&samples);
        return 0;
    }
    const picture_bounds all = picture_scene_bounds(scene);
    const picture_window whole = picture_fit_window(&trial_window, &all, 0.94, INFINITY);
    const picture_window window = picture_fit_detail(scene, &trial_window, &whole);
    picture_take_samples(scene, &window, 0, &samples);
    const size_t step = 3 * scene->contact_count / MOST + 1;
    double count = 0;
    *s = (sight){.visible = 0};
    for (size_t i = 0; i < 3 * scene->contact_count; i += step, count++) {
        double point[3], seen[3];
        inner_point(scene->contacts[i / 3], 0.15 + 0.35 * (double)(i % 3), point);
        picture_look(&scene->camera, point, seen);
        const int body = picture_hiding_body(scene, &window, &samples, seen);
        *(body < 0 ? &s->visible : &s->hiding[body]) += 1;
    }
    s->visible /= count;
    s->hiding[0] /= count;
    s->hiding[1] /= count;
    picture_release_samples(&samples);
    return 1;
}

static const double enough = 0.35; /* share of the contacts: half of a ring is hidden in oblique views */

typedef struct best_camera {
    picture_camera camera;
    double visible;
} best_camera;

/* Returns 0 if this camera will do or memory runs out. */
static int try_camera(picture_scene *scene, best_camera *best, sight *s, int *failed)
{
    if (!look_at_contacts(scene, s)) {
        *failed = 1;
        return 0;
    }
    if (s->visible > best->visible + 0.02) {
        best->camera = scene->camera;
        best->visible = s->visible;
    }
    return s->visible < enough;
}

/* From other sides, from higher up, then from below. */
static int try_views(picture_scene *scene, const picture_ground *g, double azimuth, best_camera *best, int *failed)
{
    static const double heights[] = {0.42, 1.0, -0.42};
    for (int i = 1; i < 12; i++) {
        double toward[3];
        sight s;
        picture_oblique(g, azimuth + i % 4 * PICTURE_QUARTER, PICTURE_ASIDE, heights[i / 4], toward);
        picture_set_directions(&scene->camera, toward, g);
        if (!try_camera(scene, best, &s, failed)) {
            return 0;
        }
    }
    return 1;
}

/* Cuts the model that hides most, then the other one, then both. */
static int try_cuts(picture_scene *scene, const double normal[3], const sight *hidden, best_camera *best, int *failed)
{
    const int first = hidden->hiding[1] > hidden->hiding[0];
    const uint8_t bodies[3] = {(uint8_t)(1 << first), (uint8_t)(hidden->hiding[!first] > 0.2 ? 1 << !first : 0), 3};
    const picture_box contacts = picture_contact_box(scene);
    for (int i = 0; i < 3; i++) {
        sight s;
        set_cut(scene, normal, &contacts, bodies[i]);
        if (bodies[i] && !try_camera(scene, best, &s, failed)) {
            return 0;
        }
    }
    return 1;
}

/* The horizontal part of a direction; steep ones stay as they are. */
static void level(const picture_ground *g, const double toward[3], double out[3])
{
    const double high = tmb_dot(toward, g->up);
    for (int k = 0; k < 3; k++) {
        out[k] = fabs(high) > 0.9 ? toward[k] : toward[k] - high * g->up[k];
    }
    picture_normalise(out);
}

/* An upright plane that faces the viewer; a level one for a view from above. */
static void cut_normal(const picture_scene *scene, const picture_ground *g, int fixed, double azimuth, double normal[3])
{
    if (fixed) {
        level(g, scene->camera.near, normal);
    } else {
        picture_oblique(g, azimuth, 0, 0, normal);
    }
}

int picture_show_both(picture_scene *scene, const picture_ground *g, int fixed, double azimuth)
{
    double normal[3];
    cut_normal(scene, g, fixed, azimuth, normal);
    picture_samples samples = {.width = 0};
    if (!picture_collect_faces(scene) || !picture_allocate_samples(&samples, &trial_window, trial_window.height)) {
        picture_release_samples(&samples);
        return 0;
    }
    const picture_bounds all = picture_scene_bounds(scene);
    const picture_window whole = picture_fit_window(&trial_window, &all, 0.94, INFINITY);
    size_t seen[2] = {0, 0};
    picture_take_samples(scene, &whole, 0, &samples);
    for (size_t i = 0; i < (size_t)samples.width * samples.row_count; i++) {
        if (samples.front[i] != PICTURE_NOTHING) {
            seen[scene->faces[samples.front[i]].body]++;
        }
    }
    picture_release_samples(&samples);
    for (int body = 0; body < 2; body++) {
        const picture_box b = picture_body_box(&scene->bodies[body]);
        if (!seen[body] && seen[!body] && scene->bodies[body].count) {
            set_cut(scene, normal, &b, (uint8_t)(1 << !body));
        }
    }
    return 1;
}

/* How far the corners of a body reach along a direction. */
static void reach(const picture_body *body, const double direction[3], double range[2])
{
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (uint32_t i = 0; i < 3 * body->count; i++) {
        const double at = tmb_dot(body->corners[i / 3][i % 3], direction);
        range[0] = fmin(range[0], at);
        range[1] = fmax(range[1], at);
    }
}

/* How much of a range lies in another one. */
static double share_within(const double range[2], const double other[2])
{
    const double common = fmin(range[1], other[1]) - fmax(range[0], other[0]);
    return range[1] > range[0] ? fmax(0, common) / (range[1] - range[0]) : common >= 0;
}

/* Whether a quarter or more of one model's height stands inside the other: then other views show no more. */
static int are_nested(const picture_scene *scene, const picture_ground *g)
{
    double x[2][2], y[2][2], z[2][2];
    for (int body = 0; body < 2; body++) {
        reach(&scene->bodies[body], g->x, x[body]);
        reach(&scene->bodies[body], g->y, y[body]);
        reach(&scene->bodies[body], g->up, z[body]);
    }
    for (int in = 0; in < 2; in++) {
        if (share_within(x[in], x[!in]) >= 1 && share_within(y[in], y[!in]) >= 1 &&
            share_within(z[in], z[!in]) > 0.25) {
            return 1;
        }
    }
    return 0;
}

/* Tries the given view, then cuts and other views. Takes the first that shows enough, or the one that shows most. */
int picture_show_contacts(picture_scene *scene, const picture_ground *g, int fixed, int may_cut, double azimuth)
{
    const picture_camera first = scene->camera;
    best_camera best = {.camera = first, .visible = -1};
    sight s;
    double normal[3];
    int failed = 0;
    cut_normal(scene, g, fixed, azimuth, normal);
    int goes_on = try_camera(scene, &best, &s, &failed);
    for (int i = are_nested(scene, g) ? 0 : 1, end = i + 2; i < end && goes_on; i++) {
        scene->camera = first;
        if (i != 1 && may_cut) {
            goes_on = try_cuts(scene, normal, &s, &best, &failed);
        } else if (i == 1 && !fixed) {
            goes_on = try_views(scene, g, azimuth, &best, &failed);
        }
    }
    scene->camera = best.camera;
    return !failed;
}
