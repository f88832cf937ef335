/* What a run knows of the one before. */
#ifndef TUMBLE_SRC_CLASH_HISTORY_H
#define TUMBLE_SRC_CLASH_HISTORY_H

#include "clash/before.h"

/* A clash of the run before, by the numbers that its parts and rule have now; a < b. */
typedef struct tmb_old_place {
    uint32_t a, b, rule, clash;
    uint32_t is_swapped; /* the part that was A is now b */
} tmb_old_place;

typedef struct tmb_clash_history {
    const tumble_clash_before *before;
    uint32_t *now;      /* of each part before, its number; UINT32_MAX: gone */
    uint32_t *was;      /* the other way */
    uint32_t *rule_now; /* of each rule before */
    uint8_t *is_same;   /* of each part: all that rules and answers look at is as it was */
    uint8_t *rule_same; /* of each rule */
    uint8_t *fate;      /* of each clash before: a tmb_fate */
    tmb_buffer places;  /* tmb_old_place, in order */
    size_t place_count;
    const char **files; /* of the parts, in order */
    size_t file_count;
    int is_comparable; /* what cannot have changed need not be answered again */
} tmb_clash_history;

typedef enum tmb_fate {
    TMB_FATE_OPEN,      /* not met */
    TMB_FATE_MET,       /* it is there now */
    TMB_FATE_UNANSWERED /* the run ended before its parts were compared */
} tmb_fate;

/* Nothing, or all of it; released by tmb_clash_history_release also after a failure. */
tumble_status tmb_clash_history_begin(tumble_clashes *clashes);
void tmb_clash_history_release(tumble_clashes *clashes);

/* Which part was which. */
tumble_status tmb_clash_match_parts(tumble_clashes *clashes, tmb_clash_history *history);

/* Whether the answer is that of the run before; *clash is the clash it found, or NULL. */
int tmb_clash_is_known(const tumble_clashes *clashes, uint32_t a, uint32_t b, uint32_t rule,
                       const tumble_clash **clash);

/* A clash of the run before, as it is now. */
tumble_status tmb_clash_carry(tumble_clashes *clashes, const tumble_clash *old, const tmb_clash_pair *pair,
                              tumble_clash *out);

/* What has become of a clash that was found: its change, and what people said of it. */
tumble_status tmb_clash_remember(tumble_clashes *clashes, tumble_clash *clash);

/* These two were not compared, as the run ended. */
void tmb_clash_note_unanswered(tumble_clashes *clashes, const tmb_clash_pair *pair);

/* Whether a part of this run has the file. */
int tmb_clash_has_file(const tumble_clashes *clashes, const char *file);

/* All clashes of the run before that were not met, at the end. */
tumble_status tmb_clash_add_gone(tumble_clashes *clashes);

#endif
