/* Results by callback: pairs arrive while the query runs, and it can be stopped once enough are known. */
#include <stdio.h>

#include <tumble/tumble.h>

#include "shapes.h"

typedef struct tally {
    size_t pairs, wanted;
} tally;

static bool count_pairs(void *user, const tumble_pair *pairs, size_t pair_count, const tumble_contact *contacts,
                        size_t contact_count)
{
    (void)pairs, (void)contacts, (void)contact_count;
    tally *t = user;
    t->pairs += pair_count;
    return t->pairs >= t->wanted;
}

int main(void)
{
    shape torus;
    tumble_context *context = NULL;
    tumble_model *model = NULL;
    tumble_query *query = NULL;
    if (!make_torus(&torus, 140)) {
        return 1;
    }
    const tumble_mesh mesh = shape_mesh(&torus);
    int failed = tumble_context_create(NULL, &context) != TUMBLE_OK ||
                 tumble_model_create(context, &mesh, NULL, &model) != TUMBLE_OK ||
                 tumble_query_create(context, &query) != TUMBLE_OK;
    if (!failed) {
        tally t = {0, 100};
        const tumble_pose pose = {{{0, 0, 1, 0.5}, {0, 1, 0, 0}, {-1, 0, 0, 0}}}; /* upright */
        tumble_collide_options options = tumble_default_collide_options();
        options.callback = count_pairs;
        options.callback_user = &t;
        tumble_collide_result result;
        const tumble_status status = tumble_collide(query, model, NULL, model, &pose, &options, &result);
        printf("%s after %zu pairs\n", status == TUMBLE_ERROR_CANCELLED ? "stopped" : "finished", t.pairs);
        failed = status != TUMBLE_ERROR_CANCELLED;
    }
    tumble_query_destroy(query);
    tumble_model_destroy(model);
    tumble_context_destroy(context);
    free_shape(&torus);
    return failed;
}
