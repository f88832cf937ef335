/* From models to faces and edges as a viewer sees them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture_scene.h"

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* To length one; 0 when there is none. */
static int normalise(double v[3])
{
    const double length = sqrt(dot(v, v));
    for (int k = 0; k < 3 && length > 0; k++) {
        v[k] /= length;
    }
    return length > 0 && isfinite(length);
}

void picture_look(const picture_camera *camera, const double point[3], double seen[3])
{
    seen[0] = dot(point, camera->right);
    seen[1] = dot(point, camera->up);
    seen[2] = dot(point, camera->near);
}

/* ---- The camera ---- */

static tumble_model_info get_info(const tumble_model *model, tumble_status *status)
{
    tumble_model_info info;
    *status = tumble_model_get_info(model, &info);
    return info;
}

static tumble_pose pose_or_identity(const tumble_pose *pose)
{
    return pose ? *pose : tumble_pose_identity();
}

typedef struct box {
    double lower[3], upper[3];
} box;

static void extend_box(box *b, const double point[3])
{
    for (int k = 0; k < 3; k++) {
        b->lower[k] = fmin(b->lower[k], point[k]);
        b->upper[k] = fmax(b->upper[k], point[k]);
    }
}

static const box empty_box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

/* Around the corners of the model's bounds, at its pose. */
static box model_box(const tumble_model_info *info, const tumble_pose *pose)
{
    box b = empty_box;
    for (int corner = 0; corner < 8; corner++) {
        double point[3], moved[3];
        for (int k = 0; k < 3; k++) {
            point[k] = corner >> k & 1 ? info->upper[k] : info->lower[k];
        }
        tumble_pose_apply(pose, point, moved);
        extend_box(&b, moved);
    }
    return b;
}

static box contact_box(const cli_picture *picture)
{
    box b = empty_box;
    for (size_t i = 0; i < 2 * picture->contact_count; i++) {
        extend_box(&b, picture->contacts[i / 2].points[i % 2]);
    }
    return b;
}

static double box_middle(const box *b, int axis)
{
    return b->lower[axis] / 2 + b->upper[axis] / 2;
}

/* Across the ground plan. */
static double box_width(const box *b)
{
    return hypot(b->upper[0] - b->lower[0], b->upper[1] - b->lower[1]);
}

/* A cut helps when B stands in A, seen from above, and the contacts are at one place of it. */
static int should_cut(const box *a, const box *b, const box *contacts)
{
    for (int k = 0; k < 2; k++) {
        const double middle = box_middle(b, k);
        if (!(a->lower[k] < middle && middle < a->upper[k])) {
            return 0;
        }
    }
    return contacts->lower[0] <= contacts->upper[0] && box_width(contacts) < 0.4 * box_width(a);
}

static void aim(picture_camera *camera, const double side[3])
{
    const double front[3] = {side[1], -side[0], 0}, aside = 0.5, above = 0.42; /* radians */
    for (int k = 0; k < 3; k++) {
        camera->cut[k] = front[k];
        camera->near[k] = cos(above) * (cos(aside) * front[k] + sin(aside) * side[k]) + (k == 2 ? sin(above) : 0);
    }
    cross((const double[3]){0, 0, 1}, camera->near, camera->right);
    normalise(camera->right);
    cross(camera->near, camera->right, camera->up);
}

/* The cut stands upright through the middle of A and the contacts, which so lie in the section; the viewer stands
 * before it, a little to the side of the contacts. */
