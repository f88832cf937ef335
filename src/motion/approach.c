/* The plain way to a first contact: steps that no point can cross.
 *
 * If two models are farther apart at a time than they can come nearer during h, they are free from h before it until h
 * after it. Queries with such a clearance, which are fast, at times that come ever closer to the contact, take a few
 * steps where models approach plainly. Where they do not, as they glide past each other, the search over boxes and
 * triangles goes on from the time that is proven. */
#include <math.h>

#include "math/bounds.h"
#include "motion/first.h"
#include "motion/touching.h"

enum {
    MOST_TESTS = 40
};

#define LEAST_TOLERANCE 1e-9 /* of times: far above their rounding */
#define ROOM (1 + 0x1p-30)   /* more than all roundings of a step */
#define LEAST_UNIT (-900)    /* power of two: of smaller models, the rounding below the normal doubles is not seen */

/* Queries measure in A's frame: what its matrix lacks of being a rotation must not be seen. */
static int keeps_lengths(const tumble_pose *pose)
{
    double products[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            products[i][j] =
                pose->m[0][i] * pose->m[0][j] + pose->m[1][i] * pose->m[1][j] + pose->m[2][i] * pose->m[2][j];
        }
    }
    const double square = products[0][0];
    int keeps = square > 0x1p-500 && square < 0x1p+500;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            keeps = keeps && fabs(products[i][j] - (i == j ? square : 0)) <= 0x1p-48 * square;
        }
    }
    return keeps;
}

static int is_suitable(const tmb_first *f)
{
    const tumble_first_contact_options *o = f->options;
    int scale;
    (void)frexp(tumble_pose_scale(&f->motions[0]->from), &scale);
    return f->exponent > LEAST_UNIT && f->exponent - scale > LEAST_UNIT && o->tolerance >= LEAST_TOLERANCE &&
           !(o->budget_microseconds > 0) && o->budget_box_tests == 0 && keeps_lengths(&f->motions[0]->from) &&
           f->moving[0].model->block->triangle_count > 0 && f->moving[1].model->block->triangle_count > 0;
}

static tmb_touching at_time(const tmb_first *f, double time, double clearance)
{
    return (tmb_touching){.a = f->moving[0].model,
                          .b = f->moving[1].model,
                          .pose_a = tumble_motion_pose(f->motions[0], time),
                          .pose_b = tumble_motion_pose(f->motions[1], time),
                          .clearance = clearance};
}

/* Whether they are free from h before a time until h after it. */
static tumble_status is_free_around(tmb_first *f, double time, double h, double speed, bool *is_free)
{
    const double way = speed * (h * ROOM + 0x1p-50) + 8 * tmb_first_error(f, f->options->end);
    const tmb_touching ask = at_time(f, time, f->options->clearance * ROOM + ldexp(way, f->exponent));
    bool touch = true;
    const tumble_status status = tmb_touching_test(f->query, &ask, &touch, &f->counters);
    *is_free = !touch;
    return status;
}

/* Whether there is a contact at a time; then it is what was found. */
static tumble_status find_contact(tmb_first *f, double free, double time, int *found)
{
    const tmb_touching ask = at_time(f, time, f->options->clearance);
    uint32_t triangles[2];
    bool touch = false;
    *found = 0;
    const tumble_status status = tmb_touching_triangles(f->query, &ask, &touch, triangles, &f->counters);
    if (status == TUMBLE_OK && touch) {
        tmb_first_pair pair = {.from = free, .to = time, .are_triangles = 1};
        pair.a.reference = triangles[0];
        pair.b.reference = triangles[1];
        tmb_first_contact(f, &pair, free, time);
        *found = f->found && f->touching <= time;
    }
    return f->status == TUMBLE_OK ? status : f->status;
}

int tmb_first_approach(tmb_first *f, double *proven)
{
    const double end = f->options->end, tolerance = f->options->tolerance;
    *proven = f->options->begin;
    if (!is_suitable(f)) {
        return 0;
    }
    const double speed = tmb_first_fastest(f);
    double h = 0.5 * (end - *proven);
    int found = 0, is_near = 0, streak = 0;
    tumble_status status = find_contact(f, *proven, *proven, &found);
    for (int i = 0; i < MOST_TESTS && status == TUMBLE_OK && !found && *proven < end; i++) {
        bool is_free = false;
        h = h < 0.5 * (end - *proven) ? h : 0.5 * (end - *proven);
        status = is_free_around(f, *proven + h, h, speed, &is_free);
        if (status == TUMBLE_OK && is_free) {
            const double next = *proven + 2 * h * (1 - 0x1p-40);
            *proven = h >= 0.5 * (end - *proven) ? end : next;
            is_near = 0;
        } else if (status == TUMBLE_OK && h <= 0.5 * tolerance && !is_near) {
            const double last = *proven + tolerance * (1 - 0x1p-20);
            status = find_contact(f, *proven, last < end ? last : end, &found);
            is_near = 1;
        }
        streak = is_free ? streak + 1 : 0;
        h *= streak > 2 ? 2 : streak == 2 ? 1 : 0.5; /* plainly, each step leaves half of the way or less */
        if (h < 0.01 * tolerance) {
            break;
        }
    }
    if (status == TUMBLE_ERROR_MEMORY || status == TUMBLE_ERROR_CANCELLED) {
        f->status = status;
    }
    if (found) {
        f->free = *proven < f->free ? *proven : f->free;
    }
    return found || *proven >= end;
}
