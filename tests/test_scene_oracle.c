/* Scenes against brute force, through random lives: boxes in extended precision, and every pair by its pair query.
 * Objects are of all sizes: on a lattice, far from the origin, subnormal and huge ones, with models and poses whose
 * scales cancel out; many are placed so that they just touch another one. Scenes of every method, number of threads and
 * instruction set go through the same life, and must give the same bytes. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenes.h"

enum {
    CONFIGS = 7,
    MOST = 28, /* objects */
    MODELS = 6,
    CORNERS_MOST = 24,
    STEPS = 40
};

static const struct {
    tumble_broad broad;
    uint32_t threads;
    int level;
} configs[CONFIGS] = {{TUMBLE_BROAD_ALL, 1, 2},  {TUMBLE_BROAD_TREE, 1, 0}, {TUMBLE_BROAD_TREE, 1, 1},
                      {TUMBLE_BROAD_TREE, 1, 2}, {TUMBLE_BROAD_TREE, 3, 2}, {TUMBLE_BROAD_SWEEP, 1, 0},
                      {TUMBLE_BROAD_SWEEP, 2, 2}};

/* Where objects are: the unit of their sizes is 2^exponent. Models have units of their own; poses make up for it. */
typedef struct place_kind {
    const char *name;
    double offset; /* of all objects, in units */
    int exponent;
    int least, most; /* exponents of models */
    int is_lattice;
} place_kind;

static const place_kind kinds[] = {{"random", 0, 0, 0, 0, 0},
                                   {"lattice", 0, 0, 0, 0, 1},
                                   {"far", 1e12, 0, 0, 0, 0},
                                   {"far lattice", 1e12, 0, -3, 3, 1},
                                   {"tiny", 0, -1000, -1000, -1000, 0},
                                   {"subnormal", 0, -1060, -1060, -1060, 0},
                                   {"subnormal models", 0, -60, -1073, -1060, 0},
                                   {"huge", 0, 1014, 1014, 1014, 0},
                                   {"huge lattice", 0, 1010, 0, 1010, 1},
                                   {"largest models", 0, 0, 1021, 1023, 0},
                                   {"wild", 0, 0, -1060, 1010, 0},
                                   {"wild lattice", 0, 0, -540, 540, 1},
                                   {"small poses", 0, -540, -40, 40, 0}};

enum {
    KINDS = sizeof kinds / sizeof *kinds
};

typedef struct shape {
    tumble_model *model;
    double corners[CORNERS_MOST][3];
    size_t count;
    int exponent;
} shape;

typedef struct oracle {
    tumble_query *query; /* for pairs */
    tumble_context *contexts[TEST_LEVELS];
    tumble_scene *scenes[CONFIGS];
    tumble_query *queries[CONFIGS];
    shape shapes[MODELS];
    place_kind kind;
    tumble_object ids[MOST];
    tumble_part parts[MOST];
    const shape *shape_of[MOST];
    size_t count;
    uint8_t is_ignored[MOST][MOST], is_candidate[MOST][MOST]; /* by index */
} oracle;

static struct {
    size_t steps, candidates, touching, close, meetings, failures;
} seen;

/* ---- Models ---- */

static double coordinate(test_random *random, int is_lattice)
{
    return is_lattice ? (double)test_random_whole(random, -2, 2) / 2 : test_random_range(random, -1, 1);
}

static void add_triangle(models_mesh *mesh, shape *s, double points[3][3])
{
    uint32_t corners[3];
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 3; k++) {
            points[c][k] = ldexp(points[c][k], s->exponent);
        }
        corners[c] = models_point(mesh, points[c][0], points[c][1], points[c][2]);
        memcpy(s->corners[s->count++], points[c], sizeof points[c]);
    }
    models_polygon(mesh, corners, 3);
}

