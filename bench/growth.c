/* Growth: what a model of n triangles costs to build and to keep, and what questions about two of them cost, from small
 * models to large ones. The size of the answer grows with the models as well, so that all pairs are asked for twice:
 * at one distance, where the time of a pair counts, and just inside the first touch, where the copies are pushed into
 * each other until about the same number of pairs intersect at every size. */
#include <math.h>
#include <stdlib.h>

#include "commands.h"
#include "failure.h"
#include "machine.h"
#include "measure.h"
#include "statistics.h"
#include "touch.h"

static const double wanted_pairs = 100; /* in the contact that is the same at all sizes */

typedef struct grown_model {
    const bench_variant *variant;
    tumble_context *context;
    tumble_model *model;
    tumble_query *query;
    tumble_model_info info;
    double build_seconds;
} grown_model;

/* ---- The model ---- */

/* The median over the repetitions, of the processor time of one thread. */
static void build(const bench_settings *settings, const bench_variant *variant, const tumble_mesh *mesh,
                  grown_model *out)
{
    const size_t repetitions = (size_t)settings->repetitions;
    double *samples = bench_allocate(repetitions, sizeof *samples);
    tumble_context_options context_options = tumble_default_context_options();
    context_options.thread_count = 1;
    context_options.simd = variant->simd;
    out->variant = variant;
    bench_require(tumble_context_create(&context_options, &out->context), NULL, "a context");
    const tumble_model_options model_options = bench_model_options(variant);
    for (size_t i = 0; i < repetitions; i++) {
        tumble_model_destroy(out->model);
        const double start = bench_process_microseconds();
        bench_require(tumble_model_create(out->context, mesh, &model_options, &out->model), out->context,
                      "building a model");
        samples[i] = 1e-6 * (bench_process_microseconds() - start);
    }
    out->build_seconds = bench_median(samples, repetitions);
    bench_require(tumble_model_get_info(out->model, &out->info), out->context, "a model");
    bench_require(tumble_query_create(out->context, &out->query), out->context, "a query");
    free(samples);
}

static void destroy(grown_model *grown)
{
    tumble_query_destroy(grown->query);
    tumble_model_destroy(grown->model);
    tumble_context_destroy(grown->context);
}

/* ---- Questions ---- */

static bool take_pairs(void *user, const tumble_pair *pairs, size_t count, const tumble_contact *contacts,
                       size_t contact_count)
{
    (void)pairs;
    (void)contacts;
    (void)contact_count;
    *(uint64_t *)user += count;
    return false;
}

static uint64_t ask(const grown_model *grown, const tumble_pose *pose, tumble_mode mode)
{
    uint64_t pairs = 0;
    tumble_collide_options options = bench_variant_options(grown->variant);
    tumble_collide_result result;
    options.mode = mode;
    options.callback = mode == TUMBLE_ALL ? take_pairs : NULL;
    options.callback_user = &pairs;
    bench_require(tumble_collide(grown->query, grown->model, NULL, grown->model, pose, &options, &result),
                  grown->context, "a query");
    return mode == TUMBLE_ALL ? pairs : result.pair_count;
}

/* Between the steps at which faces are parallel. */
typedef struct rotation {
    const grown_model *grown;
    size_t step, steps;
} rotation;

static tumble_pose pose_at(const rotation *r, double distance)
{
    return models_tumbling_pose(2 * r->step + 1, 2 * r->steps, distance);
}

static int touches(void *user, double distance)
{
    const rotation *r = user;
    const tumble_pose pose = pose_at(r, distance);
    return ask(r->grown, &pose, TUMBLE_FIRST) > 0;
}

/* How far inside the first touch about so many pairs intersect: deeper by doubling, then halved. */
static double contact_distance(const rotation *r, double touch)
{
    double shallow = 0, deep = 1e-7;
    tumble_pose pose = pose_at(r, touch - deep);
    while (deep < touch && (double)ask(r->grown, &pose, TUMBLE_ALL) < wanted_pairs) {
        shallow = deep;
        deep *= 2;
        pose = pose_at(r, touch - deep);
    }
    for (int i = 0; i < 30; i++) {
        const double middle = 0.5 * (shallow + deep);
        pose = pose_at(r, touch - middle);
        const double pairs = (double)ask(r->grown, &pose, TUMBLE_ALL);
        if (fabs(pairs - wanted_pairs) < 0.02 * wanted_pairs) {
            return touch - middle;
        }
        *(pairs < wanted_pairs ? &shallow : &deep) = middle;
    }
    return touch - deep;
}

