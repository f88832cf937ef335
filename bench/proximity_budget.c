/* What is known when a budget is spent: how many questions are decided, how far the bounds of the distance are apart,
 * and, for budgets of time, by how much they are exceeded. A larger budget of box tests must never know less. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "proximity.h"
#include "statistics.h"

static const double box_tests[] = {100, 300, 1000, 3000, 10000, 30000, 100000};
static const double times[] = {1, 2, 5, 10, 20, 50, 100, 200, 500};
enum {
    BOX_BUDGETS = sizeof box_tests / sizeof *box_tests,
    TIME_BUDGETS = sizeof times / sizeof *times,
    BUDGETS = BOX_BUDGETS + TIME_BUDGETS
};

/* One way without a budget, those with box tests, those with times. */
static void make_ways(const bench_contestant *contestant, int touching, proximity_way ways[1 + BUDGETS])
{
    for (size_t i = 0; i < 1 + BUDGETS; i++) {
        tumble_distance_options *options = &ways[i].question.distance;
        memset(&ways[i], 0, sizeof ways[i]);
        ways[i].contestant = contestant;
        ways[i].question.name = touching ? "touching" : "distance";
        *options = tumble_default_distance_options();
        if (touching) {
            options->within = options->enough = 0;
        }
        if (i > BOX_BUDGETS) {
            options->budget_microseconds = times[i - 1 - BOX_BUDGETS];
        } else if (i > 0) {
            options->budget_box_tests = (uint64_t)box_tests[i - 1];
        }
    }
}

/* ---- Checks ---- */

/* What is proven must be true: the first answer is that without a budget. */
static int is_true(const proximity_answer *answer, const proximity_answer *truth, int touching)
{
    const double rounding = 1e-13;
    if (touching) {
        return answer->answer == TUMBLE_MAYBE || answer->answer == truth->answer;
    }
    return answer->lower <= truth->distance * (1 + rounding) && answer->upper >= truth->distance * (1 - rounding);
}

static int is_weaker(const proximity_answer *more, const proximity_answer *less)
{
    return more->lower < less->lower || more->upper > less->upper ||
           (more->answer == TUMBLE_MAYBE && less->answer != TUMBLE_MAYBE);
}

static void check(proximity *p, const proximity_scene *scene, const proximity_way *ways,
                  const proximity_answer *answers, int touching)
{
    for (size_t i = 1; i < 1 + BUDGETS; i++) {
        for (size_t k = 0; k < scene->pose_count; k++) {
            const proximity_answer *a = &answers[i * scene->pose_count + k];
            const char *wrong = !is_true(a, &answers[k], touching)                                 ? "is not true"
                                : i > 1 && i <= BOX_BUDGETS && is_weaker(a, a - scene->pose_count) ? "knows less"
                                                                                                   : NULL;
            if (wrong) {
                bench_complain(&p->series, "%s, %s, %s, pose %zu, budget %zu %s: [%.17g, %.17g], answer %d",
                               scene->name, ways[i].contestant->variant->name, ways[i].question.name, k, i, wrong,
                               a->lower, a->upper, (int)a->answer);
                return;
            }
        }
    }
}

/* ---- Tables ---- */

/* The bounds of the distance, as shares of it: medians over the queries at which it is not 0. */
static void find_shares(const proximity_answer *answers, const proximity_answer *truth, size_t count,
                        proximity_note *note)
{
    double *lower = bench_allocate(count, sizeof *lower), *upper = bench_allocate(count, sizeof *upper);
    size_t apart = 0;
    for (size_t i = 0; i < count; i++) {
        if (truth[i].distance > 0) {
            lower[apart] = answers[i].lower / truth[i].distance;
            upper[apart++] = answers[i].upper / truth[i].distance;
        }
    }
    note->lower_share = bench_median(lower, apart);
    note->upper_share = bench_median(upper, apart);
    free(lower);
    free(upper);
}

static void find_overruns(const proximity_answer *answers, size_t count, proximity_note *note)
{
    double *values = bench_allocate(count, sizeof *values);
    for (size_t i = 0; i < count; i++) {
        values[i] = answers[i].overrun;
    }
    note->overrun_median = bench_median(values, count); /* which sorts them */
    note->overrun_99 = values[(size_t)(0.99 * (double)(count - 1))];
    note->overrun_most = values[count - 1];
    free(values);
}

