/* Mesh files through assimp's C interface. */
#include "read_assimp.h"

#include "base/context.h"

#ifdef TUMBLE_HAVE_ASSIMP

#include <assimp/cimport.h>
#include <assimp/scene.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "io/file.h"
#include "io/mesh_buffer.h"
#include "io/text.h"

/* A node that is still to be done, with the place of its parent: three rows of four. */
typedef struct pending_node {
    const struct aiNode *node;
    double parent[3][4];
} pending_node;

typedef struct assimp_reader {
    tumble_context *context;
    const char *path;
    const struct aiScene *scene;
    tumble_mesh_buffer *buffer;
    uint32_t surface;   /* of the next mesh that has polygons */
    tmb_buffer pending; /* a stack of pending_node */
    size_t pending_count;
} assimp_reader;

static void combine(double parent[3][4], const struct aiMatrix4x4 *local, double out[3][4])
{
    const double rows[4][4] = {{(double)local->a1, (double)local->a2, (double)local->a3, (double)local->a4},
                               {(double)local->b1, (double)local->b2, (double)local->b3, (double)local->b4},
                               {(double)local->c1, (double)local->c2, (double)local->c3, (double)local->c4},
                               {0, 0, 0, 1}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            out[i][j] = 0;
            for (int k = 0; k < 4; k++) {
                out[i][j] += parent[i][k] * rows[k][j];
            }
        }
    }
}

static tumble_status add_points(assimp_reader *reader, const struct aiMesh *mesh, double place[3][4])
{
    for (unsigned i = 0; i < mesh->mNumVertices; i++) {
        const struct aiVector3D *v = &mesh->mVertices[i];
        double point[3];
        for (int j = 0; j < 3; j++) {
            point[j] =
                place[j][0] * (double)v->x + place[j][1] * (double)v->y + place[j][2] * (double)v->z + place[j][3];
        }
        if (!tmb_is_finite_point(point)) {
            return tmb_fail(reader->context, TUMBLE_ERROR_NOT_FINITE,
                            "%.300s: vertex %u of the mesh '%.100s' has a coordinate that is NaN or infinite",
                            reader->path, i, mesh->mName.data);
        }
        const tumble_status status = tmb_mesh_add_point(reader->buffer, point);
        if (status) {
            return status;
        }
    }
    return TUMBLE_OK;
}

static tumble_status add_face(assimp_reader *reader, const struct aiMesh *mesh, const struct aiFace *face, size_t first)
{
    for (unsigned i = 0; i < face->mNumIndices; i++) {
        if (face->mIndices[i] >= mesh->mNumVertices) {
            return tmb_fail(reader->context, TUMBLE_ERROR_FORMAT,
                            "%.300s: a face of the mesh '%.100s' refers to vertex %u of %u", reader->path,
                            mesh->mName.data, face->mIndices[i], mesh->mNumVertices);
        }
        const tumble_status status = tmb_mesh_add_corner(reader->buffer, (uint32_t)(first + face->mIndices[i]));
        if (status) {
            return status;
        }
    }
    return tmb_mesh_end_polygon(reader->buffer, reader->surface);
}

/* The names of the node and of the mesh, which many programs make the same. */
static tumble_status end_surface(assimp_reader *reader, const struct aiNode *node, const struct aiMesh *mesh)
{
    const struct aiString *outer = &node->mName, *inner = &mesh->mName;
    const int same = outer->length == inner->length && memcmp(outer->data, inner->data, outer->length) == 0;
    uint32_t names[TMB_NAME_PARTS] = {0};
    reader->surface++;
    tumble_status status = tmb_mesh_add_name(reader->buffer, outer->data, same ? 0 : outer->length, &names[0]);
    if (!status) {
        status = tmb_mesh_add_name(reader->buffer, inner->data, inner->length, &names[1]);
    }
    return status ? status : tmb_mesh_name_surface(reader->buffer, names);
}

