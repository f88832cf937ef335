/* Scenes: creating them, bringing them up to date, and their candidates. */
#include "scene/scene.h"

#include <float.h>
#include <string.h>

#include "base/cpu.h"
#include "base/tasks.h"
#include "query/query.h"

/* Objects whose boxes a thread computes at a time, and nanoseconds for each. */
#define GRAIN 1024
#define BOX_NANOSECONDS 20

/* A scene gets a new frame when its boxes reach beyond this, or less than that. */
#define FRAME_MOST 4.0F
#define FRAME_LEAST 0.03125F

tumble_scene_options tumble_default_scene_options(void)
{
    return (tumble_scene_options){.broad = TUMBLE_BROAD_TREE};
}

tumble_status tumble_scene_create(tumble_context *context, const tumble_scene_options *options, tumble_scene **out)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    const tumble_scene_options how = options ? *options : tumble_default_scene_options();
    if (!out) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "the result is null");
    }
    if ((unsigned)how.broad > TUMBLE_BROAD_ALL) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "there is no broad phase %d", (int)how.broad);
    }
    tumble_scene *scene = tmb_allocate(context, 1, sizeof *scene);
    if (!scene) {
        return tmb_fail_memory(context, "a scene");
    }
    memset(scene, 0, sizeof *scene);
    scene->context = context;
    scene->serial = ++context->scene_serial;
    scene->method = how.broad;
    scene->thread_count = how.thread_count ? how.thread_count : context->thread_count;
    scene->thread_count = scene->thread_count < TMB_THREAD_LIMIT ? scene->thread_count : TMB_THREAD_LIMIT;
    tmb_scene_note_reach(scene, 0);
    scene->all.first_free = scene->first_free_model = TMB_NONE;
    scene->compared.context = context;
    if (pthread_mutex_init(&scene->view_lock, NULL) != 0) {
        tmb_release(context, scene);
        return tmb_fail_memory(context, "a scene");
    }
    tmb_broad_begin(&scene->broad, context);
    tmb_sweep_begin(&scene->sweep, context);
    *out = scene;
    return TUMBLE_OK;
}

void tumble_scene_destroy(tumble_scene *scene)
{
    if (!scene) {
        return;
    }
    tumble_context *context = scene->context;
    tmb_scene_objects *all = &scene->all;
    tmb_scene_drop_all_models(scene);
    void *const arrays[] = {all->objects, all->poses,   all->boxes,      all->generations, all->groups,
                            all->masks,   all->updates, all->is_present, all->has_ignored, all->is_changed};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        tmb_release(context, arrays[i]);
    }
    tmb_buffer *const buffers[] = {&scene->models, &scene->model_index, &scene->changed, &scene->views,
                                   &scene->compared.pairs};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        tmb_buffer_release(context, buffers[i]);
    }
    pthread_mutex_destroy(&scene->view_lock);
    tmb_pair_hash_release(context, &scene->ignored);
    tmb_broad_end(&scene->broad);
    tmb_sweep_end_all(&scene->sweep);
    tmb_release(context, scene);
}

tumble_status tmb_scene_check_query(const tumble_query *query, const tumble_scene *scene)
{
    return query->context == scene->context
               ? TUMBLE_OK
               : tmb_fail(query->context, TUMBLE_ERROR_ARGUMENT,
                          "the query and the scene have different contexts: create both in one");
}

/* ---- Boxes ---- */

typedef struct boxing {
    tumble_scene *scene;
    const uint32_t *indices; /* NULL: all */
    tmb_boxes_kernel *run;
} boxing;

static void make_boxes(void *shared, size_t begin, size_t end)
{
    const boxing *b = shared;
    b->run(b->scene, b->indices, begin, end);
}

static int make_all_boxes(tumble_scene *scene, const uint32_t *indices, size_t count)
{
    boxing b = {scene, indices, TMB_PICK_KERNEL(scene->context, tmb_scene_make_boxes)};
    const uint32_t threads = tmb_threads_for_time(scene->thread_count, count, BOX_NANOSECONDS);
    return tmb_parallel_for(scene->context, threads, count, GRAIN, make_boxes, &b);
}

/* The bounds of all objects, in the frame of the poses; 0 if there are none. */
static int world_bounds(const tumble_scene *scene, double lower[3], double upper[3])
{
    int is_any = 0;
    for (int k = 0; k < 3; k++) {
        lower[k] = DBL_MAX, upper[k] = -DBL_MAX;
    }
    for (uint32_t i = 0; i < scene->all.count; i++) {
        const tmb_scene_object *object = &scene->all.objects[i];
        if (!object->is_alive || !object->is_active || tmb_scene_model_at(scene, object->model)->extents.is_empty) {
            continue;
        }
        const tmb_extents *extents = &tmb_scene_model_at(scene, object->model)->extents;
        double low[3], high[3];
        tmb_extents_world(extents, &scene->all.poses[i], object->clearance, scene->frame.lost, low, high);
        for (int k = 0; k < 3; k++) {
            lower[k] = fmax(fmin(lower[k], low[k]), -DBL_MAX);
            upper[k] = fmin(fmax(upper[k], high[k]), DBL_MAX);
        }
        is_any = 1;
    }
    return is_any;
}

static void choose_frame(tumble_scene *scene)
{
    double lower[3], upper[3];
    if (world_bounds(scene, lower, upper)) {
        const tmb_local_frame local = tmb_local_frame_of(lower, upper);
        memcpy(scene->frame.origin, local.centre, sizeof local.centre);
        scene->frame.scale = local.scale;
        scene->has_frame = 1;
    }
}

