/* A whole join on several threads: it is cut into tasks, and each thread takes runs of them. */
#include "scene/join.h"

#include <string.h>

#include "base/tasks.h"

#define LEAST_TASKS 1024

/* For each object. */
#define JOIN_NANOSECONDS 40
#define PROBE_NANOSECONDS 200

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

/* Adds what the task consists of, one level down. */
static void split(const tmb_box_tree *tree, tmb_join_task t, task_list *out)
{
    const int is_self = t.node_a == t.node_b;
    const uint32_t level = t.level - 1, most = tree->node_count[level];
    const uint32_t first_a = t.node_a * TMB_TREE_FAN, first_b = t.node_b * TMB_TREE_FAN;
    const uint32_t end_a = first_a + TMB_TREE_FAN < most ? first_a + TMB_TREE_FAN : most;
    const uint32_t end_b = first_b + TMB_TREE_FAN < most ? first_b + TMB_TREE_FAN : most;
    for (uint32_t i = first_a; i < end_a; i++) {
        const tmb_box box = tmb_box_tree_bounds(tree, level, i);
        for (uint32_t j = is_self ? i : first_b; j < end_b; j++) {
            const tmb_box other = tmb_box_tree_bounds(tree, level, j);
            if (i == j || tmb_boxes_overlap(&box, &other)) {
                add_task(out, (tmb_join_task){level, i, j});
            }
        }
    }
}

/* Tasks that make up the whole join, at least LEAST_TASKS if there are so many. */
static void make_tasks(const tmb_join *join, task_list *list)
{
    const uint32_t top = join->tree->level_count - 1;
    task_list next = {list->context, {NULL, 0}, 0, 0};
    add_task(list, (tmb_join_task){top, 0, 0});
    for (uint32_t level = top; level > 1 && list->count < LEAST_TASKS && !list->failed && !next.failed; level--) {
        next.count = 0;
        for (size_t i = 0; i < list->count; i++) {
            split(join->tree, ((tmb_join_task *)list->items.data)[i], &next);
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
    if (join->tree->level_count == 0) {
        return 1;
    }
    task_list tasks = {context, {NULL, 0}, 0, 0};
    joining j = {join, TMB_PICK_KERNEL(context, tmb_join_run), &tasks, outputs};
    const uint32_t threads = tmb_threads_for_time(thread_count, join->tree->count, JOIN_NANOSECONDS);
    int is_done = 1;
    if (threads == 1) {
        j.run(join, (tmb_join_task){join->tree->level_count - 1, 0, 0}, &outputs[0]);
    } else {
        is_done = run_tasks(context, threads, &j, &tasks);
    }
    for (int part = 0; part < TMB_JOIN_PARTS; part++) {
        is_done &= !outputs[part].failed;
    }
    tmb_buffer_release(context, &tasks.items);
    return is_done;
}

/* ---- Some objects with a tree ---- */

typedef struct searching {
    const tmb_probe *search;
    tmb_probe_kernel *run;
    tmb_join_output *outputs;
} searching;

static void search_part(void *shared, size_t begin, size_t end)
{
    const searching *s = shared;
    const size_t count = s->search->count;
    for (size_t part = begin; part < end; part++) {
        s->run(s->search, part * count / TMB_JOIN_PARTS, (part + 1) * count / TMB_JOIN_PARTS, &s->outputs[part]);
    }
}

int tmb_probe_all(tumble_context *context, uint32_t thread_count, const tmb_probe *search,
                  tmb_join_output outputs[TMB_JOIN_PARTS])
{
    if (search->tree->level_count == 0) {
        return 1;
    }
    searching s = {search, TMB_PICK_KERNEL(context, tmb_probe_run), outputs};
    const uint32_t threads = tmb_threads_for_time(thread_count, search->count, PROBE_NANOSECONDS);
    int is_done = 1;
    if (threads == 1) {
        s.run(search, 0, search->count, &outputs[0]);
    } else {
        is_done = tmb_parallel_for(context, threads, TMB_JOIN_PARTS, 1, search_part, &s);
    }
    for (int part = 0; part < TMB_JOIN_PARTS; part++) {
        is_done &= !outputs[part].failed;
    }
    return is_done;
}
