/* Batches of checks on devices, and the interface of col.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "tumble/col.h"

enum {
    CHECKS = 64,
    CAPACITY = 64,
    COPIES = 4
};

typedef struct batch_memory {
    tumble_pose poses[2][CHECKS];
    tumble_check_answer answers[CHECKS];
    tumble_pair found[CHECKS][CAPACITY];
    tumble_contact contacts[CHECKS][CAPACITY];
    uint64_t contact_counts[CHECKS];
    tumble_model_pair copies[COPIES], pairs[CHECKS];
} batch_memory;

static uint32_t capacity_of(const torture_question *q)
{
    return q->capacity < CAPACITY ? q->capacity : CAPACITY;
}

static torture_question at_pose(const torture_stage *s, const torture_question *q, uint32_t check)
{
    torture_question one = *q;
    one.pose = (uint32_t)((q->pose + check) % s->c->pose_count);
    return one;
}

/* ---- One answer ---- */

static int check_found(torture_stage *s, const torture_question *q, const tumble_pair *found, uint32_t capacity,
                       const tumble_pair *pairs, size_t count)
{
    const torture_recipe *a = torture_stage_recipe(s, q, 0), *b = torture_stage_recipe(s, q, 1);
    for (size_t i = 0; i < count && i < capacity; i++) {
        const uint32_t x = torture_shape_polygon(a, found[i].polygon_a),
                       y = torture_shape_polygon(b, found[i].polygon_b);
        if (x != pairs[i].polygon_a || y != pairs[i].polygon_b) {
            return torture_wrong(s, "pair %zu is (%u, %u) instead of (%u, %u)", i, x, y, pairs[i].polygon_a,
                                 pairs[i].polygon_b);
        }
    }
    return 1;
}

static int check_first(torture_stage *s, const torture_question *q, const tumble_check_answer *answer,
                       const tumble_pair *pairs, size_t count)
{
    const tumble_pair first = {torture_shape_polygon(torture_stage_recipe(s, q, 0), answer->first.polygon_a),
                               torture_shape_polygon(torture_stage_recipe(s, q, 1), answer->first.polygon_b)};
    const int has_first = q->mode == TUMBLE_FIRST || q->mode == TUMBLE_ALL;
    if (count && has_first && torture_find_pair(pairs, count, first) == count) {
        return torture_wrong(s, "the first pair (%u, %u) is no pair", first.polygon_a, first.polygon_b);
    }
    return 1;
}

static int check_answer(torture_stage *s, const torture_question *q, const batch_memory *m, uint32_t i)
{
    const tumble_check_answer *answer = &m->answers[i];
    const torture_question one = at_pose(s, q, i);
    if (!torture_check_status(s, &one, answer->status, q->want_contacts, 0)) {
        return !s->wrong[0];
    }
    torture_truth *t = torture_stage_truth(s, one.pose);
    size_t count;
    tumble_pair *pairs = torture_truth_pairs(t, 0, &count);
    const int counted = q->mode == TUMBLE_COUNT || q->mode == TUMBLE_ALL;
    int right = 1;
    if (answer->collide != (count > 0)) {
        right = torture_wrong(s, "collide is %d, and %zu pairs meet", answer->collide, count);
    } else if (counted && answer->pair_count != count) {
        right = torture_wrong(s, "pair_count is %llu instead of %zu", (unsigned long long)answer->pair_count, count);
    } else if (q->want_contacts && m->contact_counts[i] != torture_truth_triangle_pairs(t, 0)) {
        right = torture_wrong(s, "%llu contacts", (unsigned long long)m->contact_counts[i]);
    } else {
        right = check_first(s, q, answer, pairs, count) &&
                (q->mode != TUMBLE_ALL || check_found(s, q, m->found[i], capacity_of(q), pairs, count));
    }
    free(pairs);
    if (!right) {
        char text[sizeof s->wrong];
        memcpy(text, s->wrong, sizeof text);
        s->wrong[0] = 0;
        torture_wrong(s, "check %u of the batch: %.400s", i, text);
    }
    return right;
}

