/* Mesh files through assimp's C interface. */
#include "read_assimp.h"

#include <stdio.h>
#include <string.h>

#include "foreign.h"
#include "message.h"

static void refuse(cli_import_reply *reply, tumble_status status, const char *advice)
{
    reply->status = status;
    snprintf(reply->advice, sizeof reply->advice, "%s", advice ? advice : cli_advice(status));
}

#ifdef TUMBLE_HAVE_ASSIMP

#include <assimp/cimport.h>
#include <assimp/material.h>
#include <assimp/scene.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assimp_frame.h"
#include "ifc_text.h"
#include "import_parts.h"
#include "io/file.h"
#include "io/text.h"

#define NO_PRODUCT UINT32_MAX

/* A node that is still to be done, with the place of its parent: three rows of four. */
typedef struct pending_node {
    const struct aiNode *node;
    double parent[3][4];
    uint32_t product; /* that it belongs to */
    size_t path;      /* where the path of its parent ends, in the reader's path */
} pending_node;

/* A product of an IFC file. */
typedef struct product {
    cli_ifc_name name;
    uint32_t surface;
    int has_surface; /* it has polygons */
} product;

typedef struct assimp_reader {
    tumble_context *context;
    const char *path;
    int is_ifc;
    const struct aiScene *scene;
    tumble_mesh_buffer *buffer;
    uint32_t surface_count;
    tmb_buffer pending; /* a stack of pending_node */
    size_t pending_count;
    tmb_buffer products;
    size_t product_count;
    int as_parts; /* each mesh once, and the parts that have it */
    cli_part_writer parts;
    tmb_buffer surface_of; /* uint32_t of each mesh: its surface, or UINT32_MAX */
    tmb_buffer names;      /* names from the root to the node, each after a slash */
} assimp_reader;

static void combine(double parent[3][4], double local[3][4], double out[3][4])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            out[i][j] = j == 3 ? parent[i][3] : 0;
            for (int k = 0; k < 3; k++) {
                out[i][j] += parent[i][k] * local[k][j];
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
        if (status != TUMBLE_OK) {
            return status;
        }
    }
    return TUMBLE_OK;
}

static tumble_status add_face(assimp_reader *reader, const struct aiMesh *mesh, const struct aiFace *face, size_t first,
                              uint32_t surface)
{
    for (unsigned i = 0; i < face->mNumIndices; i++) {
        if (face->mIndices[i] >= mesh->mNumVertices) {
            return tmb_fail(reader->context, TUMBLE_ERROR_FORMAT,
                            "%.300s: a face of the mesh '%.100s' refers to vertex %u of %u", reader->path,
                            mesh->mName.data, face->mIndices[i], mesh->mNumVertices);
        }
        const tumble_status status = tmb_mesh_add_corner(reader->buffer, (uint32_t)(first + face->mIndices[i]));
        if (status != TUMBLE_OK) {
            return status;
        }
    }
    return tmb_mesh_end_polygon(reader->buffer, surface);
}

/* ---- surfaces ---- */

/* A new surface; empty parts of its name are left out. */
static tumble_status name_surface(assimp_reader *reader, const char *const parts[TMB_NAME_PARTS])
{
    uint32_t names[TMB_NAME_PARTS] = {0};
    tumble_status status = TUMBLE_OK;
    for (int i = 0; status == TUMBLE_OK && i < TMB_NAME_PARTS; i++) {
        status = tmb_mesh_add_name(reader->buffer, parts[i], strlen(parts[i]), &names[i]);
    }
    reader->surface_count++;
    return status != TUMBLE_OK ? status : tmb_mesh_name_surface(reader->buffer, names);
}

/* The names of the node and of the mesh, which many programs make the same. */
static tumble_status begin_surface(assimp_reader *reader, const pending_node *item, const struct aiMesh *mesh,
                                   uint32_t *surface)
{
    const char *outer = item->node->mName.data, *inner = mesh->mName.data;
    *surface = reader->surface_count;
    if (item->product == NO_PRODUCT) {
        return name_surface(reader, (const char *const[]){strcmp(outer, inner) == 0 ? "" : outer, inner, ""});
    }
    product *its = (product *)reader->products.data + item->product;
    if (its->has_surface) {
        *surface = its->surface;
        return TUMBLE_OK;
    }
    its->surface = *surface;
    its->has_surface = 1;
    return name_surface(reader, (const char *const[]){its->name.class_name, its->name.name, its->name.guid});
}

static int has_polygons(const struct aiMesh *mesh)
{
    const unsigned types = aiPrimitiveType_TRIANGLE | aiPrimitiveType_POLYGON;
    if (!(mesh->mPrimitiveTypes & types) || !mesh->mVertices || !mesh->mFaces) {
        return 0;
    }
    for (unsigned i = 0; i < mesh->mNumFaces; i++) {
        if (mesh->mFaces[i].mNumIndices >= 3) {
            return 1;
        }
    }
    return 0;
}

