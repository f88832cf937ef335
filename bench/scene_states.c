/* States of scenes: how many configurations of an arm are checked per second, free ones and colliding ones. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "machine.h"
#include "models.h"
#include "scene.h"
#include "statistics.h"

/* Links with so many triangles each, or with all three numbers in turn. */
static const size_t triangle_counts[] = {30, 500, 5000, 0};
static const size_t link_counts[] = {10, 20, 30};
#define COUNT(array) (sizeof(array) / sizeof *(array))
#define LINKS_MOST 30

typedef struct arm {
    tumble_context *context;
    tumble_query *query;
    tumble_scene *scene;
    tumble_model *models[COUNT(triangle_counts)];
    tumble_object ids[LINKS_MOST];
    size_t links, pairs; /* pairs that are looked at */
} arm;

#define LENGTH 0.6 /* of a link */

/* A rounded bar along z, with corners around it and rings along it. */
static void make_link(models_mesh *mesh, size_t triangles)
{
    const uint32_t around = (uint32_t)fmax(5, round(sqrt((double)triangles / 2)));
    const uint32_t rings = (uint32_t)fmax(2, round(((double)triangles / around) / 2));
    const uint32_t bottom = models_point(mesh, 0, 0, -0.1 * LENGTH);
    for (uint32_t r = 0; r < rings; r++) {
        const double z = (double)r / (rings - 1), bulge = 0.12 + 0.03 * cos(6 * z);
        for (uint32_t i = 0; i < around; i++) {
            const double angle = 2 * acos(-1.0) * i / around;
            models_point(mesh, bulge * cos(angle), bulge * sin(angle), z * LENGTH);
        }
    }
    const uint32_t top = models_point(mesh, 0, 0, 1.1 * LENGTH);
    for (uint32_t i = 0; i < around; i++) {
        const uint32_t next = (i + 1) % around;
        models_triangle(mesh, bottom, 1 + next, 1 + i);
        models_triangle(mesh, top, top - around + i, top - around + next);
        for (uint32_t r = 0; r + 1 < rings; r++) {
            const uint32_t at = 1 + r * around;
            models_triangle(mesh, at + i, at + next, at + around + next);
            models_triangle(mesh, at + i, at + around + next, at + around + i);
        }
    }
}

/* Joints turn about z and y by turns; links stand on each other. */
static void pose_arm(const arm *a, double reach, uint64_t *random, tumble_pose *poses)
{
    tumble_pose at = tumble_pose_identity();
    for (size_t i = 0; i < a->links; i++) {
        const double angle = (2 * scene_random(random) - 1) * reach, c = cos(angle), s = sin(angle);
        const tumble_pose turn = i % 2 ? (tumble_pose){{{c, 0, s, 0}, {0, 1, 0, 0}, {-s, 0, c, 0}}}
                                       : (tumble_pose){{{c, -s, 0, 0}, {s, c, 0, 0}, {0, 0, 1, 0}}};
        const tumble_pose along = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, LENGTH}}};
        poses[i] = tumble_pose_compose(&at, &turn);
        at = tumble_pose_compose(&poses[i], &along);
    }
}

static void ask(const arm *a, const tumble_states *states, const tumble_states_question *q,
                tumble_states_answer *answer)
{
    bench_require(tumble_scene_states(a->query, a->scene, states, q, answer), a->context, "states");
}

/* Neighbours are not compared, nor are pairs that never touch in many random states. */
static void disable_pairs(arm *a, double reach)
{
    enum {
        SAMPLES = 1000
    };
    uint64_t random = 77;
    uint8_t touches[LINKS_MOST][LINKS_MOST] = {{0}};
    for (size_t n = 0; n < SAMPLES; n++) {
        tumble_pose poses[LINKS_MOST];
        tumble_scene_answer answer;
        pose_arm(a, reach, &random, poses);
        bench_require(tumble_scene_move(a->scene, a->ids, poses, a->links), a->context, "a move");
        bench_require(tumble_scene_collide(a->query, a->scene, NULL, &answer), a->context, "an answer");
        for (uint64_t i = 0; i < answer.meeting_count; i++) {
            touches[answer.meetings[i].a.index][answer.meetings[i].b.index] = 1;
        }
    }
    for (size_t i = 0; i < a->links; i++) {
        for (size_t k = i + 1; k < a->links; k++) {
            const tumble_object_pair pair = {a->ids[i], a->ids[k]};
            const int is_disabled = k == i + 1 || !touches[a->ids[i].index][a->ids[k].index];
            bench_require(tumble_scene_ignore(a->scene, &pair, 1, is_disabled), a->context, "a pair");
            a->pairs += !is_disabled;
        }
    }
}

