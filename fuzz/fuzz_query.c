/* Two small meshes at two poses, from bytes: any two hierarchies must find what brute force finds, in every mode, with
 * and without a clearance. */
#include <math.h>
#include <stdio.h>

#include "fuzz_scene.h"

enum {
    PAIRS_MOST = 1000, /* where there are more, the first ones of the sorted list are compared */
    CONTACTS_MOST = 500,
    BUDGET = 600 /* of exact comparisons, see limit_meshes */
};

typedef struct answer {
    tumble_status status;
    tumble_collide_result result;
    size_t pair_count, contact_count; /* that are here */
    tumble_pair pairs[PAIRS_MOST];
    tumble_contact contacts[CONTACTS_MOST];
} answer;

/* Everything but the mode. */
typedef struct question {
    tumble_query *query;
    tumble_model *models[2];
    const tumble_pose *poses;
    tumble_collide_options options;
} question;

static void require(int condition, const char *what, const answer *found, const answer *expected)
{
    if (!condition) {
        fprintf(stderr, "%s: status %d, %llu pairs, %llu contacts; brute force: %d, %llu, %llu\n", what, found->status,
                (unsigned long long)found->result.pair_count, (unsigned long long)found->result.contact_count,
                expected->status, (unsigned long long)expected->result.pair_count,
                (unsigned long long)expected->result.contact_count);
        abort();
    }
}

/* The arrays hold the beginning of the views. */
static void check_views(const answer *found)
{
    const tumble_collide_result *result = &found->result;
    require(!found->pair_count || memcmp(result->pairs, found->pairs, found->pair_count * sizeof *found->pairs) == 0,
            "view of the pairs", found, found);
    require(!found->contact_count ||
                memcmp(result->contacts, found->contacts, found->contact_count * sizeof *found->contacts) == 0,
            "view of the contacts", found, found);
}

static void ask(const question *about, tumble_mode mode, answer *out)
{
    tumble_collide_options options = about->options;
    options.mode = mode;
    options.pairs = out->pairs;
    options.pair_capacity = PAIRS_MOST;
    options.contacts = out->contacts;
    options.contact_capacity = options.want_contacts ? CONTACTS_MOST : 0;
    memset(&out->result, 0, sizeof out->result);
    out->pair_count = out->contact_count = 0;
    out->status = tumble_collide(about->query, about->models[0], &about->poses[0], about->models[1], &about->poses[1],
                                 &options, &out->result);
    if (out->status == TUMBLE_OK && mode == TUMBLE_ALL) {
        out->pair_count = out->result.pair_count < PAIRS_MOST ? (size_t)out->result.pair_count : PAIRS_MOST;
        out->contact_count =
            out->result.contact_count < CONTACTS_MOST ? (size_t)out->result.contact_count : CONTACTS_MOST;
        check_views(out);
    }
}

static void compare(const answer *found, const answer *expected)
{
    require(found->status == expected->status && found->result.pair_count == expected->result.pair_count &&
                found->result.contact_count == expected->result.contact_count &&
                memcmp(found->pairs, expected->pairs, found->pair_count * sizeof *found->pairs) == 0 &&
                memcmp(found->contacts, expected->contacts, found->contact_count * sizeof *found->contacts) == 0,
            "all", found, expected);
}

/* ---- Modes ---- */

static void check_test(const question *about, const answer *expected)
{
    static answer found;
    ask(about, TUMBLE_TEST, &found);
    require(found.status == expected->status && found.result.collide == expected->result.collide, "test", &found,
            expected);
}

static void check_count(const question *about, const answer *expected)
{
    static answer found;
    ask(about, TUMBLE_COUNT, &found);
    require(found.status == expected->status && found.result.pair_count == expected->result.pair_count, "count", &found,
            expected);
}

static void check_first(const question *about, const answer *expected)
{
    static answer found;
    ask(about, TUMBLE_FIRST, &found);
    int listed = !expected->result.collide || expected->result.pair_count > PAIRS_MOST;
    for (size_t i = 0; i < expected->pair_count; i++) {
        listed |= memcmp(&expected->pairs[i], &found.result.first, sizeof found.result.first) == 0;
    }
    require(found.result.collide == expected->result.collide && listed, "first", &found, expected);
}

