/* The truth about two polygons of one model, in rational arithmetic (GMP), written to be obvious rather than quick:
 * what two triangles have in common is found by cutting one with the half-spaces of the other. */
#ifndef TUMBLE_TESTS_SELF_ORACLE_H
#define TUMBLE_TESTS_SELF_ORACLE_H

#include <stddef.h>

#include "tumble/self.h"

typedef struct self_polygon {
    const double (*triangles)[3][3];
    size_t count;
} self_polygon;

/* How they meet outside of what they share; 0: they do not. */
tumble_self_kind self_truth(const self_polygon *p, const self_polygon *q, int soup);

/* Whether they have a common corner. */
int self_share_corner(const self_polygon *p, const self_polygon *q);

#endif
