/* A whole join on several threads: it is cut into tasks, and each thread takes runs of them. */
#include "scene/join.h"

#include <string.h>

#include "base/tasks.h"

#define LEAST_TASKS 1024

typedef struct task_list {
    tumble_context *context;
    tmb_buffer items; /* of tmb_join_task */
    size_t count;
    int failed;
} task_list;

static void add_task(task_list *list, tmb_join_task task)
{
    if (list->failed ||
        !tmb_buffer_reserve(list->context, &list->items, list->count + 1, sizeof task, list->count * sizeof task)) {
        list->failed = 1;
        return;
    }
    ((tmb_join_task *)list->items.data)[list->count++] = task;
}

static tmb_box bounds(const tmb_box_tree *tree, uint32_t level, uint32_t node)
{
    return tmb_box_tree_bounds(tree, level, node);
}

/* Children of a node: from `first` to before `end`, or the node itself if it is to stay. */
static uint32_t children(const tmb_box_tree *tree, uint32_t level, uint32_t node, int is_open, uint32_t *first)
{
    *first = is_open ? node * TMB_TREE_FAN : node;
    if (!is_open) {
        return node + 1;
    }
    const uint32_t end = *first + TMB_TREE_FAN, most = tree->node_count[level - 1];
    return end < most ? end : most;
}

/* Adds what the task consists of, one level down. */
static void split(const tmb_join *join, tmb_join_task t, task_list *out)
{
    const int is_self = join->a == join->b && t.level_a == t.level_b && t.node_a == t.node_b;
    const int open_a = t.level_a > 0 && t.level_a >= t.level_b, open_b = t.level_b > 0 && t.level_b >= t.level_a;
    uint32_t first_a, first_b;
    const uint32_t end_a = children(join->a, t.level_a, t.node_a, open_a, &first_a);
    const uint32_t end_b = children(join->b, t.level_b, t.node_b, open_b, &first_b);
    const uint32_t level_a = t.level_a - (uint32_t)open_a, level_b = t.level_b - (uint32_t)open_b;
    for (uint32_t i = first_a; i < end_a; i++) {
        const tmb_box box = bounds(join->a, level_a, i);
        for (uint32_t j = is_self ? i : first_b; j < end_b; j++) {
            const tmb_box other = bounds(join->b, level_b, j);
            if ((is_self && i == j) || tmb_boxes_overlap(&box, &other)) {
                add_task(out, (tmb_join_task){level_a, i, level_b, j});
            }
        }
    }
}

/* Tasks that make up the whole join, at least LEAST_TASKS if there are so many. */
static void make_tasks(const tmb_join *join, task_list *list)
{
    const uint32_t top_a = join->a->level_count - 1, top_b = join->b->level_count - 1;
    task_list next = {list->context, {NULL, 0}, 0, 0};
    add_task(list, (tmb_join_task){top_a, 0, top_b, 0});
    for (uint32_t level = top_a > top_b ? top_a : top_b;
         level > 1 && list->count < LEAST_TASKS && !list->failed && !next.failed; level--) {
        next.count = 0;
        for (size_t i = 0; i < list->count; i++) {
            split(join, ((tmb_join_task *)list->items.data)[i], &next);
        }
        const task_list other = *list;
        *list = next;
        next = other;
    }
    list->failed |= next.failed;
    tmb_buffer_release(list->context, &next.items);
}

typedef struct joining {
    const tmb_join *join;
    tmb_join_kernel *run;
    const task_list *tasks;
    tmb_join_output *outputs;
} joining;

static void run_part(void *shared, size_t begin, size_t end)
{
    const joining *j = shared;
    for (size_t part = begin; part < end; part++) {
        const size_t first = part * j->tasks->count / TMB_JOIN_PARTS;
        const size_t last = (part + 1) * j->tasks->count / TMB_JOIN_PARTS;
        for (size_t t = first; t < last; t++) {
            j->run(j->join, ((const tmb_join_task *)j->tasks->items.data)[t], &j->outputs[part]);
        }
    }
}

static int run_tasks(tumble_context *context, uint32_t threads, joining *j, task_list *tasks)
{
    make_tasks(j->join, tasks);
    return !tasks->failed && tmb_parallel_for(context, threads, TMB_JOIN_PARTS, 1, run_part, j);
}

int tmb_join_all(tumble_context *context, uint32_t thread_count, const tmb_join *join,
                 tmb_join_output outputs[TMB_JOIN_PARTS])
{
    if (join->a->level_count == 0 || join->b->level_count == 0) {
        return 1;
    }
    task_list tasks = {context, {NULL, 0}, 0, 0};
    joining j = {join, TMB_PICK_KERNEL(context, tmb_join_run), &tasks, outputs};
    int is_done = 1;
    if (thread_count == 1) {
        j.run(join, (tmb_join_task){join->a->level_count - 1, 0, join->b->level_count - 1, 0}, &outputs[0]);
    } else {
        is_done = run_tasks(context, thread_count, &j, &tasks);
    }
    for (int part = 0; part < TMB_JOIN_PARTS; part++) {
        is_done &= !outputs[part].failed;
    }
    tmb_buffer_release(context, &tasks.items);
    return is_done;
}
