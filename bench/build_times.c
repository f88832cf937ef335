/* The build-time experiment (Zachmann 2002, figure 5): time to build over the number of triangles. */
#include <stdlib.h>

#include "commands.h"
#include "failure.h"
#include "machine.h"
#include "statistics.h"
#include "subject.h"

typedef struct build_result {
    double seconds;           /* on the clock on the wall */
    double processor_seconds; /* of all threads together */
    double caller_seconds;    /* of the calling thread: what is left when the others have processors of their own */
    tumble_model_info info;
} build_result;

/* The median over the repetitions of what tumble_model_create takes: check, triangulation, tree and block. */
static build_result measure_build(const bench_settings *settings, const bench_variant *variant, const tumble_mesh *mesh,
                                  uint32_t threads)
{
    const size_t repetitions = (size_t)settings->repetitions;
    tumble_context_options context_options = tumble_default_context_options();
    tumble_model_options options = bench_model_options(variant);
    tumble_context *context = NULL;
    build_result result = {.info = {0}};
    double *times = bench_allocate(3 * repetitions, sizeof *times), *processor_times = times + repetitions;
    double *caller_times = processor_times + repetitions;
    context_options.thread_count = threads;
    options.thread_count = threads;
    bench_require(tumble_context_create(&context_options, &context), NULL, "a context");
    for (size_t i = 0; i < repetitions; i++) {
        tumble_model *model = NULL;
        const double start = bench_microseconds(), processor_start = bench_process_microseconds();
        const double caller_start = bench_thread_microseconds();
        bench_require(tumble_model_create(context, mesh, &options, &model), context, "building a model");
        caller_times[i] = 1e-6 * (bench_thread_microseconds() - caller_start);
        processor_times[i] = 1e-6 * (bench_process_microseconds() - processor_start);
        times[i] = 1e-6 * (bench_microseconds() - start);
        bench_require(tumble_model_get_info(model, &result.info), context, "a model");
        tumble_model_destroy(model);
    }
    result.seconds = bench_median(times, repetitions);
    result.processor_seconds = bench_median(processor_times, repetitions);
    result.caller_seconds = bench_median(caller_times, repetitions);
    tumble_context_destroy(context);
    free(times);
    return result;
}

static void write_build(bench_csv *csv, const char *shape, const bench_variant *variant, uint32_t threads,
                        const bench_settings *settings, const build_result *result)
{
    const double triangles = (double)result->info.triangle_count;
    bench_csv_text(csv, "shape", shape);
    bench_csv_count(csv, "triangles", result->info.triangle_count);
    bench_csv_text(csv, "variant", variant->name);
    bench_csv_count(csv, "threads", threads);
    bench_csv_count(csv, "repetitions", (uint64_t)settings->repetitions);
    bench_csv_number(csv, "build_ms", 1e3 * result->seconds);
    bench_csv_number(csv, "processor_ms", 1e3 * result->processor_seconds);
    bench_csv_number(csv, "caller_ms", 1e3 * result->caller_seconds);
    bench_csv_number(csv, "processor_ns_per_triangle", 1e9 * result->processor_seconds / triangles);
    bench_csv_count(csv, "nodes", result->info.node_count);
    bench_csv_count(csv, "depth", result->info.depth);
    bench_csv_number(csv, "bytes_per_node", (double)result->info.hierarchy_bytes / (double)result->info.node_count);
    bench_csv_number(csv, "hierarchy_bytes_per_triangle", (double)result->info.hierarchy_bytes / triangles);
    bench_csv_number(csv, "bytes_per_triangle", (double)result->info.total_bytes / triangles);
    bench_csv_end_row(csv);
}

static void print_build(const char *shape, const bench_variant *variant, uint32_t threads, const build_result *result)
{
    const double triangles = (double)result->info.triangle_count;
    printf("%-10s %9.0f  %7u  %9.2f  %9.2f  %9.2f  %7.1f  %6.2f  %5u  %6.2f  %7.1f  %s\n", shape, triangles, threads,
           1e3 * result->seconds, 1e3 * result->processor_seconds, 1e3 * result->caller_seconds,
           1e9 * result->processor_seconds / triangles,
           (double)result->info.hierarchy_bytes / (double)result->info.node_count, result->info.depth,
           (double)result->info.hierarchy_bytes / triangles, (double)result->info.total_bytes / triangles,
           variant->name);
    fflush(stdout);
}

static void build_shape(const bench_settings *settings, const bench_variants *variants, const char *shape,
                        bench_csv *csv, bench_power_fit *fits)
{
    for (size_t size = 0; size < settings->sizes.count; size++) {
        models_mesh mesh = bench_make_mesh(shape, (size_t)settings->sizes.items[size], settings->seed);
        const tumble_mesh view = models_view(&mesh);
        for (size_t i = 0; i < variants->count; i++) {
            for (size_t t = 0; t < settings->threads.count; t++) {
                const uint32_t threads = (uint32_t)settings->threads.items[t];
                const build_result result = measure_build(settings, &variants->items[i], &view, threads);
                write_build(csv, shape, &variants->items[i], threads, settings, &result);
                print_build(shape, &variants->items[i], threads, &result);
                bench_power_add(&fits[i * settings->threads.count + t], (double)result.info.triangle_count,
                                result.processor_seconds);
            }
        }
        models_free(&mesh);
    }
}

static void print_fits(const bench_settings *settings, const bench_variants *variants, const char *shape,
                       const bench_power_fit *fits)
{
    if (settings->sizes.count < 2) {
        return;
    }
    for (size_t i = 0; i < variants->count; i++) {
        for (size_t t = 0; t < settings->threads.count; t++) {
            printf("%-10s processor time grows as triangles^%.3f with %.0f threads, %s\n", shape,
                   bench_power_exponent(&fits[i * settings->threads.count + t]), settings->threads.items[t],
                   variants->items[i].name);
        }
    }
}

int bench_run_build(const bench_settings *settings)
{
    bench_variants variants = bench_variants_parse(settings->variants);
    bench_csv csv;
    bench_csv_open(&csv, settings->csv);
    bench_set_origin(&csv, settings->commit, settings->seed);
    bench_print_origin(stdout, settings->commit);
    puts("ms: wall time; cpu ms: processor time of all threads; caller: of the calling thread;\n"
         "ns: processor time per triangle; B/node, B/tri: bytes of the tree per node and triangle; all/tri: bytes of "
         "the "
         "whole model per triangle\n");
    printf("%-10s %9s  %7s  %9s  %9s  %9s  %7s  %6s  %5s  %6s  %7s  %s\n", "shape", "triangles", "threads", "ms",
           "cpu ms", "caller", "ns", "B/node", "depth", "B/tri", "all/tri", "variant");
    for (size_t shape = 0; shape < settings->shapes.count; shape++) {
        bench_power_fit *fits = bench_allocate(variants.count * settings->threads.count, sizeof *fits);
        build_shape(settings, &variants, settings->shapes.items[shape], &csv, fits);
        print_fits(settings, &variants, settings->shapes.items[shape], fits);
        free(fits);
    }
    bench_csv_close(&csv);
    bench_variants_free(&variants);
    return 0;
}