/* Exactly the surfaces of the polygons that intersect. */
static void check_surfaces(const question *about, const answer *expected)
{
    static answer found;
    tumble_surface_pair pairs[SURFACES_MOST * SURFACES_MOST];
    int missing[SURFACES_MOST][SURFACES_MOST] = {{0}};
    uint64_t count = 0;
    if (expected->result.pair_count > PAIRS_MOST) {
        return;
    }
    for (size_t i = 0; i < expected->pair_count; i++) {
        uint32_t a, b;
        if (tumble_model_surface(about->models[0], expected->pairs[i].polygon_a, &a) != TUMBLE_OK ||
            tumble_model_surface(about->models[1], expected->pairs[i].polygon_b, &b) != TUMBLE_OK) {
            abort();
        }
        count += !missing[a][b];
        missing[a][b] = 1;
    }
    question with_room = *about;
    with_room.options.surface_pairs = pairs;
    with_room.options.surface_pair_capacity = sizeof pairs / sizeof *pairs;
    ask(&with_room, TUMBLE_SURFACES, &found);
    require(found.status == TUMBLE_OK && found.result.surface_pair_count == count, "surfaces", &found, expected);
    for (size_t i = 0; i < count; i++) {
        require(missing[pairs[i].surface_a][pairs[i].surface_b]-- == 1, "one surface pair", &found, expected);
    }
}

typedef struct called {
    uint64_t pairs, contacts, most;
} called;

static bool on_pairs(void *user, const tumble_pair *pairs, size_t pair_count, const tumble_contact *contacts,
                     size_t contact_count)
{
    called *so_far = user;
    (void)pairs;
    (void)contacts;
    so_far->pairs += pair_count;
    so_far->contacts += contact_count;
    return so_far->pairs > so_far->most;
}

/* By a callback, which stops the query when it has seen enough. */
static void check_callback(const question *about, const answer *expected)
{
    called so_far = {0, 0, expected->result.pair_count / 2 + (expected->result.pair_count % 2 ? SIZE_MAX / 2 : 0)};
    tumble_collide_options options = about->options;
    tumble_collide_result result;
    options.callback = on_pairs;
    options.callback_user = &so_far;
    const tumble_status status = tumble_collide(about->query, about->models[0], &about->poses[0], about->models[1],
                                                &about->poses[1], &options, &result);
    const int stops = so_far.pairs > so_far.most;
    require(status == (stops ? TUMBLE_ERROR_CANCELLED : TUMBLE_OK), "status with a callback", expected, expected);
    require(stops || (so_far.pairs == expected->result.pair_count && so_far.contacts == expected->result.contact_count),
            "counts of a callback", expected, expected);
}

typedef void mode_check(const question *about, const answer *expected);
static mode_check *const mode_checks[] = {check_test, check_count, check_first, check_surfaces, check_callback};

/* ---- Options ---- */

static void next_boxtree(bytes *in, tumble_boxtree_options *out)
{
    const unsigned choice = next(in);
    out->layout = (tumble_boxtree_layout)(choice & 1);
    out->axes = (tumble_boxtree_axes)(choice >> 1 & 1);
    out->criterion = (tumble_boxtree_criterion)(choice >> 2 & 1);
    out->growth = (tumble_boxtree_growth)(choice >> 3 & 1);
    out->planes = (tumble_boxtree_planes)(choice >> 4 & 1);
    out->trim = (choice >> 5) / 7.0;
}

static void next_kdop(bytes *in, uint32_t k, tumble_kdop_options *out)
{
    const unsigned choice = next(in), other = next(in);
    out->k = k;
    out->split = (tumble_kdop_split)(choice & 3);
    out->at = (tumble_kdop_at)((choice >> 2) % 3);
    out->all_directions = choice >> 4 & 1;
    out->estimate = choice >> 5 & 1;
    out->hull = choice >> 6; /* levels */
    out->tumble = (tumble_kdop_tumble)(other % 5);
    out->leaf = 1 + (other >> 3) % 12;
    out->bare_leaves = other >> 7;
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

/* Half of the inputs compare two models with the same hierarchy. */
static void next_hierarchies(bytes *in, tumble_hierarchy out[2])
{
    static const tumble_hierarchy kinds[] = {TUMBLE_HIERARCHY_WIDE, TUMBLE_HIERARCHY_BOXTREE, TUMBLE_HIERARCHY_KDOP,
                                             TUMBLE_HIERARCHY_RTREE, TUMBLE_HIERARCHY_BRUTE};
    const unsigned choice = next(in);
    out[0] = kinds[choice % (choice & 128 ? 5 : 4)];
    out[1] = choice & 128 ? kinds[choice / 5 % 5] : out[0];
}

static tumble_model *make_tuned(tumble_context *context, const small_mesh *mesh, tumble_hierarchy hierarchy,
                                const tumble_tuning *tuning)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = hierarchy;
    options.tuning = tuning;
    return make(context, mesh, &options);
}

/* ---- One input ---- */

typedef struct scene {
    small_mesh meshes[2];
    tumble_pose poses[2];
    tumble_tuning tunings[2];
} scene;