static void open_arm(arm *a, size_t links, size_t triangles, uint32_t threads, double reach)
{
    tumble_context_options options = tumble_default_context_options();
    tumble_part parts[LINKS_MOST];
    *a = (arm){.links = links};
    options.thread_count = threads;
    bench_require(tumble_context_create(&options, &a->context), NULL, "a context");
    bench_require(tumble_scene_create(a->context, NULL, &a->scene), a->context, "a scene");
    bench_require(tumble_query_create(a->context, &a->query), a->context, "a query");
    for (size_t i = 0; i < links; i++) {
        const size_t kind = triangles ? 0 : i % 3;
        if (!a->models[kind]) {
            models_mesh mesh = {0};
            make_link(&mesh, triangles ? triangles : triangle_counts[kind]);
            const tumble_mesh view = models_view(&mesh);
            bench_require(tumble_model_create(a->context, &view, NULL, &a->models[kind]), a->context, "a link");
            models_free(&mesh);
        }
        parts[i] = tumble_default_part();
        parts[i].model = a->models[kind];
    }
    bench_require(tumble_scene_add(a->scene, parts, links, a->ids), a->context, "links");
    for (size_t i = 0; i + 1 < links; i++) {
        const tumble_object_pair pair = {a->ids[i], a->ids[i + 1]};
        bench_require(tumble_scene_ignore(a->scene, &pair, 1, true), a->context, "neighbours");
    }
    disable_pairs(a, reach);
}

static void close_arm(arm *a)
{
    tumble_scene_destroy(a->scene);
    tumble_query_destroy(a->query);
    for (size_t i = 0; i < COUNT(triangle_counts); i++) {
        tumble_model_destroy(a->models[i]);
    }
    tumble_context_destroy(a->context);
}

/* As many states of one kind as are wanted, by drawing until there are. */
static size_t draw_states(const arm *a, double reach, int touching, size_t wanted, tumble_pose *poses)
{
    uint64_t random = 5;
    size_t count = 0;
    for (size_t tries = 0; count < wanted && tries < 30 * wanted; tries++) {
        tumble_states_answer answer;
        const tumble_states one = {a->ids, a->links, poses + count * a->links, 0, 1};
        pose_arm(a, reach, &random, poses + count * a->links);
        ask(a, &one, NULL, &answer);
        count += answer.touch[0] == touching;
    }
    return count;
}

static void check_answer(bench_series *series, const tumble_states_answer *answer, int touching)
{
    if (answer->touch_count != (touching ? answer->state_count : 0)) {
        bench_complain(series, "%zu of %zu states touch", answer->touch_count, answer->state_count);
    }
}

/* Thousands of states per second: the median of several batches. */
static double measure(bench_series *series, const arm *a, const tumble_states *states, tumble_states_mode mode,
                      uint32_t threads, int touching)
{
    enum {
        TIMES = 5
    };
    double rates[TIMES];
    tumble_states_question q = tumble_default_states_question();
    tumble_states_answer answer;
    q.mode = mode;
    for (int i = -1; i < TIMES; i++) { /* the first one warms up */
        const double start = scene_clock(threads);
        ask(a, states, &q, &answer);
        const double spent = scene_clock(threads) - start;
        if (mode != TUMBLE_STATES_NEAREST) {
            check_answer(series, &answer, touching);
        }
        if (i >= 0) {
            rates[i] = 1000 * (double)states->state_count / spent;
        }
    }
    return bench_median(rates, TIMES);
}

static void measure_arm(bench_series *series, size_t links, size_t triangles, uint32_t threads)
{
    const size_t wanted = series->settings->quick ? 100 : 2000;
    const double reach = 2.5; /* radians */
    arm a;
    open_arm(&a, links, triangles, threads, reach);
    tumble_pose *poses = bench_allocate(wanted * links, sizeof *poses);
    for (int touching = 0; touching < 2; touching++) {
        const size_t count = draw_states(&a, reach, touching, wanted, poses);
        static const char *const modes[] = {"test", "first", "nearest"};
        for (int mode = 0; count > 0 && mode <= (touching ? 1 : 2); mode++) {
            const size_t number = mode == TUMBLE_STATES_NEAREST && count > 100 ? 100 : count;
            const tumble_states states = {a.ids, links, poses, 0, number};
            const double rate = measure(series, &a, &states, (tumble_states_mode)mode, threads, touching);
            scene_row row = scene_row_empty();
            row.law = touching ? "colliding" : "free";
            row.method = modes[mode];
            row.objects = links;
            row.threads = threads;
            row.pairs = a.pairs;
            row.step = triangles;
            row.kilostates = rate;
            scene_write(series, &row);
            fflush(stdout);
            printf("%5zu  %9zu  %5zu  %-9s  %-7s  %7zu  %10.1f  %8.0f\n", links, triangles, a.pairs, row.law,
                   row.method, number, rate, 1e6 / rate);
        }
    }
    free(poses);
    close_arm(&a);
}

void scene_states(bench_series *series)
{
    const bench_settings *settings = series->settings;
    const uint32_t threads = settings->threads.count ? (uint32_t)settings->threads.items[0] : 1;
    puts("an arm of links, of which neighbours and pairs that never touch are not compared; links of so many "
         "triangles,\n"
         "or (0) of 30, 500 and 5,000 by turns; thousands of random states per second, medians of five batches\n");
    printf("%5s  %9s  %5s  %-9s  %-7s  %7s  %10s  %8s\n", "links", "triangles", "pairs", "states", "mode", "number",
           "1,000 / s", "ns each");
    for (size_t l = 0; l < COUNT(link_counts); l++) {
        for (size_t t = 0; t < COUNT(triangle_counts); t++) {
            measure_arm(series, link_counts[l], triangle_counts[t], threads);
        }
    }
}
