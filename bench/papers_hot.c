/* Klosowski et al., section 6: hot starts. Checks along the papers' paths that reuse nothing of the check before, its
 * last pair, the front at which its traversal ended, or both. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "failure.h"
#include "machine.h"
#include "papers.h"
#include "statistics.h"

enum {
    WAYS = 4, /* tumble_coherence */
    CUTS = 3  /* of a step */
};

static const size_t cuts[CUTS] = {1, 4, 16};

static const char *const way_names[WAYS] = {"none", "pair", "front", "all"};

static void add_step(bench_result *sum, const tumble_collide_result *result, double share)
{
    sum->box_tests += share * (double)result->counters.box_tests;
    sum->box_updates += share * (double)result->counters.box_updates;
    sum->primitive_tests += share * (double)result->counters.primitive_tests;
    sum->mean_microseconds += share * 1e6 * result->counters.seconds;
    sum->hits += result->collide != 0;
    sum->pairs += result->pair_count;
}

/* Makes the columns of a rotation perpendicular and of length 1 again. */
static void straighten(tumble_pose *pose)
{
    for (int column = 0; column < 3; column++) {
        double square = 0;
        for (int before = 0; before < column; before++) {
            double product = 0;
            for (int k = 0; k < 3; k++) {
                product += pose->m[k][before] * pose->m[k][column];
            }
            for (int k = 0; k < 3; k++) {
                pose->m[k][column] -= product * pose->m[k][before];
            }
        }
        for (int k = 0; k < 3; k++) {
            square += pose->m[k][column] * pose->m[k][column];
        }
        for (int k = 0; k < 3; k++) {
            pose->m[k][column] /= sqrt(square);
        }
    }
}

/* Pose i of a path whose every step is cut into `parts`. */
static tumble_pose place(const models_scene *scene, size_t i, size_t parts)
{
    const size_t at = i / parts;
    const double share = (double)(i % parts) / (double)parts;
    tumble_pose pose = scene->path[at];
    if (i % parts) {
        for (int k = 0; k < 12; k++) {
            pose.m[k / 4][k % 4] += share * (scene->path[at + 1].m[k / 4][k % 4] - pose.m[k / 4][k % 4]);
        }
        straighten(&pose);
    }
    return pose;
}

/* As many checks as the path has poses, however finely its steps are cut. */
static bench_result follow_path(const bench_contestant *contestant, const models_scene *scene,
                                tumble_coherence coherence, size_t parts)
{
    tumble_collide_options options = tumble_default_collide_options();
    tumble_query *query;
    bench_result sum = {.median_microseconds = NAN};
    options.coherence = coherence;
    options.tuning = &contestant->variant->tuning;
    bench_require(tumble_query_create(contestant->context, &query), contestant->context, "a query");
    for (size_t i = 0; i < scene->path_length; i++) {
        const tumble_pose pose = place(scene, i, parts);
        tumble_collide_result result;
        bench_require(tumble_collide(query, contestant->model, NULL, contestant->flyer, &pose, &options, &result),
                      contestant->context, "a query");
        add_step(&sum, &result, 1 / (double)scene->path_length);
    }
    tumble_query_destroy(query);
    return sum;
}

/* All ways take turns, so that what slows the machine down slows all of them; the times are medians. */
static void follow_all_ways(papers *p, const bench_contestant *contestant, const models_scene *scene,
                            bench_result results[WAYS])
{
    const size_t repetitions = (size_t)p->series.settings->repetitions;
    double *samples = bench_allocate(WAYS * repetitions, sizeof *samples);
    for (size_t i = 0; i < repetitions; i++) {
        for (size_t way = 0; way < WAYS; way++) {
            results[way] = follow_path(contestant, scene, (tumble_coherence)way, 1);
            samples[way * repetitions + i] = results[way].mean_microseconds;
        }
    }
    for (size_t way = 0; way < WAYS; way++) {
        results[way].mean_microseconds = bench_median(samples + way * repetitions, repetitions);
    }
    free(samples);
}

