/* The run before and this one: what can be taken over, and what has become of each clash. */
#include "clash/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- where the clashes of the run before are now ---- */

static int compare_places(const void *a, const void *b)
{
    const tmb_old_place *x = a, *y = b;
    const uint32_t left[4] = {x->a, x->b, x->rule, x->clash}, right[4] = {y->a, y->b, y->rule, y->clash};
    for (int i = 0; i < 4; i++) {
        if (left[i] != right[i]) {
            return left[i] < right[i] ? -1 : 1;
        }
    }
    return 0;
}

typedef struct keyed_part {
    const char *key;
    uint32_t number;
} keyed_part;

static int compare_keys(const void *a, const void *b)
{
    return strcmp(((const keyed_part *)a)->key, ((const keyed_part *)b)->key);
}

/* The part that has a key now; UINT32_MAX: none. */
static uint32_t find_key(const keyed_part *parts, size_t count, const char *key)
{
    const keyed_part wanted = {key, 0};
    const keyed_part *found = count ? bsearch(&wanted, parts, count, sizeof *parts, compare_keys) : NULL;
    return found ? found->number : UINT32_MAX;
}

/* Parts that were gone in the run before are looked for by their keys. */
static tumble_status place_clashes(tumble_clashes *clashes, tmb_clash_history *history)
{
    tumble_context *context = clashes->context;
    const tumble_clash_before *before = history->before;
    const tumble_clash *olds = tmb_old_clashes(before);
    size_t count;
    const tumble_assembly_part *parts = tumble_assembly_parts(clashes->assembly, &count);
    keyed_part *keys = tmb_allocate(context, count + 1, sizeof *keys);
    if (!keys || !tmb_buffer_reserve(context, &history->places, before->clash_count + 1, sizeof(tmb_old_place), 0)) {
        tmb_release(context, keys);
        return tmb_fail_memory(context, "the clashes of the run before");
    }
    for (size_t i = 0; i < count; i++) {
        keys[i] = (keyed_part){parts[i].key, (uint32_t)i};
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    tmb_old_place *places = history->places.data;
    for (size_t i = 0; i < before->clash_count; i++) {
        const tumble_clash *old = &olds[i];
        const uint32_t a = old->a == UINT32_MAX ? find_key(keys, count, old->key_a) : history->now[old->a];
        const uint32_t b = old->b == UINT32_MAX ? find_key(keys, count, old->key_b) : history->now[old->b];
        places[i] =
            (tmb_old_place){a < b ? a : b, a < b ? b : a,
                            old->rule == UINT32_MAX ? UINT32_MAX : history->rule_now[old->rule], (uint32_t)i, a > b};
    }
    history->place_count = before->clash_count;
    qsort(places, history->place_count, sizeof *places, compare_places);
    tmb_release(context, keys);
    return TUMBLE_OK;
}

/* The first clash of the run before at a place, and how many there are. */
static const tmb_old_place *find_place(const tmb_clash_history *history, uint32_t a, uint32_t b, uint32_t rule,
                                       size_t *count)
{
    const tmb_old_place *places = history->places.data;
    size_t low = 0, high = history->place_count;
    const tmb_old_place wanted = {a, b, rule, 0, 0};
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_places(&places[middle], &wanted) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *count = 0;
    while (low + *count < history->place_count && places[low + *count].a == a && places[low + *count].b == b &&
           places[low + *count].rule == rule) {
        ++*count;
    }
    return places + low;
}

/* ---- begin and end ---- */

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void list_files(const tumble_clashes *clashes, tmb_clash_history *history)
{
    size_t count;
    const tumble_assembly_part *parts = tumble_assembly_parts(clashes->assembly, &count);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || strcmp(parts[i].file, parts[i - 1].file) != 0) {
            history->files[history->file_count++] = parts[i].file;
        }
    }
    qsort(history->files, history->file_count, sizeof *history->files, compare_texts);
}

int tmb_clash_has_file(const tumble_clashes *clashes, const char *file)
{
    const tmb_clash_history *history = clashes->history;
    return history->file_count &&
           bsearch(&file, history->files, history->file_count, sizeof *history->files, compare_texts) != NULL;
}