tumble_status picture_choose_camera(const cli_picture *picture, picture_camera *camera)
{
    tumble_status status_a, status_b;
    const tumble_model_info info_a = get_info(picture->a, &status_a), info_b = get_info(picture->b, &status_b);
    if (status_a != TUMBLE_OK || status_b != TUMBLE_OK) {
        return status_a != TUMBLE_OK ? status_a : status_b;
    }
    const tumble_pose pose_a = pose_or_identity(picture->pose_a), pose_b = pose_or_identity(picture->pose_b);
    const box a = model_box(&info_a, &pose_a), b = model_box(&info_b, &pose_b), contacts = contact_box(picture);
    double side[3] = {1, 0, 0};
    if (picture->contact_count) {
        const double toward[3] = {box_middle(&contacts, 0) - box_middle(&a, 0),
                                  box_middle(&contacts, 1) - box_middle(&a, 1), 0};
        if (sqrt(dot(toward, toward)) > 0.02 * box_width(&a)) {
            memcpy(side, toward, sizeof side);
            normalise(side);
        }
    }
    aim(camera, side);
    camera->cut[3] = camera->cut[0] * box_middle(&a, 0) + camera->cut[1] * box_middle(&a, 1);
    camera->has_cut = !picture->whole && info_a.closed && should_cut(&a, &b, &contacts);
    return TUMBLE_OK;
}

/* ---- Faces ---- */

typedef struct body_context {
    const tumble_model *model;
    tumble_pose pose;
    tumble_model_info info;
    uint8_t body;
    uint8_t *touching;       /* for each polygon */
    double (*corners)[3][3]; /* of each triangle, at its pose */
} body_context;

static void *grow(void *array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) {
        return array;
    }
    const size_t wanted = *capacity ? 2 * *capacity : 1024;
    void *grown = realloc(array, wanted * size);
    *capacity = grown ? wanted : *capacity;
    return grown;
}

static int is_cut(const picture_scene *scene, int body)
{
    return body == 0 && scene->camera.has_cut;
}

/* How far a point lies in the part that is left out. */
static double beyond_cut(const picture_camera *camera, const double point[3])
{
    return dot(camera->cut, point) - camera->cut[3];
}

static void mix(const double a[3], const double b[3], double share, double out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = a[k] + (b[k] - a[k]) * share;
    }
}

static int add_edge(picture_scene *scene, const double a[3], const double b[3], int on_cut)
{
    picture_edge *edges = grow(scene->edges, scene->edge_count, &scene->edge_capacity, sizeof *edges);
    if (!edges) {
        return 0;
    }
    scene->edges = edges;
    edges += scene->edge_count++;
    picture_look(&scene->camera, a, edges->ends[0]);
    picture_look(&scene->camera, b, edges->ends[1]);
    edges->on_cut = on_cut;
    return 1;
}

/* Sutherland and Hodgman: what is left of a triangle. The side along the cut becomes an edge. */
static int cut_triangle(picture_scene *scene, double corners[3][3], double left[4][3], uint8_t *count)
{
    double ends[2][3];
    int end_count = 0;
    *count = 0;
    for (int k = 0; k < 3; k++) {
        const double *a = corners[k], *b = corners[(k + 1) % 3];
        const double from = beyond_cut(&scene->camera, a), to = beyond_cut(&scene->camera, b);
        if (from <= 0) {
            memcpy(left[(*count)++], a, 3 * sizeof *a);
        }
        if ((from <= 0) != (to <= 0)) {
            mix(a, b, from / (from - to), left[*count]);
            memcpy(ends[end_count++], left[(*count)++], sizeof ends[0]);
        }
    }
    return end_count < 2 || add_edge(scene, ends[0], ends[1], 1);
}

/* Light from the upper left, behind the viewer. */
static uint8_t light_on(const double normal[3])
{
    const double light[3] = {-0.37, 0.62, 0.69};
    const double share = 0.25 + 0.75 * fmax(0, dot(normal, light));
    return (uint8_t)(255 * fmin(1, share));
}

/* Of length one; 0 for a triangle without area. */
static int triangle_normal(double corners[3][3], double normal[3])
{
    double u[3], v[3];
    for (int k = 0; k < 3; k++) {
        u[k] = corners[1][k] - corners[0][k];
        v[k] = corners[2][k] - corners[0][k];
    }
    cross(u, v, normal);
    return normalise(normal);
}

