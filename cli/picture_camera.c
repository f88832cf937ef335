/* From where a picture is taken, and what is cut away: so that the contacts can be seen. */
#include <math.h>
#include <string.h>

#include "picture_scene.h"
#include "picture_vector.h"

static const picture_window trial_window = {.width = 320, .height = 320};

static int is_given(const double v[3])
{
    return v[0] != 0 || v[1] != 0 || v[2] != 0;
}

/* A direction that is not along another one. */
static void other_direction(const double direction[3], double out[3])
{
    const int smallest = fabs(direction[1]) <= fabs(direction[0]) && fabs(direction[1]) <= fabs(direction[2]) ? 1
                         : fabs(direction[2]) <= fabs(direction[0])                                           ? 2
                                                                                                              : 0;
    for (int k = 0; k < 3; k++) {
        out[k] = k == smallest ? 1 : 0;
    }
}

/* Looks from `toward`, of length one. */
static void set_directions(picture_camera *camera, const double toward[3], const double up[3])
{
    double other[3];
    memcpy(camera->near, toward, sizeof camera->near);
    picture_cross(up, toward, camera->right);
    if (picture_dot(camera->right, camera->right) < 1e-12) {
        other_direction(toward, other);
        picture_cross(other, toward, camera->right);
    }
    picture_normalise(camera->right);
    picture_cross(camera->near, camera->right, camera->up);
}

/* ---- the view ---- */

/* A frame whose third axis is up. */
typedef struct ground {
    double x[3], y[3], up[3];
} ground;

static ground make_ground(const double up[3])
{
    ground g = {.up = {0, 0, 1}};
    if (is_given(up)) {
        memcpy(g.up, up, sizeof g.up);
        picture_normalise(g.up);
    }
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    picture_cross(y, g.up, g.x);
    if (picture_dot(g.x, g.x) < 1e-12) {
        picture_cross(x, g.up, g.y); /* y is up or down: x stays on the right */
        picture_normalise(g.y);
        for (int k = 0; k < 3; k++) {
            g.y[k] = -g.y[k];
        }
        picture_cross(g.y, g.up, g.x);
        return g;
    }
    picture_normalise(g.x);
    picture_cross(g.up, g.x, g.y);
    return g;
}

/* From the front, so much to the right of it and so much above; the front is at `azimuth` from x. In radians. */
static void oblique(const ground *g, double azimuth, double aside, double above, double toward[3])
{
    const double angle = azimuth + aside;
    for (int k = 0; k < 3; k++) {
        toward[k] = cos(above) * (cos(angle) * g->x[k] + sin(angle) * g->y[k]) + sin(above) * g->up[k];
    }
}

static const double usual_aside = 0.5, usual_above = 0.42, quarter = 1.57079632679489662;

typedef struct box {
    double lower[3], upper[3];
} box;

static const box empty_box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void extend_box(box *b, const double point[3])
{
    for (int k = 0; k < 3; k++) {
        b->lower[k] = fmin(b->lower[k], point[k]);
        b->upper[k] = fmax(b->upper[k], point[k]);
    }
}

static box contact_box(const picture_scene *scene)
{
    box b = empty_box;
    for (size_t i = 0; i < 2 * scene->contact_count; i++) {
        extend_box(&b, scene->contacts[i / 2][i % 2]);
    }
    return b;
}

static box body_box(const picture_body *body)
{
    box b = empty_box;
    for (uint32_t i = 0; i < body->count; i++) {
        for (int corner = 0; corner < 3; corner++) {
            extend_box(&b, body->corners[i][corner]);
        }
    }
    return b;
}

/* 0 of an empty box. */
static double box_middle(const box *b, int axis)
{
    return b->lower[axis] <= b->upper[axis] ? (b->lower[axis] + b->upper[axis]) / 2 : 0;
}

/* The direction of the front: the contacts lie to the right of the middle of A, so that a cut through both shows them
 * in the section. */
