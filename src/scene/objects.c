/* Objects of a scene: adding, removing, moving them. */
#include <math.h>
#include <string.h>

#include "math/pose.h"
#include "scene/scene.h"

tumble_part tumble_default_part(void)
{
    return (tumble_part){.pose = tumble_pose_identity(), .group = 1, .mask = UINT32_MAX};
}

/* ---- Ids ---- */

tumble_status tmb_scene_find(const tumble_scene *scene, tumble_object object, const char *what, size_t number)
{
    const tmb_scene_objects *all = &scene->all;
    if (object.index >= all->count || !all->objects[object.index].is_alive ||
        all->generations[object.index] != object.generation) {
        return tmb_fail(
            scene->context, TUMBLE_ERROR_INDEX, "%s %zu: the scene has no object {%u, %u}%s", what, number,
            object.index, object.generation,
            object.index < all->count && object.generation < all->generations[object.index] ? ": it was removed" : "");
    }
    return TUMBLE_OK;
}

/* Marks the objects, so that one that occurs twice is found; unmarks all before it returns. */
static tumble_status find_all(tumble_scene *scene, const tumble_object *objects, size_t count)
{
    tumble_status status = TUMBLE_OK;
    size_t marked = 0;
    for (; marked < count; marked++) {
        const uint32_t index = objects[marked].index;
        status = tmb_scene_find(scene, objects[marked], "object", marked);
        if (status == TUMBLE_OK && scene->all.objects[index].is_alive == 2) {
            status = tmb_fail(scene->context, TUMBLE_ERROR_INDEX, "object %zu: {%u, %u} is in the list twice", marked,
                              objects[marked].index, objects[marked].generation);
        }
        if (status != TUMBLE_OK) {
            break;
        }
        scene->all.objects[index].is_alive = 2;
    }
    for (size_t i = 0; i < marked; i++) {
        scene->all.objects[objects[i].index].is_alive = 1;
    }
    return status;
}

/* ---- Room ---- */

/* Grows one of the arrays; nothing is lost if memory runs out. */
static int grow(tumble_context *context, void *array, size_t size, uint32_t used, uint32_t capacity)
{
    void *old, *larger = tmb_allocate(context, capacity, size);
    if (!larger) {
        return 0;
    }
    memcpy(&old, array, sizeof old);
    if (used > 0) {
        memcpy(larger, old, used * size);
    }
    memcpy(array, &larger, sizeof larger);
    tmb_release(context, old);
    return 1;
}

static int grow_all(tumble_context *context, tmb_scene_objects *all, uint32_t capacity)
{
    const uint32_t used = all->count;
    return grow(context, &all->objects, sizeof *all->objects, used, capacity) &&
           grow(context, &all->poses, sizeof *all->poses, used, capacity) &&
           grow(context, &all->boxes, sizeof *all->boxes, used, capacity) &&
           grow(context, &all->generations, sizeof *all->generations, used, capacity) &&
           grow(context, &all->groups, sizeof *all->groups, used, capacity) &&
           grow(context, &all->masks, sizeof *all->masks, used, capacity) &&
           grow(context, &all->updates, sizeof *all->updates, used, capacity) &&
           grow(context, &all->is_present, 1, used, capacity) && grow(context, &all->has_ignored, 1, used, capacity) &&
           grow(context, &all->is_changed, 1, used, capacity);
}

static tumble_status reserve_objects(tumble_scene *scene, size_t more)
{
    tmb_scene_objects *all = &scene->all;
    const uint64_t wanted = (uint64_t)all->alive_count + all->lost_count + more;
    const uint32_t most = scene->method == TUMBLE_BROAD_SWEEP ? TMB_SWEEP_MOST : TMB_NONE - 1;
    if (wanted > most) {
        return tmb_fail(scene->context, TUMBLE_ERROR_TOO_LARGE, "a scene holds at most %u objects%s", most,
                        most < TMB_NONE - 1 ? " with the method SWEEP" : "");
    }
    if (wanted > all->capacity) {
        const uint64_t doubled = 2 * (uint64_t)all->capacity;
        const uint64_t capacity = wanted > doubled ? wanted : doubled < most ? doubled : most;
        if (!grow_all(scene->context, all, (uint32_t)capacity)) {
            return tmb_fail_memory(scene->context, "the objects of a scene");
        }
        all->capacity = (uint32_t)capacity;
    }
    if (!tmb_buffer_reserve(scene->context, &scene->changed, all->capacity, sizeof(uint32_t),
                            scene->changed_count * sizeof(uint32_t))) {
        return tmb_fail_memory(scene->context, "the objects of a scene");
    }
    return TUMBLE_OK;
}

