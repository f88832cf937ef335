/* Rays at models with a radius: triangles as the solids of their polygons. */
#include "base/assert.h"
#include "ray/search.h"

static double radius_of(const tmb_ray_search *s, uint32_t address)
{
    return tmb_model_radius(s->model, tmb_model_polygon(s->model, address)) + s->padding;
}

static void get_solid(const tmb_ray_search *s, uint32_t address, tmb_thick_triangle *out)
{
    tmb_model_corners(s->model, address, out->corners);
    out->radius = radius_of(s, address);
    out->has_flat_ends = tmb_model_is_flat(s->model);
}

static void note_failure(tmb_ray_search *s)
{
    if (s->memory->exact.failed) {
        s->has_failed = s->is_over = 1;
    }
}

/* What is met after the limit does not matter. */
int tmb_ray_thick_meets(tmb_ray_search *s, uint32_t address, tmb_ray_point *at)
{
    tmb_thick_triangle solid;
    tmb_ray ray = s->ray;
    TMB_ASSERT(s->reach > 0);
    get_solid(s, address, &solid);
    ray.last = s->limit;
    const int meets = solid.radius > 0
                          ? tmb_thick_ray_meets(&ray, &solid, at, &s->memory->exact, &s->counters.exact_tests)
                          : tmb_ray_meets(&s->ray, (const double(*)[3])solid.corners, at, &s->counters.exact_tests);
    note_failure(s);
    return meets && !s->has_failed;
}

void tmb_ray_thick_round(tmb_ray_search *s, const tmb_ray *ray, tmb_ray_found *found)
{
    tmb_thick_triangle solid;
    get_solid(s, found->address, &solid);
    tmb_thick_ray_round(ray, &solid, &found->at, &s->memory->exact);
    note_failure(s);
}

int tmb_ray_thick_compare(tmb_ray_search *s, tmb_ray_found *a, tmb_ray_found *b)
{
    tmb_thick_triangle first, second;
    get_solid(s, a->address, &first);
    get_solid(s, b->address, &second);
    const int order = tmb_thick_ray_compare(&s->ray, &first, &a->at, &second, &b->at, &s->memory->exact);
    note_failure(s);
    return order;
}
