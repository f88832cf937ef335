/* What a program can pass in: meshes with any counts, indices, strides and numbers are refused with a message, or made
 * into a model that keeps every polygon; and any numbers are refused as a pose, or are one in every function. */
#include <stdio.h>

#include "fuzz_scene.h"

enum {
    CORNERS_MOST = 64,
    SIZES_MOST = 12,
    BYTES_MOST = 8 * 3 * POINTS_MOST
};

static void require(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "not so: %s\n", what);
        abort();
    }
}

static void require_message(tumble_context *context, tumble_status status)
{
    char text[16] = "";
    require(tumble_last_error(context, text, sizeof text) == status && text[0] != '\0', "a message");
}

/* ---- Meshes ---- */

/* Mostly right: what is wrong is one of the things that a byte can make wrong. */
static tumble_mesh next_rough_mesh(bytes *in, small_mesh *small, float floats[3 * POINTS_MOST],
                                   unsigned char spread[2 * BYTES_MOST])
{
    const unsigned choice = next(in), wrong = next(in);
    next_mesh(in, small);
    tumble_mesh mesh = small->mesh;
    for (size_t i = 0; i < 3 * mesh.point_count; i++) {
        floats[i] = (float)small->points[i];
    }
    if (choice & 1) {
        mesh.points = NULL;
        mesh.points_float = floats;
    }
    if ((choice & 6) == 6) { /* every point is followed by something else */
        const size_t item = choice & 1 ? sizeof *floats : sizeof *small->points, stride = item * (4 + (choice >> 6));
        const void *points = choice & 1 ? (const void *)floats : (const void *)small->points;
        for (size_t i = 0; i < mesh.point_count && (i + 1) * stride <= (size_t)2 * BYTES_MOST; i++) {
            memcpy(spread + i * stride, (const char *)points + 3 * i * item, 3 * item);
        }
        mesh.point_count = mesh.point_count * stride <= (size_t)2 * BYTES_MOST ? mesh.point_count : 1;
        mesh.point_stride = stride;
        mesh.points = choice & 1 ? NULL : (const double *)(void *)spread;
        mesh.points_float = choice & 1 ? (const float *)(void *)spread : NULL;
    }
    if (choice & 8) {
        mesh.polygon_sizes = NULL;
        mesh.polygon_count = choice & 16 ? mesh.index_count / 3 : 0;
    }
    switch (wrong) {
    case 1: mesh.index_count += next(in) % 5; break; /* there is room */
    case 2: mesh.polygon_count = next(in) % (POLYGONS_MOST + 1); break;
    case 3: small->sizes[next(in) % POLYGONS_MOST] = next(in) % 4; break;
    case 4: small->corners[next(in) % (5 * POLYGONS_MOST)] = (uint32_t)next(in) << next(in) % 25; break;
    case 5: small->points[next(in) % 3] = next(in) & 1 ? INFINITY : NAN; break;
    case 6: floats[next(in) % 3] = next(in) & 1 ? INFINITY : NAN; break;
    case 7: mesh.point_stride = next(in); break;
    case 8: mesh.point_count = next(in) % mesh.point_count + (next(in) == 7 ? SIZE_MAX / 8 : 0); break;
    case 9: mesh.points = NULL; break;
    case 10: mesh.indices = NULL; break;
    case 11: mesh.polygon_count = SIZE_MAX / (1 + next(in)); break;
    case 12: mesh.index_count = SIZE_MAX / (1 + next(in)); break;
    default: break;
    }
    return mesh;
}

/* A count that is said and not there may only be read when it is refused before. */
static int is_safe(const tumble_mesh *mesh, const small_mesh *small)
{
    const size_t item = mesh->points ? sizeof(double) : sizeof(float);
    const size_t stride = mesh->point_stride ? mesh->point_stride : 3 * item;
    return stride * (mesh->point_count < 1000 ? mesh->point_count : 1000) <= BYTES_MOST &&
           mesh->point_count <= POINTS_MOST && mesh->index_count <= sizeof small->corners / sizeof *small->corners &&
           mesh->polygon_count <= sizeof small->sizes / sizeof *small->sizes;
}

