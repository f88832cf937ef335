/* Validates a caller's mesh and computes its bounds on the way. */
#include "tree/mesh_validate.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/tasks.h"
#include "tree/boxtree/boxtree.h"

static tumble_status check_arrays(tumble_context *context, const tumble_mesh *mesh)
{
    if (mesh->points && mesh->points_float) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "mesh: both points and points_float are given");
    }
    if (mesh->point_count && !mesh->points && !mesh->points_float) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "mesh: %zu points are announced but none are given",
                        mesh->point_count);
    }
    if (mesh->index_count && !mesh->indices) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "mesh: %zu indices are announced but none are given",
                        mesh->index_count);
    }
    const size_t coordinate = mesh->points_float ? sizeof(float) : sizeof(double);
    const uintptr_t address = (uintptr_t)(mesh->points_float ? (const void *)mesh->points_float : mesh->points);
    if (tmb_mesh_stride(mesh) < 3 * coordinate || tmb_mesh_stride(mesh) % coordinate != 0 ||
        address % coordinate != 0) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT,
                        "mesh: the stride of %zu bytes or the address of the points does not suit their type",
                        mesh->point_stride);
    }
    if (mesh->point_count > SIZE_MAX / tmb_mesh_stride(mesh)) {
        return tmb_fail(context, TUMBLE_ERROR_TOO_LARGE, "mesh: %zu points of %zu bytes do not fit into memory",
                        mesh->point_count, tmb_mesh_stride(mesh));
    }
    if (mesh->point_count > UINT32_MAX) {
        return tmb_fail(context, TUMBLE_ERROR_TOO_LARGE, "mesh: %zu points are more than 32-bit indices can count",
                        mesh->point_count);
    }
    return TUMBLE_OK;
}

static tumble_status check_sizes(tumble_context *context, const tumble_mesh *mesh, tmb_mesh_facts *facts)
{
    if (!mesh->polygon_sizes) {
        const size_t count = mesh->index_count / 3;
        if (mesh->index_count % 3 != 0 || (mesh->polygon_count && mesh->polygon_count != count)) {
            return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "mesh: %zu indices do not make %zu triangles",
                            mesh->index_count, mesh->polygon_count ? mesh->polygon_count : count);
        }
        facts->polygon_count = facts->triangle_count = count;
    } else {
        size_t corners = 0;
        for (size_t i = 0; i < mesh->polygon_count; i++) {
            if (mesh->polygon_sizes[i] < 3) {
                return tmb_fail(context, TUMBLE_ERROR_POLYGON, "polygon %zu has %u corners, at least 3 are needed", i,
                                mesh->polygon_sizes[i]);
            }
            if (__builtin_add_overflow(corners, mesh->polygon_sizes[i], &corners) || corners > mesh->index_count) {
                return tmb_fail(context, TUMBLE_ERROR_INDEX, "polygon %zu ends beyond the last of %zu indices", i,
                                mesh->index_count);
            }
        }
        if (corners != mesh->index_count) {
            return tmb_fail(context, TUMBLE_ERROR_ARGUMENT,
                            "mesh: the polygons have %zu corners but there are %zu indices", corners,
                            mesh->index_count);
        }
        facts->polygon_count = mesh->polygon_count;
        facts->triangle_count = corners - 2 * mesh->polygon_count;
    }
    if (facts->triangle_count > TMB_MOST_TRIANGLES) {
        return tmb_fail(context, TUMBLE_ERROR_TOO_LARGE, "mesh: %zu triangles, a model holds at most %zu",
                        facts->triangle_count, TMB_MOST_TRIANGLES);
    }
    return TUMBLE_OK;
}

static tumble_status name_bad_index(tumble_context *context, const tumble_mesh *mesh)
{
    size_t bad = 0;
    while (mesh->indices[bad] < mesh->point_count) {
        bad++;
    }
    size_t polygon = bad / 3, corner = bad % 3;
    if (mesh->polygon_sizes) {
        corner = bad;
        for (polygon = 0; corner >= mesh->polygon_sizes[polygon]; polygon++) {
            corner -= mesh->polygon_sizes[polygon];
        }
    }
    return tmb_fail(context, TUMBLE_ERROR_INDEX, "polygon %zu, corner %zu: there is no point %u, only %zu points",
                    polygon, corner, mesh->indices[bad], mesh->point_count);
}

