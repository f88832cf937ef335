/* The viewpoint of a picture, and the plane that cuts the models. */
#include <math.h>
#include <string.h>

#include "picture_camera.h"
#include "picture_vector.h"

static int is_given(const double v[3])
{
    return v[0] != 0 || v[1] != 0 || v[2] != 0;
}

/* In views from straight above or below, x points right. */
void picture_set_directions(picture_camera *camera, const double toward[3], const picture_ground *g)
{
    memcpy(camera->near, toward, sizeof camera->near);
    tmb_cross(g->up, toward, camera->right);
    if (tmb_dot(camera->right, camera->right) < 1e-12) {
        memcpy(camera->right, g->x, sizeof camera->right);
    }
    picture_normalise(camera->right);
    tmb_cross(camera->near, camera->right, camera->up);
}

/* ---- the view ---- */

static picture_ground make_ground(const double up[3])
{
    picture_ground g = {.up = {0, 0, 1}};
    if (is_given(up)) {
        memcpy(g.up, up, sizeof g.up);
        picture_normalise(g.up);
    }
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    tmb_cross(y, g.up, g.x);
    if (tmb_dot(g.x, g.x) < 1e-12) {
        tmb_cross(x, g.up, g.y); /* y is up or down: x stays on the right */
        picture_normalise(g.y);
        for (int k = 0; k < 3; k++) {
            g.y[k] = -g.y[k];
        }
        tmb_cross(g.y, g.up, g.x);
        return g;
    }
    picture_normalise(g.x);
    tmb_cross(g.up, g.x, g.y);
    return g;
}

void picture_oblique(const picture_ground *g, double azimuth, double aside, double above, double toward[3])
{
    const double angle = azimuth + aside;
    for (int k = 0; k < 3; k++) {
        toward[k] = cos(above) * (cos(angle) * g->x[k] + sin(angle) * g->y[k]) + sin(above) * g->up[k];
    }
}

/* The azimuth of the front. It puts the contacts to the right of A's centre, so that a cut through both shows them. */
static double front_azimuth(const picture_scene *scene, const picture_ground *g)
{
    const picture_box contacts = picture_contact_box(scene), a = picture_body_box(&scene->bodies[0]);
    double toward[3];
    for (int k = 0; k < 3; k++) {
        toward[k] = picture_box_middle(&contacts, k) - picture_box_middle(&a, k);
    }
    const double x = tmb_dot(toward, g->x), y = tmb_dot(toward, g->y);
    return (scene->contact_count && hypot(x, y) > 0.01 ? atan2(y, x) : 0) - PICTURE_QUARTER;
}

/* An oblique view of a section. */
static void face_section(const picture_ground *g, const double normal[3], double toward[3])
{
    const double usual[3] = {1, -1.2, 1};
    const double x = tmb_dot(normal, g->x), y = tmb_dot(normal, g->y), z = tmb_dot(normal, g->up);
    const double sign = x * usual[0] + y * usual[1] + z * usual[2] < 0 ? -1 : 1;
    if (fabs(z) > 0.9) {
        picture_oblique(g, -PICTURE_QUARTER, PICTURE_ASIDE, sign * 0.95, toward);
    } else {
        picture_oblique(g, atan2(sign * y, sign * x), PICTURE_ASIDE, PICTURE_ABOVE, toward);
    }
}

/* ---- the cut ---- */

/* A plane in the user's coordinates, oriented so that the viewer's side is removed. */
static void set_section(picture_scene *scene, const double section[4])
{
    picture_camera *camera = &scene->camera;
    double normal[3] = {section[0], section[1], section[2]};
    picture_normalise(normal);
    const double length = tmb_dot(section, normal);
    const double sign = tmb_dot(normal, camera->near) < -1e-9 ? -1 : 1;
    const double distance = section[3] / length - tmb_dot(normal, scene->centre);
    for (int k = 0; k < 3; k++) {
        camera->cut[k] = sign * normal[k];
    }
    camera->cut[3] = sign * (distance / 2 / scene->size);
    camera->cut_bodies = 3;
}

/* Clips a contact to the side that stays. Returns 0 if nothing is left. */
static int cut_contact(const picture_camera *camera, double ends[2][3])
{
    const double slack = 1e-9,
                 whole[2][3] = {{ends[0][0], ends[0][1], ends[0][2]}, {ends[1][0], ends[1][1], ends[1][2]}};
    const double beyond[2] = {tmb_dot(camera->cut, ends[0]) - camera->cut[3],
                              tmb_dot(camera->cut, ends[1]) - camera->cut[3]};
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

/* Contacts on the removed side are removed as well. */
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

int picture_choose_camera(const cli_picture_view *view, picture_scene *scene)
{
    const picture_ground g = make_ground(view->up);
    const int fixed = is_given(view->toward), section = view->cut == CLI_PICTURE_CUT_SECTION;
    const double azimuth = front_azimuth(scene, &g);
    double toward[3];
    for (int k = 0; k < 3; k++) {
        toward[k] = view->upright ? view->toward[0] * g.x[k] + view->toward[1] * g.y[k] + view->toward[2] * g.up[k]
                                  : view->toward[k];
    }
    if (!fixed && section) {
        double normal[3] = {view->section[0], view->section[1], view->section[2]};
        picture_normalise(normal);
        face_section(&g, normal, toward);
    } else if (!fixed) {
        picture_oblique(&g, azimuth, PICTURE_ASIDE, PICTURE_ABOVE, toward);
    }
    picture_normalise(toward);
    picture_set_directions(&scene->camera, toward, &g);
    if (section) {
        set_section(scene, view->section);
        cut_contacts(scene);
    } else if (scene->contact_count) {
        return picture_show_contacts(scene, &g, fixed, view->cut != CLI_PICTURE_CUT_NEVER, azimuth);
    } else if (view->cut != CLI_PICTURE_CUT_NEVER) {
        return picture_show_both(scene, &g, fixed, azimuth);
    }
    return 1;
}
