/* Two small meshes at two poses, from bytes: the hierarchies must find what brute force finds. */
#include <stdio.h>

#include "fuzz_scene.h"
#include "tumble/hierarchies.h"

/* Where there are more, the first ones of the sorted list are compared. */
#define PAIRS_MOST 1000
#define CONTACTS_MOST 500

typedef struct answer {
    tumble_status status;
    tumble_collide_result result;
    tumble_pair pairs[PAIRS_MOST];
    tumble_contact contacts[CONTACTS_MOST];
} answer;

/* The arrays hold the beginning of the views. */
static void check_views(const answer *found)
{
    const tumble_collide_result *result = &found->result;
    const size_t pairs = result->pair_count < PAIRS_MOST ? (size_t)result->pair_count : PAIRS_MOST;
    const size_t contacts = result->contact_count < CONTACTS_MOST ? (size_t)result->contact_count : CONTACTS_MOST;
    if ((pairs && memcmp(result->pairs, found->pairs, pairs * sizeof *found->pairs) != 0) ||
        (contacts && memcmp(result->contacts, found->contacts, contacts * sizeof *found->contacts) != 0)) {
        abort();
    }
}

static void ask(tumble_query *query, tumble_model *const models[2], const tumble_pose poses[2],
                tumble_collide_options options, answer *out)
{
    memset(out, 0, sizeof *out);
    options.pairs = out->pairs;
    options.pair_capacity = PAIRS_MOST;
    options.contacts = out->contacts;
    options.contact_capacity = options.want_contacts ? CONTACTS_MOST : 0;
    out->status = tumble_collide(query, models[0], &poses[0], models[1], &poses[1], &options, &out->result);
    if (out->status == TUMBLE_OK && options.mode == TUMBLE_ALL) {
        check_views(out);
    }
}

static void compare(const answer *found, const answer *expected, const char *name)
{
    if (found->status != expected->status || found->result.pair_count != expected->result.pair_count ||
        found->result.contact_count != expected->result.contact_count ||
        memcmp(found->pairs, expected->pairs, sizeof found->pairs) != 0 ||
        memcmp(found->contacts, expected->contacts, sizeof found->contacts) != 0) {
        fprintf(stderr, "%s: status %d, %llu pairs, %llu contacts; brute force: %d, %llu, %llu\n", name, found->status,
                (unsigned long long)found->result.pair_count, (unsigned long long)found->result.contact_count,
                expected->status, (unsigned long long)expected->result.pair_count,
                (unsigned long long)expected->result.contact_count);
        abort();
    }
}

static void check_modes(tumble_query *query, tumble_model *const models[2], const tumble_pose poses[2],
                        tumble_collide_options options, const answer *expected)
{
    answer found;
    options.mode = TUMBLE_TEST;
    ask(query, models, poses, options, &found);
    if (found.status != expected->status || found.result.collide != expected->result.collide) {
        abort();
    }
    options.mode = TUMBLE_COUNT;
    ask(query, models, poses, options, &found);
    if (found.status != expected->status || found.result.pair_count != expected->result.pair_count) {
        abort();
    }
    options.mode = TUMBLE_FIRST;
    ask(query, models, poses, options, &found);
    int listed = !expected->result.collide;
    for (size_t i = 0; i < expected->result.pair_count && i < PAIRS_MOST; i++) {
        listed |= memcmp(&expected->pairs[i], &found.result.first, sizeof found.result.first) == 0;
    }
    if (found.result.collide != expected->result.collide || (!listed && expected->result.pair_count <= PAIRS_MOST)) {
        abort();
    }
}