static tumble_status name_bad_point(tumble_context *context, const tumble_mesh *mesh)
{
    for (size_t i = 0; i < mesh->point_count; i++) {
        double p[3];
        tmb_mesh_point(mesh, i, p);
        for (int k = 0; k < 3; k++) {
            if (!isfinite(p[k])) {
                return tmb_fail(context, TUMBLE_ERROR_NOT_FINITE, "point %zu: its %c is %g", i, "xyz"[k], p[k]);
            }
        }
    }
    return TUMBLE_OK;
}

/* ---- A hash of the indices ---- */

#define GRAIN 16384

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

static inline void absorb(uint64_t chains[4], const uint64_t words[4])
{
    for (int i = 0; i < 4; i++) {
        const uint64_t product = (chains[i] ^ words[i]) * 0x9e3779b97f4a7c15u;
        chains[i] = product << 29 | product >> 35;
    }
}

/* Of run `number` of an array: four independent chains, so that it runs at the speed of memory. The hash of an array is
 * the sum over its runs, which threads may add up in any order. */
static uint64_t hash_run(const uint32_t *words, size_t count, uint64_t number)
{
    uint64_t chains[4] = {number, ~number, count, ~(uint64_t)count}, eight[4];
    for (; count >= 8; words += 8, count -= 8) {
        memcpy(eight, words, sizeof eight);
        absorb(chains, eight);
    }
    memset(eight, 0, sizeof eight);
    memcpy(eight, words, count * sizeof *words);
    absorb(chains, eight);
    return mix(mix(mix(mix(chains[0]) ^ chains[1]) ^ chains[2]) ^ chains[3]);
}

/* Sizes count only where they are not all the same, so that there is one hash whether they are given or not. */
static uint64_t hash_sizes(const tumble_mesh *mesh)
{
    uint64_t sum = 0;
    for (size_t i = 0; mesh->index_count != 3 * mesh->polygon_count && i < mesh->polygon_count; i += GRAIN) {
        const size_t left = mesh->polygon_count - i;
        sum += hash_run(mesh->polygon_sizes + i, left < GRAIN ? left : GRAIN, i / GRAIN);
    }
    return sum;
}

/* ---- One pass over the indices, one over the points ---- */

typedef struct survey {
    const tumble_mesh *mesh;
    atomic_uchar *used; /* of each point: whether an index refers to it; NULL: all are */
    atomic_int bad_index;
    pthread_mutex_t lock; /* guards what is below */
    uint64_t hash;        /* of the indices */
    tmb_mesh_facts *facts;
    int is_finite;
} survey;

static void look_at_run(survey *s, size_t run)
{
    const size_t begin = run * GRAIN, left = s->mesh->index_count - begin, count = left < GRAIN ? left : GRAIN;
    const uint32_t *indices = s->mesh->indices + begin;
    uint32_t most = 0;
    for (size_t i = 0; i < count; i++) {
        most = indices[i] > most ? indices[i] : most;
    }
    if (most >= s->mesh->point_count) {
        atomic_store(&s->bad_index, 1);
        return;
    }
    for (size_t i = 0; s->used && i < count; i++) {
        atomic_store_explicit(&s->used[indices[i]], 1, memory_order_relaxed);
    }
    const uint64_t hash = hash_run(indices, count, run);
    pthread_mutex_lock(&s->lock);
    s->facts->point_limit = most >= s->facts->point_limit ? (size_t)most + 1 : s->facts->point_limit;
    s->hash += hash;
    pthread_mutex_unlock(&s->lock);
}

static void look_at_runs(void *shared, size_t begin, size_t end)
{
    for (size_t run = begin; run < end; run++) {
        look_at_run(shared, run);
    }
}

/* Bounds so far, and sums that are 0 as long as everything is valid. */
typedef struct point_sums {
    double lower[3], upper[3];
    double not_finite; /* of x - x, which is 0 or NaN */
    double not_float;  /* of the distances to the nearest float */
    size_t used_count;
} point_sums;

static void join_points(survey *s, const point_sums *sums)
{
    tmb_mesh_facts *facts = s->facts;
    pthread_mutex_lock(&s->lock);
    for (int k = 0; k < 3; k++) {
        facts->lower[k] = sums->lower[k] < facts->lower[k] ? sums->lower[k] : facts->lower[k];
        facts->upper[k] = sums->upper[k] > facts->upper[k] ? sums->upper[k] : facts->upper[k];
    }
    facts->used_count += sums->used_count;
    facts->is_float &= sums->not_float == 0;
    s->is_finite &= sums->not_finite == 0;
    pthread_mutex_unlock(&s->lock);
}

