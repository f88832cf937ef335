/* Saved models: bytes with a good checksum, and perhaps with sections at their places, so that the checks after these
 * are reached. What is accepted must be safe to ask, and safe to deform with a mesh that it claims to have come
 * from. */
#include <stdlib.h>
#include <string.h>

#include "tree/block.h"
#include "tree/hierarchy.h"
#include "tree/mesh_validate.h"
#include "tumble/hierarchies.h"
#include "tumble/tumble.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SIZE_MOST 65536

/* Whether the header has counts that a layout can be made for. */
static int has_layout(const tmb_block *block)
{
    const tmb_hierarchy *hierarchy =
        block->hierarchy == TUMBLE_HIERARCHY_AUTO ? NULL : tmb_hierarchy_numbered(block->hierarchy);
    return hierarchy && block->triangle_count <= TMB_MOST_TRIANGLES && block->cluster_count <= block->triangle_count &&
           block->polygon_limit < UINT32_MAX && block->polygon_count <= block->polygon_limit &&
           block->cluster_units <= UINT32_MAX && block->point_limit <= UINT32_MAX && block->points_are_float <= 1 &&
           block->node_count <= UINT32_MAX && (!hierarchy->has_good_counts || hierarchy->has_good_counts(block));
}

static void repair(tmb_block *block, size_t size, int with_layout)
{
    memcpy(block->magic, TMB_BLOCK_MAGIC, sizeof block->magic);
    block->endian = TMB_BLOCK_ENDIAN;
    block->version = TMB_BLOCK_VERSION;
    if (with_layout && has_layout(block)) {
        tmb_block_layout(block, block->offsets[TMB_SECTION_POLYGONS] != 0, block->offsets[TMB_SECTION_SURFACES] != 0,
                         block->offsets[TMB_SECTION_POINTS] != 0);
    }
    block->total_bytes = size;
    block->checksum = tmb_block_checksum(block);
}

/* ---- A mesh with as many polygons and triangles as a block says ---- */

typedef struct fake_mesh {
    tumble_mesh mesh;
    double *points;
    uint32_t *indices, *sizes;
} fake_mesh;

#define FAKE_POINTS 64

/* The last polygon takes what is left over. 0 when the block cannot be right. */
static int make_fake(const tmb_block *block, fake_mesh *fake)
{
    const uint64_t polygons = block->polygon_count, triangles = block->triangle_count;
    memset(fake, 0, sizeof *fake);
    if (polygons == 0 || polygons > triangles || triangles > SIZE_MOST) {
        return 0;
    }
    const size_t corners = (size_t)(2 * polygons + triangles);
    fake->points = malloc(FAKE_POINTS * sizeof(double[3]));
    fake->indices = malloc(corners * sizeof *fake->indices);
    fake->sizes = malloc((size_t)polygons * sizeof *fake->sizes);
    if (!fake->points || !fake->indices || !fake->sizes) {
        abort();
    }
    for (size_t i = 0; i < (size_t)3 * FAKE_POINTS; i++) {
        fake->points[i] = (double)(i * i % 31) * 0.1;
    }
    for (size_t i = 0; i < corners; i++) {
        fake->indices[i] = (uint32_t)(i * 7 % FAKE_POINTS);
    }
    for (size_t i = 0; i < polygons; i++) {
        fake->sizes[i] = i + 1 < polygons ? 3 : (uint32_t)(3 + triangles - polygons);
    }
    fake->mesh = tumble_default_mesh();
    fake->mesh.points = fake->points, fake->mesh.point_count = FAKE_POINTS;
    fake->mesh.indices = fake->indices, fake->mesh.index_count = corners;
    fake->mesh.polygon_sizes = fake->sizes, fake->mesh.polygon_count = (size_t)polygons;
    return 1;
}

static void free_fake(fake_mesh *fake)
{
    free(fake->points);
    free(fake->indices);
    free(fake->sizes);
}

/* Makes the block claim that it came from the mesh. */
static void claim_fake(tumble_context *context, tmb_block *block, const fake_mesh *fake)
{
    tmb_mesh_facts facts;
    if (tmb_mesh_survey(context, 1, &fake->mesh, &facts) != TUMBLE_OK) {
        abort();
    }
    block->point_limit = facts.point_limit;
    block->topology = facts.topology;
    block->checksum = tmb_block_checksum(block);
}

/* ---- Using a model ---- */

