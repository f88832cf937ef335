/* Tumble with its default options, and, for those who ask, with other hierarchies. */
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "peer.h"
#include "tumble/hierarchies.h"
#include "tumble/tumble.h"

typedef struct tumble_peer_model {
    tumble_model *model;
    tumble_pair *pairs; /* of the last question */
    size_t count, capacity;
    tumble_tuning tuning;
} tumble_peer_model;

/* One context on one thread and one query for all models, as a program would have them. */
typedef struct tumble_room {
    tumble_context *context;
    tumble_query *query;
} tumble_room;

static const tumble_room *the_room(void)
{
    static tumble_room room;
    if (!room.context) {
        tumble_context_options options = tumble_default_context_options();
        options.thread_count = 1;
        bench_require(tumble_context_create(&options, &room.context), NULL, "a context");
        bench_require(tumble_query_create(room.context, &room.query), room.context, "a query");
    }
    return &room;
}

static void *build_tuned(const peer_mesh *source, tumble_hierarchy hierarchy, const tumble_tuning *tuning)
{
    const tumble_room *room = the_room();
    tumble_peer_model *m = bench_allocate(1, sizeof *m);
    tumble_mesh mesh = tumble_default_mesh();
    tumble_model_options options = tumble_default_model_options();
    mesh.points = source->points;
    mesh.point_count = source->point_count;
    mesh.indices = source->indices;
    mesh.index_count = 3 * source->triangle_count;
    m->tuning = *tuning;
    options.hierarchy = hierarchy;
    options.tuning = &m->tuning;
    bench_require(tumble_model_create(room->context, &mesh, &options, &m->model), room->context, "building a model");
    return m;
}

static void *build(const peer_mesh *source, tumble_hierarchy hierarchy)
{
    const tumble_tuning tuning = tumble_default_tuning();
    return build_tuned(source, hierarchy, &tuning);
}

static void *build_default(const peer_mesh *source)
{
    return build(source, TUMBLE_HIERARCHY_AUTO);
}

static void *build_boxtree(const peer_mesh *source)
{
    return build(source, TUMBLE_HIERARCHY_BOXTREE);
}

static void *build_kdop(const peer_mesh *source)
{
    return build(source, TUMBLE_HIERARCHY_KDOP);
}

/* The setting of Klosowski et al.: 18-dops, leaves of one triangle in the environment and of 40 in the flyer. */
static tumble_tuning paper_tuning(void)
{
    tumble_tuning tuning = tumble_default_tuning();
    tuning.kdop.leaf = 1;
    tuning.kdop_walk.traversal = TUMBLE_KDOP_TRAVERSAL_ENVIRONMENT;
    tuning.kdop_walk.mixed = TUMBLE_KDOP_MIXED_VOLUMES;
    return tuning;
}

static void *build_paper(const peer_mesh *source)
{
    const tumble_tuning tuning = paper_tuning();
    return build_tuned(source, TUMBLE_HIERARCHY_KDOP, &tuning);
}

static void *build_paper_flyer(const peer_mesh *source)
{
    tumble_tuning tuning = paper_tuning();
    tuning.kdop.leaf = 40;
    tuning.kdop.tumble = TUMBLE_KDOP_TUMBLE_VERTICES;
    tuning.kdop.hull = 1;
    return build_tuned(source, TUMBLE_HIERARCHY_KDOP, &tuning);
}

static void destroy(void *model)
{
    tumble_peer_model *m = model;
    tumble_model_destroy(m->model);
    free(m->pairs);
    free(m);
}

static size_t hierarchy_bytes(const void *model)
{
    tumble_model_info info;
    bench_require(tumble_model_get_info(((const tumble_peer_model *)model)->model, &info), the_room()->context,
                  "a model");
    return (size_t)info.hierarchy_bytes;
}

static bool keep_pairs(void *user, const tumble_pair *pairs, size_t count, const tumble_contact *contacts,
                       size_t contact_count)
{
    tumble_peer_model *m = user;
    (void)contacts;
    (void)contact_count;
    if (m->count + count > m->capacity) {
        m->capacity = 2 * (m->count + count);
        m->pairs = realloc(m->pairs, m->capacity * sizeof *m->pairs);
        if (!m->pairs) {
            bench_fail("no memory for %zu pairs", m->capacity);
        }
    }
    memcpy(m->pairs + m->count, pairs, count * sizeof *pairs);
    m->count += count;
    return false;
}

