/* Searches: all objects of a scene whose boxes overlap a box that is not an object's. */
#ifndef TUMBLE_SRC_SCENE_SEARCH_H
#define TUMBLE_SRC_SCENE_SEARCH_H

#include "scene/scene.h"

/* Appends the objects of a tree whose boxes overlap the box, as pairs of nothing with them, in no particular order. */
typedef void tmb_tree_search_kernel(const tmb_box_tree *tree, const tmb_box *box, tmb_join_output *output);
TMB_DECLARE_KERNELS(tmb_tree_search_kernel, tmb_search_tree);

/* The same for a scene that is up to date: its present objects, whose boxes have its margin. 0 if memory runs out. */
int tmb_scene_search(const tumble_scene *scene, const tmb_box *box, tmb_join_output *output);

#endif
