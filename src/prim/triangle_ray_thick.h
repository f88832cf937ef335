/* A ray and the solid of a triangle with a radius, all points within that distance of it: where the ray enters it, and
 * which of two solids it enters first. Exact, as for triangles themselves (prim/triangle_ray.h).
 *
 * The solid is convex and made of seven: three balls around the corners, three cylinders around the edges, between both
 * ends, and the prism between both faces moved by the radius. So the ray enters it at one of seven parameters: where it
 * enters a ball; where it enters the infinite cylinder of an edge, if that point is beside the edge; where it enters
 * between both planes, if that point is above the triangle. All other ends of the seven pieces lie within another. Each
 * parameter is a root of a quadratic equation. A point above the triangle is as far from it as from its plane, so where
 * the ray enters the prism there, it enters the solid.
 *
 * A segment with flat ends has discs in place of the balls: the ray enters where it enters the infinite cylinder beside
 * the segment, or where it is in the plane of an end, if that point is at most the radius from the axis. */
#ifndef TUMBLE_SRC_PRIM_TRIANGLE_RAY_THICK_H
#define TUMBLE_SRC_PRIM_TRIANGLE_RAY_THICK_H

#include "math/bigfloat.h"
#include "prim/triangle_ray.h"

typedef struct tmb_thick_triangle {
    double corners[3][3], radius; /* the radius is finite; 0: a triangle alone, see below */
    int has_flat_ends;            /* with a radius: a segment, and its solid a cylinder; or a point, and a ball */
} tmb_thick_triangle;

/* The pieces as bits: balls or discs 0 to 2, cylinders 3 to 5, the prism. */
#define TMB_THICK_PIECES 7
#define TMB_THICK_PRISM 6
#define TMB_THICK_ALL ((1u << TMB_THICK_PIECES) - 1)

/* Whether they meet. The point is TMB_RAY_ROUND where the ray enters, from the front, and TMB_RAY_START where it starts
 * in the solid, on the back: then it has entered before. The radius is above 0. If memory runs out, the pool tells;
 * `exact` counts what pairs of doubles could not tell. */
int tmb_thick_ray_meets(const tmb_ray *ray, const tmb_thick_triangle *triangle, tmb_ray_point *point,
                        tmb_bigfloat_pool *pool, uint64_t *exact);

/* Like tmb_ray_round and tmb_ray_compare; a radius may be 0, with the point of tmb_ray_meets. */
void tmb_thick_ray_round(const tmb_ray *ray, const tmb_thick_triangle *triangle, tmb_ray_point *point,
                         tmb_bigfloat_pool *pool);
int tmb_thick_ray_compare(const tmb_ray *ray, const tmb_thick_triangle *a, tmb_ray_point *at_a,
                          const tmb_thick_triangle *b, tmb_ray_point *at_b, tmb_bigfloat_pool *pool);

/* ---- What the files triangle_ray_thick*.c share ---- */

/* The other end of a flat end; NULL where there is none, but a ball. */
static inline const double *tmb_thick_other_end(const tmb_thick_triangle *t, int corner)
{
    const double *c = t->corners[corner];
    for (int i = 1; i < 3 && t->has_flat_ends; i++) {
        const double *other = t->corners[(corner + i) % 3];
        if (other[0] != c[0] || other[1] != c[1] || other[2] != c[2]) {
            return other;
        }
    }
    return NULL;
}

/* Where the ray enters (way 1) or leaves (way -1). */
typedef struct tmb_thick_passage {
    int known;             /* 1: the bounds hold; -1: it passes by; 0: not known */
    double low, high;      /* rounded to nearest, the parameter lies between */
    unsigned sure, unsure; /* the pieces of which one defines it: some certainly have such a point, others may */
} tmb_thick_passage;

/* In doubles and in pairs of doubles, of some pieces. */
typedef void tmb_thick_passage_function(const tmb_ray *ray, const tmb_thick_triangle *triangle, int way, unsigned sure,
                                        unsigned unsure, tmb_thick_passage *out);
tmb_thick_passage_function tmb_thick_passage_in_doubles, tmb_thick_passage_in_pairs;

/* (-b - way * root of d) / a, with a > 0 and d >= 0; of way 0 it is b. */
typedef struct tmb_exact_parameter {
    int way;
    tmb_bigfloat a, b, d;
} tmb_exact_parameter;

/* The exact parameter of one of the pieces, and which one; 0: there is none. */
int tmb_exact_passage(const tmb_ray *ray, const tmb_thick_triangle *triangle, int way, unsigned sure, unsigned unsure,
                      tmb_bigfloat_pool *pool, tmb_exact_parameter *out, unsigned *piece);

/* Of a point of either kind. */
tmb_exact_parameter tmb_exact_parameter_of(const tmb_ray *ray, const tmb_thick_triangle *triangle,
                                           const tmb_ray_point *point, tmb_bigfloat_pool *pool);
int tmb_exact_parameter_compare(const tmb_exact_parameter *a, const tmb_exact_parameter *b, tmb_bigfloat_pool *pool);

/* Sign of the parameter minus a limit, which may be infinite. */
int tmb_exact_parameter_against(const tmb_exact_parameter *a, double limit, tmb_bigfloat_pool *pool);

/* The nearest double, ties to even, known to be from `low` to `high`. */
double tmb_exact_parameter_round(const tmb_exact_parameter *a, double low, double high, tmb_bigfloat_pool *pool);

#endif
