/* Is all that two triangles have in common covered by points and segments? In exact arithmetic: for polygons with
 * several triangles, whose neighbours can meet them along parts of triangles. */
#ifndef TUMBLE_SRC_SELF_COVER_H
#define TUMBLE_SRC_SELF_COVER_H

#include "base/context.h"
#include "math/bigfloat.h"

/* A point in homogeneous coordinates; the last is positive. */
typedef struct tmb_exact_point {
    tmb_bigfloat at[4];
} tmb_exact_point;

typedef struct tmb_cover {
    tmb_bigfloat_pool pool;
    tmb_exact_point low, high; /* the ends of what is common */
    tmb_buffer segments;       /* of 6 doubles each */
    size_t count;
    int is_empty, failed;
} tmb_cover;

/* What is common has no area. */
void tmb_cover_begin(tmb_cover *cover, tumble_context *context, const double a[3][3], const double b[3][3]);

/* A segment that covers, or a point, given twice. */
void tmb_cover_add(tmb_cover *cover, const double p[3], const double q[3]);

/* Whether all is covered, -1 if memory ran out; releases the memory. */
int tmb_cover_end(tmb_cover *cover);

#endif
