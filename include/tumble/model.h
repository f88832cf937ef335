/* Tumble: models, that is geometry plus a hierarchy.
 *
 *     tumble_mesh mesh = tumble_default_mesh();
 *     mesh.points = points, mesh.point_count = 4, mesh.indices = corners, mesh.index_count = 12;
 *     tumble_model *model;
 *     tumble_model_create(context, &mesh, NULL, &model);
 *
 * A model may be used by any number of threads at once; only edits change it. */
#ifndef TUMBLE_MODEL_H
#define TUMBLE_MODEL_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The caller's polygons: read, never kept. */
typedef struct tumble_mesh {
    const double *points;      /* either these: x, y, z, ... */
    const float *points_float; /* or these */
    size_t point_count;
    size_t point_stride;     /* bytes from one point to the next, a multiple of the coordinate's size; 0: packed */
    const uint32_t *indices; /* corners of the polygons, one polygon after the other */
    size_t index_count;
    const uint32_t *polygon_sizes; /* corners per polygon, at least three; NULL: all are triangles */
    size_t polygon_count;          /* if polygon_sizes is NULL: 0 or index_count / 3 */
    const uint32_t *surface_ids;   /* a surface id per polygon, chosen by the caller; NULL: all 0 */
    const double *radii;           /* a radius per polygon, at least 0: see "Models with a radius"; NULL: none */
} tumble_mesh;

TUMBLE_API tumble_mesh tumble_default_mesh(void);

/* The hierarchy of a model. All give the same answers. Any two models can be compared; those of the same hierarchy
 * fastest. */
#define TUMBLE_HIERARCHY_LIST(X)                                                 \
    X(AUTO, 0, "auto", "the fastest in general (currently wide)")                \
    X(WIDE, 3, "wide", "eight children per node, compared eight by eight")       \
    X(BOXTREE, 2, "boxtree", "restricted boxtree (Zachmann 2002; US 6,862,026)") \
    X(KDOP, 4, "kdop", "binary tree of k-DOPs (Klosowski et al. 1998)")          \
    X(RTREE, 5, "rtree", "R-trees of surfaces and triangles (Figueiredo, S-CD)") \
    X(BRUTE, 1, "brute", "none: every triangle against every triangle; for comparison")

typedef enum tumble_hierarchy {
#define TUMBLE_HIERARCHY_ENUM(name, number, word, text) TUMBLE_HIERARCHY_##name = number,
    TUMBLE_HIERARCHY_LIST(TUMBLE_HIERARCHY_ENUM)
#undef TUMBLE_HIERARCHY_ENUM
} tumble_hierarchy;

/* "boxtree"; never NULL. */
TUMBLE_API const char *tumble_hierarchy_name(tumble_hierarchy hierarchy);

typedef struct tumble_model_options {
    tumble_hierarchy hierarchy; /* default: AUTO */
    uint32_t thread_count;      /* 0: the context's */
    /* Keep what tumble_model_deform needs for polygons with more than three corners: about 5 bytes per triangle. Models
     * of triangles can be deformed without it. */
    bool deformable;
    double radius; /* of all polygons, on top of the mesh's radii (rounded): see "Models with a radius"; default: 0 */
    /* Polygons, which must be segments, are the axes of cylinders with flat ends: see "Cylinders"; default: false */
    bool flat_ends;
    /* Called now and then while building, on the calling thread, with 0 to 1; return true to stop with
     * TUMBLE_ERROR_CANCELLED. */
    bool (*progress)(void *user, double fraction);
    void *progress_user;
    const struct tumble_tuning *tuning; /* optional; see hierarchies.h */
} tumble_model_options;

TUMBLE_API tumble_model_options tumble_default_model_options(void);

typedef struct tumble_model tumble_model;

/* Validates the mesh, triangulates its polygons and builds the hierarchy. The mesh may be freed afterwards. A model
 * without polygons is legal and collides with nothing. The result does not depend on the number of threads.
 *
 * Errors: TUMBLE_ERROR_ARGUMENT, _INDEX, _POLYGON, _NOT_FINITE, _TOO_LARGE  the mesh is invalid; the message names the
 *                                                                           first bad item
 *         TUMBLE_ERROR_MEMORY
 *         TUMBLE_ERROR_CANCELLED  `progress` returned true */
TUMBLE_API tumble_status tumble_model_create(tumble_context *context, const tumble_mesh *mesh,
                                             const tumble_model_options *options, tumble_model **out);

/* NULL is allowed. TUMBLE_ERROR_BUSY: a scene has objects of the model, which stays as it is. */
TUMBLE_API tumble_status tumble_model_destroy(tumble_model *model);

/* ---- What a model is ---- */

