/* Searches for the polygons nearest to a point.
 *
 * A walk hands clusters to tmb_point_cluster, which bounds the distances of eight triangles at a time in floats. What
 * may be among the nearest waits as a candidate until the walk ends; only these are measured in doubles, and what
 * doubles cannot tell apart to the last bits (point/nearest.c). Distances are those of the model's frame. */
#ifndef TUMBLE_SRC_POINT_POINT_H
#define TUMBLE_SRC_POINT_POINT_H

#include <stdatomic.h>

#include "base/kernel.h"
#include "math/bounds.h"
#include "prim/point_distance.h"
#include "query/box_frames.h"
#include "query/encounter.h"
#include "tree/box_view.h"
#include "tumble/point.h"

/* A triangle that may be among the nearest. */
typedef struct tmb_point_candidate {
    uint32_t address;
    float lower; /* its distance is not less, in the local unit */
} tmb_point_candidate;

/* A polygon with a triangle that is surely within a distance. */
typedef struct tmb_point_bound {
    double upper;
    uint32_t polygon;
} tmb_point_bound;

/* The memory of one thread's searches. */
typedef struct tmb_point_memory {
    atomic_flag is_busy;
    tmb_buffer candidates; /* tmb_point_candidate */
    tmb_buffer bounds;     /* tmb_point_bound */
    tmb_buffer stack;      /* of walks through boxes */
    tmb_buffer measured;   /* of several nearest polygons: see point/nearest.c */
} tmb_point_memory;

typedef struct tmb_point_search {
    tumble_context *context;
    const tumble_model *model;
    const tmb_encounter *place; /* where the model stands */
    double unit;                /* the model's, in the frame of the pose */
    tmb_limit within;           /* in the model's frame */
    size_t wanted;              /* polygons, at least 1 */
    tmb_point_memory *memory;

    double point[3]; /* in the model's frame */
    double bound;    /* the wanted polygons are not farther */
    double scale;    /* from the model's unit to the local one: a power of two */
    int has_floats;  /* which can hold the coordinates of triangles */
    int has_large;   /* polygons with several triangles */
    /* Of models with a radius: */
    const tmb_thickness *thick; /* NULL: it has none */
    double within_given;        /* in the frame of the pose */
    double most;                /* the thickness of the thickest polygon, in the model's frame */
    int has_radii;              /* polygons have their own */
    int way;                    /* distances with a sign: 1, from inside a closed surface -1; else 0 */

    size_t candidate_count, bound_count;
    tumble_status status;
    tumble_counters counters;
} tmb_point_search;

/* The bound in the local unit, rounded up. */
static inline float tmb_point_limit(const tmb_point_search *search)
{
    return (float)(search->bound * search->scale * (1 + (double)TMB_BOUND_ROUNDING)) * (1 + TMB_BOUND_ROUNDING);
}

/* Notes that a triangle of a polygon is within `upper`, in the model's unit, which may lower the bound. There is room
 * for as many polygons as are wanted. */
void tmb_point_note(tmb_point_search *search, uint32_t polygon, double upper);

/* Notes candidates: some triangles of a cluster, as bits, with lower bounds. */
void tmb_point_add_candidates(tmb_point_search *search, uint32_t cluster, unsigned slots, const float lower[8]);

/* Bounds the distances of some triangles of a cluster. */
typedef void tmb_point_cluster_function(tmb_point_search *search, uint32_t cluster, unsigned slots);
TMB_DECLARE_KERNELS(tmb_point_cluster_function, tmb_point_cluster);

/* Walks: of wide hierarchies, where floats do (0: they do not, and nothing was done); and of all. */
typedef int tmb_point_wide_function(tmb_point_search *search);
TMB_DECLARE_KERNELS(tmb_point_wide_function, tmb_point_wide);
void tmb_point_boxes(tmb_point_search *search);

/* Finds the polygons nearest to search->point, up to `wanted`; `hint` is a distance within which there are as many, or
 * INFINITY. Returns how many were found; the status tells of failures. */
size_t tmb_point_find(tmb_point_search *search, double hint, tumble_closest *out);

/* What remains of the candidates when the walk has ended (point/nearest.c). */
size_t tmb_point_settle(tmb_point_search *search, tumble_closest *out);

/* ---- Models with a radius (point/thick.c) ---- */

void tmb_point_begin_thick(tmb_point_search *search, const tmb_thickness *thick, double within);

/* What is added to distances from a polygon that is thinner than others. */
double tmb_point_shift_of(const tmb_point_search *search, uint32_t polygon);
static inline double tmb_point_shift(const tmb_point_search *search, uint32_t polygon)
{
    return search->has_radii ? tmb_point_shift_of(search, polygon) : 0;
}

/* Whether the distance, less the radius, is within the limit: exactly. Also of models without a radius. */
int tmb_point_is_within(const tmb_point_search *search, uint32_t polygon, const tmb_point_distance *fast,
                        unsigned long long *exact);

/* From the polygon to its solid; `point` is the one that is asked about, in the frame of the pose. */
void tmb_point_thicken(const tmb_point_search *search, const tmb_point_distance *fast, const double point[3],
                       tumble_closest *closest);

/* As tmb_point_find, of models of cylinders (point/cylinders.c). */
size_t tmb_point_find_cylinders(tmb_point_search *search, tumble_closest *out);

/* An order of triangles, whatever the order of their corners. */
int tmb_point_compare_corners(const tmb_point_distance *a, const tmb_point_distance *b);

/* What questions keep in a query's handle. */
typedef struct tmb_point_scratch {
    tmb_point_memory *memories; /* of the threads */
    uint32_t memory_count;
    tmb_buffer closest;                      /* tumble_closest */
    tmb_buffer polygons, items, stack, seen; /* of overlaps */
} tmb_point_scratch;

/* With memory for some threads; NULL if memory runs out. */
tmb_point_scratch *tmb_point_scratch_of(tumble_query *query, uint32_t thread_count);

/* Places a model: the encounter's B is the model itself, at the identity. */
tumble_status tmb_point_place(tumble_query *query, const tumble_model *model, const tumble_pose *pose,
                              tmb_encounter *out);

/* A point of the frame of the pose in the model's. `what` names it in messages: "point 3". */
tumble_status tmb_point_move(const tmb_encounter *place, const double point[3], const char *what, size_t number,
                             double out[3]);

#endif
