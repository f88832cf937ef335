/* Closer than d? Two copies of a shape at random poses that just miss d or are just within it. The question is put by
 * tumble_collide with a clearance, by tumble_distance with both bounds at d, and by asking for the whole distance;
 * beside them yes or no, which is the first for a d of 0. */
#include <math.h>
#include <stdlib.h>

#include "failure.h"
#include "proximity.h"

static const double clearances[] = {0, 0.001, 0.01, 0.1, 1};
static const double gap = 0.001; /* by which d is missed */
enum {
    CLEARANCES = sizeof clearances / sizeof *clearances,
    QUESTIONS = 3
};
static const char *const names[2][QUESTIONS] = {{"clearance missed", "within missed", "distance missed"},
                                                {"clearance met", "within met", "distance met"}};

static void make_ways(const bench_contestant *contestant, double clearance, int met, proximity_way ways[QUESTIONS])
{
    for (int i = 0; i < QUESTIONS; i++) {
        ways[i] = (proximity_way){contestant, {.name = names[met][i], .collide = i == 0, .clearance = clearance}};
        ways[i].question.distance = tumble_default_distance_options();
    }
    ways[1].question.distance.within = ways[1].question.distance.enough = clearance;
}

static void check(proximity *p, const proximity_scene *scene, const proximity_way *ways,
                  const proximity_answer *answers)
{
    const double clearance = ways[0].question.clearance;
    for (size_t i = 0; i < scene->pose_count; i++) {
        const int close = answers[i].answer == TUMBLE_YES, within = answers[scene->pose_count + i].answer == TUMBLE_YES,
                  nearer = answers[2 * scene->pose_count + i].distance <= clearance;
        if (close != within || close != nearer) {
            bench_complain(&p->series, "%s, %s, pose %zu, clearance %g: %d by clearance, %d by within, %d by distance",
                           scene->name, ways[0].contestant->variant->name, i, clearance, close, within, nearer);
            return;
        }
    }
}

/* results: [question] of one clearance. */
static void run_side(proximity *p, const bench_subject *subject, const bench_contestant *contestant,
                     const proximity_place *places, double clearance, int met, proximity_result *results)
{
    const size_t count = (size_t)p->series.settings->steps;
    tumble_pose *poses = bench_allocate(count, sizeof *poses);
    proximity_answer *answers = bench_allocate(QUESTIONS * count, sizeof *answers);
    const proximity_scene scene = {subject->shape, poses, count, (size_t)p->series.settings->repetitions};
    const proximity_note note = proximity_at("clearance", clearance);
    proximity_way ways[QUESTIONS];
    make_ways(contestant, clearance, met, ways);
    for (size_t i = 0; i < count; i++) {
        poses[i] = proximity_pose(&places[i], met ? -gap : gap);
    }
    proximity_measure(&scene, ways, QUESTIONS, results, answers);
    check(p, &scene, ways, answers);
    for (int i = 0; i < QUESTIONS; i++) {
        proximity_write(p, &scene, &ways[i], &results[i], &note);
    }
    free(answers);
    free(poses);
}

static void print_row(const char *variant, const char *name, proximity_result results[CLEARANCES][QUESTIONS],
                      int question)
{
    printf("    %-18s %-17s", variant, name);
    for (int i = 0; i < CLEARANCES; i++) {
        printf(" %8.2f (%6.2f)", results[i][question].mean_microseconds,
               results[i][question].mean_microseconds / results[0][0].mean_microseconds);
    }
    putchar('\n');
    fflush(stdout);
}

/* `places`: [clearance], found by the first variant. */
static void run_contestant(proximity *p, const bench_subject *subject, const bench_contestant *contestant,
                           proximity_place *const places[CLEARANCES])
{
    for (int met = 0; met < 2; met++) {
        proximity_result results[CLEARANCES][QUESTIONS];
        for (int i = 0; i < CLEARANCES; i++) {
            run_side(p, subject, contestant, places[i], clearances[i], met, results[i]);
        }
        for (int i = 0; i < QUESTIONS; i++) {
            print_row(contestant->variant->name, names[met][i], results, i);
        }
    }
}

static void run_shape(proximity *p, const char *shape, size_t triangles, const bench_variants *variants)
{
    const bench_settings *settings = p->series.settings;
    bench_subject subject = bench_subject_create(shape, triangles, settings->seed, variants);
    proximity_place *places[CLEARANCES];
    printf("%s, %zu triangles: microseconds (as many times yes or no); columns: the clearance\n%40s", shape,
           subject.triangle_count, "");
    for (int i = 0; i < CLEARANCES; i++) {
        places[i] = proximity_places(&subject.contestants[0], clearances[i], (size_t)settings->steps, settings->seed);
        printf(" %8g %8s", clearances[i], "");
    }
    putchar('\n');
    for (size_t i = 0; i < subject.count; i++) {
        run_contestant(p, &subject, &subject.contestants[i], places);
    }
    putchar('\n');
    for (int i = 0; i < CLEARANCES; i++) {
        free(places[i]);
    }
    bench_subject_destroy(&subject);
}

void proximity_clearance(proximity *p)
{
    const bench_settings *settings = p->series.settings;
    bench_variants variants = bench_variants_parse("default,kdop,boxtree,rtree");
    for (size_t i = 0; i < settings->shapes.count; i++) {
        for (size_t k = 0; k < settings->sizes.count; k++) {
            run_shape(p, settings->shapes.items[i], (size_t)settings->sizes.items[k], &variants);
        }
    }
    bench_variants_free(&variants);
}