/* A question at several poses: pairs and microseconds, means over the poses. */
typedef struct answer_cost {
    double pairs, microseconds;
} answer_cost;

static double time_turn(const grown_model *grown, const tumble_pose *poses, size_t count, tumble_mode mode,
                        size_t loops)
{
    const double start = bench_thread_microseconds();
    for (size_t loop = 0; loop < loops; loop++) {
        for (size_t i = 0; i < count; i++) {
            ask(grown, &poses[i], mode);
        }
    }
    return (bench_thread_microseconds() - start) / (double)(loops * count);
}

static answer_cost measure(const bench_settings *settings, const grown_model *grown, const tumble_pose *poses,
                           size_t count, tumble_mode mode)
{
    const size_t repetitions = (size_t)settings->repetitions;
    const double enough = 5000; /* microseconds of a sample */
    double *samples = bench_allocate(repetitions, sizeof *samples);
    answer_cost cost = {0, 0};
    for (size_t i = 0; i < count; i++) {
        cost.pairs += (double)ask(grown, &poses[i], mode) / (double)count;
    }
    const double turn = time_turn(grown, poses, count, mode, 1) * (double)count;
    const size_t loops = turn > enough ? 1 : turn > 1 ? 1 + (size_t)(enough / turn) : (size_t)enough;
    for (size_t i = 0; i < repetitions; i++) {
        samples[i] = time_turn(grown, poses, count, mode, loops);
    }
    cost.microseconds = bench_median(samples, repetitions);
    free(samples);
    return cost;
}

/* ---- One size ---- */

typedef struct size_result {
    answer_cost first, all, contact;
} size_result;

static size_result ask_all(const bench_settings *settings, const grown_model *grown)
{
    const size_t count = (size_t)settings->steps;
    tumble_pose *inside = bench_allocate(count, sizeof *inside), *contact = bench_allocate(count, sizeof *contact);
    size_result result;
    for (size_t i = 0; i < count; i++) {
        rotation r = {grown, i, count};
        const double touch = bench_first_touch(touches, &r, 0.01, 1e-9);
        inside[i] = pose_at(&r, settings->shares.items[0] * touch);
        contact[i] = pose_at(&r, contact_distance(&r, touch));
    }
    result.first = measure(settings, grown, inside, count, TUMBLE_FIRST);
    result.all = measure(settings, grown, inside, count, TUMBLE_ALL);
    result.contact = measure(settings, grown, contact, count, TUMBLE_ALL);
    free(inside);
    free(contact);
    return result;
}

static void write_row(bench_csv *csv, const char *shape, const bench_variant *variant, const bench_settings *settings,
                      const grown_model *grown, const size_result *result)
{
    const double triangles = (double)grown->info.triangle_count;
    bench_csv_text(csv, "shape", shape);
    bench_csv_count(csv, "triangles", grown->info.triangle_count);
    bench_csv_text(csv, "variant", variant->name);
    bench_csv_number(csv, "steps", settings->steps);
    bench_csv_number(csv, "repetitions", settings->repetitions);
    bench_csv_number(csv, "build_ms", 1e3 * grown->build_seconds);
    bench_csv_number(csv, "million_triangles_a_second", 1e-6 * triangles / grown->build_seconds);
    bench_csv_number(csv, "bytes_a_triangle", (double)grown->info.total_bytes / triangles);
    bench_csv_number(csv, "hierarchy_bytes_a_triangle", (double)grown->info.hierarchy_bytes / triangles);
    bench_csv_number(csv, "first_us", result->first.microseconds);
    bench_csv_number(csv, "all_pairs", result->all.pairs);
    bench_csv_number(csv, "all_us", result->all.microseconds);
    bench_csv_number(csv, "all_ns_a_pair", 1e3 * result->all.microseconds / result->all.pairs);
    bench_csv_number(csv, "contact_pairs", result->contact.pairs);
    bench_csv_number(csv, "contact_us", result->contact.microseconds);
    bench_csv_end_row(csv);
}

