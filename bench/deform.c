/* Deforming a model beside building it anew: the time of both, and of a query on what they give. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "failure.h"
#include "machine.h"
#include "statistics.h"
#include "subject.h"

/* ---- Motions ---- */

static void wave(const double p[3], double moved[3])
{
    for (int k = 0; k < 3; k++) {
        moved[k] = p[k] + 0.1 * sin(4 * p[(k + 1) % 3]);
    }
}

static void turn_about_z(const double p[3], double angle, double moved[3])
{
    moved[0] = cos(angle) * p[0] - sin(angle) * p[1];
    moved[1] = sin(angle) * p[0] + cos(angle) * p[1];
    moved[2] = p[2];
}

static void twist(const double p[3], double moved[3])
{
    turn_about_z(p, 0.25 * 3.14159265358979 * p[2], moved); /* the shape's height is 2 at most */
}

static void turn(const double p[3], double moved[3])
{
    turn_about_z(p, 0.25 * 3.14159265358979, moved);
}

static void mirror(const double p[3], double moved[3])
{
    moved[0] = -p[0], moved[1] = p[1], moved[2] = p[2];
}

/* By up to a twentieth of the size, each point somewhere else. */
static void scatter(const double p[3], double moved[3])
{
    for (int k = 0; k < 3; k++) {
        moved[k] = p[k] + 0.1 * sin(1e4 * (p[0] + 2 * p[1] + 3 * p[2]) + k);
    }
}

static const struct motion {
    const char *name;
    void (*move)(const double p[3], double moved[3]);
} motions[] = {{"wave", wave}, {"twist", twist}, {"turn", turn}, {"mirror", mirror}, {"scatter", scatter}};

static const struct motion *motion_of(const char *word)
{
    for (size_t i = 0; i < sizeof motions / sizeof *motions; i++) {
        if (strcmp(word, motions[i].name) == 0) {
            return &motions[i];
        }
    }
    bench_fail("motions are wave, twist, turn, mirror and scatter, not '%s'", word);
}

/* In float, as the shapes are. */
static models_mesh move_mesh(const models_mesh *mesh, const struct motion *motion)
{
    models_mesh moved = *mesh;
    moved.points = bench_allocate(3 * mesh->point_count, sizeof *moved.points);
    for (size_t i = 0; i < mesh->point_count; i++) {
        double p[3];
        motion->move(mesh->points + 3 * i, p);
        for (size_t k = 0; k < 3; k++) {
            moved.points[3 * i + k] = (double)(float)p[k];
        }
    }
    return moved;
}

/* ---- Measurements ---- */

typedef struct deform_case {
    const char *shape;
    const struct motion *motion;
    const bench_variant *variant;
    uint32_t threads;
    size_t triangles, repetitions;
} deform_case;

typedef struct deform_run {
    const deform_case *what;
    tumble_context *context;
    tumble_query *query;
    models_mesh still, moved; /* the moved one shares everything but its points */
    tumble_model_options options;
    double *times; /* one per repetition */
} deform_run;

/* All pairs between a model and a copy of it that is turned and stands by its side. */
typedef struct deform_query {
    double ms;
    uint64_t hits, box_tests, primitive_tests;
} deform_query;

typedef struct deform_result {
    double build, first, again; /* ms: anew; deformed; deformed into memory that is there */
    deform_query built, deformed;
    uint64_t triangles;
    int wrong; /* larger polygons are cut anew when they are built, and may then have other hits */
} deform_result;

static double since(double start)
{
    return 1e-3 * (bench_microseconds() - start);
}

static double time_build(deform_run *r, const tumble_mesh *mesh, tumble_model **model)
{
    for (size_t i = 0; i < r->what->repetitions; i++) {
        tumble_model_destroy(*model);
        *model = NULL;
        const double start = bench_microseconds();
        bench_require(tumble_model_create(r->context, mesh, &r->options, model), r->context, "building a model");
        r->times[i] = since(start);
    }
    return bench_median(r->times, r->what->repetitions);
}