static void look_at_points(void *shared, size_t begin, size_t end)
{
    survey *s = shared;
    const unsigned char *used = (const unsigned char *)s->used; /* no longer written to */
    point_sums sums = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0, 0, 0};
    for (size_t i = begin; i < end; i++) {
        double p[3];
        tmb_mesh_point(s->mesh, i, p);
        sums.not_finite += (p[0] - p[0]) + (p[1] - p[1]) + (p[2] - p[2]);
        if (used && !used[i]) {
            continue;
        }
        sums.used_count++;
        for (int k = 0; k < 3; k++) {
            sums.lower[k] = p[k] < sums.lower[k] ? p[k] : sums.lower[k];
            sums.upper[k] = p[k] > sums.upper[k] ? p[k] : sums.upper[k];
            sums.not_float += fabs((double)(float)p[k] - p[k]);
        }
    }
    join_points(s, &sums);
}

static tumble_status take_survey(tumble_context *context, uint32_t thread_count, survey *s)
{
    const tumble_mesh *mesh = s->mesh;
    const size_t runs = mesh->index_count / GRAIN + (mesh->index_count % GRAIN != 0);
    const uint32_t index_threads = tmb_threads_for(thread_count, runs, 1);
    const uint32_t point_threads = tmb_threads_for(thread_count, mesh->point_count, GRAIN);
    if (!tmb_parallel_for(context, index_threads, runs, 1, look_at_runs, s)) {
        return tmb_fail_memory(context, "the threads that build a model");
    }
    if (atomic_load(&s->bad_index)) {
        return name_bad_index(context, mesh);
    }
    if (!tmb_parallel_for(context, point_threads, mesh->point_count, GRAIN, look_at_points, s)) {
        return tmb_fail_memory(context, "the threads that build a model");
    }
    return s->is_finite ? TUMBLE_OK : name_bad_point(context, mesh);
}

static void begin_facts(tmb_mesh_facts *facts)
{
    for (int k = 0; k < 3; k++) {
        facts->lower[k] = INFINITY;
        facts->upper[k] = -INFINITY;
    }
    facts->used_count = facts->point_limit = 0;
    facts->is_float = 1;
}

static void end_facts(tmb_mesh_facts *facts)
{
    for (int k = 0; k < 3; k++) {
        facts->lower[k] = facts->used_count ? facts->lower[k] + 0.0 : 0;
        facts->upper[k] = facts->used_count ? facts->upper[k] + 0.0 : 0;
    }
}

static tumble_status check_content(tumble_context *context, uint32_t thread_count, const tumble_mesh *mesh,
                                   atomic_uchar *used, tmb_mesh_facts *facts)
{
    survey s = {.mesh = mesh, .used = used, .facts = facts, .is_finite = 1};
    pthread_mutex_init(&s.lock, NULL);
    begin_facts(facts);
    const tumble_status status = take_survey(context, thread_count, &s);
    end_facts(facts);
    facts->topology = mix(hash_sizes(mesh) ^ mix(s.hash));
    pthread_mutex_destroy(&s.lock);
    return status;
}

tumble_status tmb_mesh_validate(tumble_context *context, const tumble_mesh *mesh, size_t *polygon_count)
{
    tmb_mesh_facts facts;
    tumble_status status = check_arrays(context, mesh);
    if (status == TUMBLE_OK) {
        status = check_sizes(context, mesh, &facts);
    }
    if (status == TUMBLE_OK) {
        *polygon_count = facts.polygon_count;
        status = check_content(context, 1, mesh, NULL, &facts);
    }
    return status;
}

tumble_status tmb_mesh_survey_in(tumble_context *context, uint32_t thread_count, const tumble_mesh *mesh,
                                 tmb_buffer *scratch, tmb_mesh_facts *facts)
{
    tumble_status status = check_arrays(context, mesh);
    if (status == TUMBLE_OK) {
        status = check_sizes(context, mesh, facts);
    }
    if (status != TUMBLE_OK) {
        return status;
    }
    if (scratch && !tmb_buffer_reserve(context, scratch, mesh->point_count, sizeof(atomic_uchar), 0)) {
        return tmb_fail_memory(context, "the check of a mesh");
    }
    if (scratch && mesh->point_count) {
        memset(scratch->data, 0, mesh->point_count * sizeof(atomic_uchar));
    }
    return check_content(context, thread_count, mesh, scratch ? scratch->data : NULL, facts);
}

tumble_status tmb_mesh_survey(tumble_context *context, uint32_t thread_count, const tumble_mesh *mesh,
                              tmb_mesh_facts *facts)
{
    tmb_buffer scratch = {0};
    const tumble_status status = tmb_mesh_survey_in(context, thread_count, mesh, &scratch, facts);
    tmb_buffer_release(context, &scratch);
    return status;
}