static int add_face(picture_scene *scene, const body_context *c, double corners[3][3], uint32_t polygon)
{
    picture_face face = {.body = c->body, .touching = c->touching[polygon]};
    double left[4][3], outward[3], normal[3];
    if (!triangle_normal(corners, outward)) {
        return 1;
    }
    picture_look(&scene->camera, outward, normal);
    const int back = normal[2] < 0;
    if (back && c->info.closed && !is_cut(scene, c->body)) {
        return 1;
    }
    for (int k = 0; k < 3 && back; k++) {
        normal[k] = -normal[k];
    }
    face.inside = back && c->info.closed;
    face.light = light_on(normal);
    face.corner_count = 3;
    memcpy(left, corners, 3 * sizeof *left);
    if (is_cut(scene, c->body) && !cut_triangle(scene, corners, left, &face.corner_count)) {
        return 0;
    }
    for (int k = 0; k < face.corner_count; k++) {
        picture_look(&scene->camera, left[k], face.corners[k]);
    }
    if (face.corner_count >= 3) {
        picture_face *faces = grow(scene->faces, scene->face_count, &scene->face_capacity, sizeof *faces);
        if (!faces) {
            return 0;
        }
        scene->faces = faces;
        faces[scene->face_count++] = face;
    }
    return 1;
}

/* ---- Edges ---- */

/* Open addressing. Edge 3 * t + k is the one from corner k of triangle t to the next. Coordinates tell which triangles
 * share one. */
typedef struct edge_entry {
    uint32_t edges[2];
    uint32_t count; /* of the triangles that have the edge, also when there are more than two; 0: an empty place */
} edge_entry;

typedef struct edge_table {
    edge_entry *entries;
    size_t mask;
} edge_table;

static int compare_points(const double a[3], const double b[3])
{
    for (int k = 0; k < 3; k++) {
        if (a[k] != b[k]) {
            return a[k] < b[k] ? -1 : 1;
        }
    }
    return 0;
}

