/* Editing models beside building them anew: the time of an edit over its size, and of a query after many. */
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "failure.h"
#include "machine.h"
#include "statistics.h"
#include "subject.h"

#define MANY 2000 /* edits before the query */

typedef struct edit_run {
    tumble_context *context;
    tumble_query *query;
    const bench_variant *variant;
    tumble_model_options options;
    models_mesh mesh;
    uint32_t *numbers; /* of the mesh's polygons in the model */
    uint32_t next;     /* the polygon that is replaced next */
} edit_run;

/* Replaces polygons that follow each other in the mesh by themselves, in two edits; microseconds of one edit, as a mean
 * of so many times. Each time they are elsewhere. */
static double time_edits(edit_run *r, tumble_model *model, uint32_t size, uint32_t times)
{
    uint32_t *which = bench_allocate(size, sizeof *which), *gone = bench_allocate(size, sizeof *gone), first;
    double sum = 0;
    for (uint32_t i = 0; i < times; i++) {
        models_mesh some = {0};
        r->next = (uint32_t)((r->next + 7919u) % r->mesh.polygon_count);
        for (uint32_t k = 0; k < size; k++) {
            uint32_t corners[3];
            which[k] = (uint32_t)((r->next + k) % r->mesh.polygon_count);
            gone[k] = r->numbers[which[k]];
            for (uint32_t c = 0; c < 3; c++) {
                const double *p = r->mesh.points + 3 * (size_t)r->mesh.indices[3 * which[k] + c];
                corners[c] = models_point(&some, p[0], p[1], p[2]);
            }
            models_triangle(&some, corners[0], corners[1], corners[2]);
        }
        const tumble_mesh view = models_view(&some);
        const double start = bench_microseconds();
        bench_require(tumble_model_remove(model, gone, size), r->context, "removing polygons");
        bench_require(tumble_model_insert(model, &view, &first), r->context, "inserting polygons");
        sum += bench_microseconds() - start;
        for (uint32_t k = 0; k < size; k++) {
            r->numbers[which[k]] = first + k;
        }
        models_free(&some);
    }
    free(which);
    free(gone);
    return sum / (2 * times);
}

static tumble_collide_result query(edit_run *r, const tumble_model *model)
{
    const double axis[3] = {1, 2, 3}, shift[3] = {0.9, 0.3, 0.1};
    tumble_pose pose;
    tumble_collide_options options = bench_variant_options(r->variant);
    tumble_collide_result result;
    options.mode = TUMBLE_COUNT;
    bench_require(tumble_pose_from_axis_angle(r->context, axis, 0.7, 1, shift, &pose), r->context, "a pose");
    bench_require(tumble_collide(r->query, model, NULL, model, &pose, &options, &result), r->context, "a query");
    return result;
}

static int measure(edit_run *r, const char *shape, bench_csv *csv)
{
    static const uint32_t sizes[] = {1, 100, 10000}, times[] = {200, 20, 2};
    tumble_model *model = NULL, *fresh = NULL;
    const tumble_mesh view = models_view(&r->mesh);
    const double start = bench_microseconds();
    bench_require(tumble_model_create(r->context, &view, &r->options, &fresh), r->context, "building a model");
    const double build = bench_microseconds() - start;
    bench_require(tumble_model_create(r->context, &view, &r->options, &model), r->context, "building a model");
    const double first = time_edits(r, model, 1, 1);
    double costs[3];
    for (int i = 0; i < 3; i++) {
        const size_t most = r->mesh.polygon_count / 4;
        costs[i] = time_edits(r, model, sizes[i] < most ? sizes[i] : (uint32_t)most, times[i]);
    }
    (void)time_edits(r, model, 1, MANY);
    const tumble_collide_result own = query(r, model), best = query(r, fresh);
    const double boxes =
        (double)own.counters.box_tests / (double)(best.counters.box_tests ? best.counters.box_tests : 1);
    const int wrong = own.pair_count != best.pair_count;
    printf("%-10s %9zu  %9.0f  %9.0f  %9.1f  %9.1f  %9.0f  %6.2f  %s%s\n", shape, r->mesh.polygon_count, build, first,
           costs[0], costs[1], costs[2], boxes, r->variant->name, wrong ? "  WRONG" : "");
    fflush(stdout);
    bench_csv_text(csv, "shape", shape);
    bench_csv_count(csv, "triangles", r->mesh.polygon_count);
    bench_csv_text(csv, "variant", r->variant->name);
    bench_csv_number(csv, "build_us", build);
    bench_csv_number(csv, "first_us", first);
    bench_csv_number(csv, "edit_1_us", costs[0]);
    bench_csv_number(csv, "edit_100_us", costs[1]);
    bench_csv_number(csv, "edit_10000_us", costs[2]);
    bench_csv_number(csv, "box_tests_share", boxes);
    bench_csv_end_row(csv);
    tumble_model_destroy(model);
    tumble_model_destroy(fresh);
    return wrong;
}

static int run_case(const bench_settings *settings, const bench_variant *variant, const char *shape, size_t triangles,
                    bench_csv *csv)
{
    tumble_context_options options = tumble_default_context_options();
    edit_run r = {.variant = variant, .options = bench_model_options(variant)};
    options.thread_count = 1;
    options.simd = variant->simd;
    bench_require(tumble_context_create(&options, &r.context), NULL, "a context");
    bench_require(tumble_query_create(r.context, &r.query), r.context, "a query");
    r.mesh = bench_make_mesh(shape, triangles, settings->seed);
    r.numbers = bench_allocate(r.mesh.polygon_count, sizeof *r.numbers);
    for (uint32_t i = 0; i < r.mesh.polygon_count; i++) {
        r.numbers[i] = i;
    }
    const int wrong = measure(&r, shape, csv);
    free(r.numbers);
    models_free(&r.mesh);
    tumble_query_destroy(r.query);
    tumble_context_destroy(r.context);
    return wrong;
}

int bench_run_edit(const bench_settings *settings)
{
    bench_variants variants = bench_variants_parse(settings->variants);
    bench_csv csv;
    int wrong = 0;
    bench_csv_open(&csv, settings->csv);
    bench_set_origin(&csv, settings->commit, settings->seed);
    bench_print_origin(stdout, settings->commit);
    puts("microseconds on one thread: build: a model anew; first: its first edit; then edits of 1, 100 and 10,000 "
         "polygons\n"
         "that lie together, each elsewhere; boxes: box tests of a query after 4,000 more edits, relative to a new "
         "model\n");
    printf("%-10s %9s  %9s  %9s  %9s  %9s  %9s  %6s  %s\n", "shape", "triangles", "build", "first", "1", "100", "10000",
           "boxes", "variant");
    for (size_t shape = 0; shape < settings->shapes.count; shape++) {
        for (size_t size = 0; size < settings->sizes.count; size++) {
            for (size_t i = 0; i < variants.count; i++) {
                wrong |= run_case(settings, &variants.items[i], settings->shapes.items[shape],
                                  (size_t)settings->sizes.items[size], &csv);
            }
        }
    }
    bench_csv_close(&csv);
    bench_variants_free(&variants);
    return wrong;
}
