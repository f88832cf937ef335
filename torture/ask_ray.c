/* tumble_ray, tumble_rays and tumble_inside, against the truth. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "single.h"

/* ---- The truth about rays ---- */

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory) {
        abort();
    }
    return memory;
}

static int side_rank(tumble_side side)
{
    return side == TUMBLE_SIDE_FRONT ? 0 : side == TUMBLE_SIDE_BACK ? 1 : 2;
}

static torture_hit *find_hit(torture_hit *hits, size_t count, uint32_t polygon)
{
    for (size_t i = 0; i < count; i++) {
        if (hits[i].polygon == polygon) {
            return &hits[i];
        }
    }
    return NULL;
}

static int compare_hits(const void *x, const void *y)
{
    const torture_hit *p = x, *q = y;
    const int order = mpq_cmp(p->t, q->t);
    return order ? order : (p->polygon > q->polygon) - (p->polygon < q->polygon);
}

/* A hit of one of a polygon's triangles. */
static void take_hit(torture_hit *hit, mpq_srcptr t, tumble_side side)
{
    const int order = mpq_cmp(t, hit->t);
    if (order < 0 || (order == 0 && side_rank(side) < side_rank(hit->side))) {
        mpq_set(hit->t, t);
        hit->side = side;
    }
}

torture_hit *torture_true_hits(torture_stage *s, const torture_triangles *triangles, const oracle_ray *ray,
                               size_t *count)
{
    torture_hit *hits = allocate(triangles->count, sizeof *hits);
    mpq_t t;
    mpq_init(t);
    *count = 0;
    for (size_t i = 0; i < triangles->count; i++) {
        tumble_side side;
        if (!ray_oracle_meets(s->world->rays, ray, (const double(*)[3])triangles->corners[i], t, &side, NULL)) {
            continue;
        }
        torture_hit *hit = find_hit(hits, *count, triangles->polygons[i]);
        if (!hit) {
            hit = &hits[(*count)++];
            hit->polygon = triangles->polygons[i];
            hit->side = side;
            mpq_init(hit->t);
            mpq_set(hit->t, t);
        }
        take_hit(hit, t, side);
    }
    mpq_clear(t);
    qsort(hits, *count, sizeof *hits, compare_hits);
    return hits;
}

void torture_free_hits(torture_hit *hits, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        mpq_clear(hits[i].t);
    }
    free(hits);
}

/* ---- Rays ---- */

static int is_zero(const double v[3])
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

/* The rays in the model's frame. Which status has to be; -1: one of the errors. */
static int move_rays(const torture_question *q, const torture_single *a, oracle_ray *rays)
{
    int status = (int)a->status;
    for (uint32_t i = 0; i < q->place_count && status == TUMBLE_OK; i++) {
        rays[i].t0 = q->range[0], rays[i].t1 = q->range[1];
        const int is_finite = torture_into_model(a, q->places[i], 0, rays[i].origin) &
                              torture_into_model(a, q->ways[i], 1, rays[i].direction);
        status = is_zero(q->ways[i])          ? TUMBLE_ERROR_ARGUMENT
                 : !is_finite                 ? TUMBLE_ERROR_NOT_FINITE
                 : is_zero(rays[i].direction) ? -1
                                              : TUMBLE_OK;
    }
    return status;
}

typedef struct ray_reply {
    tumble_status status;
    tumble_ray_result result;
    tumble_ray_hit hits[TORTURE_PLACES];
    uint64_t counts[TORTURE_PLACES];
} ray_reply;

static ray_reply ask_rays(torture_stage *s, const torture_question *q, const torture_single *a)
{
    ray_reply r = {.result = {.hit_count = 0}};
    tumble_ray_options options = tumble_default_ray_options();
    options.mode = q->mode;
    options.t0 = q->range[0], options.t1 = q->range[1];
    options.thread_count = q->threads;
    if (q->place_count == 1 && !q->is_batch) {
        options.hits = r.hits;
        options.hit_capacity = q->has_array ? 1 : 0;
        r.status = tumble_ray(s->queries[q->level], a->model, a->pose, q->places[0], q->ways[0], &options, &r.result);
        r.hits[0] = r.result.first;
        r.counts[0] = r.result.hit_count;
        return r;
    }
    tumble_ray_batch batch = tumble_default_ray_batch();
    batch.count = q->place_count;
    batch.origins = q->places[0], batch.directions = q->ways[0];
    batch.hits = r.hits, batch.hit_counts = r.counts;
    r.status = tumble_rays(s->queries[q->level], a->model, a->pose, &batch, &options, &r.result);
    return r;
}

