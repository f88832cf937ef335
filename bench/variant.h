/* Variants: ways to build and to walk a tree, all of which must give the same answers. */
#ifndef TUMBLE_BENCH_VARIANT_H
#define TUMBLE_BENCH_VARIANT_H

#include <stddef.h>
#include <stdio.h>

#include "tumble/tumble.h"

/* Told by a word like "layout=two-planes+trim=0.7": what differs from the library's defaults. */
typedef struct bench_variant {
    char name[160];             /* the word; "default" when nothing differs */
    tumble_model_options model; /* of A */
    tumble_model_options flyer; /* of B: A's, and what only B needs or has otherwise */
    tumble_overlap overlap;
    tumble_direction direction;
    tumble_kdop_walk kdop;
    tumble_simd simd;
} bench_variant;

typedef struct bench_variants {
    bench_variant *items; /* the first is what the others are compared with */
    size_t count;
} bench_variants;

/* From words separated by commas, each a variant or the name of a group of them. Repeated variants are left out, and so
 * are, with a note, instruction sets that this processor does not have. Gives up on unknown words. */
bench_variants bench_variants_parse(const char *text);
void bench_variants_free(bench_variants *variants);

/* One of them, given by its word. */
bench_variant bench_variant_parse(const char *word);

/* Whether two models of the same mesh are the same: options of other hierarchies do not count. */
int bench_same_options(const tumble_model_options *one, const tumble_model_options *other);

const char *bench_simd_name(tumble_simd simd);

/* Keys, values and groups, for --help. */
void bench_variants_help(FILE *file);

#endif