/* The first is empty, the second a point or a segment, the others have some triangles; one is far from its origin. */
static void make_shape(oracle *o, test_random *random, int number)
{
    shape *s = &o->shapes[number];
    models_mesh mesh = {0};
    *s = (shape){.exponent = test_random_whole(random, o->kind.least, o->kind.most)};
    if (strcmp(o->kind.name, "subnormal models") == 0 && number % 2) {
        s->exponent = 0;
    }
    const int is_lattice = o->kind.is_lattice || number == 3;
    for (int t = 0; t < (number < 2 ? number : number + 2); t++) {
        double points[3][3];
        for (int c = 0; c < 3; c++) {
            for (int k = 0; k < 3; k++) {
                points[c][k] = coordinate(random, is_lattice) + (number == 5 && k == 1 && s->exponent < 1020 ? 6 : 0);
            }
        }
        if (number == 1) {
            memcpy(points[2], points[1], sizeof points[1]);
            memcpy(points[test_random_whole(random, 0, 1)], points[2], sizeof points[2]);
        }
        add_triangle(&mesh, s, points);
    }
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = number % 2 ? TUMBLE_HIERARCHY_WIDE : TUMBLE_HIERARCHY_KDOP;
    s->model = test_model(o->contexts[2], &mesh, &options);
    models_free(&mesh);
}

static void begin(oracle *o, test_world *w, test_random *random, const place_kind *kind)
{
    *o = (oracle){.query = w->query, .kind = *kind};
    tumble_query *unused[TEST_LEVELS];
    if (strncmp(kind->name, "wild", 4) == 0) {
        o->kind.exponent = test_random_whole(random, -900, 900);
    }
    test_open_levels(&w->memory, o->contexts, unused);
    for (int i = 0; i < TEST_LEVELS; i++) {
        tumble_query_destroy(unused[i]);
    }
    for (int i = 0; i < MODELS; i++) {
        make_shape(o, random, i);
    }
    for (int m = 0; m < CONFIGS; m++) {
        const tumble_scene_options options = {.broad = configs[m].broad, .thread_count = configs[m].threads};
        tumble_context *context = o->contexts[configs[m].level];
        assert_int_equal(tumble_scene_create(context, &options, &o->scenes[m]), TUMBLE_OK);
        assert_int_equal(tumble_query_create(context, &o->queries[m]), TUMBLE_OK);
    }
}

static void end(oracle *o)
{
    for (int m = 0; m < CONFIGS; m++) {
        tumble_scene_destroy(o->scenes[m]);
        tumble_query_destroy(o->queries[m]);
    }
    for (int i = 0; i < MODELS; i++) {
        tumble_model_destroy(o->shapes[i].model);
    }
    for (int i = 0; i < TEST_LEVELS; i++) {
        tumble_context_destroy(o->contexts[i]);
    }
}

/* ---- Poses ---- */