void tmb_scene_mark(tumble_scene *scene, uint32_t index)
{
    if (!scene->all.is_changed[index]) {
        scene->all.is_changed[index] = 1;
        ((uint32_t *)scene->changed.data)[scene->changed_count++] = index;
    }
    scene->is_current = scene->is_viewed = 0;
}

void tmb_scene_note_change(tumble_scene *scene, uint32_t index)
{
    scene->frame_age += scene->all.updates[index] != scene->update + 1;
    scene->all.updates[index] = scene->update + 1;
    tmb_scene_mark(scene, index);
}

/* ---- Adding ---- */

/* Fails with a message that names the object. */
static tumble_status check_pose(tumble_scene *scene, const tumble_pose *pose, size_t number)
{
    const tumble_status status = tmb_pose_is_plainly_good(pose) ? TUMBLE_OK : tumble_pose_check(scene->context, pose);
    if (status != TUMBLE_OK) {
        const tmb_error error = tmb_last_error(scene->context);
        return tmb_fail(scene->context, status, "object %zu: %s", number, error.text);
    }
    return TUMBLE_OK;
}

static tumble_status check_part(tumble_scene *scene, const tumble_part *part, size_t number)
{
    if (!(part->clearance >= 0 && part->clearance < INFINITY)) {
        return tmb_fail(scene->context, TUMBLE_ERROR_ARGUMENT, "object %zu: the clearance is %g; give 0 or more",
                        number, part->clearance);
    }
    if (!(part->radius >= 0 && part->radius < INFINITY)) {
        return tmb_fail(scene->context, TUMBLE_ERROR_ARGUMENT, "object %zu: the radius is %g; give 0 or more", number,
                        part->radius);
    }
    return check_pose(scene, &part->pose, number);
}

static void set_part(tumble_scene *scene, uint32_t index, const tumble_part *part)
{
    tmb_scene_objects *all = &scene->all;
    tmb_scene_object *object = &all->objects[index];
    object->clearance = part->clearance;
    object->user = part->user;
    object->is_active = !part->is_inactive;
    all->poses[index] = part->pose;
    all->groups[index] = part->group;
    all->masks[index] = part->mask;
    all->has_masks |= part->group != 1 || part->mask != UINT32_MAX;
    tmb_scene_mark_groups(scene, index);
    tmb_scene_note_change(scene, index);
}

static uint32_t take_index(tmb_scene_objects *all)
{
    uint32_t index = all->first_free;
    if (index == TMB_NONE) {
        index = all->count++;
        all->objects[index] = (tmb_scene_object){0};
        all->generations[index] = 1;
        all->updates[index] = 0;
        all->has_ignored[index] = all->is_changed[index] = all->is_present[index] = 0;
    } else {
        all->first_free = all->objects[index].next_free;
    }
    all->objects[index].is_alive = 1;
    all->alive_count++;
    return index;
}

static void free_index(tmb_scene_objects *all, uint32_t index)
{
    tmb_scene_object *object = &all->objects[index];
    object->is_alive = 0;
    all->generations[index] +=
        all->generations[index] != UINT32_MAX; /* an index whose generations are used up stays free */
    if (all->generations[index] != UINT32_MAX) {
        object->next_free = all->first_free;
        all->first_free = index;
    } else {
        all->lost_count++;
    }
    all->alive_count--;
}

