/* What the files cylinder*.c share. */
#ifndef TUMBLE_SRC_PRIM_CYLINDER_PARTS_H
#define TUMBLE_SRC_PRIM_CYLINDER_PARTS_H

#include "prim/cylinder.h"

typedef enum tmb_verdict {
    TMB_NO,
    TMB_YES,
    TMB_MAYBE
} tmb_verdict;

static inline tmb_verdict tmb_both(tmb_verdict x, tmb_verdict y)
{
    return x == TMB_NO || y == TMB_NO ? TMB_NO : x == TMB_YES && y == TMB_YES ? TMB_YES : TMB_MAYBE;
}

static inline tmb_verdict tmb_either(tmb_verdict x, tmb_verdict y)
{
    return x == TMB_YES || y == TMB_YES ? TMB_YES : x == TMB_NO && y == TMB_NO ? TMB_NO : TMB_MAYBE;
}

/* Whether the cylinder, whose ends differ, meets the border of what its end planes leave of the triangle: in doubles
 * with error bounds, and in integers, which never say maybe. */
tmb_verdict tmb_cylinder_filter(const double triangle[3][3], const tmb_cylinder *cylinder);
tmb_verdict tmb_cylinder_exact(const double triangle[3][3], const tmb_cylinder *cylinder);

/* The same of its inside, without its surface, if the triangle has points strictly between the end planes; and whether
 * it has. */
tmb_verdict tmb_cylinder_enters_filter(const double triangle[3][3], const tmb_cylinder *cylinder);
tmb_verdict tmb_cylinder_enters_exact(const double triangle[3][3], const tmb_cylinder *cylinder);
tmb_verdict tmb_cylinder_between_filter(const double triangle[3][3], const tmb_cylinder *cylinder);
tmb_verdict tmb_cylinder_between_exact(const double triangle[3][3], const tmb_cylinder *cylinder);

/* Whether the triangle's first corner is inside it, not on its surface; likewise. */
tmb_verdict tmb_cylinder_inside_filter(const double triangle[3][3], const tmb_cylinder *cylinder);
tmb_verdict tmb_cylinder_inside_exact(const double triangle[3][3], const tmb_cylinder *cylinder);

/* Whether the ball with this centre and radius meets it. Exactly it is TMB_MAYBE only if memory runs out. */
tmb_verdict tmb_cylinder_ball_filter(const double centre[3], const tmb_limit *radius, const tmb_cylinder *cylinder);
tmb_verdict tmb_cylinder_ball_exact(tumble_context *context, const double centre[3], const tmb_limit *radius,
                                    const tmb_cylinder *cylinder);

#endif
