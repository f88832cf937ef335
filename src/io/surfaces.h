/* Surfaces of OBJ files: every combination of object, group and material that has a face is one. */
#ifndef TUMBLE_SRC_IO_SURFACES_H
#define TUMBLE_SRC_IO_SURFACES_H

#include "io/mesh_buffer.h"

typedef enum tmb_surface_part {
    TMB_SURFACE_OBJECT,
    TMB_SURFACE_GROUP,
    TMB_SURFACE_MATERIAL,
    TMB_SURFACE_PARTS = TMB_NAME_PARTS
} tmb_surface_part;

/* A hash table of numbered items with linear probing: a slot holds an item's number plus one. */
typedef struct tmb_surface_table {
    tmb_buffer items;
    uint32_t count;
    tmb_buffer slots;
    uint64_t mask; /* number of slots less one; 0 before the first item */
} tmb_surface_table;

typedef struct tmb_surfaces {
    tumble_context *context;
    uint64_t seed;
    tmb_surface_table names;             /* of objects, groups and materials alike */
    tmb_surface_table combinations;      /* in the order in which faces used them */
    uint32_t current[TMB_SURFACE_PARTS]; /* number of a name plus one; 0: none was given */
    uint32_t surface;                    /* of the current combination */
    int known;                           /* whether `surface` is up to date */
} tmb_surfaces;

void tmb_surfaces_begin(tmb_surfaces *surfaces, tumble_context *context);
void tmb_surfaces_release(tmb_surfaces *surfaces);

/* A new name for a part. The text must stay where it is. */
tumble_status tmb_surfaces_set(tmb_surfaces *surfaces, tmb_surface_part part, const char *name, size_t length);

/* Brings surfaces->surface up to date, for a face that comes now. */
tumble_status tmb_surfaces_find(tmb_surfaces *surfaces);

/* Passes all names to the mesh at the end. */
tumble_status tmb_surfaces_name(const tmb_surfaces *surfaces, tumble_mesh_buffer *buffer);

#endif
