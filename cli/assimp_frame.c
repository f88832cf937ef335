/* What assimp does to a file's coordinates. Its importers turn what they read to y up, some scale it to metres, and
 * left-handed systems are mirrored. All of this stands in the transformation of the root node, or, as to mirroring, is
 * the same as if it did. */
#include "assimp_frame.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foreign.h"
#include "ifc_text.h"
#include "zip_text.h"

void cli_assimp_place(const struct aiMatrix4x4 *m, double out[3][4])
{
    const double rows[3][4] = {{(double)m->a1, (double)m->a2, (double)m->a3, (double)m->a4},
                               {(double)m->b1, (double)m->b2, (double)m->b3, (double)m->b4},
                               {(double)m->c1, (double)m->c2, (double)m->c3, (double)m->c4}};
    memcpy(out, rows, sizeof rows);
}

static void set_identity(double root[3][4])
{
    static const double identity[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    memcpy(root, identity, sizeof identity);
}

static double scale_of(double root[3][4])
{
    return sqrt(root[0][0] * root[0][0] + root[1][0] * root[1][0] + root[2][0] * root[2][0]);
}

/* A decimal number that went through float. */
static double decimal(double number)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", number);
    return strtod(text, NULL);
}

/* ---- one function for each format ---- */

typedef struct frame_job {
    tumble_context *context;
    const struct aiScene *scene;
    const char *path;
    double (*root)[4];
    cli_frame *frame;
} frame_job;

/* The root is the visual scene, which has no place of its own: all that stands there is the unit and the turn. Files
 * that leave them out mean metres and y. */
static void of_collada(const frame_job *job)
{
    const double scale = scale_of(job->root);
    job->frame->metres = decimal(scale);
    job->frame->up = job->root[1][0] > 0.5 * scale ? 1 : job->root[1][2] > 0.5 * scale ? 3 : 2;
    set_identity(job->root);
}

/* Assimp's quarter turn in float: y' = c y + z, z' = -y + c z, where c is a cosine that is not quite 0. What is left of
 * that after turning back is far below what float can tell apart. */
static void turn_back(double root[3][4], double scale)
{
    const double c = (double)cosf(-1.57079632679f), length = 1 + c * c;
    for (int i = 0; i < 4; i++) {
        const double x = root[0][i], y = root[1][i], z = root[2][i];
        const double back[3] = {x / scale, (c * y - z) / length / scale, (y + c * z) / length / scale};
        for (int k = 0; k < 3; k++) {
            root[k][i] = fabs(back[k]) < 1e-12 ? 0 : (double)(float)back[k];
        }
    }
}

/* The root is a site with a place of its own, in front of which stand the scale to metres and the turn. */
static void of_ifc(const frame_job *job)
{
    const double scale = (double)(float)scale_of(job->root);
    if (scale > 0 && isfinite(scale)) {
        turn_back(job->root, scale);
    }
    job->frame->metres = cli_ifc_unit(job->context, job->path);
    job->frame->up = 3;
}

static void of_gltf(const frame_job *job)
{
    *job->frame = (cli_frame){1, 2}; /* by specification */
}

static void of_3mf(const frame_job *job)
{
    *job->frame = (cli_frame){cli_3mf_unit(job->context, job->path), 3};
}

static void of_amf(const frame_job *job)
{
    job->frame->metres = cli_amf_unit(job->context, job->path);
}

static double metadata(const struct aiScene *scene, const char *key, double otherwise)
{
    const struct aiMetadata *all = scene->mMetaData;
    for (unsigned i = 0; all && i < all->mNumProperties; i++) {
        const struct aiMetadataEntry *entry = &all->mValues[i];
        if (strcmp(all->mKeys[i].data, key) == 0 && entry->mData) {
            switch (entry->mType) {
            case AI_INT32: return *(const int32_t *)entry->mData;
            case AI_FLOAT: return (double)*(const float *)entry->mData;
            case AI_DOUBLE: return *(const double *)entry->mData;
            default: return otherwise;
            }
        }
    }
    return otherwise;
}

/* The unit is given in centimetres. Later versions of assimp turn at the root, which has no place of its own. */
static void of_fbx(const frame_job *job)
{
    const double factor = metadata(job->scene, "UnitScaleFactor", 0), up = metadata(job->scene, "UpAxis", -1);
    const double sign = metadata(job->scene, "UpAxisSign", 1);
    job->frame->metres = factor > 0 && isfinite(factor) ? decimal(factor / 100) : 0;
    job->frame->up = up >= 0 && up <= 2 ? ((int)up + 1) * (sign < 0 ? -1 : 1) : 0;
    set_identity(job->root);
}

/* The root is the importer's own, and has its turn, or the scale of 3DS, alone. */
static void of_turned(const frame_job *job)
{
    set_identity(job->root);
}

static void of_mirrored(const frame_job *job)
{
    for (int i = 0; i < 4; i++) {
        job->root[2][i] = -job->root[2][i];
    }
}

void cli_assimp_frame(tumble_context *context, const struct aiScene *scene, const char *path, double root[3][4],
                      cli_frame *frame)
{
    static const struct {
        const char *ending;
        void (*find)(const frame_job *job);
    } formats[] = {{"dae", of_collada},  {"zae", of_collada},  {"ifc", of_ifc},      {"ifczip", of_ifc},
                   {"gltf", of_gltf},    {"glb", of_gltf},     {"3mf", of_3mf},      {"amf", of_amf},
                   {"fbx", of_fbx},      {"dxf", of_turned},   {"3ds", of_turned},   {"prj", of_turned},
                   {"ase", of_turned},   {"ask", of_turned},   {"md2", of_turned},   {"md3", of_turned},
                   {"mdc", of_turned},   {"mdl", of_turned},   {"iqm", of_turned},   {"md5mesh", of_turned},
                   {"x", of_mirrored},   {"lwo", of_mirrored}, {"lxo", of_mirrored}, {"lws", of_mirrored},
                   {"b3d", of_mirrored}, {"3d", of_mirrored}};
    const frame_job job = {context, scene, path, root, frame};
    const cli_ending ending = cli_ending_of(path);
    *frame = (cli_frame){0, 0};
    cli_assimp_place(&scene->mRootNode->mTransformation, root);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strcmp(ending.text, formats[i].ending) == 0) {
            formats[i].find(&job);
        }
    }
}
