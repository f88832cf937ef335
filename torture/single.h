/* Questions about model A alone: what they share. */
#ifndef TUMBLE_TORTURE_SINGLE_H
#define TUMBLE_TORTURE_SINGLE_H

#include "ask.h"
#include "ray_oracle.h"
#include "solid.h"

typedef struct torture_single {
    const tumble_model *model;
    const torture_recipe *recipe;
    const torture_triangles *triangles; /* in their own frame */
    const tumble_pose *pose;            /* may be NULL */
    tumble_pose inverse;
    double scale;
    tumble_status status; /* of the pose */
} torture_single;

/* 0 if the model cannot be made. */
int torture_single_begin(torture_stage *s, const torture_question *q, torture_single *out);

/* A point, or a direction, in the model's frame; 0 if it is not finite there. */
int torture_into_model(const torture_single *a, const double in[3], int is_direction, double out[3]);

/* The limit's value; if it is not known, the distance of a triangle from places[0]. */
double torture_place_limit(torture_stage *s, const torture_question *q, const torture_single *a, torture_limit *limit);

/* The square of the distance of a polygon of the shape from a point in the model's frame; 0 if it has no triangles. */
int torture_polygon_square(torture_stage *s, const torture_triangles *t, uint32_t polygon, const double point[3],
                           mpq_t out);

/* A number divided by a scale and rounded once, to the digits of a double. */
long double torture_divided(double value, double scale);

/* Whether the root of a square is at most a limit that may be infinite. */
int torture_is_within(mpq_srcptr square, long double limit);

/* Compares a status with what it has to be: 1 when there is an answer to look at. */
int torture_single_status(torture_stage *s, const torture_question *q, tumble_status status, tumble_status expected);

/* ---- The truth, for those that ask and those that write it down ---- */

/* A ray's hits of polygons of the shape, in order. */
typedef struct torture_hit {
    uint32_t polygon;
    tumble_side side;
    mpq_t t;
} torture_hit;

/* In the model's frame; free with torture_free_hits. */
torture_hit *torture_true_hits(torture_stage *s, const torture_triangles *t, const oracle_ray *ray, size_t *count);
void torture_free_hits(torture_hit *hits, size_t count);

/* Of a point in the model's frame; the polygon is one of the shape. */
tumble_inside_answer torture_true_place(torture_stage *s, const torture_triangles *t, const double point[3],
                                        tumble_inside_rule rule);

/* The polygons of the shape in a box or a ball, by a byte each; 0 if moving is not finite, -1 if it may be not. */
int torture_true_overlaps(torture_stage *s, torture_question *q, const torture_single *a, char *overlaps);

/* The pairs of polygons of the shape that meet as a question wants it, in order; free() the result. */
tumble_self_pair *torture_true_self(torture_stage *s, const torture_question *q, double clearance, size_t *count);

/* The clearance of a question about A alone. */
double torture_self_limit(torture_stage *s, torture_question *q);

#endif
