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

#endif
