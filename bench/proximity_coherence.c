/* Steps of a path, from scratch and with what the step before has learned: the demonstration's part on its way out of
 * its housing, copies of a shape that turn by little, apart and nearly touching, and jumps from one random pose to the
 * next, where nothing can be learned. */
#include <math.h>
#include <stdlib.h>

#include "failure.h"
#include "proximity.h"

enum {
    FULL_TURN = 5000, /* steps */
    QUESTIONS = 2,
    WAYS = 2 * QUESTIONS + 1
};
static const struct turn {
    const char *name;
    double share; /* of the distance at which the copies first touch; 0: jumps */
} turns[] = {{"apart", 1.2}, {"near", 1.005}, {"jumps", 0}};

static void make_ways(const bench_contestant *contestant, proximity_way ways[WAYS])
{
    static const char *const names[WAYS] = {"distance", "distance coherent", "touching", "touching coherent",
                                            "tumble_collide"};
    for (int i = 0; i < WAYS; i++) {
        ways[i] = (proximity_way){contestant, {.name = names[i], .collide = i == 2 * QUESTIONS}};
        ways[i].question.distance = tumble_default_distance_options();
        ways[i].question.distance.coherence = i % 2 ? TUMBLE_COHERENCE_ALL : TUMBLE_COHERENCE_NONE;
        if (i / 2 == 1) {
            ways[i].question.distance.within = ways[i].question.distance.enough = 0;
        }
    }
}

static int same_distance(double one, double other)
{
    return fabs(one - other) <= 1e-13 * fabs(one);
}

/* The questions about touching must have one answer, and the distances must be the same. */
static void check(proximity *p, const proximity_scene *scene, const char *variant, const proximity_answer *answers)
{
    for (size_t i = 0; i < scene->pose_count; i++) {
        const proximity_answer *a[WAYS];
        for (size_t k = 0; k < WAYS; k++) {
            a[k] = &answers[k * scene->pose_count + i];
        }
        const int touching = a[4]->answer == TUMBLE_YES;
        if (touching != (a[2]->answer == TUMBLE_YES) || touching != (a[3]->answer == TUMBLE_YES) ||
            touching != (a[0]->distance == 0) || !same_distance(a[0]->distance, a[1]->distance)) {
            bench_complain(&p->series, "%s, %s, step %zu: distances %.17g and %.17g, touching %d, %d and %d",
                           scene->name, variant, i, a[0]->distance, a[1]->distance, (int)a[2]->answer,
                           (int)a[3]->answer, touching);
            return;
        }
    }
}

static void print_scene(const proximity_scene *scene, const proximity_way *ways, const proximity_result *results)
{
    for (int i = 0; i < 2 * QUESTIONS; i += 2) {
        const proximity_result *scratch = &results[i], *coherent = &results[i + 1];
        printf("%-16s %-8s %-9s %6.4f %10.1f %10.1f %8.2f %9.2f %9.2f %8.2f\n", scene->name,
               ways[i].contestant->variant->name, ways[i].question.name, results[0].distance, scratch->box_tests,
               coherent->box_tests, scratch->box_tests / coherent->box_tests, scratch->mean_microseconds,
               coherent->mean_microseconds, coherent->mean_microseconds / scratch->mean_microseconds);
    }
    fflush(stdout);
}

/* Every step of a path, for the plot. */
static void write_steps(proximity *p, const proximity_scene *scene, const proximity_way *ways,
                        const proximity_answer *answers)
{
    const char *experiment = p->series.experiment;
    p->series.experiment = "coherence-steps";
    for (size_t i = 0; i < WAYS * scene->pose_count; i++) {
        const proximity_answer *a = &answers[i];
        const proximity_note note = proximity_at("step", (double)(i % scene->pose_count));
        const proximity_result result = {.mean_microseconds = a->microseconds,
                                         .queries = 1,
                                         .yes = a->answer == TUMBLE_YES,
                                         .no = a->answer == TUMBLE_NO,
                                         .distance = a->distance,
                                         .box_tests = (double)a->counters.box_tests,
                                         .primitive_tests = (double)a->counters.primitive_tests,
                                         .exact_tests = (double)a->counters.exact_tests};
        proximity_write(p, scene, &ways[i / scene->pose_count], &result, &note);
    }
    p->series.experiment = experiment;
}

