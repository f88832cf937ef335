/* Questions about one model: itself, rays, points. */
#include "web.h"

#include <math.h>

int web_self(const tumble_model *model, double clearance, uint32_t rings, int soup, int want_contacts)
{
    tumble_self_options options = tumble_default_self_options();
    options.clearance = clearance;
    options.rings = rings;
    options.soup = soup != 0;
    options.want_contacts = want_contacts != 0;
    tumble_self_result r;
    const tumble_status status = tumble_self_collide(web.query, model, &options, &r);
    if (status == TUMBLE_OK) {
        const double results[] = {web_address(r.pairs), (double)r.pair_count, web_address(r.contacts),
                                  (double)r.contact_count};
        web_results(results, sizeof results / sizeof *results);
    }
    return (int)status;
}

const char *web_self_kind_name(int kind)
{
    return tumble_self_kind_name((tumble_self_kind)kind);
}

/* ---- Rays ---- */

int web_rays(const tumble_model *model, int given, size_t count, const double *origins, const double *directions,
             double t0, double t1, tumble_ray_hit *hits)
{
    tumble_ray_options options = tumble_default_ray_options();
    options.t0 = t0;
    options.t1 = t1;
    tumble_ray_batch batch = tumble_default_ray_batch();
    batch.count = count;
    batch.origins = origins;
    batch.directions = directions;
    batch.hits = hits;
    tumble_ray_result result;
    return (int)tumble_rays(web.query, model, web_pose(given, 0), &batch, &options, &result);
}

int web_ray_all(const tumble_model *model, int given, const double *ray, double t0, double t1)
{
    tumble_ray_options options = tumble_default_ray_options();
    options.mode = TUMBLE_ALL;
    options.t0 = t0;
    options.t1 = t1;
    tumble_ray_result result;
    const tumble_status status = tumble_ray(web.query, model, web_pose(given, 0), ray, ray + 3, &options, &result);
    if (status == TUMBLE_OK) {
        const double results[] = {web_address(result.hits), (double)result.hit_count};
        web_results(results, 2);
    }
    return (int)status;
}

/* ---- Points ---- */

int web_inside(const tumble_model *model, int given, const double *points, size_t count, int rule,
               tumble_inside_answer *answers)
{
    tumble_inside_options options = tumble_default_inside_options();
    options.rule = (tumble_inside_rule)rule;
    return (int)tumble_inside(web.query, model, web_pose(given, 0), points, count, &options, answers, NULL);
}

const char *web_place_name(int place)
{
    return tumble_place_name((tumble_place)place);
}

int web_closest(const tumble_model *model, int given, const double *points, size_t count, double within, int want_sign)
{
    tumble_closest_options options = tumble_default_closest_options();
    options.within = within;
    options.want_sign = want_sign != 0;
    tumble_closest_result result;
    const tumble_status status =
        tumble_closest_points(web.query, model, web_pose(given, 0), points, count, &options, &result);
    if (status == TUMBLE_OK) {
        const double results[] = {web_address(result.closest), result.closed};
        web_results(results, 2);
    }
    return (int)status;
}

static int give_overlap(tumble_status status, const tumble_overlap_result *result)
{
    if (status == TUMBLE_OK) {
        const double results[] = {web_address(result->polygons), (double)result->polygon_count};
        web_results(results, 2);
    }
    return (int)status;
}

int web_overlap_box(const tumble_model *model, int given, double x, double y, double z)
{
    const double half_extents[3] = {x, y, z};
    tumble_overlap_result result;
    return give_overlap(
        tumble_overlap_box(web.query, model, web_pose(given, 0), web_pose(given, 1), half_extents, NULL, &result),
        &result);
}

int web_overlap_sphere(const tumble_model *model, int given, double x, double y, double z, double radius)
{
    const double centre[3] = {x, y, z};
    tumble_overlap_result result;
    return give_overlap(tumble_overlap_sphere(web.query, model, web_pose(given, 0), centre, radius, NULL, &result),
                        &result);
}
