/* Updates of k-DOPs without vectors, as in 1998. */
#ifndef TUMBLE_BENCH_PAPERS_PLAIN_H
#define TUMBLE_BENCH_PAPERS_PLAIN_H

#include <stddef.h>

/* Along each of k vectors the height of the farthest vertex. */
void papers_plain_update(const double (*along)[3], size_t k, const float (*vertices)[3], size_t count, double *out);

#endif