static tumble_status use_models(tumble_scene *scene, const tumble_part *parts, size_t count, tumble_object *out)
{
    for (size_t i = 0; i < count; i++) { /* their numbers wait where the ids will be */
        const tumble_status status = tmb_scene_use_model(scene, parts[i].model, parts[i].radius + 0.0, &out[i].index);
        if (status != TUMBLE_OK) {
            for (size_t j = 0; j < i; j++) {
                tmb_scene_drop_model(scene, out[j].index);
            }
            return status;
        }
    }
    return TUMBLE_OK;
}

tumble_status tumble_scene_add(tumble_scene *scene, const tumble_part *parts, size_t count, tumble_object *out)
{
    if (!scene) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (count > 0 && (!parts || !out)) {
        return tmb_fail(scene->context, TUMBLE_ERROR_ARGUMENT, "the parts or the ids are null");
    }
    tumble_status status = reserve_objects(scene, count);
    for (size_t i = 0; status == TUMBLE_OK && i < count; i++) {
        status = parts[i].model ? check_part(scene, &parts[i], i)
                                : tmb_fail(scene->context, TUMBLE_ERROR_ARGUMENT, "part %zu has no model", i);
    }
    if (status == TUMBLE_OK) {
        status = use_models(scene, parts, count, out);
    }
    for (size_t i = 0; status == TUMBLE_OK && i < count; i++) {
        const uint32_t model = out[i].index, index = take_index(&scene->all);
        scene->all.objects[index].model = model;
        set_part(scene, index, &parts[i]);
        out[i] = tmb_scene_id(scene, index);
    }
    return status;
}

/* ---- Removing ---- */

/* Ignored pairs go with their objects, which have has_ignored set to 2. */
static void drop_ignored(tumble_scene *scene)
{
    tmb_pair_hash *hash = &scene->ignored;
    for (uint64_t i = 0; hash->keys && i <= hash->mask;) {
        const uint64_t key = hash->keys[i];
        if (key != TMB_NO_PAIR &&
            (scene->all.has_ignored[key >> 32] == 2 || scene->all.has_ignored[(uint32_t)key] == 2)) {
            tmb_pair_hash_remove(hash, key); /* another one may have moved here */
        } else {
            i++;
        }
    }
}

tumble_status tumble_scene_remove(tumble_scene *scene, const tumble_object *objects, size_t count)
{
    if (!scene) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (count > 0 && !objects) {
        return tmb_fail(scene->context, TUMBLE_ERROR_ARGUMENT, "the objects are null");
    }
    const tumble_status status = find_all(scene, objects, count);
    int has_ignored = 0;
    for (size_t i = 0; status == TUMBLE_OK && i < count; i++) {
        const uint32_t index = objects[i].index;
        tmb_scene_note_change(scene, index);
        tmb_scene_drop_model(scene, scene->all.objects[index].model);
        if (scene->all.has_ignored[index] & TMB_IGNORES_PAIRS) {
            scene->all.has_ignored[index] = 2;
            has_ignored = 1;
        }
        free_index(&scene->all, index);
    }
    if (has_ignored) {
        drop_ignored(scene);
        for (size_t i = 0; i < count; i++) {
            scene->all.has_ignored[objects[i].index] = 0;
        }
    }
    return status;
}

/* ---- Changing ---- */

tumble_status tumble_scene_move(tumble_scene *scene, const tumble_object *objects, const tumble_pose *poses,
                                size_t count)
{
    if (!scene) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (count > 0 && (!objects || !poses)) {
        return tmb_fail(scene->context, TUMBLE_ERROR_ARGUMENT, "the objects or the poses are null");
    }
    tumble_status status = TUMBLE_OK;
    for (size_t i = 0; status == TUMBLE_OK && i < count; i++) {
        status = tmb_scene_find(scene, objects[i], "object", i);
        status = status == TUMBLE_OK ? check_pose(scene, &poses[i], i) : status;
    }
    for (size_t i = 0; status == TUMBLE_OK && i < count; i++) {
        scene->all.poses[objects[i].index] = poses[i];
        tmb_scene_note_change(scene, objects[i].index);
    }
    return status;
}

