/* Tumbling by lookup (Fuenfzig and Fellner, section 3): for each lane of A, which direction of B is nearest (the
 * paper's sigma), and how far the node's points can reach along the lane, given where they lie around that direction.
 *
 * Let D be that direction, phi the angle between it and the lane's vector u, and d the extent of the node along D from
 * its centre c. Short points reach at most |u| cos(covering angle) d. A point of a ring up to the tangent t, at the
 * height z over c and at the distance rho <= t z from the axis, reaches |u| (z cos phi + rho sin phi) at most, which is
 * at most |u| (cos phi + t sin phi) d. One outside all rings reaches |u| cos(covering angle - phi) times the node's
 * length. All but t, d and the length is set here. */
#include <math.h>

#include "base/assert.h"
#include "collide/kdop/walk.h"
#include "math/bounds.h"
#include "math/vec3.h"

/* In floats, the products of a factor are rounded up to six times, by 2^-24 each. */
#define FACTOR (1 + TMB_LOOKUP_FACTOR_MARGIN)

/* The lane of B whose direction has the least angle to a vector. */
static uint32_t nearest_lane(const tmb_kdop_set *set, const double u[3])
{
    uint32_t nearest = 0;
    double most = -1;
    for (uint32_t i = 0; i < set->k / 2; i++) {
        const double *d = set->directions[i];
        const double x = tmb_dot(d, u) / tmb_length(d);
        if (fabs(x) > most) {
            most = fabs(x);
            nearest = 2 * i + (x < 0);
        }
    }
    return nearest;
}

static void set_cone(tmb_kdop_cones *cones, uint32_t lane, const tmb_kdop_set *set, const tmb_kdop_rings *rings,
                     const double u[3])
{
    const uint32_t nearest = nearest_lane(set, u);
    double d[3];
    tmb_kdop_lane(set, nearest, d);
    double across[3];
    tmb_cross(d, u, across);
    const double length = tmb_length(d);
    const double straight = tmb_dot(d, u); /* |u| |D| cos phi, and |u| |D| sin phi */
    const double aside = tmb_length(across);
    cones->lanes[lane] = (int32_t)nearest;
    for (int j = 0; j < 3; j++) {
        cones->directions[j][lane] = (float)d[j];
    }
    cones->brief[lane] = (float)(FACTOR * rings->cosine * tmb_length(u) / length);
    cones->straight[lane] = (float)(FACTOR * straight / (length * length));
    cones->aside[lane] = (float)(FACTOR * aside / (length * length));
    cones->outside[lane] = (float)(FACTOR * (rings->cosine * straight + rings->sine * aside) / length);
}

/* Lanes 2 i and 2 i + 1 have opposite vectors. */
static void set_opposite(tmb_kdop_cones *cones, uint32_t lane)
{
    TMB_ASSERT(lane % 2 == 0 && lane + 1 < TMB_KDOP_LANES);
    cones->lanes[lane + 1] = cones->lanes[lane] ^ 1;
    for (int j = 0; j < 3; j++) {
        cones->directions[j][lane + 1] = -cones->directions[j][lane];
    }
    cones->brief[lane + 1] = cones->brief[lane];
    cones->straight[lane + 1] = cones->straight[lane];
    cones->aside[lane + 1] = cones->aside[lane];
    cones->outside[lane + 1] = cones->outside[lane];
}

void tmb_kdop_set_cones(tmb_kdop_state *s, const tmb_kdop_rings *rings)
{
    s->cones.tangents = rings->tangents;
    for (uint32_t l = 0; l < s->k; l += 2) {
        set_cone(&s->cones, l, s->set, rings, s->along[l]);
        set_opposite(&s->cones, l);
    }
}