static void check_mesh(bytes *in, tumble_context *context)
{
    static small_mesh small;
    static float floats[BYTES_MOST / sizeof(float)]; /* as far as a stride may go */
    static _Alignas(8) unsigned char spread[2 * BYTES_MOST];
    const unsigned hierarchy = next(in) % 6;
    const tumble_mesh mesh = next_rough_mesh(in, &small, floats, spread);
    tumble_model_options options = tumble_default_model_options();
    tumble_model_info info;
    tumble_model *model = NULL;
    options.hierarchy = (tumble_hierarchy)hierarchy;
    options.deformable = next(in) & 1;
    if (!is_safe(&mesh, &small)) {
        return;
    }
    const tumble_status status = tumble_model_create(context, &mesh, &options, &model);
    if (status != TUMBLE_OK) {
        require(model == NULL, "no model after an error");
        require_message(context, status);
        return;
    }
    const size_t polygons = mesh.polygon_sizes ? mesh.polygon_count : mesh.index_count / 3;
    require(tumble_model_get_info(model, &info) == TUMBLE_OK, "info");
    require(info.polygon_count == polygons && info.triangle_count == mesh.index_count - 2 * polygons, "counts");
    for (uint32_t i = 0; i < info.triangle_count; i++) {
        double corners[3][3];
        uint32_t polygon;
        require(tumble_model_triangle(model, i, corners, &polygon) == TUMBLE_OK && polygon < polygons, "a triangle");
        require(isfinite(corners[0][0]) && isfinite(corners[1][1]) && isfinite(corners[2][2]), "finite corners");
    }
    tumble_model_destroy(model);
}

/* ---- Poses ---- */

static double next_any(bytes *in)
{
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) {
        bits = bits << 8 | next(in);
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static tumble_status next_rough_pose(bytes *in, tumble_context *context, tumble_pose *out)
{
    const unsigned choice = next(in);
    tumble_pose start = next_pose(in, context);
    double numbers[12];
    memcpy(numbers, start.m, sizeof numbers);
    for (unsigned i = 0; i < (choice >> 2) % 8; i++) {
        const unsigned place = next(in);
        numbers[place % 12] = place & 64 ? next_any(in) : numbers[place % 12] * (1 + next_signed(in) * 0x1p-20);
    }
    switch (choice & 3) {
    case 0: return tumble_pose_from_quaternion(context, numbers, numbers[4], numbers + 5, out);
    case 1: return tumble_pose_from_axis_angle(context, numbers, numbers[3], numbers[4], numbers + 5, out);
    default: return tumble_pose_from_matrix(context, numbers, out);
    }
}

static void check_pose(bytes *in, tumble_context *context)
{
    tumble_pose pose = tumble_pose_identity();
    const tumble_status status = next_rough_pose(in, context, &pose);
    if (status != TUMBLE_OK) {
        require_message(context, status);
        return;
    }
    require(tumble_pose_check(context, &pose) == TUMBLE_OK, "a pose that was made passes its check");
    require(tumble_pose_scale(&pose) > 0, "a positive scale");
    const tumble_pose identity = tumble_pose_identity(), relative = tumble_pose_relative(&identity, &pose);
    require(memcmp(&relative, &pose, sizeof pose) == 0, "relative to the identity");
    const tumble_pose inverse = tumble_pose_inverse(&pose), both = tumble_pose_compose(&inverse, &pose);
    for (int i = 0; i < 3 && isfinite(inverse.m[i][i]) && tumble_pose_scale(&pose) > 1e-300; i++) {
        require(!isfinite(both.m[i][i]) || tumble_pose_scale(&pose) > 1e300 || fabs(both.m[i][i] - 1) < 1e-4,
                "the inverse");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes in = {data, size};
    tumble_context *context = kept_context(0);
    if (next(&in) & 1) {
        check_pose(&in, context);
    } else {
        check_mesh(&in, context);
    }
    return 0;
}
