/* Two triangles of one model: have they a common point outside of what they share, and how do they meet? */
#ifndef TUMBLE_SRC_SELF_RULE_H
#define TUMBLE_SRC_SELF_RULE_H

#include "tumble/self.h"

/* The distinct points that are corners of both: corner a[i] of the one is corner b[i] of the other. */
typedef struct tmb_shared {
    unsigned count;
    unsigned a[3], b[3];
} tmb_shared;

tmb_shared tmb_shared_corners(const double a[3][3], const double b[3][3]);

/* Whether they have a point in common that is not the shared corner, nor on the edge between two shared corners: the
 * mathematically exact answer on these doubles. `exact` is incremented if plain double arithmetic could not decide. */
int tmb_triangles_meet_outside(const double a[3][3], const double b[3][3], const tmb_shared *shared,
                               unsigned long long *exact);

/* Triangles p q r and p q s: whether plain doubles show that they have nothing but the edge p q in common. */
int tmb_are_beside(const double p[3], const double q[3], const double r[3], const double s[3]);

/* How triangles meet that have a point in common. */
tumble_self_kind tmb_kind_of_meeting(const double a[3][3], const double b[3][3]);

/* Whether a triangle is not a segment or a point, exactly; `axis`, if so, is one along which it has an area. */
int tmb_has_area(const double t[3][3], int *axis);

static inline int tmb_same_point(const double p[3], const double q[3])
{
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

#endif
