/* Pairs of a block that a device answers, as one batch of many models. It compares surfaces without clearance; what it
 * cannot take is left to the team of threads. */
#include <string.h>

#include "scene/answer.h"
#include "tumble/device.h"

void tmb_scene_drop_from_device(tmb_scene_model *model)
{
    tumble_device_remove_model(model->on_device);
    model->on_device = NULL;
    model->is_refused = 0;
}

tumble_status tumble_scene_use_device(tumble_scene *scene, tumble_device *device)
{
    if (!scene) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    for (uint32_t i = 0; scene->device != device && i < scene->model_count; i++) {
        tmb_scene_drop_from_device((tmb_scene_model *)scene->models.data + i);
    }
    scene->device = device;
    return TUMBLE_OK;
}

/* ---- Models ---- */

/* Brings a model to the device, unless it is there or is not taken: OpenCL devices know some hierarchies only. */
static tumble_status bring(tumble_scene *scene, uint32_t number)
{
    tmb_scene_model *model = (tmb_scene_model *)scene->models.data + number;
    if (model->on_device || model->is_refused) {
        return TUMBLE_OK;
    }
    const tumble_status status = tumble_device_add_model(scene->device, model->model, &model->on_device);
    model->is_refused = status == TUMBLE_ERROR_UNSUPPORTED;
    return model->is_refused ? TUMBLE_OK : status;
}

/* The models of all pairs that are to be asked about. Other threads may ask about the same scene. */
static tumble_status bring_models(tmb_scene_search *s)
{
    tumble_scene *scene = s->scene;
    const uint32_t *order = s->scratch->order.data;
    tumble_status status = TUMBLE_OK;
    pthread_mutex_lock(&scene->view_lock);
    for (size_t i = 0; i < s->scratch->order_count && status == TUMBLE_OK; i++) {
        const uint64_t key = tmb_ask_at(s, order[i])->key;
        status = bring(scene, scene->all.objects[key >> 32].model);
        status = status == TUMBLE_OK ? bring(scene, scene->all.objects[(uint32_t)key].model) : status;
    }
    pthread_mutex_unlock(&scene->view_lock);
    return status;
}

/* ---- Batches ---- */

static int reserve(tmb_scene_search *s, size_t count)
{
    tmb_device_checks *c = &s->scratch->checks;
    tumble_context *context = s->scene->context;
    return tmb_buffer_reserve(context, &c->numbers, count, sizeof(uint32_t), 0) &&
           tmb_buffer_reserve(context, &c->pairs, count, sizeof(tumble_model_pair), 0) &&
           tmb_buffer_reserve(context, &c->poses_a, count, sizeof(tumble_pose), 0) &&
           tmb_buffer_reserve(context, &c->poses_b, count, sizeof(tumble_pose), 0) &&
           tmb_buffer_reserve(context, &c->answers, count, sizeof(tumble_check_answer), 0);
}

/* Lists the pairs that the device can take; returns how many. */
static size_t list_checks(tmb_scene_search *s)
{
    tmb_device_checks *c = &s->scratch->checks;
    const uint32_t *order = s->scratch->order.data;
    const tmb_scene_objects *all = &s->scene->all;
    size_t count = 0;
    for (size_t i = 0; i < s->scratch->order_count; i++) {
        const uint64_t key = tmb_ask_at(s, order[i])->key;
        const tmb_meeting_models models = tmb_meeting_models_of(s, key);
        const tumble_model_pair pair = {tmb_scene_model_at(s->scene, all->objects[key >> 32].model)->on_device,
                                        tmb_scene_model_at(s->scene, all->objects[(uint32_t)key].model)->on_device};
        if (pair.a && pair.b && models.clearance == 0 && tmb_meeting_thickness(&models) == 0) {
            ((uint32_t *)c->numbers.data)[count] = order[i];
            ((tumble_model_pair *)c->pairs.data)[count] = pair;
            ((tumble_pose *)c->poses_a.data)[count] = *models.pose_a;
            ((tumble_pose *)c->poses_b.data)[count] = *models.pose_b;
            count++;
        }
    }
    return count;
}

static tumble_status run_batch(tmb_scene_search *s, size_t count)
{
    tmb_device_checks *c = &s->scratch->checks;
    tumble_batch batch = tumble_default_batch();
    tumble_ticket_report report = {.status = TUMBLE_OK};
    tumble_ticket ticket;
    batch.mode = s->question->mode == TUMBLE_SCENE_COUNT ? TUMBLE_COUNT : TUMBLE_TEST;
    batch.check_count = batch.pair_count = batch.pose_a_count = batch.pose_b_count = count;
    batch.pairs = c->pairs.data;
    batch.poses_a = c->poses_a.data;
    batch.poses_b = c->poses_b.data;
    batch.answers = c->answers.data;
    memset(c->answers.data, 0, count * sizeof *batch.answers);
    const tumble_status status = tumble_device_submit(s->scene->device, &batch, INFINITY, &ticket);
    if (status != TUMBLE_OK) {
        return status;
    }
    (void)tumble_device_wait(s->scene->device, ticket, INFINITY, &report);
    const int has_failed = report.status == TUMBLE_ERROR_DEVICE || report.status == TUMBLE_ERROR_MEMORY ||
                           report.status == TUMBLE_ERROR_CANCELLED;
    return has_failed ? tmb_fail(s->scene->context, report.status, "the device of a scene: %s", report.message)
                      : TUMBLE_OK;
}

/* Takes an answer over; 0 if threads have to ask again: for the polygons, or for why there is no answer. */
static int take(tmb_scene_search *s, tmb_ask *ask, const tumble_check_answer *answer)
{
    if (answer->status != TUMBLE_OK || (s->question->mode == TUMBLE_SCENE_ALL && answer->collide)) {
        return 0;
    }
    ask->meeting = (tumble_meeting){.a = tmb_scene_id(s->scene, (uint32_t)(ask->key >> 32)),
                                    .b = tmb_scene_id(s->scene, (uint32_t)ask->key)};
    ask->meeting.pair_count = s->question->mode == TUMBLE_SCENE_COUNT ? answer->pair_count : 0;
    ask->is_met = answer->collide;
    if (s->question->mode == TUMBLE_SCENE_TEST && answer->collide) {
        atomic_store(&s->is_over, 1);
    }
    return 1;
}

/* What is answered leaves the team's list. */
static void take_answers(tmb_scene_search *s, size_t count)
{
    const tmb_device_checks *c = &s->scratch->checks;
    const uint32_t *numbers = c->numbers.data;
    uint32_t *order = s->scratch->order.data;
    size_t left = 0, next = 0;
    for (size_t i = 0; i < s->scratch->order_count; i++) {
        const int is_check = next < count && numbers[next] == order[i];
        if (!is_check || !take(s, tmb_ask_at(s, order[i]), (tumble_check_answer *)c->answers.data + next)) {
            order[left++] = order[i];
        }
        next += (size_t)is_check;
    }
    s->scratch->order_count = left;
}

tumble_status tmb_scene_ask_device(tmb_scene_search *s)
{
    if (!s->scene->device || s->question->mode > TUMBLE_SCENE_ALL || s->scratch->order_count == 0) {
        return TUMBLE_OK;
    }
    tumble_status status = bring_models(s);
    if (status == TUMBLE_OK && !reserve(s, s->scratch->order_count)) {
        status = tmb_fail_memory(s->scene->context, "the checks of a device");
    }
    const size_t count = status == TUMBLE_OK ? list_checks(s) : 0;
    status = count > 0 ? run_batch(s, count) : status;
    if (status == TUMBLE_OK) {
        take_answers(s, count);
    }
    return status;
}