static tumble_pose turn(test_random *random, int is_lattice)
{
    static const tumble_pose turns[4] = {{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
                                         {{{0, -1, 0, 0}, {1, 0, 0, 0}, {0, 0, 1, 0}}},
                                         {{{0, 0, 1, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}}},
                                         {{{-1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, 1, 0}}}};
    return is_lattice || test_random_chance(random, 0.3) ? turns[test_random_whole(random, 0, 3)]
                                                         : test_rational_turn(random);
}

/* The corner of an object that is farthest along an axis, forward or backward, without its translation. */
static void extreme(const shape *s, const tumble_pose *pose, int axis, double sign, double out[3])
{
    tumble_pose linear = *pose;
    linear.m[0][3] = linear.m[1][3] = linear.m[2][3] = 0;
    for (size_t i = 0; i < s->count; i++) {
        double p[3];
        tumble_pose_apply(&linear, s->corners[i], p);
        if (i == 0 || sign * p[axis] > sign * out[axis]) {
            memcpy(out, p, sizeof p);
        }
    }
}

/* Lets the object touch another one in a corner of both, about. */
static void kiss(const oracle *o, test_random *random, const shape *s, tumble_pose *pose)
{
    const int i = test_random_whole(random, 0, (int)o->count - 1), axis = test_random_whole(random, 0, 2);
    const double sign = test_random_chance(random, 0.5) ? 1 : -1;
    const int steps = test_random_whole(random, -4, 4);
    double theirs[3] = {0, 0, 0}, ours[3] = {0, 0, 0};
    if (s->count == 0 || o->shape_of[i]->count == 0) {
        return;
    }
    extreme(o->shape_of[i], &o->parts[i].pose, axis, sign, theirs);
    extreme(s, pose, axis, -sign, ours);
    for (int k = 0; k < 3; k++) {
        const double at = o->parts[i].pose.m[k][3] + theirs[k] - ours[k];
        pose->m[k][3] = isfinite(at) ? at : 0;
    }
    pose->m[axis][3] = test_step_ulps(pose->m[axis][3], steps);
    if (test_random_chance(random, 0.5)) {
        const int less = test_random_whole(random, 1, test_random_chance(random, 0.5) ? 4 : 50);
        pose->m[axis][3] += ldexp(test_random_range(random, -1, 1), o->kind.exponent - less);
    }
}

static tumble_pose random_pose(const oracle *o, test_random *random, const shape *s)
{
    tumble_pose pose = turn(random, o->kind.is_lattice);
    int exponent = o->kind.exponent - s->exponent + (test_random_chance(random, 0.1) ? 3 : 0);
    exponent = exponent < -1020 ? -1020 : exponent > 1020 ? 1020 : exponent;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            pose.m[i][j] = ldexp(pose.m[i][j], exponent);
        }
        const double x = test_random_range(random, -4, 4);
        pose.m[i][3] = ldexp((o->kind.is_lattice ? floor(2 * x) / 2 : x) + o->kind.offset, o->kind.exponent);
    }
    if (o->count > 0 && test_random_chance(random, 0.5)) {
        kiss(o, random, s, &pose);
    }
    return pose;
}

static double random_clearance(const oracle *o, test_random *random)
{
    switch (test_random_whole(random, 0, 40)) {
    case 0: return DBL_MAX;
    case 1: return 1e300;
    case 2: return ldexp((double)test_random_whole(random, 1, 9), -1074);
    case 3:
    case 4: return ldexp(test_random_unit(random), o->kind.exponent);
    default: return 0;
    }
}

static tumble_part random_part(const oracle *o, test_random *random, const shape *s)
{
    tumble_part part = tumble_default_part();
    part.model = s->model;
    part.pose = random_pose(o, random, s);
    part.group = test_random_chance(random, 0.1) ? 2 : 1;
    part.mask = test_random_chance(random, 0.1) ? 1 : UINT32_MAX;
    part.clearance = random_clearance(o, random);
    part.is_inactive = test_random_chance(random, 0.05);
    return part;
}

/* ---- Steps ---- */

static int is_good(const oracle *o, const tumble_part *part)
{
    return tumble_pose_check(o->contexts[2], &part->pose) == TUMBLE_OK;
}

static void add(oracle *o, test_random *random)
{
    const int more = test_random_whole(random, 1, 8);
    for (int i = 0; i < more && o->count < MOST; i++) {
        const shape *s = &o->shapes[test_random_whole(random, test_random_chance(random, 0.9) ? 2 : 0, MODELS - 1)];
        tumble_part part = random_part(o, random, s);
        if (o->count > 0 && test_random_chance(random, 0.1)) { /* the same once more */
            const size_t twin = (size_t)test_random_whole(random, 0, (int)o->count - 1);
            part = o->parts[twin];
            s = o->shape_of[twin];
        }
        for (int m = 0; is_good(o, &part) && m < CONFIGS; m++) {
            assert_int_equal(tumble_scene_add(o->scenes[m], &part, 1, &o->ids[o->count]), TUMBLE_OK);
        }
        if (is_good(o, &part)) {
            o->shape_of[o->count] = s;
            o->parts[o->count++] = part;
        }
    }
}

