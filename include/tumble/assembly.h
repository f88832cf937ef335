/* Tumble: assemblies, that is many parts with names, read from files and placed. See docs/clash.md.
 *
 *     tumble_assembly *assembly;
 *     tumble_assembly_create(context, &assembly);
 *     tumble_assembly_read(assembly, "hall.obj");
 *     tumble_assembly_read(assembly, "pipes.stl");
 *     size_t count;
 *     const tumble_assembly_part *parts = tumble_assembly_parts(assembly, &count); */
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
    uint32_t host;    /* number of the part that has the opening which this one fills, of a door the wall; UINT32_MAX */
    tumble_pose pose; /* from the model to the assembly */
    /* What keeps the part from being compared, for example "no polygons"; empty: nothing. Such parts are listed in
     * reports and have no clashes. */
    const char *broken;
    bool is_baked; /* a shear, a mirror image or a scale by axis is part of the model; the pose is a translation */
} tumble_assembly_part;

/* ---- Making an assembly ---- */

typedef struct tumble_assembly tumble_assembly;

/* An assembly owns its models. Only one thread may change it at a time. */
TUMBLE_API tumble_status tumble_assembly_create(tumble_context *context, tumble_assembly **out);

/* Fails with TUMBLE_ERROR_BUSY, and changes nothing, while a scene has objects of a model. */
TUMBLE_API tumble_status tumble_assembly_destroy(tumble_assembly *assembly);

/* Reads an OBJ, OFF, STL or PLY file, or a saved model. Of an OBJ file with objects each object is a part, else each
 * group; any other file is one part. Paths begin with the file's name without its ending. A file that has no polygons,
 * or coordinates that are not finite, is a broken part. After an error the assembly is as before.
 *
 * Errors: those of tumble_mesh_read and tumble_model_create, but TUMBLE_ERROR_NOT_FINITE */
TUMBLE_API tumble_status tumble_assembly_read(tumble_assembly *assembly, const char *path);

/* The same, with all parts moved by a transform, 12 numbers as in tumble_assembly_item; NULL: the identity. */
TUMBLE_API tumble_status tumble_assembly_read_at(tumble_assembly *assembly, const char *path, const double *transform);

/* A model of the assembly, by number. Geometry that is equal to that of a model before, point by point and polygon by
 * polygon, gets the number of that one. A mesh without polygons is refused.
 *
 * Errors: those of tumble_model_create */
TUMBLE_API tumble_status tumble_assembly_add_mesh(tumble_assembly *assembly, const tumble_mesh *mesh, uint32_t *model);

/* The same with a copy of a model, as it is; equal to it is only one of the same bytes (tumble_model_block). */
TUMBLE_API tumble_status tumble_assembly_add_model(tumble_assembly *assembly, const tumble_model *model,
                                                   uint32_t *number);

/* A part to be added. Texts may be NULL. */
typedef struct tumble_assembly_item {
    const char *name, *path; /* the path is the name if it is NULL */
    const char *file, *guid, *class_name, *material;
    uint32_t model; /* from tumble_assembly_add_mesh or add_model; not looked at if the part is broken */
    /* Three rows of four numbers: x' = m[0]*x + m[1]*y + m[2]*z + m[3], and so on; NULL: the identity. What no pose can
     * hold (docs/clash.md) is baked into a model of its own: of each point the linear part, rounded like
     * tumble_pose_apply. Mirror images keep their orientation. */
    const double *transform;
    const char *broken; /* NULL or empty: it is not */
} tumble_assembly_item;

/* Adds a part; its number is the count of those before. A transform that is not finite makes the part broken.
 *
 * Errors: TUMBLE_ERROR_ARGUMENT
 *         TUMBLE_ERROR_INDEX      there is no such model
 *         TUMBLE_ERROR_NOT_FINITE baking overflows
 *         TUMBLE_ERROR_TOO_LARGE  2^32 - 1 parts
 *         TUMBLE_ERROR_MEMORY */
TUMBLE_API tumble_status tumble_assembly_add(tumble_assembly *assembly, const tumble_assembly_item *item);

/* ---- Pairs ---- */

typedef struct tumble_part_pair {
    uint32_t a, b; /* numbers of parts, a < b */
} tumble_part_pair;

/* These two parts are not compared: so two shapes of one link of a robot, and links that an SRDF file disables. Pairs
 * may be given several times.
 *
 * Errors: TUMBLE_ERROR_INDEX  there is no such part
 *         TUMBLE_ERROR_MEMORY */
TUMBLE_API tumble_status tumble_assembly_ignore(tumble_assembly *assembly, uint32_t a, uint32_t b);

/* All of them, each once; valid until the assembly changes. NULL if there are none. */
TUMBLE_API const tumble_part_pair *tumble_assembly_ignored(const tumble_assembly *assembly, size_t *count);

/* The part fills an opening of another one, the host; UINT32_MAX: of none. Nothing follows from this by itself.
 *
 * Errors: TUMBLE_ERROR_INDEX there is no such part */
TUMBLE_API tumble_status tumble_assembly_set_host(tumble_assembly *assembly, uint32_t part, uint32_t host);

/* ---- Reading what there is ---- */

/* All parts, and all models by number; valid until the assembly changes. NULL if there are none. */
TUMBLE_API const tumble_assembly_part *tumble_assembly_parts(const tumble_assembly *assembly, size_t *count);
TUMBLE_API const tumble_model *const *tumble_assembly_models(const tumble_assembly *assembly, size_t *count);

/* The unit and the up axis of all coordinates, as far as they are known: see tumble_clash_result. They change no
 * coordinates. */
TUMBLE_API tumble_status tumble_assembly_set_frame(tumble_assembly *assembly, double metres, int up);
TUMBLE_API void tumble_assembly_frame(const tumble_assembly *assembly, double *metres, int *up);

#ifdef __cplusplus
}
#endif

#endif
