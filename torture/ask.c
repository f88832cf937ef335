#include "ask.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int torture_wrong(torture_stage *s, const char *format, ...)
{
    if (!s->wrong[0]) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(s->wrong, sizeof s->wrong, format, arguments);
        va_end(arguments);
    }
    return 0;
}

/* ---- Models and truths, made when they are first needed ---- */

static const torture_recipe plain_recipe = {.hierarchy = TUMBLE_HIERARCHY_BRUTE, .life = TORTURE_FRESH};

static torture_model *make(torture_stage *s, torture_model *m, int side, const torture_recipe *recipe, uint32_t level)
{
    const char *what;
    if (!m->model) {
        const tumble_status status = torture_make_model(s->world, &s->c->shapes[side], recipe, level, m, &what);
        if (status != TUMBLE_OK) {
            torture_wrong(s, "making model %c (%s, %s) failed: %s", 'A' + side,
                          tumble_hierarchy_name(recipe->hierarchy), what, tumble_status_name(status));
            return NULL;
        }
    }
    return m;
}

const torture_recipe *torture_stage_recipe(const torture_stage *s, const torture_question *q, int side)
{
    return &s->c->recipes[side][q->recipe[side]];
}

const tumble_model *torture_stage_model(torture_stage *s, const torture_question *q, int side)
{
    torture_model *m = &s->models[side][q->recipe[side]];
    m = make(s, m, side, torture_stage_recipe(s, q, side), q->level);
    return m ? m->model : NULL;
}

/* Those of the shape; the triangles of larger polygons are the library's choice. */
static void list_triangles(torture_stage *s, int side)
{
    const torture_shape *shape = &s->c->shapes[side];
    torture_triangles *t = &s->triangles[side];
    tumble_model_info info = {.triangle_count = shape->polygon_count};
    const int simple = torture_only_triangles(shape);
    const torture_model *plain = make(s, &s->plain[side], side, &plain_recipe, 0);
    if (!plain || (!simple && tumble_model_get_info(plain->model, &info) != TUMBLE_OK)) {
        info.triangle_count = 0;
    }
    t->count = info.triangle_count;
    t->corners = calloc(t->count + 1, sizeof *t->corners);
    t->polygons = calloc(t->count + 1, sizeof *t->polygons);
    if (!t->corners || !t->polygons) {
        abort();
    }
    for (size_t i = 0; i < t->count; i++) {
        if (simple) {
            memcpy(t->corners[i], shape->corners[3 * i], sizeof t->corners[i]);
            t->polygons[i] = (uint32_t)i;
        } else if (tumble_model_triangle(plain->model, (uint32_t)i, t->corners[i], &t->polygons[i]) != TUMBLE_OK) {
            torture_wrong(s, "triangle %zu cannot be read", i);
        }
    }
}

torture_truth *torture_stage_truth(torture_stage *s, size_t pose)
{
    if (!s->truths[pose]) {
        tumble_status *status = &s->pose_status[pose];
        s->truths[pose] = torture_truth_create(s->world->oracle, s->c, pose, s->triangles);
        *status = TUMBLE_OK;
        for (int side = 0; side < 2 && *status == TUMBLE_OK; side++) {
            if (s->c->has_pose[pose][side]) {
                *status = tumble_pose_check(s->world->contexts[0], &s->c->poses[pose][side]);
            }
        }
    }
    return s->truths[pose];
}

void torture_stage_begin(torture_stage *s, torture_world *world, torture_case *c, torture_tally *tally)
{
    memset(s, 0, sizeof *s);
    s->world = world;
    s->c = c;
    s->tally = tally;
    for (int i = 0; i < TORTURE_LEVELS; i++) {
        if (tumble_query_create(s->world->contexts[i], &s->queries[i]) != TUMBLE_OK) {
            abort();
        }
    }
    list_triangles(s, 0);
    list_triangles(s, 1);
}

void torture_stage_end(torture_stage *s)
{
    for (int i = 0; i < TORTURE_LEVELS; i++) {
        tumble_query_destroy(s->queries[i]);
    }
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < TORTURE_RECIPES; i++) {
            torture_free_model(&s->models[side][i]);
        }
        torture_free_model(&s->plain[side]);
        free(s->triangles[side].corners);
        free(s->triangles[side].polygons);
    }
    for (size_t i = 0; i < TORTURE_POSES; i++) {
        torture_truth_destroy(s->truths[i]);
        free(s->contacts[i]);
    }
    free(s->self_kinds[0]);
    free(s->self_kinds[1]);
}

