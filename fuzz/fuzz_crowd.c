/* The life of a scene, from bytes: objects come, move, change and go, with right and wrong ids. Scenes of all three
 * methods go through it together and must agree at every step, no pair that collides may be missing among the
 * candidates, and what touches is what pair queries say. */
#include <float.h>
#include <stdio.h>

#include "fuzz_scene.h"
#include "query/query.h"

enum {
    STEPS_MOST = 20,
    MODELS = 2,
    MOST = 10, /* objects */
    CHECKS_MOST = 3,
    METHODS = 3
};

static void require(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "not so: %s\n", what);
        abort();
    }
}

typedef struct life {
    tumble_context *context;
    tumble_query *queries[METHODS], *pair_query;
    tumble_scene *scenes[METHODS];
    tumble_model *models[MODELS];
    tumble_object ids[MOST];
    tumble_part parts[MOST];
    size_t count;
    tumble_object_pair ignored[STEPS_MOST];
    size_t ignored_count;
    uint32_t ignored_groups[2]; /* of group 1 and 2, those that it is not compared with */
} life;

/* The context and the query for pairs serve all inputs: neither remembers anything that changes an answer. */
static void open_once(life *l)
{
    static tumble_context *context;
    static tumble_query *query;
    if (!context) {
        require(tumble_context_create(NULL, &context) == TUMBLE_OK, "a context");
        require(tumble_query_create(context, &query) == TUMBLE_OK, "a query");
    }
    l->context = context;
    l->pair_query = query;
}

/* Models of few triangles: exact arithmetic about them is what takes the time. Threads are started now and then. */
static void begin(life *l, bytes *in)
{
    static small_mesh mesh;
    const unsigned choice = next(in);
    open_once(l);
    for (int i = 0; i < MODELS; i++) {
        next_mesh(in, &mesh);
        cut_mesh(&mesh, 2);
        if (tumble_model_create(l->context, &mesh.mesh, NULL, &l->models[i]) != TUMBLE_OK) {
            l->models[i] = NULL;
        }
    }
    for (int m = 0; m < METHODS; m++) {
        const tumble_scene_options options = {.broad = (tumble_broad)m, .thread_count = choice % 64 == 63 ? 2 : 1};
        require(tumble_scene_create(l->context, &options, &l->scenes[m]) == TUMBLE_OK, "a scene");
        require(tumble_query_create(l->context, &l->queries[m]) == TUMBLE_OK, "a query");
    }
}

static void end(life *l)
{
    for (int m = 0; m < METHODS; m++) {
        tumble_scene_destroy(l->scenes[m]);
        tumble_query_destroy(l->queries[m]);
    }
    for (int i = 0; i < MODELS; i++) {
        tumble_model_destroy(l->models[i]);
    }
}

static tumble_part next_part(const life *l, bytes *in)
{
    const unsigned choice = next(in);
    tumble_part part = tumble_default_part();
    part.model = l->models[choice % MODELS];
    part.pose = next_pose(in, l->context);
    part.group = choice & 4 ? 2 : 1;
    part.mask = choice & 8 ? 1 : UINT32_MAX;
    part.clearance = choice & 16 ? fabs(next_double(in)) : 0;
    part.clearance = choice & 32 ? -part.clearance : part.clearance;
    part.radius = choice & 64 ? fabs(next_double(in)) : 0;
    part.is_inactive = (choice & 192) == 192;
    return part;
}

/* All scenes answer alike. */
#define FOR_ALL(call)                                                     \
    tumble_status status = TUMBLE_OK;                                     \
    for (int m = 0; m < METHODS; m++) {                                   \
        const tumble_status here = (call);                                \
        require(m == 0 || here == status, "the status of another scene"); \
        status = here;                                                    \
    }

static void add(life *l, bytes *in)
{
    if (l->count == MOST) {
        return;
    }
    const tumble_part part = next_part(l, in);
    tumble_object ids[METHODS];
    FOR_ALL(tumble_scene_add(l->scenes[m], &part, 1, &ids[m]))
    if (status == TUMBLE_OK) {
        require(memcmp(&ids[0], &ids[METHODS - 1], sizeof *ids) == 0, "the same id");
        l->parts[l->count] = part;
        l->ids[l->count++] = ids[0];
    }
}

static int is_pair_of(const tumble_object_pair *pair, tumble_object id)
{
    return memcmp(&pair->a, &id, sizeof id) == 0 || memcmp(&pair->b, &id, sizeof id) == 0;
}

