/* The library as a WebAssembly module: what JavaScript calls. Functions take handles, addresses and numbers only; poses
 * and longer results go through two fixed places in memory, so that the JavaScript side knows no C struct but pairs and
 * contacts. A module has one context and one query, as it runs on one thread.
 *
 * Functions return a tumble_status unless they say otherwise. Results are written to web_numbers() as doubles: numbers,
 * addresses, and counts of things that are at an address, in the order of the function's comment. Memory at such an
 * address is valid until the next call. */
#ifndef TUMBLE_BINDINGS_WEB_H
#define TUMBLE_BINDINGS_WEB_H

#include "tumble/tumble.h"

#if defined(__wasm__)
#define WEB_EXPORT(type, name) __attribute__((export_name(#name))) type name
#else
#define WEB_EXPORT(type, name) type name
#endif

/* ---- What the module's own files share ---- */

enum {
    WEB_NUMBERS = 64
};

typedef struct web_state {
    tumble_context *context;
    tumble_query *query;
    tumble_pose poses[2];
    double numbers[WEB_NUMBERS];
} web_state;

extern web_state web;

/* Bit 0 of `given`: the first pose was written, else it is the identity; bit 1: the second. */
const tumble_pose *web_pose(int given, int which);

/* Writes the results. */
void web_results(const double *values, size_t count);
double web_address(const void *p);

/* ---- The module ---- */

/* Before anything else, once. */
WEB_EXPORT(int, web_start)(void);
WEB_EXPORT(double *, web_poses)(void);         /* two poses, 12 numbers each, row by row */
WEB_EXPORT(double *, web_numbers)(void);       /* WEB_NUMBERS doubles */
WEB_EXPORT(void *, web_allocate)(size_t size); /* NULL if there is no memory */
WEB_EXPORT(void, web_release)(void *p);
WEB_EXPORT(const char *, web_error)(void); /* the message of the last call that failed */
WEB_EXPORT(const char *, web_status_name)(int status);
WEB_EXPORT(const char *, web_version)(void);

/* ---- Models ---- */

enum {
    WEB_FLOATS = 1,    /* points are floats */
    WEB_DEFORMABLE = 2 /* tumble_model_options */
};

/* Arguments as in tumble_mesh and tumble_model_options; 0 for arrays that are not given. -> model */
WEB_EXPORT(int, web_model)
(const void *points, size_t point_count, size_t stride, const uint32_t *indices, size_t index_count,
 const uint32_t *sizes, size_t polygon_count, const uint32_t *surfaces, const double *radii, int hierarchy, int flags,
 double radius);
/* -> model */
WEB_EXPORT(int, web_model_from_block)(const void *block, size_t size);
/* -> address, bytes */
WEB_EXPORT(int, web_model_block)(const tumble_model *model);
/* -> polygons, triangles, points, surfaces, degenerate triangles, closed, radius, lower x y z, upper x y z, hierarchy,
 * nodes, depth, bytes */
WEB_EXPORT(int, web_model_info)(const tumble_model *model);
/* Nine coordinates and the polygon of each triangle. */
WEB_EXPORT(int, web_model_triangles)(const tumble_model *model, uint32_t count, double *corners, uint32_t *polygons);
WEB_EXPORT(int, web_model_destroy)(tumble_model *model);

/* ---- Mesh files ---- */

/* Reads a file that is in memory. -> buffer, points (address, count), indices (address, count), polygon sizes (address,
 * or 0 if all are triangles; count of polygons), surface ids (address, or 0) */
WEB_EXPORT(int, web_mesh_read)(const void *data, size_t size, int format);
WEB_EXPORT(void, web_mesh_release)(tumble_mesh_buffer *buffer);
/* The name of a surface, or the reader's warning: valid until the next call; empty if there is none. */
WEB_EXPORT(const char *, web_mesh_surface_name)(const tumble_mesh_buffer *buffer, uint32_t surface);
WEB_EXPORT(const char *, web_mesh_warning)(const tumble_mesh_buffer *buffer);

/* ---- Two models; `given` tells which poses were written ---- */

/* Returns 1 or 0, or minus a status. */
WEB_EXPORT(int, web_test)(const tumble_model *a, const tumble_model *b, int given, double clearance);
/* -> collide, a pair (two numbers), pairs (address, count), contacts (address, count) */
WEB_EXPORT(int, web_collide)
(const tumble_model *a, const tumble_model *b, int given, int mode, double clearance, int want_contacts);
/* -> answer, distance, polygon of A, of B, point of A (three numbers), of B, lower, upper */
WEB_EXPORT(int, web_distance)
(const tumble_model *a, const tumble_model *b, int given, double within, double relative_error, double absolute_error);
/* -> relation, closed A, closed B, do surfaces meet, a pair (two numbers) */
WEB_EXPORT(int, web_relate)(const tumble_model *a, const tumble_model *b, int given);
WEB_EXPORT(const char *, web_relation_name)(int relation);
/* Tests B at each of `count` poses. -> after a failure, the pose's number */
WEB_EXPORT(int, web_test_many)
(const tumble_model *a, const tumble_model *b, int given, const tumble_pose *poses, size_t count, double clearance,
 uint8_t *answers);

