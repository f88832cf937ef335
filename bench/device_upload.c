/* What has to happen once: opening the device and bringing models to it. */
#include <stdlib.h>

#include "device.h"
#include "failure.h"
#include "machine.h"
#include "statistics.h"

static double time_open(device_bench *b)
{
    tumble_device *device = NULL;
    const double start = bench_microseconds();
    bench_require(tumble_device_open(b->context, b->number, NULL, &device), b->context, "opening the device");
    const double microseconds = bench_microseconds() - start;
    tumble_device_close(device);
    return microseconds;
}

static double time_upload(device_bench *b, const device_scene *scene)
{
    tumble_device_model *model = NULL;
    const double start = bench_microseconds();
    bench_require(tumble_device_add_model(b->device, scene->model, &model), b->context, "uploading a model");
    const double microseconds = bench_microseconds() - start;
    tumble_device_remove_model(model);
    return microseconds;
}

static void run_scene(device_bench *b, device_scene *scene)
{
    const size_t repetitions = (size_t)b->series.settings->repetitions;
    double *uploads = bench_allocate(repetitions, sizeof *uploads), *opens = bench_allocate(repetitions, sizeof *opens);
    device_row row = device_row_of(scene, NULL, NULL);
    (void)time_upload(b, scene);
    for (size_t i = 0; i < repetitions; i++) {
        uploads[i] = time_upload(b, scene);
        opens[i] = time_open(b);
    }
    row.model_us = bench_median(uploads, repetitions);
    row.gigabytes_a_second = 1e-3 * (double)scene->bytes / row.model_us;
    row.open_us = b->open_microseconds;
    row.next_open_us = bench_median(opens, repetitions);
    device_write(b, &row);
    printf("  %-9s %9zu  %9.2f  %10.1f  %8.2f  %10.1f  %10.1f\n", scene->shape, scene->triangles,
           1e-6 * (double)scene->bytes, row.model_us, row.gigabytes_a_second, 1e-3 * row.open_us,
           1e-3 * row.next_open_us);
    fflush(stdout);
    free(uploads);
    free(opens);
}

void device_upload(device_bench *b)
{
    printf("  opening: the first time in this run, and later; where the driver keeps compiled kernels, the first one "
           "may find them\n");
    printf("  %-9s %9s  %9s  %10s  %8s  %10s  %10s\n", "shape", "triangles", "MB", "upload us", "GB/s", "opening ms",
           "later ms");
    device_each_scene(b, "sphere", "20000,100000,1000000,5000000", run_scene);
}
