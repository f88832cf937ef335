/* The table of hierarchies: what the rest of the library asks of each.
 *
 * A hierarchy is a folder beside this file with a descriptor, tmb_hierarchy_NAME, and a row in TUMBLE_HIERARCHY_LIST
 * (tumble/model.h). That is all: models with it are built, saved, loaded, deformed and told of, and the generic walks
 * over boxes answer every question about them (collide/boxes/, near/boxes/). */
#ifndef TUMBLE_SRC_TREE_HIERARCHY_H
#define TUMBLE_SRC_TREE_HIERARCHY_H

#include "tree/box_view.h"
#include "tree/model.h"

typedef struct tmb_creation tmb_creation; /* tree/creation.h */

/* How a model is built. */
typedef struct tmb_hierarchy_builder {
    int (*has_valid_tuning)(const tumble_tuning *tuning); /* NULL: there is nothing to tune */
    tumble_status (*make_block)(tmb_creation *creation);  /* NULL: tmb_creation_make_block, with what follows */
    tumble_status (*build)(tmb_creation *creation);       /* sets the clusters, of one triangle or more, and a draft */
    void (*set_header)(tmb_creation *creation);           /* counts and parameters; NULL: they are 0 */
    tumble_status (*write_nodes)(tmb_creation *creation); /* into the block, whose clusters are there */
} tmb_hierarchy_builder;

/* How nodes are refitted to moved points: from the nodes as they were, with scratch memory whose size is known
 * beforehand. A fit returns 0, having written nothing, if memory for threads runs out; one thread needs none. */
typedef struct tmb_hierarchy_fit {
    size_t (*scratch_bytes)(const tmb_block *block); /* NULL: none is needed */
    int (*fit)(tumble_context *context, uint32_t thread_count, tmb_block *block, const void *from, void *scratch);
    void (*forget)(tmb_block *header); /* NULL, or drops from a header what only a build can make */
} tmb_hierarchy_fit;

/* How polygons come and go. No pointer to a model, mesh or list is NULL; the rest is as in tumble/model.h. */
typedef struct tmb_hierarchy_edit {
    tumble_status (*insert)(tumble_model *model, const tumble_mesh *mesh, uint32_t *first_polygon);
    tumble_status (*remove)(tumble_model *model, const uint32_t *polygons, size_t count);
    tumble_status (*remove_surface)(tumble_model *model, uint32_t surface);
} tmb_hierarchy_edit;

typedef struct tmb_hierarchy {
    tumble_hierarchy number;
    const tmb_hierarchy_builder *builder;

    /* Blocks. `validate` is for blocks with triangles, whose clusters and counts are known to be good. */
    uint64_t (*node_bytes)(const tmb_block *block); /* NULL: there are no nodes */
    int (*has_good_counts)(const tmb_block *block); /* NULL: node_count and depth must be 0 */
    tumble_status (*validate)(tumble_context *context, const tmb_block *block, const void *nodes); /* NULL: no nodes */

    void (*tell)(const tmb_block *block, tumble_tuning *out); /* what it was built with; NULL: nothing is kept */
    const tmb_box_reader *boxes;
    const tmb_hierarchy_fit *fit;   /* NULL: there is nothing to fit */
    const tmb_hierarchy_edit *edit; /* NULL: as most do, see tree/edit/edition.h */
} tmb_hierarchy;

/* The hierarchy with this number, that of AUTO for AUTO; NULL: there is none. */
const tmb_hierarchy *tmb_hierarchy_numbered(uint32_t number);

/* Of a good block. */
const tmb_hierarchy *tmb_hierarchy_of(const tmb_block *block);

/* Whether the options of all hierarchies have values that exist. */
int tmb_hierarchies_have_valid_tuning(const tumble_tuning *tuning);

/* What AUTO stands for. */
#define tmb_hierarchy_AUTO tmb_hierarchy_WIDE

#define TMB_DECLARE_HIERARCHY(name, number, word, text) extern const tmb_hierarchy tmb_hierarchy_##name;
TUMBLE_HIERARCHY_LIST(TMB_DECLARE_HIERARCHY)
#undef TMB_DECLARE_HIERARCHY

#endif