static uint64_t hash_point(const double point[3], uint64_t hash)
{
    for (int k = 0; k < 3; k++) {
        const double value = point[k] + 0.0; /* -0 is 0 */
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

/* The ends of an edge, the smaller one first. */
static void edge_ends(const body_context *c, uint32_t edge, const double *ends[2])
{
    const double *a = c->corners[edge / 3][edge % 3], *b = c->corners[edge / 3][(edge + 1) % 3];
    const int turned = compare_points(a, b) > 0;
    ends[0] = turned ? b : a;
    ends[1] = turned ? a : b;
}

static int same_edge(const body_context *c, uint32_t edge, const double *const ends[2])
{
    const double *other[2];
    edge_ends(c, edge, other);
    return compare_points(ends[0], other[0]) == 0 && compare_points(ends[1], other[1]) == 0;
}

static void enter_edge(const body_context *c, edge_table *table, uint32_t edge)
{
    const double *ends[2];
    edge_ends(c, edge, ends);
    size_t place = (size_t)hash_point(ends[1], hash_point(ends[0], 1)) & table->mask;
    edge_entry *entry = &table->entries[place];
    while (entry->count && !same_edge(c, entry->edges[0], ends)) {
        place = (place + 1) & table->mask;
        entry = &table->entries[place];
    }
    if (entry->count < 2) {
        entry->edges[entry->count] = edge;
    }
    entry->count++;
}

/* Rims, creases of more than 25 degrees, and outlines, where the surface turns away from the viewer. */
static int is_drawn(const picture_camera *camera, const body_context *c, const edge_entry *entry)
{
    double a[3], b[3];
    if (entry->count != 2) {
        return entry->count > 0;
    }
    if (!triangle_normal(c->corners[entry->edges[0] / 3], a) || !triangle_normal(c->corners[entry->edges[1] / 3], b)) {
        return 0;
    }
    const double crease = 0.906; /* cosine of 25 degrees */
    return dot(a, b) < crease || (dot(a, camera->near) < 0) != (dot(b, camera->near) < 0);
}

static int add_uncut_part(picture_scene *scene, const body_context *c, const edge_entry *entry)
{
    const double *whole[2];
    double ends[2][3];
    edge_ends(c, entry->edges[0], whole);
    memcpy(ends[0], whole[0], sizeof ends[0]);
    memcpy(ends[1], whole[1], sizeof ends[1]);
    if (is_cut(scene, c->body)) {
        const double from = beyond_cut(&scene->camera, ends[0]), to = beyond_cut(&scene->camera, ends[1]);
        if (from > 0 && to > 0) {
            return 1;
        }
        if (from > 0 || to > 0) {
            mix(whole[0], whole[1], from / (from - to), ends[from > 0 ? 0 : 1]);
        }
    }
    return add_edge(scene, ends[0], ends[1], 0);
}

static int add_edges(picture_scene *scene, const body_context *c, const edge_table *table)
{
    for (size_t i = 0; i <= table->mask; i++) {
        if (is_drawn(&scene->camera, c, &table->entries[i]) && !add_uncut_part(scene, c, &table->entries[i])) {
            return 0;
        }
    }
    return 1;
}

/* ---- Both ---- */

static void mark_touching(const cli_picture *picture, body_context *c)
{
    for (size_t i = 0; i < picture->contact_count; i++) {
        const uint32_t polygon = c->body ? picture->contacts[i].polygon_b : picture->contacts[i].polygon_a;
        if (polygon < c->info.polygon_count) {
            c->touching[polygon] = 1;
        }
    }
}

static tumble_status read_triangle(body_context *c, uint32_t triangle, uint32_t *polygon)
{
    double stored[3][3];
    const tumble_status status = tumble_model_triangle(c->model, triangle, stored, polygon);
    for (int k = 0; k < 3 && status == TUMBLE_OK; k++) {
        tumble_pose_apply(&c->pose, stored[k], c->corners[triangle][k]);
    }
    return status;
}

static tumble_status collect_triangles(picture_scene *scene, body_context *c, edge_table *table)
{
    for (uint32_t i = 0; i < c->info.triangle_count; i++) {
        uint32_t polygon;
        const tumble_status status = read_triangle(c, i, &polygon);
        if (status != TUMBLE_OK) {
            return status;
        }
        if (!add_face(scene, c, c->corners[i], polygon)) {
            return TUMBLE_ERROR_MEMORY;
        }
        for (uint32_t k = 0; k < 3; k++) {
            enter_edge(c, table, 3 * i + k);
        }
    }
    return add_edges(scene, c, table) ? TUMBLE_OK : TUMBLE_ERROR_MEMORY;
}

static tumble_status collect_body(const cli_picture *picture, picture_scene *scene, body_context *c)
{
    edge_table table = {NULL, 15};
    if (c->info.triangle_count > UINT32_MAX / 3) {
        return TUMBLE_ERROR_TOO_LARGE;
    }
    while (table.mask < 3 * c->info.triangle_count) { /* at most half full: an edge has two triangles, mostly */
        table.mask = 2 * table.mask + 1;
    }
    table.entries = calloc(table.mask + 1, sizeof *table.entries);
    c->touching = calloc(c->info.polygon_count + 1, 1);
    c->corners = calloc(c->info.triangle_count + 1, sizeof *c->corners);
    tumble_status status = TUMBLE_ERROR_MEMORY;
    if (table.entries && c->touching && c->corners) {
        mark_touching(picture, c);
        status = collect_triangles(scene, c, &table);
    }
    free(table.entries);
    free(c->touching);
    free(c->corners);
    return status;
}

tumble_status picture_collect(const cli_picture *picture, picture_scene *scene)
{
    memset(scene, 0, sizeof *scene);
    tumble_status status = picture_choose_camera(picture, &scene->camera);
    for (uint8_t body = 0; body < 2 && status == TUMBLE_OK; body++) {
        body_context c = {.model = body ? picture->b : picture->a,
                          .pose = pose_or_identity(body ? picture->pose_b : picture->pose_a),
                          .body = body};
        c.info = get_info(c.model, &status);
        if (status == TUMBLE_OK) {
            status = collect_body(picture, scene, &c);
        }
    }
    return status;
}

void picture_release(picture_scene *scene)
{
    free(scene->faces);
    free(scene->edges);
    memset(scene, 0, sizeof *scene);
}
