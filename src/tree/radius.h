/* Models with a radius: the radii in the handle, and in the block.
 *
 * A block with a radius has the version TMB_BLOCK_VERSION_THICK. It is one without, followed by the polygons' radii, if
 * they have their own, and a tail in the last cache line. So has one with flat ends, even if its radius is 0. */
#ifndef TUMBLE_SRC_TREE_RADIUS_H
#define TUMBLE_SRC_TREE_RADIUS_H

#include "tree/model.h"

typedef struct tmb_radius_tail {
    double radius;          /* of all polygons, or the largest; above 0, unless the ends are flat */
    uint64_t count;         /* of radii: as many as there are numbers of polygons, or 0 */
    uint64_t has_flat_ends; /* 0 or 1 */
    uint64_t unused[5];     /* 0 */
} tmb_radius_tail;

_Static_assert(sizeof(tmb_radius_tail) == TMB_CACHE_LINE, "the file format's last line");

/* The bytes of the radii and the tail of a thick block whose header is valid; 0 if it has none, or they cannot be. */
uint64_t tmb_block_radius_bytes(const tmb_block *block);

/* Whether its radii are valid. */
int tmb_block_has_good_radii(const tmb_block *block);

/* Whether two corners of each triangle are equal. */
int tmb_model_has_segments_only(const tumble_model *model);

/* Whether all three are. */
int tmb_model_has_points_only(const tumble_model *model);

/* The former of a block with flat ends, whose geometry is valid; 1 of others. */
int tmb_block_has_good_ends(const tmb_block *block);

/* Takes the radii of a model's block. */
void tmb_model_view_radii(tumble_model *model);

/* For questions about two models that know no cylinders. */
static inline tumble_status tmb_refuse_flat_ends(const tumble_model *a, const tumble_model *b, const char *question)
{
    return tmb_model_is_flat(a) || tmb_model_is_flat(b)
               ? tmb_fail(a->context, TUMBLE_ERROR_UNSUPPORTED,
                          "%s: a model consists of cylinders with flat ends; use capsules, or polygons", question)
               : TUMBLE_OK;
}

/* For questions that know cylinders, but not with round rims. */
static inline tumble_status tmb_refuse_padded_cylinders(const tumble_model *model, double padding)
{
    return tmb_model_is_flat(model) && padding > 0
               ? tmb_fail(model->context, TUMBLE_ERROR_UNSUPPORTED,
                          "an object of cylinders with flat ends has a radius of its own; use capsules, or polygons")
               : TUMBLE_OK;
}

/* A radius: finite and not negative. `number` is that of a polygon, or SIZE_MAX. */
tumble_status tmb_check_radius(tumble_context *context, double radius, size_t number);
tumble_status tmb_check_radii(tumble_context *context, const double *radii, size_t count);

/* The radius of all polygons; or radii, for which there is room in `own_radii`, where they may be already. */
void tmb_model_take_radius(tumble_model *model, double radius);
void tmb_model_take_radii(tumble_model *model, const double *radii, size_t count);

/* The radii of a new model of a mesh. */
tumble_status tmb_model_begin_radii(tumble_model *model, const tumble_mesh *mesh, double radius);

/* Room for so many radii of its own; 0 if memory runs out, and nothing has changed. */
int tmb_model_reserve_radii(tumble_model *model, size_t count);

/* Copies the radii of all polygons to its own, with room for so many more. 0 if memory runs out. */
int tmb_model_own_radii(tumble_model *model, size_t more);

/* Takes the radii of another model, for which there is room. */
void tmb_model_copy_radii(tumble_model *model, const tumble_model *from);

/* As tmb_model_flat, for what radii do not matter to: the block may lack them. */
const tumble_model *tmb_model_flat_polygons(const tumble_model *model);

/* Of a flat model, whose block may lack the radius of `model`, the one whose block has it; NULL if memory runs out,
 * which is recorded. And what is kept for that is dropped. */
const tumble_model *tmb_model_thickened(const tumble_model *model, const tumble_model *flat);
void tmb_model_forget_thickened(tumble_model *model);

#endif