static void take_out(oracle *o, test_random *random)
{
    for (int i = test_random_whole(random, 1, 4); i > 0 && o->count > 0; i--) {
        const size_t which = (size_t)test_random_whole(random, 0, (int)o->count - 1);
        const tumble_object id = o->ids[which];
        for (int m = 0; m < CONFIGS; m++) {
            assert_int_equal(tumble_scene_remove(o->scenes[m], &id, 1), TUMBLE_OK);
            assert_int_equal(tumble_scene_remove(o->scenes[m], &id, 1), TUMBLE_ERROR_INDEX);
        }
        o->count--;
        o->ids[which] = o->ids[o->count];
        o->parts[which] = o->parts[o->count];
        o->shape_of[which] = o->shape_of[o->count];
        for (int k = 0; k < MOST; k++) {
            o->is_ignored[id.index][k] = o->is_ignored[k][id.index] = 0;
        }
    }
}

static void move(oracle *o, test_random *random)
{
    for (int i = test_random_whole(random, 1, test_random_chance(random, 0.5) ? 2 : MOST); i > 0 && o->count > 0; i--) {
        const size_t which = (size_t)test_random_whole(random, 0, (int)o->count - 1);
        tumble_part part = o->parts[which];
        if (test_random_chance(random, 0.3)) { /* by a few ulps */
            const int axis = test_random_whole(random, 0, 2), steps = test_random_whole(random, -5, 5);
            part.pose.m[axis][3] = test_step_ulps(part.pose.m[axis][3], steps);
        } else {
            part.pose = random_pose(o, random, o->shape_of[which]);
        }
        for (int m = 0; is_good(o, &part) && m < CONFIGS; m++) {
            assert_int_equal(tumble_scene_move(o->scenes[m], &o->ids[which], &part.pose, 1), TUMBLE_OK);
        }
        o->parts[which] = is_good(o, &part) ? part : o->parts[which];
    }
}

static void change(oracle *o, test_random *random)
{
    const size_t which = (size_t)test_random_whole(random, 0, (int)o->count - 1);
    const size_t other = (size_t)test_random_whole(random, 0, (int)o->count - 1);
    const bool yes = test_random_chance(random, 0.7);
    tumble_part part = random_part(o, random, o->shape_of[which]);
    part = is_good(o, &part) ? part : o->parts[which];
    const tumble_object_pair pair = {o->ids[which], o->ids[other]};
    for (int m = 0; m < CONFIGS; m++) {
        assert_int_equal(tumble_scene_set(o->scenes[m], &o->ids[which], &part, 1), TUMBLE_OK);
        assert_int_equal(tumble_scene_activate(o->scenes[m], &o->ids[other], 1, yes), TUMBLE_OK);
        assert_int_equal(tumble_scene_ignore(o->scenes[m], &pair, 1, yes),
                         which == other ? TUMBLE_ERROR_INDEX : TUMBLE_OK);
    }
    o->parts[which] = part;
    o->parts[other].is_inactive = !yes;
    o->is_ignored[pair.a.index][pair.b.index] = o->is_ignored[pair.b.index][pair.a.index] = yes;
}

static void step(oracle *o, test_random *random)
{
    switch (test_random_whole(random, 0, 6)) {
    case 0: take_out(o, random); break;
    case 1:
    case 2: add(o, random); break;
    case 3:
        if (o->count > 0) {
            change(o, random);
        }
        break;
    default: move(o, random); break;
    }
    seen.steps++;
}

/* ---- Candidates ---- */

static int is_allowed(const oracle *o, size_t i, size_t j)
{
    const tumble_part *a = &o->parts[i], *b = &o->parts[j];
    return o->shape_of[i]->count > 0 && o->shape_of[j]->count > 0 && !a->is_inactive && !b->is_inactive &&
           (a->group & b->mask) && (b->group & a->mask) && !o->is_ignored[o->ids[i].index][o->ids[j].index];
}