static uint64_t ask(tumble_peer_model *a, const tumble_peer_model *b, const tumble_pose *pose, tumble_mode mode)
{
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.mode = mode;
    options.tuning = &a->tuning;
    if (mode == TUMBLE_ALL) {
        a->count = 0;
        options.callback = keep_pairs;
        options.callback_user = a;
    }
    const tumble_room *room = the_room();
    bench_require(tumble_collide(room->query, a->model, NULL, b->model, pose, &options, &result), room->context,
                  "a query");
    return result.pair_count;
}

static int first(void *a, void *b, const tumble_pose *pose)
{
    return ask(a, b, pose, TUMBLE_FIRST) > 0;
}

static size_t all(void *a, void *b, const tumble_pose *pose)
{
    return (size_t)ask(a, b, pose, TUMBLE_ALL);
}

static size_t pairs(void *a, void *b, tumble_pair *out, size_t capacity)
{
    const tumble_peer_model *m = a;
    const size_t count = m->count < capacity ? m->count : capacity;
    (void)b;
    if (count) {
        memcpy(out, m->pairs, count * sizeof *out);
    }
    return count;
}

static double distance(void *a, void *b, const tumble_pose *pose)
{
    const tumble_peer_model *one = a, *other = b;
    const tumble_room *room = the_room();
    tumble_distance_result result;
    bench_require(tumble_distance(room->query, one->model, NULL, other->model, pose, NULL, &result), room->context,
                  "a distance");
    return result.nearest.distance;
}

static int within(void *a, void *b, const tumble_pose *pose, double clearance)
{
    const tumble_peer_model *one = a, *other = b;
    const tumble_room *room = the_room();
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.mode = TUMBLE_FIRST;
    options.clearance = clearance;
    bench_require(tumble_collide(room->query, one->model, NULL, other->model, pose, &options, &result), room->context,
                  "a query");
    return result.collide;
}

static size_t self(void *model)
{
    const tumble_peer_model *m = model;
    tumble_self_result result;
    bench_require(tumble_self_collide(the_room()->query, m->model, NULL, &result), the_room()->context, "a query");
    return (size_t)result.pair_count;
}

static void *build_solid(double radius, double length, int has_flat_ends)
{
    const tumble_room *room = the_room();
    const double low[3] = {0, 0, -length / 2}, high[3] = {0, 0, length / 2};
    tumble_model_options options = tumble_default_model_options();
    tumble_model *model;
    options.flat_ends = has_flat_ends;
    bench_require(tumble_model_create_capsule(room->context, low, high, radius, &options, &model), room->context,
                  "a capsule or a cylinder");
    return model;
}

static void destroy_solid(void *solid)
{
    (void)tumble_model_destroy(solid);
}

static int solid_touches(void *model, void *solid, const tumble_pose *pose)
{
    const tumble_peer_model *m = model;
    const tumble_room *room = the_room();
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.mode = TUMBLE_TEST;
    bench_require(tumble_collide(room->query, m->model, NULL, solid, pose, &options, &result), room->context,
                  "a query");
    return result.collide;
}

static peer_library described(const char *name, const char *method, void *(*how_to_build)(const peer_mesh *mesh))
{
    return (peer_library){.name = name,
                          .version = TUMBLE_VERSION,
                          .method = method,
                          .build = how_to_build,
                          .destroy = destroy,
                          .first = first,
                          .all = all,
                          .pairs = pairs,
                          .distance = distance,
                          .within = within,
                          .is_tumble = 1,
                          .self = self,
                          .build_solid = build_solid,
                          .destroy_solid = destroy_solid,
                          .solid_touches = solid_touches,
                          .hierarchy_bytes = hierarchy_bytes};
}

const peer_library *peer_tumble(void)
{
    static peer_library list[5];
    list[0] = described("tumble", "tumble_collide, default options", build_default);
    list[1] = described("boxtree", "tumble_collide, hierarchy boxtree", build_boxtree);
    list[2] = described("kdop", "tumble_collide, hierarchy kdop", build_kdop);
    list[3] = described("18-dop", "tumble_collide, 18-dops as in Klosowski et al.", build_paper);
    list[3].build_moving = build_paper_flyer;
    for (int i = 1; i < 4; i++) {
        list[i].only_named = 1;
    }
    return list;
}
