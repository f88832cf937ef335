/* The search for the shortest move in any direction.
 *
 * A move along d ends in a plane of contact with normal n. If the models were convex, the move along n to this plane
 * would part them too, and be shorter: so the next direction is n, until that no longer helps. Where several planes
 * bound the free moves, the nearest point behind all of them is next. Y. J. Kim, M. C. Lin, D. Manocha, "Incremental
 * penetration depth estimation between convex polytopes using dual-space expansion", 2004, and C. Je, M. Tang, Y. Lee,
 * M. Lee, Y. J. Kim, "PolyDepth", 2012, walk in this way; here every step is a proven move. */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "separate/separate.h"
#include "tumble/ray.h"

enum {
    PLANES = 6, /* the latest ones */
    MOST_DIRECTIONS = 1000,
    STEPS = 16 /* from normal to normal */
};

/* Free moves are on the other side of it, near where it was found. */
typedef struct plane {
    double normal[3], offset;
} plane;

typedef struct part_search {
    tmb_parting *parting;
    tumble_separate_result *result;
    tmb_deep_point deep;
    plane planes[PLANES];
    int plane_count;
    uint32_t most_directions;
    tmb_way_out best;
    double best_way[3];
} part_search;

static double limit_of(const part_search *s)
{
    return tmb_lesser(s->result->upper, s->parting->options->within);
}

/* Whether no more is asked for. */
static int is_done(const part_search *s)
{
    const tumble_separate_result *r = s->result;
    const double slack = 1e-12 * r->upper;
    return r->upper <= s->parting->options->enough || r->lower > s->parting->options->within ||
           (s->best.found && r->upper - r->lower <= slack) || r->direction_count >= s->most_directions ||
           tmb_parting_ends(s->parting);
}

static void note_plane(part_search *s, const tmb_way_out *out)
{
    plane *p = &s->planes[s->plane_count++ % PLANES];
    memcpy(p->normal, out->normal, sizeof p->normal);
    p->offset = tmb_dot(out->normal, out->translation);
}

static int try_way(part_search *s, const double way[3], tmb_way_out *out)
{
    if (is_done(s) || !(tmb_largest_size(way) > 0)) {
        return 0;
    }
    s->result->direction_count++;
    tmb_part_along(s->parting, way, limit_of(s), out);
    if (!out->found || !(out->length < s->result->upper)) {
        return 0;
    }
    s->best = *out;
    s->result->upper = out->length;
    memcpy(s->best_way, way, sizeof s->best_way);
    if (out->has_last) {
        note_plane(s, out);
    }
    return 1;
}

/* From plane to plane, as long as that helps. */
static int follow(part_search *s, const double way[3])
{
    tmb_way_out out;
    if (!try_way(s, way, &out)) {
        return 0;
    }
    for (int i = 0; i < STEPS && out.has_last; i++) {
        const double normal[3] = {out.normal[0], out.normal[1], out.normal[2]};
        if (!try_way(s, normal, &out)) {
            break;
        }
    }
    return 1;
}

/* The nearest point behind two planes that is on both; 0: there is none. */
static int nearest_on_line(const plane *p, const plane *q, double out[3])
{
    const double cosine = tmb_dot(p->normal, q->normal), rest = 1 - cosine * cosine;
    if (!(rest > 0x1p-20)) {
        return 0;
    }
    const double x = (p->offset - cosine * q->offset) / rest, y = (q->offset - cosine * p->offset) / rest;
    for (int k = 0; k < 3; k++) {
        out[k] = x * p->normal[k] + y * q->normal[k];
    }
    return 1;
}

static int follow_lines(part_search *s)
{
    const int count = s->plane_count < PLANES ? s->plane_count : PLANES;
    int helps = 0;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++) {
            double way[3];
            if (nearest_on_line(&s->planes[i], &s->planes[j], way) && tmb_length(way) < s->result->upper * (1 - 1e-9)) {
                helps |= follow(s, way);
            }
        }
    }
    return helps;
}

/* Axes of both poses, and the ways out of the deepest point. */
static void try_starts(part_search *s)
{
    double ways[16][3];
    int count = 0;
    for (int k = 0; k < 3 && s->deep.lower > 0; k++) {
        ways[0][k] = s->deep.out[0][k];
        ways[1][k] = s->deep.out[1][k];
        ways[2][k] = s->deep.out[0][k] + s->deep.out[1][k];
        count = 3;
    }
    for (int side = 0; side < 2; side++) {
        const tumble_pose *pose = s->parting->poses[side];
        const double size = tumble_pose_scale(pose);
        for (int axis = 0; axis < 6; axis++, count++) {
            for (int k = 0; k < 3; k++) {
                ways[count][k] = (axis & 1 ? -1 : 1) * (pose->m[k][axis / 2] / size);
            }
        }
    }
    for (int i = 0; i < count; i++) {
        follow(s, ways[i]);
    }
}

/* The cosines and sines of six directions around a circle. */
static const double around[6][2] = {{1, 0},  {0.5, 0x1.bb67ae8584caap-1},   {-0.5, 0x1.bb67ae8584caap-1},
                                    {-1, 0}, {-0.5, -0x1.bb67ae8584caap-1}, {0.5, -0x1.bb67ae8584caap-1}};

/* Directions around the best one, ever closer to it. */
static void refine(part_search *s)
{
    double angle = 0.5;
    while (!is_done(s) && s->best.found && angle > 1e-3) {
        double u[3], v[3], axis[3] = {0, 0, 0}, way[3];
        const double size = tmb_length(s->best_way);
        const double n[3] = {s->best_way[0] / size, s->best_way[1] / size, s->best_way[2] / size};
        axis[fabs(n[0]) < 0.6 ? 0 : 1] = 1;
        tmb_cross(n, axis, u);
        tmb_cross(n, u, v);
        int helps = 0;
        for (int i = 0; i < 6 && !helps; i++) {
            for (int k = 0; k < 3; k++) {
                way[k] = n[k] + angle * (around[i][0] * u[k] + around[i][1] * v[k]);
            }
            helps = follow(s, way);
        }
        helps = helps || follow_lines(s);
        angle *= helps ? 1 : 0.5;
    }
}

static void report(const part_search *s)
{
    tumble_separate_result *r = s->result;
    if (s->best.found) {
        r->pose_b = s->best.pose;
        memcpy(r->translation, s->best.translation, sizeof r->translation);
        memcpy(r->normal, s->best.normal, sizeof r->normal);
        if (s->best.has_last) {
            r->last = (tumble_pair){tmb_model_polygon(s->parting->models[0], s->best.last[0]),
                                    tmb_model_polygon(s->parting->models[1], s->best.last[1])};
        }
    }
    memcpy(r->deepest, s->deep.at, sizeof r->deepest);
    r->depth_a = s->deep.depth[0];
    r->depth_b = s->deep.depth[1];
}

void tmb_part_anywhere(tmb_parting *p, tumble_separate_result *result)
{
    const uint32_t most = p->options->budget_directions;
    part_search s = {.parting = p, .result = result, .most_directions = most ? most : MOST_DIRECTIONS};
    tmb_find_deepest(p, &s.deep);
    result->lower = s.deep.lower;
    try_starts(&s);
    follow_lines(&s);
    refine(&s);
    report(&s);
}