static void bounds(const oracle *o, size_t i, long double lower[3], long double upper[3])
{
    const shape *s = o->shape_of[i];
    for (int k = 0; k < 3; k++) {
        const double *m = o->parts[i].pose.m[k];
        lower[k] = LDBL_MAX, upper[k] = -LDBL_MAX;
        for (size_t c = 0; c < s->count; c++) {
            const double *p = s->corners[c];
            const long double x = ((long double)m[0] * p[0] + (long double)m[1] * p[1]) + (long double)m[2] * p[2];
            lower[k] = fminl(lower[k], x + m[3] - o->parts[i].clearance);
            upper[k] = fmaxl(upper[k], x + m[3] + o->parts[i].clearance);
        }
    }
}

static int have_overlapping_boxes(const oracle *o, size_t i, size_t j)
{
    long double lower[2][3], upper[2][3];
    bounds(o, i, lower[0], upper[0]);
    bounds(o, j, lower[1], upper[1]);
    for (int k = 0; k < 3; k++) {
        if (lower[0][k] > upper[1][k] || lower[1][k] > upper[0][k]) {
            return 0;
        }
    }
    return 1;
}

static void check_candidates(oracle *o)
{
    const tumble_object_pair *first, *pairs;
    size_t first_count, count;
    assert_int_equal(tumble_scene_candidates(o->scenes[0], &first, &first_count), TUMBLE_OK);
    for (int m = 1; m < CONFIGS; m++) {
        assert_int_equal(tumble_scene_candidates(o->scenes[m], &pairs, &count), TUMBLE_OK);
        if (count != first_count || (count > 0 && memcmp(pairs, first, count * sizeof *pairs) != 0)) {
            fail_msg("%s: scene %d has %zu candidates, the first one %zu", o->kind.name, m, count, first_count);
        }
    }
    memset(o->is_candidate, 0, sizeof o->is_candidate);
    for (size_t i = 0; i < first_count; i++) {
        o->is_candidate[first[i].a.index][first[i].b.index] = o->is_candidate[first[i].b.index][first[i].a.index] = 1;
    }
    for (size_t i = 0; i < o->count; i++) {
        for (size_t j = 0; j < i; j++) {
            const int is_candidate = o->is_candidate[o->ids[i].index][o->ids[j].index];
            const int is_allowed_pair = is_allowed(o, i, j);
            const int is_close = is_allowed_pair && have_overlapping_boxes(o, i, j);
            if ((is_close && !is_candidate) || (is_candidate && !is_allowed_pair)) {
                fail_msg("%s: pair {%u}, {%u} is%s a candidate", o->kind.name, o->ids[i].index, o->ids[j].index,
                         is_candidate ? "" : " not");
            }
            seen.close += (size_t)is_close;
        }
    }
    seen.candidates += first_count;
}

/* ---- Questions ---- */

/* What the pair query says. */
typedef struct truth {
    tumble_meeting meeting;
    int is_met;
    uint64_t hash; /* of polygons and contacts */
} truth;

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static uint64_t hash_meeting(const tumble_pair *pairs, size_t pair_count, const tumble_contact *contacts,
                             size_t contact_count)
{
    uint64_t hash = hash_bytes(1, pairs, pairs ? pair_count * sizeof *pairs : 0);
    for (size_t i = 0; contacts && i < contact_count; i++) {
        hash = hash_bytes(hash, contacts[i].points, sizeof contacts[i].points);
    }
    return hash;
}

static tumble_status ask_collision(const oracle *o, const tumble_part *a, const tumble_part *b,
                                   const tumble_scene_question *q, truth *t)
{
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.mode = q->mode == TUMBLE_SCENE_ALL ? TUMBLE_ALL : TUMBLE_COUNT;
    options.want_contacts = q->mode == TUMBLE_SCENE_ALL && q->want_contacts;
    options.clearance = fmin(a->clearance + b->clearance + q->clearance, DBL_MAX);
    const tumble_status status = tumble_collide(o->query, a->model, &a->pose, b->model, &b->pose, &options, &result);
    if (status == TUMBLE_OK) {
        t->is_met = result.collide;
        t->meeting.pair_count = q->mode >= TUMBLE_SCENE_COUNT ? result.pair_count : 0;
        t->hash = q->mode == TUMBLE_SCENE_ALL
                      ? hash_meeting(result.pairs, result.pair_count, result.contacts, result.contact_count)
                      : 1;
    }
    return status;
}