/* ---- One model; a pose is the first ---- */

/* -> pairs (address of tumble_self_pair, count), contacts (address, count) */
WEB_EXPORT(int, web_self)
(const tumble_model *model, double clearance, uint32_t rings, int soup, int want_contacts);
WEB_EXPORT(const char *, web_self_kind_name)(int kind);
/* The closest hit of each ray. */
WEB_EXPORT(int, web_rays)
(const tumble_model *model, int given, size_t count, const double *origins, const double *directions, double t0,
 double t1, tumble_ray_hit *hits);
/* All hits of a ray, which is its origin and its direction. -> hits (address, count) */
WEB_EXPORT(int, web_ray_all)(const tumble_model *model, int given, const double *ray, double t0, double t1);
WEB_EXPORT(int, web_inside)
(const tumble_model *model, int given, const double *points, size_t count, int rule, tumble_inside_answer *answers);
WEB_EXPORT(const char *, web_place_name)(int place);
/* -> closest (address; one for each point), closed */
WEB_EXPORT(int, web_closest)
(const tumble_model *model, int given, const double *points, size_t count, double within, int want_sign);
/* The box at the second pose. -> polygons (address, count) */
WEB_EXPORT(int, web_overlap_box)(const tumble_model *model, int given, double x, double y, double z);
WEB_EXPORT(int, web_overlap_sphere)
(const tumble_model *model, int given, double x, double y, double z, double radius);

/* ---- Motions: two of 22 numbers: pose, translation, axis, point, angle ---- */

WEB_EXPORT(double *, web_motions)(void);
/* From the first pose to the second. -> the first motion */
WEB_EXPORT(int, web_motion_between)(int given, double x, double y, double z);
/* Of the first motion. -> the first pose */
WEB_EXPORT(int, web_motion_pose)(double time);
/* -> answer, free until, touching at, error, polygon of A, of B, point of A (three numbers), of B */
WEB_EXPORT(int, web_first_contact)
(const tumble_model *a, const tumble_model *b, int given, double clearance, double begin, double end, double tolerance);
/* -> intervals (address, count) */
WEB_EXPORT(int, web_contact_intervals)
(const tumble_model *a, const tumble_model *b, int given, double clearance, double tolerance);
/* The shortest move of B that parts two models, along a direction unless that is 0; 0 directions: the default. ->
 * answer, relation, lower, upper, translation (three numbers), normal, polygon of A, of B (-1: none touch last),
 * deepest point, depth in A, in B; the first pose is B's after the move */
WEB_EXPORT(int, web_separate)
(const tumble_model *a, const tumble_model *b, int given, double x, double y, double z, int touching, double within,
 double enough, double directions);

/* ---- Scenes ---- */

WEB_EXPORT(int, web_scene)(void); /* -> scene */
WEB_EXPORT(void, web_scene_destroy)(tumble_scene *scene);
/* -> index, generation */
WEB_EXPORT(int, web_scene_add)
(tumble_scene *scene, const tumble_model *model, int given, uint32_t group, uint32_t mask, double clearance,
 double radius, int is_inactive);
WEB_EXPORT(int, web_scene_set)
(tumble_scene *scene, uint32_t index, uint32_t generation, const tumble_model *model, int given, uint32_t group,
 uint32_t mask, double clearance, double radius, int is_inactive);
WEB_EXPORT(int, web_scene_remove)(tumble_scene *scene, uint32_t index, uint32_t generation);
WEB_EXPORT(int, web_scene_move)
(tumble_scene *scene, const tumble_object *objects, const tumble_pose *poses, size_t count);
WEB_EXPORT(int, web_scene_move_one)(tumble_scene *scene, uint32_t index, uint32_t generation, int given);
WEB_EXPORT(int, web_scene_ignore)
(tumble_scene *scene, uint32_t index_a, uint32_t generation_a, uint32_t index_b, uint32_t generation_b, int is_ignored);
/* -> touch, candidates, meetings, rows of 18 numbers (address): indices of A and B, event, relation, pairs of polygons,
 * pairs (address), contacts (address, count), distance, polygon of A, of B, point of A (three numbers), of B, 0; then
 * pairs of objects whose meeting has ended (address, count) */
WEB_EXPORT(int, web_scene_ask)(tumble_scene *scene, int mode, double clearance, double within, int want_contacts);
/* -> hit, index of the object, polygon, side, t, point (three numbers) */
WEB_EXPORT(int, web_scene_ray)(tumble_scene *scene, const double *ray, double t0, double t1, uint32_t groups);

#endif