static void take_out(life *l, bytes *in)
{
    if (l->count == 0) {
        return;
    }
    const size_t i = next(in) % l->count;
    const tumble_object id = l->ids[i];
    FOR_ALL(tumble_scene_remove(l->scenes[m], &id, 1))
    require(status == TUMBLE_OK, "an object removed");
    for (int m = 0; m < METHODS; m++) {
        require(tumble_scene_remove(l->scenes[m], &id, 1) == TUMBLE_ERROR_INDEX, "removed twice");
    }
    l->ids[i] = l->ids[--l->count];
    l->parts[i] = l->parts[l->count];
    for (size_t k = l->ignored_count; k-- > 0;) {
        if (is_pair_of(&l->ignored[k], id)) {
            l->ignored[k] = l->ignored[--l->ignored_count];
        }
    }
}

static void move(life *l, bytes *in)
{
    if (l->count == 0) {
        return;
    }
    const size_t i = next(in) % l->count;
    const tumble_pose pose = next_pose(in, l->context);
    FOR_ALL(tumble_scene_move(l->scenes[m], &l->ids[i], &pose, 1))
    if (status == TUMBLE_OK) {
        l->parts[i].pose = pose;
    }
}

static void change(life *l, bytes *in)
{
    if (l->count == 0) {
        return;
    }
    const size_t i = next(in) % l->count;
    tumble_part part = next_part(l, in);
    part.model = l->parts[i].model;
    FOR_ALL(tumble_scene_set(l->scenes[m], &l->ids[i], &part, 1))
    if (status == TUMBLE_OK) {
        l->parts[i] = part;
    }
}

static void ignore(life *l, bytes *in)
{
    const size_t i = l->count ? next(in) % l->count : 0, k = l->count ? next(in) % l->count : 0;
    if (i == k || l->ignored_count == STEPS_MOST) {
        return;
    }
    const tumble_object_pair pair = {l->ids[i], l->ids[k]};
    FOR_ALL(tumble_scene_ignore(l->scenes[m], &pair, 1, true))
    require(status == TUMBLE_OK, "a pair ignored");
    l->ignored[l->ignored_count++] = pair;
}

static void ignore_groups(life *l, bytes *in)
{
    const unsigned choice = next(in);
    const uint32_t a = choice & 3, b = choice >> 2 & 3;
    FOR_ALL(tumble_scene_ignore_groups(l->scenes[m], a, b, choice & 16))
    require(status == TUMBLE_OK, "groups ignored");
    for (int i = 0; i < 2; i++) {
        const uint32_t changed = (a >> i & 1 ? b : 0) | (b >> i & 1 ? a : 0);
        l->ignored_groups[i] = choice & 16 ? l->ignored_groups[i] | changed : l->ignored_groups[i] & ~changed;
    }
}

/* A model that objects have is edited, or is to be destroyed. */
static void disturb(life *l, bytes *in)
{
    const unsigned choice = next(in);
    tumble_model *model = l->models[choice % MODELS];
    const uint32_t polygon = choice >> 2;
    for (size_t i = 0; i < l->count; i++) {
        if (l->parts[i].model == model && model) {
            require(tumble_model_destroy(model) == TUMBLE_ERROR_BUSY, "a model in use stays");
            (void)tumble_model_remove(model, &polygon, 1);
            return;
        }
    }
}

/* ---- What must be so ---- */

static int may_touch(const life *l, size_t i, size_t k)
{
    const tumble_part *a = &l->parts[i], *b = &l->parts[k];
    for (size_t n = 0; n < l->ignored_count; n++) {
        if (is_pair_of(&l->ignored[n], l->ids[i]) && is_pair_of(&l->ignored[n], l->ids[k])) {
            return 0;
        }
    }
    return !a->is_inactive && !b->is_inactive && (a->group & b->mask) && (b->group & a->mask) &&
           !(l->ignored_groups[a->group - 1] & b->group);
}

/* What the pair query says; -1: it fails. */
static int do_touch(const life *l, size_t i, size_t k)
{
    const tumble_part *a = &l->parts[i], *b = &l->parts[k];
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.mode = TUMBLE_TEST;
    options.clearance = fmin(a->clearance + b->clearance, DBL_MAX);
    tmb_query_pad(l->pair_query, a->radius, b->radius);
    const tumble_status status =
        tumble_collide(l->pair_query, a->model, &a->pose, b->model, &b->pose, &options, &result);
    tmb_query_pad(l->pair_query, 0, 0);
    return status == TUMBLE_OK ? result.collide : -1;
}

static int is_met(const tumble_scene_answer *answer, tumble_object a, tumble_object b)
{
    for (uint64_t i = 0; i < answer->meeting_count; i++) {
        if (memcmp(&answer->meetings[i].a, &a, sizeof a) == 0 && memcmp(&answer->meetings[i].b, &b, sizeof b) == 0) {
            return 1;
        }
    }
    return 0;
}