static tumble_status ask_pair(const oracle *o, const tumble_part *a, const tumble_part *b,
                              const tumble_scene_question *q, truth *t)
{
    tumble_status status;
    t->hash = 1;
    if (q->mode == TUMBLE_SCENE_RELATE) {
        tumble_relation_result result;
        status = tumble_relate(o->query, a->model, &a->pose, b->model, &b->pose, &result);
        if (status == TUMBLE_OK) {
            t->is_met = result.relation != TUMBLE_RELATION_APART;
            t->meeting.relation = result.relation;
        }
        return status;
    }
    if (q->mode < TUMBLE_SCENE_RELATE) {
        return ask_collision(o, a, b, q, t);
    }
    tumble_distance_options options = tumble_default_distance_options();
    tumble_distance_result result;
    options.within = q->within;
    status = tumble_distance(o->query, a->model, &a->pose, b->model, &b->pose, &options, &result);
    if (status == TUMBLE_OK) {
        t->is_met = result.answer == TUMBLE_YES;
        t->meeting.nearest = result.nearest;
    }
    return status;
}

typedef struct truths {
    truth met[MOST * MOST];
    size_t count;
    unsigned failed; /* bit s: some pair fails with status s */
} truths;

static int is_in_groups(const tumble_scene_question *q, uint32_t a, uint32_t b)
{
    return (a & q->groups_a && b & q->groups_b) || (b & q->groups_a && a & q->groups_b);
}

/* All pairs in the order of their indices. Relations that are undefined because models are open are not listed where
 * boxes are disjoint (docs/semantics.md). */
static void know(const oracle *o, const tumble_scene_question *q, truths *all)
{
    size_t by_index[MOST];
    memset(by_index, 0xff, sizeof by_index);
    for (size_t i = 0; i < o->count; i++) {
        by_index[o->ids[i].index] = i;
    }
    all->count = all->failed = 0;
    for (size_t a = 0; a < MOST; a++) {
        for (size_t b = a + 1; b < MOST; b++) {
            const size_t i = by_index[a], j = by_index[b];
            if (i == SIZE_MAX || j == SIZE_MAX || !is_allowed(o, i, j) ||
                !is_in_groups(q, o->parts[i].group, o->parts[j].group)) {
                continue;
            }
            truth t = {.meeting = {.a = o->ids[i], .b = o->ids[j]}};
            const tumble_status status = ask_pair(o, &o->parts[i], &o->parts[j], q, &t);
            all->failed |= status == TUMBLE_OK ? 0 : 1u << status;
            if (t.is_met && q->mode < TUMBLE_SCENE_RELATE && q->clearance == 0 && !o->is_candidate[a][b]) {
                fail_msg("%s: {%zu}, {%zu} touch and are no candidate", o->kind.name, a, b);
            }
            if (t.is_met && (t.meeting.relation != TUMBLE_RELATION_UNDEFINED || o->is_candidate[a][b])) {
                all->met[all->count++] = t;
            }
        }
    }
}

static void assert_meeting(const oracle *o, const tumble_scene_question *q, const tumble_meeting *found, const truth *t)
{
    const tumble_meeting *wanted = &t->meeting;
    if (memcmp(&found->a, &wanted->a, sizeof found->a) != 0 || memcmp(&found->b, &wanted->b, sizeof found->b) != 0) {
        fail_msg("%s, mode %d: {%u}, {%u} instead of {%u}, {%u}", o->kind.name, (int)q->mode, found->a.index,
                 found->b.index, wanted->a.index, wanted->b.index);
    }
    assert_int_equal(found->pair_count, wanted->pair_count);
    assert_int_equal(found->relation, wanted->relation);
    assert_true(t->hash == hash_meeting(found->pairs, found->pair_count, found->contacts, found->contact_count));
    if (q->mode >= TUMBLE_SCENE_DISTANCE) {
        assert_memory_equal(&found->nearest, &wanted->nearest, sizeof found->nearest);
    }
}

