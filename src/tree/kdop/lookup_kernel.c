/* Where points lie around a direction, eight at a time. Compiled once for each instruction set. */
#include "math/lanes.h"
#include "tree/kdop/lookup.h"

typedef struct axis_lanes {
    tmb_f8 normal[3], centre[3], cosine, sine, inside, outside, shortest[2];
} axis_lanes;

static inline axis_lanes spread(const tmb_kdop_axis *axis)
{
    axis_lanes a;
    for (int i = 0; i < 3; i++) {
        a.normal[i] = tmb_f8_set(axis->normal[i]);
        a.centre[i] = tmb_f8_set(axis->centre[i]);
    }
    a.cosine = tmb_f8_set(axis->cosine);
    a.sine = tmb_f8_set(axis->sine);
    a.inside = tmb_f8_set(axis->inside);
    a.outside = tmb_f8_set(axis->outside);
    a.shortest[0] = tmb_f8_set(axis->shortest[0]);
    a.shortest[1] = tmb_f8_set(axis->shortest[1]);
    return a;
}

typedef struct sight_lanes {
    tmb_f8 tangents[2], lengths[2];
} sight_lanes;

/* A point at the height z over the centre and at the distance rho from the axis. */
static inline void look(const axis_lanes *a, tmb_f8 x, tmb_f8 y, tmb_f8 z, tmb_b8 used, sight_lanes *seen)
{
    const tmb_f8 zero = tmb_f8_zero();
    const tmb_f8 qx = tmb_f8_sub(x, a->centre[0]), qy = tmb_f8_sub(y, a->centre[1]), qz = tmb_f8_sub(z, a->centre[2]);
    const tmb_f8 square = tmb_f8_add(tmb_f8_add(tmb_f8_mul(qx, qx), tmb_f8_mul(qy, qy)), tmb_f8_mul(qz, qz));
    const tmb_f8 height = tmb_f8_add(tmb_f8_add(tmb_f8_mul(a->normal[0], qx), tmb_f8_mul(a->normal[1], qy)),
                                     tmb_f8_mul(a->normal[2], qz));
    const tmb_f8 height2 = tmb_f8_mul(height, height), rho2 = tmb_f8_max(tmb_f8_sub(square, height2), zero);
    const tmb_f8 along = tmb_f8_mul(height, a->cosine), aside = tmb_f8_mul(tmb_f8_sqrt(rho2), a->sine);
    const tmb_f8 lengths[2] = {tmb_f8_add(aside, along), tmb_f8_sub(aside, along)};
    const tmb_f8 tangent2 = tmb_f8_div(rho2, height2);
    const tmb_b8 inside = tmb_f8_less_equal(rho2, tmb_f8_mul(height2, a->inside)),
                 not_outside = tmb_f8_less(rho2, tmb_f8_mul(height2, a->outside));
    const tmb_b8 front[2] = {tmb_f8_less(zero, height), tmb_f8_less(height, zero)};
    for (int i = 0; i < 2; i++) {
        const tmb_b8 is_long = tmb_b8_and(used, tmb_f8_less(a->shortest[i], square));
        const tmb_b8 in_rings = tmb_b8_and(is_long, tmb_b8_and(inside, front[i]));
        const tmb_b8 in_rest = tmb_b8_andnot(is_long, tmb_b8_and(not_outside, front[i]));
        seen->tangents[i] = tmb_f8_max(tmb_f8_select(in_rings, tangent2, seen->tangents[i]), seen->tangents[i]);
        seen->lengths[i] = tmb_f8_max(tmb_f8_select(in_rest, lengths[i], seen->lengths[i]), seen->lengths[i]);
    }
}

tmb_kdop_sight TMB_KERNEL_NAME(tmb_kdop_look)(const float *const points[3], size_t first, size_t last,
                                              const tmb_kdop_axis *axis)
{
    const axis_lanes a = spread(axis);
    const tmb_f8 none = tmb_f8_set(-1), least = tmb_f8_set(-INFINITY);
    sight_lanes seen = {{none, none}, {least, least}};
    for (size_t i = first; i < last; i += TMB_LANES) {
        const unsigned used = last - i < TMB_LANES ? (1u << (last - i)) - 1 : (1u << TMB_LANES) - 1;
        look(&a, tmb_f8_loadu(points[0] + i), tmb_f8_loadu(points[1] + i), tmb_f8_loadu(points[2] + i),
             tmb_b8_from_bits(used), &seen);
    }
    return (tmb_kdop_sight){{tmb_f8_max_of(seen.tangents[0]), tmb_f8_max_of(seen.tangents[1])},
                            {tmb_f8_max_of(seen.lengths[0]), tmb_f8_max_of(seen.lengths[1])}};
}
