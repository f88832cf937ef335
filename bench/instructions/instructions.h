/* What the files of this program share. */
#ifndef TUMBLE_BENCH_INSTRUCTIONS_H
#define TUMBLE_BENCH_INSTRUCTIONS_H

#include "subject.h"

/* One hierarchy on one instruction set. */
typedef struct engine {
    const bench_variant *variant;
    tumble_context *context;
    tumble_query *query;
} engine;

void start_counting(void);
void end_counting(const engine *e, const char *what, const char *shape);

tumble_model *build(const engine *e, const models_mesh *mesh);

/* Questions about one model, and about models with a radius. */
void count_single(const engine *e);

#endif
