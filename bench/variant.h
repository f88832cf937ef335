/* Variants: ways to build and to walk a tree, all of which must give the same answers. */
#ifndef TUMBLE_BENCH_VARIANT_H
#define TUMBLE_BENCH_VARIANT_H

#include <stddef.h>
#include <stdio.h>

#include "tumble/hierarchies.h"
#include "tumble/tumble.h"

/* Told by a word like "layout=two-planes+trim=0.7": what differs from the library's defaults. */
typedef struct bench_variant {
    char name[160]; /* the word; "default" when nothing differs */
    tumble_hierarchy hierarchy;
    tumble_hierarchy flyer_hierarchy; /* of B, if it has another one; else AUTO */
    uint32_t flyer_leaf;              /* of B's k-DOP tree, when it has leaves of its own size; else 0 */
    tumble_tuning tuning;
    tumble_tuning environment, flyer; /* the same for a model that is only A, and for one that is only B */
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

/* One of them. */
bench_variant bench_variant_parse(const char *word);

/* Options of a model that is A and B, of one that is only A, and of one that is only B: B, which is tumbled, keeps what
 * k-DOPs need for that, and A does not; B can have another hierarchy, or leaves of another size. They point into the
 * variant. */
tumble_model_options bench_model_options(const bench_variant *variant);
tumble_model_options bench_environment_options(const bench_variant *variant);
tumble_model_options bench_flyer_options(const bench_variant *variant);

/* Whether they make the same model of a mesh. */
int bench_same_options(const tumble_model_options *one, const tumble_model_options *other);

/* The defaults with what the variant says about queries; they point into the variant. */
tumble_collide_options bench_variant_options(const bench_variant *variant);

const char *bench_simd_name(tumble_simd simd);

/* Keys, values and groups, for --help. */
void bench_variants_help(FILE *file);

#endif
