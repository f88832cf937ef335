/* Checks on their way to an OpenCL device: poses of B in A's frame, and which models; for few checks, and without
 * doubles on the device, also what its kernel would compute from these. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "collide/wide/walk.h"
#include "device/opencl/batch.h"
#include "math/pose.h"

static const tmb_uploaded_model *uploaded_of(const tumble_device_model *model)
{
    return tmb_uploaded(model);
}

/* Kernels take neither models without triangles nor models with a radius. */
static int is_for_host(const tumble_model *a, const tumble_model *b)
{
    return a->block->triangle_count == 0 || b->block->triangle_count == 0 || a->radius > 0 || b->radius > 0;
}

/* Whether the caller's own array is what the kernels need. */
static int is_direct(const tmb_opencl_backend *backend, const tmb_chunk *chunk)
{
    const tumble_batch *batch = &chunk->parts[0].job->batch;
    return backend->opencl->doubles && chunk->check_count > TMB_SMALL_CHECKS && chunk->part_count == 1 &&
           batch->pair_count == 1 && batch->pose_a_count == 0 && batch->pose_b_count != 0 &&
           !is_for_host(tmb_device_model_of(batch->pairs[0].a), tmb_device_model_of(batch->pairs[0].b));
}

static void use_directly(const tmb_chunk *chunk, tmb_chunk_input *input)
{
    const tmb_chunk_part *part = &chunk->parts[0];
    const tumble_batch *batch = &part->job->batch;
    const int one = batch->pose_b_count == 1;
    input->poses = one ? batch->poses_b : batch->poses_b + part->first;
    input->pose_count = one ? 1 : part->count;
    input->settings.one_pose = (uint32_t)one;
    input->settings.one_pair = 1;
    input->settings.model_a = uploaded_of(batch->pairs[0].a)->number;
    input->settings.model_b = uploaded_of(batch->pairs[0].b)->number;
}

/* A pose that no kernel takes: the processor answers the check, if only with an error. */
static tumble_pose no_pose(void)
{
    tumble_pose pose = tumble_pose_identity();
    pose.m[0][3] = NAN;
    return pose;
}

/* Whether contacts are asked for that A's pose may make infinite: an error, also where there are none. */
static int has_endless_contacts(const tmb_check *check)
{
    if (!check->pose_a || check->mode != TUMBLE_ALL || (!check->contact_capacity && !check->contact_count)) {
        return 0;
    }
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        sum += fabs(check->pose_a->m[k][3]);
        for (int j = 0; j < 3; j++) {
            const double size = fmax(fabs(check->a->block->lower[j]), fabs(check->a->block->upper[j]));
            sum += fabs(check->pose_a->m[k][j]) * size;
        }
    }
    return !isfinite(sum);
}

/* B's pose in A's frame, when both are plain ones. */
static tumble_pose relative_of(const tmb_check *check)
{
    if (has_endless_contacts(check) || (check->pose_a && !tmb_pose_is_plainly_good(check->pose_a)) ||
        (check->pose_b && !tmb_pose_is_plainly_good(check->pose_b)) || is_for_host(check->a, check->b)) {
        return no_pose();
    }
    return tmb_check_pose(check);
}

static tumble_status gather(tmb_opencl_backend *backend, const tmb_chunk *chunk, tmb_chunk_input *input)
{
    tumble_context *context = backend->context;
    if (!tmb_buffer_reserve(context, &backend->poses_here, chunk->check_count, sizeof(tumble_pose), 0) ||
        !tmb_buffer_reserve(context, &backend->pairs_here, 2 * chunk->check_count, sizeof(uint32_t), 0)) {
        return tmb_fail_memory(context, "the poses of a batch");
    }
    tumble_pose *poses = backend->poses_here.data;
    uint32_t *pairs = backend->pairs_here.data;
    size_t at = 0;
    for (size_t p = 0; p < chunk->part_count; p++) {
        const tmb_chunk_part *part = &chunk->parts[p];
        for (size_t i = part->first; i < part->first + part->count; i++, at++) {
            const tumble_batch *batch = &part->job->batch;
            const tumble_model_pair *pair = &batch->pairs[batch->pair_count == 1 ? 0 : i];
            const tmb_check check = tmb_check_of(batch, i);
            poses[at] = relative_of(&check);
            pairs[2 * at] = uploaded_of(pair->a)->number;
            pairs[2 * at + 1] = uploaded_of(pair->b)->number;
        }
    }
    input->poses = poses;
    input->pose_count = chunk->check_count;
    input->pairs = pairs;
    return TUMBLE_OK;
}