/* Exactly the surfaces of the polygons that intersect. */
static void check_surfaces(tumble_query *query, tumble_model *const models[2], const tumble_pose poses[2],
                           tumble_collide_options options, const answer *expected)
{
    answer found;
    tumble_surface_pair pairs[SURFACES_MOST * SURFACES_MOST];
    int missing[SURFACES_MOST][SURFACES_MOST] = {{0}};
    uint64_t count = 0;
    if (expected->result.pair_count > PAIRS_MOST) {
        return;
    }
    for (size_t i = 0; i < expected->result.pair_count; i++) {
        uint32_t a, b;
        if (tumble_model_surface(models[0], expected->pairs[i].polygon_a, &a) != TUMBLE_OK ||
            tumble_model_surface(models[1], expected->pairs[i].polygon_b, &b) != TUMBLE_OK) {
            abort();
        }
        count += !missing[a][b];
        missing[a][b] = 1;
    }
    options.mode = TUMBLE_SURFACES;
    options.surface_pairs = pairs;
    options.surface_pair_capacity = sizeof pairs / sizeof *pairs;
    ask(query, models, poses, options, &found);
    if (found.status != TUMBLE_OK || found.result.surface_pair_count != count) {
        abort();
    }
    for (size_t i = 0; i < count; i++) {
        if (!missing[pairs[i].surface_a][pairs[i].surface_b]--) {
            abort();
        }
    }
}

static void next_boxtree(bytes *in, tumble_boxtree_options *out)
{
    const unsigned choice = next(in);
    out->layout = (tumble_boxtree_layout)(choice & 1);
    out->axes = (tumble_boxtree_axes)(choice >> 1 & 1);
    out->criterion = (tumble_boxtree_criterion)(choice >> 2 & 1);
    out->growth = (tumble_boxtree_growth)(choice >> 3 & 1);
    out->trim = (choice >> 4) / 15.0;
}

/* Bytes that tell about k-DOP trees: k, which both models have, what is each one's own, the walk. Then whose turn it
 * is. */
#define TAIL 8
static const uint32_t face_counts[] = {6, 12, 14, 18, 26};

static void next_kdop(bytes *in, uint32_t k, tumble_kdop_options *out)
{
    const unsigned choice = next(in), other = next(in);
    out->k = k;
    out->split = (tumble_kdop_split)(choice & 3);
    out->at = (tumble_kdop_at)((choice >> 2) % 3);
    out->all_directions = choice >> 4 & 1;
    out->estimate = choice >> 5 & 1;
    out->hull = choice >> 6 & 1;
    out->tumble = (tumble_kdop_tumble)(other % 5);
    out->leaf = 1 + (other >> 3) % 12;
}

static tumble_model *make_tuned(tumble_context *context, const small_mesh *mesh, tumble_hierarchy hierarchy,
                                const tumble_tuning *tuning)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = hierarchy;
    options.tuning = tuning;
    return make(context, mesh, &options);
}

/* Any that B has the data for. */
static tumble_kdop_walk next_walk(bytes *in, const tumble_model *b)
{
    const unsigned choice = next(in);
    tumble_tuning kept;
    if (tumble_model_get_tuning(b, &kept) != TUMBLE_OK) {
        abort();
    }
    const tumble_kdop_tumble ways[] = {TUMBLE_KDOP_TUMBLE_AUTO, TUMBLE_KDOP_TUMBLE_UNIT, TUMBLE_KDOP_TUMBLE_AXES,
                                       kept.kdop.tumble};
    const tumble_kdop_root roots[] = {TUMBLE_KDOP_ROOT_AUTO, TUMBLE_KDOP_ROOT_SAME,
                                      kept.kdop.hull ? TUMBLE_KDOP_ROOT_HULL : TUMBLE_KDOP_ROOT_AUTO};
    return (tumble_kdop_walk){.tumble = ways[choice & 3],
                              .root = roots[(choice >> 2) % 3],
                              .traversal = (tumble_kdop_traversal)((choice >> 4) % 3),
                              .mixed = (tumble_kdop_mixed)(choice >> 6 & 1),
                              .epsilon = choice & 128 ? next_scale(in) : 0};
}

