/* Results of clash runs for tests of reports: made here, without the job that finds clashes. */
#ifndef TUMBLE_TESTS_CLASH_SAMPLE_H
#define TUMBLE_TESTS_CLASH_SAMPLE_H

#include "tumble/tumble.h"

typedef struct clash_sample clash_sample;

/* A small plant: beams, pipes, bolts and a gear box with clashes of every kind, as collisions, relations and distances
 * of all pairs tell. NULL: memory ran out, or a call failed. */
clash_sample *clash_sample_plant(tumble_context *context);

/* So many parts of 20 models on a grid, and so many made-up clashes of neighbours. */
clash_sample *clash_sample_many(tumble_context *context, uint32_t parts, uint32_t clashes);

tumble_clash_result *clash_sample_result(clash_sample *sample);

/* clashes.json as docs/clash.md describes it. 0: it could not be written. */
int clash_sample_write_json(const clash_sample *sample, const char *path);

void clash_sample_destroy(clash_sample *sample);

#endif