/* ---- What the questions share ---- */

double torture_limit_value(torture_stage *s, const torture_question *q, torture_limit *limit)
{
    if (!limit->is_known) {
        torture_truth *t = torture_stage_truth(s, q->pose);
        const size_t a = torture_truth_triangles(t, 0)->count, b = torture_truth_triangles(t, 1)->count;
        double value = 1;
        if (a && b && torture_truth_reach(t).b_into_a == 1) {
            value = torture_truth_approximate(t, limit->triangle_a % a, limit->triangle_b % b);
        }
        value = fmin(value, DBL_MAX);
        limit->value = fmax(0, test_step_ulps(isfinite(value) ? value : 1, limit->steps));
        limit->is_known = 1;
    }
    return limit->value;
}

/* Rounded once, to the digits of a double. */
long double torture_limit_in_a(torture_stage *s, const torture_question *q, double value)
{
    const double scale = torture_truth_scale(torture_stage_truth(s, q->pose));
    if (value == 0 || isinf(value)) {
        return value;
    }
    int above, below;
    const double mantissa = frexp(value, &above) / frexp(scale, &below);
    return ldexpl(mantissa, above - below);
}

int torture_check_status(torture_stage *s, const torture_question *q, tumble_status status, int outward, int b_outward)
{
    const torture_reach reach = torture_truth_reach(torture_stage_truth(s, q->pose));
    tumble_status expected = s->pose_status[q->pose];
    int either = 0;
    if (expected == TUMBLE_OK) {
        const int judged[] = {reach.b_into_a, outward ? reach.a_out : 1, b_outward == 1 ? reach.b_out : 1};
        either = b_outward < 0 && reach.b_out != 1;
        for (int i = 0; i < 3; i++) {
            expected = judged[i] == 0 ? TUMBLE_ERROR_NOT_FINITE : expected;
            either |= judged[i] < 0;
        }
    }
    if (either && (status == TUMBLE_OK || status == TUMBLE_ERROR_NOT_FINITE)) {
        return status == TUMBLE_OK && expected == TUMBLE_OK;
    }
    if (status != expected) {
        char text[256] = "";
        (void)tumble_query_error(s->queries[q->level], text, sizeof text);
        return torture_wrong(s, "%s instead of %s%s%s", tumble_status_name(status), tumble_status_name(expected),
                             status == TUMBLE_OK ? "" : ": ", status == TUMBLE_OK ? "" : text);
    }
    s->tally->errors += status != TUMBLE_OK;
    return status == TUMBLE_OK;
}

size_t torture_find_pair(const tumble_pair *pairs, size_t count, tumble_pair wanted)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const tumble_pair *at = &pairs[middle];
        const int before =
            at->polygon_a < wanted.polygon_a || (at->polygon_a == wanted.polygon_a && at->polygon_b < wanted.polygon_b);
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    const int there =
        low < count && pairs[low].polygon_a == wanted.polygon_a && pairs[low].polygon_b == wanted.polygon_b;
    return there ? low : count;
}

typedef struct thread_job {
    torture_stage *stage;
    const torture_question *question;
    torture_asker *ask;
    tumble_query *query;
    const tumble_model *a, *b;
    void *reply;
} thread_job;

static void *run_job(void *data)
{
    const thread_job *job = data;
    job->ask(job->stage, job->question, job->query, job->a, job->b, job->reply);
    return NULL;
}