/* Whether the boxes have left the frame, or are lost in it. */
static int has_outgrown_frame(const tumble_scene *scene)
{
    float most = 0;
    int is_any = 0;
    for (uint32_t i = 0; i < scene->all.count; i++) {
        if (scene->all.is_present[i]) {
            const tmb_box *box = &scene->all.boxes[i];
            for (int k = 0; k < 3; k++) {
                const float far = -box->lower[k] > box->upper[k] ? -box->lower[k] : box->upper[k];
                most = far > most ? far : most;
            }
            is_any = 1;
        }
    }
    return is_any && !(most <= FRAME_MOST && most >= FRAME_LEAST);
}

/* Boxes of what has changed. When so many objects have changed since the last look, at once or one after the other, all
 * get a new frame if the old one does not fit any more. Boxes that were grown for a question do not count: the frame
 * depends on the objects alone. */
int tmb_scene_update_boxes(tumble_scene *scene)
{
    const size_t count = scene->changed_count;
    if (!scene->has_frame) {
        choose_frame(scene);
    }
    int is_done = make_all_boxes(scene, scene->changed.data, count);
    if (!is_done || 2 * scene->frame_age <= scene->all.alive_count) {
        return is_done;
    }
    scene->frame_age = 0;
    if (has_outgrown_frame(scene)) {
        for (uint32_t i = 0; i < scene->all.count; i++) { /* so that all are made, even if memory runs out now */
            tmb_scene_mark(scene, i);
        }
        choose_frame(scene);
        is_done = make_all_boxes(scene, NULL, scene->all.count);
        scene->broad.is_known = scene->sweep.is_known = 0; /* all boxes have changed */
    }
    return is_done;
}

/* ---- Updates ---- */

static int find_pairs(tumble_scene *scene)
{
    const tmb_broad_objects objects = tmb_scene_broad_objects(scene);
    if (scene->method == TUMBLE_BROAD_ALL) {
        scene->compared.count = 0;
        return tmb_broad_compare_all(scene->context, &objects, &scene->compared);
    }
    if (scene->method == TUMBLE_BROAD_SWEEP) {
        return tmb_sweep_update(&scene->sweep, &objects, scene->changed.data, scene->changed_count);
    }
    return tmb_broad_update(&scene->broad, scene->thread_count, &objects, scene->changed.data, scene->changed_count);
}

tumble_status tumble_scene_update(tumble_scene *scene)
{
    if (!scene) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    tmb_scene_notice_edits(scene);
    if (scene->is_current) {
        return TUMBLE_OK;
    }
    if (isnan(scene->margin)) {
        return tmb_scene_set_margin(scene, 0);
    }
    if (!tmb_scene_update_boxes(scene) || !find_pairs(scene)) {
        return tmb_fail_memory(scene->context, "the candidates of a scene");
    }
    const uint32_t *changed = scene->changed.data;
    for (uint32_t i = 0; i < scene->changed_count; i++) {
        scene->all.is_changed[changed[i]] = 0;
    }
    scene->changed_count = 0;
    scene->update++;
    scene->is_current = 1;
    return TUMBLE_OK;
}

void tmb_scene_want_margin(tumble_scene *scene, double margin)
{
    tmb_scene_notice_edits(scene);
    if (scene->margin != margin) {
        scene->margin = margin;
        for (uint32_t i = 0; i < scene->all.count; i++) {
            tmb_scene_mark(scene, i);
        }
    }
}

tumble_status tmb_scene_set_margin(tumble_scene *scene, double margin)
{
    tmb_scene_want_margin(scene, margin);
    return tumble_scene_update(scene);
}

const uint64_t *tmb_scene_pairs(const tumble_scene *scene, size_t *count)
{
    switch (scene->method) {
    case TUMBLE_BROAD_SWEEP: *count = scene->sweep.pair_count; return scene->sweep.sorted.data;
    case TUMBLE_BROAD_ALL: *count = scene->compared.count; return scene->compared.pairs.data;
    default: *count = scene->broad.pair_count; return scene->broad.pairs.data;
    }
}

/* Makes the candidates' views; the caller holds the lock. */
static tumble_status make_views(tumble_scene *scene, const uint64_t *keys, size_t count)
{
    if (!tmb_buffer_reserve(scene->context, &scene->views, count, sizeof(tumble_object_pair), 0)) {
        return tmb_fail_memory(scene->context, "the candidates of a scene");
    }
    tumble_object_pair *views = scene->views.data;
    for (size_t i = 0; i < count; i++) {
        views[i].a = tmb_scene_id(scene, (uint32_t)(keys[i] >> 32));
        views[i].b = tmb_scene_id(scene, (uint32_t)keys[i]);
    }
    scene->is_viewed = 1;
    return TUMBLE_OK;
}

tumble_status tumble_scene_candidates(tumble_scene *scene, const tumble_object_pair **pairs, size_t *count)
{
    if (!scene) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!pairs || !count) {
        return tmb_fail(scene->context, TUMBLE_ERROR_ARGUMENT, "the pairs or the count are null");
    }
    tumble_status status = tmb_scene_set_margin(scene, 0);
    if (status != TUMBLE_OK) {
        return status;
    }
    size_t found;
    const uint64_t *keys = tmb_scene_pairs(scene, &found);
    pthread_mutex_lock(&scene->view_lock);
    status = scene->is_viewed ? TUMBLE_OK : make_views(scene, keys, found);
    pthread_mutex_unlock(&scene->view_lock);
    if (status == TUMBLE_OK) {
        *pairs = scene->views.data;
        *count = found;
    }
    return status;
}
