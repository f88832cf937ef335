/* Saved models: the input is a list of changes to the block of a small model, which then gets a good checksum, and
 * perhaps sections at their places, so that the checks after these are reached. What is accepted must be safe to ask,
 * and safe to deform with a mesh that it claims to have come from. */
#include "fuzz_scene.h"
#include "tree/block.h"
#include "tree/hierarchy.h"
#include "tree/mesh_validate.h"

enum {
    SIZE_MOST = 65536, /* of a block */
    BASES = 24,
    CHANGE_BYTES = 4,
    CHANGES_MOST = 16,
    TRIANGLES_MOST = 64 /* of models that are asked: others take long */
};

/* ---- Good blocks ---- */

/* Polygons of a bent sheet, triangles first. */
static tumble_model *make_sheet(tumble_context *context, unsigned which)
{
    static const uint32_t triangles[] = {0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4, 3, 4, 7, 3, 7, 6,
                                         4, 5, 8, 4, 8, 7, 0, 8, 2, 2, 8, 6, 0, 4, 4, 1, 3, 5};
    static const uint32_t mixed[] = {0, 1, 4, 3, 1, 2, 5, 3, 4, 7, 6, 4, 5, 8, 7, 0, 8, 2};
    static const uint32_t sizes[] = {4, 3, 4, 4, 3}, surfaces[] = {7, 7, 2, 2, 9, 9, 7, 2, 9, 9, 9, 9};
    static const tumble_hierarchy kinds[] = {TUMBLE_HIERARCHY_WIDE,  TUMBLE_HIERARCHY_BOXTREE, TUMBLE_HIERARCHY_KDOP,
                                             TUMBLE_HIERARCHY_RTREE, TUMBLE_HIERARCHY_BRUTE,   TUMBLE_HIERARCHY_KDOP};
    double points[27];
    for (unsigned i = 0; i < 27; i++) {
        const double flat[3] = {i / 3 % 3, i / 9, i * i % 7};
        points[i] = flat[i % 3] * (which & 1 ? 0.1 : 0.5);
    }
    const int is_mixed = which / 2 % 2 == 1;
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = points, mesh.point_count = 9;
    mesh.indices = is_mixed ? mixed : triangles;
    mesh.index_count = is_mixed ? sizeof mixed / sizeof *mixed : sizeof triangles / sizeof *triangles;
    mesh.polygon_sizes = is_mixed ? sizes : NULL;
    mesh.polygon_count = is_mixed ? 5 : 12;
    mesh.surface_ids = which & 1 ? surfaces : NULL;
    tumble_tuning tuning = tumble_default_tuning();
    tuning.boxtree.layout = (tumble_boxtree_layout)(which & 1);
    tuning.kdop.k = which & 1 ? 18 : 6;
    tuning.kdop.leaf = 2;
    tuning.kdop.bare_leaves = which / 2 & 1;
    tuning.kdop.hull = which / 4 == 5 ? 2 : 0;
    tuning.kdop.tumble = which / 4 == 5 ? TUMBLE_KDOP_TUMBLE_VERTICES : TUMBLE_KDOP_TUMBLE_LOOKUP;
    tumble_model_options options = tumble_default_model_options();
    tumble_model *model = NULL;
    options.hierarchy = kinds[which / 4];
    options.deformable = is_mixed;
    options.tuning = &tuning;
    if (tumble_model_create(context, &mesh, &options, &model) != TUMBLE_OK) {
        abort();
    }
    return model;
}

static const tmb_block *good_block(tumble_context *context, unsigned which, size_t *size)
{
    static tumble_model *models[BASES];
    if (!models[which % BASES]) {
        models[which % BASES] = make_sheet(context, which % BASES);
    }
    return tumble_model_block(models[which % BASES], size);
}

/* ---- Changes ---- */