/* One that is compared with the model by its own hierarchy. */
static tumble_model *make_tetrahedron(tumble_context *context, const tumble_model *like)
{
    static const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const uint32_t corners[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = points;
    mesh.point_count = 4;
    mesh.indices = corners;
    mesh.index_count = 12;
    tumble_tuning tuning;
    tumble_model_options options = tumble_default_model_options();
    tumble_model *model = NULL;
    options.hierarchy = tumble_model_hierarchy(like);
    options.tuning = &tuning;
    if (tumble_model_get_tuning(like, &tuning) != TUMBLE_OK ||
        tumble_model_create(context, &mesh, &options, &model) != TUMBLE_OK) {
        abort();
    }
    return model;
}

/* Ways to walk, for boxtrees and for k-DOP trees, whose B may keep anything. */
#define WAYS 6
static tumble_tuning way_of(int way)
{
    tumble_tuning tuning = tumble_default_tuning();
    tuning.boxtree_walk.overlap = (tumble_overlap)(way % 5);
    tuning.kdop_walk.tumble = way < 2    ? TUMBLE_KDOP_TUMBLE_AUTO
                              : way == 2 ? TUMBLE_KDOP_TUMBLE_UNIT
                                         : TUMBLE_KDOP_TUMBLE_AXES;
    tuning.kdop_walk.traversal = (tumble_kdop_traversal)(way % 3);
    tuning.kdop_walk.mixed = (tumble_kdop_mixed)(way & 1);
    tuning.kdop_walk.root = way < 4 ? TUMBLE_KDOP_ROOT_AUTO : TUMBLE_KDOP_ROOT_SAME;
    return tuning;
}

static void ask(tumble_query *query, const tumble_model *a, const tumble_model *b, int way)
{
    const tumble_pose turned = {{{0.6, -0.8, 0, 0.1}, {0.8, 0.6, 0, 0.2}, {0, 0, 1, 0.3}}};
    tumble_contact contacts[16];
    tumble_pair pairs[16];
    tumble_collide_result result;
    const tumble_tuning tuning = way_of(way);
    tumble_collide_options options = tumble_default_collide_options();
    options.tuning = &tuning;
    options.pairs = pairs;
    options.pair_capacity = 16;
    options.want_contacts = true;
    options.contacts = contacts;
    options.contact_capacity = 16;
    (void)tumble_collide(query, a, NULL, b, &turned, &options, &result);
    options.mode = TUMBLE_TEST;
    (void)tumble_collide(query, a, &turned, b, NULL, &options, &result);
}

static void use(tumble_context *context, const tumble_model *model)
{
    tumble_model_info info;
    if (tumble_model_get_info(model, &info) != TUMBLE_OK) {
        abort();
    }
    for (uint32_t i = 0; i < info.triangle_count; i++) {
        double corners[3][3];
        uint32_t polygon, surface;
        if (tumble_model_triangle(model, i, corners, &polygon) != TUMBLE_OK || polygon >= info.polygon_count ||
            tumble_model_surface(model, polygon, &surface) != TUMBLE_OK) {
            abort();
        }
    }
    tumble_query *query = NULL;
    if (tumble_query_create(context, &query) != TUMBLE_OK) {
        abort();
    }
    tumble_model *other = make_tetrahedron(context, model);
    for (int way = 0; way < WAYS; way++) {
        ask(query, model, other, way);
        ask(query, other, model, way);
        ask(query, model, model, way);
    }
    tumble_model_destroy(other);
    tumble_query_destroy(query);
}

static void deform(tumble_context *context, const tumble_model *model, const fake_mesh *fake)
{
    tumble_model *deformed = NULL;
    if (tumble_model_deform(model, &fake->mesh, &deformed) == TUMBLE_OK &&
        tumble_model_deform(model, &fake->mesh, &deformed) == TUMBLE_OK) {
        use(context, deformed);
    }
    tumble_model_destroy(deformed);
}

/* The last byte says what is repaired. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || size > SIZE_MOST) {
        return 0;
    }
    const unsigned choice = data[--size];
    const size_t rounded = size < sizeof(tmb_block) ? sizeof(tmb_block) : (size + 63) / 64 * 64;
    tmb_block *block = aligned_alloc(64, rounded);
    tumble_context_options options = tumble_default_context_options();
    options.thread_count = 1;
    tumble_context *context = NULL;
    tumble_model *model = NULL;
    if (!block || tumble_context_create(&options, &context) != TUMBLE_OK) {
        abort();
    }
    memset(block, 0, rounded);
    memcpy(block, data, size);
    repair(block, rounded, (choice & 1) != 0);
    fake_mesh fake = {0};
    if ((choice & 4) && make_fake(block, &fake)) {
        claim_fake(context, block, &fake);
    }
    if (tumble_model_from_block(context, block, rounded, (choice & 2) != 0, &model) == TUMBLE_OK) {
        use(context, model);
        if (fake.points) {
            deform(context, model, &fake);
        }
    }
    free_fake(&fake);
    tumble_model_destroy(model);
    tumble_context_destroy(context);
    free(block);
    return 0;
}