static void check_answer(const oracle *o, const tumble_scene_question *q, const truths *all,
                         const tumble_scene_answer *answer)
{
    if (q->mode == TUMBLE_SCENE_TEST) {
        assert_int_equal(answer->touch, all->count > 0);
        return;
    }
    if (q->mode == TUMBLE_SCENE_NEAREST) {
        const truth *nearest = all->met;
        for (size_t i = 1; i < all->count; i++) {
            nearest = all->met[i].meeting.nearest.distance < nearest->meeting.nearest.distance ? &all->met[i] : nearest;
        }
        assert_int_equal(answer->meeting_count, all->count > 0);
        if (all->count > 0) {
            assert_meeting(o, q, answer->meetings, nearest);
        }
        return;
    }
    for (size_t i = 0; i < all->count && i < answer->meeting_count; i++) {
        assert_meeting(o, q, &answer->meetings[i], &all->met[i]);
    }
    assert_int_equal(answer->meeting_count, all->count);
    seen.meetings += all->count;
}

/* A pair that fails may be one that boxes have parted: then the scene does not ask. */
static void check_question(oracle *o, const tumble_scene_question *q)
{
    static truths all;
    tumble_status first = TUMBLE_OK;
    char message[256] = "";
    know(o, q, &all);
    seen.touching += all.count;
    for (int m = 0; m < CONFIGS; m++) {
        tumble_scene_answer answer;
        const tumble_status status = tumble_scene_collide(o->queries[m], o->scenes[m], q, &answer);
        if (status == TUMBLE_OK) {
            check_answer(o, q, &all, &answer);
        } else {
            assert_true(all.failed >> status & 1);
            seen.failures++;
        }
        if (m == 0) {
            first = status;
            (void)snprintf(message, sizeof message, "%s", test_message(o->contexts[configs[m].level]));
        } else if (q->mode != TUMBLE_SCENE_NEAREST) { /* there, which pairs are asked depends on the first tries */
            assert_int_equal(status, first);
            assert_true(status == TUMBLE_OK || strcmp(message, test_message(o->contexts[configs[m].level])) == 0);
        }
    }
}

static void ask_something(oracle *o, test_random *random)
{
    tumble_scene_question q = tumble_default_scene_question();
    const int mode = test_random_whole(random, -3, TUMBLE_SCENE_NEAREST);
    q.mode = mode < 0 ? TUMBLE_SCENE_PAIRS : (tumble_scene_mode)mode;
    q.want_contacts = true;
    q.clearance = q.mode < TUMBLE_SCENE_RELATE && test_random_chance(random, 0.2) ? random_clearance(o, random) : 0;
    if (test_random_chance(random, 0.8)) {
        q.within = test_random_chance(random, 0.1) ? 0 : ldexp(test_random_unit(random), o->kind.exponent + 1);
    }
    if (test_random_chance(random, 0.2)) {
        q.groups_a = 2;
    }
    check_question(o, &q);
}

static void live(test_world *w, const place_kind *kind, test_random *random)
{
    oracle o;
    begin(&o, w, random, kind);
    for (int i = 0; i < STEPS; i++) {
        step(&o, random);
        if (test_random_chance(random, 0.7)) {
            check_candidates(&o);
            if (test_random_chance(random, 0.4)) {
                ask_something(&o, random);
            }
        }
    }
    end(&o);
}

static void test_scenes_and_brute_force(void **state)
{
    test_random random = {5};
    for (size_t round = 0; round < test_count(KINDS); round++) {
        live(*state, &kinds[round % KINDS], &random);
    }
    if (test_effort() >= 10) {
        print_message("%zu steps, %zu candidates of which %zu by exact boxes, %zu pairs that touch, %zu meetings, %zu "
                      "questions that fail\n",
                      seen.steps, seen.candidates, seen.close, seen.touching, seen.meetings, seen.failures);
    }
    assert_true(seen.candidates > 0 && seen.touching > 0 && seen.meetings > 0);
    assert_true(test_effort() < 1 || seen.failures > 0);
}