static void check_hierarchy(tumble_query *query, tumble_model *const models[2], const tumble_pose poses[2],
                            const tumble_collide_options *options, const answer *expected, int in_all_modes,
                            const char *name)
{
    answer found;
    ask(query, models, poses, *options, &found);
    compare(&found, expected, name);
    if (in_all_modes && expected->status == TUMBLE_OK) { /* else: where only contacts are rejected, yes/no is not */
        check_modes(query, models, poses, *options, expected);
        check_surfaces(query, models, poses, *options, expected);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes in = {data, size};
    const unsigned choice = next(&in);
    tumble_context_options context_options = tumble_default_context_options();
    context_options.thread_count = 1;
    context_options.simd = (tumble_simd)(choice & 3);
    tumble_context *context = NULL;
    tumble_query *query = NULL;
    if (tumble_context_create(&context_options, &context) != TUMBLE_OK ||
        tumble_query_create(context, &query) != TUMBLE_OK) {
        abort();
    }
    tumble_collide_options options = tumble_default_collide_options();
    tumble_tuning tunings[2] = {tumble_default_tuning(), tumble_default_tuning()}, walk = tumble_default_tuning();
    walk.boxtree_walk.overlap = (tumble_overlap)((choice >> 2) % 5);
    walk.boxtree_walk.direction = (tumble_direction)((choice >> 5) % 3);
    options.tuning = &walk;
    options.want_contacts = choice >> 7;

    small_mesh meshes[2];
    tumble_pose poses[2];
    tumble_model *trees[2], *wides[2], *kdops[2], *rtrees[2], *brutes[2];
    for (int i = 0; i < 2; i++) {
        next_boxtree(&in, &tunings[i].boxtree);
        poses[i] = next_pose(&in, context);
        next_mesh(&in, &meshes[i]);
    }
    const int larger = (int)(next(&in) & 1);
    for (int i = 0; i < 2; i++) {
        next_copies(&in, i == larger ? COPIES_MOST : COPIES_FEW, &meshes[i]);
        give_surfaces(&meshes[i]);
    }
    const size_t tail = size < TAIL ? size : TAIL;
    bytes last = {data + size - tail, tail}; /* whatever else they mean */
    const uint32_t k = face_counts[next(&last) % (sizeof face_counts / sizeof *face_counts)];
    for (int i = 0; i < 2; i++) {
        next_kdop(&last, k, &tunings[i].kdop);
        tunings[i].rtree.load = (tumble_rtree_load)(tunings[i].kdop.leaf % 3);
        kdops[i] = make_tuned(context, &meshes[i], TUMBLE_HIERARCHY_KDOP, &tunings[i]);
        rtrees[i] = make_tuned(context, &meshes[i], TUMBLE_HIERARCHY_RTREE, &tunings[i]);
        trees[i] = make_tuned(context, &meshes[i], TUMBLE_HIERARCHY_BOXTREE, &tunings[i]);
        wides[i] = make_tuned(context, &meshes[i], TUMBLE_HIERARCHY_WIDE, &tunings[i]);
        brutes[i] = make_tuned(context, &meshes[i], TUMBLE_HIERARCHY_BRUTE, &tunings[i]);
    }
    walk.kdop_walk = next_walk(&last, kdops[1]);
    walk.rtree_walk = (tumble_rtree_walk){
        .probe = (tumble_rtree_probe)((choice >> 5) % 3), .whole = choice >> 2 & 1, .single = choice >> 3 & 1};
    answer expected;
    ask(query, brutes, poses, options, &expected);
    const unsigned turns = next(&last), turn = turns % 5; /* exact arithmetic takes its time */
    tumble_model **const kinds[] = {wides, trees, kdops, rtrees, brutes};
    tumble_model *const mixed[2] = {kinds[turns / 5 % 5][0], kinds[turns / 25 % 5][1]};
    check_hierarchy(query, trees, poses, &options, &expected, turn == 0, "boxtree");
    check_hierarchy(query, wides, poses, &options, &expected, turn == 1, "wide");
    check_hierarchy(query, kdops, poses, &options, &expected, turn == 2, "kdop");
    check_hierarchy(query, rtrees, poses, &options, &expected, turn == 3, "rtree");
    check_hierarchy(query, mixed, poses, &options, &expected, turn == 4, "mixed");

    for (int i = 0; i < 2; i++) {
        tumble_model_destroy(trees[i]);
        tumble_model_destroy(wides[i]);
        tumble_model_destroy(kdops[i]);
        tumble_model_destroy(rtrees[i]);
        tumble_model_destroy(brutes[i]);
    }
    tumble_query_destroy(query);
    tumble_context_destroy(context);
    return 0;
}
