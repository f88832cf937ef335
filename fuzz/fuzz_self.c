/* A small mesh against itself, from bytes: every hierarchy must find the pairs that brute force finds, in every mode.
 */
#include <stdio.h>

#include "fuzz_scene.h"

static tumble_model *make_as(tumble_context *context, const small_mesh *mesh, tumble_hierarchy hierarchy)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = hierarchy;
    return make(context, mesh, &options);
}

static void require(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

/* What brute force finds. */
static void compare(tumble_query *query, const tumble_model *model, const tumble_self_options *options,
                    const tumble_self_pair *pairs, size_t count)
{
    tumble_self_options other = *options;
    tumble_self_result result;
    require(tumble_self_collide(query, model, options, &result) == TUMBLE_OK, "all");
    require(result.pair_count == count, "other pairs than brute force");
    require(count == 0 || memcmp(result.pairs, pairs, count * sizeof *pairs) == 0, "pairs of another order or kind");
    other.mode = TUMBLE_COUNT;
    require(tumble_self_collide(query, model, &other, &result) == TUMBLE_OK && result.pair_count == count, "count");
    other.mode = TUMBLE_FIRST;
    require(tumble_self_collide(query, model, &other, &result) == TUMBLE_OK && result.collide == (count > 0), "first");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const tumble_hierarchy hierarchies[] = {TUMBLE_HIERARCHY_WIDE, TUMBLE_HIERARCHY_BOXTREE,
                                                   TUMBLE_HIERARCHY_KDOP, TUMBLE_HIERARCHY_RTREE};
    static small_mesh mesh;
    bytes in = {data, size};
    const unsigned choice = next(&in), other = next(&in);
    tumble_context *context = kept_context(choice);
    tumble_query *query = NULL, *truth = NULL;
    require(tumble_query_create(context, &query) == TUMBLE_OK, "a query");
    require(tumble_query_create(context, &truth) == TUMBLE_OK, "a query");
    next_mesh(&in, &mesh);
    tumble_self_options options = tumble_default_self_options();
    options.soup = (other & 7) == 1;
    options.want_contacts = (other & 8) != 0;
    options.rings = other >> 4 & 3;
    options.clearance = (other & 192) == 64 ? fabs(next_double(&in)) : 0;
    tumble_model *brute = make_as(context, &mesh, TUMBLE_HIERARCHY_BRUTE);
    tumble_model *model = make_as(context, &mesh, hierarchies[choice >> 2 & 3]);
    tumble_self_result expected;
    require(tumble_self_collide(truth, brute, &options, &expected) == TUMBLE_OK, "brute force");
    compare(query, model, &options, expected.pairs, (size_t)expected.pair_count);
    tumble_model_destroy(brute);
    tumble_model_destroy(model);
    tumble_query_destroy(query);
    tumble_query_destroy(truth);
    return 0;
}