/* `truth`: the answers without a budget. */
static proximity_note note_of(const proximity_way *way, const proximity_answer *answers, const proximity_answer *truth,
                              size_t count)
{
    const double budget = way->question.distance.budget_microseconds;
    proximity_note note = budget > 0 ? proximity_at("microseconds", budget)
                                     : proximity_at("box tests", (double)way->question.distance.budget_box_tests);
    if (way->question.distance.within > 0) {
        find_shares(answers, truth, count, &note);
    }
    if (budget > 0) {
        find_overruns(answers, count, &note);
    }
    return note;
}

/* Numbers that there are, and dashes for the others. */
static void print_numbers(const double *values, size_t count, int width, int decimals)
{
    for (size_t i = 0; i < count; i++) {
        if (isnan(values[i])) {
            printf(" %*s", width, "-");
        } else {
            printf(" %*.*f", width, decimals, values[i]);
        }
    }
}

static void print_row(const proximity_scene *scene, const proximity_way *way, const proximity_result *result,
                      const proximity_note *note)
{
    const double bounds[] = {note->lower_share, note->upper_share},
                 times_over[] = {result->mean_microseconds, note->overrun_median, note->overrun_99, note->overrun_most};
    printf("%-12s %-8s %-8s %12s %8g %6llu %6llu %6llu", scene->name, way->contestant->variant->name,
           way->question.name, note->x > 0 ? note->x_name : "no budget", note->x, (unsigned long long)result->yes,
           (unsigned long long)result->no, (unsigned long long)result->maybe);
    print_numbers(bounds, 2, 7, 3);
    print_numbers(times_over, 4, 9, 2);
    putchar('\n');
    fflush(stdout);
}

static void run_question(proximity *p, const bench_contestant *contestant, const proximity_scene *scene, int touching)
{
    proximity_way ways[1 + BUDGETS];
    proximity_result results[1 + BUDGETS];
    proximity_answer *answers = bench_allocate((1 + BUDGETS) * scene->pose_count, sizeof *answers);
    make_ways(contestant, touching, ways);
    proximity_measure(scene, ways, 1 + BUDGETS, results, answers);
    check(p, scene, ways, answers, touching);
    for (size_t i = 0; i < 1 + BUDGETS; i++) {
        const proximity_note note = note_of(&ways[i], answers + i * scene->pose_count, answers, scene->pose_count);
        print_row(scene, &ways[i], &results[i], &note);
        proximity_write(p, scene, &ways[i], &results[i], &note);
    }
    free(answers);
}

static void run_scene(proximity *p, const bench_subject *subject, const proximity_scene *scene)
{
    for (size_t i = 0; i < subject->count; i++) {
        run_question(p, &subject->contestants[i], scene, 1);
        run_question(p, &subject->contestants[i], scene, 0);
    }
}

/* ---- Scenes ---- */

static void run_demo(proximity *p, const bench_variants *variants)
{
    models_demo demo = proximity_demo(p);
    bench_subject subject = bench_subject_of("demo", &demo.housing, &demo.part, variants);
    const proximity_scene scene = {"demo", demo.path, demo.path_length, (size_t)p->series.settings->repetitions};
    run_scene(p, &subject, &scene);
    bench_subject_destroy(&subject);
    models_free_demo(&demo);
}

/* A sphere within a slightly larger one: hard to the end. */
static void run_nested(proximity *p, const bench_variants *variants)
{
    const size_t count = (size_t)p->series.settings->steps;
    models_random random = {(uint64_t)p->series.settings->seed};
    models_mesh outer = bench_make_mesh("sphere", (size_t)p->series.settings->sizes.items[0], p->series.settings->seed),
                inner = bench_make_mesh("sphere", (size_t)p->series.settings->sizes.items[0], p->series.settings->seed);
    tumble_pose *poses = bench_allocate(count, sizeof *poses);
    models_fit(&inner, 2 * 0.98, 1);
    bench_subject subject = bench_subject_of("nested", &outer, &inner, variants);
    const proximity_scene scene = {"nested", poses, count, (size_t)p->series.settings->repetitions};
    for (size_t i = 0; i < count; i++) {
        poses[i] = models_random_rotation(&random);
    }
    run_scene(p, &subject, &scene);
    free(poses);
    bench_subject_destroy(&subject);
    models_free(&outer);
    models_free(&inner);
}

void proximity_budget(proximity *p)
{
    bench_variants variants = bench_variants_parse("default,kdop");
    printf("%-12s %-8s %-8s %12s %8s %6s %6s %6s %7s %7s %9s %9s %9s %9s\n", "scene", "variant", "question",
           "budget of", "", "yes", "no", "maybe", "lower", "upper", "us", "over 50%", "over 99%", "over max");
    run_demo(p, &variants);
    run_nested(p, &variants);
    bench_variants_free(&variants);
}