static double front_azimuth(const picture_scene *scene, const ground *g)
{
    const box contacts = contact_box(scene), a = body_box(&scene->bodies[0]);
    double toward[3];
    for (int k = 0; k < 3; k++) {
        toward[k] = box_middle(&contacts, k) - box_middle(&a, k);
    }
    const double x = picture_dot(toward, g->x), y = picture_dot(toward, g->y);
    return (scene->contact_count && hypot(x, y) > 0.01 ? atan2(y, x) : 0) - quarter;
}

/* Obliquely upon a section. */
static void face_section(const ground *g, const double normal[3], double toward[3])
{
    const double usual[3] = {1, -1.2, 1};
    const double x = picture_dot(normal, g->x), y = picture_dot(normal, g->y), z = picture_dot(normal, g->up);
    const double sign = x * usual[0] + y * usual[1] + z * usual[2] < 0 ? -1 : 1;
    if (fabs(z) > 0.9) {
        oblique(g, -quarter, usual_aside, sign * 0.95, toward);
    } else {
        oblique(g, atan2(sign * y, sign * x), usual_aside, usual_above, toward);
    }
}

/* ---- the cut ---- */

/* A plane in the user's coordinates, turned so that the viewer is on the side that is left out. */
static void set_section(picture_scene *scene, const double section[4])
{
    picture_camera *camera = &scene->camera;
    double normal[3] = {section[0], section[1], section[2]};
    picture_normalise(normal);
    const double length = picture_dot(section, normal);
    const double sign = picture_dot(normal, camera->near) < -1e-9 ? -1 : 1;
    const double distance = section[3] / length - picture_dot(normal, scene->centre);
    for (int k = 0; k < 3; k++) {
        camera->cut[k] = sign * normal[k];
    }
    camera->cut[3] = sign * (distance / 2 / scene->size);
    camera->cut_bodies = 3;
}

/* What is left of a contact; 0: nothing. */
static int cut_contact(const picture_camera *camera, double ends[2][3])
{
    const double slack = 1e-9,
                 whole[2][3] = {{ends[0][0], ends[0][1], ends[0][2]}, {ends[1][0], ends[1][1], ends[1][2]}};
    const double beyond[2] = {picture_dot(camera->cut, ends[0]) - camera->cut[3],
                              picture_dot(camera->cut, ends[1]) - camera->cut[3]};
    for (int end = 0; end < 2; end++) {
        if (beyond[end] > slack && beyond[!end] <= slack) {
            const double share = beyond[end] / (beyond[end] - beyond[!end]);
            for (int k = 0; k < 3; k++) {
                ends[end][k] = whole[end][k] + (whole[!end][k] - whole[end][k]) * fmin(1, share);
            }
        }
    }
    return fmin(beyond[0], beyond[1]) <= slack;
}

/* Contacts on what a section leaves out go with it. */
static void cut_contacts(picture_scene *scene)
{
    size_t count = 0;
    for (size_t i = 0; i < scene->contact_count; i++) {
        if (cut_contact(&scene->camera, scene->contacts[i])) {
            memmove(scene->contacts[count++], scene->contacts[i], sizeof *scene->contacts);
        }
    }
    scene->contact_count = count;
}

/* A plane through the middle of a box. */
static void set_cut(picture_scene *scene, const double normal[3], const box *b, uint8_t bodies)
{
    const double middle[3] = {box_middle(b, 0), box_middle(b, 1), box_middle(b, 2)};
    memcpy(scene->camera.cut, normal, 3 * sizeof *normal);
    scene->camera.cut[3] = picture_dot(normal, middle);
    scene->camera.cut_bodies = bodies;
}

/* ---- trying ---- */

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

/* How much of the contacts one sees, in the enlargement. Not at their ends: those of a gap lie on the surfaces. */
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

static const double enough = 0.35; /* of the contacts: of a round one that is seen obliquely half is hidden */

