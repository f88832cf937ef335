/* Klosowski et al., section 6: hot starts. Checks along the papers' paths that reuse nothing of the check before, its
 * last pair, the front at which its traversal ended, or both. */
#include <math.h>
#include <stdio.h>

#include "failure.h"
#include "machine.h"
#include "papers.h"

enum {
    WAYS = 4 /* tumble_coherence */
};

typedef struct hot_result {
    double box_tests, microseconds;
    uint64_t pairs;
} hot_result;

static hot_result follow_path(const bench_contestant *contestant, const models_scene *scene, tumble_coherence coherence)
{
    tumble_collide_options options = tumble_default_collide_options();
    tumble_query *query;
    hot_result sum = {0, 0, 0};
    options.coherence = coherence;
    options.tuning = &contestant->variant->tuning;
    bench_require(tumble_query_create(contestant->context, &query), contestant->context, "a query");
    for (size_t i = 0; i < scene->path_length; i++) {
        tumble_collide_result result;
        bench_require(
            tumble_collide(query, contestant->model, NULL, contestant->flyer, &scene->path[i], &options, &result),
            contestant->context, "a query");
        sum.box_tests += (double)result.counters.box_tests / (double)scene->path_length;
        sum.microseconds += 1e6 * result.counters.seconds / (double)scene->path_length;
        sum.pairs += result.pair_count;
    }
    tumble_query_destroy(query);
    return sum;
}

static void print_scene(papers *p, int number, const bench_subject *subject, const models_scene *scene)
{
    for (size_t i = 0; i < subject->count; i++) {
        hot_result results[WAYS];
        for (int way = 0; way < WAYS; way++) {
            results[way] = follow_path(&subject->contestants[i], scene, (tumble_coherence)way);
            if (results[way].pairs != results[0].pairs) {
                bench_complain(&p->series, "%s: other pairs with coherence %d", papers_scene_title(number), way);
            }
        }
        printf("%-10s %-10s", papers_scene_title(number), subject->contestants[i].variant->name);
        for (int way = 0; way < WAYS; way++) {
            printf(" %11.1f %9.2f", results[way].box_tests, results[way].microseconds);
        }
        printf(" %8.2f\n", results[0].box_tests / results[TUMBLE_COHERENCE_FRONT].box_tests);
        fflush(stdout);
    }
}

void papers_hot(papers *p)
{
    bench_variants variants = bench_variants_parse("default,kdop,boxtree,rtree");
    printf("%-10s %-10s %11s %9s %11s %9s %11s %9s %11s %9s %8s\n", "scene", "hierarchy", "box tests", "us", "pair",
           "us", "front", "us", "all", "us", "fewer");
    for (int i = 0; i < PAPER_SCENES; i++) {
        const models_scene *scene = papers_scene(p, i);
        bench_subject subject = bench_subject_of(scene->name, &scene->environment, &scene->flyer, &variants);
        print_scene(p, i, &subject, scene);
        bench_subject_destroy(&subject);
    }
    bench_variants_free(&variants);
}
