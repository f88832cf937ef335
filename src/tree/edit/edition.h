/* An edit of a model that is not an R-tree: what goes, what comes, and the model afterwards.
 *
 * Everything that can fail comes before the first change of the model, so an edit happens as a whole or not at all. */
#ifndef TUMBLE_SRC_TREE_EDIT_EDITION_H
#define TUMBLE_SRC_TREE_EDIT_EDITION_H

#include "tree/edit/soup.h"

typedef struct tmb_edition {
    tumble_model *model;
    tmb_arena arena;
    uint8_t *states; /* of the polygons before the edit: */
#define TMB_POLYGON_ABSENT 0
#define TMB_POLYGON_STAYS 1
#define TMB_POLYGON_GOES 2
    uint32_t gone_count;           /* polygons */
    tmb_soup more;                 /* triangles that come */
    uint32_t more_count;           /* and their polygons, which have the next numbers */
    const uint32_t *more_surfaces; /* NULL: all 0 */
} tmb_edition;

/* As tumble_model_insert, tumble_model_remove and tumble_model_remove_surface, with arguments that are not NULL. */
tumble_status tmb_edition_insert(tumble_model *model, const tumble_mesh *mesh, uint32_t *first_polygon);
tumble_status tmb_edition_remove(tumble_model *model, const uint32_t *polygons, size_t count);
tumble_status tmb_edition_remove_surface(tumble_model *model, uint32_t surface);

/* Makes the model anew, as a whole. */
tumble_status tmb_edition_rebuild(tmb_edition *edition);

#endif
