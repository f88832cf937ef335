/* Clashes of the run before that are not found any more: only where both parts were compared again, by the same rule,
 * is one resolved. Of all others is said what is missing. */
#include <stdio.h>
#include <string.h>

#include "clash/history.h"

enum {
    REASON_BYTES = 300
};

/* Why a part was not compared; returns 0 if it was. */
static int tell_part(const tumble_clashes *clashes, uint32_t was, uint32_t now, const char *key,
                     char text[REASON_BYTES])
{
    const tumble_assembly_part *parts = tumble_assembly_parts(clashes->assembly, NULL);
    if (now == UINT32_MAX) {
        const tmb_old_part *old = was == UINT32_MAX ? NULL : &tmb_old_parts(clashes->history->before)[was];
        if (old && *old->file && !tmb_clash_has_file(clashes, old->file)) {
            snprintf(text, REASON_BYTES, "the file '%.200s' is missing", old->file);
        } else {
            snprintf(text, REASON_BYTES, "the part '%.200s' is missing", old ? old->path : key);
        }
        return 1;
    }
    if (*parts[now].broken) {
        snprintf(text, REASON_BYTES, "the part '%.150s' is broken: %.100s", parts[now].path, parts[now].broken);
        return 1;
    }
    return 0;
}

/* Why a clash was not looked for; returns 0 if it was. `now` has the parts that it calls A and B. */
static int tell_reason(const tumble_clashes *clashes, const tumble_clash *old, const tmb_old_place *place,
                       const uint32_t now[2], char text[REASON_BYTES])
{
    const tmb_clash_history *history = clashes->history;
    if (place->rule == UINT32_MAX) {
        if (old->rule == UINT32_MAX) {
            snprintf(text, REASON_BYTES, "%.290s", *old->reason ? old->reason : "its rule is missing");
        } else {
            snprintf(text, REASON_BYTES, "the rule '%.200s' is missing",
                     tmb_old_rules(history->before)[old->rule].name);
        }
        return 1;
    }
    if (tell_part(clashes, old->a, now[0], old->key_a, text) || tell_part(clashes, old->b, now[1], old->key_b, text)) {
        return 1;
    }
    if (history->fate[place->clash] == TMB_FATE_UNANSWERED) {
        snprintf(text, REASON_BYTES, "the run ended before its parts were compared");
        return 1;
    }
    if (!tmb_clash_rule_applies(clashes, place->rule, place->a, place->b)) {
        snprintf(text, REASON_BYTES, "its rule no longer compares these two parts");
        return 1;
    }
    if (!tmb_clash_rule_looks_for(clashes, place->rule, old)) {
        snprintf(text, REASON_BYTES, "its rule no longer asks for this: %s", tumble_clash_kind_name(old->kind));
        return 1;
    }
    return 0;
}

static tumble_status add(tumble_clashes *clashes, const tmb_old_place *place)
{
    const tumble_clash *old = &tmb_old_clashes(clashes->history->before)[place->clash];
    tumble_context *context = clashes->context;
    char reason[REASON_BYTES] = "";
    const uint32_t now[2] = {place->is_swapped ? place->b : place->a, place->is_swapped ? place->a : place->b};
    tumble_clash clash = *old;
    clash.change = tell_reason(clashes, old, place, now, reason) ? TUMBLE_CHANGE_UNRETESTED : TUMBLE_CHANGE_RESOLVED;
    clash.a = now[0];
    clash.b = now[1];
    clash.rule = place->rule;
    clash.group = UINT32_MAX;
    clash.segments = NULL;
    clash.segment_count = 0;
    const char **texts[] = {&clash.key_a, &clash.key_b, &clash.review, &clash.comment, &clash.reason};
    clash.reason = reason;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        *texts[i] = tmb_texts_keep(context, &clashes->texts, *texts[i]);
        if (!*texts[i]) {
            return tmb_fail_memory(context, "a clash of the run before");
        }
    }
    return tmb_buffer_append(context, &clashes->clashes, &clashes->result.clash_count, &clash, 1, sizeof clash)
               ? TUMBLE_OK
               : tmb_fail_memory(context, "the clashes");
}

tumble_status tmb_clash_add_gone(tumble_clashes *clashes)
{
    const tmb_clash_history *history = clashes->history;
    const tmb_old_place *places = history ? history->places.data : NULL;
    tumble_status status = TUMBLE_OK;
    for (size_t i = 0; history && i < history->place_count && status == TUMBLE_OK; i++) {
        const tumble_clash *old = &tmb_old_clashes(history->before)[places[i].clash];
        if (history->fate[places[i].clash] != TMB_FATE_MET && old->change != TUMBLE_CHANGE_RESOLVED) {
            status = add(clashes, &places[i]);
        }
    }
    return status;
}