static tumble_status add_mesh(assimp_reader *reader, const pending_node *item, const struct aiMesh *mesh,
                              double place[3][4])
{
    const size_t first = reader->buffer->point_count;
    uint32_t surface;
    tumble_status status = begin_surface(reader, item, mesh, &surface);
    if (status == TUMBLE_OK) {
        status = add_points(reader, mesh, place);
    }
    for (unsigned i = 0; status == TUMBLE_OK && i < mesh->mNumFaces; i++) {
        if (mesh->mFaces[i].mNumIndices >= 3) {
            status = add_face(reader, mesh, &mesh->mFaces[i], first, surface);
        }
    }
    return status;
}

/* ---- nodes ---- */

/* Which product a node belongs to: itself, or that of its parent, as with IfcMappedItem. */
static tumble_status find_product(assimp_reader *reader, const struct aiNode *node, uint32_t *number)
{
    cli_ifc_name name;
    if (!reader->is_ifc || !cli_ifc_split_name(node->mName.data, &name)) {
        return TUMBLE_OK;
    }
    const size_t count = reader->product_count, size = sizeof(product);
    if (!tmb_buffer_reserve(reader->context, &reader->products, count + 1, size, count * size)) {
        return tmb_fail_memory(reader->context, "the products of a building");
    }
    product *its = (product *)reader->products.data + count;
    memset(its, 0, sizeof *its);
    its->name = name;
    *number = (uint32_t)reader->product_count++;
    return TUMBLE_OK;
}

static tumble_status push(assimp_reader *reader, const struct aiNode *node, double parent[3][4], uint32_t number,
                          size_t path)
{
    const size_t size = sizeof(pending_node), count = reader->pending_count;
    const tumble_status status = find_product(reader, node, &number);
    if (status != TUMBLE_OK) {
        return status;
    }
    if (!tmb_buffer_reserve(reader->context, &reader->pending, count + 1, size, count * size)) {
        return tmb_fail_memory(reader->context, "the nodes of a scene");
    }
    pending_node *top = (pending_node *)reader->pending.data + reader->pending_count++;
    top->node = node;
    top->product = number;
    top->path = path;
    memcpy(top->parent, parent, sizeof top->parent);
    return TUMBLE_OK;
}

/* ---- parts ---- */