static tumble_status add_mesh(assimp_reader *reader, const struct aiNode *node, const struct aiMesh *mesh,
                              double place[3][4])
{
    const size_t first = reader->buffer->point_count, polygons = reader->buffer->polygon_count;
    if (!(mesh->mPrimitiveTypes & (aiPrimitiveType_TRIANGLE | aiPrimitiveType_POLYGON))) {
        return TUMBLE_OK;
    }
    tumble_status status = add_points(reader, mesh, place);
    for (unsigned i = 0; !status && i < mesh->mNumFaces; i++) {
        if (mesh->mFaces[i].mNumIndices >= 3) {
            status = add_face(reader, mesh, &mesh->mFaces[i], first);
        }
    }
    return !status && reader->buffer->polygon_count > polygons ? end_surface(reader, node, mesh) : status;
}

static tumble_status push(assimp_reader *reader, const struct aiNode *node, double parent[3][4])
{
    const size_t size = sizeof(pending_node);
    if (!tmb_buffer_reserve(reader->context, &reader->pending, reader->pending_count + 1, size,
                            reader->pending_count * size)) {
        return tmb_fail_memory(reader->context, "the nodes of a scene");
    }
    pending_node *top = (pending_node *)reader->pending.data + reader->pending_count++;
    top->node = node;
    memcpy(top->parent, parent, sizeof top->parent);
    return TUMBLE_OK;
}

static tumble_status add_node(assimp_reader *reader, pending_node *item)
{
    double place[3][4];
    combine(item->parent, &item->node->mTransformation, place);
    tumble_status status = TUMBLE_OK;
    for (unsigned i = 0; !status && i < item->node->mNumMeshes; i++) {
        status = add_mesh(reader, item->node, reader->scene->mMeshes[item->node->mMeshes[i]], place);
    }
    for (unsigned i = item->node->mNumChildren; !status && i-- > 0;) { /* the first child comes first off the stack */
        status = push(reader, item->node->mChildren[i], place);
    }
    return status;
}

static tumble_status add_scene(assimp_reader *reader)
{
    double identity[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    tumble_status status = push(reader, reader->scene->mRootNode, identity);
    while (!status && reader->pending_count) {
        pending_node item = ((pending_node *)reader->pending.data)[--reader->pending_count];
        status = add_node(reader, &item);
    }
    return status ? status : tmb_mesh_buffer_finish(reader->buffer);
}

/* Assimp tells no reason by number, so the plain ones are found out first. */
static tumble_status import(assimp_reader *reader)
{
    if (access(reader->path, R_OK) != 0) {
        return tmb_fail_file(reader->context, "open", reader->path, errno);
    }
    const char *extension = strrchr(reader->path, '.');
    if (!extension || strchr(extension, '/') || !aiIsExtensionSupported(extension)) {
        return tmb_fail(reader->context, TUMBLE_ERROR_UNSUPPORTED,
                        "%.300s: no OBJ, OFF, STL or PLY file, and its name does not end like that of any other "
                        "format that can be read",
                        reader->path);
    }
    reader->scene = aiImportFile(reader->path, 0);
    if (!reader->scene || !reader->scene->mRootNode) {
        return tmb_fail(reader->context, TUMBLE_ERROR_FORMAT, "%.200s: %.200s", reader->path, aiGetErrorString());
    }
    return TUMBLE_OK;
}

tumble_status cli_read_assimp(tumble_context *context, const char *path, tumble_mesh_buffer **out)
{
    assimp_reader reader = {.context = context, .path = path};
    *out = NULL;
    tumble_status status = import(&reader);
    if (!status) {
        status = tmb_mesh_buffer_create(context, &reader.buffer);
    }
    if (!status) {
        status = add_scene(&reader);
    }
    if (reader.scene) {
        aiReleaseImport(reader.scene);
    }
    tmb_buffer_release(context, &reader.pending);
    if (status) {
        tumble_mesh_buffer_destroy(reader.buffer);
        return status;
    }
    *out = reader.buffer;
    return TUMBLE_OK;
}

#else

tumble_status cli_read_assimp(tumble_context *context, const char *path, tumble_mesh_buffer **out)
{
    *out = NULL;
    return tmb_fail(
        context, TUMBLE_ERROR_UNSUPPORTED,
        "%.300s: no OBJ, OFF, STL or PLY file, and this program was built without assimp, which reads other "
        "formats",
        path);
}

#endif
