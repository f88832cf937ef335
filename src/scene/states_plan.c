/* The plan of a batch of states: who takes part, and who is compared with whom. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "scene/states.h"

/* Up to so many objects that stay are compared with all that move; more are looked up in the scene's tree. */
#define STILL_MOST 256

/* What roundings may add to a box, by the model's reach: extents.c says why TMB_SCENE_BOX_PADDING is enough. It is four
 * times as large here, as the sum over a row of a rotation is at least 1 and at most sqrt(3), and the box comes by its
 * middle.
 */
#define PADDING (4 * TMB_SCENE_BOX_PADDING)

void tmb_states_release_plan(tumble_context *context, tmb_states_plan *plan)
{
    tmb_buffer *const buffers[] = {&plan->asked, &plan->items, &plan->links, &plan->still, &plan->slots};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        tmb_buffer_release(context, buffers[i]);
    }
    plan->is_valid = 0;
}

/* ---- Who moves ---- */

/* The slot of every object that moves, TMB_NONE for the others. */
static tumble_status find_slots(tumble_scene *scene, const tumble_states *states, tmb_states_plan *plan)
{
    const uint32_t count = scene->all.count;
    if (!tmb_buffer_reserve(scene->context, &plan->slots, count, sizeof(uint32_t), 0) ||
        !tmb_buffer_reserve(scene->context, &plan->asked, states->object_count, sizeof *states->objects, 0)) {
        return tmb_fail_memory(scene->context, "the states of a scene");
    }
    uint32_t *slots = plan->slots.data;
    for (uint32_t i = 0; i < count; i++) {
        slots[i] = TMB_NONE;
    }
    for (size_t i = 0; i < states->object_count; i++) {
        const tumble_object object = states->objects[i];
        const tumble_status status = tmb_scene_find(scene, object, "object", i);
        if (status != TUMBLE_OK) {
            return status;
        }
        if (slots[object.index] != TMB_NONE) {
            return tmb_fail(scene->context, TUMBLE_ERROR_INDEX, "object %zu: {%u, %u} is in the list twice", i,
                            object.index, object.generation);
        }
        slots[object.index] = (uint32_t)i;
    }
    if (states->object_count > 0) {
        memcpy(plan->asked.data, states->objects, states->object_count * sizeof *states->objects);
    }
    plan->asked_count = states->object_count;
    return TUMBLE_OK;
}

/* ---- Who takes part ---- */

static tmb_state_item make_item(const tumble_scene *scene, const tmb_states_plan *plan, uint32_t index, uint32_t slot)
{
    const tmb_scene_object *object = &scene->all.objects[index];
    const tmb_scene_model *model = tmb_scene_model_at(scene, object->model);
    const tmb_extents *e = &model->extents;
    tmb_state_item item = {.object = index,
                           .slot = slot,
                           .model = model->model,
                           .extents = e,
                           .clearance = object->clearance,
                           .padding = model->padding,
                           .centre = {e->box.centre[0], e->box.centre[1], e->box.centre[2], 1}};
    for (int k = 0; k < 3; k++) {
        item.half[k] = e->box.half[k] + PADDING * e->box.reach + 2 * scene->frame.lost;
    }
    item.grown =
        TMB_SCENE_BOX_UNDERFLOW + (plan->is_nearest ? 0 : (object->clearance + plan->margin) * (1 + TMB_POSE_STRETCH));
    return item;
}

/* Those that move, and those that stay if they are few. */
static tumble_status list_items(tumble_scene *scene, tmb_states_plan *plan)
{
    const tmb_scene_objects *all = &scene->all;
    const uint32_t *slots = plan->slots.data;
    uint32_t moved = 0, still = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        moved += all->is_present[i] && slots[i] != TMB_NONE;
        still += all->is_present[i] && slots[i] == TMB_NONE;
    }
    plan->uses_tree = still > STILL_MOST;
    const uint32_t most = moved + (plan->uses_tree ? 0 : still);
    if (!tmb_buffer_reserve(scene->context, &plan->items, most, sizeof(tmb_state_item), 0)) {
        return tmb_fail_memory(scene->context, "the states of a scene");
    }
    tmb_state_item *items = plan->items.data;
    plan->item_count = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        if (all->is_present[i] && (slots[i] != TMB_NONE || !plan->uses_tree)) {
            items[plan->item_count++] = make_item(scene, plan, i, slots[i]);
        }
    }
    plan->lane_count = (plan->item_count + TMB_STATES_LANES - 1) / TMB_STATES_LANES * TMB_STATES_LANES;
    return TUMBLE_OK;
}

/* ---- Who is compared with whom ---- */

static int are_compared(const tmb_join_filter *filter, const tmb_state_item *a, const tmb_state_item *b)
{
    return (a->slot != TMB_NONE || b->slot != TMB_NONE) && tmb_join_allows(filter, a->object, b->object);
}