/* ---- Devices ---- */

static uint32_t copies_of(const torture_question *q)
{
    return q->copies < 1 ? 1 : q->copies < COPIES ? q->copies : COPIES;
}

static tumble_batch batch_of(const torture_stage *s, const torture_question *q, batch_memory *m)
{
    tumble_batch batch = tumble_default_batch();
    const tumble_pose identity = tumble_pose_identity();
    for (uint32_t i = 0; i < q->checks; i++) {
        const torture_question one = at_pose(s, q, i);
        for (int side = 0; side < 2; side++) {
            const tumble_pose *pose = torture_pose(s->c, one.pose, side);
            m->poses[side][i] = pose ? *pose : identity;
        }
        m->pairs[i] = (tumble_model_pair){m->copies[i % copies_of(q)].a, m->copies[i / 2 % copies_of(q)].b};
    }
    batch.mode = q->mode, batch.on_cpu = q->on_cpu, batch.check_count = q->checks;
    batch.pairs = m->pairs, batch.pair_count = copies_of(q) == 1 ? 1 : q->checks;
    batch.poses_a = m->poses[0], batch.pose_a_count = q->checks;
    batch.poses_b = m->poses[1], batch.pose_b_count = q->checks;
    batch.answers = m->answers;
    if (q->mode == TUMBLE_ALL) {
        batch.found = m->found[0], batch.found_capacity = CAPACITY;
    }
    if (q->want_contacts) {
        batch.contacts = m->contacts[0], batch.contact_capacity = CAPACITY, batch.contact_counts = m->contact_counts;
    }
    return batch;
}

static int run_batch(torture_stage *s, const torture_question *q, tumble_device *device, batch_memory *m)
{
    const tumble_batch batch = batch_of(s, q, m);
    tumble_ticket ticket;
    tumble_status status = tumble_device_submit(device, &batch, INFINITY, &ticket);
    if (status != TUMBLE_OK) {
        return torture_wrong(s, "submitting failed: %s", tumble_status_name(status));
    }
    status = tumble_device_wait(device, ticket, INFINITY, NULL);
    if (status == TUMBLE_ERROR_DEVICE || status == TUMBLE_ERROR_MEMORY || status == TUMBLE_ERROR_CANCELLED) {
        return torture_wrong(s, "the batch failed: %s", tumble_status_name(status));
    }
    for (uint32_t i = 0; i < q->checks; i++) {
        if (!check_answer(s, q, m, i)) {
            return 0;
        }
    }
    s->batch = q->checks - 1;
    return 1;
}

/* With the models on the device; `after` is called before they leave it. */
static int ask_device(torture_stage *s, const torture_question *q, tumble_device *device, batch_memory *m,
                      int (*after)(torture_stage *s, const torture_question *q, batch_memory *m))
{
    const tumble_model *a = torture_stage_model(s, q, 0), *b = torture_stage_model(s, q, 1);
    int right = 1;
    memset(m, 0, sizeof *m);
    for (uint32_t i = 0; i < copies_of(q) && right; i++) {
        if (tumble_device_add_model(device, a, &m->copies[i].a) != TUMBLE_OK ||
            tumble_device_add_model(device, b, &m->copies[i].b) != TUMBLE_OK) {
            right = torture_wrong(s, "a model cannot be added to the device");
        }
    }
    tumble_model_pair copies[COPIES];
    memcpy(copies, m->copies, sizeof copies);
    right = right && run_batch(s, q, device, m) && (!after || after(s, q, m));
    for (uint32_t i = 0; i < copies_of(q); i++) {
        tumble_device_remove_model(copies[i].a);
        tumble_device_remove_model(copies[i].b);
    }
    return right;
}

static int ask_tight(torture_stage *s, const torture_question *q, batch_memory *m)
{
    tumble_device *device = torture_tight_opencl(s->world, q->without_doubles);
    const int right = ask_device(s, q, device, m, NULL);
    tumble_device_close(device);
    return right;
}

