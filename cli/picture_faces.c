/* From models to faces and edges as a viewer sees them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "picture_scene.h"
#include "picture_vector.h"

void picture_look(const picture_camera *camera, const double point[3], double seen[3])
{
    seen[0] = tmb_dot(point, camera->right);
    seen[1] = tmb_dot(point, camera->up);
    seen[2] = tmb_dot(point, camera->near);
}

/* ---- the cut ---- */

static int is_cut(const picture_scene *scene, int body)
{
    return scene->camera.cut_bodies >> body & 1;
}

/* How far a point lies on the removed side. */
static double beyond_cut(const picture_camera *camera, const double point[3])
{
    return tmb_dot(camera->cut, point) - camera->cut[3];
}

static void mix(const double a[3], const double b[3], double share, double out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = a[k] + (b[k] - a[k]) * share;
    }
}

static int add_edge(picture_scene *scene, const double a[3], const double b[3], int on_cut)
{
    picture_edge *edges = cli_grow(scene->edges, scene->edge_count, &scene->edge_capacity, sizeof *edges);
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

/* Clips a triangle (Sutherland and Hodgman). Returns the number of ends of the edge along the cut, 0 or 2. */
static int cut_triangle(const picture_camera *camera, double corners[3][3], double left[4][3], uint8_t *count,
                        double ends[2][3])
{
    int end_count = 0;
    *count = 0;
    for (int k = 0; k < 3; k++) {
        const double *a = corners[k], *b = corners[(k + 1) % 3];
        const double from = beyond_cut(camera, a), to = beyond_cut(camera, b);
        if (from <= 0) {
            memcpy(left[(*count)++], a, 3 * sizeof *a);
        }
        if ((from <= 0) != (to <= 0)) {
            mix(a, b, from / (from - to), left[*count]);
            memcpy(ends[end_count++], left[(*count)++], sizeof ends[0]);
        }
    }
    return end_count;
}

/* ---- faces ---- */

/* Light from the upper left, behind the viewer. */
static uint8_t light_on(const double normal[3])
{
    const double light[3] = {-0.37, 0.62, 0.69};
    const double share = 0.25 + 0.75 * fmax(0, tmb_dot(normal, light));
    return (uint8_t)(255 * fmin(1, share));
}

/* Of length one; 0 for a triangle without area. */
static int triangle_normal(double corners[3][3], double normal[3])
{
    double u[3], v[3];
    tmb_subtract(corners[1], corners[0], u);
    tmb_subtract(corners[2], corners[0], v);
    tmb_cross(u, v, normal);
    return picture_normalise(normal);
}

/* Everything but the corners. Returns 0 if the face is invisible. */
static int describe_face(const picture_scene *scene, uint8_t body, double corners[3][3], picture_face *face)
{
    double outward[3], normal[3];
    if (!triangle_normal(corners, outward)) {
        return 0;
    }
    const int closed = scene->bodies[body].closed;
    picture_look(&scene->camera, outward, normal);
    face->body = body;
    face->back = normal[2] < 0;
    if (face->back && closed && !is_cut(scene, body)) {
        return 0;
    }
    for (int k = 0; k < 3 && face->back; k++) {
        normal[k] = -normal[k];
    }
    face->inside = face->back && closed;
    face->light = light_on(normal);
    return 1;
}

static int add_face(picture_scene *scene, uint8_t body, uint32_t triangle)
{
    double(*corners)[3] = scene->bodies[body].corners[triangle];
    double left[4][3], ends[2][3];
    picture_face face = {.corner_count = 3, .touching = scene->bodies[body].touching[triangle]};
    if (!describe_face(scene, body, corners, &face)) {
        return 1;
    }
    memcpy(left, corners, 3 * sizeof *left);
    if (is_cut(scene, body)) {
        cut_triangle(&scene->camera, corners, left, &face.corner_count, ends);
    }
    if (face.corner_count < 3) {
        return 1;
    }
    for (int k = 0; k < face.corner_count; k++) {
        picture_look(&scene->camera, left[k], face.corners[k]);
    }
    picture_face *faces = cli_grow(scene->faces, scene->face_count, &scene->face_capacity, sizeof *faces);
    if (faces) {
        scene->faces = faces;
        faces[scene->face_count++] = face;
    }
    return faces != NULL;
}

int picture_collect_faces(picture_scene *scene)
{
    scene->face_count = 0;
    for (uint8_t body = 0; body < 2; body++) {
        for (uint32_t i = 0; i < scene->bodies[body].count; i++) {
            if (!add_face(scene, body, i)) {
                return 0;
            }
        }
    }
    return 1;
}

/* ---- edges ---- */

/* Open addressing. Edge 3 * t + k is the one from corner k of triangle t to the next. Coordinates tell which triangles
 * share one. */
typedef struct edge_entry {
    uint32_t edges[2];
    uint32_t count; /* of the triangles that have the edge, also when there are more than two; 0: an empty place */
} edge_entry;

typedef struct edge_table {
    const picture_body *body;
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
static void edge_ends(const picture_body *body, uint32_t edge, const double *ends[2])
{
    const double *a = body->corners[edge / 3][edge % 3], *b = body->corners[edge / 3][(edge + 1) % 3];
    const int turned = compare_points(a, b) > 0;
    ends[0] = turned ? b : a;
    ends[1] = turned ? a : b;
}

static int same_edge(const picture_body *body, uint32_t edge, const double *const ends[2])
{
    const double *other[2];
    edge_ends(body, edge, other);
    return compare_points(ends[0], other[0]) == 0 && compare_points(ends[1], other[1]) == 0;
}

static void enter_edge(edge_table *table, uint32_t edge)
{
    const double *ends[2];
    edge_ends(table->body, edge, ends);
    size_t place = (size_t)hash_point(ends[1], hash_point(ends[0], 1)) & table->mask;
    edge_entry *entry = &table->entries[place];
    while (entry->count && !same_edge(table->body, entry->edges[0], ends)) {
        place = (place + 1) & table->mask;
        entry = &table->entries[place];
    }
    if (entry->count < 2) {
        entry->edges[entry->count] = edge;
    }
    entry->count++;
}

/* Rims, creases of more than 25 degrees, and outlines, where the surface turns away from the viewer. */
static int is_drawn(const picture_camera *camera, const edge_table *table, const edge_entry *entry)
{
    double a[3], b[3];
    if (entry->count != 2) {
        return entry->count > 0;
    }
    if (!triangle_normal(table->body->corners[entry->edges[0] / 3], a) ||
        !triangle_normal(table->body->corners[entry->edges[1] / 3], b)) {
        return 0;
    }
    const double crease = 0.906; /* cosine of 25 degrees */
    return tmb_dot(a, b) < crease || (tmb_dot(a, camera->near) < 0) != (tmb_dot(b, camera->near) < 0);
}

static int add_uncut_part(picture_scene *scene, int body, const edge_table *table, const edge_entry *entry)
{
    const double *whole[2];
    double ends[2][3];
    edge_ends(table->body, entry->edges[0], whole);
    memcpy(ends[0], whole[0], sizeof ends[0]);
    memcpy(ends[1], whole[1], sizeof ends[1]);
    if (is_cut(scene, body)) {
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

static int add_edges(picture_scene *scene, int body, const edge_table *table)
{
    for (size_t i = 0; i <= table->mask; i++) {
        if (is_drawn(&scene->camera, table, &table->entries[i]) &&
            !add_uncut_part(scene, body, table, &table->entries[i])) {
            return 0;
        }
    }
    return 1;
}

static int add_cut_edges(picture_scene *scene, int body)
{
    for (uint32_t i = 0; i < scene->bodies[body].count && is_cut(scene, body); i++) {
        double left[4][3], ends[2][3];
        uint8_t count;
        if (cut_triangle(&scene->camera, scene->bodies[body].corners[i], left, &count, ends) == 2 &&
            !add_edge(scene, ends[0], ends[1], 1)) {
            return 0;
        }
    }
    return 1;
}

static int collect_edges_of(picture_scene *scene, int body)
{
    edge_table table = {&scene->bodies[body], NULL, 15};
    while (table.mask < 3 * (size_t)table.body->count) { /* at most half full: an edge has two triangles, mostly */
        table.mask = 2 * table.mask + 1;
    }
    table.entries = calloc(table.mask + 1, sizeof *table.entries);
    if (!table.entries) {
        return 0;
    }
    for (uint32_t i = 0; i < 3 * table.body->count; i++) {
        enter_edge(&table, i);
    }
    const int done = add_edges(scene, body, &table) && add_cut_edges(scene, body);
    free(table.entries);
    return done;
}

int picture_collect_edges(picture_scene *scene)
{
    scene->edge_count = 0;
    return collect_edges_of(scene, 0) && collect_edges_of(scene, 1);
}
