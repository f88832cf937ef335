/* Two copies of a mesh, placed so that they are just so far apart. */
#include "separate.h"

#include <math.h>

#include "failure.h"
#include "models.h"
#include "touch.h"

tumble_pose separated_pose(const separation *s, double further)
{
    tumble_pose pose = s->rotation;
    for (int i = 0; i < 3; i++) {
        pose.m[i][3] = (s->place + further) * s->direction[i];
    }
    return pose;
}

/* For bench_first_touch: Tumble is asked. */
typedef struct approach {
    const peers_contest *contest;
    const contest_models *models;
    const separation *from;
    double clearance;
} approach;

static int is_close(void *user, double distance)
{
    const approach *way = user;
    const tumble_pose pose = separated_pose(way->from, distance + way->clearance);
    void *model = way->models->items[0];
    const peer_library *tumble = way->contest->items[0].peer;
    return way->clearance > 0 ? tumble->within(model, model, &pose, way->clearance)
                              : tumble->first(model, model, &pose);
}

/* The third column of a random rotation points anywhere. */
static void random_direction(models_random *random, double direction[3])
{
    const tumble_pose turn = models_random_rotation(random);
    for (int i = 0; i < 3; i++) {
        direction[i] = turn.m[i][2];
    }
}

separation *separate_copies(const peers_contest *contest, const contest_models *models, double clearance, size_t count,
                            double seed)
{
    const double stride = 0.01, precision = 1e-9;
    separation *list = bench_allocate(count, sizeof *list);
    models_random random = {(uint64_t)seed};
    for (size_t i = 0; i < count; i++) {
        separation *s = &list[i];
        approach way = {contest, models, s, clearance};
        s->rotation = models_random_rotation(&random);
        random_direction(&random, s->direction);
        s->place = bench_first_touch(is_close, &way, stride, precision) + clearance;
    }
    return list;
}