/* Links of one item with a group of later ones. */
static unsigned bits_of_group(const tmb_states_plan *plan, const tmb_join_filter *filter, uint32_t i, uint32_t group)
{
    unsigned bits = 0;
    for (uint32_t lane = 0; lane < TMB_STATES_LANES; lane++) {
        const uint32_t j = group * TMB_STATES_LANES + lane;
        if (j > i && j < plan->item_count && are_compared(filter, tmb_plan_item(plan, i), tmb_plan_item(plan, j))) {
            bits |= 1u << lane;
        }
    }
    return bits;
}

static tumble_status list_links(tumble_scene *scene, tmb_states_plan *plan)
{
    const tmb_broad_objects objects = tmb_scene_broad_objects(scene);
    const uint32_t groups = plan->lane_count / TMB_STATES_LANES;
    tmb_state_item *items = plan->items.data;
    plan->link_count = 0;
    for (uint32_t i = 0; i < plan->item_count; i++) {
        items[i].first_link = plan->link_count;
        if (plan->link_count > UINT32_MAX - groups) {
            return tmb_fail(scene->context, TUMBLE_ERROR_TOO_LARGE, "states of %u objects have too many pairs",
                            plan->item_count);
        }
        if (!tmb_buffer_reserve(scene->context, &plan->links, (size_t)plan->link_count + groups, sizeof(tmb_state_link),
                                plan->link_count * sizeof(tmb_state_link))) {
            return tmb_fail_memory(scene->context, "the states of a scene");
        }
        tmb_state_link *links = plan->links.data;
        for (uint32_t group = i / TMB_STATES_LANES; group < groups; group++) {
            const unsigned bits = bits_of_group(plan, &objects.filter, i, group);
            links[plan->link_count] = (tmb_state_link){group, bits};
            plan->link_count += bits != 0;
        }
        items[i].link_end = plan->link_count;
    }
    return TUMBLE_OK;
}

/* ---- Boxes of what stays ---- */

/* All boxes, empty for those that move, and for the lanes behind the last item. */
static tumble_status make_still_boxes(tumble_scene *scene, tmb_states_plan *plan)
{
    if (!tmb_buffer_reserve(scene->context, &plan->still, plan->lane_count, 6 * sizeof(float), 0)) {
        return tmb_fail_memory(scene->context, "the states of a scene");
    }
    float *boxes = plan->still.data;
    for (uint32_t i = 0; i < plan->lane_count; i++) {
        tmb_box box = tmb_box_empty();
        if (i < plan->item_count && tmb_plan_item(plan, i)->slot == TMB_NONE) {
            const tmb_state_item *item = tmb_plan_item(plan, i);
            box = tmb_extents_box(item->extents, &scene->all.poses[item->object], item->grown, &scene->frame);
        }
        for (uint32_t k = 0; k < 3; k++) {
            boxes[k * plan->lane_count + i] = box.lower[k];
            boxes[(3 + k) * plan->lane_count + i] = box.upper[k];
        }
    }
    return TUMBLE_OK;
}

/* ---- All together ---- */

static int is_same_plan(const tumble_scene *scene, const tumble_states *states, const tmb_states_plan *wanted,
                        const tmb_states_plan *plan)
{
    return plan->is_valid && plan->serial == scene->serial && plan->update == scene->update &&
           plan->margin == wanted->margin && plan->is_nearest == wanted->is_nearest &&
           plan->asked_count == states->object_count &&
           (plan->asked_count == 0 ||
            memcmp(plan->asked.data, states->objects, plan->asked_count * sizeof *states->objects) == 0);
}

tumble_status tmb_states_make_plan(tumble_scene *scene, const tumble_states *states,
                                   const tumble_states_question *question, tmb_states_plan *plan)
{
    const int is_nearest = question->mode == TUMBLE_STATES_NEAREST;
    const tmb_states_plan wanted = {.margin = is_nearest ? 0 : question->clearance / 2, .is_nearest = is_nearest};
    if (is_same_plan(scene, states, &wanted, plan)) {
        return TUMBLE_OK;
    }
    plan->is_valid = 0;
    plan->serial = scene->serial;
    plan->update = scene->update;
    plan->margin = wanted.margin;
    plan->is_nearest = wanted.is_nearest;
    tumble_status status = find_slots(scene, states, plan);
    if (status == TUMBLE_OK) {
        status = list_items(scene, plan);
    }
    if (status == TUMBLE_OK) {
        status = list_links(scene, plan);
    }
    if (status == TUMBLE_OK) {
        status = make_still_boxes(scene, plan);
    }
    plan->is_valid = status == TUMBLE_OK;
    return status;
}
