/* The models of a picture, in the units of the scene. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture_scene.h"
#include "report_shape.h"

#define FEW 500 /* round solids that get many sides */

static tumble_pose pose_or_identity(const tumble_pose *pose)
{
    return pose ? *pose : tumble_pose_identity();
}

/* ---- the frame ---- */

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

/* Around the corners of the model's bounds and what its radius adds, at its pose. */
static void extend_by_model(box *b, const tumble_model_info *info, const tumble_pose *pose)
{
    for (int corner = 0; corner < 8 && info->triangle_count; corner++) {
        double point[3], moved[3];
        for (int k = 0; k < 3; k++) {
            point[k] = corner >> k & 1 ? info->upper[k] + info->radius : info->lower[k] - info->radius;
        }
        tumble_pose_apply(pose, point, moved);
        extend_box(b, moved);
    }
}

static void set_frame(picture_scene *scene, const box *b)
{
    scene->size = 0;
    for (int k = 0; k < 3; k++) {
        scene->centre[k] = b->lower[k] <= b->upper[k] ? b->lower[k] / 2 + b->upper[k] / 2 : 0;
        scene->size = fmax(scene->size, b->lower[k] <= b->upper[k] ? b->upper[k] / 2 - b->lower[k] / 2 : 0);
    }
    scene->size = scene->size > 0 && isfinite(scene->size) ? scene->size : 1;
}

/* Halving first avoids overflow in the difference. */
static void to_scene(const picture_scene *scene, const double point[3], double out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = (point[k] / 2 - scene->centre[k] / 2) / scene->size;
        out[k] = isfinite(out[k]) ? out[k] : 0;
    }
}

/* ---- reading ---- */

typedef struct reading {
    const tumble_model *model;
    tumble_pose pose;
    tumble_model_info info;
    uint8_t *marks; /* for each polygon: it has a contact */
} reading;

static int mark_polygons(const cli_picture *picture, int body, reading *r)
{
    r->marks = calloc((size_t)r->info.polygon_count + 1, 1);
    for (size_t i = 0; i < picture->contact_count && r->marks; i++) {
        const uint32_t polygons[2] = {picture->contacts[i].polygon_a, picture->contacts[i].polygon_b};
        for (int side = 0; side < 2; side++) {
            if ((side == body || picture->alone) && polygons[side] < r->info.polygon_count) {
                r->marks[polygons[side]] = 1;
            }
        }
    }
    return r->marks != NULL;
}

static void read_triangle(const picture_scene *scene, const reading *r, const report_shape *shape, uint32_t triangle,
                          picture_body *body)
{
    double moved[3];
    for (int k = 0; k < 3; k++) {
        tumble_pose_apply(&r->pose, shape->corners[triangle][k], moved);
        to_scene(scene, moved, body->corners[triangle][k]);
    }
    body->touching[triangle] = r->marks[shape->polygons[triangle]];
}

static tumble_status read_shape(const picture_scene *scene, const reading *r, const report_shape *shape,
                                picture_body *body)
{
    if (shape->count > UINT32_MAX / 3) {
        return TUMBLE_ERROR_TOO_LARGE;
    }
    body->count = (uint32_t)shape->count;
    body->closed = shape->closed;
    body->corners = calloc((size_t)body->count + 1, sizeof *body->corners);
    body->touching = calloc((size_t)body->count + 1, 1);
    if (!body->corners || !body->touching) {
        return TUMBLE_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < body->count; i++) {
        read_triangle(scene, r, shape, i, body);
    }
    return TUMBLE_OK;
}

/* With a radius, the surface of the solid. */
static tumble_status read_body(const picture_scene *scene, const reading *r, picture_body *body)
{
    report_shape shape;
    tumble_status status = report_shape_make(r->model, r->info.triangle_count <= FEW ? 48 : REPORT_SHAPE_SIDES, &shape);
    status = status == TUMBLE_OK ? read_shape(scene, r, &shape, body) : status;
    report_shape_release(&shape);
    return status;
}

static tumble_status read_contacts(const cli_picture *picture, picture_scene *scene)
{
    scene->contacts = calloc(picture->contact_count + 1, sizeof *scene->contacts);
    if (!scene->contacts) {
        return TUMBLE_ERROR_MEMORY;
    }
    scene->contact_count = picture->contact_count;
    for (size_t i = 0; i < 2 * picture->contact_count; i++) {
        to_scene(scene, picture->contacts[i / 2].points[i % 2], scene->contacts[i / 2][i % 2]);
    }
    return TUMBLE_OK;
}

/* The arrow begins in the middle of the contacts, or else of B. */
static void read_move(const cli_picture *picture, const reading *b, picture_scene *scene)
{
    box around = empty_box;
    for (size_t i = 0; i < 2 * picture->contact_count; i++) {
        extend_box(&around, picture->contacts[i / 2].points[i % 2]);
    }
    if (picture->contact_count == 0) {
        extend_by_model(&around, &b->info, &b->pose);
    }
    double from[3], to[3], size = 0, length = 0;
    for (int k = 0; k < 3; k++) {
        size = fmax(size, fabs(picture->move[k]));
    }
    for (int k = 0; k < 3; k++) {
        scene->move_way[k] = size > 0 ? picture->move[k] / size : 0;
        length += scene->move_way[k] * scene->move_way[k];
    }
    for (int k = 0; k < 3; k++) {
        scene->move_way[k] /= length > 0 ? sqrt(length) : 1;
        from[k] = around.lower[k] / 2 + around.upper[k] / 2;
        to[k] = from[k] + picture->move[k];
    }
    scene->has_move = 1;
    to_scene(scene, from, scene->move[0]);
    to_scene(scene, to, scene->move[1]);
}

static tumble_status begin_reading(const cli_picture *picture, int body, reading *r, box *b)
{
    r->model = body ? picture->b : picture->a;
    r->pose = pose_or_identity(body ? picture->pose_b : picture->pose_a);
    const tumble_status status = tumble_model_get_info(r->model, &r->info);
    if (status == TUMBLE_OK) {
        extend_by_model(b, &r->info, &r->pose);
    }
    return status != TUMBLE_OK || mark_polygons(picture, body, r) ? status : TUMBLE_ERROR_MEMORY;
}

tumble_status picture_read(const cli_picture *picture, picture_scene *scene)
{
    reading readings[2] = {{.marks = NULL}, {.marks = NULL}};
    box b = empty_box;
    memset(scene, 0, sizeof *scene);
    tumble_status status = begin_reading(picture, 0, &readings[0], &b);
    status = status == TUMBLE_OK ? begin_reading(picture, 1, &readings[1], &b) : status;
    set_frame(scene, &b);
    for (int body = 0; body < 2 && status == TUMBLE_OK; body++) {
        status = read_body(scene, &readings[body], &scene->bodies[body]);
    }
    status = status == TUMBLE_OK ? read_contacts(picture, scene) : status;
    if (status == TUMBLE_OK && picture->move) {
        read_move(picture, &readings[1], scene);
    }
    free(readings[0].marks);
    free(readings[1].marks);
    return status;
}

void picture_release(picture_scene *scene)
{
    for (int body = 0; body < 2; body++) {
        free(scene->bodies[body].corners);
        free(scene->bodies[body].touching);
    }
    free(scene->contacts);
    free(scene->faces);
    free(scene->edges);
    memset(scene, 0, sizeof *scene);
}