/* ---- What the kernel tumble_prepare does ---- */

static void store_map(const tmb_wide_map *map, float *out)
{
    for (int k = 0; k < 3; k++) {
        memcpy(out + 3 * k, map->m[k], sizeof map->m[k]);
    }
    memcpy(out + TMB_CL_MAP_SHIFT, map->shift, sizeof map->shift);
    out[TMB_CL_MAP_SLACK] = map->slack;
}

static void store_check(const tmb_wide_walk *walk, float *out)
{
    store_map(&walk->into_a, out + TMB_CL_INTO_A);
    store_map(&walk->into_b, out + TMB_CL_INTO_B);
    memcpy(out + TMB_CL_TURN, walk->turn, sizeof walk->turn);
    out[TMB_CL_SLAB_UNIT] = walk->slab_unit;
    out[TMB_CL_SLAB_SLACK] = walk->slab_slack;
    out[TMB_CL_SIZE_OF_B] = walk->size_of_b;
}

/* What becomes of a check, and its floats when it is to be walked. */
static tmb_wide_outlook look_at(tmb_opencl_backend *backend, const tmb_check *check, const tumble_pose *relative,
                                float *out)
{
    tmb_encounter encounter = {.query = backend->query, .a = check->a, .b = check->b};
    tmb_wide_walk walk;
    if (check->a->block->hierarchy != check->b->block->hierarchy || !tmb_pose_is_plainly_good(relative) ||
        tmb_encounter_place(&encounter, NULL, relative) != TUMBLE_OK) {
        return TMB_WIDE_NO_FLOATS;
    }
    const tmb_wide_outlook outlook = tmb_wide_look(&encounter, 0, &walk);
    if (outlook == TMB_WIDE_WALK) {
        store_check(&walk, out);
    }
    return outlook;
}

static tumble_status prepare_here(tmb_opencl_backend *backend, const tmb_chunk *chunk, const tmb_chunk_input *input)
{
    tumble_context *context = backend->context;
    const size_t count = chunk->check_count;
    if (!tmb_buffer_reserve(context, &backend->checks_here, TMB_CL_CHECK_FLOATS * count, sizeof(float), 0) ||
        !tmb_buffer_reserve(context, &backend->queue_here, count, sizeof(tmb_cl_item), 0)) {
        return tmb_fail_memory(context, "the checks of a batch");
    }
    uint32_t *counters = backend->results_here.data, *states = counters + TMB_CL_COUNTERS;
    tmb_cl_item *queue = backend->queue_here.data;
    size_t at = 0;
    counters[TMB_CL_IN] = 0;
    for (size_t p = 0; p < chunk->part_count; p++) {
        const tmb_chunk_part *part = &chunk->parts[p];
        for (size_t i = part->first; i < part->first + part->count; i++, at++) {
            const tmb_check check = tmb_check_of(&part->job->batch, i);
            float *floats = (float *)backend->checks_here.data + TMB_CL_CHECK_FLOATS * at;
            const tmb_wide_outlook outlook = look_at(backend, &check, &input->poses[at], floats);
            states[at] = outlook == TMB_WIDE_NO_FLOATS ? TMB_CL_HOST : TMB_CL_OPEN;
            if (outlook == TMB_WIDE_WALK) {
                queue[counters[TMB_CL_IN]++] = (tmb_cl_item){(uint32_t)at, 0, 0, TMB_CL_ALL_CHILDREN | TMB_CL_ROOTS};
            }
        }
    }
    return TUMBLE_OK;
}

tumble_status tmb_chunk_prepare(tmb_opencl_backend *backend, const tmb_chunk *chunk, tmb_chunk_input *input)
{
    TMB_ASSERT(chunk->check_count > 0);
    *input = (tmb_chunk_input){
        .settings = {.mode = chunk->question, .check_count = (uint32_t)chunk->check_count, .axes = chunk->axes},
    };
    if (is_direct(backend, chunk)) {
        use_directly(chunk, input);
        return TUMBLE_OK;
    }
    const tumble_status status = gather(backend, chunk, input);
    input->is_prepared = !backend->opencl->doubles || chunk->check_count <= TMB_SMALL_CHECKS;
    return status == TUMBLE_OK && input->is_prepared ? prepare_here(backend, chunk, input) : status;
}
