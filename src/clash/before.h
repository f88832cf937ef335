/* The run before: what clashes.json says of it. */
#ifndef TUMBLE_SRC_CLASH_BEFORE_H
#define TUMBLE_SRC_CLASH_BEFORE_H

#include "clash/clashes.h"

typedef struct tmb_old_part {
    const char *name, *path, *file, *guid, *class_name, *material, *key;
    const char *geometry; /* hash of its model; empty: unknown, or the part was broken */
    uint32_t model;
    tumble_pose pose;
} tmb_old_part;

typedef struct tmb_old_rule {
    const char *name, *hash;
    double clearance;
} tmb_old_rule;

struct tumble_clash_before {
    tumble_context *context;
    tmb_texts texts;
    tmb_buffer parts, rules, clashes, models; /* tmb_old_part, tmb_old_rule, tumble_clash, const char * */
    size_t part_count, rule_count, clash_count, model_count;
    int is_complete;
    double metres;
    const char *basis;
};

static inline const tmb_old_part *tmb_old_parts(const tumble_clash_before *before)
{
    return before->parts.data;
}

static inline const tmb_old_rule *tmb_old_rules(const tumble_clash_before *before)
{
    return before->rules.data;
}

static inline const tumble_clash *tmb_old_clashes(const tumble_clash_before *before)
{
    return before->clashes.data;
}

#endif
