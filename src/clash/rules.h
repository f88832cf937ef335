/* Rules as they are read: which sets of parts are compared, and what is told. */
#ifndef TUMBLE_SRC_CLASH_RULES_H
#define TUMBLE_SRC_CLASH_RULES_H

#include "clash/clashes.h"

typedef enum tmb_selector_type {
    TMB_SELECT_MATCH, /* a field matches a pattern */
    TMB_SELECT_ALL,   /* all of what follows holds */
    TMB_SELECT_ANY,
    TMB_SELECT_NOT
} tmb_selector_type;

/* A condition on parts. Those below it are its children, in a list; all are numbers in tumble_clash_rules.selectors. */
typedef struct tmb_selector {
    tmb_selector_type type;
    uint32_t field; /* MATCH: which text of the part */
    const char *pattern;
    uint32_t first, next; /* UINT32_MAX: none */
} tmb_selector;

#define TMB_EVERYTHING UINT32_MAX /* a selector that is not there selects all parts */

/* Pairs that a rule leaves out, as bits. */
typedef enum tmb_ignore {
    TMB_IGNORE_PARENT = 1,   /* in one node of the tree */
    TMB_IGNORE_ASSEMBLY = 2, /* below one node directly under the file's own */
    TMB_IGNORE_FILE = 4,
    TMB_IGNORE_CLASS = 8,
    TMB_IGNORE_OPENING = 16 /* host and what fills its opening */
} tmb_ignore;

typedef struct tmb_rule {
    const char *name;
    double clearance, touch; /* negative: those of the options */
    int severity;            /* likewise */
    uint32_t kinds;          /* bits of what is told */
    uint32_t ignore;
    uint32_t a, b;                   /* selectors */
    uint32_t first_pair, pair_count; /* that are left out */
    char hash[33];                   /* of its text */
} tmb_rule;

/* Parts of one are not compared with parts of the other. */
typedef struct tmb_rule_pair {
    uint32_t a, b;
} tmb_rule_pair;

enum {
    TMB_MOST_RULES = 1000, /* and pairs that are left out */
    TMB_ALL_KINDS = 63
};

struct tumble_clash_rules {
    tumble_context *context;
    tmb_texts texts;
    tmb_buffer rules, selectors, pairs;
    size_t rule_count, selector_count, pair_count;
    uint32_t ignore;                     /* for all rules */
    uint32_t common_first, common_count; /* pairs for all rules */
    char common_hash[33];                /* of the text of both */
};

static inline const tmb_rule *tmb_rules(const tumble_clash_rules *rules)
{
    return rules->rules.data;
}

/* Whether a part is in a set. */
int tmb_select(const tumble_clash_rules *rules, uint32_t selector, const tumble_assembly_part *part);

/* '*' is any text, '?' any byte; all else is itself. */
int tmb_match_pattern(const char *pattern, const char *text);

/* The field of a name, "path"; negative: there is none. All of them: for messages. */
int tmb_select_field(const char *name);
extern const char tmb_select_fields[];

#endif
