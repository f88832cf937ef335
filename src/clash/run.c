/* A run: pairs that are close, their answers, and what these say about parts. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "clash/clashes.h"

tumble_clash_options tumble_default_clash_options(void)
{
    return (tumble_clash_options){.severity = TUMBLE_SEVERITY_MAJOR,
                                  .depth_budget = 10000,
                                  .segment_limit = 256,
                                  .segment_bytes = (size_t)256 << 20};
}

void tumble_clashes_destroy(tumble_clashes *clashes)
{
    if (!clashes) {
        return;
    }
    tumble_context *context = clashes->context;
    for (size_t i = 0; clashes->is_answered && clashes->answers.data && i < clashes->question_count; i++) {
        tmb_release(context, ((tmb_clash_answer *)clashes->answers.data)[i].segments);
    }
    tmb_buffer *buffers[] = {&clashes->pairs,   &clashes->questions, &clashes->answers, &clashes->by_question.slots,
                             &clashes->clashes, &clashes->segments,  &clashes->groups,  &clashes->members};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        tmb_buffer_release(context, buffers[i]);
    }
    tmb_texts_release(context, &clashes->texts);
    tmb_release(context, clashes->is_answered);
    tmb_release(context, clashes);
}

const tumble_clash_result *tumble_clashes_result(const tumble_clashes *clashes)
{
    return clashes ? &clashes->result : NULL;
}

/* Pieces of contact curves have moved while there came more: they follow each other in the order of the clashes. */
static void point_to_segments(tumble_clashes *clashes)
{
    tumble_clash *items = clashes->clashes.data;
    const tumble_clash_segment *at = clashes->segments.data;
    for (size_t i = 0; i < clashes->result.clash_count; i++) {
        items[i].segments = items[i].segment_count ? at : NULL;
        at += items[i].segment_count;
    }
}

static tumble_status make_clashes(tumble_clashes *clashes)
{
    const tmb_clash_answer *answers = clashes->answers.data;
    const tmb_clash_pair *pairs = clashes->pairs.data;
    tumble_clash_result *result = &clashes->result;
    for (size_t i = 0; i < clashes->pair_count; i++) {
        const uint32_t question = pairs[i].question;
        if (!clashes->is_answered[question]) {
            result->complete = false;
            continue;
        }
        clashes->rule.pair_count++;
        if (answers[question].kind == TMB_NO_CLASH) {
            continue;
        }
        tumble_clash clash;
        const tumble_status status = tmb_clash_place(clashes, &pairs[i], &answers[question], &clash);
        if (status != TUMBLE_OK) {
            return status;
        }
        if (!tmb_buffer_append(clashes->context, &clashes->clashes, &result->clash_count, &clash, 1, sizeof clash)) {
            return tmb_fail_memory(clashes->context, "the clashes");
        }
        result->kind_counts[clash.kind]++;
    }
    point_to_segments(clashes);
    return TUMBLE_OK;
}

static tumble_status run(tumble_clashes *clashes)
{
    const double start = tmb_seconds();
    tumble_clash_result *result = &clashes->result;
    tumble_status status = tmb_clash_collect(clashes);
    if (status == TUMBLE_OK) {
        status = tmb_clash_answer_all(clashes);
    }
    result->complete = true;
    if (status == TUMBLE_OK) {
        status = make_clashes(clashes);
    }
    result->parts = tumble_assembly_parts(clashes->assembly, &result->part_count);
    result->models = tumble_assembly_models(clashes->assembly, &result->model_count);
    tumble_assembly_frame(clashes->assembly, &result->metres, &result->up);
    clashes->rule.clash_count = result->clash_count;
    result->rules = &clashes->rule;
    result->rule_count = 1;
    result->clashes = clashes->clashes.data;
    if (status == TUMBLE_OK) {
        status = tmb_clash_group(clashes);
    }
    result->pair_count = clashes->pair_count;
    result->question_count = clashes->question_count;
    result->seconds = tmb_seconds() - start;
    return status;
}

static tumble_status check_options(tumble_context *context, const tumble_clash_options *options)
{
    if (!(options->clearance >= 0) || !isfinite(options->clearance)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "the clearance is %g: it must be at least 0 and finite",
                        options->clearance);
    }
    if (!(options->touch >= 0) || !isfinite(options->touch)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "the touch tolerance is %g: it must be at least 0 and finite",
                        options->touch);
    }
    if ((unsigned)options->severity > TUMBLE_SEVERITY_CRITICAL) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "there is no severity %d", (int)options->severity);
    }
    if ((unsigned)options->grouping > TUMBLE_GROUP_NEAR || !(options->group_radius >= 0)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "there is no grouping %d with radius %g",
                        (int)options->grouping, options->group_radius);
    }
    return TUMBLE_OK;
}

tumble_status tumble_clash_run(const tumble_assembly *assembly, const tumble_clash_options *options,
                               tumble_clashes **out)
{
    if (out) {
        *out = NULL;
    }
    if (!assembly) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    tumble_context *context = assembly->context;
    if (!out) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "out is null");
    }
    const tumble_clash_options wanted = options ? *options : tumble_default_clash_options();
    tumble_status status = check_options(context, &wanted);
    if (status != TUMBLE_OK) {
        return status;
    }
    tumble_clashes *clashes = tmb_allocate(context, 1, sizeof *clashes);
    if (!clashes) {
        return tmb_fail_memory(context, "a run");
    }
    *clashes = (tumble_clashes){.context = context, .assembly = assembly, .options = wanted};
    clashes->rule = (tumble_clash_rule_view){
        .name = "all parts", .clearance = wanted.clearance, .touch = wanted.touch, .severity = wanted.severity};
    status = run(clashes);
    if (status != TUMBLE_OK) {
        tumble_clashes_destroy(clashes);
        return status;
    }
    *out = clashes;
    return TUMBLE_OK;
}
