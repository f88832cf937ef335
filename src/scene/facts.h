/* What is known of pairs of objects from the answer before, for the next one: two triangles that touched or were
 * nearest, or how far apart they were. Facts are sorted by pairs, as candidates are, so finding them is a merge. They
 * make answers faster and never change them. */
#ifndef TUMBLE_SRC_SCENE_FACTS_H
#define TUMBLE_SRC_SCENE_FACTS_H

#include "base/context.h"
#include "tumble/math.h"
#include "tumble/model.h"

typedef struct tmb_fact {
    uint64_t key; /* of the pair */
    uint32_t generations[2];
    uint64_t models;       /* of their checksums */
    uint32_t triangles[2]; /* addresses */
    uint32_t worth;        /* about how much work it saves */
    uint8_t has_triangles, is_apart;
    uint8_t failures, pause; /* attempts in a row to find them farther apart; questions until the next one */
    double apart;            /* is_apart: no two triangles were as close as that, in A's unit, */
    tumble_pose relative;    /* when B stood there in A's frame */
} tmb_fact;

typedef struct tmb_fact_list {
    tmb_buffer facts; /* of tmb_fact */
    size_t count;
} tmb_fact_list;

static inline tmb_fact *tmb_fact_at(const tmb_fact_list *list, size_t number)
{
    return (tmb_fact *)list->facts.data + number;
}

/* The first whose key is not less. */
size_t tmb_facts_find(const tmb_fact_list *list, uint64_t key);

/* Drops those that are worth least until at most so many are left. */
void tmb_facts_trim(tmb_fact_list *list, size_t most);

/* Whether B, which now stands at `relative`, cannot have come within `limit` (in A's unit) of A since. */
int tmb_fact_stays_apart(const tmb_fact *fact, const tumble_model *b, const tumble_pose *relative, double limit);

/* How far a point of B has moved at most since, in A's unit. */
double tmb_fact_motion(const tmb_fact *fact, const tumble_model *b, const tumble_pose *relative);

/* A number for two models that no other two have, as good as certainly; 0 if one is being edited. */
uint64_t tmb_fact_models(const tumble_model *a, const tumble_model *b);

#endif
