/* Assemblies: what the files of this folder share. */
#ifndef TUMBLE_SRC_ASSEMBLY_ASSEMBLY_H
#define TUMBLE_SRC_ASSEMBLY_ASSEMBLY_H

#include "base/context.h"
#include "base/sha256.h"
#include "tumble/assembly.h"

/* A hash table of numbers from 0; a slot holds a number plus one. */
typedef struct tmb_number_table {
    tmb_buffer slots; /* uint32_t */
    size_t slot_count;
} tmb_number_table;

/* Texts that stay where they are, one after the other in blocks. */
typedef struct tmb_texts {
    struct tmb_text_block *blocks;
} tmb_texts;

/* What a model was made of: equal ones are made once. */
typedef struct tmb_geometry {
    unsigned char hash[TMB_SHA256_BYTES];
} tmb_geometry;

struct tumble_assembly {
    tumble_context *context;
    tmb_buffer parts; /* tumble_assembly_part */
    size_t part_count;
    tmb_buffer ordinals; /* uint32_t of each part: the last "#n" that was given to a part with its key */
    tmb_number_table keys;
    tmb_texts texts;
    const char *file;  /* the text of the last part's file, which often is that of the next */
    tmb_buffer models; /* tumble_model * */
    tmb_buffer geometries;
    size_t model_count;
    tmb_number_table by_geometry;
    tmb_buffer ignored; /* tumble_part_pair, in the order in which they came */
    size_t ignored_count;
    tmb_number_table by_pair;
    double metres;
    int up;
};

/* Room for one more in a table of `count`; 0 if memory runs out. */
int tmb_number_table_reserve(tumble_context *context, tmb_number_table *table, size_t count,
                             uint64_t (*hash_of)(const void *user, uint32_t number), const void *user);

/* The first slot for a hash; the next ones follow, around the end, until one holds 0. */
static inline size_t tmb_number_table_start(const tmb_number_table *table, uint64_t hash)
{
    return (size_t)hash & (table->slot_count - 1);
}
static inline size_t tmb_number_table_next(const tmb_number_table *table, size_t slot)
{
    return (slot + 1) & (table->slot_count - 1);
}

/* A copy of a text, which may be NULL: empty. NULL if memory runs out. */
const char *tmb_texts_keep(tumble_context *context, tmb_texts *texts, const char *text);
void tmb_texts_release(tumble_context *context, tmb_texts *texts);

/* The key of a part that is about to become number `part_count`: its other texts are set. */
tumble_status tmb_assembly_give_key(tumble_assembly *assembly, tumble_assembly_part *part);

/* Forgets all parts from this number on. */
void tmb_assembly_truncate(tumble_assembly *assembly, size_t part_count);

/* Whether the two parts are not to be compared. */
int tmb_assembly_is_ignored(const tumble_assembly *assembly, uint32_t a, uint32_t b);

/* Forgets the pairs from the first one on that has a part from this number on: those parts are the last. */
void tmb_assembly_truncate_ignored(tumble_assembly *assembly, size_t part_count);

/* Destroys all models from this number on, which no part has. */
void tmb_assembly_truncate_models(tumble_assembly *assembly, size_t model_count);

/* Of the bytes of a model's block. */
tumble_status tmb_assembly_geometry_of_model(tumble_context *context, const tumble_model *model, tmb_geometry *out);

/* The number of a model of this geometry, or UINT32_MAX. */
uint32_t tmb_assembly_find_model(const tumble_assembly *assembly, const tmb_geometry *geometry);

/* Takes a model, also after a failure: it is destroyed then. */
tumble_status tmb_assembly_take_model(tumble_assembly *assembly, const tmb_geometry *geometry, tumble_model *model,
                                      uint32_t *number);

/* The number of a model that is another one moved by the linear part of a transform, and in the sense of the first. */
tumble_status tmb_assembly_bake(tumble_assembly *assembly, uint32_t model, const double transform[12],
                                uint32_t *number);

#endif
