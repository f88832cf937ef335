/* The minimum distance of two copies of a shape, at random rotations and in random directions, over the gap between
 * them: all hierarchies, exactly and with relative errors. */
#include <math.h>
#include <stdlib.h>

#include "failure.h"
#include "proximity.h"

/* In sizes of the shape, which is 2. */
static const double gaps[] = {0.001, 0.01, 0.1, 1, 10};
static const double shape_size = 2;
static const struct error {
    double error;
    const char *name;
} errors[] = {{0, "exact"}, {0.01, "1 % error"}, {0.1, "10 % error"}};

enum {
    GAPS = sizeof gaps / sizeof *gaps,
    ERRORS = sizeof errors / sizeof *errors
};

/* Everything about one shape: [gap][variant][error]. */
typedef struct separation {
    bench_subject subject;
    proximity_way *ways; /* [variant][error] */
    size_t way_count;
    proximity_result *results;
} separation;

static proximity_way *make_ways(const bench_subject *subject)
{
    proximity_way *ways = bench_allocate(subject->count * ERRORS, sizeof *ways);
    for (size_t i = 0; i < subject->count * ERRORS; i++) {
        ways[i].contestant = &subject->contestants[i / ERRORS];
        ways[i].question.name = errors[i % ERRORS].name;
        ways[i].question.distance = tumble_default_distance_options();
        ways[i].question.distance.relative_error = errors[i % ERRORS].error;
    }
    return ways;
}

/* All must be the first one's exact distance, or above it by as much as was allowed. */
static void check(proximity *p, const separation *s, const proximity_scene *scene, const proximity_answer *answers)
{
    const double rounding = 1e-13;
    for (size_t i = 0; i < s->way_count; i++) {
        for (size_t k = 0; k < scene->pose_count; k++) {
            const double truth = answers[k].distance, found = answers[i * scene->pose_count + k].distance;
            const double most = truth * (1 + errors[i % ERRORS].error);
            if (!(found >= truth * (1 - rounding) && found <= most * (1 + rounding))) {
                bench_complain(&p->series, "%s, pose %zu: %s, %s, finds %.17g instead of %.17g", scene->name, k,
                               s->ways[i].contestant->variant->name, s->ways[i].question.name, found, truth);
                return;
            }
        }
    }
}

static void run_gap(proximity *p, const separation *s, const proximity_place *places, size_t gap)
{
    const bench_settings *settings = p->series.settings;
    const size_t count = (size_t)settings->steps;
    tumble_pose *poses = bench_allocate(count, sizeof *poses);
    proximity_answer *answers = bench_allocate(count * s->way_count, sizeof *answers);
    proximity_result *results = s->results + gap * s->way_count;
    const proximity_scene scene = {s->subject.shape, poses, count, (size_t)settings->repetitions};
    const proximity_note note = proximity_at("gap", gaps[gap]);
    for (size_t i = 0; i < count; i++) {
        poses[i] = proximity_pose(&places[i], shape_size * gaps[gap]);
    }
    proximity_measure(&scene, s->ways, s->way_count, results, answers);
    check(p, s, &scene, answers);
    for (size_t i = 0; i < s->way_count; i++) {
        proximity_write(p, &scene, &s->ways[i], &results[i], &note);
    }
    free(answers);
    free(poses);
}

/* One quantity of all ways, by its place in the result. */
static void print_quantity(const separation *s, const char *title, size_t offset, int decimals)
{
    printf("  %-32s", title);
    for (size_t gap = 0; gap < GAPS; gap++) {
        printf(" %11g", gaps[gap]);
    }
    putchar('\n');
    for (size_t i = 0; i < s->way_count; i++) {
        printf("    %-18s %-11s", s->ways[i].contestant->variant->name, s->ways[i].question.name);
        for (size_t gap = 0; gap < GAPS; gap++) {
            const char *result = (const char *)(s->results + gap * s->way_count + i);
            printf(" %11.*f", decimals, *(const double *)(result + offset));
        }
        putchar('\n');
    }
    fflush(stdout);
}

static void run_shape(proximity *p, const char *shape, size_t triangles, const bench_variants *variants)
{
    const bench_settings *settings = p->series.settings;
    separation s = {.subject = bench_subject_create(shape, triangles, settings->seed, variants)};
    s.ways = make_ways(&s.subject);
    s.way_count = s.subject.count * ERRORS;
    s.results = bench_allocate(GAPS * s.way_count, sizeof *s.results);
    proximity_place *places = proximity_places(&s.subject.contestants[0], 0, (size_t)settings->steps, settings->seed);
    for (size_t gap = 0; gap < GAPS; gap++) {
        run_gap(p, &s, places, gap);
    }
    printf("%s, %zu triangles; columns: gap in sizes of the shape\n", shape, s.subject.triangle_count);
    print_quantity(&s, "microseconds", offsetof(proximity_result, mean_microseconds), 2);
    print_quantity(&s, "box tests", offsetof(proximity_result, box_tests), 1);
    print_quantity(&s, "triangle tests", offsetof(proximity_result, primitive_tests), 1);
    putchar('\n');
    free(places);
    free(s.ways);
    free(s.results);
    bench_subject_destroy(&s.subject);
}

void proximity_separation(proximity *p)
{
    const bench_settings *settings = p->series.settings;
    bench_variants variants = bench_variants_parse(settings->variants);
    for (size_t i = 0; i < settings->shapes.count; i++) {
        for (size_t k = 0; k < settings->sizes.count; k++) {
            run_shape(p, settings->shapes.items[i], (size_t)settings->sizes.items[k], &variants);
        }
    }
    bench_variants_free(&variants);
}