/* A change is a place of two bytes, most of them in the header, what to do, and a value. */
static void change_block(unsigned char *bytes, size_t size, const uint8_t change[CHANGE_BYTES])
{
    static const uint32_t numbers[] = {0, 1, 0x7f800000, 0x7ff00000, UINT32_MAX, 0x80000000, 0x00800000, 0x7fefffff};
    const size_t range = change[2] & 8 ? size : sizeof(tmb_block);
    const size_t place = ((size_t)change[0] << 8 | change[1]) % range, word = place / 4 * 4;
    uint32_t value;
    memcpy(&value, bytes + word, sizeof value);
    switch (change[2] & 7) {
    case 0: bytes[place] = change[3]; return;
    case 1: bytes[place] = (unsigned char)(bytes[place] ^ 1u << (change[3] & 7)); return;
    case 2: value = change[3]; break;
    case 3: value = numbers[change[3] & 7]; break;
    case 4: memcpy(&value, bytes + (word + change[3] * 4u) % range / 4 * 4, sizeof value); break;
    default: value += (uint32_t)change[3] - 128; break;
    }
    memcpy(bytes + word, &value, sizeof value);
}

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
static tumble_tuning way_of(unsigned way)
{
    tumble_tuning tuning = tumble_default_tuning();
    way %= 6;
    tuning.boxtree_walk.overlap = (tumble_overlap)(way % 5);
    tuning.kdop_walk.tumble = way < 2    ? TUMBLE_KDOP_TUMBLE_AUTO
                              : way == 2 ? TUMBLE_KDOP_TUMBLE_UNIT
                                         : TUMBLE_KDOP_TUMBLE_AXES;
    tuning.kdop_walk.traversal = (tumble_kdop_traversal)(way % 3);
    tuning.kdop_walk.mixed = (tumble_kdop_mixed)(way & 1);
    tuning.kdop_walk.root = way < 4 ? TUMBLE_KDOP_ROOT_AUTO : TUMBLE_KDOP_ROOT_SAME;
    return tuning;
}

static void ask(tumble_query *query, const tumble_model *a, const tumble_model *b, unsigned way)
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

static void ask_proximity(tumble_query *query, const tumble_model *a, const tumble_model *b)
{
    const tumble_pose aside = {{{1, 0, 0, 3}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    tumble_distance_result distance;
    tumble_relation_result relation;
    (void)tumble_distance(query, a, NULL, b, &aside, NULL, &distance);
    (void)tumble_relate(query, a, NULL, b, &aside, &relation);
}

static void use(tumble_context *context, const tumble_model *model, unsigned way)
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
    if (info.triangle_count > TRIANGLES_MOST) {
        return;
    }
    tumble_query *query = NULL;
    if (tumble_query_create(context, &query) != TUMBLE_OK) {
        abort();
    }
    tumble_model *other = make_tetrahedron(context, model);
    ask(query, model, other, way);
    ask(query, other, model, way + 1);
    ask_proximity(query, model, other);
    tumble_model_destroy(other);
    tumble_query_destroy(query);
}

static void deform(tumble_context *context, const tumble_model *model, const fake_mesh *fake, unsigned way)
{
    tumble_model *deformed = NULL;
    if (tumble_model_deform(model, &fake->mesh, &deformed) == TUMBLE_OK &&
        tumble_model_deform(model, &fake->mesh, &deformed) == TUMBLE_OK) {
        use(context, deformed, way);
    }
    tumble_model_destroy(deformed);
}

/* ---- One input ---- */

static void try_block(tumble_context *context, tmb_block *block, size_t size, unsigned choice)
{
    tumble_model *model = NULL;
    fake_mesh fake = {0};
    if ((choice & 4) && make_fake(block, &fake)) {
        claim_fake(context, block, &fake);
    }
    if (tumble_model_from_block(context, block, size, (choice & 2) != 0, &model) == TUMBLE_OK) {
        use(context, model, choice >> 3);
        if (fake.points) {
            deform(context, model, &fake, choice >> 3);
        }
    }
    free_fake(&fake);
    tumble_model_destroy(model);
}

/* The first byte chooses the model, the second what is repaired, and how large the block is said to be. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tumble_context *context = kept_context(0);
    size_t block_size;
    if (size < 2) {
        return 0;
    }
    const tmb_block *good = good_block(context, data[0], &block_size);
    const unsigned choice = data[1];
    const size_t cut = choice >= 0xf0 ? (choice & 15) * 64 : 0;
    const size_t used = cut < block_size - sizeof *good ? block_size - cut : block_size;
    tmb_block *block = aligned_alloc(64, used);
    if (!block) {
        abort();
    }
    memcpy(block, good, used);
    size_t at = 2;
    for (int i = 0; i < CHANGES_MOST && at + CHANGE_BYTES <= size; i++, at += CHANGE_BYTES) {
        change_block((unsigned char *)block, used, data + at);
    }
    repair(block, used, (choice & 1) != 0);
    try_block(context, block, used, choice);
    free(block);
    return 0;
}
