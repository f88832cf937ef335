#include "mixed_cases.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Models ---- */

static const char *const names[MIXED_KINDS] = {"brute",
                                               "wide",
                                               "boxtree of one plane",
                                               "boxtree of two planes",
                                               "6-DOPs, leaf 1",
                                               "12-DOPs, leaf 3",
                                               "14-DOPs, leaf 8",
                                               "18-DOPs, leaf 20",
                                               "26-DOPs, leaf 255",
                                               "26-DOPs, leaf 1",
                                               "R-tree",
                                               "edited R-tree"};

const char *mixed_name(size_t kind)
{
    return names[kind];
}

static tumble_model_options options_of(size_t kind)
{
    static const uint32_t k[] = {6, 12, 14, 18, 26, 26}, leaf[] = {1, 3, 8, 20, 255, 1};
    tumble_model_options options = tumble_default_model_options();
    if (kind == MIXED_BRUTE) {
        options.hierarchy = TUMBLE_HIERARCHY_BRUTE;
    } else if (kind == MIXED_WIDE) {
        options.hierarchy = TUMBLE_HIERARCHY_WIDE;
    } else if (kind < 4) {
        options.hierarchy = TUMBLE_HIERARCHY_BOXTREE;
        test_tune(options, boxtree.layout, kind == 2 ? TUMBLE_BOXTREE_ONE_PLANE : TUMBLE_BOXTREE_TWO_PLANES);
    } else if (kind < 10) {
        options.hierarchy = TUMBLE_HIERARCHY_KDOP;
        test_tune(options, kdop.k, k[kind - 4]);
        test_tune(options, kdop.leaf, leaf[kind - 4]);
    } else {
        options.hierarchy = TUMBLE_HIERARCHY_RTREE;
    }
    return options;
}

/* Gets some polygons, which it loses again. */
static void edit(tumble_context *context, tumble_model *model, uint32_t polygon_count)
{
    test_random random = {polygon_count};
    models_mesh more = {0};
    uint32_t gone[9];
    test_make_soup(&more, &random, 9, 0.5);
    const tumble_mesh view = models_view(&more);
    test_assert_status(context, tumble_model_insert(model, &view, NULL), TUMBLE_OK, "");
    for (uint32_t i = 0; i < 9; i++) {
        gone[i] = polygon_count + i;
    }
    test_assert_status(context, tumble_model_remove(model, gone, 9), TUMBLE_OK, "");
    models_free(&more);
}

mixed_family mixed_make(tumble_context *context, const models_mesh *mesh)
{
    mixed_family family;
    for (size_t kind = 0; kind < MIXED_KINDS; kind++) {
        const tumble_model_options options = options_of(kind);
        family.models[kind] = test_model(context, mesh, &options);
    }
    edit(context, family.models[MIXED_EDITED], (uint32_t)mesh->polygon_count);
    return family;
}

void mixed_free(mixed_family *family)
{
    for (size_t kind = 0; kind < MIXED_KINDS; kind++) {
        tumble_model_destroy(family->models[kind]);
    }
}

tumble_pose mixed_pose(test_random *random, double scale, double x, double y, double z)
{
    tumble_pose pose = test_rational_turn(random);
    for (int i = 0; i < 9; i++) {
        pose.m[i / 3][i % 3] *= scale;
    }
    pose.m[0][3] = x;
    pose.m[1][3] = y;
    pose.m[2][3] = z;
    return pose;
}

/* ---- Queries ---- */

/* Two models at two poses, and a query. */
typedef struct question {
    tumble_query *query;
    const tumble_model *a, *b;
    const tumble_pose *pose_a, *pose_b;
    double clearance;
} question;

static tumble_status ask_mode(const question *q, tumble_mode mode, tumble_collide_options *options,
                              tumble_collide_result *result)
{
    *result = (tumble_collide_result){0};
    options->mode = mode;
    options->clearance = q->clearance;
    return tumble_collide(q->query, q->a, q->pose_a, q->b, q->pose_b, options, result);
}

static void *room_for(size_t count, size_t size)
{
    void *room = calloc(count + 1, size);
    assert_non_null(room);
    return room;
}

