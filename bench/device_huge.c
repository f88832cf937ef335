/* One check of two huge models that lists all pairs: the device beside one thread. */
#include <stdlib.h>

#include "device.h"

static void print_row(device_bench *b, const device_row *row)
{
    printf("  %-9s %9zu  %-8s  %10llu  %10.3f  %10s  %10.3f  %8.1f  %7s  %8.2f %8.2f %8.2f %8.2f  %s\n",
           row->scene->shape, row->scene->triangles, row->poses, (unsigned long long)row->pairs, 1e-3 * row->thread_us,
           device_number(1e-3 * row->pool_us, 3).text, 1e-3 * row->times.total, row->ratio,
           device_number(row->pool_ratio, 1).text, 1e-3 * row->times.waiting, 1e-3 * row->times.upload,
           1e-3 * row->times.run, 1e-3 * row->times.result, device_judge(b, DEVICE_GOAL_HUGE, row->ratio));
    fflush(stdout);
}

static void run_pose(device_bench *b, const device_scene *scene, const tumble_pose *pose, const char *kind)
{
    device_row row = device_row_of(scene, kind, "all");
    const device_list list = device_list_by_thread(b, scene, pose);
    row.checks = row.sample = 1;
    row.hits = list.count > 0;
    row.pairs = list.count;
    row.thread_us = list.microseconds;
    row.times = device_time_list(b, b->device, scene, pose, &list);
    row.ratio = row.thread_us / row.times.total;
    if (b->pool) {
        row.pool_us = device_time_list(b, b->pool, scene, pose, &list).total;
        row.pool_ratio = row.pool_us / row.times.total;
    }
    device_write(b, &row);
    print_row(b, &row);
    free(list.pairs);
}

static void run_scene(device_bench *b, device_scene *scene)
{
    bench_words room;
    const bench_words *kinds = device_words(&b->series.settings->poses, "deep,same", &room);
    for (size_t i = 0; i < kinds->count; i++) {
        tumble_pose *pose = device_make_poses(b, scene, kinds->items[i], 1);
        run_pose(b, scene, pose, kinds->items[i]);
        free(pose);
    }
}

void device_huge(device_bench *b)
{
    printf("  thread, pool, device: ms of the one check; x thread, x pool: how many times as fast the device is; then "
           "where the\n  time went, in ms\n");
    printf("  %-9s %9s  %-8s  %10s  %10s  %10s  %10s  %8s  %7s  %8s %8s %8s %8s\n", "shape", "triangles", "poses",
           "pairs", "thread", "pool", "device", "x thread", "x pool", "waiting", "upload", "run", "result");
    device_each_scene(b, "sphere,torus,gear,lattice", "5000000", run_scene);
}