static void print_row(const char *shape, const bench_variant *variant, const grown_model *grown,
                      const size_result *result)
{
    const double triangles = (double)grown->info.triangle_count;
    printf("%-9s %9.0f  %7.2f  %6.1f  %5.1f  %8.2f  %8.0f  %9.1f  %7.1f  %6.0f  %8.2f  %s\n", shape, triangles,
           1e-6 * triangles / grown->build_seconds, (double)grown->info.total_bytes / triangles,
           (double)grown->info.hierarchy_bytes / triangles, result->first.microseconds, result->all.pairs,
           result->all.microseconds, 1e3 * result->all.microseconds / result->all.pairs, result->contact.pairs,
           result->contact.microseconds, variant->name);
    fflush(stdout);
}

/* ---- All sizes ---- */

enum {
    FIT_BUILD,
    FIT_FIRST,
    FIT_ALL,
    FIT_PAIR,
    FIT_CONTACT,
    FIT_COUNT
};

static void add_to_fits(bench_power_fit *fits, const grown_model *grown, const size_result *result)
{
    const double triangles = (double)grown->info.triangle_count;
    bench_power_add(&fits[FIT_BUILD], triangles, grown->build_seconds);
    bench_power_add(&fits[FIT_FIRST], triangles, result->first.microseconds);
    bench_power_add(&fits[FIT_ALL], triangles, result->all.microseconds);
    bench_power_add(&fits[FIT_PAIR], triangles, result->all.microseconds / result->all.pairs);
    bench_power_add(&fits[FIT_CONTACT], triangles, result->contact.microseconds);
}

static void grow_shape(const bench_settings *settings, const bench_variant *variant, const char *shape, bench_csv *csv)
{
    bench_power_fit fits[FIT_COUNT] = {{0}};
    for (size_t i = 0; i < settings->sizes.count; i++) {
        models_mesh mesh = bench_make_mesh(shape, (size_t)settings->sizes.items[i], settings->seed);
        const tumble_mesh view = models_view(&mesh);
        grown_model grown = {.model = NULL};
        build(settings, variant, &view, &grown);
        models_free(&mesh);
        const size_result result = ask_all(settings, &grown);
        write_row(csv, shape, variant, settings, &grown, &result);
        print_row(shape, variant, &grown, &result);
        add_to_fits(fits, &grown, &result);
        destroy(&grown);
    }
    if (settings->sizes.count > 1) {
        printf("%-9s grows as triangles^e: build %.2f, yes or no %.2f, all pairs %.2f, a pair %.2f, the same contact "
               "%.2f\n",
               shape, bench_power_exponent(&fits[FIT_BUILD]), bench_power_exponent(&fits[FIT_FIRST]),
               bench_power_exponent(&fits[FIT_ALL]), bench_power_exponent(&fits[FIT_PAIR]),
               bench_power_exponent(&fits[FIT_CONTACT]));
    }
}

int bench_run_growth(const bench_settings *settings)
{
    bench_variants variants = bench_variants_parse(settings->variants);
    bench_csv csv;
    bench_csv_open(&csv, settings->csv);
    bench_set_origin(&csv, settings->commit, settings->seed);
    bench_print_origin(stdout, settings->commit);
    printf("Mtri/s: million triangles built per second, one thread; B/tri: bytes of the model per triangle, tree: of "
           "them the "
           "hierarchy;\nus: microseconds of a question; yes/no, all: at %g of the distance of the first touch; "
           "contact: all pairs where about %g are\n\n",
           settings->shares.items[0], wanted_pairs);
    printf("%-9s %9s  %7s  %6s  %5s  %8s  %8s  %9s  %7s  %6s  %8s  %s\n", "shape", "triangles", "Mtri/s", "B/tri",
           "tree", "yes/no", "pairs", "all us", "ns/pair", "pairs", "contact", "variant");
    for (size_t shape = 0; shape < settings->shapes.count; shape++) {
        for (size_t i = 0; i < variants.count; i++) {
            grow_shape(settings, &variants.items[i], settings->shapes.items[shape], &csv);
        }
    }
    bench_csv_close(&csv);
    bench_variants_free(&variants);
    return 0;
}