/* In the frame of the pose, off by some roundings of its parts. */
static int is_on_ray(const torture_question *q, size_t ray, const tumble_ray_hit *hit)
{
    for (int k = 0; k < 3; k++) {
        const long double from = q->places[ray][k], way = (long double)hit->t * q->ways[ray][k];
        const long double size = fabsl(from) + fabsl(way);
        if (size < DBL_MAX / 2 && !(fabsl(from + way - hit->point[k]) <= 8 * (0x1p-53L * size + 0x1p-1074L))) {
            return 0;
        }
    }
    return 1;
}

static int check_hit(torture_stage *s, const torture_question *q, const torture_single *a, size_t ray,
                     const tumble_ray_hit *found, const torture_hit *truth)
{
    const uint32_t polygon = torture_shape_polygon(a->recipe, found->polygon);
    if (polygon != truth->polygon || found->side != truth->side || !ray_oracle_is_rounded(found->t, truth->t)) {
        return torture_wrong(s, "ray %zu hits %u at %.17g on side %d instead of %u at %.17g on side %d", ray, polygon,
                             found->t, found->side, truth->polygon, mpq_get_d(truth->t), truth->side);
    }
    return is_on_ray(q, ray, found) || torture_wrong(s, "the hit of ray %zu is at a wrong point", ray);
}

/* `first`: where its hits start in the list of all. */
static int check_ray(torture_stage *s, const torture_question *q, const torture_single *a, const ray_reply *r,
                     size_t ray, size_t first, const torture_hit *truth, size_t count)
{
    const int one = q->mode == TUMBLE_TEST || q->mode == TUMBLE_FIRST;
    const uint64_t expected = one ? count > 0 : count;
    if (r->counts[ray] != expected) {
        return torture_wrong(s, "ray %zu has %llu hits instead of %llu", ray, (unsigned long long)r->counts[ray],
                             (unsigned long long)expected);
    }
    const int has_first = (q->mode == TUMBLE_FIRST || q->mode == TUMBLE_ALL) && count > 0;
    if (has_first ? !check_hit(s, q, a, ray, &r->hits[ray], &truth[0])
                  : count == 0 && r->hits[ray].polygon != TUMBLE_NO_POLYGON) {
        return torture_wrong(s, "ray %zu hits something", ray);
    }
    for (size_t i = 0; i < count && q->mode == TUMBLE_ALL; i++) {
        if (!check_hit(s, q, a, ray, &r->result.hits[first + i], &truth[i])) {
            return 0;
        }
    }
    return 1;
}

int torture_ask_ray(torture_stage *s, torture_question *q)
{
    torture_single a;
    oracle_ray rays[TORTURE_PLACES];
    if (!torture_single_begin(s, q, &a)) {
        return 0;
    }
    const int expected = move_rays(q, &a, rays);
    const ray_reply r = ask_rays(s, q, &a);
    if (expected < 0 && r.status != TUMBLE_OK) {
        return 1;
    }
    if (!torture_single_status(s, q, r.status, (tumble_status)expected)) {
        return !s->wrong[0];
    }
    size_t all = 0;
    int right = 1;
    for (size_t i = 0; i < q->place_count && right; i++) {
        size_t count;
        torture_hit *truth = torture_true_hits(s, a.triangles, &rays[i], &count);
        right = check_ray(s, q, &a, &r, i, all, truth, count);
        all += count;
        torture_free_hits(truth, count);
    }
    s->batch = q->place_count - 1;
    const uint64_t sum = q->mode >= TUMBLE_COUNT ? all : r.result.hit_count;
    return right && (r.result.hit_count == sum || torture_wrong(s, "the hits of all rays are counted wrong")) &&
           (r.result.hit == (all > 0) || torture_wrong(s, "`hit` is %d", r.result.hit));
}

/* ---- Points inside ---- */

static int same_point(const double x[3], const double y[3])
{
    return x[0] == y[0] && x[1] == y[1] && x[2] == y[2];
}

static int has_equal_corners(const double t[3][3])
{
    return same_point(t[0], t[1]) || same_point(t[1], t[2]) || same_point(t[2], t[0]);
}

