/* A model that is being edited, with any hierarchy but R-trees.
 *
 * Its polygons are in sections, about as many as each of them has triangles. A section is built by the ordinary builder
 * and lies in one piece in arrays that grow: clusters, which have room for 16 corners each, and nodes. Above the
 * sections' roots there is a small tree of the same kind of nodes. Traversals see the same structs as in a block.
 *
 * An edit builds the sections anew that it touches, and the tree above. Nodes have their boxes in a frame, or grid,
 * that is larger than the model; if the model leaves it, or after many edits, all sections are made anew. The block is
 * made on demand (tmb_live_flat). */
#ifndef TUMBLE_SRC_TREE_EDIT_LIVE_H
#define TUMBLE_SRC_TREE_EDIT_LIVE_H

#include <pthread.h>

#include "tree/edit/edition.h"
#include "tree/edit/remake.h"
#include "tree/edit/split.h"

#define TMB_LIVE_NONE UINT32_MAX
#define TMB_LIVE_GOES (1u << 31) /* in the section of a polygon: while an edit checks what it removes */

#define TMB_LIVE_ROOT_WORDS 48

typedef struct tmb_live_section {
    uint32_t cluster, cluster_room, cluster_count;
    uint32_t node, node_room; /* without the root, which is copied to the tree above */
    uint32_t triangle_count;  /* 0: there is no such section */
    uint32_t depth;
    double lower[3], upper[3];
    uint32_t root[TMB_LIVE_ROOT_WORDS]; /* what the hierarchy keeps of it */
} tmb_live_section;

/* The tree over sections, as it is planned. */
typedef struct tmb_top_node {
    tmb_split_box box;
    uint32_t children; /* the first of two; 0: a section */
    uint32_t section;
} tmb_top_node;

typedef struct tmb_live {
    tumble_context *context;
    const struct tmb_live_kind *kind;
    tumble_tuning tuning;
    tmb_block header;                /* what queries examine; it has no sections */
    double frame[2][3], inner[2][3]; /* what nodes are relative to, and where all points must be */
    tmb_local_frame local;           /* of the frame */

    uint32_t cluster_used, cluster_room, idle_clusters;
    tmb_cluster_place *places; /* one more */
    uint32_t *clusters;
    uint8_t *polygons;                                   /* of addresses, 4 bytes each */
    uint32_t node_used, node_room, top_room, node_bytes; /* the tree over sections comes first */
    char *nodes;

    uint32_t section_count, section_room;
    tmb_live_section *sections;
    tmb_split_item *items; /* for planning: as many */
    tmb_top_node *top;     /* twice as many */
    void *scratch;         /* the hierarchy's, for the same */

    uint32_t *polygon_sections; /* TMB_LIVE_NONE: removed */
    uint32_t *polygon_surfaces; /* ids, also of those that are removed */
    uint32_t polygon_room, polygon_limit, polygon_count;
    uint32_t triangle_count;
    uint64_t made_of, changed; /* triangles when all sections were made, and those that came or went since */
    uint64_t work;             /* triangles of sections that were built, since the first edit: what edits cost */

    pthread_mutex_t flat_lock; /* guards the block */
    tumble_model *flat;        /* NULL: not made since the last edit */
} tmb_live;

/* What a hierarchy does for it. A part is the block of a section, whose bounds are the frame's. */
typedef struct tmb_live_kind {
    int (*suits)(const tumble_tuning *tuning);           /* NULL: always */
    uint32_t (*node_bytes)(const tumble_tuning *tuning); /* of a node */
    uint32_t (*node_count)(const tmb_block *part);       /* without the root */
    size_t (*top_count)(size_t section_count);           /* nodes of the tree over sections, with their roots */
    size_t scratch_bytes;                                /* for each of these nodes */
    int (*prepare)(tumble_context *context, tmb_block *part,
                   tmb_live_section *section); /* sets the root; 0: no memory */
    void (*place)(tmb_live *live, const tmb_block *part,
                  tmb_live_section *section); /* copies nodes, with other links */
    void (*write_top)(tmb_live *live);        /* and the parts of the header that it knows */
} tmb_live_kind;

/* NULL: the hierarchy has none for this tuning. */
const tmb_live_kind *tmb_live_kind_of(const tumble_model *model);

/* ---- live_memory.c ---- */

/* An empty one; NULL if memory runs out. */
tmb_live *tmb_live_allocate(tumble_context *context);
void tmb_live_destroy(tmb_live *live);
uint64_t tmb_live_bytes(const tmb_live *live);

/* Room for this many more, or in all; 0 if memory runs out, and nothing has changed. */
int tmb_live_reserve(tmb_live *live, uint64_t clusters, uint64_t nodes);
int tmb_live_reserve_sections(tmb_live *live, uint32_t count);
int tmb_live_reserve_polygons(tmb_live *live, uint32_t more);

/* Makes the model refer to its live arrays as they are. */
void tmb_live_view(tumble_model *model);

/* As a block, valid until the next edit. NULL if memory runs out; that is recorded. */
const tumble_model *tmb_live_flat(const tumble_model *model);

/* ---- live_sections.c ---- */

/* A section that is built, but not yet in its place. */
typedef struct tmb_live_part {
    tmb_block *block;
    tmb_live_section section;
    uint32_t number; /* of the section whose place it takes */
} tmb_live_part;

typedef struct tmb_live_parts {
    tmb_buffer items; /* tmb_live_part */
    size_t count;
} tmb_live_parts;

static inline tmb_live_part *tmb_live_part_at(const tmb_live_parts *parts, size_t i)
{
    TMB_ASSERT(i < parts->count);
    return (tmb_live_part *)parts->items.data + i;
}

/* How many triangles a section should have at most. */
uint32_t tmb_live_section_size(uint64_t triangle_count);

/* Adds sections of `size` triangles at most, unless a polygon alone has more: no polygon is in two of them. On failure
 * the parts that were added are still there. */
tumble_status tmb_live_build(const tmb_live *live, tmb_arena *arena, const tmb_soup *soup, uint32_t size,
                             tmb_live_parts *out);
void tmb_live_release_parts(tumble_context *context, tmb_live_parts *parts);

/* Puts a part in the place of section `number`, for which there is room. */
void tmb_live_put(tmb_live *live, uint32_t number, const tmb_live_part *part);
/* Whether it fits where a section was, and what it needs otherwise. */
int tmb_live_fits(const tmb_live *live, uint32_t number, const tmb_live_part *part);
uint32_t tmb_live_cluster_room(const tmb_live_part *part);
uint32_t tmb_live_node_room(const tmb_live *live, const tmb_live_part *part);
void tmb_live_drop(tmb_live *live, uint32_t number);

/* Plans and writes the tree over the sections, and the header. */
void tmb_live_finish(tmb_live *live);

tmb_split_box tmb_live_box(const tmb_live *live, const double lower[3], const double upper[3]);

/* ---- live_edit.c ---- */

/* All that a model becomes, in sections. `*out` is NULL where that is not possible. */
tumble_status tmb_live_create(const tumble_model *model, const tmb_remake *remake, tmb_live **out);

/* An edit of a model that is live already; `*done` says whether it was possible. */
tumble_status tmb_live_update(tmb_edition *edition, int *done);

#endif
