/* The tumbling experiment (Zachmann 2002, section 5): two copies of a model, each in a cube of side 2; their centres
 * stand at a distance, and one of them makes a full turn about z and x in small steps, with a query at each. The time
 * of a query is averaged over the turn; then the distance shrinks. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "failure.h"
#include "machine.h"
#include "measure.h"
#include "summary.h"

typedef struct experiment {
    const bench_settings *settings;
    bench_variants variants;
    bench_csv csv;
    bench_summary times, counts, shapes;
    bench_result *results;
    int differ;
} experiment;

static tumble_mode mode_of(const char *word)
{
    const tumble_mode modes[] = {TUMBLE_ALL, TUMBLE_FIRST, TUMBLE_TEST};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (strcmp(word, bench_mode_name(modes[i])) == 0) {
            return modes[i];
        }
    }
    bench_fail("modes are all, first and test, not '%s'", word);
}

static void write_row(experiment *e, const bench_scene *scene, size_t index)
{
    const bench_contestant *contestant = &scene->subject->contestants[index];
    const bench_result *result = &e->results[index];
    bench_csv *csv = &e->csv;
    bench_csv_text(csv, "shape", scene->subject->shape);
    bench_csv_count(csv, "triangles", scene->subject->triangle_count);
    bench_csv_text(csv, "mode", bench_mode_name(scene->mode));
    bench_csv_number(csv, "share", scene->share);
    bench_csv_number(csv, "distance", scene->distance);
    bench_csv_text(csv, "variant", contestant->variant->name);
    bench_csv_count(csv, "steps", scene->steps);
    bench_csv_count(csv, "repetitions", scene->repetitions);
    bench_csv_number(csv, "mean_us", result->mean_microseconds);
    bench_csv_number(csv, "median_us", result->median_microseconds);
    bench_csv_number(csv, "relative", result->mean_microseconds / e->results[0].mean_microseconds);
    bench_csv_count(csv, "hits", result->hits);
    bench_csv_count(csv, "pairs", result->pairs);
    bench_csv_hash(csv, "answer_hash", result->hash);
    bench_csv_number(csv, "box_tests", result->box_tests);
    bench_csv_number(csv, "box_updates", result->box_updates);
    bench_csv_number(csv, "primitive_tests", result->primitive_tests);
    bench_csv_number(csv, "exact_tests", result->exact_tests);
    bench_csv_number(csv, "bytes_touched", result->bytes_touched);
    bench_csv_count(csv, "nodes", contestant->info.node_count);
    bench_csv_count(csv, "hierarchy_bytes", contestant->info.hierarchy_bytes);
    bench_csv_end_row(csv);
}

static void add_to_summaries(experiment *e, const bench_scene *scene)
{
    const size_t stride = sizeof *e->results;
    const double *times = &e->results[0].mean_microseconds;
    bench_summary_add(&e->times, "total", times, stride);
    bench_summary_add(&e->times, bench_mode_name(scene->mode), times, stride);
    bench_summary_add(&e->times, scene->share > 1 ? "apart" : scene->share >= 0.85 ? "near" : "deep", times, stride);
    bench_summary_add(&e->shapes, scene->subject->shape, times, stride);
    bench_summary_add(&e->counts, "box tests", &e->results[0].box_tests, stride);
    bench_summary_add(&e->counts, "box updates", &e->results[0].box_updates, stride);
    bench_summary_add(&e->counts, "triangle tests", &e->results[0].primitive_tests, stride);
}

static void add_bytes(experiment *e, const bench_subject *subject)
{
    double *bytes = bench_allocate(subject->count, sizeof *bytes);
    for (size_t i = 0; i < subject->count; i++) {
        bytes[i] = (double)subject->contestants[i].info.hierarchy_bytes;
    }
    bench_summary_add(&e->counts, "bytes", bytes, sizeof *bytes);
    free(bytes);
}

/* Mean times of the first variant, averaged over the distances as the paper does. */
static void print_reference(const experiment *e, const bench_subject *subject, const double *sums)
{
    printf("%-10s %9zu", subject->shape, subject->triangle_count);
    for (size_t mode = 0; mode < e->settings->modes.count; mode++) {
        printf("  %10.2f", sums[mode] / (double)e->settings->shares.count);
    }
    putchar('\n');
    fflush(stdout);
}