/* How many more triangles run along an edge in its direction than against it. */
static int edge_balance(const torture_triangles *t, const double from[3], const double to[3])
{
    int balance = 0;
    for (size_t i = 0; i < t->count; i++) {
        const double(*c)[3] = (const double(*)[3])t->corners[i];
        for (int k = 0; k < 3 && !has_equal_corners(c); k++) {
            balance += same_point(c[k], from) && same_point(c[(k + 1) % 3], to);
            balance -= same_point(c[k], to) && same_point(c[(k + 1) % 3], from);
        }
    }
    return balance;
}

/* Each edge has as many triangles in one direction as in the other, and there are some. Triangles with two equal
 * corners do not count. */
static int is_wound(const torture_triangles *t)
{
    size_t edges = 0;
    for (size_t i = 0; i < t->count; i++) {
        const double(*c)[3] = (const double(*)[3])t->corners[i];
        for (int k = 0; k < 3 && !has_equal_corners(c); k++) {
            edges++;
            if (edge_balance(t, c[k], c[(k + 1) % 3]) != 0) {
                return 0;
            }
        }
    }
    return edges > 0;
}

static uint32_t find_holder(torture_stage *s, const torture_triangles *t, const double point[3])
{
    oracle_ray ray = {.direction = {1, 0, 0}, .t0 = 0, .t1 = 0};
    memcpy(ray.origin, point, sizeof ray.origin);
    size_t count;
    torture_hit *hits = torture_true_hits(s, t, &ray, &count);
    const uint32_t polygon = count > 0 ? hits[0].polygon : TUMBLE_NO_POLYGON;
    torture_free_hits(hits, count);
    return polygon;
}

tumble_inside_answer torture_true_place(torture_stage *s, const torture_triangles *t, const double point[3],
                                        tumble_inside_rule rule)
{
    const uint32_t holder = find_holder(s, t, point);
    const int closed = rule == TUMBLE_INSIDE_WINDING ? is_wound(t) : torture_is_closed(t, 0);
    if (holder != TUMBLE_NO_POLYGON || !closed) {
        return (tumble_inside_answer){
            .polygon = holder, .place = holder != TUMBLE_NO_POLYGON ? TUMBLE_PLACE_ON_SURFACE : TUMBLE_PLACE_UNDEFINED};
    }
    uint32_t *indices = allocate(3 * t->count, sizeof *indices);
    for (uint32_t i = 0; i < 3 * t->count; i++) {
        indices[i] = i;
    }
    const models_mesh mesh = {.points = t->corners[0][0], .indices = indices, .index_count = 3 * t->count};
    const tumble_inside_answer answer = ray_oracle_inside(s->world->rays, &mesh, point, rule);
    free(indices);
    return answer;
}

int torture_ask_inside(torture_stage *s, torture_question *q)
{
    torture_single a;
    tumble_inside_answer answers[TORTURE_PLACES];
    double points[TORTURE_PLACES][3];
    if (!torture_single_begin(s, q, &a)) {
        return 0;
    }
    tumble_inside_options options = tumble_default_inside_options();
    options.rule = q->by_winding ? TUMBLE_INSIDE_WINDING : TUMBLE_INSIDE_PARITY;
    options.thread_count = q->threads;
    tumble_status expected = a.status;
    for (uint32_t i = 0; i < q->place_count && expected == TUMBLE_OK; i++) {
        expected = torture_into_model(&a, q->places[i], 0, points[i]) ? TUMBLE_OK : TUMBLE_ERROR_NOT_FINITE;
    }
    const tumble_status status =
        tumble_inside(s->queries[q->level], a.model, a.pose, q->places[0], q->place_count, &options, answers, NULL);
    if (!torture_single_status(s, q, status, expected)) {
        return !s->wrong[0];
    }
    for (uint32_t i = 0; i < q->place_count; i++) {
        const tumble_inside_answer truth = torture_true_place(s, a.triangles, points[i], options.rule);
        const uint32_t polygon = torture_shape_polygon(a.recipe, answers[i].polygon);
        const int has_polygon = truth.place == TUMBLE_PLACE_ON_SURFACE;
        if (answers[i].place != truth.place || answers[i].winding != truth.winding ||
            (has_polygon ? polygon != truth.polygon : answers[i].polygon != TUMBLE_NO_POLYGON)) {
            return torture_wrong(s, "point %u is %s (winding %d, polygon %u) instead of %s (%d, %u)", i,
                                 tumble_place_name(answers[i].place), answers[i].winding, polygon,
                                 tumble_place_name(truth.place), truth.winding, truth.polygon);
        }
    }
    s->batch = q->place_count - 1;
    return 1;
}
