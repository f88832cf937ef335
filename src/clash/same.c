/* Whether two models have exactly the same triangles. */
#include <stdlib.h>
#include <string.h>

#include "clash/clashes.h"
#include "tree/model.h"

typedef struct corner_set {
    double corners[3][3]; /* in order */
} corner_set;

static int compare_points(const double a[3], const double b[3])
{
    for (int i = 0; i < 3; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

static int compare_sets(const void *a, const void *b)
{
    const corner_set *x = a, *y = b;
    for (int i = 0; i < 3; i++) {
        const int order = compare_points(x->corners[i], y->corners[i]);
        if (order) {
            return order;
        }
    }
    return 0;
}

static void swap_if_later(corner_set *set, int i, int j)
{
    if (compare_points(set->corners[i], set->corners[j]) > 0) {
        double kept[3];
        memcpy(kept, set->corners[i], sizeof kept);
        memcpy(set->corners[i], set->corners[j], sizeof kept);
        memcpy(set->corners[j], kept, sizeof kept);
    }
}

/* The triangles of a model in a pose, sorted. */
static tumble_status fill(const tumble_model *model, const tumble_pose *pose, size_t count, corner_set *out)
{
    for (uint32_t i = 0; i < count; i++) {
        double corners[3][3];
        const tumble_status status = tumble_model_triangle(model, i, corners, NULL);
        if (status != TUMBLE_OK) {
            return status;
        }
        for (int j = 0; j < 3; j++) {
            memcpy(out[i].corners[j], corners[j], sizeof corners[j]);
            if (pose) {
                tumble_pose_apply(pose, corners[j], out[i].corners[j]);
            }
        }
        swap_if_later(&out[i], 0, 1);
        swap_if_later(&out[i], 1, 2);
        swap_if_later(&out[i], 0, 1);
    }
    qsort(out, count, sizeof *out, compare_sets);
    return TUMBLE_OK;
}

static int are_equal(const corner_set *a, const corner_set *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (compare_sets(&a[i], &b[i]) != 0) {
            return 0;
        }
    }
    return 1;
}

/* Whether the first corner of A's first triangle is one of B's: most pairs are told apart by that. */
static tumble_status may_be_same(const tumble_model *a, const tumble_model *b, const tumble_pose *relative,
                                 size_t count, bool *out)
{
    double first[3][3], corners[3][3], moved[3];
    tumble_status status = tumble_model_triangle(a, 0, first, NULL);
    *out = false;
    for (uint32_t i = 0; i < count && !*out && status == TUMBLE_OK; i++) {
        status = tumble_model_triangle(b, i, corners, NULL);
        for (int j = 0; j < 3 && status == TUMBLE_OK; j++) {
            tumble_pose_apply(relative, corners[j], moved);
            *out = *out || compare_points(moved, first[0]) == 0;
        }
    }
    return status;
}

tumble_status tmb_clash_same_triangles(tumble_context *context, const tumble_model *a, const tumble_model *b,
                                       const tumble_pose *relative, bool *out)
{
    const size_t count = (size_t)a->block->triangle_count;
    *out = false;
    if (b->block->triangle_count != count || a->radii || b->radii ||
        a->radius != b->radius * tumble_pose_scale(relative)) {
        return TUMBLE_OK;
    }
    bool may = false;
    tumble_status status = may_be_same(a, b, relative, count, &may);
    if (status != TUMBLE_OK || !may) {
        return status;
    }
    corner_set *sets = tmb_allocate(context, 2 * count, sizeof *sets);
    if (!sets) {
        return tmb_fail_memory(context, "comparing two parts");
    }
    status = fill(a, NULL, count, sets);
    if (status == TUMBLE_OK) {
        status = fill(b, relative, count, sets + count);
    }
    *out = status == TUMBLE_OK && are_equal(sets, sets + count, count);
    tmb_release(context, sets);
    return status;
}
