/* Deforming a model beside building it anew: the time of both, and of a query on what they give. */
#include <math.h>
#include <stdlib.h>

#include "commands.h"
#include "failure.h"
#include "machine.h"
#include "statistics.h"
#include "subject.h"

typedef struct deform_case {
    tumble_context *context;
    tumble_query *query;
    models_mesh still, moved; /* the moved one shares everything but its points */
    tumble_model_options options;
    size_t repetitions;
    double *times; /* one a repetition */
} deform_case;

typedef struct deform_result {
    double build, first, again; /* ms: anew; deformed; deformed into memory that is there */
    double query_built, query_deformed;
    uint64_t triangles, hits, expected_hits;
    int wrong; /* larger polygons are cut anew when they are built, and may then have other hits */
} deform_result;

/* Waves of a tenth of the size, in float as the shapes are. */
static double wave(double x, double along)
{
    return (double)(float)(x + 0.1 * sin(4 * along));
}

static models_mesh waved(const models_mesh *mesh)
{
    models_mesh moved = *mesh;
    moved.points = bench_allocate(3 * mesh->point_count, sizeof *moved.points);
    for (size_t i = 0; i < mesh->point_count; i++) {
        const double *p = mesh->points + 3 * i;
        for (size_t k = 0; k < 3; k++) {
            moved.points[3 * i + k] = wave(p[k], p[(k + 1) % 3]);
        }
    }
    return moved;
}

static double since(double start)
{
    return 1e-3 * (bench_microseconds() - start);
}

static double time_build(deform_case *c, const tumble_mesh *mesh, tumble_model **model)
{
    for (size_t i = 0; i < c->repetitions; i++) {
        tumble_model_destroy(*model);
        *model = NULL;
        const double start = bench_microseconds();
        bench_require(tumble_model_create(c->context, mesh, &c->options, model), c->context, "building a model");
        c->times[i] = since(start);
    }
    return bench_median(c->times, c->repetitions);
}

/* With `again` into the memory of the time before. Every other time the points move back, so that none is for nothing.
 */
static double time_deform(deform_case *c, const tumble_model *model, int again, tumble_model **deformed)
{
    const tumble_mesh still = models_view(&c->still), moved = models_view(&c->moved);
    for (size_t i = 0; i < c->repetitions; i++) {
        if (!again) {
            tumble_model_destroy(*deformed);
            *deformed = NULL;
        } else {
            bench_require(tumble_model_deform(model, &still, deformed), c->context, "deforming a model");
        }
        const double start = bench_microseconds();
        bench_require(tumble_model_deform(model, &moved, deformed), c->context, "deforming a model");
        c->times[i] = since(start);
    }
    return bench_median(c->times, c->repetitions);
}

/* All pairs between the model and a copy of it that is turned and stands by its side. */
static double time_query(deform_case *c, const tumble_model *model, uint64_t *hits)
{
    const double axis[3] = {1, 2, 3}, shift[3] = {0.9, 0.3, 0.1};
    tumble_pose pose;
    tumble_collide_result result = {.size = sizeof result};
    bench_require(tumble_pose_from_axis_angle(c->context, axis, 0.7, 1, shift, &pose), c->context, "a pose");
    for (size_t i = 0; i < c->repetitions; i++) {
        const double start = bench_microseconds();
        bench_require(tumble_collide(c->query, model, NULL, model, &pose, NULL, &result), c->context, "a query");
        c->times[i] = since(start);
    }
    *hits = result.pair_count;
    return bench_median(c->times, c->repetitions);
}

static deform_result measure_deform(deform_case *c)
{
    const tumble_mesh still = models_view(&c->still), moved = models_view(&c->moved);
    tumble_model *model = NULL, *built = NULL, *deformed = NULL;
    deform_result result = {.triangles = models_triangle_count(&c->still)};
    bench_require(tumble_model_create(c->context, &still, &c->options, &model), c->context, "building a model");
    result.build = time_build(c, &moved, &built);
    result.first = time_deform(c, model, 0, &deformed);
    result.again = time_deform(c, model, 1, &deformed);
    result.query_built = time_query(c, built, &result.expected_hits);
    result.query_deformed = time_query(c, deformed, &result.hits);
    result.wrong = result.hits != result.expected_hits && result.triangles == c->still.polygon_count;
    tumble_model_destroy(model);
    tumble_model_destroy(built);
    tumble_model_destroy(deformed);
    return result;
}

