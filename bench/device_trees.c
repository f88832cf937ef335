/* Hierarchies beside each other: the same checks of a shape and its copy, as wide models and as boxtrees in both
 * layouts, with boxes compared along all axes and along those of one model; on the device, on the pool and by one
 * thread. All must find what one thread finds in wide models. */
#include <math.h>
#include <stdlib.h>

#include "device.h"
#include "failure.h"
#include "subject.h"
#include "variant.h"

#define VARIANTS \
    "wide,boxtree,overlap=axes,overlap=axes+direction=a-into-b,layout=two-planes,layout=two-planes+overlap=axes"

/* The same shape with another hierarchy. */
static device_scene scene_of(device_bench *b, const device_scene *scene, const bench_variant *variant)
{
    device_scene other = *scene;
    models_mesh mesh = bench_make_mesh(scene->shape, scene->triangles, b->series.settings->seed);
    const tumble_mesh view = models_view(&mesh);
    const tumble_model_options options = bench_model_options(variant);
    bench_require(tumble_model_create(b->context, &view, &options, &other.model), b->context, "building a model");
    bench_require(tumble_query_create(b->context, &other.query), b->context, "a query");
    (void)tumble_model_block(other.model, &other.bytes);
    models_free(&mesh);
    return other;
}

static double time_pool(device_bench *b, const device_load *load, size_t thread_count)
{
    if (!b->pool) {
        return (double)NAN;
    }
    const device_load sample = device_sample(load, thread_count * b->processors);
    tumble_check_answer *answers = bench_allocate(sample.count, sizeof *answers);
    const double microseconds = device_time_load(b, b->pool, &sample, answers).total / (double)sample.count;
    free(answers);
    free(sample.poses);
    return microseconds;
}

static void print_row(const device_row *row)
{
    const double count = (double)row->checks;
    printf("  %-9s %9zu  %-8s  %-5s  %-34s  %7.2f  %9.2f  %9s  %9.4f  %8.2f\n", row->scene->shape,
           row->scene->triangles, row->poses, row->mode, row->variant, 1e-6 * (double)row->scene->bytes, row->thread_us,
           device_number(row->pool_us, 3).text, row->times.total / count, row->wide_ratio);
    fflush(stdout);
}

/* Returns the device's time. `expected` are the answers to the sample. */
static double run_variant(device_bench *b, const device_load *load, const device_load *sample, device_row *row,
                          const tumble_check_answer *expected, double wide)
{
    tumble_check_answer *found = bench_allocate(load->count, sizeof *found);
    tumble_check_answer *here = bench_allocate(sample->count, sizeof *here);
    row->checks = load->count;
    row->sample = sample->count;
    row->thread_us = device_time_thread(b, sample, here);
    row->times = device_time_load(b, b->device, load, found);
    device_compare(b, load, found, sample, expected);
    row->pool_us = time_pool(b, load, sample->count);
    row->ratio = row->thread_us * (double)load->count / row->times.total;
    row->pool_ratio = row->pool_us * (double)load->count / row->times.total;
    row->wide_ratio = row->times.total / (wide > 0 ? wide : row->times.total);
    device_count_hits(row, found);
    device_write(b, row);
    print_row(row);
    free(found);
    free(here);
    return row->times.total;
}

static void run_load(device_bench *b, const device_load *load, device_row *row)
{
    bench_variants variants = bench_variants_parse(VARIANTS);
    const device_load sample = device_thread_sample(b, load);
    tumble_check_answer *expected = bench_allocate(sample.count, sizeof *expected);
    double wide = 0;
    (void)device_time_thread(b, &sample, expected);
    for (size_t i = 0; i < variants.count; i++) {
        device_scene scene = scene_of(b, load->scene, &variants.items[i]);
        device_load own = *load, own_sample = sample;
        device_row own_row = device_row_of(&scene, row->poses, row->mode);
        own.scene = own_sample.scene = &scene;
        own.tuning = own_sample.tuning = &variants.items[i].tuning;
        own_row.variant = variants.items[i].name;
        const double time = run_variant(b, &own, &own_sample, &own_row, expected, wide);
        wide = i == 0 ? time : wide;
        device_scene_destroy(&scene);
    }
    bench_variants_free(&variants);
    free(expected);
    free(sample.poses);
}

static void run_scene(device_bench *b, device_scene *scene)
{
    device_each_load(b, scene, "touching,deep", device_checks(b, 20000), run_load);
}

void device_trees(device_bench *b)
{
    printf("  %zu checks per batch; MB: of the model; thread, pool, device: microseconds per check\n"
           "  x wide: times as long as the device takes for wide models\n",
           device_checks(b, 20000));
    printf("  %-9s %9s  %-8s  %-5s  %-34s  %7s  %9s  %9s  %9s  %8s\n", "shape", "triangles", "poses", "mode", "models",
           "MB", "thread", "pool", "device", "x wide");
    device_each_scene(b, "sphere,torus,gear,lattice", "20000,100000", run_scene);
}