typedef struct tumble_model_info {
    uint64_t polygon_count;
    uint64_t triangle_count;
    uint64_t point_count;       /* points of the mesh that triangles use; distinct points of an edited model */
    uint64_t surface_count;     /* distinct surface ids */
    uint64_t degenerate_count;  /* triangles without area, after triangulation */
    bool closed;                /* every edge has exactly two triangles, in opposite directions; see below */
    bool points_are_float;      /* coordinates are stored as float, because float holds all of them exactly */
    bool deformable;            /* made with that option, and it has polygons with more than three corners */
    double radius;              /* of all polygons, or the largest; the bounds below are without it */
    bool has_radii;             /* polygons have radii of their own */
    bool has_flat_ends;         /* they are cylinders */
    double lower[3], upper[3];  /* bounds; all 0 for an empty model */
    tumble_hierarchy hierarchy; /* never AUTO */
    uint64_t node_count;        /* boxtree, kdop: leaves included; wide: without the leaves, which are the clusters */
    uint32_t depth;             /* edges from the root to the deepest leaf */
    uint64_t hierarchy_bytes;
    uint64_t total_bytes; /* everything the model holds */
    double build_seconds; /* of tumble_model_create or tumble_model_deform; 0 for a loaded model */
} tumble_model_info;

/* Takes a pass over the triangles and memory proportional to the model, so it can fail with TUMBLE_ERROR_MEMORY. For
 * `closed`, points with equal coordinates are one point, and triangles with two equal corners do not count. */
TUMBLE_API tumble_status tumble_model_get_info(const tumble_model *model, tumble_model_info *info);

/* Never AUTO, except for a NULL model. */
TUMBLE_API tumble_hierarchy tumble_model_hierarchy(const tumble_model *model);

/* The surface id of a polygon, even of a removed one. */
TUMBLE_API tumble_status tumble_model_surface(const tumble_model *model, uint32_t polygon, uint32_t *out);

/* Triangle number `triangle` in the model's own order, as stored, and its polygon. Either output may be NULL. */
TUMBLE_API tumble_status tumble_model_triangle(const tumble_model *model, uint32_t triangle, double corners[3][3],
                                               uint32_t *polygon);

/* ---- Models with a radius ----
 *
 * A model may be thickened: with a radius it is the solid of everything within that distance of its polygons. A point
 * with a radius is a ball, a segment a capsule, a polyline the sweep of a ball. Polygons that are points or segments
 * have three equal corners, or two.
 *
 * Radii are in the model's unit and scale with its pose. Two polygons intersect if their distance is at most the sum of
 * both radii, each times the scale of its pose, and the clearance; this sum is rounded once. Where it needs no
 * rounding, the answer is exact (docs/semantics.md). Distances are less the radii, and 0 where solids meet. A closed
 * mesh with a radius is a thick shell, as queries compare surfaces; tumble_relate takes its inside into account.
 *
 * Rays hit the solids of polygons, and tumble_inside finds points in them (ray.h); closest points and overlaps with
 * boxes and balls are about them, too (point.h). Of self-intersection, radii are a further clearance between polygons
 * that are no neighbours (self.h).
 *
 * Inserted polygons have the radii of their mesh; without these the model's radius or, if its polygons have radii of
 * their own, 0. tumble_model_deform keeps radii. */

/* The radius of all polygons from now on; 0: none. An edit; the block follows when it is wanted.
 *
 * Errors: TUMBLE_ERROR_ARGUMENT    it is negative
 *         TUMBLE_ERROR_NOT_FINITE */
TUMBLE_API tumble_status tumble_model_set_radius(tumble_model *model, double radius);

/* The radius of a polygon, even of a removed one. */
TUMBLE_API tumble_status tumble_model_radius(const tumble_model *model, uint32_t polygon, double *out);

/* Models of simple solids. Their radius is the one given here: `options->radius` is ignored. */
TUMBLE_API tumble_status tumble_model_create_ball(tumble_context *context, const double centre[3], double radius,
                                                  const tumble_model_options *options, tumble_model **out);
/* Everything within `radius` of the segment from a to b. */
TUMBLE_API tumble_status tumble_model_create_capsule(tumble_context *context, const double a[3], const double b[3],
                                                     double radius, const tumble_model_options *options,
                                                     tumble_model **out);
/* The box from `lower` to `upper` (12 triangles), with a radius larger by that and rounded. A side may be 0. */
TUMBLE_API tumble_status tumble_model_create_box(tumble_context *context, const double lower[3], const double upper[3],
                                                 double radius, const tumble_model_options *options,
                                                 tumble_model **out);
/* What a ball sweeps along the `count` points x, y, z, ...; polygon i is the segment from point i to the next. A single
 * point is a ball. */
TUMBLE_API tumble_status tumble_model_create_polyline(tumble_context *context, const double *points, size_t count,
                                                      double radius, const tumble_model_options *options,
                                                      tumble_model **out);
/* Balls with radii of their own; polygon i is ball i. */
TUMBLE_API tumble_status tumble_model_create_balls(tumble_context *context, const double *centres, const double *radii,
                                                   size_t count, const tumble_model_options *options,
                                                   tumble_model **out);