static void print_row(const char *scene, const char *hierarchy, const bench_result results[WAYS])
{
    printf("%-10s %-10s", scene, hierarchy);
    for (int way = 0; way < WAYS; way++) {
        printf(" %11.1f %9.2f", results[way].box_tests, results[way].mean_microseconds);
    }
    printf(" %8.2f %6.2f\n", results[TUMBLE_COHERENCE_NONE].box_tests / results[TUMBLE_COHERENCE_FRONT].box_tests,
           results[TUMBLE_COHERENCE_FRONT].mean_microseconds / results[TUMBLE_COHERENCE_NONE].mean_microseconds);
    fflush(stdout);
}

static void write_rows(papers *p, const bench_subject *subject, size_t i, const models_scene *scene,
                       const bench_result results[WAYS])
{
    for (int way = 0; way < WAYS; way++) {
        bench_result copies[BENCH_MOST_ITEMS];
        const paper_measured measured = {.scene = scene->name,
                                         .subject = *subject,
                                         .results = copies,
                                         .flyer_triangles = models_triangle_count(&scene->flyer),
                                         .steps = scene->path_length,
                                         .repetitions = (size_t)p->series.settings->repetitions};
        copies[i] = results[way];
        papers_write(p, &measured, i, way_names[way], &papers_no_note);
    }
}

static void measure_scene(papers *p, int number, const bench_subject *subject, const models_scene *scene)
{
    for (size_t i = 0; i < subject->count; i++) {
        const char *title = papers_scene_title(number);
        bench_result results[WAYS];
        follow_all_ways(p, &subject->contestants[i], scene, results);
        for (int way = 0; way < WAYS; way++) {
            if (results[way].pairs != results[0].pairs) {
                bench_complain(&p->series, "%s: other pairs with coherence %s", title, way_names[way]);
            }
        }
        print_row(title, subject->contestants[i].variant->name, results);
        write_rows(p, subject, i, scene, results);
    }
}

/* How many times fewer box tests a front takes when the steps are shorter. */
static void measure_cuts(papers *p, int number, const bench_subject *subject, const models_scene *scene)
{
    for (size_t i = 0; i < subject->count; i++) {
        const bench_contestant *contestant = &subject->contestants[i];
        printf("%-10s %-10s", papers_scene_title(number), contestant->variant->name);
        for (int cut = 0; cut < CUTS; cut++) {
            const bench_result cold = follow_path(contestant, scene, TUMBLE_COHERENCE_NONE, cuts[cut]);
            const bench_result hot = follow_path(contestant, scene, TUMBLE_COHERENCE_FRONT, cuts[cut]);
            if (hot.pairs != cold.pairs) {
                bench_complain(&p->series, "%s: other pairs with shorter steps", papers_scene_title(number));
            }
            printf(" %8.2f %6.2f", cold.box_tests / hot.box_tests, hot.mean_microseconds / cold.mean_microseconds);
        }
        putchar('\n');
        fflush(stdout);
    }
}

static void for_all_scenes(papers *p, const char *words,
                           void (*measure)(papers *p, int number, const bench_subject *subject,
                                           const models_scene *scene))
{
    bench_variants variants = bench_variants_parse(words);
    for (int i = 0; i < PAPER_SCENES; i++) {
        const models_scene *scene = papers_scene(p, i);
        bench_subject subject = bench_subject_of(scene->name, &scene->environment, &scene->flyer, &variants);
        measure(p, i, &subject, scene);
        bench_subject_destroy(&subject);
    }
    bench_variants_free(&variants);
}

void papers_hot(papers *p)
{
    printf("%-10s %-10s %11s %9s %11s %9s %11s %9s %11s %9s %8s %6s\n", "scene", "hierarchy", "box tests", "us", "pair",
           "us", "front", "us", "all", "us", "fewer", "time");
    for_all_scenes(p, "default,kdop,boxtree,rtree", measure_scene);
    printf("With steps as they are, and cut into %zu and %zu\n%-10s %-10s", cuts[1], cuts[2], "scene", "hierarchy");
    for (int cut = 0; cut < CUTS; cut++) {
        printf(" %8s %6s", "fewer", "time");
    }
    putchar('\n');
    for_all_scenes(p, "default,kdop,boxtree", measure_cuts);
}