static void check_meetings(const life *l, const tumble_scene_answer *answer)
{
    uint64_t count = 0;
    for (size_t i = 0; i < l->count; i++) {
        for (size_t k = 0; k < l->count; k++) {
            if (l->ids[i].index < l->ids[k].index) {
                const int touch = may_touch(l, i, k) ? do_touch(l, i, k) : 0;
                require(touch < 0 || touch == is_met(answer, l->ids[i], l->ids[k]), "what touches");
                count += touch > 0;
            }
        }
    }
    require(count == answer->meeting_count, "how many touch");
}

static void check_candidates(life *l)
{
    const tumble_object_pair *first = NULL, *pairs = NULL;
    size_t first_count = 0, count = 0;
    uint64_t streamed[METHODS];
    for (int m = 0; m < METHODS; m++) { /* before the update */
        require(tumble_scene_stream(l->scenes[m], NULL, NULL, &streamed[m]) == TUMBLE_OK, "a stream of candidates");
    }
    for (int m = 0; m < METHODS; m++) {
        require(tumble_scene_candidates(l->scenes[m], m == 0 ? &first : &pairs, m == 0 ? &first_count : &count) ==
                    TUMBLE_OK,
                "candidates");
        require(m == 0 || (count == first_count && (count == 0 || memcmp(pairs, first, count * sizeof *pairs) == 0)),
                "the same candidates");
        require(streamed[m] == first_count, "as many candidates in a stream");
    }
}

static void require_same(const tumble_scene_answer *a, const tumble_scene_answer *b)
{
    require(a->touch == b->touch && a->meeting_count == b->meeting_count && a->ended_count == b->ended_count,
            "the same answer");
    for (uint64_t i = 0; i < a->meeting_count; i++) {
        const tumble_meeting *x = &a->meetings[i], *y = &b->meetings[i];
        require(memcmp(&x->a, &y->a, sizeof x->a) == 0 && memcmp(&x->b, &y->b, sizeof x->b) == 0 &&
                    x->event == y->event && x->relation == y->relation && x->pair_count == y->pair_count &&
                    memcmp(&x->nearest.distance, &y->nearest.distance, sizeof(double)) == 0,
                "the same meeting");
    }
}

/* Asks all scenes; which touch is compared with pair queries. */
static void ask(life *l, tumble_scene_mode mode, double within)
{
    tumble_scene_question question = tumble_default_scene_question();
    tumble_scene_answer answers[METHODS];
    tumble_status status = TUMBLE_OK;
    question.mode = mode;
    question.within = within;
    for (int m = 0; m < METHODS; m++) {
        question.coherence = m % 2 ? TUMBLE_COHERENCE_PAIR : TUMBLE_COHERENCE_NONE;
        question.cache_bytes = m == 1 ? 1000 : question.cache_bytes;
        const tumble_status here = tumble_scene_collide(l->queries[m], l->scenes[m], &question, &answers[m]);
        require(m == 0 || here == status || mode == TUMBLE_SCENE_NEAREST, "the status of another answer");
        if (m > 0 && here == TUMBLE_OK && status == TUMBLE_OK) {
            require_same(&answers[0], &answers[m]);
        }
        status = m == 0 ? here : status;
    }
    if (status == TUMBLE_OK && mode == TUMBLE_SCENE_PAIRS) {
        check_meetings(l, &answers[0]);
    }
}

static void check(life *l, bytes *in)
{
    const unsigned choice = next(in);
    check_candidates(l);
    ask(l, choice & 8 ? (tumble_scene_mode)(choice & 7) % (TUMBLE_SCENE_NEAREST + 1) : TUMBLE_SCENE_PAIRS,
        choice & 16 ? fabs(next_double(in)) : INFINITY);
}

/* ---- A part that is not in the scene ---- */

static void check_part(life *l, bytes *in)
{
    const size_t own = l->count; /* it stands behind the objects, for pair queries */
    tumble_scene_answer answers[METHODS];
    if (own == MOST) {
        return;
    }
    l->parts[own] = next_part(l, in);
    l->parts[own].is_inactive = false;
    l->ids[own] = (tumble_object){0, 0};
    FOR_ALL(tumble_scene_collide_part(l->queries[m], l->scenes[m], &l->parts[own], NULL, &answers[m]))
    if (status != TUMBLE_OK) {
        return;
    }
    for (int m = 1; m < METHODS; m++) {
        require(answers[m].meeting_count == answers[0].meeting_count, "the same meetings of a part");
    }
    for (size_t i = 0; i < own; i++) {
        const int touch = may_touch(l, own, i) ? do_touch(l, own, i) : 0;
        require(touch < 0 || touch == is_met(&answers[0], l->ids[own], l->ids[i]), "what touches a part");
    }
}