static void run_scene(experiment *e, const bench_subject *subject, double touching, size_t share, size_t mode,
                      double *sum)
{
    const bench_settings *s = e->settings;
    bench_scene scene = {.subject = subject,
                         .share = s->shares.items[share],
                         .distance = s->shares.items[share] * touching,
                         .mode = mode_of(s->modes.items[mode]),
                         .repetitions = (size_t)s->repetitions};
    scene.steps = bench_choose_steps(&scene, (size_t)s->steps, s->work);
    if (!bench_measure(&scene, e->results)) {
        e->differ = 1;
        return;
    }
    for (size_t i = 0; i < e->variants.count; i++) {
        write_row(e, &scene, i);
    }
    add_to_summaries(e, &scene);
    *sum += e->results[0].mean_microseconds;
}

static void run_subject(experiment *e, const char *shape, size_t triangles)
{
    const bench_settings *s = e->settings;
    double sums[BENCH_MOST_ITEMS] = {0};
    const int progress = isatty(STDERR_FILENO);
    bench_subject subject = bench_subject_create(shape, triangles, s->seed, &e->variants);
    const double touching = bench_touching_distance(&subject);
    add_bytes(e, &subject);
    for (size_t share = 0; share < s->shares.count; share++) {
        for (size_t mode = 0; mode < s->modes.count; mode++) {
            if (progress) {
                fprintf(stderr, "\r\033[K%s, %zu triangles, distance %zu of %zu, %s", shape, subject.triangle_count,
                        share + 1, s->shares.count, s->modes.items[mode]);
            }
            run_scene(e, &subject, touching, share, mode, &sums[mode]);
        }
    }
    if (progress) {
        fputs("\r\033[K", stderr);
    }
    print_reference(e, &subject, sums);
    bench_subject_destroy(&subject);
}

static void print_head(const experiment *e)
{
    bench_print_origin(stdout, e->settings->commit);
    printf("Microseconds per query with %s, mean over %zu distances\n%-10s %9s", e->variants.items[0].name,
           e->settings->shares.count, "shape", "triangles");
    for (size_t mode = 0; mode < e->settings->modes.count; mode++) {
        printf("  %10s", e->settings->modes.items[mode]);
    }
    putchar('\n');
}

static void write_summaries(const experiment *e)
{
    bench_csv csv;
    bench_csv_open(&csv, e->settings->summary);
    bench_set_origin(&csv, e->settings->commit, e->settings->seed);
    bench_summary_write(&e->times, "time", &csv);
    bench_summary_write(&e->shapes, "time", &csv);
    bench_summary_write(&e->counts, "number of", &csv);
    bench_csv_close(&csv);
}

static void finish(experiment *e)
{
    write_summaries(e);
    putchar('\n');
    if (e->variants.count > 1 && !e->differ) {
        bench_summary_print(&e->times, "Time of a query");
        bench_summary_print(&e->shapes, "Time of a query by shape");
        bench_summary_print(&e->counts, "Work of a query, and bytes of the tree");
    }
    bench_summary_end(&e->times);
    bench_summary_end(&e->shapes);
    bench_summary_end(&e->counts);
    bench_csv_close(&e->csv);
    free(e->results);
    bench_variants_free(&e->variants);
}

int bench_run_tumbling(const bench_settings *settings)
{
    experiment e = {.settings = settings, .variants = bench_variants_parse(settings->variants)};
    e.results = bench_allocate(e.variants.count, sizeof *e.results);
    e.times = bench_summary_begin(&e.variants);
    e.counts = bench_summary_begin(&e.variants);
    e.shapes = bench_summary_begin(&e.variants);
    bench_csv_open(&e.csv, settings->csv);
    bench_set_origin(&e.csv, settings->commit, settings->seed);
    print_head(&e);
    for (size_t shape = 0; shape < settings->shapes.count; shape++) {
        for (size_t size = 0; size < settings->sizes.count; size++) {
            run_subject(&e, settings->shapes.items[shape], (size_t)settings->sizes.items[size]);
        }
    }
    finish(&e);
    return e.differ;
}