static void next_scene(bytes *in, tumble_context *context, scene *out)
{
    for (int i = 0; i < 2; i++) {
        out->tunings[i] = tumble_default_tuning();
        next_boxtree(in, &out->tunings[i].boxtree);
        out->poses[i] = next_pose(in, context);
        next_mesh(in, &out->meshes[i]);
    }
    const int larger = (int)(next(in) & 1);
    for (int i = 0; i < 2; i++) {
        next_copies(in, i == larger ? COPIES_MOST : COPIES_FEW, &out->meshes[i]);
    }
    limit_meshes(out->meshes, out->poses, BUDGET);
    give_surfaces(&out->meshes[0]);
    give_surfaces(&out->meshes[1]);
}

/* Bytes from the end of the input, whatever else they mean: k, which both models have, what is each one's own, the
 * hierarchies, the walk, the mode and the clearance. */
#define TAIL 11
static bytes tail_of(const uint8_t *data, size_t size)
{
    const size_t tail = size < TAIL ? size : TAIL;
    return (bytes){data + size - tail, tail};
}

/* A radius for both models, some multiple of a small number. */
static void give_radii(const question *about, const question *brute, unsigned choice, double unit)
{
    const double radii[2] = {(choice >> 2 & 7) * unit, (choice >> 5) * unit};
    for (int i = 0; i < 2; i++) {
        if (tumble_model_set_radius(about->models[i], radii[i]) != TUMBLE_OK ||
            tumble_model_set_radius(brute->models[i], radii[i]) != TUMBLE_OK) {
            abort();
        }
    }
}

static void check_scene(const scene *given, tumble_context *context, unsigned choice, bytes last)
{
    static const uint32_t face_counts[] = {6, 12, 14, 18, 26};
    static answer expected, found;
    tumble_tuning walk = tumble_default_tuning();
    tumble_hierarchy hierarchies[2];
    question about = {.poses = given->poses, .options = tumble_default_collide_options()}, brute = about;
    const uint32_t k = face_counts[next(&last) % (sizeof face_counts / sizeof *face_counts)];
    if (tumble_query_create(context, &about.query) != TUMBLE_OK) {
        abort();
    }
    next_hierarchies(&last, hierarchies);
    for (int i = 0; i < 2; i++) {
        tumble_tuning tuning = given->tunings[i];
        next_kdop(&last, k, &tuning.kdop);
        tuning.rtree.load = (tumble_rtree_load)(tuning.kdop.leaf % 6);
        tuning.rtree.width = 2 + 5 * ((uint32_t)tuning.kdop.tumble + (uint32_t)tuning.kdop.split) % 31;
        about.models[i] = make_tuned(context, &given->meshes[i], hierarchies[i], &tuning);
        brute.models[i] = make_tuned(context, &given->meshes[i], TUMBLE_HIERARCHY_BRUTE, NULL);
    }
    walk.boxtree_walk.overlap = (tumble_overlap)((choice >> 2) % 5);
    walk.boxtree_walk.direction = (tumble_direction)((choice >> 5) % 3);
    walk.boxtree_walk.descent = (tumble_descent)(choice >> 1 & 1);
    walk.kdop_walk = next_walk(&last, about.models[1]);
    walk.rtree_walk = (tumble_rtree_walk){
        .probe = (tumble_rtree_probe)((choice >> 5) % 3), .whole = choice >> 2 & 1, .single = choice >> 3 & 1};
    const unsigned mode = next(&last), clearance = next(&last);
    about.options.tuning = &walk;
    about.options.want_contacts = choice >> 7;
    about.options.clearance = clearance & 3 ? 0 : (clearance >> 2) * (mode & 128 ? next_scale(&last) : 0x1p-3);
    if ((clearance & 3) == 1) {
        give_radii(&about, &brute, clearance, mode & 128 ? fabs(next_scale(&last)) : 0x1p-3);
    }
    brute.query = about.query;
    brute.options = about.options;
    ask(&brute, TUMBLE_ALL, &expected);
    ask(&about, TUMBLE_ALL, &found);
    compare(&found, &expected);
    if (expected.status == TUMBLE_OK) { /* else: where only contacts are rejected, yes/no is not */
        mode_checks[mode % (sizeof mode_checks / sizeof *mode_checks)](&about, &expected);
    }
    for (int i = 0; i < 2; i++) {
        tumble_model_destroy(about.models[i]);
        tumble_model_destroy(brute.models[i]);
    }
    tumble_query_destroy(about.query);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static scene given;
    bytes in = {data, size};
    const unsigned choice = next(&in);
    tumble_context *context = kept_context(choice);
    next_scene(&in, context, &given);
    check_scene(&given, context, choice, tail_of(data, size));
    return 0;
}
