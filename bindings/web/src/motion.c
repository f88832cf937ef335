/* Models in motion, and moves that part them. */
#include "web.h"

#include <string.h>

static tumble_motion motions[2];

double *web_motions(void)
{
    return &motions[0].from.m[0][0];
}

static const tumble_motion *motion(int given, int which)
{
    return (given >> which & 1) != 0 ? &motions[which] : NULL;
}

int web_motion_between(int given, double x, double y, double z)
{
    const double centre[3] = {x, y, z};
    const tumble_pose identity = tumble_pose_identity();
    const tumble_pose *from = web_pose(given, 0), *to = web_pose(given, 1);
    return (int)tumble_motion_between(web.context, from ? from : &identity, to ? to : &identity, centre, &motions[0]);
}

int web_motion_pose(double time)
{
    const tumble_status status = tumble_motion_check(web.context, &motions[0]);
    if (status == TUMBLE_OK) {
        web.poses[0] = tumble_motion_pose(&motions[0], time);
    }
    return (int)status;
}

int web_first_contact(const tumble_model *a, const tumble_model *b, int given, double clearance, double begin,
                      double end, double tolerance)
{
    tumble_first_contact_options options = tumble_default_first_contact_options();
    options.clearance = clearance;
    options.begin = begin;
    options.end = end;
    options.tolerance = tolerance;
    tumble_first_contact_result r;
    const tumble_status status =
        tumble_first_contact(web.query, a, motion(given, 0), b, motion(given, 1), &options, &r);
    if (status == TUMBLE_OK) {
        const double *p = r.witness.point_a, *q = r.witness.point_b;
        const double results[] = {
            r.answer, r.free_until, r.touching_at, r.error, r.witness.polygon_a, r.witness.polygon_b, p[0], p[1],
            p[2],     q[0],         q[1],          q[2]};
        web_results(results, sizeof results / sizeof *results);
    }
    return (int)status;
}

int web_contact_intervals(const tumble_model *a, const tumble_model *b, int given, double clearance, double tolerance)
{
    tumble_contact_intervals_options options = tumble_default_contact_intervals_options();
    options.clearance = clearance;
    options.tolerance = tolerance;
    tumble_contact_intervals_result r;
    const tumble_status status =
        tumble_contact_intervals(web.query, a, motion(given, 0), b, motion(given, 1), &options, &r);
    if (status == TUMBLE_OK) {
        const double results[] = {web_address(r.intervals), (double)r.interval_count};
        web_results(results, 2);
    }
    return (int)status;
}

int web_separate(const tumble_model *a, const tumble_model *b, int given, double x, double y, double z, int touching,
                 double within, double enough, double directions)
{
    tumble_separate_options options = tumble_default_separate_options();
    options.direction[0] = x, options.direction[1] = y, options.direction[2] = z;
    options.touching = touching != 0;
    options.within = within;
    options.enough = enough;
    options.budget_directions =
        directions >= 1 && directions <= 1000 ? (uint32_t)directions : options.budget_directions;
    tumble_separate_result r;
    const tumble_status status = tumble_separate(web.query, a, web_pose(given, 0), b, web_pose(given, 1), &options, &r);
    if (status == TUMBLE_OK) {
        const int has_last = r.last.polygon_a != TUMBLE_NO_POLYGON;
        const double *t = r.translation, *n = r.normal, *d = r.deepest;
        const double results[] = {r.answer,
                                  r.relation,
                                  r.lower,
                                  r.upper,
                                  t[0],
                                  t[1],
                                  t[2],
                                  n[0],
                                  n[1],
                                  n[2],
                                  has_last ? (double)r.last.polygon_a : -1,
                                  has_last ? (double)r.last.polygon_b : -1,
                                  d[0],
                                  d[1],
                                  d[2],
                                  r.depth_a,
                                  r.depth_b};
        web_results(results, sizeof results / sizeof *results);
        web.poses[0] = r.pose_b;
    }
    return (int)status;
}