static void match_rules(const tumble_clashes *clashes, tmb_clash_history *history)
{
    const tmb_old_rule *olds = tmb_old_rules(history->before);
    const tumble_clash_rule_view *rules = clashes->result.rules;
    memset(history->rule_same, 0, clashes->result.rule_count);
    for (size_t i = 0; i < history->before->rule_count; i++) {
        history->rule_now[i] = UINT32_MAX;
        for (size_t j = 0; j < clashes->result.rule_count; j++) {
            if (strcmp(olds[i].name, rules[j].name) == 0) {
                history->rule_now[i] = (uint32_t)j;
                history->rule_same[j] = strcmp(olds[i].hash, rules[j].hash) == 0;
            }
        }
    }
}

static int reserve(tumble_context *context, tmb_clash_history *history, size_t part_count, size_t rule_count)
{
    const tumble_clash_before *before = history->before;
    history->now = tmb_allocate(context, before->part_count + 1, sizeof *history->now);
    history->was = tmb_allocate(context, part_count + 1, sizeof *history->was);
    history->rule_now = tmb_allocate(context, before->rule_count + 1, sizeof *history->rule_now);
    history->is_same = tmb_allocate(context, part_count + 1, 1);
    history->rule_same = tmb_allocate(context, rule_count + 1, 1);
    history->fate = tmb_allocate(context, before->clash_count + 1, 1);
    history->files = tmb_allocate(context, part_count + 1, sizeof *history->files);
    return history->files && history->now && history->was && history->rule_now && history->is_same &&
           history->rule_same && history->fate;
}

tumble_status tmb_clash_history_begin(tumble_clashes *clashes)
{
    tumble_context *context = clashes->context;
    size_t part_count;
    if (!clashes->options.before) {
        return TUMBLE_OK;
    }
    (void)tumble_assembly_parts(clashes->assembly, &part_count);
    tmb_clash_history *history = tmb_allocate(context, 1, sizeof *history);
    if (!history) {
        return tmb_fail_memory(context, "the run before");
    }
    *history = (tmb_clash_history){.before = clashes->options.before};
    clashes->history = history;
    if (!reserve(context, history, part_count, clashes->result.rule_count)) {
        return tmb_fail_memory(context, "the run before");
    }
    memset(history->fate, TMB_FATE_OPEN, history->before->clash_count);
    match_rules(clashes, history);
    list_files(clashes, history);
    tumble_status status = tmb_clash_match_parts(clashes, history);
    if (status == TUMBLE_OK) {
        status = place_clashes(clashes, history);
    }
    history->is_comparable = history->before->is_complete && !clashes->options.retest &&
                             strcmp(history->before->basis, clashes->result.basis) == 0;
    return status;
}

void tmb_clash_history_release(tumble_clashes *clashes)
{
    tumble_context *context = clashes->context;
    tmb_clash_history *history = clashes->history;
    if (history) {
        tmb_release(context, history->now);
        tmb_release(context, history->was);
        tmb_release(context, history->rule_now);
        tmb_release(context, history->is_same);
        tmb_release(context, history->rule_same);
        tmb_release(context, history->fate);
        tmb_release(context, history->files);
        tmb_buffer_release(context, &history->places);
    }
    tmb_release(context, history);
    clashes->history = NULL;
}

/* ---- what need not be answered again ---- */

int tmb_clash_is_known(const tumble_clashes *clashes, uint32_t a, uint32_t b, uint32_t rule, const tumble_clash **clash)
{
    const tmb_clash_history *history = clashes->history;
    size_t count;
    *clash = NULL;
    if (!history || !history->is_comparable || !history->is_same[a] || !history->is_same[b] ||
        !history->rule_same[rule] || history->was[a] > history->was[b]) {
        return 0;
    }
    const tmb_old_place *places = find_place(history, a, b, rule, &count);
    for (size_t i = 0; i < count && !*clash; i++) {
        const tumble_clash *old = &tmb_old_clashes(history->before)[places[i].clash];
        *clash = tmb_clash_is_gone(old) ? NULL : old;
    }
    return 1;
}

