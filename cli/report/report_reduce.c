/* Which parts a page shows. */
#include "report_reduce.h"

#include <stdlib.h>
#include <string.h>

static int allocate(const tumble_clash_result *full, report_reduced *out)
{
    out->parts = malloc((full->part_count + 1) * sizeof *out->parts);
    out->clashes = malloc((full->clash_count + 1) * sizeof *out->clashes);
    out->groups = malloc((full->group_count + 1) * sizeof *out->groups);
    out->models = malloc((full->model_count + 1) * sizeof *out->models);
    out->part_numbers = malloc((full->part_count + 1) * sizeof *out->part_numbers);
    out->model_numbers = malloc((full->model_count + 1) * sizeof *out->model_numbers);
    return out->parts && out->clashes && out->groups && out->models && out->part_numbers && out->model_numbers;
}

static void mark(report_reduced *out, uint32_t part)
{
    if (part != UINT32_MAX) {
        out->part_numbers[part] = 0;
    }
}

static void mark_parts(const tumble_clash_result *full, size_t most_parts, report_reduced *out)
{
    const int all = full->part_count <= most_parts;
    for (size_t i = 0; i < full->part_count; i++) {
        out->part_numbers[i] = all || *full->parts[i].broken ? 0 : UINT32_MAX;
    }
    for (size_t i = 0; i < out->result.clash_count; i++) {
        mark(out, full->clashes[i].a);
        mark(out, full->clashes[i].b);
    }
    for (size_t i = 0; i < full->group_count; i++) {
        mark(out, full->groups[i].part);
    }
}

/* Models keep their order. */
static void copy_models(const tumble_clash_result *full, report_reduced *out)
{
    memset(out->model_numbers, 0xff, full->model_count * sizeof *out->model_numbers);
    for (size_t i = 0; i < full->part_count; i++) {
        if (out->part_numbers[i] != UINT32_MAX && full->parts[i].model != UINT32_MAX) {
            out->model_numbers[full->parts[i].model] = 0;
        }
    }
    out->result.model_count = 0;
    for (size_t i = 0; i < full->model_count; i++) {
        if (out->model_numbers[i] != UINT32_MAX) {
            out->models[out->result.model_count] = full->models[i];
            out->model_numbers[i] = (uint32_t)out->result.model_count++;
        }
    }
}

static void copy_parts(const tumble_clash_result *full, report_reduced *out)
{
    out->result.part_count = 0;
    for (size_t i = 0; i < full->part_count; i++) {
        if (out->part_numbers[i] != UINT32_MAX) {
            tumble_assembly_part *part = &out->parts[out->result.part_count];
            *part = full->parts[i];
            part->model = part->model == UINT32_MAX ? part->model : out->model_numbers[part->model];
            out->part_numbers[i] = (uint32_t)out->result.part_count++;
        }
    }
}

static uint32_t number_of(const report_reduced *out, uint32_t part)
{
    return part == UINT32_MAX ? part : out->part_numbers[part];
}

tumble_status report_reduce(const tumble_clash_result *full, size_t most_parts, size_t most_clashes,
                            report_reduced *out)
{
    *out = (report_reduced){.result = *full};
    if (!allocate(full, out)) {
        return TUMBLE_ERROR_MEMORY;
    }
    tumble_clash_result *result = &out->result;
    result->clash_count = full->clash_count < most_clashes ? full->clash_count : most_clashes;
    mark_parts(full, most_parts, out);
    copy_models(full, out);
    copy_parts(full, out);
    for (size_t i = 0; i < result->clash_count; i++) {
        out->clashes[i] = full->clashes[i];
        out->clashes[i].a = number_of(out, full->clashes[i].a);
        out->clashes[i].b = number_of(out, full->clashes[i].b);
    }
    for (size_t i = 0; i < full->group_count; i++) {
        out->groups[i] = full->groups[i];
        out->groups[i].part = number_of(out, full->groups[i].part);
    }
    result->parts = out->parts;
    result->models = out->models;
    result->clashes = out->clashes;
    result->groups = out->groups;
    return TUMBLE_OK;
}

void report_reduced_release(report_reduced *reduced)
{
    free(reduced->parts);
    free(reduced->clashes);
    free(reduced->groups);
    free(reduced->models);
    free(reduced->part_numbers);
    free(reduced->model_numbers);
    *reduced = (report_reduced){0};
}
