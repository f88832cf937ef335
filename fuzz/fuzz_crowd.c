/* The life of a scene, from bytes: objects come, move, change and go, with right and wrong ids. Scenes of all three
 * methods go through it together and must agree at every step, no pair that collides may be missing among the
 * candidates, and what touches is what pair queries say. */
#include <stdio.h>

#include "fuzz_scene.h"

enum {
    STEPS_MOST = 24,
    MODELS = 2,
    MOST = 24,
    METHODS = 4
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
} life;

static void begin(life *l, bytes *in)
{
    static small_mesh mesh;
    require(tumble_context_create(NULL, &l->context) == TUMBLE_OK, "a context");
    require(tumble_query_create(l->context, &l->pair_query) == TUMBLE_OK, "a query");
    for (int i = 0; i < MODELS; i++) {
        next_mesh(in, &mesh);
        if (tumble_model_create(l->context, &mesh.mesh, NULL, &l->models[i]) != TUMBLE_OK) {
            l->models[i] = NULL;
        }
    }
    for (int m = 0; m < METHODS; m++) {
        const tumble_scene_options options = {(tumble_broad)(m % 3), m == 3 ? 2 : 1};
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
    tumble_query_destroy(l->pair_query);
    tumble_context_destroy(l->context);
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

/* ---- What must be so ---- */

static int may_touch(const life *l, size_t i, size_t k)
{
    const tumble_part *a = &l->parts[i], *b = &l->parts[k];
    for (size_t n = 0; n < l->ignored_count; n++) {
        if (is_pair_of(&l->ignored[n], l->ids[i]) && is_pair_of(&l->ignored[n], l->ids[k])) {
            return 0;
        }
    }
    return !a->is_inactive && !b->is_inactive && (a->group & b->mask) && (b->group & a->mask);
}

/* What the pair query says; -1: it fails. */
static int do_touch(const life *l, size_t i, size_t k)
{
    const tumble_part *a = &l->parts[i], *b = &l->parts[k];
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.mode = TUMBLE_TEST;
    options.clearance = a->clearance + b->clearance;
    const tumble_status status =
        tumble_collide(l->pair_query, a->model, &a->pose, b->model, &b->pose, &options, &result);
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

static void check(life *l)
{
    const tumble_object_pair *first = NULL, *pairs = NULL;
    size_t first_count = 0, count = 0;
    tumble_scene_answer answers[METHODS];
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
    tumble_status status = TUMBLE_OK;
    for (int m = 0; m < METHODS; m++) {
        const tumble_status here = tumble_scene_collide(l->queries[m], l->scenes[m], NULL, &answers[m]);
        require(m == 0 || here == status, "the status of another answer");
        status = here;
        require(here != TUMBLE_OK || answers[m].meeting_count == answers[0].meeting_count, "the same meetings");
    }
    if (status == TUMBLE_OK) {
        check_meetings(l, &answers[0]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes in = {data, size};
    life l = {.context = NULL};
    begin(&l, &in);
    for (int step = 0; step < STEPS_MOST && in.size > 0; step++) {
        switch (next(&in) % 8) {
        case 0: take_out(&l, &in); break;
        case 1: change(&l, &in); break;
        case 2: ignore(&l, &in); break;
        case 3:
        case 4: move(&l, &in); break;
        case 5: check(&l); break;
        default: add(&l, &in); break;
        }
    }
    check(&l);
    end(&l);
    return 0;
}
