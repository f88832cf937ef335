/* From parts to questions: pairs whose boxes are close, and which of them are the same but for their place. */
#include <string.h>

#include "clash/history.h"
#include "tumble/scene.h"

typedef struct collecting {
    tumble_clashes *clashes;
    const tumble_assembly_part *parts;
    uint32_t *part_of; /* of the scene's objects */
    double *scales;    /* of parts */
    int is_full;       /* memory ran out */
} collecting;

/* ---- questions ---- */

static uint64_t hash_question(const tmb_clash_question *question)
{
    uint64_t hash = 0x9e3779b97f4a7c15u, word;
    const unsigned char *bytes = (const unsigned char *)question;
    for (size_t i = 0; i + sizeof word <= sizeof *question; i += sizeof word) {
        memcpy(&word, bytes + i, sizeof word);
        hash = (hash ^ word) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    return hash;
}

static uint64_t hash_of_number(const void *user, uint32_t number)
{
    const tumble_clashes *clashes = user;
    return hash_question((const tmb_clash_question *)clashes->questions.data + number);
}

/* Questions have no padding. */
static int are_same_bytes(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

/* The number of a question, which is new if no pair before asked it. Returns 0 if memory runs out. */
static int find_question(tumble_clashes *clashes, const tmb_clash_question *question, uint32_t *number)
{
    tmb_number_table *table = &clashes->by_question;
    if (!tmb_number_table_reserve(clashes->context, table, clashes->question_count, hash_of_number, clashes)) {
        return 0;
    }
    const tmb_clash_question *questions = clashes->questions.data;
    uint32_t *slots = table->slots.data;
    size_t slot = tmb_number_table_start(table, hash_question(question));
    while (slots[slot] && !are_same_bytes(&questions[slots[slot] - 1], question, sizeof *question)) {
        slot = tmb_number_table_next(table, slot);
    }
    if (!slots[slot]) {
        if (!tmb_buffer_append(clashes->context, &clashes->questions, &clashes->question_count, question, 1,
                               sizeof *question)) {
            return 0;
        }
        slots[slot] = (uint32_t)clashes->question_count;
    }
    *number = slots[slot] - 1;
    return 1;
}

/* Parts that are turned alike are not turned to each other: the product of a matrix and its inverse is rounded. */
static tumble_pose relative_pose(const tumble_pose *a, const tumble_pose *b)
{
    tumble_pose relative = tumble_pose_relative(a, b);
    int are_alike = 1;
    for (int i = 0; i < 9; i++) {
        are_alike = are_alike && a->m[i / 3][i % 3] == b->m[i / 3][i % 3];
    }
    for (int i = 0; i < 12; i++) {
        const int j = i / 4, k = i % 4;
        relative.m[j][k] = are_alike && k < 3 ? j == k : relative.m[j][k] + 0.0; /* -0 and 0 are one pose */
    }
    return relative;
}

/* What is known need not be asked; of a clash, where its surfaces meet. */
static int add_pair(collecting *c, uint32_t a, uint32_t b, uint32_t rule)
{
    tumble_clashes *clashes = c->clashes;
    tmb_clash_pair pair = {a, b, rule, UINT32_MAX, 0};
    tmb_clash_question question;
    const tumble_clash *old;
    const int is_known = tmb_clash_is_known(clashes, a, b, rule, &old);
    clashes->known_count += is_known != 0;
    if (is_known) {
        pair.old = old ? (uint32_t)(old - tmb_old_clashes(clashes->history->before)) + 1 : 0;
        if (!old || old->contact_count == 0 || clashes->options.segment_limit == 0) {
            ((tumble_clash_rule_view *)clashes->rules.data)[rule].pair_count += !old;
            return !old ||
                   tmb_buffer_append(clashes->context, &clashes->pairs, &clashes->pair_count, &pair, 1, sizeof pair);
        }
    }
    memset(&question, 0, sizeof question); /* it is compared as bytes */
    question.only_contacts = is_known != 0;
    question.clearance = is_known ? 0 : clashes->result.rules[rule].clearance;
    question.relative = relative_pose(&c->parts[a].pose, &c->parts[b].pose);
    question.scale = c->scales[a];
    question.model_a = c->parts[a].model;
    question.model_b = c->parts[b].model;
    return find_question(clashes, &question, &pair.question) &&
           tmb_buffer_append(clashes->context, &clashes->pairs, &clashes->pair_count, &pair, 1, sizeof pair);
}

/* A pair for each rule that compares these parts. */
static int add_rules(collecting *c, uint32_t a, uint32_t b)
{
    tumble_clashes *clashes = c->clashes;
    int has_room = 1, is_compared = 0;
    for (uint32_t rule = 0; rule < clashes->result.rule_count && has_room; rule++) {
        if (tmb_clash_rule_applies(clashes, rule, a, b)) {
            is_compared = 1;
            has_room = add_pair(c, a, b, rule);
        }
    }
    clashes->result.pair_count += is_compared != 0;
    return has_room;
}

static bool take_candidates(void *user, const tumble_object_pair *pairs, size_t count)
{
    collecting *c = user;
    for (size_t i = 0; i < count && !c->is_full; i++) {
        c->is_full = !add_rules(c, c->part_of[pairs[i].a.index], c->part_of[pairs[i].b.index]);
    }
    return c->is_full != 0;
}

/* ---- the scene ---- */

static tumble_status add_object(collecting *c, tumble_scene *scene, uint32_t number)
{
    const tumble_assembly_part *part = &c->parts[number];
    tumble_part object = tumble_default_part();
    tumble_object id;
    if (*part->broken) {
        return TUMBLE_OK;
    }
    object.model = tumble_assembly_models(c->clashes->assembly, NULL)[part->model];
    object.pose = part->pose;
    object.clearance = 0.5 * tmb_clash_largest_clearance(c->clashes);
    c->scales[number] = tumble_pose_scale(&part->pose);
    const tumble_status status = tumble_scene_add(scene, &object, 1, &id);
    if (status == TUMBLE_OK) {
        c->part_of[id.index] = number;
    }
    return status;
}

static tumble_status collect(collecting *c, tumble_scene *scene)
{
    size_t count;
    c->parts = tumble_assembly_parts(c->clashes->assembly, &count);
    tumble_status status = TUMBLE_OK;
    for (uint32_t i = 0; i < count && status == TUMBLE_OK; i++) {
        status = add_object(c, scene, i);
    }
    if (status == TUMBLE_OK) {
        status = tumble_scene_stream(scene, take_candidates, c, NULL);
    }
    return c->is_full ? tmb_fail_memory(c->clashes->context, "pairs of parts") : status;
}

tumble_status tmb_clash_collect(tumble_clashes *clashes)
{
    tumble_context *context = clashes->context;
    tumble_scene_options options = tumble_default_scene_options();
    options.thread_count = clashes->options.thread_count;
    tumble_scene *scene = NULL;
    size_t count;
    (void)tumble_assembly_parts(clashes->assembly, &count);
    collecting c = {.clashes = clashes};
    c.part_of = tmb_allocate(context, count, sizeof *c.part_of);
    c.scales = tmb_allocate(context, count, sizeof *c.scales);
    tumble_status status = c.part_of && c.scales ? TUMBLE_OK : tmb_fail_memory(context, "the objects of an assembly");
    if (status == TUMBLE_OK) {
        status = tumble_scene_create(context, &options, &scene);
    }
    if (status == TUMBLE_OK) {
        status = collect(&c, scene);
    }
    tumble_scene_destroy(scene);
    tmb_release(context, c.part_of);
    tmb_release(context, c.scales);
    return status;
}
