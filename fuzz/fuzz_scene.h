/* What the fuzzers of queries share: small meshes and poses from bytes. */
#ifndef TUMBLE_FUZZ_SCENE_H
#define TUMBLE_FUZZ_SCENE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tumble/hierarchies.h"
#include "tumble/tumble.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define POINTS_MOST 16
#define POLYGONS_MOST 7
#define COPIES_MOST 15 /* besides the first: enough for two levels of nodes */
#define COPIES_FEW 1   /* of the other mesh, as brute force takes its time */

/* Bytes that never end: after the last one come zeros. */
typedef struct bytes {
    const uint8_t *data;
    size_t size;
} bytes;

static inline unsigned next(bytes *in)
{
    if (in->size == 0) {
        return 0;
    }
    in->size--;
    return *in->data++;
}

static inline int next_signed(bytes *in)
{
    return (int)next(in) - 128;
}

static inline double next_double(bytes *in)
{
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) {
        bits = bits << 8 | next(in);
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? value : 1;
}

/* How the numbers of a mesh or a pose are made. */
typedef struct number_kind {
    unsigned kind;
    double scale, shift;
} number_kind;

/* Powers of two near all kinds of limits. */
static inline double next_scale(bytes *in)
{
    static const short exponents[] = {-1074, -1070, -1050, -1022, -540, -500, -150, -20,
                                      -1,    1,     20,    100,   500,  540,  1000, 1010};
    return ldexp(1, exponents[next(in) % (sizeof exponents / sizeof *exponents)]);
}

static inline number_kind next_kind(bytes *in)
{
    number_kind made = {next(in), 1, 0};
    if (made.kind & 8) {
        made.scale = next_scale(in);
    }
    if (made.kind & 16) {
        made.shift = ldexp((double)next_signed(in), next_signed(in) / 4) * made.scale;
    }
    return made;
}

static inline double finite(double x)
{
    return isfinite(x) ? x : 0;
}

static inline double next_number(bytes *in, const number_kind *kind)
{
    switch (kind->kind & 7) {
    case 7: return next_double(in);
    case 0: return finite(kind->shift + kind->scale * (next_signed(in) / 32));
    case 1: return finite(kind->shift + kind->scale * next_signed(in));
    case 2: return finite(kind->shift + kind->scale * (next_signed(in) / 128.0));
    default:
        return nextafter(finite(kind->shift + kind->scale * (next_signed(in) / 16)), next(in) & 1 ? 1e308 : -1e308);
    }
}

typedef struct small_mesh {
    double points[3 * POINTS_MOST * (1 + COPIES_MOST)];
    uint32_t corners[5 * POLYGONS_MOST * (1 + COPIES_MOST)], sizes[POLYGONS_MOST * (1 + COPIES_MOST)];
    uint32_t surfaces[POLYGONS_MOST * (1 + COPIES_MOST)];
    tumble_mesh mesh;
} small_mesh;

/* A few surfaces, spread over the polygons; their number follows from that of the polygons. */
#define SURFACES_MOST 5
static inline void give_surfaces(small_mesh *mesh)
{
    const size_t polygons = mesh->mesh.polygon_count;
    for (size_t i = 0; i < polygons; i++) {
        mesh->surfaces[i] = (uint32_t)(i * i % (1 + polygons % SURFACES_MOST));
    }
    mesh->mesh.surface_ids = mesh->surfaces;
}

static inline void next_mesh(bytes *in, small_mesh *out)
{
    const number_kind kind = next_kind(in);
    const size_t points = 1 + next(in) % POINTS_MOST;
    const size_t polygons = next(in) % (POLYGONS_MOST + 1);
    const int large = (kind.kind & 64) != 0;
    for (size_t i = 0; i < 3 * points; i++) {
        out->points[i] = next_number(in, &kind);
    }
    size_t corners = 0;
    for (size_t i = 0; i < polygons; i++) {
        out->sizes[i] = large ? 3 + next(in) % 3 : 3;
        for (uint32_t k = 0; k < out->sizes[i]; k++) {
            out->corners[corners++] = (uint32_t)(next(in) % points);
        }
    }
    out->mesh = tumble_default_mesh();
    out->mesh.points = out->points;
    out->mesh.point_count = points;
    out->mesh.indices = out->corners;
    out->mesh.index_count = corners;
    out->mesh.polygon_sizes = out->sizes;
    out->mesh.polygon_count = polygons;
}

/* Copies of the mesh, each a step further, and each with the same points or with points of its own. */
static inline void next_copies(bytes *in, unsigned most, small_mesh *out)
{
    tumble_mesh *mesh = &out->mesh;
    const size_t points = mesh->point_count, corners = mesh->index_count, polygons = mesh->polygon_count;
    const size_t triangles = corners - 2 * polygons; /* of larger polygons there are fewer copies */
    const unsigned copies = next(in) % (1 + (triangles > POLYGONS_MOST ? most / 3 : most));
    if (copies == 0) {
        return;
    }
    const number_kind kind = next_kind(in);
    for (unsigned copy = 1; copy <= copies; copy++) {
        const int shared = next(in) % 4 == 0;
        for (size_t i = 0; i < corners; i++) {
            out->corners[copy * corners + i] = out->corners[i] + (shared ? 0 : (uint32_t)(copy * points));
        }
        memcpy(out->sizes + copy * polygons, out->sizes, polygons * sizeof *out->sizes);
        double step[3];
        for (int k = 0; k < 3; k++) {
            step[k] = next_number(in, &kind);
        }
        for (size_t i = 0; i < 3 * points; i++) {
            out->points[3 * copy * points + i] = finite(out->points[i] + step[i % 3]);
        }
    }
    mesh->point_count = points * (1 + copies);
    mesh->index_count = corners * (1 + copies);
    mesh->polygon_count = polygons * (1 + copies);
}