tumble_status tumble_scene_activate(tumble_scene *scene, const tumble_object *objects, size_t count, bool is_active)
{
    if (!scene) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (count > 0 && !objects) {
        return tmb_fail(scene->context, TUMBLE_ERROR_ARGUMENT, "the objects are null");
    }
    const tumble_status status = find_all(scene, objects, count);
    for (size_t i = 0; status == TUMBLE_OK && i < count; i++) {
        tmb_scene_object *object = &scene->all.objects[objects[i].index];
        if (object->is_active != is_active) {
            object->is_active = is_active;
            tmb_scene_note_change(scene, objects[i].index);
        }
    }
    return status;
}

static int has_other_radius(const tumble_scene *scene, tumble_object object, const tumble_part *part)
{
    return tmb_scene_model_at(scene, scene->all.objects[object.index].model)->padding != part->radius;
}

/* Objects whose radius changes have the same model with another padding. */
static tumble_status change_radii(tumble_scene *scene, const tumble_object *objects, const tumble_part *parts,
                                  size_t count)
{
    uint32_t number;
    tumble_status status = TUMBLE_OK;
    size_t done = 0;
    for (; status == TUMBLE_OK && done < count; done++) {
        if (has_other_radius(scene, objects[done], &parts[done])) {
            status = tmb_scene_use_model(scene, parts[done].model, parts[done].radius + 0.0, &number);
        }
    }
    for (size_t i = 0; i < done - (status != TUMBLE_OK); i++) {
        if (has_other_radius(scene, objects[i], &parts[i])) {
            uint32_t *model = &scene->all.objects[objects[i].index].model;
            number = tmb_scene_find_model(scene, parts[i].model, parts[i].radius + 0.0);
            tmb_scene_drop_model(scene, status == TUMBLE_OK ? *model : number);
            *model = status == TUMBLE_OK ? number : *model;
        }
    }
    return status;
}

tumble_status tumble_scene_set(tumble_scene *scene, const tumble_object *objects, const tumble_part *parts,
                               size_t count)
{
    if (!scene) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (count > 0 && (!objects || !parts)) {
        return tmb_fail(scene->context, TUMBLE_ERROR_ARGUMENT, "the objects or the parts are null");
    }
    tumble_status status = find_all(scene, objects, count);
    for (size_t i = 0; status == TUMBLE_OK && i < count; i++) {
        const uint32_t model = scene->all.objects[objects[i].index].model;
        status = parts[i].model == tmb_scene_model_at(scene, model)->model
                     ? check_part(scene, &parts[i], i)
                     : tmb_fail(scene->context, TUMBLE_ERROR_ARGUMENT,
                                "object %zu: its model cannot change; remove the object and add another", i);
    }
    status = status == TUMBLE_OK && count > 0 ? change_radii(scene, objects, parts, count) : status;
    for (size_t i = 0; status == TUMBLE_OK && i < count; i++) {
        set_part(scene, objects[i].index, &parts[i]);
    }
    return status;
}

tumble_status tumble_scene_get(const tumble_scene *scene, tumble_object object, tumble_part *out)
{
    if (!scene) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!out) {
        return tmb_fail(scene->context, TUMBLE_ERROR_ARGUMENT, "the part is null");
    }
    const tumble_status status = tmb_scene_find(scene, object, "object", 0);
    if (status == TUMBLE_OK) {
        const uint32_t index = object.index;
        const tmb_scene_object *o = &scene->all.objects[index];
        *out = (tumble_part){.model = tmb_scene_model_at(scene, o->model)->model,
                             .pose = scene->all.poses[index],
                             .group = scene->all.groups[index],
                             .mask = scene->all.masks[index],
                             .clearance = o->clearance,
                             .radius = tmb_scene_model_at(scene, o->model)->padding,
                             .user = o->user,
                             .is_inactive = !o->is_active};
    }
    return status;
}

size_t tumble_scene_count(const tumble_scene *scene)
{
    return scene ? scene->all.alive_count : 0;
}