/* With `again` into the memory of the time before. Every other time the points move back, so that none is for nothing.
 */
static double time_deform(deform_run *r, const tumble_model *model, int again, tumble_model **deformed)
{
    const tumble_mesh still = models_view(&r->still), moved = models_view(&r->moved);
    for (size_t i = 0; i < r->what->repetitions; i++) {
        if (!again) {
            tumble_model_destroy(*deformed);
            *deformed = NULL;
        } else {
            bench_require(tumble_model_deform(model, &still, deformed), r->context, "deforming a model");
        }
        const double start = bench_microseconds();
        bench_require(tumble_model_deform(model, &moved, deformed), r->context, "deforming a model");
        r->times[i] = since(start);
    }
    return bench_median(r->times, r->what->repetitions);
}

static deform_query time_query(deform_run *r, const tumble_model *model)
{
    const double axis[3] = {1, 2, 3}, shift[3] = {0.9, 0.3, 0.1};
    tumble_pose pose;
    tumble_collide_options options = bench_variant_options(r->what->variant);
    tumble_collide_result result;
    options.mode = TUMBLE_COUNT;
    bench_require(tumble_pose_from_axis_angle(r->context, axis, 0.7, 1, shift, &pose), r->context, "a pose");
    for (size_t i = 0; i < r->what->repetitions; i++) {
        const double start = bench_microseconds();
        bench_require(tumble_collide(r->query, model, NULL, model, &pose, &options, &result), r->context, "a query");
        r->times[i] = since(start);
    }
    return (deform_query){bench_median(r->times, r->what->repetitions), result.pair_count, result.counters.box_tests,
                          result.counters.primitive_tests};
}

static deform_result measure_deform(deform_run *r)
{
    const tumble_mesh still = models_view(&r->still), moved = models_view(&r->moved);
    tumble_model *model = NULL, *built = NULL, *deformed = NULL;
    deform_result result = {.triangles = models_triangle_count(&r->still)};
    bench_require(tumble_model_create(r->context, &still, &r->options, &model), r->context, "building a model");
    result.build = time_build(r, &moved, &built);
    result.first = time_deform(r, model, 0, &deformed);
    result.again = time_deform(r, model, 1, &deformed);
    result.built = time_query(r, built);
    result.deformed = time_query(r, deformed);
    result.wrong = result.deformed.hits != result.built.hits && result.triangles == r->still.polygon_count;
    tumble_model_destroy(model);
    tumble_model_destroy(built);
    tumble_model_destroy(deformed);
    return result;
}

static deform_result run_case(const deform_case *what, double seed)
{
    tumble_context_options options = tumble_default_context_options();
    deform_run r = {.what = what, .options = bench_model_options(what->variant)};
    options.thread_count = what->threads;
    options.simd = what->variant->simd;
    bench_require(tumble_context_create(&options, &r.context), NULL, "a context");
    bench_require(tumble_query_create(r.context, &r.query), r.context, "a query");
    r.options.deformable = 1;
    r.still = bench_make_mesh(what->shape, what->triangles, seed);
    r.moved = move_mesh(&r.still, what->motion);
    r.times = bench_allocate(what->repetitions, sizeof *r.times);
    const deform_result result = measure_deform(&r);
    free(r.times);
    free(r.moved.points);
    models_free(&r.still);
    tumble_query_destroy(r.query);
    tumble_context_destroy(r.context);
    return result;
}

/* ---- Tables ---- */