static deform_result run_case(const bench_settings *settings, const char *shape, size_t triangles, uint32_t threads)
{
    tumble_context_options options = tumble_default_context_options();
    deform_case c = {.options = tumble_default_model_options(), .repetitions = (size_t)settings->repetitions};
    options.thread_count = threads;
    bench_require(tumble_context_create(&options, &c.context), NULL, "a context");
    bench_require(tumble_query_create(c.context, &c.query), c.context, "a query");
    c.options.hierarchy = TUMBLE_HIERARCHY_WIDE;
    c.options.deformable = 1;
    c.still = bench_make_mesh(shape, triangles, settings->seed);
    c.moved = waved(&c.still);
    c.times = bench_allocate(c.repetitions, sizeof *c.times);
    const deform_result result = measure_deform(&c);
    free(c.times);
    free(c.moved.points);
    models_free(&c.still);
    tumble_query_destroy(c.query);
    tumble_context_destroy(c.context);
    return result;
}

static void write_case(bench_csv *csv, const char *shape, uint32_t threads, const bench_settings *settings,
                       const deform_result *r)
{
    bench_csv_text(csv, "shape", shape);
    bench_csv_count(csv, "triangles", r->triangles);
    bench_csv_count(csv, "threads", threads);
    bench_csv_count(csv, "repetitions", (uint64_t)settings->repetitions);
    bench_csv_number(csv, "build_ms", r->build);
    bench_csv_number(csv, "deform_ms", r->first);
    bench_csv_number(csv, "again_ms", r->again);
    bench_csv_number(csv, "query_built_ms", r->query_built);
    bench_csv_number(csv, "query_deformed_ms", r->query_deformed);
    bench_csv_count(csv, "hits", r->hits);
    bench_csv_end_row(csv);
}

static void print_case(const char *shape, uint32_t threads, const deform_result *r)
{
    printf("%-10s %9llu  %7u  %9.2f  %9.2f  %9.2f  %8.3f  %9.3f  %9.3f  %8llu%s\n", shape,
           (unsigned long long)r->triangles, threads, r->build, r->first, r->again, r->again / r->build, r->query_built,
           r->query_deformed, (unsigned long long)r->hits, r->wrong ? "  WRONG" : "");
    fflush(stdout);
}

int bench_run_deform(const bench_settings *settings)
{
    bench_csv csv;
    int wrong = 0;
    bench_csv_open(&csv, settings->csv);
    bench_set_origin(&csv, settings->commit, settings->seed);
    bench_print_origin(stdout, settings->commit);
    puts("ms: build: a model anew; deform: from a model of the shape at rest; again: into the memory of the time "
         "before;\nshare: of again in build; query: all pairs with a turned copy, on the built and on the deformed "
         "model\n");
    printf("%-10s %9s  %7s  %9s  %9s  %9s  %8s  %9s  %9s  %8s\n", "shape", "triangles", "threads", "build", "deform",
           "again", "share", "query", "deformed", "hits");
    for (size_t shape = 0; shape < settings->shapes.count; shape++) {
        for (size_t size = 0; size < settings->sizes.count; size++) {
            for (size_t t = 0; t < settings->threads.count; t++) {
                const char *name = settings->shapes.items[shape];
                const uint32_t threads = (uint32_t)settings->threads.items[t];
                const deform_result result = run_case(settings, name, (size_t)settings->sizes.items[size], threads);
                write_case(&csv, name, threads, settings, &result);
                print_case(name, threads, &result);
                wrong |= result.wrong;
            }
        }
    }
    bench_csv_close(&csv);
    return wrong;
}
