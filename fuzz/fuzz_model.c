/* Saved models: bytes with a good checksum, and perhaps with sections at their places, so that the checks behind these
 * are reached. What is accepted must be safe to ask. */
#include <stdlib.h>
#include <string.h>

#include "tree/block.h"
#include "tumble/tumble.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SIZE_MOST 65536

static void repair(tmb_block *block, size_t size, int with_layout)
{
    memcpy(block->magic, TMB_BLOCK_MAGIC, sizeof block->magic);
    block->endian = TMB_BLOCK_ENDIAN;
    block->version = TMB_BLOCK_VERSION;
    if (with_layout) {
        tmb_block_layout(block, block->offsets[TMB_SECTION_POLYGONS] != 0, block->offsets[TMB_SECTION_SURFACES] != 0,
                         block->offsets[TMB_SECTION_POINTS] != 0);
    }
    block->total_bytes = size;
    block->checksum = tmb_block_checksum(block);
}

static tumble_model *make_tetrahedron(tumble_context *context, tumble_hierarchy hierarchy)
{
    static const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const uint32_t corners[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = points;
    mesh.point_count = 4;
    mesh.indices = corners;
    mesh.index_count = 12;
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = hierarchy;
    tumble_model *model = NULL;
    if (tumble_model_create(context, &mesh, &options, &model) != TUMBLE_OK) {
        abort();
    }
    return model;
}

static void ask(tumble_query *query, const tumble_model *a, const tumble_model *b, tumble_overlap overlap)
{
    const tumble_pose turned = {{{0.6, -0.8, 0, 0.1}, {0.8, 0.6, 0, 0.2}, {0, 0, 1, 0.3}}};
    tumble_contact contacts[16];
    tumble_pair pairs[16];
    tumble_collide_result result = {.size = sizeof result};
    tumble_collide_options options = tumble_default_collide_options();
    options.overlap = overlap;
    options.pairs = pairs;
    options.pair_capacity = 16;
    options.want_contacts = 1;
    options.contacts = contacts;
    options.contact_capacity = 16;
    (void)tumble_collide(query, a, NULL, b, &turned, &options, &result);
    options.mode = TUMBLE_COLLIDE_TEST;
    (void)tumble_collide(query, a, &turned, b, NULL, &options, &result);
}

static void use(tumble_context *context, const tumble_model *model)
{
    tumble_model_info info = {.size = sizeof info};
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
    tumble_model *other = make_tetrahedron(context, tumble_model_hierarchy(model));
    for (int overlap = TUMBLE_OVERLAP_AXES; overlap <= TUMBLE_OVERLAP_SAT_LITE; overlap++) {
        ask(query, model, other, (tumble_overlap)overlap);
        ask(query, other, model, (tumble_overlap)overlap);
        ask(query, model, model, (tumble_overlap)overlap);
    }
    tumble_model_destroy(other);
    tumble_query_destroy(query);
}

/* The last byte tells what is repaired. */
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
    if (tumble_model_from_block(context, block, rounded, (choice & 2) != 0, &model) == TUMBLE_OK) {
        use(context, model);
    }
    tumble_model_destroy(model);
    tumble_context_destroy(context);
    free(block);
    return 0;
}
