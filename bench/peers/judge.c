/* Who is right: the judge in the comparison. */
#include "judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "tumble/tumble.h"

/* ---- Some pairs ---- */

enum {
    BATCH = 16 /* pairs whose triangles make two models, each triangle as often as it is named */
};

typedef struct bench_judge {
    tumble_context *context;
    tumble_query *query;
} bench_judge;

/* Made once: the judge is asked many times. */
static const bench_judge *the_judge(void)
{
    static bench_judge judge;
    if (!judge.context) {
        tumble_context_options options = tumble_default_context_options();
        options.thread_count = 1;
        bench_require(tumble_context_create(&options, &judge.context), NULL, "a context");
        bench_require(tumble_query_create(judge.context, &judge.query), judge.context, "a query");
    }
    return &judge;
}

static tumble_model *model_of(const peer_mesh *source, const uint32_t *triangles, size_t count)
{
    uint32_t indices[3 * BATCH];
    double points[9 * BATCH];
    tumble_mesh mesh = tumble_default_mesh();
    tumble_model_options options = tumble_default_model_options();
    tumble_model *model = NULL;
    for (size_t i = 0; i < 3 * count; i++) {
        const uint32_t corner = source->indices[3 * (size_t)triangles[i / 3] + i % 3];
        memcpy(points + 3 * i, source->points + 3 * (size_t)corner, 3 * sizeof *points);
        indices[i] = (uint32_t)i;
    }
    mesh.points = points;
    mesh.point_count = mesh.index_count = 3 * count;
    mesh.indices = indices;
    options.hierarchy = TUMBLE_HIERARCHY_BRUTE;
    bench_require(tumble_model_create(the_judge()->context, &mesh, &options, &model), the_judge()->context,
                  "the judge's model");
    return model;
}

/* Pair i is touching when the i-th triangles of the two models are. */
static void judge_batch(const peer_mesh *a, const peer_mesh *b, const tumble_pose *pose, const tumble_pair *pairs,
                        size_t count, int *touching)
{
    uint32_t of_a[BATCH], of_b[BATCH];
    for (size_t i = 0; i < count; i++) {
        of_a[i] = pairs[i].polygon_a;
        of_b[i] = pairs[i].polygon_b;
        touching[i] = 0;
    }
    tumble_model *one = model_of(a, of_a, count), *other = model_of(b, of_b, count);
    tumble_collide_result result;
    bench_require(tumble_collide(the_judge()->query, one, NULL, other, pose, NULL, &result), the_judge()->context,
                  "the judge's question");
    for (size_t i = 0; i < result.pair_count; i++) {
        if (result.pairs[i].polygon_a == result.pairs[i].polygon_b) {
            touching[result.pairs[i].polygon_a] = 1;
        }
    }
    tumble_model_destroy(one);
    tumble_model_destroy(other);
}

void judge_pairs(const peer_mesh *a, const peer_mesh *b, const tumble_pose *pose, pair_list *list)
{
    size_t kept = 0;
    for (size_t start = 0; start < list->count; start += BATCH) {
        const size_t left = list->count - start, count = left < BATCH ? left : BATCH;
        int touching[BATCH];
        judge_batch(a, b, pose, list->items + start, count, touching);
        for (size_t i = 0; i < count; i++) {
            if (touching[i]) {
                list->items[kept++] = list->items[start + i];
            }
        }
    }
    list->count = kept;
}

/* ---- Whole meshes ---- */

typedef struct triangle_box {
    double lower[3], upper[3];
    uint32_t triangle;
} triangle_box;

static int compare_boxes(const void *one, const void *other)
{
    const double a = ((const triangle_box *)one)->lower[0], b = ((const triangle_box *)other)->lower[0];
    return (a > b) - (a < b);
}

/* Sorted by their lower x; `pose` may be NULL. */
static triangle_box *make_boxes(const peer_mesh *mesh, const tumble_pose *pose)
{
    triangle_box *boxes = bench_allocate(mesh->triangle_count, sizeof *boxes);
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        triangle_box *box = &boxes[i];
        box->triangle = (uint32_t)i;
        for (size_t k = 0; k < 3; k++) {
            const double *p = mesh->points + 3 * (size_t)mesh->indices[3 * i + k];
            double moved[3] = {p[0], p[1], p[2]};
            if (pose) {
                tumble_pose_apply(pose, p, moved);
            }
            for (size_t axis = 0; axis < 3; axis++) {
                box->lower[axis] = k ? fmin(box->lower[axis], moved[axis]) : moved[axis];
                box->upper[axis] = k ? fmax(box->upper[axis], moved[axis]) : moved[axis];
            }
        }
    }
    qsort(boxes, mesh->triangle_count, sizeof *boxes, compare_boxes);
    return boxes;
}

static int overlap(const triangle_box *a, const triangle_box *b)
{
    return a->lower[0] <= b->upper[0] && b->lower[0] <= a->upper[0] && a->lower[1] <= b->upper[1] &&
           b->lower[1] <= a->upper[1] && a->lower[2] <= b->upper[2] && b->lower[2] <= a->upper[2];
}

static double widest(const triangle_box *boxes, size_t count)
{
    double width = 0;
    for (size_t i = 0; i < count; i++) {
        width = fmax(width, boxes[i].upper[0] - boxes[i].lower[0]);
    }
    return width;
}

/* Candidates for each triangle of B are those of A that start not further to the left than the widest is wide. */
static void sweep(const peer_mesh *a, const peer_mesh *b, const tumble_pose *pose, pair_list *candidates)
{
    triangle_box *of_a = make_boxes(a, NULL), *of_b = make_boxes(b, pose);
    const double width = widest(of_a, a->triangle_count);
    size_t start = 0;
    for (size_t i = 0; i < b->triangle_count; i++) {
        const triangle_box *box = &of_b[i];
        while (start < a->triangle_count && of_a[start].lower[0] + 1.001 * width < box->lower[0]) {
            start++;
        }
        for (size_t k = start; k < a->triangle_count && of_a[k].lower[0] <= box->upper[0]; k++) {
            if (overlap(&of_a[k], box)) {
                pair_list_add(candidates, (tumble_pair){of_a[k].triangle, box->triangle});
            }
        }
    }
    free(of_a);
    free(of_b);
}

void judge_all(const peer_mesh *a, const peer_mesh *b, const tumble_pose *pose, pair_list *list)
{
    list->count = 0;
    sweep(a, b, pose, list);
    judge_pairs(a, b, pose, list);
    pair_list_sort(list);
}

int judge_meshes(const peer_mesh *a, const peer_mesh *b, const tumble_pose *pose)
{
    pair_list list = {0};
    judge_all(a, b, pose, &list);
    const int touching = list.count > 0;
    pair_list_free(&list);
    return touching;
}