/* ---- what has become of clashes ---- */

static const char *keep(tumble_clashes *clashes, const char *text, int *failed)
{
    const char *kept = tmb_texts_keep(clashes->context, &clashes->texts, text);
    *failed = *failed || !kept;
    return kept ? kept : "";
}

tumble_status tmb_clash_carry(tumble_clashes *clashes, const tumble_clash *old, const tmb_clash_pair *pair,
                              tumble_clash *out)
{
    const tumble_assembly_part *parts = tumble_assembly_parts(clashes->assembly, NULL);
    int failed = 0;
    *out = *old;
    out->a = pair->a;
    out->b = pair->b;
    out->rule = pair->rule;
    out->group = UINT32_MAX;
    out->change = TUMBLE_CHANGE_NEW;
    out->key_a = parts[pair->a].key;
    out->key_b = parts[pair->b].key;
    out->review = out->comment = "";
    out->reason = keep(clashes, old->reason, &failed);
    out->segments = NULL;
    out->segment_count = 0;
    return failed ? tmb_fail_memory(clashes->context, "a clash of the run before") : TUMBLE_OK;
}

/* From harmless to grave. */
static int gravity(tumble_clash_kind kind)
{
    static const int ranks[] = {
        [TUMBLE_CLASH_CLEARANCE] = 0, [TUMBLE_CLASH_TOUCHING] = 1,  [TUMBLE_CLASH_UNDEFINED] = 2,
        [TUMBLE_CLASH_CROSSING] = 3,  [TUMBLE_CLASH_CONTAINED] = 4, [TUMBLE_CLASH_DUPLICATE] = 4};
    return ranks[kind];
}

/* Deeper: the move that is known is longer, and no less is proven to be needed. Lengths are compared if the unit is as
 * it was. */
static int is_worse(const tumble_clashes *clashes, const tumble_clash *old, const tumble_clash *now)
{
    if (gravity(old->kind) != gravity(now->kind)) {
        return gravity(old->kind) < gravity(now->kind);
    }
    if (clashes->history->before->metres != clashes->result.metres) {
        return 0;
    }
    if (now->kind == TUMBLE_CLASH_CLEARANCE) {
        return now->distance < old->distance;
    }
    return old->has_depth && now->has_depth && now->depth[1] > old->depth[1] && now->depth[0] >= old->depth[0];
}

tumble_status tmb_clash_remember(tumble_clashes *clashes, tumble_clash *clash)
{
    tmb_clash_history *history = clashes->history;
    size_t count;
    int failed = 0;
    if (!history) {
        return TUMBLE_OK;
    }
    const tmb_old_place *places = find_place(history, clash->a, clash->b, clash->rule, &count);
    const tumble_clash *old = NULL;
    for (size_t i = 0; i < count; i++) {
        const tumble_clash *other = &tmb_old_clashes(history->before)[places[i].clash];
        history->fate[places[i].clash] = TMB_FATE_MET;
        old = !old || (old->change == TUMBLE_CHANGE_RESOLVED && other->change != TUMBLE_CHANGE_RESOLVED) ? other : old;
    }
    if (!old) {
        return TUMBLE_OK;
    }
    clash->comment = keep(clashes, old->comment, &failed);
    if (old->change != TUMBLE_CHANGE_RESOLVED) {
        clash->review = keep(clashes, old->review, &failed);
        clash->change = is_worse(clashes, old, clash) ? TUMBLE_CHANGE_WORSE : TUMBLE_CHANGE_PERSISTENT;
    }
    return failed ? tmb_fail_memory(clashes->context, "what was said of a clash") : TUMBLE_OK;
}

void tmb_clash_note_unanswered(tumble_clashes *clashes, const tmb_clash_pair *pair)
{
    tmb_clash_history *history = clashes->history;
    size_t count = 0;
    const tmb_old_place *places = history ? find_place(history, pair->a, pair->b, pair->rule, &count) : NULL;
    for (size_t i = 0; i < count; i++) {
        history->fate[places[i].clash] = TMB_FATE_UNANSWERED;
    }
}