static void ask_all(const question *q, mixed_answers *out)
{
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.want_contacts = 1;
    out->status = ask_mode(q, TUMBLE_ALL, &options, &result);
    if (out->status != TUMBLE_OK) {
        return;
    }
    out->pair_count = result.pair_count;
    out->contact_count = result.contact_count;
    out->pairs = room_for(out->pair_count, sizeof *out->pairs);
    out->contacts = room_for(out->contact_count, sizeof *out->contacts);
    options.pairs = out->pairs, options.pair_capacity = out->pair_count;
    options.contacts = out->contacts, options.contact_capacity = out->contact_count;
    assert_int_equal(ask_mode(q, TUMBLE_ALL, &options, &result), TUMBLE_OK);
    assert_true(result.pair_count == out->pair_count && result.contact_count == out->contact_count);
    out->collide = result.collide;
    out->counters = result.counters;
}

static void ask_surfaces(const question *q, mixed_answers *out)
{
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    assert_int_equal(ask_mode(q, TUMBLE_SURFACES, &options, &result), TUMBLE_OK);
    out->surface_count = result.surface_pair_count;
    out->surfaces = room_for(out->surface_count, sizeof *out->surfaces);
    options.surface_pairs = out->surfaces, options.surface_pair_capacity = out->surface_count;
    assert_int_equal(ask_mode(q, TUMBLE_SURFACES, &options, &result), TUMBLE_OK);
    const test_pairs pairs = {out->pairs, out->pair_count, out->pair_count};
    for (size_t i = 0; i < out->surface_count; i++) {
        assert_true(test_has_pair(&pairs, (tumble_pair){out->surfaces[i].polygon_a, out->surfaces[i].polygon_b}));
        out->surfaces[i].polygon_a = out->surfaces[i].polygon_b = 0;
    }
}

mixed_answers mixed_ask(tumble_query *query, const tumble_model *a, const tumble_pose *pose_a, const tumble_model *b,
                        const tumble_pose *pose_b, double clearance)
{
    const question q = {query, a, b, pose_a, pose_b, clearance};
    mixed_answers out = {0};
    tumble_collide_result result;
    ask_all(&q, &out);
    if (out.status != TUMBLE_OK) {
        return out;
    }
    tumble_collide_options options = tumble_default_collide_options();
    assert_int_equal(ask_mode(&q, TUMBLE_COUNT, &options, &result), TUMBLE_OK);
    out.counted = result.pair_count;
    assert_int_equal(ask_mode(&q, TUMBLE_TEST, &options, &result), TUMBLE_OK);
    out.collide_by_test = result.collide;
    assert_int_equal(ask_mode(&q, TUMBLE_FIRST, &options, &result), TUMBLE_OK);
    out.collide_by_first = result.collide;
    out.first = result.first;
    ask_surfaces(&q, &out);
    return out;
}

void mixed_free_answers(mixed_answers *answers)
{
    free(answers->pairs);
    free(answers->contacts);
    free(answers->surfaces);
}

void mixed_assert_same(const mixed_answers *found, const mixed_answers *expected, const char *format, ...)
{
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (found->status != expected->status) {
        fail_msg("%s: status %d instead of %d", text, found->status, expected->status);
    }
    const test_pairs pairs = {found->pairs, found->pair_count, 0}, right = {expected->pairs, expected->pair_count, 0};
    test_assert_same_pairs(&pairs, &right, "%s", text);
    if (found->contact_count != expected->contact_count ||
        (found->contact_count &&
         memcmp(found->contacts, expected->contacts, found->contact_count * sizeof *found->contacts) != 0)) {
        fail_msg("%s: other contacts", text);
    }
    if (found->surface_count != expected->surface_count ||
        (found->surface_count &&
         memcmp(found->surfaces, expected->surfaces, found->surface_count * sizeof *found->surfaces) != 0)) {
        fail_msg("%s: other surfaces", text);
    }
    const int collide = expected->pair_count > 0;
    if (found->collide != collide || found->collide_by_test != collide || found->collide_by_first != collide ||
        found->counted != expected->pair_count || (collide && !test_has_pair(&right, found->first))) {
        fail_msg("%s: a mode contradicts the list of pairs", text);
    }
}