static void run_together(thread_job jobs[TORTURE_THREADS], uint32_t count)
{
    pthread_t handles[TORTURE_THREADS];
    for (uint32_t i = 0; i < count; i++) {
        if (pthread_create(&handles[i], NULL, run_job, &jobs[i]) != 0) {
            abort();
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        pthread_join(handles[i], NULL);
    }
}

int torture_ask_on_threads(torture_stage *s, const torture_question *q, torture_asker *ask, void *replies, size_t size)
{
    const tumble_model *a = torture_stage_model(s, q, 0), *b = torture_stage_model(s, q, 1);
    thread_job jobs[TORTURE_THREADS];
    if (!a || !b) {
        return 0;
    }
    if (q->threads == 1) {
        ask(s, q, s->queries[q->level], a, b, replies);
        return 1;
    }
    for (uint32_t i = 0; i < q->threads; i++) {
        jobs[i] = (thread_job){s, q, ask, NULL, a, b, (char *)replies + i * size};
        if (tumble_query_create(s->world->contexts[q->level], &jobs[i].query) != TUMBLE_OK) {
            abort();
        }
    }
    run_together(jobs, q->threads);
    for (uint32_t i = 0; i < q->threads; i++) {
        tumble_query_destroy(jobs[i].query);
    }
    s->batch = q->threads - 1;
    return 1;
}

/* ---- All questions ---- */

static int ask(torture_stage *s, torture_question *q)
{
    static int (*const functions[TORTURE_KINDS])(torture_stage * s, torture_question * q) = {
        [TORTURE_ASK_COLLIDE] = torture_ask_collide,
        [TORTURE_ASK_CLEARANCE] = torture_ask_collide,
        [TORTURE_ASK_DISTANCE] = torture_ask_distance,
        [TORTURE_ASK_WITHIN] = torture_ask_distance,
        [TORTURE_ASK_COHERENT] = torture_ask_distance,
        [TORTURE_ASK_BUDGET] = torture_ask_distance,
        [TORTURE_ASK_NEAR_LIST] = torture_ask_distance,
        [TORTURE_ASK_RELATE] = torture_ask_relate,
        [TORTURE_ASK_FACTS] = torture_ask_facts,
        [TORTURE_ASK_POOL] = torture_ask_batch,
        [TORTURE_ASK_OPENCL] = torture_ask_batch,
        [TORTURE_ASK_COL] = torture_ask_col,
        [TORTURE_ASK_RAY] = torture_ask_ray,
        [TORTURE_ASK_INSIDE] = torture_ask_inside,
        [TORTURE_ASK_CLOSEST] = torture_ask_closest,
        [TORTURE_ASK_OVERLAP] = torture_ask_overlap,
        [TORTURE_ASK_SELF] = torture_ask_self,
        [TORTURE_ASK_RADIUS] = torture_ask_radius};
    s->batch = 0;
    const int right = functions[q->kind](s, q);
    return right && !s->wrong[0];
}

static size_t column_of(const torture_stage *s, const torture_question *q)
{
    static const int columns[] = {
        [TUMBLE_HIERARCHY_AUTO] = 0, [TUMBLE_HIERARCHY_WIDE] = 0,  [TUMBLE_HIERARCHY_BOXTREE] = 1,
        [TUMBLE_HIERARCHY_KDOP] = 2, [TUMBLE_HIERARCHY_RTREE] = 3, [TUMBLE_HIERARCHY_BRUTE] = 4};
    const int a = columns[torture_stage_recipe(s, q, 0)->hierarchy],
              b = columns[torture_stage_recipe(s, q, 1)->hierarchy];
    const int is_one = q->kind == TORTURE_ASK_COL || (q->kind >= TORTURE_ASK_FACTS && q->kind <= TORTURE_ASK_SELF);
    return a == b || is_one ? (size_t)a : TORTURE_COLUMNS - 1; /* of one: A's */
}

static double thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void torture_ask_all(torture_world *world, torture_case *c, torture_tally *tally, torture_failure *failure)
{
    torture_stage stage;
    memset(failure, 0, sizeof *failure);
    torture_stage_begin(&stage, world, c, tally);
    for (size_t i = 0; i < c->question_count; i++) {
        torture_question *q = &c->questions[i];
        world->asking = i;
        const double start = thread_seconds();
        const int right = ask(&stage, q);
        tally->seconds[q->kind] += thread_seconds() - start;
        tally->checks[q->kind][column_of(&stage, q)] += 1 + stage.batch;
        if (!right) {
            *failure = (torture_failure){.is_failure = 1, .question = i, .kind = q->kind};
            snprintf(failure->text, sizeof failure->text, "%s",
                     stage.wrong[0] ? stage.wrong : "an answer is wrong, and the check does not say how");
            break;
        }
    }
    torture_stage_end(&stage);
}
