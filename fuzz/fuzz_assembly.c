/* Assemblies from the text of a file and from transforms: parts have poses and keys, and the clashes of a run are what
 * the relation of each two of them says. */
#include <stdio.h>
#include <unistd.h>

#include "fuzz_scene.h"

#define PARTS_MOST 5
#define TRIANGLES_MOST 8
#define EXPONENTS_MOST 200 /* of numbers that exact arithmetic compares in a millisecond */

static void require(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

static char folder[] = "/tmp/fuzz-assembly-XXXXXX", path[64];

static void remove_folder(void)
{
    (void)unlink(path);
    (void)rmdir(folder);
}

static void write_file(const uint8_t *data, size_t size)
{
    if (!*path) {
        require(mkdtemp(folder) != NULL && atexit(remove_folder) == 0, "a folder");
        snprintf(path, sizeof path, "%s/hall.obj", folder);
    }
    FILE *file = fopen(path, "wb");
    require(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0, "a file");
}

static void next_transform(bytes *in, double out[12])
{
    const tumble_pose identity = tumble_pose_identity();
    const number_kind kind = next_kind(in);
    const unsigned choice = next(in);
    memcpy(out, identity.m, sizeof identity.m);
    for (int i = 0; i < 12; i++) {
        if (i % 4 == 3 || choice & 1) {
            out[i] = next_number(in, &kind);
        }
    }
}

/* Whether exact answers take little time. */
static int is_cheap(const tumble_assembly *assembly)
{
    size_t count, parts;
    const tumble_model *const *models = tumble_assembly_models(assembly, &count);
    const tumble_assembly_part *part = tumble_assembly_parts(assembly, &parts);
    exponent_range range = {0, 0};
    for (size_t i = 0; i < count; i++) {
        tumble_model_info info;
        require(tumble_model_get_info(models[i], &info) == TUMBLE_OK, "info");
        for (uint32_t t = 0; t < info.triangle_count && t <= TRIANGLES_MOST; t++) {
            double corners[3][3];
            require(tumble_model_triangle(models[i], t, corners, NULL) == TUMBLE_OK, "a triangle");
            for (int j = 0; j < 3; j++) {
                include_point(&range, corners[j]);
            }
        }
        if (info.triangle_count > TRIANGLES_MOST) {
            return 0;
        }
    }
    for (size_t i = 0; i < parts; i++) {
        for (int j = 0; j < 3; j++) {
            include_point(&range, (const double[3]){part[i].pose.m[j][3], tumble_pose_scale(&part[i].pose), 0});
        }
    }
    return parts <= PARTS_MOST && range.highest - range.lowest <= EXPONENTS_MOST;
}

static void check_parts(tumble_context *context, const tumble_assembly *assembly)
{
    size_t count, models;
    const tumble_assembly_part *parts = tumble_assembly_parts(assembly, &count);
    (void)tumble_assembly_models(assembly, &models);
    for (size_t i = 0; i < count; i++) {
        require(parts[i].name && parts[i].path && parts[i].file && parts[i].material, "texts");
        require(*parts[i].broken ? parts[i].model == UINT32_MAX : parts[i].model < models, "the model of a part");
        require(*parts[i].broken || tumble_pose_check(context, &parts[i].pose) == TUMBLE_OK, "the pose of a part");
        for (size_t j = 0; j < i && i < 50; j++) {
            require(strcmp(parts[i].key, parts[j].key) != 0, "keys");
        }
    }
}

/* The kind that a pair of parts has by its relation alone; -1: it may have any. */
static int kind_of(const tumble_relation_result *r)
{
    switch (r->relation) {
    case TUMBLE_RELATION_TOUCHING: return r->closed_a && r->closed_b ? TUMBLE_CLASH_TOUCHING : TUMBLE_CLASH_UNDEFINED;
    case TUMBLE_RELATION_CROSSING: return TUMBLE_CLASH_CROSSING;
    case TUMBLE_RELATION_A_IN_B:
    case TUMBLE_RELATION_B_IN_A: return TUMBLE_CLASH_CONTAINED;
    default: return -1;
    }
}

static const tumble_clash *find_clash(const tumble_clash_result *result, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < result->clash_count; i++) {
        if (result->clashes[i].a == a && result->clashes[i].b == b) {
            return &result->clashes[i];
        }
    }
    return NULL;
}