int torture_ask_batch(torture_stage *s, torture_question *q)
{
    const tumble_model *a = torture_stage_model(s, q, 0), *b = torture_stage_model(s, q, 1);
    tumble_device *device =
        q->kind == TORTURE_ASK_POOL ? torture_pool(s->world) : torture_opencl(s->world, q->without_doubles);
    if (!a || !b || !device) {
        return a && b;
    }
    batch_memory *m = calloc(1, sizeof *m);
    if (!m) {
        abort();
    }
    const int right = ask_device(s, q, device, m, q->is_tight && !q->on_cpu ? ask_tight : NULL);
    free(m);
    return right;
}

/* ---- col.h ---- */

static colObject make_object(torture_stage *s, colContext *context, int side)
{
    const torture_shape *shape = &s->c->shapes[side];
    const colObject object = colNewObject(context);
    for (size_t i = 0; i < shape->polygon_count; i++) {
        const torture_polygon *p = &shape->polygons[i];
        if (p->size == 3 && i % 2) {
            colVec points[3];
            memcpy(points, shape->corners[p->first], sizeof points);
            colTriangles(context, points, 1);
            continue;
        }
        /* Points are numbered in the order in which they come; each polygon has its own. */
        for (uint32_t k = 0; k < p->size; k++) {
            const double *c = shape->corners[p->first + k];
            colVertex(context, c[0], c[1], c[2]);
        }
        colBeginPolygon(context);
        for (uint32_t k = 0; k < p->size; k++) {
            colIndex(context, p->first + k);
        }
        colEndPolygon(context);
    }
    colEndObject(context);
    return object;
}

static int check_col(torture_stage *s, const torture_question *q, colContext *context, const colObject objects[2])
{
    uint32_t indices[CAPACITY][2];
    torture_truth *t = torture_stage_truth(s, q->pose);
    const tumble_pose *relative = torture_truth_relative(t);
    double matrix[16] = {0};
    for (int i = 0; i < 12; i++) {
        matrix[i % 4 * 4 + i / 4] = relative->m[i / 4][i % 4];
    }
    matrix[15] = 1;
    const colPending check = colCheck(context, objects[0], objects[1], matrix, indices[0], NULL, CAPACITY);
    colResult result;
    const tumble_status status = colWait(context, check, INFINITY, &result);
    const int finite = torture_truth_reach(t).b_into_a;
    const int valid = tumble_pose_check(s->world->contexts[0], relative) == TUMBLE_OK;
    if (!valid || finite != 1) {
        return status != TUMBLE_OK || (valid && finite < 0) ||
               torture_wrong(s, "a check that cannot be made succeeded");
    }
    if (status != TUMBLE_OK) {
        return torture_wrong(s, "colWait: %s", tumble_status_name(status));
    }
    size_t count;
    tumble_pair *pairs = torture_truth_pairs(t, 0, &count);
    int right = result.collide == (count > 0) && result.pair_count == count && result.count == count;
    for (size_t i = 0; i < count && i < CAPACITY && right; i++) {
        right = indices[i][0] == pairs[i].polygon_a && indices[i][1] == pairs[i].polygon_b;
    }
    free(pairs);
    return right || torture_wrong(s, "colCheck found %llu pairs, and there are %zu",
                                  (unsigned long long)result.pair_count, count);
}

int torture_ask_col(torture_stage *s, torture_question *q)
{
    colOptions options = colDefaultOptions();
    options.thread_count = 2;
    colContext *context = colInit(&options);
    if (!context) {
        return torture_wrong(s, "colInit failed");
    }
    const colObject objects[2] = {make_object(s, context, 0), make_object(s, context, 1)};
    const int right = colError(context, NULL, 0) == TUMBLE_OK ? check_col(s, q, context, objects)
                                                              : torture_wrong(s, "an object was rejected");
    colShutdown(context);
    return right;
}
