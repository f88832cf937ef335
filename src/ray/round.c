/* Rounds the parameters of the closest hits of several rays. */
#include "ray/round.h"

static int is_to_be_rounded(const tmb_ray_search *s)
{
    return s->found_count > 0 && s->reach == 0 && s->best.at.kind == TMB_RAY_CROSSING && s->best.at.error >= 0;
}

static void set_lane(tmb_ray_crossings *crossings, unsigned lane, const tmb_ray_search *s)
{
    tmb_model_corners(s->model, s->best.address, crossings->corners[lane]);
    for (int k = 0; k < 3; k++) {
        crossings->origin[k][lane] = s->ray.origin[k];
        crossings->direction[k][lane] = s->ray.direction[k];
    }
}

/* What pairs of doubles leave open is rounded when it is reported. */
static void round_lanes(tmb_ray_crossings *crossings, tmb_ray_search *const *of, unsigned count)
{
    for (unsigned lane = count; lane < 8; lane++) {
        set_lane(crossings, lane, of[0]);
    }
    const unsigned certain = TMB_PICK_KERNEL(of[0]->model->context, tmb_ray_round8)(crossings);
    for (unsigned lane = 0; lane < count; lane++) {
        if (certain >> lane & 1) {
            of[lane]->best.at.t = crossings->t[lane];
            of[lane]->best.at.error = -1;
        }
    }
}

void tmb_ray_round_best(tmb_ray_search *searches, size_t count)
{
    tmb_ray_crossings crossings;
    tmb_ray_search *of[8];
    unsigned lane = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_to_be_rounded(&searches[i])) {
            set_lane(&crossings, lane, &searches[i]);
            of[lane++] = &searches[i];
        }
        if (lane == 8 || (lane > 0 && i + 1 == count)) {
            round_lanes(&crossings, of, lane);
            lane = 0;
        }
    }
}