static void write_case(bench_csv *csv, const deform_case *what, const deform_result *r)
{
    bench_csv_text(csv, "shape", what->shape);
    bench_csv_count(csv, "triangles", r->triangles);
    bench_csv_text(csv, "motion", what->motion->name);
    bench_csv_text(csv, "variant", what->variant->name);
    bench_csv_count(csv, "threads", what->threads);
    bench_csv_count(csv, "repetitions", what->repetitions);
    bench_csv_number(csv, "build_ms", r->build);
    bench_csv_number(csv, "deform_ms", r->first);
    bench_csv_number(csv, "again_ms", r->again);
    bench_csv_number(csv, "query_built_ms", r->built.ms);
    bench_csv_number(csv, "query_deformed_ms", r->deformed.ms);
    bench_csv_count(csv, "box_tests_built", r->built.box_tests);
    bench_csv_count(csv, "box_tests_deformed", r->deformed.box_tests);
    bench_csv_count(csv, "primitive_tests_built", r->built.primitive_tests);
    bench_csv_count(csv, "primitive_tests_deformed", r->deformed.primitive_tests);
    bench_csv_count(csv, "hits", r->deformed.hits);
    bench_csv_end_row(csv);
}

static double ratio(uint64_t a, uint64_t b)
{
    return (double)a / (double)(b ? b : 1);
}

static void print_case(const deform_case *what, const deform_result *r)
{
    printf("%-10s %9llu  %-8s  %7u  %9.2f  %9.2f  %9.2f  %6.3f  %9.3f  %9.3f  %6.2f  %6.2f  %8llu  %s%s\n", what->shape,
           (unsigned long long)r->triangles, what->motion->name, what->threads, r->build, r->first, r->again,
           r->again / r->build, r->built.ms, r->deformed.ms, ratio(r->deformed.box_tests, r->built.box_tests),
           ratio(r->deformed.primitive_tests, r->built.primitive_tests), (unsigned long long)r->deformed.hits,
           what->variant->name, r->wrong ? "  WRONG" : "");
    fflush(stdout);
}

static void print_head(const char *commit)
{
    bench_print_origin(stdout, commit);
    puts("ms: build: a model anew; deform: from a model of the shape at rest; again: into the memory of the time "
         "before;\nshare: of again in build; query: all pairs with a turned copy, on the built and on the deformed "
         "model;\nboxes, tris: box tests and triangle tests of the query on the deformed model, relative to the built "
         "one\n");
    printf("%-10s %9s  %-8s  %7s  %9s  %9s  %9s  %6s  %9s  %9s  %6s  %6s  %8s  %s\n", "shape", "triangles", "motion",
           "threads", "build", "deform", "again", "share", "query", "deformed", "boxes", "tris", "hits", "variant");
}

/* All variants and numbers of threads. */
static int run_motion(const bench_settings *settings, const bench_variants *variants, deform_case what, bench_csv *csv)
{
    int wrong = 0;
    for (size_t i = 0; i < variants->count; i++) {
        what.variant = &variants->items[i];
        for (size_t t = 0; t < settings->threads.count; t++) {
            what.threads = (uint32_t)settings->threads.items[t];
            const deform_result result = run_case(&what, settings->seed);
            write_case(csv, &what, &result);
            print_case(&what, &result);
            wrong |= result.wrong;
        }
    }
    return wrong;
}

int bench_run_deform(const bench_settings *settings)
{
    bench_variants variants = bench_variants_parse(settings->variants);
    bench_csv csv;
    deform_case what = {.repetitions = (size_t)settings->repetitions};
    int wrong = 0;
    bench_csv_open(&csv, settings->csv);
    bench_set_origin(&csv, settings->commit, settings->seed);
    print_head(settings->commit);
    for (size_t shape = 0; shape < settings->shapes.count; shape++) {
        what.shape = settings->shapes.items[shape];
        for (size_t size = 0; size < settings->sizes.count; size++) {
            what.triangles = (size_t)settings->sizes.items[size];
            for (size_t i = 0; i < settings->motions.count; i++) {
                what.motion = motion_of(settings->motions.items[i]);
                wrong |= run_motion(settings, &variants, what, &csv);
            }
        }
    }
    bench_csv_close(&csv);
    bench_variants_free(&variants);
    return wrong;
}
