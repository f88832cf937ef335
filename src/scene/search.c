/* Objects of a scene whose boxes overlap a box: by its trees, or one by one where it has none. */
#include "scene/search.h"

static int search_all(const tumble_scene *scene, const tmb_box *box, tmb_join_output *output)
{
    const tmb_scene_objects *all = &scene->all;
    if (!tmb_buffer_reserve(output->context, &output->pairs, output->count + all->count, sizeof(uint64_t),
                            output->count * sizeof(uint64_t))) {
        return 0;
    }
    uint64_t *pairs = output->pairs.data;
    for (uint32_t i = 0; i < all->count; i++) {
        if (all->is_present[i] && tmb_boxes_overlap(&all->boxes[i], box)) {
            pairs[output->count++] = i;
        }
    }
    return 1;
}

int tmb_scene_search(const tumble_scene *scene, const tmb_box *box, tmb_join_output *output)
{
    if (scene->method != TUMBLE_BROAD_TREE) {
        return search_all(scene, box, output);
    }
    tmb_tree_search_kernel *search = TMB_PICK_KERNEL(scene->context, tmb_search_tree);
    search(&scene->broad.main, box, output);
    search(&scene->broad.young, box, output);
    return !output->failed;
}