/* ---- States ---- */

enum {
    MOVED_MOST = 3,
    STATES = 2
};

typedef struct sample {
    size_t first, count; /* which objects move: `count` of them, from the first one on */
    tumble_object objects[MOVED_MOST];
    tumble_pose poses[STATES][MOVED_MOST];
} sample;

static int is_moved(const life *l, const sample *s, size_t i)
{
    return (i + l->count - s->first) % l->count < s->count;
}

/* The first pair that touches; -1: some pair query fails, 0: none does. */
static int find_touch(const life *l, const sample *s, tumble_object_pair *pair)
{
    int touch = 0;
    for (size_t i = 0; i < l->count; i++) {
        for (size_t k = 0; k < l->count; k++) {
            const int is_asked = l->ids[i].index < l->ids[k].index && (is_moved(l, s, i) || is_moved(l, s, k));
            const int here = is_asked && may_touch(l, i, k) ? do_touch(l, i, k) : 0;
            if (here < 0) {
                return -1;
            }
            if (here && (!touch || l->ids[i].index < pair->a.index ||
                         (l->ids[i].index == pair->a.index && l->ids[k].index < pair->b.index))) {
                *pair = (tumble_object_pair){l->ids[i], l->ids[k]};
                touch = 1;
            }
        }
    }
    return touch;
}

static void check_state(const life *l, const sample *s, size_t state, const tumble_states_answer *answer)
{
    static life there;
    tumble_object_pair pair = {{0, 0}, {0, 0}};
    there = *l;
    for (size_t i = 0; i < s->count; i++) {
        there.parts[(s->first + i) % l->count].pose = s->poses[state][i];
    }
    const int touch = find_touch(&there, s, &pair);
    require(touch < 0 || answer->touch[state] == touch, "what touches in a state");
    require(touch <= 0 || !answer->pairs || memcmp(&answer->pairs[state], &pair, sizeof pair) == 0,
            "what touches first in a state");
}

static void check_states(life *l, bytes *in)
{
    const unsigned choice = next(in);
    if (l->count == 0) {
        return;
    }
    sample s = {.first = next(in) % l->count, .count = choice / 4 % MOVED_MOST + 1};
    s.count = s.count < l->count ? s.count : l->count;
    for (size_t i = 0; i < s.count; i++) {
        s.objects[i] = l->ids[(s.first + i) % l->count];
        for (size_t k = 0; k < STATES; k++) {
            s.poses[k][i] = next_pose(in, l->context);
        }
    }
    const tumble_states states = {s.objects, s.count, &s.poses[0][0], MOVED_MOST, STATES};
    tumble_states_question question = tumble_default_states_question();
    tumble_states_answer answers[METHODS];
    question.mode = (tumble_states_mode)(choice % 3);
    FOR_ALL(tumble_scene_states(l->queries[m], l->scenes[m], &states, &question, &answers[m]))
    for (int m = 1; status == TUMBLE_OK && m < METHODS; m++) {
        require(memcmp(answers[m].touch, answers[0].touch, STATES * sizeof(bool)) == 0, "the same states touch");
        require(!answers[0].pairs || memcmp(answers[m].pairs, answers[0].pairs, STATES * sizeof *answers[0].pairs) == 0,
                "the same pairs of states");
        require(!answers[0].nearest ||
                    memcmp(answers[m].nearest, answers[0].nearest, STATES * sizeof *answers[0].nearest) == 0,
                "the same nearest pairs");
    }
    for (size_t k = 0; status == TUMBLE_OK && question.mode != TUMBLE_STATES_NEAREST && k < STATES; k++) {
        check_state(l, &s, k, &answers[0]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes in = {data, size};
    life l = {.context = NULL};
    int checks = 0;
    begin(&l, &in);
    for (int step = 0; step < STEPS_MOST && in.size > 0; step++) {
        switch (next(&in) % 12) {
        case 0: take_out(&l, &in); break;
        case 1: change(&l, &in); break;
        case 2: ignore(&l, &in); break;
        case 3:
        case 4: move(&l, &in); break;
        case 5:
            if (checks++ < CHECKS_MOST) {
                check(&l, &in);
            }
            break;
        case 8:
            if (checks++ < CHECKS_MOST) {
                check_states(&l, &in);
            }
            break;
        case 9: ignore_groups(&l, &in); break;
        case 10: disturb(&l, &in); break;
        case 11: check_part(&l, &in); break;
        default: add(&l, &in); break;
        }
    }
    check(&l, &in);
    end(&l);
    return 0;
}
