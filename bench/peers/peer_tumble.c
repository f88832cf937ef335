/* Tumble with its default options, in its present default engine. */
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "peer.h"
#include "tumble/tumble.h"

typedef struct tumble_peer_model {
    tumble_context *context;
    tumble_model *model;
    tumble_query *query;
    tumble_pair *pairs; /* of the last question */
    size_t count, capacity;
} tumble_peer_model;

static void *build(const peer_mesh *source)
{
    tumble_peer_model *m = bench_allocate(1, sizeof *m);
    tumble_context_options options = tumble_default_context_options();
    tumble_mesh mesh = tumble_default_mesh();
    options.thread_count = 1;
    mesh.points = source->points;
    mesh.point_count = source->point_count;
    mesh.indices = source->indices;
    mesh.index_count = 3 * source->triangle_count;
    bench_require(tumble_context_create(&options, &m->context), NULL, "a context");
    bench_require(tumble_model_create(m->context, &mesh, NULL, &m->model), m->context, "building a model");
    bench_require(tumble_query_create(m->context, &m->query), m->context, "a query");
    return m;
}

static void destroy(void *model)
{
    tumble_peer_model *m = model;
    tumble_query_destroy(m->query);
    tumble_model_destroy(m->model);
    tumble_context_destroy(m->context);
    free(m->pairs);
    free(m);
}

static int keep_pairs(void *user, const tumble_pair *pairs, size_t count, const tumble_contact *contacts,
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
    return 0;
}

static uint64_t ask(tumble_peer_model *a, const tumble_peer_model *b, const tumble_pose *pose, tumble_collide_mode mode)
{
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result = {.size = sizeof result};
    options.mode = mode;
    if (mode == TUMBLE_COLLIDE_ALL) {
        a->count = 0;
        options.callback = keep_pairs;
        options.callback_user = a;
    }
    bench_require(tumble_collide(a->query, a->model, NULL, b->model, pose, &options, &result), a->context, "a query");
    return result.pair_count;
}

static int first(void *a, void *b, const tumble_pose *pose)
{
    return ask(a, b, pose, TUMBLE_COLLIDE_FIRST) > 0;
}

static size_t all(void *a, void *b, const tumble_pose *pose)
{
    return (size_t)ask(a, b, pose, TUMBLE_COLLIDE_ALL);
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

const peer_library *peer_tumble(void)
{
    static const peer_library list[] = {{.name = "tumble",
                                         .version = TUMBLE_VERSION,
                                         .method = "tumble_collide, default options",
                                         .build = build,
                                         .destroy = destroy,
                                         .first = first,
                                         .all = all,
                                         .pairs = pairs},
                                        {.name = NULL}};
    return list;
}
