/* Clashes: what the files of this folder share. */
#ifndef TUMBLE_SRC_CLASH_CLASHES_H
#define TUMBLE_SRC_CLASH_CLASHES_H

#include "assembly/assembly.h"
#include "tumble/clash.h"
#include "tumble/query.h"

/* Two models and how B lies to A; all pairs of parts that agree in it have one answer. */
typedef struct tmb_clash_question {
    tumble_pose relative;
    double scale; /* of A's pose: lengths of the answer are in A's frame */
    double clearance;
    uint32_t model_a, model_b;
    uint32_t only_contacts; /* all else is known from the run before */
    uint32_t unused;        /* questions are compared as bytes */
} tmb_clash_question;

#define TMB_NO_CLASH 255

/* In A's frame. */
typedef struct tmb_clash_answer {
    uint8_t kind; /* a tumble_clash_kind or TMB_NO_CLASH */
    uint8_t inside, is_open_a, is_open_b, has_depth;
    uint32_t segment_count;
    uint64_t contact_count;
    double depth[2], distance;
    double point[3], nearest[2][3], normal[3], box[2][3];
    tumble_clash_segment *segments;
} tmb_clash_answer;

/* Two parts whose boxes are close, and a rule for them. */
typedef struct tmb_clash_pair {
    uint32_t a, b, rule;
    uint32_t question; /* UINT32_MAX: nothing is asked */
    uint32_t old;      /* what the run before found, as a number plus one; 0: the question tells */
} tmb_clash_pair;

struct tumble_clashes {
    tumble_context *context;
    const tumble_assembly *assembly;
    tumble_clash_options options;
    tmb_buffer pairs, questions, answers;
    size_t pair_count, question_count;
    tmb_number_table by_question;
    uint8_t *is_answered; /* of questions */
    tmb_buffer clashes, segments;
    size_t segment_count;
    tmb_buffer rules;                  /* tumble_clash_rule_view */
    struct tmb_clash_history *history; /* NULL: no run before */
    struct tmb_clash_job *job;         /* NULL: answers are not kept */
    uint64_t known_count;              /* pairs that were not asked about, as the run before knows the answer */
    char (*hashes)[33];                /* of models */
    uint8_t *sets;                     /* of each part, the sets of the rules that it is in, as bits */
    size_t set_bytes;
    tmb_buffer groups, members; /* tumble_clash_group, uint32_t */
    tmb_buffer parts, models;   /* of the result: as the assembly had them */
    tmb_texts texts;            /* names of groups */
    tumble_clash_result result;
};

/* The rules of the run, and the hashes of what answers depend on. */
tumble_status tmb_clash_prepare_rules(tumble_clashes *clashes);
double tmb_clash_largest_clearance(const tumble_clashes *clashes);

/* Whether a rule compares two parts, and whether it would tell such a clash. */
int tmb_clash_rule_applies(const tumble_clashes *clashes, uint32_t rule, uint32_t a, uint32_t b);
int tmb_clash_rule_asks_for(const tumble_clashes *clashes, uint32_t rule, tumble_clash_kind kind);
int tmb_clash_rule_looks_for(const tumble_clashes *clashes, uint32_t rule, const tumble_clash *clash);

/* All pairs of parts that are close, in order, and the questions about them. */
tumble_status tmb_clash_collect(tumble_clashes *clashes);

/* Answers one question; the answer's segments are to be released, also after a failure. */
tumble_status tmb_clash_answer_one(tumble_query *query, const tumble_clashes *clashes,
                                   const tmb_clash_question *question, tmb_clash_answer *out);

/* Whether two models have exactly the same triangles, whatever their order and orientation. */
tumble_status tmb_clash_same_triangles(tumble_context *context, const tumble_model *a, const tumble_model *b,
                                       const tumble_pose *relative, bool *out);

/* Answers all questions, on several threads. Those of a run that was stopped are not marked as answered. */
tumble_status tmb_clash_answer_all(tumble_clashes *clashes);

/* The answer as a clash of two parts, in the assembly's frame. */
tumble_status tmb_clash_place(tumble_clashes *clashes, const tmb_clash_pair *pair, const tmb_clash_answer *answer,
                              tumble_clash *out);

/* The contact curve of an answer, as that of a clash. */
tumble_status tmb_clash_keep_segments(tumble_clashes *clashes, const tmb_clash_answer *answer, tumble_clash *out);

/* The same for both orders of the keys. */
void tmb_clash_identify(const char *rule, const char *key_a, const char *key_b, uint32_t ordinal, char out[33]);

/* Makes the groups of all clashes that are not gone. */
tumble_status tmb_clash_group(tumble_clashes *clashes);

/* What each clash is labelled with: all that have the same number are a group. Gone ones are left alone. */
tumble_status tmb_clash_label_parts(const tumble_clashes *clashes, uint32_t *labels);
tumble_status tmb_clash_label_near(const tumble_clashes *clashes, uint32_t *labels);

static inline int tmb_clash_is_gone(const tumble_clash *clash)
{
    return clash->change == TUMBLE_CHANGE_RESOLVED || clash->change == TUMBLE_CHANGE_UNRETESTED;
}

#endif
