/* Questions about two models. */
#include "web.h"

int web_test(const tumble_model *a, const tumble_model *b, int given, double clearance)
{
    tumble_collide_options options = tumble_default_collide_options();
    options.mode = TUMBLE_TEST;
    options.clearance = clearance;
    tumble_collide_result result;
    const tumble_status status =
        tumble_collide(web.query, a, web_pose(given, 0), b, web_pose(given, 1), &options, &result);
    return status == TUMBLE_OK ? (int)result.collide : -(int)status;
}

int web_collide(const tumble_model *a, const tumble_model *b, int given, int mode, double clearance, int want_contacts)
{
    tumble_collide_options options = tumble_default_collide_options();
    options.mode = (tumble_mode)mode;
    options.clearance = clearance;
    options.want_contacts = want_contacts != 0;
    tumble_collide_result r;
    const tumble_status status = tumble_collide(web.query, a, web_pose(given, 0), b, web_pose(given, 1), &options, &r);
    if (status == TUMBLE_OK) {
        const double results[] = {r.collide,
                                  r.first.polygon_a,
                                  r.first.polygon_b,
                                  web_address(r.pairs),
                                  (double)r.pair_count,
                                  web_address(r.contacts),
                                  (double)r.contact_count};
        web_results(results, sizeof results / sizeof *results);
    }
    return (int)status;
}

int web_distance(const tumble_model *a, const tumble_model *b, int given, double within, double relative_error,
                 double absolute_error)
{
    tumble_distance_options options = tumble_default_distance_options();
    options.within = within;
    options.relative_error = relative_error;
    options.absolute_error = absolute_error;
    tumble_distance_result r;
    const tumble_status status = tumble_distance(web.query, a, web_pose(given, 0), b, web_pose(given, 1), &options, &r);
    if (status == TUMBLE_OK) {
        const double *p = r.nearest.point_a, *q = r.nearest.point_b;
        const double results[] = {r.answer,
                                  r.nearest.distance,
                                  r.nearest.polygon_a,
                                  r.nearest.polygon_b,
                                  p[0],
                                  p[1],
                                  p[2],
                                  q[0],
                                  q[1],
                                  q[2],
                                  r.lower,
                                  r.upper};
        web_results(results, sizeof results / sizeof *results);
    }
    return (int)status;
}

int web_relate(const tumble_model *a, const tumble_model *b, int given)
{
    tumble_relation_result r;
    const tumble_status status = tumble_relate(web.query, a, web_pose(given, 0), b, web_pose(given, 1), &r);
    if (status == TUMBLE_OK) {
        const double results[] = {r.relation,      r.closed_a,       r.closed_b,
                                  r.surfaces_meet, r.pair.polygon_a, r.pair.polygon_b};
        web_results(results, sizeof results / sizeof *results);
    }
    return (int)status;
}

const char *web_relation_name(int relation)
{
    return tumble_relation_name((tumble_relation)relation);
}