/* The surface of a mesh, which is read the first time it is used. */
static tumble_status find_mesh(assimp_reader *reader, const pending_node *item, unsigned number, uint32_t *surface)
{
    static double identity[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    uint32_t *surface_of = reader->surface_of.data;
    tumble_status status = TUMBLE_OK;
    if (surface_of[number] == UINT32_MAX) {
        surface_of[number] = reader->surface_count;
        status = add_mesh(reader, item, reader->scene->mMeshes[number], identity);
    }
    *surface = surface_of[number];
    return status;
}

/* The material of a mesh; empty: it has none, or one that the importer made up. */
static const char *material_of(const struct aiScene *scene, const struct aiMesh *mesh, struct aiString *name)
{
    const unsigned number = mesh->mMaterialIndex;
    if (number >= scene->mNumMaterials ||
        aiGetMaterialString(scene->mMaterials[number], AI_MATKEY_NAME, name) != aiReturn_SUCCESS ||
        strcmp(name->data, "DefaultMaterial") == 0) {
        return "";
    }
    return name->data;
}

/* A node and all of its meshes as one part. */
static tumble_status add_part(assimp_reader *reader, const pending_node *item, double place[3][4])
{
    const struct aiNode *node = item->node;
    const struct aiScene *scene = reader->scene;
    struct aiString material;
    cli_import_part part = {.name = node->mName.data,
                            .path = reader->names.data,
                            .material = "",
                            .class_name = "",
                            .guid = "",
                            .host = CLI_IMPORT_NONE};
    tumble_status status = cli_part_writer_begin(&reader->parts);
    size_t count = 0;
    for (unsigned i = 0; status == TUMBLE_OK && i < node->mNumMeshes; i++) {
        const unsigned number = node->mMeshes[i];
        uint32_t surface;
        if (number >= scene->mNumMeshes || !scene->mMeshes[number] || !has_polygons(scene->mMeshes[number])) {
            continue;
        }
        part.material = count++ == 0 ? material_of(scene, scene->mMeshes[number], &material) : part.material;
        status = find_mesh(reader, item, number, &surface);
        status = status != TUMBLE_OK ? status : cli_part_writer_add_surface(&reader->parts, surface);
    }
    memcpy(part.transform, place, sizeof part.transform);
    return status == TUMBLE_OK && count > 0 ? cli_part_writer_add(&reader->parts, &part) : status;
}

/* The path of a node: that of its parent, and its name; the root has none. */
static tumble_status enter(assimp_reader *reader, pending_node *item)
{
    const char *name = item->node == reader->scene->mRootNode ? "" : item->node->mName.data;
    const size_t start = item->path, length = strlen(name);
    if (!tmb_buffer_reserve(reader->context, &reader->names, start + length + 2, 1, start)) {
        return tmb_fail_memory(reader->context, "the path of a node");
    }
    char *path = reader->names.data;
    path[start] = '/';
    memcpy(path + start + 1, name, length + 1);
    item->path = start + (length ? length + 1 : 0);
    path[item->path] = '\0';
    return TUMBLE_OK;
}

/* Some importers leave NULL children behind. */
static tumble_status add_node(assimp_reader *reader, pending_node *item, double local[3][4])
{
    const struct aiNode *node = item->node;
    double place[3][4];
    combine(item->parent, local, place);
    tumble_status status = reader->as_parts ? enter(reader, item) : TUMBLE_OK;
    if (status == TUMBLE_OK && reader->as_parts && node->mNumMeshes > 0) {
        status = add_part(reader, item, place);
    }
    for (unsigned i = 0; status == TUMBLE_OK && i < node->mNumMeshes && !reader->as_parts; i++) {
        const struct aiMesh *mesh =
            node->mMeshes[i] < reader->scene->mNumMeshes ? reader->scene->mMeshes[node->mMeshes[i]] : NULL;
        if (mesh && has_polygons(mesh)) {
            status = add_mesh(reader, item, mesh, place);
        }
    }
    for (unsigned i = node->mNumChildren;
         status == TUMBLE_OK && i-- > 0;) { /* the first child comes first off the stack */
        if (node->mChildren[i]) {
            status = push(reader, node->mChildren[i], place, item->product, item->path);
        }
    }
    return status;
}

static tumble_status add_scene(assimp_reader *reader, double root[3][4])
{
    double identity[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, local[3][4];
    const size_t meshes = reader->scene->mNumMeshes;
    cli_part_writer_start(&reader->parts, reader->context);
    if (!tmb_buffer_reserve(reader->context, &reader->surface_of, meshes, sizeof(uint32_t), 0)) {
        return tmb_fail_memory(reader->context, "the meshes of a file");
    }
    if (meshes) {
        memset(reader->surface_of.data, 0xff, meshes * sizeof(uint32_t));
    }
    tumble_status status = push(reader, reader->scene->mRootNode, identity, NO_PRODUCT, 0);
    while (status == TUMBLE_OK && reader->pending_count) {
        pending_node item = ((pending_node *)reader->pending.data)[--reader->pending_count];
        const int is_root = item.node == reader->scene->mRootNode;
        cli_assimp_place(&item.node->mTransformation, local);
        status = add_node(reader, &item, is_root ? root : local);
    }
    return status;
}

/* ---- what is wrong ---- */

/* A file that another one refers to, from assimp's message; 0: it is about something else. */
static int missing_file(const char *reason, const char *path, cli_import_reply *reply)
{
    static const char words[] = "could not open referenced file \"";
    const char *name = strstr(reason, words);
    if (!name) {
        return 0;
    }
    name += strlen(words);
    snprintf(reply->message, sizeof reply->message, "%.200s: the file %.*s, which it refers to, cannot be opened", path,
             (int)(strcspn(name, "\"") < 200 ? strcspn(name, "\"") : 200), name);
    refuse(reply, TUMBLE_ERROR_FILE, "put it where the file expects it, or export as .glb, which needs no other file");
    return 1;
}

static int later_schema(assimp_reader *reader, cli_import_reply *reply)
{
    char schema[32] = "";
    if (!reader->is_ifc || !cli_ifc_schema(reader->context, reader->path, schema, sizeof schema) ||
        strcmp(schema, "IFC2X3") == 0) {
        return 0;
    }
    snprintf(reply->message, sizeof reply->message, "%.300s: its schema is %s, and assimp reads IFC2X3", reader->path,
             schema);
    refuse(reply, TUMBLE_ERROR_UNSUPPORTED,
           "'tumble clash' reads it with Node.js and web-ifc; else export it as IFC2x3, or convert it to glTF or OBJ, "
           "as IfcConvert does");
    return 1;
}

static void explain(assimp_reader *reader, const char *reason, cli_import_reply *reply)
{
    if (strstr(reason, "bad_alloc") || strstr(reason, "out of memory")) {
        refuse(reply, TUMBLE_ERROR_MEMORY, NULL);
        return;
    }
    if (missing_file(reason, reader->path, reply) || later_schema(reader, reply)) {
        return;
    }
    const char *start = strncmp(reason, reader->path, strlen(reader->path)) == 0 ? "" : reader->path;
    snprintf(reply->message, sizeof reply->message, "%.200s%s%.200s", start, *start ? ": " : "",
             *reason ? reason : "assimp cannot read it, and does not say why");
    for (char *c = reply->message; *c; c++) {
        *c = (unsigned char)*c < ' ' ? ' ' : *c;
    }
    for (size_t end = strlen(reply->message); end > 0 && strchr(" .", reply->message[end - 1]); end--) {
        reply->message[end - 1] = '\0'; /* advice follows */
    }
    refuse(reply, TUMBLE_ERROR_FORMAT, NULL);
}

/* Neither the content tells the format nor the name's ending. */
static void refuse_ending(const assimp_reader *reader, const char *ending, cli_import_reply *reply)
{
    struct stat file;
    if (stat(reader->path, &file) == 0 && file.st_size == 0) {
        snprintf(reply->message, sizeof reply->message, "%.300s: it is empty", reader->path);
        refuse(reply, TUMBLE_ERROR_FORMAT, "give a mesh");
        return;
    }
    if (ending[1]) {
        snprintf(reply->message, sizeof reply->message,
                 "%.300s: it is not OBJ, OFF, STL or PLY, and no format that can be read ends with %s", reader->path,
                 ending);
        refuse(reply, TUMBLE_ERROR_UNSUPPORTED, NULL);
        return;
    }
    snprintf(reply->message, sizeof reply->message,
             "%.300s: it is not OBJ, OFF, STL or PLY, and other formats are told by the ending of a file's name",
             reader->path);
    refuse(reply, TUMBLE_ERROR_UNSUPPORTED, "give a file whose name has its usual ending");
}

static int import(assimp_reader *reader, cli_import_reply *reply)
{
    if (access(reader->path, R_OK) != 0) {
        snprintf(reply->message, sizeof reply->message, "%.300s: it cannot be opened: %s", reader->path,
                 strerror(errno));
        refuse(reply, TUMBLE_ERROR_FILE, NULL);
        return 0;
    }
    char ending[32];
    snprintf(ending, sizeof ending, ".%s", cli_ending_of(reader->path).text);
    if (!ending[1] || !aiIsExtensionSupported(ending)) {
        refuse_ending(reader, ending, reply);
        return 0;
    }
    reader->scene = aiImportFile(reader->path, 0);
    if (!reader->scene || !reader->scene->mRootNode) {
        explain(reader, aiGetErrorString(), reply);
        return 0;
    }
    return 1;
}

static void read_scene(tumble_context *context, const char *path, int as_parts, cli_import_reply *reply)
{
    assimp_reader reader = {.context = context, .path = path};
    double root[3][4];
    reader.is_ifc = strncmp(cli_ending_of(path).text, "ifc", 3) == 0;
    if (!import(&reader, reply)) {
        return;
    }
    cli_assimp_frame(context, reader.scene, path, root, &reply->frame);
    tumble_status status = tmb_mesh_buffer_create(context, &reader.buffer);
    reader.as_parts = as_parts && !reader.is_ifc;
    if (status == TUMBLE_OK) {
        status = add_scene(&reader, root);
    }
    if (status == TUMBLE_OK && reader.as_parts) {
        status = cli_part_writer_end(&reader.parts, &reply->parts, &reply->part_bytes);
    }
    if (status != TUMBLE_OK) {
        tumble_last_error(context, reply->message, sizeof reply->message);
        refuse(reply, status, NULL);
    } else if (reader.buffer->polygon_count > 0 || !later_schema(&reader, reply)) {
        reply->buffer = reader.buffer; /* the process ends soon, which gives everything back */
    }
}

void cli_read_assimp(tumble_context *context, const char *path, cli_import_reply *reply)
{
    read_scene(context, path, 0, reply);
}

void cli_read_assimp_parts(tumble_context *context, const char *path, cli_import_reply *reply)
{
    read_scene(context, path, 1, reply);
}

#else

void cli_read_assimp(tumble_context *context, const char *path, cli_import_reply *reply)
{
    (void)context;
    snprintf(reply->message, sizeof reply->message,
             "%.300s: no OBJ, OFF, STL or PLY file, and this program was built without assimp, which reads other "
             "formats",
             path);
    refuse(reply, TUMBLE_ERROR_UNSUPPORTED, NULL);
}

void cli_read_assimp_parts(tumble_context *context, const char *path, cli_import_reply *reply)
{
    cli_read_assimp(context, path, reply);
}

#endif