typedef struct best_camera {
    picture_camera camera;
    double visible;
} best_camera;

/* Returns 1 to go on, 0 when this one will do or there is no memory. */
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
static int try_views(picture_scene *scene, const ground *g, double azimuth, best_camera *best, int *failed)
{
    static const double heights[] = {0.42, 1.0, -0.42};
    for (int i = 1; i < 12; i++) {
        double toward[3];
        sight s;
        oblique(g, azimuth + i % 4 * quarter, usual_aside, heights[i / 4], toward);
        set_directions(&scene->camera, toward, g->up);
        if (!try_camera(scene, best, &s, failed)) {
            return 0;
        }
    }
    return 1;
}

/* Cuts open what hides the contacts most, then the other model, then both. */
static int try_cuts(picture_scene *scene, const double normal[3], const sight *hidden, best_camera *best, int *failed)
{
    const int first = hidden->hiding[1] > hidden->hiding[0];
    const uint8_t bodies[3] = {(uint8_t)(1 << first), (uint8_t)(hidden->hiding[!first] > 0.2 ? 1 << !first : 0), 3};
    const box contacts = contact_box(scene);
    for (int i = 0; i < 3; i++) {
        sight s;
        set_cut(scene, normal, &contacts, bodies[i]);
        if (bodies[i] && !try_camera(scene, best, &s, failed)) {
            return 0;
        }
    }
    return 1;
}

/* The viewer's direction without what is up in it. */
static void level(const ground *g, const double toward[3], double out[3])
{
    const double high = picture_dot(toward, g->up);
    for (int k = 0; k < 3; k++) {
        out[k] = fabs(high) > 0.9 ? toward[k] : toward[k] - high * g->up[k];
    }
    picture_normalise(out);
}

/* An upright plane that faces the viewer; a level one for a view from above. */
static void cut_normal(const picture_scene *scene, const ground *g, int fixed, double azimuth, double normal[3])
{
    if (fixed) {
        level(g, scene->camera.near, normal);
    } else {
        oblique(g, azimuth, 0, 0, normal);
    }
}

/* Without contacts: a model that the other one hides altogether is shown by a cut through that. */
static int show_both(picture_scene *scene, const double normal[3])
{
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
        const box b = body_box(&scene->bodies[body]);
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
        const double at = picture_dot(body->corners[i / 3][i % 3], direction);
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

/* Whether one model stands in the other, with a quarter of its height or more: then other views show no more. */
static int are_nested(const picture_scene *scene, const ground *g)
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

/* As it is; with a cut and from elsewhere: the first that shows enough, else the one that shows most. */
static int show_contacts(picture_scene *scene, const ground *g, int fixed, int may_cut, double azimuth)
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

int picture_choose_camera(const cli_picture_view *view, picture_scene *scene)
{
    const ground g = make_ground(view->up);
    const int fixed = is_given(view->toward), section = view->cut == CLI_PICTURE_CUT_SECTION;
    const double azimuth = front_azimuth(scene, &g);
    double toward[3];
    memcpy(toward, view->toward, sizeof toward);
    if (!fixed && section) {
        double normal[3] = {view->section[0], view->section[1], view->section[2]};
        picture_normalise(normal);
        face_section(&g, normal, toward);
    } else if (!fixed) {
        oblique(&g, azimuth, usual_aside, usual_above, toward);
    }
    picture_normalise(toward);
    set_directions(&scene->camera, toward, g.up);
    if (section) {
        set_section(scene, view->section);
        cut_contacts(scene);
    } else if (scene->contact_count) {
        return show_contacts(scene, &g, fixed, view->cut != CLI_PICTURE_CUT_NEVER, azimuth);
    } else if (view->cut != CLI_PICTURE_CUT_NEVER) {
        double normal[3];
        cut_normal(scene, &g, fixed, azimuth, normal);
        return show_both(scene, normal);
    }
    return 1;
}
