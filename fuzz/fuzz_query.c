/* Two small meshes at two poses, from bytes: the hierarchies must find what brute force finds. */
#include <stdio.h>

#include "fuzz_scene.h"

/* Where there are more, the first ones of the sorted list are compared. */
#define PAIRS_MOST 1000
#define CONTACTS_MOST 500

typedef struct answer {
    tumble_status status;
    tumble_collide_result result;
    tumble_pair pairs[PAIRS_MOST];
    tumble_contact contacts[CONTACTS_MOST];
} answer;

static void ask(tumble_query *query, tumble_model *const models[2], const tumble_pose poses[2],
                tumble_collide_options options, answer *out)
{
    memset(out, 0, sizeof *out);
    out->result.size = sizeof out->result;
    options.pairs = out->pairs;
    options.pair_capacity = PAIRS_MOST;
    options.contacts = out->contacts;
    options.contact_capacity = options.want_contacts ? CONTACTS_MOST : 0;
    out->status = tumble_collide(query, models[0], &poses[0], models[1], &poses[1], &options, &out->result);
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
    options.mode = TUMBLE_COLLIDE_TEST;
    ask(query, models, poses, options, &found);
    if (found.status != expected->status || found.result.collide != expected->result.collide) {
        abort();
    }
    options.mode = TUMBLE_COLLIDE_FIRST;
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
    options.mode = TUMBLE_COLLIDE_SURFACES;
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

static tumble_model_options next_tree(bytes *in)
{
    const unsigned choice = next(in);
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = TUMBLE_HIERARCHY_BOXTREE;
    options.boxtree.layout = (tumble_boxtree_layout)(choice & 1);
    options.boxtree.axes = (tumble_boxtree_axes)(choice >> 1 & 1);
    options.boxtree.criterion = (tumble_boxtree_criterion)(choice >> 2 & 1);
    options.boxtree.growth = (tumble_boxtree_growth)(choice >> 3 & 1);
    options.boxtree.trim = (choice >> 4) / 15.0;
    return options;
}

/* Bytes that tell about k-DOP trees: k, which both models have, what is each one's own, the walk. Then whose turn it
 * is. */
#define TAIL 8
static const uint32_t face_counts[] = {6, 12, 14, 18, 26};

static tumble_model_options next_kdop(bytes *in, uint32_t k)
{
    const unsigned choice = next(in), other = next(in);
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = TUMBLE_HIERARCHY_KDOP;
    options.kdop.k = k;
    options.kdop.split = (tumble_kdop_split)(choice & 3);
    options.kdop.at = (tumble_kdop_at)((choice >> 2) % 3);
    options.kdop.all_directions = choice >> 4 & 1;
    options.kdop.estimate = choice >> 5 & 1;
    options.kdop.hull = choice >> 6 & 1;
    options.kdop.tumble = (tumble_kdop_tumble)(other % 5);
    options.kdop.leaf = 1 + (other >> 3) % 12;
    return options;
}

/* An R-tree, loaded in a way that follows from the k-DOP tree's. */
static tumble_model_options rtree_of(const tumble_model_options *kdop)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = TUMBLE_HIERARCHY_RTREE;
    options.rtree.load = (tumble_rtree_load)(kdop->kdop.leaf % 3);
    return options;
}

/* Any that B has the data for. */
static tumble_kdop_walk next_walk(bytes *in, const tumble_model *b)
{
    const unsigned choice = next(in);
    tumble_model_options kept = tumble_default_model_options();
    if (tumble_model_get_options(b, &kept) != TUMBLE_OK) {
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
    options.overlap = (tumble_overlap)((choice >> 2) % 5);
    options.direction = (tumble_direction)((choice >> 5) % 3);
    options.want_contacts = choice >> 7;

    small_mesh meshes[2];
    tumble_pose poses[2];
    tumble_model *trees[2], *wides[2], *kdops[2], *rtrees[2], *brutes[2];
    tumble_model_options brute = tumble_default_model_options(), wide = brute, tree[2];
    brute.hierarchy = TUMBLE_HIERARCHY_BRUTE;
    wide.hierarchy = TUMBLE_HIERARCHY_WIDE;
    for (int i = 0; i < 2; i++) {
        tree[i] = next_tree(&in);
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
        const tumble_model_options kdop = next_kdop(&last, k), rtree = rtree_of(&kdop);
        kdops[i] = make(context, &meshes[i], &kdop);
        rtrees[i] = make(context, &meshes[i], &rtree);
        trees[i] = make(context, &meshes[i], &tree[i]);
        wides[i] = make(context, &meshes[i], &wide);
        brutes[i] = make(context, &meshes[i], &brute);
    }
    options.kdop = next_walk(&last, kdops[1]);
    options.rtree = (tumble_rtree_walk){
        .probe = (tumble_rtree_probe)((choice >> 5) % 3), .whole = choice >> 2 & 1, .single = choice >> 3 & 1};
    answer expected;
    ask(query, brutes, poses, options, &expected);
    const unsigned turn = next(&last) % 4; /* exact arithmetic takes its time */
    check_hierarchy(query, trees, poses, &options, &expected, turn == 0, "boxtree");
    check_hierarchy(query, wides, poses, &options, &expected, turn == 1, "wide");
    check_hierarchy(query, kdops, poses, &options, &expected, turn == 2, "kdop");
    check_hierarchy(query, rtrees, poses, &options, &expected, turn == 3, "rtree");

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