static inline tumble_pose next_pose(bytes *in, tumble_context *context)
{
    const unsigned kind = next(in);
    tumble_pose pose = tumble_pose_identity();
    if (kind & 1) {
        const double quaternion[4] = {next_signed(in), next_signed(in), next_signed(in), next_signed(in)};
        const double zero[3] = {0, 0, 0};
        (void)tumble_pose_from_quaternion(context, quaternion, 1, zero, &pose);
    } else if (kind & 2) {
        const int axis = (int)(next(in) % 3), next_axis = (axis + 1) % 3;
        pose.m[axis][axis] = pose.m[next_axis][next_axis] = 0;
        pose.m[axis][next_axis] = -1;
        pose.m[next_axis][axis] = 1;
    }
    if (kind & 4) {
        const double scale = kind & 8 ? next_scale(in) : 1 + next(in) / 64.0;
        for (int i = 0; i < 9; i++) {
            pose.m[i / 3][i % 3] *= scale;
        }
    }
    if (kind & 16) {
        const number_kind numbers = next_kind(in);
        for (int i = 0; i < 3; i++) {
            pose.m[i][3] = next_number(in, &numbers);
        }
    }
    return pose;
}

/* ---- What an input may cost ---- */

/* Contexts are made once. */
static inline tumble_context *kept_context(unsigned simd)
{
    static tumble_context *contexts[4];
    tumble_context_options options = tumble_default_context_options();
    options.thread_count = 1;
    options.simd = (tumble_simd)(simd & 3);
    if (!contexts[simd & 3] && tumble_context_create(&options, &contexts[simd & 3]) != TUMBLE_OK) {
        abort();
    }
    return contexts[simd & 3];
}

/* The exponents of numbers that are compared exactly with each other. */
typedef struct exponent_range {
    int lowest, highest;
} exponent_range;

static inline void include_point(exponent_range *range, const double point[3])
{
    for (int i = 0; i < 3; i++) {
        if (point[i] != 0 && isfinite(point[i])) {
            const int exponent = ilogb(point[i]);
            range->lowest = exponent < range->lowest ? exponent : range->lowest;
            range->highest = exponent > range->highest ? exponent : range->highest;
        }
    }
}

/* The time that an exact comparison of two triangles may take, roughly: 1 where expansions of doubles do it, else the
 * square of the integers' words, which is up to 70. */
static inline size_t exact_cost(const small_mesh meshes[2], const tumble_pose poses[2])
{
    const tumble_pose relative = tumble_pose_relative(&poses[0], &poses[1]);
    exponent_range range = {0, 0};
    for (size_t i = 0; i < meshes[0].mesh.point_count; i++) {
        include_point(&range, meshes[0].points + 3 * i);
    }
    for (size_t i = 0; i < meshes[1].mesh.point_count; i++) {
        double moved[3];
        tumble_pose_apply(&relative, meshes[1].points + 3 * i, moved);
        include_point(&range, moved);
        include_point(&range, meshes[1].points + 3 * i);
    }
    const size_t words = (size_t)(range.highest - range.lowest + 53) / 32;
    return words < 10 ? 1 : words * words / 4;
}

/* Keeps the first polygons. */
static inline void cut_mesh(small_mesh *mesh, size_t polygons)
{
    if (mesh->mesh.polygon_count > polygons) {
        mesh->mesh.polygon_count = polygons;
        mesh->mesh.index_count = 0;
        for (size_t i = 0; i < polygons; i++) {
            mesh->mesh.index_count += mesh->sizes[i];
        }
    }
}

/* Leaves as many polygons as can be compared at this cost, most of them in the mesh that has more. */
static inline void limit_meshes(small_mesh meshes[2], const tumble_pose poses[2], size_t budget)
{
    const size_t pairs = budget / exact_cost(meshes, poses);
    const int larger = meshes[1].mesh.polygon_count > meshes[0].mesh.polygon_count;
    const size_t few = pairs < 4 ? 1 : pairs < 64 ? 2 : POLYGONS_MOST;
    cut_mesh(&meshes[!larger], few);
    const size_t fewer = meshes[!larger].mesh.polygon_count;
    cut_mesh(&meshes[larger], pairs / (fewer ? fewer : 1) > 1 ? pairs / (fewer ? fewer : 1) : 1);
}

static inline tumble_model *make(tumble_context *context, const small_mesh *mesh, const tumble_model_options *options)
{
    tumble_model *model = NULL;
    if (tumble_model_create(context, &mesh->mesh, options, &model) != TUMBLE_OK) {
        abort();
    }
    return model;
}

#endif
