/* A small set of vertices that has an end of every edge of a graph. */
#ifndef TUMBLE_SRC_CLASH_COVER_H
#define TUMBLE_SRC_CLASH_COVER_H

#include <stddef.h>
#include <stdint.h>

#include "base/context.h"

typedef struct tmb_edge {
    uint32_t a, b; /* different vertices */
} tmb_edge;

/* Sets `covers` of the vertices of a cover to 1, of all others to 0. It is the smallest one where pendant vertices can
 * be taken off until what is left falls into pieces of at most TMB_COVER_EXACT vertices, as for trees; of larger
 * pieces, the vertex with most edges is taken again and again. Depends on the numbers of vertices alone, not on the
 * order of the edges, which may be given several times. Returns 0 if memory runs out. */
#define TMB_COVER_EXACT 64
int tmb_cover(tumble_context *context, const tmb_edge *edges, size_t edge_count, size_t vertex_count, uint8_t *covers);

#endif
