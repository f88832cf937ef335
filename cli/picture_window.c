/* Windows of a picture: which part of what is seen they show. */
#include <math.h>

#include "picture_scene.h"

void picture_to_window(const picture_window *window, const double seen[3], double at[2])
{
    at[0] = (seen[0] - window->centre[0]) * window->scale + window->width / 2.0;
    at[1] = (window->centre[1] - seen[1]) * window->scale + window->height / 2.0;
}

static const picture_bounds no_bounds = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};

static void extend(picture_bounds *b, const double seen[3])
{
    for (int k = 0; k < 2; k++) {
        b->lower[k] = fmin(b->lower[k], seen[k]);
        b->upper[k] = fmax(b->upper[k], seen[k]);
    }
}

picture_bounds picture_body_bounds(const picture_scene *scene, int body)
{
    picture_bounds b = no_bounds;
    for (size_t i = 0; i < scene->face_count; i++) {
        for (int k = 0; k < scene->faces[i].corner_count && scene->faces[i].body == body; k++) {
            extend(&b, scene->faces[i].corners[k]);
        }
    }
    return b;
}

picture_bounds picture_contact_bounds(const picture_scene *scene)
{
    picture_bounds b = no_bounds;
    for (size_t i = 0; i < 2 * scene->contact_count; i++) {
        double seen[3];
        picture_look(&scene->camera, scene->contacts[i / 2][i % 2], seen);
        extend(&b, seen);
    }
    return b;
}

picture_bounds picture_scene_bounds(const picture_scene *scene)
{
    picture_bounds b = picture_contact_bounds(scene);
    for (int end = 0; end < 2 && scene->has_move; end++) {
        double seen[3];
        picture_look(&scene->camera, scene->move[end], seen);
        extend(&b, seen);
    }
    for (int body = 0; body < 2; body++) {
        const picture_bounds other = picture_body_bounds(scene, body);
        for (int k = 0; k < 2; k++) {
            b.lower[k] = fmin(b.lower[k], other.lower[k]);
            b.upper[k] = fmax(b.upper[k], other.upper[k]);
        }
    }
    return b;
}

picture_window picture_fit_window(const picture_window *window, const picture_bounds *bounds, double share, double most)
{
    picture_window fitted = *window;
    const double width = bounds->upper[0] - bounds->lower[0], height = bounds->upper[1] - bounds->lower[1];
    for (int k = 0; k < 2; k++) {
        fitted.centre[k] = bounds->lower[k] <= bounds->upper[k] ? (bounds->lower[k] + bounds->upper[k]) / 2 : 0;
    }
    fitted.scale = fmin(most, share * fmin(window->width / width, window->height / height));
    if (!(fitted.scale > 0) || !isfinite(fitted.scale)) {
        fitted.scale = isfinite(most) ? most : 1;
    }
    return fitted;
}

/* A point contact has no size: the enlargement then shows its surroundings. */
picture_window picture_fit_detail(const picture_scene *scene, const picture_window *window, const picture_window *whole)
{
    const picture_bounds contacts = picture_contact_bounds(scene);
    const double size =
        fmax(contacts.upper[0] - contacts.lower[0], contacts.upper[1] - contacts.lower[1]) * whole->scale;
    const double most = (size > 0.2 ? 25 : 6) * whole->scale;
    return picture_fit_window(window, &contacts, 0.5, most);
}
