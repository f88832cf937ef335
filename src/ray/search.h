/* One ray and one model: what traversals report to, and what they find. */
#ifndef TUMBLE_SRC_RAY_SEARCH_H
#define TUMBLE_SRC_RAY_SEARCH_H

#include "prim/triangle_ray_thick.h"
#include "query/query.h"
#include "tree/model.h"
#include "tumble/ray.h"

/* A triangle that the ray meets. */
typedef struct tmb_ray_found {
    uint32_t address, polygon;
    tmb_ray_point at;
} tmb_ray_found;

/* The memory of one thread. */
typedef struct tmb_ray_memory {
    tmb_buffer found; /* tmb_ray_found: those of a ray, and as many for sorting */
    tmb_buffer hits;  /* tumble_ray_hit: of all its rays */
    size_t hit_count;
    tmb_bigfloat_pool exact; /* of models with a radius */
} tmb_ray_memory;

typedef struct tmb_ray_search {
    const tumble_model *model;
    tumble_mode mode;
    double padding, reach; /* what is added to polygons' radii, and the largest sum; 0: a model without a radius */
    tmb_ray ray;           /* in the model's frame */
    tmb_ray_memory *memory;
    double limit;       /* what is met later does not matter */
    tmb_ray_found best; /* FIRST: if there is one, */
    size_t found_count; /* triangles; if they are listed, in the memory */
    int lists;          /* they are */
    int is_over;        /* nothing more is to be found */
    int has_failed;     /* out of memory */
    tumble_counters counters;
} tmb_ray_search;

void tmb_ray_search_begin(tmb_ray_search *s, const tumble_model *model, double padding, tumble_mode mode,
                          tmb_ray_memory *memory);

/* Prepares for the ray that it has; the counters go on. */
void tmb_ray_search_aim(tmb_ray_search *s);

/* Looks at a triangle. */
void tmb_ray_search_try(tmb_ray_search *s, uint32_t address);

/* The same for one of which it is sure that the ray crosses its inside, at a parameter within the range: on its front,
 * 1, or on its back, -1. With FIRST, nothing else may be closer. */
void tmb_ray_search_cross(tmb_ray_search *s, uint32_t address, int side);

/* Looks at all triangles that may matter to each of up to TMB_RAYS_IN_TURN rays at a model, 1 if they are listed. */
#define TMB_RAYS_IN_TURN 16
void tmb_ray_search_run(tmb_ray_search *searches, size_t count);

/* What was found, by polygons: how many; with ALL, sorted in the memory, else with FIRST the best. */
size_t tmb_ray_search_settle(tmb_ray_search *s);

/* Rounds the parameter of what was found. */
void tmb_ray_search_round(tmb_ray_search *s, const tmb_ray *ray, tmb_ray_found *found);

/* Of models with a radius (ray/thick.c): whether a triangle is met, where, rounded, and which comes first.
 * The search fails if there is no memory. */
int tmb_ray_thick_meets(tmb_ray_search *s, uint32_t address, tmb_ray_point *at);
void tmb_ray_thick_round(tmb_ray_search *s, const tmb_ray *ray, tmb_ray_found *found);
int tmb_ray_thick_compare(tmb_ray_search *s, tmb_ray_found *a, tmb_ray_found *b);

/* Traversals: of any hierarchy, and of the wide one. */
void tmb_ray_walk_boxes(tmb_ray_search *s);
void tmb_ray_walk_wide(tmb_ray_search *searches, size_t count);

#endif