/* Of parts that are not turned alike, which the run compares in a pose of its own. */
static void check_pair(tumble_query *query, const tumble_clash_result *result, uint32_t a, uint32_t b)
{
    const tumble_assembly_part *x = &result->parts[a], *y = &result->parts[b];
    tumble_relation_result relation;
    if (*x->broken || *y->broken ||
        tumble_relate(query, result->models[x->model], &x->pose, result->models[y->model], &y->pose, &relation)) {
        return;
    }
    int are_alike = 1;
    for (int i = 0; i < 9; i++) {
        are_alike = are_alike && x->pose.m[i / 3][i % 3] == y->pose.m[i / 3][i % 3];
    }
    const tumble_clash *clash = find_clash(result, a, b);
    const int kind = kind_of(&relation);
    if (kind >= 0 && (!are_alike || x->pose.m[0][0] == 1)) {
        require(clash && ((int)clash->kind == kind || clash->kind == TUMBLE_CLASH_DUPLICATE), "the kind of a clash");
    }
    for (int i = 0; i < 3 && clash; i++) {
        require(!(clash->box[0][i] > clash->box[1][i]), "the box of a clash");
    }
}

static void run(tumble_context *context, const tumble_assembly *assembly, unsigned choice)
{
    tumble_clash_options options = tumble_default_clash_options();
    tumble_clashes *clashes;
    tumble_query *query;
    options.clearance = choice & 1 ? 0.5 : 0;
    options.segment_limit = choice & 2 ? 1 : 256;
    options.grouping = (tumble_grouping)(choice >> 2 & 3);
    options.depth_budget = choice & 16 ? 200 : 0;
    options.thread_count = 1;
    const tumble_status status = tumble_clash_run(assembly, &options, &clashes);
    require(status == TUMBLE_OK || status == TUMBLE_ERROR_NOT_FINITE || status == TUMBLE_ERROR_POSE, "a run");
    if (status != TUMBLE_OK) {
        return;
    }
    const tumble_clash_result *result = tumble_clashes_result(clashes);
    require(tumble_query_create(context, &query) == TUMBLE_OK, "a query");
    for (uint32_t b = 0; b < result->part_count; b++) {
        for (uint32_t a = 0; a < b; a++) {
            check_pair(query, result, a, b);
        }
    }
    tumble_query_destroy(query);
    tumble_clashes_destroy(clashes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes in = {data, size};
    const unsigned choice = next(&in);
    double transforms[2][12];
    next_transform(&in, transforms[0]);
    next_transform(&in, transforms[1]);
    tumble_context *context = kept_context(3);
    tumble_assembly *assembly;
    require(tumble_assembly_create(context, &assembly) == TUMBLE_OK, "an assembly");
    write_file(in.data, in.size);
    tumble_status status = tumble_assembly_read(assembly, path);
    check_parts(context, assembly);
    for (int i = 0; i < 2 && status == TUMBLE_OK && choice >> 5 & (1 << i); i++) {
        size_t before, after;
        (void)tumble_assembly_parts(assembly, &before);
        const tumble_status other = tumble_assembly_read_at(assembly, path, transforms[i]);
        (void)tumble_assembly_parts(assembly, &after);
        require(other == TUMBLE_OK ? after > before : after == before, "a second time");
        check_parts(context, assembly);
    }
    if (status == TUMBLE_OK && is_cheap(assembly)) {
        run(context, assembly, choice);
    }
    require(tumble_assembly_destroy(assembly) == TUMBLE_OK, "the end");
    return 0;
}
