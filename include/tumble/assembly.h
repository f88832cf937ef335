/* Tumble: assemblies, that is many parts with names, read from files and placed. See docs/clash.md. */
#ifndef TUMBLE_ASSEMBLY_H
#define TUMBLE_ASSEMBLY_H

#include "base.h"
#include "math.h"
#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Parts ---- */

/* A part: a model at a place, under a name. Texts are UTF-8, and empty, never NULL, where the file says nothing. */
typedef struct tumble_assembly_part {
    const char *name;       /* of the part itself: of a glTF node, an OBJ object, an IFC product */
    const char *path;       /* names from the root down to the part with '/' between them; not necessarily unique */
    const char *file;       /* as it was given */
    const char *guid;       /* of IFC: 22 characters */
    const char *class_name; /* of IFC: "IfcWall"; else what the format has, such as "link" */
    const char *material;
    /* The part's name across runs: the GUID if there is one, else file and path; of parts that would have the same one,
     * the second ends with "#2", and so on. Unique within the assembly. */
    const char *key;
    uint32_t model;   /* number of its geometry, which other parts may have, too; UINT32_MAX if it is broken */
    tumble_pose pose; /* from the model to the assembly */
    /* What keeps the part from being compared, for example "no polygons"; empty: nothing. Such parts are listed in
     * reports and have no clashes. */
    const char *broken;
    bool is_baked; /* a shear, a mirror image or a scale by axis is part of the model; the pose is the identity */
} tumble_assembly_part;

#ifdef __cplusplus
}
#endif

#endif