/* ---- Pairs that were lost once ---- */

static tumble_model *triangle(tumble_context *context, double size, double off)
{
    models_mesh mesh = {0};
    const uint32_t corners[3] = {models_point(&mesh, 0, off, 0), models_point(&mesh, size, off, 0),
                                 models_point(&mesh, 0, off + size, size)};
    models_polygon(&mesh, corners, 3);
    tumble_model *model = test_model(context, &mesh, NULL);
    models_free(&mesh);
    return model;
}

static void assert_touch(test_world *w, const tumble_part parts[2])
{
    tumble_scene *scene;
    tumble_object ids[2];
    tumble_scene_answer answer;
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.clearance = fmin(parts[0].clearance + parts[1].clearance, DBL_MAX);
    assert_int_equal(
        tumble_collide(w->query, parts[0].model, &parts[0].pose, parts[1].model, &parts[1].pose, &options, &result),
        TUMBLE_OK);
    assert_true(result.collide);
    assert_int_equal(tumble_scene_create(w->context, NULL, &scene), TUMBLE_OK);
    assert_int_equal(tumble_scene_add(scene, parts, 2, ids), TUMBLE_OK);
    assert_int_equal(tumble_scene_collide(w->query, scene, NULL, &answer), TUMBLE_OK);
    assert_int_equal(answer.meeting_count, 1);
    tumble_scene_destroy(scene);
}

static void set_scale(tumble_part *part, double scale)
{
    part->pose.m[0][0] = part->pose.m[1][1] = part->pose.m[2][2] = scale;
}

static void test_lost_pairs(void **state)
{
    test_world *w = *state;
    tumble_model *models[] = {triangle(w->context, 0x1p-1073, 0), triangle(w->context, 1, 0),
                              triangle(w->context, 0x1p-455, 0x1.4p-453), triangle(w->context, 0x1p1022, -0x1p1023)};
    tumble_part parts[2] = {tumble_default_part(), tumble_default_part()};
    /* in A's frame, where numbers are subnormal, B's corner is rounded to A's */
    parts[0].model = models[0];
    parts[1].model = models[1];
    set_scale(&parts[0], 0x1p1014);
    set_scale(&parts[1], 0x1p-60);
    parts[1].pose.m[0][3] = -1.4 * 0x1p-60;
    assert_touch(w, parts);
    /* products of both scales overflow */
    parts[0].model = models[1];
    parts[1].model = models[2];
    set_scale(&parts[0], 0x1p424);
    set_scale(&parts[1], 0x1p876);
    parts[1].pose.m[0][3] = 0;
    parts[1].pose.m[1][3] = -0x1.4p423;
    assert_touch(w, parts);
    /* the square of a scale underflows */
    parts[0].model = parts[1].model = models[3];
    set_scale(&parts[0], 0x1p-540);
    set_scale(&parts[1], 0x1p-540);
    parts[1].pose.m[0][3] = 0x1p480;
    parts[1].pose.m[1][3] = 0;
    assert_touch(w, parts);
    /* sums overflow */
    set_scale(&parts[0], 0x1p-30);
    set_scale(&parts[1], 0x1p-30);
    assert_touch(w, parts);
    /* the sum of clearances overflows */
    parts[0].model = parts[1].model = models[1];
    parts[0].pose = parts[1].pose = tumble_pose_identity();
    parts[1].pose.m[0][3] = 1e300;
    parts[0].clearance = parts[1].clearance = DBL_MAX;
    assert_touch(w, parts);
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        tumble_model_destroy(models[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_lost_pairs), TEST_IN_WORLD(test_scenes_and_brute_force)};
    return cmocka_run_group_tests_name("scene_oracle", tests, NULL, NULL);
}
