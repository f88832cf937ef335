/* A run: pairs that are close, their answers, and what these say about parts. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "clash/history.h"
#include "clash/job.h"

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
                             &clashes->clashes, &clashes->segments,  &clashes->groups,  &clashes->members,
                             &clashes->rules,   &clashes->parts,     &clashes->models};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        tmb_buffer_release(context, buffers[i]);
    }
    tmb_clash_history_release(clashes);
    tmb_texts_release(context, &clashes->texts);
    tmb_release(context, clashes->hashes);
    tmb_release(context, clashes->sets);
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
    const tumble_clash_segment *segments = clashes->segments.data; /* NULL: there are none */
    size_t first = 0;
    for (size_t i = 0; i < clashes->result.clash_count; i++) {
        items[i].segments = items[i].segment_count ? segments + first : NULL;
        first += items[i].segment_count;
    }
}

/* The clash of a pair; *found: there is one. */
static tumble_status make_clash(tumble_clashes *clashes, const tmb_clash_pair *pair, tumble_clash *out, bool *found)
{
    const tmb_clash_answer *answers = clashes->answers.data;
    if (pair->old == 0) {
        *found = answers[pair->question].kind != TMB_NO_CLASH;
        return *found ? tmb_clash_place(clashes, pair, &answers[pair->question], out) : TUMBLE_OK;
    }
    const tumble_clash *old = &tmb_old_clashes(clashes->history->before)[pair->old - 1];
    const tumble_status status = tmb_clash_carry(clashes, old, pair, out);
    *found = true;
    return status == TUMBLE_OK && pair->question != UINT32_MAX
               ? tmb_clash_keep_segments(clashes, &answers[pair->question], out)
               : status;
}

static tumble_status take_pair(tumble_clashes *clashes, const tmb_clash_pair *pair)
{
    tumble_clash_rule_view *rule = (tumble_clash_rule_view *)clashes->rules.data + pair->rule;
    const size_t segment_count = clashes->segment_count;
    tumble_clash clash;
    bool found;
    rule->pair_count++;
    tumble_status status = make_clash(clashes, pair, &clash, &found);
    if (status == TUMBLE_OK && found && !tmb_clash_rule_asks_for(clashes, pair->rule, clash.kind)) {
        clashes->segment_count = segment_count;
        found = false;
    }
    if (status == TUMBLE_OK && found) {
        status = tmb_clash_remember(clashes, &clash);
    }
    if (status != TUMBLE_OK || !found) {
        return status;
    }
    rule->clash_count++;
    clashes->result.kind_counts[clash.kind]++;
    return tmb_buffer_append(clashes->context, &clashes->clashes, &clashes->result.clash_count, &clash, 1, sizeof clash)
               ? TUMBLE_OK
               : tmb_fail_memory(clashes->context, "the clashes");
}

static tumble_status make_clashes(tumble_clashes *clashes)
{
    const tmb_clash_pair *pairs = clashes->pairs.data;
    tumble_status status = TUMBLE_OK;
    for (size_t i = 0; i < clashes->pair_count && status == TUMBLE_OK; i++) {
        if (pairs[i].question == UINT32_MAX || clashes->is_answered[pairs[i].question]) {
            status = take_pair(clashes, &pairs[i]);
        } else {
            clashes->result.complete = false;
            tmb_clash_note_unanswered(clashes, &pairs[i]);
        }
    }
    if (status == TUMBLE_OK) {
        status = tmb_clash_add_gone(clashes);
    }
    point_to_segments(clashes);
    return status;
}

/* What the models were made of. */
static tumble_status list_hashes(tumble_clashes *clashes)
{
    const tmb_geometry *geometries = clashes->assembly->geometries.data;
    const size_t count = clashes->assembly->model_count;
    clashes->hashes = tmb_allocate(clashes->context, count + 1, sizeof *clashes->hashes);
    if (!clashes->hashes) {
        return tmb_fail_memory(clashes->context, "the hashes of models");
    }
    for (size_t i = 0; i < count; i++) {
        tmb_sha256 hash;
        tmb_sha256_begin(&hash);
        tmb_sha256_add(&hash, &geometries[i], sizeof geometries[i]);
        tmb_sha256_end_text(&hash, clashes->hashes[i]);
    }
    clashes->result.hashes = (const char(*)[33])clashes->hashes;
    return TUMBLE_OK;
}

/* The result tells of the parts that there are now, even if the assembly gets more. */
static tumble_status copy_parts(tumble_clashes *clashes)
{
    tumble_context *context = clashes->context;
    tumble_clash_result *result = &clashes->result;
    size_t part_count, model_count;
    const tumble_assembly_part *parts = tumble_assembly_parts(clashes->assembly, &part_count);
    const tumble_model *const *models = tumble_assembly_models(clashes->assembly, &model_count);
    if (!tmb_buffer_append(context, &clashes->parts, &result->part_count, parts, part_count, sizeof *parts) ||
        !tmb_buffer_append(context, &clashes->models, &result->model_count, models, model_count, sizeof *models)) {
        return tmb_fail_memory(context, "the parts of a run");
    }
    result->parts = part_count ? clashes->parts.data : NULL;
    result->models = model_count ? clashes->models.data : NULL;
    return TUMBLE_OK;
}

static tumble_status prepare(tumble_clashes *clashes)
{
    tumble_clash_result *result = &clashes->result;
    result->complete = true;
    tumble_assembly_frame(clashes->assembly, &result->metres, &result->up);
    tumble_status status = copy_parts(clashes);
    if (status == TUMBLE_OK) {
        status = list_hashes(clashes);
    }
    if (status == TUMBLE_OK) {
        status = tmb_clash_prepare_rules(clashes);
    }
    return status == TUMBLE_OK ? tmb_clash_history_begin(clashes) : status;
}

static tumble_status run(tumble_clashes *clashes)
{
    const double start = tmb_seconds();
    tumble_clash_result *result = &clashes->result;
    tumble_status status = prepare(clashes);
    if (status == TUMBLE_OK) {
        status = tmb_clash_collect(clashes);
    }
    if (status == TUMBLE_OK) {
        status = tmb_clash_answer_all(clashes);
    }
    if (status == TUMBLE_OK) {
        status = make_clashes(clashes);
    }
    result->clashes = clashes->clashes.data;
    if (status == TUMBLE_OK) {
        status = tmb_clash_group(clashes);
    }
    tmb_clash_history_release(clashes);
    result->known_count = clashes->known_count;
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

tumble_status tmb_clash_run_job(const tumble_assembly *assembly, const tumble_clash_options *options,
                                tmb_clash_job *job, tumble_clashes **out)
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
    *clashes = (tumble_clashes){.context = context, .assembly = assembly, .options = wanted, .job = job};
    if (job) {
        job->descriptor = -1;
    }
    status = run(clashes);
    const tumble_status kept = tmb_clash_job_end(clashes);
    status = status != TUMBLE_OK ? status : kept;
    if (status != TUMBLE_OK) {
        tumble_clashes_destroy(clashes);
        return status;
    }
    *out = clashes;
    return TUMBLE_OK;
}

tumble_status tumble_clash_run(const tumble_assembly *assembly, const tumble_clash_options *options,
                               tumble_clashes **out)
{
    return tmb_clash_run_job(assembly, options, NULL, out);
}