static void run_path(proximity *p, const bench_subject *subject, const proximity_scene *scene, int with_steps)
{
    proximity_answer *answers = bench_allocate(WAYS * scene->pose_count, sizeof *answers);
    for (size_t i = 0; i < subject->count; i++) {
        proximity_way ways[WAYS];
        proximity_result results[WAYS];
        const proximity_note note = proximity_at("", (double)NAN);
        make_ways(&subject->contestants[i], ways);
        proximity_measure(scene, ways, WAYS, results, answers);
        check(p, scene, subject->contestants[i].variant->name, answers);
        print_scene(scene, ways, results);
        for (int k = 0; k < WAYS; k++) {
            proximity_write(p, scene, &ways[k], &results[k], &note);
        }
        if (with_steps) {
            write_steps(p, scene, ways, answers);
        }
    }
    free(answers);
}

static void run_demo(proximity *p, const bench_variants *variants)
{
    models_demo demo = proximity_demo(p);
    bench_subject subject = bench_subject_of("demo", &demo.housing, &demo.part, variants);
    const proximity_scene scene = {"demo", demo.path, demo.path_length, (size_t)p->series.settings->repetitions};
    run_path(p, &subject, &scene, 1);
    bench_subject_destroy(&subject);
    models_free_demo(&demo);
}

/* A stretch of a slow turn, not from where faces are parallel; or random poses, of which some gaps are small. */
static tumble_pose *make_path(const proximity *p, bench_subject *subject, const struct turn *turn, size_t steps)
{
    tumble_pose *poses = bench_allocate(steps, sizeof *poses);
    if (turn->share > 0) {
        const double distance = turn->share * bench_touching_distance(subject);
        for (size_t i = 0; i < steps; i++) {
            poses[i] = models_tumbling_pose(FULL_TURN / 16 + i, FULL_TURN, distance);
        }
    } else {
        proximity_place *places = proximity_places(&subject->contestants[0], 0, steps, p->series.settings->seed);
        for (size_t i = 0; i < steps; i++) {
            poses[i] = proximity_pose(&places[i], 0.01 * (double)(i % 10));
        }
        free(places);
    }
    return poses;
}

static void run_shape(proximity *p, const char *shape, const bench_variants *variants)
{
    const size_t steps = (size_t)p->series.settings->steps * (p->series.settings->quick ? 1 : 10);
    bench_subject subject =
        bench_subject_create(shape, (size_t)p->series.settings->sizes.items[0], p->series.settings->seed, variants);
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        char name[64];
        tumble_pose *poses = make_path(p, &subject, &turns[i], steps);
        const proximity_scene scene = {name, poses, steps, (size_t)p->series.settings->repetitions};
        snprintf(name, sizeof name, "%s %s", shape, turns[i].name);
        run_path(p, &subject, &scene, 0);
        free(poses);
    }
    bench_subject_destroy(&subject);
}

void proximity_coherence(proximity *p)
{
    bench_variants variants = bench_variants_parse("default,kdop");
    printf("%-16s %-8s %-9s %6s %10s %10s %8s %9s %9s %8s\n", "path", "variant", "question", "mean d", "box tests",
           "coherent", "fewer", "us", "coherent", "ratio");
    run_demo(p, &variants);
    for (size_t i = 0; i < p->series.settings->shapes.count; i++) {
        run_shape(p, p->series.settings->shapes.items[i], &variants);
    }
    bench_variants_free(&variants);
}
