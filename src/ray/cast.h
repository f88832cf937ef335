/* What rays at one model and at the objects of a scene share: checks, frames, results. */
#ifndef TUMBLE_SRC_RAY_CAST_H
#define TUMBLE_SRC_RAY_CAST_H

#include "ray/search.h"

/* Fails, with a message that names the ray unless `number` is SIZE_MAX, if it cannot be cast. */
tumble_status tmb_ray_check(tumble_context *context, const tmb_ray *ray, size_t number);

/* A ray in a model's frame; NULL: it is there. 0 if it is not finite there, or has no direction. */
int tmb_ray_move(const tumble_pose *inverse, const tmb_ray *ray, tmb_ray *moved);

/* The inverse of a pose that is checked, for tmb_ray_move; `*inverse` is NULL for the identity. */
tumble_status tmb_ray_invert(tumble_context *context, const tumble_pose *pose, tumble_pose *room,
                             const tumble_pose **inverse);

/* A hit of a search, with its point on the ray as it was given. The search may fail. */
void tmb_ray_hit_at(tmb_ray_search *s, const tmb_ray *given, tmb_ray_found *found, tumble_ray_hit *out);

/* Fails if the radii, of the model's polygons and one on top, have an infinite sum. */
tumble_status tmb_ray_check_radius(const tumble_model *model, double padding);

/* No hit. */
tumble_ray_hit tmb_ray_no_hit(void);

/* Options of a question, which may be NULL. */
tumble_status tmb_ray_check_options(tumble_context *context, const tumble_ray_options *options);

void tmb_ray_memory_release(tumble_context *context, tmb_ray_memory *memory);

#endif