/* ---- Cylinders ----
 *
 * A model with flat ends consists of segments with a radius, and these are cylinders: all points that are within the
 * radius of the segment's line and between the planes through its ends. They are exact, too. Each has one radius; a
 * stepped tool is several of them. A segment whose ends are equal is a ball.
 *
 * Collisions, clearances, distances, relations, scenes and batches take them, also two of them, and beside all other
 * models; so do self-intersection, rays, points inside, closest points, boxes and balls. Whether a cylinder meets a
 * polygon without a radius or a ball is exact; of other solids with a cylinder, two that are told to be apart are, and
 * two may be told to meet that are less than 2^-40 of their size apart (docs/semantics.md). Motions and separations
 * fail with TUMBLE_ERROR_UNSUPPORTED. */

/* The cylinder around the segment `from` to `to`, whose ends must differ. */
TUMBLE_API tumble_status tumble_model_create_cylinder(tumble_context *context, const double from[3], const double to[3],
                                                      double radius, const tumble_model_options *options,
                                                      tumble_model **out);
/* Several, with radii of their own; polygon i is cylinder i, from ends[6 i] on to ends[6 i + 3] on. */
TUMBLE_API tumble_status tumble_model_create_cylinders(tumble_context *context, const double *ends, const double *radii,
                                                       size_t count, const tumble_model_options *options,
                                                       tumble_model **out);

/* ---- Points that move ---- */

/* A model of the same polygons at new points: same clusters, same tree, refitted in linear time, a fraction of a build.
 * `mesh` is the one that `model` was made of, with other coordinates, float or double. Its surface ids and radii are
 * ignored.
 *
 * `*out` is NULL, or a model from an earlier call whose memory is reused; no query may be using it. If a call fails,
 * `*out` is unchanged. With one thread, a call that finds enough memory there allocates nothing, unless a k-DOP tree
 * has lookups, vertices or hulls, which are computed anew. The result is independent of `model`. Queries are exact;
 * after large deformations a new build is faster to query.
 *
 * Polygons with more than three corners keep the triangles they had in `model`.
 *
 * Errors: TUMBLE_ERROR_ARGUMENT     the polygons or indices are not the model's
 *         TUMBLE_ERROR_UNSUPPORTED  larger polygons without the option `deformable`, or an edited model */
TUMBLE_API tumble_status tumble_model_deform(const tumble_model *model, const tumble_mesh *mesh, tumble_model **out);

/* ---- Editing ----
 *
 * Every model can be edited, wherever it comes from, and keeps its options. During an edit nothing else may use the
 * model.
 *
 * An edit happens as a whole or not at all. Afterwards queries find exactly what they find in a fresh model of the same
 * polygons, in about the same time: parts of the trees are rebuilt as they change.
 *
 * A first edit takes time proportional to the model. Then an edit of m polygons in a model of n triangles takes
 *
 *     R-trees               m log n, amortised
 *     wide, kdop, boxtree   sections of up to 4 √n triangles are built anew, one or more for each of the m polygons,
 * but no more than the model; and the whole model when half of it has changed kdop with LOOKUP, VERTICES, hulls or bare
 * leaves, and brute: a build of the model
 *
 * Inserting points far outside of the model, removing them again, or inserting the first points that float does not
 * hold exactly takes time proportional to the model. docs/deform.md has figures.
 *
 * An edited model takes two to ten times the memory of its block. tumble_model_block, _save, _get_info and _triangle,
 * and OpenCL devices, make the block anew the first time after an edit, which takes time and memory proportional to the
 * model. */

/* Inserts the polygons of a mesh; they are numbered from `*first_polygon` (may be NULL) on, in their order. Numbers are
 * never reused. Polygons whose surface id exists join that surface. */
TUMBLE_API tumble_status tumble_model_insert(tumble_model *model, const tumble_mesh *mesh, uint32_t *first_polygon);

/* Removes polygons by number; the others keep theirs. TUMBLE_ERROR_INDEX: a number does not exist or is given twice. */
TUMBLE_API tumble_status tumble_model_remove(tumble_model *model, const uint32_t *polygons, size_t count);

/* Removes all polygons of a surface. TUMBLE_ERROR_INDEX: there is no such surface. */
TUMBLE_API tumble_status tumble_model_remove_surface(tumble_model *model, uint32_t surface);

/* ---- The block ---- */

/* The flat, relocatable block that is the model: the bytes that are saved, mapped and uploaded. Valid until the next
 * edit. */
TUMBLE_API const void *tumble_model_block(const tumble_model *model, size_t *size);

/* A model from such a block: copied, or used in place if `copy` is false; then it must be 64-byte aligned, outlive the
 * model and not change. Every count and index is checked: TUMBLE_ERROR_FORMAT for a damaged block. */
TUMBLE_API tumble_status tumble_model_from_block(tumble_context *context, const void *block, size_t size, bool copy,
                                                 tumble_model **out);

#ifdef __cplusplus
}
#endif

#endif
