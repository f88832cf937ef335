/* Candidates block by block, without keeping them. */
#include "scene/scene.h"

#define BLOCK 512 /* pairs that the callback gets at most */

typedef struct stream {
    const tumble_scene *scene;
    tumble_candidates_callback *callback;
    void *user;
    uint64_t count;
} stream;

_Static_assert((uint64_t)(TMB_NONE - 1) * (TMB_NONE - 2) / 2 > UINT32_MAX &&
                   (uint64_t)(TMB_NONE - 1) <= UINT64_MAX / (TMB_NONE - 2),
               "a count of 64 bits holds the pairs of the largest scene");

/* Returns 0 if the callback has had enough. */
static int hand_over(void *user, const uint64_t *keys, size_t count)
{
    stream *s = user;
    tumble_object_pair pairs[BLOCK];
    for (size_t at = 0; s->callback && at < count; at += BLOCK) {
        const size_t some = count - at < BLOCK ? count - at : BLOCK;
        for (size_t i = 0; i < some; i++) {
            pairs[i].a = tmb_scene_id(s->scene, (uint32_t)(keys[at + i] >> 32));
            pairs[i].b = tmb_scene_id(s->scene, (uint32_t)keys[at + i]);
        }
        s->count += some;
        if (s->callback(s->user, pairs, some)) {
            return 0;
        }
    }
    s->count += s->callback ? 0 : count;
    return 1;
}

/* Those that the scene has. */
static tmb_stream_end stream_known(stream *s)
{
    size_t count;
    const uint64_t *keys = tmb_scene_pairs(s->scene, &count);
    return hand_over(s, keys, count) ? TMB_STREAM_DONE : TMB_STREAM_STOPPED;
}

tumble_status tumble_scene_stream(tumble_scene *scene, tumble_candidates_callback *callback, void *user,
                                  uint64_t *count)
{
    if (!scene) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    stream s = {scene, callback, user, 0};
    tmb_stream_end end = TMB_STREAM_NO_MEMORY;
    tmb_scene_want_margin(scene, 0);
    if (scene->is_current || scene->method != TUMBLE_BROAD_TREE) {
        const tumble_status status = tumble_scene_update(scene);
        if (status != TUMBLE_OK) {
            return status;
        }
        end = stream_known(&s);
    } else if (tmb_scene_update_boxes(scene)) {
        const tmb_broad_objects objects = tmb_scene_broad_objects(scene);
        end = tmb_broad_stream(&scene->broad, scene->thread_count, &objects, hand_over, &s);
    }
    if (count) {
        *count = s.count;
    }
    switch (end) {
    case TMB_STREAM_DONE: return TUMBLE_OK;
    case TMB_STREAM_STOPPED:
        return tmb_fail(scene->context, TUMBLE_ERROR_CANCELLED, "the callback has stopped the candidates");
    default: return tmb_fail_memory(scene->context, "the candidates of a scene");
    }
}
