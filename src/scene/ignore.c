/* Pairs that are not compared: single ones in a hash, all pairs of two groups in a matrix of 32 x 32 bits. Only objects
 * that are marked as having some are looked up there. */
#include "scene/scene.h"

/* ---- Single pairs ---- */

static tumble_status check_pair(tumble_scene *scene, const tumble_object_pair *pair, size_t number)
{
    tumble_status status = tmb_scene_find(scene, pair->a, "first object of pair", number);
    if (status == TUMBLE_OK) {
        status = tmb_scene_find(scene, pair->b, "second object of pair", number);
    }
    if (status == TUMBLE_OK && pair->a.index == pair->b.index) {
        status = tmb_fail(scene->context, TUMBLE_ERROR_INDEX, "pair %zu: both are the object {%u, %u}", number,
                          pair->a.index, pair->a.generation);
    }
    return status;
}

static void ignore_pair(tumble_scene *scene, const tumble_object_pair *pair, bool is_ignored)
{
    const uint64_t key = tmb_pair_key(pair->a.index, pair->b.index);
    const int has_changed =
        is_ignored ? tmb_pair_hash_add(&scene->ignored, key) : tmb_pair_hash_remove(&scene->ignored, key);
    if (has_changed) {
        scene->all.has_ignored[pair->a.index] |= TMB_IGNORES_PAIRS;
        scene->all.has_ignored[pair->b.index] |= TMB_IGNORES_PAIRS;
        tmb_scene_note_change(scene, pair->a.index); /* one of the two is enough to look at the pair again */
    }
}

tumble_status tumble_scene_ignore(tumble_scene *scene, const tumble_object_pair *pairs, size_t count, bool is_ignored)
{
    if (!scene) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (count > 0 && !pairs) {
        return tmb_fail(scene->context, TUMBLE_ERROR_ARGUMENT, "the pairs are null");
    }
    for (size_t i = 0; i < count; i++) {
        const tumble_status status = check_pair(scene, &pairs[i], i);
        if (status != TUMBLE_OK) {
            return status;
        }
    }
    if (is_ignored && !tmb_pair_hash_reserve(scene->context, &scene->ignored, scene->ignored.count + count)) {
        return tmb_fail_memory(scene->context, "ignored pairs");
    }
    for (size_t i = 0; i < count; i++) {
        ignore_pair(scene, &pairs[i], is_ignored);
    }
    return TUMBLE_OK;
}

/* ---- Groups ---- */

int tmb_join_ignores(const tmb_join_filter *f, uint32_t a, uint32_t b)
{
    for (uint32_t left = f->groups[a]; left; left &= left - 1) {
        if (f->group_rows[__builtin_ctz(left)] & f->groups[b]) {
            return 1;
        }
    }
    return tmb_pair_hash_has(f->ignored, tmb_pair_key(a, b));
}

/* Whether a group of the set is ignored together with any. */
static int has_ignored_groups(const tumble_scene *scene, uint32_t groups)
{
    uint32_t rows = 0;
    for (uint32_t left = groups; left; left &= left - 1) {
        rows |= scene->ignored_groups[__builtin_ctz(left)];
    }
    return rows != 0;
}

void tmb_scene_mark_groups(tumble_scene *scene, uint32_t index)
{
    uint8_t *mark = &scene->all.has_ignored[index];
    *mark &= (uint8_t)~TMB_IGNORES_GROUPS;
    *mark |= has_ignored_groups(scene, scene->all.groups[index]) ? TMB_IGNORES_GROUPS : 0;
}

/* Sets or clears the bits of `columns` in the rows of `rows`; whether any was not so before. */
static int change_rows(tumble_scene *scene, uint32_t rows, uint32_t columns, bool is_ignored)
{
    int has_changed = 0;
    for (uint32_t left = rows; left; left &= left - 1) {
        uint32_t *row = &scene->ignored_groups[__builtin_ctz(left)];
        const uint32_t wanted = is_ignored ? *row | columns : *row & ~columns;
        has_changed |= wanted != *row;
        *row = wanted;
    }
    return has_changed;
}

tumble_status tumble_scene_ignore_groups(tumble_scene *scene, uint32_t groups_a, uint32_t groups_b, bool is_ignored)
{
    if (!scene) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    const int has_changed =
        change_rows(scene, groups_a, groups_b, is_ignored) | change_rows(scene, groups_b, groups_a, is_ignored);
    for (uint32_t i = 0; has_changed && i < scene->all.count; i++) {
        if (scene->all.objects[i].is_alive && scene->all.groups[i] & (groups_a | groups_b)) {
            tmb_scene_mark_groups(scene, i);
            tmb_scene_note_change(scene, i);
        }
    }
    return TUMBLE_OK;
}
