/* Fewer questions, fewer polygons, poses that are nothing special, options that are the defaults. */
#include <math.h>
#include <string.h>

#include "shrink.h"

/* ---- Questions ---- */

static void drop_questions(torture_case *c, size_t from, size_t count)
{
    memmove(&c->questions[from], &c->questions[from + count],
            (c->question_count - from - count) * sizeof *c->questions);
    c->question_count -= count;
}

/* The failing one alone; if that is not enough, without all of those before it that can be spared. */
void torture_shrink_questions(torture_shrinker *s)
{
    s->next->question_count = s->verdict.failure.question + 1;
    if (s->next->question_count < s->c->question_count) {
        torture_accept(s);
    }
    if (s->c->question_count > 1) {
        drop_questions(s->next, 0, s->next->question_count - 1);
        torture_accept(s);
    }
    for (size_t chunk = s->c->question_count / 2; chunk > 0; chunk /= 2) {
        for (size_t at = 0; at + chunk < s->c->question_count;) {
            drop_questions(s->next, at, chunk);
            at += torture_accept(s) ? 0 : chunk;
        }
    }
}

/* ---- Polygons ---- */

static void drop_polygons(torture_shape *shape, size_t from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        torture_drop_polygon(shape, from);
    }
}

static void make_triangle(torture_shape *shape, size_t index)
{
    torture_shape simpler = {0};
    for (size_t i = 0; i < shape->polygon_count; i++) {
        const torture_polygon *p = &shape->polygons[i];
        torture_add_polygon(&simpler, (const double(*)[3])shape->corners[p->first], i == index ? 3 : p->size,
                            p->surface);
    }
    *shape = simpler;
}

void torture_shrink_polygons(torture_shrinker *s)
{
    for (int side = 0; side < 2; side++) {
        for (size_t chunk = s->c->shapes[side].polygon_count; chunk > 0; chunk /= 2) {
            for (size_t at = 0; at + chunk <= s->c->shapes[side].polygon_count;) {
                drop_polygons(&s->next->shapes[side], at, chunk);
                at += torture_accept(s) ? 0 : chunk;
            }
        }
        for (size_t i = 0; i < s->c->shapes[side].polygon_count; i++) {
            if (s->c->shapes[side].polygons[i].size > 3) {
                make_triangle(&s->next->shapes[side], i);
                torture_accept(s);
            }
            if (s->c->shapes[side].polygons[i].surface != 0) {
                s->next->shapes[side].polygons[i].surface = 0;
                torture_accept(s);
            }
        }
    }
}

/* ---- Poses ---- */

static int is_zero(const double *x)
{
    return *x == 0;
}

static void shrink_matrix(torture_shrinker *s, size_t pose, int side)
{
    const tumble_pose identity = tumble_pose_identity();
    tumble_pose *next = &s->next->poses[pose][side];
    const tumble_pose *now = &s->c->poses[pose][side];
    for (int axis = 0; axis < 3; axis++) { /* not turned, not moved */
        next->m[axis][3] = 0;
    }
    if (memcmp(next, now, sizeof *now) != 0) {
        torture_accept(s);
    }
    for (int i = 0; i < 9; i++) {
        next->m[i / 3][i % 3] = identity.m[i / 3][i % 3];
    }
    if (memcmp(next, now, sizeof *now) != 0 && !torture_accept(s)) {
        const double scale = tumble_pose_scale(now);
        for (int i = 0; i < 9; i++) {
            next->m[i / 3][i % 3] = identity.m[i / 3][i % 3] * scale;
        }
        if (memcmp(next, now, sizeof *now) != 0) {
            torture_accept(s);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        if (!is_zero(&s->c->poses[pose][side].m[axis][3])) {
            next->m[axis][3] = 0;
            torture_accept(s);
        }
    }
}

/* Only those that a question is asked at. */
static void drop_poses(torture_shrinker *s)
{
    for (size_t i = s->c->pose_count; i-- > 0 && s->c->pose_count > 1;) {
        torture_case *c = s->next;
        memmove(c->poses[i], c->poses[i + 1], (c->pose_count - i - 1) * sizeof c->poses[0]);
        memmove(c->has_pose[i], c->has_pose[i + 1], (c->pose_count - i - 1) * sizeof c->has_pose[0]);
        c->pose_count--;
        for (size_t k = 0; k < c->question_count; k++) {
            c->questions[k].pose -= c->questions[k].pose > i;
            c->questions[k].pose %= (uint32_t)c->pose_count;
        }
        torture_accept(s);
    }
}

void torture_shrink_poses(torture_shrinker *s)
{
    drop_poses(s);
    for (size_t pose = 0; pose < s->c->pose_count; pose++) {
        for (int side = 0; side < 2; side++) {
            if (!s->c->has_pose[pose][side]) {
                continue;
            }
            s->next->has_pose[pose][side] = 0;
            if (!torture_accept(s)) {
                shrink_matrix(s, pose, side);
            }
        }
    }
}
