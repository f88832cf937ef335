/* The models of a scene: each is measured once, however many objects have it. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "scene/scene.h"

#define LEAST 16

/* What boxes allow for grows by this factor, so that they are seldom made anew. */
#define REACH_STEP 0x1p64
#define REACH_MOST 0x1p1023 /* half of what a coordinate can be; tmb_extents_lost has room for it */

static tmb_scene_model *model_at(const tumble_scene *scene, uint32_t number)
{
    return (tmb_scene_model *)scene->models.data + number;
}

static uint32_t home_of(const tumble_scene *scene, const tumble_model *model)
{
    const uint64_t mixed = (uint64_t)(uintptr_t)model * 0x9e3779b97f4a7c15u;
    return (uint32_t)(mixed >> 32) & scene->index_mask;
}

/* Where the model's number is, or would be put. */
static uint32_t place_of(const tumble_scene *scene, const tumble_model *model, double padding)
{
    const uint32_t *index = scene->model_index.data;
    uint32_t place = home_of(scene, model);
    while (index[place] != TMB_NONE &&
           (model_at(scene, index[place])->model != model || model_at(scene, index[place])->padding != padding)) {
        place = (place + 1) & scene->index_mask;
    }
    return place;
}

/* Puts all models into an index of this size, which there is room for. */
static void fill_index(tumble_scene *scene, uint32_t size)
{
    uint32_t *index = scene->model_index.data;
    scene->index_mask = size - 1;
    for (uint32_t i = 0; i < size; i++) {
        index[i] = TMB_NONE;
    }
    for (uint32_t i = 0; i < scene->model_count; i++) {
        if (model_at(scene, i)->model) {
            index[place_of(scene, model_at(scene, i)->model, model_at(scene, i)->padding)] = i;
        }
    }
}

/* Room for one more model. */
static tumble_status reserve(tumble_scene *scene)
{
    const size_t count = (size_t)scene->model_count + 1;
    uint32_t size = scene->model_index.data ? scene->index_mask + 1 : LEAST;
    while (size / 2 < count) {
        size *= 2;
    }
    const size_t capacity = scene->models.capacity;
    const int has_room = tmb_buffer_reserve(scene->context, &scene->models, count, sizeof(tmb_scene_model),
                                            scene->model_count * sizeof(tmb_scene_model));
    if (scene->models.capacity != capacity) {
        scene->is_current = 0; /* plans of states point to models, which are elsewhere now, even if the rest fails */
    }
    if (!has_room ||
        !tmb_buffer_reserve(scene->context, &scene->model_index, size, sizeof(uint32_t), scene->model_index.capacity)) {
        return tmb_fail_memory(scene->context, "the models of a scene");
    }
    if (size != scene->index_mask + 1 || scene->model_count == 0) {
        fill_index(scene, size);
    }
    return TUMBLE_OK;
}

void tmb_scene_note_reach(tumble_scene *scene, double reach)
{
    if (scene->reach >= fmin(reach, REACH_MOST) && scene->reach > 0) {
        return;
    }
    int exponent = 0;
    (void)frexp(reach, &exponent);
    scene->reach = exponent <= 0 ? REACH_STEP : fmin(ldexp(1, (exponent + 63) / 64 * 64), REACH_MOST);
    scene->frame.lost = tmb_extents_lost(scene->reach);
    for (uint32_t i = 0; i < scene->all.count; i++) {
        tmb_scene_mark(scene, i);
    }
}

static void measure(tumble_scene *scene, tmb_scene_model *model)
{
    tmb_scene_drop_from_device(model);
    tmb_extents_of(model->model, model->padding, &model->extents);
    tmb_scene_note_reach(scene, model->extents.box.reach);
    model->checksum = model->model->block->checksum;
    model->radius_changes = model->model->radius_changes;
}

tumble_status tmb_scene_use_model(tumble_scene *scene, const tumble_model *model, double padding, uint32_t *number)
{
    const tumble_status status = reserve(scene);
    if (status != TUMBLE_OK) {
        return status;
    }
    uint32_t *index = scene->model_index.data;
    const uint32_t place = place_of(scene, model, padding);
    if (index[place] == TMB_NONE) {
        uint32_t fresh = scene->first_free_model;
        if (fresh == TMB_NONE) {
            fresh = scene->model_count++;
        } else {
            scene->first_free_model = model_at(scene, fresh)->next_free;
        }
        *model_at(scene, fresh) = (tmb_scene_model){.model = model, .padding = padding, .next_free = TMB_NONE};
        measure(scene, model_at(scene, fresh));
        tmb_model_begin_use(model);
        scene->has_alien_models |= model->context != scene->context;
        index[place] = fresh;
    }
    *number = index[place];
    model_at(scene, *number)->object_count++;
    return TUMBLE_OK;
}

uint32_t tmb_scene_find_model(const tumble_scene *scene, const tumble_model *model, double padding)
{
    const uint32_t number = ((const uint32_t *)scene->model_index.data)[place_of(scene, model, padding)];
    TMB_ASSERT(number != TMB_NONE);
    return number;
}

/* Takes an entry out of the index; later ones that could not have its place move up. */
static void remove_entry(tumble_scene *scene, uint32_t hole)
{
    uint32_t *index = scene->model_index.data;
    const uint32_t mask = scene->index_mask;
    for (uint32_t next = (hole + 1) & mask; index[next] != TMB_NONE; next = (next + 1) & mask) {
        const uint32_t home = home_of(scene, model_at(scene, index[next])->model);
        if (((next - home) & mask) >= ((next - hole) & mask)) {
            index[hole] = index[next];
            hole = next;
        }
    }
    index[hole] = TMB_NONE;
}

void tmb_scene_drop_model(tumble_scene *scene, uint32_t number)
{
    tmb_scene_model *model = model_at(scene, number);
    TMB_ASSERT(model->object_count > 0);
    if (--model->object_count == 0) {
        tmb_scene_drop_from_device(model);
        remove_entry(scene, place_of(scene, model->model, model->padding));
        tmb_model_end_use(model->model);
        model->model = NULL;
        model->next_free = scene->first_free_model;
        scene->first_free_model = number;
    }
}

void tmb_scene_drop_all_models(tumble_scene *scene)
{
    for (uint32_t i = 0; i < scene->model_count; i++) {
        if (model_at(scene, i)->model) {
            tmb_scene_drop_from_device(model_at(scene, i));
            tmb_model_end_use(model_at(scene, i)->model);
        }
    }
    scene->model_count = 0;
}

static int is_stale(const tmb_scene_model *model)
{
    return model->model &&
           (model->checksum != model->model->block->checksum || model->radius_changes != model->model->radius_changes);
}

void tmb_scene_notice_edits(tumble_scene *scene)
{
    const uint64_t count = atomic_load(&scene->context->change_count);
    if (scene->change_count == count && !scene->has_alien_models) {
        return;
    }
    scene->change_count = count;
    for (uint32_t i = 0; i < scene->all.count; i++) {
        const tmb_scene_object *object = &scene->all.objects[i];
        if (object->is_alive && is_stale(model_at(scene, object->model))) {
            tmb_scene_note_change(scene, i);
        }
    }
    for (uint32_t i = 0; i < scene->model_count; i++) {
        if (is_stale(model_at(scene, i))) {
            measure(scene, model_at(scene, i));
        }
    }
}
